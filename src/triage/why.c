/* Why a verdict is what it is, in sentences. Each sentence is one function of the evidence of this
 * run, and stands only where the run shows it. */
#include "triage/why.h"

#include "base/buf.h"
#include "base/text.h"
#include "core/transport_name.h"
#include "triage/answering.h"
#include "triage/ladder.h"
#include "triage/names.h"
#include "triage/place.h"
#include "triage/reason.h"
#include "triage/words.h"

#define PLACE_COLUMNS_MAX 60
#define MESSAGE_COLUMNS_MAX 200
#define CLOCK_SKEW_MS (5 * 60000LL) /* what signatures, tokens and certificates bear */

/* What the sentences are made from. */
struct telling {
    struct arena *arena;
    const struct triage_input *input;
    const struct fill *fill;
    const struct trouble *trouble;
    int64_t now_ms;
    struct str told; /* what stands there already */
};

static const struct str silence = {NULL, 0};

static struct str said(const struct telling *telling, enum word word)
{
    return str_from(words_text(word, telling->input->lang));
}

/* What the rest of the run says about how far the problem reaches. */
static struct str scope_sentence(const struct telling *telling)
{
    struct arena *arena = telling->arena;
    enum lang lang = telling->input->lang;
    size_t count = telling->trouble->result_count;
    const struct result *first = telling->trouble->results[0];
    if (count < 2 || first->target == NULL) {
        return silence;
    }
    switch (telling->trouble->scope) {
    case SCOPE_KEY:
        return str_is_set(first->target->key.value) ? words_say(arena, lang, WORD_SCOPE_KEY, count)
                                                    : silence;
    case SCOPE_PROVIDER: {
        struct str place = text_show(arena, place_of_result(first), PLACE_COLUMNS_MAX);
        return words_say(arena, lang, WORD_SCOPE_PROVIDER, count, arena_cstr(arena, place));
    }
    case SCOPE_NETWORK:
        return words_say(arena, lang, WORD_SCOPE_NETWORK, count);
    case SCOPE_EVERYTHING:
        return words_say(arena, lang, WORD_SCOPE_EVERYTHING, count);
    case SCOPE_MODEL:
        break;
    }
    return silence;
}

static struct str proof_sentence(const struct telling *telling)
{
    const struct result *result = telling->trouble->results[0];
    const struct finding *proof = result->key_proof;
    if (proof && proof->diagnosis->is_healthy) {
        return said(telling, WORD_KEY_PROVEN);
    }
    if (proof && result->ladder[STEP_AUTH].status == STEP_FAIL &&
        result->finding->diagnosis->step != STEP_AUTH) {
        return said(telling, WORD_KEY_REFUSED);
    }
    return silence;
}

/* A key that looked odd before it was sent is the first thing to check once it was refused. */
static struct str odd_key_sentence(const struct telling *telling)
{
    const struct result *result = telling->trouble->results[0];
    for (size_t i = 0; i < result->config_finding_count; i++) {
        const struct finding *finding = &result->config_findings[i];
        const struct problem *problem = trouble_problem(finding);
        if (problem && ladder_is_key_finding(finding) &&
            telling->trouble->diagnosis->step == STEP_AUTH) {
            struct str message = text_show(telling->arena, problem->message, MESSAGE_COLUMNS_MAX);
            while (str_ends(message, STR("."))) {
                message = str_slice(message, 0, message.len - 1);
            }
            return words_say(telling->arena, telling->input->lang, WORD_ODD_KEY,
                             arena_cstr(telling->arena, message));
        }
    }
    return silence;
}

static struct str clock_sentence(const struct telling *telling)
{
    const struct observation *observation = telling->trouble->results[0]->observation;
    if (observation == NULL || !observation->has_date_skew) {
        return silence;
    }
    int64_t skew_ms = observation->date_skew_ms;
    if (skew_ms > -CLOCK_SKEW_MS && skew_ms < CLOCK_SKEW_MS) {
        return silence;
    }
    struct str shown =
        fill_duration(telling->arena, telling->input->lang, skew_ms < 0 ? -skew_ms : skew_ms);
    return words_say(telling->arena, telling->input->lang,
                     skew_ms < 0 ? WORD_CLOCK_BEHIND : WORD_CLOCK_AHEAD,
                     arena_cstr(telling->arena, shown));
}

static struct str answering_sentence(const struct telling *telling)
{
    const struct triage_input *input = telling->input;
    if (telling->fill->other == NULL) {
        return silence;
    }
    struct str name = names_one(telling->arena, input->lang, input->results, input->result_count,
                                telling->fill->other);
    return answering_text(telling->arena, input->lang, telling->fill->result, telling->fill->other,
                          name, telling->now_ms);
}

/* Which proxy the request went through, and who said so. Over plain HTTP it also reads the key. */
static struct str proxy_sentence(const struct telling *telling)
{
    const struct result *result = telling->trouble->results[0];
    const struct observation *observation = result->observation;
    if (observation == NULL || result->target == NULL || str_is_empty(observation->proxy.text)) {
        return silence;
    }
    struct arena *arena = telling->arena;
    enum lang lang = telling->input->lang;
    struct str proxy = text_show(arena, observation->proxy.text, PLACE_COLUMNS_MAX);
    struct str origin =
        text_show(arena, origin_text(arena, observation->proxy.origin), PLACE_COLUMNS_MAX);
    bool is_readable = place_is_plain_http(result->target->base_url.text);
    if (!is_readable && str_find(telling->told, proxy) >= 0) {
        return silence;
    }
    if (str_is_empty(origin)) {
        origin = said(telling, WORD_PROXY_UNSAID);
    }
    return words_say(arena, lang, is_readable ? WORD_PROXY_READS : WORD_THROUGH_PROXY,
                     arena_cstr(arena, proxy), arena_cstr(arena, origin));
}

/* Nobody but an inspector answers for a public provider with an issuer that is not known. */
static struct str inspection_sentence(const struct telling *telling)
{
    const struct result *result = telling->trouble->results[0];
    const struct observation *observation = result->observation;
    if (observation == NULL || result->target == NULL || str_is_empty(observation->tls.issuer)) {
        return silence;
    }
    struct str verify = tls_verify_name(observation->tls_verify);
    bool is_issuer_unknown =
        str_find(verify, STR("SELF_SIGNED")) >= 0 || str_starts(verify, STR("UNABLE_TO_"));
    struct str host = place_host(result->target->base_url.text);
    const struct provider *provider =
        telling->input->rules ? rules_provider_of_host(telling->input->rules, host) : NULL;
    if (!is_issuer_unknown || provider == NULL || provider->is_key_optional) {
        return silence;
    }
    struct str name = str_is_empty(provider->name) ? provider->id : provider->name;
    return words_say(telling->arena, telling->input->lang, WORD_INSPECTED,
                     arena_cstr(telling->arena, text_show(telling->arena, host, PLACE_COLUMNS_MAX)),
                     arena_cstr(telling->arena, name));
}

/* What is odd about the addresses behind the name. */
static struct str address_sentence(const struct telling *telling)
{
    static const struct {
        struct str value;
        enum word word;
    } rows[] = {
        {STR_INIT("fake_ip"), WORD_ADDRESS_FAKE},
        {STR_INIT("private"), WORD_ADDRESS_PRIVATE},
        {STR_INIT("loopback"), WORD_ADDRESS_LOOPBACK},
    };
    const struct observation *observation = telling->trouble->results[0]->observation;
    for (size_t i = 0; observation && i < sizeof rows / sizeof rows[0]; i++) {
        if (str_eq(observation->dns_address, rows[i].value)) {
            return said(telling, rows[i].word);
        }
    }
    return silence;
}

/* Which family of addresses is at fault, where the run shows it. */
static struct str family_sentence(const struct telling *telling)
{
    const struct observation *observation = telling->trouble->results[0]->observation;
    if (observation == NULL || observation->status != 0 || observation->phase != STEP_CONNECT) {
        return silence;
    }
    bool is_both = str_eq(observation->families, STR("ipv4 ipv6"));
    if (str_eq(observation->no_route, STR("ipv6"))) {
        return said(telling, is_both ? WORD_IPV6_NO_ROUTE_IPV4_FAILED : WORD_IPV6_NO_ROUTE);
    }
    if (str_eq(observation->no_route, STR("ipv4"))) {
        return said(telling, is_both ? WORD_IPV4_NO_ROUTE_IPV6_FAILED : WORD_IPV4_NO_ROUTE);
    }
    return is_both ? said(telling, WORD_BOTH_FAMILIES) : silence;
}

static struct str (*const sentences[])(const struct telling *telling) = {
    scope_sentence,   proof_sentence,  odd_key_sentence, proxy_sentence,     inspection_sentence,
    address_sentence, family_sentence, clock_sentence,   answering_sentence,
};

static void add_sentence(struct buf *why, enum lang lang, struct str sentence)
{
    if (!str_is_empty(sentence)) {
        buf_add(why, why->len && lang != LANG_ZH ? STR(" ") : STR(""));
        buf_add(why, sentence);
    }
}

struct str why_text(struct arena *arena, const struct triage_input *input, const struct fill *fill,
                    const struct trouble *trouble, const struct phrase *meaning, int64_t now_ms)
{
    struct telling telling = {
        .arena = arena, .input = input, .fill = fill, .trouble = trouble, .now_ms = now_ms};
    struct buf why = buf_create(8192);
    struct str text;
    /* What a refused key means is not what a key of an odd shape means; the rule's own meaning is.
     */
    bool is_reason_better = meaning == &trouble->finding->diagnosis->meaning &&
                            ladder_is_key_finding(trouble->finding) &&
                            !str_is_empty(trouble->finding->reason);
    bool is_answer = trouble->result_count > 0 && !trouble_problem(trouble->finding);
    if (!is_reason_better && fill_text(arena, fill, meaning->in[input->lang], &text)) {
        struct str reason = is_answer && fill_has_general_meaning(fill)
                                ? reason_beyond(trouble->finding, text, input->lang)
                                : silence;
        add_sentence(&why, input->lang, text_show(arena, reason, 0));
        add_sentence(&why, input->lang, text);
    } else {
        add_sentence(&why, input->lang, text_show(arena, trouble->finding->reason, 0));
    }
    for (size_t i = 0; is_answer && i < sizeof sentences / sizeof sentences[0]; i++) {
        telling.told = buf_str(&why);
        add_sentence(&why, input->lang, sentences[i](&telling));
    }
    text = arena_dup(arena, buf_str(&why));
    buf_free(&why);
    return text;
}
