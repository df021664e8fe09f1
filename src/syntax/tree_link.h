#ifndef SYNTAX_TREE_LINK_H
#define SYNTAX_TREE_LINK_H

#include "syntax/node.h"

#include <string.h>

/* The search tree over the entries of a big table: an AA tree (a red-black tree of fewer cases).
 * A balanced tree and no hash, since whoever writes a file could choose keys that collide. Links
 * are positions in node.entries plus one; 0 is none. */
struct entry_link {
    uint32_t left, right, level;
};

/* Order of keys in that tree: by length, then by bytes. */
static inline int link_order(struct str a, struct str b)
{
    if (a.len != b.len) {
        return a.len < b.len ? -1 : 1;
    }
    return a.len ? memcmp(a.ptr, b.ptr, a.len) : 0;
}

#endif
