/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_PLACE_H
#define LITMUS_HOST_PLACE_H

#include "litmus/host/context.h"

/* What can be read, written and pointed to, and what names mean. */

/* place.c: what can be read, written and pointed to */
bool eval_place_of(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);
/* The same, for what can use a place among several, which the program chooses when it runs (choice.h). */
bool eval_places_of(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);
struct lvalue eval_place_of_cell(struct code_cell *cell);
/* The object before the '.' or "->" of a member, or one of several. */
bool eval_objects_of(struct eval *e, const struct cpp_expr *member, struct lvalue *to);
/* Where a value is that a function gave: what a reference refers to, or a variable of its own. */
bool eval_place_of_value(struct eval *e, const struct code_value *value, struct span span,
                         struct lvalue *to);
/* For what is assigned, also one among several: a name that nothing declares becomes a register. */
bool eval_target(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);
bool eval_read(struct eval *e, const struct lvalue *place, struct span span, struct code_value *to);
/* Is the access of the type and within the memory? */
bool eval_fits_location(struct eval *e, const struct lvalue *place, struct span span);
/* A float is accessed as an integer, or the other way round. */
bool eval_is_other_kind(const struct eval *e, const struct lvalue *place);
bool eval_is_in_bounds(struct eval *e, const struct lvalue *place, struct span span);
/* Of what is read there: that of a location that a test declares is the dialect's, 64 bits with a sign. */
enum type eval_read_type(const struct eval *e, const struct lvalue *place);
bool eval_point_to(struct eval *e, const struct lvalue *place, struct code_value *to);
bool eval_pointed_to(struct eval *e, const struct code_value *pointer, uint64_t index,
                     struct span span, struct lvalue *to);
/* An address that a call of the runtime is given: of a location also by its name alone. */
bool eval_address(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
uint64_t eval_unit(const struct eval *e, uint32_t location);
/* From an element to the next one, of what the address points to. */
uint64_t eval_step_of(struct eval *e, const struct code_value *pointer);
bool eval_is_location(const struct eval *e, const struct cpp_expr *expr, uint32_t *location);
const char *eval_word(const struct cpp_expr *expr);

/* element.c */
bool eval_element(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);

/* name.c */
/* NULL, cudaSuccess, …: no variable has such a name. */
bool eval_is_runtime_word(const char *word);
/* A name that nothing declares. */
struct code_cell *eval_find_made_by_use(const struct eval *e, const char *name); /* or NULL */
struct code_cell *eval_made_by_use(struct eval *e, const char *name, bool everybodys);
/* Names of the runtime that are values. */
bool eval_runtime_word(const char *word, struct code_value *to);
/* A variable that holds the value for ever. */
struct code_cell *eval_constant_cell(struct eval *e, const struct code_value *value);
/* What the name means; reports names that mean nothing. */
bool eval_place_of_name(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);

/* write.c */
bool eval_write(struct eval *e, const struct lvalue *place, const struct code_value *value,
                struct span span);
bool eval_set(struct eval *e, struct code_cell *cell, const struct code_value *value,
              struct span span);

/* initial.c: the cell has no value yet */
bool eval_initialize(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
/* Of the file or of the runtime, with members that are known. */
bool eval_is_structure(struct eval *e, const char *word);
/* "W{1, 2}" */
bool eval_new_structure(struct eval *e, const struct code_shape *shape,
                        const struct cpp_expr *const *list, uint32_t count, struct code_value *to);

#endif
