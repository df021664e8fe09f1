#ifndef CLI_SAY_H
#define CLI_SAY_H

#include "cli/cli.h"
#include "rules/rules.h"

/* Complaints and remarks on standard error, and small texts in the run's language. */

/* The text in the language of the run. */
const char *say(const struct cli *cli, const char *english, const char *chinese);

/* The same with values put in; both formats take them in the same order. Over 4 KiB it is cut. */
__attribute__((format(printf, 2, 4), format(printf, 3, 4))) struct str
say_with(struct cli *cli, const char *english, const char *chinese, ...);

/* Keeps the shapes of keys that the table knows, for all that is said in this run. The table may be
 * closed afterwards. Without it the built-in table is opened at the first complaint. */
void say_keep_key_shapes(struct cli *cli, const struct rules *rules);

/* The shapes of keys, as far as they are known. Lives as long as the run. */
const struct mask *say_mask(struct cli *cli);

/* Text from wherever, with everything of a key's shape masked. Lives as long as the longer of the
 * text and cli's arena. */
struct str say_without_keys(struct cli *cli, struct str text);
/* Hides keys in the result gathered so far: that of commands which show files of the user's. */
void say_hide_keys(struct cli *cli, const struct mask *mask);

/* Prints "diagnose: FILE:LINE:COL: text" whatever --quiet says, and gives the exit code that the
 * error stands for. In JSON the result becomes an object with the error in it, so that standard
 * output is valid JSON also when a run fails. */
int say_error(struct cli *cli, const struct err *err);

/* The same for the failure of a file with several problems: they are printed in place of err's text
 * when there are any. */
int say_error_of_file(struct cli *cli, const struct err *err, const struct problems *problems);

/* The same for all of a list, each with "diagnose: " before it. */
void say_problems(struct cli *cli, const struct problems *problems);

/* One line on standard error, unless --quiet. */
__attribute__((format(printf, 2, 3))) void say_remark(struct cli *cli, const char *format, ...);

#endif
