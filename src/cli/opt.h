#ifndef CLI_OPT_H
#define CLI_OPT_H

#include "base/arena.h"
#include "base/err.h"

/* The arguments of an option that may be given several times, in order. */
struct words {
    struct str *items;
    size_t count, capacity;
};

/* A form of the result in a file of its own: --format FORMAT:FILE. */
struct output {
    struct str format, path;
};
struct outputs {
    struct output *items;
    size_t count, capacity;
};

/* All that options can say, of every command; each option row names its member. Texts borrow from
 * argv; unset = not given. */
struct options {
    struct str format, output, lang, color, config, client;
    struct outputs outputs;
    struct str client_version, profile, directory;
    bool is_without_history, is_ascii, is_quiet, is_verbose, wants_help, wants_version;
    int64_t timeout_ms; /* -1 = not given */

    struct str model, fail_on; /* probe, pick */
    bool is_dry_run;
    int64_t wait_ms; /* pick; -1 = not given */
    struct words exec;
    int64_t per_host; /* -1 = not given */

    struct str only, except, min_headroom; /* check */
    bool is_live, is_strict;
    int64_t budget, retry, expect_keys, min_days; /* -1 = not given */

    struct str since, diagnosis, who; /* history */
    struct words expect;              /* verify */
    bool is_offline, is_since_last;

    bool wants_all; /* config */
    struct str key;

    struct str input; /* classify */
    bool is_ndjson, is_explaining, has_no_prefilter, is_merging;
    int64_t threads; /* 0 = not given */

    bool is_serving; /* demo */
    struct str script, requests;
    int64_t port; /* -1 = not given */

    struct str answers; /* observe */

    bool wants_mdoc; /* help */
};

/* OPT_REST takes all words that follow, as they are. */
enum opt_kind {
    OPT_FLAG,
    OPT_TEXT,
    OPT_LIST,
    OPT_REST,
    OPT_FILE,
    OPT_DURATION,
    OPT_INTEGER,
    OPT_CHOICE
};

/* One option: this row feeds parsing, --help, the manual page and the completions. */
struct opt {
    const char *name;     /* without the dashes */
    char letter;          /* short form, or 0 */
    const char *argument; /* what the help calls its argument; NULL for flags */
    const char *help;     /* one line, no full stop */
    enum opt_kind kind;
    size_t member;       /* offset in struct options; OPT_LIST, OPT_REST: of a struct words */
    const char *choices; /* OPT_CHOICE: "auto|always|never" */
    struct str (*choice)(size_t i); /* OPT_CHOICE, instead of choices: unset behind the last */
    const char *stands_for;         /* a flag that sets a choice: --json sets --format to "json" */
    const char *otherwise; /* argument when none stands behind '='; it is never the next word */
    bool takes_files;      /* OPT_CHOICE: CHOICE:FILE is one more of options.outputs */
    int64_t min, max;      /* OPT_INTEGER */
    bool takes_client;     /* OPT_TEXT: the id of a client is meant */
    bool is_hidden;        /* parsed, but shown nowhere */
};

/* Rows that several commands have. */
#define OPT_DRY_RUN                                                                                \
    {                                                                                              \
        .name = "dry-run", .kind = OPT_FLAG, .member = offsetof(struct options, is_dry_run),       \
        .help = "print the plan and send nothing"                                                  \
    }
#define OPT_PER_HOST                                                                               \
    {                                                                                              \
        .name = "per-host", .argument = "N", .kind = OPT_INTEGER, .max = 1000,                     \
        .member = offsetof(struct options, per_host),                                              \
        .help = "requests in flight to one host at a time; 8 by default, 0 for no limit"           \
    }
#define OPT_FAIL_ON                                                                                \
    {                                                                                              \
        .name = "fail-on", .argument = "LIST", .kind = OPT_TEXT,                                   \
        .member = offsetof(struct options, fail_on),                                               \
        .help = "only these layers, blames or diagnoses make the exit code other than 0"           \
    }

struct opt_table {
    const struct opt *rows;
    size_t count;
};

/* Options with nothing given. */
struct options options_create(void);

/* The options that every command takes. */
struct opt_table opt_common(void);

/* The row of a long option (text without "--", up to '='), or NULL. */
const struct opt *opt_find(struct opt_table table, struct str name);
const struct opt *opt_find_letter(struct opt_table table, char letter);
/* Does the row take an argument? */
bool opt_has_argument(const struct opt *opt);
/* Does it take the next word, or the rest of them, where nothing stands behind '='? */
bool opt_takes_word(const struct opt *opt);
/* The i-th choice of a row, unset behind the last. */
struct str opt_choice_at(const struct opt *opt, size_t i);

/* Reads argv[1..] but for argv[skip] (the command's own name; 0 = none) with the given tables, the
 * common one included by the caller. Operands go to *operands in order, an arena array. A wrong
 * option gives ERR_USAGE and says what was expected, with the nearest names. */
enum err_code opt_parse(struct arena *arena, const struct opt_table *tables, size_t table_count,
                        int argc, char *const *argv, int skip, struct options *options,
                        const struct str **operands, size_t *operand_count, struct err *err);

#endif
