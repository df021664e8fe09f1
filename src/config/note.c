/* Making of problems. Takes places and sentences, gives struct problem with origin and line; hides
 * what may be a secret. A line of a file is shown only when its key is known to hold no secret:
 * headers take any secret of any shape. */
#include "config/note.h"

#include "base/buf.h"
#include "base/text.h"

#define SHOWN_COLUMNS 80

struct mask note_mask(const struct rules *rules)
{
    struct mask mask = {0};
    mask.key_prefixes = rules_key_prefixes(rules, &mask.prefix_count);
    mask.key_shapes = rules_key_shapes(rules, &mask.shape_count);
    return mask;
}

struct origin note_origin(const struct source *source, struct pos pos)
{
    if (source->kind != ORIGIN_NONE) {
        return (struct origin){.kind = source->kind, .name = source->path};
    }
    return (struct origin){
        .kind = ORIGIN_FILE, .name = source->path, .line = pos.line, .column = pos.column};
}

static bool is_word_char(char c)
{
    return str_is_alnum(c) || c == '_' || c == '-';
}

/* The first word of a line is a key that holds no secret, or the line is a table's header. */
static bool is_plain_line(const struct source *source, struct str line)
{
    struct str rest = str_trim(line);
    if (str_find_char(line, '@') >= 0) {
        return false; /* perhaps user:password@ */
    }
    if (str_starts(rest, STR("[")) || str_starts(rest, STR("#"))) {
        return true;
    }
    if (str_starts(rest, STR("\""))) {
        rest = str_slice(rest, 1, rest.len);
    }
    size_t end = 0;
    while (end < rest.len && is_word_char(rest.ptr[end])) {
        end++;
    }
    for (size_t i = 0; i < source->plain_key_count; i++) {
        if (str_eq(str_slice(rest, 0, end), source->plain_keys[i])) {
            return true;
        }
    }
    return false;
}

struct str note_hide(struct arena *arena, const struct source *source, struct str line)
{
    if (is_plain_line(source, line)) {
        return mask_text(arena, &source->mask, line);
    }
    /* Character by character, so that a caret below still points to the right one. */
    ptrdiff_t equals = str_find_char(line, '=');
    size_t from = equals < 0 ? 0 : (size_t)equals + 1;
    struct str front = mask_text(arena, &source->mask, str_slice(line, 0, from));
    struct buf hidden = buf_create(front.len + line.len);
    buf_add(&hidden, front);
    for (size_t at = from; at < line.len;) {
        uint32_t code_point;
        size_t length = utf8_decode(line, at, &code_point);
        bool is_shown = length == 1 && code_point < 0x80 && !is_word_char(line.ptr[at]);
        buf_add_char(&hidden, is_shown ? line.ptr[at] : '*');
        at += length ? length : 1;
    }
    struct str result = arena_dup(arena, buf_str(&hidden));
    buf_free(&hidden);
    return result;
}

void note_line(struct arena *arena, struct source *source, struct pos pos, struct problem *problem)
{
    if (!str_is_set(source->text) || pos.line == 0 || source->lines_left == 0) {
        return;
    }
    source->lines_left--;
    struct str line = pos_line_text(arena, source->text, pos, &problem->line_text_column);
    problem->line_text = note_hide(arena, source, line);
}

struct str note_quote(struct arena *arena, const struct mask *mask, struct str text)
{
    struct str shown = text_show(arena, mask_text(arena, mask, text), SHOWN_COLUMNS);
    return arena_printf(arena, "\"%.*s\"", STR_ARG(shown));
}

struct problem *note_add(struct arena *arena, struct problems *problems, struct origin origin,
                         struct str code, bool is_warning, struct str message)
{
    if (problems->count >= PROBLEMS_MAX) {
        return ARENA_NEW(arena, struct problem);
    }
    return problems_add(
        arena, problems,
        (struct problem){
            .code = code, .origin = origin, .message = message, .is_warning = is_warning});
}

struct problem *note_at(struct arena *arena, struct problems *problems, struct source *source,
                        struct pos pos, struct str code, bool is_warning, struct str message)
{
    struct problem *problem =
        note_add(arena, problems, note_origin(source, pos), code, is_warning, message);
    note_line(arena, source, pos, problem);
    return problem;
}
