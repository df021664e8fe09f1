/* A closer look at rules than their examples give. Takes the table and a way to try patterns, makes
 * texts from the patterns themselves, gives a problem for every rule that one of them breaks. */
#include "rules/lint.h"

#include "base/text.h"
#include "rules/sample.h"

#define SAMPLES 48      /* texts that a pattern is tried on for its keywords */
#define WORST_SEEDS 6   /* texts that its repetitions are tried out of */
#define WORST_BYTES 512 /* short enough that a pattern of quadratic cost is let off */
#define SHOWN_COLUMNS 60

struct lint {
    const struct rules *rules;
    rules_try *try;
    void *context;
    struct arena *arena, *scratch; /* scratch: of one rule */
    struct problems *problems;
};

static void complain(struct lint *lint, const struct rule *rule, struct origin origin,
                     struct str what)
{
    problems_add(lint->arena, lint->problems,
                 (struct problem){.code = STR("bad_value"),
                                  .origin = origin,
                                  .message = arena_printf(lint->arena, "rule \"%.*s\": %.*s",
                                                          STR_ARG(rule->id), STR_ARG(what))});
}

static struct str shown(struct lint *lint, struct str text)
{
    return text_show(lint->arena, text, SHOWN_COLUMNS);
}

/* ---- keywords ---- */

static bool holds_keyword(const struct rule *rule, struct str text)
{
    for (size_t i = 0; i < rule->keyword_count; i++) {
        if (str_ifind(text, rule->keywords[i]) >= 0) {
            return true;
        }
    }
    return false;
}

/* A text that the condition matches though it holds no keyword; unset when none was found. */
static struct str unseen_match(struct lint *lint, size_t number, size_t condition)
{
    const struct rule *rule = rules_at(lint->rules, number);
    const struct sampler *sampler =
        sampler_create(lint->scratch, rule->conditions[condition].pattern);
    for (uint32_t seed = 1; seed <= SAMPLES; seed++) {
        struct str text = sample_match(lint->scratch, sampler, seed);
        const struct str cases[] = {text, sample_raised(lint->scratch, text)};
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            if (str_is_set(cases[i]) && !holds_keyword(rule, cases[i]) &&
                lint->try(lint->context, number, condition, cases[i]) == TRIAL_YES) {
                return cases[i];
            }
        }
    }
    return (struct str){NULL, 0};
}

/* The prefilter hides a match only when no condition brings a keyword along. */
static void lint_keywords(struct lint *lint, size_t number)
{
    const struct rule *rule = rules_at(lint->rules, number);
    struct str first = {NULL, 0};
    if (rule->keyword_count == 0 || rule->condition_count == 0) {
        return;
    }
    for (size_t k = 0; k < rule->condition_count; k++) {
        struct str text = unseen_match(lint, number, k);
        if (!str_is_set(text)) {
            return;
        }
        first = str_is_set(first) ? first : text;
    }
    complain(lint, rule, rule->conditions[0].origin,
             arena_printf(lint->arena,
                          "the pattern also matches \"%.*s\", which holds none of the keywords",
                          STR_ARG(shown(lint, first))));
}

/* ---- cost ---- */

static void lint_cost(struct lint *lint, size_t number, size_t condition)
{
    const struct rule *rule = rules_at(lint->rules, number);
    const struct sampler *sampler =
        sampler_create(lint->scratch, rule->conditions[condition].pattern);
    struct str texts[SAMPLE_WORST_MAX];
    if (lint->try(lint->context, number, condition, STR("")) == TRIAL_LIMIT) {
        return; /* no pattern at all, which is told elsewhere */
    }
    for (uint32_t seed = 1; seed <= WORST_SEEDS; seed++) {
        size_t count = sample_worst(lint->scratch, sampler, seed, WORST_BYTES, texts);
        for (size_t i = 0; i < count; i++) {
            if (lint->try(lint->context, number, condition, texts[i]) == TRIAL_LIMIT) {
                complain(lint, rule, rule->conditions[condition].origin,
                         arena_printf(lint->arena,
                                      "the pattern runs into the match limit on %zu bytes such as "
                                      "\"%.*s\"",
                                      texts[i].len, STR_ARG(shown(lint, texts[i]))));
                return;
            }
        }
    }
}

/* ---- order ---- */

static bool has_status(const struct rule *rule, long status)
{
    for (size_t i = 0; i < rule->status_count; i++) {
        if (rule->statuses[i] == status) {
            return true;
        }
    }
    return rule->status_count == 0;
}

static bool has_keyword(const struct rule *rule, struct str keyword)
{
    for (size_t i = 0; i < rule->keyword_count; i++) {
        if (str_eq(rule->keywords[i], keyword)) {
            return true;
        }
    }
    return false;
}

static bool has_condition(const struct rule *rule, const struct condition *wanted)
{
    for (size_t i = 0; i < rule->condition_count; i++) {
        const struct condition *own = &rule->conditions[i];
        if (own->field == wanted->field && str_eq(own->header_name, wanted->header_name) &&
            str_eq(own->pattern, wanted->pattern)) {
            return true;
        }
    }
    return false;
}

/* Does the first rule match whatever the second one matches? True only where the texts of both show
 * it: no more conditions, no fewer statuses, no fewer keywords. */
static bool takes_all(const struct rule *first, const struct rule *second)
{
    bool takes = (first->keyword_count == 0) == (second->keyword_count == 0) &&
                 (first->status_count == 0 || second->status_count > 0) &&
                 (first->condition_count == 0) == (second->condition_count == 0);
    for (size_t i = 0; i < second->status_count && takes; i++) {
        takes = has_status(first, second->statuses[i]);
    }
    for (size_t i = 0; i < second->keyword_count && takes; i++) {
        takes = has_keyword(first, second->keywords[i]);
    }
    for (size_t i = 0; i < first->condition_count && takes; i++) {
        takes = has_condition(second, &first->conditions[i]);
    }
    return takes;
}

static void lint_order(struct lint *lint, size_t number)
{
    const struct rule *rule = rules_at(lint->rules, number);
    for (size_t i = 0; i < number; i++) {
        const struct rule *before = rules_at(lint->rules, i);
        if (takes_all(before, rule)) {
            struct str place = origin_text(lint->arena, before->origin);
            complain(lint, rule, rule->origin,
                     arena_printf(lint->arena,
                                  "it can never win: \"%.*s\" (%.*s) is tried before it and "
                                  "matches all that it matches",
                                  STR_ARG(before->id), STR_ARG(place)));
            return;
        }
    }
}

void rules_lint(const struct rules *rules, rules_try *try, void *context, struct arena *arena,
                struct problems *problems)
{
    struct lint lint = {
        .rules = rules, .try = try, .context = context, .arena = arena, .problems = problems};
    for (size_t i = 0; i < rules_count(rules); i++) {
        lint.scratch = arena_create();
        lint_order(&lint, i);
        lint_keywords(&lint, i);
        for (size_t k = 0; k < rules_at(rules, i)->condition_count; k++) {
            lint_cost(&lint, i, k);
        }
        arena_free(lint.scratch);
    }
}
