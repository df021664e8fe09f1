/* The list of wires, made of wires.def. */
#include "wire/wire.h"

#define WIRE(name) extern const struct wire wire_##name;
#include "wire/wires.def"
#undef WIRE

static const struct wire *const wires[] = {
#define WIRE(name) &wire_##name,
#include "wire/wires.def"
#undef WIRE
};

size_t wire_count(void)
{
    return sizeof wires / sizeof wires[0];
}

const struct wire *wire_at(size_t index)
{
    return index < wire_count() ? wires[index] : NULL;
}

const struct wire *wire_find(struct str name)
{
    for (size_t i = 0; i < wire_count(); i++) {
        if (str_eq(wires[i]->name, name)) {
            return wires[i];
        }
    }
    return NULL;
}
