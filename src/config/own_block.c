/* Keys of one table of our own file. Takes the parsed table, gives its entries by key, each checked
 * for type and for what can be seen without its neighbours; unknown keys get a suggestion. */
#include "config/own.h"

#include "base/text.h"
#include "config/header.h"
#include "config/key.h"

#define VALUE_BYTES_MAX 4096
#define HEADERS_MAX 100 /* as servers take; merging is quadratic */

enum shape { SHAPE_STRING, SHAPE_STRINGS, SHAPE_HEADERS, SHAPE_DURATION };

static const struct row {
    struct str name;
    enum shape shape;
    bool is_target_key, is_default_key, is_empty_allowed;
} rows[OWN_KEY_COUNT] = {
#define OWN_KEY(id, name, shape, target, defaults, empty)                                          \
    [OWN_##id] = {STR_INIT(name), SHAPE_##shape, target, defaults, empty},
#include "config/own_key.def"
#undef OWN_KEY
};

/* What other programs call the same thing. */
static const struct {
    struct str written, meant;
} other_names[] = {
    {STR_INIT("api_key"), STR_INIT("key_env")},
    {STR_INIT("apikey"), STR_INIT("key_env")},
    {STR_INIT("key"), STR_INIT("key_env")},
    {STR_INIT("token"), STR_INIT("key_env")},
    {STR_INIT("env_key"), STR_INIT("key_env")},
    {STR_INIT("api_key_env"), STR_INIT("key_env")},
    {STR_INIT("url"), STR_INIT("base_url")},
    {STR_INIT("endpoint"), STR_INIT("base_url")},
    {STR_INIT("api_base"), STR_INIT("base_url")},
    {STR_INIT("wire_api"), STR_INIT("wire")},
    {STR_INIT("api"), STR_INIT("wire")},
    {STR_INIT("model_provider"), STR_INIT("provider")},
    {STR_INIT("model_fallback"), STR_INIT("fallback")},
    {STR_INIT("http_headers"), STR_INIT("headers")},
    {STR_INIT("cacert"), STR_INIT("ca_file")},
    {STR_INIT("https_proxy"), STR_INIT("proxy")},
    {STR_INIT("http_proxy"), STR_INIT("proxy")},
    {STR_INIT("timeout_ms"), STR_INIT("timeout")},
};

const struct str *own_key_names(size_t *count)
{
    static const struct str names[OWN_KEY_COUNT] = {
#define OWN_KEY(id, name, shape, target, defaults, empty) [OWN_##id] = STR_INIT(name),
#include "config/own_key.def"
#undef OWN_KEY
    };
    *count = OWN_KEY_COUNT;
    return names;
}

bool own_key_is_default(struct str name)
{
    for (size_t i = 0; i < OWN_KEY_COUNT; i++) {
        if (rows[i].is_default_key && str_eq(rows[i].name, name)) {
            return true;
        }
    }
    return false;
}

static void fault(struct own *own, struct own_block *block, size_t key, struct pos pos,
                  struct str code, struct str message)
{
    note_at(own->arena, &block->problems, &own->source, pos, code, false, message);
    block->is_bad[key] = true;
    block->has_error = true;
}

static bool is_shape(const struct row *row, const struct node *value)
{
    switch (row->shape) {
    case SHAPE_STRINGS:
        return value->kind == NODE_ARRAY;
    case SHAPE_HEADERS:
        return value->kind == NODE_TABLE;
    case SHAPE_STRING:
    case SHAPE_DURATION:
        break;
    }
    return value->kind == NODE_STRING;
}

static const char *expected_of(enum shape shape)
{
    switch (shape) {
    case SHAPE_STRINGS:
        return "an array of strings: [\"model\", \"target name\"]";
    case SHAPE_HEADERS:
        return "a table of strings: { \"x-team\" = \"a\" }";
    case SHAPE_DURATION:
        return "a duration in quotes: \"500ms\", \"20s\" or \"2m\"";
    case SHAPE_STRING:
        break;
    }
    return "a string in quotes";
}

static bool check_string(struct own *own, struct own_block *block, size_t key,
                         const struct node *value, bool is_empty_allowed)
{
    const char *wrong = NULL;
    if (str_is_empty(str_trim(value->string)) && !is_empty_allowed) {
        wrong = "is empty: write a value or leave the key out";
    } else if (value->string.len > VALUE_BYTES_MAX) {
        wrong = "is longer than 4096 bytes";
    } else if (!header_is_value(value->string)) {
        wrong = "has a line end or control character in it";
    }
    if (wrong) {
        struct str message = arena_printf(own->arena, "%.*s %s", STR_ARG(rows[key].name), wrong);
        fault(own, block, key, value->pos, STR("bad_value"), message);
    }
    return !wrong;
}

static void check_header(struct own *own, struct own_block *block, const struct entry *entry)
{
    struct str name = note_quote(own->arena, &own->source.mask, entry->key);
    if (!header_is_name(entry->key)) {
        fault(own, block, OWN_HEADERS, entry->pos, STR("bad_value"),
              arena_printf(own->arena, "headers: %.*s is no name of a header", STR_ARG(name)));
    } else if (entry->value->kind != NODE_STRING) {
        fault(own, block, OWN_HEADERS, entry->value->pos, STR("bad_type"),
              arena_printf(own->arena, "headers: %.*s is a %s: expected a string in quotes",
                           STR_ARG(name), node_kind_name(entry->value->kind)));
    } else if (!header_is_value(entry->value->string)) {
        fault(own, block, OWN_HEADERS, entry->value->pos, STR("bad_value"),
              arena_printf(own->arena,
                           "headers: the value of %.*s has a line end or control character in it, "
                           "or is longer than 4096 bytes",
                           STR_ARG(name)));
    }
}

/* The name of a variable, not the key itself: people paste keys there. */
static void check_variable_name(struct own *own, struct own_block *block, const struct node *value)
{
    if (!key_is_variable_name(own->arena, &own->source.mask, value->string)) {
        struct str message =
            STR("key_env takes the name of a variable, such as OPENAI_API_KEY, not "
                "the key itself nor \"$NAME\"");
        /* Without its line: whatever stands there may be a key of any shape. */
        note_add(own->arena, &block->problems, note_origin(&own->source, value->pos),
                 STR("bad_value"), false, message);
        block->is_bad[OWN_KEY_ENV] = block->has_error = true;
    }
}

static void check_strings(struct own *own, struct own_block *block, size_t key,
                          const struct node *value)
{
    for (size_t i = 0; i < value->count; i++) {
        const struct node *item = value->items[i];
        if (item->kind == NODE_STRING) {
            check_string(own, block, key, item, false);
        } else {
            struct str message = arena_printf(
                own->arena, "%.*s holds a value of type %s: expected %s", STR_ARG(rows[key].name),
                node_kind_name(item->kind), expected_of(rows[key].shape));
            fault(own, block, key, item->pos, STR("bad_type"), message);
        }
    }
}

static void check_headers(struct own *own, struct own_block *block, const struct node *value)
{
    if (value->count > HEADERS_MAX) {
        fault(own, block, OWN_HEADERS, value->pos, STR("bad_value"),
              arena_printf(own->arena, "headers has %zu entries: expected %d at most", value->count,
                           HEADERS_MAX));
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        check_header(own, block, &value->entries[i]);
    }
}

static void check_entry(struct own *own, struct own_block *block, size_t key,
                        const struct entry *entry)
{
    const struct node *value = entry->value;
    const struct row *row = &rows[key];
    if (!is_shape(row, value)) {
        struct str message =
            arena_printf(own->arena, "%.*s is of type %s: expected %s", STR_ARG(row->name),
                         node_kind_name(value->kind), expected_of(row->shape));
        fault(own, block, key, value->pos, STR("bad_type"), message);
        return;
    }
    if (row->shape == SHAPE_STRINGS) {
        check_strings(own, block, key, value);
    } else if (row->shape == SHAPE_HEADERS) {
        check_headers(own, block, value);
    } else if (check_string(own, block, key, value, row->is_empty_allowed)) {
        int64_t ms;
        if (key == OWN_KEY_ENV) {
            check_variable_name(own, block, value);
        } else if (row->shape == SHAPE_DURATION &&
                   (!str_to_duration_ms(value->string, &ms) || ms <= 0)) {
            struct str shown = note_quote(own->arena, &own->source.mask, value->string);
            fault(own, block, key, value->pos, STR("bad_value"),
                  arena_printf(own->arena, "%.*s = %.*s is no time to wait: expected %s",
                               STR_ARG(row->name), STR_ARG(shown), expected_of(row->shape)));
        }
    }
    if (!block->is_bad[key]) {
        block->entries[key] = entry;
    }
}

static void note_unknown(struct own *own, struct own_block *block, const struct entry *entry,
                         bool is_defaults)
{
    struct str known[OWN_KEY_COUNT];
    size_t count = 0;
    bool is_elsewhere = false;
    for (size_t i = 0; i < OWN_KEY_COUNT; i++) {
        if (is_defaults ? rows[i].is_default_key : rows[i].is_target_key) {
            known[count++] = rows[i].name;
        } else {
            is_elsewhere = is_elsewhere || str_eq(rows[i].name, entry->key);
        }
    }
    struct str where = is_defaults ? STR("[defaults]") : STR("[[target]]");
    struct str other = is_defaults ? STR("[[target]]") : STR("[defaults]");
    struct str name = note_quote(own->arena, &own->source.mask, entry->key);
    struct str message =
        is_elsewhere ? arena_printf(own->arena, "%.*s is not read in %.*s: it belongs in %.*s",
                                    STR_ARG(name), STR_ARG(where), STR_ARG(other))
                     : arena_printf(own->arena, "%.*s is not a key of %.*s, so it is not read",
                                    STR_ARG(name), STR_ARG(where));
    struct problem *problem = note_at(own->arena, &block->problems, &own->source, entry->pos,
                                      STR("unknown_key"), true, message);
    if (is_elsewhere) {
        return;
    }
    problem->suggestion = str_nearest(entry->key, known, count);
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++) {
        if (str_ieq(other_names[i].written, entry->key) &&
            (!is_defaults || own_key_is_default(other_names[i].meant))) {
            problem->suggestion = other_names[i].meant;
        }
    }
}

void own_block_read(struct own *own, const struct node *table, struct pos pos, bool is_defaults,
                    struct own_block *block)
{
    *block = (struct own_block){.pos = pos};
    for (size_t i = 0; table && i < table->count; i++) {
        const struct entry *entry = &table->entries[i];
        size_t key = 0;
        while (key < OWN_KEY_COUNT && !str_eq(rows[key].name, entry->key)) {
            key++;
        }
        bool is_known = key < OWN_KEY_COUNT &&
                        (is_defaults ? rows[key].is_default_key : rows[key].is_target_key);
        if (is_known) {
            check_entry(own, block, key, entry);
        } else {
            note_unknown(own, block, entry, is_defaults);
        }
    }
}
