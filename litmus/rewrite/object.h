/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_REWRITE_OBJECT_H
#define LITMUS_REWRITE_OBJECT_H

#include "litmus/rewrite/site.h"

/* What the declarations before an expression say of the object that it is about. */

/* Where the scope of an atomic operation is written: among its arguments, in an atomic_ref on the spot, or in the last
 * declaration of the object's name before; a span without length is the place where it would stand. {0, 0}: C++ has no
 * place for it, or the declaration is not found. */
struct span object_scope(struct arena *arena, const struct site *site);
/* The type of the plain object that an access is of, as its last declaration or a cast calls it: "unsigned". In 'arena';
 * NULL: it is not found. '*is_volatile': so declared, or cast to be so. */
const char *object_type(struct arena *arena, const struct site *site, bool *is_volatile);
/* Is the name declared as a pointer to the type, without 'volatile'? */
bool object_is_of_type(struct arena *arena, const struct source *source,
                       const struct cpp_expr *pointer, const char *type);
/* Is it a variable of the thread's own, which is in no memory? */
bool object_is_local(struct arena *arena, const struct source *source, const struct cpp_expr *name);

#endif
