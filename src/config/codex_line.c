/* The options of a line of Codex. Takes the words behind the program's name, gives each option that
 * is known with its text and on which side of which subcommand it stands. What the options mean is
 * not its own. */
#include "config/codex_line.h"

#define WORDS_MAX 1000

/* Of all versions: `codex --help`, `codex exec --help` of 0.40.0 to 0.171.0. What is not listed is
 * a flag. */
static const struct codex_option options[] = {
    {.name = STR_INIT("config"), .letter = 'c', .kind = KIND_OVERRIDE},
    {.name = STR_INIT("model"), .letter = 'm', .kind = KIND_MODEL},
    {.name = STR_INIT("profile"), .letter = 'p', .kind = KIND_PROFILE},
    {.name = STR_INIT("cd"), .letter = 'C', .kind = KIND_DIRECTORY},
    {.name = STR_INIT("enable"), .kind = KIND_ENABLE},
    {.name = STR_INIT("disable"), .kind = KIND_DISABLE},
    {.name = STR_INIT("oss"), .kind = KIND_OSS},
    {.name = STR_INIT("local-provider"), .kind = KIND_OSS_PROVIDER},
    {.name = STR_INIT("ignore-user-config"), .kind = KIND_NO_USER_FILE},
    {.name = STR_INIT("trust"), .kind = KIND_TRUST},
    {.name = STR_INIT("strict-config"), .kind = KIND_STRICT},
    {.name = STR_INIT("image"), .letter = 'i', .kind = KIND_VALUES},
    {.name = STR_INIT("sandbox"), .letter = 's', .kind = KIND_VALUE},
    {.name = STR_INIT("ask-for-approval"), .letter = 'a', .kind = KIND_VALUE},
    {.name = STR_INIT("output-last-message"), .letter = 'o', .kind = KIND_VALUE},
    {.name = STR_INIT("add-dir"), .kind = KIND_VALUE},
    {.name = STR_INIT("remote"), .kind = KIND_VALUE},
    {.name = STR_INIT("remote-auth-token-env"), .kind = KIND_VALUE},
    {.name = STR_INIT("output-schema"), .kind = KIND_VALUE},
    {.name = STR_INIT("color"), .kind = KIND_VALUE},
    {.name = STR_INIT("base"), .kind = KIND_VALUE},
    {.name = STR_INIT("commit"), .kind = KIND_VALUE},
    {.name = STR_INIT("title"), .kind = KIND_VALUE},
    {.name = STR_INIT("thread-source"), .kind = KIND_VALUE},
    {.name = STR_INIT("cyber-access-program"), .kind = KIND_VALUE},
};

/* Subcommands that send requests and have options of their own. */
static const struct str subcommands[] = {STR_INIT("exec"), STR_INIT("e"), STR_INIT("resume"),
                                         STR_INIT("review"), STR_INIT("fork")};

struct reading {
    struct arena *arena;
    const struct str *words;
    size_t count, at;
    unsigned level;
    struct str subcommand; /* the last one */
    struct codex_said *said;
    size_t said_count;
};

static const struct codex_option *find_long(struct str name)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (str_eq(options[i].name, name)) {
            return &options[i];
        }
    }
    return NULL;
}

static const struct codex_option *find_letter(char letter)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].letter == letter) {
            return &options[i];
        }
    }
    return NULL;
}

static bool is_flag(const struct codex_option *option)
{
    return option->kind == KIND_FLAG || option->kind == KIND_OSS ||
           option->kind == KIND_NO_USER_FILE || option->kind == KIND_TRUST ||
           option->kind == KIND_STRICT;
}

static bool is_option(struct str word)
{
    return word.len > 1 && word.ptr[0] == '-';
}

static void add_said(struct reading *reading, const struct codex_option *option, struct str shown,
                     struct str text)
{
    reading->said[reading->said_count++] = (struct codex_said){
        .option = option, .shown = shown, .text = text, .level = reading->level};
}

/* The rest of the word, or the next one. */
static struct str argument_of(struct reading *reading, const struct codex_option *option,
                              struct str joined)
{
    struct str text = joined;
    if (!is_flag(option) && !str_is_set(joined) && reading->at + 1 < reading->count) {
        text = reading->words[++reading->at];
    }
    while (option->kind == KIND_VALUES && reading->at + 1 < reading->count &&
           !is_option(reading->words[reading->at + 1])) {
        reading->at++;
    }
    return text;
}

static void read_long(struct reading *reading, struct str word)
{
    struct str rest = str_slice(word, 2, word.len), name = {NULL, 0};
    str_split(&rest, '=', &name);
    const struct codex_option *option = find_long(name);
    if (option) {
        struct str shown = str_slice(word, 0, 2 + name.len);
        add_said(reading, option, shown, argument_of(reading, option, rest));
    }
}

/* -m NAME, -mNAME, -m=NAME; letters that are not known are flags, which may be bundled. */
static void read_short(struct reading *reading, struct str word)
{
    for (size_t i = 1; i < word.len; i++) {
        const struct codex_option *option = find_letter(word.ptr[i]);
        if (option) {
            struct str joined = str_slice(word, i + 1, word.len);
            joined = str_starts(joined, STR("=")) ? str_slice(joined, 1, joined.len) : joined;
            struct str shown = arena_printf(reading->arena, "-%c", word.ptr[i]);
            bool has_more = i + 1 < word.len;
            add_said(reading, option, shown,
                     argument_of(reading, option, has_more ? joined : (struct str){NULL, 0}));
            return;
        }
    }
}

static bool is_subcommand(struct str word)
{
    for (size_t i = 0; i < sizeof subcommands / sizeof subcommands[0]; i++) {
        if (str_eq(subcommands[i], word)) {
            return true;
        }
    }
    return false;
}

/* "exec" and, behind it, "resume": only the first operands are subcommands, the rest is a prompt.
 */
static void read_words(struct reading *reading)
{
    bool is_over = false, is_prompt = false;
    for (; reading->at < reading->count; reading->at++) {
        struct str word = reading->words[reading->at];
        if (is_over || !is_option(word)) {
            is_prompt = is_prompt || is_over || reading->level == 2 || !is_subcommand(word);
            if (!is_prompt) {
                reading->level++;
                reading->subcommand = word;
            }
        } else if (str_eq(word, STR("--"))) {
            is_over = true;
        } else if (str_starts(word, STR("--"))) {
            read_long(reading, word);
        } else {
            read_short(reading, word);
        }
    }
}

struct codex_line codex_read_line(struct arena *arena, const struct str *words, size_t count)
{
    struct reading reading = {
        .arena = arena, .words = words, .count = count < WORDS_MAX ? count : WORDS_MAX};
    reading.said = ARENA_ARRAY(arena, reading.count + 1, struct codex_said);
    read_words(&reading);
    return (struct codex_line){.said = reading.said,
                               .said_count = reading.said_count,
                               .level = reading.level,
                               .subcommand = reading.subcommand};
}
