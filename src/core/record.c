/* Members of struct record by name. */
#include "core/record.h"

static const struct record_member members[] = {
#define TEXT(name) {STR_INIT(#name), RECORD_TEXT, offsetof(struct record, name)},
#define NUMBER(name) {STR_INIT(#name), RECORD_NUMBER, offsetof(struct record, name)},
#include "core/record.def"
#undef TEXT
#undef NUMBER
};

struct record record_blank(void)
{
    return (struct record){
#define TEXT(name) .name = {NULL, 0},
#define NUMBER(name) .name = -1,
#include "core/record.def"
#undef TEXT
#undef NUMBER
    };
}

size_t record_member_count(void)
{
    return sizeof members / sizeof members[0];
}

const struct record_member *record_member_at(size_t index)
{
    return &members[index];
}

struct str *record_text(struct record *record, const struct record_member *member)
{
    return (struct str *)(void *)((char *)record + member->offset);
}

int64_t *record_number(struct record *record, const struct record_member *member)
{
    return (int64_t *)(void *)((char *)record + member->offset);
}
