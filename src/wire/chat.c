/* OpenAI chat completions, not streamed. The cap goes by its new name first, which newer models
 * insist on; a server that knows only the old name is asked once more with that. */
#include "wire/wire.h"

#include "wire/answer.h"

#include <string.h>

enum variant { VARIANT_NEW_CAP, VARIANT_OLD_CAP };

static void write_body(const struct wire_request *request, struct buf *body)
{
    buf_add(body, STR("{\"model\":"));
    body_write_string(body, request->model);
    buf_add(body, STR(",\"messages\":[{\"role\":\"user\",\"content\":\"ping\"}]"));
    if (!request->is_uncapped) {
        buf_add(body, request->variant == VARIANT_OLD_CAP ? STR(",\"max_tokens\":16")
                                                          : STR(",\"max_completion_tokens\":16"));
    }
    buf_add(body, STR("}"));
}

static enum outcome read_choices(const cJSON *body)
{
    const cJSON *choices = body_member(body, "choices");
    const cJSON *first = cJSON_IsArray(choices) ? choices->child : NULL;
    const cJSON *reason = body_member(first, "finish_reason");
    if (body_has_error(body) || body_has_error(first)) {
        return OUTCOME_FAILED;
    }
    if (!choices) {
        return OUTCOME_NOT_API;
    }
    if (!first) {
        return cJSON_IsArray(choices) || cJSON_IsNull(choices) ? OUTCOME_EMPTY : OUTCOME_NOT_API;
    }
    if (!cJSON_IsObject(body_member(first, "message"))) {
        return OUTCOME_NOT_API;
    }
    return cJSON_IsString(reason) && strcmp(reason->valuestring, "length") == 0 ? OUTCOME_CAPPED
                                                                                : OUTCOME_COMPLETE;
}

static void read_answer(struct arena *arena, bool is_whole, struct observation *observation)
{
    if (answer_settle(arena, is_whole, observation)) {
        return;
    }
    cJSON *body = answer_parse(arena, is_whole, STR("\"choices\""), observation);
    if (body) {
        observation->outcome = read_choices(body);
        observation->served_model = body_string(arena, body, "model");
        cJSON_Delete(body);
    }
}

static bool next_variant(const struct observation *observation, unsigned variant, unsigned *next)
{
    /* 422 is how FastAPI servers say the same; every such text names the parameter. */
    if (variant != VARIANT_NEW_CAP || observation->outcome != OUTCOME_FAILED ||
        (observation->status != 400 && observation->status != 422) ||
        str_find(observation->body, STR("max_completion_tokens")) < 0) {
        return false;
    }
    *next = VARIANT_OLD_CAP;
    return true;
}

extern const struct wire wire_chat;
const struct wire wire_chat = {
    .name = STR_INIT("chat"),
    .path = STR_INIT("/chat/completions"),
    .accept = STR_INIT("application/json"),
    .token_bound = 16,
    .write_body = write_body,
    .read_answer = read_answer,
    .next_variant = next_variant,
};
