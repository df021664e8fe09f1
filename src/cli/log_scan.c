/* The way of a log: blocks of entries, each judged like a paste of its own, events in order. Memory
 * is bounded by the blocks, whatever the length of the log or of its lines. */
#include "cli/log_scan.h"

#include "cli/log_show.h"
#include "input/log_entry.h"
#include "input/log_observe.h"
#include "input/log_reader.h"

#include <string.h>

struct scan {
    struct street *street;
    struct str file;
    struct log_digest *digest;
    uint64_t last_line; /* of the event before */
    bool is_streaming;  /* events are written as they come */
    struct err *err;
};

static uint64_t count_lines(struct str text)
{
    uint64_t lines = 0;
    const char *at = text.ptr, *end = text.ptr + text.len;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        lines++;
        at++;
    }
    return lines;
}

/* A failure that is known to be one of another system is none of this log's events; an error that
 * no rule knows is. */
static bool is_event(const struct street *street, const struct finding *finding)
{
    bool is_foreign =
        finding->diagnosis == rules_unknown(street->rules) && str_is_set(finding->rule_id);
    return !finding->diagnosis->is_healthy && !is_foreign;
}

static void judge_entry(struct scan *scan, struct str text, uint64_t line)
{
    struct street *street = scan->street;
    struct arena *arena = arena_create();
    struct log_event event = {.file = scan->file, .line = line};
    struct observation observation =
        log_entry_observe(arena, &street->mask, text, street->report.started_ms, &event.time_ms);
    observation.origin.kind = ORIGIN_FILE;
    observation.origin.name = scan->file;
    observation.origin.line = (unsigned)line;
    observation.started_ms = event.time_ms > 0 ? event.time_ms : street->report.started_ms;
    observation.utc_offset_s = env_utc_offset_s(street->cli->env, observation.started_ms);
    event.line_to = line + count_lines(text);
    event.finding = classify(street->classifier, arena, &observation);
    if (is_event(street, &event.finding)) {
        scan->last_line = line;
        log_digest_add(scan->digest, &event);
        if (scan->is_streaming) {
            log_show_line(street->cli, arena, &event);
        }
    }
    arena_free(arena);
}

static void judge_block(struct scan *scan, struct str block, uint64_t line)
{
    for (size_t at = 0; at < block.len;) {
        struct log_entry entry = log_entry_at(block, at);
        if (line != scan->last_line) { /* a later piece of a line that has told its failure */
            judge_entry(scan, str_slice(block, entry.begin, entry.end), line);
        }
        line += count_lines(str_slice(block, at, entry.next));
        at = entry.next;
    }
}

enum err_code log_scan(struct street *street, struct str file, int fd, struct str head,
                       struct log_digest *digest, struct err *err)
{
    struct cli *cli = street->cli;
    struct scan scan = {.street = street,
                        .file = file,
                        .digest = digest,
                        .is_streaming = log_show_is_streaming(cli),
                        .err = err};
    struct log_reader *reader = log_reader_open(fd, head);
    char *bytes = arena_alloc(cli->arena, LOG_BUFFER_BYTES);
    struct str block;
    uint64_t line;
    enum err_code code = reader ? ERR_OK : err_set(err, ERR_SYSTEM, "there is no memory left");
    while (!code && log_reader_next(reader, bytes, &block, &line)) {
        judge_block(&scan, block, line);
        code = scan.is_streaming && !str_is_set(cli->options.output) ? cli_flush(cli, err) : ERR_OK;
    }
    if (!code && reader->os_errno) {
        code = err_set(err, ERR_FILE, "%.*s cannot be read: %s", STR_ARG(file),
                       strerror(reader->os_errno));
    }
    digest->has_log = true;
    digest->lines += reader ? reader->lines : 0;
    log_reader_close(reader);
    return code;
}
