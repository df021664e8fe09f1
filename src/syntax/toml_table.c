/* TOML keys and tables: who may add to what. Takes keys, dotted keys and headers, gives the entries
 * of the tree; a key or table that is there twice is reported with the line of the first. */
#include "syntax/toml_reader.h"

#include "base/text.h"

static bool lose_key(struct toml_reader *reader)
{
    int c = toml_peek(reader, 0);
    return toml_lose(reader, reader->at, "found %s, expected a key%s",
                     toml_found(reader, reader->at),
                     c == '=' ? " before it"
                     : c == '.' || c == ']' || toml_newline(reader) || c < 0
                         ? ""
                         : ": letters, digits, - and _, or anything in quotes");
}

static bool read_part(struct toml_reader *reader, struct str *name)
{
    int c = toml_peek(reader, 0);
    if (c == '"' || c == '\'') {
        if (toml_peek(reader, 1) == c && toml_peek(reader, 2) == c) {
            return toml_lose(reader, reader->at, "found %s, expected a key in single quotes or %s",
                             c == '"' ? "\"\"\"" : "'''", "one pair of double quotes");
        }
        return toml_read_string(reader, name);
    }
    size_t start = reader->at;
    while (toml_is_bare(toml_peek(reader, 0))) {
        reader->at++;
    }
    if (reader->at == start) {
        return lose_key(reader);
    }
    *name = arena_dup(reader->arena, str_slice(reader->text, start, reader->at));
    return true;
}

/* Reads a key into reader->key. */
static bool toml_read_key(struct toml_reader *reader)
{
    reader->key_count = 0;
    for (;;) {
        toml_skip_blanks(reader);
        struct toml_part part = {.offset = reader->at};
        if (!read_part(reader, &part.name)) {
            return false;
        }
        if (reader->key_count == SYNTAX_DEPTH_MAX) {
            return toml_lose(reader, part.offset, "a dotted key of more than %d parts",
                             SYNTAX_DEPTH_MAX);
        }
        reader->key[reader->key_count++] = part;
        toml_skip_blanks(reader);
        if (toml_peek(reader, 0) != '.') {
            return true;
        }
        reader->at++;
    }
}

static const char *show_key(struct toml_reader *reader, struct str key)
{
    return arena_cstr(reader->arena, tree_show_key(reader->arena, key));
}

/* The table of one part of a dotted key, made when it is not there; NULL after a report. */
static struct node *enter_dotted(struct toml_reader *reader, struct node *table,
                                 struct toml_part part)
{
    struct pos pos = toml_place(reader, part.offset);
    struct entry *entry = tree_find(table, part.name);
    if (!entry) {
        struct node *fresh = tree_node(reader->arena, NODE_TABLE, pos);
        fresh->flags = TOML_DOTTED;
        tree_put(reader->arena, table, part.name, pos, fresh);
        return fresh;
    }
    struct node *there = entry->value;
    if (there->kind == NODE_TABLE && !(there->flags & (TOML_EXPLICIT | TOML_INLINE))) {
        there->flags |= TOML_DOTTED;
        return there;
    }
    if (there->kind == NODE_TABLE) {
        tree_duplicate(reader->arena, reader->text, reader->document, pos,
                       "table %s is already defined on line %u, a dotted key cannot add to it: "
                       "write the key there",
                       show_key(reader, part.name), there->pos.line);
    } else {
        tree_error(reader->arena, reader->text, reader->document, pos,
                   "%s is already defined on line %u as %s, expected a table before the dot",
                   show_key(reader, part.name), entry->pos.line, node_kind_name(there->kind));
    }
    return NULL;
}

/* The table that the key read last belongs to; NULL after a report. */
static struct node *find_home(struct toml_reader *reader, struct node *table)
{
    for (size_t i = 0; table && i + 1 < reader->key_count; i++) {
        table = enter_dotted(reader, table, reader->key[i]);
    }
    struct toml_part last = reader->key[reader->key_count - 1];
    const struct entry *entry = table ? tree_find(table, last.name) : NULL;
    if (!entry) {
        return table;
    }
    tree_duplicate(reader->arena, reader->text, reader->document, toml_place(reader, last.offset),
                   "duplicate key %s, first defined on line %u: remove one of the two",
                   show_key(reader, last.name), entry->pos.line);
    return NULL;
}

bool toml_read_pair(struct toml_reader *reader, struct node *table, unsigned depth)
{
    if (!toml_read_key(reader)) {
        return false;
    }
    if (toml_peek(reader, 0) != '=') {
        return toml_lose(reader, reader->at, "found %s, expected '=' and a value after the key",
                         toml_found(reader, reader->at));
    }
    depth += (unsigned)reader->key_count;
    if (depth > SYNTAX_DEPTH_MAX + 1) {
        return toml_lose(reader, reader->key[0].offset, "nested deeper than %d levels",
                         SYNTAX_DEPTH_MAX);
    }
    struct toml_part last = reader->key[reader->key_count - 1];
    struct node *home = find_home(reader, table);
    struct pos pos = toml_place(reader, last.offset);
    struct node *value = NULL;
    reader->at++;
    toml_skip_blanks(reader);
    if (!toml_read_value(reader, depth, &value)) {
        return false;
    }
    if (home && value) {
        tree_put(reader->arena, home, last.name, pos, value);
    }
    return true;
}

/* The table behind one part of a header, made when it is not there; NULL after a report. */
static struct node *enter_header(struct toml_reader *reader, struct node *table,
                                 struct toml_part part, struct pos header)
{
    struct pos pos = toml_place(reader, part.offset);
    struct entry *entry = tree_find(table, part.name);
    if (!entry) {
        struct node *fresh = tree_node(reader->arena, NODE_TABLE, header);
        tree_put(reader->arena, table, part.name, pos, fresh);
        return fresh;
    }
    struct node *there = entry->value;
    if (there->kind == NODE_TABLE && !(there->flags & TOML_INLINE)) {
        return there;
    }
    if (there->kind == NODE_ARRAY && (there->flags & TOML_TABLES)) {
        reader->table_depth++;
        return there->items[there->count - 1];
    }
    tree_error(reader->arena, reader->text, reader->document, pos,
               "%s is already defined on line %u as %s, nothing can be added to it",
               show_key(reader, part.name), entry->pos.line,
               there->kind == NODE_TABLE ? "inline table" : node_kind_name(there->kind));
    return NULL;
}

/* The header's name as it is written, for messages. */
static const char *show_header(struct toml_reader *reader)
{
    size_t start = reader->key[0].offset;
    struct str name = str_trim(str_slice(reader->text, start, reader->at));
    return arena_cstr(reader->arena, text_show(reader->arena, name, 60));
}

static struct node *open_table(struct toml_reader *reader, struct node *parent,
                               struct toml_part last, struct pos header, const char *shown)
{
    struct pos pos = toml_place(reader, last.offset);
    struct entry *entry = tree_find(parent, last.name);
    if (!entry) {
        struct node *fresh = tree_node(reader->arena, NODE_TABLE, header);
        fresh->flags = TOML_EXPLICIT;
        tree_put(reader->arena, parent, last.name, pos, fresh);
        return fresh;
    }
    struct node *there = entry->value;
    if (there->kind == NODE_TABLE && there->flags == 0) {
        there->flags = TOML_EXPLICIT;
        there->pos = header;
        entry->pos = pos;
        return there;
    }
    tree_duplicate(reader->arena, reader->text, reader->document, pos,
                   there->kind == NODE_TABLE
                       ? "table [%s] is already defined on line %u: put all its keys in one place"
                       : "[%s] is already defined on line %u as something else than a table",
                   shown, there->pos.line);
    return NULL;
}

static struct node *open_element(struct toml_reader *reader, struct node *parent,
                                 struct toml_part last, struct pos header, const char *shown)
{
    struct pos pos = toml_place(reader, last.offset);
    struct entry *entry = tree_find(parent, last.name);
    struct node *array = entry ? entry->value : NULL;
    if (!array) {
        array = tree_node(reader->arena, NODE_ARRAY, header);
        array->flags = TOML_TABLES;
        tree_put(reader->arena, parent, last.name, pos, array);
    } else if (!(array->flags & TOML_TABLES)) {
        tree_duplicate(reader->arena, reader->text, reader->document, pos,
                       "[[%s]] cannot add a table: it is already defined on line %u as %s", shown,
                       array->pos.line, node_kind_name(array->kind));
        return NULL;
    }
    struct node *element = tree_node(reader->arena, NODE_TABLE, header);
    element->flags = TOML_EXPLICIT;
    tree_push(reader->arena, array, element);
    return element;
}

/* Finds or makes the table of the header read last, level by level; NULL after a report. */
static struct node *walk_header(struct toml_reader *reader, bool is_element, struct pos header,
                                const char *shown)
{
    struct node *table = reader->document->root;
    for (size_t i = 0; table && i < reader->key_count; i++) {
        struct toml_part part = reader->key[i];
        bool is_last = i + 1 == reader->key_count;
        reader->table_depth += is_last && is_element ? 2 : 1;
        if (reader->table_depth > SYNTAX_DEPTH_MAX) {
            toml_complain(reader, part.offset, "nested deeper than %d levels", SYNTAX_DEPTH_MAX);
            return NULL;
        }
        table = !is_last     ? enter_header(reader, table, part, header)
                : is_element ? open_element(reader, table, part, header, shown)
                             : open_table(reader, table, part, header, shown);
    }
    return table;
}

bool toml_read_header(struct toml_reader *reader)
{
    struct pos header = toml_place(reader, reader->at);
    bool is_element = toml_peek(reader, 1) == '[';
    /* What follows a header that is wrong is read, but is no part of the document. */
    reader->table = tree_node(reader->arena, NODE_TABLE, header);
    reader->table_depth = 0;
    reader->at += is_element ? 2 : 1;
    if (!toml_read_key(reader)) {
        return false;
    }
    const char *shown = show_header(reader);
    if (toml_peek(reader, 0) != ']' || (is_element && toml_peek(reader, 1) != ']')) {
        size_t at = reader->at + (toml_peek(reader, 0) == ']' ? 1 : 0);
        return toml_lose(reader, at, "found %s, expected '%s' after the table's name",
                         toml_found(reader, at), is_element ? "]]" : "]");
    }
    reader->at += is_element ? 2 : 1;
    struct node *table = walk_header(reader, is_element, header, shown);
    if (table) {
        reader->table = table;
    } else {
        reader->table_depth = 0;
    }
    return true;
}
