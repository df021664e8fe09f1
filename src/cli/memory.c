/* Recording of a run's requests in the history, and what is recalled of earlier ones before a run
 * is judged. Names, times and diagnoses are kept, never a body, a header or a key. */
#include "cli/memory.h"

#include "base/moment.h"
#include "base/str_set.h"
#include "base/text.h"
#include "cli/importer.h"
#include "cli/say.h"
#include "triage/place.h"

#include <stdlib.h>
#include <sys/random.h>

#define RECENT_HOURS 24 /* of a client's own records, without an import */
#define BUDGET_MS 200   /* that reading them may take */
#define RECENT_MAX 5000 /* records of that time that are looked at */
#define NAME_BYTES_MAX 256
#define PLACE_BYTES_MAX ((size_t)4 * 1024 * 1024) /* of all targets that share a request */

enum err_code memory_open(struct cli *cli, enum history_mode mode, struct history **history,
                          struct err *err)
{
    struct str path = history_path(cli->arena, cli->env);
    *history = NULL;
    if (cli->options.is_without_history || !str_is_set(path)) {
        return ERR_OK;
    }
    return history_open(arena_cstr(cli->arena, path), mode, cli->env, history, err);
}

void memory_remark_loss(struct street *street, const struct err *err)
{
    struct cli *cli = street->cli;
    if (street->has_lost_history) {
        return;
    }
    say_remark(cli, "diagnose: %s: %s (%s)", err->file, err->text,
               say(cli, "this run goes on without history", "本次运行不使用历史记录"));
    street->has_lost_history = true;
}

/* Does the run judge a target of that client? */
static bool has_client(const struct street *street, struct str client)
{
    for (size_t i = 0; i < street->target_count; i++) {
        if (str_eq(street->targets[i]->client, client)) {
            return true;
        }
    }
    return false;
}

/* Of two records of one request the one that knows of its session comes first. */
static int by_uid(const void *left, const void *right)
{
    const struct record *a = left, *b = right;
    int order = str_cmp(a->uid, b->uid);
    return order ? order : (a->session_ms < b->session_ms) - (a->session_ms > b->session_ms);
}

/* Those of the records that the store does not hold, each once; gives their number. */
static size_t keep_news(struct history *history, struct record *records, size_t count)
{
    size_t kept = 0;
    if (count) {
        qsort(records, count, sizeof *records, by_uid);
    }
    for (size_t i = 0; i < count; i++) {
        bool is_twice = kept && str_eq(records[kept - 1].uid, records[i].uid);
        if (!is_twice && !(history && history_holds(history, records[i].uid))) {
            records[kept++] = records[i];
        }
    }
    return kept;
}

/* What the clients of this run recorded lately and nobody has imported. */
static void recall_clients(struct street *street, struct history *history)
{
    struct cli *cli = street->cli;
    int64_t now_ms = cli->env->wall_ms(cli->env->clock);
    struct budget budget = budget_of(cli->env, BUDGET_MS);
    for (size_t i = 0; i < importer_count(); i++) {
        const struct importer *importer = importer_at(i);
        struct imported found = {.arena = cli->arena, .max_count = RECENT_MAX};
        if (!has_client(street, str_from(importer->client))) {
            continue;
        }
        importer->read(street, history, now_ms - RECENT_HOURS * HOUR_MS, &budget, &found);
        size_t count = keep_news(history, found.records, found.count);
        street->past.now_ms = now_ms;
        history_past_add(cli->arena, cli->env, &street->past, found.records, count);
    }
}

void memory_recall(struct street *street)
{
    struct cli *cli = street->cli;
    struct err err = {0};
    struct history *history = NULL;
    if (!cli->command->keeps_history || cli->options.is_without_history) {
        return;
    }
    if (memory_open(cli, HISTORY_READ, &history, &err) ||
        (history && history_past(history, cli->arena, &street->past, &err))) {
        street->past = (struct past){0};
        memory_remark_loss(street, &err);
    }
    street->past.utc_offset_s = env_utc_offset_s(cli->env, cli->env->wall_ms(cli->env->clock));
    recall_clients(street, history);
    history_close(history);
}

/* Sixteen random bytes in hexadecimal: the same for all requests of a run, and no other run's. */
static struct str run_id(struct street *street)
{
    unsigned char bytes[16] = {0};
    if (street->run_id.len) {
        return street->run_id;
    }
    struct str id = {NULL, 0};
    if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) == (ssize_t)sizeof bytes) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            id = arena_printf(street->cli->arena, "%.*s%02x", STR_ARG(id), bytes[i]);
        }
    }
    street->run_id = id;
    return id;
}

static struct str steps_text(struct arena *arena, const struct observation *observation)
{
    struct str text = {NULL, 0};
    for (size_t i = 0; i < STEP_COUNT; i++) {
        if (observation->step_ms[i] >= 0) {
            text =
                arena_printf(arena, "%.*s%s%.*s=%lld", STR_ARG(text), text.len ? " " : "",
                             STR_ARG(step_name((enum step)i)), (long long)observation->step_ms[i]);
        }
    }
    return text;
}

struct str memory_name(struct arena *arena, struct str name)
{
    return name.len ? text_show(arena, str_slice(name, 0, NAME_BYTES_MAX), 0)
                    : (struct str){NULL, 0};
}

static void note_target(struct arena *arena, const struct target *target, struct record *record)
{
    if (target) {
        record->client = memory_name(arena, target->client);
        record->client_version = memory_name(arena, target->client_version);
        record->target = memory_name(arena, target->name);
        record->provider = memory_name(arena, str_is_set(target->provider_id) ? target->provider_id
                                                                              : target->provider);
        record->host = memory_name(arena, place_authority(target->base_url.text));
        record->model = memory_name(arena, target->model.text);
    }
}

void memory_note(struct street *street, const struct target *target, bool is_free,
                 const struct observation *observation, const struct finding *finding)
{
    struct arena *arena = street->cli->arena;
    bool is_kept = street->cli->command->keeps_history && !street->cli->options.is_without_history;
    struct str run = is_kept ? run_id(street) : STR("");
    if (run.len == 0) {
        return;
    }
    struct record record = record_blank();
    note_target(arena, target, &record);
    record.model = is_free ? (struct str){NULL, 0} : record.model;
    record.uid = arena_printf(arena, "%.*s-%zu", STR_ARG(run), street->record_count);
    record.run = run;
    record.at_ms = observation->started_ms;
    record.source = str_from(street->cli->command->name);
    record.served_model = memory_name(arena, observation->served_model);
    record.diagnosis = finding->diagnosis->id;
    record.rule = finding->rule_id.len ? finding->rule_id : (struct str){NULL, 0};
    record.status = observation->status ? observation->status : -1;
    record.wait_ms = finding->wait_ms;
    record.total_ms = observation->total_ms;
    record.steps = steps_text(arena, observation);
    record.request_id = memory_name(arena, observation->request_id);
    street->records = arena_grow(arena, street->records, street->record_count,
                                 &street->record_capacity, sizeof record);
    street->record_sources =
        arena_grow(arena, street->record_sources, street->record_count,
                   &street->record_source_capacity, sizeof *street->record_sources);
    street->record_sources[street->record_count] = observation;
    street->records[street->record_count++] = record;
}

const struct str *memory_places(struct arena *arena, const struct result *results, size_t count)
{
    struct str *places = ARENA_ARRAY(arena, count + 1, struct str);
    size_t *counts = ARENA_ARRAY(arena, count + 1, size_t);
    struct str_set kinds = {0};
    for (size_t i = 0; i < count; i++) {
        const struct target *target = results[i].target;
        bool is_named = str_find(target->name, target->model.text) < 0;
        struct str kind = arena_printf(arena, "%.*s %d.%u", STR_ARG(target->client),
                                       (int)target->role, target->fallback_number);
        size_t known = str_set_add(arena, &kinds, kind, i);
        size_t before = counts[known == SIZE_MAX ? i : known]++;
        places[i] = is_named ? arena_printf(arena, "%.*s %.*s", STR_ARG(kind),
                                            STR_ARG(memory_name(arena, target->name)))
                             : arena_printf(arena, "%.*s %zu", STR_ARG(kind), before);
    }
    return places;
}

void memory_note_truths(struct street *street, const struct result *results, size_t count)
{
    struct arena *arena = street->cli->arena;
    const struct str *places = memory_places(arena, results, count);
    struct buf *joined = ARENA_ARRAY(arena, street->record_count + 1, struct buf);
    struct str_set sources = {0};
    for (size_t r = 0; r < street->record_count; r++) {
        joined[r] = buf_create(PLACE_BYTES_MAX);
        str_set_add(arena, &sources, STR_BYTES(street->record_sources[r]), r);
    }
    for (size_t i = 0; i < count; i++) {
        size_t r = str_set_find(&sources, STR_BYTES(results[i].observation));
        if (!results[i].observation || r == SIZE_MAX) {
            continue;
        }
        if (joined[r].len == 0) {
            street->records[r].asked = memory_name(arena, results[i].truth->asked.text);
            street->records[r].effective = memory_name(arena, results[i].truth->effective.text);
        } else {
            buf_add_char(&joined[r], '|');
        }
        buf_add(&joined[r], places[i]);
    }
    for (size_t r = 0; r < street->record_count; r++) {
        if (joined[r].len) {
            street->records[r].place = arena_dup(arena, buf_str(&joined[r]));
        }
        buf_free(&joined[r]);
    }
}

void memory_keep(struct street *street)
{
    struct err err = {0};
    struct history *history = NULL;
    const struct history_batch batch = {.records = street->records,
                                        .count = street->record_count,
                                        .keep_days = street->config.keep_days};
    if (street->record_count == 0 || street->has_lost_history) {
        return;
    }
    if (memory_open(street->cli, HISTORY_WRITE, &history, &err) ||
        (history && history_add(history, &batch, NULL, &err))) {
        memory_remark_loss(street, &err);
    }
    history_close(history);
    street->record_count = 0;
}
