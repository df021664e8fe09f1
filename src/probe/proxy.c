/* Which proxy a request takes. Takes the configured one and the variables, gives the decision, so
 * that libcurl reads no variable behind our back and we know whether a proxy was in between. */
#include "probe/proxy.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <string.h>

/* First of the two variables that is set to something, as libcurl takes it. */
static struct str variable(const struct env *env, const char *lower, const char *upper)
{
    struct str value = env_get(env, lower);
    return str_is_empty(value) && upper ? env_get(env, upper) : value;
}

/* Bytes of an IPv4 or IPv6 address; gives their number, 0 when it is none. */
static size_t address_bytes(struct arena *arena, struct str text, unsigned char bytes[16])
{
    const char *c = arena_cstr(arena, text);
    return inet_pton(AF_INET, c, bytes) == 1 ? 4 : inet_pton(AF_INET6, c, bytes) == 1 ? 16 : 0;
}

static bool is_in_network(struct arena *arena, struct str host, struct str entry)
{
    unsigned char have[16], want[16];
    ptrdiff_t slash = str_find_char(entry, '/');
    struct str network = slash < 0 ? entry : str_slice(entry, 0, (size_t)slash);
    size_t size = address_bytes(arena, host, have);
    int64_t bits = (int64_t)size * 8;
    if (size == 0 || address_bytes(arena, network, want) != size ||
        (slash >= 0 && !str_to_i64(str_slice(entry, (size_t)slash + 1, entry.len), &bits)) ||
        bits < 0 || bits > (int64_t)size * 8) {
        return false;
    }
    size_t whole = (size_t)bits / 8, left = (size_t)bits % 8;
    unsigned char mask = (unsigned char)(0xff00U >> left);
    return memcmp(have, want, whole) == 0 &&
           (left == 0 || ((have[whole] ^ want[whole]) & mask) == 0);
}

static bool is_same_or_below(struct str host, struct str domain)
{
    if (str_ieq(host, domain)) {
        return true;
    }
    return host.len > domain.len && host.ptr[host.len - domain.len - 1] == '.' &&
           str_ieq(str_slice(host, host.len - domain.len, host.len), domain);
}

static struct str without_edges(struct str s, const char *front, const char *back)
{
    if (s.len && *front && s.ptr[0] == *front) {
        s = str_slice(s, 1, s.len);
    }
    if (s.len && *back && s.ptr[s.len - 1] == *back) {
        s.len--;
    }
    return s;
}

bool proxy_is_exempt(struct arena *arena, struct str host, struct str no_proxy)
{
    host = without_edges(without_edges(host, "[", "]"), "", ".");
    size_t end;
    for (size_t at = 0; at < no_proxy.len; at = end + 1) {
        for (end = at; end < no_proxy.len && !strchr(", \t", no_proxy.ptr[end]);) {
            end++;
        }
        struct str entry = str_slice(no_proxy, at, end);
        struct str name = without_edges(without_edges(entry, ".", "."), "[", "]");
        if (str_eq(entry, STR("*")) ||
            (name.len && (is_same_or_below(host, name) || is_in_network(arena, host, name)))) {
            return true;
        }
    }
    return false;
}

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

struct str proxy_choose(struct arena *arena, const struct env *env, struct str url,
                        struct str configured)
{
    if (str_is_set(configured)) {
        return configured;
    }
    bool is_https = str_ieq(url_part(arena, url, CURLUPART_SCHEME), STR("https"));
    struct str proxy =
        is_https ? variable(env, "https_proxy", "HTTPS_PROXY") : variable(env, "http_proxy", NULL);
    if (str_is_empty(proxy)) {
        proxy = variable(env, "all_proxy", "ALL_PROXY");
    }
    if (str_is_empty(proxy) || proxy_is_exempt(arena, url_part(arena, url, CURLUPART_HOST),
                                               variable(env, "no_proxy", "NO_PROXY"))) {
        return STR("");
    }
    return proxy;
}
