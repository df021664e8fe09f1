/* Whether prose reports a failure at all, for evidence that no rule explains. Takes cleaned text,
 * goes by words that reports of failures have in common, in English and Chinese. */
#include "classify/lift.h"

#define LONG_BYTES_MIN 800
#define NEAR_BYTES ((size_t)512) /* on either side of a word, that tell whether it is meant */

/* Levels that loggers give to what is no failure. */
static bool is_ordinary_level(const struct bigrams *bigrams, struct str line)
{
    static const struct str levels[] = {STR_INIT("level=info"),
                                        STR_INIT("level=warn"),
                                        STR_INIT("level=debug"),
                                        STR_INIT(" INFO "),
                                        STR_INIT(" DEBUG "),
                                        STR_INIT("[INFO]"),
                                        STR_INIT("[DEBUG]"),
                                        STR_INIT("\"level\":\"info\""),
                                        STR_INIT("\"level\": \"info\""),
                                        STR_INIT("\"severity\":\"info\""),
                                        STR_INIT("\"severity\": \"info\""),
                                        STR_INIT("\"levelname\": \"INFO\""),
                                        STR_INIT("\"name\": \"INFO\"")}; /* loguru */
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (bigrams_ifind(bigrams, line, levels[i]) >= 0) {
            return true;
        }
    }
    return str_starts(line, STR("INFO")) || str_starts(line, STR("DEBUG")) ||
           str_istarts(line, STR("npm warn ")) || str_starts(line, STR("npm notice "));
}

/* The word tells of a failure at one of its places at least. */
static bool tells(struct str line, struct str word)
{
    for (size_t from = 0; from < line.len;) {
        ptrdiff_t hit = str_ifind(str_slice(line, from, line.len), word);
        if (hit < 0) {
            return false;
        }
        size_t at = from + (size_t)hit, begin = at > NEAR_BYTES ? at - NEAR_BYTES : 0;
        struct str near = str_slice(line, begin, at + word.len + NEAR_BYTES);
        if (failure_is_told_at(near, at - begin, word.len)) {
            return true;
        }
        from = at + word.len;
    }
    return false;
}

static bool tells_any(const struct bigrams *bigrams, struct str line, const struct str *words,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bigrams_may_hold(bigrams, words[i]) && tells(line, words[i])) {
            return true;
        }
    }
    return false;
}

/* Words of what cannot go on, as clients, systems and vendors tell it to people. */
static const struct str refusals[] = {
    STR_INIT("blocked"),       STR_INIT("sorry,"),        STR_INIT("limit reached"),
    STR_INIT("reached your"),  STR_INIT("hit your"),      STR_INIT("is too long"),
    STR_INIT("broken pipe"),   STR_INIT("reset by peer"), STR_INIT("no such host"),
    STR_INIT("unrecognized"),  STR_INIT("x509: "),        STR_INIT("ran out of"),
    STR_INIT("not logged in"), STR_INIT("超出"),          STR_INIT("未通过"),
    STR_INIT("请充值"),        STR_INIT("中断"),          STR_INIT("过大")};

/* Words of failures in the languages that clients and vendors report them in. */
static const struct str words[] = {STR_INIT("error"),
                                   STR_INIT("errno"),
                                   STR_INIT("fail"),
                                   STR_INIT("exception"),
                                   STR_INIT("traceback"),
                                   STR_INIT("fatal"),
                                   STR_INIT("panic"),
                                   STR_INIT("denied"),
                                   STR_INIT("refused"),
                                   STR_INIT("unable"),
                                   STR_INIT("cannot"),
                                   STR_INIT("could not"),
                                   STR_INIT("can't"),
                                   STR_INIT("can’t"),
                                   STR_INIT("couldn't "),
                                   STR_INIT("couldn’t "),
                                   STR_INIT("network problem"),
                                   STR_INIT("invalid"),
                                   STR_INIT("exceeded"),
                                   STR_INIT("not found"),
                                   STR_INIT("does not exist"),
                                   STR_INIT("too many"),
                                   STR_INIT("toomany"),
                                   STR_INIT("unexpected"),
                                   STR_INIT("undefined"),
                                   STR_INIT("abort"),
                                   STR_INIT("went wrong"),
                                   STR_INIT("oops"),
                                   STR_INIT("something broke"),
                                   STR_INIT("core dumped"),
                                   STR_INIT("timed out"),
                                   STR_INIT("unauthorized"),
                                   STR_INIT("forbidden"),
                                   STR_INIT("unavailable"),
                                   STR_INIT("rejected"),
                                   STR_INIT("crash"),
                                   STR_INIT("segmentation fault"),
                                   STR_INIT("killed"),
                                   STR_INIT("错误"),
                                   STR_INIT("失败"),
                                   STR_INIT("异常"),
                                   STR_INIT("无法"),
                                   STR_INIT("出错"),
                                   STR_INIT("超时"),
                                   STR_INIT("拒绝"),
                                   STR_INIT("exhausted"),
                                   STR_INIT("missing"),
                                   STR_INIT("expired"),
                                   STR_INIT("try again"),
                                   STR_INIT("disconnected"),
                                   STR_INIT("not supported"),
                                   STR_INIT("not a valid"),
                                   STR_INIT("not valid"),
                                   STR_INIT("must specify"),
                                   STR_INIT("is required"),
                                   STR_INIT("too low"),
                                   STR_INIT("err!"),
                                   STR_INIT("overloaded"),
                                   STR_INIT("请稍后"),
                                   STR_INIT("不足"),
                                   STR_INIT("到期"),
                                   STR_INIT("过高"),
                                   STR_INIT("報錯"),
                                   STR_INIT("报错"),
                                   STR_INIT("錯誤"),
                                   STR_INIT("过期"),
                                   STR_INIT("失效"),
                                   STR_INIT("不可用"),
                                   STR_INIT("不存在"),
                                   STR_INIT("不支持"),
                                   STR_INIT("无效"),
                                   STR_INIT("封禁"),
                                   STR_INIT("缺少"),
                                   STR_INIT("无权"),
                                   STR_INIT("用完"),
                                   STR_INIT("unreachable"),
                                   STR_INIT("エラー"),
                                   STR_INIT("失敗"),
                                   STR_INIT("오류"),
                                   STR_INIT("실패"),
                                   STR_INIT("ошибк"),
                                   STR_INIT("Ошибк"),
                                   STR_INIT("fehler:"),
                                   STR_INIT("erreur"),
                                   STR_INIT("ungültig"),
                                   STR_INIT("sigsegv:"),
                                   STR_INIT("sigill:"),
                                   STR_INIT("sigabrt:"),
                                   STR_INIT("sigbus:"),
                                   STR_INIT("не найден"),
                                   STR_INIT("не поддерживается")};

/* "Try again", said to people in other languages. */
static const struct str retries[] = {STR_INIT("de nuevo más"),   STR_INIT("novamente mais"),
                                     STR_INIT("tente novament"), STR_INIT("ntenta de nuevo"),
                                     STR_INIT("inténtalo"),      STR_INIT("réessaye"),
                                     STR_INIT("erneut versuch"), STR_INIT("sie es erneut"),
                                     STR_INIT("もう一度お試し"), STR_INIT("다시 시도"),
                                     STR_INIT("ещё раз"),        STR_INIT("попробуйте"),
                                     STR_INIT("请重试"),         STR_INIT("再试")};

static bool has_failure_word(const struct bigrams *bigrams, struct str line)
{
    return tells_any(bigrams, line, words, sizeof words / sizeof words[0]) ||
           tells_any(bigrams, line, refusals, sizeof refusals / sizeof refusals[0]) ||
           tells_any(bigrams, line, retries, sizeof retries / sizeof retries[0]);
}

/* " ERROR" as loggers write it; not "an ERROR status", "PRE-DEFINED ERROR CLASSES", "ERRORS". */
static bool has_level(const struct bigrams *bigrams, struct str line)
{
    static const struct str articles[] = {STR_INIT("an"), STR_INIT("the"), STR_INIT("or"),
                                          STR_INIT("of"), STR_INIT("D")};
    ptrdiff_t hit = bigrams_find(bigrams, line, STR(" ERROR"));
    struct str before = str_slice(line, 0, (size_t)(hit < 0 ? 0 : hit));
    size_t end = before.len + STR(" ERROR").len;
    return hit >= 0 && !ENDS_ANY(before, articles) &&
           (end >= line.len || !str_is_alnum(line.ptr[end]));
}

bool failure_is_reported(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {STR_INIT("rror: "),
                                       STR_INIT("rror ["),
                                       STR_INIT("xception: "),
                                       STR_INIT("[ERROR]"),
                                       STR_INIT("[error]"),
                                       STR_INIT(" FATAL"),
                                       STR_INIT("fatal: "),
                                       STR_INIT("panic: "),
                                       STR_INIT("✕"),
                                       STR_INIT("✖"),
                                       STR_INIT("■"),
                                       STR_INIT("⎿"),
                                       STR_INIT("错误："),
                                       STR_INIT("报错"),
                                       STR_INIT("失败："),
                                       STR_INIT("level=error"),
                                       STR_INIT("\"level\":\"error\""),
                                       STR_INIT("❌"),
                                       STR_INIT("⚠")};
    static const struct str starts[] = {STR_INIT("ERROR"),      STR_INIT("FATAL"),
                                        STR_INIT("Traceback"),  STR_INIT("Failed to "),
                                        STR_INIT("Unable to "), STR_INIT("Could not "),
                                        STR_INIT("Uncaught "),  STR_INIT("Unhandled ")};
    line = str_trim(line);
    if (HAS_ANY(bigrams, line, marks) || has_level(bigrams, line)) {
        return true;
    }
    return STARTS_ANY(line, starts);
}

/* In a long text many words of failures stand by chance: only a report counts there. */
bool failure_is_told(struct str text)
{
    bool is_long = text.len > LONG_BYTES_MIN;
    struct bigram_lines lines;
    struct str line;
    bigrams_begin(&lines, text);
    while (bigrams_next_line(&lines, &line)) {
        line = str_trim(line);
        if (line.len && !is_ordinary_level(&lines.bigrams, line) &&
            has_failure_word(&lines.bigrams, line) &&
            (!is_long || failure_is_reported(&lines.bigrams, line))) {
            return true;
        }
    }
    return false;
}

bool failure_is_ordinary(struct str text)
{
    struct bigram_lines lines;
    struct str line;
    size_t count = 0;
    bigrams_begin(&lines, text);
    while (bigrams_next_line(&lines, &line)) {
        line = str_trim(line);
        if (line.len &&
            (!is_ordinary_level(&lines.bigrams, line) || has_failure_word(&lines.bigrams, line))) {
            return false;
        }
        count += line.len > 0;
    }
    return count > 0;
}
