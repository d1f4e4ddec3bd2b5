/* SPDX-License-Identifier: MIT */
#include "model/direct/events.h"

#include <assert.h>
#include <string.h>

/* ---- events --------------------------------------------------------------------------------- */

static event_tags tags_of(const struct generated_step *step, bool reads)
{
    event_tags acquires = TAG(ACQUIRE_FENCE) | TAG(ACQ), releases = TAG(RELEASE_FENCE) | TAG(REL);
    bool fence = step->kind == STEP_FENCE;
    switch ((enum sem)step->sem) {
    case SEM_NONE:
    case SEM_WEAK:
        return TAG(WEAK);
    case SEM_RELAXED:
        return TAG(RLX);
    case SEM_ACQUIRE:
        return fence ? acquires : reads ? TAG(ACQ) : TAG(RLX);
    case SEM_RELEASE:
        return fence ? releases : reads ? TAG(RLX) : TAG(REL);
    case SEM_ACQ_REL:
        return fence ? TAG(ACQ_REL) : reads ? TAG(ACQ) : TAG(REL);
    case SEM_SC:
        return TAG(SC) | TAG(ACQ_REL);
    }
    return 0;
}

/* red acquires nothing. */
static event_tags access_tags(const struct generated_step *step, bool reads)
{
    event_tags tags = tags_of(step, reads) | TAG(GEN);
    if (step->form == FORM_VOLATILE)
        tags |= TAG(VOLATILE);
    if (step->form == FORM_MMIO)
        tags |= TAG(MMIO);
    if (step->kind == STEP_ATOM || step->kind == STEP_RED)
        tags |= TAG(RMW);
    if (step->kind == STEP_RED)
        tags = (tags & ~TAG(ACQ)) | TAG(RED) | (tags & TAG(ACQ) ? TAG(RLX) : 0);
    return tags;
}

static struct direct_event *add_event(struct direct_events *events, enum direct_kind kind,
                                      event_tags tags)
{
    struct direct_event *event = &events->at[events->count];
    *event = (struct direct_event){
        .kind = (uint8_t)kind, .partner = (uint8_t)events->count, .tags = tags};
    events->count++;
    return event;
}

static void add_step(struct direct_events *events, const struct generated_program *program,
                     uint8_t thread, uint8_t index)
{
    const struct generated_step *step = &program->steps[thread][index];
    uint32_t first = events->count;
    if (step->kind == STEP_FENCE)
        add_event(events, DIRECT_FENCE, tags_of(step, false) | TAG(GEN));
    if (step_reads(step))
        add_event(events, DIRECT_READ, access_tags(step, true));
    if (step_writes(step)) {
        struct direct_event *write = add_event(events, DIRECT_WRITE, access_tags(step, false));
        write->constant = generated_value(program, thread, index);
        write->adds = step->atom == ATOM_ADD;
        events->writes[step->location][events->write_count[step->location]++] =
            (uint8_t)(write - events->at);
    }
    if (step->kind == STEP_FENCE && step->sem == SEM_SC)
        events->fences[events->fence_count++] = (uint8_t)first;
    for (uint32_t e = first; e < events->count; e++) {
        struct direct_event *event = &events->at[e];
        event->thread = thread;
        event->step = index;
        event->location = step->location;
        event->scope = step->scope;
        if (events->count - first == 2)
            event->partner = (uint8_t)(first + events->count - 1 - e);
    }
}

/* ---- what no choice changes ----------------------------------------------------------------- */

static bool reaches(const struct generated_program *program, const struct direct_event *from,
                    const struct direct_event *to)
{
    const struct generated_place *a = &program->place[from->thread],
                                 *b = &program->place[to->thread];
    switch ((enum scope)from->scope) {
    case SCOPE_NONE:
        return false;
    case SCOPE_CTA:
        return a->cta == b->cta;
    case SCOPE_CLUSTER:
        return program->clusters ? a->cluster == b->cluster : a->cta == b->cta;
    case SCOPE_GPU:
        return a->gpu == b->gpu;
    case SCOPE_SYS:
        return true;
    }
    return false;
}

bool direct_has(enum base base)
{
    static const bool known[BASE_COUNT] = {[BASE__] = true,
                                           [BASE_R] = true,
                                           [BASE_W] = true,
                                           [BASE_M] = true,
                                           [BASE_F] = true,
                                           [BASE_IW] = true,
                                           [BASE_I] = true,
                                           [BASE_CTA] = true,
                                           [BASE_CLUSTER] = true,
                                           [BASE_GPU] = true,
                                           [BASE_SYS] = true,
                                           [BASE_WEAK] = true,
                                           [BASE_RLX] = true,
                                           [BASE_ACQ] = true,
                                           [BASE_REL] = true,
                                           [BASE_ACQ_REL] = true,
                                           [BASE_SC] = true,
                                           [BASE_GEN] = true,
                                           [BASE_RMW] = true,
                                           [BASE_RED] = true,
                                           [BASE_RELEASE_FENCE] = true,
                                           [BASE_VOLATILE] = true,
                                           [BASE_MMIO] = true,
                                           [BASE_ACQUIRE_FENCE] = true,
                                           [BASE_id] = true,
                                           [BASE_po] = true,
                                           [BASE_sb] = true,
                                           [BASE_int] = true,
                                           [BASE_ext] = true,
                                           [BASE_rmw] = true,
                                           [BASE_sr] = true,
                                           [BASE_incl] = true,
                                           [BASE_scta] = true,
                                           [BASE_scluster] = true,
                                           [BASE_single_copy] = true,
                                           [BASE_loc] = true,
                                           [BASE_vloc] = true,
                                           [BASE_overlap] = true,
                                           [BASE_data] = true,
                                           [BASE_semantic_dep] = true,
                                           [BASE_rf] = true,
                                           [BASE_co] = true,
                                           [BASE_fr] = true,
                                           [BASE_sync_fence] = true};
    return known[base];
}

static void put(struct direct_events *events, enum base base, uint32_t a, uint32_t b, bool holds)
{
    if (!holds)
        return;
    assert(direct_has(base));
    events->base[base].row[a] |= UINT32_C(1) << b;
}

static void relate(struct direct_events *events, const struct generated_program *program,
                   uint32_t a, uint32_t b)
{
    const struct direct_event *x = &events->at[a], *y = &events->at[b];
    bool placed = x->kind != DIRECT_INIT && y->kind != DIRECT_INIT,
         inside = placed && x->thread == y->thread,
         memory = x->kind != DIRECT_FENCE && y->kind != DIRECT_FENCE,
         met = memory && x->location == y->location;
    bool sr = placed && reaches(program, x, y) && reaches(program, y, x);
    const struct generated_place *at = program->place;
    put(events, BASE_id, a, b, a == b);
    put(events, BASE_po, a, b, inside && a < b);
    put(events, BASE_sb, a, b, inside && a < b);
    put(events, BASE_int, a, b, a == b || inside);
    put(events, BASE_ext, a, b, a != b && !inside);
    put(events, BASE_rmw, a, b, a != b && x->partner == b && x->kind == DIRECT_READ);
    put(events, BASE_sr, a, b, sr);
    put(events, BASE_incl, a, b, !placed || inside || sr);
    put(events, BASE_scta, a, b, placed && at[x->thread].cta == at[y->thread].cta);
    put(events, BASE_scluster, a, b,
        placed && (program->clusters ? at[x->thread].cluster == at[y->thread].cluster
                                     : at[x->thread].cta == at[y->thread].cta));
    put(events, BASE_single_copy, a, b, memory);
    put(events, BASE_loc, a, b, met);
    put(events, BASE_vloc, a, b, met);
    put(events, BASE_overlap, a, b, met);
    if (a != b && x->partner == b && x->kind == DIRECT_READ && y->adds) {
        put(events, BASE_data, a, b, true);
        put(events, BASE_semantic_dep, a, b, true);
    }
}

static void sort_event(struct direct_events *events, uint32_t e)
{
    const struct direct_event *event = &events->at[e];
    const bool in[] = {[BASE__] = true,
                       [BASE_R] = event->kind == DIRECT_READ,
                       [BASE_W] = event->kind == DIRECT_WRITE || event->kind == DIRECT_INIT,
                       [BASE_M] = event->kind != DIRECT_FENCE,
                       [BASE_F] = event->kind == DIRECT_FENCE,
                       [BASE_IW] = event->kind == DIRECT_INIT,
                       [BASE_I] = event->kind == DIRECT_INIT,
                       [BASE_CTA] = event->scope == SCOPE_CTA,
                       [BASE_CLUSTER] = event->scope == SCOPE_CLUSTER,
                       [BASE_GPU] = event->scope == SCOPE_GPU,
                       [BASE_SYS] = event->scope == SCOPE_SYS};
    static const struct {
        enum base base;
        event_tags tag;
    } tagged[] = {{BASE_WEAK, TAG(WEAK)},
                  {BASE_RLX, TAG(RLX)},
                  {BASE_ACQ, TAG(ACQ)},
                  {BASE_REL, TAG(REL)},
                  {BASE_ACQ_REL, TAG(ACQ_REL)},
                  {BASE_SC, TAG(SC)},
                  {BASE_GEN, TAG(GEN)},
                  {BASE_RMW, TAG(RMW)},
                  {BASE_RED, TAG(RED)},
                  {BASE_RELEASE_FENCE, TAG(RELEASE_FENCE)},
                  {BASE_ACQUIRE_FENCE, TAG(ACQUIRE_FENCE)},
                  {BASE_VOLATILE, TAG(VOLATILE)},
                  {BASE_MMIO, TAG(MMIO)}};
    for (uint32_t base = 0; base < sizeof in; base++)
        put(events, base, 0, e, in[base]);
    for (size_t i = 0; i < sizeof tagged / sizeof *tagged; i++)
        put(events, tagged[i].base, 0, e, event->tags & tagged[i].tag);
}

void direct_events(const struct generated_program *program, struct direct_events *events)
{
    memset(events, 0, sizeof *events);
    for (uint8_t l = 0; l < program->locations; l++)
        add_event(events, DIRECT_INIT, TAG(WEAK) | TAG(GEN))->location = l;
    for (uint8_t t = 0; t < program->threads; t++)
        for (uint8_t i = 0; i < program->count[t]; i++)
            add_step(events, program, t, i);
    for (uint32_t a = 0; a < events->count; a++) {
        sort_event(events, a);
        for (uint32_t b = 0; b < events->count; b++)
            relate(events, program, a, b);
    }
}
