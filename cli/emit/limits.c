/* SPDX-License-Identifier: MIT
 *
 * Refuses tests that need what a CUDA program of many copies cannot give them, and says what it is. */
#include "cli/emit/view.h"
#include "litmus/print/path.h"
#include "litmus/test/host.h"
#include "litmus/test/launch.h"
#include "litmus/test/tensor_map.h"

struct limits {
    struct job *job;
    const struct test *test;
    const struct emit_layout *at; /* NULL while it is not known whether there is one */
    const uint32_t *number;       /* of places; NULL then, too */
};

static bool refuse(const struct limits *l, struct span span, const char *what)
{
    return emit_refuse(l->job, span, what);
}

/* ---- instructions --------------------------------------------------------------------------- */

static bool can_write_barrier(const struct limits *l, const struct inst *inst)
{
    bool red = inst->op == OP_BAR_RED;
    uint32_t count = red ? 3 : 1;
    if (l->at->whole)
        return true;
    if (inst->operands[red].kind != OPERAND_IMM ||
        (inst->operand_count > count && inst->operands[count].kind != OPERAND_IMM))
        return refuse(l, inst->span, "a barrier whose number or count is in a register");
    return l->at->lanes == EMIT_WARP || l->at->lone ||
           refuse(l, inst->span, "a CTA's barrier beside threads placed in one warp");
}

static bool has_op(const struct body *body, enum op op)
{
    for (uint32_t i = 0; i < body->inst_count; i++)
        if (body->insts[i].op == op)
            return true;
    return false;
}

/* All threads of the cluster that there are have to come. */
static bool can_write_cluster_barrier(const struct limits *l, const struct inst *inst)
{
    const struct test *test = l->test;
    bool all = l->at->whole || test->column_count == l->at->ctas * l->at->warps;
    for (uint32_t i = 0; i < test->column_count; i++)
        all = all && (l->at->lanes == EMIT_WARP || l->at->lone) &&
              has_op(&test->bodies[test->columns[i].body], OP_CLUSTER_ARRIVE) &&
              has_op(&test->bodies[test->columns[i].body], OP_CLUSTER_WAIT);
    return all || refuse(l, inst->span, "a cluster's barrier at which some thread does not wait");
}

/* Shared memory of another CTA: only in a cluster, where CTAs lie side by side. */
static bool can_reach(const struct limits *l, uint32_t body, const struct operand *op)
{
    const struct location *location = &l->test->locations[op->location];
    uint32_t owner, size = l->at->cluster;
    if (location->space != SPACE_SHARED || location->cta == NONE || l->at->whole)
        return true;
    if (!emit_cta(l->test, l->at, location, &owner))
        return refuse(l, op->span, "shared memory of a CTA without threads");
    for (uint32_t i = 0; i < l->test->column_count; i++)
        if (l->test->columns[i].body == body && l->at->cta[i] / size != owner / size)
            return refuse(l, op->span, "an access to shared memory from another cluster");
    return true;
}

static bool can_write_operand(const struct limits *l, uint32_t body, const struct operand *op)
{
    for (uint32_t i = 0; i < op->part_count; i++)
        if (!can_write_operand(l, body, &op->parts[i]))
            return false;
    return op->kind != OPERAND_MEMORY || op->location == NONE || can_reach(l, body, op);
}

/* An address with an offset, or in a window, needs an instruction of its own. */
static bool can_write_symbol(const struct limits *l, const struct inst *inst,
                             const struct operand *op)
{
    bool plain = op->kind != OPERAND_SYMBOL || inst->op == OP_MOV ||
                 (!op->value && l->test->locations[op->location].space != SPACE_SHARED);
    return plain ||
           refuse(l, op->span, "the address of a part of a location, or of shared memory, here");
}

static bool can_write_words(const struct limits *l, const struct inst *inst)
{
    const char *trouble = path_trouble(l->test, inst);
    if (trouble)
        return refuse(l, inst->span, trouble);
    if (inst->proxy == PROXY_TENSORMAP && inst->op != OP_FENCE)
        return refuse(l, inst->span, "what goes through a tensor map");
    if (inst->op == OP_RED && (inst->sem == SEM_ACQ_REL || inst->sem == SEM_ACQUIRE))
        return refuse(l, inst->span, "an acquiring 'red', which PTX does not have,");
    if (inst->atom_op == ATOM_SUB && inst->operands[inst->operand_count - 1].kind != OPERAND_IMM)
        return refuse(l, inst->span, "an atomic subtraction, which PTX does not have,");
    if (op_group(inst->op) == GROUP_MULTIMEM)
        return refuse(l, inst->span, "'multimem', for which nothing makes a multicast object,");
    if (inst->op == OP_CALL)
        return refuse(l, inst->span, "a call");
    if (inst->op == OP_GRID_SYNC && inst->guard != NONE)
        return refuse(l, inst->span, "a guarded barrier of the grid");
    return op_group(inst->op) != GROUP_GRID || l->test->host ||
           refuse(l, inst->span, "what belongs to a host program");
}

/* The dialect widens and cuts registers as it needs; PTX wants those of such an instruction as wide as its type. */
static bool has_one_width(const struct inst *inst)
{
    switch (inst->op) {
    case OP_MOV:
    case OP_ADD:
    case OP_SUB:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_MIN:
    case OP_MAX:
        return true;
    default:
        return op_is_atomic(inst->op);
    }
}

static bool can_write_widths(const struct limits *l, const struct body *body,
                             const struct inst *inst)
{
    uint32_t bytes = type_bytes(print_ptxas_type(l->test, inst));
    for (uint32_t i = 0; body->dialect && has_one_width(inst) && i < inst->operand_count; i++) {
        const struct operand *op = &inst->operands[i];
        uint32_t own = op->kind == OPERAND_REG ? type_bytes(body->regs[op->reg].type) : 0;
        if (own && own != bytes)
            return refuse(l, inst->span, "a register of another width than the instruction's type");
    }
    return true;
}

static bool is_narrow(const struct body *body, const struct operand *op)
{
    return op->kind == OPERAND_REG && type_bytes(body->regs[op->reg].type) < 8;
}

/* The dialect compares 64 bits, of which a narrow register keeps the lower ones: whether they were
 * extended by zeros or by the sign makes no difference to whether they equal a small number. */
static bool can_write_comparison(const struct limits *l, const struct body *body,
                                 const struct inst *inst)
{
    const struct operand *a = &inst->operands[0], *b = &inst->operands[1];
    if (inst->op != OP_BRANCH_COMPARE || (!is_narrow(body, a) && !is_narrow(body, b)))
        return true;
    bool small = b->kind == OPERAND_IMM && b->value <= INT16_MAX;
    return (small && (inst->cmp == CMP_EQ || inst->cmp == CMP_NE)) ||
           refuse(l, inst->span, "a branch that compares a narrow register as 64 bits");
}

/* ptxas wants the registers of a comparison as wide as its type. */
static bool can_write_predicate(const struct limits *l, const struct body *body,
                                const struct inst *inst)
{
    for (uint32_t i = 0; inst->op == OP_SETP && i < inst->operand_count; i++) {
        const struct operand *op = &inst->operands[i];
        if (op->kind == OPERAND_REG && body->regs[op->reg].type != TYPE_PRED &&
            type_bytes(body->regs[op->reg].type) != type_bytes(inst->type))
            return refuse(l, inst->span, "a comparison of a part of a register");
    }
    return true;
}

static bool can_write_load(const struct limits *l, uint32_t body, const struct inst *inst)
{
    for (uint32_t i = 0; i < l->test->launch_count; i++)
        if (l->test->launches[i].kernel == body &&
            !print_ptxas_can_load(l->test, &l->test->launches[i], inst))
            return refuse(l, inst->span, "a part of an address that is a parameter");
    return true;
}

static bool can_write_inst(const struct limits *l, uint32_t body, const struct inst *inst)
{
    const struct body *code = &l->test->bodies[body];
    if (!can_write_words(l, inst) || !can_write_widths(l, code, inst) ||
        !can_write_load(l, body, inst) || !can_write_comparison(l, code, inst) ||
        !can_write_predicate(l, code, inst))
        return false;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (!can_write_operand(l, body, &inst->operands[i]) ||
            !can_write_symbol(l, inst, &inst->operands[i]))
            return false;
    if (op_group(inst->op) == GROUP_CLUSTER_BARRIER)
        return can_write_cluster_barrier(l, inst);
    return op_group(inst->op) != GROUP_CTA_BARRIER || can_write_barrier(l, inst);
}

/* ---- the test ------------------------------------------------------------------------------- */

static bool can_write_body(const struct limits *l, uint32_t index)
{
    const struct body *body = &l->test->bodies[index];
    for (uint32_t i = 0; i < body->reg_count; i++)
        if (type_bytes(body->regs[i].type) == 16)
            return refuse(l, body->regs[i].span, "a register of 128 bits");
    for (uint32_t i = 0; i < body->inst_count; i++)
        if (!can_write_inst(l, index, &body->insts[i]))
            return false;
    return true;
}

static bool is_of_host(const struct test *test, uint32_t body)
{
    for (uint32_t i = 0; test->host && i < test->host->thread_count; i++)
        if (test->host->threads[i].body == body)
            return true;
    return false;
}

/* A further name is a further mapping of the memory, which only global memory has. */
static bool can_write_alias(const struct limits *l, uint32_t index)
{
    const struct location *location = &l->test->locations[index];
    const struct location *root = &l->test->locations[test_root_location(l->test, index)];
    if (l->at->gpus > 1)
        return refuse(l, location->span, "two names of one location beside a second GPU");
    if (root->space != SPACE_GLOBAL && root->space != SPACE_GENERIC)
        return refuse(l, location->span, "two names of one location in shared memory");
    return emit_view(l->test, index) < EMIT_MOST_VIEWS ||
           refuse(l, location->span, "more than four names of one location");
}

static bool can_write_path(const struct limits *l, uint32_t index)
{
    const struct location *location = &l->test->locations[index];
    uint32_t bytes = location->elements * location->element_bytes;
    enum proxy path = emit_path(l->test, index);
    if (path == PROXY_SURFACE && bytes > EMIT_SURFACE_BYTES)
        return refuse(l, location->span, "a surface of more than 16 bytes");
    return path != PROXY_CONSTANT ||
           refuse(l, location->span, "constants that kernels write, which CUDA does not have,");
}

/* The host writes addresses, which are those of global memory. */
static bool can_write_addresses(const struct limits *l, const struct location *location)
{
    for (uint32_t i = 0; location->init && i < location->elements; i++) {
        uint32_t to = location->init[i].address_of;
        if (to == NONE)
            continue;
        if (location->space == SPACE_SHARED || l->test->locations[to].space == SPACE_SHARED)
            return refuse(l, location->span, "an address in or of shared memory");
        if (l->test->locations[to].space == SPACE_LOCAL)
            return refuse(l, location->span, "an address of local memory");
        if (emit_path(l->test, to) != PROXY_GENERIC || location->element_bytes != 8)
            return refuse(l, location->span, "an address of a texture, or in less than 8 bytes");
    }
    return true;
}

static bool is_map(const struct test *test, uint32_t index)
{
    struct tensor_map map;
    uint32_t tensor;
    return tensor_map_at(test, index, 0, &map, &tensor);
}

/* What the test says of it is not what CUDA has in its place. */
static bool can_write_map(const struct limits *l, uint32_t index)
{
    for (uint32_t i = 0; i < l->test->observed_count; i++)
        if (l->test->observed[i].kind == TERM_LOCATION && l->test->observed[i].location == index)
            return refuse(l, l->test->condition->span, "a question about a tensor map");
    return true;
}

/* Nobody else knows where a thread's own memory is. */
static bool can_write_local(const struct limits *l, uint32_t index)
{
    const struct location *location = &l->test->locations[index];
    for (uint32_t i = 0; i < l->test->observed_count; i++)
        if (l->test->observed[i].kind == TERM_LOCATION && l->test->observed[i].location == index)
            return refuse(l, l->test->condition->span, "a question about local memory");
    for (uint32_t i = 0; location->init && i < location->elements; i++)
        if (location->init[i].value || location->init[i].address_of != NONE)
            return refuse(l, location->span, "an initial value of local memory");
    return location->alias_of == NONE || refuse(l, location->span, "two names of local memory");
}

static bool can_write_location(const struct limits *l, uint32_t index)
{
    const struct location *location = &l->test->locations[index];
    if (!can_write_path(l, index))
        return false;
    if (location->alias_of != NONE && !can_write_alias(l, index))
        return false;
    if (location->space == SPACE_LOCAL)
        return can_write_local(l, index);
    if (location->space != SPACE_GLOBAL && location->space != SPACE_SHARED &&
        location->space != SPACE_GENERIC && !is_map(l->test, index))
        return refuse(l, location->span, "constant memory");
    return can_write_addresses(l, location) && (!is_map(l->test, index) || can_write_map(l, index));
}

static uint32_t addresses_of(const struct limits *l)
{
    const struct test *test = l->test;
    uint32_t count = 0;
    for (uint32_t i = 0; i < test->location_count; i++)
        for (uint32_t k = 0; test->locations[i].init && k < test->locations[i].elements; k++)
            count += l->number[i] != NONE && test->locations[i].init[k].address_of != NONE;
    return count;
}

/* Of a module's kernels those that are launched. */
static bool is_written(const struct test *test, uint32_t body)
{
    for (uint32_t i = 0; i < test->launch_count; i++)
        if (test->launches[i].kernel == body)
            return true;
    return !test->launch_count || test->host || test->bodies[body].function;
}

bool emit_can_start(struct job *job)
{
    const struct test *test = job->test;
    const struct limits l = {.job = job, .test = test};
    if (test->language == LANGUAGE_CPP)
        return refuse(&l, (struct span){0, 0}, "C++ for which no mapping to PTX is chosen");
    if (emit_asks_for_address(test))
        return refuse(&l, test->condition->span, "a question that compares addresses");
    if (test->host)
        return emit_can_write_host(job);
    if (emit_is_hosted(test))
        return emit_can_write_launches(job);
    return !test->launch_count || launch_ctas(&test->launches[0]) <= EMIT_MOST_CTAS ||
           refuse(&l, test->launches[0].span, "a launch of more CTAs than run at once");
}

bool emit_can_write(struct job *job, const struct emit_layout *at)
{
    const struct test *test = job->test;
    uint32_t places;
    const uint32_t *number = emit_place_numbers(job->arena, test, &places);
    const struct limits l = {job, test, at, number};
    if (emit_operands(test, number) > EMIT_MOST_PLACES)
        return refuse(&l, test->locations[test->location_count - 1].span,
                      "more than 28 locations, textures and surfaces");
    if (test->observed_count > EMIT_MOST_VALUES)
        return refuse(&l, test->condition->span, "a question about more than 64 values");
    if (at->gpus == EMIT_MOST_GPUS)
        return refuse(&l, test->columns[0].span, "a test with threads of eight GPUs or more");
    if (addresses_of(&l) > EMIT_MOST_ADDRESSES)
        return refuse(&l, test->locations[0].span, "more than 16 addresses and tensor maps");
    for (uint32_t i = 0; i < test->location_count; i++)
        if (number[i] != NONE && !can_write_location(&l, i))
            return false;
    for (uint32_t b = 0; b < test->body_count; b++)
        if (!is_of_host(test, b) && is_written(test, b) && !can_write_body(&l, b))
            return false;
    return true;
}
