#ifndef FUZZ_DOCUMENT_CHECK_H
#define FUZZ_DOCUMENT_CHECK_H

#include "base/text.h"
#include "syntax/node.h"

#include <stdlib.h>

/* What must hold of every document that a reader of src/syntax gives, whatever the text was; a
 * breach ends the fuzzer. Values are walked, so that the sanitizers see each of them. */

#define MUST(claim)                                                                                \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

struct extent {
    unsigned lines, *columns; /* columns[n] is one past the last column of line n + 1 */
};

static inline struct extent extent_of(struct str text)
{
    struct extent extent = {.lines = 1, .columns = calloc(text.len + 2, sizeof(unsigned))};
    uint32_t ignored;
    MUST(extent.columns);
    extent.columns[0] = 1;
    for (size_t at = str_starts(text, STR("\xEF\xBB\xBF")) ? 3 : 0; at < text.len;) {
        size_t length = utf8_decode(text, at, &ignored);
        if (text.ptr[at] == '\n') {
            extent.columns[extent.lines++] = 1;
        } else {
            extent.columns[extent.lines - 1]++;
        }
        at += length ? length : 1;
    }
    return extent;
}

static inline void check_place(const struct extent *extent, struct pos pos)
{
    MUST(pos.line >= 1 && pos.line <= extent->lines);
    MUST(pos.column >= 1 && pos.column <= extent->columns[pos.line - 1]);
}

static inline void check_node(const struct extent *extent, const struct node *node, unsigned depth)
{
    MUST(node && depth <= SYNTAX_DEPTH_MAX + 1);
    check_place(extent, node->pos);
    MUST(utf8_find_invalid(node->string) < 0);
    for (size_t i = 0; node->kind == NODE_ARRAY && i < node->count; i++) {
        check_node(extent, node->items[i], depth + 1);
    }
    for (size_t i = 0; node->kind == NODE_TABLE && i < node->count; i++) {
        const struct entry *entry = &node->entries[i];
        check_place(extent, entry->pos);
        MUST(utf8_find_invalid(entry->key) < 0);
        MUST(node_entry(node, entry->key) == entry);
        check_node(extent, entry->value, depth + 1);
    }
}

static inline void check_document(struct str text, const struct document *document, bool is_clean)
{
    struct extent extent = extent_of(text);
    MUST(is_clean == (document->error_count == 0));
    MUST(document->error_count <= SYNTAX_ERRORS_MAX);
    for (size_t i = 0; i < document->error_count; i++) {
        const struct syntax_error *error = &document->errors[i];
        check_place(&extent, error->pos);
        MUST(error->message.len > 0 && utf8_find_invalid(error->message) < 0);
        MUST(error->line_text.len <= 200 && str_find_char(error->line_text, '\n') < 0);
        MUST(error->line_text_column >= 1 && error->line_text_column <= error->pos.column);
        MUST(i == 0 || error[-1].pos.line < error->pos.line ||
             (error[-1].pos.line == error->pos.line && error[-1].pos.column <= error->pos.column));
    }
    if (document->root) {
        check_node(&extent, document->root, 0);
    }
    MUST(is_clean ? document->root != NULL : true);
    free(extent.columns);
}

#endif
