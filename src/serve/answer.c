/* Sends what a reply of the script says: late, slowly, in part, broken off, or never. Takes a
 * request with its reply chosen, hands libmicrohttpd a response. Runs in the connection's own
 * thread, so waiting here holds up nobody else. */
#include "serve/answer.h"

#include "serve/healthy.h"

#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#define BLOCK_BYTES 16384

static int client_fd(const struct request *request)
{
    const union MHD_ConnectionInfo *known =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return known ? known->connect_fd : -1;
}

/* Waits for ms milliseconds, or for ever when ms is negative. False when the server stops or the
 * client has gone meanwhile: then nothing more need be sent. */
static bool answer_wait(const struct request *request, int64_t ms)
{
    struct pollfd watched[] = {
        {.fd = serve_stop_fd(request->serve), .events = POLLIN},
        {.fd = client_fd(request), .events = POLLRDHUP},
    };
    int ready;
    do {
        ready = poll(watched, 2, ms < 0 ? -1 : (int)ms);
    } while (ready < 0 && errno == EINTR);
    return ready == 0;
}

/* Makes the kernel send RST now. Closing with SO_LINGER 0 would do, but libmicrohttpd shuts a
 * socket down before it closes it, and then an orderly FIN goes first; dissolving the association
 * sends the RST at once on Linux. */
static void reset_connection(const struct request *request)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
    int fd = client_fd(request);
    int refused = setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    refused |= connect(fd, &nowhere, sizeof nowhere);
    (void)refused; /* a client that has gone already has what it was to get */
}

/* The body has come to where the script breaks it off or falls silent. */
static ssize_t end_of_body(const struct request *request)
{
    const struct reply *reply = request->reply;
    bool is_cut = reply->truncate >= 0 && request->sent_bytes >= (uint64_t)reply->truncate;
    if (reply->is_hanging) {
        answer_wait(request, -1);
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (reply->is_reset) {
        reset_connection(request);
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    return is_cut ? MHD_CONTENT_READER_END_WITH_ERROR : MHD_CONTENT_READER_END_OF_STREAM;
}

/* Gives libmicrohttpd the next bytes, when they are due. */
static ssize_t read_body(void *cls, uint64_t position, char *into, size_t room)
{
    struct request *request = cls;
    const struct reply *reply = request->reply;
    (void)position;
    while (request->piece < request->pieces.count &&
           request->offset == request->pieces.items[request->piece].bytes.len) {
        request->piece++;
        request->offset = 0;
        request->has_waited = false;
    }
    bool is_cut = reply->truncate >= 0 && request->sent_bytes >= (uint64_t)reply->truncate;
    if (request->piece == request->pieces.count || is_cut) {
        return end_of_body(request);
    }
    const struct piece *piece = &request->pieces.items[request->piece];
    int64_t wait_ms = request->has_waited ? 0 : piece->delay_ms;
    request->has_waited = true;
    wait_ms += reply->drip_bytes && request->sent_bytes ? reply->drip_every_ms : 0;
    if (wait_ms && !answer_wait(request, wait_ms)) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    size_t length = piece->bytes.len - request->offset;
    length = length < room ? length : room;
    if (reply->drip_bytes && length > (size_t)reply->drip_bytes) {
        length = (size_t)reply->drip_bytes;
    }
    if (reply->truncate >= 0 && length > (size_t)reply->truncate - request->sent_bytes) {
        length = (size_t)reply->truncate - request->sent_bytes;
    }
    memcpy(into, piece->bytes.ptr + request->offset, length);
    request->offset += length;
    request->sent_bytes += length;
    return (ssize_t)length;
}

static const char *content_type(const struct reply *reply, struct str first)
{
    bool is_stream =
        reply->events.items || str_starts(first, STR("event:")) || str_starts(first, STR("data:"));
    first = str_trim(first);
    char start = first.len ? first.ptr[0] : '\0';
    return is_stream                      ? "text/event-stream; charset=utf-8"
           : start == '{' || start == '[' ? "application/json"
           : start == '<'                 ? "text/html"
                                          : "text/plain";
}

static bool add_headers(struct MHD_Response *response, const struct reply *reply, struct str first)
{
    bool has_type = false, is_added = true;
    for (size_t i = 0; i < reply->headers.count; i++) {
        struct pair header = reply->headers.items[i];
        has_type = has_type || str_ieq(header.name, STR("content-type"));
        is_added = is_added &&
                   MHD_add_response_header(response, header.name.ptr, header.value.ptr) == MHD_YES;
    }
    if (!has_type && (first.len || reply->events.items)) {
        is_added = is_added && MHD_add_response_header(response, "content-type",
                                                       content_type(reply, first)) == MHD_YES;
    }
    return is_added;
}

/* What the reply sends, as pieces. */
static struct pieces pieces_of(struct request *request, const struct script *script)
{
    const struct reply *reply = request->reply;
    if (reply->events.items) {
        return reply->events;
    }
    struct piece *piece = ARENA_NEW(request->arena, struct piece);
    piece->bytes = reply->body;
    if (str_is_set(reply->healthy)) {
        const struct provider_wire *wire = str_eq(reply->healthy, STR("any"))
                                               ? provider_wire_of_path(request->path)
                                               : provider_wire_find(reply->healthy);
        piece->bytes =
            wire ? healthy_body(request->arena, wire, script, request->model, request->is_stream)
                 : STR("{\"status\":\"ok\"}");
    }
    return (struct pieces){piece, piece->bytes.len ? 1 : 0};
}

/* A reply that no script holds. */
static const struct reply *plain_reply(struct arena *arena, int64_t status, struct str body)
{
    struct reply *reply = ARENA_NEW(arena, struct reply);
    *reply = (struct reply){.status = status, .body = body, .truncate = -1};
    return reply;
}

bool answer_too_large(struct request *request, const struct script *script)
{
    struct str body = STR("{\"error\":{\"message\":\"Request body is over 1 MiB\",\"type\":"
                          "\"invalid_request_error\",\"param\":null,\"code\":null}}");
    request->reply = plain_reply(request->arena, 413, body);
    return answer_request(request, script);
}

bool answer_request(struct request *request, const struct script *script)
{
    if (!request->reply) {
        request->reply =
            plain_reply(request->arena, 404,
                        not_found_body(request->arena, provider_wire_of_path(request->path),
                                       request->method, request->path, request->model));
    }
    const struct reply *reply = request->reply;
    if (reply->delay_ms && !answer_wait(request, reply->delay_ms)) {
        return false;
    }
    request->pieces = pieces_of(request, script);
    if (request->pieces.count == 0 && reply->is_hanging) {
        answer_wait(request, -1);
        return false;
    }
    if (request->pieces.count == 0 && reply->is_reset) {
        reset_connection(request);
        return false;
    }
    /* The length is told when it is known, so that a cut shows; a stream, and a body that falls
     * silent or is reset at its end, goes in chunks. */
    bool is_chunked = reply->events.items || (request->is_stream && reply->healthy.len) ||
                      (reply->truncate < 0 && (reply->is_hanging || reply->is_reset));
    struct str first = request->pieces.count ? request->pieces.items[0].bytes : STR("");
    struct MHD_Response *response = MHD_create_response_from_callback(
        is_chunked ? MHD_SIZE_UNKNOWN : first.len, BLOCK_BYTES, read_body, request, NULL);
    if (response && !add_headers(response, reply, first)) {
        MHD_destroy_response(response);
        response = NULL;
    }
    enum MHD_Result queued = MHD_NO;
    if (response) {
        queued = MHD_queue_response(request->connection, (unsigned)reply->status, response);
        MHD_destroy_response(response);
    }
    return queued == MHD_YES;
}
