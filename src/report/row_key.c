/* Rows of keys, and of the models that are configured with them. */
#include "report/row_make.h"

#include "report/labels.h"
#include "triage/place.h"

static const struct str nothing = {NULL, 0};

/* "api.example.com/v1": a URL without scheme, credentials and query. */
static struct str endpoint_of(struct str url)
{
    struct str authority = place_authority(url);
    size_t from = authority.len ? (size_t)(authority.ptr - url.ptr) : 0, to = from;
    while (to < url.len && url.ptr[to] != '?' && url.ptr[to] != '#') {
        to++;
    }
    return str_slice(url, from, to);
}

static struct str name_of(struct arena *arena, const struct key_row *key)
{
    return row_named_at(arena, key->name, endpoint_of(key->endpoint));
}

/* "HTTP 200, 29 models, 87 % left, 110.00 CNY": what proves the key, and what it is good for. */
static struct str seen_of(const struct row_maker *maker, const struct key_row *key)
{
    struct arena *arena = maker->arena;
    enum lang lang = maker->report->lang;
    long status = key->observation ? key->observation->status : 0;
    const struct str parts[] = {
        status ? arena_printf(arena, "HTTP %ld", status) : nothing,
        key->model_count >= 0 ? labels_say(arena, lang, LABEL_KEY_MODELS, (size_t)key->model_count)
                              : nothing,
        key->headroom_permille >= 0
            ? labels_say(arena, lang, LABEL_KEY_LEFT, (size_t)key->headroom_permille / 10)
            : nothing,
        key->balance,
    };
    struct str seen = nothing;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!str_is_empty(parts[i])) {
            seen = arena_printf(arena, "%.*s%s%.*s", STR_ARG(seen), seen.len ? ", " : "",
                                STR_ARG(parts[i]));
        }
    }
    return seen;
}

struct report_row *row_add_key(struct row_maker *maker, const struct key_row *key,
                               enum row_status status, const struct verdict *verdict)
{
    struct arena *arena = maker->arena;
    enum lang lang = maker->report->lang;
    struct result result = {
        .target = key->targets[0], .observation = key->observation, .finding = key->finding};
    struct report_row row = {
        .kind = ROW_KEY,
        .status = status,
        .suite = STR("keys"),
        .name = name_of(arena, key),
        .duration_ms = row_duration_ms(key->observation),
        .key = key,
    };
    if (key->finding) {
        row_judge(maker, &row, key->finding, &result, verdict);
    } else {
        enum label said = status == ROW_OK ? LABEL_KEY_ACCEPTED : LABEL_KEY_UNPROVEN;
        row.title = row_titled(maker, row.name, str_from(labels_text(said, lang)));
        row.why = key->unproven_why;
        row.seen = seen_of(maker, key);
    }
    if (row.origin.kind == ORIGIN_NONE) {
        row.origin = key->targets[0]->key_origin;
    }
    return row_add(maker, row);
}

void row_add_model(struct row_maker *maker, const struct key_row *key,
                   const struct key_model *model, enum row_status status,
                   const struct verdict *verdict)
{
    struct arena *arena = maker->arena;
    const struct target *target = model->target;
    struct report_row row = {
        .kind = model->live ? ROW_TARGET : ROW_MODEL,
        .status = status,
        .suite = STR("keys"),
        .name = arena_printf(arena, "%.*s with %.*s", STR_ARG(target->model.text),
                             STR_ARG(name_of(arena, key))),
        .duration_ms = model->live ? row_duration_ms(model->live->observation) : -1,
        .result = model->live,
        .origin = target->model.origin,
    };
    if (model->live && model->live->finding) {
        row_judge(maker, &row, model->live->finding, model->live, verdict);
    } else if (model->is_listing_known && !model->is_listed) {
        return;
    } else {
        row.status = model->is_listed ? ROW_OK : ROW_SKIPPED;
        enum label said = model->is_listed ? LABEL_MODEL_LISTED : LABEL_KEY_UNPROVEN;
        row.title = row_titled(maker, row.name, str_from(labels_text(said, maker->report->lang)));
    }
    row_add(maker, row);
}
