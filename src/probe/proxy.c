/* Which proxy a request takes. Takes the configured one and the variables, gives the decision, so
 * that libcurl reads no variable behind our back and we know whether a proxy was in between. */
#include "probe/proxy.h"

#include <curl/curl.h>

static struct value variable(struct arena *arena, const void *context, struct str name)
{
    return (struct value){.text = env_get(context, arena_cstr(arena, name)),
                          .origin = {ORIGIN_ENV, name, 0, 0}};
}

struct value proxy_choose(struct arena *arena, const struct env *env, const struct url_place *place,
                          const struct value *configured)
{
    if (str_is_set(configured->text)) {
        return *configured;
    }
    bool is_https = str_starts(place->endpoint, STR("https:"));
    struct value proxy = proxy_of_variables(arena, is_https, place->name, variable, env);
    return str_is_set(proxy.text) ? proxy : (struct value){.text = STR("")};
}

struct str proxy_error_name(long number)
{
    static const struct {
        long number;
        struct str name;
    } rows[] = {
        {CURLPX_NO_AUTH, STR_INIT("no_auth")},
        {CURLPX_GSSAPI, STR_INIT("no_auth")},
        {CURLPX_USER_REJECTED, STR_INIT("user_rejected")},
        {CURLPX_REPLY_UNASSIGNED, STR_INIT("failed")},
        {CURLPX_REPLY_GENERAL_SERVER_FAILURE, STR_INIT("failed")},
        {CURLPX_REQUEST_FAILED, STR_INIT("failed")},
        {CURLPX_REPLY_NOT_ALLOWED, STR_INIT("not_allowed")},
        {CURLPX_REPLY_CONNECTION_REFUSED, STR_INIT("refused")},
        {CURLPX_REPLY_HOST_UNREACHABLE, STR_INIT("unreachable")},
        {CURLPX_REPLY_NETWORK_UNREACHABLE, STR_INIT("unreachable")},
        {CURLPX_REPLY_TTL_EXPIRED, STR_INIT("timed_out")},
        {CURLPX_BAD_VERSION, STR_INIT("not_socks")},
        {CURLPX_CLOSED, STR_INIT("closed")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].number == number) {
            return rows[i].name;
        }
    }
    return (struct str){NULL, 0};
}
