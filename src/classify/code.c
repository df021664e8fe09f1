/* Compiling patterns with PCRE2, and keeping what was compiled. Takes their text, gives code or
 * what is wrong with it. */
#include "classify/code.h"

#include "base/buf.h"

#define CODE_BYTES_MAX ((size_t)32 * 1024) /* of one compiled pattern */
#define BROKEN_PATTERNS_MAX 20             /* that are told */

static pcre2_code *compile(struct str pattern, struct code_error *error)
{
    return pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len,
                         PCRE2_CASELESS | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
                             PCRE2_NEVER_BACKSLASH_C,
                         &error->number, &error->at, NULL);
}

/* Bytes of the class at pattern[at], "[" to "]". */
static size_t class_length(struct str pattern, size_t at)
{
    size_t end = at + 1;
    end += (size_t)(end < pattern.len && pattern.ptr[end] == '^');
    end += end < pattern.len && pattern.ptr[end] == ']' ? 1 : 0; /* a sign of it, not its end */
    while (end < pattern.len && pattern.ptr[end] != ']') {
        struct str rest = str_slice(pattern, end, pattern.len);
        ptrdiff_t posix = str_starts(rest, STR("[:")) ? str_find(rest, STR(":]")) : -1;
        size_t escape = rest.ptr[0] == '\\' ? 2 : 1;
        end += posix > 0 ? (size_t)posix + 2 : escape;
    }
    return (end < pattern.len ? end + 1 : pattern.len) - at;
}

/* Bytes of what stands together at pattern[at]: an escape, quoted text, a class, a sign. */
static size_t unit_length(struct str pattern, size_t at)
{
    struct str rest = str_slice(pattern, at, pattern.len);
    if (str_starts(rest, STR("\\Q"))) {
        ptrdiff_t end = str_find(rest, STR("\\E"));
        return end > 0 ? (size_t)end : rest.len;
    }
    size_t escape = rest.ptr[0] == '\\' && rest.len > 1 ? 2 : 1;
    return rest.ptr[0] == '[' ? class_length(pattern, at) : escape;
}

/* The pattern with \W, \S and \D written as classes of one: [\W]. Where text may be no UTF-8 the
 * machine code of PCRE2 10.42 lets the bare ones match ASCII alone, which its interpreter and
 * classes do not. */
static struct str with_classes(struct buf *out, struct str pattern)
{
    for (size_t at = 0; at < pattern.len;) {
        struct str unit = str_slice(pattern, at, at + unit_length(pattern, at));
        bool is_bare =
            str_eq(unit, STR("\\W")) || str_eq(unit, STR("\\S")) || str_eq(unit, STR("\\D"));
        buf_add(out, is_bare ? STR("[") : STR(""));
        buf_add(out, unit);
        buf_add(out, is_bare ? STR("]") : STR(""));
        at += unit.len;
    }
    return buf_str(out);
}

pcre2_code *code_compile(struct str pattern, struct code_error *error)
{
    struct code_error ignored = {0};
    size_t bytes = 0;
    struct buf written = buf_create(2 * pattern.len + 1); /* with brackets around each \W */
    error = error ? error : &ignored;
    *error = (struct code_error){0};
    pcre2_code *code = compile(with_classes(&written, pattern), error);
    buf_free(&written);
    code = code ? code : compile(pattern, error); /* whose places are the user's */
    if (code && (pcre2_pattern_info(code, PCRE2_INFO_SIZE, &bytes) || bytes > CODE_BYTES_MAX)) {
        pcre2_code_free(code);
        error->is_too_big = true;
        return NULL;
    }
    return code;
}

struct str code_keep(struct arena *arena, struct str pattern)
{
    pcre2_code *code = code_compile(pattern, NULL);
    const pcre2_code *codes[] = {code};
    struct str kept = {NULL, 0};
    uint8_t *bytes = NULL;
    size_t count = 0;
    if (code && pcre2_serialize_encode(codes, 1, &bytes, &count, NULL) == 1) {
        kept = arena_dup(arena, (struct str){(const char *)bytes, count});
    }
    pcre2_serialize_free(bytes);
    pcre2_code_free(code);
    return kept;
}

pcre2_code *code_restore(const unsigned char *bytes)
{
    pcre2_code *code = NULL;
    return pcre2_serialize_decode(&code, 1, bytes, NULL) == 1 ? code : NULL;
}

static struct str error_text(struct arena *arena, const struct code_error *error)
{
    PCRE2_UCHAR text[160];
    if (error->is_too_big) {
        return STR("it is too big when compiled; split it, or repeat less");
    }
    if (pcre2_get_error_message(error->number, text, sizeof text) < 0) {
        text[0] = '\0';
    }
    return arena_printf(arena, "%s at offset %zu", (const char *)text, error->at);
}

void code_check_patterns(const struct rules *rules, bool of_users, struct arena *arena,
                         struct problems *problems)
{
    size_t told = 0, built = of_users ? rules_built_count(rules) : 0;
    for (size_t i = 0; i < rules_count(rules) - built; i++) {
        const struct rule *rule = rules_at(rules, i);
        for (size_t k = 0; k < rule->condition_count && rule->is_users == of_users; k++) {
            struct code_error error;
            pcre2_code *code = code_compile(rule->conditions[k].pattern, &error);
            if (code || told++ >= BROKEN_PATTERNS_MAX) {
                pcre2_code_free(code);
                continue;
            }
            struct str message =
                arena_printf(arena, "rule \"%.*s\": the pattern is no regular expression: %.*s",
                             STR_ARG(rule->id), STR_ARG(error_text(arena, &error)));
            problems_add(arena, problems,
                         rules_pattern_problem(arena, &rule->conditions[k],
                                               error.is_too_big ? 0 : error.at, message));
        }
    }
}
