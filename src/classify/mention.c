/* Lines that speak of errors without reporting one. Takes pasted text, gives it with such lines
 * blanked. Careful on purpose: a line goes only when its form is plain, never for its topic. */
#include "classify/lift.h"

#include <string.h>

static bool has_any(struct str line, const struct str *marks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_find(line, marks[i]) >= 0) {
            return true;
        }
    }
    return false;
}

static bool starts_any(struct str line, const struct str *marks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_istarts(line, marks[i])) {
            return true;
        }
    }
    return false;
}
#define README_BYTES_MIN 3000 /* what has such chapters and is shorter may be somebody's report */
#define HAS_ANY(line, table) has_any((line), (table), sizeof(table) / sizeof(table)[0])
#define STARTS_ANY(line, table) starts_any((line), (table), sizeof(table) / sizeof(table)[0])

/* Statements of programming languages that test or make errors. */
static bool is_source_code(struct str line)
{
    static const struct str marks[] = {STR_INIT("throw new "),    STR_INIT("return new Error("),
                                       STR_INIT(" === "),         STR_INIT("if (!"),
                                       STR_INIT("} catch ("),     STR_INIT("catch (e"),
                                       STR_INIT("expect("),       STR_INIT("assert_eq!"),
                                       STR_INIT("assertEqual("),  STR_INIT("fmt.Errorf("),
                                       STR_INIT("errors.New("),   STR_INIT("#define "),
                                       STR_INIT("logger.error("), STR_INIT("console.error("),
                                       STR_INIT("println!("),     STR_INIT("print(f\""),
                                       STR_INIT("print(\""),      STR_INIT("console.log("),
                                       STR_INIT("if err != nil"), STR_INIT(" == \""),
                                       STR_INIT(" == '"),         STR_INIT(" != \""),
                                       STR_INIT(" in (\"")};
    static const struct str starts[] = {
        STR_INIT("//"),        STR_INIT("/*"),           STR_INIT("const "),
        STR_INIT("raise "),    STR_INIT("except "),      STR_INIT("elif "),
        STR_INIT("@pytest"),   STR_INIT("case '"),       STR_INIT("def test_"),
        STR_INIT("class "),    STR_INIT("case \""),      STR_INIT("it('"),
        STR_INIT("it(\""),     STR_INIT("describe("),    STR_INIT("def "),
        STR_INIT("func "),     STR_INIT("pub fn "),      STR_INIT("public static "),
        STR_INIT("#include "), STR_INIT("enum "),        STR_INIT("export "),
        STR_INIT("assert "),   STR_INIT("INSERT INTO "), STR_INIT("TODO")};
    /* A comment of a script or a settings file; headings of documents are capitalised. */
    bool is_comment = line.len > 2 && line.ptr[0] == '#' && line.ptr[1] == ' ' &&
                      line.ptr[2] >= 'a' && line.ptr[2] <= 'z';
    return is_comment || HAS_ANY(line, marks) || STARTS_ANY(line, starts);
}

/* "+  '429': 'quota exceeded'," of a diff; a bullet has one blank behind its sign. */
static bool is_diff(struct str line)
{
    if (str_starts(line, STR("@@ ")) || str_starts(line, STR("diff --git")) ||
        str_starts(line, STR("+++ ")) || str_starts(line, STR("--- a/"))) {
        return true;
    }
    return line.len > 2 && (line.ptr[0] == '+' || line.ptr[0] == '-') &&
           (line.ptr[1] == '\t' || (line.ptr[0] == '+' && line.ptr[1] == '+') ||
            (line.ptr[1] == ' ' && line.ptr[2] == ' '));
}

static bool is_test_report(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("PASS "),           STR_INIT("--- PASS"), STR_INIT("=== RUN"),
        STR_INIT("test result: ok"), STR_INIT("✓"),        STR_INIT("✔"),
        STR_INIT("ok  \t"),          STR_INIT("ok - "),    STR_INIT("PASSED ")};
    static const struct str marks[] = {STR_INIT(" ... ok"), STR_INIT(" PASSED ["),
                                       STR_INIT("  ✓ ")};
    bool is_tap =
        str_starts(line, STR("ok ")) && line.len > 3 && line.ptr[3] >= '0' && line.ptr[3] <= '9';
    return is_tap || str_ends(line, STR(" PASSED")) || STARTS_ANY(line, starts) ||
           HAS_ANY(line, marks);
}

/* Prometheus text: comments, and name{labels} number. Summaries of load name percentiles. */
static bool is_metric(struct str line)
{
    static const struct str marks[] = {STR_INIT(" p95"), STR_INIT(" p99"), STR_INIT("\"p95")};
    if (str_starts(line, STR("# HELP ")) || str_starts(line, STR("# TYPE ")) ||
        HAS_ANY(line, marks)) {
        return true;
    }
    ptrdiff_t open = str_find_char(line, '{'), close = str_find(line, STR("} "));
    double number;
    return open > 0 && close > open && str_find_char(str_slice(line, 0, (size_t)open), ' ') < 0 &&
           str_to_double(str_trim(str_slice(line, (size_t)close + 2, line.len)), &number);
}

/* "src/limits.ts:14: // rate limit is ..." of grep: a path, a line number and a comment or code. */
static bool is_grep_hit(struct str line)
{
    struct str rest = line, path, number;
    int64_t value;
    if (!str_split(&rest, ':', &path) || !str_is_set(rest) || !str_split(&rest, ':', &number) ||
        !str_is_set(rest) || !str_to_i64(number, &value) || str_find_char(path, '.') < 0 ||
        str_find_char(str_trim(path), '/') < 0) {
        return false;
    }
    struct str code = str_trim(rest);
    return is_source_code(code) || str_starts(code, STR("#")) || str_starts(code, STR("*")) ||
           str_ends(code, STR(";")) || str_ends(code, STR(",")) || str_ends(code, STR("{"));
}

/* A row of a table: documents list codes so. Two cells do where the text rules its tables off. */
static bool is_table_row(struct str line, size_t cells_min)
{
    struct str rest = line, cell;
    size_t cells = 0;
    if (line.len < 2 || line.ptr[0] != '|' || line.ptr[line.len - 1] != '|') {
        return false;
    }
    while (str_split(&rest, '|', &cell)) {
        cells++;
    }
    return cells >= cells_min + 2; /* before the first bar and behind the last there is nothing */
}

/* "|---|---|" under the head of a table. */
static bool has_table(struct str text)
{
    static const struct str rulers[] = {STR_INIT("|---"), STR_INIT("| ---"), STR_INIT("|:--"),
                                        STR_INIT("| :--")};
    return HAS_ANY(text, rulers);
}

/* Subjects of commits. In lower case only: "Fix: set the variable" is advice of a client. */
static bool is_commit(struct str line)
{
    static const struct str types[] = {STR_INIT("feat"),  STR_INIT("fix"),      STR_INIT("docs"),
                                       STR_INIT("chore"), STR_INIT("refactor"), STR_INIT("test")};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct str rest = str_slice(line, types[i].len, line.len);
        if (str_starts(line, types[i]) &&
            (str_starts(rest, STR(": ")) || str_starts(rest, STR("(")))) {
            return true;
        }
    }
    return false;
}

static size_t count_of(struct str line, struct str word)
{
    size_t count = 0;
    for (ptrdiff_t at = str_find(line, word); at >= 0; at = str_find(line, word)) {
        line = str_slice(line, (size_t)at + word.len, line.len);
        count++;
    }
    return count;
}

/* How many statuses of failures the line explains: "401: the key is wrong", "401 密钥无效". */
static size_t explained_statuses(struct str line)
{
    size_t count = 0;
    for (size_t at = 0; at + 5 < line.len; at++) {
        struct str token = str_slice(line, at, at + 3);
        int64_t status;
        bool is_whole =
            at == 0 || strchr(" (\"`", line.ptr[at - 1]) || (unsigned char)line.ptr[at - 1] >= 0x80;
        if (is_whole && str_to_i64(token, &status) && status >= 400 && status < 600) {
            char behind = line.ptr[at + 3], next = line.ptr[at + 4];
            count +=
                (behind == ':' && next == ' ') || (behind == ' ' && (unsigned char)next >= 0x80);
        }
    }
    return count;
}

/* "401 means a bad key, 429 means too many requests"; a heading without a number or a colon. */
static bool is_glossary(struct str line)
{
    bool is_heading = line.len > 2 && line.ptr[0] == '#' && strchr("# ", line.ptr[1]) &&
                      str_find_char(line, ':') < 0;
    for (size_t i = 0; i < line.len && is_heading; i++) {
        is_heading = line.ptr[i] < '0' || line.ptr[i] > '9';
    }
    return is_heading || explained_statuses(line) > 2 || count_of(line, STR("表示")) > 1 ||
           count_of(line, STR(" means ")) > 1;
}

/* "- Fixed a bug where 503 was not retried", "* Added a timeout" of a change log. */
static bool is_change_entry(struct str line)
{
    static const struct str verbs[] = {
        STR_INIT("fixed "),   STR_INIT("fixes "),    STR_INIT("added "),   STR_INIT("adds "),
        STR_INIT("improve"),  STR_INIT("changed "),  STR_INIT("removed "), STR_INIT("updated "),
        STR_INIT("refactor"), STR_INIT("deprecate"), STR_INIT("bump "),    STR_INIT("support for "),
        STR_INIT("修复"),     STR_INIT("新增"),      STR_INIT("优化"),     STR_INIT("支持")};
    bool has_bullet =
        line.len > 2 && (line.ptr[0] == '-' || line.ptr[0] == '*') && line.ptr[1] == ' ';
    return has_bullet && STARTS_ANY(str_trim(str_slice(line, 2, line.len)), verbs);
}

/* "If you see 429, slow down": advice on a failure that may come; but "When a request is sent I
 * get: Error code: 429" reports one. */
static bool is_condition(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("when the server "),  STR_INIT("when the api "), STR_INIT("when a "),
        STR_INIT("when you get "),     STR_INIT("if you see "),   STR_INIT("if you get "),
        STR_INIT("when you receive "), STR_INIT("a: "),           STR_INIT("when you see ")};
    static const struct str reports[] = {STR_INIT("rror code: "), STR_INIT("rror: "),
                                         STR_INIT("{\"error"),    STR_INIT("{'error"),
                                         STR_INIT("{\"type"),     STR_INIT(" I get"),
                                         STR_INIT(" I got"),      STR_INIT(" we get"),
                                         STR_INIT(" we got"),     STR_INIT("last status: ")};
    return STARTS_ANY(line, starts) && !HAS_ANY(line, reports);
}

/* Articles, mails, questions put to a helpdesk. */
static bool is_writing(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("subject: "),     STR_INIT("本文"),          STR_INIT("用户问"),
        STR_INIT("教程"),          STR_INIT("this article "), STR_INIT("this guide "),
        STR_INIT("how to "),       STR_INIT("git commit "),   STR_INIT("what does "),
        STR_INIT("explain "),      STR_INIT("* fix"),         STR_INIT("如何"),
        STR_INIT("faq"),           STR_INIT("q: "),           STR_INIT("release notes"),
        STR_INIT("常见问题"),      STR_INIT("文档"),          STR_INIT("会议纪要"),
        STR_INIT("to handle "),    STR_INIT("to avoid "),     STR_INIT("changelog"),
        STR_INIT("msgid "),        STR_INIT("msgstr "),       STR_INIT("all systems operational"),
        STR_INIT("select count("), STR_INIT("select * from"), STR_INIT("更新日志")};
    static const struct str marks[] = {STR_INIT("的区别"), STR_INIT("see CHANGELOG"),
                                       STR_INIT(" MAY "), STR_INIT(" SHOULD "),
                                       STR_INIT(" SHALL ")};
    return is_commit(line) || is_change_entry(line) || is_glossary(line) || is_condition(line) ||
           STARTS_ANY(line, starts) || HAS_ANY(line, marks);
}

/* Marks that clients draw in front of a line. */
static struct str without_bullet(struct str line)
{
    static const struct str bullets[] = {STR_INIT("⎿"), STR_INIT("●"), STR_INIT("•"),
                                         STR_INIT("■")};
    line = str_trim(line);
    for (size_t i = 0; i < sizeof bullets / sizeof bullets[0]; i++) {
        if (str_starts(line, bullets[i])) {
            return str_trim(str_slice(line, bullets[i].len, line.len));
        }
    }
    return line;
}

/* The command of a search, as typed or as a client shows it. */
static bool is_search(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("Bash(grep"), STR_INIT("Bash(rg"), STR_INIT("$ grep "), STR_INIT("grep -"),
        STR_INIT("$ rg "),     STR_INIT("git log"), STR_INIT("$ git ")};
    return STARTS_ANY(line, starts);
}

static bool is_mention(struct str line, size_t cells_min)
{
    struct str inner = without_bullet(line);
    return inner.len && (is_source_code(inner) || is_diff(line) || is_test_report(inner) ||
                         is_metric(inner) || is_table_row(inner, cells_min) || is_grep_hit(inner) ||
                         is_writing(inner) || is_search(inner));
}

static size_t indent_of(struct str line)
{
    size_t count = 0;
    while (count < line.len && (line.ptr[count] == ' ' || line.ptr[count] == '\t')) {
        count++;
    }
    return count;
}

/* "const NAMES = {", "def handle(answer):", "Author: Kim" of a commit: what is indented below
 * belongs to it. */
static bool opens_block(struct str line)
{
    static const struct str braced[] = {
        STR_INIT("switch ("),  STR_INIT("match "),  STR_INIT("try {"),      STR_INIT("if ("),
        STR_INIT("} else"),    STR_INIT("} catch"), STR_INIT("for ("),      STR_INIT("while ("),
        STR_INIT("function "), STR_INIT("async "),  STR_INIT("fn "),        STR_INIT("impl "),
        STR_INIT("struct "),   STR_INIT("type "),   STR_INIT("interface "), STR_INIT("public "),
        STR_INIT("private "),  STR_INIT("static "), STR_INIT("let "),       STR_INIT("var ")};
    static const struct str indented[] = {STR_INIT("if "), STR_INIT("for "), STR_INIT("while "),
                                          STR_INIT("with ")};
    static const struct str signs[] = {STR_INIT(" == "), STR_INIT("("), STR_INIT(" in "),
                                       STR_INIT(" is None"), STR_INIT(" is not None")};
    struct str inner = str_trim(line);
    bool is_open = str_ends(inner, STR("{")), is_led = str_ends(inner, STR(":"));
    return (is_source_code(inner) &&
            (is_open || is_led || str_ends(inner, STR("(")) || str_ends(inner, STR("[")))) ||
           (is_open && STARTS_ANY(inner, braced)) || str_eq(inner, STR("try:")) ||
           (is_led && STARTS_ANY(inner, indented) && HAS_ANY(inner, signs)) ||
           str_starts(line, STR("Author: ")) || str_starts(line, STR("Date:   "));
}

/* A text that is no report as a whole: a manual page, a script, a source file, a settings file of
 * many tables, a project's README. */
static bool is_document(struct str text)
{
    static const struct str starts[] = {STR_INIT(".\\\""), STR_INIT("#!/"), STR_INIT("/*"),
                                        STR_INIT(".TH "), STR_INIT(".Dd ")};
    static const struct str chapters[] = {
        STR_INIT("\n## Install"),      STR_INIT("\n## Usage"),          STR_INIT("\n## Test"),
        STR_INIT("\n## Contributing"), STR_INIT("\n## License"),        STR_INIT("\n## Licence"),
        STR_INIT("\n## Build"),        STR_INIT("\n## Getting started")};
    text = str_trim(text);
    return STARTS_ANY(text, starts) || count_of(text, STR("\n[[")) > 2 ||
           (text.len > README_BYTES_MIN && str_starts(text, STR("# ")) && HAS_ANY(text, chapters));
}

struct str mention_remove(struct arena *arena, struct str text)
{
    char *bytes = arena_alloc(arena, text.len + 1);
    struct str rest = text, line;
    size_t cells_min = has_table(text) ? 2 : 3, block_indent = 0;
    bool is_in_block = false;
    if (text.len) {
        memcpy(bytes, text.ptr, text.len);
    }
    if (is_document(text)) {
        memset(bytes, ' ', text.len);
        return (struct str){bytes, text.len};
    }
    while (str_split(&rest, '\n', &line)) {
        struct str inner = str_trim(line);
        bool is_blank = inner.len == 0, was_in_block = is_in_block;
        is_in_block = is_in_block && (is_blank || indent_of(line) > block_indent);
        bool is_end = was_in_block && !is_in_block && strchr("})]", inner.ptr[0]);
        if (!is_in_block && opens_block(line)) {
            is_in_block = true;
            block_indent = indent_of(line);
        }
        if (is_in_block || is_end || is_mention(line, cells_min)) {
            memset(bytes + (line.ptr - text.ptr), ' ', line.len);
        }
    }
    return (struct str){bytes, text.len};
}
