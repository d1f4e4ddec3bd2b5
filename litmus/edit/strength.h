/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_STRENGTH_H
#define LITMUS_EDIT_STRENGTH_H

#include "litmus/test/test.h"

/* How much an instruction orders, as far as its words say: partial orders, in which 'at least' includes
 * 'equal' (PTX 8.4, 8.5, 9.7.13.4). */

/* weak, relaxed, then acquire and release, of which neither includes the other, acq_rel, sc. */
bool strength_sem(enum sem more, enum sem less);
/* A wider scope includes a narrower one; every scope includes none. */
bool strength_scope(enum scope more, enum scope less);
/* Of two instructions with the same operation and operands, or two fences: does 'more' order all that 'less'
 * orders? */
bool strength_inst(const struct inst *more, const struct inst *less);

/* The mnemonic with its modifiers of an instruction as the source has it, with the semantics and the scope of
 * 'to' in place of its own: "st.release.gpu.global.u32". Of a fence: that of 'to', whatever stood there. In
 * 'arena'. */
const char *strength_words(struct arena *arena, const struct test *test, const struct inst *from,
                           const struct inst *to);
/* Where the word of its semantics, or of its scope, stands in the text; {0, 0}: it has none there. */
struct span strength_sem_span(const struct test *test, const struct inst *inst);
struct span strength_scope_span(const struct test *test, const struct inst *inst);
/* Where that mnemonic stands in the text of the instruction, behind its guard; all of a host's call. */
struct span strength_span(const struct test *test, const struct inst *inst);
/* The whole instruction without its guard. */
struct span strength_words_span(const struct test *test, const struct inst *inst);
/* "fence.acq_rel.gpu", "fence.proxy.async.global": without operands. In 'arena'. */
const char *strength_fence(struct arena *arena, const struct inst *fence);

#endif
