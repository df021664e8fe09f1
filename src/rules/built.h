#ifndef RULES_BUILT_H
#define RULES_BUILT_H

#include "core/diagnosis.h"

/* The rows of rules/ as constants: src/bake reads the files by the loaders of this room while the
 * program is built and writes them down as C. A rule's examples are left out. */
struct built_list {
    size_t list; /* offset of the struct row_list in struct rules */
    const void *rows;
    size_t count, row_bytes;
};

extern const struct built_list built_lists[];
extern const size_t built_list_count;

extern const struct str built_key_prefixes[], built_key_shapes[];
extern const size_t built_key_prefix_count, built_key_shape_count;

#endif
