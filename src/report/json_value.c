/* JSON values out of this program's types. Strings from outside are made valid UTF-8 here, and
 * bounded. */
#include "base/text.h"
#include "report/json_parts.h"
#include "report/json_write.h"

#include <cjson/cJSON.h>
#include <string.h>
#include <time.h>

#define STRING_BYTES_MAX 4096
#define REPLACEMENT "\xEF\xBF\xBD"

/* NUL ends a C string, so it is replaced like invalid bytes. */
struct str report_json_valid(struct buf *valid, struct str s)
{
    if (s.len <= STRING_BYTES_MAX - 3 && utf8_find_invalid(s) < 0 && str_find_char(s, '\0') < 0) {
        return s;
    }
    *valid = buf_create(STRING_BYTES_MAX);
    for (size_t at = 0; at < s.len;) {
        uint32_t c = 0;
        size_t length = utf8_decode(s, at, &c);
        struct str piece = length == 0 || c == 0 ? STR(REPLACEMENT) : str_slice(s, at, at + length);
        if (valid->len + piece.len > STRING_BYTES_MAX - 3) {
            buf_add(valid, STR("..."));
            break;
        }
        buf_add(valid, piece);
        at += length ? length : 1;
    }
    return buf_str(valid);
}

struct cJSON *report_json_string(struct str s)
{
    struct buf valid = {0};
    char text[STRING_BYTES_MAX + 1];
    if (!str_is_set(s)) {
        return cJSON_CreateNull();
    }
    s = report_json_valid(&valid, s);
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    buf_free(&valid);
    return cJSON_CreateString(text);
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

void report_json_print(const struct cJSON *tree, bool is_line, struct buf *out)
{
    struct json_writer writer = {.out = out, .is_line = is_line};
    json_write_tree(&writer, NULL, tree);
    buf_add_char(out, '\n');
}
