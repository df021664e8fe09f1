#ifndef REPORT_JSON_WRITE_H
#define REPORT_JSON_WRITE_H

#include "base/buf.h"

struct cJSON;

/* JSON written as it comes, member by member, where a tree would be made only to be printed: lines
 * of streams, long lists. The bytes are those that report_json_print gives for a tree of the same
 * members. In an array, and at the top, names are NULL; in an object they need no escape. */
struct json_writer {
    struct buf *out;
    bool is_line; /* all on one line */
    unsigned depth;
};

/* Opens an object or an array, by its bracket; closes what was opened last. */
void json_write_open(struct json_writer *writer, const char *name, char bracket);
void json_write_close(struct json_writer *writer, char bracket);

/* Text of any origin, or null where it is unset. */
void json_write_text(struct json_writer *writer, const char *name, struct str text);
void json_write_number(struct json_writer *writer, const char *name, uint64_t number);
void json_write_bool(struct json_writer *writer, const char *name, bool truth);
void json_write_null(struct json_writer *writer, const char *name);
/* RFC 3339 in UTC, or null where the time is not known (negative). */
void json_write_time(struct json_writer *writer, const char *name, int64_t wall_ms);
/* A value that is JSON already. */
void json_write_raw(struct json_writer *writer, const char *name, struct str json);
/* A tree, which stays the caller's. */
void json_write_tree(struct json_writer *writer, const char *name, const struct cJSON *tree);

#endif
