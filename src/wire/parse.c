/* Reading and writing what APIs speak. Takes bodies that nobody vouches for, gives JSON members
 * that are checked for their type, and server-sent events. What they mean is not known here. */
#include "wire/parse.h"

#include "base/text.h"

#include <string.h>

void body_write_string(struct buf *out, struct str s)
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

const cJSON *body_member(const cJSON *object, const char *name)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

struct str body_string(struct arena *arena, const cJSON *object, const char *name)
{
    const cJSON *item = body_member(object, name);
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
    const cJSON *code = body_member(body, "code");
    if (!cJSON_IsString(body_member(body, "message")) &&
        !cJSON_IsString(body_member(body, "msg"))) {
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

bool body_has_error(const cJSON *body)
{
    const cJSON *type = body_member(body, "type");
    const cJSON *base = body_member(body_member(body, "base_resp"), "status_code");
    return says_something(body_member(body, "error")) ||
           says_something(body_member(body, "errors")) ||
           (cJSON_IsString(type) && strcmp(type->valuestring, "error") == 0) ||
           (cJSON_IsNumber(base) && base->valuedouble != 0) ||
           cJSON_IsFalse(body_member(body, "success")) || is_refusing_code(body);
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

bool sse_next(struct arena *arena, struct sse *sse, struct str *name, struct str *text)
{
    struct buf lines = buf_create(sse->rest.len + 1);
    bool has_text = false;
    *name = (struct str){NULL, 0};
    sse->rest = text_without_bom(sse->rest);
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
    body = str_trim(text_without_bom(body));
    return STARTS_ANY(body, fields);
}

bool sse_is_at_boundary(struct str body)
{
    return str_ends(body, STR("\n\n")) || str_ends(body, STR("\n\r\n")) ||
           str_ends(body, STR("\r\r"));
}

cJSON *body_parse(struct str text)
{
    return text.len ? cJSON_ParseWithLength(text.ptr, text.len) : NULL;
}

bool body_is_broken_off(struct str text)
{
    size_t depth = 0;
    bool is_in_string = false;
    if (!text.len || !str_is_of(text.ptr[0], "{[")) {
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
