/* The forgiving value reader. Takes text and an offset, gives a small tree in the arena, with the
 * bytes that each value covers; judges nothing. Work is bounded by the budget and by depth. */
#include "classify/loose.h"

#include "base/buf.h"
#include "base/text.h"

#include <string.h>

#define DEPTH_MAX 40

struct reader {
    struct arena *arena;
    struct loose_budget *budget;
    struct str text;
    size_t at;
    bool is_wrapped;
    bool is_broken; /* something no form allows: what was read so far stands */
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_word_char(char c)
{
    return str_is_letter(c) || str_is_digit(c) || c == '_' || c == '$' || c == '.' || c == '-' ||
           c == '+' || c == '@';
}

static bool is_at_end(const struct reader *r)
{
    return r->at >= r->text.len;
}

static char peek(const struct reader *r)
{
    return is_at_end(r) ? '\0' : r->text.ptr[r->at];
}

static void skip_space(struct reader *r)
{
    while (!is_at_end(r) && is_space(peek(r))) {
        r->at++;
    }
}

static struct loose *node_at(struct reader *r, enum loose_kind kind)
{
    if (r->budget->nodes == 0) {
        r->is_broken = true;
        return NULL;
    }
    r->budget->nodes--;
    struct loose *node = ARENA_NEW(r->arena, struct loose);
    node->kind = kind;
    node->begin = r->at;
    return node;
}

static bool read_hex(struct reader *r, size_t digits, uint32_t *value)
{
    *value = 0;
    if (r->text.len - r->at < digits) {
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        int digit = str_hex_value(r->text.ptr[r->at + i]);
        if (digit < 0) {
            return false;
        }
        *value = *value << 4 | (uint32_t)digit;
    }
    r->at += digits;
    return true;
}

/* The \uXXXX behind r->at - 2, a surrogate pair taken together. */
static void read_unicode(struct reader *r, struct buf *out)
{
    uint32_t c, low;
    char bytes[4];
    if (!read_hex(r, 4, &c)) {
        return;
    }
    if (c >= 0xD800 && c < 0xDC00 && r->at + 2 <= r->text.len && r->text.ptr[r->at] == '\\' &&
        r->text.ptr[r->at + 1] == 'u') {
        r->at += 2;
        if (read_hex(r, 4, &low) && low >= 0xDC00 && low < 0xE000) {
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    size_t length = utf8_encode(c, bytes);
    if (length && c != 0) {
        buf_add(out, (struct str){bytes, length});
    }
}

static void read_escape(struct reader *r, struct buf *out)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    uint32_t byte;
    r->at++;
    if (is_at_end(r)) {
        return;
    }
    char c = peek(r);
    r->at++;
    const char *plain = c ? strchr(from, c) : NULL;
    if (plain) {
        buf_add_char(out, to[plain - from]);
    } else if (c == 'u') {
        read_unicode(r, out);
    } else if (c == 'x' && read_hex(r, 2, &byte)) {
        buf_add_char(out, (char)byte); /* b'\xe4\xbd': bytes of UTF-8 */
    } else if (c != '\n' || !r->is_wrapped) {
        buf_add_char(out, c);
    }
}

/* Bytes of a string that stand for themselves, from r->at on. */
static struct str take_plain(struct reader *r, char quote)
{
    size_t begin = r->at;
    const char wrapped[4] = {quote, '\\', '\n', '\r'}, kept[4] = {quote, '\\', quote, quote};
    r->at = str_next_of(r->text, begin, r->is_wrapped ? wrapped : kept);
    return str_slice(r->text, begin, r->at);
}

/* What stands between quotes, r->at being behind the first, with `front` read of it. */
static struct str decode_string(struct reader *r, char quote, struct str front)
{
    struct buf out = buf_create(front.len + r->text.len - r->at);
    buf_add(&out, front);
    while (!is_at_end(r) && peek(r) != quote) {
        if (peek(r) == '\\') {
            read_escape(r, &out);
        } else if (r->is_wrapped && (peek(r) == '\n' || peek(r) == '\r')) {
            skip_space(r);
            buf_add_char(&out, ' ');
        } else {
            buf_add(&out, take_plain(r, quote));
        }
    }
    struct str text = arena_dup(r->arena, buf_str(&out));
    buf_free(&out);
    return text;
}

/* A quoted string. */
static struct loose *read_string(struct reader *r)
{
    struct loose *node = node_at(r, LOOSE_STRING);
    if (!node) {
        return NULL;
    }
    char quote = peek(r);
    r->at++;
    node->text = take_plain(r, quote);
    if (!is_at_end(r) && peek(r) != quote) {
        node->text = decode_string(r, quote, node->text);
    }
    node->is_whole = !is_at_end(r);
    r->at += node->is_whole;
    node->end = r->at;
    return node;
}

static bool is_number(struct str word)
{
    double ignored;
    return str_to_double(word, &ignored);
}

static struct loose *read_value(struct reader *r, unsigned depth);

/* A word: number, true, None, and the wrappers Some(value), SocketError { ... }, b'...'. */
static struct loose *read_word(struct reader *r, unsigned depth)
{
    size_t begin = r->at;
    while (!is_at_end(r) && is_word_char(peek(r))) {
        r->at++;
    }
    struct str word = str_slice(r->text, begin, r->at);
    if (word.len == 0) {
        r->is_broken = true;
        return NULL;
    }
    if (word.len == 1 && str_is_of(word.ptr[0], "bur") && (peek(r) == '\'' || peek(r) == '"')) {
        return read_string(r);
    }
    if (peek(r) == '(' && depth < DEPTH_MAX) {
        r->at++;
        skip_space(r);
        struct loose *inner = read_value(r, depth + 1);
        skip_space(r);
        if (peek(r) == ')') {
            r->at++;
        } else {
            r->is_broken = r->is_broken || !is_at_end(r);
        }
        return inner;
    }
    size_t behind = r->at;
    skip_space(r);
    if (peek(r) == '{' && depth < DEPTH_MAX) {
        return read_value(r, depth + 1);
    }
    r->at = behind;
    struct loose *node = node_at(r, is_number(word) ? LOOSE_NUMBER : LOOSE_WORD);
    if (node) {
        *node = (struct loose){
            .kind = node->kind, .text = word, .begin = begin, .end = r->at, .is_whole = true};
    }
    return node;
}

/* Key of a table, up to and with the sign behind it (":", "=", "=>"). */
static bool read_key(struct reader *r, struct str *key)
{
    if (peek(r) == '"' || peek(r) == '\'') {
        struct loose *name = read_string(r);
        if (!name) {
            return false;
        }
        *key = str_trim(name->text);
    } else {
        /* Node's inspect writes symbols in brackets: [cause]: ... */
        size_t begin = r->at;
        while (!is_at_end(r) && (is_word_char(peek(r)) || peek(r) == '[' || peek(r) == ']')) {
            r->at++;
        }
        *key = str_slice(r->text, begin, r->at);
    }
    skip_space(r);
    if (key->len == 0 || (peek(r) != ':' && peek(r) != '=')) {
        return false;
    }
    r->at++;
    if (peek(r) == '>') {
        r->at++;
    }
    skip_space(r);
    return true;
}

static struct loose *read_container(struct reader *r, unsigned depth)
{
    bool is_table = peek(r) == '{';
    char close = is_table ? '}' : ']';
    struct loose *node = node_at(r, is_table ? LOOSE_TABLE : LOOSE_ARRAY), **tail;
    if (!node) {
        return NULL;
    }
    tail = &node->first;
    r->at++;
    for (;;) {
        struct str key = {NULL, 0};
        while (!is_at_end(r) && (is_space(peek(r)) || peek(r) == ',')) {
            r->at++;
        }
        if (is_at_end(r) || peek(r) == close) {
            break;
        }
        size_t before = r->at;
        if (is_table && !read_key(r, &key)) {
            r->is_broken = !is_at_end(r);
            r->at = is_at_end(r) ? r->at : before;
            break;
        }
        struct loose *child = is_at_end(r) ? NULL : read_value(r, depth + 1);
        if (child) {
            child->key = key;
            child->part = part_of(key);
            *tail = child;
            tail = &child->next;
        }
        if (!child || r->is_broken) {
            break;
        }
    }
    node->is_whole = !r->is_broken && peek(r) == close && !is_at_end(r);
    r->at += node->is_whole;
    node->end = r->at;
    return node;
}

static struct loose *read_value(struct reader *r, unsigned depth)
{
    char c = peek(r);
    if (depth > DEPTH_MAX) {
        r->is_broken = true;
        return NULL;
    }
    if (c == '{' || c == '[') {
        return read_container(r, depth);
    }
    if (c == '"' || c == '\'') {
        return read_string(r);
    }
    return read_word(r, depth);
}

struct loose *loose_parse(struct arena *arena, struct loose_budget *budget, struct str text,
                          size_t at, bool is_wrapped)
{
    struct reader r = {
        .arena = arena, .budget = budget, .text = text, .at = at, .is_wrapped = is_wrapped};
    if (budget->bytes == 0 || (peek(&r) != '{' && peek(&r) != '[')) {
        return NULL;
    }
    struct loose *root = read_value(&r, 0);
    size_t used = r.at - at;
    budget->bytes -= used < budget->bytes ? used : budget->bytes;
    return root && root->first ? root : NULL;
}

const struct loose *loose_get(const struct loose *table, const char *key)
{
    if (!table || table->kind != LOOSE_TABLE) {
        return NULL;
    }
    for (const struct loose *child = table->first; child; child = child->next) {
        if (str_ieq(child->key, str_from(key))) {
            return child;
        }
    }
    return NULL;
}

const struct loose *loose_find(const struct loose *table, enum part part)
{
    for (const struct loose *child = table->first; child; child = child->next) {
        if (child->part == part && !loose_is_null(child)) {
            return child;
        }
    }
    return NULL;
}

bool loose_is_null(const struct loose *value)
{
    static const struct str nulls[] = {STR_INIT("null"), STR_INIT("None"), STR_INIT("undefined"),
                                       STR_INIT("nil")};
    for (size_t i = 0; value && value->kind == LOOSE_WORD && i < sizeof nulls / sizeof nulls[0];
         i++) {
        if (str_eq(value->text, nulls[i])) {
            return true;
        }
    }
    return value == NULL;
}

struct str loose_text(const struct loose *value)
{
    if (loose_is_null(value) || value->kind == LOOSE_TABLE || value->kind == LOOSE_ARRAY) {
        return (struct str){NULL, 0};
    }
    return value->text;
}

bool loose_is_false(const struct loose *value)
{
    return value && value->kind == LOOSE_WORD && str_ieq(value->text, STR("false"));
}
