#ifndef CORE_RECORD_H
#define CORE_RECORD_H

#include "base/arena.h"

/* One request as history keeps it; record.def is the list of its members. Texts are borrowed. */
struct record {
#define TEXT(name) struct str name;
#define NUMBER(name) int64_t name;
#include "core/record.def"
#undef TEXT
#undef NUMBER
};

/* A record of which nothing is known yet. */
struct record record_blank(void);

/* A member by its name, for stores and formats that go through all of them. */
enum record_kind { RECORD_TEXT, RECORD_NUMBER };
struct record_member {
    struct str name;
    enum record_kind kind;
    size_t offset; /* in struct record: of a struct str or an int64_t */
};
size_t record_member_count(void);
const struct record_member *record_member_at(size_t index);
struct str *record_text(struct record *record, const struct record_member *member);
int64_t *record_number(struct record *record, const struct record_member *member);

/* How often one model gave one diagnosis in one hour. */
struct tally {
    int64_t hour; /* hours since 1970 on the user's own wall clock */
    struct str client, host, model, who, diagnosis;
    int64_t count;
    int64_t first_ms, last_ms; /* wall clock of the first and last of them */
};

/* How often one hour of the week gave one diagnosis, over all that is kept. */
struct week_tally {
    unsigned week_hour; /* 0 = Monday, 0 to 1 o'clock, on the user's own wall clock; to 167 */
    struct str diagnosis;
    int64_t count;
};

#define PAST_TALLY_DAYS 8 /* so that seven whole days before today are in it */
#define PAST_FAILED_HOURS 48
#define PAST_FAILED_MAX 2000

/* What history tells triage: everything that a verdict can rest on, oldest first. Lives in the
 * arena it was read into. All empty = no history. */
struct past {
    int64_t now_ms;              /* wall clock at which it was read */
    int64_t utc_offset_s;        /* of the user's wall clock then */
    const struct tally *tallies; /* of the last PAST_TALLY_DAYS days */
    size_t tally_count;
    const struct record *failed; /* requests of the last PAST_FAILED_HOURS that were not ok, at most
                                    PAST_FAILED_MAX, the newest */
    size_t failed_count;
    const struct record *sessions; /* the newest record with a context or a session age of each
                                      client in the last PAST_FAILED_HOURS */
    size_t session_count;
    const struct week_tally *week;
    size_t week_count;
};

#endif
