/* A plugin's answer for Nagios, Icinga and their like: one line with the state and performance
 * data, then a line for each row that is not fine; and a plugin's own exit codes. What passes with
 * retrying, or where a fallback of the same chain answers, is a warning; the rest is critical. */
#include "report/formats.h"
#include "report/labels.h"
#include "report/rows.h"

#define TIMES_MAX 50 /* rows whose time is told: agents cut what is over some kilobytes */
#define LINES_MAX 50
#define LABEL_BYTES_MAX 60

/* Also the exit codes of a plugin. */
enum state { STATE_OK, STATE_WARNING, STATE_CRITICAL, STATE_UNKNOWN, STATE_COUNT };

static const char *const states[STATE_COUNT] = {"OK", "WARNING", "CRITICAL", "UNKNOWN"};

/* A bar would begin performance data, also in the lines below. */
static void add_text(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        buf_add_char(out, text.ptr[i] == '|' ? '/' : text.ptr[i]);
    }
}

/* Performance data has no place for quotes and equals signs in a label. */
static void add_label(struct buf *out, struct str text)
{
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len && i < LABEL_BYTES_MAX; i++) {
        char c = text.ptr[i];
        bool is_odd = c == '\'' || c == '=' || c == '|' || (unsigned char)c >= 0x80;
        buf_add_char(out, is_odd ? '_' : c);
    }
    buf_add(out, STR("'="));
}

static bool chain_answers(const struct report *report, const struct target *target)
{
    for (size_t i = 0; i < report->result_count; i++) {
        const struct result *other = &report->results[i];
        if (other->status == TARGET_OK && other->target &&
            str_eq(other->target->chain, target->chain) &&
            str_eq(other->target->client, target->client)) {
            return true;
        }
    }
    return false;
}

static enum state state_of_row(const struct report *report, const struct report_row *row)
{
    switch (row->status) {
    case ROW_FAILED: {
        bool passes =
            row->diagnosis && row->diagnosis->blame == BLAME_THEIRS && row->diagnosis->is_retryable;
        bool is_degraded = row->result && chain_answers(report, row->result->target);
        return passes || is_degraded ? STATE_WARNING : STATE_CRITICAL;
    }
    case ROW_UNTOLD:
        return STATE_UNKNOWN;
    case ROW_WARNING: { /* of a key: it is about to fail; of settings: nobody is to be woken */
        bool is_of_key = row->kind == ROW_CONFIG && str_eq(row->suite, STR("keys"));
        return is_of_key ? STATE_WARNING : STATE_OK;
    }
    default:
        return STATE_OK;
    }
}

static enum state state_of(const struct report *report, const struct report_rows *rows)
{
    static const unsigned urgency[STATE_COUNT] = {
        [STATE_OK] = 0, [STATE_UNKNOWN] = 1, [STATE_WARNING] = 2, [STATE_CRITICAL] = 3};
    enum state worst = STATE_OK;
    for (size_t i = 0; i < rows->count; i++) {
        enum state state = state_of_row(report, &rows->items[i]);
        /* A run that passes, as a demo of failures does, raises no alarm. */
        if (report->exit_code == 0 && rows->items[i].status != ROW_WARNING) {
            state = STATE_OK;
        }
        worst = urgency[state] > urgency[worst] ? state : worst;
    }
    return worst;
}

static void add_performance(const struct report *report, const struct report_rows *rows,
                            struct buf *out)
{
    int64_t ms = report->duration_ms;
    size_t failed = rows->by_status[ROW_FAILED] + rows->by_status[ROW_UNTOLD], shown = 0;
    buf_printf(out, " | 'time'=%lld.%03llds;;;0 'ok'=%zu;;;0 'warning'=%zu;;;0 'failed'=%zu;;;0",
               (long long)(ms / 1000), (long long)(ms % 1000), rows->by_status[ROW_OK],
               rows->by_status[ROW_WARNING], failed);
    buf_printf(out, " 'skipped'=%zu;;;0", rows->by_status[ROW_SKIPPED]);
    for (size_t i = 0; i < rows->count && shown < TIMES_MAX; i++) {
        const struct report_row *row = &rows->items[i];
        bool is_timed = row->kind == ROW_TARGET || row->kind == ROW_KEY;
        if (is_timed && row->duration_ms >= 0) {
            buf_add_char(out, ' ');
            add_label(out, row->name);
            buf_printf(out, "%lld.%03llds;;;0", (long long)(row->duration_ms / 1000),
                       (long long)(row->duration_ms % 1000));
            shown++;
        }
    }
    buf_add_char(out, '\n');
}

static void add_lines(struct arena *arena, const struct report *report,
                      const struct report_rows *rows, struct buf *out)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct report_row *row = &rows->items[i];
        if (row->status == ROW_OK || row->kind == ROW_RUN || count++ >= LINES_MAX) {
            continue;
        }
        buf_printf(out, "%.*s: ", STR_ARG(row_status_name(row->status)));
        add_text(out, row->title);
        if (!str_is_empty(row->seen)) {
            buf_add(out, STR(" ("));
            add_text(out, row->seen);
            buf_add_char(out, ')');
        }
        buf_add_char(out, '\n');
    }
    if (count > LINES_MAX) {
        add_text(out, labels_say(arena, report->lang, LABEL_MD_MORE, count - LINES_MAX));
        buf_add_char(out, '\n');
    }
}

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    struct report_rows rows = report_rows_of(arena, report);
    buf_printf(out, "DIAGNOSE %s - ", states[state_of(report, &rows)]);
    add_text(out, report_row_text(arena, report, report->summary));
    add_performance(report, &rows, out);
    add_lines(arena, report, &rows, out);
}

static int exit_code(const struct report *report)
{
    struct arena *arena = arena_create();
    struct report_rows rows = report_rows_of(arena, report);
    enum state state = state_of(report, &rows);
    arena_free(arena);
    return (int)state;
}

static int render_error(struct arena *arena, struct str message, struct buf *out)
{
    (void)arena;
    buf_printf(out, "DIAGNOSE %s - ", states[STATE_UNKNOWN]);
    add_text(out, message);
    buf_add_char(out, '\n');
    return STATE_UNKNOWN;
}

const struct report_format format_nagios = {
    .name = STR_INIT("nagios"),
    .render = render,
    .exit_code = exit_code,
    .render_error = render_error,
};
