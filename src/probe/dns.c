/* Why a name does not resolve. Takes names, sends each resolver one question about each over UDP,
 * gives the resolvers' own words: no such name, server failure, refused, silence. Resolves nothing
 * for use, and waits no longer than it may. */
#include "probe/dns.h"

#include "base/file.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define RESOLVERS_MAX 3 /* as many as the C library asks */
#define QUESTIONS_MAX 16
#define PACKET_BYTES 512
#define RESOLV_CONF_BYTES_MAX ((size_t)64 * 1024)

/* Worth of an answer: of several resolvers the one that says most counts. */
enum reply {
    REPLY_NO_SERVER,
    REPLY_TIMEOUT,
    REPLY_REFUSED,
    REPLY_SERVFAIL,
    REPLY_NO_ADDRESS,
    REPLY_ANSWERED,
    REPLY_NXDOMAIN
};

static const struct str reply_names[] = {
    [REPLY_NO_SERVER] = STR_INIT("no_server"),   [REPLY_TIMEOUT] = STR_INIT("timeout"),
    [REPLY_REFUSED] = STR_INIT("refused"),       [REPLY_SERVFAIL] = STR_INIT("servfail"),
    [REPLY_NO_ADDRESS] = STR_INIT("no_address"), [REPLY_ANSWERED] = STR_INIT("answered"),
    [REPLY_NXDOMAIN] = STR_INIT("nxdomain"),
};

/* One question on its way to one resolver. */
struct call {
    size_t question;
    enum reply reply;
};

struct asking {
    struct pollfd fds[RESOLVERS_MAX * QUESTIONS_MAX];
    struct call calls[RESOLVERS_MAX * QUESTIONS_MAX];
    size_t count;
};

/* Header with "recursion desired" and one question of type A; 0 when the name is none. */
static size_t write_packet(struct str host, unsigned char packet[PACKET_BYTES])
{
    static const unsigned char header[12] = {0x64, 0x67, 1, 0, 0, 1};
    static const unsigned char tail[5] = {0, 0, 1, 0, 1};
    struct str rest = host, label;
    size_t at = sizeof header;
    memcpy(packet, header, sizeof header);
    while (str_split(&rest, '.', &label)) {
        if (label.len == 0 && rest.len == 0 && at > sizeof header) {
            break; /* the dot at the end */
        }
        if (label.len == 0 || label.len > 63 || at + label.len + 1 > 255) {
            return 0;
        }
        packet[at++] = (unsigned char)label.len;
        memcpy(packet + at, label.ptr, label.len);
        at += label.len;
    }
    memcpy(packet + at, tail, sizeof tail);
    return at > sizeof header ? at + sizeof tail : 0;
}

/* A socket that is connected to port 53 of an address, or -1. */
static int dial(struct str address)
{
    struct arena *scratch = arena_create();
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                             .ai_socktype = SOCK_DGRAM};
    struct addrinfo *found = NULL;
    int fd = -1;
    if (getaddrinfo(arena_cstr(scratch, address), "53", &hints, &found) == 0) {
        fd = socket(found->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
        freeaddrinfo(found);
    }
    arena_free(scratch);
    return fd;
}

static size_t read_resolvers(struct arena *arena, struct str resolvers[RESOLVERS_MAX])
{
    struct str text, line;
    int os_errno;
    size_t count = 0;
    if (file_read(arena, "/etc/resolv.conf", RESOLV_CONF_BYTES_MAX, &text, &os_errno) != FILE_OK) {
        text = STR("");
    }
    while (count < RESOLVERS_MAX && str_split(&text, '\n', &line)) {
        line = str_trim(line);
        if (str_starts(line, STR("nameserver")) && line.len > 10 &&
            (line.ptr[10] == ' ' || line.ptr[10] == '\t')) {
            struct str address = str_trim(str_slice(line, 10, line.len)), first = address;
            resolvers[count++] = str_split(&address, ' ', &first) ? first : address;
        }
    }
    if (count == 0) {
        resolvers[count++] = STR("127.0.0.1"); /* as the C library has it */
    }
    return count;
}

static void send_all(struct asking *asking, const struct dns_question *questions, size_t count,
                     const struct str *resolvers, size_t resolver_count)
{
    for (size_t q = 0; q < count && q < QUESTIONS_MAX; q++) {
        unsigned char packet[PACKET_BYTES];
        size_t length = write_packet(questions[q].host, packet);
        for (size_t r = 0; length && r < resolver_count; r++) {
            int fd = dial(resolvers[r]);
            bool is_sent = fd >= 0 && send(fd, packet, length, MSG_NOSIGNAL) == (ssize_t)length;
            asking->fds[asking->count] = (struct pollfd){.fd = is_sent ? fd : -1, .events = POLLIN};
            asking->calls[asking->count++] =
                (struct call){.question = q, .reply = is_sent ? REPLY_TIMEOUT : REPLY_NO_SERVER};
            if (fd >= 0 && !is_sent) {
                close(fd);
            }
        }
    }
}

static enum reply read_reply(int fd)
{
    unsigned char packet[PACKET_BYTES];
    ssize_t length = recv(fd, packet, sizeof packet, 0);
    if (length < 12) {
        return length < 0 && errno == ECONNREFUSED ? REPLY_NO_SERVER : REPLY_TIMEOUT;
    }
    switch (packet[3] & 0x0f) {
    case 0:
        return packet[6] || packet[7] ? REPLY_ANSWERED : REPLY_NO_ADDRESS;
    case 3:
        return REPLY_NXDOMAIN;
    case 5:
        return REPLY_REFUSED;
    default:
        return REPLY_SERVFAIL;
    }
}

static void take_replies(struct asking *asking, const struct env *env, int64_t budget_ms)
{
    int64_t end = env->monotonic_ms(env->clock) + budget_ms;
    size_t open = 0;
    for (size_t i = 0; i < asking->count; i++) {
        open += asking->fds[i].fd >= 0;
    }
    while (open > 0) {
        int64_t left = end - env->monotonic_ms(env->clock);
        if (left <= 0 || poll(asking->fds, (nfds_t)asking->count, (int)left) <= 0) {
            break;
        }
        for (size_t i = 0; i < asking->count; i++) {
            if (asking->fds[i].fd >= 0 && asking->fds[i].revents) {
                asking->calls[i].reply = read_reply(asking->fds[i].fd);
                close(asking->fds[i].fd);
                asking->fds[i].fd = -1;
                open--;
            }
        }
    }
    for (size_t i = 0; i < asking->count; i++) {
        if (asking->fds[i].fd >= 0) {
            close(asking->fds[i].fd);
        }
    }
}

void dns_ask(const struct env *env, struct dns_question *questions, size_t count, int64_t budget_ms)
{
    struct arena *arena = arena_create();
    struct asking *asking = ARENA_NEW(arena, struct asking);
    struct str resolvers[RESOLVERS_MAX];
    size_t resolver_count = read_resolvers(arena, resolvers);
    asking->count = 0;
    send_all(asking, questions, count, resolvers, resolver_count);
    take_replies(asking, env, budget_ms);
    enum reply best[QUESTIONS_MAX] = {0};
    for (size_t i = 0; i < asking->count; i++) {
        size_t q = asking->calls[i].question;
        best[q] = asking->calls[i].reply > best[q] ? asking->calls[i].reply : best[q];
        questions[q].result = reply_names[best[q]];
    }
    arena_free(arena);
}
