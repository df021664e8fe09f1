/* Tiers of models, and which names are one model. */
#include "rules/models.h"
#include "triage/truth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void flagships_are_hot_and_small_models_are_not(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        bool is_hot;
    } rows[] = {
        {"gpt-5-codex", true},       {"openai/gpt-5", true},    {"gpt-5-mini", false},
        {"GPT-6.2-Sol", true},       {"gpt-5.6-luna", false},   {"claude-opus-4-1", true},
        {"claude-haiku-4-5", false}, {"gemini-3-flash", false}, {"gemini-2.5-pro", true},
        {"gpt-4o", false},           {"my-own-model", false},   {"", false},
    };
    struct arena *arena = arena_create();
    struct problems problems = {0};
    struct rules *rules = NULL;
    assert_int_equal(rules_open((struct str){NULL, 0}, &problems, arena, &rules, NULL), ERR_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct model_tier *tier = rules_model_tier(rules, str_from(rows[i].model));
        if ((tier && tier->is_hot) != rows[i].is_hot) {
            fail_msg("%s", rows[i].model);
        }
    }
    rules_close(rules);
    arena_free(arena);
}

static void a_date_makes_no_other_model(void **state)
{
    (void)state;
    static const struct {
        const char *asked, *answered;
        bool is_same;
    } rows[] = {
        {"gpt-x", "gpt-x", true},
        {"gpt-x", "gpt-x-2025-04-14", true},
        {"gpt-x-2025-04-14", "gpt-x", true},
        {"gpt-4", "gpt-4-0613", true},
        {"claude-x", "claude-x-20250929", true},
        {"claude-x-latest", "claude-x-20250929", true},
        {"claude-x@20250929", "claude-x", true},
        {"gemini-x", "gemini-x-001", true},
        {"gemini-x-preview-05-20", "models/gemini-x-preview-05-20", true},
        {"openai/gpt-x", "gpt-x-2025-04-14", true},
        {"llama3", "llama3:latest", true},
        {"gpt-x", "GPT-X", true},
        {"gpt-x", "gpt-x-mini", false},
        {"gpt-x", "gpt-x1", false},
        {"gpt-x-2025-01-01", "gpt-x-2025-04-14", false},
        {"gpt-4", "gpt-4.1", false},
        {"gpt-5", "gpt-5-pro-2025-10-06", false},
        {"gpt-x", "", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool is_same = truth_is_same_model(str_from(rows[i].asked), str_from(rows[i].answered));
        if (is_same != rows[i].is_same) {
            fail_msg("%s and %s", rows[i].asked, rows[i].answered);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flagships_are_hot_and_small_models_are_not),
        cmocka_unit_test(a_date_makes_no_other_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
