/* Several things in one paste. Takes a text, gives the stretches that stand for themselves:
 *
 *     $ curl -i ...                          |
 *     HTTP/1.1 401 Unauthorized              |  the first
 *                                            |
 *     {"error":{"code":"invalid_api_key"}}   |
 *     $ ollama run x
 *     Error: model requires more memory      |  the second
 */
#include "input/pieces.h"

/* "----", "====", and the same drawn as a line. */
static bool is_ruled(struct str line)
{
    size_t at = 0;
    while (at < line.len) {
        bool is_drawn = str_starts(str_slice(line, at, line.len), STR("\xE2\x94\x80"));
        if (!is_drawn && !str_is_of(line.ptr[at], "-=_*~")) {
            return false;
        }
        at += is_drawn ? 3 : 1;
    }
    return line.len > 2;
}

static bool is_blank(struct str line)
{
    line = str_trim(line);
    return line.len == 0 || str_starts(line, STR("```")) || is_ruled(line);
}

static bool is_status_line(struct str line)
{
    return str_starts(line, STR("HTTP/")) && line.len > 6 && str_is_digit(line.ptr[5]);
}

/* "1. ", "2) ", "12: ". */
static bool is_numbered(struct str line)
{
    size_t at = 0;
    while (at < line.len && at < 2 && str_is_digit(line.ptr[at])) {
        at++;
    }
    return at > 0 && at + 1 < line.len && str_is_of(line.ptr[at], ".):") && line.ptr[at + 1] == ' ';
}

/* "Error 2:", "attempt #3": a word and a number of the thing. */
static bool is_counted(struct str line)
{
    static const struct str words[] = {STR_INIT("error"), STR_INIT("attempt"), STR_INIT("try"),
                                       STR_INIT("case"),  STR_INIT("request"), STR_INIT("错误"),
                                       STR_INIT("报错"),  STR_INIT("第")};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct str rest = str_istarts(line, words[i]) ? str_slice(line, words[i].len, line.len)
                                                      : (struct str){NULL, 0};
        while (rest.len && str_is_of(rest.ptr[0], " #")) {
            rest = str_slice(rest, 1, rest.len);
        }
        bool is_short = rest.len > 1 && str_is_digit(rest.ptr[0]) &&
                        (!str_is_digit(rest.ptr[1]) ||
                         (rest.len > 2 && !str_is_digit(rest.ptr[2]))); /* no status */
        if (is_short) {
            return true;
        }
    }
    return false;
}

/* The line begins a thing of its own. */
static bool is_begin(struct str line, struct str before)
{
    static const struct str prompts[] = {
        STR_INIT("$ "),           STR_INIT("% "), STR_INIT("PS C:\\"), STR_INIT("\xE2\x9D\xAF "),
        STR_INIT("> "),           STR_INIT("- "), STR_INIT("* "),      STR_INIT("\xE2\x80\xA2 "),
        STR_INIT("\xE2\x96\xA0 ")};
    bool follows_object = line.len && line.ptr[0] == '{' && str_ends(str_trim(before), STR("}"));
    return STARTS_ANY(line, prompts) || is_status_line(line) || is_numbered(line) ||
           is_counted(line) || follows_object;
}

/* The line goes on with what stands above it, be there a blank line between them. */
static bool is_sequel(struct str line, struct str before)
{
    static const struct str links[] = {
        STR_INIT("the above exception"),
        STR_INIT("during handling of"),
        STR_INIT("root cause"),
        STR_INIT("cause"),
        STR_INIT("upstream error"),
        STR_INIT("original error"),
        STR_INIT("inner exception"),
        STR_INIT("error output"),
        STR_INIT("detail"),
        STR_INIT("response"),
        STR_INIT("message"),
        STR_INIT("body"),
        STR_INIT("note"),
        STR_INIT("hint"),
        STR_INIT("tip"),
        STR_INIT("please"),
        STR_INIT("see "),
        STR_INIT("request id"),
        STR_INIT("stack"),
        STR_INIT("原因"),
        STR_INIT("详细"),
        STR_INIT("提示"),
        STR_INIT("请"),
    };
    struct str above = str_trim(before), here = line;
    while (above.len && str_is_of(above.ptr[above.len - 1], "*_`")) {
        above = str_trim(str_slice(above, 0, above.len - 1));
    }
    while (here.len && str_is_of(here.ptr[0], "*_#> ")) {
        here = str_slice(here, 1, here.len);
    }
    bool is_indented = line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t');
    return ISTARTS_ANY(here, links) || is_indented || str_ends(above, STR(":")) ||
           str_ends(above, STR("\xEF\xBC\x9A")) || str_ends(above, STR(","));
}

/* A paste while it is cut. */
struct cutting {
    struct piece *items;
    size_t count;
    bool is_open;  /* the last piece goes on */
    bool has_head; /* that is an answer whose head has not ended */
};

static void take_line(struct cutting *cutting, struct str line, struct str before, unsigned number)
{
    struct piece *last = cutting->count ? &cutting->items[cutting->count - 1] : NULL;
    bool is_new =
        last == NULL || is_begin(line, before) || (!cutting->is_open && !is_sequel(line, before));
    if (is_new) {
        last = &cutting->items[cutting->count++];
        *last = (struct piece){.text = line, .line = number};
        cutting->has_head = is_status_line(line);
    }
    last->text.len = (size_t)(line.ptr + line.len - last->text.ptr);
    last->line_to = number;
    cutting->is_open = true;
}

const struct piece *input_pieces(struct arena *arena, struct str text, size_t *count)
{
    struct cutting cutting = {.items = ARENA_ARRAY(arena, PIECES_MAX + 1, struct piece)};
    struct str rest = text, line, before = {NULL, 0};
    for (unsigned number = 1; str_split(&rest, '\n', &line); number++) {
        if (!is_blank(line)) {
            take_line(&cutting, line, before, number);
            before = line;
        } else if (cutting.has_head) {
            cutting.has_head = false; /* the body comes */
        } else {
            cutting.is_open = false;
        }
        if (cutting.count > PIECES_MAX) {
            *count = 0;
            return NULL;
        }
    }
    *count = cutting.count;
    return cutting.items;
}
