/* Building of JSON documents with cJSON for commands that print no report. */
#include "cli/json.h"

#include "base/text.h"
#include "report/report.h"

#include <cJSON.h>

struct cJSON *json_begin(struct cli *cli)
{
    const char *command = cli->command ? cli->command->name : "diagnose";
    return report_json_head(str_from(command), STR(DIAGNOSE_VERSION));
}

int json_end(struct cli *cli, struct cJSON *root, int exit_code)
{
    json_number(root, "exit_code", exit_code);
    report_json_print(root, false, &cli->out);
    cJSON_Delete(root);
    return exit_code;
}

struct json_writer json_open(struct cli *cli)
{
    struct json_writer writer = {.out = &cli->out};
    struct cJSON *head = json_begin(cli);
    json_write_open(&writer, NULL, '{');
    for (const struct cJSON *member = head->child; member; member = member->next) {
        json_write_tree(&writer, member->string, member);
    }
    cJSON_Delete(head);
    return writer;
}

int json_close(struct cli *cli, struct json_writer *writer, int exit_code)
{
    json_write_number(writer, "exit_code", (uint64_t)exit_code);
    json_write_close(writer, '}');
    buf_add_char(&cli->out, '\n');
    return exit_code;
}

void json_line(struct cli *cli, struct cJSON *object)
{
    report_json_print(object, true, &cli->out);
    cJSON_Delete(object);
}

void json_write_shown(struct json_writer *writer, struct arena *arena, const char *name,
                      struct str text)
{
    json_write_text(writer, name, str_is_set(text) ? text_show(arena, text, 0) : text);
}

void json_text(struct arena *arena, struct cJSON *object, const char *name, struct str text)
{
    if (str_is_set(text)) {
        cJSON_AddStringToObject(object, name, arena_cstr(arena, text_show(arena, text, 0)));
    } else {
        cJSON_AddNullToObject(object, name);
    }
}

void json_number(struct cJSON *object, const char *name, int64_t number)
{
    cJSON_AddNumberToObject(object, name, (double)number);
}

void json_bool(struct cJSON *object, const char *name, bool truth)
{
    cJSON_AddBoolToObject(object, name, truth);
}

struct cJSON *json_object(struct cJSON *object, const char *name)
{
    return cJSON_AddObjectToObject(object, name);
}

struct cJSON *json_array(struct cJSON *object, const char *name)
{
    return cJSON_AddArrayToObject(object, name);
}

struct cJSON *json_element(struct cJSON *array)
{
    struct cJSON *element = cJSON_CreateObject();
    cJSON_AddItemToArray(array, element);
    return element;
}

void json_number_element(struct cJSON *array, int64_t number)
{
    cJSON_AddItemToArray(array, cJSON_CreateNumber((double)number));
}

void json_text_element(struct arena *arena, struct cJSON *array, struct str text)
{
    const char *shown = arena_cstr(arena, text_show(arena, text, 0));
    cJSON_AddItemToArray(array, cJSON_CreateString(shown));
}
