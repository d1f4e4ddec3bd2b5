/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_RUNTIME_H
#define LITMUS_HOST_RUNTIME_H

#include "litmus/host/context.h"

/* Calls of the CUDA runtime, and of functions that order nothing. */

/* node.c. What a node does, of the structure in 'cell': a set, a copy, an allocation or a host function. */
bool eval_node_parameters(struct eval *e, struct code_cell *cell, struct span span,
                          struct host_call *call);

/* How many bytes an element of a set may have; false after a report. */
bool eval_element_size(struct eval *e, uint64_t size, struct span span);

/* structured.c: cudaGraphAddNode with its structure, cuStreamBatchMemOp and cudaMemcpy3D; *found: it is one. */
bool eval_structured_call(struct eval *e, const struct cpp_expr *expr, const char *word,
                          bool *found, struct code_value *to);

/* stream_value.c: cuStreamWaitValue and its like. The call's code is a function that a task runs. */
bool eval_stream_value(struct eval *e, struct span span, struct host_call *call);
bool eval_stream_value_code(struct eval *e, const struct host_call *call);

/* call.c: calls of functions, first of the runtime */
bool eval_is_call_of(const struct cpp_expr *expr, const char *word);
bool eval_call(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to);
bool eval_is_runtime_call(const struct eval *e, const struct cpp_expr *expr);
/* What to write instead of a name that is refused; or NULL. */
const char *eval_instead(const struct eval *e, const char *word);

/* runtime.c */
bool eval_runtime_call(struct eval *e, const struct cpp_expr *expr, const struct host_call_row *row,
                       bool used, struct code_value *to);
struct host_call eval_blank_call(const struct eval *e, const struct host_call_row *row);
bool eval_add_call(struct eval *e, struct host_call call, bool used, struct span span,
                   struct code_value *to);
const struct host_call_row *eval_runtime_row(const char *word);

/* argument.c */
/* "{a, b}", "&a", an array or vector, NULL: 'count' of them. */
bool eval_node_list(struct eval *e, const struct cpp_expr *expr, uint32_t count,
                    struct host_call *call);
/* As the letters of the call's row say; those behind '?' may be left out. */
bool eval_call_arguments(struct eval *e, const struct cpp_expr *expr, struct host_call *call);
/* The last argument is the address of a structure, as the runtime has it, behind those that name the node. */
bool eval_structured(struct eval *e, const struct cpp_expr *expr, struct host_call *call,
                     bool *found);
bool eval_memory_of(struct eval *e, const struct code_value *address, struct span span,
                    struct host_memory *to);

/* object.c */
/* Reports that the value is no object of the kind; false. */
bool eval_wrong_kind(struct eval *e, const struct code_value *value, enum host_object_kind kind,
                     struct span span);
/* "s" or "s[0]" that nothing declares: its cell. */
struct code_cell *eval_undeclared(struct eval *e, const struct cpp_expr *expr);
/* Nothing declares it, and nothing stands before or behind it. */
bool eval_is_bare_name(const struct cpp_expr *expr);
/* The object that the variable holds; one that no call makes is made by its first use. */
bool eval_object_in(struct eval *e, struct code_cell *cell, enum host_object_kind kind,
                    struct span span, uint32_t *object);
/* A call that makes an object twice makes another one. */
bool eval_made_object(struct eval *e, const struct cpp_expr *expr, enum host_object_kind kind,
                      uint32_t *object);
bool eval_object(struct eval *e, const struct cpp_expr *expr, enum host_object_kind kind,
                 uint32_t *object);
uint32_t eval_default_stream(const struct eval *e);

/* asked.c: cudaGraphGetNodes; and what a call writes that asks whether a stream is captured */
bool eval_ask_nodes(struct eval *e, const struct cpp_expr *expr);
bool eval_tell_capture(struct eval *e, const struct cpp_expr *expr, uint32_t stream);

/* edges.c: the call lists edges in the runtime's form; a call for each. */
bool eval_lists_edges(const struct host_call_row *row, const struct cpp_expr *expr);
bool eval_edges(struct eval *e, const struct cpp_expr *expr, const struct host_call_row *row,
                bool used, struct code_value *to);

/* body.c */
/* The function that a call is given, with its data or NULL: its index among the host threads. */
bool eval_function_argument(struct eval *e, const struct cpp_expr *expr,
                            const struct code_value *data, bool is_callback, uint32_t *host);

/* library.c: functions of the runtime and of C++ that order nothing */
bool eval_orders_nothing(const char *word);
bool eval_ends(const char *word); /* exit and its like */
bool eval_library(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                  struct code_value *to);

/* mathematics.c */
/* "max(a, b)", "max({a, b, c})" */
bool eval_least_or_most(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                        struct code_value *to);
/* Of a number that is known. */
bool eval_rounded(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                  struct code_value *to);

/* text.c */
extern const struct code_shape eval_string_shape,
    eval_characters_shape; /* std::string, const char * */
/* All characters of a text that is written out, also behind a zero. */
bool eval_literal_text(struct eval *e, struct span span, struct code_text *to);
/* Those of a text that is known: of const char * up to a zero. */
bool eval_characters(struct eval *e, const struct code_value *value, struct code_text *to);
struct code_value eval_new_text(struct eval *e, const char *at, uint32_t length, struct span span);
/* A std::string of the value, or VALUE_UNKNOWN. */
struct code_value eval_as_string(struct eval *e, const struct code_value *value, struct span span);
int eval_order_of_texts(const struct code_text *left, const struct code_text *right);
/* "s + t" and "s + c", one of which is a std::string. */
bool eval_add_texts(struct eval *e, struct code_value *left, const struct code_value *right,
                    struct span span);
/* The std::string that a constructor makes of these. */
bool eval_make_text(struct eval *e, const struct cpp_expr *const *given, uint32_t count,
                    bool braced, struct span span, struct code_value *to);

/* text_method.c */
/* "s.size()", "s.push_back(c)" */
bool eval_text_method(struct eval *e, const struct lvalue *place, const struct cpp_expr *expr,
                      const char *word, bool *found, struct code_value *to);
/* "strlen(s)", "strcmp(s, t)", "std::to_string(n)" */
bool eval_text_function(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                        struct code_value *to);

#endif
