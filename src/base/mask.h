#ifndef BASE_MASK_H
#define BASE_MASK_H

#include "base/arena.h"

struct mask_index; /* base/mask_index.h */

/* A key or token. Only the probe reads `value` (to send it) and the key checks (to judge its
 * shape); everything that prints uses the fingerprint. */
struct secret {
    struct str value;    /* unset = there is none */
    char fingerprint[9]; /* first 8 hex digits of the SHA-256 of the value, "" when unset */
};

/* Takes over a copy of value into the arena and computes its fingerprint. */
struct secret secret_create(struct arena *arena, struct str value);

/* What to hide: the secrets known exactly, and the shapes of keys in general (from
 * rules/providers.toml, handed in by the command). The arrays are borrowed. */
struct mask {
    const struct secret *secrets;
    size_t secret_count;
    const struct str
        *key_prefixes; /* "sk-", "AIza": a run of 12 or more key characters behind one is a key */
    size_t prefix_count;
    const struct str *key_shapes; /* of whole keys that have no such beginning, see shape.h */
    size_t shape_count;
    const struct mask_index *index; /* of all this, for many texts; NULL or of others = none */
};

/* Does the mask hold that very secret? */
bool mask_knows(const struct mask *mask, struct str value);

/* s with every secret and everything of a key's shape replaced: known secrets by [key 1a2b3c4d],
 * key shapes and the values of Authorization, x-api-key, api-key headers and key= parameters by
 * [masked], user:password@ of a URL by [masked]@. Gives s itself when there is nothing to hide.
 * Keys that the sender already shortened with stars stay as they are. */
struct str mask_text(struct arena *arena, const struct mask *mask, struct str s);

/* text with every part of the secret replaced by [key 1a2b3c4d] that has nine or more letters and
 * is no mere words: the whole of it too, escaped for JSON, URLs and HTML, or in base64. For what
 * comes from whom the secret was sent to: only there a part of it can be meant. */
struct str mask_parts(struct arena *arena, const struct secret *secret, struct str text);

/* False when mask_parts would change none of the texts, and no piece of them; much cheaper. */
bool mask_may_hold_part(const struct secret *secret, const struct str *texts, size_t count);

#endif
