#ifndef CLI_HISTORY_INTAKE_H
#define CLI_HISTORY_INTAKE_H

#include "cli/source.h"
#include "cli/street.h"
#include "history/history.h"

/* One import under way: records on their way into the store, some at a time. */
struct intake {
    struct street *street;
    struct history *history;
    struct str name; /* of the file */
    unsigned line;
    struct arena *arena; /* of the records that wait */
    struct record *records;
    size_t count, added, known, bad;
};

/* An import into an open store; both arguments are borrowed until intake_close, which writes
 * nothing that waits. */
struct intake intake_open(struct street *street, struct history *history);
void intake_close(struct intake *intake);

/* Adds a record, whose texts live in intake->arena; the label of --who goes onto it where it has
 * none. Now and then all that wait are written, and their arena is freed. */
enum err_code intake_add(struct intake *intake, const struct record *record, struct err *err);
/* Writes those that wait. */
enum err_code intake_flush(struct intake *intake, struct err *err);

/* Counts the line under way as bad; the first few are said with what is wrong with them. */
void intake_refuse(struct intake *intake, const char *wrong);

/* Says what came of it; gives the exit code. */
int intake_show(const struct intake *intake);

/* A text of foreign origin as it is kept: masked, bounded, without control characters. */
struct str intake_text(struct intake *intake, struct str text);

/* Adds records of JSON lines as history export writes them. What is none is said with its place,
 * counts as bad, and the rest is taken. */
enum err_code intake_lines(struct intake *intake, const struct source *source, struct err *err);

/* Adds the failures that a log reports, each at its own time, else at that of the last entry before
 * it that names one, else at that of the file. The same entry of the same log is
 * the same record at every import. */
enum err_code intake_log(struct intake *intake, const struct source *source, struct err *err);

#endif
