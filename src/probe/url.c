/* URLs as text. Takes what the user configured, gives what is requested and the endpoint it goes
 * to. Does not judge whether a URL is good: libcurl refuses a bad one, and that is an observation.
 */
#include "probe/url.h"

#include <curl/curl.h>

struct str url_join(struct arena *arena, struct str base, struct str path, struct str query)
{
    base = str_trim(base);
    ptrdiff_t fragment = str_find_char(base, '#');
    base = fragment < 0 ? base : str_slice(base, 0, (size_t)fragment);
    ptrdiff_t mark = str_find_char(base, '?');
    struct str own = mark < 0 ? STR("") : str_slice(base, (size_t)mark + 1, base.len);
    base = mark < 0 ? base : str_slice(base, 0, (size_t)mark);
    while (str_ends(base, STR("/")) && !str_ends(base, STR("://"))) {
        base.len--;
    }
    while (str_starts(path, STR("/"))) {
        path = str_slice(path, 1, path.len);
    }
    if (str_ends(base, STR("/v1")) && str_starts(path, STR("v1/"))) {
        path = str_slice(path, 3, path.len);
    }
    bool has_both = own.len && query.len;
    return arena_printf(arena, "%.*s%s%.*s%s%.*s%s%.*s", STR_ARG(base), path.len ? "/" : "",
                        STR_ARG(path), own.len || query.len ? "?" : "", STR_ARG(own),
                        has_both ? "&" : "", STR_ARG(query));
}

/* Scheme, host and port of a URL; false when it has none. */
static bool take_apart(struct arena *arena, struct str url, struct str parts[3])
{
    static const CURLUPart which[3] = {CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT};
    CURLU *handle = curl_url();
    /* Three slashes have no host between them; libcurl would take the path's first part for it. */
    bool is_whole = handle && str_find(url, STR(":///")) < 0 &&
                    curl_url_set(handle, CURLUPART_URL, arena_cstr(arena, url), 0) == CURLUE_OK;
    for (size_t i = 0; is_whole && i < 3; i++) {
        char *part = NULL;
        is_whole = curl_url_get(handle, which[i], &part, CURLU_DEFAULT_PORT) == CURLUE_OK;
        if (is_whole) {
            char *copy = (char *)(uintptr_t)arena_dup(arena, str_from(part)).ptr;
            for (char *c = copy; *c; c++) {
                *c = str_lower(*c);
            }
            parts[i] = str_from(copy);
        }
        curl_free(part);
    }
    curl_url_cleanup(handle);
    return is_whole;
}

struct url_place url_place(struct arena *arena, struct str url)
{
    struct str parts[3];
    if (!take_apart(arena, url, parts)) {
        return (struct url_place){.endpoint = url, .host = STR("unusable URL"), .name = STR("")};
    }
    struct str endpoint = arena_printf(arena, "%.*s://%.*s:%.*s", STR_ARG(parts[0]),
                                       STR_ARG(parts[1]), STR_ARG(parts[2]));
    return (struct url_place){
        .is_whole = true,
        .endpoint = endpoint,
        .host = str_slice(endpoint, parts[0].len + 3, endpoint.len),
        .name = parts[1],
    };
}

struct str url_host(struct arena *arena, struct str url)
{
    return url_place(arena, url).host;
}

struct str url_name(struct arena *arena, struct str url)
{
    struct str parts[3];
    return take_apart(arena, url, parts) ? parts[1] : STR("");
}
