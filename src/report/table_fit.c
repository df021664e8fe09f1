/* Fits the table of targets to the width. What gives way, in this order: gaps, rungs that are the
 * same for all, rungs where nothing fails, the middle of names, the end of verdicts; where that is
 * not enough the table is a list. */
#include "report/table.h"

#include "base/text.h"
#include "report/labels.h"

#define NAME_COLUMNS_MIN ((size_t)14)
#define VERDICT_COLUMNS_MIN 16

struct str human_mark(const struct human *human, enum step_status status)
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

size_t human_mark_columns(const struct human *human)
{
    return human->style->is_ascii ? 4 : 1;
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
            widen(&table->step_columns[step], human_mark(human, row->result->ladder[step].status));
        }
    }
}

static size_t width_of(const struct table *table)
{
    size_t width = TABLE_INDENT + table->name_columns + table->gap + table->verdict_columns;
    width += table->role_columns ? table->role_columns + 1 : 0;
    for (size_t step = 0; step < STEP_COUNT; step++) {
        width += table->is_shown[step] ? table->step_columns[step] + table->gap : 0;
    }
    return width;
}

enum step_status table_common_status(const struct table *table, size_t step)
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

/* No row fails or warns at this rung: what fails elsewhere says that it was passed or not reached.
 */
static bool is_calm(const struct table *table, size_t step)
{
    for (size_t i = 0; i < table->row_count; i++) {
        enum step_status status = table->rows[i].result->ladder[step].status;
        if (status == STEP_WARN || status == STEP_FAIL) {
            return false;
        }
    }
    return true;
}

static bool is_too_wide(const struct human *human, const struct table *table)
{
    return width_of(table) > human->columns;
}

/* Columns that say least go first. */
static void drop_columns(const struct human *human, struct table *table)
{
    static const enum step calm_order[] = {STEP_HTTP, STEP_DNS,  STEP_TLS,   STEP_CONFIG,
                                           STEP_KEY,  STEP_AUTH, STEP_MODEL, STEP_CONNECT};
    if (is_too_wide(human, table) && table_common_status(table, STEP_HTTP) != STEP_FAIL) {
        table->is_shown[STEP_HTTP] = false;
    }
    for (size_t step = 0; step < STEP_COUNT && is_too_wide(human, table); step++) {
        table->is_shown[step] = table_common_status(table, step) == STEP_FAIL;
    }
    for (size_t i = 0; i < sizeof calm_order / sizeof calm_order[0] && is_too_wide(human, table);
         i++) {
        if (is_calm(table, calm_order[i])) {
            table->is_shown[calm_order[i]] = false;
        }
    }
}

void table_fit(const struct human *human, struct table *table)
{
    measure(human, table);
    table->gap = 2;
    if (is_too_wide(human, table)) {
        table->gap = 1;
    }
    drop_columns(human, table);
    if (is_too_wide(human, table)) {
        size_t excess = width_of(table) - human->columns;
        excess = give_up(&table->name_columns, 2 * NAME_COLUMNS_MIN, excess);
        excess = give_up(&table->verdict_columns, VERDICT_COLUMNS_MIN, excess);
        excess = give_up(&table->name_columns, NAME_COLUMNS_MIN, excess);
        table->is_list = excess > 0;
    }
}
