#ifndef CONFIG_READER_H
#define CONFIG_READER_H

#include "config/config.h"

/* One client's configuration. Adding a client = one file with such a record and a line in
 * readers.def. */
struct reader {
    struct str client; /* name for --client, and id of its block in rules/clients/ */
    /* Adds targets, files, problems and settings of this client to *config. */
    void (*read)(struct arena *arena, const struct env *env, const struct rules *rules,
                 const struct config_request *request, struct config *config);
};

#endif
