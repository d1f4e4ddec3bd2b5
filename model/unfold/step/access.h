/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_ACCESS_H
#define MODEL_UNFOLD_STEP_ACCESS_H

#include "model/unfold/builder/step.h"

/* Adds the events of memory accesses to the graph that is being built. */
struct access {
    event_tags tags;
    enum scope scope;
    uint32_t thread, position;
    expr_id guard;
    struct unfold_value address, value; /* value: of a write */
    uint32_t bytes;                     /* at most 8 */
    const char *text;                   /* or NULL: the instruction's */
};

event_tags access_proxy_tag(enum proxy proxy);
/* WEAK, RLX, ACQ or REL of one half of an access with these semantics. */
event_tags access_semantics_tag(enum sem sem, bool is_read);
/* Adds the event with its addr and data edges; a read's value is what it returns. */
event_id access_add(struct unfold_step *s, enum event_kind kind, const struct access *access);
/* The write half of the atomic operation whose read half is 'read'. */
event_id access_add_write(struct unfold_step *s, const struct access *access, event_id read);
/* What atom.op leaves in memory that held 'old'; not for cas. */
expr_id access_atom_result(struct unfold_step *s, enum atom_op op, bool is_signed, expr_id old,
                           expr_id operand);

#endif
