/* Whom an entry of a log, or another text, is about. Takes its bytes, looks for words of LLM APIs,
 * for those of other systems (log_about.def) and, in a log, for the request that it names; judges
 * nothing. */
#include "input/log_about.h"

#include "input/log_carrier.h"
#include "input/log_request.h"
#include "input/log_time.h"
#include "input/log_upstream.h"

#include <string.h>

#define SEARCH_BYTES_MAX ((size_t)16 * 1024)
#define BUCKETS ((size_t)1024) /* by the low five bits of two bytes */

enum kind {
    KIND_LLM,
    KIND_SHARED,
    KIND_TOPIC,
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
#define TOPIC(word) {KIND_TOPIC, STR_INIT(word)},
#define OTHER(word) {KIND_OTHER, STR_INIT(word)},
#define TAG(word) {KIND_TAG, STR_INIT(word)},
#define LEAD(word) {KIND_LEAD, STR_INIT(word)},
#define CALL(word) {KIND_CALL, STR_INIT(word)},
#define PLACE(word) {KIND_PLACE, STR_INIT(word)},
#include "input/log_about.def"
#undef LLM
#undef SHARED
#undef TOPIC
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

/* Whether the m at text[at] ends a colour: "ESC[36mredis: ping", "\\u001b[36mredis: ping". */
static bool ends_colour(struct str text, size_t at)
{
    while (at > 0 && (str_is_digit(text.ptr[at - 1]) || text.ptr[at - 1] == ';')) {
        at--;
    }
    return at > 1 && text.ptr[at - 1] == '[' &&
           str_is_of(text.ptr[at - 2], "\x1b"
                                       "bB");
}

/* Whether the letter at text[at] is the end of an escape: "WARN\\tredis: ping". */
static bool is_escape(struct str text, size_t at)
{
    char c = text.ptr[at], before = at > 0 ? text.ptr[at - 1] : ' ';
    return (before == '\\' && str_is_of(c, "nt")) ||
           (c == 'm' && (str_is_digit(before) || before == '[') && ends_colour(text, at));
}

/* The next word from text[at] on that a row may stand at; text.len when there is none. */
static size_t word_from(const struct log_words *words, struct str text, size_t at)
{
    uint8_t before = at > 0 ? words->signs[(unsigned char)text.ptr[at - 1]] : SIGN_OTHER;
    for (; at < text.len; at++) {
        uint8_t sign = words->signs[(unsigned char)text.ptr[at]];
        if (sign == SIGN_LOWER && is_escape(text, at)) {
            sign = SIGN_OTHER;
        }
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

/* What the words of a text tell. */
struct telling {
    struct log_request request;                 /* the first that tells something */
    bool is_llm, is_other, is_shared, is_topic; /* has words of these kinds */
    bool is_answer;                             /* a server tells that it answered, and not what */
};

/* Chinese has no signs between words: each is looked for in the whole. */
static struct telling read_chinese(const struct log_words *words, struct str text)
{
    bool has_kind[KIND_COUNT] = {false};
    for (size_t i = str_is_ascii(text) ? 0 : words->chinese; i; i = words->next[i]) {
        const struct row *row = &rows[i - 1];
        has_kind[row->kind] = has_kind[row->kind] || str_find(text, row->word) >= 0;
    }
    return (struct telling){.is_llm = has_kind[KIND_LLM],
                            .is_shared = has_kind[KIND_SHARED],
                            .is_other = has_kind[KIND_OTHER]};
}

/* Whether what stands at text[at] up to `end` is the name of a record's member: collectors call one
 * "kubernetes", whatever ran there. */
static bool is_member_name(struct str text, size_t at, size_t end)
{
    return at > 0 && text.ptr[at - 1] == '"' && end + 1 < text.len && text.ptr[end] == '"' &&
           text.ptr[end + 1] == ':';
}

/* Whether what stands in a text up to `end` begins the name of a bot, which calls whom it will:
 * "discord_bot - ERROR - API error". */
static bool names_bot(struct str text, size_t end)
{
    struct str behind = str_slice(text, end, text.len);
    return str_starts(behind, STR("_bot")) || str_starts(behind, STR("Bot")) ||
           str_starts(behind, STR("-bot"));
}

/* A word of LLM APIs outweighs all others, but for a request that is served: without one, nothing
 * behind it needs to be read. */
static struct telling read_words(const struct log_words *words, struct str text)
{
    struct telling told = read_chinese(words, text);
    bool may_serve = str_find(text, STR(" HTTP/")) >= 0 || str_find(text, STR(" path=")) >= 0 ||
                     str_find(text, STR("T /")) >= 0 ||
                     (str_starts(text, STR("{")) && log_may_hold_address(text));
    size_t address_to = 0;
    for (size_t at = word_from(words, text, 0); at < text.len && (may_serve || !told.is_llm);
         at = word_from(words, text, at + 1)) {
        size_t lengths[KIND_COUNT];
        measure_rows(words, text, at, lengths);
        if (lengths[KIND_PLACE]) {
            at = log_place_end(text, at + lengths[KIND_PLACE], &address_to) - 1;
            continue;
        }
        size_t end = at + lengths[KIND_TAG];
        bool is_signed = end > at && end < text.len && str_is_of(text.ptr[end], ":[(/");
        told.is_llm = told.is_llm || lengths[KIND_LLM];
        size_t other_to = at + lengths[KIND_OTHER];
        bool is_named = lengths[KIND_OTHER] && !is_member_name(text, at, other_to) &&
                        !names_bot(text, other_to);
        told.is_other = told.is_other || is_signed || is_named;
        told.is_shared = told.is_shared || lengths[KIND_SHARED];
        told.is_topic = told.is_topic || lengths[KIND_TOPIC];
        if (!str_is_set(told.request.address)) {
            told.request =
                log_request_at(text, at, lengths[KIND_LEAD], lengths[KIND_CALL], &address_to);
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
    return told->is_shared || told->is_topic ? llm : unsaid;
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
    return str_find(text, STR("responseTime")) >= 0 && str_find(text, STR("statusCode")) >= 0;
}

/* What the front that somebody put before a line says counts where the line does not speak for
 * itself: a service called "llm-app" asks its database, too. */
static struct str name_of_carried(const struct telling *own, const struct telling *front)
{
    struct telling told = *own;
    told.is_other = told.is_other || front->is_other;
    told.is_shared = told.is_shared || ((front->is_llm || front->is_shared || front->is_topic) &&
                                        !str_is_set(own->request.address));
    bool is_others = str_is_set(own->request.address) || own->is_answer;
    return name_of(&told, is_others ? other : (struct str){NULL, 0});
}

/* What an entry says where it speaks, not before that: the names of a program and of its parts tell
 * nothing of what it asked. */
static struct telling read_message(const struct log_words *words, struct str text)
{
    struct str line = str_slice(text, 0, str_next_char(text, 0, '\n'));
    struct str kept = log_kept_text(line);
    line = str_is_set(kept) ? kept : line;
    text = str_is_set(kept) ? kept : text;
    size_t message_at = log_front_read(line, 0).message_at;
    return read_words(words, str_slice(text, message_at, text.len));
}

struct str log_about(const struct log_words *words, struct str entry)
{
    struct str text = str_slice(entry, 0, SEARCH_BYTES_MAX);
    ptrdiff_t page = str_ifind(text, STR("<html"));
    if (page >= 0) { /* whose it is, its words do not say; those before it do */
        text = str_slice(text, 0, (size_t)page);
    }
    struct log_carrier carrier = log_carrier_read(text);
    struct telling front = read_words(words, str_slice(text, 0, carrier.length));
    struct telling told = read_words(words, str_slice(text, carrier.length, text.len));
    /* A word of LLM APIs in a host's name ends the reading before the program's name. */
    front.is_other = front.is_other || read_words(words, carrier.name).is_other;
    told.is_answer = is_answer(text);
    const struct log_request request = told.request;
    if (page >= 0 && (request.is_served || request.is_line)) {
        return (struct str){NULL, 0}; /* a page behind a line of an access log is no part of it */
    }
    if (log_path_is_page(log_path_of(request.address))) {
        return other;
    }
    struct telling asked = read_words(words, request.address);
    if (asked.is_other && !asked.is_llm) {
        return other;
    }
    if (str_is_set(request.address) && (told.is_shared || told.is_llm)) {
        struct telling said = read_message(words, str_slice(text, carrier.length, text.len));
        told.is_shared = told.is_shared && said.is_shared;
        told.is_llm = told.is_llm && (said.is_llm || !str_starts(request.address, STR("/")));
    }
    struct str path = log_path_of(request.address);
    if (request.is_served ||
        (request.is_line && !log_path_is_bare(path))) { /* a tunnel has no path */
        struct telling upstream = read_words(words, log_upstream(text));
        told = read_words(words, path.len ? path : request.address);
        told.request = request;
        told.is_topic = false;
        told.is_llm = told.is_llm || upstream.is_llm;
    }
    return name_of_carried(&told, &front);
}
