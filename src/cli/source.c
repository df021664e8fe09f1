/* Operands that hold evidence. Takes their names, gives descriptors and the first bytes. */
#include "cli/source.h"

#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum err_code source_refuse(const struct source *source, struct err *err)
{
    if (errno == EISDIR) {
        return err_set(err, ERR_FILE, "%.*s is a directory or device, not a file",
                       STR_ARG(source->shown));
    }
    return err_set(err, ERR_FILE, "%.*s cannot be read: %s", STR_ARG(source->shown),
                   strerror(errno));
}

enum err_code source_open(struct cli *cli, struct str name, struct source *source, struct err *err)
{
    bool is_stdin = str_eq(name, STR("-"));
    *source = (struct source){
        .name = name, .shown = is_stdin ? STR("standard input") : name, .is_stdin = is_stdin};
    source->fd = is_stdin ? cli->streams.in
                          : open(arena_cstr(cli->arena, name), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (source->fd < 0) {
        return source_refuse(source, err);
    }
    if (is_stdin && isatty(source->fd)) {
        say_remark(cli, "diagnose: reading from the terminal; Ctrl-D on an empty line ends it");
    }
    return ERR_OK;
}

void source_close(const struct source *source)
{
    if (!source->is_stdin && source->fd >= 0) {
        close(source->fd);
    }
}

void source_say_blank(struct cli *cli, const struct source *source)
{
    say_remark(cli, "diagnose: %.*s is empty: there is nothing to judge in it",
               STR_ARG(source->shown));
}

enum err_code source_read(struct cli *cli, struct source *source, size_t bytes, struct err *err)
{
    char *text = arena_alloc(cli->arena, bytes + UTF16_ROOM_MIN + 1);
    size_t have = source->text.len;
    if (have) {
        memcpy(text, source->text.ptr, have);
    }
    while (have < bytes && !source->is_whole) {
        ssize_t got =
            utf16_read(&source->utf16, source->fd, text + have, bytes - have + UTF16_ROOM_MIN);
        if (got < 0) {
            return source_refuse(source, err);
        }
        source->is_whole = got == 0;
        have += (size_t)got;
    }
    source->text = (struct str){text, have};
    return ERR_OK;
}
