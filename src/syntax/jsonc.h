#ifndef SYNTAX_JSONC_H
#define SYNTAX_JSONC_H

#include "syntax/node.h"

enum json_dialect { JSON_STRICT, JSON_WITH_COMMENTS };

/* Reads a JSON document of any root kind with cJSON doing the parsing, and adds what cJSON lacks:
 * places of keys and values, duplicate keys, invalid UTF-8, NUL, raw control characters, numbers
 * out of form ([012], [1.]). JSON_WITH_COMMENTS also takes // and block comments and trailing
 * commas. Returns true when there was no error.
 *
 * root is there as far as the text could be read, also after errors: a text that breaks off gives
 * all that stood before, a bad value is left out. \u0000 and lone surrogates stand as U+FFFD; of
 * equal keys the last is in force. An integer that fits is a NODE_INTEGER with all its digits.
 * Facts: RFC 8259; cJSON.h of 1.7.15. */
bool json_parse(struct arena *arena, struct str text, enum json_dialect dialect,
                struct document *document);

#endif
