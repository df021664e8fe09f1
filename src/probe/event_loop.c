/* The wait of a run. Takes the sockets that libcurl is interested in, gives libcurl those that have
 * news, and its timers when they are due. Knows nothing of requests. */
#include "probe/event_loop.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS_MAX 256

static struct shared_socket *find_shared(struct event_loop *loop, curl_socket_t fd)
{
    for (size_t i = 0; i < loop->shared_count; i++) {
        if (loop->shared[i].fd == fd) {
            return &loop->shared[i];
        }
    }
    return NULL;
}

static void set_held(struct shared_socket *socket, bool is_held)
{
    int flag = is_held;
    if (socket->is_held != is_held) {
        setsockopt(socket->fd, IPPROTO_TCP, TCP_CORK, &flag, sizeof flag);
        socket->is_held = is_held;
    }
}

/* libcurl writes two records for each request and one for each answer. Alone, each would be a
 * segment of its own, and wake the server. */
static void hold(struct event_loop *loop, curl_socket_t fd)
{
    struct shared_socket *socket = find_shared(loop, fd);
    if (socket) {
        set_held(socket, true);
    }
}

static void release_all(struct event_loop *loop)
{
    for (size_t i = 0; i < loop->shared_count; i++) {
        set_held(&loop->shared[i], false);
    }
}

static void note_shared(struct event_loop *loop, curl_socket_t fd)
{
    if (!find_shared(loop, fd) && loop->shared_count < SHARED_SOCKETS_MAX) {
        loop->shared[loop->shared_count++] = (struct shared_socket){.fd = fd};
    }
}

static void forget_shared(struct event_loop *loop, curl_socket_t fd)
{
    struct shared_socket *socket = find_shared(loop, fd);
    if (socket) {
        set_held(socket, false);
        *socket = loop->shared[--loop->shared_count];
    }
}

/* libcurl says what it wants to know of a socket from now on. */
static int watch(CURL *easy, curl_socket_t fd, int what, void *context, void *known)
{
    struct event_loop *loop = context;
    intptr_t is_watched_for = (intptr_t)known; /* 0 = not at all */
    (void)easy;
    if (is_watched_for == what) {
        note_shared(loop, fd); /* one more request on it */
        hold(loop, fd);
        return 0;
    }
    if (what == CURL_POLL_REMOVE) {
        forget_shared(loop, fd);
        epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    struct epoll_event event = {
        .events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u),
        .data.fd = fd,
    };
    curl_multi_assign(loop->multi, fd, (void *)(intptr_t)what);
    return epoll_ctl(loop->epoll_fd, is_watched_for ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
}

bool event_loop_open(struct event_loop *loop, CURLM *multi)
{
    *loop = (struct event_loop){.multi = multi, .epoll_fd = epoll_create1(EPOLL_CLOEXEC)};
    return loop->epoll_fd >= 0 &&
           curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch) == CURLM_OK &&
           curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, loop) == CURLM_OK;
}

void event_loop_close(struct event_loop *loop)
{
    if (loop->epoll_fd >= 0) {
        close(loop->epoll_fd);
    }
}

/* A broken connection is news for whoever waits for either: the call that follows says what broke
 * it, which CURL_CSELECT_ERR would not. */
static int news_of(uint32_t events)
{
    bool is_broken = events & (EPOLLERR | EPOLLHUP);
    return (events & EPOLLIN || is_broken ? CURL_CSELECT_IN : 0) |
           (events & EPOLLOUT || is_broken ? CURL_CSELECT_OUT : 0);
}

CURLMcode event_loop_turn(struct event_loop *loop, long wait_ms)
{
    struct epoll_event events[EVENTS_MAX];
    long due_ms = -1;
    int running;
    CURLMcode code = curl_multi_timeout(loop->multi, &due_ms);
    if (code != CURLM_OK) {
        return code;
    }
    wait_ms = due_ms >= 0 && due_ms < wait_ms ? due_ms : wait_ms;
    int count = epoll_wait(loop->epoll_fd, events, EVENTS_MAX, (int)wait_ms);
    for (int i = 0; code == CURLM_OK && i < count; i++) {
        hold(loop, events[i].data.fd);
        code = curl_multi_socket_action(loop->multi, events[i].data.fd, news_of(events[i].events),
                                        &running);
    }
    code = code ? code : curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    release_all(loop);
    return code;
}
