/* Whether prose reports a failure at all, for evidence that no rule explains. Takes cleaned text,
 * goes by words that reports of failures have in common, in English and Chinese. */
#include "classify/lift.h"

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Levels that loggers give to what is no failure. */
static bool is_ordinary_level(struct str line)
{
    static const struct str levels[] = {STR_INIT("level=info"),  STR_INIT("level=warn"),
                                        STR_INIT("level=debug"), STR_INIT(" INFO "),
                                        STR_INIT(" DEBUG "),     STR_INIT("[INFO]"),
                                        STR_INIT("[DEBUG]"),     STR_INIT("\"level\":\"info\"")};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (str_ifind(line, levels[i]) >= 0) {
            return true;
        }
    }
    return str_starts(line, STR("INFO")) || str_starts(line, STR("DEBUG"));
}

/* "errors: 0", "failed=0", "error":null, "errors":[] */
static bool counts_none(struct str line, size_t at)
{
    static const struct str nothings[] = {STR_INIT("null"), STR_INIT("None"),  STR_INIT("[]"),
                                          STR_INIT("{}"),   STR_INIT("false"), STR_INIT("\"\"")};
    while (at < line.len && (is_word(line.ptr[at]) || line.ptr[at] == '_')) {
        at++;
    }
    at += at < line.len && line.ptr[at] == '"';
    while (at < line.len && (line.ptr[at] == ':' || line.ptr[at] == '=' || line.ptr[at] == ' ')) {
        at++;
    }
    struct str rest = str_slice(line, at, line.len);
    for (size_t i = 0; i < sizeof nothings / sizeof nothings[0]; i++) {
        if (str_starts(rest, nothings[i])) {
            return true;
        }
    }
    return rest.len && rest.ptr[0] == '0' && (rest.len == 1 || !is_word(rest.ptr[1]));
}

/* KeyError and ERR_X count, terror does not; "0 failed", "no error" and "errors: 0" say the
 * opposite. */
static bool is_told_at(struct str line, size_t at, size_t length)
{
    bool starts =
        at == 0 || !is_word(line.ptr[at - 1]) || (line.ptr[at] >= 'A' && line.ptr[at] <= 'Z');
    struct str before = str_slice(line, at > 3 ? at - 3 : 0, at);
    bool is_denied = str_ends(before, STR(" 0 ")) || str_eq(before, STR("0 ")) ||
                     str_ieq(before, STR("no ")) || counts_none(line, at + length);
    return starts && !is_denied;
}

static bool has_failure_word(struct str line)
{
    static const struct str words[] = {STR_INIT("error"),        STR_INIT("errno"),
                                       STR_INIT("fail"),         STR_INIT("exception"),
                                       STR_INIT("traceback"),    STR_INIT("fatal"),
                                       STR_INIT("panic"),        STR_INIT("denied"),
                                       STR_INIT("refused"),      STR_INIT("unable"),
                                       STR_INIT("cannot"),       STR_INIT("could not"),
                                       STR_INIT("can't"),        STR_INIT("can’t"),
                                       STR_INIT("invalid"),      STR_INIT("exceeded"),
                                       STR_INIT("not found"),    STR_INIT("does not exist"),
                                       STR_INIT("too many"),     STR_INIT("toomany"),
                                       STR_INIT("unexpected"),   STR_INIT("undefined"),
                                       STR_INIT("abort"),        STR_INIT("went wrong"),
                                       STR_INIT("core dumped"),  STR_INIT("timed out"),
                                       STR_INIT("unauthorized"), STR_INIT("forbidden"),
                                       STR_INIT("unavailable"),  STR_INIT("rejected"),
                                       STR_INIT("crash"),        STR_INIT("segmentation fault"),
                                       STR_INIT("killed"),       STR_INIT("错误"),
                                       STR_INIT("失败"),         STR_INIT("异常"),
                                       STR_INIT("无法"),         STR_INIT("出错"),
                                       STR_INIT("超时"),         STR_INIT("拒绝"),
                                       STR_INIT("exhausted"),    STR_INIT("missing"),
                                       STR_INIT("expired"),      STR_INIT("try again"),
                                       STR_INIT("disconnected"), STR_INIT("not supported"),
                                       STR_INIT("not a valid"),  STR_INIT("not valid"),
                                       STR_INIT("must specify"), STR_INIT("is required"),
                                       STR_INIT("too low"),      STR_INIT("err!"),
                                       STR_INIT("overloaded"),   STR_INIT("请稍后"),
                                       STR_INIT("不足"),         STR_INIT("到期"),
                                       STR_INIT("过高"),         STR_INIT("報錯"),
                                       STR_INIT("报错"),         STR_INIT("錯誤")};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (size_t from = 0; from < line.len;) {
            ptrdiff_t hit = str_ifind(str_slice(line, from, line.len), words[i]);
            if (hit < 0) {
                break;
            }
            size_t at = from + (size_t)hit;
            if (is_told_at(line, at, words[i].len)) {
                return true;
            }
            from = at + words[i].len;
        }
    }
    return false;
}

bool failure_is_told(struct str text)
{
    struct str rest = text, line;
    while (str_split(&rest, '\n', &line)) {
        line = str_trim(line);
        if (line.len && !is_ordinary_level(line) && has_failure_word(line)) {
            return true;
        }
    }
    return false;
}
