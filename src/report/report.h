#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/buf.h"
#include "core/verdict.h"

/* How to write. */
struct report_style {
    bool has_color;
    bool is_ascii;    /* marks as words: no UTF-8 */
    unsigned columns; /* width to fit; 80 when unknown */
    bool is_verbose, is_quiet;
    size_t
        verdicts_whole; /* problems told in full unless verbose, the rest by title; 0 = a dozen */
};

#define REPORT_BYTES_MAX ((size_t)64 * 1024 * 1024)

/* Writes a report; whatever it says comes masked, bounded and escaped as the format asks. */
typedef void report_render(struct arena *arena, const struct report *report,
                           const struct report_style *style, struct buf *out);

/* One output format; formats.def is the list, one file each. */
struct report_format {
    struct str name; /* for --format */
    report_render *render;
    /* Where the readers of a format have exit codes of their own, these stand in place of
     * those of diagnose(1) while the format goes to standard output; else NULL. The second one also
     * writes what takes the place of a report when the run fails. */
    int (*exit_code)(const struct report *report);
    int (*render_error)(struct arena *arena, struct str message, struct buf *out);
    /* A file that the caller's environment names is to get this behind what it holds; else unset
     * and NULL. */
    struct str append_variable;
    report_render *append;
};

/* NULL when there is no such format. formats.def is the list. */
const struct report_format *report_format_find(struct str name);
size_t report_format_count(void);
const struct report_format *report_format_at(size_t index);

/* JSON for commands that add to it or have a document of their own. cJSON owns what these give;
 * every string in it is valid UTF-8, bounded, and free of what masks hide. */
struct cJSON;
struct rules;

#define REPORT_SCHEMA_VERSION 1

/* The whole JSON document of probe, verify, check and demo. */
struct cJSON *report_json_tree(struct arena *arena, const struct report *report);
/* The start of any command's document: schema_version, tool, command. */
struct cJSON *report_json_head(struct str command, struct str version);
/* One finding, its actions filled with what is known of its target. */
struct cJSON *report_finding_json(struct arena *arena, const struct finding *finding,
                                  enum lang lang);
/* The same of evidence without a target: the actions are also those of the rule and of the client
 * that printed it, which "client" names. */
struct cJSON *report_evidence_json(struct arena *arena, const struct rules *rules,
                                   const struct finding *finding, enum lang lang);
/* Writes what was judged of a finding as members of an object, without actions: diagnosis, layer,
 * blame, retryable, rule, evidence, wait_ms, retry_at. */
struct json_writer;
void report_write_judgement(struct json_writer *writer, const struct finding *finding);
/* A string value, or null when s is unset. */
struct cJSON *report_json_string(struct str s);
/* RFC 3339 in UTC: "2026-11-29T13:00:00Z". */
struct cJSON *report_json_time(int64_t wall_ms);

/* Prints a tree: over several lines, or on one (is_line); a newline behind it. Control characters
 * and bidirectional overrides come out as \uXXXX. The tree stays the caller's. */
void report_json_print(const struct cJSON *tree, bool is_line, struct buf *out);

#endif
