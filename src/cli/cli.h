#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/env.h"
#include "cli/opt.h"
#include "core/diagnosis.h"
#include "core/problem.h"
#include "report/report.h"

#include <stdio.h>

/* Exit codes, the same for every command; the table of --help and of the manual page is in help.c.
 */
enum exit_code {
    EXIT_FINE = 0,
    EXIT_OURS = 1,
    EXIT_THEIRS = 2,
    EXIT_NETWORK = 3,
    EXIT_USAGE = 4,
    EXIT_UNKNOWN = 5,
};

/* Where a run reads and writes; tests hand in their own. Borrowed. */
struct streams {
    int in;
    FILE *out, *errors;
    void (*unread)(void); /* ends the run when out has no reader any more; NULL: an error does */
};

/* A whole file that is yet to be written. */
struct written {
    struct str path;
    struct buf content;
    bool is_appended; /* behind what the file holds */
};

/* One run of the program: what the command line said and where the result goes. */
struct cli {
    struct arena *arena; /* lives as long as the run */
    const struct env *env;
    struct streams streams;
    const struct command *command;
    bool is_default; /* the command line names no command */
    struct options options;
    const struct str *operands;
    size_t operand_count;
    enum lang lang;
    bool is_json, is_human; /* neither: another format of a report */
    struct report_style style;
    const struct mask *key_shapes; /* NULL until something asks: say.h */
    struct buf out;                /* the result; written out when the command is done */
    int out_errno;                 /* of the first write to standard output that failed, else 0 */
    bool is_loss_given;            /* cli_flush gave that as an error */
    struct written *written;       /* for the time after that */
    size_t written_count, written_capacity;
    bool is_aside; /* the form under way goes to a file of its own: deliver_all */
};

/* A command: one file cmd_*.c with such a record, and a line in commands.def. */
struct command {
    const char *name, *alias; /* alias may be NULL */
    const char *summary;      /* one line, no full stop */
    const char *synopsis;     /* its operands, "" for none */
    const char *details;      /* paragraphs, parted by \n\n */
    struct opt_table opts;    /* besides the common ones */
    /* Writes the words that its operands can be besides those of the synopsis, each with a blank
     * behind it; NULL = there are none. */
    void (*write_words)(const struct rules *rules, struct buf *out);
    bool keeps_history;  /* its requests go into the history, and it is judged by what is there */
    bool prints_report;  /* takes every format of the report room, not just human and json */
    bool lists_settings; /* every key of the clients' files */
    bool takes_evidence; /* its operands are files of evidence */
    bool takes_command_line; /* its operands are a command line of a client */
    bool wants_remarks;      /* on the settings, besides what is wrong with them */
    /* Writes its result to cli->out and gives the exit code. */
    int (*run)(struct cli *cli);
};

/* All commands in the order of --help; the first is the default one. */
size_t command_count(void);
const struct command *command_at(size_t i);
/* By name or alias; NULL when there is none. */
const struct command *command_find(struct str name);

/* Runs the program and gives its exit code. */
int cli_main(const struct env *env, struct streams streams, int argc, char *const *argv);

/* Writes the result gathered so far to standard output at once; for commands that do not end by
 * themselves and for streams. ERR_FILE the first time that fails: whoever gets it says so. */
enum err_code cli_flush(struct cli *cli, struct err *err);

#endif
