/* What Codex itself recorded of past requests: the rollouts of its sessions, and its database of
 * turns. Finds the files below CODEX_HOME, reads those that changed since the last time, and judges
 * each failed turn by the rules, like any other evidence. Nothing of Codex's is written. */
#include "base/text.h"
#include "cli/importer.h"
#include "cli/memory.h"
#include "history/codex_turns.h"
#include "input/rollout.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 4 /* sessions/YYYY/MM/DD */
#define FILES_MAX 50000
#define ROLLOUT_BYTES_MAX ((size_t)2 * 1024 * 1024 * 1024)

/* A file to be read, and how far it has grown. */
struct source_file {
    struct str path;
    int64_t bytes, changed_ms;
};

struct search {
    struct arena *arena;
    int64_t since_ms;
    struct source_file *files;
    size_t count, capacity;
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

static void add_file(struct search *search, struct str path, const struct stat *status)
{
    int64_t changed_ms = (int64_t)status->st_mtim.tv_sec * 1000 + status->st_mtim.tv_nsec / 1000000;
    if (changed_ms < search->since_ms || search->count >= FILES_MAX) {
        return;
    }
    search->files = arena_grow(search->arena, search->files, search->count, &search->capacity,
                               sizeof *search->files);
    search->files[search->count++] = (struct source_file){path, status->st_size, changed_ms};
}

/* Rollouts in a folder and the folders in it. Links are followed by nobody. */
static void search_folder(struct search *search, struct str folder, unsigned depth)
{
    DIR *directory = opendir(arena_cstr(search->arena, folder));
    const struct dirent *entry;
    while (directory && search->count < FILES_MAX && (entry = readdir(directory))) {
        struct str name = str_from(entry->d_name);
        struct stat status;
        if (entry->d_name[0] == '.' ||
            fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        struct str path = arena_printf(search->arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name));
        if (S_ISDIR(status.st_mode) && depth < DEPTH_MAX) {
            search_folder(search, path, depth + 1);
        } else if (S_ISREG(status.st_mode) && str_starts(name, STR("rollout-")) &&
                   str_ends(name, STR(".jsonl"))) {
            add_file(search, path, &status);
        }
    }
    if (directory) {
        closedir(directory);
    }
}

static int by_newest(const void *left, const void *right)
{
    const struct source_file *a = left, *b = right;
    if (a->changed_ms != b->changed_ms) {
        return a->changed_ms > b->changed_ms ? -1 : 1;
    }
    return str_cmp(a->path, b->path);
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
    struct finding finding = classify(street->classifier, arena, &observation);
    record->rule = finding.rule_id.len ? finding.rule_id : (struct str){NULL, 0};
    record->wait_ms = finding.wait_ms;
    /* The client says that it failed, whatever the text shows. */
    return finding.diagnosis->is_healthy ? rules_unknown(street->rules) : finding.diagnosis;
}

static struct str named(struct street *street, struct arena *arena, struct str text)
{
    return memory_name(arena, mask_text(arena, &street->mask, text));
}

static void add_turn(struct street *street, const struct turn *turn, struct imported *imported)
{
    struct arena *arena = street->cli->arena;
    struct record record = record_blank();
    if (turn->end != TURN_ANSWERED && turn->end != TURN_FAILED) {
        return;
    }
    record.uid = named(street, arena, arena_printf(arena, "codex:%.*s", STR_ARG(turn->id)));
    record.run = named(street, arena, turn->session);
    record.source = STR("codex");
    record.client = STR("codex");
    record.client_version = named(street, arena, turn->client_version);
    record.provider = named(street, arena, turn->provider);
    record.model = named(street, arena, turn->model);
    record.at_ms = turn->started_ms + (turn->duration_ms > 0 ? turn->duration_ms : 0);
    record.total_ms = turn->duration_ms;
    record.session_ms = turn->session_ms;
    record.context_tokens = turn->context_tokens;
    record.context_window = turn->context_window;
    record.limit_permille = turn->limit_permille;
    record.diagnosis = judge_turn(street, arena, turn, &record)->id;
    imported_add(arena, imported, &record);
}

static void add_turns(struct street *street, const struct turns *turns, int64_t since_ms,
                      struct imported *imported)
{
    for (size_t i = 0; i < turns->count; i++) {
        if (turns->items[i].started_ms >= since_ms) {
            add_turn(street, &turns->items[i], imported);
        }
    }
}

/* The file as it was when it was read last; another text means that there is news. */
static struct history_mark mark_of(struct arena *arena, const struct source_file *file)
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

static void read_rollout(struct street *street, struct history *history,
                         const struct source_file *file, int64_t since_ms,
                         struct imported *imported)
{
    struct arena *arena = street->cli->arena;
    struct history_mark mark = mark_of(arena, file);
    if (is_known(history, arena, &mark)) {
        return;
    }
    imported->file_count++;
    int fd = open(file->path.ptr, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        imported->unreadable_count++;
        return;
    }
    struct turns turns = {0};
    rollout_read(arena, fd, ROLLOUT_BYTES_MAX, &turns);
    close(fd);
    add_turns(street, &turns, since_ms, imported);
    imported->marks = arena_grow(arena, imported->marks, imported->mark_count,
                                 &imported->mark_capacity, sizeof mark);
    imported->marks[imported->mark_count++] = mark;
}

static void read_database(struct street *street, struct str home, int64_t since_ms,
                          struct imported *imported)
{
    struct arena *arena = street->cli->arena;
    struct str path = find_database(arena, home, STR("thread_history_"));
    struct turns turns = {0};
    if (!str_is_set(path)) {
        return;
    }
    imported->file_count++;
    struct str state = find_database(arena, home, STR("state_"));
    if (codex_turns_read(arena, path, state, since_ms, &turns, NULL)) {
        imported->unreadable_count++;
    }
    add_turns(street, &turns, since_ms, imported);
}

/* Rollouts come first: they know more of a turn, and of two records of one the first is kept. */
static void read_codex(struct street *street, struct history *history, int64_t since_ms,
                       int64_t budget_ms, struct imported *imported)
{
    const struct env *env = street->cli->env;
    int64_t begun_ms = env->monotonic_ms(env->clock);
    struct str home = codex_home(street->cli);
    struct search search = {.arena = street->cli->arena, .since_ms = since_ms};
    if (!str_is_set(home)) {
        return;
    }
    search_folder(&search, arena_printf(search.arena, "%.*s/sessions", STR_ARG(home)), 0);
    search_folder(&search, arena_printf(search.arena, "%.*s/archived_sessions", STR_ARG(home)), 0);
    if (search.count) {
        qsort(search.files, search.count, sizeof *search.files, by_newest);
    }
    for (size_t i = 0; i < search.count; i++) {
        if (budget_ms && env->monotonic_ms(env->clock) - begun_ms > budget_ms) {
            break;
        }
        read_rollout(street, history, &search.files[i], since_ms, imported);
    }
    read_database(street, home, since_ms, imported);
}

const struct importer importer_codex = {.client = "codex", .read = read_codex};
