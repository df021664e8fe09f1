/* The scripted provider on a real socket: each way of answering as a client sees it. */
#include "base/env.h"
#include "base/mask.h"
#include "serve/recorder.h"
#include "serve/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#define KEY "sk-test-0123456789abcdef"

struct server {
    struct arena *arena;
    struct serve *serve;
    unsigned short port;
    int log[2]; /* pipe: read end, write end */
};

static struct server started(const char *text)
{
    struct server server = {.arena = arena_create()};
    const struct script *script;
    struct err err = {0};
    assert_int_equal(pipe(server.log), 0);
    enum err_code code = script_parse(server.arena, STR("s"), str_from(text), &script, &err);
    if (code == ERR_OK) {
        code = serve_start(script, 0, server.log[1], &server.serve, &server.port, &err);
    }
    if (code != ERR_OK) {
        fail_msg("%u:%u: %s", err.line, err.column, err.text);
    }
    return server;
}

static void stopped(struct server *server)
{
    serve_stop(server->serve);
    close(server->log[0]);
    close(server->log[1]);
    arena_free(server->arena);
}

static int connected(unsigned short port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval limit = {.tv_sec = 10};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static int asked(unsigned short port, const char *method, const char *path, const char *headers,
                 const char *body)
{
    char text[1024];
    int fd = connected(port);
    int length = snprintf(text, sizeof text,
                          "%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%sContent-Length: "
                          "%zu\r\n\r\n%s",
                          method, path, headers, strlen(body), body);
    assert_true(length > 0 && (size_t)length < sizeof text);
    assert_int_equal(send(fd, text, (size_t)length, 0), length);
    return fd;
}

/* All that comes till the end; *broken gets the errno of a connection that broke, else 0. */
static char *answer_of(int fd, int *broken)
{
    static const size_t room = 65536;
    char *text = calloc(1, room + 1);
    size_t length = 0;
    ssize_t got;
    assert_non_null(text);
    while (length < room && (got = recv(fd, text + length, room - length, 0)) > 0) {
        length += (size_t)got;
    }
    *broken = got < 0 ? errno : 0;
    close(fd);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("no %s in:\n%s", part, text);
    }
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part)) {
        fail_msg("%s in:\n%s", part, text);
    }
}

/* One request to the end; checks for parts of the answer, up to three. */
static void assert_answer(unsigned short port, const char *method, const char *path,
                          const char *headers, const char *body, const char *first,
                          const char *second, const char *third)
{
    int broken;
    char *text = answer_of(asked(port, method, path, headers, body), &broken);
    assert_int_equal(broken, 0);
    assert_has(text, first);
    assert_has(text, second);
    assert_has(text, third);
    free(text);
}

#define POST(port, path, body, first, second, third)                                               \
    assert_answer(port, "POST", path, "", body, first, second, third)

static void answers_healthily_on_every_wire(void **state)
{
    (void)state;
    struct server server = started("[[reply]]\nwire='models'\nmethod='GET'\nhealthy='models'\n"
                                   "[[reply]]\nwire='chat'\nmodel='listed'\nhealthy='chat'\n"
                                   "diagnosis='ok'\n[[reply]]\nhealthy='any'\n");
    POST(server.port, "/v1/responses", "{\"model\":\"a\\\"b\",\"stream\":true}",
         "text/event-stream", "event: response.completed\n", "\"model\":\"a\\\"b\"");
    POST(server.port, "/v1/responses", "{\"model\":\"m\"}", "application/json",
         "\"object\":\"response\"", "\"status\":\"completed\"");
    POST(server.port, "/v1/chat/completions", "{\"model\":\"m\"}", "200 OK",
         "\"object\":\"chat.completion\"", "\"model\":\"m\"");
    POST(server.port, "/v1/chat/completions", "{\"model\":\"m\",\"stream\":true}",
         "text/event-stream", "chat.completion.chunk", "data: [DONE]\n\n");
    POST(server.port, "/v1/messages", "{\"model\":\"m\"}", "application/json",
         "\"stop_reason\":\"end_turn\"", "\"model\":\"m\"");
    POST(server.port, "/v1/messages", "{\"model\":\"m\",\"stream\":true}", "event: message_start",
         "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", "\"model\":\"m\"");
    assert_answer(server.port, "GET", "/v1/models", "", "", "\"object\":\"list\"",
                  "{\"id\":\"listed\"", "application/json");
    stopped(&server);
}

static void tells_missing_models_and_paths_apart(void **state)
{
    (void)state;
    struct server server = started("[[reply]]\npath='/nowhere/else'\nstatus=200\n");
    POST(server.port, "/v1/responses", "{\"model\":\"m\"}", "404", "model_not_found", "`m`");
    POST(server.port, "/v1/messages", "{\"model\":\"m\"}", "404", "not_found_error", "model: m");
    POST(server.port, "/v1/v1/x", "{\"model\":\"m\"}", "404", "Invalid URL (POST /v1/v1/x)",
         "application/json");
    stopped(&server);
}

static void chooses_the_first_reply_that_is_met(void **state)
{
    (void)state;
    struct server server =
        started("[[reply]]\nmodel='twice'\ntimes=2\nstatus=503\nbody='busy'\n"
                "[[reply]]\nmodel='twice'\nbody='free'\n"
                "[[reply]]\nkey='" KEY "'\nbody='known'\n"
                "[[reply]]\nkey=''\nbody='nobody'\n"
                "[[reply]]\nrequest_headers={x-team='a'}\nquery={v='1'}\nbody='both'\n"
                "[[reply]]\nbody_has='max_tokens'\nbody='capped'\n"
                "[[reply]]\nmethod='PUT'\npath='/end'\nbody='put'\n"
                "[[reply]]\nheaders={content-type='text/x', x-a='b'}\nbody='<last>'\n");
    for (int i = 0; i < 4; i++) {
        POST(server.port, "/", "{\"model\":\"twice\"}", i < 2 ? "503" : "200",
             i < 2 ? "busy" : "free", "text/plain");
    }
    assert_answer(server.port, "POST", "/", "Authorization: Bearer " KEY "\r\n", "", "known", "",
                  "");
    assert_answer(server.port, "POST", "/", "x-api-key: " KEY "\r\n", "", "known", "", "");
    assert_answer(server.port, "POST", "/", "api-key: " KEY "\r\n", "", "known", "", "");
    assert_answer(server.port, "POST", "/?v=1", "x-team: a\r\nx-api-key: k\r\n", "", "both", "",
                  "");
    assert_answer(server.port, "POST", "/?v=2", "x-team: a\r\nx-api-key: k\r\n", "max_tokens",
                  "capped", "", "");
    assert_answer(server.port, "PUT", "/the/end", "x-api-key: k\r\n", "", "put", "", "");
    assert_answer(server.port, "POST", "/the/end", "x-api-key: k\r\n", "", "<last>",
                  "content-type: text/x", "x-a: b");
    assert_answer(server.port, "GET", "/", "", "", "nobody", "", "");
    stopped(&server);
}

static void sends_events_and_drips_whole(void **state)
{
    (void)state;
    struct server server =
        started("[[reply]]\nmodel='events'\nsse=['one', {event='e', data='two', delay_ms=20}]\n"
                "[[reply]]\nbody='drop by drop'\ndrip={bytes=5, every_ms=5}\ndelay_ms=5\n");
    POST(server.port, "/", "{\"model\":\"events\"}", "text/event-stream", "data: one\n\n",
         "event: e\ndata: two\n\n");
    POST(server.port, "/", "", "Content-Length: 12", "drop by drop", "text/plain");
    stopped(&server);
}

static void breaks_off_where_the_script_says(void **state)
{
    (void)state;
    struct server server =
        started("[[reply]]\nmodel='cut'\nbody='0123456789'\ntruncate=4\n"
                "[[reply]]\nmodel='events'\nsse=['one', 'two']\ntruncate=12\n"
                "[[reply]]\nmodel='reset-late'\nbody='0123456789'\ntruncate=4\nreset=true\n"
                "[[reply]]\nreset=true\n");
    int broken;
    char *text = answer_of(asked(server.port, "POST", "/", "", "{\"model\":\"cut\"}"), &broken);
    assert_int_equal(broken, 0);
    assert_has(text, "Content-Length: 10");
    assert_has(text, "\r\n\r\n0123");
    assert_lacks(text, "01234");
    free(text);
    text = answer_of(asked(server.port, "POST", "/", "", "{\"model\":\"events\"}"), &broken);
    assert_has(text, "data: one\n\n\r\n1\r\nd");
    assert_lacks(text, "two");
    assert_lacks(text, "\r\n0\r\n");
    free(text);
    text = answer_of(asked(server.port, "POST", "/", "", "{\"model\":\"reset-late\"}"), &broken);
    assert_int_equal(broken, ECONNRESET);
    free(text);
    text = answer_of(asked(server.port, "POST", "/", "", "{}"), &broken);
    assert_int_equal(broken, ECONNRESET);
    assert_string_equal(text, "");
    free(text);
    stopped(&server);
}

static int64_t now_ms(void)
{
    struct env env = env_of_process(NULL);
    return env.monotonic_ms(env.clock);
}

/* Replies that never end must end with the server, and at once. */
static void stops_while_replies_hang(void **state)
{
    (void)state;
    char log[512] = "";
    struct server server = started("[[reply]]\nmodel='mute'\nhang=true\n"
                                   "[[reply]]\nmodel='late'\ndelay_ms=600000\nbody='x'\n"
                                   "[[reply]]\nbody='begun'\nhang=true\n");
    int fds[3] = {asked(server.port, "POST", "/", "", "{\"model\":\"mute\"}"),
                  asked(server.port, "POST", "/", "", "{\"model\":\"late\"}"),
                  asked(server.port, "POST", "/", "", "{}")};
    for (int lines = 0; lines < 3;) {
        char c;
        assert_int_equal(read(server.log[0], &c, 1), 1);
        lines += c == '\n';
        log[strlen(log) < sizeof log - 1 ? strlen(log) : 0] = c;
    }
    char begun[1024] = "";
    for (size_t length = 0; !strstr(begun, "begun");) {
        ssize_t got = recv(fds[2], begun + length, sizeof begun - 1 - length, 0);
        assert_true(got > 0);
        length += (size_t)got;
    }
    int64_t before_ms = now_ms();
    serve_stop(server.serve);
    assert_true(now_ms() - before_ms < 2000);
    for (int i = 0; i < 3; i++) {
        int broken;
        char *text = answer_of(fds[i], &broken);
        assert_string_equal(text, "");
        free(text);
    }
    server.serve = NULL;
    stopped(&server);
}

static char *log_line(struct server *server)
{
    char *line = calloc(1, 4096);
    assert_non_null(line);
    for (size_t i = 0; i < 4095; i++) {
        assert_int_equal(read(server->log[0], &line[i], 1), 1);
        if (line[i] == '\n') {
            break;
        }
    }
    return line;
}

static void logs_requests_without_keys(void **state)
{
    (void)state;
    struct server server = started("[[reply]]\nbody='x'\n");
    struct secret secret = secret_create(server.arena, STR(KEY));
    POST(server.port, "/v1/a%1Bb", "{\"model\":\"m" KEY "\"}", "200", "x", "");
    assert_answer(server.port, "POST", "/" KEY "?key=" KEY, "Authorization: Bearer " KEY "\r\n",
                  "{\"model\":\"m" KEY "\"}", "200", "x", "");
    char *line = log_line(&server);
    assert_has(line, "{\"at_ms\":");
    assert_has(line, "\"method\":\"POST\",\"path\":\"/v1/a\\\\x1Bb\"");
    assert_has(line, "\"key_fingerprint\":null,\"in_flight\":1}\n");
    free(line);
    line = log_line(&server);
    assert_has(line, secret.fingerprint);
    assert_lacks(line, KEY);
    free(line);
    stopped(&server);
}

static void *ask_slow(void *argument)
{
    const struct server *server = argument;
    int broken;
    free(answer_of(asked(server->port, "POST", "/", "", "{\"model\":\"slow\"}"), &broken));
    return NULL;
}

/* None is answered before all are there: the last to arrive is the only one that is not held. */
static void answers_many_at_once(void **state)
{
    (void)state;
    struct server server = started("[[reply]]\nmodel='slow'\ntimes=12\nhang=true\n"
                                   "[[reply]]\nbody='x'\n");
    pthread_t threads[12];
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, ask_slow, &server), 0);
    }
    for (size_t i = 0; i < 12; i++) {
        free(log_line(&server));
    }
    POST(server.port, "/", "{}", "200", "x", "");
    char *line = log_line(&server);
    assert_has(line, "\"in_flight\":13}");
    free(line);
    serve_stop(server.serve);
    server.serve = NULL;
    for (size_t i = 0; i < 12; i++) {
        pthread_join(threads[i], NULL);
    }
    stopped(&server);
}

/* Silence is kept only for those who listen: a client that hangs up frees its place. */
static void forgets_clients_that_hang_up(void **state)
{
    (void)state;
    struct server server = started("[[reply]]\nmodel='mute'\nhang=true\n[[reply]]\nbody='x'\n");
    int fd = asked(server.port, "POST", "/", "", "{\"model\":\"mute\"}");
    free(log_line(&server));
    close(fd);
    bool is_alone = false;
    for (int64_t end_ms = now_ms() + 10000; !is_alone && now_ms() < end_ms;) {
        POST(server.port, "/", "{}", "200", "x", "");
        char *line = log_line(&server);
        is_alone = strstr(line, "\"in_flight\":1}") != NULL;
        free(line);
    }
    assert_true(is_alone);
    stopped(&server);
}

static void refuses_bodies_over_a_mebibyte(void **state)
{
    (void)state;
    struct server server = started("[[reply]]\nbody='x'\n");
    static char block[65536];
    memset(block, ' ', sizeof block);
    int fd = connected(server.port);
    static const char head[] = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                               "Content-Length: 1114112\r\n\r\n";
    assert_int_equal(send(fd, head, sizeof head - 1, 0), sizeof head - 1);
    for (int i = 0; i < 17; i++) {
        assert_int_equal(send(fd, block, sizeof block, 0), sizeof block);
    }
    int broken;
    char *text = answer_of(fd, &broken);
    assert_has(text, "HTTP/1.1 413");
    free(text);
    stopped(&server);
}

static void names_a_port_that_is_taken(void **state)
{
    (void)state;
    struct server server = started("[[reply]]\nbody='x'\n");
    const struct script *script;
    struct serve *second = NULL;
    unsigned short port;
    struct err err = {0};
    assert_int_equal(
        script_parse(server.arena, STR("s"), STR("[[reply]]\nbody='x'\n"), &script, &err), ERR_OK);
    assert_int_equal(serve_start(script, server.port, -1, &second, &port, &err), ERR_SYSTEM);
    assert_null(second);
    assert_has(err.text, "cannot listen on 127.0.0.1:");
    serve_stop(NULL);
    stopped(&server);
}

/* One after the other, so that they are written down in this order. */
static void send_all(unsigned short port, const char *const (*requests)[4], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *const *request = requests[i];
        int broken = 0;
        int fd = asked(port, request[0], request[1], request[2], request[3]);
        free(answer_of(fd, &broken));
    }
}

static void records_what_comes_and_lets_nobody_through(void **state)
{
    static const char *const requests[][4] = {
        {"POST", "/v1/responses?a=b&api_key=" KEY,
         "Authorization: Bearer " KEY "\r\nX-A: " KEY "\r\n", "{\"model\":\"m\"}"},
        {"POST", "/v1/models/gem:generate", "x-goog-api-key: " KEY "\r\n", "{}"},
        {"GET", "/v1/responses", "Upgrade: websocket\r\n", ""},
        {"CONNECT", "evil.example:443", "", ""},
        {"GET", "http://user:pw@evil.example/x", "Authorization: Basic abc\r\n", ""},
        {"GET", "/v1/models", "", ""},
    };
    static const enum recorded_kind kinds[] = {RECORDED_TRY,     RECORDED_TRY,     RECORDED_UPGRADE,
                                               RECORDED_FOREIGN, RECORDED_FOREIGN, RECORDED_OTHER};
    static const int64_t statuses[] = {429, 429, 426, 403, 403, 200};
    struct arena *arena = arena_create();
    const struct script *script;
    struct serve *serve;
    struct recording recording;
    unsigned short port;
    struct err err = {0};
    (void)state;
    struct str text = STR("[[answer]]\nname='slow'\n[[answer]]\nname='no'\n"
                          "[[reply]]\nanswer='no'\nstatus=401\nbody='x'\n"
                          "[[reply]]\nanswer='slow'\nmethod='POST'\nstatus=429\nbody='x'\n"
                          "[[reply]]\nhealthy='any'\n");
    assert_int_equal(script_parse(arena, STR("s"), text, &script, &err), ERR_OK);
    assert_int_equal(recorder_start(script, STR("slow"), &serve, &port, &err), ERR_OK);
    send_all(port, requests, sizeof requests / sizeof requests[0]);
    assert_int_equal(recorder_count(serve, RECORDED_TRY), 2);
    recorder_stop(arena, serve, &recording);
    assert_int_equal(recording.count, 6);
    for (size_t i = 0; i < recording.count; i++) {
        const struct recorded *request = &recording.items[i];
        assert_int_equal(request->kind, kinds[i]);
        assert_int_equal(request->status, statuses[i]);
        assert_true(str_find(request->query, STR(KEY)) < 0);
        for (size_t j = 0; j < request->header_count; j++) {
            assert_true(str_find(request->headers[j].value, STR(KEY)) < 0);
        }
    }
    assert_true(str_eq(recording.items[0].path, STR("/v1/responses")));
    assert_true(str_eq(recording.items[0].model, STR("m")));
    assert_true(str_eq(recording.items[0].key.value, STR(KEY)));
    assert_true(str_eq(recording.items[1].model, STR("gem")));
    assert_true(str_eq(recording.items[1].key.value, STR(KEY)));
    assert_true(str_eq(recording.items[3].host, STR("evil.example:443")));
    assert_true(str_eq(recording.items[4].host, STR("evil.example")));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_healthily_on_every_wire),
        cmocka_unit_test(tells_missing_models_and_paths_apart),
        cmocka_unit_test(chooses_the_first_reply_that_is_met),
        cmocka_unit_test(sends_events_and_drips_whole),
        cmocka_unit_test(breaks_off_where_the_script_says),
        cmocka_unit_test(stops_while_replies_hang),
        cmocka_unit_test(logs_requests_without_keys),
        cmocka_unit_test(answers_many_at_once),
        cmocka_unit_test(forgets_clients_that_hang_up),
        cmocka_unit_test(refuses_bodies_over_a_mebibyte),
        cmocka_unit_test(names_a_port_that_is_taken),
        cmocka_unit_test(records_what_comes_and_lets_nobody_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
