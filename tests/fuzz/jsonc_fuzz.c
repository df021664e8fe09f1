/* Fuzzes the JSON reader in both dialects: any bytes give places inside the text and errors in
 * order, and what strict JSON takes, JSON with comments takes too. */
#include "syntax/jsonc.h"

#include "document_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena *arena = arena_create();
    struct str text = {(const char *)bytes, size};
    struct document strict, loose;
    bool is_strict = json_parse(arena, text, JSON_STRICT, &strict);
    bool is_loose = json_parse(arena, text, JSON_WITH_COMMENTS, &loose);
    check_document(text, &strict, is_strict);
    check_document(text, &loose, is_loose);
    MUST(!is_strict || is_loose);
    for (size_t i = 0; i < strict.error_count; i++) {
        /* The scanner and cJSON must never disagree. */
        MUST(!str_eq(strict.errors[i].message, STR("cannot be read as JSON")));
    }
    arena_free(arena);
    return 0;
}
