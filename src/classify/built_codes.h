#ifndef CLASSIFY_BUILT_CODES_H
#define CLASSIFY_BUILT_CODES_H

#include <stddef.h>
#include <stdint.h>

/* The compiled patterns (classify/code.h) of all conditions of the built-in rules, in order,
 * written by src/bake: pattern i begins at bytes[8 * at[i]]. */
struct built_codes {
    size_t count;
    const uint32_t *at;
    const unsigned char *bytes;
};

extern const struct built_codes built_codes;

#endif
