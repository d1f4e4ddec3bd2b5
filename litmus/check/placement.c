/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "litmus/check/checker.h"

/* Where threads are: a column without a gpu is on gpu 0, one without a cta in a CTA of its own, one
 * without a warp in a warp of its own (warp stays NONE), one without a lane on the warp's next free
 * lane. Numbers are unique on a gpu, so a CTA lies in one cluster. */

enum { WARP_LANES = 32 };

static bool cta_is_used(const struct test *test, uint32_t gpu, uint32_t cta)
{
    for (uint32_t i = 0; i < test->column_count; i++)
        if (test->columns[i].gpu == gpu && test->columns[i].cta == cta)
            return true;
    return false;
}

static void place_in_ctas(struct test *test)
{
    for (uint32_t i = 0; i < test->column_count; i++)
        if (test->columns[i].gpu == NONE)
            test->columns[i].gpu = 0;
    for (uint32_t i = 0; i < test->column_count; i++) {
        struct column *column = &test->columns[i];
        for (uint32_t cta = i; column->cta == NONE; cta = (cta + 1) % (2 * test->column_count))
            if (!cta_is_used(test, column->gpu, cta))
                column->cta = cta;
    }
}

static bool same_cta(const struct column *a, const struct column *b)
{
    return a->gpu == b->gpu && a->cta == b->cta;
}

/* Threads of one gpu that share a place share all wider ones. */
static bool check_pair(struct checker *c, uint32_t k, uint32_t i)
{
    const struct column *a = &c->test->columns[k], *b = &c->test->columns[i];
    const struct {
        const char *word;
        uint32_t of_a, of_b;
    } places[] = {
#define PLACE(scope, member) {#member, a->member, b->member},
#include "litmus/isa/words.def"
    };
    for (int inner = 0; a->gpu == b->gpu && inner < PLACE_COUNT; inner++)
        for (int outer = inner + 1; outer < PLACE_COUNT; outer++)
            if (places[inner].of_a != NONE && places[inner].of_a == places[inner].of_b &&
                places[outer].of_a != places[outer].of_b) {
                check_error(c, inconsistent_placement, b->span, NULL,
                            "P%u and P%u share %s %u but not its %s", k, i, places[inner].word,
                            places[inner].of_b, places[outer].word);
                return false;
            }
    return true;
}

static void check_places(struct checker *c)
{
    for (uint32_t i = 0; i < c->test->column_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (!check_pair(c, k, i))
                return;
}

/* Has one of the first 'count' columns the lane of the column's warp? */
static bool lane_is_used(const struct test *test, const struct column *column, uint32_t lane,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct column *other = &test->columns[i];
        if (other != column && same_cta(other, column) && other->warp == column->warp &&
            other->lane == lane)
            return true;
    }
    return false;
}

static void place_in_lane(struct checker *c, uint32_t index)
{
    struct column *column = &c->test->columns[index];
    if (column->warp == NONE) {
        column->lane = column->lane == NONE ? 0 : column->lane;
    } else if (column->lane == NONE) {
        for (column->lane = 0; lane_is_used(c->test, column, column->lane, c->test->column_count);)
            column->lane++;
    } else if (lane_is_used(c->test, column, column->lane, index)) {
        check_error(c, inconsistent_placement, column->span, NULL,
                    "another thread has lane %u of warp %u", column->lane, column->warp);
    }
    if (column->lane >= WARP_LANES)
        check_error(c, inconsistent_placement, column->span, NULL,
                    "a warp has 32 lanes: P%u finds no place in warp %u", index, column->warp);
}

void check_placement(struct checker *c)
{
    place_in_ctas(c->test);
    check_places(c);
    for (uint32_t i = 0; i < c->test->column_count; i++)
        place_in_lane(c, i);
}
