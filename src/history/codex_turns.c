/* Turns out of Codex's own SQLite store. Everything in it is a stranger's: columns are read by
 * name, values are bounded, and nothing is ever written. */
#include "history/codex_turns.h"

#include "base/buf.h"
#include "history/store.h"

#define BUSY_MS 100
#define TURNS_MAX 100000
#define TEXT_BYTES_MAX ((size_t)8 * 1024)
#define SECONDS_MAX ((int64_t)100000000000) /* a larger moment is one in milliseconds */

static const char with_threads[] =
    "SELECT turn_id, thread_id, status, error_json, started_at, completed_at, duration_ms,"
    " (SELECT model FROM state.threads WHERE id = thread_id),"
    " (SELECT cli_version FROM state.threads WHERE id = thread_id),"
    " (SELECT model_provider FROM state.threads WHERE id = thread_id)"
    " FROM thread_turns WHERE started_at >= ?1 ORDER BY started_at, rollout_ordinal LIMIT ?2";
static const char without_threads[] =
    "SELECT turn_id, thread_id, status, error_json, started_at, completed_at, duration_ms,"
    " NULL, NULL, NULL"
    " FROM thread_turns WHERE started_at >= ?1 ORDER BY started_at, rollout_ordinal LIMIT ?2";

/* "file:PATH?mode=ro" with what a URI gives another meaning escaped. Never immutable=1: the newest
 * turns may still be in the -wal. */
static struct str read_only_uri(struct arena *arena, struct str path)
{
    static const char digits[] = "0123456789ABCDEF";
    struct buf uri = buf_create(path.len * 3 + 32);
    buf_add(&uri, STR("file:"));
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        if (c == '?' || c == '#' || c == '%' || c == '\'' || c < ' ') {
            buf_add_char(&uri, '%');
            buf_add_char(&uri, digits[c >> 4]);
            buf_add_char(&uri, digits[c & 15]);
        } else {
            buf_add_char(&uri, (char)c);
        }
    }
    buf_add(&uri, STR("?mode=ro"));
    struct str text = arena_dup(arena, buf_str(&uri));
    buf_free(&uri);
    return text;
}

static enum err_code open_both(struct history *codex, struct str history_path,
                               struct str state_path, bool *has_threads, struct err *err)
{
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    struct str uri = read_only_uri(codex->arena, history_path);
    if (sqlite3_open_v2(uri.ptr, &codex->db, flags, NULL) != SQLITE_OK) {
        return store_fail(codex, err);
    }
    sqlite3_busy_timeout(codex->db, BUSY_MS);
    sqlite3_db_config(codex->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(codex->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (str_is_set(state_path)) {
        struct str state = read_only_uri(codex->arena, state_path);
        struct str attach = arena_printf(codex->arena, "ATTACH '%.*s' AS state", STR_ARG(state));
        *has_threads = sqlite3_exec(codex->db, attach.ptr, NULL, NULL, NULL) == SQLITE_OK;
    }
    return ERR_OK;
}

static struct str text_at(struct arena *arena, sqlite3_stmt *statement, int column)
{
    return arena_dup(arena, str_slice(store_text(statement, column), 0, TEXT_BYTES_MAX));
}

static int64_t moment_at(sqlite3_stmt *statement, int column)
{
    int64_t moment = store_number(statement, column);
    return moment < 0 ? -1 : moment < SECONDS_MAX ? moment * 1000 : moment;
}

static enum turn_end end_of(struct str status)
{
    return str_eq(status, STR("completed"))                                       ? TURN_ANSWERED
           : str_eq(status, STR("failed"))                                        ? TURN_FAILED
           : str_eq(status, STR("interrupted")) || str_eq(status, STR("aborted")) ? TURN_STOPPED
                                                                                  : TURN_OPEN;
}

static void add_turn(struct arena *arena, sqlite3_stmt *statement, struct turns *turns)
{
    struct turn turn = turn_blank();
    turn.id = text_at(arena, statement, 0);
    turn.session = text_at(arena, statement, 1);
    turn.end = end_of(store_text(statement, 2));
    turn.error = text_at(arena, statement, 3);
    turn.started_ms = moment_at(statement, 4);
    turn.duration_ms = store_number(statement, 6);
    turn.model = text_at(arena, statement, 7);
    turn.client_version = text_at(arena, statement, 8);
    turn.provider = text_at(arena, statement, 9);
    if (turn.id.len && turn.started_ms > 0) {
        turns_add(arena, turns, turn);
    }
}

static enum err_code read_turns(struct history *codex, struct arena *arena, bool has_threads,
                                int64_t since_ms, struct turns *turns, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool is_prepared = has_threads && sqlite3_prepare_v2(codex->db, with_threads, -1, &statement,
                                                         NULL) == SQLITE_OK;
    enum err_code code =
        is_prepared ? ERR_OK : store_prepare(codex, without_threads, &statement, err);
    if (code) {
        return code;
    }
    sqlite3_bind_int64(statement, 1, since_ms / 1000);
    sqlite3_bind_int(statement, 2, TURNS_MAX);
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        add_turn(arena, statement, turns);
    }
    code = step == SQLITE_DONE ? ERR_OK : store_fail(codex, err);
    sqlite3_finalize(statement);
    return code;
}

enum err_code codex_turns_read(struct arena *arena, struct str history_path, struct str state_path,
                               int64_t since_ms, struct turns *turns, struct err *err)
{
    struct history codex = {.arena = arena_create()};
    bool has_threads = false;
    codex.path = arena_dup(codex.arena, history_path);
    enum err_code code = open_both(&codex, history_path, state_path, &has_threads, err);
    code = code ? code : read_turns(&codex, arena, has_threads, since_ms, turns, err);
    sqlite3_close_v2(codex.db);
    arena_free(codex.arena);
    return code;
}
