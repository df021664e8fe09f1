/* Whole texts in which people speak of errors in general: articles, questions with answers, talks,
 * change logs, notes of meetings. Takes a text that quotes no program, says whether it is one. */
#include "classify/mention.h"

#define TITLE_BYTES_MAX 100
#define TITLED_LINES_MIN 3
#define SENTENCES_MIN 4 /* messages of providers have up to three */
#define SENTENCE_BYTES_MIN 20

static struct str next_line(struct str *rest)
{
    struct str line = {NULL, 0};
    while (str_split(rest, '\n', &line) && str_trim(line).len == 0) {
    }
    return str_trim(line);
}

/* "# Changelog", "Runbook: ...", "v1.8.0 更新说明": a first line that says what kind of text
 * follows. */
static bool is_titled(struct str text)
{
    static const struct str kinds[] = {STR_INIT("changelog"),     STR_INIT("change log"),
                                       STR_INIT("release notes"), STR_INIT("what's new"),
                                       STR_INIT("common issues"), STR_INIT("common errors"),
                                       STR_INIT("known issues"),  STR_INIT("post-mortem"),
                                       STR_INIT("postmortem"),    STR_INIT("runbook"),
                                       STR_INIT("glossary"),      STR_INIT("frequently asked"),
                                       STR_INIT("minutes of"),    STR_INIT("meeting"),
                                       STR_INIT("standup"),       STR_INIT("yesterday: "),
                                       STR_INIT("specification"), STR_INIT("exit status"),
                                       STR_INIT("exit codes"),    STR_INIT("as a user"),
                                       STR_INIT("design: "),      STR_INIT("adr "),
                                       STR_INIT("checklist"),     STR_INIT("release plan"),
                                       STR_INIT("newsletter"),    STR_INIT("terms of service"),
                                       STR_INIT("周刊"),          STR_INIT("subject: planned "),
                                       STR_INIT("更新说明"),      STR_INIT("更新日志"),
                                       STR_INIT("版本说明"),      STR_INIT("发布说明"),
                                       STR_INIT("常见问题"),      STR_INIT("名词解释"),
                                       STR_INIT("会议纪要"),      STR_INIT("复盘"),
                                       STR_INIT("操作手册"),      STR_INIT("术语表")};
    static const struct str names[] = {STR_INIT("TODO"), STR_INIT("FAQ"), STR_INIT("NEWS")};
    struct str rest = text, title = next_line(&rest);
    size_t lines = 1;
    while (title.len && str_is_of(title.ptr[0], "#*= ")) {
        title = str_slice(title, 1, title.len);
    }
    while (next_line(&rest).len) {
        lines++;
    }
    bool is_kind = STARTS_ANY(title, names);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        ptrdiff_t at = str_ifind(title, kinds[i]);
        is_kind = is_kind || at == 0 || (at > 0 && (size_t)at + kinds[i].len == title.len);
    }
    return is_kind && title.len < TITLE_BYTES_MAX && lines >= TITLED_LINES_MIN;
}

/* "Q: ..." and "A: ...", each twice. */
static bool is_catechism(struct str text)
{
    static const struct str asks[] = {STR_INIT("Q: "), STR_INIT("Q. "), STR_INIT("问：")};
    static const struct str says[] = {STR_INIT("A: "), STR_INIT("A. "), STR_INIT("答：")};
    struct str rest = text, line;
    size_t questions = 0, answers = 0;
    for (line = next_line(&rest); line.len; line = next_line(&rest)) {
        questions += STARTS_ANY(line, asks);
        answers += STARTS_ANY(line, says);
    }
    return questions > 1 && answers > 1;
}

/* "## FAQ", and below it numbered questions each with lines of an answer, whatever they quote. */
bool mention_is_answered_list(struct str text)
{
    static const struct str names[] = {STR_INIT("faq"), STR_INIT("常见问题"),
                                       STR_INIT("frequently asked"), STR_INIT("よくある質問")};
    struct str rest = text, line;
    size_t questions = 0, answers = 0;
    (void)str_split(&rest, '\n', &line);
    while (line.len && str_is_of(line.ptr[0], "#*= ")) {
        line = str_slice(line, 1, line.len);
    }
    if (!ISTARTS_ANY(line, names)) {
        return false;
    }
    while (str_split(&rest, '\n', &line)) {
        bool is_inside = line.len && str_is_of(line.ptr[0], " \t");
        bool is_item = mention_without_mark(line).ptr != str_trim(line).ptr;
        questions += is_item && !is_inside;
        answers += is_item && is_inside;
    }
    return questions > 2 && answers >= questions;
}

/* Answers to choose from, "A) ...", "B) ...", or the columns of a board, "To do", "Done". */
static bool is_choice(struct str text)
{
    static const struct str answers[] = {STR_INIT("A) "), STR_INIT("B) "), STR_INIT("C) "),
                                         STR_INIT("A. "), STR_INIT("B. "), STR_INIT("C. "),
                                         STR_INIT("A、"), STR_INIT("B、"), STR_INIT("C、")};
    static const struct str columns[] = {
        STR_INIT("To do"),       STR_INIT("To Do"),       STR_INIT("TODO"),    STR_INIT("Doing"),
        STR_INIT("In progress"), STR_INIT("In Progress"), STR_INIT("Backlog"), STR_INIT("Done"),
        STR_INIT("待办"),        STR_INIT("进行中"),      STR_INIT("已完成")};
    struct str rest = text, line;
    size_t chosen = 0, heads = 0;
    for (line = next_line(&rest); line.len; line = next_line(&rest)) {
        chosen += STARTS_ANY(line, answers);
        while (line.len && str_is_of(line.ptr[0], "#*: ")) {
            line = str_slice(line, 1, line.len);
        }
        while (line.len && str_is_of(line.ptr[line.len - 1], "#*: ")) {
            line.len--;
        }
        heads += IS_ONE_OF(line, columns);
    }
    return chosen > 2 || heads > 1;
}

size_t mention_sentence_end(struct str text, size_t at)
{
    static const struct str wide[] = {STR_INIT("。"), STR_INIT("？"), STR_INIT("！")};
    static const char signs[] = {'.', '?', '!', '\xE3'}; /* wide ones begin with this or \xEF */
    size_t end = str_next_of(text, at, signs);
    for (; at < text.len; at++) {
        end = end < at ? str_next_of(text, at, signs) : end;
        at = str_next_char(str_slice(text, 0, end), at, '\xEF');
        struct str rest = str_slice(text, at, text.len);
        char next = at + 1 < text.len ? text.ptr[at + 1] : '\n';
        if (STARTS_ANY(rest, wide)) {
            return at + 3;
        }
        if (rest.len && (unsigned char)rest.ptr[0] < 0x80 && (next == ' ' || next == '\n')) {
            return at + 1;
        }
    }
    return text.len;
}

/* Whether the word stands alone in the text; Chinese has no blanks. */
static bool has_whole_word(struct str text, struct str word)
{
    for (size_t from = 0; from < text.len;) {
        ptrdiff_t hit = str_find(str_slice(text, from, text.len), word);
        if (hit < 0) {
            return false;
        }
        size_t at = from + (size_t)hit, end = at + word.len;
        if ((at == 0 || !str_is_letter(text.ptr[at - 1])) &&
            (end == text.len || !str_is_letter(text.ptr[end]))) {
            return true;
        }
        from = end;
    }
    return false;
}

/* Words of what holds always, or often, or on a condition. */
static bool is_general(struct str sentence)
{
    static const struct str marks[] = {
        STR_INIT("usually"),      STR_INIT("every"),     STR_INIT("each"),
        STR_INIT("such as"),      STR_INIT("Once"),      STR_INIT("Each"),
        STR_INIT("in that case"), STR_INIT("should"),    STR_INIT("often"),
        STR_INIT("never"),        STR_INIT("always"),    STR_INIT("default"),
        STR_INIT("Raised"),       STR_INIT("typically"), STR_INIT("kind"),
        STR_INIT("none of"),      STR_INIT("None of"),   STR_INIT("nobody"),
        STR_INIT("can be"),       STR_INIT("MUST"),      STR_INIT("say that"),
        STR_INIT("when a"),       STR_INIT("when the"),  STR_INIT("when it"),
        STR_INIT("when there"),   STR_INIT("When a"),    STR_INIT("When the"),
        STR_INIT("If a"),         STR_INIT("If the"),    STR_INIT("if a"),
        STR_INIT("if the"),       STR_INIT("may be"),    STR_INIT("says"),
        STR_INIT("answers with"), STR_INIT("SHOULD"),    STR_INIT("Every"),
        STR_INIT("usual"),        STR_INIT("normal"),    STR_INIT("Only"),
        STR_INIT("most"),         STR_INIT("通常"),      STR_INIT("一般"),
        STR_INIT("如果"),         STR_INIT("表示"),      STR_INIT("往往"),
        STR_INIT("多半"),         STR_INIT("不要"),      STR_INIT("常见"),
        STR_INIT("区分"),         STR_INIT("可能会"),    STR_INIT("可能存在"),
        STR_INIT("可能包括")};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (has_whole_word(sentence, marks[i])) {
            return true;
        }
    }
    return false;
}

struct str mention_next_paragraph(struct str *rest)
{
    ptrdiff_t gap = str_find(*rest, STR("\n\n"));
    struct str paragraph = str_slice(*rest, 0, gap < 0 ? rest->len : (size_t)gap);
    *rest = str_slice(*rest, paragraph.len + (gap < 0 ? 0 : 2), rest->len);
    return str_trim(paragraph);
}

/* Counts sentences and those that say what holds in general. False where one that does not tells of
 * a failure. */
static bool count_sentences(struct str paragraph, size_t *sentences, size_t *general)
{
    for (size_t at = 0, end; at < paragraph.len; at = end) {
        end = mention_sentence_end(paragraph, at);
        struct str sentence = str_trim(str_slice(paragraph, at, end));
        bool is_of_all = is_general(sentence);
        if (!is_of_all && failure_is_told(sentence)) {
            return false;
        }
        *sentences += sentence.len >= SENTENCE_BYTES_MIN;
        *general += is_of_all;
    }
    return true;
}

/* A heading, a directive: one line without a full stop. */
static bool is_heading(struct str paragraph, bool is_first)
{
    static const struct str signs[] = {STR_INIT(".. "), STR_INIT("#"), STR_INIT("== ")};
    bool is_line = str_find_char(paragraph, '\n') < 0;
    return (is_first && is_line && paragraph.len < TITLE_BYTES_MAX) ||
           (is_line && STARTS_ANY(paragraph, signs)) || str_find(paragraph, STR("\n===")) > 0 ||
           str_find(paragraph, STR("\n---")) > 0;
}

/* Paragraphs each of which says what holds in general; what a program printed stands in one of its
 * own, which does not. */
static bool is_general_prose(struct str text)
{
    size_t sentences = 0, general = 0;
    for (struct str rest = text; rest.len;) {
        bool is_first = rest.ptr == text.ptr;
        struct str paragraph = mention_next_paragraph(&rest);
        size_t before = general;
        if (paragraph.len == 0 || is_heading(paragraph, is_first)) {
            continue;
        }
        if (!count_sentences(paragraph, &sentences, &general) || general == before) {
            return false;
        }
    }
    return sentences >= SENTENCES_MIN && general * 5 >= sentences * 2;
}

bool mention_is_essay(struct str text, bool has_person)
{
    return is_titled(text) || is_catechism(text) || (!has_person && is_choice(text)) ||
           (!has_person && str_find(text, STR("```")) < 0 && is_general_prose(text));
}
