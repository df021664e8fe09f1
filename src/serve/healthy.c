/* What the scripted provider says when nobody scripted a failure: proper answers of each API, whole
 * or as a stream, and the 404 of each for models and paths that it does not have. Takes the
 * requested model, gives bodies; knows nothing of sockets. */
#include "serve/healthy.h"

#include "base/buf.h"
#include "base/text.h"

#include <stdio.h>

#define ANSWER_BYTES_MAX ((size_t)1024 * 1024)

/* Shapes as the vendors' references show them, cut down to what their SDKs insist on. */
#define RESPONSE(status, output, usage)                                                            \
    "{\"id\":\"resp_demo\",\"object\":\"response\",\"created_at\":1764400000,\"status\":\"" status \
    "\",\"error\":null,\"incomplete_details\":null,\"model\":{model},\"output\":[" output          \
    "],\"parallel_tool_calls\":true,\"tools\":[],\"usage\":" usage "}"
#define RESPONSE_TEXT "{\"type\":\"output_text\",\"text\":\"pong\",\"annotations\":[]}"
#define RESPONSE_ITEM(status, content)                                                             \
    "{\"id\":\"msg_demo\",\"type\":\"message\",\"role\":\"assistant\",\"status\":\"" status        \
    "\",\"content\":[" content "]}"
#define RESPONSE_USAGE                                                                             \
    "{\"input_tokens\":8,\"input_tokens_details\":{\"cached_tokens\":0},\"output_tokens\":2,"      \
    "\"output_tokens_details\":{\"reasoning_tokens\":0},\"total_tokens\":10}"
#define RESPONSE_WHOLE                                                                             \
    RESPONSE("completed", RESPONSE_ITEM("completed", RESPONSE_TEXT), RESPONSE_USAGE)
#define EVENT(name, number, rest)                                                                  \
    "event: " name "\ndata: {\"type\":\"" name "\",\"sequence_number\":" number "," rest "}\n\n"
#define PART "\"item_id\":\"msg_demo\",\"output_index\":0,\"content_index\":0,"
#define CHAT_USAGE "{\"prompt_tokens\":8,\"completion_tokens\":2,\"total_tokens\":10}"
#define CHUNK(choices, rest)                                                                       \
    "data: {\"id\":\"chatcmpl-demo\",\"object\":\"chat.completion.chunk\",\"created\":1764400000," \
    "\"model\":{model},\"choices\":[" choices "]" rest "}\n\n"
#define MESSAGE_EVENT(name, rest) "event: " name "\ndata: {\"type\":\"" name "\"" rest "}\n\n"
#define OPENAI_NO_PATH                                                                             \
    "{\"error\":{\"message\":\"Invalid URL ({path})\",\"type\":\"invalid_request_error\","         \
    "\"param\":null,\"code\":null}}"
#define OPENAI_NO_MODEL                                                                            \
    "{\"error\":{\"message\":\"The model `{model-text}` does not exist or you do not have access " \
    "to it.\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"model_not_found\"}}"

static const struct provider_wire wires[] = {
    {
        .name = STR_INIT("responses"),
        .is_generating = true,
        .path = STR_INIT("/responses"),
        .json = STR_INIT(RESPONSE_WHOLE),
        .stream = STR_INIT(
            EVENT("response.created", "0", "\"response\":" RESPONSE("in_progress", "", "null"))
                EVENT("response.in_progress", "1",
                      "\"response\":" RESPONSE("in_progress", "", "null"))
                    EVENT("response.output_item.added", "2",
                          "\"output_index\":0,\"item\":" RESPONSE_ITEM("in_progress", ""))
                        EVENT(
                            "response.content_part.added", "3",
                            PART
                            "\"part\":{\"type\":\"output_text\",\"text\":\"\",\"annotations\":[]}")
                            EVENT("response.output_text.delta", "4", PART "\"delta\":\"pong\"")
                                EVENT("response.output_text.done", "5", PART "\"text\":\"pong\"")
                                    EVENT("response.content_part.done", "6",
                                          PART "\"part\":" RESPONSE_TEXT)
                                        EVENT("response.output_item.done", "7",
                                              "\"output_index\":0,\"item\":" RESPONSE_ITEM(
                                                  "completed", RESPONSE_TEXT))
                                            EVENT("response.completed", "8",
                                                  "\"response\":" RESPONSE_WHOLE)),
        .no_model = STR_INIT(OPENAI_NO_MODEL),
        .no_path = STR_INIT(OPENAI_NO_PATH),
    },
    {
        .name = STR_INIT("chat"),
        .is_generating = true,
        .path = STR_INIT("/chat/completions"),
        .json = STR_INIT(
            "{\"id\":\"chatcmpl-demo\",\"object\":\"chat.completion\",\"created\":1764400000,"
            "\"model\":{model},\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
            "\"content\":\"pong\"},\"finish_reason\":\"stop\"}],\"usage\":" CHAT_USAGE "}"),
        .stream =
            STR_INIT(CHUNK("{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"pong\"},"
                           "\"finish_reason\":null}",
                           "") CHUNK("{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}", "")
                         CHUNK("", ",\"usage\":" CHAT_USAGE) "data: [DONE]\n\n"),
        .no_model = STR_INIT(OPENAI_NO_MODEL),
        .no_path = STR_INIT(OPENAI_NO_PATH),
    },
    {
        .name = STR_INIT("messages"),
        .is_generating = true,
        .path = STR_INIT("/messages"),
        .json = STR_INIT(
            "{\"id\":\"msg_demo\",\"type\":\"message\",\"role\":\"assistant\",\"model\":{model},"
            "\"content\":[{\"type\":\"text\",\"text\":\"pong\"}],\"stop_reason\":\"end_turn\","
            "\"stop_sequence\":null,\"usage\":{\"input_tokens\":8,\"output_tokens\":2}}"),
        .stream = STR_INIT(
            MESSAGE_EVENT("message_start",
                          ",\"message\":{\"id\":\"msg_demo\",\"type\":\"message\",\"role\":"
                          "\"assistant\",\"model\":{model},\"content\":[],\"stop_reason\":null,"
                          "\"stop_sequence\":null,\"usage\":{\"input_tokens\":8,"
                          "\"output_tokens\":1}}")
                MESSAGE_EVENT("content_block_start",
                              ",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}")
                    MESSAGE_EVENT(
                        "content_block_delta",
                        ",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"pong\"}")
                        MESSAGE_EVENT("content_block_stop", ",\"index\":0") MESSAGE_EVENT(
                            "message_delta",
                            ",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},"
                            "\"usage\":{\"output_tokens\":2}") MESSAGE_EVENT("message_stop", "")),
        .no_model = STR_INIT("{\"type\":\"error\",\"error\":{\"type\":\"not_found_error\","
                             "\"message\":\"model: {model-text}\"},\"request_id\":\"req_demo\"}"),
        .no_path = STR_INIT("{\"type\":\"error\",\"error\":{\"type\":\"not_found_error\","
                            "\"message\":\"Not Found\"},\"request_id\":\"req_demo\"}"),
    },
    {
        .name = STR_INIT("models"),
        .path = STR_INIT("/models"),
        .json = STR_INIT("{\"object\":\"list\",\"has_more\":false,\"data\":[{models}]}"),
        .no_model = STR_INIT(OPENAI_NO_MODEL),
        .no_path = STR_INIT(OPENAI_NO_PATH),
    },
};

const struct provider_wire *provider_wire_find(struct str name)
{
    for (size_t i = 0; i < sizeof wires / sizeof wires[0]; i++) {
        if (str_eq(wires[i].name, name)) {
            return &wires[i];
        }
    }
    return NULL;
}

const struct provider_wire *provider_wire_of_path(struct str path)
{
    for (size_t i = 0; i < sizeof wires / sizeof wires[0]; i++) {
        if (str_ends(path, wires[i].path)) {
            return &wires[i];
        }
    }
    return NULL;
}

/* Text as the inside of a JSON string: what could break out is escaped, and control characters are
 * written out first since nobody needs them back. */
static struct str json_inside(struct arena *arena, struct str text)
{
    struct buf out = buf_create(ANSWER_BYTES_MAX);
    struct str shown = text_show(arena, text, 0);
    for (size_t i = 0; i < shown.len; i++) {
        if (shown.ptr[i] == '"' || shown.ptr[i] == '\\') {
            buf_add_char(&out, '\\');
        }
        buf_add_char(&out, shown.ptr[i]);
    }
    struct str inside = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return str_is_set(inside) ? inside : STR("");
}

/* The model list, with the fields that both kinds of SDK look for. A model that several wires have
 * is listed once. */
static struct str model_list(struct arena *arena, const struct script *script)
{
    struct buf out = buf_create(ANSWER_BYTES_MAX);
    for (size_t i = 0; i < script->row_count; i++) {
        bool is_listed = false;
        for (size_t j = 0; j < i; j++) {
            is_listed = is_listed || str_eq(script->rows[i].model, script->rows[j].model);
        }
        struct str id = json_inside(arena, script->rows[i].model);
        if (!is_listed) {
            buf_printf(&out,
                       "%s{\"id\":\"%.*s\",\"object\":\"model\",\"type\":\"model\","
                       "\"display_name\":\"%.*s\",\"created\":1764400000,\"owned_by\":\"demo\"}",
                       out.len ? "," : "", STR_ARG(id), STR_ARG(id));
        }
    }
    struct str list = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return list;
}

struct slot {
    struct str name, text;
};

/* The template with each {name} of the slots replaced; braces of JSON are not names. */
static struct str fill(struct arena *arena, struct str template, const struct slot *slots,
                       size_t slot_count)
{
    struct buf out = buf_create(ANSWER_BYTES_MAX);
    while (template.len) {
        const struct slot *slot = NULL;
        for (size_t i = 0; i < slot_count && template.ptr[0] == '{'; i++) {
            slot = !slot && str_starts(template, slots[i].name) ? &slots[i] : slot;
        }
        buf_add(&out, slot ? slot->text : str_slice(template, 0, 1));
        template = str_slice(template, slot ? slot->name.len : 1, template.len);
    }
    struct str text = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return text;
}

struct str healthy_body(struct arena *arena, const struct provider_wire *wire,
                        const struct script *script, struct str model, bool is_stream)
{
    struct str inside = json_inside(arena, str_is_set(model) ? model : STR("unknown"));
    const struct slot slots[] = {
        {STR("{model}"), arena_printf(arena, "\"%.*s\"", STR_ARG(inside))},
        {STR("{models}"), model_list(arena, script)},
    };
    bool is_streamed = is_stream && str_is_set(wire->stream);
    return fill(arena, is_streamed ? wire->stream : wire->json, slots, 2);
}

struct str not_found_body(struct arena *arena, const struct provider_wire *wire, struct str method,
                          struct str path, struct str model)
{
    const struct slot slots[] = {
        {STR("{model-text}"), json_inside(arena, model)},
        {STR("{path}"),
         json_inside(arena, arena_printf(arena, "%.*s %.*s", STR_ARG(method), STR_ARG(path)))},
    };
    bool is_model_missing = wire && str_is_set(model);
    struct str template = is_model_missing ? wire->no_model
                          : wire           ? wire->no_path
                                           : STR(OPENAI_NO_PATH);
    return fill(arena, template, slots, 2);
}
