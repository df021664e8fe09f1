#ifndef TESTS_EVIDENCE_WORLD_H
#define TESTS_EVIDENCE_WORLD_H

#include "classify/evidence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Evidence of one piece, and claims about its fields. The state of a test is its arena. */

static int set_up(void **state)
{
    *state = arena_create();
    return 0;
}

static int tear_down(void **state)
{
    arena_free(*state);
    return 0;
}

static struct evidence lift_with(struct arena *arena, enum observation_kind kind, long status,
                                 const struct header *headers, size_t header_count,
                                 const char *body)
{
    struct observation *observation = ARENA_NEW(arena, struct observation);
    struct evidence evidence;
    *observation = (struct observation){.kind = kind,
                                        .status = status,
                                        .headers = headers,
                                        .header_count = header_count,
                                        .body = str_from(body),
                                        .retry_after_ms = -1};
    evidence_lift(arena, observation, &evidence);
    return evidence;
}

static struct evidence lift_http(struct arena *arena, long status, const char *body)
{
    return lift_with(arena, OBSERVATION_HTTP, status, NULL, 0, body);
}

static struct evidence lift_plain(struct arena *arena, const char *body)
{
    return lift_with(arena, OBSERVATION_TEXT, 0, NULL, 0, body);
}

static void is(const struct evidence *evidence, enum field field, size_t i, const char *want)
{
    struct str have = i < evidence->counts[field] ? evidence->values[field][i] : STR("(none)");
    if (!str_eq(have, str_from(want))) {
        fail_msg("%s[%zu] is \"%.*s\", not \"%s\"", field_name(field).ptr, i, STR_ARG(have), want);
    }
}

static bool text_has(const struct evidence *evidence, const char *part)
{
    return evidence->counts[FIELD_TEXT] &&
           str_find(evidence->values[FIELD_TEXT][0], str_from(part)) >= 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
