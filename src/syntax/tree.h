#ifndef SYNTAX_TREE_H
#define SYNTAX_TREE_H

#include "syntax/node.h"
#include "syntax/place.h"

/* What the readers of this room build their documents with. */

/* Empties *document and looks at the text as a whole: false, with reject and one error set, when it
 * is over SYNTAX_BYTES_MAX, not UTF-8, or holds a NUL. */
bool tree_open(struct arena *arena, struct str text, struct document *document);

/* Adds an error, in order of the file; one too many (SYNTAX_ERRORS_MAX) is dropped. */
__attribute__((format(printf, 5, 6))) void tree_error(struct arena *arena, struct str text,
                                                      struct document *document, struct pos pos,
                                                      const char *format, ...);
/* The same for a key that was there before. Both messages hold no value of the text, only keys. */
__attribute__((format(printf, 5, 6))) void tree_duplicate(struct arena *arena, struct str text,
                                                          struct document *document, struct pos pos,
                                                          const char *format, ...);

struct node *tree_node(struct arena *arena, enum node_kind kind, struct pos pos);
/* Adds to a TABLE a key that is not there yet (the key's bytes must live as long as the arena). */
void tree_put(struct arena *arena, struct node *table, struct str key, struct pos pos,
              struct node *value);
/* The entry of a key, to be changed; good until the next tree_put on this table. */
struct entry *tree_find(struct node *table, struct str key);
/* Adds an item to an ARRAY. */
void tree_push(struct arena *arena, struct node *array, struct node *item);

/* A key for a message: quoted, safe to show, at most 60 columns. */
struct str tree_show_key(struct arena *arena, struct str key);
/* The character at an offset for a message: "'x'", "end of line", "end of file", "U+201C". */
struct str tree_show_char(struct arena *arena, struct str text, size_t at);

#endif
