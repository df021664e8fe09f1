/* The common way of imported records into the store, and what is said of it. */
#include "cli/history_intake.h"

#include "base/text.h"
#include "cli/json.h"
#include "cli/say.h"

#define BATCH 1000
#define TEXT_BYTES_MAX 256
#define SAID_MAX 5 /* bad lines that are said one by one */

struct intake intake_open(struct street *street, struct history *history)
{
    struct record *records = ARENA_ARRAY(street->cli->arena, BATCH, struct record);
    return (struct intake){
        .street = street, .history = history, .arena = arena_create(), .records = records};
}

void intake_close(struct intake *intake)
{
    arena_free(intake->arena);
    intake->arena = NULL;
}

struct str intake_text(struct intake *intake, struct str text)
{
    struct str masked = mask_text(intake->arena, &intake->street->mask, text);
    return text_show(intake->arena, str_slice(masked, 0, TEXT_BYTES_MAX), 0);
}

enum err_code intake_flush(struct intake *intake, struct err *err)
{
    size_t added = 0;
    const struct history_batch batch = {.records = intake->records, .count = intake->count};
    enum err_code code = batch.count ? history_add(intake->history, &batch, &added, err) : ERR_OK;
    intake->added += added;
    intake->known += code ? 0 : intake->count - added;
    intake->count = 0;
    arena_free(intake->arena);
    intake->arena = arena_create();
    return code;
}

enum err_code intake_add(struct intake *intake, const struct record *record, struct err *err)
{
    struct str label = intake->street->cli->options.who;
    struct record *kept = &intake->records[intake->count++];
    *kept = *record;
    if (str_is_set(label) && kept->who.len == 0) {
        kept->who = intake_text(intake, label);
    }
    return intake->count == BATCH ? intake_flush(intake, err) : ERR_OK;
}

void intake_refuse(struct intake *intake, const char *wrong)
{
    if (intake->bad++ < SAID_MAX) {
        fprintf(intake->street->cli->streams.errors, "diagnose: %.*s:%u: %s\n",
                STR_ARG(text_show(intake->street->cli->arena, intake->name, 0)), intake->line,
                wrong);
    }
}

int intake_show(const struct intake *intake)
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
