/* Whether a rule's own sentence tells anything new. Takes it and the words of the diagnosis, gives
 * it or nothing. */
#include "triage/reason.h"

#define STEM 4       /* letters by which two words are the same: "known" and "knows" */
#define WORD_LEAST 3 /* a shorter one says nothing by itself */

/* Words that carry nothing. */
static bool is_filler(struct str word)
{
    static const struct str fillers[] = {
        STR_INIT("the"),  STR_INIT("this"), STR_INIT("that"), STR_INIT("and"),  STR_INIT("for"),
        STR_INIT("not"),  STR_INIT("has"),  STR_INIT("had"),  STR_INIT("was"),  STR_INIT("does"),
        STR_INIT("did"),  STR_INIT("are"),  STR_INIT("its"),  STR_INIT("with"), STR_INIT("into"),
        STR_INIT("from"), STR_INIT("says"), STR_INIT("here"), STR_INIT("too"),  STR_INIT("came"),
    };
    for (size_t i = 0; i < sizeof fillers / sizeof fillers[0]; i++) {
        if (str_ieq(fillers[i], word)) {
            return true;
        }
    }
    return word.len < WORD_LEAST;
}

/* Of the words of the sentence that carry something the first, which it is about, stands in the
 * other text, and two in three do. */
static bool is_said_by(struct str sentence, struct str text)
{
    size_t count = 0, said = 0;
    bool is_subject_said = true;
    for (size_t at = 0; at < sentence.len; at++) {
        size_t begin = at;
        while (at < sentence.len && str_is_alnum(sentence.ptr[at])) {
            at++;
        }
        struct str word = str_slice(sentence, begin, at);
        if (!is_filler(word)) {
            bool is_said = str_ifind(text, str_slice(word, 0, STEM)) >= 0;
            is_subject_said = is_subject_said && (is_said || count > 0);
            said += is_said ? 1 : 0;
            count++;
        }
    }
    return count > 0 && is_subject_said && 3 * said >= 2 * count;
}

static bool is_ascii(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] > 0x7F) {
            return false;
        }
    }
    return true;
}

struct str reason_beyond(const struct finding *finding, struct str meaning, enum lang lang)
{
    struct str reason = finding->reason;
    bool is_foreign = lang == LANG_ZH && is_ascii(reason);
    bool is_new = !str_is_empty(reason) && !is_foreign && !is_said_by(reason, meaning);
    return is_new ? reason : (struct str){NULL, 0};
}
