#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include "base/env.h"
#include "core/verdict.h"
#include "rules/rules.h"

/* What the command line says about configuration. Unset = not given. */
struct config_request {
    struct str
        config_path; /* --config FILE: then no client files or SDK variables unless client is set */
    struct str client;         /* --client NAME: only this reader */
    struct str model;          /* --model M */
    struct str timeout, proxy; /* as given; only for `origin` of settings */
    struct str home;           /* for ~ in shown paths */
};

/* One effective setting, as `diagnose config` lists it; secrets appear as their fingerprint only.
 */
struct setting {
    struct str client, key, value, layer; /* layer: "option", "env", "user file", "default" */
    struct str origin;
    const struct str *shadows; /* "VALUE (ORIGIN)" of hidden values, nearest first */
    size_t shadow_count;
};

/* All that is configured here. */
struct config {
    struct target *targets; /* chains in order: a primary, then its fallbacks */
    size_t target_count;
    struct config_file *files; /* every file that was looked for */
    size_t file_count;
    struct problems problems; /* that belong to no single target */
    struct setting *settings;
    size_t setting_count, setting_capacity;
    const struct str *looked; /* places looked at, for "nothing is configured" */
    size_t looked_count;
    int64_t timeout_ms; /* from [defaults], -1 = not said */
};

/* Reads everything. Fails (ERR_FILE, ERR_PARSE) only when the file that --config names cannot be
 * read or has an error; anything else wrong is a problem in *config and the rest goes on. */
enum err_code config_load(struct arena *arena, const struct env *env, const struct rules *rules,
                          const struct config_request *request, struct config *config,
                          struct err *err);

#endif
