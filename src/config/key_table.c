/* Settings against the table of a client's keys. Takes a parsed file and a version, gives problems
 * with places. Which keys there are, and when, is data. */
#include "config/key_table.h"

#include "config/key_shape.h"
#include "config/suggest.h"

#define NAMES_MAX 512
#define WISHES_MAX 16
/* Of one file; the rest of PROBLEMS_MAX is for what makes the client refuse it. */
#define WARNINGS_MAX (PROBLEMS_MAX / 2)

/* A table of the file while it is walked. */
struct walk {
    const struct key_check *check;
    struct layer *layer;
    struct key_path path;
};

static bool is_path(const struct client_key *key, const struct key_path *path)
{
    bool is_same = key->part_count == path->count;
    for (size_t i = path->count; i > 0 && is_same; i--) {
        struct str part = key->parts[i - 1];
        is_same = str_eq(part, path->parts[i - 1]) || str_eq(part, STR("*"));
    }
    return is_same;
}

const struct client_key *key_table_find(const struct key_check *check, const struct key_path *path,
                                        bool *is_of_version)
{
    const struct client_key *other = NULL;
    for (size_t i = 0; i < rules_client_key_count(check->rules); i++) {
        const struct client_key *key = rules_client_key_at(check->rules, i);
        if (!str_eq(key->client, check->client) || !is_path(key, path)) {
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

static struct str last_part(const struct client_key *key)
{
    return key->parts[key->part_count - 1];
}

const struct str *key_table_plain(struct arena *arena, const struct rules *rules, struct str client,
                                  size_t *count)
{
    size_t most = rules_client_key_count(rules);
    struct str *names = ARENA_ARRAY(arena, most + 1, struct str);
    *count = 0;
    for (size_t i = 0; i < most; i++) {
        const struct client_key *key = rules_client_key_at(rules, i);
        struct str name = last_part(key);
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
        sibling.parts[sibling.count - 1] = last_part(key);
        if (str_eq(key->client, check->client) && !key->is_unread &&
            version_is_in(check->version, key->range) && is_path(key, &sibling)) {
            names[count++] = sibling.parts[sibling.count - 1];
        }
    }
    return str_nearest(walk->path.parts[walk->path.count - 1], names, count);
}

/* The key is one of the top level, written below a table's header. */
static bool is_misplaced(const struct walk *walk)
{
    bool is_of_version;
    const struct key_path top = {.parts = {walk->path.parts[walk->path.count - 1]}, .count = 1};
    const struct client_key *key = key_table_find(walk->check, &top, &is_of_version);
    return walk->path.count > 1 && key && is_of_version && !key->is_unread;
}

/* Remembers what was meant by a key that nothing reads. */
static void add_wish(const struct walk *walk, const struct entry *entry, struct str meant)
{
    struct layer *layer = walk->layer;
    if (!str_is_set(meant) || entry->value->kind != NODE_STRING ||
        layer->wish_count >= WISHES_MAX) {
        return;
    }
    layer->wishes = arena_grow(walk->check->arena, layer->wishes, layer->wish_count,
                               &layer->wish_capacity, sizeof *layer->wishes);
    layer->wishes[layer->wish_count++] =
        (struct wish){.key = meant,
                      .value = {.text = entry->value->string,
                                .origin = note_origin(&layer->source, entry->value->pos)}};
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
    if (walk->layer->problems.count >= WARNINGS_MAX) {
        return;
    }
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
    struct problem *problem =
        add(walk, entry->pos, STR("unknown_key"), !walk->check->is_strict, message);
    struct str meant = other ? other->meant : nearest_key(walk);
    problem->suggestion = other ? other->instead : meant;
    add_wish(walk, entry, other || walk->path.count == 1 ? meant : (struct str){NULL, 0});
}

/* What belongs to the top of the file and stands below a header, where it is part of that table. */
static void note_misplaced(const struct walk *walk, const struct entry *entry)
{
    if (walk->layer->problems.count >= WARNINGS_MAX) {
        return;
    }
    struct str key = walk->path.parts[walk->path.count - 1];
    struct str message = arena_printf(
        walk->check->arena,
        "%.*s is not read: %.*s belongs to the top of the file, and below a [table] it "
        "is part of that table%s",
        STR_ARG(path_text(walk)), STR_ARG(key), echo_of(walk));
    add(walk, entry->pos, STR("unknown_key"), !walk->check->is_strict, message)->suggestion =
        arena_printf(walk->check->arena, "%.*s above the first [table] of the file", STR_ARG(key));
    add_wish(walk, entry, key);
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
        if (str_eq(key->client, walk->check->client) && is_path(key, &walk->path) &&
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

/* In a table that may hold anything: nearly a key that is read there. */
static bool is_slip(const struct walk *walk, const struct entry *entry)
{
    return entry->value->kind != NODE_TABLE && str_is_set(nearest_key(walk));
}

/* A table of variables takes what stands below its header, and a setting among them is lost. */
static void check_variables(struct walk *walk, const struct node *table)
{
    if (walk->path.count >= sizeof walk->path.parts / sizeof walk->path.parts[0]) {
        return;
    }
    walk->path.count++;
    for (size_t i = 0; i < table->count; i++) {
        walk->path.parts[walk->path.count - 1] = table->entries[i].key;
        if (is_misplaced(walk)) {
            note_misplaced(walk, &table->entries[i]);
        }
    }
    walk->path.count--;
}

static void walk_table(struct walk *walk, const struct node *table, bool is_open);

static void check_entry(struct walk *walk, const struct entry *entry, bool is_open)
{
    bool is_of_version;
    const struct client_key *key = key_table_find(walk->check, &walk->path, &is_of_version);
    if (!key || !is_of_version || key->is_unread) {
        if (is_misplaced(walk) && (!key || key->is_unread)) {
            note_misplaced(walk, entry);
        } else if (key || !is_open || is_slip(walk, entry)) {
            note_unknown(walk, entry, key);
        }
        return;
    }
    if (!key_shape_fits(key->shape, entry->value)) {
        struct str message = arena_printf(walk->check->arena, "%.*s is of type %s: expected %.*s",
                                          STR_ARG(path_text(walk)), key_shape_of(entry->value),
                                          STR_ARG(key_shape_expected(key->shape)));
        add(walk, entry->value->pos, STR("bad_type"), false, message);
        return;
    }
    for (size_t i = 0; entry->value->kind == NODE_ARRAY && key->value_count &&
                       i < entry->value->count && key->shape == SHAPE_STRINGS;
         i++) {
        check_string(walk, key, entry->value->items[i]);
    }
    if (entry->value->kind == NODE_STRING) {
        check_string(walk, key, entry->value);
    } else if (key->shape == SHAPE_VARIABLES) {
        check_variables(walk, entry->value);
    } else if (key->shape == SHAPE_TABLE || key->shape == SHAPE_OPEN) {
        walk_table(walk, entry->value, key->shape == SHAPE_OPEN);
    }
}

static void walk_table(struct walk *walk, const struct node *table, bool is_open)
{
    if (walk->path.count >= sizeof walk->path.parts / sizeof walk->path.parts[0]) {
        return;
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
        walk_table(&walk, layer->document.root, check->is_open);
    }
}

/* One table of the stack, in whichever file it stands highest. */
static void check_required(const struct key_check *check, const struct stack *stack,
                           struct key_path path, struct problems *problems)
{
    const struct layer *layer = NULL;
    struct str name = path.parts[path.count - 1];
    const struct node *found = stack_node(stack, path, NULL);
    path.count--;
    const struct node *table = stack_node(stack, path, &layer);
    const struct client_provider *builtin = rules_client_provider(
        check->rules, check->client, path.parts[path.count - 1], check->version);
    bool is_builtin = builtin && builtin->override == OVERRIDE_ALLOWED;
    if (found || !table || table->kind != NODE_TABLE || is_builtin) {
        return;
    }
    struct str id = note_quote(check->arena, &layer->source.mask, path.parts[path.count - 1]);
    bool is_top = path.count == 1;
    struct str message =
        arena_printf(check->arena, "%.*s%s%.*s has no %.*s, which %.*s %.*s insists on",
                     STR_ARG(is_top ? STR("") : path.parts[0]), is_top ? "" : ".",
                     STR_ARG(str_slice(id, 1, id.len - 1)), STR_ARG(name),
                     STR_ARG(check->client_name), STR_ARG(check->version));
    note_add(check->arena, problems, note_origin(&layer->source, table->pos), STR("bad_value"),
             false, message)
        ->suggestion = arena_printf(check->arena, "%.*s = \"...\"", STR_ARG(name));
}

void key_table_check_required(const struct key_check *check, const struct stack *stack,
                              struct problems *problems)
{
    for (size_t i = 0; i < rules_client_key_count(check->rules); i++) {
        const struct client_key *key = rules_client_key_at(check->rules, i);
        const struct str *parts = key->parts;
        size_t count = key->part_count, id_count = 0;
        bool is_of_table = count == 3 && str_eq(parts[1], STR("*"));
        if (!key->is_required || !str_eq(key->client, check->client) ||
            !version_is_in(check->version, key->range)) {
            continue;
        }
        if (count == 2) {
            check_required(check, stack, KEY_PATH(parts[0], parts[1]), problems);
        }
        if (!is_of_table) {
            continue;
        }
        struct str *ids = stack_names(check->arena, stack, KEY_PATH(parts[0]), &id_count);
        for (size_t n = 0; n < id_count; n++) {
            check_required(check, stack, KEY_PATH(parts[0], ids[n], parts[2]), problems);
        }
    }
}
