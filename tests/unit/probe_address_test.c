/* What addresses say of a name: families, and those that no public name should have. */
#include "probe/address.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void add(struct addresses *addresses, const char *text)
{
    union address *name = &addresses->items[addresses->count++];
    *name = (union address){0};
    if (inet_pton(AF_INET, text, &name->ipv4.sin_addr) == 1) {
        name->any.sa_family = AF_INET;
    } else {
        assert_int_equal(inet_pton(AF_INET6, text, &name->ipv6.sin6_addr), 1);
        name->any.sa_family = AF_INET6;
    }
}

static void knows_addresses_that_no_public_name_should_have(void **state)
{
    (void)state;
    static const struct {
        const char *host, *address, *kind;
    } rows[] = {
        {"api.example.com", "198.18.0.1", "fake_ip"},
        {"api.example.com", "198.19.255.255", "fake_ip"},
        {"api.example.com", "198.20.0.1", ""},
        {"api.example.com", "10.0.0.1", "private"},
        {"api.example.com", "172.31.0.1", "private"},
        {"api.example.com", "172.32.0.1", ""},
        {"api.example.com", "192.168.1.1", "private"},
        {"api.example.com", "100.64.0.1", "private"},
        {"api.example.com", "127.0.0.53", "loopback"},
        {"api.example.com", "0.0.0.0", "loopback"},
        {"api.example.com", "::1", "loopback"},
        {"api.example.com", "fd00::1", "private"},
        {"api.example.com", "fe80::1", "private"},
        {"api.example.com", "2001:db8::1", ""},
        {"api.example.com", "93.184.216.34", ""},
        {"box.local", "192.168.1.1", ""},
        {"gateway.corp", "10.0.0.1", ""},
        {"localhost", "127.0.0.1", ""},
        {"127.0.0.1", "127.0.0.1", ""},
        {"::1", "::1", ""},
        {"", "10.0.0.1", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct addresses addresses = {.count = 0};
        struct observation observation = {.status = 200};
        add(&addresses, rows[i].address);
        address_judge(&addresses, str_from(rows[i].host), &observation);
        if (!str_eq(observation.dns_address, str_from(rows[i].kind))) {
            fail_msg("%s at %s", rows[i].host, rows[i].address);
        }
    }
}

static void names_the_families_that_were_tried(void **state)
{
    (void)state;
    struct addresses addresses = {.count = 0};
    struct observation observation = {.status = 200};
    address_judge(&addresses, STR("h"), &observation);
    assert_false(str_is_set(observation.families));
    add(&addresses, "::1");
    address_judge(&addresses, STR("h"), &observation);
    assert_true(str_eq(observation.families, STR("ipv6")));
    add(&addresses, "127.0.0.1");
    address_judge(&addresses, STR("h"), &observation);
    assert_true(str_eq(observation.families, STR("ipv4 ipv6")));
    assert_false(str_is_set(observation.no_route));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_addresses_that_no_public_name_should_have),
        cmocka_unit_test(names_the_families_that_were_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
