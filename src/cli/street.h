#ifndef CLI_STREET_H
#define CLI_STREET_H

#include "classify/classify.h"
#include "cli/cli.h"
#include "config/config.h"
#include "core/record.h"
#include "probe/probe.h"
#include "rules/rules.h"

/* The whole way from configuration to verdict, shared by the commands that go it or a part of it.
 * Start from {0}; street_close frees it at any point. */
struct street {
    struct cli *cli;
    bool shows_rules; /* set before street_open: the examples of built-in rules are wanted */
    struct rules *rules;
    struct classifier *classifier;
    struct mask mask; /* all keys of the config and the environment, all key shapes of providers */
    struct config config;
    struct problems problems; /* of rule files and of the config, that belong to no target */
    const struct target **targets;
    size_t target_count;
    bool wants_all_keys; /* see struct config_request */
    struct str *fail_on;
    size_t fail_on_count;
    struct past past;       /* what the history tells, see memory.h */
    struct record *records; /* requests of this run, for the history */
    size_t record_count, record_capacity;
    const struct observation **record_sources; /* what each of them tells of */
    size_t record_source_capacity;
    struct str run_id;
    bool has_lost_history;    /* the store cannot be used, and that was said */
    bool is_offline;          /* nothing is sent: targets are skipped */
    bool are_warnings_errors; /* see struct triage_input */
    struct report report;     /* what street_judge made */
    int64_t begun_ms;         /* monotonic */
};

/* Opens the rule table with the user's rules.d, and the classifier; keys of the environment are
 * hidden from here on. */
enum err_code street_open(struct street *street, struct cli *cli, struct err *err);
void street_close(struct street *street);

/* What a command does on an open street: its exit status. */
typedef int street_use(struct street *street, struct err *err);
/* Opens a street for it and closes it again; the exit status, also of one that does not open. */
int street_with(struct cli *cli, street_use *use);

/* Hides all secrets of street->config from here on; the mask borrows them. */
void street_hide_secrets(struct street *street);

/* What the command line says about configuration. */
struct config_request street_config_request(struct cli *cli);

/* Loads the configuration, takes all of its targets, and hides their keys. On failure
 * street->config holds the problems that were found. */
enum err_code street_configure(struct street *street, struct err *err);

/* Keeps only the targets that one of the names stands for, by name or model. An unknown name is
 * ERR_USAGE with the nearest ones. */
enum err_code street_select(struct street *street, const struct str *names, size_t count,
                            struct err *err);
/* Reads --fail-on: layers, blames and ids of diagnoses that exist. */
enum err_code street_read_fail_on(struct street *street, struct err *err);

/* For commands that judge no configuration: prints the problems of rule files on standard error and
 * forgets them, so that they do not colour the result. */
void street_say_problems(struct street *street);

/* The report of a run that found nothing to probe: where it looked, and a way on. Gives the exit
 * code. */
int street_show_nothing(struct street *street);

/* Judges a run whose evidence is blank: that could not tell anything, and the report says so. */
void street_judge_blank(struct street *street);

/* Is there anything to probe, or an error that says why there is not? */
bool street_is_empty(const struct street *street);

/* The requests that a run would send, and the free ones that may follow. */
void street_plan(struct street *street, struct plan *plan, struct plan *key_proofs);

/* Sends the requests of a plan; *observations gets one for each. They count in the report. */
enum err_code street_send(struct street *street, const struct plan *plan,
                          struct observation **observations, struct err *err);
/* Findings of problems, in order. target may be NULL. */
const struct finding *street_judge_problems(struct street *street, const struct problems *problems,
                                            const struct target *target);

/* Probes every target, proves keys where that is open, and classifies: *results gets one a target.
 */
enum err_code street_probe(struct street *street, struct result **results, struct err *err);
/* Probes and judges. */
enum err_code street_run(struct street *street, struct err *err);
/* Judges results that are already there: fills street->report. */
void street_judge(struct street *street, struct result *results, size_t count);
/* Notes on pasted evidence when it is read, and by whose wall clock: times of day in it count from
 * there. */
void street_stamp(const struct street *street, struct observation *observation);
/* Finding of one observation. */
struct finding *street_classify(struct street *street, const struct observation *observation);

/* Renders the report in the run's format into cli->out and gives its exit code. */
int street_print(struct street *street);
/* The same in every form that was asked for. */
int street_deliver(struct street *street);

#endif
