/* Spellings that formats give a text. Takes text as it was pasted, gives what it says:
 *
 *     <failure message="HTTP 429: {&quot;error&quot;: ...}"/>      {"error": ...}     JUnit
 *     b'\xe4\xbd\x99\xe9\xa2\x9d'                                  余额               Python
 *     2026-11-29,failed,"{""error"":""overloaded""}"               {"error":"over ... CSV
 *     error: 'You didn''t provide an API key'                      You didn't ...     YAML
 *
 * Escapes of JSON are not among them: who reads values undoes those. */
#include "classify/respell.h"

#include "base/buf.h"
#include "base/text.h"

#define CHAR_BYTES_MAX 4
#define SLASHES_MAX 8 /* before one escape: strings in strings in strings */

size_t respell_entity(struct str text, struct str *meant)
{
    static const struct {
        struct str name, text;
    } entities[] = {{STR_INIT("&amp;"), STR_INIT("&")},   {STR_INIT("&lt;"), STR_INIT("<")},
                    {STR_INIT("&gt;"), STR_INIT(">")},    {STR_INIT("&quot;"), STR_INIT("\"")},
                    {STR_INIT("&nbsp;"), STR_INIT(" ")},  {STR_INIT("&#39;"), STR_INIT("'")},
                    {STR_INIT("&#x27;"), STR_INIT("'")},  {STR_INIT("&apos;"), STR_INIT("'")},
                    {STR_INIT("&#34;"), STR_INIT("\"")},  {STR_INIT("&#10;"), STR_INIT("\n")},
                    {STR_INIT("&#xA;"), STR_INIT("\n")},  {STR_INIT("&rsquo;"), STR_INIT("’")},
                    {STR_INIT("&middot;"), STR_INIT("·")}};
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        if (str_istarts(text, entities[i].name)) {
            *meant = entities[i].text;
            return entities[i].name.len;
        }
    }
    return 0;
}

/* Bytes of the escape of one byte over 0x7F at the front of a text, "\xe6", "\346", with as many
 * backslashes as strings in strings give it; 0 when it is none. */
static size_t byte_escape(struct str text, char *byte)
{
    size_t at = 0;
    unsigned value = 0;
    while (at < text.len && at < SLASHES_MAX && text.ptr[at] == '\\') {
        at++;
    }
    bool is_hex = at < text.len && text.ptr[at] == 'x';
    size_t digits = is_hex ? 2 : 3, begin = at + is_hex;
    for (size_t i = begin; i < begin + digits; i++) {
        int digit = i < text.len ? str_hex_value(text.ptr[i]) : -1;
        if (at == 0 || digit < 0 || (!is_hex && digit > 7)) {
            return 0;
        }
        value = value * (is_hex ? 16 : 8) + (unsigned)digit;
    }
    *byte = (char)(value & 0xFF);
    return value >= 0x80 && value <= 0xFF ? begin + digits : 0;
}

/* The same of the escapes of one character, whose bytes go to out. */
static size_t char_escape(struct str text, struct buf *out)
{
    char bytes[CHAR_BYTES_MAX];
    size_t at = 0, count = 0;
    uint32_t code_point;
    for (size_t length; count < CHAR_BYTES_MAX; at += length) {
        length = byte_escape(str_slice(text, at, text.len), &bytes[count]);
        if (length == 0) {
            break;
        }
        count++;
        if (utf8_decode((struct str){bytes, count}, 0, &code_point) == count) {
            buf_add(out, (struct str){bytes, count});
            return at + length;
        }
    }
    return 0;
}

/* What of the spellings a text has. */
struct signs {
    bool has_entities, has_doubles, has_halves, has_bytes;
};

static struct signs signs_of(struct str text, bool is_log)
{
    struct signs signs = {.has_bytes =
                              str_find(text, STR("\\x")) >= 0 || str_find(text, STR("\\3")) >= 0};
    if (!is_log) {
        bool is_page = str_ifind(text, STR("<html")) >= 0 || str_ifind(text, STR("<title")) >= 0;
        signs.has_entities = str_find_char(text, '&') >= 0 && !is_page;
        signs.has_doubles = str_find(text, STR("{\"\"")) >= 0;
        signs.has_halves = str_find(text, STR("''")) >= 0;
    }
    return signs;
}

/* Whether text[at] is the first of two quotes within a word: "didn''t". */
static bool is_doubled(struct str text, size_t at)
{
    return at > 0 && at + 2 < text.len && text.ptr[at + 1] == '\'' &&
           str_is_letter(text.ptr[at - 1]) && str_is_letter(text.ptr[at + 2]);
}

/* Bytes at text[at] that are spelled anew, and what they mean added to out; 0: they are not. */
static size_t respell_at(struct str text, size_t at, const struct signs *signs, struct buf *out)
{
    struct str rest = str_slice(text, at, text.len), meant;
    char c = text.ptr[at];
    if (c == '\\' && signs->has_bytes) {
        return char_escape(rest, out);
    }
    if (c == '&' && signs->has_entities) {
        size_t length = respell_entity(rest, &meant);
        buf_add(out, length ? meant : STR(""));
        return length;
    }
    if ((c == '"' && signs->has_doubles && str_starts(rest, STR("\"\""))) ||
        (c == '\'' && signs->has_halves && is_doubled(text, at))) {
        buf_add_char(out, c);
        return 2;
    }
    return 0;
}

struct str respell_plain(struct arena *arena, struct str text, bool is_log)
{
    struct signs signs = signs_of(text, is_log);
    struct buf out = buf_create(text.len + 1);
    size_t copied = 0;
    if (!signs.has_bytes && !signs.has_entities && !signs.has_doubles && !signs.has_halves) {
        return text;
    }
    for (size_t at = 0; at < text.len;) {
        size_t length = 0;
        if (str_is_of(text.ptr[at], "\\&\"'")) {
            buf_add(&out, str_slice(text, copied, at));
            copied = at;
            length = respell_at(text, at, &signs, &out);
            copied += length;
        }
        at += length ? length : 1;
    }
    buf_add(&out, str_slice(text, copied, text.len));
    struct str plain = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return plain;
}
