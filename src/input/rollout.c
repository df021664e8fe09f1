/* Turns out of a Codex rollout. What each version writes was seen by running it:
 *
 *     session_meta            session, cli_version, model_provider
 *     turn_context            model; before 0.104 without turn_id, and once more for each retry
 *     task_started            turn_id, window of the context
 *     token_count             tokens, limits
 *     task_complete           turn_id; error from 0.150 on; time_to_first_token_ms after success
 *     turn_aborted            the person stopped it
 */
#include "input/rollout.h"

#include "base/buf.h"
#include "base/moment.h"

#include <cJSON.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)64 * 1024)
#define LINE_BYTES_MAX ((size_t)1024 * 1024)
#define TEXT_BYTES_MAX ((size_t)8 * 1024)
#define TURNS_MAX 100000
#define RETRIES_TOLD 2 /* that a nameless turn which failed has at least */

struct reading {
    struct arena *arena;
    struct turns *turns;
    struct str session, client_version, provider, model;
    int64_t begun_ms; /* of the session */
    int64_t context_window;
    struct turn *open;     /* the turn under way, or NULL; good until the next turn is added */
    size_t nameless;       /* turns without an id so far */
    size_t retries;        /* of the nameless turn under way */
    bool is_limit_reached; /* in the turn under way */
};

static struct str text_of(const struct reading *reading, const struct cJSON *object,
                          const char *name)
{
    const struct cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? arena_dup(reading->arena, str_slice(str_from(item->valuestring),
                                                                      0, TEXT_BYTES_MAX))
                                : (struct str){NULL, 0};
}

static int64_t number_of(const struct cJSON *object, const char *name)
{
    const struct cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    bool is_fit = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 9e15;
    return is_fit ? (int64_t)item->valuedouble : -1;
}

static void keep(struct str *place, struct str text)
{
    if (text.len) {
        *place = text;
    }
}

static void take_session(struct reading *reading, const struct cJSON *payload, int64_t at_ms)
{
    /* A forked session repeats the lines of its origin behind its own first line. */
    if (reading->session.len == 0) {
        keep(&reading->session, text_of(reading, payload, "id"));
        keep(&reading->client_version, text_of(reading, payload, "cli_version"));
        keep(&reading->provider, text_of(reading, payload, "model_provider"));
        reading->begun_ms = at_ms;
    }
}

static struct turn *begin_turn(struct reading *reading, struct str id, int64_t at_ms)
{
    struct turn turn = turn_blank();
    if (reading->turns->count >= TURNS_MAX) {
        return NULL;
    }
    if (id.len == 0) {
        id = arena_printf(reading->arena, "%.*s-%zu", STR_ARG(reading->session),
                          ++reading->nameless);
    }
    turn.id = id;
    turn.session = reading->session;
    turn.client_version = reading->client_version;
    turn.provider = reading->provider;
    turn.model = reading->model;
    turn.started_ms = at_ms;
    turn.context_window = reading->context_window;
    reading->is_limit_reached = false;
    return turns_add(reading->arena, reading->turns, turn);
}

static void take_context(struct reading *reading, const struct cJSON *payload, int64_t at_ms)
{
    struct str id = text_of(reading, payload, "turn_id");
    keep(&reading->model, text_of(reading, payload, "model"));
    struct turn *open = reading->open;
    if (open && open->end == TURN_OPEN && (id.len == 0 || str_eq(id, open->id))) {
        open->model = reading->model;
        reading->retries += id.len == 0 ? 1 : 0;
        return;
    }
    reading->retries = 0;
    reading->open = begin_turn(reading, id, at_ms);
}

static void take_start(struct reading *reading, const struct cJSON *payload, int64_t at_ms)
{
    int64_t window = number_of(payload, "model_context_window");
    reading->context_window = window > 0 ? window : reading->context_window;
    reading->open = begin_turn(reading, text_of(reading, payload, "turn_id"), at_ms);
}

static void take_settings(struct reading *reading, const struct cJSON *payload)
{
    const struct cJSON *settings = cJSON_GetObjectItemCaseSensitive(payload, "thread_settings");
    keep(&reading->model, text_of(reading, settings, "model"));
    keep(&reading->provider, text_of(reading, settings, "model_provider_id"));
    if (reading->open) {
        reading->open->model = reading->model;
        reading->open->provider = reading->provider;
    }
}

static int64_t used_permille(const struct cJSON *limits, const char *name)
{
    const struct cJSON *limit = cJSON_GetObjectItemCaseSensitive(limits, name);
    const struct cJSON *used = cJSON_GetObjectItemCaseSensitive(limit, "used_percent");
    bool is_fit = cJSON_IsNumber(used) && used->valuedouble >= 0 && used->valuedouble <= 1000;
    return is_fit ? (int64_t)(used->valuedouble * 10) : -1;
}

static void take_tokens(struct reading *reading, const struct cJSON *payload)
{
    const struct cJSON *info = cJSON_GetObjectItemCaseSensitive(payload, "info");
    const struct cJSON *limits = cJSON_GetObjectItemCaseSensitive(payload, "rate_limits");
    const struct cJSON *last = cJSON_GetObjectItemCaseSensitive(info, "last_token_usage");
    int64_t tokens = number_of(last, "total_tokens");
    int64_t window = number_of(info, "model_context_window");
    int64_t primary = used_permille(limits, "primary");
    int64_t secondary = used_permille(limits, "secondary");
    struct turn *turn = reading->open;
    if (turn == NULL) {
        return;
    }
    turn->context_tokens = tokens >= 0 ? tokens : turn->context_tokens;
    turn->context_window = window > 0 ? window : turn->context_window;
    turn->limit_permille = primary > secondary ? primary : secondary;
    reading->is_limit_reached = !cJSON_IsObject(info) && turn->limit_permille >= 1000;
    if (cJSON_IsObject(info) && turn->end == TURN_OPEN && reading->nameless) {
        turn->end = TURN_ANSWERED; /* all that 0.40 writes of an end */
    }
}

static struct str json_text_of(struct arena *arena, const struct cJSON *item)
{
    char *text = cJSON_PrintUnformatted(item);
    struct str copy = arena_dup(arena, str_slice(str_from(text), 0, TEXT_BYTES_MAX));
    cJSON_free(text);
    return copy;
}

/* Before 0.150 a failure has no error: nothing was said, and not even a first token came. */
static void set_end(struct reading *reading, struct turn *turn, const struct cJSON *payload)
{
    const struct cJSON *error = cJSON_GetObjectItemCaseSensitive(payload, "error");
    const struct cJSON *said = cJSON_GetObjectItemCaseSensitive(payload, "last_agent_message");
    if (cJSON_IsObject(error)) {
        turn->end = TURN_FAILED;
        turn->error = json_text_of(reading->arena, error);
    } else if (cJSON_IsString(said) || number_of(payload, "time_to_first_token_ms") >= 0) {
        turn->end = TURN_ANSWERED;
    } else {
        turn->end = TURN_FAILED;
        turn->error = reading->is_limit_reached
                          ? STR("{\"codex_error_info\":\"usage_limit_exceeded\"}")
                          : (struct str){NULL, 0};
    }
}

static void take_end(struct reading *reading, const struct cJSON *payload, int64_t at_ms,
                     bool is_stopped)
{
    struct str id = text_of(reading, payload, "turn_id");
    struct turn *turn = id.len ? turns_find(reading->turns, id) : reading->open;
    if (turn == NULL) {
        turn = begin_turn(reading, id, at_ms);
    }
    if (turn == NULL) {
        return;
    }
    if (is_stopped) {
        turn->end = TURN_STOPPED;
    } else {
        set_end(reading, turn, payload);
    }
    turn->duration_ms = number_of(payload, "duration_ms");
    if (turn->duration_ms < 0 && turn->started_ms >= 0) {
        turn->duration_ms = at_ms - turn->started_ms;
    }
    turn->session_ms = reading->begun_ms > 0 ? at_ms - reading->begun_ms : -1;
    reading->open = NULL;
}

static void take_event(struct reading *reading, const struct cJSON *payload, int64_t at_ms)
{
    struct str type = text_of(reading, payload, "type");
    if (str_eq(type, STR("task_started"))) {
        take_start(reading, payload, at_ms);
    } else if (str_eq(type, STR("task_complete"))) {
        take_end(reading, payload, at_ms, false);
    } else if (str_eq(type, STR("turn_aborted"))) {
        take_end(reading, payload, at_ms, true);
    } else if (str_eq(type, STR("token_count"))) {
        take_tokens(reading, payload);
    } else if (str_eq(type, STR("thread_settings_applied"))) {
        take_settings(reading, payload);
    }
}

static void take_object(struct reading *reading, const struct cJSON *object)
{
    const struct cJSON *payload = cJSON_GetObjectItemCaseSensitive(object, "payload");
    struct str type = text_of(reading, object, "type");
    int64_t at_ms = -1;
    if (!moment_parse(text_of(reading, object, "timestamp"), 0, &at_ms) || at_ms <= 0) {
        return;
    }
    if (str_eq(type, STR("session_meta"))) {
        take_session(reading, payload, at_ms);
    } else if (str_eq(type, STR("turn_context"))) {
        take_context(reading, payload, at_ms);
    } else if (str_eq(type, STR("event_msg"))) {
        take_event(reading, payload, at_ms);
    }
}

/* Most of a rollout is what the model read and wrote; only lines that can matter are parsed. */
static void take_line(struct reading *reading, struct str line)
{
    static const struct str telling[] = {
        STR_INIT("\"session_meta\""),           STR_INIT("\"turn_context\""),
        STR_INIT("\"task_started\""),           STR_INIT("\"task_complete\""),
        STR_INIT("\"turn_aborted\""),           STR_INIT("\"token_count\""),
        STR_INIT("\"thread_settings_applied\"")};
    struct str head = str_slice(line, 0, 256);
    for (size_t i = 0; i < sizeof telling / sizeof telling[0]; i++) {
        if (str_find(head, telling[i]) >= 0) {
            struct cJSON *object = cJSON_ParseWithLength(line.ptr, line.len);
            take_object(reading, object);
            cJSON_Delete(object);
            return;
        }
    }
}

void rollout_read(struct arena *arena, int fd, size_t max_bytes, struct turns *turns)
{
    struct reading reading = {.arena = arena, .turns = turns, .context_window = -1};
    struct buf line = buf_create(LINE_BYTES_MAX);
    char *block = arena_alloc(arena, BLOCK_BYTES);
    while (max_bytes > 0) {
        ssize_t got = read(fd, block, max_bytes < BLOCK_BYTES ? max_bytes : BLOCK_BYTES);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        max_bytes -= (size_t)got;
        struct str rest = {block, (size_t)got};
        ptrdiff_t end;
        while ((end = str_find_char(rest, '\n')) >= 0) {
            buf_add(&line, str_slice(rest, 0, (size_t)end));
            if (!line.is_full) {
                take_line(&reading, buf_str(&line));
            }
            line.len = 0;
            line.is_full = false;
            rest = str_slice(rest, (size_t)end + 1, rest.len);
        }
        buf_add(&line, rest);
    }
    if (reading.open && reading.open->end == TURN_OPEN && reading.retries >= RETRIES_TOLD) {
        reading.open->end = TURN_FAILED; /* 0.40 writes nothing behind its last retry */
    }
    buf_free(&line);
}
