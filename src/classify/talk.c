/* Entries of logs that speak of a failure without having one: questions and answers that pass
 * through, titles of tickets, policies, handlers. Takes a text and the words in it that a rule
 * found, looks at what stands around them on their line. */
#include "classify/talk.h"

#include "classify/lift.h"
#include "classify/mention.h"

#define STATEMENT_BYTES_MAX 2000 /* what is longer is a dump */
#define WHOLE_BLANKS_MIN 3
#define SHORT_BLANKS_MAX 3 /* of a message that is a statement by itself */

/* Behind the number of what a word at text[..at] names: "question 2:", "answer #3:"; else at. */
static size_t behind_number(struct str text, size_t at)
{
    size_t to = at + (at < text.len && text.ptr[at] == ' ');
    to += to < text.len && text.ptr[to] == '#';
    size_t from = to;
    while (to < text.len && str_is_digit(text.ptr[to])) {
        to++;
    }
    return to > from ? to : at;
}

/* Whether one of the words stands alone in the text, whatever the case; signs: what must follow it
 * at once or behind one blank, NULL for anything. */
static bool has_word_before(const struct bigrams *bigrams, struct str text, const struct str *words,
                            size_t count, const char *signs)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t from = 0; from < text.len && bigrams_may_hold(bigrams, words[i]);) {
            ptrdiff_t hit = str_ifind(str_slice(text, from, text.len), words[i]);
            if (hit < 0) {
                break;
            }
            size_t at = from + (size_t)hit, next = at + words[i].len;
            bool is_ascii = (unsigned char)words[i].ptr[0] < 0x80;
            bool is_alone =
                !is_ascii ||
                ((at == 0 || !(str_is_word(text.ptr[at - 1]) || text.ptr[at - 1] == '.')) &&
                 (next == text.len || !str_is_word(text.ptr[next])));
            size_t sign = signs ? behind_number(text, next) : next;
            sign += sign < text.len && text.ptr[sign] == ' ';
            bool is_path = str_starts(str_slice(text, next, text.len), STR("::"));
            bool is_value = next + 1 < text.len && str_is_of(text.ptr[next], "\"'") &&
                            str_is_of(text.ptr[next + 1], ",}]"); /* of a record, no name in it */
            bool has_sign =
                !signs ||
                (sign < text.len && str_is_of(text.ptr[sign], signs) && !is_path && !is_value) ||
                str_starts(str_slice(text, sign, text.len), STR("：")) ||
                str_starts(str_slice(text, sign, text.len), STR("“"));
            if (is_alone && has_sign) {
                return true;
            }
            from = next;
        }
    }
    return false;
}
#define HAS_WORD_BEFORE(bigrams, text, table, signs)                                               \
    has_word_before((bigrams), (text), (table), sizeof(table) / sizeof(table)[0], (signs))

/* Where "Error generating the answer:" begins in a clause that ends there: it is no name of what
 * follows, that is why it failed. The clause's length where none does. */
static size_t failed_action_begin(const struct bigrams *bigrams, struct str clause)
{
    static const struct str words[] = {
        STR_INIT("error"),     STR_INIT("failed"),   STR_INIT("failure"), STR_INIT("unable"),
        STR_INIT("could not"), STR_INIT("couldn't"), STR_INIT("cannot"),  STR_INIT("exception"),
        STR_INIT("失败"),      STR_INIT("出错")};
    size_t begin = clause.len;
    while (begin > 0 && !str_is_of(clause.ptr[begin - 1], "=\"'`|")) {
        begin--;
    }
    struct str action = str_slice(clause, begin, clause.len);
    bool is_one = str_ends(clause, STR(":")) && HAS_WORD_BEFORE(bigrams, action, words, NULL);
    return is_one ? begin : clause.len;
}

/* What people and models say, as a log names it: "prompt: ...", "completion=\"...\"". */
static bool is_speech(const struct bigrams *bigrams, struct str lead)
{
    static const struct str names[] = {
        STR_INIT("prompt"),        STR_INIT("question"),     STR_INIT("query"),
        STR_INIT("completion"),    STR_INIT("answer"),       STR_INIT("assistant"),
        STR_INIT("title"),         STR_INIT("summary"),      STR_INIT("user asked"),
        STR_INIT("response text"), STR_INIT("test message"), STR_INIT("tool result"),
        STR_INIT("user asks"),     STR_INIT("transcript"),   STR_INIT("stdout"),
        STR_INIT("提示词"),        STR_INIT("提问"),         STR_INIT("回答"),
        STR_INIT("问题"),          STR_INIT("标题"),         STR_INIT("摘要")};
    bool is_refusal = str_find(lead, STR("拒绝回答")) >= 0;
    /* A summary of a failure is the failure's own. */
    bool is_report = str_ifind(lead, STR("summary=")) >= 0 && failure_is_told(lead);
    bool is_named = false; /* in one of the clauses */
    for (size_t at = 0; at < lead.len && !is_refusal && !is_report && !is_named;) {
        size_t colon = str_next_char(lead, at, ':');
        colon += str_starts(str_slice(lead, colon, lead.len), STR("::"));
        struct str clause = str_slice(lead, at, colon + (colon < lead.len));
        at += clause.len;
        clause = str_slice(clause, 0, failed_action_begin(bigrams, clause));
        is_named = HAS_WORD_BEFORE(bigrams, clause, names, ":=\"'`");
    }
    return is_named;
}

/* Words before the found ones that make a topic of them. */
static bool is_topic(const struct bigrams *bigrams, struct str lead)
{
    static const struct str words[] = {
        STR_INIT("because"),    STR_INIT("asked"),      STR_INIT("asks"),
        STR_INIT("how to"),     STR_INIT("how do"),     STR_INIT("why"),
        STR_INIT("explain"),    STR_INIT("policy"),     STR_INIT("retry on"),
        STR_INIT("retries on"), STR_INIT("if"),         STR_INIT("when"),
        STR_INIT("whenever"),   STR_INIT("handler"),    STR_INIT("handled"),
        STR_INIT("handles"),    STR_INIT("handle"),     STR_INIT("fix"),
        STR_INIT("registered"), STR_INIT("simulated"),  STR_INIT("simulate"),
        STR_INIT("mock"),       STR_INIT("mapping"),    STR_INIT("mapped"),
        STR_INIT("indexed"),    STR_INIT("document"),   STR_INIT("docs"),
        STR_INIT("ticket"),     STR_INIT("summary of"), STR_INIT("customer"),
        STR_INIT("alert rule"), STR_INIT("configured"), STR_INIT("previous"),
        STR_INIT("recovered"),  STR_INIT("resolved"),   STR_INIT("no longer"),
        STR_INIT("treat"),      STR_INIT("example"),    STR_INIT("test"),
        STR_INIT("old"),        STR_INIT("search"),     STR_INIT("backoff"),
        STR_INIT("no"),         STR_INIT("without"),    STR_INIT("never"),
        STR_INIT("loaded"),     STR_INIT("metrics"),    STR_INIT("tip"),
        STR_INIT("skipped"),    STR_INIT("策略"),       STR_INIT("如果"),
        STR_INIT("文档"),       STR_INIT("已恢复"),     STR_INIT("为什么"),
        STR_INIT("如何"),       STR_INIT("工单"),       STR_INIT("测试")};
    return HAS_WORD_BEFORE(bigrams, lead, words, NULL);
}

/* The same of titles and settings, which are no reports at whatever level. */
static bool is_title(const struct bigrams *bigrams, struct str lead)
{
    static const struct str words[] = {
        STR_INIT("policy"),     STR_INIT("mapping"),    STR_INIT("mapped"),
        STR_INIT("registered"), STR_INIT("simulated"),  STR_INIT("simulate"),
        STR_INIT("mock"),       STR_INIT("indexed"),    STR_INIT("document"),
        STR_INIT("docs"),       STR_INIT("ticket"),     STR_INIT("how to"),
        STR_INIT("how do"),     STR_INIT("why"),        STR_INIT("asked"),
        STR_INIT("asks"),       STR_INIT("alert rule"), STR_INIT("explain"),
        STR_INIT("retry on"),   STR_INIT("retries on"), STR_INIT("no longer"),
        STR_INIT("loaded"),     STR_INIT("metrics"),    STR_INIT("notification"),
        STR_INIT("策略"),       STR_INIT("文档"),       STR_INIT("为什么"),
        STR_INIT("如何"),       STR_INIT("工单"),       STR_INIT("测试通知"),
        STR_INIT("recovered"),  STR_INIT("fix:"),       STR_INIT("user message")};
    return HAS_WORD_BEFORE(bigrams, lead, words, NULL);
}

/* Words behind the found ones that say the same. */
static bool is_settled(const struct bigrams *bigrams, struct str tail)
{
    static const struct str words[] = {
        STR_INIT("handled"),  STR_INIT("handler"),   STR_INIT("recovered"),
        STR_INIT("resolved"), STR_INIT("is gone"),   STR_INIT("using default"),
        STR_INIT("counter"),  STR_INIT("succeeded"), STR_INIT("new session"),
        STR_INIT("means"),    STR_INIT("says"),      STR_INIT("said"),
        STR_INIT("renewed"),  STR_INIT("是指"),      STR_INIT("已恢复"),
        STR_INIT("表示")};
    return HAS_WORD_BEFORE(bigrams, tail, words, NULL);
}

/* The text of a quotation that is open at the end of the lead, or where it begins: then *at. */
static bool is_in_quotes(struct str lead, size_t *at)
{
    char open = '\0';
    for (size_t i = 0; i < lead.len; i++) {
        char c = lead.ptr[i];
        bool may_open = i == 0 || !str_is_word(lead.ptr[i - 1]);
        if (c == '\\') {
            i++;
        } else if (open ? c == open : (c == '"' || c == '`' || (c == '\'' && may_open))) {
            open = open ? '\0' : c;
            *at = i;
        }
    }
    ptrdiff_t curly = str_find(lead, STR("“"));
    if (!open && curly >= 0 && str_find(lead, STR("”")) < curly) {
        *at = (size_t)curly;
        return true;
    }
    return open != '\0';
}

/* Whether the quotation at lead[at] is one of a machine: the whole entry, an answer's first line,
 * the value of a pair that holds an error, or what stands behind a status or a word of failure. */
static bool quotes_machine(struct str lead, size_t at)
{
    struct str before = str_trim(str_slice(lead, 0, at)), inside = str_slice(lead, at, lead.len);
    bool has_status = before.len >= 3 && str_is_of(before.ptr[before.len - 3], "45") &&
                      str_is_digit(before.ptr[before.len - 1]);
    bool is_error = str_ends(before, STR("error=")) || str_ends(before, STR("err="));
    return before.len == 0 || has_status || is_error || str_starts(inside, STR("\"HTTP/")) ||
           failure_is_told(before);
}

/* Whether a clause goes on behind a report as people write them: it ends, or a sign, a number or a
 * word that joins follows. */
static bool goes_on(struct str tail)
{
    static const struct str joins[] = {
        STR_INIT("for "),    STR_INIT("of "),       STR_INIT("by "),     STR_INIT("on "),
        STR_INIT("in "),     STR_INIT("at "),       STR_INIT("to "),     STR_INIT("from "),
        STR_INIT("after "),  STR_INIT("before "),   STR_INIT("while "),  STR_INIT("please "),
        STR_INIT("try "),    STR_INIT("the "),      STR_INIT("your "),   STR_INIT("this "),
        STR_INIT("is "),     STR_INIT("was "),      STR_INIT("and "),    STR_INIT("or "),
        STR_INIT("with "),   STR_INIT("because"),   STR_INIT("per "),    STR_INIT("during "),
        STR_INIT("error"),   STR_INIT("right "),    STR_INIT("now"),     STR_INIT("yet"),
        STR_INIT("has "),    STR_INIT("have "),     STR_INIT("within "), STR_INIT("when "),
        STR_INIT("you "),    STR_INIT("available"), STR_INIT("that "),   STR_INIT("provided"),
        STR_INIT("reached"), STR_INIT("exceeded"),  STR_INIT("as ")};
    if (tail.len < 2 || tail.ptr[0] != ' ') {
        return tail.len == 0 || !str_is_word(tail.ptr[0]);
    }
    char next = tail.ptr[1];
    bool is_lower = str_is_lower(next);
    return !is_lower || STARTS_ANY(str_slice(tail, 1, tail.len), joins);
}

/* Where the clause begins that ends with the lead. */
static size_t clause_begin(struct str lead)
{
    size_t at = lead.len;
    while (at > 0) {
        char c = lead.ptr[at - 1];
        bool is_end = (c == ' ' && at > 1 && str_is_of(lead.ptr[at - 2], ".:!?-])|")) ||
                      str_is_of(c, "[(\"'`:|>");
        bool is_apostrophe = c == '\'' && at > 1 && str_is_word(lead.ptr[at - 2]) &&
                             at < lead.len && str_is_word(lead.ptr[at]);
        if (c && is_end && !is_apostrophe) {
            break;
        }
        at--;
    }
    return at;
}

/* Words that need nothing behind them: several, or up to a sign. */
static bool is_whole(struct str words)
{
    return str_count_char(words, ' ') >= WHOLE_BLANKS_MIN ||
           (words.len &&
            str_is_of(words.ptr[words.len - (words.ptr[words.len - 1] == ' ') - 1], ":,.!"));
}

/* "ReadTimeout": a name within a name of a class. */
static bool is_class(struct str clause, struct str words)
{
    bool has_hump = false;
    for (size_t i = 1; i < words.len; i++) {
        has_hump = has_hump || (str_is_upper(words.ptr[i]) && str_is_lower(words.ptr[i - 1]));
    }
    return has_hump && str_find_char(clause, ' ') < 0 && str_find_char(words, ' ') < 0;
}

/* A report is a statement: a clause with a capital or behind a sign, with a machine's own spelling
 * in it, or behind the name of an error; "deploy server busy plan" is none. */
static bool is_statement(const struct bigrams *bigrams, struct str lead, struct str words,
                         struct str tail)
{
    static const struct str spellings[] = {
        STR_INIT("Error"), STR_INIT("rror: "), STR_INIT("Exception"), STR_INIT("::"),
        STR_INIT("_"),     STR_INIT("ERR"),    STR_INIT("()")};
    static const struct str names[] = {STR_INIT("rror: "),     STR_INIT("xception: "),
                                       STR_INIT("xception ("), STR_INIT("imeout: "),
                                       STR_INIT("错误: "),     STR_INIT("failed: ")};
    size_t begin = clause_begin(lead);
    struct str clause = begin < lead.len ? str_slice(lead, begin, lead.len) : words;
    char first = clause.len ? clause.ptr[0] : ' ';
    bool is_opened = !str_is_lower(first) || (begin == lead.len && begin > 0) ||
                     (lead.len == 0 && (tail.len == 0 || !str_is_word(tail.ptr[tail.len > 1])));
    return HAS_ANY(bigrams, words, spellings) || HAS_ANY(bigrams, clause, spellings) ||
           HAS_ANY(bigrams, lead, names) || is_class(clause, words) ||
           (is_opened && (is_whole(words) || goes_on(tail)));
}

bool talk_surrounds(struct str text, size_t begin, size_t end,
                    const struct observation *observation, bool has_error, bool has_machine)
{
    size_t from = begin, to = end, quote = 0;
    while (from > 0 && text.ptr[from - 1] != '\n') {
        from--;
    }
    while (to < text.len && text.ptr[to] != '\n') {
        to++;
    }
    struct str lead = str_slice(text, from, begin), tail = str_slice(text, end, to);
    struct bigrams bigrams;
    if (has_error) {
        return false;
    }
    bigrams_read(&bigrams, str_slice(text, from, to));
    if (failure_is_reported(&bigrams, lead)) {
        return false;
    }
    if (is_speech(&bigrams, lead)) {
        return true;
    }
    bool is_quoted = is_in_quotes(lead, &quote) && !quotes_machine(lead, quote);
    struct str words = str_slice(text, begin, end);
    bool is_stated =
        has_machine || is_statement(&bigrams, lead, words, tail) || failure_is_told(lead);
    bool is_over = is_settled(&bigrams, tail) || str_find(words, STR("passed")) >= 0;
    bool is_told = observation->is_bare && (is_title(&bigrams, lead) || is_over || !is_stated);
    return is_told || (observation->is_ordinary &&
                       (is_quoted || is_topic(&bigrams, lead) || is_over || !is_stated));
}

/* "model= x; provider = y": a list of settings is no sentence. */
static bool is_list(struct str message)
{
    return str_find(message, STR("; ")) >= 0 && str_find(message, STR("= ")) >= 0;
}

/* Where one clause ends and another may begin, or a machine's spelling stands. */
static bool opens_at(struct str message, size_t i)
{
    char c = message.ptr[i], next = i + 1 < message.len ? message.ptr[i + 1] : ' ';
    bool is_name = c == 'E' && str_starts(str_slice(message, i, message.len), STR("Error"));
    return c == '[' || c == '`' || c == '\\' || (unsigned char)c >= 0x80 || is_name ||
           (next == ' ' && (c == '.' || c == ':' || c == '!' || c == '?' || c == '|' || c == '-'));
}

/* Chinese has no capitals; a report of a failure has one of few signs in it, of lack, refusal,
 * excess or trouble. */
static bool is_troubled(struct str message)
{
    static const struct str signs[] = {
        STR_INIT("错"),   STR_INIT("異常"), STR_INIT("异常"), STR_INIT("过多"), STR_INIT("过大"),
        STR_INIT("过高"), STR_INIT("过长"), STR_INIT("过期"), STR_INIT("过快"), STR_INIT("过载"),
        STR_INIT("过于"), STR_INIT("過期"), STR_INIT("過載"), STR_INIT("超"),   STR_INIT("不"),
        STR_INIT("无"),   STR_INIT("無"),   STR_INIT("拒"),   STR_INIT("繁忙"), STR_INIT("稍后"),
        STR_INIT("稍後"), STR_INIT("限"),   STR_INIT("未"),   STR_INIT("欠"),   STR_INIT("封"),
        STR_INIT("停"),   STR_INIT("禁"),   STR_INIT("满"),   STR_INIT("用完"), STR_INIT("耗尽"),
        STR_INIT("中断"), STR_INIT("断开"), STR_INIT("违"),   STR_INIT("敏感"), STR_INIT("缺"),
        STR_INIT("失"),   STR_INIT("下线")};
    struct bigrams bigrams;
    bigrams_read(&bigrams, message);
    return HAS_ANY(&bigrams, message, signs);
}

static bool names_failure(struct str message)
{
    return str_find(message, STR("rror")) >= 0 || str_find(message, STR("xception")) >= 0 ||
           str_find(message, STR("ailed")) >= 0;
}

bool talk_may_state(struct str message)
{
    size_t blanks = 0;
    if (message.len > STATEMENT_BYTES_MAX) {
        return false;
    }
    bool is_opened = message.len && !str_is_lower(message.ptr[0]);
    for (size_t i = 0; i < message.len && !is_opened; i++) {
        blanks += message.ptr[i] == ' ';
        is_opened = opens_at(message, i);
    }
    bool is_chinese = message.len && (unsigned char)message.ptr[0] >= 0xE3;
    return (is_opened || blanks < SHORT_BLANKS_MAX) && (!is_chinese || is_troubled(message)) &&
           (!is_list(message) || names_failure(message));
}
