#ifndef INPUT_LOG_ABOUT_H
#define INPUT_LOG_ABOUT_H

#include "base/arena.h"

/* The words of log_about.def by their beginnings. Lives in arena; threads may share it. */
struct log_words;
const struct log_words *log_words_create(struct arena *arena);

/* Whom an entry of a log is about: "llm api", "other system", or unset where it does not say. A
 * request to anything else than an LLM API is another system's, and so is the entry of a program
 * that calls none; of an access log the address that was asked for decides alone. What somebody put
 * before the line, such as the name of a service, counts where the line itself tells neither. What
 * stands past the first 16 KiB is not read. */
struct str log_about(const struct log_words *words, struct str entry);
/* The same of a text that is no log's, by its words alone: people show requests to any address. */
struct str log_about_words(const struct log_words *words, struct str text);

#endif
