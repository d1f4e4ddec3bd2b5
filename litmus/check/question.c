/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/base/number.h"
#include "litmus/check/check.h"
#include "litmus/check/checker.h"
#include "litmus/test/host.h"
#include "litmus/test/launch.h"

#define DIGITS "0123456789"

/* Lists the terms that a test observes: registers by thread first, then locations, each once and by
 * name. */

/* Steps over the digits of both, however many; 0 when they are one number. */
static int compare_digits(const char **a, const char **b)
{
    size_t left = strspn(*a += strspn(*a, "0"), DIGITS);
    size_t right = strspn(*b += strspn(*b, "0"), DIGITS);
    int order = left != right ? (left < right ? -1 : 1) : memcmp(*a, *b, left);
    *a += left;
    *b += right;
    return order;
}

/* By value where both names have digits: r2 before r10. Only equal names compare equal: r1 and r01
 * are two registers. */
static int compare_names(const char *left, const char *right)
{
    const char *a = left, *b = right;
    while (*a && *b) {
        int order = 0;
        if (g_ascii_isdigit(*a) && g_ascii_isdigit(*b))
            order = compare_digits(&a, &b);
        else
            order = (unsigned char)*a++ - (unsigned char)*b++;
        if (order)
            return order;
    }
    int order = (unsigned char)*a - (unsigned char)*b;
    return order ? order : strcmp(left, right);
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

/* Columns, kernel threads, host threads: NONE is the largest number, so present ones come first. */
static int compare_threads(const struct cond_term *a, const struct cond_term *b)
{
    int order = compare_numbers(a->column, b->column);
    order = order ? order : compare_numbers(a->launch, b->launch);
    order = order ? order : compare_numbers(a->cta, b->cta);
    order = order ? order : compare_numbers(a->tid, b->tid);
    return order ? order : compare_numbers(a->host, b->host);
}

static int compare_terms(const void *left, const void *right, void *context)
{
    const struct test *test = context;
    const struct cond_term *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind == TERM_REG ? -1 : 1;
    if (a->kind == TERM_LOCATION) {
        int order =
            compare_names(test->locations[a->location].name, test->locations[b->location].name);
        return order ? order : compare_numbers(a->element, b->element);
    }
    int order = compare_threads(a, b);
    if (order || a->reg == b->reg)
        return order ? order : compare_numbers(a->reg, b->reg);
    return compare_names(test_term_body(test, a)->regs[a->reg].name,
                         test_term_body(test, b)->regs[b->reg].name);
}

void check_observed(struct test *test)
{
    uint32_t kept = 0;
    if (!test->observed_count)
        return;
    g_qsort_with_data(test->observed, (gint)test->observed_count, sizeof *test->observed,
                      compare_terms, test);
    for (uint32_t i = 0; i < test->observed_count; i++)
        if (!kept || compare_terms(&test->observed[kept - 1], &test->observed[i], test) != 0)
            test->observed[kept++] = test->observed[i];
    test->observed_count = kept;
}

static enum type term_type(const struct test *test, const struct cond_term *term)
{
    if (term->kind == TERM_REG)
        return test_term_body(test, term)->regs[term->reg].type;
    return term->kind == TERM_LOCATION ? test->locations[term->location].type : TYPE_NONE;
}

/* A constant takes the form that values of the other side's type have: -1 of a u32 is 4294967295.
 */
static void fit_constant(struct checker *c, struct cond_term *constant, enum type type)
{
    uint32_t bits = type == TYPE_NONE ? 64 : type_bytes(type) * 8;
    if (constant->kind != TERM_CONST || bits >= 64)
        return;
    uint64_t low = constant->value & (((uint64_t)1 << bits) - 1);
    if (!number_fits(constant->value, bits))
        check_error(c, never_equal, constant->span, NULL, "no .%s is %lld", type_name(type),
                    (long long)constant->value);
    else if (type_is_signed(type) && low >> (bits - 1))
        constant->value = low | ~(((uint64_t)1 << bits) - 1);
    else
        constant->value = low;
}

static uint32_t columns_ctas(const struct test *test)
{
    uint32_t ctas = 0;
    for (uint32_t i = 0; i < test->column_count; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < i; k++)
            seen = seen || (test->columns[k].gpu == test->columns[i].gpu &&
                            test->columns[k].cta == test->columns[i].cta);
        ctas += !seen;
    }
    return ctas;
}

/* How many instances of the memory there are: one a CTA, or one a thread. */
static uint64_t instances(const struct test *test, const struct location *location)
{
    bool local = location->space == SPACE_LOCAL;
    uint64_t count = local ? test->column_count : columns_ctas(test);
    for (uint32_t i = 0; i < test->launch_count; i++)
        if (location->kernel == NONE || location->kernel == test->launches[i].kernel)
            count += launch_volume(test->launches[i].grid) *
                     (local ? launch_volume(test->launches[i].block) : 1);
    return count;
}

static void check_instance(void *context, const struct cond_term *term)
{
    struct checker *c = context;
    if (term->kind != TERM_LOCATION && term->kind != TERM_ADDRESS)
        return;
    const struct location *location = &c->test->locations[term->location];
    bool many = (location->space == SPACE_SHARED && location->cta == NONE) ||
                location->space == SPACE_LOCAL;
    if (many && instances(c->test, location) > 1)
        check_error(c, unclear_instance, term->span,
                    location->space == SPACE_SHARED ? "say whose it is: shared u32 x @ cta 0;"
                                                    : "copy it to global memory",
                    "every %s has a '%s' of its own",
                    location->space == SPACE_SHARED ? "CTA" : "thread", location->name);
}

static void check_constants(struct checker *c, struct cond *cond)
{
    if (cond->kind == COND_COMPARE) {
        fit_constant(c, &cond->left, term_type(c->test, &cond->right));
        fit_constant(c, &cond->right, term_type(c->test, &cond->left));
    }
    for (uint32_t i = 0; i < cond->kid_count; i++)
        check_constants(c, cond->kids[i]);
}

/* The condition's own terms are among the observed ones. */
void check_question(struct checker *c)
{
    struct test *test = c->test;
    check_constants(c, test->condition);
    if (test->filter) {
        check_constants(c, test->filter);
        cond_each_term(test->filter, check_instance, c);
    }
    check_observed(test);
    for (uint32_t i = 0; i < test->observed_count; i++)
        check_instance(c, &test->observed[i]);
}
