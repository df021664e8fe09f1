/* Hiding secrets. Takes text and what is known of the keys, gives text that may be shown. Works on
 * bytes, so it also hides keys inside JSON, URLs and broken UTF-8, and on what escapes of these
 * read as. */
#include "base/mask.h"

#include "base/buf.h"
#include "base/digest.h"
#include "base/mask_begin.h"
#include "base/mask_broken.h"
#include "base/mask_index.h"
#include "base/mask_letter.h"
#include "base/shape.h"

#define SECRET_MIN 6 /* shorter exact secrets ("none", "x") would blot out ordinary words */

struct secret secret_create(struct arena *arena, struct str value)
{
    struct secret secret = {.value = arena_dup(arena, value)};
    if (str_is_set(value)) {
        digest_hex(value, secret.fingerprint, sizeof secret.fingerprint - 1);
    }
    return secret;
}

/* Bytes of key characters at s[at]; '=', '/', '+' count as well where is_wide (base64 tokens).
 * Their number goes to *letters. */
static size_t key_run(struct str s, size_t at, bool is_wide, size_t *letters)
{
    size_t end = at;
    while (end < s.len && mask_is_key_char(s.ptr[end])) {
        end++;
    }
    *letters = end - at;
    while (end < s.len) {
        char c;
        size_t length = mask_letter(s, end, &c);
        if (!mask_is_key_char(c) && !(is_wide && str_is_of(c, "=/+:~"))) {
            break;
        }
        end += length;
        (*letters)++;
    }
    return end - at;
}

/* A run of key characters: where it is walked on from, where it ends, and the letters between. */
struct run {
    size_t at, end, letters;
};

/* The same as key_run of no wide ones, when the run before is known: what begins within it soon
 * comes to a letter of it and ends where it ends. Each dot may begin a word, and a text of dots
 * would else be walked to its end from each of them. */
static size_t next_run(struct str s, size_t at, struct run *last, size_t *letters)
{
    if (at >= last->end) {
        last->at = at;
        last->end = at + key_run(s, at, false, &last->letters);
    }
    *letters = 0;
    for (size_t end = at;; (*letters)++) {
        char c;
        while (last->at < end && last->at < last->end) {
            last->at += mask_letter(s, last->at, &c);
            last->letters--;
        }
        if (last->at == end) {
            *letters += last->letters;
            return last->end - at;
        }
        size_t length = mask_letter(s, end, &c);
        if (length == 0 || !mask_is_key_char(c)) {
            return end - at;
        }
        end += length;
    }
}

/* Nothing of a word stands before s[at]: a letter that closes an escape is no letter, dashes in
 * front of an option ("--sk-...") are no word, and a dot may join names ("features.sk-..."). */
static bool is_word_start(struct str s, size_t at)
{
    if (at == 0 || s.ptr[at - 1] == '.' || !mask_is_key_char(s.ptr[at - 1])) {
        return true;
    }
    bool is_dash = s.ptr[at - 1] == '-' &&
                   (at == 1 || s.ptr[at - 2] == '-' || !mask_is_key_char(s.ptr[at - 2]));
    bool is_short = at >= 2 && s.ptr[at - 2] == '\\' && str_is_of(s.ptr[at - 1], "nrtbfv0");
    return is_dash || is_short || mask_ends_escape(s, at);
}

/* Bytes of s[at] on that read as `wanted`, be it escaped or over ends of lines; 0 = they do not. */
static size_t reads_as(struct str s, size_t at, struct str wanted)
{
    size_t end = at;
    bool is_other = at < s.len && wanted.len && s.ptr[at] != wanted.ptr[0];
    if (is_other && !mask_may_escape(s.ptr[at])) {
        return 0;
    }
    if (str_starts(str_slice(s, at, s.len), wanted)) {
        return wanted.len;
    }
    for (size_t i = 0; i < wanted.len; i++) {
        end += i ? mask_break(s, end) : 0;
        char c = end < s.len ? s.ptr[end] : '\0';
        size_t length = mask_may_escape(c) ? mask_letter(s, end, &c) : end < s.len;
        if (length == 0 || c != wanted.ptr[i]) {
            return 0;
        }
        end += length;
    }
    return end - at;
}

bool mask_knows(const struct mask *mask, struct str value)
{
    const struct mask_index *index = mask_index_of(mask);
    if (index) {
        return mask_index_holds(index, value);
    }
    for (size_t i = 0; i < mask->secret_count; i++) {
        if (str_eq(mask->secrets[i].value, value)) {
            return true;
        }
    }
    return false;
}

static size_t known_secret(const struct mask *mask, struct str s, size_t at, struct buf *out)
{
    const struct mask_index *index = mask_index_of(mask);
    if (index) {
        size_t which, length = mask_index_find(index, s, at, SECRET_MIN, &which);
        if (length) {
            buf_printf(out, "[key %s]", mask->secrets[which].fingerprint);
        }
        return length;
    }
    for (size_t i = 0; i < mask->secret_count; i++) {
        struct str value = mask->secrets[i].value;
        size_t length = value.len >= SECRET_MIN ? reads_as(s, at, value) : 0;
        if (length) {
            buf_printf(out, "[key %s]", mask->secrets[i].fingerprint);
            return length;
        }
    }
    return 0;
}

static bool is_known_secret(const struct mask *mask, struct str s, size_t at)
{
    struct buf nowhere = buf_create(0);
    bool is_known = known_secret(mask, s, at, &nowhere) > 0;
    buf_free(&nowhere);
    return is_known;
}

/* The whole word is a key that no prefix gives away: "0a1b...9f.XyZ...". */
static size_t word_of_shape(const struct mask *mask, struct str word)
{
    for (size_t i = 0; word.len >= MASK_KEY_MIN && i < mask->shape_count; i++) {
        struct str shape = mask->key_shapes[i];
        bool may_fit = shape.len && (shape.ptr[0] == '{' || shape.ptr[0] == word.ptr[0]);
        if (may_fit && shape_fits(shape, word)) {
            return word.len;
        }
    }
    return 0;
}

/* A prefix with enough letters behind it: bytes of both. */
static size_t key_behind(struct str s, size_t at, struct str prefix)
{
    size_t letters, begin = prefix.len ? reads_as(s, at, prefix) : 0;
    size_t run = begin ? key_run(s, at + begin, false, &letters) : 0;
    return run && letters >= MASK_KEY_MIN ? begin + run : 0;
}

/* run: bytes of the word at s[at]. */
static size_t shaped_key(const struct mask *mask, struct str s, size_t at, size_t run,
                         struct buf *out)
{
    size_t used = word_of_shape(mask, str_slice(s, at, at + run));
    used = used ? used : mask_broken_word(mask, s, at, run);
    used = used ? used : key_behind(s, at, STR("eyJ")); /* a JSON Web Token, whoever gave it */
    for (size_t i = 0; !used && i < mask->prefix_count; i++) {
        struct str prefix = mask->key_prefixes[i];
        bool may_read = prefix.len && (prefix.ptr[0] == s.ptr[at] || mask_may_escape(s.ptr[at]));
        used = may_read ? key_behind(s, at, prefix) : 0;
    }
    if (used) {
        buf_add(out, STR("[masked]"));
    }
    return used ? mask_with_rest(s, at, used) : 0;
}

/* Skips quotes, blanks, ':' and '=' between a name and its value. */
static size_t skip_joint(struct str s, size_t at)
{
    char c;
    size_t length;
    while ((length = mask_letter(s, at, &c)) && str_is_of(c, "\"'\\ \t:=")) {
        at += length;
    }
    return at;
}

/* "Authorization: Bearer XYZ", "x-api-key": "XYZ", ?key=XYZ: the value goes, the name stays. */
static size_t named_value(const struct mask *mask, struct str s, size_t at, size_t word,
                          struct buf *out)
{
    size_t name = mask_begin_name(s, at, word);
    size_t value = name ? skip_joint(s, at + name) : 0;
    if (name == 0 || value == at + name) {
        return 0;
    }
    if (str_istarts(str_slice(s, value, s.len), STR("bearer"))) {
        value = skip_joint(s, value + 6);
    } else if (str_istarts(str_slice(s, value, s.len), STR("basic"))) {
        value = skip_joint(s, value + 5);
    }
    if (is_known_secret(mask, s, value)) {
        buf_add(out, str_slice(s, at, value));
        return value - at; /* the secret itself is next, and has a fingerprint to show */
    }
    size_t letters, run = key_run(s, value, true, &letters);
    if (letters < MASK_KEY_MIN) {
        return 0;
    }
    buf_add(out, str_slice(s, at, value));
    buf_add(out, STR("[masked]"));
    return mask_with_rest(s, at, value + run - at);
}

/* "://user:password@" */
static size_t url_credentials(struct str s, size_t at, struct buf *out)
{
    if (!str_starts(str_slice(s, at, s.len), STR("://"))) {
        return 0;
    }
    for (size_t end = at + 3; end < s.len && end < at + 512; end++) {
        if (s.ptr[end] == '@') {
            buf_add(out, STR("://[masked]"));
            return end - at;
        }
        if (str_is_of(s.ptr[end], "/?# \t\r\n\"'<>")) {
            return 0;
        }
    }
    return 0;
}

/* Bytes at s[at] that are replaced, their replacement to out; 0 when they stay. */
static size_t hide_at(const struct mask *mask, struct str s, size_t at, struct run *last,
                      struct buf *out)
{
    size_t letters, used = mask->secret_count ? known_secret(mask, s, at, out) : 0;
    used = used ? used : url_credentials(s, at, out);
    if (used || !is_word_start(s, at)) {
        return used;
    }
    size_t run = next_run(s, at, last, &letters);
    used = named_value(mask, s, at, run, out);
    return used ? used : shaped_key(mask, s, at, run, out);
}

struct str mask_text(struct arena *arena, const struct mask *mask, struct str s)
{
    const struct mask_index *index = mask_index_of(mask);
    struct mask_begin own;
    struct run last = {0};
    size_t taken = 0, at; /* taken: bytes of s that out has */
    if (!index) {
        mask_begin_read(&own, mask);
    }
    struct mask_walk walk = {.begin = index ? mask_index_begin(index) : &own, .text = s};
    if (!mask_walk_next(&walk, &at)) {
        return s;
    }
    /* A known secret shrinks or grows by at most this much; the bound only guards the arithmetic.
     */
    struct buf out = buf_create(s.len * 4 + 64), instead = buf_create(s.len * 4 + 64);
    do {
        size_t used = hide_at(mask, s, at, &last, &instead);
        if (used) {
            buf_add(&out, str_slice(s, taken, at));
            buf_add(&out, buf_str(&instead));
            instead.len = 0;
            taken = at + used;
            mask_walk_leave(&walk, taken);
        }
    } while (mask_walk_next(&walk, &at));
    buf_add(&out, str_slice(s, taken, taken ? s.len : 0));
    struct str masked = taken ? arena_dup(arena, buf_str(&out)) : s;
    buf_free(&instead);
    buf_free(&out);
    return masked;
}
