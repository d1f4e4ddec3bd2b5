/* SPDX-License-Identifier: MIT */
#include "litmus/edit/place.h"

#include <assert.h>
#include <string.h>

#include "litmus/edit/gap.h"
#include "litmus/edit/host_gap.h"
#include "litmus/edit/need.h"
#include "litmus/edit/option.h"
#include "litmus/edit/strength.h"

/* ---- which is at least as strong ------------------------------------------------------------ */

/* Of barriers and calls: what waits for everything includes what waits for less. */
static bool waits_for_all(const struct edit_option *more, const struct edit_option *less)
{
    const char *words = more->edit.words;
    bool whole = strcmp(words, "bar.sync 0") == 0 || strcmp(words, "__syncthreads()") == 0;
    return strcmp(words, less->edit.words) == 0 || strcmp(words, "cudaDeviceSynchronize()") == 0 ||
           (whole && less->inst.op == OP_BAR_WARP_SYNC);
}

static bool includes(const struct edit_option *more, const struct edit_option *less)
{
    if (more->inst.op == OP_COUNT)
        return false;
    bool orders = op_row(more->inst.op)->sems;
    return orders ? strength_inst(&more->inst, &less->inst) : waits_for_all(more, less);
}

/* Every option includes the first. */
static void compare_options(struct arena *arena, struct edit_place *place)
{
    uint32_t count = place->wide;
    assert(count <= EDIT_MOST_OPTIONS);
    place->least = ARENA_ARRAY(arena, uint64_t, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (i == k || !k || (i && includes(&place->options.at[i], &place->options.at[k])))
                place->least[i] |= UINT64_C(1) << k;
}

/* ---- instructions --------------------------------------------------------------------------- */

/* May its words be changed? Not of an access through another proxy, nor where the state space has no strong accesses. */
static bool is_adjustable(const struct inst *inst)
{
    bool constant =
        inst->space == SPACE_CONST || inst->space == SPACE_PARAM || inst->space == SPACE_LOCAL;
    if (inst->op == OP_FENCE)
        return true;
    return op_row(inst->op)->sems && inst->op != OP_MBARRIER_EXPECT_TX &&
           inst->op != OP_MBARRIER_COMPLETE_TX && inst->proxy == PROXY_GENERIC && !constant &&
           !(inst->flags & (FLAG_NC | FLAG_MMIO));
}

static const enum sem sems[] = {SEM_WEAK,    SEM_RELAXED, SEM_ACQUIRE,
                                SEM_RELEASE, SEM_ACQ_REL, SEM_SC};
enum { SEMS = sizeof sems / sizeof *sems };

static bool has_scope(const struct inst *inst)
{
    return inst->sem != SEM_WEAK && op_accepts(inst->op, 'C');
}

/* red has no acquire half that means anything (8.11.1). */
static bool has_sem(const struct inst *inst, enum sem sem)
{
    bool half = inst->op == OP_RED && (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL);
    return op_row(inst->op)->sems >> sem & 1 && !half;
}

static void add_changed(struct arena *arena, const struct test *test, struct edit_place *place,
                        struct inst to)
{
    struct edit_option option = {.inst = to, .edits = true};
    to.flags &= ~(uint32_t)FLAG_VOLATILE;
    option.inst.flags = to.flags;
    option.edit = (struct edit){.kind = EDIT_CHANGE,
                                .body = place->body,
                                .inst = place->inst,
                                .words = strength_words(arena, test, place->inst, &to)};
    option_add(arena, place, option);
}

static bool is_one_way(const struct inst *inst)
{
    return inst->op == OP_FENCE &&
           (inst->fence_kind == FENCE_PROXY_RELEASE || inst->fence_kind == FENCE_PROXY_ACQUIRE);
}

/* May its order or its scope be another? Of the fences of one way those of tensor maps have every scope, others one alone. */
static bool has_forms(const struct inst *inst)
{
    return inst->op != OP_FENCE || inst->fence_kind == FENCE_MEMORY ||
           (is_one_way(inst) && inst->proxy == PROXY_TENSORMAP);
}

/* Its forms that are stronger, or weaker, than what stands there. */
static void add_forms(struct arena *arena, const struct test *test, struct edit_place *place,
                      uint32_t scopes, bool stronger)
{
    const struct inst *from = place->inst;
    for (int s = 0; s < SEMS; s++) {
        struct inst to = *from;
        to.sem = sems[s];
        if (!has_sem(from, sems[s]) || (is_one_way(from) && to.sem != from->sem))
            continue;
        for (uint32_t scope = SCOPE_NONE; scope < SCOPE_COUNT; scope++) {
            to.scope = (enum scope)scope;
            bool same = to.sem == from->sem && to.scope == from->scope;
            bool scoped = has_scope(&to);
            bool fits = scoped ? scope && (scopes >> scope & 1 || to.scope == from->scope)
                        : to.sem == SEM_WEAK ? !scope
                                             : to.scope == from->scope;
            if (!fits || same)
                continue;
            if (stronger ? strength_inst(&to, from) : strength_inst(from, &to))
                add_changed(arena, test, place, to);
        }
    }
}

/* A fence that covers less becomes one that covers everything. */
static void add_wide_fences(struct arena *arena, const struct test *test, struct edit_place *place)
{
    struct inst to = *place->inst;
    bool restricted = to.fence_kind == FENCE_RESTRICT_RELEASE ||
                      to.fence_kind == FENCE_RESTRICT_ACQUIRE ||
                      to.fence_kind == FENCE_MBARRIER_INIT;
    bool spaced = to.space != SPACE_GENERIC;
    if (!restricted && !spaced)
        return;
    to.space = SPACE_GENERIC;
    if (restricted)
        to.fence_kind = FENCE_MEMORY;
    add_changed(arena, test, place, to);
}

void edit_places_add(struct arena *arena, struct edit_places *places, struct edit_place place)
{
    if (!place.wide)
        place.wide = place.options.len;
    if (place.wide < 2)
        return;
    compare_options(arena, &place);
    vec_push(arena, &places->items, place);
}

/* Stronger orders in scopes that the instruction's own includes: more than enough where all threads are near. */
static void add_narrower(struct arena *arena, const struct test *test, struct edit_place *place,
                         uint32_t scopes)
{
    const struct inst *from = place->inst;
    place->wide = place->options.len;
    for (int s = 0; s < SEMS; s++)
        for (uint32_t scope = 1; scope < (uint32_t)from->scope; scope++) {
            struct inst to = *from;
            to.sem = sems[s];
            to.scope = (enum scope)scope;
            if (scopes >> scope & 1 && has_scope(&to) && has_sem(from, to.sem) &&
                to.sem != from->sem && strength_sem(to.sem, from->sem))
                add_changed(arena, test, place, to);
        }
}

static void add_stronger(struct arena *arena, const struct test *test, const struct need *need,
                         const struct body *body, const struct inst *inst,
                         struct edit_places *places)
{
    struct edit_place place = {.body = body, .inst = inst};
    if (!is_adjustable(inst))
        return;
    option_add(arena, &place, (struct edit_option){.inst = *inst});
    if (inst->op == OP_FENCE)
        add_wide_fences(arena, test, &place);
    if (has_forms(inst))
        add_forms(arena, test, &place, need->scopes, true);
    if (has_forms(inst) && !is_one_way(inst))
        add_narrower(arena, test, &place, need->scopes);
    edit_places_add(arena, places, place);
}

static void add_calls(struct arena *arena, const struct test *test, const struct body *body,
                      struct edit_places *places)
{
    for (uint32_t i = 0; i < body->inst_count; i++) {
        struct edit_places gaps = host_gap_places(arena, test, body, i);
        for (uint32_t k = 0; k < gaps.items.len; k++)
            edit_places_add(arena, places, gaps.items.at[k]);
    }
}

struct edit_places edit_places_host(struct arena *arena, const struct test *test)
{
    struct edit_places places = {0};
    for (uint32_t b = 0; b < test->body_count; b++)
        if (host_gap_is(test, b))
            add_calls(arena, test, &test->bodies[b], &places);
    return places;
}

struct edit_places edit_places_kernels(struct arena *arena, const struct test *test)
{
    struct edit_places places = {0};
    struct need need = need_of(arena, test);
    for (uint32_t b = 0; b < test->body_count; b++) {
        const struct body *body = &test->bodies[b];
        for (uint32_t i = 0; !host_gap_is(test, b) && i < body->inst_count; i++) {
            add_stronger(arena, test, &need, body, &body->insts[i], &places);
            struct edit_places gaps = gap_places(arena, test, &need, body, i);
            for (uint32_t k = 0; k < gaps.items.len; k++)
                edit_places_add(arena, &places, gaps.items.at[k]);
        }
    }
    return places;
}

struct edit_places edit_places_stronger(struct arena *arena, const struct test *test)
{
    struct edit_places places = edit_places_kernels(arena, test);
    struct edit_places calls = edit_places_host(arena, test);
    for (uint32_t i = 0; i < calls.items.len; i++)
        vec_push(arena, &places.items, calls.items.at[i]);
    return places;
}

/* ---- weaker --------------------------------------------------------------------------------- */

/* Is it there for the order alone, so that the test makes sense without it? */
static bool is_removable(const struct inst *inst)
{
    return inst->op == OP_FENCE || inst->op == OP_BAR_SYNC || inst->op == OP_BAR_WARP_SYNC;
}

static struct edit_option removed(const struct body *body, const struct inst *inst)
{
    struct edit_option none = {.inst.op = OP_COUNT, .edits = true};
    none.edit = (struct edit){.kind = EDIT_REMOVE, .body = body, .inst = inst, .words = ""};
    return none;
}

/* Is it there to wait, so that what waits too long may go on without it? */
static bool only_waits(const struct test *test, const struct body *body, const struct inst *inst)
{
    return op_group(inst->op) == GROUP_CTA_BARRIER || inst->op == OP_BAR_WARP_SYNC ||
           host_gap_can_leave_out(test, body, inst);
}

struct edit_places edit_places_fewer(struct arena *arena, const struct test *test)
{
    struct edit_places places = {0};
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            struct edit_place place = {.body = &test->bodies[b], .inst = inst, .shy = true};
            if (!only_waits(test, place.body, inst))
                continue;
            option_add(arena, &place, (struct edit_option){.inst = *inst});
            option_add(arena, &place, removed(place.body, inst));
            edit_places_add(arena, &places, place);
        }
    return places;
}

static const enum scope scopes_narrower[] = {SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS};

/* A fence of the async proxy that covers everything becomes one of a single state space. */
static void add_spaces(struct arena *arena, const struct test *test, struct edit_place *place)
{
    static const enum space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_SHARED_CLUSTER};
    struct inst to = *place->inst;
    bool whole = to.op == OP_FENCE && to.fence_kind == FENCE_PROXY && to.proxy == PROXY_ASYNC &&
                 to.space == SPACE_GENERIC;
    for (size_t i = 0; whole && i < sizeof spaces / sizeof *spaces; i++) {
        to.space = spaces[i];
        add_changed(arena, test, place, to);
    }
}

static void add_weaker(struct arena *arena, const struct test *test, const struct body *body,
                       const struct inst *inst, struct edit_places *places)
{
    struct edit_place place = {.body = body, .inst = inst};
    uint32_t scopes = 0;
    for (size_t i = 0; i < sizeof scopes_narrower / sizeof *scopes_narrower; i++)
        scopes |= 1u << scopes_narrower[i];
    if (is_removable(inst))
        option_add(arena, &place, removed(body, inst));
    if (is_adjustable(inst) && has_forms(inst))
        add_forms(arena, test, &place, scopes, false);
    add_spaces(arena, test, &place);
    option_add(arena, &place, (struct edit_option){.inst = *inst});
    edit_places_add(arena, places, place);
}

struct edit_places edit_places_weaker(struct arena *arena, const struct test *test)
{
    struct edit_places places = {0};
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; !host_gap_is(test, b) && i < test->bodies[b].inst_count; i++)
            add_weaker(arena, test, &test->bodies[b], &test->bodies[b].insts[i], &places);
    return places;
}
