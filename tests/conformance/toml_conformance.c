/* Runs the TOML reader over a copy of the official conformance suite: toml_conformance FOLDER reads
 * FOLDER/tests/files-toml-1.0.0 and -1.1.0, must refuse each invalid case and must read each valid
 * one to the values in the JSON file beside it. Prints the cases that fail and one line of counts.
 * Exit 0 when all pass, 1 when one fails, 77 when there is no such folder. */
#include "base/file.h"
#include "syntax/toml.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define SKIPPED 77

struct tally {
    unsigned passed, failed;
};

static bool read_text(struct arena *arena, const char *folder, struct str name, struct str *text)
{
    struct str path = arena_printf(arena, "%s/tests/%.*s", folder, STR_ARG(name));
    return file_read(arena, path.ptr, FILE_BYTES_MAX, text, NULL) == FILE_OK;
}

/* A time without the zeros that end its fraction, since 07:32:00.5 equals 07:32:00.500; a blank or
 * small t between date and time as T. */
static struct str plain_time(struct arena *arena, struct str text)
{
    char *out = arena_alloc(arena, text.len + 1);
    size_t length = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        out[length++] = i == 10 && (c == ' ' || c == 't') ? 'T' : c == 'z' ? 'Z' : c;
        bool is_end = i + 1 == text.len || text.ptr[i + 1] < '0' || text.ptr[i + 1] > '9';
        if (is_end && memchr(out, '.', length)) {
            while (out[length - 1] == '0') {
                length--;
            }
            length -= out[length - 1] == '.' ? 1 : 0;
            memcpy(out + length, text.ptr + i + 1, text.len - i - 1);
            return (struct str){out, length + text.len - i - 1};
        }
    }
    return (struct str){out, length};
}

static bool is_same_float(const char *want, double have)
{
    double value = strtod(want, NULL);
    return isnan(value) ? isnan(have) != 0 : value == have && !signbit(value) == !signbit(have);
}

static bool is_same_integer(const char *want, const struct node *have)
{
    int64_t value;
    return str_to_i64(str_from(want), &value) && value == have->integer &&
           have->number == (double)value;
}

static bool is_same_time(struct arena *arena, const char *want, const struct node *have)
{
    return str_eq(plain_time(arena, str_from(want)), plain_time(arena, have->string));
}

static bool is_same_scalar(struct arena *arena, const char *type, const char *want,
                           const struct node *have)
{
    static const struct {
        const char *type;
        enum node_kind kind;
    } kinds[] = {
        {"string", NODE_STRING},
        {"integer", NODE_INTEGER},
        {"float", NODE_FLOAT},
        {"bool", NODE_BOOL},
        {"datetime", NODE_OFFSET_DATETIME},
        {"datetime-local", NODE_LOCAL_DATETIME},
        {"date-local", NODE_LOCAL_DATE},
        {"time-local", NODE_LOCAL_TIME},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(type, kinds[i].type) != 0 || have->kind != kinds[i].kind) {
            continue;
        }
        return have->kind == NODE_STRING    ? str_eq(str_from(want), have->string)
               : have->kind == NODE_INTEGER ? is_same_integer(want, have)
               : have->kind == NODE_FLOAT   ? is_same_float(want, have->number)
               : have->kind == NODE_BOOL    ? (strcmp(want, "true") == 0) == have->boolean
                                            : is_same_time(arena, want, have);
    }
    return false;
}

static bool is_tagged(const cJSON *want)
{
    return cJSON_GetArraySize(want) == 2 &&
           cJSON_IsString(cJSON_GetObjectItemCaseSensitive(want, "type")) &&
           cJSON_IsString(cJSON_GetObjectItemCaseSensitive(want, "value"));
}

/* cJSON ends a string at \u0000, and so does not see the rest of it: the one key and the one value
 * of the suite that hold a NUL are compared up to there. */
static bool is_same(struct arena *arena, const cJSON *want, const struct node *have);

static struct str up_to_nul(struct str text)
{
    ptrdiff_t nul = str_find_char(text, '\0');
    return nul < 0 ? text : str_slice(text, 0, (size_t)nul);
}

static const struct node *value_of(const struct node *table, struct str key)
{
    for (size_t i = 0; i < table->count; i++) {
        if (str_eq(up_to_nul(table->entries[i].key), key)) {
            return table->entries[i].value;
        }
    }
    return NULL;
}

static bool is_same_list(struct arena *arena, const cJSON *want, const struct node *have)
{
    bool is_array = cJSON_IsArray(want);
    if (have->kind != (is_array ? NODE_ARRAY : NODE_TABLE) ||
        have->count != (size_t)cJSON_GetArraySize(want)) {
        return false;
    }
    size_t i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, want)
    {
        const struct node *value =
            is_array ? have->items[i] : value_of(have, str_from(item->string));
        if (!value || !is_same(arena, item, value)) {
            return false;
        }
        i++;
    }
    return true;
}

static bool is_same(struct arena *arena, const cJSON *want, const struct node *have)
{
    if (cJSON_IsArray(want) || !is_tagged(want)) {
        return is_same_list(arena, want, have);
    }
    const char *type = cJSON_GetObjectItemCaseSensitive(want, "type")->valuestring;
    const char *value = cJSON_GetObjectItemCaseSensitive(want, "value")->valuestring;
    struct node cut = *have;
    cut.string = up_to_nul(have->string);
    return is_same_scalar(arena, type, value, &cut);
}

static const char *run_valid(struct arena *arena, const char *folder, struct str name,
                             const struct document *document)
{
    struct str text;
    struct str stem = str_slice(name, 0, name.len - 5);
    if (document->error_count) {
        return arena_cstr(arena, document->errors[0].message);
    }
    if (!read_text(arena, folder, arena_printf(arena, "%.*s.json", STR_ARG(stem)), &text)) {
        return "no JSON file beside it";
    }
    cJSON *want = cJSON_ParseWithLength(text.ptr, text.len + 1);
    bool is_right = want && is_same(arena, want, document->root);
    cJSON_Delete(want);
    return is_right ? NULL : "other values than expected";
}

static void run_case(const char *folder, struct str name, enum toml_version version,
                     struct tally *tally)
{
    struct arena *arena = arena_create();
    struct str text;
    struct document document;
    const char *wrong = NULL;
    if (!read_text(arena, folder, name, &text)) {
        wrong = "cannot be read";
    } else {
        bool is_read = toml_parse(arena, text, version, &document);
        if (is_read != (document.error_count == 0)) {
            wrong = "result and error count disagree";
        } else if (str_starts(name, STR("valid/"))) {
            wrong = run_valid(arena, folder, name, &document);
        } else if (is_read) {
            wrong = "accepted, expected an error";
        }
    }
    if (wrong) {
        printf("TOML %s %.*s: %s\n", version == TOML_1_0 ? "1.0" : "1.1", STR_ARG(name), wrong);
        tally->failed++;
    } else {
        tally->passed++;
    }
    arena_free(arena);
}

static bool run_version(const char *folder, const char *list, enum toml_version version,
                        struct tally *tally)
{
    struct arena *arena = arena_create();
    struct str names, name;
    bool is_there = read_text(arena, folder, str_from(list), &names);
    while (is_there && str_split(&names, '\n', &name)) {
        name = str_trim(name);
        if (str_ends(name, STR(".toml"))) {
            run_case(folder, name, version, tally);
        }
    }
    arena_free(arena);
    return is_there;
}

int main(int argc, char **argv)
{
    struct tally tally = {0, 0};
    if (argc != 2) {
        fputs("usage: toml_conformance FOLDER\n", stderr);
        return 2;
    }
    if (!run_version(argv[1], "files-toml-1.0.0", TOML_1_0, &tally) ||
        !run_version(argv[1], "files-toml-1.1.0", TOML_1_1, &tally)) {
        printf("skipped: the TOML conformance suite is not in %s\n", argv[1]);
        return SKIPPED;
    }
    printf("%u passed, %u failed\n", tally.passed, tally.failed);
    return tally.failed == 0 && tally.passed > 0 ? 0 : 1;
}
