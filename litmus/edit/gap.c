/* SPDX-License-Identifier: MIT */
#include "litmus/edit/gap.h"

#include <string.h>

#include "litmus/edit/option.h"
#include "litmus/edit/strength.h"
#include "litmus/edit/wait_gap.h"

/* The order of several new instructions at one place: a proxy fence may have to stand on either side of what
 * synchronizes. */
enum { RANK_PROXY_FIRST, RANK_BARRIER = 8, RANK_FENCE = 16, RANK_PROXY_LAST = 24 };

/* ---- where ---------------------------------------------------------------------------------- */

static bool is_ordered(const struct inst *inst)
{
    enum op_group group = op_group(inst->op);
    return op_row(inst->op)->role || group == GROUP_FENCE || group == GROUP_MBARRIER ||
           group == GROUP_COPY || group == GROUP_GRID;
}

static bool is_flow(const struct inst *inst)
{
    return op_group(inst->op) == GROUP_CONTROL;
}

static bool has_label(const struct body *body, uint32_t target)
{
    for (uint32_t i = 0; i < body->label_count; i++)
        if (body->labels[i].target == target)
            return true;
    return false;
}

/* Is there something to order in [from, to)? */
static bool some_ordered(const struct body *body, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (is_ordered(&body->insts[i]))
            return true;
    return false;
}

/* The first label on the way to an instruction before which nothing is ordered: what goes round a loop from there on is
 * to wait for others once, above it. NULL where there is none, or where a cell has both, whose row all that is new
 * stands above. */
static const struct label *label_above(const struct test *test, const struct body *body,
                                       uint32_t at)
{
    const struct label *label = body->label_count ? &body->labels[0] : NULL;
    if (!label || label->target > at)
        return NULL;
    uint32_t line = source_place(test->source, label->span.offset).line;
    uint32_t below = source_place(test->source, body->insts[at].span.offset).line;
    return body->dialect && line == below ? NULL : label;
}

/* Does control flow stand between the instruction and the next that is ordered? Then the gap behind the one is not
 * the gap before the other. */
static bool flow_follows(const struct body *body, uint32_t at)
{
    for (uint32_t i = at + 1; i < body->inst_count; i++) {
        if (is_flow(&body->insts[i]) || has_label(body, i))
            return true;
        if (is_ordered(&body->insts[i]))
            return false;
    }
    return false;
}

/* ---- what ----------------------------------------------------------------------------------- */

/* What the gaps of an instruction have in common. */
struct edit_gap {
    struct arena *arena;
    const struct test *test;
    const struct need *need;
    const struct body *body;
    const struct inst *inst;
    enum edit_kind side;
    struct edit_places *places;
    const struct label *label; /* before it, not before the instruction; or NULL */
};

static struct edit_place open_place(const struct edit_gap *gap)
{
    struct edit_place place = {.body = gap->body, .inst = gap->inst, .gap = true};
    option_add(gap->arena, &place, (struct edit_option){.inst.op = OP_COUNT});
    return place;
}

static void close_place(const struct edit_gap *gap, struct edit_place place)
{
    vec_push(gap->arena, &gap->places->items, place);
}

static void add(const struct edit_gap *gap, struct edit_place *place, struct inst inst,
                const char *words, uint32_t rank)
{
    struct edit_option option = {.inst = inst, .edits = true};
    option.edit = (struct edit){gap->side, gap->body, gap->inst, words, rank, gap->label, NULL};
    option_add(gap->arena, place, option);
}

static void add_fence(const struct edit_gap *gap, struct edit_place *place, struct inst fence,
                      uint32_t rank)
{
    fence.op = OP_FENCE;
    add(gap, place, fence, strength_fence(gap->arena, &fence), rank);
}

/* Fences of one kind only, for shared memory of a cluster (PTX 8.6). */
static void add_restricted(const struct edit_gap *gap, struct edit_place *place)
{
    static const struct inst fences[] = {
        {.fence_kind = FENCE_MBARRIER_INIT, .sem = SEM_RELEASE, .scope = SCOPE_CLUSTER},
        {.fence_kind = FENCE_RESTRICT_RELEASE,
         .sem = SEM_RELEASE,
         .scope = SCOPE_CLUSTER,
         .space = SPACE_SHARED},
        {.fence_kind = FENCE_RESTRICT_ACQUIRE,
         .sem = SEM_ACQUIRE,
         .scope = SCOPE_CLUSTER,
         .space = SPACE_SHARED_CLUSTER},
    };
    for (size_t i = 0; i < sizeof fences / sizeof *fences; i++)
        add_fence(gap, place, fences[i], RANK_FENCE);
}

/* Is there shared memory that another CTA of the cluster may use? */
static bool reaches_cluster(const struct edit_gap *gap)
{
    return gap->need->shared && gap->need->scopes >> SCOPE_CLUSTER & 1;
}

static void memory_fences(const struct edit_gap *gap)
{
    static const enum sem sems[] = {SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC};
    struct edit_place place = open_place(gap);
    if (reaches_cluster(gap))
        add_restricted(gap, &place);
    for (size_t s = 0; s < sizeof sems / sizeof *sems; s++)
        for (uint32_t scope = 1; scope < SCOPE_COUNT; scope++)
            if (gap->need->scopes >> scope & 1)
                add_fence(gap, &place, (struct inst){.sem = sems[s], .scope = (enum scope)scope},
                          RANK_FENCE);
    close_place(gap, place);
}

/* The location that an acquire of the tensormap proxy names: the first that is read through it. */
static const char *tensormap(const struct edit_gap *gap)
{
    for (uint32_t b = 0; b < gap->test->body_count; b++)
        for (uint32_t i = 0; i < gap->test->bodies[b].inst_count; i++) {
            const struct inst *inst = &gap->test->bodies[b].insts[i];
            const struct operand *memory = inst_operand(inst, OPERAND_MEMORY);
            if (inst->op != OP_FENCE && inst->proxy == PROXY_TENSORMAP && memory &&
                memory->reg == NONE)
                return gap->test->locations[memory->location].name;
        }
    return NULL;
}

static void add_one_way(const struct edit_gap *gap, struct edit_place *place, struct inst fence,
                        uint32_t rank)
{
    bool named = fence.sem == SEM_ACQUIRE && fence.proxy == PROXY_TENSORMAP;
    const char *map = named ? tensormap(gap) : NULL;
    const char *words = strength_fence(gap->arena, &fence);
    if (named && !map)
        return;
    fence.op = OP_FENCE;
    add(gap, place, fence, named ? arena_printf(gap->arena, "%s [%s], 128", words, map) : words,
        rank);
}

/* Of aliases PTX has the largest scope only. A thread alone may still have to lead from one proxy to the other and back. */
static uint32_t one_way_scopes(const struct edit_gap *gap, enum proxy proxy)
{
    return proxy == PROXY_ALIAS ? 1u << SCOPE_SYS
           : gap->need->scopes  ? gap->need->scopes
                                : 1u << SCOPE_CTA;
}

/* One half of the pairs that lead from the generic proxy to the other and back between threads: of the async proxy only
 * for shared memory of a cluster (PTX 9.7.13.4). */
static void one_way_fences(const struct edit_gap *gap, enum proxy proxy, enum sem sem,
                           uint32_t rank)
{
    bool acquires = sem == SEM_ACQUIRE;
    struct inst fence = {.fence_kind = acquires ? FENCE_PROXY_ACQUIRE : FENCE_PROXY_RELEASE,
                         .sem = sem,
                         .proxy = proxy};
    struct edit_place place = open_place(gap);
    uint32_t scopes = one_way_scopes(gap, proxy);
    for (uint32_t scope = 1; scope < SCOPE_COUNT; scope++) {
        fence.scope = (enum scope)scope;
        if (proxy == PROXY_ASYNC && fence.scope == SCOPE_CLUSTER && reaches_cluster(gap)) {
            fence.space = acquires ? SPACE_SHARED_CLUSTER : SPACE_SHARED;
            add_one_way(gap, &place, fence, rank);
        } else if (proxy != PROXY_ASYNC && scopes >> scope & 1) {
            add_one_way(gap, &place, fence, rank);
        }
    }
    close_place(gap, place);
}

/* The kinds stand in places of their own, as none does what another does. */
static void proxy_fences(const struct edit_gap *gap, enum proxy proxy, uint32_t rank)
{
    static const enum space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_SHARED_CLUSTER};
    const struct proxy_row *row = proxy_row(proxy);
    struct edit_place place = open_place(gap);
    for (size_t i = 0; proxy == PROXY_ASYNC && i < sizeof spaces / sizeof *spaces; i++)
        add_fence(gap, &place,
                  (struct inst){.fence_kind = FENCE_PROXY, .proxy = proxy, .space = spaces[i]},
                  rank);
    if (row->two_way)
        add_fence(gap, &place, (struct inst){.fence_kind = FENCE_PROXY, .proxy = proxy}, rank);
    close_place(gap, place);
    if (row->one_way) {
        one_way_fences(gap, proxy, SEM_RELEASE, rank);
        one_way_fences(gap, proxy, SEM_ACQUIRE, rank);
    }
}

static bool has_words(const struct edit_place *place, const char *words)
{
    for (uint32_t i = 1; i < place->options.len; i++)
        if (strcmp(place->options.at[i].edit.words, words) == 0)
            return true;
    return false;
}

static void add_known(const struct edit_gap *gap, struct edit_place *place, enum op op,
                      const char *words)
{
    if (!has_words(place, words))
        add(gap, place, (struct inst){.op = op}, words, RANK_BARRIER);
}

/* The barriers of a CTA that the test has somewhere: with their numbers and counts they can be met here, too, and where
 * something only arrives, something may wait. */
static void known_barriers(const struct edit_gap *gap, struct edit_place *place)
{
    for (uint32_t b = 0; b < gap->test->body_count; b++)
        for (uint32_t i = 0; i < gap->test->bodies[b].inst_count; i++) {
            const struct inst *inst = &gap->test->bodies[b].insts[i];
            struct span words = strength_words_span(gap->test, inst);
            const char *text =
                arena_strndup(gap->arena, gap->test->source->text + words.offset, words.length);
            const char *numbers = text + strcspn(text, " \t");
            if ((inst->op != OP_BAR_SYNC && inst->op != OP_BAR_ARRIVE) ||
                inst_operand(inst, OPERAND_REG))
                continue;
            if (inst->op == OP_BAR_ARRIVE)
                add_known(gap, place, OP_BAR_SYNC, arena_printf(gap->arena, "bar.sync%s", numbers));
            add_known(gap, place, inst->op, text);
        }
}

static void barriers(const struct edit_gap *gap)
{
    struct edit_place place = open_place(gap);
    bool column = gap->body->dialect;
    uint32_t lanes = need_lanes(gap->test, gap->body);
    bool warp = column ? lanes != 0 : gap->need->warp;
    if (warp)
        add(gap, &place, (struct inst){.op = OP_BAR_WARP_SYNC},
            arena_printf(gap->arena, "bar.warp.sync 0x%x", column ? lanes : UINT32_MAX),
            RANK_BARRIER);
    if (need_meets(gap->test, gap->body, SCOPE_CTA))
        add(gap, &place, (struct inst){.op = OP_BAR_SYNC}, "bar.sync 0", RANK_BARRIER);
    if (place.options.at[place.options.len - 1].inst.op == OP_BAR_SYNC)
        known_barriers(gap, &place);
    place.shy = true;
    close_place(gap, place);
    struct edit_places waits = wait_gap_places(gap->arena, gap->test, gap->need, gap->body,
                                               (uint32_t)(gap->inst - gap->body->insts), gap->side);
    for (uint32_t i = 0; i < waits.items.len; i++) {
        for (uint32_t k = 0; k < waits.items.at[i].options.len; k++)
            waits.items.at[i].options.at[k].edit.label = gap->label;
        close_place(gap, waits.items.at[i]);
    }
}

static void fill(const struct edit_gap *gap)
{
    memory_fences(gap);
    barriers(gap);
    for (uint32_t proxy = 0; proxy < PROXY_COUNT; proxy++)
        if (gap->need->proxies >> proxy & 1) {
            proxy_fences(gap, (enum proxy)proxy, RANK_PROXY_FIRST + proxy);
            proxy_fences(gap, (enum proxy)proxy, RANK_PROXY_LAST + proxy);
        }
}

struct edit_places gap_places(struct arena *arena, const struct test *test, const struct need *need,
                              const struct body *body, uint32_t at)
{
    struct edit_places places = {0};
    struct edit_gap gap = {arena, test, need, body, &body->insts[at], EDIT_BEFORE, &places, NULL};
    if (!is_ordered(gap.inst))
        return places;
    bool ends_order = test->host; /* what is before and after the kernel */
    if (ends_order || some_ordered(body, 0, at))
        fill(&gap);
    else {
        barriers(&gap);
        gap.label = label_above(test, body, at);
        if (gap.label)
            barriers(&gap);
        gap.label = NULL;
    }
    gap.side = EDIT_AFTER;
    bool last = !some_ordered(body, at + 1, body->inst_count);
    if (last && !ends_order)
        barriers(&gap);
    else if (last || flow_follows(body, at))
        fill(&gap);
    return places;
}

struct edit_places gap_beside(struct arena *arena, const struct test *test, const struct need *need,
                              const struct body *body, uint32_t inst, enum edit_kind side)
{
    struct edit_places places = {0};
    struct edit_gap gap = {arena, test, need, body, &body->insts[inst], side, &places, NULL};
    fill(&gap);
    return places;
}
