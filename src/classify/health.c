/* Evidence that no rule explains. Takes what was laid open, says whether it is fine: an answer, or
 * nothing that shows a sign of a failure. */
#include "classify/evidence.h"

#include "classify/lift.h"
#include "classify/mention.h"

#define PAGE_BYTES_MIN 2500 /* of visible text */

/* A page with much to read is none that a server refuses a request with. */
static bool is_to_read(const struct evidence *evidence)
{
    return evidence->observation->kind == OBSERVATION_TEXT && evidence->counts[FIELD_HTML_TEXT] &&
           evidence->counts[FIELD_STATUS] == 0 &&
           evidence->values[FIELD_HTML_TEXT][0].len >= PAGE_BYTES_MIN;
}

/* A client's or a server's error among the statuses. */
static bool has_failed_status(const struct evidence *evidence)
{
    for (size_t i = 0; i < evidence->counts[FIELD_STATUS]; i++) {
        if (evidence->values[FIELD_STATUS][i].ptr[0] >= '4') {
            return true;
        }
    }
    return false;
}

/* What programs note of their doings has codes in it as well. */
static bool is_noted(const struct evidence *evidence)
{
    return evidence->observation->kind == OBSERVATION_TEXT && !evidence->has_error &&
           !has_failed_status(evidence) && evidence->counts[FIELD_ERROR_MESSAGE] == 0 &&
           evidence->counts[FIELD_TEXT] && failure_is_ordinary(evidence->values[FIELD_TEXT][0]);
}

/* Counts of all that a server did, as monitoring fetches them: its failures are among them. */
static bool is_exposition(const struct observation *observation)
{
    static const struct str heads[] = {STR_INIT("# HELP "), STR_INIT("# TYPE ")};
    return observation->kind == OBSERVATION_HTTP && STARTS_ANY(observation->body, heads);
}

/* Feeds, lists of an object store and other XML: what a failure has, a code or a message, is none
 * of its elements. */
static bool is_xml_data(const struct observation *observation)
{
    static const struct str signs[] = {STR_INIT("<html"),  STR_INIT("error>"),
                                       STR_INIT("fault>"), STR_INIT("exception>"),
                                       STR_INIT("<code>"), STR_INIT("<message>")};
    struct str body = str_trim(observation->body);
    bool is_data = observation->kind == OBSERVATION_HTTP && str_starts(body, STR("<?xml"));
    for (size_t i = 0; is_data && i < sizeof(signs) / sizeof(signs[0]); i++) {
        is_data = str_ifind(body, signs[i]) < 0;
    }
    return is_data;
}

/* Whether a sentence tells that something failed; to have failures for a topic does not. */
static bool has_telling_sentence(struct str line)
{
    struct bigrams bigrams;
    bigrams_read(&bigrams, line);
    for (size_t at = 0, end; at < line.len; at = end) {
        end = mention_sentence_end(line, at);
        struct str sentence = str_trim(str_slice(line, at, end));
        if (failure_is_told(sentence) && failure_is_stated(sentence) &&
            !mention_is_topic(&bigrams, sentence)) {
            return true;
        }
    }
    return false;
}

static bool tells_failure(struct str text)
{
    bool is_told = failure_is_told(text), has_sentence = false;
    for (struct str rest = text, line; is_told && str_split(&rest, '\n', &line);) {
        has_sentence = has_sentence || has_telling_sentence(line);
    }
    return has_sentence;
}

/* The class that SDKs of LLM APIs raise when no answer came, whatever else they know of it. Behind
 * a level that says that nothing is wrong it is only spoken of. */
static bool names_client_failure(const struct evidence *evidence)
{
    static const struct str classes[] = {
        STR_INIT("APIConnectionError"), STR_INIT("Exception - Connection error"),
        STR_INIT("\"error\":\"Connection error"), STR_INIT("\"error\": \"Connection error")};
    struct str text = evidence->counts[FIELD_TEXT] ? evidence->values[FIELD_TEXT][0] : STR("");
    struct bigrams bigrams;
    bigrams_read(&bigrams, text);
    return !evidence->observation->is_ordinary && !evidence->observation->is_talk &&
           HAS_ANY(&bigrams, text, classes);
}

/* "Unknown exception while running the agent: APIConnectionError." of a long log, in which other
 * words of failures stand by chance. */
static bool reports_class(const struct evidence *evidence)
{
    return !evidence->observation->is_talk &&
           bigrams_find(&evidence->bigrams, evidence->values[FIELD_TEXT][0],
                        STR(": APIConnectionError")) >= 0;
}

bool evidence_looks_healthy(const struct evidence *evidence)
{
    const struct observation *observation = evidence->observation;
    if (observation->kind == OBSERVATION_CONFIG || observation->kind == OBSERVATION_TRANSPORT ||
        observation->curl_code != 0 || observation->outcome != OUTCOME_NONE) {
        return false;
    }
    if (observation->is_log) { /* prose of a log that no rule knows is a log's ordinary prose */
        return !observation->is_marked || ((!evidence->has_error || !evidence->has_lifted_fields) &&
                                           !names_client_failure(evidence));
    }
    if (observation->kind == OBSERVATION_TEXT && str_trim(observation->body).len == 0) {
        return false; /* nobody said that all is well */
    }
    if (evidence->is_answer) {
        return evidence->counts[FIELD_ERROR_REASON] == 0;
    }
    bool is_fine = (observation->status >= 200 && observation->status <= 299) ||
                   observation->status == 304; /* what the caller has is good still */
    bool is_data = is_fine && (is_exposition(observation) || is_xml_data(observation));
    if (is_to_read(evidence) || is_noted(evidence) || is_data) {
        return true;
    }
    if (evidence->has_lifted_fields || evidence->counts[FIELD_ERROR_MESSAGE] ||
        evidence->counts[FIELD_CURL_CODE] || evidence->counts[FIELD_HTML_TEXT] ||
        evidence->counts[FIELD_HTML_TITLE] || evidence->counts[FIELD_ANSWER]) {
        return false;
    }
    if (observation->kind == OBSERVATION_HTTP && !is_fine) {
        return false;
    }
    if (has_failed_status(evidence)) {
        return false;
    }
    return evidence->counts[FIELD_TEXT] == 0 ||
           !(tells_failure(evidence->values[FIELD_TEXT][0]) || reports_class(evidence)) ||
           (observation->kind == OBSERVATION_TEXT && mention_is_written(observation->body));
}
