#ifndef CLASSIFY_PREFILTER_H
#define CLASSIFY_PREFILTER_H

#include "rules/rules.h"

/* Finds all keywords of all rules in one pass over a text (Aho and Corasick). Case of ASCII letters
 * is ignored, and the two signs outside ASCII that PCRE2 takes for k and s are too, so that no
 * match of a caseless pattern is missed. */
struct prefilter;

/* Lives in arena; the rules' keywords are borrowed. */
struct prefilter *prefilter_create(struct arena *arena, const struct rules *rules);

/* Sets hits[i] for each rule i of which a keyword occurs in text. */
void prefilter_scan(const struct prefilter *prefilter, struct str text, bool *hits);

#endif
