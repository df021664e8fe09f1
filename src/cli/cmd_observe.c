/* diagnose observe: what the real client really does. Runs it against a recorder on loopback, once
 * for each kind of answer, and says what it sent, how often it tried and whether it ever asked
 * another model. */
#include "base/folder.h"
#include "base/isolate.h"
#include "cli/observe.h"
#include "cli/say.h"
#include "cli/suggest.h"
#include "rules/client.h"

#include <string.h>

#define SIGNALLED 128 /* an exit code says by this much more which signal ended a program */

static const struct opt rows[] = {
    {.name = "answers",
     .argument = "LIST",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, answers),
     .help = "kinds of answers to give, parted by commas: healthy, capacity, rate_limit, 401"},
};

/* The kinds of answers that are asked for, and where things are while it runs. */
struct stage {
    const struct script *script;
    const struct answer_kind **answers;
    size_t answer_count;
    struct str folder; /* unset = not made yet */
    struct interrupt interrupt;
};

static bool is_called(const struct answer_kind *answer, struct str word)
{
    struct str rest = answer->also, other;
    if (str_eq(answer->name, word)) {
        return true;
    }
    while (str_split(&rest, ' ', &other)) {
        if (other.len && str_eq(other, word)) {
            return true;
        }
    }
    return false;
}

static enum err_code read_answers(struct cli *cli, struct stage *stage, struct err *err)
{
    size_t known_count;
    const struct answer_kind *known = script_answers(stage->script, &known_count);
    struct str rest = cli->options.answers, word;
    struct names names = {0};
    stage->answers = ARENA_ARRAY(cli->arena, known_count + 1, const struct answer_kind *);
    for (size_t i = 0; i < known_count; i++) {
        names_add(cli->arena, &names, known[i].name);
        stage->answers[i] = &known[i];
    }
    stage->answer_count = known_count;
    if (!str_is_set(rest)) {
        return ERR_OK;
    }
    stage->answer_count = 0;
    while (str_split(&rest, ',', &word)) {
        const struct answer_kind *found = NULL;
        bool is_there = false;
        word = str_trim(word);
        for (size_t i = 0; i < known_count && !found; i++) {
            found = is_called(&known[i], word) ? &known[i] : NULL;
        }
        for (size_t i = 0; i < stage->answer_count; i++) {
            is_there = is_there || stage->answers[i] == found;
        }
        if (!found) {
            struct str list = names_list(cli->arena, &names);
            return err_set(err, ERR_USAGE, "--answers takes kinds of %.*s; \"%.*s\" is none%.*s",
                           STR_ARG(list), STR_ARG(word),
                           STR_ARG(suggest_nearest(cli->arena, &names, word)));
        }
        if (!is_there) {
            stage->answers[stage->answer_count++] = found;
        }
    }
    return ERR_OK;
}

/* Says what will run before anything does. */
static void announce(const struct observe_plan *plan, const struct stage *stage)
{
    struct cli *cli = plan->street->cli;
    struct names answers = {0};
    struct str words = plan->program;
    for (size_t i = 0; i < stage->answer_count; i++) {
        names_add(cli->arena, &answers, stage->answers[i]->name);
    }
    for (size_t i = 0; i < plan->argument_count; i++) {
        bool is_one_word = str_find_char(plan->arguments[i], ' ') < 0;
        words = arena_printf(cli->arena, is_one_word ? "%.*s %.*s" : "%.*s \"%.*s\"",
                             STR_ARG(words), STR_ARG(plan->arguments[i]));
    }
    words = mask_text(cli->arena, &plan->street->mask, words);
    struct str list = names_list(cli->arena, &answers);
    long long seconds = (long long)(plan->timeout_ms / 1000);
    struct str said =
        cli->lang == LANG_ZH
            ? arena_printf(cli->arena, "将运行 %.*s，以下每种应答各一次，每次最多 %lld 秒：%.*s",
                           STR_ARG(words), seconds, STR_ARG(list))
            : arena_printf(cli->arena, "will run %.*s once for each of %.*s, at most %lld s each",
                           STR_ARG(words), STR_ARG(list), seconds);
    say_remark(cli, "%.*s", STR_ARG(said));
    say_remark(
        cli, "%s",
        plan->row
            ? say(cli,
                  "its key goes to a recorder on loopback only; every other host is "
                  "refused; it works in a temporary directory with copies of its "
                  "configuration",
                  "其密钥只会发往本机回环上的记录器，其他主机一律拒绝；它在临时目录中运行，使用配"
                  "置的副本")
            : say(cli,
                  "its key goes to a recorder on loopback only; every other host is "
                  "refused; it works here, with its own files",
                  "其密钥只会发往本机回环上的记录器，其他主机一律拒绝；它在当前目录运行，使用自"
                  "己的文件"));
}

static enum err_code run_all(struct observation_of_client *seen, struct stage *stage,
                             struct err *err)
{
    struct cli *cli = seen->plan->street->cli;
    enum err_code code =
        folder_create(cli->arena, env_get(cli->env, "TMPDIR"), &stage->folder, err);
    seen->runs = ARENA_ARRAY(cli->arena, stage->answer_count + 1, struct observe_run);
    for (size_t i = 0; !code && i < stage->answer_count; i++) {
        struct str folder = arena_printf(cli->arena, "%.*s/%zu", STR_ARG(stage->folder), i + 1);
        seen->runs[i].answer = stage->answers[i];
        code =
            observe_once(seen->plan, stage->script, &stage->interrupt, folder, &seen->runs[i], err);
        seen->run_count = i + 1;
        if (interrupt_check(&stage->interrupt)) {
            break;
        }
        if (!code && !seen->runs[i].child.is_started) {
            code = err_set(err, ERR_USAGE, "%.*s does not start: %s", STR_ARG(seen->plan->program),
                           strerror(seen->runs[i].child.os_errno));
        }
    }
    return code;
}

static int exit_code_of(const struct observation_of_client *seen)
{
    size_t tries = 0;
    for (size_t i = 0; i < seen->run_count; i++) {
        tries += observe_try_count(&seen->runs[i]);
    }
    return str_is_set(seen->plan->refusal) || tries == 0 ? EXIT_UNKNOWN : EXIT_FINE;
}

static int print(struct observation_of_client *seen)
{
    struct cli *cli = seen->plan->street->cli;
    int exit_code = exit_code_of(seen);
    if (cli->is_json) {
        return observe_show_json(seen, exit_code);
    }
    observe_show(seen);
    return exit_code;
}

static int watch(struct observe_plan *plan, struct stage *stage, struct err *err)
{
    struct cli *cli = plan->street->cli;
    struct observation_of_client seen = {.plan = plan};
    if (str_is_set(plan->refusal)) {
        return print(&seen);
    }
    announce(plan, stage);
    plan->is_isolated = isolate_network();
    enum err_code code = interrupt_open(&stage->interrupt, err);
    if (!code) {
        code = run_all(&seen, stage, err);
        if (str_is_set(stage->folder) && !folder_remove(cli->arena, stage->folder)) {
            say_remark(cli, "%s %.*s", say(cli, "cannot remove", "无法删除"),
                       STR_ARG(stage->folder));
        }
        interrupt_close(&stage->interrupt);
    }
    if (stage->interrupt.signal_number) {
        return SIGNALLED + stage->interrupt.signal_number;
    }
    if (code) {
        return say_error(cli, err);
    }
    observe_conclude(&seen);
    return print(&seen);
}

static int run(struct cli *cli)
{
    struct err err = {0};
    struct street street = {0};
    struct stage stage = {.script = NULL};
    struct observe_plan plan;
    enum err_code code = street_open(&street, cli, &err);
    if (!code) {
        street_say_problems(&street);
        code = script_parse(cli->arena, STR("rules/observe.toml"),
                            script_embedded("rules/observe.toml"), &stage.script, &err);
    }
    code = code ? code : read_answers(cli, &stage, &err);
    code = code ? code : observe_plan(&street, &plan, &err);
    int exit_code = code ? say_error(cli, &err) : watch(&plan, &stage, &err);
    street_close(&street);
    return exit_code;
}

/* The programs of the clients whose files are known. */
static void write_words(const struct rules *rules, struct buf *out)
{
    for (size_t i = 0; i < rules_client_run_count(rules); i++) {
        const struct client_run *row = rules_client_run_at(rules, i);
        if (str_is_set(row->program)) {
            buf_printf(out, "%.*s ", STR_ARG(row->program));
        }
    }
}

const struct command command_observe = {
    .name = "observe",
    .summary = "run a real client against a recorder and say what it really does",
    .synopsis = "CLIENT|COMMAND...",
    .details =
        "Runs a real client against a recorder on loopback that answers as a provider would: "
        "healthy, at capacity, rate limited with Retry-After, and with 401, one run for each. It "
        "says what the client sends (path, model, headers, the key as its fingerprint), how often "
        "and how far apart it tries, whether it ever asks another model, and how it ends.\n\n"
        "CLIENT is codex or claude, whose files are known: it runs in a temporary directory "
        "with copies of its configuration and login, which only the user may read and which are "
        "removed afterwards; programs and hosts of its own (MCP servers, hooks, notifications) are "
        "left out. COMMAND, behind a double dash where it has options, is any program that takes "
        "its base URL from a variable, such as those on the SDKs of OpenAI and Anthropic; it runs "
        "here, with its own files.\n\n"
        "The key goes to loopback only. The client is put into a network that has loopback and "
        "nothing else where the system allows it; proxy variables lead every other host to the "
        "recorder, which refuses them all. What cannot be led there (credentials in a keyring, a "
        "host that cannot be changed) is said to be not observable. No shell is involved.\n\n"
        "--timeout is the longest time for one run, 45 seconds by default; a run that is cut is "
        "said to be cut, and all that it started is ended. The exit code is 0 when requests were "
        "seen and 5 when none was.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .write_words = write_words,
    .run = run,
};
