/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_OUTCOME_H
#define LITMUS_GENERATE_OUTCOME_H

#include "litmus/base/arena.h"
#include "litmus/generate/program.h"

/* Final states of a generated program: what each load and atom returned, thread by thread, then the
 * last value of each location that is written more than once. */

/* In place of a value: nothing is asked of it. */
#define OUTCOME_ANY UINT32_MAX

enum {
    OBSERVED_MOST = GENERATED_THREADS * GENERATED_STEPS + GENERATED_LOCATIONS,
    OBSERVED_LOCATION = UINT8_MAX
};
struct generated_observed {
    uint8_t thread; /* OBSERVED_LOCATION: 'step' is a location */
    uint8_t step;
};
struct generated_observation {
    uint32_t count;
    struct generated_observed at[OBSERVED_MOST];
};
void generated_observe(const struct generated_program *program,
                       struct generated_observation *observation);

/* Does the outcome say anything? Not if all is OUTCOME_ANY. */
bool generated_asks(const struct generated_program *program, const uint32_t *values);

/* How far from sequential consistency an outcome is. */
enum outcome_class {
    OUTCOME_WEAK,       /* no interleaving gives it, but each location alone could be so */
    OUTCOME_INCOHERENT, /* nor could some location alone */
    OUTCOME_SC          /* some interleaving gives it */
};
struct generated_outcome {
    enum outcome_class class;
    uint32_t *values; /* one for each of the observation */
};
struct generated_outcomes {
    VEC(struct generated_outcome) items;
};
/* Every outcome in which each read returns what some write to its location, or the initial state,
 * gives it, without values out of thin air: sorted by class, then by values. In 'arena'. */
void generated_outcomes(struct arena *arena, const struct generated_program *program,
                        struct generated_outcomes *outcomes);
/* Does some interleaving of the threads end with these values? */
bool generated_is_sc(const struct generated_program *program,
                     const struct generated_observation *observation, const uint32_t *values);

#endif
