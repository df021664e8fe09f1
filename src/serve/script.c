/* Reads scripts of the scripted provider. Takes TOML text, gives the replies in order with every
 * value checked, or the first thing wrong with its place; a key that nobody knows is wrong too,
 * since a misspelt condition would answer requests it should not. */
#include "serve/script.h"

#include "base/buf.h"
#include "rules/embedded.h"
#include "serve/healthy.h"
#include "serve/script_table.h"
#include "syntax/toml.h"

#include <string.h>

#define REPLIES_MAX 1000
#define WAIT_MAX_MS 600000
#define COUNT_MAX 1000000000

/* What a header may hold on the wire: an empty value or name, a tab or a line end would be refused
 * only when the answer is due. */
static bool is_sendable(struct str text)
{
    return text.len && !memchr(text.ptr, '\0', text.len) && str_find_char(text, '\t') < 0 &&
           str_find_char(text, '\r') < 0 && str_find_char(text, '\n') < 0;
}

static enum err_code read_pairs(const struct script_reading *reading, const struct script_key *key,
                                const struct node *value, void *field)
{
    if (value->kind != NODE_TABLE) {
        return script_wrong_kind(reading, key, value, "a table { name = \"value\" }");
    }
    struct pair *items = ARENA_ARRAY(reading->arena, value->count, struct pair);
    for (size_t i = 0; i < value->count; i++) {
        const struct entry *entry = &value->entries[i];
        if (entry->value->kind != NODE_STRING) {
            return script_wrong_kind(reading, key, entry->value, "a table of strings");
        }
        if (!is_sendable(entry->key) || !is_sendable(entry->value->string)) {
            return WRONG_AT(reading, entry->pos,
                            "%.*s: name and value must not be empty or hold tabs or line ends",
                            STR_ARG(key->name));
        }
        items[i] = (struct pair){arena_dup(reading->arena, entry->key),
                                 arena_dup(reading->arena, entry->value->string)};
    }
    *(struct pairs *)field = (struct pairs){items, value->count};
    return ERR_OK;
}

/* Headers of an answer, but for those that frame it. */
static enum err_code read_headers(const struct script_reading *reading,
                                  const struct script_key *key, const struct node *value,
                                  void *field)
{
    static const struct str framing[] = {STR_INIT("content-length"), STR_INIT("transfer-encoding"),
                                         STR_INIT("connection")};
    enum err_code code = read_pairs(reading, key, value, field);
    for (size_t i = 0; code == ERR_OK && i < value->count; i++) {
        for (size_t j = 0; j < sizeof framing / sizeof framing[0]; j++) {
            if (str_ieq(value->entries[i].key, framing[j])) {
                return WRONG_AT(reading, value->entries[i].pos,
                                "%.*s is set by the server itself; use truncate or reset for "
                                "answers that break off",
                                STR_ARG(framing[j]));
            }
        }
    }
    return code;
}

struct event {
    struct str event, body;
    int64_t delay_ms;
};

static const struct script_key event_keys[] = {
    {STR_INIT("event"), script_read_text, offsetof(struct event, event), 0, 0},
    {STR_INIT("data"), script_read_text, offsetof(struct event, body), 0, 0},
    {STR_INIT("delay_ms"), script_read_integer, offsetof(struct event, delay_ms), 0, WAIT_MAX_MS},
};

/* An event as it goes over the wire; each line of its text becomes a data line. */
static struct str event_bytes(struct arena *arena, const struct event *event)
{
    struct buf out = buf_create(SYNTAX_BYTES_MAX * 2);
    if (str_is_set(event->event)) {
        buf_printf(&out, "event: %.*s\n", STR_ARG(event->event));
    }
    struct str rest = event->body, line;
    while (str_split(&rest, '\n', &line)) {
        buf_add(&out, STR("data: "));
        buf_add(&out, line);
        buf_add_char(&out, '\n');
    }
    buf_add_char(&out, '\n');
    struct str bytes = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return bytes;
}

static enum err_code read_events(const struct script_reading *reading, const struct script_key *key,
                                 const struct node *value, void *field)
{
    if (value->kind != NODE_ARRAY) {
        return script_wrong_kind(reading, key, value,
                                 "an array of strings or { event, data, delay_ms }");
    }
    struct piece *items = ARENA_ARRAY(reading->arena, value->count + 1, struct piece);
    for (size_t i = 0; i < value->count; i++) {
        const struct node *item = value->items[i];
        struct event event = {.body = item->string};
        if (item->kind == NODE_TABLE) {
            event = (struct event){.delay_ms = 0};
            enum err_code code = script_read_table(
                reading, event_keys, sizeof event_keys / sizeof event_keys[0], item, &event);
            if (code != ERR_OK) {
                return code;
            }
        } else if (item->kind != NODE_STRING) {
            return script_wrong_kind(reading, key, item, "made of strings and tables");
        }
        items[i] = (struct piece){event_bytes(reading->arena, &event), event.delay_ms};
    }
    *(struct pieces *)field = (struct pieces){items, value->count};
    return ERR_OK;
}

static const struct script_key drip_keys[] = {
    {STR_INIT("bytes"), script_read_integer, offsetof(struct reply, drip_bytes), 1, COUNT_MAX},
    {STR_INIT("every_ms"), script_read_integer, offsetof(struct reply, drip_every_ms), 1,
     WAIT_MAX_MS},
};

static enum err_code read_drip(const struct script_reading *reading, const struct script_key *key,
                               const struct node *value, void *reply)
{
    if (value->kind != NODE_TABLE || value->count != 2) {
        return script_wrong_kind(reading, key, value, "a table { bytes = N, every_ms = N }");
    }
    return script_read_table(reading, drip_keys, sizeof drip_keys / sizeof drip_keys[0], value,
                             reply);
}

#define REPLY_KEY(key_name, reader, field, least, most)                                            \
    {                                                                                              \
        STR_INIT(key_name), reader, offsetof(struct reply, field), least, most                     \
    }

static const struct script_key reply_keys[] = {
    REPLY_KEY("answer", script_read_text, answer, 0, 0),
    REPLY_KEY("wire", script_read_text, wire, 0, 0),
    REPLY_KEY("path", script_read_text, path, 0, 0),
    REPLY_KEY("method", script_read_text, method, 0, 0),
    REPLY_KEY("model", script_read_text, model, 0, 0),
    REPLY_KEY("key", script_read_text, key, 0, 0),
    REPLY_KEY("request_headers", read_pairs, request_headers, 0, 0),
    REPLY_KEY("query", read_pairs, query, 0, 0),
    REPLY_KEY("body_has", script_read_text, body_has, 0, 0),
    REPLY_KEY("times", script_read_integer, times, 1, COUNT_MAX),
    REPLY_KEY("status", script_read_integer, status, 200, 599),
    REPLY_KEY("headers", read_headers, headers, 0, 0),
    REPLY_KEY("body", script_read_text, body, 0, 0),
    REPLY_KEY("sse", read_events, events, 0, 0),
    REPLY_KEY("healthy", script_read_text, healthy, 0, 0),
    REPLY_KEY("delay_ms", script_read_integer, delay_ms, 0, WAIT_MAX_MS),
    {STR_INIT("drip"), read_drip, 0, 0, 0},
    REPLY_KEY("truncate", script_read_integer, truncate, 0, COUNT_MAX),
    REPLY_KEY("reset", script_read_flag, is_reset, 0, 0),
    REPLY_KEY("hang", script_read_flag, is_hanging, 0, 0),
    REPLY_KEY("diagnosis", script_read_text, diagnosis, 0, 0),
};

/* What no single value shows: names that must be known, and keys that exclude or need others. */
static enum err_code check_reply(const struct script_reading *reading, const struct reply *reply)
{
    bool is_any = str_eq(reply->healthy, STR("any"));
    int bodies = str_is_set(reply->body) + str_is_set(reply->healthy) + (reply->events.items != 0);
    if (str_is_set(reply->wire) && !provider_wire_find(reply->wire)) {
        return WRONG_AT(reading, reply->pos, "wire must be " PROVIDER_WIRE_NAMES);
    }
    if (str_is_set(reply->healthy) && !is_any && !provider_wire_find(reply->healthy)) {
        return WRONG_AT(reading, reply->pos, "healthy must be any, " PROVIDER_WIRE_NAMES);
    }
    if (bodies > 1) {
        return WRONG_AT(reading, reply->pos, "only one of body, sse and healthy can be sent");
    }
    if (bodies == 0 && reply->status == 0 && !reply->is_hanging && !reply->is_reset) {
        return WRONG_AT(reading, reply->pos,
                        "no answer: give status, body, sse, healthy, hang or reset");
    }
    if (reply->truncate >= 0 && bodies == 0) {
        return WRONG_AT(reading, reply->pos, "truncate needs a body, sse or healthy to cut");
    }
    if (str_is_set(reply->body) && reply->truncate >= (int64_t)reply->body.len) {
        return WRONG_AT(reading, reply->pos, "truncate must be less than the body's %zu bytes",
                        reply->body.len);
    }
    if (str_is_set(reply->diagnosis) && (str_is_empty(reply->model) || str_is_empty(reply->wire))) {
        return WRONG_AT(reading, reply->pos, "a reply with a diagnosis needs model and wire");
    }
    return ERR_OK;
}

static enum err_code read_reply(const struct script_reading *reading, const struct node *block,
                                struct reply *reply)
{
    if (block->kind != NODE_TABLE) {
        return WRONG_AT(reading, block->pos, "reply must be made of blocks [[reply]]");
    }
    *reply = (struct reply){.truncate = -1, .pos = block->pos};
    enum err_code code = script_read_table(reading, reply_keys,
                                           sizeof reply_keys / sizeof reply_keys[0], block, reply);
    if (code == ERR_OK) {
        code = check_reply(reading, reply);
    }
    if (reply->status == 0) {
        reply->status = 200;
    }
    return code;
}

static void collect_rows(struct arena *arena, struct script *script)
{
    struct demo_row *rows = ARENA_ARRAY(arena, script->reply_count, struct demo_row);
    for (size_t i = 0; i < script->reply_count; i++) {
        const struct reply *reply = &script->replies[i];
        if (str_is_set(reply->diagnosis)) {
            rows[script->row_count++] =
                (struct demo_row){reply->model, reply->wire, reply->diagnosis};
        }
    }
    script->rows = rows;
}

struct replies {
    struct reply *items;
    size_t count;
};

static enum err_code read_replies(const struct script_reading *reading,
                                  const struct script_key *key, const struct node *value,
                                  void *field)
{
    struct replies *replies = field;
    if (value->kind != NODE_ARRAY || value->count == 0 || value->count > REPLIES_MAX) {
        return script_wrong_kind(reading, key, value, "1 to 1000 blocks [[reply]]");
    }
    replies->items = ARENA_ARRAY(reading->arena, value->count, struct reply);
    for (; replies->count < value->count; replies->count++) {
        enum err_code code =
            read_reply(reading, value->items[replies->count], &replies->items[replies->count]);
        if (code != ERR_OK) {
            return code;
        }
    }
    return ERR_OK;
}

struct answers {
    struct answer_kind *items;
    size_t count;
};

static enum err_code read_answers(const struct script_reading *reading,
                                  const struct script_key *key, const struct node *value,
                                  void *field)
{
    static const struct script_key answer_keys[] = {
        {STR_INIT("name"), script_read_text, offsetof(struct answer_kind, name), 0, 0},
        {STR_INIT("also"), script_read_text, offsetof(struct answer_kind, also), 0, 0},
        {STR_INIT("failing"), script_read_flag, offsetof(struct answer_kind, is_failing), 0, 0},
        {STR_INIT("wait_ms"), script_read_integer, offsetof(struct answer_kind, wait_ms), 1,
         WAIT_MAX_MS},
    };
    struct answers *answers = field;
    if (value->kind != NODE_ARRAY || value->count == 0 || value->count > REPLIES_MAX) {
        return script_wrong_kind(reading, key, value, "1 to 1000 blocks [[answer]]");
    }
    answers->items = ARENA_ARRAY(reading->arena, value->count, struct answer_kind);
    for (; answers->count < value->count; answers->count++) {
        const struct node *block = value->items[answers->count];
        struct answer_kind *answer = &answers->items[answers->count];
        enum err_code code =
            block->kind == NODE_TABLE
                ? script_read_table(reading, answer_keys,
                                    sizeof answer_keys / sizeof answer_keys[0], block, answer)
                : script_wrong_kind(reading, key, block, "made of blocks [[answer]]");
        if (code == ERR_OK && str_is_empty(answer->name)) {
            code = WRONG_AT(reading, block->pos, "an answer needs a name");
        }
        if (code != ERR_OK) {
            return code;
        }
    }
    return ERR_OK;
}

/* What is read of a whole script. */
struct reading_result {
    struct replies replies;
    struct answers answers;
};

enum err_code script_parse(struct arena *arena, struct str file, struct str text,
                           const struct script **script, struct err *err)
{
    static const struct script_key top_keys[] = {
        {STR_INIT("reply"), read_replies, offsetof(struct reading_result, replies), 0, 0},
        {STR_INIT("answer"), read_answers, offsetof(struct reading_result, answers), 0, 0},
    };
    struct script_reading reading = {arena, file, err};
    struct document document;
    if (!toml_parse(arena, text, TOML_1_1, &document)) {
        const struct syntax_error *first = document.error_count ? document.errors : NULL;
        return first ? WRONG_AT(&reading, first->pos, "%.*s", STR_ARG(first->message))
                     : err_set_at(err, ERR_PARSE, file, 0, 0, "this is not a TOML text");
    }
    struct reading_result result = {{NULL, 0}, {NULL, 0}};
    enum err_code code = script_read_table(&reading, top_keys, sizeof top_keys / sizeof top_keys[0],
                                           document.root, &result);
    if (code == ERR_OK && result.replies.count == 0) {
        code = err_set_at(err, ERR_PARSE, file, 0, 0, "a script needs at least one [[reply]]");
    }
    if (code != ERR_OK) {
        return code;
    }
    struct script *parsed = ARENA_NEW(arena, struct script);
    parsed->replies = result.replies.items;
    parsed->reply_count = result.replies.count;
    parsed->answers = result.answers.items;
    parsed->answer_count = result.answers.count;
    collect_rows(arena, parsed);
    *script = parsed;
    return ERR_OK;
}

struct str script_embedded(const char *name)
{
    for (size_t i = 0; i < embedded_file_count; i++) {
        if (strcmp(embedded_files[i].name, name) == 0) {
            return embedded_files[i].text;
        }
    }
    return (struct str){NULL, 0};
}

const struct demo_row *script_rows(const struct script *script, size_t *count)
{
    *count = script->row_count;
    return script->rows;
}

const struct answer_kind *script_answers(const struct script *script, size_t *count)
{
    *count = script->answer_count;
    return script->answers;
}
