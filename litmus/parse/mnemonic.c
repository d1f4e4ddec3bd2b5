/* SPDX-License-Identifier: MIT */
#include "litmus/parse/mnemonic.h"

#include <string.h>

/* Spellings of one word that stand for an operation with something said on top: the dialect's
 * (conformance files of Dartagnan) and PTX's old ones. */
static const struct spelling {
    const char *word, *stands_for;
    enum proxy proxy;
    enum cmp cmp;
} spellings[] = {
    {"tld", "ld", PROXY_TEXTURE, CMP_NONE},       {"suld", "ld", PROXY_SURFACE, CMP_NONE},
    {"cold", "ld", PROXY_CONSTANT, CMP_NONE},     {"sust", "st", PROXY_SURFACE, CMP_NONE},
    {"tmld", "ld", PROXY_TENSORMAP, CMP_NONE},    {"suatom", "atom", PROXY_SURFACE, CMP_NONE},
    {"sured", "red", PROXY_SURFACE, CMP_NONE},    {"goto", "bra", PROXY_GENERIC, CMP_NONE},
    {"membar", "fence", PROXY_GENERIC, CMP_NONE}, {"bar", "barrier", PROXY_GENERIC, CMP_NONE},
    {"beq", "b<cmp>", PROXY_GENERIC, CMP_EQ},     {"bne", "b<cmp>", PROXY_GENERIC, CMP_NE},
    {"bge", "b<cmp>", PROXY_GENERIC, CMP_GE},     {"ble", "b<cmp>", PROXY_GENERIC, CMP_LE},
    {"bgt", "b<cmp>", PROXY_GENERIC, CMP_GT},     {"blt", "b<cmp>", PROXY_GENERIC, CMP_LT},
};

static const struct unsupported {
    const char *mnemonic, *why;
} unsupported[] = {
#define UNSUPPORTED(mnemonic, why) {mnemonic, why},
#include "litmus/isa/unsupported.def"
#undef UNSUPPORTED
};

/* How many dotted words, after the first, the mnemonic has when the instruction starts with it;
 * -1 when it does not. */
static int mnemonic_matches(const struct parser *parser, const struct raw_inst *inst,
                            const char *first, const char *mnemonic)
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
        if (word.length != part || strncmp(parser->source->text + word.offset, rest, part) != 0)
            return -1;
        rest += part;
    }
    return (int)used;
}

/* The operation with the longest mnemonic that fits; its length in '*used'. */
static enum op longest(const struct parser *parser, const struct raw_inst *inst, const char *first,
                       int *used)
{
    enum op best = OP_COUNT;
    *used = -1;
    for (enum op op = 0; op < OP_COUNT; op++) {
        int length = mnemonic_matches(parser, inst, first, op_mnemonic(op));
        if (length > *used) {
            *used = length;
            best = op;
        }
    }
    return best;
}

static const struct unsupported *refused(const struct parser *parser, const struct raw_inst *inst,
                                         const char *first, int used)
{
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (mnemonic_matches(parser, inst, first, unsupported[i].mnemonic) > used ||
            (used < 0 && strcmp(first, unsupported[i].mnemonic) == 0))
            return &unsupported[i];
    return NULL;
}

/* The word nearest to the unknown one among first words of mnemonics. */
static const char *nearest_mnemonic(struct parser *parser, const char *word)
{
    const char *firsts[OP_COUNT + sizeof spellings / sizeof *spellings];
    size_t count = 0;
    for (enum op op = 0; op < OP_COUNT; op++) {
        const char *mnemonic = op_mnemonic(op);
        firsts[count++] = arena_strndup(parser->arena, mnemonic, strcspn(mnemonic, "."));
    }
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        firsts[count++] = spellings[i].word;
    const char *near = diag_nearest(word, strlen(word), firsts, count);
    return near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL;
}

/* The words after the dots, 'barrier.cta' without its '.cta' (PTX 9.7.13.1: it changes nothing). */
static void read_words(struct parser *parser, struct raw_inst *inst)
{
    VEC(struct span) words = {0};
    inst->head = parser->token.span;
    bool barrier = at_word(parser, "bar") || at_word(parser, "barrier");
    inst->bar = at_word(parser, "bar");
    inst->membar = at_word(parser, "membar");
    advance(parser);
    while (at(parser, TOKEN_DOTWORD)) {
        struct span word = {parser->token.span.offset + 1, parser->token.span.length - 1};
        advance(parser);
        inst->cta = inst->cta || (barrier && !words.len && span_is(parser, word, "cta"));
        if (!(barrier && !words.len && span_is(parser, word, "cta")))
            vec_push(parser->arena, &words, word);
    }
    inst->words = words.at;
    inst->word_count = words.len;
}

static const char *canonical_first(struct parser *parser, struct raw_inst *inst)
{
    const char *first = span_text(parser, inst->head);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strcmp(spellings[i].word, first) == 0) {
            inst->proxy = spellings[i].proxy;
            inst->cmp = spellings[i].cmp;
            bool warp = inst->bar && inst->word_count && span_is(parser, inst->words[0], "warp");
            return warp ? first : spellings[i].stands_for;
        }
    return first;
}

bool parse_mnemonic(struct parser *parser, struct raw_inst *inst)
{
    int used;
    read_words(parser, inst);
    const char *first = canonical_first(parser, inst);
    inst->op = longest(parser, inst, first, &used);
    const struct unsupported *no = refused(parser, inst, first, used);
    struct span all = span_until_here(parser, inst->head);
    if (no)
        parse_error(parser, unsupported_instruction, all, NULL, "'%s' is not supported: %s",
                    no->mnemonic, no->why);
    else if (used < 0)
        parse_error(parser, unknown_instruction, all, nearest_mnemonic(parser, first),
                    "unknown instruction '%.60s'", span_text(parser, all));
    if (used > 0) {
        inst->words += used;
        inst->word_count -= (uint32_t)used;
    }
    return !no && used >= 0;
}
