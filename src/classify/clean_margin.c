/* What programs put in front of each line of a text that they show. Takes a text, gives it without:
 *
 *     > a mail that is answered            a quotation, also one in another
 *         12<TAB>a file                    numbered lines, each number one more than the last
 *         12 | a file
 *     proxy-1  | what it says              the name of a container or a process
 *     <p>a paragraph of a page</p>         tags around the whole
 *
 * A quotation is a paragraph of its own. A single number may be what a program says, but where it
 * stands in a column; a single name may be a cell. */
#include "classify/clean.h"

#include "base/buf.h"
#include "classify/mention.h"

#include <string.h>

#define DIGITS_MAX 6
#define TAGS_MAX 8   /* in one another */
#define INDENT_MIN 3 /* blanks before the number of a single line */

enum margin_kind { MARGIN_NONE, MARGIN_QUOTE, MARGIN_NUMBER, MARGIN_NAME };

struct margin {
    enum margin_kind kind;
    size_t length; /* bytes of the line */
    bool is_sure;  /* by the line alone */
    int64_t number;
    struct str name; /* empty where it is one of several that run together, as "db-1" is */
};

static size_t skip_blanks(struct str line, size_t at)
{
    while (at < line.len && line.ptr[at] == ' ') {
        at++;
    }
    return at;
}

/* The number at line[at]; its length, 0 where there is none. */
static size_t read_number(struct str line, size_t at, int64_t *number)
{
    size_t end = at;
    while (end < line.len && end - at < DIGITS_MAX && str_is_digit(line.ptr[end])) {
        end++;
    }
    return str_to_i64(str_slice(line, at, end), number) ? end - at : 0;
}

/* "> ", ">> " and "> > "; what a debugger marks so is a frame, and ">>> " is Python's prompt. */
static struct margin quote_of(struct str line)
{
    size_t at = skip_blanks(line, 0), begin = at;
    while (at < line.len && line.ptr[at] == '>') {
        at++;
        at += at + 1 < line.len && line.ptr[at] == ' ' && line.ptr[at + 1] == '>';
    }
    struct str rest = str_slice(line, at, line.len);
    bool is_quote = at > begin && (rest.len == 0 || rest.ptr[0] == ' ') &&
                    !str_starts(str_slice(line, begin, line.len), STR(">>> ")) &&
                    !str_starts(rest, STR(" File \""));
    return (struct margin){.kind = is_quote ? MARGIN_QUOTE : MARGIN_NONE,
                           .length = at + (rest.len > 0),
                           .is_sure = rest.len > 0};
}

static struct margin number_of(struct str line)
{
    static const struct str signs[] = {STR_INIT("\t"), STR_INIT(" | "), STR_INIT(" │ "),
                                       STR_INIT("→")};
    struct margin margin = {.kind = MARGIN_NONE};
    size_t at = skip_blanks(line, 0), digits = read_number(line, at, &margin.number);
    struct str rest = str_slice(line, at + digits, line.len);
    for (size_t i = 0; digits && i < sizeof signs / sizeof signs[0]; i++) {
        struct str bare = str_trim(signs[i]); /* of an empty line editors leave the blank off */
        bool is_empty = bare.len && str_eq(str_trim(rest), bare);
        bool is_row = bare.len && mention_count(rest, signs[i]) > 1; /* of a table */
        if (is_empty || (str_starts(rest, signs[i]) && !is_row)) {
            margin.kind = MARGIN_NUMBER;
            margin.length = is_empty ? line.len : at + digits + signs[i].len;
            margin.is_sure = at >= INDENT_MIN;
        }
    }
    return margin;
}

/* "proxy-1  | ", "0|worker  | ": what Compose and PM2 write before each line. */
static struct margin name_of(struct str line)
{
    size_t at = 0, letters = 0;
    while (at < line.len && (str_is_word(line.ptr[at]) || str_is_of(line.ptr[at], "-."))) {
        letters += str_is_letter(line.ptr[at++]);
    }
    bool is_worker = at > 0 && letters == 0 && at < line.len && line.ptr[at] == '|';
    for (at += is_worker; is_worker && at < line.len &&
                          (str_is_word(line.ptr[at]) || str_is_of(line.ptr[at], "-."));) {
        letters += str_is_letter(line.ptr[at++]);
    }
    struct str name = str_slice(line, 0, at);
    size_t bar = skip_blanks(line, at);
    struct str rest = str_slice(line, bar + 1, line.len);
    bool is_numbered = is_worker || (at > 2 && str_is_digit(line.ptr[at - 1]) &&
                                     str_is_of(line.ptr[at - 2], "-_"));
    bool is_front = letters > 1 && bar > at && bar < line.len && line.ptr[bar] == '|' &&
                    (rest.len == 0 || rest.ptr[0] == ' ') &&
                    (is_numbered || str_find_char(rest, '|') < 0);
    return (struct margin){.kind = is_front ? MARGIN_NAME : MARGIN_NONE,
                           .length = bar + 1 + (rest.len > 0),
                           .number = (int64_t)bar,
                           .name = is_numbered ? STR("") : name};
}

/* may_quote: ">" is not what curl puts before what it sends. */
static struct margin margin_of(struct str line, bool may_quote)
{
    struct margin margin = may_quote ? quote_of(line) : (struct margin){.kind = MARGIN_NONE};
    margin = margin.kind ? margin : number_of(line);
    return margin.kind ? margin : name_of(line);
}

/* Whether a line goes on with the margin of the one above it. */
static bool goes_on(const struct margin *margin, const struct margin *above)
{
    if (margin->kind == MARGIN_NONE || margin->kind != above->kind) {
        return false;
    }
    return margin->kind == MARGIN_NAME
               ? margin->number == above->number && str_eq(margin->name, above->name)
               : margin->kind == MARGIN_QUOTE || margin->number == above->number + 1;
}

/* Adds the lines without their margins to out, which may be NULL; tells whether there are any. */
static bool take_margins(struct str text, struct buf *out)
{
    struct str rest = text, line;
    struct margin above = {.kind = MARGIN_NONE};
    bool has_any = false, is_above_empty = true, may_quote = str_find(text, STR("< HTTP/")) < 0;
    while (str_split(&rest, '\n', &line)) {
        struct margin margin = margin_of(line, may_quote);
        struct margin next = margin_of(str_slice(rest, 0, str_next_char(rest, 0, '\n')), may_quote);
        bool is_margin = margin.is_sure || goes_on(&margin, &above) || goes_on(&next, &margin);
        bool is_edge = (margin.kind == MARGIN_QUOTE) != (above.kind == MARGIN_QUOTE);
        if (out && is_edge && !is_above_empty && str_trim(line).len) {
            buf_add_char(out, '\n'); /* a quotation is a paragraph of its own */
        }
        if (out) {
            buf_add(out, str_slice(line, is_margin ? margin.length : 0, line.len));
        }
        if (out && str_is_set(rest)) {
            buf_add_char(out, '\n');
        }
        has_any = has_any || is_margin;
        is_above_empty = str_trim(line).len == 0;
        above = margin;
    }
    return has_any;
}

/* What stands between "<p>" and "</p>", where they stand around the whole. */
static struct str within_tags(struct str text)
{
    static const struct {
        struct str open, close;
    } tags[] = {{STR_INIT("<p>"), STR_INIT("</p>")},
                {STR_INIT("<div>"), STR_INIT("</div>")},
                {STR_INIT("<pre>"), STR_INIT("</pre>")},
                {STR_INIT("<blockquote>"), STR_INIT("</blockquote>")}};
    struct str inner = str_trim(text);
    for (size_t i = 0, deep = 0; i < sizeof tags / sizeof tags[0] && deep < TAGS_MAX; i++) {
        struct str behind = str_slice(inner, tags[i].open.len, inner.len);
        if (str_starts(inner, tags[i].open) && str_ends(behind, tags[i].close)) {
            text = str_slice(behind, 0, behind.len - tags[i].close.len);
            inner = str_trim(text);
            i = SIZE_MAX; /* from the first on again */
            deep++;
        }
    }
    return text;
}

struct str clean_margin(struct arena *arena, struct str text)
{
    text = within_tags(text);
    if (!take_margins(text, NULL)) {
        return text;
    }
    struct buf out = buf_create(2 * text.len + 1); /* each line may be parted */
    (void)take_margins(text, &out);
    struct str plain = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return plain;
}
