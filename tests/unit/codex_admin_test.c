/* What administrators and the files demand of Codex: requirements.toml, the kind of login, tokens
 * that only Codex can use. */
#include "codex_world.h"

#define CONFIG ".codex/config.toml"
#define REQUIREMENTS "etc/codex/requirements.toml"
#define AUTH_KEY "{\"OPENAI_API_KEY\":\"" GOOD_KEY "\"}"
#define OTHER_KEY "sk-proj-9Rj5Hd6Fs3Gp1Yc0Ma4kq9wzT7bVn2Lx8"
/* The claims are {"https://api.openai.com/auth":{"chatgpt_account_id":"acc-1",
 * "chatgpt_plan_type":"enterprise"}}. */
#define IDENTITY                                                                                   \
    "eyJhbGciOiJub25lIn0.eyJodHRwczovL2FwaS5vcGVuYWkuY29tL2F1dGgiOnsiY2hhdGdwdF9hY2NvdW50X2lkIjoi" \
    "YWNjLTEiLCJjaGF0Z3B0X3BsYW5fdHlwZSI6ImVudGVycHJpc2UifX0.c2ln"
#define AUTH_CHATGPT                                                                               \
    "{\"tokens\":{\"id_token\":\"" IDENTITY "\",\"access_token\":\"" IDENTITY "\"}}"

/* Takes all variables but HOME away. */
static void forget(struct world *w)
{
    while (w->variable_count > 1) {
        free(w->variables[--w->variable_count]);
        w->variables[w->variable_count] = NULL;
    }
}

static void requirements_that_cannot_be_read_stop_codex(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"allowed_sandbox_modes = [\n", "not closed"},
        {"allowed_sandbox_modes = 'read-only'\n", "expected an array of strings"},
        {"allowed_sandbox_modes = ['read-only', 'nope']\n", "\"nope\" is no value"},
        {"enforce_residency = 'mars'\n", "expected"},
    };
    codex_file(w, CONFIG, "model = \"m\"\nmodel_provider = \"mock\"\n" PROVIDER);
    world_set(w, "MOCK_KEY=" MOCK_KEY);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        codex_file(w, REQUIREMENTS, rows[i].text);
        codex_load(w, "0.171.0");
        assert_non_null(codex_refusal(w));
        assert_has(codex_refusal(w)->message, rows[i].message);
        assert_has(codex_refusal(w)->origin.name, "requirements.toml");
        assert_true(codex_primary(w)->is_unsendable);
        codex_load(w, "0.40.0");
        assert_null(codex_refusal(w));
    }
}

static void requirements_are_no_settings(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, "model = \"m\"\nmodel_provider = \"mock\"\n" PROVIDER);
    codex_file(w, REQUIREMENTS,
               "model = 'm-admin'\nallowed_sandbox_modes = ['read-only']\nsomething_new = 1\n");
    world_set(w, "MOCK_KEY=" MOCK_KEY);
    codex_load(w, "0.171.0");
    assert_null(codex_refusal(w));
    assert_str(codex_primary(w)->model.text, "m");
    assert_int_equal(codex_primary(w)->problems.count, 1);
    assert_has(codex_primary(w)->problems.items[0].suggestion, "managed_config.toml");
}

static void the_kind_of_login_may_be_demanded(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *demand, *auth, *variable, *refusal;
    } rows[] = {
        {"forced_login_method = 'chatgpt'\n", AUTH_KEY, NULL, "an API key in ~/.codex/auth.json"},
        {"forced_login_method = 'chatgpt'\n", "{}", "CODEX_API_KEY=" GOOD_KEY, "in CODEX_API_KEY"},
        {"forced_login_method = 'chatgpt'\n", "{}", NULL, NULL},
        {"forced_login_method = 'chatgpt'\n", AUTH_CHATGPT, NULL, NULL},
        {"forced_login_method = 'api'\n", AUTH_CHATGPT, NULL, "a ChatGPT login in"},
        {"forced_login_method = 'api'\n", AUTH_KEY, NULL, NULL},
        {"forced_chatgpt_workspace_id = 'acc-2'\n", AUTH_CHATGPT, NULL, "\"acc-1\", the workspace"},
        {"forced_chatgpt_workspace_id = ['acc-2', 'acc-1']\n", AUTH_CHATGPT, NULL, NULL},
        {"forced_chatgpt_workspace_id = ['acc-2']\n", AUTH_CHATGPT, NULL, "does not name"},
        {"forced_chatgpt_workspace_id = 'acc-2'\n", AUTH_KEY, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str text = arena_printf(w->arena, "%smodel = \"m\"\nmodel_provider = \"mock\"\n%s",
                                       rows[i].demand, PROVIDER);
        codex_file(w, CONFIG, text.ptr);
        codex_file(w, ".codex/auth.json", rows[i].auth);
        forget(w);
        world_set(w, "MOCK_KEY=" MOCK_KEY);
        if (rows[i].variable) {
            world_set(w, rows[i].variable);
        }
        codex_load(w, "0.171.0");
        const struct problem *refusal = codex_refusal(w);
        if (!rows[i].refusal) {
            assert_null(refusal);
            continue;
        }
        assert_non_null(refusal);
        assert_str(refusal->code, "login_refused");
        assert_has(refusal->message, rows[i].refusal);
        assert_true(codex_primary(w)->is_unsendable);
        codex_load(w, "0.40.0");
        assert_null(codex_refusal(w));
    }
}

static void tokens_that_codex_trades_are_named_and_not_sent(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, "model = \"m\"\n");
    codex_file(w, ".codex/auth.json", AUTH_KEY);
    world_set(w, "CODEX_ACCESS_TOKEN=at-made-up-0123456789");
    codex_load(w, "0.171.0");
    assert_has(codex_primary(w)->skip_reason, "CODEX_ACCESS_TOKEN stands over the stored login");
    assert_false(str_is_set(codex_primary(w)->key.value));
    codex_load(w, "0.104.0");
    assert_str(codex_primary(w)->key.value, GOOD_KEY);
    world_set(w, "CODEX_API_KEY=" OTHER_KEY);
    codex_load(w, "0.171.0");
    assert_str(codex_primary(w)->key.value, OTHER_KEY);
    forget(w);
    codex_file(w, ".codex/auth.json", "{\"personal_access_token\":\"at-made-up-0123456789\"}");
    codex_load(w, "0.171.0");
    assert_has(codex_primary(w)->skip_reason, "trades for the credential");
    codex_load(w, "0.104.0");
    assert_has(codex_refusal(w)->message, "holds no credential");
}

static void settings_of_the_cloud_are_named(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, "model = \"m\"\n");
    codex_file(w, ".codex/auth.json", AUTH_CHATGPT);
    codex_load(w, "0.171.0");
    bool is_named = false;
    for (size_t i = 0; i < w->config.file_count; i++) {
        const struct config_file *file = &w->config.files[i];
        is_named = is_named || (str_eq(file->path, STR("cloud-managed settings")) &&
                                file->status == CONFIG_IGNORED &&
                                str_find(file->reason, STR("\"enterprise\"")) >= 0);
    }
    assert_true(is_named);
}

static void logins_in_memory_do_not_count(void **state)
{
    struct world *w = *state;
    codex_file(w, CONFIG, "model = \"m\"\ncli_auth_credentials_store = \"ephemeral\"\n");
    codex_file(w, ".codex/auth.json", AUTH_KEY);
    codex_load(w, "0.171.0");
    assert_has(codex_refusal(w)->message, "\"ephemeral\"");
    codex_load(w, "0.40.0");
    assert_str(codex_primary(w)->key.value, GOOD_KEY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CODEX_TEST(requirements_that_cannot_be_read_stop_codex),
        CODEX_TEST(requirements_are_no_settings),
        CODEX_TEST(the_kind_of_login_may_be_demanded),
        CODEX_TEST(tokens_that_codex_trades_are_named_and_not_sent),
        CODEX_TEST(settings_of_the_cloud_are_named),
        CODEX_TEST(logins_in_memory_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
