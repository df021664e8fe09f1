/* Meaning of keys. Takes a key, gives its kind. */
#include "classify/parts.h"

enum part part_of(struct str key)
{
    /* One comparison of numbers each: most keys differ in length. */
#define PART(kind, name)                                                                           \
    if (key.len == sizeof(name) - 1 && str_istarts(key, STR(name))) {                              \
        return PART_##kind;                                                                        \
    }
#include "classify/parts.def"
#undef PART
    return PART_NONE;
}

bool is_one_of(struct str word, const struct str *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_ieq(word, words[i])) {
            return true;
        }
    }
    return false;
}
