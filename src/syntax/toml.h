#ifndef SYNTAX_TOML_H
#define SYNTAX_TOML_H

#include "syntax/node.h"

enum toml_version { TOML_1_0, TOML_1_1 };

/* Reads a TOML document. Goes on after an error with the next line or table, so document->errors
 * holds several. Depth (nested values and parts of a dotted key) is bounded by SYNTAX_DEPTH_MAX,
 * size by SYNTAX_BYTES_MAX; a BOM at the start is skipped. Returns true when there was no error.
 * Facts: toml.io/en/v1.0.0 and v1.1.0. */
bool toml_parse(struct arena *arena, struct str text, enum toml_version version,
                struct document *document);

/* The place of byte `offset` of the value of a string that stands at pos in text, and was read
 * without an error; an offset past the end of the value gives the place behind it. */
struct pos toml_string_pos(struct str text, struct pos pos, size_t offset);

#endif
