/* Any bytes as evidence, judged by the built-in table: no crash, no hang, bounded output, and the
 * keyword prefilter changes nothing. The first byte says what kind of evidence the rest is. */
#include "base/text.h"
#include "classify/classify.h"
#include "input/input.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The fuzzer calls one function only, so the table lives as long as the process. */
static struct classifier *open_classifier(void)
{
    static struct classifier *classifier;
    if (!classifier) {
        struct arena *arena = arena_create();
        struct problems problems = {0};
        struct rules *rules;
        struct err err = {0};
        if (rules_open((struct str){NULL, 0}, &problems, arena, &rules, &err) != ERR_OK) {
            fprintf(stderr, "%s\n", err.text);
            abort();
        }
        arena_free(arena);
        classifier = classifier_open(rules);
    }
    return classifier;
}

static void check_finding(const struct finding *finding)
{
    if (!finding->diagnosis || finding->evidence.len > 300 || finding->wait_ms < -1 ||
        utf8_find_invalid(finding->evidence) >= 0) {
        abort();
    }
}

static void judge(struct arena *arena, const struct observation *observation)
{
    struct classifier *classifier = open_classifier();
    struct finding quick = classify(classifier, arena, observation);
    struct finding slow = classify_unfiltered(classifier, arena, observation);
    check_finding(&quick);
    check_finding(&slow);
    if (quick.diagnosis != slow.diagnosis || !str_eq(quick.rule_id, slow.rule_id) ||
        quick.runner_up != slow.runner_up) {
        fprintf(stderr,
                "with keywords \"%.*s\" (then \"%.*s\"), without \"%.*s\" (then \"%.*s\")\n",
                STR_ARG(quick.rule_id), STR_ARG(quick.runner_up_rule), STR_ARG(slow.rule_id),
                STR_ARG(slow.runner_up_rule));
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const long statuses[] = {200, 400, 401, 403, 404, 429, 500, 502, 503, 529, 0, 302};
    struct arena *arena = arena_create();
    struct mask mask = {0};
    unsigned pick = size ? bytes[0] : 0;
    struct str text = {size ? (const char *)bytes + 1 : "", size ? size - 1 : 0};
    struct observation observation = input_paste(arena, &mask, text,
                                                 pick % 3 == 0   ? INPUT_AUTO
                                                 : pick % 3 == 1 ? INPUT_TEXT
                                                                 : INPUT_HTTP);
    if (pick >= 128) {
        observation.kind = OBSERVATION_HTTP;
        observation.status = statuses[pick % 12];
    }
    judge(arena, &observation);
    struct observation line;
    struct str id, error;
    if (input_ndjson(arena, &mask, text, &line, &id, &error)) {
        judge(arena, &line);
    } else if (str_is_empty(error)) {
        abort();
    }
    arena_free(arena);
    return 0;
}
