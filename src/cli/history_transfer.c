/* Records as JSON lines, out and in, so that several people's histories can be put together. What
 * comes in is checked: known diagnoses, times that can be, bounded texts without control
 * characters or keys. */
#include "base/buf.h"
#include "base/file.h"
#include "base/moment.h"
#include "base/text.h"
#include "cli/deliver.h"
#include "cli/history_intake.h"
#include "cli/history_part.h"
#include "cli/importer.h"
#include "cli/json.h"
#include "cli/memory.h"
#include "cli/say.h"
#include "cli/street.h"
#include "input/input.h"

#include <cJSON.h>

#define BLOCK_BYTES ((size_t)64 * 1024)
#define LINE_BYTES_MAX ((size_t)16 * 1024)

int history_write_lines(struct cli *cli, struct history *history,
                        const struct history_filter *filter)
{
    struct err err = {0};
    struct history_rows *walk = NULL;
    struct record record;
    if (history && history_rows_open(history, filter, 0, &walk, &err)) {
        return say_error(cli, &err);
    }
    struct arena *arena = arena_create(); /* of one row */
    while (history && history_rows_next(walk, &record, &err)) {
        json_line(cli, history_record_json(cli, arena, &record));
        arena_reset(arena);
        deliver_part(cli);
    }
    history_rows_close(walk);
    arena_free(arena);
    return err.code ? say_error(cli, &err) : EXIT_FINE;
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
        *record_text(record, member) = intake_text(intake, str_from(item->valuestring));
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

static enum err_code take_line(struct intake *intake, const struct buf *line, struct err *err)
{
    struct record record;
    struct str text = str_trim(buf_str(line));
    intake->line++;
    if (text.len == 0 && !line->is_full) {
        return ERR_OK;
    }
    const char *wrong = line->is_full ? "is over 16 KiB long" : read_record(intake, text, &record);
    if (wrong) {
        intake_refuse(intake, wrong);
        return ERR_OK;
    }
    return intake_add(intake, &record, err);
}

/* The lines of a block; the part of the last one waits in *line. */
static enum err_code take_block(struct intake *intake, struct buf *line, struct str block,
                                struct err *err)
{
    enum err_code code = ERR_OK;
    ptrdiff_t end;
    while (code == ERR_OK && (end = str_find_char(block, '\n')) >= 0) {
        buf_add(line, str_slice(block, 0, (size_t)end));
        code = take_line(intake, line, err);
        block = str_slice(block, (size_t)end + 1, block.len);
        line->len = 0;
        line->is_full = false;
    }
    buf_add(line, block);
    return code;
}

enum err_code intake_lines(struct intake *intake, const struct source *source, struct err *err)
{
    struct arena *arena = arena_create();
    struct buf line = buf_create(LINE_BYTES_MAX);
    char *block = arena_alloc(arena, BLOCK_BYTES);
    ssize_t got = 1;
    enum err_code code = take_block(intake, &line, source->text, err);
    while (code == ERR_OK && got != 0) {
        got = file_read_some(source->fd, block, BLOCK_BYTES);
        if (got < 0) {
            code = source_refuse(source, err);
        } else if (got > 0) {
            code = take_block(intake, &line, (struct str){block, (size_t)got}, err);
        }
    }
    code = code || (line.len == 0 && !line.is_full) ? code : take_line(intake, &line, err);
    buf_free(&line);
    arena_free(arena);
    return code ? code : intake_flush(intake, err);
}

/* Is one of the first lines a record of history export? Else the file is a log. */
static bool holds_records(struct str text)
{
    struct str line;
    while (str_split(&text, '\n', &line)) {
        line = str_trim(line);
        if (!str_starts(line, STR("{")) || line.len > LINE_BYTES_MAX) {
            continue;
        }
        struct cJSON *object = cJSON_ParseWithLength(line.ptr, line.len);
        bool is_record = cJSON_GetObjectItemCaseSensitive(object, "uid") &&
                         cJSON_GetObjectItemCaseSensitive(object, "diagnosis") &&
                         cJSON_GetObjectItemCaseSensitive(object, "at");
        cJSON_Delete(object);
        if (is_record) {
            return true;
        }
    }
    return false;
}

static enum err_code read_file(struct intake *intake, struct str name, struct err *err)
{
    struct cli *cli = intake->street->cli;
    struct source source;
    enum err_code code = source_open(cli, name, &source, err);
    code = code ? code : source_read(cli, &source, INPUT_SNIFF_BYTES, err);
    intake->name = name;
    intake->line = 0;
    if (code == ERR_OK) {
        code = holds_records(source.text) ? intake_lines(intake, &source, err)
                                          : intake_log(intake, &source, err);
    }
    source_close(&source);
    return code;
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
    return intake_show(intake);
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
    if (str_is_set(found.empty_folder)) {
        say_remark(cli, "diagnose: there are no sessions of %s below %.*s", importer->client,
                   STR_ARG(found.empty_folder));
    }
    if (found.unreadable_count) {
        say_remark(cli, "diagnose: %zu of %zu files of %s could not be read",
                   found.unreadable_count, found.file_count, importer->client);
    }
    return intake_show(intake);
}

int history_read_lines(struct cli *cli, const struct str *names, size_t count)
{
    struct err err = {0};
    struct street street = {0};
    struct history *history = NULL;
    const struct importer *importer = count == 1 ? importer_find(names[0]) : NULL;
    int code = EXIT_FINE;
    if (street_open(&street, cli, &err) || memory_open(cli, HISTORY_WRITE, &history, &err)) {
        code = say_error(cli, &err);
    } else if (history == NULL) {
        err_set(&err, ERR_USAGE, "there is no history to import into: set HOME or XDG_STATE_HOME%s",
                cli->options.is_without_history ? ", and leave --no-history out" : "");
        code = say_error(cli, &err);
    } else {
        struct intake intake = intake_open(&street, history);
        code = importer ? read_client(&intake, importer) : read_all(&intake, names, count);
        intake_close(&intake);
    }
    history_close(history);
    street_close(&street);
    return code;
}
