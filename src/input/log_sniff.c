/* Whether a text is a log. Takes the front of a file, counts the entries that begin with a time or
 * a level, or are records of JSON; where there are none, those that begin alike, as those of a
 * program do that prints what it is doing. What is longer than anybody pastes of an error is what a
 * program printed, too, unless it is a document, a page, a script or an answer of HTTP. */
#include "input/input.h"
#include "input/log_carrier.h"
#include "input/log_entry.h"
#include "input/log_observe.h"
#include "input/log_time.h"
#include "input/session.h"

#define STAMPED_LINES_MIN 3 /* fewer are a paste of somebody's error */
#define STAMPED_ENOUGH 10   /* these are a log's, whatever else its programs print between them */
#define STAMPED_ONE_IN 5
#define ALIKE_LINES_MIN 20
#define ALIKE_WORDS_MAX 32
#define ALIKE_COUNT_MIN 5 /* lines of one beginning */
#define OUTPUT_LINES_MIN 40
#define DOCUMENT_HEADINGS_MIN 2
#define DOCUMENT_MARKED_PERCENT 30 /* of its lines */
#define MARKED_PERCENT 60          /* of those of one without headings */

/* First words of lines, and how often each was seen. */
struct beginnings {
    struct str words[ALIKE_WORDS_MAX];
    size_t counts[ALIKE_WORDS_MAX];
    size_t count;
};

/* The first word of a line, but of a list or of what somebody says: "- a", "User: a". That of a
 * function is none of those: "print_info: a". */
static struct str word_of(struct str line)
{
    size_t begin = str_starts(line, STR("> ")) ? 2 : 0; /* "> Task :a" of a build */
    struct str word = str_slice(line, begin, str_next_char(line, begin, ' '));
    bool is_word = word.len > 1 && word.len < line.len - begin &&
                   (!str_ends(word, STR(":")) || str_find_char(word, '_') > 0) &&
                   (str_is_letter(word.ptr[0]) || str_is_of(word.ptr[0], "[(/"));
    return is_word ? word : (struct str){NULL, 0};
}

static void count_beginning(struct beginnings *seen, struct str word)
{
    size_t i = 0;
    while (i < seen->count && !str_eq(seen->words[i], word)) {
        i++;
    }
    if (i < ALIKE_WORDS_MAX && word.len) {
        seen->words[i] = word;
        seen->counts[i]++;
        seen->count += i == seen->count;
    }
}

/* Most lines begin as several others do. */
static bool are_alike(const struct beginnings *seen, size_t lines)
{
    size_t alike = 0;
    for (size_t i = 0; i < seen->count; i++) {
        alike += seen->counts[i] >= ALIKE_COUNT_MIN ? seen->counts[i] : 0;
    }
    return lines >= ALIKE_LINES_MIN && alike * 2 >= lines;
}

/* What lines say of a text by their first signs. */
struct marks {
    size_t headings; /* of Markdown, and fences of code */
    size_t all;      /* with lists, quotations, tables and what somebody says */
};

static bool is_heading(struct str line)
{
    size_t depth = 0;
    while (depth < line.len && line.ptr[depth] == '#') {
        depth++;
    }
    bool is_hashed =
        depth >= 1 && depth <= 6 && str_starts(str_slice(line, depth, line.len), STR(" "));
    return is_hashed || str_starts(line, STR("```"));
}

static void count_marks(struct marks *marks, struct str line)
{
    static const struct str listed[] = {
        STR_INIT("- "),      STR_INIT("* "),       STR_INIT("> "),          STR_INIT("| "),
        STR_INIT("**"),      STR_INIT("User: "),   STR_INIT("Assistant: "), STR_INIT("Model: "),
        STR_INIT("Human: "), STR_INIT("System: "),
    };
    size_t digits = 0;
    while (digits < line.len && str_is_digit(line.ptr[digits])) {
        digits++;
    }
    bool is_numbered = digits && str_starts(str_slice(line, digits, line.len), STR(". "));
    bool is_head = is_heading(line);
    marks->headings += is_head;
    marks->all += is_head || is_numbered || STARTS_ANY(line, listed);
}

static bool is_document(const struct marks *marks, size_t lines)
{
    bool has_headings = marks->headings >= DOCUMENT_HEADINGS_MIN;
    return marks->all * 100 >= lines * (has_headings ? DOCUMENT_MARKED_PERCENT : MARKED_PERCENT);
}

/* A page, a script, or what curl -i and curl -v print. */
static bool begins_otherwise(struct str text)
{
    static const struct str fronts[] = {
        STR_INIT("<"),
        STR_INIT("#!"),
        STR_INIT("* "),
        STR_INIT("HTTP/"),
    };
    struct str front = str_trim(text);
    return STARTS_ANY(front, fronts);
}

/* What an agent showed of its work, if it may be whole: of a longer one the last words, which tell
 * how it ended, are read as those of a log. */
static bool is_session(struct str text)
{
    return text.len < INPUT_SNIFF_BYTES && session_begin(text).kind;
}

bool input_is_log(struct str text)
{
    struct beginnings seen = {.count = 0};
    struct marks marks = {0, 0};
    size_t lines = 0, stamped = 0;
    for (size_t at = 0; at < text.len;) {
        struct log_entry entry = log_entry_at(text, at);
        struct str line = log_entry_line(str_slice(text, at, entry.end));
        struct log_carrier carrier = log_carrier_read(str_slice(line, 0, LOG_OVERLAP_BYTES));
        bool is_indented = line.len == 0 || str_is_of(line.ptr[0], " \t}]\r");
        if (!is_indented) {
            struct str own = str_trim(str_slice(line, carrier.length, line.len));
            lines++;
            stamped += log_is_stamped(line) || log_is_stamped(own);
            count_beginning(&seen, word_of(line));
            count_marks(&marks, line);
        }
        at = entry.next;
    }
    bool is_stamped = (stamped >= STAMPED_LINES_MIN && stamped * 2 >= lines) ||
                      (stamped >= STAMPED_ENOUGH && stamped * STAMPED_ONE_IN >= lines);
    bool is_output =
        lines >= OUTPUT_LINES_MIN && !is_document(&marks, lines) && !begins_otherwise(text);
    return is_stamped || ((is_output || are_alike(&seen, lines)) && !is_session(text));
}
