/* The fixed words of verdicts in every language. Texts about diagnoses are data in
 * rules/diagnoses.toml and not here. */
#include "triage/words.h"

#include <stdio.h>

static const char *const words[WORD_COUNT][LANG_COUNT] = {
#define WORD(id, en, zh) [WORD_##id] = {[LANG_EN] = en, [LANG_ZH] = zh},
#include "triage/words.def"
#undef WORD
};

#define WORDS_BYTES_MAX 2048

const char *words_text(enum word word, enum lang lang)
{
    return words[word][lang];
}

struct str words_say(struct arena *arena, enum lang lang, enum word word, ...)
{
    char *text = arena_alloc(arena, WORDS_BYTES_MAX);
    va_list arguments;
    va_start(arguments, word);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    vsnprintf(text, WORDS_BYTES_MAX, words[word][lang], arguments);
#pragma GCC diagnostic pop
    va_end(arguments);
    return str_from(text);
}
