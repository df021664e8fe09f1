/* The human report: width, safety and content, in both languages, with and without UTF-8. */
#include "triage_fixture.h"

#include "base/text.h"
#include "report/labels.h"
#include "report/layout.h"
#include "report/report.h"

static struct str render(const struct run *run, const struct report_style *style)
{
    struct buf out = buf_create(REPORT_BYTES_MAX);
    report_format_find(STR("human"))->render(run->arena, &run->report, style, &out);
    struct str text = arena_dup(run->arena, buf_str(&out));
    buf_free(&out);
    return text;
}

static void assert_fits(struct str text, size_t columns)
{
    struct str rest = text, line;
    while (str_split(&rest, '\n', &line)) {
        if (text_columns(line) > columns) {
            fail_msg("%zu columns: %.*s", text_columns(line), STR_ARG(line));
        }
        assert_false(str_ends(line, STR(" ")));
    }
}

static void assert_no_control(struct str text)
{
    assert_int_equal(utf8_find_invalid(text), -1);
    for (size_t at = 0; at < text.len;) {
        uint32_t c;
        at += utf8_decode(text, at, &c);
        assert_true(c == '\n' || (c >= 0x20 && !(c >= 0x7F && c <= 0x9F) && c != 0x202E));
    }
}

/* A run with something of everything. */
static struct run *run_mixed(void)
{
    struct run *run = run_open();
    run_add_answer(run, "big-model-with-a-rather-long-name-2026-11-01", 503, "capacity");
    run_add_answer(run, "mini", 200, "ok");
    run_add(run, "slow", "http://127.0.0.1:1/v1", "k", 0, STEP_CONNECT, "connection_refused");
    run_add(run, "other", "https://b.example/v1", "k2", 401, STEP_ANSWER, "auth_invalid_key");
    struct result *skipped = run_add_answer(run, "none", 200, "ok");
    skipped->finding = NULL;
    skipped->observation = NULL;
    run->targets[4].skip_reason = STR("no model named; give --model");
    run->targets[1].role = ROLE_FALLBACK;
    run->targets[1].fallback_number = 1;
    run->findings[0].field = STR("error.code");
    run->findings[0].evidence = STR("server_is_overloaded and a long tail of words behind it, "
                                    "so that the line must be broken somewhere");
    run->findings[0].wait_ms = 30000;
    run->input.config_findings = run_problem(run, "config_unknown_key", "unknown_key", 2, true);
    run->input.config_finding_count = 1;
    run->report.request_count = 4;
    return run;
}

static void every_line_fits(void **state)
{
    (void)state;
    static const unsigned widths[] = {40, 60, 80, 120};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0] * 8; i++) {
        struct run *run = run_mixed();
        struct report_style style = {.columns = widths[i / 8],
                                     .is_ascii = i % 2,
                                     .is_verbose = i / 2 % 2,
                                     .is_quiet = false};
        run->input.lang = i / 4 % 2 ? LANG_ZH : LANG_EN;
        run_triage(run);
        struct str text = render(run, &style);
        assert_fits(text, widths[i / 8]);
        assert_no_control(text);
        run_close(run);
    }
}

static void hostile_strings_stay_harmless(void **state)
{
    (void)state;
    static const char hostile[] = "\033]0;x\007\xFF\xC0 \xE2\x80\xAE evil\r\n\x9B"
                                  "31m \xC2\x9B";
    struct run *run = run_mixed();
    for (size_t i = 0; i < run->input.result_count; i++) {
        run->targets[i].name = run->targets[i].model.text = STR(hostile);
        run->targets[i].client = run->targets[i].base_url.text = STR(hostile);
        run->targets[i].skip_reason = run->targets[i].key_name = STR(hostile);
        run->observations[i].request_id = run->observations[i].address = STR(hostile);
        run->observations[i].served_model = STR(hostile);
        run->findings[i].evidence = run->findings[i].field = STR(hostile);
        run->findings[i].rule_id = run->findings[i].reason = STR(hostile);
    }
    struct config_file file = {STR(hostile), CONFIG_BROKEN, STR(hostile)};
    run->report.files = &file;
    run->report.file_count = 1;
    run_triage(run);
    for (int is_verbose = 0; is_verbose < 2; is_verbose++) {
        struct report_style style = {.columns = 80, .is_verbose = is_verbose};
        struct str text = render(run, &style);
        assert_no_control(text);
        assert_fits(text, 80);
    }
    run_close(run);
}

static void it_says_what_why_and_what_to_do(void **state)
{
    (void)state;
    struct run *run = run_mixed();
    run_triage(run);
    struct report_style style = {.columns = 80};
    struct str text = render(run, &style);
    assert_holds(text, "5 models, 4 requests, 1 s");
    assert_holds(text, "is at capacity (occasional)");
    assert_holds(text, "theirs, retryable\n");
    assert_holds(text, "HTTP 503, error.code");
    assert_holds(text, "rule-capacity\n");
    assert_holds(text, "     do     ");
    assert_holds(text, "     not    ");
    assert_holds(text, "c.toml:2:1, warning\n");
    assert_holds(text, "none: skipped: no model named; give --model\n");
    assert_holds(text, "\xE2\x9C\x97");
    assert_holds(text, "exit 1 (ours); diagnose explain auth_invalid_key for more\n");
    run_close(run);
}

static void head_names_where_a_failing_target_was_said(void **state)
{
    (void)state;
    struct report_style style = {.columns = 80};
    struct run *run = run_open();
    run_add(run, "m", "https://h.example/v1", "k", 401, STEP_ANSWER, "auth_missing_key");
    run_add(run, "fine", "https://i.example/v1", "k", 200, STEP_ANSWER, "ok");
    for (size_t i = 0; i < 2; i++) {
        run->targets[i].client_version = STR("1.9.0");
        run->targets[i].model.origin = (struct origin){ORIGIN_FILE, STR("~/app.toml"), 7, 9};
        run->targets[i].base_url.origin = (struct origin){ORIGIN_FILE, STR("~/app.toml"), 8, 12};
        run->targets[i].key_origin = (struct origin){ORIGIN_ENV, STR("APP_KEY"), 0, 0};
        run->targets[i].proxy =
            (struct value){.text = STR("http://me:secret@p.example:8080"),
                           .origin = (struct origin){ORIGIN_ENV, STR("https_proxy"), 0, 0}};
        run->targets[i].note.in[LANG_EN] = i ? STR("HTTPS only") : STR("not of a failure");
    }
    run_triage(run);
    struct str text = render(run, &style);
    assert_true(str_find(text, STR("app 1.9.0")) >= 0);
    assert_true(str_find(text, STR("~/app.toml:7:9")) >= 0);
    assert_true(str_find(text, STR("~/app.toml:8:12")) >= 0);
    assert_true(str_find(text, STR("env:APP_KEY")) >= 0);
    assert_true(str_find(text, STR("App only prints: who are you?")) >= 0);
    assert_int_equal(str_find(text, STR("https://i.example")), -1);
    assert_true(str_find(text, STR("p.example:8080")) >= 0);
    assert_true(str_find(text, STR("env:https_proxy")) >= 0);
    assert_int_equal(str_find(text, STR("secret")), -1);
    assert_holds(text, "HTTPS only\n");
    assert_int_equal(str_find(text, STR("not of a failure")), -1);
    assert_fits(text, 80);
    run_close(run);
}

static void words_stand_for_marks_in_ascii(void **state)
{
    (void)state;
    struct run *run = run_mixed();
    run_triage(run);
    struct report_style style = {.columns = 80, .is_ascii = true};
    struct str text = render(run, &style);
    assert_holds(text, "FAIL");
    assert_holds(text, "ok");
    for (size_t i = 0; i < text.len; i++) {
        assert_true((unsigned char)text.ptr[i] < 0x80);
    }
    run_close(run);
}

static void colour_only_decorates(void **state)
{
    (void)state;
    struct run *run = run_mixed();
    run_triage(run);
    struct report_style plain = {.columns = 80}, coloured = {.columns = 80, .has_color = true};
    struct str want = render(run, &plain), have = render(run, &coloured);
    struct buf stripped = buf_create(REPORT_BYTES_MAX);
    assert_holds(have, "\033[");
    for (size_t i = 0; i < have.len; i++) {
        if (have.ptr[i] == '\033') {
            i += (size_t)str_find_char(str_slice(have, i, have.len), 'm');
        } else {
            buf_add_char(&stripped, have.ptr[i]);
        }
    }
    assert_str(buf_str(&stripped), want.ptr);
    buf_free(&stripped);
    run_close(run);
}

static void quiet_says_only_what_fails(void **state)
{
    (void)state;
    struct run *run = run_mixed();
    run_triage(run);
    struct report_style style = {.columns = 120, .is_quiet = true};
    struct str text = render(run, &style);
    assert_holds(text, "other refuses the key (auth_invalid_key, ours)\n");
    assert_int_equal(str_find(text, STR("mini")), -1);
    assert_int_equal(str_find(text, STR("c.toml")), -1);
    run_close(run);

    run = run_open();
    run_add_answer(run, "m", 200, "ok");
    run_triage(run);
    assert_int_equal(render(run, &style).len, 0);
    run_close(run);
}

static void many_healthy_targets_are_counted(void **state)
{
    (void)state;
    struct run *run = run_open();
    for (size_t i = 0; i < 20; i++) {
        run_add_answer(run, arena_printf(run->arena, "model-%zu", i).ptr, 200, "ok");
    }
    run_add_answer(run, "broken", 500, "server_error");
    run_triage(run);
    struct report_style style = {.columns = 80};
    struct str text = render(run, &style);
    assert_holds(text, "20 more answer");
    assert_holds(text, "broken");
    assert_int_equal(str_find(text, STR("model-7")), -1);
    style.is_verbose = true;
    assert_holds(render(run, &style), "model-7");
    run_close(run);
}

static void columns_without_failures_give_way(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "a-model-with-a-long-name", 503, "capacity");
    run_add_answer(run, "mini", 200, "ok");
    run_add(run, "nightly", "http://127.0.0.1:1/v1", "k", 0, STEP_CONNECT, "connection_refused");
    run->targets[1].role = ROLE_FALLBACK;
    run->targets[1].fallback_number = 1;
    run_triage(run);
    struct report_style style = {.columns = 80};
    struct str text = render(run, &style);
    assert_holds(text, "connect");
    assert_holds(text, "is not listening");
    assert_holds(text, "ok where reached: ");
    assert_int_equal(str_find(text, STR("nightly: ")), -1); /* no list */
    run_close(run);
}

static void a_proxy_that_works_is_named_once(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "a", 200, "ok");
    run_add_answer(run, "b", 200, "ok");
    struct report_style style = {.columns = 80};
    run_triage(run);
    assert_int_equal(str_find(render(run, &style), STR("proxy")), -1);
    for (size_t i = 0; i < 2; i++) {
        run->observations[i].is_through_proxy = true;
        run->observations[i].proxy = (struct value){
            .text = STR("http://127.0.0.1:3128"), .origin = {ORIGIN_ENV, STR("https_proxy"), 0, 0}};
    }
    struct str text = render(run, &style);
    assert_holds(text, "  proxy  http://127.0.0.1:3128");
    assert_holds(text, "env:https_proxy");
    ptrdiff_t first = str_find(text, STR("127.0.0.1:3128"));
    assert_int_equal(str_find(str_slice(text, (size_t)first + 1, text.len), STR("127.0.0.1:3128")),
                     -1);
    run_close(run);
}

static void of_many_problems_the_later_are_titles(void **state)
{
    (void)state;
    struct run *run = run_open();
    for (size_t i = 0; i < 20; i++) {
        run_add_answer(run, arena_printf(run->arena, "model-%zu", i).ptr, 404, "model_not_found");
    }
    run_triage(run);
    struct report_style style = {.columns = 80};
    struct str text = render(run, &style);
    assert_holds(text, "more problems, in short");
    assert_holds(text, " 20  model-19 is not known");
    assert_holds(text, "no model-11 at a.example");
    assert_int_equal(str_find(text, STR("no model-12 at a.example")), -1);
    style.is_verbose = true;
    assert_holds(render(run, &style), "no model-19 at a.example");
    run_close(run);
}

static void verbose_adds_times_ids_and_the_runner_up(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "m", 503, "capacity");
    run->observations[0].request_id = STR("req_42");
    run->observations[0].step_ms[STEP_TLS] = 37;
    run->findings[0].runner_up = run_diagnosis(run, "rate_limit");
    run->findings[0].runner_up_rule = STR("other-rule");
    run_triage(run);
    struct report_style style = {.columns = 80, .is_verbose = true};
    struct str text = render(run, &style);
    assert_holds(text, "req_42");
    assert_holds(text, "37 ms");
    assert_holds(text, "192.0.2.1:443");
    assert_holds(text, "rate_limit (rule other-rule)");
    style.is_verbose = false;
    assert_int_equal(str_find(render(run, &style), STR("req_42")), -1);
    run_close(run);
}

static void commands_stay_on_one_line(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "m", 503, "capacity");
    run_triage(run);
    struct str actions[] = {
        STR("Do something that takes most of a line and then some more, like this: diagnose check"),
        STR("用一句足够长的话说明为什么要这样做，使整行放不下下面的命令，于是换行：diagnose "
            "verify")};
    struct verdict verdict = run->report.verdicts[0];
    verdict.actions = actions;
    verdict.action_count = 2;
    run->report.verdicts = &verdict;
    run->report.verdict_count = 1;
    struct report_style style = {.columns = 80};
    struct str text = render(run, &style);
    assert_holds(text, "\n               diagnose check\n");
    assert_holds(text, "\n               diagnose verify\n");
    run_close(run);
}

/* A name of 100 letters with `mark` at that place. */
static const char *long_name(struct arena *arena, size_t at, const char *mark)
{
    char *name = ARENA_ARRAY(arena, 101, char);
    memset(name, 'a', 100);
    memcpy(name + at, mark, strlen(mark));
    return name;
}

static void long_names_stay_apart(void **state)
{
    (void)state;
    static const size_t places[] = {0, 30, 50, 65, 97};
    static const unsigned widths[] = {60, 80, 120};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            struct run *run = run_open();
            run_add_answer(run, long_name(run->arena, places[i], "xyz"), 503, "capacity");
            run_add_answer(run, long_name(run->arena, places[i], "uvw"), 404, "model_not_found");
            run_triage(run);
            struct report_style style = {.columns = widths[w]};
            struct str text = render(run, &style);
            struct str table = str_slice(text, 0, (size_t)str_find(text, STR("  1  ")));
            assert_holds(table, "xyz");
            assert_holds(table, "uvw");
            for (size_t v = 0; v < run->report.verdict_count; v++) {
                assert_true(str_find(run->report.verdicts[v].title, STR("xyz")) >= 0 ||
                            str_find(run->report.verdicts[v].title, STR("uvw")) >= 0);
            }
            run_close(run);
        }
    }
}

static void text_is_wrapped_and_cut_by_columns(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct buf out = buf_create(4096);
    layout_wrap(&out, STR("one two three four"), 2, 11, STR(""));
    assert_str(buf_str(&out), "one two\n  three\n  four\n");
    buf_free(&out);
    layout_wrap(&out, STR("模型容量不足，请等待"), 0, 12, STR("tail"));
    assert_str(buf_str(&out), "模型容量不\n足，请等待\n        tail\n");
    buf_free(&out);
    layout_wrap(&out, STR("abcdefghijklmnopq"), 0, 10, STR(""));
    assert_str(buf_str(&out), "abcdefghij\nklmnopq\n");
    buf_free(&out);
    layout_wrap(&out, STR("it took 0.4 s at all"), 0, 12, STR(""));
    assert_str(buf_str(&out), "it took\n0.4 s at all\n");
    buf_free(&out);
    assert_str(text_cut_middle(arena, STR("a-very-long-model-name"), 12), "a-ver...name");
    assert_str(text_cut_end(arena, STR("abcdefghij"), 8), "abcde...");
    assert_str(text_cut_middle(arena, STR("short"), 12), "short");
    struct str text = STR("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ");
    assert_str(text_cut_around(arena, text, 24, 23), "012345...mnopqr...EFGHIJ");
    assert_str(text_cut_around(arena, text, 24, 33), "012345...wxyzAB...EFGHIJ");
    assert_str(text_cut_around(arena, text, 24, 35), "012345...yzABCDEFGHIJ");
    assert_str(text_cut_around(arena, text, 24, 44), "0123456789a...ABCDEFGHIJ");
    assert_str(text_cut_around(arena, text, 46, 23), text.ptr);
    assert_str(text_cut_around(arena, STR("一二三四五六七八九十一二三四五六七八九十"), 24, 27),
               "一二三...九十一...八九十");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_names_where_a_failing_target_was_said),
        cmocka_unit_test(every_line_fits),
        cmocka_unit_test(hostile_strings_stay_harmless),
        cmocka_unit_test(it_says_what_why_and_what_to_do),
        cmocka_unit_test(words_stand_for_marks_in_ascii),
        cmocka_unit_test(colour_only_decorates),
        cmocka_unit_test(quiet_says_only_what_fails),
        cmocka_unit_test(many_healthy_targets_are_counted),
        cmocka_unit_test(columns_without_failures_give_way),
        cmocka_unit_test(a_proxy_that_works_is_named_once),
        cmocka_unit_test(of_many_problems_the_later_are_titles),
        cmocka_unit_test(verbose_adds_times_ids_and_the_runner_up),
        cmocka_unit_test(commands_stay_on_one_line),
        cmocka_unit_test(long_names_stay_apart),
        cmocka_unit_test(text_is_wrapped_and_cut_by_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
