/* Entries of logs at a glance. Takes the bytes of an entry as they were written, tells whether
 * there is anything in it to judge; a no is certain. */
#include "classify/classifier.h"

#include "base/text.h"
#include "classify/hiding.h"
#include "classify/screen.h"
#include "classify/talk.h"
#include "input/log_carrier.h"
#include "input/log_entry.h"
#include "input/log_observe.h"
#include "input/log_time.h"

bool classifier_finds_mark(struct classifier *classifier, struct str raw)
{
    if (!classifier->marks) {
        classifier->marks = marks_create(classifier->arena);
    }
    return marks_find(classifier->marks, raw);
}

void classifier_borrow_marks(struct classifier *classifier, const struct marks *marks)
{
    classifier->marks = marks;
}

/* The sieve may know a rule by other literals than its keywords. */
static bool has_keyword(const struct rule *rule, struct str text)
{
    bool has_one = rule->keyword_count == 0;
    for (size_t i = 0; i < rule->keyword_count && !has_one; i++) {
        has_one = str_ifind(text, rule->keywords[i]) >= 0;
    }
    return has_one;
}

/* What the text of a glance is judged as: of a record with a message that stands in front, and some
 * values are empty. */
static struct str judged(struct arena *arena, struct log_glance *glance)
{
    if (!str_is_set(glance->judged)) {
        struct str text = glance->text;
        struct str body = log_entry_observe(arena, text, &glance->front, glance->now_ms).body;
        glance->judged = str_ends(text, body) ? glance->plain : body;
    }
    return glance->judged;
}

typedef bool text_test(struct classifier *c, size_t rule, size_t condition, struct str text);

static bool holds_keyword(struct classifier *c, size_t rule, size_t condition, struct str text)
{
    (void)condition;
    return has_keyword(rules_at(c->rules, rule), text);
}

static bool holds_match(struct classifier *c, size_t rule, size_t condition, struct str text)
{
    return matcher_may_match(c->matcher, rule, condition, text);
}

/* In the text of a glance, in it with escapes undone, or in what is judged. */
static bool is_held(struct classifier *c, struct arena *arena, size_t rule, size_t condition,
                    struct log_glance *glance, text_test *holds)
{
    return holds(c, rule, condition, glance->text) ||
           (glance->plain.ptr != glance->text.ptr && holds(c, rule, condition, glance->plain)) ||
           (judged(arena, glance).ptr != glance->plain.ptr &&
            holds(c, rule, condition, glance->judged));
}

/* A rule of which a literal is held, by its keywords and by those of its patterns that can be tried
 * there. */
static bool may_match(struct classifier *c, struct arena *arena, size_t number,
                      struct log_glance *glance)
{
    const struct rule *rule = rules_at(c->rules, number);
    if (!is_held(c, arena, number, 0, glance, holds_keyword)) {
        return false;
    }
    for (size_t i = 0; i < rule->condition_count; i++) {
        enum field field = rule->conditions[i].field;
        if ((field == FIELD_TEXT || field == FIELD_ERROR_MESSAGE) &&
            !is_held(c, arena, number, i, glance, holds_match)) {
            return false;
        }
    }
    return true;
}

/* What is indented goes on with the line above; a long line has pieces without a front. */
static bool is_head(struct str line)
{
    return line.len > 0 && line.len <= LOG_PIECE_BYTES && !str_is_of(line.ptr[0], " \t}])");
}

/* Whether a line begins an entry that the log calls information. */
static bool is_ordinary_head(struct str line, const struct log_front *front)
{
    return is_head(line) && front->is_stamped && front->is_ordinary;
}

/* Whether a line is a heading or an item of Markdown with a name in front, "1. **Limits**: ...", as
 * models write; one whose name speaks of a failure may report it. */
static bool is_labelled_item(struct str line)
{
    static const struct str reports[] = {
        STR_INIT("rror"),  STR_INIT("ail"),    STR_INIT("ause"),     STR_INIT("eason"),
        STR_INIT("tatus"), STR_INIT("essage"), STR_INIT("esult"),    STR_INIT("esponse"),
        STR_INIT("失败"),  STR_INIT("原因"),   STR_INIT("错误信息"), STR_INIT("报错"),
        STR_INIT("xcept"), STR_INIT("ssue"),   STR_INIT("roblem"),   STR_INIT("utput")};
    size_t at = 0;
    while (at < line.len && (str_is_digit(line.ptr[at]) || line.ptr[at] == '#')) {
        at++;
    }
    at += at < line.len && str_is_of(line.ptr[at], ".)-*+") && !(at > 0 && line.ptr[0] == '#');
    if (at == 0 || !str_starts(str_slice(line, at, line.len), STR(" **"))) {
        return false;
    }
    struct str name = str_slice(line, at + 3, line.len);
    ptrdiff_t close = str_find(name, STR("**"));
    name = str_slice(name, 0, close < 0 ? 0 : (size_t)close);
    bool is_report = name.len == 0;
    for (size_t i = 0; i < sizeof reports / sizeof reports[0] && !is_report; i++) {
        is_report = str_find(name, reports[i]) >= 0;
    }
    return !is_report;
}

/* What the program printed of a line, which its front or a collector's stands before. */
static struct str said_in(struct str line, const struct log_front *front)
{
    struct str kept = log_kept_text(line);
    if (str_is_set(kept)) {
        return kept;
    }
    struct str own = str_slice(line, log_carrier_read(line).length, line.len);
    return front->is_stamped && own.len == line.len ? log_message(line, front) : own;
}

bool classifier_is_note(struct str line, const struct log_front *front)
{
    bool is_trouble = front->has_level && !front->is_ordinary && !front->is_warning;
    line = log_entry_line(line);
    return !is_trouble && str_find(line, STR(" **")) >= 0 && is_labelled_item(said_in(line, front));
}

bool classifier_is_talk(struct str line, const struct log_front *front)
{
    line = log_entry_line(line);
    if (classifier_is_note(line, front)) {
        return true;
    }
    bool is_ordinary = is_ordinary_head(line, front);
    if (!is_ordinary && !(is_head(line) && front->is_stamped && front->is_warning)) {
        return false;
    }
    struct str message = log_message(line, front);
    /* A warning of several clauses states something, and so does one that is a value. */
    bool is_value = message.ptr + message.len < line.ptr + line.len;
    bool is_stated = !is_ordinary && (is_value || str_find(message, STR(", ")) >= 0);
    return !is_stated && !talk_may_state(message);
}

void classifier_begin_block(struct classifier *c)
{
    arena_reset(c->scratch);
    c->held = (struct log_held){.entry = {.begin = 0}};
}

/* The glance at the entry that holds the line which begins at block[from]. */
static struct log_glance *hold_entry(struct classifier *c, struct str block, size_t from,
                                     int64_t now_ms)
{
    struct log_entry *entry = &c->held.entry;
    if (from < entry->begin || from >= entry->next) {
        arena_reset(c->scratch);
        *entry = log_entry_holding(block, from < entry->begin ? 0 : entry->next, from);
        struct str text =
            log_carrier_strip(c->scratch, str_slice(block, entry->begin, entry->next));
        struct log_front front = log_front_read(log_entry_line(text), now_ms);
        c->held.glance = (struct log_glance){.is_any = utf8_find_invalid(text) >= 0,
                                             .text = text,
                                             .plain = screen_plain(c->scratch, text),
                                             .front = front,
                                             .now_ms = now_ms,
                                             .number = ++c->glances};
    }
    return &c->held.glance;
}

void classifier_begin_line(struct classifier *c, struct str block, size_t from, size_t to,
                           int64_t now_ms)
{
    struct str line = str_slice(block, from, to);
    struct log_front front = log_front_read(line, now_ms);
    c->glance = &c->line;
    c->line = (struct log_glance){.is_talk = classifier_is_talk(line, &front), .text = line};
    if (c->line.is_talk) {
        return;
    }
    c->line.is_any = line.len > LOG_PIECE_BYTES || classifier_finds_mark(c, line);
    if (!c->line.is_any && !is_ordinary_head(line, &front)) { /* lines below count */
        c->glance = hold_entry(c, block, from, now_ms);
        return;
    }
    /* What is no UTF-8 is repaired before it is judged. */
    c->line.is_any = c->line.is_any || utf8_find_invalid(line) >= 0;
    c->line.plain = c->line.is_any ? line : screen_plain(c->scratch, line);
    c->line.front = front;
    c->line.now_ms = now_ms;
    c->line.number = ++c->glances;
}

bool classifier_may_match(struct classifier *c, size_t rule)
{
    struct log_glance *glance = c->glance;
    if (glance->is_talk || (!glance->is_any && c->denied[rule] == glance->number)) {
        return false;
    }
    glance->is_any = glance->is_any || may_match(c, c->scratch, rule, glance);
    c->denied[rule] = glance->number;
    return glance->is_any;
}

bool classifier_may_tell(struct classifier *classifier, struct arena *scratch, struct str raw,
                         const struct log_front *front, int64_t now_ms, bool is_marked,
                         bool is_talk)
{
    if (is_marked || hiding_in(raw) || utf8_find_invalid(raw) >= 0) {
        return true;
    }
    if (is_talk) {
        return false;
    }
    struct log_glance glance = {
        .text = raw, .plain = screen_plain(scratch, raw), .front = *front, .now_ms = now_ms};
    classifier_find_hits(classifier, raw);
    prefilter_scan(classifier->prefilter, glance.plain, classifier->hits);
    prefilter_scan(classifier->prefilter, judged(scratch, &glance), classifier->hits);
    for (size_t i = 0; i < rules_count(classifier->rules); i++) {
        const struct rule *rule = rules_at(classifier->rules, i);
        if (classifier->hits[i] && rule->keyword_count && !rule->status_count &&
            may_match(classifier, scratch, i, &glance)) {
            return true;
        }
    }
    return false;
}
