/* What the wires share. Takes bodies of any kind, gives JSON members that are checked for their
 * type, server-sent events, and the outcomes that every API shows in the same way. Knows no socket
 * and no diagnosis. */
#include "wire/answer.h"

#include <string.h>

void json_write_string(struct buf *out, struct str s)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c == '"' || c == '\\') {
            buf_add_char(out, '\\');
            buf_add_char(out, (char)c);
        } else if (c < 0x20) {
            buf_printf(out, "\\u%04x", c);
        } else {
            buf_add_char(out, (char)c);
        }
    }
    buf_add_char(out, '"');
}

const cJSON *json_member(const cJSON *object, const char *name)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

struct str json_string(struct arena *arena, const cJSON *object, const char *name)
{
    const cJSON *item = json_member(object, name);
    return cJSON_IsString(item) ? arena_dup(arena, str_from(item->valuestring))
                                : (struct str){NULL, 0};
}

/* null, false, "" and {} are ways to say that there is no error. */
static bool says_something(const cJSON *item)
{
    return cJSON_IsTrue(item) || (cJSON_IsString(item) && item->valuestring[0] != '\0') ||
           ((cJSON_IsObject(item) || cJSON_IsArray(item)) && item->child) ||
           (cJSON_IsNumber(item) && item->valuedouble != 0);
}

/* {"code": 1002, "msg": "..."} in a 200 is how several gateways refuse. */
static bool is_refusing_code(const cJSON *body)
{
    static const char *const fine[] = {"0", "200", "ok", "OK", "success", "Success"};
    const cJSON *code = json_member(body, "code");
    if (!cJSON_IsString(json_member(body, "message")) &&
        !cJSON_IsString(json_member(body, "msg"))) {
        return false;
    }
    if (cJSON_IsNumber(code)) {
        return code->valuedouble != 0 && code->valuedouble != 200;
    }
    if (!cJSON_IsString(code)) {
        return false;
    }
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        if (strcmp(code->valuestring, fine[i]) == 0) {
            return false;
        }
    }
    return true;
}

bool json_has_error(const cJSON *body)
{
    const cJSON *type = json_member(body, "type");
    const cJSON *base = json_member(json_member(body, "base_resp"), "status_code");
    return says_something(json_member(body, "error")) ||
           says_something(json_member(body, "errors")) ||
           (cJSON_IsString(type) && strcmp(type->valuestring, "error") == 0) ||
           (cJSON_IsNumber(base) && base->valuedouble != 0) ||
           cJSON_IsFalse(json_member(body, "success")) || is_refusing_code(body);
}

/* Takes a line off the front; it may end in LF, CR LF or CR. */
static struct str take_line(struct str *rest)
{
    size_t end = 0;
    while (end < rest->len && rest->ptr[end] != '\n' && rest->ptr[end] != '\r') {
        end++;
    }
    struct str line = str_slice(*rest, 0, end);
    size_t next = end + 1;
    if (end + 1 < rest->len && rest->ptr[end] == '\r' && rest->ptr[end + 1] == '\n') {
        next++;
    }
    *rest = str_slice(*rest, next, rest->len);
    return line;
}

/* The value behind "name:" and one optional blank; unset when the line is of another field. */
static struct str field_value(struct str line, struct str name)
{
    if (!str_starts(line, name) || (line.len > name.len && line.ptr[name.len] != ':')) {
        return (struct str){NULL, 0};
    }
    struct str value = str_slice(line, name.len + 1, line.len);
    return str_starts(value, STR(" ")) ? str_slice(value, 1, value.len) : value;
}

static struct str without_bom(struct str s)
{
    return str_starts(s, STR("\xef\xbb\xbf")) ? str_slice(s, 3, s.len) : s;
}

bool sse_next(struct arena *arena, struct sse *sse, struct str *name, struct str *text)
{
    struct buf lines = buf_create(sse->rest.len + 1);
    bool has_text = false;
    *name = (struct str){NULL, 0};
    sse->rest = without_bom(sse->rest);
    while (sse->rest.len) {
        struct str line = take_line(&sse->rest);
        struct str piece = field_value(line, STR("data"));
        struct str event = field_value(line, STR("event"));
        if (line.len == 0 && (has_text || str_is_set(*name))) {
            break;
        }
        if (str_is_set(piece)) {
            if (has_text) {
                buf_add_char(&lines, '\n');
            }
            buf_add(&lines, piece);
            has_text = true;
        } else if (str_is_set(event)) {
            *name = event;
        }
    }
    *text = arena_dup(arena, buf_str(&lines));
    buf_free(&lines);
    return has_text || str_is_set(*name);
}

bool sse_is_stream(struct str body)
{
    static const struct str fields[] = {STR_INIT("data:"), STR_INIT("event:"), STR_INIT(":"),
                                        STR_INIT("id:"), STR_INIT("retry:")};
    body = str_trim(without_bom(body));
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (str_starts(body, fields[i])) {
            return true;
        }
    }
    return false;
}

bool sse_is_at_boundary(struct str body)
{
    return str_ends(body, STR("\n\n")) || str_ends(body, STR("\n\r\n")) ||
           str_ends(body, STR("\r\r"));
}

struct str answer_text(const struct observation *observation)
{
    return str_trim(without_bom(str_trim(observation->body)));
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
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (str_istarts(text, starts[i])) {
            return true;
        }
    }
    /* Gateways label JSON as text/html; what the body is counts more than what it is called. */
    return (str_istarts(type, STR("text/html")) || str_istarts(type, STR("application/xhtml"))) &&
           text.len && !strchr("{[", text.ptr[0]) && !sse_is_stream(text);
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
        json_string(arena, body, "request_id"),
        json_string(arena, json_member(body, "error"), "request_id"),
        json_string(arena, body, "id"),
        observation_header(observation, STR("cf-ray")),
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        if (!str_is_empty(ids[i])) {
            observation->request_id = ids[i];
            return;
        }
    }
}

static cJSON *parse(struct str text)
{
    return text.len ? cJSON_ParseWithLength(text.ptr, text.len) : NULL;
}

/* A document that began as JSON and ends within a string or with brackets still open. */
static bool is_broken_off(struct str text)
{
    size_t depth = 0;
    bool is_in_string = false;
    if (!text.len || !strchr("{[", text.ptr[0])) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (is_in_string) {
            i += c == '\\';
            is_in_string = c != '"';
        } else if (c == '"') {
            is_in_string = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return false;
        }
    }
    return true;
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
        cJSON *body = parse(text);
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
        cJSON *event = parse(text);
        has_error = str_eq(name, STR("error")) || json_has_error(event);
        cJSON_Delete(event);
    }
    return has_error;
}

cJSON *answer_parse(struct arena *arena, bool is_whole, struct str mark,
                    struct observation *observation)
{
    struct str text = answer_text(observation);
    cJSON *body = parse(text);
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
    } else if (!observation->is_body_cut && (!is_whole || is_broken_off(text))) {
        observation->outcome = OUTCOME_TRUNCATED;
    } else {
        observation->outcome = OUTCOME_NOT_API;
    }
    return NULL;
}
