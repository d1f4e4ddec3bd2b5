/* SPDX-License-Identifier: MIT */
#include "litmus/generate/weaken.h"

#include <string.h>

/* ---- an instruction weaker ------------------------------------------------------------------ */

/* A row for each step of PTX's semantics: accesses, then fences. */
static const struct {
    bool fence;
    enum sem from, to;
} weaker_sems[] = {
    {false, SEM_ACQ_REL, SEM_ACQUIRE}, {false, SEM_ACQ_REL, SEM_RELEASE},
    {false, SEM_ACQUIRE, SEM_RELAXED}, {false, SEM_RELEASE, SEM_RELAXED},
    {false, SEM_RELAXED, SEM_WEAK},    {true, SEM_SC, SEM_ACQ_REL},
    {true, SEM_ACQ_REL, SEM_ACQUIRE},  {true, SEM_ACQ_REL, SEM_RELEASE},
};
enum { WEAKER_SEMS = sizeof weaker_sems / sizeof *weaker_sems };
/* Ways to weaken one step; the last leaves it out. */
enum { WAY_SCOPE = WEAKER_SEMS, WAY_DEPENDENCY, WAY_LEAVE_OUT, WAYS };

static bool weaken_sem(struct generated_step *step, uint32_t row)
{
    bool fence = step->kind == STEP_FENCE,
         atomic = step->kind == STEP_ATOM || step->kind == STEP_RED;
    if ((!fence && !step_is_access(step)) || fence != weaker_sems[row].fence ||
        step->sem != weaker_sems[row].from || (atomic && weaker_sems[row].to == SEM_WEAK))
        return false;
    step->sem = (uint8_t)weaker_sems[row].to;
    if (step->sem == SEM_WEAK) {
        step->scope = SCOPE_NONE;
        step->form = FORM_PLAIN;
    }
    return true;
}

static bool weaken_step(struct generated_step *step, uint32_t way)
{
    if (way < WEAKER_SEMS)
        return weaken_sem(step, way);
    if (way == WAY_SCOPE) {
        bool narrows = step->scope > SCOPE_CTA && step->form == FORM_PLAIN;
        step->scope = (uint8_t)(step->scope - narrows);
        return narrows;
    }
    bool depends = step->dependency != STEP_FREE;
    step->dependency = STEP_FREE;
    return depends;
}

bool generated_at_most(const struct generated_step *weaker, const struct generated_step *step)
{
    if (memcmp(weaker, step, sizeof *step) == 0)
        return true;
    for (uint32_t way = 0; way < WAY_LEAVE_OUT; way++) {
        struct generated_step next = *step;
        if (weaken_step(&next, way) && generated_at_most(weaker, &next))
            return true;
    }
    return false;
}

/* ---- an instruction less -------------------------------------------------------------------- */

/* Writes keep their values, whatever is left out. */
static void fix_constants(const struct generated_program *program, struct generated_program *fixed)
{
    *fixed = *program;
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            if (step_writes(&program->steps[t][i]))
                fixed->steps[t][i].constant = (uint8_t)generated_value(program, t, i);
}

/* What rested on the step rests on nothing. */
static void free_dependents(struct generated_program *program, uint32_t thread, uint32_t step)
{
    for (uint32_t i = step + 1; i < program->count[thread]; i++) {
        program->steps[thread][i].dependency = STEP_FREE;
        if (step_returns(&program->steps[thread][i]))
            break;
    }
}

/* Does what the outcome says of a location's value come from the step? */
static bool comes_from(const struct generated_program *program, const struct generated_step *step,
                       uint32_t location, uint32_t value)
{
    if (!step_writes(step) || step->location != location || value == OUTCOME_ANY)
        return false;
    return generated_is_added_to(program, location) ? (value & step->constant) != 0
                                                    : value == step->constant;
}

/* The values that the program with a step less is asked for. */
static void keep_values(const struct generated_program *fixed, const uint32_t *values,
                        uint32_t thread, uint32_t step, const struct generated_program *less,
                        uint32_t *kept)
{
    struct generated_observation before, after;
    uint32_t k = 0;
    generated_observe(fixed, &before);
    generated_observe(less, &after);
    for (uint32_t i = 0; i < before.count; i++) {
        struct generated_observed what = before.at[i];
        bool final = what.thread == OBSERVED_LOCATION;
        if (!final && what.thread == thread && what.step == step)
            continue;
        if (final && (k == after.count || after.at[k].step != what.step))
            continue; /* fewer than two writes are left */
        uint32_t location = final ? what.step : fixed->steps[what.thread][what.step].location;
        kept[k++] = comes_from(fixed, &fixed->steps[thread][step], location, values[i])
                        ? OUTCOME_ANY
                        : values[i];
    }
}

static void leave_out(const struct generated_program *program, const uint32_t *values,
                      uint32_t thread, uint32_t step, struct generated_program *less,
                      uint32_t *kept)
{
    struct generated_program fixed;
    fix_constants(program, &fixed);
    *less = fixed;
    if (step_returns(&fixed.steps[thread][step]))
        free_dependents(less, thread, step);
    memmove(&less->steps[thread][step], &less->steps[thread][step + 1],
            (less->count[thread] - step - 1) * sizeof **less->steps);
    less->count[thread]--;
    keep_values(&fixed, values, thread, step, less, kept);
}

bool generated_weaken(const struct generated_program *program, const uint32_t *values,
                      uint32_t number, struct generated_program *weaker, uint32_t *weaker_values)
{
    struct generated_observation observation;
    generated_observe(program, &observation);
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            for (uint32_t way = 0; way < WAYS; way++) {
                struct generated_step step = program->steps[t][i];
                if ((way != WAY_LEAVE_OUT && !weaken_step(&step, way)) || number-- > 0)
                    continue;
                if (way == WAY_LEAVE_OUT) {
                    leave_out(program, values, t, i, weaker, weaker_values);
                    return true;
                }
                *weaker = *program;
                weaker->steps[t][i] = step;
                memcpy(weaker_values, values, observation.count * sizeof *values);
                return true;
            }
    return false;
}
