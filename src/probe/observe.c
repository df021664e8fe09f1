/* Observing. Takes a transfer that ended, gives the observation: what the system and TLS said,
 * headers and body masked, and what the wire reads from them. Judges nothing. */
#include "probe/proxy.h"
#include "probe/transfer.h"
#include "probe/url.h"

#include <errno.h>
#include <openssl/x509_vfy.h>
#include <string.h>

#define MASK_MIN_BYTES 6 /* as short as a secret may be to be masked */
#define HARMLESS_MAX 256 /* texts that are remembered */
#define HARMLESS_BYTES_MAX 1024

/* A name mismatch is libcurl's own finding: OpenSSL's verdict on the chain is then "fine". */
static long verify_result(const struct transfer *transfer, CURLcode code)
{
    long result = transfer_number(transfer, CURLINFO_SSL_VERIFYRESULT);
    if (code != CURLE_PEER_FAILED_VERIFICATION) {
        return X509_V_OK;
    }
    /* 7.88 has not yet asked for it by then, so it may be unspecified as well. */
    return result == X509_V_OK || result == X509_V_ERR_UNSPECIFIED ? X509_V_ERR_HOSTNAME_MISMATCH
                                                                   : result;
}

/* The proxy without user and password. */
static struct value shown_proxy(struct arena *arena, const struct value *proxy)
{
    ptrdiff_t slashes = str_find(proxy->text, STR("://")), at = -1;
    size_t start = slashes < 0 ? 0 : (size_t)slashes + 3;
    for (size_t i = start; i < proxy->text.len && proxy->text.ptr[i] != '/'; i++) {
        at = proxy->text.ptr[i] == '@' ? (ptrdiff_t)i : at;
    }
    struct value shown = {.text = proxy->text, .origin = proxy->origin};
    if (at >= 0) {
        shown.text = arena_printf(arena, "%.*s%.*s", STR_ARG(str_slice(proxy->text, 0, start)),
                                  STR_ARG(str_slice(proxy->text, (size_t)at + 1, proxy->text.len)));
    }
    return shown;
}

/* An unreachable family says nothing where another one had a route. */
static void fill_addresses(const struct transfer *transfer, struct observation *observation)
{
    bool is_direct = transfer->proxy.text.len == 0;
    if (observation->phase > STEP_CONNECT && !str_is_empty(observation->address)) {
        observation->family = observation->address.ptr[0] == '[' ? STR("ipv6") : STR("ipv4");
    }
    address_judge(&transfer->addresses, is_direct ? transfer->request->place.name : STR(""),
                  observation);
    /* Which of libcurl's two clocks ends a connect that hangs is chance; one leaves no errno. */
    bool is_slow =
        observation->curl_code == CURLE_OPERATION_TIMEDOUT && observation->phase == STEP_CONNECT;
    observation->os_errno = is_slow && !observation->os_errno ? ETIMEDOUT : observation->os_errno;
    bool has_route = observation->families.len > observation->no_route.len;
    if (observation->os_errno == ENETUNREACH && has_route) {
        observation->os_errno = observation->curl_code == CURLE_COULDNT_CONNECT
                                    ? address_errno(&transfer->addresses)
                                    : 0;
    }
}

static void fill_transport(struct arena *arena, const struct transfer *transfer, CURLcode code,
                           struct observation *observation)
{
    CURL *easy = transfer->easy;
    char *ip = NULL;
    observation->curl_code = (int)code;
    observation->tls_verify = verify_result(transfer, code);
    observation->proxy_status = transfer_number(transfer, CURLINFO_HTTP_CONNECTCODE);
    observation->is_through_proxy = transfer->proxy.text.len > 0;
    observation->proxy = shown_proxy(arena, &transfer->proxy);
    if (code == CURLE_PROXY) {
        observation->proxy_error =
            proxy_error_name(transfer_number(transfer, CURLINFO_PROXY_ERROR));
    }
    observation->tls = transfer->tls.sight;
    observation->os_errno = code ? (int)transfer_number(transfer, CURLINFO_OS_ERRNO) : 0;
    /* Left over from a connect that was still going on; no reason of anything. */
    if (observation->os_errno == EINPROGRESS || observation->os_errno == EAGAIN) {
        observation->os_errno = 0;
    }
    if (curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &ip) == CURLE_OK && ip && *ip) {
        long port = transfer_number(transfer, CURLINFO_PRIMARY_PORT);
        observation->address = strchr(ip, ':') ? arena_printf(arena, "[%s]:%ld", ip, port)
                                               : arena_printf(arena, "%s:%ld", ip, port);
    }
}

/* What an answer must not give back to the eye. */
struct hiding {
    struct arena *arena;
    const struct transfer *transfer;
    struct veil *veil;
    struct mask own;     /* what this very request sent, where the caller's does not know it */
    bool may_hold_parts; /* its receiver may also give back any part of it, however written */
};

static struct hiding hiding_of(struct arena *arena, struct veil *veil,
                               const struct transfer *transfer)
{
    const struct mask *mask = veil->mask;
    const struct str said[] = {buf_str(&transfer->headers), buf_str(&transfer->body)};
    struct secret *unknown = ARENA_ARRAY(arena, transfer->secret_count, struct secret);
    struct hiding hiding = {arena, transfer, veil, {.secrets = unknown}, !transfer->wire};
    for (size_t i = 0; i < transfer->secret_count; i++) {
        const struct secret *secret = &transfer->secrets[i];
        if (!mask || !mask_knows(mask, secret->value)) {
            unknown[hiding.own.secret_count++] = *secret;
        }
        hiding.may_hold_parts =
            hiding.may_hold_parts || mask_may_hold_part(secret, said, sizeof said / sizeof said[0]);
    }
    return hiding;
}

/* The text without what the caller's mask hides. */
static struct str veiled(struct arena *arena, struct veil *veil, struct str text)
{
    if (!veil->mask || str_set_find(&veil->harmless, text) != SIZE_MAX) {
        return text;
    }
    struct str masked = mask_text(arena, veil->mask, text);
    if (masked.ptr == text.ptr && text.len <= HARMLESS_BYTES_MAX &&
        veil->harmless.count < HARMLESS_MAX) {
        str_set_add(arena, &veil->harmless, arena_dup(arena, text), veil->harmless.count);
    }
    return masked;
}

static struct str hide(const struct hiding *h, struct str text)
{
    /* All at once: each pass also hides what follows the name of a header, whosever it is. */
    text = h->own.secret_count ? mask_text(h->arena, &h->own, text) : text;
    text = veiled(h->arena, h->veil, text);
    for (size_t i = 0; h->may_hold_parts && i < h->transfer->secret_count; i++) {
        text = mask_parts(h->arena, &h->transfer->secrets[i], text);
    }
    return text;
}

/* Cuts off the beginning of the key where the bound of the body went through it. */
static struct str without_split_key(struct str body, struct str key)
{
    for (size_t part = key.len; part-- > MASK_MIN_BYTES;) {
        if (str_ends(body, str_slice(key, 0, part))) {
            return str_slice(body, 0, body.len - part);
        }
    }
    return body;
}

/* A cookie is a token; its name is evidence enough. */
static struct str cookie_name(struct arena *arena, struct str value)
{
    ptrdiff_t at = str_find_char(value, '=');
    return at < 0 ? STR("[masked]")
                  : arena_printf(arena, "%.*s=[masked]", STR_ARG(str_slice(value, 0, (size_t)at)));
}

static void fill_headers(const struct hiding *h, struct observation *observation)
{
    struct arena *arena = h->arena;
    const struct transfer *transfer = h->transfer;
    struct header *headers = ARENA_ARRAY(arena, transfer->header_count, struct header);
    struct str rest = buf_str(&transfer->headers), line;
    size_t count = 0;
    while (count < transfer->header_count && str_split(&rest, '\n', &line)) {
        ptrdiff_t colon = str_find_char(line, ':');
        if (colon <= 0) {
            continue;
        }
        struct str name = str_trim(str_slice(line, 0, (size_t)colon));
        struct str value = str_trim(str_slice(line, (size_t)colon + 1, line.len));
        headers[count].name = arena_lower(arena, hide(h, name));
        headers[count].value = str_eq(headers[count].name, STR("set-cookie"))
                                   ? cookie_name(arena, value)
                                   : arena_dup(arena, hide(h, value));
        count++;
    }
    observation->headers = headers;
    observation->header_count = count;
}

static const struct str *hide_all(const struct hiding *h, const struct str *texts, size_t count)
{
    struct str *hidden = ARENA_ARRAY(h->arena, count, struct str);
    for (size_t i = 0; i < count; i++) {
        hidden[i] = hide(h, texts[i]);
    }
    return hidden;
}

/* Part by part: "api-key:model:*" is a scope, not a header with a key in it. */
static struct str hide_scope(const struct hiding *h, struct str scope)
{
    struct str rest = scope, part, hidden = {NULL, 0};
    while (str_split(&rest, ':', &part)) {
        hidden = arena_printf(h->arena, "%.*s%s%.*s", STR_ARG(hidden), hidden.ptr ? ":" : "",
                              STR_ARG(hide(h, part)));
    }
    return hidden;
}

static const struct str *hide_scopes(const struct hiding *h, const struct str *scopes, size_t count)
{
    struct str *hidden = ARENA_ARRAY(h->arena, count, struct str);
    for (size_t i = 0; i < count; i++) {
        hidden[i] = hide_scope(h, scopes[i]);
    }
    return hidden;
}

/* Reads the whole body, of which only the beginning is kept: a list of models may be long. */
static void fill_sight(const struct hiding *h, CURLcode code, struct observation *observation)
{
    struct arena *arena = h->arena;
    const struct planned_request *request = h->transfer->request;
    observation->body = buf_str(&h->transfer->body);
    wire_read_free(arena, code == CURLE_OK, request->free, request->limits, request->limit_count,
                   observation);
    observation->request_id = hide(h, observation->request_id);
    struct key_sight *sight = ARENA_NEW(arena, struct key_sight);
    *sight = *observation->sight;
    sight->models = hide_all(h, sight->models, sight->model_count);
    sight->permissions = hide_scopes(h, sight->permissions, sight->permission_count);
    sight->balance = hide(h, sight->balance);
    observation->sight = sight;
}

static void fill_http(struct arena *arena, struct veil *veil, const struct transfer *transfer,
                      CURLcode code, struct observation *observation)
{
    const struct hiding hiding = hiding_of(arena, veil, transfer);
    int64_t date = 0;
    fill_headers(&hiding, observation);
    observation->kind = OBSERVATION_HTTP;
    observation->is_body_cut = transfer->is_body_cut;
    if (!transfer->wire) {
        fill_sight(&hiding, code, observation);
    }
    struct str body = str_slice(buf_str(&transfer->body), 0, BODY_MAX_BYTES);
    if (code != CURLE_OK || transfer->is_body_cut || body.len < transfer->body.len) {
        for (size_t i = 0; i < transfer->secret_count; i++) {
            body = without_split_key(body, transfer->secrets[i].value);
        }
    }
    observation->is_body_cut = transfer->is_body_cut || body.len < transfer->body.len;
    observation->body = arena_dup(arena, hide(&hiding, body));
    if (http_date(observation_header(observation, STR("date")), &date)) {
        int64_t skew = transfer->date_seen_ms - date;
        /* The header has whole seconds: less than one ahead of it is no difference. */
        observation->date_skew_ms = skew >= 0 && skew < 1000 ? 0 : skew;
        observation->has_date_skew = true;
    }
    observation->retry_after_ms = wait_of_headers(
        observation, transfer->date_seen_ms ? transfer->date_seen_ms : transfer->started_ms);
    if (transfer->wire) {
        transfer->wire->read_answer(arena, code == CURLE_OK, observation);
    }
}

/* What libcurl reports of a transfer that we ended ourselves, or by names that say too little. */
static CURLcode true_code(const struct transfer *transfer, CURLcode code, bool has_status)
{
    if (transfer->is_over || transfer->is_body_cut) {
        return CURLE_OK;
    }
    /* Endless headers: 27 is what 7.88 says of one header beyond its bound. */
    if (transfer->is_header_flood || (has_status && code == CURLE_OUT_OF_MEMORY)) {
        return CURLE_WEIRD_SERVER_REPLY;
    }
    return code;
}

struct observation transfer_observe(struct arena *arena, struct veil *veil,
                                    const struct transfer *transfer, CURLcode code)
{
    struct observation observation = {
        .kind = OBSERVATION_TRANSPORT,
        .target = transfer->request->target,
        .provider = transfer->request->target->provider,
        .phase = STEP_CONFIG,
        .retry_after_ms = -1,
        .started_ms = transfer->started_ms,
    };
    for (size_t i = 0; i < STEP_COUNT; i++) {
        observation.step_ms[i] = -1;
    }
    if (!transfer->easy) {
        observation.curl_code = (int)code;
        return observation;
    }
    long status = transfer_number(transfer, CURLINFO_RESPONSE_CODE);
    observation.status = status < 200 ? 0 : status; /* an interim answer is none */
    code = true_code(transfer, code, observation.status != 0);
    fill_transport(arena, transfer, code, &observation);
    transfer_fill_steps(transfer, code, &observation);
    fill_addresses(transfer, &observation);
    if (observation.status) {
        fill_http(arena, veil, transfer, code, &observation);
    }
    return observation;
}
