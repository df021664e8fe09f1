#ifndef CONFIG_LAYER_H
#define CONFIG_LAYER_H

#include "core/origin.h"

/* A value said in several places: the strongest is in force, the others are its shadows. */

/* text on top of what was said before; an unset text changes nothing. */
struct value layer_over(struct arena *arena, struct value below, struct str text,
                        struct origin origin);
/* text at the very bottom: in force only when nothing else was said. Unset changes nothing. */
struct value layer_under(struct arena *arena, struct value above, struct str text,
                         struct origin origin);
/* Name of the layer that an origin belongs to, as `diagnose config` shows it: "option", "env",
 * "user file", "default". */
struct str layer_name(struct origin origin);

#endif
