/* Whether prose reports a failure at all, for evidence that no rule explains. Takes cleaned text,
 * goes by words that reports of failures have in common (failure.def). */
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
                                        STR_INIT("\"name\": \"INFO\""), /* loguru */
                                        STR_INIT("suppress this warning")};
    if (bigrams_find(bigrams, line, STR("[ERROR]")) >= 0) {
        return false; /* "INFO progress_msg: [ERROR]...": what a job told of itself */
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (bigrams_ifind(bigrams, line, levels[i]) >= 0) {
            return true;
        }
    }
    return str_starts(line, STR("INFO")) || str_starts(line, STR("DEBUG")) ||
           str_istarts(line, STR("npm warn ")) || str_starts(line, STR("npm notice "));
}

/* The word tells of a failure at one of its places at least; is_strict: with nothing around it that
 * makes a topic of it. */
static bool tells(struct str line, struct str word, bool is_strict)
{
    for (size_t from = 0; from < line.len;) {
        ptrdiff_t hit = str_ifind(str_slice(line, from, line.len), word);
        if (hit < 0) {
            return false;
        }
        size_t at = from + (size_t)hit, begin = at > NEAR_BYTES ? at - NEAR_BYTES : 0;
        struct str near = str_slice(line, begin, at + word.len + NEAR_BYTES);
        if (failure_is_told_at(near, at - begin, word.len) &&
            !(is_strict && failure_is_framed_at(near, at - begin, word.len))) {
            return true;
        }
        from = at + word.len;
    }
    return false;
}

static bool has_failure_word(const struct bigrams *bigrams, struct str line, bool is_strict)
{
    static const struct str words[] = {
#define FAILURE(word) STR_INIT(word),
#include "classify/failure.def"
#undef FAILURE
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bigrams_may_hold(bigrams, words[i]) && tells(line, words[i], is_strict)) {
            return true;
        }
    }
    return false;
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
                                       STR_INIT("An error occurred ("),
                                       STR_INIT("' panicked at "),
                                       STR_INIT("` on an `Err` value: "),
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
            has_failure_word(&lines.bigrams, line, false) &&
            (!is_long || failure_is_reported(&lines.bigrams, line))) {
            return true;
        }
    }
    return false;
}

bool failure_is_stated(struct str sentence)
{
    struct bigrams bigrams;
    bigrams_read(&bigrams, sentence);
    return failure_is_reported(&bigrams, sentence) ||
           (!failure_is_framed(sentence) && has_failure_word(&bigrams, sentence, true));
}

bool failure_is_ordinary(struct str text)
{
    struct bigram_lines lines;
    struct str line;
    size_t count = 0;
    bigrams_begin(&lines, text);
    while (bigrams_next_line(&lines, &line)) {
        line = str_trim(line);
        if (line.len && (!is_ordinary_level(&lines.bigrams, line) ||
                         has_failure_word(&lines.bigrams, line, false))) {
            return false;
        }
        count += line.len > 0;
    }
    return count > 0;
}
