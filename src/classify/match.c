/* PCRE2 within limits. Takes patterns of the rule table and values of evidence, gives where they
 * match; a pattern that costs too much ends with MATCH_LIMIT, never with a guess. */
#include "classify/match.h"

#include "classify/built_codes.h"
#include "classify/code.h"
#include "classify/screen.h"

#define MATCH_LIMIT_STEPS 100000
#define LOG_LIMIT_STEPS 25000 /* of an entry of a log, as there is a next one */
#define HEAP_LIMIT_KIB 2048
#define JIT_STACK_BYTES_MIN ((size_t)32 * 1024)
#define JIT_STACK_BYTES_MAX ((size_t)512 * 1024)
#define CASE_BYTES_MAX ((size_t)512 * 1024 * 1024) /* values times patterns of one case */
#define TRY_BYTES ((size_t)64)                     /* what a try is charged beside its value */
#define LIMIT_BYTES ((size_t)4 * 1024 * 1024)      /* what a try that hit a limit is charged */
#define SLOW_TRIES 2                               /* of a pattern without machine code */
#define SLOW_BYTES 4096                            /* of their texts */
#define LOOSE_LIMITS 4                             /* of a loosened pattern: then it is given up */
#define JIT_BYTES_MAX ((size_t)64 * 1024 * 1024)   /* of all patterns; the rest is interpreted */

struct pattern {
    pcre2_code *code;
    bool is_compiled; /* or found broken, when code is NULL */
    bool is_fast;     /* the JIT compiler was asked */
    unsigned slow_tries;
    pcre2_code *loose; /* of matcher_may_match; NULL until it is asked, and where it is of no use */
    bool is_loose_compiled;
    unsigned loose_limits; /* how often it hit a limit */
};

struct matcher {
    const struct rules *rules;
    struct pattern *patterns; /* of all conditions of all rules */
    size_t *first;            /* first[rule]: index of its first condition; one more at the end */
    size_t budget, tries;     /* of the case at hand */
    size_t jit_bytes;
    pcre2_match_context *context;
    pcre2_match_data *found;
    pcre2_jit_stack *stack;
};

struct matcher *matcher_open(struct arena *arena, const struct rules *rules)
{
    size_t count = rules_count(rules);
    struct matcher *matcher = ARENA_NEW(arena, struct matcher);
    matcher->rules = rules;
    matcher->first = ARENA_ARRAY(arena, count + 1, size_t);
    for (size_t i = 0; i < count; i++) {
        matcher->first[i + 1] = matcher->first[i] + rules_at(rules, i)->condition_count;
    }
    matcher->patterns = ARENA_ARRAY(arena, matcher->first[count] + 1, struct pattern);
    matcher->context = pcre2_match_context_create(NULL);
    matcher->found = pcre2_match_data_create(32, NULL);
    matcher->stack = pcre2_jit_stack_create(JIT_STACK_BYTES_MIN, JIT_STACK_BYTES_MAX, NULL);
    if (matcher->context) {
        pcre2_set_depth_limit(matcher->context, MATCH_LIMIT_STEPS);
        pcre2_set_heap_limit(matcher->context, HEAP_LIMIT_KIB);
        pcre2_jit_stack_assign(matcher->context, NULL, matcher->stack);
    }
    matcher_begin_case(matcher, false);
    return matcher;
}

void matcher_close(struct matcher *matcher)
{
    for (size_t i = 0; i < matcher->first[rules_count(matcher->rules)]; i++) {
        pcre2_code_free(matcher->patterns[i].code);
        pcre2_code_free(matcher->patterns[i].loose);
    }
    pcre2_jit_stack_free(matcher->stack);
    pcre2_match_data_free(matcher->found);
    pcre2_match_context_free(matcher->context);
}

void matcher_begin_case(struct matcher *matcher, bool is_log)
{
    if (matcher->context) {
        pcre2_set_match_limit(matcher->context, is_log ? LOG_LIMIT_STEPS : MATCH_LIMIT_STEPS);
    }
    matcher->budget = CASE_BYTES_MAX;
    matcher->tries = 0;
}

size_t matcher_tries(const struct matcher *matcher)
{
    return matcher->tries;
}

/* What was kept of a built-in pattern, else NULL. */
static pcre2_code *restore(const struct matcher *matcher, size_t number)
{
    size_t built = rules_built_count(matcher->rules);
    size_t first = matcher->first[rules_count(matcher->rules) - built];
    bool is_built = number >= first && number - first < built_codes.count;
    return is_built ? code_restore(built_codes.bytes + 8 * (size_t)built_codes.at[number - first])
                    : NULL;
}

static struct pattern *compiled(struct matcher *matcher, size_t rule, size_t condition)
{
    size_t number = matcher->first[rule] + condition;
    struct pattern *pattern = &matcher->patterns[number];
    if (!pattern->is_compiled) {
        pattern->is_compiled = true;
        pattern->code = restore(matcher, number);
        if (!pattern->code) {
            pattern->code =
                code_compile(rules_at(matcher->rules, rule)->conditions[condition].pattern, NULL);
        }
    }
    return pattern;
}

/* Asks for machine code. Without it (it may be switched off in the library) matching works all the
 * same. */
static void make_fast(struct matcher *matcher, struct pattern *pattern)
{
    size_t bytes = 0;
    if (pattern->is_fast || matcher->jit_bytes > JIT_BYTES_MAX) {
        return;
    }
    pattern->is_fast = true;
    if (pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE) == 0 &&
        pcre2_pattern_info(pattern->code, PCRE2_INFO_JITSIZE, &bytes) == 0) {
        matcher->jit_bytes += bytes;
    }
}

/* The named groups that took part in the match. */
static void read_captures(const struct matcher *matcher, const pcre2_code *code,
                          struct arena *arena, struct str value, struct match *match)
{
    uint32_t count = 0, entry_bytes = 0, groups = pcre2_get_ovector_count(matcher->found);
    PCRE2_SPTR entry = NULL;
    pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &count);
    if (count == 0) {
        return;
    }
    pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &entry_bytes);
    pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &entry);
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(matcher->found);
    struct capture *captures = ARENA_ARRAY(arena, count, struct capture);
    for (uint32_t i = 0; i < count; i++, entry += entry_bytes) {
        size_t group = (size_t)entry[0] << 8 | entry[1];
        if (group < groups && ends[2 * group] != PCRE2_UNSET) {
            captures[match->capture_count++] =
                (struct capture){.name = arena_dup(arena, str_from((const char *)(entry + 2))),
                                 .text = str_slice(value, ends[2 * group], ends[2 * group + 1])};
        }
    }
    match->captures = captures;
}

static int match_once(struct matcher *matcher, const struct pattern *pattern, struct str value)
{
    return pcre2_match(pattern->code, (PCRE2_SPTR)value.ptr, value.len, 0, 0, matcher->found,
                       matcher->context);
}

/* Making machine code of a pattern takes longer than a short text or two, and most runs have no
 * more. The interpreter counts steps in another way, so a limit is always the machine code's: what
 * is tried first changes no answer. */
static int run(struct matcher *matcher, struct pattern *pattern, struct str value)
{
    if (pattern->slow_tries < SLOW_TRIES && value.len <= SLOW_BYTES && !pattern->is_fast) {
        pattern->slow_tries++;
        int result = match_once(matcher, pattern, value);
        if (result >= 0 || result == PCRE2_ERROR_NOMATCH) {
            return result;
        }
    }
    make_fast(matcher, pattern);
    return match_once(matcher, pattern, value);
}

static void compile_loose(struct matcher *matcher, struct pattern *pattern, struct str original)
{
    struct arena *scratch = arena_create();
    size_t bytes = 0;
    pattern->is_loose_compiled = true;
    struct str loosened = screen_loosened(scratch, original);
    pattern->loose = str_is_set(loosened) ? code_compile(loosened, NULL) : NULL;
    if (pattern->loose && matcher->jit_bytes <= JIT_BYTES_MAX &&
        pcre2_jit_compile(pattern->loose, PCRE2_JIT_COMPLETE) == 0 &&
        pcre2_pattern_info(pattern->loose, PCRE2_INFO_JITSIZE, &bytes) == 0) {
        matcher->jit_bytes += bytes;
    }
    arena_free(scratch);
}

/* A pattern that runs into limits here does so when it is tried in earnest, and what it costs would
 * be paid twice a line. */
static void count_limit(struct pattern *pattern)
{
    pattern->loose_limits++;
    if (pattern->loose_limits == LOOSE_LIMITS) {
        pcre2_code_free(pattern->loose);
        pattern->loose = NULL;
    }
}

bool matcher_may_match(struct matcher *matcher, size_t rule, size_t condition, struct str text)
{
    struct pattern *pattern = &matcher->patterns[matcher->first[rule] + condition];
    if (!pattern->is_loose_compiled) {
        compile_loose(matcher, pattern,
                      rules_at(matcher->rules, rule)->conditions[condition].pattern);
    }
    if (!pattern->loose || !matcher->context || !matcher->found) {
        return true;
    }
    int result = pcre2_match(pattern->loose, (PCRE2_SPTR)text.ptr, text.len, 0, 0, matcher->found,
                             matcher->context);
    if (result < 0 && result != PCRE2_ERROR_NOMATCH) {
        count_limit(pattern);
    }
    return result != PCRE2_ERROR_NOMATCH;
}

enum match_end matcher_try(struct matcher *matcher, struct arena *arena, size_t rule,
                           size_t condition, struct str value, struct match *match)
{
    *match = (struct match){.begin = 0};
    if (!matcher->context || !matcher->found || matcher->budget < value.len + TRY_BYTES) {
        return MATCH_LIMIT;
    }
    struct pattern *pattern = compiled(matcher, rule, condition);
    if (!pattern->code) {
        return MATCH_LIMIT;
    }
    matcher->budget -= value.len + TRY_BYTES;
    matcher->tries++;
    int result = run(matcher, pattern, value);
    if (result == PCRE2_ERROR_NOMATCH) {
        return MATCH_NO;
    }
    if (result < 0) {
        matcher->budget -= matcher->budget < LIMIT_BYTES ? matcher->budget : LIMIT_BYTES;
        return MATCH_LIMIT;
    }
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(matcher->found);
    match->begin = ends[0];
    match->end = ends[1] < ends[0] ? ends[0] : ends[1];
    read_captures(matcher, pattern->code, arena, value, match);
    return MATCH_YES;
}
