/* The list of wires, made of wires.def, and the reading of free requests, which is the same for
 * all of them. */
#include "wire/wire.h"

#include "wire/answer.h"

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

void wire_read_listing(struct arena *arena, bool is_whole, struct observation *observation)
{
    if (answer_settle(arena, is_whole, observation)) {
        return;
    }
    struct str text = answer_text(observation);
    /* Lists of models may be longer than the bound of a body; their beginning proves as much. */
    if (observation->is_body_cut && (text.ptr[0] == '{' || text.ptr[0] == '[')) {
        observation->outcome = OUTCOME_COMPLETE;
        return;
    }
    cJSON *body = answer_parse(arena, is_whole, STR(""), observation);
    if (body) {
        observation->outcome = body_has_error(body) ? OUTCOME_FAILED : OUTCOME_COMPLETE;
        cJSON_Delete(body);
    }
}
