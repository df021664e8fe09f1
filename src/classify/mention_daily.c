/* Lines in which the words of failures tell of none: of daily life, of lists that say that all is
 * well, of lists of names, what is asked, would be done or is over. Takes a line, says whether it
 * is one. */
#include "classify/mention.h"

#include <string.h>

#define NAMES_MIN 3

/* Whether one of the words, or its plural, stands alone in the line, whatever the case. */
static bool has_noun(const struct bigrams *bigrams, struct str line, const struct str *words,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t from = 0; from < line.len && bigrams_may_hold(bigrams, words[i]);) {
            ptrdiff_t hit = str_ifind(str_slice(line, from, line.len), words[i]);
            if (hit < 0) {
                break;
            }
            size_t at = from + (size_t)hit, end = at + words[i].len;
            end += end < line.len && line.ptr[end] == 's';
            if ((at == 0 || !str_is_letter(line.ptr[at - 1])) &&
                (end == line.len || !str_is_letter(line.ptr[end]))) {
                return true;
            }
            from = end;
        }
    }
    return false;
}
#define HAS_NOUN(bigrams, line, table)                                                             \
    has_noun((bigrams), (line), (table), sizeof(table) / sizeof(table)[0])

/* A number that may be the status of a failure. */
static bool has_status(struct str line)
{
    for (size_t at = 0, end; at < line.len; at = end + 1) {
        for (end = at; end < line.len && str_is_digit(line.ptr[end]); end++) {
        }
        if (end - at == 3 && (line.ptr[at] == '4' || line.ptr[at] == '5')) {
            return true;
        }
    }
    return false;
}

/* "The venue is at capacity, please try again next week": places, transport and money of people,
 * and no word of computers. */
static bool is_life(const struct bigrams *bigrams, struct str line)
{
    static const struct str life[] = {
        STR_INIT("venue"),       STR_INIT("concert"),  STR_INIT("stadium"),
        STR_INIT("restaurant"),  STR_INIT("gym"),      STR_INIT("hotel"),
        STR_INIT("museum"),      STR_INIT("theatre"),  STR_INIT("theater"),
        STR_INIT("cinema"),      STR_INIT("hospital"), STR_INIT("clinic"),
        STR_INIT("school"),      STR_INIT("shelter"),  STR_INIT("train"),
        STR_INIT("flight"),      STR_INIT("airport"),  STR_INIT("ferry"),
        STR_INIT("tourist"),     STR_INIT("parking"),  STR_INIT("car park"),
        STR_INIT("bank"),        STR_INIT("passport"), STR_INIT("landlord"),
        STR_INIT("supermarket"), STR_INIT("kitchen"),  STR_INIT("elevator"),
        STR_INIT("bakery"),      STR_INIT("seat"),     STR_INIT("ticket office")};
    static const struct str machines[] = {
        STR_INIT("api"),       STR_INIT("model"),    STR_INIT("llm"),        STR_INIT("token"),
        STR_INIT("http"),      STR_INIT("https"),    STR_INIT("request"),    STR_INIT("prompt"),
        STR_INIT("client"),    STR_INIT("server"),   STR_INIT("error"),      STR_INIT("status"),
        STR_INIT("agent"),     STR_INIT("chat"),     STR_INIT("log"),        STR_INIT("retry"),
        STR_INIT("endpoint"),  STR_INIT("provider"), STR_INIT("deployment"), STR_INIT("codex"),
        STR_INIT("claude"),    STR_INIT("gpt"),      STR_INIT("gemini"),     STR_INIT("key"),
        STR_INIT("exception"), STR_INIT("training"), STR_INIT("seats limit")};
    return !has_status(line) && str_find_char(line, '{') < 0 && HAS_NOUN(bigrams, line, life) &&
           !HAS_NOUN(bigrams, line, machines);
}

/* "Rate limited: no", "Errors: none": a name, and that it does not hold. */
static bool is_denial(struct str line)
{
    static const struct str values[] = {STR_INIT("no"),    STR_INIT("none"), STR_INIT("never"),
                                        STR_INIT("false"), STR_INIT("0"),    STR_INIT("n/a"),
                                        STR_INIT("否"),    STR_INIT("无")};
    ptrdiff_t colon = str_find(line, STR(": "));
    struct str value = str_trim(str_slice(line, (size_t)(colon < 0 ? 0 : colon + 1), line.len));
    return colon > 0 && IS_ONE_OF(value, values);
}

/* "allowed_fails: 3", "num_retries = 3 # on RateLimitError": how many may fail, not how many did.
 */
static bool is_number_set(struct str line)
{
    static const struct str counts[] = {STR_INIT("err"), STR_INIT("fail"), STR_INIT("status"),
                                        STR_INIT("exit")};
    size_t at = 0, digits = 0;
    while (at < line.len && (str_is_letter(line.ptr[at]) || line.ptr[at] == '_')) {
        at++;
    }
    struct str key = str_slice(line, 0, at);
    while (at < line.len && str_is_of(line.ptr[at], " :=")) {
        at++;
    }
    while (at + digits < line.len && str_is_digit(line.ptr[at + digits])) {
        digits++;
    }
    struct str behind = str_trim(str_slice(line, at + digits, line.len));
    return str_find_char(key, '_') > 0 && !ISTARTS_ANY(key, counts) && at > key.len && digits > 0 &&
           (behind.len == 0 || behind.ptr[0] == '#');
}

/* "RateLimitError,APIConnectionError,AuthenticationError", "Model | Requests | Errors": a list of
 * names, the head of a table. */
static bool is_name_list(struct str line)
{
    char sign = str_find_char(line, ',') > 0 ? ',' : '|';
    struct str rest = line, name;
    size_t names = 0;
    while (str_split(&rest, sign, &name)) {
        name = sign == '|' ? str_trim(name) : name;
        for (size_t i = 0; i < name.len; i++) {
            if (!str_is_letter(name.ptr[i]) && name.ptr[i] != '_') {
                return false;
            }
        }
        names += name.len > 1;
    }
    return names >= NAMES_MIN;
}

/* A number at the front or the end of a part, and the words beside it. */
static bool split_count(struct str part, struct str *number, struct str *words)
{
    size_t front = 0, back = part.len;
    while (front < part.len && str_is_digit(part.ptr[front])) {
        front++;
    }
    while (back > 0 && str_is_digit(part.ptr[back - 1])) {
        back--;
    }
    bool is_at_front = front > 0;
    *number = is_at_front ? str_slice(part, 0, front) : str_slice(part, back, part.len);
    *words = str_trim(is_at_front ? str_slice(part, front, part.len) : str_slice(part, 0, back));
    return number->len > 0 && words->len > 0 &&
           (is_at_front ? part.ptr[front] == ' ' : part.ptr[back - 1] == ' ');
}

/* "pool: 4 healthy, 0 rate limited, 0 exhausted": counts of states, those of all failures zero. */
static bool is_zero_counts(struct str line)
{
    static const struct str good[] = {
        STR_INIT("ok"),      STR_INIT("healthy"),   STR_INIT("active"),  STR_INIT("available"),
        STR_INIT("ready"),   STR_INIT("up"),        STR_INIT("idle"),    STR_INIT("running"),
        STR_INIT("online"),  STR_INIT("succeeded"), STR_INIT("success"), STR_INIT("total"),
        STR_INIT("enabled"), STR_INIT("可用"),      STR_INIT("正常"),    STR_INIT("健康"),
        STR_INIT("成功"),    STR_INIT("总计")};
    ptrdiff_t colon = str_find(line, STR(": "));
    struct str rest = str_slice(line, (size_t)(colon < 0 ? 0 : colon + 2), line.len), part;
    size_t zeros = 0, parts = 0;
    while (str_split(&rest, ',', &part)) {
        struct str number, words;
        bool is_count = split_count(str_trim(part), &number, &words);
        bool is_zero = is_count && str_eq(number, STR("0"));
        if (!is_zero && !(is_count && IS_ONE_OF(words, good))) {
            return false;
        }
        zeros += is_zero;
        parts++;
    }
    return zeros > 0 && parts > 1;
}

/* "› explain \"stream disconnected\"": what somebody asks an agent. "❯ " is the prompt of shells,
 * too, behind which only a question is one. */
static bool is_asked(struct str line)
{
    static const struct str ends[] = {STR_INIT("?"), STR_INIT("？")};
    return str_starts(line, STR("› ")) || (str_starts(line, STR("❯ ")) && ENDS_ANY(line, ends));
}

/* "Are you sure you want to delete this key? ...": a dialog asks before it does what it names. */
static bool is_confirmed(struct str line)
{
    static const struct str starts[] = {STR_INIT("are you sure"),
                                        STR_INIT("do you really want"),
                                        STR_INIT("do you want to "),
                                        STR_INIT("möchten sie "),
                                        STR_INIT("möchtest du "),
                                        STR_INIT("sind sie sicher"),
                                        STR_INIT("bist du sicher"),
                                        STR_INIT("êtes-vous sûr"),
                                        STR_INIT("voulez-vous "),
                                        STR_INIT("¿está seguro"),
                                        STR_INIT("¿estás seguro"),
                                        STR_INIT("¿seguro que"),
                                        STR_INIT("¿desea "),
                                        STR_INIT("tem certeza"),
                                        STR_INIT("sei sicuro"),
                                        STR_INIT("вы уверены"),
                                        STR_INIT("Вы уверены"),
                                        STR_INIT("Вы действительно"),
                                        STR_INIT("确定"),
                                        STR_INIT("確定"),
                                        STR_INIT("您确定"),
                                        STR_INIT("您確定"),
                                        STR_INIT("是否"),
                                        STR_INIT("本当に"),
                                        STR_INIT("정말")};
    static const struct str signs[] = {STR_INIT("?"), STR_INIT("？"), STR_INIT("吗")};
    bool is_question = false;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        is_question = is_question || str_find(line, signs[i]) > 0;
    }
    return is_question && ISTARTS_ANY(line, starts) && !has_status(line);
}

/* "rateLimitMessage": "You are sending too fast.", of an app's table of words: whose name says what
 * it is for. Members of an error are named "message", "errorMessage", "status_msg". */
static bool is_table_entry(struct str line)
{
    static const struct str errors[] = {
        STR_INIT("err"),  STR_INIT("status"), STR_INIT("response"), STR_INIT("result"),
        STR_INIT("fail"), STR_INIT("except"), STR_INIT("base"),     STR_INIT("ret"),
        STR_INIT("raw"),  STR_INIT("orig"),   STR_INIT("upstream"), STR_INIT("api"),
        STR_INIT("msg"),  STR_INIT("mess"),   STR_INIT("detail"),   STR_INIT("debug"),
        STR_INIT("user"), STR_INIT("dev"),    STR_INIT("display"),  STR_INIT("inner"),
        STR_INIT("last"), STR_INIT("finish"), STR_INIT("stop"),     STR_INIT("friendly"),
        STR_INIT("cause")};
    ptrdiff_t close = str_find(line, STR("\": \""));
    struct str key = str_slice(line, 1, (size_t)(close < 1 ? 1 : close));
    size_t joints = 0;
    for (size_t i = 0; i < key.len; i++) {
        if (!str_is_word(key.ptr[i]) && key.ptr[i] != '.') {
            return false;
        }
        joints += i > 0 && (str_is_of(key.ptr[i], "._") || str_is_upper(key.ptr[i]));
    }
    bool is_prose = str_find_char(str_slice(line, key.len + 6, line.len), ' ') > 0;
    return is_prose && str_starts(line, STR("\"")) && str_ends(line, STR("\",")) && joints > 0 &&
           !ISTARTS_ANY(key, errors);
}

/* "Show options when rate limit is reached", "--fallback <model>  Switch when the default model is
 * overloaded", "限流时自动重试": what a setting or an option does, should it come to that. */
static bool is_setting_told(struct str line)
{
    static const struct str verbs[] = {
        STR_INIT("Show "),          STR_INIT("Hide "),   STR_INIT("Enable "),
        STR_INIT("Disable "),       STR_INIT("Notify "), STR_INIT("Warn "),
        STR_INIT("Switch "),        STR_INIT("Pause "),  STR_INIT("Fall back "),
        STR_INIT("Automatically "), STR_INIT("Play "),   STR_INIT("Retry automatically "),
        STR_INIT("Skip "),          STR_INIT("Ask "),    STR_INIT("Continue automatically ")};
    struct str words = str_trim(line);
    ptrdiff_t column = str_starts(words, STR("-")) ? str_find(words, STR("  ")) : 0;
    words = str_trim(str_slice(words, (size_t)(column < 0 ? 0 : column), words.len));
    bool is_plain = !has_status(words) && str_find_char(words, ':') < 0;
    bool is_chinese = str_find(words, STR("时自动")) > 0 && str_find(words, STR("失败")) < 0;
    return is_plain &&
           (is_chinese || (STARTS_ANY(words, verbs) && str_find(words, STR(" when ")) > 0));
}

/* "Fast mode cooldown expired, re-enabling fast mode": what was wrong is over. */
static bool is_over(const struct bigrams *bigrams, struct str line)
{
    static const struct str waits[] = {STR_INIT("cooldown expired"), STR_INIT("cooldown is over"),
                                       STR_INIT("backoff expired")};
    static const struct str news[] = {STR_INIT(" re-enabl"), STR_INIT(" reenabl"),
                                      STR_INIT(" available again")};
    return HAS_ANY(bigrams, line, waits) && HAS_ANY(bigrams, line, news) && !has_status(line);
}

bool mention_is_daily(const struct bigrams *bigrams, struct str line)
{
    return is_life(bigrams, line) || is_denial(line) || is_number_set(line) || is_name_list(line) ||
           is_zero_counts(line) || is_asked(line) || is_confirmed(line) || is_table_entry(line) ||
           is_setting_told(line) || is_over(bigrams, line);
}
