/* Fields out of values: errors of all vendors, gateways' wrapping of them, and the answers that
 * must not be taken for evidence. Takes a tree of the loose reader, gives fields innermost first.
 * What a key means stands in one table; no vendor has code of its own. */
#include "classify/lift.h"
#include "classify/wait.h"

#include <string.h>

enum part {
    PART_NONE,
    PART_ERROR,   /* holds an error: a table, a list, a string, or a string with JSON in it */
    PART_MESSAGE, /* prose */
    PART_CODE,
    PART_TYPE,
    PART_REASON,
    PART_PARAM,
    PART_PLACE, /* the same as a path: ["body", "messages", 0] */
    PART_STATUS,
    PART_FINISH,       /* why a model stopped */
    PART_STOP,         /* a table that says why */
    PART_WAIT_SECONDS, /* a number of seconds, or words */
    PART_WAIT_MS,
    PART_WAIT_MOMENT,
    PART_ANSWER,  /* what a model wrote, wherever it stands */
    PART_CONTENT, /* the same where its table says so */
    PART_REQUEST, /* what the user sent */
};

static const struct {
    struct str key;
    enum part part;
} parts[] = {
    {STR_INIT("error"), PART_ERROR},
    {STR_INIT("errors"), PART_ERROR},
    {STR_INIT("err"), PART_ERROR},
    {STR_INIT("cause"), PART_ERROR},
    {STR_INIT("[cause]"), PART_ERROR},
    {STR_INIT("exception"), PART_ERROR},
    {STR_INIT("fault"), PART_ERROR},
    {STR_INIT("failure"), PART_ERROR},
    {STR_INIT("innererror"), PART_ERROR},
    {STR_INIT("inner_error"), PART_ERROR},
    {STR_INIT("last_error"), PART_ERROR},
    {STR_INIT("upstream_error"), PART_ERROR},
    {STR_INIT("incomplete_details"), PART_STOP},
    {STR_INIT("promptFeedback"), PART_STOP},
    {STR_INIT("base_resp"), PART_ERROR},
    {STR_INIT("message"), PART_MESSAGE},
    {STR_INIT("msg"), PART_MESSAGE},
    {STR_INIT("raw"), PART_MESSAGE},
    {STR_INIT("detail"), PART_MESSAGE},
    {STR_INIT("details"), PART_MESSAGE},
    {STR_INIT("title"), PART_MESSAGE},
    {STR_INIT("description"), PART_MESSAGE},
    {STR_INIT("body"), PART_MESSAGE},
    {STR_INIT("error_msg"), PART_MESSAGE},
    {STR_INIT("error_message"), PART_MESSAGE},
    {STR_INIT("errorMessage"), PART_MESSAGE},
    {STR_INIT("error_description"), PART_MESSAGE},
    {STR_INIT("status_msg"), PART_MESSAGE},
    {STR_INIT("code"), PART_CODE},
    {STR_INIT("error_code"), PART_CODE},
    {STR_INIT("errorCode"), PART_CODE},
    {STR_INIT("err_code"), PART_CODE},
    {STR_INIT("errcode"), PART_CODE},
    {STR_INIT("type"), PART_TYPE},
    {STR_INIT("error_type"), PART_TYPE},
    {STR_INIT("__type"), PART_TYPE},
    {STR_INIT("reason"), PART_REASON},
    {STR_INIT("quotaId"), PART_REASON},
    {STR_INIT("limit_source"), PART_REASON},
    {STR_INIT("blockReason"), PART_REASON},
    {STR_INIT("param"), PART_PARAM},
    {STR_INIT("parameter"), PART_PARAM},
    {STR_INIT("loc"), PART_PLACE},
    {STR_INIT("status"), PART_STATUS},
    {STR_INIT("status_code"), PART_STATUS},
    {STR_INIT("statusCode"), PART_STATUS},
    {STR_INIT("raw_status_code"), PART_STATUS},
    {STR_INIT("http_status"), PART_STATUS},
    {STR_INIT("upstream_status"), PART_STATUS},
    {STR_INIT("finish_reason"), PART_FINISH},
    {STR_INIT("stop_reason"), PART_FINISH},
    {STR_INIT("done_reason"), PART_FINISH},
    {STR_INIT("finishReason"), PART_FINISH},
    {STR_INIT("stopReason"), PART_FINISH},
    {STR_INIT("retryDelay"), PART_WAIT_SECONDS},
    {STR_INIT("retry_after"), PART_WAIT_SECONDS},
    {STR_INIT("retryAfter"), PART_WAIT_SECONDS},
    {STR_INIT("retry_after_seconds"), PART_WAIT_SECONDS},
    {STR_INIT("resets_in_seconds"), PART_WAIT_SECONDS},
    {STR_INIT("estimated_time"), PART_WAIT_SECONDS},
    {STR_INIT("retry_after_ms"), PART_WAIT_MS},
    {STR_INIT("resets_at"), PART_WAIT_MOMENT},
    {STR_INIT("reset_at"), PART_WAIT_MOMENT},
    {STR_INIT("choices"), PART_ANSWER},
    {STR_INIT("candidates"), PART_ANSWER},
    {STR_INIT("output"), PART_ANSWER},
    {STR_INIT("output_text"), PART_ANSWER},
    {STR_INIT("delta"), PART_ANSWER},
    {STR_INIT("content_block"), PART_ANSWER},
    {STR_INIT("completion"), PART_ANSWER},
    {STR_INIT("generated_text"), PART_ANSWER},
    {STR_INIT("embedding"), PART_ANSWER},
    {STR_INIT("embeddings"), PART_ANSWER},
    {STR_INIT("models"), PART_ANSWER},
    {STR_INIT("content"), PART_CONTENT},
    {STR_INIT("text"), PART_CONTENT},
    {STR_INIT("data"), PART_CONTENT},
    {STR_INIT("part"), PART_CONTENT},
    {STR_INIT("response"), PART_CONTENT},
    {STR_INIT("messages"), PART_REQUEST},
    {STR_INIT("contents"), PART_REQUEST},
    {STR_INIT("input"), PART_REQUEST},
    {STR_INIT("prompt"), PART_REQUEST},
    {STR_INIT("instructions"), PART_REQUEST},
    {STR_INIT("tools"), PART_REQUEST},
    {STR_INIT("arguments"), PART_REQUEST},
};

struct walk {
    struct lift *lift;
    char *bytes; /* of the text that the tree was read from */
    unsigned depth;
};

static bool is_one_of(struct str word, const struct str *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_ieq(word, words[i])) {
            return true;
        }
    }
    return false;
}
#define IS_ONE_OF(word, table) is_one_of((word), (table), sizeof(table) / sizeof(table)[0])

static enum part part_of(struct str key)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (str_ieq(parts[i].key, key)) {
            return parts[i].part;
        }
    }
    return PART_NONE;
}

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
                                      STR_INIT("success"), STR_INIT("none"), STR_INIT("null")};
    return IS_ONE_OF(code, good);
}

static const struct loose *child_of_part(const struct loose *table, enum part part)
{
    for (const struct loose *child = table->first; child; child = child->next) {
        if (part_of(child->key) == part && !loose_is_null(child)) {
            return child;
        }
    }
    return NULL;
}

static bool is_false(const struct loose *value)
{
    return value && value->kind == LOOSE_WORD && str_ieq(value->text, STR("false"));
}

static bool type_names_failure(struct str type)
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

/* Whether a table of its own accord reports a failure; `is_root` tables of a refused request do. */
static bool is_error_table(const struct walk *w, const struct loose *table, bool is_root)
{
    const struct loose *error = child_of_part(table, PART_ERROR);
    const struct loose *message = child_of_part(table, PART_MESSAGE);
    const struct loose *code = child_of_part(table, PART_CODE);
    struct str status = loose_text(child_of_part(table, PART_STATUS)), code_text = loose_text(code);
    struct str type = loose_text(loose_get(table, "type"));
    int64_t number;
    if (error && str_eq(error->key, STR("base_resp"))) {
        return false; /* its own code decides */
    }
    if ((error && !is_false(error) && !(error->kind == LOOSE_ARRAY && !error->first)) ||
        loose_get(table, "__type") || is_false(loose_get(table, "success")) ||
        str_ieq(type, STR("error"))) {
        return true;
    }
    if (code && is_success_code(code_text)) {
        return false;
    }
    if (code && (message || loose_get(table, "syscall") || loose_get(table, "errno"))) {
        return true;
    }
    if (message && type_names_failure(type)) {
        return true;
    }
    if (message && str_to_i64(status, &number) && number >= 400 && number < 600) {
        return true;
    }
    return message && is_root && w->lift->observation->status >= 400;
}

/* A stop that is no failure: the model had said all, reached a length, or called a tool. */
static bool is_plain_finish(struct str reason)
{
    static const struct str plain[] = {
        STR_INIT("stop"),          STR_INIT("length"),     STR_INIT("tool_calls"),
        STR_INIT("function_call"), STR_INIT("end_turn"),   STR_INIT("max_tokens"),
        STR_INIT("stop_sequence"), STR_INIT("tool_use"),   STR_INIT("pause_turn"),
        STR_INIT("complete"),      STR_INIT("eos"),        STR_INIT("eos_token"),
        STR_INIT("load"),          STR_INIT("unload"),     STR_INIT("max_output_tokens"),
        STR_INIT("completed"),     STR_INIT("stop_token"), STR_INIT("FINISH_REASON_UNSPECIFIED")};
    return IS_ONE_OF(reason, plain);
}

static void lift_finish(struct walk *w, const struct loose *value)
{
    struct str reason = loose_text(value);
    if (str_is_empty(reason)) {
        return;
    }
    w->lift->has_answer_end = true;
    if (!is_plain_finish(reason)) {
        lift_add(w->lift, FIELD_ERROR_REASON, reason);
    }
}

/* Looks for nothing but reasons to stop in what a model wrote. */
static void walk_answer(struct walk *w, const struct loose *node)
{
    for (const struct loose *child = node->first; child; child = child->next) {
        if (part_of(child->key) == PART_FINISH) {
            lift_finish(w, child);
        } else if (child->first && part_of(child->key) != PART_CONTENT) {
            walk_answer(w, child);
        }
    }
}

/* Content is a model's where the table says who spoke, or what is in it. */
static bool holds_content(const struct loose *table)
{
    static const struct str types[] = {STR_INIT("message"), STR_INIT("text"), STR_INIT("thinking"),
                                       STR_INIT("output_text")};
    struct str type = loose_text(loose_get(table, "type"));
    return loose_get(table, "role") || loose_get(table, "done") || IS_ONE_OF(type, types) ||
           str_eq(loose_text(loose_get(table, "object")), STR("list")) ||
           str_starts(type, STR("response."));
}

static bool is_answer_part(const struct loose *table, const struct loose *child, enum part part,
                           bool in_error)
{
    bool is_held = child->first || child->kind == LOOSE_STRING;
    if (part == PART_ANSWER) {
        return !in_error && (is_held || child->kind == LOOSE_ARRAY);
    }
    if (part != PART_CONTENT || in_error || !holds_content(table)) {
        return false;
    }
    /* The "response" of a stream's event is a table with an error of its own. */
    return !(str_eq(child->key, STR("response")) && child->kind == LOOSE_TABLE);
}

static void walk(struct walk *w, const struct loose *node, bool in_error, bool is_root);

/* A string that itself holds a value, or prose around one. */
static void lift_inner(struct walk *w, struct str text)
{
    struct lift *lift = w->lift;
    bool holds_value = str_find_char(text, '{') >= 0 || str_ifind(text, STR("<html")) >= 0;
    struct str inner = text;
    if (holds_value && w->depth + 1 < LIFT_DEPTH_MAX) {
        inner = lift_text(lift, text, w->depth + 1);
    }
    if (lift->inner_count < LIFT_TEXTS_MAX) {
        lift->inner_texts[lift->inner_count++] = inner;
    }
}

/* in_error: the table stands inside an error; is_error: it is one. */
static void walk_children(struct walk *w, const struct loose *table, bool in_error, bool is_error)
{
    for (const struct loose *child = table->first; child; child = child->next) {
        enum part part = part_of(child->key);
        if (part == PART_REQUEST) {
            blank(w, child);
        } else if (part == PART_PLACE) {
            continue;
        } else if (part == PART_STOP) {
            lift_finish(w, loose_get(child, "reason"));
            lift_finish(w, loose_get(child, "blockReason"));
        } else if (is_answer_part(table, child, part, in_error)) {
            w->lift->has_answer = true;
            walk_answer(w, child);
            blank(w, child);
        } else if (child->first) {
            bool is_base = str_eq(child->key, STR("base_resp"));
            bool is_fine = is_base && is_success_code(loose_text(loose_get(child, "status_code")));
            walk(w, child, is_base ? !is_fine : is_error || part == PART_ERROR, false);
        } else if (child->kind == LOOSE_STRING && (part == PART_MESSAGE || part == PART_ERROR) &&
                   (is_error || part == PART_ERROR)) {
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
 * of a response at OpenAI; in base_resp the number is MiniMax's own. */
static void lift_status(struct walk *w, const struct loose *table, const struct loose *child)
{
    struct str text = loose_text(child);
    int64_t number;
    if (str_eq(table->key, STR("base_resp"))) {
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
        lift_add_wait(w->lift, wait_until(text, w->lift->now_ms));
    } else {
        lift_add_wait(w->lift, wait_parse(text));
    }
}

static void lift_member(struct walk *w, const struct loose *table, const struct loose *child)
{
    enum part part = part_of(child->key);
    struct str text = loose_text(child);
    if (part == PART_PLACE) {
        lift_place(w, child);
    }
    if (str_is_empty(text)) {
        return;
    }
    if (part == PART_CODE) {
        lift_add(w->lift, FIELD_ERROR_CODE, text);
        lift_add_status(w->lift, text);
    } else if (part == PART_TYPE && !str_ieq(text, STR("error"))) {
        ptrdiff_t hash = str_find_char(text, '#'); /* AWS: namespace#Name */
        text = str_slice(text, (size_t)(hash + 1), text.len);
        lift_add(w->lift, FIELD_ERROR_TYPE, text);
        if (str_eq(child->key, STR("__type"))) {
            lift_add(w->lift, FIELD_ERROR_REASON, text);
        }
    } else if (part == PART_REASON && !is_plain_finish(text)) {
        lift_add(w->lift, FIELD_ERROR_REASON, text);
    } else if (part == PART_PARAM) {
        lift_add(w->lift, FIELD_ERROR_PARAM, text);
    } else if (part == PART_STATUS) {
        lift_status(w, table, child);
    } else if ((part == PART_MESSAGE || part == PART_ERROR) && child->kind == LOOSE_STRING) {
        lift_add(w->lift, FIELD_ERROR_MESSAGE, text);
    } else if (part == PART_WAIT_SECONDS || part == PART_WAIT_MS || part == PART_WAIT_MOMENT) {
        lift_wait_of(w, part, text);
    }
}

static void walk_table(struct walk *w, const struct loose *table, bool in_error, bool is_root)
{
    const struct evidence *evidence = w->lift->evidence;
    bool is_error = in_error || is_error_table(w, table, is_root);
    size_t before = evidence->counts[FIELD_ERROR_MESSAGE] + evidence->counts[FIELD_ERROR_CODE] +
                    evidence->counts[FIELD_ERROR_TYPE] + evidence->counts[FIELD_ERROR_REASON];
    walk_children(w, table, in_error, is_error);
    for (const struct loose *child = table->first; child; child = child->next) {
        if (part_of(child->key) == PART_FINISH) {
            lift_finish(w, child);
        } else if (is_error) {
            lift_member(w, table, child);
        } else if (part_of(child->key) == PART_WAIT_SECONDS) {
            lift_wait_of(w, PART_WAIT_SECONDS, loose_text(child));
        }
    }
    size_t after = evidence->counts[FIELD_ERROR_MESSAGE] + evidence->counts[FIELD_ERROR_CODE] +
                   evidence->counts[FIELD_ERROR_TYPE] + evidence->counts[FIELD_ERROR_REASON];
    if (is_error && after > before) {
        w->lift->has_error = true;
    }
}

static void walk(struct walk *w, const struct loose *node, bool in_error, bool is_root)
{
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

/* A JSON answer that is no stream ends where it ends, unless it says that more will come. */
static bool is_finished(const struct loose *root)
{
    struct str object = loose_text(loose_get(root, "object"));
    struct str status = loose_text(loose_get(root, "status"));
    return root->is_whole && !str_ends(object, STR(".chunk")) &&
           !is_false(loose_get(root, "done")) && !str_eq(status, STR("in_progress")) &&
           !str_eq(status, STR("queued"));
}

void lift_value(struct lift *lift, const struct loose *root, char *bytes, unsigned depth)
{
    struct walk w = {.lift = lift, .bytes = bytes, .depth = depth};
    bool had_answer = lift->has_answer;
    lift->has_answer = false;
    walk(&w, root, false, true);
    if (lift->has_answer && is_finished(root)) {
        lift->has_answer_end = true;
    }
    lift->has_answer = lift->has_answer || had_answer;
}
