#ifndef BAKE_WRITE_H
#define BAKE_WRITE_H

#include "base/buf.h"
#include "classify/keywords.h"
#include "classify/sieve_stock.h"
#include "rules/rules.h"

/* Each adds C definitions to out. */

/* The files themselves: embedded_files of rules/embedded.h. */
void write_files(struct buf *out, const struct rules_text *files, size_t count);
/* All rows of a table that was read from those files: what rules/built.h declares. */
void write_table(struct buf *out, const struct rules *rules, const struct rules_text *files,
                 size_t count);
/* built_keywords of classify/built_keywords.h. */
void write_keywords(struct buf *out, const struct keywords *keywords);
/* built_stock of classify/sieve_stock.h. */
void write_stock(struct buf *out, const struct sieve_stock *stock);
/* built_codes of classify/built_codes.h. */
void write_codes(struct buf *out, const struct rules *rules);

#endif
