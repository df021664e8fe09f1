/* The generated part of the manual page: COMMANDS, OPTIONS and EXIT STATUS in mdoc, made of the
 * same rows as --help. */
#include "cli/help.h"

#include <ctype.h>

#define LINE_BYTES 76
#define GENERATED_END ".\\\" end of generated\n"

/* One word with backslashes and dashes of options escaped, and without the look of a request. */
static void add_word(struct buf *out, struct str word, bool is_first)
{
    if (is_first && word.len && (word.ptr[0] == '.' || word.ptr[0] == '\'')) {
        buf_add(out, STR("\\&"));
    }
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        bool is_dashes = c == '-' && ((i > 0 && word.ptr[i - 1] == '-') ||
                                      (i + 1 < word.len && word.ptr[i + 1] == '-'));
        if (c == '\\') {
            buf_add(out, STR("\\e"));
        } else if (is_dashes) {
            buf_add(out, STR("\\-"));
        } else {
            buf_add_char(out, c);
        }
    }
}

/* Bytes of a word at most, escaped. */
static size_t escaped_bytes(struct str word)
{
    size_t bytes = word.len;
    for (size_t i = 0; i < word.len; i++) {
        bytes += word.ptr[i] == '-' || word.ptr[i] == '\\' ? 1 : 0;
    }
    return bytes;
}

/* Text as mdoc source, from column `at` on: lines of about LINE_BYTES at most, each sentence on a
 * line of its own. */
static void add_text(struct buf *out, struct str text, size_t at)
{
    struct str word;
    bool is_first = at == 0, ends_sentence = false, is_begun = at > 0;
    while (str_split(&text, ' ', &word)) {
        bool begins_sentence = ends_sentence && word.len && isupper((unsigned char)word.ptr[0]);
        if (begins_sentence || at + 1 + escaped_bytes(word) > LINE_BYTES) {
            buf_add_char(out, '\n');
            is_first = true;
            at = 0;
        } else if (!is_first && !is_begun) {
            buf_add_char(out, ' ');
            at++;
        }
        add_word(out, word, is_first);
        at += escaped_bytes(word);
        is_first = is_begun = false;
        ends_sentence = str_ends(word, STR("."));
    }
    buf_add_char(out, '\n');
}

static void add_details(struct buf *out, struct str text)
{
    ptrdiff_t end;
    while ((end = str_find(text, STR("\n\n"))) >= 0) {
        add_text(out, str_slice(text, 0, (size_t)end), 0);
        buf_add(out, STR(".Pp\n"));
        text = str_slice(text, (size_t)end + 2, text.len);
    }
    add_text(out, text, 0);
}

static void add_options(struct arena *arena, struct buf *out, struct opt_table opts)
{
    buf_add(out, STR(".Bl -tag -width Ds\n"));
    for (size_t i = 0; i < opts.count; i++) {
        const struct opt *opt = &opts.rows[i];
        if (opt->is_hidden) {
            continue;
        }
        buf_add(out, STR(".It "));
        if (opt->letter) {
            buf_printf(out, "Fl %c , ", opt->letter);
        }
        buf_printf(out, "Fl Fl %s", opt->name);
        if (opt->otherwise) {
            buf_printf(out, " Ns Op = Ns Ar %s", opt->argument);
        } else if (opt_has_argument(opt)) {
            buf_printf(out, " Ar %s", opt->argument);
        }
        struct str choices = help_choices(arena, opt);
        buf_printf(out, "\n%c", toupper((unsigned char)opt->help[0]));
        add_text(out,
                 choices.len ? arena_printf(arena, "%s (%.*s).", opt->help + 1, STR_ARG(choices))
                             : arena_printf(arena, "%s.", opt->help + 1),
                 1);
    }
    buf_add(out, STR(".El\n"));
}

static void add_commands(struct buf *out)
{
    buf_add(out, STR(".Sh COMMANDS\n.Bl -tag -width Ds\n"));
    for (size_t i = 0; i < command_count(); i++) {
        const struct command *command = command_at(i);
        const char *gap = *command->synopsis ? " Ar " : "";
        buf_printf(out, ".It Cm %s%s%s%s\n", command->name, gap, command->synopsis,
                   str_ends(str_from(command->synopsis), STR("]")) ? "\\&" : "");
        add_details(out, str_from(command->details));
    }
    buf_add(out, STR(".El\n"));
}

void help_write_mdoc(struct arena *arena, struct buf *out)
{
    size_t count = 0;
    const struct exit_row *rows = help_exit_rows(&count);
    buf_add(out, STR(".\\\" generated: commands and options\n"));
    add_commands(out);
    buf_add(out, STR(".Sh OPTIONS\nEvery command takes these options.\n"));
    add_options(arena, out, opt_common());
    for (size_t i = 0; i < command_count(); i++) {
        bool is_shown = command_at(i)->opts.count && !command_at(i)->opts.rows[0].is_hidden;
        if (is_shown) {
            buf_printf(out, ".Ss Options of diagnose %s\n", command_at(i)->name);
            add_options(arena, out, command_at(i)->opts);
        }
    }
    buf_add(out, STR(GENERATED_END ".\\\" generated: exit status\n"
                                   ".Sh EXIT STATUS\n.Bl -tag -width Ds\n"));
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, ".It %d\n%c", (int)rows[i].code, toupper((unsigned char)rows[i].text[0]));
        add_text(out, arena_printf(arena, "%s.", rows[i].text + 1), 1);
    }
    buf_add(out, STR(".El\n" GENERATED_END));
}
