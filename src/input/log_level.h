#ifndef INPUT_LOG_LEVEL_H
#define INPUT_LOG_LEVEL_H

#include "base/str.h"

struct log_level {
    struct str name;
    bool is_ordinary; /* nothing is wrong: INFO and below */
    bool is_warning;  /* that is open */
};

/* The level that the text begins with, or NULL. In lower case only where something before it makes
 * it one: "error: no such file" is a message. */
const struct log_level *log_level_at(struct str rest, bool may_be_lower);

/* That of "fail: App.Chat[7]", as .NET prints it, or NULL. */
const struct log_level *log_level_of_category(struct str line);

#endif
