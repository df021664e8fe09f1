#ifndef CLASSIFY_WAIT_ZONE_H
#define CLASSIFY_WAIT_ZONE_H

#include "base/str.h"

/* Reads a zone of time at the front of a text: "Europe/Berlin", "PST". Gives the bytes of its name
 * and, to *utc_offset_s, its distance from UTC at that moment; 0 where none stands there that is
 * known. Summer time goes by the rules of 2007 (North America), 1996 (Europe) and 2008 (Australia).
 */
size_t wait_zone(struct str text, int64_t at_ms, int64_t *utc_offset_s);

/* The same where local_ms is what a clock of that zone shows. Of an hour that its clock shows twice
 * either may be meant. */
size_t wait_zone_of_clock(struct str text, int64_t local_ms, int64_t *utc_offset_s);

#endif
