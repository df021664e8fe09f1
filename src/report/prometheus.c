/* Prometheus' text format, for node_exporter's textfile collector: gauges in base units, without
 * timestamps, and one that tells when the run was. Labels hold names of targets and keys, hosts and
 * fingerprints; never a key or a whole URL. What was not measured has no series. */
#include "report/formats.h"
#include "report/rows.h"

#include "triage/place.h"

/* One report under way; a family's writer adds the samples of one row. */
struct exposition {
    struct arena *arena;
    const struct report *report;
    const struct report_rows *rows;
    struct buf *out;
    const char *name, *help; /* of the family under way; help is NULL once its head is written */
};

static void add_label(struct exposition *to, const char *name, struct str value)
{
    struct str shown = report_row_text(to->arena, to->report, value);
    buf_printf(to->out, "%s=\"", name);
    for (size_t i = 0; i < shown.len; i++) {
        char c = shown.ptr[i];
        buf_add(to->out, c == '\\' || c == '"' ? STR("\\") : STR(""));
        buf_add_char(to->out, c);
    }
    buf_add(to->out, STR("\""));
}

static void begin_family(struct exposition *to, const char *name, const char *help)
{
    to->name = name;
    to->help = help;
}

/* The head of a family comes with its first sample; one without any is left out. */
static void begin_sample(struct exposition *to)
{
    if (to->help) {
        buf_printf(to->out, "# HELP %s %s.\n# TYPE %s gauge\n", to->name, to->help, to->name);
        to->help = NULL;
    }
    buf_printf(to->out, "%s{", to->name);
    add_label(to, "command", to->report->command);
}

static void add_more(struct exposition *to, const char *name, struct str value)
{
    buf_add_char(to->out, ',');
    add_label(to, name, value);
}

static void begin_row(struct exposition *to, const struct report_row *row)
{
    begin_sample(to);
    if (row->kind == ROW_TARGET) {
        add_more(to, "client", row->suite);
    }
    add_more(to, row->kind == ROW_KEY ? "key" : "target", row->name);
}

static void end_number(struct exposition *to, int64_t number)
{
    buf_printf(to->out, "} %lld\n", (long long)number);
}

/* Thousandths as a decimal number. */
static void end_thousandths(struct exposition *to, int64_t thousandths)
{
    const char *sign = thousandths < 0 ? "-" : "";
    thousandths = thousandths < 0 ? -thousandths : thousandths;
    buf_printf(to->out, "} %s%lld.%03lld\n", sign, (long long)(thousandths / 1000),
               (long long)(thousandths % 1000));
}

static void probe_success(struct exposition *to, const struct report_row *row)
{
    if (row->status == ROW_SKIPPED) {
        return;
    }
    begin_row(to, row);
    end_number(to, row->result->status == TARGET_OK);
}

static void probe_info(struct exposition *to, const struct report_row *row)
{
    const struct target *target = row->result->target;
    begin_row(to, row);
    add_more(to, "model", target->model.text);
    add_more(to, "provider", target->provider);
    add_more(to, "host", place_host(target->base_url.text));
    end_number(to, 1);
}

static void probe_diagnosis(struct exposition *to, const struct report_row *row)
{
    if (row->diagnosis) {
        begin_row(to, row);
        add_more(to, "diagnosis", row->diagnosis->id);
        add_more(to, "layer", row->diagnosis->layer);
        add_more(to, "blame", blame_name(row->diagnosis->blame));
        end_number(to, 1);
    }
}

static void probe_phases(struct exposition *to, const struct report_row *row)
{
    static const struct {
        enum step step;
        const char *name;
    } phases[] = {{STEP_DNS, "resolve"},
                  {STEP_CONNECT, "connect"},
                  {STEP_TLS, "tls"},
                  {STEP_HTTP, "processing"},
                  {STEP_ANSWER, "transfer"}};
    const struct observation *seen = row->result->observation;
    for (size_t i = 0; seen && i < sizeof phases / sizeof phases[0]; i++) {
        if (seen->step_ms[phases[i].step] >= 0) {
            begin_row(to, row);
            add_more(to, "phase", str_from(phases[i].name));
            end_thousandths(to, seen->step_ms[phases[i].step]);
        }
    }
}

static void probe_status(struct exposition *to, const struct report_row *row)
{
    const struct observation *seen = row->result->observation;
    if (seen && seen->status) {
        begin_row(to, row);
        end_number(to, seen->status);
    }
}

static void probe_wait(struct exposition *to, const struct report_row *row)
{
    const struct finding *finding = row->result->finding;
    if (finding && finding->wait_ms >= 0) {
        begin_row(to, row);
        end_thousandths(to, finding->wait_ms);
    }
}

static void key_success(struct exposition *to, const struct report_row *row)
{
    if (row->key->status != KEY_UNPROVEN) {
        begin_row(to, row);
        end_number(to, row->key->status == KEY_OK);
    }
}

static void key_info(struct exposition *to, const struct report_row *row)
{
    begin_row(to, row);
    add_more(to, "host", place_host(row->key->endpoint));
    add_more(to, "fingerprint", row->key->fingerprint);
    end_number(to, 1);
}

static void key_headroom(struct exposition *to, const struct report_row *row)
{
    if (row->key->headroom_permille >= 0) {
        begin_row(to, row);
        end_thousandths(to, row->key->headroom_permille);
    }
}

static void key_models(struct exposition *to, const struct report_row *row)
{
    if (row->key->model_count >= 0) {
        begin_row(to, row);
        end_number(to, row->key->model_count);
    }
}

static void key_expiry(struct exposition *to, const struct report_row *row)
{
    if (row->key->key_expires_ms >= 0) {
        begin_row(to, row);
        end_thousandths(to, row->key->key_expires_ms);
    }
}

static void certificate_expiry(struct exposition *to, const struct report_row *row)
{
    if (row->key->certificate_expires_ms >= 0) {
        begin_row(to, row);
        end_thousandths(to, row->key->certificate_expires_ms);
    }
}

/* All families of rows; names are unique. */
static const struct {
    const char *name, *help;
    enum row_kind kind;
    void (*add)(struct exposition *to, const struct report_row *row);
} families[] = {
    {"diagnose_probe_success", "1 where the target answered, 0 where it failed", ROW_TARGET,
     probe_success},
    {"diagnose_probe_info", "What the target asks, and where", ROW_TARGET, probe_info},
    {"diagnose_probe_diagnosis", "1 for the diagnosis of the target", ROW_TARGET, probe_diagnosis},
    {"diagnose_probe_duration_seconds", "How long each phase of the request took", ROW_TARGET,
     probe_phases},
    {"diagnose_probe_http_status_code", "HTTP status of the answer", ROW_TARGET, probe_status},
    {"diagnose_probe_retry_after_seconds", "How long the answer says to wait", ROW_TARGET,
     probe_wait},
    {"diagnose_key_success", "1 where the key was accepted, 0 where it was not", ROW_KEY,
     key_success},
    {"diagnose_key_info", "Where the key is used, and its fingerprint", ROW_KEY, key_info},
    {"diagnose_key_diagnosis", "1 for the diagnosis of the key", ROW_KEY, probe_diagnosis},
    {"diagnose_key_headroom_ratio", "What is left of the tightest limit, from 0 to 1", ROW_KEY,
     key_headroom},
    {"diagnose_key_models", "Models that the key sees", ROW_KEY, key_models},
    {"diagnose_key_expiry_timestamp_seconds", "When the key ends", ROW_KEY, key_expiry},
    {"diagnose_certificate_expiry_timestamp_seconds", "When the server's certificate ends", ROW_KEY,
     certificate_expiry},
};

static void add_families(struct exposition *to)
{
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        begin_family(to, families[f].name, families[f].help);
        for (size_t i = 0; i < to->rows->count; i++) {
            if (to->rows->items[i].kind == families[f].kind) {
                families[f].add(to, &to->rows->items[i]);
            }
        }
    }
}

static void add_verdicts(struct exposition *to)
{
    const struct report *report = to->report;
    begin_family(to, "diagnose_verdict", "1 for each verdict of the run, by its id");
    for (size_t i = 0; i < report->verdict_count; i++) {
        bool is_told = false;
        for (size_t j = 0; j < i && !is_told; j++) {
            is_told = str_eq(report->verdicts[j].id, report->verdicts[i].id);
        }
        if (!is_told) {
            begin_sample(to);
            add_more(to, "id", report->verdicts[i].id);
            end_number(to, 1);
        }
    }
}

static void add_counts(struct exposition *to)
{
    begin_family(to, "diagnose_rows", "Targets, keys and findings about settings, by status");
    for (size_t status = 0; status < ROW_STATUS_COUNT; status++) {
        begin_sample(to);
        add_more(to, "status", row_status_name((enum row_status)status));
        end_number(to, (int64_t)to->rows->by_status[status]);
    }
}

/* What a run has once. */
static void add_run(struct exposition *to)
{
    const struct report *report = to->report;
    begin_family(to, "diagnose_requests", "Requests that the run sent");
    begin_sample(to);
    end_number(to, (int64_t)report->request_count);
    begin_family(to, "diagnose_exit_code",
                 "Exit code of the run: 0 fine, 1 ours, 2 theirs, "
                 "3 network, 5 could not tell");
    begin_sample(to);
    end_number(to, report->exit_code);
    begin_family(to, "diagnose_run_duration_seconds", "How long the run took");
    begin_sample(to);
    end_thousandths(to, report->duration_ms);
    begin_family(to, "diagnose_last_run_timestamp_seconds", "When the run was done");
    begin_sample(to);
    end_thousandths(to, report->started_ms + report->duration_ms);
    begin_family(to, "diagnose_info", "Version of the program");
    begin_sample(to);
    add_more(to, "version", report->version);
    end_number(to, 1);
}

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    struct report_rows rows = report_rows_of(arena, report);
    struct exposition to = {.arena = arena, .report = report, .rows = &rows, .out = out};
    add_families(&to);
    add_verdicts(&to);
    add_counts(&to);
    add_run(&to);
}

const struct report_format format_prometheus = {.name = STR_INIT("prometheus"), .render = render};
