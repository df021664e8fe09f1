#ifndef CORE_FIELD_H
#define CORE_FIELD_H

#include "base/str.h"

/* Field names that rules test and that findings cite; field.def is the list. */
enum field {
#define FIELD(id, name) FIELD_##id,
#include "core/field.def"
#undef FIELD
    FIELD_COUNT
};
struct str field_name(enum field field);
/* False when no field has that name; header.NAME is not in the list and has none. */
bool field_from_name(struct str name, enum field *field);

#endif
