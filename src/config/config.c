/* Reading of all configuration: runs the readers that are asked for, in the order of readers.def.
 * Knows no client itself. */
#include "config/config.h"

#include "base/mask.h"
#include "config/reader.h"
#include "config/remark.h"

#define READER(name) extern const struct reader reader_##name;
#include "config/readers.def"
#undef READER

static const struct reader *const readers[] = {
#define READER(name) &reader_##name,
#include "config/readers.def"
#undef READER
};

/* The reader of the file that --config names; it stands first in readers.def. */
#define OWN_READER 0

size_t config_client_count(void)
{
    return sizeof readers / sizeof readers[0];
}

struct str config_client_at(size_t index)
{
    return readers[index]->client;
}

bool config_client_exists(struct str client)
{
    for (size_t i = 0; i < config_client_count(); i++) {
        if (str_eq(readers[i]->client, client)) {
            return true;
        }
    }
    return false;
}

static bool is_asked_for(const struct config_request *request, size_t index)
{
    bool is_own = index == OWN_READER;
    if (str_is_set(request->config_path) && is_own) {
        return true;
    }
    if (str_is_set(request->client)) {
        return str_eq(readers[index]->client, request->client);
    }
    return is_own || !str_is_set(request->config_path);
}

/* Codes of problems that make a file as a whole unusable or no TOML. */
static enum err_code code_of(const struct problem *problem)
{
    static const struct {
        struct str code;
        enum err_code err;
    } rows[] = {
        {STR_INIT("unreadable"), ERR_FILE}, {STR_INIT("not_plain"), ERR_FILE},
        {STR_INIT("link_loop"), ERR_FILE},  {STR_INIT("too_big"), ERR_FILE},
        {STR_INIT("not_utf8"), ERR_PARSE},  {STR_INIT("has_nul"), ERR_PARSE},
        {STR_INIT("syntax"), ERR_PARSE},    {STR_INIT("duplicate_key"), ERR_PARSE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (str_eq(rows[i].code, problem->code)) {
            return rows[i].err;
        }
    }
    return ERR_OK;
}

/* The first thing that is wrong with the file of --config, as the error of the whole load. */
static enum err_code own_failure(const struct config *config, struct err *err)
{
    for (size_t i = 0; i < config->problems.count; i++) {
        const struct problem *problem = &config->problems.items[i];
        enum err_code code = code_of(problem);
        if (code == ERR_OK) {
            continue;
        }
        if (problem->origin.line == 0) {
            return err_set(err, code, "%.*s", STR_ARG(problem->message));
        }
        return err_set_at(err, code, problem->origin.name, problem->origin.line,
                          problem->origin.column, "%.*s", STR_ARG(problem->message));
    }
    return ERR_OK;
}

/* Takes secrets out of what problems say and quote: a key may stand in any place of a file, and
 * only by its shape would it be known while that is read. */
static void hide(struct arena *arena, struct problems *problems, const struct mask *mask)
{
    for (size_t i = 0; mask->secret_count && i < problems->count; i++) {
        struct problem *problem = &problems->items[i];
        struct str line = mask_text(arena, mask, problem->line_text);
        problem->message = mask_text(arena, mask, problem->message);
        problem->suggestion = mask_text(arena, mask, problem->suggestion);
        if (!str_eq(line, problem->line_text)) {
            problem->line_text = line;
            problem->line_text_column = 0; /* a caret would point beside it */
        }
    }
}

/* A target's own problems speak of its own key. */
static void hide_secrets(struct arena *arena, struct config *config)
{
    struct mask all = {.secrets = config->secrets, .secret_count = config->secret_count};
    hide(arena, &config->problems, &all);
    for (size_t i = 0; i < config->target_count; i++) {
        struct target *target = &config->targets[i];
        struct mask own = {.secrets = &target->key,
                           .secret_count = str_is_set(target->key.value) ? 1 : 0};
        hide(arena, &target->problems, &own);
    }
}

enum err_code config_load(struct arena *arena, const struct env *env, const struct rules *rules,
                          const struct config_request *request, struct config *config,
                          struct err *err)
{
    enum err_code code = ERR_OK;
    *config = (struct config){.timeout_ms = -1};
    config_add_environment_secrets(arena, env, rules, config);
    for (size_t i = 0; i < config_client_count(); i++) {
        if (!is_asked_for(request, i)) {
            continue;
        }
        readers[i]->read(arena, env, rules, request, config);
        if (i == OWN_READER && str_is_set(request->config_path)) {
            code = own_failure(config, err);
        }
    }
    if (request->wants_remarks) {
        remark_chains(arena, rules, config);
    }
    hide_secrets(arena, config);
    return code;
}
