/* What targets are called in titles, sentences and tables: as short as is clear. */
#include "triage/names.h"

#include "base/text.h"
#include "triage/seen.h"
#include "triage/words.h"

#define NAME_COLUMNS_MAX 60
#define TITLE_COLUMNS_MAX 200

static struct str part_of(const struct target *target, bool is_model)
{
    return is_model ? target->model.text : target->name;
}

/* Where `shown` differs from the first of the others that would be cut to the same text; its length
 * where none would. */
static size_t first_difference(struct arena *arena, const struct result *results, size_t count,
                               struct str shown, bool is_model, size_t columns)
{
    struct str cut = text_cut_middle(arena, shown, columns);
    for (size_t i = 0; i < count; i++) {
        if (!results[i].target) {
            continue;
        }
        struct str other = text_show(arena, part_of(results[i].target, is_model), 0);
        if (str_eq(other, shown) || !str_eq(text_cut_middle(arena, other, columns), cut)) {
            continue;
        }
        size_t at = 0;
        while (at < shown.len && at < other.len && shown.ptr[at] == other.ptr[at]) {
            at++;
        }
        while (at > 0 && at < shown.len && ((unsigned char)shown.ptr[at] & 0xC0) == 0x80) {
            at--; /* back to where the character begins */
        }
        return at;
    }
    return shown.len;
}

struct str names_fit(struct arena *arena, enum lang lang, const struct result *results,
                     size_t count, const struct result *result, size_t columns)
{
    const struct target *target = result->target;
    if (target == NULL) {
        struct str place = {NULL, 0};
        if (result->finding) {
            place = seen_origin(arena, result->finding);
        }
        return str_is_empty(place) ? str_from(words_text(WORD_CALLED_MODEL, lang)) : place;
    }
    bool is_clear = !str_is_empty(target->model.text);
    for (size_t i = 0; i < count && is_clear; i++) {
        const struct target *other = results[i].target;
        is_clear =
            other == NULL || other == target || !str_eq(other->model.text, target->model.text);
    }
    struct str shown = text_show(arena, part_of(target, is_clear), 0);
    if (text_columns(shown) <= columns) {
        return shown;
    }
    return text_cut_around(arena, shown, columns,
                           first_difference(arena, results, count, shown, is_clear, columns));
}

struct str names_one(struct arena *arena, enum lang lang, const struct result *results,
                     size_t count, const struct result *result)
{
    return names_fit(arena, lang, results, count, result, NAME_COLUMNS_MAX);
}

static struct str names_several(struct arena *arena, const struct triage_input *input,
                                const struct result **results, size_t count)
{
    const char *shown[2] = {NULL, NULL};
    for (size_t i = 0; i < count && i < 2; i++) {
        shown[i] = arena_cstr(
            arena, names_one(arena, input->lang, input->results, input->result_count, results[i]));
    }
    if (count == 1) {
        return str_from(shown[0]);
    }
    return count == 2
               ? words_say(arena, input->lang, WORD_TWO_NAMES, shown[0], shown[1])
               : words_say(arena, input->lang, WORD_MORE_NAMES, shown[0], shown[1], count - 2);
}

/* Pasted evidence does not tell which model it was; where it stood is said beside the title. */
static struct str pasted_title(struct arena *arena, const struct triage_input *input,
                               const struct verdict *verdict, struct str said)
{
    struct str title =
        words_say(arena, input->lang, WORD_NAME_TITLE, words_text(WORD_CALLED_MODEL, input->lang),
                  arena_cstr(arena, said));
    if (verdict->result_count > 1) {
        title = words_say(arena, input->lang, WORD_MORE_OF_KIND, arena_cstr(arena, title),
                          verdict->result_count - 1);
    }
    return text_show(arena, title, TITLE_COLUMNS_MAX);
}

struct str names_title(struct arena *arena, const struct triage_input *input,
                       const struct verdict *verdict, struct str said, bool is_group)
{
    if (verdict->result_count == 0) {
        return said;
    }
    if (verdict->results[0]->target == NULL) {
        return pasted_title(arena, input, verdict, said);
    }
    struct str names = names_several(arena, input, verdict->results, verdict->result_count);
    enum word word = verdict->result_count > 1 && !is_group ? WORD_NAMES_TITLE : WORD_NAME_TITLE;
    struct str whole =
        words_say(arena, input->lang, word, arena_cstr(arena, names), arena_cstr(arena, said));
    return text_show(arena, whole, TITLE_COLUMNS_MAX);
}
