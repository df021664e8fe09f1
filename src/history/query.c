/* Reading of the store: rows, hours of the week, and what triage goes by. */
#include "history/store.h"

#include "base/moment.h"

#include <sys/stat.h>

#define WEEK_HOURS 168
#define PAST_BYTES_MAX ((size_t)4 * 1024 * 1024) /* about what a full past takes */

struct history_rows {
    struct history *history;
    sqlite3_stmt *statement;
};

struct history_filter history_filter_all(void)
{
    return (struct history_filter){.since_ms = -1, .until_ms = -1};
}

void filter_bind(sqlite3_stmt *statement, const struct history_filter *filter)
{
    store_bind_number(statement, 1, filter->since_ms);
    store_bind_number(statement, 2, filter->until_ms);
    store_bind_text(statement, 3, filter->model);
    store_bind_text(statement, 4, filter->diagnosis);
    store_bind_text(statement, 5, filter->source);
    store_bind_text(statement, 6, filter->who);
}

enum err_code history_rows_open(struct history *history, const struct history_filter *filter,
                                size_t limit, struct history_rows **rows, struct err *err)
{
    struct arena *arena = history->arena;
    struct history_rows *opened = ARENA_NEW(arena, struct history_rows);
    opened->history = history;
    struct str sql =
        limit ? arena_printf(arena,
                             "SELECT * FROM (SELECT id%s FROM request " FILTER_SQL
                             " ORDER BY at_ms DESC, id DESC LIMIT %zu) ORDER BY at_ms, id",
                             schema_columns, limit)
              : arena_printf(arena, "SELECT id%s FROM request " FILTER_SQL " ORDER BY at_ms, id",
                             schema_columns);
    enum err_code code = store_prepare(history, sql.ptr, &opened->statement, err);
    if (code == ERR_OK) {
        filter_bind(opened->statement, filter);
    }
    *rows = code ? NULL : opened;
    return code;
}

bool history_rows_next(struct history_rows *rows, struct record *record, struct err *err)
{
    int step = sqlite3_step(rows->statement);
    if (step == SQLITE_ROW) {
        store_record(rows->statement, 1, record);
        return true;
    }
    if (step != SQLITE_DONE) {
        store_fail(rows->history, err);
    }
    return false;
}

void history_rows_close(struct history_rows *rows)
{
    if (rows) {
        sqlite3_finalize(rows->statement);
    }
}

static bool is_filtered(const struct history_filter *filter)
{
    return filter->since_ms != -1 || filter->until_ms != -1 || filter->model.ptr ||
           filter->diagnosis.ptr || filter->source.ptr || filter->who.ptr;
}

/* 0 to 167, whatever the column holds. */
static unsigned week_hour(sqlite3_stmt *statement)
{
    int hour = sqlite3_column_int(statement, 0) % WEEK_HOURS;
    return (unsigned)(hour < 0 ? hour + WEEK_HOURS : hour);
}

enum err_code history_week(struct history *history, struct arena *arena,
                           const struct history_filter *filter, const struct week_tally **week,
                           size_t *count, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    enum err_code code = store_prepare(
        history,
        is_filtered(filter)
            ? "SELECT (local_hour + 72) % 168, diagnosis, count(*) FROM request " FILTER_SQL
              " GROUP BY 1, 2 ORDER BY 1, 2"
            : "SELECT week_hour, diagnosis, count FROM week_tally ORDER BY 1, 2",
        &statement, err);
    *week = NULL;
    *count = 0;
    if (code) {
        return code;
    }
    if (is_filtered(filter)) {
        filter_bind(statement, filter);
    }
    struct week_tally *items = NULL;
    size_t capacity = 0;
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        items = arena_grow(arena, items, *count, &capacity, sizeof *items);
        items[(*count)++] =
            (struct week_tally){.week_hour = week_hour(statement),
                                .diagnosis = arena_dup(arena, store_text(statement, 1)),
                                .count = store_count(statement, 2)};
    }
    *week = items;
    code = step == SQLITE_DONE ? ERR_OK : store_fail(history, err);
    sqlite3_finalize(statement);
    return code;
}

/* A text of a row that lives on; mostly it is the one of the row before. */
static struct str keep_text(struct arena *arena, struct str before, struct str text)
{
    return str_is_set(text) && str_is_set(before) && str_eq(before, text) ? before
                                                                          : arena_dup(arena, text);
}

static struct tally keep_tally(struct arena *arena, const struct tally *before,
                               sqlite3_stmt *statement)
{
    return (struct tally){
        .hour = store_number(statement, 0),
        .client = keep_text(arena, before->client, store_text(statement, 1)),
        .host = keep_text(arena, before->host, store_text(statement, 2)),
        .model = keep_text(arena, before->model, store_text(statement, 3)),
        .who = keep_text(arena, before->who, store_text(statement, 4)),
        .diagnosis = keep_text(arena, before->diagnosis, store_text(statement, 5)),
        .count = store_count(statement, 6),
        .first_ms = store_number(statement, 7),
        .last_ms = store_number(statement, 8),
    };
}

static enum err_code read_tallies(struct history *history, struct arena *arena, struct past *past,
                                  struct err *err)
{
    sqlite3_stmt *statement = NULL;
    enum err_code code =
        store_prepare(history,
                      "SELECT hour, client, host, model, who, diagnosis, count, first_ms, last_ms "
                      "FROM tally WHERE hour >= ?1 AND count > 0 ORDER BY hour",
                      &statement, err);
    if (code) {
        return code;
    }
    int64_t now_hour = (past->now_ms / 1000 + past->utc_offset_s) / 3600;
    sqlite3_bind_int64(statement, 1, now_hour - (int64_t)PAST_TALLY_DAYS * 24);
    struct tally *items = NULL, before = {0};
    size_t capacity = 0;
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        items = arena_grow(arena, items, past->tally_count, &capacity, sizeof *items);
        before = keep_tally(arena, &before, statement);
        items[past->tally_count++] = before;
    }
    past->tallies = items;
    code = step == SQLITE_DONE ? ERR_OK : store_fail(history, err);
    sqlite3_finalize(statement);
    return code;
}

static void keep_record(struct arena *arena, struct record *before, struct record *record)
{
    for (size_t i = 0; i < record_member_count(); i++) {
        const struct record_member *member = record_member_at(i);
        if (member->kind == RECORD_TEXT) {
            struct str *text = record_text(record, member);
            *text = keep_text(arena, *record_text(before, member), *text);
        }
    }
}

/* The newest records since since_ms that a condition picks, the newest first. */
static enum err_code read_newest(struct history *history, struct arena *arena, struct str condition,
                                 int64_t since_ms, size_t limit, struct record **records,
                                 size_t *count, struct err *err)
{
    struct str sql = arena_printf(history->arena,
                                  "SELECT id%s FROM request WHERE at_ms >= ?1 AND %.*s "
                                  "ORDER BY at_ms DESC, id DESC LIMIT ?2",
                                  schema_columns, STR_ARG(condition));
    sqlite3_stmt *statement = NULL;
    enum err_code code = store_prepare(history, sql.ptr, &statement, err);
    *records = NULL;
    *count = 0;
    if (code) {
        return code;
    }
    sqlite3_bind_int64(statement, 1, since_ms);
    sqlite3_bind_int64(statement, 2, (int64_t)limit);
    struct record *items = NULL, before = {0};
    size_t capacity = 0;
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        struct record record = {0};
        store_record(statement, 1, &record);
        keep_record(arena, &before, &record);
        items = arena_grow(arena, items, *count, &capacity, sizeof *items);
        items[(*count)++] = before = record;
    }
    *records = items;
    code = step == SQLITE_DONE ? ERR_OK : store_fail(history, err);
    sqlite3_finalize(statement);
    return code;
}

/* The newest PAST_FAILED_MAX records since PAST_FAILED_HOURS that a condition picks, oldest first.
 */
static enum err_code read_records(struct history *history, struct arena *arena,
                                  struct str condition, int64_t now_ms,
                                  const struct record **records, size_t *count, struct err *err)
{
    struct record *items;
    enum err_code code =
        read_newest(history, arena, condition, now_ms - PAST_FAILED_HOURS * HOUR_MS,
                    PAST_FAILED_MAX, &items, count, err);
    for (size_t i = 0; i < *count / 2; i++) {
        struct record other = items[i];
        items[i] = items[*count - 1 - i];
        items[*count - 1 - i] = other;
    }
    *records = items;
    return code;
}

enum err_code history_verified(struct history *history, struct arena *arena, size_t limit,
                               const struct record **records, size_t *count, struct err *err)
{
    struct record *items;
    enum err_code code = read_newest(history, arena, STR("place IS NOT NULL AND who IS NULL"), 0,
                                     limit, &items, count, err);
    *records = items;
    return code;
}

/* Room for what is read of a large store. */
static void expect_past(const struct history *history, struct arena *arena)
{
    struct stat status;
    if (stat(history->path.ptr, &status) == 0 && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        arena_expect(arena, bytes < PAST_BYTES_MAX ? bytes : PAST_BYTES_MAX);
    }
}

enum err_code history_past(struct history *history, struct arena *arena, struct past *past,
                           struct err *err)
{
    int64_t now_ms = history->env->wall_ms(history->env->clock);
    struct history_filter all = history_filter_all();
    *past = (struct past){.now_ms = now_ms, .utc_offset_s = env_utc_offset_s(history->env, now_ms)};
    expect_past(history, arena);
    enum err_code code = read_tallies(history, arena, past, err);
    code = code ? code
                : read_records(history, arena, STR("diagnosis <> 'ok'"), now_ms, &past->failed,
                               &past->failed_count, err);
    code = code
               ? code
               : read_records(history, arena,
                              STR("id IN (SELECT id FROM (SELECT id, max(at_ms) FROM request WHERE "
                                  "at_ms >= ?1 AND (session_ms IS NOT NULL OR context_tokens IS "
                                  "NOT NULL) GROUP BY client))"),
                              now_ms, &past->sessions, &past->session_count, err);
    return code ? code : history_week(history, arena, &all, &past->week, &past->week_count, err);
}
