/* Checks of keys: what is found, what cannot be sent, and that no message holds a key. */
#include "config_world.h"

#include "base/shape.h"
#include "config/key.h"
#include "config/suggest.h"

/* Everything that a key's problems say. */
static void assert_says_nothing_of(const struct problems *problems, struct str key)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *p = &problems->items[i];
        assert_int_equal(str_find(p->message, key), -1);
        assert_int_equal(str_find(p->suggestion, key), -1);
        assert_int_equal(str_find(p->line_text, key), -1);
    }
}

/* Checks a key of a provider; gives the codes of what was found, in order: "key_blank key_quote".
 */
static const char *codes_of(struct world *w, const char *provider, struct str text,
                            bool *is_sendable)
{
    struct problems problems = {0};
    const struct key_found key = {
        .text = text,
        .name = STR("MY_KEY"),
        .origin = {ORIGIN_ENV, STR("MY_KEY"), 0, 0},
        .provider = provider ? rules_provider(w->rules, str_from(provider)) : NULL,
        .is_own_host = true,
    };
    *is_sendable = key_check(w->arena, w->rules, &key, &problems);
    struct str codes = STR("");
    for (size_t i = 0; i < problems.count; i++) {
        codes = arena_printf(w->arena, "%.*s%s%.*s", STR_ARG(codes), i ? " " : "",
                             STR_ARG(problems.items[i].code));
        assert_has(problems.items[i].message, "MY_KEY");
        assert_origin(w, problems.items[i].origin, "env:MY_KEY");
    }
    if (text.len > 12) {
        assert_says_nothing_of(&problems, str_slice(text, 8, text.len - 4));
    }
    return codes.ptr;
}

static void each_flaw_has_its_code(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *provider;
        struct str text;
        const char *codes;
        bool is_sendable;
    } rows[] = {
        {"openai", STR_INIT(GOOD_KEY), "", true},
        {"anthropic", STR_INIT(GOOD_ANTHROPIC_KEY), "", true},
        {NULL, STR_INIT("anything goes-without-provider"), "key_blank", true},
        {"openai", STR_INIT(""), "key_empty", false},
        {"openai", STR_INIT("  \n"), "key_empty", false},
        {"openai", STR_INIT("\"\""), "key_empty", false},
        {"openai", STR_INIT(" " GOOD_KEY), "key_blank", true},
        {"openai", STR_INIT(GOOD_KEY "\t"), "key_blank", true},
        {"openai", STR_INIT("sk-proj-4kq9wzT7bVn2Lx 8Rj5Hd6Fs3Gp1Yc0Ma"), "key_blank", true},
        {"openai", STR_INIT("\"" GOOD_KEY "\""), "key_quote", true},
        {"openai", STR_INIT("'" GOOD_KEY "'"), "key_quote", true},
        {"openai", STR_INIT(GOOD_KEY "\""), "key_quote", true},
        {"openai", STR_INIT(GOOD_KEY "\n"), "key_newline", false},
        {"openai", STR_INIT(GOOD_KEY "\r"), "key_newline", false},
        {"openai", STR_INIT("sk-proj-4kq9wzT7\nbVn2Lx8Rj5Hd6Fs3"), "key_newline", false},
        {"openai", STR_INIT("\xEF\xBB\xBF" GOOD_KEY), "key_bom", false},
        {"openai", STR_INIT(GOOD_KEY "\x01"), "key_control", false},
        {"openai", STR_INIT(GOOD_KEY "\xE2\x80\x9D"), "key_control", false},
        {"openai", STR_INIT("sk-proj-4kq9wzT7bVn2Lx\xC2\xA0Rj5Hd6Fs3"), "key_control", false},
        {"openai", STR_INIT("your-api-key"), "key_placeholder", true},
        {"openai", STR_INIT("sk-your-key-goes-in-here"), "key_placeholder", true},
        {"openai", STR_INIT("sk-xxxxxxxxxxxxxxxxxxxx"), "key_placeholder", true},
        {"openai", STR_INIT("sk-..."), "key_placeholder", true},
        {"openai", STR_INIT("changeme"), "key_placeholder", true},
        {"openai", STR_INIT("<OPENAI KEY>"), "key_blank key_placeholder", true},
        {"openai", STR_INIT("${OPENAI_API_KEY}"), "key_placeholder", true},
        {"openai", STR_INIT("$OPENAI_API_KEY"), "key_placeholder", true},
        {"openai", STR_INIT("********"), "key_placeholder", true},
        {"openai", STR_INIT("None"), "key_placeholder", true},
        {"openai", STR_INIT(GOOD_ANTHROPIC_KEY), "key_shape", true},
        {"anthropic", STR_INIT(GOOD_KEY), "key_shape", true},
        {"openai", STR_INIT("sk-short"), "key_shape", true},
        {"openai", STR_INIT("4kq9wzT7bVn2Lx8Rj5Hd6Fs3Gp1Yc0Ma"), "key_shape", true},
        {"openai", STR_INIT("Bearer " GOOD_KEY), "key_shape", true},
        {"openai", STR_INIT("MY_KEY=" GOOD_KEY), "key_shape", true},
        {"azure-openai", STR_INIT("4kq9wzT7bVn2Lx8Rj5Hd6Fs3Gp1Yc0Ma"), "", true},
        {"deepseek", STR_INIT(GOOD_KEY), "", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool is_sendable;
        const char *codes = codes_of(w, rows[i].provider, rows[i].text, &is_sendable);
        if (strcmp(codes, rows[i].codes) != 0 || is_sendable != rows[i].is_sendable) {
            print_error("row %zu: \"%s\", sendable %d\n", i, codes, is_sendable);
            fail();
        }
    }
}

/* A key of that shape may be this provider's as well. */
static bool is_alike(struct world *w, struct str id, struct str key)
{
    const struct provider *provider = rules_provider(w->rules, id);
    for (size_t i = 0; i < provider->key_shape_count; i++) {
        if (shape_fits(provider->key_shapes[i], key)) {
            return true;
        }
    }
    return false;
}

#define RUN16H "0a1b2c3d4e5f6071"
#define RUN16A "aB3dE5gH7jK9mN1p"
#define RUN16S "qwertyuiopasdfgh"

/* Keys of every provider as they look, and what is said of each at the hosts of the others. */
static void keys_of_providers_are_told_apart(void **state)
{
    struct world *w = *state;
    static const struct {
        const char *provider, *key, *owner; /* as it is named elsewhere */
    } rows[] = {
        {"openai", "sk-proj-" RUN16A RUN16A RUN16A, "OpenAI"},
        {"openai", "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", "OpenAI"},
        {"anthropic",
         "sk-ant-api03-" RUN16A RUN16A RUN16A RUN16A RUN16A "aB3dE5gH7jK9m"
         "AA",
         "Anthropic"},
        {"openrouter", "sk-or-v1-" RUN16H RUN16H RUN16H RUN16H, "OpenRouter"},
        {"groq", "gsk_" RUN16A RUN16A RUN16A "aB3d", "Groq"},
        {"deepseek", "sk-" RUN16H RUN16H, "DeepSeek"},
        {"dashscope", "sk-" RUN16H RUN16H, "Alibaba Cloud Model Studio (DashScope)"},
        {"xai", "xai-" RUN16A RUN16A RUN16A RUN16A RUN16A, "xAI"},
        {"together", "tgp_v1_" RUN16A RUN16A "aB3dE5gH7jK", "Together AI"},
        {"fireworks", "fw_" RUN16A "aB3dE5gH", "Fireworks AI"},
        {"perplexity", "pplx-" RUN16A RUN16A RUN16A, "Perplexity"},
        {"gemini", "AIza" RUN16A RUN16A "aB3", "Google Gemini"},
        {"moonshot", "sk-" RUN16A RUN16A RUN16A, "Moonshot AI (Kimi)"},
        {"siliconflow", "sk-" RUN16S RUN16S RUN16S, "SiliconFlow"},
        {"zhipu", RUN16H RUN16H "." RUN16A, "Zhipu AI (BigModel)"},
        {"cerebras", "csk-" RUN16H RUN16H RUN16H, "Cerebras"},
        {"nvidia", "nvapi-" RUN16A RUN16A RUN16A RUN16A, "NVIDIA NIM"},
        {"huggingface", "hf_" RUN16A RUN16A "aB", "Hugging Face"},
        {"replicate", "r8_" RUN16A RUN16A "aB3dE", "Replicate"},
        {"qianfan", "bce-v3/ALTAK-" RUN16A "/" RUN16H RUN16H "0a1b2c3d", "Baidu Qianfan"},
        {"azure-openai", RUN16H RUN16H, NULL},
        {"mistral", RUN16A RUN16A, NULL},
        {"cohere", RUN16A RUN16A "aB3dE5gH", NULL},
        {"together", RUN16H RUN16H RUN16H RUN16H, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
            const char *at = rows[k].provider;
            struct problems problems = {0};
            const struct key_found key = {
                .text = str_from(rows[i].key),
                .name = STR("MY_KEY"),
                .provider = rules_provider(w->rules, str_from(at)),
                .is_own_host = true,
            };
            key_check(w->arena, w->rules, &key, &problems);
            struct str said = problems.count ? problems.items[0].message : STR("");
            bool is_at_home = strcmp(at, rows[i].provider) == 0;
            bool may_be_both = key.provider && is_alike(w, str_from(at), str_from(rows[i].key));
            bool names_owner = rows[i].owner && str_find(said, str_from(rows[i].owner)) >= 0;
            if (is_at_home || may_be_both ? said.len > 0 : rows[i].owner && !names_owner) {
                fail_msg("a key of %s at %s: \"%.*s\"", rows[i].provider, at, STR_ARG(said));
            }
        }
    }
}

static void other_providers_key_names_its_owner(void **state)
{
    struct world *w = *state;
    world_set(w, "K=" GOOD_ANTHROPIC_KEY);
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"K\"\n");
    const struct problem *p = find_problem(&w->config.targets[0].problems, "key_shape");
    assert_has(p->message, "a key of Anthropic, not of OpenAI");
    assert_true(p->is_warning);
    assert_false(w->config.targets[0].is_unsendable);
}

static void gateways_may_have_keys_of_any_shape(void **state)
{
    struct world *w = *state;
    world_set(w, "K=team-7");
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                      "model = \"m\"\nkey_env = \"K\"\n");
    assert_int_equal(w->config.targets[0].problems.count, 0);
    assert_str(w->config.targets[0].key.value, "team-7");
}

static void words_for_no_key_are_fine_at_gateways(void **state)
{
    struct world *w = *state;
    world_set(w, "K=none");
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                      "model = \"m\"\nkey_env = \"K\"\n"
                      "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"K\"\n");
    assert_int_equal(w->config.targets[0].problems.count, 0);
    assert_non_null(find_problem(&w->config.targets[1].problems, "key_placeholder"));
}

static void unsendable_key_makes_target_unsendable(void **state)
{
    struct world *w = *state;
    world_set(w, "K=" GOOD_KEY "\n");
    world_set(w, "E=");
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nkey_env = \"K\"\n"
                      "[[target]]\nprovider = \"openai\"\nmodel = \"n\"\nkey_env = \"E\"\n");
    assert_true(w->config.targets[0].is_unsendable);
    assert_non_null(find_problem(&w->config.targets[0].problems, "key_newline"));
    assert_true(w->config.targets[1].is_unsendable);
    assert_non_null(find_problem(&w->config.targets[1].problems, "key_empty"));
    assert_null(find_problem(&w->config.targets[1].problems, "key_missing"));
}

static void neighbours_of_a_variable(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_KEY=a");
    world_set(w, "MY_ANTHROPIC_API_KEY=");
    world_set(w, "AZURE_OPENAI_API_KEY=b");
    world_set(w, "GROQ_TOKEN=c");
    world_set(w, "PATH=d");
    world_set(w, "XAI_APIKEY=e");
    assert_str(suggest_key_variable(&w->env, STR("OPENAI_API_KEY")), "OPENAI_KEY");
    assert_str(suggest_key_variable(&w->env, STR("GROQ_API_KEY")), "GROQ_TOKEN");
    assert_str(suggest_key_variable(&w->env, STR("XAI_API_KEY")), "XAI_APIKEY");
    assert_false(str_is_set(suggest_key_variable(&w->env, STR("MY_ANTHROPIC_KEY"))));
    assert_false(str_is_set(suggest_key_variable(&w->env, STR("MISTRAL_API_KEY"))));
    assert_false(str_is_set(suggest_key_variable(&w->env, STR("PATHS"))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(each_flaw_has_its_code),
        WORLD_TEST(keys_of_providers_are_told_apart),
        WORLD_TEST(other_providers_key_names_its_owner),
        WORLD_TEST(gateways_may_have_keys_of_any_shape),
        WORLD_TEST(words_for_no_key_are_fine_at_gateways),
        WORLD_TEST(unsendable_key_makes_target_unsendable),
        WORLD_TEST(neighbours_of_a_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
