/* TAP version 13, what prove and other harnesses read: a line for each row, and a YAML block for
 * each one that is not simply fine. */
#include "report/formats.h"
#include "report/rows.h"

#include <cjson/cJSON.h>

/* A number sign would begin a directive. */
static void add_description(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '#' || text.ptr[i] == '\\') {
            buf_add_char(out, '\\');
        }
        buf_add_char(out, text.ptr[i]);
    }
}

/* A string of JSON is one of YAML as well. */
static void add_string(struct buf *out, struct str text)
{
    struct cJSON *string = report_json_string(text);
    report_json_print(string, true, out);
    cJSON_Delete(string);
}

static void add_member(struct buf *out, const char *name, struct str text)
{
    if (!str_is_empty(text)) {
        buf_printf(out, "  %s: ", name);
        add_string(out, text);
    }
}

static void add_block(struct buf *out, const struct report_row *row)
{
    buf_add(out, STR("  ---\n"));
    add_member(out, "message", row->title);
    add_member(out, "severity", row_status_name(row->status));
    if (row->diagnosis) {
        add_member(out, "diagnosis", row->diagnosis->id);
        add_member(out, "blame", blame_name(row->diagnosis->blame));
    }
    add_member(out, "why", row->why);
    add_member(out, "seen", row->seen);
    add_member(out, "at", row->place);
    if (row->duration_ms >= 0) {
        buf_printf(out, "  duration_ms: %lld\n", (long long)row->duration_ms);
    }
    /* No list: Perl's reader takes an item that begins with "word:" for a mapping, in quotes too.
     */
    for (size_t i = 0; i < row->action_count; i++) {
        buf_printf(out, "  do_%zu: ", i + 1);
        add_string(out, row->actions[i]);
    }
    buf_add(out, STR("  ...\n"));
}

static void add_row(struct buf *out, const struct report_row *row, size_t number)
{
    bool is_bad = row->status == ROW_FAILED || row->status == ROW_UNTOLD;
    buf_printf(out, "%s %zu - ", is_bad ? "not ok" : "ok", number);
    add_description(out, row->suite);
    buf_add(out, STR(": "));
    add_description(out, row->name);
    if (row->status == ROW_SKIPPED) {
        buf_add(out, STR(" # SKIP "));
        add_description(out, row->title);
    }
    buf_add_char(out, '\n');
    if (is_bad || row->status == ROW_WARNING) {
        add_block(out, row);
    }
}

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    struct report_rows rows = report_rows_of(arena, report);
    buf_printf(out, "TAP version 13\n1..%zu%s\n", rows.count,
               rows.count ? "" : " # SKIP there is nothing to tell");
    for (size_t i = 0; i < rows.count; i++) {
        add_row(out, &rows.items[i], i + 1);
    }
}

const struct report_format format_tap = {.name = STR_INIT("tap"), .render = render};
