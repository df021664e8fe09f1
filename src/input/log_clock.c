/* The time of a line whose front names none. Takes the line, looks into the record or the pairs
 * that it is. */
#include "input/log_moment.h"
#include "input/log_record.h"
#include "input/log_time.h"

#define FRONT_BYTES_MAX 512 /* in which a time's pair is looked for */

static int64_t json_time(struct str line, int64_t now_ms)
{
    static const struct str names[] = {
        STR_INIT("ts"),       STR_INIT("time"), STR_INIT("timestamp"),  STR_INIT("@timestamp"),
        STR_INIT("asctime"),  STR_INIT("date"), STR_INIT("created_at"), STR_INIT("t"),
        STR_INIT("datetime"), STR_INIT("@t"),
    };
    struct str value = log_record_member(line, names, sizeof names / sizeof names[0]);
    struct log_moment moment;
    size_t quote = value.len > 0 && value.ptr[0] == '"';
    if (log_moment_read(value, quote, now_ms, &moment) && moment.ms >= 0) {
        return moment.ms;
    }
    struct str bare = str_slice(value, quote, value.len > 2 * quote ? value.len - quote : 0);
    return log_moment_from_number(str_trim(bare));
}

/* A time further behind: " ts=" of logfmt. */
static int64_t time_behind(struct str line, int64_t now_ms)
{
    static const struct str leads[] = {STR_INIT(" time="), STR_INIT(" ts="),
                                       STR_INIT(" timestamp=")};
    struct log_moment moment;
    struct str value =
        log_pair_value(str_slice(line, 0, FRONT_BYTES_MAX), leads, sizeof leads / sizeof leads[0]);
    size_t quote = value.len > 0 && value.ptr[0] == '"';
    return log_moment_read(value, quote, now_ms, &moment) ? moment.ms : -1;
}

int64_t log_front_time(struct str line, const struct log_front *front, int64_t now_ms)
{
    return front->time_ms >= 0   ? front->time_ms
           : log_is_record(line) ? json_time(line, now_ms)
                                 : time_behind(line, now_ms);
}
