/* JSON pointers over answers. Takes a tree and a path of providers.toml, gives the values there. */
#include "wire/pointer.h"

#include <string.h>

#define PARTS_MAX 12
#define NAME_BYTES_MAX 128

struct walk {
    struct str parts[PARTS_MAX];
    size_t part_count;
    bool (*take)(void *context, const cJSON *value);
    void *context;
};

/* A part of a pointer as a C string: "~1" is '/', "~0" is '~'. */
static bool part_name(struct str part, char name[NAME_BYTES_MAX])
{
    size_t length = 0;
    for (size_t i = 0; i < part.len; i++) {
        char c = part.ptr[i];
        if (c == '~' && i + 1 < part.len && str_is_of(part.ptr[i + 1], "01")) {
            c = part.ptr[++i] == '0' ? '~' : '/';
        }
        if (length + 1 >= NAME_BYTES_MAX) {
            return false;
        }
        name[length++] = c;
    }
    name[length] = '\0';
    return true;
}

static const cJSON *member(const cJSON *value, struct str part)
{
    char name[NAME_BYTES_MAX];
    int64_t index;
    if (cJSON_IsArray(value) && str_to_i64(part, &index) && index >= 0 && index < 100000) {
        return cJSON_GetArrayItem(value, (int)index);
    }
    return part_name(part, name) && cJSON_IsObject(value)
               ? cJSON_GetObjectItemCaseSensitive(value, name)
               : NULL;
}

/* False when the walk is to end. Deep is at most PARTS_MAX. */
static bool descend(const struct walk *walk, const cJSON *value, size_t part)
{
    if (value == NULL) {
        return true;
    }
    if (part == walk->part_count) {
        return walk->take(walk->context, value);
    }
    if (!str_eq(walk->parts[part], STR("*"))) {
        return descend(walk, member(value, walk->parts[part]), part + 1);
    }
    bool goes_on = true;
    for (const cJSON *item = value->child; item && goes_on; item = item->next) {
        goes_on = descend(walk, item, part + 1);
    }
    return goes_on;
}

void pointer_walk(const cJSON *body, struct str pointer,
                  bool (*take)(void *context, const cJSON *value), void *context)
{
    struct walk walk = {.take = take, .context = context};
    struct str rest = pointer, part;
    if (!body || !str_is_set(pointer)) {
        return;
    }
    str_split(&rest, '/', &part); /* what stands before the first slash: nothing */
    while (walk.part_count < PARTS_MAX && str_split(&rest, '/', &part)) {
        walk.parts[walk.part_count++] = part;
    }
    descend(&walk, body, 0);
}

static bool take_first(void *context, const cJSON *value)
{
    const cJSON **found = context;
    *found = value;
    return false;
}

const cJSON *pointer_get(const cJSON *body, struct str pointer)
{
    const cJSON *found = NULL;
    pointer_walk(body, pointer, take_first, &found);
    return found;
}
