/* Sessions of agents at a terminal: which lines are the agent's own. */
#include "input/input.h"
#include "input/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A letter a line: "a" where it is set aside, "." where it is not. */
static void assert_aside(const char *text, bool has_failed, const char *lines)
{
    struct str rest = str_from(text), line;
    struct session session = session_begin(rest);
    assert_int_equal(session_has_failed(&session, rest), has_failed);
    for (size_t i = 0; str_split(&rest, '\n', &line); i++) {
        assert_true(i < strlen(lines));
        assert_int_equal(session_is_aside(&session, line) ? 'a' : '.', lines[i]);
    }
}

static void of_codex_exec_the_header_and_its_errors_count(void **state)
{
    (void)state;
    assert_aside("OpenAI Codex v0.171.0\nmodel: gpt-x\nuser\nfix it\nexec\n"
                 "pytest in /work\n exited 1 in 9ms:\nFAILED a\nERROR: at capacity\n{\"a\":1}\n"
                 "tokens used\n2",
                 true, "..aaaaaa....");
    assert_aside("[2025-08-01T10:00:00] OpenAI Codex v0.40.0\n[2025-08-01T10:00:00] User "
                 "instructions:\nfix it\n[2025-08-01T10:00:01] codex\n429 is wrong\n"
                 "[2025-08-01T10:00:02] ERROR: at capacity",
                 true, ".aaaa.");
}

static void of_a_screen_what_was_asked_said_and_run_is_set_aside(void **state)
{
    (void)state;
    assert_aside("> fix 429\n\n● Bash(npm test)\n  ⎿  1 failed\n\n  ⎿  API Error: 529 {}\n", true,
                 "aaaaa..");
    assert_aside("• Ran npm test\n  └ 1 failed\n■ You've hit your usage limit.", true, "aa.");
    assert_aside("● Bash(npm test)\n  ⎿  1 failed\n● API Error: 401 {}", true, "aa.");
    assert_aside("● Bash(npm test)\n  ⎿  1 failed", false, "aa");
}

static void of_gemini_what_tools_printed_is_framed(void **state)
{
    (void)state;
    assert_aside("╭──╮\n│ ✓  Shell ls │\n│ 429 │\n╰──╯\n✕ [API Error: 503]", true, ".aa..");
}

static void other_texts_are_no_session(void **state)
{
    (void)state;
    assert_aside("Error: 429 Too Many Requests\nexec\n> a", false, "...");
    assert_aside("", false, ".");
}

static void a_long_session_is_no_log(void **state)
{
    (void)state;
    char text[4096] = "OpenAI Codex v0.171.0\nexec\npytest in /work\n exited 1 in 9ms:\n";
    for (size_t i = 0; i < 60; i++) {
        strcat(text, "a plain line\n"); /* NOLINT: of a constant length */
    }
    assert_false(input_is_log(str_from(text)));
    assert_true(input_is_log(str_from(strchr(text, '\n') + sizeof "exec")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_codex_exec_the_header_and_its_errors_count),
        cmocka_unit_test(of_a_screen_what_was_asked_said_and_run_is_set_aside),
        cmocka_unit_test(of_gemini_what_tools_printed_is_framed),
        cmocka_unit_test(other_texts_are_no_session),
        cmocka_unit_test(a_long_session_is_no_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
