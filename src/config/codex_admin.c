/* What administrators and the files demand of a run of Codex: requirements.toml, and logins that
 * are not of the kind or the workspace that is asked for. Takes files and login, gives problems. */
#include "config/codex.h"

#include "config/add.h"

#define REQUIREMENTS STR("codex-requirements") /* the client under which its keys stand in data */

void codex_open_requirements(struct codex *codex, struct str path)
{
    struct key_check check = codex->check;
    check.client = REQUIREMENTS;
    check.is_open = true;
    codex->requirements = codex_open_checked(codex, &check, path, STR("requirements file"));
}

/* The name of the kind of login in use, as forced_login_method spells it; unset where there is none
 * or nobody can tell. */
static struct str login_in_use(const struct codex *codex)
{
    if (!str_is_empty(codex_variable(codex, STR("key_variable")).text)) {
        return STR("api");
    }
    if (!str_is_empty(codex_variable(codex, STR("token_variable")).text)) {
        return (struct str){NULL, 0};
    }
    return codex->login.kind == LOGIN_KEY      ? STR("api")
           : codex->login.kind == LOGIN_TOKENS ? STR("chatgpt")
                                               : (struct str){NULL, 0};
}

static void refuse(struct codex *codex, struct problems *problems, struct origin origin,
                   struct str message, struct str suggestion)
{
    note_add(codex->arena, problems, origin, STR("login_refused"), false, message)->suggestion =
        suggestion;
}

static bool check_method(struct codex *codex, const struct codex_view *view, struct str in_use,
                         struct problems *problems)
{
    struct value forced = codex_string(codex, view, STR("forced_login_method"));
    if (str_is_empty(forced.text) || str_eq(forced.text, in_use)) {
        return true;
    }
    struct value variable = codex_variable(codex, STR("key_variable"));
    bool is_variable = !str_is_empty(variable.text);
    bool is_api = str_eq(in_use, STR("api"));
    refuse(codex, problems, forced.origin,
           arena_printf(codex->arena,
                        "forced_login_method wants %s, but Codex finds %s in %.*s: it logs out and "
                        "does not start",
                        is_api ? "a ChatGPT login" : "an API key",
                        is_api ? "an API key" : "a ChatGPT login",
                        STR_ARG(is_variable ? variable.origin.name : codex->login.path)),
           is_api ? STR("codex login") : STR("codex login --with-api-key"));
    return false;
}

static bool is_in_list(const struct node *list, struct str id)
{
    if (list->kind == NODE_STRING) {
        return str_is_empty(list->string) || str_eq(list->string, id);
    }
    for (size_t i = 0; list->kind == NODE_ARRAY && i < list->count; i++) {
        if (list->items[i]->kind == NODE_STRING && str_eq(list->items[i]->string, id)) {
            return true;
        }
    }
    return list->kind != NODE_ARRAY || list->count == 0;
}

static bool check_workspace(struct codex *codex, const struct codex_view *view,
                            struct problems *problems)
{
    const struct layer *layer = NULL;
    const struct node *forced =
        stack_node(&view->stack, KEY_PATH(STR("forced_chatgpt_workspace_id")), &layer);
    if (!forced || is_in_list(forced, codex->login.account_id)) {
        return true;
    }
    refuse(
        codex, problems, note_origin(&layer->source, forced->pos),
        arena_printf(codex->arena,
                     "forced_chatgpt_workspace_id does not name %.*s, the workspace of the login "
                     "in %.*s: Codex logs out and does not start",
                     STR_ARG(note_quote(codex->arena, &codex->mask, codex->login.account_id)),
                     STR_ARG(codex->login.path)),
        STR("codex login"));
    return false;
}

bool codex_check_login(struct codex *codex, const struct codex_view *view,
                       struct problems *problems)
{
    struct str in_use = login_in_use(codex);
    if (!codex_behaviour(codex, STR("login_restricted")) || !str_is_set(in_use)) {
        return true;
    }
    return check_method(codex, view, in_use, problems) &&
           (!str_eq(in_use, STR("chatgpt")) || check_workspace(codex, view, problems));
}
