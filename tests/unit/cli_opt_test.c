/* The option parser: what it takes, what it refuses and in which words. */
#include "cli/opt.h"
#include "cli/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define WORDS_MAX 8

static const struct opt rows[] = {
    {.name = "dry-run",
     .letter = 'n',
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_dry_run)},
    {.name = "model",
     .letter = 'm',
     .argument = "MODEL",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, model)},
    {.name = "port",
     .argument = "N",
     .kind = OPT_INTEGER,
     .min = 1,
     .max = 65535,
     .member = offsetof(struct options, port)},
    {.name = "mdoc",
     .kind = OPT_FLAG,
     .is_hidden = true,
     .member = offsetof(struct options, wants_mdoc)},
};

struct parsed {
    enum err_code code;
    struct options options;
    const struct str *operands;
    size_t operand_count;
    struct err err;
};

static struct parsed parse(struct arena *arena, const char *const *words, int skip)
{
    struct parsed parsed = {.options = options_create()};
    struct opt_table tables[] = {{rows, sizeof rows / sizeof *rows}, opt_common()};
    char program[] = "diagnose";
    char *argv[WORDS_MAX + 2] = {program};
    int argc = 1;
    for (; words[argc - 1]; argc++) {
        struct str copy = arena_dup(arena, str_from(words[argc - 1]));
        argv[argc] = arena_alloc(arena, copy.len + 1);
        memcpy(argv[argc], copy.ptr, copy.len);
    }
    parsed.code = opt_parse(arena, tables, 2, argc, argv, skip, &parsed.options, &parsed.operands,
                            &parsed.operand_count, &parsed.err);
    return parsed;
}

#define PARSE(...) parse(arena, (const char *const[WORDS_MAX + 1]){__VA_ARGS__}, 0)

static int with_arena(void **state)
{
    *state = arena_create();
    return 0;
}

static int free_arena(void **state)
{
    arena_free(*state);
    return 0;
}

static void takes_arguments_in_each_form(void **state)
{
    struct arena *arena = *state;
    static const char *const forms[][3] = {
        {"--model=gpt-x", NULL}, {"--model", "gpt-x", NULL}, {"-mgpt-x", NULL}, {"-m", "gpt-x"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct parsed parsed = PARSE(forms[i][0], forms[i][1]);
        assert_int_equal(parsed.code, ERR_OK);
        assert_true(str_eq(parsed.options.model, STR("gpt-x")));
        assert_int_equal(parsed.operand_count, 0);
    }
    struct parsed bundle = PARSE("-nqm", "x", "-v");
    assert_int_equal(bundle.code, ERR_OK);
    assert_true(bundle.options.is_dry_run && bundle.options.is_quiet && bundle.options.is_verbose);
    assert_true(str_eq(bundle.options.model, STR("x")));
}

static void keeps_operands_in_order_and_dashes_behind_the_end_mark(void **state)
{
    struct arena *arena = *state;
    struct parsed parsed = PARSE("a", "-", "--json", "b", "--", "--model", "-q");
    assert_int_equal(parsed.code, ERR_OK);
    static const char *const wanted[] = {"a", "-", "b", "--model", "-q"};
    assert_int_equal(parsed.operand_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(str_eq(parsed.operands[i], str_from(wanted[i])));
    }
    assert_true(str_eq(parsed.options.format, STR("json")));
    assert_false(parsed.options.is_quiet);
    assert_false(str_is_set(parsed.options.model));
}

static void leaves_out_the_command_word(void **state)
{
    struct arena *arena = *state;
    struct parsed parsed = parse(arena, (const char *const[]){"-q", "demo", "x", NULL}, 2);
    assert_int_equal(parsed.operand_count, 1);
    assert_true(str_eq(parsed.operands[0], STR("x")));
}

static void reads_durations_and_numbers_within_bounds(void **state)
{
    struct arena *arena = *state;
    assert_true(PARSE("--timeout=1.5m").options.timeout_ms == 90000);
    assert_true(PARSE("--port", "65535").options.port == 65535);
    struct parsed nothing = PARSE("-q");
    assert_true(nothing.options.timeout_ms == -1 && nothing.options.port == -1);
}

static void says_what_was_expected(void **state)
{
    struct arena *arena = *state;
    static const struct {
        const char *words[3];
        const char *text; /* part of the message */
    } cases[] = {
        {{"--timeout", "5"}, "--timeout takes a duration such as 500ms, 20s, 10m or 2h, not \"5\""},
        {{"--timeout=-1s"}, "--timeout takes a duration"},
        {{"--port=0"}, "from 1 to 65535, not \"0\""},
        {{"--port=65536"}, "not \"65536\""},
        {{"--port=12x"}, "not \"12x\""},
        {{"--port=99999999999999999999"}, "takes a whole number"},
        {{"--lang=fr"}, "--lang takes one of en, zh, not \"fr\""},
        {{"--format", "jsn"}, "not \"jsn\"; did you mean \"json\""},
        {{"--color=allways"}, "did you mean \"always\"?"},
        {{"--model="}, "--model takes MODEL, and nothing was given"},
        {{"--model"}, "--model takes an argument: --model=MODEL"},
        {{"-m"}, "--model takes an argument"},
        {{"--json=yes"}, "--json takes no argument"},
        {{"--dry-run=1"}, "--dry-run takes no argument"},
        {{"--dryrun"}, "unknown option --dryrun; did you mean --dry-run?"},
        {{"--out=x"}, "unknown option --out; did you mean --output?"},
        {{"--zzzzzz"}, "unknown option --zzzzzz; --help lists the options"},
        {{"-qx"}, "unknown option -x in \"-qx\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct parsed parsed = PARSE(cases[i].words[0], cases[i].words[1], cases[i].words[2]);
        assert_int_equal(parsed.code, ERR_USAGE);
        if (!strstr(parsed.err.text, cases[i].text)) {
            fail_msg("\"%s\" lacks \"%s\"", parsed.err.text, cases[i].text);
        }
    }
}

static void does_not_offer_hidden_options(void **state)
{
    struct arena *arena = *state;
    assert_null(strstr(PARSE("--mdo").err.text, "mdoc"));
    assert_true(PARSE("--mdoc").options.wants_mdoc);
}

static void last_of_several_wins(void **state)
{
    struct arena *arena = *state;
    struct parsed parsed = PARSE("--json", "--format=human", "--lang=zh", "--lang=en");
    assert_true(str_eq(parsed.options.format, STR("human")));
    assert_true(str_eq(parsed.options.lang, STR("en")));
}

static void offers_the_nearest_names_once(void **state)
{
    struct arena *arena = *state;
    struct names names = {0};
    static const char *const known[] = {"timeout", "capacity", "capacity", "capacity-occasional"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        names_add(arena, &names, str_from(known[i]));
    }
    assert_true(str_eq(suggest_nearest(arena, &names, STR("capacty")),
                       STR("; did you mean \"capacity\"?")));
    assert_true(str_eq(suggest_nearest(arena, &names, STR("cap")),
                       STR("; did you mean \"capacity\" or \"capacity-occasional\"?")));
    assert_true(str_eq(suggest_nearest(arena, &names, STR("xyzzy")), STR("")));
}

/* Rows are what help, page and completions are made of: none may be without its parts. */
static void common_rows_are_whole_and_unique(void **state)
{
    (void)state;
    struct opt_table common = opt_common();
    for (size_t i = 0; i < common.count; i++) {
        const struct opt *opt = &common.rows[i];
        assert_non_null(opt->help);
        assert_true(strlen(opt->help) > 0 && opt->help[strlen(opt->help) - 1] != '.');
        assert_int_equal(opt_has_argument(opt), opt->argument != NULL);
        assert_ptr_equal(opt_find(common, str_from(opt->name)), opt);
        assert_true(!opt->letter || opt_find_letter(common, opt->letter) == opt);
        if (opt->kind == OPT_CHOICE && !opt->stands_for) {
            assert_true(str_is_set(opt_choice_at(opt, 1)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(takes_arguments_in_each_form, with_arena, free_arena),
        cmocka_unit_test_setup_teardown(keeps_operands_in_order_and_dashes_behind_the_end_mark,
                                        with_arena, free_arena),
        cmocka_unit_test_setup_teardown(leaves_out_the_command_word, with_arena, free_arena),
        cmocka_unit_test_setup_teardown(reads_durations_and_numbers_within_bounds, with_arena,
                                        free_arena),
        cmocka_unit_test_setup_teardown(says_what_was_expected, with_arena, free_arena),
        cmocka_unit_test_setup_teardown(does_not_offer_hidden_options, with_arena, free_arena),
        cmocka_unit_test_setup_teardown(last_of_several_wins, with_arena, free_arena),
        cmocka_unit_test_setup_teardown(offers_the_nearest_names_once, with_arena, free_arena),
        cmocka_unit_test(common_rows_are_whole_and_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
