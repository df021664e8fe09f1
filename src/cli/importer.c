/* The importers by the name of their client. */
#include "cli/importer.h"

#define IMPORTER(name) extern const struct importer importer_##name;
#include "cli/importers.def"
#undef IMPORTER

static const struct importer *const importers[] = {
#define IMPORTER(name) &importer_##name,
#include "cli/importers.def"
#undef IMPORTER
};

size_t importer_count(void)
{
    return sizeof importers / sizeof importers[0];
}

const struct importer *importer_at(size_t index)
{
    return importers[index];
}

const struct importer *importer_find(struct str client)
{
    for (size_t i = 0; i < importer_count(); i++) {
        if (str_eq(str_from(importers[i]->client), client)) {
            return importers[i];
        }
    }
    return NULL;
}

void imported_add(struct imported *imported, const struct record *record)
{
    imported->records = arena_grow(imported->arena, imported->records, imported->count,
                                   &imported->capacity, sizeof *imported->records);
    imported->records[imported->count++] = *record;
}

bool imported_is_full(const struct imported *imported)
{
    return imported->max_count && imported->count >= imported->max_count;
}

void imported_end_file(struct imported *imported, const struct history_mark *mark)
{
    if (mark) {
        imported->marks = arena_grow(imported->arena, imported->marks, imported->mark_count,
                                     &imported->mark_capacity, sizeof *mark);
        imported->marks[imported->mark_count++] = *mark;
    }
    if (imported->take) {
        imported->take(imported, imported->context);
        arena_free(imported->arena);
        imported->arena = arena_create();
        imported->records = NULL;
        imported->marks = NULL;
        imported->count = imported->capacity = 0;
        imported->mark_count = imported->mark_capacity = 0;
    }
}
