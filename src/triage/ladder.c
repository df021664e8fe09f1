/* The rungs of one target: what the evidence proves to be fine, where it fails, and what nobody
 * knows. Takes a result, gives its ladder; judges no cause, that is the finding's. A rung is ok
 * only when something showed it: later rungs than the failing one stay open unless they were
 * measured. */
#include "triage/ladder.h"

#include "base/text.h"
#include "triage/place.h"
#include "triage/words.h"

#define DETAIL_COLUMNS_MAX 60

static struct rung rung(enum step_status status, struct str detail)
{
    return (struct rung){.status = status, .duration_ms = -1, .detail = detail};
}

static struct str said(enum lang lang, enum word word)
{
    return str_from(words_text(word, lang));
}

static bool is_config_finding(const struct finding *finding)
{
    return finding->observation == NULL || finding->observation->kind == OBSERVATION_CONFIG;
}

bool ladder_is_key_finding(const struct finding *finding)
{
    enum step step = finding->diagnosis->step;
    return is_config_finding(finding) && (step == STEP_KEY || step == STEP_AUTH);
}

/* STEP_COUNT when nothing fails. Where no HTTP answer came, the step that was under way is the
 * truth; an HTTP answer proves the network, so its failure is not below STEP_HTTP unless the
 * diagnosis says that our settings are to blame. */
static enum step failing_step(const struct result *result)
{
    const struct finding *finding = result->finding;
    if (finding == NULL || finding->diagnosis->is_healthy) {
        return STEP_COUNT;
    }
    const struct observation *observation = finding->observation;
    enum step step = finding->diagnosis->step;
    if (ladder_is_key_finding(finding)) {
        return STEP_KEY;
    }
    if (is_config_finding(finding) || observation->kind == OBSERVATION_TEXT) {
        return step;
    }
    if (observation->status == 0) {
        return observation->phase >= STEP_DNS ? observation->phase : step;
    }
    if (observation->curl_code != 0 && observation->phase >= STEP_HTTP) {
        return observation->phase;
    }
    return step > STEP_KEY && step < STEP_HTTP ? STEP_HTTP : step;
}

/* The worst that the config findings say about one of the rungs config and key. */
static struct rung configured_rung(struct arena *arena, const struct result *result, bool is_key)
{
    struct rung worst = rung(STEP_OK, (struct str){NULL, 0});
    for (size_t i = 0; i < result->config_finding_count; i++) {
        const struct finding *finding = &result->config_findings[i];
        if (ladder_is_key_finding(finding) != is_key) {
            continue;
        }
        enum step_status status = finding->severity == SEVERITY_ERROR ? STEP_FAIL : STEP_WARN;
        if (finding->severity != SEVERITY_INFO && status > worst.status) {
            const struct problem *problem =
                finding->observation ? finding->observation->problem : NULL;
            struct str message = problem ? problem->message : finding->evidence;
            worst = rung(status, text_show(arena, message, DETAIL_COLUMNS_MAX));
        }
    }
    return worst;
}

static struct rung key_rung(struct arena *arena, enum lang lang, const struct result *result)
{
    struct rung found = configured_rung(arena, result, true);
    if (found.status == STEP_OK && !str_is_set(result->target->key.value)) {
        return rung(STEP_SKIP, said(lang, WORD_RUNG_NO_KEY));
    }
    return found;
}

/* The peer, by which family, and what became of the other one where that was tried as well. */
static struct str connected(struct arena *arena, enum lang lang,
                            const struct observation *observation)
{
    struct str address = text_show(arena, observation->address, DETAIL_COLUMNS_MAX);
    if (str_is_empty(observation->family)) {
        return address;
    }
    bool is_ipv6 = str_eq(observation->family, STR("ipv6"));
    const char *names[] = {"IPv4", "IPv6"}, *shown = arena_cstr(arena, address);
    if (!str_eq(observation->families, STR("ipv4 ipv6"))) {
        return words_say(arena, lang, WORD_RUNG_FAMILY, names[is_ipv6], shown);
    }
    return words_say(arena, lang,
                     str_is_empty(observation->no_route) ? WORD_RUNG_OTHER_FAILED
                                                         : WORD_RUNG_OTHER_NO_ROUTE,
                     names[is_ipv6], shown, names[!is_ipv6]);
}

/* A network rung that must have held, since what lies behind it was reached. */
static struct rung network_rung(struct arena *arena, enum lang lang, const struct result *result,
                                enum step step)
{
    const struct observation *observation = result->observation;
    struct str url = result->target->base_url.text;
    if (step == STEP_DNS && !observation->is_through_proxy && place_is_address(place_host(url))) {
        return rung(STEP_SKIP, said(lang, WORD_RUNG_ADDRESS));
    }
    if (step == STEP_DNS && observation->step_ms[STEP_DNS] < 0) {
        return rung(STEP_SKIP, said(lang, WORD_RUNG_NOT_RESOLVED));
    }
    if (step == STEP_TLS && place_is_plain_http(url)) {
        return rung(STEP_SKIP, said(lang, WORD_RUNG_PLAIN_HTTP));
    }
    struct str detail = {NULL, 0};
    if (step == STEP_CONNECT) {
        detail = connected(arena, lang, observation);
    } else if (step == STEP_HTTP && observation->status != 0) {
        detail = arena_printf(arena, "HTTP %ld", observation->status);
    }
    return rung(STEP_OK, detail);
}

static bool leaves_key_open(const struct result *result)
{
    const struct finding *finding = result->finding;
    return finding && !finding->diagnosis->is_healthy && finding->diagnosis->leaves_key_open;
}

/* Whether the key was accepted, when that is not what failed. */
static struct rung auth_rung(enum lang lang, const struct result *result)
{
    const struct finding *proof = result->key_proof;
    if (proof && proof->diagnosis->is_healthy) {
        return rung(STEP_OK, said(lang, WORD_RUNG_KEY_PROVEN));
    }
    if (proof && proof->diagnosis->step == STEP_AUTH && !proof->diagnosis->leaves_key_open) {
        return rung(STEP_FAIL, proof->diagnosis->title.in[lang]);
    }
    if (leaves_key_open(result)) {
        return rung(STEP_SKIP, said(lang, WORD_RUNG_NOT_PROVEN));
    }
    return rung(STEP_OK, (struct str){NULL, 0});
}

static struct rung passed_rung(struct arena *arena, enum lang lang, const struct result *result,
                               enum step step)
{
    if (step == STEP_CONFIG) {
        return configured_rung(arena, result, false);
    }
    if (step == STEP_KEY) {
        return key_rung(arena, lang, result);
    }
    if (result->observation == NULL) {
        return rung(STEP_SKIP, (struct str){NULL, 0});
    }
    if (step <= STEP_HTTP) {
        return network_rung(arena, lang, result, step);
    }
    if (step == STEP_AUTH) {
        return auth_rung(lang, result);
    }
    return step == STEP_MODEL && leaves_key_open(result)
               ? rung(STEP_SKIP, said(lang, WORD_RUNG_NOT_PROVEN))
               : rung(STEP_OK, (struct str){NULL, 0});
}

/* Behind the failing rung: known only where an HTTP answer or the key proof shows it. */
static struct rung later_rung(struct arena *arena, enum lang lang, const struct result *result,
                              enum step step)
{
    bool has_status = result->observation && result->observation->status != 0;
    if ((step >= STEP_DNS && step <= STEP_HTTP && has_status) || step == STEP_KEY) {
        return passed_rung(arena, lang, result, step);
    }
    if (step == STEP_AUTH && result->key_proof) {
        return auth_rung(lang, result);
    }
    return rung(STEP_SKIP, (struct str){NULL, 0});
}

static enum target_status status_of(const struct result *result)
{
    if (result->finding == NULL) {
        return TARGET_SKIPPED;
    }
    return result->finding->diagnosis->is_healthy ? TARGET_OK : TARGET_FAILED;
}

void ladder_fill(struct arena *arena, enum lang lang, struct result *result)
{
    result->status = status_of(result);
    if (result->target == NULL) {
        return;
    }
    enum step failing = failing_step(result);
    for (size_t i = 0; i < STEP_COUNT; i++) {
        enum step step = (enum step)i;
        struct rung made;
        if (step == failing) {
            struct str title = result->finding->diagnosis->title.in[lang];
            made = rung(STEP_FAIL, text_show(arena, title, DETAIL_COLUMNS_MAX));
        } else if (step < failing) {
            made = passed_rung(arena, lang, result, step);
        } else {
            made = later_rung(arena, lang, result, step);
        }
        if (result->observation && step >= STEP_DNS) {
            made.duration_ms = result->observation->step_ms[step];
        }
        result->ladder[i] = made;
    }
}
