/* One request: its libcurl handle, and the bounded taking in of what the server sends. Takes a
 * planned request, gives a handle that a multi run can drive. The key goes into the request's
 * header and nowhere else. */
#include "probe/transfer.h"

#include "probe/url.h"

#include <string.h>

#define REQUEST_MAX_BYTES ((size_t)64 * 1024)

static size_t take_header(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;
    struct str line = {bytes, size * count};
    if (transfer->has_body) {
        return line.len;
    }
    if (str_starts(line, STR("HTTP/"))) {
        /* The headers of an interim answer (100, 103) are not those of the answer. */
        transfer->headers.len = 0;
        transfer->header_count = 0;
        return line.len;
    }
    transfer->header_bytes += line.len;
    if (transfer->header_bytes > HEADERS_MAX_BYTES) {
        transfer->is_header_flood = true;
        return 0;
    }
    if (str_istarts(line, STR("date:"))) {
        transfer->date_seen_ms = transfer->env->wall_ms(transfer->env->clock);
    }
    line = str_trim(line);
    if (str_find_char(line, ':') > 0 && transfer->header_count < HEADER_MAX_COUNT) {
        transfer->header_count++;
        buf_add(&transfer->headers, str_slice(line, 0, HEADER_MAX_BYTES));
        buf_add_char(&transfer->headers, '\n');
    }
    return size * count;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;
    transfer->has_body = true;
    if (!buf_add(&transfer->body, (struct str){bytes, size * count})) {
        transfer->is_body_cut = true;
        return 0;
    }
    if (transfer->wire && transfer->wire->is_over &&
        transfer->wire->is_over(buf_str(&transfer->body), &transfer->seen)) {
        transfer->is_over = true;
        return 0;
    }
    return size * count;
}

/* Called when TLS is about to begin, after TCP and the proxy's tunnel: libcurl 7.88 keeps the time
 * of the connection to itself when the handshake fails. */
static CURLcode note_tls(CURL *easy, void *tls, void *context)
{
    struct transfer *transfer = context;
    (void)easy;
    tls_watch(&transfer->tls, tls);
    transfer->tls_ms = transfer->env->monotonic_ms(transfer->env->clock) - transfer->begun_ms;
    return CURLE_OK;
}

/* Bytes that would end a header line or that no header may hold. */
static bool is_sendable(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f) {
            return false;
        }
    }
    return true;
}

static const char *join(struct arena *arena, const struct str *parts, size_t count)
{
    size_t length = 0, taken = 0;
    for (size_t i = 0; i < count; i++) {
        length += parts[i].len;
    }
    char *whole = arena_alloc(arena, length + 1);
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len) {
            memcpy(whole + taken, parts[i].ptr, parts[i].len);
            taken += parts[i].len;
        }
    }
    return whole;
}

static bool add_line(struct arena *arena, struct curl_slist **lines, struct str name,
                     struct str prefix, struct str value)
{
    if (name.len == 0 || !is_sendable(name) || str_find_char(name, ':') >= 0 ||
        !is_sendable(prefix) || !is_sendable(value)) {
        return false;
    }
    /* "Name;" is how libcurl is told to send a header without a value. */
    struct str joint = prefix.len + value.len ? STR(": ") : STR(";");
    const struct str parts[] = {name, joint, prefix, value};
    struct curl_slist *longer =
        curl_slist_append(*lines, join(arena, parts, sizeof parts / sizeof parts[0]));
    *lines = longer ? longer : *lines;
    return longer != NULL;
}

static bool has_own(const struct target *target, struct str name)
{
    for (size_t i = 0; i < target->header_count; i++) {
        if (str_ieq(target->headers[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* The name says that the value is not for everybody. */
static bool is_secret_name(struct str name)
{
    static const struct str parts[] = {STR_INIT("auth"),   STR_INIT("key"),
                                       STR_INIT("token"),  STR_INIT("secret"),
                                       STR_INIT("cookie"), STR_INIT("password")};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (str_ifind(name, parts[i]) >= 0) {
            return true;
        }
    }
    return false;
}

/* All that an answer must not give back to the eye: the caller's mask may not know it. */
static void list_secrets(struct transfer *transfer, struct arena *arena)
{
    const struct target *target = transfer->request->target;
    struct secret *secrets = ARENA_ARRAY(arena, target->header_count + 1, struct secret);
    size_t count = 0;
    if (!str_is_empty(target->key.value)) {
        secrets[count++] = target->key;
    }
    for (size_t i = 0; i < target->header_count; i++) {
        struct str value = target->headers[i].value;
        if (value.len && is_secret_name(target->headers[i].name)) {
            /* "Bearer X": the scheme is no secret, and X may come back without it. */
            ptrdiff_t blank = str_find_char(value, ' ');
            secrets[count++] =
                secret_create(arena, str_slice(value, (size_t)(blank + 1), value.len));
        }
    }
    transfer->secrets = secrets;
    transfer->secret_count = count;
}

/* Our headers, unless the target has its own of that name, as in the vendors' SDKs. */
static bool add_headers(struct transfer *transfer, struct arena *arena)
{
    const struct target *target = transfer->request->target;
    struct curl_slist **lines = &transfer->header_lines;
    const struct wire *wire = transfer->wire;
    const struct free_request *form = transfer->request->free;
    bool has_own_way = form && str_is_set(form->auth_header);
    bool is_anonymous = transfer->request->is_anonymous;
    const struct {
        struct str name, prefix, value;
        bool is_wanted;
    } ours[] = {
        {has_own_way ? form->auth_header : target->auth_header,
         has_own_way ? form->auth_prefix : target->auth_prefix, target->key.value,
         str_is_set(target->key.value) && !is_anonymous},
        {STR("Accept"), STR(""), wire ? wire->accept : STR("application/json"), true},
        {STR("Content-Type"), STR(""), STR("application/json"), wire != NULL},
        {STR("User-Agent"), STR(""), STR("diagnose/" DIAGNOSE_VERSION), true},
    };
    bool is_fine = true;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        if (ours[i].is_wanted && !has_own(target, ours[i].name)) {
            is_fine =
                add_line(arena, lines, ours[i].name, ours[i].prefix, ours[i].value) && is_fine;
        }
    }
    for (size_t i = 0; i < target->header_count; i++) {
        const struct header *header = &target->headers[i];
        if (!is_anonymous || !is_secret_name(header->name)) {
            is_fine = add_line(arena, lines, header->name, STR(""), header->value) && is_fine;
        }
    }
    return is_fine;
}

static CURLcode set_request(struct transfer *transfer, struct arena *arena)
{
    CURL *easy = transfer->easy;
    CURLcode code = CURLE_OK;
    if (transfer->wire) {
        struct wire_request wanted = {.model = transfer->request->target->model.text,
                                      .is_uncapped = transfer->request->target->is_uncapped,
                                      .variant = transfer->variant};
        struct buf body = buf_create(REQUEST_MAX_BYTES);
        transfer->wire->write_body(&wanted, &body);
        code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)body.len);
        code = code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, buf_str(&body).ptr);
        code = body.is_full ? CURLE_BAD_FUNCTION_ARGUMENT : code;
        buf_free(&body);
    }
    code = code ? code
                : curl_easy_setopt(easy, CURLOPT_URL, arena_cstr(arena, transfer->request->url));
    return code ? code : curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->header_lines);
}

/* What is the same for every request. */
static CURLcode set_limits(CURL *easy, const struct probe_options *options)
{
    const struct {
        CURLoption option;
        long value;
    } numbers[] = {
        {CURLOPT_NOSIGNAL, 1},
        {CURLOPT_FOLLOWLOCATION, 0},
        {CURLOPT_TIMEOUT_MS, (long)options->timeout_ms},
        {CURLOPT_CONNECTTIMEOUT_MS, (long)options->connect_timeout_ms},
        {CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS},
        {CURLOPT_SUPPRESS_CONNECT_HEADERS, 1},
        /* Answers are short; libcurl's own 16 KiB are a third of the memory of a thousand probes.
         */
        {CURLOPT_BUFFERSIZE, 2048},
        {CURLOPT_UPLOAD_BUFFERSIZE, 16 * 1024}, /* the least; HTTP/2 takes one for each body */
        /* A resolver that hangs must not hold up the others when its transfer is given up. */
        {CURLOPT_QUICK_EXIT, 1},
    };
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    for (size_t i = 0; code == CURLE_OK && i < sizeof numbers / sizeof numbers[0]; i++) {
        code = curl_easy_setopt(easy, numbers[i].option, numbers[i].value);
    }
    return code;
}

static CURLcode set_route(struct transfer *transfer, struct arena *arena)
{
    CURL *easy = transfer->easy;
    struct str ca_file = transfer->request->target->ca_file.text;
    struct str ca_dir = transfer->request->target->ca_dir.text;
    char *bundle = NULL;
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PROXY, arena_cstr(arena, transfer->proxy.text));
    /* The choice is made; an unset list would let libcurl look at the environment. */
    code = code ? code : curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    /* Spares libcurl a walk through all its connections, of which none is free. */
    code =
        code ? code : curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, transfer->is_fresh ? 1L : 0L);
    code = code ? code : curl_easy_setopt(easy, CURLOPT_PIPEWAIT, transfer->is_sharing ? 1L : 0L);
    if (code == CURLE_OK && !str_is_empty(ca_file)) {
        code = curl_easy_setopt(easy, CURLOPT_CAINFO, arena_cstr(arena, ca_file));
    }
    if (code == CURLE_OK && !str_is_empty(ca_dir)) {
        /* A folder that the user names stands in the place of the system's bundle. */
        code = str_is_empty(ca_file) ? curl_easy_setopt(easy, CURLOPT_CAINFO, NULL) : CURLE_OK;
        return code ? code : curl_easy_setopt(easy, CURLOPT_CAPATH, arena_cstr(arena, ca_dir));
    }
    /* A folder of certificates beside the bundle says nothing new, and with it libcurl parses the
     * whole bundle again for every connection (25 ms each) in place of once a run. */
    code = code ? code : curl_easy_getinfo(easy, CURLINFO_CAINFO, &bundle);
    if (code == CURLE_OK && (bundle || !str_is_empty(ca_file))) {
        code = curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    return code;
}

static CURLcode set_callbacks(struct transfer *transfer)
{
    CURL *easy = transfer->easy;
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    code = code ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    code = code ? code : curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    code = code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    code = code ? code : curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    code = code ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, address_open);
    code = code ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &transfer->addresses);
    /* Other TLS libraries than OpenSSL may not have these two; only a duration is lost then. */
    if (curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, note_tls) == CURLE_OK) {
        curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, transfer);
    }
    return code;
}

CURLcode transfer_prepare(struct transfer *transfer, struct arena *arena,
                          const struct probe_options *options)
{
    transfer->headers = buf_create(HEADERS_MAX_BYTES + HEADER_MAX_COUNT);
    transfer->body = buf_create(transfer->request->free ? FREE_BODY_MAX_BYTES : BODY_MAX_BYTES);
    transfer->started_ms = transfer->env->wall_ms(transfer->env->clock);
    transfer->begun_ms = transfer->env->monotonic_ms(transfer->env->clock);
    transfer->tls_ms = -1;
    transfer->tls = (struct tls_watch){.arena = arena};
    transfer->addresses.count = 0;
    list_secrets(transfer, arena);
    transfer->easy = curl_easy_init();
    if (!transfer->easy) {
        return CURLE_FAILED_INIT;
    }
    if (!transfer->request->place.is_whole) {
        return CURLE_URL_MALFORMAT;
    }
    if (!add_headers(transfer, arena)) {
        return CURLE_BAD_FUNCTION_ARGUMENT;
    }
    CURLcode code = set_limits(transfer->easy, options);
    code = code ? code : set_route(transfer, arena);
    code = code ? code : set_request(transfer, arena);
    return code ? code : set_callbacks(transfer);
}

void transfer_clear(struct transfer *transfer)
{
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->header_lines);
    buf_free(&transfer->headers);
    buf_free(&transfer->body);
    transfer->easy = NULL;
    transfer->header_lines = NULL;
    transfer->header_count = transfer->header_bytes = 0;
    transfer->has_body = transfer->is_header_flood = false;
    transfer->is_body_cut = transfer->is_over = false;
    transfer->seen = 0;
}
