/* Opening of files of settings. Tells apart why one cannot be read; knows no client. */
#include "config/open.h"

#include "base/file.h"
#include "config/add.h"
#include "config/path.h"

/* Codes of the problems of a file that cannot be read at all; FILE_OK has none. */
static const struct str status_codes[] = {
    [FILE_OK] = {NULL, 0},
    [FILE_MISSING] = STR_INIT("unreadable"),
    [FILE_UNREADABLE] = STR_INIT("unreadable"),
    [FILE_NOT_PLAIN] = STR_INIT("not_plain"),
    [FILE_LOOP] = STR_INIT("link_loop"),
    [FILE_TOO_BIG] = STR_INIT("too_big"),
};

static void refuse_file(struct opening *opening, struct str code, struct str why)
{
    struct config_file *file = &opening->config->files[opening->file_index];
    file->status = CONFIG_BROKEN;
    file->reason = why;
    struct str message =
        arena_printf(opening->arena, "%.*s %.*s", STR_ARG(file->path), STR_ARG(why));
    const struct origin origin = {.kind = ORIGIN_FILE, .name = file->path};
    note_add(opening->arena, opening->problems, origin, code, false, message);
}

bool open_file(struct opening *opening, struct str path, bool is_named, struct source *source)
{
    struct arena *arena = opening->arena;
    int os_errno = 0;
    source->path = mask_text(arena, &source->mask, path_shown(arena, opening->home, path));
    source->file = path;
    add_looked(arena, opening->config, source->path);
    add_file(arena, opening->config, source->path, CONFIG_LOADED);
    opening->file_index = opening->config->file_count - 1;
    enum file_status status =
        file_read(arena, arena_cstr(arena, path), SYNTAX_BYTES_MAX, &source->text, &os_errno);
    if (status == FILE_OK) {
        return true;
    }
    if (status == FILE_MISSING && !is_named) {
        opening->config->files[opening->file_index].status = CONFIG_MISSING;
        return false;
    }
    refuse_file(opening, status_codes[status],
                file_status_text(arena, status, SYNTAX_BYTES_MAX, os_errno));
    return false;
}

/* What is wrong with the text as a whole. */
static struct str reject_text(struct arena *arena, enum syntax_reject reject,
                              const char *format_name)
{
    static const struct str texts[] = {
        [SYNTAX_READ] = STR_INIT("is no valid "),
        [SYNTAX_TOO_BIG] = STR_INIT("is larger than 4096 KiB"),
        [SYNTAX_NOT_UTF8] = STR_INIT("is not UTF-8: save it as UTF-8"),
        [SYNTAX_HAS_NUL] = STR_INIT("has NUL bytes in it: it is no text file, or is UTF-16; save "
                                    "it as UTF-8"),
    };
    return reject == SYNTAX_READ
               ? arena_printf(arena, "%.*s%s", STR_ARG(texts[reject]), format_name)
               : texts[reject];
}

/* An error at the end of a file that ends in a line end is shown on its last line, where something
 * is to be seen. */
static struct pos shown_pos(const struct source *source, struct pos pos)
{
    if (!str_ends(source->text, STR("\n"))) {
        return pos;
    }
    struct pos end = pos_of_offset(source->text, source->text.len);
    if (pos.line < end.line || pos.line == 1) {
        return pos;
    }
    struct pos last = pos_of_offset(source->text, source->text.len - 1);
    return last;
}

bool open_check_syntax(struct opening *opening, const struct source *source,
                       const struct document *document, const char *format_name)
{
    static const struct str codes[] = {
        [SYNTAX_READ] = STR_INIT("syntax"),
        [SYNTAX_TOO_BIG] = STR_INIT("too_big"),
        [SYNTAX_NOT_UTF8] = STR_INIT("not_utf8"),
        [SYNTAX_HAS_NUL] = STR_INIT("has_nul"),
    };
    struct arena *arena = opening->arena;
    const enum syntax_reject reject = document->reject;
    struct config_file *file = &opening->config->files[opening->file_index];
    if (document->error_count == 0 && reject == SYNTAX_READ) {
        return true;
    }
    struct str wrong = reject_text(arena, reject, format_name);
    file->status = CONFIG_BROKEN;
    file->reason = wrong;
    for (size_t i = 0; i < document->error_count; i++) {
        const struct syntax_error *error = &document->errors[i];
        struct pos pos = shown_pos(source, error->pos);
        bool is_moved = pos.line != error->pos.line;
        struct str code = error->is_duplicate_key ? STR("duplicate_key") : codes[reject];
        struct str message =
            reject == SYNTAX_READ
                ? mask_text(arena, &source->mask, error->message)
                : arena_printf(arena, "%.*s %.*s", STR_ARG(file->path), STR_ARG(wrong));
        struct problem *problem =
            note_add(arena, opening->problems, note_origin(source, pos), code, false, message);
        problem->line_text_column = error->line_text_column;
        struct str line = is_moved
                              ? pos_line_text(arena, source->text, pos, &problem->line_text_column)
                              : error->line_text;
        problem->line_text = note_hide(arena, source, line);
    }
    if (document->error_count == 0) {
        refuse_file(opening, codes[reject], wrong);
    }
    return false;
}
