/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/private.h"

#include "model/unfold/step/operand.h"

uint32_t private_register(const struct unfold_step *s, const struct access *access)
{
    const struct builder *b = s->b;
    uint64_t address;
    if (!s->run->private_bytes || !expr_is_const(b->exprs, access->address.expr, &address) ||
        address % access->bytes)
        return NONE;
    const struct mapping *m = mapping_find(b->mappings, b->mapping_count, address, access->bytes);
    if (!m || m->thread != s->run->thread || s->run->private_bytes[m->location] == NONE)
        return NONE;
    return s->run->private_bytes[m->location] + (uint32_t)(address - m->virtual_base);
}

struct unfold_value private_load(struct unfold_step *s, const struct access *access, uint32_t reg)
{
    struct unfold_value v = {s->state->regs[reg], s->state->deps[reg]};
    for (uint32_t i = 1; i < access->bytes; i++) {
        struct unfold_value byte = {s->state->regs[reg + i], s->state->deps[reg + i]};
        v = operand_append(s, v, byte);
    }
    v.deps = deps_union(&s->b->deps, v.deps, access->address.deps);
    return v;
}

void private_store(struct unfold_step *s, const struct access *access, uint32_t reg)
{
    const struct deps *deps = deps_union(&s->b->deps, access->value.deps, access->address.deps);
    for (uint32_t i = 0; i < access->bytes; i++) {
        const struct operand to = {.kind = OPERAND_REG, .reg = reg + i};
        struct unfold_value byte = {expr_extract(s->b->exprs, access->value.expr, 8 * i, 8), deps};
        operand_write(s, &to, TYPE_U8, byte);
    }
}

void private_escape(struct builder *b, const struct mapping *mapping)
{
    struct private_memory *memory = b->private_memory;
    for (uint32_t i = 0; mapping->thread != NONE && i < b->test->body_count; i++) {
        const uint32_t *bytes = b->private_bytes ? b->private_bytes[i] : NULL;
        if (bytes && bytes[mapping->location] != NONE)
            memory->escapes[mapping->location] = memory->again = true;
    }
}
