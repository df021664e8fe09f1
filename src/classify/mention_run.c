/* What tools print of themselves when nothing is wrong: runs of tests none of which failed, options
 * and what they do, names and their values. Takes a text, says whether it is one; judges nothing of
 * what else stands around a run. */
#include "classify/mention.h"

#define RUN_LINE_MAX 200
#define NAMES_MIN 3 /* fewer may be a report's */

/* "Tests: 12 passed", "Ran 3 tests ... OK", "# fail 0": the line that closes a good run. */
static bool closes_good_run(struct str line, bool has_count)
{
    static const struct str starts[] = {STR_INIT("ok  \t"), STR_INIT("# fail 0"),
                                        STR_INIT("test result: ok."), STR_INIT("OK (")};
    static const struct str marks[] = {STR_INIT(" examples, 0 failures"),
                                       STR_INIT("Failures: 0, Errors: 0")};
    /* Agents show what a tool printed behind a sign of their own. */
    line = str_starts(line, STR("⎿")) ? str_trim(str_slice(line, STR("⎿").len, line.len)) : line;
    bool is_summary = str_starts(line, STR("Tests: ")) || str_starts(line, STR("===="));
    struct str count = line;
    while (count.len && str_is_digit(count.ptr[0])) {
        count = str_slice(count, 1, count.len);
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        is_summary = is_summary || str_find(line, marks[i]) > 0;
    }
    return STARTS_ANY(line, starts) || (has_count && str_eq(line, STR("OK"))) ||
           (count.ptr != line.ptr && str_starts(count, STR(" passing"))) ||
           (is_summary && (str_find(line, STR(" passed")) > 0 || str_find(line, STR(" 0")) > 0) &&
            str_find(line, STR(" failed")) < 0 && str_find(line, STR(" error")) < 0);
}

static bool tells_bad_run(struct str line)
{
    static const struct str starts[] = {STR_INIT("--- FAIL"), STR_INIT("FAIL"), STR_INIT("not ok "),
                                        STR_INIT("✗"), STR_INIT("✘")};
    return STARTS_ANY(line, starts) || str_find(line, STR(" failing")) > 0 ||
           str_ends(line, STR("... FAILED"));
}

bool mention_is_good_run(struct str text)
{
    struct str rest = text, line;
    bool is_good = false, is_bad = false, has_count = false;
    while (!is_bad && str_split(&rest, '\n', &line)) {
        line = str_slice(str_trim(line), 0, RUN_LINE_MAX);
        has_count =
            has_count || (str_starts(line, STR("Ran ")) && str_find(line, STR(" test")) > 0);
        is_good = is_good || closes_good_run(line, has_count);
        is_bad = tells_bad_run(line);
    }
    return is_good && !is_bad;
}

static size_t indent_of(struct str line)
{
    return (size_t)(str_trim(line).ptr - line.ptr);
}

/* "--timeout SECONDS", "-r, --retry <num>": an option as usages and manuals head what it does. */
static bool is_option(struct str inner)
{
    struct str name = str_slice(inner, str_starts(inner, STR("--")) ? 2 : 1, inner.len);
    return str_starts(inner, STR("-")) && name.len && str_is_letter(name.ptr[0]);
}

bool mention_is_options(struct str text)
{
    struct str rest = text, line;
    size_t options = 0, indent = 0;
    while (str_split(&rest, '\n', &line)) {
        struct str inner = str_trim(line);
        bool heads = is_option(inner);
        if (inner.len && !heads && (options == 0 || indent_of(line) <= indent)) {
            return false;
        }
        indent = heads ? indent_of(line) : indent;
        options += heads;
    }
    return options > 0;
}

/* Whether two names differ only in case and signs: TimedOut and "TIMED_OUT". */
static bool is_namesake(struct str name, struct str value)
{
    size_t at = 0, letters = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (!str_is_alnum(name.ptr[i])) {
            continue;
        }
        while (at < value.len && !str_is_alnum(value.ptr[at])) {
            at++;
        }
        if (at >= value.len || str_lower(value.ptr[at]) != str_lower(name.ptr[i])) {
            return false;
        }
        at++;
        letters++;
    }
    while (at < value.len && !str_is_alnum(value.ptr[at])) {
        at++;
    }
    return letters > 0 && at == value.len;
}

bool mention_is_namesakes(struct str text)
{
    struct str rest = text, line;
    size_t names = 0;
    while (str_split(&rest, '\n', &line)) {
        struct str inner = str_trim(line);
        size_t at = 0;
        while (at < inner.len && str_is_word(inner.ptr[at])) {
            at++;
        }
        struct str value = str_trim(str_slice(inner, at, inner.len));
        bool is_pair = value.len && str_is_of(value.ptr[0], ":=");
        if (inner.len && !(is_pair && is_namesake(str_slice(inner, 0, at), value))) {
            return false;
        }
        names += inner.len > 0;
    }
    return names >= NAMES_MIN;
}
