#ifndef TRIAGE_FILL_H
#define TRIAGE_FILL_H

#include "core/verdict.h"
#include "rules/rules.h"

/* What the placeholders of a text stand for.
 * Of the target: {model} {name} {host} {port} {root_url} (scheme, host and port) {base_url}
 * {model_origin} {base_url_origin} (where the user set them) {provider} {client} {key_name}
 * {key_variable} {key_file} {key_fingerprint} {key_proof_url} {key_page} {status_page} {ca_file}
 * {ca_origin}. Of the way there: {proxy} {proxy_origin} {address}, and of the certificate {issuer}
 * {names} {not_before} {not_after} {tls_version}. Of the answer: {wait} {reset} {reset_over}
 * {request_id}. Of a config problem: {origin} {suggestion}. Of the target that answers now:
 * {other_model} {other_name} {switch}. Anything else, {limit} {region} ..., is the capture of that
 * name. Nothing is owned here and every pointer may be NULL. */
struct fill {
    const struct rules *rules;
    enum lang lang;
    const struct result *result;   /* the failed target */
    const struct finding *finding; /* why it failed */
    const struct result *other;    /* answers now */
    const struct capture *facts;   /* further values, of the record */
    size_t fact_count;
};

/* Puts the values into one text. False (and *out unset) when a placeholder has no value. Values are
 * fit to be shown, bounded, and hold no character that a shell would act upon, since lines are made
 * to be pasted. A brace that opens no placeholder stays as it is; ${key_name} gives
 * $OPENAI_API_KEY. */
bool fill_text(struct arena *arena, const struct fill *fill, struct str text, struct str *out);

/* What the finding means and what to do about it: the rule's own words where it has some (and, for
 * the meaning, all its values are known), else the diagnosis's. */
const struct phrase *fill_meaning_of(struct arena *arena, const struct fill *fill);
const struct phrases *fill_actions_of(const struct fill *fill);
/* The rule that decided says in general what its diagnosis does: it has no meaning of its own. */
bool fill_has_general_meaning(const struct fill *fill);

/* Fills all lines of the language; lines without a value are left out, and a line with {switch}
 * becomes one line for each way in which the client can be switched. *count may end as 0. */
const struct str *fill_lines(struct arena *arena, const struct fill *fill,
                             const struct phrases *phrases, size_t *count);

/* The same with what the client adds to that diagnosis in its own words, before or behind them. */
const struct str *fill_advice(struct arena *arena, const struct fill *fill,
                              const struct phrases *phrases, struct str diagnosis, size_t *count);

/* "1.5 s", "30 s", "2 min", "3 h" in the language. */
struct str fill_duration(struct arena *arena, enum lang lang, int64_t duration_ms);

/* "2026-12-01 15:45 UTC+1", by that offset. */
struct str fill_moment(struct arena *arena, int64_t moment_ms, int64_t utc_offset_s);

/* The moment that the finding names is over, by the clock of who reads it. */
bool fill_is_over(const struct finding *finding);

/* That moment, with the time until then in the language where it is that of the reader:
 * "2026-12-01 15:45 UTC (in 19 h)". */
struct str fill_reset(struct arena *arena, enum lang lang, const struct finding *finding);

#endif
