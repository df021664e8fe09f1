/* What ten versions of Codex were seen to do with one config each: the model and address that it
 * used, or that it refused to start, with the line that it named. */
#include "codex_world.h"

#define TOP "model = \"gpt-5\"\nmodel_provider = \"mock\"\n\n"

struct seen {
    const char *name, *toml;
    const char *from, *before; /* versions that did so, as in the data: first, and first without */
    const char *model, *url, *wire;
    const char *refused; /* code, or NULL */
    unsigned line;       /* of the refusal, 0 = Codex names none */
};

static const char *const versions[] = {"0.20.0",  "0.40.0",  "0.80.0",  "0.104.0", "0.142.0",
                                       "0.150.0", "0.155.0", "0.160.0", "0.165.0", "0.171.0"};

#define OK_URL "http://127.0.0.1:9/ok/v1"
static const struct seen table[] = {
    {"plain", TOP PROVIDER "wire_api = \"responses\"\n", NULL, NULL, "gpt-5", OK_URL, "responses",
     NULL, 0},
    {"bad effort",
     "model = \"gpt-5\"\nmodel_provider = \"mock\"\nmodel_reasoning_effort = \"extreme\"\n" PROVIDER
     "wire_api = \"responses\"\n",
     NULL, "0.142.0", NULL, NULL, NULL, "bad_value", 3},
    {"bad effort",
     "model = \"gpt-5\"\nmodel_provider = \"mock\"\nmodel_reasoning_effort = \"extreme\"\n" PROVIDER
     "wire_api = \"responses\"\n",
     "0.142.0", NULL, "gpt-5", OK_URL, "responses", NULL, 0},
    {"broken TOML", "model = \"gpt-5\nmodel_provider = \"mock\"\n" PROVIDER, NULL, NULL, NULL, NULL,
     NULL, "syntax", 1},
    {"duplicate key",
     "model = \"gpt-5\"\nmodel = \"gpt-5-mini\"\nmodel_provider = \"mock\"\n" PROVIDER, NULL, NULL,
     NULL, NULL, NULL, "duplicate_key", 2},
    {"no quotes", "model = gpt-5\nmodel_provider = \"mock\"\n" PROVIDER, NULL, NULL, NULL, NULL,
     NULL, "syntax", 1},
    {"model of a wrong type", "model = 5\nmodel_provider = \"mock\"\n" PROVIDER, NULL, NULL, NULL,
     NULL, NULL, "bad_type", 1},
    {"list of models", "model = [\"gpt-5\",\"gpt-5-mini\"]\nmodel_provider = \"mock\"\n" PROVIDER,
     NULL, NULL, NULL, NULL, NULL, "bad_type", 1},
    {"retries of a wrong type",
     TOP PROVIDER "wire_api = \"responses\"\nstream_max_retries = \"five\"\n", NULL, NULL, NULL,
     NULL, NULL, "bad_type", 9},
    {"key behind a table",
     "model = \"gpt-5\"\nmodel_provider = \"mock\"\n" PROVIDER
     "wire_api = \"responses\"\nmodel = \"gpt-x\"\n",
     NULL, NULL, "gpt-5", OK_URL, "responses", NULL, 0},
    {"unknown keys",
     "totally_unknown_key = 1\n" TOP PROVIDER
     "wire_api = \"responses\"\nfallback_models = [\"x\"]\ntotally_unknown_key = 1\n",
     NULL, NULL, "gpt-5", OK_URL, "responses", NULL, 0},
    {"fallback list",
     "model_fallback = [\"gpt-5-mini\"]\n" TOP PROVIDER "wire_api = \"responses\"\n", NULL, NULL,
     "gpt-5", OK_URL, "responses", NULL, 0},
    {"old profile",
     "profile = \"p\"\n" TOP PROVIDER
     "wire_api = \"responses\"\n[profiles.p]\nmodel = \"gpt-5-profile\"\n",
     NULL, "0.142.0", "gpt-5-profile", OK_URL, "responses", NULL, 0},
    {"old profile",
     "profile = \"p\"\n" TOP PROVIDER
     "wire_api = \"responses\"\n[profiles.p]\nmodel = \"gpt-5-profile\"\n",
     "0.142.0", NULL, NULL, NULL, NULL, "bad_value", 1},
    {"provider that is not there", "model = \"gpt-5\"\nmodel_provider = \"nope\"\n" PROVIDER, NULL,
     NULL, NULL, NULL, NULL, "unknown_provider", 2},
    {"built-in provider overridden",
     "model = \"gpt-5\"\nmodel_provider = \"openai\"\n[model_providers.openai]\nname = "
     "\"x\"\nbase_url = \"http://127.0.0.1:9/ok/v1\"\nwire_api = \"responses\"\n",
     NULL, "0.142.0", "gpt-5", "https://api.openai.com/v1", "responses", "key_missing", 0},
    {"built-in provider overridden",
     "model = \"gpt-5\"\nmodel_provider = \"openai\"\n[model_providers.openai]\nname = "
     "\"x\"\nbase_url = \"http://127.0.0.1:9/ok/v1\"\nwire_api = \"responses\"\n",
     "0.142.0", NULL, NULL, NULL, NULL, "reserved_provider", 3},
    {"provider without name",
     TOP "[model_providers.mock]\nbase_url = \"http://127.0.0.1:9/ok/v1\"\nenv_key = "
         "\"MOCK_KEY\"\nwire_api = \"responses\"\n",
     NULL, NULL, NULL, NULL, NULL, "bad_value", 4},
    {"wire that is none", TOP PROVIDER "wire_api = \"foo\"\n", NULL, NULL, NULL, NULL, NULL,
     "bad_value", 8},
    {"chat", TOP PROVIDER "wire_api = \"chat\"\n", NULL, "0.104.0", "gpt-5", OK_URL, "chat", NULL,
     0},
    {"chat", TOP PROVIDER "wire_api = \"chat\"\n", "0.104.0", NULL, NULL, NULL, NULL, "bad_value",
     8},
    {"new inline table",
     TOP PROVIDER "wire_api = \"responses\"\nhttp_headers = {\n  \"x-a\" = \"b\",\n}\n", NULL,
     "0.104.0", NULL, NULL, NULL, "syntax", 9},
    {"new inline table",
     TOP PROVIDER "wire_api = \"responses\"\nhttp_headers = {\n  \"x-a\" = \"b\",\n}\n", "0.104.0",
     NULL, "gpt-5", OK_URL, "responses", NULL, 0},
    {"byte order mark and CRLF",
     "\xEF\xBB\xBFmodel = \"gpt-5\"\r\nmodel_provider = \"mock\"\r\n"
     "[model_providers.mock]\r\nname = \"mock\"\r\nbase_url = \"http://127.0.0.1:9/ok/v1\"\r\n"
     "env_key = \"MOCK_KEY\"\r\nwire_api = \"responses\"\r\n",
     NULL, NULL, "gpt-5", OK_URL, "responses", NULL, 0},
};

static bool is_seen_in(const struct seen *row, const char *version)
{
    return version_is_in(str_from(version),
                         (struct version_range){str_from(row->from), str_from(row->before)});
}

static void check_row(struct world *w, const struct seen *row, const char *version)
{
    print_message("%s in %s\n", row->name, version);
    codex_file(w, ".codex/config.toml", row->toml);
    codex_load(w, version);
    const struct problem *refusal = codex_refusal(w);
    const struct target *target = codex_primary(w);
    assert_int_equal(target->is_unsendable, row->refused != NULL);
    if (row->refused) {
        assert_non_null(refusal);
        assert_str(refusal->code, row->refused);
        assert_true(row->line == 0 || refusal->origin.line == row->line);
        assert_str(find_setting(w, "refused")->value, arena_cstr(w->arena, refusal->message));
    } else {
        assert_null(refusal);
        assert_null(find_setting(w, "refused"));
    }
    if (row->model) {
        assert_str(target->model.text, row->model);
        assert_str(target->base_url.text, row->url);
        assert_str(target->wire, row->wire);
        assert_str(find_setting(w, "model")->value, row->model);
        assert_str(find_setting(w, "base_url")->value, row->url);
        assert_str(find_setting(w, "wire_api")->value, row->wire);
        assert_str(find_setting(w, "version")->value, version);
    }
}

static void each_version_does_what_it_was_seen_to_do(void **state)
{
    struct world *w = *state;
    world_set(w, "MOCK_KEY=" MOCK_KEY);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++) {
            if (is_seen_in(&table[i], versions[v])) {
                check_row(w, &table[i], versions[v]);
            }
        }
    }
}

static void default_models_differ(void **state)
{
    static const char *const rows[][2] = {{"0.40.0", "gpt-5-codex"},
                                          {"0.104.0", "gpt-5.2-codex"},
                                          {"0.142.0", "gpt-5.5"},
                                          {"0.171.0", "gpt-6.2-sol"}};
    struct world *w = *state;
    codex_file(w, ".codex/config.toml", "");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        codex_load(w, rows[i][0]);
        assert_str(codex_primary(w)->model.text, rows[i][1]);
    }
}

static void base_url_of_the_environment_was_read_once(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_BASE_URL=http://127.0.0.1:9/env/v1/");
    codex_file(w, ".codex/config.toml", "model = \"gpt-5\"\n");
    for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++) {
        codex_load(w, versions[v]);
        assert_str(codex_primary(w)->base_url.text,
                   version_compare(str_from(versions[v]), STR("0.119.0")) < 0
                       ? "http://127.0.0.1:9/env/v1"
                       : "https://api.openai.com/v1");
    }
}

static void key_variables_differ(void **state)
{
    static const struct {
        const char *version, *source;
    } rows[] = {{"0.20.0", "env:OPENAI_API_KEY"}, {"0.40.0", NULL},
                {"0.80.0", "env:CODEX_API_KEY"},  {"0.104.0", "env:CODEX_API_KEY"},
                {"0.142.0", "env:CODEX_API_KEY"}, {"0.171.0", "env:CODEX_API_KEY"}};
    struct world *w = *state;
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    world_set(w, "CODEX_API_KEY=" GOOD_KEY "2");
    codex_file(w, ".codex/config.toml", "model = \"gpt-5\"\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        codex_load(w, rows[i].version);
        const struct target *target = codex_primary(w);
        if (rows[i].source) {
            assert_origin(w, target->key_origin, rows[i].source);
            assert_null(codex_refusal(w));
        } else {
            assert_str(codex_refusal(w)->code, "key_missing");
            assert_has(codex_refusal(w)->message, "OPENAI_API_KEY is set, but Codex 0.40.0 does");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CODEX_TEST(each_version_does_what_it_was_seen_to_do),
        CODEX_TEST(default_models_differ),
        CODEX_TEST(base_url_of_the_environment_was_read_once),
        CODEX_TEST(key_variables_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
