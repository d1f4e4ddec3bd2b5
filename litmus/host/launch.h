/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_LAUNCH_H
#define LITMUS_HOST_LAUNCH_H

#include "litmus/host/context.h"

/* Launches of kernels. */

/* launch.c */
bool eval_launch(struct eval *e, const struct cpp_expr *expr, uint32_t *index, uint32_t *stream);
bool eval_launch_call(struct eval *e, const struct cpp_expr *expr, bool used,
                      struct code_value *to);
/* How many blocks or threads: a number or a dim3. */
bool eval_launch_sizes_of(struct eval *e, const struct code_value *value, struct span span,
                          struct dim3 *dim);
bool eval_launch_sizes(struct eval *e, const struct cpp_expr *expr, struct dim3 *dim);
/* instance.c */
/* How code names a kernel, and what it gives to it. */
struct kernel_use {
    struct span name;
    const struct cpp_name *written;         /* with its namespaces and arguments, or NULL */
    const struct code_shape *const *shapes; /* of the arguments; NULL in it: not known */
    uint32_t count;
    bool has_arguments; /* these are all; else they are not known */
};
/* *kernel: the index of its code; NONE: there is none. False after a report: it may be one of several. */
bool eval_choose_kernel(struct eval *e, const struct kernel_use *use, uint32_t *kernel);

/* An argument that is given by its address: its bits are the parameter's, whatever its type is. */
bool eval_bits_of_parameter(struct eval *e, uint32_t kernel, uint32_t index,
                            struct code_value *value, struct span span);
bool eval_add_launch_argument(struct eval *e, struct launch *launch, uint32_t kernel,
                              const struct code_value *value, struct span span);
/* Its number among the launches. */
uint32_t eval_add_launch(struct eval *e, struct launch launch, const char *label,
                         struct span kernel, struct span span);
/* The memory synchronization domain of a kernel (CUDA programming guide, memory synchronization domains). */
bool eval_set_domain(struct eval *e, uint64_t domain, struct span span, struct launch *launch);

/* by_value.c */
bool eval_is_passed_by_value(const struct code_value *value);
/* A structure or std::array for a parameter of so many bytes. */
bool eval_pass_by_value(struct eval *e, const struct code_value *value, uint64_t wanted,
                        struct span span, struct operand *to);

/* launch_call.c */
/* "cudaLaunchKernel(…)" and its like; *found: it is one. */
bool eval_launching_call(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                         struct code_value *to);
bool eval_launch_parameters(struct eval *e, struct code_cell *parameters, struct span span,
                            uint32_t *index);

#endif
