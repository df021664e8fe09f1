#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/str.h"

/* Errors are our own failures and the user's wrong use; what fails out there is an observation. */
enum err_code {
    ERR_OK = 0,
    ERR_USAGE,  /* the command line is wrong */
    ERR_FILE,   /* a file that was asked for cannot be read or written */
    ERR_PARSE,  /* a file's content is wrong */
    ERR_SYSTEM, /* the system refused us something: sockets, threads, a library's set-up */
};

/* One error, ready to print: "text" says what was expected and what to do. file, line and column
 * are those of the user's input, line 0 when there is none. Holds copies, so nothing is borrowed.
 */
struct err {
    enum err_code code;
    char file[256];
    unsigned line, column;
    char text[768];
};

/* Fills *err (which may be NULL) and returns code, so that callers write: return err_set(...). */
__attribute__((format(printf, 3, 4))) enum err_code err_set(struct err *err, enum err_code code,
                                                            const char *format, ...);
/* The same with a place in a file. */
__attribute__((format(printf, 6, 7))) enum err_code err_set_at(struct err *err, enum err_code code,
                                                               struct str file, unsigned line,
                                                               unsigned column, const char *format,
                                                               ...);
#endif
