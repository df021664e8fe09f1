/* Pasted evidence. Takes what a person put on stdin or in a file, gives one observation: an HTTP
 * answer where it reads like a dump of one, text else. */
#include "input/bound.h"
#include "input/http_dump.h"
#include "input/input.h"

struct observation input_paste(struct arena *arena, const struct mask *mask, struct str text,
                               enum input_kind kind)
{
    struct observation observation = observation_blank(OBSERVATION_TEXT);
    text = text_repair(arena, str_slice(text, 0, INPUT_BYTES_MAX));
    if (kind == INPUT_TEXT || !http_dump_read(arena, text, kind == INPUT_HTTP, &observation)) {
        observation.body = text;
    }
    observation.origin.line = 1;
    observation.origin.column = 1;
    observation_seal(arena, mask, &observation);
    return observation;
}
