/* SPDX-License-Identifier: MIT */
#include "model/bounded/events.h"

#include <string.h>

/* One event; its place in the thread is behind those made before. */
static uint32_t add_event(struct small_events *e, uint32_t thread, enum sem sem, uint32_t scope)
{
    uint32_t id = e->count++;
    small_set bit = (small_set)1 << id;
    e->of_thread[id] = (uint8_t)thread;
    e->scope[id] = (uint8_t)scope;
    e->partner[id] = (uint8_t)id;
    e->weak |= sem == SEM_WEAK ? bit : 0;
    e->sc |= sem == SEM_SC ? bit : 0;
    e->acquires |= sem == SEM_ACQUIRE || sem == SEM_ACQ_REL || sem == SEM_SC ? bit : 0;
    e->releases |= sem == SEM_RELEASE || sem == SEM_ACQ_REL || sem == SEM_SC ? bit : 0;
    e->thread[thread] |= bit;
    return id;
}

static void add_fence(struct small_events *e, uint32_t thread, enum sem sem, uint32_t scope)
{
    e->fences |= (small_set)1 << add_event(e, thread, sem, scope);
}

/* The read, the write or both of operation 'index'. */
static void add_access(struct small_events *e, const struct bounded_operation *one, uint32_t index,
                       enum sem sem, uint32_t scope)
{
    uint32_t read = SMALL_EVENTS;
    if (bounded_reads(one)) {
        read = add_event(e, one->thread, sem, scope);
        e->reads |= (small_set)1 << read;
        e->same_location[one->location] |= (small_set)1 << read;
        e->read_of[index] = (uint8_t)read;
    }
    if (!bounded_writes(one))
        return;
    uint32_t write = add_event(e, one->thread, sem, scope);
    e->writes |= (small_set)1 << write;
    e->same_location[one->location] |= (small_set)1 << write;
    e->write_of[index] = (uint8_t)write;
    if (read != SMALL_EVENTS) {
        e->partner[read] = (uint8_t)write;
        e->partner[write] = (uint8_t)read;
    }
}

static void start(struct small_events *e)
{
    memset(e, 0, sizeof *e);
    memset(e->read_of, UINT8_MAX, sizeof e->read_of);
    memset(e->write_of, UINT8_MAX, sizeof e->write_of);
}

static void add_barrier(struct small_events *e, uint32_t thread)
{
    e->barrier[thread][e->barriers[thread]++] = (uint8_t)e->count;
}

static bool include(const struct bounded_program *program, const struct small_events *e, uint32_t a,
                    uint32_t b)
{
    uint32_t from = e->of_thread[a], to = e->of_thread[b];
    return from == to || (!((e->weak >> a | e->weak >> b) & 1) &&
                          bounded_reaches(program, e->scope[a], from, to) &&
                          bounded_reaches(program, e->scope[b], to, from));
}

static small_set before(uint32_t event)
{
    return ((small_set)1 << event) - 1;
}

/* What one thread of a block does before a barrier comes before what another does after it. */
static void add_barrier_edges(const struct bounded_program *program, struct small_events *e)
{
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t u = 0; u < program->threads; u++)
            for (uint32_t k = 0; t != u && program->block[t] == program->block[u] &&
                                 k < e->barriers[t] && k < e->barriers[u];
                 k++)
                for (uint32_t a = 0; a < e->barrier[t][k]; a++)
                    if (e->thread[t] >> a & 1)
                        e->released[a] |= e->thread[u] & ~before(e->barrier[u][k]);
}

static void finish(const struct bounded_program *program, struct small_events *e)
{
    e->acquires &= e->reads | e->fences;
    e->releases &= e->writes | e->fences;
    for (uint32_t a = 0; a < e->count; a++) {
        e->later[a] = e->thread[e->of_thread[a]] & ~(((small_set)2 << a) - 1);
        for (uint32_t b = 0; b < e->count; b++)
            if (include(program, e, a, b))
                e->includes[a] |= (small_set)1 << b;
    }
    add_barrier_edges(program, e);
}

/* ---- C++ ------------------------------------------------------------------------------------ */

static enum sem without_sc(const struct bounded_operation *one)
{
    return one->kind == BOUNDED_EXCHANGE ? SEM_ACQ_REL
           : bounded_reads(one)          ? SEM_ACQUIRE
                                         : SEM_RELEASE;
}

void events_of_source(const struct bounded_program *program, uint32_t decided, bool split,
                      struct small_events *to)
{
    start(to);
    for (uint32_t i = 0; i < program->count; i++) {
        const struct bounded_operation *one = &program->at[i];
        bool open = i >= decided;
        enum sem order = open ? SEM_SC : (enum sem)one->order;
        uint32_t scope = open && !bounded_accesses(one) ? (uint32_t)SCOPE_SYS : one->scope;
        if (one->kind == BOUNDED_BARRIER)
            add_barrier(to, one->thread);
        else if (bounded_is_plain(one))
            add_access(to, one, i, SEM_WEAK, SCOPE_NONE);
        else if (!bounded_accesses(one))
            add_fence(to, one->thread, order, scope);
        else if (split && order == SEM_SC) {
            add_fence(to, one->thread, SEM_SC, scope);
            add_access(to, one, i, without_sc(one), scope);
        } else
            add_access(to, one, i, order, scope);
    }
    finish(program, to);
}

/* ---- PTX ------------------------------------------------------------------------------------ */

/* The instruction of C++ that the operation is, for the mapping's row. */
static const struct mapping_row *row_of(const struct mapping_table *mapping,
                                        const struct bounded_operation *one)
{
    static const enum op ops[BOUNDED_KINDS] = {[BOUNDED_LOAD] = OP_LD,
                                               [BOUNDED_STORE] = OP_ST,
                                               [BOUNDED_EXCHANGE] = OP_ATOM,
                                               [BOUNDED_FAILING] = OP_ATOM,
                                               [BOUNDED_FENCE] = OP_FENCE};
    struct inst inst = {
        .op = ops[one->kind], .sem = (enum sem)one->order, .scope = (enum scope)one->scope};
    if (one->kind == BOUNDED_EXCHANGE)
        inst.atom_op = ATOM_EXCH;
    if (one->kind == BOUNDED_FAILING) {
        inst.atom_op = ATOM_CAS;
        inst.failed_sem = inst.sem;
    }
    return mapping_row(mapping, &inst);
}

static void add_row(struct small_events *e, const struct mapping_table *mapping,
                    const struct mapping_row *row, const struct bounded_operation *one,
                    uint32_t index)
{
    for (uint32_t i = 0; i < row->step_count; i++) {
        const struct mapping_step *step = &row->steps[i];
        uint32_t scope = step->scope ? step->scope : mapping->scopes[one->scope];
        if (step->form == MAPPING_IS_FENCE)
            add_fence(e, one->thread, step->sem, scope);
        else if (step->form != MAPPING_IS_LOOK) /* which reads for nobody */
            add_access(e, one, index, step->sem, scope);
        if (step->form == MAPPING_IS_FAIL && one->kind == BOUNDED_FAILING)
            return; /* it always fails there */
    }
}

bool mapping_is_uniform(const struct mapping_table *mapping)
{
    const struct mapping_row *rows = &mapping->rows[0][0][0][0];
    for (int i = SCOPE_CTA; i <= SCOPE_SYS; i++)
        if (mapping->scopes[i] != (enum scope)i)
            return false;
    for (size_t i = 0; i < sizeof mapping->rows / sizeof *rows; i++) {
        if (rows[i].given && i % (SCOPE_COUNT + 1) != SCOPE_COUNT)
            return false;
        for (uint32_t k = 0; k < rows[i].step_count; k++)
            if (rows[i].steps[k].scope || rows[i].steps[k].sem == SEM_WEAK)
                return false;
    }
    return true;
}

void events_of_target(const struct bounded_program *program, uint32_t decided,
                      const struct mapping_table *mapping, enum sem weakest,
                      struct small_events *to)
{
    start(to);
    for (uint32_t i = 0; i < program->count; i++) {
        const struct bounded_operation *one = &program->at[i];
        if (one->kind == BOUNDED_BARRIER)
            add_barrier(to, one->thread);
        else if (bounded_is_plain(one))
            add_access(to, one, i, SEM_WEAK, SCOPE_NONE);
        else if (i < decided)
            add_row(to, mapping, row_of(mapping, one), one, i);
        else if (bounded_accesses(one))
            add_access(to, one, i, weakest, one->scope);
    }
    finish(program, to);
}
