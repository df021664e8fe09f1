#ifndef PROBE_EVENT_LOOP_H
#define PROBE_EVENT_LOOP_H

#include <curl/curl.h>
#include <stdbool.h>

#define SHARED_SOCKETS_MAX 64

/* A connection that several requests share, as HTTP/2 allows. */
struct shared_socket {
    curl_socket_t fd;
    bool is_held; /* what is written to it waits for the end of the turn */
};

/* Waits for the sockets of a libcurl multi handle, and tells it of no others than those that have
 * news: what a wait costs does not grow with the requests under way. What is written to a shared
 * connection in one turn leaves together; beyond the bound of them each write leaves for itself. */
struct event_loop {
    CURLM *multi;
    int epoll_fd;
    struct shared_socket shared[SHARED_SOCKETS_MAX];
    size_t shared_count;
};

/* Takes over the sockets of a multi handle, which is borrowed and is given no other driver. Must
 * outlive the handle, which tells it of sockets until its end. False when the system gives none;
 * event_loop_close is called in either case. */
bool event_loop_open(struct event_loop *loop, CURLM *multi);
void event_loop_close(struct event_loop *loop);

/* One turn: waits for news of sockets or libcurl's next own moment, wait_ms at most, and lets
 * libcurl go on with it. */
CURLMcode event_loop_turn(struct event_loop *loop, long wait_ms);

#endif
