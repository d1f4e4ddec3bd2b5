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
    bool is_whole;    /* no index is outside of it */
    uint32_t host;    /* the thread whose register the index is */
    struct span span; /* of the index */
};

/* An index that is read: less than 'bound', or anything where that is 0. */
struct read_index {
    struct code_value value;
    uint64_t bound;
    struct span span;
};
/* The element of what the pointer points to. */
bool eval_choose_element(struct eval *e, const struct code_value *pointer,
                         const struct read_index *index, struct span span, struct lvalue *to);

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
struct lvalue eval_place_of_choice(const struct element_choice *choice);
/* Where the pointer points to, which may be a choice. */
bool eval_places_pointed_to(struct eval *e, const struct code_value *pointer, struct span span,
                            struct lvalue *to);

/* A reference to the place, of that name. */
struct code_cell *eval_refer_to_choice(struct eval *e, const char *name,
                                       const struct lvalue *place);

#endif
