/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <string.h>

/* Modifiers in any order: each word has a class, each class is accepted so often. */

static const char *nearest_word(struct decoder *decoder, const char *text, enum op op)
{
    size_t count, kept = 0;
    const struct isa_word *words = isa_words(&count);
    const char **candidates = ARENA_ARRAY(decoder->parser->arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        if (isa_word_fits(&words[i], op))
            candidates[kept++] = words[i].text;
    const char *near = diag_nearest(text, strlen(text), candidates, kept);
    return near ? arena_printf(decoder->parser->arena, "did you mean '.%s'?", near) : NULL;
}

static bool refuse_word(struct decoder *decoder, struct span span, enum op op, bool known)
{
    const char *text = span_text(decoder->parser, span);
    if (known)
        parse_error(decoder->parser, misplaced_modifier, span, nearest_word(decoder, text, op),
                    "'.%.40s' does not belong to '%s'", text, op_mnemonic(op));
    else
        parse_error(decoder->parser, unknown_modifier, span, nearest_word(decoder, text, op),
                    "unknown modifier '.%.40s' of '%s'", text, op_mnemonic(op));
    return false;
}

static bool is_hint(const struct parser *parser, struct span word, enum op op)
{
    const char *text = parser->source->text + word.offset;
    return strchr(op_modifiers(op), 'H') && word.length > 4 &&
           (strncmp(text, "L1::", 4) == 0 || strncmp(text, "L2::", 4) == 0);
}

/* How many words of each class an instruction has so far. */
struct counts {
    uint8_t of[128];
};

/* Copies name their destination's and their source's space. */
static bool has_two_spaces(enum op op)
{
    return op == OP_CP_ASYNC || op == OP_CP_ASYNC_BULK || op == OP_CP_REDUCE_ASYNC_BULK;
}

static unsigned most_words(enum op op, char class)
{
    if (class == 'T')
        return strstr(op_modifiers(op), "TT") ? 2 : 1;
    if (class == 'M')
        return has_two_spaces(op) ? 2 : 1;
    return class == 'R' || class == 'F' || class == 'H' ? 8 : 1;
}

static void set_field(struct inst *inst, const struct isa_word *word, unsigned before)
{
    switch (word->class) {
    case 'T':
        *(before ? &inst->source_type : &inst->type) = (enum type)word->value;
        break;
    case 'S':
        inst->sem = (enum sem)word->value;
        break;
    case 'C':
        inst->scope = (enum scope)word->value;
        break;
    case 'M':
        *(before ? &inst->source_space : &inst->space) = (enum space)word->value;
        break;
    case 'V':
        inst->vector = word->value;
        break;
    case 'O':
        inst->atom_op = (enum atom_op)word->value;
        break;
    case 'K':
        inst->cmp = (enum cmp)word->value;
        break;
    case 'B':
        inst->bool_op = (enum bool_op)word->value;
        break;
    case 'R':
    case 'F':
        inst->flags |= word->value;
        break;
    default: /* hints say nothing; how a bulk copy ends is in its operands */
        break;
    }
}

static bool one_word(struct decoder *decoder, struct span span, struct inst *inst,
                     struct counts *counts)
{
    const struct parser *parser = decoder->parser;
    const char *text = parser->source->text + span.offset;
    if (is_hint(parser, span, inst->op))
        return true;
    const struct isa_word *word = isa_word_find(text, span.length, inst->op);
    if (!word || !isa_word_fits(word, inst->op))
        return refuse_word(decoder, span, inst->op, word);
    uint8_t *count = &counts->of[(unsigned char)word->class];
    bool repeated_flag = word->class == 'F' && (inst->flags & word->value);
    if (*count == most_words(inst->op, word->class) || repeated_flag) {
        parse_error(parser, conflicting_modifiers, span, NULL,
                    "'.%s' comes after another modifier of its kind", word->text);
        return false;
    }
    set_field(inst, word, (*count)++);
    return true;
}

/* mul.wide.s32 makes 64 bits from 32. */
static enum type twice(enum type type)
{
    switch (type) {
    case TYPE_U16:
        return TYPE_U32;
    case TYPE_S16:
        return TYPE_S32;
    case TYPE_U32:
        return TYPE_U64;
    case TYPE_S32:
        return TYPE_S64;
    default:
        return TYPE_NONE;
    }
}

static bool widen(struct decoder *decoder, const struct raw_inst *raw, struct inst *inst)
{
    if (!(inst->flags & FLAG_WIDE))
        return true;
    inst->source_type = inst->type;
    inst->type = twice(inst->type);
    if (inst->type == TYPE_NONE)
        parse_error(decoder->parser, bad_type, raw->span, NULL,
                    "'%s.wide' takes .u16, .s16, .u32 or .s32", op_mnemonic(inst->op));
    return inst->type != TYPE_NONE;
}

/* '.volatile' says semantics and scope at once; '.mmio' needs them written. */
static bool volatile_stands_alone(struct decoder *decoder, const struct raw_inst *raw,
                                  const struct inst *inst)
{
    if (!(inst->flags & FLAG_VOLATILE) || (inst->sem == SEM_NONE && inst->scope == SCOPE_NONE))
        return true;
    parse_error(decoder->parser, conflicting_modifiers, raw->span, NULL,
                "'.volatile' excludes semantics and scopes");
    return false;
}

/* A bulk copy tells its end to an mbarrier, its fourth operand, or to its thread's bulk group. */
static bool completion_fits(struct decoder *decoder, const struct raw_inst *raw)
{
    bool group = false, mbarrier = false;
    for (uint32_t i = 0; i < raw->word_count; i++) {
        group = group || span_is(decoder->parser, raw->words[i], "bulk_group");
        mbarrier =
            mbarrier || span_is(decoder->parser, raw->words[i], "mbarrier::complete_tx::bytes");
    }
    if (!strchr(op_modifiers(raw->op), 'G') || (mbarrier && raw->operand_count == 4) ||
        (group && raw->operand_count == 3))
        return true;
    parse_error(decoder->parser, bad_copy, raw->span, NULL,
                "a bulk copy has '.mbarrier::complete_tx::bytes' and a fourth operand, or "
                "'.bulk_group'");
    return false;
}

static bool type_is_given(struct decoder *decoder, const struct raw_inst *raw,
                          const struct inst *inst)
{
    if (!decoder->parser->module || inst->type != TYPE_NONE || !strchr(op_modifiers(raw->op), 'T'))
        return true;
    parse_error(decoder->parser, missing_modifier, raw->span, NULL,
                "'%s' needs a type in a PTX module", op_mnemonic(raw->op));
    return false;
}

bool decode_words(struct decoder *decoder, const struct raw_inst *raw, struct inst *inst)
{
    struct counts counts = {{0}};
    if (inst->op == OP_FENCE)
        return decode_fence_words(decoder, raw, inst);
    for (uint32_t i = 0; i < raw->word_count; i++)
        if (!one_word(decoder, raw->words[i], inst, &counts))
            return false;
    return widen(decoder, raw, inst) && volatile_stands_alone(decoder, raw, inst) &&
           completion_fits(decoder, raw) && type_is_given(decoder, raw, inst);
}
