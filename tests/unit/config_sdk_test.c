/* Variables of the vendors' SDKs. */
#include "config_world.h"

#define AZURE "AZURE_OPENAI_ENDPOINT=https://res.openai.azure.com/"
#define AZURE_KEY "4kq9wzT7bVn2Lx8Rj5Hd6Fs3Gp1Yc0Ma"

static const struct target *only_target(struct world *w)
{
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 1);
    assert_int_equal(w->config.targets[0].role, ROLE_PRIMARY);
    return &w->config.targets[0];
}

static void openai_key_alone(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    world_set(w, "OPENAI_ORG_ID=org-1");
    world_set(w, "OPENAI_PROJECT_ID=proj-1");
    const struct target *t = only_target(w);
    assert_str(t->client, "openai-sdk");
    assert_str(t->provider, "openai");
    assert_str(t->wire, "responses");
    assert_str(t->base_url.text, "https://api.openai.com/v1");
    assert_int_equal(t->base_url.origin.kind, ORIGIN_DEFAULT);
    const struct provider *openai = rules_provider(w->rules, STR("openai"));
    assert_str(t->model.text, openai->cheap_model.ptr);
    assert_int_equal(t->model.origin.kind, ORIGIN_DEFAULT);
    assert_has(t->model.origin.name, openai->cheap_model_source.ptr);
    assert_origin(w, t->key_origin, "env:OPENAI_API_KEY");
    assert_str(t->headers[0].name, "OpenAI-Organization");
    assert_str(t->headers[1].value, "proj-1");
    assert_int_equal(t->problems.count, 0);
    assert_false(t->is_unsendable);
    assert_str(find_setting(w, "key")->origin, "env:OPENAI_API_KEY");
    assert_str(find_setting(w, "model")->client, "openai-sdk");
}

static void option_model_shadows_the_cheap_one(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    w->request.model = STR("gpt-x");
    const struct target *t = only_target(w);
    assert_str(t->name, "gpt-x at api.openai.com");
    assert_origin(w, t->model.origin, "option:--model");
    assert_non_null(t->model.shadowed);
    assert_str(find_setting(w, "model")->layer, "option");
    assert_int_equal(find_setting(w, "model")->shadow_count, 1);
}

static void openai_url_to_another_vendor(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_BASE_URL=https://api.deepseek.com/v1");
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    const struct target *t = only_target(w);
    assert_str(t->provider, "deepseek");
    assert_str(t->wire, "chat");
    assert_str(t->model.text, "deepseek-chat");
    assert_origin(w, t->base_url.origin, "env:OPENAI_BASE_URL");
    assert_str(t->auth_header, "Authorization");
}

static void openai_url_of_a_gateway(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_BASE_URL=http://127.0.0.1:4000/v1");
    world_set(w, "OPENAI_API_KEY=team-7");
    const struct target *t = only_target(w);
    assert_str(t->provider, "openai");
    assert_str(t->wire, "responses");
    assert_int_equal(t->problems.count, 0);
}

static void url_without_key_misses_the_key(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_BASE_URL=http://127.0.0.1:4000/v1");
    world_set(w, "OPENAI_KEY=" GOOD_KEY);
    const struct target *t = only_target(w);
    const struct problem *p = find_problem(&t->problems, "key_missing");
    assert_non_null(p);
    assert_true(t->is_unsendable);
    assert_str(p->suggestion, "OPENAI_KEY");
    assert_origin(w, p->origin, "env:OPENAI_API_KEY");
    assert_str(t->key_name, "OPENAI_API_KEY");
}

static void empty_variables_are_problems(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_API_KEY=");
    world_set(w, "OPENAI_BASE_URL=");
    const struct target *t = only_target(w);
    assert_true(t->is_unsendable);
    assert_non_null(find_problem(&t->problems, "key_empty"));
    const struct problem *p = find_problem(&t->problems, "bad_value");
    assert_true(p->is_warning);
    assert_has(p->message, "OPENAI_BASE_URL");
    assert_str(t->base_url.text, "https://api.openai.com/v1");
}

static void variables_of_headers_alone_make_no_target(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_ORG_ID=org-1");
    world_set(w, "ANTHROPIC_MODEL=m");
    world_set(w, "OPENAI_API_VERSION=1");
    world_set(w, "OPENAI_BASE_URL=");
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 0);
}

static void nearly_right_variable_is_hinted_at(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_KEY=" GOOD_KEY);
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 0);
    assert_int_equal(w->config.problems.count, 1);
    assert_str(w->config.problems.items[0].code, "key_missing");
    assert_true(w->config.problems.items[0].is_warning);
    assert_has(w->config.problems.items[0].message, "OPENAI_KEY is set");
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\n");
    assert_int_equal(w->config.problems.count, 0);
}

static void line_end_in_a_header_is_not_sent(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    world_set(w, "OPENAI_ORG_ID=org\r\nX: y");
    const struct target *t = only_target(w);
    assert_true(t->is_unsendable);
    assert_int_equal(t->header_count, 0);
    assert_has(find_problem(&t->problems, "bad_value")->message, "OPENAI_ORG_ID");
}

static void custom_headers_are_sent(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    world_set(w, "OPENAI_CUSTOM_HEADERS=X-Team: a\nno header\n x-gateway-key :  hush-hush-1 \n");
    const struct target *t = only_target(w);
    assert_int_equal(t->problems.count, 0);
    assert_int_equal(t->header_count, 2);
    assert_str(t->headers[0].name, "X-Team");
    assert_str(t->headers[0].value, "a");
    assert_str(t->headers[1].name, "x-gateway-key");
    assert_str(t->headers[1].value, "hush-hush-1");
    assert_str(find_setting(w, "headers.x-gateway-key")->value, "[masked]");
    assert_str(find_setting(w, "headers.X-Team")->origin, "env:OPENAI_CUSTOM_HEADERS");
    bool is_known = false;
    for (size_t i = 0; i < w->config.secret_count; i++) {
        is_known = is_known || str_eq(w->config.secrets[i].value, STR("hush-hush-1"));
    }
    assert_true(is_known);
}

static void custom_headers_that_are_none_are_refused(void **state)
{
    struct world *w = *state;
    world_set(w, "ANTHROPIC_API_KEY=" GOOD_ANTHROPIC_KEY);
    world_set(w, "ANTHROPIC_CUSTOM_HEADERS=x team: hush-hush-1");
    const struct target *t = only_target(w);
    assert_true(t->is_unsendable);
    assert_has(find_problem(&t->problems, "bad_value")->message, "ANTHROPIC_CUSTOM_HEADERS");
    assert_int_equal(str_find(t->problems.items[0].message, STR("hush")), -1);
}

static void anthropic_key(void **state)
{
    struct world *w = *state;
    world_set(w, "ANTHROPIC_API_KEY=" GOOD_ANTHROPIC_KEY);
    world_set(w, "ANTHROPIC_BASE_URL=https://api.anthropic.com/v1");
    world_set(w, "ANTHROPIC_MODEL=claude-x");
    const struct target *t = only_target(w);
    assert_str(t->client, "anthropic-sdk");
    assert_str(t->wire, "messages");
    assert_str(t->auth_header, "x-api-key");
    assert_str(t->auth_prefix, "");
    assert_str(t->headers[0].name, "anthropic-version");
    assert_str(t->model.text, "claude-x");
    assert_origin(w, t->model.origin, "env:ANTHROPIC_MODEL");
    assert_int_equal(t->problems.count, 1);
    assert_str(t->problems.items[0].suggestion, "https://api.anthropic.com");
    assert_has(t->problems.items[0].message, "ANTHROPIC_BASE_URL");
}

static void anthropic_token_is_a_bearer(void **state)
{
    struct world *w = *state;
    world_set(w, "ANTHROPIC_AUTH_TOKEN=" GOOD_ANTHROPIC_KEY);
    const struct target *t = only_target(w);
    assert_str(t->auth_header, "Authorization");
    assert_str(t->auth_prefix, "Bearer ");
    assert_str(t->key_name, "ANTHROPIC_AUTH_TOKEN");
    assert_str(t->key.value, GOOD_ANTHROPIC_KEY);
}

static void anthropic_sends_key_and_token(void **state)
{
    struct world *w = *state;
    world_set(w, "ANTHROPIC_AUTH_TOKEN=token-of-the-gateway");
    world_set(w, "ANTHROPIC_API_KEY=" GOOD_ANTHROPIC_KEY);
    const struct target *t = only_target(w);
    assert_str(t->auth_header, "x-api-key");
    assert_str(t->headers[1].name, "Authorization");
    assert_str(t->headers[1].value, "Bearer token-of-the-gateway");
    bool is_known = false;
    for (size_t i = 0; i < w->config.secret_count; i++) {
        is_known = is_known || str_eq(w->config.secrets[i].value, STR("token-of-the-gateway"));
    }
    assert_true(is_known);
    assert_int_equal(find_setting(w, "key")->shadow_count, 1);
    assert_has(find_setting(w, "key")->shadows[0], "env:ANTHROPIC_AUTH_TOKEN");
    assert_int_equal(str_find(find_setting(w, "key")->shadows[0], STR("gateway")), -1);
}

static void azure_without_model_is_skipped(void **state)
{
    struct world *w = *state;
    world_set(w, AZURE);
    world_set(w, "AZURE_OPENAI_API_KEY=" AZURE_KEY);
    const struct target *t = only_target(w);
    assert_has(t->skip_reason, "--model DEPLOYMENT");
    assert_false(t->is_unsendable);
    assert_int_equal(t->problems.count, 0);
    assert_false(str_is_set(t->model.text));
}

static void azure_puts_the_deployment_into_the_path(void **state)
{
    struct world *w = *state;
    world_set(w, AZURE);
    world_set(w, "AZURE_OPENAI_API_KEY=" AZURE_KEY);
    w->request.model = STR("my chat");
    const struct target *t = only_target(w);
    assert_false(str_is_set(t->skip_reason));
    assert_int_equal(t->problems.count, 0);
    assert_str(t->base_url.text, "https://res.openai.azure.com/openai/deployments/my%20chat");
    assert_origin(w, t->base_url.origin, "env:AZURE_OPENAI_ENDPOINT");
    assert_str(t->wire, "chat");
    assert_str(t->auth_header, "api-key");
    const struct provider *azure = rules_provider(w->rules, STR("azure-openai"));
    assert_str(t->query, azure->query.ptr);
    assert_str(find_setting(w, "query")->layer, "default");
}

static void azure_version_and_token(void **state)
{
    struct world *w = *state;
    world_set(w, AZURE);
    world_set(w, "AZURE_OPENAI_API_KEY=" AZURE_KEY);
    world_set(w, "AZURE_OPENAI_AD_TOKEN=eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.e30.c2ln");
    world_set(w, "OPENAI_API_VERSION=2025-04-01-preview");
    w->request.model = STR("d");
    const struct target *t = only_target(w);
    assert_str(t->query, "api-version=2025-04-01-preview");
    assert_str(find_setting(w, "query")->origin, "env:OPENAI_API_VERSION");
    assert_str(t->auth_header, "Authorization");
    assert_str(t->auth_prefix, "Bearer ");
    assert_str(t->key_name, "AZURE_OPENAI_AD_TOKEN");
}

static void azure_endpoint_with_a_path_is_a_slip(void **state)
{
    struct world *w = *state;
    world_set(w, "AZURE_OPENAI_ENDPOINT=https://res.openai.azure.com/openai/deployments/d");
    world_set(w, "AZURE_OPENAI_API_KEY=" AZURE_KEY);
    w->request.model = STR("d");
    const struct target *t = only_target(w);
    assert_int_equal(t->problems.count, 1);
    assert_str(t->problems.items[0].suggestion, "https://res.openai.azure.com");
    assert_true(t->problems.items[0].is_warning);
}

static void azure_key_without_endpoint(void **state)
{
    struct world *w = *state;
    world_set(w, "AZURE_OPENAI_API_KEY=" AZURE_KEY);
    w->request.model = STR("d");
    const struct target *t = only_target(w);
    assert_true(t->is_unsendable);
    assert_has(find_problem(&t->problems, "bad_value")->message,
               "AZURE_OPENAI_ENDPOINT is not given");
}

static void clients_come_in_order_and_one_can_be_chosen(void **state)
{
    struct world *w = *state;
    world_set(w, "AZURE_OPENAI_API_KEY=" AZURE_KEY);
    world_set(w, "ANTHROPIC_API_KEY=" GOOD_ANTHROPIC_KEY);
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\n");
    assert_int_equal(w->config.target_count, 4);
    /* Codex stands second, and is not configured here. */
    for (size_t i = 0; i < 4; i++) {
        assert_str(w->config.targets[i].client, config_client_at(i ? i + 1 : 0).ptr);
    }
    w->request.client = STR("anthropic-sdk");
    assert_str(only_target(w)->client, "anthropic-sdk");
    assert_int_equal(w->config.file_count, 0);
}

static void proxy_option_reaches_targets(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    w->request.proxy = STR("http://127.0.0.1:1");
    const struct target *t = only_target(w);
    assert_str(t->proxy.text, "http://127.0.0.1:1");
    assert_origin(w, t->proxy.origin, "option:--proxy");
}

static void environment_keys_are_secret_without_any_target(void **state)
{
    struct world *w = *state;
    world_set(w, "GROQ_API_KEY=\"team 7\"");
    world_set(w, "MISTRAL_API_KEY=lm-studio");
    world_set(w, "OTHER_API_KEY=" GOOD_KEY);
    config_add_environment_secrets(w->arena, &w->env, w->rules, &w->config);
    assert_int_equal(w->config.secret_count, 2);
    assert_str(w->config.secrets[0].value, "\"team 7\"");
    assert_str(w->config.secrets[1].value, "team 7"); /* as a server may repeat it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(openai_key_alone),
        WORLD_TEST(option_model_shadows_the_cheap_one),
        WORLD_TEST(openai_url_to_another_vendor),
        WORLD_TEST(openai_url_of_a_gateway),
        WORLD_TEST(url_without_key_misses_the_key),
        WORLD_TEST(empty_variables_are_problems),
        WORLD_TEST(variables_of_headers_alone_make_no_target),
        WORLD_TEST(nearly_right_variable_is_hinted_at),
        WORLD_TEST(line_end_in_a_header_is_not_sent),
        WORLD_TEST(custom_headers_are_sent),
        WORLD_TEST(custom_headers_that_are_none_are_refused),
        WORLD_TEST(anthropic_key),
        WORLD_TEST(anthropic_token_is_a_bearer),
        WORLD_TEST(anthropic_sends_key_and_token),
        WORLD_TEST(azure_without_model_is_skipped),
        WORLD_TEST(azure_puts_the_deployment_into_the_path),
        WORLD_TEST(azure_version_and_token),
        WORLD_TEST(azure_endpoint_with_a_path_is_a_slip),
        WORLD_TEST(azure_key_without_endpoint),
        WORLD_TEST(clients_come_in_order_and_one_can_be_chosen),
        WORLD_TEST(proxy_option_reaches_targets),
        WORLD_TEST(environment_keys_are_secret_without_any_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
