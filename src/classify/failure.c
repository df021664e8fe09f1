/* Whether prose reports a failure at all, for evidence that no rule explains. Takes cleaned text,
 * goes by words that reports of failures have in common, in English and Chinese. */
#include "classify/lift.h"

#define LONG_BYTES_MIN 800
#define NEAR_BYTES ((size_t)512) /* on either side of a word, that tell whether it is meant */

static bool is_word(char c)
{
    return str_is_digit(c) || str_is_letter(c);
}

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

/* "errors: 0", "failed=0", "error":null, "errors":[], "Failed requests:   0", "failed....: 0.00%"
 */
static bool counts_none(struct str line, size_t at)
{
    static const struct str nothings[] = {STR_INIT("null"), STR_INIT("None"),  STR_INIT("[]"),
                                          STR_INIT("{}"),   STR_INIT("false"), STR_INIT("\"\"")};
    while (at < line.len && (is_word(line.ptr[at]) || str_is_of(line.ptr[at], "_."))) {
        at++;
    }
    size_t next = at + 1;
    while (next < line.len && is_word(line.ptr[next])) {
        next++;
    }
    at = next > at + 1 && next < line.len && line.ptr[next] == ':' ? next : at;
    at += at < line.len && line.ptr[at] == '"';
    while (at < line.len && (line.ptr[at] == ':' || line.ptr[at] == '=' || line.ptr[at] == ' ')) {
        at++;
    }
    at += str_starts(str_slice(line, at, line.len), STR("\"0\""));
    struct str rest = str_slice(line, at, line.len);
    if (STARTS_ANY(rest, nothings)) {
        return true;
    }
    return rest.len && rest.ptr[0] == '0' && (rest.len == 1 || !is_word(rest.ptr[1]));
}

/* "failed":5 and "errors": 2 of a table: how many, as reports of jobs and of health have it. */
static bool is_tally(struct str line, size_t at)
{
    while (at < line.len && (is_word(line.ptr[at]) || line.ptr[at] == '_')) {
        at++;
    }
    struct str key = str_slice(line, 0, at), rest = str_slice(line, at, line.len);
    bool counts =
        str_ends(key, STR("ed")) || str_ends(key, STR("s")) || str_ends(key, STR("count"));
    rest = str_starts(rest, STR("\":")) ? str_trim(str_slice(rest, 2, rest.len)) : STR("");
    return counts && rest.len && str_is_digit(rest.ptr[0]);
}

/* "failure_threshold=5", "error rate 0.02 %", "error handling", "错误处理": the topic, not the
 * event. */
static bool is_topic(struct str line, size_t at, size_t length)
{
    static const struct str topics[] = {
        STR_INIT("rate"),      STR_INIT("budget"),    STR_INIT("handling"),  STR_INIT("handler"),
        STR_INIT("detection"), STR_INIT("tolerance"), STR_INIT("mode"),      STR_INIT("threshold"),
        STR_INIT("recovery"),  STR_INIT("reporting"), STR_INIT("injection"), STR_INIT("boundar"),
        STR_INIT("categor"),   STR_INIT("budgets"),   STR_INIT("page"),      STR_INIT("over"),
        STR_INIT("file"),      STR_INIT("template"),  STR_INIT("检测"),      STR_INIT("处理"),
        STR_INIT("率"),        STR_INIT("重试"),      STR_INIT("次数"),      STR_INIT("时间"),
        STR_INIT("设置"),      STR_INIT("阈值"),      STR_INIT("码（"),      STR_INIT("码对照"),
        STR_INIT("码表"),      STR_INIT("码说明"),    STR_INIT("类型"),      STR_INIT("数")};
    size_t end = at + length;
    bool has_underscore = false;
    struct str behind = str_slice(line, end, line.len);
    behind = str_slice(behind, behind.len && str_is_of(behind.ptr[0], " -_s") ? 1 : 0, behind.len);
    if (ISTARTS_ANY(behind, topics) || str_eq(str_trim(behind), STR("码："))) { /* a list's head */
        return true;
    }
    while (end < line.len && (is_word(line.ptr[end]) || line.ptr[end] == '_')) {
        has_underscore = has_underscore || line.ptr[end] == '_';
        end++;
    }
    bool is_code = str_istarts(behind, STR("code")) || str_istarts(behind, STR("no"));
    return has_underscore && !is_code && end + 1 < line.len &&
           (line.ptr[end] == '=' || line.ptr[end] == ':') && line.ptr[end + 1] >= '0' &&
           line.ptr[end + 1] <= '9';
}

/* Whether the token ends like the name of a file: "errors.py", "error.log". */
static bool names_file(struct str token)
{
    size_t dot = token.len;
    while (dot > 0 && is_word(token.ptr[dot - 1])) {
        dot--;
    }
    size_t letters = token.len - dot;
    return dot > 1 && token.ptr[dot - 1] == '.' && letters > 0 && letters < 6;
}

/* "errors.rs", but not "error.name". */
static bool is_source(struct str name)
{
    static const struct str ends[] = {
        STR_INIT(".c"),    STR_INIT(".h"),   STR_INIT(".rs"),  STR_INIT(".py"),   STR_INIT(".go"),
        STR_INIT(".ts"),   STR_INIT(".tsx"), STR_INIT(".js"),  STR_INIT(".java"), STR_INIT(".rb"),
        STR_INIT(".cpp"),  STR_INIT(".cs"),  STR_INIT(".kt"),  STR_INIT(".md"),   STR_INIT(".log"),
        STR_INIT(".json"), STR_INIT(".yml"), STR_INIT(".yaml")};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (str_ends(name, ends[i])) {
            return true;
        }
    }
    return false;
}

/* "https://docs.example.com/api/errors", "/docs/errors/1", "src/errors.py": a word of an
 * address or a path. */
static bool is_in_address(struct str line, size_t at)
{
    static const char ends[] = " \t\"'`()<>|,;";
    size_t begin = at, end = at;
    while (begin > 0 && line.ptr[begin - 1] && !str_is_of(line.ptr[begin - 1], ends)) {
        begin--;
    }
    while (end < line.len && line.ptr[end] && line.ptr[end] != ':' &&
           !str_is_of(line.ptr[end], ends)) {
        end++;
    }
    struct str token = str_slice(line, begin, at);
    return str_find(token, STR("://")) >= 0 || str_starts(token, STR("./")) ||
           str_starts(token, STR("~/")) || str_starts(token, STR("/")) ||
           (names_file(str_slice(line, begin, end)) &&
            (str_find_char(token, '/') >= 0 || is_source(str_slice(line, at, end))));
}

/* KeyError and ERR_X count, terror does not; "0 failed", "no error" and "errors: 0" say the
 * opposite. */
static bool is_told_at(struct str line, size_t at, size_t length)
{
    if (at > 0 && is_word(line.ptr[at - 1]) && !(line.ptr[at] >= 'A' && line.ptr[at] <= 'Z')) {
        return false;
    }
    struct str before = str_slice(line, at > 3 ? at - 3 : 0, at);
    bool is_zero = str_ends(before, STR("0 ")) && (before.len < 3 || !is_word(before.ptr[0])) &&
                   before.ptr[0] != '.';
    /* "timeout errors are retried": a kind, but "errors: timeout" and "22 errors" are events. */
    struct str behind = str_slice(line, at + length, line.len);
    bool is_kind = (str_istarts(behind, STR("s ")) || str_eq(str_trim(behind), STR("s."))) &&
                   at > 1 && !str_is_digit(line.ptr[at - 2]);
    /* "queue=errors", "nothing to do for 'errors'": a name. */
    bool is_quoted = at > 1 && str_is_of(line.ptr[at - 1], "\"'") && behind.len > 1 &&
                     line.ptr[at - 1] == behind.ptr[1];
    bool is_name =
        at > 0 && str_istarts(behind, STR("s")) && (line.ptr[at - 1] == '=' || is_quoted);
    /* "on_error: retry" is a setting. */
    bool is_setting = str_ieq(before, STR("on_")) && (at == 3 || !is_word(line.ptr[at - 4]));
    /* "requests will fail after that date" is no event yet. */
    static const struct str modals[] = {STR_INIT("will "), STR_INIT("may "), STR_INIT("might "),
                                        STR_INIT("would ")};
    struct str lead = str_slice(line, 0, at);
    bool is_yet = false;
    for (size_t i = 0; i < sizeof modals / sizeof modals[0]; i++) {
        is_yet = is_yet || str_ends(lead, modals[i]);
    }
    return !is_yet && !is_zero && !is_kind && !is_name && !is_setting &&
           !str_ieq(before, STR("no ")) && !counts_none(line, at + length) &&
           !is_tally(line, at + length) && !is_topic(line, at, length) && !is_in_address(line, at);
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
        if (is_told_at(near, at - begin, word.len)) {
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

static bool has_failure_word(const struct bigrams *bigrams, struct str line)
{
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
                                       STR_INIT("couldn't connect"),
                                       STR_INIT("couldn't process"),
                                       STR_INIT("couldn't complete"),
                                       STR_INIT("couldn't reach"),
                                       STR_INIT("couldn't generate"),
                                       STR_INIT("couldn't load"),
                                       STR_INIT("couldn’t connect"),
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
    return tells_any(bigrams, line, words, sizeof words / sizeof words[0]) ||
           tells_any(bigrams, line, refusals, sizeof refusals / sizeof refusals[0]);
}

/* " ERROR" as loggers write it; not "an ERROR status", "PRE-DEFINED ERROR CLASSES", "ERRORS". */
static bool has_level(const struct bigrams *bigrams, struct str line)
{
    static const struct str articles[] = {STR_INIT("an"), STR_INIT("the"), STR_INIT("or"),
                                          STR_INIT("of"), STR_INIT("D")};
    ptrdiff_t hit = bigrams_find(bigrams, line, STR(" ERROR"));
    struct str before = str_slice(line, 0, (size_t)(hit < 0 ? 0 : hit));
    size_t end = before.len + STR(" ERROR").len;
    bool is_word_of_text = false;
    for (size_t i = 0; i < sizeof articles / sizeof articles[0]; i++) {
        is_word_of_text = is_word_of_text || str_ends(before, articles[i]);
    }
    return hit >= 0 && !is_word_of_text && (end >= line.len || !is_word(line.ptr[end]));
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
