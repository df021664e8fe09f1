/* The option parser. Takes argv and tables of option rows, gives struct options and the operands.
 * Long options take their argument behind '=' or as the next word, short ones may be bundled; names
 * are never completed silently. It knows nothing of commands and prints nothing. */
#include "cli/opt.h"
#include "cli/suggest.h"

#include <string.h>

/* What one call of opt_parse works on. */
struct parse {
    struct arena *arena;
    const struct opt_table *tables;
    size_t table_count;
    int argc, at; /* at = the word under way */
    char *const *argv;
    struct options *options;
    struct str *operands;
    size_t operand_count, operand_capacity;
    struct err *err;
};

static enum err_code refuse_choice(struct parse *parse, const struct opt *opt, struct str text)
{
    struct str choice;
    struct names names = {0};
    for (size_t i = 0; str_is_set(choice = opt_choice_at(opt, i)); i++) {
        names_add(parse->arena, &names, choice);
    }
    struct str list = names_list(parse->arena, &names);
    struct str hint = suggest_nearest(parse->arena, &names, text);
    return err_set(parse->err, ERR_USAGE, "--%s takes one of %.*s, not \"%.*s\"%.*s", opt->name,
                   STR_ARG(list), STR_ARG(text), STR_ARG(hint));
}

static bool is_choice(const struct opt *opt, struct str text)
{
    struct str choice;
    for (size_t i = 0; str_is_set(choice = opt_choice_at(opt, i)); i++) {
        if (str_eq(choice, text)) {
            return true;
        }
    }
    return false;
}

static enum err_code add_output(struct parse *parse, const struct opt *opt, struct output output)
{
    struct outputs *outputs = &parse->options->outputs;
    if (output.path.len == 0) {
        return err_set(parse->err, ERR_USAGE, "--%s %.*s: is to name a file behind the colon",
                       opt->name, STR_ARG(output.format));
    }
    for (size_t i = 0; i < outputs->count; i++) {
        if (str_eq(outputs->items[i].path, output.path)) {
            return err_set(parse->err, ERR_USAGE, "--%s names %.*s twice", opt->name,
                           STR_ARG(output.path));
        }
    }
    outputs->items = arena_grow(parse->arena, outputs->items, outputs->count, &outputs->capacity,
                                sizeof *outputs->items);
    outputs->items[outputs->count++] = output;
    return ERR_OK;
}

static enum err_code set_choice(struct parse *parse, const struct opt *opt, struct str text)
{
    struct str rest = text, word = text;
    if (opt->takes_files) {
        str_split(&rest, ':', &word);
    }
    if (!is_choice(opt, word)) {
        return refuse_choice(parse, opt, word);
    }
    if (opt->takes_files && str_is_set(rest)) {
        return add_output(parse, opt, (struct output){word, rest});
    }
    memcpy((char *)parse->options + opt->member, &word, sizeof word);
    return ERR_OK;
}

static enum err_code set_number(struct parse *parse, const struct opt *opt, struct str text)
{
    int64_t number = 0;
    if (opt->kind == OPT_DURATION) {
        if (!str_to_duration_ms(text, &number) || number <= 0) {
            return err_set(parse->err, ERR_USAGE,
                           "--%s takes a duration such as 500ms, 20s, 10m or 2h, not \"%.*s\"",
                           opt->name, STR_ARG(text));
        }
    } else if (!str_to_i64(text, &number) || number < opt->min || number > opt->max) {
        return err_set(parse->err, ERR_USAGE,
                       "--%s takes a whole number from %lld to %lld, not \"%.*s\"", opt->name,
                       (long long)opt->min, (long long)opt->max, STR_ARG(text));
    }
    memcpy((char *)parse->options + opt->member, &number, sizeof number);
    return ERR_OK;
}

static void add_word(struct parse *parse, const struct opt *opt, struct str text)
{
    struct words words;
    memcpy(&words, (char *)parse->options + opt->member, sizeof words);
    words.items =
        arena_grow(parse->arena, words.items, words.count, &words.capacity, sizeof *words.items);
    words.items[words.count++] = text;
    memcpy((char *)parse->options + opt->member, &words, sizeof words);
}

static enum err_code set(struct parse *parse, const struct opt *opt, struct str text)
{
    if (opt->stands_for) {
        text = str_from(opt->stands_for);
        memcpy((char *)parse->options + opt->member, &text, sizeof text);
        return ERR_OK;
    }
    if (opt->kind == OPT_FLAG) {
        bool is_given = true;
        memcpy((char *)parse->options + opt->member, &is_given, sizeof is_given);
        return ERR_OK;
    }
    if (text.len == 0) {
        return err_set(parse->err, ERR_USAGE, "--%s takes %s, and nothing was given", opt->name,
                       opt->argument);
    }
    switch (opt->kind) {
    case OPT_CHOICE:
        return set_choice(parse, opt, text);
    case OPT_LIST:
    case OPT_REST:
        add_word(parse, opt, text);
        return ERR_OK;
    case OPT_DURATION:
    case OPT_INTEGER:
        return set_number(parse, opt, text);
    default:
        memcpy((char *)parse->options + opt->member, &text, sizeof text);
        return ERR_OK;
    }
}

/* The next word as an option's argument. */
static enum err_code take_word(struct parse *parse, const struct opt *opt, struct str *text)
{
    if (parse->at + 1 >= parse->argc) {
        return err_set(parse->err, ERR_USAGE, "--%s takes an argument: --%s=%s", opt->name,
                       opt->name, opt->argument);
    }
    *text = str_from(parse->argv[++parse->at]);
    return ERR_OK;
}

static enum err_code parse_long(struct parse *parse, struct str word)
{
    struct str rest = word, name = {NULL, 0};
    str_split(&rest, '=', &name); /* rest is unset when there is no '=' */
    const struct opt *opt = NULL;
    struct names names = {0};
    for (size_t i = 0; !opt && i < parse->table_count; i++) {
        opt = opt_find(parse->tables[i], name);
        for (size_t j = 0; j < parse->tables[i].count; j++) {
            if (!parse->tables[i].rows[j].is_hidden) {
                names_add(parse->arena, &names, str_from(parse->tables[i].rows[j].name));
            }
        }
    }
    if (!opt) {
        struct str hint = suggest_option(parse->arena, &names, name);
        return err_set(parse->err, ERR_USAGE, "unknown option --%.*s%.*s", STR_ARG(name),
                       STR_ARG(hint));
    }
    if (!opt_has_argument(opt) && str_is_set(rest)) {
        return err_set(parse->err, ERR_USAGE, "--%s takes no argument", opt->name);
    }
    enum err_code code = ERR_OK;
    if (opt->otherwise && !str_is_set(rest)) {
        rest = str_from(opt->otherwise);
    }
    if (opt_has_argument(opt) && !str_is_set(rest)) {
        code = take_word(parse, opt, &rest);
    }
    code = code ? code : set(parse, opt, rest);
    while (code == ERR_OK && opt->kind == OPT_REST && parse->at + 1 < parse->argc) {
        code = set(parse, opt, str_from(parse->argv[++parse->at]));
    }
    return code;
}

/* A word like -qv or -oFILE. */
static enum err_code parse_short(struct parse *parse, struct str word)
{
    for (size_t i = 1; i < word.len; i++) {
        const struct opt *opt = NULL;
        for (size_t t = 0; !opt && t < parse->table_count; t++) {
            opt = opt_find_letter(parse->tables[t], word.ptr[i]);
        }
        if (!opt) {
            return err_set(parse->err, ERR_USAGE, "unknown option -%c in \"%.*s\"", word.ptr[i],
                           STR_ARG(word));
        }
        struct str text = {NULL, 0};
        enum err_code code = ERR_OK;
        if (opt_has_argument(opt)) {
            text = str_slice(word, i + 1, word.len);
            code = text.len ? ERR_OK : take_word(parse, opt, &text);
            i = word.len;
        }
        code = code ? code : set(parse, opt, text);
        if (code) {
            return code;
        }
    }
    return ERR_OK;
}

static void add_operand(struct parse *parse, struct str word)
{
    parse->operands = arena_grow(parse->arena, parse->operands, parse->operand_count,
                                 &parse->operand_capacity, sizeof *parse->operands);
    parse->operands[parse->operand_count++] = word;
}

enum err_code opt_parse(struct arena *arena, const struct opt_table *tables, size_t table_count,
                        int argc, char *const *argv, int skip, struct options *options,
                        const struct str **operands, size_t *operand_count, struct err *err)
{
    struct parse parse = {.arena = arena,
                          .tables = tables,
                          .table_count = table_count,
                          .argc = argc,
                          .argv = argv,
                          .options = options,
                          .err = err};
    bool is_over = false; /* "--" was seen */
    for (parse.at = 1; parse.at < argc; parse.at++) {
        struct str word = str_from(argv[parse.at]);
        if (parse.at == skip) {
            continue;
        }
        enum err_code code = ERR_OK;
        if (is_over || word.len < 2 || word.ptr[0] != '-') {
            add_operand(&parse, word);
        } else if (str_eq(word, STR("--"))) {
            is_over = true;
        } else if (str_starts(word, STR("--"))) {
            code = parse_long(&parse, str_slice(word, 2, word.len));
        } else {
            code = parse_short(&parse, word);
        }
        if (code) {
            return code;
        }
    }
    *operands = parse.operands;
    *operand_count = parse.operand_count;
    return ERR_OK;
}
