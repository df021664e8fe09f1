/* Blocks that speak of errors without reporting one: functions, lists of explanations, chapters on
 * troubleshooting, catalogues of messages. Takes pasted text, gives it
 * with what is none of a report blanked. */
#include "classify/mention.h"
#include "classify/parts.h"
#include "input/log_time.h"

#include <string.h>

#define QUESTION_BYTES_MAX 60
#define QUESTION_REST_MIN 12

/* "|---|---|" or "├───┼───┤" under the head of a table. */
static bool has_ruler(const struct bigrams *bigrams, struct str line)
{
    static const struct str rulers[] = {STR_INIT("|---"), STR_INIT("| ---"), STR_INIT("|:--"),
                                        STR_INIT("| :--"), STR_INIT("├──")};
    return HAS_ANY(bigrams, line, rulers);
}

/* "| model | result |": the head of a table of runs, each row of which tells how one ended. */
static bool heads_results(struct str line)
{
    static const struct str names[] = {STR_INIT("result"), STR_INIT("results"), STR_INIT("outcome"),
                                       STR_INIT("结果"), STR_INIT("测试结果")};
    struct str rest = str_trim(line), cell;
    if (!str_starts(rest, STR("|"))) {
        return false;
    }
    while (str_split(&rest, '|', &cell)) {
        struct str name = str_trim(cell);
        if (IS_ONE_OF(name, names)) {
            return true;
        }
    }
    return false;
}

static size_t indent_of(struct str line)
{
    size_t count = 0;
    while (count < line.len && (line.ptr[count] == ' ' || line.ptr[count] == '\t')) {
        count++;
    }
    return count;
}

/* "for x in items:", "if error.code == 429:", "with open(path):"; but "For the second model (gpt):"
 * is a person's. */
static bool is_python_head(const struct bigrams *bigrams, struct str inner)
{
    static const struct str tests[] = {STR_INIT("if "), STR_INIT("while "), STR_INIT("elif ")};
    static const struct str signs[] = {
        STR_INIT(" == "),         STR_INIT(" in ("), STR_INIT(" in ["),  STR_INIT(" is None"),
        STR_INIT(" is not None"), STR_INIT(" != "),  STR_INIT("if not ")};
    ptrdiff_t in = str_find(inner, STR(" in ")), call = str_find_char(inner, '(');
    bool is_call = call > 0 && inner.ptr[call - 1] != ' ';
    bool is_loop = str_starts(inner, STR("for ")) && in > 0 &&
                   (is_call || str_find_char(str_slice(inner, (size_t)in + 4, inner.len), ' ') < 0);
    return is_loop || (STARTS_ANY(inner, tests) && (is_call || HAS_ANY(bigrams, inner, signs))) ||
           (str_starts(inner, STR("with ")) && is_call) || str_eq(inner, STR("try:"));
}

/* "const NAMES = {", "def handle(answer):", "Author: Kim" of a commit: what is indented below
 * belongs to it. */
static bool opens_block(const struct bigrams *bigrams, struct str line)
{
    static const struct str braced[] = {
        STR_INIT("switch ("),  STR_INIT("match "),  STR_INIT("try {"),      STR_INIT("if ("),
        STR_INIT("} else"),    STR_INIT("} catch"), STR_INIT("for ("),      STR_INIT("while ("),
        STR_INIT("function "), STR_INIT("async "),  STR_INIT("fn "),        STR_INIT("impl "),
        STR_INIT("struct "),   STR_INIT("type "),   STR_INIT("interface "), STR_INIT("public "),
        STR_INIT("private "),  STR_INIT("static "), STR_INIT("let "),       STR_INIT("var ")};
    struct str inner = str_trim(line);
    bool is_open = str_ends(inner, STR("{")), is_led = str_ends(inner, STR(":"));
    bool is_comment = str_starts(inner, STR("#")) || str_starts(inner, STR("//"));
    bool may_open = is_open || (is_led && !is_comment) || str_ends(inner, STR("(")) ||
                    str_ends(inner, STR("["));
    return (may_open && mention_is_source_code(bigrams, inner)) ||
           (is_open && STARTS_ANY(inner, braced)) || (is_led && is_python_head(bigrams, inner)) ||
           str_starts(line, STR("Author: ")) || str_starts(line, STR("Date:   "));
}

size_t mention_heading_level(struct str line)
{
    size_t level = 0;
    while (level < line.len && line.ptr[level] == '#') {
        level++;
    }
    return level < line.len && line.ptr[level] == ' ' ? level : 0;
}

/* "## Troubleshooting", "Common errors:", "错误码": what follows explains failures. */
static bool opens_chapter(struct str inner)
{
    static const struct str names[] = {
        STR_INIT("troubleshooting"), STR_INIT("common errors"),  STR_INIT("common problems"),
        STR_INIT("error codes"),     STR_INIT("error handling"), STR_INIT("故障排查"),
        STR_INIT("故障排除"),        STR_INIT("常见错误"),       STR_INIT("错误码"),
        STR_INIT("错误处理"),        STR_INIT("问题排查"),       STR_INIT("常见问题"),
        STR_INIT("causes"),          STR_INIT("common causes"),  STR_INIT("possible causes"),
        STR_INIT("常见原因"),        STR_INIT("可能原因"),       STR_INIT("可能的原因")};
    struct str words = inner;
    while (words.len && str_is_of(words.ptr[0], "#* ")) {
        words = str_slice(words, 1, words.len);
    }
    while (words.len && str_is_of(words.ptr[words.len - 1], ":* ")) {
        words.len--;
    }
    return IS_ONE_OF(words, names) || (mention_heading_level(inner) && STARTS_ANY(words, names));
}

static bool is_failure_name(struct str lead)
{
    static const struct str labels[] = {
        STR_INIT("error"),  STR_INIT("errors"),     STR_INIT("message"),  STR_INIT("status"),
        STR_INIT("output"), STR_INIT("logs"),       STR_INIT("response"), STR_INIT("error message"),
        STR_INIT("result"), STR_INIT("last error"), STR_INIT("failure"),  STR_INIT("exception"),
        STR_INIT("错误"),   STR_INIT("报错"),       STR_INIT("错误信息"), STR_INIT("报错信息")};
    bool has_status =
        lead.len >= 3 && (lead.ptr[0] == '4' || lead.ptr[0] == '5') && str_is_digit(lead.ptr[1]);
    return !IS_ONE_OF(lead, labels) &&
           (has_status || str_find_char(lead, '_') > 0 || failure_is_told(lead) ||
            str_ifind(lead, STR("rate limit")) >= 0 || str_ifind(lead, STR("quota")) >= 0 ||
            str_ifind(lead, STR("timeout")) >= 0 || str_ifind(lead, STR("capacity")) >= 0);
}

/* "- **Model not found**: run ...", "* `insufficient_quota` - top up", "- 401 Unauthorized: ...".
 */
static bool is_explained_item(struct str line)
{
    static const struct str quotes[] = {STR_INIT("**"), STR_INIT("`"), STR_INIT("\""),
                                        STR_INIT("“")};
    static const struct str closes[] = {STR_INIT("**"), STR_INIT("`"), STR_INIT("\""),
                                        STR_INIT("”")};
    static const struct str joins[] = {STR_INIT(":"),   STR_INIT("："), STR_INIT("- "),
                                       STR_INIT("– "),  STR_INIT("— "), STR_INIT("→"),
                                       STR_INIT("=> "), STR_INIT("->")};
    struct str words = mention_without_mark(line);
    bool has_mark = words.ptr != str_trim(line).ptr;
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        struct str inner = str_slice(words, quotes[i].len, words.len);
        ptrdiff_t close = str_starts(words, quotes[i]) ? str_find(inner, closes[i]) : -1;
        if (close > 0 && (has_mark || i < 2)) {
            struct str lead = str_trim(str_slice(inner, 0, (size_t)close));
            words = str_trim(str_slice(inner, (size_t)close + closes[i].len, inner.len));
            bool is_joined = STARTS_ANY(words, joins) || str_ends(lead, STR(":"));
            lead.len -= str_ends(lead, STR(":"));
            return is_joined && is_failure_name(lead);
        }
    }
    ptrdiff_t colon = str_find(words, STR(": "));
    return has_mark && colon > 2 && words.ptr[0] >= '4' && words.ptr[0] <= '5' &&
           is_failure_name(str_slice(words, 0, (size_t)colon));
}

static struct str without_quotes(struct str key)
{
    while (key.len && str_is_of(key.ptr[0], "\"'")) {
        key = str_slice(key, 1, key.len);
    }
    while (key.len && str_is_of(key.ptr[key.len - 1], "\"'")) {
        key.len--;
    }
    return key;
}

/* "errors.rateLimit = Rate limit exceeded", "rate_limit: \"Rate limit exceeded\",": a name and a
 * sentence, as catalogues of messages have them. */
static bool is_entry(struct str line)
{
    struct str inner = str_trim(line), key, value;
    size_t end = 0;
    while (end < inner.len && inner.ptr[end] != ':' && inner.ptr[end] != '=' &&
           inner.ptr[end] != '\0') {
        end++;
    }
    key = str_trim(str_slice(inner, 0, end));
    value = str_trim(str_slice(inner, end + 1, inner.len));
    key = without_quotes(key);
    bool is_quoted = value.len && str_is_of(value.ptr[0], "\"'");
    value = is_quoted ? str_slice(value, 1, value.len) : value;
    return key.len > 2 && str_find_char(key, ' ') < 0 && part_of(key) == PART_NONE &&
           str_find_char(value, ' ') >= 0 &&
           ((value.len && str_is_upper(value.ptr[0])) ||
            (value.len && (unsigned char)value.ptr[0] >= 0x80)) &&
           (is_quoted || str_find_char(key, '.') > 0);
}

/* What a walk over the lines knows. */
struct reading {
    size_t cells_min, block_indent;
    bool is_in_block, is_in_fence;
    bool is_in_chapter;
    size_t chapter_level;  /* of its heading, 0 where it is none of Markdown */
    bool has_items;        /* several explained items stand in the text */
    bool has_catalogue;    /* and several entries */
    bool has_statuses;     /* several statuses are explained */
    bool has_status_items; /* or named in a list */
};

/* The first status of a failure in the line: "400" of "Attempt 2/3 failed: 400: no such model". */
static struct str status_in(struct str line)
{
    for (size_t at = 0, end; at < line.len; at = end + 1) {
        for (end = at; end < line.len && str_is_digit(line.ptr[end]); end++) {
        }
        if (end - at == 3 && (line.ptr[at] == '4' || line.ptr[at] == '5')) {
            return str_slice(line, at, end);
        }
    }
    return (struct str){NULL, 0};
}

/* "* 503 Service Unavailable": an item that is a status and its name, as lists of what is retried
 * have them. */
static bool is_status_item(struct str line)
{
    struct str words = mention_without_mark(line), rest = str_slice(words, 3, words.len);
    bool is_named = words.ptr != str_trim(line).ptr &&
                    str_eq(status_in(words), str_slice(words, 0, 3)) && rest.len > 4 &&
                    rest.ptr[0] == ' ';
    for (size_t at = 0; at < rest.len && is_named; at++) {
        is_named = str_is_letter(rest.ptr[at]) || rest.ptr[at] == ' ';
    }
    return is_named;
}

static struct reading survey(struct bigram_lines *lines)
{
    const struct bigrams *bigrams = &lines->bigrams;
    struct str line, last = {NULL, 0}, last_status = {NULL, 0};
    size_t items = 0, entries = 0, told = 0, statuses = 0, rulers = 0, status_items = 0;
    bool has_results = false, has_person = false;
    while (bigrams_next_line(lines, &line)) {
        if (str_trim(line).len == 0) {
            continue;
        }
        rulers += has_ruler(bigrams, line);
        has_results = has_results || heads_results(line);
        /* What stands there twice is no entry of a list: a program said it again. */
        bool is_again = str_eq(str_trim(line), last);
        last = str_trim(line);
        if (is_again || mention_has_report(bigrams, line)) {
            continue;
        }
        has_person = has_person || mention_is_persons(bigrams, line);
        bool entry = is_entry(line);
        items += is_explained_item(line);
        entries += entry;
        bool is_item = is_status_item(line);
        size_t explained = is_item ? 1 : mention_explained_statuses(line);
        status_items += is_item;
        struct str status = explained == 1 ? status_in(line) : STR("");
        statuses += status.len && str_eq(status, last_status) ? 0 : explained;
        last_status = explained ? status : last_status;
        told += entry && failure_is_told(line);
    }
    return (struct reading){.cells_min = has_results ? SIZE_MAX
                                         : rulers    ? 2
                                                     : 3,
                            .has_items = items > 1,
                            .has_statuses = statuses > 2 && !(status_items && has_person),
                            .has_status_items = statuses > 2 && status_items > 2 && !has_person,
                            .has_catalogue = entries > 2 && told > 1};
}

static bool is_in_code(struct reading *r, const struct bigrams *bigrams, struct str line)
{
    struct str inner = str_trim(line);
    bool was_in_block = r->is_in_block;
    r->is_in_block = r->is_in_block && indent_of(line) > r->block_indent;
    bool is_end = was_in_block && !r->is_in_block && str_is_of(inner.ptr[0], "})]");
    if (!r->is_in_block && opens_block(bigrams, line)) {
        r->is_in_block = true;
        r->block_indent = indent_of(line);
    }
    return r->is_in_block || is_end;
}

/* A chapter of Markdown goes on to the next heading as high, another one as long as a list; or to
 * where somebody says what happened to him. */
static bool is_in_chapter(struct reading *r, const struct bigrams *bigrams, struct str line)
{
    struct str inner = str_trim(line);
    size_t level = r->is_in_fence ? 0 : mention_heading_level(inner);
    if (str_starts(inner, STR("```"))) {
        r->is_in_fence = !r->is_in_fence;
    }
    if (r->is_in_chapter) {
        bool is_list = indent_of(line) > 0 || mention_without_mark(line).ptr != inner.ptr ||
                       inner.ptr[0] == '|';
        r->is_in_chapter = r->chapter_level ? level == 0 || level > r->chapter_level : is_list;
        r->is_in_chapter = r->is_in_chapter && !mention_is_persons(bigrams, inner);
    }
    if (!r->is_in_chapter && !r->is_in_fence && opens_chapter(inner)) {
        r->is_in_chapter = true;
        r->chapter_level = level;
    }
    return r->is_in_chapter && !r->is_in_fence && !mention_has_report(bigrams, line) &&
           !str_starts(inner, STR("HTTP/"));
}

/* What stands behind a question that is put before a report: "What does this mean? ...", "How to
 * solve: ...". A question that names the failure itself is a topic, and stays whole. */
static struct str behind_question(const struct bigrams *bigrams, struct str line)
{
    static const struct str starts[] = {STR_INIT("what "),    STR_INIT("how "), STR_INIT("why "),
                                        STR_INIT("explain "), STR_INIT("q: "),  STR_INIT("faq"),
                                        STR_INIT("如何"),     STR_INIT("怎么"), STR_INIT("请问")};
    static const struct str ends[] = {STR_INIT("? "), STR_INIT("？"), STR_INIT(": "),
                                      STR_INIT("：")};
    static const struct str pointers[] = {STR_INIT(" this"),  STR_INIT(" it"), STR_INIT(" that"),
                                          STR_INIT(" these"), STR_INIT("fix"), STR_INIT("solve"),
                                          STR_INIT("这"),     STR_INIT("该"),  STR_INIT("解决"),
                                          STR_INIT("处理")};
    struct str words = str_trim(line);
    bool is_question = false;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        is_question = is_question || str_istarts(words, starts[i]);
    }
    for (size_t i = 0; is_question && i < sizeof ends / sizeof ends[0]; i++) {
        ptrdiff_t end = str_find(str_slice(words, 3, words.len), ends[i]);
        struct str question = str_slice(words, 0, end < 0 ? 0 : (size_t)end + 3);
        struct str rest = str_trim(str_slice(words, question.len + ends[i].len, words.len));
        bool is_open = HAS_ANY(bigrams, question, pointers);
        bool has_number = false;
        for (size_t at = 0; at < question.len; at++) {
            has_number = has_number || str_is_digit(question.ptr[at]);
        }
        if (end > 0 && is_open && rest.len > QUESTION_REST_MIN && !has_number &&
            question.len < QUESTION_BYTES_MAX && !str_ends(rest, STR("?")) &&
            !str_ends(rest, STR("？"))) {
            return rest;
        }
    }
    return line;
}

static bool is_mention_behind_lead(const struct reading *r, const struct bigrams *bigrams,
                                   struct str line)
{
    struct str inner = mention_behind_lead(line);
    return inner.len && inner.ptr != str_trim(line).ptr &&
           mention_is_line(bigrams, behind_question(bigrams, inner), r->cells_min);
}

/* What tools print on their way: Docker before it pulls, a browser of the maps of its sources. */
static bool is_on_the_way(struct str line)
{
    struct str inner = str_trim(line);
    return (str_starts(inner, STR("Unable to find image '")) && str_ends(inner, STR(" locally"))) ||
           str_starts(inner, STR("DevTools failed to load source map"));
}

/* Whether a line only speaks of errors, by itself or by where it stands. */
static bool is_mention(struct reading *r, const struct bigrams *bigrams, struct str line)
{
    if (str_starts(line, STR("* Uses proxy env variable "))) { /* of curl, with a sign of code */
        return false;
    }
    bool is_code = is_in_code(r, bigrams, line), is_chapter = is_in_chapter(r, bigrams, line);
    bool is_listed =
        (r->has_items && is_explained_item(line)) || (r->has_catalogue && is_entry(line));
    return is_code || is_chapter || (is_listed && !mention_has_report(bigrams, line)) ||
           (r->has_statuses && mention_explained_statuses(line) > 0) ||
           (r->has_status_items && is_status_item(line)) ||
           ((r->has_catalogue || r->has_status_items) && str_ends(str_trim(line), STR(":"))) ||
           mention_is_line(bigrams, behind_question(bigrams, line), r->cells_min) ||
           is_on_the_way(line) || is_mention_behind_lead(r, bigrams, line);
}

/* The same of a text without the lead of its first line. A log's stands before that line alone, and
 * so may the mark of a list. */
static bool is_document_behind_lead(struct str text)
{
    text = str_trim(text);
    struct str first = str_slice(text, 0, str_next_char(text, 0, '\n'));
    struct str inner = mention_behind_lead(first);
    bool is_whole = first.len == text.len;
    struct bigram_lines lines;
    if (inner.ptr == first.ptr ||
        (!is_whole && (log_is_stamped(first) || !str_is_of(first.ptr[0], "[<")))) {
        return false;
    }
    bigrams_begin(&lines,
                  is_whole ? inner : str_slice(text, (size_t)(inner.ptr - text.ptr), text.len));
    return mention_is_document(&lines);
}

struct str mention_remove(struct arena *arena, struct bigram_lines *lines)
{
    struct str text = lines->text, line;
    char *bytes = arena_alloc(arena, text.len + 1);
    if (text.len) {
        memcpy(bytes, text.ptr, text.len);
    }
    struct reading reading = survey(lines);
    if (mention_is_document(lines) || is_document_behind_lead(text)) {
        memset(bytes, ' ', text.len);
        return (struct str){bytes, text.len};
    }
    mention_blank_examples(bytes, text);
    mention_blank_documents(bytes, text);
    mention_blank_changes(bytes, text);
    mention_blank_tools(bytes, text);
    mention_blank_escaped(arena, bytes, text);
    if (bigrams_find(&lines->bigrams, text, STR(" said:")) > 0) {
        mention_blank_replies(bytes, text);
    }
    bigrams_rewind(lines);
    while (bigrams_next_line(lines, &line)) {
        /* A blank line ends neither a block nor a chapter. */
        if (str_trim(line).len && is_mention(&reading, &lines->bigrams, line)) {
            memset(bytes + (line.ptr - text.ptr), ' ', line.len);
        } else {
            mention_blank_sentences(bytes, text, &lines->bigrams, line);
            mention_blank_asides(bytes, text, &lines->bigrams, line);
        }
    }
    struct str rest = {bytes, text.len};
    return str_eq(rest, text) ? text : rest;
}
