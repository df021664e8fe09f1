/* Any bytes as a rule file, the user's and a built-in one: the reader must neither crash nor hang,
 * every problem has its place, and a table that opens can be read and judged by. */
#include "classify/classify.h"
#include "rules/check.h"
#include "rules/lint.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char *const fallbacks =
    "[[diagnosis]]\nid='ok'\nlayer='none'\nblame='none'\nseverity='info'\nstep='answer'\n"
    "title={en='a',zh='b'}\nmeaning={en='a',zh='b'}\ndiffers={en='a',zh='b'}\nactions=[]\n"
    "avoid=[]\n[[diagnosis]]\nid='unknown'\nlayer='client'\nblame='unknown'\nseverity='error'\n"
    "step='answer'\ntitle={en='a',zh='b'}\nmeaning={en='a',zh='b'}\ndiffers={en='a',zh='b'}\n"
    "actions=[]\navoid=[]\n";

static struct finding judge(void *context, struct arena *arena, const struct observation *evidence)
{
    return classify(context, arena, evidence);
}

static enum trial try_pattern(void *context, size_t rule, size_t condition, struct str text)
{
    enum match_end end = classifier_try(context, rule, condition, text);
    return end == MATCH_YES ? TRIAL_YES : end == MATCH_NO ? TRIAL_NO : TRIAL_LIMIT;
}

static void read_as(struct str text, bool is_users)
{
    struct arena *arena = arena_create();
    struct problems problems = {0};
    struct rules *rules;
    const struct rules_text texts[] = {
        {.file = STR("fuzz.toml"), .text = text, .is_users = is_users},
        {.file = STR("fallbacks.toml"), .text = str_from(fallbacks)}};
    enum err_code code = rules_open_texts(texts, 2, &problems, arena, &rules, NULL);
    if (code == ERR_OK) {
        struct classifier *classifier = classifier_open(rules);
        classifier_check_patterns(classifier, is_users, arena, &problems);
        rules_check(rules, judge, classifier, arena, &problems);
        rules_lint(rules, try_pattern, classifier, arena, &problems);
        classifier_close(classifier);
        rules_close(rules);
    } else if (is_users) {
        abort(); /* what the user wrote must never take the built-in table away */
    }
    for (size_t i = 0; i < problems.count; i++) {
        if (str_is_empty(problems.items[i].message)) {
            abort();
        }
    }
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {size ? (const char *)bytes : "", size < 16384 ? size : 16384};
    read_as(text, true);
    read_as(text, false);
    return 0;
}
