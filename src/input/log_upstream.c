/* Where requests go behind a web server or a balancer. Takes an entry of its log, finds the name or
 * the address that it gives to what stands behind it; judges nothing. */
#include "input/log_upstream.h"

/* "0/0/-1/-1/1504": HAProxy's five times. */
static bool is_timers(struct str token)
{
    size_t slashes = 0;
    for (size_t i = 0; i < token.len; i++) {
        if (!str_is_of(token.ptr[i], "0123456789/+-")) {
            return false;
        }
        slashes += token.ptr[i] == '/';
    }
    return slashes == 4;
}

static struct str haproxy_backend(struct str entry)
{
    struct str rest = entry, token, before = {NULL, 0};
    while (str_split(&rest, ' ', &token)) {
        if (is_timers(token)) {
            return before;
        }
        before = token;
    }
    return (struct str){NULL, 0};
}

struct str log_upstream(struct str entry)
{
    const struct str lead = STR("upstream: \"");
    ptrdiff_t hit = str_find(entry, lead);
    if (hit < 0) {
        return str_find(entry, STR("haproxy[")) < 0 ? (struct str){NULL, 0}
                                                    : haproxy_backend(entry);
    }
    size_t begin = (size_t)hit + lead.len;
    return str_slice(entry, begin, str_next_char(entry, begin, '"'));
}
