/* Any text with a key in it, the key written in any mixture of its escaped forms: no form of it may
 * survive masking. The oracle reads the masked text with a decoder of its own, which knows the
 * forms and nothing of how mask.c goes about them. The first bytes of the input choose the key and
 * the forms of its letters, the rest is the text around it. */
#include "base/mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define KEY_LETTERS 24
#define BACKSLASHES_MAX 16 /* as many as five layers of JSON make */

struct input {
    const uint8_t *bytes;
    size_t left;
};

static unsigned take(struct input *input)
{
    if (input->left == 0) {
        return 0;
    }
    input->left--;
    return *input->bytes++;
}

/* ---- writing ---- */

static void put(char *text, size_t *length, const char *piece)
{
    size_t count = strlen(piece);
    memcpy(text + *length, piece, count);
    *length += count;
}

static void put_backslashes(char *text, size_t *length, unsigned count)
{
    for (; count > 0; count--) {
        text[(*length)++] = '\\';
    }
}

/* One letter in the form that the byte chooses. */
static void put_letter(char *text, size_t *length, char letter, unsigned form)
{
    char piece[16];
    unsigned code = (unsigned char)letter;
    switch (form % 8) {
    case 0:
        put_backslashes(text, length, 1 + form / 8 % BACKSLASHES_MAX);
        (void)snprintf(piece, sizeof piece, form & 128 ? "u%04x" : "u%04X", code);
        break;
    case 1:
        put_backslashes(text, length, 1 + form / 8 % BACKSLASHES_MAX);
        (void)snprintf(piece, sizeof piece, "x%02x", code);
        break;
    case 2:
        (void)snprintf(piece, sizeof piece, form & 128 ? "%%%02x" : "%%%02X", code);
        break;
    case 3:
        (void)snprintf(piece, sizeof piece, "&#%u;", code);
        break;
    case 4:
        (void)snprintf(piece, sizeof piece, form & 128 ? "&#x%x;" : "&#X%04X;", code);
        break;
    default:
        (void)snprintf(piece, sizeof piece, "%c", letter);
    }
    put(text, length, piece);
}

/* ---- reading, apart from mask_letter ---- */

static long number_at(const char *text, size_t from, size_t digits, int base)
{
    char part[9] = {0};
    char *end = NULL;
    memcpy(part, text + from, digits);
    if (strspn(part, base == 16 ? "0123456789abcdefABCDEF" : "0123456789") != digits) {
        return -1;
    }
    long value = strtol(part, &end, base);
    return value;
}

/* Bytes that the letter takes at text[at], in whatever form; 0 when something else stands there. */
static size_t letter_at(const char *text, size_t length, size_t at, char letter)
{
    size_t end = at;
    long wanted = (unsigned char)letter;
    if (at < length && text[at] == letter) {
        return 1;
    }
    while (end < length && text[end] == '\\' && end - at < BACKSLASHES_MAX) {
        end++;
    }
    if (end > at && end + 4 < length && text[end] == 'u') {
        return number_at(text, end + 1, 4, 16) == wanted ? end + 5 - at : 0;
    }
    if (end > at && end + 2 < length && text[end] == 'x') {
        return number_at(text, end + 1, 2, 16) == wanted ? end + 3 - at : 0;
    }
    if (at + 2 < length && text[at] == '%') {
        return number_at(text, at + 1, 2, 16) == wanted ? 3 : 0;
    }
    if (at + 3 < length && text[at] == '&' && text[at + 1] == '#') {
        int base = text[at + 2] == 'x' || text[at + 2] == 'X' ? 16 : 10;
        size_t first = at + 2 + (base == 16), digits = 0;
        while (first + digits < length && text[first + digits] != ';' && digits < 7) {
            digits++;
        }
        bool is_whole = digits > 0 && digits < 7 && first + digits < length;
        return is_whole && number_at(text, first, digits, base) == wanted ? first + digits + 1 - at
                                                                          : 0;
    }
    return 0;
}

static bool holds(struct str text, const char *key)
{
    for (size_t at = 0; at < text.len; at++) {
        size_t end = at, i = 0;
        for (; key[i]; i++) {
            size_t length = letter_at(text.ptr, text.len, end, key[i]);
            if (length == 0) {
                break;
            }
            end += length;
        }
        if (key[i] == '\0') {
            return true;
        }
    }
    return false;
}

static void make_key(struct input *input, const char *prefix, char key[KEY_LETTERS + 1])
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    size_t count = strlen(prefix);
    memcpy(key, prefix, count);
    key[count++] = '7'; /* mere words are no part of a key */
    key[count++] = 'Q';
    for (; count < KEY_LETTERS; count++) {
        key[count] = letters[take(input) % (sizeof letters - 1)];
    }
    key[count] = '\0';
}

static struct str write_text(struct input *input, struct arena *arena, const char *key,
                             const char *joint)
{
    size_t length = 0, forms_left = KEY_LETTERS;
    unsigned forms[KEY_LETTERS];
    for (size_t i = 0; i < forms_left; i++) {
        forms[i] = take(input);
    }
    size_t before = input->left / 2, after = input->left - before;
    char *text = arena_alloc(arena, input->left + (KEY_LETTERS + 1) * 32);
    for (size_t i = 0; i < before; i++) {
        text[length++] = (char)take(input);
    }
    put(text, &length, joint);
    for (size_t i = 0; i < forms_left; i++) {
        put_letter(text, &length, key[i], forms[i]);
    }
    put(text, &length, "\"");
    for (size_t i = 0; i < after; i++) {
        text[length++] = (char)take(input);
    }
    return (struct str){text, length};
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const joints[] = {" ", "\"", ": ", "\\n", "\\u0022", "%20", "--"};
    static const struct str prefixes[] = {STR_INIT("sk-"), STR_INIT("AIza")};
    struct arena *arena = arena_create();
    struct input input = {bytes, size};
    char key[KEY_LETTERS + 1];
    unsigned kind = take(&input);
    const char *joint = joints[kind / 4 % (sizeof joints / sizeof joints[0])];
    /* 0 and 1: a key of a known shape; 2: a known secret of no shape; 3: the value of a header. */
    make_key(&input, kind % 4 == 0 ? "sk-" : kind % 4 == 1 ? "AIza" : "Z", key);
    struct secret secret = secret_create(arena, kind % 4 == 2 ? str_from(key) : STR("otherkey1"));
    struct mask mask = {
        .secrets = &secret, .secret_count = 1, .key_prefixes = prefixes, .prefix_count = 2};
    struct str text = write_text(&input, arena, key,
                                 kind % 4 == 3   ? "\nx-api-key: "
                                 : kind % 4 == 2 ? ""
                                                 : joint);
    struct str masked = mask_text(arena, &mask, text);
    if (holds(masked, key)) {
        (void)fprintf(stderr, "%s survives in: %.*s\nof: %.*s\n", key, STR_ARG(masked),
                      STR_ARG(text));
        abort();
    }
    struct secret whole = secret_create(arena, str_from(key));
    if (kind % 4 != 3 && holds(mask_parts(arena, &whole, text), key)) {
        (void)fprintf(stderr, "%s survives as a part\n", key);
        abort();
    }
    (void)mask_text(arena, &mask, (struct str){size ? (const char *)bytes : "", size});
    arena_free(arena);
    return 0;
}
