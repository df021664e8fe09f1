/* Lines that a log wrote as one. Takes an entry that calls nothing wrong, puts the lines of its
 * message apart, and blanks what of them only speaks of errors:
 *
 *     10:00:00 INFO ## Errors\n\n- `rate_limit_error`: slow down\n
 *     becomes         ## Errors
 *
 *                     - `rate_limit_error`: slow down
 */
#include "classify/mention.h"
#include "input/log_observe.h"
#include "input/log_time.h"

#include <string.h>

/* A text without escapes, and of each of its bytes where it stands in the one with them; one more
 * at the end. */
struct unescaped {
    struct str text;
    size_t *from;
};

static struct unescaped unescape(struct arena *arena, struct str text)
{
    static const char letters[] = "nrt\"\\", bytes[] = "\n\r\t\"\\";
    char *out = arena_alloc(arena, text.len + 1);
    struct unescaped made = {.from = ARENA_ARRAY(arena, text.len + 1, size_t)};
    size_t count = 0;
    for (size_t at = 0; at < text.len; at++) {
        char next = at + 1 < text.len ? text.ptr[at + 1] : '\0';
        const char *letter = text.ptr[at] == '\\' && next ? strchr(letters, next) : NULL;
        made.from[count] = at;
        out[count++] = letter ? bytes[letter - letters] : text.ptr[at];
        at += letter != NULL;
    }
    made.from[count] = text.len;
    made.text = (struct str){out, count};
    return made;
}

/* The message of a line whose log says that nothing is wrong; unset where it does not. */
static struct str ordinary_message(struct str line)
{
    struct log_front front = log_front_read(line, 0);
    return front.is_stamped && front.is_ordinary ? log_message(line, &front)
                                                 : (struct str){NULL, 0};
}

void mention_blank_escaped(struct arena *arena, char *bytes, struct str text)
{
    struct str line = str_trim(text);
    if (str_find(line, STR("\\n")) < 0 || str_find_char(line, '\n') >= 0) {
        return;
    }
    struct str message = ordinary_message(line);
    if (!str_is_set(message)) {
        return;
    }
    struct unescaped whole = unescape(arena, message);
    struct bigram_lines lines;
    bigrams_begin(&lines, whole.text);
    struct str rest = mention_remove(arena, &lines);
    char *begin = bytes + (message.ptr - text.ptr);
    for (size_t i = 0; i < rest.len; i++) {
        if (rest.ptr[i] != whole.text.ptr[i]) {
            memset(begin + whole.from[i], ' ', whole.from[i + 1] - whole.from[i]);
        }
    }
}
