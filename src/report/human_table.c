/* The table of targets: name, role, a mark for each rung, the verdict in words; and in lines below
 * it what the table left out. How it fits a narrow terminal is table_fit.c. */
#include "report/table.h"

#include "base/text.h"
#include "report/labels.h"
#include "report/layout.h"
#include "triage/names.h"

#define ROWS_ALL_MAX 12    /* up to this many rows everything is shown */
#define ROWS_FAILED_MAX 40 /* of a long run */
#define REASON_COLUMNS_MAX 200

static struct str verdict_words(const struct human *human, const struct result *result)
{
    enum lang lang = human->report->lang;
    if (result->status != TARGET_SKIPPED) {
        return text_show(human->arena, result->finding->diagnosis->title.in[lang], 60);
    }
    struct str reason = text_show(human->arena, result->target->skip_reason, REASON_COLUMNS_MAX);
    return str_is_empty(reason)
               ? str_from(labels_text(LABEL_SKIPPED_BARE, lang))
               : labels_say(human->arena, lang, LABEL_SKIPPED, arena_cstr(human->arena, reason));
}

static bool has_other_roles(const struct report *report)
{
    for (size_t i = 0; i < report->result_count; i++) {
        if (report->results[i].target && report->results[i].target->role != ROLE_PRIMARY) {
            return true;
        }
    }
    return false;
}

static void add_row(const struct human *human, struct table *table, const struct result *result,
                    bool has_roles)
{
    const struct report *report = human->report;
    struct row *row = &table->rows[table->row_count++];
    row->result = result;
    row->name =
        names_one(human->arena, report->lang, report->results, report->result_count, result);
    row->role =
        has_roles ? labels_role(human->arena, result->target, report->lang) : (struct str){NULL, 0};
    row->verdict = verdict_words(human, result);
}

/* In a long run what answers is counted, not listed. */
static void choose_rows(const struct human *human, struct table *table)
{
    const struct report *report = human->report;
    bool is_long = report->result_count > ROWS_ALL_MAX && !human->style->is_verbose;
    bool has_roles = has_other_roles(report);
    table->rows = ARENA_ARRAY(human->arena, report->result_count, struct row);
    for (size_t i = 0; i < report->result_count; i++) {
        const struct result *result = &report->results[i];
        if (result->target == NULL) {
            continue;
        }
        if (is_long && result->status == TARGET_OK) {
            table->more_answering++;
        } else if (is_long && table->row_count >= ROWS_FAILED_MAX) {
            table->more_failing++;
        } else {
            add_row(human, table, result, has_roles);
        }
    }
}

static void write_heading(const struct human *human, const struct table *table)
{
    enum lang lang = human->report->lang;
    layout_blanks(human->out, TABLE_INDENT);
    layout_pad(human->out, str_from(labels_text(LABEL_MODEL, lang)), table->name_columns);
    layout_blanks(human->out, table->role_columns ? table->role_columns + 1 : 0);
    for (size_t step = 0; step < STEP_COUNT; step++) {
        if (table->is_shown[step]) {
            layout_blanks(human->out, table->gap);
            layout_pad(human->out, labels_step((enum step)step, lang), table->step_columns[step]);
        }
    }
    layout_blanks(human->out, table->gap);
    buf_add(human->out, str_from(labels_text(LABEL_VERDICT, lang)));
    buf_add_char(human->out, '\n');
}

static void write_mark(const struct human *human, enum step_status status, size_t columns)
{
    struct str sign = human_mark(human, status);
    size_t width = text_columns(sign);
    size_t before = columns > width && !human->style->is_ascii ? (columns - width) / 2 : 0;
    layout_blanks(human->out, before);
    layout_tinted(human->out, human->style, layout_step_tint(status), sign);
    layout_blanks(human->out, columns > width + before ? columns - width - before : 0);
}

/* Cut anew where the column is narrower, so that names stay apart in it. */
static struct str fitting_name(const struct human *human, const struct table *table,
                               const struct row *row)
{
    const struct report *report = human->report;
    return text_columns(row->name) <= table->name_columns
               ? row->name
               : names_fit(human->arena, report->lang, report->results, report->result_count,
                           row->result, table->name_columns);
}

static void write_row(const struct human *human, const struct table *table, const struct row *row)
{
    struct buf *out = human->out;
    layout_blanks(out, TABLE_INDENT);
    layout_pad(out, fitting_name(human, table, row), table->name_columns);
    if (table->role_columns) {
        buf_add_char(out, ' ');
        layout_pad(out, row->role, table->role_columns);
    }
    for (size_t step = 0; step < STEP_COUNT; step++) {
        if (table->is_shown[step]) {
            layout_blanks(out, table->gap);
            write_mark(human, row->result->ladder[step].status, table->step_columns[step]);
        }
    }
    layout_blanks(out, table->gap);
    buf_add(out, text_cut_end(human->arena, row->verdict, table->verdict_columns));
    buf_add_char(out, '\n');
}

static void write_list_row(const struct human *human, const struct row *row)
{
    static const enum step_status statuses[] = {
        [TARGET_OK] = STEP_OK, [TARGET_FAILED] = STEP_FAIL, [TARGET_SKIPPED] = STEP_SKIP};
    struct buf *out = human->out;
    enum step_status status = statuses[row->result->status];
    struct str sign = human_mark(human, status);
    layout_blanks(out, TABLE_INDENT);
    layout_tinted(out, human->style, layout_step_tint(status), sign);
    buf_add_char(out, ' ');
    struct str line =
        arena_printf(human->arena, "%.*s: %.*s", STR_ARG(row->name), STR_ARG(row->verdict));
    layout_wrap(out, line, TABLE_INDENT + text_columns(sign) + 1, human->columns,
                (struct str){NULL, 0});
}

/* "ok for all: config, key": the rungs whose columns were left out, by what all rows have there;
 * STEP_FAIL stands for those where rows differ. */
static void write_left_out(const struct human *human, const struct table *table,
                           enum step_status wanted, enum label label)
{
    enum lang lang = human->report->lang;
    struct buf names = buf_create(1024);
    for (size_t step = 0; step < STEP_COUNT; step++) {
        if (!table->is_shown[step] && table_common_status(table, step) == wanted) {
            buf_add(&names, names.len ? str_from(labels_text(LABEL_LIST_GAP, lang)) : STR(""));
            buf_add(&names, labels_step((enum step)step, lang));
        }
    }
    if (names.len > 0) {
        layout_blanks(human->out, TABLE_INDENT);
        layout_wrap(human->out, labels_say(human->arena, lang, label, names.ptr), TABLE_INDENT,
                    human->columns, (struct str){NULL, 0});
    }
    buf_free(&names);
}

static void write_more(const struct human *human, size_t count, enum label label)
{
    if (count > 0) {
        layout_blanks(human->out, TABLE_INDENT);
        layout_wrap(human->out, labels_say(human->arena, human->report->lang, label, count),
                    TABLE_INDENT, human->columns, (struct str){NULL, 0});
    }
}

/* A reason for skipping stands nowhere else, so it is told whole where the table cut it. */
static void write_cut_reasons(const struct human *human, const struct table *table)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[i];
        if (row->result->status == TARGET_SKIPPED &&
            text_columns(row->verdict) > table->verdict_columns) {
            write_list_row(human, row);
        }
    }
}

void human_table(const struct human *human)
{
    struct table table = {0};
    choose_rows(human, &table);
    if (table.row_count + table.more_answering == 0) {
        return;
    }
    buf_add_char(human->out, '\n');
    table_fit(human, &table);
    if (table.row_count > 0 && !table.is_list) {
        write_heading(human, &table);
    }
    for (size_t i = 0; i < table.row_count; i++) {
        if (table.is_list) {
            write_list_row(human, &table.rows[i]);
        } else {
            write_row(human, &table, &table.rows[i]);
        }
    }
    if (!table.is_list) {
        write_cut_reasons(human, &table);
        write_left_out(human, &table, STEP_OK, LABEL_FINE_FOR_ALL);
        write_left_out(human, &table, STEP_FAIL, LABEL_FINE_WHERE_REACHED);
        write_left_out(human, &table, STEP_SKIP, LABEL_SKIPPED_FOR_ALL);
    }
    write_more(human, table.more_failing, LABEL_MORE_FAIL);
    write_more(human, table.more_answering, LABEL_MORE_ANSWER);
}
