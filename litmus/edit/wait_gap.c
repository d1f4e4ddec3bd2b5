/* SPDX-License-Identifier: MIT */
#include "litmus/edit/wait_gap.h"

#include <string.h>

#include "litmus/edit/option.h"

struct wait_gap {
    struct arena *arena;
    const struct test *test;
    const struct need *need;
    const struct body *body;
    uint32_t at;
    enum edit_kind side;
    struct edit_places *places;
};

/* After the fences that stand at the same place (gap.c): what is waited for was to be handed over first. */
enum { RANK_WAIT = 20 };

static struct edit_place open_place(const struct wait_gap *gap)
{
    struct edit_place place = {
        .body = gap->body, .inst = &gap->body->insts[gap->at], .gap = true, .shy = true};
    option_add(gap->arena, &place, (struct edit_option){.inst.op = OP_COUNT});
    return place;
}

static void add(const struct wait_gap *gap, struct edit_place *place, struct inst inst,
                const char *words)
{
    struct edit_option option = {.inst = inst, .edits = true};
    option.edit = (struct edit){gap->side, gap->body, place->inst, words, RANK_WAIT};
    option_add(gap->arena, place, option);
}

/* ---- barriers of a cluster ------------------------------------------------------------------ */

static void cluster_barrier(const struct wait_gap *gap)
{
    struct edit_place place = open_place(gap);
    struct inst inst = {.op = OP_CLUSTER_ARRIVE, .sem = SEM_RELEASE, .scope = SCOPE_CLUSTER};
    if (!(gap->need->scopes >> SCOPE_CLUSTER & 1) ||
        !need_meets(gap->test, gap->body, SCOPE_CLUSTER))
        return;
    add(gap, &place, inst, "barrier.cluster.arrive\nbarrier.cluster.wait");
    vec_push(gap->arena, &gap->places->items, place);
}

/* ---- mbarriers ------------------------------------------------------------------------------ */

/* A predicate that the body does not have. */
static const char *new_predicate(const struct wait_gap *gap)
{
    const struct body *body = gap->body;
    const char *name = "%p0";
    for (uint32_t number = 1, i = 0; i < body->reg_count; i++)
        if (strcmp(body->regs[i].name + (body->regs[i].name[0] == '%'), name + 1) == 0) {
            name = arena_printf(gap->arena, "%%p%u", number++);
            i = UINT32_MAX; /* from the first again */
        }
    return name;
}

static bool has_label(const struct body *body, const char *name)
{
    for (uint32_t i = 0; i < body->label_count; i++)
        if (strcmp(body->labels[i].name, name) == 0)
            return true;
    return false;
}

/* A label that the body does not have, for a wait before or behind one instruction for one parity. */
static const char *new_label(const struct wait_gap *gap, uint32_t parity)
{
    const char *name = arena_printf(gap->arena, "WAIT%u%s", gap->at + 1, parity ? "_1" : "");
    while (has_label(gap->body, name))
        name = arena_printf(gap->arena, "%s_", name);
    return name;
}

/* Goes round until the phase of the parity has ended. PTX wants the predicate declared, a column does not. */
static const char *loop(const struct wait_gap *gap, const char *object, const char *scope,
                        uint32_t parity)
{
    const char *label = new_label(gap, parity);
    const char *predicate = gap->body->dialect ? new_predicate(gap) : "%waited";
    const char *code = arena_printf(
        gap->arena,
        "%s:\nmbarrier.try_wait.parity.acquire.%s.shared::cta.b64 %s, [%s], %u\n@!%s bra %s", label,
        scope, predicate, object, parity, predicate, label);
    return gap->body->dialect
               ? code
               : arena_printf(gap->arena, "{\n.reg .pred %s\n%s\n}", predicate, code);
}

/* Only threads of its own CTA may wait for an object. */
static bool is_near(const struct wait_gap *gap, uint32_t object)
{
    const struct location *location = &gap->test->locations[object];
    for (uint32_t i = 0; i < gap->test->column_count; i++) {
        const struct column *column = &gap->test->columns[i];
        if (&gap->test->bodies[column->body] == gap->body)
            return location->cta == NONE || location->cta == column->cta;
    }
    return location->kernel == NONE || &gap->test->bodies[location->kernel] == gap->body;
}

static void add_waits(const struct wait_gap *gap, const char *object)
{
    static const enum scope scopes[] = {SCOPE_CTA, SCOPE_CLUSTER};
    for (uint32_t parity = 0; parity < 2; parity++) {
        struct edit_place place = open_place(gap);
        for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
            if (scopes[i] == SCOPE_CTA || gap->need->scopes >> SCOPE_CLUSTER & 1)
                add(gap, &place,
                    (struct inst){
                        .op = OP_MBARRIER_TRY_WAIT, .sem = SEM_ACQUIRE, .scope = scopes[i]},
                    loop(gap, object, scope_name(scopes[i]), parity));
        vec_push(gap->arena, &gap->places->items, place);
    }
}

/* What is initialised as an mbarrier, each once: by name, or by a register of the body's own. */
static void mbarrier_waits(const struct wait_gap *gap)
{
    const struct test *test = gap->test;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            const struct operand *memory = inst_operand(inst, OPERAND_MEMORY);
            if (inst->op != OP_MBARRIER_INIT || !memory)
                continue;
            bool own = &test->bodies[b] == gap->body && i < gap->at;
            bool known = memory->reg == NONE ? is_near(gap, memory->location) : own;
            struct span at = memory->span;
            if (known && at.length > 2)
                add_waits(gap, arena_strndup(gap->arena, test->source->text + at.offset + 1,
                                             at.length - 2));
        }
}

/* Behind a wait stands what is to come later: an access. */
static bool is_access(const struct inst *inst)
{
    return op_row(inst->op)->role & (ROLE_READS | ROLE_WRITES) &&
           op_group(inst->op) != GROUP_MBARRIER;
}

struct edit_places wait_gap_places(struct arena *arena, const struct test *test,
                                   const struct need *need, const struct body *body, uint32_t at,
                                   enum edit_kind side)
{
    struct edit_places places = {0};
    struct wait_gap gap = {arena, test, need, body, at, side, &places};
    cluster_barrier(&gap);
    if (side == EDIT_BEFORE && is_access(&body->insts[at]))
        mbarrier_waits(&gap);
    return places;
}
