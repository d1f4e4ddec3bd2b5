/* SPDX-License-Identifier: MIT */
#include "solver/answer/unattainable.h"

#include "model/execution/outcome.h"
#include "solver/encode/condition.h"

static uint32_t conjunct_count(const struct cond *condition)
{
    uint32_t count = 0;
    if (condition->kind != COND_AND)
        return 1;
    for (uint32_t i = 0; i < condition->kid_count; i++)
        count += conjunct_count(condition->kids[i]);
    return count;
}

static void list(struct conjuncts *conjuncts, const struct cond *condition)
{
    if (condition->kind != COND_AND) {
        conjuncts->location[conjuncts->count] = NONE;
        conjuncts->at[conjuncts->count++] = condition;
        return;
    }
    for (uint32_t i = 0; i < condition->kid_count; i++)
        list(conjuncts, condition->kids[i]);
}

struct conjuncts *conjuncts_new(struct arena *arena, const struct test *test)
{
    struct conjuncts *conjuncts = ARENA_NEW(arena, struct conjuncts);
    uint32_t count = conjunct_count(test->condition);
    conjuncts->at = ARENA_ARRAY(arena, const struct cond *, count);
    conjuncts->location = ARENA_ARRAY(arena, uint32_t, count);
    conjuncts->excused = ARENA_ARRAY(arena, bool, count);
    list(conjuncts, test->condition);
    return conjuncts;
}

/* ---- values that go round ------------------------------------------------------------------- */

static bool written_freely(const struct encoding *encoding, uint32_t granule, const bool *free)
{
    const struct domains *domains = encoding->domains;
    for (uint32_t i = 0; i < domains->writer_count[granule]; i++)
        if (free[encoding->graph->events[domains->writers[granule][i]].value])
            return true;
    return false;
}

static bool read_freely(const struct encoding *encoding, const struct expr *expr, const bool *free)
{
    const struct domains *domains = encoding->domains;
    for (uint32_t p = 0; p < domains->place_count[expr->b]; p++) {
        const struct footprint *place = &domains->places[expr->b][p];
        if (expr->a < place->count && written_freely(encoding, place->first + expr->a, free))
            return true;
    }
    return false;
}

static bool is_free(const struct encoding *encoding, const struct expr *expr, const bool *free)
{
    switch (expr->op) {
    case EXPR_READ:
        return read_freely(encoding, expr, free);
    case EXPR_ZEXT:
    case EXPR_SEXT:
    case EXPR_EXTRACT:
        return free[expr->a];
    case EXPR_ITE:
        return free[expr->a] || free[expr->b] || free[expr->c];
    case EXPR_CONCAT:
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_SLT:
        return free[expr->a] || free[expr->b];
    case EXPR_AND:
    case EXPR_OR:
        return expr->width == 1 && (free[expr->a] || free[expr->b]);
    case EXPR_NOT:
        return expr->width == 1 && free[expr->a];
    default: /* computed, and no copy */
        return false;
    }
}

/* The expressions that can be copies of themselves, or be chosen by such copies: the greatest
 * solution, found from above. Arithmetic is no copy: a counter does not reach every number. */
static const bool *free_values(struct arena *arena, const struct encoding *encoding)
{
    const struct expr_pool *exprs = encoding->graph->exprs;
    bool *free = ARENA_ARRAY(arena, bool, expr_count(exprs)), changed = true;
    for (expr_id id = 0; id < expr_count(exprs); id++)
        free[id] = true;
    while (changed) {
        changed = false;
        for (expr_id id = 0; id < expr_count(exprs); id++)
            if (free[id] && !is_free(encoding, expr_get(exprs, id), free)) {
                free[id] = false;
                changed = true;
            }
    }
    return free;
}

/* ---- terms ---------------------------------------------------------------------------------- */

static bool is_free_term(const struct search *search, const struct cond_term *term,
                         const bool *free)
{
    const struct graph *graph = search->graph;
    uint32_t index = outcome_index(graph->test, term);
    if (index == NONE)
        return false;
    if (term->kind == TERM_REG)
        return free[graph->observed[index]];
    uint32_t granule = graph->observed_granules[index];
    for (uint32_t g = granule; g < graph->granule_count; g++)
        if (graph->granules[g].location == graph->granules[granule].location &&
            written_freely(search->encoding, g, free))
            return true;
    return false;
}

static bool mentions_free(const struct search *search, const struct cond *condition,
                          const bool *free)
{
    if (condition->kind == COND_COMPARE)
        return is_free_term(search, &condition->left, free) ||
               is_free_term(search, &condition->right, free);
    for (uint32_t i = 0; i < condition->kid_count; i++)
        if (mentions_free(search, condition->kids[i], free))
            return true;
    return false;
}

/* The location that a read falls on, or NONE when there are several. */
static uint32_t place_of_read(const struct search *search, event_id read)
{
    const struct domains *domains = search->encoding->domains;
    uint32_t location = NONE;
    for (uint32_t p = 0; p < domains->place_count[read]; p++) {
        uint32_t here = search->graph->granules[domains->places[read][p].first].location;
        if (location != NONE && location != here)
            return NONE;
        location = here;
    }
    return location;
}

/* The location whose content the term shows unchanged, or NONE. */
static uint32_t location_of(const struct search *search, const struct cond_term *term)
{
    const struct graph *graph = search->graph;
    uint32_t index = outcome_index(graph->test, term);
    if (index == NONE)
        return NONE;
    if (term->kind == TERM_LOCATION)
        return term->location;
    const struct expr *expr = expr_get(graph->exprs, graph->observed[index]);
    while (expr->op == EXPR_ZEXT || expr->op == EXPR_SEXT)
        expr = expr_get(graph->exprs, expr->a);
    return expr->op == EXPR_READ ? place_of_read(search, expr->b) : NONE;
}

/* ---- reasons to ask ------------------------------------------------------------------------- */

static bool runs(const struct graph *graph, const struct inst *inst)
{
    for (event_id e = 0; e < graph->event_count; e++)
        if (graph->events[e].inst == inst)
            return true;
    return false;
}

static bool may_write(const struct test *test, const struct inst *inst, uint32_t location)
{
    for (uint32_t i = 0; i < inst->operand_count && inst->op != OP_LD; i++) {
        uint32_t at = inst->operands[i].location;
        if (inst->operands[i].kind == OPERAND_MEMORY && at != NONE &&
            test_root_location(test, at) == location)
            return true;
    }
    return false;
}

/* Is there code that would write the location, if only it ran? */
static bool idle_code_writes(const struct graph *graph, uint32_t location)
{
    const struct test *test = graph->test;
    for (uint32_t b = 0; b < test->body_count && location != NONE; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++)
            if (may_write(test, &test->bodies[b].insts[i], location) &&
                !runs(graph, &test->bodies[b].insts[i]))
                return true;
    return false;
}

static bool varies(const struct search *search, const struct cond_term *term)
{
    uint32_t index = outcome_index(search->graph->test, term);
    const struct value *value = index == NONE ? NULL : search->encoding->observed[index];
    return value && (value->any || value->count > 1);
}

static bool asks_for_content(const struct search *search, const struct cond *compare)
{
    return compare->cmp == CMP_EQ && compare->right.kind == TERM_CONST &&
           location_of(search, &compare->left) != NONE;
}

/* What is compared is the same in every execution, and no location's content. */
static bool is_computation(const struct search *search, const struct cond *condition)
{
    if (condition->kind == COND_COMPARE)
        return !varies(search, &condition->left) && !varies(search, &condition->right) &&
               !asks_for_content(search, condition);
    for (uint32_t i = 0; i < condition->kid_count; i++)
        if (is_computation(search, condition->kids[i]))
            return true;
    return condition->kid_count == 0;
}

static bool has_byte(const struct value *value, unsigned shift, uint64_t number)
{
    for (uint32_t i = 0; i < value->count; i++)
        if (((value->at[i] ^ number) >> shift & 0xff) == 0)
            return true;
    return false;
}

/* Every byte of the number that is asked for is there in some value, as if accesses had torn them.
 */
static bool is_mixture(const struct search *search, const struct cond *condition)
{
    bool mixed = true;
    for (uint32_t i = 0; i < condition->kid_count; i++)
        if (is_mixture(search, condition->kids[i]))
            return true;
    if (condition->kind != COND_COMPARE || condition->right.kind != TERM_CONST)
        return false;
    uint32_t index = outcome_index(search->graph->test, &condition->left);
    for (unsigned shift = 0;
         index != NONE && mixed && shift < search->encoding->observed[index]->width; shift += 8)
        mixed = has_byte(search->encoding->observed[index], shift, condition->right.value);
    return index != NONE && mixed;
}

void conjuncts_ask(struct conjuncts *conjuncts, struct search *search)
{
    struct arena *scratch = arena_scratch(search->arena);
    const bool *free = NULL;
    for (uint32_t i = 0; i < conjuncts->count; i++) {
        const struct cond *conjunct = conjuncts->at[i];
        if (conjuncts->excused[i])
            continue;
        if (encode_condition(search->encoding, conjunct) != search->session->no ||
            is_computation(search, conjunct)) {
            conjuncts->excused[i] = true;
            continue;
        }
        free = free ? free : free_values(scratch, search->encoding);
        if (conjunct->kind == COND_COMPARE && asks_for_content(search, conjunct))
            conjuncts->location[i] = location_of(search, &conjunct->left);
        conjuncts->excused[i] = mentions_free(search, conjunct, free) ||
                                is_mixture(search, conjunct) ||
                                idle_code_writes(search->graph, conjuncts->location[i]);
    }
    arena_free(scratch);
}
