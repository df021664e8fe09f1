/* What Codex itself recorded of past requests: the rollouts of its sessions, and its database of
 * turns. Finds the files below CODEX_HOME, reads those that changed since the last time, and judges
 * each failed turn by the rules, like any other evidence. Nothing of Codex's is written. */
#include "base/text.h"
#include "cli/importer.h"
#include "cli/memory.h"
#include "cli/rollout_files.h"
#include "history/codex_turns.h"
#include "input/rollout.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define MIB ((size_t)1024 * 1024)
#define ROLLOUT_BYTES_MAX (2048 * MIB)
#define ROLLOUT_BYTES_GLANCE (16 * MIB) /* where there is a budget */
#define COPY_BYTES_MAX (2048 * MIB)
#define COPY_BYTES_GLANCE (32 * MIB)
#define DATABASE_MS 60000 /* that reading it may take where there is no budget */

/* One reading of what Codex recorded. */
struct glance {
    struct street *street;
    struct history *history;
    int64_t since_ms;
    const struct budget *budget;
    struct imported *imported;
    struct turns known; /* by the database, in the order of their ids */
};

static struct str codex_home(const struct cli *cli)
{
    struct str moved = env_get(cli->env, "CODEX_HOME"), home = env_get(cli->env, "HOME");
    if (moved.len) {
        return moved;
    }
    return home.len ? arena_printf(cli->arena, "%.*s/.codex", STR_ARG(home))
                    : (struct str){NULL, 0};
}

/* The database NAME_N.sqlite with the highest N, or unset. */
static struct str find_database(struct arena *arena, struct str home, struct str name)
{
    DIR *directory = opendir(arena_cstr(arena, home));
    const struct dirent *entry;
    int64_t best = -1, number;
    while (directory && (entry = readdir(directory))) {
        struct str file = str_from(entry->d_name);
        if (str_starts(file, name) && str_ends(file, STR(".sqlite")) &&
            str_to_i64(str_slice(file, name.len, file.len - (sizeof ".sqlite" - 1)), &number) &&
            number > best) {
            best = number;
        }
    }
    if (directory) {
        closedir(directory);
    }
    return best < 0 ? (struct str){NULL, 0}
                    : arena_printf(arena, "%.*s/%.*s%lld.sqlite", STR_ARG(home), STR_ARG(name),
                                   (long long)best);
}

static const struct diagnosis *judge_turn(struct street *street, struct arena *arena,
                                          const struct turn *turn, struct record *record)
{
    if (turn->end == TURN_ANSWERED) {
        return rules_ok(street->rules);
    }
    if (turn->error.len == 0) {
        return rules_unknown(street->rules);
    }
    struct observation observation = observation_blank(OBSERVATION_TEXT);
    observation.provider = STR("codex");
    observation.body = mask_text(arena, &street->mask, turn->error);
    struct finding finding = classify_briefly(street->classifier, arena, &observation);
    record->rule = finding.rule_id.len ? finding.rule_id : (struct str){NULL, 0};
    record->wait_ms = finding.wait_ms;
    /* The client says that it failed, whatever the text shows. */
    return finding.diagnosis->is_healthy ? rules_unknown(street->rules) : finding.diagnosis;
}

static struct str named(struct street *street, struct arena *arena, struct str text)
{
    return memory_name(arena, mask_text(arena, &street->mask, text));
}

static int64_t end_ms_of(const struct turn *turn)
{
    int64_t lasted_ms = turn->duration_ms > 0 ? turn->duration_ms : 0;
    return turn->ended_ms > 0 ? turn->ended_ms : turn->started_ms + lasted_ms;
}

static void add_turn(const struct glance *glance, const struct turn *turn)
{
    struct street *street = glance->street;
    struct arena *arena = glance->imported->arena;
    struct record record = record_blank();
    if ((turn->end != TURN_ANSWERED && turn->end != TURN_FAILED) ||
        end_ms_of(turn) < glance->since_ms || imported_is_full(glance->imported)) {
        return;
    }
    record.uid = named(street, arena, arena_printf(arena, "codex:%.*s", STR_ARG(turn->id)));
    record.run = named(street, arena, turn->session);
    record.source = STR("codex");
    record.client = STR("codex");
    record.client_version = named(street, arena, turn->client_version);
    record.provider = named(street, arena, turn->provider);
    record.model = named(street, arena, turn->model);
    record.at_ms = end_ms_of(turn);
    record.total_ms = turn->duration_ms;
    record.session_ms = turn->session_ms;
    record.context_tokens = turn->context_tokens;
    record.context_window = turn->context_window;
    record.limit_permille = turn->limit_permille;
    record.diagnosis = judge_turn(street, arena, turn, &record)->id;
    imported_add(glance->imported, &record);
}

static int by_id(const void *left, const void *right)
{
    const struct turn *a = left, *b = right;
    return str_cmp(a->id, b->id);
}

/* What the database knows of a turn that its rollout does not tell: the error of versions that
 * leave it out, and an end that was not written. The turn counts once. */
static void complete(const struct glance *glance, struct turn *turn)
{
    const struct turns *known = &glance->known;
    struct turn *other =
        known->count ? bsearch(turn, known->items, known->count, sizeof *turn, by_id) : NULL;
    if (other == NULL || other == turn) {
        return;
    }
    if (turn->end == TURN_OPEN) {
        turn->end = other->end;
        turn->ended_ms = other->ended_ms;
        turn->duration_ms = other->duration_ms;
    }
    if (turn->end == TURN_FAILED && turn->error.len == 0) {
        turn->error = other->error;
    }
    other->end = TURN_OPEN;
}

/* Adds turns until the budget is spent. */
static void add_turns(const struct glance *glance, struct turns *turns)
{
    for (size_t i = turns->count; i > 0 && !budget_is_spent(glance->budget); i--) {
        complete(glance, &turns->items[i - 1]);
        add_turn(glance, &turns->items[i - 1]);
    }
}

/* The file as it was when it was read last; another text means that there is news. */
static struct history_mark mark_of(struct arena *arena, const struct rollout_file *file)
{
    return (struct history_mark){
        .name = arena_printf(arena, "codex:%.*s", STR_ARG(file->path)),
        .text =
            arena_printf(arena, "%lld %lld", (long long)file->bytes, (long long)file->changed_ms),
    };
}

static bool is_known(struct history *history, struct arena *arena, const struct history_mark *mark)
{
    struct str text = {NULL, 0};
    return history && history_mark(history, arena, mark->name, &text, NULL) == ERR_OK &&
           str_eq(text, mark->text);
}

static void read_rollout(const struct glance *glance, const struct rollout_file *file)
{
    struct cli *cli = glance->street->cli;
    struct imported *imported = glance->imported;
    struct history_mark mark = mark_of(imported->arena, file);
    if (is_known(glance->history, imported->arena, &mark)) {
        return;
    }
    imported->file_count++;
    int fd = open(file->path.ptr, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        imported->unreadable_count++;
        return;
    }
    struct turns turns = {0};
    struct arena *arena = arena_create();
    const struct rollout_terms terms = {.session = rollout_session(file->path),
                                        .max_bytes = glance->budget->env ? ROLLOUT_BYTES_GLANCE
                                                                         : ROLLOUT_BYTES_MAX,
                                        .budget = *glance->budget,
                                        .now_ms = cli->env->wall_ms(cli->env->clock)};
    bool is_told = rollout_read(arena, fd, &terms, &turns);
    close(fd);
    add_turns(glance, &turns);
    arena_free(arena);
    imported_end_file(imported, is_told ? &mark : NULL);
}

static void read_database(struct glance *glance, struct arena *arena, struct str home)
{
    const struct env *env = glance->street->cli->env;
    struct str moved = env_get(env, "CODEX_SQLITE_HOME");
    struct str folder = moved.len ? moved : home;
    bool is_glance = glance->budget->env != NULL;
    struct budget budget = is_glance ? *glance->budget : budget_of(env, DATABASE_MS);
    const struct codex_store store = {
        .history_path = find_database(arena, folder, STR("thread_history_")),
        .state_path = find_database(arena, folder, STR("state_")),
        .scratch = env_get(env, "TMPDIR"),
        .max_bytes = (int64_t)(is_glance ? COPY_BYTES_GLANCE : COPY_BYTES_MAX),
        .since_ms = glance->since_ms};
    if (!str_is_set(store.history_path)) {
        return;
    }
    glance->imported->file_count++;
    if (!codex_turns_read(arena, &store, &budget, &glance->known)) {
        glance->imported->unreadable_count++;
    }
    if (glance->known.count) {
        qsort(glance->known.items, glance->known.count, sizeof *glance->known.items, by_id);
    }
}

/* Rollouts know more of a turn than the database, and of two records of one the first is kept. */
static void read_codex(struct street *street, struct history *history, int64_t since_ms,
                       const struct budget *budget, struct imported *imported)
{
    struct glance glance = {.street = street,
                            .history = history,
                            .since_ms = since_ms,
                            .budget = budget,
                            .imported = imported};
    struct str home = codex_home(street->cli);
    struct rollout_files files = {0};
    if (!str_is_set(home)) {
        return;
    }
    struct arena *arena = arena_create();
    struct str active = arena_printf(arena, "%.*s/sessions", STR_ARG(home));
    struct str archived = arena_printf(arena, "%.*s/archived_sessions", STR_ARG(home));
    read_database(&glance, arena, home);
    rollout_files_find(arena, active, since_ms, budget, &files);
    rollout_files_find(arena, archived, since_ms, budget, &files);
    if (files.count == 0 && imported->file_count == 0) {
        imported->empty_folder = home;
    }
    for (size_t i = 0; i < files.count && !budget_is_spent(budget); i++) {
        read_rollout(&glance, &files.items[i]);
    }
    add_turns(&glance, &glance.known);
    imported_end_file(imported, NULL);
    arena_free(arena);
}

const struct importer importer_codex = {.client = "codex", .read = read_codex};
