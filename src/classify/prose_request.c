/* Statuses beside the requests that they answer, as servers and browsers list them, and those that
 * end a report of a call. Takes a text and the place of a number of three digits in it. */
#include "classify/lift.h"

#define REPORT_BYTES_MAX 80 /* that a report has before its status */

/* Where the last word of a text begins, behind a blank. */
static size_t last_word_at(struct str text)
{
    size_t at = text.len;
    while (at > 0 && !str_is_blank(text.ptr[at - 1])) {
        at--;
    }
    return at;
}

/* "[GIN] 2026/01/01 - 10:00:00 | 429 | ...", "POST /v1/messages | 500 | 7ms": of servers that log
 * each request between bars. */
static bool is_in_access_log(struct str before, struct str behind)
{
    static const struct str signs[] = {STR_INIT("[GIN]"), STR_INIT("POST /"), STR_INIT("GET /")};
    bool is_barred = str_ends(before, STR("| ")) && str_starts(behind, STR(" |"));
    for (size_t i = 0; i < sizeof signs / sizeof signs[0] && is_barred; i++) {
        if (str_find(before, signs[i]) >= 0) {
            return true;
        }
    }
    return false;
}

/* "POST https://api.example.com/v1/messages 403", with or without a reason in brackets: of the
 * console of a browser. */
static bool is_in_console(struct str before, struct str behind)
{
    static const struct str methods[] = {STR_INIT("GET"), STR_INIT("POST"), STR_INIT("PUT"),
                                         STR_INIT("PATCH"), STR_INIT("DELETE")};
    behind = str_slice(behind, str_starts(behind, STR(" ")), behind.len);
    bool is_last = behind.len == 0 || str_is_of(behind.ptr[0], "\r\n\\\"'`(");
    if (!is_last || !str_ends(before, STR(" "))) {
        return false;
    }
    struct str rest = str_slice(before, 0, before.len - 1);
    size_t at = last_word_at(rest);
    struct str address = str_slice(rest, at, rest.len), lead = str_slice(rest, 0, at);
    bool is_address = str_starts(address, STR("https://")) || str_starts(address, STR("http://"));
    for (size_t i = 0; is_address && i < sizeof methods / sizeof methods[0]; i++) {
        size_t begin = lead.len < methods[i].len + 1 ? 0 : lead.len - methods[i].len - 1;
        bool is_alone = begin == 0 || str_is_blank(lead.ptr[begin - 1]) ||
                        str_is_of(lead.ptr[begin - 1], "\"'`");
        if (is_alone && str_eq(str_trim(str_slice(lead, begin, lead.len)), methods[i])) {
            return true;
        }
    }
    return false;
}

/* "POST /v1/messages 503 4.7ms": of a server's list of calls to an API like those of models. */
static bool is_in_list_of_calls(struct str before, struct str behind)
{
    static const struct str methods[] = {STR_INIT("POST /"), STR_INIT("GET /")};
    static const struct str parts[] = {STR_INIT("/v1"),        STR_INIT("/chat"),
                                       STR_INIT("/messages"),  STR_INIT("/completions"),
                                       STR_INIT("/responses"), STR_INIT("/generate"),
                                       STR_INIT("/models"),    STR_INIT("/embed")};
    bool is_timed = behind.len > 1 && behind.ptr[0] == ' ' && str_is_digit(behind.ptr[1]);
    bool is_last = behind.len == 0 || behind.ptr[0] == '\n' || str_starts(behind, STR(" - "));
    if (!str_ends(before, STR(" ")) || (!is_timed && !is_last)) {
        return false;
    }
    struct str rest = str_slice(before, 0, before.len - 1);
    size_t at = last_word_at(rest);
    struct str path = str_slice(rest, at, rest.len);
    struct str call = str_slice(rest, 0, at + (str_starts(path, STR("/")) ? 1 : 0));
    bool is_of_api = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        is_of_api = is_of_api || str_find(path, parts[i]) >= 0;
    }
    return is_of_api && ENDS_ANY(call, methods);
}

/* "Unable to write a title: (Anthropic) 400: ...": behind the name of who refused. */
static bool is_behind_name(struct str before, struct str behind)
{
    size_t at = before.len > 2 && str_ends(before, STR(") ")) ? before.len - 2 : 0;
    while (at > 0 && str_is_alnum(before.ptr[at - 1])) {
        at--;
    }
    return str_starts(behind, STR(": ")) && at > 0 && before.ptr[at - 1] == '(' &&
           str_is_upper(before.ptr[at]);
}

/* "[POST] "http://host/v1": 524", with or without a reason behind it: of ofetch. */
static bool is_of_fetch(struct str before)
{
    static const struct str methods[] = {STR_INIT("[POST] \""), STR_INIT("[GET] \"")};
    if (!str_ends(before, STR("\": "))) {
        return false;
    }
    struct str call = str_slice(before, 0, before.len - 3);
    size_t at = call.len;
    while (at > 0 && !str_is_blank(call.ptr[at - 1])) {
        at--;
    }
    return ENDS_ANY(str_slice(call, 0, at + (at < call.len && call.ptr[at] == '"')), methods);
}

/* "Failed to fetch models", "Error when calling the service": that a call failed, in the line that
 * a text ends with. */
static bool ends_in_failed_call(struct str text)
{
    static const struct str failures[] = {STR_INIT("ailed to "), STR_INIT("nable to "),
                                          STR_INIT("ould not "), STR_INIT("rror ")};
    static const struct str calls[] = {
        STR_INIT("fetch "),        STR_INIT("load "),          STR_INIT("list "),
        STR_INIT("generate "),     STR_INIT("get "),           STR_INIT("call "),
        STR_INIT("send "),         STR_INIT("complete "),      STR_INIT("query "),
        STR_INIT("retrieve "),     STR_INIT("reach "),         STR_INIT("calling "),
        STR_INIT("when calling "), STR_INIT("while calling "), STR_INIT("from "),
        STR_INIT("response from ")};
    size_t begin = text.len > REPORT_BYTES_MAX ? text.len - REPORT_BYTES_MAX : 0;
    struct str line = str_slice(text, begin, text.len);
    for (ptrdiff_t end; (end = str_find_char(line, '\n')) >= 0;) {
        line = str_slice(line, (size_t)end + 1, line.len);
    }
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        ptrdiff_t hit = str_find(line, failures[i]);
        struct str call = str_slice(line, (size_t)(hit < 0 ? 0 : hit) + failures[i].len, line.len);
        if (hit >= 0 && STARTS_ANY(call, calls) && str_find(line, STR(" line")) < 0) {
            return true;
        }
    }
    return false;
}

/* "Failed to fetch models: 503", "模型调用失败(502)": a report ends with the status. */
static bool ends_report(struct str before, struct str behind)
{
    static const struct str wide[] = {STR_INIT("："), STR_INIT("（")};
    behind = str_slice(behind, behind.len && str_is_of(behind.ptr[0], ").\"'") ? 1 : 0, behind.len);
    if (behind.len && behind.ptr[0] != '\n' && !str_starts(behind, STR("）"))) {
        return false;
    }
    while (before.len && str_is_of(before.ptr[before.len - 1], " :(")) {
        before.len--;
    }
    before.len -= ENDS_ANY(before, wide) ? wide[0].len : 0; /* both are as long */
    return str_ends(before, STR("失败")) || str_ends(before, STR("失敗")) ||
           ends_in_failed_call(before);
}

bool prose_is_behind_timers(struct str text, size_t at)
{
    struct str before = str_slice(text, 0, at);
    bool is_between = str_ends(before, STR(" ")) && at + 4 < text.len && text.ptr[at + 3] == ' ' &&
                      str_is_digit(text.ptr[at + 4]);
    if (!is_between) {
        return false; /* before the timers are read, which may be as long as the text */
    }
    size_t begin = before.len - 1, slashes = 0;
    while (begin > 0 && str_is_of(before.ptr[begin - 1], "0123456789/+-")) {
        begin--;
        slashes += before.ptr[begin] == '/';
    }
    return slashes == 4 && begin > 0 && before.ptr[begin - 1] == ' ';
}

bool prose_is_status_of_request(struct str text, size_t at)
{
    struct str before = str_slice(text, 0, at), behind = str_slice(text, at + 3, text.len);
    return is_in_access_log(before, behind) || is_in_console(before, behind) ||
           is_in_list_of_calls(before, behind) || ends_report(before, behind) ||
           is_behind_name(before, behind) || is_of_fetch(before) ||
           prose_is_behind_timers(text, at);
}
