#ifndef RULES_SAMPLE_H
#define RULES_SAMPLE_H

#include "base/arena.h"

/* Texts made from a pattern, to try it on. They are guesses: assertions and back references are
 * passed over, so whoever needs a match must try for it. The same seed gives the same text. */

/* What texts are made from, and what is learnt of the pattern meanwhile: for one thread, and no
 * longer than arena and pattern. */
const struct sampler *sampler_create(struct arena *arena, struct str pattern);

/* A text that the pattern probably matches, with the fewest repetitions or one more and the
 * alternatives that the seed chooses; at most 512 bytes. */
struct str sample_match(struct arena *arena, const struct sampler *sampler, uint32_t seed);

/* The same text with letters of Latin, Greek and Cyrillic outside ASCII in upper case, which
 * patterns match like the lower: unset when it has none. */
struct str sample_raised(struct arena *arena, struct str text);

/* Texts of about `bytes` bytes on which a backtracking matcher has much to try: each repetition
 * without bound in a text like the above goes on and on and then fails. Gives their number, at most
 * SAMPLE_WORST_MAX. */
#define SAMPLE_WORST_MAX 32
size_t sample_worst(struct arena *arena, const struct sampler *sampler, uint32_t seed, size_t bytes,
                    struct str texts[SAMPLE_WORST_MAX]);

#endif
