/* Our own file: keys, defaults, origins, chains, names, what is wrong in it. */
#include "config_world.h"

static void example_of_every_key_is_read(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    w->request.client = STR("diagnose");
    world_write(w, ".config/diagnose/corp.pem", "-----BEGIN CERTIFICATE-----\n", 28);
    world_load_own(w, "[[target]]\n"
                      "name = \"nightly\"\n"
                      "provider = \"openai\"\n"
                      "base_url = \"https://api.openai.com/v1\"\n"
                      "wire = \"responses\"\n"
                      "model = \"gpt-x\"\n"
                      "key_env = \"OPENAI_API_KEY\"\n"
                      "headers = { \"x-team\" = \"a\" }\n"
                      "ca_file = \"corp.pem\"\n"
                      "proxy = \"http://127.0.0.1:3128\"\n");
    assert_int_equal(w->config.target_count, 1);
    assert_int_equal(w->config.problems.count, 0);
    const struct target *t = find_target(w, "nightly");
    assert_non_null(t);
    assert_int_equal(t->problems.count, 0);
    assert_false(t->is_unsendable);
    assert_str(t->client, "diagnose");
    assert_str(t->provider, "openai");
    assert_str(t->wire, "responses");
    assert_int_equal(t->role, ROLE_PRIMARY);
    assert_str(t->chain, "nightly");
    assert_str(t->base_url.text, "https://api.openai.com/v1");
    assert_str(t->model.text, "gpt-x");
    assert_str(t->key.value, GOOD_KEY);
    assert_str(t->key_name, "OPENAI_API_KEY");
    assert_str(t->auth_header, "Authorization");
    assert_str(t->auth_prefix, "Bearer ");
    assert_int_equal(t->header_count, 1);
    assert_str(t->headers[0].name, "x-team");
    assert_str(t->headers[0].value, "a");
    assert_str(t->proxy.text, "http://127.0.0.1:3128");
    struct str ca = arena_printf(w->arena, "%s/.config/diagnose/corp.pem", w->home);
    assert_str(t->ca_file.text, ca.ptr);
    assert_origin(w, t->provider_origin, "~/.config/diagnose/config.toml:3:12");
    assert_origin(w, t->base_url.origin, "~/.config/diagnose/config.toml:4:12");
    assert_origin(w, t->wire_origin, "~/.config/diagnose/config.toml:5:8");
    assert_origin(w, t->model.origin, "~/.config/diagnose/config.toml:6:9");
    assert_origin(w, t->key_origin, "env:OPENAI_API_KEY");
    assert_origin(w, t->ca_file.origin, "~/.config/diagnose/config.toml:9:11");
    assert_origin(w, t->proxy.origin, "~/.config/diagnose/config.toml:10:9");
}

static void provider_fills_what_is_not_said(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nprovider = \"anthropic\"\nmodel = \"m\"\n");
    const struct target *t = find_target(w, "m at api.anthropic.com");
    assert_non_null(t);
    assert_str(t->base_url.text, "https://api.anthropic.com");
    assert_origin(w, t->base_url.origin, "default: providers.toml");
    assert_str(t->wire, "messages");
    assert_str(t->auth_header, "x-api-key");
    assert_str(t->auth_prefix, "");
    assert_str(t->headers[0].name, "anthropic-version");
    assert_false(str_is_set(t->key.value));
    assert_false(str_is_set(t->key_name));
    assert_int_equal(t->problems.count, 0);
}

static void provider_is_known_by_host_of_url(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nbase_url = \"https://openrouter.ai/api/v1\"\nmodel = \"m\"\n");
    assert_str(w->config.targets[0].provider, "openrouter");
    assert_str(w->config.targets[0].wire, "chat");
    assert_int_equal(w->config.targets[0].problems.count, 0);
}

static void auth_without_provider_follows_wire(void **state)
{
    struct world *w = *state;
    world_load_own(
        w, "[[target]]\nbase_url = \"http://127.0.0.1:1\"\nwire = \"messages\"\nmodel = \"m\"\n"
           "[[target]]\nbase_url = \"http://127.0.0.1:1/v1\"\nwire = \"chat\"\nmodel = \"m\"\n");
    assert_str(w->config.targets[0].auth_header, "x-api-key");
    assert_str(w->config.targets[0].headers[0].name, "anthropic-version");
    assert_false(str_is_set(w->config.targets[0].provider));
    assert_str(w->config.targets[1].auth_header, "Authorization");
    assert_int_equal(w->config.targets[1].header_count, 0);
}

static void defaults_stand_below_targets(void **state)
{
    struct world *w = *state;
    world_set(w, "K=" GOOD_KEY);
    world_load_own(w, "[defaults]\n"
                      "base_url = \"http://127.0.0.1:9/v1\"\n"
                      "wire = \"chat\"\n"
                      "key_env = \"K\"\n"
                      "timeout = \"7s\"\n"
                      "headers = { A = \"1\", B = \"2\" }\n"
                      "[[target]]\nmodel = \"m\"\n"
                      "[[target]]\nmodel = \"n\"\nbase_url = \"http://127.0.0.1:8/v1\"\n"
                      "headers = { b = \"3\" }\n");
    assert_int_equal(w->config.problems.count, 0);
    assert_int_equal(w->config.timeout_ms, 7000);
    const struct target *m = &w->config.targets[0], *n = &w->config.targets[1];
    assert_str(m->base_url.text, "http://127.0.0.1:9/v1");
    assert_str(m->key.value, GOOD_KEY);
    assert_str(n->base_url.text, "http://127.0.0.1:8/v1");
    assert_non_null(n->base_url.shadowed);
    assert_str(n->base_url.shadowed->text, "http://127.0.0.1:9/v1");
    assert_origin(w, n->base_url.shadowed->origin, "~/.config/diagnose/config.toml:2:12");
    assert_int_equal(n->header_count, 2);
    assert_str(n->headers[0].value, "1");
    assert_str(n->headers[1].value, "3");
    const struct setting *setting = find_setting(w, "target.n at 127.0.0.1.base_url");
    assert_non_null(setting);
    assert_int_equal(setting->shadow_count, 1);
    assert_str(setting->shadows[0], "http://127.0.0.1:9/v1 (~/.config/diagnose/config.toml:2:12)");
    assert_str(find_setting(w, "timeout")->value, "7s");
}

static void chain_has_models_and_other_targets(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\n"
                      "name = \"main\"\nbase_url = \"http://127.0.0.1:1/v1\"\nwire = \"chat\"\n"
                      "model = \"gpt-x\"\nfallback = [\"gpt-y\", \"spare\"]\n"
                      "[[target]]\n"
                      "name = \"spare\"\nbase_url = \"http://127.0.0.1:2\"\nwire = \"messages\"\n"
                      "model = \"other\"\n");
    assert_int_equal(w->config.target_count, 4);
    const struct target *t = w->config.targets;
    assert_int_equal(t[0].role, ROLE_PRIMARY);
    assert_str(t[1].name, "gpt-y at 127.0.0.1");
    assert_int_equal(t[1].role, ROLE_FALLBACK);
    assert_int_equal(t[1].fallback_number, 1);
    assert_str(t[1].chain, "main");
    assert_str(t[1].base_url.text, "http://127.0.0.1:1/v1");
    assert_str(t[1].model.text, "gpt-y");
    assert_origin(w, t[1].model.origin, "~/.config/diagnose/config.toml:6:13");
    assert_int_equal(t[2].fallback_number, 2);
    assert_str(t[2].chain, "main");
    assert_str(t[2].model.text, "other");
    assert_str(t[2].wire, "messages");
    assert_str(t[2].base_url.text, "http://127.0.0.1:2");
    assert_int_equal(t[3].role, ROLE_PRIMARY);
    assert_str(t[2].name, "spare (2)");
    assert_str(t[3].name, "spare");
    assert_str(t[3].chain, "spare");
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(t[i].problems.count, 0);
    }
}

static void odd_fallbacks_are_named(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nname = \"main\"\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                      "wire = \"chat\"\nmodel = \"gpt-x\"\n"
                      "fallback = [\"gpt-x\", \"backpu\", \"b\", \"b\"]\n"
                      "[[target]]\nname = \"backup\"\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                      "wire = \"chat\"\nmodel = \"claude\"\n");
    const struct target *t = w->config.targets;
    assert_int_equal(w->config.target_count, 4);
    assert_int_equal(t[0].problems.count, 3);
    assert_has(t[0].problems.items[0].message, "itself");
    assert_str(t[0].problems.items[1].code, "unknown_fallback");
    assert_str(t[0].problems.items[1].suggestion, "backup");
    assert_has(t[0].problems.items[2].message, "twice");
    assert_true(t[0].problems.items[0].is_warning);
    assert_false(t[0].is_unsendable);
    assert_str(t[1].model.text, "backpu");
    assert_str(t[2].model.text, "b");
    assert_int_equal(t[2].fallback_number, 2);
}

static void option_model_stands_over_file(void **state)
{
    struct world *w = *state;
    w->request.model = STR("new");
    world_load_own(w, "[[target]]\nbase_url = \"http://127.0.0.1:1/v1\"\nwire = \"chat\"\n"
                      "model = \"old\"\nfallback = [\"third\"]\n");
    const struct target *t = w->config.targets;
    assert_str(t[0].name, "new at 127.0.0.1");
    assert_str(t[0].model.text, "new");
    assert_origin(w, t[0].model.origin, "option:--model");
    assert_str(t[0].model.shadowed->text, "old");
    assert_origin(w, t[0].model.shadowed->origin, "~/.config/diagnose/config.toml:4:9");
    assert_str(t[1].model.text, "third");
}

static void target_without_model_is_skipped(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nprovider = \"openai\"\n");
    assert_has(w->config.targets[0].skip_reason, "--model");
    assert_false(w->config.targets[0].is_unsendable);
    assert_int_equal(w->config.targets[0].problems.count, 0);
}

static void names_are_unique(void **state)
{
    struct world *w = *state;
    const char *text = "[[target]]\nname = \"a\"\nprovider = \"openai\"\nmodel = \"m\"\n"
                       "[[target]]\nname = \"a\"\nprovider = \"openai\"\nmodel = \"n\"\n"
                       "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\n"
                       "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\n";
    world_load_own(w, text);
    assert_str(w->config.targets[0].name, "a");
    assert_str(w->config.targets[1].name, "a (2)");
    assert_str(w->config.targets[1].chain, "a (2)");
    assert_str(w->config.targets[2].name, "m at api.openai.com");
    assert_str(w->config.targets[3].name, "m at api.openai.com (2)");
    const struct problem *problem = find_problem(&w->config.targets[1].problems, "bad_value");
    assert_non_null(problem);
    assert_true(problem->is_warning);
    assert_has(problem->message, "line 2");
    assert_int_equal(w->config.targets[3].problems.count, 0);
}

static void unknown_keys_get_a_suggestion(void **state)
{
    struct world *w = *state;
    world_load_own(w, "defualts = 1\nmodel = \"x\"\ntimeout = \"1s\"\n"
                      "[defaults]\nmodel = \"m\"\nbase_ulr = \"x\"\n"
                      "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\n"
                      "modle = \"n\"\napi_key = \"sk-secret\"\ntimeout = \"1s\"\nzzzzzz = 1\n");
    const struct problems *p = &w->config.problems;
    assert_int_equal(p->count, 5);
    for (size_t i = 0; i < p->count; i++) {
        assert_str(p->items[i].code, "unknown_key");
        assert_true(p->items[i].is_warning);
    }
    assert_str(p->items[0].suggestion, "defaults");
    assert_origin(w, p->items[0].origin, "~/.config/diagnose/config.toml:1:1");
    assert_str(p->items[1].suggestion, "[[target]] model");
    assert_str(p->items[2].suggestion, "[defaults] timeout");
    assert_has(p->items[3].message, "belongs in [[target]]");
    assert_str(p->items[4].suggestion, "base_url");
    const struct target *t = &w->config.targets[0];
    assert_false(t->is_unsendable);
    assert_int_equal(t->problems.count, 4);
    assert_str(t->problems.items[0].suggestion, "model");
    assert_origin(w, t->problems.items[0].origin, "~/.config/diagnose/config.toml:10:1");
    assert_str(t->problems.items[1].suggestion, "key_env");
    assert_int_equal(str_find(t->problems.items[1].line_text, STR("secret")), -1);
    assert_has(t->problems.items[2].message, "belongs in [defaults]");
    assert_false(str_is_set(t->problems.items[3].suggestion));
}

static void wrong_types_say_what_was_expected(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[defaults]\ntimeout = 20\n"
                      "[[target]]\nname = \"a\"\nprovider = 1\nmodel = [\"m\"]\nfallback = \"x\"\n"
                      "headers = \"x\"\n"
                      "[[target]]\nname = \"b\"\nprovider = \"openai\"\nmodel = \"m\"\n"
                      "fallback = [\"x\", 3]\nheaders = { a = 1 }\n");
    assert_has(find_problem(&w->config.problems, "bad_type")->message, "\"20s\"");
    assert_int_equal(w->config.timeout_ms, -1);
    const struct target *a = find_target(w, "a"), *b = find_target(w, "b");
    assert_true(a->is_unsendable);
    assert_int_equal(a->problems.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_str(a->problems.items[i].code, "bad_type");
        assert_has(a->problems.items[i].message, "expected");
        assert_false(a->problems.items[i].is_warning);
    }
    assert_origin(w, a->problems.items[0].origin, "~/.config/diagnose/config.toml:5:12");
    assert_str(a->problems.items[0].line_text, "provider = 1");
    assert_true(b->is_unsendable);
    assert_int_equal(b->problems.count, 2);
    assert_false(str_is_set(a->skip_reason));
}

static void wrong_values_are_named(void **state)
{
    struct world *w = *state;
    world_load_own(
        w, "[defaults]\ntimeout = \"soon\"\n"
           "[[target]]\nname = \"a\"\nprovider = \"opnai\"\nmodel = \"m\"\n"
           "[[target]]\nname = \"b\"\nprovider = \"openai\"\nmodel = \"m\"\nwire = \"respones\"\n"
           "[[target]]\nname = \"c\"\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"m\"\n"
           "[[target]]\nname = \"d\"\nmodel = \"m\"\nwire = \"chat\"\n"
           "[[target]]\nname = \"e\"\nprovider = \"openai\"\nmodel = \"\"\n"
           "[[target]]\nname = \"f\"\nprovider = \"openai\"\nmodel = \"m\"\nproxy = \"ftp://h\"\n"
           "[[target]]\nname = \"g\"\nprovider = \"openai\"\nmodel = \"m\"\n"
           "headers = { \"a b\" = \"1\", c = \"x\\ny\" }\n");
    assert_non_null(find_problem(&w->config.problems, "bad_value"));
    const struct problem *unknown =
        find_problem(&find_target(w, "a")->problems, "unknown_provider");
    assert_str(unknown->suggestion, "openai");
    assert_str(unknown->line_text, "provider = \"opnai\"");
    assert_true(find_target(w, "a")->is_unsendable);
    const struct problem *wire = find_problem(&find_target(w, "b")->problems, "bad_value");
    assert_str(wire->suggestion, "responses");
    assert_has(wire->message, "messages");
    assert_has(find_problem(&find_target(w, "c")->problems, "bad_value")->message, "chat");
    assert_has(find_problem(&find_target(w, "d")->problems, "bad_value")->message, "base_url");
    assert_origin(w, find_problem(&find_target(w, "d")->problems, "bad_value")->origin,
                  "~/.config/diagnose/config.toml:16:1");
    assert_has(find_problem(&find_target(w, "e")->problems, "bad_value")->message, "empty");
    assert_has(find_problem(&find_target(w, "f")->problems, "bad_value")->message, "socks5");
    assert_int_equal(find_target(w, "g")->problems.count, 2);
    for (const char *name = "abcdefg"; *name; name++) {
        char text[2] = {*name, '\0'};
        assert_true(find_target(w, text)->is_unsendable);
    }
}

static void unknown_provider_with_url_and_wire_is_a_warning(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nprovider = \"corp\"\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                      "wire = \"chat\"\nmodel = \"m\"\n");
    assert_false(w->config.targets[0].is_unsendable);
    assert_true(find_problem(&w->config.targets[0].problems, "unknown_provider")->is_warning);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(example_of_every_key_is_read),
        WORLD_TEST(provider_fills_what_is_not_said),
        WORLD_TEST(provider_is_known_by_host_of_url),
        WORLD_TEST(auth_without_provider_follows_wire),
        WORLD_TEST(defaults_stand_below_targets),
        WORLD_TEST(chain_has_models_and_other_targets),
        WORLD_TEST(odd_fallbacks_are_named),
        WORLD_TEST(option_model_stands_over_file),
        WORLD_TEST(target_without_model_is_skipped),
        WORLD_TEST(names_are_unique),
        WORLD_TEST(unknown_keys_get_a_suggestion),
        WORLD_TEST(wrong_types_say_what_was_expected),
        WORLD_TEST(wrong_values_are_named),
        WORLD_TEST(unknown_provider_with_url_and_wire_is_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
