/* Counts that can be added up. Takes cells one by one or from JSON, gives them sorted, so that
 * equal counts are equal bytes. */
#include "cli/log_aggregate.h"

#include "report/report.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HOUR_MS ((int64_t)3600 * 1000)
#define COUNT_MAX UINT64_C(999999999999999) /* cJSON writes fifteen digits exactly */

uint64_t log_count_sum(uint64_t a, uint64_t b)
{
    return b > COUNT_MAX || a > COUNT_MAX - b ? COUNT_MAX : a + b;
}

struct log_aggregate log_aggregate_create(struct arena *arena)
{
    return (struct log_aggregate){.arena = arena};
}

static uint64_t hash_str(uint64_t hash, struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        hash = (hash ^ (unsigned char)s.ptr[i]) * UINT64_C(0x100000001B3);
    }
    return (hash ^ s.len) * UINT64_C(0x100000001B3);
}

static size_t hash_of(const struct log_cell *cell)
{
    uint64_t hash = hash_str(UINT64_C(0xCBF29CE484222325), cell->diagnosis);
    hash = hash_str(hash_str(hash, cell->model), cell->provider);
    return (size_t)((hash ^ (uint64_t)cell->hour) * UINT64_C(0x9E3779B97F4A7C15) >> 20);
}

static int order(const void *a, const void *b)
{
    const struct log_cell *x = a, *y = b;
    int by = str_cmp(x->diagnosis, y->diagnosis);
    by = by ? by : str_cmp(x->model, y->model);
    by = by ? by : str_cmp(x->provider, y->provider);
    return by ? by : (x->hour > y->hour) - (x->hour < y->hour);
}

/* The slot of a cell, or the free one where it belongs. */
static uint32_t *slot_of(const struct log_aggregate *aggregate, const struct log_cell *cell)
{
    size_t at = hash_of(cell) % aggregate->slot_count;
    while (aggregate->slots[at] && order(&aggregate->cells[aggregate->slots[at] - 1], cell) != 0) {
        at = (at + 1) % aggregate->slot_count;
    }
    return &aggregate->slots[at];
}

static void index_cells(struct log_aggregate *aggregate, size_t slot_count)
{
    aggregate->slot_count = slot_count;
    aggregate->slots = ARENA_ARRAY(aggregate->arena, slot_count, uint32_t);
    for (size_t i = 0; i < aggregate->count; i++) {
        *slot_of(aggregate, &aggregate->cells[i]) = (uint32_t)(i + 1);
    }
}

void log_aggregate_add(struct log_aggregate *aggregate, const struct log_cell *cell)
{
    struct arena *arena = aggregate->arena;
    struct log_cell plain = *cell;
    if (aggregate->count * 2 >= aggregate->slot_count) {
        index_cells(aggregate, aggregate->slot_count ? aggregate->slot_count * 2 : 256);
    }
    uint32_t *slot = slot_of(aggregate, &plain);
    if (!*slot && aggregate->count >= AGGREGATE_CELLS_MAX) {
        plain.model = plain.provider = (struct str){NULL, 0};
        slot = slot_of(aggregate, &plain);
    }
    if (!*slot) {
        aggregate->cells = arena_grow(arena, aggregate->cells, aggregate->count,
                                      &aggregate->capacity, sizeof *aggregate->cells);
        aggregate->cells[aggregate->count] =
            (struct log_cell){.diagnosis = arena_dup(arena, plain.diagnosis),
                              .model = arena_dup(arena, plain.model),
                              .provider = arena_dup(arena, plain.provider),
                              .hour = plain.hour};
        *slot = (uint32_t)++aggregate->count;
    }
    struct log_cell *sum = &aggregate->cells[*slot - 1];
    sum->count = log_count_sum(sum->count, plain.count);
}

struct cJSON *log_aggregate_json(struct log_aggregate *aggregate)
{
    struct cJSON *object = cJSON_CreateObject();
    uint64_t events = 0;
    for (size_t i = 0; i < aggregate->count; i++) {
        events = log_count_sum(events, aggregate->cells[i].count);
    }
    cJSON_AddNumberToObject(object, "lines", (double)aggregate->lines);
    cJSON_AddNumberToObject(object, "events", (double)events);
    struct cJSON *cells = cJSON_AddArrayToObject(object, "cells");
    if (aggregate->count) {
        qsort(aggregate->cells, aggregate->count, sizeof *aggregate->cells, order);
        index_cells(aggregate, aggregate->slot_count);
    }
    for (size_t i = 0; i < aggregate->count; i++) {
        const struct log_cell *cell = &aggregate->cells[i];
        struct cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToObject(item, "diagnosis", report_json_string(cell->diagnosis));
        cJSON_AddItemToObject(item, "model", report_json_string(cell->model));
        cJSON_AddItemToObject(item, "provider", report_json_string(cell->provider));
        cJSON_AddItemToObject(item, "hour",
                              cell->hour < 0 ? cJSON_CreateNull()
                                             : report_json_time(cell->hour * HOUR_MS));
        cJSON_AddNumberToObject(item, "count", (double)cell->count);
        cJSON_AddItemToArray(cells, item);
    }
    return object;
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
