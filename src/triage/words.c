/* The fixed words of verdicts in every language. Texts about diagnoses are data in
 * rules/diagnoses.toml and not here. */
#include "triage/words.h"

#include <stdio.h>

static const char *const words[WORD_COUNT][LANG_COUNT] = {
#define WORD(id, en, zh) [WORD_##id] = {[LANG_EN] = en, [LANG_ZH] = zh},
#include "triage/words.def"
#undef WORD
};

#define WORDS_BYTES_MAX 4096

const char *words_text(enum word word, enum lang lang)
{
    return words[word][lang];
}

struct str words_format(struct arena *arena, const char *format, va_list arguments)
{
    char text[WORDS_BYTES_MAX];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int length = vsnprintf(text, sizeof text, format, arguments);
#pragma GCC diagnostic pop
    struct str whole = str_from(text);
    if (length >= (int)sizeof text) { /* the last character may be half there */
        while (whole.len > 0 && ((unsigned char)whole.ptr[whole.len - 1] & 0xC0) == 0x80) {
            whole.len--;
        }
        whole.len -= whole.len > 0 ? 1 : 0;
    }
    return arena_dup(arena, whole);
}

struct str words_say(struct arena *arena, enum lang lang, enum word word, ...)
{
    va_list arguments;
    va_start(arguments, word);
    struct str text = words_format(arena, words[word][lang], arguments);
    va_end(arguments);
    return text;
}
