/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/frame.h"

#include <string.h>

#include "model/unfold/step/private.h"

/* Larger arrays are indexed by what threads read; and every branch copies the registers. */
enum { MOST_BYTES = 128, MOST_BYTES_OF_BODY = 4096 };

/* What a kernel declares: nobody can ask for it or give it another name. */
static bool may_be_private(const struct builder *b, uint32_t location)
{
    const struct location *l = &b->test->locations[location];
    return l->space == SPACE_LOCAL && l->kernel != NONE && !b->private_memory->escapes[location];
}

struct local_frame {
    struct builder *b;
    uint32_t *first;
    uint32_t next, end; /* registers */
};

static void add_named(struct local_frame *f, const struct operand *operand)
{
    const struct test *test = f->b->test;
    uint32_t location = operand->location;
    for (uint32_t i = 0; i < operand->part_count; i++)
        add_named(f, &operand->parts[i]);
    if (location == NONE || location >= test->location_count || f->first[location] != NONE ||
        !may_be_private(f->b, location))
        return;
    const struct location *l = &test->locations[location];
    uint64_t bytes = (uint64_t)l->elements * l->element_bytes;
    if (bytes > MOST_BYTES || bytes > f->end - f->next)
        return;
    f->first[location] = f->next;
    f->next += (uint32_t)bytes;
}

const struct body *frame_registers(struct builder *b, const struct body *body, uint32_t **first)
{
    struct local_frame f = {
        .b = b, .next = body->reg_count, .end = body->reg_count + MOST_BYTES_OF_BODY};
    f.first = ARENA_ARRAY(b->arena, uint32_t, b->test->location_count + 1);
    for (uint32_t i = 0; i < b->test->location_count; i++)
        f.first[i] = NONE;
    for (uint32_t pc = 0; pc < body->inst_count; pc++)
        for (uint32_t i = 0; i < body->insts[pc].operand_count; i++)
            add_named(&f, &body->insts[pc].operands[i]);
    *first = f.next == body->reg_count ? NULL : f.first;
    if (!*first)
        return body;
    struct body *result = ARENA_NEW(b->arena, struct body);
    *result = *body;
    result->reg_count = f.next;
    result->regs = ARENA_ARRAY(b->arena, struct reg, f.next);
    memcpy(result->regs, body->regs, body->reg_count * sizeof *body->regs);
    for (uint32_t i = body->reg_count; i < f.next; i++)
        result->regs[i] = (struct reg){.name = "", .type = TYPE_U8, .span = body->span};
    return result;
}

void frame_begin(struct builder *b, const uint32_t *first, expr_id *regs)
{
    for (uint32_t i = 0; first && i < b->test->location_count; i++) {
        const struct location *l = &b->test->locations[i];
        for (uint32_t k = 0; first[i] != NONE && k < l->elements * l->element_bytes; k++)
            regs[first[i] + k] = expr_const(b->exprs, 8, 0);
    }
}
