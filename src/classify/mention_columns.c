/* Tables without a frame, as pages of documentation become when they are copied: "429 | 64429 | too
 * many | wait". Takes a text, says whether it is nothing but rows. Loggers part their columns in
 * the same way; theirs have a time or a level. */
#include "classify/mention.h"

#include "input/log_level.h"

#define ROWS_MIN 3
#define CELLS_MIN 3

static bool is_level(struct str cell)
{
    const struct log_level *level = log_level_at(cell, true);
    return level && level->name.len == cell.len;
}

/* "10:02:33", "2026-11-30": digits with the signs of a moment between them, and nothing else. */
static bool is_moment(struct str cell)
{
    size_t signs = 0;
    for (size_t i = 0; i < cell.len; i++) {
        signs += str_is_of(cell.ptr[i], ":-");
        if (!str_is_of(cell.ptr[i], "0123456789:-./, TZ+")) {
            return false;
        }
    }
    return signs > 1;
}

/* How many cells the line has; 0 where it is no row of a table. */
static size_t count_cells(struct str line)
{
    size_t cells = 0;
    for (struct str rest = line; rest.len; cells++) {
        ptrdiff_t end = str_find(rest, STR("|"));
        struct str cell = str_trim(str_slice(rest, 0, end < 0 ? rest.len : (size_t)end));
        if (is_level(cell) || is_moment(cell) || cell.len == 0) {
            return 0;
        }
        rest = str_slice(rest, end < 0 ? rest.len : (size_t)end + 1, rest.len);
    }
    return cells;
}

bool mention_is_columns(struct str text)
{
    size_t rows = 0, width = 0;
    for (struct str rest = text, line; str_split(&rest, '\n', &line);) {
        struct str inner = str_trim(line);
        size_t cells = inner.len ? count_cells(inner) : width;
        width = width ? width : cells;
        if (cells < CELLS_MIN || cells != width) {
            return false;
        }
        rows += inner.len > 0;
    }
    return rows >= ROWS_MIN;
}
