/* What becomes of Codex's settings: targets, addresses, headers, and words about keys that it does
 * not read. */
#include "codex_world.h"

#define CONFIG ".codex/config.toml"
#define TOP "model = \"m\"\nmodel_provider = \"mock\"\n"
#define WIRED PROVIDER "wire_api = \"responses\"\n"

static const struct problem *problem_at(const struct world *w, unsigned line)
{
    const struct problems *problems = &codex_primary(w)->problems;
    for (size_t i = 0; i < problems->count; i++) {
        if (problems->items[i].origin.line == line) {
            return &problems->items[i];
        }
    }
    fail_msg("nothing is said of line %u", line);
    return NULL;
}

static void load(struct world *w, const char *version, const char *toml)
{
    codex_file(w, CONFIG, toml);
    codex_load(w, version);
}

static int setup(void **state)
{
    int status = codex_setup(state);
    world_set(*state, "MOCK_KEY=" MOCK_KEY);
    return status;
}

static void fallback_list_is_the_chain_that_is_wanted(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0", "model_fallback = [\"n\", \"m\", \"o\"]\n" TOP WIRED);
    assert_int_equal(w->config.target_count, 3);
    const struct target *second = &w->config.targets[1], *third = &w->config.targets[2];
    assert_str(second->model.text, "n");
    assert_int_equal(second->role, ROLE_FALLBACK);
    assert_int_equal(second->fallback_number, 1);
    assert_str(second->chain, arena_cstr(w->arena, codex_primary(w)->name));
    assert_origin(w, second->model.origin, "~/.codex/config.toml:1:19");
    assert_str(second->key.value, MOCK_KEY);
    assert_str(third->model.text, "o");
    assert_int_equal(third->fallback_number, 2);
    assert_int_equal(second->problems.count, 0); /* told once, with the primary */
    const struct problem *problem = problem_at(w, 1);
    assert_str(problem->code, "unknown_key");
    assert_true(problem->is_warning);
    assert_has(problem->message, "not read by any version of Codex");
    assert_str(problem->suggestion, "codex -m \"$(diagnose pick)\"");
}

static void fallback_may_name_providers(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0",
         "model_provider_fallback = [\"other\", \"mock\"]\n" TOP WIRED
         "[model_providers.other]\nname = \"o\"\nbase_url = \"http://other:1/v1\"\n");
    assert_int_equal(w->config.target_count, 2);
    assert_str(w->config.targets[1].model.text, "m");
    assert_str(w->config.targets[1].base_url.text, "http://other:1/v1");
    assert_str(find_setting(w, "fallback.1.model_provider")->value, "other");
}

static void one_model_stands_over_all(void **state)
{
    struct world *w = *state;
    w->request.model = STR("x");
    load(w, "0.171.0", "model_fallback = [\"n\"]\nreview_model = \"r\"\n" TOP WIRED);
    assert_int_equal(w->config.target_count, 1);
    assert_str(codex_primary(w)->model.text, "x");
    assert_origin(w, codex_primary(w)->model.origin, "option:--model");
}

static void unknown_keys_get_a_suggestion(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0",
         "modle = \"x\"\nmcpServers = {}\nexperimental_instructions_file = \"x\"\n"
         "base_url = \"x\"\n" TOP WIRED "base_ulr = \"x\"\nmodel = \"x\"\n");
    assert_str(problem_at(w, 1)->suggestion, "model");
    assert_str(problem_at(w, 2)->suggestion, "[mcp_servers.NAME]");
    assert_has(problem_at(w, 3)->message, "it was valid until 0.142.0");
    assert_str(problem_at(w, 3)->suggestion, "model_instructions_file");
    assert_has(problem_at(w, 4)->suggestion, "openai_base_url");
    assert_str(problem_at(w, 12)->suggestion, "base_url");
    assert_has(problem_at(w, 13)->message, "model belongs to the top of the file");
    assert_null(codex_refusal(w));
    load(w, "0.40.0", "openai_base_url = \"x\"\n" TOP WIRED);
    assert_has(problem_at(w, 1)->message, "it was valid only from 0.115.0 on");
    load(w, "0.104.0", "whatever = 1\n" TOP WIRED);
    assert_has(problem_at(w, 1)->message, "and it does not say so");
}

static void many_unknown_keys_leave_room_for_the_error(void **state)
{
    struct world *w = *state;
    struct str text = STR("model = \"m\"\n");
    for (int i = 0; i < 300; i++) {
        text = arena_printf(w->arena, "%.*snobody_knows_%d = 1\n", STR_ARG(text), i);
    }
    text = arena_printf(w->arena, "%.*sreview_model = 5\n", STR_ARG(text));
    load(w, "0.171.0", text.ptr);
    assert_int_equal(codex_refusal(w)->origin.line, 302);
    assert_true(codex_primary(w)->problems.count <= 100);
}

static void free_tables_are_not_judged(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0",
         TOP WIRED "[tui]\nanything = 1\n[mcp_servers.x]\ncommand = \"c\"\n[mcp_servers.x.env]\n"
                   "LOG_LEVEL = \"debug\"\n[features]\nunified_exec = true\n[projects.\"/a.b\"]\n"
                   "trust_level = \"trusted\"\n[agents.x]\ny = 1\n");
    assert_int_equal(codex_primary(w)->problems.count, 0);
}

static void slips_in_free_tables_are_found(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0",
         TOP WIRED "[tui]\nnotificatons = true\n[mcp_servers.x]\ncommand = \"c\"\n"
                   "[mcp_servers.x.env]\napproval_policy = \"never\"\n[features]\n"
                   "new_thing = true\n");
    assert_int_equal(codex_primary(w)->problems.count, 3);
    assert_str(problem_at(w, 9)->suggestion, "notifications");
    assert_has(problem_at(w, 13)->suggestion, "above the first [table]");
    assert_has(problem_at(w, 15)->message, "features.new_thing is not a key");
}

static void unknown_provider_names_the_nearest(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0", "model = \"m\"\nmodel_provider = \"mokc\"\n" WIRED);
    assert_str(codex_refusal(w)->code, "unknown_provider");
    assert_str(codex_refusal(w)->suggestion, "mock");
    assert_true(codex_primary(w)->is_unsendable);
    load(w, "0.171.0", "model = \"m\"\nmodel_provider = \"opnai\"\n" WIRED);
    assert_str(codex_refusal(w)->suggestion, "openai");
}

static void key_without_an_address_goes_to_openai(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0",
         TOP "[model_providers.mock]\nname = \"mock\"\nenv_key = \"MOCK_KEY\"\n"
             "wire_api = \"responses\"\n");
    assert_str(codex_primary(w)->base_url.text, "https://api.openai.com/v1");
    assert_has(problem_at(w, 3)->message, "its key go to https://api.openai.com/v1");
    assert_true(problem_at(w, 3)->is_warning);
    /* Somebody meant another host: what Codex does is told and not done. */
    load(w, "0.171.0",
         TOP "[model_providers.mock]\nname = \"mock\"\nenv_key = \"MOCK_KEY\"\n"
             "wire_api = \"responses\"\nbase_ulr = \"http://127.0.0.1:9/v1\"\n");
    assert_str(codex_primary(w)->base_url.text, "https://api.openai.com/v1");
    assert_false(problem_at(w, 3)->is_warning);
    assert_true(codex_primary(w)->is_unsendable);
}

static void headers_and_query_are_what_codex_sends(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0",
         TOP
         "[model_providers.mock]\nname = \"mock\"\n"
         "base_url = \"https://x.openai.azure.com/openai/\"\nenv_key = \"MOCK_KEY\"\n"
         "wire_api = \"responses\"\nhttp_headers = { \"X-Team\" = \"a b\", \"bad name\" = \"x\" }\n"
         "query_params = { \"api version\" = \"1+2@3\" }\n");
    const struct target *target = codex_primary(w);
    /* Nothing that only the provider's own SDK would add. */
    assert_str(target->query, "api%20version=1+2@3");
    assert_int_equal(target->header_count, 1);
    assert_str(target->headers[0].name, "X-Team");
    assert_str(target->headers[0].value, "a b");
    assert_str(target->auth_header, "Authorization");
    assert_str(target->auth_prefix, "Bearer ");
    assert_str(target->base_url.text, "https://x.openai.azure.com/openai");
    assert_has(problem_at(w, 8)->message, "Codex leaves it out");
}

static void local_providers_are_built_in(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0", "model = \"m\"\nmodel_provider = \"ollama\"\n");
    assert_str(codex_primary(w)->base_url.text, "http://localhost:11434/v1");
    assert_null(codex_refusal(w));
    world_set(w, "CODEX_OSS_PORT=4321");
    codex_load(w, "0.171.0");
    assert_str(codex_primary(w)->base_url.text, "http://localhost:4321/v1");
    assert_origin(w, codex_primary(w)->base_url.origin, "env:CODEX_OSS_PORT");
}

static void unread_address_of_the_environment_is_named(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_BASE_URL=http://127.0.0.1:9/v1");
    load(w, "0.171.0", "model = \"m\"\n");
    const struct problem *problem = find_problem(&codex_primary(w)->problems, "unused_key");
    assert_has(problem->message, "OPENAI_BASE_URL is set, but Codex 0.171.0 does not read it");
    assert_str(problem->suggestion, "openai_base_url = \"...\" in config.toml");
}

static void ignored_table_of_a_built_in_provider_is_named(void **state)
{
    struct world *w = *state;
    load(w, "0.104.0",
         "model = \"m\"\n[model_providers.openai]\nname = \"o\"\nbase_url = "
         "\"http://127.0.0.1:9/v1\"\n");
    assert_str(problem_at(w, 2)->code, "unused_key");
    assert_has(problem_at(w, 2)->message, "has no effect");
    assert_has(problem_at(w, 2)->suggestion, "[model_providers.openai-custom]");
    /* Case counts: this id is nobody's. */
    load(w, "0.171.0",
         "model = \"m\"\nmodel_provider = \"OpenAI\"\n[model_providers.OpenAI]\nname = "
         "\"o\"\nbase_url = \"http://127.0.0.1:9/v1\"\n");
    assert_null(codex_refusal(w));
    assert_str(codex_primary(w)->base_url.text, "http://127.0.0.1:9/v1");
}

static void secret_lines_are_not_shown(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0",
         TOP WIRED "api_key = \"a-secret-of-no-shape\"\n"
                   "http_headers = { \"X-Pass\" = 7, \"Y\" = \"hush-hush\" }\n");
    const struct problems *problems = &codex_primary(w)->problems;
    assert_true(problems->count >= 2);
    for (size_t i = 0; i < problems->count; i++) {
        assert_int_equal(str_find(problems->items[i].line_text, STR("a-secret")), -1);
        assert_int_equal(str_find(problems->items[i].line_text, STR("hush")), -1);
    }
}

static void key_wins_over_an_authorization_header(void **state)
{
    static const char toml[] =
        TOP WIRED "http_headers = { Authorization = \"Bearer other-key\" }\n";
    struct world *w = *state;
    load(w, "0.171.0", toml);
    assert_int_equal(codex_primary(w)->header_count, 0);
    assert_str(codex_primary(w)->key.value, MOCK_KEY);
    assert_has(problem_at(w, 8)->message, "gives way to the key of MOCK_KEY");
    load(w, "0.40.0", toml);
    assert_str(codex_primary(w)->key.value, MOCK_KEY ", Bearer other-key");
    bool is_hidden = false;
    for (size_t i = 0; i < w->config.secret_count; i++) {
        is_hidden = is_hidden || str_eq(w->config.secrets[i].value, STR("other-key"));
    }
    assert_true(is_hidden);
}

static void path_goes_behind_a_query(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0",
         TOP "[model_providers.mock]\nname = \"m\"\nbase_url = \"http://127.0.0.1:9/v1?team=a\"\n"
             "query_params = { b = \"c\" }\n");
    const struct target *target = codex_primary(w);
    assert_str(target->query, "team=a/responses?b=c");
    assert_true(str_is_set(target->path));
    assert_int_equal(target->path.len, 0);
    assert_has(problem_at(w, 5)->message, "goes to the wrong path");
}

static void keys_of_later_versions_are_not_read(void **state)
{
    static const char toml[] =
        TOP "[model_providers.mock]\nname = \"m\"\nbase_url = \"http://127.0.0.1:9/v1/\"\n"
            "experimental_bearer_token = \"tok-in-the-file\"\n";
    struct world *w = *state;
    load(w, "0.104.0", toml);
    assert_str(codex_primary(w)->key.value, "tok-in-the-file");
    load(w, "0.40.0", toml);
    assert_false(str_is_set(codex_primary(w)->key.value));
    assert_has(problem_at(w, 5)->message, "puts another one");
    assert_has(problem_at(w, 6)->message, "it was valid only from 0.80.0 on");
}

static void empty_model_stops_the_newest(void **state)
{
    struct world *w = *state;
    load(w, "0.171.0", "model = \"\"\nmodel_provider = \"mock\"\n" WIRED);
    assert_has(codex_refusal(w)->message, "model is empty");
    load(w, "0.142.0", "model = \"\"\nmodel_provider = \"mock\"\n" WIRED);
    assert_null(codex_refusal(w));
}

static void name_of_a_provider_may_stand_in_another_file(void **state)
{
    struct world *w = *state;
    codex_file(w, "etc/codex/config.toml", "[model_providers.mock]\nname = \"m\"\n");
    load(w, "0.171.0", TOP "[model_providers.mock]\nbase_url = \"http://127.0.0.1:9/v1\"\n");
    assert_null(codex_refusal(w));
    load(w, "0.40.0", TOP "[model_providers.mock]\nbase_url = \"http://127.0.0.1:9/v1\"\n");
    assert_has(codex_refusal(w)->message, "model_providers.mock has no name");
}

#define TARGET_TEST(function) cmocka_unit_test_setup_teardown(function, setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TARGET_TEST(fallback_list_is_the_chain_that_is_wanted),
        TARGET_TEST(fallback_may_name_providers),
        TARGET_TEST(one_model_stands_over_all),
        TARGET_TEST(unknown_keys_get_a_suggestion),
        TARGET_TEST(many_unknown_keys_leave_room_for_the_error),
        TARGET_TEST(free_tables_are_not_judged),
        TARGET_TEST(slips_in_free_tables_are_found),
        TARGET_TEST(unknown_provider_names_the_nearest),
        TARGET_TEST(key_without_an_address_goes_to_openai),
        TARGET_TEST(headers_and_query_are_what_codex_sends),
        TARGET_TEST(local_providers_are_built_in),
        TARGET_TEST(unread_address_of_the_environment_is_named),
        TARGET_TEST(ignored_table_of_a_built_in_provider_is_named),
        TARGET_TEST(secret_lines_are_not_shown),
        TARGET_TEST(key_wins_over_an_authorization_header),
        TARGET_TEST(path_goes_behind_a_query),
        TARGET_TEST(keys_of_later_versions_are_not_read),
        TARGET_TEST(empty_model_stops_the_newest),
        TARGET_TEST(name_of_a_provider_may_stand_in_another_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
