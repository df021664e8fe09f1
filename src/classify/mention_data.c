/* Data that speaks of errors: settings, catalogues of messages, tables, statements of databases,
 * differences of versions, markup. Takes a text, says whether nearly all of its lines have one such
 * form. Where a key of a report stands in it with a value, it is none. */
#include "classify/mention.h"

#include "classify/parts.h"

#define LINES_MIN 3      /* of settings, rows, entries */
#define YAML_LINES_MIN 5 /* people write "Model: x" lines as well */
#define KEY_BYTES_MAX 48

static bool is_name(char c)
{
    return str_is_alnum(c) || str_is_of(c, "_.-/$\"'[]");
}

/* How many lines of a text have which form. */
struct forms {
    size_t lines;             /* that count: no comments, no lone brackets */
    size_t yaml;              /* "key: value", "- item" */
    size_t openers;           /* "key:" with more indented below */
    size_t pairs;             /* "key = value" */
    size_t tags;              /* "<name ..." */
    size_t commits;           /* "8c1d2a9 subject" */
    size_t entries;           /* of a catalogue for translators */
    size_t rows;              /* "401  name  meaning", by rising numbers */
    size_t commands;          /* of SQL */
    size_t names;             /* one word without a sign behind it */
    size_t literals, commas;  /* '"a phrase",', and those with the comma */
    size_t told;              /* keys of reports with a value */
    size_t opened_at, indent; /* of the last opener; SIZE_MAX when its block has begun */
    int64_t number;           /* of the last row */
};

static bool is_comment(struct str inner)
{
    static const struct str starts[] = {STR_INIT("#"), STR_INIT("//"), STR_INIT("-- "),
                                        STR_INIT(";")};
    return STARTS_ANY(inner, starts) && !str_starts(inner, STR("#["));
}

static bool is_bracket(struct str inner)
{
    for (size_t i = 0; i < inner.len; i++) {
        if (!str_is_of(inner.ptr[i], "{}[]();,")) {
            return false;
        }
    }
    return true;
}

/* The name at the front of a line, quotes left off, and what stands behind the sign that follows:
 * unset when there is none. */
static struct str value_behind(struct str inner, char sign, struct str *key)
{
    size_t at = 0;
    while (at < inner.len && is_name(inner.ptr[at])) {
        at++;
    }
    *key = str_slice(inner, 0, at);
    while (at < inner.len && inner.ptr[at] == ' ') {
        at++;
    }
    while (key->len && str_is_of(key->ptr[0], "\"'")) {
        *key = str_slice(*key, 1, key->len);
    }
    while (key->len && str_is_of(key->ptr[key->len - 1], "\"'")) {
        key->len--;
    }
    bool has_sign =
        at < inner.len && inner.ptr[at] == sign && key->len > 0 && key->len <= KEY_BYTES_MAX;
    return has_sign ? str_slice(inner, at + 1, inner.len) : (struct str){NULL, 0};
}

/* Keys that stand in reports of failures; titles and descriptions stand everywhere. */
static bool tells(struct str key, struct str value)
{
    static const struct str harmless[] = {STR_INIT("title"), STR_INIT("description"),
                                          STR_INIT("details"), STR_INIT("body")};
    enum part part = part_of(key);
    bool is_class = str_ends(key, STR("rror")) || str_ends(key, STR("xception")) ||
                    str_eq(key, STR("panic")) || str_eq(key, STR("fatal"));
    double number;
    bool is_number = str_to_double(str_trim(value), &number);
    return (is_class && str_find_char(key, '_') < 0 && str_trim(value).len) ||
           (str_trim(value).len && !IS_ONE_OF(key, harmless) &&
            ((part == PART_ERROR && !is_number) || part == PART_MESSAGE || part == PART_CODE ||
             part == PART_REASON || part == PART_STATUS));
}

static void count_yaml(struct forms *forms, struct str inner, size_t indent)
{
    struct str item =
        str_starts(inner, STR("- ")) ? str_trim(str_slice(inner, 2, inner.len)) : inner;
    struct str key, value = value_behind(item, ':', &key);
    bool is_pair = str_is_set(value) && (value.len == 0 || value.ptr[0] == ' ');
    bool is_below = forms->opened_at != SIZE_MAX && indent > forms->opened_at;
    forms->openers += is_below;
    forms->opened_at = is_pair && str_trim(value).len == 0 ? indent : SIZE_MAX;
    forms->told += is_pair && tells(key, value);
    forms->yaml += is_pair || item.ptr != inner.ptr || indent > forms->indent;
    forms->indent = is_pair ? indent : forms->indent;
}

static void count_pair(struct forms *forms, struct str inner)
{
    struct str key, value = value_behind(inner, '=', &key);
    char last = inner.ptr[inner.len - 1];
    bool is_section = (inner.ptr[0] == '[' && last == ']') || last == '{';
    bool is_logged = str_find(inner, STR(" level=")) > 0 || str_find(inner, STR(" msg=")) > 0;
    bool is_pair = str_is_set(value) && !is_logged;
    forms->pairs += is_pair || is_section;
    forms->told += is_pair && tells(key, value);
}

static bool is_commit(struct str inner)
{
    size_t at = 0;
    while (at < inner.len &&
           (str_is_digit(inner.ptr[at]) || (inner.ptr[at] >= 'a' && inner.ptr[at] <= 'f'))) {
        at++;
    }
    return at >= 7 && at <= 40 && at + 1 < inner.len && inner.ptr[at] == ' ';
}

/* "#412  Handle timeouts": of a list of tickets. */
static bool is_ticket(struct str inner)
{
    size_t at = 1;
    while (at < inner.len && str_is_digit(inner.ptr[at])) {
        at++;
    }
    return inner.ptr[0] == '#' && at > 1 && at < inner.len && inner.ptr[at] == ' ';
}

/* "ECONNREFUSED" alone on its line, as manuals head what they say of it. */
static bool is_errno_name(struct str inner)
{
    for (size_t i = 0; i < inner.len; i++) {
        if (inner.ptr[i] < 'A' || inner.ptr[i] > 'Z') {
            return false;
        }
    }
    static const struct str levels[] = {STR_INIT("ERR"), STR_INIT("EMERG")};
    return inner.len > 3 && inner.ptr[0] == 'E' && !STARTS_ANY(inner, levels);
}

/* "28     Operation timeout": rising numbers, as lists of codes have them. */
static void count_row(struct forms *forms, struct str inner)
{
    size_t at = 0;
    int64_t number;
    while (at < inner.len && str_is_digit(inner.ptr[at])) {
        at++;
    }
    ptrdiff_t bracket = inner.ptr[0] == '[' ? str_find(inner, STR("] ")) : -1;
    bool is_errno = bracket > 3 && is_errno_name(str_slice(inner, 1, (size_t)bracket));
    if (is_errno || is_errno_name(inner)) { /* "[EACCES]   The file ..." of a manual */
        forms->rows++;
    } else if (at > 0 && at <= 3 && str_starts(str_slice(inner, at, inner.len), STR("  ")) &&
               str_to_i64(str_slice(inner, 0, at), &number) && number > forms->number) {
        forms->rows++;
        forms->number = number;
    }
}

/* "test_gives_up_after_429", "'TimeoutError',": one of a list of names. */
static bool is_listed_name(struct str inner)
{
    bool is_chosen = str_starts(inner, STR("* ")); /* of branches */
    inner = mention_without_mark(inner);
    for (size_t i = 0; i < inner.len; i++) {
        if (!is_name(inner.ptr[i]) && inner.ptr[i] != ',') {
            return false;
        }
    }
    return inner.len && (is_chosen || str_find_char(inner, '_') > 0 ||
                         str_find_char(inner, '/') > 0 || inner.ptr[inner.len - 1] == ',');
}

/* '"timed out",', "timeout: [": of a list of phrases that a program looks for. */
static bool is_listed_literal(struct str inner)
{
    struct str phrase = str_slice(inner, 0, inner.len - str_ends(inner, STR(",")));
    if (str_ends(phrase, STR("["))) {
        return true;
    }
    if (phrase.len < 2 || !str_is_of(phrase.ptr[0], "\"'") ||
        phrase.ptr[phrase.len - 1] != phrase.ptr[0]) {
        return false;
    }
    struct str words = str_slice(phrase, 1, phrase.len - 1);
    return words.len <= KEY_BYTES_MAX && str_find_char(words, phrase.ptr[0]) < 0;
}

/* "fallbacks: [{"gpt-4o": ["x"]}]": a list as a value, with no word of a failure in it. */
static bool is_list_value(struct str inner)
{
    struct str key, value = str_trim(value_behind(inner, ':', &key));
    return value.len && value.ptr[0] == '[' && !failure_is_told(inner);
}

static void count_line(struct forms *forms, const struct bigrams *bigrams, struct str line)
{
    static const struct str commands[] = {STR_INIT("INSERT INTO "), STR_INIT("CREATE TABLE "),
                                          STR_INIT("COPY "),        STR_INIT("ALTER TABLE "),
                                          STR_INIT("UPDATE "),      STR_INIT("DROP TABLE ")};
    static const struct str entries[] = {STR_INIT("msgid "), STR_INIT("msgstr")};
    struct str inner = str_trim(line);
    if (is_bracket(inner) || (is_comment(inner) && !is_ticket(inner))) {
        return;
    }
    forms->lines++;
    forms->told += mention_has_report(bigrams, inner) && !is_list_value(inner);
    bool is_place = str_find(inner, STR(">:")) > 0; /* "<stdin>:1:19: ..." */
    forms->tags += inner.ptr[0] == '<' && inner.len > 2 && !is_place &&
                   (is_name(inner.ptr[1]) || inner.ptr[1] == '?') && !str_is_digit(inner.ptr[1]);
    forms->names += is_listed_name(inner);
    forms->literals += is_listed_literal(inner);
    forms->commas += str_ends(inner, STR("\",")) || str_ends(inner, STR("',"));
    forms->commits += is_commit(inner) || is_ticket(inner);
    forms->entries += STARTS_ANY(inner, entries);
    forms->commands += STARTS_ANY(inner, commands);
    count_yaml(forms, inner, (size_t)(inner.ptr - line.ptr));
    count_pair(forms, inner);
    count_row(forms, inner);
}

/* Markup that answers of servers consist of. */
static bool has_answer_tag(struct str text)
{
    static const struct str tags[] = {
        STR_INIT("<html"),  STR_INIT("<!doctype"), STR_INIT("<head"),
        STR_INIT("<title"), STR_INIT("<h1"),       STR_INIT("<error"),
        STR_INIT("<code>"), STR_INIT("<message"),  STR_INIT("<failure")};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        if (str_ifind(text, tags[i]) >= 0) {
            return true;
        }
    }
    return false;
}

static bool names_any(struct str head, const struct str *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_ifind(head, names[i]) >= 0) {
            return true;
        }
    }
    return false;
}

/* "id,opened,subject": the head of a table between signs, and each row with as many of them. A
 * column of errors or results makes it a log. */
static bool is_separated(struct str text, char sign)
{
    static const struct str outcomes[] = {STR_INIT("error"), STR_INIT("result"),
                                          STR_INIT("outcome")};
    struct str rest = text, line, cell, head;
    size_t cells = 0, rows = 0, others = 0;
    (void)str_split(&rest, '\n', &head);
    for (struct str names = head; str_split(&names, sign, &cell); cells++) {
        cell = str_trim(cell);
        bool is_column = cell.len && cell.len <= KEY_BYTES_MAX && str_find_char(cell, ' ') < 0;
        enum part part = part_of(cell);
        if (!is_column || part == PART_ERROR || part == PART_MESSAGE || part == PART_CODE ||
            names_any(cell, outcomes, sizeof outcomes / sizeof outcomes[0])) {
            return false;
        }
    }
    while (cells > 1 && str_split(&rest, '\n', &line)) {
        line = str_trim(line);
        bool is_row = str_count_char(line, sign) >= cells - 1;
        rows += line.len && is_row;
        others += line.len && !is_row;
    }
    return rows > 1 && others == 0;
}

/* A table of columns between runs of blanks, under a head none of whose names is one of a report.
 */
static bool is_columnar(struct str text)
{
    static const struct str reports[] = {STR_INIT("error"),  STR_INIT("message"),
                                         STR_INIT("reason"), STR_INIT("status"),
                                         STR_INIT("result"), STR_INIT("log")};
    struct str rest = text, line, head = {NULL, 0};
    size_t rows = 0;
    while (str_split(&rest, '\n', &line)) {
        line = str_trim(line);
        head = head.ptr ? head : line;
        rows += line.len > 0;
        if (line.len && mention_count(line, STR("  ")) < 2) {
            return false;
        }
    }
    return rows >= LINES_MIN && !str_is_digit(head.ptr[0]) &&
           !names_any(head, reports, sizeof reports / sizeof reports[0]);
}

/* "----+-----" below the head of a table, as clients of databases print one. A column of errors
 * makes it a log. */
static bool is_ruled(struct str text)
{
    struct str rest = text, head, ruler, cell;
    if (!str_split(&rest, '\n', &head) || !str_split(&rest, '\n', &ruler) ||
        str_find(ruler, STR("-+-")) < 0) {
        return false;
    }
    for (size_t i = 0; i < ruler.len; i++) {
        if (!str_is_of(ruler.ptr[i], "-+ ")) {
            return false;
        }
    }
    while (str_split(&head, '|', &cell)) {
        enum part part = part_of(str_trim(cell));
        if (part == PART_ERROR || part == PART_MESSAGE || str_ifind(cell, STR("error")) >= 0) {
            return false;
        }
    }
    return true;
}

/* A table of AsciiDoc. */
static bool is_asciidoc(struct str text)
{
    return mention_count(text, STR("\n|===")) > 1;
}

/* Scenarios of tests in words, rules of alerts, what a cluster shall hold. */
static bool is_specification(struct str text)
{
    return (str_starts(text, STR("Feature: ")) && str_find(text, STR("Scenario")) > 0) ||
           (str_starts(text, STR("apiVersion: ")) && str_find(text, STR("\nkind: ")) > 0 &&
            str_find(text, STR("\nstatus:")) < 0) ||
           (str_find(text, STR("alert: ")) >= 0 && str_find(text, STR("expr: ")) > 0);
}

/* What tools of version control print: a patch, a history. */
static bool is_version_control(struct str text)
{
    static const struct str starts[] = {STR_INIT("diff --git "), STR_INIT("--- a/"),
                                        STR_INIT("Index: ")};
    struct str behind = str_slice(text, 7, text.len);
    return STARTS_ANY(text, starts) || (str_starts(text, STR("commit ")) && is_commit(behind)) ||
           (str_starts(text, STR("commit ")) && str_find(text, STR("\nAuthor: ")) > 0);
}

/* One unindented line that stands apart behind settings is a program's, whatever sign is in it. */
static bool has_postscript(struct str text)
{
    ptrdiff_t gap = -1;
    for (size_t at = 0; at + 1 < text.len; at++) {
        gap = text.ptr[at] == '\n' && text.ptr[at + 1] == '\n' ? (ptrdiff_t)at + 2 : gap;
    }
    struct str last = str_slice(text, (size_t)(gap < 0 ? 0 : gap), text.len);
    return gap > 0 && str_find_char(last, '\n') < 0 && str_trim(last).ptr == last.ptr &&
           str_count_char(last, ' ') > 1;
}

bool mention_is_data(struct bigram_lines *lines)
{
    struct forms forms = {.opened_at = SIZE_MAX, .number = -1};
    struct str text = str_trim(lines->text), line;
    bigrams_rewind(lines);
    while (bigrams_next_line(lines, &line)) {
        if (str_trim(line).len) {
            count_line(&forms, &lines->bigrams, line);
        }
    }
    if (is_version_control(text) || is_asciidoc(text) || is_ruled(text) || is_specification(text) ||
        forms.entries > 1 || forms.commands > 0) {
        return true;
    }
    if (forms.lines < LINES_MIN) {
        return false;
    }
    bool is_yaml = forms.lines >= YAML_LINES_MIN && forms.openers > 0 &&
                   forms.yaml == forms.lines && !has_postscript(text);
    bool is_list = forms.literals == forms.lines && forms.commas > 1;
    return (forms.told == 0 && (is_yaml || is_list || forms.pairs == forms.lines)) ||
           forms.commits == forms.lines || forms.names == forms.lines ||
           (forms.rows >= LINES_MIN &&
            str_find(text, STR("Traceback (most recent call last)")) < 0) ||
           (forms.tags * 5 >= forms.lines * 3 && !has_answer_tag(text)) ||
           (forms.told == 0 && is_columnar(text)) || is_separated(text, ',') ||
           is_separated(text, ';') || is_separated(text, '\t');
}
