#ifndef CONFIG_KEY_H
#define CONFIG_KEY_H

#include "config/config.h"

#define KEY_FILE_BYTES_MAX ((size_t)64 * 1024)

/* A key as it was found, and what is known of the place where it is used. */
struct key_found {
    struct str text;
    struct str name;                 /* variable or file, as the user would fix it */
    struct origin origin;            /* of the text */
    const struct provider *provider; /* whose key it should be, or NULL */
    bool is_own_host; /* the request goes to that provider itself, so its key's shape is certain */
};

/* Judges a key: empty, a placeholder, blanks, quotes, line ends, control characters, another
 * provider's shape. Each problem is added; no message holds any part of the key but a prefix that
 * providers.toml names. Returns false when the key cannot be sent or sending it is pointless. */
bool key_check(struct arena *arena, const struct rules *rules, const struct key_found *key,
               struct problems *problems);

/* The key without a byte order mark, blanks and quotes around it: a part of `text`. */
struct str key_core(struct str text);

/* True for a name that a variable can have; false for what is none, or is a key pasted in its
 * place.
 */
bool key_is_variable_name(struct arena *arena, const struct mask *mask, struct str name);

#endif
