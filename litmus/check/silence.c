/* SPDX-License-Identifier: MIT */
#include "litmus/check/checker.h"

#include <string.h>

#include "litmus/test/host.h"

/* Warns of locations that are written but never read or asked about, or read but neither written
 * nor initialised. Mostly such a name is misspelt, and the test asks something else than its author
 * means. A location with an initial value is taken to be meant. */

struct mention {
    const struct operand *read, *written; /* where first, or NULL */
    bool elsewhere; /* asked about, or its address is known to code that is not looked at here */
};

struct mentions {
    const struct test *test;
    struct mention *of; /* by location */
};

static void note_elsewhere(const struct mentions *mentions, uint32_t location)
{
    if (location != NONE)
        mentions->of[test_root_location(mentions->test, location)].elsewhere = true;
}

static void note_operand(void *context, const struct inst *inst, const struct operand *operand)
{
    const struct mentions *mentions = context;
    if (operand->location == NONE)
        return;
    if (!inst || op_group(inst->op) != GROUP_ACCESS || operand->kind != OPERAND_MEMORY)
        note_elsewhere(mentions, operand->location);
    struct mention *mention = &mentions->of[test_root_location(mentions->test, operand->location)];
    uint32_t role = inst ? op_row(inst->op)->role : 0;
    bool reads = role & ROLE_READS && (inst->op == OP_LD || inst->operands[0].kind != OPERAND_SINK);
    if (reads && !mention->read)
        mention->read = operand;
    if (role & ROLE_WRITES && !mention->written)
        mention->written = operand;
}

static void note_term(void *context, const struct cond_term *term)
{
    if (term->kind == TERM_LOCATION || term->kind == TERM_ADDRESS)
        note_elsewhere(context, term->location);
}

static void note_mentions(const struct test *test, struct mentions *mentions)
{
    test_each_operand(test, note_operand, mentions);
    for (uint32_t i = 0; i < test->location_count; i++)
        for (uint32_t k = 0; k < test->locations[i].replica_count; k++)
            note_elsewhere(mentions, test->locations[i].replicas[k]);
    for (uint32_t i = 0; i < test->observed_count; i++)
        note_term(mentions, &test->observed[i]);
    cond_each_term(test->condition, note_term, mentions);
    if (test->filter)
        cond_each_term(test->filter, note_term, mentions);
    for (uint32_t i = 0; test->host && i < test->host->call_count; i++) {
        note_elsewhere(mentions, test->host->calls[i].to.location);
        note_elsewhere(mentions, test->host->calls[i].from.location);
    }
}

/* "did you mean …", of the other locations; names of one letter are all alike. */
static const char *hint_for(struct checker *c, uint32_t location)
{
    const struct test *test = c->test;
    const char *name = test->locations[location].name;
    const char **others = ARENA_ARRAY(c->arena, const char *, test->location_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test_root_location(test, i) != test_root_location(test, location))
            others[count++] = test->locations[i].name;
    return strlen(name) > 1 ? diag_hint(c->arena, name, strlen(name), others, count) : NULL;
}

static void warn(struct checker *c, const struct mention *touch)
{
    const struct operand *at = touch->read ? touch->read : touch->written;
    const char *name = c->test->locations[at->location].name;
    const char *hint = hint_for(c, at->location);
    if (touch->read)
        check_error(c, never_stored, at->span, hint,
                    "'%s' is read, but nothing writes or initialises it: it is 0", name);
    else
        check_error(c, never_read, at->span, hint,
                    "'%s' is written, but nothing reads it or asks about it", name);
}

void check_silence(struct checker *c)
{
    const struct test *test = c->test;
    struct mention *mentions = ARENA_ARRAY(c->arena, struct mention, test->location_count);
    if (c->diags->errors || test->condition->kind == COND_TRUE)
        return;
    note_mentions(test, &(struct mentions){test, mentions});
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].initialized || (test->host && test->host->gap_count))
            mentions[test_root_location(test, i)].elsewhere = true;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (!mentions[i].elsewhere && !mentions[i].read != !mentions[i].written)
            warn(c, &mentions[i]);
}
