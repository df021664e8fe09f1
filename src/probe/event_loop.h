#ifndef PROBE_EVENT_LOOP_H
#define PROBE_EVENT_LOOP_H

#include <curl/curl.h>
#include <stdbool.h>

/* Waits for the sockets of a libcurl multi handle, and tells it of no others than those that have
 * news: what a wait costs does not grow with the requests under way. */
struct event_loop {
    CURLM *multi;
    int epoll_fd;
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
