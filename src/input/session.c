/* Sessions of agents at a terminal. Takes the lines of one, tells which are of the agent's own
 * calls: what it was told, what it said and what its tools printed is set aside.
 *
 *     Codex, exec                     Claude Code, Codex                Gemini CLI
 *     OpenAI Codex v0.171.0           > fix the tests       aside       ╭───────────────╮  aside
 *     model: gpt-5.3-codex            ● I'll run them.      aside       │ ✓ Shell pytest│  aside
 *     user                  aside     ● Bash(pytest -q)     aside       │ 1 failed      │  aside
 *     fix the tests         aside       ⎿  1 failed         aside       ╰───────────────╯  aside
 *     exec                  aside       ⎿  API Error: 529               ✕ [API Error: 503]
 *     pytest -q in /work    aside
 *      exited 1 in 982ms:   aside     (the marks of each were read off the real programs)
 *     1 failed              aside
 *     ERROR: at capacity
 *     tokens used
 */
#include "input/session.h"

/* How one client lays out what it shows. */
struct session_kind {
    bool (*is_one)(struct str text);
    bool (*has_failed)(struct str text); /* of the agent's own calls */
    bool (*opens)(struct str line);      /* whether what is set aside begins with a line */
    bool (*ends)(struct str line);       /* or has ended in front of it */
};

/* "[2025-08-01T10:00:00] codex": without the time that versions up to 0.40 put in front. */
static struct str without_time(struct str line)
{
    ptrdiff_t close = str_starts(line, STR("[20")) ? str_find(line, STR("] ")) : -1;
    return close < 0 ? line : str_slice(line, (size_t)close + 2, line.len);
}

/* Whether a text has a line that begins so. */
static bool has_line(struct str text, struct str begin)
{
    for (struct str line; str_split(&text, '\n', &line);) {
        if (str_starts(without_time(line), begin)) {
            return true;
        }
    }
    return false;
}

/* ---- codex exec ---- */

static bool is_codex_exec(struct str text)
{
    return has_line(text, STR("OpenAI Codex v")) || has_line(text, STR("tokens used"));
}

static bool has_codex_exec_failed(struct str text)
{
    return has_line(text, STR("ERROR: "));
}

/* The heads of what was asked, thought, said and run. */
static bool opens_codex_exec(struct str line)
{
    static const struct str heads[] = {
        STR_INIT("User instructions:"),
        STR_INIT("apply_patch("),
        STR_INIT("assistant"),
        STR_INIT("codex"),
        STR_INIT("exec"),
        STR_INIT("exec "),
        STR_INIT("file update"),
        STR_INIT("thinking"),
        STR_INIT("user"),
    };
    struct str head = without_time(line);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        bool is_open = str_is_of(heads[i].ptr[heads[i].len - 1], " (");
        if (is_open ? str_starts(head, heads[i]) : str_eq(str_trim(head), heads[i])) {
            return true;
        }
    }
    return false;
}

static bool ends_codex_exec(struct str line)
{
    static const struct str heads[] = {STR_INIT("ERROR: "), STR_INIT("stream error: "),
                                       STR_INIT("tokens used")};
    return STARTS_ANY(without_time(line), heads);
}

/* ---- Claude Code, and Codex in its own screen ---- */

/* "⎿  API Error: 529 ...", "■ unexpected status 401 ...": of the agent itself. */
static bool ends_screen(struct str line)
{
    static const struct str fronts[] = {STR_INIT("⎿"), STR_INIT("●"), STR_INIT("⏺")};
    struct str inner = str_trim(line);
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
        struct str behind = str_trim(str_slice(inner, fronts[i].len, inner.len));
        if (str_starts(inner, fronts[i]) && str_starts(behind, STR("API Error"))) {
            return true;
        }
    }
    return str_starts(inner, STR("■ ")) || str_starts(inner, STR("⚠ "));
}

/* "● Bash(npm ci)", "• Ran npm ci", "● The answer is 429.", "> fix the tests": a call of a tool,
 * whose output stands indented below, what the agent says, and what was asked. */
static bool opens_screen(struct str line)
{
    static const struct str bullets[] = {STR_INIT("● "), STR_INIT("⏺ "), STR_INIT("• "),
                                         STR_INIT("› "), STR_INIT("❯ "),   STR_INIT("> ")};
    return STARTS_ANY(line, bullets) && !ends_screen(line);
}

static bool has_screen_failed(struct str text)
{
    for (struct str line; str_split(&text, '\n', &line);) {
        if (ends_screen(line) && !str_starts(str_trim(line), STR("⚠ "))) {
            return true;
        }
    }
    return false;
}

static bool is_screen(struct str text)
{
    static const struct str bullets[] = {STR_INIT("● "), STR_INIT("⏺ "), STR_INIT("• Ran ")};
    for (size_t i = 0; i < sizeof bullets / sizeof bullets[0]; i++) {
        if (has_line(text, bullets[i])) {
            return true;
        }
    }
    return false;
}

static bool ends_screen_aside(struct str line)
{
    bool is_indented = line.len == 0 || str_is_blank(line.ptr[0]);
    return !is_indented || ends_screen(line);
}

/* ---- Gemini CLI ---- */

static bool has_gemini_failed(struct str text)
{
    return has_line(text, STR("✕ [API Error: ")) || has_line(text, STR("[API Error: "));
}

/* What a tool printed is framed. */
static bool opens_gemini(struct str line)
{
    static const struct str marks[] = {STR_INIT("│ ✓ "), STR_INIT("│ x "), STR_INIT("│ ✗ ")};
    return STARTS_ANY(line, marks);
}

static bool ends_gemini(struct str line)
{
    return !str_starts(line, STR("│"));
}

static bool is_gemini(struct str text)
{
    return has_line(text, STR("│ ✓ ")) || has_line(text, STR("│ x ")) ||
           has_line(text, STR("│ ✗ "));
}

static const struct session_kind kinds[] = {
    {is_codex_exec, has_codex_exec_failed, opens_codex_exec, ends_codex_exec},
    {is_screen, has_screen_failed, opens_screen, ends_screen_aside},
    {is_gemini, has_gemini_failed, opens_gemini, ends_gemini},
};

struct session session_begin(struct str text)
{
    size_t i = 0;
    while (i < sizeof kinds / sizeof kinds[0] && !kinds[i].is_one(text)) {
        i++;
    }
    bool is_none = i == sizeof kinds / sizeof kinds[0];
    return (struct session){.kind = is_none ? NULL : &kinds[i]};
}

bool session_has_failed(const struct session *session, struct str text)
{
    return session->kind && session->kind->has_failed(text);
}

bool session_is_aside(struct session *session, struct str line)
{
    const struct session_kind *kind = session->kind;
    session->is_aside = kind && (kind->opens(line) || (session->is_aside && !kind->ends(line)));
    return session->is_aside;
}
