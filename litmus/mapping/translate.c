/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/mapping/translate.h"

/* A test in C++ as a mapping compiles it. */

/* ---- rows ----------------------------------------------------------------------------------- */

enum sem mapping_merged(enum sem succeeds, enum sem fails)
{
    if (succeeds == SEM_SC || fails == SEM_SC)
        return SEM_SC;
    bool acquires = succeeds == SEM_ACQUIRE || succeeds == SEM_ACQ_REL || fails == SEM_ACQUIRE;
    bool releases = succeeds == SEM_RELEASE || succeeds == SEM_ACQ_REL;
    return acquires ? (releases ? SEM_ACQ_REL : SEM_ACQUIRE) : releases ? SEM_RELEASE : SEM_RELAXED;
}

static const struct mapping_row *row_of(const struct mapping_table *mapping, enum mapping_kind kind,
                                        enum sem order, enum sem failed, enum scope scope)
{
    const struct mapping_row *rows = mapping->rows[kind][order][failed];
    const struct mapping_row *row = rows[scope].given ? &rows[scope] : &rows[SCOPE_COUNT];
    return row->given ? row : NULL;
}

const struct mapping_row *mapping_row(const struct mapping_table *mapping, const struct inst *inst)
{
    if (inst->op == OP_FENCE)
        return row_of(mapping, MAPPING_FENCE, inst->sem, SEM_NONE, inst->scope);
    if (inst->sem == SEM_WEAK || inst->sem == SEM_NONE || inst->flags & FLAG_VOLATILE)
        return NULL;
    if (inst->op == OP_LD)
        return row_of(mapping, MAPPING_LOAD, inst->sem, SEM_NONE, inst->scope);
    if (inst->op == OP_ST)
        return row_of(mapping, MAPPING_STORE, inst->sem, SEM_NONE, inst->scope);
    if (inst->op != OP_ATOM)
        return NULL;
    enum sem order = inst->sem;
    if (inst->atom_op == ATOM_CAS) {
        const struct mapping_row *own =
            row_of(mapping, MAPPING_CAS, inst->sem, inst->failed_sem, inst->scope);
        order = mapping_merged(inst->sem, inst->failed_sem);
        own = own ? own : row_of(mapping, MAPPING_CAS, order, SEM_NONE, inst->scope);
        if (own)
            return own;
    }
    return row_of(mapping, MAPPING_RMW, order, SEM_NONE, inst->scope);
}

/* ---- registers ------------------------------------------------------------------------------ */

static bool is_taken(const struct translation *t, const char *name)
{
    for (uint32_t i = 0; i < t->regs.len; i++)
        if (strcmp(t->regs.at[i].name, name) == 0)
            return true;
    for (int i = 0; i < SPECIAL_COUNT; i++)
        if (strcmp(special_name((enum special)i), name) == 0)
            return true;
    return false;
}

/* "%r0": so that no location is called like it. Questions may leave the '%' out. */
static const char *register_name(const struct translation *t, const char *name)
{
    bool is_value = name[0] == '%'; /* of an expression */
    const char *stem = arena_printf(t->arena, is_value ? "%%t%s" : "%%%s", name + is_value);
    const char *unique = stem;
    for (unsigned i = 2; is_taken(t, unique); i++)
        unique = arena_printf(t->arena, "%s$%u", stem, i);
    return unique;
}

static void take_registers(struct translation *t)
{
    for (int values = 0; values < 2; values++) /* those with a name have the first choice */
        for (uint32_t i = 0; i < t->body->reg_count; i++) {
            struct reg reg = t->body->regs[i];
            if (!values)
                vec_push(t->arena, &t->regs, reg);
            if ((reg.name[0] == '%') == values)
                t->regs.at[i].name = register_name(t, reg.name);
        }
}

uint32_t mapping_new_register(struct translation *t, enum type type)
{
    const char *name = register_name(t, arena_printf(t->arena, "look%u", ++t->scratch));
    struct reg reg = {.name = name, .type = type};
    vec_push(t->arena, &t->regs, reg);
    return t->regs.len - 1;
}

/* ---- instructions --------------------------------------------------------------------------- */

static struct operand operand_of(enum operand_kind kind, struct span span)
{
    return (struct operand){
        .kind = kind, .reg = NONE, .location = NONE, .target = NONE, .param = NONE, .span = span};
}

struct operand mapping_register_operand(uint32_t reg, struct span span)
{
    struct operand operand = operand_of(OPERAND_REG, span);
    operand.reg = reg;
    return operand;
}

static enum scope scope_of(const struct translation *t, const struct mapping_step *step,
                           const struct inst *inst)
{
    if (step->scope != SCOPE_NONE)
        return step->scope;
    return step->sem == SEM_WEAK ? SCOPE_NONE : t->mapping->scopes[inst->scope];
}

struct inst mapping_step_inst(const struct translation *t, const struct mapping_step *step,
                              const struct inst *inst, enum op op)
{
    struct inst made = *inst;
    made.op = op;
    made.sem = step->sem;
    made.failed_sem = SEM_NONE;
    made.scope = scope_of(t, step, inst);
    made.flags = step->is_volatile ? FLAG_VOLATILE : 0;
    return made;
}

static void emit_fence(struct translation *t, const struct mapping_step *step,
                       const struct inst *inst)
{
    struct inst fence = mapping_step_inst(t, step, inst, OP_FENCE);
    fence.type = TYPE_NONE;
    fence.atom_op = ATOM_NONE;
    fence.fence_kind = FENCE_MEMORY;
    fence.operand_count = 0;
    vec_push(t->arena, &t->insts, fence);
}

/* Loads what the atomic operation will find into the register. */
static void emit_look(struct translation *t, const struct mapping_step *step,
                      const struct inst *inst, uint32_t reg)
{
    struct inst look = mapping_step_inst(t, step, inst, OP_LD);
    look.atom_op = ATOM_NONE;
    look.operands[0] = mapping_register_operand(reg, inst->span);
    look.operand_count = 2;
    mapping_widen(t, &look);
    vec_push(t->arena, &t->insts, look);
}

/* Leaves where the register is not what the exchange expects; the label is placed later. */
static void emit_leave(struct translation *t, const struct inst *inst, uint32_t reg)
{
    uint32_t differs = mapping_new_register(t, TYPE_PRED);
    uint32_t bytes = type_bytes(t->regs.at[reg].type);
    struct inst compare = {.op = OP_SETP,
                           .type = type_with('b', bytes < 4 ? 4 : bytes),
                           .cmp = CMP_NE,
                           .vector = 1,
                           .guard = NONE,
                           .span = inst->span,
                           .operand_count = 3};
    compare.operands[0] = mapping_register_operand(differs, inst->span);
    compare.operands[1] = mapping_register_operand(reg, inst->span);
    compare.operands[2] = inst->operands[2];
    struct inst jump = {.op = OP_BRA, .vector = 1, .guard = differs, .span = inst->span};
    jump.operands[jump.operand_count++] = operand_of(OPERAND_LABEL, inst->span);
    vec_push(t->arena, &t->insts, compare);
    vec_push(t->arena, &t->insts, jump);
}

/* 'look': what a look before it found, or NONE. */
static void emit_access(struct translation *t, const struct mapping_step *step,
                        const struct inst *inst, uint32_t look)
{
    if (look != NONE && mapping_wraps(t, inst)) {
        mapping_emit_loop(t, step, inst, look);
        return;
    }
    struct inst access = mapping_step_inst(t, step, inst, inst->op);
    mapping_widen(t, &access);
    vec_push(t->arena, &t->insts, access);
}

/* The jumps of a row lead behind it. */
static void emit_row(struct translation *t, const struct mapping_row *row, const struct inst *inst)
{
    uint32_t leaves = NONE, look = NONE;
    for (uint32_t i = 0; i < row->step_count; i++) {
        const struct mapping_step *step = &row->steps[i];
        switch (step->form) {
        case MAPPING_IS_FENCE:
            emit_fence(t, step, inst);
            break;
        case MAPPING_IS_ACCESS:
            emit_access(t, step, inst, look);
            break;
        case MAPPING_IS_LOOK:
            look = mapping_new_register(t, t->regs.at[inst->operands[0].reg].type);
            emit_look(t, step, inst, look);
            break;
        case MAPPING_IS_FAIL:
            emit_look(t, step, inst, inst->operands[0].reg);
            emit_leave(t, inst, inst->operands[0].reg);
            leaves = t->insts.len - 1;
            break;
        }
    }
    if (leaves != NONE)
        t->insts.at[leaves].operands[0].target = t->insts.len;
}

/* A kernel's name of shared memory is where it lies in its window; C++ has pointers. */
static void emit_generic(struct translation *t, const struct inst *inst)
{
    const struct operand *of = &inst->operands[1];
    if (t->body->dialect || inst->op != OP_MOV || of->kind != OPERAND_SYMBOL ||
        t->from->locations[of->location].space != SPACE_SHARED)
        return;
    struct inst made = {.op = OP_CVTA, .type = TYPE_U64, .space = SPACE_SHARED, .guard = NONE};
    made.span = inst->span;
    made.operands[0] = made.operands[1] =
        mapping_register_operand(inst->operands[0].reg, inst->span);
    made.operand_count = 2;
    vec_push(t->arena, &t->insts, made);
}

static void emit_plain(struct translation *t, const struct inst *inst)
{
    struct inst plain = *inst;
    if (op_group(inst->op) == GROUP_ACCESS || inst->op == OP_FENCE)
        plain.flags &= ~FLAG_DIALECT;
    mapping_widen(t, &plain);
    vec_push(t->arena, &t->insts, plain);
    emit_generic(t, inst);
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static bool has_label(const struct translation *t, uint32_t target)
{
    for (uint32_t i = 0; i < t->labels.len; i++)
        if (t->labels.at[i].target == target)
            return true;
    return false;
}

/* Jumps of the source lead to where its instructions are now; each has a label to name. */
static void finish_jumps(struct translation *t)
{
    for (uint32_t i = 0; i < t->insts.len; i++)
        if (t->insts.at[i].op == OP_BRA && !has_label(t, t->insts.at[i].operands[0].target)) {
            struct label label = {.target = t->insts.at[i].operands[0].target};
            vec_push(t->arena, &t->labels, label);
        }
    for (uint32_t i = 1; i < t->labels.len; i++) /* few */
        for (uint32_t k = i; k && t->labels.at[k].target < t->labels.at[k - 1].target; k--) {
            struct label label = t->labels.at[k];
            t->labels.at[k] = t->labels.at[k - 1];
            t->labels.at[k - 1] = label;
        }
    for (uint32_t i = 0; i < t->labels.len; i++)
        t->labels.at[i].name = arena_printf(t->arena, "$L%u", i + 1);
}

static void relocate_jumps(struct translation *t)
{
    for (uint32_t i = 0; i < t->body->inst_count; i++)
        if (t->body->insts[i].op == OP_BRA)
            t->insts.at[t->starts[i]].operands[0].target =
                t->starts[t->body->insts[i].operands[0].target];
}

/* ---- bodies --------------------------------------------------------------------------------- */

static struct body translate_body(struct translation *t, const struct body *body)
{
    struct body made = *body;
    t->body = body;
    t->regs.len = t->insts.len = t->labels.len = t->scratch = 0;
    t->regs.at = NULL, t->insts.at = NULL, t->labels.at = NULL;
    t->regs.cap = t->insts.cap = t->labels.cap = 0;
    t->starts = ARENA_ARRAY(t->arena, uint32_t, body->inst_count + 1);
    take_registers(t);
    for (uint32_t i = 0; i < body->inst_count; i++) {
        const struct mapping_row *row = mapping_row(t->mapping, &body->insts[i]);
        t->starts[i] = t->insts.len;
        if (row)
            emit_row(t, row, &body->insts[i]);
        else
            emit_plain(t, &body->insts[i]);
    }
    t->starts[body->inst_count] = t->insts.len;
    relocate_jumps(t);
    finish_jumps(t);
    made.regs = t->regs.at, made.reg_count = t->regs.len;
    made.insts = t->insts.at, made.inst_count = t->insts.len;
    made.labels = t->labels.at, made.label_count = t->labels.len;
    return made;
}

/* ---- the test ------------------------------------------------------------------------------- */

/* What the source expects is said of C++. */
static void take_comments(const struct translation *t)
{
    struct test *to = t->to;
    to->comments = ARENA_ARRAY(t->arena, const char *, t->from->comment_count + 1);
    to->comment_count = to->expectation_count = 0;
    for (uint32_t i = 0; i < t->from->comment_count; i++) {
        const char *comment = t->from->comments[i] + strspn(t->from->comments[i], " \t\r\n");
        if (strncmp(comment, "expect", strlen("expect")) != 0)
            to->comments[to->comment_count++] = t->from->comments[i];
    }
    to->comments[to->comment_count++] =
        arena_printf(t->arena, "from C++ by the mapping '%s'", t->mapping->name);
}

struct test *mapping_translate(struct arena *arena, const struct mapping_table *mapping,
                               const struct test *test, struct diag_list *diags)
{
    struct test *to = ARENA_NEW(arena, struct test);
    struct translation t = {
        .arena = arena, .mapping = mapping, .from = test, .to = to, .diags = diags};
    *to = *test;
    to->language = LANGUAGE_PTX;
    if (!mapping_find_small(&t))
        return NULL;
    mapping_widen_locations(&t);
    to->bodies = ARENA_ARRAY(arena, struct body, test->body_count + 1);
    for (uint32_t i = 0; i < test->body_count; i++)
        to->bodies[i] = translate_body(&t, &test->bodies[i]);
    for (uint32_t i = 0; i < test->column_count; i++)
        to->bodies[test->columns[i].body].dialect = true;
    take_comments(&t);
    return to;
}
