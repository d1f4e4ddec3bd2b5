/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <string.h>

/* Decodes modifiers, in any order: each word has a class, and an instruction accepts each class a
 * number of times. */

static const char *nearest_word(struct body_decoder *d, const char *text)
{
    const char *foreign = isa_foreign(arena_printf(d->parser->arena, ".%s", text));
    VEC(const char *) fitting = {0};
    if (foreign)
        return foreign;
    for (const struct isa_word *word = isa_words; word->text; word++)
        if (isa_word_fits(word, d->inst->op))
            vec_push(d->parser->arena, &fitting, word->text);
    const char *near = diag_nearest(text, strlen(text), fitting.at, fitting.len);
    return near ? arena_printf(d->parser->arena, "did you mean '.%s'?", near) : NULL;
}

static bool refuse_word(struct body_decoder *d, struct span span, bool known)
{
    const char *text = parse_text(d->parser, span), *name = op_mnemonic(d->inst->op);
    if (known)
        parse_error(d->parser, misplaced_modifier, span, nearest_word(d, text),
                    "'.%.40s' does not belong to '%s'", text, name);
    else
        parse_error(d->parser, unknown_modifier, span, nearest_word(d, text),
                    "unknown modifier '.%.40s' of '%s'", text, name);
    return false;
}

static bool is_hint(const char *text, size_t length, enum op op)
{
    return op_accepts(op, 'H') && length > 4 &&
           (strncmp(text, "L1::", 4) == 0 || strncmp(text, "L2::", 4) == 0);
}

static unsigned most_words(enum op op, char class)
{
    const char twice[] = {class, class, 0};
    if (class == 'R' || class == 'F' || class == 'H')
        return 8;
    return strstr(op_row(op)->modifiers, twice) ? 2 : 1;
}

/* Where words of a class stand in an instruction; the second of two in the second place. Hints say
 * nothing, and how a bulk copy ends is in its operands. */
static void set_field(struct inst *inst, const struct isa_word *word, unsigned before)
{
    static const struct {
        char class;
        size_t at[2];
    } fields[] = {
        {'T', {offsetof(struct inst, type), offsetof(struct inst, source_type)}},
        {'M', {offsetof(struct inst, space), offsetof(struct inst, source_space)}},
        {'S', {offsetof(struct inst, sem)}},
        {'C', {offsetof(struct inst, scope)}},
        {'V', {offsetof(struct inst, vector)}},
        {'O', {offsetof(struct inst, atom_op)}},
        {'K', {offsetof(struct inst, cmp)}},
        {'B', {offsetof(struct inst, bool_op)}},
        {'N', {offsetof(struct inst, relu)}},
        {'W', {offsetof(struct inst, satfinite)}},
        {'Q', {offsetof(struct inst, geometry)}},
        {'Z', {offsetof(struct inst, boundary)}},
        {'U', {offsetof(struct inst, multicast)}},
        {'I', {offsetof(struct inst, wide_sum)}},
    };
    if (strchr("RFE", word->class))
        inst->flags |= word->value;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].class == word->class)
            memcpy((char *)inst + fields[i].at[before], &word->value, sizeof word->value);
}

/* Words without a meaning here that the instruction cannot be written without. */
static void keep_hint(struct body_decoder *d, const char *text, uint32_t length)
{
    struct inst *inst = d->inst;
    if (inst->op == OP_PREFETCH || inst->op == OP_PREFETCHU || inst->op == OP_APPLYPRIORITY)
        inst->hints = arena_printf(d->parser->arena, "%s.%.*s", inst->hints ? inst->hints : "",
                                   (int)length, text);
}

/* 'counts': how many words of each class the instruction has so far. */
static bool one_word(struct body_decoder *d, struct span span, uint8_t counts[128])
{
    const char *text = d->parser->source->text + span.offset;
    struct inst *inst = d->inst;
    if (is_hint(text, span.length, inst->op)) {
        keep_hint(d, text, span.length);
        return true;
    }
    if (decode_matrix_word(d, span))
        return true;
    const struct isa_word *word = isa_word_find(text, span.length, inst->op);
    if (!word || !isa_word_fits(word, inst->op))
        return refuse_word(d, span, word);
    if (word->class == 'Y' && word->value) {
        parse_error(d->parser, unsupported_instruction, inst->span, NULL,
                    "'%s' with '.%s' is not supported", op_mnemonic(inst->op), word->text);
        return false;
    }
    uint8_t *count = &counts[(unsigned char)word->class];
    bool repeated_flag = word->class == 'F' && (inst->flags & word->value);
    if (*count == most_words(inst->op, word->class) || repeated_flag) {
        parse_error(d->parser, conflicting_modifiers, span, NULL,
                    "'.%s' comes after another modifier of its kind", word->text);
        return false;
    }
    if (word->class == 'H' || word->class == 'X')
        keep_hint(d, text, span.length);
    set_field(inst, word, (*count)++);
    return true;
}

/* mul.wide.s32 makes 64 bits from 32. */
static enum type twice(enum type type)
{
    bool number = type_kind(type) == 'u' || type_kind(type) == 's';
    return number && type_bytes(type) > 1 ? type_with(type_kind(type), 2 * type_bytes(type))
                                          : TYPE_NONE;
}

static bool widen(struct body_decoder *d)
{
    struct inst *inst = d->inst;
    if (!(inst->flags & FLAG_WIDE))
        return true;
    inst->source_type = inst->type;
    inst->type = twice(inst->type);
    if (inst->type == TYPE_NONE)
        parse_error(d->parser, bad_type, inst->span, NULL,
                    "'%s.wide' takes .u16, .s16, .u32 or .s32", op_mnemonic(inst->op));
    return inst->type != TYPE_NONE;
}

/* '.volatile' says semantics and scope at once; '.mmio' needs them written. */
static bool volatile_stands_alone(struct body_decoder *d)
{
    const struct inst *inst = d->inst;
    if (!(inst->flags & FLAG_VOLATILE) || (inst->sem == SEM_NONE && inst->scope == SCOPE_NONE))
        return true;
    parse_error(d->parser, conflicting_modifiers, inst->span, NULL,
                "'.volatile' excludes semantics and scopes");
    return false;
}

static bool type_is_given(struct body_decoder *d)
{
    const struct inst *inst = d->inst;
    if (!d->parser->module || inst->type != TYPE_NONE || !op_accepts(inst->op, 'T'))
        return true;
    parse_error(d->parser, missing_modifier, inst->span, NULL, "'%s' needs a type in a PTX module",
                op_mnemonic(inst->op));
    return false;
}

bool decode_words(struct body_decoder *d)
{
    uint8_t counts[128] = {0};
    if (d->inst->op == OP_FENCE)
        return decode_fence_words(d);
    for (uint32_t i = 0; i < d->from->word_count; i++)
        if (!one_word(d, d->from->words[i], counts))
            return false;
    return widen(d) && volatile_stands_alone(d) && decode_copy_fits(d) && type_is_given(d);
}
