/* Shapes of keys. Takes a shape of providers.toml and a text, gives whether the text is like that.
 * A class takes as many characters as it may: no shape has one behind it that begins with a letter
 * of the class, so nothing is ever tried twice. */
#include "base/shape.h"

#define COUNT_MAX 4096

/* One step of a shape: a letter, or a run of a class. */
struct step {
    char letter; /* 0 = a run */
    char class;
    int64_t least, most;
};

static bool is_in_class(char class, char c)
{
    bool is_digit = c >= '0' && c <= '9', is_small = c >= 'a' && c <= 'z';
    bool is_capital = c >= 'A' && c <= 'Z';
    switch (class) {
    case 'd':
        return is_digit;
    case 'h':
        return is_digit || (c >= 'a' && c <= 'f');
    case 's':
        return is_small;
    case 'l':
        return is_digit || is_small;
    case 'a':
        return is_digit || is_small || is_capital;
    case 'w':
        return is_digit || is_small || is_capital || c == '-' || c == '_';
    case 'b':
        return is_digit || is_small || is_capital || str_is_of(c, "-_+/=");
    default:
        return false;
    }
}

/* As str_to_i64, and faster for what shapes are made of. */
static bool read_count(struct str text, int64_t *count)
{
    int64_t value = 0;
    size_t at = 0;
    while (at < text.len && at < 4 && text.ptr[at] >= '0' && text.ptr[at] <= '9') {
        value = value * 10 + (text.ptr[at++] - '0');
    }
    if (at == 0 || at < text.len) {
        return str_to_i64(text, count);
    }
    *count = value;
    return true;
}

/* "40h", "20-60w", "20+w". */
static bool read_run(struct str text, struct step *step)
{
    if (text.len < 2 || !str_is_of(text.ptr[text.len - 1], "dhslawb")) {
        return false;
    }
    step->letter = '\0';
    step->class = text.ptr[text.len - 1];
    struct str count = str_slice(text, 0, text.len - 1), least = count, rest = count;
    step->most = COUNT_MAX;
    if (str_ends(count, STR("+"))) {
        return read_count(str_slice(count, 0, count.len - 1), &step->least);
    }
    str_split(&rest, '-', &least);
    if (!read_count(least, &step->least)) {
        return false;
    }
    step->most = step->least;
    return !str_is_set(rest) || (read_count(rest, &step->most) && step->most >= step->least);
}

/* Takes the next step off the front of the shape; false when it is written wrong. */
static bool next_step(struct str *shape, struct step *step)
{
    ptrdiff_t end = shape->ptr[0] == '{' ? str_find_char(*shape, '}') : 0;
    if (end < 0) {
        return false;
    }
    *step = (struct step){.letter = shape->ptr[0], .least = 1, .most = 1};
    bool is_right = end == 0 || read_run(str_slice(*shape, 1, (size_t)end), step);
    *shape = str_slice(*shape, (size_t)end + 1, shape->len);
    return is_right && step->least >= 0 && step->most <= COUNT_MAX;
}

bool shape_fits(struct str shape, struct str text)
{
    size_t at = 0;
    while (shape.len) {
        struct step step;
        int64_t count = 0;
        if (!next_step(&shape, &step)) {
            return false;
        }
        while (
            at < text.len && count < step.most &&
            (step.letter ? text.ptr[at] == step.letter : is_in_class(step.class, text.ptr[at]))) {
            at++;
            count++;
        }
        if (count < step.least) {
            return false;
        }
    }
    return at == text.len;
}

void shape_lengths(struct str shape, size_t *least, size_t *most)
{
    *least = *most = 0;
    while (shape.len) {
        struct step step;
        if (!next_step(&shape, &step)) {
            *least = 1;
            *most = 0;
            return;
        }
        *least += (size_t)step.least;
        *most += (size_t)step.most;
    }
}

bool shape_is_valid(struct str shape)
{
    struct step step;
    bool is_valid = shape.len > 0;
    while (is_valid && shape.len) {
        is_valid = next_step(&shape, &step);
    }
    return is_valid;
}

bool shape_is_telling(struct str shape)
{
    while (shape.len) {
        struct step step;
        if (!next_step(&shape, &step)) {
            return false;
        }
        if (step.letter && step.letter != '-') {
            return true;
        }
    }
    return false;
}
