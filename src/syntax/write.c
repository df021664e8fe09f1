/* Trees back to text. Takes what a reader gave, writes TOML or JSON without the keys that are to be
 * left out. In TOML tables are written inline, so every document has the same plain form. */
#include "syntax/write.h"

#include <math.h>

/* The key of the value under way, from the root: "model_providers.x.base_url". */
#define NAME_BYTES_MAX 1024

struct writing {
    enum write_dialect dialect;
    const struct write_edit *edit;
    struct buf *out;
    struct buf name;
};

static void write_node(struct writing *writing, const struct node *node);

static bool is_listed(const struct writing *writing, const struct str *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!writing->name.is_full && str_eq(list[i], buf_str(&writing->name))) {
            return true;
        }
    }
    return false;
}

static void write_string(struct writing *writing, struct str text)
{
    buf_add_char(writing->out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '"' || c == '\\') {
            buf_printf(writing->out, "\\%c", c);
        } else if (c < 0x20 || c == 0x7F) {
            buf_printf(writing->out, "\\u%04X", c);
        } else {
            buf_add_char(writing->out, (char)c);
        }
    }
    buf_add_char(writing->out, '"');
}

/* A path that keeps its meaning wherever the document goes. */
static void write_path(struct writing *writing, struct str path)
{
    const struct write_edit *edit = writing->edit;
    struct buf whole = buf_create(SYNTAX_BYTES_MAX);
    if (str_starts(path, STR("~/"))) {
        buf_add(&whole, edit->home);
        path = str_slice(path, 1, path.len);
    } else if (!str_starts(path, STR("/"))) {
        buf_add(&whole, edit->directory);
        buf_add_char(&whole, '/');
    }
    buf_add(&whole, path);
    write_string(writing, buf_str(&whole));
    buf_free(&whole);
}

static void write_float(struct writing *writing, double number)
{
    if (isnan(number) || isinf(number)) {
        buf_add(writing->out, isnan(number) ? STR("nan") : number < 0 ? STR("-inf") : STR("inf"));
        return;
    }
    struct buf digits = buf_create(64);
    buf_printf(&digits, "%.17g", number);
    buf_add(writing->out, buf_str(&digits));
    if (str_find_char(buf_str(&digits), '.') < 0 && str_find_char(buf_str(&digits), 'e') < 0) {
        buf_add(writing->out, STR(".0"));
    }
    buf_free(&digits);
}

/* One key with its value; false when it is left out. `before` parts it from the one before. */
static bool write_entry(struct writing *writing, const struct entry *entry, struct str before)
{
    const struct write_edit *edit = writing->edit;
    size_t length = writing->name.len;
    bool was_full = writing->name.is_full;
    buf_printf(&writing->name, "%s%.*s", length ? "." : "", STR_ARG(entry->key));
    bool is_kept = !is_listed(writing, edit->drops, edit->drop_count);
    if (is_kept) {
        buf_add(writing->out, before);
        write_string(writing, entry->key);
        buf_add(writing->out, writing->dialect == WRITE_TOML ? STR(" = ") : STR(": "));
        if (entry->value->kind == NODE_STRING &&
            is_listed(writing, edit->paths, edit->path_count)) {
            write_path(writing, entry->value->string);
        } else {
            write_node(writing, entry->value);
        }
    }
    writing->name.len = length;
    writing->name.is_full = was_full;
    return is_kept;
}

static void write_table(struct writing *writing, const struct node *table)
{
    bool has_one = false;
    buf_add_char(writing->out, '{');
    for (size_t i = 0; i < table->count; i++) {
        bool is_written = write_entry(writing, &table->entries[i], has_one ? STR(", ") : STR(" "));
        has_one = has_one || is_written;
    }
    buf_add(writing->out, STR(" }"));
}

static void write_node(struct writing *writing, const struct node *node)
{
    switch (node->kind) {
    case NODE_NULL:
        buf_add(writing->out, STR("null"));
        break;
    case NODE_STRING:
        write_string(writing, node->string);
        break;
    case NODE_INTEGER:
        buf_printf(writing->out, "%lld", (long long)node->integer);
        break;
    case NODE_FLOAT:
        write_float(writing, node->number);
        break;
    case NODE_BOOL:
        buf_add(writing->out, node->boolean ? STR("true") : STR("false"));
        break;
    case NODE_OFFSET_DATETIME:
    case NODE_LOCAL_DATETIME:
    case NODE_LOCAL_DATE:
    case NODE_LOCAL_TIME:
        buf_add(writing->out, node->string);
        break;
    case NODE_ARRAY:
        buf_add_char(writing->out, '[');
        for (size_t i = 0; i < node->count; i++) {
            buf_add(writing->out, i ? STR(", ") : STR(""));
            write_node(writing, node->items[i]);
        }
        buf_add_char(writing->out, ']');
        break;
    case NODE_TABLE:
        write_table(writing, node);
        break;
    }
}

void syntax_write(const struct node *table, enum write_dialect dialect,
                  const struct write_edit *edit, struct buf *out)
{
    struct writing writing = {.dialect = dialect, .edit = edit, .out = out};
    writing.name = buf_create(NAME_BYTES_MAX);
    if (dialect == WRITE_JSON) {
        write_node(&writing, table);
        buf_add_char(out, '\n');
    } else {
        for (size_t i = 0; i < table->count; i++) {
            if (write_entry(&writing, &table->entries[i], STR(""))) {
                buf_add_char(out, '\n');
            }
        }
    }
    buf_free(&writing.name);
}
