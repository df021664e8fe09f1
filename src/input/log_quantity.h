#ifndef INPUT_LOG_QUANTITY_H
#define INPUT_LOG_QUANTITY_H

#include "base/str.h"

/* The number at text[at], which is a digit that no letter or digit stands before: tokens, bytes or
 * money of one request, told in the words of a message (log_quantity.def): "Used 207787", "258819
 * tokens", "$0.128787". Unset where it is anything else: a number of fewer than four digits, or one
 * that is nothing but zeros, may be what the message says. Borrows from the text. */
struct str log_quantity_at(struct str text, size_t at);

#endif
