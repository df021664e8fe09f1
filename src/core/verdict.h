#ifndef CORE_VERDICT_H
#define CORE_VERDICT_H

#include "core/finding.h"
#include "core/record.h"

enum target_status { TARGET_OK, TARGET_FAILED, TARGET_SKIPPED };
/* As reports spell it. */
struct str target_status_name(enum target_status status);

/* One model on its way from a file to an answer. Texts are unset where nothing is known. */
struct truth {
    struct value asked;     /* as the user wrote it, with the place */
    struct value effective; /* after layers and environment; unset = no client asks it */
    struct str sent;        /* in the request; unset = none was sent */
    struct str answered;    /* model that the answer names */
    bool is_same;           /* asked = effective, and what answered is that model, perhaps with a
                               date behind it */
};

/* A target with what became of it. finding is NULL for skipped targets. */
struct result {
    const struct target *target;
    const struct observation
        *observation; /* shared by targets that are the same on the wire; NULL = not probed */
    const struct finding
        *finding; /* what decides: the probe's, or the config problem that prevented it */
    const struct finding *config_findings; /* of target->problems, in order */
    size_t config_finding_count;
    const struct finding *key_proof; /* of the free request that followed, or NULL */
    const struct truth *truth;       /* of verify; else NULL */
    enum target_status status;
    struct rung ladder[STEP_COUNT];
};

/* How far a problem reaches among the configured targets. */
enum scope { SCOPE_MODEL, SCOPE_KEY, SCOPE_PROVIDER, SCOPE_NETWORK, SCOPE_EVERYTHING };
struct str scope_name(enum scope scope);

/* A number a verdict rests on: {"capacity_failures", 2}. */
struct basis {
    struct str name;
    int64_t number;
};

/* One distinct problem and what to do about it. All text is in the language of the run,
 * placeholders filled, ready to show (bounded, no control characters). */
struct verdict {
    struct str id;                     /* quick-reference row, or the diagnosis id */
    const struct diagnosis *diagnosis; /* what it is about */
    const struct result **results;     /* targets it covers */
    size_t result_count;
    const struct finding *finding; /* the one shown as evidence */
    enum scope scope;
    enum severity severity;
    struct str title;        /* "gpt-x is at capacity" */
    struct str why;          /* meaning, and what proves that the rest is fine */
    struct str client, says; /* what the client prints for this, word for word; or unset */
    struct str seen;         /* "HTTP 503, error.code "server_is_overloaded"" */
    struct str origin;       /* file:line:col or unset */
    const struct str *actions, *avoid;
    size_t action_count, avoid_count;
    const struct basis *basis;
    size_t basis_count;
};

enum config_file_status { CONFIG_LOADED, CONFIG_MISSING, CONFIG_IGNORED, CONFIG_BROKEN };
/* As reports spell it. */
struct str config_file_status_name(enum config_file_status status);

/* A configuration file that was looked for. */
struct config_file {
    struct str path;
    enum config_file_status status;
    struct str reason; /* or unset */
};

enum key_status { KEY_OK, KEY_FAILED, KEY_UNPROVEN };
/* As reports spell it. */
struct str key_status_name(enum key_status status);

/* A model that somebody configured with a key. */
struct key_model {
    const struct target *target; /* the first one that asks for it */
    bool is_listing_known;       /* the endpoint has a list of models, and it was read to its end */
    bool is_listed;
    struct str nearest;        /* the listed name that is nearest to one that is not, or unset */
    const struct result *live; /* of a generation; NULL = none was asked for */
};

/* One distinct pair of endpoint and key, as free requests proved it. Numbers that nobody told are
 * -1. */
struct key_row {
    struct str label;       /* how the report calls it: "OPENAI_API_KEY at api.openai.com" */
    struct str endpoint;    /* base URL, without credentials; unset = it is not known */
    struct str provider;    /* id of its block, or unset */
    struct str name;        /* variable or file that holds the key, or the place it was said */
    struct str source;      /* origin_text of the key */
    struct str fingerprint; /* unset = no key */
    const struct target **targets; /* that use the pair, primaries first; never empty */
    size_t target_count;
    enum key_status status;
    const struct observation *observation; /* the deciding answer; NULL = nothing was sent */
    const struct finding *finding;         /* what decides; NULL unless KEY_FAILED */
    struct str unproven_why;               /* for KEY_UNPROVEN, one sentence */
    const struct finding *warnings; /* odd settings, unlisted models, low headroom, near expiry:
                                       none changes the exit code unless strict */
    size_t warning_count;
    const struct str *permissions; /* scopes and roles that the answer shows */
    size_t permission_count;
    const struct key_model *models; /* that are configured with it, in the order of the targets */
    size_t configured_count;        /* of models */
    int64_t model_count;            /* models that the key sees */
    int64_t headroom_permille;      /* what is left of the tightest limit */
    struct str headroom_of;         /* which limit that is: a header's name, or "balance" */
    struct str balance;             /* "110.00 CNY", or unset */
    int64_t key_expires_ms, certificate_expires_ms; /* wall clock */
    unsigned tries;                                 /* times that its proof was sent */
    const struct result *result; /* the same as a result: its ladder, all findings */
};

/* What a script expects of the settings: `verify --expect key=want`. have is unset where it could
 * not be observed. */
struct expectation {
    struct str key, want, have;
    bool holds;
};

/* What became of a change. */
enum effect { EFFECT_TAKEN, EFFECT_NOT_TAKEN, EFFECT_UNPROVEN };

/* One difference between this verify and the last one before it. */
struct change {
    struct str target; /* its name now */
    struct str key;    /* model, effective_model, served_model, provider, host */
    struct str from, to;
    enum effect effect;
};

/* All that a report shows of one run: the end of the street. */
struct report {
    struct str command; /* "probe", "classify", "demo" ... */
    struct str version;
    enum lang lang;
    int64_t started_ms, duration_ms;
    size_t request_count, token_bound; /* requests sent, upper bound of output tokens asked for */
    const struct config_file *files;
    size_t file_count;
    const struct finding *config_findings; /* that belong to no target */
    size_t config_finding_count;
    const struct result *results;
    size_t result_count;
    bool is_of_keys; /* of check: keys stand in the place of results */
    const struct key_row *keys;
    size_t key_count;
    bool is_verified; /* results have truths, and there is a list of expectations */
    const struct expectation *expectations;
    size_t expectation_count;
    bool is_compared;         /* with the last verify on record */
    int64_t last_verified_ms; /* of that one, -1 = there is none */
    const struct change *changes;
    size_t change_count;
    const struct past *past; /* that it was judged by; NULL = none was looked at */
    const struct verdict *verdicts;
    size_t verdict_count;
    enum blame blame;
    int exit_code;             /* EXIT STATUS of diagnose(1) */
    struct str summary;        /* one sentence */
    const struct str *fail_on; /* --fail-on: what counts for the exit code; count 0 = everything */
    size_t fail_on_count;
    const struct mask *mask; /* what no format may show; NULL = nothing is known */
};

#endif
