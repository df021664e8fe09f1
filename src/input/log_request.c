/* Requests that entries of logs name. Takes the bytes behind a word that an address may stand
 * behind (log_request.def), reads the address and how it stands there; judges nothing. */
#include "input/log_request.h"

#define LEAD_SIGNS " \"'`:=|\\" /* between a request's lead and its address */
#define LEAD_BYTES_MAX 16       /* so many of them */

struct str log_path_of(struct str address)
{
    ptrdiff_t scheme = str_starts(address, STR("/")) ? -1 : str_find(address, STR("://"));
    struct str rest = str_slice(address, scheme < 0 ? 0 : (size_t)scheme + 3, address.len);
    struct str path = str_slice(rest, str_next_char(rest, 0, '/'), rest.len);
    return str_slice(path, 0, str_next_char(path, 0, '?'));
}

bool log_path_is_bare(struct str path)
{
    return path.len < 2 || str_eq(path, STR("/v1")) || str_eq(path, STR("/v1/")) ||
           str_eq(path, STR("/api")) || str_eq(path, STR("/api/"));
}

static bool holds_any(struct str path, const struct str *words, size_t count)
{
    size_t i = 0;
    while (i < count && str_find(path, words[i]) < 0) {
        i++;
    }
    return i < count;
}

/* Whether a path is that of an app's own settings, "/api/profiles/switch/ollama": no call of what
 * they name. */
static bool is_setting(struct str path)
{
    static const struct str settings[] = {STR_INIT("/profiles"), STR_INIT("/settings"),
                                          STR_INIT("/providers"), STR_INIT("_provider"),
                                          STR_INIT("/activate")};
    static const struct str calls[] = {
        STR_INIT("/v1"),    STR_INIT("complet"), STR_INIT("message"), STR_INIT("respons"),
        STR_INIT("embedd"), STR_INIT("generat"), STR_INIT("model"),   STR_INIT("chat"),
        STR_INIT("invoke"), STR_INIT("convers"), STR_INIT("test")};
    return holds_any(path, settings, sizeof settings / sizeof settings[0]) &&
           !holds_any(path, calls, sizeof calls / sizeof calls[0]);
}

bool log_path_is_page(struct str path)
{
    static const struct str begins[] = {
        STR_INIT("/."),      STR_INIT("/wp-"),       STR_INIT("/admin"),  STR_INIT("/login"),
        STR_INIT("/signin"), STR_INIT("/dashboard"), STR_INIT("/static"), STR_INIT("/assets")};
    static const struct str ends[] = {STR_INIT(".ico"), STR_INIT(".txt"),   STR_INIT(".php"),
                                      STR_INIT(".js"),  STR_INIT(".css"),   STR_INIT(".png"),
                                      STR_INIT(".svg"), STR_INIT(".xml"),   STR_INIT(".html"),
                                      STR_INIT(".map"), STR_INIT(".jpg"),   STR_INIT(".asp"),
                                      STR_INIT(".jsp"), STR_INIT(".woff2"), STR_INIT(".aspx")};
    return is_setting(path) || STARTS_ANY(path, begins) || ENDS_ANY(path, ends);
}

/* Offset of the quote that ends the line of a request behind its address, /a HTTP/1.1", in a string
 * of JSON behind a backslash; 0 where none does. */
static size_t line_end(struct str behind)
{
    struct str version = str_slice(behind, 0, sizeof " HTTP/1.1\\\"" - 1);
    size_t quote = str_next_char(version, 0, '"');
    return str_starts(version, STR(" HTTP/")) && quote < version.len ? quote : 0;
}

static bool has_status(struct str behind)
{
    size_t quote = line_end(behind);
    struct str status = str_slice(behind, quote + 2, behind.len);
    return quote > 0 && status.len && status.ptr[0] >= '1' && status.ptr[0] <= '5';
}

/* Where the address at text[from] ends. */
static size_t address_end(struct str text, size_t from)
{
    while (from < text.len && !str_is_blank(text.ptr[from]) &&
           !str_is_of(text.ptr[from], "\"'`<>,)\\")) {
        from++;
    }
    return from;
}

/* Whether a proxy was asked for a tunnel: CONNECT a.b:443 HTTP/1.1, the address at text[from]. */
static bool is_tunnel_at(struct str text, size_t at, size_t from)
{
    if (!str_starts(str_slice(text, at, text.len), STR("CONNECT "))) {
        return false; /* before the address is read, which may hold many leads */
    }
    size_t end = address_end(text, from);
    struct str address = str_slice(text, from, end);
    size_t colon = str_next_char(address, 0, ':');
    return colon + 1 < address.len && str_is_digit(address.ptr[colon + 1]) &&
           str_starts(str_slice(text, end, text.len), STR(" HTTP/"));
}

/* Behind the next member's name where a record's method ends at `end`: {"method": "GET", "path":
 * "/a"}. Else `end`. */
static size_t member_end(struct str text, size_t end)
{
    static const struct str names[] = {STR_INIT("\"path\""), STR_INIT("\"url\""),
                                       STR_INIT("\"uri\""), STR_INIT("\"route\"")};
    struct str rest = str_slice(text, end, text.len);
    size_t at = str_starts(rest, STR("\", ")) ? 3 : 2;
    if (!str_starts(rest, STR("\","))) {
        return end;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (str_starts(str_slice(rest, at, rest.len), names[i])) {
            return end + at + names[i].len;
        }
    }
    return end;
}

/* An address with the cause of a failure behind it, "Failed: http://b/a: refused", whose scheme
 * stands at text[at]. */
static struct log_request request_with_cause(struct str text, size_t at, size_t *end_before)
{
    *end_before = at < *end_before ? *end_before : address_end(text, at);
    struct str address = str_slice(text, at, *end_before);
    bool has_cause = str_ends(address, STR(":")) && *end_before + 1 < text.len;
    address = str_slice(address, 0, address.len - has_cause);
    bool is_told = has_cause && !log_path_is_bare(log_path_of(address));
    return (struct log_request){.address = is_told ? address : (struct str){NULL, 0}};
}

struct log_request log_request_at(struct str text, size_t at, size_t lead, size_t call,
                                  size_t *end_before)
{
    size_t end = at + (lead ? lead : call), from = end;
    if (end == at) {
        return (struct log_request){.is_served = false};
    }
    if (str_starts(str_slice(text, end, text.len), STR("://"))) {
        return request_with_cause(text, at, end_before);
    }
    bool is_whole = at == 0 || (text.ptr[at - 1] != '_' && text.ptr[at - 1] != '-');
    from = end = member_end(text, end);
    while (from < text.len && from < end + LEAD_BYTES_MAX &&
           str_is_of(text.ptr[from], LEAD_SIGNS)) {
        from++;
    }
    struct str address = str_slice(text, from, text.len);
    bool is_path = str_starts(address, STR("/"));
    bool is_tunnel = is_tunnel_at(text, at, from);
    if (!is_whole || from == end ||
        !(is_path || is_tunnel || str_istarts(address, STR("http:/")) ||
          str_istarts(address, STR("https:/")))) {
        return (struct log_request){.is_served = false};
    }
    *end_before = from < *end_before ? *end_before : address_end(text, from);
    struct str behind = str_slice(text, *end_before, text.len);
    bool is_served = has_status(behind);
    address = str_slice(text, from, *end_before);
    bool is_told =
        is_served || is_tunnel || (lead && is_path) || !log_path_is_bare(log_path_of(address));
    return (struct log_request){is_told ? address : (struct str){NULL, 0}, is_served,
                                lead && line_end(behind) > 0};
}

bool log_may_hold_address(struct str text)
{
    size_t at = str_next_char(text, 0, '/');
    while (at < text.len && !(at > 0 && str_is_of(text.ptr[at - 1], LEAD_SIGNS))) {
        at = str_next_char(text, at + 1, '/');
    }
    return at < text.len;
}

/* Whether a path is that of a program's source, which may lie in anybody's folder. */
static bool is_source(struct str path)
{
    static const struct str ends[] = {STR_INIT(".py"), STR_INIT(".js"), STR_INIT(".ts"),
                                      STR_INIT(".go"), STR_INIT(".rb"), STR_INIT(".java"),
                                      STR_INIT(".cs"), STR_INIT(".rs")};
    return ENDS_ANY(path, ends);
}

size_t log_place_end(struct str text, size_t end, size_t *end_before)
{
    size_t from = end;
    bool has_sign = false;
    while (from < text.len && from < end + LEAD_BYTES_MAX &&
           str_is_of(text.ptr[from], LEAD_SIGNS)) {
        has_sign = has_sign || str_is_of(text.ptr[from], ":=");
        from++;
    }
    if (!has_sign) {
        return end;
    }
    size_t to = *end_before = from < *end_before ? *end_before : address_end(text, from);
    struct str place = str_slice(text, from, to);
    bool is_path = str_find_char(place, '/') >= 0;
    return is_path && !is_source(place) ? end : to;
}
