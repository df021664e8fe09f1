/* Records without what is no evidence. Takes a line, gives it with those values emptied:
 *
 *     {"level":"ERROR","service":"llm-proxy","msg":"call failed","took_ms":81,"status":429}
 *     {"level":"ERROR","service":""         ,"msg":"call failed","took_ms":0 ,"status":429}
 *
 * Judges nothing. */
#include "input/log_bare.h"

#include "input/log_record.h"

#include <string.h>

static const struct str names[] = {
#define TIME(name) STR_INIT(name),
#define NUMBER(name) STR_INIT(name),
#define NUMBERS(name) STR_INIT(name),
#define NAME(name) STR_INIT(name),
#include "input/log_member.def"
#undef TIME
#undef NUMBER
#undef NUMBERS
#undef NAME
};

static bool is_named(struct str name)
{
    size_t i = 0;
    while (i < sizeof names / sizeof names[0] && !str_eq(name, names[i])) {
        i++;
    }
    return i < sizeof names / sizeof names[0];
}

/* The empty value of the kind that a value is; unset for what is cut off and for words of JSON. A
 * bare word of a pair leaves nothing. */
static struct str empty_of(struct str value, bool is_pair)
{
    static const struct str kinds[] = {STR_INIT("\"\""), STR_INIT("{}"), STR_INIT("[]")};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (value.len && value.ptr[0] == kinds[i].ptr[0]) {
            bool is_whole = value.len > 1 && value.ptr[value.len - 1] == kinds[i].ptr[1];
            return is_whole ? kinds[i] : (struct str){NULL, 0};
        }
    }
    bool is_number = value.len && str_is_digit(value.ptr[0]);
    return is_pair ? STR("") : is_number ? STR("0") : (struct str){NULL, 0};
}

/* A line while it is written anew. */
struct writing {
    struct str line;
    char *out;             /* NULL before anything is emptied */
    size_t length, copied; /* of out; bytes of the line that it stands for */
};

static void put(struct writing *writing, struct str text)
{
    memcpy(writing->out + writing->length, text.ptr, text.len);
    writing->length += text.len;
}

/* An empty value is never longer than the one in whose place it stands. */
static void put_instead(struct writing *writing, struct arena *arena, struct str value,
                        struct str empty)
{
    size_t at = (size_t)(value.ptr - writing->line.ptr);
    writing->out = writing->out ? writing->out : arena_alloc(arena, writing->line.len);
    put(writing, str_slice(writing->line, writing->copied, at));
    put(writing, empty);
    writing->copied = at + value.len;
}

struct str log_record_bare(struct arena *arena, struct str line, struct str told)
{
    bool is_pair = !log_is_record(line);
    struct writing writing = {.line = line};
    struct log_member member;
    for (size_t at = 0;
         is_pair ? log_pairs_next(line, &at, &member) : log_record_next(line, &at, &member);) {
        struct str empty = empty_of(member.value, is_pair);
        if (str_is_set(empty) && (member.value.ptr == told.ptr || is_named(member.name))) {
            put_instead(&writing, arena, member.value, empty);
        }
    }
    if (!writing.out) {
        return line;
    }
    put(&writing, str_slice(line, writing.copied, line.len));
    return (struct str){writing.out, writing.length};
}
