/* Planning: which URL, how many requests, for whom. */
#include "probe/probe.h"
#include "probe/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void joins_urls_without_doubling_anything(void **state)
{
    (void)state;
    static const char *const rows[][4] = {
        {"https://h/v1", "/responses", "", "https://h/v1/responses"},
        {"https://h/v1/", "/responses", "", "https://h/v1/responses"},
        {"https://h/v1///", "responses", "", "https://h/v1/responses"},
        {" https://h/v1\n", "/responses", "", "https://h/v1/responses"},
        {"https://h", "/v1/messages", "", "https://h/v1/messages"},
        {"https://h/v1", "/v1/messages", "", "https://h/v1/messages"},
        {"https://h/v1/", "/v1/messages", "", "https://h/v1/messages"},
        {"https://h/dev1", "/v1/messages", "", "https://h/dev1/v1/messages"},
        {"https://h/a", "/chat/completions", "api-version=1",
         "https://h/a/chat/completions?api-version=1"},
        {"https://h/a?b=1", "/c", "d=2", "https://h/a/c?b=1&d=2"},
        {"https://h/a/?b=1#frag", "/c", "", "https://h/a/c?b=1"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str url =
            url_join(arena, str_from(rows[i][0]), str_from(rows[i][1]), str_from(rows[i][2]));
        assert_string_equal(url.ptr, rows[i][3]);
    }
    arena_free(arena);
}

static void names_hosts_without_credentials(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"https://Api.Example.com/v1", "api.example.com:443", "https://api.example.com:443"},
        {"http://u:p@h:8080/v1", "h:8080", "http://h:8080"},
        {"http://[::1]/v1", "[::1]:80", "http://[::1]:80"},
        {"h/v1", "unusable URL", "h/v1"},
        {"http://h:99999/", "unusable URL", "http://h:99999/"},
        {"http:///v1", "unusable URL", "http:///v1"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(url_host(arena, str_from(rows[i][0])).ptr, rows[i][1]);
        assert_string_equal(url_place(arena, str_from(rows[i][0])).endpoint.ptr, rows[i][2]);
    }
    arena_free(arena);
}

static struct target plain(void)
{
    return (struct target){
        .wire = STR("chat"),
        .base_url.text = STR("https://h/v1"),
        .model.text = STR("m"),
        .key = {.value = STR("key-number-one"), .fingerprint = "11111111"},
        .auth_header = STR("Authorization"),
        .auth_prefix = STR("Bearer "),
    };
}

static void everything_that_reaches_the_wire_tells_requests_apart(void **state)
{
    (void)state;
    struct header a = {STR("x-team"), STR("a")}, b = {STR("x-team"), STR("b")};
    struct header same = {STR("X-Team"), STR("a")};
    struct target t[17];
    const struct target *list[17];
    for (size_t i = 0; i < 17; i++) {
        t[i] = plain();
        list[i] = &t[i];
    }
    t[1].wire = STR("responses");
    t[2].base_url.text = STR("https://h:444/v1");
    t[3].model.text = STR("m2");
    t[4].key.value = STR("key-number-two");
    t[5].key.value = (struct str){NULL, 0};
    t[6].proxy.text = STR("http://p:1");
    t[7].proxy.text = STR("");
    t[8].ca_file.text = STR("corp.pem");
    t[9].auth_prefix = STR("");
    t[10].auth_header = STR("api-key");
    t[11].query = STR("v=1");
    t[12].headers = &a;
    t[12].header_count = 1;
    t[13].headers = &b;
    t[13].header_count = 1;
    t[14].headers = &same;
    t[14].header_count = 1;
    t[15].name = STR("the same as the first, by another name");
    t[15].client = STR("another client");
    t[15].role = ROLE_FALLBACK;
    t[16].base_url.text = STR("https://h/v1//");
    struct arena *arena = arena_create();
    struct plan plan;
    probe_plan(arena, list, 17, &plan);
    assert_int_equal(plan.request_count, 14);
    assert_int_equal(plan.token_bound, 14 * 16);
    assert_ptr_equal(plan.requests[0].target, &t[0]);
    assert_int_equal(plan.requests[0].target_count, 3);
    assert_int_equal(plan.requests[0].target_indices[1], 15);
    assert_int_equal(plan.requests[0].target_indices[2], 16);
    assert_int_equal(plan.requests[12].target_count, 2);
    assert_int_equal(plan.requests[12].target_indices[1], 14);
    assert_null(plan.requests[0].free);
    assert_string_equal(plan.requests[0].url.ptr, "https://h/v1/chat/completions");
    assert_string_equal(plan.requests[2].place.host.ptr, "h:444");
    arena_free(arena);
}

static void counts_what_cannot_be_capped(void **state)
{
    (void)state;
    struct target capped = plain(), uncapped = plain(), odd = plain();
    uncapped.is_uncapped = true;
    odd.path = STR("");
    odd.query = STR("team=a/chat/completions");
    const struct target *targets[] = {&capped, &uncapped, &odd};
    struct arena *arena = arena_create();
    struct plan plan;
    probe_plan(arena, targets, 3, &plan);
    assert_int_equal(plan.request_count, 3);
    assert_int_equal(plan.uncapped_count, 1);
    assert_int_equal(plan.requests[1].token_bound, 0);
    assert_int_equal(plan.token_bound, 2 * plan.requests[0].token_bound);
    assert_string_equal(plan.requests[2].url.ptr, "https://h/v1?team=a/chat/completions");
    arena_free(arena);
}

static void leaves_out_what_cannot_be_asked(void **state)
{
    (void)state;
    struct target t[4] = {plain(), plain(), plain(), plain()};
    const struct target *list[4] = {&t[0], &t[1], &t[2], &t[3]};
    struct arena *arena = arena_create();
    struct plan plan;
    t[0].skip_reason = STR("no model named; give --model");
    t[1].is_unsendable = true;
    t[2].wire = STR("gopher");
    probe_plan(arena, list, 4, &plan);
    assert_int_equal(plan.request_count, 1);
    assert_int_equal(plan.requests[0].target_indices[0], 3);
    probe_plan(arena, list, 0, &plan);
    assert_int_equal(plan.request_count, 0);
    assert_int_equal(plan.token_bound, 0);
    arena_free(arena);
}

static void one_proof_per_key_whatever_the_model(void **state)
{
    (void)state;
    struct target t[4] = {plain(), plain(), plain(), plain()};
    const struct free_request models = {.path = STR("/models")};
    const struct free_wish wishes[5] = {{.target = &t[0], .form = &models},
                                        {.target = &t[1], .form = &models},
                                        {.target = &t[2]},
                                        {.target = &t[3], .form = &models},
                                        {.target = &t[0], .form = &models, .is_anonymous = true}};
    struct arena *arena = arena_create();
    struct plan plan;
    t[1].model.text = STR("m2");
    t[1].wire = STR("responses");
    t[3].key.value = STR("key-number-two");
    t[3].skip_reason = STR("no model named");
    probe_plan_free(arena, wishes, 5, &plan);
    assert_int_equal(plan.request_count, 3);
    assert_int_equal(plan.requests[0].target_count, 2);
    assert_string_equal(plan.requests[0].url.ptr, "https://h/v1/models");
    assert_ptr_equal(plan.requests[0].free, &models);
    assert_int_equal(plan.requests[1].target_indices[0], 3);
    assert_true(plan.requests[2].is_anonymous);
    arena_free(arena);
}

static void free_requests_know_where_they_begin(void **state)
{
    (void)state;
    static const struct {
        const char *base, *query, *path, *own_query, *url;
        bool is_from_root;
    } rows[] = {
        {"https://h/v1", "", "/models", "", "https://h/v1/models", false},
        {"https://h/v1/", "", "/user/balance", "", "https://h/user/balance", true},
        {"https://h", "", "/v1/models", "limit=1000", "https://h/v1/models?limit=1000", false},
        {"https://h/a", "t=1", "/models", "limit=9", "https://h/a/models?limit=9&t=1", false},
        {"https://h/a", "api-version=7", "/m", "api-version=8", "https://h/a/m?api-version=8",
         false},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct target target = plain();
        target.base_url.text = str_from(rows[i].base);
        target.query = str_from(rows[i].query);
        const struct free_request form = {.path = str_from(rows[i].path),
                                          .query = str_from(rows[i].own_query),
                                          .is_from_root = rows[i].is_from_root};
        assert_string_equal(probe_free_url(arena, &target, &form).ptr, rows[i].url);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_cannot_be_capped),
        cmocka_unit_test(joins_urls_without_doubling_anything),
        cmocka_unit_test(names_hosts_without_credentials),
        cmocka_unit_test(everything_that_reaches_the_wire_tells_requests_apart),
        cmocka_unit_test(leaves_out_what_cannot_be_asked),
        cmocka_unit_test(one_proof_per_key_whatever_the_model),
        cmocka_unit_test(free_requests_know_where_they_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
