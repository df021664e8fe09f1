#ifndef CLI_EXPECT_H
#define CLI_EXPECT_H

#include "cli/cli.h"

/* What --expect says: keys in a fixed order, each at most once. */
struct expectations {
    const struct expect_key *const *keys;
    const struct str *wanted;
    size_t count;
};

/* Reads the options. An unknown key, one that is given twice, and one that needs an answer in a run
 * without requests are ERR_USAGE. */
enum err_code expect_read(struct cli *cli, struct expectations *expected, struct err *err);

/* Compares the first primary model of the report with what is expected, and sets the report's
 * expectations and, when there are any, its exit code, blame and summary. */
void expect_judge(struct cli *cli, const struct expectations *expected, struct report *report);

#endif
