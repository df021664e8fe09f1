#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include "base/env.h"
#include "base/str_set.h"
#include "core/verdict.h"
#include "rules/rules.h"

/* What the command line says about configuration. Unset = not given. */
struct config_request {
    struct str
        config_path; /* --config FILE: then no client files or SDK variables unless client is set */
    struct str client;         /* --client NAME: only this reader (and the file of --config) */
    struct str model;          /* --model M */
    struct str timeout, proxy; /* as given; proxy stands over what files say of a target */
    struct str home;           /* for ~ in shown paths; unset = the variable HOME */
    struct str directory;      /* -C DIR, where project files are looked for; unset = "." */
    const struct str *command; /* words of a command line of the client, behind its name */
    size_t command_count;
    struct str profile;           /* --profile NAME, for clients that have profiles */
    struct str client_version;    /* --client-version V; unset = ask the program, else the newest */
    struct str system_directory;  /* of system-wide settings; unset = "/etc" */
    bool wants_remarks;           /* tell also what hides what, which key is sent, and so on */
    struct str process_directory; /* "/proc", to look for running clients; unset = do not look */
    bool wants_settings;          /* every key of the files in config->settings; without it those
                                     that only `diagnose config` lists may be missing */
    bool wants_unread;            /* and those that have no effect */
    bool wants_all_keys;          /* the usual variables of all providers' keys as well */
    /* Gives what `program --version` prints, or unset; NULL = no program is ever run. */
    struct str (*ask_version)(void *context, struct arena *arena, struct str program);
    void *ask_context;
};

/* One effective setting, as `diagnose config` lists it; secrets appear as their fingerprint only.
 */
struct setting {
    struct str client, key, value, layer; /* layer: "option", "env", "user file", "default" */
    struct str origin;
    const struct str *shadows; /* "VALUE (ORIGIN)" of hidden values, nearest first */
    size_t shadow_count;
    bool is_unread; /* it is there and has no effect: listed on request only */
};

/* All that is configured here. */
struct config {
    struct target *targets; /* chains in order: a primary, then its fallbacks */
    size_t target_count, target_capacity;
    struct config_file *files; /* every file that was looked for */
    size_t file_count, file_capacity;
    struct problems problems; /* that belong to no single target */
    struct setting *settings;
    size_t setting_count, setting_capacity;
    const struct str *looked; /* places looked at, for "nothing is configured" */
    size_t looked_count, looked_capacity;
    struct secret *secrets; /* what no output may hold: keys, and secret values of headers, proxies
                               and URLs; for struct mask */
    size_t secret_count, secret_capacity;
    struct str_set secret_set, name_set; /* of secrets and targets, for add.c */
    int64_t timeout_ms;                  /* from [defaults], -1 = not said */
    int64_t keep_days; /* of the history; 0 = for ever, and where our own file was not looked at */
};

/* Reads everything. Fails (ERR_FILE, ERR_PARSE) only when the file that --config names cannot be
 * read or is no TOML; *config then still holds what could be read, with every such problem.
 * Anything else wrong is a problem in *config or in a target, and the rest goes on. */
enum err_code config_load(struct arena *arena, const struct env *env, const struct rules *rules,
                          const struct config_request *request, struct config *config,
                          struct err *err);

/* Adds the keys of the environment to config->secrets: the value of every variable that
 * providers.toml names, whether a request is sent with it or not. config_load does so too; for
 * commands that load no configuration, from a config of {0}. */
void config_add_environment_secrets(struct arena *arena, const struct env *env,
                                    const struct rules *rules, struct config *config);

/* The clients that --client may name, in the order in which they are read. */
size_t config_client_count(void);
struct str config_client_at(size_t index);
bool config_client_exists(struct str client);

#endif
