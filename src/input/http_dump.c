/* HTTP answers that somebody pasted. Takes the text, gives status, headers and body of the answer
 * that counts. In the form of `curl -v` the head's lines begin with "< ", the request's with "> ",
 * remarks with "* " and byte counts with "{ [" or "} [". */
#include "input/http_dump.h"

#include "base/buf.h"

#define HEADERS_MAX ((size_t)128)
#define LEAD_LINES_MAX                                                                             \
    ((size_t)4) /* prompt, command and progress before the status line of `curl -i` */

/* CURLcodes that the dump's last line does not name: curl.h stays out of this room. */
enum { CURL_CODE_RECV_ERROR = 56 };

struct dump {
    struct arena *arena;
    struct str rest; /* unread lines */
    bool is_verbose;
    bool is_connect; /* the request under way is a CONNECT to a proxy */
    bool has_end;    /* a blank line ended the head */
    bool was_through_proxy;
    long status;
    struct header *headers;
    size_t header_count;
    struct buf body;
    int curl_code;
};

/* "HTTP/1.1 503 Service Unavailable", "HTTP/2 200": the status, or 0. */
static long status_of(struct str line)
{
    int64_t status;
    struct str rest = line, version, digits;
    if (!str_starts(line, STR("HTTP/")) || !str_split(&rest, ' ', &version) || version.len < 6 ||
        version.len > 8 || !str_is_digit(version.ptr[5]) || !str_split(&rest, ' ', &digits) ||
        digits.len != 3 || !str_to_i64(digits, &status) || status < 100 || status > 999) {
        return 0;
    }
    return (long)status;
}

/* The line without its mark when it is one of the head as `curl -v` prints it. */
static bool take_mark(struct str line, struct str *head)
{
    if (line.len >= 1 && line.ptr[0] == '<' && (line.len == 1 || line.ptr[1] == ' ')) {
        *head = str_trim(str_slice(line, 1, line.len));
        return true;
    }
    return false;
}

static bool is_remark(struct str line)
{
    return str_starts(line, STR("* ")) || str_starts(line, STR("> ")) || str_eq(line, STR(">")) ||
           str_starts(line, STR("{ [")) || str_starts(line, STR("} ["));
}

/* "curl: (18) transfer closed ...": the code that curl ended with. */
static bool read_curl_line(struct dump *dump, struct str line)
{
    int64_t code;
    struct str rest = line, number;
    if (!str_starts(line, STR("curl: ("))) {
        return false;
    }
    rest = str_slice(line, 7, line.len);
    if (str_split(&rest, ')', &number) && str_to_i64(number, &code) && code > 0 && code < 200) {
        dump->curl_code = (int)code;
        return true;
    }
    return false;
}

static void begin_answer(struct dump *dump, long status)
{
    dump->status = status;
    dump->header_count = 0;
    dump->has_end = false;
    buf_free(&dump->body);
}

static void add_header(struct dump *dump, struct str line)
{
    struct str rest = line, name;
    if (dump->header_count == HEADERS_MAX || !str_split(&rest, ':', &name) || !str_is_set(rest)) {
        return;
    }
    dump->headers[dump->header_count++] =
        (struct header){.name = arena_lower(dump->arena, str_trim(name)), .value = str_trim(rest)};
}

static void read_head_line(struct dump *dump, struct str line)
{
    long status = status_of(line);
    if (status) {
        begin_answer(dump, status);
    } else if (line.len == 0) {
        dump->has_end = true;
    } else if (!dump->has_end) {
        add_header(dump, line);
    }
}

static void read_remark(struct dump *dump, struct str line)
{
    if (str_starts(line, STR("> CONNECT "))) {
        dump->is_connect = dump->was_through_proxy = true;
    } else if (str_starts(line, STR("> ")) && status_of(line) == 0 &&
               str_find(line, STR(" HTTP/")) > 0) {
        dump->is_connect = false; /* the request proper follows an opened tunnel */
    }
}

static void read_body_line(struct dump *dump, struct str line)
{
    if (!read_curl_line(dump, line)) {
        buf_add(&dump->body, line);
        buf_add_char(&dump->body, '\n');
    }
}

static void read_lines(struct dump *dump)
{
    struct str line, head;
    while (str_split(&dump->rest, '\n', &line)) {
        struct str bare = line;
        if (bare.len && bare.ptr[bare.len - 1] == '\r') {
            bare.len--;
        }
        if (dump->is_verbose && take_mark(bare, &head)) {
            read_head_line(dump, head);
        } else if (dump->is_verbose && is_remark(bare)) {
            read_remark(dump, bare);
        } else if (status_of(str_trim(bare))) {
            begin_answer(dump, status_of(str_trim(bare))); /* wget -S indents the head */
        } else if (dump->status && !dump->has_end && !dump->is_verbose) {
            read_head_line(dump, bare);
        } else if (dump->status) {
            read_body_line(dump, bare);
        } else {
            read_curl_line(dump, bare);
        }
    }
}

/* Whether the front of a text is that of a dump, and of which form. */
static bool is_dump(struct str text, bool *is_verbose)
{
    struct str rest = text, line, head;
    size_t lines = 0;
    *is_verbose = false;
    while (str_split(&rest, '\n', &line)) {
        line = str_trim(line);
        if (take_mark(line, &head) && status_of(head)) {
            *is_verbose = true;
            return true;
        }
        if (status_of(line) && lines < LEAD_LINES_MAX) {
            return true;
        }
        bool is_lead = line.len == 0 || is_remark(line) || line.ptr[0] == '<' || line.ptr[0] == '*';
        lines += !is_lead;
        if (lines >= LEAD_LINES_MAX * 4) {
            return false;
        }
    }
    return false;
}

static struct str body_of(struct dump *dump)
{
    struct str body = buf_str(&dump->body);
    /* The last line's end was put there by the paste. */
    return arena_dup(dump->arena, str_slice(body, 0, body.len ? body.len - 1 : 0));
}

bool http_dump_read(struct arena *arena, struct str text, bool is_forced,
                    struct observation *observation)
{
    struct dump dump = {.arena = arena, .rest = text, .body = buf_create(text.len + 1)};
    if (!is_dump(text, &dump.is_verbose)) {
        return false;
    }
    dump.headers = ARENA_ARRAY(arena, HEADERS_MAX, struct header);
    read_lines(&dump);
    bool is_refused_connect = dump.is_connect && dump.status >= 300;
    bool is_usable = dump.has_end || is_forced || dump.status >= 300;
    if (is_usable) {
        observation->kind = is_refused_connect ? OBSERVATION_TRANSPORT : OBSERVATION_HTTP;
        observation->status = is_refused_connect ? 0 : dump.status;
        observation->proxy_status = is_refused_connect ? dump.status : 0;
        observation->is_through_proxy = dump.was_through_proxy;
        observation->phase = is_refused_connect ? STEP_CONNECT : STEP_ANSWER;
        observation->curl_code =
            is_refused_connect && !dump.curl_code ? CURL_CODE_RECV_ERROR : dump.curl_code;
        observation->headers = dump.headers;
        observation->header_count = dump.header_count;
        observation->body = body_of(&dump);
    }
    buf_free(&dump.body);
    return is_usable;
}
