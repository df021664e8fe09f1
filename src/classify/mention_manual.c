/* Pieces of documentation, by what only its sources have: components of pages, links to pages
 * beside them, anchors, boxes. Takes a text, says whether it is such a piece. Nobody writes these
 * signs in a report, and no program prints them; headings and lists stand in reports, too, and
 * count for less. */
#include "classify/mention.h"

#include "classify/parts.h"

#define LINK_BYTES_MAX 200 /* what is longer is no link that somebody wrote */

/* "<Step title=...>", "</Accordion>": components of the generators of sites. Answers in XML have
 * capitals as well, so the names are those that are known. */
static bool is_component(struct str inner)
{
    static const struct str names[] = {STR_INIT("Accordion"),
                                       STR_INIT("Alert"),
                                       STR_INIT("Badge"),
                                       STR_INIT("Callout"),
                                       STR_INIT("Card"),
                                       STR_INIT("Check"),
                                       STR_INIT("CodeBlock"),
                                       STR_INIT("CodeGroup"),
                                       STR_INIT("CodeTab"),
                                       STR_INIT("Column"),
                                       STR_INIT("Danger"),
                                       STR_INIT("Expandable"),
                                       STR_INIT("Faq"),
                                       STR_INIT("FAQ"),
                                       STR_INIT("Frame"),
                                       STR_INIT("Icon"),
                                       STR_INIT("Image"),
                                       STR_INIT("Info"),
                                       STR_INIT("Link"),
                                       STR_INIT("Note"),
                                       STR_INIT("Param"),
                                       STR_INIT("Properties"),
                                       STR_INIT("ResponseField"),
                                       STR_INIT("ResponseExample"),
                                       STR_INIT("RequestExample"),
                                       STR_INIT("Section"),
                                       STR_INIT("Snippet"),
                                       STR_INIT("Step"),
                                       STR_INIT("Tab"),
                                       STR_INIT("Tip"),
                                       STR_INIT("Update"),
                                       STR_INIT("Video"),
                                       STR_INIT("Warning"),
                                       STR_INIT("details>"),
                                       STR_INIT("summary>")};
    size_t at = inner.len > 1 && inner.ptr[1] == '/' ? 2 : 1;
    return inner.len > 3 && inner.ptr[0] == '<' &&
           STARTS_ANY(str_slice(inner, at, inner.len), names);
}

/* "](/docs/errors)", "](../faq.md)", "](#limits)", "](retries.md)": a page beside this one. */
static bool has_page_link(struct str line)
{
    static const struct str starts[] = {STR_INIT("/"), STR_INIT("./"), STR_INIT("../"),
                                        STR_INIT("#")};
    for (ptrdiff_t at = str_find(line, STR("](")); at >= 0; at = str_find(line, STR("]("))) {
        line = str_slice(line, (size_t)at + 2, line.len);
        struct str target = str_slice(line, 0, LINK_BYTES_MAX);
        target = str_slice(target, 0, str_next_char(target, 0, ')'));
        bool is_address = str_find(target, STR("://")) >= 0;
        bool is_page = str_find(target, STR(".md")) > 0 || str_find(target, STR(".rst")) > 0;
        if (STARTS_ANY(target, starts) || (is_page && !is_address)) {
            return true;
        }
    }
    return false;
}

/* ":::tip", "> [!NOTE]", "!!! warning", "??? tip", ".. note::", "{{< note >}}". Apps that talk in
 * Markdown show a failure in a box of its own, "> [!failure]". */
static bool is_box(struct str inner)
{
    static const struct str starts[] = {STR_INIT(":::"), STR_INIT("!!! "), STR_INIT("??? "),
                                        STR_INIT("{{< "), STR_INIT("{% ")};
    static const struct str kinds[] = {STR_INIT("> [!note]"),      STR_INIT("> [!tip]"),
                                       STR_INIT("> [!important]"), STR_INIT("> [!warning]"),
                                       STR_INIT("> [!caution]"),   STR_INIT("> [!info]")};
    return STARTS_ANY(inner, starts) || ISTARTS_ANY(inner, kinds) ||
           (str_starts(inner, STR(".. ")) && str_find(inner, STR("::")) > 3);
}

/* "### Fixed", "### Patch Changes", "## [1.2.3] - 2025-01-31", "## 0.17 (2025-09-29)": the head of
 * what a version brought. */
static bool heads_history(struct str inner)
{
    static const struct str names[] = {
        STR_INIT("fixed"),         STR_INIT("fixes"),          STR_INIT("bug fixes"),
        STR_INIT("bugfixes"),      STR_INIT("added"),          STR_INIT("changed"),
        STR_INIT("removed"),       STR_INIT("improved"),       STR_INIT("improvements"),
        STR_INIT("deprecated"),    STR_INIT("security"),       STR_INIT("features"),
        STR_INIT("new features"),  STR_INIT("patch changes"),  STR_INIT("minor changes"),
        STR_INIT("major changes"), STR_INIT("what's changed"), STR_INIT("breaking changes"),
        STR_INIT("修复"),          STR_INIT("新增"),           STR_INIT("优化"),
        STR_INIT("变更")};
    if (!str_starts(inner, STR("##"))) {
        return false;
    }
    while (inner.len && str_is_of(inner.ptr[0], "# [vV")) {
        inner = str_slice(inner, 1, inner.len);
    }
    if (IS_ONE_OF(inner, names)) {
        return true;
    }
    size_t digits = 0, dots = 0;
    while (digits < inner.len && (str_is_digit(inner.ptr[digits]) || inner.ptr[digits] == '.')) {
        dots += inner.ptr[digits++] == '.';
    }
    struct str behind = str_slice(inner, digits, inner.len);
    bool is_dated = str_find(behind, STR("20")) >= 0;
    return dots > 0 && dots < digits && digits > 2 && (dots > 1 || is_dated) &&
           (behind.len == 0 || str_is_of(behind.ptr[0], "] (-"));
}

/* "Table of Contents" alone on its line, as heading or not. */
static bool is_contents(struct str inner)
{
    static const struct str names[] = {STR_INIT("table of contents"), STR_INIT("目录"),
                                       STR_INIT("inhaltsverzeichnis"), STR_INIT("目次")};
    while (inner.len && str_is_of(inner.ptr[0], "#* ")) {
        inner = str_slice(inner, 1, inner.len);
    }
    while (inner.len && str_is_of(inner.ptr[inner.len - 1], "*: ")) {
        inner.len--;
    }
    return IS_ONE_OF(inner, names);
}

static bool is_sign(const struct bigrams *bigrams, struct str line)
{
    struct str inner = str_trim(line);
    static const struct str titles[] = {STR_INIT("### Requirement: "), STR_INIT("#### Scenario: ")};
    bool has_anchor = STARTS_ANY(inner, titles) || (str_starts(inner, STR("#")) &&
                                                    (bigrams_find(bigrams, line, STR("{#")) > 0 ||
                                                     bigrams_find(bigrams, line, STR(" [#")) > 0));
    return has_anchor || heads_history(inner) || is_component(inner) || is_box(inner) ||
           is_contents(inner) ||
           (bigrams_find(bigrams, line, STR("](")) >= 0 && has_page_link(line)) ||
           bigrams_find(bigrams, line, STR(":py:")) >= 0 ||
           bigrams_find(bigrams, line, STR(":class:`")) >= 0 ||
           bigrams_find(bigrams, line, STR("- **WHEN** ")) >= 0 ||
           bigrams_find(bigrams, line, STR("- **THEN** ")) >= 0;
}

bool mention_has_manual_sign(struct bigram_lines *lines)
{
    struct str line;
    bool has_sign = false;
    bigrams_rewind(lines);
    while (!has_sign && bigrams_next_line(lines, &line)) {
        has_sign = is_sign(&lines->bigrams, line);
    }
    return has_sign;
}

/* The words of a heading, or unset. */
static struct str heading_of(struct str line)
{
    struct str inner = str_trim(line);
    size_t level = mention_heading_level(inner);
    bool is_heading = level > 0 && level < 7;
    return is_heading ? str_trim(str_slice(inner, level, inner.len)) : (struct str){NULL, 0};
}

/* Parts of what people hand in when something fails. */
static bool heads_report(struct str title)
{
    static const struct str names[] = {
        STR_INIT("description"), STR_INIT("summary"), STR_INIT("actual"),  STR_INIT("output"),
        STR_INIT("trace"),       STR_INIT("what "),   STR_INIT("steps"),   STR_INIT("version"),
        STR_INIT("context"),     STR_INIT("current"), STR_INIT("details"), STR_INIT("observed"),
        STR_INIT("问题"),        STR_INIT("现象"),    STR_INIT("返回"),    STR_INIT("描述"),
        STR_INIT("症状"),        STR_INIT("結果"),    STR_INIT("结果"),    STR_INIT("版本")};
    return ISTARTS_ANY(title, names);
}

static bool is_question(struct str title)
{
    return str_ends(title, STR("?")) || str_ends(title, STR("？")) || str_ends(title, STR("吗"));
}

/* What somebody met: when it began, what did not help. */
static bool tells_event(const struct bigrams *bigrams, struct str line)
{
    static const struct str words[] = {STR_INIT(" since "),       STR_INIT("fter updat"),
                                       STR_INIT("fter upgrad"),   STR_INIT("this morning"),
                                       STR_INIT(" today"),        STR_INIT("yesterday"),
                                       STR_INIT(" all day"),      STR_INIT("stopped working"),
                                       STR_INIT(" although "),    STR_INIT("even though "),
                                       STR_INIT(" not help"),     STR_INIT("n't help"),
                                       STR_INIT("each time"),     STR_INIT("every time"),
                                       STR_INIT("every request"), STR_INIT("each request"),
                                       STR_INIT("every call"),    STR_INIT("ll requests"),
                                       STR_INIT(" anymore"),      STR_INIT("suddenly"),
                                       STR_INIT("always fail"),   STR_INIT("still fail"),
                                       STR_INIT("still get"),     STR_INIT("升级后"),
                                       STR_INIT("更新后"),        STR_INIT("昨天"),
                                       STR_INIT("今天"),          STR_INIT("突然"),
                                       STR_INIT("一直"),          STR_INIT("所有请求"),
                                       STR_INIT("仍然"),          STR_INIT("之后")};
    return HAS_ANY(bigrams, line, words);
}

/* How a manual speaks to its reader, and what a history of versions begins its items with. */
static bool teaches(const struct bigrams *bigrams, struct str line)
{
    static const struct str words[] = {
        STR_INIT("you "),     STR_INIT("your "),        STR_INIT("You "),
        STR_INIT("Your "),    STR_INIT(" may "),        STR_INIT(" can be "),
        STR_INIT(" should "), STR_INIT(" must "),       STR_INIT("e.g."),
        STR_INIT("xample"),   STR_INIT("such as "),     STR_INIT("default"),
        STR_INIT("ptional"),  STR_INIT("supports "),    STR_INIT("ccepts "),
        STR_INIT("llows "),   STR_INIT("For more "),    STR_INIT("请"),
        STR_INIT("可以"),     STR_INIT("如果"),         STR_INIT("默认"),
        STR_INIT("支持"),     STR_INIT("您"),           STR_INIT("确保"),
        STR_INIT("例如"),     STR_INIT("してください"), STR_INIT("できます"),
        STR_INIT("場合"),     STR_INIT("デフォルト"),   STR_INIT("→"),
        STR_INIT("| -")};
    static const struct str starts[] = {
        STR_INIT("Ensure "),  STR_INIT("Make sure "), STR_INIT("Check "),  STR_INIT("Verify "),
        STR_INIT("Confirm "), STR_INIT("Configure "), STR_INIT("Set "),    STR_INIT("Use "),
        STR_INIT("See "),     STR_INIT("If "),        STR_INIT("When "),   STR_INIT("Run "),
        STR_INIT("Add"),      STR_INIT("Fix"),        STR_INIT("Chang"),   STR_INIT("Remov"),
        STR_INIT("Improv"),   STR_INIT("Updat"),      STR_INIT("Support"), STR_INIT("Allow"),
        STR_INIT("Prevent"),  STR_INIT("Create "),    STR_INIT("Open "),   STR_INIT("Click "),
        STR_INIT("feat"),     STR_INIT("fix"),        STR_INIT("检查"),    STR_INIT("修复"),
        STR_INIT("新增"),     STR_INIT("优化"),       STR_INIT("|")};
    static const struct str names[] = {STR_INIT("`"), STR_INIT("**"), STR_INIT("[")};
    struct str item = mention_without_mark(line);
    bool is_item = item.ptr != str_trim(line).ptr;
    return HAS_ANY(bigrams, line, words) || STARTS_ANY(item, starts) ||
           (is_item && STARTS_ANY(item, names));
}

/* "**Solution:**", "处理方式：": a line that heads what to do. */
static bool heads_remedy(struct str line)
{
    static const struct str names[] = {
        STR_INIT("solution"),   STR_INIT("solutions"), STR_INIT("fix"),      STR_INIT("how to fix"),
        STR_INIT("resolution"), STR_INIT("解决方案"),  STR_INIT("解决方法"), STR_INIT("解决办法"),
        STR_INIT("处理方式"),   STR_INIT("处理方法"),  STR_INIT("处理建议"), STR_INIT("解決方法"),
        STR_INIT("解決策")};
    line = str_trim(line);
    while (line.len && str_is_of(line.ptr[0], "#* ")) {
        line = str_slice(line, 1, line.len);
    }
    while (line.len && (str_is_of(line.ptr[line.len - 1], "*: ") || str_ends(line, STR("：")))) {
        line.len -= str_ends(line, STR("：")) ? STR("：").len : 1;
    }
    return IS_ONE_OF(line, names);
}

/* What the lines of a chapter show as they are read. */
struct chapter {
    size_t lines, lessons;  /* those that teach */
    size_t remedies, steps; /* heads of what to do about a failure, items below them */
    bool names_failure, reports;
};

static void read_line(struct chapter *chapter, const struct bigrams *bigrams, struct str line)
{
    struct str title = heading_of(line);
    bool is_title = str_is_set(title), is_first = chapter->lines++ == 0;
    if (is_first) {
        chapter->names_failure = is_title && failure_is_told(title) && !is_question(title);
    }
    chapter->reports = chapter->reports || (is_first && !is_title) ||
                       (is_title && heads_report(title)) || tells_event(bigrams, line);
    chapter->lessons += !is_title && teaches(bigrams, line);
    chapter->remedies += heads_remedy(line);
    chapter->steps += chapter->remedies && mention_without_mark(line).ptr != str_trim(line).ptr;
}

bool mention_is_section(struct bigram_lines *lines, bool has_form)
{
    struct str line;
    struct chapter chapter = {0};
    bigrams_rewind(lines);
    while (!chapter.reports && bigrams_next_line(lines, &line)) {
        if (str_trim(line).len) {
            read_line(&chapter, &lines->bigrams, line);
        }
    }
    bool is_helpful = chapter.steps > 1; /* as one on a failure is */
    return !chapter.reports && (is_helpful || !(chapter.names_failure || has_form)) &&
           (is_helpful || chapter.lessons > 1 || chapter.lessons * 2 >= chapter.lines);
}

/* "## Limits", "| --- | --- |", "```ts", "[quota](https://...)": what people write with, and
 * programs do not print. */
static bool is_layout(const struct bigrams *bigrams, struct str inner)
{
    static const struct str rulers[] = {STR_INIT("|-"), STR_INIT("| -"), STR_INIT("|:"),
                                        STR_INIT("| :")};
    bool is_code = str_starts(inner, STR("```")) && inner.len > 3;
    /* "**Fail early.** An error in ...": what a paragraph says first. */
    ptrdiff_t lead = str_starts(inner, STR("**")) ? bigrams_find(bigrams, inner, STR(".** ")) : -1;
    return lead > 0 || str_is_set(heading_of(inner)) || is_code || STARTS_ANY(inner, rulers) ||
           bigrams_find(bigrams, inner, STR("](http")) > 0;
}

/* How many names stand between signs of code, how many terms are bold: `name`, "**Cause**".
 * Programs use one of them at times. A fence alone has none: people paste between fences. */
static size_t count_names(struct str line)
{
    if (str_starts(str_trim(line), STR("```"))) {
        return 0;
    }
    size_t signs = mention_count(line, STR("`")), stars = mention_count(line, STR("**"));
    return signs / 2 + stars / 2;
}

/* "## What is the error message (if any)?": what a form asks for, and somebody answered. */
static bool asks_for_report(struct str title)
{
    static const struct str names[] = {STR_INIT("what is the error"), STR_INIT("what happened"),
                                       STR_INIT("what went wrong"),   STR_INIT("error message"),
                                       STR_INIT("actual behavio"),    STR_INIT("relevant log"),
                                       STR_INIT("报错信息"),          STR_INIT("错误日志")};
    return ISTARTS_ANY(title, names);
}

/* "error="no such model"" of a line of fields, as loggers print them. */
static bool has_error_field(const struct bigrams *bigrams, struct str line)
{
    ptrdiff_t at = bigrams_find(bigrams, line, STR(" error=\""));
    return at > 0 && (size_t)at + 8 < line.len && line.ptr[at + 8] != '"';
}

bool mention_is_written(struct str text)
{
    static const struct str shown[] = {STR_INIT("**Error:** "), STR_INIT("**Error**: ")};
    struct bigram_lines lines;
    struct str line;
    size_t layouts = 0, names = 0;
    bigrams_begin(&lines, text);
    while (bigrams_next_line(&lines, &line)) {
        bool is_item = mention_without_mark(line).ptr != str_trim(line).ptr;
        if (mention_has_report(&lines.bigrams, line) || STARTS_ANY(str_trim(line), shown) ||
            has_error_field(&lines.bigrams, line) || asks_for_report(heading_of(line)) ||
            (!is_item && failure_is_reported(&lines.bigrams, line)) ||
            mention_is_persons(&lines.bigrams, line) || tells_event(&lines.bigrams, line)) {
            return false;
        }
        layouts += is_layout(&lines.bigrams, str_trim(line));
        names += count_names(line);
    }
    return layouts > 0 || names > 1;
}
