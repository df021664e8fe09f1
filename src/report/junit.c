/* JUnit's XML for test reports of CI: a suite for each client, a test case for each row. There is
 * no one schema; elements and attributes are those that Jenkins, GitLab and Ant's readers share. */
#include "report/formats.h"
#include "report/rows.h"

#include "base/text.h"

#include <time.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/* What XML 1.0 forbids comes as the replacement character. */
static bool is_xml_char(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xD800) ||
           (c >= 0xE000 && c < 0xFFFE) || c >= 0x10000;
}

static void add_xml(struct buf *out, struct str text)
{
    for (size_t at = 0; at < text.len;) {
        uint32_t c = 0;
        size_t length = utf8_decode(text, at, &c);
        struct str piece =
            length == 0 || !is_xml_char(c) ? STR(REPLACEMENT) : str_slice(text, at, at + length);
        buf_add(out, c == '<'    ? STR("&lt;")
                     : c == '>'  ? STR("&gt;")
                     : c == '&'  ? STR("&amp;")
                     : c == '"'  ? STR("&quot;")
                     : c == '\'' ? STR("&apos;")
                                 : piece);
        at += length ? length : 1;
    }
}

static void add_attribute(struct buf *out, const char *name, struct str value)
{
    buf_printf(out, " %s=\"", name);
    add_xml(out, value);
    buf_add_char(out, '"');
}

static void add_seconds(struct buf *out, int64_t duration_ms)
{
    int64_t ms = duration_ms > 0 ? duration_ms : 0;
    buf_printf(out, " time=\"%lld.%03lld\"", (long long)(ms / 1000), (long long)(ms % 1000));
}

/* Counts of the rows of one suite, or of all where it is unset. */
static void add_counts(struct buf *out, const struct report_rows *rows, struct str suite)
{
    size_t by_status[ROW_STATUS_COUNT] = {0}, tests = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (!str_is_set(suite) || str_eq(rows->items[i].suite, suite)) {
            by_status[rows->items[i].status]++;
            tests++;
        }
    }
    buf_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", tests,
               by_status[ROW_FAILED], by_status[ROW_UNTOLD], by_status[ROW_SKIPPED]);
}

static void add_line(struct buf *out, const char *label, struct str text)
{
    if (!str_is_empty(text)) {
        buf_printf(out, "%-8s", label);
        add_xml(out, text);
        buf_add_char(out, '\n');
    }
}

static void add_detail(struct buf *out, const struct report_row *row)
{
    add_line(out, "why", row->why);
    add_line(out, "seen", row->seen);
    add_line(out, "at", row->place);
    for (size_t i = 0; i < row->action_count; i++) {
        add_line(out, i ? "" : "do", row->actions[i]);
    }
}

static void add_outcome(struct buf *out, const struct report_row *row)
{
    static const char *const elements[ROW_STATUS_COUNT] = {
        [ROW_FAILED] = "failure", [ROW_UNTOLD] = "error"};
    const char *element = elements[row->status];
    if (row->status == ROW_SKIPPED) {
        buf_add(out, STR("      <skipped"));
        add_attribute(out, "message", row->title);
        buf_add(out, STR("/>\n"));
    } else if (element) {
        buf_printf(out, "      <%s", element);
        add_attribute(out, "message", row->title);
        add_attribute(out, "type", row->diagnosis ? row->diagnosis->id : STR("run"));
        buf_add_char(out, '>');
        add_detail(out, row);
        buf_printf(out, "</%s>\n", element);
    }
}

static void add_case(struct buf *out, const struct report_row *row)
{
    buf_add(out, STR("    <testcase"));
    add_attribute(out, "classname", row->suite);
    add_attribute(out, "name", row->name);
    add_seconds(out, row->duration_ms);
    buf_add(out, STR(">\n"));
    add_outcome(out, row);
    buf_add(out, STR("      <system-out>"));
    add_xml(out, row->title);
    buf_add_char(out, '\n');
    add_detail(out, row);
    buf_add(out, STR("</system-out>\n    </testcase>\n"));
}

static void add_suite(struct buf *out, const struct report *report, const struct report_rows *rows,
                      struct str suite)
{
    int64_t duration_ms = 0;
    for (size_t i = 0; i < rows->count; i++) {
        bool is_timed = str_eq(rows->items[i].suite, suite) && rows->items[i].duration_ms > 0;
        duration_ms += is_timed ? rows->items[i].duration_ms : 0;
    }
    time_t seconds = (time_t)(report->started_ms / 1000);
    struct tm parts;
    char started[40] = "";
    if (gmtime_r(&seconds, &parts)) {
        strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%S", &parts);
    }
    buf_add(out, STR("  <testsuite"));
    add_attribute(out, "name", suite);
    add_counts(out, rows, suite);
    add_seconds(out, duration_ms);
    add_attribute(out, "timestamp", str_from(started));
    buf_add(out, STR(">\n"));
    for (size_t i = 0; i < rows->count; i++) {
        if (str_eq(rows->items[i].suite, suite)) {
            add_case(out, &rows->items[i]);
        }
    }
    buf_add(out, STR("  </testsuite>\n"));
}

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    struct report_rows rows = report_rows_of(arena, report);
    buf_add(out, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"));
    add_attribute(out, "name", STR("diagnose"));
    add_counts(out, &rows, (struct str){NULL, 0});
    add_seconds(out, report->duration_ms);
    buf_add(out, STR(">\n"));
    for (size_t i = 0; i < rows.suite_count; i++) {
        add_suite(out, report, &rows, rows.suites[i]);
    }
    buf_add(out, STR("</testsuites>\n"));
}

const struct report_format format_junit = {.name = STR_INIT("junit"), .render = render};
