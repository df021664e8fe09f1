/* What people change, and say of errors in doing so: subjects of commits, their messages, sentences
 * with the words of somebody who explains. Takes lines, says whether they are such. */
#include "classify/mention.h"

#define HASH_BYTES_MIN 7
#define HASH_BYTES_MAX 40
#define SUBJECT_BYTES_MAX 120

static bool is_letter(char c)
{
    return str_is_letter(c) || c == '-' || c == '\'';
}

static size_t word_length(struct str words)
{
    size_t end = 0;
    while (end < words.len && is_letter(words.ptr[end])) {
        end++;
    }
    return end;
}

/* Where the colon stands behind a scope, "(ui): ", "!: ", " (core/ai)!: "; 0 where there is none.
 */
static size_t scope_end(struct str behind)
{
    size_t at = str_starts(behind, STR(" (")), close = 0;
    if (str_starts(str_slice(behind, at, behind.len), STR("("))) {
        ptrdiff_t end = str_find_char(behind, ')');
        close = end < 0 ? 0 : (size_t)end + 1;
    }
    at = close + str_starts(str_slice(behind, close, behind.len), STR("!"));
    return str_starts(str_slice(behind, at, behind.len), STR(": ")) ? at + 2 : 0;
}

/* "feat: ", "fix(ui)!: ". In lower case only: "Fix: set the variable" is advice of a client. */
static bool has_type(struct str subject)
{
    static const struct str types[] = {STR_INIT("feat"),     STR_INIT("fix"),   STR_INIT("docs"),
                                       STR_INIT("chore"),    STR_INIT("test"),  STR_INIT("perf"),
                                       STR_INIT("refactor"), STR_INIT("style"), STR_INIT("build"),
                                       STR_INIT("revert"),   STR_INIT("ci")};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct str rest = str_slice(subject, types[i].len, subject.len);
        if (str_starts(subject, types[i]) && scope_end(rest) > 0) {
            return !str_starts(rest, STR(": your ")); /* a client's advice, whatever its case */
        }
    }
    return false;
}

/* "fix", "fixes", "fixed", "fixing". */
static bool is_form_of(struct str word, struct str stem)
{
    static const struct str ends[] = {STR_INIT("s"),   STR_INIT("es"),   STR_INIT("ed"),
                                      STR_INIT("d"),   STR_INIT("ing"),  STR_INIT("e"),
                                      STR_INIT("y"),   STR_INIT("ies"),  STR_INIT("ied"),
                                      STR_INIT("ped"), STR_INIT("ping"), STR_INIT("ting")};
    struct str end = str_slice(word, stem.len, word.len);
    return str_istarts(word, stem) && (end.len == 0 || IS_ONE_OF(end, ends));
}

bool mention_opens_change(struct str subject)
{
    static const struct str stems[] = {
        STR_INIT("accept"),   STR_INIT("add"),      STR_INIT("adjust"),    STR_INIT("allow"),
        STR_INIT("avoid"),    STR_INIT("better"),   STR_INIT("don't"),     STR_INIT("bump"),
        STR_INIT("cach"),     STR_INIT("catch"),    STR_INIT("chang"),     STR_INIT("check"),
        STR_INIT("clarif"),   STR_INIT("classif"),  STR_INIT("correct"),   STR_INIT("detect"),
        STR_INIT("disabl"),   STR_INIT("display"),  STR_INIT("document"),  STR_INIT("emit"),
        STR_INIT("enabl"),    STR_INIT("enhanc"),   STR_INIT("ensur"),     STR_INIT("explain"),
        STR_INIT("expos"),    STR_INIT("extract"),  STR_INIT("fix"),       STR_INIT("handl"),
        STR_INIT("hid"),      STR_INIT("ignor"),    STR_INIT("implement"), STR_INIT("improv"),
        STR_INIT("includ"),   STR_INIT("introduc"), STR_INIT("keep"),      STR_INIT("log"),
        STR_INIT("mak"),      STR_INIT("map"),      STR_INIT("mask"),      STR_INIT("merg"),
        STR_INIT("migrat"),   STR_INIT("modif"),    STR_INIT("mov"),       STR_INIT("name"),
        STR_INIT("pars"),     STR_INIT("pass"),     STR_INIT("prevent"),   STR_INIT("print"),
        STR_INIT("propagat"), STR_INIT("rais"),     STR_INIT("recogni"),   STR_INIT("refactor"),
        STR_INIT("refin"),    STR_INIT("remov"),    STR_INIT("renam"),     STR_INIT("replac"),
        STR_INIT("report"),   STR_INIT("resolv"),   STR_INIT("restor"),    STR_INIT("retr"),
        STR_INIT("return"),   STR_INIT("reus"),     STR_INIT("revert"),    STR_INIT("reword"),
        STR_INIT("show"),     STR_INIT("simplif"),  STR_INIT("skip"),      STR_INIT("stop"),
        STR_INIT("support"),  STR_INIT("suppress"), STR_INIT("surfac"),    STR_INIT("swallow"),
        STR_INIT("switch"),   STR_INIT("tak"),      STR_INIT("test"),      STR_INIT("throw"),
        STR_INIT("track"),    STR_INIT("treat"),    STR_INIT("tweak"),     STR_INIT("unif"),
        STR_INIT("updat"),    STR_INIT("us"),       STR_INIT("validat"),   STR_INIT("wait"),
        STR_INIT("wrap"),     STR_INIT("writ")};
    /* "Update failed", "Read error", "Check timed out": a noun with what happened to it; "write
     * EPROTO", "parse \"x\"": a call. */
    static const struct str failures[] = {
        STR_INIT("fail"),   STR_INIT("error"),   STR_INIT("exception"), STR_INIT("time"),
        STR_INIT("denied"), STR_INIT("refused"), STR_INIT("reject"),    STR_INIT("limit"),
        STR_INIT("is "),    STR_INIT("was "),    STR_INIT("has "),      STR_INIT("not ")};
    struct str word = str_slice(subject, 0, word_length(subject));
    struct str behind = str_slice(subject, word.len, subject.len);
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
        if (str_starts(behind, STR(" ")) && is_form_of(word, stems[i])) {
            behind = str_trim(behind);
            bool is_call = str_starts(behind, STR("\"")) || str_starts(behind, STR("E"));
            return !is_call && !ISTARTS_ANY(behind, failures);
        }
    }
    return false;
}

/* The subject behind "3f2a9c1 ", "commit 3f2a9c1: ", "Commit 3f2a9c1 " of aider, "8b7d001 (HEAD ->
 * main) "; the line itself where no hash leads it. */
static struct str behind_hash(struct str line)
{
    bool has_word = str_istarts(line, STR("commit "));
    struct str rest = str_slice(line, has_word ? 7 : 0, line.len);
    size_t at = 0, digits = 0;
    while (at < rest.len &&
           (str_is_digit(rest.ptr[at]) || (rest.ptr[at] >= 'a' && rest.ptr[at] <= 'f'))) {
        digits += str_is_digit(rest.ptr[at]);
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
        rest = str_starts(line, leads[i]) &&
                       (str_starts(behind, STR(" ")) || str_starts(behind, STR(":")))
                   ? str_trim(str_slice(behind, 1, behind.len))
                   : line;
    }
    size_t at = str_starts(rest, STR("#")) || str_starts(rest, STR("!"));
    while (at > 0 && at < rest.len && str_is_digit(rest.ptr[at])) {
        at++;
    }
    return at > 1 ? str_trim(str_slice(
                        rest, at + str_starts(str_slice(rest, at, rest.len), STR(":")), rest.len))
                  : rest;
}

/* The same behind "LLM-503  Done  ", the key of a ticket and its state. */
static struct str behind_ticket(struct str line)
{
    static const struct str states[] = {STR_INIT("Done "), STR_INIT("Open "), STR_INIT("Closed "),
                                        STR_INIT("To Do "), STR_INIT("In Progress ")};
    size_t at = 0, digits;
    while (at < line.len && str_is_upper(line.ptr[at])) {
        at++;
    }
    for (digits = at + 1; digits < line.len && str_is_digit(line.ptr[digits]); digits++) {
    }
    if (at < 2 || digits == at + 1 || line.ptr[at] != '-') {
        return line;
    }
    struct str rest = str_trim(str_slice(line, digits, line.len));
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        if (str_starts(rest, states[i])) {
            return str_trim(str_slice(rest, states[i].len, rest.len));
        }
    }
    return rest;
}

/* A number of a request at its end, " (#1203)" or " #1203", marks a subject as well. */
static bool has_number_at_end(struct str line)
{
    bool is_closed = str_ends(line, STR(")"));
    size_t end = line.len - is_closed, at = end;
    while (at > 0 && str_is_digit(line.ptr[at - 1])) {
        at--;
    }
    return at < end && str_ends(str_slice(line, 0, at), is_closed ? STR(" (#") : STR(" #"));
}

bool mention_is_subject(struct str line)
{
    static const struct str graph[] = {STR_INIT("* "), STR_INIT("| * "), STR_INIT("- ")};
    struct str bare = line;
    for (size_t i = 0; i < sizeof graph / sizeof graph[0] && bare.ptr == line.ptr; i++) {
        bare = str_starts(line, graph[i]) ? str_slice(line, graph[i].len, line.len) : line;
    }
    struct str subject = behind_request(behind_ticket(behind_hash(bare)));
    bool is_marked = subject.ptr != bare.ptr || has_number_at_end(bare);
    bool is_merge =
        str_starts(line, STR("Merge pull request #")) || str_starts(line, STR("Merge branch "));
    return is_merge || has_type(subject) || (is_marked && mention_opens_change(subject));
}

/* "server: ", "cmd/run (core): ": what a change is about, taken off the front; but not the name of
 * an error. */
static struct str behind_scope(struct str line)
{
    size_t at = 0;
    while (at < line.len && (is_letter(line.ptr[at]) || str_is_digit(line.ptr[at]) ||
                             line.ptr[at] == '_' || line.ptr[at] == '.' || line.ptr[at] == '/')) {
        at++;
    }
    struct str scope = str_slice(line, 0, at), behind = str_slice(line, at, line.len);
    bool is_failure = str_ends(scope, STR("rror")) || str_ends(scope, STR("xception")) ||
                      str_ends(scope, STR("ailed")) || str_ieq(scope, STR("warning"));
    size_t end = at > 0 && !is_failure ? scope_end(behind) : 0;
    return end > 0 ? str_slice(behind, end, behind.len) : line;
}

/* A subject of a commit, with its hash and scope or without. */
static bool is_change(struct str line)
{
    struct str words = behind_request(behind_hash(mention_without_mark(line)));
    return has_type(words) || mention_opens_change(words) ||
           mention_opens_change(behind_scope(words));
}

/* Whether a sentence has words that messages of programs hardly ever have; counted on some
 * thousands of them. */
static bool explains(const struct bigrams *bigrams, struct str sentence)
{
    static const struct str joints[] = {
        STR_INIT(" so "),         STR_INIT(" instead of "),  STR_INIT(" also "),
        STR_INIT(" these "),      STR_INIT(" where "),       STR_INIT(" both "),
        STR_INIT(" then "),       STR_INIT(" their "),       STR_INIT(" they "),
        STR_INIT(" avoid"),       STR_INIT(" ensure"),       STR_INIT(" to prevent"),
        STR_INIT(" silently"),    STR_INIT(" this change"),  STR_INIT(" when the "),
        STR_INIT(" when a "),     STR_INIT(" when an "),     STR_INIT(" would "),
        STR_INIT(" gracefully"),  STR_INIT(" rather than "), STR_INIT(" previously"),
        STR_INIT(" whether "),    STR_INIT(" is thrown"),    STR_INIT(" are thrown"),
        STR_INIT(" for example"), STR_INIT(" used to "),     STR_INIT(" causing "),
        STR_INIT("failing test"), STR_INIT(" swallow "),     STR_INIT(" refund "),
        STR_INIT("failure mode"), STR_INIT(" to catch "),    STR_INIT(" lint")};
    static const struct str topics[] = {
        STR_INIT("rrors when "),      STR_INIT("rror when "),        STR_INIT("rrors and "),
        STR_INIT("rror messages"),    STR_INIT("rror message for "), STR_INIT("rror message when "),
        STR_INIT("rror message to "), STR_INIT("rror logging"),      STR_INIT("rrors are "),
        STR_INIT("rror cases"),       STR_INIT(" and error"),        STR_INIT(" or error"),
        STR_INIT(" on error"),        STR_INIT(" any error"),        STR_INIT("type error")};
    static const struct str chinese[] = {
        STR_INIT("没有报错"), STR_INIT("无报错"), STR_INIT("未出现"), STR_INIT("例如"),
        STR_INIT("用于"),     STR_INIT("可选"),   STR_INIT("默认"),   STR_INIT("示例"),
        STR_INIT("避免"),     STR_INIT("如果"),   STR_INIT("表示"),   STR_INIT("的区别")};
    ptrdiff_t handling = bigrams_find(bigrams, sentence, STR("rror handling"));
    bool is_of_handling =
        handling >= 0 &&
        !mention_names_handled(str_slice(sentence, (size_t)handling + 4, sentence.len));
    return is_of_handling || HAS_ANY(bigrams, sentence, joints) ||
           HAS_ANY(bigrams, sentence, topics) || HAS_ANY(bigrams, sentence, chinese);
}

/* What is said to the reader, or by somebody of himself, or names an error. */
static bool is_addressed(const struct bigrams *bigrams, struct str sentence)
{
    static const struct str addresses[] = {STR_INIT("lease "),
                                           STR_INIT("your "),
                                           STR_INIT("Your "),
                                           STR_INIT(" you "),
                                           STR_INIT("You "),
                                           STR_INIT("you'"),
                                           STR_INIT("You'"),
                                           STR_INIT(" we "),
                                           STR_INIT("We "),
                                           STR_INIT(" our "),
                                           STR_INIT("Our "),
                                           STR_INIT(" us "),
                                           STR_INIT("请"),
                                           STR_INIT("您"),
                                           STR_INIT("你"),
                                           STR_INIT("rror:"),
                                           STR_INIT("this response could"),
                                           STR_INIT("this request could")};
    return HAS_ANY(bigrams, sentence, addresses) || mention_is_persons(bigrams, sentence);
}

/* "Err(E::Limited { after }) => sleep(after).await,", "@Retryable(for = LimitException.class)". */
static bool is_code(const struct bigrams *bigrams, struct str sentence)
{
    bool has_arrow = bigrams_find(bigrams, sentence, STR(" => ")) > 0 ||
                     (bigrams_find(bigrams, sentence, STR(" -> ")) > 0 &&
                      bigrams_find(bigrams, sentence, STR("()")) > 0);
    char last = sentence.len ? sentence.ptr[sentence.len - 1] : '\0';
    bool is_open = str_is_of(last, "),;{}");
    bool has_call = str_find_char(sentence, '(') > 0;
    return str_ends(sentence, STR(";")) ||
           (is_open && has_call && (has_arrow || str_starts(sentence, STR("@"))));
}

/* "I replaced the 401 check and added a test for expired tokens": what an agent has done. */
static bool is_account(const struct bigrams *bigrams, struct str sentence)
{
    static const struct str deeds[] = {
        STR_INIT("I added "),       STR_INIT("I replaced "),    STR_INIT("I removed "),
        STR_INIT("I renamed "),     STR_INIT("I refactored "),  STR_INIT("I rewrote "),
        STR_INIT("I extracted "),   STR_INIT("I implemented "), STR_INIT("I've added "),
        STR_INIT("I've replaced "), STR_INIT("I've removed "),  STR_INIT("I've implemented ")};
    static const struct str turns[] = {STR_INIT(" but "),  STR_INIT(" still "), STR_INIT(" now "),
                                       STR_INIT(" get "),  STR_INIT(" gets "),  STR_INIT(" got "),
                                       STR_INIT(" keep"),  STR_INIT(" fails"),  STR_INIT("yet "),
                                       STR_INIT(" says "), STR_INIT(" error:")};
    return STARTS_ANY(sentence, deeds) && !HAS_ANY(bigrams, sentence, turns);
}

bool mention_is_topic(const struct bigrams *bigrams, struct str sentence)
{
    if (is_account(bigrams, sentence)) {
        return !mention_has_report(bigrams, sentence);
    }
    return !is_addressed(bigrams, sentence) && !mention_has_report(bigrams, sentence) &&
           !failure_is_reported(bigrams, sentence) &&
           (is_change(sentence) || explains(bigrams, sentence) || is_code(bigrams, sentence));
}

/* "Adds a rule for 429", "Right now, if the token is bad, the user sees ...", "Instead of silently
 * failing ...": what a change does, and what was before it. */
bool mention_is_description(const struct bigrams *bigrams, struct str line)
{
    static const struct str verbs[] = {STR_INIT("Adds "),
                                       STR_INIT("Fixes "),
                                       STR_INIT("Adjusts "),
                                       STR_INIT("Improves "),
                                       STR_INIT("Refactors "),
                                       STR_INIT("Renames "),
                                       STR_INIT("Removes "),
                                       STR_INIT("Replaces "),
                                       STR_INIT("Introduces "),
                                       STR_INIT("Handles "),
                                       STR_INIT("Implements "),
                                       STR_INIT("Ensures "),
                                       STR_INIT("Prevents "),
                                       STR_INIT("Updates "),
                                       STR_INIT("Exposes "),
                                       STR_INIT("Extracts "),
                                       STR_INIT("Simplifies "),
                                       STR_INIT("Surfaces "),
                                       STR_INIT("Treats "),
                                       STR_INIT("Classifies "),
                                       STR_INIT("Propagates "),
                                       STR_INIT("Wraps "),
                                       STR_INIT("Reroutes "),
                                       STR_INIT("Teaches "),
                                       STR_INIT("Documents "),
                                       STR_INIT("Normalizes "),
                                       STR_INIT("Standardizes "),
                                       STR_INIT("Also adds "),
                                       STR_INIT("Also fixes "),
                                       STR_INIT("Also updates "),
                                       STR_INIT("Also standardizes "),
                                       STR_INIT("Also removes ")};
    static const struct str befores[] = {
        STR_INIT("right now, if "),      STR_INIT("right now, when "),
        STR_INIT("currently, if "),      STR_INIT("currently, when "),
        STR_INIT("today, if "),          STR_INIT("previously, if "),
        STR_INIT("previously, when "),   STR_INIT("before this change"),
        STR_INIT("after this change"),   STR_INIT("with this change"),
        STR_INIT("instead of blindly "), STR_INIT("instead of silently "),
        STR_INIT("instead of always "),  STR_INIT("instead of just ")};
    static const struct str events[] = {STR_INIT(" failed: "),
                                        STR_INIT(": 4"),
                                        STR_INIT(": 5"),
                                        STR_INIT("exhausted: "),
                                        STR_INIT(": insufficient"),
                                        STR_INIT(" with error")};
    return (STARTS_ANY(line, verbs) || ISTARTS_ANY(line, befores)) &&
           !HAS_ANY(bigrams, line, events) && !mention_is_persons(bigrams, line);
}

bool mention_is_commit(struct str text, bool has_person)
{
    static const struct str pointers[] = {STR_INIT(" this"), STR_INIT(" these"),
                                          STR_INIT(" following"), STR_INIT(" my ")};
    struct str rest = text, subject, gap;
    struct bigrams bigrams;
    if (!str_split(&rest, '\n', &subject) || !str_split(&rest, '\n', &gap) ||
        str_trim(gap).len > 0 || str_trim(rest).len == 0 || subject.len > SUBJECT_BYTES_MAX) {
        return false;
    }
    bigrams_read(&bigrams, subject);
    bool is_asked = has_person || str_ends(subject, STR(":")) || str_ends(subject, STR("?")) ||
                    HAS_ANY(&bigrams, subject, pointers);
    /* "write tcp 10.0.0.4: broken pipe" begins with a verb as well. */
    bool is_title = str_is_upper(subject.ptr[0]) || behind_scope(subject).ptr != subject.ptr;
    return !mention_has_report(&bigrams, subject) &&
           (mention_is_subject(subject) || (is_title && !is_asked && is_change(subject)));
}
