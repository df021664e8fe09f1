/* From [[target]] tables to targets. Takes checked blocks over [defaults], gives a primary for
 * each. A table with an error of syntax in it is left out: what it was meant to say is not known.
 */
#include "config/own.h"

#include "base/file.h"
#include "config/add.h"
#include "config/key.h"
#include "config/layer.h"
#include "config/path.h"

#define CLIENT STR("diagnose")
#define TARGETS_MAX 10000

/* Name of the table that a header line opens, up to its first dot: "target" of "[target.headers]".
 */
static struct str root_of(struct str line)
{
    while (str_starts(line, STR("["))) {
        line = str_trim(str_slice(line, 1, line.len));
    }
    size_t end = 0;
    while (end < line.len && line.ptr[end] != '.' && line.ptr[end] != ']') {
        end++;
    }
    return str_trim(str_slice(line, 0, end));
}

static bool is_sub_table(struct str line)
{
    return !str_starts(line, STR("[[")) && str_find_char(line, '.') >= 0;
}

/* For each error of syntax the line of the header of the table that it lies in, 0 at the top. A
 * header that is itself wrong begins a table too; sub-tables belong to theirs. */
static void find_owners(const struct own *own, unsigned owners[SYNTAX_ERRORS_MAX])
{
    struct str rest = own->source.text, line, root = {NULL, 0};
    unsigned header = 0;
    size_t next = 0;
    for (unsigned number = 1; next < own->document.error_count && str_split(&rest, '\n', &line);
         number++) {
        line = str_trim(line);
        if (str_starts(line, STR("[")) && !(is_sub_table(line) && str_eq(root_of(line), root))) {
            header = number;
            root = root_of(line);
        }
        while (next < own->document.error_count && own->document.errors[next].pos.line <= number) {
            owners[next++] = header;
        }
    }
    while (next < own->document.error_count) {
        owners[next++] = header;
    }
}

static bool has_syntax_error(const struct own *own, const struct node *table)
{
    for (size_t i = 0; i < own->document.error_count; i++) {
        if (own->error_owners[i] == table->pos.line) {
            return true;
        }
    }
    return false;
}

/* The value of a key, a target's over that of [defaults]. */
static struct value value_of(struct own *own, const struct own_block *block, enum own_key key)
{
    const struct own_block *const layers[] = {&own->defaults, block};
    struct value value = {0};
    for (size_t i = 0; i < 2; i++) {
        const struct entry *entry = layers[i]->entries[key];
        if (entry) {
            value = layer_over(own->arena, value, entry->value->string,
                               note_origin(&own->source, entry->value->pos));
        }
    }
    return value;
}

static struct header *merge_headers(struct own *own, const struct own_block *block,
                                    struct origin **origins, size_t *count)
{
    const struct own_block *const layers[] = {&own->defaults, block};
    size_t most = 0;
    for (size_t i = 0; i < 2; i++) {
        most += layers[i]->entries[OWN_HEADERS] ? layers[i]->entries[OWN_HEADERS]->value->count : 0;
    }
    struct header *headers = ARENA_ARRAY(own->arena, most, struct header);
    *origins = ARENA_ARRAY(own->arena, most, struct origin);
    *count = 0;
    for (size_t i = 0; i < 2; i++) {
        const struct entry *entry = layers[i]->entries[OWN_HEADERS];
        for (size_t h = 0; entry && h < entry->value->count; h++) {
            const struct entry *said = &entry->value->entries[h];
            size_t at = 0;
            while (at < *count && !str_ieq(headers[at].name, said->key)) {
                at++;
            }
            *count += at == *count;
            headers[at] = (struct header){said->key, said->value->string};
            (*origins)[at] = note_origin(&own->source, said->value->pos);
        }
    }
    return headers;
}

/* The bytes of a key's file without the one line end that editors add. */
static struct str read_key_file(struct own *own, struct str path, struct str *problem)
{
    struct str text;
    int os_errno = 0;
    enum file_status status =
        file_read(own->arena, arena_cstr(own->arena, path), KEY_FILE_BYTES_MAX, &text, &os_errno);
    if (status != FILE_OK) {
        *problem = file_status_text(own->arena, status, KEY_FILE_BYTES_MAX, os_errno);
        return (struct str){NULL, 0};
    }
    if (str_ends(text, STR("\n"))) {
        text.len--;
        text.len -= str_ends(text, STR("\r"));
    }
    return text;
}

/* The path of a key's file as it is shown; some people name the file by the key. */
static struct str file_name_shown(struct own *own, struct str path, struct str key)
{
    const struct secret secret = secret_create(own->arena, key_core(key));
    struct mask mask = own->source.mask;
    mask.secrets = &secret;
    mask.secret_count = 1;
    return mask_text(own->arena, &mask, path_shown(own->arena, own->home, path));
}

static struct key_source key_from(struct own *own, enum own_key key, const struct entry *entry)
{
    struct str said = entry->value->string;
    struct key_source source = {
        .is_wanted = true, .name = said, .named_at = note_origin(&own->source, entry->value->pos)};
    if (key == OWN_KEY_ENV) {
        source.text.text = env_get(own->env, arena_cstr(own->arena, said));
        source.text.origin = (struct origin){ORIGIN_ENV, said, 0, 0};
        return source;
    }
    struct str path = path_resolve(own->arena, own->home, own->directory, said);
    source.text.text = read_key_file(own, path, &source.problem);
    source.name = file_name_shown(own, path, source.text.text);
    source.text.origin = (struct origin){ORIGIN_FILE, source.name, 0, 0};
    return source;
}

/* The key of a target: its own, else that of [defaults]. In one table only one of the two ways. */
static struct key_source find_key(struct own *own, struct own_block *block)
{
    struct own_block *const layers[] = {block, &own->defaults};
    for (size_t i = 0; i < 2; i++) {
        const struct entry *env = layers[i]->entries[OWN_KEY_ENV];
        const struct entry *file = layers[i]->entries[OWN_KEY_FILE];
        if (env && file) {
            note_at(own->arena, &block->problems, &own->source, file->pos, STR("bad_value"), true,
                    STR("key_file is not read, since key_env is given as well: leave one out"));
        }
        if (env || file) {
            return key_from(own, env ? OWN_KEY_ENV : OWN_KEY_FILE, env ? env : file);
        }
    }
    return (struct key_source){0};
}

/* A key of [defaults] that cannot be used and that the target does not say itself: what it would
 * be asked with is not known. */
static void check_defaults(struct own *own, struct own_target *item, bool are_broken)
{
    if (are_broken) {
        item->draft.skip_reason = STR("[defaults] has an error");
    }
    for (size_t key = 0; key < OWN_KEY_COUNT; key++) {
        if (own->defaults.is_bad[key] && !item->block.entries[key] && key != OWN_TIMEOUT) {
            size_t count;
            struct str name = own_key_names(&count)[key];
            item->draft.skip_reason =
                arena_printf(own->arena, "%.*s in [defaults] cannot be used", STR_ARG(name));
        }
    }
}

void own_lines_fill(struct own *own, struct problems *problems, size_t from)
{
    for (size_t i = from; i < problems->count; i++) {
        struct problem *problem = &problems->items[i];
        const struct origin *origin = &problem->origin;
        if (origin->kind == ORIGIN_FILE && str_eq(origin->name, own->source.path)) {
            const struct pos pos = {origin->line, origin->column};
            note_line(own->arena, &own->source, pos, problem);
        }
    }
}

static void draft_target(struct own *own, struct own_target *item, bool are_defaults_broken)
{
    struct own_block *block = &item->block;
    struct draft *draft = &item->draft;
    struct origin *origins;
    const struct entry *name = block->entries[OWN_NAME];
    *draft = (struct draft){
        .client = CLIENT,
        .wants_remarks = own->request->wants_remarks,
        .name = name ? name->value->string : (struct str){NULL, 0},
        .provider = value_of(own, block, OWN_PROVIDER),
        .base_url = value_of(own, block, OWN_BASE_URL),
        .wire = value_of(own, block, OWN_WIRE),
        .model = value_of(own, block, OWN_MODEL),
        .proxy = value_of(own, block, OWN_PROXY),
        .ca_file = value_of(own, block, OWN_CA_FILE),
        .query = value_of(own, block, OWN_QUERY),
        .base_url_label = STR("base_url"),
        .looks = &own->looks,
        .key = find_key(own, block),
    };
    draft->headers = merge_headers(own, block, &origins, &draft->header_count);
    draft->header_origins = origins;
    if (str_is_set(draft->ca_file.text)) {
        draft->ca_path = path_resolve(own->arena, own->home, own->directory, draft->ca_file.text);
    }
    draft->proxy = layer_over(own->arena, draft->proxy, own->request->proxy,
                              (struct origin){ORIGIN_OPTION, STR("--proxy"), 0, 0});
    draft->model = layer_over(own->arena, draft->model, own->request->model,
                              (struct origin){ORIGIN_OPTION, STR("--model"), 0, 0});
    if (!str_is_set(draft->base_url.text)) {
        draft->base_url.origin = note_origin(&own->source, block->pos);
    }
    check_defaults(own, item, are_defaults_broken);
    draft->problems = block->problems;
    draft->is_unsendable = block->has_error;
    item->target = draft_finish(own->arena, own->env, own->rules, draft);
    item->target.role = ROLE_PRIMARY;
    own_lines_fill(own, &item->target.problems, draft->problems.count);
}

static void check_names(struct own *own, struct own_targets *list, size_t index)
{
    struct own_target *item = &list->items[index];
    const struct entry *name = item->block.entries[OWN_NAME];
    size_t first =
        name ? str_set_add(own->arena, &list->said, name->value->string, index) : SIZE_MAX;
    if (first != SIZE_MAX) {
        const struct entry *other = list->items[first].block.entries[OWN_NAME];
        struct str shown = note_quote(own->arena, &own->source.mask, name->value->string);
        note_at(own->arena, &item->block.problems, &own->source, name->value->pos, STR("bad_value"),
                true,
                arena_printf(own->arena, "name = %.*s is taken by the target on line %u",
                             STR_ARG(shown), other->value->pos.line));
    }
}

/* Among primaries, so that a name that the user gave is not taken by a fallback before it. */
static void make_names_unique(struct own *own, struct own_targets *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct target *target = &list->items[i].target;
        const struct names before = {&list->items->target.name, sizeof *list->items, i};
        if (str_set_find(&list->names, target->name) != SIZE_MAX) {
            target->name = add_unique_name(own->arena, before, target->name);
        }
        str_set_add(own->arena, &list->names, target->name, i);
    }
}

void own_targets_add(struct own *own, const struct node *tables)
{
    size_t most = tables->count < TARGETS_MAX ? tables->count : TARGETS_MAX;
    struct own_targets list = {.items = ARENA_ARRAY(own->arena, most, struct own_target)};
    const struct entry *defaults = node_entry(own->document.root, STR("defaults"));
    find_owners(own, own->error_owners);
    bool are_defaults_broken = defaults && has_syntax_error(own, defaults->value);
    if (most < tables->count) {
        note_at(own->arena, &own->config->problems, &own->source, tables->items[most]->pos,
                STR("bad_value"), false,
                STR("more than 10000 targets: this one and those behind it are not read"));
    }
    for (size_t i = 0; i < most; i++) {
        const struct node *table = tables->items[i];
        struct own_target *item = &list.items[list.count++];
        if (table->kind != NODE_TABLE) {
            struct str message = arena_printf(
                own->arena, "target holds a value of type %s: expected tables under [[target]]",
                node_kind_name(table->kind));
            note_at(own->arena, &own->config->problems, &own->source, table->pos, STR("bad_type"),
                    false, message);
            item->is_left_out = true;
            continue;
        }
        own_block_read(own, table, table->pos, false, &item->block);
        item->is_left_out = has_syntax_error(own, table);
        check_names(own, &list, i);
        draft_target(own, item, are_defaults_broken);
    }
    make_names_unique(own, &list);
    for (size_t i = 0; i < list.count; i++) {
        if (!list.items[i].is_left_out) {
            own_chain_add(own, &list, &list.items[i]);
        }
    }
}
