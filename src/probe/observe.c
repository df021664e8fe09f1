/* Observing. Takes a transfer that ended, gives the observation: how far it came and how long each
 * step took, what the system and TLS said, headers and body masked, and what the wire reads from
 * them. Judges nothing. */
#include "probe/transfer.h"

#include <errno.h>
#include <openssl/x509_vfy.h>
#include <string.h>

#define MASK_MIN_BYTES 6 /* as short as a secret may be to be masked */

/* Milliseconds from the start to the end of each network step, 0 = not reached. */
struct times {
    int64_t dns, connect, tls, ready, first_byte, total;
};

static int64_t time_of(CURL *easy, CURLINFO which)
{
    curl_off_t microseconds = 0;
    return curl_easy_getinfo(easy, which, &microseconds) == CURLE_OK ? (int64_t)microseconds : 0;
}

static long number_of(CURL *easy, CURLINFO which)
{
    long number = 0;
    return curl_easy_getinfo(easy, which, &number) == CURLE_OK ? number : 0;
}

static bool is_socks(struct str proxy)
{
    return str_istarts(proxy, STR("socks"));
}

static bool is_https(const struct transfer *transfer)
{
    return str_istarts(transfer->request->url, STR("https:"));
}

/* Codes that name their step whatever the clocks say. */
static bool step_of_code(CURLcode code, enum step *step)
{
    static const struct {
        CURLcode code;
        enum step step;
    } rows[] = {
        {CURLE_URL_MALFORMAT, STEP_CONFIG},
        {CURLE_BAD_FUNCTION_ARGUMENT, STEP_CONFIG},
        {CURLE_FAILED_INIT, STEP_CONFIG},
        {CURLE_COULDNT_RESOLVE_HOST, STEP_DNS},
        {CURLE_COULDNT_RESOLVE_PROXY, STEP_DNS},
        {CURLE_COULDNT_CONNECT, STEP_CONNECT},
        {CURLE_PROXY, STEP_CONNECT},
        {CURLE_SSL_CONNECT_ERROR, STEP_TLS},
        {CURLE_PEER_FAILED_VERIFICATION, STEP_TLS},
        {CURLE_SSL_CERTPROBLEM, STEP_TLS},
        {CURLE_SSL_CIPHER, STEP_TLS},
        {CURLE_SSL_CACERT_BADFILE, STEP_TLS},
        {CURLE_SSL_ISSUER_ERROR, STEP_TLS},
        {CURLE_SSL_INVALIDCERTSTATUS, STEP_TLS},
        {CURLE_SSL_CLIENTCERT, STEP_TLS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].code == code) {
            *step = rows[i].step;
            return true;
        }
    }
    return false;
}

/* Before the proxy agreed to the tunnel, TLS can only have been with the proxy itself. */
static bool has_tls_begun(const struct transfer *transfer)
{
    long answer = number_of(transfer->easy, CURLINFO_HTTP_CONNECTCODE);
    return transfer->tls_ms >= 0 &&
           (transfer->proxy.len == 0 || answer / 100 == 2 || is_socks(transfer->proxy));
}

static enum step step_of_times(const struct transfer *transfer, CURLcode code,
                               const struct times *times)
{
    if (code == CURLE_UNSUPPORTED_PROTOCOL && times->dns == 0) {
        return STEP_CONFIG;
    }
    if (times->ready > 0) {
        return STEP_HTTP; /* on a connection used again nothing before it has a time */
    }
    if (times->dns == 0) {
        return STEP_DNS;
    }
    if (times->connect == 0) {
        return STEP_CONNECT;
    }
    return is_https(transfer) ? STEP_TLS : STEP_HTTP;
}

static void fill_steps(const struct transfer *transfer, CURLcode code,
                       struct observation *observation)
{
    CURL *easy = transfer->easy;
    struct times times = {
        .dns = time_of(easy, CURLINFO_NAMELOOKUP_TIME_T),
        .connect = time_of(easy, CURLINFO_CONNECT_TIME_T),
        .tls = is_https(transfer) ? time_of(easy, CURLINFO_APPCONNECT_TIME_T) : 0,
        .ready = time_of(easy, CURLINFO_PRETRANSFER_TIME_T),
        .first_byte = time_of(easy, CURLINFO_STARTTRANSFER_TIME_T),
        .total = time_of(easy, CURLINFO_TOTAL_TIME_T),
    };
    if (times.connect == 0 && is_https(transfer) && has_tls_begun(transfer)) {
        /* 1 stands for "reached" where it took no time. */
        times.connect = transfer->tls_ms > 0 ? transfer->tls_ms * 1000 : 1;
    }
    const struct {
        enum step step;
        int64_t end;
        bool is_taken;
    } steps[] = {
        {STEP_DNS, times.dns, true},
        {STEP_CONNECT, times.connect, true},
        {STEP_TLS, times.tls, is_https(transfer)},
        {STEP_HTTP, times.first_byte, true},
        {STEP_ANSWER, times.total, true},
    };
    if (observation->status) {
        observation->phase = STEP_ANSWER;
    } else if (!step_of_code(code, &observation->phase)) {
        observation->phase = step_of_times(transfer, code, &times);
    }
    int64_t start = 0;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (!steps[i].is_taken || steps[i].step > observation->phase) {
            continue;
        }
        bool is_last = steps[i].step == observation->phase;
        int64_t end = is_last ? times.total : steps[i].end;
        end = end > start ? end : start;
        observation->step_ms[steps[i].step] = (end - start) / 1000;
        start = end;
    }
    observation->total_ms = times.total / 1000;
}

/* A name mismatch is libcurl's own finding: OpenSSL's verdict on the chain is then "fine". */
static long verify_result(const struct transfer *transfer, CURLcode code)
{
    long result = number_of(transfer->easy, CURLINFO_SSL_VERIFYRESULT);
    if (code != CURLE_PEER_FAILED_VERIFICATION) {
        return X509_V_OK;
    }
    /* 7.88 has not yet asked for it by then, so it may be unspecified as well. */
    return result == X509_V_OK || result == X509_V_ERR_UNSPECIFIED ? X509_V_ERR_HOSTNAME_MISMATCH
                                                                   : result;
}

static void fill_transport(struct arena *arena, const struct transfer *transfer, CURLcode code,
                           struct observation *observation)
{
    CURL *easy = transfer->easy;
    char *ip = NULL;
    observation->curl_code = (int)code;
    observation->tls_verify = verify_result(transfer, code);
    observation->proxy_status = number_of(easy, CURLINFO_HTTP_CONNECTCODE);
    observation->is_through_proxy = transfer->proxy.len > 0;
    observation->os_errno = code ? (int)number_of(easy, CURLINFO_OS_ERRNO) : 0;
    /* Left over from a connect that was still going on; no reason of anything. */
    if (observation->os_errno == EINPROGRESS || observation->os_errno == EAGAIN) {
        observation->os_errno = 0;
    }
    if (curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &ip) == CURLE_OK && ip && *ip) {
        long port = number_of(easy, CURLINFO_PRIMARY_PORT);
        observation->address = strchr(ip, ':') ? arena_printf(arena, "[%s]:%ld", ip, port)
                                               : arena_printf(arena, "%s:%ld", ip, port);
    }
}

/* The mask hides this secret already. */
static bool is_known(const struct mask *mask, const struct secret *secret)
{
    for (size_t i = 0; mask && i < mask->secret_count; i++) {
        if (str_eq(mask->secrets[i].value, secret->value)) {
            return true;
        }
    }
    return false;
}

/* First what this very request sent, where the caller's mask does not know it. */
static struct str hide(struct arena *arena, const struct mask *mask,
                       const struct transfer *transfer, struct str text)
{
    for (size_t i = 0; i < transfer->secret_count; i++) {
        struct mask own = {.secrets = &transfer->secrets[i], .secret_count = 1};
        if (!is_known(mask, own.secrets)) {
            text = mask_text(arena, &own, text);
        }
    }
    return mask ? mask_text(arena, mask, text) : text;
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

static struct str lower_copy(struct arena *arena, struct str s)
{
    char *copy = arena_alloc(arena, s.len + 1);
    for (size_t i = 0; i < s.len; i++) {
        copy[i] = s.ptr[i] >= 'A' && s.ptr[i] <= 'Z' ? (char)(s.ptr[i] | 0x20) : s.ptr[i];
    }
    return (struct str){copy, s.len};
}

/* A cookie is a token; its name is evidence enough. */
static struct str cookie_name(struct arena *arena, struct str value)
{
    ptrdiff_t at = str_find_char(value, '=');
    return at < 0 ? STR("[masked]")
                  : arena_printf(arena, "%.*s=[masked]", STR_ARG(str_slice(value, 0, (size_t)at)));
}

static void fill_headers(struct arena *arena, const struct mask *mask,
                         const struct transfer *transfer, struct observation *observation)
{
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
        headers[count].name = lower_copy(arena, name);
        headers[count].value = str_eq(headers[count].name, STR("set-cookie"))
                                   ? cookie_name(arena, value)
                                   : arena_dup(arena, hide(arena, mask, transfer, value));
        count++;
    }
    observation->headers = headers;
    observation->header_count = count;
}

static void fill_http(struct arena *arena, const struct mask *mask, const struct transfer *transfer,
                      CURLcode code, struct observation *observation)
{
    struct str body = buf_str(&transfer->body);
    int64_t date = 0;
    if (code != CURLE_OK || transfer->is_body_cut) {
        for (size_t i = 0; i < transfer->secret_count; i++) {
            body = without_split_key(body, transfer->secrets[i].value);
        }
    }
    fill_headers(arena, mask, transfer, observation);
    observation->kind = OBSERVATION_HTTP;
    observation->body = arena_dup(arena, hide(arena, mask, transfer, body));
    observation->is_body_cut = transfer->is_body_cut;
    if (http_date(observation_header(observation, STR("date")), &date)) {
        observation->date_skew_ms = transfer->date_seen_ms - date;
        observation->has_date_skew = true;
    }
    observation->retry_after_ms = wait_of_headers(
        observation, transfer->date_seen_ms ? transfer->date_seen_ms : transfer->started_ms);
    if (transfer->wire) {
        transfer->wire->read_answer(arena, code == CURLE_OK, observation);
    } else {
        wire_read_listing(arena, code == CURLE_OK, observation);
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

struct observation transfer_observe(struct arena *arena, const struct mask *mask,
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
    long status = number_of(transfer->easy, CURLINFO_RESPONSE_CODE);
    observation.status = status < 200 ? 0 : status; /* an interim answer is none */
    code = true_code(transfer, code, observation.status != 0);
    fill_transport(arena, transfer, code, &observation);
    fill_steps(transfer, code, &observation);
    if (observation.status) {
        fill_http(arena, mask, transfer, code, &observation);
    }
    return observation;
}
