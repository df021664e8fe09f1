/* Filling of struct err. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

static enum err_code fill(struct err *err, enum err_code code, const char *format, va_list args)
{
    if (err) {
        err->code = code;
        err->file[0] = '\0';
        err->line = err->column = 0;
        vsnprintf(err->text, sizeof err->text, format, args);
    }
    return code;
}

enum err_code err_set(struct err *err, enum err_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, code, format, args);
    va_end(args);
    return code;
}

enum err_code err_set_at(struct err *err, enum err_code code, struct str file, unsigned line,
                         unsigned column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, code, format, args);
    va_end(args);
    if (err) {
        snprintf(err->file, sizeof err->file, "%.*s", STR_ARG(file));
        err->line = line;
        err->column = column;
    }
    return code;
}
