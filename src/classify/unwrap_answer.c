/* Answers of models. Takes tables of the loose reader, says which members a model wrote, why it
 * stopped, and whether the answer came to its end. */
#include "classify/unwrap_answer.h"

#include "classify/parts.h"

bool answer_is_plain_finish(struct str reason)
{
    static const struct str plain[] = {STR_INIT("stop"),
                                       STR_INIT("length"),
                                       STR_INIT("tool_calls"),
                                       STR_INIT("function_call"),
                                       STR_INIT("end_turn"),
                                       STR_INIT("max_tokens"),
                                       STR_INIT("stop_sequence"),
                                       STR_INIT("tool_use"),
                                       STR_INIT("pause_turn"),
                                       STR_INIT("complete"),
                                       STR_INIT("eos"),
                                       STR_INIT("eos_token"),
                                       STR_INIT("load"),
                                       STR_INIT("unload"),
                                       STR_INIT("max_output_tokens"),
                                       STR_INIT("maximum_tokens"),
                                       STR_INIT("completed"),
                                       STR_INIT("stop_token"),
                                       STR_INIT("FINISH_REASON_UNSPECIFIED")};
    return IS_ONE_OF(reason, plain);
}

/* A stop of an answer that was held back or broken off. Good ends have names of each vendor's own
 * ("normal", "endoftext", "stop_before"); bad ones share their stems. */
static bool is_bad_finish(struct str reason)
{
    static const struct str stems[] = {
        STR_INIT("abort"),    STR_INIT("black"),    STR_INIT("block"),    STR_INIT("cancel"),
        STR_INIT("censor"),   STR_INIT("context"),  STR_INIT("disconn"),  STR_INIT("error"),
        STR_INIT("exceed"),   STR_INIT("fail"),     STR_INIT("filter"),   STR_INIT("guard"),
        STR_INIT("harm"),     STR_INIT("illegal"),  STR_INIT("insuffic"), STR_INIT("interrupt"),
        STR_INIT("invalid"),  STR_INIT("language"), STR_INIT("malform"),  STR_INIT("missing"),
        STR_INIT("moderat"),  STR_INIT("network"),  STR_INIT("other"),    STR_INIT("overload"),
        STR_INIT("policy"),   STR_INIT("prohibit"), STR_INIT("recit"),    STR_INIT("refus"),
        STR_INIT("risk"),     STR_INIT("safe"),     STR_INIT("sensitiv"), STR_INIT("spii"),
        STR_INIT("time"),     STR_INIT("too_many"), STR_INIT("toxic"),    STR_INIT("unavail"),
        STR_INIT("unexpect"), STR_INIT("unknown"),  STR_INIT("violat")};
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
        if (str_ifind(reason, stems[i]) >= 0) {
            return true;
        }
    }
    return false;
}

void answer_lift_finish(struct lift *lift, const struct loose *value)
{
    struct str reason = loose_text(value);
    if (str_is_empty(reason) || str_eq(reason, STR("null"))) { /* DashScope writes "null" */
        return;
    }
    lift->has_finish = true;
    if (is_bad_finish(reason)) {
        lift_add(lift, FIELD_ERROR_REASON, reason);
    }
}

/* Looks for nothing but reasons to stop in what a model wrote. */
void answer_lift_finishes(struct lift *lift, const struct loose *node)
{
    for (const struct loose *child = node->first; child; child = child->next) {
        if (child->part == PART_FINISH) {
            answer_lift_finish(lift, child);
        } else if (child->first && child->part != PART_CONTENT) {
            answer_lift_finishes(lift, child);
        }
    }
}

/* Content is a model's where the table says who spoke, or what is in it. */
static bool holds_content(const struct loose *table)
{
    static const struct str types[] = {STR_INIT("message"),       STR_INIT("text"),
                                       STR_INIT("thinking"),      STR_INIT("output_text"),
                                       STR_INIT("agent_message"), STR_INIT("assistant"),
                                       STR_INIT("reasoning"),     STR_INIT("summary_text"),
                                       STR_INIT("tool_result"),   STR_INIT("function_call_output")};
    struct str type = loose_text(loose_get(table, "type"));
    struct str object = loose_text(loose_get(table, "object"));
    return loose_get(table, "role") || loose_get(table, "done") || loose_get(table, "score") ||
           loose_get(table, "relevance_score") || IS_ONE_OF(type, types) ||
           str_eq(object, STR("list")) || str_eq(object, STR("chat.completion")) ||
           str_starts(type, STR("response."));
}

/* {"result":{"response":"..."},"success":true} of Workers AI. */
static bool is_result_response(const struct loose *table, const struct loose *child)
{
    return str_eq(table->key, STR("result")) && str_eq(child->key, STR("response")) &&
           child->kind == LOOSE_STRING;
}

/* DashScope tells of a task that failed, and why, where answers stand. */
static bool is_failed_task(const struct loose *child)
{
    return str_eq(loose_text(loose_get(child, "task_status")), STR("FAILED"));
}

bool answer_is_part(const struct loose *table, const struct loose *child, enum part part,
                    bool in_error)
{
    bool is_held = child->first || child->kind == LOOSE_STRING;
    if (part == PART_ANSWER || part == PART_WHOLE) {
        return !in_error && !is_failed_task(child) && (is_held || child->kind == LOOSE_ARRAY);
    }
    if (part != PART_CONTENT || in_error) {
        return false;
    }
    if (!holds_content(table)) {
        return is_result_response(table, child);
    }
    /* The "response" of a stream's event is a table with an error of its own. */
    return !(str_eq(child->key, STR("response")) && child->kind == LOOSE_TABLE);
}

/* A JSON answer that is no stream ends where it ends, unless it says that more will come. */
bool answer_is_finished(const struct loose *root)
{
    struct str object = loose_text(loose_get(root, "object"));
    return root->is_whole && !str_ends(object, STR(".chunk")) &&
           !loose_is_false(loose_get(root, "done"));
}
