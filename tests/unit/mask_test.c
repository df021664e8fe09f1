/* What the mask hides of texts: keys in every place and form, and parts of a key; and that it takes
 * one walk. */
#include "base/mask.h"
#include "base/mask_form.h"
#include "base/mask_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void assert_str(struct str have, const char *want)
{
    assert_int_equal(have.len, strlen(want));
    assert_memory_equal(have.ptr, want, have.len);
}

static const struct {
    struct str in;
    const char *out;
} masked[] = {
    {STR_INIT("got sk-abcdefghijklmnop."), "got [masked]"},
    {STR_INIT("unknown option --sk-abcdefghijklmnop"), "unknown option --[masked]"},
    {STR_INIT("risk-averse-behaviour-here"), "risk-averse-behaviour-here"},
    {STR_INIT("Incorrect API key provided: sk-test*****0000."),
     "Incorrect API key provided: sk-test*****0000."},
    {STR_INIT("Authorization: Bearer abcdefghijkl/+=="), "Authorization: Bearer [masked]"},
    {STR_INIT("\"x-api-key\": \"0123456789abcdef\""), "\"x-api-key\": \"[masked]\""},
    {STR_INIT("GET /v1?key=0123456789abcdef&x=1"), "GET /v1?key=[masked]&x=1"},
    {STR_INIT("http://user:pass@host/x"), "http://[masked]@host/x"},
    {STR_INIT("http://host/x@y"), "http://host/x@y"},
    /* In JSON text the letter before the name may be the end of an escape. */
    {STR_INIT("\"POST /v1\\nauthorization: Basic dXNlcjpwYXNzd29yZA==\""),
     "\"POST /v1\\nauthorization: Basic [masked]\""},
    {STR_INIT("a\\r\\nx-api-key: 0123456789abcdef"), "a\\r\\nx-api-key: [masked]"},
    {STR_INIT("key:\\tsk-abcdefghijklmnop"), "key:\\t[masked]"},
    {STR_INIT("\\u000aauthorization: Bearer abcdefghijkl"),
     "\\u000aauthorization: Bearer [masked]"},
    {STR_INIT("nauthorization: Basic dXNlcjpwYXNzd29yZA"),
     "nauthorization: Basic dXNlcjpwYXNzd29yZA"},
    {STR_INIT("key=0123456789abcdef&x=1"), "key=[masked]&x=1"},
    {STR_INIT("/v1?a=b&sig=0123456789abcdef"), "/v1?a=b&sig=[masked]"},
    {STR_INIT("Proxy-Authorization: Basic dXNlcjpwYXNz"), "Proxy-Authorization: Basic [masked]"},
    {STR_INIT("{\"m\":\"bad\\nsk-abcdefghijklmnop\"}"), "{\"m\":\"bad\\n[masked]\"}"},
    {STR_INIT("a\\u0020sk-abcdefghijklmnop"), "a\\u0020[masked]"},
    {STR_INIT("a%20sk-abcdefghijklmnop"), "a%20[masked]"},
    {STR_INIT("\\u0073k-abcdefghijklmnop!"), "[masked]!"},
    {STR_INIT("sk-abcdef\\\\u0067hijklmnop!"), "[masked]!"},
    {STR_INIT("%73k-abcdefghijklmnop!"), "[masked]!"},
    {STR_INIT("&#115;k-abcdefgh&#x69;jklmnop!"), "[masked]!"},
    {STR_INIT("\\nAuthorization\\u0022:\\u0022abcdefghijkl"),
     "\\nAuthorization\\u0022:\\u0022[masked]"},
    {STR_INIT("\x1b[31msk-abcdefghijklmnop\x1b[0m"), "\x1b[31m[masked]\x1b[0m"},
    {STR_INIT("\x1b(B\x1b[msk-abcdefghijklmnop!"), "\x1b(B\x1b[m[masked]!"},
    {STR_INIT("\x1b(Bsk-abcdefghijklmnop!"), "\x1b(B[masked]!"},
    {STR_INIT("\xc2\x9b"
              "31msk-abcdefghijklmnop!"),
     "\xc2\x9b"
     "31m[masked]!"},
    {STR_INIT("\\u001b[31msk-abcdefghijklmnop!"), "\\u001b[31m[masked]!"},
    {STR_INIT("\\x1B[mx-api-key: 0123456789abcdef"), "\\x1B[mx-api-key: [masked]"},
    {STR_INIT("[31msk-abcdefghijklmnop[0m"), "[31m[masked][0m"},
    {STR_INIT("[task-abcdefghijklmnop] (ask-abcdefghijklmnop)"),
     "[task-abcdefghijklmnop] (ask-abcdefghijklmnop)"},
    {STR_INIT("features.sk-abcdefghijklmnop is on"), "features.[masked] is on"},
    {STR_INIT("sent eyJhbGciOiJub25lIn0.e30."), "sent [masked]"},
    /* The rest of a key in the next line goes with it, a word of prose does not. */
    {STR_INIT("key sk-abcdefghijklmnop\\nQr7Stu8Vwx9Yz0 is"), "key [masked] is"},
    {STR_INIT("key sk-abcdefghijklmnop\\\\n  Qr7Stu8Vwx9Yz0\\nAb1Cd2Ef3Gh4Ij"), "key [masked]"},
    {STR_INIT("key sk-abcdefghijklmnop\r\nQr7Stu8Vwx9Yz0 is"), "key [masked] is"},
    {STR_INIT("key sk-abcdefghijklmnop\nAuthorization failed"),
     "key [masked]\nAuthorization failed"},
    {STR_INIT("key sk-abcdefghijklmnop\n2026-11-30T12:00:00Z POST"),
     "key [masked]\n2026-11-30T12:00:00Z POST"},
    {STR_INIT("key sk-abcdefghijklmnop\\nopenai.BadRequestError2 raised"),
     "key [masked]\\nopenai.BadRequestError2 raised"},
    /* So does one that lacks figures or capitals, and the rest of a key that a name tells. */
    {STR_INIT("key sk-abcdefghijklmnop\nopQRSTuVWX-YzAbCdEfgHiJkLAA is"), "key [masked] is"},
    {STR_INIT("key sk-0123456789abcdef\n9f8e7d6c5b4a3210 is"), "key [masked] is"},
    {STR_INIT("Authorization: Bearer 0a1b2c3d4e5f6a7b\nQr7Stu8Vwx9Yz0 is"),
     "Authorization: Bearer [masked] is"},
    {STR_INIT("x-api-key: 0a1b2c3d4e5f6a7b\ncontent-type: text"),
     "x-api-key: [masked]\ncontent-type: text"},
    {STR_INIT("key sk-abcdefghijklmnop\nGenerateContentRequest failed"),
     "key [masked]\nGenerateContentRequest failed"},
    {STR_INIT("key sk-abcdefghijklmnop\ngpt-4o-mini-2024-07-18 failed"),
     "key [masked]\ngpt-4o-mini-2024-07-18 failed"},
    {STR_INIT("key sk-abcdefghijklmnop\nclaude-haiku-4-5-20251001 failed"),
     "key [masked]\nclaude-haiku-4-5-20251001 failed"},
    {STR_INIT("key gq_abcde\\nfghijklmnopq is"), "key [masked] is"},
    {STR_INIT("key gq_abcde\nfghijklmnopqr is"), "key gq_abcde\nfghijklmnopqr is"},
    {STR_INIT("100% of \\u4f59 &amp; &#x4f59; \\"), "100% of \\u4f59 &amp; &#x4f59; \\"},
};

static void hides_keys_in_every_place(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct secret key = secret_create(arena, STR("topsecretvalue1"));
    struct secret none = secret_create(arena, (struct str){NULL, 0});
    struct str prefixes[] = {STR("sk-"), STR("AIza")}, shape = STR("gq_{17a}");
    struct mask mask = {.secrets = &key,
                        .secret_count = 1,
                        .key_prefixes = prefixes,
                        .prefix_count = 2,
                        .key_shapes = &shape,
                        .shape_count = 1};
    assert_string_equal(none.fingerprint, "");
    assert_int_equal(strlen(key.fingerprint), 8);
    for (size_t i = 0; i < sizeof masked / sizeof masked[0]; i++) {
        assert_str(mask_text(arena, &mask, masked[i].in), masked[i].out);
    }
    struct str shown = mask_text(arena, &mask, STR("x topsecretvalue1 y"));
    assert_int_equal(str_find(shown, STR("topsecret")), -1);
    assert_true(str_find(shown, str_from(key.fingerprint)) > 0);
    shown = mask_text(arena, &mask, STR("see https://a\0b:pass-word@h/v1"));
    assert_int_equal(str_find(shown, STR("pass-word")), -1);
    shown = mask_text(arena, &mask, STR("x to\\u0070secret%76alue1 y"));
    assert_int_equal(str_find(shown, STR("secret")), -1);
    arena_free(arena);
}

/* A terminal, a table or JSON shows a long key over several lines. */
static void a_known_key_is_read_over_ends_of_lines(void **state)
{
    static const char *const breaks[] = {"\n",     "\r\n  ", "\\n", "\\\\n",
                                         "\\\n\t", "\\r\\n", "%0A", "\\u000a"};
    struct arena *arena = arena_create();
    struct secret key = secret_create(arena, STR("Zq7TopWhisperValue42xyzzy"));
    struct mask plain = {.secrets = &key, .secret_count = 1}, indexed = plain;
    indexed.index = mask_index_create(arena, &plain);
    (void)state;
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        for (size_t at = 1; at < key.value.len; at++) {
            struct str text = arena_printf(arena, "a %.*s%s%s b", (int)at, key.value.ptr, breaks[i],
                                           key.value.ptr + at);
            struct str want = arena_printf(arena, "a [key %s] b", key.fingerprint);
            assert_str(mask_text(arena, &plain, text), want.ptr);
            assert_str(mask_text(arena, &indexed, text), want.ptr);
        }
    }
    arena_free(arena);
}

/* Of a header or a body that held the key; the letters that its neighbours share stay. */
static void knows_a_key_in_base64(void **state)
{
    static const char *const texts[] = {
        "WnE3VG9wV2hpc3BlclZhbHVlNDJ4eXp6eT8-Pz4_fg==", /* alone, in both alphabets */
        "WnE3VG9wV2hpc3BlclZhbHVlNDJ4eXp6eT8+Pz4/fg==",
        "dXNlcjpacTdUb3BXaGlzcGVyVmFsdWU0Mnh5enp5Pz4/Pj9+",     /* behind "user:" */
        "YmVhcmVyIFpxN1RvcFdoaXNwZXJWYWx1ZTQyeHl6enk/Pj8+P34=", /* behind "bearer " */
        "WnE3VG9wV2hpc3BlclZh\\nbHVlNDJ4eXp6eT8+Pz4/fg==",
    };
    struct arena *arena = arena_create();
    struct secret key = secret_create(arena, STR("Zq7TopWhisperValue42xyzzy?>?>?~"));
    struct secret brief = secret_create(arena, STR("changeme")), forms[MASK_FORMS_MAX];
    struct mask mask = {.secrets = forms, .secret_count = mask_forms(arena, &key, forms)};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct str shown = mask_text(arena, &mask, str_from(texts[i]));
        assert_true(str_find(shown, str_from(key.fingerprint)) >= 0);
        assert_true(shown.len < 32);
    }
    assert_int_equal(mask_forms(arena, &brief, forms), 0);
    arena_free(arena);
}

/* Five layers of JSON make sixteen backslashes of one; a longer run is no escape of a letter, and
 * breaks the key in two that stand for none. */
static void keys_are_read_behind_sixteen_backslashes(void **state)
{
    static const char slashes[] = "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\";
    struct arena *arena = arena_create();
    struct str prefix = STR("sk-");
    struct mask mask = {.key_prefixes = &prefix, .prefix_count = 1};
    (void)state;
    assert_int_equal(strlen(slashes), 17);
    for (int count = 1; count <= 17; count++) {
        struct str text = arena_printf(arena, "sk-abcdefg%.*su0068ijklmnop!", count, slashes);
        struct str inside = arena_printf(arena, "sk-abcdefg%.*sx68ijklmnop!", count, slashes);
        assert_str(mask_text(arena, &mask, text), count <= 16 ? "[masked]!" : text.ptr);
        assert_str(mask_text(arena, &mask, inside), count <= 16 ? "[masked]!" : inside.ptr);
    }
    arena_free(arena);
}

static void hides_parts_of_a_key_from_its_receiver(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct secret key = secret_create(arena, STR("Zq7TopWhisperValue42xyzzy"));
    static const char *const texts[] = {
        "a Zq7TopWhisper... b",
        "a ...WhisperValue42 b",
        "a Zq7TopWhispe rValue42xyzzy b",
        "a Zq7Top\\u0057hisperValue b",
        "a WnE3VG9wV2hpc3BlclZhbHVlNDJ4eXp6eQ== b",
        "a dXNlcjpacTdUb3BXaGlzcGVyVmFsdWU0Mnh5enp5 b",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct str shown = mask_parts(arena, &key, str_from(texts[i]));
        assert_true(str_starts(shown, STR("a ")) && str_ends(shown, STR(" b")));
        assert_true(str_find(shown, str_from(key.fingerprint)) > 0);
        assert_int_equal(str_find(shown, STR("hisper")), -1);
        assert_int_equal(str_find(shown, STR("XaGlzcGVy")), -1);
    }
    static const char words[] = "whisper, Zq7TopWh and Value42x are few letters";
    assert_str(mask_parts(arena, &key, str_from(words)), words);
    struct secret plain = secret_create(arena, STR("my-openai-api-key"));
    assert_str(mask_parts(arena, &plain, STR("set openai-api-key")), "set openai-api-key");
    arena_free(arena);
}

/* Its first letter begins no prefix, and no word of ours. */
static void hides_a_key_without_prefix_behind_what_is_no_word(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct str shape = STR("{24h}");
    const struct mask mask = {.key_shapes = &shape, .shape_count = 1};
    static const char *const texts[][2] = {
        {"features.0f1e2d3c4b5a69788796a5b4 is on", "features.[masked] is on"},
        {"features-0f1e2d3c4b5a69788796a5b4 is on", "features-0f1e2d3c4b5a69788796a5b4 is on"},
        {"--0f1e2d3c4b5a69788796a5b4", "--[masked]"},
        {"\x1b[31m0f1e2d3c4b5a69788796a5b4\x1b[0m", "\x1b[31m[masked]\x1b[0m"},
        {"\x1b(B0f1e2d3c4b5a69788796a5b4", "\x1b(B[masked]"},
        {"[0mx-api-key: 0123456789abcdef", "[0mx-api-key: [masked]"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_str(mask_text(arena, &mask, str_from(texts[i][0])), texts[i][1]);
    }
    arena_free(arena);
}

/* With an index the same is hidden as without: the first listed one that stands there, escaped or
 * not. */
static void finds_one_secret_of_many(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct secret secrets[304];
    size_t count = 0;
    for (unsigned i = 0; i < 300; i++) {
        secrets[count++] = secret_create(arena, arena_printf(arena, "pw:%05u!", i * 37));
    }
    static const char *const more[] = {"pw:00037!and-more", "longer-secret", "longer", "short"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        secrets[count++] = secret_create(arena, str_from(more[i]));
    }
    const struct mask plain = {.secrets = secrets, .secret_count = count};
    struct mask indexed = plain;
    indexed.index = mask_index_create(arena, &indexed);
    static const char *const texts[] = {
        "a pw:00037! b",
        "a pw:00037!and-more b",
        "a longer-secret b",
        "a longer b",
        "a longe",
        "short is no secret",
        "a pw:00037",
        "pw:00038!",
        "a pw:\\u0030011%31! b",
        "a %6conger-secret pw:11063!",
        "%70w:00111!pw:00037!",
        "",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct str text = str_from(texts[i]);
        assert_true(str_eq(mask_text(arena, &indexed, text), mask_text(arena, &plain, text)));
    }
    assert_true(str_starts(mask_text(arena, &indexed, str_from(texts[0])), STR("a [key ")));
    assert_true(str_ends(mask_text(arena, &indexed, str_from(texts[8])), STR("] b")));
    assert_true(mask_knows(&indexed, STR("short")) && mask_knows(&plain, STR("short")));
    assert_false(mask_knows(&indexed, STR("longer-")) || mask_knows(&plain, STR("longer-")));
    indexed.secret_count = 1; /* a mask that became another's has no use for it */
    assert_str(mask_text(arena, &indexed, STR("longer-secret")), "longer-secret");
    arena_free(arena);
}

/* Wherever a part begins in the key and in the text: what is looked at first are samples. */
static void sees_every_part_of_a_key(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct secret key = secret_create(arena, STR("Zq7TopWhisperValue42xyzzy"));
    for (size_t from = 0; from + 9 <= key.value.len; from++) {
        struct str part = str_slice(key.value, from, from + 9);
        for (int before = 0; before < 9; before++) {
            struct str text = arena_printf(arena, "%*s%.*s:", before, "", STR_ARG(part));
            struct str shown = mask_parts(arena, &key, text);
            assert_true(mask_may_hold_part(&key, &text, 1));
            assert_int_equal(str_find(shown, part), -1);
        }
    }
    assert_true(mask_may_hold_part(&key, &STR("Zq7Top\\u0057hisperValue"), 1));
    assert_false(mask_may_hold_part(&key, &STR("{\"error\": {\"message\": \"50% more\\n\"}}"), 1));
    arena_free(arena);
}

/* Dots, escapes and figures at each of which a word or a terminal's sequence may begin: a walk from
 * each of them to the end would take minutes. */
static void reads_a_long_run_once(void **state)
{
    static const struct str units[] = {STR_INIT("."),       STR_INIT("a.b."),  STR_INIT("%41"),
                                       STR_INIT("\\u0061"), STR_INIT("&#65;"), STR_INIT("1:2;"),
                                       STR_INIT("\\\\n"),   STR_INIT("\n"),    STR_INIT("s\\n"),
                                       STR_INIT("s\n ")};
    static char text[1024 * 1024];
    const struct str prefixes[] = {STR_INIT("sk-")};
    const struct str shapes[] = {STR_INIT(".q_{17a}"), STR_INIT("s_{17a}")};
    const struct mask mask = {
        .key_prefixes = prefixes, .prefix_count = 1, .key_shapes = shapes, .shape_count = 2};
    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct arena *arena = arena_create();
        struct str whole = {text, sizeof text / units[i].len * units[i].len};
        for (size_t at = 0; at < whole.len; at += units[i].len) {
            memcpy(text + at, units[i].ptr, units[i].len);
        }
        clock_t begun = clock();
        assert_ptr_equal(mask_text(arena, &mask, whole).ptr, text);
        assert_true(clock() - begun < 5 * CLOCKS_PER_SEC);
        text[sizeof text / 2] = '\n';
        assert_ptr_equal(mask_text(arena, &mask, whole).ptr, text);
        assert_true(clock() - begun < 5 * CLOCKS_PER_SEC);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hides_keys_in_every_place),
        cmocka_unit_test(a_known_key_is_read_over_ends_of_lines),
        cmocka_unit_test(knows_a_key_in_base64),
        cmocka_unit_test(keys_are_read_behind_sixteen_backslashes),
        cmocka_unit_test(hides_parts_of_a_key_from_its_receiver),
        cmocka_unit_test(sees_every_part_of_a_key),
        cmocka_unit_test(hides_a_key_without_prefix_behind_what_is_no_word),
        cmocka_unit_test(finds_one_secret_of_many),
        cmocka_unit_test(reads_a_long_run_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
