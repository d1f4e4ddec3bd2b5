/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* What sizeof says of a type: its bytes as compilers for CUDA lay it out. */

struct layout {
    uint64_t bytes, alignment; /* bytes 0: not known */
};

static struct layout layout_of(struct eval *e, const struct code_shape *shape);

/* "uint4", "double2": a number so many times. Those of three parts are aligned as one part is. */
static struct layout vector_layout(const char *word)
{
    static const struct {
        const char *word;
        uint64_t bytes;
    } rows[] = {{"char", 1},  {"uchar", 1},     {"short", 2}, {"ushort", 2}, {"int", 4},
                {"uint", 4},  {"long", 8},      {"ulong", 8}, {"dim", 4},    {"longlong", 8},
                {"float", 4}, {"ulonglong", 8}, {"double", 8}};
    enum { MOST_ALIGNMENT = 16 };
    size_t length = word ? strlen(word) : 0;
    uint64_t count = length ? (uint64_t)(unsigned char)word[length - 1] - '0' : 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && count >= 1 && count <= 4; i++)
        if (strlen(rows[i].word) == length - 1 && strncmp(word, rows[i].word, length - 1) == 0) {
            uint64_t all = count * rows[i].bytes;
            uint64_t most = all < MOST_ALIGNMENT ? all : MOST_ALIGNMENT;
            return (struct layout){all, count == 3 ? rows[i].bytes : most};
        }
    return (struct layout){0, 1};
}

static uint64_t aligned(uint64_t at, uint64_t alignment)
{
    return (at + alignment - 1) / alignment * alignment;
}

/* Puts a member behind the others. False: its size is not known. */
static bool add_member(struct eval *e, const struct cpp_type *type, struct layout *all)
{
    const struct code_shape *shape = type ? eval_shape(e, type) : NULL;
    struct layout member = shape ? layout_of(e, shape) : (struct layout){0, 1};
    if (!member.bytes)
        return false;
    all->bytes = aligned(all->bytes, member.alignment) + member.bytes;
    if (member.alignment > all->alignment)
        all->alignment = member.alignment;
    return true;
}

/* Of data, one member after the other; not of what has functions. */
static struct layout structure_layout(struct eval *e, const struct structure *structure)
{
    struct layout all = {0, 1}, unknown = {0, 1};
    for (uint32_t i = 0; i < structure->members->kid_count; i++) {
        const struct cpp_stmt *stmt = structure->members->kids[i];
        if (stmt->kind != CPP_DECLARATION && stmt->kind != CPP_EMPTY)
            return unknown;
        bool none = stmt->specifiers & (CPP_SPECIFIER_TYPEDEF | CPP_SPECIFIER_STATIC);
        for (uint32_t k = 0; !none && k < stmt->declarator_count; k++)
            if (!add_member(e, stmt->declarators[k].type, &all))
                return unknown;
    }
    all.bytes = all.bytes ? aligned(all.bytes, all.alignment) : 1;
    return all;
}

static struct layout layout_of(struct eval *e, const struct code_shape *shape)
{
    if (shape->kind == SHAPE_STRUCT)
        return shape->structure ? structure_layout(e, shape->structure)
                                : vector_layout(shape->word);
    if (shape->kind == SHAPE_ARRAY) {
        struct layout one = layout_of(e, shape->of);
        return (struct layout){one.bytes * shape->count, one.alignment};
    }
    uint64_t bytes = eval_bytes(shape);
    return (struct layout){bytes, bytes};
}

uint64_t eval_size(struct eval *e, const struct code_shape *shape)
{
    return layout_of(e, shape).bytes;
}
