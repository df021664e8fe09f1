#ifndef RULES_RULES_H
#define RULES_RULES_H

#include "base/err.h"
#include "core/diagnosis.h"
#include "core/field.h"
#include "core/observation.h"
#include "core/problem.h"

/* Everything that is data: diagnoses, quick-reference rows, providers, clients and rules, embedded
 * in the binary from rules/, with the user's rules.d before the built-in rules. Read-only after
 * rules_open and free of regex machinery: patterns are text here, classify compiles them. */
struct rules;

/* One tested field of a rule: the rule matches only when one value of the field matches the pattern
 * (PCRE2, caseless, UTF, dot does not match a newline). Named groups become captures; the name
 * "wait" is also read as a time to wait. */
struct condition {
    enum field field;       /* FIELD_COUNT when header_name is set */
    struct str header_name; /* "retry-after": the field header.retry-after */
    struct str pattern;
    struct origin origin;
    struct str file_text; /* that origin is a place in */
};

/* A problem with the pattern at one byte of it, with its line, column and line text. */
struct problem rules_pattern_problem(struct arena *arena, const struct condition *condition,
                                     size_t offset, struct str message);

/* One example of a rule: evidence, and for `no` examples the diagnosis that must win instead ("as";
 * unset = just not this rule). */
struct example {
    struct observation evidence; /* kind, provider, status, headers, body, curl_code, outcome ... */
    struct str as;
    struct origin origin;
};

struct rule {
    struct str id;
    const struct diagnosis *diagnosis;
    const struct str *keywords; /* lower case; count 0 = tried on any evidence with lifted fields */
    size_t keyword_count;
    const long *statuses; /* one of these, when given */
    size_t status_count;
    const struct condition *conditions; /* ANDed */
    size_t condition_count;
    struct str reason, source;
    /* In the place of the diagnosis's own, where this rule knows more; unset and empty otherwise.
     */
    struct phrase meaning;
    struct phrases actions;
    bool has_retryable, is_retryable; /* departs from the diagnosis row: `retryable = false` */
    const struct example *yes, *no;
    size_t yes_count, no_count;
    struct origin origin; /* of the block: file as "rules/20-proxy.toml" or the user's path */
    bool is_users;
};

/* Where a JSON answer holds a value: a JSON pointer (RFC 6901) in which "*" stands for every
 * element of a list. Unset = nowhere. */
struct free_places {
    struct str holds;  /* is there in every proper answer: without it the answer proves nothing */
    struct str models; /* ids that the key sees */
    struct str more;   /* true or a token: the list goes on on another page */
    struct str permissions; /* scopes and roles of the key */
    struct str left, limit; /* allowance or balance, and what it was at first */
    struct str unit;        /* currency of `left` */
    struct str expires;     /* of the key: RFC 3339, or seconds since 1970 */
    /* True says that it is switched off; behind "!" it is false that says so. */
    const struct str *key_off, *account_off, *balance_off;
    size_t key_off_count, account_off_count, balance_off_count;
};

/* A free GET that tells something of a key. */
struct free_request {
    struct str path;   /* appended to the base URL: "/models" */
    bool is_from_root; /* appended to scheme, host and port instead */
    struct str query;
    struct str auth_header, auth_prefix; /* in place of the target's own when set */
    bool proves_key;                     /* only a good key passes */
    struct str id_prefix;                /* taken off the ids of models: "models/" */
    struct str unit;                     /* of `left`, where the answer does not say it: "USD" */
    struct free_places places;
    struct str source; /* where the answer is documented */
};

struct provider {
    struct str id, name;
    const struct str *hosts; /* host names and ".suffix" forms that belong to it */
    size_t host_count;
    struct str base_url; /* default, as the vendor's own SDK takes it; unset where it is the user's
                            (Azure) */
    const struct str *wires; /* that it speaks; the first is the default */
    size_t wire_count;
    struct str auth_header, auth_prefix;
    const struct header *headers; /* always sent: anthropic-version */
    size_t header_count;
    struct str query; /* "api-version=..." */
    const struct str *key_prefixes;
    size_t key_prefix_count;
    size_t key_min_length;
    struct str key_env;                         /* usual variable */
    struct str cheap_model, cheap_model_source; /* documented small model, and where that is said */
    const struct str *key_shapes;               /* whole keys, see base/shape.h */
    size_t key_shape_count;
    const struct str *key_envs; /* further variables that hold its key */
    size_t key_env_count;
    const struct free_request *free; /* that it answers for free; those that prove a key first */
    size_t free_count;
    const struct str *limits; /* headers with what is allowed and left: "x-ratelimit-{}-requests",
                                 where {} is "limit" or "remaining" */
    size_t limit_count;
    struct str key_page, status_page; /* where keys are made, and where outages are told */
    const struct str *sources;        /* where all this is documented */
    size_t source_count;
    bool is_key_optional; /* local servers */
};

/* The free request that proves a key of this provider; NULL when there is none. */
const struct free_request *provider_proof(const struct provider *provider);

/* A program that sends requests, and how its user makes it ask another model. */
struct client {
    struct str id;
    struct phrase name;
    /* "pass model=\"{other_model}\" in the call": the ways to switch, each a line where an action
     * has {switch}. {model} is then the model that fails; in a way without {other_model} it is the
     * one to switch to. */
    struct phrases switch_actions;
    const struct str *programs; /* that it runs as: "codex", "codex.js" */
    size_t program_count;
    const struct str *marks; /* that only its own errors and files hold: "openai.RateLimitError" */
    size_t mark_count;
    bool is_library; /* others are built on it: where their marks stand, too, they are meant */
    struct str auth; /* provider whose way of sending keys it has everywhere, or unset */
    const struct str
        *versions; /* that are known, the oldest first; count 0 = makes no difference */
    size_t version_count;
};

/* threshold.def is the list. */
enum threshold {
#define THRESHOLD(id, name, fallback) THRESHOLD_##id,
#include "rules/threshold.def"
#undef THRESHOLD
    THRESHOLD_COUNT
};

/* The words of a row of the quick-reference table. When it holds is code in triage/rows.c, found by
 * the id, and the numbers in `when`. */
struct verdict_row {
    struct str id;
    enum severity severity;
    int64_t when[THRESHOLD_COUNT];
    struct phrase title, why;
    struct phrases rests_on; /* sentences about the record, behind why */
    struct phrases actions, avoid;
    struct phrase recovered_title; /* of a model that answers again */
    struct phrases recovered_actions;
};

/* Opens the table. user_dir: directory of *.toml rule files read in order of name, unset = none;
 * missing is fine. Problems in rule files (with file:line:col) are added to *problems; a broken
 * user rule is left out, the rest works. Fails with ERR_PARSE only when the embedded data itself is
 * broken. Free with rules_close. */
enum err_code rules_open(struct str user_dir, struct problems *problems,
                         struct arena *problem_arena, struct rules **rules, struct err *err);
/* The same without the examples of built-in rules, and at hardly any cost but that of the user's
 * files: the rows were made when the program was built. For all but the test and the display of
 * rules. */
enum err_code rules_open_brief(struct str user_dir, struct problems *problems,
                               struct arena *problem_arena, struct rules **rules, struct err *err);
/* The same over given texts instead of the embedded ones, for tests and fuzzing. Texts that are not
 * the user's must live as long as the table. */
struct rules_text {
    struct str file, text;
    bool is_users;
};
enum err_code rules_open_texts(const struct rules_text *texts, size_t count,
                               struct problems *problems, struct arena *problem_arena,
                               struct rules **rules, struct err *err);
void rules_close(struct rules *rules);

/* Rows are found by their id, or one after the other with _count and _at; NULL where there is none.
 */

/* Rules in the order in which they are tried. */
size_t rules_count(const struct rules *rules);
const struct rule *rules_at(const struct rules *rules, size_t index);
const struct rule *rules_find(const struct rules *rules, struct str id);
/* How many rules at the end were built in: the same rows in every run of this program. */
size_t rules_built_count(const struct rules *rules);

/* NULL when no row has that id. */
const struct diagnosis *rules_diagnosis(const struct rules *rules, struct str id);
size_t rules_diagnosis_count(const struct rules *rules);
const struct diagnosis *rules_diagnosis_at(const struct rules *rules, size_t index);
/* The rows that everything falls back upon; exist in every table that rules_open accepts. */
const struct diagnosis *rules_ok(const struct rules *rules);
const struct diagnosis *rules_unknown(const struct rules *rules);

/* By id, or by a host that is one of its own; NULL when there is none. */
const struct provider *rules_provider(const struct rules *rules, struct str id);
const struct provider *rules_provider_of_host(const struct rules *rules, struct str host);
/* The first one with an address of its own that speaks the wire: the API's inventor stands first.
 */
const struct provider *rules_provider_of_wire(const struct rules *rules, struct str wire);
size_t rules_provider_count(const struct rules *rules);
const struct provider *rules_provider_at(const struct rules *rules, size_t index);
/* All key prefixes of all providers, for struct mask; lives as long as the table. */
const struct str *rules_key_prefixes(const struct rules *rules, size_t *count);

/* Likewise the shapes of whole keys that no prefix gives away and that nothing else looks like:
 * those with a letter of their own in the middle. */
const struct str *rules_key_shapes(const struct rules *rules, size_t *count);

/* By id; NULL when there is none. */
const struct client *rules_client(const struct rules *rules, struct str id);
size_t rules_client_count(const struct rules *rules);
const struct client *rules_client_at(const struct rules *rules, size_t index);
/* The client whose marks a text holds; NULL when there are none. */
const struct client *rules_client_of_text(const struct rules *rules, struct str text);
/* The client that runs as a program of that name, a path before it or not. */
const struct client *rules_client_of_program(const struct rules *rules, struct str program);
const struct verdict_row *rules_verdict_row(const struct rules *rules, struct str id);
size_t rules_verdict_row_count(const struct rules *rules);
const struct verdict_row *rules_verdict_row_at(const struct rules *rules, size_t index);

#endif
