/* The report for people: one line of what was done, the table, the problems, one line for the exit
 * code. What is fine takes one line, what is not gets the room. */
#include "report/human.h"

#include "base/text.h"
#include "report/formats.h"
#include "report/labels.h"
#include "report/layout.h"
#include "triage/exit.h"
#include "triage/fill.h"

/* Of a run that is not verbose. */
#define VERDICTS_WHOLE 12
#define VERDICTS_TITLED 60

static const struct str nothing = {NULL, 0};

static void add_part(const struct human *human, struct buf *line, struct str part)
{
    if (!str_is_empty(part)) {
        struct str gap = human->style->is_ascii ? STR(" - ") : STR(" \xC2\xB7 ");
        buf_add(line, line->len ? gap : STR(""));
        buf_add(line, text_show(human->arena, part, 100));
    }
}

/* That of the settings, or that which printed the evidence. */
static struct str client_of(const struct result *result)
{
    return result->target        ? result->target->client
           : result->observation ? result->observation->client
                                 : nothing;
}

/* The clients whose configuration or evidence was found, each once. */
static struct str clients_of(const struct human *human)
{
    const struct report *report = human->report;
    struct buf names = buf_create(1024);
    for (size_t i = 0; i < report->result_count; i++) {
        const struct target *target = report->results[i].target;
        struct str client = client_of(&report->results[i]);
        bool is_new = !str_is_empty(client);
        for (size_t j = 0; j < i && is_new; j++) {
            is_new = !str_eq(client_of(&report->results[j]), client);
        }
        if (is_new) {
            buf_add(&names, names.len ? STR(", ") : STR(""));
            buf_add(&names, client);
            bool has_version = target && !str_is_empty(target->client_version);
            buf_add(&names, has_version ? STR(" ") : STR(""));
            buf_add(&names, has_version ? target->client_version : STR(""));
        }
    }
    struct str clients = arena_dup(human->arena, buf_str(&names));
    buf_free(&names);
    return clients;
}

static struct str files_of(const struct human *human)
{
    const struct report *report = human->report;
    size_t loaded = 0;
    struct str first = nothing;
    for (size_t i = 0; i < report->file_count; i++) {
        if (report->files[i].status == CONFIG_LOADED || report->files[i].status == CONFIG_BROKEN) {
            first = loaded == 0 ? report->files[i].path : first;
            loaded++;
        }
    }
    return loaded > 1 ? labels_say(human->arena, report->lang, LABEL_FILES, loaded) : first;
}

static struct str key_counts_of(const struct human *human)
{
    const struct report *report = human->report;
    bool is_one = report->key_count == 1, is_one_request = report->request_count == 1;
    enum label label = is_one
                           ? (is_one_request ? LABEL_KEYS_COUNTS_ONE_EACH : LABEL_KEYS_COUNTS_ONE)
                           : (is_one_request ? LABEL_KEYS_COUNTS_ONE_REQUEST : LABEL_KEYS_COUNTS);
    struct str took = fill_duration(human->arena, report->lang, report->duration_ms);
    return labels_say(human->arena, report->lang, label, report->key_count, report->request_count,
                      arena_cstr(human->arena, took));
}

static struct str counts_of(const struct human *human)
{
    const struct report *report = human->report;
    size_t models = 0;
    for (size_t i = 0; i < report->result_count; i++) {
        models += report->results[i].target ? 1 : 0;
    }
    if (models == 0) {
        return nothing;
    }
    bool is_one_request = report->request_count == 1;
    enum label label = models == 1
                           ? (is_one_request ? LABEL_COUNTS_ONE_EACH : LABEL_COUNTS_ONE_MODEL)
                           : (is_one_request ? LABEL_COUNTS_ONE_REQUEST : LABEL_COUNTS);
    struct str took = fill_duration(human->arena, report->lang, report->duration_ms);
    return labels_say(human->arena, report->lang, label, models, report->request_count,
                      arena_cstr(human->arena, took));
}

static void write_header(const struct human *human)
{
    struct buf line = buf_create(4096);
    struct str clients = clients_of(human);
    bool is_of_targets = human->report->result_count && human->report->results[0].target;
    if (str_is_empty(clients) || !is_of_targets) {
        add_part(human, &line,
                 arena_printf(human->arena, "diagnose %.*s", STR_ARG(human->report->command)));
    }
    add_part(human, &line, clients);
    add_part(human, &line, files_of(human));
    add_part(human, &line, human->report->is_of_keys ? key_counts_of(human) : counts_of(human));
    layout_wrap(human->out, buf_str(&line), 0, human->columns, nothing);
    buf_free(&line);
}

/* The most urgent problems in full, then titles alone, then a number. */
static void write_verdicts(const struct human *human)
{
    const struct report *report = human->report;
    size_t whole = human->style->verdicts_whole ? human->style->verdicts_whole : VERDICTS_WHOLE;
    whole = human->style->is_verbose ? report->verdict_count : whole;
    size_t titled = human->style->is_verbose ? report->verdict_count : VERDICTS_TITLED;
    for (size_t i = 0; i < report->verdict_count && i < titled; i++) {
        if (i < whole) {
            human_verdict(human, i + 1, &report->verdicts[i]);
            continue;
        }
        if (i == whole) {
            buf_add(human->out, STR("\n  "));
            layout_wrap(human->out, str_from(labels_text(LABEL_BRIEFLY, report->lang)), 2,
                        human->columns, nothing);
        }
        human_verdict_title(human, i + 1, &report->verdicts[i]);
    }
    if (titled < report->verdict_count) {
        struct str more = labels_say(human->arena, report->lang, LABEL_MORE_VERDICTS,
                                     report->verdict_count - titled);
        buf_add(human->out, STR("  "));
        layout_wrap(human->out, more, 2, human->columns, nothing);
    }
}

/* The diagnosis that explains the exit code: the most urgent error with that blame. */
static const struct diagnosis *explained(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (verdict->severity == SEVERITY_ERROR && verdict->diagnosis->blame == report->blame) {
            return verdict->diagnosis;
        }
    }
    return NULL;
}

static void write_footer(const struct human *human)
{
    const struct report *report = human->report;
    const struct diagnosis *diagnosis = explained(report);
    struct str line;
    if (diagnosis == NULL) {
        line = labels_say(human->arena, report->lang, LABEL_EXIT_CALM, report->exit_code,
                          arena_cstr(human->arena, report->summary));
    } else {
        struct str blame = labels_blame(report->blame, report->lang);
        line = labels_say(human->arena, report->lang, LABEL_EXIT, report->exit_code,
                          arena_cstr(human->arena, blame));
        line = labels_say(human->arena, report->lang, LABEL_EXPLAIN, arena_cstr(human->arena, line),
                          arena_cstr(human->arena, diagnosis->id));
    }
    buf_add_char(human->out, '\n');
    layout_wrap(human->out, line, 0, human->columns, nothing);
}

/* "FILE:LINE:COLUMN: gpt-x refuses the key (auth_invalid_key, ours)" */
static void write_quiet_line(const struct human *human, const struct verdict *verdict)
{
    struct arena *arena = human->arena;
    enum lang lang = human->report->lang;
    struct str blame = labels_blame(verdict->diagnosis->blame, lang);
    struct str line =
        labels_say(arena, lang, LABEL_QUIET_LINE, arena_cstr(arena, verdict->title),
                   arena_cstr(arena, verdict->diagnosis->id), arena_cstr(arena, blame));
    if (!str_is_empty(verdict->origin)) {
        line = arena_printf(arena, "%.*s: %.*s", STR_ARG(verdict->origin), STR_ARG(line));
    }
    layout_wrap(human->out, line, 0, human->columns, nothing);
}

/* One line for each problem that counts and each expectation that does not hold, or the summary
 * where only the exit code tells of a failure; nothing when all is well. */
static void write_quiet(const struct human *human)
{
    const struct report *report = human->report;
    size_t before = human->out->len;
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (verdict->severity == SEVERITY_ERROR &&
            exit_names(report->fail_on, report->fail_on_count, verdict->diagnosis)) {
            write_quiet_line(human, verdict);
        }
    }
    human_missed(human);
    if (report->exit_code != 0 && human->out->len == before) {
        layout_wrap(human->out, report->summary, 0, human->columns, nothing);
    }
}

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    struct human human = {.arena = arena,
                          .report = report,
                          .style = style,
                          .columns = layout_columns(style),
                          .out = out};
    if (style->is_quiet) {
        write_quiet(&human);
        return;
    }
    write_header(&human);
    if (report->is_verified) {
        human_truths(&human);
    } else {
        human_origins(&human);
    }
    if (!report->is_verified || report->request_count > 0) {
        human_table(&human);
    }
    human_keys(&human);
    human_notes(&human);
    human_day(&human);
    if (style->is_verbose) {
        human_key_details(&human);
        human_details(&human);
    }
    write_verdicts(&human);
    write_footer(&human);
}

const struct report_format format_human = {.name = STR_INIT("human"), .render = render};
