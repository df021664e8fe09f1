/* Names of what became of targets and files, as JSON and people see them. */
#include "core/verdict.h"

static const struct str target_statuses[] = {
    [TARGET_OK] = STR_INIT("ok"),
    [TARGET_FAILED] = STR_INIT("failed"),
    [TARGET_SKIPPED] = STR_INIT("skipped"),
};
static const struct str scopes[] = {
    [SCOPE_MODEL] = STR_INIT("model"),           [SCOPE_KEY] = STR_INIT("key"),
    [SCOPE_PROVIDER] = STR_INIT("provider"),     [SCOPE_NETWORK] = STR_INIT("network"),
    [SCOPE_EVERYTHING] = STR_INIT("everything"),
};
static const struct str file_statuses[] = {
    [CONFIG_LOADED] = STR_INIT("loaded"),
    [CONFIG_MISSING] = STR_INIT("missing"),
    [CONFIG_IGNORED] = STR_INIT("ignored"),
    [CONFIG_BROKEN] = STR_INIT("broken"),
};

static const struct str key_statuses[] = {
    [KEY_OK] = STR_INIT("ok"),
    [KEY_FAILED] = STR_INIT("failed"),
    [KEY_UNPROVEN] = STR_INIT("unproven"),
};

struct str target_status_name(enum target_status status)
{
    return target_statuses[status];
}

struct str key_status_name(enum key_status status)
{
    return key_statuses[status];
}

struct str scope_name(enum scope scope)
{
    return scopes[scope];
}

struct str config_file_status_name(enum config_file_status status)
{
    return file_statuses[status];
}
