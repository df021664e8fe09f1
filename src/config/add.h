#ifndef CONFIG_ADD_H
#define CONFIG_ADD_H

#include "config/config.h"

/* The growing lists of struct config. Strings are borrowed: they must live as long as the arena. */

/* Names that lie in an array of structs: the first, and the bytes from one to the next. */
struct names {
    const struct str *first;
    size_t stride_bytes, count;
};
/* `wanted`, or with the first number behind it that makes it a name of its own: "x (2)". */
struct str add_unique_name(struct arena *arena, struct names taken, struct str wanted);

/* Adds a target under a name that is unique in the run (" (2)" is appended where it is taken); a
 * primary becomes the head of its own chain. Gives the name that it got. Its key joins the secrets.
 */
struct str add_target(struct arena *arena, struct config *config, struct target target);
struct config_file *add_file(struct arena *arena, struct config *config, struct str path,
                             enum config_file_status status);
void add_looked(struct arena *arena, struct config *config, struct str place);
/* Remembers something that no output may hold; short and empty values are left out by the mask. */
void add_secret(struct arena *arena, struct config *config, struct str value);

#endif
