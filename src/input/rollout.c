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
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)64 * 1024)
#define LINE_BYTES_MAX ((size_t)1024 * 1024)
#define RETRIES_TOLD 2                     /* that a nameless turn which failed has at least */
#define QUIET_MS ((int64_t)10 * 60 * 1000) /* after the last of them; by then it is over */

struct reading {
    struct arena *arena;
    struct turns *turns;
    size_t text_left; /* bytes of text that may still be kept */
    struct str session, client_version, provider, model;
    int64_t begun_ms; /* of the session */
    int64_t context_window;
    struct turn *open;     /* the turn under way, or NULL; good until the next turn is added */
    size_t nameless;       /* turns without an id so far */
    size_t retries;        /* of the nameless turn under way */
    int64_t told_ms;       /* of the last line that told of it */
    bool is_limit_reached; /* in the turn under way */
};

/* A member's text as the parser holds it, unset when it is none. */
static struct str text_of(const struct cJSON *object, const char *name)
{
    const struct cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? str_from(item->valuestring) : (struct str){NULL, 0};
}

/* A copy that outlives the line; unset when the rollout has told too much already. */
static struct str kept(struct reading *reading, struct str text, size_t max_bytes)
{
    text = str_slice(text, 0, max_bytes);
    if (text.len > reading->text_left) {
        return (struct str){NULL, 0};
    }
    reading->text_left -= text.len;
    return arena_dup(reading->arena, text);
}

static int64_t number_of(const struct cJSON *object, const char *name)
{
    const struct cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    bool is_fit = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 9e15;
    return is_fit ? (int64_t)item->valuedouble : -1;
}

/* What a line says anew takes the place of what was known. */
static void keep(struct reading *reading, struct str *place, struct str text)
{
    text = str_slice(text, 0, TURN_NAME_BYTES_MAX);
    if (text.len && !str_eq(text, *place)) {
        struct str copy = kept(reading, text, TURN_NAME_BYTES_MAX);
        *place = str_is_set(copy) ? copy : *place;
    }
}

static void take_session(struct reading *reading, const struct cJSON *payload, int64_t at_ms)
{
    /* A forked session repeats the lines of its origin behind its own first line. */
    if (reading->begun_ms == 0) {
        keep(reading, &reading->session, text_of(payload, "id"));
        keep(reading, &reading->client_version, text_of(payload, "cli_version"));
        keep(reading, &reading->provider, text_of(payload, "model_provider"));
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
        turn.id = arena_printf(reading->arena, "%.*s-%zu", STR_ARG(reading->session),
                               ++reading->nameless);
    } else {
        turn.id = kept(reading, id, TURN_NAME_BYTES_MAX);
    }
    if (turn.id.len == 0) {
        return NULL;
    }
    turn.session = reading->session;
    turn.client_version = reading->client_version;
    turn.provider = reading->provider;
    turn.model = reading->model;
    turn.started_ms = at_ms;
    turn.context_window = reading->context_window;
    return turns_add(reading->arena, reading->turns, turn);
}

static void take_context(struct reading *reading, const struct cJSON *payload, int64_t at_ms)
{
    struct str id = text_of(payload, "turn_id");
    struct turn *open = reading->open;
    keep(reading, &reading->model, text_of(payload, "model"));
    reading->told_ms = at_ms;
    if (open && open->end == TURN_OPEN && (id.len == 0 || str_eq(id, open->id))) {
        open->model = reading->model;
        reading->retries += id.len == 0 ? 1 : 0;
        return;
    }
    reading->retries = 0;
    reading->is_limit_reached = false;
    reading->open = begin_turn(reading, id, at_ms);
}

static void take_start(struct reading *reading, const struct cJSON *payload, int64_t at_ms)
{
    int64_t window = number_of(payload, "model_context_window");
    reading->context_window = window > 0 ? window : reading->context_window;
    reading->is_limit_reached = false;
    reading->open = begin_turn(reading, text_of(payload, "turn_id"), at_ms);
}

static void take_settings(struct reading *reading, const struct cJSON *payload)
{
    const struct cJSON *settings = cJSON_GetObjectItemCaseSensitive(payload, "thread_settings");
    keep(reading, &reading->model, text_of(settings, "model"));
    keep(reading, &reading->provider, text_of(settings, "model_provider_id"));
    if (reading->open) {
        reading->open->model = reading->model;
        reading->open->provider = reading->provider;
    }
}

static void note_time(const struct reading *reading, struct turn *turn, int64_t at_ms)
{
    turn->ended_ms = at_ms;
    if (turn->duration_ms < 0 && turn->started_ms < at_ms) {
        turn->duration_ms = at_ms - turn->started_ms;
    }
    turn->session_ms =
        reading->begun_ms > 0 && reading->begun_ms < at_ms ? at_ms - reading->begun_ms : -1;
}

static int64_t used_permille(const struct cJSON *limits, const char *name)
{
    const struct cJSON *limit = cJSON_GetObjectItemCaseSensitive(limits, name);
    const struct cJSON *used = cJSON_GetObjectItemCaseSensitive(limit, "used_percent");
    bool is_fit = cJSON_IsNumber(used) && used->valuedouble >= 0 && used->valuedouble <= 1000;
    return is_fit ? (int64_t)(used->valuedouble * 10) : -1;
}

static void take_tokens(struct reading *reading, const struct cJSON *payload, int64_t at_ms)
{
    const struct cJSON *info = cJSON_GetObjectItemCaseSensitive(payload, "info");
    const struct cJSON *limits = cJSON_GetObjectItemCaseSensitive(payload, "rate_limits");
    const struct cJSON *last = cJSON_GetObjectItemCaseSensitive(info, "last_token_usage");
    int64_t tokens = number_of(last, "total_tokens");
    int64_t window = number_of(info, "model_context_window");
    int64_t primary = used_permille(limits, "primary");
    int64_t secondary = used_permille(limits, "secondary");
    int64_t limit_permille = primary > secondary ? primary : secondary;
    struct turn *turn = reading->open;
    reading->is_limit_reached = !cJSON_IsObject(info) && limit_permille >= 1000;
    if (turn == NULL) {
        return;
    }
    turn->context_tokens = tokens >= 0 ? tokens : turn->context_tokens;
    turn->context_window = window > 0 ? window : turn->context_window;
    turn->limit_permille = limit_permille;
    if (cJSON_IsObject(info) && turn->end == TURN_OPEN && reading->nameless) {
        turn->end = TURN_ANSWERED; /* all that 0.40 writes of an end */
        note_time(reading, turn, at_ms);
    }
}

static struct str json_text_of(struct reading *reading, const struct cJSON *item)
{
    char *text = cJSON_PrintUnformatted(item);
    struct str copy = kept(reading, str_from(text), TURN_ERROR_BYTES_MAX);
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
        turn->error = json_text_of(reading, error);
    } else if (cJSON_IsString(said) || number_of(payload, "time_to_first_token_ms") >= 0) {
        turn->end = TURN_ANSWERED;
    } else {
        turn->end = TURN_FAILED;
        turn->error = reading->is_limit_reached
                          ? STR("{\"codex_error_info\":\"usage_limit_exceeded\"}")
                          : (struct str){NULL, 0};
    }
}

/* When the turn began, by what its end tells, where nothing told it before. */
static int64_t begin_of(const struct cJSON *payload, int64_t ended_ms)
{
    int64_t started_s = number_of(payload, "started_at");
    int64_t duration_ms = number_of(payload, "duration_ms");
    return started_s > 0 && started_s < ended_ms / 1000 ? started_s * 1000
           : duration_ms >= 0 && duration_ms < ended_ms ? ended_ms - duration_ms
                                                        : ended_ms;
}

static void take_end(struct reading *reading, const struct cJSON *payload, int64_t at_ms,
                     bool is_stopped)
{
    struct str id = text_of(payload, "turn_id");
    struct turn *turn = id.len ? turns_find(reading->turns, id) : reading->open;
    if (turn == NULL) {
        turn = begin_turn(reading, id, begin_of(payload, at_ms));
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
    note_time(reading, turn, at_ms);
    reading->open = NULL;
}

static void take_event(struct reading *reading, const struct cJSON *payload, int64_t at_ms)
{
    struct str type = text_of(payload, "type");
    if (str_eq(type, STR("task_started"))) {
        take_start(reading, payload, at_ms);
    } else if (str_eq(type, STR("task_complete"))) {
        take_end(reading, payload, at_ms, false);
    } else if (str_eq(type, STR("turn_aborted"))) {
        take_end(reading, payload, at_ms, true);
    } else if (str_eq(type, STR("token_count"))) {
        take_tokens(reading, payload, at_ms);
    } else if (str_eq(type, STR("thread_settings_applied"))) {
        take_settings(reading, payload);
    }
}

static void take_object(struct reading *reading, const struct cJSON *object)
{
    const struct cJSON *payload = cJSON_GetObjectItemCaseSensitive(object, "payload");
    struct str type = text_of(object, "type");
    int64_t at_ms = -1;
    if (!moment_parse(text_of(object, "timestamp"), 0, &at_ms) || at_ms <= 0) {
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

/* The lines of a block; the part of the last one waits in *line for the next block. */
static void take_block(struct reading *reading, struct buf *line, struct str block)
{
    ptrdiff_t end;
    while ((end = str_find_char(block, '\n')) >= 0) {
        struct str whole = str_slice(block, 0, (size_t)end);
        block = str_slice(block, (size_t)end + 1, block.len);
        if (line->len || line->is_full) {
            buf_add(line, whole);
            whole = buf_str(line);
        }
        if (!line->is_full && whole.len <= LINE_BYTES_MAX) {
            take_line(reading, whole);
        }
        line->len = 0;
        line->is_full = false;
    }
    buf_add(line, block);
}

/* Goes on at the last max_bytes of a longer file; the line that begins before them is passed over.
 */
static void skip_middle(int fd, size_t max_bytes, struct buf *line)
{
    struct stat status;
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (at >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size - at > (off_t)max_bytes &&
        lseek(fd, status.st_size - (off_t)max_bytes, SEEK_SET) > at) {
        line->is_full = true;
    }
}

/* False when the budget is spent before the end. */
static bool read_lines(struct reading *reading, int fd, const struct rollout_terms *terms)
{
    struct buf line = buf_create(LINE_BYTES_MAX);
    char *block = arena_alloc(reading->arena, BLOCK_BYTES);
    size_t left = terms->max_bytes;
    bool is_first = true, is_spent = false;
    while (left > 0 && !(is_spent = budget_is_spent(&terms->budget))) {
        ssize_t got = read(fd, block, left < BLOCK_BYTES ? left : BLOCK_BYTES);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        take_block(reading, &line, (struct str){block, (size_t)got});
        left -= is_first ? 0 : (size_t)got;
        if (is_first) {
            skip_middle(fd, left, &line);
        }
        is_first = false;
    }
    buf_free(&line);
    return !is_spent;
}

bool rollout_read(struct arena *arena, int fd, const struct rollout_terms *terms,
                  struct turns *turns)
{
    struct reading reading = {.arena = arena,
                              .turns = turns,
                              .text_left = TURNS_BYTES_MAX,
                              .context_window = -1,
                              .session = arena_dup(arena, terms->session)};
    bool is_whole = read_lines(&reading, fd, terms);
    struct turn *open = reading.open;
    bool is_retried = open && open->end == TURN_OPEN && reading.retries >= RETRIES_TOLD;
    int64_t ago_ms = terms->now_ms - reading.told_ms;
    bool is_quiet = ago_ms > QUIET_MS || ago_ms < -QUIET_MS;
    if (is_retried && is_quiet) {
        open->end = TURN_FAILED; /* 0.40 writes nothing behind its last retry */
        note_time(&reading, open, reading.told_ms);
    }
    return is_whole && (!is_retried || is_quiet);
}
