/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SESSION_WORDS_H
#define SOLVER_SESSION_WORDS_H

#include "solver/session/session.h"

/* What session.c leaves to Z3 once a session has bit-vectors. Literals here are those of solver/sat. */

sat_lit session_number_of(lit a);
void words_clause(struct session *session, const sat_lit *lits, uint32_t count);
/* 'milliseconds': UINT_MAX without a limit. */
enum session_answer words_check(struct session *session, const sat_lit *assumptions, uint32_t count,
                                unsigned milliseconds);
bool words_true(struct session *session, sat_lit a);
void words_core(struct session *session, const sat_lit *assumptions, uint32_t count, bool *used);
unsigned words_effort(const struct session *session); /* what Z3 did so far, as it counts */
const char *words_text(struct session *session);
void words_free(struct session *session); /* before the arena is */

#endif
