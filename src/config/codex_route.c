/* The way of Codex's requests, as far as it differs from that of other programs: certificates by a
 * variable of its own, HTTP_PROXY, and where a base_url with a query leads. */
#include "config/codex.h"

#include "config/layer.h"
#include "core/proxy.h"

/* Codex takes HTTP_PROXY for http URLs as well, which most programs leave alone, since a caller of
 * a CGI program could set it. */
static void find_plain_proxy(struct codex *codex, struct draft *draft)
{
    struct problems ignored = {0};
    struct url url;
    struct value lower = overlay_get(codex->arena, &codex->overlay, STR("http_proxy"));
    struct value proxy = overlay_get(codex->arena, &codex->overlay, STR("HTTP_PROXY"));
    if (!str_istarts(draft->base_url.text, STR("http:")) || !str_is_empty(lower.text) ||
        str_is_empty(proxy.text) ||
        !url_check(codex->arena, codex->rules, &draft->base_url, STR(""), &ignored, &url)) {
        return;
    }
    struct value no_proxy = overlay_get(codex->arena, &codex->overlay, STR("no_proxy"));
    if (str_is_empty(no_proxy.text)) {
        no_proxy = overlay_get(codex->arena, &codex->overlay, STR("NO_PROXY"));
    }
    bool is_exempt = proxy_is_exempt(codex->arena, url.host, no_proxy.text);
    draft->proxy = is_exempt ? layer_over(codex->arena, proxy, STR(""), no_proxy.origin) : proxy;
}

void codex_find_route(struct codex *codex, struct draft *draft)
{
    struct value own = overlay_get(codex->arena, &codex->overlay, STR("CODEX_CA_CERTIFICATE"));
    if (!str_is_empty(own.text)) {
        draft->ca_file = own;
        draft->ca_path = own.text;
    }
    find_plain_proxy(codex, draft);
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
