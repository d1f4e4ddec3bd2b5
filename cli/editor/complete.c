/* SPDX-License-Identifier: MIT */
#include "cli/editor/complete.h"

#include <string.h>

#include "cli/editor/definition.h"
#include "cli/editor/hover.h"
#include "cli/editor/instruction.h"
#include "cli/editor/position.h"
#include "cli/show/json.h"
#include "model/models/models.h"

/* As the protocol numbers what a completion is. */
enum { KIND_FUNCTION = 3, KIND_VARIABLE = 6, KIND_MODULE = 9, KIND_KEYWORD = 14, KIND_MEMBER = 20 };

/* The items, of which those count that go on as the text does. */
struct offer {
    const struct editor_text *text;
    struct span typed; /* what they replace */
    json_t *items;
};

static void add(struct offer *offer, const char *word, int kind, const char *detail)
{
    const char *typed = offer->text->source->text + offer->typed.offset;
    if (strncmp(word, typed, offer->typed.length) != 0)
        return;
    json_array_append_new(offer->items,
                          json_pack("{s:o, s:i, s:o, s:{s:o, s:o}}", "label", json_text(word),
                                    "kind", kind, "detail", json_text(detail), "textEdit", "range",
                                    position_range(offer->text->source, offer->typed), "newText",
                                    json_text(word)));
}

/* ---- a test --------------------------------------------------------------------------------- */

/* How often an instruction has a word of the class. */
static uint32_t most_of(enum op op, char class)
{
    uint32_t most = 0;
    for (const char *letter = op_row(op)->modifiers; *letter; letter++)
        most += *letter == class;
    return most;
}

/* Does the word fit beside the dotted words that stand already? */
static bool is_free(const char *words, size_t length, enum op op, const struct isa_word *word)
{
    uint32_t written = 0;
    for (size_t from = 0, to; from < length; from = to + 1) {
        for (to = from; to < length && words[to] != '.'; to++)
            ;
        const struct isa_word *other = isa_word_find(words + from, to - from, op);
        if (other == word)
            return false;
        written += other && other->class == word->class;
    }
    return word->class == 'F' || word->class == 'R' || written < most_of(op, word->class);
}

/* "ld.acquire.": what else may follow, in the order of the table. */
static void add_modifiers(struct offer *offer, const char *word, size_t length, enum op op)
{
    for (const struct isa_word *one = isa_words; one->text; one++)
        if (instruction_accepts(op, one) && is_free(word, length, op, one))
            add(offer, one->text, KIND_MEMBER,
                one->class == 'F' ? op_mnemonic(op) : instruction_class(one->class));
}

static void add_mnemonics(struct offer *offer)
{
    for (uint32_t op = 0; op < OP_COUNT; op++)
        if (!strchr(op_mnemonic((enum op)op), ' '))
            add(offer, op_mnemonic((enum op)op), KIND_FUNCTION, instruction_group((enum op)op));
}

static void add_specials(struct offer *offer)
{
#define SPECIAL(id, name, type) add(offer, name, KIND_VARIABLE, "special register");
#include "litmus/isa/special.def"
#undef SPECIAL
}

static void add_names(struct offer *offer, const struct test *test)
{
    for (uint32_t i = 0; i < test->location_count; i++)
        add(offer, test->locations[i].name, KIND_VARIABLE, "location");
    for (uint32_t b = 0; b < test->body_count; b++) {
        const struct body *body = &test->bodies[b];
        for (uint32_t i = 0; i < body->reg_count; i++)
            if (*body->regs[i].name)
                add(offer, body->regs[i].name, KIND_VARIABLE,
                    arena_printf(offer->text->arena, "register of %s", body->name));
        for (uint32_t i = 0; i < body->label_count; i++)
            add(offer, body->labels[i].name, KIND_VARIABLE,
                arena_printf(offer->text->arena, "label of %s", body->name));
    }
}

/* "expect MODEL: VERDICT": is the name of the model being typed? Then 'typed' is what stands of it. */
static bool is_expectation(struct offer *offer, uint32_t offset)
{
    static const char before[] = "\"expect ";
    const char *text = offer->text->source->text;
    uint32_t from = offset, n = (uint32_t)strlen(before);
    while (from && text[from - 1] != ' ' && text[from - 1] != '\n')
        from--;
    if (from < n || memcmp(text + from - n, before, n) != 0)
        return false;
    offer->typed = (struct span){from, offset - from};
    return true;
}

static void add_models(struct offer *offer)
{
    for (uint32_t i = 0; i < model_text_count; i++)
        add(offer, model_texts[i].name, KIND_MODULE, model_texts[i].summary);
}

static void complete_test(struct offer *offer, const struct editor_text *before, struct span word)
{
    const char *start = offer->text->source->text + word.offset;
    const struct isa_spelling *spelling;
    enum op op = instruction_find(offer->text->arena, start, word.length, &spelling);
    uint32_t tail = word.length;
    while (tail && start[tail - 1] != '.')
        tail--;
    if (is_expectation(offer, word.offset + word.length)) {
        add_models(offer);
        return;
    }
    add_mnemonics(offer);
    add_specials(offer);
    if (before && before->job.test)
        add_names(offer, before->job.test);
    if (op == OP_COUNT || !tail)
        return;
    offer->typed = (struct span){word.offset + tail, word.length - tail};
    add_modifiers(offer, start, tail - 1, op);
}

/* ---- a cat text ----------------------------------------------------------------------------- */

static void complete_model(struct offer *offer)
{
    static const struct {
        const char *word;
        bool refused;
    } keywords[] = {
#define STARTS                 false
#define INSIDE                 false
#define REFUSED                true
#define KEYWORD(id, word, use) {word, use},
#include "model/cat/keyword.def"
#undef KEYWORD
#undef STARTS
#undef INSIDE
#undef REFUSED
    };
    const struct editor_text *text = offer->text;
    struct definition_names names = definition_names(text->arena, text->source, hover_folder(text));
    for (uint32_t i = 0; i < names.items.len; i++)
        add(offer, names.items.at[i], KIND_FUNCTION, "defined");
    for (uint32_t i = 0; i < model_base_count; i++)
        add(offer, model_bases[i].name, KIND_VARIABLE, model_bases[i].meaning);
    for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++)
        if (!keywords[i].refused)
            add(offer, keywords[i].word, KIND_KEYWORD, "word of cat");
}

json_t *complete_at(const struct editor_text *text, const struct editor_text *before,
                    uint32_t offset)
{
    struct span word = hover_word(text, offset);
    word.length = MIN(word.length, offset - word.offset); /* up to the cursor */
    struct offer offer = {text, word, json_array()};
    if (text->is_model)
        complete_model(&offer);
    else
        complete_test(&offer, before, word);
    return offer.items;
}
