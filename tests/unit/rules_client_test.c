/* What is known of clients by version: comparing versions, and reading the blocks of
 * rules/clients/. */
#include "rules/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules_world.h"

#define assert_str(have, want) assert_true(str_eq((have), STR(want)))

#define CLIENT                                                                                     \
    "[[client]]\nid = 'c'\nname = {en='C', zh='C'}\nversions = ['0.1.0', '0.10.0']\nswitch = []\n"

static void versions_are_ordered_by_number(void **state)
{
    (void)state;
    assert_true(version_compare(STR("0.40.0"), STR("0.104.0")) < 0);
    assert_true(version_compare(STR("1.0.0"), STR("0.171.9")) > 0);
    assert_int_equal(version_compare(STR("0.171.0"), STR("0.171.0-alpha.2")), 0);
    assert_int_equal(version_compare(STR("0.171"), STR("0.171.0")), 0);
    assert_true(version_compare(STR("0.99999999999999999999.0"), STR("0.1.0")) < 0);
    assert_true(version_is_in(STR("0.5.0"), (struct version_range){STR("0.5.0"), STR("0.6.0")}));
    assert_false(version_is_in(STR("0.6.0"), (struct version_range){STR("0.5.0"), STR("0.6.0")}));
    assert_true(version_is_in(STR("0.6.0"), (struct version_range){0}));
}

static void versions_are_found_in_words(void **state)
{
    (void)state;
    assert_str(version_find(STR("codex-cli 0.171.0\n")), "0.171.0");
    assert_str(version_find(STR("v1.2.3-alpha.4 (x)")), "1.2.3-alpha.4");
    assert_str(version_find(STR("at 10.0.0.1.2: 4.5.6")), "10.0.0");
    assert_false(str_is_set(version_find(STR("codex 0.171"))));
    assert_false(str_is_set(version_find(STR("12345678.1.1"))));
    assert_false(str_is_set(version_find(STR(""))));
}

static struct rules *open_client(struct arena *arena, struct problems *problems, const char *text)
{
    struct str whole = arena_printf(arena, "%s%s", CLIENT, text);
    struct rules *rules = open_table(arena, problems, whole.ptr, NULL);
    assert_non_null(rules);
    return rules;
}

static void first_row_of_the_version_is_taken(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct problems problems = {0};
    struct rules *rules = open_client(
        arena, &problems,
        "[[client_behaviour]]\nclient='c'\nname='n'\nuntil='0.5.0'\nvalue='old'\n"
        "[[client_behaviour]]\nclient='c'\nname='n'\nsince='0.5.0'\nvalue='new'\n"
        "[[client_keys]]\nclient='c'\ntype='string'\nkeys=['a', 'b.*']\nvalues=['x']\n"
        "[[client_provider]]\nclient='c'\nid='p'\noverride='refused'\nsince='0.2.0'\n"
        "env_headers = { X-A = 'XA' }\nnote = { en = 'half', zh = 'ban' }\n"
        "[[client_says]]\nclient='c'\ndiagnoses=['capacity']\nuntil='0.5.0'\ntext='busy'\n"
        "[[client_says]]\nclient='c'\ndiagnoses=['capacity']\nactions=[{en='do', zh='do'}]\n");
    assert_int_equal(problems.count, 0);
    const struct str c = STR("c"), old = STR("0.4.9"), new = STR("0.5.0");
    assert_str(rules_client_behaviour(rules, c, STR("n"), old)->value, "old");
    assert_str(rules_client_behaviour(rules, c, STR("n"), new)->value, "new");
    assert_null(rules_client_behaviour(rules, STR("d"), STR("n"), new));
    assert_int_equal(rules_client_key_count(rules), 2);
    assert_str(rules_client_key_at(rules, 1)->path, "b.*");
    assert_null(rules_client_key_at(rules, 2));
    assert_int_equal(rules_client_provider(rules, c, STR("p"), new)->override, OVERRIDE_REFUSED);
    assert_str(rules_client_provider(rules, c, STR("p"), new)->note.in[LANG_ZH], "ban");
    assert_null(rules_client_provider(rules, c, STR("p"), STR("0.1.0")));
    assert_str(rules_client_says(rules, c, STR("capacity"), old), "busy");
    assert_false(str_is_set(rules_client_says(rules, c, STR("capacity"), (struct str){NULL, 0})));
    assert_int_equal(rules_client_actions(rules, c, STR("capacity"), new)->actions.count, 1);
    assert_null(rules_client_actions(rules, c, STR("rate_limit"), new));
    rules_close(rules);
    arena_free(arena);
}

static void a_run_keeps_the_names_of_its_variables(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct problems problems = {0};
    struct rules *rules = open_client(arena, &problems,
                                      "[[client_run]]\nclient='c'\nprogram='cc'\noption='-c'\n"
                                      "drops=['hooks']\nvariables={ C_HOME = '{home}' }\n"
                                      "login_note={ en = 'half', zh = 'ban' }\n");
    assert_int_equal(problems.count, 0);
    assert_int_equal(rules_client_run_count(rules), 1);
    const struct client_run *run = rules_client_run_at(rules, 0);
    assert_str(run->variables[0].name, "C_HOME");
    assert_str(run->drops[0], "hooks");
    assert_str(run->login_note.in[LANG_ZH], "ban");
    assert_null(rules_client_run_at(rules, 1));
    rules_close(rules);
    arena_free(arena);
}

static void slips_in_blocks_are_told_and_left_out(void **state)
{
    static const char *const blocks[] = {
        "[[client_keys]]\nclient='c'\ntype='strnig'\nkeys=['a']\n",
        "[[client_keys]]\nclient='c'\ntype='string'\nkeys=['a']\nsince='new'\n",
        "[[client_keys]]\nclient='c'\ntype='string'\nkyes=['a']\n",
        "[[client_behaviour]]\nclient='c'\nuntil='1'\nname='n'\n",
        "[[client_provider]]\nclient='c'\nid='p'\noverride='maybe'\n",
        "[[client_says]]\nclient='c'\ndiagnoses=['no_such']\ntext='x'\n",
        "[[client_run]]\nclient='d'\n",
        "[[client_run]]\nclient='c'\ndrop=['hooks']\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        struct arena *arena = arena_create();
        struct problems problems = {0};
        struct rules *rules = open_client(arena, &problems, blocks[i]);
        assert_int_equal(problems.count, 1);
        assert_int_equal(problems.items[0].origin.line >= 6, 1);
        assert_int_equal(rules_client_key_count(rules), 0);
        assert_int_equal(rules_client_provider_count(rules), 0);
        assert_int_equal(rules_client_run_count(rules), 0);
        assert_null(rules_client_behaviour(rules, STR("c"), STR("n"), STR("0.1.0")));
        rules_close(rules);
        arena_free(arena);
    }
}

static void each_shape_has_a_name_and_words(void **state)
{
    enum key_shape shape;
    (void)state;
    assert_true(key_shape_from_name(STR("strings"), &shape));
    assert_int_equal(shape, SHAPE_STRINGS);
    assert_false(key_shape_from_name(STR("list"), &shape));
    for (size_t i = 0; i < SHAPE_COUNT; i++) {
        assert_true(key_shape_expected((enum key_shape)i).len > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_ordered_by_number),
        cmocka_unit_test(versions_are_found_in_words),
        cmocka_unit_test(first_row_of_the_version_is_taken),
        cmocka_unit_test(a_run_keeps_the_names_of_its_variables),
        cmocka_unit_test(slips_in_blocks_are_told_and_left_out),
        cmocka_unit_test(each_shape_has_a_name_and_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
