/* Statuses that prose names. Takes cleaned text, adds the numbers of three digits that a word
 * before them, a phrase behind them or their place in a line makes a status. */
#include "classify/lift.h"

#define NEAR_BYTES ((size_t)60)   /* before a status, that tell whose it is */
#define LINE_BYTES ((size_t)1000) /* of a line that are looked at, before a status or behind it */

/* Text before `at` without blanks, quotes and signs between a word and its value, as in
 * "status: 429", "API Error · 403", "状态码：500". */
static struct str words_before(struct str text, size_t at)
{
    static const struct str wide[] = {STR_INIT("·"), STR_INIT("："), STR_INIT("（"),
                                      STR_INIT("＂")};
    for (bool is_sign = true; is_sign;) {
        struct str before = str_slice(text, 0, at);
        size_t sign = at > 0 && str_is_of(before.ptr[at - 1], " \t\"'`:=([{-\\]") ? 1 : 0;
        for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
            sign = str_ends(before, wide[i]) ? wide[i].len : sign;
        }
        is_sign = sign > 0 && before.ptr[at - 1];
        at -= is_sign ? sign : 0;
    }
    return str_slice(text, 0, at);
}

/* word: not empty, in lower case. */
static bool ends_in_word(struct str text, struct str word)
{
    if (text.len < word.len || str_lower(text.ptr[text.len - 1]) != word.ptr[word.len - 1]) {
        return false;
    }
    size_t before = text.len - word.len;
    return str_istarts(str_slice(text, before, text.len), word) &&
           (before == 0 || !str_is_word(text.ptr[before - 1]) || !str_is_word(word.ptr[0]));
}

/* Words before a status. */
static const struct str status_leads[] = {
    STR_INIT("status"),
    STR_INIT("status of"),
    STR_INIT("status code"),
    STR_INIT("status code of"),
    STR_INIT("response has a status code of"), /* of Dio */
    STR_INIT("unhandled error type"),          /* of LibreChat */
    STR_INIT("status_code"),
    STR_INIT("statuscode"),
    STR_INIT("http"),
    STR_INIT("http/1.0"),
    STR_INIT("http/1.1"),
    STR_INIT("http/2"),
    STR_INIT("http/2.0"),
    STR_INIT("http/3"),
    STR_INIT("b'http/1.1',"), /* of httpcore's trace */
    STR_INIT("receive_response_headers.complete return_value"),
    STR_INIT("http code"),
    STR_INIT("error"),
    STR_INIT("error code"),
    STR_INIT("error occurred"), /* of botocore */
    STR_INIT("returned"),
    STR_INIT("responded with"),
    STR_INIT("response"),
    STR_INIT("got"),
    STR_INIT("状态码"),
    STR_INIT("响应码"),
    STR_INIT("http_status_"),
    STR_INIT("错误"),
    STR_INIT("错误码"),
    STR_INIT("upstream_status"),
    STR_INIT("error_status"),
    STR_INIT("downstreamstatus"),
    STR_INIT("originstatus"),
    STR_INIT("response_code"),
    STR_INIT("response code"),
    STR_INIT("err"),
    STR_INIT("answered"),
    STR_INIT("answered with"),
    STR_INIT("replied"),
    STR_INIT("request failed"),
    STR_INIT("refresh failed"),
    STR_INIT("exchange failed"),
    STR_INIT("call failed"),
    STR_INIT("failed with"),
    STR_INIT("返回"),
    STR_INIT("返回了"),
    STR_INIT("响应"),
    STR_INIT("响应了"),
    STR_INIT("rejected"),
    STR_INIT("answer"),
    STR_INIT("getting"),
    STR_INIT("gets"),
    STR_INIT("seeing"),
    STR_INIT("hitting"),
    STR_INIT("报"),
    STR_INIT("报了"),
    STR_INIT("said"),
    STR_INIT("says"),
    STR_INIT("indicate success"),         /* of .NET */
    STR_INIT("<=> actual"),               /* of Excon */
    STR_INIT("net::httpserverexception"), /* of Ruby */
    STR_INIT("net::httpclientexception"),
    STR_INIT("net::httpfatalerror"),
    STR_INIT("net::httpretriableerror"),
    STR_INIT("error!"),
    STR_INIT("http/1.1, code"), /* of OkHttp */
    STR_INIT("protocol=h2, code"),
    STR_INIT("bad request"),
    STR_INIT("unauthorized"),
    STR_INIT("forbidden"),
    STR_INIT("not found"),
    STR_INIT("too many requests"),
    STR_INIT("bad gateway"),
    STR_INIT("service unavailable"),
    STR_INIT("gateway timeout")};

static bool has_status_lead(struct str before)
{
    for (size_t i = 0; i < sizeof status_leads / sizeof status_leads[0]; i++) {
        if (ends_in_word(before, status_leads[i])) {
            return true;
        }
    }
    return false;
}

/* "ResourceExhausted: 429 ...", "NotFoundError: 404 ...": the class of an exception, as libraries
 * name a status, with the colon behind it. */
static bool has_exception_lead(struct str before)
{
    static const struct str ends[] = {STR_INIT("Error: "),           STR_INIT("Exception: "),
                                      STR_INIT("Exhausted: "),       STR_INIT("TooManyRequests: "),
                                      STR_INIT("Unavailable: "),     STR_INIT("PermissionDenied: "),
                                      STR_INIT("Unauthenticated: "), STR_INIT("DeadlineExceeded: "),
                                      STR_INIT("InvalidArgument: ")};
    before.len -= str_ends(before, STR("(")); /* "ApiException: (401)" of Python */
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char front = before.len > ends[i].len ? before.ptr[before.len - ends[i].len - 1] : ' ';
        if (str_ends(before, ends[i]) && (str_is_word(front) || front == '.')) {
            return true;
        }
    }
    return false;
}

static bool has_reason_phrase(struct str behind)
{
    static const struct str phrases[] = {
        STR_INIT("bad request"),         STR_INIT("unauthorized"),
        STR_INIT("payment required"),    STR_INIT("forbidden"),
        STR_INIT("not found"),           STR_INIT("method not"),
        STR_INIT("request timeout"),     STR_INIT("conflict"),
        STR_INIT("payload too"),         STR_INIT("request entity"),
        STR_INIT("content too"),         STR_INIT("unprocessable"),
        STR_INIT("too many requests"),   STR_INIT("internal server"),
        STR_INIT("not implemented"),     STR_INIT("bad gateway"),
        STR_INIT("service unavailable"), STR_INIT("gateway time"),
        STR_INIT("service temporarily"), STR_INIT("proxy authentication"),
        STR_INIT("client error: "),      STR_INIT("server error: "),
        STR_INIT("failed dependency"),   STR_INIT("status code")}; /* "403 status code (no body)" */
    const struct str aiohttp = STR(", message='");
    behind = str_slice(behind, str_starts(behind, STR(" ")), behind.len);
    behind = str_slice(behind, str_starts(behind, STR("(")), behind.len); /* "404 (Not Found)" */
    behind = str_slice(behind, str_starts(behind, aiohttp) ? aiohttp.len : 0, behind.len);
    return ISTARTS_ANY(behind, phrases);
}

/* "a 429 status code", "the 503 status code": of a specification. */
static bool is_general(struct str text, size_t at)
{
    struct str before = str_slice(text, 0, at), behind = str_slice(text, at + 3, text.len);
    return str_starts(behind, STR(" status code")) &&
           (str_ends(before, STR(" a ")) || str_ends(before, STR("he ")));
}

/* "reachable (HTTP 403)": of a host that was asked for no more than a sign of life. */
static bool is_of_reach(struct str before)
{
    return str_ends(before, STR("(HTTP ")) &&
           str_ends(str_slice(before, 0, before.len - 6), STR(" reachable "));
}

/* What stands on the line from text[at] on, as far as that is looked at. */
static struct str rest_of_line(struct str text, size_t at)
{
    struct str rest = str_slice(text, at, at + LINE_BYTES), line = rest;
    str_split(&rest, '\n', &line);
    return line;
}

/* Whether only signs stand before text[at]: in the whole text, or on its line or behind a word that
 * says that a request failed, where the line tells a failure. */
static bool is_at_front(struct str text, size_t at)
{
    static const struct str leads[] = {STR_INIT("failed"), STR_INIT("exception"),
                                       STR_INIT("message"), STR_INIT("lasterror")};
    size_t begin = at;
    while (begin > 0 && text.ptr[begin - 1] != '\n' && !str_is_word(text.ptr[begin - 1])) {
        begin--;
    }
    if (str_trim(str_slice(text, 0, begin)).len == 0) {
        return true;
    }
    bool has_lead = text.ptr[begin - 1] == '\n';
    struct str before = words_before(str_slice(text, 0, at), at);
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        has_lead = has_lead || ends_in_word(before, leads[i]);
    }
    return has_lead && failure_is_told(rest_of_line(text, at));
}

/* The report opens with the status: "429 {...}", "402 This request requires more credits", "529
 * again". */
static bool opens_text(struct str text, size_t at)
{
    static const struct str complaints[] = {
        STR_INIT("again"),   STR_INIT("errors since"), STR_INIT("since "),   STR_INIT("everywhere"),
        STR_INIT("all day"), STR_INIT("all morning"),  STR_INIT("on every ")};
    return is_at_front(text, at) && at + 4 < text.len && str_is_of(text.ptr[at + 3], " :") &&
           (STARTS_ANY(str_slice(text, at + 4, text.len), complaints) || text.ptr[at + 4] == '"' ||
            text.ptr[at + 4] == '{' || text.ptr[at + 4] == ' ' || str_is_upper(text.ptr[at + 4]) ||
            (unsigned char)text.ptr[at + 4] >= 0x80);
}

/* What may follow a status that somebody met; "500 requests" and "429 when a limit is hit" do not.
 */
static bool ends_meeting(struct str rest, bool is_own)
{
    static const struct str always[] = {
        STR_INIT(" error"),   STR_INIT(" every"), STR_INIT(" again"),       STR_INIT(" after "),
        STR_INIT(" for me"),  STR_INIT(" since"), STR_INIT(" even though"), STR_INIT(" all day"),
        STR_INIT(" all the"), STR_INIT(" back"),  STR_INIT(" though"),      STR_INIT(" but ")};
    static const struct str own[] = {STR_INIT(" on "),  STR_INIT(" when"), STR_INIT(" from "),
                                     STR_INIT(" all "), STR_INIT(" for "), STR_INIT(" with "),
                                     STR_INIT(" if "),  STR_INIT(" and ")};
    return str_trim(rest).len == 0 || str_is_of(rest.ptr[0], ".,;!?)\n") ||
           (unsigned char)rest.ptr[0] >= 0x80 || ISTARTS_ANY(rest, always) ||
           (is_own && ISTARTS_ANY(rest, own));
}

/* "I get 429 every time", "Cursor keeps returning 503", "换了 key 还是 403". */
static bool is_met(struct str text, size_t at)
{
    static const struct str own[] = {STR_INIT("i get"), STR_INIT("we get"), STR_INIT("i see"),
                                     STR_INIT("we see"), STR_INIT("i keep getting")};
    static const struct str others[] = {STR_INIT("keeps returning"),
                                        STR_INIT("keep returning"),
                                        STR_INIT("just throws"),
                                        STR_INIT("keeps throwing"),
                                        STR_INIT("giving me"),
                                        STR_INIT("gives me"),
                                        STR_INIT("shows me"),
                                        STR_INIT("ends in a"),
                                        STR_INIT("end in a"),
                                        STR_INIT("nothing but"),
                                        STR_INIT("forever with"),
                                        STR_INIT("calls fail with"),
                                        STR_INIT("requests fail with"),
                                        STR_INIT("still"),
                                        STR_INIT("always"),
                                        STR_INIT("就"),
                                        STR_INIT("还是"),
                                        STR_INIT("都是"),
                                        STR_INIT("总是"),
                                        STR_INIT("老是"),
                                        STR_INIT("仍然"),
                                        STR_INIT("却"),
                                        STR_INIT("全是"),
                                        STR_INIT("一直")};
    struct str before = words_before(str_slice(text, 0, at), at);
    struct str rest = str_slice(text, at + 3, text.len);
    /* "Got non-2xx response from OpenAI: 401". */
    struct str near = str_slice(text, at > NEAR_BYTES ? at - NEAR_BYTES : 0, at);
    bool is_told = str_ends(near, STR(": ")) && (str_find(near, STR("non-2xx response")) >= 0 ||
                                                 str_find(near, STR("non-200 response")) >= 0);
    if (is_told) {
        return true;
    }
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (ends_in_word(before, own[i])) {
            return ends_meeting(rest, true);
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (ends_in_word(before, others[i])) {
            return ends_meeting(rest, false);
        }
    }
    return false;
}

/* "((403, 'Forbidden'))": the values of an exception, and nothing else. */
static bool is_tuple(struct str text, size_t at)
{
    static const struct str behind[] = {STR_INIT(", '"), STR_INIT(", \"")};
    struct str all = str_trim(text), rest = str_slice(text, at + 3, text.len);
    struct str front = str_trim(str_slice(text, 0, at));
    return STARTS_ANY(rest, behind) && (str_eq(front, STR("(")) || str_eq(front, STR("(("))) &&
           str_ends(all, STR(")")) && str_find_char(all, '\n') < 0;
}

/* "request to https://host/v1 failed: 403": behind the address that was called. */
static bool is_of_failed_address(struct str text, size_t at)
{
    struct str before = str_slice(text, at > LINE_BYTES ? at - LINE_BYTES : 0, at), line = before;
    if (!str_ends(before, STR(" failed: "))) {
        return false;
    }
    while (str_split(&before, '\n', &line)) {
    }
    return str_find(line, STR("://")) > 0;
}

/* "http_status_401", "status_429", "http429": a status as a part of one word. */
static bool is_joined(struct str text, size_t at)
{
    static const struct str fronts[] = {STR_INIT("http_status_"), STR_INIT("status_"),
                                        STR_INIT("status_code_"), STR_INIT("http_"),
                                        STR_INIT("http_error_"),  STR_INIT("http")};
    struct str before = str_slice(text, 0, at);
    bool may_join = at > 0 && str_is_of(text.ptr[at - 1], "_pP");
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0] && may_join; i++) {
        if (ends_in_word(before, fronts[i])) {
            return true;
        }
    }
    return false;
}

/* Goes back to the last three digits in a row that begin before text[*at]; false when there are
 * none. Where one of three is no digit, none that have it are looked at. */
static bool digits_before(struct str text, size_t *at)
{
    size_t end = *at + 2 < text.len ? *at : text.len < 3 ? 0 : text.len - 2;
    while (end > 0) {
        const char *three = text.ptr + end - 1;
        size_t passed = !str_is_digit(three[0])   ? 3
                        : !str_is_digit(three[1]) ? 2
                        : !str_is_digit(three[2]) ? 1
                                                  : 0;
        if (passed == 0) {
            *at = end - 1;
            return true;
        }
        end -= passed < end ? passed : end;
    }
    return false;
}

/* Whether the three digits at text[at] are no part of a longer word. */
static bool is_number(struct str text, size_t at)
{
    return (at + 3 == text.len || !str_is_word(text.ptr[at + 3])) &&
           (at == 0 || !str_is_word(text.ptr[at - 1]) || is_joined(text, at));
}

static bool is_failing(char first)
{
    return first == '4' || first == '5';
}

/* From the end to the front: what a wrapper passes on, and the last of several tries, stands
 * behind. */
void lift_statuses(struct lift *lift, struct str text)
{
    for (size_t at = text.len; digits_before(text, &at);) {
        bool is_of_page = lift->has_page && (text.ptr[at] == '2' || text.ptr[at] == '3');
        if ((!is_failing(text.ptr[at]) && !is_of_page) || !is_number(text, at) ||
            (at > 0 && text.ptr[at - 1] == '.') || is_of_reach(str_slice(text, 0, at))) {
            continue;
        }
        bool has_lead = has_status_lead(words_before(str_slice(text, 0, at), at));
        if (is_of_page && has_lead) {
            lift_add(lift, FIELD_STATUS, str_slice(text, at, at + 3));
        }
        if (has_lead || is_joined(text, at) || has_exception_lead(str_slice(text, 0, at)) ||
            (has_reason_phrase(str_slice(text, at + 3, text.len)) && !is_general(text, at)) ||
            opens_text(text, at) || is_tuple(text, at) || is_met(text, at) ||
            is_of_failed_address(text, at) || prose_is_status_of_request(text, at)) {
            lift_add_status(lift, str_slice(text, at, at + 3));
        }
    }
}

bool prose_tells_status(struct str text)
{
    for (size_t at = text.len; digits_before(text, &at);) {
        if (is_failing(text.ptr[at]) && is_number(text, at) &&
            has_status_lead(words_before(str_slice(text, 0, at), at))) {
            return true;
        }
    }
    return false;
}
