#ifndef CONFIG_SETTINGS_H
#define CONFIG_SETTINGS_H

#include "config/draft.h"

/* The rows of `diagnose config`. */

/* Adds one row; a value whose text is unset adds nothing. Shadows are listed nearest first. */
void settings_add(struct arena *arena, const struct rules *rules, struct config *config,
                  struct str client, struct str key, const struct value *value);
/* Adds the rows of one finished target, their keys behind `prefix` ("target.NAME." or ""), and
 * remembers what is secret in them. */
void settings_add_target(struct arena *arena, const struct rules *rules, struct config *config,
                         struct str prefix, const struct draft *draft, const struct target *target);

/* Remembers what is secret in a draft, for runs that list no rows. */
void settings_keep_secrets(struct arena *arena, struct config *config, const struct draft *draft);

#endif
