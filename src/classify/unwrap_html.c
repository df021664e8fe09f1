/* Pages: title and visible text. Takes markup of any quality, gives plain text; scripts, styles,
 * comments and tags are dropped. */
#include "base/buf.h"
#include "classify/lift.h"
#include "classify/respell.h"

#define VISIBLE_MAX ((size_t)8 * 1024)

/* Offset of the page in a text, or -1: markup names itself, or opens with a tag of a head. */
static ptrdiff_t find_page(const struct bigrams *bigrams, struct str text)
{
    static const struct str starts[] = {STR_INIT("<!doctype html"), STR_INIT("<html"),
                                        STR_INIT("<head>"), STR_INIT("<title>")};
    ptrdiff_t first = -1;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        ptrdiff_t at = bigrams_ifind(bigrams, text, starts[i]);
        if (at >= 0 && (first < 0 || at < first)) {
            first = at;
        }
    }
    return first;
}

static void add_entity(struct str *rest, struct buf *out)
{
    struct str meant = STR("&");
    size_t length = respell_entity(*rest, &meant);
    buf_add(out, meant);
    *rest = str_slice(*rest, length ? length : 1, rest->len);
}

/* rest behind the first `end`, or nothing when it is not there. */
static struct str behind(struct str rest, struct str end)
{
    ptrdiff_t at = str_ifind(rest, end);
    return at < 0 ? str_slice(rest, rest.len, rest.len)
                  : str_slice(rest, (size_t)at + end.len, rest.len);
}

/* A description in the head often names the filter that made the page. */
static void add_description(struct str tag, struct buf *out)
{
    ptrdiff_t at = str_ifind(tag, STR("content=\""));
    if (!str_istarts(tag, STR("<meta")) || str_ifind(tag, STR("description")) < 0 || at < 0) {
        return;
    }
    struct str rest = str_slice(tag, (size_t)at + 9, tag.len), content;
    if (str_split(&rest, '"', &content)) {
        buf_add(out, content);
        buf_add_char(out, '\n');
    }
}

/* A form that asks for a password shows no word of it. */
static void add_password(struct str tag, struct buf *out)
{
    if (str_istarts(tag, STR("<input")) && str_ifind(tag, STR("type=\"password\"")) >= 0) {
        buf_add(out, STR("password\n"));
    }
}

/* A page that only sends the reader on shows no word of it. */
static void add_refresh(struct str tag, struct buf *out)
{
    ptrdiff_t at = str_ifind(tag, STR("url="));
    if (!str_istarts(tag, STR("<meta")) || str_ifind(tag, STR("http-equiv")) < 0 ||
        str_ifind(tag, STR("refresh")) < 0 || at < 0) {
        return;
    }
    struct str url = str_slice(tag, (size_t)at + 4, tag.len);
    while (url.len && str_is_of(url.ptr[url.len - 1], "\"'/> ")) {
        url.len--;
    }
    buf_add(out, STR("refresh to "));
    buf_add(out, url);
    buf_add_char(out, '\n');
}

/* Bytes of a script or a style at the front with what it holds, all to the end where nothing closes
 * it; 0 where none stands there, as in "<StyledApp>". */
static size_t script_length(struct str text, bool *is_closed)
{
    static const struct {
        struct str open, close;
    } elements[] = {{STR_INIT("<script"), STR_INIT("</script>")},
                    {STR_INIT("<style"), STR_INIT("</style>")}};
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        size_t end = elements[i].open.len;
        if (str_istarts(text, elements[i].open) && text.len > end &&
            str_is_of(text.ptr[end], "> \t\r\n/")) {
            ptrdiff_t close = str_ifind(text, elements[i].close);
            *is_closed = close >= 0;
            return close < 0 ? text.len : (size_t)close + elements[i].close.len;
        }
    }
    return 0;
}

/* Takes one tag, comment, script or style off the front. */
static void skip_tag(struct str *rest, struct buf *out)
{
    bool is_closed;
    size_t script = script_length(*rest, &is_closed);
    if (str_starts(*rest, STR("<!--"))) {
        *rest = behind(*rest, STR("-->"));
    } else if (script > 0) {
        *rest = str_slice(*rest, script, rest->len);
    } else {
        ptrdiff_t close = str_find_char(*rest, '>');
        struct str tag = close < 0 ? *rest : str_slice(*rest, 0, (size_t)close + 1);
        bool is_inline = str_istarts(tag, STR("<b>")) || str_istarts(tag, STR("</b>")) ||
                         str_istarts(tag, STR("<a ")) || str_istarts(tag, STR("</a>")) ||
                         str_istarts(tag, STR("<span")) || str_istarts(tag, STR("</span>")) ||
                         str_istarts(tag, STR("<strong")) || str_istarts(tag, STR("</strong>"));
        add_description(tag, out);
        add_password(tag, out);
        add_refresh(tag, out);
        *rest = str_slice(*rest, tag.len, rest->len);
        if (!is_inline && out->len && out->ptr[out->len - 1] != '\n') {
            buf_add_char(out, '\n');
        }
    }
}

static struct str visible_text(struct arena *arena, struct str page)
{
    struct buf out = buf_create(VISIBLE_MAX);
    while (page.len && !out.is_full) {
        char c = page.ptr[0];
        if (c == '<') {
            skip_tag(&page, &out);
            continue;
        }
        if (c == '&') {
            add_entity(&page, &out);
            continue;
        }
        bool is_blank = str_is_of(c, " \t\r\n");
        bool has_gap = out.len == 0 || str_is_of(out.ptr[out.len - 1], " \n");
        if (!is_blank || !has_gap) {
            buf_add_char(&out, is_blank ? ' ' : c);
        }
        page = str_slice(page, 1, page.len);
    }
    struct str text = str_trim(arena_dup(arena, buf_str(&out)));
    buf_free(&out);
    return text;
}

static struct str title_of(struct arena *arena, struct str page)
{
    ptrdiff_t open = str_ifind(page, STR("<title"));
    if (open < 0) {
        return (struct str){NULL, 0};
    }
    struct str rest = behind(str_slice(page, (size_t)open, page.len), STR(">"));
    ptrdiff_t close = str_ifind(rest, STR("</title"));
    return visible_text(arena, close < 0 ? rest : str_slice(rest, 0, (size_t)close));
}

/* Whether a page stands within a string of a value or of a stream: those who read the value see to
 * it, where it is an error's. */
static bool is_within_value(struct str text, size_t at)
{
    static const struct str fields[] = {STR_INIT("data:"), STR_INIT("event:"), STR_INIT("id:")};
    struct str trimmed = str_trim(text);
    bool is_table = str_starts(trimmed, STR("{")) && str_ends(trimmed, STR("}"));
    bool is_list = str_starts(trimmed, STR("[")) && str_ends(trimmed, STR("}]"));
    bool opens_line = at == 0 || text.ptr[at - 1] == '\n';
    return !opens_line && (is_table || is_list || STARTS_ANY(trimmed, fields));
}

bool lift_html(struct lift *lift, const struct bigrams *bigrams, struct str text, struct str *shown)
{
    ptrdiff_t at = find_page(bigrams, text);
    if (at < 0 || is_within_value(text, (size_t)at)) {
        return false;
    }
    struct str page = str_slice(text, (size_t)at, text.len),
               before = str_slice(text, 0, (size_t)at);
    struct str words = visible_text(lift->arena, page);
    lift->has_page = true;
    lift_add(lift, FIELD_HTML_TITLE, title_of(lift->arena, page));
    lift_add(lift, FIELD_HTML_TEXT, words);
    *shown = arena_printf(lift->arena, "%.*s\n%.*s", STR_ARG(before), STR_ARG(words));
    return true;
}

struct str lift_without_scripts(struct arena *arena, struct str text)
{
    if (str_ifind(text, STR("<style")) < 0 && str_ifind(text, STR("<script")) < 0) {
        return text;
    }
    bool is_page = str_ifind(text, STR("<html")) >= 0;
    struct buf out = buf_create(text.len + 1);
    for (struct str rest = text; rest.len;) {
        bool is_closed = true;
        size_t script = script_length(rest, &is_closed);
        /* A message that quotes the first words of a page goes on behind them. */
        bool is_quoted = !is_closed && !is_page;
        size_t end = is_quoted ? rest.len : script > 0 ? 0 : str_next_char(rest, 1, '<');
        buf_add(&out, str_slice(rest, 0, end));
        rest = str_slice(rest, script > 0 ? script : end, rest.len);
    }
    struct str words = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return words;
}
