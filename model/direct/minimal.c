/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/base/hash.h"
#include "litmus/generate/canonical.h"
#include "litmus/generate/weaken.h"
#include "model/direct/direct.h"

/* The weakest tests that forbid an outcome. What stands at each place of the program, an access or what comes between
 * two, is one of some choices, and stronger choices never allow more. So the tests that forbid lie above the minimal
 * ones: below a ceiling that forbids there is a minimal test, found by weakening place by place, and any
 * other one is below a ceiling that excludes this one at some place. */

/* A place, and what may stand there, weakest first; of a fence a step of kind STEP_LOAD is none. */
struct slot {
    uint8_t thread;
    bool fence;
    VEC(struct generated_step) choices;
    uint32_t real; /* choices; one more stands for the strongest of all if several are strongest */
    uint32_t *below; /* of a choice: the choices that are no stronger, as bits */
};
enum { SLOTS = GENERATED_THREADS * GENERATED_STEPS * 2 };
/* A choice for each place. */
struct choices {
    uint8_t at[SLOTS];
};

struct weakening {
    struct arena *arena;
    struct direct_model *model;
    const struct generate_bounds *bounds;
    const struct generated_program *shape;
    const uint32_t *values;
    struct slot slots[SLOTS];
    uint32_t slot_count;
    VEC(struct choices) found, ceilings; /* minimal tests; ceilings that were looked below */
    struct hash_table is_ceiling;
    direct_visit *visit;
    void *context;
};

/* ---- places --------------------------------------------------------------------------------- */

static bool is_fence(const struct generated_step *step)
{
    return step->kind == STEP_FENCE;
}

/* The widest scope that anything within the bounds has. */
static uint8_t widest(const struct generate_bounds *bounds)
{
    uint8_t scope = SCOPE_SYS;
    while (!bounds->forms && scope > SCOPE_CTA && !(bounds->scopes >> scope & 1))
        scope--;
    return scope;
}

/* What nothing that may stand there is stronger than. */
static struct generated_step strongest(const struct generate_bounds *bounds,
                                       struct generated_step step)
{
    static const uint8_t sems[] = {[STEP_STORE] = SEM_RELEASE,
                                   [STEP_LOAD] = SEM_ACQUIRE,
                                   [STEP_ATOM] = SEM_ACQ_REL,
                                   [STEP_RED] = SEM_RELEASE,
                                   [STEP_FENCE] = SEM_SC};
    step.sem = sems[step.kind];
    step.scope = widest(bounds);
    step.form = FORM_PLAIN;
    return step;
}

/* The same access, as strong as the alphabet has it. */
static bool is_same(const struct generated_step *letter, const struct generated_step *access)
{
    return letter->kind == access->kind && letter->atom == access->atom &&
           letter->proxy == access->proxy && letter->dependency == access->dependency;
}

static bool is_no_stronger(const struct slot *slot, uint8_t a, uint8_t b)
{
    if (slot->fence && (a == 0 || b == 0))
        return a == 0;
    return generated_at_most(&slot->choices.at[a], &slot->choices.at[b]);
}

static bool at_most(const struct slot *slot, uint8_t a, uint8_t b)
{
    return slot->below[b] >> a & 1;
}

/* The last choice is to be the strongest. */
static void end_slot(struct weakening *w, struct slot *slot, struct generated_step strongest)
{
    bool has_one = true;
    slot->real = slot->choices.len;
    for (uint8_t i = 0; i < slot->real; i++)
        has_one &= is_no_stronger(slot, i, (uint8_t)(slot->real - 1));
    strongest.location = slot->choices.at[0].location;
    if (!has_one)
        vec_push(w->arena, &slot->choices, strongest);
    slot->below = ARENA_ARRAY(w->arena, uint32_t, slot->choices.len);
    for (uint8_t a = 0; a < slot->choices.len; a++)
        for (uint8_t b = 0; b < slot->choices.len; b++)
            slot->below[b] |= (uint32_t)is_no_stronger(slot, a, b) << a;
}

static void add_access_slot(struct weakening *w, const struct generate_alphabet *alphabet,
                            uint8_t thread, const struct generated_step *access)
{
    struct slot *slot = &w->slots[w->slot_count++];
    *slot = (struct slot){.thread = thread};
    for (uint32_t i = 0; i < alphabet->steps.len; i++) {
        struct generated_step step = alphabet->steps.at[i];
        step.location = access->location;
        if (is_same(&step, access))
            vec_push(w->arena, &slot->choices, step);
    }
    end_slot(w, slot, strongest(w->bounds, *access));
}

static void add_fence_slot(struct weakening *w, const struct generate_alphabet *alphabet,
                           uint8_t thread)
{
    static const struct generated_step none = {.kind = STEP_LOAD}, fence = {.kind = STEP_FENCE};
    struct slot *slot = &w->slots[w->slot_count];
    *slot = (struct slot){.thread = thread, .fence = true};
    vec_push(w->arena, &slot->choices, none);
    for (uint32_t i = 0; i < alphabet->steps.len; i++)
        if (is_fence(&alphabet->steps.at[i]))
            vec_push(w->arena, &slot->choices, alphabet->steps.at[i]);
    w->slot_count += slot->choices.len > 1;
    end_slot(w, slot, strongest(w->bounds, fence));
}

static void add_slots(struct weakening *w)
{
    struct generate_alphabet alphabet;
    generate_alphabet(w->arena, w->bounds, &alphabet);
    for (uint8_t t = 0; t < w->shape->threads; t++)
        for (uint32_t i = 0; i < w->shape->count[t]; i++) {
            add_access_slot(w, &alphabet, t, &w->shape->steps[t][i]);
            if (i + 1 < w->shape->count[t])
                add_fence_slot(w, &alphabet, t);
        }
}

/* ---- programs ------------------------------------------------------------------------------- */

static struct generated_program program_of(const struct weakening *w, const struct choices *chosen)
{
    struct generated_program program = *w->shape;
    memset(program.count, 0, sizeof program.count);
    memset(program.steps, 0, sizeof program.steps);
    for (uint32_t k = 0; k < w->slot_count; k++) {
        const struct slot *slot = &w->slots[k];
        const struct generated_step *step = &slot->choices.at[chosen->at[k]];
        if (!slot->fence || is_fence(step))
            program.steps[slot->thread][program.count[slot->thread]++] = *step;
    }
    return program;
}

static bool forbids(const struct weakening *w, const struct choices *chosen)
{
    struct generated_program program = program_of(w, chosen);
    return !direct_allows(w->model, &program, w->values);
}

/* ---- what is found -------------------------------------------------------------------------- */

bool direct_is_minimal(struct direct_model *model, const struct generated_program *program,
                       const uint32_t *values)
{
    struct generated_program weaker;
    uint32_t weaker_values[OBSERVED_MOST];
    if (direct_allows(model, program, values))
        return false;
    for (uint32_t i = 0; generated_weaken(program, values, i, &weaker, weaker_values); i++)
        if (!direct_allows(model, &weaker, weaker_values))
            return false;
    return true;
}

static bool is_real(const struct weakening *w, const struct choices *chosen)
{
    for (uint32_t k = 0; k < w->slot_count; k++)
        if (chosen->at[k] >= w->slots[k].real)
            return false;
    return true;
}

static void take(const struct weakening *w, const struct choices *chosen)
{
    struct generated_program program = program_of(w, chosen);
    uint32_t size = generated_size(&program);
    if (is_real(w, chosen) && size >= w->bounds->instructions.least &&
        size <= w->bounds->instructions.most && direct_is_minimal(w->model, &program, w->values) &&
        canonical_outcome(&program, w->values))
        w->visit(w->context, &program, w->values);
}

/* ---- ceilings ------------------------------------------------------------------------------- */

/* From a ceiling that forbids down to a minimal test. */
static struct choices weaken_all(const struct weakening *w, const struct choices *ceiling)
{
    struct choices now = *ceiling;
    for (uint32_t k = 0; k < w->slot_count; k++)
        for (uint8_t i = 0; i < ceiling->at[k]; i++) {
            if (!at_most(&w->slots[k], i, ceiling->at[k]))
                continue;
            now.at[k] = i;
            if (forbids(w, &now))
                break;
            now.at[k] = ceiling->at[k];
        }
    return now;
}

static bool is_below(const struct weakening *w, const struct choices *a, const struct choices *b)
{
    for (uint32_t k = 0; k < w->slot_count; k++)
        if (!at_most(&w->slots[k], a->at[k], b->at[k]))
            return false;
    return true;
}

/* A minimal test below the ceiling; false if there is none. */
static bool find_below(struct weakening *w, const struct choices *ceiling, struct choices *found)
{
    for (uint32_t i = 0; i < w->found.len; i++)
        if (is_below(w, &w->found.at[i], ceiling)) {
            *found = w->found.at[i];
            return true;
        }
    if (!forbids(w, ceiling))
        return false;
    *found = weaken_all(w, ceiling);
    vec_push(w->arena, &w->found, *found);
    take(w, found);
    return true;
}

static bool is_same_ceiling(const void *items, uint32_t index, const void *key)
{
    const struct choices *all = items;
    return memcmp(&all[index], key, sizeof *all) == 0;
}

static bool is_news(struct weakening *w, const struct choices *ceiling)
{
    uint64_t hash = hash_bytes(ceiling, sizeof *ceiling, 0);
    if (hash_find(&w->is_ceiling, hash, is_same_ceiling, w->ceilings.at, ceiling) != HASH_NONE)
        return false;
    hash_add(w->arena, &w->is_ceiling, hash);
    vec_push(w->arena, &w->ceilings, *ceiling);
    return true;
}

/* Is the choice, below the ceiling and not above the one found, the strongest such? */
static bool is_next(const struct slot *slot, uint8_t choice, uint8_t ceiling, uint8_t found)
{
    if (!at_most(slot, choice, ceiling) || at_most(slot, found, choice))
        return false;
    for (uint8_t other = 0; other < slot->choices.len; other++)
        if (other != choice && at_most(slot, other, ceiling) && !at_most(slot, found, other) &&
            at_most(slot, choice, other))
            return false;
    return true;
}

static void look_below(struct weakening *w, const struct choices *ceiling)
{
    struct choices found, lower;
    if (!is_news(w, ceiling) || !find_below(w, ceiling, &found))
        return;
    for (uint32_t k = 0; k < w->slot_count; k++)
        for (uint8_t i = 0; i < w->slots[k].choices.len; i++) {
            if (!is_next(&w->slots[k], i, ceiling->at[k], found.at[k]))
                continue;
            lower = *ceiling;
            lower.at[k] = i;
            look_below(w, &lower);
        }
}

void direct_minimal(struct direct_model *model, const struct generate_bounds *bounds,
                    const struct generated_program *shape, const uint32_t *values,
                    direct_visit *visit, void *context)
{
    struct weakening w = {.arena = arena_new(),
                          .model = model,
                          .bounds = bounds,
                          .shape = shape,
                          .values = values,
                          .visit = visit,
                          .context = context};
    struct choices ceiling = {{0}};
    add_slots(&w);
    for (uint32_t k = 0; k < w.slot_count; k++)
        ceiling.at[k] = (uint8_t)(w.slots[k].choices.len - 1);
    look_below(&w, &ceiling);
    arena_free(w.arena);
}
