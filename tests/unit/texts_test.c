/* The words of the embedded table, in every language: both are whole and speak of the same things,
 * and what is advised keeps to what is known to help. */
#include "rules/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define LISTS_MAX 2048

/* A list of lines with its name; whose diagnosis or row it is. */
struct list {
    struct str owner, name;
    struct phrases lines;
    bool is_advice; /* what to do, not what to leave alone */
    const struct diagnosis *diagnosis;
};

static struct world {
    struct arena *arena;
    struct rules *rules;
    struct list lists[LISTS_MAX];
    size_t count;
} world;

static void add(struct str owner, const char *name, struct phrases lines, bool is_advice,
                const struct diagnosis *diagnosis)
{
    assert_true(world.count < LISTS_MAX);
    world.lists[world.count++] = (struct list){owner, str_from(name), lines, is_advice, diagnosis};
}

static void add_one(struct str owner, const char *name, const struct phrase *phrase)
{
    if (str_is_set(phrase->in[LANG_EN])) {
        add(owner, name, (struct phrases){.items = phrase, .count = 1}, false, NULL);
    }
}

static void gather_rows(void)
{
    for (size_t i = 0; i < rules_diagnosis_count(world.rules); i++) {
        const struct diagnosis *row = rules_diagnosis_at(world.rules, i);
        add_one(row->id, "title", &row->title);
        add_one(row->id, "meaning", &row->meaning);
        add_one(row->id, "differs", &row->differs);
        add(row->id, "actions", row->actions, true, row);
        add(row->id, "avoid", row->avoid, false, row);
    }
    for (size_t i = 0; i < rules_verdict_row_count(world.rules); i++) {
        const struct verdict_row *row = rules_verdict_row_at(world.rules, i);
        const struct diagnosis *capacity = rules_diagnosis(world.rules, STR("capacity"));
        bool is_capacity =
            str_starts(row->id, STR("capacity")) || str_eq(row->id, STR("organisation-wide"));
        add_one(row->id, "title", &row->title);
        add_one(row->id, "why", &row->why);
        add_one(row->id, "recovered_title", &row->recovered_title);
        add(row->id, "rests_on", row->rests_on, false, NULL);
        add(row->id, "recovered_actions", row->recovered_actions, true,
            is_capacity ? capacity : NULL);
        add(row->id, "actions", row->actions, true, is_capacity ? capacity : NULL);
        add(row->id, "avoid", row->avoid, false, is_capacity ? capacity : NULL);
    }
}

static void gather_clients(void)
{
    for (size_t i = 0; i < rules_client_count(world.rules); i++) {
        const struct client *client = rules_client_at(world.rules, i);
        add_one(client->id, "name", &client->name);
        add(client->id, "switch", client->switch_actions, true,
            rules_diagnosis(world.rules, STR("capacity")));
    }
    for (size_t i = 0; i < rules_client_says_count(world.rules); i++) {
        const struct client_says *row = rules_client_says_at(world.rules, i);
        for (size_t k = 0; k < row->diagnosis_count; k++) {
            add(row->client, "actions", row->actions, true,
                rules_diagnosis(world.rules, row->diagnoses[k]));
        }
    }
    for (size_t i = 0; i < rules_client_provider_count(world.rules); i++) {
        const struct client_provider *row = rules_client_provider_at(world.rules, i);
        add_one(row->id, "note", &row->note);
    }
    for (size_t i = 0; i < rules_count(world.rules); i++) {
        const struct rule *rule = rules_at(world.rules, i);
        add_one(rule->id, "meaning", &rule->meaning);
        add(rule->id, "actions", rule->actions, true, rule->diagnosis);
    }
}

static int set_up(void **state)
{
    struct problems problems = {0};
    (void)state;
    world = (struct world){.arena = arena_create()};
    if (rules_open((struct str){NULL, 0}, &problems, world.arena, &world.rules, NULL)) {
        return -1;
    }
    gather_rows();
    gather_clients();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    rules_close(world.rules);
    arena_free(world.arena);
    return 0;
}

/* ---- what is wrong, gathered so that one run names all ---- */

static struct str wrong;

static void blame_line(const struct list *list, struct str line, const char *what)
{
    wrong = arena_printf(world.arena, "%.*s  %.*s %.*s: %s: %.*s\n", STR_ARG(wrong),
                         STR_ARG(list->owner), STR_ARG(list->name), what, STR_ARG(line));
}

static void nothing_is_wrong(void)
{
    struct str told = wrong;
    wrong = STR("");
    if (told.len) {
        print_error("%s", told.ptr);
        fail_msg("%zu lists were looked at", world.count);
    }
}

typedef void check_line(const struct list *list, const struct phrase *line);

static void each_line(check_line *check)
{
    wrong = STR("");
    assert_true(world.count > 200);
    for (size_t i = 0; i < world.count; i++) {
        for (size_t k = 0; k < world.lists[i].lines.count; k++) {
            check(&world.lists[i], &world.lists[i].lines.items[k]);
        }
    }
    nothing_is_wrong();
}

static bool has(struct str line, const char *part)
{
    return str_ifind(line, str_from(part)) >= 0;
}

static bool has_any(struct str line, const char *const *parts)
{
    for (size_t i = 0; parts[i]; i++) {
        if (has(line, parts[i])) {
            return true;
        }
    }
    return false;
}

/* ---- the two languages ---- */

static bool has_chinese(struct str s)
{
    for (size_t at = 0; at < s.len;) {
        uint32_t c;
        size_t length = utf8_decode(s, at, &c);
        if (c >= 0x4E00 && c <= 0x9FFF) {
            return true;
        }
        at += length ? length : 1;
    }
    return false;
}

static void check_complete(const struct list *list, const struct phrase *line)
{
    struct str en = line->in[LANG_EN], zh = line->in[LANG_ZH];
    if (str_trim(en).len == 0 || str_trim(zh).len == 0) {
        blame_line(list, en, "a language is missing");
    } else if (!has_chinese(zh) && !str_eq(en, zh)) {
        blame_line(list, zh, "no Chinese");
    } else if (has(zh, "TODO") || has(en, "TODO")) {
        blame_line(list, en, "unfinished");
    }
}

static void both_languages_are_whole(void **state)
{
    (void)state;
    each_line(check_complete);
    assert_int_equal(LANG_COUNT, 2);
}

static int compare_strings(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* All placeholders, and all commands of diagnose, in one text that can be compared. */
static struct str things_named(struct str s)
{
    struct str found[64], all = STR("");
    size_t count = 0;
    for (size_t at = 0; at < s.len && count < 64; at++) {
        struct str rest = str_slice(s, at, s.len);
        size_t end = 0;
        if (rest.ptr[0] == '{') {
            ptrdiff_t close = str_find_char(rest, '}');
            end = close < 0 ? 0 : (size_t)close + 1;
        } else if (str_starts(rest, STR("diagnose ")) &&
                   (at == 0 || !strchr("'/.-", s.ptr[at - 1]))) {
            end = sizeof "diagnose " - 1;
            while (end < rest.len && rest.ptr[end] >= 'a' && rest.ptr[end] <= 'z') {
                end++;
            }
        }
        if (end > sizeof "diagnose " - 1 || (end && rest.ptr[0] == '{')) {
            found[count++] = str_slice(rest, 0, end);
        }
    }
    qsort(found, count, sizeof found[0], compare_strings);
    for (size_t i = 0; i < count; i++) {
        all = arena_printf(world.arena, "%.*s %.*s", STR_ARG(all), STR_ARG(found[i]));
    }
    return all;
}

static void check_things(const struct list *list, const struct phrase *line)
{
    struct str en = things_named(line->in[LANG_EN]), zh = things_named(line->in[LANG_ZH]);
    if (!str_eq(en, zh)) {
        blame_line(list, line->in[LANG_EN],
                   arena_printf(world.arena, "names%s, in Chinese%s", en.ptr, zh.ptr).ptr);
    }
}

static void both_languages_name_the_same_values_and_commands(void **state)
{
    (void)state;
    each_line(check_things);
}

/* ---- what may be advised ---- */

static bool is_of(const struct list *list, const char *id)
{
    return list->diagnosis && str_eq(list->diagnosis->id, str_from(id));
}

/* Each helps against something else, and costs money, time or the session here. */
static const char *const useless_in_en[] = {"bigger plan", "upgrade",   "restart",
                                            "new key",     "credit",    "top up",
                                            "billing",     "reinstall", NULL};
static const char *const useless_in_zh[] = {"套餐", "升级", "重启", "新密钥", "更换密钥",
                                            "充值", "账单", "重装", NULL};

static void check_capacity(const struct list *list, const struct phrase *line)
{
    bool is_useless =
        has_any(line->in[LANG_EN], useless_in_en) || has_any(line->in[LANG_ZH], useless_in_zh);
    if (list->is_advice && list->diagnosis && list->diagnosis->is_capacity && is_useless) {
        blame_line(list, line->in[LANG_EN], "no remedy for a lack of capacity");
    }
}

static void capacity_never_advises_a_plan_a_restart_or_a_key(void **state)
{
    (void)state;
    each_line(check_capacity);
}

static const char *const waits[] = {"minute", "wait", "分钟", "等待", "稍后", NULL};

static void check_quota(const struct list *list, const struct phrase *line)
{
    if (list->is_advice && is_of(list, "quota_exhausted") &&
        (has_any(line->in[LANG_EN], waits) || has_any(line->in[LANG_ZH], waits))) {
        blame_line(list, line->in[LANG_EN], "waiting gives no quota");
    }
}

static void quota_never_advises_to_wait_some_minutes(void **state)
{
    (void)state;
    each_line(check_quota);
}

/* All lines of a list in a language. */
static struct str joined(const struct phrases *lines, enum lang lang)
{
    struct str all = STR("");
    for (size_t i = 0; i < lines->count; i++) {
        all = arena_printf(world.arena, "%.*s%.*s\n", STR_ARG(all),
                           STR_ARG(lines->items[i].in[lang]));
    }
    return all;
}

static void names_all(const struct phrases *lines, const char *owner, const char *const *en,
                      const char *const *zh)
{
    for (size_t i = 0; en[i]; i++) {
        if (!has(joined(lines, LANG_EN), en[i]) || !has(joined(lines, LANG_ZH), zh[i])) {
            fail_msg("%s does not speak of \"%s\", \"%s\"", owner, en[i], zh[i]);
        }
    }
}

/* The four misjudgements: capacity taken for quota, restarts, changes without a proof, fear for the
 * conversation. */
static void what_will_not_help_is_named_where_it_belongs(void **state)
{
    static const char *const en[] = {"bigger plan",  "capacity is not quota", "restart", "new key",
                                     "real request", "the conversation",      NULL};
    static const char *const zh[] = {"升级套餐", "容量不是额度", "重启", "更换密钥",
                                     "真实请求", "丢失对话",     NULL};
    static const char *const rows[] = {"capacity-occasional", "capacity-frequent",
                                       "capacity-after-switch", "organisation-wide"};
    static const char *const row_en[] = {"bigger plan", "restart", "new key", NULL};
    static const char *const row_zh[] = {"升级套餐", "重启", "密钥", NULL};
    static const char *const quota_en[] = {"waiting 5 minutes", NULL};
    static const char *const quota_zh[] = {"等 5 分钟", NULL};
    static const char *const config_en[] = {"real request", NULL};
    static const char *const config_zh[] = {"真实请求", NULL};
    (void)state;
    names_all(&rules_diagnosis(world.rules, STR("capacity"))->avoid, "capacity", en, zh);
    names_all(&rules_diagnosis(world.rules, STR("quota_exhausted"))->avoid, "quota", quota_en,
              quota_zh);
    names_all(&rules_diagnosis(world.rules, STR("config_unknown_key"))->avoid, "unknown key",
              config_en, config_zh);
    names_all(&rules_diagnosis(world.rules, STR("config_not_loaded"))->avoid, "not loaded",
              config_en, config_zh);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct verdict_row *row = rules_verdict_row(world.rules, str_from(rows[i]));
        names_all(&row->avoid, rows[i], row_en, row_zh);
    }
}

/* The quick-reference table: what to do first, and its note, word for word in sense. */
static void the_rows_carry_the_tables_own_words(void **state)
{
    static const struct {
        const char *id, *en[5], *zh[5];
    } rows[] = {
        {"capacity-occasional",
         {"wait 5 to 10 minutes and retry, or switch model", "swing on the provider's side",
          "change nothing else", NULL},
         {"等待 5 到 10 分钟后重试，或切换模型", "提供方一侧的短时波动", "其他什么都不要动", NULL}},
        {"capacity-frequent",
         {"set up a fallback chain", "slim the session", "in the long run: off-peak hours",
          "smaller tasks", NULL},
         {"配置备用模型链", "精简会话", "长期来看：使用低峰时段", "拆小任务", NULL}},
        {"capacity-after-switch",
         {"check that the config is in effect and the key valid",
          "look up the key's name for the installed version", NULL},
         {"检查配置是否生效、密钥是否有效", "查阅当前安装版本中的配置项名称", NULL}},
        {"failure-with-timeout",
         {"check network reachability", "context size",
          "treat a network problem as a network problem", NULL},
         {"检查网络是否可达", "上下文大小", "网络问题要当作网络问题处理", NULL}},
        {"organisation-wide",
         {"coordinate off-peak use", "capacity pool of your own",
          "the shared pool is being drained", NULL},
         {"协调错峰使用", "独立的容量池", "共享资源池正被耗尽", NULL}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct verdict_row *row = rules_verdict_row(world.rules, str_from(rows[i].id));
        struct phrase all[3];
        for (size_t lang = 0; lang < LANG_COUNT; lang++) {
            all[0].in[lang] = row->why.in[lang];
            all[1].in[lang] = joined(&row->actions, (enum lang)lang);
            all[2].in[lang] = joined(&row->avoid, (enum lang)lang);
        }
        struct phrases whole = {.items = all, .count = 3};
        names_all(&whole, rows[i].id, rows[i].en, rows[i].zh);
    }
}

/* "/model" as a command, not as part of a path or name. */
static bool names_switch_command(struct str line)
{
    ptrdiff_t at = str_find(line, STR("/model"));
    struct str rest = at < 0 ? STR("") : str_slice(line, (size_t)at + 6, line.len);
    char before = at > 0 ? line.ptr[at - 1] : ' ';
    return at >= 0 && (before < '0' || (before & 0x80)) &&
           (rest.len == 0 || strchr(" ,;.)(", rest.ptr[0]) || (rest.ptr[0] & 0x80));
}

static void check_switch(const struct list *list, const struct phrase *line)
{
    if (names_switch_command(line->in[LANG_EN]) &&
        !has(line->in[LANG_EN], "conversation is kept")) {
        blame_line(list, line->in[LANG_EN], "does not say that the conversation is kept");
    }
    if (names_switch_command(line->in[LANG_ZH]) && !has(line->in[LANG_ZH], "对话保留")) {
        blame_line(list, line->in[LANG_ZH], "does not say that the conversation is kept");
    }
}

static void advice_to_switch_says_that_the_conversation_is_kept(void **state)
{
    (void)state;
    assert_true(names_switch_command(STR("in Codex: /model gpt-x")));
    assert_true(names_switch_command(STR("选择：/model（对话保留）")));
    assert_false(names_switch_command(STR("GET /v1/models")));
    each_line(check_switch);
}

static bool advises_edit(struct str line)
{
    static const char *const signs[] = {"config.toml",       "config.yaml",
                                        "settings.json",     "own configuration",
                                        "correct it",        "correct the line",
                                        "correct the name",  "change {model}",
                                        "{suggestion} inst", "a fallback chain",
                                        "_origin}, then",    "the old one's place",
                                        "fallback under",    NULL};
    return has_any(line, signs);
}

/* The line itself or the last one of its list. */
static void check_edit(const struct list *list, const struct phrase *line)
{
    const struct phrase *last = &list->lines.items[list->lines.count - 1];
    for (size_t lang = 0; lang < LANG_COUNT && list->is_advice; lang++) {
        if (advises_edit(line->in[LANG_EN]) && !str_ends(line->in[lang], STR("diagnose verify")) &&
            !str_ends(last->in[lang], STR("diagnose verify"))) {
            blame_line(list, line->in[lang], "does not end in diagnose verify");
        }
    }
}

static void advice_to_edit_the_config_ends_in_verify(void **state)
{
    (void)state;
    assert_true(advises_edit(STR("Correct the line at {origin}")));
    each_line(check_edit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_languages_are_whole),
        cmocka_unit_test(both_languages_name_the_same_values_and_commands),
        cmocka_unit_test(capacity_never_advises_a_plan_a_restart_or_a_key),
        cmocka_unit_test(quota_never_advises_to_wait_some_minutes),
        cmocka_unit_test(what_will_not_help_is_named_where_it_belongs),
        cmocka_unit_test(the_rows_carry_the_tables_own_words),
        cmocka_unit_test(advice_to_switch_says_that_the_conversation_is_kept),
        cmocka_unit_test(advice_to_edit_the_config_ends_in_verify),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
