/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_GRAPH_H
#define MODEL_GRAPH_GRAPH_H

#include "litmus/test/tearing.h"
#include "litmus/test/test.h"
#include "model/value/expr.h"

/* The event graph of a test: everything its executions have in common. Made by unfold (unfold.h),
 * frozen afterwards. An execution (execution.h) adds the choices: who executes, who reads from whom.
 *
 * Memory is cut into granules: maximal byte ranges that no access of the test cuts, and where accesses
 * may mix byte by byte into what can hold bytes of two of them (tear.c). A test whose accesses all have
 * one size and do not mix has one granule a location. Reads-from and final values are chosen a granule
 * at a time, which is byte-wise reads-from without the bytes. */

typedef uint32_t event_id;

enum event_kind {
    EVENT_INIT, /* the initial write of one granule (8.2.6) */
    EVENT_READ,
    EVENT_WRITE,
    EVENT_FENCE, /* memory or proxy fence */
    EVENT_BARRIER, /* bar.sync, bar.arrive, bar.red, bar.warp.sync, barrier.cluster.*, warp collectives */
    EVENT_API, /* start or end of a host call, task, thread; asynchronous group bookkeeping */
};

/* Sets an event belongs to, as the cat models name them; ACQ_REL is a fence's tag. A read or write of
 * acq_rel carries ACQ or REL. Weak memory events carry WEAK and none of RLX ACQ REL. Strong ones carry
 * exactly one of RLX, ACQ, REL, or, in a test in C++, SC. Memory fences: SC implies ACQ_REL too (ptx-model.md 3). */
enum tag {
    TAG_WEAK,
    TAG_RLX,
    TAG_ACQ,
    TAG_REL,
    TAG_ACQ_REL,
    TAG_SC,
/* proxies: of the access, or named by a proxy fence; memory fences carry GEN */
#define PROXY(id, word, set, ...) TAG_##set,
#include "litmus/isa/words.def"
    TAG_RMW,           /* half of atom or red */
    TAG_RED,           /* the read of a red: starts no acquire pattern */
    TAG_MBARRIER,      /* access to an mbarrier object by an mbarrier instruction */
    TAG_ARRIVE,        /* bar.arrive, barrier.cluster.arrive */
    TAG_SYNC,          /* bar.sync, bar.red, barrier.cluster.wait, bar.warp.sync */
    TAG_PROXY_FENCE,   /* two-way fence.proxy.*: in F, but no memory fence */
    TAG_RELEASE_FENCE, /* fence.release: also one-way proxy releases */
    TAG_ACQUIRE_FENCE,
    TAG_VOLATILE,
    TAG_MMIO,
    TAG_HOST,    /* by a host thread */
    TAG_ONE_WAY, /* a fence.proxy.…::generic.{acquire,release} */
    TAG_CLUSTER_BARRIER,
    TAG_WARP_BARRIER,
    TAG_COLLECTIVE, /* shfl and its like: waits as a barrier of the warp does, and orders nothing */
    TAG_CTA_BARRIER,
    TAG_COMPLETE_TX, /* the complete-tx of an asynchronous copy */
    TAG_KERNEL_START,
    TAG_KERNEL_END,
    TAG_READ_ONLY, /* ld.global.nc, textures: outside chapter 8 */
    TAG_COUNT,
};
typedef uint64_t event_tags;
#define TAG(name) (UINT64_C(1) << TAG_##name)
_Static_assert(TAG_COUNT <= 64, "event_tags has a bit for each tag");

/* A device or host thread, or the pseudo-thread of an asynchronous operation (ptx-model.md 4.1). */
struct thread {
    const char *name;                        /* "P0", "K1[2,33]", "H" */
    uint32_t column;                         /* or NONE */
    uint32_t launch, linear_cta, linear_tid; /* of a kernel thread, else launch NONE */
    uint32_t host;                           /* host thread index, or NONE */
    uint32_t issuer; /* thread an asynchronous operation was issued by, else NONE */
    /* of a host program's task and of its threads: the stream it is in ("s1"; one stream,
     * one address), else NULL */
    const char *stream;
/* global numbers: equal numbers mean the same one; NONE for hosts */
#define PLACE(scope, member) uint32_t member;
#include "litmus/isa/words.def"
    uint32_t warp;   /* the same */
    uint32_t domain; /* memory synchronization domain of its kernel; 0: the default one */
};

struct event {
    enum event_kind kind;
    event_tags tags;
    uint32_t thread; /* NONE for initial writes */
    /* in program order; equal positions in one thread are unordered siblings (8.2.4) */
    uint32_t position;
    expr_id guard;    /* width 1: executed? */
    enum scope scope; /* of a strong operation or barrier */
    expr_id address;  /* READ, WRITE, INIT: 64-bit virtual address */
    uint32_t bytes;   /* READ, WRITE, INIT: size, at most 8: wider accesses are several events */
    expr_id value;    /* WRITE, INIT: 8*bytes wide; READ: what it returns (concatenated granules) */
    /* Every virtual address it can have, ascending; one when the address is constant. Elsewhere the
     * behaviour is undefined ("wild-address"): the guard says that it does not execute there, and what
     * it would have returned is 0. Whichever it is, the access touches 'pieces' granules, the i-th being bytes piece_start[i] up to piece_start[i + 1]
     * of the access: EXPR_READ names i. */
    const uint64_t *addresses;
    uint32_t address_count;
    uint32_t pieces;
    const uint32_t *piece_start;
    event_id rmw; /* the other half, or NONE */
    bool copied;  /* by a copy, or a set of the host: byte by byte, whatever graph.tearing says */
    uint32_t barrier;        /* EVENT_BARRIER: index into graph.barriers, else NONE */
    const struct inst *inst; /* or NULL (initial writes, API events) */
    const char *text;        /* what to call it in a picture: "st.weak [x], 1" */
    struct span span;
};

/* One execution of a barrier instruction. Operations that execute on one barrier (same tag class, owner
 * and resource) are grouped into completions; execution.completion numbers them.
 *
 * Uncounted: the operation surely completes, because a column test does not show every thread of a CTA,
 * or because all threads of a kernel's CTA take part or have exited. Its number is the value of 'number':
 * how many operations of its thread on the barrier executed before it, barrier.cluster.arrive and .wait
 * counted apart (a wait waits for the arrivals of its phase); or, where threads surely meet at one instruction,
 * the place of that among all (unfold/freeze/converge.c).
 *
 * Counted: a free choice within these rules. All operations of one completion have equal 'need', and the
 * weights of its parties sum up to it. Operations of one party on one barrier with equal 'number' are in
 * one completion or in none. Along a thread, an operation's number of completion is larger than that of
 * every earlier waiting one, and of every earlier operation of its kind on the same barrier (numbers are
 * times: this is what excludes two barriers waiting for each other). An operation outside any completion
 * has number NONE. 'passed' says that it has one. */
struct barrier_op {
    event_id event;
    /* CTA (or cluster, or warp) number that owns the barrier; of warp collectives a number for those that meet */
    uint32_t owner;
    expr_id resource; /* which barrier of the owner: 32-bit; membermask of a warp's lanes */
    bool counted;
    bool
        yields; /* of a column test: once no thread goes round any more, it does not keep them waiting */
    expr_id number; /* 32-bit: earlier operations of its thread on the barrier, or a place */
    expr_id need;   /* counted: arrivals that complete one phase, 32-bit */
    expr_id passed; /* width 1. Counted: a choice, true when the operation is part of a completion;
                           what follows a waiting operation (TAG_SYNC) in its thread has it in its
                           guard. Uncounted: true */
    expr_id gathered; /* width 1: all of its party that is to come executes its operation too */
    uint32_t party;   /* counted: who arrives as one, a thread or, for PTX's counts, a warp */
    uint32_t weight;  /* counted: arrivals that the party stands for; 0 for barrier.cluster.wait */
    uint32_t group;   /* counted: times of completions are compared within a group of threads */
    /* no more than this many earlier operations of its thread on the barrier */
    uint32_t ordinal_bound;
};

/* Two counted operations of different threads and the choice that says whether they are in one
 * completion: what bar.red hands out depends on it. */
struct companions {
    event_id a, b;
    expr_id together; /* width 1 */
};

/* A counted operation that does not wait for a thread which exits without taking part: where 'absent'
 * holds, whatever the thread waits for completes before the operation does. */
struct departure {
    event_id op;
    uint32_t thread;
    expr_id absent; /* width 1 */
};

/* The base relations of base.def that are lists of possible edges, not derived from choices.
 * FIXED_semantic_dep is found when it is asked for (semantic.h). */
enum fixed_relation {
#define BASESET(name, test, meaning)
#define BASEEDGES(name, meaning) FIXED_##name,
#define BASEREL(name, kind, may, meaning)
#include "model/graph/base.def"
    FIXED_COUNT,
};
/* Which rule of the CUDA runtime an edge comes from (model/graph/api_edge.def). */
enum api_edge {
    API_EDGE_NONE,
#define API_EDGE(name, what) API_EDGE_##name,
#include "model/graph/api_edge.def"
#undef API_EDGE
};
struct fixed_edge {
    event_id from, to;
    expr_id guard;      /* width 1: present when true and both events execute */
    enum api_edge rule; /* of an edge between host calls, tasks and their threads */
    const char *
        reason; /* what to tell a reader: "event recorded at line 12, waited for at line 13", or NULL */
};

struct granule {
    uint64_t physical; /* first byte; aliases share physical addresses */
    uint32_t bytes;
    event_id init;     /* its initial write */
    uint32_t location; /* the unaliased location it is part of */
};

/* A range of virtual addresses: one a location that has its own (shared memory: one a CTA; local: one
 * a thread). Texture, surface and constant names use the range of what they alias. */
struct mapping {
    uint64_t virtual_base, physical_base, bytes;
    uint32_t location;
    uint32_t cta,
        thread; /* owner of a copy: global CTA number of shared memory, thread of local; or NONE */
};

/* A free choice an expression can name (EXPR_CHOICE). */
struct choice {
    const char *name;
    unsigned width;
    expr_id
        stands_for; /* while threads are unfolded: 1 + the expression that takes its place; else 0 */
    bool anything;  /* what an allocation holds, a clock shows: too many values to be listed */
    expr_id rests_on; /* 1 + an expression: not known before that is, whose value it has; else 0 */
};

/* Something that must hold in every complete execution: an assumption of the unfolding. */
enum assumption_kind {
    ASSUME_PLAIN,
    ASSUME_SPIN_EXIT, /* a spin loop was left: what it repeated has no effect */
    ASSUME_BOUND,     /* an unrolled loop was left within the bound */
    ASSUME_DEFINED, /* no access goes astray: asked of everything but the conditions of 'undefined' */
};
struct assumption {
    enum assumption_kind kind;
    expr_id condition; /* width 1 */
    struct span span;  /* the loop */
    uint32_t thread;
};

/* An iteration of a spin loop that may repeat for ever. Its ASSUME_SPIN_EXIT says that a complete execution
 * leaves the loop. For liveness the assumption is dropped: when 'condition' holds the thread goes round
 * for ever, and what follows in its thread does not execute (its guards say so). When neither holds the
 * thread went round, but would not always: an mbarrier.try_wait returned false for a phase that is over.
 *
 * An execution is stuck (a fair one that does not terminate) when it is consistent, some thread
 * spins or waits in a counted barrier operation without completion, every other thread ended or is
 * stuck too, and no executed read of a spinning thread has taken from a write what a morally strong
 * write overwrote: PTX 8.6.1 promises of these, and of no others, that they are seen in the end.
 *
 * One iteration stands for all, unless it orders reads of the next one that nothing promises to see the last
 * write. Then it is followed by a second one, which reads what the first one read ('before') and
 * whose fence.sc come after every other: only finitely many things come before something.
 *
 * With 'open' the iteration is the last one that was unrolled and changed something before it went
 * round: what the next one does is not known. */
struct spin {
    uint32_t thread;
    uint32_t position; /* of what follows the iteration; 0: not known */
    bool open;
    bool has_fence_sc;
    bool timed;     /* open, and clocks may end it: nobody is known to be stuck there */
    bool waits;     /* at grid.sync, for threads that do not come: nothing is read */
    expr_id begins; /* width 1: the iteration is made */
    expr_id round;  /* width 1: and goes round, maybe not for ever; only of what has reads */
    expr_id condition;
    expr_id
        writes; /* width 1: it writes again what it has read or written, which the graph leaves out */
    event_id *reads;  /* reads of the iteration; those whose guards hold count */
    event_id *before; /* of a second iteration: the same reads of the first one; else NULL */
    event_id *fences; /* its fence.sc */
    uint32_t read_count, fence_count;
    struct span span;
};

/* An iteration of a loop that goes round, when 'condition' holds, with the registers that it began with, having written.
 * An execution without its events reaches the same state, unless something else reads what it wrote, or that is final, and
 * could not do with what the thread wrote before (solver/encode/restated.h). By
 * the bundled models it is consistent, too, as their relations only become smaller; a user's text need not be so. So executions may be
 * left out in which the iteration does so in vain. Its addresses are constants, so that it cannot leave memory. */
struct repeat {
    uint32_t thread;
    expr_id condition;
    event_id *events; /* reads and writes of the iteration */
    uint32_t event_count;
};

/* A loop that was unrolled: how often at most, and how many events its rounds behind the first made in all threads. */
struct unrolled_loop {
    struct span span;
    uint32_t rounds, events;
};

/* Undefined behaviour or an error found while unfolding, present when 'condition' holds. */
struct undefined {
    const char *name; /* "bad-member-mask", "barrier-count-mismatch", … */
    const char *detail;
    expr_id condition;
    struct span span;
    uint32_t thread;
};

struct graph {
    const struct test *test;
    struct arena *arena;
    struct expr_pool *exprs;
    struct thread *threads;
    uint32_t thread_count;
    /* Initial writes first, then thread by thread, those that are synchronous in program order. */
    struct event *events;
    uint32_t event_count;
    struct granule *granules; /* sorted by physical address */
    uint32_t granule_count;
    struct mapping *mappings; /* sorted by virtual base */
    uint32_t mapping_count;
    struct barrier_op *barriers;
    uint32_t barrier_count;
    struct companions *companions;
    uint32_t companion_count;
    struct departure *departures;
    uint32_t departure_count;
    struct fixed_edge *fixed[FIXED_COUNT];
    uint32_t fixed_count[FIXED_COUNT];
    bool semantic_known; /* FIXED_semantic_dep was found */
    bool grounded;       /* ground_accesses was here */
    expr_id *assured;    /* an event, or NULL: event_assured */
    /* dependencies in which no effect was found, of accesses that are computed from the read */
    struct fixed_edge *formal;
    uint32_t formal_count;
    /* its first edges are dependencies; whether the rest are was not decided */
    uint32_t semantic_decided;
    struct choice *choices;
    uint32_t choice_count;
    struct assumption *assumptions;
    uint32_t assumption_count;
    struct spin *spins;
    uint32_t spin_count;
    struct repeat *repeats;
    uint32_t repeat_count;
    struct unrolled_loop *unrolled;
    uint32_t unrolled_count;
    struct undefined *undefined;
    uint32_t undefined_count;
    /* Final value of test->observed[i] when it is a register: an expression; locations are read from
     * the execution. 'ended': every thread ran to its end, given that barriers complete. */
    expr_id *observed;
    uint32_t *observed_granules; /* for locations: first granule index of the element */
    enum tearing tearing;
    uint32_t open;  /* readings that made a difference to the graph: bits of enum host_reading */
    expr_id *ended; /* a thread: it reached its end */
};

/* The granules [first, first+count) that an access of 'bytes' at virtual address 'address' touches;
 * false when it does not lie inside one mapping. */
bool graph_granules(const struct graph *graph, uint64_t address, uint32_t bytes, uint32_t *first,
                    uint32_t *count);
bool graph_physical(const struct graph *graph, uint64_t address, uint64_t *physical);
/* The mapping that an access of 'bytes' lies in, or NULL. */
const struct mapping *mapping_find(const struct mapping *mappings, uint32_t count, uint64_t address,
                                   uint32_t bytes);
const struct mapping *graph_mapping(const struct graph *graph, uint64_t address, uint32_t bytes);
/* Does scope of 'a' contain the thread of 'b'? False when a has no scope. */
bool graph_scope_contains(const struct graph *graph, event_id a, event_id b);
/* Are the accesses morally strong (8.7.2) where they are to the same bytes at one address, or, as operations
 * on an mbarrier, atomic towards each other? */
bool graph_mutual(const struct graph *graph, event_id a, event_id b);
/* May whether an event executes rest on itself? PTX forbids that with values out of thin air; C++ leaves it to the
 * model's text (acyclic sb | rf), and what a write stores is computed all the same. */
static inline bool graph_guesses_branches(const struct graph *graph)
{
    return graph->test->language == LANGUAGE_CPP;
}
/* True of every access that executes. Where it is known to be true the access has its address and its
 * value already, even if it is not known yet which of several branches makes it (ground.h). */
static inline expr_id event_assured(const struct graph *graph, event_id event)
{
    return graph->assured ? graph->assured[event] : graph->events[event].guard;
}
/* An event that is no half of an atomic operation and no barrier operation. */
static inline struct event event_new(enum event_kind kind, event_tags tags, uint32_t thread,
                                     uint32_t position, expr_id guard)
{
    return (struct event){.kind = kind,
                          .tags = tags,
                          .thread = thread,
                          .position = position,
                          .guard = guard,
                          .rmw = NONE,
                          .barrier = NONE};
}
static inline bool event_is_memory(const struct event *event)
{
    return event->kind <= EVENT_WRITE;
}
static inline bool event_is_write(const struct event *event)
{
    return event->kind == EVENT_INIT || event->kind == EVENT_WRITE;
}
/* Of a barrier operation: TAG(CTA_BARRIER), TAG(WARP_BARRIER), TAG(CLUSTER_BARRIER) or TAG(COLLECTIVE). */
static inline event_tags event_barrier_class(const struct event *event)
{
    return event->tags &
           (TAG(CTA_BARRIER) | TAG(WARP_BARRIER) | TAG(CLUSTER_BARRIER) | TAG(COLLECTIVE));
}
/* Operations of one kind are numbered together. An arrival at a cluster's barrier and the wait for it
 * are of two: they complete together. */
static inline event_tags event_barrier_kind(const struct event *event)
{
    event_tags class = event_barrier_class(event);
    return class == TAG(CLUSTER_BARRIER) ? class | (event->tags & TAG(ARRIVE)) : class;
}
/* Are they counted operations at barriers of one class and owner? */
static inline bool graph_counted_together(const struct graph *graph, const struct barrier_op *a,
                                          const struct barrier_op *b)
{
    return a->counted && b->counted && a->owner == b->owner &&
           event_barrier_class(&graph->events[a->event]) ==
               event_barrier_class(&graph->events[b->event]);
}

#endif
