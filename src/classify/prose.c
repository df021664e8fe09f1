/* Machine facts that prose spells out. Takes cleaned text, adds codes and reasons where a
 * word before the token says what it is. */
#include "classify/lift.h"
#include "core/transport_name.h"

/* The token at text[at]: letters, digits, _ . - , not ending in a dot. */
static struct str token_at(struct str text, size_t at)
{
    size_t end = at;
    while (end < text.len &&
           (str_is_word(text.ptr[end]) || text.ptr[end] == '.' || text.ptr[end] == '-')) {
        end++;
    }
    while (end > at && (text.ptr[end - 1] == '.' || text.ptr[end - 1] == '-')) {
        end--;
    }
    return str_slice(text, at, end);
}

/* Plain words behind a lead ("reason: the server ...") are prose, so a token needs a sign of a
 * machine in it. */
static bool is_machine_token(struct str token)
{
    bool has_sign = false;
    for (size_t i = 0; i < token.len; i++) {
        char c = token.ptr[i];
        has_sign = has_sign || c == '_' || str_is_digit(c) || (i > 0 && str_is_upper(c));
    }
    return token.len >= 3 && token.len <= 80 && has_sign;
}

/* The token that stands behind text[at] as the value of a word: behind ":" or "=", quoted or not;
 * or behind a mere blank when it is spelled as only machines do, "code account_deactivated". */
static struct str value_behind(struct str text, size_t at)
{
    while (at < text.len && str_is_of(text.ptr[at], "\"'")) {
        at++;
    }
    bool has_sign = at < text.len && (text.ptr[at] == ':' || text.ptr[at] == '=');
    if (at >= text.len || (!has_sign && text.ptr[at] != ' ')) {
        return (struct str){NULL, 0};
    }
    at++;
    while (has_sign && at < text.len && str_is_of(text.ptr[at], " \"'`")) {
        at++;
    }
    struct str token = token_at(text, at);
    return has_sign || str_find_char(token, '_') > 0 ? token : (struct str){NULL, 0};
}

static bool is_http_number(struct str token)
{
    int64_t number;
    return token.len == 3 && str_to_i64(token, &number) && number >= 100 && number < 600;
}

/* Adds the tokens behind one lead to a field: "auth error code: token_expired". */
static void lift_tokens_of(struct lift *lift, const struct bigrams *bigrams, struct str text,
                           struct str word, enum field field)
{
    for (size_t from = 0; from < text.len;) {
        ptrdiff_t hit = bigrams_ifind(bigrams, str_slice(text, from, text.len), word);
        if (hit < 0) {
            return;
        }
        size_t begin = from + (size_t)hit;
        bool is_whole = begin == 0 || !str_is_word(text.ptr[begin - 1]);
        /* A member of a table was read where the table was, if the table is an error. */
        bool is_member = field == FIELD_ERROR_REASON && begin > 0 && text.ptr[begin - 1] == '"' &&
                         (begin == 1 || text.ptr[begin - 2] != '\\');
        from = begin + word.len;
        struct str token = value_behind(text, from);
        if (is_whole && !is_member && is_machine_token(token) && !is_http_number(token)) {
            lift_add(lift, field, token);
        }
    }
}

static void lift_tokens(struct lift *lift, const struct bigrams *bigrams, struct str text)
{
    static const struct {
        struct str word;
        enum field field;
    } leads[] = {
        {STR_INIT("code"), FIELD_ERROR_CODE},        {STR_INIT("error_code"), FIELD_ERROR_CODE},
        {STR_INIT("reason"), FIELD_ERROR_REASON},    {STR_INIT("错误码"), FIELD_ERROR_CODE},
        {STR_INIT("status_code"), FIELD_ERROR_CODE}, {STR_INIT("error type"), FIELD_ERROR_TYPE}};
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        lift_tokens_of(lift, bigrams, text, leads[i].word, leads[i].field);
    }
}

void lift_message(struct lift *lift, struct str message)
{
    struct bigrams bigrams;
    struct str token = token_at(message, 0);
    if (token.len == message.len && str_find_char(token, '_') > 0) {
        lift_add(lift, FIELD_ERROR_CODE, token);
    }
    bigrams_read(&bigrams, message);
    lift_tokens(lift, &bigrams, message);
}

/* botocore: "An error occurred (ThrottlingException) when calling ...". */
static void lift_aws(struct lift *lift, const struct bigrams *bigrams, struct str text)
{
    ptrdiff_t when = bigrams_find(bigrams, text, STR("Exception) when calling"));
    if (when < 0) {
        return;
    }
    size_t begin = (size_t)when;
    while (begin > 0 && str_is_word(text.ptr[begin - 1])) {
        begin--;
    }
    struct str name = str_slice(text, begin, (size_t)when + 9);
    lift_add(lift, FIELD_ERROR_CODE, name);
    lift_add(lift, FIELD_ERROR_REASON, name);
}

/* The code of curl that stands behind the sign in a text. */
static void lift_curl_behind(struct lift *lift, struct str behind)
{
    size_t digits = 0;
    int64_t code;
    while (digits < behind.len && str_is_digit(behind.ptr[digits])) {
        digits++;
    }
    if (str_to_i64(str_slice(behind, 0, digits), &code) && code > 0 && code < 200) {
        lift_add(lift, FIELD_CURL_CODE, curl_code_name((int)code));
    }
}

/* curl prints its code in front of its words: "curl: (28) ...". What runs it tells how it ended:
 * "curl command failed with exit code 7". */
static void lift_curl(struct lift *lift, const struct bigrams *bigrams, struct str text)
{
    static const struct str signs[] = {
        STR_INIT("curl: ("),
        STR_INIT("curl command failed with exit code "),
        STR_INIT("curl failed with exit code "),
        STR_INIT("curl exited with code "),
        STR_INIT("curl exit code: "),
    };
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        ptrdiff_t at = bigrams_find(bigrams, text, signs[i]);
        if (at >= 0) {
            lift_curl_behind(lift, str_slice(text, (size_t)at + signs[i].len, text.len));
            return;
        }
    }
}

void lift_prose(struct lift *lift, const struct bigrams *bigrams, struct str text)
{
    lift_statuses(lift, text);
    lift_tokens(lift, bigrams, text);
    lift_aws(lift, bigrams, text);
    lift_curl(lift, bigrams, text);
}
