#ifndef SYNTAX_TOKEN_H
#define SYNTAX_TOKEN_H

#include "syntax/node.h"

/* The claims of a JSON Web Token (RFC 7519), or NULL when the text is none. Its signature is not
 * looked at: nothing here trusts it. */
const struct node *token_claims(struct arena *arena, struct str token);

#endif
