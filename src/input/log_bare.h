#ifndef INPUT_LOG_BARE_H
#define INPUT_LOG_BARE_H

#include "base/arena.h"

/* A record of a structured log, an object of JSON on one line or pairs of logfmt, without the
 * values of the members that log_member.def names: moments, measures, and the name of a service, a
 * machine or a model, which is called what it is called. They are no evidence of a failure. The
 * value `told`, a slice of the line, goes as well, for it is told elsewhere; unset: none does. In
 * place of a value stands an empty one of its kind, so that a whole record stays one; what is cut
 * off stays as it is. The line itself where nothing goes; else it lives in arena. */
struct str log_record_bare(struct arena *arena, struct str line, struct str told);

#endif
