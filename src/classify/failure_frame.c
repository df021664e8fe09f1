/* Whether the words around a word of failures make a topic of it, in a sentence that no rule
 * explains: a condition, a choice, a heading of a list, a name of a program, what is to be avoided
 * or handled. Takes a sentence and a place in it. */
#include "classify/lift.h"
#include "classify/mention.h"

/* Whether lead ends with the word in either case, and the word begins there. */
static bool ends_with_word(struct str lead, struct str word)
{
    size_t at = lead.len - word.len;
    return lead.len >= word.len && str_ieq(str_slice(lead, at, lead.len), word) &&
           (at == 0 || !str_is_alnum(lead.ptr[at - 1]) || (unsigned char)word.ptr[0] >= 0x80);
}

/* "to fail", "returns an error", "on failure", "without errors": what may, must or must not be. */
static bool is_led(struct str lead)
{
    static const struct str words[] = {
        STR_INIT("to "),        STR_INIT("can "),         STR_INIT("should "),
        STR_INIT("must "),      STR_INIT("never "),       STR_INIT("never an "),
        STR_INIT("not an "),    STR_INIT("not a "),       STR_INIT("don't "),
        STR_INIT("doesn't "),   STR_INIT("without "),     STR_INIT("any "),
        STR_INIT("every "),     STR_INIT("non-"),         STR_INIT("on "),
        STR_INIT("on an "),     STR_INIT("on the "),      STR_INIT("for "),
        STR_INIT("avoid "),     STR_INIT("avoids "),      STR_INIT("avoiding "),
        STR_INIT("prevent "),   STR_INIT("prevents "),    STR_INIT("handle "),
        STR_INIT("handles "),   STR_INIT("catch "),       STR_INIT("catches "),
        STR_INIT("raises "),    STR_INIT("raises an "),   STR_INIT("raises a "),
        STR_INIT("throws "),    STR_INIT("throws an "),   STR_INIT("throws a "),
        STR_INIT("returns "),   STR_INIT("returns a "),   STR_INIT("returns an "),
        STR_INIT("retry "),     STR_INIT("retries "),     STR_INIT("no silent "),
        STR_INIT("possible "),  STR_INIT("potential "),   STR_INIT("common "),
        STR_INIT("detailed "),  STR_INIT("logic "),       STR_INIT("explain "),
        STR_INIT("this "),      STR_INIT("or "),          STR_INIT("表示"),
        STR_INIT("避免"),       STR_INIT("减少"),         STR_INIT("降低"),
        STR_INIT("无语法"),     STR_INIT("raise "),       STR_INIT("偶发"),
        STR_INIT("连续"),       STR_INIT("observing a "), STR_INIT("observe a "),
        STR_INIT("类型"),       STR_INIT("中的"),         STR_INIT("捕获"),
        STR_INIT("提供详细的"), STR_INIT("详细的"),       STR_INIT("转 "),
        STR_INIT("记录"),       STR_INIT("常见"),         STR_INIT("显示")};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (ends_with_word(lead, words[i])) {
            return true;
        }
    }
    return false;
}

/* "if the login fails", "when ... is missing": the clause of the word begins with a condition. */
static bool is_conditional(struct str lead)
{
    static const struct str words[] = {
        STR_INIT("if "),      STR_INIT("when "),    STR_INIT("whenever "), STR_INIT("unless "),
        STR_INIT("until "),   STR_INIT("in case "), STR_INIT("where "),    STR_INIT("even if "),
        STR_INIT("whether "), STR_INIT("before "),  STR_INIT("如果"),      STR_INIT("若"),
        STR_INIT("一旦"),     STR_INIT("例如"),     STR_INIT("e.g. "),     STR_INIT("such as ")};
    size_t begin = lead.len;
    while (begin > 0 &&
           !(str_is_of(lead.ptr[begin - 1], ",;:") && begin < lead.len && lead.ptr[begin] == ' ')) {
        begin--;
    }
    struct str clause = str_slice(lead, begin, lead.len);
    for (size_t at = 0; at < clause.len; at++) {
        bool opens = at == 0 || !str_is_alnum(clause.ptr[at - 1]);
        if (opens && ISTARTS_ANY(str_slice(clause, at, clause.len), words)) {
            return true;
        }
    }
    return false;
}

static const struct str compound_names[] = {
    STR_INIT("error"), STR_INIT("Error"), STR_INIT("fail"), STR_INIT("Fail"),      STR_INIT("错误"),
    STR_INIT("失败"),  STR_INIT("异常"),  STR_INIT("超时"), STR_INIT("exception"), STR_INIT("錯誤"),
    STR_INIT("过期"),  STR_INIT("到期"),  STR_INIT("用完"), STR_INIT("封禁")};
static const struct str compound_nouns[] = {STR_INIT(" detail"),    STR_INIT(" log"),
                                            STR_INIT(" track"),     STR_INIT(" propagat"),
                                            STR_INIT(" entr"),      STR_INIT(" case"),
                                            STR_INIT(" type"),      STR_INIT(" condition"),
                                            STR_INIT(" correct"),   STR_INIT(" description"),
                                            STR_INIT(" tip"),       STR_INIT(" output"),
                                            STR_INIT(" badge"),     STR_INIT(" class"),
                                            STR_INIT(" check"),     STR_INIT(" margin"),
                                            STR_INIT(" callback"),  STR_INIT(" polic"),
                                            STR_INIT(" fallback"),  STR_INIT(" analys"),
                                            STR_INIT(" response"),  STR_INIT(" state"),
                                            STR_INIT(" message"),   STR_INIT(" format"),
                                            STR_INIT(" object"),    STR_INIT(" field"),
                                            STR_INIT(" report"),    STR_INIT(" wrapp"),
                                            STR_INIT(" mapping"),   STR_INIT(" taxonom"),
                                            STR_INIT(" scenario"),  STR_INIT(" path"),
                                            STR_INIT("ed path"),    STR_INIT("ed request"),
                                            STR_INIT("ed check"),   STR_INIT("ed attempt"),
                                            STR_INIT("ed job"),     STR_INIT("ed item"),
                                            STR_INIT("ed run"),     STR_INIT("ed test"),
                                            STR_INIT("ure mode"),   STR_INIT("ure reason"),
                                            STR_INIT("ure case"),   STR_INIT("ure polic"),
                                            STR_INIT("ure path"),   STR_INIT("ure count"),
                                            STR_INIT("ure report"), STR_INIT("ure status"),
                                            STR_INIT("ed or "),     STR_INIT("s or "),
                                            STR_INIT("s and "),     STR_INIT("s like "),
                                            STR_INIT("-open"),      STR_INIT("-fast"),
                                            STR_INIT("-closed"),    STR_INIT("-safe"),
                                            STR_INIT("s the "),     STR_INIT("时"),
                                            STR_INIT("后"),         STR_INIT("的"),
                                            STR_INIT("则"),         STR_INIT("提示"),
                                            STR_INIT("检查"),       STR_INIT("报告"),
                                            STR_INIT("行"),         STR_INIT("修复"),
                                            STR_INIT("风险"),       STR_INIT("页面"),
                                            STR_INIT("追踪"),       STR_INIT("日志"),
                                            STR_INIT("原因"),       STR_INIT("或"),
                                            STR_INIT("自动"),       STR_INIT("大"),
                                            STR_INIT(" rule"),      STR_INIT(" template"),
                                            STR_INIT(" warning"),   STR_INIT("规则"),
                                            STR_INIT("規則"),       STR_INIT("模板"),
                                            STR_INIT("範本"),       STR_INIT("信息"),
                                            STR_INIT("訊息"),       STR_INIT("消息"),
                                            STR_INIT("上报"),       STR_INIT("上報"),
                                            STR_INIT("日期"),       STR_INIT("时间"),
                                            STR_INIT("輸出"),       STR_INIT("输出"),
                                            STR_INIT("提示"),       STR_INIT("響應"),
                                            STR_INIT("响应"),       STR_INIT("+")};

/* "error logs", "failed requests", "失败时": behind: what follows the word. */
static bool is_compound(struct str word, struct str behind)
{
    if (!STARTS_ANY(word, compound_names) || !STARTS_ANY(behind, compound_nouns)) {
        return false;
    }
    size_t end = 1;
    while (end < behind.len && (str_is_word(behind.ptr[end]) || str_is_letter(behind.ptr[end]))) {
        end++;
    }
    struct str rest = str_slice(behind, end, behind.len); /* "error message: ..." reports */
    bool is_given = rest.len > 1 && rest.ptr[0] == ' ' && str_is_digit(rest.ptr[1]);
    return !is_given && !(rest.len && str_is_of(rest.ptr[0], ":=\"")) &&
           !str_starts(rest, STR("："));
}

/* "Looks for errors", "handles failures.": the plural of a kind; "2 errors" are events. */
static bool is_kind(struct str lead, struct str behind)
{
    static const struct str plurals[] = {STR_INIT("s"), STR_INIT("ures"), STR_INIT("es")};
    size_t end = 0;
    while (end < behind.len && str_is_letter(behind.ptr[end])) {
        end++;
    }
    struct str ending = str_slice(behind, 0, end);
    bool is_plural = false;
    for (size_t i = 0; i < sizeof plurals / sizeof plurals[0]; i++) {
        is_plural = is_plural || str_eq(ending, plurals[i]);
    }
    bool is_counted = lead.len > 1 && str_is_digit(lead.ptr[lead.len - 2]);
    bool is_closed = end == behind.len || str_is_of(behind.ptr[end], ",;)/`*");
    return is_plural && is_closed && !is_counted && lead.len > 0 &&
           !ends_with_word(lead, STR("with "));
}

/* "failure_policy = ", "stream_error_callback", "handleError": a name in a program's text, with no
 * value that tells. */
static bool is_identifier(struct str sentence, size_t at)
{
    size_t begin = at, end = at;
    while (begin > 0 && str_is_word(sentence.ptr[begin - 1])) {
        begin--;
    }
    while (end < sentence.len && str_is_word(sentence.ptr[end])) {
        end++;
    }
    struct str name = str_slice(sentence, begin, end);
    struct str behind = str_slice(sentence, end, sentence.len);
    bool is_upper = str_is_upper(name.ptr[0]);
    bool has_hump = begin < at && str_is_upper(sentence.ptr[at]);
    bool has_value =
        behind.len && (str_is_of(behind.ptr[0], ":=\"'") || str_starts(behind, STR(" :")) ||
                       str_starts(behind, STR(" = ")));
    return !is_upper && !has_value && (str_find_char(name, '_') >= 0 || has_hump);
}

/* "success/failure", "valid/invalid inputs". */
static bool is_choice(struct str sentence, size_t at, size_t length)
{
    size_t end = at + length;
    while (end < sentence.len && str_is_letter(sentence.ptr[end])) {
        end++;
    }
    bool before = at > 1 && sentence.ptr[at - 1] == '/' && str_is_letter(sentence.ptr[at - 2]);
    bool after =
        end + 1 < sentence.len && sentence.ptr[end] == '/' && str_is_letter(sentence.ptr[end + 1]);
    return before || after;
}

/* "1. **ImportError**: make sure that ...": the word stands in the head of an item of a manual. */
static bool is_head_of_item(struct str sentence, size_t at)
{
    struct str bare = mention_without_mark(sentence);
    if (!str_starts(bare, STR("**"))) {
        return false;
    }
    ptrdiff_t close = str_find(str_slice(bare, 2, bare.len), STR("**"));
    size_t end = (size_t)(bare.ptr - sentence.ptr) + 2 + (size_t)(close < 0 ? 0 : close);
    return close > 0 && at < end;
}

/* "If it prints messages, correct the fields and try again": advice for a case. */
static bool is_advice(struct str lead, struct str word)
{
    static const struct str tries[] = {STR_INIT("try again"), STR_INIT("请重试"), STR_INIT("再试")};
    return ISTARTS_ANY(word, tries) &&
           (str_find(lead, STR(" if ")) >= 0 || str_istarts(lead, STR("if ")) ||
            str_find(lead, STR("如果")) >= 0);
}

bool failure_is_framed_at(struct str sentence, size_t at, size_t length)
{
    size_t begin = at; /* of "AssertionError", where the word is its end */
    while (begin > 0 && str_is_alnum(sentence.ptr[begin - 1])) {
        begin--;
    }
    struct str lead = str_slice(sentence, 0, begin);
    struct str behind = str_slice(sentence, at + length, sentence.len);
    return is_advice(lead, str_slice(sentence, at, at + length)) || is_led(lead) ||
           is_conditional(lead) || is_compound(str_slice(sentence, at, at + length), behind) ||
           is_kind(lead, behind) || is_identifier(sentence, at) ||
           is_choice(sentence, at, length) || is_head_of_item(sentence, at);
}

/* What is asked in general, is done, or is to be done. */
bool failure_is_framed(struct str sentence)
{
    static const struct str asks[] = {STR_INIT("How "),    STR_INIT("Why "), STR_INIT("Which "),
                                      STR_INIT("What "),   STR_INIT("Is "),  STR_INIT("Does "),
                                      STR_INIT("Should "), STR_INIT("Q: ")};
    static const struct str signs[] = {STR_INIT("✅"), STR_INIT("✓"), STR_INIT("[x] "),
                                       STR_INIT("[ ] "), STR_INIT("[X] ")};
    /* What a setting does: "When enabled, ... may return errors". */
    static const struct str switches[] = {
        STR_INIT("When enabled"),   STR_INIT("When disabled"), STR_INIT("If enabled"),
        STR_INIT("If disabled"),    STR_INIT("When checked"),  STR_INIT("When turned on"),
        STR_INIT("Automatically "), STR_INIT("Set to "),       STR_INIT("启用后，"),
        STR_INIT("開啟後，"),       STR_INIT("啟用後，"),      STR_INIT("开启后，"),
        STR_INIT("关闭后，"),       STR_INIT("當 "),           STR_INIT("有効にすると"),
        STR_INIT("Wenn aktiviert"), STR_INIT("Si activé"),     STR_INIT("Cuando está")};
    struct str bare = str_trim(mention_without_mark(str_trim(sentence)));
    return STARTS_ANY(bare, signs) || STARTS_ANY(bare, switches) ||
           (str_ends(bare, STR("?")) && STARTS_ANY(bare, asks));
}
