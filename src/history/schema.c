/* The schema of the store and its way from one version to the next. Each step of `steps` raises
 * the version, kept in user_version, by one; a step that was released is never changed.
 *
 *     request --insert, delete--> tally       (hour, model, diagnosis: for what happened lately)
 *                            \--> week_tally  (hour of the week, diagnosis: for quiet hours)
 *     mark                                    (how far files were imported)
 *
 * The two tallies are kept by triggers, so that reading them costs the same however many requests
 * there are. local_hour is the user's wall clock when the row was added: hours and days are theirs,
 * through every change to summer time. */
#include "base/text.h"
#include "history/store.h"

#define STRINGIFY(text) #text

const char schema_columns[] =
#define TEXT(name) "," STRINGIFY(name)
#define NUMBER(name) "," STRINGIFY(name)
#include "core/record.def"
#undef TEXT
#undef NUMBER
    ;

static const char *const steps[] = {
    "CREATE TABLE request(id INTEGER PRIMARY KEY, local_hour INTEGER NOT NULL,"
    " uid TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL CHECK(at_ms > 0), run TEXT, who TEXT, "
    "source TEXT,"
    " client TEXT, client_version TEXT, target TEXT, provider TEXT, host TEXT, model TEXT,"
    " served_model TEXT, diagnosis TEXT NOT NULL, rule TEXT, status INTEGER, wait_ms INTEGER,"
    " total_ms INTEGER, steps TEXT, request_id TEXT, session_ms INTEGER, context_tokens INTEGER,"
    " context_window INTEGER, limit_permille INTEGER);"
    "CREATE INDEX request_at ON request(at_ms);"
    "CREATE INDEX request_failed ON request(at_ms) WHERE diagnosis <> 'ok';"
    "CREATE INDEX request_session ON request(at_ms)"
    " WHERE session_ms IS NOT NULL OR context_tokens IS NOT NULL;"
    "CREATE TABLE tally(hour INTEGER NOT NULL, client TEXT NOT NULL, host TEXT NOT NULL,"
    " model TEXT NOT NULL, who TEXT NOT NULL, diagnosis TEXT NOT NULL, count INTEGER NOT NULL,"
    " first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL,"
    " PRIMARY KEY(hour, client, host, model, who, diagnosis)) WITHOUT ROWID;"
    "CREATE TABLE week_tally(week_hour INTEGER NOT NULL, diagnosis TEXT NOT NULL,"
    " count INTEGER NOT NULL, PRIMARY KEY(week_hour, diagnosis)) WITHOUT ROWID;"
    "CREATE TABLE mark(name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;"
    /* 1970-01-01 was a Thursday: 72 hours after a Monday's start. */
    "CREATE TRIGGER request_added AFTER INSERT ON request BEGIN"
    " INSERT INTO tally VALUES(new.local_hour, ifnull(new.client, ''), ifnull(new.host, ''),"
    "  ifnull(new.model, ''), ifnull(new.who, ''), new.diagnosis, 1, new.at_ms, new.at_ms)"
    "  ON CONFLICT DO UPDATE SET count = count + 1, first_ms = min(first_ms, new.at_ms),"
    "  last_ms = max(last_ms, new.at_ms);"
    " INSERT INTO week_tally VALUES((new.local_hour + 72) % 168, new.diagnosis, 1)"
    "  ON CONFLICT DO UPDATE SET count = count + 1; END;"
    "CREATE TRIGGER request_removed AFTER DELETE ON request BEGIN"
    " UPDATE tally SET count = count - 1 WHERE hour = old.local_hour"
    "  AND client = ifnull(old.client, '') AND host = ifnull(old.host, '')"
    "  AND model = ifnull(old.model, '') AND who = ifnull(old.who, '')"
    "  AND diagnosis = old.diagnosis;"
    " UPDATE week_tally SET count = count - 1 WHERE week_hour = (old.local_hour + 72) % 168"
    "  AND diagnosis = old.diagnosis; END;",
    /* 2: what verify saw, for verify --since-last */
    "ALTER TABLE request ADD COLUMN place TEXT; ALTER TABLE request ADD COLUMN asked TEXT;"
    "ALTER TABLE request ADD COLUMN effective TEXT;"
    "CREATE INDEX request_place ON request(at_ms) WHERE place IS NOT NULL;",
    /* 3: the newest session of each client without a look at the rows; a tally that gets empty goes
     * with the last row that it counted, so that nobody has to look for it */
    "DROP INDEX IF EXISTS request_session; CREATE INDEX request_session ON request"
    "(at_ms, client, session_ms, context_tokens)"
    " WHERE session_ms IS NOT NULL OR context_tokens IS NOT NULL;"
    "DELETE FROM tally WHERE count <= 0; DELETE FROM week_tally WHERE count <= 0;"
    "DROP TRIGGER IF EXISTS request_removed;"
    "CREATE TRIGGER request_removed AFTER DELETE ON request BEGIN"
    " UPDATE tally SET count = count - 1 WHERE hour = old.local_hour"
    "  AND client = ifnull(old.client, '') AND host = ifnull(old.host, '')"
    "  AND model = ifnull(old.model, '') AND who = ifnull(old.who, '')"
    "  AND diagnosis = old.diagnosis;"
    " DELETE FROM tally WHERE hour = old.local_hour"
    "  AND client = ifnull(old.client, '') AND host = ifnull(old.host, '')"
    "  AND model = ifnull(old.model, '') AND who = ifnull(old.who, '')"
    "  AND diagnosis = old.diagnosis AND count <= 0;"
    " UPDATE week_tally SET count = count - 1 WHERE week_hour = (old.local_hour + 72) % 168"
    "  AND diagnosis = old.diagnosis;"
    " DELETE FROM week_tally WHERE week_hour = (old.local_hour + 72) % 168"
    "  AND diagnosis = old.diagnosis AND count <= 0; END;",
};

#define VERSION ((int)(sizeof steps / sizeof steps[0]))

static enum err_code read_version(struct history *history, int *version, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    enum err_code code = store_prepare(history, "PRAGMA user_version", &statement, err);
    if (code) {
        return code;
    }
    if (sqlite3_step(statement) == SQLITE_ROW) {
        *version = sqlite3_column_int(statement, 0);
    } else {
        code = store_fail(history, err);
    }
    sqlite3_finalize(statement);
    return code;
}

static bool is_own_trigger(struct str type, struct str sql)
{
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (sql.len && str_eq(type, STR("trigger")) && str_find(str_from(steps[i]), sql) >= 0) {
            return true;
        }
    }
    return false;
}

/* What runs somebody's SQL, and anything at all where there is no version. The version is read
 * second: another run may be making the schema. */
static enum err_code find_foreign(struct history *history, struct str *name, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    int version = 0, step;
    struct str first = {NULL, 0};
    enum err_code code =
        store_prepare(history, "SELECT type, name, sql FROM sqlite_master", &statement, err);
    while (!code && (step = sqlite3_step(statement)) != SQLITE_DONE) {
        struct str type = store_text(statement, 0), sql = store_text(statement, 2);
        if (step != SQLITE_ROW) {
            code = store_fail(history, err);
            break;
        }
        bool runs = str_eq(type, STR("view")) || str_eq(type, STR("trigger")) ||
                    str_istarts(sql, STR("create virtual"));
        if (!str_is_set(first)) {
            first = arena_dup(history->arena, store_text(statement, 1));
        }
        if (runs && !str_is_set(*name) && !is_own_trigger(type, sql)) {
            *name = arena_dup(history->arena, store_text(statement, 1));
        }
    }
    sqlite3_finalize(statement);
    code = code ? code : read_version(history, &version, err);
    *name = !str_is_set(*name) && version <= 0 ? first : *name;
    return code;
}

enum err_code schema_check(struct history *history, struct err *err)
{
    struct str name = {NULL, 0};
    enum err_code code = find_foreign(history, &name, err);
    if (code || !str_is_set(name)) {
        return code;
    }
    return err_set_at(err, ERR_FILE, history->path, 0, 0,
                      "is another program's: it holds \"%.*s\"; set the file aside",
                      STR_ARG(text_show(history->arena, name, 40)));
}

static enum err_code refuse_later(const struct history *history, int version, struct err *err)
{
    return err_set_at(err, ERR_FILE, history->path, 0, 0,
                      "was written by a later diagnose (schema %d, this one knows %d); update "
                      "diagnose, or set the file aside",
                      version, VERSION);
}

static enum err_code migrate(struct history *history, struct err *err)
{
    int version = 0;
    enum err_code code = store_run(history, "BEGIN IMMEDIATE", err);
    if (code) {
        return code;
    }
    code = read_version(history, &version, err);
    for (int i = version; i < VERSION && code == ERR_OK; i++) {
        code = store_run(history, steps[i], err);
    }
    if (code == ERR_OK && version < VERSION) {
        struct str set = arena_printf(history->arena, "PRAGMA user_version = %d", VERSION);
        code = store_run(history, set.ptr, err);
    }
    return store_end(history, code, err);
}

enum err_code schema_open(struct history *history, struct err *err)
{
    int version = 0;
    enum err_code code = read_version(history, &version, err);
    if (code == ERR_OK && version > VERSION) {
        return refuse_later(history, version, err);
    }
    if (code == ERR_OK && version < VERSION) {
        code = migrate(history, err);
    }
    return code;
}
