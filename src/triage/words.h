#ifndef TRIAGE_WORDS_H
#define TRIAGE_WORDS_H

#include "base/arena.h"
#include "core/diagnosis.h"

/* Fixed words of this room; words.def is the list. */
enum word {
#define WORD(id, en, zh) WORD_##id,
#include "triage/words.def"
#undef WORD
    WORD_COUNT
};

/* The word as it stands; a C string because many are formats. */
const char *words_text(enum word word, enum lang lang);
/* The word as a format with its arguments put in. */
struct str words_say(struct arena *arena, enum lang lang, enum word word, ...);
/* The same for formats of other lists of words. Over 4 KiB the text is cut between characters. */
struct str words_format(struct arena *arena, const char *format, va_list arguments);

#endif
