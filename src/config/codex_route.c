/* The way of Codex's requests: certificates by variables of its own, and a proxy that only its .env
 * file names, which no other program sees; and where a base_url with a query leads. Proxies of the
 * shell are the probe's own business. */
#include "config/codex.h"

#include "config/layer.h"

#include <unistd.h>

static void find_ca_file(struct codex *codex, struct draft *draft)
{
    const struct str names[] = {STR("CODEX_CA_CERTIFICATE"), STR("SSL_CERT_FILE")};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !str_is_set(draft->ca_file.text);
         i++) {
        struct value value = overlay_get(codex->arena, &codex->overlay, names[i]);
        if (!str_is_empty(value.text) && access(arena_cstr(codex->arena, value.text), R_OK) == 0) {
            draft->ca_file = value;
            draft->ca_path = value.text;
        }
    }
}

/* Host of a URL without port; enough to compare with NO_PROXY. */
static struct str host_of(struct str url)
{
    ptrdiff_t start = str_find(url, STR("://"));
    struct str rest = start < 0 ? url : str_slice(url, (size_t)start + 3, url.len);
    size_t end = 0;
    while (end < rest.len && rest.ptr[end] != '/' && rest.ptr[end] != ':' && rest.ptr[end] != '?') {
        end++;
    }
    return str_slice(rest, 0, end);
}

static bool is_exempt(struct str host, struct str no_proxy)
{
    struct str rest = no_proxy, entry;
    while (str_split(&rest, ',', &entry)) {
        entry = str_trim(entry);
        while (str_starts(entry, STR("."))) {
            entry = str_slice(entry, 1, entry.len);
        }
        bool is_below = entry.len && host.len > entry.len && str_ends(host, entry) &&
                        host.ptr[host.len - entry.len - 1] == '.';
        if (str_eq(entry, STR("*")) || (entry.len && str_ieq(entry, host)) || is_below) {
            return true;
        }
    }
    return false;
}

/* The first of the names that is set to something. */
static struct value first_of(struct codex *codex, const char *const *names)
{
    struct value value = {0};
    for (size_t i = 0; names[i] && str_is_empty(value.text); i++) {
        value = overlay_get(codex->arena, &codex->overlay, str_from(names[i]));
    }
    return value;
}

void codex_find_route(struct codex *codex, struct draft *draft)
{
    static const char *const secure[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
                                         NULL};
    static const char *const plain[] = {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", NULL};
    static const char *const exempt[] = {"no_proxy", "NO_PROXY", NULL};
    bool is_secure = str_istarts(draft->base_url.text, STR("https://"));
    find_ca_file(codex, draft);
    struct value proxy = first_of(codex, is_secure ? secure : plain);
    struct value no_proxy = first_of(codex, exempt);
    bool is_of_file = proxy.origin.kind == ORIGIN_FILE ||
                      (no_proxy.origin.kind == ORIGIN_FILE && proxy.text.len > 0);
    if (!is_of_file || proxy.text.len == 0) {
        return;
    }
    if (is_exempt(host_of(draft->base_url.text), no_proxy.text)) {
        proxy = (struct value){.text = STR(""), .origin = no_proxy.origin};
    }
    draft->proxy = proxy;
}

void codex_follow_query(struct codex *codex, struct codex_target *item, struct str params)
{
    struct draft *draft = &item->draft;
    const struct wire *wire = wire_find(item->target.wire);
    ptrdiff_t mark = str_find_char(draft->base_url.text, '?');
    if (mark < 0 || !wire || item->target.is_unsendable) {
        return;
    }
    struct str query = str_slice(draft->base_url.text, (size_t)mark + 1, draft->base_url.text.len);
    item->target.path = STR("");
    item->target.query = arena_printf(codex->arena, "%.*s%.*s%s%.*s", STR_ARG(query),
                                      STR_ARG(wire->path), params.len ? "?" : "", STR_ARG(params));
    draft->query.text = params;
    note_add(codex->arena, &item->target.problems, draft->base_url.origin, STR("bad_value"), true,
             arena_printf(codex->arena,
                          "base_url has a query, behind which Codex puts %.*s: the request goes to "
                          "the wrong path",
                          STR_ARG(wire->path)))
        ->suggestion = STR("query_params = { NAME = \"VALUE\" }");
}
