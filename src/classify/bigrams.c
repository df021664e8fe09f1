/* Pairs of bytes. Takes a text, gives the set of pairs that it has. */
#include "classify/bigrams.h"

#define SHORT_BYTES_MAX ((size_t)1024) /* more than that has most pairs of a language */

void bigrams_read(struct bigrams *bigrams, struct str text)
{
    memset(bigrams->has, 0, sizeof bigrams->has);
    size_t before = text.len ? bigram_half(text.ptr[0]) : 0;
    for (size_t i = 1; i < text.len; i++) {
        size_t here = bigram_half(text.ptr[i]);
        bigrams->has[before << 6 | here] = true;
        before = here;
    }
}

bool bigrams_find_any(const struct bigrams *bigrams, struct str part, const struct str *phrases,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bigrams_find(bigrams, part, phrases[i]) >= 0) {
            return true;
        }
    }
    return false;
}

static bool is_short(struct str text)
{
    return text.len <= SHORT_BYTES_MAX;
}

void bigrams_begin(struct bigram_lines *lines, struct str text)
{
    lines->text = text;
    lines->rest = text;
    if (is_short(text)) {
        bigrams_read(&lines->bigrams, text);
    }
}

bool bigrams_next_line(struct bigram_lines *lines, struct str *line)
{
    if (!str_split(&lines->rest, '\n', line)) {
        return false;
    }
    if (!is_short(lines->text) && line->len) {
        bigrams_read(&lines->bigrams, *line);
    }
    return true;
}

void bigrams_rewind(struct bigram_lines *lines)
{
    lines->rest = lines->text;
}
