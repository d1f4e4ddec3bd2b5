/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* Structures and arrays that a kernel gets by value: their bytes, as compilers lay them out. Up to eight bytes are an
 * argument like others; more are the initial contents of memory that only the launch names. */

struct value_bytes {
    struct eval *e;
    struct location_init *words; /* of eight bytes */
    struct span span;
};

static bool put(struct value_bytes *b, const struct code_value *value,
                const struct code_shape *shape, uint64_t offset)
{
    struct location_init *word = &b->words[offset / 8];
    struct host_memory memory;
    uint64_t bits;
    if (value->kind == VALUE_ADDRESS && shape->kind == SHAPE_POINTER) {
        if (!eval_memory_of(b->e, value, b->span, &memory))
            return false;
        *word = (struct location_init){memory.element * eval_unit(b->e, memory.location),
                                       memory.location};
        return true;
    }
    if (value->kind != VALUE_NUMBER && value->kind != VALUE_FLOAT)
        return eval_needs(b->e, value, b->span,
                          "known, member by member, as a kernel's argument is");
    if (shape->kind == SHAPE_POINTER)
        bits = value->number;
    else if (type_is_float(shape->type))
        bits = eval_float_bits(value, shape->type);
    else
        bits = eval_fit(value->number, shape->type);
    unsigned width = 8 * (shape->kind == SHAPE_POINTER ? 8 : type_bytes(shape->type));
    bits &= width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
    word->value |= bits << offset % 8 * 8;
    return true;
}

static bool put_cell(struct value_bytes *b, struct code_cell *cell, const struct code_shape *shape,
                     uint64_t offset);

static bool put_members(struct value_bytes *b, struct code_cell *cell,
                        const struct code_shape *shape, uint64_t offset)
{
    const struct cpp_stmt *members = shape->structure->members;
    for (uint32_t i = 0; i < members->kid_count; i++)
        for (uint32_t k = 0; k < members->kids[i]->declarator_count; k++) {
            const char *name = members->kids[i]->declarators[k].name;
            const struct code_shape *member;
            uint64_t at;
            if (eval_is_data_member(members->kids[i]) &&
                (!eval_member_offset(b->e, shape, name, &at, &member) || !member ||
                 !put_cell(b, eval_member(b->e, cell, name), member, offset + at)))
                return false;
        }
    return true;
}

/* "float4": x, y, z and w. */
static bool put_parts(struct value_bytes *b, struct code_cell *cell, const struct code_shape *shape,
                      uint64_t offset)
{
    const struct code_shape *part = eval_number_shape(b->e, eval_vector_part(shape->word));
    uint64_t bytes = type_bytes(part->type), count = eval_vector_bytes(shape->word) / bytes;
    for (uint64_t i = 0; i < count; i++) {
        const char *name = arena_printf(b->e->arena, "%c", "xyzw"[i]);
        if (!put_cell(b, eval_member(b->e, cell, name), part, offset + i * bytes))
            return false;
    }
    return true;
}

static bool put_cell(struct value_bytes *b, struct code_cell *cell, const struct code_shape *shape,
                     uint64_t offset)
{
    if (shape->kind == SHAPE_ARRAY) {
        uint64_t bytes = eval_size(b->e, shape->of);
        for (uint32_t i = 0; i < shape->count; i++)
            if (!put_cell(b, eval_part(b->e, cell, i), shape->of, offset + i * bytes))
                return false;
        return true;
    }
    if (shape->kind == SHAPE_STRUCT && (shape->structure || eval_vector_bytes(shape->word)))
        return shape->structure ? put_members(b, cell, shape, offset)
                                : put_parts(b, cell, shape, offset);
    struct lvalue place = eval_place_of_cell(cell);
    struct code_value value;
    if (place.cell && place.cell->value.kind == VALUE_NOTHING) {
        eval_error(b->e, host_argument, b->span, "assign it, or write {} behind the variable",
                   "'%s' was never assigned, and a kernel gets it", place.cell->name);
        return false;
    }
    return (shape->kind == SHAPE_NUMBER || shape->kind == SHAPE_POINTER) &&
           eval_read(b->e, &place, b->span, &value) && put(b, &value, shape, offset);
}

/* "W(const W &)" */
static bool is_copying(const struct code_function *function)
{
    const struct cpp_type *type =
        function->parameter_count == 1 ? function->parameters[0].type : NULL;
    const struct cpp_type *to = type && type->kind == CPP_TYPE_REFERENCE ? type->to : NULL;
    return function->is_constructor && !function->is_default && to && to->kind == CPP_TYPE_NAMED &&
           strcmp(cpp_last_part(&to->name)->word, function->of->name) == 0;
}

/* Is a copy of it its bytes, and nothing runs when that ends? */
static bool is_plain(struct eval *e, const struct structure *of)
{
    for (uint32_t i = 0; i < e->functions.len; i++) {
        const struct code_function *one = e->functions.at[i];
        if (one->of == of && (one->is_virtual || is_copying(one) || strstr(one->name, "::~")))
            return false;
    }
    return !of->base_count;
}

bool eval_is_passed_by_value(const struct code_value *value)
{
    return value->kind == VALUE_CELL &&
           (value->is_object || (value->list && value->list->kind == SHAPE_ARRAY));
}

static bool refuse(struct eval *e, struct span span)
{
    if (!e->p->diags->errors)
        eval_error(e, host_argument, span, "use structures of numbers and pointers",
                   "how '%s' is passed to a kernel is not known", eval_text(e, span));
    return false;
}

/* Memory with the words as its initial contents; its elements are as large as they divide the bytes. */
static uint32_t contents(struct value_bytes *b, uint64_t bytes, const char *name)
{
    static const enum type types[] = {TYPE_U64, TYPE_U8, TYPE_U16, TYPE_U8,
                                      TYPE_U32, TYPE_U8, TYPE_U16, TYPE_U8};
    enum type type = types[bytes % 8];
    uint64_t unit = type_bytes(type), count = bytes / unit;
    uint32_t index = eval_new_location(b->e, name, type, count, MEMORY_DEVICE, b->span);
    struct location *location = &b->e->p->locations.at[index];
    location->initialized = true;
    location->init = ARENA_ARRAY(b->e->arena, struct location_init, count);
    for (uint64_t i = 0; i < count; i++) {
        struct location_init word = b->words[i * unit / 8];
        word.value >>= i * unit % 8 * 8;
        word.value &= unit < 8 ? (UINT64_C(1) << 8 * unit) - 1 : UINT64_MAX;
        location->init[i] = word;
    }
    return index;
}

bool eval_pass_by_value(struct eval *e, const struct code_value *value, uint64_t wanted,
                        struct span span, struct operand *to)
{
    const struct code_shape *shape = value->is_object ? value->cell->shape : value->list;
    struct value_bytes b = {e, NULL, span};
    if (shape->kind == SHAPE_STRUCT && shape->structure && !is_plain(e, shape->structure))
        return refuse(e, span);
    struct class_opening opening = eval_open_class(e, shape);
    uint64_t bytes = eval_size(e, shape);
    b.words = ARENA_ARRAY(e->arena, struct location_init, bytes / 8 + 1);
    for (uint64_t i = 0; i <= bytes / 8; i++)
        b.words[i] = (struct location_init){0, NONE};
    bool good = bytes && bytes == wanted && put_cell(&b, value->cell, shape, 0);
    eval_close_class(e, opening);
    if (!good)
        return refuse(e, span);
    *to = (struct operand){.kind = b.words->address_of == NONE ? OPERAND_IMM : OPERAND_SYMBOL,
                           .reg = NONE,
                           .location = b.words->address_of,
                           .target = NONE,
                           .param = NONE,
                           .value = b.words->value,
                           .span = span};
    if (to->kind == OPERAND_SYMBOL)
        to->value /= eval_unit(e, to->location);
    if (bytes <= 8)
        return true;
    to->kind = OPERAND_SYMBOL;
    to->value = 0;
    to->location = contents(&b, bytes, value->cell->name);
    return true;
}
