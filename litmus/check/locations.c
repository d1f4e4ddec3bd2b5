/* SPDX-License-Identifier: MIT */
#include "litmus/base/number.h"
#include "litmus/check/checker.h"
#include "litmus/test/host.h"
#include "litmus/test/texture.h"

/* Types of locations. A declared type stands. A location without one holds a 64-bit signed value,
 * unless it is only reached directly, at offset 0, by accesses that all have a type: then it has
 * the type of the widest. Accesses without a type take their location's. */

struct use {
    enum type widest;
    bool untyped; /* reached without a type, at an offset, or its address is taken */
};

/* Aliases must end at a location of their own; a circle would not. */
static bool aliases_end(struct checker *c)
{
    const struct test *test = c->test;
    for (uint32_t i = 0; i < test->location_count; i++) {
        uint32_t steps = 0, at = i;
        while (test->locations[at].alias_of != NONE && steps++ < test->location_count)
            at = test->locations[at].alias_of;
        if (test->locations[at].alias_of == NONE)
            continue;
        check_error(c, alias_circle, test->locations[i].span, NULL, "'%s' is an alias of itself",
                    test->locations[i].name);
        return false;
    }
    return true;
}

struct uses {
    const struct test *test;
    struct use *of; /* by location */
};

static void note_use(void *context, const struct inst *inst, const struct operand *operand)
{
    const struct uses *uses = context;
    bool access = inst && op_group(inst->op) == GROUP_ACCESS;
    if (operand->location == NONE || (access && inst->flags & FLAG_DIALECT))
        return; /* a host access takes its location's type */
    struct use *use = &uses->of[test_root_location(uses->test, operand->location)];
    if (operand->kind != OPERAND_MEMORY || !access || inst->type == TYPE_NONE || operand->value ||
        inst->vector > 1)
        use->untyped = true;
    else if (use->widest == TYPE_NONE || type_bytes(inst->type) > type_bytes(use->widest))
        use->widest = inst->type;
}

/* Sets types of unaliased locations, then aliases copy theirs. */
static void decide_types(struct test *test, const struct use *uses)
{
    for (uint32_t i = 0; i < test->location_count; i++) {
        struct location *location = &test->locations[i];
        if (location->alias_of == NONE && location->type == TYPE_NONE && !uses[i].untyped)
            location->type = uses[i].widest;
    }
    for (uint32_t i = 0; i < test->location_count; i++) {
        struct location *location = &test->locations[i];
        const struct location *root = &test->locations[test_root_location(test, i)];
        location->type = root->type;
        location->elements = root->elements;
        location->array = root->array;
        location->space = root->space;
        location->element_bytes = type_bytes(location->type);
    }
}

/* Reports the first one that does not fit. */
static void check_initial_values(struct checker *c, const struct location *location)
{
    uint32_t bits = location->element_bytes * 8;
    for (uint32_t i = 0; location->init && bits < 64 && i < location->elements; i++) {
        uint64_t value = location->init[i].value;
        bool is_address = location->init[i].address_of != NONE;
        if (!is_address && number_fits(value, bits))
            continue;
        const char *what =
            is_address ? "an address" : arena_printf(c->arena, "%lld", (long long)value);
        check_error(c, number_out_of_range, location->span, NULL,
                    "%s does not fit the %u bits of '%s'", what, bits, location->name);
        return;
    }
}

/* What the dialect leaves out is the location's type, or one as wide where the operation has no such: bits for an exchange of u32. */
static enum type type_at(const struct inst *inst, enum type type)
{
    uint32_t types = atom_row(inst->atom_op)->types;
    bool fits = type == TYPE_NONE || !op_is_atomic(inst->op) || !types || types >> type & 1;
    enum type other = fits ? type : type_with(atom_row(inst->atom_op)->kind, type_bytes(type));
    return other == TYPE_NONE ? type : other;
}

static void check_bounds(struct checker *c, struct inst *inst)
{
    const struct operand *operand = inst_operand(inst, OPERAND_MEMORY);
    if (!operand || operand->location == NONE || op_group(inst->op) != GROUP_ACCESS)
        return;
    const struct location *location = &c->test->locations[operand->location];
    uint64_t size = (uint64_t)location->element_bytes * location->elements;
    if (inst->type == TYPE_NONE)
        inst->type = type_at(inst, location->type);
    uint64_t bytes = type_bytes(inst->type) * inst->vector;
    if (location->dynamic || (bytes <= size && operand->value <= size - bytes))
        return;
    check_error(c, out_of_bounds, operand->span, "declare it wider or as an array: u32 x[4];",
                "%llu bytes at offset %lld are not inside '%s', which has %llu",
                (unsigned long long)bytes, (long long)operand->value, location->name,
                (unsigned long long)size);
}

/* A texture over another location has its bytes: without sizes, all of them. */
static void check_texture(struct checker *c, const struct location *location)
{
    struct texture *texture = location->texture;
    uint32_t bytes = texture_bytes(texture);
    uint64_t all = (uint64_t)location->element_bytes * location->elements;
    if (!texture->dims) {
        texture->dims = 1;
        texture->size[0] = (uint32_t)(all / bytes);
    }
    uint64_t needed = texture->size[0] ? texture_elements(texture) * bytes : bytes;
    if (needed > all)
        check_error(c, bad_texture, location->span, NULL,
                    "'%s' needs %llu bytes of '%s', which has %llu", location->name,
                    (unsigned long long)needed, c->test->locations[location->alias_of].name,
                    (unsigned long long)all);
}

/* What calls allocate holds anything, but for what the test says that it holds. */
static void find_unset(struct test *test)
{
    for (uint32_t i = 0; test->host && i < test->host->call_count; i++) {
        const struct host_call *call = &test->host->calls[i];
        if (call->row->subject != HOST_SUBJECT_ALLOCATION || call->to.location == NONE)
            continue;
        struct location *to = &test->locations[test_root_location(test, call->to.location)];
        to->unset = !to->initialized && !to->init;
    }
}

void check_locations(struct checker *c)
{
    struct test *test = c->test;
    struct uses uses = {test, ARENA_ARRAY(c->arena, struct use, test->location_count)};
    if (!aliases_end(c))
        return;
    test_each_operand(test, note_use, &uses);
    decide_types(test, uses.of);
    for (uint32_t i = 0; i < test->body_count; i++)
        for (uint32_t k = 0; k < test->bodies[i].inst_count; k++)
            check_bounds(c, &test->bodies[i].insts[k]);
    for (uint32_t i = 0; i < test->location_count; i++) {
        check_initial_values(c, &test->locations[i]);
        if (test->locations[i].texture && test->locations[i].alias_of != NONE)
            check_texture(c, &test->locations[i]);
    }
    find_unset(test);
}
