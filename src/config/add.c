/* The growing lists of struct config. Takes finished pieces from the readers; sees to it that no
 * two targets of a run have one name. */
#include "config/add.h"

#include "base/mask_form.h"
#include "config/key.h"

static struct str name_at(struct names names, size_t index)
{
    const char *first = (const char *)names.first;
    return *(const struct str *)(const void *)(first + index * names.stride_bytes);
}

static bool is_taken(struct names taken, struct str name)
{
    for (size_t i = 0; i < taken.count; i++) {
        if (str_eq(name_at(taken, i), name)) {
            return true;
        }
    }
    return false;
}

/* Names that are `name` with something behind it: from that number on it is soon free, so that many
 * targets of one name stay cheap. */
static unsigned count_numbered(struct names taken, struct str name)
{
    unsigned count = 0;
    for (size_t i = 0; i < taken.count; i++) {
        struct str other = name_at(taken, i);
        count +=
            str_starts(other, name) && str_starts(str_slice(other, name.len, other.len), STR(" ("));
    }
    return count;
}

struct str add_unique_name(struct arena *arena, struct names taken, struct str wanted)
{
    struct str name = wanted;
    if (!is_taken(taken, name)) {
        return name;
    }
    unsigned most = count_numbered(taken, wanted) + 2;
    for (unsigned n = most > 100 ? most : 2; is_taken(taken, name); n++) {
        name = arena_printf(arena, "%.*s (%u)", STR_ARG(wanted), n);
    }
    return name;
}

struct str add_target(struct arena *arena, struct config *config, struct target target)
{
    struct str name = target.name;
    if (str_set_find(&config->name_set, name) != SIZE_MAX) {
        const struct names taken = {&config->targets->name, sizeof target, config->target_count};
        name = add_unique_name(arena, taken, target.name);
    }
    target.name = name;
    str_set_add(arena, &config->name_set, name, config->target_count);
    if (target.role == ROLE_PRIMARY || !str_is_set(target.chain)) {
        target.chain = name;
    }
    /* What a server repeats may lack the blanks and quotes around the key. */
    add_secret(arena, config, target.key.value);
    add_secret(arena, config, key_core(target.key.value));
    config->targets = arena_grow(arena, config->targets, config->target_count,
                                 &config->target_capacity, sizeof *config->targets);
    config->targets[config->target_count++] = target;
    return name;
}

struct config_file *add_file(struct arena *arena, struct config *config, struct str path,
                             enum config_file_status status)
{
    config->files = arena_grow(arena, config->files, config->file_count, &config->file_capacity,
                               sizeof *config->files);
    config->files[config->file_count] = (struct config_file){.path = path, .status = status};
    return &config->files[config->file_count++];
}

void add_looked(struct arena *arena, struct config *config, struct str place)
{
    struct str *looked = arena_grow(arena, config->looked, config->looked_count,
                                    &config->looked_capacity, sizeof *looked);
    looked[config->looked_count++] = place;
    config->looked = looked;
}

static void keep_secret(struct arena *arena, struct config *config, struct secret secret)
{
    if (str_set_find(&config->secret_set, secret.value) != SIZE_MAX) {
        return;
    }
    config->secrets = arena_grow(arena, config->secrets, config->secret_count,
                                 &config->secret_capacity, sizeof *config->secrets);
    str_set_add(arena, &config->secret_set, secret.value, config->secret_count);
    config->secrets[config->secret_count++] = secret;
}

void add_secret(struct arena *arena, struct config *config, struct str value)
{
    if (str_is_empty(value) || str_set_find(&config->secret_set, value) != SIZE_MAX) {
        return;
    }
    const struct secret secret = secret_create(arena, value);
    struct secret forms[MASK_FORMS_MAX];
    size_t count = mask_forms(arena, &secret, forms);
    keep_secret(arena, config, secret);
    for (size_t i = 0; i < count; i++) {
        keep_secret(arena, config, forms[i]);
    }
}
