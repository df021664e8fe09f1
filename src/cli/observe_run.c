/* One run of the client against one kind of answer. Takes the plan, starts a recorder, lays out a
 * directory, runs the client under supervision, and takes everything away again. */
#include "cli/observe.h"

#include "base/folder.h"
#include "base/text.h"
#include "cli/progress.h"
#include "cli/say.h"

#include <ctype.h>

#define OUTPUT_BYTES_MAX ((size_t)32 * 1024)
#define TEXT_COLUMNS 400

/* Fit to be shown: without keys and control characters, at most so wide (0 = no limit). */
static struct str observe_shown(const struct observe_run *run, struct arena *arena, struct str text,
                                size_t columns)
{
    struct str masked = mask_text(arena, &run->mask, text);
    for (size_t i = 0; i < run->recording.count; i++) {
        if (str_is_set(run->recording.items[i].key.value)) {
            masked = mask_parts(arena, &run->recording.items[i].key, masked);
        }
    }
    return text_show(arena, masked, columns);
}

const struct recorded *observe_first_try(const struct observe_run *run)
{
    for (size_t i = 0; i < run->recording.count; i++) {
        if (run->recording.items[i].kind == RECORDED_TRY) {
            return &run->recording.items[i];
        }
    }
    return NULL;
}

size_t observe_try_count(const struct observe_run *run)
{
    return run->recording.totals[RECORDED_TRY];
}

/* All keys of the configuration and all that were sent, each once. */
static void hide_keys(const struct observe_plan *plan, struct observe_run *run)
{
    struct arena *arena = plan->street->cli->arena;
    const struct mask *known = &plan->street->mask;
    const struct recording *recording = &run->recording;
    struct secret *secrets =
        ARENA_ARRAY(arena, known->secret_count + recording->count + 1, struct secret);
    size_t count = 0;
    for (size_t i = 0; i < known->secret_count; i++) {
        secrets[count++] = known->secrets[i];
    }
    for (size_t i = 0; i < recording->count; i++) {
        bool is_known = str_is_empty(recording->items[i].key.value);
        for (size_t j = 0; j < count && !is_known; j++) {
            is_known = str_eq(secrets[j].value, recording->items[i].key.value);
        }
        if (!is_known) {
            secrets[count++] = recording->items[i].key;
        }
    }
    run->mask = *known;
    run->mask.secrets = secrets;
    run->mask.secret_count = count;
}

static bool has_letter(struct str line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (isalpha((unsigned char)line.ptr[i]) || (unsigned char)line.ptr[i] >= 0x80) {
            return true;
        }
    }
    return false;
}

/* The last line that says something and is not indented: what stands further in is a trace of
 * calls or a part of some value. */
static struct str last_line(struct str output)
{
    struct str found = {NULL, 0}, line;
    while (str_split(&output, '\n', &line)) {
        bool is_inner = line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t');
        found = !is_inner && has_letter(line) ? line : found;
    }
    return found;
}

static void find_text(const struct observe_plan *plan, struct observe_run *run)
{
    bool is_fine = run->child.exit_code == 0;
    struct str first = last_line(is_fine ? run->child.out : run->child.errors);
    struct str second = last_line(is_fine ? run->child.errors : run->child.out);
    struct str line = str_is_set(first) ? first : second;
    if (str_is_set(line)) {
        run->text = observe_shown(run, plan->street->cli->arena, line, TEXT_COLUMNS);
    }
}

/* What the line of progress is made of. */
struct watch {
    const struct observe_plan *plan;
    const struct observe_run *run;
    struct serve *serve;
    struct progress progress;
};

static void show_progress(void *context, int64_t elapsed_ms)
{
    const struct watch *watch = context;
    struct cli *cli = watch->plan->street->cli;
    if (watch->progress.is_shown) {
        fprintf(cli->streams.errors, "\r\033[K%.*s: %zu %s, %lld / %lld s",
                STR_ARG(watch->run->answer->name), recorder_count(watch->serve, RECORDED_TRY),
                say(cli, "tries", "次尝试"), (long long)(elapsed_ms / 1000),
                (long long)(watch->plan->timeout_ms / 1000));
        fflush(cli->streams.errors);
    }
}

static void run_child(const struct observe_plan *plan, struct interrupt *interrupt,
                      const char *directory, struct str user_home, struct str home,
                      unsigned short port, struct serve *serve, struct observe_run *run)
{
    struct cli *cli = plan->street->cli;
    struct watch watch = {
        .plan = plan, .run = run, .serve = serve, .progress = progress_start(cli)};
    const struct child_spec spec = {
        .path = plan->path,
        .argv = observe_argv(plan, port),
        .variables = observe_variables(plan, port, user_home, home),
        .directory = directory,
        .timeout_ms = plan->timeout_ms,
        .output_bytes_max = OUTPUT_BYTES_MAX,
        .tick = show_progress,
        .context = &watch,
    };
    child_run(cli->arena, cli->env, interrupt, &spec, &run->child);
    progress_end(&watch.progress);
}

enum err_code observe_once(const struct observe_plan *plan, const struct script *script,
                           struct interrupt *interrupt, struct str folder, struct observe_run *run,
                           struct err *err)
{
    struct arena *arena = plan->street->cli->arena;
    struct serve *serve = NULL;
    unsigned short port = 0;
    struct str user_home = {NULL, 0}, home = {NULL, 0};
    struct str work = arena_printf(arena, "%.*s/work", STR_ARG(folder));
    enum err_code code = folder_add(arena, folder, err);
    if (!code && plan->row) {
        code = folder_add(arena, work, err);
        user_home = arena_printf(arena, "%.*s/home", STR_ARG(folder));
        code = code ? code : folder_add(arena, user_home, err);
        home = arena_printf(arena, "%.*s/%.*s", STR_ARG(user_home), STR_ARG(plan->row->home));
        code = code ? code : observe_write_home(plan, home, err);
    }
    if (!code) {
        code = recorder_start(script, run->answer->name, &serve, &port, err);
    }
    if (!code) {
        run_child(plan, interrupt, plan->row ? work.ptr : NULL, user_home, home, port, serve, run);
        recorder_stop(arena, serve, &run->recording);
        hide_keys(plan, run);
        find_text(plan, run);
    }
    folder_remove(arena, folder);
    return code;
}
