/* Markdown for comments, wikis and the summary of a CI job: one sentence, a table with a line for
 * each row, and what to do about those that fail. What came from outside stands in code spans,
 * where nothing in it is a link, a name to be notified, or HTML. */
#include "report/markdown.h"

#include "report/formats.h"
#include "report/labels.h"
#include "report/rows.h"

#define ROOM_BYTES 512 /* for the line that tells what was left out */

/* Text outside code: no character of it is markup. */
static void add_text(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '<' || c == '&' || c == '>') {
            buf_add(out, c == '<' ? STR("&lt;") : c == '&' ? STR("&amp;") : STR("&gt;"));
        } else if (c == '@') {
            buf_add(out, STR("@<!-- -->")); /* else GitHub notifies whoever has that name */
        } else {
            /* At the start of a line two colons would be a command of GitHub's runner. */
            bool is_markup = str_find_char(STR("\\`*_[]#|~$"), c) >= 0 || (c == ':' && i == 0);
            buf_add(out, is_markup ? STR("\\") : STR(""));
            buf_add_char(out, c);
        }
    }
}

/* A code span in a cell of a table. Its fence is longer than any run of backticks inside; a bar
 * would end the cell even there. */
static void add_code(struct buf *out, struct str text)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (size_t i = 0; i <= longest; i++) {
        buf_add_char(out, '`');
    }
    buf_add(out, longest ? STR(" ") : STR(""));
    for (size_t i = 0; i < text.len; i++) {
        buf_add(out, text.ptr[i] == '|' ? STR("\\") : STR(""));
        buf_add_char(out, text.ptr[i]);
    }
    buf_add(out, longest ? STR(" ") : STR(""));
    for (size_t i = 0; i <= longest; i++) {
        buf_add_char(out, '`');
    }
}

static void add_cell(struct buf *out, struct str text)
{
    buf_add(out, STR(" "));
    if (!str_is_empty(text)) {
        add_code(out, text);
    }
    buf_add(out, STR(" |"));
}

static void add_row(struct buf *out, const struct report_row *row, enum lang lang)
{
    static const char *const marks[ROW_STATUS_COUNT] = {
        [ROW_OK] = "\xE2\x9C\x85",      [ROW_WARNING] = "\xE2\x9A\xA0\xEF\xB8\x8F",
        [ROW_FAILED] = "\xE2\x9D\x8C",  [ROW_UNTOLD] = "\xE2\x9D\x93",
        [ROW_SKIPPED] = "\xE2\x9E\x96",
    };
    buf_printf(out, "| %s |", marks[row->status]);
    add_cell(out, row->name);
    buf_add(out, STR(" "));
    add_text(out, labels_row_status(row->status, lang));
    buf_add(out, STR(" |"));
    add_cell(out, row->diagnosis ? row->diagnosis->id : (struct str){NULL, 0});
    add_cell(out, row->seen);
    add_cell(out, row->place);
    buf_add_char(out, '\n');
}

static void add_problem(struct buf *out, const struct report_row *row)
{
    buf_add(out, STR("\n**"));
    add_text(out, row->title);
    buf_add(out, STR("**"));
    if (!str_is_empty(row->why)) {
        buf_add(out, STR("  \n"));
        add_text(out, row->why);
    }
    buf_add_char(out, '\n');
    for (size_t i = 0; i < row->action_count; i++) {
        buf_printf(out, "%s%zu. ", i ? "" : "\n", i + 1);
        add_text(out, row->actions[i]);
        buf_add_char(out, '\n');
    }
}

/* Takes over what was written aside when there is room for it. */
static bool take(struct buf *out, struct buf *part, size_t max_bytes)
{
    bool has_room = out->len + part->len + ROOM_BYTES <= max_bytes;
    if (has_room) {
        buf_add(out, buf_str(part));
    }
    buf_free(part);
    return has_room;
}

static void add_head(struct arena *arena, const struct report *report, struct buf *out)
{
    enum lang lang = report->lang;
    buf_add(out, STR("## diagnose "));
    add_text(out, report->command);
    buf_add(out, STR("\n\n"));
    add_text(out, report_row_text(arena, report, report->summary));
    buf_printf(out, "\n\n|  | %s | %s | %s | %s | %s |\n|---|---|---|---|---|---|\n",
               labels_text(LABEL_MD_NAME, lang), labels_text(LABEL_MD_STATUS, lang),
               labels_text(LABEL_MD_DIAGNOSIS, lang), labels_text(LABEL_SEEN, lang),
               labels_text(LABEL_MD_PLACE, lang));
}

void report_markdown(struct arena *arena, const struct report *report, size_t max_bytes,
                     struct buf *out)
{
    struct report_rows rows = report_rows_of(arena, report);
    size_t from = out->len, shown = 0;
    max_bytes += from;
    add_head(arena, report, out);
    for (bool has_room = true; has_room && shown < rows.count; shown += has_room) {
        struct buf part = buf_create(max_bytes);
        add_row(&part, &rows.items[shown], report->lang);
        has_room = take(out, &part, max_bytes);
    }
    if (shown < rows.count) {
        buf_printf(out, "\n%.*s\n",
                   STR_ARG(labels_say(arena, report->lang, LABEL_MD_MORE, rows.count - shown)));
        return;
    }
    for (size_t i = 0; i < rows.count; i++) {
        const struct report_row *row = &rows.items[i];
        struct buf part = buf_create(max_bytes);
        if (row->status != ROW_OK && row->status != ROW_SKIPPED) {
            add_problem(&part, row);
        }
        take(out, &part, max_bytes);
    }
}

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    report_markdown(arena, report, REPORT_BYTES_MAX, out);
}

const struct report_format format_markdown = {.name = STR_INIT("markdown"), .render = render};
