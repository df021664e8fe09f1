/* Checks of one key before anything is sent. Takes the bytes and where they came from, gives
 * problems that name the place and never the key. */
#include "config/key.h"

#include "base/buf.h"
#include "base/shape.h"
#include "base/text.h"
#include "config/note.h"
#include "config/suggest.h"

#define OWNERS_MAX 4 /* who share a shape: more would say nothing */

struct checker {
    struct arena *arena;
    const struct rules *rules;
    const struct key_found *key;
    struct problems *problems;
};

static void note(const struct checker *c, struct str code, bool is_warning, const char *wrong)
{
    struct str message = arena_printf(c->arena, "%.*s %s", STR_ARG(c->key->name), wrong);
    note_add(c->arena, c->problems, c->key->origin, code, is_warning, message);
}

/* What a key looks like proves little: it may be good after all. */
static void guess(const struct checker *c, struct str code, const char *wrong)
{
    struct str message = arena_printf(c->arena, "%.*s %s", STR_ARG(c->key->name), wrong);
    note_add(c->arena, c->problems, c->key->origin, code, true, message)->is_guess = true;
}

static bool has_any(struct str s, const char *chars)
{
    for (size_t i = 0; i < s.len; i++) {
        if (str_is_of(s.ptr[i], chars)) {
            return true;
        }
    }
    return false;
}

/* "xxxx", "sk-....", "****": behind a prefix nothing but one filler character. */
static bool is_filler(struct str s)
{
    ptrdiff_t dash = -1;
    for (size_t i = 0; i < s.len && i < 16; i++) {
        if (s.ptr[i] == '-') {
            dash = (ptrdiff_t)i;
        }
    }
    struct str tail = str_slice(s, (size_t)(dash + 1), s.len);
    if (tail.len < 3 || !str_is_of(tail.ptr[0], "xX.*_0?#")) {
        return false;
    }
    for (size_t i = 1; i < tail.len; i++) {
        if (tail.ptr[i] != tail.ptr[0]) {
            return false;
        }
    }
    return true;
}

/* Words that stand for "no key yet"; servers without keys are given some of them on purpose. */
static bool is_filler_word(struct str text)
{
    static const struct str wholes[] = {
        STR_INIT("todo"),    STR_INIT("tbd"),     STR_INIT("fixme"),     STR_INIT("none"),
        STR_INIT("null"),    STR_INIT("nil"),     STR_INIT("undefined"), STR_INIT("secret"),
        STR_INIT("api-key"), STR_INIT("api_key"), STR_INIT("apikey"),    STR_INIT("..."),
        STR_INIT("sk-"),     STR_INIT("key"),     STR_INIT("token"),     STR_INIT("example"),
    };
    for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++) {
        if (str_ieq(text, wholes[i])) {
            return true;
        }
    }
    return false;
}

/* True for what people leave in place of a key or a name: "your-api-key", "sk-xxxx", "<key>". */
static bool key_is_placeholder(struct str text)
{
    static const struct str parts[] = {
        STR_INIT("your-"),        STR_INIT("your_"),      STR_INIT("yourkey"),
        STR_INIT("yourapikey"),   STR_INIT("changeme"),   STR_INIT("change-me"),
        STR_INIT("change_me"),    STR_INIT("replace-me"), STR_INIT("replace_"),
        STR_INIT("insert-"),      STR_INIT("insert_"),    STR_INIT("placeholder"),
        STR_INIT("-here"),        STR_INIT("_here"),      STR_INIT("xxxxxx"),
        STR_INIT("api-key-goes"), STR_INIT("example-"),   STR_INIT("paste-your"),
    };
    /* Real keys are random: a word like these in one is no accident within 80 bytes. */
    for (size_t i = 0; text.len <= 80 && i < sizeof parts / sizeof parts[0]; i++) {
        if (str_ifind(text, parts[i]) >= 0) {
            return true;
        }
    }
    bool is_bracketed = (str_starts(text, STR("<")) && str_ends(text, STR(">"))) ||
                        (str_starts(text, STR("{")) && str_ends(text, STR("}"))) ||
                        (str_starts(text, STR("[")) && str_ends(text, STR("]")));
    bool is_unexpanded = str_starts(text, STR("${")) || str_starts(text, STR("$(")) ||
                         str_starts(text, STR("%")) || (text.len > 1 && text.ptr[0] == '$');
    return is_bracketed || is_unexpanded || is_filler(text);
}

/* Bytes that no header can carry: control characters, and anything outside ASCII. */
static bool check_bytes(const struct checker *c)
{
    struct str text = text_without_bom(c->key->text);
    bool is_sendable = true;
    if (text.len < c->key->text.len) {
        note(c, STR("key_bom"), false,
             "begins with a byte order mark, which an editor put there: save it as UTF-8 without "
             "BOM");
        is_sendable = false;
    }
    if (has_any(text, "\r\n")) {
        note(c, STR("key_newline"), false,
             "has a line end in it, which no header can carry: write the key on one line, without "
             "CR or LF behind it");
        is_sendable = false;
    }
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        bool is_line_end = byte == '\r' || byte == '\n' || byte == '\t';
        if ((byte < 0x20 && !is_line_end) || byte >= 0x7F) {
            const char *wrong = byte >= 0x80 ? "has a character in it that is not ASCII: keys have "
                                               "none, so it was pasted from a formatted text"
                                             : "has a control character in it: keys have none";
            note(c, STR("key_control"), false, wrong);
            return false;
        }
    }
    return is_sendable;
}

static void check_edges(const struct checker *c)
{
    struct str text = c->key->text;
    struct str bare = str_trim(text);
    bool has_outer =
        text.len && (str_is_of(text.ptr[0], " \t") || str_is_of(text.ptr[text.len - 1], " \t"));
    if (has_outer) {
        note(c, STR("key_blank"), true, "has a blank before or behind the key: remove it");
    } else if (has_any(bare, " \t") && !str_istarts(bare, STR("bearer "))) {
        note(c, STR("key_blank"), true,
             "has a blank inside: keys have none, so it is two things or "
             "was broken when pasted");
    }
    char first = bare.len ? bare.ptr[0] : '\0';
    char last = bare.len ? bare.ptr[bare.len - 1] : '\0';
    if (str_is_of(first, "\"'`") || str_is_of(last, "\"'`")) {
        note(c, STR("key_quote"), true,
             "has quotes around the key that are sent as part of it: remove them");
    }
}

struct str key_core(struct str text)
{
    text = str_trim(text_without_bom(text));
    while (text.len && str_is_of(text.ptr[0], "\"'`")) {
        text = str_slice(text, 1, text.len);
    }
    while (text.len && str_is_of(text.ptr[text.len - 1], "\"'`")) {
        text.len--;
    }
    return str_trim(text);
}

bool key_is_variable_name(struct arena *arena, const struct mask *mask, struct str name)
{
    bool is_name = name.len > 0 && !str_is_digit(name.ptr[0]);
    bool has_digit = false, has_joint = false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_digit = str_is_digit(c);
        is_name = is_name && (str_is_letter(c) || is_digit || c == '_');
        has_digit = has_digit || is_digit;
        has_joint = has_joint || c == '_';
    }
    bool is_key =
        (name.len >= 20 && has_digit && !has_joint) || !str_eq(mask_text(arena, mask, name), name);
    return is_name && !is_key;
}

static size_t longest_prefix(const struct provider *provider, struct str text)
{
    size_t longest = 0;
    for (size_t i = 0; i < provider->key_prefix_count; i++) {
        struct str prefix = provider->key_prefixes[i];
        if (prefix.len > longest && str_starts(text, prefix)) {
            longest = prefix.len;
        }
    }
    return longest;
}

/* Only one provider's keys begin so: "sk-" alone proves nothing. */
static bool is_distinctive(const struct checker *c, const struct provider *owner, size_t length,
                           struct str text)
{
    struct str prefix = str_slice(text, 0, length);
    for (size_t i = 0; i < rules_provider_count(c->rules); i++) {
        const struct provider *other = rules_provider_at(c->rules, i);
        for (size_t p = 0; other != owner && p < other->key_prefix_count; p++) {
            if (str_eq(other->key_prefixes[p], prefix)) {
                return false;
            }
        }
    }
    return true;
}

/* Another provider whose prefix fits better than any of the right one's, or NULL. */
static const struct provider *better_owner(const struct checker *c, struct str text, size_t own)
{
    const struct provider *best = NULL;
    for (size_t i = 0; i < rules_provider_count(c->rules); i++) {
        const struct provider *other = rules_provider_at(c->rules, i);
        size_t length = longest_prefix(other, text);
        if (other != c->key->provider && length > own && is_distinctive(c, other, length, text)) {
            best = other;
            own = length;
        }
    }
    return best;
}

/* only_telling: shapes that a key of anybody's could have do not count. */
static bool has_shape_of(const struct provider *provider, struct str text, bool only_telling)
{
    for (size_t i = 0; i < provider->key_shape_count; i++) {
        struct str shape = provider->key_shapes[i];
        if ((!only_telling || shape_is_telling(shape)) && shape_fits(shape, text)) {
            return true;
        }
    }
    return false;
}

/* The providers whose whole keys look like this one, where the right one's do not: "OpenAI",
 * "DeepSeek or DashScope". Unset when it may be the right one's, or nobody's. */
static struct str owners_by_shape(const struct checker *c, struct str text)
{
    struct str owners[OWNERS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < rules_provider_count(c->rules) && count < OWNERS_MAX; i++) {
        const struct provider *other = rules_provider_at(c->rules, i);
        if (has_shape_of(other, text, true)) {
            owners[count++] = other->name;
        }
    }
    struct str list = {NULL, 0};
    for (size_t i = 0; i < count; i++) {
        list = arena_printf(c->arena, "%.*s%s%.*s", STR_ARG(list),
                            i == 0           ? ""
                            : i + 1 == count ? " or "
                                             : ", ",
                            STR_ARG(owners[i]));
    }
    return list;
}

static void note_owner(const struct checker *c, struct str owners)
{
    struct str wrong = arena_printf(c->arena, "holds what looks like a key of %.*s, not of %.*s",
                                    STR_ARG(owners), STR_ARG(c->key->provider->name));
    guess(c, STR("key_shape"), wrong.ptr);
}

/* A key that begins with "sk-ant-" begins with "sk-" as well, so the longest prefix decides. */
static void check_shape(const struct checker *c, struct str text)
{
    const struct provider *provider = c->key->provider;
    if (str_istarts(text, STR("bearer "))) {
        note(c, STR("key_shape"), true,
             "begins with \"Bearer\", which is put before the key anyway: write the key alone");
        return;
    }
    ptrdiff_t equals = str_find_char(text, '=');
    if (equals > 0 && str_eq(str_slice(text, 0, (size_t)equals), c->key->name)) {
        note(c, STR("key_shape"), true, "holds its own name and \"=\": write the key alone");
        return;
    }
    if (!provider || has_shape_of(provider, text, false)) {
        return;
    }
    size_t own = longest_prefix(provider, text);
    const struct provider *owner = better_owner(c, text, own);
    if (owner && owner->name.len) {
        note_owner(c, owner->name);
        return;
    }
    if (!c->key->is_own_host) {
        return; /* a gateway gives out keys of its own */
    }
    struct str owners = owners_by_shape(c, text);
    if (str_is_set(owners)) {
        note_owner(c, owners);
        return;
    }
    if (own == 0 && provider->key_prefix_count) {
        struct str shapes =
            suggest_choices(c->arena, provider->key_prefixes, provider->key_prefix_count);
        struct str wrong =
            arena_printf(c->arena, "does not look like a key of %.*s: those begin with %.*s",
                         STR_ARG(provider->name), STR_ARG(shapes));
        guess(c, STR("key_shape"), wrong.ptr);
    } else if (text.len < provider->key_min_length) {
        struct str wrong =
            arena_printf(c->arena, "is too short for a key of %.*s: %zu characters of at least %zu",
                         STR_ARG(provider->name), text.len, provider->key_min_length);
        guess(c, STR("key_shape"), wrong.ptr);
    }
}

bool key_check(struct arena *arena, const struct rules *rules, const struct key_found *key,
               struct problems *problems)
{
    const struct checker c = {arena, rules, key, problems};
    struct str core = key_core(key->text);
    if (str_is_empty(core)) {
        note(&c, STR("key_empty"), false, "is set, but there is no key in it");
        return false;
    }
    bool is_sendable = check_bytes(&c);
    check_edges(&c);
    bool is_word = key->is_own_host && is_filler_word(core);
    if (is_word || key_is_placeholder(core)) {
        guess(&c, STR("key_placeholder"),
              "still holds a placeholder: put the real key in its place");
    } else {
        check_shape(&c, core);
    }
    return is_sendable;
}
