#ifndef REPORT_FORMATS_H
#define REPORT_FORMATS_H

#include "report/report.h"

/* The record of each format, in the file of its name. */
#define FORMAT(name) extern const struct report_format format_##name;
#include "report/formats.def"
#undef FORMAT

#endif
