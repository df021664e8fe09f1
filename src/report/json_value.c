/* JSON values out of this program's types, and the printing of trees. Strings from outside are made
 * valid UTF-8 here, bounded, and what could steer a terminal is escaped. */
#include "base/text.h"
#include "report/report.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STRING_BYTES_MAX 4096
#define REPLACEMENT "\xEF\xBF\xBD"

/* NUL ends a C string, so it is replaced like invalid bytes. */
struct cJSON *report_json_string(struct str s)
{
    if (!str_is_set(s)) {
        return cJSON_CreateNull();
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

/* What cJSON leaves as it is although terminals and readers act upon it. */
static bool must_escape(uint32_t c)
{
    return (c >= 0x7F && c <= 0x9F) || c == 0x061C || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
           (c >= 0xE0000 && c <= 0xE007F);
}

/* Outside strings JSON is ASCII, so every such character stands inside one. */
static void add_escaped(struct buf *out, struct str json)
{
    size_t from = 0;
    for (size_t at = 0; at < json.len;) {
        uint32_t c;
        size_t length = utf8_decode(json, at, &c);
        if (length == 0 || !must_escape(c)) {
            at += length ? length : 1;
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

void report_json_print(const struct cJSON *tree, bool is_line, struct buf *out)
{
    char *text = is_line ? cJSON_PrintUnformatted(tree) : cJSON_Print(tree);
    add_escaped(out, str_from(text));
    buf_add_char(out, '\n');
    cJSON_free(text);
}
