#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "cli/cli.h"
#include "report/json_write.h"

struct cJSON;

/* The JSON of commands whose result is no report. Strings may be of any origin: they are made fit
 * to be shown, so the document is valid UTF-8. */

/* An object with schema_version, tool and command. */
struct cJSON *json_begin(struct cli *cli);
/* Adds exit_code, appends the document to cli->out with a newline, frees it. Gives exit_code. */
int json_end(struct cli *cli, struct cJSON *root, int exit_code);

/* Begins a document with schema_version, tool and command that is written as it comes, into
 * cli->out.
 */
struct json_writer json_open(struct cli *cli);
/* Writes exit_code and ends the document. Gives exit_code. */
int json_close(struct cli *cli, struct json_writer *writer, int exit_code);

/* Appends any object as one line to cli->out and frees it. */
void json_line(struct cli *cli, struct cJSON *object);

/* Writes text that is made fit to be shown, as json_text adds it. */
void json_write_shown(struct json_writer *writer, struct arena *arena, const char *name,
                      struct str text);

/* Each adds a member and gives it (unset text becomes null). */
void json_text(struct arena *arena, struct cJSON *object, const char *name, struct str text);
void json_number(struct cJSON *object, const char *name, int64_t number);
void json_bool(struct cJSON *object, const char *name, bool truth);
struct cJSON *json_object(struct cJSON *object, const char *name);
struct cJSON *json_array(struct cJSON *object, const char *name);
/* Adds an element to an array. */
struct cJSON *json_element(struct cJSON *array);
void json_number_element(struct cJSON *array, int64_t number);
void json_text_element(struct arena *arena, struct cJSON *array, struct str text);

#endif
