#ifndef CLI_PICK_ROUND_H
#define CLI_PICK_ROUND_H

#include "cli/street.h"

/* The links of a chain over several rounds of asking. */
struct link {
    struct result result;  /* of its last try */
    int64_t not_before_ms; /* monotonic; the server asked to wait until then */
    bool is_out;           /* asking again is pointless */
};

/* One try of one link. */
struct
try {
    struct result result;
    int64_t at_ms; /* since the first round began */
};

struct rounds {
    struct link *links;
    size_t link_count;
    size_t round;      /* rounds asked so far */
    struct try *tries; /* all of them, in order */
    size_t try_count, try_capacity;
    int64_t begun_ms, deadline_ms; /* monotonic */
};

/* Rounds over the street's targets. */
void pick_rounds_begin(struct street *street, int64_t wait_ms, struct rounds *rounds);

/* Asks every link that is due, and judges. ERR_SYSTEM when libcurl cannot be set up. */
enum err_code pick_round(struct street *street, struct rounds *rounds, struct err *err);

/* The first link of the chain that answered in the last round, or NULL. */
const struct link *pick_answering(const struct rounds *rounds);

/* Whether a link is worth another try. */
bool pick_is_live(const struct rounds *rounds);

/* Time until the next round, of which a link must be live: the server's wait where it tells one,
 * else 2, 4, 8 ... 60 s for a chain, 30 s, 2 and 5 min for a single model. */
struct pause {
    int64_t ms;
    bool is_asked; /* by the server */
};
struct pause pick_pause(const struct street *street, const struct rounds *rounds);

/* The most that is added to a pause, by chance, so that many who wait do not come back at once. */
int64_t pick_jitter_max_ms(int64_t pause_ms);

/* Monotonic time of the next round, pause and jitter included. -1 when no link is worth another try
 * or the next one would be past the deadline. */
int64_t pick_next_ms(const struct street *street, const struct rounds *rounds);

#endif
