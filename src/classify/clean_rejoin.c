/* Lines that a terminal wrapped. Takes text, gives it with them put together again:
 *
 *     You've hit your usage limit. Upgrade to        words kept whole: a blank between
 *     Pro or try again in 3 days.
 *
 *     {"message":"Your credit balance is too lo      cut where the terminal ended: nothing between
 *     w to access the API"}
 */
#include "classify/clean.h"

#include "base/buf.h"
#include "base/moment.h"
#include "base/text.h"

#define WRAP_COLUMNS_MIN 40 /* no terminal in use wraps earlier */

/* "Error:", "Caused by:", "Details:": a capitalised word or two with a colon in front. */
static bool has_label_in_front(struct str line)
{
    ptrdiff_t colon = str_find_char(line, ':');
    return colon > 0 && colon < 40 && str_is_upper(line.ptr[0]) &&
           ((size_t)colon + 1 == line.len || line.ptr[colon + 1] == ' ');
}

static bool begins_anew(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("at "),      STR_INIT("File \""),  STR_INIT("Traceback"),
        STR_INIT("in "),      STR_INIT("data:"),    STR_INIT("event:"),
        STR_INIT("See http"), STR_INIT("https://"), STR_INIT("http://"),
    };
    if (STARTS_ANY(line, starts)) {
        return true;
    }
    char c = line.ptr[0];
    bool is_word = str_is_alnum(c) || str_is_of(c, "\"'`(") ||
                   ((unsigned char)c >= 0xE3 && (unsigned char)c <= 0xE9); /* CJK */
    return !is_word || moment_leads(line) || has_label_in_front(line);
}

/* Whether a sentence cannot end here, however narrow the terminal was. */
static bool is_open(struct str line)
{
    static const struct str words[] = {
        STR_INIT(" has been"), STR_INIT(" have been"), STR_INIT(" has"),
        STR_INIT(" is"),       STR_INIT(" is not"),    STR_INIT(" was"),
        STR_INIT(" the"),      STR_INIT(" your"),      STR_INIT(" to"),
        STR_INIT(" of"),       STR_INIT(" does not"),  STR_INIT(" could not"),
        STR_INIT(" cannot"),   STR_INIT(" too")};
    return ENDS_ANY(line, words);
}

static bool is_wrapped(struct str line, struct str next)
{
    struct str inner = str_trim(next);
    line = str_trim(line);
    if (is_open(line) && inner.len && str_is_lower(inner.ptr[0])) {
        return true;
    }
    if (line.len == 0 || inner.len == 0 || text_columns(line) < WRAP_COLUMNS_MIN ||
        begins_anew(inner)) {
        return false;
    }
    bool ends_sentence = str_is_of(line.ptr[line.len - 1], ".!?:;>}])");
    return !ends_sentence || str_is_lower(inner.ptr[0]);
}

static bool is_wide(char c)
{
    return (unsigned char)c >= 0x80;
}

static bool is_within_sentence(char c)
{
    return str_is_lower(c) || c == '`' || c == ',';
}

/* Whether text[at, end) are blanks for one: a line's end and indent within a sentence, or the two
 * that some type behind a full stop. */
static bool is_gap(struct str text, size_t at, size_t end)
{
    if (at < 2 || end == text.len) {
        return false;
    }
    char before = text.ptr[at - 1], next = text.ptr[end];
    return end - at == 2
               ? str_is_of(before, ".!?") && str_is_lower(text.ptr[at - 2]) && str_is_upper(next)
               : end - at > 2 && is_within_sentence(before) && is_within_sentence(next);
}

/* The indent of a wrapped line whose end was lost on the way is one blank again: "Output blocked
 * by" with six blanks in its middle, as pages show what a terminal wrapped. So are the blanks
 * between "Access denied." and "Please check your key.". */
static struct str without_gaps(struct arena *arena, struct str text)
{
    if (str_find(text, STR("  ")) < 0) {
        return text;
    }
    struct buf out = buf_create(text.len);
    size_t kept = 0; /* up to where the text is in `out` */
    for (size_t at = str_next_char(text, 0, ' '), end; at < text.len;
         at = str_next_char(text, end, ' ')) {
        for (end = at; end < text.len && text.ptr[end] == ' '; end++) {
        }
        if (is_gap(text, at, end)) {
            buf_add(&out, str_slice(text, kept, at + 1));
            kept = end;
        }
    }
    buf_add(&out, str_slice(text, kept, text.len));
    struct str joined = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return joined;
}

static bool is_width_of_terminals(size_t columns)
{
    return columns == 80 || columns == 100 || columns == 120 || columns == 132;
}

/* Whether a line that is as wide as the terminal was goes on in the next one. */
static bool is_cut(struct str line, struct str next, size_t width)
{
    return width > 0 && next.len && text_columns(line) == width && !str_is_blank(next.ptr[0]);
}

/* The letters that a line ends with, or begins with. */
static struct str last_word(struct str line)
{
    size_t at = line.len;
    while (at > 0 && str_is_letter(line.ptr[at - 1])) {
        at--;
    }
    return str_slice(line, at, line.len);
}

static struct str first_word(struct str line)
{
    size_t end = 0;
    while (end < line.len && str_is_letter(line.ptr[end])) {
        end++;
    }
    return str_slice(line, 0, end);
}

/* Words that messages are full of: what ends or begins with one was not cut there. */
static bool is_common(struct str word)
{
    static const struct str words[] = {
        STR_INIT("the"),      STR_INIT("to"),      STR_INIT("of"),         STR_INIT("and"),
        STR_INIT("your"),     STR_INIT("you"),     STR_INIT("is"),         STR_INIT("was"),
        STR_INIT("are"),      STR_INIT("for"),     STR_INIT("not"),        STR_INIT("has"),
        STR_INIT("have"),     STR_INIT("been"),    STR_INIT("this"),       STR_INIT("that"),
        STR_INIT("with"),     STR_INIT("from"),    STR_INIT("please"),     STR_INIT("again"),
        STR_INIT("later"),    STR_INIT("try"),     STR_INIT("model"),      STR_INIT("request"),
        STR_INIT("requests"), STR_INIT("error"),   STR_INIT("API"),        STR_INIT("key"),
        STR_INIT("limit"),    STR_INIT("rate"),    STR_INIT("token"),      STR_INIT("tokens"),
        STR_INIT("failed"),   STR_INIT("account"), STR_INIT("server"),     STR_INIT("response"),
        STR_INIT("message"),  STR_INIT("check"),   STR_INIT("could"),      STR_INIT("will"),
        STR_INIT("can"),      STR_INIT("does"),    STR_INIT("code"),       STR_INIT("status"),
        STR_INIT("time"),     STR_INIT("quota"),   STR_INIT("access"),     STR_INIT("service"),
        STR_INIT("use"),      STR_INIT("using"),   STR_INIT("connection"), STR_INIT("or"),
        STR_INIT("in"),       STR_INIT("on"),      STR_INIT("be"),         STR_INIT("by")};
    bool is_found = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        is_found = is_found || str_ieq(word, words[i]);
    }
    return is_found;
}

/* The columns at which a terminal cut all lines that it had to, in the midst of words; 0 where it
 * did not. Where words are kept whole most lines that go on are narrower than the widest. */
static size_t cut_columns(struct str text)
{
    size_t width = 0, widest = 0, cut = 0, whole = 0;
    struct str line, previous = {NULL, 0};
    for (struct str rest = text; str_split(&rest, '\n', &line);) {
        size_t columns = line.len < WRAP_COLUMNS_MIN ? 0 : text_columns(line);
        widest = columns > width ? 1 : widest + (columns == width);
        width = columns > width ? columns : width;
    }
    if (width < WRAP_COLUMNS_MIN || (widest == 1 && !is_width_of_terminals(width))) {
        return 0;
    }
    for (struct str rest = text; str_split(&rest, '\n', &line);) {
        bool is_here = is_cut(previous, line, width);
        if (!is_here && str_is_set(previous) && is_wrapped(previous, line)) {
            return 0;
        }
        cut += is_here;
        whole += is_here && (is_common(last_word(previous)) || is_common(first_word(line)));
        previous = line;
    }
    bool is_sure = cut > 1 || (cut == 1 && is_width_of_terminals(width));
    return is_sure && whole * 3 < cut ? width : 0;
}

struct str clean_rejoin(struct arena *arena, struct str text)
{
    text = without_gaps(arena, text);
    if (str_find_char(text, '\n') < 0) {
        return text;
    }
    struct buf out = buf_create(text.len + 1);
    struct str rest = text, line, previous = {NULL, 0};
    size_t width = cut_columns(text);
    while (str_split(&rest, '\n', &line)) {
        if (is_cut(previous, line, width)) {
            buf_add(&out, line);
        } else if (str_is_set(previous) && is_wrapped(previous, line)) {
            struct str part = str_trim(line);
            while (out.len && (out.ptr[out.len - 1] == ' ' || out.ptr[out.len - 1] == '\t')) {
                out.len--;
            }
            /* Chinese is wrapped between any two characters. */
            if (!(out.len && is_wide(out.ptr[out.len - 1]) && is_wide(part.ptr[0]))) {
                buf_add_char(&out, ' ');
            }
            buf_add(&out, part);
        } else {
            if (str_is_set(previous)) {
                buf_add_char(&out, '\n');
            }
            buf_add(&out, line);
        }
        previous = line;
    }
    struct str joined = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return joined;
}
