/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "litmus/base/text.h"
#include "litmus/print/inst.h"
#include "litmus/print/path.h"
#include "litmus/test/host_call.h"
#include "litmus/test/launch.h"

/* Prints a thread's code for ptxas, which does not know the dialect: every instruction gets a type,
 * barriers a thread count, and the address of location x is in register "at_x" (in the shared
 * window "shared_x"). */

enum { WARP = 32 };

#define BRANCH "ptxlit_branch" /* the predicate of the dialect's beq … blt */

/* Registers have no 8 bits. */
static const char *bits_name(enum type type)
{
    return type_name(type_with('b', MAX(type_bytes(type), 2)));
}

/* ---- registers ------------------------------------------------------------------------------ */

static void declare(struct printer *p)
{
    for (uint32_t i = 0; i < p->body->reg_count; i++) {
        const struct reg *reg = &p->body->regs[i];
        const char *bits = bits_name(reg->type);
        if (reg->type == TYPE_PRED)
            put_format(p, ".reg .pred %s;\nsetp.ne.u32 %s, 0, 0;\n", reg->name, reg->name);
        else
            put_format(p, ".reg .%s %s;\nmov.%s %s, 0;\n", bits, reg->name, bits, reg->name);
    }
}

const char *print_ptxas_name(struct arena *arena, const struct test *test, uint32_t location)
{
    const char *name = test->locations[location].name;
    for (const char *c = name; *c; c++)
        if (!g_ascii_isalnum(*c) && *c != '_' && *c != '$')
            return arena_printf(arena, "ptxlit_%u", location);
    return name;
}

static void initialize(struct printer *p)
{
    for (uint32_t i = 0; i < p->body->init_count; i++) {
        const struct reg_init *init = &p->body->inits[i];
        const struct reg *reg = &p->body->regs[init->reg];
        const char *bits = bits_name(reg->type);
        if (init->address_of != NONE)
            put_format(p, "mov.%s %s, at_%s;\n", bits, reg->name,
                       print_ptxas_name(p->arena, p->test, init->address_of));
        else
            put_format(p, "mov.%s %s, %" PRId64 ";\n", bits, reg->name, (int64_t)init->value);
    }
}

static bool is_of_thread(struct printer *p, const struct cond_term *term)
{
    const struct test *test = p->test;
    return term->kind == TERM_REG &&
           (p->column ? term->column == (uint32_t)(p->column - test->columns)
                      : term->launch == (uint32_t)(p->launch - test->launches));
}

/* What the question asks of the thread goes to its place in an array of 64-bit values. In a kernel
 * every thread stores and only the one that is asked about may: its ptxlit_slots has a 1. */
static void store_observed(struct printer *p)
{
    const struct test *test = p->test;
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        if (!is_of_thread(p, term))
            continue;
        const struct reg *reg = &p->body->regs[term->reg];
        uint32_t bytes = type_bytes(reg->type);
        if (reg->type == TYPE_PRED)
            put_format(p, "selp.b64 ptxlit_wide, 1, 0, %s;\n", reg->name);
        else if (bytes == 8)
            put_format(p, "mov.b64 ptxlit_wide, %s;\n", reg->name);
        else
            put_format(p, "cvt.u64.u%u ptxlit_wide, %s;\n", 8 * bytes, reg->name);
        put_format(p,
                   "shr.b64 ptxlit_bits, ptxlit_mine, %u;\n"
                   "and.b64 ptxlit_bits, ptxlit_bits, 1;\n"
                   "setp.ne.u64 " BRANCH ", ptxlit_bits, 0;\n"
                   "@" BRANCH " st.weak.b64 [ptxlit_out+%u], ptxlit_wide;\n",
                   i, 8 * i);
    }
}

/* ---- instructions --------------------------------------------------------------------------- */

static uint32_t accessed_bytes(const struct test *test, const struct inst *inst)
{
    const struct operand *at = inst_operand(inst, OPERAND_MEMORY);
    return type_bytes(at && at->location != NONE ? test->locations[at->location].type : TYPE_NONE);
}

/* A signed number of 64 bits, as the dialect has it, or bits where PTX has no such number, or else
 * the first type that PTX has. */
static enum type register_type(enum op op)
{
    static const enum type wanted[] = {TYPE_S64, TYPE_B64, TYPE_U64};
    uint32_t types = op_row(op)->types;
    for (uint32_t i = 0; i < G_N_ELEMENTS(wanted); i++)
        if (types >> wanted[i] & 1)
            return wanted[i];
    return types ? (enum type)g_bit_nth_lsf(types, -1) : TYPE_NONE;
}

enum type print_ptxas_type(const struct test *test, const struct inst *inst)
{
    uint32_t bytes = accessed_bytes(test, inst) == 4 ? 4 : 8;
    if (inst->type != TYPE_NONE)
        return inst->type;
    if (op_is_atomic(inst->op))
        return type_with(atom_row(inst->atom_op)->kind, bytes);
    switch (inst->op) {
    case OP_LD:
    case OP_ST:
    case OP_MOV:
        return type_with('b', bytes);
    default:
        return register_type(inst->op);
    }
}

static bool meets_at(const struct body *body, const struct operand *barrier)
{
    for (uint32_t i = 0; i < body->inst_count; i++) {
        const struct inst *inst = &body->insts[i];
        const struct operand *other = &inst->operands[inst->op == OP_BAR_RED];
        if (op_group(inst->op) == GROUP_CTA_BARRIER && other->kind == OPERAND_IMM &&
            other->value == barrier->value)
            return true;
    }
    return false;
}

/* Without a count a column's barrier waits for the columns of its CTA that have it: the threads of
 * the CTA that the test does not show do not exist here. */
static uint64_t columns_at(struct printer *p, const struct operand *barrier)
{
    const struct test *test = p->test;
    uint64_t count = 0;
    for (uint32_t i = 0; i < test->column_count; i++)
        count += test->columns[i].cta == p->column->cta && test->columns[i].gpu == p->column->gpu &&
                 meets_at(&test->bodies[test->columns[i].body], barrier);
    return count;
}

/* A column has a warp of its own, every lane of which runs it for another copy of the test; the
 * lanes need not come together, so the barrier must not be '.aligned'. */
static void count_threads(struct printer *p, struct inst *inst)
{
    uint32_t count = inst->op == OP_BAR_RED ? 3 : 1;
    struct operand *to = &inst->operands[count];
    if (inst->operand_count <= count) {
        *to = (struct operand){.kind = OPERAND_IMM};
        to->value = WARP * columns_at(p, &inst->operands[inst->op == OP_BAR_RED]);
        inst->operand_count = count + 1;
    } else if (inst->flags & FLAG_COUNT_THREADS) {
        to->value *= WARP;
    }
    inst->flags &= ~(uint32_t)(FLAG_DIALECT | FLAG_COUNT_THREADS | FLAG_ALIGNED);
}

/* The dialect's 'sub' of a number. */
static void add_negated(struct inst *inst)
{
    inst->atom_op = ATOM_ADD;
    inst->operands[inst->operand_count - 1].value = -inst->operands[inst->operand_count - 1].value;
}

/* As a register has it that is wider than what was loaded (PTX 9.4.1): 'mov' has no types of 8 bits. */
static uint64_t extended(enum type type, uint64_t value)
{
    uint32_t bits = 8 * type_bytes(type);
    if (bits >= 64)
        return value;
    uint64_t sign = UINT64_C(1) << (bits - 1), low = value & (2 * sign - 1);
    return type_is_signed(type) ? (low ^ sign) - sign : low;
}

/* What the i-th element of a "ld.param" gets of the launch's arguments; false: a part of an address. */
static bool argument_element(const struct test *test, const struct launch *launch,
                             const struct inst *inst, uint32_t i, struct operand *value)
{
    const struct operand *from = &inst->operands[1];
    uint32_t bytes = type_bytes(inst->type);
    uint64_t at = from->value + i * bytes, shift = at % 8;
    const struct location_init word = launch_argument_word(
        test, &test->bodies[launch->kernel], launch->args, from->param, (uint32_t)(at / 8));
    bool address = word.address_of != NONE;
    *value = (struct operand){.kind = address ? OPERAND_SYMBOL : OPERAND_IMM,
                              .location = word.address_of,
                              .reg = NONE,
                              .value = address ? word.value
                                               : extended(inst->type, word.value >> 8 * shift)};
    return shift + bytes <= 8 && (!address || bytes == 8);
}

static uint32_t elements_of(const struct inst *inst)
{
    return inst->operands[0].kind == OPERAND_VECTOR ? inst->operands[0].part_count : 1;
}

static bool loads_parameter(const struct inst *inst)
{
    return inst->op == OP_LD && inst->operands[1].kind == OPERAND_PARAM;
}

bool print_ptxas_can_load(const struct test *test, const struct launch *launch,
                          const struct inst *inst)
{
    struct operand value;
    for (uint32_t i = 0; loads_parameter(inst) && i < elements_of(inst); i++)
        if (!argument_element(test, launch, inst, i, &value))
            return false;
    return true;
}

static void line(struct printer *p, const struct inst *inst)
{
    printer_inst(p, inst);
    put(p, ";\n");
}

/* Needs of a narrow register that it is compared with a small number, for being equal to it. */
static void compare_and_branch(struct printer *p, const struct inst *inst)
{
    struct inst compare = *inst, branch = *inst;
    const struct operand *compared = &inst->operands[0];
    uint32_t bytes =
        compared->kind == OPERAND_REG ? type_bytes(p->body->regs[compared->reg].type) : 8;
    compare.op = OP_SETP;
    compare.type = bytes == 8 ? TYPE_S64 : bytes == 4 ? TYPE_S32 : TYPE_S16;
    compare.operands[0] = (struct operand){.kind = OPERAND_REG, .reg = p->body->reg_count - 1};
    compare.operands[1] = inst->operands[0];
    compare.operands[2] = inst->operands[1];
    line(p, &compare);
    branch.op = OP_BRA;
    branch.cmp = CMP_NONE;
    branch.guard = p->body->reg_count - 1;
    branch.operands[0] = inst->operands[2];
    branch.operand_count = 1;
    line(p, &branch);
}

static void guard(struct printer *p, const struct inst *inst)
{
    if (inst->guard != NONE)
        put_format(p, "@%s%s ", inst->guard_negated ? "!" : "", p->body->regs[inst->guard].name);
}

static void leave(struct printer *p, const struct inst *inst)
{
    guard(p, inst);
    put(p, "bra ptxlit_done;\n");
}

/* What the headers of CUDA make of it: one thread of each CTA counts in the workspace of a cooperative launch, whose address is in
 * two registers of the environment, and waits until the count's last bit has changed. Without one the kernel traps. */
static void meet_grid(struct printer *p, uint32_t pc)
{
    put_format(
        p,
        "{\n.reg .pred none, other, last;\n.reg .b32 low, high, x, y, z, count, id, old, now;\n"
        ".reg .b64 at;\n"
        "mov.u32 low, %%envreg2;\nmov.u32 high, %%envreg1;\nmov.b64 at, {low, high};\n"
        "setp.eq.u64 none, at, 0;\n@none trap;\nbarrier.sync 0;\n"
        "mov.u32 x, %%tid.x;\nmov.u32 y, %%tid.y;\nmov.u32 z, %%tid.z;\n"
        "or.b32 x, x, y;\nor.b32 x, x, z;\n"
        "setp.ne.u32 other, x, 0;\n@other bra ptxlit_met%u;\n"
        "mov.u32 x, %%nctaid.x;\nmov.u32 y, %%nctaid.y;\nmov.u32 z, %%nctaid.z;\n"
        "mul.lo.u32 count, x, y;\nmul.lo.u32 count, count, z;\n"
        "mov.u32 x, %%ctaid.x;\nmov.u32 y, %%ctaid.y;\nmov.u32 z, %%ctaid.z;\n"
        "or.b32 id, x, y;\nor.b32 id, id, z;\nsetp.eq.u32 last, id, 0;\n"
        "sub.u32 count, 0x80000001, count;\nselp.b32 count, count, 1, last;\n"
        "fence.acq_rel.gpu;\natom.global.add.u32 old, [at+4], count;\n"
        "ptxlit_wait%u:\nld.volatile.global.u32 now, [at+4];\nxor.b32 now, now, old;\n"
        "setp.ge.s32 last, now, 0;\n@last bra ptxlit_wait%u;\nfence.acq_rel.gpu;\n"
        "ptxlit_met%u:\nbarrier.sync 0;\n}\n",
        pc, pc, pc, pc);
}

static bool sets_handle(const struct test *test, const struct inst *inst)
{
    return inst->op == OP_ST && inst->operands[0].location != NONE &&
           host_makes_handle(test, inst->operands[0].location);
}

/* A store to the handle of conditional nodes stands for a call of CUDA's, which the caller declares. */
static void set_handle(struct printer *p, const struct inst *inst)
{
    const struct operand *value = &inst->operands[1];
    put(p, "{\n.param .b64 ptxlit_handle;\n.param .b32 ptxlit_set;\n"
           ".reg .b64 ptxlit_long;\n.reg .b32 ptxlit_short;\nmov.b64 ptxlit_long, ");
    if (value->kind == OPERAND_REG)
        put_format(p, "%s;\n", p->body->regs[value->reg].name);
    else
        put_format(p, "%" PRId64 ";\n", (int64_t)value->value);
    put_format(p,
               "cvt.u32.u64 ptxlit_short, ptxlit_long;\nst.param.b64 [ptxlit_handle], at_%s;\n"
               "st.param.b32 [ptxlit_set], ptxlit_short;\n",
               print_ptxas_name(p->arena, p->test, inst->operands[0].location));
    guard(p, inst);
    put(p, "call cudaGraphSetConditional, (ptxlit_handle, ptxlit_set);\n}\n");
}

enum { NUMBERS = 3 }; /* operands of such an instruction beside its result */

static bool wants_registers(const struct inst *inst)
{
    return strncmp(op_row(inst->op)->mnemonic, "vabsdiff", strlen("vabsdiff")) == 0;
}

/* Numbers of such an instruction are moved into registers first. */
static void move_numbers(struct printer *p, struct inst *inst)
{
    for (uint32_t i = 1; i < inst->operand_count; i++) {
        struct operand *op = &inst->operands[i];
        uint32_t reg = p->body->reg_count - 1 - NUMBERS + i - 1;
        if (op->kind != OPERAND_IMM)
            continue;
        put_format(p, "mov.b32 %s, %" PRId64 ";\n", p->body->regs[reg].name, (int64_t)op->value);
        *op = (struct operand){.kind = OPERAND_REG, .reg = reg};
    }
}

/* A parameter whose address the kernel takes lies in global memory here: that has a generic address at once. */
static bool converts_param(const struct inst *inst)
{
    return inst->op == OP_CVTA && inst->space == SPACE_PARAM;
}

static void move_address(struct inst *inst)
{
    inst->op = OP_MOV;
    inst->space = SPACE_GENERIC;
    inst->type = TYPE_B64;
    inst->flags &= ~(uint32_t)FLAG_TO;
}

static bool takes_address(const struct inst *inst)
{
    return inst->op == OP_MOV && inst->operands[1].kind == OPERAND_SYMBOL &&
           inst->operands[0].kind == OPERAND_REG;
}

/* Of shared and local memory, in PTX's own words, it is the one in its window, which fits into 32 bits. */
static void take_address(struct printer *p, const struct inst *inst)
{
    const struct operand *of = &inst->operands[1];
    const struct location *location = &p->test->locations[of->location];
    const struct reg *to = &p->body->regs[inst->operands[0].reg];
    bool shared = location->space == SPACE_SHARED && !p->body->dialect;
    bool local = location->space == SPACE_LOCAL && !p->body->dialect;
    uint32_t bytes = type_bytes(to->type);
    guard(p, inst);
    put_format(p, bytes == 8 ? "mov.b64 %s, %s_%s;\n" : "cvt.u32.u64 %s, %s_%s;\n", to->name,
               shared  ? "shared"
               : local ? "local"
                       : "at",
               print_ptxas_name(p->arena, p->test, of->location));
    if (!of->value)
        return;
    guard(p, inst);
    put_format(p, "add.u%u %s, %s, %" PRIu64 ";\n", 8 * bytes, to->name, to->name, of->value);
}

/* "ld.param": a "mov" for each element. */
static void load_parameter(struct printer *p, const struct inst *inst)
{
    const struct operand *to = &inst->operands[0];
    for (uint32_t i = 0; i < elements_of(inst); i++) {
        struct inst move = *inst;
        move.op = OP_MOV;
        move.space = SPACE_GENERIC;
        move.vector = 0;
        move.operands[0] = to->kind == OPERAND_VECTOR ? to->parts[i] : *to;
        if (move.operands[0].kind != OPERAND_REG)
            continue;
        argument_element(p->test, p->launch, inst, i, &move.operands[1]);
        move.type = type_with('b', MAX(type_bytes(p->body->regs[move.operands[0].reg].type), 2));
        if (takes_address(&move))
            take_address(p, &move);
        else
            line(p, &move);
    }
}

/* In PTX's own words, with the type that the dialect leaves out. */
static void instruction(struct printer *p, const struct inst *inst)
{
    struct inst written = *inst;
    if (inst->op == OP_NOP)
        return;
    if (loads_parameter(inst)) {
        load_parameter(p, inst);
        return;
    }
    if (op_accepts(inst->op, 'T'))
        written.type = print_ptxas_type(p->test, inst);
    if ((inst->op == OP_MUL || inst->op == OP_MAD) && inst->type == TYPE_NONE)
        written.flags |= FLAG_LO;
    if (inst->atom_op == ATOM_SUB)
        add_negated(&written);
    if (wants_registers(inst))
        move_numbers(p, &written);
    if (p->column && op_group(inst->op) == GROUP_CTA_BARRIER)
        count_threads(p, &written);
    if (inst->op == OP_GRID_SYNC)
        meet_grid(p, (uint32_t)(inst - p->body->insts));
    if (inst->op == OP_GRID_SYNC || path_print(p, inst))
        return;
    if (sets_handle(p->test, inst)) {
        set_handle(p, inst);
        return;
    }
    if (takes_address(&written)) {
        take_address(p, &written);
        return;
    }
    if (converts_param(inst))
        move_address(&written);
    if (inst->op == OP_BRANCH_COMPARE)
        compare_and_branch(p, inst);
    else if (inst->op == OP_RET || inst->op == OP_EXIT)
        leave(p, inst);
    else
        line(p, &written);
}

static void instructions(struct printer *p)
{
    uint32_t label = 0;
    for (uint32_t i = 0; i < p->body->inst_count; i++) {
        printer_labels(p, i, &label);
        instruction(p, &p->body->insts[i]);
    }
    printer_labels(p, p->body->inst_count, &label);
}

/* The body with registers of our own: the last one for branches, and those before it for numbers that PTX wants in registers. */
static struct body with_scratch(struct arena *arena, const struct body *from)
{
    struct body body = *from;
    bool numbers = false;
    for (uint32_t i = 0; i < from->inst_count; i++)
        numbers |= wants_registers(&from->insts[i]);
    size_t bytes = from->reg_count * sizeof *body.regs;
    body.regs = arena_grow(arena, from->regs, bytes, bytes + (NUMBERS + 1) * sizeof *body.regs);
    for (uint32_t i = 0; numbers && i < NUMBERS; i++)
        body.regs[body.reg_count++] =
            (struct reg){.name = arena_printf(arena, "ptxlit_number%u", i), .type = TYPE_B32};
    body.regs[body.reg_count++] = (struct reg){.name = BRANCH, .type = TYPE_PRED};
    return body;
}

const char *print_ptxas(struct arena *arena, const struct test *test, uint32_t column,
                        uint32_t launch)
{
    struct text *text = text_open(arena);
    struct printer p = {.out = text->out,
                        .test = test,
                        .arena = arena,
                        .ptxas = true,
                        .column = column == NONE ? NULL : &test->columns[column],
                        .launch = launch == NONE ? NULL : &test->launches[launch]};
    struct body body =
        with_scratch(arena, &test->bodies[column == NONE ? p.launch->kernel : p.column->body]);
    p.body = &body;
    declare(&p);
    path_declare(&p);
    initialize(&p);
    instructions(&p);
    put(&p, "ptxlit_done:\n");
    store_observed(&p);
    return text_close(text, arena);
}
