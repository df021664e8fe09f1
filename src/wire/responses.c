/* OpenAI Responses, streamed as Codex streams it. Success is the event response.completed and
 * nothing else: a JSON answer in place of a stream is a failure for such clients, so it is one
 * here. */
#include "wire/wire.h"

#include "wire/answer.h"

#include <string.h>

static void write_body(const struct wire_request *request, struct buf *body)
{
    buf_add(body, STR("{\"model\":"));
    body_write_string(body, request->model);
    buf_add(body, STR(",\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":"
                      "[{\"type\":\"input_text\",\"text\":\"ping\"}]}],"
                      "\"stream\":true,\"store\":false"));
    buf_add(body, request->is_uncapped ? STR(",\"instructions\":\"Answer with one word.\"")
                                       : STR(",\"max_output_tokens\":16"));
    buf_add(body, STR("}"));
}

/* What one event says of the whole answer: NONE = it goes on. */
static enum outcome read_event(const cJSON *event, struct str type)
{
    const cJSON *response = body_member(event, "response");
    if (str_eq(type, STR("response.completed"))) {
        return body_has_error(response) ? OUTCOME_FAILED : OUTCOME_COMPLETE;
    }
    if (str_eq(type, STR("response.incomplete"))) {
        const cJSON *reason = body_member(body_member(response, "incomplete_details"), "reason");
        return cJSON_IsString(reason) && strcmp(reason->valuestring, "max_output_tokens") == 0
                   ? OUTCOME_CAPPED
                   : OUTCOME_FAILED;
    }
    if (str_eq(type, STR("response.failed")) || str_eq(type, STR("error")) ||
        body_has_error(event)) {
        return OUTCOME_FAILED;
    }
    return OUTCOME_NONE;
}

/* What was seen of a stream. */
struct stream {
    enum outcome outcome;
    bool has_events, has_responses; /* any at all; any of this API */
    struct str model, id;
};

static void read_stream(struct arena *arena, struct str body, struct stream *stream)
{
    struct sse sse = {body};
    struct str name, text;
    while (stream->outcome == OUTCOME_NONE && sse_next(arena, &sse, &name, &text)) {
        cJSON *event = body_parse(text);
        const cJSON *response = body_member(event, "response");
        struct str type = body_string(arena, event, "type");
        struct str model = body_string(arena, response, "model");
        struct str id = body_string(arena, response, "id");
        type = str_is_set(type) ? type : name;
        stream->has_events = true;
        stream->has_responses = stream->has_responses || str_starts(type, STR("response."));
        stream->model = str_is_empty(model) ? stream->model : model;
        stream->id = str_is_empty(id) ? stream->id : id;
        /* An event cut in its middle has no JSON: it is not the last word that its name says. */
        stream->outcome = event ? read_event(event, type) : OUTCOME_NONE;
        cJSON_Delete(event);
    }
}

static enum outcome unfinished(const struct stream *stream, bool is_whole, bool is_body_cut)
{
    if (is_body_cut) {
        /* Far more came than was asked for, and none of it an error. */
        return stream->has_responses ? OUTCOME_CAPPED : OUTCOME_NOT_API;
    }
    if (!is_whole || stream->has_responses) {
        return OUTCOME_TRUNCATED;
    }
    return stream->has_events ? OUTCOME_NOT_API : OUTCOME_EMPTY;
}

static void read_answer(struct arena *arena, bool is_whole, struct observation *observation)
{
    struct str model = observation_header(observation, STR("openai-model"));
    if (answer_settle(arena, is_whole, observation)) {
        return;
    }
    if (!sse_is_stream(observation->body)) {
        cJSON *body = answer_parse(arena, is_whole, STR(""), observation);
        if (body) {
            observation->outcome = body_has_error(body) ? OUTCOME_FAILED : OUTCOME_NOT_API;
            cJSON_Delete(body);
        }
        return;
    }
    struct stream stream = {.outcome = OUTCOME_NONE};
    read_stream(arena, observation->body, &stream);
    observation->outcome = stream.outcome != OUTCOME_NONE
                               ? stream.outcome
                               : unfinished(&stream, is_whole, observation->is_body_cut);
    observation->served_model = str_is_empty(stream.model) ? model : stream.model;
    if (str_is_empty(observation->request_id)) {
        observation->request_id = stream.id;
    }
    answer_lift_id(arena, NULL, observation);
}

static bool is_over(struct str body_so_far, size_t *seen)
{
    if (!sse_is_at_boundary(body_so_far)) {
        return false;
    }
    struct arena *arena = arena_create();
    struct stream stream = {.outcome = OUTCOME_NONE};
    read_stream(arena, str_slice(body_so_far, *seen, body_so_far.len), &stream);
    *seen = body_so_far.len;
    arena_free(arena);
    return stream.outcome != OUTCOME_NONE;
}

extern const struct wire wire_responses;
const struct wire wire_responses = {
    .name = STR_INIT("responses"),
    .path = STR_INIT("/responses"),
    .accept = STR_INIT("text/event-stream"),
    .token_bound = 16,
    .write_body = write_body,
    .read_answer = read_answer,
    .is_over = is_over,
};
