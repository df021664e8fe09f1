#ifndef CLASSIFY_PREFILTER_H
#define CLASSIFY_PREFILTER_H

#include "rules/rules.h"

/* Finds the literals that rules cannot match without (classify/needs.h) in a text, as keywords_scan
 * does. */
struct prefilter;

/* Lives in arena. */
struct prefilter *prefilter_create(struct arena *arena, const struct rules *rules);

/* Sets hits[i] to whether rule i can match although none of its literals was found, for each rule:
 * none are known. */
void prefilter_begin(const struct prefilter *prefilter, bool *hits);
/* Sets hits[i] for each rule i of which a literal occurs in text. */
void prefilter_scan(const struct prefilter *prefilter, struct str text, bool *hits);

#endif
