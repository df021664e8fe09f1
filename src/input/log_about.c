/* Whom an entry of a log, or another text, is about. Takes its bytes, looks for words of LLM APIs,
 * for those of other systems (log_about.def) and, in a log, for the request that it names; judges
 * nothing. */
#include "input/log_about.h"

#include "base/fastest.h"
#include "input/log_carrier.h"
#include "input/log_upstream.h"

#include <string.h>

#define SEARCH_BYTES_MAX ((size_t)16 * 1024)
#define LEAD_SIGNS " \"'`:=|\\" /* between a request's lead and its address */
#define LEAD_BYTES_MAX 16       /* so many of them */
#define BUCKETS ((size_t)1024)  /* by the low five bits of two bytes */

enum kind {
    KIND_LLM,
    KIND_SHARED,
    KIND_OTHER,
    KIND_TAG,
    KIND_LEAD,
    KIND_CALL,
    KIND_PLACE,
    KIND_COUNT
};

static const struct row {
    enum kind kind;
    struct str word;
} rows[] = {
#define LLM(word) {KIND_LLM, STR_INIT(word)},
#define SHARED(word) {KIND_SHARED, STR_INIT(word)},
#define OTHER(word) {KIND_OTHER, STR_INIT(word)},
#define TAG(word) {KIND_TAG, STR_INIT(word)},
#define LEAD(word) {KIND_LEAD, STR_INIT(word)},
#define CALL(word) {KIND_CALL, STR_INIT(word)},
#define PLACE(word) {KIND_PLACE, STR_INIT(word)},
#include "input/log_about.def"
#undef LLM
#undef SHARED
#undef OTHER
#undef TAG
#undef LEAD
#undef CALL
#undef PLACE
};

#define ROWS (sizeof rows / sizeof rows[0])

/* What a byte is in a word; SIGN_OTHER, 0, where it is in none. */
enum sign { SIGN_OTHER, SIGN_DIGIT, SIGN_LOWER, SIGN_UPPER };

struct log_words {
    uint8_t signs[256];      /* by byte: an enum sign */
    uint16_t first[BUCKETS]; /* by the two bytes that rows begin with: 1 + row, 0 none */
    uint32_t third[BUCKETS]; /* low five bits of the bytes that follow these, a bit each */
    uint16_t chinese;        /* 1 + the first row that is */
    uint16_t next[ROWS + 1]; /* by 1 + row: the next one of its bucket, or of the Chinese ones */
};

/* Of the two bytes at text[at], whatever their case. */
static size_t bucket_at(struct str text, size_t at)
{
    unsigned char first = (unsigned char)text.ptr[at];
    unsigned char second = at + 1 < text.len ? (unsigned char)text.ptr[at + 1] : 0;
    return (first & 31U) << 5 | (second & 31U);
}

/* The bits of struct log_words.third that a row sets: all where any byte may follow. */
static uint32_t third_of(struct str word)
{
    bool is_any = word.len < 3 || str_is_of(word.ptr[2], " *");
    return is_any ? UINT32_MAX : UINT32_C(1) << ((unsigned char)word.ptr[2] & 31U);
}

const struct log_words *log_words_create(struct arena *arena)
{
    struct log_words *words = ARENA_NEW(arena, struct log_words);
    for (size_t i = ROWS; i > 0; i--) {
        struct str word = rows[i - 1].word;
        bool is_chinese = (unsigned char)word.ptr[0] >= 0x80;
        uint16_t *first = is_chinese ? &words->chinese : &words->first[bucket_at(word, 0)];
        words->next[i] = *first;
        *first = (uint16_t)i;
        words->third[bucket_at(word, 0)] |= is_chinese ? 0 : third_of(word);
    }
    for (size_t c = 0; c < sizeof words->signs; c++) {
        words->signs[c] = str_is_lower((char)c)   ? SIGN_LOWER
                          : str_is_upper((char)c) ? SIGN_UPPER
                          : str_is_digit((char)c) ? SIGN_DIGIT
                                                  : SIGN_OTHER;
    }
    return words;
}

/* Words are parted by signs and by humps: "createChatCompletions" has three. */
static bool is_edge(struct str text, size_t at)
{
    bool is_hump =
        at > 0 && at < text.len && str_is_lower(text.ptr[at - 1]) && str_is_upper(text.ptr[at]);
    return at == 0 || at >= text.len || is_hump ||
           str_is_alnum(text.ptr[at - 1]) != str_is_alnum(text.ptr[at]);
}

/* Whether a row may stand at text[at], by its first three bytes. */
static bool may_stand(const struct log_words *words, struct str text, size_t at)
{
    unsigned third = at + 2 < text.len ? (unsigned char)text.ptr[at + 2] & 31U : 0;
    return words->third[bucket_at(text, at)] >> third & 1U;
}

/* The next word from text[at] on that a row may stand at; text.len when there is none. */
static size_t word_from(const struct log_words *words, struct str text, size_t at)
{
    uint8_t before = at > 0 ? words->signs[(unsigned char)text.ptr[at - 1]] : SIGN_OTHER;
    for (; at < text.len; at++) {
        uint8_t sign = words->signs[(unsigned char)text.ptr[at]];
        bool is_hump = before == SIGN_LOWER && sign == SIGN_UPPER;
        if (sign && (!before || is_hump) && may_stand(words, text, at)) {
            break;
        }
        before = sign;
    }
    return at;
}

/* The length of the row that stands at text[at], 0 where it does not. */
static size_t row_length(struct str text, size_t at, struct str row)
{
    size_t i = 0;
    while (i < row.len && at + i < text.len &&
           (row.ptr[i] == str_lower(text.ptr[at + i]) ||
            (row.ptr[i] == ' ' && !str_is_alnum(text.ptr[at + i])))) {
        i++;
    }
    bool is_open = i + 1 == row.len && row.ptr[i] == '*';
    while (is_open && at + i < text.len && str_is_alnum(text.ptr[at + i])) {
        i++;
    }
    return is_open || (i == row.len && is_edge(text, at + i)) ? i : 0;
}

/* Of each kind the length of the first row that stands at text[at]. */
static void measure_rows(const struct log_words *words, struct str text, size_t at,
                         size_t lengths[KIND_COUNT])
{
    memset(lengths, 0, KIND_COUNT * sizeof *lengths);
    char third = at + 2 < text.len ? str_lower(text.ptr[at + 2]) : ' ';
    for (size_t i = words->first[bucket_at(text, at)]; i; i = words->next[i]) {
        const struct row *row = &rows[i - 1];
        bool may_stand = row->word.len < 3 || row->word.ptr[2] == third ||
                         row->word.ptr[2] == ' ' || row->word.ptr[2] == '*';
        if (may_stand && lengths[row->kind] == 0) {
            lengths[row->kind] = row_length(text, at, row->word);
        }
    }
}

FASTEST static bool is_ascii(struct str text)
{
    unsigned char all = 0;
    for (size_t i = 0; i < text.len; i++) {
        all |= (unsigned char)text.ptr[i];
    }
    return all < 0x80;
}

/* A request that an entry names. */
struct request {
    struct str address; /* unset where it names none */
    bool is_served;     /* a status stands behind it, as in an access log: /a HTTP/1.1" 404 */
    bool is_line;       /* it is that of a request's whole line: "GET /a HTTP/1.1" */
};

/* What the words of a text tell. */
struct telling {
    struct request request;           /* the first that tells something */
    bool is_llm, is_other, is_shared; /* has words of these kinds */
    bool is_answer;
};

/* Chinese has no signs between words: each is looked for in the whole. */
static struct telling read_chinese(const struct log_words *words, struct str text)
{
    bool has_kind[KIND_COUNT] = {false};
    for (size_t i = is_ascii(text) ? 0 : words->chinese; i; i = words->next[i]) {
        const struct row *row = &rows[i - 1];
        has_kind[row->kind] = has_kind[row->kind] || str_find(text, row->word) >= 0;
    }
    return (struct telling){.is_llm = has_kind[KIND_LLM],
                            .is_shared = has_kind[KIND_SHARED],
                            .is_other = has_kind[KIND_OTHER]};
}

/* The part of an address that names what is asked for, without the query, which may hold another
 * address. That of the root of a host, and of a version of an API, tells nothing. */
static struct str path_of(struct str address)
{
    ptrdiff_t scheme = str_starts(address, STR("/")) ? -1 : str_find(address, STR("://"));
    struct str rest = str_slice(address, scheme < 0 ? 0 : (size_t)scheme + 3, address.len);
    struct str path = str_slice(rest, str_next_char(rest, 0, '/'), rest.len);
    return str_slice(path, 0, str_next_char(path, 0, '?'));
}

static bool is_bare(struct str path)
{
    return path.len < 2 || str_eq(path, STR("/v1")) || str_eq(path, STR("/v1/")) ||
           str_eq(path, STR("/api")) || str_eq(path, STR("/api/"));
}

/* What browsers and those who scan for holes ask for, whatever the host. */
static bool is_page(struct str path)
{
    static const struct str begins[] = {
        STR_INIT("/."),      STR_INIT("/wp-"),       STR_INIT("/admin"),  STR_INIT("/login"),
        STR_INIT("/signin"), STR_INIT("/dashboard"), STR_INIT("/static"), STR_INIT("/assets")};
    static const struct str ends[] = {STR_INIT(".ico"), STR_INIT(".txt"),   STR_INIT(".php"),
                                      STR_INIT(".js"),  STR_INIT(".css"),   STR_INIT(".png"),
                                      STR_INIT(".svg"), STR_INIT(".xml"),   STR_INIT(".html"),
                                      STR_INIT(".map"), STR_INIT(".jpg"),   STR_INIT(".asp"),
                                      STR_INIT(".jsp"), STR_INIT(".woff2"), STR_INIT(".aspx")};
    return STARTS_ANY(path, begins) || ENDS_ANY(path, ends);
}

/* Whether the line of a request ends behind its address: /a HTTP/1.1" */
static bool is_request_line(struct str behind)
{
    size_t quote = str_next_char(behind, 0, '"');
    return str_starts(behind, STR(" HTTP/")) && quote < behind.len &&
           quote <= sizeof " HTTP/1.1\\" - 1;
}

static bool has_status(struct str behind)
{
    size_t quote = str_next_char(behind, 0, '"'); /* within a string of JSON, behind a backslash */
    struct str status = str_slice(behind, quote + 2, behind.len);
    return quote <= sizeof " HTTP/1.1\\" - 1 && str_starts(behind, STR(" HTTP/")) && status.len &&
           status.ptr[0] >= '1' && status.ptr[0] <= '5';
}

/* Where the address at text[from] ends. */
static size_t address_end(struct str text, size_t from)
{
    while (from < text.len && !str_is_blank(text.ptr[from]) &&
           !str_is_of(text.ptr[from], "\"'`<>,)")) {
        from++;
    }
    return from;
}

/* Whether a proxy was asked for a tunnel: CONNECT a.b:443 HTTP/1.1, the address at text[from]. */
static bool is_tunnel_at(struct str text, size_t at, size_t from)
{
    if (!str_starts(str_slice(text, at, text.len), STR("CONNECT "))) {
        return false; /* before the address is read, which may hold many leads */
    }
    size_t end = address_end(text, from);
    struct str address = str_slice(text, from, end);
    size_t colon = str_next_char(address, 0, ':');
    return colon + 1 < address.len && str_is_digit(address.ptr[colon + 1]) &&
           str_starts(str_slice(text, end, text.len), STR(" HTTP/"));
}

/* Behind the next member's name where a record's method ends at `end`: {"method": "GET", "path":
 * "/a"}. Else `end`. */
static size_t member_end(struct str text, size_t end)
{
    static const struct str names[] = {STR_INIT("\"path\""), STR_INIT("\"url\""),
                                       STR_INIT("\"uri\""), STR_INIT("\"route\"")};
    struct str rest = str_slice(text, end, text.len);
    size_t at = str_starts(rest, STR("\", ")) ? 3 : 2;
    if (!str_starts(rest, STR("\","))) {
        return end;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (str_starts(str_slice(rest, at, rest.len), names[i])) {
            return end + at + names[i].len;
        }
    }
    return end;
}

/* An address with the cause of a failure behind it, "Failed: http://b/a: refused", whose scheme
 * stands at text[at]. */
static struct request request_with_cause(struct str text, size_t at, size_t *end_before)
{
    *end_before = at < *end_before ? *end_before : address_end(text, at);
    struct str address = str_slice(text, at, *end_before);
    bool has_cause = str_ends(address, STR(":")) && *end_before + 1 < text.len;
    address = str_slice(address, 0, address.len - has_cause);
    bool is_told = has_cause && !is_bare(path_of(address));
    return (struct request){.address = is_told ? address : (struct str){NULL, 0}};
}

/* Behind a method or the name of a value that holds an address: GET /a, "url":"https://b/a". The
 * lengths are those of the rows at text[at]; *end_before is where the address before ended, and so
 * do those in it. */
static struct request request_at(struct str text, size_t at, const size_t lengths[KIND_COUNT],
                                 size_t *end_before)
{
    size_t lead = lengths[KIND_LEAD], end = at + (lead ? lead : lengths[KIND_CALL]), from = end;
    if (end == at) {
        return (struct request){.is_served = false};
    }
    if (str_starts(str_slice(text, end, text.len), STR("://"))) {
        return request_with_cause(text, at, end_before);
    }
    bool is_whole = at == 0 || (text.ptr[at - 1] != '_' && text.ptr[at - 1] != '-');
    from = end = member_end(text, end);
    while (from < text.len && from < end + LEAD_BYTES_MAX &&
           str_is_of(text.ptr[from], LEAD_SIGNS)) {
        from++;
    }
    struct str address = str_slice(text, from, text.len);
    bool is_path = str_starts(address, STR("/"));
    bool is_tunnel = is_tunnel_at(text, at, from);
    if (!is_whole || from == end ||
        !(is_path || is_tunnel || str_istarts(address, STR("http:/")) ||
          str_istarts(address, STR("https:/")))) {
        return (struct request){.is_served = false};
    }
    *end_before = from < *end_before ? *end_before : address_end(text, from);
    struct str behind = str_slice(text, *end_before, text.len);
    bool is_served = has_status(behind);
    address = str_slice(text, from, *end_before);
    bool is_told = is_served || is_tunnel || (lead && is_path) || !is_bare(path_of(address));
    return (struct request){is_told ? address : (struct str){NULL, 0}, is_served,
                            lead && is_request_line(behind)};
}

/* Whether an address may stand behind a lead: none does where no slash has a sign before it. */
static bool may_hold_address(struct str text)
{
    size_t at = str_next_char(text, 0, '/');
    while (at < text.len && !(at > 0 && str_is_of(text.ptr[at - 1], LEAD_SIGNS))) {
        at = str_next_char(text, at + 1, '/');
    }
    return at < text.len;
}

/* Behind the name of a machine, "hostname":"chat-7f9c", whose words tell nothing; `end` where none
 * stands behind text[end]. */
static size_t place_end(struct str text, size_t end)
{
    size_t from = end;
    bool has_sign = false;
    while (from < text.len && from < end + LEAD_BYTES_MAX &&
           str_is_of(text.ptr[from], LEAD_SIGNS)) {
        has_sign = has_sign || str_is_of(text.ptr[from], ":=");
        from++;
    }
    return has_sign ? address_end(text, from) : end;
}

/* Whether what stands at text[at] up to `end` is the name of a record's member: collectors call one
 * "kubernetes", whatever ran there. */
static bool is_member_name(struct str text, size_t at, size_t end)
{
    return at > 0 && text.ptr[at - 1] == '"' && end + 1 < text.len && text.ptr[end] == '"' &&
           text.ptr[end + 1] == ':';
}

/* A word of LLM APIs outweighs all others, but for a request that is served: without one, nothing
 * behind it needs to be read. */
static struct telling read_words(const struct log_words *words, struct str text)
{
    struct telling told = read_chinese(words, text);
    bool may_serve = str_find(text, STR(" HTTP/")) >= 0 || str_find(text, STR(" path=")) >= 0 ||
                     (str_starts(text, STR("{")) && may_hold_address(text));
    size_t address_to = 0;
    for (size_t at = word_from(words, text, 0); at < text.len && (may_serve || !told.is_llm);
         at = word_from(words, text, at + 1)) {
        size_t lengths[KIND_COUNT];
        measure_rows(words, text, at, lengths);
        if (lengths[KIND_PLACE]) {
            at = place_end(text, at + lengths[KIND_PLACE]) - 1;
            continue;
        }
        size_t end = at + lengths[KIND_TAG];
        bool is_signed = end > at && end < text.len && str_is_of(text.ptr[end], ":[(/");
        told.is_llm = told.is_llm || lengths[KIND_LLM];
        bool is_named = lengths[KIND_OTHER] && !is_member_name(text, at, at + lengths[KIND_OTHER]);
        told.is_other = told.is_other || is_signed || is_named;
        told.is_shared = told.is_shared || lengths[KIND_SHARED];
        if (!str_is_set(told.request.address)) {
            told.request = request_at(text, at, lengths, &address_to);
        }
    }
    return told;
}

static const struct str llm = STR_INIT("llm api"), other = STR_INIT("other system");

static struct str name_of(const struct telling *told, struct str unsaid)
{
    if (told->is_llm || told->is_other) {
        return told->is_llm ? llm : other;
    }
    return told->is_shared ? llm : unsaid;
}

struct str log_about_words(const struct log_words *words, struct str text)
{
    struct telling told = read_words(words, str_slice(text, 0, SEARCH_BYTES_MAX));
    return name_of(&told, (struct str){NULL, 0});
}

/* Whether a server tells that it answered, and not what: {"res":{"statusCode":404},
 * "responseTime":3,"msg":"request completed"}, of pino. */
static bool is_answer(struct str text)
{
    return str_find(text, STR("\"responseTime\":")) >= 0 &&
           str_find(text, STR("\"statusCode\":")) >= 0;
}

/* What the front that somebody put before a line says counts where the line does not speak for
 * itself: a service called "llm-app" asks its database, too. */
static struct str name_of_carried(const struct telling *own, const struct telling *front)
{
    struct telling told = *own;
    told.is_other = told.is_other || front->is_other;
    told.is_shared = told.is_shared ||
                     ((front->is_llm || front->is_shared) && !str_is_set(own->request.address));
    bool is_others = str_is_set(own->request.address) || own->is_answer;
    return name_of(&told, is_others ? other : (struct str){NULL, 0});
}

struct str log_about(const struct log_words *words, struct str entry)
{
    struct str text = str_slice(entry, 0, SEARCH_BYTES_MAX);
    if (str_ifind(text, STR("<html")) >= 0) { /* whose page it is, its words say */
        return (struct str){NULL, 0};
    }
    struct log_carrier carrier = log_carrier_read(text);
    struct telling front = read_words(words, str_slice(text, 0, carrier.length));
    struct telling told = read_words(words, str_slice(text, carrier.length, text.len));
    /* A word of LLM APIs in a host's name ends the reading before the program's name. */
    front.is_other = front.is_other || read_words(words, carrier.name).is_other;
    told.is_answer = is_answer(text);
    const struct request request = told.request;
    if (is_page(path_of(request.address))) {
        return other;
    }
    struct telling asked = read_words(words, request.address);
    if (asked.is_other && !asked.is_llm) {
        return other;
    }
    struct str path = path_of(request.address);
    if (request.is_served || (request.is_line && !is_bare(path))) { /* a tunnel has no path */
        struct telling upstream = read_words(words, log_upstream(text));
        told = read_words(words, path.len ? path : request.address);
        told.request = request;
        told.is_llm = told.is_llm || upstream.is_llm;
    }
    return name_of_carried(&told, &front);
}
