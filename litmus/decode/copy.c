/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

/* What is particular to the operands of bulk copies: how their end is told, to whom they go, the coordinates of a box
 * of a tensor, and a cache policy, which says nothing. */

static bool has_word(const struct parser *p, const struct raw_inst *raw, const char *text)
{
    for (uint32_t i = 0; i < raw->word_count; i++)
        if (parse_text_is(p, raw->words[i], text))
            return true;
    return false;
}

static bool is_tensor(enum op op)
{
    return op_accepts(op, 'D');
}

/* "[m, {x, y}], …" is kept as "[m], …" with the coordinates behind the addresses. */
static bool split_coordinates(struct parser *p, struct raw_inst *raw)
{
    struct raw_operand *all =
        ARENA_ARRAY(p->arena, struct raw_operand, (size_t)raw->operand_count + 1);
    uint32_t count = 0, addresses = is_tensor(raw->op) && op_accepts(raw->op, 'G') ? 2 : 1;
    struct raw_operand coordinates = {.kind = RAW_SINK};
    for (uint32_t i = 0; i < raw->operand_count; i++) {
        struct raw_operand one = raw->operands[i];
        if (one.kind == RAW_MEMORY && one.part_count) {
            coordinates = (struct raw_operand){.kind = RAW_VECTOR,
                                               .span = one.span,
                                               .parts = one.parts,
                                               .part_count = one.part_count};
            one.part_count = 0;
        }
        all[count++] = one;
        if (count == addresses && coordinates.part_count)
            all[count++] = coordinates;
    }
    if (is_tensor(raw->op) == (coordinates.part_count > 0)) {
        raw->operands = all;
        raw->operand_count = count;
        return true;
    }
    parse_error(p, bad_copy, raw->span, NULL,
                is_tensor(raw->op) ? "'%s' takes a tensor map with coordinates: [m, {0, 0}]"
                                   : "'%s' takes no coordinates",
                op_mnemonic(raw->op));
    return false;
}

bool decode_copy_operands(struct parser *p, struct raw_inst *raw)
{
    bool splits = is_tensor(raw->op);
    if (raw->operand_count > 1 && has_word(p, raw, "L2::cache_hint"))
        raw->operand_count--;
    for (uint32_t i = 0; i < raw->operand_count; i++)
        splits = splits || (raw->operands[i].kind == RAW_MEMORY && raw->operands[i].part_count);
    return !splits || split_coordinates(p, raw);
}

/* ".2d" and as many coordinates. */
static bool rank_fits(struct body_decoder *d)
{
    static const char *const ranks[] = {"1d", "2d", "3d", "4d", "5d"};
    const struct raw_inst *raw = d->from;
    for (uint32_t i = 0; i < raw->operand_count && is_tensor(raw->op); i++) {
        uint32_t rank = raw->operands[i].part_count;
        if (rank && (rank > 5 || !has_word(d->parser, raw, ranks[rank - 1]))) {
            parse_error(d->parser, bad_copy, raw->operands[i].span, NULL,
                        "%u coordinate%s: '%s' needs .1d to .5d and as many", rank,
                        rank == 1 ? "" : "s", op_mnemonic(raw->op));
            return false;
        }
    }
    return true;
}

/* A bulk copy tells its end to an mbarrier, the operand behind the size or the coordinates, or to its thread's bulk
 * group; one to several CTAs names them in a last operand. */
bool decode_copy_fits(struct body_decoder *d)
{
    const struct raw_inst *raw = d->from;
    bool group = has_word(d->parser, raw, "bulk_group"),
         mbarrier = has_word(d->parser, raw, "mbarrier::complete_tx::bytes"),
         several = has_word(d->parser, raw, "multicast::cluster");
    bool one_way = raw->op == OP_ST_ASYNC || raw->op == OP_RED_ASYNC || raw->op == OP_TRY_CANCEL;
    if (!rank_fits(d))
        return false;
    if (!op_accepts(raw->op, 'G') || (one_way && !group) ||
        (mbarrier && raw->operand_count == 4u + several) ||
        (group && raw->operand_count == 3 && !several))
        return true;
    parse_error(d->parser, bad_copy, raw->span, NULL,
                "a bulk copy has '.mbarrier::complete_tx::bytes' and a fourth operand, or "
                "'.bulk_group'; with '.multicast::cluster' a fifth one");
    return false;
}
