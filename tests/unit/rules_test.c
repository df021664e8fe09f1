/* Reading of the rule table: rows, order, complaints with their places. */
#include "rules/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules_world.h"

#include "base/buf.h"
#include "base/file.h"
#include "core/transport_name.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define assert_str(have, want) assert_true(str_eq((have), STR(want)))

struct world {
    struct arena *arena;
    struct problems problems;
    struct rules *rules;
};

static int set_up(void **state)
{
    static struct world world;
    world = (struct world){.arena = arena_create()};
    *state = &world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    rules_close(world->rules);
    arena_free(world->arena);
    return 0;
}

static void open_world(struct world *world, const char *built_in, const char *user)
{
    world->rules = open_table(world->arena, &world->problems, built_in, user);
    assert_non_null(world->rules);
}

static void problem_is(const struct world *world, size_t i, const char *place, const char *part,
                       const char *suggestion)
{
    assert_true(i < world->problems.count);
    const struct problem *problem = &world->problems.items[i];
    assert_string_equal(arena_cstr(world->arena, origin_text(world->arena, problem->origin)),
                        place);
    assert_true(str_find(problem->message, str_from(part)) >= 0);
    assert_string_equal(arena_cstr(world->arena, problem->suggestion), suggestion);
}

static void a_rule_is_read_whole(void **state)
{
    struct world *world = *state;
    open_world(world,
               RULE("r1", "capacity",
                    "keywords = ['overloaded', '过载了']\nstatus = [503, 529]\nretryable = false\n"
                    "match = { \"error.code\" = '^x$', \"header.Retry-After\" = '\\d+' }\n"
                    "yes = [{ status = 503, headers = { 'Retry-After' = '5' }, body = 'b' },\n"
                    "  { curl = 'COULDNT_CONNECT', errno = 'ECONNREFUSED', proxy = true, phase = "
                    "'connect' }]\n"
                    "no = [{ body = 'fine', as = 'ok' }, { problem = 'unknown_key' }]"),
               NULL);
    assert_int_equal(world->problems.count, 0);
    const struct rule *rule = rules_find(world->rules, STR("r1"));
    assert_ptr_equal(rule, rules_at(world->rules, 0));
    assert_ptr_equal(rule->diagnosis, rules_diagnosis(world->rules, STR("capacity")));
    assert_int_equal(rule->keyword_count, 2);
    assert_int_equal(rule->status_count, 2);
    assert_int_equal(rule->statuses[1], 529);
    assert_true(rule->has_retryable && !rule->is_retryable && !rule->is_users);
    assert_int_equal(rule->conditions[0].field, FIELD_ERROR_CODE);
    assert_str(rule->conditions[0].pattern, "^x$");
    assert_int_equal(rule->conditions[1].field, FIELD_COUNT);
    assert_str(rule->conditions[1].header_name, "retry-after");
    const struct observation *yes = &rule->yes[0].evidence;
    assert_int_equal(yes->kind, OBSERVATION_HTTP);
    assert_str(observation_header(yes, STR("retry-after")), "5");
    assert_int_equal(yes->retry_after_ms, -1);
    yes = &rule->yes[1].evidence;
    assert_int_equal(yes->kind, OBSERVATION_TRANSPORT);
    assert_int_equal(yes->os_errno, ECONNREFUSED);
    assert_int_equal(yes->phase, STEP_CONNECT);
    assert_true(yes->is_through_proxy);
    assert_int_equal(rule->no[0].evidence.kind, OBSERVATION_TEXT);
    assert_str(rule->no[0].as, "ok");
    assert_int_equal(rule->no[1].evidence.kind, OBSERVATION_CONFIG);
    assert_str(rule->no[1].evidence.problem->code, "unknown_key");
}

static void the_users_rules_stand_before_the_built_in_ones(void **state)
{
    struct world *world = *state;
    open_world(world,
               RULE("b1", "capacity", "status = [503]") RULE("b2", "capacity", "status = [529]"),
               RULE("u1", "rate_limit", "status = [503]"));
    assert_int_equal(rules_count(world->rules), 3);
    assert_str(rules_at(world->rules, 0)->id, "u1");
    assert_true(rules_at(world->rules, 0)->is_users);
    assert_str(rules_at(world->rules, 1)->id, "b1");
    assert_str(rules_at(world->rules, 2)->id, "b2");
}

static void wrong_names_get_a_place_and_a_suggestion(void **state)
{
    struct world *world = *state;
    open_world(world, "",
               RULE("u1", "capasity",
                    "statuss = [503]\nmatch = { \"error.cod\" = 'x' }\n"
                    "yes = [{ curl = 'NOPE', bodi = 'x' }]"));
    assert_int_equal(world->problems.count, 5);
    problem_is(world, 0, "mine.toml:6:1", "statuss", "status");
    problem_is(world, 1, "mine.toml:3:13", "no diagnosis \"capasity\"", "capacity");
    problem_is(world, 2, "mine.toml:7:11", "no field \"error.cod\"", "error.code");
    problem_is(world, 3, "mine.toml:8:25", "bodi", "body");
    problem_is(world, 4, "mine.toml:8:17", "NOPE", "");
    assert_str(world->problems.items[0].line_text, "statuss = [503]");
    assert_int_equal(rules_count(world->rules), 0);
}

static void a_broken_rule_is_left_out_and_the_rest_works(void **state)
{
    struct world *world = *state;
    open_world(world, RULE("b1", "capacity", "status = [503]"),
               RULE("u1", "capacity", "match = { \"text\" = 'x }")
                   RULE("u2", "capacity", "status = ['a']") RULE("u3", "capacity", "")
                       RULE("b1", "capacity", "status = [1]")
                           RULE("u4", "capacity", "status = [429]"));
    assert_int_equal(rules_count(world->rules), 2);
    assert_str(rules_at(world->rules, 0)->id, "u4");
    assert_str(rules_at(world->rules, 1)->id, "b1");
    assert_int_equal(world->problems.items[0].origin.line, 6);
    assert_true(world->problems.count >= 4);
}

static void both_languages_are_compulsory(void **state)
{
    struct world *world = *state;
    open_world(world,
               "[[client]]\nid = 'c'\nname = { en = 'x' }\nswitch = []\n"
               "[[client]]\nid = 'd'\nname = { en = 'x', zh = 'y', fr = 'z' }\nswitch = []\n"
               "[[client]]\nid = 'e'\nname = { en = 'x', zh = 'y' }\nswitch = [{ en = '{model}', "
               "zh = '{model}' }]\n",
               NULL);
    assert_int_equal(world->problems.count, 2);
    problem_is(world, 0, "rules/10-test.toml:3:8", "\"zh\" is missing", "");
    problem_is(world, 1, "rules/10-test.toml:7:30", "fr", "");
    assert_null(rules_client(world->rules, STR("c")));
    assert_str(rules_client(world->rules, STR("e"))->switch_actions.items[0].in[LANG_ZH],
               "{model}");
}

static void providers_are_found_by_host(void **state)
{
    struct world *world = *state;
    size_t count;
    open_world(
        world,
        "[[provider]]\nid = 'p'\nname = 'P'\nhosts = ['api.p.com', '.azure.com']\nwires = ['chat', "
        "'responses']\n"
        "key_prefixes = ['sk-']\nkey_min_length = 20\nheaders = { x = 'y' }\n"
        "[[provider.free]]\npath = '/balance'\nsource = 's'\n"
        "[[provider.free]]\npath = '/models'\nproves = true\nsource = 's'\n"
        "[[provider]]\nid = 'q'\nname = 'Q'\nkey_prefixes = ['gsk_', 'gk-']\nkey_optional = true\n",
        NULL);
    assert_int_equal(world->problems.count, 0);
    const struct provider *p = rules_provider(world->rules, STR("p"));
    assert_ptr_equal(rules_provider_of_host(world->rules, STR("API.p.com")), p);
    assert_ptr_equal(rules_provider_of_host(world->rules, STR("me.openai.azure.com")), p);
    assert_null(rules_provider_of_host(world->rules, STR("azure.com")));
    assert_null(rules_provider_of_host(world->rules, STR("evil-api.p.com")));
    assert_null(rules_provider_of_host(world->rules, STR("")));
    assert_int_equal(p->wire_count, 2);
    assert_int_equal(p->key_min_length, 20);
    assert_int_equal(p->free_count, 2);
    assert_str(provider_proof(p)->path, "/models");
    assert_null(provider_proof(rules_provider(world->rules, STR("q"))));
    assert_true(rules_provider(world->rules, STR("q"))->is_key_optional);
    assert_str(rules_key_prefixes(world->rules, &count)[2], "gk-");
    assert_int_equal(count, 3);
}

static void unknown_kinds_of_blocks_are_named(void **state)
{
    struct world *world = *state;
    open_world(world, "", "[[rules]]\nid = 'x'\n[rule]\nid = 'y'\n");
    problem_is(world, 0, "mine.toml:1:3", "rules", "rule");
    problem_is(world, 1, "mine.toml:3:2", "double brackets", "");
}

static void a_table_without_the_fallback_rows_does_not_open(void **state)
{
    struct world *world = *state;
    struct rules_text text = {.file = STR("a.toml"), .text = STR(RULE("r", "capacity", ""))};
    struct err err;
    assert_int_equal(
        rules_open_texts(&text, 1, &world->problems, world->arena, &world->rules, &err), ERR_PARSE);
    assert_null(world->rules);
}

static void a_users_diagnosis_cannot_replace_a_built_in_one(void **state)
{
    struct world *world = *state;
    open_world(world, "", DIAGNOSIS("ok", "true"));
    assert_int_equal(world->problems.count, 1);
    problem_is(world, 0, "mine.toml:2:6", "\"ok\" is taken", "");
    assert_true(rules_ok(world->rules)->is_healthy);
}

static void files_of_a_directory_are_read_in_order_of_name(void **state)
{
    struct world *world = *state;
    char dir[] = "/tmp/diagnose-rules-XXXXXX";
    struct err err;
    assert_non_null(mkdtemp(dir));
    const char *z = arena_cstr(world->arena, arena_printf(world->arena, "%s/20-z.toml", dir));
    const char *a = arena_cstr(world->arena, arena_printf(world->arena, "%s/10-a.toml", dir));
    const char *n = arena_cstr(world->arena, arena_printf(world->arena, "%s/note.txt", dir));
    const char *d = arena_cstr(world->arena, arena_printf(world->arena, "%s/30-d.toml", dir));
    assert_int_equal(file_write_whole(z, STR(RULE("z", "capacity", "status = [503]")), &err),
                     ERR_OK);
    assert_int_equal(file_write_whole(a, STR(RULE("a", "capacity", "status = [503]")), &err),
                     ERR_OK);
    assert_int_equal(file_write_whole(n, STR("no rules"), &err), ERR_OK);
    assert_int_equal(mkdir(d, 0700), 0);
    enum err_code code =
        rules_open(str_from(dir), &world->problems, world->arena, &world->rules, &err);
    unlink(z);
    unlink(a);
    unlink(n);
    rmdir(d);
    rmdir(dir);
    assert_int_equal(code, ERR_OK);
    assert_int_equal(world->problems.count, 1);
    assert_str(world->problems.items[0].code, "unreadable");
    assert_str(rules_at(world->rules, 0)->id, "a");
    assert_str(rules_at(world->rules, 1)->id, "z");
}

static void a_missing_directory_is_fine(void **state)
{
    struct world *world = *state;
    assert_int_equal(rules_open(STR("/nonexistent/rules.d"), &world->problems, world->arena,
                                &world->rules, NULL),
                     ERR_OK);
    assert_int_equal(world->problems.count, 0);
}

/* An id of a built-in rule is a slip: the built-in one stays, and the user is told. */
static void a_user_cannot_switch_off_a_built_in_rule_by_its_id(void **state)
{
    struct world *world = *state;
    open_world(world,
               RULE("b1", "capacity", "status = [503]") RULE("b1", "capacity", "status = [504]"),
               RULE("b1", "rate_limit", "status = [500]") RULE("u1", "rate_limit", "status = [501]")
                   RULE("u1", "rate_limit", "status = [502]"));
    assert_int_equal(rules_count(world->rules), 2);
    assert_str(rules_at(world->rules, 0)->id, "u1");
    assert_int_equal(rules_at(world->rules, 0)->statuses[0], 501);
    assert_int_equal(rules_find(world->rules, STR("b1"))->statuses[0], 503);
    problem_is(world, 0, "rules/10-test.toml:8:6", "\"b1\" is taken by rules/10-test.toml:1:1", "");
    problem_is(world, 1, "mine.toml:1:1", "\"b1\" is that of a built-in rule", "");
    problem_is(world, 2, "mine.toml:14:6", "\"u1\" is taken by mine.toml:7:1", "");
}

/* Each problem reads the whole text for its line; a file of nothing but problems must not take
 * their square. */
static void few_problems_of_a_file_are_told(void **state)
{
    struct world *world = *state;
    struct buf text = buf_create((size_t)1 << 20);
    for (int i = 0; i < 50000; i++) {
        buf_add(&text, STR("[[rule]]\n"));
    }
    open_world(world, RULE("b1", "capacity", "status = [503]"), text.ptr);
    buf_free(&text);
    assert_int_equal(world->problems.count, 21);
    problem_is(world, 20, "mine.toml", "more problems than these", "");
    assert_int_equal(rules_count(world->rules), 1);
}

static void the_number_of_own_rules_is_bounded(void **state)
{
    struct world *world = *state;
    struct buf text = buf_create((size_t)4 << 20);
    for (int i = 0; i < 20000; i++) {
        buf_printf(&text,
                   "[[rule]]\nid='u%d'\ndiagnosis='capacity'\nreason='r'\nsource='s'\n"
                   "status=[503]\n",
                   i);
    }
    open_world(world, RULE("b1", "capacity", "status = [503]"), text.ptr);
    buf_free(&text);
    assert_int_equal(rules_count(world->rules), 2001);
    assert_int_equal(world->problems.count, 1);
    problem_is(world, 0, "mine.toml:12001:1", "over 2000 own rules", "");
}

/* A directory of 300 files: 256 are read, which is said. */
static void the_number_of_files_is_bounded(void **state)
{
    struct world *world = *state;
    char dir[] = "/tmp/diagnose-rules-XXXXXX";
    struct err err;
    assert_non_null(mkdtemp(dir));
    for (int i = 0; i < 300; i++) {
        struct str path = arena_printf(world->arena, "%s/%d.toml", dir, i);
        assert_int_equal(file_write_whole(path.ptr, STR("# none\n"), &err), ERR_OK);
    }
    enum err_code code =
        rules_open(str_from(dir), &world->problems, world->arena, &world->rules, &err);
    for (int i = 0; i < 300; i++) {
        unlink(arena_printf(world->arena, "%s/%d.toml", dir, i).ptr);
    }
    rmdir(dir);
    assert_int_equal(code, ERR_OK);
    assert_int_equal(world->problems.count, 1);
    problem_is(world, 0, dir, "more than 256 rule files", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_rule_is_read_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_users_rules_stand_before_the_built_in_ones, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(wrong_names_get_a_place_and_a_suggestion, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_broken_rule_is_left_out_and_the_rest_works, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(both_languages_are_compulsory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(providers_are_found_by_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_kinds_of_blocks_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_without_the_fallback_rows_does_not_open, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_users_diagnosis_cannot_replace_a_built_in_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(files_of_a_directory_are_read_in_order_of_name, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_missing_directory_is_fine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_user_cannot_switch_off_a_built_in_rule_by_its_id, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(few_problems_of_a_file_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_number_of_own_rules_is_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_number_of_files_is_bounded, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
