/* The options that every command takes, and how rows are found and read. */
#include "cli/opt.h"

#include "report/report.h"

static struct str format_at(size_t i)
{
    return i < report_format_count() ? report_format_at(i)->name : (struct str){NULL, 0};
}

#define MEMBER(name) offsetof(struct options, name)
static const struct opt common_rows[] = {
    {.name = "format",
     .argument = "FORMAT",
     .kind = OPT_CHOICE,
     .member = MEMBER(format),
     .choice = format_at,
     .takes_files = true,
     .help = "form of the result on standard output; as FORMAT:FILE one more, written whole to "
             "FILE, as often as wanted"},
    {.name = "json",
     .kind = OPT_CHOICE,
     .member = MEMBER(format),
     .stands_for = "json",
     .help = "the same as --format json"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .kind = OPT_FILE,
     .member = MEMBER(output),
     .help = "write the result to FILE, whole or not at all"},
    {.name = "lang",
     .argument = "LANG",
     .kind = OPT_CHOICE,
     .member = MEMBER(lang),
     .choices = "en|zh",
     .help = "language of the result; the locale's by default"},
    {.name = "color",
     .argument = "WHEN",
     .kind = OPT_CHOICE,
     .member = MEMBER(color),
     .choices = "auto|always|never",
     .help = "colour the result; auto means on a terminal only"},
    {.name = "ascii",
     .kind = OPT_FLAG,
     .member = MEMBER(is_ascii),
     .help = "words in place of marks such as a tick"},
    {.name = "config",
     .argument = "FILE",
     .kind = OPT_FILE,
     .member = MEMBER(config),
     .help = "read this configuration file and no other"},
    {.name = "client",
     .argument = "NAME",
     .kind = OPT_TEXT,
     .member = MEMBER(client),
     .takes_client = true,
     .help = "look at the configuration of this client only, advise in its words"},
    {.name = "client-version",
     .argument = "VERSION",
     .kind = OPT_TEXT,
     .member = MEMBER(client_version),
     .help = "take the client for this version, not the one that is installed"},
    {.name = "profile",
     .letter = 'p',
     .argument = "NAME",
     .kind = OPT_TEXT,
     .member = MEMBER(profile),
     .help = "the client's profile NAME, as with codex --profile NAME"},
    {.name = "directory",
     .letter = 'C',
     .argument = "DIR",
     .kind = OPT_FILE,
     .member = MEMBER(directory),
     .help = "look for files of projects from DIR, not from here"},
    {.name = "no-history",
     .kind = OPT_FLAG,
     .member = MEMBER(is_without_history),
     .help = "neither read nor add to the history of past requests"},
    {.name = "timeout",
     .argument = "DURATION",
     .kind = OPT_DURATION,
     .member = MEMBER(timeout_ms),
     .help = "longest time for one request, as 500ms, 20s or 2m"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPT_FLAG,
     .member = MEMBER(is_quiet),
     .help = "no progress and no remarks; of a report only what fails, a line each"},
    {.name = "verbose",
     .letter = 'v',
     .kind = OPT_FLAG,
     .member = MEMBER(is_verbose),
     .help = "more detail in the result"},
    {.name = "help",
     .letter = 'h',
     .kind = OPT_FLAG,
     .member = MEMBER(wants_help),
     .help = "show help on the command"},
    {.name = "version",
     .letter = 'V',
     .kind = OPT_FLAG,
     .member = MEMBER(wants_version),
     .help = "show the versions of the program and its libraries"},
};

struct opt_table opt_common(void)
{
    return (struct opt_table){common_rows, sizeof common_rows / sizeof *common_rows};
}

struct options options_create(void)
{
    return (struct options){.timeout_ms = -1,
                            .wait_ms = -1,
                            .per_host = -1,
                            .port = -1,
                            .budget = -1,
                            .retry = -1,
                            .expect_keys = -1,
                            .min_days = -1};
}

const struct opt *opt_find(struct opt_table table, struct str name)
{
    for (size_t i = 0; i < table.count; i++) {
        if (str_eq(str_from(table.rows[i].name), name)) {
            return table.rows + i;
        }
    }
    return NULL;
}

const struct opt *opt_find_letter(struct opt_table table, char letter)
{
    for (size_t i = 0; i < table.count; i++) {
        if (table.rows[i].letter && table.rows[i].letter == letter) {
            return table.rows + i;
        }
    }
    return NULL;
}

bool opt_has_argument(const struct opt *opt)
{
    return opt->kind != OPT_FLAG && !opt->stands_for;
}

bool opt_takes_word(const struct opt *opt)
{
    return opt_has_argument(opt) && !opt->otherwise;
}

struct str opt_choice_at(const struct opt *opt, size_t i)
{
    if (opt->choice) {
        return opt->choice(i);
    }
    struct str rest = str_from(opt->choices), part = {NULL, 0};
    for (size_t at = 0; str_split(&rest, '|', &part); at++) {
        if (at == i) {
            return part;
        }
    }
    return (struct str){NULL, 0};
}
