#ifndef CONFIG_CODEX_H
#define CONFIG_CODEX_H

#include "config/draft.h"
#include "config/key_table.h"
#include "config/overlay.h"
#include "config/stack.h"

/* The parts of the reader of Codex's settings: codex.c finds version and home, codex_line.c takes
 * the command line apart and codex_command.c says what it means, codex_file.c opens the files and
 * codex_trust.c those of projects, codex_login.c reads auth.json, codex_admin.c what is demanded
 * of them, codex_profile.c chooses the view; codex_provider.c with codex_credential.c,
 * codex_header.c and codex_route.c drafts a request of that view; codex_target.c makes targets of
 * drafts and codex_settings.c their rows. What differs by version is in rules/clients/codex.toml.
 */

#define CODEX STR("codex")
#define PROVIDERS STR("model_providers") /* the table of a user's own */

/* What auth.json and the store of credentials hold. */
enum login_kind {
    LOGIN_NONE,
    LOGIN_KEY,
    LOGIN_TOKENS,
    LOGIN_UNREADABLE, /* in the system's keyring */
    LOGIN_EXCHANGED,  /* a token that Codex itself trades for the credential that it sends */
    LOGIN_EMPTY, /* the file holds no credential that Codex finds, and counts as a ChatGPT login */
    LOGIN_BROKEN /* the file cannot be read, or should hold a key and does not */
};
struct codex_login {
    enum login_kind kind;
    struct value credential; /* key or access token */
    struct str path;         /* of auth.json, as it is shown */
    struct str account_id;
    bool has_refresh_token, has_expiry;
    bool is_ephemeral; /* kept in memory by the Codex that runs: the file does not count */
    int64_t expires_s;
};

/* One way to start Codex: the files in force, and the profile chosen. */
struct codex_view {
    struct stack stack;
    struct str profile; /* whose [profiles.NAME] is in force, or unset */
};

/* What the command line says; texts are unset where it says nothing. */
struct codex_command {
    struct value model, profile, oss_provider;
    struct value lost_model; /* that this version forgets */
    struct str directory;
    struct stack overrides; /* a layer for each -c, in order */
    bool is_oss, leaves_out_user, trusts;
    struct problems problems;
};

/* Profiles besides the view's own, with the provider that each asks. */
#define PROFILES_MAX 50
struct codex_profiles {
    struct str names[PROFILES_MAX], providers[PROFILES_MAX];
    size_t count;
};

struct codex {
    struct arena *arena;
    const struct env *env; /* of the shell */
    const struct rules *rules;
    const struct config_request *request;
    struct config *config;
    const struct client *client;
    struct value version;
    struct str user_home, home; /* home: CODEX_HOME or ~/.codex */
    bool is_home_moved;         /* by CODEX_HOME */
    struct mask mask;
    const struct str *plain_keys;
    size_t plain_key_count;
    struct key_check check;
    struct overlay overlay;
    struct codex_login login;
    struct codex_command command;
    struct layer *system, *user, *managed; /* NULL = not there */
    struct layer *requirements;            /* no settings: what may not be set */
    struct stack projects;                 /* trusted ones, the outermost first */
    struct str chosen_profile;             /* that is a table */
    struct codex_profiles profiles;
    bool has_files; /* something of Codex's is there */
};

/* How this version behaves; NULL when it does not. */
const struct client_behaviour *codex_behaviour(const struct codex *codex, struct str name);
struct str codex_behaviour_value(const struct codex *codex, struct str name);
/* The variable that a behaviour of this version names, with its value. */
struct value codex_variable(const struct codex *codex, struct str behaviour);
/* "default: Codex 0.171.0". */
struct origin codex_default_origin(const struct codex *codex);

/* A path as it is shown: from ~ on, and without a key that somebody took for a name. */
struct str codex_path(struct codex *codex, struct str path);
/* A name of the user's for messages, bounded and masked, without quotes around it. */
struct str codex_name(struct codex *codex, struct str name);

/* Reads the command line and fills codex->command; what it says wrong is among its problems. */
void codex_read_command(struct codex *codex);

/* Opens and checks one file of settings; NULL when it is not there. A file of a project that is
 * denied keys has them named and left out. */
struct layer *codex_open(struct codex *codex, struct str path, struct str label,
                         const struct client_behaviour *denies);
/* The same with a table of keys of its own. */
struct layer *codex_open_checked(struct codex *codex, const struct key_check *check,
                                 struct str path, struct str label);
/* Opens the file of what may be set; no layer of settings. */
void codex_open_requirements(struct codex *codex, struct str path);
/* False when Codex does not start with its login, which these files forbid; adds why. */
bool codex_check_login(struct codex *codex, const struct codex_view *view,
                       struct problems *problems);
/* Opens $CODEX_HOME/.env, the files of the system, the user and the manager. */
void codex_open_files(struct codex *codex);
/* Finds project files from the root of the project down to the working directory, opens those that
 * are trusted, and says of the others why they are not in force. */
void codex_open_projects(struct codex *codex);
/* Reads auth.json. */
void codex_read_login(struct codex *codex);

/* The view without a profile file, or with one (may be NULL) in its place. */
struct codex_view codex_view_of(struct codex *codex, struct layer *profile_file,
                                struct str profile);

/* A string of the view: the profile's over the rest. */
struct value codex_string(const struct codex *codex, const struct codex_view *view, struct str key);

/* A string of a provider's table, when this version reads that key. */
struct value codex_provider_string(const struct codex *codex, const struct codex_view *view,
                                   struct str id, struct str key);

/* Chooses the view that a plain start of Codex has: the profile of --profile or of the files. What
 * is wrong with that choice is added to *problems. */
struct codex_view codex_choose_view(struct codex *codex, struct problems *problems);

/* Names of the files NAME.config.toml in CODEX_HOME, in order. Gives their number. */
size_t codex_list_profiles(struct codex *codex, struct str names[PROFILES_MAX]);

/* Adds what is there and chosen by nothing: profiles, providers, the built-in provider's address.
 * Profiles are known by then. */
void codex_check_unused(struct codex *codex, const struct codex_view *view,
                        const struct value *provider);

/* Adds a problem for each running Codex of this user that was started before the files of the view
 * were changed, where the request says to look. */
void codex_check_running(struct codex *codex, const struct codex_view *view);

/* Fills a draft from the view for the provider `id`: address, wire, headers, query, credential. */
void codex_find_provider(struct codex *codex, const struct codex_view *view, struct value id,
                         struct draft *draft);
/* The credential part of it. builtin is NULL for a provider of the user's. */
void codex_find_credential(struct codex *codex, const struct codex_view *view, struct str id,
                           const struct client_provider *builtin, struct draft *draft);
/* The headers part of it; after the credential. */
void codex_find_headers(struct codex *codex, const struct codex_view *view, struct str id,
                        const struct client_provider *builtin, struct draft *draft);
/* Proxy and certificates, as far as Codex takes them from elsewhere than every program here. */
void codex_find_route(struct codex *codex, struct draft *draft);
/* Adds an error that makes requests of this draft impossible. */
struct problem *codex_refuse(struct codex *codex, struct draft *draft, struct origin origin,
                             struct str code, struct str message);

/* One target with what its rows need. */
struct codex_target {
    struct draft draft;
    struct target target;
    struct value provider; /* model_provider */
    struct str prefix;     /* of its rows: "", "review." */
};
/* Codex puts the path behind everything that base_url holds, a query too: then the request is
 * another one. params: the query of query_params. */
void codex_follow_query(struct codex *codex, struct codex_target *item, struct str params);
void codex_add_targets(struct codex *codex);
/* Adds the rows of one target of a view with these files. */
void codex_add_settings(struct codex *codex, const struct codex_target *item,
                        const struct stack *stack);
/* Adds a row for every other key of the view's files. */
void codex_add_other_settings(struct codex *codex, const struct codex_view *view);
/* Puts the kind of file in place of "user file" in rows from index `from` on. */
void codex_name_layers(struct codex *codex, const struct stack *stack, size_t from);

#endif
