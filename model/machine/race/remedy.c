/* SPDX-License-Identifier: MIT */
#include "model/machine/race/private.h"

/* What would order two accesses that race, as the end of the report. How the run went shows which side
 * lacks something: what a strong read met and no acquire took over, or what nothing released. */

/* A race being looked at: 'self' by 'lane' came after 'other' by lane 'p' of its warp. */
struct racing {
    struct race_detector *race;
    struct run *run;
    uint32_t lane, p;
    const struct stamp *self, *other;
    struct scope_place here, there;
};

static const char *fence_word(const struct racing *r)
{
    static const struct {
        uint32_t scope;
        const char *cuda, *ptx;
    } rows[] = {
        {SCOPE_CTA, "__threadfence_block()", "fence.acq_rel.cta"},
        {SCOPE_GPU, "__threadfence()", "fence.acq_rel.gpu"},
        {SCOPE_SYS, "__threadfence_system()", "fence.acq_rel.sys"},
    };
    uint32_t i = 0;
    while (i + 1 < G_N_ELEMENTS(rows) &&
           !scope_inclusive(&r->here, rows[i].scope, &r->there, rows[i].scope))
        i++;
    return r->race->machine->lanes[r->lane].column == NONE ? rows[i].cuda : rows[i].ptx;
}

/* By number of the instruction, in the program of the lane that looks. */
static const char *name_of(const struct racing *r, uint32_t inst)
{
    const struct program *program = machine_program(r->race->machine, r->lane);
    return run_micro_name(r->run, &program->micros[program->inst_micro[inst]]);
}

static bool covers(const struct racing *r, const struct head *head)
{
    uint64_t thread = (uint64_t)r->other->warp * 32 + r->p;
    uint32_t cta = race_place_of_warp(r->race, r->other->warp).unit[SCOPE_CTA];
    return clock_time(head->clock, CLOCK_THREAD(thread)) >= r->other->time ||
           clock_time(head->clock, CLOCK_WARP(r->other->warp)) >= r->other->time ||
           clock_time(head->clock, CLOCK_CTA(cta)) >= r->other->time;
}

/* A release that a strong read of the lane's CTA met and that would order the accesses, or NULL. */
static const struct head *met_release(const struct racing *r)
{
    const struct machine *machine = r->race->machine;
    uint32_t cta = machine->lanes[r->lane].cta;
    for (uint32_t i = 0; i < machine->lane_count; i++) {
        const struct heads *pending = &r->race->now->threads[i].pending;
        for (uint32_t k = 0; machine->lanes[i].cta == cta && k < pending->count; k++)
            if (covers(r, &pending->at[k]))
                return &pending->at[k];
    }
    return NULL;
}

/* The strong write or atomic that comes next in the code of whoever made the earlier access, unless a
 * fence is in between; or NULL. */
static const struct micro *unreleased_write(const struct racing *r)
{
    uint32_t lane = race_lane_of(r->race, r->other, r->p);
    const struct program *program =
        machine_program(r->race->machine, lane != NONE ? lane : r->lane);
    uint32_t from = program->inst_micro[stamp_pc(r->other)] + 1;
    for (uint32_t i = from; i < program->micro_count; i++) {
        const struct micro *micro = &program->micros[i];
        bool writes = micro_is_access(micro) && micro->kind != MICRO_LOAD;
        if (micro->kind == MICRO_FENCE || micro->kind == MICRO_RETURN)
            return NULL;
        if (writes && race_strength(micro) != SCOPE_NONE)
            return micro->inst->sem == SEM_RELEASE || micro->inst->sem == SEM_ACQ_REL ? NULL
                                                                                      : micro;
    }
    return NULL;
}

/* One of the accesses is strong: the other one should be, too. */
static const char *strengthen(const struct racing *r, struct arena *arena)
{
    bool weak_self = stamp_scope(r->self) == SCOPE_NONE,
         weak_other = stamp_scope(r->other) == SCOPE_NONE;
    if (!weak_self && !weak_other)
        return "; the scope of one of them does not hold the thread of the other";
    return arena_printf(arena, "; %s is weak: an atomic access in its place would not race",
                        name_of(r, stamp_pc(weak_self ? r->self : r->other)));
}

static const char *order(const struct racing *r, struct arena *arena)
{
    const struct head *met = met_release(r);
    const struct micro *bare = met ? NULL : unreleased_write(r);
    if (met && !scope_holds(met->scope, &met->place, &r->here))
        return arena_printf(arena,
                            "; the other thread released it at a scope that does not hold this "
                            "one: %s there would order them",
                            fence_word(r));
    if (met)
        return arena_printf(arena, "; %s behind %s would order them", fence_word(r),
                            name_of(r, met->at));
    if (bare)
        return arena_printf(arena, "; %s before %s would release it", fence_word(r),
                            run_micro_name(r->run, bare));
    return scope_inclusive(&r->here, SCOPE_CTA, &r->there, SCOPE_CTA)
               ? "; __syncthreads() between them would order them"
               : "";
}

const char *race_remedy(struct race_detector *race, struct run *run, struct arena *arena,
                        uint32_t lane, const struct stamp *self, const struct stamp *other,
                        uint32_t p)
{
    const struct racing r = {.race = race,
                             .run = run,
                             .lane = lane,
                             .p = p,
                             .self = self,
                             .other = other,
                             .here = race_place_of_warp(race, self->warp),
                             .there = race_place_of_warp(race, other->warp)};
    if (stamp_bytes(self) != stamp_bytes(other))
        return "";
    if (stamp_scope(self) != SCOPE_NONE || stamp_scope(other) != SCOPE_NONE)
        return strengthen(&r, arena);
    return self->warp == other->warp ? "; __syncwarp between them would order them"
                                     : order(&r, arena);
}
