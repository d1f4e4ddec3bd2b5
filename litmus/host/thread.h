/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_THREAD_H
#define LITMUS_HOST_THREAD_H

#include "litmus/host/context.h"

/* Threads of the host, mutexes and condition variables. */

/* thread.c: std::thread, mutexes */
bool eval_thread_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
bool eval_thread_method(struct eval *e, struct code_cell *cell, const char *word,
                        const struct cpp_expr *expr, struct code_value *to);
bool eval_lock_several(struct eval *e, const struct cpp_expr *expr); /* "std::lock(a, b)" */
/* "while (!done) c.wait(l);"; *found: it is such a loop. */
bool eval_signal_loop(struct eval *e, const struct cpp_stmt *stmt, bool *found);
/* "auto f = std::async(…)": the variable that holds the thread. */
struct code_cell *eval_thread_of(struct code_cell *cell);
/* What the end of the variables from 'count' on does: mutexes are unlocked, threads joined. */
void eval_unlock_scope(struct eval *e, uint32_t count);
bool eval_ends_scope(const struct eval *e, uint32_t count); /* does it do anything? */
bool eval_start_thread(struct eval *e, const struct cpp_expr *expr, const char *name,
                       struct code_value *to);
/* "std::async(std::launch::async, f)" */
bool eval_start_future(struct eval *e, const struct cpp_expr *expr, struct code_value *to);

/* order.c */
/* The thread 'host' was made by another, or none, and its end raises the flag; it was waited for here. */
void eval_note_thread(struct eval *e, uint32_t host, uint32_t maker, uint32_t ended);
void eval_note_join(struct eval *e, uint32_t ended);
/* The thread whose code is read uses a variable that is no memory; false: another one may do so at the same time. */
bool eval_take_to_read(struct eval *e, struct code_cell *cell, struct span span);
bool eval_take_to_set(struct eval *e, struct code_cell *cell, struct span span);

/* body.c */
/* A name that no host thread has yet. */
const char *eval_thread_name(const struct eval *e, const char *name);

#endif
