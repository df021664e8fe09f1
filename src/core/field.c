/* Names of the fields that rules test. */
#include "core/field.h"

static const struct str names[] = {
#define FIELD(id, name) STR_INIT(name),
#include "core/field.def"
#undef FIELD
};

struct str field_name(enum field field)
{
    return names[field];
}

bool field_from_name(struct str name, enum field *field)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        if (str_eq(names[i], name)) {
            *field = (enum field)i;
            return true;
        }
    }
    return false;
}
