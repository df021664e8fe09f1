/* Fuzzes the TOML reader in both versions: any bytes give a table, places inside the text and
 * errors in order, and what TOML 1.0 takes, 1.1 takes with the same number of keys. */
#include "syntax/toml.h"

#include "document_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena *arena = arena_create();
    struct str text = {(const char *)bytes, size};
    struct document old, new;
    bool is_old = toml_parse(arena, text, TOML_1_0, &old);
    bool is_new = toml_parse(arena, text, TOML_1_1, &new);
    check_document(text, &old, is_old);
    check_document(text, &new, is_new);
    MUST(old.root && old.root->kind == NODE_TABLE && new.root &&new.root->kind == NODE_TABLE);
    MUST(!is_old || (is_new && old.root->count == new.root->count));
    arena_free(arena);
    return 0;
}
