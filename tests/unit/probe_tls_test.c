/* TLS: a CA of the test's own, certificates with one thing wrong each, and what is observed of
 * them; through a tunnel as well. */
#include "probe_peer.h"

#include <curl/curl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <time.h>

#define DAY_S 86400L

struct issued {
    X509 *cert;
    EVP_PKEY *key;
    char cert_path[64], key_path[64];
};

static char folder[] = "/tmp/probe-tls-XXXXXX";
static struct issued ca, stranger, good, strange, expired, misnamed;
static struct peer peers[4], plain;

static void add_extension(X509 *cert, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, cert, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    assert_non_null(extension);
    X509_add_ext(cert, extension, -1);
    X509_EXTENSION_free(extension);
}

/* A certificate for `name`, signed by issuer (NULL: by itself, and then a CA). */
static struct issued issue(const char *file, const char *name, const struct issued *issuer,
                           long from_s, long to_s)
{
    static long serial = 1;
    struct issued made = {.cert = X509_new(), .key = EVP_EC_gen("P-256")};
    X509 *by = issuer ? issuer->cert : made.cert;
    X509_NAME *subject = X509_get_subject_name(made.cert);
    X509_set_version(made.cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.cert), serial++);
    X509_gmtime_adj(X509_getm_notBefore(made.cert), from_s);
    X509_gmtime_adj(X509_getm_notAfter(made.cert), to_s);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)file, -1, -1, 0);
    X509_set_issuer_name(made.cert, X509_get_subject_name(by));
    X509_set_pubkey(made.cert, made.key);
    if (issuer) {
        add_extension(made.cert, by, NID_subject_alt_name, name);
    } else {
        add_extension(made.cert, by, NID_basic_constraints, "critical,CA:TRUE");
    }
    assert_true(X509_sign(made.cert, issuer ? issuer->key : made.key, EVP_sha256()) > 0);
    snprintf(made.cert_path, sizeof made.cert_path, "%s/%s.pem", folder, file);
    snprintf(made.key_path, sizeof made.key_path, "%s/%s.key", folder, file);
    FILE *out = fopen(made.cert_path, "w");
    assert_int_equal(PEM_write_X509(out, made.cert), 1);
    fclose(out);
    out = fopen(made.key_path, "w");
    assert_int_equal(PEM_write_PrivateKey(out, made.key, NULL, NULL, 0, NULL, NULL), 1);
    fclose(out);
    return made;
}

static void drop(struct issued *issued)
{
    X509_free(issued->cert);
    EVP_PKEY_free(issued->key);
    unlink(issued->cert_path);
    unlink(issued->key_path);
}

static int start(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    ca = issue("ca", NULL, NULL, -DAY_S, DAY_S);
    stranger = issue("stranger", NULL, NULL, -DAY_S, DAY_S);
    good = issue("good", "IP:127.0.0.1,DNS:tunnelled.test", &ca, -DAY_S, DAY_S);
    strange = issue("strange", "IP:127.0.0.1", &stranger, -DAY_S, DAY_S);
    expired = issue("expired", "IP:127.0.0.1", &ca, -9 * DAY_S, -DAY_S);
    misnamed = issue("misnamed", "DNS:other.test", &ca, -DAY_S, DAY_S);
    const struct issued *served[] = {&good, &strange, &expired, &misnamed};
    for (size_t i = 0; i < 4; i++) {
        peers[i] = peer_start(1, served[i]->cert_path, served[i]->key_path);
    }
    plain = peer_start(1, NULL, NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    struct issued *all[] = {&ca, &stranger, &good, &strange, &expired, &misnamed};
    for (size_t i = 0; i < 4; i++) {
        peer_stop(&peers[i]);
    }
    peer_stop(&plain);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        drop(all[i]);
    }
    rmdir(folder);
    return 0;
}

static struct target *ask(struct trial *t, const struct peer *peer, const char *mode)
{
    struct target *target = trial_add(
        t, "chat", arena_printf(t->arena, "https://127.0.0.1:%u/%s", peer->ports[0], mode));
    target->ca_file.text = str_from(ca.cert_path);
    return target;
}

static void names_what_is_wrong_with_a_certificate(void **state)
{
    (void)state;
    static const long verify[] = {X509_V_OK, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                                  X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_HOSTNAME_MISMATCH};
    struct trial t = trial_create();
    for (size_t i = 0; i < 4; i++) {
        ask(&t, &peers[i], "ok");
    }
    trial_run(&t);
    assert_int_equal(t.observations[0].outcome, OUTCOME_COMPLETE);
    assert_true(t.observations[0].step_ms[STEP_TLS] >= 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(t.observations[i].tls_verify, verify[i]);
        if (i > 0) {
            assert_int_equal(t.observations[i].kind, OBSERVATION_TRANSPORT);
            assert_int_equal(t.observations[i].curl_code, CURLE_PEER_FAILED_VERIFICATION);
            assert_int_equal(t.observations[i].phase, STEP_TLS);
            assert_true(t.observations[i].step_ms[STEP_HTTP] == -1);
        }
    }
    trial_free(&t);
}

static void shows_a_certificate_that_was_refused(void **state)
{
    (void)state;
    struct trial t = trial_create();
    for (size_t i = 0; i < 4; i++) {
        ask(&t, &peers[i], "ok");
    }
    trial_run(&t);
    static const char *const issuers[] = {"CN=ca", "CN=stranger", "CN=ca", "CN=ca"};
    static const char *const names[] = {"127.0.0.1, tunnelled.test", "127.0.0.1", "127.0.0.1",
                                        "other.test"};
    char yesterday[32];
    time_t then = time(NULL) - DAY_S;
    for (size_t i = 0; i < 4; i++) {
        const struct tls_sight *sight = &t.observations[i].tls;
        assert_true(str_eq(sight->issuer, str_from(issuers[i])));
        assert_true(str_eq(sight->names, str_from(names[i])));
        assert_true(str_eq(sight->chain, STR("alone")));
        assert_false(str_is_set(sight->version));
    }
    strftime(yesterday, sizeof yesterday, "%Y-%m-%d ", gmtime(&then));
    assert_true(str_starts(t.observations[2].tls.not_after, str_from(yesterday)));
    trial_free(&t);
}

static void trusts_the_systems_certificates_unless_told(void **state)
{
    (void)state;
    struct trial t = trial_create();
    ask(&t, &peers[0], "ok")->ca_file = (struct value){0};
    ask(&t, &peers[0], "ok")->ca_file.text = STR("/no/such/file.pem");
    trial_run(&t);
    assert_int_equal(t.observations[0].curl_code, CURLE_PEER_FAILED_VERIFICATION);
    assert_int_equal(t.observations[1].curl_code, CURLE_SSL_CACERT_BADFILE);
    assert_int_equal(t.observations[1].phase, STEP_TLS);
    trial_free(&t);
}

static void tells_a_handshake_from_an_answer(void **state)
{
    (void)state;
    struct trial t = trial_create();
    t.options.timeout_ms = 1500;
    ask(&t, &plain, "ok");        /* no TLS on the other side: it waits for the end of a header */
    ask(&t, &peers[0], "silent"); /* TLS, and then nothing */
    ask(&t, &peers[0], "reset");
    trial_run(&t);
    assert_int_equal(t.observations[0].phase, STEP_TLS);
    assert_int_equal(t.observations[0].kind, OBSERVATION_TRANSPORT);
    assert_int_equal(t.observations[1].phase, STEP_HTTP);
    assert_int_equal(t.observations[1].curl_code, CURLE_OPERATION_TIMEDOUT);
    assert_int_equal(t.observations[2].phase, STEP_HTTP);
    assert_int_equal(t.observations[2].tls_verify, X509_V_OK);
    trial_free(&t);
}

static void a_session_used_again_does_not_blur_the_step(void **state)
{
    (void)state;
    struct trial t = trial_create();
    t.options.per_host = 1;
    t.options.timeout_ms = 1500;
    ask(&t, &peers[0], "ok");
    ask(&t, &peers[0], "silent");
    trial_run(&t);
    assert_int_equal(t.observations[0].outcome, OUTCOME_COMPLETE);
    assert_int_equal(t.observations[1].curl_code, CURLE_OPERATION_TIMEDOUT);
    assert_int_equal(t.observations[1].phase, STEP_HTTP);
    trial_free(&t);
}

static void goes_through_a_tunnel(void **state)
{
    (void)state;
    struct trial t = trial_create();
    struct str proxy = arena_printf(t.arena, "http://127.0.0.1:%u", plain.ports[0]);
    static const char *const hosts[] = {"tunnelled.test", "misnamed.test", "407.test", "503.test",
                                        "silent.test"};
    t.options.timeout_ms = 1500;
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        struct target *target = ask(&t, &peers[0], "ok");
        target->base_url.text =
            arena_printf(t.arena, "https://%s:%u/ok", hosts[i], peers[0].ports[0]);
        target->proxy.text = proxy;
    }
    trial_run(&t);
    struct observation *o = t.observations;
    for (size_t i = 0; i < t.count; i++) {
        assert_true(o[i].is_through_proxy);
        assert_int_equal(o[i].kind, i == 0 ? OBSERVATION_HTTP : OBSERVATION_TRANSPORT);
        assert_int_equal(o[i].status, i == 0 ? 200 : 0);
    }
    assert_int_equal(o[0].outcome, OUTCOME_COMPLETE);
    assert_int_equal(o[0].proxy_status, 200);
    assert_int_equal(o[1].tls_verify, X509_V_ERR_HOSTNAME_MISMATCH);
    assert_int_equal(o[1].phase, STEP_TLS);
    for (size_t i = 2; i < 5; i++) {
        static const long answers[] = {407, 503, 0};
        assert_int_equal(o[i].proxy_status, answers[i - 2]);
        assert_int_equal(o[i].phase, STEP_CONNECT);
    }
    assert_int_equal(o[4].curl_code, CURLE_OPERATION_TIMEDOUT);
    trial_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_what_is_wrong_with_a_certificate),
        cmocka_unit_test(shows_a_certificate_that_was_refused),
        cmocka_unit_test(trusts_the_systems_certificates_unless_told),
        cmocka_unit_test(tells_a_handshake_from_an_answer),
        cmocka_unit_test(a_session_used_again_does_not_blur_the_step),
        cmocka_unit_test(goes_through_a_tunnel),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
