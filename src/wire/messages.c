/* Anthropic messages, not streamed, with a cap of one token: the smallest answer that proves key,
 * model and capacity. */
#include "wire/wire.h"

#include "wire/answer.h"

#include <string.h>

/* The cap is compulsory here, so is_uncapped changes nothing. */
static void write_body(const struct wire_request *request, struct buf *body)
{
    buf_add(body, STR("{\"model\":"));
    body_write_string(body, request->model);
    buf_add(body,
            STR(",\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"ping\"}]}"));
}

static enum outcome read_message(const cJSON *body)
{
    const cJSON *content = body_member(body, "content");
    const cJSON *reason = body_member(body, "stop_reason");
    if (body_has_error(body)) {
        return OUTCOME_FAILED;
    }
    if (!content) {
        return OUTCOME_NOT_API;
    }
    if (cJSON_IsString(reason)) {
        return strcmp(reason->valuestring, "max_tokens") == 0 ? OUTCOME_CAPPED : OUTCOME_COMPLETE;
    }
    if (!cJSON_IsArray(content)) {
        return cJSON_IsNull(content) ? OUTCOME_EMPTY : OUTCOME_NOT_API;
    }
    return content->child ? OUTCOME_COMPLETE : OUTCOME_EMPTY;
}

static void read_answer(struct arena *arena, bool is_whole, struct observation *observation)
{
    if (answer_settle(arena, is_whole, observation)) {
        return;
    }
    cJSON *body = answer_parse(arena, is_whole, STR("\"content\""), observation);
    if (body) {
        observation->outcome = read_message(body);
        observation->served_model = body_string(arena, body, "model");
        cJSON_Delete(body);
    }
}

extern const struct wire wire_messages;
const struct wire wire_messages = {
    .name = STR_INIT("messages"),
    .path = STR_INIT("/v1/messages"),
    .accept = STR_INIT("application/json"),
    .token_bound = 1,
    .write_body = write_body,
    .read_answer = read_answer,
};
