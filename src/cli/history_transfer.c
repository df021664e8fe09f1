/* Records as JSON lines, out and in, so that several people's histories can be put together. What
 * comes in is checked: known diagnoses, times that can be, bounded texts without control
 * characters or keys. */
#include "base/file.h"
#include "base/moment.h"
#include "base/text.h"
#include "cli/history_part.h"
#include "cli/importer.h"
#include "cli/json.h"
#include "cli/memory.h"
#include "cli/say.h"
#include "cli/street.h"

#include <cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define OUT_BYTES ((size_t)64 * 1024)
#define FILE_BYTES_MAX ((size_t)512 * 1024 * 1024)
#define LINE_BYTES_MAX ((size_t)16 * 1024)
#define TEXT_BYTES_MAX 256
#define SAID_MAX 5 /* bad lines that are said one by one */
#define BATCH 1000

int history_write_lines(struct cli *cli, struct history *history,
                        const struct history_filter *filter)
{
    struct err err = {0};
    struct history_rows *walk = NULL;
    struct record record;
    if (history && history_rows_open(history, filter, 0, &walk, &err)) {
        return say_error(cli, &err);
    }
    while (history && err.code == ERR_OK && history_rows_next(walk, &record, &err)) {
        struct arena *arena = arena_create();
        json_line(cli, history_record_json(arena, &record));
        arena_free(arena);
        if (cli->out.len > OUT_BYTES) {
            cli_flush(cli, &err);
        }
    }
    history_rows_close(walk);
    return err.code ? say_error(cli, &err) : EXIT_FINE;
}

/* One import under way. */
struct intake {
    struct street *street;
    struct history *history;
    struct str name; /* of the file */
    unsigned line;
    struct arena *arena; /* of the batch */
    struct record records[BATCH];
    size_t count, added, known, bad;
};

static void say_bad(struct intake *intake, const char *expected)
{
    if (intake->bad++ < SAID_MAX) {
        fprintf(intake->street->cli->streams.errors, "diagnose: %.*s:%u: %s\n",
                STR_ARG(text_show(intake->street->cli->arena, intake->name, 0)), intake->line,
                expected);
    }
}

static enum err_code write_batch(struct intake *intake, struct err *err)
{
    size_t added = 0;
    const struct history_batch batch = {.records = intake->records, .count = intake->count};
    enum err_code code = history_add(intake->history, &batch, &added, err);
    intake->added += added;
    intake->known += intake->count - added;
    intake->count = 0;
    arena_free(intake->arena);
    intake->arena = arena_create();
    return code;
}

static struct str clean_text(struct intake *intake, const char *text)
{
    struct str masked = mask_text(intake->arena, &intake->street->mask, str_from(text));
    return text_show(intake->arena, str_slice(masked, 0, TEXT_BYTES_MAX), 0);
}

/* False where a member has another type than its column. */
static bool read_member(struct intake *intake, const struct cJSON *object,
                        const struct record_member *member, struct record *record)
{
    const struct cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member->name.ptr);
    if (item == NULL || cJSON_IsNull(item)) {
        return true;
    }
    if (member->kind == RECORD_TEXT && cJSON_IsString(item)) {
        *record_text(record, member) = clean_text(intake, item->valuestring);
        return true;
    }
    if (member->kind == RECORD_NUMBER && cJSON_IsNumber(item) && item->valuedouble >= 0 &&
        item->valuedouble < 9e15) {
        *record_number(record, member) = (int64_t)item->valuedouble;
        return true;
    }
    return false;
}

/* What is wrong with a line, or NULL. */
static const char *read_record(struct intake *intake, struct str line, struct record *record)
{
    struct cJSON *object = cJSON_ParseWithLength(line.ptr, line.len);
    const char *wrong = cJSON_IsObject(object) ? NULL : "is no JSON object";
    *record = record_blank();
    for (size_t i = 0; i < record_member_count() && !wrong; i++) {
        if (!read_member(intake, object, record_member_at(i), record)) {
            wrong = "holds a member of a wrong type; history export writes what is expected";
        }
    }
    const struct cJSON *at = cJSON_GetObjectItemCaseSensitive(object, "at");
    if (!wrong &&
        (!cJSON_IsString(at) || !moment_parse(str_from(at->valuestring), 0, &record->at_ms) ||
         record->at_ms <= 0)) {
        wrong = "has no \"at\" with a moment such as \"2026-11-29T13:00:00Z\"";
    }
    if (!wrong && record->uid.len == 0) {
        wrong = "has no \"uid\"; only lines of history export can be imported";
    }
    if (!wrong && !rules_diagnosis(intake->street->rules, record->diagnosis)) {
        wrong = "has no known \"diagnosis\"";
    }
    cJSON_Delete(object);
    return wrong;
}

static enum err_code take_line(struct intake *intake, struct str line, struct err *err)
{
    struct str label = intake->street->cli->options.who;
    struct record *record = &intake->records[intake->count];
    const char *wrong =
        line.len > LINE_BYTES_MAX ? "is over 16 KiB long" : read_record(intake, line, record);
    if (wrong) {
        say_bad(intake, wrong);
        return ERR_OK;
    }
    if (str_is_set(label) && record->who.len == 0) {
        record->who = clean_text(intake, arena_cstr(intake->arena, label));
    }
    return ++intake->count == BATCH ? write_batch(intake, err) : ERR_OK;
}

static enum err_code read_file(struct intake *intake, struct str name, struct err *err)
{
    struct arena *arena = arena_create();
    struct str text = {NULL, 0}, line = {NULL, 0};
    int os_errno = 0;
    enum file_status status =
        str_eq(name, STR("-"))
            ? file_read_fd(arena, intake->street->cli->streams.in, FILE_BYTES_MAX, &text, &os_errno)
            : file_read(arena, arena_cstr(arena, name), FILE_BYTES_MAX, &text, &os_errno);
    enum err_code code = ERR_OK;
    if (status != FILE_OK) {
        struct str why = file_status_text(arena, status, FILE_BYTES_MAX, os_errno);
        code = err_set(err, ERR_FILE, "%.*s %.*s", STR_ARG(name), STR_ARG(why));
    }
    intake->name = name;
    intake->line = 0;
    while (code == ERR_OK && str_split(&text, '\n', &line)) {
        intake->line++;
        line = str_trim(line);
        code = line.len ? take_line(intake, line, err) : ERR_OK;
    }
    arena_free(arena);
    return code ? code : write_batch(intake, err);
}

static int show_result(const struct intake *intake)
{
    struct cli *cli = intake->street->cli;
    int exit_code = intake->bad ? EXIT_USAGE : EXIT_FINE;
    if (intake->bad > SAID_MAX) {
        say_remark(cli, "diagnose: %zu lines in all could not be taken", intake->bad);
    }
    if (cli->is_human) {
        buf_add(&cli->out, say_with(cli, "%zu added, %zu known already, %zu refused\n",
                                    "新增 %zu 条，已有 %zu 条，拒绝 %zu 条\n", intake->added,
                                    intake->known, intake->bad));
        return exit_code;
    }
    struct cJSON *root = json_begin(cli);
    json_number(root, "added", (int64_t)intake->added);
    json_number(root, "known", (int64_t)intake->known);
    json_number(root, "refused", (int64_t)intake->bad);
    return json_end(cli, root, exit_code);
}

static int read_all(struct intake *intake, const struct str *names, size_t count)
{
    struct cli *cli = intake->street->cli;
    struct err err = {0};
    for (size_t i = 0; i < count; i++) {
        if (read_file(intake, names[i], &err)) {
            return say_error(cli, &err);
        }
    }
    return show_result(intake);
}

/* One import of a client's own record under way. */
struct client_intake {
    struct intake *intake;
    struct err err; /* the first */
};

/* Adds the records of a file and its mark in one transaction. */
static void take_file(struct imported *imported, void *context)
{
    struct client_intake *client = context;
    struct intake *intake = client->intake;
    size_t added = 0;
    const struct history_batch batch = {.records = imported->records,
                                        .count = imported->count,
                                        .marks = imported->marks,
                                        .mark_count = imported->mark_count};
    if (client->err.code || (batch.count == 0 && batch.mark_count == 0) ||
        history_add(intake->history, &batch, &added, &client->err)) {
        return;
    }
    intake->added += added;
    intake->known += imported->count - added;
}

/* Adds what a client recorded itself. */
static int read_client(struct intake *intake, const struct importer *importer)
{
    struct cli *cli = intake->street->cli;
    struct client_intake client = {.intake = intake};
    const struct budget any = {0};
    struct imported found = {.arena = arena_create(), .take = take_file, .context = &client};
    importer->read(intake->street, intake->history, 0, &any, &found);
    arena_free(found.arena);
    if (client.err.code) {
        return say_error(cli, &client.err);
    }
    if (found.unreadable_count) {
        say_remark(cli, "diagnose: %zu of %zu files of %s could not be read",
                   found.unreadable_count, found.file_count, importer->client);
    }
    return show_result(intake);
}

int history_read_lines(struct cli *cli, const struct str *names, size_t count)
{
    struct err err = {0};
    struct street street = {0};
    struct intake *intake = ARENA_NEW(cli->arena, struct intake);
    const struct importer *importer = count == 1 ? importer_find(names[0]) : NULL;
    intake->street = &street;
    intake->arena = arena_create();
    int code = EXIT_FINE;
    if (street_open(&street, cli, &err) ||
        memory_open(cli, HISTORY_WRITE, &intake->history, &err)) {
        code = say_error(cli, &err);
    } else if (intake->history == NULL) {
        err_set(&err, ERR_USAGE, "there is no history to import into: set HOME or XDG_STATE_HOME%s",
                cli->options.is_without_history ? ", and leave --no-history out" : "");
        code = say_error(cli, &err);
    } else {
        code = importer ? read_client(intake, importer) : read_all(intake, names, count);
    }
    history_close(intake->history);
    arena_free(intake->arena);
    street_close(&street);
    return code;
}
