/* Names of levels. Takes what stands at the front of a line, gives the level that it begins with.
 */
#include "input/log_level.h"

const struct log_level *log_level_at(struct str rest, bool may_be_lower)
{
    static const struct log_level levels[] = {
        {STR_INIT("TRACE"), true, false},       {STR_INIT("DEBUG"), true, false},
        {STR_INIT("INFORMATION"), true, false}, {STR_INIT("INFO"), true, false},
        {STR_INIT("NOTICE"), true, false},      {STR_INIT("VERBOSE"), true, false},
        {STR_INIT("INF"), true, false},         {STR_INIT("DBG"), true, false},
        {STR_INIT("信息"), true, false},        {STR_INIT("调试"), true, false},
        {STR_INIT("WARN"), false, true},        {STR_INIT("WARNING"), false, true},
        {STR_INIT("ERROR"), false, false},      {STR_INIT("ERR"), false, false},
        {STR_INIT("CRITICAL"), false, false},   {STR_INIT("CRIT"), false, false},
        {STR_INIT("FATAL"), false, false},      {STR_INIT("PANIC"), false, false},
        {STR_INIT("ALERT"), false, false},      {STR_INIT("EMERG"), false, false},
        {STR_INIT("SEVERE"), false, false},     {STR_INIT("WRN"), false, true},
        {STR_INIT("错误"), false, false},       {STR_INIT("警告"), false, true},
        {STR_INIT("严重"), false, false},       {STR_INIT("ERRO"), false, false},
        {STR_INIT("FATA"), false, false},       {STR_INIT("DEBU"), true, false},
    };
    /* Most words begin with no letter that a level does. */
    char first = rest.len ? rest.ptr[0] : '\0';
    char upper = may_be_lower && str_is_lower(first) ? (char)(first - 0x20) : first;
    if (!str_is_of(upper, "TDINVWECFPAS\xE4\xE8\xE9")) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        struct str name = levels[i].name;
        if (name.ptr[0] != upper) {
            continue;
        }
        char next = rest.len > name.len ? rest.ptr[name.len] : ' ';
        bool is_here =
            str_starts(rest, name) || (may_be_lower && str_istarts(rest, name) && next != ':');
        bool is_logrus = next == '[' && name.len == 4 && rest.len > name.len + 1 &&
                         str_is_digit(rest.ptr[name.len + 1]); /* "ERRO[0012] " */
        if (is_here && (is_logrus || str_is_of(next, " \t]:|)\"\x1b,/"))) {
            return &levels[i];
        }
    }
    return NULL;
}

const struct log_level *log_level_of_category(struct str line)
{
    static const struct log_level levels[] = {
        {STR_INIT("trce: "), true, false},  {STR_INIT("dbug: "), true, false},
        {STR_INIT("info: "), true, false},  {STR_INIT("warn: "), false, true},
        {STR_INIT("fail: "), false, false}, {STR_INIT("crit: "), false, false},
    };
    struct str inner = str_trim(line);
    ptrdiff_t open = str_ends(inner, STR("]")) ? str_find_char(inner, '[') : -1;
    int64_t number;
    if (open < 0 || !str_to_i64(str_slice(inner, (size_t)open + 1, inner.len - 1), &number)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (str_starts(inner, levels[i].name) &&
            str_find_char(str_slice(inner, levels[i].name.len, inner.len), ' ') < 0) {
            return &levels[i];
        }
    }
    return NULL;
}
