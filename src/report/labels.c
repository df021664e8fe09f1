/* The fixed words of the human report in every language, and the words for enums. The names that
 * JSON has for their values are in core. */
#include "report/labels.h"

#include "triage/words.h"

static const char *const labels[LABEL_COUNT][LANG_COUNT] = {
#define LABEL(id, en, zh) [LABEL_##id] = {[LANG_EN] = en, [LANG_ZH] = zh},
#include "report/labels.def"
#undef LABEL
};

static const enum label steps[STEP_COUNT] = {
    [STEP_CONFIG] = LABEL_STEP_CONFIG, [STEP_KEY] = LABEL_STEP_KEY,
    [STEP_DNS] = LABEL_STEP_DNS,       [STEP_CONNECT] = LABEL_STEP_CONNECT,
    [STEP_TLS] = LABEL_STEP_TLS,       [STEP_HTTP] = LABEL_STEP_HTTP,
    [STEP_AUTH] = LABEL_STEP_AUTH,     [STEP_MODEL] = LABEL_STEP_MODEL,
    [STEP_ANSWER] = LABEL_STEP_ANSWER,
};
static const enum label blames[BLAME_COUNT] = {
    [BLAME_NONE] = LABEL_BLAME_NONE,       [BLAME_OURS] = LABEL_BLAME_OURS,
    [BLAME_THEIRS] = LABEL_BLAME_THEIRS,   [BLAME_NETWORK] = LABEL_BLAME_NETWORK,
    [BLAME_UNKNOWN] = LABEL_BLAME_UNKNOWN,
};
static const enum label severities[SEVERITY_COUNT] = {
    [SEVERITY_INFO] = LABEL_SEVERITY_INFO,
    [SEVERITY_WARNING] = LABEL_SEVERITY_WARNING,
    [SEVERITY_ERROR] = LABEL_SEVERITY_ERROR,
};
static const enum label roles[] = {
    [ROLE_PRIMARY] = LABEL_ROLE_PRIMARY, [ROLE_FALLBACK] = LABEL_ROLE_FALLBACK,
    [ROLE_SMALL] = LABEL_ROLE_SMALL,     [ROLE_REVIEW] = LABEL_ROLE_REVIEW,
    [ROLE_PROFILE] = LABEL_ROLE_PROFILE,
};
static const enum label row_statuses[ROW_STATUS_COUNT] = {
    [ROW_OK] = LABEL_ROW_OK,           [ROW_WARNING] = LABEL_ROW_WARNING,
    [ROW_FAILED] = LABEL_ROW_FAILED,   [ROW_UNTOLD] = LABEL_ROW_UNTOLD,
    [ROW_SKIPPED] = LABEL_ROW_SKIPPED,
};
static const enum label file_statuses[] = {
    [CONFIG_LOADED] = LABEL_FILE_LOADED,
    [CONFIG_MISSING] = LABEL_FILE_MISSING,
    [CONFIG_IGNORED] = LABEL_FILE_IGNORED,
    [CONFIG_BROKEN] = LABEL_FILE_BROKEN,
};

const char *labels_text(enum label label, enum lang lang)
{
    return labels[label][lang];
}

struct str labels_say(struct arena *arena, enum lang lang, enum label label, ...)
{
    va_list arguments;
    va_start(arguments, label);
    struct str text = words_format(arena, labels[label][lang], arguments);
    va_end(arguments);
    return text;
}

struct str labels_step(enum step step, enum lang lang)
{
    return str_from(labels_text(steps[step], lang));
}

struct str labels_blame(enum blame blame, enum lang lang)
{
    return str_from(labels_text(blames[blame], lang));
}

struct str labels_severity(enum severity severity, enum lang lang)
{
    return str_from(labels_text(severities[severity], lang));
}

struct str labels_role(struct arena *arena, const struct target *target, enum lang lang)
{
    return labels_say(arena, lang, roles[target->role], target->fallback_number);
}

struct str labels_row_status(enum row_status status, enum lang lang)
{
    return str_from(labels_text(row_statuses[status], lang));
}

struct str labels_file_status(enum config_file_status status, enum lang lang)
{
    return str_from(labels_text(file_statuses[status], lang));
}
