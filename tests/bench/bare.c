/* The least that many requests at once take with libcurl: one loop over epoll, answers thrown away.
 * A peer of the probe bench; it reads no configuration, looks at no answer and reports nothing.
 *
 * usage: bare URL COUNT CA_FILE      (exit 0 when every answer was 200)
 */
#include <curl/curl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#define EVENTS_MAX 256
#define CONNECTIONS_OTHER 64

struct loop {
    CURLM *multi;
    int epoll_fd;
};

static int watch(CURL *easy, curl_socket_t fd, int what, void *context, void *known)
{
    struct loop *loop = context;
    struct epoll_event event = {.data.fd = fd};
    (void)easy;
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    if (what == CURL_POLL_REMOVE) {
        return epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, NULL), 0;
    }
    curl_multi_assign(loop->multi, fd, loop);
    return epoll_ctl(loop->epoll_fd, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
}

static size_t drop(char *bytes, size_t size, size_t count, void *context)
{
    (void)bytes;
    (void)context;
    return size * count;
}

/* Over TLS all wait for the first connection and share it, as HTTP/2 allows; else each has its own.
 */
static CURL *start(struct loop *loop, const char *url, const char *ca_file)
{
    CURL *easy = curl_easy_init();
    int is_tls = curl_strnequal(url, "https", 5);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, "{\"model\":\"m\"}");
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 2048L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CAINFO, ca_file);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, is_tls ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, is_tls ? 0L : 1L);
    curl_multi_add_handle(loop->multi, easy);
    return easy;
}

static void turn(struct loop *loop, int *running)
{
    struct epoll_event events[EVENTS_MAX];
    long wait_ms = -1;
    curl_multi_timeout(loop->multi, &wait_ms);
    int count = epoll_wait(loop->epoll_fd, events, EVENTS_MAX, wait_ms < 0 ? 1000 : (int)wait_ms);
    for (int i = 0; i < count; i++) {
        int what = (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                   (events[i].events & ~(uint32_t)EPOLLOUT ? CURL_CSELECT_IN : 0);
        curl_multi_socket_action(loop->multi, events[i].data.fd, what, running);
    }
    curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, running);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        return 2;
    }
    int count = atoi(argv[2]), running = 1, right = 0;
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct loop loop = {curl_multi_init(), epoll_create1(0)};
    CURL **all = calloc((size_t)count, sizeof *all);
    curl_multi_setopt(loop.multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(loop.multi, CURLMOPT_SOCKETDATA, &loop);
    curl_multi_setopt(loop.multi, CURLMOPT_MAXCONNECTS, (long)count + CONNECTIONS_OTHER);
    curl_multi_setopt(loop.multi, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)count);
    for (int i = 0; i < count; i++) {
        all[i] = start(&loop, argv[1], argv[3]);
    }
    while (running) {
        turn(&loop, &running);
    }
    for (int i = 0; i < count; i++) {
        long status = 0;
        curl_easy_getinfo(all[i], CURLINFO_RESPONSE_CODE, &status);
        right += status == 200;
        curl_multi_remove_handle(loop.multi, all[i]);
        curl_easy_cleanup(all[i]);
    }
    curl_multi_cleanup(loop.multi);
    return right == count ? 0 : 1;
}
