/* Fuzzes our own configuration file and the variables that keys and SDKs come from. The first byte
 * of the input that is NUL ends the variables, one a line; the rest is the file. Checks what must
 * hold of any result. */
#include "config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define VARIABLES_MAX 8

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct rules *open_rules(void)
{
    /* The fuzzer calls one function only, so the table lives as long as the process. */
    static struct rules *rules;
    static struct arena *arena;
    struct problems problems = {0};
    if (!rules) {
        arena = arena_create();
        if (rules_open((struct str){NULL, 0}, &problems, arena, &rules, NULL) != ERR_OK) {
            abort();
        }
    }
    return rules;
}

static void split_variables(struct arena *arena, struct str text, char *variables[])
{
    struct str line;
    size_t count = 0;
    while (count < VARIABLES_MAX && str_split(&text, '\n', &line)) {
        variables[count] = arena_alloc(arena, line.len + 1);
        for (size_t i = 0; i < line.len; i++) {
            variables[count][i] = line.ptr[i];
        }
        count++;
    }
    variables[count] = NULL;
}

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static bool has_error(const struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++) {
        require(str_is_set(problems->items[i].code) && !str_is_empty(problems->items[i].message));
        if (!problems->items[i].is_warning) {
            return true;
        }
    }
    return false;
}

static void check(const struct config *config)
{
    struct str head = {NULL, 0};
    has_error(&config->problems);
    for (size_t i = 0; i < config->target_count; i++) {
        const struct target *t = &config->targets[i];
        head = t->role == ROLE_PRIMARY ? t->name : head;
        require(str_eq(t->chain, head));
        require(has_error(&t->problems) == t->is_unsendable);
        require(t->is_unsendable || str_is_set(t->skip_reason) ||
                (t->wire.len && t->base_url.text.len && t->model.text.len));
        for (size_t other = 0; other < i; other++) {
            require(!str_eq(config->targets[other].name, t->name));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena *arena = arena_create();
    struct str input = {(const char *)bytes, size};
    ptrdiff_t end = size ? str_find_char(input, '\0') : -1;
    struct str file = str_slice(input, end < 0 ? 0 : (size_t)end + 1, size);
    char *variables[VARIABLES_MAX + 1];
    split_variables(arena, str_slice(input, 0, end < 0 ? 0 : (size_t)end), variables);
    int fd = memfd_create("config.toml", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, file.ptr ? file.ptr : "", file.len) == (ssize_t)file.len);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const struct env env = {.variables = variables};
    const struct config_request requests[] = {
        {.config_path = str_from(path), .home = STR("/nonexistent")},
        {.home = STR("/nonexistent"), .directory = STR("/nonexistent"), .model = STR("m")},
    };
    for (size_t i = 0; i < 2; i++) {
        struct config config;
        struct err err;
        enum err_code code = config_load(arena, &env, open_rules(), &requests[i], &config, &err);
        require(code == ERR_OK || i == 0);
        check(&config);
    }
    close(fd);
    arena_free(arena);
    return 0;
}
