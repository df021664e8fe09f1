/* What the scripted provider reads of a request: method, path, key, model. Takes libmicrohttpd's
 * connection and the collected body, tells which replies it meets, writes its line of the request
 * log. Does not answer. */
#include "serve/request.h"

#include "base/text.h"
#include "serve/healthy.h"

#include <cjson/cJSON.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <unistd.h>

struct request *request_create(struct serve *serve, struct MHD_Connection *connection,
                               const char *method, const char *path)
{
    struct request *request = calloc(1, sizeof *request);
    if (!request) {
        return NULL;
    }
    request->arena = arena_create();
    request->serve = serve;
    request->connection = connection;
    request->method = arena_dup(request->arena, str_from(method));
    request->path = arena_dup(request->arena, str_from(path));
    request->body = buf_create(REQUEST_BODY_BYTES_MAX);
    return request;
}

void request_free(struct request *request)
{
    if (request) {
        buf_free(&request->body);
        arena_free(request->arena);
        free(request);
    }
}

static struct str header(const struct request *request, const char *name)
{
    return str_from(MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name));
}

static struct str sent_key(const struct request *request)
{
    static const char *const names[] = {"x-api-key", "api-key", "x-goog-api-key"};
    struct str value = header(request, "authorization");
    if (str_istarts(value, STR("bearer "))) {
        return str_trim(str_slice(value, 7, value.len));
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0] && str_is_empty(value); i++) {
        value = header(request, names[i]);
    }
    if (str_is_empty(value)) {
        value = str_from(
            MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, "key"));
    }
    return value;
}

void request_read(struct request *request)
{
    request->key = secret_create(request->arena, sent_key(request));
    cJSON *body =
        request->body.len ? cJSON_ParseWithLength(request->body.ptr, request->body.len) : NULL;
    request->model =
        arena_dup(request->arena,
                  str_from(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(body, "model"))));
    request->is_stream = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(body, "stream"));
    cJSON_Delete(body);
}

static bool has_all(const struct request *request, enum MHD_ValueKind kind, struct pairs pairs)
{
    for (size_t i = 0; i < pairs.count; i++) {
        const char *value =
            MHD_lookup_connection_value(request->connection, kind, pairs.items[i].name.ptr);
        if (!value || !str_eq(str_from(value), pairs.items[i].value)) {
            return false;
        }
    }
    return true;
}

static bool is_met(struct str wanted, struct str have)
{
    return !str_is_set(wanted) || str_eq(wanted, have);
}

bool request_meets(const struct request *request, const struct reply *reply, struct str answer)
{
    const struct provider_wire *wire = provider_wire_of_path(request->path);
    return is_met(reply->answer, answer) &&
           (!str_is_set(reply->wire) || (wire && str_eq(wire->name, reply->wire))) &&
           (!str_is_set(reply->path) || str_ends(request->path, reply->path)) &&
           is_met(reply->method, request->method) && is_met(reply->model, request->model) &&
           is_met(reply->key, request->key.value) &&
           has_all(request, MHD_HEADER_KIND, reply->request_headers) &&
           has_all(request, MHD_GET_ARGUMENT_KIND, reply->query) &&
           (!str_is_set(reply->body_has) ||
            str_find(buf_str(&request->body), reply->body_has) >= 0);
}

/* Adds `"name":"text"`, or null for unset text. Client's text: masked, then made safe to show. */
static void add_member(const struct request *request, struct buf *line, const char *name,
                       struct str text)
{
    struct mask mask = {.secrets = &request->key, .secret_count = 1};
    buf_printf(line, ",\"%s\":", name);
    if (!str_is_set(text)) {
        buf_add(line, STR("null"));
        return;
    }
    struct str shown = text_show(request->arena, mask_text(request->arena, &mask, text), 300);
    buf_add_char(line, '"');
    for (size_t i = 0; i < shown.len; i++) {
        if (shown.ptr[i] == '"' || shown.ptr[i] == '\\') {
            buf_add_char(line, '\\');
        }
        buf_add_char(line, shown.ptr[i]);
    }
    buf_add_char(line, '"');
}

void request_log(struct request *request, int fd, int64_t at_ms, int64_t time_ms,
                 unsigned in_flight)
{
    struct buf line = buf_create(16384);
    bool has_key = !str_is_empty(request->key.value);
    buf_printf(&line, "{\"at_ms\":%lld,\"time_ms\":%lld", (long long)at_ms, (long long)time_ms);
    add_member(request, &line, "method", request->method);
    add_member(request, &line, "path", request->path);
    add_member(request, &line, "model", request->model);
    add_member(request, &line, "key_fingerprint",
               has_key ? str_from(request->key.fingerprint) : (struct str){NULL, 0});
    buf_printf(&line, ",\"in_flight\":%u}\n", in_flight);
    /* One write a line, so that lines of several servers on one file do not mix. A log that cannot
     * be written must not stop the answers. */
    ssize_t written = write(fd, line.ptr, line.len);
    (void)written;
    buf_free(&line);
}
