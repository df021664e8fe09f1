/* Whether a word of failures tells of one where it stands. Takes a line and a place in it; numbers,
 * topics, names of classes, files and settings that hold the word say nothing of an event, nor does
 * what is denied or foretold. */
#include "classify/lift.h"
#include "classify/mention.h"
#include "classify/parts.h"

#define FORETOLD_BYTES_MAX 40 /* from the verb to the word */

/* {"code": null, "message": null}: a table of members without a value. */
static bool is_blank_table(struct str rest)
{
    ptrdiff_t close = str_find_char(rest, '}');
    if (!str_starts(rest, STR("{")) || close < 0) {
        return false;
    }
    struct str members = str_slice(rest, 1, (size_t)close), member;
    bool is_blank = true;
    while (is_blank && str_split(&members, ',', &member)) {
        is_blank = str_ends(str_trim(member), STR("null"));
    }
    return is_blank;
}

/* "com.example.SomeException: null": how Java prints one without a message. at: behind the name. */
static bool is_thrown(struct str line, size_t at)
{
    size_t begin = at;
    while (begin > 0 &&
           (str_is_word(line.ptr[begin - 1]) || str_is_of(line.ptr[begin - 1], ".$"))) {
        begin--;
    }
    struct str name = str_slice(line, begin, at);
    return str_find_char(name, '.') > 0 &&
           (str_ends(name, STR("Exception")) || str_ends(name, STR("Error"))) &&
           (begin == 0 || str_ends(str_slice(line, 0, begin), STR("Caused by: ")));
}

/* "errors: 0", "failed=0", "error":null, "errors":[], "Failed requests:   0", "failed....: 0.00%"
 */
static bool counts_none(struct str line, size_t at)
{
    static const struct str nothings[] = {STR_INIT("null"), STR_INIT("None"),  STR_INIT("[]"),
                                          STR_INIT("{}"),   STR_INIT("false"), STR_INIT("\"\"")};
    while (at < line.len && (str_is_alnum(line.ptr[at]) || str_is_of(line.ptr[at], "_."))) {
        at++;
    }
    bool is_class = is_thrown(line, at);
    size_t next = at + 1;
    while (next < line.len && str_is_alnum(line.ptr[next])) {
        next++;
    }
    at = next > at + 1 && next < line.len && line.ptr[next] == ':' ? next : at;
    at += at < line.len && line.ptr[at] == '"';
    while (at < line.len && (line.ptr[at] == ':' || line.ptr[at] == '=' || line.ptr[at] == ' ')) {
        at++;
    }
    at += str_starts(str_slice(line, at, line.len), STR("\"0\""));
    struct str rest = str_slice(line, at, line.len);
    /* "Error: null" is all that a program knew to print; "error: null" is a member of a table. */
    bool is_bare =
        is_class || str_starts(line, STR("Error: ")) || str_starts(line, STR("Request failed: "));
    if (is_bare && str_eq(str_trim(rest), STR("null"))) {
        return false;
    }
    if (STARTS_ANY(rest, nothings) || is_blank_table(rest)) {
        return true;
    }
    return rest.len && rest.ptr[0] == '0' && (rest.len == 1 || !str_is_alnum(rest.ptr[1]));
}

/* "failed":5 and "errors": 2 of a table: how many, as reports of jobs and of health have it. */
static bool is_tally(struct str line, size_t at)
{
    while (at < line.len && str_is_word(line.ptr[at])) {
        at++;
    }
    struct str key = str_slice(line, 0, at), rest = str_slice(line, at, line.len);
    bool counts =
        str_ends(key, STR("ed")) || str_ends(key, STR("s")) || str_ends(key, STR("count"));
    rest = str_starts(rest, STR("\":")) ? str_trim(str_slice(rest, 2, rest.len)) : STR("");
    return counts && rest.len && str_is_digit(rest.ptr[0]);
}

/* "failure_threshold=5", "error rate 0.02 %", "error handling", "错误处理": the topic, not the
 * event. */
static bool is_topic(struct str line, size_t at, size_t length)
{
    static const struct str topics[] = {
        STR_INIT("rate"),      STR_INIT("budget"),     STR_INIT("handling"),
        STR_INIT("handler"),   STR_INIT("detection"),  STR_INIT("tolerance"),
        STR_INIT("mode"),      STR_INIT("threshold"),  STR_INIT("recovery"),
        STR_INIT("reporting"), STR_INIT("injection"),  STR_INIT("boundar"),
        STR_INIT("categor"),   STR_INIT("page"),       STR_INIT("over"),
        STR_INIT("reproduce"), STR_INIT("be happier"), STR_INIT("be more"),
        STR_INIT("agree"),     STR_INIT("file"),       STR_INIT("template"),
        STR_INIT("检测"),      STR_INIT("处理"),       STR_INIT("率"),
        STR_INIT("重试"),      STR_INIT("次数"),       STR_INIT("时间"),
        STR_INIT("设置"),      STR_INIT("阈值"),       STR_INIT("码（"),
        STR_INIT("码对照"),    STR_INIT("码表"),       STR_INIT("码说明"),
        STR_INIT("类型"),      STR_INIT("数"),         STR_INIT("codes"),
        STR_INIT("messages"),  STR_INIT("fälle"),      STR_INIT("behandlung"),
        STR_INIT("toleranz"),  STR_INIT("suche"),      STR_INIT("（秒"),
        STR_INIT("(秒"),       STR_INIT("，范围"),     STR_INIT("時間"),
        STR_INIT("設定"),      STR_INIT("（毫秒"),     STR_INIT("最多")};
    size_t end = at + length;
    bool has_underscore = at > 0 && line.ptr[at - 1] == '_'; /* "allowed_fails=3" */
    struct str behind = str_slice(line, end, line.len);
    if (mention_names_handled(behind)) {
        return false;
    }
    behind = str_slice(behind, behind.len && str_is_of(behind.ptr[0], " -_s") ? 1 : 0, behind.len);
    if (ISTARTS_ANY(behind, topics) || str_eq(str_trim(behind), STR("码："))) { /* a list's head */
        return true;
    }
    while (end < line.len && str_is_word(line.ptr[end])) {
        has_underscore = has_underscore || line.ptr[end] == '_';
        end++;
    }
    bool is_code = str_istarts(behind, STR("code")) || str_istarts(behind, STR("no"));
    return has_underscore && !is_code && end + 1 < line.len &&
           (line.ptr[end] == '=' || line.ptr[end] == ':') && str_is_digit(line.ptr[end + 1]);
}

/* "error_semantics: verified": a name of somebody's own that begins with the word, and its value;
 * "error_code: 429" is a member of a report. */
static bool is_own_name(struct str line, size_t at, size_t length)
{
    size_t end = at + length;
    bool is_begun = at == 0 || !str_is_word(line.ptr[at - 1]);
    while (end < line.len && str_is_word(line.ptr[end])) {
        end++;
    }
    struct str name = str_slice(line, at, end), behind = str_slice(line, end, line.len);
    return is_begun && str_starts(str_slice(name, length, name.len), STR("_")) &&
           str_starts(behind, STR(": ")) && part_of(name) == PART_NONE;
}

/* Whether the token ends like the name of a file: "errors.py", "error.log". */
static bool names_file(struct str token)
{
    size_t dot = token.len;
    while (dot > 0 && str_is_alnum(token.ptr[dot - 1])) {
        dot--;
    }
    size_t letters = token.len - dot;
    return dot > 1 && token.ptr[dot - 1] == '.' && letters > 0 && letters < 6;
}

/* "errors.rs", but not "error.name". */
static bool is_source(struct str name)
{
    static const struct str ends[] = {
        STR_INIT(".c"),    STR_INIT(".h"),    STR_INIT(".rs"),   STR_INIT(".py"),
        STR_INIT(".go"),   STR_INIT(".ts"),   STR_INIT(".tsx"),  STR_INIT(".js"),
        STR_INIT(".java"), STR_INIT(".rb"),   STR_INIT(".cpp"),  STR_INIT(".cs"),
        STR_INIT(".kt"),   STR_INIT(".md"),   STR_INIT(".log"),  STR_INIT(".json"),
        STR_INIT(".yml"),  STR_INIT(".yaml"), STR_INIT("jsonl"), STR_INIT(".csv")};
    return ENDS_ANY(name, ends);
}

/* "https://docs.example.com/api/errors", "/docs/errors/1", "src/errors.py": a word of an
 * address or a path. */
static bool is_in_address(struct str line, size_t at)
{
    static const char ends[] = " \t\"'`()<>|,;";
    static const struct str roots[] = {STR_INIT("/"),     STR_INIT("./"),       STR_INIT("~/"),
                                       STR_INIT("src/"),  STR_INIT("lib/"),     STR_INIT("app/"),
                                       STR_INIT("docs/"), STR_INIT("test/"),    STR_INIT("tests/"),
                                       STR_INIT("pkg/"),  STR_INIT("internal/")};
    size_t begin = at, end = at;
    while (begin > 0 && line.ptr[begin - 1] && !str_is_of(line.ptr[begin - 1], ends)) {
        begin--;
    }
    while (end < line.len && line.ptr[end] && line.ptr[end] != ':' &&
           !str_is_of(line.ptr[end], ends)) {
        end++;
    }
    struct str token = str_slice(line, begin, at);
    return str_find(token, STR("://")) >= 0 || STARTS_ANY(token, roots) ||
           (names_file(str_slice(line, begin, end)) &&
            (str_find_char(token, '/') >= 0 || is_source(str_slice(line, at, end))));
}

/* "0 failed", "0 API errors", "0 个失败". lead: what stands before the word. */
static bool follows_zero(struct str lead)
{
    static const struct str measures[] = {STR_INIT("个"), STR_INIT("次"), STR_INIT("条")};
    if (ENDS_ANY(lead, measures)) {
        lead.len -= measures[0].len;
    }
    struct str before = str_slice(lead, lead.len > 3 ? lead.len - 3 : 0, lead.len);
    bool is_zero = str_ends(before, STR("0 ")) &&
                   (before.len < 3 || !str_is_alnum(before.ptr[0])) && before.ptr[0] != '.';
    struct str number = lead;
    number.len -= str_ends(lead, STR(" "));
    while (number.len && str_is_letter(number.ptr[number.len - 1])) {
        number.len--;
    }
    return is_zero || str_eq(number, STR("0 ")) || str_ends(number, STR(" 0 "));
}

/* "timeout errors are retried": a kind; but "errors: timeout" and "22 errors" are events. behind:
 * what follows the word. */
static bool is_kind(struct str lead, struct str behind)
{
    bool is_plural = str_istarts(behind, STR("s ")) || str_eq(str_trim(behind), STR("s."));
    if (str_istarts(behind, STR("s occurred")) && str_ifind(lead, STR("if ")) < 0) { /* an event */
        return false;
    }
    return is_plural && lead.len > 1 && !str_is_digit(lead.ptr[lead.len - 2]);
}

/* "queue=errors", "nothing to do for 'errors'". */
static bool is_name(struct str lead, struct str behind)
{
    char before = lead.len ? lead.ptr[lead.len - 1] : ' ';
    bool is_quoted =
        lead.len > 1 && str_is_of(before, "\"'") && behind.len > 1 && behind.ptr[1] == before;
    return str_istarts(behind, STR("s")) && (before == '=' || is_quoted);
}

/* "on_error: retry" */
static bool is_setting(struct str lead)
{
    return lead.len >= 3 && str_ieq(str_slice(lead, lead.len - 3, lead.len), STR("on_")) &&
           (lead.len == 3 || !str_is_alnum(lead.ptr[lead.len - 4]));
}

/* "calls will return AccessDenied": foretold. lead: what stands before the word. */
static bool is_foretold(struct str lead)
{
    static const struct str verbs[] = {STR_INIT(" will return "), STR_INIT(" will fail with "),
                                       STR_INIT(" will get "), STR_INIT(" will throw "),
                                       STR_INIT(" would return ")};
    size_t begin = lead.len > FORETOLD_BYTES_MAX ? lead.len - FORETOLD_BYTES_MAX : 0;
    lead = str_slice(lead, begin, lead.len);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (str_find(lead, verbs[i]) >= 0) {
            return true;
        }
    }
    return false;
}

/* "No request was rejected", "none of the 12 calls timed out": whose subject says that it did not
 * happen. */
static bool has_no_subject(struct str lead)
{
    static const struct str verbs[] = {STR_INIT(" was "), STR_INIT(" were "), STR_INIT(" been ")};
    size_t begin = lead.len;
    while (begin > 0 && !(str_is_of(lead.ptr[begin - 1], ".:;,") && begin < lead.len &&
                          str_is_blank(lead.ptr[begin]))) {
        begin--;
    }
    struct str sentence = str_trim(str_slice(lead, begin, lead.len));
    return str_istarts(sentence, STR("none of ")) ||
           (str_istarts(sentence, STR("no ")) && ENDS_ANY(lead, verbs) &&
            str_find(sentence, STR(" because ")) < 0);
}

/* "RateLimitError.retry_after": a class and its member; but "litellm.RateLimitError: ...". */
static bool is_class_member(struct str lead, struct str behind)
{
    return lead.len && str_is_alnum(lead.ptr[lead.len - 1]) && behind.len > 1 &&
           behind.ptr[0] == '.' && str_is_lower(behind.ptr[1]);
}

/* "`RateLimitError` is a subclass", "`error.headers`": a name between signs of code, with nothing
 * beside it. */
static bool is_quoted_name(struct str line, size_t at)
{
    size_t begin = at, end = at;
    while (begin > 0 && (str_is_word(line.ptr[begin - 1]) || line.ptr[begin - 1] == '.')) {
        begin--;
    }
    while (end < line.len && (str_is_word(line.ptr[end]) || line.ptr[end] == '.')) {
        end++;
    }
    bool has_dot = str_find_char(str_slice(line, begin, end), '.') > 0;
    return begin > 0 && end < line.len && line.ptr[begin - 1] == '`' && line.ptr[end] == '`' &&
           (has_dot || (begin < at && str_is_upper(line.ptr[begin])));
}

/* "no error", "NOERROR", "what went wrong"; "requests will fail after that date". */
static bool is_denied(struct str lead)
{
    static const struct str leads[] = {STR_INIT("will "),  STR_INIT("may "),  STR_INIT("might "),
                                       STR_INIT("would "), STR_INIT("what "), STR_INIT("将"),
                                       STR_INIT("將")};
    return ENDS_ANY(lead, leads) || str_ends(lead, STR("NO")) || is_foretold(lead) ||
           (lead.len >= 3 && str_ieq(str_slice(lead, lead.len - 3, lead.len), STR("no ")));
}

/* "fail" of "faili", "failus" and "failai", which are files in other languages, of "failover" and
 * "failsafe"; "failed", "failures", "failedRequests" and "failOpen" are ours. behind: what follows
 * the four letters. */
static bool is_other_word(struct str word, struct str behind)
{
    static const struct str ends[] = {STR_INIT("ed"), STR_INIT("ing"), STR_INIT("ure"),
                                      STR_INIT("ures")};
    if (!str_ieq(word, STR("fail")) || behind.len == 0 || !str_is_letter(behind.ptr[0]) ||
        str_is_upper(behind.ptr[0]) || ISTARTS_ANY(behind, ends)) {
        return behind.len > 1 && str_ieq(word, STR("fail")) && (unsigned char)behind.ptr[0] >= 0x80;
    }
    return behind.ptr[0] != 's' || (behind.len > 1 && str_is_letter(behind.ptr[1]));
}

/* "Preferences not found, returning default value": what a program does without. */
static bool is_done_without(struct str behind)
{
    static const struct str starts[] = {STR_INIT(", returning default"),
                                        STR_INIT(", using default"), STR_INIT("; using default"),
                                        STR_INIT(", use default")};
    return ISTARTS_ANY(behind, starts);
}

/* "This cannot be undone", "此操作无法撤销": what a dialog warns of before it is done. */
static bool is_for_good(struct str behind)
{
    static const struct str ends[] = {STR_INIT(" be undone"),   STR_INIT(" be reversed"),
                                      STR_INIT(" be reverted"), STR_INIT(" be recovered"),
                                      STR_INIT("撤销"),         STR_INIT("撤消"),
                                      STR_INIT("恢复"),         STR_INIT("复原"),
                                      STR_INIT("還原"),         STR_INIT("復原")};
    return ISTARTS_ANY(behind, ends);
}

bool failure_is_told_at(struct str line, size_t at, size_t length)
{
    /* KeyError, ERR_X and "Redis失败" count, terror does not. */
    bool is_latin = (unsigned char)line.ptr[at] < 0x80;
    if (at > 0 && is_latin && str_is_alnum(line.ptr[at - 1]) && !str_is_upper(line.ptr[at])) {
        return false;
    }
    struct str lead = str_slice(line, 0, at), behind = str_slice(line, at + length, line.len);
    size_t name = at; /* "there is no LLMError" */
    while (name > 0 && str_is_alnum(line.ptr[name - 1])) {
        name--;
    }
    return !is_other_word(str_slice(line, at, at + length), behind) && !is_for_good(behind) &&
           !is_done_without(behind) && !is_denied(lead) &&
           (name == at || !is_denied(str_slice(line, 0, name))) && !has_no_subject(lead) &&
           !is_class_member(lead, behind) && !follows_zero(lead) && !is_kind(lead, behind) &&
           !is_name(lead, behind) && !is_setting(lead) && !counts_none(line, at + length) &&
           !is_tally(line, at + length) && !is_topic(line, at, length) &&
           !is_own_name(line, at, length) && !is_in_address(line, at) && !is_quoted_name(line, at);
}
