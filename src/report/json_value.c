/* JSON values out of this program's types, and the printing of trees. Strings from outside are made
 * valid UTF-8 here, bounded, and what could steer a terminal is escaped. */
#include "base/text.h"
#include "report/report.h"

#include <cjson/cJSON.h>
#include <string.h>
#include <time.h>

#define STRING_BYTES_MAX 4096
#define LEAF_BYTES 1024 /* that a value takes; longer ones grow */
#define REPLACEMENT "\xEF\xBF\xBD"

/* NUL ends a C string, so it is replaced like invalid bytes. */
struct cJSON *report_json_string(struct str s)
{
    if (!str_is_set(s)) {
        return cJSON_CreateNull();
    }
    if (s.len <= STRING_BYTES_MAX - 3 && utf8_find_invalid(s) < 0 && str_find_char(s, '\0') < 0) {
        char text[STRING_BYTES_MAX];
        memcpy(text, s.ptr, s.len);
        text[s.len] = '\0';
        return cJSON_CreateString(text);
    }
    struct buf valid = buf_create(STRING_BYTES_MAX);
    buf_add(&valid, STR(""));
    for (size_t at = 0; at < s.len;) {
        uint32_t c = 0;
        size_t length = utf8_decode(s, at, &c);
        struct str piece = length == 0 || c == 0 ? STR(REPLACEMENT) : str_slice(s, at, at + length);
        if (valid.len + piece.len > STRING_BYTES_MAX - 3) {
            buf_add(&valid, STR("..."));
            break;
        }
        buf_add(&valid, piece);
        at += length ? length : 1;
    }
    struct cJSON *string = cJSON_CreateString(valid.ptr ? valid.ptr : "");
    buf_free(&valid);
    return string;
}

struct cJSON *report_json_time(int64_t wall_ms)
{
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm parts;
    char text[40];
    if (gmtime_r(&seconds, &parts) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        return cJSON_CreateNull();
    }
    return cJSON_CreateString(text);
}

/* Escapes what cJSON leaves as it is although terminals and readers act upon it. Outside strings
 * JSON is ASCII, so every such character stands inside one. */
static void add_escaped(struct buf *out, struct str json)
{
    size_t from = 0;
    for (size_t at = 0; at < json.len;) {
        uint32_t c;
        at += text_printable_run(json, at);
        size_t length = utf8_decode(json, at, &c);
        if (length == 0 || !text_is_unsafe(c)) {
            at += length ? length : at < json.len;
            continue;
        }
        buf_add(out, str_slice(json, from, at));
        if (c >= 0x10000) {
            buf_printf(out, "\\u%04x\\u%04x", 0xD800 + (unsigned)((c - 0x10000) >> 10),
                       0xDC00 + (unsigned)((c - 0x10000) & 0x3FF));
        } else {
            buf_printf(out, "\\u%04x", (unsigned)c);
        }
        at += length;
        from = at;
    }
    buf_add(out, str_slice(json, from, json.len));
}

static void add_leaf(struct buf *out, const struct cJSON *leaf)
{
    char *text = cJSON_PrintBuffered(leaf, LEAF_BYTES, false);
    add_escaped(out, str_from(text));
    cJSON_free(text);
}

static void add_indent(struct buf *out, unsigned depth)
{
    buf_add_char(out, '\n');
    for (unsigned i = 0; i < depth; i++) {
        buf_add(out, STR("  "));
    }
}

/* Trees are of this program's making, so their depth is bounded. */
static void add_tree(struct buf *out, const struct cJSON *tree, unsigned depth)
{
    bool is_array = cJSON_IsArray(tree);
    if ((!is_array && !cJSON_IsObject(tree)) || tree->child == NULL) {
        add_leaf(out, tree);
        return;
    }
    buf_add_char(out, is_array ? '[' : '{');
    for (const struct cJSON *item = tree->child; item; item = item->next) {
        add_indent(out, depth + 1);
        if (!is_array) {
            struct cJSON *name = report_json_string(str_from(item->string));
            add_leaf(out, name);
            buf_add(out, STR(": "));
            cJSON_Delete(name);
        }
        add_tree(out, item, depth + 1);
        buf_add(out, item->next ? STR(",") : STR(""));
    }
    add_indent(out, depth);
    buf_add_char(out, is_array ? ']' : '}');
}

void report_json_print(const struct cJSON *tree, bool is_line, struct buf *out)
{
    if (is_line) {
        add_leaf(out, tree);
    } else {
        add_tree(out, tree, 0);
    }
    buf_add_char(out, '\n');
}
