/* Lays an observation open. Takes what a probe, a paste or a config check saw, gives the fields
 * that rules test, innermost value first; what a model wrote is not among them. */
#include "classify/evidence.h"

#include "base/buf.h"
#include "classify/clean.h"
#include "classify/lift.h"
#include "classify/respell.h"
#include "classify/wait.h"
#include "core/transport_name.h"

#include <string.h>

#define BYTES_MAX ((size_t)64 * 1024)  /* of one piece of evidence; the rest is cut off */
#define STAMP_BYTES_MAX ((size_t)4096) /* a log's line has its time at its front */
#define PLAIN_BYTES_MAX ((size_t)1024) /* of a refusal in plain words */
#define EVENTS_MIN 2 /* of a stream within a text: loggers print single events as they come */

static void lift_transport(struct lift *lift)
{
    const struct observation *observation = lift->observation;
    lift_add(lift, FIELD_CURL_CODE, curl_code_name(observation->curl_code));
    lift_add(lift, FIELD_OS_ERRNO, os_errno_name(observation->os_errno));
    lift_add(lift, FIELD_TLS_VERIFY, tls_verify_name(observation->tls_verify));
    if (observation->phase != STEP_CONFIG) {
        lift_add(lift, FIELD_PHASE, step_name(observation->phase));
    }
    if (observation->is_through_proxy) {
        lift_add(lift, FIELD_PROXY, STR("yes"));
    }
    if (observation->proxy_status) {
        lift_add(lift, FIELD_PROXY_STATUS,
                 arena_printf(lift->arena, "%ld", observation->proxy_status));
    }
}

static void lift_network(struct lift *lift)
{
    const struct observation *observation = lift->observation;
    const struct tls_sight *tls = &observation->tls;
    lift_add(lift, FIELD_PROXY_ERROR, observation->proxy_error);
    lift_add(lift, FIELD_TLS_ISSUER, tls->issuer);
    lift_add(lift, FIELD_TLS_NAMES, tls->names);
    lift_add(lift, FIELD_TLS_CHAIN, tls->chain);
    lift_add(lift, FIELD_TLS_VERSION, tls->version);
    lift_add(lift, FIELD_TLS_ALERT, tls->alert);
    lift_add(lift, FIELD_TLS_SPEAKS, tls->speaks);
    lift_add(lift, FIELD_TLS_ASKED, tls->asked_certificate ? STR("certificate") : STR(""));
    lift_add(lift, FIELD_DNS_RESULT, observation->dns_result);
    lift_add(lift, FIELD_DNS_ADDRESS, observation->dns_address);
    lift_add(lift, FIELD_FAMILIES, observation->families);
    lift_add(lift, FIELD_NO_ROUTE, observation->no_route);
}

static void lift_outset(struct lift *lift)
{
    const struct observation *observation = lift->observation;
    lift->now_ms = wait_moment(observation_header(observation, STR("date")));
    if (lift->now_ms < 0 && observation->kind == OBSERVATION_TEXT) {
        lift->now_ms =
            wait_stamp(str_slice(observation->body, 0, STAMP_BYTES_MAX), observation->utc_offset_s);
    }
    lift->now_ms = lift->now_ms >= 0 ? lift->now_ms : observation->started_ms;
    lift->evidence->now_ms = lift->now_ms;
    lift_add(lift, FIELD_KIND, observation_kind_name(observation->kind));
    lift_add(lift, FIELD_PROVIDER, observation->provider);
    lift_add(lift, FIELD_LOG_ABOUT, observation->about);
    lift_transport(lift);
    lift_network(lift);
    if (observation->header_count) {
        lift_headers(lift);
    }
    if (observation->problem) {
        lift_add(lift, FIELD_CONFIG_PROBLEM, observation->problem->code);
        lift_add(lift, FIELD_TEXT, observation->problem->message);
    }
}

/* What a text shows of an answer: a page where no failure is told, a value or a stream that breaks
 * off. */
static enum outcome infer_from_text(const struct lift *lift)
{
    if (lift->observation->kind != OBSERVATION_TEXT) {
        return OUTCOME_NONE;
    }
    if (lift->has_page && !lift->tells_status) {
        return OUTCOME_PAGE;
    }
    if (lift->is_answer_cut && !lift->has_prose && !lift->observation->is_log) {
        return OUTCOME_TRUNCATED;
    }
    bool is_cut = lift->event_count >= EVENTS_MIN && !lift->has_event_end && !lift->has_finish;
    return is_cut && lift->has_answer && !lift->has_error ? OUTCOME_TRUNCATED : OUTCOME_NONE;
}

/* The outcome that the body of a pasted answer shows; a wire knows better where one read it. */
static enum outcome infer_outcome(const struct lift *lift, bool has_end)
{
    const struct observation *observation = lift->observation;
    if (observation->kind != OBSERVATION_HTTP || observation->status < 200 ||
        observation->status > 299) {
        return infer_from_text(lift);
    }
    if (str_trim(observation->body).len == 0) {
        return observation->status == 200 ? OUTCOME_EMPTY : OUTCOME_NONE;
    }
    if (lift->has_page) {
        return OUTCOME_PAGE;
    }
    if (!lift->has_answer || lift->has_error) {
        return OUTCOME_NONE;
    }
    return has_end ? OUTCOME_COMPLETE : OUTCOME_TRUNCATED;
}

/* Evidence of which nothing is known. What is not counted and pairs that are not read yet stay as
 * they were: they are most of its bytes. */
static void begin_evidence(struct evidence *evidence, const struct observation *observation)
{
    memset(evidence, 0, offsetof(struct evidence, values));
    evidence->observation = observation;
    evidence->wait_ms = -1;
}

static void add_line(struct buf *all, struct str shown, struct str line)
{
    if (line.len && str_find(shown, line) < 0 && str_find(buf_str(all), line) < 0) {
        buf_add(all, line);
        buf_add_char(all, '\n');
    }
}

/* Python's repr and other quoted strings write don\'t: rules are written for don't. True where
 * something was changed. */
static bool unquote(struct buf *all)
{
    ptrdiff_t first = str_find_char(buf_str(all), '\\');
    size_t kept = first < 0 ? all->len : (size_t)first;
    for (size_t i = kept; i < all->len; i++) {
        bool is_escape = all->ptr[i] == '\\' && i + 1 < all->len && all->ptr[i + 1] == '\'';
        if (!is_escape) {
            all->ptr[kept++] = all->ptr[i];
        }
    }
    bool is_changed = kept < all->len;
    all->len = kept;
    return is_changed;
}

/* Adds the pairs of texts and messages. */
static void add_bigrams(struct evidence *evidence)
{
    static const enum field fields[] = {FIELD_TEXT, FIELD_ERROR_MESSAGE};
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        for (size_t i = 0; i < evidence->counts[fields[f]]; i++) {
            bigrams_add(&evidence->bigrams, evidence->values[fields[f]][i]);
        }
    }
}

/* Messages that the text shows, but not at the front of a line, stand beside it as texts of their
 * own: sentences are known by how they begin. */
static void add_sentences(struct lift *lift, struct str shown)
{
    const struct evidence *evidence = lift->evidence;
    for (size_t i = 0; i < evidence->counts[FIELD_ERROR_MESSAGE]; i++) {
        struct str message = evidence->values[FIELD_ERROR_MESSAGE][i];
        ptrdiff_t at = str_find(shown, message);
        if (at > 0 && shown.ptr[at - 1] != '\n') {
            lift_add(lift, FIELD_TEXT, message);
        }
    }
}

/* The text that counts: decoded strings from the innermost out, then the whole as it was shown. */
static void compose_text(struct lift *lift, const struct bigrams *bigrams, struct str shown)
{
    struct evidence *evidence = lift->evidence;
    struct buf all = buf_create(4 * BYTES_MAX);
    for (size_t i = 0; i < lift->inner_count; i++) {
        add_line(&all, shown, lift->inner_texts[i]);
    }
    for (size_t i = 0; i < evidence->counts[FIELD_ERROR_MESSAGE]; i++) {
        add_line(&all, shown, evidence->values[FIELD_ERROR_MESSAGE][i]);
    }
    size_t added = all.len;
    buf_add(&all, shown);
    bool is_changed = unquote(&all);
    evidence->bigrams = *bigrams;
    bigrams_add(&evidence->bigrams, str_slice(buf_str(&all), 0, is_changed ? all.len : added + 1));
    lift_add(lift, FIELD_TEXT, arena_dup(lift->arena, buf_str(&all)));
    add_sentences(lift, shown);
    size_t known = evidence->counts[FIELD_TEXT];
    lift_quoted(lift, bigrams, shown);
    lift_folded(lift, bigrams, shown);
    for (size_t i = known; i < evidence->counts[FIELD_TEXT];
         i++) { /* without escapes they differ */
        bigrams_add(&evidence->bigrams, evidence->values[FIELD_TEXT][i]);
    }
    if (all.is_full) {
        add_bigrams(evidence);
    }
    buf_free(&all);
}

/* Subtitles in SubRip or WebVTT: what was spoken. */
static bool is_spoken(struct str body)
{
    static const struct str heads[] = {STR_INIT("WEBVTT"), STR_INIT("1\n00:"),
                                       STR_INIT("1\r\n00:")};
    return STARTS_ANY(body, heads);
}

/* A value, pasted or sent with a good status, that says under no name we know that something
 * failed: settings, messages of a program, records of talks, results. What stands in it is no
 * evidence. */
static bool is_data(const struct lift *lift, bool is_stream)
{
    const struct observation *observation = lift->observation;
    struct str body = str_trim(observation->body);
    bool has_field = false;
    for (size_t i = FIELD_ERROR_CODE; i <= FIELD_ERROR_MESSAGE; i++) {
        has_field = has_field || lift->evidence->counts[i];
    }
    bool is_pasted = observation->kind == OBSERVATION_TEXT && !observation->is_log;
    bool is_good = observation->kind == OBSERVATION_HTTP && observation->outcome == OUTCOME_NONE &&
                   observation->status >= 200 && observation->status <= 299 && body.len;
    if (is_good && is_spoken(body)) {
        return true;
    }
    bool is_sent = is_good && (is_stream || str_is_of(body.ptr[0], "{["));
    bool has_prose = lift->has_prose && !(is_sent && is_stream);
    return (is_pasted || is_sent) && !has_prose && !lift->has_page && !lift->has_error &&
           !lift->has_message && !lift->has_answer && !has_field;
}

/* Whether a value that a text shows apart says nothing of a failure by itself. */
static bool is_data_alone(const struct lift *lift, struct str value)
{
    struct evidence evidence;
    struct lift alone = {.arena = lift->arena,
                         .observation = lift->observation,
                         .evidence = &evidence,
                         .budget = lift->budget};
    struct bigrams bigrams;
    if (value.len == 0 || !str_is_of(value.ptr[0], "{[")) {
        return false;
    }
    begin_evidence(&evidence, lift->observation);
    bigrams_read(&bigrams, value);
    (void)lift_text(&alone, &bigrams, value, 0);
    return is_data(&alone, false);
}

/* The text with the values blanked that stand apart in it, between fences or as paragraphs of their
 * own, and are mere data. */
static struct str without_data(const struct lift *lift, struct str text)
{
    char *bytes = arena_alloc(lift->arena, text.len + 1);
    size_t begin = 0;
    memcpy(bytes, text.len ? text.ptr : "", text.len);
    for (struct str rest = text, line; str_split(&rest, '\n', &line);) {
        struct str inner = str_trim(line);
        bool is_edge = inner.len == 0 || str_starts(inner, STR("```"));
        size_t at = (size_t)(line.ptr - text.ptr), next = at + line.len;
        if (is_edge || next >= text.len) {
            struct str value = str_trim(str_slice(text, begin, is_edge ? at : next));
            if (is_data_alone(lift, value)) {
                memset(bytes + (value.ptr - text.ptr), ' ', value.len);
            }
            begin = next;
        }
    }
    return (struct str){bytes, text.len};
}

/* Whether a body is neither a value, a stream nor a page: all that a refusal says, then. */
static bool is_plain(const struct lift *lift, struct str text)
{
    struct str body = str_trim(text);
    return body.len && body.len <= PLAIN_BYTES_MAX && !lift->has_page && !lift->has_answer &&
           lift->event_count == 0 && !str_is_of(body.ptr[0], "{[<\"");
}

/* Reads on what the messages say; a refusal in plain words is one. */
static void lift_messages(struct lift *lift, struct str text)
{
    const struct observation *observation = lift->observation;
    struct evidence *evidence = lift->evidence;
    bool is_http = observation->kind == OBSERVATION_HTTP;
    bool is_told_in_ok = is_http && observation->status < 300 && lift->has_error;
    if (is_http && observation->status >= 400 && is_plain(lift, text)) {
        lift_add(lift, FIELD_ERROR_MESSAGE, str_trim(text));
    }
    for (size_t i = 0; i < evidence->counts[FIELD_ERROR_MESSAGE]; i++) {
        lift_message(lift, evidence->values[FIELD_ERROR_MESSAGE][i]);
        if (is_told_in_ok) { /* {"success": false, "message": "http status code: 401"} */
            lift_statuses(lift, evidence->values[FIELD_ERROR_MESSAGE][i]);
        }
    }
}

/* The last line of a text from "curl: (" on: curl prints it right behind the bytes of an answer
 * that breaks off, where the reader takes it for more of them. */
static struct str curls_word(struct str text)
{
    struct str line = str_trim(text), word = {NULL, 0};
    for (struct str rest = line, next; str_split(&rest, '\n', &next);) {
        ptrdiff_t at = str_find(next, STR("curl: ("));
        word = at < 0 ? (struct str){NULL, 0} : str_slice(next, (size_t)at, next.len);
    }
    return word;
}

/* A text as it read before it was put into another format. */
static struct str plain_text(const struct lift *lift, struct str text)
{
    text = respell_plain(lift->arena, text, lift->observation->is_log);
    return lift_without_scripts(lift->arena, text);
}

/* What of a text reports, its lines put together again; *lines: with the pairs of all of it. */
static struct str without_mentions(struct lift *lift, struct str text, struct bigram_lines *lines)
{
    const struct observation *observation = lift->observation;
    bool is_http = observation->kind == OBSERVATION_HTTP;
    bool is_pasted = !is_http && !observation->is_log;
    text = is_pasted ? clean_repeats(clean_margin(lift->arena, text)) : text;
    bigrams_begin(lines, text);
    text = is_http ? text : mention_remove(lift->arena, lines);
    text = is_pasted ? clean_rejoin(lift->arena, without_data(lift, text)) : text;
    if (text.ptr != lines->text.ptr || text.len != lines->text.len) {
        bigrams_begin(lines, text);
    }
    bigrams_read_whole(lines);
    return text;
}

/* Whether a text was composed of it, and its pairs read. */
static bool lift_body(struct lift *lift)
{
    const struct observation *observation = lift->observation;
    struct evidence *evidence = lift->evidence;
    bool is_http = observation->kind == OBSERVATION_HTTP, stream_ended = false;
    struct str text = clean_controls(lift->arena, str_slice(observation->body, 0, BYTES_MAX));
    text = is_http ? text : plain_text(lift, text);
    bool is_stream = lift_is_stream(text, &stream_ended);
    struct bigram_lines lines;
    text = without_mentions(lift, text, &lines);
    lift->tells_status = !is_http && prose_tells_status(text);
    struct str shown = lift_text(lift, &lines.bigrams, text, 0);
    if (is_stream) {
        lift_failed_event(lift, text);
    }
    if (is_data(lift, is_stream)) {
        return false;
    }
    struct str word = lift->is_answer_cut ? curls_word(text) : STR("");
    shown = word.len ? word : shown;
    if (lift->has_page || word.len) { /* other words are shown */
        bigrams_read(&lines.bigrams, shown);
    }
    if (!is_http) {
        lift_prose(lift, &lines.bigrams, shown);
    }
    lift_messages(lift, text);
    /* Of a body that we cut ourselves the end is not known to be missing. */
    bool has_end = lift->has_finish || observation->is_body_cut ||
                   (is_stream ? stream_ended : lift->has_answer_end);
    enum outcome outcome = observation->outcome;
    outcome = outcome == OUTCOME_NONE ? infer_outcome(lift, has_end) : outcome;
    if (outcome != OUTCOME_NONE) {
        lift_add(lift, FIELD_ANSWER, outcome_name(outcome));
    }
    evidence->is_answer = lift->has_answer && has_end && !lift->has_error &&
                          observation->status < 300 && (is_stream || !lift->has_prose);
    if (!evidence->is_answer) {
        compose_text(lift, &lines.bigrams, shown);
    }
    return !evidence->is_answer;
}

void evidence_lift(struct arena *arena, const struct observation *observation,
                   struct evidence *evidence)
{
    struct lift lift = {.arena = arena,
                        .observation = observation,
                        .evidence = evidence,
                        .budget = {.bytes = 12 * BYTES_MAX, .nodes = 20000}};
    begin_evidence(evidence, observation);
    lift_outset(&lift);
    bool is_composed = observation->kind != OBSERVATION_CONFIG && lift_body(&lift);
    if (observation->status) {
        lift_add(&lift, FIELD_STATUS, arena_printf(arena, "%ld", observation->status));
    }
    if (!is_composed) { /* a setting's problem, an answer with messages in it */
        bigrams_read(&evidence->bigrams, STR(""));
        add_bigrams(evidence);
    }
    evidence->has_error = lift.has_error;
    evidence->has_lifted_fields =
        evidence->counts[FIELD_ERROR_CODE] || evidence->counts[FIELD_ERROR_TYPE] ||
        evidence->counts[FIELD_ERROR_REASON] || evidence->counts[FIELD_ERROR_PARAM];
}
