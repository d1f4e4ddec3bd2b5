/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_METHOD_H
#define LITMUS_HOST_METHOD_H

#include "litmus/host/context.h"

/* What is called on objects: of atomic objects, vectors, threads and classes. */

/* atomic.c */
bool eval_atomic_function(struct eval *e, const struct cpp_expr *expr, const char *word, bool used,
                          bool *found, struct code_value *to);
bool eval_fence_call(struct eval *e, const struct cpp_expr *expr);
bool eval_atomic_read(struct eval *e, const struct lvalue *place, enum sem sem, struct span span,
                      struct code_value *to);
bool eval_atomic_write(struct eval *e, const struct lvalue *place, const struct code_value *value,
                       enum sem sem, struct span span);
bool eval_atomic_update(struct eval *e, const struct lvalue *place, enum atom_op op,
                        const struct code_value *value, enum sem sem, bool used, struct span span,
                        struct code_value *to);
/* Memory as std::atomic_ref of that type sees it. */
bool eval_as_atomic(struct eval *e, const struct cpp_type *type, const struct lvalue *from,
                    struct lvalue *to);
bool eval_atomic_reference(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);
/* A method of an atomic object in memory. */
bool eval_atomic_method(struct eval *e, const struct cpp_expr *expr, const struct lvalue *place,
                        bool used, struct code_value *to);

/* method.c */
bool eval_method(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to);

/* vector.c */
/* Elements from 'first' to 'last', two iterators, are added to the end. */
bool eval_add_range(struct eval *e, struct code_cell *cell, const struct cpp_expr *first,
                    const struct cpp_expr *last);
/* A method of a vector or array of variables, */
bool eval_vector_method(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                        struct code_value *to);
/* and of one in memory. */
bool eval_memory_method(struct eval *e, const struct cpp_expr *expr, const struct lvalue *place,
                        struct code_value *to);

#endif
