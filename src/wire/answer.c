/* What every API shows in the same way. Takes an answer, gives the outcomes that need no knowledge
 * of the API: pages, refusals, refusals of nothing but our cap, bodies that are empty, cut or of no
 * shape. Knows no socket and no diagnosis. */
#include "wire/answer.h"

#include "base/text.h"

struct str answer_text(const struct observation *observation)
{
    return str_trim(text_without_bom(str_trim(observation->body)));
}

static bool is_page(const struct observation *observation)
{
    static const struct str starts[] = {STR_INIT("<!doctype html"), STR_INIT("<html"),
                                        STR_INIT("<head"),          STR_INIT("<body"),
                                        STR_INIT("<script"),        STR_INIT("<meta")};
    struct str type = observation_header(observation, STR("content-type"));
    struct str text = answer_text(observation);
    /* Comments may stand before the document type. */
    while (str_starts(text, STR("<!--"))) {
        ptrdiff_t end = str_find(text, STR("-->"));
        text = end < 0 ? STR("") : str_trim(str_slice(text, (size_t)end + 3, text.len));
    }
    if (ISTARTS_ANY(text, starts)) {
        return true;
    }
    /* Gateways label JSON as text/html; what the body is counts more than what it is called. */
    return (str_istarts(type, STR("text/html")) || str_istarts(type, STR("application/xhtml"))) &&
           text.len && !str_is_of(text.ptr[0], "{[") && !sse_is_stream(text);
}

/* Texts of the providers that say "your cap is too low", with the parameter named beside them. */
static bool speaks_of_too_low_cap(struct str text)
{
    static const struct str names[] = {STR_INIT("max_output_tokens"),
                                       STR_INIT("max_completion_tokens"), STR_INIT("max_tokens")};
    static const struct str others[] = {STR_INIT("unsupported"),     STR_INIT("not supported"),
                                        STR_INIT("unrecognized"),    STR_INIT("unknown"),
                                        STR_INIT("extra_forbidden"), STR_INIT("too large"),
                                        STR_INIT("context length"),  STR_INIT("context window")};
    static const struct str lows[] = {
        STR_INIT("below_min"),         STR_INIT("below minimum"),
        STR_INIT("below the minimum"), STR_INIT("minimum value"),
        STR_INIT("too small"),         STR_INIT("too low"),
        STR_INIT("greater than"),      STR_INIT("at least"),
        STR_INIT("must be >"),         STR_INIT(">= "),
        STR_INIT("limit was reached"), STR_INIT("with higher max_tokens"),
    };
    bool is_named = false, is_low = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        is_named = is_named || str_ifind(text, names[i]) >= 0;
    }
    for (size_t i = 0; i < sizeof lows / sizeof lows[0]; i++) {
        is_low = is_low || str_ifind(text, lows[i]) >= 0;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        is_low = is_low && str_ifind(text, others[i]) < 0;
    }
    return is_named && is_low;
}

static void lift_header_id(struct observation *observation)
{
    static const struct str names[] = {STR_INIT("x-request-id"), STR_INIT("request-id"),
                                       STR_INIT("x-oai-request-id"), STR_INIT("apim-request-id"),
                                       STR_INIT("x-amzn-requestid")};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct str id = observation_header(observation, names[i]);
        if (!str_is_empty(id)) {
            observation->request_id = id;
            return;
        }
    }
}

void answer_lift_id(struct arena *arena, const cJSON *body, struct observation *observation)
{
    struct str ids[] = {
        observation->request_id,
        body_string(arena, body, "request_id"),
        body_string(arena, body_member(body, "error"), "request_id"),
        body_string(arena, body, "id"),
        observation_header(observation, STR("cf-ray")),
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        if (!str_is_empty(ids[i])) {
            observation->request_id = ids[i];
            return;
        }
    }
}

bool answer_settle(struct arena *arena, bool is_whole, struct observation *observation)
{
    struct str text = answer_text(observation);
    bool is_success = observation->status >= 200 && observation->status < 300;
    observation->outcome = OUTCOME_NONE;
    if (observation->status < 200) {
        return true;
    }
    lift_header_id(observation);
    if (is_page(observation)) {
        observation->outcome = OUTCOME_PAGE;
    } else if (!is_success) {
        bool is_cap = (observation->status == 400 || observation->status == 422) &&
                      speaks_of_too_low_cap(text);
        observation->outcome = is_cap ? OUTCOME_CAPPED : OUTCOME_FAILED;
    } else if (text.len == 0) {
        observation->outcome = is_whole ? OUTCOME_EMPTY : OUTCOME_TRUNCATED;
    }
    if (observation->outcome != OUTCOME_NONE) {
        cJSON *body = body_parse(text);
        answer_lift_id(arena, body, observation);
        cJSON_Delete(body);
        return true;
    }
    return false;
}

static bool stream_has_error(struct arena *arena, struct str body)
{
    struct sse sse = {body};
    struct str name, text;
    bool has_error = false;
    while (!has_error && sse_next(arena, &sse, &name, &text)) {
        cJSON *event = body_parse(text);
        has_error = str_eq(name, STR("error")) || body_has_error(event);
        cJSON_Delete(event);
    }
    return has_error;
}

cJSON *answer_parse(struct arena *arena, bool is_whole, struct str mark,
                    struct observation *observation)
{
    struct str text = answer_text(observation);
    cJSON *body = body_parse(text);
    if (body) {
        answer_lift_id(arena, body, observation);
        return body;
    }
    answer_lift_id(arena, NULL, observation);
    if (sse_is_stream(text) && stream_has_error(arena, text)) {
        observation->outcome = OUTCOME_FAILED;
    } else if (observation->is_body_cut && mark.len && text.ptr[0] == '{' &&
               str_find(text, mark) >= 0) {
        observation->outcome = OUTCOME_CAPPED;
    } else if (!observation->is_body_cut && (!is_whole || body_is_broken_off(text))) {
        observation->outcome = OUTCOME_TRUNCATED;
    } else {
        observation->outcome = OUTCOME_NOT_API;
    }
    return NULL;
}
