/* --version: the program's own, and those of the libraries that do the work. */
#include "cli/help.h"

#define PCRE2_CODE_UNIT_WIDTH 8

#include <cJSON.h>
#include <curl/curl.h>
#include <microhttpd.h>
#include <openssl/crypto.h>
#include <pcre2.h>

void help_write_version(struct buf *out)
{
    char pcre2[64] = "";
    const curl_version_info_data *curl = curl_version_info(CURLVERSION_NOW);
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    buf_add(out, STR("diagnose " DIAGNOSE_VERSION "\n"));
    buf_printf(out, "libcurl %s (%s), cJSON %s, PCRE2 %s, libmicrohttpd %s, %s\n", curl->version,
               curl->ssl_version ? curl->ssl_version : "no TLS", cJSON_Version(), pcre2,
               MHD_get_version(), OpenSSL_version(OPENSSL_VERSION));
}
