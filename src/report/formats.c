/* The list of output formats. A new one is a file and a line in formats.def. */
#include "report/formats.h"

static const struct report_format *const formats[] = {
#define FORMAT(name) &format_##name,
#include "report/formats.def"
#undef FORMAT
};

size_t report_format_count(void)
{
    return sizeof formats / sizeof formats[0];
}

const struct report_format *report_format_at(size_t index)
{
    return formats[index];
}

const struct report_format *report_format_find(struct str name)
{
    for (size_t i = 0; i < report_format_count(); i++) {
        if (str_eq(formats[i]->name, name)) {
            return formats[i];
        }
    }
    return NULL;
}
