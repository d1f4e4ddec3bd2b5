/* SPDX-License-Identifier: MIT */
#include "litmus/test/code_line.h"
#include "model/machine/race/private.h"
#include "model/machine/core/region.h"

/* Finds races at accesses. A cell of memory keeps every access that a later one may race with. A
 * new access removes those that it is ordered after and can stand for, and those that it was found
 * to race with. */

enum { MOST_KEPT = 16 }; /* in a cell, of accesses that a prediction has used */

/* An access being looked at. */
struct actor {
    uint32_t lane, warp, position;
    uint32_t first_warp, warps; /* of its CTA */
    const struct thread_clock *clock;
    const struct region *region;
    uint32_t offset;
    struct stamp stamp;
    bool writes;
    const struct micro *micro;
    struct stamp
        *told;      /* what it was last found to race with: once an access, whatever its bytes */
    uint32_t value; /* that it stores into the cell, if that is 'known' */
    bool known;
};

/* log2 of the size of the first cells: four bytes, or an element that is smaller. */
static uint32_t first_shift(const struct race_detector *race, const struct region *region)
{
    uint32_t bytes = race->machine->test->locations[region->location].element_bytes;
    return bytes == 1 ? 0 : bytes == 2 ? 1 : 2;
}

/* Cells that the bytes from 'offset' on fill. */
static const struct cells *cells_for(struct race_detector *race, const struct region *region,
                                     uint32_t offset, uint32_t bytes)
{
    struct cells *regions = region->cta != NONE ? race->now->shared : race->cells;
    struct cells *cells = &regions[region - race->machine->regions];
    if (!cells->at)
        cells_start(cells, region->bytes, first_shift(race, region));
    if ((offset | bytes) & ((1u << cells->shift) - 1))
        cells_split(cells, (uint32_t)g_bit_nth_lsf(offset | bytes, -1));
    return cells;
}

/* ---- what happened before ------------------------------------------------------------------ */

bool race_knows(const struct race_detector *race, const struct clock *known, const struct stamp *s,
                uint32_t p)
{
    uint32_t cta = race_place_of_warp(race, s->warp).unit[SCOPE_CTA];
    return known && (clock_time(known, CLOCK_THREAD((uint64_t)s->warp * 32 + p)) >= s->time ||
                     clock_time(known, CLOCK_WARP(s->warp)) >= s->time ||
                     clock_time(known, CLOCK_CTA(cta)) >= s->time);
}

/* A lane of the stamp whose copy may still be on its way, as far as the actor knows; or -1. */
static int unknown_copy(const struct actor *self, const struct stamp *s)
{
    EACH_LANE(p, s->lanes) {
        uint64_t copies = CLOCK_COPIES((uint64_t)s->warp * 32 + p);
        if (clock_time(self->clock->known, copies) < s->time)
            return (int)p;
    }
    return -1;
}

/* The first micro of the stamp's instruction. */
static const struct micro *stamp_micro(const struct race_detector *race, const struct stamp *s,
                                       uint32_t lane)
{
    const struct program *program = machine_program(race->machine, lane);
    return &program->micros[program->inst_micro[stamp_pc(s)]];
}

/* Of textures and surfaces; all else counts as generic. */
static enum proxy proxy_of(const struct micro *micro)
{
    bool other = micro->kind == MICRO_TEXTURE || micro->kind == MICRO_SURFACE;
    return other ? micro->inst->proxy : PROXY_GENERIC;
}

static uint32_t texture_bit(enum proxy proxy)
{
    return proxy == PROXY_GENERIC   ? 0
           : proxy == PROXY_SURFACE ? 1u << PROXIED_SURFACE
                                    : 1u << PROXIED_TEXTURE;
}

/* Bit set of the kinds of fences of texture and surface proxies behind which alone the actor sees what the stamp wrote:
 * of the proxy of either. What is written through the surface proxy is seen through it in the same CTA (ptx-model 4.6, case 5). */
static uint32_t texture_fences(const struct race_detector *race, const struct actor *self,
                               const struct stamp *s)
{
    if (!race->textures)
        return 0;
    uint32_t lane = race_lane_of(race, s, lowest(s->lanes));
    enum proxy here = proxy_of(self->micro),
               there = proxy_of(stamp_micro(race, s, lane != NONE ? lane : self->lane));
    if (here == there && race_place_of_warp(race, s->warp).unit[SCOPE_CTA] ==
                             race_place_of_warp(race, self->warp).unit[SCOPE_CTA])
        return 0;
    return texture_bit(here) | texture_bit(there);
}

/* A lane of the stamp that wrote through one proxy what the actor accesses through another one, async with no
 * fence.proxy.async for that memory in between (ptx-model 4.6, case 4), or a texture or surface; or -1. What was
 * read before and is overwritten is left out: nobody fences that, and the manual does not say. */
static int unfenced_lane(const struct race_detector *race, const struct actor *self,
                         const struct stamp *s)
{
    if (!stamp_writes(s))
        return -1;
    uint32_t kinds = texture_fences(race, self, s);
    if (self->stamp.how & STAMP_ASYNC && !(s->how & STAMP_ASYNC))
        kinds |= 1u << (self->region->cta == NONE ? PROXIED_GLOBAL : PROXIED_SHARED);
    for (; kinds; kinds &= kinds - 1)
        EACH_LANE(p, s->lanes) {
            if (!race_knows(race, self->clock->proxied.of[lowest(kinds)], s, p))
                return (int)p;
        }
    return -1;
}

uint32_t race_lane_of(const struct race_detector *race, const struct stamp *s, uint32_t p)
{
    uint32_t warp = s->warp - race->first_warp;
    return warp < race->machine->warp_count ? race->machine->warps[warp].first_lane + p : NONE;
}

/* Does lane q of the stamp come before the actor? */
static bool precedes(const struct race_detector *race, const struct actor *self,
                     const struct stamp *s, uint32_t q)
{
    bool same_warp = s->warp == self->warp;
    return (same_warp && (q == self->position || s->time <= self->clock->warp)) ||
           (s->warp - self->first_warp < self->warps && s->time <= self->clock->cta) ||
           race_knows(race, self->clock->known, s, q);
}

static bool is_strong_read(const struct race_detector *race, const struct actor *self,
                           const struct stamp *s)
{
    uint32_t lane = race_lane_of(race, s, lowest(s->lanes));
    return s->warp && stamp_scope(s) != SCOPE_NONE &&
           (!stamp_writes(s) ||
            stamp_micro(race, s, lane != NONE ? lane : self->lane)->kind == MICRO_ATOM);
}

/* Is 'z' a strong read, before the actor, that saw what lane p of 's' wrote? */
static bool saw(const struct race_detector *race, const struct actor *self, const struct stamp *z,
                const struct stamp *s, uint32_t p)
{
    if (z->time < s->time || stamp_bytes(z) != stamp_bytes(s) || !is_strong_read(race, self, z))
        return false;
    struct scope_place here = race_place_of_warp(race, z->warp),
                       there = race_place_of_warp(race, s->warp);
    if (!scope_inclusive(&here, stamp_scope(z), &there, stamp_scope(s)))
        return false;
    EACH_LANE(q, z->lanes) {
        bool later = z->time > s->time || (z->warp == s->warp && q > p);
        if (later && precedes(race, self, z, q))
            return true;
    }
    return false;
}

/* Has a strong read before the actor observed what lane p of the stamp wrote, itself or through atomics
 * (8.9.2)? Then that comes before the actor in causality order (8.9.5). */
static bool observed(const struct race_detector *race, const struct actor *self,
                     const struct cell *cell, const struct stamp *s, uint32_t p)
{
    if (!stamp_writes(s) || stamp_scope(s) == SCOPE_NONE || s->time < cell->chain ||
        race->prediction)
        return false;
    bool seen = saw(race, self, &cell->write, s, p) || saw(race, self, &cell->read, s, p);
    for (uint32_t i = 0; !seen && cell->more && i < cell->more->count; i++)
        seen = saw(race, self, &cell->more->at[i], s, p);
    return seen;
}

/* A lane of the stamp in the cell that does not come before the actor for that reason either, or -1. */
static int unobserved_lane(const struct race_detector *race, const struct actor *self,
                           const struct cell *cell, const struct stamp *s)
{
    EACH_LANE(p, s->lanes) {
        if (!precedes(race, self, s, p) && !observed(race, self, cell, s, p))
            return (int)p;
    }
    return -1;
}

/* A lane of the stamp that synchronization does not order before the actor, or -1. */
static int unordered_lane(const struct race_detector *race, const struct actor *self,
                          const struct stamp *s)
{
    if (s->how & STAMP_COPY)
        return unknown_copy(self, s);
    uint32_t others = s->lanes;
    if (s->warp == self->warp) {
        others &= ~(1u << self->position);
        if (!others || s->time <= self->clock->warp || race->lockstep)
            return -1;
    }
    if (s->warp - self->first_warp < self->warps && s->time <= self->clock->cta)
        return -1;
    EACH_LANE(p, others) {
        if (!race_knows(race, self->clock->known, s, p))
            return (int)p;
    }
    return -1;
}

/* ---- reports ------------------------------------------------------------------------------- */

static const char *stamp_name(struct race_detector *race, struct arena *arena,
                              const struct stamp *s, uint32_t p)
{
    const struct machine *machine = race->machine;
    uint32_t lane = race_lane_of(race, s, p);
    if (lane != NONE)
        return run_lane_name(arena, machine, lane);
    uint32_t warp = machine->warps[(s->warp - 1) % machine->warp_count].index;
    return arena_printf(arena, "thread %u of CTA %u (warp %u, lane %u)", warp * 32 + p,
                        race_place_of_warp(race, s->warp).unit[SCOPE_CTA], warp, p);
}

/* Copies, and sets of the host, move bytes: a race with one of them is one of no size. Lane 'there'
 * did the other access. */
static bool is_mixed(const struct race_detector *race, const struct actor *self,
                     const struct stamp *other, uint32_t there)
{
    return stamp_bytes(other) != stamp_bytes(&self->stamp) && stamp_bytes(other) &&
           stamp_bytes(&self->stamp) && !machine_is_engine(race->machine, self->lane) &&
           !machine_is_engine(race->machine, there);
}

/* Two accesses that some other schedule might not order. */
static void predict(struct race_detector *race, struct run *run, const struct actor *self,
                    const struct stamp *other, uint32_t p)
{
    struct report_list list = {.arena = arena_new()};
    struct run quiet = *run;
    uint32_t lane = race_lane_of(race, other, p), there = lane != NONE ? lane : self->lane;
    const struct inst *inst = stamp_micro(race, other, there)->inst;
    quiet.reports = &list;
    run_report_pair(
        &quiet, self->lane, self->micro, inst, REPORT_POSSIBLE_RACE,
        "the %s of %s comes after the %s by %s at %s, and nothing makes it: they race if that "
        "thread is late, which no schedule was run to show",
        self->writes ? "write" : "read",
        run_byte_name(run, self->region, self->region->base + self->offset),
        stamp_writes(other) ? "write" : "read", stamp_name(race, list.arena, other, p),
        test_line_words(list.arena, race->machine->test, inst->span.offset));
    predict_pair(race, &list.items.at[0], other, p, &self->stamp, self->position);
    arena_free(list.arena);
}

/* 'remark': in place of a remedy, or NULL; 'ordered': but for the proxy. */
static void report_race(struct race_detector *race, struct run *run, const struct actor *self,
                        const struct stamp *other, uint32_t p, const char *remark, bool ordered)
{
    if (stamp_same_kind(self->told, other) && self->told->lanes == other->lanes)
        return;
    *self->told = *other;
    struct arena *scratch = arena_new();
    const struct test *test = race->machine->test;
    uint32_t lane = race_lane_of(race, other, p), there = lane != NONE ? lane : self->lane;
    bool copied = (other->how | self->stamp.how) & (STAMP_COPY | STAMP_ASYNC);
    bool same_warp = other->warp == self->warp && !copied && !ordered,
         mixed = is_mixed(race, self, other, there);
    const struct inst *inst = stamp_micro(race, other, there)->inst;
    const char *where = test->source ? test_line_words(scratch, test, inst->span.offset)
                                     : arena_printf(scratch, "instruction %u", stamp_pc(other));
    enum report_id id = mixed       ? REPORT_MIXED_SIZE_RACE
                        : same_warp ? REPORT_IMPLICIT_WARP_SYNC
                                    : REPORT_DATA_RACE;
    const char *whose =
        self->region->location == race->machine->reserved
            ? "; only the library has this memory (cooperative groups of more than 32 "
              "threads): a shuffle or a vote orders it, which PTX does not promise"
            : "";
    run_report_pair(
        run, self->lane, stamp_micro(race, &self->stamp, self->lane), inst, id,
        "%s of %s races with the %s by %s at %s%s%s", self->writes ? "the write" : "the read",
        run_byte_name(run, self->region, self->region->base + self->offset),
        stamp_writes(other) ? "write" : "read", stamp_name(race, scratch, other, p), where,
        remark ? remark
               : race_remedy(race, run, scratch, self->lane, &self->stamp, other, p, ordered),
        whose);
    arena_free(scratch);
}

/* Two strong accesses of one size and proxy whose scopes hold each other's threads are no race. */
static bool morally_strong(const struct race_detector *race, const struct actor *self,
                           const struct stamp *other)
{
    uint32_t ours = stamp_scope(&self->stamp), theirs = stamp_scope(other);
    if (ours == SCOPE_NONE || theirs == SCOPE_NONE ||
        stamp_bytes(other) != stamp_bytes(&self->stamp) ||
        ((other->how ^ self->stamp.how) & STAMP_ASYNC))
        return false;
    struct scope_place here = race_place_of_warp(race, self->warp),
                       there = race_place_of_warp(race, other->warp);
    return scope_inclusive(&here, ours, &there, theirs);
}

/* Whatever races with 'other', which it comes after, races with the access as well; and it has observed
 * what 'other' has, unless it is a write. */
static bool stands_for(const struct actor *self, const struct stamp *other)
{
    uint32_t scope = stamp_scope(&self->stamp);
    bool one_proxy = !((other->how ^ self->stamp.how) & STAMP_ASYNC);
    return (self->writes || !stamp_writes(other)) &&
           stamp_bytes(other) == stamp_bytes(&self->stamp) &&
           ((scope == stamp_scope(other) && (one_proxy || scope == SCOPE_NONE)) ||
            (scope == SCOPE_NONE && self->writes));
}

/* Reports a race with an earlier access. True: a later one may race with the earlier one still.
 * 'equal': that one stored the same value. */
static bool stays(struct race_detector *race, struct run *run, const struct actor *self,
                  const struct cell *cell, const struct stamp *other, bool equal)
{
    static const char *const same =
        "; both store the same value, which is a race in PTX all the same";
    int p = unordered_lane(race, self, other);
    bool ordered = p < 0;
    if (ordered)
        p = unfenced_lane(race, self, other);
    if (p < 0)
        return !stands_for(self, other);
    if ((!self->writes && !stamp_writes(other)) || morally_strong(race, self, other))
        return true;
    if (!ordered && !(other->how & STAMP_COPY) && stamp_scope(other) != SCOPE_NONE)
        p = unobserved_lane(race, self, cell, other);
    if (p < 0)
        return !stands_for(self, other);
    if (race->prediction) {
        if (other->warp != self->warp)
            predict(race, run, self, other, (uint32_t)p);
        return !cell->more || cell->more->count < MOST_KEPT;
    }
    bool weak = stamp_scope(other) == SCOPE_NONE && stamp_scope(&self->stamp) == SCOPE_NONE;
    report_race(race, run, self, other, (uint32_t)p, equal && weak ? same : NULL, ordered);
    return false;
}

/* ---- one access ---------------------------------------------------------------------------- */

/* No race with any but the loose ones, as the others are strong and hold every thread that may be there:
 * histograms have many. */
static bool all_inclusive(const struct race_detector *race, const struct actor *self,
                          const struct stamps *more)
{
    uint32_t scope = self->region->cta != NONE ? race->near_scope : race->wide_scope;
    return more->weakest >= scope && more->bytes == stamp_bytes(&self->stamp) &&
           stamp_scope(&self->stamp) >= scope && !(self->stamp.how & STAMP_ASYNC);
}

/* Checks the access against earlier ones that found no room in the cell. A write drops those that
 * need not stay. */
static void check_more(struct race_detector *race, struct run *run, const struct actor *self,
                       const struct cell *cell)
{
    struct stamps *more = cell->more;
    uint32_t count = more->count;
    uint32_t looked_at = all_inclusive(race, self, more) ? more->loose : count;
    if (!looked_at || (!self->writes && !more->writes))
        return;
    bool *keep = g_new(bool, looked_at); /* until all are looked at, as one may order another */
    bool drops = false;
    for (uint32_t i = 0; i < looked_at; i++) {
        keep[i] = stays(race, run, self, cell, &more->at[i], false) || !self->writes;
        drops |= !keep[i];
    }
    if (drops)
        shadow_clear(more);
    for (uint32_t i = 0; drops && i < count; i++) {
        struct stamp stamp = more->at[i];
        if (i >= looked_at || keep[i])
            shadow_keep(more, &stamp);
    }
    g_free(keep);
}

/* Puts the access in the place of 'last', which goes to the others if it is to stay. */
static void replace(struct cell *cell, struct stamp *last, const struct actor *self, bool stay)
{
    struct stamp stamp = self->stamp;
    if (stay && stamp_same_kind(last, &stamp))
        stamp.lanes |= last->lanes;
    else if (stay)
        shadow_add(&cell->more, last);
    *last = stamp;
}

/* Checks the access against what the cell holds, then puts it there. */
static void touch_cell(struct race_detector *race, struct run *run, const struct actor *self,
                       struct cell *cell)
{
    bool equal = self->writes && self->known && cell->known && self->value == cell->value;
    bool write_stays = cell->write.warp && stays(race, run, self, cell, &cell->write, equal);
    if (cell->more)
        check_more(race, run, self, cell);
    if (!self->writes) {
        bool same = stamp_same_kind(&cell->read, &self->stamp);
        replace(cell, &cell->read, self,
                same || (cell->read.warp && stays(race, run, self, cell, &cell->read, false)));
        return;
    }
    if (cell->read.warp && stays(race, run, self, cell, &cell->read, false))
        shadow_add(&cell->more, &cell->read);
    cell->read = (struct stamp){0};
    if (!micro_is_atomic(self->micro) || !cell->write.warp ||
        !morally_strong(race, self, &cell->write))
        cell->chain = self->stamp.time;
    replace(cell, &cell->write, self, write_stays);
    cell->value = self->value;
    cell->known = self->known;
}

/* What a plain store puts at 'at' bytes behind its address: into a cell that an element fills. */
static void find_value(const struct run *run, struct actor *self, uint32_t at, uint32_t cell_bytes)
{
    const struct micro *micro = self->micro;
    uint32_t bytes = MIN(micro->bytes, 8);
    self->known = micro->kind == MICRO_STORE && bytes >= cell_bytes;
    if (!self->known)
        return;
    uint64_t value = run_value(run, self->lane, micro->src[at / bytes]) >> (at % bytes * 8);
    self->value = (uint32_t)alu_low_bytes(value, cell_bytes);
}

/* Is nothing in the cell, or nothing but what the same lane did in the same way, so that the access takes its place? */
static bool is_own(const struct actor *self, const struct cell *cell)
{
    const struct stamp *read = &cell->read;
    return !cell->write.warp && !cell->more &&
           (!read->warp || (read->warp == self->warp && read->lanes == 1u << self->position &&
                            !((read->how ^ self->stamp.how) & stamp_how(0, false, 31, 7)) &&
                            !((read->how | self->stamp.how) & (STAMP_COPY | STAMP_ASYNC))));
}

/* What touch_cell does there. */
static void take_cell(const struct actor *self, struct cell *cell)
{
    cell->read = self->writes ? (struct stamp){0} : self->stamp;
    if (!self->writes)
        return;
    cell->write = self->stamp;
    cell->chain = self->stamp.time;
    cell->value = self->value;
    cell->known = self->known;
}

/* The bytes fill cells of those of the region. */
static void touch_cells(struct race_detector *race, struct run *run, struct actor *self,
                        const struct cells *cells, uint32_t offset, uint32_t bytes)
{
    struct stamp told = {0};
    self->offset = offset;
    self->told = &told;
    for (uint32_t i = offset >> cells->shift; i <= (offset + bytes - 1) >> cells->shift; i++) {
        find_value(run, self, (i << cells->shift) - offset, 1u << cells->shift);
        if (is_own(self, &cells->at[i]))
            take_cell(self, &cells->at[i]);
        else
            touch_cell(race, run, self, &cells->at[i]);
    }
}

static void touch(struct race_detector *race, struct run *run, struct actor *self, uint32_t offset,
                  uint32_t bytes)
{
    const struct region *region = region_main(race->machine, self->region);
    touch_cells(race, run, self, cells_for(race, region, offset, bytes), offset, bytes);
}

uint32_t race_strength(const struct micro *micro)
{
    const struct inst *inst = micro->inst;
    if ((inst->sem == SEM_NONE || inst->sem == SEM_WEAK) && !micro_is_atomic(micro))
        return SCOPE_NONE;
    return inst->scope == SCOPE_NONE ? SCOPE_GPU : inst->scope;
}

static struct actor actor_of(struct race_detector *race, uint32_t lane, const struct micro *micro,
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
                         .clock = &race->now->threads[lane],
                         .region = region,
                         .writes = writes,
                         .micro = micro};
    /* a copy has no size, nor has an answer or a texel */
    bool sized = micro->kind != MICRO_COPY && micro->kind != MICRO_CANCEL &&
                 proxy_of(micro) == PROXY_GENERIC;
    uint32_t bytes = !sized ? 0 : micro->bytes ? micro->bytes : 4;
    bool later = micro->kind == MICRO_ASYNC_STORE || micro->kind == MICRO_CANCEL;
    uint32_t copies = later ? STAMP_COPY : 0; /* done, but not by its lane */
    self.stamp =
        (struct stamp){self.warp, 1u << place->lane, race->time,
                       stamp_how(micro->inst_index, writes, bytes, race_strength(micro)) | copies};
    return self;
}

/* Strong writes, and strong reads behind one, have different times, so that the later of two is known. */
static void pass_time(struct race_detector *race, const struct micro *micro)
{
    if (race_strength(micro) == SCOPE_NONE)
        return;
    if (micro->kind != MICRO_LOAD)
        race->written = ++race->time;
    else if (race->time == race->written)
        race->time++;
}

void race_access(struct race_detector *race, struct run *run, const struct memory_access *access)
{
    if (race_predictor(race))
        race_access(race_predictor(race), run, access);
    if (race->prediction && !predict_access(race, access->lane, access->micro))
        return;
    pass_time(race, access->micro);
    struct actor self = actor_of(race, access->lane, access->micro, access->region, access->writes);
    touch(race, run, &self, (uint32_t)(access->address - access->region->base),
          access->bytes * access->count);
    bool ordering = !race->prediction && race_orders(race, access->micro, access->region);
    for (uint32_t i = 0; ordering && i < access->count; i++)
        race_order_access(race, access->lane, access->micro, access->memory + i * access->bytes);
}

void race_access_lanes(struct race_detector *race, struct run *run, uint32_t first,
                       const struct micro *micro, uint32_t active, const struct region *region,
                       const uint64_t *address)
{
    if (race_predictor(race))
        race_access_lanes(race_predictor(race), run, first, micro, active, region, address);
    uint32_t bytes = micro->bytes * micro_elements(micro);
    bool ordering = !race->prediction && race_orders(race, micro, region);
    pass_time(race, micro);
    struct actor self =
        actor_of(race, first + lowest(active), micro, region, micro->kind != MICRO_LOAD);
    uint32_t offsets = 0; /* the least of them decides how large cells may be */
    EACH_LANE(p, active)
        offsets |= (uint32_t)(address[p] - region->base);
    const struct cells *cells = cells_for(race, region_main(race->machine, region), offsets, bytes);
    EACH_LANE(p, active) {
        uint32_t offset = (uint32_t)(address[p] - region->base);
        self.lane = first + p;
        self.position = p;
        self.clock = &race->now->threads[first + p];
        self.stamp.lanes = 1u << p;
        if (race->prediction && !predict_access(race, first + p, micro))
            continue;
        self.stamp.time = race->prediction ? race->time : self.stamp.time;
        touch_cells(race, run, &self, cells, offset, bytes);
        for (uint32_t i = 0; ordering && i < bytes; i += micro->bytes)
            race_order_access(race, first + p, micro, region->memory + offset + i);
    }
}

void race_touch(struct race_detector *race, struct run *run, uint32_t lane,
                const struct micro *micro, uint64_t address, uint32_t bytes, uint32_t how)
{
    const struct region *region = region_find(race->machine, address, bytes);
    if (!region || !bytes)
        return;
    struct actor self = actor_of(race, lane, micro, region, how & stamp_how(0, true, 0, 0));
    self.stamp.how = how | stamp_how(micro->inst_index, false, 0, 0);
    if (how & STAMP_COPY)
        self.stamp.time = STAMP_PENDING;
    touch(race, run, &self, (uint32_t)(address - region->base), bytes);
}

/* ---- copies that are over ------------------------------------------------------------------ */

/* The lane's part in a pending access gets a time. */
static void settle(struct stamp *stamp, const struct stamp *over, struct cell *cell)
{
    if (stamp->warp != over->warp || stamp->time != STAMP_PENDING ||
        !(stamp->lanes & over->lanes) || (stamp->how | STAMP_COPY) != (over->how | STAMP_COPY))
        return;
    stamp->lanes &= ~over->lanes;
    if (stamp->lanes)
        shadow_add(&cell->more, over);
    else
        *stamp = *over;
}

static void settle_cell(struct cell *cell, const struct stamp *over)
{
    settle(&cell->write, over, cell);
    settle(&cell->read, over, cell);
    for (uint32_t i = 0; cell->more && i < cell->more->count; i++)
        settle(&cell->more->at[i], over, cell);
}

void race_settle(struct race_detector *race, uint32_t lane, uint64_t address, uint32_t bytes,
                 uint32_t how, bool known)
{
    const struct region *region = region_find(race->machine, address, bytes);
    if (!region || !bytes)
        return;
    const struct region *main = region_main(race->machine, region);
    uint32_t offset = (uint32_t)(address - region->base);
    const struct cells *cells = cells_for(race, main, offset, bytes);
    const struct stamp over = {race_warp_number(race, lane), 1u << race->machine->lanes[lane].lane,
                               race->time, known ? how & ~STAMP_COPY : how};
    for (uint32_t i = offset >> cells->shift; i <= (offset + bytes - 1) >> cells->shift; i++)
        settle_cell(&cells->at[i], &over);
}
