#ifndef CLASSIFY_LIFT_H
#define CLASSIFY_LIFT_H

#include "classify/bigrams.h"
#include "classify/evidence.h"
#include "classify/loose.h"

/* What the unwrappers of this room share while they lay one observation open. Private to
 * src/classify: evidence.c makes it, each unwrap_*.c adds to it. */

#define LIFT_DEPTH_MAX 6  /* texts within texts */
#define LIFT_TEXTS_MAX 12 /* inner texts kept beside the outer one */

struct lift {
    struct arena *arena;
    const struct observation *observation;
    struct evidence *evidence;
    struct loose_budget budget;
    struct str inner_texts[LIFT_TEXTS_MAX]; /* decoded strings, innermost first */
    size_t inner_count;
    bool has_prose;      /* something stands beside the values of the whole text */
    bool has_error;      /* a value said that something failed */
    bool has_message;    /* a whole value says something under a name that reports have */
    bool has_answer;     /* a model's answer or a list was seen */
    bool has_answer_end; /* and its end */
    bool is_answer_cut;  /* or the value that it stands in breaks off */
    bool has_page;       /* markup was seen, with or without words in it */
    bool has_finish;     /* and why the model stopped */
    size_t event_count;  /* events of a stream with values in them, within texts */
    bool has_event_end;  /* and the last word of the stream */
    bool tells_status;   /* the prose names a status of a failure */
    int64_t now_ms;      /* clock of the server or of the observation, 0 unknown */
};

/* Adds a value behind those that a field has; blank and known values are left out. */
void lift_add(struct lift *lift, enum field field, struct str value);
/* The same for a status, when it is one of 400 to 599. */
void lift_add_status(struct lift *lift, struct str digits);
void lift_add_wait(struct lift *lift, int64_t wait_ms); /* the first known one stays; -1 is none */
/* The same until a moment, where the text is one (wait_moment); gives whether it is. */
bool lift_add_wait_until(struct lift *lift, struct str text);

/* unwrap_json.c: takes the fields out of a value; what models and users wrote is overwritten with
 * blanks in bytes, the text that the value was read from. */
void lift_value(struct lift *lift, const struct loose *root, char *bytes, unsigned depth);

/* unwrap_text.c: takes apart prose with values in it. Gives the text without what models and users
 * wrote, in the arena. */
struct str lift_text(struct lift *lift, const struct bigrams *bigrams, struct str text,
                     unsigned depth);

/* unwrap_text.c: "Exception: 'You\\'ve reached the limit.'": what an exception's line quotes
 * becomes a text of its own, since sentences are known by how they begin. Bigrams are those of
 * shown. */
void lift_quoted(struct lift *lift, const struct bigrams *bigrams, struct str shown);

/* unwrap_text.c: several lines that were written into one with \n between them stand as lines
 * beside it. */
void lift_folded(struct lift *lift, const struct bigrams *bigrams, struct str shown);

/* unwrap_sse.c: true when text is a stream of server-sent events; then *has_end says whether its
 * last event was the end of an answer. */
bool lift_is_stream(struct str text, bool *has_end);

/* Of a stream: the data of an event that is named error tells of one, whatever stands in it. */
void lift_failed_event(struct lift *lift, struct str text);

/* Adds to event_count and has_event_end what stands in a text, quoted line ends taken for real
 * ones.
 */
void lift_count_events(struct lift *lift, struct str text);

/* unwrap_html.c: true when text is or holds a page; then title and visible text are added. *shown
 * gets both, with what stood before the page. */
bool lift_html(struct lift *lift, const struct bigrams *bigrams, struct str text,
               struct str *shown);

/* unwrap_html.c: the text without styles and scripts: they say nothing, and a page full of them
 * reads like source code. */
struct str lift_without_scripts(struct arena *arena, struct str text);

/* unwrap_headers.c: times to wait and codes that headers of an answer name. */
void lift_headers(struct lift *lift);

/* prose.c: statuses and codes that prose names ("HTTP 503", "Error code: 401", "curl: (28)",
 * "error code: token_expired"). */
void lift_prose(struct lift *lift, const struct bigrams *bigrams, struct str text);
/* The message of an error: the code that it is as a whole ("invalid_model"), and the codes, reasons
 * and types in it. */
void lift_message(struct lift *lift, struct str message);

/* prose_status.c: the statuses alone. */
void lift_statuses(struct lift *lift, struct str text);
/* Whether a text names a status of a failure: then a message beside it is an error's. */
bool prose_tells_status(struct str text);

/* prose_request.c: whether the number at text[at] is the status of the request that is named
 * beside it: in a server's log, in the console of a browser, at the end of a report of a call. */
bool prose_is_status_of_request(struct str text, size_t at);
/* Whether the number of three digits at text[at] is the status that a balancer lists behind its
 * five times: "0/0/1/27/3830 504 7483". */
bool prose_is_behind_timers(struct str text, size_t at);

/* failure.c: whether a text reads like the report of a failure rather than like ordinary output. */
bool failure_is_told(struct str text);
/* Whether each line has the level of what is no failure, and none a word of one: "INFO session
 * closed code=1001". */
bool failure_is_ordinary(struct str text);
/* Whether a line looks like one that a program printed to report something: "Error: ...", a level
 * of a logger, a sign that clients draw. */
bool failure_is_reported(const struct bigrams *bigrams, struct str line);
/* failure_place.c: whether a word of failures, `length` bytes at line[at], tells of one there. */
bool failure_is_told_at(struct str line, size_t at, size_t length);
/* Whether a sentence that no rule explains states a failure: one of its words tells of one and what
 * stands around it makes no topic of it. */
bool failure_is_stated(struct str sentence);
/* failure_frame.c: whether the words around such a word make a topic of it, and whether the form of
 * the whole sentence does. */
bool failure_is_framed_at(struct str sentence, size_t at, size_t length);
bool failure_is_framed(struct str sentence);

/* mention_text.c: the text with the lines blanked that only speak of errors: source code, diffs,
 * test runners, metrics, articles; itself where none are. Bigrams are those of some of its lines.
 */
struct str mention_remove(struct arena *arena, struct bigram_lines *lines);

#endif
