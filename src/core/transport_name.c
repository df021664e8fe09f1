/* Names of CURLcodes, errno values and certificate verify results. Takes numbers or names, gives
 * the other; core knows no curl and no OpenSSL headers, so the stable numbers are listed in the
 * .def. */
#include "core/transport_name.h"

#include <errno.h>

struct named_number {
    long number;
    struct str name;
};

static const struct named_number curl_codes[] = {
#define CURL(number, name) {number, STR_INIT(name)},
#define ERRNO(name)
#define VERIFY(number, name)
#include "core/transport_name.def"
#undef CURL
#undef ERRNO
#undef VERIFY
};

static const struct named_number os_errnos[] = {
#define CURL(number, name)
#define VERIFY(number, name)
#define ERRNO(name) {name, STR_INIT(#name)},
#include "core/transport_name.def"
#undef CURL
#undef ERRNO
#undef VERIFY
};

static const struct named_number tls_verifies[] = {
#define CURL(number, name)
#define ERRNO(name)
#define VERIFY(number, name) {number, STR_INIT(name)},
#include "core/transport_name.def"
#undef CURL
#undef ERRNO
#undef VERIFY
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct str name_of(const struct named_number *table, size_t count, long number)
{
    for (size_t i = 0; i < count && number != 0; i++) {
        if (table[i].number == number) {
            return table[i].name;
        }
    }
    return (struct str){NULL, 0};
}

static bool number_of(const struct named_number *table, size_t count, struct str name, long *number)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(table[i].name, name)) {
            *number = table[i].number;
            return true;
        }
    }
    return false;
}

struct str curl_code_name(int number)
{
    return name_of(curl_codes, COUNT(curl_codes), number);
}

bool curl_code_from_name(struct str name, int *number)
{
    long found;
    if (!number_of(curl_codes, COUNT(curl_codes), name, &found)) {
        return false;
    }
    *number = (int)found;
    return true;
}

struct str os_errno_name(int number)
{
    return name_of(os_errnos, COUNT(os_errnos), number);
}

bool os_errno_from_name(struct str name, int *number)
{
    long found;
    if (!number_of(os_errnos, COUNT(os_errnos), name, &found)) {
        return false;
    }
    *number = (int)found;
    return true;
}

struct str tls_verify_name(long number)
{
    return name_of(tls_verifies, COUNT(tls_verifies), number);
}

bool tls_verify_from_name(struct str name, long *number)
{
    return number_of(tls_verifies, COUNT(tls_verifies), name, number);
}
