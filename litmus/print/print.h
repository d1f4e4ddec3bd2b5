/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_PRINT_H
#define LITMUS_PRINT_PRINT_H

#include "litmus/test/test.h"

/* Tests as text again, in one canonical form: every default written out, one spelling of
 * everything, names of inner blocks made unique. Parsing the text gives the same test, printing
 * that the same text. Comments between tokens, hints such as '.ca' and how the author laid the text
 * out are lost; a test in C++ is printed as it was written. All results are in 'arena'. */
const char *print_test(struct arena *arena, const struct test *test);

/* "@%p st.release.gpu.u32 [x+4], r1", without ';'. */
const char *print_inst(struct arena *arena, const struct test *test, const struct body *body,
                       const struct inst *inst);
/* "host H {\n  …\n}\n": a host thread or function. */
const char *print_host_thread(struct arena *arena, const struct test *test, uint32_t thread);
/* The code of a column's thread, or of every thread of a launch (the other is NONE), for ptxas: a line
 * an instruction, registers declared and 0 at first. It reads the address of location x in register
 * "at_x", of shared memory's window also in "shared_x", of what is reached through a texture or surface
 * what path.h says; it ends by storing the observed register i
 * at [ptxlit_out + 8 * i] if bit i of ptxlit_mine is set, by way of ptxlit_wide and
 * ptxlit_bits: all 64-bit registers that the caller declares. */
const char *print_ptxas(struct arena *arena, const struct test *test, uint32_t column,
                        uint32_t launch);
/* What such code calls the location, behind "at_" and its like: "plan.count" is no name in PTX. */
const char *print_ptxas_name(struct arena *arena, const struct test *test, uint32_t location);
/* The type of such an instruction: its own, or what is written where the dialect leaves it out. */
enum type print_ptxas_type(const struct test *test, const struct inst *inst);
/* Are the arguments that the instruction loads, if it loads any, numbers and whole addresses? */
bool print_ptxas_can_load(const struct test *test, const struct launch *launch,
                          const struct inst *inst);
/* "exists (1:r0=1 /\ x=2)" */
const char *print_question(struct arena *arena, const struct test *test);
/* "1:r0=1 /\ x=2": the test's condition or a part of it. */
const char *print_condition(struct arena *arena, const struct test *test, const struct cond *part);
/* "1:r0", "K[0,3]:r0", "x", "s[3]", "v.y", "&x", "5": how a condition writes the term. A register's '%' is
 * left out where that is clear. */
const char *print_term(struct arena *arena, const struct test *test, const struct cond_term *term);
/* An element of a location that is called 'name': "s[3]", of vectors "v.y" and "v[2].x". */
const char *print_element(struct arena *arena, const struct location *location, const char *name,
                          uint64_t element);
/* An address in what is called 'name': "&x", "&x+4". */
const char *print_address(struct arena *arena, const char *name, uint64_t bytes);

#endif
