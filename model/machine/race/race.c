/* SPDX-License-Identifier: MIT */
#include "model/machine/race/race.h"

#include "model/machine/race/private.h"

/* What the detector keeps, and for which cluster of a launch. */

static struct race_context context_new(const struct machine *machine)
{
    return (struct race_context){.threads = g_new0(struct thread_clock, machine->lane_count),
                                 .barriers =
                                     g_new0(struct gathering, machine->cta_count * BARRIERS),
                                 .phases = g_new0(struct phase, 2 * machine->cluster_count),
                                 .shared = g_new0(struct cells, machine->region_count),
                                 .variables = race_variables_new()};
}

static void each_region(const struct race_detector *race, struct cells *regions,
                        void (*act)(struct cells *))
{
    for (uint32_t r = 0; r < race->machine->region_count; r++)
        act(&regions[r]);
}

static void forget_thread(struct thread_clock *thread)
{
    clock_unref(thread->known);
    heads_clear(&thread->fenced);
    heads_clear(&thread->released);
    heads_clear(&thread->pending);
    *thread = (struct thread_clock){0};
}

/* Forgets everything but keeps the storage. */
static void context_clear(const struct race_detector *race, struct race_context *context)
{
    const struct machine *machine = race->machine;
    for (uint32_t i = 0; i < machine->lane_count; i++)
        forget_thread(&context->threads[i]);
    for (uint32_t i = 0; i < machine->cta_count * BARRIERS; i++)
        race_forget_gathering(&context->barriers[i]);
    for (uint32_t i = 0; i < 2 * machine->cluster_count; i++) {
        clock_unref(context->phases[i].clock);
        context->phases[i] = (struct phase){0};
    }
    each_region(race, context->shared, cells_clear);
    g_hash_table_remove_all(context->variables);
}

static void context_free(const struct race_detector *race, struct race_context *context)
{
    context_clear(race, context);
    each_region(race, context->shared, cells_free);
    g_hash_table_destroy(context->variables);
    g_free(context->threads);
    g_free(context->barriers);
    g_free(context->phases);
    g_free(context->shared);
}

/* A launch has one device; the columns of a test and the tasks of a host program may have several.
 */
static uint32_t wide_scope(const struct machine *machine)
{
    for (uint32_t i = 1; i < machine->cta_count; i++)
        if (machine->ctas[i].gpu != machine->ctas[0].gpu)
            return SCOPE_SYS;
    return SCOPE_GPU;
}

struct race_detector *race_new(const struct machine *machine)
{
    struct race_detector *race = g_new0(struct race_detector, 1);
    race->machine = machine;
    race->lockstep = machine->options.mode == MACHINE_LOCKSTEP;
    race->wide_scope = wide_scope(machine);
    race->now = context_new(machine);
    race->parked = g_hash_table_new(g_direct_hash, g_direct_equal);
    race->cells = g_new0(struct cells, machine->region_count);
    race->variables = race_variables_new();
    race_reset(race);
    return race;
}

static void free_parked(struct race_detector *race)
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

void race_free(struct race_detector *race)
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

static void stand_for(struct race_detector *race, uint32_t index)
{
    race->first_warp = 1 + index * race->machine->warp_count;
    race->first_cta = index * race->machine->cta_count;
}

void race_reset(struct race_detector *race)
{
    context_clear(race, &race->now);
    free_parked(race);
    g_hash_table_remove_all(race->variables);
    each_region(race, race->cells, cells_free);
    heads_clear(&race->fences);
    race->time = 1;
    stand_for(race, 0);
}

void race_start_cluster(struct race_detector *race, uint32_t index)
{
    context_clear(race, &race->now);
    race->time++;
    stand_for(race, index);
}

void race_park_cluster(struct race_detector *race, uint32_t index)
{
    struct race_context *kept = g_new(struct race_context, 1);
    *kept = race->now;
    g_hash_table_insert(race->parked, GUINT_TO_POINTER(index + 1), kept);
    race->now = context_new(race->machine);
}

void race_resume_cluster(struct race_detector *race, uint32_t index)
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
