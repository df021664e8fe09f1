/* diagnose pick: the first model of a chain that answers now, alone on standard output, so that
 * codex -m "$(diagnose pick)" works. */
#include "base/program.h"
#include "cli/json.h"
#include "cli/pick_round.h"
#include "cli/plan_show.h"
#include "cli/say.h"
#include "cli/street.h"

#include <errno.h>
#include <string.h>

static const struct opt rows[] = {
    {.name = "wait",
     .argument = "DURATION",
     .kind = OPT_DURATION,
     .otherwise = "10m",
     .member = offsetof(struct options, wait_ms),
     .help = "ask again until a model answers, at most so long; 10m when it is not said"},
    {.name = "exec",
     .argument = "COMMAND...",
     .kind = OPT_REST,
     .member = offsetof(struct options, exec),
     .help = "run COMMAND with the model in place of {}, and give its exit code"},
    OPT_DRY_RUN,
    OPT_PER_HOST,
};

/* Keeps the targets of the first chain. Readers are called in the order of precedence, so the first
 * target belongs to the chain that is meant. */
static void keep_first_chain(struct street *street)
{
    size_t kept = 0;
    for (size_t i = 0; i < street->target_count; i++) {
        if (str_eq(street->targets[i]->chain, street->targets[0]->chain) &&
            str_eq(street->targets[i]->client, street->targets[0]->client)) {
            street->targets[kept++] = street->targets[i];
        }
    }
    street->target_count = kept;
}

/* The chain's target of that name or model; for any other word what the first target is when
 * --model names it, so that a model that is part of a URL gets there too. NULL when that cannot be
 * loaded. */
static const struct target *target_for(struct street *street, struct str word, struct err *err)
{
    struct arena *arena = street->cli->arena;
    for (size_t i = 0; i < street->target_count; i++) {
        if (str_eq(street->targets[i]->name, word) ||
            str_eq(street->targets[i]->model.text, word)) {
            return street->targets[i];
        }
    }
    struct config *config = ARENA_NEW(arena, struct config);
    struct config_request request = street_config_request(street->cli);
    request.model = word;
    if (config_load(arena, street->cli->env, street->rules, &request, config, err) ||
        config->target_count == 0) {
        return NULL;
    }
    config->targets[0].name = word;
    return &config->targets[0];
}

/* The value of --wait stands behind a sign; without it, it would be asked for as a model. */
static enum err_code refuse_time(const struct cli *cli, struct err *err)
{
    int64_t time_ms;
    for (size_t i = 0; cli->options.wait_ms > 0 && i < cli->operand_count; i++) {
        if (str_to_duration_ms(cli->operands[i], &time_ms)) {
            return err_set(err, ERR_USAGE, "\"%.*s\" is no model; to wait so long: --wait=%.*s",
                           STR_ARG(cli->operands[i]), STR_ARG(cli->operands[i]));
        }
    }
    return ERR_OK;
}

static enum err_code take_operands(struct street *street, struct err *err)
{
    struct cli *cli = street->cli;
    if (refuse_time(cli, err)) {
        return ERR_USAGE;
    }
    if (cli->operand_count == 0 || street->target_count == 0) {
        return ERR_OK;
    }
    const struct target **targets =
        ARENA_ARRAY(cli->arena, cli->operand_count, const struct target *);
    for (size_t i = 0; i < cli->operand_count; i++) {
        targets[i] = target_for(street, cli->operands[i], err);
        if (!targets[i]) {
            return ERR_FILE;
        }
    }
    street->targets = targets;
    street->target_count = cli->operand_count;
    return ERR_OK;
}

static void remark_chain(struct street *street)
{
    struct cli *cli = street->cli;
    struct str list = {NULL, 0};
    for (size_t i = 0; i < street->target_count; i++) {
        list = arena_printf(cli->arena, "%.*s%s%.*s", STR_ARG(list), i ? ", " : "",
                            STR_ARG(street->targets[i]->model.text));
    }
    struct origin place = street->targets[0]->base_url.origin;
    struct str origin = origin_text(cli->arena, place);
    say_remark(cli, "%s %.*s (%.*s): %.*s", say(cli, "chain of", "备用链："),
               STR_ARG(street->targets[0]->client), STR_ARG(origin), STR_ARG(list));
}

/* What a result is called in words. */
static struct str fate_of(const struct cli *cli, const struct result *result)
{
    if (result->status == TARGET_OK) {
        return str_from(say(cli, "answers", "可用"));
    }
    return result->finding ? result->finding->diagnosis->title.in[cli->lang]
                           : result->target->skip_reason;
}

static int show_json(struct street *street, const struct rounds *rounds,
                     const struct target *picked, int exit_code)
{
    struct cli *cli = street->cli;
    struct cJSON *root = json_begin(cli);
    json_text(cli->arena, root, "picked", picked ? picked->model.text : (struct str){NULL, 0});
    struct cJSON *tries = json_array(root, "tries");
    for (size_t i = 0; i < rounds->try_count; i++) {
        const struct result *result = &rounds->tries[i].result;
        struct cJSON *item = json_element(tries);
        json_text(cli->arena, item, "name", result->target->name);
        json_text(cli->arena, item, "model", result->target->model.text);
        json_number(item, "at_ms", rounds->tries[i].at_ms);
        json_text(cli->arena, item, "status", target_status_name(result->status));
        json_text(cli->arena, item, "diagnosis",
                  result->finding ? result->finding->diagnosis->id : (struct str){NULL, 0});
        json_text(cli->arena, item, "blame",
                  result->finding ? blame_name(result->finding->diagnosis->blame)
                                  : (struct str){NULL, 0});
    }
    json_text(cli->arena, root, "client",
              street->target_count ? street->targets[0]->client : (struct str){NULL, 0});
    json_text(cli->arena, root, "summary", street->report.summary);
    return json_end(cli, root, exit_code);
}

static void remark_failures(struct cli *cli, const struct rounds *rounds)
{
    const struct link *answering = pick_answering(rounds);
    for (size_t i = 0; i < rounds->link_count && &rounds->links[i] != answering; i++) {
        const struct result *result = &rounds->links[i].result;
        say_remark(cli, "%.*s: %.*s", STR_ARG(result->target->model.text),
                   STR_ARG(fate_of(cli, result)));
    }
}

/* The command's words with the model in place of each {}. */
static const char *const *command_line(struct cli *cli, struct str model)
{
    const struct words *words = &cli->options.exec;
    const char **argv = ARENA_ARRAY(cli->arena, words->count + 1, const char *);
    for (size_t i = 0; i < words->count; i++) {
        struct str rest = words->items[i], word = {"", 0};
        ptrdiff_t at;
        while ((at = str_find(rest, STR("{}"))) >= 0) {
            word = arena_printf(cli->arena, "%.*s%.*s%.*s", STR_ARG(word),
                                STR_ARG(str_slice(rest, 0, (size_t)at)), STR_ARG(model));
            rest = str_slice(rest, (size_t)at + 2, rest.len);
        }
        argv[i] = arena_printf(cli->arena, "%.*s%.*s", STR_ARG(word), STR_ARG(rest)).ptr;
    }
    return argv;
}

/* Runs the command in place of this program, so its exit code is ours. */
static int become(struct cli *cli, const struct target *picked)
{
    struct err err = {0};
    const char *const *argv = command_line(cli, picked->model.text);
    fflush(cli->streams.errors);
    program_become(cli->env, argv);
    err_set(&err, ERR_USAGE, "--exec: %s cannot be run: %s", argv[0], strerror(errno));
    return say_error(cli, &err);
}

static long long whole_seconds(int64_t ms)
{
    return (long long)((ms + 999) / 1000);
}

/* The next try is past the end of --wait: how far off it is, and a --wait that holds it. */
static void remark_too_short(struct street *street, const struct rounds *rounds)
{
    struct cli *cli = street->cli;
    struct pause pause = pick_pause(street, rounds);
    int64_t spent_ms = cli->env->monotonic_ms(cli->env->clock) - rounds->begun_ms;
    int64_t enough_ms = spent_ms + pause.ms + pick_jitter_max_ms(pause.ms);
    struct str text =
        pause.is_asked
            ? say_with(cli,
                       "the server asks to wait %lld s, so the next try would be past the end of "
                       "--wait; --wait=%llds would do",
                       "服务器要求等待 %lld 秒，下次重试会超出 --wait 的时限；可用 --wait=%llds",
                       whole_seconds(pause.ms), whole_seconds(enough_ms))
            : say_with(cli,
                       "the next try is due in %lld s, past the end of --wait; --wait=%llds would "
                       "do",
                       "下次重试在 %lld 秒后，会超出 --wait 的时限；可用 --wait=%llds",
                       whole_seconds(pause.ms), whole_seconds(enough_ms));
    say_remark(cli, "%.*s", STR_ARG(text));
}

/* Why --wait waits no longer. */
static void remark_end(struct street *street, const struct rounds *rounds)
{
    struct cli *cli = street->cli;
    if (cli->options.wait_ms <= 0 || pick_answering(rounds)) {
        return;
    }
    if (pick_is_live(rounds)) {
        remark_too_short(street, rounds);
    } else {
        say_remark(cli, "%s",
                   say(cli, "no longer waiting: no cause passes by itself",
                       "不再等待：没有一个原因会自行消失"));
    }
}

static int show(struct street *street, const struct rounds *rounds)
{
    struct cli *cli = street->cli;
    const struct link *answering = pick_answering(rounds);
    const struct target *picked = answering ? answering->result.target : NULL;
    int exit_code = picked ? EXIT_FINE : street->report.exit_code;
    remark_failures(cli, rounds);
    remark_end(street, rounds);
    if (picked && cli->options.exec.count) {
        return become(cli, picked);
    }
    if (cli->is_json) {
        return show_json(street, rounds, picked, exit_code);
    }
    if (picked) {
        buf_printf(&cli->out, "%.*s\n", STR_ARG(picked->model.text));
    }
    return exit_code;
}

/* Asks round after round until a link answers, none is worth asking, or the time is over. */
static enum err_code ask(struct street *street, struct rounds *rounds, struct err *err)
{
    struct cli *cli = street->cli;
    int64_t next_ms;
    pick_rounds_begin(street, cli->options.wait_ms > 0 ? cli->options.wait_ms : 0, rounds);
    enum err_code code = pick_round(street, rounds, err);
    while (code == ERR_OK && !pick_answering(rounds) && cli->options.wait_ms > 0 &&
           (next_ms = pick_next_ms(street, rounds)) >= 0) {
        int64_t pause_ms = next_ms - cli->env->monotonic_ms(cli->env->clock);
        remark_failures(cli, rounds);
        struct str again =
            say_with(cli, "trying again in %lld s", "%lld 秒后重试", whole_seconds(pause_ms));
        say_remark(cli, "%.*s", STR_ARG(again));
        fflush(cli->streams.errors);
        if (pause_ms > 0 && cli->env->pause_ms) {
            cli->env->pause_ms(cli->env->clock, pause_ms);
        }
        code = pick_round(street, rounds, err);
    }
    return code;
}

/* No chain: the problems say why, or there is nothing configured at all. */
static int show_nothing(struct street *street)
{
    struct cli *cli = street->cli;
    int exit_code = street_is_empty(street) ? EXIT_UNKNOWN : EXIT_OURS;
    street_say_problems(street);
    fprintf(cli->streams.errors, "diagnose: nothing is configured to pick from; diagnose config "
                                 "shows where it looked\n");
    struct rounds none = {0};
    return cli->is_json ? show_json(street, &none, NULL, exit_code) : exit_code;
}

static int run_street(struct street *street, struct err *err)
{
    struct cli *cli = street->cli;
    struct plan plan = {0}, key_proofs = {0};
    struct rounds rounds = {0};
    if (street_configure(street, err)) {
        return say_error_of_file(cli, err, &street->config.problems);
    }
    keep_first_chain(street);
    if (take_operands(street, err)) {
        return say_error(cli, err);
    }
    if (street->target_count == 0) {
        return show_nothing(street);
    }
    street_plan(street, &plan, &key_proofs);
    if (cli->options.is_dry_run) {
        return plan_show(street, &plan, &key_proofs);
    }
    remark_chain(street);
    say_remark(cli, "%s", plan_sentence(cli, &plan));
    return ask(street, &rounds, err) ? say_error(cli, err) : show(street, &rounds);
}

static int run(struct cli *cli)
{
    return street_with(cli, run_street);
}

const struct command command_pick = {
    .name = "pick",
    .summary = "print the first model of the chain that answers now",
    .synopsis = "[MODEL...]",
    .details =
        "Probes one chain of models, a primary and its fallbacks, and prints the name of the first "
        "one that answers, so that codex -m \"$(diagnose pick)\" works. The chain is that of "
        "--client, else the first of the own configuration, else of the clients, the variables of "
        "SDKs last; standard error names it. MODEL gives the chain to try instead, on the same "
        "endpoint.\n\n"
        "With --wait it goes round the chain until a model answers: no sooner than the server "
        "asks, "
        "else after 2, 4, 8 ... 60 s, or after 30 s, 2 and 5 min when there is a single model. It "
        "stops at once when no cause passes by itself, such as a quota or a refused key. --exec "
        "takes the rest of the line: diagnose pick --wait --exec codex -m {}\n\n"
        "The exit code is 0 when a model was printed, else by the blame for what failed.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .keeps_history = true,
    .run = run,
};
