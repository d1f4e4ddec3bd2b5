/* SPDX-License-Identifier: MIT */
#include "litmus/check.h"
#include "litmus/host.h"

#include <string.h>

/* Locations about which a test is silent where a word is due: written and then never read or asked
 * about, or read and neither written nor initialised. Mostly such a name is misspelt, and the test
 * asks something else than its author thinks. Whoever gives a location an initial value means it.
 */

struct touch {
    const struct operand *read, *written; /* where first, or NULL */
    bool elsewhere; /* asked about, or its address is known to code that is not looked at here */
};

static uint32_t root_of(const struct test *test, uint32_t location)
{
    while (test->locations[location].alias_of != NONE)
        location = test->locations[location].alias_of;
    return location;
}

static void note_elsewhere(const struct test *test, uint32_t location, struct touch *touches)
{
    if (location != NONE)
        touches[root_of(test, location)].elsewhere = true;
}

static void note_access(const struct test *test, const struct inst *inst,
                        const struct operand *operand, struct touch *touches)
{
    if (operand->location == NONE)
        return;
    struct touch *touch = &touches[root_of(test, operand->location)];
    bool access =
        inst->op == OP_LD || inst->op == OP_ST || inst->op == OP_ATOM || inst->op == OP_RED;
    bool reads =
        inst->op == OP_LD || (inst->op == OP_ATOM && inst->operands[0].kind != OPERAND_SINK);
    touch->elsewhere = touch->elsewhere || !access || operand->kind != OPERAND_MEMORY;
    if (reads && !touch->read)
        touch->read = operand;
    if (inst->op != OP_LD && !touch->written)
        touch->written = operand;
}

static void note_body(const struct test *test, const struct body *body, struct touch *touches)
{
    for (uint32_t i = 0; i < body->init_count; i++)
        note_elsewhere(test, body->inits[i].address_of, touches);
    for (uint32_t i = 0; i < body->inst_count; i++)
        for (uint32_t k = 0; k < body->insts[i].operand_count; k++) {
            const struct operand *operand = &body->insts[i].operands[k];
            note_access(test, &body->insts[i], operand, touches);
            for (uint32_t p = 0; p < operand->part_count; p++)
                note_access(test, &body->insts[i], &operand->parts[p], touches);
        }
}

static void note_term(const struct test *test, const struct cond_term *term, struct touch *touches)
{
    if (term->kind == TERM_LOCATION || term->kind == TERM_ADDRESS)
        note_elsewhere(test, term->location, touches);
}

static void note_condition(const struct test *test, const struct cond *cond, struct touch *touches)
{
    if (cond->kind == COND_COMPARE) {
        note_term(test, &cond->left, touches);
        note_term(test, &cond->right, touches);
    }
    for (uint32_t i = 0; i < cond->kid_count; i++)
        note_condition(test, cond->kids[i], touches);
}

static void note_host(const struct test *test, struct touch *touches)
{
    for (uint32_t i = 0; test->host && i < test->host->call_count; i++) {
        note_elsewhere(test, test->host->calls[i].to.location, touches);
        note_elsewhere(test, test->host->calls[i].from.location, touches);
    }
}

static void note_touches(const struct test *test, struct touch *touches)
{
    for (uint32_t i = 0; i < test->body_count; i++)
        note_body(test, &test->bodies[i], touches);
    for (uint32_t i = 0; i < test->launch_count; i++)
        for (uint32_t k = 0; k < test->launches[i].arg_count; k++)
            note_elsewhere(test, test->launches[i].args[k].location, touches);
    for (uint32_t i = 0; i < test->location_count; i++)
        for (uint32_t k = 0; test->locations[i].init && k < test->locations[i].elements; k++)
            note_elsewhere(test, test->locations[i].init[k].address_of, touches);
    for (uint32_t i = 0; i < test->observed_count; i++)
        note_term(test, &test->observed[i], touches);
    note_condition(test, test->condition, touches);
    if (test->filter)
        note_condition(test, test->filter, touches);
    note_host(test, touches);
}

/* "did you mean …", of the other locations; names of one letter are all alike. */
static const char *hint_for(struct checker *checker, uint32_t location)
{
    const struct test *test = checker->test;
    const char *name = test->locations[location].name;
    const char **others = ARENA_ARRAY(checker->arena, const char *, test->location_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (root_of(test, i) != root_of(test, location))
            others[count++] = test->locations[i].name;
    const char *near = strlen(name) > 1 ? diag_nearest(name, strlen(name), others, count) : NULL;
    return near ? arena_printf(checker->arena, "did you mean '%s'?", near) : NULL;
}

static void warn(struct checker *checker, const struct touch *touch)
{
    const struct operand *at = touch->read ? touch->read : touch->written;
    const char *name = checker->test->locations[at->location].name;
    const char *hint = hint_for(checker, at->location);
    if (touch->read)
        check_error(checker, never_stored, at->span, hint,
                    "'%s' is read, but nothing writes or initialises it: it is 0", name);
    else
        check_error(checker, never_read, at->span, hint,
                    "'%s' is written, but nothing reads it or asks about it", name);
}

void check_silence(struct checker *checker)
{
    const struct test *test = checker->test;
    struct touch *touches = ARENA_ARRAY(checker->arena, struct touch, test->location_count);
    if (checker->diags->errors || test->condition->kind == COND_TRUE)
        return;
    note_touches(test, touches);
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].initialized)
            touches[root_of(test, i)].elsewhere = true;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (!touches[i].elsewhere && !touches[i].read != !touches[i].written)
            warn(checker, &touches[i]);
}
