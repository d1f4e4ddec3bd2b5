/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_CHOICE_H
#define LITMUS_HOST_CHOICE_H

#include "litmus/host/context.h"

/* "a[i]" where the program reads i: one of the elements, and which one is known only when it runs. What is done
 * there is done in as many branches. */

struct element_choice {
    struct code_value index; /* a register that nobody writes again */
    int64_t first;           /* the index of at[0]; the others follow */
    struct lvalue *at;       /* each may be a choice again */
    uint32_t count;
    struct span span; /* of the index */
};

/* The element of what the pointer points to. */
bool eval_choose_element(struct eval *e, const struct code_value *pointer,
                         const struct code_value *index, const struct cpp_expr *expr,
                         struct lvalue *to);
/* The element of a location of a test. */
bool eval_choose_of_location(struct eval *e, uint32_t location, const struct code_value *index,
                             const struct cpp_expr *expr, struct lvalue *to);

/* What the function makes of the place, or of each of them. */
typedef bool (*place_part)(struct eval *e, const struct lvalue *from, const void *data,
                           struct lvalue *to);
bool eval_part_of_each(struct eval *e, const struct lvalue *from, place_part part, const void *data,
                       struct lvalue *to);

/* What the function does with the place, or with the one that it is: *to becomes the value that it gives. An index
 * outside of the array is undefined. */
typedef bool (*place_use)(struct eval *e, const struct lvalue *place, const void *data,
                          struct code_value *to);
bool eval_use_of_each(struct eval *e, const struct lvalue *place, struct span span, place_use use,
                      const void *data, struct code_value *to);

/* Reports that the place must be known, if it is not; then false. */
bool eval_is_one_place(struct eval *e, const struct lvalue *place);

#endif
