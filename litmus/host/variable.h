/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_VARIABLE_H
#define LITMUS_HOST_VARIABLE_H

#include "litmus/host/context.h"

/* Variables: their cells, the memory of some, and what code does with them. */

/* scope.c: variables */
/* What is made of the value with "auto" has a type that is not known. */
bool eval_is_of_unknown_type(const struct eval *e, const struct code_value *value);
struct code_cell *eval_new_cell(struct eval *e, const char *name, const struct code_shape *shape);
void eval_bind(struct eval *e, const char *name, struct code_cell *cell);
/* A parameter that is an object, array or vector by value. */
void eval_bind_taken(struct eval *e, const char *name, struct code_cell *cell);
void eval_bind_reference(struct eval *e, const char *name, struct code_cell *cell);
struct code_cell *eval_find(const struct eval *e, const char *name);
/* That of the file, whatever a function calls so. */
struct code_cell *eval_find_of_file(const struct eval *e, const char *name);
void eval_close_scope(struct eval *e, uint32_t count);
/* The part of the name or number; made when it is new. */
/* Of the member of that name in a class; SHAPE_AUTO or NULL: not known. */
const struct code_shape *eval_member_shape(struct eval *e, const struct code_shape *of,
                                           const char *name);
struct code_cell *eval_member(struct eval *e, struct code_cell *cell, const char *name);
struct code_cell *eval_part(struct eval *e, struct code_cell *cell, uint64_t index);

/* memory.c: locations that host code makes */
uint32_t eval_new_location(struct eval *e, const char *name, enum type type, uint64_t elements,
                           enum memory_kind kind, struct span span);
/* Memory of malloc or new gets the name of the first variable that points to it. */
void eval_name_memory(struct eval *e, uint32_t location, const char *name);
/* Each row of a vector of vectors gets memory of its own. */
bool eval_place_rows(struct eval *e, struct code_cell *cell, struct span span);
bool eval_declare_memory(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
/* "malloc(n * sizeof(cudaStream_t))", for variables of the shape. */
bool eval_is_room(const struct cpp_expr *expr);
/* Its bytes. */
bool eval_room(struct eval *e, const struct cpp_expr *expr, uint64_t *bytes);
bool eval_is_of_variables(const struct code_shape *shape);
void eval_name_room(struct eval *e, struct code_cell *room, const char *name);
bool eval_make_room(struct eval *e, const struct code_shape *shape, const struct cpp_expr *expr,
                    struct code_value *to);
/* An array in a structure, an atomic object, or what threads share is in memory. */
void eval_place_member(struct eval *e, struct code_cell *member, bool shared);
/* The pointer variable gets new memory of so many bytes. */
bool eval_allocate(struct eval *e, struct code_cell *pointer, uint64_t bytes, enum memory_kind kind,
                   struct span span, uint32_t *location);

/* assigned.c: which variables code assigns */
/* Cells whose value is known only in a register from now on: those that the code may assign. */
void eval_forget_assigned(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr);
void eval_forget(struct eval *e, struct code_cell *cell, struct span why);
bool eval_assigns_known(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr);
/* Does it call functions of the program, or of objects of its classes? */
bool eval_calls_code(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr);
/* Does the loop's code change a variable that is known and that its condition names? */
bool eval_counts(struct eval *e, const struct cpp_expr *condition, const struct cpp_stmt *body,
                 const struct cpp_expr *step);
/* Does one of the functions assign the variable, take its address, or refer to it as one that can be written? */
bool eval_is_changed(struct eval *e, const char *name);

/* walk.c */
/* Does the code name it? */
bool eval_mentions(const struct cpp_stmt *stmt, const char *name);
bool eval_returns_value(const struct cpp_stmt *stmt); /* "return n;" stands in it */

/* given.c: whose address code gives away */
/* Is the variable that the lambda names a copy? */
bool eval_is_copied(const struct cpp_lambda *lambda, const char *name);
/* Does a function give the variable's address away, as eval_takes_address finds? */
bool eval_is_given(struct eval *e, const char *name);
bool eval_takes_address(struct eval *e, const struct cpp_stmt *body, const char *name);

/* indexed.c: does the code use the array only by its elements, each of them as a value? */
bool eval_is_only_indexed(const struct cpp_stmt *body, const char *name);
/* The same of a vector of vectors: "v[i][j]", "v[i].size()". */
bool eval_has_indexed_rows(const struct cpp_stmt *body, const char *name);

/* shared.c: what several threads use */
/* May some of the program's code run in another thread, or in a host function? */
bool eval_has_threads(const struct eval *e);
/* Does code that another thread or a host function may run assign members of the name? */
bool eval_is_shared_member(struct eval *e, const char *name);
/* Is the address of a member of the name given to a call of the runtime, as "&p->out"? */
bool eval_is_given_member(struct eval *e, const char *name);

#endif
