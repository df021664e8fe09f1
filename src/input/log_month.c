/* Names of months as journals write them, in the language of their host: glibc's locales abbreviate
 * them so (abmon). Takes a text, gives the month that it begins with. */
#include "input/log_month.h"

struct month {
    struct str name;
    int64_t number;
};

/* English first, which most logs have; then what differs from it. */
static const struct month months[] = {
    {STR_INIT("Jan"), 1},   {STR_INIT("Feb"), 2},   {STR_INIT("Mar"), 3},   {STR_INIT("Apr"), 4},
    {STR_INIT("May"), 5},   {STR_INIT("Jun"), 6},   {STR_INIT("Jul"), 7},   {STR_INIT("Aug"), 8},
    {STR_INIT("Sep"), 9},   {STR_INIT("Oct"), 10},  {STR_INIT("Nov"), 11},  {STR_INIT("Dec"), 12},
    {STR_INIT("Mär"), 3},   {STR_INIT("Mai"), 5},   {STR_INIT("Okt"), 10},  {STR_INIT("Dez"), 12},
    {STR_INIT("janv."), 1}, {STR_INIT("févr."), 2}, {STR_INIT("avril"), 4}, {STR_INIT("juin"), 6},
    {STR_INIT("juil."), 7}, {STR_INIT("août"), 8},  {STR_INIT("déc."), 12}, {STR_INIT("ene"), 1},
    {STR_INIT("abr"), 4},   {STR_INIT("ago"), 8},   {STR_INIT("dic"), 12},  {STR_INIT("gen"), 1},
    {STR_INIT("mag"), 5},   {STR_INIT("giu"), 6},   {STR_INIT("lug"), 7},   {STR_INIT("set"), 9},
    {STR_INIT("ott"), 10},  {STR_INIT("fev"), 2},   {STR_INIT("out"), 10},  {STR_INIT("янв"), 1},
    {STR_INIT("фев"), 2},   {STR_INIT("мар"), 3},   {STR_INIT("апр"), 4},   {STR_INIT("мая"), 5},
    {STR_INIT("июн"), 6},   {STR_INIT("июл"), 7},   {STR_INIT("авг"), 8},   {STR_INIT("сен"), 9},
    {STR_INIT("окт"), 10},  {STR_INIT("ноя"), 11},  {STR_INIT("дек"), 12},
};

/* "11月" of Chinese and Japanese, " 1月" where it is set in a column. */
static size_t take_numbered(struct str text, int64_t *month)
{
    static const struct str sign = STR_INIT("月");
    size_t at = text.len && text.ptr[0] == ' ';
    size_t digits = at;
    for (*month = 0; digits < text.len && digits < 2 && str_is_digit(text.ptr[digits]); digits++) {
        *month = *month * 10 + (text.ptr[digits] - '0');
    }
    bool is_month = *month > 0 && str_starts(str_slice(text, digits, text.len), sign);
    return is_month ? digits + sign.len : 0;
}

/* Whether the text begins with a longer word than a month's name. Most words that begin with a
 * month's letter go on where its name ends; names of four letters are French and begin with a or j.
 */
static bool is_longer(struct str text)
{
    return text.len < 4 || (str_is_letter(text.ptr[3]) && (unsigned char)text.ptr[1] < 0x80 &&
                            !str_is_of(text.ptr[0], "aj"));
}

size_t log_month_read(struct str text, int64_t *month)
{
    if (text.len && (str_is_digit(text.ptr[0]) || text.ptr[0] == ' ')) {
        return take_numbered(text, month);
    }
    if (is_longer(text)) {
        return 0;
    }
    char first = str_lower(text.ptr[0]);
    for (size_t i = 0; i < sizeof months / sizeof months[0]; i++) {
        if (first == str_lower(months[i].name.ptr[0]) && str_istarts(text, months[i].name)) {
            *month = months[i].number;
            size_t length = months[i].name.len;
            return length + (length < text.len && text.ptr[length] == '.');
        }
    }
    return 0;
}
