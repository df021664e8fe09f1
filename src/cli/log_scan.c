/* The way of a log through threads. Each takes the next block while it holds the reader, judges it
 * alone, and hands in its events when all blocks before have handed in theirs:
 *
 *     thread 1   read 1 | judge 1 ......... | hand in 1 | read 3 | judge 3 ...
 *     thread 2            read 2 | judge 2 ... (waits)  | hand in 2 | read 4 ...
 *
 * Memory is bounded by a block a thread, whatever the length of the log or of its lines. */
#include "cli/log_scan.h"

#include "cli/log_judge.h"
#include "cli/log_show.h"
#include "input/log_reader.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS_MAX 64
#define THREAD_BYTES ((size_t)2 * 1024 * 1024) /* of a file: worth a thread of their own */
#define SIEVE_BYTES_MIN ((size_t)128 * 1024)   /* less is judged before a sieve is built */
#define SAMPLE_BYTES ((size_t)16 * 1024)
#define SAMPLES 16

struct scan {
    struct street *street;
    struct log_reader *reader;
    struct log_digest *digest;
    struct log_judge judges[THREADS_MAX];
    unsigned threads, opened; /* opened: judges handed to a thread so far */
    pthread_mutex_t reading, handing;
    pthread_cond_t handed;
    uint64_t taken, done; /* blocks read, blocks handed in */
    uint64_t last_line;   /* of the last event handed in */
    int64_t near_ms;      /* of the entries handed in, see struct log_batch */
    enum err_code code;
    struct err *err;
};

/* Adds a block's events to the result. The first may belong to a long line that has told its
 * failure in the block before. */
static void hand_in(struct scan *scan, struct log_batch *batch)
{
    struct cli *cli = scan->street->cli;
    for (size_t i = 0; i < batch->count; i++) {
        struct log_event *event = &batch->events[i];
        if (event->line == scan->last_line) {
            continue;
        }
        scan->last_line = event->line;
        event->near_ms = event->near_ms < 0 ? scan->near_ms : event->near_ms;
        log_digest_add(scan->digest, event);
        if (log_show_is_streaming(cli)) {
            log_show_line(cli, batch->arena, event);
        }
    }
    scan->near_ms = batch->near_ms < 0 ? scan->near_ms : batch->near_ms;
    if (log_show_is_streaming(cli) && !str_is_set(cli->options.output) && !scan->code) {
        scan->code = cli_flush(cli, scan->err);
    }
}

static void hand_in_order(struct scan *scan, uint64_t number, struct log_batch *batch)
{
    pthread_mutex_lock(&scan->handing);
    while (scan->done != number) {
        pthread_cond_wait(&scan->handed, &scan->handing);
    }
    hand_in(scan, batch);
    scan->done++;
    pthread_cond_broadcast(&scan->handed);
    pthread_mutex_unlock(&scan->handing);
}

static bool read_next(struct scan *scan, char *bytes, struct str *block, uint64_t *line,
                      uint64_t *number)
{
    pthread_mutex_lock(&scan->reading);
    bool is_read = log_reader_next(scan->reader, bytes, block, line);
    *number = scan->taken;
    scan->taken += is_read;
    pthread_mutex_unlock(&scan->reading);
    return is_read;
}

static bool has_failed(struct scan *scan)
{
    pthread_mutex_lock(&scan->handing);
    bool is_over = scan->code != ERR_OK;
    pthread_mutex_unlock(&scan->handing);
    return is_over;
}

static void *work(void *context)
{
    struct scan *scan = context;
    struct arena *arena = arena_create();
    char *bytes = arena_alloc(arena, LOG_BUFFER_BYTES);
    struct str block;
    uint64_t line, number;
    pthread_mutex_lock(&scan->reading);
    struct log_judge *judge = &scan->judges[scan->opened++];
    pthread_mutex_unlock(&scan->reading);
    while (!has_failed(scan) && read_next(scan, bytes, &block, &line, &number)) {
        log_judge_block(judge, block, line);
        hand_in_order(scan, number, &judge->batch);
    }
    arena_free(arena);
    return NULL;
}

/* Parts of the whole file, where it can be read out of turn, behind what was read already. */
static struct sieve_sample *take_sample(struct arena *arena, int fd, struct str head)
{
    struct stat status;
    struct sieve_sample *sample = sieve_sample_create(arena);
    sieve_sample_add(sample, str_slice(head, 0, SAMPLE_BYTES));
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        char *part = arena_alloc(arena, SAMPLE_BYTES);
        for (off_t i = 1; i < SAMPLES; i++) {
            ssize_t got = pread(fd, part, SAMPLE_BYTES, status.st_size / SAMPLES * i);
            sieve_sample_add(sample, (struct str){part, got > 0 ? (size_t)got : 0});
        }
    }
    return sample;
}

static const struct sieve *make_sieve(struct arena *arena, const struct rules *rules, int fd,
                                      struct str head)
{
    struct arena *scratch = arena_create();
    const struct sieve *sieve =
        sieve_create(arena, rules, marks_create(arena), take_sample(scratch, fd, head));
    arena_free(scratch);
    return sieve;
}

/* Bytes that are still to come, as far as that is known. */
static size_t bytes_ahead(int fd)
{
    struct stat status;
    off_t at = lseek(fd, 0, SEEK_CUR);
    bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && at >= 0;
    return !is_file ? SIZE_MAX : status.st_size > at ? (size_t)(status.st_size - at) : 0;
}

static unsigned threads_for(const struct cli *cli, size_t ahead)
{
    cpu_set_t set;
    int64_t wanted = cli->options.threads;
    if (wanted <= 0) {
        wanted = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    }
    size_t worth = ahead / THREAD_BYTES + 1;
    wanted = (uint64_t)wanted > worth ? (int64_t)worth : wanted;
    wanted = wanted > THREADS_MAX ? THREADS_MAX : wanted;
    return (unsigned)wanted;
}

static void run_threads(struct scan *scan)
{
    pthread_t threads[THREADS_MAX];
    unsigned started = 0;
    for (; started + 1 < scan->threads; started++) {
        if (pthread_create(&threads[started], NULL, work, scan)) {
            break; /* fewer do as well */
        }
    }
    work(scan);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}

static enum err_code scan_all(struct scan *scan, const struct source *source, struct arena *arena)
{
    const struct cli *cli = scan->street->cli;
    size_t ahead = bytes_ahead(source->fd);
    bool is_small = ahead < SIEVE_BYTES_MIN, is_reference = cli->options.has_no_prefilter;
    const struct sieve *sieve =
        is_small || is_reference ? NULL
                                 : make_sieve(arena, scan->street->rules, source->fd, source->text);
    scan->threads = threads_for(cli, ahead);
    for (unsigned i = 0; i < scan->threads; i++) {
        scan->judges[i] = log_judge_open(scan->street, source->name, sieve, is_reference);
        scan->judges[i].wants_near = scan->digest->wants_near;
        scan->judges[i].bodies_wanted = log_digest_bodies_wanted(scan->digest);
    }
    run_threads(scan);
    for (unsigned i = 0; i < scan->threads; i++) {
        log_judge_close(&scan->judges[i]);
    }
    if (!scan->code && scan->reader->os_errno) {
        scan->code = err_set(scan->err, ERR_FILE, "%.*s cannot be read: %s", STR_ARG(source->shown),
                             strerror(scan->reader->os_errno));
    }
    return scan->code;
}

enum err_code log_scan(struct street *street, const struct source *source,
                       struct log_digest *digest, struct err *err)
{
    struct arena *arena = arena_create();
    struct scan *scan = ARENA_NEW(arena, struct scan);
    *scan = (struct scan){.street = street,
                          .digest = digest,
                          .near_ms = -1,
                          .err = err,
                          .reading = PTHREAD_MUTEX_INITIALIZER,
                          .handing = PTHREAD_MUTEX_INITIALIZER,
                          .handed = PTHREAD_COND_INITIALIZER};
    scan->reader = log_reader_open(source->fd, source->utf16, source->text);
    enum err_code code = scan->reader ? scan_all(scan, source, arena)
                                      : err_set(err, ERR_SYSTEM, "there is no memory left");
    bool has_text = scan->reader && scan->reader->has_text;
    if (!code && !has_text) {
        source_say_blank(street->cli, source);
    }
    digest->has_log = true;
    digest->has_text = digest->has_text || has_text;
    digest->lines += scan->reader ? scan->reader->lines : 0;
    digest->aggregate.lines = digest->lines;
    log_reader_close(scan->reader);
    arena_free(arena);
    return code;
}
