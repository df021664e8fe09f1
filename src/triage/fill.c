/* Puts values into the texts of rules/diagnoses.toml, line by line, and makes lines of {switch}.
 * Which values there are is fill_value.c; times are fill_time.c. */
#include "triage/fill.h"

#include "base/buf.h"
#include "base/text.h"
#include "triage/fill_value.h"
#include "triage/words.h"

#define NAME_BYTES_MAX 32
#define LINES_MAX 32 /* of one verdict; more is no help */
#define FILLED_BYTES_MAX 16384

static const struct str none = {NULL, 0};

/* Length of the placeholder at s[at] with its braces, or 0. */
static size_t placeholder_length(struct str s, size_t at)
{
    if (s.ptr[at] != '{') {
        return 0;
    }
    size_t i = at + 1;
    while (i < s.len && i - at <= NAME_BYTES_MAX && (str_is_lower(s.ptr[i]) || s.ptr[i] == '_')) {
        i++;
    }
    return i < s.len && i > at + 1 && s.ptr[i] == '}' ? i - at + 1 : 0;
}

bool fill_text(struct arena *arena, const struct fill *fill, struct str text, struct str *out)
{
    struct buf filled = buf_create(FILLED_BYTES_MAX);
    bool is_whole = str_is_set(text);
    *out = none;
    for (size_t at = 0; at < text.len && is_whole;) {
        size_t length = placeholder_length(text, at);
        if (length == 0) {
            buf_add_char(&filled, text.ptr[at++]);
            continue;
        }
        struct str value = fill_value(arena, fill, str_slice(text, at + 1, at + length - 1));
        is_whole = str_is_set(value);
        buf_add(&filled, value);
        at += length;
    }
    if (is_whole) {
        *out = text_show(arena, buf_str(&filled), 0);
    }
    buf_free(&filled);
    return is_whole;
}

static const struct rule *rule_of(const struct fill *fill)
{
    bool has_rule = fill->rules && fill->finding && !str_is_empty(fill->finding->rule_id);
    return has_rule ? rules_find(fill->rules, fill->finding->rule_id) : NULL;
}

const struct phrase *fill_meaning_of(struct arena *arena, const struct fill *fill)
{
    const struct rule *rule = rule_of(fill);
    struct str text;
    bool is_whole = rule && !str_is_empty(rule->meaning.in[fill->lang]) &&
                    fill_text(arena, fill, rule->meaning.in[fill->lang], &text);
    return is_whole ? &rule->meaning : &fill->finding->diagnosis->meaning;
}

bool fill_has_general_meaning(const struct fill *fill)
{
    const struct rule *rule = rule_of(fill);
    return rule == NULL || str_is_empty(rule->meaning.in[fill->lang]);
}

const struct phrases *fill_actions_of(const struct fill *fill)
{
    const struct rule *rule = rule_of(fill);
    return rule && rule->actions.count ? &rule->actions : &fill->finding->diagnosis->actions;
}

struct lines {
    struct str *items;
    size_t count, capacity;
};

static void lines_add(struct arena *arena, struct lines *lines, struct str line)
{
    for (size_t i = 0; i < lines->count; i++) {
        if (str_eq(lines->items[i], line)) {
            return;
        }
    }
    if (lines->count < LINES_MAX) {
        lines->items = arena_grow(arena, lines->items, lines->count, &lines->capacity, sizeof line);
        lines->items[lines->count++] = line;
    }
}

/* One way to switch. In the client's words {model} is the one to switch to, unless they tell it
 * apart as {other_model}. */
static bool fill_switch(struct arena *arena, const struct fill *fill, struct str way,
                        struct str *out)
{
    struct fill of_other = *fill;
    of_other.result = fill->other;
    bool tells_apart = str_find(way, STR("{other_model}")) >= 0;
    if (fill_is_pasted(fill) && str_find(way, STR("{model}")) >= 0) {
        return false; /* it speaks of two models that are known */
    }
    return fill_text(arena, tells_apart ? fill : &of_other, way, out);
}

/* A switch is only offered between targets of one client: only there is the other one's key at
 * hand. Of a paste whose client is known the way is told, and which model is up to the reader. */
static bool may_switch(const struct fill *fill)
{
    return fill_is_pasted(fill) ||
           (fill->other && fill->other->target && fill->result && fill->result->target &&
            str_eq(fill->other->target->client, fill->result->target->client));
}

static void add_switch_lines(struct arena *arena, const struct fill *fill, struct str line,
                             size_t at, struct lines *lines)
{
    const struct client *client = fill_client(fill);
    if (client == NULL || !may_switch(fill)) {
        return;
    }
    size_t behind = at + sizeof "{switch}" - 1;
    const char *gap = at > 0 && line.ptr[at - 1] == ' ' ? " " : "";
    const char *next_gap = behind < line.len && line.ptr[behind] == ' ' ? " " : "";
    for (size_t i = 0; i < client->switch_actions.count; i++) {
        struct str way, before, after;
        if (fill_switch(arena, fill, client->switch_actions.items[i].in[fill->lang], &way) &&
            fill_text(arena, fill, str_slice(line, 0, at), &before) &&
            fill_text(arena, fill, str_slice(line, behind, line.len), &after)) {
            lines_add(arena, lines,
                      arena_printf(arena, "%.*s%s%.*s%s%.*s", STR_ARG(before), gap, STR_ARG(way),
                                   next_gap, STR_ARG(after)));
        }
    }
}

const struct str *fill_lines(struct arena *arena, const struct fill *fill,
                             const struct phrases *phrases, size_t *count)
{
    struct lines lines = {0};
    for (size_t i = 0; i < phrases->count; i++) {
        struct str line = phrases->items[i].in[fill->lang], filled;
        ptrdiff_t at = str_find(line, STR("{switch}"));
        if (at >= 0) {
            add_switch_lines(arena, fill, line, (size_t)at, &lines);
        } else if (fill_text(arena, fill, line, &filled)) {
            lines_add(arena, &lines, filled);
        }
    }
    *count = lines.count;
    return lines.items;
}
