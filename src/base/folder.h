#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include "base/arena.h"
#include "base/err.h"

/* A new empty directory of mode 0700 in `parent`, unset = /tmp; the path, or unset with *err. */
enum err_code folder_create(struct arena *arena, struct str parent, struct str *path,
                            struct err *err);
/* A directory of mode 0700 in another one. */
enum err_code folder_add(struct arena *arena, struct str path, struct err *err);
/* A new file of mode 0600. */
enum err_code folder_write(struct arena *arena, struct str path, struct str content,
                           struct err *err);
/* Removes it with all that is in it, following no link and leaving no file system. False when
 * something could not be removed. */
bool folder_remove(struct arena *arena, struct str path);

#endif
