/* Some lines cut out of a program, as an editor, a review or a search shows them. Takes a text,
 * says whether it is nothing but that. A value that a program printed has members as well, but no
 * statements; what a program reports stands beside none. */
#include "classify/mention.h"

#include "base/moment.h"
#include "classify/parts.h"

#define STATEMENTS_MIN 2
#define ROWS_MIN 3 /* where there is next to nothing else */
#define ROWS_OF_LINE 4

/* How many lines of a text are what; rows belong to sources and to values alike. */
struct excerpt {
    size_t lines, statements, certain, rows, brackets, indented, others;
    size_t told, stated, listed; /* lines, statements and rows of the paragraph that is read */
    bool has_print;
};

/* "RateLimitError: ", "java.io.IOException: ", "APICallError [AI_APICallError]: ", "APIError(": an
 * exception as it is printed; "fullError: x" is a member. */
static bool names_error(struct str line)
{
    size_t end = 0, begin = 0;
    while (end < line.len && (str_is_word(line.ptr[end]) || line.ptr[end] == '.')) {
        end++;
        begin = line.ptr[end - 1] == '.' ? end : begin;
    }
    struct str name = str_slice(line, begin, end), behind = str_slice(line, end, line.len);
    bool is_class = name.len && str_is_upper(name.ptr[0]) &&
                    (str_ends(name, STR("Error")) || str_ends(name, STR("Exception")));
    return is_class && !str_ends(line, STR(",")) &&
           (str_starts(behind, STR(": ")) || str_starts(behind, STR(" [")) ||
            str_eq(behind, STR("(")) || str_eq(behind, STR(" {")));
}

/* "[\"code\"]=>", "string(3) \"408\"", "\"error\"=>\"x\",", "(string) (len=5) \"error\": ": values
 * as PHP, Ruby and Go print them. */
static bool is_dumped(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("string("),   STR_INIT("int("),    STR_INIT("float("), STR_INIT("bool("),
        STR_INIT("array("),    STR_INIT("object("), STR_INIT("enum("),  STR_INIT("Array"),
        STR_INIT("stdClass "), STR_INIT("array (")};
    bool is_key = str_is_of(line.ptr[0], "[{\":'%(") || str_is_digit(line.ptr[0]);
    bool is_of_go = str_find(line, STR("(len=")) >= 0 || str_find(line, STR("(0xc")) > 0 ||
                    (line.ptr[0] == '(' && str_ends(line, STR("{")));
    return STARTS_ANY(line, starts) || is_of_go || (is_key && str_find(line, STR("=>")) > 0);
}

/* What programs print and nobody writes. */
static bool is_print(struct str line, bool is_at_margin)
{
    static const struct str starts[] = {
        STR_INIT("File \""),   STR_INIT("Traceback"), STR_INIT("at "),      STR_INIT("HTTP/"),
        STR_INIT("curl: ("),   STR_INIT("^"),         STR_INIT("thread '"), STR_INIT("panic: "),
        STR_INIT("Caused by"), STR_INIT("<_"),        STR_INIT("$ "),       STR_INIT("> "),
        STR_INIT("[cause]"),   STR_INIT("* "),        STR_INIT("< "),       STR_INIT("goroutine"),
        STR_INIT("ERROR"),     STR_INIT("data: ")};
    static const struct str said[] = {STR_INIT("Error "), STR_INIT("error: ")};
    bool is_object = str_starts(line, STR("{\"")) && (is_at_margin || !str_ends(line, STR(",")));
    return is_object || STARTS_ANY(line, starts) || is_dumped(line) || names_error(line) ||
           moment_leads(line) || (is_at_margin && STARTS_ANY(line, said));
}

/* The name that a line begins with: "request.cookies", "self.error". */
static struct str name_of(struct str line)
{
    size_t end = 0;
    while (end < line.len && (str_is_word(line.ptr[end]) || str_is_of(line.ptr[end], ".$@"))) {
        end++;
    }
    return str_slice(line, 0, end);
}

/* "if (", "return x": keywords of languages, which prose has as well: a sign of code goes with
 * them.
 */
static bool has_keyword(struct str line)
{
    static const struct str words[] = {
        STR_INIT("if "),      STR_INIT("if("),     STR_INIT("elif "),    STR_INIT("else"),
        STR_INIT("for "),     STR_INIT("while "),  STR_INIT("return"),   STR_INIT("def "),
        STR_INIT("func "),    STR_INIT("fn "),     STR_INIT("let "),     STR_INIT("const "),
        STR_INIT("var "),     STR_INIT("import "), STR_INIT("from "),    STR_INIT("class "),
        STR_INIT("try"),      STR_INIT("except"),  STR_INIT("catch "),   STR_INIT("async "),
        STR_INIT("await "),   STR_INIT("yield "),  STR_INIT("raise "),   STR_INIT("throw "),
        STR_INIT("switch "),  STR_INIT("case "),   STR_INIT("default:"), STR_INIT("public "),
        STR_INIT("static "),  STR_INIT("struct "), STR_INIT("export "),  STR_INIT("private "),
        STR_INIT("impl "),    STR_INIT("match "),  STR_INIT("assert"),   STR_INIT("echo "),
        STR_INIT("with "),    STR_INIT("pub "),    STR_INIT("use "),     STR_INIT("local "),
        STR_INIT("defer "),   STR_INIT("val "),    STR_INIT("go "),      STR_INIT("select "),
        STR_INIT("not "),     STR_INIT("and "),    STR_INIT("or "),      STR_INIT("fi"),
        STR_INIT("del "),     STR_INIT("} else"),  STR_INIT("} catch"),  STR_INIT("type "),
        STR_INIT("function ")};
    /* "type = \"tokens\"": a name that is given a value. */
    bool is_name = str_starts(str_slice(line, name_of(line).len, line.len), STR(" = "));
    if (!STARTS_ANY(line, words) || is_name) {
        return false;
    }
    bool has_sign = str_ends(line, STR(":"));
    for (size_t i = 0; i < line.len && !has_sign; i++) {
        has_sign = str_is_of(line.ptr[i], "(){}[]=;");
    }
    return has_sign;
}

/* "import os", "from x import y". */
static bool is_import(struct str line)
{
    bool has_one = str_starts(line, STR("import ")) && mention_count(line, STR(" ")) == 1;
    return has_one || (str_starts(line, STR("from ")) && str_find(line, STR(" import ")) > 0);
}

/* "name = call(x)", "name: Type = x", "count += 1", "name=value,": a value is given to a name that
 * is none of a report's members. */
static bool is_assignment(struct str line)
{
    static const struct str signs[] = {STR_INIT(" := "), STR_INIT(" += "), STR_INIT(" |= ")};
    struct str name = name_of(line), behind = str_slice(line, name.len, line.len);
    if (STARTS_ANY(behind, signs)) {
        return true;
    }
    static const struct str ends[] = {STR_INIT(","), STR_INIT("("), STR_INIT(")"), STR_INIT("[")};
    /* Python prints its values in single quotes, and the words for none, true and false. */
    static const struct str printed[] = {STR_INIT("='"),     STR_INIT("=None"), STR_INIT("=True"),
                                         STR_INIT("=False"), STR_INIT("=["),    STR_INIT("={"),
                                         STR_INIT("=<"),     STR_INIT("=-")};
    bool is_argument = str_starts(behind, STR("=")) && name.len > 1 && ENDS_ANY(line, ends) &&
                       !STARTS_ANY(behind, printed) && !str_is_digit(behind.ptr[1]) &&
                       !str_is_upper(behind.ptr[1]);
    bool is_given = str_starts(behind, STR(" = ")) && behind.len > 3;
    char first = is_given ? behind.ptr[3] : 'x';
    bool is_value =
        str_is_of(first, "\"'<-{[") || (str_is_digit(first) && str_ends(line, STR(",")));
    bool is_typed = str_starts(behind, STR(": ")) && str_find(behind, STR(" = ")) > 0;
    bool is_member =
        (part_of(name) != PART_NONE || str_eq(name, STR("details"))) && !str_ends(line, STR("()"));
    return is_argument || (name.len > 1 && is_typed) ||
           (name.len > 1 && !is_member && is_given && !is_value);
}

/* "name(x)" and what calls are followed by: "resp.json() == {", "verify(token):". */
static bool is_called(struct str line)
{
    struct str name = name_of(line), behind = str_slice(line, name.len, line.len);
    static const struct str ends[] = {STR_INIT("("), STR_INIT(")"), STR_INIT("{"), STR_INIT(","),
                                      STR_INIT(":"), STR_INIT(";"), STR_INIT("["), STR_INIT("`")};
    bool is_said = str_find(behind, STR("): ")) > 0 || str_find(behind, STR(") ")) > 0;
    /* "ProxyError('no tunnel')": an exception's repr. */
    bool is_class = name.len && str_is_upper(name.ptr[0]) &&
                    (str_ends(line, STR(")")) || str_eq(behind, STR("(")));
    return name.len > 1 && str_starts(behind, STR("(")) && ENDS_ANY(line, ends) && !is_said &&
           !is_class;
}

/* "(RateLimitError, APITimeoutError)": names alone. */
static bool is_tuple_of_names(struct str line)
{
    bool has_comma = false;
    for (size_t i = 1; i + 1 < line.len; i++) {
        has_comma = has_comma || line.ptr[i] == ',';
        bool is_blank = line.ptr[i] == ' ' && line.ptr[i - 1] != ',';
        if (is_blank || (!str_is_word(line.ptr[i]) && !str_is_of(line.ptr[i], "., "))) {
            return false;
        }
    }
    return has_comma && line.ptr[0] == '(' && str_ends(line, STR(")"));
}

/* "RateLimitError: (429, \"x\"),", "401: { description: \"x\" },", "at: Date.now(),", "model:
 * model,", "provider: .codex,": members of tables and arguments that no program prints. */
static bool is_member(struct str line)
{
    struct str name = name_of(line), behind = str_slice(line, name.len, line.len);
    if (name.len < 2 || !str_starts(behind, STR(": ")) || !str_ends(line, STR(","))) {
        return false;
    }
    struct str value = str_slice(behind, 2, behind.len), call = name_of(value);
    struct str rest = str_slice(value, call.len, value.len);
    bool has_call = str_find_char(call, '.') > 0 && str_starts(rest, STR("("));
    bool is_tuple = str_starts(value, STR("(")) && str_ends(line, STR("),"));
    bool is_status = name.len == 3 && str_is_digit(name.ptr[0]) && str_starts(value, STR("{ "));
    bool is_case = call.len > 1 && call.ptr[0] == '.' && str_is_lower(call.ptr[1]);
    bool is_passed = (str_eq(call, name) || is_case) && str_eq(rest, STR(","));
    return is_tuple || is_status || has_call || is_passed;
}

/* "UnauthorizedError,": a name of several that are taken in. */
static bool is_listed_name(struct str line)
{
    struct str name = name_of(line);
    return name.len > 2 && str_is_upper(name.ptr[0]) &&
           str_eq(str_slice(line, name.len, line.len), STR(","));
}

/* "InsertEvent(e *event.Event) error", "Cost(n int) (float64, error)": methods of Go. */
static bool is_signature(struct str line)
{
    bool has_result = str_ends(line, STR(") error")) ||
                      (str_find(line, STR(") (")) > 0 && str_ends(line, STR(", error)")));
    struct str name = name_of(line);
    return has_result && str_starts(str_slice(line, name.len, line.len), STR("("));
}

/* "advancedTip: 'Return locally for ...',": what an app shows, by a name of its own. */
static bool is_caption(struct str line)
{
    struct str name = name_of(line), behind = str_slice(line, name.len, line.len);
    bool has_hump = false;
    for (size_t i = 1; i < name.len; i++) {
        has_hump = has_hump || (str_is_lower(name.ptr[i - 1]) && str_is_upper(name.ptr[i]));
    }
    bool is_quoted = str_starts(behind, STR(": '")) || str_starts(behind, STR(": \""));
    return name.len > 1 && is_quoted && str_ends(line, STR(",")) && behind.len > 4 &&
           part_of(name) == PART_NONE &&
           ((unsigned char)behind.ptr[3] >= 0x80 ||
            (has_hump && str_is_upper(behind.ptr[3]) && mention_count(behind, STR(" ")) > 1));
}

/* "{429, \"rate_limit_error\"},", "\"timed out\",", names and captions: rows of lists. */
static bool is_row(struct str line)
{
    bool is_tuple =
        str_is_of(line.ptr[0], "{[(") && str_find_char(line, ':') < 0 &&
        (str_ends(line, STR("},")) || str_ends(line, STR("],")) || str_ends(line, STR("),")));
    struct str text = line;
    bool is_text = text.len > 2 && str_is_of(text.ptr[0], "\"'`") && str_ends(text, STR(",")) &&
                   text.ptr[text.len - 2] == text.ptr[0] && mention_count(text, STR(": ")) == 0;
    return is_tuple || is_tuple_of_names(line) || is_text || is_listed_name(line) ||
           is_caption(line);
}

/* "MaxRetries:     1,": aligned as gofmt does; what programs print is not. */
static bool is_aligned(struct str line)
{
    struct str name = name_of(line), behind = str_slice(line, name.len, line.len);
    bool is_wide = str_starts(behind, STR(":   ")) ||
                   (str_starts(behind, STR(":  ")) && str_is_upper(name.ptr[0]));
    return name.len > 1 && is_wide && str_ends(line, STR(","));
}

/* Whether more must follow a line. */
static bool goes_on(struct str line)
{
    return line.len && str_is_of(line.ptr[line.len - 1], ",{;:([");
}

/* What no value and no report has: the end of a call, a comment, a definition. */
static bool is_certain(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {STR_INIT(" === "), STR_INIT(" := "), STR_INIT(" ?? "),
                                       STR_INIT(" && "), STR_INIT(" is not None")};
    static const struct str starts[] = {STR_INIT("//"),   STR_INIT("/*"),    STR_INIT(")."),
                                        STR_INIT("...("), STR_INIT(") -> "), STR_INIT("r\""),
                                        STR_INIT("r'"),   STR_INIT("f\"")};
    static const struct str ends[] = {STR_INIT("});"), STR_INIT("({"),  STR_INIT("};"),
                                      STR_INIT(");"),  STR_INIT(") {"), STR_INIT("=> {")};
    return HAS_ANY(bigrams, line, marks) || STARTS_ANY(line, starts) || ENDS_ANY(line, ends) ||
           has_keyword(line) || is_import(line) ||
           (bigrams_find(bigrams, line, STR(" => ")) > 0 && goes_on(line));
}

static bool is_statement(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {STR_INIT(" -> "), STR_INIT(" == "), STR_INIT(" != "),
                                       STR_INIT(" || "), STR_INIT("?.")};
    static const struct str starts[] = {
        STR_INIT("# "), STR_INIT("\"\"\""), STR_INIT("@pytest"), STR_INIT("#expect("),
        STR_INIT("."),  STR_INIT("exit "),  STR_INIT("sleep ")};
    static const struct str words[] = {STR_INIT("done"), STR_INIT("fi"), STR_INIT("then"),
                                       STR_INIT("do"), STR_INIT("end")};
    return (HAS_ANY(bigrams, line, marks) && goes_on(line)) || STARTS_ANY(line, starts) ||
           IS_ONE_OF(line, words) || is_assignment(line) || is_called(line) || is_member(line) ||
           is_signature(line) || is_aligned(line) || str_ends(line, STR(";")) ||
           (str_starts(line, STR("| ")) && !str_ends(line, STR("|")));
}

/* "{ error: { code: 429 } }": a value as programs print it. */
static bool is_value(struct str line)
{
    return str_is_of(line.ptr[0], "{[") && str_find_char(line, ':') > 0;
}

static bool has_letter(struct str line)
{
    size_t at = 0;
    while (at < line.len && !str_is_letter(line.ptr[at])) {
        at++;
    }
    return at < line.len;
}

/* A paragraph without a statement is a list or something else: what the program printed, say. */
static void end_paragraph(struct excerpt *excerpt)
{
    bool is_list = excerpt->listed >= ROWS_MIN && excerpt->told * ROWS_OF_LINE <= excerpt->listed;
    excerpt->others += excerpt->told > 0 && excerpt->stated == 0 && !is_list;
    excerpt->told = 0;
    excerpt->listed = 0;
    excerpt->stated = 0;
}

static void add_line(struct excerpt *excerpt, const struct bigrams *bigrams, struct str line)
{
    struct str inner = str_trim(line);
    bool is_at_margin = line.ptr == inner.ptr;
    if (inner.len == 0) {
        end_paragraph(excerpt);
        return;
    }
    bool is_sure = is_certain(bigrams, inner), is_code = is_sure || is_statement(bigrams, inner);
    excerpt->certain += is_sure;
    excerpt->indented += !is_at_margin;
    bool is_listed = !is_code && is_row(inner);
    if (is_listed) {
        excerpt->rows++;
        excerpt->listed++;
        excerpt->has_print = excerpt->has_print || is_print(inner, is_at_margin);
        return;
    }
    if (!is_code && mention_is_bracket(inner)) {
        excerpt->brackets++;
        excerpt->told += has_letter(inner);
        return;
    }
    bool is_member =
        !is_at_margin && str_starts(str_slice(inner, name_of(inner).len, inner.len), STR(":"));
    excerpt->has_print = excerpt->has_print || is_print(inner, is_at_margin) ||
                         (!is_code && !is_member && failure_is_reported(bigrams, inner)) ||
                         (!is_code && is_at_margin && is_value(inner));
    excerpt->lines++;
    excerpt->statements += is_code;
    excerpt->told++;
    excerpt->stated += is_code;
    excerpt->others += !is_code && is_at_margin;
}

bool mention_is_excerpt(struct bigram_lines *lines)
{
    struct excerpt excerpt = {0};
    struct str line;
    if (str_find_char(str_trim(lines->text), '\n') < 0) {
        return false;
    }
    bigrams_rewind(lines);
    while (bigrams_next_line(lines, &line) && !excerpt.has_print && excerpt.others == 0) {
        add_line(&excerpt, &lines->bigrams, line);
    }
    end_paragraph(&excerpt);
    bigrams_rewind(lines);
    size_t all = excerpt.lines + excerpt.brackets + excerpt.rows;
    bool is_inside = excerpt.indented * 2 >= all;
    bool is_whole = excerpt.statements == excerpt.lines && excerpt.certain > 0;
    bool is_mostly = excerpt.statements * 2 >= excerpt.lines;
    bool is_stated = excerpt.statements >= STATEMENTS_MIN && is_mostly && (is_whole || is_inside);
    bool is_sure = excerpt.certain > 0 && is_inside && all >= STATEMENTS_MIN;
    bool is_list =
        excerpt.rows >= ROWS_MIN && excerpt.lines * ROWS_OF_LINE <= excerpt.rows && is_inside;
    return !excerpt.has_print && excerpt.others == 0 && (is_stated || is_sure || is_list);
}
