/* Names of transport numbers and of fields. */
#include "core/field.h"
#include "core/transport_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <curl/curl.h>
#include <errno.h>
#include <openssl/x509_vfy.h>

static void numbers_of_curl_and_openssl_have_their_names(void **state)
{
    (void)state;
    assert_true(str_eq(curl_code_name(CURLE_COULDNT_RESOLVE_HOST), STR("COULDNT_RESOLVE_HOST")));
    assert_true(
        str_eq(curl_code_name(CURLE_PEER_FAILED_VERIFICATION), STR("PEER_FAILED_VERIFICATION")));
    assert_true(str_eq(curl_code_name(CURLE_PROXY), STR("PROXY")));
    assert_true(str_eq(os_errno_name(ECONNREFUSED), STR("ECONNREFUSED")));
    assert_true(str_eq(tls_verify_name(X509_V_ERR_CERT_HAS_EXPIRED), STR("CERT_HAS_EXPIRED")));
    assert_true(str_eq(tls_verify_name(X509_V_ERR_HOSTNAME_MISMATCH), STR("HOSTNAME_MISMATCH")));
}

static void names_give_their_numbers_back(void **state)
{
    (void)state;
    for (int code = 1; code < 120; code++) {
        int curl = 0, os = 0;
        long verify = 0;
        if (str_is_set(curl_code_name(code))) {
            assert_true(curl_code_from_name(curl_code_name(code), &curl));
            assert_int_equal(curl, code);
        }
        if (str_is_set(os_errno_name(code))) {
            assert_true(os_errno_from_name(os_errno_name(code), &os));
            assert_int_equal(os, code);
        }
        if (str_is_set(tls_verify_name(code))) {
            assert_true(tls_verify_from_name(tls_verify_name(code), &verify));
            assert_int_equal(verify, code);
        }
    }
}

static void zero_and_unknown_numbers_have_no_name(void **state)
{
    (void)state;
    int number = 7;
    assert_false(str_is_set(curl_code_name(0)));
    assert_false(str_is_set(curl_code_name(9999)));
    assert_false(str_is_set(os_errno_name(0)));
    assert_false(str_is_set(tls_verify_name(-1)));
    assert_false(curl_code_from_name(STR("NO_SUCH"), &number));
    assert_int_equal(number, 7);
}

static void every_field_is_found_by_its_name(void **state)
{
    (void)state;
    enum field field;
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        assert_true(field_from_name(field_name((enum field)i), &field));
        assert_int_equal(field, i);
    }
    assert_false(field_from_name(STR("header.retry-after"), &field));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_curl_and_openssl_have_their_names),
        cmocka_unit_test(names_give_their_numbers_back),
        cmocka_unit_test(zero_and_unknown_numbers_have_no_name),
        cmocka_unit_test(every_field_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
