/* Which proxy a request takes. Takes the configured one and the variables, gives the decision, so
 * that libcurl reads no variable behind our back and we know whether a proxy was in between. */
#include "probe/proxy.h"

#include <curl/curl.h>

static struct str url_part(struct arena *arena, struct str url, CURLUPart which)
{
    CURLU *handle = curl_url();
    char *part = NULL;
    struct str found = {NULL, 0};
    if (handle && curl_url_set(handle, CURLUPART_URL, arena_cstr(arena, url), 0) == CURLUE_OK &&
        curl_url_get(handle, which, &part, 0) == CURLUE_OK) {
        found = arena_dup(arena, str_from(part));
    }
    curl_free(part);
    curl_url_cleanup(handle);
    return found;
}

static struct value variable(struct arena *arena, const void *context, struct str name)
{
    return (struct value){.text = env_get(context, arena_cstr(arena, name)),
                          .origin = {ORIGIN_ENV, name, 0, 0}};
}

struct value proxy_choose(struct arena *arena, const struct env *env, struct str url,
                          const struct value *configured)
{
    if (str_is_set(configured->text)) {
        return *configured;
    }
    bool is_https = str_ieq(url_part(arena, url, CURLUPART_SCHEME), STR("https"));
    struct value proxy =
        proxy_of_variables(arena, is_https, url_part(arena, url, CURLUPART_HOST), variable, env);
    return str_is_set(proxy.text) ? proxy : (struct value){.text = STR("")};
}
