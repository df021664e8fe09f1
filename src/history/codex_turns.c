/* Turns out of Codex's own SQLite store. Everything in it is a stranger's: columns are read by
 * name and values are bounded. */
#include "history/codex_turns.h"

#include "history/borrowed.h"

#define VALUE_BYTES_MAX (1024 * 1024)
#define SECONDS_MAX ((int64_t)100000000000) /* a larger moment is one in milliseconds */

static const char turns_sql[] =
    "SELECT turn_id, thread_id, status, error_json, started_at, completed_at, duration_ms"
    " FROM thread_turns WHERE ifnull(completed_at, started_at) >= ?1"
    " ORDER BY started_at, rollout_ordinal LIMIT ?2";
static const char thread_sql[] =
    "SELECT model, cli_version, model_provider FROM threads WHERE id = ?1";

struct taking {
    struct arena *arena;
    struct turns *turns;
    size_t text_left;     /* bytes that may still be kept */
    sqlite3_stmt *thread; /* NULL = nothing is known of threads */
};

static struct str text_at(struct taking *taking, sqlite3_stmt *statement, int column,
                          size_t max_bytes)
{
    struct str text = str_slice(store_text(statement, column), 0, max_bytes);
    if (text.len > taking->text_left) {
        return (struct str){NULL, 0};
    }
    taking->text_left -= text.len;
    return arena_dup(taking->arena, text);
}

static int64_t moment_at(sqlite3_stmt *statement, int column)
{
    int64_t moment = store_number(statement, column);
    return moment <= 0 || moment >= SECONDS_MAX * 1000 ? -1
           : moment < SECONDS_MAX                      ? moment * 1000
                                                       : moment;
}

static enum turn_end end_of(struct str status)
{
    return str_eq(status, STR("completed"))                                       ? TURN_ANSWERED
           : str_eq(status, STR("failed"))                                        ? TURN_FAILED
           : str_eq(status, STR("interrupted")) || str_eq(status, STR("aborted")) ? TURN_STOPPED
                                                                                  : TURN_OPEN;
}

static void take_thread(struct taking *taking, struct turn *turn)
{
    const struct turn *last =
        taking->turns->count ? &taking->turns->items[taking->turns->count - 1] : NULL;
    if (last && str_eq(last->session, turn->session)) {
        turn->model = last->model;
        turn->client_version = last->client_version;
        turn->provider = last->provider;
        return;
    }
    if (taking->thread == NULL) {
        return;
    }
    store_bind_text(taking->thread, 1, turn->session);
    if (sqlite3_step(taking->thread) == SQLITE_ROW) {
        turn->model = text_at(taking, taking->thread, 0, TURN_NAME_BYTES_MAX);
        turn->client_version = text_at(taking, taking->thread, 1, TURN_NAME_BYTES_MAX);
        turn->provider = text_at(taking, taking->thread, 2, TURN_NAME_BYTES_MAX);
    }
    sqlite3_reset(taking->thread);
}

static void take_turn(struct taking *taking, sqlite3_stmt *statement)
{
    struct turn turn = turn_blank();
    turn.id = text_at(taking, statement, 0, TURN_NAME_BYTES_MAX);
    turn.session = text_at(taking, statement, 1, TURN_NAME_BYTES_MAX);
    turn.end = end_of(store_text(statement, 2));
    turn.error = text_at(taking, statement, 3, TURN_ERROR_BYTES_MAX);
    turn.started_ms = moment_at(statement, 4);
    turn.ended_ms = moment_at(statement, 5);
    turn.duration_ms = store_number(statement, 6);
    if (turn.duration_ms < 0 || turn.duration_ms >= SECONDS_MAX) {
        turn.duration_ms = -1;
    }
    if (turn.ended_ms < 0 && turn.started_ms > 0 && turn.duration_ms >= 0) {
        turn.ended_ms = turn.started_ms + turn.duration_ms;
    }
    if (turn.id.len && turn.started_ms > 0) {
        take_thread(taking, &turn);
        turns_add(taking->arena, taking->turns, turn);
    }
}

static bool read_turns(struct taking *taking, sqlite3 *db, int64_t since_ms)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, turns_sql, -1, &statement, NULL) != SQLITE_OK) {
        return false;
    }
    sqlite3_bind_int64(statement, 1, since_ms / 1000);
    sqlite3_bind_int(statement, 2, TURNS_MAX);
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        take_turn(taking, statement);
    }
    sqlite3_finalize(statement);
    return step == SQLITE_DONE;
}

bool codex_turns_read(struct arena *arena, const struct codex_store *store,
                      const struct budget *budget, struct turns *turns)
{
    struct arena *own = arena_create();
    struct borrowed history, state = {0};
    struct taking taking = {.arena = arena, .turns = turns, .text_left = TURNS_BYTES_MAX};
    bool is_read =
        borrowed_open(own, store->scratch, store->history_path, store->max_bytes, budget, &history);
    if (is_read && str_is_set(store->state_path) &&
        borrowed_open(own, store->scratch, store->state_path, store->max_bytes, budget, &state)) {
        sqlite3_limit(state.db, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
        sqlite3_prepare_v2(state.db, thread_sql, -1, &taking.thread, NULL);
    }
    if (is_read) {
        sqlite3_limit(history.db, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
        is_read = read_turns(&taking, history.db, store->since_ms);
    }
    sqlite3_finalize(taking.thread);
    borrowed_close(own, &state);
    borrowed_close(own, &history);
    arena_free(own);
    return is_read;
}
