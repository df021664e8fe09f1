#ifndef CLASSIFY_MENTION_H
#define CLASSIFY_MENTION_H

#include "classify/bigrams.h"
#include "classify/lift.h"

/* What mention.c (single lines), mention_text.c (blocks and whole texts) and the files beside them
 * share. Bigrams are those of the line or of a text around it. Private to src/classify. */

/* Statements of programming languages, and comments. */
bool mention_is_source_code(const struct bigrams *bigrams, struct str line);
/* Whether the line only speaks of errors. cells_min: how many cells make a row of a table. */
bool mention_is_line(const struct bigrams *bigrams, struct str line, size_t cells_min);
/* Whether a program's report stands in the line, whatever it begins with. */
bool mention_has_report(const struct bigrams *bigrams, struct str line);
/* What a lesson says that its reader will see. */
bool mention_is_expected(struct str line);
/* What a guide tells its reader, a program's words quoted in it. */
bool mention_is_guidance(struct str line);
/* Forms of writing, of a line without a report: articles, advice, glossaries. */
bool mention_is_writing(const struct bigrams *bigrams, struct str line);
/* mention_note.c: the same for notes of developers and operators. */
bool mention_is_note(const struct bigrams *bigrams, struct str line);
/* mention_daily.c: the same for daily life, lists of names, and what does not hold, is asked, would
 * be done or is over. */
bool mention_is_daily(const struct bigrams *bigrams, struct str line);
/* mention_label.c: the same for labels of statuses, stories of users, constants of programs. */
bool mention_is_labelled(struct str line);
/* The same for the title of a change, which is a line of its own. */
bool mention_is_title(struct str line);
/* mention_chinese.c: the same for sentences of manuals in Chinese. */
bool mention_is_chinese_manual(const struct bigrams *bigrams, struct str line);
/* mention_change.c: the subject of a commit, by a sign that only those have. */
bool mention_is_subject(struct str line);
/* "Handle insufficient_quota", "Fixed ...": whether a verb of those who change programs opens it.
 */
bool mention_opens_change(struct str subject);
/* Whether a line says what a change does, or what was before it. */
bool mention_is_description(const struct bigrams *bigrams, struct str line);
/* mention_design.c: what those say who design, review and answer. */
bool mention_is_design(const struct bigrams *bigrams, struct str line);
/* Whether a text is the message of a commit: its subject, a blank line, what was done and why. */
bool mention_is_commit(struct str text, bool has_person);
/* Whether a sentence in which no rule finds a failure has failures for its topic only. */
bool mention_is_topic(const struct bigrams *bigrams, struct str sentence);
/* mention_code.c: a statement, a comment, the head of a function. */
bool mention_is_code(const struct bigrams *bigrams, struct str line);
/* Lone brackets and "name: value," belong to code and to values alike. */
bool mention_is_bracket(struct str line);
/* Whether code is all there is: what stands before it, behind it, or in a report between is no
 * paragraph of something else. What a program prints of a value has no line that is plainly code.
 */
bool mention_is_all_code(struct str text);

#define DOCUMENT_BYTES_MIN 2000 /* what is shorter may be somebody's report in any shape */

/* Whether a text is no report as a whole: a manual page, a script, a source file, a settings file,
 * a change log, a book, a project's README. */
bool mention_is_document(struct bigram_lines *lines);
/* mention_excerpt.c: the same of some lines out of a program. */
bool mention_is_excerpt(struct bigram_lines *lines);
/* mention_data.c: the same of settings, catalogues, tables, patches, whose lines have one form. */
bool mention_is_data(struct bigram_lines *lines);
/* mention_columns.c: the same of tables without a frame. */
bool mention_is_columns(struct str text);
/* mention_run.c: the same of what tools print of themselves: a run of tests none of which failed,
 * options and what they do, names each beside itself. */
bool mention_is_good_run(struct str text);
bool mention_is_options(struct str text);
bool mention_is_namesakes(struct str text);
/* mention_essay.c: the same of what people write about errors in general; has_person: somebody says
 * in it what he did. */
bool mention_is_essay(struct str text, bool has_person);
/* Questions below a title that says so, each with lines of an answer, whatever they quote. */
bool mention_is_answered_list(struct str text);
/* mention_page.c: the same of pages of documentation. has_report: a program prints in it. */
bool mention_is_page(struct bigram_lines *lines, bool has_report, bool has_person);
/* Whether a program's report is shown between the fences of a text, and not for an example. */
bool mention_shows_report(struct str text);
/* mention_manual.c: whether a text has a sign that only sources of documentation have. */
bool mention_has_manual_sign(struct bigram_lines *lines);
/* The same of a chapter that names no failure, or says what to do about it; the caller knows that
 * no line reports. has_form: it has headings as reports of bugs have. */
bool mention_is_section(struct bigram_lines *lines, bool has_form);
/* The same of a text that no rule explains: it is laid out for readers, and no line of it reports.
 */
bool mention_is_written(struct str text);
/* {"error": {"code": ..., "message": ...}}: what an answer looks like, not one. */
bool mention_is_schema(const struct bigrams *bigrams, struct str line);
/* Blanks the answers in bytes, a copy of text, that it shows as examples. */
void mention_blank_examples(char *bytes, struct str text);
/* mention_inner.c: blanks in bytes, a copy of text, the documents that stand in it, between fences
 * or between what somebody says around them. */
void mention_blank_documents(char *bytes, struct str text);
/* The same of what tools printed where the agent that called them tells a failure of its own. */
void mention_blank_tools(char *bytes, struct str text);
/* The same of a model's answers in a talk that was copied from a page: "ChatGPT said:". */
void mention_blank_replies(char *bytes, struct str text);
/* mention_escaped.c: the same of the lines that a log wrote as one, where it calls nothing wrong.
 */
void mention_blank_escaped(struct arena *arena, char *bytes, struct str text);
/* The same of the paragraphs right below "### Before" and "### After", where a text has both: what
 * a change makes of a message. */
void mention_blank_changes(char *bytes, struct str text);
/* The same of "(e.g. a timeout, a refusal)" in a line: several things that may happen. */
void mention_blank_asides(char *bytes, struct str text, const struct bigrams *bigrams,
                          struct str line);
/* Takes the paragraph up to a blank line off the front of *rest. */
struct str mention_next_paragraph(struct str *rest);
/* Whether somebody tells in the line what happened to him. */
bool mention_is_persons(const struct bigrams *bigrams, struct str line);
/* "- ", "* ", "3. ", "• " and blanks taken off the front. */
struct str mention_without_mark(struct str line);
/* mention_lead.c: the line without what a log, a talk or a list puts in front of its words.
 */
struct str mention_behind_lead(struct str line);
/* Blanks in bytes, a copy of text, the sentences of a line that only speak of errors, where others
 * stand beside them. */
void mention_blank_sentences(char *bytes, struct str text, const struct bigrams *bigrams,
                             struct str line);
/* Where the sentence that begins at text[at] ends: behind its full stop. */
size_t mention_sentence_end(struct str text, size_t at);
/* How many statuses of failures a line explains. */
size_t mention_explained_statuses(struct str line);
/* How many "#" a heading of Markdown begins with; 0 for what is none. */
size_t mention_heading_level(struct str line);
/* Whether what follows the word "error" in a line names what was handled, "Error handling request
 * /v1/chat": an event, not the topic. */
bool mention_names_handled(struct str behind);
/* How often a word stands in a line. */
size_t mention_count(struct str line, struct str word);

#endif
