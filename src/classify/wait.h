#ifndef CLASSIFY_WAIT_H
#define CLASSIFY_WAIT_H

#include "base/moment.h"
#include "classify/bigrams.h"

#define WAIT_MS_MAX (366 * DAY_MS) /* a longer wait is none */

/* Reads a time to wait out of words: "1.5s", "20 seconds", "350ms", "1m30s", "6h0m", "34.07s", "2
 * minutes", "30秒". A bare number counts as seconds. Milliseconds, or -1. */
int64_t wait_parse(struct str text);

/* Finds a time to wait in prose, of which the bigrams are: behind "try again in", "retry after",
 * "please wait", "resets in", "请在" or "请等待" with its unit. Milliseconds, or -1 when the text
 * names none. */
int64_t wait_find(const struct bigrams *bigrams, struct str text);

/* Finds the moment until which to wait in prose, likewise: behind "try again at", "resets" and the
 * like a time of day, a date, both, or seconds since 1970. A zone that is not named is
 * utc_offset_s. Time from now_ms on in milliseconds; -1 when none is named, it is over, or now_ms
 * is not known (0). *is_momentary becomes true where a moment may be named, so that another now_ms
 * may give another time. */
int64_t wait_find_until(const struct bigrams *bigrams, struct str text, int64_t now_ms,
                        int64_t utc_offset_s, bool *is_momentary);

/* When a log's line was written: the first date with a time at the front of a line. Milliseconds
 * since 1970, or -1. */
int64_t wait_stamp(struct str text, int64_t utc_offset_s);

/* Reads a moment: an HTTP date ("Sun, 06 Nov 1994 08:49:37 GMT"), RFC 3339 with "Z" or an offset,
 * or a number of seconds or milliseconds since 1970. Milliseconds since 1970, or -1. */
int64_t wait_moment(struct str text);

/* Time from now_ms until a moment as wait_moment reads it: 0 when it is over, -1 when the text is
 * none or now_ms is not known (0). */
int64_t wait_until(struct str text, int64_t now_ms);

#endif
