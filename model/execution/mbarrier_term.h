/* SPDX-License-Identifier: MIT */
#ifndef MODEL_EXECUTION_MBARRIER_TERM_H
#define MODEL_EXECUTION_MBARRIER_TERM_H

#include "litmus/test/test.h"

/* Is the term's value the word of an mbarrier object: that of an object which an instruction initialises, or a state
 * that arrivals gave to the register or that is stored from such a register, or a copy of either? Told from the text: of addresses those are
 * followed that a register has from the start or by moves and constant additions. */
bool mbarrier_term(const struct test *test, const struct cond_term *term);

#endif
