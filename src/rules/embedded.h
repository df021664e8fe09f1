#ifndef RULES_EMBEDDED_H
#define RULES_EMBEDDED_H

#include "base/str.h"

/* The files of rules/, put into the binary by src/bake in order of name: rules/10-transport.toml
 * ..., rules/clients/x.toml, rules/demo.toml. */
struct embedded_file {
    const char *name;
    struct str text;
};

extern const struct embedded_file embedded_files[];
extern const size_t embedded_file_count;

#endif
