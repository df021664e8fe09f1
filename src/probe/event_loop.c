/* The wait of a run. Takes the sockets that libcurl is interested in, gives libcurl those that have
 * news, and its timers when they are due. Knows nothing of requests. */
#include "probe/event_loop.h"

#include <stdint.h>
#include <sys/epoll.h>
#include <unistd.h>

#define EVENTS_MAX 256

/* libcurl says what it wants to know of a socket from now on. */
static int watch(CURL *easy, curl_socket_t fd, int what, void *context, void *known)
{
    struct event_loop *loop = context;
    intptr_t is_watched_for = (intptr_t)known; /* 0 = not at all */
    (void)easy;
    if (is_watched_for == what) {
        return 0; /* one more request on a shared connection */
    }
    if (what == CURL_POLL_REMOVE) {
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
        code = curl_multi_socket_action(loop->multi, events[i].data.fd, news_of(events[i].events),
                                        &running);
    }
    return code ? code : curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}
