/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_REWRITE_WORDS_H
#define LITMUS_REWRITE_WORDS_H

#include "litmus/test/test.h"

/* Orders, scopes and fences as C++ writes them. All in 'arena'. */

/* "cuda::", "std::" or "": what stands before such words in the text; "cuda::" where it has none. */
const char *words_prefix(const struct source *source);
/* The same before what only cuda has, as all that takes a scope does. */
const char *words_scoped_prefix(const struct source *source);
/* The order in the form of 'like', a word for another ("std::memory_order_relaxed", "rlx"). */
const char *words_order_like(struct arena *arena, const char *like, enum sem sem);
const char *words_order(struct arena *arena, const char *prefix, enum sem sem);
/* The same of scopes. NONE is that of the thread. */
const char *words_scope_like(struct arena *arena, const char *like, enum scope scope);
const char *words_scope(struct arena *arena, const char *prefix, enum scope scope);
/* "cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device)", "__threadfence()". */
const char *words_fence(struct arena *arena, const char *prefix, enum sem sem, enum scope scope);
/* "unsigned": an integer type as C++ calls it. */
const char *words_type(enum type type);

#endif
