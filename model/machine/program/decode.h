/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_PROGRAM_DECODE_H
#define MODEL_MACHINE_PROGRAM_DECODE_H

#include "model/machine/program/program.h"

/* Shared by the decode_*.c files: a program while it is decoded. */
struct decoder {
    struct arena *arena;
    const struct test *test;
    const struct program_args *args;
    struct diag_list *diags;
    struct program *program;
    VEC(struct micro) micros;
    VEC(struct fixed_slot) fixed;
    const struct inst *inst; /* being decoded */
    uint32_t inst_index;
    struct function *kernel, *function; /* 'function': it belongs to */
    slot *reg_slot;                     /* by register of its body */
    VEC(struct function *) functions;   /* each behind those it calls */
    uint32_t kernel_frame;              /* where it lies in local memory */
    slot stack, stack_base;             /* decode_stack.c; SLOT_NONE: nothing takes memory there */
    slot carry;                         /* PTX's CC.CF; SLOT_NONE: no instruction used it yet */
};

/* While decoding, fixed slots carry this bit; program_decode takes it away at the end. */
#define SLOT_FIXED UINT32_C(0x80000000)

void decode_error(struct decoder *d, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A micro of the instruction being decoded, under its guard, with no operands. */
struct micro decode_micro(const struct decoder *d, enum micro_kind kind);
/* Appends it; this and the next: valid until the next one is. */
struct micro *decode_push(struct decoder *d, const struct micro *micro);
struct micro *decode_emit(struct decoder *d, enum micro_kind kind); /* one without operands */
/* An ALU micro with up to four sources; 'function' NULL is reported. */
struct micro *decode_alu_of(struct decoder *d, alu_fn *function, slot dst, const slot *sources,
                            uint32_t count);
#define decode_alu(d, function, dst, ...)                                                          \
    decode_alu_of(d, function, dst, (const slot[]){__VA_ARGS__},                                   \
                  sizeof((const slot[]){__VA_ARGS__}) / sizeof(slot))
/* The same for an operation without modifiers. */
#define decode_operation(d, op_, type_, ...)                                                       \
    decode_alu(d, alu_find(&(const struct inst){.op = (op_), .type = (type_)}), __VA_ARGS__)
slot decode_temporary(struct decoder *d);
slot decode_value(struct decoder *d, uint64_t value);

/* Operands. */
slot decode_source(struct decoder *d, const struct operand *operand); /* negated predicates too */
slot decode_target(struct decoder *d, const struct operand *operand); /* register or sink */
/* The address of a memory operand. */
void decode_address(struct decoder *d, const struct operand *operand, slot *base, int64_t *offset);
/* The value of bytes [offset, offset + bytes) of the kernel's parameters, as a fixed slot. */
slot decode_param(struct decoder *d, const struct operand *operand, uint32_t bytes, uint32_t skip);

/* A register may be wider than the type of a load or conversion: signed results are then extended
 * to the register. */
void decode_extend(struct decoder *d, const struct operand *to);

/* decode_call.c. Finds the functions that the kernel calls, places their frames and numbers their
 * instructions. */
void decode_functions(struct decoder *d);
/* Local memory that frames of calls need; after all functions are decoded. */
uint32_t decode_stack_bytes(struct decoder *d);
void decode_call(struct decoder *d);
void decode_return(struct decoder *d); /* of the kernel: an exit */
/* The slot with the address of the function's frame. */
slot decode_frame(struct decoder *d);
/* Is the .local variable the function's own, and where in its frame? */
bool decode_frame_local(const struct decoder *d, uint32_t location, uint32_t *offset);

/* decode_stack.c: before and after all code. */
enum { STACK_BYTES = 1 << 14 };
bool decode_has_stack(const struct decoder *d);
void decode_stack_start(struct decoder *d);
void decode_stack_end(struct decoder *d);

/* Instructions, one function a group of isa.def or more. */
void decode_plain(struct decoder *d); /* one ALU micro */
void decode_space(struct decoder *d);
void decode_matrix(struct decoder *d);
void decode_texture(struct decoder *d);
void decode_carry(struct decoder *d);
void decode_comparison(struct decoder *d);
void decode_move(struct decoder *d);
void decode_control(struct decoder *d);
void decode_grid(struct decoder *d);
void decode_signature(struct decoder *d); /* one micro, operands as the signature says */
void decode_pause(struct decoder *d);
void decode_fence(struct decoder *d);
void decode_cta_barrier(struct decoder *d);

/* Fills in micro.reconverge. */
void program_postdominators(struct arena *arena, struct program *program);
/* Marks micros whose address or mask comes from %warpid and its like, or from activemask. */
void program_taint(struct arena *arena, struct program *program);

#endif
