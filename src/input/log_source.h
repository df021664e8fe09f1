#ifndef INPUT_LOG_SOURCE_H
#define INPUT_LOG_SOURCE_H

#include "base/str.h"

/* "llm-gateway-1  | " of docker compose, "[pod/llm-0/app] " of kubectl, "llm-66669684bd-27fzq app "
 * of stern, "(Server pid=7) ": bytes up to what was printed; 0 where no name stands in front. */
size_t log_source_length(struct str line);

/* "[GIN] ", "[SYS] ": the name that a program gives a part of itself; 0 where none stands in front.
 */
size_t log_tag_length(struct str line);

#endif
