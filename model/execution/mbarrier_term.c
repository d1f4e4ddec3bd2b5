/* SPDX-License-Identifier: MIT */
#include "model/execution/mbarrier_term.h"

/* ---- registers ------------------------------------------------------------------------------ */

static bool writes(const struct inst *inst, uint32_t reg)
{
    return op_writes(inst->op) && inst->operand_count && inst->operands[0].kind == OPERAND_REG &&
           inst->operands[0].reg == reg;
}

/* The one instruction that gives the register its value; NULL: none, or several. */
static const struct inst *writer(const struct body *body, uint32_t reg)
{
    const struct inst *found = NULL;
    for (uint32_t i = 0; i < body->inst_count; i++)
        if (writes(&body->insts[i], reg)) {
            if (found)
                return NULL;
            found = &body->insts[i];
        }
    return found;
}

static bool is_arrival(const struct inst *inst)
{
    return inst->op == OP_MBARRIER_ARRIVE || inst->op == OP_MBARRIER_ARRIVE_DROP;
}

/* ---- addresses ------------------------------------------------------------------------------ */

struct found_place {
    uint32_t location;
    uint64_t offset;
};

enum { MOST_MOVES = 8, MOST_COPIES = 3 };

static bool find_register(const struct body *body, uint32_t reg, uint32_t moves,
                          struct found_place *place);

/* What an operand is the address of, or an access with this operand reaches. */
static bool find_place(const struct body *body, const struct operand *operand, uint32_t moves,
                       struct found_place *place)
{
    bool memory = operand->kind == OPERAND_MEMORY, symbol = operand->kind == OPERAND_SYMBOL;
    uint64_t beyond = memory || symbol ? operand->value : 0;
    if (symbol || (memory && operand->reg == NONE))
        *place = (struct found_place){operand->location, 0};
    else if (!(memory || operand->kind == OPERAND_REG) ||
             !find_register(body, operand->reg, moves, place))
        return false;
    place->offset += beyond;
    return place->location != NONE;
}

static bool find_initial(const struct body *body, uint32_t reg, struct found_place *place)
{
    for (uint32_t i = 0; i < body->init_count; i++)
        if (body->inits[i].reg == reg && body->inits[i].address_of != NONE) {
            *place = (struct found_place){body->inits[i].address_of, body->inits[i].value};
            return true;
        }
    return false;
}

static bool find_register(const struct body *body, uint32_t reg, uint32_t moves,
                          struct found_place *place)
{
    const struct inst *inst = writer(body, reg);
    if (!inst)
        return find_initial(body, reg, place);
    bool moved = inst->op == OP_MOV || inst->op == OP_CVTA || inst->op == OP_CVT;
    bool added = inst->op == OP_ADD && inst->operands[2].kind == OPERAND_IMM;
    if (moves == MOST_MOVES || !(moved || added) ||
        !find_place(body, &inst->operands[1], moves + 1, place))
        return false;
    place->offset += added ? inst->operands[2].value : 0;
    return true;
}

/* ---- locations ------------------------------------------------------------------------------ */

static bool reaches(const struct test *test, const struct body *body, const struct operand *operand,
                    const struct cond_term *term)
{
    struct found_place place;
    uint64_t bytes = test->locations[term->location].element_bytes;
    return find_place(body, operand, 0, &place) && place.location == term->location &&
           place.offset == bytes * term->element;
}

static bool holds_words(const struct test *test, const struct cond_term *term, uint32_t copies);

/* Does it load what an object, or a copy of its word, holds? */
static bool loads_word(const struct test *test, const struct body *body, const struct inst *inst,
                       uint32_t copies)
{
    struct found_place place;
    if (inst->op != OP_LD || inst->operand_count < 2 || copies == MOST_COPIES ||
        !find_place(body, &inst->operands[1], 0, &place))
        return false;
    uint64_t bytes = test->locations[place.location].element_bytes;
    const struct cond_term term = {.kind = TERM_LOCATION,
                                   .location = place.location,
                                   .element = (uint32_t)(place.offset / bytes)};
    return bytes == 8 && holds_words(test, &term, copies + 1);
}

/* Does it have its value from arrivals, and from loads of words, only? */
static bool is_state(const struct test *test, const struct body *body, uint32_t reg,
                     uint32_t copies)
{
    bool any = false;
    for (uint32_t i = 0; i < body->inst_count; i++) {
        const struct inst *inst = &body->insts[i];
        if (!writes(inst, reg))
            continue;
        if (!is_arrival(inst) && !loads_word(test, body, inst, copies))
            return false;
        any = true;
    }
    return any;
}

static bool stores_state(const struct test *test, const struct body *body, const struct inst *inst,
                         uint32_t copies)
{
    return inst->operand_count > 1 && inst->operands[1].kind == OPERAND_REG &&
           is_state(test, body, inst->operands[1].reg, copies);
}

/* Is it initialised as an object, or are states all that is stored there? */
static bool holds_words(const struct test *test, const struct cond_term *term, uint32_t copies)
{
    bool any = false;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct body *body = &test->bodies[b];
            const struct inst *inst = &body->insts[i];
            bool init = inst->op == OP_MBARRIER_INIT;
            if (!(init || inst->op == OP_ST) || !reaches(test, body, &inst->operands[0], term))
                continue;
            if (!init && !stores_state(test, body, inst, copies))
                return false;
            any = true;
        }
    return any;
}

bool mbarrier_term(const struct test *test, const struct cond_term *term)
{
    if (term->kind == TERM_LOCATION)
        return test->locations[term->location].element_bytes == 8 && holds_words(test, term, 0);
    const struct body *body = test_term_body(test, term);
    return body && term->reg != NONE && is_state(test, body, term->reg, 0);
}
