#ifndef CORE_SIGHT_H
#define CORE_SIGHT_H

#include "base/str.h"

/* What the answer to a free request shows of the key that it was sent with. Texts live in the arena
 * of the observation, bounded and masked; numbers that it did not tell are -1. */
struct key_sight {
    bool is_proper; /* has the shape of the API's answer: without it, it proves nothing */
    bool has_models;
    bool is_list_open; /* the list goes on elsewhere, so what is missing may yet be there */
    const struct str *models;
    size_t model_count;
    const struct str *permissions;
    size_t permission_count;
    int64_t headroom_permille; /* what is left of the tightest limit */
    struct str headroom_of;    /* which one: a header's name, or "balance" */
    struct str balance;        /* "110.00 CNY", or unset */
    int64_t expires_ms;        /* of the key, wall clock */
    bool is_key_off, is_account_off, is_balance_off;
    struct str off_by; /* the member that says so: "/team_blocked" */
};

#endif
