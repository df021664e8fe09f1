/* What TLS shows of the other side. Takes the SSL_CTX that libcurl is about to use, hangs callbacks
 * on it that write down the certificate, the chain, old versions, alerts and what came in place of
 * TLS. They only listen: what OpenSSL and libcurl decide stays as it is. libcurl itself tells
 * nothing of a certificate that was refused. */
#include "probe/tls.h"

#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

#define NAME_BYTES_MAX 200
#define NAMES_MAX 8
#define CHAIN_MAX 12

static struct str taken(struct arena *arena, BIO *out)
{
    char *bytes = NULL;
    long count = BIO_get_mem_data(out, &bytes);
    struct str text = {bytes, count > 0 ? (size_t)count : 0};
    return text.len ? arena_dup(arena, str_slice(text, 0, NAME_BYTES_MAX)) : (struct str){NULL, 0};
}

static struct str name_text(struct arena *arena, const X509_NAME *name)
{
    BIO *out = BIO_new(BIO_s_mem());
    struct str text = {NULL, 0};
    if (out && name &&
        X509_NAME_print_ex(out, name, 0, XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB) >=
            0) {
        text = taken(arena, out);
    }
    BIO_free(out);
    return text;
}

static struct str time_text(struct arena *arena, const ASN1_TIME *time)
{
    struct tm when;
    if (!time || !ASN1_TIME_to_tm(time, &when)) {
        return (struct str){NULL, 0};
    }
    return arena_printf(arena, "%04d-%02d-%02d %02d:%02d UTC", when.tm_year + 1900, when.tm_mon + 1,
                        when.tm_mday, when.tm_hour, when.tm_min);
}

static struct str alternative_text(struct arena *arena, const GENERAL_NAME *name)
{
    char text[INET6_ADDRSTRLEN];
    if (name->type == GEN_DNS) {
        const ASN1_IA5STRING *dns = name->d.dNSName;
        struct str s = {(const char *)ASN1_STRING_get0_data(dns), (size_t)ASN1_STRING_length(dns)};
        return arena_dup(arena, str_slice(s, 0, NAME_BYTES_MAX));
    }
    if (name->type == GEN_IPADD) {
        const ASN1_OCTET_STRING *ip = name->d.iPAddress;
        int length = ASN1_STRING_length(ip);
        if ((length == 4 || length == 16) &&
            inet_ntop(length == 4 ? AF_INET : AF_INET6, ASN1_STRING_get0_data(ip), text,
                      sizeof text)) {
            return arena_dup(arena, str_from(text));
        }
    }
    return (struct str){NULL, 0};
}

static struct str common_name(struct arena *arena, const X509 *cert)
{
    const X509_NAME *subject = X509_get_subject_name(cert);
    int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    const ASN1_STRING *text =
        at < 0 ? NULL : X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at));
    if (!text) {
        return (struct str){NULL, 0};
    }
    struct str s = {(const char *)ASN1_STRING_get0_data(text), (size_t)ASN1_STRING_length(text)};
    return arena_dup(arena, str_slice(s, 0, NAME_BYTES_MAX));
}

/* Hosts that the certificate is for; the common name counts where there is no list of them. */
static struct str names_text(struct arena *arena, const X509 *cert)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(cert, NID_subject_alt_name, NULL, NULL);
    struct str text = {NULL, 0};
    int shown = 0, count = names ? sk_GENERAL_NAME_num(names) : 0;
    for (int i = 0; i < count && shown < NAMES_MAX; i++) {
        struct str one = alternative_text(arena, sk_GENERAL_NAME_value(names, i));
        if (one.len) {
            text =
                arena_printf(arena, "%.*s%s%.*s", STR_ARG(text), shown ? ", " : "", STR_ARG(one));
            shown++;
        }
    }
    if (shown == NAMES_MAX && count > NAMES_MAX) {
        text = arena_printf(arena, "%.*s ...", STR_ARG(text));
    }
    GENERAL_NAMES_free(names);
    return text.len ? text : common_name(arena, cert);
}

static bool is_issuer(X509 *issuer, X509 *cert)
{
    return X509_check_issued(issuer, cert) == X509_V_OK;
}

/* How far the certificates that were sent lead from the host's own upwards. */
static struct str chain_text(X509 *leaf, STACK_OF(X509) * sent)
{
    int count = sent ? sk_X509_num(sent) : 0;
    count = count < CHAIN_MAX ? count : CHAIN_MAX;
    X509 *at = leaf;
    for (int steps = 0; steps <= count; steps++) {
        X509 *next = NULL;
        if (is_issuer(at, at)) {
            return STR("whole");
        }
        for (int i = 0; i < count && !next; i++) {
            X509 *other = sk_X509_value(sent, i);
            next = other != at && is_issuer(other, at) ? other : NULL;
        }
        if (!next) {
            return steps > 0 ? STR("open") : count > 1 ? STR("gap") : STR("alone");
        }
        at = next;
    }
    return STR("open");
}

/* Moment of a certificate's end as ms since 1970, or 0. */
static int64_t expiry_ms(const X509 *cert)
{
    struct tm when;
    const ASN1_TIME *end = X509_get0_notAfter(cert);
    return end && ASN1_TIME_to_tm(end, &when) ? (int64_t)timegm(&when) * 1000 : 0;
}

/* The chain holds only as long as each of its certificates. */
static int64_t first_expiry_ms(X509_STORE_CTX *store, const X509 *leaf)
{
    STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(store);
    int64_t first = expiry_ms(leaf);
    for (int i = 0; i < sk_X509_num(chain); i++) {
        int64_t end = expiry_ms(sk_X509_value(chain, i));
        first = end && (first == 0 || end < first) ? end : first;
    }
    return first;
}

/* In the place of the usual check, which it is: the result is handed on untouched. */
static int verify(X509_STORE_CTX *store, void *context)
{
    struct tls_watch *watch = context;
    int result = X509_verify_cert(store);
    X509 *leaf = X509_STORE_CTX_get0_cert(store);
    X509 *fault = X509_STORE_CTX_get_current_cert(store);
    fault = result == 1 || !fault ? leaf : fault;
    if (leaf) {
        struct tls_sight *sight = &watch->sight;
        sight->subject = name_text(watch->arena, X509_get_subject_name(leaf));
        sight->issuer = name_text(watch->arena, X509_get_issuer_name(leaf));
        sight->names = names_text(watch->arena, leaf);
        sight->not_before = time_text(watch->arena, X509_get0_notBefore(fault));
        sight->not_after = time_text(watch->arena, X509_get0_notAfter(fault));
        sight->expires_ms = first_expiry_ms(store, leaf);
        sight->chain = chain_text(leaf, X509_STORE_CTX_get0_untrusted(store));
    }
    return result;
}

static struct str old_version(unsigned major_minor)
{
    static const struct {
        unsigned number;
        struct str name;
    } rows[] = {
        {SSL3_VERSION, STR_INIT("SSLv3")},
        {TLS1_VERSION, STR_INIT("TLSv1.0")},
        {TLS1_1_VERSION, STR_INIT("TLSv1.1")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].number == major_minor) {
            return rows[i].name;
        }
    }
    return (struct str){NULL, 0};
}

static struct str alert_name(unsigned number)
{
    static const struct {
        unsigned number;
        struct str name;
    } rows[] = {
        {SSL_AD_UNEXPECTED_MESSAGE, STR_INIT("unexpected_message")},
        {SSL_AD_HANDSHAKE_FAILURE, STR_INIT("handshake_failure")},
        {SSL_AD_BAD_CERTIFICATE, STR_INIT("bad_certificate")},
        {SSL_AD_UNSUPPORTED_CERTIFICATE, STR_INIT("unsupported_certificate")},
        {SSL_AD_CERTIFICATE_EXPIRED, STR_INIT("certificate_expired")},
        {SSL_AD_CERTIFICATE_UNKNOWN, STR_INIT("certificate_unknown")},
        {SSL_AD_ILLEGAL_PARAMETER, STR_INIT("illegal_parameter")},
        {SSL_AD_UNKNOWN_CA, STR_INIT("unknown_ca")},
        {SSL_AD_ACCESS_DENIED, STR_INIT("access_denied")},
        {SSL_AD_PROTOCOL_VERSION, STR_INIT("protocol_version")},
        {SSL_AD_INSUFFICIENT_SECURITY, STR_INIT("insufficient_security")},
        {SSL_AD_INTERNAL_ERROR, STR_INIT("internal_error")},
        {SSL_AD_UNRECOGNIZED_NAME, STR_INIT("unrecognized_name")},
        {SSL_AD_CERTIFICATE_REQUIRED, STR_INIT("certificate_required")},
        {SSL_AD_NO_APPLICATION_PROTOCOL, STR_INIT("no_application_protocol")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].number == number) {
            return rows[i].name;
        }
    }
    return STR("other");
}

/* Called for each message of the session, and for the head of each record. */
static void take_message(int is_ours, int version, int kind, const void *bytes, size_t length,
                         SSL *ssl, void *context)
{
    struct tls_watch *watch = context;
    struct tls_sight *sight = &watch->sight;
    const unsigned char *b = bytes;
    (void)version;
    (void)ssl;
    if (is_ours) {
        return;
    }
    if (kind == SSL3_RT_HEADER && !watch->has_record) {
        bool is_record = length > 0 && b[0] >= SSL3_RT_CHANGE_CIPHER_SPEC &&
                         b[0] <= 24 /* heartbeat, the last one there is */;
        watch->has_record = true;
        if (!is_record) {
            bool is_http = length >= 4 && (memcmp(b, "HTTP", 4) == 0 || b[0] == '<');
            sight->speaks = is_http ? STR("http") : STR("other"); /* a page without a head, too */
        }
    } else if (kind == SSL3_RT_ALERT && length == 2 && b[0] == SSL3_AL_FATAL) {
        sight->alert = alert_name(b[1]);
    } else if (kind == SSL3_RT_HANDSHAKE && length >= 6 && b[0] == SSL3_MT_SERVER_HELLO) {
        sight->version = old_version((unsigned)b[4] << 8 | b[5]);
    } else if (kind == SSL3_RT_HANDSHAKE && length > 0 && b[0] == SSL3_MT_CERTIFICATE_REQUEST) {
        sight->asked_certificate = true;
    }
}

void tls_watch(struct tls_watch *watch, void *ssl_ctx)
{
    const curl_version_info_data *curl = curl_version_info(CURLVERSION_NOW);
    if (!curl->ssl_version || !str_starts(str_from(curl->ssl_version), STR("OpenSSL"))) {
        return; /* another library's context */
    }
    watch->has_record = false;
    SSL_CTX_set_cert_verify_callback(ssl_ctx, verify, watch);
    SSL_CTX_set_msg_callback(ssl_ctx, take_message);
    SSL_CTX_set_msg_callback_arg(ssl_ctx, watch);
}

bool tls_agreed_on_http2(CURL *easy)
{
    struct curl_tlssessioninfo *session = NULL;
    const unsigned char *protocol = NULL;
    unsigned length = 0;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) || !session->internals ||
        session->backend != CURLSSLBACKEND_OPENSSL) {
        return true;
    }
    SSL_get0_alpn_selected(session->internals, &protocol, &length);
    return length == 2 && memcmp(protocol, "h2", 2) == 0;
}
