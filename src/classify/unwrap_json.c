/* Fields out of values: errors of all vendors, gateways' wrapping of them, and the answers that
 * must not be taken for evidence. Takes a tree of the loose reader, gives fields innermost first.
 * What a key means stands in one table; no vendor has code of its own. */
#include "classify/lift.h"
#include "classify/parts.h"
#include "classify/unwrap_answer.h"
#include "classify/wait.h"
#include "input/log_level.h"

#include <string.h>

struct walk {
    struct lift *lift;
    char *bytes; /* of the text that the tree was read from */
    unsigned depth;
};

static void blank(struct walk *w, const struct loose *node)
{
    if (w->bytes) {
        memset(w->bytes + node->begin, ' ', node->end - node->begin);
    }
}

/* Codes by which vendors say that all went well: {"code":0,"msg":"success"}. */
static bool is_success_code(struct str code)
{
    static const struct str good[] = {STR_INIT("0"),       STR_INIT("200"),  STR_INIT("ok"),
                                      STR_INIT("success"), STR_INIT("true"), STR_INIT("none"),
                                      STR_INIT("null")};
    return IS_ONE_OF(code, good);
}

static bool names_failure(struct str type)
{
    static const struct str stems[] = {
        STR_INIT("err"),    STR_INIT("fail"),  STR_INIT("exception"), STR_INIT("invalid"),
        STR_INIT("denied"), STR_INIT("limit"), STR_INIT("quota")};
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
        if (str_ifind(type, stems[i]) >= 0) {
            return true;
        }
    }
    return false;
}

/* {"code": null, "message": null}, {"code": 0, "msg": ""}: the place of an error, and none in it.
 */
static bool is_none(const struct loose *error)
{
    bool is_blank = error->kind == LOOSE_TABLE || error->kind == LOOSE_ARRAY;
    for (const struct loose *child = error->first; child && is_blank; child = child->next) {
        is_blank = loose_is_null(child);
    }
    const struct loose *code = loose_find(error, PART_CODE);
    return loose_is_false(error) || is_blank || (code && is_success_code(loose_text(code)));
}

/* {"message": {"role": "user", "content": ...}}: a turn of a conversation, not what went wrong. */
static const struct loose *message_of(const struct loose *table)
{
    const struct loose *message = loose_find(table, PART_MESSAGE);
    return message && loose_get(message, "role") ? NULL : message;
}

/* Whether a table of its own accord reports a failure; `is_root` tables of a refused request do. */
static bool is_error_table(const struct walk *w, const struct loose *table, bool is_root)
{
    const struct loose *error = loose_find(table, PART_ERROR);
    const struct loose *message = message_of(table);
    const struct loose *code = loose_find(table, PART_CODE);
    struct str status = loose_text(loose_find(table, PART_STATUS)), code_text = loose_text(code);
    struct str type = loose_text(loose_get(table, "type"));
    struct str name = loose_text(loose_get(table, "name"));
    const struct loose *data = loose_get(table, "data");
    bool has_cause = message || (data && loose_find(data, PART_MESSAGE));
    int64_t number;
    if (str_ends(name, STR("Error")) && has_cause) { /* {"name": "APIError", "data": {...}} */
        return true;
    }
    if (str_ends(name, STR("Exception")) && loose_get(table, "$metadata")) { /* of AWS's SDK */
        return true;
    }
    if ((error && !is_none(error)) || loose_find(table, PART_CLASS) ||
        loose_is_false(loose_find(table, PART_SUCCESS)) || str_ieq(type, STR("error"))) {
        return true;
    }
    if (code && (is_success_code(code_text) || is_success_code(loose_text(message)))) {
        return false;
    }
    const struct loose *place = loose_find(table, PART_PLACE);
    if (place && place->kind == LOOSE_ARRAY && message) { /* FastAPI, pydantic */
        return true;
    }
    if (code && (message || loose_get(table, "syscall") || loose_get(table, "errno"))) {
        return true;
    }
    if ((message && names_failure(type)) || names_failure(status)) {
        return true;
    }
    if (message && str_to_i64(status, &number) && number >= 400 && number < 600) {
        return true;
    }
    const struct observation *observation = w->lift->observation;
    bool is_told =
        w->lift->tells_status && !observation->is_ordinary; /* INFO may speak of a status */
    return (message || code) && is_root && (observation->status >= 400 || is_told);
}

static void walk(struct walk *w, const struct loose *node, bool in_error, bool is_root);

/* A string that itself holds a value, or prose around one. */
static void lift_inner(struct walk *w, struct str text)
{
    struct lift *lift = w->lift;
    bool holds_value = str_find_char(text, '{') >= 0 || str_ifind(text, STR("<html")) >= 0;
    struct str inner = text;
    if (holds_value && w->depth + 1 < LIFT_DEPTH_MAX) {
        struct bigrams bigrams;
        bigrams_read(&bigrams, text);
        inner = lift_text(lift, &bigrams, text, w->depth + 1);
    }
    if (lift->inner_count < LIFT_TEXTS_MAX) {
        lift->inner_texts[lift->inner_count++] = inner;
    }
}

/* Whether a member of a table is an error, the table being one or not. */
static bool holds_error(const struct loose *child, enum part part, bool is_error)
{
    if (part == PART_BASE) {
        return !is_success_code(loose_text(loose_find(child, PART_STATUS)));
    }
    return is_error || (part == PART_ERROR && !is_none(child));
}

/* Strings of errors are read on, and messages, which may stand in escapes; other strings only where
 * they are a value, or a log put a whole report or a stream into one. */
static bool is_worth_opening(const struct loose *child, enum part part)
{
    bool is_stream =
        str_starts(child->text, STR("data:")) || str_starts(child->text, STR("event:"));
    return part == PART_ERROR || part == PART_MESSAGE || str_starts(child->text, STR("{\"")) ||
           str_ifind(child->text, STR("<html")) >= 0 ||
           (str_find_char(child->text, '{') >= 0 &&
            (is_stream || str_ifind(child->text, STR("error")) >= 0));
}

static bool is_sentence(struct str text)
{
    size_t blanks = 0;
    for (size_t i = 0; i < text.len; i++) {
        blanks += text.ptr[i] == ' ';
    }
    bool is_wide = text.len && (unsigned char)text.ptr[0] >= 0x80;
    return blanks > 0 || is_wide;
}

/* {"errors.rateLimit": "Rate limit exceeded", ...}: a program's list of messages, by names that
 * mean nothing to us. Servers answer with fewer sentences, and under names we know. */
static bool is_catalogue(const struct walk *w, const struct loose *table)
{
    size_t sentences = 0, others = 0;
    if (w->lift->observation->kind != OBSERVATION_TEXT) {
        return false;
    }
    for (const struct loose *child = table->first; child; child = child->next) {
        if (child->part != PART_NONE) {
            return false;
        }
        bool counts = child->kind == LOOSE_STRING && is_sentence(child->text);
        sentences += counts;
        others += !counts;
    }
    return sentences > 2 && sentences > others;
}

/* Descriptions of interfaces and of data list errors as they list all else. */
static bool is_schema(const struct walk *w, const struct loose *table)
{
    struct str type = loose_text(loose_get(table, "type"));
    const struct observation *observation = w->lift->observation;
    bool is_object = str_eq(type, STR("object")) && loose_get(table, "properties");
    bool is_described = is_object || loose_get(table, "openapi") || loose_get(table, "swagger");
    if (observation->kind == OBSERVATION_HTTP) { /* errors name the schema that they follow */
        return is_described && observation->status >= 200 && observation->status <= 299;
    }
    return observation->kind == OBSERVATION_TEXT && (is_described || loose_get(table, "$schema"));
}

/* A prompt that Google refuses is no error there; whatever it is called, it was blocked. */
static void lift_block(struct lift *lift, const struct loose *feedback)
{
    struct str reason = loose_text(loose_get(feedback, "blockReason"));
    if (!str_is_empty(reason) && !str_ends(reason, STR("UNSPECIFIED"))) {
        lift_add(lift, FIELD_ERROR_REASON, reason);
        lift_add(lift, FIELD_ERROR_REASON, STR("blocked"));
        lift_add(lift, FIELD_ERROR_MESSAGE, loose_text(loose_get(feedback, "blockReasonMessage")));
        lift->has_finish = true;
    }
}

/* Whether a table is a log's record of a level above information: definitions of alerts have one,
 * too, but no time. pino counts warnings as 40. */
static bool is_trouble(const struct loose *table)
{
    static const struct str times[] = {STR_INIT("ts"), STR_INIT("@t"), STR_INIT("date")};
    struct str level = loose_text(loose_find(table, PART_LEVEL));
    const struct log_level *named = log_level_at(level, true);
    bool has_time = false;
    int64_t number;
    for (const struct loose *child = table->first; child && !has_time; child = child->next) {
        has_time = IS_ONE_OF(child->key, times) || str_ifind(child->key, STR("time")) >= 0;
    }
    return has_time && ((named && !named->is_ordinary) ||
                        (str_to_i64(level, &number) && number >= 40 && number <= 60));
}

/* in_error: the table stands inside an error; is_error: it is one. */
static void walk_children(struct walk *w, const struct loose *table, bool in_error, bool is_error)
{
    bool is_record = is_trouble(table);
    for (const struct loose *child = table->first; child; child = child->next) {
        enum part part = child->part;
        if (part == PART_REQUEST) {
            blank(w, child);
        } else if (part == PART_PLACE) {
            continue;
        } else if (part == PART_STOP) {
            answer_lift_finish(w->lift, loose_get(child, "reason"));
            lift_block(w->lift, child);
        } else if (answer_is_part(table, child, part, in_error)) {
            w->lift->has_answer = true;
            w->lift->has_finish = w->lift->has_finish || part == PART_WHOLE;
            answer_lift_finishes(w->lift, child);
            blank(w, child);
        } else if (child->first) {
            walk(w, child, holds_error(child, part, is_error), false);
        } else if (child->kind == LOOSE_STRING &&
                   (is_worth_opening(child, part) ||
                    (is_record && part == PART_NONE && is_sentence(child->text)))) {
            lift_inner(w, child->text);
        }
    }
}

/* FastAPI and pydantic name a parameter by its path. */
static void lift_place(struct walk *w, const struct loose *place)
{
    struct str path = {NULL, 0};
    for (const struct loose *part = place->first; part; part = part->next) {
        path = path.ptr
                   ? arena_printf(w->lift->arena, "%.*s.%.*s", STR_ARG(path), STR_ARG(part->text))
                   : part->text;
    }
    lift_add(w->lift, FIELD_ERROR_PARAM, path);
}

/* "status" is a number at some vendors, Google's word for the type at Google, a word of the life
 * of a response at OpenAI; in a base table the number is the vendor's own. */
static void lift_status(struct walk *w, const struct loose *table, const struct loose *child)
{
    struct str text = loose_text(child);
    int64_t number;
    if (table->part == PART_BASE) {
        lift_add(w->lift, FIELD_ERROR_CODE, text);
        lift_add(w->lift, FIELD_ERROR_REASON, text);
    } else if (str_to_i64(text, &number)) {
        lift_add_status(w->lift, text);
    } else if (loose_get(table, "message") || loose_get(table, "code")) {
        lift_add(w->lift, FIELD_ERROR_TYPE, text);
    }
}

static void lift_wait_of(struct walk *w, enum part part, struct str text)
{
    int64_t number;
    if (part == PART_WAIT_MS) {
        lift_add_wait(w->lift, str_to_i64(text, &number) && number >= 0 ? number : -1);
    } else if (part == PART_WAIT_MOMENT) {
        (void)lift_add_wait_until(w->lift, text);
    } else {
        lift_add_wait(w->lift, wait_parse(text));
    }
}

/* "title": "Not Found" of RFC 9457 says no more than the status does; the detail beside it does. */
static bool is_title_of_status(const struct loose *table, const struct loose *child)
{
    static const struct str phrases[] = {STR_INIT("Bad Request"),
                                         STR_INIT("Unauthorized"),
                                         STR_INIT("Forbidden"),
                                         STR_INIT("Not Found"),
                                         STR_INIT("Unprocessable Entity"),
                                         STR_INIT("Internal Server Error"),
                                         STR_INIT("Bad Gateway"),
                                         STR_INIT("Service Unavailable")};
    return str_eq(child->key, STR("title")) && IS_ONE_OF(loose_text(child), phrases) &&
           !str_is_empty(loose_text(loose_get(table, "detail"))) && loose_find(table, PART_STATUS);
}

static void lift_member(struct walk *w, const struct loose *table, const struct loose *child)
{
    enum part part = child->part;
    struct str text = loose_text(child);
    if (part == PART_PLACE) {
        lift_place(w, child);
    }
    if (str_is_empty(text)) {
        return;
    }
    if (str_eq(child->key, STR("name")) && str_ends(text, STR("Exception")) &&
        loose_get(table, "$metadata")) {
        lift_add(w->lift, FIELD_ERROR_REASON, text);
    } else if (part == PART_CODE) {
        lift_add(w->lift, FIELD_ERROR_CODE, text);
        lift_add_status(w->lift, text);
    } else if (part == PART_TYPE && !str_ieq(text, STR("error"))) {
        lift_add(w->lift, FIELD_ERROR_TYPE, text);
    } else if (part == PART_CLASS) {
        text = str_slice(text, (size_t)(str_find_char(text, '#') + 1), text.len);
        lift_add(w->lift, FIELD_ERROR_TYPE, text);
        lift_add(w->lift, FIELD_ERROR_REASON, text);
    } else if (part == PART_REASON && !answer_is_plain_finish(text)) {
        lift_add(w->lift, FIELD_ERROR_REASON, text);
    } else if (part == PART_PARAM) {
        lift_add(w->lift, FIELD_ERROR_PARAM, text);
    } else if (part == PART_STATUS) {
        lift_status(w, table, child);
    } else if ((part == PART_MESSAGE || part == PART_ERROR) && child->kind == LOOSE_STRING &&
               !is_title_of_status(table, child)) {
        lift_add(w->lift, FIELD_ERROR_MESSAGE, text);
    } else if (part == PART_WAIT_SECONDS || part == PART_WAIT_MS || part == PART_WAIT_MOMENT) {
        lift_wait_of(w, part, text);
    }
}

/* Whether a table has a message, or says under any name or as a verdict that there is an error; a
 * title and a description belong to things of all kinds. Logs put their text under names of all
 * kinds beside a level, Python's loguru beside a "record" with one. */
static bool says(const struct loose *table, bool is_answered)
{
    static const struct str names[] = {STR_INIT("title"), STR_INIT("description")};
    static const struct str judged[] = {STR_INIT("status"), STR_INIT("state"), STR_INIT("result"),
                                        STR_INIT("type")};
    static const struct str verdicts[] = {STR_INIT("error"), STR_INIT("fail"), STR_INIT("failed"),
                                          STR_INIT("failure")};
    const struct loose *code = loose_find(table, PART_CODE);
    if (loose_get(loose_get(table, "record"), "level") || is_trouble(table)) {
        return true;
    }
    if (code && is_success_code(loose_text(code))) {
        return false;
    }
    bool is_judged = is_answered || loose_get(table, "stack");
    for (const struct loose *child = table->first; child; child = child->next) {
        bool is_said = !child->first && !loose_is_null(child) && !loose_is_false(child);
        bool names_error = is_said && str_ifind(child->key, STR("error")) >= 0;
        bool is_message = part_of(child->key) == PART_MESSAGE && !IS_ONE_OF(child->key, names);
        bool is_blank = is_answered && (loose_is_null(child) || str_is_empty(loose_text(child)));
        bool is_verdict =
            is_judged && IS_ONE_OF(child->key, judged) && IS_ONE_OF(loose_text(child), verdicts);
        if ((is_message && !is_blank) || names_error || is_verdict) {
            return true;
        }
    }
    return false;
}

static void walk_table(struct walk *w, const struct loose *table, bool in_error, bool is_root)
{
    const struct evidence *evidence = w->lift->evidence;
    bool is_error = in_error || is_error_table(w, table, is_root);
    bool is_answered = w->lift->observation->kind == OBSERVATION_HTTP;
    w->lift->has_message = w->lift->has_message || (is_root && says(table, is_answered));
    size_t before = evidence->counts[FIELD_ERROR_MESSAGE] + evidence->counts[FIELD_ERROR_CODE] +
                    evidence->counts[FIELD_ERROR_TYPE] + evidence->counts[FIELD_ERROR_REASON];
    walk_children(w, table, in_error, is_error);
    for (const struct loose *child = table->first; child; child = child->next) {
        if (child->part == PART_FINISH) {
            answer_lift_finish(w->lift, child);
        } else if (is_error) {
            lift_member(w, table, child);
        } else if (child->part == PART_WAIT_SECONDS) {
            lift_wait_of(w, PART_WAIT_SECONDS, loose_text(child));
        }
    }
    size_t after = evidence->counts[FIELD_ERROR_MESSAGE] + evidence->counts[FIELD_ERROR_CODE] +
                   evidence->counts[FIELD_ERROR_TYPE] + evidence->counts[FIELD_ERROR_REASON];
    struct str status = loose_text(loose_find(table, PART_STATUS));
    if (is_error && (after > before || names_failure(status))) {
        w->lift->has_error = true;
    }
}

static void walk(struct walk *w, const struct loose *node, bool in_error, bool is_root)
{
    if (node->kind == LOOSE_TABLE && (is_catalogue(w, node) || is_schema(w, node))) {
        blank(w, node);
        return;
    }
    if (node->kind == LOOSE_TABLE) {
        walk_table(w, node, in_error, is_root);
        return;
    }
    for (const struct loose *child = node->first; child; child = child->next) {
        if (child->first) {
            walk(w, child, in_error, is_root);
        } else if (in_error && child->kind == LOOSE_STRING) {
            lift_inner(w, child->text);
            lift_add(w->lift, FIELD_ERROR_MESSAGE, child->text);
        }
    }
}

void lift_value(struct lift *lift, const struct loose *root, char *bytes, unsigned depth)
{
    struct walk w = {.lift = lift, .bytes = bytes, .depth = depth};
    bool had_answer = lift->has_answer;
    lift->has_answer = false;
    walk(&w, root, false, true);
    if (lift->has_answer && answer_is_finished(root)) {
        lift->has_answer_end = true;
    }
    lift->is_answer_cut = lift->has_answer && !root->is_whole;
    lift->has_answer = lift->has_answer || had_answer;
}
