/* Which proxy the variables name. Takes a way to look variables up, gives the proxy with who set
 * it. Everybody who needs the answer asks here: the list of settings, the plan and the request. */
#include "core/proxy.h"

#include <arpa/inet.h>
#include <string.h>

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
        for (end = at; end < no_proxy.len && !str_is_of(no_proxy.ptr[end], ", \t");) {
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

/* First of the two variables that is set to something, as libcurl takes it. */
static struct value first_of(struct arena *arena, proxy_variable *variable, const void *context,
                             struct str lower, struct str upper)
{
    struct value value = variable(arena, context, lower);
    return str_is_empty(value.text) && upper.len ? variable(arena, context, upper) : value;
}

struct value proxy_of_variables(struct arena *arena, bool is_https, struct str host,
                                proxy_variable *variable, const void *context)
{
    struct value proxy =
        first_of(arena, variable, context, is_https ? STR("https_proxy") : STR("http_proxy"),
                 is_https ? STR("HTTPS_PROXY") : STR(""));
    if (str_is_empty(proxy.text)) {
        proxy = first_of(arena, variable, context, STR("all_proxy"), STR("ALL_PROXY"));
    }
    if (str_is_empty(proxy.text)) {
        return (struct value){0};
    }
    struct value except = first_of(arena, variable, context, STR("no_proxy"), STR("NO_PROXY"));
    if (!proxy_is_exempt(arena, host, except.text)) {
        return proxy;
    }
    struct value *shadowed = ARENA_NEW(arena, struct value);
    *shadowed = proxy;
    return (struct value){.text = STR(""), .origin = except.origin, .shadowed = shadowed};
}
