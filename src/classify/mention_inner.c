/* Documents within a text, in what somebody says around them. Takes the text, blanks those that are
 * shown between fences, behind a paragraph with a colon, or between a few words of greeting:
 *
 *     Here is what our wiki says:          an introduction
 *
 *     ## Error codes                       a document
 *     - `insufficient_quota`: top up
 *
 *     Best regards                         a farewell
 */
#include "classify/mention.h"
#include "input/session.h"

#include <string.h>

#define WORDS_BYTES_MAX ((size_t)240) /* of what somebody says around a document */
#define FAREWELLS_MAX 2               /* paragraphs */

static bool blank_document(char *bytes, struct str text, struct str part)
{
    struct bigram_lines lines;
    bigrams_begin(&lines, part);
    bool is_document = part.len && mention_is_document(&lines);
    if (is_document) {
        memset(bytes + (part.ptr - text.ptr), ' ', part.len);
    }
    return is_document;
}

/* Documents between the fences of Markdown. */
static void blank_fenced(char *bytes, struct str text)
{
    for (struct str rest = text, ruler;;) {
        ptrdiff_t open = str_find(rest, STR("```"));
        rest = str_slice(rest, (size_t)(open < 0 ? 0 : open), rest.len);
        ptrdiff_t close = open < 0 ? -1 : str_find(rest, STR("\n```"));
        if (close < 0) {
            return;
        }
        struct str inner = str_slice(rest, 0, (size_t)close + 1);
        rest = str_slice(rest, (size_t)close + 4, rest.len);
        if (str_split(&inner, '\n', &ruler) && str_is_set(inner)) {
            (void)blank_document(bytes, text, inner);
        }
    }
}

/* The paragraph that a text ends with. */
static struct str last_paragraph(struct str text)
{
    text = str_trim(text);
    size_t at = text.len;
    while (at > 1 && !(text.ptr[at - 1] == '\n' && text.ptr[at - 2] == '\n')) {
        at--;
    }
    return at > 1 ? str_slice(text, at, text.len) : text;
}

static struct str without_last_paragraph(struct str text)
{
    return str_slice(text, 0, (size_t)(last_paragraph(text).ptr - text.ptr));
}

/* Settings and code are indented, and have signs that people do not write. */
static bool is_worded(struct str paragraph)
{
    size_t at = 0;
    bool is_begin = str_is_letter(paragraph.ptr[0]) || (unsigned char)paragraph.ptr[0] >= 0x80 ||
                    mention_heading_level(paragraph);
    while (at < paragraph.len && !str_is_of(paragraph.ptr[at], "{}=;<>|")) {
        at++;
    }
    return is_begin && at == paragraph.len && str_find(paragraph, STR("\n ")) < 0;
}

/* Whether a paragraph is a few words that tell of no failure. */
static bool is_small_talk(struct str paragraph)
{
    struct bigrams bigrams;
    if (paragraph.len == 0 || paragraph.len > WORDS_BYTES_MAX || !is_worded(paragraph) ||
        failure_is_told(paragraph)) {
        return false;
    }
    bigrams_read(&bigrams, paragraph);
    return !mention_has_report(&bigrams, paragraph);
}

/* A document that a paragraph with a colon at its end introduces, up to the end or to the last
 * paragraph. False where no paragraph does. */
static bool blank_introduced(char *bytes, struct str text)
{
    for (struct str rest = text; rest.len;) {
        struct str paragraph = mention_next_paragraph(&rest);
        if (str_ends(paragraph, STR(":")) || str_ends(paragraph, STR("："))) {
            (void)(blank_document(bytes, text, rest) ||
                   blank_document(bytes, text, without_last_paragraph(rest)));
            return true;
        }
    }
    return false;
}

/* A document with small talk before it, behind it or both. */
static void blank_between_talk(char *bytes, struct str text)
{
    struct str rest = text, inner = text;
    if (str_find(text, STR("\n\n")) < 0) {
        return;
    }
    bool has_lead = is_small_talk(mention_next_paragraph(&rest));
    if (has_lead && blank_document(bytes, text, rest)) {
        return;
    }
    for (unsigned i = 0; i < FAREWELLS_MAX && is_small_talk(last_paragraph(inner)); i++) {
        inner = without_last_paragraph(inner);
        struct str between = str_slice(text, (size_t)(rest.ptr - text.ptr),
                                       (size_t)(inner.ptr - text.ptr) + inner.len);
        if (blank_document(bytes, text, inner) ||
            (has_lead && blank_document(bytes, text, between))) {
            return;
        }
    }
}

void mention_blank_tools(char *bytes, struct str text)
{
    struct session session = session_begin(text);
    bool has_failed = session_has_failed(&session, text);
    for (struct str rest = text, line; has_failed && str_split(&rest, '\n', &line);) {
        if (session_is_aside(&session, line)) {
            memset(bytes + (line.ptr - text.ptr), ' ', line.len);
        }
    }
}

void mention_blank_replies(char *bytes, struct str text)
{
    static const struct str models[] = {STR_INIT("ChatGPT said:"), STR_INIT("Claude said:"),
                                        STR_INIT("Gemini said:"),  STR_INIT("Copilot said:"),
                                        STR_INIT("ChatGPT 说："),  STR_INIT("Claude responded:")};
    bool is_reply = false;
    for (struct str rest = text, line; str_split(&rest, '\n', &line);) {
        struct str inner = str_trim(line);
        bool is_user = str_starts(inner, STR("You said:")) || str_starts(inner, STR("您说："));
        is_reply = (is_reply && !is_user) || IS_ONE_OF(inner, models);
        if (is_reply || (is_user && str_ends(inner, STR("?")))) {
            memset(bytes + (line.ptr - text.ptr), ' ', line.len);
        }
    }
}

void mention_blank_changes(char *bytes, struct str text)
{
    bool is_shown = str_find(text, STR("# Before\n")) >= 0 && str_find(text, STR("# After\n")) >= 0;
    for (struct str rest = text; is_shown && rest.len;) {
        struct str heading = mention_next_paragraph(&rest);
        bool is_one = mention_heading_level(heading) > 0 &&
                      (str_ends(heading, STR("# Before")) || str_ends(heading, STR("# After")));
        if (is_one && str_find_char(heading, '\n') < 0) {
            struct str shown = mention_next_paragraph(&rest);
            memset(bytes + (shown.ptr - text.ptr), ' ', shown.len);
        }
    }
}

void mention_blank_asides(char *bytes, struct str text, const struct bigrams *bigrams,
                          struct str line)
{
    static const struct {
        struct str open, close;
    } signs[] = {{STR_INIT("(e.g."), STR_INIT(")")},
                 {STR_INIT("(for example"), STR_INIT(")")},
                 {STR_INIT("（例如"), STR_INIT("）")},
                 {STR_INIT("(z. B."), STR_INIT(")")},
                 {STR_INIT("(z.B."), STR_INIT(")")}};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        ptrdiff_t at = bigrams_find(bigrams, line, signs[i].open);
        struct str aside = str_slice(line, (size_t)(at < 0 ? 0 : at), at < 0 ? 0 : line.len);
        ptrdiff_t end = str_find(aside, signs[i].close);
        if (at >= 0 && end > 0 &&
            mention_count(str_slice(aside, signs[i].open.len + 1, (size_t)end), STR(", ")) > 0) {
            memset(bytes + (aside.ptr - text.ptr), ' ', (size_t)end);
        }
    }
}

void mention_blank_documents(char *bytes, struct str text)
{
    blank_fenced(bytes, text);
    if (!blank_introduced(bytes, text)) {
        blank_between_talk(bytes, text);
    }
}
