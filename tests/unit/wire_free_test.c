/* Answers to free requests: what is read out of them, and that no answer can do harm. */
#include "wire/pointer.h"
#include "wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct observation answer(const char *body)
{
    return (struct observation){.status = 200, .body = str_from(body)};
}

static const struct key_sight *read_by(struct arena *arena, const struct free_request *form,
                                       struct observation *observation)
{
    static const struct str limits[] = {STR_INIT("x-ratelimit-{}-requests"),
                                        STR_INIT("x-ratelimit-{}-tokens")};
    wire_read_free(arena, true, form, limits, 2, observation);
    return observation->sight;
}

static void pointers_lead_to_values(void **state)
{
    (void)state;
    static const struct {
        const char *pointer, *found; /* NULL = nothing */
    } rows[] = {
        {"/a", "1"},
        {"/b/0", "\"x\""},
        {"/b/*", "\"x\""},
        {"/c/*/id", "\"i\""},
        {"/d~1e", "2"},
        {"/f~0g", "3"},
        {"/b/2", NULL},
        {"/b/-1", NULL},
        {"/a/b", NULL},
        {"/c/*/none", NULL},
        {"/z", NULL},
        {"/c/0/id/*", NULL},
        {"/b/00000000001", "\"y\""},
        {"/*/0", "\"x\""},
    };
    cJSON *body = cJSON_Parse("{\"a\":1,\"b\":[\"x\",\"y\"],\"c\":[{\"id\":\"i\"},{\"id\":\"j\"}],"
                              "\"d/e\":2,\"f~g\":3}");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cJSON *found = pointer_get(body, str_from(rows[i].pointer));
        char *text = found ? cJSON_PrintUnformatted(found) : NULL;
        if (!str_eq(str_from(text), str_from(rows[i].found))) {
            fail_msg("%s leads to %s", rows[i].pointer, text ? text : "nothing");
        }
        cJSON_free(text);
    }
    assert_null(pointer_get(NULL, STR("/a")));
    assert_null(pointer_get(body, (struct str){NULL, 0}));
    cJSON_Delete(body);
}

static void lists_are_read_and_known_to_go_on(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct free_request form = {
        .id_prefix = STR("models/"),
        .places = {.holds = STR("/models"), .models = STR("/models/*/name"), .more = STR("/next")}};
    struct observation o =
        answer("{\"models\":[{\"name\":\"models/a\"},{\"name\":7},{\"name\":\"b\"}],"
               "\"next\":\"token\"}");
    const struct key_sight *sight = read_by(arena, &form, &o);
    assert_int_equal(o.outcome, OUTCOME_COMPLETE);
    assert_true(sight->is_proper && sight->has_models && sight->is_list_open);
    assert_int_equal(sight->model_count, 2);
    assert_true(str_eq(sight->models[0], STR("a")) && str_eq(sight->models[1], STR("b")));
    o = answer("{\"models\":[],\"next\":\"\"}");
    assert_false(read_by(arena, &form, &o)->is_list_open);
    o = answer("{\"data\":[]}");
    assert_false(read_by(arena, &form, &o)->is_proper);
    o = answer("{\"models\":null}");
    assert_false(read_by(arena, &form, &o)->is_proper);
    arena_free(arena);
}

static void balances_come_as_numbers_or_as_texts(void **state)
{
    (void)state;
    static const struct {
        const char *body, *balance;
        int64_t headroom;
        bool is_off;
    } rows[] = {
        {"{\"l\":74.5,\"m\":100}", "74.50 USD", 745, false},
        {"{\"l\":\"110.00\",\"u\":\"CNY\"}", "110.00 CNY", -1, false},
        {"{\"l\":0,\"m\":10}", "0.00 USD", 0, true},
        {"{\"l\":-3,\"m\":10}", "-3.00 USD", 0, true},
        {"{\"l\":5,\"m\":0}", "5.00 USD", -1, false},
        {"{\"l\":20,\"m\":10}", "20.00 USD", 1000, false},
        {"{\"l\":null,\"m\":10}", NULL, -1, false},
        {"{\"l\":\"much\"}", NULL, -1, false},
        {"{\"l\":1e308,\"m\":1}", NULL, 1000, false},
    };
    const struct free_request form = {
        .unit = STR("USD"), .places = {.left = STR("/l"), .limit = STR("/m"), .unit = STR("/u")}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_create();
        struct observation o = answer(rows[i].body);
        const struct key_sight *sight = read_by(arena, &form, &o);
        assert_int_equal(sight->headroom_permille, rows[i].headroom);
        assert_int_equal(sight->is_balance_off, rows[i].is_off);
        if (!str_eq(sight->balance, str_from(rows[i].balance))) {
            fail_msg("%s: %.*s", rows[i].body, STR_ARG(sight->balance));
        }
        arena_free(arena);
    }
}

static void the_tightest_limit_counts(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct header headers[] = {
        {STR_INIT("x-ratelimit-limit-requests"), STR_INIT("100")},
        {STR_INIT("x-ratelimit-remaining-requests"), STR_INIT("90")},
        {STR_INIT("x-ratelimit-limit-tokens"), STR_INIT("1000")},
        {STR_INIT("x-ratelimit-remaining-tokens"), STR_INIT("25")},
    };
    const struct free_request form = {.path = STR("/models")};
    struct observation o = answer("{}");
    o.headers = headers;
    o.header_count = 4;
    const struct key_sight *sight = read_by(arena, &form, &o);
    assert_int_equal(sight->headroom_permille, 25);
    assert_string_equal(sight->headroom_of.ptr, "x-ratelimit-remaining-tokens");
    arena_free(arena);
}

static void moments_come_in_several_forms(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int64_t ms;
    } rows[] = {
        {"{\"e\":\"2027-12-31T23:59:59Z\"}", 1830297599000},
        {"{\"e\":\"2027-12-31T23:59:59.5+08:00\"}", 1830268799500},
        {"{\"e\":\"2027-12-31\"}", 1830211200000},
        {"{\"e\":1830297599}", 1830297599000},
        {"{\"e\":1830297599000}", 1830297599000},
        {"{\"e\":null}", -1},
        {"{\"e\":\"never\"}", -1},
        {"{\"e\":-5}", -1},
        {"{\"e\":1e300}", -1},
    };
    const struct free_request form = {.places = {.expires = STR("/e")}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_create();
        struct observation o = answer(rows[i].body);
        if (read_by(arena, &form, &o)->expires_ms != rows[i].ms) {
            fail_msg("%s: %lld", rows[i].body, (long long)o.sight->expires_ms);
        }
        arena_free(arena);
    }
}

static void switches_say_who_is_off(void **state)
{
    (void)state;
    static const struct str key_off[] = {STR_INIT("/blocked")}, account_off[] = {STR_INIT("/team")},
                            balance_off[] = {STR_INIT("!/available")};
    const struct free_request form = {.places = {.key_off = key_off,
                                                 .key_off_count = 1,
                                                 .account_off = account_off,
                                                 .account_off_count = 1,
                                                 .balance_off = balance_off,
                                                 .balance_off_count = 1}};
    struct arena *arena = arena_create();
    struct observation o = answer("{\"blocked\":false,\"team\":false,\"available\":true}");
    const struct key_sight *sight = read_by(arena, &form, &o);
    assert_false(sight->is_key_off || sight->is_account_off || sight->is_balance_off);
    o = answer("{\"blocked\":true,\"team\":\"true\",\"available\":false}");
    sight = read_by(arena, &form, &o);
    assert_true(sight->is_key_off && sight->is_balance_off);
    assert_false(sight->is_account_off);
    o = answer("{}");
    sight = read_by(arena, &form, &o);
    assert_false(sight->is_key_off || sight->is_account_off || sight->is_balance_off);
    arena_free(arena);
}

static void errors_are_no_sight(void **state)
{
    (void)state;
    static const char *const bodies[] = {"",
                                         "[",
                                         "null",
                                         "7",
                                         "\"x\"",
                                         "<html>",
                                         "{\"error\":{}}",
                                         "[[[[[[[[[[[[",
                                         "{\"data\":{\"data\":[]}}"};
    const struct free_request form = {
        .places = {.holds = STR("/data/0/id"), .models = STR("/data/*/id")}};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct arena *arena = arena_create();
        struct observation o = answer(bodies[i]);
        const struct key_sight *sight = read_by(arena, &form, &o);
        assert_non_null(sight);
        assert_false(sight->is_proper);
        assert_int_equal(sight->model_count, 0);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_lead_to_values),
        cmocka_unit_test(lists_are_read_and_known_to_go_on),
        cmocka_unit_test(balances_come_as_numbers_or_as_texts),
        cmocka_unit_test(the_tightest_limit_counts),
        cmocka_unit_test(moments_come_in_several_forms),
        cmocka_unit_test(switches_say_who_is_off),
        cmocka_unit_test(errors_are_no_sight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
