#ifndef BASE_FASTEST_H
#define BASE_FASTEST_H

#include <limits.h> /* tells whether the C library is glibc, which the choice at start needs */

/* For loops over many bytes: compiled once more for the widest vectors that the processor may have;
 * which of the two runs is chosen at start. Clang names such a function so that no other file finds
 * it (seen in 14). */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define FASTEST __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define FASTEST
#endif

#endif
