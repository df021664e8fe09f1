/* Running Codexes that were started before the settings in force were last changed: they read them
 * once. Takes the files in force and /proc, gives problems. auth.json is left out, since Codex
 * itself writes it and reads it anew. */
#include "config/codex.h"

#include "base/process.h"
#include "config/path.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#define PROCESSES_NAMED_MAX 5

static struct str real_path(struct arena *arena, struct str path)
{
    char *real = realpath(arena_cstr(arena, path), NULL);
    struct str copy = real ? arena_dup(arena, str_from(real)) : path;
    free(real);
    return copy;
}

/* The process has this CODEX_HOME. */
static bool is_at_home(const struct codex *codex, const struct process *process)
{
    struct arena *arena = codex->arena;
    struct str directory = codex->request->process_directory;
    struct str home = process_variable(arena, directory, process->pid, STR("CODEX_HOME"));
    if (str_is_empty(home)) {
        struct str users = process_variable(arena, directory, process->pid, STR("HOME"));
        home = arena_printf(arena, "%.*s/.codex", STR_ARG(users));
    }
    return str_eq(real_path(arena, home), real_path(arena, codex->home));
}

/* A project's file counts for those that work below it. */
static bool reads_layer(const struct codex *codex, const struct process *process,
                        const struct layer *layer)
{
    struct str project = layer->project;
    if (!str_is_set(project)) {
        return true;
    }
    struct str place =
        process_directory(codex->arena, codex->request->process_directory, process->pid);
    return str_eq(place, project) ||
           (str_starts(place, project) && place.len > project.len && place.ptr[project.len] == '/');
}

static int64_t changed_ms(const struct codex *codex, struct str path)
{
    struct stat status;
    if (!str_is_set(path) || stat(arena_cstr(codex->arena, path), &status) != 0) {
        return -1;
    }
    return (int64_t)status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1000000;
}

static struct str time_text(struct arena *arena, int64_t wall_ms)
{
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm parts;
    char text[40];
    bool is_written = gmtime_r(&seconds, &parts) &&
                      strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts) > 0;
    return is_written ? arena_dup(arena, str_from(text)) : STR("an unknown time");
}

static void note_stale(struct codex *codex, const struct process *process,
                       const struct source *source, int64_t change_ms)
{
    struct origin origin = {.kind = ORIGIN_FILE, .name = source->path};
    struct str started = time_text(codex->arena, process->started_ms);
    struct str changed = time_text(codex->arena, change_ms);
    struct problem *problem = note_add(
        codex->arena, &codex->config->problems, origin, STR("stale_process"), true,
        arena_printf(codex->arena,
                     "Codex, process %lld, was started at %.*s, before %.*s was changed at "
                     "%.*s: it has the old settings",
                     (long long)process->pid, STR_ARG(started), STR_ARG(source->path),
                     STR_ARG(changed)));
    problem->suggestion = STR("Restart it");
    problem->suggestion_kind = SUGGESTION_STEP;
}

/* The file in force that was changed last of those that the process reads. */
static void check_process(struct codex *codex, const struct codex_view *view,
                          const struct process *process)
{
    const struct source *newest = NULL;
    int64_t newest_ms = process->started_ms + process->slack_ms;
    for (size_t i = 0; i < view->stack.count; i++) {
        const struct layer *layer = view->stack.layers[i];
        int64_t layer_ms = changed_ms(codex, layer->source.file);
        if (layer_ms > newest_ms && reads_layer(codex, process, layer)) {
            newest = &layer->source;
            newest_ms = layer_ms;
        }
    }
    int64_t dotenv_ms = changed_ms(codex, codex->overlay.source.file);
    if (dotenv_ms > newest_ms) {
        newest = &codex->overlay.source;
        newest_ms = dotenv_ms;
    }
    if (newest) {
        note_stale(codex, process, newest, newest_ms);
    }
}

void codex_check_running(struct codex *codex, const struct codex_view *view)
{
    struct process *processes;
    if (!str_is_set(codex->request->process_directory)) {
        return;
    }
    size_t count = process_find(codex->arena, codex->request->process_directory,
                                codex->client->programs, codex->client->program_count,
                                codex->env->wall_ms(codex->env->clock), &processes);
    for (size_t i = 0, named = 0; i < count && named < PROCESSES_NAMED_MAX; i++) {
        if (is_at_home(codex, &processes[i])) {
            check_process(codex, view, &processes[i]);
            named++;
        }
    }
}
