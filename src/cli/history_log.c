/* Failures of any log as records of the past: each failing entry that classify finds is one
 * request, at the time that the entry names. */
#include "base/digest.h"
#include "cli/history_intake.h"
#include "cli/log_scan.h"
#include "cli/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define UID_DIGITS 32
#define SLOTS_MIN ((size_t)1024)
#define SLOTS_MAX ((size_t)2 * 1024 * 1024) /* past that, places among equal entries begin anew */

/* How often an entry of the same time and text was there before. */
struct slot {
    char digits[UID_DIGITS];
    uint32_t count; /* 0 = the slot is free */
};

struct log_intake {
    struct intake *intake;
    struct slot *slots;
    size_t slot_count, used;
    int64_t file_ms; /* of the file, for entries without a time behind none with one */
    enum err_code code;
    struct err *err;
};

static size_t place_of(const struct slot *slots, size_t count, const char *digits)
{
    uint64_t start = 0;
    memcpy(&start, digits + UID_DIGITS - sizeof start, sizeof start);
    size_t at = (size_t)(start * 0x9E3779B97F4A7C15u >> 20) & (count - 1);
    while (slots[at].count && memcmp(slots[at].digits, digits, UID_DIGITS) != 0) {
        at = (at + 1) & (count - 1);
    }
    return at;
}

/* Doubles the table, or empties it at its largest. False when there is no memory. */
static bool make_room(struct log_intake *log)
{
    size_t count = log->slot_count ? log->slot_count * 2 : SLOTS_MIN;
    struct slot *old = log->slots, *slots;
    if (count > SLOTS_MAX) {
        memset(old, 0, log->slot_count * sizeof *old);
        log->used = 0;
        return true;
    }
    if (!(slots = calloc(count, sizeof *slots))) {
        return false;
    }
    for (size_t i = 0; i < log->slot_count; i++) {
        if (old[i].count) {
            slots[place_of(slots, count, old[i].digits)] = old[i];
        }
    }
    free(old);
    log->slots = slots;
    log->slot_count = count;
    return true;
}

/* The number of an entry among equal ones, from 1; 0 when there is no memory. */
static uint32_t number_among_equals(struct log_intake *log, const char *digits)
{
    if (log->used * 2 >= log->slot_count && !make_room(log)) {
        return 0;
    }
    struct slot *slot = &log->slots[place_of(log->slots, log->slot_count, digits)];
    log->used += slot->count ? 0 : 1;
    memcpy(slot->digits, digits, UID_DIGITS);
    return ++slot->count;
}

static struct str uid_of(struct log_intake *log, const struct log_event *event)
{
    char digits[UID_DIGITS + 1];
    struct arena *arena = log->intake->arena;
    struct str body = event->finding.observation->body;
    struct str text = arena_printf(arena, "%lld\n%.*s", (long long)event->time_ms, STR_ARG(body));
    digest_hex(text, digits, UID_DIGITS);
    return arena_printf(arena, "log:%s-%u", digits, number_among_equals(log, digits));
}

static void take_event(void *context, const struct log_event *event)
{
    struct log_intake *log = context;
    struct arena *arena = log->intake->arena;
    struct record record = record_blank();
    if (log->code) {
        return;
    }
    record.uid = uid_of(log, event);
    record.at_ms = event->near_ms > 0 ? event->near_ms : log->file_ms;
    record.source = STR("log");
    record.model = memory_name(arena, event->model);
    record.provider = memory_name(arena, event->provider);
    record.diagnosis = event->finding.diagnosis->id;
    record.rule = event->finding.rule_id.len ? event->finding.rule_id : (struct str){NULL, 0};
    record.wait_ms = event->finding.wait_ms;
    log->code = intake_add(log->intake, &record, log->err);
}

static int64_t changed_ms(int fd, int64_t now_ms)
{
    struct stat status;
    bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_mtim.tv_sec > 0;
    return is_file ? (int64_t)status.st_mtim.tv_sec * 1000 : now_ms;
}

enum err_code intake_log(struct intake *intake, const struct source *source, struct err *err)
{
    struct street *street = intake->street;
    struct log_intake log = {
        .intake = intake, .file_ms = changed_ms(source->fd, street->report.started_ms), .err = err};
    struct log_digest digest = log_digest_create(street->cli->arena, 0, false);
    digest.tell = take_event;
    digest.wants_near = true;
    digest.context = &log;
    enum err_code code = log_scan(street, source, &digest, err);
    free(log.slots);
    code = code ? code : log.code;
    return code ? code : intake_flush(intake, err);
}
