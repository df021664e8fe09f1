/* Records that are not in the store, put into what the store tells of the past. */
#include "history/store.h"

#include "base/moment.h"

#include <stdlib.h>

static int by_hour(const void *left, const void *right)
{
    const struct tally *a = left, *b = right;
    if (a->hour != b->hour) {
        return a->hour < b->hour ? -1 : 1;
    }
    return a->first_ms < b->first_ms ? -1 : a->first_ms > b->first_ms;
}

static int by_time(const void *left, const void *right)
{
    const struct record *a = left, *b = right;
    return a->at_ms < b->at_ms ? -1 : a->at_ms > b->at_ms;
}

static struct tally tally_of(const struct env *env, const struct record *record)
{
    int64_t hour = (record->at_ms / 1000 + env_utc_offset_s(env, record->at_ms)) / 3600;
    return (struct tally){.hour = hour,
                          .client = record->client,
                          .host = record->host,
                          .model = record->model,
                          .who = record->who,
                          .diagnosis = record->diagnosis,
                          .count = 1,
                          .first_ms = record->at_ms,
                          .last_ms = record->at_ms};
}

static bool has_session(const struct record *record)
{
    return record->session_ms != -1 || record->context_tokens != -1;
}

/* The newest record with a session of each client. */
static void keep_session(struct record *sessions, size_t *count, const struct record *record)
{
    for (size_t i = 0; i < *count; i++) {
        if (str_eq(sessions[i].client, record->client)) {
            sessions[i] = sessions[i].at_ms < record->at_ms ? *record : sessions[i];
            return;
        }
    }
    sessions[(*count)++] = *record;
}

void history_past_add(struct arena *arena, const struct env *env, struct past *past,
                      const struct record *records, size_t count)
{
    int64_t since_ms = past->now_ms - PAST_FAILED_HOURS * HOUR_MS;
    struct tally *tallies = ARENA_ARRAY(arena, past->tally_count + count + 1, struct tally);
    struct record *failed = ARENA_ARRAY(arena, past->failed_count + count + 1, struct record);
    struct record *sessions = ARENA_ARRAY(arena, past->session_count + count + 1, struct record);
    size_t tally_count = 0, failed_count = 0, session_count = 0;
    for (size_t i = 0; i < past->tally_count; i++) {
        tallies[tally_count++] = past->tallies[i];
    }
    for (size_t i = 0; i < past->failed_count; i++) {
        failed[failed_count++] = past->failed[i];
    }
    for (size_t i = 0; i < past->session_count; i++) {
        sessions[session_count++] = past->sessions[i];
    }
    for (size_t i = 0; i < count; i++) {
        const struct record *record = &records[i];
        tallies[tally_count++] = tally_of(env, record);
        if (record->at_ms >= since_ms && !str_eq(record->diagnosis, STR("ok"))) {
            failed[failed_count++] = *record;
        }
        if (record->at_ms >= since_ms && has_session(record)) {
            keep_session(sessions, &session_count, record);
        }
    }
    qsort(tallies, tally_count, sizeof *tallies, by_hour);
    qsort(failed, failed_count, sizeof *failed, by_time);
    past->tallies = tallies;
    past->tally_count = tally_count;
    past->failed = failed;
    past->failed_count = failed_count;
    past->sessions = sessions;
    past->session_count = session_count;
}

bool history_holds(struct history *history, struct str uid)
{
    sqlite3_stmt *statement = NULL;
    bool is_there = false;
    if (store_prepare(history, "SELECT 1 FROM request WHERE uid = ?1", &statement, NULL) ==
        ERR_OK) {
        store_bind_text(statement, 1, uid);
        is_there = sqlite3_step(statement) == SQLITE_ROW;
    }
    sqlite3_finalize(statement);
    return is_there;
}
