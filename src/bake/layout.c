/* The members of all rows of the rule table. A member that is missing here is an error when the
 * written rows are compiled: they have no names, and -Wmissing-field-initializers counts them. */
#include "bake/layout.h"

#include "rules/client.h"
#include "rules/models.h"

#include <string.h>

#define AT(type, member) .name = #member, .offset = offsetof(struct type, member)
#define SIZE(type, member) sizeof(((struct type *)NULL)->member)
#define STRING(type, member)                                                                       \
    {                                                                                              \
        .kind = MEMBER_STR, AT(type, member), .bytes = sizeof(struct str)                          \
    }
#define NUMBER(type, member)                                                                       \
    {                                                                                              \
        .kind = MEMBER_NUMBER, AT(type, member), .bytes = SIZE(type, member)                       \
    }
#define ROW(type, member, layout)                                                                  \
    {                                                                                              \
        .kind = MEMBER_ROW, AT(type, member), .bytes = SIZE(type, member), .of = &(layout)         \
    }
#define ROWS(type, member, layout, count)                                                          \
    {                                                                                              \
        .kind = MEMBER_ROWS, AT(type, member), .bytes = sizeof(void *), .of = &(layout),           \
        .count_offset = offsetof(struct type, count)                                               \
    }
#define LEFT_OUT(type, member)                                                                     \
    {                                                                                              \
        .kind = MEMBER_LEFT_OUT, AT(type, member), .bytes = SIZE(type, member)                     \
    }
#define LAYOUT(name, of)                                                                           \
    static const struct layout name = {.type = "struct " #of,                                      \
                                       .bytes = sizeof(struct of),                                 \
                                       .members = of##_members,                                    \
                                       .member_count = sizeof of##_members / sizeof *of##_members}

static const struct member str_members[] = {{.kind = MEMBER_STR, .name = "text", .bytes = 16}};
_Static_assert(sizeof(struct str) == 16, "the size that is written above");
const struct layout layout_str = {.type = "struct str",
                                  .bytes = sizeof(struct str),
                                  .members = str_members,
                                  .member_count = 1,
                                  .is_plain = true};

static const struct member long_members[] = {
    {.kind = MEMBER_NUMBER, .name = "number", .bytes = sizeof(long)}};
static const struct layout layout_long = {.type = "long",
                                          .bytes = sizeof(long),
                                          .members = long_members,
                                          .member_count = 1,
                                          .is_plain = true};

static const struct member origin_members[] = {
    NUMBER(origin, kind),
    STRING(origin, name),
    NUMBER(origin, line),
    NUMBER(origin, column),
};
LAYOUT(layout_origin, origin);

static const struct member phrase_members[] = {
    {.kind = MEMBER_STR, AT(phrase, in), .bytes = sizeof(struct str), .repeat = LANG_COUNT},
};
LAYOUT(layout_phrase, phrase);

static const struct member phrases_members[] = {
    ROWS(phrases, items, layout_phrase, count),
    NUMBER(phrases, count),
};
LAYOUT(layout_phrases, phrases);

static const struct member header_members[] = {STRING(header, name), STRING(header, value)};
LAYOUT(layout_header, header);

static const struct member version_range_members[] = {
    STRING(version_range, since),
    STRING(version_range, until),
};
LAYOUT(layout_range, version_range);

static const struct member diagnosis_members[] = {
    STRING(diagnosis, id),
    STRING(diagnosis, layer),
    NUMBER(diagnosis, blame),
    NUMBER(diagnosis, severity),
    NUMBER(diagnosis, is_retryable),
    NUMBER(diagnosis, leaves_key_open),
    NUMBER(diagnosis, is_transient_network),
    NUMBER(diagnosis, is_capacity),
    NUMBER(diagnosis, is_healthy),
    NUMBER(diagnosis, step),
    ROW(diagnosis, title, layout_phrase),
    ROW(diagnosis, meaning, layout_phrase),
    ROW(diagnosis, differs, layout_phrase),
    ROW(diagnosis, actions, layout_phrases),
    ROW(diagnosis, avoid, layout_phrases),
    ROW(diagnosis, origin, layout_origin),
};
LAYOUT(layout_diagnosis, diagnosis);

static const struct member verdict_row_members[] = {
    STRING(verdict_row, id),
    NUMBER(verdict_row, severity),
    {.kind = MEMBER_NUMBER,
     AT(verdict_row, when),
     .bytes = sizeof(int64_t),
     .repeat = THRESHOLD_COUNT},
    ROW(verdict_row, title, layout_phrase),
    ROW(verdict_row, why, layout_phrase),
    ROW(verdict_row, rests_on, layout_phrases),
    ROW(verdict_row, actions, layout_phrases),
    ROW(verdict_row, avoid, layout_phrases),
    ROW(verdict_row, recovered_title, layout_phrase),
    ROW(verdict_row, recovered_actions, layout_phrases),
};
LAYOUT(layout_verdict, verdict_row);

static const struct member free_places_members[] = {
    STRING(free_places, holds),
    STRING(free_places, models),
    STRING(free_places, more),
    STRING(free_places, permissions),
    STRING(free_places, left),
    STRING(free_places, limit),
    STRING(free_places, unit),
    STRING(free_places, expires),
    ROWS(free_places, key_off, layout_str, key_off_count),
    ROWS(free_places, account_off, layout_str, account_off_count),
    ROWS(free_places, balance_off, layout_str, balance_off_count),
    NUMBER(free_places, key_off_count),
    NUMBER(free_places, account_off_count),
    NUMBER(free_places, balance_off_count),
};
LAYOUT(layout_places, free_places);

static const struct member free_request_members[] = {
    STRING(free_request, path),
    NUMBER(free_request, is_from_root),
    STRING(free_request, query),
    STRING(free_request, auth_header),
    STRING(free_request, auth_prefix),
    NUMBER(free_request, proves_key),
    STRING(free_request, id_prefix),
    STRING(free_request, unit),
    ROW(free_request, places, layout_places),
    STRING(free_request, source),
};
LAYOUT(layout_free, free_request);

static const struct member provider_members[] = {
    STRING(provider, id),
    STRING(provider, name),
    ROWS(provider, hosts, layout_str, host_count),
    NUMBER(provider, host_count),
    STRING(provider, base_url),
    ROWS(provider, wires, layout_str, wire_count),
    NUMBER(provider, wire_count),
    STRING(provider, auth_header),
    STRING(provider, auth_prefix),
    ROWS(provider, headers, layout_header, header_count),
    NUMBER(provider, header_count),
    STRING(provider, query),
    ROWS(provider, key_prefixes, layout_str, key_prefix_count),
    NUMBER(provider, key_prefix_count),
    NUMBER(provider, key_min_length),
    STRING(provider, key_env),
    STRING(provider, cheap_model),
    STRING(provider, cheap_model_source),
    ROWS(provider, key_shapes, layout_str, key_shape_count),
    NUMBER(provider, key_shape_count),
    ROWS(provider, key_envs, layout_str, key_env_count),
    NUMBER(provider, key_env_count),
    ROWS(provider, free, layout_free, free_count),
    NUMBER(provider, free_count),
    ROWS(provider, limits, layout_str, limit_count),
    NUMBER(provider, limit_count),
    STRING(provider, key_page),
    STRING(provider, status_page),
    ROWS(provider, sources, layout_str, source_count),
    NUMBER(provider, source_count),
    NUMBER(provider, is_key_optional),
};
LAYOUT(layout_provider, provider);

static const struct member client_members[] = {
    STRING(client, id),
    ROW(client, name, layout_phrase),
    ROW(client, switch_actions, layout_phrases),
    ROWS(client, programs, layout_str, program_count),
    NUMBER(client, program_count),
    ROWS(client, marks, layout_str, mark_count),
    NUMBER(client, mark_count),
    NUMBER(client, is_library),
    STRING(client, auth),
    ROWS(client, versions, layout_str, version_count),
    NUMBER(client, version_count),
};
LAYOUT(layout_client, client);

static const struct member client_key_members[] = {
    STRING(client_key, client),
    STRING(client_key, path),
    {.kind = MEMBER_STR,
     AT(client_key, parts),
     .bytes = sizeof(struct str),
     .repeat = CLIENT_KEY_PARTS_MAX},
    NUMBER(client_key, part_count),
    NUMBER(client_key, shape),
    ROW(client_key, range, layout_range),
    ROWS(client_key, values, layout_str, value_count),
    NUMBER(client_key, value_count),
    STRING(client_key, instead),
    STRING(client_key, meant),
    STRING(client_key, skip),
    ROW(client_key, note, layout_phrase),
    NUMBER(client_key, is_required),
    NUMBER(client_key, is_filled),
    NUMBER(client_key, is_secret),
    NUMBER(client_key, is_unread),
    NUMBER(client_key, is_fallback),
    ROW(client_key, origin, layout_origin),
};
LAYOUT(layout_key, client_key);

static const struct member client_behaviour_members[] = {
    STRING(client_behaviour, client),
    STRING(client_behaviour, name),
    ROW(client_behaviour, range, layout_range),
    STRING(client_behaviour, value),
    ROWS(client_behaviour, values, layout_str, value_count),
    NUMBER(client_behaviour, value_count),
};
LAYOUT(layout_behaviour, client_behaviour);

static const struct member client_provider_members[] = {
    STRING(client_provider, client),
    STRING(client_provider, id),
    ROW(client_provider, range, layout_range),
    STRING(client_provider, base_url),
    STRING(client_provider, wire),
    NUMBER(client_provider, override),
    NUMBER(client_provider, has_login),
    STRING(client_provider, url_key),
    STRING(client_provider, url_env),
    STRING(client_provider, port_env),
    ROWS(client_provider, env_headers, layout_header, env_header_count),
    NUMBER(client_provider, env_header_count),
    STRING(client_provider, skip_reason),
    ROW(client_provider, note, layout_phrase),
};
LAYOUT(layout_client_provider, client_provider);

static const struct member client_says_members[] = {
    STRING(client_says, client),
    ROWS(client_says, diagnoses, layout_str, diagnosis_count),
    NUMBER(client_says, diagnosis_count),
    ROW(client_says, range, layout_range),
    STRING(client_says, text),
    ROW(client_says, actions, layout_phrases),
    NUMBER(client_says, is_last),
};
LAYOUT(layout_says, client_says);

static const struct member client_run_members[] = {
    STRING(client_run, client),
    ROW(client_run, range, layout_range),
    STRING(client_run, program),
    ROWS(client_run, arguments, layout_str, argument_count),
    NUMBER(client_run, argument_count),
    STRING(client_run, home),
    STRING(client_run, home_variable),
    ROWS(client_run, copies, layout_str, copy_count),
    NUMBER(client_run, copy_count),
    ROWS(client_run, drops, layout_str, drop_count),
    NUMBER(client_run, drop_count),
    ROWS(client_run, paths, layout_str, path_count),
    NUMBER(client_run, path_count),
    STRING(client_run, dotenv),
    STRING(client_run, variables_key),
    STRING(client_run, profile_option),
    STRING(client_run, option),
    STRING(client_run, providers),
    STRING(client_run, url_key),
    ROWS(client_run, settings, layout_header, setting_count),
    NUMBER(client_run, setting_count),
    ROWS(client_run, login_settings, layout_header, login_setting_count),
    NUMBER(client_run, login_setting_count),
    ROW(client_run, login_note, layout_phrase),
    ROWS(client_run, urls, layout_header, url_count),
    NUMBER(client_run, url_count),
    ROWS(client_run, variables, layout_header, variable_count),
    NUMBER(client_run, variable_count),
    ROWS(client_run, unset, layout_str, unset_count),
    NUMBER(client_run, unset_count),
};
LAYOUT(layout_run, client_run);

static const struct member model_tier_members[] = {
    STRING(model_tier, id),
    NUMBER(model_tier, is_hot),
    ROWS(model_tier, models, layout_str, model_count),
    NUMBER(model_tier, model_count),
};
LAYOUT(layout_tier, model_tier);

static const struct member condition_members[] = {
    NUMBER(condition, field),
    STRING(condition, header_name),
    STRING(condition, pattern),
    ROW(condition, origin, layout_origin),
    {.kind = MEMBER_TEXT, AT(condition, file_text), .bytes = sizeof(struct str)},
};
LAYOUT(layout_condition, condition);

static const struct member rule_members[] = {
    STRING(rule, id),
    {.kind = MEMBER_LINK, AT(rule, diagnosis), .bytes = sizeof(void *)},
    ROWS(rule, keywords, layout_str, keyword_count),
    NUMBER(rule, keyword_count),
    ROWS(rule, statuses, layout_long, status_count),
    NUMBER(rule, status_count),
    ROWS(rule, conditions, layout_condition, condition_count),
    NUMBER(rule, condition_count),
    STRING(rule, reason),
    STRING(rule, source),
    ROW(rule, meaning, layout_phrase),
    ROW(rule, actions, layout_phrases),
    NUMBER(rule, has_retryable),
    NUMBER(rule, is_retryable),
    LEFT_OUT(rule, yes),
    LEFT_OUT(rule, no),
    LEFT_OUT(rule, yes_count),
    LEFT_OUT(rule, no_count),
    ROW(rule, origin, layout_origin),
    NUMBER(rule, is_users),
};
LAYOUT(layout_rule, rule);

#define LIST(list, rows)                                                                           \
    {                                                                                              \
#list, offsetof(struct rules, list), &(rows)                                               \
    }
const struct layout_list layout_lists[] = {
    LIST(diagnoses, layout_diagnosis),
    LIST(verdicts, layout_verdict),
    LIST(providers, layout_provider),
    LIST(clients, layout_client),
    LIST(rules, layout_rule),
    LIST(client_keys, layout_key),
    LIST(client_behaviours, layout_behaviour),
    LIST(client_providers, layout_client_provider),
    LIST(client_says, layout_says),
    LIST(client_runs, layout_run),
    LIST(model_tiers, layout_tier),
};
const size_t layout_list_count = sizeof layout_lists / sizeof layout_lists[0];
_Static_assert(sizeof layout_lists / sizeof layout_lists[0] * sizeof(struct row_list) ==
                   offsetof(struct rules, key_prefixes) - offsetof(struct rules, diagnoses),
               "a row for each list of the table");

const struct row_list *layout_rows(const struct rules *rules, size_t list)
{
    return (const struct row_list *)(const void *)((const char *)rules + list);
}

int64_t layout_number(const struct member *member, const char *row, size_t index)
{
    const char *at = row + member->offset + index * member->bytes;
    int8_t one = 0;
    int32_t four = 0;
    int64_t eight = 0;
    switch (member->bytes) {
    case sizeof one:
        memcpy(&one, at, sizeof one);
        return one;
    case sizeof four:
        memcpy(&four, at, sizeof four);
        return four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

size_t layout_place(const struct rules *rules, const struct diagnosis *diagnosis)
{
    size_t place = 0;
    while (place < rules->diagnoses.count && rules->diagnoses.items[place] != diagnosis) {
        place++;
    }
    return place;
}
