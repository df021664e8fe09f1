#ifndef CLASSIFY_PARTS_H
#define CLASSIFY_PARTS_H

#include "base/str.h"

/* What the keys of values in evidence mean; parts.def is the list. Private to src/classify. */
enum part {
    PART_NONE,
    PART_ERROR,   /* holds an error: a table, a list, a string, or a string with JSON in it */
    PART_SUCCESS, /* false where the request failed */
    PART_BASE,    /* a table whose status is the vendor's own: an error unless it is 0 */
    PART_MESSAGE, /* prose */
    PART_LEVEL,   /* of a log's record: how bad it is */
    PART_CODE,
    PART_TYPE,
    PART_CLASS, /* type and reason in one, a name behind its namespace: "com.x#Name" */
    PART_REASON,
    PART_PARAM,
    PART_PLACE, /* the same as a path: ["body", "messages", 0] */
    PART_STATUS,
    PART_FINISH,       /* why a model stopped */
    PART_STOP,         /* a table that says why */
    PART_WAIT_SECONDS, /* a number of seconds, or words */
    PART_WAIT_MS,
    PART_WAIT_MOMENT,
    PART_ANSWER,  /* what a model wrote, wherever it stands */
    PART_WHOLE,   /* the same, all of it: a stream has come to its end */
    PART_CONTENT, /* the same where its table says so */
    PART_REQUEST, /* what the user sent */
};

enum part part_of(struct str key); /* PART_NONE when the key means nothing to us */

/* Whether a word stands in a list, case of ASCII ignored. */
bool is_one_of(struct str word, const struct str *words, size_t count);
#define IS_ONE_OF(word, table) is_one_of((word), (table), sizeof(table) / sizeof(table)[0])

#endif
