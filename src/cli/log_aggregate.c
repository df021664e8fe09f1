/* Counts that can be added up. Takes cells one by one or from JSON, gives them sorted, so that
 * equal counts are equal bytes. */
#include "cli/log_aggregate.h"

#include "base/moment.h"
#include "cli/deliver.h"
#include "report/json_write.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT_MAX UINT64_C(999999999999999) /* cJSON writes fifteen digits exactly */

uint64_t log_count_sum(uint64_t a, uint64_t b)
{
    return b > COUNT_MAX || a > COUNT_MAX - b ? COUNT_MAX : a + b;
}

struct log_aggregate log_aggregate_create(struct arena *arena)
{
    return (struct log_aggregate){.arena = arena};
}

/* The number of a name, which gets the next one where it is new; 0 for none. */
static uint32_t number_of(struct log_aggregate *aggregate, struct str name)
{
    if (name.len == 0) {
        return 0;
    }
    size_t known = str_set_find(&aggregate->numbers, name);
    if (known != SIZE_MAX) {
        return (uint32_t)known;
    }
    aggregate->names = arena_grow(aggregate->arena, aggregate->names, aggregate->name_count,
                                  &aggregate->name_capacity, sizeof *aggregate->names);
    struct str own = arena_dup(aggregate->arena, name);
    aggregate->names[aggregate->name_count++] = own;
    str_set_add(aggregate->arena, &aggregate->numbers, own, aggregate->name_count);
    return (uint32_t)aggregate->name_count;
}

/* Where there is no room for more cells names that are new to it are of no use. */
static uint32_t known_or_new(struct log_aggregate *aggregate, struct str name, bool is_full)
{
    bool is_known = str_set_find(&aggregate->numbers, name) != SIZE_MAX;
    return is_full && !is_known ? UINT32_MAX : number_of(aggregate, name);
}

static struct str name_of(const struct log_aggregate *aggregate, uint32_t number)
{
    return number ? aggregate->names[number - 1] : (struct str){NULL, 0};
}

static size_t hash_of(const struct log_sum *sum)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    const uint32_t parts[] = {sum->diagnosis, sum->model, sum->provider, (uint32_t)sum->hour};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        hash = (hash ^ parts[i]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return (size_t)(hash >> 20);
}

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* The numbers of names stand in order of the names once number_in_order was called. */
static int order(const void *a, const void *b)
{
    const struct log_sum *x = a, *y = b;
    int by = compare(x->diagnosis, y->diagnosis);
    by = by ? by : compare(x->model, y->model);
    by = by ? by : compare(x->provider, y->provider);
    return by ? by : (x->hour > y->hour) - (x->hour < y->hour);
}

/* The slot of a sum, or the free one where it belongs. */
static uint32_t *slot_of(const struct log_aggregate *aggregate, const struct log_sum *sum)
{
    size_t at = hash_of(sum) % aggregate->slot_count;
    while (aggregate->slots[at] && order(&aggregate->sums[aggregate->slots[at] - 1], sum) != 0) {
        at = (at + 1) % aggregate->slot_count;
    }
    return &aggregate->slots[at];
}

static void index_sums(struct log_aggregate *aggregate, size_t slot_count)
{
    aggregate->slot_count = slot_count;
    aggregate->slots = ARENA_ARRAY(aggregate->arena, slot_count, uint32_t);
    for (size_t i = 0; i < aggregate->count; i++) {
        *slot_of(aggregate, &aggregate->sums[i]) = (uint32_t)(i + 1);
    }
}

void log_aggregate_add(struct log_aggregate *aggregate, const struct log_cell *cell)
{
    bool is_full = aggregate->count >= AGGREGATE_CELLS_MAX;
    if (aggregate->count * 2 >= aggregate->slot_count) {
        index_sums(aggregate, aggregate->slot_count ? aggregate->slot_count * 2 : 256);
    }
    struct log_sum plain = {.diagnosis = number_of(aggregate, cell->diagnosis),
                            .model = known_or_new(aggregate, cell->model, is_full),
                            .provider = known_or_new(aggregate, cell->provider, is_full),
                            .hour = (int32_t)cell->hour};
    uint32_t *slot = slot_of(aggregate, &plain);
    if (!*slot && is_full) {
        plain.model = plain.provider = 0;
        slot = slot_of(aggregate, &plain);
    }
    if (!*slot) {
        aggregate->sums = arena_grow(aggregate->arena, aggregate->sums, aggregate->count,
                                     &aggregate->capacity, sizeof *aggregate->sums);
        aggregate->sums[aggregate->count] = plain;
        *slot = (uint32_t)++aggregate->count;
    }
    struct log_sum *sum = &aggregate->sums[*slot - 1];
    sum->count = log_count_sum(sum->count, cell->count);
}

struct log_cell log_aggregate_at(const struct log_aggregate *aggregate, size_t index)
{
    const struct log_sum *sum = &aggregate->sums[index];
    return (struct log_cell){.diagnosis = name_of(aggregate, sum->diagnosis),
                             .model = name_of(aggregate, sum->model),
                             .provider = name_of(aggregate, sum->provider),
                             .hour = sum->hour,
                             .count = sum->count};
}

static int by_name(const void *a, const void *b)
{
    const struct str *const *x = a, *const *y = b;
    return str_cmp(**x, **y);
}

/* Gives names new numbers, in their order. */
static void number_in_order(struct log_aggregate *aggregate)
{
    size_t count = aggregate->name_count;
    const struct str **sorted = ARENA_ARRAY(aggregate->arena, count + 1, const struct str *);
    struct str *names = ARENA_ARRAY(aggregate->arena, count + 1, struct str);
    uint32_t *numbers = ARENA_ARRAY(aggregate->arena, count + 1, uint32_t);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &aggregate->names[i];
    }
    qsort(sorted, count, sizeof(struct str *), by_name);
    aggregate->numbers = (struct str_set){0};
    for (size_t i = 0; i < count; i++) {
        names[i] = *sorted[i];
        numbers[sorted[i] - aggregate->names + 1] = (uint32_t)i + 1;
        str_set_add(aggregate->arena, &aggregate->numbers, names[i], i + 1);
    }
    aggregate->names = names;
    aggregate->name_capacity = count;
    for (size_t i = 0; i < aggregate->count; i++) {
        struct log_sum *sum = &aggregate->sums[i];
        sum->diagnosis = numbers[sum->diagnosis];
        sum->model = numbers[sum->model];
        sum->provider = numbers[sum->provider];
    }
}

void log_aggregate_sort(struct log_aggregate *aggregate)
{
    if (aggregate->count) {
        number_in_order(aggregate);
        qsort(aggregate->sums, aggregate->count, sizeof *aggregate->sums, order);
        index_sums(aggregate, aggregate->slot_count);
    }
}

static void write_cell(const struct log_cell *cell, struct json_writer *writer)
{
    json_write_open(writer, NULL, '{');
    json_write_text(writer, "diagnosis", cell->diagnosis);
    json_write_text(writer, "model", cell->model);
    json_write_text(writer, "provider", cell->provider);
    json_write_time(writer, "hour", cell->hour < 0 ? -1 : cell->hour * HOUR_MS);
    json_write_number(writer, "count", cell->count);
    json_write_close(writer, '}');
}

void log_aggregate_write(struct cli *cli, struct json_writer *writer,
                         const struct log_aggregate *aggregate)
{
    uint64_t events = 0;
    for (size_t i = 0; i < aggregate->count; i++) {
        events = log_count_sum(events, aggregate->sums[i].count);
    }
    json_write_open(writer, "aggregate", '{');
    json_write_number(writer, "lines", aggregate->lines);
    json_write_number(writer, "events", events);
    json_write_open(writer, "cells", '[');
    for (size_t i = 0; i < aggregate->count; i++) {
        const struct log_cell cell = log_aggregate_at(aggregate, i);
        write_cell(&cell, writer);
        deliver_part(cli);
    }
    json_write_close(writer, ']');
    json_write_close(writer, '}');
}

/* A whole number that JSON can hold, or false. */
static bool read_number(const struct cJSON *object, const char *name, uint64_t *number)
{
    const struct cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    double value = cJSON_IsNumber(member) ? member->valuedouble : -1;
    bool is_whole = value >= 0 && value <= (double)COUNT_MAX && value == (double)(uint64_t)value;
    *number = is_whole ? (uint64_t)value : 0;
    return is_whole;
}

/* A document that is being read. */
struct reading {
    struct arena *arena;
    const struct mask *mask;
};

/* A string, without keys, or null; false for anything else. */
static bool read_text(const struct reading *reading, const struct cJSON *object, const char *name,
                      struct str *text)
{
    const struct cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    *text = mask_text(reading->arena, reading->mask, str_from(cJSON_GetStringValue(member)));
    return str_is_set(*text) || cJSON_IsNull(member);
}

/* "2026-11-29T13:00:00Z" as this file writes it. */
static bool read_hour(struct str text, int64_t *hour)
{
    struct tm parts = {0};
    char copy[24] = {0};
    *hour = -1;
    if (!str_is_set(text)) {
        return true;
    }
    if (text.len != 20) {
        return false;
    }
    memcpy(copy, text.ptr, text.len);
    const char *end = strptime(copy, "%Y-%m-%dT%H:%M:%SZ", &parts);
    *hour = end && *end == '\0' ? (int64_t)timegm(&parts) / 3600 : -1;
    return *hour >= 0;
}

static bool read_cell(const struct reading *reading, const struct cJSON *item,
                      struct log_cell *cell)
{
    struct str hour;
    return read_text(reading, item, "diagnosis", &cell->diagnosis) && str_is_set(cell->diagnosis) &&
           read_text(reading, item, "model", &cell->model) &&
           read_text(reading, item, "provider", &cell->provider) &&
           read_text(reading, item, "hour", &hour) && read_hour(hour, &cell->hour) &&
           read_number(item, "count", &cell->count);
}

bool log_aggregate_read(struct log_aggregate *aggregate, const struct mask *mask,
                        const struct cJSON *object)
{
    const struct reading reading = {aggregate->arena, mask};
    uint64_t lines;
    const struct cJSON *cells = cJSON_GetObjectItemCaseSensitive(object, "cells"), *item;
    if (!read_number(object, "lines", &lines) || !cJSON_IsArray(cells)) {
        return false;
    }
    cJSON_ArrayForEach(item, cells)
    {
        struct log_cell cell;
        if (!read_cell(&reading, item, &cell)) {
            return false;
        }
        log_aggregate_add(aggregate, &cell);
    }
    aggregate->lines = log_count_sum(aggregate->lines, lines);
    return true;
}
