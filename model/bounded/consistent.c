/* SPDX-License-Identifier: MIT */
#include "model/bounded/consistent.h"

#include <string.h>

/* ---- relations ------------------------------------------------------------------------------ */

#define BIT(x) ((small_set)1 << (x))
/* Each member of the set, the lowest first. */
#define EACH(x, set)                                                                               \
    for (small_set left_##x = (set), x = 0;                                                        \
         left_##x && (x = (uint32_t)__builtin_ctz(left_##x), 1); left_##x &= left_##x - 1)

/* The rows of 'b' that 'set' names, joined. */
static small_set through(small_set set, const struct small_rel *b)
{
    small_set to = 0;
    EACH(x, set)
        to |= b->row[x];
    return to;
}

static void close_paths(struct small_rel *r, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            if (r->row[i] & BIT(k))
                r->row[i] |= r->row[k];
}

static bool is_acyclic(const struct small_rel *r, uint32_t n)
{
    small_set left = n == SMALL_EVENTS ? ~(small_set)0 : BIT(n) - 1, before;
    do { /* drops what leads nowhere */
        before = left;
        EACH(x, before)
            if (!(r->row[x] & left))
                left &= ~BIT(x);
    } while (left != before);
    return !left;
}

/* ---- what an execution chooses -------------------------------------------------------------- */

struct communication {
    struct small_rel rf, co, fr;
    small_set is_read_from[SMALL_EVENTS]; /* a read: its write, or nothing */
};

static void communicate(const struct bounded_program *program, const struct small_events *e,
                        const struct bounded_execution *x, struct communication *c)
{
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i < program->count; i++) {
        uint32_t read = e->read_of[i], write = e->write_of[i];
        for (uint32_t k = 0; k < program->count && bounded_accesses(&program->at[i]); k++) {
            uint32_t other = e->write_of[k];
            if (other == UINT8_MAX || program->at[k].location != program->at[i].location)
                continue;
            if (write != UINT8_MAX && x->place[k] > x->place[i])
                c->co.row[write] |= BIT(other);
            if (read == UINT8_MAX)
                continue;
            if (x->from[i] == k) {
                c->rf.row[other] |= BIT(read);
                c->is_read_from[read] = BIT(other);
            } else if (k != i &&
                       (x->from[i] == BOUNDED_INITIAL || x->place[k] > x->place[x->from[i]]))
                c->fr.row[read] |= BIT(other);
        }
        if (read != UINT8_MAX && write != UINT8_MAX) /* its own write comes later too */
            c->fr.row[read] |= BIT(write);
    }
}

/* ---- C++ ------------------------------------------------------------------------------------ */

/* What reads the write, or what atomic operations make of it: cpp_base.cat, passed_on and rf; ptx.cat, section 2. */
static small_set readers(const struct small_events *e, const struct communication *c,
                         uint32_t write)
{
    small_set found = 0, writes = BIT(write);
    while (writes) {
        uint32_t w = (uint32_t)__builtin_ctz(writes);
        small_set next = c->rf.row[w] & e->includes[w] & ~found;
        writes &= writes - 1;
        found |= next;
        EACH(r, next)
            if (e->partner[r] != r)
                writes |= BIT(e->partner[r]);
    }
    return found;
}

static void happens_before(const struct small_events *e, const struct communication *c,
                           struct small_rel *hb)
{
    for (uint32_t a = 0; a < e->count; a++)
        hb->row[a] = e->later[a] | e->released[a];
    EACH(a, e->releases) {
        small_set heads = e->fences & BIT(a) ? e->later[a] & e->writes : BIT(a), read = 0;
        EACH(w, heads & ~e->weak)
            read |= readers(e, c, w);
        EACH(r, read & ~e->weak)
            hb->row[a] |= (((BIT(r) & e->acquires) | (e->later[r] & e->fences & e->acquires)) &
                           e->includes[a]);
    }
    close_paths(hb, e->count);
}

static small_set at_location(const struct small_events *e, uint32_t event)
{
    for (int i = 0; i < BOUNDED_LOCATIONS; i++)
        if (e->same_location[i] & BIT(event))
            return e->same_location[i];
    return 0;
}

/* cpp_base.cat: sc_before and partial_sc. */
static bool sc_is_acyclic(const struct small_events *e, const struct communication *c,
                          const struct small_rel *hb, const struct small_rel *eco)
{
    uint32_t n = e->count;
    struct small_rel scb, into, psc;
    small_set fences = e->fences & e->sc;
    if (!e->sc)
        return true;
    for (uint32_t a = 0; a < n; a++) {
        small_set loc = at_location(e, a), away = e->later[a] & ~loc, met = through(away, hb);
        scb.row[a] = e->later[a] | (hb->row[a] & loc) | c->co.row[a] | c->fr.row[a];
        EACH(m, met)
            scb.row[a] |= e->later[m] & ~at_location(e, m);
        into.row[a] = (BIT(a) & e->sc) | (hb->row[a] & fences);
    }
    for (uint32_t a = 0; a < n; a++) {
        psc.row[a] = 0;
        if (!(e->sc & BIT(a)))
            continue;
        small_set from = BIT(a) | (fences & BIT(a) ? hb->row[a] : 0);
        psc.row[a] = through(through(from, &scb), &into);
        if (fences & BIT(a))
            psc.row[a] |= (hb->row[a] | through(through(hb->row[a], eco), hb)) & fences;
        psc.row[a] &= e->includes[a];
    }
    return is_acyclic(&psc, n);
}

bool source_allows(const struct bounded_program *program, const struct small_events *e,
                   const struct bounded_execution *x)
{
    struct communication c;
    struct small_rel hb, eco;
    communicate(program, e, x, &c);
    happens_before(e, &c, &hb);
    for (uint32_t a = 0; a < e->count; a++)
        eco.row[a] = c.rf.row[a] | c.co.row[a] | c.fr.row[a];
    close_paths(&eco, e->count);
    for (uint32_t a = 0; a < e->count; a++)
        if ((hb.row[a] & BIT(a)) || (through(hb.row[a], &eco) & BIT(a)))
            return false;
    return sc_is_acyclic(e, &c, &hb, &eco);
}

/* Are the events unordered, and in reach of each other's thread not both? */
static bool race_each_other(const struct small_events *e, const struct small_rel *hb, uint32_t a,
                            uint32_t b)
{
    return a != UINT8_MAX && b != UINT8_MAX && ((e->writes >> a | e->writes >> b) & 1) &&
           !(e->includes[a] & BIT(b)) && !(hb->row[a] & BIT(b)) && !(hb->row[b] & BIT(a));
}

bool source_races(const struct bounded_program *program, const struct small_events *e,
                  const struct bounded_execution *x)
{
    struct communication c;
    struct small_rel hb;
    communicate(program, e, x, &c);
    happens_before(e, &c, &hb);
    for (uint32_t i = 0; i < program->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            if (!bounded_conflict(&program->at[i], &program->at[k]))
                continue;
            const uint8_t of_i[] = {e->read_of[i], e->write_of[i]};
            const uint8_t of_k[] = {e->read_of[k], e->write_of[k]};
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++)
                    if (race_each_other(e, &hb, of_i[a], of_k[b]))
                        return true;
        }
    return false;
}

/* ---- PTX ------------------------------------------------------------------------------------ */

/* ptx.cat, sections 3 and 4, without Fence-SC. */
static void synchronize(const struct small_events *e, const struct communication *c,
                        struct small_rel *to)
{
    EACH(a, e->releases) {
        small_set loc = at_location(e, a), heads = e->later[a] & e->writes, read = 0;
        if (!(e->fences & BIT(a)))
            heads = (heads & loc) | BIT(a);
        EACH(w, heads & ~e->weak)
            read |= readers(e, c, w);
        EACH(r, read & ~e->weak) {
            small_set ends =
                (BIT(r) & e->acquires) |
                (e->later[r] & e->acquires & (e->fences | (e->reads & at_location(e, r))));
            ends &= e->includes[a];
            if (!(e->fences & BIT(a))) /* two accesses are morally strong at one location */
                ends &= e->fences | loc;
            to->row[a] |= ends;
        }
    }
}

struct fence_order {
    const struct small_events *e;
    const struct communication *c;
    struct small_rel base; /* steps without Fence-SC */
    small_set fences;
    bool strict;
};

/* Coherence and what is read from it, of accesses that need not be morally strong: only what causality and
 * moral strength order is ordered (8.9.6). */
static bool weak_coherence_allows(const struct small_events *e, const struct communication *c,
                                  const struct small_rel *cause)
{
    struct small_rel co = {{0}}, strong = {{0}}, fr = {{0}};
    EACH(w, e->writes)
        co.row[w] = (c->co.row[w] & e->includes[w]) | (cause->row[w] & e->writes);
    close_paths(&co, e->count);
    EACH(w, e->writes)
        if ((co.row[w] & BIT(w)) || (!c->co.row[w] && co.row[w])) /* what ends last is the last */
            return false;
    EACH(r, e->reads) {
        fr.row[r] = at_location(e, r) & e->writes;
        EACH(w, c->is_read_from[r])
            fr.row[r] = co.row[w];
        if (e->partner[r] == r)
            continue;
        EACH(w, fr.row[r])
            if (co.row[w] & e->includes[w] & BIT(e->partner[r]))
                return false;
    }
    for (uint32_t a = 0; a < e->count; a++)
        strong.row[a] = e->includes[a] &
                        ((e->later[a] & at_location(e, a)) | c->rf.row[a] | co.row[a] | fr.row[a]);
    if (!is_acyclic(&strong, e->count))
        return false;
    EACH(w, e->writes)
        if (through(c->rf.row[w], cause) & BIT(w))
            return false;
    EACH(r, e->reads)
        if (through(fr.row[r], cause) & BIT(r))
            return false;
    return true;
}

/* ptx.cat, sections 5 to 8, with the order of fences that is chosen in 'steps'. */
static bool causality_allows(const struct fence_order *o, const struct small_rel *sync_fence,
                             const struct small_rel *steps)
{
    const struct small_events *e = o->e;
    struct small_rel bc = *steps, cause;
    small_set memory = e->reads | e->writes;
    close_paths(&bc, e->count);
    EACH(f, o->fences)
        if (through(sync_fence->row[f], &bc) & BIT(f))
            return false;
    memset(&cause, 0, sizeof cause);
    EACH(a, memory)
        cause.row[a] = bc.row[a] & at_location(e, a);
    EACH(w, e->writes) {
        small_set seen = readers(e, o->c, w);
        EACH(r, seen)
            cause.row[w] |= bc.row[r] & at_location(e, r);
    }
    if (!o->strict)
        return weak_coherence_allows(e, o->c, &cause);
    EACH(w, e->writes)
        if ((cause.row[w] & e->writes & ~o->c->co.row[w]) ||
            (through(o->c->rf.row[w], &cause) & BIT(w)))
            return false;
    EACH(r, e->reads)
        if (through(o->c->fr.row[r], &cause) & BIT(r))
            return false;
    return true;
}

/* Tries every order of the fences that are left behind those in 'placed'. */
static bool some_order(const struct fence_order *o, small_set left, const struct small_rel *order)
{
    if (!left) {
        struct small_rel steps = o->base;
        EACH(f, o->fences)
            steps.row[f] |= order->row[f];
        return causality_allows(o, order, &steps);
    }
    EACH(f, left) {
        struct small_rel more = *order;
        bool is_next = true;
        EACH(g, left & ~BIT(f)) /* those of a thread stay as they are */
            is_next &= !(o->e->later[g] & BIT(f));
        more.row[f] |= left & ~BIT(f) & o->e->includes[f];
        if (is_next && some_order(o, left & ~BIT(f), &more))
            return true;
    }
    return false;
}

bool target_allows(const struct bounded_program *program, const struct small_events *e,
                   const struct bounded_execution *x, bool strict)
{
    struct communication c;
    struct fence_order o = {.e = e, .c = &c, .fences = e->fences & e->sc, .strict = strict};
    struct small_rel none;
    memset(&none, 0, sizeof none);
    communicate(program, e, x, &c);
    for (uint32_t a = 0; a < e->count; a++)
        o.base.row[a] = e->later[a] | e->released[a];
    synchronize(e, &c, &o.base);
    return some_order(&o, o.fences, &none);
}

/* ---- what all models ask -------------------------------------------------------------------- */

static bool comes_before(const struct bounded_program *program, uint32_t a, uint32_t b)
{
    return program->at[a].thread == program->at[b].thread && a < b;
}

/* Edges between operations, each of which is one step. */
static void edges(const struct bounded_program *program, const struct bounded_execution *x,
                  bool by_location, struct small_rel *to)
{
    memset(to, 0, sizeof *to);
    for (uint32_t a = 0; a < program->count; a++)
        for (uint32_t b = 0; b < program->count; b++) {
            const struct bounded_operation *p = &program->at[a], *q = &program->at[b];
            bool accesses = bounded_accesses(p) && bounded_accesses(q);
            bool same = accesses && p->location == q->location;
            bool edge = comes_before(program, a, b) && (!by_location || same);
            if (same && a != b && bounded_writes(q)) {
                bool reads_before = bounded_reads(p) && (x->from[a] == BOUNDED_INITIAL ||
                                                         x->place[b] > x->place[x->from[a]]);
                edge |= (bounded_writes(p) && x->place[b] > x->place[a]) ||
                        (reads_before && x->from[a] != b);
            }
            if (same && a != b && bounded_reads(q))
                edge |= x->from[b] == a;
            to->row[a] |= edge ? BIT(b) : 0;
        }
}

bool locations_allow(const struct bounded_program *program, const struct bounded_execution *x)
{
    struct small_rel all;
    for (uint32_t i = 0; i < program->count; i++) {
        if (program->at[i].kind != BOUNDED_EXCHANGE)
            continue;
        uint32_t before = x->from[i] == BOUNDED_INITIAL ? 0 : x->place[x->from[i]] + 1u;
        if (x->place[i] != before)
            return false;
    }
    edges(program, x, true, &all);
    return is_acyclic(&all, program->count);
}

bool order_allows(const struct bounded_program *program, const struct bounded_execution *x)
{
    struct small_rel all;
    edges(program, x, false, &all);
    return is_acyclic(&all, program->count);
}

bool values_are_grounded(const struct bounded_program *program, const struct bounded_execution *x)
{
    struct small_rel all = {{0}};
    for (uint32_t a = 0; a < program->count; a++)
        for (uint32_t b = 0; b < program->count; b++)
            if ((bounded_reads(&program->at[b]) && x->from[b] == a) ||
                ((program->guarded >> a & 1) && comes_before(program, a, b)))
                all.row[a] |= BIT(b);
    return is_acyclic(&all, program->count);
}
