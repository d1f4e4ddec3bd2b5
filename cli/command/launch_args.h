/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_LAUNCH_ARGS_H
#define CLI_COMMAND_LAUNCH_ARGS_H

#include <jansson.h>

#include "litmus/base/diag.h"
#include "litmus/test/test.h"

/* The arguments of a kernel on the command line:
 *   n=5               a value; floats by the parameter's type
 *   out:u32[4096]     a buffer of zeros
 *   in:u32[4]=1,2,3,4 its first elements; one value alone fills all of them
 *   in:u32[4]=iota    0, 1, 2, …
 *   in:f32=@FILE      the bytes of a file; in:f32[8]=@FILE only the first elements
 *   p:u32[3]=1,2,3    likewise a structure that the kernel takes by value */
struct launch_arg {
    const char *name;
    bool buffer;
    enum type type;
    uint32_t elements;
    uint32_t location; /* of a buffer, in the test it was added to */
    uint64_t value;    /* of a value: its bits */
    uint64_t *words;   /* of a structure: its bytes; else NULL */
    uint32_t word_count;
};

/* Reads one argument for parameter 'param', whose values take at most 'memory' bytes; a buffer is
 * added to the locations of 'test' (which must have room). False after an error in 'diags'. */
bool launch_arg_read(struct arena *arena, const char *text, const struct param *param,
                     uint64_t memory, struct test *test, struct launch_arg *arg,
                     struct diag_list *diags);
/* An element's bits as a number of its type. */
const char *launch_arg_element(struct arena *arena, const struct launch_arg *arg,
                               const uint8_t *bytes);
/* The same as JSON: what that has no number for (a NaN, 64 bits unsigned) is text. */
json_t *launch_arg_json(struct arena *arena, const struct launch_arg *arg, const uint8_t *bytes);

#endif
