#ifndef CORE_FIELD_H
#define CORE_FIELD_H

/* Field names that rules test and that findings cite; field.def is the list. */
enum field {
#define FIELD(id, name) FIELD_##id,
#include "core/field.def"
#undef FIELD
    FIELD_COUNT
};

#endif
