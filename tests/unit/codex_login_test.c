/* What Codex signs its requests with, and what it leaves out. Tokens here are made up. */
#include "codex_world.h"

#define CONFIG ".codex/config.toml"
#define CUSTOM                                                                                     \
    "model = \"m\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\n"          \
    "base_url = \"http://127.0.0.1:9/v1\"\nwire_api = \"responses\"\n"
#define AUTH_KEY "{\"auth_mode\":\"apikey\",\n \"OPENAI_API_KEY\":\"" GOOD_KEY "\"}"

/* A token with these claims. */
static struct str token(struct world *w, const char *claims)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    struct str text = {NULL, 0};
    unsigned bits = 0, have = 0;
    text = arena_printf(w->arena, "eyJhbGciOiJub25lIn0.");
    for (const char *c = claims; *c; c++) {
        bits = bits << 8 | (unsigned char)*c;
        for (have += 8; have >= 6; have -= 6) {
            text = arena_printf(w->arena, "%.*s%c", STR_ARG(text), digits[bits >> (have - 6) & 63]);
        }
    }
    if (have) {
        text = arena_printf(w->arena, "%.*s%c", STR_ARG(text), digits[bits << (6 - have) & 63]);
    }
    return arena_printf(w->arena, "%.*s.c2lnbmF0dXJl", STR_ARG(text));
}

static void log_in_by_chatgpt(struct world *w, long long expires_s, const char *refresh_token)
{
    struct str claims = arena_printf(w->arena, "{\"exp\":%lld}", expires_s);
    struct str id =
        token(w, "{\"https://api.openai.com/auth\":{\"chatgpt_account_id\":\"acc-from-id\"}}");
    struct str text = arena_printf(
        w->arena,
        "{\"OPENAI_API_KEY\":null,\"tokens\":{\"id_token\":\"%.*s\",\"access_token\":\"%.*s\","
        "\"refresh_token\":\"%s\"},\"last_refresh\":\"2026-11-28T00:00:00Z\"}",
        STR_ARG(id), STR_ARG(token(w, arena_cstr(w->arena, claims))), refresh_token);
    codex_file(w, ".codex/auth.json", text.ptr);
}

static struct str header_value(const struct target *target, const char *name)
{
    for (size_t i = 0; i < target->header_count; i++) {
        if (str_ieq(target->headers[i].name, str_from(name))) {
            return target->headers[i].value;
        }
    }
    return (struct str){NULL, 0};
}

static void key_of_auth_json_goes_to_openai(void **state)
{
    struct world *w = *state;
    codex_file(w, ".codex/auth.json", AUTH_KEY);
    w->request.client = (struct str){NULL, 0};
    codex_load(w, "0.171.0");
    const struct target *target = codex_primary(w);
    assert_str(target->key.value, GOOD_KEY);
    assert_origin(w, target->key_origin, "~/.codex/auth.json:2:19");
    assert_str(target->base_url.text, "https://api.openai.com/v1");
    assert_str(target->provider, "openai");
    assert_false(target->is_uncapped);
    assert_str(find_setting(w, "key_source")->value, "~/.codex/auth.json");
    assert_str(find_setting(w, "key")->layer, "login");
}

static void key_of_the_environment_hides_auth_json(void **state)
{
    struct world *w = *state;
    codex_file(w, ".codex/auth.json", AUTH_KEY);
    world_set(w, "CODEX_API_KEY=" GOOD_KEY "2");
    codex_load(w, "0.171.0");
    assert_str(codex_primary(w)->key.value, GOOD_KEY "2");
    assert_int_equal(find_setting(w, "key")->shadow_count, 1);
    codex_load(w, "0.40.0");
    assert_str(codex_primary(w)->key.value, GOOD_KEY);
}

static void chatgpt_login_has_its_own_address(void **state)
{
    struct world *w = *state;
    log_in_by_chatgpt(w, NOW_S + 3600, "rt-1234567890");
    codex_load(w, "0.171.0");
    const struct target *target = codex_primary(w);
    assert_str(target->base_url.text, "https://chatgpt.com/backend-api/codex");
    assert_true(target->is_uncapped);
    assert_str(header_value(target, "chatgpt-account-id"), "acc-from-id");
    assert_null(codex_refusal(w));
    assert_false(str_is_set(target->skip_reason));
    assert_str(find_setting(w, "key_source")->value, "ChatGPT login");
    codex_file(w, CONFIG, "openai_base_url = \"http://127.0.0.1:9/x/\"\n");
    codex_load(w, "0.171.0");
    assert_str(codex_primary(w)->base_url.text, "http://127.0.0.1:9/x");
    assert_true(codex_primary(w)->is_uncapped);
}

static void a_moment_of_expiry_may_be_any_number(void **state)
{
    struct world *w = *state;
    static const struct {
        long long expires_s;
        bool is_expired;
    } cases[] = {{INT64_MAX, false}, {INT64_MAX / 1000 + 1, false}, {0, true}, {INT64_MIN, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        log_in_by_chatgpt(w, cases[i].expires_s, "r");
        codex_load(w, "0.171.0");
        const struct problem *problem = find_problem(&codex_primary(w)->problems, "token_expired");
        assert_int_equal(problem != NULL, cases[i].is_expired);
    }
}

static void expired_token_is_not_judged_where_codex_would_renew_it(void **state)
{
    struct world *w = *state;
    log_in_by_chatgpt(w, NOW_S - 3 * 86400, "rt-1234567890");
    codex_load(w, "0.171.0");
    const struct problem *problem = find_problem(&codex_primary(w)->problems, "token_expired");
    assert_true(problem->is_warning);
    assert_has(problem->message, "expired 3 days ago; Codex renews it");
    assert_has(codex_primary(w)->skip_reason, "diagnose never does");
    log_in_by_chatgpt(w, NOW_S - 7200, "");
    codex_load(w, "0.171.0");
    problem = find_problem(&codex_primary(w)->problems, "token_expired");
    assert_false(problem->is_warning);
    assert_has(problem->message, "expired 2 hours ago, and there is no refresh token");
    assert_true(codex_primary(w)->is_unsendable);
}

static void keyring_is_not_readable_and_no_missing_key(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, "cli_auth_credentials_store = \"keyring\"\n");
    codex_load(w, "0.171.0");
    assert_int_equal(codex_primary(w)->problems.count, 0);
    assert_has(codex_primary(w)->skip_reason, "not readable from here");
    assert_str(find_setting(w, "key_source")->value, "not readable");
}

static void no_login_says_what_to_do(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, "model = \"m\"\n");
    codex_load(w, "0.171.0");
    assert_str(codex_refusal(w)->code, "key_missing");
    assert_str(codex_refusal(w)->suggestion, "codex login");
    codex_file(w, ".codex/auth.json", "{\"api_key\":\"x\"}");
    codex_load(w, "0.171.0");
    assert_has(codex_refusal(w)->message, "holds no credential");
}

static void an_unread_key_without_login_is_told_once(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, "model = \"m\"\n");
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    w->request.wants_remarks = true;
    codex_load(w, "0.171.0");
    assert_has(codex_refusal(w)->message, "OPENAI_API_KEY is set, but Codex 0.171.0 does not");
    assert_str(codex_refusal(w)->suggestion,
               "printenv OPENAI_API_KEY | codex login --with-api-key");
    assert_int_equal(codex_refusal(w)->suggestion_kind, SUGGESTION_COMMAND);
    assert_int_equal(codex_primary(w)->problems.count, 1);
}

static void broken_auth_json_differs_by_version(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, CUSTOM);
    codex_file(w, ".codex/auth.json", "{\"OPENAI_API_KEY\":\"" GOOD_KEY "\",}");
    codex_load(w, "0.171.0");
    assert_null(codex_refusal(w));
    assert_true(find_problem(&w->config.problems, "syntax")->is_warning);
    assert_false(str_is_set(codex_primary(w)->key.value));
    codex_load(w, "0.104.0");
    assert_has(codex_refusal(w)->message, "does not start: it cannot read ~/.codex/auth.json");
}

static void login_went_to_any_provider_once(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, CUSTOM);
    codex_file(w, ".codex/auth.json", AUTH_KEY);
    codex_load(w, "0.40.0");
    assert_str(codex_primary(w)->key.value, GOOD_KEY);
    codex_load(w, "0.142.0");
    assert_str(codex_primary(w)->key.value, GOOD_KEY);
    codex_load(w, "0.171.0");
    assert_false(str_is_set(codex_primary(w)->key.value));
    assert_null(codex_refusal(w));
    const struct problem *problem = find_problem(&codex_primary(w)->problems, "unused_key");
    assert_str(problem->suggestion, "requires_openai_auth = true");
    assert_str(find_setting(w, "key_source")->value, "none");
    codex_file(w, CONFIG, CUSTOM "requires_openai_auth = true\n");
    codex_load(w, "0.171.0");
    assert_str(codex_primary(w)->key.value, GOOD_KEY);
    assert_str(codex_primary(w)->base_url.text, "http://127.0.0.1:9/v1");
}

static void env_key_wins_over_a_token_in_the_file(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG,
               CUSTOM "env_key = \"MOCK_KEY\"\nexperimental_bearer_token = \"tok-in-the-file\"\n");
    codex_load(w, "0.171.0");
    assert_str(codex_refusal(w)->code, "key_missing");
    assert_origin(w, codex_refusal(w)->origin, "~/.codex/config.toml:7:11");
    world_set(w, "MOCK_KEY=" MOCK_KEY);
    codex_load(w, "0.171.0");
    assert_str(codex_primary(w)->key.value, MOCK_KEY);
    codex_file(w, CONFIG, CUSTOM "experimental_bearer_token = \"tok-in-the-file\"\n");
    codex_load(w, "0.171.0");
    assert_str(codex_primary(w)->key.value, "tok-in-the-file");
    assert_origin(w, codex_primary(w)->key_origin, "~/.codex/config.toml:7:29");
}

static void empty_and_blank_variables_are_missing(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, CUSTOM "env_key = \"MOCK_KEY\"\n");
    world_set(w, "MOCK_KEY=");
    codex_load(w, "0.171.0");
    assert_str(codex_refusal(w)->code, "key_empty");
    codex_file(w, ".codex/.env", "MOCK_KEY='   '\n");
    codex_load(w, "0.171.0");
    assert_str(codex_refusal(w)->code, "key_empty");
}

static void line_end_behind_a_key_is_not_sent(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, CUSTOM "env_key = \"MOCK_KEY\"\n");
    world_set(w, "MOCK_KEY=" MOCK_KEY "\n");
    codex_load(w, "0.171.0");
    assert_str(codex_refusal(w)->code, "key_newline");
    assert_null(find_setting(w, "key"));
    assert_has(find_setting(w, "key_source")->value, "none: ");
}

static void key_pasted_into_env_key_is_never_shown(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, CUSTOM "env_key = \"sk-or-v1-0123456789abcdef0123456789abcdef\"\n");
    codex_load(w, "0.171.0");
    const struct problem *refusal = codex_refusal(w);
    assert_str(refusal->code, "bad_value");
    assert_int_equal(refusal->origin.line, 7);
    assert_int_equal(str_find(refusal->message, STR("0123456789")), -1);
    assert_int_equal(str_find(refusal->line_text, STR("0123456789")), -1);
    for (size_t i = 0; i < w->config.setting_count; i++) {
        assert_int_equal(str_find(w->config.settings[i].value, STR("0123456789")), -1);
    }
}

static void dotenv_beats_the_shell(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG,
               CUSTOM "env_key = \"MOCK_KEY\"\nenv_http_headers = { \"x-a\" = \"XA\", "
                      "\"x-b\" = \"XB\", \"x-c\" = \"XC\" }\n");
    codex_file(w, ".codex/.env",
               "export MOCK_KEY=\"" MOCK_KEY "\"\nCODEX_API_KEY=x\nXA='from file'\nXC=\n"
               "HTTP_PROXY=http://proxy:1\n");
    world_set(w, "MOCK_KEY=other");
    world_set(w, "XC=");
    codex_load(w, "0.171.0");
    const struct target *target = codex_primary(w);
    assert_str(target->key.value, MOCK_KEY);
    assert_origin(w, target->key_origin, "~/.codex/.env:1:17");
    assert_str(find_setting(w, "key")->layer, "env file");
    assert_int_equal(find_setting(w, "key")->shadow_count, 1);
    assert_str(header_value(target, "x-a"), "from file");
    assert_int_equal(target->header_count, 1);
    assert_str(target->proxy.text, "http://proxy:1");
    assert_has(find_problem(&w->config.problems, "unused_key")->message,
               "CODEX_API_KEY is not taken from this file");
    world_set(w, "NO_PROXY=localhost,127.0.0.1");
    codex_load(w, "0.171.0");
    assert_true(str_is_set(codex_primary(w)->proxy.text));
    assert_int_equal(codex_primary(w)->proxy.text.len, 0);
}

static void ways_of_signing_out_of_reach_are_skipped(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, CUSTOM "[model_providers.mock.auth]\ncommand = \"get-token\"\n");
    codex_load(w, "0.171.0");
    assert_has(codex_primary(w)->skip_reason, "what a command prints");
    assert_null(codex_refusal(w));
    codex_file(w, CONFIG, "model_provider = \"amazon-bedrock\"\nmodel = \"m\"\n");
    codex_load(w, "0.171.0");
    assert_has(codex_primary(w)->skip_reason, "AWS credentials");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CODEX_TEST(key_of_auth_json_goes_to_openai),
        CODEX_TEST(key_of_the_environment_hides_auth_json),
        CODEX_TEST(chatgpt_login_has_its_own_address),
        CODEX_TEST(a_moment_of_expiry_may_be_any_number),
        CODEX_TEST(expired_token_is_not_judged_where_codex_would_renew_it),
        CODEX_TEST(keyring_is_not_readable_and_no_missing_key),
        CODEX_TEST(no_login_says_what_to_do),
        CODEX_TEST(an_unread_key_without_login_is_told_once),
        CODEX_TEST(broken_auth_json_differs_by_version),
        CODEX_TEST(login_went_to_any_provider_once),
        CODEX_TEST(env_key_wins_over_a_token_in_the_file),
        CODEX_TEST(empty_and_blank_variables_are_missing),
        CODEX_TEST(line_end_behind_a_key_is_not_sent),
        CODEX_TEST(key_pasted_into_env_key_is_never_shown),
        CODEX_TEST(dotenv_beats_the_shell),
        CODEX_TEST(ways_of_signing_out_of_reach_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
