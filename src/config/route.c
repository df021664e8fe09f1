/* The way to a target. Takes a draft and the variables of its client, gives the proxy and the
 * certificates in force, each with who said so; looks into files of certificates, sends nothing. */
#include "config/route.h"

#include "base/file.h"
#include "config/layer.h"
#include "config/note.h"
#include "config/overlay.h"
#include "core/proxy.h"

#include <dirent.h>
#include <errno.h>

#define CA_BYTES_MAX ((size_t)16 * 1024 * 1024)

struct router {
    struct arena *arena;
    const struct env *env;
    const struct rules *rules;
    struct draft *draft;
    struct target *target;
};

/* A variable as the draft's client sees it. */
static struct value variable(struct arena *arena, const void *context, struct str name)
{
    const struct router *r = context;
    if (r->draft->overlay) {
        return overlay_get(arena, r->draft->overlay, name);
    }
    return (struct value){.text = env_get(r->env, arena_cstr(arena, name)),
                          .origin = {ORIGIN_ENV, name, 0, 0}};
}

static void refuse(struct router *r, const struct value *value, const char *label, struct str what)
{
    const struct mask mask = note_mask(r->rules);
    struct str message =
        arena_printf(r->arena, "%s %.*s %.*s", label,
                     STR_ARG(note_quote(r->arena, &mask, value->text)), STR_ARG(what));
    note_add(r->arena, &r->target->problems, value->origin, STR("bad_value"), false, message);
    r->target->is_unsendable = true;
}

static void fill_proxy(struct router *r, struct str host)
{
    struct draft *draft = r->draft;
    if (!str_is_set(draft->proxy.text) && !str_is_empty(host)) {
        bool is_https = !str_istarts(draft->base_url.text, STR("http:"));
        draft->proxy = proxy_of_variables(r->arena, is_https, host, variable, r);
    }
    /* With its scheme, so that everybody sees where the credentials are. */
    if (str_find_char(draft->proxy.text, '@') >= 0 && str_find(draft->proxy.text, STR("://")) < 0) {
        draft->proxy.text = arena_printf(r->arena, "http://%.*s", STR_ARG(draft->proxy.text));
    }
    if (str_is_set(draft->proxy.text) &&
        !url_check_proxy(r->arena, r->rules, &draft->proxy, &r->target->problems)) {
        r->target->is_unsendable = true;
    }
    r->target->proxy = draft->proxy;
}

/* What is wrong with the file, unset = nothing. */
static struct str look_into_ca_file(struct router *r, struct str path)
{
    struct str text, wrong = {NULL, 0};
    int os_errno = 0;
    struct arena *scratch = arena_create();
    enum file_status status =
        file_read(scratch, arena_cstr(scratch, path), CA_BYTES_MAX, &text, &os_errno);
    if (status != FILE_OK) {
        wrong = file_status_text(r->arena, status, CA_BYTES_MAX, os_errno);
    } else if (str_find(text, STR("-----BEGIN")) < 0) {
        wrong = STR("holds no certificate: expected PEM text");
    }
    arena_free(scratch);
    return wrong;
}

static void check_ca_file(struct router *r)
{
    struct looks own = {0}, *looks = r->draft->looks ? r->draft->looks : &own;
    if (!str_is_set(looks->ca_path) || !str_eq(looks->ca_path, r->draft->ca_path)) {
        looks->ca_path = r->draft->ca_path;
        looks->ca_wrong = look_into_ca_file(r, r->draft->ca_path);
    }
    if (str_is_set(looks->ca_wrong)) {
        refuse(r, &r->draft->ca_file, "ca_file", looks->ca_wrong);
    }
}

/* OpenSSL takes several folders with colons between; it is enough that one of them can be read. */
static void check_ca_dir(struct router *r)
{
    struct str rest = r->draft->ca_dir.text, folder;
    int os_errno = ENOENT;
    while (str_split(&rest, ':', &folder)) {
        DIR *open = opendir(arena_cstr(r->arena, folder));
        if (open) {
            closedir(open);
            return;
        }
        os_errno = errno;
    }
    refuse(r, &r->draft->ca_dir, "SSL_CERT_DIR",
           file_status_text(r->arena, FILE_UNREADABLE, 0, os_errno));
}

static void fill_certificates(struct router *r)
{
    struct draft *draft = r->draft;
    if (!str_is_set(draft->ca_file.text)) {
        struct value file = variable(r->arena, r, STR("SSL_CERT_FILE"));
        struct value dir = variable(r->arena, r, STR("SSL_CERT_DIR"));
        if (!str_is_empty(file.text)) {
            draft->ca_file = file;
            draft->ca_path = file.text;
        }
        if (!str_is_empty(dir.text)) {
            draft->ca_dir = dir;
            r->target->ca_dir = dir;
            check_ca_dir(r);
        }
    }
    if (str_is_set(draft->ca_file.text)) {
        r->target->ca_file = draft->ca_file;
        r->target->ca_file.text = draft->ca_path;
        check_ca_file(r);
    }
}

void route_fill(struct arena *arena, const struct env *env, const struct rules *rules,
                struct draft *draft, struct str host, struct target *target)
{
    struct router router = {arena, env, rules, draft, target};
    fill_proxy(&router, host);
    fill_certificates(&router);
}
