#ifndef CORE_OBSERVATION_H
#define CORE_OBSERVATION_H

#include "core/problem.h"
#include "core/sight.h"
#include "core/step.h"
#include "core/target.h"

enum observation_kind {
    OBSERVATION_HTTP,
    OBSERVATION_TEXT,
    OBSERVATION_TRANSPORT,
    OBSERVATION_CONFIG,
    OBSERVATION_KIND_COUNT
};
struct str observation_kind_name(enum observation_kind kind);
/* False when no kind has that name. */
bool observation_kind_from_name(struct str name, enum observation_kind *kind);

/* What the wire saw of an answer; observation.def is the list. */
enum outcome {
#define OUTCOME(id, name) OUTCOME_##id,
#include "core/observation.def"
#undef OUTCOME
    OUTCOME_COUNT
};
struct str outcome_name(enum outcome outcome);

/* What the other side showed of itself while TLS was set up, also where it was refused. Texts are
 * bounded and unset where nothing was seen. */
struct tls_sight {
    struct str subject, issuer;       /* of its certificate: "CN=Corp Root,O=Corp" */
    struct str names;                 /* that the certificate is made for: "a.test, *.b.test" */
    struct str not_before, not_after; /* of the certificate at fault: "2026-01-31 10:00 UTC" */
    int64_t expires_ms; /* when the first of the chain's certificates does, wall clock; 0 = not seen
                         */
    struct str chain;   /* alone (no issuer was sent), gap (others were), open (up to an
                           intermediate),       whole */
    struct str version; /* that it chose, where that is an old one: "TLSv1.0" */
    struct str alert;   /* by which it ended the session: "protocol_version" */
    struct str speaks;  /* what came in place of TLS: http, other */
    bool asked_certificate; /* it wanted a certificate of ours */
};

/* One piece of evidence: what a probe got, what somebody pasted, or what is wrong in a config.
 * Strings live in the arena of whoever made it; body, headers and text are already bounded and
 * masked. Numbers that are not known are 0 for codes and -1 for times. */
struct observation {
    enum observation_kind kind;
    const struct target *target; /* NULL for pasted evidence */
    struct str provider;         /* hint: who produced the evidence, or unset */
    struct str client;           /* of evidence without a target: whose words help, or unset */
    struct str client_version;   /* or unset */
    enum step phase; /* step under way when it ended; STEP_ANSWER after a whole answer */

    int curl_code;     /* CURLcode */
    int os_errno;      /* of the connection */
    long tls_verify;   /* X509_V_* result */
    long proxy_status; /* status of the proxy's answer to CONNECT, or 0 */
    bool is_through_proxy;
    struct value proxy;     /* without credentials, and who named it */
    struct str proxy_error; /* what a SOCKS proxy says of itself: no_auth, refused ... */
    struct tls_sight tls;
    struct str dns_result;  /* why a name did not resolve: nxdomain, servfail, timeout ... */
    struct str dns_address; /* odd for a public name: fake_ip, private, loopback */
    struct str families;    /* of the addresses that were tried: "ipv4", "ipv6", "ipv4 ipv6" */
    struct str family;      /* of the peer that took the connection, a proxy's too; or unset */
    struct str no_route;    /* families that were tried and have no route here */

    long status;                  /* HTTP status, or 0 */
    const struct header *headers; /* names in lower case */
    size_t header_count;
    struct str body;  /* at most 64 KiB; for TEXT the text itself */
    bool is_body_cut; /* there was more */
    bool is_log;      /* an entry of a log: its lines end where they were written */
    bool is_unfolded; /* and its last line is the record whose message the others are */
    bool is_ordinary; /* and its level says that nothing is wrong */
    bool is_bare;     /* or its front names no level */
    bool is_talk;     /* and words alone count for nothing in it: classify/talk.h */
    bool is_marked;   /* and it quotes a machine: classify/marks.h */
    struct str about; /* and whom it is about: input/log_about.h; or unset */

    enum outcome outcome;    /* filled by the wire */
    struct str served_model; /* model that the answer names, or unset */
    struct str request_id;
    int64_t retry_after_ms; /* from headers, -1 unknown */
    int64_t date_skew_ms;   /* our clock minus the server's Date; has_date_skew says whether it is
                               known */
    bool has_date_skew;
    struct str address;            /* peer's IP address and port, or unset */
    const struct key_sight *sight; /* of a free request's answer, else NULL */

    int64_t step_ms[STEP_COUNT];  /* time spent in each network step, -1 = not reached */
    int64_t started_ms, total_ms; /* wall clock at the start, duration; of pasted evidence, when it
                                     was read */
    int64_t utc_offset_s;         /* of the reader's wall clock, for times of day in it */

    const struct problem *problem; /* for CONFIG; else NULL */
    struct origin origin;          /* place of pasted evidence: file and line */
};

/* An observation in which nothing is known yet but its kind: pasted HTTP is over, the rest has not
 * begun. */
struct observation observation_blank(enum observation_kind kind);

/* Value of the first header of that lower-case name, or unset. */
struct str observation_header(const struct observation *observation, struct str name);

#endif
