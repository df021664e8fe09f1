/* JSON Web Tokens. Takes a token, gives the claims in its middle part. */
#include "syntax/token.h"

#include "syntax/jsonc.h"

#define TOKEN_BYTES_MAX ((size_t)64 * 1024)

static int sextet(char c)
{
    if (str_is_upper(c)) {
        return c - 'A';
    }
    if (str_is_lower(c)) {
        return c - 'a' + 26;
    }
    if (str_is_digit(c)) {
        return c - '0' + 52;
    }
    return c == '-' || c == '+' ? 62 : c == '_' || c == '/' ? 63 : -1;
}

/* Base64url without padding; unset when it is none. */
static struct str decode(struct arena *arena, struct str text)
{
    char *bytes = ARENA_ARRAY(arena, text.len + 1, char);
    size_t length = 0;
    unsigned bits = 0, have = 0;
    for (size_t i = 0; i < text.len && text.ptr[i] != '='; i++) {
        int value = sextet(text.ptr[i]);
        if (value < 0) {
            return (struct str){NULL, 0};
        }
        bits = (bits << 6 | (unsigned)value) & 0xFFFFU;
        have += 6;
        if (have >= 8) {
            have -= 8;
            bytes[length++] = (char)(bits >> have & 0xFFU);
        }
    }
    return (struct str){bytes, length};
}

const struct node *token_claims(struct arena *arena, struct str token)
{
    struct str rest = token, part = {NULL, 0};
    struct document document;
    if (token.len > TOKEN_BYTES_MAX || !str_split(&rest, '.', &part) ||
        !str_split(&rest, '.', &part)) {
        return NULL;
    }
    struct str text = decode(arena, part);
    if (!str_is_set(text) || !json_parse(arena, text, JSON_STRICT, &document)) {
        return NULL;
    }
    return document.root;
}
