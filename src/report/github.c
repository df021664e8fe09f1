/* GitHub Actions: an annotation for each row that fails or warns, on the line of the file that says
 * it, the worst first, since GitHub shows ten of a kind; and the table for the summary of the step.
 * Every line is a command of ours, so no text from outside can be taken for one. */
#include "report/formats.h"
#include "report/markdown.h"
#include "report/rows.h"

#include "report/labels.h"

#define SHOWN_MAX 10 /* annotations of one kind that GitHub shows for a step */

static void add_escaped(struct buf *out, struct str text, struct str special)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '%' || c == '\r' || c == '\n' || str_find_char(special, c) >= 0) {
            buf_printf(out, "%%%02X", (unsigned)(unsigned char)c);
        } else {
            buf_add_char(out, c);
        }
    }
}

static void add_property(struct buf *out, const char *name, struct str value)
{
    buf_printf(out, "%s=", name);
    add_escaped(out, value, STR(":,"));
}

static void add_part(struct buf *out, struct str text)
{
    if (!str_is_empty(text)) {
        buf_add(out, STR("%0A"));
        add_escaped(out, text, STR(""));
    }
}

static void add_annotation(struct arena *arena, const struct report *report, const char *kind,
                           const struct report_row *row, struct buf *out)
{
    buf_printf(out, "::%s ", kind);
    if (row->origin.kind == ORIGIN_FILE) {
        add_property(out, "file", report_row_text(arena, report, row->origin.name));
        if (row->origin.line) {
            buf_printf(out, ",line=%u,col=%u", row->origin.line,
                       row->origin.column ? row->origin.column : 1);
        }
        buf_add_char(out, ',');
    }
    struct str id = row->diagnosis ? row->diagnosis->id : row->suite;
    add_property(out, "title", arena_printf(arena, "diagnose: %.*s", STR_ARG(id)));
    buf_add(out, STR("::"));
    add_escaped(out, row->title, STR(""));
    add_part(out, row->why);
    add_part(out, row->seen);
    for (size_t i = 0; i < row->action_count; i++) {
        add_part(out, row->actions[i]);
    }
    buf_add_char(out, '\n');
}

/* The annotations of one kind; where there are more than GitHub shows, the last one says so. */
static void add_kind(struct arena *arena, const struct report *report,
                     const struct report_rows *rows, const char *kind,
                     const bool is_wanted[ROW_STATUS_COUNT], struct buf *out)
{
    size_t count = 0, shown = 0;
    for (size_t status = 0; status < ROW_STATUS_COUNT; status++) {
        count += is_wanted[status] ? rows->by_status[status] : 0;
    }
    size_t room = count > SHOWN_MAX ? SHOWN_MAX - 1 : SHOWN_MAX;
    for (size_t i = 0; i < rows->count && shown < room; i++) {
        if (is_wanted[rows->items[i].status]) {
            add_annotation(arena, report, kind, &rows->items[i], out);
            shown++;
        }
    }
    if (count > shown) {
        struct str more = labels_say(arena, report->lang, LABEL_MD_MORE, count - shown);
        buf_printf(out, "::%s title=diagnose::%.*s\n", kind, STR_ARG(more));
    }
}

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    static const bool errors[ROW_STATUS_COUNT] = {[ROW_FAILED] = true, [ROW_UNTOLD] = true};
    static const bool warnings[ROW_STATUS_COUNT] = {[ROW_WARNING] = true};
    struct report_rows rows = report_rows_of(arena, report);
    add_kind(arena, report, &rows, "error", errors, out);
    add_kind(arena, report, &rows, "warning", warnings, out);
    buf_add(out, STR("::notice title=diagnose::"));
    add_escaped(out, report_row_text(arena, report, report->summary), STR(""));
    buf_add_char(out, '\n');
}

static void append(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    report_markdown(arena, report, MARKDOWN_SUMMARY_BYTES_MAX, out);
}

const struct report_format format_github = {
    .name = STR_INIT("github"),
    .render = render,
    .append_variable = STR_INIT("GITHUB_STEP_SUMMARY"),
    .append = append,
};
