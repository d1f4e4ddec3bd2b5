/* SPDX-License-Identifier: MIT */
#include "model/execution/tautology.h"

#include "model/execution/outcome.h"

/* Each value of the end is compared with constants only, so that it matters where it lies among them: on one, just
 * below or just above. */
struct samples {
    VEC(uint64_t) values;
};

enum { MOST_COMBINATIONS = 4096 };

static bool add_compare(struct arena *arena, const struct test *test, struct samples *samples,
                        const struct cond *c)
{
    bool swapped = c->left.kind == TERM_CONST;
    const struct cond_term *term = swapped ? &c->right : &c->left;
    const struct cond_term *constant = swapped ? &c->left : &c->right;
    uint32_t index = outcome_index(test, term);
    if (constant->kind != TERM_CONST || (index == NONE && term->kind != TERM_CONST))
        return false;
    for (uint64_t near = 0; index != NONE && near < 3; near++)
        vec_push(arena, &samples[index].values, constant->value + near - 1);
    return true;
}

/* False: the condition compares what is no constant. */
static bool add_samples(struct arena *arena, const struct test *test, struct samples *samples,
                        const struct cond *c)
{
    bool known = true;
    if (c->kind == COND_COMPARE)
        return add_compare(arena, test, samples, c);
    for (uint32_t i = 0; i < c->kid_count; i++)
        known &= add_samples(arena, test, samples, c->kids[i]);
    return known;
}

static uint64_t count_combinations(const struct test *test, const struct samples *samples)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < test->observed_count && count <= MOST_COMBINATIONS; i++)
        count *= samples[i].values.len ? samples[i].values.len : 1;
    return count;
}

static void choose(const struct test *test, const struct samples *samples, uint64_t number,
                   uint64_t *values)
{
    for (uint32_t i = 0; i < test->observed_count; i++) {
        uint32_t count = samples[i].values.len;
        values[i] = count ? samples[i].values.at[number % count] : 0;
        number /= count ? count : 1;
    }
}

bool tautology_excludes(struct arena *arena, const struct test *test, bool negate)
{
    struct samples *samples = ARENA_ARRAY(arena, struct samples, test->observed_count + 1);
    uint64_t *values = ARENA_ARRAY(arena, uint64_t, test->observed_count + 1);
    if (!test->condition)
        return negate;
    if (!add_samples(arena, test, samples, test->condition))
        return false;
    uint64_t count = count_combinations(test, samples);
    if (count > MOST_COMBINATIONS)
        return false;
    for (uint64_t number = 0; number < count; number++) {
        choose(test, samples, number, values);
        if (outcome_satisfies(test, test->condition, values) != negate)
            return false;
    }
    return true;
}
