#ifndef RULES_CLIENT_H
#define RULES_CLIENT_H

#include "rules/rules.h"

/* What is known of clients that read settings of their own: which keys each version reads, and how
 * versions differ. Everything here is data of rules/clients/. */

/* From `since` on and before `until`; an unset end is open. */
struct version_range {
    struct str since, until;
};

/* Orders "0.40.0", "0.104.0", "0.171.0-alpha.2" by their numbers; what stands behind the third
 * number does not count. Less than 0, 0 or more. */
int version_compare(struct str a, struct str b);
bool version_is_in(struct str version, struct version_range range);
/* The first "N.N.N" in a text such as "codex-cli 0.171.0"; unset when there is none. */
struct str version_find(struct str text);

/* What a key may hold; client_key.def is the list. */
enum key_shape {
#define SHAPE(id, name, expected) SHAPE_##id,
#include "rules/client_key.def"
#undef SHAPE
    SHAPE_COUNT
};
bool key_shape_from_name(struct str name, enum key_shape *shape);
/* "a string in quotes", for messages. */
struct str key_shape_expected(enum key_shape shape);

#define CLIENT_KEY_PARTS_MAX 4

/* One key of a client's settings for a range of versions. A key may have several rows with ranges
 * that do not overlap. */
struct client_key {
    struct str client, path; /* "model_providers.*.env_key"; "*" stands for any one name */
    struct str parts[CLIENT_KEY_PARTS_MAX]; /* of the path */
    size_t part_count;
    enum key_shape shape;
    struct version_range range;
    const struct str *values; /* that a string may have; count 0 = any */
    size_t value_count;
    struct str instead; /* what to write in place of a wrong value or an unread key, or unset */
    struct str meant;   /* key of the top level that people mean by it, or unset */
    struct str skip;    /* why nothing can be sent where this key is set, or unset */
    struct phrase note; /* what a probe does not prove where this key is true, or unset */
    bool is_required;   /* in each table that it belongs to */
    bool is_filled;     /* may not be empty */
    bool is_secret;     /* may hold a secret: lines with it are not shown */
    bool is_unread;     /* people write it, and no version reads it */
    bool is_fallback;   /* a list of models that people expect to be tried in turn */
    struct origin origin;
};

/* The keys of all clients, in the order of the table. */
size_t rules_client_key_count(const struct rules *rules);
const struct client_key *rules_client_key_at(const struct rules *rules, size_t index);

/* How a client behaves in a range of versions: a name that its reader asks for, with a value. */
struct client_behaviour {
    struct str client, name;
    struct version_range range;
    struct str value;
    const struct str *values; /* where it is a list */
    size_t value_count;
};
/* NULL when that version does not behave so. */
const struct client_behaviour *rules_client_behaviour(const struct rules *rules, struct str client,
                                                      struct str name, struct str version);

/* A provider that is built into a client. */
enum provider_override {
    OVERRIDE_ALLOWED, /* a table of the user's with this id takes its place */
    OVERRIDE_IGNORED, /* the table is there and has no effect */
    OVERRIDE_REFUSED  /* the client does not start */
};
struct client_provider {
    struct str client, id;
    struct version_range range;
    struct str base_url, wire;
    enum provider_override override;
    bool has_login;                   /* the client's own login goes to it */
    struct str url_key;               /* key of the settings that moves it, or unset */
    struct str url_env;               /* variable that does, or unset */
    struct str port_env;              /* variable with the port of a local server, or unset */
    const struct header *env_headers; /* name of the header (lower case), variable */
    size_t env_header_count;
    struct str skip_reason; /* it cannot be probed, and why */
    struct phrase note;     /* what a probe of it does not prove, or unset */
};
const struct client_provider *rules_client_provider(const struct rules *rules, struct str client,
                                                    struct str id, struct str version);
size_t rules_client_provider_count(const struct rules *rules);
const struct client_provider *rules_client_provider_at(const struct rules *rules, size_t index);

/* How a client is run so that all that it sends goes to a recorder: by means of its own, in a copy
 * of its own directory. In values {recorder} stands for http://HOST:PORT, {base} for the same with
 * the path of the base URL in force, and {home} for that copy. */
struct client_run {
    struct str client;
    struct version_range range;
    struct str program;          /* or unset: the variables are for any program */
    const struct str *arguments; /* of a run that asks for one short answer */
    size_t argument_count;
    struct str home, home_variable; /* its directory under HOME, and the variable that moves it */
    const struct str *copies; /* files of it; one "*" stands for any name. Of *.toml and *.json */
    size_t copy_count;
    const struct str *drops; /* keys that a copy leaves out: other programs, other hosts */
    size_t drop_count;
    const struct str *paths; /* keys with paths that start at the directory */
    size_t path_count;
    struct str dotenv;         /* file of it with variables */
    struct str variables_key;  /* table of variables in its settings: "env"; the copies lack it */
    struct str profile_option; /* before the name of a profile: "--profile" */
    struct str option;         /* before NAME=VALUE of a setting on its command line: "-c" */
    struct str providers;      /* the table of the user's own providers: "model_providers" */
    struct str url_key;        /* in each of them: "base_url" */
    const struct header *settings; /* further settings of the command line: name, TOML value */
    size_t setting_count;
    const struct header *login_settings; /* where it sends a login that is no plain key */
    size_t login_setting_count;
    struct phrase login_note;  /* what is not seen then, or unset */
    const struct header *urls; /* variables of base URLs, with the path that is usual there */
    size_t url_count;
    const struct header *variables; /* further variables */
    size_t variable_count;
    const struct str *unset; /* variables that lead elsewhere */
    size_t unset_count;
};
size_t rules_client_run_count(const struct rules *rules);
const struct client_run *rules_client_run_at(const struct rules *rules, size_t index);

/* What the client itself prints for a diagnosis, word for word, or what to do there in its own
 * words. Unset version = the newest. */
struct client_says {
    struct str client;
    const struct str *diagnoses;
    size_t diagnosis_count;
    struct version_range range;
    struct str text;        /* or unset */
    struct phrases actions; /* may be none */
    bool is_last;           /* they stand behind those of the diagnosis, not before */
};
struct str rules_client_says(const struct rules *rules, struct str client, struct str diagnosis,
                             struct str version);
size_t rules_client_says_count(const struct rules *rules);
const struct client_says *rules_client_says_at(const struct rules *rules, size_t index);
const struct client_says *rules_client_actions(const struct rules *rules, struct str client,
                                               struct str diagnosis, struct str version);

#endif
