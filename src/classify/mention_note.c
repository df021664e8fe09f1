/* Lines of notes that speak of errors: subjects of commits, steps of plans, what is over, how an
 * API behaves by design, what codes stand for. Takes a line, says whether it is one. */
#include "classify/mention.h"

#include <string.h>

#define HASH_BYTES_MIN 7
#define HASH_BYTES_MAX 40
#define EXPLAINED_MIN 2

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "feat: ", "fix(ui)!: ". In lower case only: "Fix: set the variable" is advice of a client. */
static bool has_type(struct str subject)
{
    static const struct str types[] = {STR_INIT("feat"),     STR_INIT("fix"),   STR_INIT("docs"),
                                       STR_INIT("chore"),    STR_INIT("test"),  STR_INIT("perf"),
                                       STR_INIT("refactor"), STR_INIT("style"), STR_INIT("build"),
                                       STR_INIT("revert"),   STR_INIT("ci")};
    static const struct str signs[] = {STR_INIT(": "), STR_INIT("("), STR_INIT("!: ")};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct str rest = str_slice(subject, types[i].len, subject.len);
        if (str_starts(subject, types[i]) && STARTS_ANY(rest, signs)) {
            return !str_starts(rest, STR(": your ")); /* a client's advice, whatever its case */
        }
    }
    return false;
}

/* "Handle insufficient_quota": what a change does, in either case. */
static bool has_verb(struct str subject)
{
    static const struct str verbs[] = {
        STR_INIT("accept"),   STR_INIT("add"),      STR_INIT("allow"),     STR_INIT("avoid"),
        STR_INIT("bump"),     STR_INIT("cache"),    STR_INIT("catch"),     STR_INIT("change"),
        STR_INIT("check"),    STR_INIT("classify"), STR_INIT("clarify"),   STR_INIT("detect"),
        STR_INIT("document"), STR_INIT("explain"),  STR_INIT("expose"),    STR_INIT("fix"),
        STR_INIT("handle"),   STR_INIT("ignore"),   STR_INIT("implement"), STR_INIT("improve"),
        STR_INIT("log"),      STR_INIT("make"),     STR_INIT("map"),       STR_INIT("merge"),
        STR_INIT("mask"),     STR_INIT("move"),     STR_INIT("name"),      STR_INIT("parse"),
        STR_INIT("pass"),     STR_INIT("print"),    STR_INIT("recognise"), STR_INIT("recognize"),
        STR_INIT("refactor"), STR_INIT("remove"),   STR_INIT("rename"),    STR_INIT("report"),
        STR_INIT("retry"),    STR_INIT("return"),   STR_INIT("revert"),    STR_INIT("show"),
        STR_INIT("stop"),     STR_INIT("support"),  STR_INIT("surface"),   STR_INIT("take"),
        STR_INIT("test"),     STR_INIT("treat"),    STR_INIT("update"),    STR_INIT("use"),
        STR_INIT("wait"),     STR_INIT("write")};
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        struct str behind = str_slice(subject, verbs[i].len, subject.len);
        if (str_istarts(subject, verbs[i]) && str_starts(behind, STR(" "))) {
            return true;
        }
    }
    return false;
}

/* The subject behind "3f2a9c1 ", "commit 3f2a9c1: ", "8b7d001 (HEAD -> main) "; the line itself
 * where no hash leads it. */
static struct str behind_hash(struct str line)
{
    bool has_word = str_starts(line, STR("commit "));
    struct str rest = str_slice(line, has_word ? 7 : 0, line.len);
    size_t at = 0, digits = 0;
    while (at < rest.len &&
           (is_digit(rest.ptr[at]) || (rest.ptr[at] >= 'a' && rest.ptr[at] <= 'f'))) {
        digits += is_digit(rest.ptr[at]);
        at++;
    }
    if (at < HASH_BYTES_MIN || at > HASH_BYTES_MAX || digits == 0) {
        return line;
    }
    rest = str_slice(rest, at, rest.len);
    rest = str_trim(str_slice(rest, str_starts(rest, STR(":")), rest.len));
    ptrdiff_t close = str_starts(rest, STR("(")) ? str_find(rest, STR(") ")) : -1;
    return close < 0 ? rest : str_slice(rest, (size_t)close + 2, rest.len);
}

/* The same behind "PR #812: ", "[PR] ", "#77 "; and before " (#1203)". */
static struct str behind_request(struct str line)
{
    static const struct str leads[] = {STR_INIT("[PR]"), STR_INIT("PR"), STR_INIT("MR"),
                                       STR_INIT("Pull request"), STR_INIT("Merge pull request")};
    struct str rest = line;
    for (size_t i = 0; i < sizeof leads / sizeof leads[0] && rest.ptr == line.ptr; i++) {
        struct str behind = str_slice(line, leads[i].len, line.len);
        rest = str_starts(line, leads[i]) && behind.len && strchr(" :", behind.ptr[0])
                   ? str_trim(str_slice(behind, 1, behind.len))
                   : line;
    }
    size_t at = str_starts(rest, STR("#")) || str_starts(rest, STR("!"));
    while (at > 0 && at < rest.len && is_digit(rest.ptr[at])) {
        at++;
    }
    return at > 1 ? str_trim(str_slice(
                        rest, at + str_starts(str_slice(rest, at, rest.len), STR(":")), rest.len))
                  : rest;
}

/* A number of a request at its end marks a subject as well. */
static bool has_number_at_end(struct str line)
{
    size_t at = line.len - (line.len > 0);
    bool is_closed = str_ends(line, STR(")"));
    while (is_closed && at > 0 && is_digit(line.ptr[at - 1])) {
        at--;
    }
    return is_closed && at + 1 < line.len && str_ends(str_slice(line, 0, at), STR(" (#"));
}

static bool is_subject(struct str line)
{
    static const struct str graph[] = {STR_INIT("* "), STR_INIT("| * ")};
    struct str bare = line;
    for (size_t i = 0; i < sizeof graph / sizeof graph[0] && bare.ptr == line.ptr; i++) {
        bare = str_starts(line, graph[i]) ? str_slice(line, graph[i].len, line.len) : line;
    }
    struct str subject = behind_request(behind_hash(bare));
    bool is_marked = subject.ptr != bare.ptr || has_number_at_end(bare);
    bool is_merge =
        str_starts(line, STR("Merge pull request #")) || str_starts(line, STR("Merge branch "));
    return is_merge || has_type(subject) || (is_marked && has_verb(subject));
}

/* "[x] API key invalid": the outcome of a check, not what was done. */
static bool is_finding(struct str words)
{
    static const struct str ends[] = {
        STR_INIT(" invalid"),     STR_INIT(" expired"),    STR_INIT(" exceeded"),
        STR_INIT(" failed"),      STR_INIT(" refused"),    STR_INIT(" denied"),
        STR_INIT(" rejected"),    STR_INIT(" overloaded"), STR_INIT(" missing"),
        STR_INIT(" reached"),     STR_INIT(" exhausted"),  STR_INIT(" not found"),
        STR_INIT(" unavailable"), STR_INIT(" timed out"),  STR_INIT(" not valid")};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (str_ends(words, ends[i])) {
            return !has_verb(words);
        }
    }
    return false;
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
            (has_verb(behind) ||
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
            has_sign = has_sign || strchr("_/(\"", word.ptr[i]) ||
                       (word.ptr[i] == '.' && i + 1 < word.len);
        }
    }
    return has_sign || str_starts(line, STR("Search(")) || str_eq(line, STR("Explored"));
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
                                      STR_INIT("back to normal"),
                                      STR_INIT("has been resolved"),
                                      STR_INIT("have been resolved"),
                                      STR_INIT("was resolved")};
    static const struct str agains[] = {STR_INIT("又"),     STR_INIT("再次"),    STR_INIT("仍"),
                                        STR_INIT("还是"),   STR_INIT("但"),      STR_INIT("未恢复"),
                                        STR_INIT("小时后"), STR_INIT("分钟后"),  STR_INIT("请"),
                                        STR_INIT(" but "),  STR_INIT("until"),   STR_INIT("将"),
                                        STR_INIT("需"),     STR_INIT(" after "), STR_INIT(" if ")};
    return HAS_ANY(bigrams, line, ends) && !HAS_ANY(bigrams, line, agains);
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
                                       STR_INIT(" returns `")};
    static const struct str conditions[] = {
        STR_INIT(" when you "),     STR_INIT(" if you "),      STR_INIT(" if the "),
        STR_INIT(" if a "),         STR_INIT(" while the "),   STR_INIT(" for unknown "),
        STR_INIT(" for invalid "),  STR_INIT(" above the "),   STR_INIT(" over the "),
        STR_INIT(" beyond the "),   STR_INIT(" without a "),   STR_INIT(" once "),
        STR_INIT(" for requests "), STR_INIT(" to requests "), STR_INIT("whenever ")};
    static const struct str terms[] = {STR_INIT(" may suspend your "),
                                       STR_INIT("则返回 4"),
                                       STR_INIT("超出后返回 4"),
                                       STR_INIT("超过后返回 4"),
                                       STR_INIT("将返回 4"),
                                       STR_INIT("则返回4"),
                                       STR_INIT("将返回4")};
    bool is_limit = bigrams_find(bigrams, line, STR("超过")) >= 0 &&
                    (bigrams_find(bigrams, line, STR("时返回 4")) > 0 ||
                     bigrams_find(bigrams, line, STR("时返回4")) > 0);
    return !mention_is_persons(bigrams, line) &&
           ((STARTS_ANY(line, subjects) && HAS_ANY(bigrams, line, verbs) &&
             HAS_ANY(bigrams, line, conditions)) ||
            is_limit || HAS_ANY(bigrams, line, terms));
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
        while (at < line.len && is_digit(line.ptr[at])) {
            at++;
        }
        bool is_code = at - begin >= 3 && at - begin <= 5 &&
                       (begin == 0 || strchr(" (\"`", line.ptr[begin - 1]));
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
        STR_INIT("翻译："),          STR_INIT("站会："),        STR_INIT("需求：")};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if (str_istarts(line, labels[i])) {
            return true;
        }
    }
    return false;
}

bool mention_is_note(const struct bigrams *bigrams, struct str line)
{
    return is_subject(line) || is_plan(line) || is_look(line) || is_over(bigrams, line) ||
           is_behaviour(bigrams, line) || is_mapping(bigrams, line) || is_branch(line) ||
           is_labelled(line);
}
