/* Takes the URLs of targets apart, as far as the ladder, the scope and the placeholders need it.
 * Judges nothing: a URL that makes no sense gives empty parts. */
#include "triage/place.h"

struct str place_authority(struct str url)
{
    ptrdiff_t at = str_find(url, STR("://"));
    struct str rest = at < 0 ? url : str_slice(url, (size_t)at + 3, url.len);
    size_t end = 0;
    while (end < rest.len && rest.ptr[end] != '/' && rest.ptr[end] != '?' && rest.ptr[end] != '#') {
        end++;
    }
    rest = str_slice(rest, 0, end);
    size_t start = 0;
    for (size_t i = 0; i < rest.len; i++) {
        if (rest.ptr[i] == '@') {
            start = i + 1;
        }
    }
    return str_slice(rest, start, rest.len);
}

struct str place_host(struct str url)
{
    struct str authority = place_authority(url);
    if (authority.len > 0 && authority.ptr[0] == '[') {
        ptrdiff_t end = str_find_char(authority, ']');
        return end < 0 ? authority : str_slice(authority, 1, (size_t)end);
    }
    ptrdiff_t colon = str_find_char(authority, ':');
    return colon < 0 ? authority : str_slice(authority, 0, (size_t)colon);
}

struct str place_port(struct str url)
{
    struct str authority = place_authority(url);
    size_t at = authority.len;
    while (at > 0 && str_is_digit(authority.ptr[at - 1])) {
        at--;
    }
    if (at > 0 && at < authority.len && authority.ptr[at - 1] == ':') {
        return str_slice(authority, at, authority.len);
    }
    return place_is_plain_http(url) ? STR("80") : STR("443");
}

bool place_is_address(struct str host)
{
    bool has_colon = str_find_char(host, ':') >= 0;
    for (size_t i = 0; i < host.len; i++) {
        bool is_figure = str_is_digit(host.ptr[i]) || host.ptr[i] == '.';
        if (!is_figure && !has_colon) {
            return false;
        }
    }
    return host.len > 0;
}

bool place_is_loopback(struct str host)
{
    return str_ieq(host, STR("localhost")) || str_eq(host, STR("::1")) ||
           (str_starts(host, STR("127.")) && place_is_address(host)) ||
           (host.len > 10 && str_ieq(str_slice(host, host.len - 10, host.len), STR(".localhost")));
}

bool place_is_plain_http(struct str url)
{
    return str_istarts(url, STR("http://"));
}

struct str place_of_result(const struct result *result)
{
    const struct target *target = result->target;
    if (target == NULL) {
        return (struct str){NULL, 0};
    }
    const struct observation *observation = result->observation;
    if (observation && observation->is_through_proxy) {
        struct str seen = observation->proxy.text;
        struct str proxy = str_is_empty(seen) ? target->proxy.text : seen;
        if (!str_is_empty(proxy)) {
            return place_authority(proxy);
        }
    }
    return place_authority(target->base_url.text);
}
