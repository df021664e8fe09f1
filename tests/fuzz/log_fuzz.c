/* Any bytes as a log: no crash, no hang, and the same events with the filter and without, in blocks
 * of any size. The first byte says where a second block begins; a byte 0x1A stands for so much text
 * that its line is judged in pieces. */
#include "base/buf.h"
#include "base/env.h"
#include "cli/log_judge.h"
#include "input/log_entry.h"

#include <stdio.h>
#include <stdlib.h>

#define FILLER_SIGN '\x1A'
#define FILLER_BYTES (LOG_PIECE_BYTES - 2048)
#define FILLERS_MAX 2 /* of an input; more signs stand for themselves */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int64_t clock_ms(void *clock)
{
    (void)clock;
    return INT64_C(1796043600000);
}

/* The fuzzer calls one function only, so what is costly lives as long as the process. */
struct bench {
    struct arena *arena;
    char *variables[1];
    struct env env;
    struct cli cli;
    struct street street;
    struct log_judge quick, slow;
};

static struct bench *bench_open(void)
{
    static struct bench bench;
    if (!bench.arena) {
        struct problems problems = {0};
        struct err err = {0};
        bench.arena = arena_create();
        if (rules_open((struct str){NULL, 0}, &problems, bench.arena, &bench.street.rules, &err)) {
            fprintf(stderr, "%s\n", err.text);
            abort();
        }
        bench.env = env_of_process(bench.variables);
        bench.env.wall_ms = clock_ms;
        bench.cli.env = &bench.env;
        bench.cli.arena = bench.arena;
        bench.street.cli = &bench.cli;
        bench.street.report.started_ms = clock_ms(NULL);
        const struct sieve *sieve =
            sieve_create(bench.arena, bench.street.rules, marks_create(bench.arena),
                         sieve_sample_create(bench.arena));
        bench.quick = log_judge_open(&bench.street, STR("x"), sieve, false);
        bench.slow = log_judge_open(&bench.street, STR("x"), NULL, true);
    }
    return &bench;
}

static void check(const struct log_batch *quick, const struct log_batch *slow, struct str text)
{
    size_t most = quick->count > slow->count ? quick->count : slow->count;
    for (size_t i = 0; i < most; i++) {
        const struct log_event *a = i < quick->count ? &quick->events[i] : NULL;
        const struct log_event *b = i < slow->count ? &slow->events[i] : NULL;
        if (!a || !b || a->line != b->line || a->line_to != b->line_to ||
            a->time_ms != b->time_ms || a->finding.diagnosis != b->finding.diagnosis ||
            !str_eq(a->finding.rule_id, b->finding.rule_id) ||
            !str_eq(a->finding.evidence, b->finding.evidence) ||
            a->finding.wait_ms != b->finding.wait_ms) {
            fprintf(stderr, "with the filter line %d %.*s, without line %d %.*s, in:\n%.*s\n",
                    a ? (int)a->line : -1, STR_ARG(a ? a->finding.rule_id : STR("")),
                    b ? (int)b->line : -1, STR_ARG(b ? b->finding.rule_id : STR("")),
                    STR_ARG(text));
            abort();
        }
    }
}

/* Entries must follow one another without a gap, and be found from within; what two pieces of a
 * line share is the first one's. */
static void check_entries(struct str text)
{
    size_t end_before = 0;
    for (size_t at = 0; at < text.len;) {
        struct log_entry entry = log_entry_at(text, at);
        size_t inside = entry.begin + (entry.next - entry.begin) / 2;
        inside = inside < end_before ? end_before : inside;
        if (entry.begin != at || entry.next <= at || (entry.end > entry.next && !entry.is_piece) ||
            log_entry_begin(text, 0, inside) != entry.begin) {
            abort();
        }
        at = entry.next;
        end_before = entry.end;
    }
}

/* The text with its signs filled in. */
static void fill(struct buf *out, struct str text)
{
    static const struct str words = STR_INIT("words of a line that goes on and on, ");
    for (unsigned i = 0; i < FILLERS_MAX; i++) {
        size_t sign = str_next_char(text, 0, FILLER_SIGN);
        buf_add(out, str_slice(text, 0, sign));
        for (size_t end = out->len + FILLER_BYTES; sign < text.len && out->len < end;) {
            buf_add(out, words);
        }
        text = str_slice(text, sign + 1, text.len);
    }
    buf_add(out, text);
}

static void check_text(struct bench *bench, struct str text, uint8_t where)
{
    size_t cut = log_entry_begin(text, 0, where * text.len / 256);
    struct str parts[] = {str_slice(text, 0, cut), str_slice(text, cut, text.len)};
    check_entries(text);
    for (size_t i = 0; i < 2; i++) {
        log_judge_block(&bench->quick, parts[i], 1);
        log_judge_block(&bench->slow, parts[i], 1);
        check(&bench->quick.batch, &bench->slow.batch, parts[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bench *bench = bench_open();
    if (size > 1) {
        struct buf text = buf_create(size + FILLERS_MAX * LOG_PIECE_BYTES);
        fill(&text, (struct str){(const char *)bytes + 1, size - 1});
        check_text(bench, buf_str(&text), bytes[0]);
        buf_free(&text);
    }
    return 0;
}
