#ifndef INPUT_LOG_RECORD_H
#define INPUT_LOG_RECORD_H

#include "base/arena.h"

/* Records of structured logs: an object of JSON on one line, or pairs of logfmt. Read forgivingly:
 * what is cut off or broken simply has fewer members. */

bool log_is_record(struct str line); /* begins like an object of JSON */

struct log_member {
    struct str name, value; /* as they are written: of a value its quotes and all */
};

/* The member of a JSON record that stands behind line[*at], 0 for the first one; false where there
 * is none. *at: behind its value. Members of inner objects do not count. */
bool log_record_next(struct str line, size_t *at, struct log_member *member);
/* The same for a pair of logfmt; words between pairs are passed over. */
bool log_pairs_next(struct str line, size_t *at, struct log_member *member);

/* Raw value of the first member of a JSON record that has one of the names, quotes and all; unset
 * when there is none. Members of inner objects do not count. */
struct str log_record_member(struct str line, const struct str *names, size_t count);

/* Raw value behind the first of the leads (" msg=") in a line of logfmt; unset when there is none.
 */
struct str log_pair_value(struct str line, const struct str *leads, size_t count);

/* What a quoted value means, escapes undone; a value without quotes is itself. */
struct str log_unquote(struct arena *arena, struct str value);

#endif
