/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_TYPE_H
#define LITMUS_HOST_TYPE_H

#include "litmus/host/context.h"

/* Types of variables, and how large they are. */

/* symbol.c: the memory of a variable of the device is of the type that the file says */
void eval_type_symbol(struct eval *e, const struct cpp_declarator *one);

/* size.c: what sizeof says; 0: not known */
uint64_t eval_size(struct eval *e, const struct code_shape *shape);
/* Where the member lies in a structure of data, and what it is; false: not known. */
bool eval_member_offset(struct eval *e, const struct code_shape *shape, const char *name,
                        uint64_t *offset, const struct code_shape **member);
/* The type of the numbers that the structure consists of, if all have one size; else TYPE_NONE. */
enum type eval_member_type(struct eval *e, const struct code_shape *shape);

/* named_type.c */
const struct code_shape *eval_named_shape(struct eval *e, const struct cpp_type *type);
/* Of a library, no class or a plain one; of the runtime. */
bool eval_is_plain_word(const char *word);
bool eval_is_runtime_type(const struct eval *e, const char *word);

/* type.c */
struct code_shape *eval_new_shape(struct eval *e, struct code_shape shape);
const struct code_shape *eval_shape(struct eval *e, const struct cpp_type *type);
const struct code_shape *eval_number_shape(struct eval *e, enum type type);
/* How far apart elements of the type lie in memory: 8 bytes where the size is not known. */
uint64_t eval_bytes(struct eval *e, const struct code_shape *shape);
enum type eval_vector_part(const char *word); /* "float" of float4; NONE: it is no such type */
uint64_t eval_vector_bytes(const char *word); /* of float4 and its like; 0: it is none */
const struct structure *eval_structure(const struct eval *e, const char *name);
/* False after a report: several have its name. */
bool eval_is_only_class(struct eval *e, const struct structure *structure, struct span span);
void eval_name_type(struct eval *e, const char *name, const struct cpp_type *type);
/* For as long as a template's code is read. */
void eval_name_shape(struct eval *e, const char *name, const struct code_shape *shape);
const struct type_name *eval_type_named(const struct eval *e, const char *name); /* or NULL */
void eval_define_structure(struct eval *e, const struct cpp_type *type);
/* A variable of the type is made without code of the program or of an unknown library. */
bool eval_is_plain_type(struct eval *e, const char *word);
/* The number as a value of the type has it. */
uint64_t eval_fit(uint64_t bits, enum type type);
enum type eval_common_type(enum type a, enum type b);
/* The type of an integer's value: at least int. */
enum type eval_promoted(enum type type);

#endif
