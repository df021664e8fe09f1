/* Checks of base URLs and proxies. Takes what the user wrote, gives its parts and problems with
 * what to write instead. libcurl parses, since it will make the request. */
#include "config/url.h"

#include "config/note.h"

#include <curl/curl.h>

#define URL_BYTES_MAX 2048

struct checker {
    struct arena *arena;
    struct mask mask;
    const struct value *value;
    struct str label;
    struct problems *problems;
};

static struct problem *note(const struct checker *c, bool is_warning, struct str suggestion,
                            const char *wrong)
{
    struct str shown =
        note_quote(c->arena, &c->mask, url_without_credentials(c->arena, c->value->text));
    struct str message =
        arena_printf(c->arena, "%.*s = %.*s %s", STR_ARG(c->label), STR_ARG(shown), wrong);
    struct problem *problem =
        note_add(c->arena, c->problems, c->value->origin, STR("bad_value"), is_warning, message);
    problem->suggestion = suggestion;
    return problem;
}

static bool refuse(const struct checker *c, struct str suggestion, const char *expected)
{
    note(c, false, suggestion, expected);
    return false;
}

static void warn(const struct checker *c, struct str suggestion, const char *wrong)
{
    note(c, true, suggestion, wrong);
}

struct str url_credentials(struct str url)
{
    ptrdiff_t start = str_find(url, STR("://"));
    struct str rest = start < 0 ? url : str_slice(url, (size_t)start + 3, url.len);
    size_t end = 0, at = 0;
    bool is_found = false;
    while (end < rest.len && !str_is_of(rest.ptr[end], "/?#")) {
        if (rest.ptr[end] == '@') {
            at = end;
            is_found = true;
        }
        end++;
    }
    return is_found ? str_slice(rest, 0, at) : (struct str){NULL, 0};
}

struct str url_without_credentials(struct arena *arena, struct str url)
{
    struct str hidden = url_credentials(url);
    if (!str_is_set(hidden)) {
        return url;
    }
    size_t from = (size_t)(hidden.ptr - url.ptr);
    return arena_printf(arena, "%.*s[masked]%.*s", STR_ARG(str_slice(url, 0, from)),
                        STR_ARG(str_slice(url, from + hidden.len, url.len)));
}

static struct str part_of(struct arena *arena, CURLU *handle, CURLUPart part)
{
    char *text = NULL;
    struct str copy = {NULL, 0};
    if (curl_url_get(handle, part, &text, 0) == CURLUE_OK) {
        copy = arena_dup(arena, str_from(text));
    }
    curl_free(text);
    return copy;
}

static struct str lower_host(struct arena *arena, struct str host)
{
    if (str_starts(host, STR("[")) && str_ends(host, STR("]"))) {
        host = str_slice(host, 1, host.len - 1);
    }
    return arena_lower(arena, host);
}

static bool is_local(struct str host)
{
    return str_eq(host, STR("localhost")) || str_starts(host, STR("127.")) ||
           str_eq(host, STR("::1")) || str_starts(host, STR("192.168.")) ||
           str_starts(host, STR("10."));
}

/* What can be seen before a parser is asked, each with a remedy of its own. */
static bool check_text(const struct checker *c)
{
    struct str text = c->value->text;
    struct str bare = str_trim(text);
    const struct str none = {NULL, 0};
    if (bare.len == 0) {
        return refuse(c, none, "is empty: expected a URL like \"https://host/v1\", or nothing");
    }
    if (text.len > URL_BYTES_MAX) {
        return refuse(c, none, "is longer than 2048 bytes, which is no base URL");
    }
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 0x7F) {
            bool is_inside = str_trim(text).len == text.len;
            return refuse(c, is_inside ? none : bare,
                          "has a blank, line end or control character in it: remove it");
        }
    }
    if (str_is_of(text.ptr[0], "\"'`") || str_is_of(text.ptr[text.len - 1], "\"'`")) {
        return refuse(c, none, "has quotes around the URL: remove them");
    }
    if (str_starts(text, STR("$")) || str_find(text, STR("${")) >= 0 ||
        str_find_char(text, '<') >= 0 || str_ifind(text, STR("your-")) >= 0 ||
        str_ifind(text, STR("your_")) >= 0) {
        return refuse(c, none, "still holds a placeholder: write the real address");
    }
    if (str_find(text, STR("://")) < 0) {
        struct str host = str_slice(text, 0, text.len);
        while (str_starts(host, STR("/"))) {
            host = str_slice(host, 1, host.len);
        }
        const char *scheme =
            is_local(host) || str_istarts(host, STR("localhost")) ? "http" : "https";
        struct str better = arena_printf(c->arena, "%s://%.*s", scheme, STR_ARG(host));
        return refuse(c, url_credentials(text).len ? none : better,
                      "has no scheme: expected http:// or https:// before the host");
    }
    struct str rest = str_slice(text, (size_t)str_find(text, STR("://")) + 3, text.len);
    if (rest.len == 0 || str_is_of(rest.ptr[0], "/?#")) {
        return refuse(c, none, "has no host in it"); /* libcurl would take the path for one */
    }
    return true;
}

static bool parse(const struct checker *c, struct url *url)
{
    const struct str none = {NULL, 0};
    CURLU *handle = curl_url();
    bool is_good = false;
    CURLUcode code = handle
                         ? curl_url_set(handle, CURLUPART_URL, arena_cstr(c->arena, c->value->text),
                                        CURLU_NON_SUPPORT_SCHEME)
                         : CURLUE_OUT_OF_MEMORY;
    if (code != CURLUE_OK) {
        const char *why = code == CURLUE_BAD_PORT_NUMBER
                              ? "has no port that exists: expected a number from 1 to 65535"
                          : code == CURLUE_NO_HOST || code == CURLUE_BAD_HOSTNAME
                              ? "has no usable host name"
                              : "is no URL: expected something like \"https://host/v1\"";
        refuse(c, none, why);
        goto out;
    }
    struct str scheme = part_of(c->arena, handle, CURLUPART_SCHEME);
    struct str port = part_of(c->arena, handle, CURLUPART_PORT);
    url->host = lower_host(c->arena, part_of(c->arena, handle, CURLUPART_HOST));
    if (!str_ieq(scheme, STR("http")) && !str_ieq(scheme, STR("https"))) {
        refuse(c, none, "has a scheme that is not asked: expected http:// or https://");
        goto out;
    }
    if (url->host.len == 0 || str_eq(port, STR("0"))) {
        refuse(c, none, url->host.len ? "has port 0, which no server has" : "has no host in it");
        goto out;
    }
    url->query = part_of(c->arena, handle, CURLUPART_QUERY);
    url->path = part_of(c->arena, handle, CURLUPART_PATH);
    while (str_ends(url->path, STR("/"))) {
        url->path.len--;
    }
    const CURLUPart dropped[] = {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY,
                                 CURLUPART_FRAGMENT};
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
        curl_url_set(handle, dropped[i], NULL, 0);
    }
    url->text = part_of(c->arena, handle, CURLUPART_URL);
    while (str_ends(url->text, STR("/"))) {
        url->text.len--;
    }
    is_good = true;
out:
    curl_url_cleanup(handle);
    return is_good;
}

bool url_check(struct arena *arena, const struct rules *rules, const struct value *base_url,
               struct str label, struct problems *problems, struct url *url)
{
    const struct checker c = {arena, note_mask(rules), base_url, label, problems};
    *url = (struct url){0};
    url->credentials = url_credentials(base_url->text);
    if (!check_text(&c) || !parse(&c, url)) {
        return false;
    }
    if (url->credentials.len) {
        warn(&c, url->text,
             "has a user name or password in it, which is not sent: use headers instead");
    }
    if (str_find_char(base_url->text, '#') >= 0) {
        warn(&c, url->text, "has a \"#\" part, which is never sent");
    }
    return true;
}

/* Two equal segments one behind the other, as in "/v1/v1". Gives the path with one of them. */
static bool find_repeat(struct arena *arena, struct str path, struct str *shorter)
{
    struct str rest = path, part, last = {NULL, 0};
    while (str_split(&rest, '/', &part)) {
        if (part.len && str_eq(part, last)) {
            size_t end = (size_t)(part.ptr - path.ptr) - 1;
            *shorter = arena_printf(arena, "%.*s%.*s", STR_ARG(str_slice(path, 0, end)),
                                    STR_ARG(str_slice(path, end + part.len + 1, path.len)));
            return true;
        }
        last = part;
    }
    return false;
}

/* How much of the wire's path the URL ends with already: all of "/v1/messages", or "/v1". */
static size_t pasted_length(struct str path, struct str wire_path)
{
    for (size_t length = wire_path.len; length > 0; length--) {
        bool is_whole_part = length == wire_path.len || wire_path.ptr[length] == '/';
        if (is_whole_part && str_ends(path, str_slice(wire_path, 0, length))) {
            return length;
        }
    }
    return 0;
}

static size_t pasted_of_any(struct str path, const struct wire *wire)
{
    size_t longest = wire ? pasted_length(path, wire->path) : 0;
    for (size_t i = 0; i < wire_count(); i++) {
        struct str other = wire_at(i)->path;
        if (str_ends(path, other) && other.len > longest) {
            longest = other.len;
        }
    }
    return longest;
}

void url_check_slips(struct arena *arena, const struct rules *rules, const struct value *base_url,
                     struct str label, const struct url *url, const struct wire *wire,
                     struct problems *problems)
{
    const struct checker c = {arena, note_mask(rules), base_url, label, problems};
    struct str root = str_slice(url->text, 0, url->text.len - url->path.len);
    struct str shorter;
    size_t pasted = pasted_of_any(url->path, wire);
    if (pasted) {
        struct str better = str_slice(url->text, 0, url->text.len - pasted);
        struct str part = str_slice(url->path, url->path.len - pasted, url->path.len);
        struct str wrong =
            arena_printf(arena, "ends in \"%.*s\", which is added to it again", STR_ARG(part));
        warn(&c, better, wrong.ptr);
        return;
    }
    if (find_repeat(arena, url->path, &shorter)) {
        note(&c, true, arena_printf(arena, "%.*s%.*s", STR_ARG(root), STR_ARG(shorter)),
             "has one part of its path twice")
            ->is_guess = true;
        return;
    }
    const struct provider *provider = rules_provider_of_host(rules, url->host);
    if (!provider || str_is_empty(provider->base_url)) {
        return;
    }
    if (str_istarts(url->text, STR("http://")) &&
        str_istarts(provider->base_url, STR("https://"))) {
        warn(&c, arena_printf(arena, "https%.*s", STR_ARG(str_slice(url->text, 4, url->text.len))),
             "would send the key without encryption: this provider is reached by https://");
    } else if (url->path.len == 0 && str_starts(provider->base_url, root) &&
               provider->base_url.len > root.len + 1) {
        note(&c, true, provider->base_url, "lacks the path that this provider's base URL has")
            ->is_guess = true;
    }
}

bool url_check_proxy(struct arena *arena, const struct rules *rules, const struct value *proxy,
                     struct problems *problems)
{
    static const struct str schemes[] = {
        STR_INIT("http"),    STR_INIT("https"),  STR_INIT("socks4"),
        STR_INIT("socks4a"), STR_INIT("socks5"), STR_INIT("socks5h"),
    };
    const struct checker c = {arena, note_mask(rules), proxy, STR("proxy"), problems};
    const struct str none = {NULL, 0};
    if (str_is_empty(proxy->text)) {
        return true; /* "" = no proxy, whatever the environment says */
    }
    CURLU *handle = curl_url();
    bool is_good = handle && proxy->text.len <= URL_BYTES_MAX &&
                   curl_url_set(handle, CURLUPART_URL, arena_cstr(arena, proxy->text),
                                CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME) == CURLUE_OK;
    struct str scheme = is_good ? part_of(arena, handle, CURLUPART_SCHEME) : none;
    curl_url_cleanup(handle);
    bool is_known = false;
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        is_known = is_known || str_ieq(scheme, schemes[i]);
    }
    if (is_good && is_known) {
        return true;
    }
    return refuse(&c, none,
                  is_good ? "has a scheme that no proxy has: expected http, https, socks4, "
                            "socks4a, socks5 or socks5h"
                          : "is no proxy: expected something like \"http://host:3128\"");
}
