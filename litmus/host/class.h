/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_CLASS_H
#define LITMUS_HOST_CLASS_H

#include "litmus/host/context.h"

/* Objects of classes. */

/* class.c: objects of classes, and their functions */
/* The class of the object and those that it is made of, the innermost base first. */
struct class_levels {
    VEC(const struct code_shape *) of;
};
struct class_levels eval_levels(struct eval *e, const struct code_shape *shape);
/* What the parameters of the class's template stand for is known until the matching call. */
struct class_opening {
    uint32_t types, bindings;
};
/* The object whose function is being read; or NULL. */
struct code_cell *eval_self(const struct eval *e);
void eval_bind_self(struct eval *e, struct code_cell *self);
/* Is there more to making, copying or ending an object than setting its members? */
bool eval_is_class(struct eval *e, const struct code_shape *shape);
/* ... or is it an array or vector of such objects? */
bool eval_holds_objects(struct eval *e, const struct code_shape *shape);
/* What belongs to the class and not to its objects. */
void eval_bind_statics(struct eval *e, const struct structure *of);
/* Does the statement declare members of objects? */
bool eval_is_data_member(const struct cpp_stmt *stmt);
/* An array or vector. */
bool eval_is_list_shape(const struct code_shape *shape);
/* Has the class itself a member of the name? */
bool eval_declares_member(const struct structure *of, const char *name);

/* template.c */
struct class_opening eval_open_class(struct eval *e, const struct code_shape *shape);
void eval_close_class(struct eval *e, struct class_opening opening);

/* construct.c */
/* "W w(1);" */
bool eval_make_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
/* Bases and members before the code of a constructor, which is NULL where the program writes none. */
bool eval_make_members(struct eval *e, struct code_cell *self, const struct code_shape *level,
                       const struct code_function *constructor, bool zero, struct span span);
/* A call with these arguments, of nothing that has a name. */
struct cpp_expr eval_call_with(const struct cpp_expr **given, uint32_t count, struct span span);
/* By a constructor that takes the value. */
bool eval_make_by_value(struct eval *e, struct code_cell *cell, const struct code_value *value,
                        struct span span);

/* copying.c */
/* Of another object, or of what is not to be copied: "W w = v;". */
bool eval_copy_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                      struct span span);
/* By the value, which may be of another type: "W w = 5;". */
bool eval_set_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                     struct span span);
bool eval_is_of(struct eval *e, const struct code_value *value, const struct code_shape *shape);
bool eval_assign_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                        struct span span);

/* declare.c */
/* Part 'index' of a structure, pair, tuple or array, as "auto [a, b] = p" takes it. */
bool eval_part_of(struct eval *e, const struct code_value *whole, uint32_t index, struct span span,
                  struct lvalue *to);
/* "auto n = 5;", "[n = 5]": the type is that of the value, for what is assigned later, too. */
void eval_settle_auto(struct eval *e, struct code_cell *cell, const struct cpp_expr *expr);
bool eval_bind_parts(struct eval *e, const struct cpp_declarator *one, struct code_cell *cell);

/* ending.c */
void eval_end_object(struct eval *e, struct code_cell *cell);
/* "W(1)": an object without a name. */
bool eval_temporary_object(struct eval *e, const struct code_shape *shape,
                           const struct cpp_expr *expr, struct code_value *to);
/* Those from 'count' on end. */
bool eval_end_temporaries(struct eval *e, uint32_t count);
/* A name keeps it. */
void eval_keep_temporary(struct eval *e, const struct code_cell *cell);

/* thread.c */
/* A lock is given back, a thread joined, an object ended. */
void eval_end_member(struct eval *e, struct code_cell *cell);

/* local.c: the statement defines a class that was read when its function was */
bool eval_is_local_class(const struct eval *e, const struct cpp_stmt *stmt);

/* operator.c: operators and conversions that classes define */
/* "a @ b" where one is an object whose class, or the file, says what that is; *found: it is so. */
bool eval_operator(struct eval *e, const char *sign, struct code_value *left,
                   const struct code_value *right, struct span span, bool *found);
/* The object as what 'shape' holds, if its class has a conversion; NULL: as a condition. */
bool eval_convert(struct eval *e, struct code_value *value, const struct code_shape *shape,
                  struct span span);
const struct structure *eval_class_of(const struct code_value *value); /* of an object; or NULL */

#endif
