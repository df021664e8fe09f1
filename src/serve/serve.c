/* The scripted provider's server: listens on loopback, collects each request, chooses the reply,
 * keeps count of what is in flight, and as a recorder of all that came. One thread a connection, so
 * replies may wait without holding up others; every wait also watches a descriptor that serve_stop
 * makes readable. */
#include "serve/answer.h"
#include "serve/recorder.h"

#include "base/env.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define CONNECTIONS_MAX 1000u
#define HEADER_BYTES_MAX ((size_t)128 * 1024) /* of a connection: request and answer headers */
#define STACK_BYTES ((size_t)512 * 1024)

struct serve {
    const struct script *script;
    struct MHD_Daemon *daemon;
    int request_log;
    int stop_fd;
    struct env env;
    int64_t started_ms;
    pthread_mutex_t lock; /* guards what follows, and lines of the log */
    unsigned in_flight;
    unsigned port;
    struct arena *record_arena; /* NULL = this is no recorder */
    struct str answer;          /* kind of answers that a recorder gives */
    struct recording recording;
    int64_t *met_counts; /* how often each reply's conditions held */
};

int serve_stop_fd(const struct serve *serve)
{
    return serve->stop_fd;
}

static void record(struct serve *serve, const struct request *request, enum recorded_kind kind)
{
    struct recording *recording = &serve->recording;
    int64_t at_ms = serve->env.monotonic_ms(serve->env.clock) - serve->started_ms;
    recording->totals[kind]++;
    if (recording->count < RECORDED_MAX) {
        struct recorded *items = arena_grow(serve->record_arena, recording->items, recording->count,
                                            &recording->capacity, sizeof *recording->items);
        recording->items = items;
        items[recording->count++] = recorder_record(serve->record_arena, request, kind, at_ms);
    }
}

/* Chooses the reply and logs the request, both in the order of arrival. */
static void admit(struct serve *serve, struct request *request)
{
    const struct script *script = serve->script;
    pthread_mutex_lock(&serve->lock);
    enum recorded_kind kind = serve->record_arena ? recorder_admit(request) : RECORDED_OTHER;
    for (size_t i = 0; i < script->reply_count && !request->reply; i++) {
        const struct reply *reply = &script->replies[i];
        if (request_meets(request, reply, serve->answer) &&
            (reply->times == 0 || serve->met_counts[i] < reply->times)) {
            serve->met_counts[i]++;
            request->reply = reply;
        }
    }
    if (serve->record_arena) {
        record(serve, request, kind);
    }
    if (serve->request_log >= 0) {
        int64_t now_ms = serve->env.monotonic_ms(serve->env.clock);
        request_log(request, serve->request_log, now_ms - serve->started_ms,
                    serve->env.wall_ms(serve->env.clock), serve->in_flight);
    }
    pthread_mutex_unlock(&serve->lock);
}

/* libmicrohttpd calls this with the headers, then with pieces of the body, then with nothing. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **own)
{
    struct serve *serve = cls;
    struct request *request = *own;
    (void)version;
    if (!request) {
        *own = request = request_create(serve, connection, method, url);
        if (!request) {
            return MHD_NO;
        }
        pthread_mutex_lock(&serve->lock);
        serve->in_flight++;
        pthread_mutex_unlock(&serve->lock);
        return MHD_YES;
    }
    if (*upload_size) {
        buf_add(&request->body, (struct str){upload, *upload_size});
        *upload_size = 0;
        return MHD_YES;
    }
    request->own_port = serve->port;
    request_read(request);
    admit(serve, request);
    bool is_answered = request->body.is_full ? answer_too_large(request, serve->script)
                                             : answer_request(request, serve->script);
    return is_answered ? MHD_YES : MHD_NO;
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **own,
                         enum MHD_RequestTerminationCode how)
{
    struct serve *serve = cls;
    (void)connection;
    (void)how;
    if (*own) {
        request_free(*own);
        *own = NULL;
        pthread_mutex_lock(&serve->lock);
        serve->in_flight--;
        pthread_mutex_unlock(&serve->lock);
    }
}

static enum err_code start_daemon(struct serve *serve, unsigned short port, struct err *err)
{
    struct sockaddr_in loopback = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    errno = 0;
    serve->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, port, NULL,
        NULL, on_request, serve, MHD_OPTION_SOCK_ADDR, &loopback, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, serve, MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEADER_BYTES_MAX, MHD_OPTION_THREAD_STACK_SIZE,
        STACK_BYTES, MHD_OPTION_LISTEN_BACKLOG_SIZE, CONNECTIONS_MAX, MHD_OPTION_END);
    if (!serve->daemon) {
        return err_set(err, ERR_SYSTEM, "cannot listen on 127.0.0.1:%u: %s", (unsigned)port,
                       strerror(errno));
    }
    return ERR_OK;
}

/* Starts what *draft says, with a server of its own. */
static enum err_code start(const struct serve *draft, unsigned short port, struct serve **serve,
                           unsigned short *bound_port, struct err *err)
{
    const struct script *script = draft->script;
    struct serve *started = calloc(1, sizeof *started);
    if (!started) {
        arena_free(draft->record_arena);
        return err_set(err, ERR_SYSTEM, "no memory for the scripted provider");
    }
    *started = *draft;
    started->env = env_of_process(NULL);
    started->started_ms = started->env.monotonic_ms(started->env.clock);
    started->stop_fd = eventfd(0, EFD_CLOEXEC);
    started->met_counts = calloc(script->reply_count + 1, sizeof *started->met_counts);
    pthread_mutex_init(&started->lock, NULL);
    enum err_code code = ERR_OK;
    if (started->stop_fd < 0 || !started->met_counts) {
        code = err_set(err, ERR_SYSTEM, "cannot set up the scripted provider: %s", strerror(errno));
    }
    if (code == ERR_OK) {
        code = start_daemon(started, port, err);
    }
    if (code != ERR_OK) {
        serve_stop(started);
        return code;
    }
    *bound_port = MHD_get_daemon_info(started->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    pthread_mutex_lock(&started->lock);
    started->port = *bound_port;
    pthread_mutex_unlock(&started->lock);
    *serve = started;
    return ERR_OK;
}

enum err_code serve_start(const struct script *script, unsigned short port, int request_log,
                          struct serve **serve, unsigned short *bound_port, struct err *err)
{
    const struct serve draft = {.script = script, .request_log = request_log};
    return start(&draft, port, serve, bound_port, err);
}

enum err_code recorder_start(const struct script *script, struct str answer, struct serve **serve,
                             unsigned short *port, struct err *err)
{
    const struct serve draft = {
        .script = script, .request_log = -1, .answer = answer, .record_arena = arena_create()};
    return start(&draft, 0, serve, port, err);
}

size_t recorder_count(struct serve *serve, enum recorded_kind kind)
{
    pthread_mutex_lock(&serve->lock);
    size_t count = serve->recording.totals[kind];
    pthread_mutex_unlock(&serve->lock);
    return count;
}

/* No request is under way afterwards. */
static void stop_daemon(struct serve *serve)
{
    if (serve->daemon) {
        uint64_t one = 1;
        ssize_t written = write(serve->stop_fd, &one, sizeof one);
        (void)written; /* an eventfd at 0 takes a 1 */
        MHD_stop_daemon(serve->daemon);
        serve->daemon = NULL;
    }
}

/* Copies texts and headers, so that nothing lives in the recorder's own arena any more. */
static struct recorded copy_record(struct arena *arena, const struct recorded *kept)
{
    struct recorded copy = *kept;
    struct recorded_header *headers =
        ARENA_ARRAY(arena, kept->header_count + 1, struct recorded_header);
    struct str *const texts[] = {&copy.method, &copy.host,  &copy.path,
                                 &copy.query,  &copy.model, &copy.key.value};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = arena_dup(arena, *texts[i]);
    }
    for (size_t i = 0; i < kept->header_count; i++) {
        headers[i] = (struct recorded_header){arena_dup(arena, kept->headers[i].name),
                                              arena_dup(arena, kept->headers[i].value)};
    }
    copy.headers = headers;
    return copy;
}

void recorder_stop(struct arena *arena, struct serve *serve, struct recording *recording)
{
    stop_daemon(serve);
    struct recorded *items = ARENA_ARRAY(arena, serve->recording.count + 1, struct recorded);
    for (size_t i = 0; i < serve->recording.count; i++) {
        items[i] = copy_record(arena, &serve->recording.items[i]);
    }
    *recording = serve->recording;
    recording->items = items;
    serve_stop(serve);
}

void serve_stop(struct serve *serve)
{
    if (!serve) {
        return;
    }
    stop_daemon(serve);
    if (serve->stop_fd >= 0) {
        close(serve->stop_fd);
    }
    pthread_mutex_destroy(&serve->lock);
    free(serve->met_counts);
    arena_free(serve->record_arena);
    free(serve);
}
