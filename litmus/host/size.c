/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/host/eval.h"

/* What sizeof says of a type: its bytes as compilers for CUDA lay it out. */

struct sizing {
    uint64_t bytes, alignment; /* bytes 0: not known */
    uint64_t filled;           /* of a structure, those before the padding at its end */
};

static struct sizing sizing_of(struct eval *e, const struct code_shape *shape);

/* "uint4", "double2": those of three parts are aligned as one part is. */
static struct sizing vector_sizing(const char *word)
{
    enum { MOST_ALIGNMENT = 16 };
    uint64_t bytes = eval_vector_bytes(word);
    if (!bytes)
        return (struct sizing){0, 1, 0};
    uint64_t count = (uint64_t)(word[strlen(word) - 1] - '0');
    uint64_t most = bytes < MOST_ALIGNMENT ? bytes : MOST_ALIGNMENT;
    return (struct sizing){bytes, count == 3 ? bytes / 3 : most, bytes};
}

static uint64_t aligned(uint64_t at, uint64_t alignment)
{
    return (at + alignment - 1) / alignment * alignment;
}

/* Puts a member behind the others. False: its size is not known. */
static bool add_member(struct eval *e, const struct cpp_type *type, struct sizing *all)
{
    const struct code_shape *shape = type ? eval_shape(e, type) : NULL;
    struct sizing member = shape ? sizing_of(e, shape) : (struct sizing){0, 1, 0};
    if (!member.bytes)
        return false;
    all->bytes = aligned(all->bytes, member.alignment) + member.bytes;
    if (member.alignment > all->alignment)
        all->alignment = member.alignment;
    return true;
}

static bool is_polymorphic(const struct eval *e, const struct structure *of)
{
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (e->functions.at[i]->of == of && e->functions.at[i]->is_virtual)
            return true;
    return false;
}

/* Bases come first; those without members take no room. False: not known, such as whether members of the class lie in
 * the padding at the end of a base. */
static bool add_bases(struct eval *e, const struct structure *structure, struct sizing *all)
{
    for (uint32_t i = 0; i < structure->base_count; i++) {
        const struct code_shape *shape = eval_shape(e, structure->bases[i]);
        const struct structure *base = shape ? shape->structure : NULL;
        struct sizing one = base ? sizing_of(e, shape) : (struct sizing){0, 1, 0};
        if (!one.bytes || (one.filled && one.filled != one.bytes))
            return false;
        if (!one.filled)
            continue;
        all->bytes = aligned(all->bytes, one.alignment) + one.bytes;
        all->alignment = one.alignment > all->alignment ? one.alignment : all->alignment;
    }
    return true;
}

/* What its objects begin with: the address of the table of virtual functions, and bases. */
static bool add_beginning(struct eval *e, const struct structure *structure, struct sizing *all)
{
    if (!is_polymorphic(e, structure))
        return add_bases(e, structure, all);
    *all = (struct sizing){8, 8, 0};
    return !structure->base_count;
}

/* "alignas(16)" and its like, anywhere in the class, and classes of the library, which here have other members. */
static bool is_laid_out_otherwise(const struct eval *e, const struct structure *structure)
{
    static const char *const words[] = {"alignas", "__align__", "__attribute__"};
    const struct cpp_stmt *members = structure->members;
    if (!members->kid_count)
        return e->packs;
    struct span last = members->kids[members->kid_count - 1]->span;
    const char *text = e->p->source->text + structure->from;
    size_t length = last.offset + last.length - structure->from;
    bool library = structure->from >= e->library_from && structure->from < e->library_to;
    if (e->packs || library)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (g_strstr_len(text, (gssize)length, words[i]))
            return true;
    return false;
}

static struct sizing structure_sizing(struct eval *e, const struct structure *structure)
{
    struct sizing all = {0, 1, 0}, unknown = {0, 1, 0};
    if (is_laid_out_otherwise(e, structure) || !add_beginning(e, structure, &all))
        return unknown;
    for (uint32_t i = 0; i < structure->members->kid_count; i++) {
        const struct cpp_stmt *stmt = structure->members->kids[i];
        if (stmt->kind != CPP_DECLARATION && stmt->kind != CPP_EMPTY)
            return unknown;
        bool none = stmt->specifiers & (CPP_SPECIFIER_TYPEDEF | CPP_SPECIFIER_STATIC);
        for (uint32_t k = 0; !none && k < stmt->declarator_count; k++)
            if (stmt->declarators[k].width || !add_member(e, stmt->declarators[k].type, &all))
                return unknown;
    }
    all.filled = all.bytes;
    all.bytes = all.bytes ? aligned(all.bytes, all.alignment) : 1;
    return all;
}

static struct sizing sizing_of(struct eval *e, const struct code_shape *shape)
{
    if (shape->kind == SHAPE_STRUCT)
        return shape->structure ? structure_sizing(e, shape->structure)
                                : vector_sizing(shape->word);
    if (shape->kind == SHAPE_ARRAY) {
        struct sizing one = sizing_of(e, shape->of);
        return (struct sizing){one.bytes * shape->count, one.alignment, 0};
    }
    bool thread = shape->kind == SHAPE_THREAD && shape->word &&
                  (strcmp(shape->word, "thread") == 0 || strcmp(shape->word, "pthread_t") == 0);
    bool plain = thread || shape->kind == SHAPE_NUMBER || shape->kind == SHAPE_POINTER ||
                 shape->kind == SHAPE_OBJECT || shape->kind == SHAPE_VOID;
    uint64_t bytes = plain ? eval_bytes(e, shape) : 0; /* others are the library's */
    return (struct sizing){bytes, bytes, bytes};
}

uint64_t eval_size(struct eval *e, const struct code_shape *shape)
{
    return sizing_of(e, shape).bytes;
}

bool eval_member_offset(struct eval *e, const struct code_shape *shape, const char *name,
                        uint64_t *offset, const struct code_shape **member)
{
    const struct cpp_stmt *members = shape->structure->members;
    struct sizing all = {0, 1, 0};
    if (is_laid_out_otherwise(e, shape->structure) || !add_beginning(e, shape->structure, &all))
        return false;
    for (uint32_t i = 0; i < members->kid_count; i++)
        for (uint32_t k = 0; k < members->kids[i]->declarator_count; k++) {
            const struct cpp_declarator *one = &members->kids[i]->declarators[k];
            if (members->kids[i]->specifiers & (CPP_SPECIFIER_TYPEDEF | CPP_SPECIFIER_STATIC))
                continue;
            if (one->width || !add_member(e, one->type, &all))
                return false;
            if (strcmp(one->name, name) != 0)
                continue;
            *member = eval_shape(e, one->type);
            *offset = all.bytes - sizing_of(e, *member).bytes;
            return true;
        }
    return false;
}

static bool same_size(enum type *all, enum type type)
{
    bool same = *all == TYPE_NONE || type_bytes(*all) == type_bytes(type);
    *all = *all == TYPE_NONE ? type : *all;
    return same;
}

static bool collect_types(struct eval *e, const struct code_shape *shape, enum type *all)
{
    while (shape->kind == SHAPE_ARRAY)
        shape = shape->of;
    if (shape->kind == SHAPE_NUMBER && shape->type != TYPE_NONE)
        return same_size(all, shape->type);
    if (shape->kind != SHAPE_STRUCT || !shape->structure || shape->structure->has_functions)
        return false;
    const struct cpp_stmt *members = shape->structure->members;
    for (uint32_t i = 0; i < members->kid_count; i++)
        for (uint32_t k = 0; k < members->kids[i]->declarator_count; k++) {
            const struct cpp_declarator *member = &members->kids[i]->declarators[k];
            const struct code_shape *one = member->width ? NULL : eval_shape(e, member->type);
            if (!one || !collect_types(e, one, all))
                return false;
        }
    return true;
}

enum type eval_member_type(struct eval *e, const struct code_shape *shape)
{
    enum type all = TYPE_NONE;
    return collect_types(e, shape, &all) ? all : TYPE_NONE;
}
