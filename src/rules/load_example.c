/* Examples of rules. Takes a table of the data file, gives an observation as a probe or a paste
 * would have made it. */
#include "core/transport_name.h"
#include "rules/table.h"

static const char *const names[] = {
    "kind",         "provider", "status",  "headers", "body", "curl", "errno", "verify", "proxy",
    "proxy_status", "phase",    "outcome", "problem", "as",   "seen", "about", NULL};

static bool has_key(const struct block *block, const char *key)
{
    return node_entry(block->table, str_from(key)) != NULL;
}

static enum observation_kind kind_of(struct block *block)
{
    enum observation_kind kind;
    struct str name = block_string(block, "kind", OPTIONAL);
    if (observation_kind_from_name(name, &kind)) {
        return kind;
    }
    if (str_is_set(name)) {
        block_complain_value(block, "kind", "http, text, transport or config");
    }
    if (has_key(block, "problem")) {
        return OBSERVATION_CONFIG;
    }
    if (has_key(block, "curl") || has_key(block, "errno") || has_key(block, "verify")) {
        return OBSERVATION_TRANSPORT;
    }
    return has_key(block, "status") || has_key(block, "headers") ? OBSERVATION_HTTP
                                                                 : OBSERVATION_TEXT;
}

/* The names that stand for numbers and enums. */
static void read_names(struct block *block, struct observation *evidence)
{
    struct str curl = block_string(block, "curl", OPTIONAL);
    struct str os_errno = block_string(block, "errno", OPTIONAL);
    struct str verify = block_string(block, "verify", OPTIONAL);
    struct str phase = block_string(block, "phase", OPTIONAL);
    struct str outcome = block_string(block, "outcome", OPTIONAL);
    if (str_is_set(curl) && !curl_code_from_name(curl, &evidence->curl_code)) {
        block_complain_value(block, "curl", "a CURLcode without CURLE_, as COULDNT_CONNECT");
    }
    if (str_is_set(os_errno) && !os_errno_from_name(os_errno, &evidence->os_errno)) {
        block_complain_value(block, "errno", "a name of errno.h, as ECONNREFUSED");
    }
    if (str_is_set(verify) && !tls_verify_from_name(verify, &evidence->tls_verify)) {
        block_complain_value(block, "verify", "a result without X509_V_ERR_, as CERT_HAS_EXPIRED");
    }
    if (str_is_set(phase) && !step_from_name(phase, &evidence->phase)) {
        block_complain_value(block, "phase", "a step: dns, connect, tls, http, answer");
    }
    for (size_t i = 0; i < OUTCOME_COUNT && str_is_set(outcome); i++) {
        if (str_eq(outcome_name((enum outcome)i), outcome)) {
            evidence->outcome = (enum outcome)i;
            return;
        }
    }
    if (str_is_set(outcome)) {
        block_complain_value(block, "outcome",
                             "none, complete, capped, failed, truncated, empty, page or not_api");
    }
}

/* What a probe learnt of the network: seen = { "tls.issuer" = "CN=Corp Root" }. */
static void read_seen(struct block *block, struct observation *evidence)
{
    size_t count = 0;
    const struct header *seen = block_headers(block, "seen", &count);
    const struct {
        struct str field, *text;
    } rows[] = {
        {STR("proxy.error"), &evidence->proxy_error}, {STR("tls.issuer"), &evidence->tls.issuer},
        {STR("tls.names"), &evidence->tls.names},     {STR("tls.chain"), &evidence->tls.chain},
        {STR("tls.version"), &evidence->tls.version}, {STR("tls.alert"), &evidence->tls.alert},
        {STR("tls.speaks"), &evidence->tls.speaks},   {STR("dns.result"), &evidence->dns_result},
        {STR("dns.address"), &evidence->dns_address}, {STR("net.families"), &evidence->families},
        {STR("net.no_route"), &evidence->no_route},
    };
    for (size_t i = 0; i < count; i++) {
        bool is_known = str_eq(seen[i].name, STR("tls.asked"));
        evidence->tls.asked_certificate = evidence->tls.asked_certificate || is_known;
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
            if (str_eq(seen[i].name, rows[r].field)) {
                *rows[r].text = seen[i].value;
                is_known = true;
            }
        }
        if (!is_known) {
            block_complain(block, block->table->pos, "unknown_key", (struct str){NULL, 0},
                           arena_printf(block->source->problem_arena,
                                        "\"%.*s\" in \"seen\" is nothing that a probe sees",
                                        STR_ARG(seen[i].name)));
        }
    }
}

void rules_load_example(struct block *block, struct example *example)
{
    struct arena *arena = block->source->arena;
    block_check_keys(block, names);
    struct observation evidence = observation_blank(kind_of(block));
    evidence.provider = block_string(block, "provider", OPTIONAL);
    evidence.status = (long)block_integer(block, "status", 0);
    evidence.proxy_status = (long)block_integer(block, "proxy_status", 0);
    evidence.is_through_proxy = block_bool(block, "proxy", false);
    evidence.body = block_string(block, "body", OPTIONAL);
    evidence.about = block_string(block, "about", OPTIONAL);
    evidence.origin = block_origin(block, block->table->pos);
    evidence.headers = block_headers(block, "headers", &evidence.header_count);
    read_names(block, &evidence);
    read_seen(block, &evidence);
    struct str code = block_string(block, "problem", OPTIONAL);
    if (str_is_set(code) && !problem_code_exists(code)) {
        block_complain_value(block, "problem", "a code of config.problem, as unknown_key");
    }
    if (str_is_set(code)) {
        struct problem *problem = ARENA_NEW(arena, struct problem);
        *problem =
            (struct problem){.code = code, .origin = evidence.origin, .message = evidence.body};
        evidence.problem = problem;
    }
    *example = (struct example){
        .evidence = evidence, .as = block_string(block, "as", OPTIONAL), .origin = evidence.origin};
}
