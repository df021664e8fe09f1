#ifndef BASE_DESCENDANTS_H
#define BASE_DESCENDANTS_H

#include "base/env.h"

#include <sys/types.h>

/* From here on processes whose parents end become children of this process, whatever group or
 * session they went to; or no longer. */
void descendants_adopt(bool is_adopting);

/* Ends every child of this process, and their children as they become ours, by process id, and
 * reaps them. Gives how many were still running, `pid` not counted. What cannot be ended within
 * two seconds is left. */
size_t descendants_end(const struct env *env, pid_t pid);

#endif
