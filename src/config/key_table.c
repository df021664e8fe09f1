/* Settings against the table of a client's keys. Takes a parsed file and a version, gives problems
 * with places. Which keys there are, and when, is data. */
#include "config/key_table.h"

#include "config/suggest.h"

#define NAMES_MAX 256

/* A table of the file while it is walked. */
struct walk {
    const struct key_check *check;
    struct layer *layer;
    struct key_path path;
};

static bool is_path(struct str pattern, const struct key_path *path)
{
    struct str rest = pattern, part;
    size_t i = 0;
    while (str_split(&rest, '.', &part)) {
        if (i >= path->count || (!str_eq(part, STR("*")) && !str_eq(part, path->parts[i]))) {
            return false;
        }
        i++;
    }
    return i == path->count;
}

const struct client_key *key_table_find(const struct key_check *check, const struct key_path *path,
                                        bool *is_of_version)
{
    const struct client_key *other = NULL;
    for (size_t i = 0; i < rules_client_key_count(check->rules); i++) {
        const struct client_key *key = rules_client_key_at(check->rules, i);
        if (!str_eq(key->client, check->client) || !is_path(key->path, path)) {
            continue;
        }
        if (version_is_in(check->version, key->range)) {
            *is_of_version = true;
            return key;
        }
        other = key;
    }
    *is_of_version = false;
    return other;
}

/* Last part of a pattern. */
static struct str last_part(struct str pattern)
{
    struct str rest = pattern, part = {NULL, 0};
    while (str_split(&rest, '.', &part)) {
    }
    return part;
}

const struct str *key_table_plain(struct arena *arena, const struct rules *rules, struct str client,
                                  size_t *count)
{
    size_t most = rules_client_key_count(rules);
    struct str *names = ARENA_ARRAY(arena, most + 1, struct str);
    *count = 0;
    for (size_t i = 0; i < most; i++) {
        const struct client_key *key = rules_client_key_at(rules, i);
        struct str name = last_part(key->path);
        if (str_eq(key->client, client) && !key->is_secret && !str_eq(name, STR("*"))) {
            names[(*count)++] = name;
        }
    }
    return names;
}

/* "model_providers.x.wire_api", fit for a message. */
static struct str path_text(const struct walk *walk)
{
    struct str text = {NULL, 0};
    for (size_t i = 0; i < walk->path.count; i++) {
        text = arena_printf(walk->check->arena, "%.*s%s%.*s", STR_ARG(text), i ? "." : "",
                            STR_ARG(walk->path.parts[i]));
    }
    struct str quoted = note_quote(walk->check->arena, &walk->layer->source.mask, text);
    return str_slice(quoted, 1, quoted.len - 1);
}

static struct problem *add(const struct walk *walk, struct pos pos, struct str code,
                           bool is_warning, struct str message)
{
    walk->layer->has_error = walk->layer->has_error || !is_warning;
    return note_at(walk->check->arena, &walk->layer->problems, &walk->layer->source, pos, code,
                   is_warning, message);
}

/* The nearest key that this version reads in the same table. */
static struct str nearest_key(const struct walk *walk)
{
    const struct key_check *check = walk->check;
    struct str names[NAMES_MAX];
    size_t count = 0;
    struct key_path sibling = walk->path;
    for (size_t i = 0; i < rules_client_key_count(check->rules) && count < NAMES_MAX; i++) {
        const struct client_key *key = rules_client_key_at(check->rules, i);
        sibling.parts[sibling.count - 1] = last_part(key->path);
        if (str_eq(key->client, check->client) && !key->is_unread &&
            version_is_in(check->version, key->range) && is_path(key->path, &sibling)) {
            names[count++] = sibling.parts[sibling.count - 1];
        }
    }
    return str_nearest(walk->path.parts[walk->path.count - 1], names, count);
}

/* What the client itself says of an unread key. */
static const char *echo_of(const struct walk *walk)
{
    return walk->check->are_unknown_named ? "" : ", and it does not say so";
}

static void note_unknown(const struct walk *walk, const struct entry *entry,
                         const struct client_key *other)
{
    const struct key_check *check = walk->check;
    struct str path = path_text(walk);
    struct str message;
    if (other && !other->is_unread) {
        bool is_gone = str_is_set(other->range.until) &&
                       version_compare(check->version, other->range.until) >= 0;
        message = arena_printf(
            check->arena, "%.*s is not read by %.*s %.*s: it was valid %s %.*s%s", STR_ARG(path),
            STR_ARG(check->client_name), STR_ARG(check->version), is_gone ? "until" : "only from",
            STR_ARG(is_gone ? other->range.until : other->range.since), is_gone ? "" : " on");
    } else if (other && other->is_fallback) {
        message = arena_printf(check->arena,
                               "%.*s is not read by any version of %.*s, so nothing switches to "
                               "another model on its own",
                               STR_ARG(path), STR_ARG(check->client_name));
    } else if (other) {
        message = arena_printf(check->arena, "%.*s is not read by any version of %.*s%s",
                               STR_ARG(path), STR_ARG(check->client_name), echo_of(walk));
    } else {
        message =
            arena_printf(check->arena, "%.*s is not a key that %.*s %.*s reads%s", STR_ARG(path),
                         STR_ARG(check->client_name), STR_ARG(check->version), echo_of(walk));
    }
    struct problem *problem = add(walk, entry->pos, STR("unknown_key"), true, message);
    problem->suggestion = other ? other->instead : nearest_key(walk);
}

static bool are_strings(const struct node *node)
{
    for (size_t i = 0; i < node->count; i++) {
        const struct node *item =
            node->kind == NODE_ARRAY ? node->items[i] : node->entries[i].value;
        if (item->kind != NODE_STRING) {
            return false;
        }
    }
    return true;
}

static bool has_shape(enum key_shape shape, const struct node *node)
{
    const enum node_kind kind = node->kind;
    switch (shape) {
    case SHAPE_STRING:
        return kind == NODE_STRING;
    case SHAPE_INTEGER:
        return kind == NODE_INTEGER;
    case SHAPE_UNSIGNED:
        return kind == NODE_INTEGER && node->integer >= 0;
    case SHAPE_NUMBER:
        return kind == NODE_INTEGER || kind == NODE_FLOAT;
    case SHAPE_BOOLEAN:
        return kind == NODE_BOOL;
    case SHAPE_STRINGS:
        return kind == NODE_ARRAY && are_strings(node);
    case SHAPE_STRING_OR_STRINGS:
        return kind == NODE_STRING || (kind == NODE_ARRAY && are_strings(node));
    case SHAPE_STRING_OR_TABLE:
        return kind == NODE_STRING || kind == NODE_TABLE;
    case SHAPE_BOOLEAN_OR_TABLE:
        return kind == NODE_BOOL || kind == NODE_TABLE;
    case SHAPE_MAP:
        return kind == NODE_TABLE && are_strings(node);
    case SHAPE_TABLE:
    case SHAPE_OPEN:
        return kind == NODE_TABLE;
    case SHAPE_ANY:
    case SHAPE_COUNT:
        break;
    }
    return true;
}

/* "is a list with other things than strings in it" would be told as the list's own kind. */
static const char *kind_text(const struct node *node)
{
    if (node->kind == NODE_ARRAY && !are_strings(node)) {
        return "array of more than strings";
    }
    if (node->kind == NODE_TABLE && !are_strings(node)) {
        return "table of more than strings";
    }
    return node->kind == NODE_INTEGER && node->integer < 0 ? "number below 0"
                                                           : node_kind_name(node->kind);
}

static bool is_among(const struct client_key *key, struct str text)
{
    for (size_t i = 0; i < key->value_count; i++) {
        if (str_eq(key->values[i], text)) {
            return true;
        }
    }
    return key->value_count == 0;
}

/* Another version took this value: the row of that version, or NULL. */
static const struct client_key *row_with_value(const struct walk *walk, struct str text)
{
    for (size_t i = 0; i < rules_client_key_count(walk->check->rules); i++) {
        const struct client_key *key = rules_client_key_at(walk->check->rules, i);
        if (str_eq(key->client, walk->check->client) && is_path(key->path, &walk->path) &&
            key->value_count && is_among(key, text)) {
            return key;
        }
    }
    return NULL;
}

static void check_string(const struct walk *walk, const struct client_key *key,
                         const struct node *value)
{
    struct arena *arena = walk->check->arena;
    struct str path = path_text(walk);
    if (key->is_filled && str_is_empty(str_trim(value->string))) {
        add(walk, value->pos, STR("bad_value"), false,
            arena_printf(arena, "%.*s must not be empty", STR_ARG(path)));
    } else if (!is_among(key, value->string)) {
        struct str shown = note_quote(arena, &walk->layer->source.mask, value->string);
        struct str choices = suggest_choices(arena, key->values, key->value_count);
        const struct client_key *other = row_with_value(walk, value->string);
        struct str message =
            other && str_is_set(other->range.until)
                ? arena_printf(
                      arena, "%.*s = %.*s is no longer supported since %.*s: expected %.*s",
                      STR_ARG(path), STR_ARG(shown), STR_ARG(other->range.until), STR_ARG(choices))
                : arena_printf(arena, "%.*s = %.*s is no value that %.*s %.*s takes: expected %.*s",
                               STR_ARG(path), STR_ARG(shown), STR_ARG(walk->check->client_name),
                               STR_ARG(walk->check->version), STR_ARG(choices));
        struct str near = str_nearest(value->string, key->values, key->value_count);
        add(walk, value->pos, STR("bad_value"), false, message)->suggestion =
            str_is_set(key->instead) ? key->instead : near;
    }
}

static void walk_table(struct walk *walk, const struct node *table, bool is_open);

static void check_entry(struct walk *walk, const struct entry *entry, bool is_open)
{
    bool is_of_version;
    const struct client_key *key = key_table_find(walk->check, &walk->path, &is_of_version);
    if (!key || !is_of_version || key->is_unread) {
        if (key || !is_open) {
            note_unknown(walk, entry, key);
        }
        return;
    }
    if (!has_shape(key->shape, entry->value)) {
        struct str message = arena_printf(walk->check->arena, "%.*s is of type %s: expected %.*s",
                                          STR_ARG(path_text(walk)), kind_text(entry->value),
                                          STR_ARG(key_shape_expected(key->shape)));
        add(walk, entry->value->pos, STR("bad_type"), false, message);
        return;
    }
    if (entry->value->kind == NODE_STRING) {
        check_string(walk, key, entry->value);
    } else if (key->shape == SHAPE_TABLE || key->shape == SHAPE_OPEN) {
        walk_table(walk, entry->value, key->shape == SHAPE_OPEN);
    }
}

/* Keys that every table of this kind needs. */
static void check_required(const struct walk *walk, const struct node *table)
{
    const struct key_check *check = walk->check;
    struct key_path path = walk->path;
    if (path.count >= sizeof path.parts / sizeof path.parts[0]) {
        return;
    }
    path.count++;
    for (size_t i = 0; i < rules_client_key_count(check->rules); i++) {
        const struct client_key *key = rules_client_key_at(check->rules, i);
        struct str name = last_part(key->path);
        path.parts[path.count - 1] = name;
        if (key->is_required && str_eq(key->client, check->client) &&
            version_is_in(check->version, key->range) && is_path(key->path, &path) &&
            !node_get(table, name)) {
            add(walk, table->pos, STR("bad_value"), false,
                arena_printf(check->arena, "%.*s has no %.*s, which %.*s insists on",
                             STR_ARG(path_text(walk)), STR_ARG(name), STR_ARG(check->client_name)))
                ->suggestion = arena_printf(check->arena, "%.*s = \"...\"", STR_ARG(name));
        }
    }
}

static void walk_table(struct walk *walk, const struct node *table, bool is_open)
{
    if (walk->path.count >= sizeof walk->path.parts / sizeof walk->path.parts[0]) {
        return;
    }
    if (walk->path.count) {
        check_required(walk, table);
    }
    walk->path.count++;
    for (size_t i = 0; i < table->count; i++) {
        walk->path.parts[walk->path.count - 1] = table->entries[i].key;
        check_entry(walk, &table->entries[i], is_open);
    }
    walk->path.count--;
}

void key_table_check(const struct key_check *check, struct layer *layer)
{
    struct walk walk = {.check = check, .layer = layer};
    if (layer->document.root && layer->document.root->kind == NODE_TABLE) {
        walk_table(&walk, layer->document.root, false);
    }
}
