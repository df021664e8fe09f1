/* The addresses behind a name. Takes what libcurl tried to connect to, gives the families, those
 * without a route, and addresses that no public name should have. */
#include "probe/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define ERRNO_WAIT_MS 250

curl_socket_t address_open(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct addresses *addresses = context;
    (void)purpose;
    if (addresses->count < ADDRESSES_MAX && address->addrlen <= sizeof(union address)) {
        memcpy(&addresses->items[addresses->count++], &address->addr, address->addrlen);
    }
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    return fd < 0 ? CURL_SOCKET_BAD : fd;
}

/* Connecting a datagram socket sends nothing and asks for the route all the same. */
static bool has_route(const union address *name)
{
    int fd = socket(name->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return errno != EAFNOSUPPORT;
    }
    bool is_there = connect(fd, &name->any, sizeof *name) == 0 ||
                    (errno != ENETUNREACH && errno != EHOSTUNREACH && errno != EADDRNOTAVAIL);
    close(fd);
    return is_there;
}

int address_errno(const struct addresses *addresses)
{
    for (size_t i = 0; i < addresses->count; i++) {
        const union address *name = &addresses->items[i];
        if (!has_route(name)) {
            continue;
        }
        int error = 0;
        socklen_t size = sizeof error;
        int fd = socket(name->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        struct pollfd waiting = {.fd = fd, .events = POLLOUT};
        if (fd >= 0 && connect(fd, &name->any, sizeof *name) != 0) {
            error = errno;
            if (error == EINPROGRESS &&
                (poll(&waiting, 1, ERRNO_WAIT_MS) <= 0 ||
                 getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)) {
                error = 0;
            }
        }
        if (fd >= 0) {
            close(fd);
        }
        return error;
    }
    return 0;
}

/* The last part of the name is one that only private networks use, or there is but one part. */
static bool is_private_name(struct str host)
{
    static const struct str suffixes[] = {
        STR_INIT(".local"), STR_INIT(".internal"), STR_INIT(".lan"),         STR_INIT(".home"),
        STR_INIT(".corp"),  STR_INIT(".private"),  STR_INIT(".localdomain"), STR_INIT(".localhost"),
        STR_INIT(".test"),  STR_INIT(".intranet"), STR_INIT(".home.arpa"),   STR_INIT(".svc"),
    };
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t from = host.len > suffixes[i].len ? host.len - suffixes[i].len : 0;
        if (from && str_ieq(str_slice(host, from, host.len), suffixes[i])) {
            return true;
        }
    }
    return str_find_char(host, '.') < 0;
}

static bool is_figures(struct str host)
{
    for (size_t i = 0; i < host.len; i++) {
        if (host.ptr[i] == ':') {
            return true;
        }
        if (host.ptr[i] != '.' && (host.ptr[i] < '0' || host.ptr[i] > '9')) {
            return false;
        }
    }
    return true;
}

static struct str kind_of_ipv4(uint32_t address)
{
    static const struct {
        uint32_t network;
        unsigned bits;
        struct str kind;
    } rows[] = {
        {0xc6120000, 15, STR_INIT("fake_ip")}, /* 198.18.0.0/15, as Clash and others give out */
        {0x0a000000, 8, STR_INIT("private")},  {0xac100000, 12, STR_INIT("private")},
        {0xc0a80000, 16, STR_INIT("private")}, {0x64400000, 10, STR_INIT("private")},
        {0xa9fe0000, 16, STR_INIT("private")}, {0x7f000000, 8, STR_INIT("loopback")},
        {0x00000000, 8, STR_INIT("loopback")}, /* 0.0.0.0: how filters of names say no */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((address ^ rows[i].network) >> (32 - rows[i].bits) == 0) {
            return rows[i].kind;
        }
    }
    return (struct str){NULL, 0};
}

static struct str kind_of(const union address *name)
{
    if (name->any.sa_family == AF_INET) {
        return kind_of_ipv4(ntohl(name->ipv4.sin_addr.s_addr));
    }
    const struct in6_addr *ipv6 = &name->ipv6.sin6_addr;
    const unsigned char *b = ipv6->s6_addr;
    if (IN6_IS_ADDR_LOOPBACK(ipv6) || IN6_IS_ADDR_UNSPECIFIED(ipv6)) {
        return STR("loopback");
    }
    return (b[0] & 0xfe) == 0xfc || IN6_IS_ADDR_LINKLOCAL(ipv6) ? STR("private")
                                                                : (struct str){NULL, 0};
}

static struct str family_names(bool has_ipv4, bool has_ipv6)
{
    return has_ipv4 && has_ipv6 ? STR("ipv4 ipv6")
           : has_ipv4           ? STR("ipv4")
           : has_ipv6           ? STR("ipv6")
                                : (struct str){NULL, 0};
}

void address_judge(const struct addresses *addresses, struct str host,
                   struct observation *observation)
{
    bool tried[2] = {false, false}, has_no_route[2] = {false, false};
    bool is_public = host.len > 0 && !is_figures(host) && !is_private_name(host);
    for (size_t i = 0; i < addresses->count; i++) {
        const union address *name = &addresses->items[i];
        if (name->any.sa_family != AF_INET && name->any.sa_family != AF_INET6) {
            continue;
        }
        bool family = name->any.sa_family == AF_INET6;
        tried[family] = true;
        bool has_answered = str_eq(observation->family, family_names(!family, family));
        if (!has_answered && !has_route(name)) {
            has_no_route[family] = true;
        }
        if (is_public && !str_is_set(observation->dns_address)) {
            observation->dns_address = kind_of(name);
        }
    }
    observation->families = family_names(tried[0], tried[1]);
    observation->no_route = family_names(has_no_route[0], has_no_route[1]);
}
