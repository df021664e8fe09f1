/* The run. Takes a plan, drives all its requests at once in one libcurl multi handle, so many per
 * endpoint and so many in all, and gives an observation for each. No server can hold up another:
 * every transfer has its own end. */
#include "base/heap.h"
#include "probe/dns.h"
#include "probe/event_loop.h"
#include "probe/proxy.h"
#include "probe/transfer.h"
#include "probe/url.h"

#include <sys/resource.h>

#define IN_FLIGHT_MAX 1000
#define HEAP_EACH_BYTES ((size_t)32 * 1024) /* of a request in flight, in libcurl and here */
#define BEGIN_AT_ONCE 64
#define CONNECTION_WEIGHT 4
#define CONNECTIONS_KEPT 64
#define DESCRIPTORS_OTHER 64
#define DESCRIPTORS_EACH 3
#define DEFAULT_TIMEOUT_MS 20000
#define DEFAULT_CONNECT_TIMEOUT_MS 10000
#define DNS_QUESTIONS_MAX 16
#define DNS_BUDGET_MS 1000 /* for asking why names did not resolve, within the time of the run */
#define WAIT_MS 1000       /* only an upper bound: libcurl wakes up for its own timers */
#define LEARN_MS 500       /* a handshake that takes longer holds up nobody else */
#define LEARN_WAIT_MS 5

/* The requests that go to one scheme, host and port, waiting in order. */
struct endpoint {
    size_t first_waiting, last_waiting; /* index of a request plus 1, 0 = none */
    size_t in_flight;
    bool was_used;
    bool has_ended; /* a request: its connection may be free */
    bool is_tls;
    bool is_sharing;      /* its handshakes succeed and lead to HTTP/2: waiting for one is safe */
    bool is_learning;     /* the first request's handshake will tell whether it speaks HTTP/2 */
    size_t first;         /* that request */
    int64_t learnt_by_ms; /* monotonic: the others go then, whatever is known */
};

struct run {
    struct arena *arena;
    const struct env *env;
    struct veil veil;
    const struct plan *plan;
    struct probe_options options;
    probe_progress *progress;
    void *context;
    struct observation *observations;

    CURLM *multi;
    struct event_loop loop;
    struct transfer *transfers; /* of each request */
    size_t *endpoint_of, *next; /* of each request; next in its endpoint's line, plus 1 */
    struct endpoint *endpoints;
    size_t endpoint_count, endpoint_turn;
    size_t *learning, learning_count; /* endpoints that hold their other requests back */
    size_t waiting, in_flight, in_flight_max, done;
};

/* Every transfer may take a socket, and two descriptors more while a thread resolves its name. The
 * usual limit of 1024 is raised as far as a plan of that size wants it and the system lets us. */
static size_t descriptors_allow(size_t requests)
{
    struct rlimit limit;
    size_t wanted = requests < IN_FLIGHT_MAX ? requests : IN_FLIGHT_MAX;
    rlim_t needed = (rlim_t)(DESCRIPTORS_OTHER + wanted * DESCRIPTORS_EACH);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return wanted;
    }
    if (limit.rlim_cur < needed && limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = limit;
        raised.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
        limit = setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised : limit;
    }
    size_t allowed = limit.rlim_cur > DESCRIPTORS_OTHER + DESCRIPTORS_EACH
                         ? (size_t)(limit.rlim_cur - DESCRIPTORS_OTHER) / DESCRIPTORS_EACH
                         : 1;
    return allowed < wanted ? allowed : wanted;
}

static size_t find_endpoint(struct run *run, struct str_set *names, struct str name)
{
    size_t found = str_set_add(run->arena, names, name, run->endpoint_count);
    return found == SIZE_MAX ? run->endpoint_count++ : found;
}

static void line_up(struct run *run)
{
    struct str_set names = {0};
    for (size_t i = 0; i < run->plan->request_count; i++) {
        size_t e = find_endpoint(run, &names, run->plan->requests[i].place.endpoint);
        struct endpoint *endpoint = &run->endpoints[e];
        run->endpoint_of[i] = e;
        endpoint->is_tls = str_istarts(run->plan->requests[i].url, STR("https:"));
        if (endpoint->last_waiting) {
            run->next[endpoint->last_waiting - 1] = i + 1;
        } else {
            endpoint->first_waiting = i + 1;
        }
        endpoint->last_waiting = i + 1;
    }
}

static void observe(struct run *run, size_t index, CURLcode code)
{
    run->observations[index] =
        transfer_observe(run->arena, &run->veil, &run->transfers[index], code);
}

/* The observation of request `index` is made: nothing more comes of it. */
static void finish(struct run *run, size_t index)
{
    transfer_clear(&run->transfers[index]);
    run->done++;
    if (run->progress) {
        run->progress(run->context, run->done, run->plan->request_count, &run->observations[index]);
    }
}

/* Sends request `index`. When it cannot even begin, that is its end. */
static void begin(struct run *run, size_t index)
{
    const struct planned_request *request = &run->plan->requests[index];
    struct endpoint *endpoint = &run->endpoints[run->endpoint_of[index]];
    struct transfer *transfer = &run->transfers[index];
    transfer->request = request;
    transfer->env = run->env;
    transfer->wire = request->free ? NULL : wire_find(request->target->wire);
    transfer->proxy = proxy_choose(run->arena, run->env, &request->place, &request->target->proxy);
    transfer->is_fresh = !endpoint->has_ended && !(endpoint->is_tls && endpoint->was_used);
    transfer->is_sharing = endpoint->is_sharing;
    CURLcode code = transfer_prepare(transfer, run->arena, &run->options);
    if (code == CURLE_OK && curl_multi_add_handle(run->multi, transfer->easy) != CURLM_OK) {
        code = CURLE_FAILED_INIT;
    }
    if (code != CURLE_OK) {
        observe(run, index, code);
        finish(run, index);
        return;
    }
    if (!endpoint->was_used && endpoint->is_tls && endpoint->first_waiting) {
        endpoint->is_learning = true;
        endpoint->first = index;
        endpoint->learnt_by_ms = run->env->monotonic_ms(run->env->clock) + LEARN_MS;
        run->learning[run->learning_count++] = run->endpoint_of[index];
    }
    endpoint->was_used = true;
    endpoint->in_flight++;
    run->in_flight++;
}

static bool may_send(const struct run *run, const struct endpoint *endpoint)
{
    return endpoint->first_waiting && !endpoint->is_learning &&
           (run->options.per_host == 0 || endpoint->in_flight < run->options.per_host);
}

/* Lets go the requests that waited to learn whether they can share the first one's connection, as
 * HTTP/2 allows. After such a handshake they may wait for places on it (CURLOPT_PIPEWAIT), else
 * hundreds at once would each open one of their own; where it takes longer than LEARN_MS each goes
 * for itself, so that one slow handshake does not hold up, and hide, what becomes of the others. */
static void end_learning(struct run *run)
{
    size_t kept = 0;
    int64_t now_ms = run->learning_count ? run->env->monotonic_ms(run->env->clock) : 0;
    for (size_t i = 0; i < run->learning_count; i++) {
        struct endpoint *endpoint = &run->endpoints[run->learning[i]];
        CURL *easy = run->transfers[endpoint->first].easy;
        curl_off_t handshake_us = 0;
        bool is_known = !easy || now_ms >= endpoint->learnt_by_ms ||
                        curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &handshake_us) ||
                        handshake_us > 0;
        endpoint->is_learning = !is_known;
        endpoint->is_sharing = handshake_us > 0 && tls_agreed_on_http2(easy);
        if (!is_known) {
            run->learning[kept++] = run->learning[i];
        }
    }
    run->learning_count = kept;
}

/* Fills free places, endpoints taking turns: only so many at once, so that those that were begun
 * are not kept waiting by the rest. A connection has to be looked after soon; one that is shared is
 * better looked at seldom, since libcurl then goes through all the requests on it. True when more
 * may begin. */
static bool begin_waiting(struct run *run)
{
    size_t idle = 0, begun = 0;
    while (run->in_flight < run->in_flight_max && idle < run->endpoint_count) {
        if (begun >= BEGIN_AT_ONCE) {
            return true;
        }
        struct endpoint *endpoint = &run->endpoints[run->endpoint_turn];
        run->endpoint_turn = (run->endpoint_turn + 1) % run->endpoint_count;
        if (!may_send(run, endpoint)) {
            idle++;
            continue;
        }
        size_t index = endpoint->first_waiting - 1;
        endpoint->first_waiting = run->next[index];
        run->waiting--;
        idle = 0;
        begun += endpoint->is_sharing ? 1 : CONNECTION_WEIGHT;
        begin(run, index);
    }
    return false;
}

/* The wire's second try, in the place of the first; false when what was observed is the end. */
static bool try_variant(struct run *run, size_t index, CURLcode code)
{
    struct transfer *transfer = &run->transfers[index];
    unsigned next;
    if (code != CURLE_OK || !transfer->wire || !transfer->wire->next_variant ||
        !transfer->wire->next_variant(&run->observations[index], transfer->variant, &next)) {
        return false;
    }
    transfer_clear(transfer);
    transfer->variant = next;
    begin(run, index);
    return true;
}

static void take_finished(struct run *run)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(run->multi, &left))) {
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        CURLcode code = message->data.result;
        struct transfer *transfer = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        size_t index = (size_t)(transfer - run->transfers);
        curl_multi_remove_handle(run->multi, message->easy_handle);
        run->endpoints[run->endpoint_of[index]].in_flight--;
        run->endpoints[run->endpoint_of[index]].has_ended = true;
        run->in_flight--;
        observe(run, index, code);
        if (!try_variant(run, index, code)) {
            finish(run, index);
        }
    }
}

static enum err_code drive(struct run *run, struct err *err)
{
    bool has_more = begin_waiting(run);
    while (run->in_flight || has_more) {
        long wait_ms = has_more ? 0 : run->learning_count ? LEARN_WAIT_MS : WAIT_MS;
        CURLMcode code = event_loop_turn(&run->loop, wait_ms);
        if (code != CURLM_OK) {
            return err_set(err, ERR_SYSTEM, "cannot send requests: %s", curl_multi_strerror(code));
        }
        take_finished(run);
        end_learning(run);
        has_more = begin_waiting(run);
        if (run->waiting == 0) {
            /* Nothing new will want the connections of what ends from here on: of many they close
             * while others are waited for. A few stay for the second try of a wire. */
            curl_multi_setopt(run->multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS_KEPT);
        }
    }
    return ERR_OK;
}

static void clear_rest(struct run *run)
{
    for (size_t i = 0; i < run->plan->request_count; i++) {
        if (run->transfers[i].easy) {
            curl_multi_remove_handle(run->multi, run->transfers[i].easy);
            transfer_clear(&run->transfers[i]);
        }
    }
}

/* The name that an observation failed to resolve, or "". */
static struct str unresolved_name(struct arena *arena, const struct planned_request *request,
                                  const struct observation *observation)
{
    if (observation->curl_code == CURLE_COULDNT_RESOLVE_HOST) {
        return request->place.name;
    }
    struct str proxy = observation->proxy.text;
    if (observation->curl_code != CURLE_COULDNT_RESOLVE_PROXY || str_is_empty(proxy)) {
        return STR("");
    }
    bool has_scheme = str_find(proxy, STR("://")) >= 0;
    return url_name(arena,
                    arena_printf(arena, "%s%.*s", has_scheme ? "" : "http://", STR_ARG(proxy)));
}

static size_t find_question(struct dns_question *questions, size_t *count, struct str host)
{
    for (size_t i = 0; i < *count; i++) {
        if (str_eq(questions[i].host, host)) {
            return i;
        }
    }
    if (*count < DNS_QUESTIONS_MAX) {
        questions[*count] = (struct dns_question){.host = host};
        return (*count)++;
    }
    return DNS_QUESTIONS_MAX;
}

/* Asks the resolvers why names did not resolve: afterwards and all at once, so that no transfer
 * waits for it, and only as long as the slowest of them has time left. */
static void explain_names(struct run *run)
{
    struct dns_question questions[DNS_QUESTIONS_MAX];
    size_t count = 0, total = run->plan->request_count;
    size_t *question_of = ARENA_ARRAY(run->arena, total, size_t);
    int64_t budget_ms = DNS_BUDGET_MS;
    for (size_t i = 0; i < total; i++) {
        struct observation *observation = &run->observations[i];
        struct str host = unresolved_name(run->arena, &run->plan->requests[i], observation);
        question_of[i] = host.len ? find_question(questions, &count, host) : DNS_QUESTIONS_MAX;
        int64_t left_ms = run->options.timeout_ms - observation->total_ms;
        budget_ms = host.len && left_ms < budget_ms ? left_ms : budget_ms;
        if (observation->curl_code == CURLE_OPERATION_TIMEDOUT && observation->phase == STEP_DNS) {
            observation->dns_result = STR("timeout");
        }
    }
    if (count) {
        dns_ask(run->env, questions, count, budget_ms > 0 ? budget_ms : 0);
    }
    for (size_t i = 0; i < total; i++) {
        if (question_of[i] < count) {
            run->observations[i].dns_result = questions[question_of[i]].result;
        }
    }
}

static struct probe_options bounded_options(const struct probe_options *wanted)
{
    struct probe_options options = *wanted;
    /* 0 would mean "no limit" to libcurl. */
    options.timeout_ms = options.timeout_ms > 0 ? options.timeout_ms : DEFAULT_TIMEOUT_MS;
    options.connect_timeout_ms =
        options.connect_timeout_ms > 0 ? options.connect_timeout_ms : DEFAULT_CONNECT_TIMEOUT_MS;
    return options;
}

enum err_code probe_run(struct arena *arena, const struct env *env, const struct mask *mask,
                        const struct plan *plan, const struct probe_options *options,
                        probe_progress *progress, void *context, struct observation *observations,
                        struct err *err)
{
    size_t count = plan->request_count;
    struct run run = {
        .arena = arena,
        .env = env,
        .veil.mask = mask,
        .plan = plan,
        .options = bounded_options(options),
        .progress = progress,
        .context = context,
        .observations = observations,
        .transfers = ARENA_ARRAY(arena, count, struct transfer),
        .endpoint_of = ARENA_ARRAY(arena, count, size_t),
        .next = ARENA_ARRAY(arena, count, size_t),
        .waiting = count,
        .endpoints = ARENA_ARRAY(arena, count, struct endpoint),
        .learning = ARENA_ARRAY(arena, count, size_t),
        .in_flight_max = descriptors_allow(count),
        .loop.epoll_fd = -1,
    };
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        return err_set(err, ERR_SYSTEM, "libcurl cannot be set up");
    }
    heap_expect(run.in_flight_max * HEAP_EACH_BYTES);
    run.multi = curl_multi_init();
    enum err_code code =
        run.multi && event_loop_open(&run.loop, run.multi)
            ? ERR_OK
            : err_set(err, ERR_SYSTEM, "no memory or descriptors to send requests");
    if (code == ERR_OK) {
        /* libcurl's own 100 would make connections beside one that takes more. */
        curl_multi_setopt(run.multi, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)IN_FLIGHT_MAX);
        line_up(&run);
        code = drive(&run, err);
        explain_names(&run);
        clear_rest(&run);
    }
    curl_multi_cleanup(run.multi);
    event_loop_close(&run.loop);
    curl_global_cleanup();
    return code;
}
