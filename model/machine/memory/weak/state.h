/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_MEMORY_WEAK_STATE_H
#define MODEL_MACHINE_MEMORY_WEAK_STATE_H

#include "model/machine/core/run.h"

/* The state of the weak memory: which writes were performed, in which coherence order as far as it
 * is decided, and what every lane *knows*. docs/machine.md gives the rules; no axiom is used here.
 *
 * Knowledge flows forward in time only: a lane knows its own writes and those it observed by
 * morally strong reads, and takes over what others knew when it synchronizes with them. A read
 * returns any performed write that the lane does not know to be overwritten; a load may stay
 * outstanding and return its value after later instructions of its lane were performed. */

enum { ITEMS = 64, SNAPSHOTS = 48, SEEN = 8, PAIRS = 16, RUNS = 16, WORDS = 8 };
#define INIT    (-1) /* the initial contents of memory, as a source of reads */
#define NO_ITEM (-2)

/* How far knowledge of an access has come towards other proxies (ptx-model.md 4.6), as bits:
 * STAGE_GENERIC  known to generic accesses of the same address
 * STAGE_ALIAS    and an alias fence passed: to generic accesses of any address of the location
 * STAGE_HERE     of pair i: known inside the CTA of the access through its own proxy
 * STAGE_ENTERED  of pair i: a fence of that proxy passed in that CTA: known to its accesses there
 * STAGE_ENTERED_ALIAS  the same through any address of the location
 * STAGE_RELEASED past a one-way release fence of that proxy: its acquire fence completes the way.
 * A pair is a proxy other than generic and a CTA that uses or fences it. */
typedef uint64_t stage;
#define STAGE_GENERIC          UINT64_C(1)
#define STAGE_ALIAS            UINT64_C(2)
#define STAGE_HERE(pair)       (UINT64_C(1) << (2 + (pair)))
#define STAGE_ENTERED(pair)    (UINT64_C(1) << (2 + PAIRS + (pair)))
#define STAGE_EVERY            ((UINT64_C(1) << (2 + 3 * PAIRS)) - 1)
#define STAGE_ENTERED_ALIAS(p) (UINT64_C(1) << (2 + 2 * PAIRS + (p)))
#define STAGE_RELEASED(proxy)  (UINT64_C(1) << (2 + 3 * PAIRS + (proxy)))

enum item_kind { ITEM_FREE, ITEM_WRITE, ITEM_LOAD, ITEM_MARK };

/* What a read returned: writes, and 'init' when some byte was of the initial contents. */
struct read_sources {
    uint64_t items;
    bool init;
};

/* What an atomic does; of an outstanding access ATOM_NONE: it is a load. */
struct atomic {
    uint8_t op, type; /* enum atom_op, enum type */
    bool red;
    uint64_t operands[2];
};

/* A performed write, a load or atomic that is outstanding, or a mark (mark.c). */
struct item {
    uint8_t kind, proxy, scope;
    bool strong, copied; /* copied: by a copy or a set of the host */
    uint8_t acquired;    /* LOAD: widest scope that its lane has acquired with since: then no source
                         may synchronize with that */
    bool later_read_init; /* LOAD: somebody who knows of it has read the initial contents */
    uint8_t pair;         /* of proxy and CTA, PAIRS when generic */
    int8_t snapshot;      /* LOAD: what its lane knew when it was issued */
    bool rmw;             /* WRITE of an atomic, whose read returned rmw_from */
    struct read_sources rmw_from;
    struct atomic atomic; /* LOAD */
    uint16_t lane;
    /* WRITE: number of the write in its lane. LOAD: its micro. MARK: its token */
    uint32_t sequence;
    uint32_t memory, bytes; /* physical offset and size */
    uint64_t address;       /* virtual */
    uint64_t value[2];
    uint64_t heads; /* snapshots that head a release pattern which the write publishes */
    uint64_t later_writes,
        later_reads; /* LOAD: performed by somebody who knew of it: writes; what reads returned */
};

/* What a lane knew at a release, a fence.sc or the issue of a load. */
struct snapshot {
    bool used, retired; /* retired: a later one replaces it; kept while referred to */
    enum {
        SNAPSHOT_FENCE,
        SNAPSHOT_RELEASE,
        SNAPSHOT_SC,
        SNAPSHOT_LOAD,
        SNAPSHOT_BARRIER,
        SNAPSHOT_ARRIVAL
    } kind;
    uint8_t scope, proxy;
    uint16_t lane;
    uint32_t bytes;   /* RELEASE: the operation's location; ARRIVAL: its mbarrier */
    uint64_t address; /* the same; BARRIER: which barrier and generation */
    stage view[ITEMS];
};

/* Heads of release patterns that strong reads of one address returned. */
struct seen {
    uint64_t address;
    uint32_t bytes;
    uint64_t heads;
};

struct weak_lane {
    uint32_t writes; /* performed so far */
    struct seen seen[SEEN];
    stage view[ITEMS];
};

struct weak_state {
    uint32_t lane_count;
    bool overflow; /* a table is full: the run ends with MEMORY_BOUND */
    bool pruned;   /* the last choices lead nowhere: no execution is like this */
    struct item items[ITEMS];
    uint64_t of_kind[ITEM_MARK + 1]; /* sets; those that are free are not kept */
    uint64_t co[ITEMS];              /* co[a] bit b: a is coherence-before b; transitively closed */
    uint64_t never_co[ITEMS]; /* a reader who knew b returned a: a may never become co-before b */
    struct {
        bool used;
        uint32_t memory;
        uint64_t value;
    } words[WORDS]; /* mbarrier objects */
    struct snapshot snapshots[SNAPSHOTS];
    struct weak_lane lanes[]; /* lane_count */
};

struct proxy_pair {
    uint8_t proxy;
    uint32_t cta;
};

enum weak_rule {
    RULE_NONE,
#define RULE(id, text) RULE_##id,
#include "model/machine/memory/weak/rule.def"
#undef RULE
    RULE_COUNT
};

/* The 'ptx' memory (memory.h). */
struct weak_memory {
    struct memory memory;
    const struct machine *machine;
    struct proxy_pair pairs[PAIRS];
    uint32_t pair_count;
    uint8_t *initial;        /* machine.memory_bytes */
    bool *observed;          /* a byte of memory: does the condition ask for it? */
    bool uniform;            /* every access of the test has one size: loads may be outstanding */
    struct chooser *chooser; /* of the run */
    uint64_t siblings;       /* written by earlier elements of the vector access in progress */
    bool forgets;            /* forget.c */
    uint64_t missed;         /* weak_memory_take_missed */
    enum weak_rule skip;     /* the rule that a test leaves out, or RULE_NONE */
    struct weak_state *state;
};

static inline bool item_overlaps(const struct item *a, uint32_t memory, uint32_t bytes)
{
    return a->memory < memory + bytes && memory < a->memory + a->bytes;
}
/* Same location through the same virtual address range. */
static inline bool item_same_mapping(const struct item *a, uint64_t address, uint32_t memory)
{
    return a->address - a->memory == address - memory;
}
/* The memory of the run, which asks the run's chooser from now on. */
static inline struct weak_memory *weak_in(const struct run *run)
{
    struct weak_memory *weak = (struct weak_memory *)run->memory;
    weak->chooser = run->chooser;
    return weak;
}
static inline uint32_t weak_choose(struct weak_memory *weak, uint32_t count)
{
    return count > 1 ? weak->chooser->choose(weak->chooser, count) : 0;
}
static inline uint64_t weak_items(const struct weak_memory *weak, enum item_kind kind)
{
    return weak->state->of_kind[kind];
}
static inline bool has_rule(const struct weak_memory *weak, enum weak_rule rule)
{
    return weak->skip != rule;
}

/* Both scopes contain the other's lane, or it is the same lane. */
bool weak_inclusive(const struct weak_memory *weak, uint32_t lane_a, uint32_t scope_a,
                    uint32_t lane_b, uint32_t scope_b);

/* An access as the rules see it: one scalar of a struct memory_access. */
struct scalar {
    uint32_t lane, memory, bytes;
    uint64_t address;
    uint8_t proxy, scope, pair;
    bool strong, acquire, release, red, copied;
};
bool weak_strong_pair(const struct weak_memory *weak, const struct item *item,
                      const struct scalar *op);
struct scalar weak_op_of(const struct item *item);

/* mixture.c: which accesses mix byte by byte (litmus/test/tearing.h). */
bool weak_may_mix(const struct weak_memory *weak, const struct item *item, const struct scalar *op);
/* Are a write and another access single copies towards each other, whatever their strength? */
bool weak_is_whole(const struct weak_memory *weak, const struct item *item, bool copied);
/* Do two of the writes (a set) mix? */
bool weak_some_mix(const struct weak_memory *weak, uint64_t writes);
/* Do the writes, or with 'initial' they and the initial contents, leave different values at a byte? */
bool weak_byte_varies(const struct weak_memory *weak, uint64_t writes, bool initial, uint32_t byte);
/* Those of 'writes' that may remain at 'byte' beside what remains at the bytes before it. */
struct remains {
    int8_t source[8]; /* of the bytes before, the nearest first; INIT at the start */
};
uint64_t weak_unmixed(const struct weak_memory *weak, uint64_t writes, uint32_t byte,
                      const struct remains *before);

/* view.c */
uint64_t weak_known(const struct weak_memory *weak, const stage *view, const struct scalar *op,
                    enum item_kind kind);
stage weak_own_stage(const struct scalar *op);
void weak_join(stage *to, const stage *from);
/* The runtime's edges hold for every address and proxy, but a tensor map still has to be acquired
 * (8.9.4, last paragraph). */
void weak_join_all(const struct weak_memory *weak, stage *to, const stage *from);
/* 'space' names the memory it is for; SPACE_GENERIC: all. */
void weak_proxy_fence(struct weak_memory *weak, stage *view, uint32_t proxy, uint32_t cta,
                      enum space space);
bool weak_item_in(const struct weak_memory *weak, const struct item *item, enum space space);
void weak_alias_fence(const struct weak_memory *weak, stage *view);
/* Gives 'to' in every view that knows 'from' the same stage; forgets 'from' unless 'keep'. */
void weak_replace(struct weak_memory *weak, int from, int to, bool keep);

/* forget.c: where the next item of the lane lies, or NO_ITEM. */
int weak_place_of(const struct weak_memory *weak, uint32_t lane);

/* mark.c */
void weak_mark(struct run *run, uint32_t lane, uint32_t token);
bool weak_knows_marks(struct run *run, uint32_t lane, uint32_t token);

/* order.c */
/* Adds before -> each of 'after' and what follows; false (and an unspecified co) when that cannot be. */
bool weak_order(uint64_t *co, int before, uint64_t after);
bool weak_order_consistent(const struct weak_memory *weak, const uint64_t *co);

/* for (each item i of the set) */
#define EACH_ITEM(i, set)                                                                          \
    for (uint64_t i##_left = (set), i; i##_left && (i = (uint64_t)__builtin_ctzll(i##_left), 1);   \
         i##_left &= i##_left - 1)

/* table.c */
/* Those of the set that overlap the bytes. */
uint64_t weak_overlapping(const struct weak_memory *weak, uint64_t set, uint32_t memory,
                          uint32_t bytes);
/* Those of the set that are morally strong with the access. */
uint64_t weak_strong_with(const struct weak_memory *weak, uint64_t set, const struct scalar *op);
/* A copy of the item in the table, or NO_ITEM: it is full. */
int weak_new_item(struct weak_memory *weak, const struct item *item);
void weak_free_item(struct weak_memory *weak, int index);
int weak_new_snapshot(struct weak_memory *weak, const struct snapshot *snapshot);
void weak_collect(struct weak_memory *weak); /* frees snapshots nobody refers to */

/* memory.c */
/* The virtual address of 'address', which lies in the region. */
uint64_t weak_address(const struct weak_memory *weak, const struct region *region,
                      uint64_t address);
/* Of a proxy and the CTA that uses it; PAIRS: generic. */
uint8_t weak_pair(const struct weak_memory *weak, uint32_t proxy, uint32_t cta);
/* One scalar of an access, and what its instruction does to it, as an atomic. */
struct scalar weak_scalar(const struct weak_memory *weak, const struct memory_access *access,
                          uint32_t element);
struct atomic weak_atomic_of(const struct inst *inst, uint64_t b, uint64_t c);
/* The access is over: its choices lead nowhere unless it 'worked'. */
void weak_done(struct weak_memory *weak, bool worked);
/* hash.c: equal for states that no continuation can tell apart; different ones collide with a
 * probability of about 2^-64 a pair of states. */
void weak_hash(struct memory *memory, uint64_t hash[2]);
/* copy.c */
void weak_copy(struct run *run, uint32_t lane, const struct copy *copy);

/* Remembers the release records that a strong read of the location met. */
void weak_add_seen(struct weak_memory *weak, const struct scalar *op, uint64_t heads);

/* sync.c */
/* A strong write publishes the lane's release patterns (8.8); a release write heads one itself. */
void weak_publish(struct weak_memory *weak, const struct scalar *op, int written);
/* An acquire read or ('at_location' false) fence takes over what the heads that the lane has seen
 * knew. */
void weak_acquire(struct weak_memory *weak, const struct scalar *op, bool at_location);
void weak_fence(struct run *run, uint32_t lane, const struct micro *micro);
void weak_sync(struct run *run, const struct sync *sync);
/* The word of an mbarrier object, made on first use; NULL when the table is full. */
uint64_t *weak_word(struct weak_memory *weak, uint32_t memory);
void weak_arrive(struct weak_memory *weak, const struct scalar *op);
void weak_take_arrivals(struct weak_memory *weak, const struct scalar *op);

#endif
