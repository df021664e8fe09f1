#ifndef CLI_OBSERVE_H
#define CLI_OBSERVE_H

#include "base/child.h"
#include "cli/street.h"
#include "rules/client.h"
#include "serve/recorder.h"

/* diagnose observe in parts: observe_plan.c decides what will run, observe_home.c copies the
 * client's own directory, observe_command.c leads the client to the recorder, observe_run.c runs it
 * once for each kind of answer, observe_conclude.c says what follows, observe_show.c and
 * observe_json.c print it. */

/* How one base URL is moved: by a setting on the command line, or by a variable. */
struct observe_route {
    bool is_setting;
    struct str name, path; /* path: what stands behind http://HOST:PORT */
};

struct observe_file {
    struct str name, content; /* in the client's directory */
};

/* What will run, and how it is led. */
struct observe_plan {
    struct street *street;
    const struct client_run *row; /* NULL = a program that no client's rows know */
    struct str title;             /* "Codex 0.171.0", "./client.py" */
    struct str client, version;   /* version may be unset */
    struct str program;           /* as it was given */
    const char *path;             /* of its executable */
    const struct str *arguments;
    size_t argument_count;
    bool is_usual;               /* the arguments are the row's, not the user's */
    struct str home;             /* the client's own directory, or unset */
    const struct target *target; /* what it is configured to ask first, or NULL */
    struct observe_file *files;
    size_t file_count, file_capacity;
    struct observe_route *routes;
    size_t route_count, route_capacity;
    struct header *dotenv; /* variables of the client's own file */
    size_t dotenv_count, dotenv_capacity;
    bool has_login;          /* the run sends a login that is no plain key */
    struct str fallback_key; /* "model_fallback", or unset */
    struct str refusal;      /* why it cannot be observed, or unset */
    bool is_isolated;        /* in a network that has loopback only */
    int64_t timeout_ms;      /* of one run */
};

/* One run: one kind of answer to everything that the client sends. */
struct observe_run {
    const struct answer_kind *answer;
    struct child_result child;
    struct recording recording;
    struct mask mask; /* all keys known, and those that were sent */
    struct str text;  /* the line that the client ends with, fit to be shown; or unset */
};

struct observation_of_client {
    const struct observe_plan *plan;
    struct observe_run *runs;
    size_t run_count;
    struct str *conclusions;
    size_t conclusion_count, conclusion_capacity;
};

/* Finds the client or program that the operands name, its version and its configuration. ERR_USAGE
 * when there is no such program; what makes it unobservable is plan->refusal. */
enum err_code observe_plan(struct street *street, struct observe_plan *plan, struct err *err);

/* Reads the files that the run gets copies of, and finds all base URLs in them. */
void observe_read_home(struct observe_plan *plan);
/* Writes the copies into a new directory. */
enum err_code observe_write_home(const struct observe_plan *plan, struct str folder,
                                 struct err *err);
void observe_add_route(struct observe_plan *plan, bool is_setting, struct str name,
                       struct str path);
/* What stands behind the host of a URL; unset when the text is no URL. */
struct str observe_path_of(struct str url);

/* The words of the command, led to the recorder on that port; NULL at the end. */
const char **observe_argv(const struct observe_plan *plan, unsigned port);
/* The whole environment; home: the copy of the client's directory, user_home: that in which it is;
 * both unset for a program whose home is left as it is. */
char **observe_variables(const struct observe_plan *plan, unsigned port, struct str user_home,
                         struct str home);

/* Runs it once. ERR_SYSTEM when the recorder or the copies cannot be made; a client that does not
 * start or fails is a result. */
enum err_code observe_once(const struct observe_plan *plan, const struct script *script,
                           struct interrupt *interrupt, struct str folder, struct observe_run *run,
                           struct err *err);

/* Tries of a run: requests for an answer, in order. */
const struct recorded *observe_first_try(const struct observe_run *run);
size_t observe_try_count(const struct observe_run *run);

/* Adds what follows from the runs to seen->conclusions, in the language of the output. */
void observe_conclude(struct observation_of_client *seen);
/* Each prints to cli->out. */
void observe_show(const struct observation_of_client *seen);
int observe_show_json(const struct observation_of_client *seen, int exit_code);

#endif
