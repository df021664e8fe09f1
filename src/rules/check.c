/* The test of the rule table. Takes the table and a judge, gives a problem for every rule that does
 * not do what its own examples say, or that cannot be trusted in cost or reach. */
#include "rules/check.h"

#include "rules/pattern.h"

#define KEYWORD_BYTES_MIN 8
#define OWN_PROBLEMS_MAX 20      /* that are told when rules are loaded */
#define WIDE_KEYWORD_BYTES_MIN 4 /* outside ASCII: two Chinese characters are six bytes */

struct check {
    const struct rules *rules;
    rules_judge *judge;
    void *context;
    struct arena *arena;
    struct problems *problems;
    bool *is_reached; /* by diagnosis */
};

static void complain(struct check *check, struct origin origin, const struct rule *rule,
                     struct str what)
{
    problems_add(check->arena, check->problems,
                 (struct problem){.code = STR("bad_value"),
                                  .origin = origin,
                                  .message = arena_printf(check->arena, "rule \"%.*s\": %.*s",
                                                          STR_ARG(rule->id), STR_ARG(what))});
}

static void check_keyword(struct check *check, const struct rule *rule, struct str keyword)
{
    bool is_ascii = true, is_lower = true;
    for (size_t i = 0; i < keyword.len; i++) {
        is_ascii = is_ascii && (unsigned char)keyword.ptr[i] < 0x80;
        is_lower = is_lower && !str_is_upper(keyword.ptr[i]);
    }
    if (!is_lower) {
        complain(check, rule->origin, rule,
                 arena_printf(check->arena, "the keyword \"%.*s\" must be in lower case",
                              STR_ARG(keyword)));
    }
    if (keyword.len < (is_ascii ? KEYWORD_BYTES_MIN : WIDE_KEYWORD_BYTES_MIN)) {
        complain(check, rule->origin, rule,
                 arena_printf(check->arena, "the keyword \"%.*s\" is shorter than %d bytes",
                              STR_ARG(keyword),
                              is_ascii ? KEYWORD_BYTES_MIN : WIDE_KEYWORD_BYTES_MIN));
    }
}

static void check_conditions(struct check *check, const struct rule *rule)
{
    for (size_t i = 0; i < rule->condition_count; i++) {
        const struct condition *condition = &rule->conditions[i];
        struct pattern_cost cost = pattern_scan(condition->pattern);
        bool is_prose = condition->field == FIELD_TEXT ||
                        (condition->field == FIELD_ERROR_MESSAGE && rule->status_count == 0);
        if (is_prose && rule->keyword_count == 0) {
            complain(check, condition->origin, rule,
                     STR("a pattern on prose needs keywords, of which every match contains one"));
        }
        if (cost.has_nested_quantifier) {
            complain(check, condition->origin, rule,
                     STR("a repetition without bound stands inside a repeated group"));
        }
        if (cost.wide_gaps > 1) {
            complain(check, condition->origin, rule,
                     STR("the pattern has more than one wide gap; bound them, as .{0,80}"));
        }
    }
}

static struct str name_winner(struct check *check, const struct finding *finding)
{
    if (str_is_set(finding->skipped_rule)) {
        return arena_printf(check->arena, "%.*s, after \"%.*s\" was skipped",
                            STR_ARG(finding->diagnosis->id), STR_ARG(finding->skipped_rule));
    }
    if (!str_is_set(finding->rule_id)) {
        return arena_printf(check->arena, "no rule (%.*s)", STR_ARG(finding->diagnosis->id));
    }
    const struct rule *winner = rules_find(check->rules, finding->rule_id);
    struct str place = origin_text(check->arena, winner->origin);
    return arena_printf(check->arena, "rule \"%.*s\" (%.*s) at %.*s", STR_ARG(finding->rule_id),
                        STR_ARG(finding->diagnosis->id), STR_ARG(place));
}

static void mark_reached(struct check *check, const struct diagnosis *diagnosis)
{
    for (size_t i = 0; i < rules_diagnosis_count(check->rules); i++) {
        if (rules_diagnosis_at(check->rules, i) == diagnosis) {
            check->is_reached[i] = true;
        }
    }
}

/* A keyword must stand in every yes example; said apart, since it is the commonest slip. */
static bool holds_keyword(const struct rule *rule, const struct observation *evidence)
{
    for (size_t i = 0; i < rule->keyword_count; i++) {
        if (str_ifind(evidence->body, rule->keywords[i]) >= 0) {
            return true;
        }
    }
    return rule->keyword_count == 0;
}

/* An own rule may say the same as a built-in one and win over it. */
static bool is_replaced(const struct check *check, const struct rule *rule,
                        const struct finding *finding)
{
    const struct rule *winner = rules_find(check->rules, finding->rule_id);
    return winner && winner->is_users && !rule->is_users && winner->diagnosis == rule->diagnosis;
}

/* False when the example is won by another rule. */
static bool check_yes(struct check *check, const struct rule *rule, const struct example *example)
{
    struct finding finding = check->judge(check->context, check->arena, &example->evidence);
    if (str_eq(finding.rule_id, rule->id) || is_replaced(check, rule, &finding)) {
        mark_reached(check, finding.diagnosis);
        return true;
    }
    const char *hint = holds_keyword(rule, &example->evidence)
                           ? ""
                           : "; none of the keywords stands in its body as written";
    complain(check, example->origin, rule,
             arena_printf(check->arena, "this yes example is won by %.*s%s",
                          STR_ARG(name_winner(check, &finding)), hint));
    return !str_is_set(finding.rule_id);
}

static void check_no(struct check *check, const struct rule *rule, const struct example *example)
{
    struct finding finding = check->judge(check->context, check->arena, &example->evidence);
    if (str_eq(finding.rule_id, rule->id)) {
        complain(check, example->origin, rule, STR("this no example is won by the rule itself"));
    } else if (str_is_set(example->as) && !str_eq(finding.diagnosis->id, example->as)) {
        complain(check, example->origin, rule,
                 arena_printf(check->arena, "this no example should be %.*s, but is won by %.*s",
                              STR_ARG(example->as), STR_ARG(name_winner(check, &finding))));
    }
}

/* What the text of a rule shows by itself. */
static void check_text(struct check *check, const struct rule *rule)
{
    if (rule->yes_count == 0) {
        complain(check, rule->origin, rule, STR("it has no example under \"yes\""));
    }
    if (rule->no_count == 0) {
        complain(check, rule->origin, rule, STR("it has no example under \"no\""));
    }
    for (size_t i = 0; i < rule->keyword_count; i++) {
        check_keyword(check, rule, rule->keywords[i]);
    }
    check_conditions(check, rule);
}

static void check_rule(struct check *check, const struct rule *rule)
{
    size_t lost = 0;
    check_text(check, rule);
    for (size_t i = 0; i < rule->yes_count; i++) {
        lost += !check_yes(check, rule, &rule->yes[i]);
    }
    if (lost > 0 && lost == rule->yes_count) {
        complain(check, rule->origin, rule,
                 STR("it is shadowed: rules before it win every yes example that it has"));
    }
    for (size_t i = 0; i < rule->no_count; i++) {
        check_no(check, rule, &rule->no[i]);
    }
}

void rules_check_own(const struct rules *rules, struct arena *arena, struct problems *problems)
{
    struct problems found = {0};
    struct check check = {.rules = rules, .arena = arena, .problems = &found};
    for (size_t i = 0; i < rules_count(rules) && found.count < OWN_PROBLEMS_MAX; i++) {
        if (rules_at(rules, i)->is_users) {
            check_text(&check, rules_at(rules, i));
        }
    }
    for (size_t i = 0; i < found.count && i < OWN_PROBLEMS_MAX; i++) {
        problems_add(arena, problems, found.items[i])->is_warning = true;
    }
}

void rules_check(const struct rules *rules, rules_judge *judge, void *context, struct arena *arena,
                 struct problems *problems)
{
    struct check check = {
        .rules = rules,
        .judge = judge,
        .context = context,
        .arena = arena,
        .problems = problems,
        .is_reached = ARENA_ARRAY(arena, rules_diagnosis_count(rules), bool),
    };
    /* What everything falls back upon is reached without a rule. */
    mark_reached(&check, rules_ok(rules));
    mark_reached(&check, rules_unknown(rules));
    for (size_t i = 0; i < rules_count(rules); i++) {
        check_rule(&check, rules_at(rules, i));
    }
    for (size_t i = 0; i < rules_diagnosis_count(rules); i++) {
        const struct diagnosis *diagnosis = rules_diagnosis_at(rules, i);
        if (!check.is_reached[i]) {
            problems_add(arena, problems,
                         (struct problem){.code = STR("bad_value"),
                                          .origin = diagnosis->origin,
                                          .message = arena_printf(
                                              arena, "no example of any rule reaches \"%.*s\"",
                                              STR_ARG(diagnosis->id))});
        }
    }
}
