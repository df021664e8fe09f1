/* Logs: moments, fronts of lines, which lines form an entry, and blocks. */
#include "input/input.h"
#include "input/log_entry.h"
#include "input/log_moment.h"
#include "input/log_reader.h"
#include "input/log_time.h"

#include <ctype.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define NOW_MS INT64_C(1796043600000) /* 2026-11-30T13:00:00Z */
#define AT(h, m, s) (INT64_C(1795957200000) + (((h)-13) * 3600 + (m)*60 + (s)) * 1000)

static const struct {
    const char *line;
    int64_t time_ms;
    const char *message;
    bool is_ordinary;
} fronts[] = {
    {"2026-11-29T13:00:01Z boom", AT(13, 0, 1), "boom", false},
    {"2026-11-29T13:00:01boom", -1, "2026-11-29T13:00:01boom", false},
    {"2026-11-29T14:00:01.250+01:00 INFO boom", AT(13, 0, 1) + 250, "boom", true},
    {"2026-11-29 13:00:00,123 ERROR boom", AT(13, 0, 0) + 123, "boom", false},
    {"[2026-11-29 13:00:00] boom", AT(13, 0, 0), "boom", false},
    {"2026-11-29 13:00:00,5 - app:run:7 - DEBUG - boom", AT(13, 0, 0) + 500, "boom", true},
    {"2026/11/29 13:00:06 [error] 12#3: boom", AT(13, 0, 6), "12#3: boom", false},
    {"Nov 29 13:00:08 host codex[12]: boom", AT(13, 0, 8), "host codex[12]: boom", false},
    {"Dec 24 13:00:08 host", INT64_C(1766581208000), "host", false}, /* of last year */
    {"[Sun Nov 29 13:00:08 2026] [error] boom", AT(13, 0, 8), "boom", false},
    {"E1129 13:00:05.123456   77 c.go:42] boom", AT(13, 0, 5) + 123, "boom", false},
    {"I1129 13:00:05.123456   77 c.go:42] boom", AT(13, 0, 5) + 123, "boom", true},
    {"[2026-11-29 13:00:05,123: INFO/Worker-1] boom", AT(13, 0, 5) + 123, "boom", true},
    {"13:00:05 - Some Proxy:INFO: server.py:7 - boom", -1, "server.py:7 - boom", true},
    {"[INFO] 2026/11/29 - 13:00:05 | boom", AT(13, 0, 5), "boom", true},
    {"<14>1 2026-11-29T13:00:05Z host app 7 - - boom", AT(13, 0, 5), "boom", true},
    {"<11>1 2026-11-29T13:00:05Z host app 7 id [a b=\"c\"] boom", AT(13, 0, 5), "boom", false},
    {"<14>Nov 29 13:00:08 host app: boom", AT(13, 0, 8), "host app: boom", true},
    {"{\"log\":\"INFO boom\",\"time\":\"2026-11-29T13:00:01Z\"}", AT(13, 0, 1),
     "{\"log\":\"INFO boom\",\"time\":\"2026-11-29T13:00:01Z\"}", true},
    {"1795957201.5 boom", AT(13, 0, 1) + 500, "boom", false},
    {"time=2026-11-29T13:00:01Z level=info msg=boom", AT(13, 0, 1), "msg=boom", true},
    {"level=warn ts=2026-11-29T13:00:01Z msg=boom", AT(13, 0, 1), "msg=boom", false},
    {"caller=a.go ts=2026-11-29T13:00:01Z level=info", AT(13, 0, 1),
     "caller=a.go ts=2026-11-29T13:00:01Z level=info", true},
    {"\x1b[2m2026-11-29T13:00:01Z\x1b[0m \x1b[31mERROR\x1b[0m boom", AT(13, 0, 1), "boom", false},
    {"13:00:01.123 [main] WARN  c.App - boom", -1, "c.App - boom", false},
    {"ERROR: boom", -1, "boom", false},
    {"error: boom", -1, "error: boom", false},
    {"{\"ts\":\"2026-11-29T13:00:01Z\",\"level\":\"info\"}", AT(13, 0, 1),
     "{\"ts\":\"2026-11-29T13:00:01Z\",\"level\":\"info\"}", true},
    {"{\"level\":50,\"time\":1795957201000}", AT(13, 0, 1), "{\"level\":50,\"time\":1795957201000}",
     false},
    {"1.2.3.4 - - [29/Nov/2026:14:00:01 +0100] \"GET / HTTP/1.1\" 503", AT(13, 0, 1),
     "1.2.3.4 - - [29/Nov/2026:14:00:01 +0100] \"GET / HTTP/1.1\" 503", false},
    {"11/29/2026 01:00:05 PM\tError\tboom", AT(13, 0, 5), "boom", false},
    {"11/29/2026 1:00:05 PM\tInformation\tboom", AT(13, 0, 5), "boom", true},
    {"29/11/2026, 13:00:05 boom", AT(13, 0, 5), "boom", false},
    {"llm-gateway-1  | 2026-11-29 13:00:01 [info] boom", AT(13, 0, 1), "boom", true},
    {"web  | 2026-11-29T13:00:01Z ERROR boom", AT(13, 0, 1), "boom", false},
    {"[pod/llm-0/app] 2026-11-29T13:00:01Z INFO boom", AT(13, 0, 1), "boom", true},
    {"web  | boom", -1, "boom", false},
    {"2026-11-29T13:00:01.123456789Z stderr F boom", AT(13, 0, 1) + 123, "boom", false},
    {"web  | (Server pid=7) INFO:     boom", -1, "boom", true},
    {"(Worker pid=7, ip=10.0.0.1) ERROR 11-29 13:00:05 [a.py:7] boom", AT(13, 0, 5),
     "[a.py:7] boom", false},
    {"[GIN] 2026/11/29 - 13:00:05 | 200 |", AT(13, 0, 5), "[GIN] 2026/11/29 - 13:00:05 | 200 |",
     false},
    {"web  | [SYS] 2026/11/29 - 13:00:05 | boom", AT(13, 0, 5),
     "[SYS] 2026/11/29 - 13:00:05 | boom", false},
    {"[GIN] boom", -1, "[GIN] boom", false},
    {"11-29 13:00:05.123 boom", AT(13, 0, 5) + 123, "boom", false},
    {"11月 29 13:00:08 host app[7]: boom", AT(13, 0, 8), "host app[7]: boom", false},
    {"nov 29 13:00:08 host app[7]: boom", AT(13, 0, 8), "host app[7]: boom", false},
    {"nov. 29 13:00:08 host app[7]: boom", AT(13, 0, 8), "host app[7]: boom", false},
    {"ноя 29 13:00:08 host app[7]: boom", AT(13, 0, 8), "host app[7]: boom", false},
    {"29.11.2026 13:00:05 boom", AT(13, 0, 5), "boom", false},
    {"29 Nov 2026 13:00:05 boom", AT(13, 0, 5), "boom", false},
    {"[2026-11-29, 13:00:05 UTC] ERROR boom", AT(13, 0, 5), "boom", false},
    {"set 1 and go", -1, "set 1 and go", false},
    {"9:15AM INF boom", -1, "boom", true},
    {"2026-11-29 13:00:05 info: boom", AT(13, 0, 5), "info: boom", true},
    {"2026-11-29 13:00:05 error: boom", AT(13, 0, 5), "error: boom", false},
    {"info: boom", -1, "info: boom", false},
    {"chat-66669684bd-27fzq app INFO boom", -1, "boom", true},
    {"chat-of-a-new-day app INFO boom", -1, "chat-of-a-new-day app INFO boom", false},
    {"13:00:05.118 request_id=F9 [info] boom", -1, "boom", true},
    {"9:15 INF boom", -1, "9:15 INF boom", false},
    {"[2026-11-29 13:00:05] production.ERROR: boom", AT(13, 0, 5), "boom", false},
    {"[2026-11-29 13:00:05] production.INFO: boom", AT(13, 0, 5), "boom", true},
    {"2026-11-29T13:00:05.000Z ERROR 47 --- [app] [  main] c.acme.ChatService   : boom",
     AT(13, 0, 5), "boom", false},
    {"29-11-2026 13:00:05.118 [pool-1] ERROR boom", AT(13, 0, 5) + 118, "boom", false},
    {"11-29-2026 13:00:05 ERROR boom", AT(13, 0, 5), "boom", false},
    {"2026年11月29日 13:00:05 [ERROR] boom", AT(13, 0, 5), "boom", false},
    {"2026年11月29日 13:00:05 INFO boom", AT(13, 0, 5), "boom", true},
    {"20261129 13:00:05.118 INFO boom", AT(13, 0, 5) + 118, "boom", true},
    {"2026-11-29-13:00:05 [INFO] boom", AT(13, 0, 5), "boom", true},
    {"26/11/29 13:00:05 INFO boom", AT(13, 0, 5), "boom", true},
    {"11/29/26 13:00:05 INFO boom", AT(13, 0, 5), "boom", true},
    {"[Sun, 29 Nov 2026 13:00:05 GMT] [INFO] boom", AT(13, 0, 5), "boom", true},
    {"INFO[0012] boom", -1, "[0012] boom", true},
    {"ERRO[0012] boom", -1, "[0012] boom", false},
    {"{\"textPayload\":\"INFO: boom\",\"severity\":\"DEFAULT\"}", -1,
     "{\"textPayload\":\"INFO: boom\",\"severity\":\"DEFAULT\"}", true},
    {"{\"MESSAGE\":\"13:00:05 ERROR boom\"}", -1, "{\"MESSAGE\":\"13:00:05 ERROR boom\"}", false},
    {"info: App.Chat[7]", -1, "info: App.Chat[7]", true},
    {"info: see [7]", -1, "info: see [7]", false},
    {"plain words", -1, "plain words", false},
    {"2026-13-29T13:00:01Z boom", -1, "2026-13-29T13:00:01Z boom", false},
};

static void moments_are_read_in_all_their_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
        struct str line = str_from(fronts[i].line);
        struct log_front front = log_front_read(line, NOW_MS);
        struct str message = str_slice(line, front.message_at, line.len);
        if (log_front_time(line, &front, NOW_MS) != fronts[i].time_ms ||
            !str_eq(message, str_from(fronts[i].message)) ||
            front.is_ordinary != fronts[i].is_ordinary) {
            fail_msg("%s: time %lld, ordinary %d, message \"%.*s\"", fronts[i].line,
                     (long long)log_front_time(line, &front, NOW_MS), front.is_ordinary,
                     STR_ARG(message));
        }
    }
}

/* Lines of the entries of a text: "12.3" for an entry of lines 1 and 2 and one of line 3. */
static struct str spans(struct arena *arena, struct str text)
{
    struct str shown = STR("");
    unsigned line = 1;
    for (size_t at = 0; at < text.len;) {
        struct log_entry entry = log_entry_at(text, at);
        shown = arena_printf(arena, "%.*s%s", STR_ARG(shown), shown.len ? "." : "");
        for (; at < entry.next; at++) {
            if (at == entry.begin || text.ptr[at - 1] == '\n') {
                shown = arena_printf(arena, "%.*s%u", STR_ARG(shown), line++);
            }
        }
    }
    return shown;
}

static void lines_that_belong_together_form_an_entry(void **state)
{
    static const struct {
        const char *text, *spans;
    } rows[] = {
        {"a\nb\nc\n", "1.2.3"},
        {"13:00:00 ERROR x\nTraceback (most recent call last):\n  File \"a\"\nValueError: y\nplain",
         "12345"},
        {"plain\nTraceback (most recent call last):\n  File \"a\"\nValueError: y\nplain",
         "1.234.5"},
        {"Traceback (most recent call last):\n  File\nA: b\n\nDuring handling of the above "
         "exception, another exception occurred:\n\nTraceback (most recent call last):\n  File\nC: "
         "d\nx",
         "123456789.10"},
        {"java.lang.X: y\n\tat a.b(c)\nCaused by: z\n\tat d\n\t... 3 more\nnext", "12345.6"},
        {"13:00:00 ERROR body\n{\n  \"a\": 1\n}\n13:00:01 x", "1234.5"},
        {"13:00:00 ERROR a response:\n{\"error\":1}\n{\\\"error\\\":1}\n13:00:01 x", "123.4"},
        {"13:00:00 ERROR a response:\n{\"level\":\"info\"}\n", "1.2"},
        {"Traceback (most recent call last):\n{\"error\":1}\n", "1.2"},
        {"{\"log\":\"13:00:00 ERROR x\\n\"}\n{\"log\":\"Traceback (most recent call last):\\n\"}\n"
         "{\"log\":\"  File\\n\"}\n{\"log\":\"A: b\\n\"}\n{\"log\":\"13:00:01 y\\n\"}\n",
         "1234.5"}, /* Docker */
        {"13:00:00 ERROR a response\n{\"error\":1}\n", "1.2"},
        {"> a\n  \xE2\x8E\xBF  b\n    \xE2\x8E\xBF  c\n  \xE2\x8E\xBF  d\n", "123.4"},
        {"{\n  a: 1,\n  b: {\n    c: 2\n  }\n}\n{\n  a: 3\n}\nplain\n{\n", "123456.789.1011"},
        {"Nov 29 13:00:00 host a: x\nTraceback (most recent call last):\n  File\nA: b\nplain",
         "1234.5"},
        {"13:00:00 ERROR Traceback (most recent call last):\n  File\nA: b\nplain", "1234"},
        {"13:00:00 ERROR Traceback (most recent call last):\nA: b\nplain\n13:00:01 x", "123.4"},
        {"  indented at the top\nx", "1.2"},
        /* Plain lines behind trouble that has a time. */
        {"13:00:00 [ERR] x\nA.HttpException: y\n\nplain\n ---> z\n   at a\n13:00:01 b", "123456.7"},
        {"13:00:00 ERROR x\nplain\nTraceback (most recent call last):\n  File\nA: b\nplain",
         "123456"},
        {"13:00:00 x\nplain\n13:00:01 y\na.b.SomeError: z\n    at c\n", "1.2.345"},
        {"13:00:00 INFO x\na.b.SomeError: z\n", "1.2"},
        {"13:00:00 INFO x\nTraceback (most recent call last):\n  File\nA: b\n", "1.234"},
        /* What desktop tools put before each line of a container. */
        {"2026-11-29 13:00:00 a\n2026-11-29 13:00:00 Traceback (most recent call "
         "last):\n2026-11-29 "
         "13:00:00   File \"a\"\n2026-11-29 13:00:00 b.SomeError: c\n2026-11-29 13:00:00 d\n",
         "1.234.5"},
        {"chat-66669684bd-27fzq app 13:00:00 ERROR x\nchat-66669684bd-27fzq app Traceback (most "
         "recent call last):\nchat-66669684bd-27fzq app   File\nchat-66669684bd-27fzq app A: b\n"
         "chat-66669684bd-27fzq app c\n",
         "12345"},
        {"ERROR x\nplain\n", "1.2"},
        {"13:00:00 ERROR Traceback (most recent call last):\n\n> File \"a\"\n    b\nA: "
         "<html>\n<head>\n"
         "</head>\n<14>1 2026-11-29T13:00:00Z h a 7 - - x\n",
         "1234567.8"},
        {"[2026-11-29 13:00:00] production.INFO: x\n#0 /a.php(7): b()\n#1 {main}\n\"}\nplain",
         "1234.5"},
        {"fail: App.Chat[7]\n      x\ninfo: App.Chat[7]\n      y\n", "12.34"},
        {"{\"ts\":1,\"level\":\"error\"}\nplain\n", "1.2"},
        /* What collectors put before each line. */
        {"w-1  | 13:00:00 ERROR x\nw-1  | Traceback (most recent call last):\nw-1  |   File\nw-1 "
         " | A: b\nw-1  | plain\na-1  |   else\n",
         "12345.6"},
        {"Nov 29 13:00:00 h a[1]: Traceback (most recent call last):\nNov 29 13:00:00 h a[1]:   "
         "File\nNov 29 13:00:00 h a[1]: A: b\nNov 29 13:00:00 h b[1]:   c\n",
         "123.4"},
        {"2026-11-29T13:00:00.1234567Z plain\n2026-11-29T13:00:00.1234567Z Traceback (most recent "
         "call last):\n2026-11-29T13:00:00.1234567Z   File\n2026-11-29T13:00:00.1234567Z A: b\n"
         "2026-11-29T13:00:00.1234567Z  INFO c\n",
         "1.234.5"},
        {"2026-11-29T13:00:00Z stderr F Traceback (most recent call last):\n2026-11-29T13:00:00Z "
         "stderr F   File\n2026-11-29T13:00:00Z stderr F A: b\n",
         "123"},
        {"2026-11-29T13:00:00Z  a\n2026-11-29T13:00:00Z  b\n", "1.2"},
        {"Nov 29 13:00:00 h a[1]: 13:00:00 ERROR x\nNov 29 13:00:01 h a[1]: plain\nNov 29 13:00:05 "
         "h "
         "a[1]: plain\n",
         "12.3"}, /* long after the line above */
        {"2026-11-29T13:00:00: a: {\n2026-11-29T13:00:00:   b\n2026-11-29T13:00:00: }\n2026-11-29"
         "T13:00:00: c\n",
         "123.4"}, /* PM2 */
        {"2026-11-29T13:00:00.123456+00:00 api/web/1 Traceback (most recent call last):\n2026-11-29"
         "T13:00:00.123456+00:00 api/web/1   File\n2026-11-29T13:00:00.123456+00:00 api/web/1 A: "
         "b\n2026-11-29T13:00:00.123456+00:00 api/web/1 c\n",
         "123.4"}, /* CloudWatch */
        {"{\"id\":1,\"textPayload\":\"13:00:00 ERROR x\"}\n{\"id\":2,\"textPayload\":\"Traceback "
         "(most recent call last):\"}\n{\"id\":3,\"textPayload\":\"  File\"}\n{\"id\":4,"
         "\"textPayload\":\"A: b\"}\n{\"id\":5,\"textPayload\":\"plain\"}\n",
         "1234.5"},
        {"{\"MESSAGE\":\"13:00:00 ERROR x\"}\n{\"MESSAGE\":\"a.SomeError: y\"}\n{\"MESSAGE\":"
         "\"13:00:01 z\"}\n",
         "12.3"},
        /* Bodies behind a status, and what a part of a program shows of a failure. */
        {"13:00:00 ERROR x: Status 429\n{\"message\":\"no\"}\n13:00:01 y\n", "12.3"},
        {"13:00:00 [tools] fetch failed: 403\nplain\n13:00:01 y\n", "12.3"},
        {"13:00:00 [tools] fetch done\nplain\n", "1.2"},
        {"ERROR 11-29 13:00:00 [a.py:7] x\nERROR 11-29 13:00:00 [a.py:7] Traceback (most recent "
         "call "
         "last):\nERROR 11-29 13:00:00 [a.py:7]   File\nERROR 11-29 13:00:00 [a.py:7] A: b\nERROR "
         "11-29 13:00:00 [a.py:7] x\n",
         "1234.5"},
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str got = spans(arena, str_from(rows[i].text));
        if (!str_eq(got, str_from(rows[i].spans))) {
            fail_msg("%s\ngave %.*s", rows[i].text, STR_ARG(got));
        }
    }
    arena_free(arena);
}

/* Entries must not depend on where one starts to look for them. */
static void an_entry_is_found_from_any_byte_in_it(void **state)
{
    struct str text =
        STR("plain\n13:00:00 ERROR x\nTraceback (most recent call last):\n  File\n"
            "A: b\n\nDuring handling of the above exception:\n\nTraceback (most "
            "recent call last):\n  File\nC: d\nplain\n  more\n}\nend\n13:00:01 E Traceback "
            "(most recent call last):\nA: b\n13:00:02 Traceback (most recent call "
            "last):\n  File\nA: b\nplain\n");
    (void)state;
    for (size_t at = 0; at < text.len;) {
        struct log_entry entry = log_entry_at(text, at);
        for (size_t byte = entry.begin; byte < entry.next; byte++) {
            assert_int_equal(log_entry_begin(text, 0, byte), entry.begin);
        }
        at = entry.next;
    }
}

/* The same of lines of all kinds in any order. */
static void entries_of_any_lines_are_found_from_any_byte(void **state)
{
    static const char *const lines[] = {
        "plain\n",
        "a.SomeError: b\n",
        "  indented\n",
        "\n",
        "}\n",
        "{\n",
        "w-1  | }\n",
        "w-1  | {\n",
        "13:00:00 ERROR x\n",
        "13:00:00 x\n",
        "Traceback (most recent call last):\n",
        "Caused by: z\n",
        "w-1  | plain\n",
        "w-1  |   File\n",
        "w-1  | Traceback (most recent call last):\n",
        "w-1  | 13:00:00 ERROR x\n",
        "a-1  | a.SomeError: b\n",
        "2026-11-29T13:00:00.1234567Z plain\n",
        "2026-11-29T13:00:00.1234567Z Traceback (most recent call last):\n",
        "ERROR 11-29 13:00:00 [a.py:7] x\n",
        "ERROR 11-29 13:00:00 [a.py:7]   File\n",
    };
    enum { COUNT = sizeof lines / sizeof lines[0], LINES = 300 };
    char text[LINES * 80];
    uint32_t random = 1;
    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        struct str all = {text, 0};
        /* Few kinds at a time, so that long runs of one come about. */
        unsigned kinds = 2 + round % (COUNT - 1), from = round * 7 % COUNT;
        for (unsigned i = 0; i < LINES; i++) {
            random = random * 1664525 + 1013904223;
            const char *line = lines[(from + (random >> 16) % kinds) % COUNT];
            memcpy(text + all.len, line, strlen(line));
            all.len += strlen(line);
        }
        for (size_t at = 0; at < all.len;) {
            struct log_entry entry = log_entry_at(all, at);
            assert_int_equal(log_entry_begin(all, 0, entry.next - 1), entry.begin);
            assert_int_equal(log_entry_begin(all, 0, entry.begin), entry.begin);
            at = entry.next;
        }
    }
}

/* Reads a text through a pipe or file and gives its blocks glued together, with the first lines. */
static void blocks_hold_whole_entries_of_a_stream(void **state)
{
    size_t size = 3 * LOG_BUFFER_BYTES, used = 0;
    char *text = malloc(size), *block = malloc(LOG_BUFFER_BYTES);
    char path[] = "/tmp/diagnose-log-XXXXXX";
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0 && text && block);
    unlink(path);
    for (unsigned i = 0; used + 100 < size; i++) {
        const char *line = i % 7 == 0 ? "13:00:00 ERROR x\n" : "  indented, goes on\n";
        memcpy(text + used, line, strlen(line));
        used += strlen(line);
    }
    assert_int_equal(write(fd, text, used), used);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    struct log_reader *reader = log_reader_open(fd, (struct utf16){0}, (struct str){NULL, 0});
    struct str got;
    size_t at = 0;
    uint64_t line, lines = 0;
    while (log_reader_next(reader, block, &got, &line)) {
        assert_int_equal(line, lines + 1);
        assert_memory_equal(got.ptr, text + at, got.len);
        assert_memory_equal(got.ptr, "13:00", 5);
        at += got.len;
        for (size_t i = 0; i < got.len; i++) {
            lines += got.ptr[i] == '\n';
        }
    }
    assert_int_equal(at, used);
    assert_int_equal(reader->lines, lines);
    log_reader_close(reader);
    close(fd);
    free(text);
    free(block);
}

static void a_long_line_comes_in_pieces(void **state)
{
    size_t size = 20 * LOG_STEP_BYTES + 77, pieces = 0, at = 0;
    char *text = malloc(size), *block = malloc(LOG_BUFFER_BYTES);
    char path[] = "/tmp/diagnose-log-XXXXXX";
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0 && text && block);
    unlink(path);
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)('a' + i / 1000 % 26);
    }
    assert_int_equal(write(fd, text, size), size);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    struct log_reader *reader = log_reader_open(fd, (struct utf16){0}, (struct str){NULL, 0});
    struct str got;
    uint64_t line;
    while (log_reader_next(reader, block, &got, &line)) {
        assert_int_equal(line, 1);
        for (size_t from = 0; from < got.len;) {
            struct log_entry entry = log_entry_at(got, from);
            assert_memory_equal(got.ptr + entry.begin, text + at, entry.end - entry.begin);
            from = entry.next;
            at += LOG_STEP_BYTES;
            pieces++;
        }
    }
    assert_int_equal(pieces, 20); /* the last 77 bytes are within the overlap of the last one */
    log_reader_close(reader);
    close(fd);
    free(text);
    free(block);
}

static void a_log_is_told_by_its_lines(void **state)
{
    (void)state;
    assert_true(input_is_log(STR("13:00:00 a\n13:00:01 b\n13:00:02 c\n")));
    assert_true(input_is_log(STR("{\"ts\":1,\"a\":1}\n{\"ts\":2}\n{\"ts\":3}\n")));
    assert_true(input_is_log(STR("13:00:00 a\n  x\n  y\n  z\n13:00:01 b\n13:00:02 c\n")));
    assert_true(
        input_is_log(STR("Nov 29 13:00:00 h a\nNov 29 13:00:01 h b\nNov 29 13:00:02 h c\n")));
    assert_true(input_is_log(STR("info: A[1]\n  x\ninfo: A[1]\n  y\nfail: A[1]\n  z\n")));
#define FIVE(line) line line line line line
    assert_true(input_is_log(STR("ready\n" FIVE(FIVE("GET /a 200 1ms\n")) FIVE("boom\n"))));
    assert_false(input_is_log(STR(FIVE("GET /a 200 1ms\n") "boom\n")));
    assert_false(input_is_log(STR(FIVE(FIVE("User: a b\nModel: c d\n")))));
    assert_false(input_is_log(STR(FIVE(FIVE("- a b\n")))));
    assert_true(input_is_log(STR(FIVE(FIVE("> Task :a\n")))));
    assert_false(input_is_log(STR(FIVE(FIVE("> \n")))));
    assert_false(input_is_log(STR("13:00:00 a\n13:00:01 b\nplain\n")));
#define FORTY(line) FIVE(line line line line line line line line)
    assert_true(
        input_is_log(STR(FIVE("loading\nasking\n  [1/2] a\nretry\n\nfailed\n1\n2\n3\n4\n"))));
    assert_true(input_is_log(STR("# of runs: 3\n" FORTY("a\n"))));
    assert_false(input_is_log(STR("# A\n" FIVE("## B\n- c\n- d\nSome words.\n") FORTY("1. e\n"))));
    assert_false(input_is_log(STR("<html>\n" FORTY("a\n"))));
    assert_false(input_is_log(STR("#!/bin/sh\n" FORTY("a\n"))));
    assert_false(input_is_log(STR("HTTP/1.1 502 Bad Gateway\n\n" FORTY("a\n"))));
    assert_false(input_is_log(STR("Traceback (most recent call last):\n" FORTY("  a\n"))));
    assert_false(input_is_log(STR("{\n  \"error\": 1\n}\n")));
    assert_false(input_is_log(STR("")));
}

/* A block that ends behind the last piece of a line is cut within the line; the piece before it is
 * no part of the entry above. */
static void a_block_may_end_within_a_line(void **state)
{
    static const char head[] = "\n2026-11-29T13:00:00Z ERROR a\n";
    enum { FRONT = 100000, LONG = 66000, SIZE = FRONT + sizeof head - 1 + LONG + 9 };
    char *text = malloc(SIZE), *block = malloc(LOG_BUFFER_BYTES);
    (void)state;
    assert_true(text && block);
    memset(text, ' ', SIZE);
    for (size_t at = 99; at < FRONT; at += 100) {
        text[at] = '\n';
    }
    memcpy(text + FRONT, head, sizeof head - 1);
    memset(text + SIZE - LONG, 'x', LONG - 9);
    memcpy(text + SIZE - 9, "\n  below", 9);
    struct log_reader *reader =
        log_reader_open(open("/dev/null", O_RDONLY), (struct utf16){0}, (struct str){text, SIZE});
    struct str got;
    uint64_t line;
    bool is_met = false;
    while (log_reader_next(reader, block, &got, &line)) {
        for (size_t at = 0; at < got.len;) {
            struct log_entry entry = log_entry_at(got, at);
            struct str own = str_slice(got, entry.begin, entry.end);
            if (str_starts(own, STR("2026"))) {
                assert_true(str_eq(str_trim(str_from(head)), own));
                is_met = true;
            }
            at = entry.next;
        }
    }
    assert_true(is_met);
    close(reader->fd);
    log_reader_close(reader);
    free(text);
    free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_read_in_all_their_forms),
        cmocka_unit_test(lines_that_belong_together_form_an_entry),
        cmocka_unit_test(an_entry_is_found_from_any_byte_in_it),
        cmocka_unit_test(entries_of_any_lines_are_found_from_any_byte),
        cmocka_unit_test(blocks_hold_whole_entries_of_a_stream),
        cmocka_unit_test(a_long_line_comes_in_pieces),
        cmocka_unit_test(a_block_may_end_within_a_line),
        cmocka_unit_test(a_log_is_told_by_its_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
