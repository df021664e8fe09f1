/* Places inside patterns. Takes a condition and an offset into its pattern, gives the line and
 * column of the rule file: escapes and line ends of the TOML string are counted as written. */
#include "rules/rules.h"
#include "syntax/toml.h"

struct problem rules_pattern_problem(struct arena *arena, const struct condition *condition,
                                     size_t offset, struct str message)
{
    struct pos start = {condition->origin.line, condition->origin.column};
    struct pos pos = toml_string_pos(condition->file_text, start, offset);
    struct problem problem = {
        .code = STR("bad_value"), .origin = condition->origin, .message = message};
    problem.origin.line = pos.line;
    problem.origin.column = pos.column;
    problem.line_text = pos_line_text(arena, condition->file_text, pos, &problem.line_text_column);
    return problem;
}
