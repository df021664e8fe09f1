/* Any bytes as a file of records for history import: no crash, no hang, and what comes into the
 * store is bounded text without control characters, with a time and a known diagnosis. */
#define _GNU_SOURCE
#include "base/text.h"
#include "cli/history_intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define CLEAR_EACH 2000 /* inputs */
#define TEXT_BYTES_MAX 1200

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The fuzzer calls one function only, so this lives as long as the process. */
struct bench {
    struct env env;
    struct cli cli;
    struct street street;
    struct history *history;
    char folder[32];
    unsigned inputs;
};

static struct bench *bench_open(void)
{
    static struct bench bench;
    static char *variables[] = {NULL};
    struct err err = {0};
    if (bench.history) {
        return &bench;
    }
    bench.env = env_of_process(variables);
    FILE *nowhere = fopen("/dev/null", "w");
    bench.cli = (struct cli){.arena = arena_create(),
                             .env = &bench.env,
                             .streams = {.in = -1, .out = nowhere, .errors = nowhere},
                             .command = command_find(STR("history"))};
    (void)snprintf(bench.folder, sizeof bench.folder, "/dev/shm/fuzz-XXXXXX");
    struct str path = {NULL, 0};
    if (nowhere && mkdtemp(bench.folder)) {
        path = arena_printf(bench.cli.arena, "%s/h.db", bench.folder);
    }
    if (!path.len || street_open(&bench.street, &bench.cli, &err) ||
        history_open(path.ptr, HISTORY_WRITE, &bench.env, &bench.history, &err)) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    return &bench;
}

static void check_text(struct str text)
{
    if (text.len > TEXT_BYTES_MAX || utf8_find_invalid(text) >= 0) {
        abort();
    }
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 127) {
            abort();
        }
    }
}

static void check_rows(struct bench *bench)
{
    struct history_filter all = history_filter_all();
    struct history_rows *rows = NULL;
    struct record record;
    struct err err = {0};
    if (history_rows_open(bench->history, &all, 5, &rows, &err)) {
        abort();
    }
    while (history_rows_next(rows, &record, &err)) {
        for (size_t i = 0; i < record_member_count(); i++) {
            if (record_member_at(i)->kind == RECORD_TEXT) {
                check_text(*record_text(&record, record_member_at(i)));
            }
        }
        if (record.at_ms <= 0 || record.uid.len == 0 ||
            !rules_diagnosis(bench->street.rules, record.diagnosis)) {
            abort();
        }
    }
    history_rows_close(rows);
    if (err.code) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bench *bench = bench_open();
    struct history_filter all = history_filter_all();
    struct err err = {0};
    int fd = memfd_create("lines", 0);
    bench->cli.arena = arena_create();
    struct intake intake = intake_open(&bench->street, bench->history);
    const struct source source = {.name = STR("x"), .shown = STR("x"), .fd = fd};
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0 ||
        intake_lines(&intake, &source, &err)) {
        abort();
    }
    if (intake.added) {
        check_rows(bench);
    }
    intake_close(&intake);
    close(fd);
    arena_free(bench->cli.arena);
    if (++bench->inputs % CLEAR_EACH == 0 && history_clear(bench->history, &all, NULL, &err)) {
        abort();
    }
    return 0;
}
