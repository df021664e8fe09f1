/* A program of the build: bake OUT.c rules/FILE.toml ... reads the rule files as diagnose reads a
 * user's and writes the table as C, so that no run has to read them again. Every problem is told
 * with its place, and then nothing is written. */
#include "bake/write.h"

#include "base/file.h"
#include "classify/code.h"
#include "classify/needs.h"
#include "rules/table.h"

#include <stdio.h>

#define FILE_BYTES_MAX ((size_t)4 * 1024 * 1024)
#define OUT_BYTES_MAX ((size_t)256 * 1024 * 1024)

static void tell(struct arena *arena, const struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->items[i];
        fprintf(stderr, "%.*s: %.*s\n", STR_ARG(origin_text(arena, problem->origin)),
                STR_ARG(problem->message));
        if (problem->suggestion.len) {
            fprintf(stderr, "    did you mean %.*s?\n", STR_ARG(problem->suggestion));
        }
    }
}

/* Reads the files named; false, and said, when one cannot be read. */
static bool read_files(struct arena *arena, char **names, size_t count, struct rules_text *files)
{
    for (size_t i = 0; i < count; i++) {
        int os_errno = 0;
        enum file_status status =
            file_read(arena, names[i], FILE_BYTES_MAX, &files[i].text, &os_errno);
        files[i].file = str_from(names[i]);
        if (status != FILE_OK) {
            fprintf(stderr, "%s %.*s\n", names[i],
                    STR_ARG(file_status_text(arena, status, FILE_BYTES_MAX, os_errno)));
            return false;
        }
    }
    return true;
}

/* Opens the table of the files that belong to it; NULL, and said, when anything is wrong. */
static struct rules *open_table(struct arena *arena, const struct rules_text *files, size_t count)
{
    struct rules_text *texts = ARENA_ARRAY(arena, count + 1, struct rules_text);
    struct problems problems = {0};
    struct rules *rules = NULL;
    struct err err = {0};
    size_t text_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!rules_is_foreign(files[i].file)) {
            texts[text_count++] = files[i];
        }
    }
    enum err_code code = rules_open_texts(texts, text_count, &problems, arena, &rules, &err);
    if (!code) {
        code_check_patterns(rules, false, arena, &problems);
    }
    tell(arena, &problems);
    if (code && problems.count == 0) {
        fprintf(stderr, "%s\n", err.text);
    }
    if (code || problems.count) {
        rules_close(rules);
        return NULL;
    }
    return rules;
}

static bool write_out(struct arena *arena, const char *path, const struct rules *rules,
                      const struct rules_text *files, size_t count)
{
    struct buf out = buf_create(OUT_BYTES_MAX);
    size_t rule_count = rules_count(rules);
    struct keywords keywords =
        keywords_create(arena, needs_of_rules(arena, rules, 0, rule_count), rule_count);
    struct sieve_stock stock = sieve_stock_create(arena, rules, 0, rule_count);
    struct err err = {0};
    buf_add(&out, STR("/* Written by src/bake out of rules/. */\n"));
    write_files(&out, files, count);
    write_table(&out, rules, files, count);
    write_keywords(&out, &keywords);
    write_stock(&out, &stock);
    write_codes(&out, rules);
    bool is_written = !out.is_full && file_write_whole(path, buf_str(&out), &err) == ERR_OK;
    if (!is_written) {
        fprintf(stderr, "%s: %s\n", path, out.is_full ? "the rules take too much room" : err.text);
    }
    buf_free(&out);
    return is_written;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bake OUT.c FILE...\n");
        return 2;
    }
    size_t count = (size_t)argc - 2;
    struct arena *arena = arena_create();
    struct rules_text *files = ARENA_ARRAY(arena, count, struct rules_text);
    struct rules *rules = NULL;
    if (read_files(arena, argv + 2, count, files)) {
        rules = open_table(arena, files, count);
    }
    bool is_written = rules && write_out(arena, argv[1], rules, files, count);
    rules_close(rules);
    arena_free(arena);
    return is_written ? 0 : 1;
}
