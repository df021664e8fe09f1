/* Names of blames and severities as users and JSON see them. */
#include "core/diagnosis.h"

static const struct str blames[BLAME_COUNT] = {
    [BLAME_NONE] = STR_INIT("none"),       [BLAME_OURS] = STR_INIT("ours"),
    [BLAME_THEIRS] = STR_INIT("theirs"),   [BLAME_NETWORK] = STR_INIT("network"),
    [BLAME_UNKNOWN] = STR_INIT("unknown"),
};
static const struct str severities[SEVERITY_COUNT] = {
    [SEVERITY_INFO] = STR_INIT("info"),
    [SEVERITY_WARNING] = STR_INIT("warning"),
    [SEVERITY_ERROR] = STR_INIT("error"),
};

struct str blame_name(enum blame blame)
{
    return blames[blame];
}

struct str severity_name(enum severity severity)
{
    return severities[severity];
}

bool blame_from_name(struct str name, enum blame *blame)
{
    for (size_t i = 0; i < BLAME_COUNT; i++) {
        if (str_eq(blames[i], name)) {
            *blame = (enum blame)i;
            return true;
        }
    }
    return false;
}

bool severity_from_name(struct str name, enum severity *severity)
{
    for (size_t i = 0; i < SEVERITY_COUNT; i++) {
        if (str_eq(severities[i], name)) {
            *severity = (enum severity)i;
            return true;
        }
    }
    return false;
}
