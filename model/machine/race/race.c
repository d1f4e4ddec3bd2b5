/* SPDX-License-Identifier: MIT */

#include "model/machine/race/private.h"

/* What the detector keeps, and for which cluster of a launch. */

static struct race_context *context_new(const struct machine *machine)
{
    struct race_context *context = g_new(struct race_context, 1);
    *context =
        (struct race_context){.machine = machine,
                              .threads = g_new0(struct thread_clock, machine->lane_count),
                              .barriers = g_new0(struct gathering, machine->cta_count * BARRIERS),
                              .phases = g_new0(struct phase, 2 * machine->cluster_count),
                              .shared = g_new0(struct cells, machine->region_count),
                              .variables = race_variables_new()};
    return context;
}

static void free_cells(const struct machine *machine, struct cells *regions)
{
    for (uint32_t r = 0; r < machine->region_count; r++)
        cells_free(&regions[r]);
}

static void forget(struct clock **clock, struct proxied *proxied)
{
    clock_unref(*clock);
    proxied_clear(proxied);
}

static void context_free(gpointer data)
{
    struct race_context *context = data;
    const struct machine *machine = context->machine;
    for (uint32_t i = 0; i < machine->lane_count; i++) {
        struct thread_clock *thread = &context->threads[i];
        clock_unref(thread->known);
        proxied_clear(&thread->proxied);
        g_clear_pointer(&thread->copies, g_array_unref);
        heads_clear(&thread->fenced);
        heads_clear(&thread->released);
        heads_clear(&thread->pending);
    }
    for (uint32_t i = 0; i < machine->cta_count * BARRIERS; i++)
        forget(&context->barriers[i].clock, &context->barriers[i].proxied);
    for (uint32_t i = 0; i < 2 * machine->cluster_count; i++)
        forget(&context->phases[i].clock, &context->phases[i].proxied);
    free_cells(machine, context->shared);
    g_hash_table_destroy(context->variables);
    g_free(context->threads);
    g_free(context->barriers);
    g_free(context->phases);
    g_free(context->executed);
    g_free(context->shared);
    g_free(context);
}

/* The narrowest scope that holds every thread of the machine: now (round 0), or whichever cluster of a launch
 * it stands for (round 1). A launch has one device; the columns of a test and the tasks of a host program may
 * have several. */
static uint32_t scope_of_all(const struct machine *machine, uint32_t round)
{
    const struct scope_place first = scope_place_of(machine, 0, 0);
    uint32_t scope = SCOPE_NONE;
    for (uint32_t i = 0; i < machine->cta_count; i++) {
        const struct scope_place other = scope_place_of(machine, i, round);
        while (!scope_holds(scope, &first, &other))
            scope++;
    }
    return scope;
}

static bool uses_textures(const struct machine *machine)
{
    for (uint32_t p = 0; p < machine->program_count; p++)
        for (uint32_t i = 0; machine->programs[p] && i < machine->programs[p]->micro_count; i++)
            if (machine->programs[p]->micros[i].kind == MICRO_TEXTURE ||
                machine->programs[p]->micros[i].kind == MICRO_SURFACE)
                return true;
    return false;
}

struct race_detector *race_new(const struct machine *machine)
{
    struct race_detector *race = g_new0(struct race_detector, 1);
    race->machine = machine;
    race->lockstep = machine->options.mode == MACHINE_LOCKSTEP;
    race->wide_scope = scope_of_all(machine, 1);
    race->near_scope = scope_of_all(machine, 0);
    race->textures = uses_textures(machine);
    race->contexts = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, context_free);
    race->cells = g_new0(struct cells, machine->region_count);
    race->variables = race_variables_new();
    race_reset(race);
    return race;
}

void race_free(struct race_detector *race)
{
    if (!race)
        return;
    race_free(race->predictor);
    predict_free(race->prediction);
    free_cells(race->machine, race->cells);
    heads_clear(&race->fences);
    race_forget_sum(race);
    g_hash_table_destroy(race->contexts);
    g_hash_table_destroy(race->variables);
    g_clear_pointer(&race->past, g_hash_table_destroy);
    g_free(race->cells);
    g_free(race);
}

void race_reset(struct race_detector *race)
{
    g_hash_table_remove_all(race->contexts);
    g_hash_table_remove_all(race->variables);
    free_cells(race->machine, race->cells);
    heads_clear(&race->fences);
    race->time = race->written = 0;
    race_enter_cluster(race, 0);
}

void race_enter_cluster(struct race_detector *race, uint32_t index)
{
    if (race->predictor)
        race_enter_cluster(race->predictor, index);
    race->now = g_hash_table_lookup(race->contexts, GUINT_TO_POINTER(index));
    if (!race->now) {
        race->now = context_new(race->machine);
        race->time++;
        g_hash_table_insert(race->contexts, GUINT_TO_POINTER(index), race->now);
    }
    race->first_warp = 1 + index * race->machine->warp_count;
    race->first_cta = index * race->machine->cta_count;
}

void race_leave_cluster(struct race_detector *race, uint32_t index)
{
    if (race->predictor)
        race_leave_cluster(race->predictor, index);
    g_hash_table_remove(race->contexts, GUINT_TO_POINTER(index));
    race->now = NULL;
}
