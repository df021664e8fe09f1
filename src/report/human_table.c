/* The table of targets: name, role, a mark for each rung, the verdict in words. Where the terminal
 * is narrow it gives up in this order: gaps, rungs that are the same for all (said in a line
 * below), the middle of names, the end of verdicts; below that it becomes a list. */
#include "report/human.h"

#include "base/text.h"
#include "report/labels.h"
#include "report/layout.h"
#include "triage/names.h"

#define INDENT 2
#define ROWS_ALL_MAX 12    /* up to this many rows everything is shown */
#define ROWS_FAILED_MAX 40 /* of a long run */
#define NAME_COLUMNS_MIN 14
#define VERDICT_COLUMNS_MIN 16

struct row {
    const struct result *result;
    struct str name, role, verdict;
};

struct table {
    struct row *rows;
    size_t row_count;
    size_t more_answering, more_failing;
    bool is_shown[STEP_COUNT];
    size_t step_columns[STEP_COUNT];
    size_t name_columns, role_columns, verdict_columns, gap;
    bool is_list;
};

static struct str mark(const struct human *human, enum step_status status)
{
    static const struct str signs[] = {[STEP_SKIP] = STR_INIT("\xC2\xB7"),
                                       [STEP_OK] = STR_INIT("\xE2\x9C\x93"),
                                       [STEP_WARN] = STR_INIT("!"),
                                       [STEP_FAIL] = STR_INIT("\xE2\x9C\x97")};
    static const struct str words[] = {[STEP_SKIP] = STR_INIT("-"),
                                       [STEP_OK] = STR_INIT("ok"),
                                       [STEP_WARN] = STR_INIT("warn"),
                                       [STEP_FAIL] = STR_INIT("FAIL")};
    return human->style->is_ascii ? words[status] : signs[status];
}

static enum tint tint_of(enum step_status status)
{
    static const enum tint tints[] = {[STEP_SKIP] = TINT_DIM,
                                      [STEP_OK] = TINT_GOOD,
                                      [STEP_WARN] = TINT_WARN,
                                      [STEP_FAIL] = TINT_BAD};
    return tints[status];
}

static struct str verdict_words(const struct human *human, const struct result *result)
{
    enum lang lang = human->report->lang;
    if (result->status != TARGET_SKIPPED) {
        return text_show(human->arena, result->finding->diagnosis->title.in[lang], 60);
    }
    struct str reason = text_show(human->arena, result->target->skip_reason, 60);
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

static void widen(size_t *columns, struct str text)
{
    size_t width = text_columns(text);
    *columns = width > *columns ? width : *columns;
}

static void measure(const struct human *human, struct table *table)
{
    enum lang lang = human->report->lang;
    widen(&table->name_columns, str_from(labels_text(LABEL_MODEL, lang)));
    for (size_t step = 0; step < STEP_COUNT; step++) {
        table->is_shown[step] = true;
        widen(&table->step_columns[step], labels_step((enum step)step, lang));
    }
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[i];
        widen(&table->name_columns, row->name);
        widen(&table->role_columns, row->role);
        widen(&table->verdict_columns, row->verdict);
        for (size_t step = 0; step < STEP_COUNT; step++) {
            widen(&table->step_columns[step], mark(human, row->result->ladder[step].status));
        }
    }
}

static size_t width_of(const struct table *table)
{
    size_t width = INDENT + table->name_columns + table->gap + table->verdict_columns;
    width += table->role_columns ? table->role_columns + 1 : 0;
    for (size_t step = 0; step < STEP_COUNT; step++) {
        width += table->is_shown[step] ? table->step_columns[step] + table->gap : 0;
    }
    return width;
}

/* The calm status that every row has at this rung, so that its column says nothing; STEP_FAIL when
 * they differ or one is not calm. */
static enum step_status common_status(const struct table *table, size_t step)
{
    enum step_status first = STEP_FAIL;
    for (size_t i = 0; i < table->row_count; i++) {
        enum step_status its = table->rows[i].result->ladder[step].status;
        if (its == STEP_WARN || (i > 0 && its != first)) {
            return STEP_FAIL;
        }
        first = its;
    }
    return first;
}

static size_t give_up(size_t *columns, size_t least, size_t excess)
{
    size_t spare = *columns > least ? *columns - least : 0;
    size_t given = spare < excess ? spare : excess;
    *columns -= given;
    return excess - given;
}

static void fit(const struct human *human, struct table *table)
{
    table->gap = 2;
    if (width_of(table) > human->columns) {
        table->gap = 1;
    }
    if (width_of(table) > human->columns && common_status(table, STEP_HTTP) != STEP_FAIL) {
        table->is_shown[STEP_HTTP] = false;
    }
    for (size_t step = 0; step < STEP_COUNT && width_of(table) > human->columns; step++) {
        table->is_shown[step] = common_status(table, step) == STEP_FAIL;
    }
    if (width_of(table) > human->columns) {
        size_t excess = width_of(table) - human->columns;
        excess = give_up(&table->name_columns, 2 * NAME_COLUMNS_MIN, excess);
        excess = give_up(&table->verdict_columns, VERDICT_COLUMNS_MIN, excess);
        excess = give_up(&table->name_columns, NAME_COLUMNS_MIN, excess);
        table->is_list = excess > 0;
    }
}

static void write_heading(const struct human *human, const struct table *table)
{
    enum lang lang = human->report->lang;
    layout_blanks(human->out, INDENT);
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
    struct str sign = mark(human, status);
    size_t width = text_columns(sign);
    size_t before = columns > width && !human->style->is_ascii ? (columns - width) / 2 : 0;
    layout_blanks(human->out, before);
    layout_tinted(human->out, human->style, tint_of(status), sign);
    layout_blanks(human->out, columns > width + before ? columns - width - before : 0);
}

static void write_row(const struct human *human, const struct table *table, const struct row *row)
{
    struct buf *out = human->out;
    layout_blanks(out, INDENT);
    layout_pad(out, layout_cut_middle(human->arena, row->name, table->name_columns),
               table->name_columns);
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
    buf_add(out, layout_cut_end(human->arena, row->verdict, table->verdict_columns));
    buf_add_char(out, '\n');
}

static void write_list_row(const struct human *human, const struct row *row)
{
    static const enum step_status statuses[] = {
        [TARGET_OK] = STEP_OK, [TARGET_FAILED] = STEP_FAIL, [TARGET_SKIPPED] = STEP_SKIP};
    struct buf *out = human->out;
    enum step_status status = statuses[row->result->status];
    struct str sign = mark(human, status);
    layout_blanks(out, INDENT);
    layout_tinted(out, human->style, tint_of(status), sign);
    buf_add_char(out, ' ');
    struct str line =
        arena_printf(human->arena, "%.*s: %.*s", STR_ARG(row->name), STR_ARG(row->verdict));
    layout_wrap(out, line, INDENT + text_columns(sign) + 1, human->columns, (struct str){NULL, 0});
}

/* "ok for all: config, key": the rungs whose columns were left out. */
static void write_left_out(const struct human *human, const struct table *table,
                           enum step_status wanted, enum label label)
{
    enum lang lang = human->report->lang;
    struct buf names = buf_create(1024);
    for (size_t step = 0; step < STEP_COUNT; step++) {
        if (!table->is_shown[step] && common_status(table, step) == wanted) {
            buf_add(&names, names.len ? str_from(labels_text(LABEL_LIST_GAP, lang)) : STR(""));
            buf_add(&names, labels_step((enum step)step, lang));
        }
    }
    if (names.len > 0) {
        layout_blanks(human->out, INDENT);
        layout_wrap(human->out, labels_say(human->arena, lang, label, names.ptr), INDENT,
                    human->columns, (struct str){NULL, 0});
    }
    buf_free(&names);
}

static void write_more(const struct human *human, size_t count, enum label label)
{
    if (count > 0) {
        layout_blanks(human->out, INDENT);
        layout_wrap(human->out, labels_say(human->arena, human->report->lang, label, count), INDENT,
                    human->columns, (struct str){NULL, 0});
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
    measure(human, &table);
    fit(human, &table);
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
        write_left_out(human, &table, STEP_OK, LABEL_FINE_FOR_ALL);
        write_left_out(human, &table, STEP_SKIP, LABEL_SKIPPED_FOR_ALL);
    }
    write_more(human, table.more_failing, LABEL_MORE_FAIL);
    write_more(human, table.more_answering, LABEL_MORE_ANSWER);
}
