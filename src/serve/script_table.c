/* Tables of a script. Takes a table of the text and a table of the keys that may stand in it, fills
 * a struct, or gives the first thing wrong with its place. Which keys there are is not its own. */
#include "serve/script_table.h"

enum err_code script_wrong_kind(const struct script_reading *reading, const struct script_key *key,
                                const struct node *value, const char *wanted)
{
    return WRONG_AT(reading, value->pos, "%.*s must be %s, not %s", STR_ARG(key->name), wanted,
                    node_kind_name(value->kind));
}

enum err_code script_read_text(const struct script_reading *reading, const struct script_key *key,
                               const struct node *value, void *field)
{
    if (value->kind != NODE_STRING) {
        return script_wrong_kind(reading, key, value, "a string");
    }
    *(struct str *)field = value->string;
    return ERR_OK;
}

enum err_code script_read_integer(const struct script_reading *reading,
                                  const struct script_key *key, const struct node *value,
                                  void *field)
{
    if (value->kind != NODE_INTEGER) {
        return script_wrong_kind(reading, key, value, "an integer");
    }
    if (value->integer < key->min || value->integer > key->max) {
        return WRONG_AT(reading, value->pos, "%.*s must be from %lld to %lld", STR_ARG(key->name),
                        (long long)key->min, (long long)key->max);
    }
    *(int64_t *)field = value->integer;
    return ERR_OK;
}

enum err_code script_read_flag(const struct script_reading *reading, const struct script_key *key,
                               const struct node *value, void *field)
{
    if (value->kind != NODE_BOOL) {
        return script_wrong_kind(reading, key, value, "true or false");
    }
    *(bool *)field = value->boolean;
    return ERR_OK;
}

static enum err_code unknown_key(const struct script_reading *reading,
                                 const struct script_key *keys, size_t key_count,
                                 const struct entry *entry)
{
    for (size_t i = 0; i < key_count; i++) {
        if (str_is_near(entry->key, keys[i].name)) {
            return WRONG_AT(reading, entry->pos, "unknown key %.*s, did you mean %.*s?",
                            STR_ARG(entry->key), STR_ARG(keys[i].name));
        }
    }
    return WRONG_AT(reading, entry->pos, "unknown key %.*s", STR_ARG(entry->key));
}

enum err_code script_read_table(const struct script_reading *reading, const struct script_key *keys,
                                size_t key_count, const struct node *table, void *into)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct entry *entry = &table->entries[i];
        const struct script_key *key = NULL;
        for (size_t j = 0; j < key_count; j++) {
            key = str_eq(entry->key, keys[j].name) ? &keys[j] : key;
        }
        enum err_code code = key ? key->read(reading, key, entry->value, (char *)into + key->offset)
                                 : unknown_key(reading, keys, key_count, entry);
        if (code != ERR_OK) {
            return code;
        }
    }
    return ERR_OK;
}
