/* Pages of documentation in Markdown: front matter, headings, links, examples of answers. Takes a
 * text, says whether it is such a page, and blanks what a page shows as an example. */
#include "classify/mention.h"

#include <string.h>

#define SIGNS_MIN 4 /* of a page; people who report use some as well */
#define PAGE_LINES_MIN 6

/* "---", "title: Errors", "---": what generators of sites read first. */
static bool has_front_matter(struct str text)
{
    static const struct str keys[] = {STR_INIT("title:"), STR_INIT("description:"),
                                      STR_INIT("sidebar"), STR_INIT("slug:"), STR_INIT("layout:")};
    struct str rest = text, line;
    if (!str_split(&rest, '\n', &line) || !str_eq(str_trim(line), STR("---"))) {
        return false;
    }
    bool has_key = false;
    while (str_split(&rest, '\n', &line) && !str_eq(str_trim(line), STR("---"))) {
        has_key = has_key || STARTS_ANY(line, keys);
    }
    return has_key;
}

/* What a line has that writers of pages put there: a heading, a link, a name that an item explains,
 * code in a named language, a box. */
static size_t count_signs(const struct bigrams *bigrams, struct str line)
{
    static const struct str boxes[] = {STR_INIT("!!! "),  STR_INIT(":::"),  STR_INIT("<Info"),
                                       STR_INIT("<Note"), STR_INIT("<Tip"), STR_INIT("<Warning"),
                                       STR_INIT("> [!"),  STR_INIT(".. "),  STR_INIT("|---"),
                                       STR_INIT("| ---"), STR_INIT("|:--"), STR_INIT("| :--")};
    static const struct str names[] = {STR_INIT("`"), STR_INIT("**"), STR_INIT("[")};
    struct str inner = str_trim(line), item = mention_without_mark(line);
    bool is_named = item.ptr != inner.ptr && STARTS_ANY(item, names);
    bool is_code = str_starts(inner, STR("```")) && inner.len > 3;
    return (size_t)str_starts(inner, STR("#")) + STARTS_ANY(inner, boxes) + is_named + is_code +
           (bigrams_find(bigrams, line, STR("](")) > 0);
}

/* "Example response:", "❗ 失败响应示例：": what stands in the fence below is
 * no event. */
static bool introduces_example(struct str line)
{
    static const struct str words[] = {
        STR_INIT("example"),      STR_INIT("sample"), STR_INIT("format"),     STR_INIT("schema"),
        STR_INIT("示例"),         STR_INIT("样例"),   STR_INIT("例如"),       STR_INIT("格式"),
        STR_INIT("レスポンス例"), STR_INIT("shape"),  STR_INIT(" body like ")};
    struct bigrams bigrams;
    bigrams_read(&bigrams, line);
    bool is_example = mention_is_expected(line),
         is_link = bigrams_find(&bigrams, line, STR("://")) >= 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        is_example = is_example || bigrams_ifind(&bigrams, line, words[i]) >= 0;
    }
    return is_example && !is_link && !mention_is_persons(&bigrams, line);
}

/* A walk over the fences of a text. */
struct fences {
    struct str lead;    /* the last line before the fence */
    struct str content; /* of the fence that has just ended; unset elsewhere */
    bool is_inside, is_example, is_code;
};

/* "```ts", "```js title="x"": nobody pastes what a program printed as one; but "```Request failed"
 * is what was pasted. */
static bool opens_code(struct str line)
{
    static const struct str others[] = {STR_INIT("text"),  STR_INIT("txt"),     STR_INIT("json"),
                                        STR_INIT("log"),   STR_INIT("sh"),      STR_INIT("bash"),
                                        STR_INIT("shell"), STR_INIT("console"), STR_INIT("plain")};
    struct str language = str_trim(str_slice(line, 3, line.len));
    bool is_name = str_find_char(language, ' ') < 0 || str_find_char(language, '=') > 0 ||
                   str_find_char(language, '{') > 0;
    return language.len > 0 && is_name && !ISTARTS_ANY(language, others);
}

static void step(struct fences *fences, struct str line)
{
    struct str inner = str_trim(line), begin = fences->content;
    bool is_fence = str_starts(inner, STR("```"));
    if (is_fence && !fences->is_inside) {
        fences->is_example = str_is_set(fences->lead) && introduces_example(fences->lead);
        fences->is_code = opens_code(inner);
        fences->content = str_slice(line, line.len, line.len);
    } else if (fences->is_inside) {
        fences->content = (struct str){begin.ptr, (size_t)(line.ptr - begin.ptr)};
    }
    fences->is_inside = fences->is_inside != is_fence;
    fences->lead = inner.len && !fences->is_inside && !is_fence ? inner : fences->lead;
}

/* People show what a program printed as code of its language, too. */
static bool is_reported(struct str line)
{
    struct bigrams bigrams;
    bigrams_read(&bigrams, line);
    return mention_has_report(&bigrams, line) || failure_is_reported(&bigrams, line);
}

void mention_blank_examples(char *bytes, struct str text)
{
    struct fences fences = {.is_inside = false};
    for (struct str rest = text, line; str_split(&rest, '\n', &line);) {
        step(&fences, line);
        if (fences.is_inside && fences.is_example && !is_reported(fences.lead) &&
            (str_ends(fences.lead, STR(":")) || str_ends(fences.lead, STR("：")))) {
            memset(bytes + (fences.lead.ptr - text.ptr), ' ', fences.lead.len);
        }
        if (fences.is_inside && (fences.is_example || (fences.is_code && !is_reported(line)))) {
            memset(bytes + (line.ptr - text.ptr), ' ', line.len);
        }
    }
}

bool mention_shows_report(struct str text)
{
    struct fences fences = {.is_inside = false};
    for (struct str rest = text, line; str_split(&rest, '\n', &line);) {
        bool was_inside = fences.is_inside;
        step(&fences, line);
        if (was_inside && !fences.is_inside && !fences.is_example && !fences.is_code &&
            failure_is_told(fences.content)) {
            return true;
        }
    }
    return false;
}

bool mention_is_page(struct bigram_lines *lines, bool has_report, bool has_person)
{
    size_t signs = 0, count = 0;
    struct str line;
    if (has_front_matter(str_trim(lines->text))) {
        return true;
    }
    bigrams_rewind(lines);
    while (bigrams_next_line(lines, &line)) {
        signs += count_signs(&lines->bigrams, line);
        count += str_trim(line).len > 0;
    }
    return !has_report && !has_person && count >= PAGE_LINES_MIN && signs >= SIGNS_MIN &&
           !mention_shows_report(lines->text);
}

bool mention_is_schema(const struct bigrams *bigrams, struct str line)
{
    static const struct str values[] = {STR_INIT("\": ...,"), STR_INIT("\": ...}"),
                                        STR_INIT("\": {...}")};
    return HAS_ANY(bigrams, line, values);
}
