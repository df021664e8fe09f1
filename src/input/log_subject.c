/* Whom an entry of a log is about. Takes its bytes, finds the names of model, provider and host
 * where their usual leads stand before them; judges nothing. */
#include "input/log_subject.h"

#define NAME_BYTES_MAX 64
#define RUN_BYTES_MAX (2 * NAME_BYTES_MAX) /* of a name and signs behind it; more is none */
#define SEARCH_BYTES_MAX ((size_t)16 * 1024)

static bool is_name(char c)
{
    return str_is_alnum(c) || str_is_of(c, "-._:/@+");
}

/* The name at text[at], blanks and quotes before it left off; unset when there is none. */
static struct str name_at(struct str text, size_t at)
{
    while (at < text.len && str_is_of(text.ptr[at], " \\\"'`")) {
        at++;
    }
    size_t end = at;
    while (end < text.len && end - at < RUN_BYTES_MAX && is_name(text.ptr[end])) {
        end++;
    }
    while (end > at && str_is_of(text.ptr[end - 1], ".:/")) {
        end--;
    }
    bool is_one = end > at && end - at <= NAME_BYTES_MAX && text.ptr[at] != '.';
    return is_one ? str_slice(text, at, end) : (struct str){NULL, 0};
}

static bool is_word(char c)
{
    return str_is_letter(c) || c == '_';
}

/* The name behind a word and a sign: model=x, "model":"x", model = x. */
static struct str name_behind(struct str entry, struct str word)
{
    entry = str_slice(entry, 0, SEARCH_BYTES_MAX);
    for (size_t from = 0; from < entry.len;) {
        ptrdiff_t hit = str_find(str_slice(entry, from, entry.len), word);
        if (hit < 0) {
            break;
        }
        size_t begin = from + (size_t)hit, at = begin + word.len;
        while (at < entry.len && str_is_of(entry.ptr[at], " \\\"'")) {
            at++;
        }
        bool is_whole = begin == 0 || !is_word(entry.ptr[begin - 1]);
        bool has_sign = at < entry.len && (entry.ptr[at] == ':' || entry.ptr[at] == '=');
        struct str name = is_whole && has_sign ? name_at(entry, at + 1) : (struct str){NULL, 0};
        if (name.len > 1) {
            return name;
        }
        from = begin + word.len;
    }
    return (struct str){NULL, 0};
}

struct str log_subject_model(struct str entry)
{
    return name_behind(entry, STR("model"));
}

struct str log_subject_provider(struct str entry)
{
    return name_behind(entry, STR("provider"));
}

struct str log_subject_host(struct str entry)
{
    static const struct str own[] = {STR_INIT("localhost"), STR_INIT("127.")};
    entry = str_slice(entry, 0, SEARCH_BYTES_MAX);
    for (size_t from = 0; from < entry.len;) {
        ptrdiff_t hit = str_find(str_slice(entry, from, entry.len), STR("://"));
        if (hit < 0) {
            break;
        }
        size_t begin = from + (size_t)hit + 3, end = begin;
        while (end < entry.len && is_name(entry.ptr[end]) && !str_is_of(entry.ptr[end], ":/@")) {
            end++;
        }
        struct str host = str_slice(entry, begin, end);
        if (host.len && !str_starts(host, own[0]) && !str_starts(host, own[1])) {
            return host;
        }
        from = begin;
    }
    return (struct str){NULL, 0};
}
