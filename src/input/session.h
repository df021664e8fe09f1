#ifndef INPUT_SESSION_H
#define INPUT_SESSION_H

#include "base/str.h"

/* What an agent showed of its work at a terminal: what was asked, what it said, what its tools
 * printed, and what failed of its own calls. */
struct session {
    const struct session_kind *kind; /* NULL: the text is none */
    bool is_aside;                   /* the last line was no word about the agent's own calls */
};

/* Starts in front of the first line of a text. */
struct session session_begin(struct str text);

/* Whether the agent tells in the text that a call of its own failed. */
bool session_has_failed(const struct session *session, struct str text);

/* Whether the next line is what somebody said or a tool printed, whatever it tells; of one line
 * after the other. */
bool session_is_aside(struct session *session, struct str line);

#endif
