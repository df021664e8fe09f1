/* Fuzzes the .env reader: any bytes give a table of strings, places inside the text and errors in
 * order. */
#include "syntax/dotenv.h"

#include "document_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena *arena = arena_create();
    struct str text = {(const char *)bytes, size};
    struct document document;
    check_document(text, &document, dotenv_parse(arena, text, NULL, &document));
    MUST(document.root && document.root->kind == NODE_TABLE);
    for (size_t i = 0; i < document.root->count; i++) {
        MUST(document.root->entries[i].value->kind == NODE_STRING);
    }
    arena_free(arena);
    return 0;
}
