/* SPDX-License-Identifier: MIT */
#include "litmus/print/path.h"

#include <inttypes.h>

#include "litmus/print/inst.h"

/* A texture has texels of the location's size, read as numbers of 32 bits. A surface is addressed by its bytes. */

static const struct operand *place_of(const struct inst *inst)
{
    return inst_operand(inst, OPERAND_MEMORY);
}

static const struct operand *value_of(const struct inst *inst)
{
    return &inst->operands[inst->op == OP_ST];
}

static bool is_wide(const struct printer *p, const struct inst *inst)
{
    return p->test->locations[place_of(inst)->location].element_bytes == 8;
}

static void guard(struct printer *p, const struct inst *inst)
{
    if (inst->guard != NONE)
        put_format(p, "@%s%s ", inst->guard_negated ? "!" : "", p->body->regs[inst->guard].name);
}

/* What was read, in ptxlit_value, to the register, which may be wider or narrower. */
static void take_value(struct printer *p, const struct inst *inst)
{
    const struct reg *to = &p->body->regs[inst->operands[0].reg];
    uint32_t bytes = type_bytes(to->type);
    guard(p, inst);
    if (bytes == 8)
        put_format(p, "mov.b64 %s, ptxlit_value;\n", to->name);
    else
        put_format(p, "cvt.u%u.u64 %s, ptxlit_value;\n", 8 * bytes, to->name);
}

static void give_value(struct printer *p, const struct inst *inst)
{
    const struct operand *from = value_of(inst);
    uint32_t bytes = from->kind == OPERAND_REG ? type_bytes(p->body->regs[from->reg].type) : 8;
    if (from->kind == OPERAND_IMM)
        put_format(p, "mov.b64 ptxlit_value, %" PRId64 ";\n", (int64_t)from->value);
    else if (bytes == 8)
        put_format(p, "mov.b64 ptxlit_value, %s;\n", p->body->regs[from->reg].name);
    else
        put_format(p, "cvt.u64.u%u ptxlit_value, %s;\n", 8 * bytes, p->body->regs[from->reg].name);
    put(p, "cvt.u32.u64 ptxlit_low, ptxlit_value;\n");
}

static void read_texture(struct printer *p, const struct inst *inst)
{
    const struct operand *place = place_of(inst);
    const char *name = print_ptxas_name(p->arena, p->test, place->location);
    uint32_t bytes = p->test->locations[place->location].element_bytes;
    put_format(p, "cvt.u32.u64 ptxlit_x, at_%s;\nadd.u32 ptxlit_x, ptxlit_x, %" PRIu64 ";\n", name,
               place->value / bytes);
    put(p, "mov.b32 ptxlit_high, 0;\n");
    guard(p, inst);
    put_format(p,
               "tex.1d.v4.u32.s32 {ptxlit_low, ptxlit_%s, ptxlit_none, ptxlit_none}, [path_%s, "
               "{ptxlit_x}];\n",
               is_wide(p, inst) ? "high" : "none", name);
    put(p, "mov.b64 ptxlit_value, {ptxlit_low, ptxlit_high};\n");
    take_value(p, inst);
}

static void find_in_surface(struct printer *p, const struct operand *place)
{
    put_format(p,
               "mov.b64 {ptxlit_x, ptxlit_y}, at_%s;\nadd.u32 ptxlit_x, ptxlit_x, %" PRIu64 ";\n",
               print_ptxas_name(p->arena, p->test, place->location), place->value);
}

static void access_surface(struct printer *p, const struct inst *inst)
{
    const struct operand *place = place_of(inst);
    const char *name = print_ptxas_name(p->arena, p->test, place->location);
    const char *value = is_wide(p, inst) ? "value" : "low";
    unsigned bits = is_wide(p, inst) ? 64 : 32;
    find_in_surface(p, place);
    if (inst->op == OP_ST)
        give_value(p, inst);
    guard(p, inst);
    if (inst->op == OP_ST) {
        put_format(p, "sust.b.2d.b%u.trap [path_%s, {ptxlit_x, ptxlit_y}], ptxlit_%s;\n", bits,
                   name, value);
        return;
    }
    put_format(p, "suld.b.2d.b%u.trap ptxlit_%s, [path_%s, {ptxlit_x, ptxlit_y}];\n", bits, value,
               name);
    if (bits == 32)
        put(p, "cvt.u64.u32 ptxlit_value, ptxlit_low;\n");
    take_value(p, inst);
}

/* Reads through the generic proxy's own words are left to it. */
static bool is_path(const struct inst *inst)
{
    return (inst->proxy == PROXY_TEXTURE || inst->proxy == PROXY_SURFACE ||
            inst->proxy == PROXY_CONSTANT) &&
           !(inst->flags & FLAG_NC) && inst->space != SPACE_CONST;
}

void path_declare(struct printer *p)
{
    bool used = false;
    for (uint32_t i = 0; i < p->body->inst_count; i++)
        used |= is_path(&p->body->insts[i]) && p->body->insts[i].op != OP_FENCE;
    if (used)
        put(p, ".reg .b32 ptxlit_x, ptxlit_y, ptxlit_low, ptxlit_high, ptxlit_none;\n.reg .b64 "
               "ptxlit_value;\n");
}

bool path_print(struct printer *p, const struct inst *inst)
{
    if (!is_path(inst))
        return false;
    if (inst->op == OP_FENCE) /* PTX has none: the strongest that it has */
        put(p, "fence.sc.sys;\nfence.proxy.alias;\n");
    else if (inst->proxy == PROXY_TEXTURE)
        read_texture(p, inst);
    else
        access_surface(p, inst);
    return true;
}

/* The proxy that the name of what is accessed stands for. */
static enum proxy named_path(const struct test *test, const struct operand *place)
{
    bool is_name = place && place->location != NONE;
    const struct location *location = is_name ? &test->locations[place->location] : NULL;
    return location && location->alias_of != NONE ? location->alias_proxy : PROXY_GENERIC;
}

const char *path_trouble(const struct test *test, const struct inst *inst)
{
    const struct operand *place = place_of(inst);
    enum proxy named = named_path(test, place);
    if (!is_path(inst))
        return named == PROXY_TEXTURE || named == PROXY_SURFACE
                   ? "an access by its address to what is named as a texture or surface"
                   : NULL;
    if (inst->op == OP_FENCE)
        return inst->guard == NONE ? NULL : "a guarded fence of a texture or surface";
    if (inst->op != OP_LD && inst->op != OP_ST)
        return op_is_atomic(inst->op)
                   ? "an atomic operation through a surface that returns a value, which PTX does "
                     "not have,"
                   : "what reaches a texture or surface by its handle";
    if (inst->sem != SEM_WEAK || inst->vector > 1)
        return "a strong or vector access through a texture or surface";
    if (!place || place->location == NONE || place->reg != NONE)
        return "an access through a texture or surface whose place is not named";
    if (named != inst->proxy)
        return "an access through a texture, surface or constant that has no name";
    uint32_t bytes = test->locations[place->location].element_bytes;
    if (bytes != 4 && bytes != 8)
        return "an access of 1, 2 or 16 bytes through a texture or surface";
    if (value_of(inst)->kind != OPERAND_REG && value_of(inst)->kind != OPERAND_IMM)
        return "an access through a texture or surface that returns no number";
    return NULL;
}
