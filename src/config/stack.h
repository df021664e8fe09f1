#ifndef CONFIG_STACK_H
#define CONFIG_STACK_H

#include "config/note.h"

/* Files of settings one over the other, as clients merge them: tables key by key, everything else
 * as a whole. Nothing is merged in memory, so that every value keeps its place and its shadows. */

/* A text that stands at a key which nothing reads, and the key of the top level that was meant. */
struct wish {
    struct str key;
    struct value value;
};

/* One file. */
struct layer {
    struct str label; /* "user file", "project file" */
    struct source source;
    struct str project; /* directory of the project whose file it is, or unset */
    struct document document;
    const struct str *denied; /* top-level keys that such a file may not set */
    size_t denied_count;
    struct problems problems;
    struct wish *wishes;
    size_t wish_count, wish_capacity;
    bool has_error; /* one of them is no warning: the client refuses the file */
};

struct stack {
    struct layer **layers; /* the weakest first */
    size_t count;
};

/* A place in a tree of settings: the names down to it. */
struct key_path {
    struct str parts[4];
    size_t count;
};
#define KEY_PATH(...)                                                                              \
    ((struct key_path){{__VA_ARGS__}, sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str)})

/* The value there in one file, or NULL; denied keys are not there. */
const struct node *layer_node(const struct layer *layer, const struct key_path *path);
/* The entry of the last part, for the place of a key or header; or NULL. */
const struct entry *layer_entry(const struct layer *layer, const struct key_path *path);

/* A string over what was said before, each file's over that of a weaker one. */
struct value stack_string(struct arena *arena, const struct stack *stack, struct value below,
                          struct key_path path);
/* The strongest value of a key with the file that it is in (may be NULL), or NULL. */
const struct node *stack_node(const struct stack *stack, struct key_path path,
                              const struct layer **layer);
bool stack_bool(const struct stack *stack, struct key_path path, bool fallback);

/* Names of all keys of a table over all files, each once, in order; the first STACK_NAMES_MAX. */
#define STACK_NAMES_MAX 1000
struct str *stack_names(struct arena *arena, const struct stack *stack, struct key_path path,
                        size_t *count);

/* Adds lines of the files to problems from index `from` on that have none. */
void stack_fill_lines(struct arena *arena, const struct stack *stack, struct problems *problems,
                      size_t from);

#endif
