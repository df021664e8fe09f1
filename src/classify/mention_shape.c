/* The shape of a text as a whole: manual pages, sources, settings, change logs, books and READMEs
 * are no reports, whatever words stand in them. Takes a text, says whether it is such a document.
 */
#include "classify/mention.h"

#define STATUSES_MIN 3 /* that a page on errors names */
#define ROWS_MIN 4     /* of a table of codes, its head among them */
#define DOCUMENT_LINES_MIN 15
#define FORM_LINES_MIN 3
#define FRAMES_MIN 3 /* fewer may stand in any prose */
#define RELEASE_BYTES_MAX 90
#define RELEASES_MIN 3
#define ITEMS_MIN 8

static bool is_letter(char c)
{
    return str_is_letter(c) || c == '_';
}

/* "10:00:00" near the front, as loggers write it. */
static bool has_clock(struct str line)
{
    for (size_t at = 0; at + 8 <= line.len && at < 32; at++) {
        const char *c = line.ptr + at;
        if (str_is_digit(c[0]) && str_is_digit(c[1]) && c[2] == ':' && str_is_digit(c[3]) &&
            str_is_digit(c[4]) && c[5] == ':' && str_is_digit(c[6]) && str_is_digit(c[7])) {
            return true;
        }
    }
    return false;
}

/* A line at the margin that only a program prints. */
static bool is_output(struct str line)
{
    static const struct str starts[] = {STR_INIT("HTTP/"),           STR_INIT("curl: ("),
                                        STR_INIT("Traceback (most"), STR_INIT("API Error"),
                                        STR_INIT("ERROR"),           STR_INIT("error: ")};
    /* "Error: ", "openai.RateLimitError: ": the name of a class and nothing before it. */
    size_t name = 0;
    while (name < line.len && (is_letter(line.ptr[name]) || line.ptr[name] == '.')) {
        name++;
    }
    size_t sign = name + (name < line.len && line.ptr[name] == ' ');
    /* "ERRORS" heads a part of a manual. */
    bool is_key =
        (sign < line.len && str_is_of(line.ptr[sign], "=_")) || str_eq(line, STR("ERRORS"));
    struct str behind = str_slice(line, name, line.len);
    if (str_starts(behind, STR(" ["))) { /* Node: "APICallError [AI_APICallError]: " */
        behind = str_slice(behind, str_next_char(behind, 0, ']') + 1, behind.len);
    }
    return (STARTS_ANY(line, starts) && !is_key) ||
           (str_ends(str_slice(line, 0, name), STR("rror")) && str_starts(behind, STR(":")));
}

bool mention_names_handled(struct str behind)
{
    static const struct str things[] = {
        STR_INIT(" handling request"),     STR_INIT(" handling message:"),
        STR_INIT(" handling response:"),   STR_INIT(" handling call"),
        STR_INIT(" handling connection"),  STR_INIT(" handling stream"),
        STR_INIT(" handling event:"),      STR_INIT(" handling the response"),
        STR_INIT(" handling the request"), STR_INIT(" handling your "),
        STR_INIT(" handling model ")};
    return ISTARTS_ANY(behind, things);
}

/* A word that teaches about errors rather than reports one, at the front of a line. */
static bool is_teaching(struct str line)
{
    static const struct str starts[] = {STR_INIT("error codes"),   STR_INIT("error handling"),
                                        STR_INIT("http errors"),   STR_INIT("http status codes"),
                                        STR_INIT("status codes"),  STR_INIT("what it means"),
                                        STR_INIT("how to fix"),    STR_INIT("cause: "),
                                        STR_INIT("causes"),        STR_INIT("solution"),
                                        STR_INIT("returned when"), STR_INIT("overview"),
                                        STR_INIT("| status"),      STR_INIT("| code"),
                                        STR_INIT("| http"),        STR_INIT("错误码参考"),
                                        STR_INIT("错误码列表"),    STR_INIT("错误码表"),
                                        STR_INIT("错误码说明"),    STR_INIT("错误代码"),
                                        STR_INIT("常见错误"),      STR_INIT("解决"),
                                        STR_INIT("重试建议"),      STR_INIT("重试策略"),
                                        STR_INIT("状态码说明"),    STR_INIT("错误格式"),
                                        STR_INIT("错误响应格式"),  STR_INIT("| 状态码"),
                                        STR_INIT("| 错误码")};
    while (line.len && str_is_of(line.ptr[0], "#* 123456789.")) {
        line = str_slice(line, 1, line.len);
    }
    return ISTARTS_ANY(line, starts) && !mention_names_handled(str_slice(line, 5, line.len));
}

/* "我", but not "我们的网关", which many say of what they run. */
static bool has_chinese_person(const struct bigrams *bigrams, struct str line)
{
    struct str word = STR("我");
    for (struct str rest = line; bigrams_may_hold(bigrams, word);) {
        ptrdiff_t at = str_find(rest, word);
        rest = str_slice(rest, (size_t)(at < 0 ? 0 : at) + word.len, rest.len);
        if (at < 0 || !str_starts(rest, STR("们"))) {
            return at >= 0;
        }
    }
    return false;
}

bool mention_is_persons(const struct bigrams *bigrams, struct str line)
{
    static const struct str words[] = {
        STR_INIT(" I "),     STR_INIT(" my "),   STR_INIT(" me "),     STR_INIT("I'm "),
        STR_INIT("I've "),   STR_INIT("I’"),     STR_INIT(" i have "), STR_INIT(" i am "),
        STR_INIT(" i get "), STR_INIT(" i got ")};
    return str_starts(line, STR("I ")) || str_starts(line, STR("My ")) ||
           str_starts(line, STR("i have ")) || str_starts(line, STR("i am ")) ||
           HAS_ANY(bigrams, line, words) || has_chinese_person(bigrams, line);
}

/* A heading without the signs of Markdown. */
static struct str without_marks(struct str line)
{
    while (line.len && str_is_of(line.ptr[0], "#* ")) {
        line = str_slice(line, 1, line.len);
    }
    bool is_numbered = line.len > 3 && str_is_digit(line.ptr[0]) && line.ptr[1] == '.';
    return str_slice(line, is_numbered ? 3 : 0, line.len); /* "2. What happened" */
}

/* A heading of the forms in which people report bugs. */
static bool is_form(struct str line)
{
    static const struct str heads[] = {STR_INIT("what happened"),
                                       STR_INIT("describe the bug"),

                                       STR_INIT("steps to reproduce"),
                                       STR_INIT("to reproduce"),
                                       STR_INIT("reproduction"),
                                       STR_INIT("expected behavio"),
                                       STR_INIT("actual behavio"),
                                       STR_INIT("current behavio"),
                                       STR_INIT("expected result"),
                                       STR_INIT("actual result"),
                                       STR_INIT("relevant log"),
                                       STR_INIT("what went wrong"),
                                       STR_INIT("what issue are you seeing"),
                                       STR_INIT("what is the issue"),
                                       STR_INIT("logs"),
                                       STR_INIT("error message"),
                                       STR_INIT("问题描述"),
                                       STR_INIT("复现"),
                                       STR_INIT("重现"),
                                       STR_INIT("期望"),
                                       STR_INIT("预期"),
                                       STR_INIT("错误日志"),
                                       STR_INIT("报错信息"),

                                       STR_INIT("environment"),
                                       STR_INIT("system info"),
                                       STR_INIT("additional context"),
                                       STR_INIT("screenshots"),
                                       STR_INIT("my "),
                                       STR_INIT("bug"),
                                       STR_INIT("type: <b>bug"),
                                       STR_INIT("problem"),
                                       STR_INIT("issue"),
                                       STR_INIT("环境"),
                                       STR_INIT("系统信息"),
                                       STR_INIT("日志"),
                                       STR_INIT("截图")};
    return ISTARTS_ANY(without_marks(line), heads);
}

/* A heading of the forms in which people ask for what is not there yet, or hand it in. */
static bool is_wish(struct str line)
{
    static const struct str heads[] = {STR_INIT("is your feature request"),
                                       STR_INIT("describe the solution"),
                                       STR_INIT("describe alternatives"),
                                       STR_INIT("describe the feature"),
                                       STR_INIT("how will this feature"),
                                       STR_INIT("proposed solution"),
                                       STR_INIT("proposal"),
                                       STR_INIT("proposed change"),
                                       STR_INIT("proposed behavio"),
                                       STR_INIT("suggested solution"),
                                       STR_INIT("alternatives"),
                                       STR_INIT("motivation"),
                                       STR_INIT("use case"),
                                       STR_INIT("feature "),
                                       STR_INIT("acceptance criteria"),
                                       STR_INIT("test plan"),
                                       STR_INIT("type of change"),
                                       STR_INIT("how to test"),
                                       STR_INIT("how has this been tested"),
                                       STR_INIT("how was this tested"),
                                       STR_INIT("verification"),
                                       STR_INIT("what changed"),
                                       STR_INIT("summary of changes"),
                                       STR_INIT("变更描述"),
                                       STR_INIT("变更内容"),
                                       STR_INIT("改动内容"),
                                       STR_INIT("需求"),
                                       STR_INIT("功能描述"),
                                       STR_INIT("动机")};
    return ISTARTS_ANY(without_marks(line), heads);
}

/* "This PR handles timeouts": what is handed in to be taken over. */
static bool hands_in(struct str line)
{
    static const struct str starts[] = {STR_INIT("This PR "), STR_INIT("This pull request "),
                                        STR_INIT("This MR "), STR_INIT("This change "),
                                        STR_INIT("本 PR "),   STR_INIT("此 PR ")};
    return STARTS_ANY(line, starts);
}

/* "from /usr/lib/x.rb:12:in `get'", "at Socket.read (node:net:1:2)": where a program was when it
 * failed. */
static bool is_frame(struct str inner)
{
    char last = inner.len ? inner.ptr[inner.len - 1] : ' ';
    return (str_starts(inner, STR("from ")) && str_find(inner, STR(":in ")) > 0) ||
           (str_starts(inner, STR("at ")) && (last == ')' || str_is_digit(last))) ||
           (str_starts(inner, STR("File \"")) && str_find(inner, STR("\", line ")) > 0);
}

/* A heading that a project's README or a design has, and no report. */
static bool is_chapter(struct str line)
{
    static const struct str names[] = {STR_INIT("install"),
                                       STR_INIT("usage"),
                                       STR_INIT("options"),
                                       STR_INIT("license"),
                                       STR_INIT("goals"),
                                       STR_INIT("non-goals"),
                                       STR_INIT("features"),
                                       STR_INIT("contributing"),
                                       STR_INIT("quick start"),
                                       STR_INIT("api"),
                                       STR_INIT("getting started"),
                                       STR_INIT("open questions"),
                                       STR_INIT("安装"),
                                       STR_INIT("用法"),
                                       STR_INIT("特性")};
    while (line.len && str_is_of(line.ptr[0], "# ")) {
        line = str_slice(line, 1, line.len);
    }
    return ISTARTS_ANY(line, names);
}

/* "I changed the settings": what somebody did or met, not a question that a page answers. */
static bool is_teller(const struct bigrams *bigrams, struct str line)
{
    static const struct str words[] = {STR_INIT(". I "),    STR_INIT(", I "),    STR_INIT("and I "),
                                       STR_INIT("I'm "),    STR_INIT("I've "),   STR_INIT("I’"),
                                       STR_INIT("when I "), STR_INIT("When I "), STR_INIT("我")};
    return !str_ends(line, STR("?")) &&
           (str_starts(line, STR("I ")) || HAS_ANY(bigrams, line, words));
}

/* "2026-05-01  Kim  <kim@example.org>", "Version 1.2 (May 2026)", " -- Kim <k@example.org>  Fri, 1
 * May 2026": the head of what changed at one time. */
static bool is_release(struct str line)
{
    bool has_number = false;
    for (size_t at = 1; at + 1 < line.len; at++) {
        has_number =
            has_number || (str_is_digit(line.ptr[at - 1]) && str_is_digit(line.ptr[at + 1]) &&
                           str_is_of(line.ptr[at], ".-/"));
    }
    bool is_signed = str_starts(line, STR(" -- ")) && str_find(line, STR("@")) > 0;
    bool is_head = line.len < RELEASE_BYTES_MAX && line.ptr[0] != ' ' && line.ptr[0] != '\t' &&
                   line.ptr[0] != '-' && !str_ends(line, STR("."));
    return is_signed || (is_head && has_number && mention_count(line, STR(" ")) < 9);
}

/* How many lines of a text look like what; quoted: like output, also in a box; stars: like those of
 * a comment, but for the margin; comments: that begin or end one. */
struct shape {
    size_t tellers, lines, code, reports, logged, headings, keyed, output, answers, persons,
        teaching, rows, forms, releases, items, chapters, wishes, frames, quoted, stars, comments;
};

static void add_line(struct shape *shape, const struct bigrams *bigrams, struct str line)
{
    shape->lines++;
    shape->items += line.len > 2 && str_is_of(line.ptr[0], "-*+o") && line.ptr[1] == ' ';
    shape->code += mention_is_code(bigrams, line);
    shape->reports += mention_has_report(bigrams, line) || failure_is_reported(bigrams, line);
    shape->logged += has_clock(line);
    shape->headings += str_starts(line, STR("#")) && line.len > 2 && line.ptr[1] != '!';
    shape->chapters += str_starts(line, STR("#")) && is_chapter(line);
    shape->teaching += is_teaching(line);
    bool is_head = str_starts(line, STR("#")) || str_starts(line, STR("**")) ||
                   str_starts(line, STR("Type: <b>")); /* of an editor's own form */
    shape->forms += is_head && is_form(line);
    shape->wishes += (is_head && is_wish(line)) || hands_in(line);
    shape->frames += is_frame(line);
    shape->persons += mention_is_persons(bigrams, line);
    shape->tellers += is_teller(bigrams, line);
    shape->keyed += bigrams_find(bigrams, line, STR(" = ")) > 0;
}

/* "> Error: ..." of a box. */
static struct str without_quote(struct str line)
{
    struct str inner = str_trim(line);
    return str_starts(inner, STR("> ")) ? str_slice(inner, 2, inner.len) : inner;
}

static struct shape shape_of(struct bigram_lines *lines)
{
    struct shape shape = {0};
    struct str line;
    bigrams_rewind(lines);
    while (bigrams_next_line(lines, &line)) {
        struct str inner = str_trim(line);
        shape.output += is_output(line);
        shape.quoted += is_output(str_trim(without_quote(line)));
        shape.answers += str_starts(line, STR("{\"error")) || str_starts(line, STR("{\"type"));
        shape.rows += str_starts(line, STR("|"));
        shape.releases += is_release(line);
        shape.stars += str_starts(line, STR("* ")) && mention_is_code(&lines->bigrams, line);
        shape.comments += str_starts(inner, STR("/*")) || str_starts(inner, STR("*/"));
        if (!mention_is_bracket(inner)) {
            add_line(&shape, &lines->bigrams, inner);
        }
    }
    if (shape.comments == 0) { /* bullets: "* Quota exceeded for metric: ..." */
        shape.code -= shape.stars;
    }
    if (shape.frames >= FRAMES_MIN) { /* a program printed its stack, and why */
        shape.output++;
        shape.reports += shape.frames;
    }
    return shape;
}

/* How many statuses of failures a text names, each counted once: "401", "429限流". */
static size_t count_statuses(struct str text)
{
    bool is_seen[200] = {false};
    size_t count = 0;
    for (size_t at = 0; at + 3 <= text.len; at++) {
        int64_t status;
        bool is_whole =
            (at == 0 || !(str_is_digit(text.ptr[at - 1]) || is_letter(text.ptr[at - 1]))) &&
            (at + 3 == text.len || !str_is_digit(text.ptr[at + 3]));
        if (is_whole && str_to_i64(str_slice(text, at, at + 3), &status) && status >= 400 &&
            status < 600 && !is_seen[status - 400]) {
            is_seen[status - 400] = true;
            count++;
        }
    }
    return count;
}

/* Data, an essay, a wish, a list of options or a good run, in which no program prints a failure. */
static bool has_form(struct bigram_lines *lines, const struct shape *shape)
{
    struct str text = str_trim(lines->text);
    return shape->output + shape->answers + shape->logged + shape->forms == 0 &&
           ((shape->reports == 0 && shape->persons == 0 &&
             (shape->chapters > 1 || shape->wishes > 0 || mention_is_options(text))) ||
            (shape->reports == 0 && shape->wishes > 1) ||
            (shape->persons == 0 && mention_is_good_run(text)) ||
            (shape->reports == 0 && mention_is_essay(text, shape->persons > 0)) ||
            mention_is_answered_list(text) || mention_is_columns(text) || mention_is_data(lines));
}

static bool has_start(struct str text)
{
    static const struct str starts[] = {STR_INIT(".\\\""),
                                        STR_INIT("#!/"),
                                        STR_INIT("/*"),
                                        STR_INIT(".TH "),
                                        STR_INIT(".Dd "),
                                        STR_INIT("'\\\""),
                                        STR_INIT("\\input "),
                                        STR_INIT("=head"),
                                        STR_INIT("=pod"),
                                        STR_INIT("exports[`"),
                                        STR_INIT("// Jest Snapshot")};
    return STARTS_ANY(text, starts);
}

/* Whether a text has enough lines to be told by their forms, or what tells it alone. */
static bool may_be_document(const struct bigram_lines *lines, struct str text)
{
    struct str rest = text, line;
    size_t count = 0;
    bool may_tell = has_start(text) || bigram_lines_find(lines, text, STR("Release Notes")) >= 0 ||
                    bigram_lines_find(lines, text, STR("\n[[")) >= 0 ||
                    bigram_lines_find(lines, text, STR("\n=head")) >= 0;
    while (!may_tell && str_split(&rest, '\n', &line)) {
        may_tell = ++count >= FORM_LINES_MIN || is_teaching(str_trim(line));
    }
    return may_tell;
}

/* A piece of documentation in which no program prints. has_sign: its source is one for certain. */
static bool is_manual(struct bigram_lines *lines, const struct shape *shape, bool has_sign)
{
    return shape->quoted + shape->answers + shape->logged + shape->persons == 0 &&
           (has_sign || (shape->reports == 0 && mention_is_section(lines, shape->forms > 0))) &&
           !mention_shows_report(lines->text);
}

static bool is_long_document(const struct shape *shape)
{
    bool is_ordinary = shape->lines >= DOCUMENT_LINES_MIN && shape->logged * 10 < shape->lines &&
                       shape->reports * 10 < shape->lines;
    bool is_told = shape->reports > 0 && (shape->tellers > 1 || shape->forms > 0);
    bool is_markdown = shape->headings > 3 && !is_told,
         is_settings = shape->keyed * 2 > shape->lines;
    bool is_book = shape->reports == 0 && shape->persons * 20 < shape->lines;
    bool is_history = shape->releases >= RELEASES_MIN && shape->items >= ITEMS_MIN &&
                      shape->output + shape->answers + shape->forms == 0;
    return is_ordinary && (is_book || is_markdown || is_settings || is_history);
}

bool mention_is_document(struct bigram_lines *lines)
{
    struct str text = str_trim(lines->text);
    bool has_sign = mention_has_manual_sign(lines), may_be = may_be_document(lines, text);
    if (mention_is_excerpt(lines)) {
        return true;
    }
    if (!has_sign && !may_be && !str_starts(text, STR("#"))) {
        return false;
    }
    struct shape shape = shape_of(lines);
    bool is_piece = is_manual(lines, &shape, has_sign);
    if (is_piece || !may_be) {
        return is_piece;
    }
    size_t tables = mention_count(text, STR("\n[[")),
           chapters = mention_count(text, STR("\n=head"));
    if (has_start(text) || tables > 2 || chapters > 1 ||
        (tables > 0 && shape.keyed * 2 > shape.lines)) {
        return shape.output + shape.answers == 0;
    }
    struct str rest = text, title = text;
    (void)str_split(&rest, '\n', &title);
    if (str_find(title, STR("Release Notes")) >= 0 &&
        shape.output + shape.answers + shape.reports + shape.persons == 0) {
        return true;
    }
    bool is_short = text.len < DOCUMENT_BYTES_MIN;
    if (shape.code > 2 && shape.code * (is_short ? 2 : 3) > shape.lines &&
        shape.output + shape.answers == 0 && mention_is_all_code(text)) {
        return true;
    }
    if (shape.output + shape.answers + shape.forms == 0 &&
        mention_is_commit(text, shape.persons > 0)) {
        return true;
    }
    if (mention_is_namesakes(text) || (shape.lines >= FORM_LINES_MIN && has_form(lines, &shape))) {
        return true;
    }
    if (mention_is_page(lines, shape.output + shape.answers + shape.logged + shape.forms > 0,
                        shape.persons > 0)) {
        return true;
    }
    /* A page that lists codes, with examples of answers. */
    if (shape.teaching > 0 && shape.output + shape.logged + shape.persons == 0 &&
        (count_statuses(text) >= STATUSES_MIN || shape.rows >= ROWS_MIN)) {
        return true;
    }
    return text.len >= DOCUMENT_BYTES_MIN && is_long_document(&shape);
}
