/* Commands from the command line to exit code and output, on a scripted provider. The rules at hand
 * are the test's own, so that it does not rest on the wording of the built-in ones. */
#include "cli_world.h"

#include <cJSON.h>
#include <fcntl.h>

#define TEST(test) cmocka_unit_test_setup_teardown(test, world_open, world_close)

static const char script[] = "[[reply]]\n"
                             "model = \"good\"\nhealthy = \"any\"\n"
                             "[[reply]]\n"
                             "model = \"full\"\nstatus = 503\n"
                             "body = '{\"error\":{\"code\":\"test_is_full\"}}'\n"
                             "[[reply]]\n"
                             "model = \"gone\"\nstatus = 404\n"
                             "body = '{\"error\":{\"code\":\"test_is_gone\"}}'\n"
                             "[[reply]]\n"
                             "wire = \"models\"\nhealthy = \"models\"\n";

static const char rules[] =
    "[[rule]]\nid = \"test-full\"\ndiagnosis = \"capacity\"\n"
    "match = { \"error.code\" = '^test_is_full$' }\nreason = \"No room.\"\nsource = \"here\"\n"
    "yes = [{ status = 503, body = '{\"error\":{\"code\":\"test_is_full\"}}' }]\n"
    "no = [{ status = 503, body = '{\"error\":{\"code\":\"other_thing\"}}' }]\n"
    "[[rule]]\nid = \"test-gone\"\ndiagnosis = \"model_not_found\"\n"
    "match = { \"error.code\" = '^test_is_gone$' }\nreason = \"No model.\"\nsource = \"here\"\n"
    "yes = [{ status = 404, body = '{\"error\":{\"code\":\"test_is_gone\"}}' }]\n"
    "no = [{ status = 404, body = '{\"error\":{\"code\":\"other_thing\"}}' }]\n";

/* A home with the rules above and one chain on the provider. */
static void configure(struct world *world, const char *model, const char *fallback)
{
    world_serve(world, script);
    world_write(world, "rules.d/own.toml", str_from(rules));
    world_write(world, "config.toml",
                arena_printf(world->arena,
                             "[[target]]\nname = \"main\"\nprovider = \"openai\"\n"
                             "base_url = \"http://127.0.0.1:%u/v1\"\nwire = \"chat\"\n"
                             "model = \"%s\"\nfallback = [%s]\nkey_env = \"WORLD_KEY\"\n",
                             world->port, model, fallback));
    world_set(world, "WORLD_KEY=" WORLD_KEY);
}

static cJSON *parse_out(const struct world *world)
{
    cJSON *root = cJSON_Parse(world->out);
    assert_non_null(root);
    return root;
}

static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
    return text ? text : "null";
}

static int number_of(const cJSON *object, const char *name)
{
    return (int)cJSON_GetNumberValue(cJSON_GetObjectItem(object, name));
}

static void probe_of_an_answering_model_is_fine(void **state)
{
    configure(*state, "good", "");
    assert_int_equal(RUN(*state, "probe"), EXIT_FINE);
    struct world *world = *state;
    assert_has(world->errors, "1 request, at most ");
    assert_has(world->out, "good");
}

static void probe_of_a_full_model_blames_them_and_names_the_fallback(void **state)
{
    struct world *world = *state;
    configure(world, "full", "\"good\"");
    assert_int_equal(RUN(world, "--json"), EXIT_THEIRS);
    cJSON *root = parse_out(world), *targets = cJSON_GetObjectItem(root, "targets");
    assert_int_equal(cJSON_GetArraySize(targets), 2);
    assert_string_equal(text_of(cJSON_GetArrayItem(targets, 0), "diagnosis"), "capacity");
    assert_string_equal(text_of(cJSON_GetArrayItem(targets, 1), "diagnosis"), "ok");
    assert_int_equal(number_of(root, "exit_code"), EXIT_THEIRS);
    cJSON_Delete(root);
}

static void names_after_probe_narrow_the_targets(void **state)
{
    struct world *world = *state;
    configure(world, "full", "\"good\"");
    assert_int_equal(RUN(world, "probe", "good"), EXIT_FINE);
    assert_int_equal(RUN(world, "probe", "main", "--fail-on", "auth,network"), EXIT_FINE);
    assert_int_equal(RUN(world, "probe", "main", "--fail-on", "capacity"), EXIT_THEIRS);
    assert_int_equal(RUN(world, "probe", "goodd"), EXIT_USAGE);
    assert_has(world->errors, "no target or model is called \"goodd\"; did you mean \"good\"");
    assert_int_equal(RUN(world, "--fail-on", "capacty"), EXIT_USAGE);
    assert_has(world->errors, "did you mean \"capacity\"");
}

static void a_free_request_proves_the_key_where_it_is_open(void **state)
{
    struct world *world = *state;
    configure(world, "gone", "");
    assert_int_equal(RUN(world, "--json"), EXIT_OURS);
    cJSON *root = parse_out(world);
    assert_int_equal(number_of(root, "requests"), 2);
    const cJSON *target = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "targets"), 0), *step;
    assert_string_equal(text_of(target, "diagnosis"), "model_not_found");
    cJSON_ArrayForEach(step, cJSON_GetObjectItem(target, "steps"))
    {
        if (strcmp(text_of(step, "name"), "auth") == 0) {
            assert_string_equal(text_of(step, "status"), "ok");
        }
    }
    cJSON_Delete(root);
}

static void a_dry_run_sends_nothing_and_shows_where_it_would(void **state)
{
    struct world *world = *state;
    configure(world, "good", "\"full\"");
    serve_stop(world->serve); /* whoever connects now fails */
    world->serve = NULL;
    assert_int_equal(RUN(world, "--dry-run"), EXIT_FINE);
    assert_has(world->out, "2 requests, at most ");
    assert_has(world->out, "/v1/chat/completions");
    assert_int_equal(RUN(world, "--dry-run", "--json"), EXIT_FINE);
    cJSON *root = parse_out(world), *plan = cJSON_GetObjectItem(root, "plan");
    assert_int_equal(number_of(plan, "request_count"), 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(plan, "hosts")), 1);
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(plan, "requests"), 0);
    assert_int_equal(strlen(text_of(cJSON_GetObjectItem(first, "key"), "fingerprint")), 8);
    cJSON_Delete(root);
}

static void with_nothing_configured_it_says_where_it_looked(void **state)
{
    struct world *world = *state;
    assert_int_equal(RUN(world, "-q"), EXIT_UNKNOWN);
    assert_has(world->out, "~/.config/diagnose/config.toml");
    assert_has(world->out, "diagnose demo");
    assert_int_equal(RUN(world, "--dry-run", "--json"), EXIT_UNKNOWN);
    cJSON *root = parse_out(world);
    assert_int_equal(number_of(root, "exit_code"), EXIT_UNKNOWN);
    cJSON_Delete(root);
    assert_int_equal(RUN(world, "--lang=zh"), EXIT_UNKNOWN);
    assert_has(world->out, "没有可探测的配置");
}

static void pick_prints_the_first_model_that_answers(void **state)
{
    struct world *world = *state;
    configure(world, "full", "\"good\"");
    assert_int_equal(RUN(world, "pick"), EXIT_FINE);
    assert_string_equal(world->out, "good\n");
    assert_has(world->errors, "full, good");
    assert_int_equal(RUN(world, "pick", "full", "-q"), EXIT_THEIRS);
    assert_string_equal(world->out, "");
    assert_string_equal(world->errors, "");
    assert_int_equal(RUN(world, "pick", "gone", "full", "--json"), EXIT_OURS);
    cJSON *root = parse_out(world), *tries = cJSON_GetObjectItem(root, "tries");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(root, "picked")));
    assert_string_equal(text_of(cJSON_GetArrayItem(tries, 0), "model"), "gone");
    assert_string_equal(text_of(cJSON_GetArrayItem(tries, 1), "diagnosis"), "capacity");
    cJSON_Delete(root);
}

static void pick_has_nothing_without_a_chain(void **state)
{
    struct world *world = *state;
    assert_int_equal(RUN(world, "pick"), EXIT_UNKNOWN);
    assert_string_equal(world->out, "");
    assert_has(world->errors, "nothing is configured");
}

static void a_broken_file_of_config_is_shown_with_its_line(void **state)
{
    struct world *world = *state;
    world_write(world, "config.toml", STR("[[target]]\nmodel = \"x\nname = 1\n"));
    const char *path = world_path(world, "config.toml");
    assert_int_equal(RUN(world, "--config", path, "--json"), EXIT_USAGE);
    assert_has(world->errors, "config.toml:2:");
    assert_has(world->errors, "    model = \"x\n");
    cJSON *root = parse_out(world);
    assert_int_equal(number_of(cJSON_GetObjectItem(root, "error"), "line"), 2);
    cJSON_Delete(root);
    assert_int_equal(RUN(world, "--config", "/nonexistent/x.toml"), EXIT_USAGE);
    assert_has(world->errors, "/nonexistent/x.toml");
}

static void the_caret_stands_below_the_place(void **state)
{
    struct world *world = *state;
    world_write(world, "config.toml",
                STR("[[target]]\nname = \"模型\" model = 1\n[[target]]\n\t\tmodel = oops\n"));
    assert_int_equal(RUN(world, "--config", world_path(world, "config.toml")), EXIT_USAGE);
    assert_has(world->errors, "\n    name = \"模型\" model = 1\n                  ^\n");
    assert_has(world->errors, "\n    model = oops\n            ^\n");
}

static void the_caret_stands_below_the_place_in_a_line_that_was_cut(void **state)
{
    struct world *world = *state;
    struct buf text = buf_create(4096);
    buf_add(&text, STR("[[target]]\nname = \""));
    for (int i = 0; i < 100; i++) {
        buf_add(&text, STR("word "));
    }
    buf_add(&text, STR("\" oops\n"));
    world_write(world, "config.toml", buf_str(&text));
    buf_free(&text);
    assert_int_equal(RUN(world, "--config", world_path(world, "config.toml")), EXIT_USAGE);
    /* A line whose key was cut off may hold a secret: it is shown as stars. */
    const char *place = strstr(world->errors, "\" ****\n"), *caret = strstr(world->errors, "^\n");
    assert_non_null(place);
    assert_non_null(caret);
    const char *line_end = strchr(place, '\n');
    assert_int_equal(caret - line_end - 1, place + 2 - (strstr(world->errors, "\n    ") + 1));
}

static void classify_judges_what_is_piped_in(void **state)
{
    struct world *world = *state;
    world_write(world, "rules.d/own.toml", str_from(rules));
    world_type(world, STR("{\"error\":{\"code\":\"test_is_full\"}}\n"));
    assert_int_equal(RUN(world, "-", "--json", "--explain"), EXIT_THEIRS);
    cJSON *root = parse_out(world);
    const cJSON *event = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "events"), 0);
    assert_string_equal(text_of(event, "diagnosis"), "capacity");
    assert_string_equal(text_of(event, "rule"), "test-full");
    assert_int_equal(number_of(cJSON_GetObjectItem(root, "counts"), "capacity"), 1);
    assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(event, "explain"), "fields"));
    cJSON_Delete(root);
    assert_int_equal(RUN(world, "classify", "-"), EXIT_UNKNOWN); /* the pipe is empty by now */
    assert_has(world->errors, "standard input is empty");
    assert_int_equal(RUN(world, "classify", "/nonexistent/error.txt"), EXIT_USAGE);
    assert_has(world->errors, "/nonexistent/error.txt cannot be read");
    assert_int_equal(RUN(world, "classify", world->home), EXIT_USAGE);
}

static void lines_of_json_are_answered_one_by_one(void **state)
{
    struct world *world = *state;
    world_write(world, "rules.d/own.toml", str_from(rules));
    world_type(world, STR("{\"id\":7,\"kind\":\"http\",\"status\":503,"
                          "\"body\":\"{\\\"error\\\":{\\\"code\\\":\\\"test_is_full\\\"}}\"}\n"
                          "no object\n\n"
                          "{\"id\":\"z\",\"body\":\"all is well\"}"));
    assert_int_equal(RUN(world, "classify", "--ndjson"), EXIT_FINE);
    static const char *const wanted[] = {"{\"id\":7,\"diagnosis\":\"capacity\"", "{\"id\":null,",
                                         "{\"id\":null,", "{\"id\":\"z\",\"diagnosis\":\"ok\""};
    struct str rest = str_from(world->out), line;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_true(str_split(&rest, '\n', &line));
        assert_true(str_starts(line, str_from(wanted[i])));
    }
    assert_int_equal(rest.len, 0);
    assert_int_equal(RUN(world, "classify", "--ndjson", "-o", "x"), EXIT_USAGE);
}

static void an_overlong_line_is_refused_and_the_stream_goes_on(void **state)
{
    struct world *world = *state;
    size_t length = 1024 * 1024 + 2;
    char *text = arena_alloc(world->arena, length + 64);
    memset(text, 'x', length);
    memcpy(text + length, "\n{\"id\":1,\"body\":\"\"}\n", 20);
    world_write(world, "out", (struct str){text, length + 20});
    assert_int_equal(RUN(world, "classify", "--ndjson", world_path(world, "out")), EXIT_FINE);
    assert_has(world->out, "{\"id\":null,\"error\":\"the line is over 1 MiB\"}\n{\"id\":1,");
}

static void rules_are_listed_shown_tested_and_tried(void **state)
{
    struct world *world = *state;
    world_write(world, "rules.d/own.toml", str_from(rules));
    assert_int_equal(RUN(world, "rules"), EXIT_FINE);
    assert_true(strncmp(world->out, "test-full ", 10) == 0); /* own rules come first */
    assert_int_equal(RUN(world, "rules", "show", "test-gone"), EXIT_FINE);
    assert_has(world->out, "^test_is_gone$");
    assert_int_equal(RUN(world, "rules", "show", "test-gonne"), EXIT_USAGE);
    assert_has(world->errors, "did you mean \"test-gone\"");
    world_write(world, "out", STR("{\"error\":{\"code\":\"test_is_gone\"}}"));
    assert_int_equal(RUN(world, "rules", "match", world_path(world, "out")), EXIT_FINE);
    assert_true(strncmp(world->out, "test-gone ", 10) == 0);
    assert_int_equal(RUN(world, "rules", "match"), EXIT_USAGE);
    assert_int_equal(RUN(world, "rules", "tst"), EXIT_USAGE);
    world_write(world, "rules.d/own.toml",
                STR("[[rule]]\nid = 'x'\ndiagnosis = 'capacity'\n"
                    "status = [503]\nreason = 'r'\nsource = 's'\n"
                    "no = []\nyes = []\n"));
    assert_int_equal(RUN(world, "rules", "test"), EXIT_OURS);
    assert_has(world->out, "own.toml:1:1: rule \"x\": it has no example");
    assert_has(world->out, " problems\n");
}

static void explain_knows_diagnoses_verdicts_and_rules(void **state)
{
    struct world *world = *state;
    world_write(world, "rules.d/own.toml", str_from(rules));
    assert_int_equal(RUN(world, "explain", "capacity"), EXIT_FINE);
    assert_has(world->out, "How it differs");
    assert_null(strchr(world->out, '{'));
    assert_int_equal(RUN(world, "explain", "capacity-occasional"), EXIT_FINE);
    assert_int_equal(RUN(world, "explain", "test-full"), EXIT_FINE);
    assert_has(world->out, "capacity: ");
    assert_int_equal(RUN(world, "explain", "capacity", "--lang", "zh"), EXIT_FINE);
    assert_has(world->out, "怎么办");
    assert_int_equal(RUN(world, "explain", "capasity"), EXIT_USAGE);
    assert_has(world->errors, "did you mean \"capacity\"?");
    assert_int_equal(RUN(world, "explain", "capacity", "timeout"), EXIT_USAGE);
    assert_int_equal(RUN(world, "explain"), EXIT_FINE);
    assert_has(world->out, "  capacity ");
    assert_has(world->out, "  capacity-occasional ");
}

static void demo_names_what_differs_from_the_script(void **state)
{
    struct world *world = *state;
    world_write(world, "rules.d/own.toml", str_from(rules));
    world_write(world, "out",
                STR("[[reply]]\nwire = \"chat\"\nmodel = \"a\"\nhealthy = \"chat\"\n"
                    "diagnosis = \"ok\"\n"
                    "[[reply]]\nwire = \"chat\"\nmodel = \"b\"\nstatus = 503\n"
                    "body = '{\"error\":{\"code\":\"test_is_full\"}}'\n"
                    "diagnosis = \"capacity\"\n"));
    const char *path = world_path(world, "out");
    assert_int_equal(RUN(world, "demo", "--script", path), EXIT_FINE);
    assert_has(world->out, "DEMO: every failure below is scripted");
    world_write(world, "out",
                STR("[[reply]]\nwire = \"chat\"\nmodel = \"b\"\nstatus = 503\n"
                    "body = '{\"error\":{\"code\":\"test_is_full\"}}'\n"
                    "diagnosis = \"timeout\"\n"));
    assert_int_equal(RUN(world, "demo", "--script", path, "--json"), EXIT_OURS);
    assert_has(world->errors, "b should be timeout and was named capacity");
    cJSON *root = parse_out(world);
    assert_int_equal(number_of(root, "exit_code"), EXIT_OURS);
    cJSON_Delete(root);
    assert_int_equal(RUN(world, "demo", "--script", "/nonexistent"), EXIT_USAGE);
}

static void config_shows_each_setting_with_its_origin(void **state)
{
    struct world *world = *state;
    configure(world, "good", "");
    assert_int_equal(RUN(world, "config", "--json"), EXIT_FINE);
    assert_has(world->out, "config.toml:6:");
    assert_has(world->out, "env:WORLD_KEY");
    cJSON *root = parse_out(world);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(root, "settings")) >= 4);
    cJSON_Delete(root);
    assert_int_equal(RUN(world, "config", "--client", "diagnse"), EXIT_USAGE);
    assert_has(world->errors, "did you mean \"diagnose\"?");
}

static void output_goes_to_a_file_whole_or_not_at_all(void **state)
{
    struct world *world = *state;
    const char *path = world_path(world, "out");
    struct str text;
    assert_int_equal(RUN(world, "explain", "timeout", "-o", path), EXIT_FINE);
    assert_string_equal(world->out, "");
    assert_int_equal(file_read(world->arena, path, 65536, &text, NULL), FILE_OK);
    assert_has(text.ptr, "timeout");
    assert_int_equal(RUN(world, "explain", "timout", "-o", path), EXIT_USAGE);
    assert_int_equal(file_read(world->arena, path, 65536, &text, NULL), FILE_OK);
    assert_has(text.ptr, "timeout");
    assert_int_equal(RUN(world, "explain", "timeout", "-o", "/nonexistent/out"), EXIT_USAGE);
    assert_has(world->errors, "/nonexistent/out");
}

static void output_to_a_pipe_leaves_it_in_place(void **state)
{
    struct world *world = *state;
    const char *path = world_path(world, "out");
    char text[16] = "";
    struct stat there;
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(RUN(world, "explain", "timeout", "-o", path), EXIT_FINE);
    assert_int_equal(stat(path, &there), 0);
    assert_true(S_ISFIFO(there.st_mode));
    assert_true(read(reader, text, sizeof text - 1) > 0);
    assert_has(text, "timeout");
    close(reader);
}

static void options_stand_before_or_behind_the_command(void **state)
{
    struct world *world = *state;
    assert_int_equal(RUN(world, "--format", "json", "explain", "timeout"), EXIT_FINE);
    assert_int_equal(world->out[0], '{');
    assert_int_equal(RUN(world, "--help"), EXIT_FINE);
    assert_has(world->out, "Commands:");
    assert_int_equal(RUN(world, "pick", "--help"), EXIT_FINE);
    assert_has(world->out, "Usage: diagnose pick");
    assert_int_equal(RUN(world, "--version", "--nonsense"), EXIT_USAGE);
    assert_int_equal(RUN(world, "--version"), EXIT_FINE);
    assert_has(world->out, "diagnose " DIAGNOSE_VERSION "\nlibcurl ");
}

static void wrong_usage_names_the_way_out(void **state)
{
    struct world *world = *state;
    assert_int_equal(RUN(world, "pik"), EXIT_USAGE);
    assert_has(world->errors, "unknown command \"pik\"; did you mean \"pick\"");
    assert_int_equal(RUN(world, "gpt-x"), EXIT_USAGE);
    assert_has(world->errors, "diagnose probe gpt-x");
    assert_int_equal(RUN(world, "config", "--serve"), EXIT_USAGE);
    assert_has(world->errors, "--serve is an option of diagnose demo, not of config");
    assert_int_equal(RUN(world, "rules", "--format", "ndjson"), EXIT_USAGE);
    assert_has(world->errors, "human or json, not ndjson");
    assert_int_equal(RUN(world, "--json", "verify\x1b[31m"), EXIT_USAGE);
    assert_null(strchr(world->errors, '\x1b'));
    cJSON *root = parse_out(world);
    assert_int_equal(number_of(root, "exit_code"), EXIT_USAGE);
    cJSON_Delete(root);
}

static void the_locale_chooses_language_and_marks(void **state)
{
    struct world *world = *state;
    world->variables[1] = "LC_ALL=zh_CN.UTF-8";
    assert_int_equal(RUN(world, "explain", "capacity"), EXIT_FINE);
    assert_has(world->out, "怎么办");
    assert_int_equal(RUN(world, "explain", "capacity", "--lang=en"), EXIT_FINE);
    assert_has(world->out, "What to do");
    world->variables[1] = "LC_ALL=C";
    configure(world, "good", "");
    assert_int_equal(RUN(world, "-q", "--color=always"), EXIT_FINE);
    for (const char *c = world->out; *c; c++) {
        assert_true((unsigned char)*c < 0x80);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(probe_of_an_answering_model_is_fine),
        TEST(probe_of_a_full_model_blames_them_and_names_the_fallback),
        TEST(names_after_probe_narrow_the_targets),
        TEST(a_free_request_proves_the_key_where_it_is_open),
        TEST(a_dry_run_sends_nothing_and_shows_where_it_would),
        TEST(with_nothing_configured_it_says_where_it_looked),
        TEST(pick_prints_the_first_model_that_answers),
        TEST(pick_has_nothing_without_a_chain),
        TEST(a_broken_file_of_config_is_shown_with_its_line),
        TEST(the_caret_stands_below_the_place),
        TEST(the_caret_stands_below_the_place_in_a_line_that_was_cut),
        TEST(classify_judges_what_is_piped_in),
        TEST(lines_of_json_are_answered_one_by_one),
        TEST(an_overlong_line_is_refused_and_the_stream_goes_on),
        TEST(rules_are_listed_shown_tested_and_tried),
        TEST(explain_knows_diagnoses_verdicts_and_rules),
        TEST(demo_names_what_differs_from_the_script),
        TEST(config_shows_each_setting_with_its_origin),
        TEST(output_goes_to_a_file_whole_or_not_at_all),
        TEST(output_to_a_pipe_leaves_it_in_place),
        TEST(options_stand_before_or_behind_the_command),
        TEST(wrong_usage_names_the_way_out),
        TEST(the_locale_chooses_language_and_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
