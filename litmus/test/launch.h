/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_LAUNCH_H
#define LITMUS_TEST_LAUNCH_H

#include "litmus/test/test.h"

/* The limits of a launch, as the CUDA programming guide gives them for the compute capabilities. */
enum { LAUNCH_LARGEST_SIZE = 0x7fffffff, LAUNCH_DOMAINS = 4 };

/* Of sizes whose product fits 64 bits. */
uint64_t launch_volume(struct dim3 dim);
/* What is wrong with the sizes of the grid, its CTAs and clusters; NULL: nothing. */
const char *launch_shape_fault(const struct launch *launch);
/* A launch that says nothing of clusters has those that its kernel asks for; with .blocksareclusters its grid counts
 * clusters until then. Once a launch. */
void launch_obey(struct launch *launch, const struct launch_rules *rules);
/* Which rule of its kernel the launch breaks, in 'arena'; NULL: none. The sizes are without fault. */
const char *launch_rule_fault(struct arena *arena, const struct launch *launch,
                              const struct launch_rules *rules);
/* Word 'word' of argument 'index', of the kernel's parameter: of a structure one of several. A name that a structure is
 * given stands for the initial contents of its memory. */
struct location_init launch_argument_word(const struct test *test, const struct body *kernel,
                                          const struct operand *args, uint32_t index,
                                          uint32_t word);
/* Parameters whose address the kernel takes get the bytes of the launch's arguments; false: an earlier
 * launch gave others. */
bool launch_give_parameters(const struct test *test, const struct launch *launch);
/* Of a launch without such a fault: fewer than 2^63. */
uint64_t launch_ctas(const struct launch *launch);
/* Does it, or its kernel, say that CTAs form clusters? A cluster of one CTA counts where the kernel asks for it. */
bool launch_is_clustered(const struct test *test, const struct launch *launch);
uint64_t launch_cluster_ctas(const struct launch *launch);
/* Adds what such a launch starts; a sum that would pass 2^63 stays there. */
void launch_add_room(const struct launch *launch, uint64_t *ctas, uint64_t *warps, uint64_t *lanes);

#endif
