/* One problem in words: a numbered title with whose turn it is at the right, why, what was seen
 * with the rule that decided, what to do in numbered lines, and what is a waste of time. */
#include "report/human.h"

#include "base/text.h"
#include "report/labels.h"
#include "report/layout.h"

#define BODY 5 /* column of the text under a title */
#define LABEL_COLUMNS 7
#define BRIEF_ACTIONS 3

static const struct str nothing = {NULL, 0};

/* Whose turn it is, and whether to try again: nobody asks the latter of a file. */
static struct str turn_of(const struct human *human, const struct verdict *verdict)
{
    struct arena *arena = human->arena;
    enum lang lang = human->report->lang;
    const struct finding *finding = verdict->finding;
    if (verdict->severity != SEVERITY_ERROR) {
        return labels_severity(verdict->severity, lang);
    }
    struct str blame = labels_blame(verdict->diagnosis->blame, lang);
    if ((finding->observation && finding->observation->problem) ||
        verdict->diagnosis->blame == BLAME_UNKNOWN) {
        return blame;
    }
    return labels_say(arena, lang, finding->is_retryable ? LABEL_RETRYABLE : LABEL_NOT_RETRYABLE,
                      arena_cstr(arena, blame));
}

/* "theirs, retryable", with the place in a file before it where there is one. */
static struct str tail_of(const struct human *human, const struct verdict *verdict)
{
    struct str turn = turn_of(human, verdict);
    if (str_is_empty(verdict->origin)) {
        return turn;
    }
    struct str origin = text_cut_middle(human->arena, verdict->origin, human->columns / 2);
    return arena_printf(human->arena, "%.*s, %.*s", STR_ARG(origin), STR_ARG(turn));
}

void human_verdict_title(const struct human *human, size_t number, const struct verdict *verdict)
{
    struct buf *out = human->out;
    struct str shown = arena_printf(human->arena, "%zu", number);
    layout_blanks(out, shown.len < 3 ? 3 - shown.len : 0);
    layout_tinted(out, human->style, TINT_STRONG, shown);
    layout_blanks(out, 2);
    size_t indent = shown.len < 3 ? BODY : shown.len + 2;
    layout_wrap(out, verdict->title, indent, human->columns, tail_of(human, verdict));
}

static size_t write_label(const struct human *human, enum label label)
{
    struct str word = str_from(labels_text(label, human->report->lang));
    layout_blanks(human->out, BODY);
    layout_tinted(human->out, human->style, TINT_STRONG, word);
    size_t width = text_columns(word);
    layout_blanks(human->out, LABEL_COLUMNS > width ? LABEL_COLUMNS - width : 1);
    return BODY + LABEL_COLUMNS;
}

/* Offset of the command at the end of "do so: diagnose check", or the length when there is none.
 * Prose ends in a full stop, a command does not. */
static size_t command_at(struct str action)
{
    static const struct str colons[] = {STR_INIT(": "), STR_INIT("\xEF\xBC\x9A")};
    size_t found = 0;
    for (size_t i = 0; i < sizeof colons / sizeof colons[0]; i++) {
        struct str rest = action;
        for (ptrdiff_t at = str_find(rest, colons[i]); at >= 0; at = str_find(rest, colons[i])) {
            rest = str_slice(rest, (size_t)at + colons[i].len, rest.len);
        }
        size_t behind = action.len - rest.len;
        found = behind > found ? behind : found;
    }
    bool is_command = found > 0 && found < action.len && str_is_lower(action.ptr[found]) &&
                      action.ptr[action.len - 1] != '.' &&
                      !str_ends(action, STR("\xE3\x80\x82")); /* the Chinese full stop */
    return is_command ? found : action.len;
}

/* A command is kept on one line where it fits on one, so that it can be pasted. */
static void write_action(const struct human *human, struct str action, size_t indent)
{
    size_t at = command_at(action);
    size_t room = human->columns - indent;
    struct str command = str_slice(action, at, action.len);
    if (at < action.len && text_columns(action) > room && text_columns(command) <= room) {
        layout_wrap(human->out, str_trim(str_slice(action, 0, at)), indent, human->columns,
                    nothing);
        layout_blanks(human->out, indent);
        action = command;
    }
    layout_wrap(human->out, action, indent, human->columns, nothing);
}

/* A warning must not outweigh what fails. */
static bool is_brief(const struct human *human, const struct verdict *verdict)
{
    return verdict->severity != SEVERITY_ERROR && !human->style->is_verbose;
}

static void write_actions(const struct human *human, const struct verdict *verdict)
{
    size_t count = verdict->action_count;
    if (is_brief(human, verdict) && count > BRIEF_ACTIONS) {
        count = BRIEF_ACTIONS;
    }
    for (size_t i = 0; i < count; i++) {
        size_t indent = BODY + LABEL_COLUMNS;
        if (i == 0) {
            write_label(human, LABEL_DO);
        } else {
            layout_blanks(human->out, indent);
        }
        struct str number = nothing;
        if (count > 1) {
            number = arena_printf(human->arena, "%zu. ", i + 1);
            buf_add(human->out, number);
        }
        write_action(human, verdict->actions[i], indent + number.len);
    }
}

static void write_avoid(const struct human *human, const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->avoid_count && !is_brief(human, verdict); i++) {
        size_t indent = BODY + LABEL_COLUMNS;
        if (i == 0) {
            write_label(human, LABEL_NOT);
        } else {
            layout_blanks(human->out, indent);
        }
        layout_wrap(human->out, verdict->avoid[i], indent, human->columns, nothing);
    }
}

void human_verdict(const struct human *human, size_t number, const struct verdict *verdict)
{
    buf_add_char(human->out, '\n');
    human_verdict_title(human, number, verdict);
    if (!str_is_empty(verdict->why)) {
        layout_blanks(human->out, BODY);
        layout_wrap(human->out, verdict->why, BODY, human->columns, nothing);
    }
    if (!str_is_empty(verdict->seen)) {
        size_t indent = write_label(human, LABEL_SEEN);
        layout_wrap(human->out, verdict->seen, indent, human->columns,
                    text_show(human->arena, verdict->finding->rule_id, 40));
    }
    if (!str_is_empty(verdict->says)) {
        struct str text = labels_say(human->arena, human->report->lang, LABEL_CLIENT_SAYS,
                                     arena_cstr(human->arena, verdict->client),
                                     arena_cstr(human->arena, verdict->says));
        size_t indent = write_label(human, LABEL_SAYS);
        layout_wrap(human->out, text, indent, human->columns, nothing);
    }
    write_actions(human, verdict);
    write_avoid(human, verdict);
}
