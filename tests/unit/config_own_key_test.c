/* Our own file: how what it says is sent. Keys and where they come from, headers, addresses and
 * certificates, and the targets that cannot be asked. */
#include "config_world.h"

#include "rules/embedded.h"

static void key_file_is_read_beside_the_config(void **state)
{
    struct world *w = *state;
    world_write(w, ".config/diagnose/k", GOOD_KEY "\r\n", sizeof GOOD_KEY + 1);
    world_write(w, "k2", GOOD_KEY, sizeof GOOD_KEY - 1);
    world_load_own(
        w, "[[target]]\nname = \"a\"\nprovider = \"openai\"\nmodel = \"m\"\nkey_file = \"k\"\n"
           "[[target]]\nname = \"b\"\nprovider = \"openai\"\nmodel = \"m\"\nkey_file = \"~/k2\"\n"
           "[[target]]\nname = \"c\"\nprovider = \"openai\"\nmodel = \"m\"\nkey_file = \"no\"\n"
           "[[target]]\nname = \"d\"\nprovider = \"openai\"\nmodel = \"m\"\nkey_file = \".\"\n");
    assert_str(find_target(w, "a")->key.value, GOOD_KEY);
    assert_int_equal(find_target(w, "a")->problems.count, 0);
    assert_str(find_target(w, "a")->key_name, "~/.config/diagnose/k");
    assert_origin(w, find_target(w, "a")->key_origin, "~/.config/diagnose/k");
    assert_str(find_target(w, "b")->key.value, GOOD_KEY);
    const struct problem *missing = find_problem(&find_target(w, "c")->problems, "key_file");
    assert_has(missing->message, "does not exist");
    assert_origin(w, missing->origin, "~/.config/diagnose/config.toml:15:12");
    assert_true(find_target(w, "c")->is_unsendable);
    assert_has(find_problem(&find_target(w, "d")->problems, "key_file")->message, "directory");
}

static void big_key_file_is_refused(void **state)
{
    struct world *w = *state;
    char *big = malloc(70000);
    memset(big, 'a', 70000);
    world_write(w, ".config/diagnose/k", big, 70000);
    free(big);
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nkey_file = \"k\"\n");
    assert_has(find_problem(&w->config.targets[0].problems, "key_file")->message, "64 KiB");
}

static void pasted_key_is_never_shown(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"" GOOD_KEY
                      "\"\n");
    const struct problem *problem = find_problem(&w->config.targets[0].problems, "bad_value");
    assert_has(problem->message, "name of a variable");
    assert_false(str_is_set(problem->line_text));
    assert_true(w->config.targets[0].is_unsendable);
    assert_false(str_is_set(w->config.targets[0].key_name));
}

static void key_that_could_be_a_name_is_not_shown(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nprovider = \"mistral\"\nmodel = \"m\"\n"
                      "key_env = \"a8Fz3kQ9wLr72mXcV5tYh0bN1dSe6uPj\"\n"
                      "[[target]]\nprovider = \"groq\"\nmodel = \"m\"\n"
                      "key_env = \"gsk_a8Fz3kQ9wLr72mXcV5tYh0bN1dSe6uPj\"\n");
    for (size_t i = 0; i < 2; i++) {
        const struct problems *problems = &w->config.targets[i].problems;
        assert_int_equal(problems->count, 1);
        assert_has(problems->items[0].message, "name of a variable");
        assert_false(str_is_set(problems->items[0].line_text));
    }
}

static void missing_variable_names_its_neighbour(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_KEY=" GOOD_KEY);
    world_load_own(
        w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"OPENAI_API_KEY\"\n");
    const struct target *t = &w->config.targets[0];
    const struct problem *problem = find_problem(&t->problems, "key_missing");
    assert_true(t->is_unsendable);
    assert_has(problem->message, "OPENAI_API_KEY is not set");
    assert_str(problem->suggestion, "OPENAI_KEY");
    assert_origin(w, problem->origin, "~/.config/diagnose/config.toml:4:11");
    assert_str(problem->line_text, "key_env = \"OPENAI_API_KEY\"");
    assert_origin(w, t->key_origin, "env:OPENAI_API_KEY");
    assert_str(t->key_name, "OPENAI_API_KEY");
}

static void ca_file_that_is_not_there_is_found(void **state)
{
    struct world *w = *state;
    world_write(w, ".config/diagnose/empty.pem", "", 0);
    world_load_own(
        w, "[[target]]\nname = \"a\"\nprovider = \"openai\"\nmodel = \"m\"\nca_file = \"x.pem\"\n"
           "[[target]]\nname = \"b\"\nprovider = \"openai\"\nmodel = \"m\"\nca_file = "
           "\"empty.pem\"\n");
    assert_has(find_problem(&find_target(w, "a")->problems, "bad_value")->message,
               "does not exist");
    assert_has(find_problem(&find_target(w, "b")->problems, "bad_value")->message, "certificate");
    assert_true(find_target(w, "a")->is_unsendable);
}

static void secrets_are_known_and_not_in_settings(void **state)
{
    struct world *w = *state;
    world_set(w, "K='" GOOD_KEY "' ");
    world_load_own(
        w, "[[target]]\nname = \"a\"\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"K\"\n"
           "headers = { X-Token = \"hush-hush-1\" }\nproxy = \"bob:pass-word@127.0.0.1:1\"\n"
           "base_url = \"https://al:pw@api.openai.com/v1\"\n");
    const char *const secrets[] = {GOOD_KEY, "hush-hush-1", "bob:pass-word", "pass-word"};
    for (size_t s = 0; s < 4; s++) {
        bool is_known = false;
        for (size_t i = 0; i < w->config.secret_count; i++) {
            is_known = is_known || str_eq(w->config.secrets[i].value, str_from(secrets[s]));
        }
        assert_true(is_known);
        for (size_t i = 0; i < w->config.setting_count; i++) {
            assert_int_equal(str_find(w->config.settings[i].value, str_from(secrets[s])), -1);
        }
    }
    struct str key = arena_printf(w->arena, "[key %s]", w->config.targets[0].key.fingerprint);
    assert_str(find_setting(w, "target.a.key")->value, key.ptr);
    assert_str(find_setting(w, "target.a.key")->layer, "env");
    assert_str(find_setting(w, "target.a.headers.X-Token")->value, "[masked]");
    assert_str(find_setting(w, "target.a.model")->layer, "user file");
    assert_str(find_setting(w, "target.a.wire")->layer, "default");
    assert_str(w->config.targets[0].base_url.text, "https://api.openai.com/v1");
}

static void broken_default_is_not_guessed(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[defaults]\nbase_url = 5\n[[target]]\nprovider = \"openai\"\nmodel = \"m\"\n"
                      "[[target]]\nprovider = \"openai\"\nmodel = \"n\"\n"
                      "base_url = \"https://api.openai.com/v1\"\n");
    assert_non_null(find_problem(&w->config.problems, "bad_type"));
    assert_has(w->config.targets[0].skip_reason, "base_url in [defaults]");
    assert_false(str_is_set(w->config.targets[1].skip_reason));
}

static void query_of_url_is_sent_behind_the_path(void **state)
{
    struct world *w = *state;
    world_load_own(
        w, "[[target]]\nprovider = \"azure-openai\"\nmodel = \"m\"\n"
           "base_url = \"https://r.openai.azure.com/openai/deployments/m?api-version=2025\"\n"
           "[[target]]\nprovider = \"azure-openai\"\nmodel = \"m\"\nquery = \"\"\n"
           "base_url = \"https://r.openai.azure.com/openai/v1\"\n"
           "[[target]]\nprovider = \"azure-openai\"\nmodel = \"m\"\n"
           "base_url = \"https://r.openai.azure.com/openai/deployments/m\"\n");
    assert_str(w->config.targets[0].base_url.text,
               "https://r.openai.azure.com/openai/deployments/m");
    assert_str(w->config.targets[0].query, "api-version=2025");
    assert_false(str_is_set(w->config.targets[1].query));
    assert_has(w->config.targets[2].query, "api-version=");
    assert_str(w->config.targets[2].auth_header, "api-key");
}

static void two_line_ends_in_a_key_file_are_one_too_many(void **state)
{
    struct world *w = *state;
    world_write(w, ".config/diagnose/k", GOOD_KEY "\n\n", sizeof GOOD_KEY + 1);
    world_write(w, ".config/diagnose/e", "\n", 1);
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nkey_file = \"k\"\n"
                      "[[target]]\nprovider = \"openai\"\nmodel = \"n\"\nkey_file = \"e\"\n");
    assert_non_null(find_problem(&w->config.targets[0].problems, "key_newline"));
    assert_non_null(find_problem(&w->config.targets[1].problems, "key_empty"));
    assert_true(w->config.targets[0].is_unsendable && w->config.targets[1].is_unsendable);
}

static void target_says_key_over_defaults(void **state)
{
    struct world *w = *state;
    world_set(w, "A=" GOOD_KEY);
    world_set(w, "B=" GOOD_KEY "b");
    world_load_own(w, "[defaults]\nkey_env = \"A\"\n"
                      "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"B\"\n"
                      "[[target]]\nprovider = \"openai\"\nmodel = \"n\"\nkey_env = \"B\"\n"
                      "key_file = \"x\"\n");
    assert_str(w->config.targets[0].key.value, GOOD_KEY "b");
    assert_int_equal(w->config.targets[0].problems.count, 0);
    assert_str(w->config.targets[1].key.value, GOOD_KEY "b");
    const struct problem *problem = find_problem(&w->config.targets[1].problems, "bad_value");
    assert_true(problem->is_warning);
    assert_has(problem->message, "key_file is not read");
}

/* The built-in rules and a provider that speaks only what is no wire. */
static void open_rules_with_strange_provider(struct world *w)
{
    struct rules_text *texts = calloc(embedded_file_count + 1, sizeof *texts);
    struct problems problems = {0};
    for (size_t i = 0; i < embedded_file_count; i++) {
        const struct embedded_file *file = &embedded_files[i];
        texts[i].file = str_from(file->name);
        texts[i].text = file->text;
    }
    texts[embedded_file_count] = (struct rules_text){
        .file = STR("rules/strange.toml"),
        .text = STR("[[provider]]\nid = \"strange\"\nname = \"Strange\"\nhosts = []\n"
                    "base_url = \"https://strange.example/v1\"\nwires = [\"smoke\"]\n")};
    rules_close(w->rules);
    assert_int_equal(
        rules_open_texts(texts, embedded_file_count + 1, &problems, w->arena, &w->rules, &w->err),
        ERR_OK);
    free(texts);
}

static void api_that_cannot_be_asked_is_skipped(void **state)
{
    struct world *w = *state;
    open_rules_with_strange_provider(w);
    world_load_own(w, "[[target]]\nprovider = \"strange\"\nmodel = \"m\"\n");
    assert_has(w->config.targets[0].skip_reason, "smoke");
    assert_str(w->config.targets[0].auth_header, "Authorization");
    assert_false(w->config.targets[0].is_unsendable);
    assert_int_equal(w->config.targets[0].problems.count, 0);
}

static void header_that_carries_the_key_is_the_key(void **state)
{
    struct world *w = *state;
    world_set(w, "K=" GOOD_ANTHROPIC_KEY);
    world_load_own(
        w, "[[target]]\nname = \"a\"\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"K\"\n"
           "headers = { authorization = \"Bearer " GOOD_KEY "\", x-a = \"1\" }\n"
           "fallback = [\"n\"]\n"
           "[[target]]\nname = \"b\"\nprovider = \"openai\"\nmodel = \"m\"\n"
           "headers = { Authorization = \"Basic dXNlcjpwYXNz\" }\n");
    for (size_t i = 0; i < 2; i++) {
        const struct target *a = &w->config.targets[i];
        assert_str(a->key.value, GOOD_KEY);
        assert_str(a->auth_prefix, "Bearer ");
        assert_str(a->key_name, "headers.authorization");
        assert_int_equal(a->header_count, 1);
        assert_str(a->headers[0].name, "x-a");
        assert_int_equal(a->problems.count, 0);
    }
    assert_origin(w, w->config.targets[0].key_origin, "~/.config/diagnose/config.toml:6:29");
    assert_int_equal(find_setting(w, "target.a.key")->shadow_count, 1);
    assert_str(find_target(w, "b")->auth_prefix, "Basic ");
    assert_str(find_target(w, "b")->key.value, "dXNlcjpwYXNz");
    assert_int_equal(find_target(w, "b")->header_count, 0);
}

static void own_header_replaces_that_of_the_provider(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nprovider = \"anthropic\"\nmodel = \"m\"\n"
                      "headers = { \"Anthropic-Version\" = \"2099-01-01\" }\n");
    assert_int_equal(w->config.targets[0].header_count, 1);
    assert_str(w->config.targets[0].headers[0].value, "2099-01-01");
}

static void fallback_of_unsendable_primary_is_unsendable(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"NONE\"\n"
                      "modle = 1\nfallback = [\"n\"]\n");
    const struct target *fallback = &w->config.targets[1];
    assert_int_equal(w->config.targets[0].problems.count, 2);
    assert_true(fallback->is_unsendable);
    assert_int_equal(fallback->problems.count, 1);
    assert_str(fallback->problems.items[0].code, "key_missing");
    assert_str(fallback->problems.items[0].line_text, "key_env = \"NONE\"");
}

static void options_are_listed_over_the_file(void **state)
{
    struct world *w = *state;
    w->request.timeout = STR("3s");
    w->request.proxy = STR("http://127.0.0.1:2");
    world_load_own(w, "[defaults]\ntimeout = \"7s\"\nproxy = \"http://127.0.0.1:1\"\n"
                      "[[target]]\nname = \"a\"\nprovider = \"openai\"\nmodel = \"m\"\n");
    const struct setting *timeout = find_setting(w, "timeout");
    assert_str(timeout->value, "3s");
    assert_str(timeout->layer, "option");
    assert_str(timeout->origin, "option:--timeout");
    assert_str(timeout->shadows[0], "7s (~/.config/diagnose/config.toml:2:11)");
    assert_str(w->config.targets[0].proxy.text, "http://127.0.0.1:2");
    assert_str(find_setting(w, "target.a.proxy")->shadows[0],
               "http://127.0.0.1:1 (~/.config/diagnose/config.toml:3:9)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(key_file_is_read_beside_the_config),
        WORLD_TEST(big_key_file_is_refused),
        WORLD_TEST(pasted_key_is_never_shown),
        WORLD_TEST(key_that_could_be_a_name_is_not_shown),
        WORLD_TEST(missing_variable_names_its_neighbour),
        WORLD_TEST(ca_file_that_is_not_there_is_found),
        WORLD_TEST(secrets_are_known_and_not_in_settings),
        WORLD_TEST(broken_default_is_not_guessed),
        WORLD_TEST(query_of_url_is_sent_behind_the_path),
        WORLD_TEST(two_line_ends_in_a_key_file_are_one_too_many),
        WORLD_TEST(target_says_key_over_defaults),
        WORLD_TEST(api_that_cannot_be_asked_is_skipped),
        WORLD_TEST(header_that_carries_the_key_is_the_key),
        WORLD_TEST(own_header_replaces_that_of_the_provider),
        WORLD_TEST(fallback_of_unsendable_primary_is_unsendable),
        WORLD_TEST(options_are_listed_over_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
