/* Whether the words around a word of failures make a topic of it, in a sentence that no rule
 * explains: a condition, a choice, a heading of a list, a name of a program, what is to be avoided
 * or handled (failure_frame.def). Takes a sentence and a place in it. */
#include "classify/lift.h"
#include "classify/mention.h"

enum kind { KIND_LED, KIND_NOUN };

static const struct row {
    enum kind kind;
    struct str word;
} rows[] = {
#define LED(word) {KIND_LED, STR_INIT(word)},
#define NOUN(word) {KIND_NOUN, STR_INIT(word)},
#include "classify/failure_frame.def"
#undef LED
#undef NOUN
};

#define ROWS (sizeof rows / sizeof rows[0])

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
    bool is_one = false;
    for (size_t i = 0; i < ROWS && !is_one; i++) {
        is_one = rows[i].kind == KIND_LED && ends_with_word(lead, rows[i].word);
    }
    return is_one;
}

/* "if the login fails", "when ... is missing": the clause of the word begins with a condition. */
static bool is_conditional(struct str lead)
{
    static const struct str words[] = {
        STR_INIT("if "),     STR_INIT("when "),    STR_INIT("whenever "), STR_INIT("unless "),
        STR_INIT("until "),  STR_INIT("in case "), STR_INIT("where "),    STR_INIT("whether "),
        STR_INIT("before "), STR_INIT("如果"),     STR_INIT("若"),        STR_INIT("一旦"),
        STR_INIT("例如"),    STR_INIT("e.g. "),    STR_INIT("such as ")};
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

/* The bytes of the noun that a text begins with, to its end; 0 where it begins with none. */
static size_t noun_length(struct str text)
{
    size_t length = 0;
    for (size_t i = 0; i < ROWS; i++) { /* the longest of those that begin alike is the last */
        bool is_here = rows[i].kind == KIND_NOUN && str_starts(text, rows[i].word);
        length = is_here ? rows[i].word.len : length;
    }
    while (length > 0 && length < text.len && str_is_word(text.ptr[length])) {
        length++;
    }
    return length;
}

/* "error logs", "failed requests", "失败时": behind: what follows the word. */
static bool is_compound(struct str word, struct str behind)
{
    static const struct str names[] = {STR_INIT("error"),     STR_INIT("Error"), STR_INIT("fail"),
                                       STR_INIT("Fail"),      STR_INIT("错误"),  STR_INIT("失败"),
                                       STR_INIT("异常"),      STR_INIT("超时"),  STR_INIT("錯誤"),
                                       STR_INIT("exception"), STR_INIT("过期"),  STR_INIT("到期"),
                                       STR_INIT("用完"),      STR_INIT("封禁")};
    size_t end = STARTS_ANY(word, names) ? noun_length(behind) : 0;
    struct str rest = str_slice(behind, end, behind.len); /* "error message: ..." reports */
    bool is_given = rest.len > 1 && rest.ptr[0] == ' ' && str_is_digit(rest.ptr[1]);
    return end > 0 && !is_given && !(rest.len && str_is_of(rest.ptr[0], ":=\"")) &&
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
