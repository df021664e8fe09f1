/* Sentences of those who design, review and answer: what should happen, what might, what a function
 * does, why a question is closed. Takes a line without a program's report, says whether it is one.
 */
#include "classify/mention.h"

#define HASH_BYTES_MIN 7 /* of a commit */
#define HASH_BYTES_MAX 40

/* "Such errors should be treated as timeouts": no program asks for that; "should be treated as
 * retryable: 429 ..." quotes one. */
static bool is_wanted(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {STR_INIT(" should be classified "),
                                       STR_INIT(" should be treated "),
                                       STR_INIT(" should be caught"),
                                       STR_INIT(" should be recogni"),
                                       STR_INIT(" should be surfaced"),
                                       STR_INIT(" should be mapped "),
                                       STR_INIT(" should be masked"),
                                       STR_INIT(" should be considered "),
                                       STR_INIT(" should be counted "),
                                       STR_INIT(" should either:"),
                                       STR_INIT(" may appear "),
                                       STR_INIT(" might appear "),
                                       STR_INIT(" may expose "),
                                       STR_INIT(" should be handled "),
                                       STR_INIT(" would do if "),
                                       STR_INIT(" as retryable"),
                                       STR_INIT(" retried by default"),
                                       STR_INIT(" times by default"),
                                       STR_INIT(" as transient"),
                                       STR_INIT(" was treated as terminal"),
                                       STR_INIT("hen this error is caught"),
                                       STR_INIT(" are now retryable"),
                                       STR_INIT("/retryable"),
                                       STR_INIT(" should automatically "),
                                       STR_INIT("应自动"),
                                       STR_INIT("应当自动"),
                                       STR_INIT("应该自动"),
                                       STR_INIT("即会触发"),
                                       STR_INIT("即触发"),
                                       STR_INIT("当前逻辑"),
                                       STR_INIT("是否可以增加"),
                                       STR_INIT("是否可以支持"),
                                       STR_INIT("是否可以添加"),
                                       STR_INIT("希望可以添加"),
                                       STR_INIT("希望可以增加"),
                                       STR_INIT("希望可以支持"),
                                       STR_INIT("希望能够支持")};
    static const struct str events[] = {STR_INIT(": 4"), STR_INIT(": 5"),     STR_INIT("：4"),
                                        STR_INIT("：5"), STR_INIT(": error"), STR_INIT("rror: ")};
    return HAS_ANY(bigrams, line, marks) && !HAS_ANY(bigrams, line, events);
}

/* "I suggest we retry on 429", "We need the logic of ...", "希望失败时能重试"; but "We need to get
 * this going, but it says 401" tells what was met. */
static bool is_proposal(const struct bigrams *bigrams, struct str line)
{
    static const struct str starts[] = {STR_INIT("i suggest "),
                                        STR_INIT("i'd suggest "),
                                        STR_INIT("i propose "),
                                        STR_INIT("i wonder "),
                                        STR_INIT("it would be "),
                                        STR_INIT("it would also be "),
                                        STR_INIT("it would probably "),
                                        STR_INIT("ideally"),
                                        STR_INIT("we need the "),
                                        STR_INIT("we need a "),
                                        STR_INIT("we need to "),
                                        STR_INIT("we want to "),
                                        STR_INIT("we plan to "),
                                        STR_INIT("probably just "),
                                        STR_INIT("i suggest: "),
                                        STR_INIT("希望在"),
                                        STR_INIT("希望能"),
                                        STR_INIT("希望可以"),
                                        STR_INIT("希望支持"),
                                        STR_INIT("希望增加"),
                                        STR_INIT("能不能把"),
                                        STR_INIT("能否增加"),
                                        STR_INIT("功能建议"),
                                        STR_INIT("功能希望"),
                                        STR_INIT("implement a "),
                                        STR_INIT("implement an "),
                                        STR_INIT("本 PR"),
                                        STR_INIT("本PR")};
    static const struct str events[] = {
        STR_INIT(" but "),  STR_INIT(" get "), STR_INIT(" got "),   STR_INIT(" gets "),
        STR_INIT(" says"),  STR_INIT(" keep"), STR_INIT(" fails"),  STR_INIT(" because "),
        STR_INIT("但"),     STR_INIT("一直"),  STR_INIT(" since "), STR_INIT(" you "),
        STR_INIT(" your "), STR_INIT(": 4"),   STR_INIT(": 5"),     STR_INIT("返回 4"),
        STR_INIT("返回4"),  STR_INIT("报 4")};
    return ISTARTS_ANY(line, starts) && !HAS_ANY(bigrams, line, events);
}

/* "Closing as a duplicate", "Depending on the version, ...": how maintainers answer. */
static bool is_answer(const struct bigrams *bigrams, struct str line)
{
    static const struct str starts[] = {
        STR_INIT("closing this issue"),  STR_INIT("closing this as "),
        STR_INIT("closing this to "),    STR_INIT("closing as "),
        STR_INIT("closing for now"),     STR_INIT("the issue lies "),
        STR_INIT("depending on "),       STR_INIT("people seem "),
        STR_INIT("thanks for "),         STR_INIT("thank you for "),
        STR_INIT("this is by design"),   STR_INIT("this is intended"),
        STR_INIT("that's expected"),     STR_INIT("for non-2xx "),
        STR_INIT("the list included "),  STR_INIT("this release adds "),
        STR_INIT("this release fixes "), STR_INIT("this release patches "),
        STR_INIT("this method will "),   STR_INIT("this function will "),
        STR_INIT("this hook will "),     STR_INIT("invalid or unrecognized ")};
    /* "Thanks for using our API, your free quota is used up". */
    static const struct str addresses[] = {STR_INIT(" your "), STR_INIT(" you "),
                                           STR_INIT(" you've "), STR_INIT(" you’ve "),
                                           STR_INIT(": ")};
    return ISTARTS_ANY(line, starts) && !HAS_ANY(bigrams, line, addresses);
}

/* Where a name between signs of code ends, "`ChatX` now raises ...", "The `resolve()` function
 * ..."; 0 where the line begins with none. */
static size_t code_name_end(struct str line)
{
    static const struct str leads[] = {STR_INIT("The "), STR_INIT("Our "), STR_INIT("A ")};
    size_t at = 0;
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        at = str_starts(line, leads[i]) ? leads[i].len : at;
    }
    struct str rest = str_slice(line, at, line.len);
    ptrdiff_t close =
        str_starts(rest, STR("`")) ? str_find_char(str_slice(rest, 1, rest.len), '`') : -1;
    return close < 0 ? 0 : at + (size_t)close + 2;
}

/* What a piece of a program does, or does since a change. */
static bool tells_of_code(struct str line)
{
    static const struct str news[] = {
        STR_INIT(" now raises "),  STR_INIT(" now returns "), STR_INIT(" now throws "),
        STR_INIT(" now maps "),    STR_INIT(" now handles "), STR_INIT(" now retries "),
        STR_INIT(" now wraps "),   STR_INIT(" now treats "),  STR_INIT(" now catches "),
        STR_INIT(" now accepts "), STR_INIT(" now honours "), STR_INIT(" now respects ")};
    static const struct str deeds[] = {
        STR_INIT(" classifies "), STR_INIT(" maps "),    STR_INIT(" handles "),
        STR_INIT(" wraps "),      STR_INIT(" parses "),  STR_INIT(" decides "),
        STR_INIT(" converts "),   STR_INIT(" catches "), STR_INIT(" checks ")};
    static const struct str kinds[] = {STR_INIT(" function"), STR_INIT(" method"),
                                       STR_INIT(" helper"),   STR_INIT(" handler"),
                                       STR_INIT(" class"),    STR_INIT(" middleware")};
    size_t end = code_name_end(line);
    struct str behind = str_slice(line, end, line.len);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (str_starts(behind, kinds[i])) {
            return end > 0 && STARTS_ANY(str_slice(behind, kinds[i].len, behind.len), deeds);
        }
    }
    return end > 0 && (STARTS_ANY(behind, news) || STARTS_ANY(behind, deeds));
}

/* "a10bf62: Fixes ...". */
static bool opens_with_hash(struct str words)
{
    size_t at = 0, digits = 0;
    while (at < words.len &&
           (str_is_digit(words.ptr[at]) || (words.ptr[at] >= 'a' && words.ptr[at] <= 'f'))) {
        digits += str_is_digit(words.ptr[at]);
        at++;
    }
    return at >= HASH_BYTES_MIN && at <= HASH_BYTES_MAX && digits > 0 &&
           str_starts(str_slice(words, at, words.len), STR(": "));
}

/* "- #144 Retry 401 no more", "* **http:** retry ECONNRESET ([#5528](https://...))", "- a10bf62:
 * Fixes
 * ...": an item of a list of issues or of what a version brought. */
static bool is_history_item(const struct bigrams *bigrams, struct str line)
{
    static const struct str links[] = {STR_INIT("([#"), STR_INIT("(**#"), STR_INIT("/commit/")};
    struct str bare = str_trim(line), words = mention_without_mark(line);
    bool is_item = bare.len && str_is_of(bare.ptr[0], "-*") && words.ptr != bare.ptr;
    bool is_issue = words.len > 2 && words.ptr[0] == '#' && str_is_digit(words.ptr[1]);
    return is_item && (is_issue || opens_with_hash(words) || HAS_ANY(bigrams, line, links));
}

bool mention_is_design(const struct bigrams *bigrams, struct str line)
{
    struct str words = mention_without_mark(line);
    /* "Thanks for asking. Your account is suspended": each sentence is looked at alone. */
    bool is_sentence = mention_sentence_end(words, 0) == words.len;
    return is_history_item(bigrams, line) ||
           (is_sentence && (is_answer(bigrams, words) || tells_of_code(words) ||
                            is_wanted(bigrams, line) || is_proposal(bigrams, words)));
}
