/* The printing of JSON, out of values or of trees. What a terminal or a reader would act upon is
 * escaped; nothing is kept. */
#include "report/json_write.h"

#include "base/fastest.h"
#include "base/moment.h"
#include "base/text.h"
#include "report/json_parts.h"

#include <cjson/cJSON.h>
#include <string.h>

#define LEAF_BYTES 1024                /* that a value takes; longer ones grow */
#define PLAIN_BYTES_MAX ((size_t)1024) /* of a text that is looked at before all else */
#define STEP_BYTES ((size_t)16)

static void add_code(struct buf *out, uint32_t c)
{
    if (c >= 0x10000) {
        buf_printf(out, "\\u%04x\\u%04x", 0xD800 + (unsigned)((c - 0x10000) >> 10),
                   0xDC00 + (unsigned)((c - 0x10000) & 0x3FF));
    } else {
        buf_printf(out, "\\u%04x", (unsigned)c);
    }
}

static bool is_plain(unsigned char c)
{
    return (c >= ' ') & (c <= '~') & (c != '"') & (c != '\\');
}

/* The bytes that the text begins with of which none is escaped. */
FASTEST static size_t plain_length(struct str text)
{
    size_t at = 0;
    for (bool is_whole = true; is_whole && text.len - at >= STEP_BYTES;) {
        unsigned char plain = 1;
        for (size_t i = 0; i < STEP_BYTES; i++) {
            plain &= is_plain((unsigned char)text.ptr[at + i]);
        }
        is_whole = plain;
        at += plain ? STEP_BYTES : 0;
    }
    while (at < text.len && is_plain((unsigned char)text.ptr[at])) {
        at++;
    }
    return at;
}

/* Escapes what terminals and readers act upon, whatever JSON allows, and the signs that have an
 * escape of their own, where there are any. */
static void add_escaped(struct buf *out, struct str text, const char *signs, const char *letters)
{
    size_t from = 0;
    for (size_t at = 0; at < text.len;) {
        uint32_t c = (unsigned char)text.ptr[at];
        if (is_plain((unsigned char)c)) {
            at += plain_length(str_slice(text, at, text.len));
            continue;
        }
        const char *sign = c == 0 ? NULL : strchr(signs, (int)c);
        size_t length = sign ? 1 : utf8_decode(text, at, &c);
        if (sign || (length && text_is_unsafe(c))) {
            buf_add(out, str_slice(text, from, at));
            if (sign) {
                buf_add_char(out, '\\');
                buf_add_char(out, letters[sign - signs]);
            } else {
                add_code(out, c);
            }
            from = at + length;
        }
        at += length ? length : 1;
    }
    buf_add(out, str_slice(text, from, text.len));
}

static void add_string(struct buf *out, struct str text)
{
    buf_add_char(out, '"');
    add_escaped(out, text, "\"\\\b\f\n\r\t", "\"\\bfnrt");
    buf_add_char(out, '"');
}

static void add_leaf(struct buf *out, const struct cJSON *leaf)
{
    char *text = cJSON_PrintBuffered(leaf, LEAF_BYTES, false);
    add_escaped(out, str_from(text), "", "");
    cJSON_free(text);
}

static void add_indent(const struct json_writer *writer)
{
    buf_add_char(writer->out, '\n');
    for (unsigned i = 0; i < writer->depth; i++) {
        buf_add(writer->out, STR("  "));
    }
}

static bool is_just_opened(const struct buf *out)
{
    char last = out->len ? out->ptr[out->len - 1] : '\0';
    return last == '{' || last == '[';
}

/* What stands before a value or its name: a comma, the indent. */
static void begin_item(struct json_writer *writer)
{
    if (writer->depth > 0 && !is_just_opened(writer->out)) {
        buf_add_char(writer->out, ',');
    }
    if (writer->depth > 0 && !writer->is_line) {
        add_indent(writer);
    }
}

static void add_colon(struct json_writer *writer)
{
    buf_add_char(writer->out, ':');
    if (!writer->is_line) {
        buf_add_char(writer->out, ' ');
    }
}

static void begin_value(struct json_writer *writer, const char *name)
{
    begin_item(writer);
    if (name) {
        buf_add_char(writer->out, '"');
        buf_add(writer->out, str_from(name));
        buf_add_char(writer->out, '"');
        add_colon(writer);
    }
}

void json_write_open(struct json_writer *writer, const char *name, char bracket)
{
    begin_value(writer, name);
    buf_add_char(writer->out, bracket);
    writer->depth++;
}

void json_write_close(struct json_writer *writer, char bracket)
{
    writer->depth--;
    if (!writer->is_line && !is_just_opened(writer->out)) {
        add_indent(writer);
    }
    buf_add_char(writer->out, bracket);
}

static void add_text(struct buf *out, struct str text)
{
    struct buf valid = {0};
    if (text.len <= PLAIN_BYTES_MAX && plain_length(text) == text.len) {
        buf_add_char(out, '"');
        buf_add(out, text);
        buf_add_char(out, '"');
        return;
    }
    add_string(out, report_json_valid(&valid, text));
    buf_free(&valid);
}

void json_write_text(struct json_writer *writer, const char *name, struct str text)
{
    if (str_is_set(text)) {
        begin_value(writer, name);
        add_text(writer->out, text);
    } else {
        json_write_null(writer, name);
    }
}

/* At least so many digits. */
static void add_digits(struct buf *out, uint64_t number, size_t least)
{
    char digits[20];
    size_t count = 0;
    while (number || count < least) {
        digits[sizeof digits - ++count] = (char)('0' + number % 10);
        number /= 10;
    }
    buf_add(out, (struct str){digits + sizeof digits - count, count});
}

void json_write_number(struct json_writer *writer, const char *name, uint64_t number)
{
    begin_value(writer, name);
    add_digits(writer->out, number, 1);
}

void json_write_bool(struct json_writer *writer, const char *name, bool truth)
{
    begin_value(writer, name);
    buf_add(writer->out, truth ? STR("true") : STR("false"));
}

void json_write_null(struct json_writer *writer, const char *name)
{
    begin_value(writer, name);
    buf_add(writer->out, STR("null"));
}

void json_write_time(struct json_writer *writer, const char *name, int64_t wall_ms)
{
    if (wall_ms < 0) {
        json_write_null(writer, name);
        return;
    }
    const struct civil c = moment_civil(wall_ms, 0);
    const int parts[] = {c.month, c.day, c.hour, c.minute, c.second};
    char behind_year[] = "-00-00T00:00:00Z\"";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        behind_year[3 * i + 1] = (char)('0' + parts[i] / 10);
        behind_year[3 * i + 2] = (char)('0' + parts[i] % 10);
    }
    begin_value(writer, name);
    buf_add_char(writer->out, '"');
    add_digits(writer->out, (uint64_t)c.year, 4);
    buf_add(writer->out, str_from(behind_year));
}

void json_write_raw(struct json_writer *writer, const char *name, struct str json)
{
    begin_value(writer, name);
    add_escaped(writer->out, json, "", "");
}

static void add_tree(struct json_writer *writer, const struct cJSON *tree)
{
    struct buf *out = writer->out;
    bool is_array = cJSON_IsArray(tree);
    if (cJSON_IsString(tree)) {
        add_string(out, str_from(tree->valuestring));
    } else if (!is_array && !cJSON_IsObject(tree)) {
        add_leaf(out, tree);
    } else {
        buf_add_char(out, is_array ? '[' : '{');
        writer->depth++;
        for (const struct cJSON *item = tree->child; item; item = item->next) {
            begin_item(writer);
            if (item->string) {
                add_text(out, str_from(item->string));
                add_colon(writer);
            }
            add_tree(writer, item);
        }
        json_write_close(writer, is_array ? ']' : '}');
    }
}

void json_write_tree(struct json_writer *writer, const char *name, const struct cJSON *tree)
{
    begin_value(writer, name);
    add_tree(writer, tree);
}
