/* How far a transfer came and how long each step took. Takes libcurl's code and clocks, gives the
 * step that was under way at the end and the time spent in each. */
#include "probe/transfer.h"

/* Milliseconds from the start to the end of each network step, 0 = not reached. */
struct times {
    int64_t dns, connect, tls, ready, first_byte, total;
};

static int64_t time_of(CURL *easy, CURLINFO which)
{
    curl_off_t microseconds = 0;
    return curl_easy_getinfo(easy, which, &microseconds) == CURLE_OK ? (int64_t)microseconds : 0;
}

long transfer_number(const struct transfer *transfer, CURLINFO which)
{
    long number = 0;
    return curl_easy_getinfo(transfer->easy, which, &number) == CURLE_OK ? number : 0;
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
    long answer = transfer_number(transfer, CURLINFO_HTTP_CONNECTCODE);
    return transfer->tls_ms >= 0 &&
           (transfer->proxy.text.len == 0 || answer / 100 == 2 || is_socks(transfer->proxy.text));
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

void transfer_fill_steps(const struct transfer *transfer, CURLcode code,
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
