/* Which file is read, and each way in which it cannot be. */
#include "config_world.h"

#define TARGET "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\n"

static const struct config_file *only_file(const struct world *w)
{
    assert_int_equal(w->config.file_count, 1);
    return &w->config.files[0];
}

static void nothing_configured_says_where_it_looked(void **state)
{
    struct world *w = *state;
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 0);
    assert_int_equal(w->config.problems.count, 0);
    assert_int_equal(only_file(w)->status, CONFIG_MISSING);
    assert_str(only_file(w)->path, "~/.config/diagnose/config.toml");
    assert_true(w->config.looked_count > 8);
    assert_str(w->config.looked[0], "~/.config/diagnose/config.toml");
    assert_str(w->config.looked[1], "~/.codex/config.toml");
    assert_str(w->config.looked[2], "$OPENAI_API_KEY");
}

static void xdg_directory_is_obeyed(void **state)
{
    struct world *w = *state;
    struct str xdg = arena_printf(w->arena, "XDG_CONFIG_HOME=%s/xdg", w->home);
    world_set(w, xdg.ptr);
    world_write(w, "xdg/diagnose/config.toml", TARGET, sizeof TARGET - 1);
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 1);
    assert_int_equal(only_file(w)->status, CONFIG_LOADED);
    assert_str(only_file(w)->path, "~/xdg/diagnose/config.toml");
}

static void relative_xdg_directory_is_ignored(void **state)
{
    struct world *w = *state;
    world_set(w, "XDG_CONFIG_HOME=xdg");
    world_load_own(w, TARGET);
    assert_int_equal(w->config.target_count, 1);
    assert_str(only_file(w)->path, "~/.config/diagnose/config.toml");
}

static void named_file_is_the_only_one(void **state)
{
    struct world *w = *state;
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    world_own(w, TARGET TARGET);
    w->request.config_path = world_write(w, "mine.toml", TARGET, sizeof TARGET - 1);
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 1);
    assert_str(only_file(w)->path, "~/mine.toml");
    w->request.client = STR("openai-sdk");
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 2);
    assert_str(w->config.targets[1].client, "openai-sdk");
}

static void stray_file_is_named_and_not_loaded(void **state)
{
    struct world *w = *state;
    world_write(w, "diagnose.toml", TARGET, sizeof TARGET - 1);
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 0);
    const struct problem *problem = find_problem(&w->config.problems, "unused_file");
    assert_non_null(problem);
    assert_true(problem->is_warning);
    assert_str(problem->suggestion, "diagnose --config ~/diagnose.toml");
    assert_int_equal(w->config.files[0].status, CONFIG_IGNORED);
    w->request.config_path = arena_printf(w->arena, "%s/diagnose.toml", w->home);
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 1);
    assert_null(find_problem(&w->config.problems, "unused_file"));
}

/* Once as the default file: a problem with this code, the run goes on. Once named: an error. */
static void expect_refusal(struct world *w, const char *code, const char *text,
                           enum err_code named_code)
{
    world_set(w, "OPENAI_API_KEY=" GOOD_KEY);
    assert_int_equal(world_load(w), ERR_OK);
    const struct problem *problem = find_problem(&w->config.problems, code);
    assert_non_null(problem);
    assert_has(problem->message, text);
    assert_false(problem->is_warning);
    assert_has(problem->origin.name, "~/.config/diagnose/config.toml");
    assert_int_equal(only_file(w)->status, CONFIG_BROKEN);
    assert_int_equal(w->config.target_count, 1);
    assert_str(w->config.targets[0].client, "openai-sdk");
    w->request.config_path = arena_printf(w->arena, "%s/.config/diagnose/config.toml", w->home);
    assert_int_equal(world_load(w), named_code);
    assert_int_equal(w->err.code, named_code);
    assert_has(str_from(w->err.text), text);
    assert_non_null(find_problem(&w->config.problems, code));
}

static void missing_named_file_is_an_error(void **state)
{
    struct world *w = *state;
    w->request.config_path = STR("/nonexistent/x.toml");
    assert_int_equal(world_load(w), ERR_FILE);
    assert_has(str_from(w->err.text), "/nonexistent/x.toml does not exist");
}

static void unreadable_file(void **state)
{
    struct world *w = *state;
    world_own(w, TARGET);
    struct str path = arena_printf(w->arena, "%s/.config/diagnose/config.toml", w->home);
    assert_int_equal(chmod(path.ptr, 0), 0);
    const uid_t self = geteuid();
    if (self == 0) {
        assert_int_equal(chmod(w->home, 0755), 0);
        assert_int_equal(seteuid(65534), 0); /* root reads everything */
    }
    expect_refusal(w, "unreadable", "Permission denied", ERR_FILE);
    assert_int_equal(seteuid(self), 0);
}

static void directory_in_place_of_file(void **state)
{
    struct world *w = *state;
    world_write(w, ".config/diagnose/config.toml/x", "", 0);
    expect_refusal(w, "not_plain", "directory", ERR_FILE);
}

static void fifo_in_place_of_file(void **state)
{
    struct world *w = *state;
    world_write(w, ".config/diagnose/x", "", 0);
    struct str path = arena_printf(w->arena, "%s/.config/diagnose/config.toml", w->home);
    assert_int_equal(mkfifo(path.ptr, 0600), 0);
    expect_refusal(w, "not_plain", "device", ERR_FILE);
}

static void circle_of_links(void **state)
{
    struct world *w = *state;
    world_write(w, ".config/diagnose/x", "", 0);
    struct str path = arena_printf(w->arena, "%s/.config/diagnose/config.toml", w->home);
    assert_int_equal(symlink("config.toml", path.ptr), 0);
    expect_refusal(w, "link_loop", "circle", ERR_FILE);
}

static void huge_file(void **state)
{
    struct world *w = *state;
    world_own(w, "");
    struct str path = arena_printf(w->arena, "%s/.config/diagnose/config.toml", w->home);
    assert_int_equal(truncate(path.ptr, 100 * 1024 * 1024), 0);
    expect_refusal(w, "too_big", "4096 KiB", ERR_FILE);
}

static void invalid_utf8(void **state)
{
    struct world *w = *state;
    world_own(w, "# caf\xE9\n" TARGET);
    expect_refusal(w, "not_utf8", "UTF-8", ERR_PARSE);
    assert_int_equal(w->err.line, 1);
}

static void nul_bytes(void **state)
{
    struct world *w = *state;
    const char text[] = "[[target]]\n\0\n";
    world_write(w, ".config/diagnose/config.toml", text, sizeof text - 1);
    expect_refusal(w, "has_nul", "NUL", ERR_PARSE);
    assert_int_equal(w->err.line, 2);
}

static void all_syntax_errors_are_given_and_the_rest_goes_on(void **state)
{
    struct world *w = *state;
    world_own(w, "[[target]]\nname = \"a\"\nprovider = \"openai\"\nmodel = \"m\"\n"
                 "[[target]]\nname = \"b\"\nprovider = openai\nmodel = \"m\"\n"
                 "[[target]\nname = \"c\"\nprovider = \"openai\"\nmodel = \"m\"\n"
                 "[[target]]\nname = \"d\"\nprovider = \"openai\"\nmodel = \"m\"\n"
                 "[target.headers]\nx-a = \"hush-hush-1\" x\n"
                 "[[target]]\nname = \"e\"\nprovider = \"openai\"\nmodel = \"m\"\nmodel = \"n\"\n"
                 "[[target]]\nname = \"f\"\nprovider = \"openai\"\nmodel = \"m\"\n");
    assert_int_equal(world_load(w), ERR_OK);
    const struct problems *p = &w->config.problems;
    assert_int_equal(p->count, 4);
    assert_str(p->items[0].code, "syntax");
    assert_origin(w, p->items[0].origin, "~/.config/diagnose/config.toml:7:12");
    assert_str(p->items[0].line_text, "provider = openai");
    assert_int_equal(p->items[1].origin.line, 9);
    assert_int_equal(p->items[2].origin.line, 18);
    assert_str(p->items[2].line_text, "x-a = \"***********\" *");
    assert_str(p->items[3].code, "duplicate_key");
    assert_int_equal(w->config.target_count, 2);
    assert_non_null(find_target(w, "a"));
    assert_non_null(find_target(w, "f"));
    assert_int_equal(only_file(w)->status, CONFIG_BROKEN);
    w->request.config_path = arena_printf(w->arena, "%s/.config/diagnose/config.toml", w->home);
    assert_int_equal(world_load(w), ERR_PARSE);
    assert_string_equal(w->err.file, "~/.config/diagnose/config.toml");
    assert_int_equal(w->err.line, 7);
    assert_int_equal(w->err.column, 12);
}

static void fallback_that_names_a_broken_target_is_no_model(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[[target]]\nprovider = \"openai\"\nmodel = \"m\"\nfallback = [\"b\"]\n"
                      "[[target]]\nname = \"b\"\nprovider = \"openai\"\nmodel = n\n");
    assert_int_equal(w->config.target_count, 1);
    const struct problem *problem =
        find_problem(&w->config.targets[0].problems, "unknown_fallback");
    assert_has(problem->message, "has an error");
}

static void long_line_says_where_it_begins(void **state)
{
    struct world *w = *state;
    struct str text = arena_printf(w->arena, "name = \"%0300d\" x\n", 1);
    world_load_own(w, text.ptr);
    const struct problem *problem = find_problem(&w->config.problems, "syntax");
    assert_int_equal(problem->origin.column, 311);
    assert_true(problem->line_text.len <= 200);
    assert_true(problem->line_text_column > 100);
}

static void without_a_home_no_file_is_looked_for(void **state)
{
    struct world *w = *state;
    w->env.variables = w->variables + 1; /* HOME is the first */
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.file_count, 0);
}

static void targets_below_broken_defaults_are_skipped(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[defaults]\nkey_env = K\n" TARGET);
    assert_int_equal(w->config.target_count, 1);
    assert_has(w->config.targets[0].skip_reason, "[defaults]");
}

static void single_brackets_are_explained(void **state)
{
    struct world *w = *state;
    world_load_own(w, "[target]\nmodel = \"m\"\n[[defaults]]\nwire = \"chat\"\n");
    assert_int_equal(w->config.problems.count, 2);
    assert_has(find_problem(&w->config.problems, "bad_type")->message, "[[target]]");
    assert_int_equal(w->config.target_count, 0);
}

static void many_targets_end_in_bounded_time(void **state)
{
    struct world *w = *state;
    char *text = malloc(4 * 1024 * 1024);
    size_t length = 0;
    while (length < 3 * 1024 * 1024) {
        memcpy(text + length, "[[target]]\nx=1\n", 15);
        length += 15;
    }
    world_write(w, ".config/diagnose/config.toml", text, length);
    free(text);
    assert_int_equal(world_load(w), ERR_OK);
    assert_int_equal(w->config.target_count, 10000);
    assert_has(find_problem(&w->config.problems, "bad_value")->message, "10000");
}

static void clients_are_listed_in_order(void **state)
{
    (void)state;
    assert_int_equal(config_client_count(), 6);
    assert_str(config_client_at(0), "diagnose");
    assert_str(config_client_at(1), "codex");
    assert_str(config_client_at(4), "azure-openai-sdk");
    assert_str(config_client_at(5), "environment");
    assert_true(config_client_exists(STR("anthropic-sdk")));
    assert_false(config_client_exists(STR("anthropic")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(nothing_configured_says_where_it_looked),
        WORLD_TEST(xdg_directory_is_obeyed),
        WORLD_TEST(relative_xdg_directory_is_ignored),
        WORLD_TEST(named_file_is_the_only_one),
        WORLD_TEST(stray_file_is_named_and_not_loaded),
        WORLD_TEST(missing_named_file_is_an_error),
        WORLD_TEST(unreadable_file),
        WORLD_TEST(directory_in_place_of_file),
        WORLD_TEST(fifo_in_place_of_file),
        WORLD_TEST(circle_of_links),
        WORLD_TEST(huge_file),
        WORLD_TEST(invalid_utf8),
        WORLD_TEST(nul_bytes),
        WORLD_TEST(all_syntax_errors_are_given_and_the_rest_goes_on),
        WORLD_TEST(fallback_that_names_a_broken_target_is_no_model),
        WORLD_TEST(long_line_says_where_it_begins),
        WORLD_TEST(without_a_home_no_file_is_looked_for),
        WORLD_TEST(targets_below_broken_defaults_are_skipped),
        WORLD_TEST(single_brackets_are_explained),
        WORLD_TEST(many_targets_end_in_bounded_time),
        WORLD_TEST(clients_are_listed_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
