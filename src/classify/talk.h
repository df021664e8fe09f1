#ifndef CLASSIFY_TALK_H
#define CLASSIFY_TALK_H

#include "core/observation.h"

/* Whether the words at text[begin, end) of a log's entry are spoken of rather than reported: they
 * stand in a question, an answer, a title, a policy. Where the log itself says that nothing is
 * wrong, more may be talk; where it says nothing, some. has_error: a value beside them is an
 * error's, so quotes around them prove nothing. has_machine: the entry quotes a machine, so words
 * need be no sentence. Private to src/classify. */
bool talk_surrounds(struct str text, size_t begin, size_t end,
                    const struct observation *observation, bool has_error, bool has_machine);

/* Whether a message of a log that the log itself calls information may state anything in words: it
 * is short, opens with a capital, holds a sign between clauses or a machine's spelling. Cheap. */
bool talk_may_state(struct str message);

#endif
