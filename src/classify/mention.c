/* Lines that speak of errors without reporting one: code, diffs, test runners, metrics, tables,
 * articles. Takes a line, says whether it is one. Careful on purpose: a line goes only when its
 * form is plain, never for its topic. */
#include "classify/mention.h"

/* "ERROR_MESSAGES = {": a constant that is a table. */
static bool is_constant(struct str line)
{
    size_t at = 0;
    while (at < line.len && (str_is_upper(line.ptr[at]) || line.ptr[at] == '_')) {
        at++;
    }
    struct str behind = str_slice(line, at, line.len);
    return at > 3 && (str_starts(behind, STR(" = {")) || str_starts(behind, STR(" = [")));
}

/* ".error-429 { color: red; }" of a style sheet, "s/429/rate limited/" of an editor. */
static bool is_style_or_edit(struct str line)
{
    ptrdiff_t open = str_find(line, STR(" {"));
    struct str name = str_slice(line, 0, (size_t)(open < 0 ? 0 : open));
    bool is_style = name.len > 1 && str_is_of(name.ptr[0], ".#") && name.ptr[1] != '#' &&
                    str_find_char(name, ' ') < 0 && str_find_char(name, '[') < 0 &&
                    str_ends(line, STR("}"));
    return is_style || (str_starts(line, STR("s/")) && mention_count(line, STR("/")) == 3 &&
                        (str_ends(line, STR("/")) || str_ends(line, STR("/g"))));
}

/* "mock.onPost('/x').reply(529, {...});": the name of a function, not of a class, and a statement's
 * end. */
static bool is_call(struct str line)
{
    size_t at = 0, name = 0;
    while (at < line.len &&
           (line.ptr[at] == '.' || line.ptr[at] == '_' || str_is_alnum(line.ptr[at]))) {
        at++;
        name = line.ptr[at - 1] == '.' ? at : name;
    }
    return name > 0 && at > name && at < line.len && line.ptr[at] == '(' &&
           str_is_lower(line.ptr[name]) && str_ends(line, STR(");"));
}

/* A statement that logs or prints. */
static bool is_print(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {
        STR_INIT("logger.error("),    STR_INIT("console.error("),  STR_INIT("logger.warn("),
        STR_INIT("console.warn("),    STR_INIT("logger.warning("), STR_INIT("logging.error("),
        STR_INIT("logging.warning("), STR_INIT("log.error("),      STR_INIT("log.warn("),
        STR_INIT("log.Printf("),      STR_INIT("log.Fatal"),       STR_INIT("slog.Error("),
        STR_INIT("println!("),        STR_INIT("print(f\""),       STR_INIT("print(\""),
        STR_INIT("console.log(")};
    return HAS_ANY(bigrams, line, marks) || str_starts(line, STR("echo \"")) ||
           str_starts(line, STR("echo '"));
}

/* Types of TypeScript, in a signature or waved through. */
static bool has_type(const struct bigrams *bigrams, struct str line)
{
    return bigrams_find(bigrams, line, STR("(error: Error | null")) >= 0 ||
           bigrams_find(bigrams, line, STR("@ts-expect-error")) >= 0;
}

/* Whether the line begins as statements, comments and declarations do. */
static bool begins_as_code(struct str line)
{
    /* Case counts: "Except for gpt-5" is no statement of Python. */
    static const struct str starts[] = {STR_INIT("//"),
                                        STR_INIT("/*"),
                                        STR_INIT("const "),
                                        STR_INIT("raise "),
                                        STR_INIT("rescue "),
                                        STR_INIT("<option "),
                                        STR_INIT("except "),
                                        STR_INIT("elif "),
                                        STR_INIT("@pytest"),
                                        STR_INIT("@retry"),
                                        STR_INIT("#[error("),
                                        STR_INIT("static const "),
                                        STR_INIT("print("),
                                        STR_INIT("case '"),
                                        STR_INIT("class "),
                                        STR_INIT("case \""),
                                        STR_INIT("it('"),
                                        STR_INIT("it(\""),
                                        STR_INIT("describe("),
                                        STR_INIT("def "),
                                        STR_INIT("func "),
                                        STR_INIT("pub fn "),
                                        STR_INIT("public static "),
                                        STR_INIT("#include "),
                                        STR_INIT("enum "),
                                        STR_INIT("export "),
                                        STR_INIT("assert "),
                                        STR_INIT("INSERT INTO "),
                                        STR_INIT("TODO"),
                                        STR_INIT("# TODO"),
                                        STR_INIT("# FIXME")};
    return STARTS_ANY(line, starts);
}

/* Statements of programming languages that test or make errors. */
bool mention_is_source_code(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {STR_INIT("throw new "),    STR_INIT("return new Error("),
                                       STR_INIT(" === "),         STR_INIT("if (!"),
                                       STR_INIT("} catch ("),     STR_INIT("catch (e"),
                                       STR_INIT("expect("),       STR_INIT("assert_eq!"),
                                       STR_INIT("assertEqual("),  STR_INIT("fmt.Errorf("),
                                       STR_INIT("errors.New("),   STR_INIT("#define "),
                                       STR_INIT("if err != nil"), STR_INIT(": return "),
                                       STR_INIT(" == \""),        STR_INIT(" == '"),
                                       STR_INIT(" != \""),        STR_INIT(" in (\""),
                                       STR_INIT("#[from]"),       STR_INIT(", // "),
                                       STR_INIT("; // "),         STR_INIT("{ // "),
                                       STR_INIT(") // "),         STR_INIT("`json:\""),
                                       STR_INIT("re.compile("),   STR_INIT("new RegExp("),
                                       STR_INIT("Regex::new("),   STR_INIT(".MustCompile("),
                                       STR_INIT(" json:\""),      STR_INIT("`yaml:\"")};
    /* A comment of a script or a settings file; headings of documents are capitalised. */
    bool is_comment =
        line.len > 2 && line.ptr[0] == '#' && line.ptr[1] == ' ' && str_is_lower(line.ptr[2]);
    bool is_import =
        str_starts(line, STR("import ")) ||
        (str_starts(line, STR("from ")) && bigrams_find(bigrams, line, STR(" import ")) > 0);
    bool is_return = str_starts(line, STR("return ")) && str_ends(line, STR(";"));
    bool is_type = (str_starts(line, STR("match ")) && str_ends(line, STR("}"))) ||
                   (str_starts(line, STR("type ")) && !str_starts(line, STR("type =")) &&
                    bigrams_find(bigrams, line, STR(" = ")) > 0);
    /* "| { kind: "timeout"; step: string }" of a type. */
    is_type = is_type || (str_starts(line, STR("| { ")) && str_ends(line, STR("}")));
    /* "\"\"\"Return an insight when the provider is unavailable.\"\"\"": says what a function does.
     */
    bool is_docstring = line.len > 6 && str_starts(line, STR("\"\"\"")) &&
                        str_is_letter(line.ptr[3]) && str_ends(line, STR("\"\"\""));
    return is_comment || is_docstring || is_return || is_type || is_import || is_constant(line) ||
           is_style_or_edit(line) || is_call(line) || is_print(bigrams, line) ||
           has_type(bigrams, line) || HAS_ANY(bigrams, line, marks) || begins_as_code(line);
}

/* "12 +  'a'," of a client's diff: the number of the line is left off. */
static struct str without_number(struct str line)
{
    size_t at = 0, next;
    while (at < line.len && str_is_digit(line.ptr[at])) {
        at++;
    }
    for (next = at; next < line.len && line.ptr[next] == ' '; next++) {
    }
    return at > 0 && next > at && next < line.len && str_is_of(line.ptr[next], "+-")
               ? str_slice(line, next, line.len)
               : line;
}

/* "+  '429': 'quota exceeded'," of a diff: a bullet has one blank behind its sign, or a sentence.
 */
static bool is_diff(const struct bigrams *bigrams, struct str line)
{
    if (str_starts(line, STR("@@ ")) || str_starts(line, STR("diff --git")) ||
        str_starts(line, STR("+++ ")) || str_starts(line, STR("--- a/"))) {
        return true;
    }
    /* " src/errors.ts | 40 ++++---" of its summary. */
    if (line.len > 5 && str_is_of(line.ptr[line.len - 1], "+-") &&
        bigrams_find(bigrams, line, STR(" | ")) > 0) {
        return true;
    }
    bool is_changed = line.len > 2 && (line.ptr[0] == '+' || line.ptr[0] == '-') &&
                      (line.ptr[1] == '\t' || (line.ptr[0] == '+' && line.ptr[1] == '+') ||
                       (line.ptr[1] == ' ' && line.ptr[2] == ' '));
    return is_changed && !mention_has_report(bigrams, line) &&
           str_is_of(line.ptr[line.len - 1], ",;{}()[]'\":");
}

static bool is_test_report(const struct bigrams *bigrams, struct str line)
{
    static const struct str starts[] = {
        STR_INIT("PASS "),           STR_INIT("--- PASS"), STR_INIT("=== RUN"),
        STR_INIT("test result: ok"), STR_INIT("✓"),        STR_INIT("✔"),
        STR_INIT("ok  \t"),          STR_INIT("ok - "),    STR_INIT("PASSED ")};
    static const struct str marks[] = {STR_INIT(" ... ok"), STR_INIT(" PASSED ["), STR_INIT("  ✓ "),
                                       STR_INIT(" tests passed"), STR_INIT(" passed, 0 failed")};
    bool is_tap = str_starts(line, STR("ok ")) && line.len > 3 && str_is_digit(line.ptr[3]);
    return is_tap || str_ends(line, STR(" PASSED")) || STARTS_ANY(line, starts) ||
           HAS_ANY(bigrams, line, marks);
}

/* Prometheus text: comments, and name{labels} number. Summaries of load name percentiles. */
static bool is_metric(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {STR_INIT(" p95"), STR_INIT(" p99"), STR_INIT("\"p95")};
    if (str_starts(line, STR("# HELP ")) || str_starts(line, STR("# TYPE ")) ||
        HAS_ANY(bigrams, line, marks)) {
        return true;
    }
    static const struct str units[] = {STR_INIT("_total"),   STR_INIT("_count"), STR_INIT("_sum"),
                                       STR_INIT("_seconds"), STR_INIT("_bytes"), STR_INIT("_up")};
    ptrdiff_t open = str_find_char(line, '{'), close = str_find(line, STR("} "));
    double number;
    struct str rest = line, name;
    bool is_bare = str_split(&rest, ' ', &name) && str_is_set(rest) && str_to_double(rest, &number);
    if (is_bare && ENDS_ANY(name, units)) {
        return true;
    }
    return open > 0 && close > open && str_find_char(str_slice(line, 0, (size_t)open), ' ') < 0 &&
           str_to_double(str_trim(str_slice(line, (size_t)close + 2, line.len)), &number);
}

/* Programs report no places in files of these kinds. */
static bool is_prose_file(struct str path)
{
    static const struct str ends[] = {STR_INIT(".md"),   STR_INIT(".mdx"), STR_INIT(".rst"),
                                      STR_INIT(".adoc"), STR_INIT(".po"),  STR_INIT(".txt")};
    return ENDS_ANY(path, ends) && str_find_char(path, ' ') < 0;
}

/* The path and the line that a search found something in: "src/limits.ts:14:", "README.md-15-" of
 * what stands around it. Unset where none stands in front of the line; *rest is behind it. */
static struct str place_in_front(struct str line, struct str *rest)
{
    bool has_dot = false;
    for (size_t at = 0, end; at < line.len && line.ptr[at] != ' '; at++) {
        bool is_sign = str_is_of(line.ptr[at], ":-");
        for (end = at + 1; is_sign && end < line.len && str_is_digit(line.ptr[end]); end++) {
        }
        bool is_number = is_sign && end > at + 1 && end < line.len && line.ptr[end] == line.ptr[at];
        if (is_number && has_dot) {
            *rest = str_slice(line, end + 1, line.len);
            return str_slice(line, 0, at);
        }
        has_dot = has_dot || line.ptr[at] == '.';
    }
    return (struct str){NULL, 0};
}

/* "src/limits.ts:14: // rate limit is ..." of grep: a path, a line number and a comment or code;
 * "README.md:88:If you see ...". */
static bool is_grep_hit(const struct bigrams *bigrams, struct str line)
{
    struct str rest, path = place_in_front(line, &rest);
    if (is_prose_file(path)) {
        return true;
    }
    if (str_find_char(path, '/') < 0) {
        return false;
    }
    struct str code = str_trim(rest);
    bool is_shown =
        rest.len > 1 && rest.ptr[0] == ' ' && rest.ptr[1] == ' '; /* as it is indented */
    return is_shown || mention_is_source_code(bigrams, code) || str_starts(code, STR("#")) ||
           str_starts(code, STR("|")) || str_starts(code, STR("*")) || str_ends(code, STR(";")) ||
           str_ends(code, STR(",")) || str_ends(code, STR("{"));
}

/* "10:02", "2026-11-29 10:02:03": a cell that tells when something happened. */
static bool is_clock(struct str cell)
{
    size_t signs = 0;
    for (size_t i = 0; i < cell.len; i++) {
        signs += cell.ptr[i] == ':';
        if (!str_is_of(cell.ptr[i], "0123456789:-./ TZ+")) {
            return false;
        }
    }
    return signs > 0 && cell.len > 3;
}

/* The bar that a table is drawn with; unset where the line does not begin with one. */
static struct str bar_of(struct str line)
{
    static const struct str bars[] = {STR_INIT("|"), STR_INIT("│"), STR_INIT("║"), STR_INIT("┃")};
    for (size_t i = 0; i < sizeof bars / sizeof bars[0]; i++) {
        if (str_starts(line, bars[i])) {
            return bars[i];
        }
    }
    return (struct str){NULL, 0};
}

/* "❌ HTTP 402: ...": a cell that tells how a run ended; a mark alone says that something lacks. */
static bool is_outcome(struct str cell)
{
    static const struct str marks[] = {STR_INIT("❌"), STR_INIT("✗"), STR_INIT("✖"), STR_INIT("✘")};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (str_starts(cell, marks[i])) {
            return str_find_char(cell, ' ') > 0;
        }
    }
    return false;
}

/* A row of a table: documents list codes so, people what happened when and how runs ended. Two
 * cells do where the text rules its tables off. */
static bool is_table_row(struct str line, size_t cells_min)
{
    struct str bar = bar_of(line);
    size_t cells = 0;
    if (!bar.len || line.len < 2 * bar.len || !str_ends(line, bar)) {
        return false;
    }
    for (struct str rest = str_slice(line, bar.len, line.len); rest.len; cells++) {
        ptrdiff_t end = str_find(rest, bar);
        struct str cell = str_trim(str_slice(rest, 0, (size_t)end));
        if (is_clock(cell) || is_outcome(cell)) {
            return false;
        }
        rest = str_slice(rest, (size_t)end + bar.len, rest.len);
    }
    return cells >= cells_min;
}

/* Marks that clients draw in front of a line. */
static struct str without_bullet(struct str line)
{
    static const struct str bullets[] = {STR_INIT("⎿"), STR_INIT("●"),   STR_INIT("•"),
                                         STR_INIT("■"), STR_INIT("⏺"), STR_INIT("└")};
    line = str_trim(line);
    for (size_t i = 0; i < sizeof bullets / sizeof bullets[0]; i++) {
        if (str_starts(line, bullets[i])) {
            return str_trim(str_slice(line, bullets[i].len, line.len));
        }
    }
    return line;
}

/* "-rw-r--r-- 1 ada ada 803 Nov  9 10:00 insufficient_quota.md", " 4012 pts/0 00:00:12 python". */
static bool is_listing(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("├──"),         STR_INIT("└──"),         STR_INIT("│  "),
        STR_INIT("modified:  "), STR_INIT("new file:  "), STR_INIT("deleted:  "),
        STR_INIT("renamed:  "),  STR_INIT("On branch "),  STR_INIT("Your branch is ")};
    struct str mode = str_slice(line, 1, 10);
    size_t signs = 0, at = 0;
    while (signs < mode.len && str_is_of(mode.ptr[signs], "rwxsStT-")) {
        signs++;
    }
    while (at < line.len && str_is_digit(line.ptr[at])) {
        at++;
    }
    struct str behind = str_slice(line, at, line.len);
    return STARTS_ANY(line, starts) || (signs == 9 && str_is_of(line.ptr[0], "-dlcbps")) ||
           (at > 0 && (str_starts(behind, STR(" pts/")) || str_starts(behind, STR(" tty")) ||
                       str_starts(behind, STR(" ?  "))));
}

/* The command of a search, as typed or as a client shows it. */
static bool is_search(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("Bash(grep"), STR_INIT("Bash(rg"), STR_INIT("$ grep "), STR_INIT("grep -"),
        STR_INIT("$ rg "),     STR_INIT("git log"), STR_INIT("$ git "),  STR_INIT("Ran rg "),
        STR_INIT("Ran grep "), STR_INIT("Grep("),   STR_INIT("Glob(")};
    return STARTS_ANY(line, starts);
}

bool mention_is_line(const struct bigrams *bigrams, struct str line, size_t cells_min)
{
    struct str inner = without_bullet(line);
    return inner.len &&
           (mention_is_source_code(bigrams, inner) ||
            is_diff(bigrams, without_number(str_trim(line))) || is_test_report(bigrams, inner) ||
            is_metric(bigrams, inner) || is_table_row(inner, cells_min) ||
            is_grep_hit(bigrams, inner) || is_search(inner) || is_listing(inner) ||
            mention_is_schema(bigrams, inner) || mention_is_guidance(inner) ||
            (!mention_has_report(bigrams, inner) &&
             (mention_is_writing(bigrams, inner) || mention_is_note(bigrams, inner) ||
              mention_is_daily(bigrams, inner) || mention_is_labelled(line) ||
              mention_is_title(inner))));
}
