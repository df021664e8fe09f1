/* From verdicts to one number. The order of blames and their codes is a table; who is to blame for
 * what is data. */
#include "triage/exit.h"

/* The first that occurs wins (diagnose(1), EXIT STATUS; 4, wrong use, is decided before anything
 * runs). */
static const struct {
    enum blame blame;
    int code;
} order[] = {
    {BLAME_OURS, 1}, {BLAME_NETWORK, 3}, {BLAME_THEIRS, 2}, {BLAME_UNKNOWN, 5}, {BLAME_NONE, 0},
};

unsigned exit_rank(enum blame blame)
{
    unsigned rank = 0;
    while (order[rank].blame != blame) {
        rank++;
    }
    return rank;
}

void exit_set(enum blame blame, struct report *report)
{
    report->blame = blame;
    report->exit_code = order[exit_rank(blame)].code;
}

int exit_code_of(enum blame blame)
{
    return order[exit_rank(blame)].code;
}

bool exit_names(const struct str *names, size_t count, const struct diagnosis *diagnosis)
{
    for (size_t i = 0; i < count; i++) {
        struct str name = names[i];
        if (str_eq(name, diagnosis->id) || str_eq(name, diagnosis->layer) ||
            str_eq(name, blame_name(diagnosis->blame))) {
            return true;
        }
    }
    return count == 0;
}

/* Whether fail_on names this diagnosis by id, layer or blame; an empty list names all. */
static bool exit_counts(const struct triage_input *input, const struct diagnosis *diagnosis)
{
    return exit_names(input->fail_on, input->fail_on_count, diagnosis);
}

static void count(const struct triage_input *input, const struct diagnosis *diagnosis,
                  unsigned *rank)
{
    if (exit_counts(input, diagnosis) && exit_rank(diagnosis->blame) < *rank) {
        *rank = exit_rank(diagnosis->blame);
    }
}

static void count_config(const struct triage_input *input, const struct finding *findings,
                         size_t finding_count, unsigned *rank)
{
    for (size_t i = 0; i < finding_count; i++) {
        if (findings[i].severity == SEVERITY_ERROR) {
            count(input, findings[i].diagnosis, rank);
        }
    }
}

void exit_decide(const struct triage_input *input, enum blame *blame, int *exit_code)
{
    unsigned rank = exit_rank(BLAME_NONE);
    bool has_judged = input->are_keys || (input->is_offline && input->result_count > 0);
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *result = &input->results[i];
        has_judged = has_judged || result->status != TARGET_SKIPPED;
        if (result->status == TARGET_FAILED) {
            count(input, result->finding->diagnosis, &rank);
        }
        count_config(input, result->config_findings, result->config_finding_count, &rank);
    }
    count_config(input, input->config_findings, input->config_finding_count, &rank);
    if (!has_judged && rank == exit_rank(BLAME_NONE)) {
        rank = exit_rank(BLAME_UNKNOWN);
    }
    *blame = order[rank].blame;
    *exit_code = order[rank].code;
}
