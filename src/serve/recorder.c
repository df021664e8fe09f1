/* What makes a scripted provider a recorder: telling requests apart, refusing those that are not
 * for it, and keeping what they hold. Takes requests that were read, gives records without keys. */
#include "serve/recorder.h"

#include "base/text.h"
#include "serve/healthy.h"
#include "serve/request.h"

#include <microhttpd.h>
#include <string.h>

#define VALUE_COLUMNS 200

#define REFUSAL(code, text)                                                                        \
    {                                                                                              \
        .status = (code), .truncate = -1, .body = STR_INIT(text), .headers = { closing, 1 }        \
    }
static const struct pair closing[] = {{STR_INIT("connection"), STR_INIT("close")}};
static const struct reply foreign_refusal =
    REFUSAL(403, "The recorder of diagnose lets nothing out: other hosts are refused.\n");
static const struct reply upgrade_refusal =
    REFUSAL(426, "The recorder of diagnose speaks HTTP only.\n");

/* "host:port" of an absolute URL, and the path behind it; false when the text is none. */
static bool split_url(struct str url, struct str *host, struct str *path)
{
    ptrdiff_t colon = str_find(url, STR("://"));
    if (colon <= 0 || str_starts(url, STR("/"))) {
        return false;
    }
    struct str rest = str_slice(url, (size_t)colon + 3, url.len);
    ptrdiff_t slash = str_find_char(rest, '/');
    size_t end = slash < 0 ? rest.len : (size_t)slash;
    *host = str_slice(rest, 0, end);
    *path = slash < 0 ? STR("/") : str_slice(rest, end, rest.len);
    ptrdiff_t at = str_find_char(*host, '@');
    *host = str_slice(*host, at < 0 ? 0 : (size_t)at + 1, host->len);
    return true;
}

static bool is_own_host(const struct request *request, struct str host)
{
    struct str own = arena_printf(request->arena, "127.0.0.1:%u", request->own_port);
    struct str named = arena_printf(request->arena, "localhost:%u", request->own_port);
    return str_ieq(host, own) || str_ieq(host, named);
}

/* The model in paths that name it: .../models/M:verb and .../deployments/M/... */
static struct str model_of_path(struct str path)
{
    static const struct str marks[] = {STR_INIT("/models/"), STR_INIT("/deployments/")};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        ptrdiff_t at = str_find(path, marks[i]);
        if (at >= 0) {
            struct str rest = str_slice(path, (size_t)at + marks[i].len, path.len);
            size_t end = 0;
            while (end < rest.len && rest.ptr[end] != '/' && rest.ptr[end] != ':') {
                end++;
            }
            return str_slice(rest, 0, end);
        }
    }
    return (struct str){NULL, 0};
}

static bool has_upgrade(const struct request *request)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "upgrade") != NULL;
}

static bool is_try(const struct request *request)
{
    const struct provider_wire *wire = provider_wire_of_path(request->path);
    return str_eq(request->method, STR("POST")) &&
           (!str_is_empty(request->model) || (wire && wire->is_generating));
}

enum recorded_kind recorder_admit(struct request *request)
{
    struct str host = {NULL, 0}, path = {NULL, 0};
    bool is_connect = str_eq(request->method, STR("CONNECT"));
    if (is_connect || split_url(request->path, &host, &path)) {
        host = is_connect ? request->path : host;
        if (is_connect || !is_own_host(request, host)) {
            request->foreign_host = host;
            request->path = is_connect ? (struct str){NULL, 0} : path;
            request->reply = &foreign_refusal;
            return RECORDED_FOREIGN;
        }
        request->path = path;
    }
    if (!str_is_set(request->model)) {
        request->model = model_of_path(request->path);
    }
    if (has_upgrade(request)) {
        request->reply = &upgrade_refusal;
        return RECORDED_UPGRADE;
    }
    return is_try(request) ? RECORDED_TRY : RECORDED_OTHER;
}

/* One request while its parts are copied. */
struct copying {
    struct arena *arena;
    struct mask mask;
    struct recorded_header *headers;
    size_t header_count;
    struct str query;
};

/* Fit to be shown, and without the key. */
static struct str shown(const struct copying *copying, struct str text)
{
    if (!str_is_set(text)) {
        return text;
    }
    struct str masked = mask_text(copying->arena, &copying->mask, text);
    masked = mask_parts(copying->arena, copying->mask.secrets, masked);
    return arena_dup(copying->arena, text_show(copying->arena, masked, VALUE_COLUMNS));
}

/* Names of headers and parameters whose values are nobody's business, whatever their shape. */
static bool is_secret_name(struct str name)
{
    static const struct str marks[] = {STR_INIT("auth"),    STR_INIT("key"),    STR_INIT("token"),
                                       STR_INIT("secret"),  STR_INIT("cookie"), STR_INIT("sig"),
                                       STR_INIT("password")};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (str_ifind(name, marks[i]) >= 0) {
            return true;
        }
    }
    return false;
}

static struct str value_of(const struct copying *copying, struct str name, struct str value)
{
    if (str_is_empty(value) || !is_secret_name(name)) {
        return shown(copying, value);
    }
    bool is_bearer = str_istarts(value, STR("bearer "));
    struct str bare = str_trim(str_slice(value, is_bearer ? 7 : 0, value.len));
    struct secret secret = secret_create(copying->arena, bare);
    return arena_printf(copying->arena, "%s[key %s]", is_bearer ? "Bearer " : "",
                        secret.fingerprint);
}

static enum MHD_Result add_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    struct copying *copying = cls;
    (void)kind;
    if (copying->header_count == RECORDED_HEADERS_MAX) {
        return MHD_NO;
    }
    copying->headers[copying->header_count++] =
        (struct recorded_header){arena_lower(copying->arena, shown(copying, str_from(name))),
                                 value_of(copying, str_from(name), str_from(value))};
    return MHD_YES;
}

static enum MHD_Result add_parameter(void *cls, enum MHD_ValueKind kind, const char *name,
                                     const char *value)
{
    struct copying *copying = cls;
    (void)kind;
    bool is_first = !str_is_set(copying->query);
    struct str text = value_of(copying, str_from(name), str_from(value));
    struct str whole = arena_printf(copying->arena, "%.*s%s%.*s%s%.*s", STR_ARG(copying->query),
                                    is_first ? "" : "&", STR_ARG(shown(copying, str_from(name))),
                                    value ? "=" : "", STR_ARG(text));
    copying->query = str_slice(whole, 0, 2 * VALUE_COLUMNS);
    return whole.len > 2 * VALUE_COLUMNS ? MHD_NO : MHD_YES;
}

struct recorded recorder_record(struct arena *arena, const struct request *request,
                                enum recorded_kind kind, int64_t at_ms)
{
    struct secret key = secret_create(arena, request->key.value);
    struct copying copying = {
        .arena = arena,
        .mask = {.secrets = &key, .secret_count = 1},
        .headers = ARENA_ARRAY(arena, RECORDED_HEADERS_MAX, struct recorded_header),
    };
    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, add_header, &copying);
    MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, add_parameter, &copying);
    return (struct recorded){
        .kind = kind,
        .at_ms = at_ms,
        .method = shown(&copying, request->method),
        .host = shown(&copying, request->foreign_host),
        .path = shown(&copying, request->path),
        .query = copying.query,
        .model = shown(&copying, request->model),
        .key = key,
        .status = request->reply ? request->reply->status : 404,
        .headers = copying.headers,
        .header_count = copying.header_count,
    };
}
