#ifndef REPORT_LABELS_H
#define REPORT_LABELS_H

#include "base/arena.h"
#include "core/verdict.h"
#include "report/rows.h"

/* Fixed words of the human report; labels.def is the list. */
enum label {
#define LABEL(id, en, zh) LABEL_##id,
#include "report/labels.def"
#undef LABEL
    LABEL_COUNT
};

/* The word as it stands; a C string because many are formats. */
const char *labels_text(enum label label, enum lang lang);
/* The label as a format with its arguments put in. */
struct str labels_say(struct arena *arena, enum lang lang, enum label label, ...);

/* Words for the values of enums. */
struct str labels_step(enum step step, enum lang lang);
struct str labels_blame(enum blame blame, enum lang lang);
struct str labels_severity(enum severity severity, enum lang lang);
struct str labels_role(struct arena *arena, const struct target *target, enum lang lang);
struct str labels_row_status(enum row_status status, enum lang lang);
struct str labels_file_status(enum config_file_status status, enum lang lang);

#endif
