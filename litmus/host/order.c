/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

/* Which thread's code comes after another's, for variables of the file that are no memory, such as pointers: what one
 * thread assigns another one may use only where it comes later for certain. Code is read where its thread is made, so what
 * was read of a thread's makers is before all that it does. */

static struct thread_past *past(struct eval *e, uint32_t host)
{
    const struct thread_past none = {NONE, NONE, NONE};
    while (e->pasts.len <= host)
        vec_push(e->arena, &e->pasts, none);
    return &e->pasts.at[host];
}

void eval_note_thread(struct eval *e, uint32_t host, uint32_t maker, uint32_t ended)
{
    *past(e, host) = (struct thread_past){.maker = maker, .ended = ended, .joined_by = NONE};
}

void eval_note_join(struct eval *e, uint32_t ended)
{
    for (uint32_t i = 0; !e->branches && !e->waiting && i < e->pasts.len; i++)
        if (e->pasts.at[i].ended == ended)
            e->pasts.at[i].joined_by = e->host;
}

static bool is_self_or_maker(struct eval *e, uint32_t host)
{
    for (uint32_t at = e->host; at != NONE; at = past(e, at)->maker)
        if (at == host)
            return true;
    return false;
}

/* Does the thread whose code is read come after all that was read of the other one? */
static bool comes_after(struct eval *e, uint32_t host)
{
    return host == NONE || is_self_or_maker(e, host) ||
           (past(e, host)->joined_by != NONE && is_self_or_maker(e, past(e, host)->joined_by));
}

/* Everybody's, or a pointer or text, which is in no register. */
static bool is_ruled(const struct eval *e, const struct code_cell *cell)
{
    bool any = cell->host == NONE || cell->shape->kind == SHAPE_POINTER || cell->shape->is_text;
    return any && e->is_file && e->host != NONE && !cell->is_const;
}

/* Another thread may see the variable if nobody changes it from then on. */
static void see(struct eval *e, struct code_cell *cell)
{
    const struct code_function *function = e->frame.function;
    bool copied = function && function->lambda && eval_is_copied(function->lambda, cell->name);
    if (cell->host != e->host && cell->host != NONE && !copied)
        cell->is_shared = true;
}

bool eval_take_to_read(struct eval *e, struct code_cell *cell, struct span span)
{
    if (!is_ruled(e, cell)) {
        see(e, cell);
        return true;
    }
    if (!comes_after(e, cell->writer)) {
        eval_error(e, host_argument, span, "wait for the thread first, or pass what it assigns",
                   "another thread may assign the variable '%s' at the same time", cell->name);
        return false;
    }
    for (uint32_t i = 0; i < cell->readers.len; i++)
        if (cell->readers.at[i] == e->host)
            return true;
    vec_push(e->arena, &cell->readers, e->host);
    return true;
}

bool eval_take_to_set(struct eval *e, struct code_cell *cell, struct span span)
{
    bool ruled = is_ruled(e, cell);
    bool free = !cell->is_shared && (cell->host == e->host || cell->host == NONE || ruled);
    free = free && (!ruled || comes_after(e, cell->writer));
    for (uint32_t i = 0; free && ruled && i < cell->readers.len; i++)
        free = comes_after(e, cell->readers.at[i]);
    if (!free) {
        e->clashes = true;
        eval_error(e, host_argument, span, "make it std::atomic, or a location of the test",
                   "another thread uses the variable '%s'", cell->name);
        return false;
    }
    if (ruled)
        cell->writer = e->host;
    return true;
}
