/* What targets are called in titles, sentences and tables: as short as is clear. */
#include "triage/names.h"

#include "base/text.h"
#include "triage/seen.h"
#include "triage/words.h"

#define NAME_COLUMNS_MAX 60
#define TITLE_COLUMNS_MAX 200

struct str names_one(struct arena *arena, enum lang lang, const struct result *results,
                     size_t count, const struct result *result)
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
    return text_show(arena, is_clear ? target->model.text : target->name, NAME_COLUMNS_MAX);
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
