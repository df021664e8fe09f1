/* The rows that were made when the program was built: the same, member for member, as the loaders
 * make of the files now; the same answers with a user's files before them; the same keywords and
 * literals. */
#include "rules/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/layout.h"
#include "base/file.h"
#include "classify/built_codes.h"
#include "classify/built_keywords.h"
#include "classify/code.h"
#include "classify/needs.h"
#include "classify/sieve_stock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct world {
    struct arena *arena;
    struct problems problems, built_problems;
    struct rules *read, *built;
};

static void open_both(struct world *world, const char *user_dir)
{
    struct err err = {0};
    assert_int_equal(
        rules_open(str_from(user_dir), &world->problems, world->arena, &world->read, &err), ERR_OK);
    assert_int_equal(rules_open_brief(str_from(user_dir), &world->built_problems, world->arena,
                                      &world->built, &err),
                     ERR_OK);
}

static int set_up(void **state)
{
    static struct world world;
    world = (struct world){.arena = arena_create()};
    *state = &world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    rules_close(world->read);
    rules_close(world->built);
    arena_free(world->arena);
    return 0;
}

static bool is_same_row(const struct world *world, const struct layout *layout, const char *a,
                        const char *b);

static bool is_same_str(struct str a, struct str b)
{
    return (a.ptr == NULL) == (b.ptr == NULL) && str_eq(a, b);
}

static bool are_same_rows(const struct world *world, const struct member *member, const char *a,
                          const char *b)
{
    const char *from_a = *(const char *const *)(const void *)(a + member->offset);
    const char *from_b = *(const char *const *)(const void *)(b + member->offset);
    size_t count = *(const size_t *)(const void *)(a + member->count_offset);
    bool is_same = count == *(const size_t *)(const void *)(b + member->count_offset);
    for (size_t i = 0; is_same && i < count; i++) {
        is_same = is_same_row(world, member->of, from_a + i * member->of->bytes,
                              from_b + i * member->of->bytes);
    }
    return is_same;
}

static bool is_empty(const struct member *member, const char *row)
{
    static const char zeros[16];
    return member->bytes <= sizeof zeros && memcmp(row + member->offset, zeros, member->bytes) == 0;
}

/* a was read now, b was built in. */
static bool is_same_member(const struct world *world, const struct member *member, const char *a,
                           const char *b, size_t index)
{
    const void *at_a = a + member->offset + index * member->bytes;
    const void *at_b = b + member->offset + index * member->bytes;
    switch (member->kind) {
    case MEMBER_STR:
    case MEMBER_TEXT:
        return is_same_str(*(const struct str *)at_a, *(const struct str *)at_b);
    case MEMBER_NUMBER:
        return layout_number(member, a, index) == layout_number(member, b, index);
    case MEMBER_ROW:
        return is_same_row(world, member->of, at_a, at_b);
    case MEMBER_ROWS:
        return are_same_rows(world, member, a, b);
    case MEMBER_LINK:
        return layout_place(world->read, *(const struct diagnosis *const *)at_a) ==
               layout_place(world->built, *(const struct diagnosis *const *)at_b);
    case MEMBER_LEFT_OUT:
        return is_empty(member, b);
    }
    return false;
}

static bool is_same_row(const struct world *world, const struct layout *layout, const char *a,
                        const char *b)
{
    for (size_t i = 0; i < layout->member_count; i++) {
        const struct member *member = &layout->members[i];
        for (size_t k = 0; k < (member->repeat ? member->repeat : 1); k++) {
            if (!is_same_member(world, member, a, b, k)) {
                print_error("%s.%s differs\n", layout->type, member->name);
                return false;
            }
        }
    }
    return true;
}

static void the_built_in_rows_are_those_of_the_files(void **state)
{
    struct world *world = *state;
    open_both(world, NULL);
    assert_int_equal(world->problems.count, 0);
    for (size_t i = 0; i < layout_list_count; i++) {
        const struct layout_list *list = &layout_lists[i];
        const struct row_list *read = layout_rows(world->read, list->list);
        const struct row_list *built = layout_rows(world->built, list->list);
        assert_true(read->count > 0);
        assert_int_equal(built->count, read->count);
        for (size_t row = 0; row < read->count; row++) {
            if (!is_same_row(world, list->layout, read->items[row], built->items[row])) {
                fail_msg("row %zu of %s is another one in the files", row, list->name);
            }
        }
    }
    assert_int_equal(rules_built_count(world->built), rules_count(world->built));
    assert_int_equal(rules_built_count(world->read), 0);
    assert_ptr_equal(rules_ok(world->built), rules_diagnosis(world->built, STR("ok")));
    assert_ptr_equal(rules_unknown(world->built), rules_diagnosis(world->built, STR("unknown")));
}

/* Members stand in the order of their struct and do not overlap: the rows are written without
 * names. */
static void members_stand_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < layout_list_count; i++) {
        const struct layout *layout = layout_lists[i].layout;
        size_t end = 0;
        for (size_t m = 0; m < layout->member_count; m++) {
            const struct member *member = &layout->members[m];
            assert_true(member->offset >= end && member->offset - end < sizeof(void *));
            end = member->offset + member->bytes * (member->repeat ? member->repeat : 1);
        }
        assert_true(layout->bytes >= end && layout->bytes - end < sizeof(void *));
    }
}

static void are_same_strs(const struct str *a, size_t a_count, const struct str *b, size_t b_count)
{
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++) {
        assert_true(str_eq(a[i], b[i]));
    }
}

static void keys_look_the_same(void **state)
{
    struct world *world = *state;
    size_t read, built;
    open_both(world, NULL);
    const struct str *of_read = rules_key_prefixes(world->read, &read);
    const struct str *of_built = rules_key_prefixes(world->built, &built);
    are_same_strs(of_read, read, of_built, built);
    assert_true(read > 0);
    of_read = rules_key_shapes(world->read, &read);
    of_built = rules_key_shapes(world->built, &built);
    are_same_strs(of_read, read, of_built, built);
    assert_true(read > 0);
}

static void the_built_in_keywords_are_those_of_the_rules(void **state)
{
    struct world *world = *state;
    open_both(world, NULL);
    size_t count = rules_count(world->read);
    struct keywords made =
        keywords_create(world->arena, needs_of_rules(world->arena, world->read, 0, count), count);
    const struct keywords *keywords = &made;
    assert_int_equal(built_keywords.literal_count, made.literal_count);
    assert_int_equal(built_keywords.hashed_count, made.hashed_count);
    assert_int_equal(built_keywords.text_bytes, made.text_bytes);
    assert_int_equal(built_keywords.set_count, count);
#define ARRAY(type, name, length)                                                                  \
    assert_memory_equal(built_keywords.name, made.name, (length) * sizeof *made.name);
#include "classify/keywords.def"
#undef ARRAY
}

/* Each is there, and as good as one that is compiled now. */
static void the_built_in_stock_is_that_of_the_rules(void **state)
{
    struct world *world = *state;
    open_both(world, NULL);
    const struct sieve_stock made =
        sieve_stock_create(world->arena, world->read, 0, rules_count(world->read));
    const struct sieve_stock *stock = &made;
    assert_int_equal(built_stock.rule_count, made.rule_count);
    assert_int_equal(built_stock.node_count, made.node_count);
    assert_int_equal(built_stock.literal_count, made.literal_count);
    assert_int_equal(built_stock.text_bytes, made.text_bytes);
#define ARRAY(type, name, length)                                                                  \
    assert_memory_equal(built_stock.name, made.name, (length) * sizeof *made.name);
#include "classify/sieve_stock.def"
#undef ARRAY
}

static void the_built_in_codes_are_those_of_the_patterns(void **state)
{
    struct world *world = *state;
    size_t number = 0;
    open_both(world, NULL);
    for (size_t i = 0; i < rules_count(world->read); i++) {
        const struct rule *rule = rules_at(world->read, i);
        for (size_t k = 0; k < rule->condition_count; k++, number++) {
            struct str kept = code_keep(world->arena, rule->conditions[k].pattern);
            const unsigned char *built = built_codes.bytes + 8 * (size_t)built_codes.at[number];
            pcre2_code *code = code_restore(built);
            assert_non_null(code);
            pcre2_code_free(code);
            assert_memory_equal(built, kept.ptr, kept.len);
        }
    }
    assert_int_equal(built_codes.count, number);
}

#define OWN(id, diagnosis)                                                                         \
    "[[rule]]\nid = '" id "'\ndiagnosis = '" diagnosis "'\nreason = 'r'\nsource = 's'\n"           \
    "keywords = ['our own gateway is closed']\nstatus = [503]\n"

/* A user's file with new rows of each kind, slips, and ids that are taken by built-in rows. */
static void a_users_file_is_read_alike(void **state)
{
    struct world *world = *state;
    char dir[] = "/tmp/diagnose-built-XXXXXX";
    struct err err;
    assert_non_null(mkdtemp(dir));
    const char *path = arena_cstr(world->arena, arena_printf(world->arena, "%s/a.toml", dir));
    assert_int_equal(
        file_write_whole(
            path,
            STR(OWN("own-1", "capacity") OWN("own-2", "no_such_thing") OWN("own-1", "rate_limit")
                    OWN("name-capacity", "ok") OWN(
                        "own-3",
                        "unknown") "[[model_tier]]\nid = 'mine'\nhot = true\nmodels = ['gpt*']\n"
                                   "[[provider]]\nid = 'openai'\nname = 'Mine'\n"
                                   "[[provider]]\nid = 'mine'\nname = 'Mine'\nkey_prefixes = "
                                   "['mine-']\n"),
            &err),
        ERR_OK);
    open_both(world, dir);
    unlink(path);
    rmdir(dir);
    assert_int_equal(world->problems.count, 4);
    assert_int_equal(world->built_problems.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct problem *a = &world->problems.items[i], *b = &world->built_problems.items[i];
        assert_true(str_eq(a->message, b->message) && a->origin.line == b->origin.line);
    }
    for (size_t i = 0; i < layout_list_count; i++) {
        const struct row_list *read = layout_rows(world->read, layout_lists[i].list);
        const struct row_list *built = layout_rows(world->built, layout_lists[i].list);
        assert_int_equal(built->count, read->count);
        for (size_t row = 0; row < read->count && &world->read->rules != read; row++) {
            assert_true(
                is_same_row(world, layout_lists[i].layout, read->items[row], built->items[row]));
        }
    }
    for (size_t i = 0; i < rules_count(world->read); i++) {
        assert_true(str_eq(rules_at(world->read, i)->id, rules_at(world->built, i)->id));
    }
    assert_true(str_eq(rules_at(world->built, 0)->id, STR("own-1")));
    assert_true(str_eq(rules_at(world->built, 1)->id, STR("own-3")));
    assert_int_equal(rules_built_count(world->built), rules_count(world->built) - 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_built_in_rows_are_those_of_the_files),
        TEST(members_stand_in_order),
        TEST(keys_look_the_same),
        TEST(the_built_in_keywords_are_those_of_the_rules),
        TEST(the_built_in_stock_is_that_of_the_rules),
        TEST(the_built_in_codes_are_those_of_the_patterns),
        TEST(a_users_file_is_read_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
