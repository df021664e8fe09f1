/* Sources of programs, in whatever language. Takes lines and texts, says whether they are code. */
#include "classify/mention.h"

#include "classify/parts.h"

/* "self.name = name", "super(message)": a statement that ends with nothing. */
static bool is_statement(struct str line)
{
    size_t at = 0;
    while (at < line.len && (str_is_word(line.ptr[at]) || line.ptr[at] == '.')) {
        at++;
    }
    struct str behind = str_slice(line, at, line.len);
    bool has_dot = str_find_char(str_slice(line, 0, at), '.') > 0;
    /* "Pool(host='x'): Max retries exceeded (Caused by ...)": what a call says of itself. */
    bool is_said = str_find(behind, STR("): ")) > 0;
    return at > 0 && !is_said &&
           ((str_starts(behind, STR("(")) && str_ends(line, STR(")"))) ||
            (has_dot && str_starts(behind, STR(" = "))));
}

/* "* TLSv1.3 (IN), TLS alert, ...": what curl -v tells, of the form of a comment's line. */
static bool is_curl_note(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("* TLS"),        STR_INIT("* SSL"),          STR_INIT("* OpenSSL"),
        STR_INIT("* LibreSSL"),   STR_INIT("* schannel"),     STR_INIT("* Connect"),
        STR_INIT("*   Trying"),   STR_INIT("* Trying"),       STR_INIT("* Closing connection"),
        STR_INIT("* ALPN"),       STR_INIT("* Host "),        STR_INIT("* Could not resolve"),
        STR_INIT("* Recv fail"),  STR_INIT("* Failed to "),   STR_INIT("* connect to "),
        STR_INIT("* Operation "), STR_INIT("* Empty reply "), STR_INIT("* Received ")};
    return STARTS_ANY(line, starts);
}

/* "Error occurred while processing the response: {": a report that a printed value follows. */
static bool opens_report(struct str line)
{
    static const struct str starts[] = {STR_INIT("Error "), STR_INIT("An error "),
                                        STR_INIT("Failed to "), STR_INIT("Unable to ")};
    return str_ends(line, STR(": {")) && STARTS_ANY(line, starts);
}

/* "is TimeoutException -> \"...\"", "{:error, %{status: 529}} -> {:retry, :busy}": one of the cases
 * of Kotlin, Elixir, Erlang. */
static bool is_branch(const struct bigrams *bigrams, struct str line)
{
    static const struct str starts[] = {STR_INIT("is "), STR_INIT("{:"), STR_INIT("else -> "),
                                        STR_INIT("_ -> "), STR_INIT("{error, ")};
    return STARTS_ANY(line, starts) && bigrams_find(bigrams, line, STR(" -> ")) > 0;
}

/* A line that is nothing but code: a comment, a keyword, a full statement. */
static bool is_plain_code(const struct bigrams *bigrams, struct str line)
{
    static const struct str starts[] = {
        STR_INIT("//"),      STR_INIT("/*"),       STR_INIT("* "),          STR_INIT("*/"),
        STR_INIT("def "),    STR_INIT("class "),   STR_INIT("import "),     STR_INIT("return"),
        STR_INIT("self."),   STR_INIT("elif "),    STR_INIT("else:"),       STR_INIT("raise "),
        STR_INIT("try:"),    STR_INIT("except "),  STR_INIT("#include"),    STR_INIT("#define"),
        STR_INIT("#if"),     STR_INIT("#endif"),   STR_INIT("static "),     STR_INIT("struct "),
        STR_INIT("public "), STR_INIT("private "), STR_INIT("func "),       STR_INIT("fn "),
        STR_INIT("let "),    STR_INIT("const "),   STR_INIT("var "),        STR_INIT("export "),
        STR_INIT("case "),   STR_INIT("assert "),  STR_INIT("} catch"),     STR_INIT("} else"),
        STR_INIT("# "),      STR_INIT("#["),       STR_INIT("\"\"\""),      STR_INIT("pub "),
        STR_INIT("=head"),   STR_INIT("=cut"),     STR_INIT("=over"),       STR_INIT("=item"),
        STR_INIT("=back"),   STR_INIT("__"),       STR_INIT("<?php"),       STR_INIT("when '"),
        STR_INIT("module."), STR_INIT("this."),    STR_INIT("'use strict"), STR_INIT("enum "),
        STR_INIT("app."),    STR_INIT("message "), STR_INIT("(*"),          STR_INIT("{$"),
        STR_INIT("-- ")};
    static const struct str words[] = {STR_INIT("end"),  STR_INIT("esac"), STR_INIT("fi"),
                                       STR_INIT("done"), STR_INIT("pass"), STR_INIT("break"),
                                       STR_INIT("begin")};
    bool is_import =
        str_starts(line, STR("from ")) && bigrams_find(bigrams, line, STR(" import ")) > 0;
    return str_ends(line, STR(";")) || str_ends(line, STR("):")) || is_import ||
           (STARTS_ANY(line, starts) && !is_curl_note(line)) || IS_ONE_OF(line, words) ||
           is_branch(bigrams, line) || is_statement(line);
}

bool mention_is_code(const struct bigrams *bigrams, struct str line)
{
    static const struct str marks[] = {STR_INIT(" => "), STR_INIT(" then raise "),
                                       STR_INIT(" = \""), STR_INIT(" = {")};
    static const struct str ends[] = {STR_INIT("{"),  STR_INIT("("),   STR_INIT("),"),
                                      STR_INIT("],"), STR_INIT("\")"), STR_INIT("')")};
    bool is_key = line.ptr[0] == '"' || line.ptr[0] == '{';
    return (ENDS_ANY(line, ends) && !is_key && !opens_report(line)) ||
           HAS_ANY(bigrams, line, marks) || is_plain_code(bigrams, line);
}

bool mention_is_bracket(struct str line)
{
    if (str_ends(line, STR(",")) && mention_count(line, STR(" ")) < 2) {
        return true;
    }
    for (size_t i = 0; i < line.len; i++) {
        if (!str_is_of(line.ptr[i], "{}[]();,")) {
            return false;
        }
    }
    return true;
}

/* "{", "  error = {", "    message = \"x\",", "}": a table with an answer in it, as Lua's editors
 * print one; a setting or a catalogue has no such member. */
static bool is_printed_table(struct str text)
{
    struct str rest = str_trim(text), line;
    bool is_braced =
        str_split(&rest, '\n', &line) && str_is_set(rest) && str_ends(str_trim(text), STR("}"));
    struct str head = str_trim(line);
    bool is_headed = str_eq(head, STR("{")) || str_ends(head, STR(": {")) ||
                     str_ends(head, STR("] {")) || str_eq(head, STR("error = {"));
    bool has_error = str_eq(head, STR("error = {")), has_words = false, has_other = false;
    while (is_braced && is_headed && str_split(&rest, '\n', &line)) {
        struct str inner = str_trim(line);
        has_error = has_error || str_eq(inner, STR("error = {"));
        has_words = has_words || str_starts(inner, STR("message = \""));
        has_other = has_other ||
                    (inner.len && str_find(inner, STR(" = ")) < 0 && !mention_is_bracket(inner));
    }
    return has_error && has_words && !has_other;
}

bool mention_is_all_code(struct str text)
{
    struct bigrams bigrams;
    bool is_short = text.len < DOCUMENT_BYTES_MIN, has_plain = false;
    /* What Perl's Data::Dumper and Lua's vim.inspect print. */
    if (str_starts(text, STR("$VAR1 = ")) || is_printed_table(text)) {
        return false;
    }
    for (struct str rest = text, line; rest.len;) {
        bool is_first = rest.ptr == text.ptr;
        struct str paragraph = mention_next_paragraph(&rest), lines = paragraph;
        bool is_at_margin = false, has_code = false, is_plain = false;
        bigrams_read(&bigrams, paragraph);
        while (str_split(&lines, '\n', &line)) {
            struct str inner = str_trim(line);
            has_code = has_code || (inner.len && mention_is_code(&bigrams, inner));
            is_plain = is_plain || (inner.len && is_plain_code(&bigrams, inner));
            is_at_margin = is_at_margin || (!mention_is_bracket(inner) && line.ptr == inner.ptr);
        }
        has_plain = has_plain || is_plain;
        bool is_edge = is_first || rest.len == 0, tells = is_edge && failure_is_told(paragraph);
        bool is_strange =
            tells ? !is_plain
                  : !has_code && is_short && (is_edge || mention_has_report(&bigrams, paragraph));
        if (is_at_margin && is_strange) {
            return false;
        }
    }
    return has_plain;
}
