/* The rows of `diagnose config` for settings that no request is made of: every key of the files in
 * force, with what it hides. Takes a stack of files, gives rows; values that may be secret are
 * masked, whatever they look like. */
#include "config/codex.h"

#include "base/buf.h"
#include "config/layer.h"
#include "config/settings.h"

#define ROWS_MAX 2000
#define TEXT_BYTES_MAX 1024

struct listing {
    struct codex *codex;
    const struct codex_view *view;
    struct key_path path;
    struct key_path *done;
    size_t done_count, done_capacity;
    size_t first; /* of the rows in the config */
};

static void add_text(struct buf *out, const struct node *node)
{
    switch (node->kind) {
    case NODE_STRING:
        buf_printf(out, "\"%.*s\"", STR_ARG(node->string));
        break;
    case NODE_INTEGER:
        buf_printf(out, "%lld", (long long)node->integer);
        break;
    case NODE_FLOAT:
        buf_printf(out, "%g", node->number);
        break;
    case NODE_BOOL:
        buf_add(out, node->boolean ? STR("true") : STR("false"));
        break;
    case NODE_ARRAY:
        buf_add_char(out, '[');
        for (size_t i = 0; i < node->count && !out->is_full; i++) {
            buf_add(out, i ? STR(", ") : STR(""));
            if (node->items[i]->kind == NODE_TABLE) {
                buf_add(out, STR("{...}"));
            } else {
                add_text(out, node->items[i]);
            }
        }
        buf_add_char(out, ']');
        break;
    case NODE_TABLE:
        buf_add(out, node->count ? STR("{...}") : STR("{}"));
        break;
    default:
        buf_add(out, node->string);
        break;
    }
}

static struct str text_of(struct arena *arena, const struct node *node)
{
    struct buf out = buf_create(TEXT_BYTES_MAX);
    if (node->kind == NODE_STRING) {
        buf_add(&out, url_without_credentials(arena, node->string));
    } else {
        add_text(&out, node);
    }
    struct str text = arena_dup(arena, out.len ? buf_str(&out) : STR(""));
    buf_free(&out);
    return text;
}

/* What the table of keys says of a path: read by this version, and fit to be shown. */
struct standing {
    bool is_read, is_shown;
};

static struct standing standing_of(const struct listing *listing)
{
    struct key_path path = listing->path;
    bool is_of_version;
    const struct client_key *key = key_table_find(&listing->codex->check, &path, &is_of_version);
    if (key) {
        return (struct standing){is_of_version && !key->is_unread, !key->is_secret};
    }
    for (path.count--; path.count > 0; path.count--) { /* below a table that may hold anything */
        key = key_table_find(&listing->codex->check, &path, &is_of_version);
        if (key) {
            bool is_free = key->shape == SHAPE_OPEN || key->shape == SHAPE_ANY ||
                           key->shape == SHAPE_MAP || key->shape == SHAPE_VARIABLES;
            return (struct standing){is_of_version && is_free && !key->is_unread,
                                     is_free && !key->is_secret};
        }
    }
    return (struct standing){false, false};
}

/* A profile that is not chosen says nothing. */
static bool is_of_other_profile(const struct listing *listing)
{
    return listing->path.count > 1 && str_eq(listing->path.parts[0], STR("profiles")) &&
           !str_eq(listing->path.parts[1], listing->view->profile);
}

static bool is_done(const struct listing *listing)
{
    for (size_t i = 0; i < listing->done_count; i++) {
        const struct key_path *done = &listing->done[i];
        size_t same = 0;
        while (done->count == listing->path.count && same < done->count &&
               str_eq(done->parts[same], listing->path.parts[same])) {
            same++;
        }
        if (done->count == listing->path.count && same == done->count) {
            return true;
        }
    }
    return false;
}

/* The value of a path over all files, the strongest on top. */
static struct value value_of(const struct listing *listing, bool is_shown)
{
    struct arena *arena = listing->codex->arena;
    struct value value = {0};
    for (size_t i = 0; i < listing->view->stack.count; i++) {
        const struct layer *layer = listing->view->stack.layers[i];
        const struct node *node = layer_node(layer, &listing->path);
        if (node) {
            value = layer_over(arena, value, is_shown ? text_of(arena, node) : STR("[masked]"),
                               note_origin(&layer->source, node->pos));
        }
    }
    return value;
}

static struct str key_text(const struct listing *listing)
{
    struct arena *arena = listing->codex->arena;
    struct str text = {NULL, 0};
    for (size_t i = 0; i < listing->path.count; i++) {
        text = arena_printf(arena, "%.*s%s%.*s", STR_ARG(text), i ? "." : "",
                            STR_ARG(codex_name(listing->codex, listing->path.parts[i])));
    }
    return text;
}

static bool is_listed(const struct listing *listing, struct str key)
{
    const struct config *config = listing->codex->config;
    for (size_t i = 0; i < config->setting_count; i++) {
        if (str_eq(config->settings[i].key, key) && str_eq(config->settings[i].client, CODEX)) {
            return true;
        }
    }
    return false;
}

static void add_row(struct listing *listing)
{
    struct codex *codex = listing->codex;
    struct config *config = codex->config;
    struct standing standing = standing_of(listing);
    bool is_in_force = standing.is_read && !is_of_other_profile(listing);
    struct str key = key_text(listing);
    if (is_done(listing) || listing->done_count >= ROWS_MAX || is_listed(listing, key)) {
        return;
    }
    listing->done = arena_grow(codex->arena, listing->done, listing->done_count,
                               &listing->done_capacity, sizeof *listing->done);
    listing->done[listing->done_count++] = listing->path;
    if (!is_in_force && !codex->request->wants_unread) {
        return;
    }
    struct value value = value_of(listing, standing.is_shown);
    size_t before = config->setting_count;
    settings_add(codex->arena, codex->rules, config, CODEX, key, &value);
    for (size_t i = before; i < config->setting_count; i++) {
        config->settings[i].is_unread = !is_in_force;
    }
}

static void walk(struct listing *listing, const struct node *table)
{
    size_t most = sizeof listing->path.parts / sizeof listing->path.parts[0];
    listing->path.count++;
    for (size_t i = 0; i < table->count; i++) {
        const struct node *value = table->entries[i].value;
        listing->path.parts[listing->path.count - 1] = table->entries[i].key;
        if (value->kind == NODE_TABLE && value->count && listing->path.count < most) {
            walk(listing, value);
        } else {
            add_row(listing);
        }
    }
    listing->path.count--;
}

void codex_add_other_settings(struct codex *codex, const struct codex_view *view)
{
    struct listing listing = {.codex = codex, .view = view, .first = codex->config->setting_count};
    for (size_t i = view->stack.count; i > 0; i--) {
        const struct node *root = view->stack.layers[i - 1]->document.root;
        if (root && root->kind == NODE_TABLE) {
            walk(&listing, root);
        }
    }
    codex_name_layers(codex, &view->stack, listing.first);
}
