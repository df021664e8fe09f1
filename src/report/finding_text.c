/* The sentences that formats share about one finding. */
#include "report/finding_text.h"

#include "base/text.h"

struct str finding_message(struct arena *arena, const struct fill *fill)
{
    const struct finding *finding = fill->finding;
    struct str text;
    if (finding->observation && finding->observation->problem) {
        return text_show(arena, finding->observation->problem->message, 0);
    }
    if (!str_is_empty(finding->reason)) {
        return finding->reason;
    }
    return fill_text(arena, fill, finding->diagnosis->meaning.in[fill->lang], &text)
               ? text
               : finding->diagnosis->title.in[fill->lang];
}

struct str finding_said(struct arena *arena, const struct fill *fill)
{
    struct str text, title = fill->finding->diagnosis->title.in[fill->lang];
    return fill_text(arena, fill, title, &text) ? text : title;
}
