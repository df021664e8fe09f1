/* The table of keys: which key where, whether it was accepted, what it sees and what is left, and
 * the verdict in words. What is fine takes one line; in a long run it is counted. */
#include "report/human.h"

#include "base/text.h"
#include "report/labels.h"
#include "report/layout.h"
#include "triage/fill.h"

#define INDENT 2
#define GAP 2
#define ROWS_ALL_MAX 12
#define ROWS_SHOWN_MAX 60
#define NAME_COLUMNS_MIN ((size_t)16)
#define COLUMNS 4 /* key, models, left, days */
#define CELL_COLUMNS_MAX 24

struct line {
    const struct key_row *row;
    struct str cells[COLUMNS];
    struct str verdict;
};

struct lines {
    struct line *items;
    size_t count, more;
    size_t columns[COLUMNS];
};

static const enum label headings[COLUMNS] = {LABEL_DETAIL_KEY, LABEL_KEYS_MODELS, LABEL_KEYS_LEFT,
                                             LABEL_KEYS_ENDS};

static enum step_status mark_of(const struct key_row *row)
{
    if (row->status != KEY_OK) {
        return row->status == KEY_FAILED ? STEP_FAIL : STEP_SKIP;
    }
    for (size_t i = 0; i < row->warning_count; i++) {
        if (row->warnings[i].severity != SEVERITY_INFO) {
            return STEP_WARN;
        }
    }
    return STEP_OK;
}

/* What is left of the tightest limit, or the balance where no limit is known. */
static struct str left_of(const struct human *human, const struct key_row *row)
{
    if (row->headroom_permille >= 0) {
        int permille = (int)row->headroom_permille;
        return permille % 10 ? arena_printf(human->arena, "%d.%d %%", permille / 10, permille % 10)
                             : arena_printf(human->arena, "%d %%", permille / 10);
    }
    return text_show(human->arena, row->balance, CELL_COLUMNS_MAX);
}

/* Days until the key ends, or the certificate where that comes first. */
static struct str end_of(const struct human *human, const struct key_row *row)
{
    int64_t end_ms = row->key_expires_ms, of_certificate = row->certificate_expires_ms;
    end_ms =
        end_ms < 0 || (of_certificate > 0 && of_certificate < end_ms) ? of_certificate : end_ms;
    int64_t left_ms = end_ms - human->report->started_ms;
    return end_ms < 0 ? (struct str){NULL, 0}
                      : fill_duration(human->arena, human->report->lang, left_ms > 0 ? left_ms : 0);
}

static struct str verdict_of(const struct human *human, const struct key_row *row)
{
    enum lang lang = human->report->lang;
    if (row->status == KEY_UNPROVEN) {
        return labels_say(human->arena, lang, LABEL_KEYS_UNPROVEN,
                          arena_cstr(human->arena, row->unproven_why));
    }
    if (row->status == KEY_FAILED) {
        return row->finding->diagnosis->title.in[lang];
    }
    return str_from(
        labels_text(str_is_empty(row->fingerprint) ? LABEL_KEYS_NONE_NEEDED : LABEL_KEYS_OK, lang));
}

static void widen(size_t *columns, struct str text)
{
    size_t width = text_columns(text);
    *columns = width > *columns ? width : *columns;
}

static struct lines make_lines(const struct human *human)
{
    const struct report *report = human->report;
    struct lines lines = {.items = ARENA_ARRAY(human->arena, report->key_count, struct line)};
    bool is_long = report->key_count > ROWS_ALL_MAX && !human->style->is_verbose;
    for (size_t i = 0; i < report->key_count; i++) {
        const struct key_row *row = &report->keys[i];
        if (is_long && (mark_of(row) == STEP_OK || lines.count >= ROWS_SHOWN_MAX)) {
            lines.more++;
            continue;
        }
        struct line *line = &lines.items[lines.count++];
        line->row = row;
        line->cells[0] = row->label;
        if (row->model_count >= 0) {
            line->cells[1] = arena_printf(human->arena, "%lld", (long long)row->model_count);
        }
        line->cells[2] = left_of(human, row);
        line->cells[3] = end_of(human, row);
        line->verdict = verdict_of(human, row);
        for (size_t c = 0; c < COLUMNS; c++) {
            widen(&lines.columns[c], line->cells[c]);
        }
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        if (lines.columns[c]) {
            widen(&lines.columns[c], str_from(labels_text(headings[c], report->lang)));
        }
    }
    return lines;
}

/* Verdicts get what is left, a third of the width at least: long labels lose their middle. */
static void fit(const struct human *human, struct lines *lines)
{
    size_t others = INDENT + GAP;
    for (size_t c = 1; c < COLUMNS; c++) {
        others += lines->columns[c] ? lines->columns[c] + GAP : 0;
    }
    size_t room = human->columns > others + human->columns / 3
                      ? human->columns - others - human->columns / 3
                      : NAME_COLUMNS_MIN;
    room = room < NAME_COLUMNS_MIN ? NAME_COLUMNS_MIN : room;
    lines->columns[0] = lines->columns[0] > room ? room : lines->columns[0];
}

static void write_line(const struct human *human, const struct lines *lines,
                       const struct line *line)
{
    struct buf *out = human->out;
    enum step_status status = mark_of(line->row);
    struct str sign = human_mark(human, status);
    size_t indent = INDENT;
    layout_blanks(out, INDENT);
    layout_tinted(out, human->style, layout_step_tint(status), sign);
    layout_blanks(out, human_mark_columns(human) + 1 - text_columns(sign));
    indent += human_mark_columns(human) + 1;
    for (size_t c = 0; c < COLUMNS; c++) {
        if (lines->columns[c]) {
            struct str cell = text_cut_middle(human->arena, line->cells[c], lines->columns[c]);
            layout_pad(out, cell, lines->columns[c]);
            layout_blanks(out, GAP);
            indent += lines->columns[c] + GAP;
        }
    }
    layout_wrap(out, line->verdict, indent, human->columns, (struct str){NULL, 0});
}

static void write_heading(const struct human *human, const struct lines *lines)
{
    struct buf *out = human->out;
    layout_blanks(out, INDENT + human_mark_columns(human) + 1);
    for (size_t c = 0; c < COLUMNS; c++) {
        if (lines->columns[c]) {
            layout_pad(out, str_from(labels_text(headings[c], human->report->lang)),
                       lines->columns[c]);
            layout_blanks(out, GAP);
        }
    }
    buf_add(out, str_from(labels_text(LABEL_VERDICT, human->report->lang)));
    buf_add_char(out, '\n');
}

void human_keys(const struct human *human)
{
    struct lines lines = make_lines(human);
    if (lines.count + lines.more == 0) {
        return;
    }
    fit(human, &lines);
    buf_add_char(human->out, '\n');
    if (lines.count) {
        write_heading(human, &lines);
    }
    for (size_t i = 0; i < lines.count; i++) {
        write_line(human, &lines, &lines.items[i]);
    }
    if (lines.more) {
        layout_blanks(human->out, INDENT);
        layout_wrap(human->out,
                    labels_say(human->arena, human->report->lang, LABEL_MORE_KEYS, lines.more),
                    INDENT, human->columns, (struct str){NULL, 0});
    }
}
