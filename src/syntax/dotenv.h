#ifndef SYNTAX_DOTENV_H
#define SYNTAX_DOTENV_H

#include "base/env.h"
#include "syntax/node.h"

/* Reads lines NAME=value, as the dotenv libraries of clients do: "export " before the name, '#'
 * comments, single quotes (literal), double quotes (\n, \", \\ and several lines), blanks around an
 * unquoted value cut. Outside single quotes $NAME (letters and digits only) and ${NAME} stand for a
 * line above, else for a variable of env (NULL = there is none), else for nothing; \$ is a dollar.
 * root is a TABLE of strings; the last of several equal
 * names is in force, and each repetition is an error marked is_duplicate_key. Returns true when
 * there was no error. */
bool dotenv_parse(struct arena *arena, struct str text, const struct env *env,
                  struct document *document);

#endif
