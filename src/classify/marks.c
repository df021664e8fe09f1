/* Marks of machines in logs. Takes marks.def once, spells each lead out with what may follow it, so
 * that a literal filter can look for it; then takes texts, says whether one holds a mark.
 *
 *     LEAD(STATUS, "http ")  ->  "http 400", "http 401" ... "http 599"
 *     LEAD(CODE, "\"code\":")  ->  "\"code\":\"", "\"code\": ", "\"code\":1" ...
 */
#include "classify/marks.h"

#include "classify/lift.h"

#include <string.h>

#define BUCKET_BITS 14
#define VALUE_BYTES_MAX 512 /* of what stands behind a mark on its line: an address, columns */
#define COLUMNS_MAX 4       /* of a server's log in which a status may stand */
#define BUCKETS ((size_t)1 << BUCKET_BITS)

enum check {
    CHECK_PLAIN,
    CHECK_VALUE,
    CHECK_CODE,
    CHECK_STATUS,
    CHECK_CURL,
    CHECK_COLUMN,
    CHECK_TIMERS,
    CHECK_ADDRESS
};

struct lead {
    struct str text;
    enum check check;
};

struct marks {
    struct arena *arena;
    struct mark *items;
    size_t count, capacity;
    const size_t *next;      /* by item: 1 + the next one of its bucket, 0 none */
    uint16_t first[BUCKETS]; /* by hash of the first eight bytes: 1 + item, 0 none */
};

static const struct lead leads[] = {
#define LEAD(check, text) {STR_INIT(text), CHECK_##check},
#include "classify/marks.def"
#undef LEAD
};

/* Hash of eight bytes, the case of ASCII ignored. */
static size_t bucket_of(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    word |= UINT64_C(0x2020202020202020);
    return (size_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> (64 - BUCKET_BITS));
}

/* Adds a literal, or all that continue it by one byte more where it is too short. */
static void add(struct marks *marks, const struct lead *lead, struct str literal)
{
    static const char values[] = "\" \\'123456789-_abcdefghijklmnopqrstuvwxyz[{";
    const char *signs = lead->check == CHECK_STATUS
                            ? (literal.len == lead->text.len ? "45" : "0123456789")
                        : lead->check == CHECK_CURL ? "123456789"
                                                    : values;
    bool needs_digit = lead->check == CHECK_STATUS && literal.len == lead->text.len;
    if (literal.len < MARK_BYTES_MIN || needs_digit) {
        for (; *signs; signs++) {
            add(marks, lead, arena_printf(marks->arena, "%.*s%c", STR_ARG(literal), *signs));
        }
        return;
    }
    marks->items = arena_grow(marks->arena, marks->items, marks->count, &marks->capacity,
                              sizeof *marks->items);
    marks->items[marks->count++] = (struct mark){.literal = literal,
                                                 .check = (unsigned char)lead->check,
                                                 .value_at = (unsigned char)lead->text.len};
}

const struct marks *marks_create(struct arena *arena)
{
    struct marks *marks = ARENA_NEW(arena, struct marks);
    marks->arena = arena;
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        add(marks, &leads[i], leads[i].text);
    }
    size_t *next = ARENA_ARRAY(arena, marks->count + 1, size_t);
    for (size_t i = 0; i < marks->count; i++) {
        size_t bucket = bucket_of(marks->items[i].literal.ptr);
        next[i] = marks->first[bucket];
        marks->first[bucket] = (uint16_t)(i + 1);
    }
    marks->next = next;
    return marks;
}

size_t marks_count(const struct marks *marks)
{
    return marks->count;
}

const struct mark *marks_at(const struct marks *marks, size_t index)
{
    return &marks->items[index];
}

/* 4xx or 5xx standing alone. */
static bool is_failing_status(struct str value)
{
    char behind = value.len > 3 ? value.ptr[3] : ' ';
    bool is_word = str_is_word(behind) || behind == '.';
    return value.len >= 3 && (value.ptr[0] == '4' || value.ptr[0] == '5') &&
           str_is_digit(value.ptr[1]) && str_is_digit(value.ptr[2]) &&
           (!is_word || (behind == '.' && (value.len == 4 || !str_is_digit(value.ptr[4]))));
}

static bool begins_with_any(struct str value, const struct str *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char behind = value.len > words[i].len ? value.ptr[words[i].len] : ' ';
        bool is_word = str_is_word(behind);
        if (str_istarts(value, words[i]) && !is_word) {
            return true;
        }
    }
    return false;
}

static struct str without_backslashes(struct str s)
{
    while (s.len && s.ptr[0] == '\\') {
        s = str_slice(s, 1, s.len);
    }
    return s;
}

/* A value that says that something is wrong, or might: not null, not empty, not a success. */
static bool is_telling(struct str value, bool is_code)
{
    static const struct str nothings[] = {
        STR_INIT("null"),  STR_INIT("none"), STR_INIT("nil"), STR_INIT("undefined"),
        STR_INIT("false"), STR_INIT("0"),    STR_INIT("ok"),  STR_INIT("success")};
    value = str_slice(value, str_starts(value, STR(" ")), value.len);
    struct str bare = without_backslashes(value);
    char first = bare.len ? bare.ptr[0] : '\0';
    if (first == '{' || first == '[') {
        struct str inside = str_trim(str_slice(bare, 1, bare.len));
        return inside.len == 0 || inside.ptr[0] != (first == '{' ? '}' : ']');
    }
    if (first == '"' || first == '\'') {
        bool is_escaped = bare.len < value.len;
        bare = str_slice(bare, 1, bare.len);
        struct str end = is_escaped ? without_backslashes(bare) : bare;
        if (end.len == 0 || end.ptr[0] == first) {
            return false;
        }
    }
    bool is_fine_number = is_code && bare.len > 2 && bare.ptr[0] >= '1' && bare.ptr[0] <= '3' &&
                          str_is_digit(bare.ptr[1]) && str_is_digit(bare.ptr[2]) &&
                          (bare.len == 3 || !str_is_digit(bare.ptr[3]));
    return bare.len > 0 && !is_fine_number &&
           !begins_with_any(bare, nothings, sizeof nothings / sizeof nothings[0]);
}

/* "| 429 |" behind the time, a request's id and a name. */
static bool has_failing_column(struct str value)
{
    struct str column;
    for (unsigned i = 0; i < COLUMNS_MAX && str_split(&value, '|', &column); i++) {
        struct str next = str_trim(str_slice(value, 0, str_next_char(value, 0, '|')));
        if (next.len == 3 && is_failing_status(next)) {
            return true;
        }
    }
    return false;
}

/* "0/0/1/27/3830 504 7483": what a balancer measured, the status and the bytes. */
static bool has_failing_status_behind_timers(struct str value)
{
    for (size_t at = 0; at + 3 < value.len; at++) {
        if (value.ptr[at] == ' ' && is_failing_status(str_slice(value, at + 1, at + 5)) &&
            prose_is_behind_timers(value, at + 1)) {
            return true;
        }
    }
    return false;
}

bool mark_holds(const struct mark *mark, struct str text, size_t at)
{
    size_t begin = at + mark->value_at;
    struct str value = str_slice(text, begin, begin + VALUE_BYTES_MAX), address;
    value = str_slice(value, 0, str_next_char(value, 0, '\n'));
    switch ((enum check)mark->check) {
    case CHECK_STATUS:
        return is_failing_status(value);
    case CHECK_COLUMN:
        return has_failing_column(value);
    case CHECK_TIMERS:
        return has_failing_status_behind_timers(value);
    case CHECK_ADDRESS:
        (void)str_split(&value, ' ', &address);
        return is_failing_status(value);
    case CHECK_CODE:
        return is_telling(value, true);
    case CHECK_VALUE:
        return is_telling(value, false);
    default:
        return true;
    }
}

/* Whether a mark of the bucket holds that the bytes at text[at] have. */
static bool holds_at(const struct marks *marks, struct str text, size_t at)
{
    struct str here = str_slice(text, at, text.len);
    for (size_t i = marks->first[bucket_of(here.ptr)]; i; i = marks->next[i - 1]) {
        const struct mark *mark = &marks->items[i - 1];
        if (str_istarts(here, mark->literal) && mark_holds(mark, text, at)) {
            return true;
        }
    }
    return false;
}

/* The next place from bytes[at] on, of `count`, where a mark may begin; count when there is none.
 */
static size_t next_bucket(const uint16_t *first, const char *bytes, size_t at, size_t count)
{
    while (at < count && !first[bucket_of(bytes + at)]) {
        at++;
    }
    return at;
}

bool marks_find(const struct marks *marks, struct str text)
{
    size_t count = text.len < MARK_BYTES_MIN ? 0 : text.len - MARK_BYTES_MIN + 1;
    size_t at = next_bucket(marks->first, text.ptr, 0, count);
    while (at < count && !holds_at(marks, text, at)) {
        at = next_bucket(marks->first, text.ptr, at + 1, count);
    }
    return at < count;
}
