/* Meaning of keys. Takes a key, gives its kind. */
#include "classify/parts.h"

static const struct {
    enum part part;
    struct str key;
} parts[] = {
#define PART(kind, name) {PART_##kind, STR_INIT(name)},
#include "classify/parts.def"
#undef PART
};

enum part part_of(struct str key)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (str_ieq(parts[i].key, key)) {
            return parts[i].part;
        }
    }
    return PART_NONE;
}

const struct loose *part_find(const struct loose *table, enum part part)
{
    for (const struct loose *child = table->first; child; child = child->next) {
        if (part_of(child->key) == part && !loose_is_null(child)) {
            return child;
        }
    }
    return NULL;
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
