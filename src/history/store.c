/* Opening and closing of the store, and the few calls of SQLite that the rest of the room makes. */
#include "history/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TURN_STEP_MS 2  /* between two looks whether the store is free */
#define TURN_STEPS 1500 /* 3 s at the least, for which other runs may hold it */
#define TEXT_BYTES_MAX ((size_t)1024 * 1024)
#define READER_CACHE "-256" /* KiB: a row is read once, and each page more costs a fault */
#define RECORD_BYTES_MAX ((size_t)4096) /* of each text that is read; ours are far shorter */
#define NUMBER_MAX                                                                                 \
    INT64_C(253402300799999)          /* the end of the year 9999 in ms, past any duration         \
                                       */
#define COUNT_MAX INT64_C(1000000000) /* of equal requests: so that sums stay numbers */

struct str history_path(struct arena *arena, const struct env *env)
{
    struct str state = env_get(env, "XDG_STATE_HOME"), home = env_get(env, "HOME");
    /* A relative XDG path counts as unset (XDG Base Directory Specification). */
    if (str_starts(state, STR("/"))) {
        return arena_printf(arena, "%.*s/diagnose/history.db", STR_ARG(state));
    }
    if (str_starts(home, STR("/"))) {
        return arena_printf(arena, "%.*s/.local/state/diagnose/history.db", STR_ARG(home));
    }
    return (struct str){NULL, 0};
}

enum err_code store_fail(struct history *history, struct err *err)
{
    int code = history->db ? sqlite3_errcode(history->db) : SQLITE_NOMEM;
    const char *what = history->db ? sqlite3_errmsg(history->db) : sqlite3_errstr(code);
    history->failure = history->db ? sqlite3_extended_errcode(history->db) : code;
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return err_set_at(err, ERR_FILE, history->path, 0, 0,
                          "is damaged (%s); set the file aside to begin a new one", what);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_set_at(err, ERR_FILE, history->path, 0, 0,
                          "is held by another program; try again when that is done");
    default:
        return err_set_at(err, ERR_FILE, history->path, 0, 0, "cannot be used: %s", what);
    }
}

enum err_code store_run(struct history *history, const char *sql, struct err *err)
{
    int code = sqlite3_exec(history->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? ERR_OK : store_fail(history, err);
}

enum err_code store_prepare(struct history *history, const char *sql, sqlite3_stmt **statement,
                            struct err *err)
{
    int code = sqlite3_prepare_v2(history->db, sql, -1, statement, NULL);
    return code == SQLITE_OK ? ERR_OK : store_fail(history, err);
}

void store_bind_text(sqlite3_stmt *statement, int index, struct str text)
{
    if (str_is_set(text) && text.len <= TEXT_BYTES_MAX) {
        sqlite3_bind_text(statement, index, text.ptr, (int)text.len, SQLITE_STATIC);
    } else {
        sqlite3_bind_null(statement, index);
    }
}

void store_bind_number(sqlite3_stmt *statement, int index, int64_t number)
{
    if (number == -1) {
        sqlite3_bind_null(statement, index);
    } else {
        sqlite3_bind_int64(statement, index, number);
    }
}

struct str store_text(sqlite3_stmt *statement, int column)
{
    const char *bytes = (const char *)sqlite3_column_text(statement, column);
    return bytes ? (struct str){bytes, (size_t)sqlite3_column_bytes(statement, column)}
                 : (struct str){NULL, 0};
}

int64_t store_number(sqlite3_stmt *statement, int column)
{
    int64_t number = sqlite3_column_type(statement, column) == SQLITE_NULL
                         ? -1
                         : sqlite3_column_int64(statement, column);
    return number < -1 || number > NUMBER_MAX ? -1 : number;
}

int64_t store_count(sqlite3_stmt *statement, int column)
{
    int64_t count = sqlite3_column_int64(statement, column);
    return count < 0 ? 0 : count > COUNT_MAX ? COUNT_MAX : count;
}

void store_record(sqlite3_stmt *statement, int first, struct record *record)
{
    for (size_t i = 0; i < record_member_count(); i++) {
        const struct record_member *member = record_member_at(i);
        if (member->kind == RECORD_TEXT) {
            *record_text(record, member) =
                str_slice(store_text(statement, first + (int)i), 0, RECORD_BYTES_MAX);
        } else {
            *record_number(record, member) = store_number(statement, first + (int)i);
        }
    }
}

/* Makes the directories above path, private ones. */
static enum err_code make_directories(struct arena *arena, struct str path, struct err *err)
{
    for (size_t i = 1; i < path.len; i++) {
        if (path.ptr[i] != '/') {
            continue;
        }
        const char *directory = arena_cstr(arena, str_slice(path, 0, i));
        if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
            return err_set_at(err, ERR_FILE, str_from(directory), 0, 0, "cannot be made: %s",
                              strerror(errno));
        }
    }
    return ERR_OK;
}

/* SQLite gives its -wal and -shm files the mode of the database, so this decides for all three. */
static enum err_code make_file(const char *path, struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
    if (fd < 0) {
        return err_set_at(err, ERR_FILE, str_from(path), 0, 0, "cannot be written: %s",
                          strerror(errno));
    }
    close(fd);
    return ERR_OK;
}

bool store_is_plain(struct arena *arena, struct str path)
{
    static const char *const endings[] = {"", "-journal", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        struct stat status;
        const char *name = arena_printf(arena, "%.*s%s", STR_ARG(path), endings[i]).ptr;
        if (stat(name, &status) == 0 && !S_ISREG(status.st_mode)) {
            return false;
        }
    }
    return true;
}

/* SQLite's own wait looks a dozen times a second, ever more seldom: among runs that write one after
 * the other it may come too late each time. */
static int wait_for_turn(void *closure, int steps)
{
    struct history *history = closure;
    (void)steps;
    return history->turns-- > 0 && sqlite3_sleep(TURN_STEP_MS) >= 0;
}

enum err_code store_begin(struct history *history, struct err *err)
{
    history->turns = TURN_STEPS;
    return store_run(history, "BEGIN IMMEDIATE", err);
}

enum err_code store_end(struct history *history, enum err_code code, struct err *err)
{
    if (code == ERR_OK) {
        code = store_run(history, "COMMIT", err);
    }
    if (code) {
        sqlite3_exec(history->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return code;
}

static enum err_code bring_up(struct history *history, bool is_write, struct err *err)
{
    history->failure = SQLITE_OK;
    enum err_code code = schema_check(history, err);
    if (code) {
        return code;
    }
    if (!is_write && (code = store_run(history, "PRAGMA cache_size = " READER_CACHE, err))) {
        return code;
    }
    if (!is_write && sqlite3_db_readonly(history->db, "main") == 1) {
        return ERR_OK;
    }
    code = store_run(
        history,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON", err);
    return code ? code : schema_open(history, err);
}

/* Of runs that make a store at once SQLite refuses some without asking its handler: the change of
 * the file's mode waits for nobody, and a journal that one would roll back is ended by another. */
static bool is_made_by_another(const struct history *history)
{
    return history->failure == SQLITE_BUSY || history->failure == SQLITE_IOERR_DELETE_NOENT;
}

static enum err_code open_database(struct history *history, const char *path, bool is_write,
                                   struct err *err)
{
    /* A reader opens for writing too: a store in WAL mode needs its -shm file. */
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &history->db, flags, NULL) != SQLITE_OK) {
        return store_fail(history, err);
    }
    history->turns = TURN_STEPS;
    sqlite3_busy_handler(history->db, wait_for_turn, history);
    sqlite3_limit(history->db, SQLITE_LIMIT_LENGTH, TEXT_BYTES_MAX);
    sqlite3_db_config(history->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(history->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    enum err_code code = bring_up(history, is_write, err);
    while (code && is_made_by_another(history) && wait_for_turn(history, 0)) {
        code = bring_up(history, is_write, err);
    }
    return code;
}

enum err_code history_open(const char *path, enum history_mode mode, const struct env *env,
                           struct history **history, struct err *err)
{
    *history = NULL;
    if (mode == HISTORY_READ && access(path, F_OK) != 0 && errno == ENOENT) {
        return ERR_OK;
    }
    struct arena *arena = arena_create();
    struct history *opened = ARENA_NEW(arena, struct history);
    *opened =
        (struct history){.env = env, .path = arena_dup(arena, str_from(path)), .arena = arena};
    enum err_code code = store_is_plain(arena, opened->path)
                             ? ERR_OK
                             : err_set_at(err, ERR_FILE, opened->path, 0, 0,
                                          "is no plain file, or one beside it is none");
    if (!code && mode == HISTORY_WRITE) {
        code = make_directories(arena, opened->path, err);
        code = code ? code : make_file(path, err);
    }
    code = code ? code : open_database(opened, path, mode == HISTORY_WRITE, err);
    if (code) {
        history_close(opened);
        return code;
    }
    *history = opened;
    return ERR_OK;
}

void history_close(struct history *history)
{
    if (history == NULL) {
        return;
    }
    sqlite3_close_v2(history->db);
    arena_free(history->arena);
}
