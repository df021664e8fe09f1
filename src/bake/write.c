/* Writes the rule table down as C. Takes a table, gives definitions of constants without names of
 * members, so that the compiler misses each one that is left out:
 *
 *     static const struct str a7[] = {{"overloaded", 10}, ...};      what rows point at comes first
 *     static const struct rule rows_rules[] = {{{"id", 2}, &rows_diagnoses[3], a7, 1, ...}, ...};
 */
#include "bake/write.h"

#include "bake/layout.h"
#include "classify/code.h"

#include <inttypes.h>
#include <string.h>

#define ROWS_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define LINE_NUMBERS 16 /* of an array */
#define LINE_CHARS 2000 /* of a literal */

struct writer {
    struct buf *out;
    const struct rules *rules;
    const struct rules_text *files;
    size_t file_count;
    size_t array_count; /* that were written */
};

/* A literal; "?" is escaped because of trigraphs. */
static void add_literal(struct buf *out, struct str text)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool is_plain = c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != '?';
        if (i && i % LINE_CHARS == 0) {
            buf_add(out, STR("\"\n\""));
        }
        if (is_plain) {
            buf_add_char(out, (char)c);
        } else {
            buf_printf(out, "\\%03o", c);
        }
    }
    buf_add_char(out, '"');
}

static void add_str(struct buf *out, struct str text)
{
    if (!text.ptr) {
        buf_add(out, STR("{NULL, 0}"));
        return;
    }
    buf_add_char(out, '{');
    add_literal(out, text);
    buf_printf(out, ", %zu}", text.len);
}

static void add_row(struct writer *writer, struct buf *rows, const struct layout *layout,
                    const char *row);

/* Writes an array of its own and gives its number. */
static size_t write_array(struct writer *writer, const struct layout *layout, const char *first,
                          size_t count)
{
    struct buf rows = buf_create(ROWS_BYTES_MAX);
    for (size_t i = 0; i < count; i++) {
        add_row(writer, &rows, layout, first + i * layout->bytes);
        buf_add(&rows, STR(",\n"));
    }
    size_t number = writer->array_count++;
    buf_printf(writer->out, "static const %s a%zu[] = {\n", layout->type, number);
    buf_add(writer->out, buf_str(&rows));
    buf_add(writer->out, STR("};\n"));
    buf_free(&rows);
    return number;
}

/* The file whose text it is. */
static void add_text(const struct writer *writer, struct buf *rows, struct str text)
{
    for (size_t i = 0; i < writer->file_count; i++) {
        if (writer->files[i].text.ptr == text.ptr) {
            buf_printf(rows, "{file_%zu, sizeof file_%zu - 1}", i, i);
            return;
        }
    }
    add_str(rows, text);
}

static void add_array(struct writer *writer, struct buf *rows, const struct member *member,
                      const char *row)
{
    const char *first = *(const char *const *)(const void *)(row + member->offset);
    size_t count = *(const size_t *)(const void *)(row + member->count_offset);
    if (count) {
        buf_printf(rows, "a%zu", write_array(writer, member->of, first, count));
    } else {
        buf_add(rows, STR("NULL"));
    }
}

static void add_element(struct writer *writer, struct buf *rows, const struct member *member,
                        const char *row, size_t index)
{
    const void *at = row + member->offset + index * member->bytes;
    switch (member->kind) {
    case MEMBER_STR:
        add_str(rows, *(const struct str *)at);
        break;
    case MEMBER_TEXT:
        add_text(writer, rows, *(const struct str *)at);
        break;
    case MEMBER_NUMBER:
        buf_printf(rows, "%" PRId64, layout_number(member, row, index));
        break;
    case MEMBER_ROW:
        add_row(writer, rows, member->of, at);
        break;
    case MEMBER_ROWS:
        add_array(writer, rows, member, row);
        break;
    case MEMBER_LINK:
        buf_printf(rows, "&rows_diagnoses[%zu]",
                   layout_place(writer->rules, *(const struct diagnosis *const *)at));
        break;
    case MEMBER_LEFT_OUT:
        buf_add(rows, STR("0"));
        break;
    }
}

static void add_row(struct writer *writer, struct buf *rows, const struct layout *layout,
                    const char *row)
{
    buf_add(rows, layout->is_plain ? STR("") : STR("{"));
    for (size_t i = 0; i < layout->member_count; i++) {
        const struct member *member = &layout->members[i];
        buf_add(rows, i ? STR(", ") : STR(""));
        buf_add(rows, member->repeat ? STR("{") : STR(""));
        for (size_t k = 0; k < (member->repeat ? member->repeat : 1); k++) {
            buf_add(rows, k ? STR(", ") : STR(""));
            add_element(writer, rows, member, row, k);
        }
        buf_add(rows, member->repeat ? STR("}") : STR(""));
    }
    buf_add(rows, layout->is_plain ? STR("") : STR("}"));
}

static void write_list(struct writer *writer, const struct layout_list *list)
{
    const struct row_list *from = layout_rows(writer->rules, list->list);
    struct buf rows = buf_create(ROWS_BYTES_MAX);
    for (size_t i = 0; i < from->count; i++) {
        add_row(writer, &rows, list->layout, from->items[i]);
        buf_add(&rows, STR(",\n"));
    }
    buf_printf(writer->out, "static const %s rows_%s[] = {\n", list->layout->type, list->name);
    buf_add(writer->out, buf_str(&rows));
    buf_add(writer->out, STR("};\n"));
    buf_free(&rows);
}

static void write_strs(struct buf *out, const char *name, const char *one, const struct str *strs,
                       size_t count)
{
    buf_printf(out, "const struct str built_%s[] = {\n", name);
    for (size_t i = 0; i < count; i++) {
        add_str(out, strs[i]);
        buf_add(out, STR(",\n"));
    }
    buf_printf(out, "{NULL, 0}};\nconst size_t built_%s_count = %zu;\n", one, count);
}

void write_table(struct buf *out, const struct rules *rules, const struct rules_text *files,
                 size_t count)
{
    struct writer writer = {.out = out, .rules = rules, .files = files, .file_count = count};
    buf_add(out, STR("#include \"rules/built.h\"\n#include \"rules/client.h\"\n"
                     "#include \"rules/models.h\"\n#include \"rules/table.h\"\n"));
    for (size_t i = 0; i < layout_list_count; i++) {
        write_list(&writer, &layout_lists[i]);
    }
    buf_add(out, STR("const struct built_list built_lists[] = {\n"));
    for (size_t i = 0; i < layout_list_count; i++) {
        const struct layout_list *list = &layout_lists[i];
        buf_printf(out, "{offsetof(struct rules, %s), rows_%s, %zu, sizeof rows_%s[0]},\n",
                   list->name, list->name, layout_rows(rules, list->list)->count, list->name);
    }
    buf_printf(out, "};\nconst size_t built_list_count = %zu;\n", layout_list_count);
    write_strs(out, "key_prefixes", "key_prefix", rules->key_prefixes, rules->key_prefix_count);
    write_strs(out, "key_shapes", "key_shape", rules->key_shapes, rules->key_shape_count);
}

void write_files(struct buf *out, const struct rules_text *files, size_t count)
{
    buf_add(out, STR("#include \"rules/embedded.h\"\n"));
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "static const char file_%zu[] =\n", i);
        add_literal(out, files[i].text);
        buf_add(out, STR(";\n"));
    }
    buf_add(out, STR("const struct embedded_file embedded_files[] = {\n"));
    for (size_t i = 0; i < count; i++) {
        buf_add_char(out, '{');
        add_literal(out, files[i].file);
        buf_printf(out, ", {file_%zu, sizeof file_%zu - 1}},\n", i, i);
    }
    buf_printf(out, "};\nconst size_t embedded_file_count = %zu;\n", count);
}

/* One array of numbers without a sign, of one, two or four bytes each. */
struct numbers {
    const char *type, *name;
    const void *items;
    size_t count, bytes_each;
};

static uint32_t number_at(const struct numbers *numbers, size_t i)
{
    switch (numbers->bytes_each) {
    case sizeof(uint8_t):
        return ((const uint8_t *)numbers->items)[i];
    case sizeof(uint16_t):
        return ((const uint16_t *)numbers->items)[i];
    default:
        return ((const uint32_t *)numbers->items)[i];
    }
}

static void write_numbers(struct buf *out, const char *of, const struct numbers *numbers)
{
    buf_printf(out, "static const %s %s_%s[] = {", numbers->type, of, numbers->name);
    for (size_t i = 0; i < numbers->count; i++) {
        buf_printf(out, "%s%" PRIu32 ",", i % LINE_NUMBERS ? "" : "\n", number_at(numbers, i));
    }
    buf_add(out, STR("0};\n"));
}

void write_keywords(struct buf *out, const struct keywords *keywords)
{
    buf_add(out, STR("#include \"classify/built_keywords.h\"\n"));
#define ARRAY(type, name, length)                                                                  \
    write_numbers(out, "keywords",                                                                 \
                  &(struct numbers){#type, #name, keywords->name, (length), sizeof(type)});
#include "classify/keywords.def"
#undef ARRAY
    buf_printf(out, "const struct keywords built_keywords = {%zu, %zu, %zu, %zu",
               keywords->literal_count, keywords->hashed_count, keywords->text_bytes,
               keywords->set_count);
#define ARRAY(type, name, length) buf_add(out, STR(", keywords_" #name));
#include "classify/keywords.def"
#undef ARRAY
    buf_add(out, STR("};\n"));
}

void write_stock(struct buf *out, const struct sieve_stock *stock)
{
    buf_add(out, STR("#include \"classify/sieve_stock.h\"\n"));
#define ARRAY(type, name, length)                                                                  \
    write_numbers(out, "stock",                                                                    \
                  &(struct numbers){#type, #name, stock->name, (length), sizeof(type)});
#include "classify/sieve_stock.def"
#undef ARRAY
    buf_printf(out, "const struct sieve_stock built_stock = {%zu, %zu, %zu, %zu", stock->rule_count,
               stock->node_count, stock->literal_count, stock->text_bytes);
#define ARRAY(type, name, length) buf_add(out, STR(", stock_" #name));
#include "classify/sieve_stock.def"
#undef ARRAY
    buf_add(out, STR("};\n"));
}

/* Adds the bytes of one compiled pattern as numbers of eight; gives how many. */
static uint32_t add_code(struct buf *out, struct str code)
{
    uint32_t count = 0;
    for (size_t from = 0; from < code.len; from += sizeof(uint64_t), count++) {
        struct str part = str_slice(code, from, from + sizeof(uint64_t));
        uint64_t number = 0;
        memcpy(&number, part.ptr, part.len);
        buf_printf(out, "%s0x%" PRIx64 ",", count % LINE_NUMBERS ? "" : "\n", number);
    }
    return count;
}

void write_codes(struct buf *out, const struct rules *rules)
{
    struct buf places = buf_create(ROWS_BYTES_MAX);
    struct arena *scratch = arena_create();
    uint32_t at = 0;
    size_t count = 0;
    buf_add(out, STR("#include \"classify/built_codes.h\"\nstatic const uint64_t codes[] = {"));
    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule *rule = rules_at(rules, i);
        for (size_t k = 0; k < rule->condition_count; k++) {
            buf_printf(&places, "%s%" PRIu32 ",", count++ % LINE_NUMBERS ? "" : "\n", at);
            at += add_code(out, code_keep(scratch, rule->conditions[k].pattern));
        }
        arena_reset(scratch);
    }
    buf_add(out, STR("0};\nstatic const uint32_t code_at[] = {"));
    buf_add(out, buf_str(&places));
    buf_printf(out,
               "0};\nconst struct built_codes built_codes = {%zu, code_at, "
               "(const unsigned char *)codes};\n",
               count);
    arena_free(scratch);
    buf_free(&places);
}
