#ifndef BAKE_LAYOUT_H
#define BAKE_LAYOUT_H

#include "rules/table.h"

/* What the rows of the rule table are made of, member by member in the order of their structs, so
 * that they can be written down and compared. */

enum member_kind {
    MEMBER_STR,
    MEMBER_TEXT,    /* a str that is the whole text of a rule file */
    MEMBER_NUMBER,  /* of any integer type, enum or bool */
    MEMBER_ROW,     /* a struct */
    MEMBER_ROWS,    /* a pointer to the first of several; their number is another member */
    MEMBER_LINK,    /* a pointer to a diagnosis of the table */
    MEMBER_LEFT_OUT /* a pointer that is NULL in a row that was built in, or a number that is 0 */
};

struct layout;
struct member {
    enum member_kind kind;
    const char *name;
    size_t offset, bytes;    /* of one element */
    size_t repeat;           /* elements of an array, 0 = none */
    const struct layout *of; /* ROW and ROWS */
    size_t count_offset;     /* ROWS */
};

struct layout {
    const char *type;
    size_t bytes;
    const struct member *members;
    size_t member_count;
    bool is_plain; /* no struct of its own but the one member: arrays of texts and numbers */
};

/* Each list of struct rules. */
struct layout_list {
    const char *name;
    size_t list; /* offset in struct rules */
    const struct layout *layout;
};
extern const struct layout_list layout_lists[];
extern const size_t layout_list_count;

/* A str, and nothing else: for lists of texts. */
extern const struct layout layout_str;

/* The list of a table at an offset. */
const struct row_list *layout_rows(const struct rules *rules, size_t list);
/* The value of element `index` of a NUMBER, with its sign. */
int64_t layout_number(const struct member *member, const char *row, size_t index);
/* Place of a diagnosis in the table, or its count. */
size_t layout_place(const struct rules *rules, const struct diagnosis *diagnosis);

#endif
