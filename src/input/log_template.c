/* Entries of logs without what only tells one request from another. Takes a text, gives what is
 * left of it and what was taken out:
 *
 *     {"ts":"2026-11-29T13:00:00Z","msg":"no room for 0a1b2c3d4e5f6071","duration_ms":81}
 *     {"ts":"<20>"                ,"msg":"no room for <16>"            ,"duration_ms":<>}
 *
 * Judges nothing. */
#include "input/log_template.h"

#include "input/log_quantity.h"

#include <string.h>

#define HEX_BYTES_MIN 12    /* of an id of hexadecimal digits */
#define RANDOM_BYTES_MIN 16 /* of one of letters and digits */
#define RANDOM_TURNS_MIN 8  /* between capitals, small letters and digits */
#define ID_BYTES_MAX 127
#define UUID "01234567-89ab-cdef-0123-456789abcdef" /* its form */
#define UUID_BYTES (sizeof UUID - 1)
#define UUID_WORD_BYTES 8 /* before its first dash */
#define TIME_BYTES_MIN 8  /* "13:00:00" */
#define TIME_BYTES_MAX 40
#define NAME_BYTES_MAX 24 /* longer than any of log_member.def */
#define MARK '\x01'       /* before what stands in place of a parameter */
#define MARK_BYTES_MAX 8  /* of a parameter: the mark, its kind, lengths */

enum sign {
    SIGN_DIGIT = 1,
    SIGN_LOWER_HEX = 2,
    SIGN_UPPER_HEX = 4,
    SIGN_LOWER = 8,
    SIGN_UPPER = 16
};

static const struct name {
    enum log_parameter_kind kind;
    struct str text;
} names[] = {
#define TIME(name) {LOG_PARAMETER_TIME, STR_INIT(name)},
#define NUMBER(name) {LOG_PARAMETER_NUMBER, STR_INIT(name)},
#define NUMBERS(name)
#define NAME(name)
#include "input/log_member.def"
#undef TIME
#undef NUMBER
#undef NUMBERS
#undef NAME
};

/* A text while it is read. */
struct reading {
    struct str text;
    bool takes_all;
    struct log_template *template;
    char *out;
    size_t length;  /* of out */
    size_t copied;  /* bytes of the text that out stands for */
    size_t line_to; /* where the last line ends whose length out has */
};

static unsigned sign_of(char c)
{
    return str_is_digit(c)        ? SIGN_DIGIT
           : c >= 'a' && c <= 'f' ? SIGN_LOWER_HEX
           : c >= 'A' && c <= 'F' ? SIGN_UPPER_HEX
           : str_is_lower(c)      ? SIGN_LOWER
                                  : SIGN_UPPER;
}

/* The word, a run of letters and digits, that a digit at text[at] stands in; `from` is behind the
 * word before. */
static struct str word_at(struct str text, size_t from, size_t at)
{
    size_t end = at;
    while (at > from && str_is_letter(text.ptr[at - 1])) {
        at--;
    }
    while (end < text.len && str_is_alnum(text.ptr[end])) {
        end++;
    }
    return str_slice(text, at, end);
}

/* A hexadecimal number with letters in it, or letters and digits that nobody would write. */
static bool is_random(struct str word)
{
    unsigned signs = 0, turns = 0, before = 0;
    if (word.len < HEX_BYTES_MIN) {
        return false;
    }
    for (size_t i = 0; i < word.len; i++) {
        unsigned sign = sign_of(word.ptr[i]);
        unsigned kind = sign & SIGN_DIGIT                      ? SIGN_DIGIT
                        : sign & (SIGN_LOWER_HEX | SIGN_LOWER) ? SIGN_LOWER
                                                               : SIGN_UPPER;
        signs |= sign;
        turns += kind != before;
        before = kind;
    }
    return signs == (SIGN_DIGIT | SIGN_LOWER_HEX) || signs == (SIGN_DIGIT | SIGN_UPPER_HEX) ||
           (word.len >= RANDOM_BYTES_MIN && turns >= RANDOM_TURNS_MIN);
}

static bool is_status(struct str digits)
{
    return digits.len == 3 && str_is_of(digits.ptr[0], "45") && str_is_digit(digits.ptr[1]) &&
           str_is_digit(digits.ptr[2]);
}

static bool is_uuid(struct str text)
{
    for (size_t i = 0; i < UUID_BYTES; i++) {
        bool is_dash = UUID[i] == '-';
        if (i >= text.len || (is_dash ? text.ptr[i] != '-' : str_hex_value(text.ptr[i]) < 0)) {
            return false;
        }
    }
    return text.len == UUID_BYTES || !str_is_alnum(text.ptr[UUID_BYTES]);
}

/* The id that begins with a word, or unset. One that looks like a status at an end is none, unless
 * all are taken. */
static struct str id_of(const struct reading *reading, struct str word)
{
    struct str text = reading->text;
    size_t at = (size_t)(word.ptr - text.ptr);
    bool is_escaped = at > 0 && str_is_of(text.ptr[at - 1], "\\%");
    struct str id = {NULL, 0};
    if (word.len == UUID_WORD_BYTES && is_uuid(str_slice(text, at, at + UUID_BYTES + 1))) {
        id = str_slice(text, at, at + UUID_BYTES);
    } else if (word.len <= ID_BYTES_MAX && is_random(word)) {
        id = word;
    }
    bool is_told =
        is_status(str_slice(id, 0, 3)) || (id.len && is_status(str_slice(id, id.len - 3, id.len)));
    return is_escaped || (is_told && !reading->takes_all) ? (struct str){NULL, 0} : id;
}

static bool is_of_name(char c)
{
    return str_is_word(c) || str_is_of(c, "@.-");
}

/* What is known by the name that stands before the value at text[at], "name":"value" or name=value;
 * NULL where there is none. */
static const struct name *name_before(struct str text, size_t at, bool *is_quoted)
{
    *is_quoted = at > 0 && text.ptr[at - 1] == '"';
    at -= *is_quoted;
    bool is_pair = at > 0 && text.ptr[at - 1] == '=';
    at -= !is_pair && at > 0 && text.ptr[at - 1] == ' ';
    bool is_member = !is_pair && at > 1 && text.ptr[at - 1] == ':' && text.ptr[at - 2] == '"';
    size_t end = at - (is_pair ? 1 : is_member ? 2 : 0), begin = end;
    while (begin > 0 && end - begin < NAME_BYTES_MAX && is_of_name(text.ptr[begin - 1])) {
        begin--;
    }
    char before = begin > 0 ? text.ptr[begin - 1] : ' ';
    bool is_whole = (is_member && before == '"' && (begin < 2 || text.ptr[begin - 2] != '\\')) ||
                    (is_pair && str_is_blank(before));
    struct str name = str_slice(text, begin, end);
    for (size_t i = 0; is_whole && name.len && i < sizeof names / sizeof names[0]; i++) {
        if (str_eq(name, names[i].text)) {
            return &names[i];
        }
    }
    return NULL;
}

/* The moment at text[at], as a whole value, or unset. */
static struct str time_at(struct str text, size_t at, bool is_quoted)
{
    size_t end = at;
    while (end < text.len && (str_is_digit(text.ptr[end]) ||
                              str_is_of(text.ptr[end], is_quoted ? "TZ:.+- ," : "TZ:.+-"))) {
        end++;
    }
    bool is_closed = !is_quoted || (end < text.len && text.ptr[end] == '"');
    bool is_whole = is_closed && (end == text.len || !str_is_alnum(text.ptr[end]));
    return is_whole && end - at >= TIME_BYTES_MIN && end - at <= TIME_BYTES_MAX
               ? str_slice(text, at, end)
               : (struct str){NULL, 0};
}

static size_t skip_digits(struct str text, size_t at)
{
    while (at < text.len && str_is_digit(text.ptr[at])) {
        at++;
    }
    return at;
}

/* The number at text[at], or unset: a status may be one, and nothing at all says something. */
static struct str number_at(struct str text, size_t at)
{
    size_t whole = skip_digits(text, at), end = whole;
    if (end + 1 < text.len && text.ptr[end] == '.' && str_is_digit(text.ptr[end + 1])) {
        end = skip_digits(text, end + 1);
    }
    struct str number = str_slice(text, at, end);
    bool is_telling = is_status(str_slice(text, at, whole)) || str_eq(number, STR("0"));
    return is_telling ? (struct str){NULL, 0} : number;
}

/* The parameter that begins with a word; its text is unset where there is none. */
static struct log_parameter parameter_of(const struct reading *reading, struct str word)
{
    struct str text = reading->text;
    size_t at = (size_t)(word.ptr - text.ptr);
    bool is_quoted;
    const struct name *name = str_is_digit(word.ptr[0]) ? name_before(text, at, &is_quoted) : NULL;
    struct log_parameter found = {.kind = name ? name->kind : LOG_PARAMETER_ID};
    if (name) {
        found.text =
            name->kind == LOG_PARAMETER_TIME ? time_at(text, at, is_quoted) : number_at(text, at);
    }
    if (!str_is_set(found.text)) {
        found = (struct log_parameter){id_of(reading, word), LOG_PARAMETER_ID};
    }
    if (!str_is_set(found.text) && reading->takes_all && str_is_digit(word.ptr[0])) {
        found = (struct log_parameter){log_quantity_at(text, at), LOG_PARAMETER_QUANTITY};
    }
    return found;
}

/* The low byte of a number. */
static void put(struct reading *reading, size_t number)
{
    reading->out[reading->length++] = (char)(number & 0xFF);
}

/* A number may be of any length, its line may not: two bytes hold that of each. */
static void put_line(struct reading *reading, size_t at)
{
    struct str text = reading->text;
    if (at >= reading->line_to) {
        size_t from = at;
        while (from > 0 && text.ptr[from - 1] != '\n') {
            from--;
        }
        reading->line_to = str_next_char(text, at, '\n');
        put(reading, (reading->line_to - from) >> 8);
        put(reading, reading->line_to - from);
    }
}

/* An id may be told twice: which one of those before it is the same. */
static size_t first_same(const struct log_template *template, struct str text)
{
    size_t i = 0;
    while (i < template->count && !str_eq(template->parameters[i].text, text)) {
        i++;
    }
    return i;
}

static void copy_to(struct reading *reading, size_t to)
{
    memcpy(reading->out + reading->length, reading->text.ptr + reading->copied,
           to - reading->copied);
    reading->length += to - reading->copied;
    reading->copied = to;
}

static void take(struct reading *reading, const struct log_parameter *parameter)
{
    struct log_template *template = reading->template;
    size_t at = (size_t)(parameter->text.ptr - reading->text.ptr);
    copy_to(reading, at);
    put(reading, (unsigned char)MARK);
    put(reading, parameter->kind);
    if (parameter->kind == LOG_PARAMETER_NUMBER) {
        put_line(reading, at);
    } else {
        put(reading, parameter->text.len);
        put(reading, first_same(template, parameter->text));
    }
    template->parameters[template->count++] = *parameter;
    reading->copied = at + parameter->text.len;
}

/* The next digit from text[at] on. Eight bytes are passed at once of which none is one, nor one of
 * the six signs behind the nine. */
static size_t next_digit(struct str text, size_t at)
{
    static const uint64_t each = UINT64_C(0x0101010101010101);
    for (uint64_t eight; at + sizeof eight <= text.len; at += sizeof eight) {
        memcpy(&eight, text.ptr + at, sizeof eight);
        eight = (eight & (each * 0xF0)) ^ (each * 0x30);
        if ((eight - each) & ~eight & (each * 0x80)) {
            break;
        }
    }
    while (at < text.len && !str_is_digit(text.ptr[at])) {
        at++;
    }
    return at;
}

static void read_all(struct reading *reading)
{
    struct str text = reading->text;
    size_t at = next_digit(text, 0);
    while (at < text.len && reading->template->count < LOG_PARAMETERS_MAX) {
        struct str word = word_at(text, reading->copied, at);
        struct log_parameter found = parameter_of(reading, word);
        at = (size_t)(word.ptr - text.ptr) + word.len;
        if (str_is_set(found.text)) {
            take(reading, &found);
            at = reading->copied;
        }
        at = next_digit(text, at);
    }
}

void log_template_read(struct arena *arena, struct str text, bool takes_all,
                       struct log_template *template)
{
    struct reading reading = {.text = text, .takes_all = takes_all, .template = template};
    template->count = 0;
    reading.out = arena_alloc(arena, 1 + text.len + LOG_PARAMETERS_MAX * MARK_BYTES_MAX);
    reading.length = 1;
    if (str_find_char(text, MARK) < 0) {
        read_all(&reading);
    }
    copy_to(&reading, text.len);
    reading.out[0] = (char)template->count; /* a text's own marks stand for nothing */
    template->text = (struct str){reading.out, reading.length};
}
