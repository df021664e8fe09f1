#ifndef REPORT_BAR_H
#define REPORT_BAR_H

#include "report/report.h"

/* One sign for a share of failures: a blank without requests, a dot without failures, then a bar of
 * eight heights; figures 1 to 7 where there is no UTF-8. One failure is never shown as none. */
struct str bar_of_share(const struct report_style *style, int64_t failures, int64_t requests);

#endif
