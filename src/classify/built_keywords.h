#ifndef CLASSIFY_BUILT_KEYWORDS_H
#define CLASSIFY_BUILT_KEYWORDS_H

#include "classify/keywords.h"

/* The keyword filter of the rules that are built in (rules/built.h), written by src/bake. */
extern const struct keywords built_keywords;

#endif
