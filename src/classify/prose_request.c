/* Statuses beside the requests that they answer, as servers and browsers list them. Takes a text
 * and the place of a number of three digits in it. */
#include "classify/lift.h"

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
    size_t at = rest.len;
    while (at > 0 && !str_is_blank(rest.ptr[at - 1])) {
        at--;
    }
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

bool prose_is_behind_timers(struct str text, size_t at)
{
    struct str before = str_slice(text, 0, at);
    size_t begin = before.len ? before.len - 1 : 0, slashes = 0;
    while (begin > 0 && str_is_of(before.ptr[begin - 1], "0123456789/+-")) {
        begin--;
        slashes += before.ptr[begin] == '/';
    }
    bool is_set_off = str_ends(before, STR(" ")) && begin > 0 && before.ptr[begin - 1] == ' ';
    return is_set_off && slashes == 4 && at + 4 < text.len && text.ptr[at + 3] == ' ' &&
           str_is_digit(text.ptr[at + 4]);
}

bool prose_is_status_of_request(struct str text, size_t at)
{
    struct str before = str_slice(text, 0, at), behind = str_slice(text, at + 3, text.len);
    return is_in_access_log(before, behind) || is_in_console(before, behind) ||
           prose_is_behind_timers(text, at);
}
