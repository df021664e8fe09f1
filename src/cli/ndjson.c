/* The line mode of diagnose classify: one JSON object a line in, one out, in order. Memory is
 * bounded by one line; answers are written whenever no further whole line has been read yet, so a
 * person or a worker who sends one line gets its answer before sending the next. */
#include "cli/ndjson.h"

#include "base/file.h"
#include "cli/json.h"
#include "cli/say.h"
#include "cli/source.h"
#include "input/input.h"

#define BLOCK_BYTES ((size_t)64 * 1024)
#define OUT_BYTES_MAX ((size_t)64 * 1024) /* written out when more has gathered */

struct stream {
    struct street *street;
    struct arena *arena; /* of one line */
    struct buf line;     /* the part of a line that was read so far */
    bool is_overlong;    /* the line under way is over the limit and is being skipped */
    struct err *err;
};

/* Begins the object that answers a line. */
static struct json_writer open_answer(struct cli *cli, struct str id)
{
    struct json_writer writer = {.out = &cli->out, .is_line = true};
    json_write_open(&writer, NULL, '{');
    /* Raw, since a number would lose digits of a long one. */
    json_write_raw(&writer, "id", str_is_empty(id) ? STR("null") : id);
    return writer;
}

static void close_answer(struct cli *cli, struct json_writer *writer)
{
    json_write_close(writer, '}');
    buf_add_char(&cli->out, '\n');
}

static void add_error(struct stream *stream, struct str id, struct str message)
{
    struct cli *cli = stream->street->cli;
    struct json_writer writer = open_answer(cli, id);
    json_write_shown(&writer, stream->arena, "error", message);
    close_answer(cli, &writer);
}

static void add_answer(struct stream *stream, struct str id, const struct finding *finding)
{
    struct cli *cli = stream->street->cli;
    struct json_writer writer = open_answer(cli, id);
    report_write_judgement(&writer, finding);
    if (cli->options.is_explaining) {
        const struct mask *mask = &stream->street->mask; /* a user's rule may hold a key */
        json_write_shown(&writer, stream->arena, "reason",
                         mask_text(stream->arena, mask, finding->reason));
        json_write_shown(&writer, stream->arena, "runner_up",
                         finding->runner_up ? finding->runner_up->id : (struct str){NULL, 0});
    }
    close_answer(cli, &writer);
}

static void judge_line(struct stream *stream, struct str line)
{
    struct street *street = stream->street;
    struct str id = {NULL, 0}, error = {NULL, 0};
    struct observation observation = {0};
    struct arena *arena = stream->arena;
    if (stream->is_overlong) {
        add_error(stream, id, STR("the line is over 1 MiB"));
        stream->is_overlong = false;
    } else if (input_ndjson(arena, &street->mask, line, &observation, &id, &error)) {
        street_stamp(street, &observation);
        bool asks_second = street->cli->options.is_explaining;
        struct finding finding =
            (asks_second ? classify : classify_briefly)(street->classifier, arena, &observation);
        add_answer(stream, id, &finding);
    } else {
        add_error(stream, id, error);
    }
    arena_reset(arena);
}

/* Takes what one read gave; a line that ends in it is judged. */
static enum err_code take_block(struct stream *stream, struct str block)
{
    struct cli *cli = stream->street->cli;
    ptrdiff_t end;
    while ((end = str_find_char(block, '\n')) >= 0) {
        struct str part = str_slice(block, 0, (size_t)end);
        block = str_slice(block, (size_t)end + 1, block.len);
        stream->is_overlong = stream->is_overlong || stream->line.len + part.len > INPUT_BYTES_MAX;
        if (stream->line.len == 0) {
            judge_line(stream, part);
        } else {
            buf_add(&stream->line, part);
            judge_line(stream, buf_str(&stream->line));
        }
        buf_free(&stream->line);
        if (cli->out.len > OUT_BYTES_MAX && cli_flush(cli, stream->err)) {
            return ERR_FILE;
        }
    }
    if (stream->line.len + block.len > INPUT_BYTES_MAX) {
        stream->is_overlong = true;
        buf_free(&stream->line);
    }
    if (!stream->is_overlong) {
        buf_add(&stream->line, block);
    }
    return cli_flush(cli, stream->err);
}

static enum err_code judge_stream(struct stream *stream, const struct source *source)
{
    char *block = arena_alloc(stream->street->cli->arena, BLOCK_BYTES);
    ssize_t got;
    bool has_text = false;
    enum err_code code = ERR_OK;
    while (!code && (got = file_read_some(source->fd, block, BLOCK_BYTES)) != 0) {
        has_text = true;
        if (got > 0) {
            code = take_block(stream, (struct str){block, (size_t)got});
        } else {
            code = source_refuse(source, stream->err);
        }
    }
    if (!has_text) { /* lines of blanks are answered one by one */
        source_say_blank(stream->street->cli, source);
    }
    if (!code && (stream->line.len || stream->is_overlong)) { /* a last line without its end */
        judge_line(stream, buf_str(&stream->line));
        code = cli_flush(stream->street->cli, stream->err);
    }
    buf_free(&stream->line);
    return code;
}

int ndjson_run(struct street *street, const struct str *names, size_t count)
{
    struct cli *cli = street->cli;
    struct err err = {0};
    enum err_code code = ERR_OK;
    if (str_is_set(cli->options.output) || cli->options.outputs.count) {
        code = err_set(&err, ERR_USAGE,
                       "--ndjson writes as it reads, so it goes to standard output; --output "
                       "and --format FORMAT:FILE write whole files only");
    }
    for (size_t i = 0; !code && i < count; i++) {
        struct source source;
        if ((code = source_open(cli, names[i], &source, &err))) {
            break;
        }
        struct stream stream = {.street = street,
                                .arena = arena_create(),
                                .line = buf_create(INPUT_BYTES_MAX),
                                .err = &err};
        code = judge_stream(&stream, &source);
        arena_free(stream.arena);
        source_close(&source);
    }
    cli->is_json = false; /* the stream is JSON lines; an error object would not be one of them */
    return code ? say_error(cli, &err) : EXIT_FINE;
}
