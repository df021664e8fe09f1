/* Whom an entry of a log is about. Takes its bytes, looks for words of LLM APIs, for those of other
 * systems (log_about.def) and for the request that it names; judges nothing. */
#include "input/log_about.h"

#include <pthread.h>
#include <string.h>

#define SEARCH_BYTES_MAX ((size_t)16 * 1024)
#define LEAD_BYTES_MAX 16 /* between a request's lead and its address: blanks, quotes, signs */

#define BUCKETS 256 /* of rows by their first two letters; a power of two */

enum kind { KIND_LLM, KIND_SHARED, KIND_OTHER, KIND_TAG, KIND_LEAD, KIND_CALL, KIND_COUNT };

static const struct {
    enum kind kind;
    struct str word;
} rows[] = {
#define LLM(word) {KIND_LLM, STR_INIT(word)},
#define SHARED(word) {KIND_SHARED, STR_INIT(word)},
#define OTHER(word) {KIND_OTHER, STR_INIT(word)},
#define TAG(word) {KIND_TAG, STR_INIT(word)},
#define LEAD(word) {KIND_LEAD, STR_INIT(word)},
#define CALL(word) {KIND_CALL, STR_INIT(word)},
#include "input/log_about.def"
#undef LLM
#undef SHARED
#undef OTHER
#undef TAG
#undef LEAD
#undef CALL
};

#define ROWS (sizeof rows / sizeof rows[0])

/* Chains of rows whose first two letters share a bucket; 0 ends one, so rows count from 1. */
static unsigned short heads[BUCKETS], nexts[ROWS + 1];

static size_t bucket_of(char first, char second)
{
    return ((unsigned char)first * 7U + (unsigned char)second) % BUCKETS;
}

static void chain_rows(void)
{
    for (size_t i = ROWS; i > 0; i--) {
        size_t bucket = bucket_of(rows[i - 1].word.ptr[0], rows[i - 1].word.ptr[1]);
        nexts[i] = heads[bucket];
        heads[bucket] = (unsigned short)i;
    }
}

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_letter(char c)
{
    return is_small(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Words are parted by signs and by humps: "createChatCompletions" has three. */
static bool is_edge(struct str text, size_t at)
{
    bool is_hump = at > 0 && at < text.len && is_small(text.ptr[at - 1]) && text.ptr[at] >= 'A' &&
                   text.ptr[at] <= 'Z';
    return at == 0 || at >= text.len || is_hump ||
           is_letter(text.ptr[at - 1]) != is_letter(text.ptr[at]);
}

/* The next word from text[at] on; text.len when there is none. */
static size_t word_from(struct str text, size_t at)
{
    while (at < text.len && !(is_letter(text.ptr[at]) && is_edge(text, at))) {
        at++;
    }
    return at;
}

/* The length of the row that stands at text[at], 0 where it does not. */
static size_t row_length(struct str text, size_t at, struct str row)
{
    size_t i = 0;
    while (i < row.len && at + i < text.len &&
           (row.ptr[i] == str_lower(text.ptr[at + i]) ||
            (row.ptr[i] == ' ' && !is_letter(text.ptr[at + i])))) {
        i++;
    }
    bool is_open = i + 1 == row.len && row.ptr[i] == '*';
    while (is_open && at + i < text.len && is_letter(text.ptr[at + i])) {
        i++;
    }
    return is_open || (i == row.len && is_edge(text, at + i)) ? i : 0;
}

/* Lengths of the rows that stand at text[at], the first of each kind, 0 where there is none. */
struct hits {
    size_t lengths[KIND_COUNT];
};

static bool find_rows(struct str text, size_t at, struct hits *hits)
{
    bool has_row = false;
    if (at + 1 >= text.len) {
        return false;
    }
    size_t i = heads[bucket_of(str_lower(text.ptr[at]), str_lower(text.ptr[at + 1]))];
    for (; i; i = nexts[i]) {
        size_t length = row_length(text, at, rows[i - 1].word);
        if (length && !has_row) {
            *hits = (struct hits){{0}};
            has_row = true;
        }
        if (length && !hits->lengths[rows[i - 1].kind]) {
            hits->lengths[rows[i - 1].kind] = length;
        }
    }
    return has_row;
}

/* Chinese has no signs between words. */
static bool has_chinese(struct str text)
{
    static const struct str words[] = {STR_INIT("模型"), STR_INIT("令牌"), STR_INIT("渠道"),
                                       STR_INIT("额度"), STR_INIT("余额"), STR_INIT("推理"),
                                       STR_INIT("对话"), STR_INIT("密钥")};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (str_find(text, words[i]) >= 0) {
            return true;
        }
    }
    return false;
}

/* Adds the kinds that stand at text[at]; a tag is one of another system where a sign follows. */
static void add_kinds(struct str text, size_t at, const struct hits *hits, bool *kinds)
{
    for (size_t kind = 0; kind < KIND_COUNT; kind++) {
        size_t end = at + hits->lengths[kind];
        bool is_signed = end < text.len && strchr(":[(/", text.ptr[end]);
        if (end > at && (kind != KIND_TAG || is_signed)) {
            kinds[kind] = true;
        }
    }
}

/* The part of an address that names what is asked for, without the query; that of the root of a
 * host, and of a version of an API, tells nothing. */
static struct str path_of(struct str address)
{
    ptrdiff_t scheme = str_find(address, STR("://"));
    struct str rest = str_slice(address, scheme < 0 ? 0 : (size_t)scheme + 3, address.len);
    struct str path = str_slice(rest, str_next_char(rest, 0, '/'), rest.len);
    return str_slice(path, 0, str_next_char(path, 0, '?'));
}

static bool is_bare(struct str path)
{
    return path.len < 2 || str_eq(path, STR("/v1")) || str_eq(path, STR("/v1/"));
}

/* A request that an entry names. */
struct request {
    struct str address; /* unset where it names none */
    bool is_served;     /* a status stands behind it, as in an access log: /a HTTP/1.1" 404 */
};

static bool has_status(struct str behind)
{
    struct str status = str_slice(behind, sizeof " HTTP/1.1\" " - 1, behind.len);
    return str_starts(behind, STR(" HTTP/")) && status.len && status.ptr[0] >= '1' &&
           status.ptr[0] <= '5';
}

/* Behind a method or the name of a value that holds an address: GET /a, "url":"https://b/a". */
static struct request request_at(struct str text, size_t at, const struct hits *hits)
{
    size_t lead = hits->lengths[KIND_LEAD], end = at + (lead ? lead : hits->lengths[KIND_CALL]);
    size_t from = end;
    bool is_whole = at == 0 || (text.ptr[at - 1] != '_' && text.ptr[at - 1] != '-');
    while (end > at && from < text.len && from < end + LEAD_BYTES_MAX && text.ptr[from] &&
           strchr(" \"'`:=|\\", text.ptr[from])) {
        from++;
    }
    struct str address = str_slice(text, from, text.len);
    bool is_path = str_starts(address, STR("/"));
    if (!is_whole || from == end ||
        !(is_path || str_istarts(address, STR("http:/")) || str_istarts(address, STR("https:/")))) {
        return (struct request){.is_served = false};
    }
    size_t length = 0;
    while (length < address.len && !str_is_blank(address.ptr[length]) &&
           !strchr("\"'`<>,)", address.ptr[length])) {
        length++;
    }
    bool is_served = has_status(str_slice(address, length, address.len));
    address = str_slice(address, 0, length);
    bool is_told = is_served || (lead && is_path) || !is_bare(path_of(address));
    return (struct request){is_told ? address : (struct str){NULL, 0}, is_served};
}

/* What the words of a text tell: the kinds of rows, and the first request that tells something. */
struct words {
    bool kinds[KIND_COUNT];
    struct request request;
};

static struct words read_words(struct str text)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct words words = {.request = {.is_served = false}};
    struct hits hits;
    (void)pthread_once(&once, chain_rows);
    for (size_t at = word_from(text, 0); at < text.len; at = word_from(text, at + 1)) {
        if (find_rows(text, at, &hits)) {
            add_kinds(text, at, &hits, words.kinds);
            if (!str_is_set(words.request.address)) {
                words.request = request_at(text, at, &hits);
            }
        }
    }
    return words;
}

struct str log_about(struct str entry)
{
    static const struct str llm = STR_INIT("llm api"), other = STR_INIT("other system");
    struct str text = str_slice(entry, 0, SEARCH_BYTES_MAX);
    if (str_ifind(text, STR("<html")) >= 0) { /* whose page it is, its words say */
        return (struct str){NULL, 0};
    }
    struct words words = read_words(text);
    struct request request = words.request;
    struct str named = request.is_served ? path_of(request.address) : text;
    if (request.is_served) {
        words = read_words(named);
    }
    if (words.kinds[KIND_LLM] || has_chinese(named)) {
        return llm;
    }
    if (words.kinds[KIND_TAG] || words.kinds[KIND_OTHER]) {
        return other;
    }
    if (words.kinds[KIND_SHARED]) {
        return llm;
    }
    return str_is_set(request.address) ? other : (struct str){NULL, 0};
}
