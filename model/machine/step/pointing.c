/* SPDX-License-Identifier: MIT */
#include "model/machine/step/pointing.h"

#include <glib.h>
#include <string.h>

#include "model/machine/core/region.h"

/* What is known of a register, from the most to the least. */
enum number_kind {
    NUMBER_NONE, /* no path leads there */
    NUMBER_KNOWN,
    NUMBER_INTO,    /* the address of an object with something added that is counted */
    NUMBER_COUNTED, /* computed without what memory and other lanes say */
    NUMBER_READ
};
struct reg_number {
    union {
        uint64_t value;              /* KNOWN */
        const struct region *region; /* INTO; NULL: local memory */
    } of;
    enum number_kind kind;
};

enum { MOST_NUMBERS = 1 << 20 };

struct tracing {
    const struct machine *machine;
    const struct program *program;
    uint32_t lane;
    struct reg_number *before; /* by micro, and by register of it */
    bool *changed, *seen;      /* by micro */
    struct reg_number *now;    /* by register */
};

static struct reg_number *numbers_before(const struct tracing *t, uint32_t micro)
{
    return t->before + (size_t)micro * t->program->reg_slots;
}

static struct reg_number number_of(const struct tracing *t, slot at)
{
    if (at < t->program->reg_slots)
        return t->now[at];
    if (at == SLOT_NONE)
        return (struct reg_number){.kind = NUMBER_KNOWN};
    return (struct reg_number){.kind = NUMBER_KNOWN,
                               .of.value = *machine_fixed(t->machine, t->lane, at)};
}

static bool is_local(const struct tracing *t, uint64_t address)
{
    return address - LOCAL_FIRST < t->program->local_bytes;
}

/* Does it point into an object? */
static bool points(const struct tracing *t, struct reg_number number, const struct region **region)
{
    *region = number.kind == NUMBER_INTO ? number.of.region : NULL;
    if (number.kind != NUMBER_KNOWN)
        return number.kind == NUMBER_INTO;
    if (is_local(t, number.of.value))
        return true;
    *region = region_find(t->machine, number.of.value, 1);
    return *region;
}

static bool equal(struct reg_number a, struct reg_number b)
{
    return a.kind == b.kind && (a.kind == NUMBER_KNOWN  ? a.of.value == b.of.value
                                : a.kind == NUMBER_INTO ? a.of.region == b.of.region
                                                        : true);
}

/* One or the other. */
static struct reg_number join(const struct tracing *t, struct reg_number a, struct reg_number b)
{
    const struct region *of_a, *of_b;
    if (a.kind == NUMBER_NONE || equal(a, b))
        return b;
    if (b.kind == NUMBER_NONE)
        return a;
    if (a.kind == NUMBER_READ || b.kind == NUMBER_READ)
        return (struct reg_number){.kind = NUMBER_READ};
    if (points(t, a, &of_a) && points(t, b, &of_b) && of_a == of_b)
        return (struct reg_number){.kind = NUMBER_INTO, .of.region = of_a};
    return (struct reg_number){.kind = NUMBER_COUNTED};
}

/* ---- micros --------------------------------------------------------------------------------- */

static struct reg_number compute(const struct micro *micro, const uint64_t sources[4])
{
    struct reg_number result = {.kind = NUMBER_KNOWN};
    if (micro->flags & MICRO_DIVIDES && !sources[1])
        return (struct reg_number){.kind = NUMBER_READ}; /* undefined */
    micro->alu(&result.of.value, &sources[0], &sources[1], &sources[2], &sources[3], 1);
    return result;
}

/* Of what is counted and one address comes an address of the same object. */
static struct reg_number alu_of(const struct tracing *t, const struct micro *micro)
{
    uint64_t sources[4] = {0};
    struct reg_number result = {.kind = NUMBER_COUNTED};
    uint32_t known = 0, addresses = 0;
    for (uint32_t i = 0; i < micro->src_count; i++) {
        struct reg_number source = number_of(t, micro->src[i]);
        const struct region *region;
        if (source.kind == NUMBER_READ)
            return source;
        known += source.kind == NUMBER_KNOWN;
        if (source.kind == NUMBER_KNOWN && i < G_N_ELEMENTS(sources))
            sources[i] = source.of.value;
        if (points(t, source, &region) && addresses++ == 0)
            result = (struct reg_number){.kind = NUMBER_INTO, .of.region = region};
    }
    if (known == micro->src_count && known <= G_N_ELEMENTS(sources))
        return compute(micro, sources);
    return addresses <= 1 ? result : (struct reg_number){.kind = NUMBER_COUNTED};
}

/* Is it known whether the micro executes? */
static bool guard_known(const struct tracing *t, const struct micro *micro, bool *executes)
{
    *executes = true;
    if (micro->guard == SLOT_NONE)
        return true;
    struct reg_number guard = number_of(t, micro->guard);
    *executes = guard.kind != NUMBER_KNOWN || (guard.of.value & 1) != micro->guard_negated;
    return guard.kind == NUMBER_KNOWN;
}

static void give(struct tracing *t, slot to, struct reg_number number, bool surely)
{
    if (to < t->program->reg_slots)
        t->now[to] = surely ? number : join(t, t->now[to], number);
}

static void apply(struct tracing *t, const struct micro *micro)
{
    bool executes, surely = guard_known(t, micro, &executes);
    bool is_alu = micro->kind == MICRO_ALU && micro->dst_count == 1 && !micro->matrix;
    struct reg_number result = is_alu ? alu_of(t, micro) : (struct reg_number){.kind = NUMBER_READ};
    if (!executes)
        return;
    for (uint32_t i = 0; i < micro->dst_count; i++)
        give(t, micro->dst[i], result, surely);
    for (uint32_t i = 0; micro->matrix && i < micro->matrix->count[0]; i++)
        give(t, micro->matrix->slots[0][i], result, surely);
}

/* ---- paths ---------------------------------------------------------------------------------- */

static void reach(struct tracing *t, uint32_t micro)
{
    if (micro >= t->program->micro_count)
        return;
    struct reg_number *before = numbers_before(t, micro);
    bool changed = !t->seen[micro];
    for (uint32_t i = 0; i < t->program->reg_slots; i++) {
        struct reg_number both = join(t, before[i], t->now[i]);
        changed |= !equal(both, before[i]);
        before[i] = both;
    }
    t->changed[micro] |= changed;
    t->seen[micro] = true;
}

static void reach_successors(struct tracing *t, uint32_t at)
{
    const struct micro *micro = &t->program->micros[at];
    const uint32_t *list;
    uint32_t two[2], count = program_successors(t->program, at, &list, two);
    bool executes, surely = guard_known(t, micro, &executes);
    for (uint32_t i = 0; i < micro->target_count; i++)
        reach(t, micro->targets[i]);
    for (uint32_t i = 0; i < count; i++)
        if (count == 1 || list != two || !surely || executes == (i == 0))
            reach(t, list[i]);
}

static void follow(struct tracing *t)
{
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < t->program->micro_count; i++) {
            if (!t->changed[i])
                continue;
            again = true;
            t->changed[i] = false;
            memcpy(t->now, numbers_before(t, i), t->program->reg_slots * sizeof *t->now);
            apply(t, &t->program->micros[i]);
            reach_successors(t, i);
        }
    }
}

static void start(struct tracing *t, struct state *state)
{
    for (uint32_t i = 0; i < t->program->reg_slots; i++)
        t->now[i] = (struct reg_number){.kind = NUMBER_KNOWN,
                                        .of.value = *state_slot(t->machine, state, t->lane, i)};
    reach(t, t->program->entry);
}

static struct pointing pointing_of(struct tracing *t, uint32_t at)
{
    const struct micro *micro = &t->program->micros[at];
    struct pointing result = {.kind = POINTING_ANYWHERE};
    if (!micro_is_access(micro) || micro->flags & MICRO_HARDWARE)
        return result;
    t->now = numbers_before(t, at);
    struct reg_number base = number_of(t, micro->base);
    if (base.kind == NUMBER_KNOWN)
        base.of.value += (uint64_t)micro->offset;
    if (!points(t, base, &result.region))
        return result;
    result.kind = base.kind == NUMBER_KNOWN && result.region ? POINTING_AT : POINTING_INTO;
    if (base.kind == NUMBER_KNOWN)
        result.address = base.of.value;
    return result;
}

struct pointing *pointing_find(struct arena *arena, const struct machine *machine,
                               struct state *state, uint32_t lane)
{
    const struct program *program = machine_program(machine, lane);
    if (!program || (uint64_t)program->micro_count * program->reg_slots > MOST_NUMBERS)
        return NULL;
    struct arena *scratch = arena_new();
    size_t numbers = (size_t)program->micro_count * program->reg_slots;
    struct tracing t = {.machine = machine, .program = program, .lane = lane};
    struct pointing *found = ARENA_ARRAY(arena, struct pointing, program->micro_count + 1);
    t.before = ARENA_ARRAY(scratch, struct reg_number, numbers + 1);
    t.changed = ARENA_ARRAY(scratch, bool, program->micro_count + 1);
    t.seen = ARENA_ARRAY(scratch, bool, program->micro_count + 1);
    t.now = ARENA_ARRAY(scratch, struct reg_number, program->reg_slots + 1);
    start(&t, state);
    follow(&t);
    for (uint32_t i = 0; i < program->micro_count; i++)
        found[i] = t.seen[i] ? pointing_of(&t, i) : (struct pointing){.kind = POINTING_NEVER};
    arena_free(scratch);
    return found;
}
