/* Lines of notes that speak of errors: steps of plans, what is over, how an API behaves by design,
 * what codes stand for. Takes a line, says whether it is one. */
#include "classify/mention.h"

#define EXPLAINED_MIN 2
#define MET_BYTES_MAX 30 /* "遇到 429 错误时" */

/* "[x] API key invalid": the outcome of a check, not what was done. */
static bool is_finding(struct str words)
{
    static const struct str ends[] = {
        STR_INIT(" invalid"),     STR_INIT(" expired"),    STR_INIT(" exceeded"),
        STR_INIT(" failed"),      STR_INIT(" refused"),    STR_INIT(" denied"),
        STR_INIT(" rejected"),    STR_INIT(" overloaded"), STR_INIT(" missing"),
        STR_INIT(" reached"),     STR_INIT(" exhausted"),  STR_INIT(" not found"),
        STR_INIT(" unavailable"), STR_INIT(" timed out"),  STR_INIT(" not valid")};
    return ENDS_ANY(words, ends) && !mention_opens_change(words);
}

/* Boxes in front of what is to be done. */
static bool is_plan(struct str line)
{
    static const struct str boxes[] = {STR_INIT("□ "), STR_INIT("☐ "), STR_INIT("☑ "),
                                       STR_INIT("☒ "), STR_INIT("✔ "), STR_INIT("◻ "),
                                       STR_INIT("◼ ")};
    static const struct str brackets[] = {STR_INIT("[ ] "), STR_INIT("[x] ")};
    struct str words = mention_without_mark(line);
    bool is_marked = words.ptr != str_trim(line).ptr;
    struct str behind = str_slice(words, 4, words.len);
    return STARTS_ANY(words, boxes) ||
           (STARTS_ANY(words, brackets) &&
            (mention_opens_change(behind) ||
             (is_marked && !(str_starts(words, STR("[x]")) && is_finding(behind)))));
}

/* "Search rate_limit_exceeded in src", "Read errors.rs": what a client looked at is spelled as
 * machines do; "Read timed out" is not. */
static bool is_look(struct str line)
{
    static const struct str verbs[] = {STR_INIT("Search "), STR_INIT("Searched "),
                                       STR_INIT("Edited "), STR_INIT("Read "), STR_INIT("Called ")};
    struct str rest = line, verb, word;
    bool has_sign = false;
    if (STARTS_ANY(line, verbs) && str_split(&rest, ' ', &verb) && str_split(&rest, ' ', &word)) {
        for (size_t i = 0; i < word.len; i++) {
            has_sign = has_sign || str_is_of(word.ptr[i], "_/(\"") ||
                       (word.ptr[i] == '.' && i + 1 < word.len);
        }
    }
    return has_sign || str_starts(line, STR("Search(")) || str_eq(line, STR("Explored"));
}

/* "请稍后再试"; "请求" is a request. */
static bool asks_in_chinese(struct str line)
{
    return mention_count(line, STR("请")) > mention_count(line, STR("请求"));
}

/* "昨天提示额度不足，今天已恢复正常": what happened is over; but "又出现了" says that it is not. */
static bool is_over(const struct bigrams *bigrams, struct str line)
{
    static const struct str ends[] = {STR_INIT("已恢复"),
                                      STR_INIT("已经恢复"),
                                      STR_INIT("恢复正常"),
                                      STR_INIT("已解决"),
                                      STR_INIT("已经解决"),
                                      STR_INIT("目前正常"),
                                      STR_INIT("目前服务正常"),
                                      STR_INIT("已修复"),
                                      STR_INIT("works again"),
                                      STR_INIT("work again"),
                                      STR_INIT("working again"),
                                      STR_INIT("not happened again"),
                                      STR_INIT("not happened since"),
                                      STR_INIT("everything works now"),
                                      STR_INIT("一切正常"),
                                      STR_INIT("不再报错"),
                                      STR_INIT("不再出现"),
                                      STR_INIT("没有报错"),
                                      STR_INIT("back to normal"),
                                      STR_INIT("has been resolved"),
                                      STR_INIT("have been resolved"),
                                      STR_INIT("was resolved"),
                                      STR_INIT("ooks resolved"),
                                      STR_INIT("issue is fixed"),
                                      STR_INIT("is now fixed"),
                                      STR_INIT("is fixed now"),
                                      STR_INIT("[Resolved]"),
                                      STR_INIT("should be fixed in"),
                                      STR_INIT("解消し"),
                                      STR_INIT("復旧し"),
                                      STR_INIT(" is UP, "),
                                      STR_INIT(" is fixed in"),
                                      STR_INIT(" been fixed in"),
                                      STR_INIT(" was fixed in")};
    static const struct str agains[] = {STR_INIT("又"),      STR_INIT("再次"),   STR_INIT("仍"),
                                        STR_INIT("还是"),    STR_INIT("但"),     STR_INIT("未恢复"),
                                        STR_INIT("小时后"),  STR_INIT("分钟后"), STR_INIT(" but "),
                                        STR_INIT("until"),   STR_INIT("将"),     STR_INIT("需"),
                                        STR_INIT(" after "), STR_INIT(" if ")};
    static const struct str goods[] = {STR_INIT(" passed after "),
                                       STR_INIT(" succeeded after "),
                                       STR_INIT(" recovered after "),
                                       STR_INIT("天后过期"),
                                       STR_INIT("天过期"),
                                       STR_INIT("天后到期"),
                                       STR_INIT("天到期")};
    return (HAS_ANY(bigrams, line, ends) && !HAS_ANY(bigrams, line, agains) &&
            !asks_in_chinese(line)) ||
           HAS_ANY(bigrams, line, goods);
}

/* "超过后返回 429": what terms of use and manuals say. */
static bool is_term(const struct bigrams *bigrams, struct str line)
{
    static const struct str terms[] = {STR_INIT(" may suspend your "),
                                       STR_INIT("则返回 4"),
                                       STR_INIT("超出后返回 4"),
                                       STR_INIT("超过后返回 4"),
                                       STR_INIT("将返回 4"),
                                       STR_INIT("则返回4"),
                                       STR_INIT("将返回4"),
                                       STR_INIT("继续返回 `"),
                                       STR_INIT("统一返回 "),
                                       STR_INIT("应返回 4"),
                                       STR_INIT("应返回 `"),
                                       STR_INIT("可能返回 4"),
                                       STR_INIT("可能返回 5"),
                                       STR_INIT("可能会返回"),
                                       STR_INIT("可能返回错误")};
    bool is_limit = bigrams_find(bigrams, line, STR("超过")) >= 0 &&
                    (bigrams_find(bigrams, line, STR("时返回 4")) > 0 ||
                     bigrams_find(bigrams, line, STR("时返回4")) > 0);
    return is_limit || HAS_ANY(bigrams, line, terms);
}

/* "Our API returns 429 when you exceed 60 requests per minute": by design, for whoever calls. What
 * somebody met names no condition on the reader. */
static bool is_behaviour(const struct bigrams *bigrams, struct str line)
{
    static const struct str subjects[] = {
        STR_INIT("Our "),   STR_INIT("The "),     STR_INIT("A "),        STR_INIT("An "),
        STR_INIT("This "),  STR_INIT("Each "),    STR_INIT("Requests "), STR_INIT("It "),
        STR_INIT("Calls "), STR_INIT("Clients "), STR_INIT("Callers ")};
    static const struct str verbs[] = {STR_INIT(" returns 4"),
                                       STR_INIT(" returns HTTP 4"),
                                       STR_INIT(" returns a 4"),
                                       STR_INIT(" responds with "),
                                       STR_INIT(" answers 4"),
                                       STR_INIT(" answers 503"),
                                       STR_INIT(" answers with "),
                                       STR_INIT(" replies with "),
                                       STR_INIT(" sends 4"),
                                       STR_INIT(" returns 503"),
                                       STR_INIT(" are rejected with "),
                                       STR_INIT(" is rejected with "),
                                       STR_INIT(" get a 4"),
                                       STR_INIT(" receive a 4"),
                                       STR_INIT(" receive 4"),
                                       STR_INIT(" get 4"),
                                       STR_INIT(" are answered with "),
                                       STR_INIT(" will return "),
                                       STR_INIT(" may return "),
                                       STR_INIT(" can return "),
                                       STR_INIT(" returns `"),
                                       STR_INIT(" retries ")};
    static const struct str conditions[] = {
        STR_INIT(" when you "),     STR_INIT(" if you "),      STR_INIT(" if the "),
        STR_INIT(" if a "),         STR_INIT(" while the "),   STR_INIT(" for unknown "),
        STR_INIT(" for invalid "),  STR_INIT(" above the "),   STR_INIT(" over the "),
        STR_INIT(" beyond the "),   STR_INIT(" without a "),   STR_INIT(" once "),
        STR_INIT(" for requests "), STR_INIT(" to requests "), STR_INIT("whenever "),
        STR_INIT(" by default")};
    return !mention_is_persons(bigrams, line) &&
           ((STARTS_ANY(line, subjects) && HAS_ANY(bigrams, line, verbs) &&
             HAS_ANY(bigrams, line, conditions)) ||
            is_term(bigrams, line));
}

/* "时" that makes a case of what stands before it; "暂时" and the like are words of their own. */
static bool has_when(struct str text)
{
    static const struct str words[] = {STR_INIT("暂"), STR_INIT("临"), STR_INIT("及"),
                                       STR_INIT("同"), STR_INIT("小"), STR_INIT("超")};
    for (size_t from = 0; from < text.len;) {
        ptrdiff_t hit = str_find(str_slice(text, from, text.len), STR("时"));
        if (hit < 0) {
            return false;
        }
        size_t at = from + (size_t)hit;
        if (!ENDS_ANY(str_slice(text, 0, at), words)) {
            return true;
        }
        from = at + STR("时").len;
    }
    return false;
}

/* "余额不足时请充值": what to do in a case, which nobody says that he met. */
static bool is_case(const struct bigrams *bigrams, struct str line)
{
    static const struct str cases[] = {
        STR_INIT("不足时"),   STR_INIT("限流时"),   STR_INIT("过期时"), STR_INIT("失效时"),
        STR_INIT("无效时"),   STR_INIT("超限时"),   STR_INIT("过载时"), STR_INIT("失败时"),
        STR_INIT("错误时"),   STR_INIT("异常时"),   STR_INIT("过大时"), STR_INIT("过长时"),
        STR_INIT("不可用时"), STR_INIT("超时时应"), STR_INIT("为空时"), STR_INIT("频繁时"),
        STR_INIT("用完时"),   STR_INIT("耗尽时"),   STR_INIT("到期时"), STR_INIT("未配置时"),
        STR_INIT("未设置时"), STR_INIT("过高时"),   STR_INIT("过快时")};
    ptrdiff_t met = bigrams_find(bigrams, line, STR("遇到"));
    struct str code = str_slice(line, (size_t)(met < 0 ? 0 : met), (size_t)met + MET_BYTES_MAX);
    return !mention_is_persons(bigrams, line) &&
           (HAS_ANY(bigrams, line, cases) || (met >= 0 && has_when(code)));
}

/* "apologise when the tool answers with an error such as "rate limit exceeded"": one of many. */
static bool is_example(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {STR_INIT("rror such as "), STR_INIT("rrors such as "),
                                       STR_INIT("rrors like "),   STR_INIT("ailures such as "),
                                       STR_INIT("ailures like "), STR_INIT("instead of failing "),
                                       STR_INIT("诸如")};
    static const struct str own[] = {STR_INIT(" we "), STR_INIT("We "), STR_INIT(" our ")};
    return !mention_is_persons(bigrams, line) && HAS_ANY(bigrams, line, marks) &&
           !HAS_ANY(bigrams, line, own);
}

/* "An expired token has to be renewed", "LLM Weekly #41: why everyone is full", "The outage lasted
 * 40 minutes": a faulty thing in general, a title, a story that has an end. */
static bool is_tale(const struct bigrams *bigrams, struct str line)
{
    static const struct str things[] = {
        STR_INIT("an expired "), STR_INIT("an invalid "), STR_INIT("a missing "),
        STR_INIT("a revoked "),  STR_INIT("a wrong "),    STR_INIT("an unknown "),
        STR_INIT("a failed "),   STR_INIT("expired "),    STR_INIT("invalid ")};
    static const struct str verbs[] = {STR_INIT(" has to be "),   STR_INIT(" have to be "),
                                       STR_INIT(" should be "),   STR_INIT(" leads to "),
                                       STR_INIT(" lead to "),     STR_INIT(" are answered "),
                                       STR_INIT(" is rejected "), STR_INIT(" are rejected "),
                                       STR_INIT(" causes "),      STR_INIT(" results in ")};
    static const struct str titles[] = {STR_INIT(": why "), STR_INIT(": how to "),
                                        STR_INIT(" Weekly #"), STR_INIT("：为什么"),
                                        STR_INIT("：如何")};
    static const struct str past[] = {STR_INIT(" outage of "), STR_INIT(" incident of "),
                                      STR_INIT("outage on "), STR_INIT("incident on ")};
    bool is_thing = ISTARTS_ANY(line, things) && HAS_ANY(bigrams, line, verbs);
    bool is_past =
        HAS_ANY(bigrams, line, past) && (bigrams_find(bigrams, line, STR(" lasted ")) > 0 ||
                                         bigrams_find(bigrams, line, STR(" took ")) > 0);
    return !mention_is_persons(bigrams, line) &&
           (is_thing || is_past || HAS_ANY(bigrams, line, titles));
}

/* "401 -> invalid key, 429 -> rate limit", "code 1113 is arrears, code 1301 is content". */
static bool is_mapping(const struct bigrams *bigrams, struct str line)
{
    static const struct str joins[] = {STR_INIT(" -> "),  STR_INIT(" => "), STR_INIT(" → "),
                                       STR_INIT("→"),     STR_INIT(" is "), STR_INIT(" means "),
                                       STR_INIT(" are "), STR_INIT(" = ")};
    static const struct str marks[] = {
        STR_INIT(" classifier "),       STR_INIT(" is treated as "), STR_INIT(" are treated as "),
        STR_INIT(" maps to "),          STR_INIT(" maps 4"),         STR_INIT(" maps 5"),
        STR_INIT(" is classified as "), STR_INIT(" is mapped to "),  STR_INIT(" are mapped "),
        STR_INIT(" becomes ")};
    size_t explained = 0;
    for (size_t at = 0; at < line.len;) {
        size_t begin = at;
        while (at < line.len && str_is_digit(line.ptr[at])) {
            at++;
        }
        bool is_code = at - begin >= 3 && at - begin <= 5 &&
                       (begin == 0 || str_is_of(line.ptr[begin - 1], " (\"`"));
        explained += is_code && STARTS_ANY(str_slice(line, at, line.len), joins);
        at += at == begin;
    }
    return explained >= EXPLAINED_MIN || HAS_ANY(bigrams, line, marks);
}

/* "fix/rate-limit": the name of a branch. */
static bool is_branch(struct str line)
{
    static const struct str kinds[] = {
        STR_INIT("fix/"),    STR_INIT("feat/"),   STR_INIT("feature/"),
        STR_INIT("bugfix/"), STR_INIT("hotfix/"), STR_INIT("chore/"),
        STR_INIT("docs/"),   STR_INIT("origin/"), STR_INIT("remotes/")};
    struct str name = str_starts(line, STR("* ")) ? str_slice(line, 2, line.len) : line;
    return STARTS_ANY(name, kinds) && str_find_char(name, ' ') < 0;
}

/* "Feature request: ...", "翻译：...": a first word that says what kind of note follows. */
static bool is_labelled(struct str line)
{
    static const struct str labels[] = {
        STR_INIT("feature request"), STR_INIT("reviewer: "),    STR_INIT("review: "),
        STR_INIT("coverage: "),      STR_INIT("i18n: "),        STR_INIT("translation: "),
        STR_INIT("ticket closed"),   STR_INIT("standup: "),     STR_INIT("grep: "),
        STR_INIT("which error "),    STR_INIT("which status "), STR_INIT("which code "),
        STR_INIT("closed as "),      STR_INIT("poll: "),        STR_INIT("quiz: "),
        STR_INIT("survey: "),        STR_INIT("exercise: "),    STR_INIT("homework: "),
        STR_INIT("面试题"),          STR_INIT("测试用例"),      STR_INIT("练习："),
        STR_INIT("投票："),          STR_INIT("usage: "),       STR_INIT("翻译："),
        STR_INIT("exit codes: "),    STR_INIT("周报："),        STR_INIT("日报："),
        STR_INIT("客服回复："),      STR_INIT("模型回答："),    STR_INIT("interview question: "),
        STR_INIT("站会："),          STR_INIT("需求：")};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if (str_istarts(line, labels[i])) {
            struct str rest = str_slice(line, labels[i].len, line.len);
            bool is_measure =
                str_istarts(line, STR("usage: ")) && rest.len && str_is_digit(rest.ptr[0]);
            return !is_measure;
        }
    }
    return false;
}

bool mention_is_note(const struct bigrams *bigrams, struct str line)
{
    return mention_is_subject(line) || is_plan(line) || is_look(line) || is_over(bigrams, line) ||
           is_behaviour(bigrams, line) || is_case(bigrams, line) || is_example(bigrams, line) ||
           is_tale(bigrams, line) || is_mapping(bigrams, line) || is_branch(line) ||
           is_labelled(line) || mention_is_chinese_manual(bigrams, line);
}
