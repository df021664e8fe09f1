/* Writing to the store: batches of requests, marks of imports, and removal. */
#include "history/store.h"

#include "base/moment.h"

static int64_t local_hour(const struct history *history, int64_t at_ms)
{
    return (at_ms / 1000 + env_utc_offset_s(history->env, at_ms)) / (HOUR_MS / 1000);
}

/* "INSERT OR IGNORE INTO request(local_hour,uid,...) VALUES(?1,?2,...)". IGNORE leaves out what is
 * there already, and what has no time or no diagnosis. */
static const char *insertion(struct history *history)
{
    struct str values = STR("?1");
    if (history->insertion) {
        return history->insertion;
    }
    for (size_t i = 0; i < record_member_count(); i++) {
        values = arena_printf(history->arena, "%.*s,?%zu", STR_ARG(values), i + 2);
    }
    history->insertion =
        arena_printf(history->arena, "INSERT OR IGNORE INTO request(local_hour%s) VALUES(%.*s)",
                     schema_columns, STR_ARG(values))
            .ptr;
    return history->insertion;
}

static void bind_record(const struct history *history, sqlite3_stmt *statement,
                        const struct record *record)
{
    struct record copy = *record;
    sqlite3_bind_int64(statement, 1, local_hour(history, record->at_ms));
    for (size_t i = 0; i < record_member_count(); i++) {
        const struct record_member *member = record_member_at(i);
        if (member->kind == RECORD_TEXT) {
            store_bind_text(statement, (int)i + 2, *record_text(&copy, member));
        } else {
            store_bind_number(statement, (int)i + 2, *record_number(&copy, member));
        }
    }
}

static enum err_code step_once(struct history *history, sqlite3_stmt *statement, struct err *err)
{
    enum err_code code = sqlite3_step(statement) == SQLITE_DONE ? ERR_OK : store_fail(history, err);
    sqlite3_reset(statement);
    return code;
}

static enum err_code insert_all(struct history *history, const struct history_batch *batch,
                                size_t *added, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    enum err_code code = store_prepare(history, insertion(history), &statement, err);
    *added = 0;
    for (size_t i = 0; i < batch->count && code == ERR_OK; i++) {
        bind_record(history, statement, &batch->records[i]);
        code = step_once(history, statement, err);
        *added += code == ERR_OK && sqlite3_changes(history->db) > 0 ? 1 : 0;
    }
    sqlite3_finalize(statement);
    return code;
}

static enum err_code set_marks(struct history *history, const struct history_batch *batch,
                               struct err *err)
{
    sqlite3_stmt *statement = NULL;
    enum err_code code =
        batch->mark_count
            ? store_prepare(history, "INSERT OR REPLACE INTO mark VALUES(?1, ?2)", &statement, err)
            : ERR_OK;
    for (size_t i = 0; i < batch->mark_count && code == ERR_OK; i++) {
        store_bind_text(statement, 1, batch->marks[i].name);
        store_bind_text(statement, 2, batch->marks[i].text);
        code = step_once(history, statement, err);
    }
    sqlite3_finalize(statement);
    return code;
}

static enum err_code drop_older(struct history *history, int64_t keep_days, struct err *err)
{
    if (keep_days <= 0) {
        return ERR_OK;
    }
    int64_t now_ms = history->env->wall_ms(history->env->clock);
    sqlite3_stmt *statement = NULL;
    enum err_code code =
        store_prepare(history, "DELETE FROM request WHERE at_ms < ?1", &statement, err);
    if (code == ERR_OK) {
        sqlite3_bind_int64(statement, 1, now_ms - keep_days * DAY_MS);
        code = step_once(history, statement, err);
    }
    sqlite3_finalize(statement);
    return code;
}

enum err_code history_add(struct history *history, const struct history_batch *batch, size_t *added,
                          struct err *err)
{
    size_t inserted = 0;
    enum err_code code = store_begin(history, err);
    if (code) {
        return code;
    }
    code = insert_all(history, batch, &inserted, err);
    code = code ? code : set_marks(history, batch, err);
    code = code ? code : drop_older(history, batch->keep_days, err);
    code = store_end(history, code, err);
    if (added) {
        *added = code ? 0 : inserted;
    }
    return code;
}

enum err_code history_mark(struct history *history, struct arena *arena, struct str name,
                           struct str *mark, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    *mark = (struct str){NULL, 0};
    enum err_code code =
        store_prepare(history, "SELECT text FROM mark WHERE name = ?1", &statement, err);
    if (code) {
        return code;
    }
    store_bind_text(statement, 1, name);
    int step = sqlite3_step(statement);
    if (step == SQLITE_ROW) {
        *mark = arena_dup(arena, store_text(statement, 0));
    } else if (step != SQLITE_DONE) {
        code = store_fail(history, err);
    }
    sqlite3_finalize(statement);
    return code;
}

static bool is_everything(const struct history_filter *filter)
{
    return filter->since_ms == -1 && filter->until_ms == -1 && !filter->model.ptr &&
           !filter->diagnosis.ptr && !filter->source.ptr && !filter->who.ptr;
}

static enum err_code remove_matching(struct history *history, const struct history_filter *filter,
                                     size_t *removed, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    enum err_code code = store_prepare(history, "DELETE FROM request " FILTER_SQL, &statement, err);
    if (code == ERR_OK) {
        filter_bind(statement, filter);
        code = step_once(history, statement, err);
        *removed = code ? 0 : (size_t)sqlite3_changes64(history->db);
    }
    sqlite3_finalize(statement);
    if (code == ERR_OK && is_everything(filter)) {
        code = store_run(history, "DELETE FROM mark", err); /* so that files can be imported anew */
    }
    return code;
}

enum err_code history_clear(struct history *history, const struct history_filter *filter,
                            size_t *removed, struct err *err)
{
    size_t gone = 0;
    enum err_code code = store_begin(history, err);
    if (code) {
        return code;
    }
    code = store_end(history, remove_matching(history, filter, &gone, err), err);
    if (code == ERR_OK) {
        code = store_run(history, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", err);
    }
    if (removed) {
        *removed = code ? 0 : gone;
    }
    return code;
}
