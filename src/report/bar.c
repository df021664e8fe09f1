/* Shares as signs of one column, for rows and maps of them. */
#include "report/bar.h"

#define LEVELS 8

struct str bar_of_share(const struct report_style *style, int64_t failures, int64_t requests)
{
    static const char *const bars[LEVELS] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "█"};
    static const char *const figures[LEVELS] = {".", "1", "2", "3", "4", "5", "6", "7"};
    if (requests <= 0) {
        return STR(" ");
    }
    failures = failures > requests ? requests : failures;
    int64_t level = failures <= 0 ? 0 : 1 + failures * (LEVELS - 2) / requests;
    return str_from((style->is_ascii ? figures : bars)[level]);
}
