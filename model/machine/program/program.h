/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_PROGRAM_PROGRAM_H
#define MODEL_MACHINE_PROGRAM_PROGRAM_H

#include "litmus/base/diag.h"
#include "litmus/test/test.h"
#include "model/machine/alu/alu.h"

/* A body decoded for running: operands are slots, immediates and special registers sit in slots of
 * their own, instructions that do two things are split into micros. Shared by every lane and every
 * engine; never changed after program_decode. */

/* A slot is a place of one 64-bit value a lane. Register slots come first and are the only ones a
 * lane may change; slots from program.reg_slots on are fixed for a launch. A 128-bit register takes
 * two neighbouring slots, low half first. */
typedef uint32_t slot;
#define SLOT_NONE UINT32_MAX

enum micro_kind {
#define MICRO(kind, when, reach) MICRO_##kind,
#include "model/machine/program/micro.def"
#undef MICRO
};

enum {
    MICRO_DIVIDES = 1u << 0,   /* poison where src[1] is 0 */
    MICRO_BACK_EDGE = 1u << 1, /* a branch that may go back: a scheduling point for spinning */
    MICRO_LAST = 1u << 2,      /* the last micro of its instruction */
    MICRO_HARDWARE = 1u << 3, /* address or mask may come from %warpid, %smid …: facts of a chip */
    MICRO_ACTIVE = 1u << 4,   /* the member mask comes from activemask */
    MICRO_BITWISE =
        1u << 5, /* each bit of the result comes from the same bit of the sources, or of one
                                 that a predicate selects */
};

enum { MICRO_SLOTS = 8 };

/* Registers of a matrix instruction, which are more than a micro has room for: of d, a, b and c. */
enum { MATRIX_OPERANDS = 4, MATRIX_SLOTS = 8 };
struct matrix_slots {
    slot slots[MATRIX_OPERANDS][MATRIX_SLOTS];
    uint32_t count[MATRIX_OPERANDS];
};

struct micro {
    uint8_t kind; /* enum micro_kind */
    uint8_t flags;
    uint8_t dst_count, src_count;
    bool guard_negated;
    slot guard; /* SLOT_NONE: always */
    alu_fn *alu;
    /* Destinations may be SLOT_NONE (sink). Sources by kind: operands in the order written, without
     * the address. A 128-bit element is two neighbours (low, high) in dst and src. */
    slot dst[MICRO_SLOTS], src[MICRO_SLOTS];
    slot base; /* memory kinds: address = base + offset; never SLOT_NONE there */
    int64_t offset;
    slot base2; /* copies: the source address; mbarrier operand of a bulk copy in src[1] */
    int64_t offset2;
    uint32_t bytes;      /* of one element of a memory access: 1, 2, 4, 8, 16 */
    uint32_t target;     /* branches: micro index */
    uint32_t reconverge; /* branches: immediate post-dominator, micro index or micro_count */
    const uint32_t *targets;
    uint32_t target_count;
    struct matrix_slots *matrix; /* of a matrix instruction, else NULL */
    const struct call *call;     /* CALL, SYSTEM, RETURN */
    const struct inst *inst;     /* what it comes from: semantics, scope, proxy, types, span */
    uint32_t inst_index;         /* the kernel's instructions first, then those of each function */
};

/* The kernel or column, or a function that it may call. The registers of a function are slots of
 * its own; its .param and .local variables lie in a frame of the lane's local memory, which begins
 * where the caller's ends. Only a function that may be called again while it runs has to save its
 * registers: in the new call's frame. */
struct function {
    const struct body *body;
    uint32_t body_index, first_inst, entry; /* entry: micro */
    slot first_slot, end_slot;
    slot frame, back;  /* slots: address of the running call's frame, micro it returns to */
    uint32_t saved_at; /* in the frame: registers of the call before, when 'saves' */
    uint32_t frame_bytes;
    uint64_t nested_bytes; /* of its frame and the deepest nest of those above it */
    bool saves;
};
enum {
    SAVED_REGISTER = 9, /* bytes: the value, then whether it is undefined */
    MOST_CALLS = 128,   /* of recursive functions that run at once: there is room for as many of the
                           largest frame */
};

/* Of MICRO_CALL and MICRO_SYSTEM, src[0] of which is the address of the caller's frame; a function of
 * the runtime is no 'callee'. Of MICRO_RETURN only 'callee'. */
struct call {
    const struct function *callee, *caller;
};

struct program {
    const struct body *body;
    struct micro *micros; /* functions before those that call them; ends with MICRO_EXIT */
    uint32_t micro_count;
    uint32_t entry;           /* the kernel's first micro */
    uint32_t reg_slots;       /* slots [0, reg_slots) are registers and decode temporaries */
    uint32_t slot_count;      /* slots [reg_slots, slot_count) are fixed */
    slot *reg_slot;           /* body register -> its slot */
    struct fixed_slot *fixed; /* slot_count - reg_slots entries */
    uint32_t *inst_micro;     /* instruction (inst_index) -> its first micro */
    uint32_t local_bytes;     /* .local memory of a lane, frames of calls included */
    bool uses_cta_barrier, uses_cluster_barrier;
    bool cancels;    /* asks that clusters do not start */
    bool meets;      /* has a warp collective, or a barrier of all threads of the CTA */
    uint32_t copies; /* asynchronous copies that a lane can have on their way */
};

/* What a fixed slot holds. */
struct fixed_slot {
    enum { FIXED_VALUE, FIXED_SPECIAL, FIXED_ADDRESS } kind;
    enum special special;
    uint32_t location; /* ADDRESS: as seen by the lane (its own CTA's copy of shared memory) */
    uint64_t value;    /* VALUE; ADDRESS: offset added */
};

/* Kernel arguments as bytes of the parameter space, from the launch; NULL args of a column. */
struct program_args {
    const struct operand *args;
    uint32_t count;
};

static inline bool micro_is_local(const struct micro *micro)
{
    enum { LOCAL, POINT };
    static const uint8_t when_of[] = {
#define MICRO(kind, when, reach) when,
#include "model/machine/program/micro.def"
#undef MICRO
    };
    return when_of[micro->kind] == LOCAL;
}

static inline bool micro_is_access(const struct micro *micro)
{
    return micro->kind == MICRO_LOAD || micro->kind == MICRO_STORE || micro->kind == MICRO_ATOM ||
           micro->kind == MICRO_RED;
}

static inline bool micro_is_atomic(const struct micro *micro)
{
    return micro->kind == MICRO_ATOM || micro->kind == MICRO_RED;
}

/* Does the barrier wait for every thread of the CTA? Then nobody can tell who arrived first. */
static inline bool micro_gathers(const struct micro *micro)
{
    return micro->kind == MICRO_BARRIER && micro->inst->op != OP_BAR_ARRIVE &&
           micro->src[1] == SLOT_NONE;
}

/* Is it more than computing and leaving? Of an access the address decides too (bypass.h). */
static inline bool micro_acts(const struct micro *micro)
{
    bool constant = micro->kind == MICRO_LOAD && micro->inst->space == SPACE_CONST;
    return !micro_is_local(micro) && micro->kind != MICRO_EXIT && micro->kind != MICRO_NANOSLEEP &&
           micro->kind != MICRO_ACTIVEMASK && !constant;
}

static inline uint32_t micro_elements(const struct micro *micro)
{
    return micro->inst->vector > 1 ? micro->inst->vector : 1;
}

/* What a step of the kind may do to memory: see micro.def. */
enum micro_reach {
    MICRO_REACHES_NOTHING,
    MICRO_REACHES_READS,
    MICRO_REACHES_WRITES,
    MICRO_REACHES_ALL
};

static inline enum micro_reach micro_reach(const struct micro *micro)
{
    static const uint8_t reach_of[] = {
#define MICRO(kind, when, reach) MICRO_REACHES_##reach,
#include "model/machine/program/micro.def"
#undef MICRO
    };
    return (enum micro_reach)reach_of[micro->kind];
}

/* Does it read the special register? */
static inline bool program_reads(const struct program *program, enum special special)
{
    for (uint32_t i = 0; i < program->slot_count - program->reg_slots; i++)
        if (program->fixed[i].kind == FIXED_SPECIAL && program->fixed[i].special == special)
            return true;
    return false;
}

/* Micros that may be executed behind the micro, 'micro_count' for the exit: '*list' has them, in 'two' or
 * the program's memory. Calls count as what stands behind them. */
uint32_t program_successors(const struct program *program, uint32_t at, const uint32_t **list,
                            uint32_t two[2]);
/* Could CTAs of different clusters tell by their registers in which order they run, unless they race?
 * It has strong loads of memory that is not shared, or atomics there whose old value is used. */
bool program_tells_order(struct arena *arena, const struct program *program);
/* May what a thread does depend on what it reads where others write strongly: on the result of an atomic
 * or of a strong load, of any memory? */
bool program_decides(struct arena *arena, const struct program *program);
/* By register slot: may it be computed from %clock and its like? */
const bool *program_clock_slots(struct arena *arena, const struct program *program);
/* Is all that is made of %clock and its like one comparison with something else? Then the least and the greatest values,
 * with and without a sign, stand for all. True without a clock. 'arena' for scratch. */
bool program_compares_clock_once(struct arena *arena, const struct program *program);
/* By micro: can what follows it execute the micro 'to'? Branches are taken both ways, and a function
 * may return to any of its callers. In 'arena'. */
const bool *program_leads_to(struct arena *arena, const struct program *program, uint32_t to);

/* By micro, and for the end behind the last one, the set of register slots whose values can still be used: bit s % 64 of
 * word s / 64. 'observed', by register of the body: is it asked for at the end? NULL: there are calls. In 'arena'. */
const uint64_t *program_live(struct arena *arena, const struct program *program,
                             const bool *observed);
static inline uint32_t program_live_words(const struct program *program)
{
    return program->reg_slots / 64 + 1;
}

/* The name of the shared memory that %reserved_smem_offset_0 and its like name. */
#define PROGRAM_RESERVED "reserved shared memory"

/* A lane's own .local variables lie from here on. */
#define LOCAL_FIRST UINT64_C(0xf0000000)
/* How far behind it the .local variable 'location' lies, or, for a number past the last, where all
 * of them end. Those of functions are in the frames of calls. */
uint64_t program_local_offset(const struct test *test, uint32_t location);

/* NULL after errors in 'diags' (an instruction the executor does not know, by name and place). */
struct program *program_decode(struct arena *arena, const struct test *test,
                               const struct body *body, const struct program_args *args,
                               struct diag_list *diags);

#endif
