/* SPDX-License-Identifier: MIT */
#include "model/machine/step/touch.h"

#include "model/machine/api/api.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/core/region.h"
#include "model/machine/step/pointing.h"
#include "model/machine/sync/copy.h"

/* The units that are told apart: pieces of memory, or whole locations where there is much memory, or a host program. */
enum { UNIT_BYTES = 4, MOST_UNITS = 4096 };

struct touch_sets {
    const struct machine *machine;
    bool fine;      /* pieces */
    uint32_t words; /* of a set of units */
    /* By lane, the units that it touches, that it writes, and those of which it does more than add to a number. */
    uint64_t *touches, *writes, *uses;
    bool gather; /* all that lanes wait for are barriers at which every thread arrives */
};

/* Of one lane, while it is looked at. */
struct touching {
    struct touch_sets *t;
    const struct program *program;
    const struct pointing *pointing; /* by micro, or NULL */
    const uint64_t *live;            /* by micro, or NULL: program_live */
    uint32_t lane;
};

static uint64_t *set_of(const struct touch_sets *t, uint64_t *sets, uint32_t lane)
{
    return sets + (size_t)lane * t->words;
}

struct unit_range {
    uint32_t first, last;
};

static struct unit_range units_of(const struct touch_sets *t, const struct region *region,
                                  uint64_t address, uint32_t bytes)
{
    uint32_t root = test_root_location(t->machine->test, region->location);
    uint32_t memory = region_memory(region, address);
    return t->fine
               ? (struct unit_range){memory / UNIT_BYTES, (memory + bytes - !!bytes) / UNIT_BYTES}
               : (struct unit_range){root, root};
}

/* Any of them. */
static bool has(const struct touch_sets *t, uint64_t *sets, uint32_t lane, struct unit_range units)
{
    for (uint32_t i = units.first; i <= units.last; i++)
        if (set_of(t, sets, lane)[i / 64] >> (i % 64) & 1)
            return true;
    return false;
}

static void add(const struct touching *l, uint64_t *sets, struct unit_range units)
{
    for (uint32_t i = units.first; i <= units.last; i++)
        set_of(l->t, sets, l->lane)[i / 64] |= UINT64_C(1) << (i % 64);
}

static struct unit_range everything(const struct touch_sets *t)
{
    return (struct unit_range){0, t->words * 64 - 1};
}

static struct unit_range all_of(const struct touch_sets *t, const struct region *region)
{
    return units_of(t, region, region->base, region->bytes);
}

/* Where the base is a number of the test. */
static bool fixed_place(const struct touching *l, const struct micro *micro,
                        struct unit_range *units)
{
    uint64_t address =
        *machine_fixed(l->t->machine, l->lane, micro->base) + (uint64_t)micro->offset;
    const struct region *region = region_find(l->t->machine, address, 1);
    *units = region ? all_of(l->t, region) : everything(l->t);
    return address < LOCAL_FIRST;
}

/* Where it goes. False: to the lane's own memory, or nowhere. */
static bool place_of(const struct touching *l, uint32_t at, struct unit_range *units)
{
    const struct micro *micro = &l->program->micros[at];
    *units = everything(l->t);
    if (!l->pointing || !micro_is_access(micro))
        return micro->base < l->program->reg_slots || fixed_place(l, micro, units);
    const struct pointing *to = &l->pointing[at];
    if (to->region)
        *units = to->kind == POINTING_AT
                     ? units_of(l->t, to->region, to->address, micro->bytes * micro_elements(micro))
                     : all_of(l->t, to->region);
    return to->kind == POINTING_ANYWHERE || to->region;
}

/* ---- additions that nobody can tell apart --------------------------------------------------- */

/* Nobody asks what was there before. */
static bool is_unasked(const struct touching *l, uint32_t at)
{
    const struct micro *micro = &l->program->micros[at];
    uint32_t words = program_live_words(l->program);
    for (uint32_t i = 0; i < micro->dst_count; i++) {
        slot to = micro->dst[i];
        if (to != SLOT_NONE &&
            (!l->live || l->live[(size_t)(at + 1) * words + to / 64] >> to % 64 & 1))
            return false;
    }
    return true;
}

/* Whole numbers of one size are added in any order, with the same sum. */
static bool only_adds(const struct touching *l, uint32_t at)
{
    const struct micro *micro = &l->program->micros[at];
    const struct test *test = l->t->machine->test;
    if (!micro_is_atomic(micro) || micro->inst->atom_op != ATOM_ADD ||
        type_is_float(micro->inst->type) || micro_elements(micro) != 1 || !l->pointing ||
        l->pointing[at].kind != POINTING_AT)
        return false;
    const struct region *region = l->pointing[at].region;
    uint32_t root = test_root_location(test, region->location);
    return micro->bytes == test->locations[root].element_bytes &&
           (l->pointing[at].address - region->base) % micro->bytes == 0 && is_unasked(l, at);
}

/* ---- what a lane may do --------------------------------------------------------------------- */

static void look_at(const struct touching *l, uint32_t at)
{
    const struct micro *micro = &l->program->micros[at];
    struct unit_range units;
    enum micro_reach reach = micro_reach(micro);
    if (l->pointing && l->pointing[at].kind == POINTING_NEVER)
        return;
    l->t->gather &= micro->kind != MICRO_COLLECTIVE && micro->kind != MICRO_ACTIVEMASK &&
                    micro->kind != MICRO_CLUSTER_ARRIVE && micro->kind != MICRO_CLUSTER_WAIT &&
                    micro->kind != MICRO_GRID_SYNC && reach != MICRO_REACHES_ALL &&
                    (micro->kind != MICRO_BARRIER || micro_gathers(micro));
    if (reach == MICRO_REACHES_NOTHING || (reach != MICRO_REACHES_ALL && !place_of(l, at, &units)))
        return;
    if (reach == MICRO_REACHES_ALL)
        units = everything(l->t);
    add(l, l->t->touches, units);
    if (reach != MICRO_REACHES_READS)
        add(l, l->t->writes, units);
    if (!only_adds(l, at))
        add(l, l->t->uses, units);
}

struct touch_sets *touches_find(struct arena *arena, const struct run *run, bool gather)
{
    const struct machine *machine = run->machine;
    struct touch_sets *t = ARENA_NEW(arena, struct touch_sets);
    *t = (struct touch_sets){.machine = machine,
                             .fine =
                                 !machine->api && machine->memory_bytes <= MOST_UNITS * UNIT_BYTES};
    t->words =
        (t->fine ? machine->memory_bytes / UNIT_BYTES : machine->test->location_count) / 64 + 1;
    size_t words = (size_t)machine->lane_count * t->words;
    t->touches = ARENA_ARRAY(arena, uint64_t, words + 1);
    t->writes = ARENA_ARRAY(arena, uint64_t, words + 1);
    t->uses = ARENA_ARRAY(arena, uint64_t, words + 1);
    t->gather = gather && !machine->api && !machine->has_clusters;
    for (uint32_t lane = 0; lane < machine->lane_count; lane++) {
        struct touching l = {.t = t, .lane = lane, .program = machine_program(machine, lane)};
        if (!l.program)
            continue;
        l.live = run->live ? run->live[machine->lanes[lane].program] : NULL;
        l.pointing = machine->api ? NULL : pointing_find(arena, machine, run->state, lane);
        for (uint32_t i = 0; i < l.program->micro_count; i++)
            look_at(&l, i);
    }
    return t;
}

/* ---- a state -------------------------------------------------------------------------------- */

/* Whoever is done comes no more, but for loads that have not returned. */
static bool is_done(struct run *run, uint32_t lane)
{
    uint32_t load;
    return run_exited(run, lane) && api_has_started(run->machine, run->state, lane) &&
           !weak_memory_outstanding(run->memory, lane, &load, 1);
}

/* Where the access of the lane goes, or NULL; shared memory of another CTA is gone when that exits.
 */
static const struct region *region_of(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct region *region = region_find(run->machine, run_address(run, lane, micro),
                                              micro->bytes * micro_elements(micro));
    bool far = region && region->cta != NONE && region->cta != run->machine->lanes[lane].cta;
    return far ? NULL : region;
}

/* The other lanes that may still come before this one is done. */
static bool may_meet(struct run *run, uint32_t lane, uint32_t other)
{
    return other != lane && !is_done(run, other) &&
           !(run->machine->api && api_comes_after(run, other, lane));
}

/* Does another lane do something there that its set says? */
static bool is_met(struct run *run, uint32_t lane, uint64_t *sets, struct unit_range units)
{
    for (uint32_t other = 0; other < run->machine->lane_count; other++)
        if (has(run->touches, sets, other, units) && may_meet(run, lane, other))
            return true;
    return false;
}

bool touch_is_private(struct run *run, uint32_t lane)
{
    const struct machine *machine = run->machine;
    const struct micro *micro = run_micro(run, lane);
    EACH_COPY(i, run, lane) {
        return false; /* it may go where the lane's own copy does */
    }
    const struct region *region = region_of(run, lane, micro);
    if (!region || (machine->api && !api_leaves_alone(machine, region->location)))
        return false;
    struct unit_range units = units_of(run->touches, region, run_address(run, lane, micro),
                                       micro->bytes * micro_elements(micro));
    bool weak = weak_memory_is(run->memory);
    if (weak && micro->kind == MICRO_LOAD && has(run->touches, run->touches->writes, lane, units))
        return false; /* it may return what its own lane writes later */
    if (!is_met(run, lane, run->touches->touches, units))
        return true;
    return !weak && !has(run->touches, run->touches->uses, lane, units) &&
           !is_met(run, lane, run->touches->uses, units);
}

bool touch_strays(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    if (!micro_is_access(micro) || run_address(run, lane, micro) >= LOCAL_FIRST)
        return false;
    uint64_t address = run_address(run, lane, micro);
    const struct region *region = region_find(run->machine, address, 1);
    return region && !has(run->touches, run->touches->touches, lane,
                          units_of(run->touches, region, address, 1));
}

bool touch_gathers(const struct run *run)
{
    return run->touches->gather;
}
