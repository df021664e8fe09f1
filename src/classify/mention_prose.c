/* Lines of people that speak of errors: articles, change logs, advice, glossaries, what a chat's
 * assistant said. Takes a line, says whether it is one; a line with a program's report in it never
 * is. */
#include "classify/mention.h"

#include <string.h>

#define BRACKET_BYTES_MAX 90 /* of what stands in brackets behind a status */
#define CASE_BYTES_MAX 160   /* of the words between 当 and 时 */
#define SECTION_BYTES_MAX 70 /* a head of a part is one short line */

bool mention_has_report(const struct bigrams *bigrams, struct str line)
{
    static const struct str reports[] = {STR_INIT("rror code: "),
                                         STR_INIT("rror: "),
                                         STR_INIT("{\""),
                                         STR_INIT("{'"),
                                         STR_INIT("{\\\""),
                                         STR_INIT(" I get"),
                                         STR_INIT(" I got"),
                                         STR_INIT(" we get"),
                                         STR_INIT(" we got"),
                                         STR_INIT("last status: "),
                                         STR_INIT("API Error"),
                                         STR_INIT("curl: ("),
                                         STR_INIT("HTTP/1.1 4"),
                                         STR_INIT("HTTP/1.1 5"),
                                         STR_INIT("HTTP/2 4"),
                                         STR_INIT("HTTP/2 5"),
                                         STR_INIT("request id"),
                                         STR_INIT("status code: "),
                                         STR_INIT("request_id"),
                                         STR_INIT("req_"),
                                         STR_INIT("unexpected status"),
                                         STR_INIT("xception: "),
                                         STR_INIT("报错："),
                                         STR_INIT("[error]")};
    return HAS_ANY(bigrams, line, reports);
}

struct str mention_without_mark(struct str line)
{
    static const struct str bullets[] = {STR_INIT("- "), STR_INIT("* "), STR_INIT("• "),
                                         STR_INIT("+ ")};
    size_t digits = 0;
    line = str_trim(line);
    for (size_t i = 0; i < sizeof bullets / sizeof bullets[0]; i++) {
        if (str_starts(line, bullets[i])) {
            return str_trim(str_slice(line, bullets[i].len, line.len));
        }
    }
    while (digits < line.len && str_is_digit(line.ptr[digits])) {
        digits++;
    }
    struct str behind = str_slice(line, digits, line.len);
    static const struct str signs[] = {STR_INIT(". "), STR_INIT(") "), STR_INIT("、")};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0] && digits > 0 && digits < 3; i++) {
        if (str_starts(behind, signs[i])) {
            return str_trim(str_slice(behind, signs[i].len, behind.len));
        }
    }
    return line;
}

size_t mention_count(struct str line, struct str word)
{
    size_t count = 0;
    for (ptrdiff_t at = str_find(line, word); at >= 0; at = str_find(line, word)) {
        line = str_slice(line, (size_t)at + word.len, line.len);
        count++;
    }
    return count;
}

/* What follows a status without another beside it, or words in brackets: "/403：",
 * "（路由不可用）：".
 */
static struct str behind_twin(struct str behind)
{
    bool is_twin = behind.len > 4 && behind.ptr[0] == '/' && str_is_digit(behind.ptr[1]);
    struct str rest = str_slice(behind, is_twin ? 4 : 0, behind.len);
    struct str words = str_slice(rest, 0, BRACKET_BYTES_MAX);
    ptrdiff_t close = str_starts(rest, STR("（")) ? str_find(words, STR("）")) : -1;
    return close < 0 ? rest : str_slice(rest, (size_t)close + STR("）").len, rest.len);
}

/* Where the status of a failure may begin, at or behind `at`; the line's length where none does. */
static size_t next_status(struct str line, size_t at)
{
    return str_next_of(line, at, "4545");
}

/* How many statuses of failures the line explains: "401: the key is wrong", "401 密钥无效", "429
 * when too many arrive". */
size_t mention_explained_statuses(struct str line)
{
    static const struct str joins[] = {STR_INIT(": "),    STR_INIT(" when "),  STR_INIT(" if "),
                                       STR_INIT(" for "), STR_INIT(" means "), STR_INIT("：")};
    size_t count = 0;
    for (size_t at = next_status(line, 0); at + 5 < line.len; at = next_status(line, at + 1)) {
        struct str token = str_slice(line, at, at + 3), behind = str_slice(line, at + 3, line.len);
        int64_t status;
        bool is_whole = at == 0 || str_is_of(line.ptr[at - 1], " (\"`") ||
                        (unsigned char)line.ptr[at - 1] >= 0x80;
        if (is_whole && str_to_i64(token, &status) && status >= 400 && status < 600) {
            bool is_chinese = behind.ptr[0] == ' ' && (unsigned char)behind.ptr[1] >= 0x80;
            bool is_listed = mention_count(str_slice(behind, 0, 12), STR("/")) > 1;
            count += is_chinese || is_listed || STARTS_ANY(behind_twin(behind), joins);
        }
    }
    return count;
}

/* "switches on 401, 402, 429, 500 and 503": so many statuses are a list of them. */
static bool lists_statuses(const struct bigrams *bigrams, struct str line)
{
    size_t count = 0;
    for (size_t at = next_status(line, 0); at + 5 < line.len; at = next_status(line, at + 1)) {
        bool is_whole = at == 0 || str_is_of(line.ptr[at - 1], " [(/`");
        count += is_whole && str_is_digit(line.ptr[at + 1]) && str_is_digit(line.ptr[at + 2]) &&
                 str_is_of(line.ptr[at + 3], ",/");
    }
    return count > 3 && !mention_is_persons(bigrams, line);
}

static bool is_repeated(const struct bigrams *bigrams, struct str line, struct str word)
{
    return bigrams_may_hold(bigrams, word) && mention_count(line, word) > 1;
}

/* "401 means a bad key, 429 means too many requests"; a heading without a number or a colon. */
static bool is_glossary(const struct bigrams *bigrams, struct str line)
{
    /* "##[error]" is a mark of a CI's log. */
    bool is_heading = mention_heading_level(line) > 0 && str_find_char(line, ':') < 0;
    for (size_t i = 0; i < line.len && is_heading; i++) {
        is_heading = line.ptr[i] < '0' || line.ptr[i] > '9';
    }
    return is_heading || mention_explained_statuses(line) > 2 || lists_statuses(bigrams, line) ||
           is_repeated(bigrams, line, STR("表示")) || is_repeated(bigrams, line, STR(" means "));
}

/* "- Fixed a bug where 503 was not retried" of a change log, "- [ ] retry" and "1. Map the code to
 * a message" of lists of tasks. */
static bool is_task(struct str line)
{
    static const struct str verbs[] = {
        STR_INIT("fixed"),       STR_INIT("fixes"),      STR_INIT("added"),
        STR_INIT("adds"),        STR_INIT("improved"),   STR_INIT("improves"),
        STR_INIT("improve"),     STR_INIT("changed"),    STR_INIT("removed"),
        STR_INIT("updated"),     STR_INIT("refactor"),   STR_INIT("refactored"),
        STR_INIT("bump"),        STR_INIT("deprecated"), STR_INIT("deprecate"),
        STR_INIT("support for"), STR_INIT("clarified"),  STR_INIT("documented"),
        STR_INIT("renamed"),     STR_INIT("corrected"),  STR_INIT("introduced"),
        STR_INIT("reworded"),    STR_INIT("reworked"),   STR_INIT("exposed"),
        STR_INIT("Add"),         STR_INIT("Map"),        STR_INIT("Write"),
        STR_INIT("Handle"),      STR_INIT("Show"),       STR_INIT("Update"),
        STR_INIT("Implement"),   STR_INIT("Check"),      STR_INIT("Retry"),
        STR_INIT("Fix"),         STR_INIT("Log"),        STR_INIT("Track"),
        STR_INIT("Treat"),       STR_INIT("Test"),       STR_INIT("Detect"),
        STR_INIT("Catch"),       STR_INIT("Surface"),    STR_INIT("Preserve"),
        STR_INIT("Respect"),     STR_INIT("Ensure"),     STR_INIT("Propagate"),
        STR_INIT("Classify"),    STR_INIT("Raise"),      STR_INIT("Enforce"),
        STR_INIT("Return"),      STR_INIT("Prevent"),    STR_INIT("Reject"),
        STR_INIT("Avoid"),       STR_INIT("Allow"),      STR_INIT("Improve"),
        STR_INIT("Simplify"),    STR_INIT("Normalize"),  STR_INIT("Validate"),
        STR_INIT("Skip"),        STR_INIT("Redirect"),   STR_INIT("Document")};
    static const struct str chinese[] = {STR_INIT("修复"), STR_INIT("新增"), STR_INIT("优化"),
                                         STR_INIT("支持")};
    struct str words = mention_without_mark(line);
    if (words.ptr == str_trim(line).ptr) {
        return false;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        struct str behind = str_slice(words, verbs[i].len, words.len);
        bool is_same = verbs[i].ptr[0] >= 'A' && verbs[i].ptr[0] <= 'Z'
                           ? str_starts(words, verbs[i])
                           : str_istarts(words, verbs[i]);
        if (is_same && behind.len && str_is_of(behind.ptr[0], " :")) {
            return true;
        }
    }
    return STARTS_ANY(words, chinese);
}

/* "Si el modelo está sobrecargado, ...", "Lorsque la clé est invalide, ...": the same in other
 * languages. "Cuando uso ..." is somebody's own. */
static bool is_foreign_condition(const struct bigrams *bigrams, struct str line)
{
    static const struct str starts[] = {
        STR_INIT("si el "),     STR_INIT("si la "),     STR_INIT("si los "),
        STR_INIT("si las "),    STR_INIT("si le "),     STR_INIT("si les "),
        STR_INIT("si l'"),      STR_INIT("si l’"),      STR_INIT("cuando el "),
        STR_INIT("cuando la "), STR_INIT("cuando se "), STR_INIT("lorsque "),
        STR_INIT("quando o "),  STR_INIT("quando a "),  STR_INIT("quando il "),
        STR_INIT("se o "),      STR_INIT("se il "),     STR_INIT("ist das "),
        STR_INIT("ist der "),   STR_INIT("ist die ")};
    static const struct str marks[] = {STR_INIT("た場合、"), STR_INIT("る場合、"),
                                       STR_INIT("の場合、"), STR_INIT("반환합니다")};
    return ISTARTS_ANY(line, starts) || HAS_ANY(bigrams, line, marks);
}

/* 'answer: "If the key expires, ..."': what stands behind the name that lists of questions give to
 * a part, without its quote. */
static struct str without_part_name(struct str line)
{
    static const struct str names[] = {STR_INIT("question: "), STR_INIT("answer: "),
                                       STR_INIT("question\": "), STR_INIT("answer\": "),
                                       STR_INIT("q: ")};
    line = str_starts(line, STR("\"")) ? str_slice(line, 1, line.len) : line;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (str_istarts(line, names[i])) {
            line = str_slice(line, names[i].len, line.len);
            return line.len && str_is_of(line.ptr[0], "\"'`") ? str_slice(line, 1, line.len) : line;
        }
    }
    return line;
}

/* "当上下文大小超过阈值时，自动总结": what is done in a case; but "当前", "当时" are no case. */
static bool is_chinese_case(struct str line)
{
    static const struct str others[] = {STR_INIT("当前"), STR_INIT("当时"), STR_INIT("当天"),
                                        STR_INIT("当日"), STR_INIT("当月"), STR_INIT("当地"),
                                        STR_INIT("当我")};
    ptrdiff_t end = str_find(line, STR("时，"));
    return str_starts(line, STR("当")) && !STARTS_ANY(line, others) && end > 0 &&
           (size_t)end < CASE_BYTES_MAX;
}

/* "If you see 429, slow down", "What happens if I run out of credits?": what holds when something
 * happens, not that it happened; but "If I send this, it says ..." did happen. */
static bool is_condition(struct str line)
{
    static const struct str starts[] = {STR_INIT("if "),
                                        STR_INIT("what if "),
                                        STR_INIT("what happens if "),
                                        STR_INIT("what happens when "),
                                        STR_INIT("what will happen if "),
                                        STR_INIT("when a "),
                                        STR_INIT("when an "),
                                        STR_INIT("when any "),
                                        STR_INIT("when the "),
                                        STR_INIT("when you "),
                                        STR_INIT("when your "),
                                        STR_INIT("when rate "),
                                        STR_INIT("when http "),
                                        STR_INIT("when we "),
                                        STR_INIT("whenever "),
                                        STR_INIT("when exceeded"),
                                        STR_INIT("in case "),
                                        STR_INIT("once "),
                                        STR_INIT("a: "),
                                        STR_INIT("如果"),
                                        STR_INIT("如需"),
                                        STR_INIT("若"),
                                        STR_INIT("当遇到"),
                                        STR_INIT("当出现"),
                                        STR_INIT("当某"),
                                        STR_INIT("当服务"),
                                        STR_INIT("遇到"),
                                        STR_INIT("当您"),
                                        STR_INIT("当你"),
                                        STR_INIT("если "),
                                        STR_INIT("Если "),
                                        STR_INIT("wenn "),
                                        STR_INIT("falls "),
                                        STR_INIT("もし"),
                                        STR_INIT("만약")};
    static const struct str own[] = {
        STR_INIT("if i "),       STR_INIT("if we "),       STR_INIT("when we "),
        STR_INIT("whenever i "), STR_INIT("whenever we "), STR_INIT("once i "),
        STR_INIT("once we "),    STR_INIT("in case i "),   STR_INIT("如果我"),
        STR_INIT("遇到这个"),    STR_INIT("遇到了"),       STR_INIT("遇到如下"),
        STR_INIT("遇到以下"),    STR_INIT("遇到一个"),     STR_INIT("遇到报错"),
        STR_INIT("遇到问题")};
    return is_chinese_case(line) || (ISTARTS_ANY(line, starts) && !ISTARTS_ANY(line, own));
}

void mention_blank_sentences(char *bytes, struct str text, const struct bigrams *bigrams,
                             struct str line)
{
    size_t end = mention_sentence_end(line, 0);
    if (end == line.len || mention_has_report(bigrams, line)) {
        return;
    }
    for (size_t at = 0; at < line.len; at = end) {
        end = mention_sentence_end(line, at);
        struct str sentence = str_trim(str_slice(line, at, end));
        if (sentence.len && (mention_is_writing(bigrams, sentence) ||
                             mention_is_note(bigrams, sentence) || mention_is_labelled(sentence))) {
            memset(bytes + (sentence.ptr - text.ptr), ' ', sentence.len);
        }
    }
}

/* "You should receive an `HTTP/1.1 429 Too Many Requests` response": what a lesson foretells. */
bool mention_is_expected(struct str line)
{
    static const struct str words[] = {STR_INIT("ou should see "),
                                       STR_INIT("ou should receive "),
                                       STR_INIT("ou should get "),
                                       STR_INIT("ou will see "),
                                       STR_INIT("ou will receive "),
                                       STR_INIT("ou will get "),
                                       STR_INIT("he following example"),
                                       STR_INIT(", verifying "),
                                       STR_INIT("xpected output"),
                                       STR_INIT("xpected response"),
                                       STR_INIT("应该收到"),
                                       STR_INIT("应该会收到"),
                                       STR_INIT("应该看到"),
                                       STR_INIT("应该会看到"),
                                       STR_INIT("你将收到"),
                                       STR_INIT("您将收到"),
                                       STR_INIT("将会收到"),
                                       STR_INIT("会看到类似"),
                                       STR_INIT("如果你遇到 `"),
                                       STR_INIT("如果您遇到 `"),
                                       STR_INIT("如果遇到 `")};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (str_find(line, words[i]) >= 0) {
            return true;
        }
    }
    return false;
}

/* "If you see `API Error: 403 {...}` after the login:": what a guide tells its reader, a program's
 * words quoted in it. */
bool mention_is_guidance(struct str line)
{
    static const struct str starts[] = {STR_INIT("if you see "),     STR_INIT("if you get "),
                                        STR_INIT("if you receive "), STR_INIT("if you encounter "),
                                        STR_INIT("if you hit "),     STR_INIT("when you see "),
                                        STR_INIT("si ve "),          STR_INIT("si aparece "),
                                        STR_INIT("si vous voyez "),  STR_INIT("se você vir "),
                                        STR_INIT("se vedi "),        STR_INIT("wenn sie "),
                                        STR_INIT("falls sie "),      STR_INIT("wenn du "),
                                        STR_INIT("如果您看到"),      STR_INIT("如果你看到"),
                                        STR_INIT("如果看到"),        STR_INIT("如果登录后看到"),
                                        STR_INIT("Если вы видите")};
    return str_find_char(line, '`') > 0 &&
           (mention_is_expected(line) || ISTARTS_ANY(mention_without_mark(line), starts));
}

/* "4.  429 Too Many Requests", "15.5.9.  408 Request Timeout", "### 404 - Not Found": the head of a
 * specification's part. */
static bool is_section(struct str line)
{
    static const struct str heads[] = {STR_INIT("## 4"), STR_INIT("### 4"), STR_INIT("#### 4"),
                                       STR_INIT("## 5"), STR_INIT("### 5"), STR_INIT("#### 5")};
    ptrdiff_t dash = str_find(line, STR(" - "));
    if (dash > 4 && dash < 9 && STARTS_ANY(line, heads)) {
        return true;
    }
    size_t at = 0, parts = 0;
    while (at < line.len && (str_is_digit(line.ptr[at]) || line.ptr[at] == '.')) {
        parts += line.ptr[at] == '.';
        at++;
    }
    struct str title = str_slice(line, at, line.len);
    bool is_title = str_starts(title, STR("  ")) && title.len > 3;
    bool has_status = is_title && (title.ptr[2] == '4' || title.ptr[2] == '5');
    return at > 1 && line.ptr[at - 1] == '.' && line.len < SECTION_BYTES_MAX && is_title &&
           (has_status || parts > 1);
}

/* "The 529 status means that ...", "429 indicates ...": one code explained. */
static bool is_explanation(const struct bigrams *bigrams, struct str line)
{
    static const struct str verbs[] = {STR_INIT(" means "),      STR_INIT(" indicates "),
                                       STR_INIT(" is defined "), STR_INIT(" signals "),
                                       STR_INIT(" stands for "), STR_INIT("表示"),
                                       STR_INIT("是指"),         STR_INIT("意味着")};
    static const struct str starts[] = {STR_INIT("the "),  STR_INIT("a "),      STR_INIT("an "),
                                        STR_INIT("http "), STR_INIT("status "), STR_INIT("error "),
                                        STR_INIT("code "), STR_INIT("`"),       STR_INIT("状态码"),
                                        STR_INIT("错误码")};
    bool has_number = line.len && line.ptr[0] >= '4' && line.ptr[0] <= '5';
    return (has_number || ISTARTS_ANY(line, starts)) && HAS_ANY(bigrams, line, verbs);
}

/* What a person or a model says to do, or says it did. */
static bool is_advice(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("to fix "),       STR_INIT("to resolve "),     STR_INIT("to handle "),
        STR_INIT("to avoid "),     STR_INIT("to prevent "),     STR_INIT("how to "),
        STR_INIT("you should "),   STR_INIT("assistant: "),     STR_INIT("assistant："),
        STR_INIT("助手："),        STR_INIT("助手: "),          STR_INIT("make sure "),
        STR_INIT("let's "),        STR_INIT("i'll "),           STR_INIT("i will "),
        STR_INIT("i've updated "), STR_INIT("i updated "),      STR_INIT("i've fixed "),
        STR_INIT("i fixed "),      STR_INIT("i've changed "),   STR_INIT("i've implemented "),
        STR_INIT("i've added "),   STR_INIT("i added "),        STR_INIT("i have added "),
        STR_INIT("we should "),    STR_INIT("as a user"),       STR_INIT("i think we should "),
        STR_INIT("we could "),     STR_INIT("we might "),       STR_INIT("it would be nice "),
        STR_INIT("how often "),    STR_INIT("would you like "), STR_INIT("do you want me "),
        STR_INIT("should i "),     STR_INIT("shall i "),        STR_INIT("want me to "),
        STR_INIT("为了避免")};
    return ISTARTS_ANY(line, starts);
}

/* Words of comparisons, specifications and licences. */
static bool is_normative(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {
        STR_INIT("的区别"),        STR_INIT("有什么区别"),     STR_INIT("有何区别"),
        STR_INIT("see CHANGELOG"), STR_INIT(" explains how "), STR_INIT(" describes how "),
        STR_INIT(" MAY "),         STR_INIT(" SHOULD "),       STR_INIT(" 4xx"),
        STR_INIT("(4xx"),          STR_INIT("(5xx"),           STR_INIT(" typically occurs "),
        STR_INIT(" 5xx"),          STR_INIT(" SHALL "),

        STR_INIT("WARRANT"),       STR_INIT(" LIABLE ")};
    return HAS_ANY(bigrams, line, marks);
}

/* "Release 2.4.0: ...", "v1.9 - ...": what a version brought. */
static bool is_release(struct str line)
{
    static const struct str heads[] = {STR_INIT("release "), STR_INIT("version "), STR_INIT("v")};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        struct str number = str_slice(line, heads[i].len, line.len);
        size_t at = 0, dots = 0;
        while (at < number.len && (str_is_digit(number.ptr[at]) || number.ptr[at] == '.')) {
            dots += number.ptr[at++] == '.';
        }
        struct str behind = str_slice(number, at, number.len);
        if (str_istarts(line, heads[i]) && at > dots && dots > 0 &&
            (str_starts(behind, STR(": ")) || str_starts(behind, STR(" - ")))) {
            return true;
        }
    }
    return false;
}

/* Articles, mails, questions put to a helpdesk. */
static bool is_article(const struct bigrams *bigrams, struct str line)
{
    static const struct str starts[] = {STR_INIT("subject: "),
                                        STR_INIT("how rate limit"),
                                        STR_INIT("what's new"),
                                        STR_INIT("introducing "),
                                        STR_INIT("re: "),
                                        STR_INIT("fwd: "),
                                        STR_INIT("本文"),
                                        STR_INIT("用户问"),
                                        STR_INIT("教程"),
                                        STR_INIT("this article "),
                                        STR_INIT("this guide "),
                                        STR_INIT("git commit "),
                                        STR_INIT("what does "),
                                        STR_INIT("what is the difference "),
                                        STR_INIT("see \""),
                                        STR_INIT("see `"),
                                        STR_INIT("common causes "),
                                        STR_INIT("explain "),
                                        STR_INIT("* fix"),
                                        STR_INIT("如何"),
                                        STR_INIT("faq"),
                                        STR_INIT("q: "),
                                        STR_INIT("release notes"),
                                        STR_INIT("常见问题"),
                                        STR_INIT("文档"),
                                        STR_INIT("会议纪要"),
                                        STR_INIT("changelog"),
                                        STR_INIT("msgid "),
                                        STR_INIT("msgstr "),
                                        STR_INIT("all systems operational"),
                                        STR_INIT("select count("),
                                        STR_INIT("select * from"),
                                        STR_INIT("更新日志"),
                                        STR_INIT("scheduled maintenance on "),
                                        STR_INIT("scheduled maintenance: "),
                                        STR_INIT("scheduled maintenance window"),
                                        STR_INIT("维护通知"),
                                        STR_INIT("计划维护"),
                                        STR_INIT("retry policy"),
                                        STR_INIT("tip: "),
                                        STR_INIT("meeting notes"),
                                        STR_INIT("重试策略")};
    return ISTARTS_ANY(line, starts) || is_normative(bigrams, line);
}

bool mention_is_writing(const struct bigrams *bigrams, struct str line)
{
    struct str words = mention_without_mark(line);
    return is_task(line) || is_release(words) || is_glossary(bigrams, line) ||
           is_article(bigrams, line) || is_section(line) ||
           is_condition(without_part_name(words)) || is_foreign_condition(bigrams, words) ||
           is_explanation(bigrams, words) || is_advice(words) ||
           mention_is_description(bigrams, words) || mention_is_design(bigrams, line);
}
