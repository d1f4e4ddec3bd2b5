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
    bool ordered;
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

/* The lane that made the earlier access, or one that runs the same code. */
static uint32_t other_lane(const struct racing *r)
{
    uint32_t lane = race_lane_of(r->race, r->other, r->p);
    return lane != NONE ? lane : r->lane;
}

static const struct micro *micro_of(const struct racing *r, uint32_t lane, uint32_t inst)
{
    const struct program *program = machine_program(r->race->machine, lane);
    return &program->micros[program->inst_micro[inst]];
}

static const struct micro *self_micro(const struct racing *r)
{
    return micro_of(r, r->lane, stamp_pc(r->self));
}

static const struct micro *other_micro(const struct racing *r)
{
    return micro_of(r, other_lane(r), stamp_pc(r->other));
}

static bool covers(const struct racing *r, const struct head *head)
{
    return race_knows(r->race, head->clock, r->other, r->p);
}

/* A release that would order the accesses and that a strong read of the lane's CTA met, by lane *by; or
 * NULL. */
static const struct head *met_release(const struct racing *r, uint32_t *by)
{
    const struct machine *machine = r->race->machine;
    uint32_t cta = machine->lanes[r->lane].cta;
    for (uint32_t i = 0; i < machine->lane_count; i++) {
        const struct heads *pending = &r->race->now->threads[i].pending;
        for (uint32_t k = 0; machine->lanes[i].cta == cta && k < pending->count; k++)
            if (covers(r, &pending->at[k])) {
                *by = i;
                return &pending->at[k];
            }
    }
    return NULL;
}

/* Does whoever made the later access read something strongly before it? */
static bool reads_flag(const struct racing *r)
{
    const struct program *program = machine_program(r->race->machine, r->lane);
    const struct micro *self = self_micro(r);
    for (const struct micro *micro = program->micros; micro < self; micro++)
        if ((micro->kind == MICRO_LOAD || micro->kind == MICRO_ATOM) &&
            race_strength(micro) != SCOPE_NONE)
            return true;
    return false;
}

static bool is_strong_write(const struct micro *micro)
{
    return micro_is_access(micro) && micro->kind != MICRO_LOAD &&
           race_strength(micro) != SCOPE_NONE;
}

/* A strong write or atomic that whoever made the earlier access may do next, on a path without a fence or
 * barrier; NULL: there is none, or it releases. */
static const struct micro *unreleased_write(const struct racing *r)
{
    const struct program *program = machine_program(r->race->machine, other_lane(r));
    struct arena *scratch = arena_new();
    bool *seen = ARENA_ARRAY(scratch, bool, program->micro_count + 1);
    VEC(uint32_t) next = {0};
    const struct micro *found = NULL;
    vec_push(scratch, &next, program->inst_micro[stamp_pc(r->other)] + 1);
    while (next.len && !found) {
        uint32_t at = next.at[--next.len], two[2];
        const struct micro *micro = &program->micros[at];
        const uint32_t *list;
        if (at >= program->micro_count || seen[at] || micro->kind == MICRO_FENCE ||
            micro->kind == MICRO_BARRIER)
            continue;
        seen[at] = true;
        if (is_strong_write(micro))
            found = micro;
        for (uint32_t k = program_successors(program, at, &list, two); k-- > 0;)
            vec_push(scratch, &next, list[k]);
    }
    arena_free(scratch);
    bool releases = found && (found->inst->sem == SEM_RELEASE || found->inst->sem == SEM_ACQ_REL);
    return releases ? NULL : found;
}

/* Is the one a load and the other a store of what it was loaded from, with nothing but computation in
 * between, so that each thread updates the value: s[i]++? */
static bool updates(const struct racing *r)
{
    const struct micro *a = self_micro(r), *b = other_micro(r);
    const struct micro *load = a < b ? a : b, *store = a < b ? b : a;
    if (load->kind != MICRO_LOAD || store->kind != MICRO_STORE || load->base != store->base ||
        load->offset != store->offset)
        return false;
    for (const struct micro *micro = load + 1; micro < store; micro++)
        if (micro->kind != MICRO_ALU && micro->kind != MICRO_LOAD)
            return false;
    return true;
}

static bool reads_strongly(const struct micro *micro)
{
    return micro->kind == MICRO_LOAD && race_strength(micro) != SCOPE_NONE;
}

/* Is the weak access a read that lies between two strong ones of one location, which validate it, as in a
 * seqlock? */
static bool is_validated(const struct program *program, const struct micro *access)
{
    const struct micro *end = program->micros + program->micro_count, *behind = access;
    if (access->kind != MICRO_LOAD)
        return false;
    while (behind < end && !reads_strongly(behind) && behind->kind != MICRO_STORE &&
           !micro_is_atomic(behind))
        behind++;
    if (behind == end || !reads_strongly(behind))
        return false;
    for (const struct micro *before = program->micros; before < access; before++)
        if (reads_strongly(before) && before->base == behind->base &&
            before->offset == behind->offset)
            return true;
    return false;
}

static bool validates(const struct racing *r)
{
    const struct machine *machine = r->race->machine;
    return is_validated(machine_program(machine, r->lane), self_micro(r)) ||
           is_validated(machine_program(machine, other_lane(r)), other_micro(r));
}

/* What lets all threads that reach both accesses wait for each other, or NULL. */
static const char *meeting(const struct racing *r)
{
    return r->self->warp == r->other->warp                              ? "__syncwarp()"
           : scope_inclusive(&r->here, SCOPE_CTA, &r->there, SCOPE_CTA) ? "__syncthreads()"
           : scope_inclusive(&r->here, SCOPE_CLUSTER, &r->there, SCOPE_CLUSTER)
               ? "a barrier of the cluster"
               : NULL;
}

static const char APART[] =
    "; nothing orders them: one thread has to release what it did, and the other to acquire that";

/* Of a copy that its thread waits for: what says that the pending access is over. */
static const char *wait_of(const struct racing *r)
{
    if (!(r->other->how & STAMP_ASYNC))
        return "cp.async.wait_group";
    return stamp_writes(r->other) ? "cp.async.bulk.wait_group without .read"
                                  : "cp.async.bulk.wait_group.read";
}

/* The earlier access is of a copy that is on its way. */
static const char *await(const struct racing *r, struct arena *arena)
{
    const struct micro *copy = other_micro(r);
    bool tells = copy->kind == MICRO_ASYNC_STORE || copy->kind == MICRO_CANCEL ||
                 (r->other->how & STAMP_ASYNC && copy->inst->space != SPACE_GLOBAL);
    bool own = r->other->warp == r->self->warp && r->self->lanes == 1u << r->p;
    const char *barrier = meeting(r), *what = wait_of(r);
    const char *them =
        tells || own
            ? arena_printf(arena, "%s would order them", tells ? "a wait for its mbarrier" : what)
        : barrier
            ? arena_printf(arena,
                           "%s by its thread and then %s, or %s before the copy, would order them",
                           what, barrier, barrier)
            : arena_printf(arena, "%s by its thread, which then releases that, would order them",
                           what);
    return arena_printf(arena, "; nobody waited for the copy by %s: %s",
                        run_micro_name(r->run, copy), them);
}

/* The later access is of a copy that starts. */
static const char *start_later(const struct racing *r, struct arena *arena)
{
    const char *barrier = meeting(r);
    return barrier ? arena_printf(arena, "; %s before %s starts would order them", barrier,
                                  run_micro_name(r->run, self_micro(r)))
                   : APART;
}

/* Ordered, but for the proxies. */
static const char *fence_proxy(const struct racing *r, struct arena *arena)
{
    const struct micro *through = self_micro(r);
    if (r->self->how & STAMP_ASYNC)
        return arena_printf(
            arena,
            "; %s goes through the async proxy: fence.proxy.async by the thread that "
            "wrote, before it tells of that, would order them",
            run_micro_name(r->run, through));
    if (through->kind != MICRO_TEXTURE && through->kind != MICRO_SURFACE)
        through = other_micro(r);
    const char *proxy = proxy_name(through->inst->proxy);
    return arena_printf(arena,
                        "; %s goes through the %s proxy: fence.proxy.%s in its CTA, between them, "
                        "would order them",
                        run_micro_name(r->run, through), proxy, proxy);
}

static bool makes_object(const struct micro *micro)
{
    return micro->inst->op == OP_MBARRIER_INIT;
}

static const char *publish_object(const struct racing *r, struct arena *arena)
{
    bool same = scope_inclusive(&r->here, SCOPE_CTA, &r->there, SCOPE_CTA);
    const char *name =
        run_micro_name(r->run, makes_object(self_micro(r)) ? self_micro(r) : other_micro(r));
    return arena_printf(
        arena, "; %s has to be ordered before other threads use the object: %s would do it", name,
        same ? "__syncthreads()" : "fence.mbarrier_init and a barrier of the cluster");
}

/* One of the accesses is strong: the other one should be, too. */
static const char *strengthen(const struct racing *r, struct arena *arena)
{
    bool weak_self = stamp_scope(r->self) == SCOPE_NONE,
         weak_other = stamp_scope(r->other) == SCOPE_NONE;
    if (!weak_self && !weak_other)
        return "; the scope of one of them does not hold the thread of the other";
    const char *name = run_micro_name(r->run, weak_self ? self_micro(r) : other_micro(r));
    const char *barrier = meeting(r);
    return barrier ? arena_printf(arena,
                                  "; %s is weak: an atomic access in its place would not race, nor "
                                  "would the two with %s between them",
                                  name, barrier)
                   : arena_printf(
                         arena, "; %s is weak: an atomic access in its place would not race", name);
}

static const char UPDATE[] = "; several threads update the value: one atomic operation in place of "
                             "load and store would not race";

static const char *order(const struct racing *r, struct arena *arena)
{
    uint32_t by = r->lane;
    const struct head *met = met_release(r, &by);
    const struct micro *bare = met || !reads_flag(r) ? NULL : unreleased_write(r);
    if (validates(r))
        return "; a read that is checked afterwards, as in a seqlock, races all the same: relaxed "
               "atomic accesses to the data would not";
    if (met && !scope_holds(met->scope, &met->place, &r->here))
        return arena_printf(arena,
                            "; the release of the other thread has a scope that does not hold this "
                            "one: %s there would order them",
                            fence_word(r));
    if (met)
        return arena_printf(arena, "; %s behind %s would order them", fence_word(r),
                            run_micro_name(r->run, micro_of(r, by, met->at)));
    if (bare)
        return arena_printf(arena, "; %s before %s would release it", fence_word(r),
                            run_micro_name(r->run, bare));
    if (updates(r) && !reads_flag(r))
        return UPDATE;
    return meeting(r) ? arena_printf(arena, "; %s between them would order them", meeting(r))
                      : APART;
}

const char *race_remedy(struct race_detector *race, struct run *run, struct arena *arena,
                        uint32_t lane, const struct stamp *self, const struct stamp *other,
                        uint32_t p, bool ordered)
{
    const struct racing r = {.race = race,
                             .run = run,
                             .lane = lane,
                             .p = p,
                             .self = self,
                             .other = other,
                             .here = race_place_of_warp(race, self->warp),
                             .there = race_place_of_warp(race, other->warp),
                             .ordered = ordered};
    if (other->how & STAMP_COPY)
        return await(&r, arena);
    if (ordered)
        return fence_proxy(&r, arena);
    if (self->how & STAMP_COPY)
        return start_later(&r, arena);
    if (makes_object(self_micro(&r)) || makes_object(other_micro(&r)))
        return publish_object(&r, arena);
    if ((self->how ^ other->how) & STAMP_ASYNC)
        return order(&r, arena);
    if (stamp_bytes(self) != stamp_bytes(other))
        return "";
    if (stamp_scope(self) != SCOPE_NONE || stamp_scope(other) != SCOPE_NONE)
        return strengthen(&r, arena);
    if (self->warp != other->warp)
        return order(&r, arena);
    return updates(&r) ? UPDATE : "; __syncwarp() between them would order them";
}
