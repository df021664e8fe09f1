/* Where results go: one to standard output or --output, any number to files of their own. Takes
 * what a command gathered in cli->out, once for each form that was asked for; nothing is written
 * before the command is done, but for streams. */
#include "cli/deliver.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>

#define PART_BYTES ((size_t)256 * 1024)

void deliver_set_format(struct cli *cli, struct str format)
{
    cli->options.format = format;
    cli->is_json = str_eq(format, STR("json"));
    cli->is_human = str_eq(format, STR("human"));
}

void deliver_later(struct cli *cli, struct str path, struct buf content, bool is_appended)
{
    cli->written = arena_grow(cli->arena, cli->written, cli->written_count, &cli->written_capacity,
                              sizeof *cli->written);
    cli->written[cli->written_count++] = (struct written){path, content, is_appended};
}

enum err_code deliver_check(struct cli *cli, struct err *err)
{
    const struct options *options = &cli->options;
    enum err_code code = ERR_OK;
    if (str_is_set(options->output)) {
        code = file_try_write(arena_cstr(cli->arena, options->output), err);
    }
    for (size_t i = 0; !code && i < options->outputs.count; i++) {
        code = file_try_write(arena_cstr(cli->arena, options->outputs.items[i].path), err);
    }
    return code;
}

bool deliver_is_on_stdout(const struct cli *cli)
{
    return !cli->is_aside && !str_is_set(cli->options.output);
}

int deliver_all(struct cli *cli, int (*show)(void *context), void *context)
{
    struct str format = cli->options.format;
    struct report_style style = cli->style;
    const struct outputs *outputs = &cli->options.outputs;
    int exit_code = show(context);
    struct buf first = cli->out;
    cli->is_aside = true;
    for (size_t i = 0; i < outputs->count; i++) {
        cli->out = buf_create(REPORT_BYTES_MAX);
        cli->style = style;
        cli->style.has_color = str_eq(cli->options.color, STR("always"));
        deliver_set_format(cli, outputs->items[i].format);
        show(context);
        deliver_later(cli, outputs->items[i].path, cli->out, false);
    }
    cli->is_aside = false;
    cli->out = first;
    cli->style = style;
    deliver_set_format(cli, format);
    return exit_code;
}

/* What has gathered, to standard output; what comes behind a failure is dropped. */
static void write_out(struct cli *cli)
{
    FILE *out = cli->streams.out;
    size_t length = cli->out.len;
    bool is_written = length == 0 || fwrite(cli->out.ptr, 1, length, out) == length;
    is_written = fflush(out) == 0 && is_written;
    cli->out_errno = is_written || cli->out_errno ? cli->out_errno : errno;
    buf_free(&cli->out);
    if (cli->out_errno == EPIPE && cli->streams.unread) {
        cli->streams.unread();
    }
}

enum err_code cli_flush(struct cli *cli, struct err *err)
{
    write_out(cli);
    if (cli->out_errno == 0 || cli->is_loss_given) {
        return ERR_OK;
    }
    cli->is_loss_given = true;
    return err_set(err, ERR_FILE, "cannot write to standard output: %s", strerror(cli->out_errno));
}

void deliver_part(struct cli *cli)
{
    if (cli->out.len > PART_BYTES && deliver_is_on_stdout(cli)) {
        write_out(cli);
    }
}

static enum err_code refuse_size(struct err *err)
{
    return err_set(err, ERR_FILE, "the result is over %zu MiB and was not written",
                   REPORT_BYTES_MAX >> 20);
}

static enum err_code write_result(struct cli *cli, struct err *err)
{
    if (cli->out.is_full) {
        return refuse_size(err);
    }
    if (str_is_set(cli->options.output) && cli->out.len) {
        return file_write_whole(arena_cstr(cli->arena, cli->options.output), buf_str(&cli->out),
                                err);
    }
    return cli_flush(cli, err);
}

static enum err_code write_one(struct cli *cli, const struct written *written, struct err *err)
{
    const char *path = arena_cstr(cli->arena, written->path);
    if (written->content.is_full) {
        return refuse_size(err);
    }
    return written->is_appended ? file_append(path, buf_str(&written->content), err)
                                : file_write_whole(path, buf_str(&written->content), err);
}

enum err_code deliver(struct cli *cli, struct err *err)
{
    enum err_code code = ERR_OK;
    for (size_t i = 0; i < cli->written_count; i++) {
        enum err_code its = write_one(cli, &cli->written[i], code ? NULL : err);
        code = code ? code : its;
    }
    enum err_code last = write_result(cli, code ? NULL : err); /* which may end the run */
    return code ? code : last;
}

void deliver_free(struct cli *cli)
{
    for (size_t i = 0; i < cli->written_count; i++) {
        buf_free(&cli->written[i].content);
    }
    buf_free(&cli->out);
}
