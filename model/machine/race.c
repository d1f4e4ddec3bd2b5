/* SPDX-License-Identifier: MIT */
#include "model/machine/race.h"

#include <glib.h>
#include <string.h>

#include "model/machine/race_private.h"
#include "model/machine/run.h"

/* Cells of four bytes; a location whose elements are narrower has cells of that size. */
static uint32_t cell_shift(const struct machine *machine, const struct region *region)
{
    uint32_t bytes = machine->test->locations[region->location].element_bytes;
    return bytes == 1 ? 0 : bytes == 2 ? 1 : 2;
}

static struct race_context context_new(const struct machine *machine)
{
    return (struct race_context){.threads = g_new0(struct thread_clock, machine->lane_count),
                                 .barriers =
                                     g_new0(struct gathering, machine->cta_count * BARRIERS),
                                 .clusters = g_new0(struct gathering, 2 * machine->cluster_count),
                                 .shared = g_new0(struct cell *, machine->region_count)};
}

static void free_cells(const struct race *race, struct cell **cells)
{
    for (uint32_t r = 0; r < race->machine->region_count; r++) {
        const struct region *region = &race->machine->regions[r];
        uint32_t count = (region->bytes >> cell_shift(race->machine, region)) + 1;
        for (uint32_t i = 0; cells[r] && i < count; i++)
            g_free(cells[r][i].more);
        g_free(cells[r]);
        cells[r] = NULL;
    }
}

/* As new, but for the storage. */
static void context_clear(const struct race *race, struct race_context *context)
{
    const struct machine *machine = race->machine;
    for (uint32_t i = 0; i < machine->lane_count; i++) {
        clock_unref(context->threads[i].known);
        clock_unref(context->threads[i].fenced);
        clock_unref(context->threads[i].pending);
        context->threads[i] = (struct thread_clock){0};
    }
    for (uint32_t i = 0; i < machine->cta_count * BARRIERS; i++)
        race_forget_gathering(&context->barriers[i]);
    for (uint32_t i = 0; i < 2 * machine->cluster_count; i++)
        race_forget_gathering(&context->clusters[i]);
    for (uint32_t r = 0; r < machine->region_count; r++) {
        const struct region *region = &machine->regions[r];
        uint32_t count = (region->bytes >> cell_shift(machine, region)) + 1;
        for (uint32_t i = 0; context->shared[r] && i < count; i++) {
            g_free(context->shared[r][i].more);
            context->shared[r][i] = (struct cell){0};
        }
    }
}

static void context_free(const struct race *race, struct race_context *context)
{
    context_clear(race, context);
    free_cells(race, context->shared);
    g_free(context->threads);
    g_free(context->barriers);
    g_free(context->clusters);
    g_free(context->shared);
}

struct race *race_new(const struct machine *machine)
{
    struct race *race = g_new0(struct race, 1);
    race->machine = machine;
    race->now = context_new(machine);
    race->parked = g_hash_table_new(g_direct_hash, g_direct_equal);
    race->cells = g_new0(struct cell *, machine->region_count);
    race->variables = g_hash_table_new(g_direct_hash, g_direct_equal);
    race_reset(race);
    return race;
}

static void free_variables(struct race *race)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, race->variables);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        clock_unref(((struct variable *)value)->clock);
        g_free(value);
        g_hash_table_iter_remove(&iter);
    }
}

static void free_parked(struct race *race)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, race->parked);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        context_free(race, value);
        g_free(value);
        g_hash_table_iter_remove(&iter);
    }
}

void race_free(struct race *race)
{
    if (!race)
        return;
    race_reset(race);
    context_free(race, &race->now);
    g_hash_table_destroy(race->parked);
    g_hash_table_destroy(race->variables);
    g_free(race->cells);
    g_free(race);
}

static void stand_for(struct race *race, uint32_t index)
{
    race->first_warp = 1 + index * race->machine->warp_count;
    race->first_cta = index * race->machine->cta_count;
}

void race_reset(struct race *race)
{
    context_clear(race, &race->now);
    free_parked(race);
    free_variables(race);
    free_cells(race, race->cells);
    clock_unref(race->fences);
    race->fences = NULL;
    race->time = 1;
    stand_for(race, 0);
}

void race_start_cluster(struct race *race, uint32_t index)
{
    context_clear(race, &race->now);
    race->time++;
    stand_for(race, index);
}

void race_park_cluster(struct race *race, uint32_t index)
{
    struct race_context *kept = g_new(struct race_context, 1);
    *kept = race->now;
    g_hash_table_insert(race->parked, GUINT_TO_POINTER(index + 1), kept);
    race->now = context_new(race->machine);
}

void race_resume_cluster(struct race *race, uint32_t index)
{
    struct race_context *kept = g_hash_table_lookup(race->parked, GUINT_TO_POINTER(index + 1));
    if (kept) {
        context_free(race, &race->now);
        race->now = *kept;
        g_hash_table_remove(race->parked, GUINT_TO_POINTER(index + 1));
        g_free(kept);
    }
    stand_for(race, index);
}

static struct cell *cells_of(struct race *race, const struct region *region)
{
    struct cell **cells = region->cta != NONE ? race->now.shared : race->cells;
    size_t index = (size_t)(region - race->machine->regions);
    if (!cells[index])
        cells[index] =
            g_new0(struct cell, (region->bytes >> cell_shift(race->machine, region)) + 1);
    return cells[index];
}

/* Aliases share cells: those of the first region with the same bytes. */
static const struct region *main_region(const struct machine *machine, const struct region *region)
{
    if (machine->test->locations[region->location].alias_of == NONE)
        return region;
    for (uint32_t r = 0; r < machine->region_count; r++)
        if (machine->regions[r].memory == region->memory &&
            machine->test->locations[machine->regions[r].location].alias_of == NONE)
            return &machine->regions[r];
    return region;
}

/* ---- what happened before ------------------------------------------------------------------ */

/* Does the lane know lane 'p' of the stamp's warp up to the stamp? */
static bool knows_lane(const struct race *race, const struct actor *self, const struct stamp *s,
                       uint32_t p)
{
    const struct clock *known = self->clock->known;
    uint32_t cta = race_cta_of_warp(race, s->warp);
    return known && (clock_time(known, CLOCK_THREAD((uint64_t)s->warp * 32 + p)) >= s->time ||
                     clock_time(known, CLOCK_WARP(s->warp)) >= s->time ||
                     clock_time(known, CLOCK_CTA(cta)) >= s->time);
}

/* A lane of the stamp that the actor is not ordered after, or -1. */
static int unordered_lane(const struct race *race, const struct actor *self, const struct stamp *s)
{
    uint32_t others = s->lanes;
    if (s->warp == self->warp) {
        others &= ~(1u << self->position);
        if (!others || s->time <= self->clock->warp || race->lockstep)
            return -1;
    }
    if (s->warp - self->first_warp < self->warps && s->time <= self->clock->cta)
        return -1;
    EACH_LANE(p, others)
    {
        if (!knows_lane(race, self, s, p))
            return (int)p;
    }
    return -1;
}

/* ---- reports ------------------------------------------------------------------------------- */

static const char *stamp_name(struct race *race, struct arena *arena, const struct stamp *s,
                              uint32_t p)
{
    const struct machine *machine = race->machine;
    uint32_t local = s->warp - race->first_warp;
    if (local < machine->warp_count)
        return lane_name(arena, machine, machine->warps[local].first_lane + p);
    uint32_t cta = race_cta_of_warp(race, s->warp), index = (s->warp - 1) % machine->warp_count;
    return arena_printf(arena, "thread %u of CTA %u (warp %u, lane %u)",
                        machine->warps[index].index * 32 + p, cta, machine->warps[index].index, p);
}

static void report_race(struct race *race, struct run *run, const struct actor *self,
                        const struct stamp *other, uint32_t p, bool other_writes)
{
    struct arena *scratch = arena_new();
    const struct program *program =
        race->machine->programs[race->machine->lanes[self->lane].program];
    bool same_warp = other->warp == self->warp,
         mixed = stamp_bytes(other) != stamp_bytes(&self->stamp);
    uint32_t local = other->warp - race->first_warp;
    if (local < race->machine->warp_count)
        program =
            race->machine->programs[race->machine->lanes[race->machine->warps[local].first_lane + p]
                                        .program];
    const struct inst *inst = &program->body->insts[stamp_pc(other)];
    const char *where =
        race->machine->test->source
            ? arena_printf(scratch, "line %u",
                           source_place(race->machine->test->source, inst->span.offset).line)
            : arena_printf(scratch, "instruction %u", stamp_pc(other));
    enum report_id id = mixed       ? REPORT_MIXED_SIZE_RACE
                        : same_warp ? REPORT_IMPLICIT_WARP_SYNC
                                    : REPORT_DATA_RACE;
    run_report(run, self->lane, id, "%s of '%s'+%u races with the %s by %s at %s%s",
               self->writes ? "the write" : "the read",
               race->machine->test->locations[self->region->location].name, self->offset,
               other_writes ? "write" : "read", stamp_name(race, scratch, other, p), where,
               same_warp && !mixed ? "; __syncwarp between them would order them" : "");
    arena_free(scratch);
}

/* Two strong accesses whose scopes hold each other's threads are no race. */
static bool both_strong(const struct race *race, const struct actor *self,
                        const struct stamp *other)
{
    uint32_t a = stamp_scope(&self->stamp), b = stamp_scope(other), least = a < b ? a : b;
    if (!a || !b)
        return false;
    if (least == SCOPE_CTA)
        return race_cta_of_warp(race, other->warp) == race_cta_of_warp(race, self->warp);
    if (least == SCOPE_CLUSTER)
        return other->warp - race->first_warp < race->machine->warp_count;
    return true;
}

static void check(struct race *race, struct run *run, const struct actor *self,
                  const struct stamp *other, bool other_writes)
{
    if (!other->warp)
        return;
    int p = unordered_lane(race, self, other);
    bool same_size = stamp_bytes(other) == stamp_bytes(&self->stamp);
    if (p >= 0 && !(same_size && both_strong(race, self, other)))
        report_race(race, run, self, other, (uint32_t)p, other_writes);
}

/* ---- one access ---------------------------------------------------------------------------- */

static void add_reader(const struct race *race, const struct actor *self, struct cell *cell)
{
    struct stamp *read = &cell->read;
    if (read->warp == self->stamp.warp && read->time == self->stamp.time &&
        read->how == self->stamp.how) {
        read->lanes |= self->stamp.lanes;
        return;
    }
    if (!read->warp || unordered_lane(race, self, read) < 0) {
        *read = self->stamp;
        return;
    }
    if (!cell->more)
        cell->more = g_new0(struct readers, 1);
    struct readers *more = cell->more;
    for (uint32_t i = 0; i < more->count; i++)
        if (more->at[i].warp == self->stamp.warp && more->at[i].time == self->stamp.time) {
            more->at[i].lanes |= self->stamp.lanes;
            return;
        }
    if (more->count < READERS)
        more->at[more->count++] = self->stamp;
}

static void touch_cell(struct race *race, struct run *run, const struct actor *self,
                       struct cell *cell)
{
    check(race, run, self, &cell->write, true);
    if (!self->writes) {
        add_reader(race, self, cell);
        return;
    }
    check(race, run, self, &cell->read, false);
    for (uint32_t i = 0; cell->more && i < cell->more->count; i++)
        check(race, run, self, &cell->more->at[i], false);
    cell->write = self->stamp;
    cell->read = (struct stamp){0};
    if (cell->more)
        cell->more->count = 0;
}

static void touch(struct race *race, struct run *run, struct actor *self, uint32_t offset,
                  uint32_t bytes)
{
    const struct region *region = main_region(race->machine, self->region);
    struct cell *cells = cells_of(race, region);
    uint32_t shift = cell_shift(race->machine, region);
    self->offset = offset;
    for (uint32_t i = offset >> shift; i <= (offset + bytes - 1) >> shift; i++)
        touch_cell(race, run, self, &cells[i]);
}

static uint32_t strength(const struct micro *micro)
{
    const struct inst *inst = micro->inst;
    bool atomic = micro->kind == MICRO_ATOM || micro->kind == MICRO_RED;
    if (inst->sem <= SEM_WEAK && !atomic)
        return SCOPE_NONE;
    return inst->scope == SCOPE_NONE ? SCOPE_GPU : inst->scope;
}

static struct actor actor_of(struct race *race, uint32_t lane, const struct micro *micro,
                             const struct region *region, bool writes)
{
    const struct machine *machine = race->machine;
    const struct lane_place *place = &machine->lanes[lane];
    const struct cta_place *cta = &machine->ctas[place->cta];
    struct actor self = {.lane = lane,
                         .warp = race->first_warp + place->warp,
                         .position = place->lane,
                         .first_warp = race->first_warp + cta->first_warp,
                         .warps = cta->warps,
                         .clock = &race->now.threads[lane],
                         .region = region,
                         .writes = writes};
    uint32_t bytes = micro->bytes ? micro->bytes : 4;
    self.stamp = (struct stamp){self.warp, 1u << place->lane, race->time,
                                stamp_how(micro->inst_index, bytes, strength(micro))};
    return self;
}

void race_access(struct race *race, struct run *run, const struct access *access)
{
    struct actor self = actor_of(race, access->lane, access->micro, access->region, access->writes);
    race->lockstep = race->machine->options.mode == MACHINE_LOCKSTEP;
    touch(race, run, &self, (uint32_t)(access->address - access->region->base),
          access->bytes * access->count);
    race_order_access(race, access->lane, access->micro, access->memory);
}

void race_access_lanes(struct race *race, struct run *run, uint32_t first,
                       const struct micro *micro, uint32_t active, const struct region *region,
                       const uint64_t *address)
{
    uint32_t bytes = micro->bytes * (micro->inst->vector > 1 ? micro->inst->vector : 1);
    bool ordering =
        micro->inst->sem > SEM_WEAK || micro->kind == MICRO_ATOM || micro->kind == MICRO_RED;
    struct actor self =
        actor_of(race, first + lowest(active), micro, region, micro->kind != MICRO_LOAD);
    race->lockstep = race->machine->options.mode == MACHINE_LOCKSTEP;
    EACH_LANE(p, active)
    {
        uint32_t offset = (uint32_t)(address[p] - region->base);
        self.lane = first + p;
        self.position = p;
        self.clock = &race->now.threads[first + p];
        self.stamp.lanes = 1u << p;
        touch(race, run, &self, offset, bytes);
        if (ordering)
            race_order_access(race, first + p, micro, region->memory + offset);
    }
}

void race_copy(struct race *race, struct run *run, uint32_t lane, const struct copy *copy)
{
    const struct micro *micro =
        &race->machine->programs[race->machine->lanes[lane].program]->micros[copy->micro];
    const struct region *to = machine_region(race->machine, copy->to, copy->bytes);
    const struct region *from = machine_region(race->machine, copy->from, copy->read_bytes);
    if (from && copy->read_bytes) {
        struct actor reader = actor_of(race, lane, micro, from, false);
        touch(race, run, &reader, (uint32_t)(copy->from - from->base), copy->read_bytes);
    }
    if (to && copy->bytes) {
        struct actor writer = actor_of(race, lane, micro, to, true);
        touch(race, run, &writer, (uint32_t)(copy->to - to->base), copy->bytes);
    }
}
