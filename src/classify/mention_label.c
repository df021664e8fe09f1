/* Lines that name a failure and report none: labels of statuses in a manual, stories of users,
 * constants of a program, titles of changes. Takes a line without a program's report, says whether
 * it is one. */
#include "classify/mention.h"

#define WORDS_BYTES_MAX 60 /* of "Too Many Requests" behind the status of a label */
#define NAME_BYTES_MIN 4
#define TITLE_BLANKS_MIN 5

/* Whether a status of failures begins the text. */
static bool begins_with_status(struct str text)
{
    return text.len > 3 && str_is_of(text.ptr[0], "45") && str_is_digit(text.ptr[1]) &&
           str_is_digit(text.ptr[2]) && !str_is_alnum(text.ptr[3]);
}

/* "- **401 Unauthorized**: check the key", "- `429 Too Many Requests`: ...", "- 429 Too Many
 * Requests：...": an item of a list in a manual, whose label is a status. */
static bool is_label(struct str line)
{
    struct str bare = mention_without_mark(line), label = bare;
    bool is_item = bare.ptr != str_trim(line).ptr || str_starts(bare, STR("**"));
    struct str sign = str_starts(bare, STR("**"))  ? STR("**")
                      : str_starts(bare, STR("`")) ? STR("`")
                                                   : STR("");
    label = str_slice(bare, sign.len, bare.len);
    if (sign.len && label.len > 3 && str_is_digit(label.ptr[0]) && label.ptr[1] == '.') {
        label = str_trim(str_slice(label, 2, label.len)); /* "**1. 403 Forbidden - ...**" */
    }
    if (!is_item || !begins_with_status(label)) {
        return false;
    }
    struct str head = str_slice(label, 0, WORDS_BYTES_MAX);
    ptrdiff_t close = str_find(head, sign.len ? sign : STR("："));
    if (close < 3) {
        return false;
    }
    struct str behind = str_trim(str_slice(label, (size_t)close + sign.len, label.len));
    return behind.len == 0 || str_starts(behind, STR("：")) || str_is_of(behind.ptr[0], ":-=(;,");
}

/* "- **Service Unavailable**: ensure that it runs": an item of a manual and what to do about it. */
static bool is_remedy(struct str line)
{
    static const struct str advice[] = {
        STR_INIT("check "),   STR_INIT("verify "),   STR_INIT("ensure "), STR_INIT("make sure "),
        STR_INIT("confirm "), STR_INIT("try "),      STR_INIT("use "),    STR_INIT("set "),
        STR_INIT("restart "), STR_INIT("increase "), STR_INIT("reduce "), STR_INIT("确保"),
        STR_INIT("检查"),     STR_INIT("确认")};
    struct str bare = mention_without_mark(line);
    ptrdiff_t close = str_starts(bare, STR("**")) && bare.ptr != str_trim(line).ptr
                          ? str_find(str_slice(bare, 2, bare.len), STR("**"))
                          : -1;
    if (close <= 0) {
        return false;
    }
    struct str behind = str_slice(bare, (size_t)close + 4, bare.len);
    size_t colon = str_starts(behind, STR(":")) ? 1 : str_starts(behind, STR("：")) ? 3 : 0;
    return colon > 0 && ISTARTS_ANY(str_trim(str_slice(behind, colon, behind.len)), advice);
}

/* "Returns 404 if the model is unknown", "failures = HTTP 403": of a reference. */
static bool is_reference(struct str line)
{
    struct str bare = mention_without_mark(line);
    if (str_starts(bare, STR("Returns "))) {
        return str_find(bare, STR(" if ")) > 0 || str_find(bare, STR(" when ")) > 0;
    }
    ptrdiff_t at = str_find(str_slice(bare, 0, bare.len - (bare.len > 0)), STR(" = HTTP "));
    return at > 0 && str_is_of(bare.ptr[at + 8], "45");
}

/* "As a free user who has hit a limit, I should see ...". */
static bool is_story(struct str line)
{
    static const struct str wishes[] = {STR_INIT(" I want "), STR_INIT(" I should "),
                                        STR_INIT(" I can "), STR_INIT(" I need "),
                                        STR_INIT(" I would like ")};
    struct str bare = mention_without_mark(line);
    bool has_wish = false, is_role = str_starts(bare, STR("As a "));
    is_role = is_role || str_starts(bare, STR("As an "));
    for (size_t i = 0; is_role && i < sizeof wishes / sizeof wishes[0]; i++) {
        has_wish = has_wish || str_find(bare, wishes[i]) > 0;
    }
    return has_wish;
}

/* "MSG_TIMEOUT = "...";", with blanks around the sign, as no program prints it. */
static bool is_constant(struct str line)
{
    size_t at = 0;
    while (at < line.len && (str_is_upper(line.ptr[at]) || line.ptr[at] == '_')) {
        at++;
    }
    struct str value = str_slice(line, at, line.len);
    value.len -= value.len && str_is_of(value.ptr[value.len - 1], ";,");
    char last = value.len ? value.ptr[value.len - 1] : ' ';
    return at >= NAME_BYTES_MIN && value.len > 5 && str_starts(value, STR(" = ")) &&
           str_is_of(value.ptr[3], "\"'") && last == value.ptr[3];
}

/* "- ✅ Implement request timeout": done. */
static bool is_deed(struct str line)
{
    static const struct str signs[] = {STR_INIT("✅ "), STR_INIT("☑")};
    struct str bare = mention_without_mark(line);
    return bare.ptr != str_trim(line).ptr && STARTS_ANY(bare, signs);
}

/* "- `--timeout <ms>`: ...": an option and what it means. */
static bool is_option(struct str line)
{
    struct str bare = mention_without_mark(line);
    ptrdiff_t close =
        str_starts(bare, STR("`-")) ? str_find(str_slice(bare, 1, bare.len), STR("`")) : -1;
    struct str behind = str_slice(bare, (size_t)(close < 0 ? 0 : close) + 2, bare.len);
    return close > 0 && (str_starts(behind, STR(":")) || str_starts(behind, STR("：")));
}

/* "Examples: an endpoint that ...". */
static bool is_example(struct str line)
{
    static const struct str starts[] = {STR_INIT("examples: "), STR_INIT("example: "),
                                        STR_INIT("for example, "), STR_INIT("e.g. "),
                                        STR_INIT("use cases: ")};
    return ISTARTS_ANY(mention_without_mark(line), starts);
}

/* "Accept 429 response codes as a sign of the secondary limit being exceeded": the title of a
 * change. A sentence that is told ends with a stop or turns to somebody. */
bool mention_is_title(struct str line)
{
    static const struct str turns[] = {
        STR_INIT("lease "),  STR_INIT("your "),    STR_INIT("you "),     STR_INIT(" again"),
        STR_INIT(" after "), STR_INIT(" due to "), STR_INIT(" because ")};
    static const struct str orders[] = {STR_INIT("Add a"),  STR_INIT("Log "),  STR_INIT("Wait"),
                                        STR_INIT("Switch"), STR_INIT("Check"), STR_INIT("Us"),
                                        STR_INIT("Updat"),  STR_INIT("Tak"),   STR_INIT("Stop")};
    static const struct str stops[] = {STR_INIT("."), STR_INIT("!"), STR_INIT("…")};
    bool may_be = line.len && str_is_upper(line.ptr[0]) && !ENDS_ANY(line, stops) &&
                  str_find_char(line, ':') < 0 && !STARTS_ANY(line, orders) &&
                  mention_opens_change(line);
    bool is_told = may_be && str_find(line, STR("...")) >= 0;
    for (size_t i = 0; may_be && i < sizeof turns / sizeof turns[0]; i++) {
        is_told = is_told || str_find(line, turns[i]) >= 0;
    }
    return may_be && !is_told && mention_count(line, STR(" ")) >= TITLE_BLANKS_MIN;
}

bool mention_is_labelled(struct str line)
{
    return is_label(line) || is_remedy(line) || is_reference(line) || is_option(line) ||
           is_story(line) || is_constant(line) || is_deed(line) || is_example(line);
}
