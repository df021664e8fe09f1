/* Checks of base URLs: their parts, what cannot be used, and slips with what to write instead. */
#include "config_world.h"

#include "config/note.h"
#include "config/url.h"

struct checked {
    struct url url;
    bool is_usable;
    struct problems problems;
};

static struct checked check(struct world *w, const char *text, const char *wire)
{
    struct checked c = {0};
    const struct value value = {.text = str_from(text), .origin = {ORIGIN_ENV, STR("U"), 0, 0}};
    c.is_usable = url_check(w->arena, w->rules, &value, STR("base_url"), &c.problems, &c.url);
    if (c.is_usable) {
        url_check_slips(w->arena, w->rules, &value, STR("base_url"), &c.url,
                        wire_find(str_from(wire)), &c.problems);
    }
    return c;
}

static void good_urls_are_taken_apart(void **state)
{
    struct world *w = *state;
    struct checked c = check(w, "https://API.OpenAI.com/v1/", "responses");
    assert_true(c.is_usable);
    assert_int_equal(c.problems.count, 0);
    assert_str(c.url.host, "api.openai.com");
    assert_str(c.url.path, "/v1");
    assert_true(str_ends(c.url.text, STR("/v1")));
    assert_false(str_is_set(c.url.query));
    c = check(w, "http://[::1]:8080", "messages");
    assert_int_equal(c.problems.count, 0);
    assert_str(c.url.host, "::1");
    assert_str(c.url.text, "http://[::1]:8080");
    assert_str(c.url.path, "");
    c = check(w, "https://h/a?api-version=1", "chat");
    assert_str(c.url.query, "api-version=1");
    assert_str(c.url.text, "https://h/a");
}

static void a_warning_too_many_leaves_the_last_error_one(void **state)
{
    struct world *w = *state;
    struct problems problems = {0};
    struct url url;
    const struct value bad = {.text = STR("ftp://h")}, odd = {.text = STR("https://h/v1#x")};
    for (size_t i = 0; i < PROBLEMS_MAX; i++) {
        assert_false(url_check(w->arena, w->rules, &bad, STR("base_url"), &problems, &url));
    }
    assert_true(url_check(w->arena, w->rules, &odd, STR("base_url"), &problems, &url));
    assert_int_equal(problems.count, PROBLEMS_MAX);
    assert_false(problems.items[PROBLEMS_MAX - 1].is_warning);
}

static void unusable_urls_are_refused(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *text, *says, *suggestion;
    } rows[] = {
        {"", "empty", ""},
        {"api.openai.com/v1", "no scheme", "https://api.openai.com/v1"},
        {"//api.openai.com/v1", "no scheme", "https://api.openai.com/v1"},
        {"localhost:8080/v1", "no scheme", "http://localhost:8080/v1"},
        {"127.0.0.1:8080", "no scheme", "http://127.0.0.1:8080"},
        {"ftp://h/v1", "http:// or https://", ""},
        {"file:///etc/passwd", "no host", ""},
        {"https://", "", ""},
        {"https:///v1", "", ""},
        {"https://h:99999/v1", "65535", ""},
        {"https://h:0/v1", "port 0", ""},
        {"https://h:x/v1", "", ""},
        {"https://h/v1 ", "blank", "https://h/v1"},
        {"https://h/v1\n", "line end", "https://h/v1"},
        {"https://h /v1", "blank", ""},
        {"\"https://h/v1\"", "quotes", ""},
        {"https://<resource>.openai.azure.com", "placeholder", ""},
        {"https://YOUR-RESOURCE.openai.azure.com", "placeholder", ""},
        {"${BASE_URL}", "placeholder", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct checked c = check(w, rows[i].text, "chat");
        if (c.is_usable || c.problems.count != 1) {
            print_error("row %zu: %s\n", i, rows[i].text);
            fail();
        }
        const struct problem *p = &c.problems.items[0];
        assert_str(p->code, "bad_value");
        assert_false(p->is_warning);
        assert_has(p->message, rows[i].says);
        assert_str(p->suggestion, rows[i].suggestion);
        assert_origin(w, p->origin, "env:U");
    }
}

static void overlong_url_is_refused(void **state)
{
    struct world *w = *state;
    char text[3000];
    memset(text, 'a', sizeof text - 1);
    memcpy(text, "https://h/", 10);
    text[sizeof text - 1] = '\0';
    assert_false(check(w, text, "chat").is_usable);
}

static void slips_are_warned_of_with_a_remedy(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *text, *wire, *suggestion;
    } rows[] = {
        {"https://api.openai.com/v1/chat/completions", "chat", "https://api.openai.com/v1"},
        {"https://api.openai.com/v1/responses", "responses", "https://api.openai.com/v1"},
        {"https://api.openai.com/v1/responses/", "chat", "https://api.openai.com/v1"},
        {"https://h/v1/chat", "chat", "https://h/v1"},
        {"https://api.anthropic.com/v1/messages", "messages", "https://api.anthropic.com"},
        {"https://api.anthropic.com/v1", "messages", "https://api.anthropic.com"},
        {"https://h/v1/v1", "chat", "https://h/v1"},
        {"https://h/v1/v1/x", "chat", "https://h/v1/x"},
        {"https://api.openai.com", "responses", "https://api.openai.com/v1"},
        {"http://api.openai.com/v1", "responses", "https://api.openai.com/v1"},
        {"https://user:pass-word@h/v1", "chat", "https://h/v1"},
        {"https://h/v1#x", "chat", "https://h/v1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct checked c = check(w, rows[i].text, rows[i].wire);
        if (!c.is_usable || c.problems.count != 1) {
            print_error("row %zu: %s: %zu problems\n", i, rows[i].text, c.problems.count);
            fail();
        }
        assert_true(c.problems.items[0].is_warning);
        assert_str(c.problems.items[0].suggestion, rows[i].suggestion);
    }
}

static void urls_without_slips_are_left_alone(void **state)
{
    struct world *w = *state;
    static const char *const rows[][2] = {
        {"http://127.0.0.1:1", "chat"},
        {"http://127.0.0.1:1/v1", "responses"},
        {"https://gateway/anthropic", "messages"},
        {"https://h/v1/v2", "chat"},
        {"https://openrouter.ai/api/v1", "chat"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(check(w, rows[i][0], rows[i][1]).problems.count, 0);
    }
}

static void credentials_are_never_shown(void **state)
{
    struct world *w = *state;
    static const char *const rows[] = {
        "https://user:pass-word@h/v1",
        "user:pass-word@h/v1",
        "ftp://user:pass-word@h",
        "https://user:pass-word@h:99999/v1",
        "https://user:pass-word@h/v1/responses",
    };
    assert_int_equal(url_credentials(STR("https://a\0b:pass-word@h/v1")).len, 13); /* past byte 0 */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct checked c = check(w, rows[i], "chat");
        assert_str(c.url.credentials, "user:pass-word");
        assert_int_equal(str_find(c.url.text, STR("pass-word")), -1);
        assert_true(c.problems.count > 0);
        for (size_t p = 0; p < c.problems.count; p++) {
            assert_int_equal(str_find(c.problems.items[p].message, STR("pass-word")), -1);
            assert_int_equal(str_find(c.problems.items[p].suggestion, STR("pass-word")), -1);
        }
    }
}

static void proxies(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *text;
        bool is_good;
    } rows[] = {
        {"http://127.0.0.1:3128", true},
        {"127.0.0.1:3128", true},
        {"socks5h://h:1080", true},
        {"", true},
        {"ftp://h", false},
        {"http://h:99999", false},
        {"http://", false},
        {"htp://h", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct problems problems = {0};
        const struct value value = {.text = str_from(rows[i].text)};
        bool is_good = url_check_proxy(w->arena, w->rules, &value, &problems);
        if (is_good != rows[i].is_good || problems.count != !is_good) {
            print_error("%s\n", rows[i].text);
            fail();
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(good_urls_are_taken_apart),
        WORLD_TEST(unusable_urls_are_refused),
        WORLD_TEST(overlong_url_is_refused),
        WORLD_TEST(a_warning_too_many_leaves_the_last_error_one),
        WORLD_TEST(slips_are_warned_of_with_a_remedy),
        WORLD_TEST(urls_without_slips_are_left_alone),
        WORLD_TEST(credentials_are_never_shown),
        WORLD_TEST(proxies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
