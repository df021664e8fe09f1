/* The progress line. Writes over itself and leaves nothing behind. */
#include "cli/progress.h"

#include "base/text.h"

#include <unistd.h>

#define NAME_COLUMNS 40

struct progress progress_start(struct cli *cli)
{
    int fd = fileno(cli->streams.errors);
    return (struct progress){
        .cli = cli,
        .is_shown = !cli->options.is_quiet && fd >= 0 && isatty(fd) &&
                    !str_eq(env_get(cli->env, "TERM"), STR("dumb")),
    };
}

void progress_show(void *context, size_t done, size_t total, const struct observation *observation)
{
    const struct progress *progress = context;
    if (!progress->is_shown) {
        return;
    }
    struct str name = observation && observation->target ? observation->target->name : STR("");
    fprintf(progress->cli->streams.errors, "\r\033[K%zu/%zu  %.*s", done, total,
            STR_ARG(text_show(progress->cli->arena, name, NAME_COLUMNS)));
    fflush(progress->cli->streams.errors);
}

void progress_end(struct progress *progress)
{
    if (progress->is_shown) {
        fputs("\r\033[K", progress->cli->streams.errors);
        fflush(progress->cli->streams.errors);
    }
}
