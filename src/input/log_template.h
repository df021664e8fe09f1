#ifndef INPUT_LOG_TEMPLATE_H
#define INPUT_LOG_TEMPLATE_H

#include "base/arena.h"

/* What entries have in common that report the same of two requests: their text without its
 * parameters, which are ids that nobody reads a meaning from (uuids, long hexadecimal numbers,
 * random letters), and what log_member.def names of a record or of pairs, times and measures.
 * Numbers in the words of a message are none, for a limit, a wait or a code is what the entry says;
 * but where all are asked for quantities are that only one request has (input/log_quantity.h). */

#define LOG_PARAMETERS_MAX 32 /* what would be one past them stays text */
#define LOG_TEMPLATE_BYTES_MAX ((size_t)0xFFFF)

enum log_parameter_kind {
    LOG_PARAMETER_ID,
    LOG_PARAMETER_TIME,
    LOG_PARAMETER_NUMBER,
    LOG_PARAMETER_QUANTITY
};

struct log_parameter {
    struct str text; /* within the text that was read */
    enum log_parameter_kind kind;
};

struct log_template {
    struct str text; /* bytes to compare, not to show; lives in arena */
    struct log_parameter parameters[LOG_PARAMETERS_MAX];
    size_t count;
};

/* Takes a text of at most LOG_TEMPLATE_BYTES_MAX. Texts of equal templates differ in nothing but
 * the bytes of their parameters, which are of the same number, order and kinds; all but numbers are
 * as long, and equal to each other in the one where they are in the other; lines are as long.
 * Statuses stay text wherever they stand. takes_all: quantities are parameters, too, and ids that
 * begin or end like a status; without it they stay text, since a careless pattern may see a status
 * or a limit in them. */
void log_template_read(struct arena *arena, struct str text, bool takes_all,
                       struct log_template *template);

#endif
