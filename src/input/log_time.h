#ifndef INPUT_LOG_TIME_H
#define INPUT_LOG_TIME_H

#include "base/str.h"

/* What stands in front of a line of a log before its message. */
struct log_front {
    bool is_stamped;   /* a time, a level or the brace of a JSON record: an entry begins here */
    bool has_clock;    /* a time is among them */
    int64_t time_ms;   /* since 1970, -1 where the front names no moment */
    bool is_ordinary;  /* its level says that nothing is wrong: INFO and below */
    bool has_level;    /* it names one at all */
    bool has_word;     /* by a word, which somebody chose: a priority may be any collector's */
    bool is_warning;   /* its level leaves that open */
    size_t message_at; /* offset of the message; 0 where the front is a part of it (JSON) */
};

/* Reads the front of one line. Times: RFC 3339 and its looser kin, syslog (months in several
 * languages), ctime, web servers, Windows, Android, klog, seconds or milliseconds since 1970. A
 * time without a zone is taken as UTC. now_ms gives the year where a log names none. */
struct log_front log_front_read(struct str line, int64_t now_ms);

/* log_front_read(line, 0).is_stamped, which is less to find out. */
bool log_is_stamped(struct str line);

/* The time of a line whose front was read: that of the front, else that of a JSON record's member
 * ts, time, timestamp or their like, or of a pair time=, ts= further behind. -1 for none. */
int64_t log_front_time(struct str line, const struct log_front *front, int64_t now_ms);

#endif
