#ifndef CONFIG_REMARK_H
#define CONFIG_REMARK_H

#include "config/draft.h"

/* Remarks on settings that are in force: true, and nobody's fault. */

/* Adds a remark when a value hides others that say something else. label: what the user calls the
 * setting. A hidden default is none. From a variable it is a warning, else only worth knowing. */
void remark_shadows(struct arena *arena, const struct rules *rules, struct problems *problems,
                    struct str label, const struct value *value);

/* Adds what there is to say of a finished target: hidden models and addresses, and which of several
 * keys is sent. */
void remark_target(struct arena *arena, const struct rules *rules, const struct draft *draft,
                   struct target *target);

/* Adds to config->problems that a chain names this model once more. */
void remark_repeated(struct arena *arena, const struct rules *rules, struct config *config,
                     const struct value *model);

/* Adds to config->problems what there is to say of the chains of fallbacks: models that stand in
 * one twice, one provider and key behind all, two models in high demand in front. */
void remark_chains(struct arena *arena, const struct rules *rules, struct config *config);

#endif
