/* What -v adds to the table of keys: where each is used and comes from, which models were asked
 * for, what it may do, what is left and when it ends. */
#include "report/human.h"

#include "base/moment.h"
#include "base/text.h"
#include "report/labels.h"
#include "report/layout.h"

#define BODY 4
#define LABEL_COLUMNS 14
#define TEXT_COLUMNS_MAX 400

static void write_line(const struct human *human, enum label label, struct str text)
{
    if (str_is_empty(text)) {
        return;
    }
    layout_blanks(human->out, BODY);
    layout_pad(human->out, str_from(labels_text(label, human->report->lang)), LABEL_COLUMNS);
    layout_wrap(human->out, text_show(human->arena, text, TEXT_COLUMNS_MAX), BODY + LABEL_COLUMNS,
                human->columns, (struct str){NULL, 0});
}

static struct str moment_of(const struct human *human, int64_t moment_ms)
{
    return moment_ms > 0 ? moment_rfc3339(human->arena, moment_ms) : (struct str){NULL, 0};
}

static struct str joined(const struct human *human, const struct str *texts, size_t count)
{
    struct str list = {NULL, 0};
    for (size_t i = 0; i < count; i++) {
        list = arena_printf(human->arena, "%.*s%s%.*s", STR_ARG(list), i ? ", " : "",
                            STR_ARG(texts[i]));
    }
    return list;
}

/* "gpt-x (not listed; at capacity)" */
static struct str model_of(const struct human *human, const struct key_model *model)
{
    enum lang lang = human->report->lang;
    const char *listed =
        !model->is_listing_known
            ? ""
            : labels_text(model->is_listed ? LABEL_KEYS_LISTED : LABEL_KEYS_UNLISTED, lang);
    const struct finding *live = model->live ? model->live->finding : NULL;
    const char *answer = live ? arena_cstr(human->arena, live->diagnosis->title.in[lang]) : "";
    bool has_both = *listed && *answer;
    if (!*listed && !*answer) {
        return model->target->model.text;
    }
    struct str said = arena_printf(human->arena, "%s%s%s", listed, has_both ? "; " : "", answer);
    return labels_say(human->arena, lang, LABEL_FROM,
                      arena_cstr(human->arena, model->target->model.text),
                      arena_cstr(human->arena, said));
}

static struct str key_of(const struct human *human, const struct key_row *row)
{
    return str_is_empty(row->fingerprint) || str_is_empty(row->source)
               ? row->fingerprint
               : labels_say(human->arena, human->report->lang, LABEL_FROM,
                            arena_cstr(human->arena, row->fingerprint),
                            arena_cstr(human->arena, row->source));
}

static void write_key(const struct human *human, const struct key_row *row)
{
    buf_add(human->out, STR("\n  "));
    layout_wrap(human->out, row->label, 2, human->columns, (struct str){NULL, 0});
    write_line(human, LABEL_DETAIL_URL, row->endpoint);
    write_line(human, LABEL_DETAIL_KEY, key_of(human, row));
    for (size_t i = 0; i < row->configured_count; i++) {
        write_line(human, LABEL_MODEL, model_of(human, &row->models[i]));
    }
    write_line(human, LABEL_KEYS_MAY, joined(human, row->permissions, row->permission_count));
    write_line(human, LABEL_KEYS_LEFT, row->headroom_of);
    write_line(human, LABEL_KEYS_BALANCE, row->balance);
    write_line(human, LABEL_KEYS_KEY_ENDS, moment_of(human, row->key_expires_ms));
    write_line(human, LABEL_KEYS_CERTIFICATE_ENDS, moment_of(human, row->certificate_expires_ms));
    if (row->observation) {
        write_line(human, LABEL_DETAIL_REQUEST, row->observation->request_id);
    }
}

void human_key_details(const struct human *human)
{
    for (size_t i = 0; i < human->report->key_count; i++) {
        write_key(human, &human->report->keys[i]);
    }
}
