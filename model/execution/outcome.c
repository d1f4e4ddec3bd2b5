/* SPDX-License-Identifier: MIT */
#include "model/execution/outcome.h"

#include <assert.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "litmus/base/text.h"
#include "litmus/test/host.h"
#include "litmus/print/print.h"
#include "model/execution/mbarrier_term.h"
#include "model/graph/layout.h"
#include "model/graph/mbarrier.h"

static const struct body *term_body(const struct test *test, const struct cond_term *term)
{
    if (term->column != NONE)
        return &test->bodies[test->columns[term->column].body];
    if (term->launch != NONE)
        return &test->bodies[test->launches[term->launch].kernel];
    if (term->host != NONE)
        return &test->bodies[test->host->threads[term->host].body];
    return NULL;
}

struct bit_reading outcome_reading(const struct test *test, const struct cond_term *term)
{
    struct bit_reading r = {64, true};
    enum type type = TYPE_NONE;
    if (term->kind == TERM_LOCATION) {
        const struct location *location = &test->locations[term->location];
        type = location->type;
        r.width = location->element_bytes >= 8 ? 64 : location->element_bytes * 8;
    } else if (term->kind == TERM_REG && term_body(test, term)) {
        type = term_body(test, term)->regs[term->reg].type;
        r.width = type == TYPE_PRED ? 1 : type_bytes(type) >= 8 ? 64 : type_bytes(type) * 8;
    } else if (term->kind == TERM_ADDRESS) {
        r.is_signed = false;
    }
    if (type != TYPE_NONE)
        r.is_signed = type_is_signed(type);
    return r;
}

static uint64_t widen(struct bit_reading r, uint64_t value)
{
    if (r.width >= 64)
        return value;
    value &= (UINT64_C(1) << r.width) - 1;
    if (r.is_signed && value >> (r.width - 1))
        value |= UINT64_MAX << r.width;
    return value;
}

static bool same_term(const struct cond_term *a, const struct cond_term *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == TERM_LOCATION)
        return a->location == b->location && a->element == b->element && a->cta == b->cta;
    if (a->column != b->column || a->launch != b->launch || a->host != b->host || a->reg != b->reg)
        return false;
    return a->launch == NONE || (a->cta == b->cta && a->tid == b->tid);
}

uint32_t outcome_index(const struct test *test, const struct cond_term *term)
{
    if (term->kind != TERM_REG && term->kind != TERM_LOCATION)
        return NONE;
    for (uint32_t i = 0; i < test->observed_count; i++)
        if (same_term(term, &test->observed[i]))
            return i;
    return NONE;
}

static uint64_t term_value(const struct test *test, const struct cond_term *term,
                           const uint64_t *values)
{
    if (term->kind == TERM_CONST)
        return term->value;
    if (term->kind == TERM_ADDRESS)
        return outcome_address(test, term->location, term->element) + term->value;
    uint32_t index = outcome_index(test, term);
    return index == NONE ? 0 : widen(outcome_reading(test, term), values[index]);
}

/* A constant may be written either way: -1 and 0xffffffff are one value to a 32-bit term. */
static uint64_t fit_constant(struct bit_reading r, uint64_t constant)
{
    if (r.width >= 64)
        return constant;
    uint64_t above = constant >> r.width, top = UINT64_MAX >> r.width;
    return above == 0 || above == top ? widen(r, constant) : constant;
}

bool outcome_compared(const struct test *test, const struct cond *c, uint64_t *a, uint64_t *b)
{
    struct bit_reading left = outcome_reading(test, &c->left),
                       right = outcome_reading(test, &c->right);
    if (c->left.kind == TERM_CONST) {
        *a = fit_constant(right, *a);
        left = right;
    } else if (c->right.kind == TERM_CONST) {
        *b = fit_constant(left, *b);
        right = left;
    }
    return left.width == right.width  ? left.is_signed && right.is_signed
           : left.width > right.width ? left.is_signed
                                      : right.is_signed;
}

static bool satisfies_compare(const struct test *test, const struct cond *c, const uint64_t *values)
{
    uint64_t a = term_value(test, &c->left, values), b = term_value(test, &c->right, values);
    bool is_signed = outcome_compared(test, c, &a, &b);
    return cmp_holds(c->cmp, is_signed, a, b);
}

/* The parser limits the depth of conditions. */
bool outcome_satisfies(const struct test *test, const struct cond *c, const uint64_t *values)
{
    if (!c)
        return true;
    switch (c->kind) {
    case COND_TRUE:
        return true;
    case COND_FALSE:
        return false;
    case COND_NOT:
        return !outcome_satisfies(test, c->kids[0], values);
    case COND_COMPARE:
        return satisfies_compare(test, c, values);
    case COND_AND:
    case COND_OR:
        for (uint32_t i = 0; i < c->kid_count; i++)
            if (outcome_satisfies(test, c->kids[i], values) == (c->kind == COND_OR))
                return c->kind == COND_OR;
        return c->kind == COND_AND;
    }
    return false;
}

int outcome_compare(const struct test *test, const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < test->observed_count; i++) {
        struct bit_reading r = outcome_reading(test, &test->observed[i]);
        uint64_t x = widen(r, a[i]), y = widen(r, b[i]);
        if (x != y)
            return (r.is_signed ? (int64_t)x < (int64_t)y : x < y) ? -1 : 1;
    }
    return 0;
}

bool outcome_find(const struct outcome_set *set, const uint64_t *values, uint32_t *index)
{
    uint32_t low = 0, high = set->items.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = outcome_compare(set->test, set->items.at[middle].values, values);
        if (order == 0) {
            *index = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *index = low;
    return false;
}

uint32_t outcome_add(struct outcome_set *set, const uint64_t *values)
{
    assert(set->test && set->arena);
    uint32_t index, count = set->test->observed_count;
    if (outcome_find(set, values, &index))
        return index;
    struct outcome item = {.values = ARENA_ARRAY(set->arena, uint64_t, count)};
    if (count)
        memcpy(item.values, values, count * sizeof *values);
    vec_push(set->arena, &set->items, item);
    for (uint32_t i = set->items.len - 1; i > index; i--)
        set->items.at[i] = set->items.at[i - 1];
    set->items.at[index] = item;
    return index;
}

/* As conditions write it, but for the brackets that herd puts around locations. */
const char *outcome_term_name(struct arena *arena, const struct test *test,
                              const struct cond_term *term)
{
    const char *name = print_term(arena, test, term);
    return term->kind == TERM_LOCATION ? arena_printf(arena, "[%s]", name) : name;
}

/* An address fills 64 bits, or 32 where addresses are that wide. */
static bool is_address(const struct test *test, struct bit_reading r, uint64_t value,
                       uint32_t *location, uint64_t *offset)
{
    if (r.width < 32 || !layout_find(test, value, location, offset))
        return false;
    enum space space = test->locations[*location].space;
    return r.width == 64 || space == SPACE_SHARED || space == SPACE_LOCAL;
}

const char *outcome_mbarrier(struct arena *arena, uint64_t word)
{
    struct mbarrier_state s = mbarrier_state(word);
    return arena_printf(arena, "phase %u, pending %u, expected %u, tx %d", s.phase, s.pending,
                        s.expected, s.tx);
}

const char *outcome_print_value(struct arena *arena, const struct test *test,
                                const struct cond_term *term, uint64_t value)
{
    assert(term->kind == TERM_REG || term->kind == TERM_LOCATION);
    struct bit_reading r = outcome_reading(test, term);
    uint32_t location;
    uint64_t offset;
    value = widen(r, value);
    if (mbarrier_term(test, term))
        return outcome_mbarrier(arena, value);
    if (is_address(test, r, value, &location, &offset))
        return print_address(arena, test->locations[location].name, offset);
    return arena_printf(arena, r.is_signed ? "%" PRId64 : "%" PRIu64, value);
}

const char *outcome_print(struct arena *arena, const struct test *test, const uint64_t *values)
{
    struct text *text = text_open(arena);
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        g_string_append_printf(text->out, "%s%s=%s;", i ? " " : "",
                               outcome_term_name(arena, test, term),
                               outcome_print_value(arena, test, term, values[i]));
    }
    return text_close(text, arena);
}

uint64_t outcome_alignment(const struct test *test, uint32_t location)
{
    return layout_alignment(&test->locations[location]);
}

uint64_t outcome_address(const struct test *test, uint32_t location, uint32_t element)
{
    return layout_address(test, location, element);
}
