/* SPDX-License-Identifier: MIT */
#include "litmus/parse/mnemonic.h"

#include <string.h>

static const struct unsupported {
    const char *mnemonic, *why;
} unsupported[] = {
#define UNSUPPORTED(mnemonic, why) {mnemonic, why},
#include "litmus/isa/unsupported.def"
#undef UNSUPPORTED
};

/* How many dotted words, after the first, the mnemonic has when the instruction starts with it;
 * -1 when it does not. */
static int mnemonic_matches(const struct parser *p, const struct raw_inst *inst, const char *first,
                            const char *mnemonic)
{
    size_t length = strlen(first);
    if (strncmp(mnemonic, first, length) != 0)
        return -1;
    uint32_t used = 0;
    for (const char *rest = mnemonic + length; *rest; used++) {
        if (*rest++ != '.' || used == inst->word_count)
            return -1;
        struct span word = inst->words[used];
        size_t part = strcspn(rest, ".");
        if (word.length != part || strncmp(p->source->text + word.offset, rest, part) != 0)
            return -1;
        rest += part;
    }
    return (int)used;
}

/* The operation with the longest mnemonic that fits; its length in '*used'. */
static enum op longest(const struct parser *p, const struct raw_inst *inst, const char *first,
                       int *used)
{
    enum op best = OP_COUNT;
    *used = -1;
    for (enum op op = 0; op < OP_COUNT; op++) {
        int length = mnemonic_matches(p, inst, first, op_mnemonic(op));
        if (length > *used) {
            *used = length;
            best = op;
        }
    }
    return best;
}

static const struct unsupported *refused(const struct parser *p, const struct raw_inst *inst,
                                         const char *first, int used)
{
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (mnemonic_matches(p, inst, first, unsupported[i].mnemonic) > used ||
            (used < 0 && strcmp(first, unsupported[i].mnemonic) == 0))
            return &unsupported[i];
    return NULL;
}

/* What to write in place of an unknown word: of another language, or the nearest among first words of
 * mnemonics. */
static const char *nearest_mnemonic(struct parser *p, const char *word)
{
    VEC(const char *) firsts = {0};
    const char *foreign = isa_foreign(word);
    if (foreign)
        return foreign;
    if (parse_at(p, '('))
        return "no instruction has '(' behind it; a test in C++ begins with 'C++' and its name";
    struct arena *scratch = arena_new(); /* a test may have many unknown words */
    for (enum op op = 0; op < OP_COUNT; op++) {
        const char *mnemonic = op_mnemonic(op);
        vec_push(scratch, &firsts, arena_strndup(scratch, mnemonic, strcspn(mnemonic, ".")));
    }
    for (const struct isa_spelling *spelling = isa_spellings; spelling->word; spelling++)
        vec_push(scratch, &firsts, spelling->word);
    const char *hint = diag_hint(p->arena, word, strlen(word), firsts.at, firsts.len);
    arena_free(scratch);
    return hint;
}

/* The words after the dots, 'barrier.cta' without its '.cta' (PTX 9.7.13.1: it changes nothing). */
static void read_words(struct parser *p, struct raw_inst *inst)
{
    VEC(struct span) words = {0};
    inst->head = p->token.span;
    bool barrier = parse_at_word(p, "bar") || parse_at_word(p, "barrier");
    inst->bar = parse_at_word(p, "bar");
    inst->membar = parse_at_word(p, "membar");
    parse_advance(p);
    while (parse_at(p, TOKEN_DOTWORD)) {
        struct span word = {p->token.span.offset + 1, p->token.span.length - 1};
        parse_advance(p);
        inst->cta = inst->cta || (barrier && !words.len && parse_text_is(p, word, "cta"));
        if (!(barrier && !words.len && parse_text_is(p, word, "cta")))
            vec_push(p->arena, &words, word);
    }
    inst->words = words.at;
    inst->word_count = words.len;
}

static const char *canonical_first(struct parser *p, struct raw_inst *inst)
{
    const char *first = parse_text(p, inst->head);
    const struct isa_spelling *spelling = isa_spellings;
    while (spelling->word && strcmp(spelling->word, first) != 0)
        spelling++;
    if (!spelling->word)
        return first;
    inst->proxy = spelling->proxy;
    inst->cmp = spelling->cmp;
    bool warp = inst->bar && inst->word_count && parse_text_is(p, inst->words[0], "warp");
    return warp ? first : spelling->stands_for;
}

bool parse_mnemonic(struct parser *p, struct raw_inst *inst)
{
    int used;
    read_words(p, inst);
    const char *first = parse_text(p, inst->head);
    inst->op = longest(p, inst, first, &used);
    if (used <= 0) { /* PTX's 'suld.b' is not the dialect's 'suld' */
        first = canonical_first(p, inst);
        inst->op = longest(p, inst, first, &used);
    }
    const struct unsupported *no = refused(p, inst, parse_text(p, inst->head), used);
    struct span all = parse_span_from(p, inst->head);
    if (no)
        parse_error(p, unsupported_instruction, all, NULL, "'%s' is not supported: %s",
                    no->mnemonic, no->why);
    else if (used < 0)
        parse_error(p, unknown_instruction, all, nearest_mnemonic(p, first),
                    "unknown instruction '%.60s'", parse_text(p, all));
    if (used > 0) {
        inst->words += used;
        inst->word_count -= (uint32_t)used;
    }
    return !no && used >= 0;
}
