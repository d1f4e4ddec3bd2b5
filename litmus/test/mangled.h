/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_MANGLED_H
#define LITMUS_TEST_MANGLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litmus/base/arena.h"

/* The name that a function has in C++, without namespaces and parameters: "copy" of
 * "_ZN2ns4copyEPj". '*length' 0: the name is no mangled one. */
const char *mangled_name(const char *name, size_t *length);
/* The name that a variable of a function has there: "s" of "_ZZ4copyPjE1s". '*length' 0: it is none. */
const char *mangled_local(const char *name, size_t *length);
/* The types in C++ of the 'count' parameters of a mangled kernel, such as "unsigned int *". False: the name
 * is none, has another number of them, or types that are not known here. */
bool mangled_types(struct arena *arena, const char *name, const char **types, uint32_t count);
/* What a mangled function is in C++. */
struct mangled_function {
    const char *name;             /* with namespaces and without arguments: "ns::copy" */
    const char *const *arguments; /* of the template that it is of: "int", "5", "true" */
    const char *const *types;     /* of its parameters */
    uint32_t argument_count, type_count;
};
/* False: the name is none, or has types that are not known here. */
bool mangled_describe(struct arena *arena, const char *name, struct mangled_function *to);
/* Is the function called so, in PTX or in C++? */
bool mangled_is(const char *name, const char *wanted, size_t length);

#endif
