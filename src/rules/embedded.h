#ifndef RULES_EMBEDDED_H
#define RULES_EMBEDDED_H

#include <stddef.h>

/* The files of rules/, put into the binary by the Makefile in order of name:
 * rules/10-transport.toml ..., rules/clients/x.toml, rules/demo.toml. */
struct embedded_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
    /* The same without comments and the examples of rules: empty lines stand in their place, so
     * that all else keeps its line. */
    const unsigned char *brief;
    size_t brief_size;
};

extern const struct embedded_file embedded_files[];
extern const size_t embedded_file_count;

#endif
