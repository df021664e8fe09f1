/* Any bytes as the answer to every provider's free requests, and as a key with any shape: no crash,
 * no leak, and what is read stays within its bounds. */
#include "base/shape.h"
#include "rules/rules.h"
#include "wire/wire.h"

#include <stdlib.h>

#define MODELS_MAX 5000

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void read_answer(struct arena *arena, const struct provider *provider,
                        const struct free_request *form, struct str body)
{
    const struct header headers[] = {
        {STR("x-ratelimit-limit-requests"), str_slice(body, 0, 8)},
        {STR("x-ratelimit-remaining-requests"), str_slice(body, 8, 16)},
    };
    struct observation observation = {
        .status = 200, .body = body, .headers = headers, .header_count = 2};
    wire_read_free(arena, body.len % 2 == 0, form, provider->limits, provider->limit_count,
                   &observation);
    const struct key_sight *sight = observation.sight;
    require(sight && sight->model_count <= MODELS_MAX);
    require(sight->headroom_permille >= -1 && sight->headroom_permille <= 1000);
    require(sight->expires_ms >= -1);
}

/* The built-in table, opened once: that takes longer than all answers. */
static const struct rules *table(void)
{
    static struct rules *rules = NULL;
    static struct arena *arena = NULL;
    struct problems problems = {0};
    if (!arena) {
        arena = arena_create();
        require(rules_open_brief((struct str){NULL, 0}, &problems, arena, &rules, NULL) == ERR_OK);
    }
    return rules;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {(const char *)bytes, size};
    struct arena *arena = arena_create();
    const struct rules *rules = table();
    for (size_t i = 0; i < rules_provider_count(rules); i++) {
        const struct provider *provider = rules_provider_at(rules, i);
        for (size_t f = 0; f < provider->free_count; f++) {
            read_answer(arena, provider, &provider->free[f], text);
        }
    }
    struct str shape = str_slice(text, 0, size / 2), key = str_slice(text, size / 2, size);
    require(!shape_fits(shape, key) || shape.len == 0 || shape_is_valid(shape));
    shape_is_telling(shape);
    arena_free(arena);
    return 0;
}
