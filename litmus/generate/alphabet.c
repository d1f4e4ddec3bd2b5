/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/base/sort.h"
#include "litmus/generate/bounds.h"

/* The steps that a program may have. */

struct letters {
    struct arena *arena;
    const struct generate_bounds *bounds;
    struct generate_alphabet *alphabet;
};

static bool has(uint32_t set, uint32_t bit)
{
    return set >> bit & 1;
}

/* A step, and its forms that rest on a read. */
static void add(struct letters *letters, struct generated_step step)
{
    vec_push(letters->arena, &letters->alphabet->steps, step);
    for (uint8_t d = STEP_DATA; d <= STEP_IF; d++) {
        bool value = d != STEP_DATA || step.kind == STEP_STORE || step.atom;
        step.dependency = d;
        if (has(letters->bounds->dependencies, d) && step_is_access(&step) && value)
            vec_push(letters->arena, &letters->alphabet->steps, step);
    }
}

/* Once for each scope. */
static void add_scopes(struct letters *letters, struct generated_step step)
{
    for (uint8_t scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++) {
        step.scope = scope;
        if (has(letters->bounds->scopes, scope))
            add(letters, step);
    }
}

static bool sem_fits(enum step_kind kind, enum sem sem)
{
    switch (sem) {
    case SEM_RELAXED:
        return true;
    case SEM_WEAK:
        return kind == STEP_LOAD || kind == STEP_STORE;
    case SEM_ACQUIRE:
        return kind == STEP_LOAD || kind == STEP_ATOM;
    case SEM_RELEASE:
        return kind != STEP_LOAD;
    case SEM_ACQ_REL:
        return kind == STEP_ATOM;
    case SEM_NONE:
    case SEM_SC:
        return false;
    }
    return false;
}

static void add_access(struct letters *letters, struct generated_step step)
{
    static const enum sem sems[] = {SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL};
    for (size_t i = 0; i < sizeof sems / sizeof *sems; i++) {
        step.sem = (uint8_t)sems[i];
        step.scope = SCOPE_NONE;
        if (!has(letters->bounds->sems, sems[i]) || !sem_fits(step.kind, sems[i]))
            continue;
        if (sems[i] == SEM_WEAK)
            add(letters, step);
        else
            add_scopes(letters, step);
    }
    step.sem = SEM_RELAXED;
    step.scope = SCOPE_SYS;
    for (step.form = FORM_VOLATILE; step.form <= FORM_MMIO; step.form++)
        if (has(letters->bounds->forms, step.form) && step.kind != STEP_ATOM &&
            step.kind != STEP_RED)
            add(letters, step);
}

/* Accesses through an alias are as strong as others; those through another proxy are weak. */
static void add_proxies(struct letters *letters)
{
    static const enum proxy proxies[] = {PROXY_SURFACE, PROXY_TEXTURE, PROXY_CONSTANT};
    uint32_t set = letters->bounds->proxies;
    if (has(set, PROXY_ALIAS)) {
        add_access(letters, (struct generated_step){.kind = STEP_LOAD, .proxy = PROXY_ALIAS});
        add_access(letters, (struct generated_step){.kind = STEP_STORE, .proxy = PROXY_ALIAS});
        add(letters, (struct generated_step){.kind = STEP_PROXY_FENCE, .proxy = PROXY_ALIAS});
    }
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++) {
        struct generated_step step = {
            .kind = STEP_LOAD, .sem = SEM_WEAK, .proxy = (uint8_t)proxies[i]};
        if (!has(set, proxies[i]))
            continue;
        add(letters, step);
        step.kind = STEP_STORE;
        if (proxies[i] == PROXY_SURFACE)
            add(letters, step);
        add(letters,
            (struct generated_step){.kind = STEP_PROXY_FENCE, .proxy = (uint8_t)proxies[i]});
    }
}

static void add_fences(struct letters *letters)
{
    static const enum sem sems[] = {SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC};
    for (size_t i = 0; i < sizeof sems / sizeof *sems; i++)
        if (has(letters->bounds->fences, sems[i]))
            add_scopes(letters,
                       (struct generated_step){.kind = STEP_FENCE, .sem = (uint8_t)sems[i]});
}

static int compare_steps(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct generated_step));
}

void generate_alphabet(struct arena *arena, const struct generate_bounds *bounds,
                       struct generate_alphabet *alphabet)
{
    static const enum atom_op atoms[] = {ATOM_EXCH, ATOM_ADD, ATOM_CAS};
    struct letters letters = {arena, bounds, alphabet};
    *alphabet = (struct generate_alphabet){0};
    add_access(&letters, (struct generated_step){.kind = STEP_LOAD});
    add_access(&letters, (struct generated_step){.kind = STEP_STORE});
    for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++)
        if (has(bounds->atomics, atoms[i]))
            add_access(&letters,
                       (struct generated_step){.kind = STEP_ATOM, .atom = (uint8_t)atoms[i]});
    if (bounds->red)
        add_access(&letters, (struct generated_step){.kind = STEP_RED, .atom = ATOM_ADD});
    add_fences(&letters);
    add_proxies(&letters);
    if (bounds->barriers)
        add(&letters, (struct generated_step){.kind = STEP_BARRIER});
    sort_array(alphabet->steps.at, alphabet->steps.len, sizeof *alphabet->steps.at, compare_steps);
}
