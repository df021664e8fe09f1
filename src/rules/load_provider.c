/* Blocks of providers: where they are, how a key is sent, what it looks like and what proves it for
 * free. Takes one block, gives a row of the table. */
#include "base/shape.h"
#include "rules/table.h"

static void add_key_prefixes(struct rules *rules, const struct provider *provider)
{
    for (size_t i = 0; i < provider->key_prefix_count; i++) {
        struct str *list = arena_grow(rules->arena, rules->key_prefixes, rules->key_prefix_count,
                                      &rules->key_prefix_capacity, sizeof *list);
        list[rules->key_prefix_count++] = provider->key_prefixes[i];
        rules->key_prefixes = list;
    }
}

static void add_key_shapes(struct rules *rules, const struct provider *provider)
{
    for (size_t i = 0; i < provider->key_shape_count; i++) {
        struct str shape = provider->key_shapes[i];
        if (str_starts(shape, STR("{")) && shape_is_telling(shape)) {
            struct str *list = arena_grow(rules->arena, rules->key_shapes, rules->key_shape_count,
                                          &rules->key_shape_capacity, sizeof *list);
            list[rules->key_shape_count++] = shape;
            rules->key_shapes = list;
        }
    }
}

static struct str read_pointer(struct block *block, const char *key)
{
    struct str pointer = block_string(block, key, OPTIONAL);
    if (str_is_set(pointer) && !str_starts(pointer, STR("/"))) {
        block_complain_value(block, key, "a JSON pointer such as \"/data/*/id\"");
    }
    return pointer;
}

static struct free_places read_places(struct block *block)
{
    struct free_places places = {
        .holds = read_pointer(block, "holds"),
        .models = read_pointer(block, "models"),
        .more = read_pointer(block, "more"),
        .permissions = read_pointer(block, "permissions"),
        .left = read_pointer(block, "left"),
        .limit = read_pointer(block, "limit"),
        .unit = read_pointer(block, "unit_at"),
        .expires = read_pointer(block, "expires"),
    };
    places.key_off = block_strings(block, "key_off", &places.key_off_count);
    places.account_off = block_strings(block, "account_off", &places.account_off_count);
    places.balance_off = block_strings(block, "balance_off", &places.balance_off_count);
    return places;
}

static struct free_request read_free_request(struct block *block)
{
    static const char *const names[] = {
        "path",    "from_root", "query",     "auth_header", "auth_prefix", "proves",      "holds",
        "models",  "more",      "id_prefix", "permissions", "left",        "limit",       "unit",
        "unit_at", "expires",   "key_off",   "account_off", "source",      "balance_off", NULL};
    block_check_keys(block, names);
    return (struct free_request){
        .path = block_string(block, "path", REQUIRED),
        .is_from_root = block_bool(block, "from_root", false),
        .query = block_string(block, "query", OPTIONAL),
        .auth_header = block_string(block, "auth_header", OPTIONAL),
        .auth_prefix = block_string(block, "auth_prefix", OPTIONAL),
        .proves_key = block_bool(block, "proves", false),
        .id_prefix = block_string(block, "id_prefix", OPTIONAL),
        .unit = block_string(block, "unit", OPTIONAL),
        .places = read_places(block),
        .source = block_string(block, "source", REQUIRED),
    };
}

/* Those that prove the key come first. */
static void read_free_requests(struct rules *rules, struct block *block, struct provider *row)
{
    const struct entry *entry = node_entry(block->table, STR("free"));
    if (!entry) {
        return;
    }
    bool is_list = entry->value->kind == NODE_ARRAY;
    for (size_t i = 0; is_list && i < entry->value->count; i++) {
        is_list = entry->value->items[i]->kind == NODE_TABLE;
    }
    if (!is_list) {
        block_complain(block, entry->value->pos, "bad_type", (struct str){NULL, 0},
                       STR("free requests are written as [[provider.free]]"));
        return;
    }
    struct free_request *list =
        ARENA_ARRAY(rules->arena, entry->value->count + 1, struct free_request);
    for (int is_proof = 1; is_proof >= 0; is_proof--) {
        for (size_t i = 0; i < entry->value->count; i++) {
            struct block inner = block_of(block, entry->value->items[i]);
            if (block_bool(&inner, "proves", false) == (is_proof == 1)) {
                list[row->free_count++] = read_free_request(&inner);
            }
            block->is_broken = block->is_broken || inner.is_broken;
        }
    }
    row->free = list;
}

static void check_shapes(struct block *block, const struct provider *row)
{
    for (size_t i = 0; i < row->key_shape_count; i++) {
        if (!shape_is_valid(row->key_shapes[i])) {
            block_complain_value(block, "key_shapes", "a list of shapes such as \"sk-{48a}\"");
            return;
        }
    }
}

static void read_key(struct block *block, struct provider *row)
{
    row->auth_header = block_string(block, "auth_header", OPTIONAL);
    row->auth_prefix = block_string(block, "auth_prefix", OPTIONAL);
    row->key_prefixes = block_strings(block, "key_prefixes", &row->key_prefix_count);
    row->key_shapes = block_strings(block, "key_shapes", &row->key_shape_count);
    row->key_env = block_string(block, "key_env", OPTIONAL);
    row->key_envs = block_strings(block, "key_envs", &row->key_env_count);
    row->key_page = block_string(block, "key_page", OPTIONAL);
    row->is_key_optional = block_bool(block, "key_optional", false);
    int64_t length = block_integer(block, "key_min_length", 0);
    row->key_min_length = length > 0 && length < 100000 ? (size_t)length : 0;
    check_shapes(block, row);
}

void rules_load_provider(struct rules *rules, struct block *block)
{
    static const char *const names[] = {"id",
                                        "name",
                                        "hosts",
                                        "base_url",
                                        "wires",
                                        "auth_header",
                                        "auth_prefix",
                                        "headers",
                                        "query",
                                        "key_prefixes",
                                        "key_shapes",
                                        "key_min_length",
                                        "key_env",
                                        "key_envs",
                                        "key_optional",
                                        "key_page",
                                        "status_page",
                                        "cheap_model",
                                        "cheap_model_source",
                                        "free",
                                        "limits",
                                        "sources",
                                        NULL};
    struct provider *row = ARENA_NEW(rules->arena, struct provider);
    block_check_keys(block, names);
    row->id = block_string(block, "id", REQUIRED);
    row->name = block_string(block, "name", REQUIRED);
    row->hosts = block_strings(block, "hosts", &row->host_count);
    row->base_url = block_string(block, "base_url", OPTIONAL);
    row->wires = block_strings(block, "wires", &row->wire_count);
    row->headers = block_headers(block, "headers", &row->header_count);
    row->query = block_string(block, "query", OPTIONAL);
    row->cheap_model = block_string(block, "cheap_model", OPTIONAL);
    row->cheap_model_source = block_string(block, "cheap_model_source", OPTIONAL);
    row->limits = block_strings(block, "limits", &row->limit_count);
    row->status_page = block_string(block, "status_page", OPTIONAL);
    row->sources = block_strings(block, "sources", &row->source_count);
    read_key(block, row);
    read_free_requests(rules, block, row);
    if (rules_provider(rules, row->id)) {
        block_complain_taken(block, row->id, (struct origin){0});
    }
    if (!block->is_broken) {
        rules_add_row(rules, &rules->providers, row);
        add_key_prefixes(rules, row);
        add_key_shapes(rules, row);
    }
}

const struct free_request *provider_proof(const struct provider *provider)
{
    return provider && provider->free_count && provider->free[0].proves_key ? &provider->free[0]
                                                                            : NULL;
}
