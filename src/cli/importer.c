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

void imported_add(struct arena *arena, struct imported *imported, const struct record *record)
{
    imported->records = arena_grow(arena, imported->records, imported->count, &imported->capacity,
                                   sizeof *imported->records);
    imported->records[imported->count++] = *record;
}
