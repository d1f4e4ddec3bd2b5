/* SPDX-License-Identifier: MIT */
#include "model/machine/race/predict.h"

#include "model/machine/race/private.h"

/* A detector of its own, which is told of the same run, but lets barriers alone order. */

enum {
    MOST_PAIRS = 64,
    MOST_ACCESSES = 1 << 24, /* of single lanes */
    MOST_TIMES = 1 << 10,    /* that a lane executes one of them */
    MOST_LOOKS = 16,         /* the same of a strong load, which may stand in a loop that waits */
};

void race_predict(struct race_detector *race, struct predictions *to)
{
    const struct machine *machine = race->machine;
    const struct program *program = machine_program(machine, 0);
    race->predictor = race_new(machine);
    struct prediction *p = race->predictor->prediction = g_new0(struct prediction, 1);
    p->to = to;
    p->counts = g_array_new(false, true, sizeof(uint32_t));
    p->number = g_new0(uint32_t, program->micro_count);
    for (uint32_t i = 0; i < program->micro_count; i++)
        if (micro_is_access(&program->micros[i]))
            p->number[program->micros[i].inst_index] = p->accesses++;
}

void predict_free(struct prediction *prediction)
{
    if (!prediction)
        return;
    g_array_unref(prediction->counts);
    g_free(prediction->number);
    g_free(prediction);
}

bool predict_access(struct race_detector *race, uint32_t lane, const struct micro *micro)
{
    struct prediction *p = race->prediction;
    struct race_context *now = race->now;
    if (!now->executed)
        now->executed = g_new0(uint32_t, (size_t)race->machine->lane_count * p->accesses);
    uint32_t *executed = &now->executed[(size_t)lane * p->accesses + p->number[micro->inst_index]];
    bool looks = micro->kind == MICRO_LOAD && race_strength(micro) != SCOPE_NONE;
    if (*executed == (looks ? MOST_LOOKS : MOST_TIMES)) {
        p->to->cut |= !looks;
        return false;
    }
    race->time++;
    g_array_set_size(p->counts, race->time + 1);
    g_array_index(p->counts, uint32_t, race->time) = ++*executed;
    p->over = race->time >= MOST_ACCESSES;
    p->to->cut |= p->over;
    return true;
}

static struct predicted_access access_of(const struct race_detector *race, const struct stamp *s,
                                         uint32_t p)
{
    const struct machine *machine = race->machine;
    uint32_t warp = s->warp - 1;
    return (struct predicted_access){
        .cluster = warp / machine->warp_count,
        .lane = machine->warps[warp % machine->warp_count].first_lane + p,
        .inst = stamp_pc(s),
        .count = g_array_index(race->prediction->counts, uint32_t, s->time)};
}

/* The last of the pairs at the same lines, if there are two; else room for one more, or NULL. */
static struct predicted_race *place_for(struct predictions *to, const struct machine_report *report)
{
    struct predicted_race *last = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < to->items.len; i++)
        if (to->items.at[i].report.lines == report->lines) {
            last = &to->items.at[i];
            count++;
        }
    if (count && to->first_only)
        return NULL;
    if (count > 1)
        return last;
    to->cut |= to->items.len == MOST_PAIRS;
    if (to->items.len == MOST_PAIRS)
        return NULL;
    vec_push(to->arena, &to->items, (struct predicted_race){0});
    return &to->items.at[to->items.len - 1];
}

void predict_pair(struct race_detector *race, const struct machine_report *report,
                  const struct stamp *first, uint32_t p, const struct stamp *second, uint32_t q)
{
    struct predictions *to = race->prediction->to;
    struct predicted_race *pair = place_for(to, report);
    if (!pair)
        return;
    if (!pair->report.text) {
        pair->report = *report;
        pair->report.text = arena_strdup(to->arena, report->text);
    }
    pair->first = access_of(race, first, p);
    pair->second = access_of(race, second, q);
}
