#ifndef CONFIG_PATH_H
#define CONFIG_PATH_H

#include "config/config.h"

/* The home directory of a request, or unset. */
struct str path_home(const struct env *env, const struct config_request *request);
/* A path as the user would write it: the home directory becomes ~. */
struct str path_shown(struct arena *arena, struct str home, struct str path);
/* A path of a file of configuration as the system takes it: ~ and ~/ are the home directory, a
 * relative path starts at `directory` (unset = the working directory). */
struct str path_resolve(struct arena *arena, struct str home, struct str directory,
                        struct str path);
/* The directory that a file is in, without the last slash; unset when the path names none. */
struct str path_directory(struct str path);
/* A file below the user's configuration directory: $XDG_CONFIG_HOME when it is absolute (the
 * specification calls relative ones invalid), else ~/.config. Unset without a home. */
struct str path_user_config(struct arena *arena, const struct env *env, struct str home,
                            struct str name);

#endif
