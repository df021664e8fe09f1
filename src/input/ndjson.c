/* One line of `classify --ndjson`. Takes a JSON object, gives the observation that it describes, or
 * one sentence on what is wrong with it. Unknown members are ignored: the contract may grow. */
#include "base/buf.h"
#include "base/text.h"
#include "input/bound.h"
#include "input/input.h"
#include "syntax/jsonc.h"

#include <inttypes.h>
#include <math.h>

#define ID_BYTES_MAX ((size_t)4096)
#define SHOWN_COLUMNS 40 /* of what is wrong */

struct line {
    struct arena *arena;
    const struct mask *mask;
    const struct node *root;
    struct str *error; /* unset until something is wrong */
};

/* What stands in a member, in words. */
static struct str described(const struct line *line, const struct node *node)
{
    switch (node->kind) {
    case NODE_STRING:
        return arena_printf(
            line->arena, "the string \"%.*s\"",
            STR_ARG(text_show(line->arena, mask_text(line->arena, line->mask, node->string),
                              SHOWN_COLUMNS)));
    case NODE_INTEGER:
        return arena_printf(line->arena, "%" PRId64, node->integer);
    case NODE_FLOAT:
        return arena_printf(line->arena, "%g", node->number);
    case NODE_BOOL:
        return node->boolean ? STR("true") : STR("false");
    case NODE_ARRAY:
        return STR("a list");
    case NODE_TABLE:
        return STR("an object");
    default:
        return STR("null");
    }
}

static void complain(struct line *line, const char *member, const char *wanted,
                     const struct node *found)
{
    if (!str_is_set(*line->error)) {
        *line->error = arena_printf(line->arena, "\"%s\" must be %s, not %.*s", member, wanted,
                                    STR_ARG(described(line, found)));
    }
}

/* A member that is there and not null. */
static const struct node *member_of(const struct line *line, const char *name)
{
    const struct node *node = node_get(line->root, str_from(name));
    return node && node->kind != NODE_NULL ? node : NULL;
}

static struct str read_string(struct line *line, const char *name)
{
    const struct node *node = member_of(line, name);
    if (node && node->kind != NODE_STRING) {
        complain(line, name, "a string", node);
    }
    return node_string(node);
}

static int64_t read_number(struct line *line, const char *name, int64_t max)
{
    const struct node *node = member_of(line, name);
    if (!node) {
        return 0;
    }
    bool is_whole = node->kind == NODE_INTEGER && node->integer >= 0 && node->integer <= max;
    if (!is_whole) {
        struct str wanted = arena_printf(line->arena, "a whole number from 0 to %" PRId64, max);
        complain(line, name, wanted.ptr, node);
    }
    return is_whole ? node->integer : 0;
}

static void add_json_string(struct buf *out, struct str text)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '"' || c == '\\') {
            buf_printf(out, "\\%c", c);
        } else if (c < 0x20 || c == 0x7F) {
            buf_printf(out, "\\u%04x", c);
        } else {
            buf_add_char(out, (char)c);
        }
    }
    buf_add_char(out, '"');
}

/* The id goes back as it came: any JSON value. Depth is bounded by the reader. */
static void add_json(struct buf *out, const struct node *node)
{
    bool is_table = node->kind == NODE_TABLE;
    switch (node->kind) {
    case NODE_STRING:
        add_json_string(out, node->string);
        return;
    case NODE_INTEGER:
        buf_printf(out, "%" PRId64, node->integer);
        return;
    case NODE_FLOAT:
        buf_printf(out, isfinite(node->number) ? "%.17g" : "null", node->number);
        return;
    case NODE_BOOL:
        buf_add(out, node->boolean ? STR("true") : STR("false"));
        return;
    case NODE_ARRAY:
    case NODE_TABLE:
        buf_add_char(out, is_table ? '{' : '[');
        for (size_t i = 0; i < node->count; i++) {
            if (i > 0) {
                buf_add_char(out, ',');
            }
            if (is_table) {
                add_json_string(out, node->entries[i].key);
                buf_add_char(out, ':');
            }
            add_json(out, is_table ? node->entries[i].value : node->items[i]);
        }
        buf_add_char(out, is_table ? '}' : ']');
        return;
    default:
        buf_add(out, STR("null"));
    }
}

static struct str read_id(struct line *line)
{
    const struct node *node = member_of(line, "id");
    struct buf out = buf_create(ID_BYTES_MAX);
    if (!node) {
        return STR("null");
    }
    add_json(&out, node);
    if (out.is_full) {
        complain(line, "id", "shorter than 4096 bytes", node);
    }
    struct str id = out.is_full ? STR("null") : arena_dup(line->arena, buf_str(&out));
    buf_free(&out);
    return id;
}

static enum observation_kind read_kind(struct line *line)
{
    enum observation_kind kind;
    struct str name = read_string(line, "kind");
    if (observation_kind_from_name(name, &kind) && kind != OBSERVATION_CONFIG) {
        return kind;
    }
    if (str_is_set(name)) {
        complain(line, "kind", "\"http\", \"text\" or \"transport\"", member_of(line, "kind"));
    }
    if (member_of(line, "curl_code") || member_of(line, "errno")) {
        return OBSERVATION_TRANSPORT;
    }
    return member_of(line, "status") || member_of(line, "headers") ? OBSERVATION_HTTP
                                                                   : OBSERVATION_TEXT;
}

/* A header's value: a string, a number, or a list of which the first counts. */
static struct str header_value(struct arena *arena, const struct node *node)
{
    if (node->kind == NODE_ARRAY && node->count > 0) {
        node = node->items[0];
    }
    if (node->kind == NODE_INTEGER) {
        return arena_printf(arena, "%" PRId64, node->integer);
    }
    if (node->kind == NODE_FLOAT) {
        return arena_printf(arena, "%g", node->number);
    }
    return node_string(node);
}

static void read_headers(struct line *line, struct observation *observation)
{
    const struct node *node = member_of(line, "headers");
    if (!node) {
        return;
    }
    if (node->kind != NODE_TABLE) {
        complain(line, "headers", "an object of strings", node);
        return;
    }
    struct header *headers = ARENA_ARRAY(line->arena, node->count, struct header);
    for (size_t i = 0; i < node->count; i++) {
        const struct node *found = node->entries[i].value;
        struct str value = header_value(line->arena, found);
        if (!str_is_set(value) && found->kind != NODE_NULL) {
            struct str name =
                text_show(line->arena, mask_text(line->arena, line->mask, node->entries[i].key),
                          SHOWN_COLUMNS);
            struct str member = arena_printf(line->arena, "headers.%.*s", STR_ARG(name));
            complain(line, member.ptr, "a string or a number", found);
        } else if (str_is_set(value)) {
            headers[observation->header_count++] = (struct header){
                .name = arena_lower(line->arena, node->entries[i].key), .value = value};
        }
    }
    observation->headers = headers;
}

static void read_members(struct line *line, struct observation *observation)
{
    struct str body = read_string(line, "body"), text = read_string(line, "text");
    observation->provider = read_string(line, "provider");
    observation->status = (long)read_number(line, "status", 999);
    observation->curl_code = (int)read_number(line, "curl_code", 999);
    observation->os_errno = (int)read_number(line, "errno", 9999);
    observation->body = str_is_set(body) ? body : text;
    read_headers(line, observation);
    bool has_evidence = str_is_set(observation->body) || observation->status ||
                        observation->curl_code || observation->os_errno;
    if (!has_evidence && !str_is_set(*line->error)) {
        *line->error = STR("there is no evidence: expected \"body\", \"text\", \"status\", "
                           "\"curl_code\" or \"errno\"");
    }
}

/* What the reader found wrong; a name given twice is none of it, the last one counts. */
static struct str syntax_complaint(struct arena *arena, const struct document *document)
{
    for (size_t i = 0; i < document->error_count; i++) {
        if (!document->errors[i].is_duplicate_key) {
            return arena_printf(arena, "column %u: %.*s", document->errors[i].pos.column,
                                STR_ARG(document->errors[i].message));
        }
    }
    if (document->reject != SYNTAX_READ) {
        return document->reject == SYNTAX_TOO_BIG    ? STR("the line is too long")
               : document->reject == SYNTAX_NOT_UTF8 ? STR("the line is not UTF-8")
                                                     : STR("the line holds a NUL byte");
    }
    if (!document->root || document->root->kind != NODE_TABLE) {
        return STR("the line is no JSON object");
    }
    return (struct str){NULL, 0};
}

bool input_ndjson(struct arena *arena, const struct mask *mask, struct str text,
                  struct observation *observation, struct str *id, struct str *error)
{
    struct document document;
    *id = STR("null");
    (void)json_parse(arena, text, JSON_STRICT, &document);
    *error = syntax_complaint(arena, &document);
    if (str_is_set(*error)) {
        return false;
    }
    struct line line = {.arena = arena, .mask = mask, .root = document.root, .error = error};
    *id = read_id(&line);
    *observation = observation_blank(read_kind(&line));
    read_members(&line, observation);
    if (str_is_set(*error)) {
        return false;
    }
    observation->body = text_repair(arena, observation->body);
    observation_seal(arena, mask, observation);
    return true;
}
