/* SPDX-License-Identifier: MIT */
#ifndef CLI_EMIT_VIEW_H
#define CLI_EMIT_VIEW_H

#include <jansson.h>

#include "cli/emit/emit.h"

/* What the templates of tests take (kernel.cu, host_test.cu): parts that both have. The caller owns each value. */

struct emission {
    struct job *job;
    const struct test *test;
    const struct emit_layout *at;
    uint32_t ptx, cuda;     /* what the test needs: 84 is PTX 8.4, 1207 CUDA 12.7 */
    const uint32_t *number; /* a location's place; NONE: it has none */
    uint32_t places;
};
/* Of each location; those of a module that nothing launched names have none. In 'arena'. */
uint32_t *emit_place_numbers(struct arena *arena, const struct test *test, uint32_t *count);

/* As a C string spells it. */
json_t *emit_quoted(const char *text);
/* The lines of an asm statement, and what declares the registers that hold the addresses of locations. */
json_t *emit_code_lines(const char *ptx);
json_t *emit_symbols(const struct emission *e);
/* The locations with textures or surfaces, whose handles are the last operands of that statement. */
json_t *emit_objects(const struct emission *e);
/* Of each location, and of each value that a final state has. */
json_t *emit_places(const struct emission *e);
json_t *emit_values(const struct emission *e);
/* Adds what places hold at first that depends on where they are: "pointers" and "maps". */
void emit_add_addresses(const struct emission *e, json_t *view);
/* "MP+rel+acq" and its file: "test_MP_rel_acq_1b2c3d4e". In the job's arena. */
const char *emit_identifier(const struct emission *e);

/* What source.cu takes of a test in C++ that nvcc compiles as it is written, 'at' its layout; NULL: '*trouble' says what it has
 * that cannot be compiled there. */
json_t *emit_source(const struct test *test, const struct emit_layout *at, const char **trouble);
/* Says in the view of such a test where objects of classes lie, and the values that are parts of them: what the compiler makes
 * of their types. */
void emit_place_source(const struct emission *e, json_t *view);

/* What host_test.cu takes, of a test with a host program that can be written. */
json_t *emit_host(const struct emission *e);
/* The statements of a host thread or function, in C++ of the class 'program' of host.cu. */
json_t *emit_host_code(const struct test *test, uint32_t thread);
/* Does some call of the program make the object? */
bool emit_host_makes(const struct host_program *host, uint32_t object);
/* Is the graph the body of a conditional node, which makes it and destroys it? */
bool emit_host_is_body(const struct host_program *host, uint32_t graph);
/* The function has no code of its own: the call that waits for a value of memory, or writes one, says it all. */
bool emit_host_is_of_call(const struct host_program *host, uint32_t thread);
/* Is it the body of such a function? */
bool emit_host_is_hidden(const struct test *test, uint32_t body);

#endif
