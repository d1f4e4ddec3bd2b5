/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/threads.h"

/* Structures of a test in C++: "struct node { int data; atomic_int flag; }; node n;" declares the locations n_data and
 * n_flag, which threads and questions may call n.data and n.flag. A reference or pointer to n is another name of n. */

static const char *member_name(struct arena *arena, const char *object, const char *member)
{
    return arena_printf(arena, "%s_%s", object, member);
}

bool cpp_add_structure(struct cpp_reader *reader, const struct cpp_stmt *stmt)
{
    struct cpp_declarator named = {.name = cpp_last_part(&stmt->type->name)->word,
                                   .type = stmt->type};
    cpp_add_type(reader, &named);
    return true;
}

/* The initial values of the object: "= {1, 2}", "{1, 2}". */
static const struct cpp_expr *const *values_of(const struct cpp_declarator *one, uint32_t *count)
{
    bool list = one->value && one->value->kind == CPP_LIST;
    *count = list ? one->value->kid_count : one->given_count;
    return list ? one->value->kids : one->given;
}

void cpp_add_members(struct cpp_reader *reader, const struct cpp_declarator *one,
                     const struct cpp_type *type, struct location location)
{
    uint32_t count, used = 0;
    const struct cpp_expr *const *values = values_of(one, &count);
    const char *path = location.cpp_path ? location.cpp_path : one->name;
    names_put(&reader->constant_names, 2, one->name, strlen(one->name), 0);
    for (uint32_t i = 0; i < type->members->kid_count; i++) {
        const struct cpp_stmt *stmt = type->members->kids[i];
        for (uint32_t k = 0; k < stmt->declarator_count; k++, used++) {
            struct cpp_declarator member = stmt->declarators[k];
            location.cpp_path = arena_printf(reader->p.arena, "%s.%s", path, member.name);
            member.name = member_name(reader->p.arena, one->name, member.name);
            member.name_span = member.span = one->name_span;
            if (used < count) {
                member.value = values[used];
                member.is_given = false;
                member.given_count = 0;
            } else if (one->is_given || one->value)
                member.is_given = true; /* 0, unless the member says otherwise */
            cpp_add_location(reader, &member, location);
        }
    }
    if (count > used)
        cpp_error(&reader->p, bad_array, one->span, NULL, "%u initial values for %u members", count,
                  used);
}

/* ---- in threads ----------------------------------------------------------------------------- */

/* The object that the initial state calls so. */
static bool declared(struct cpp_code *code, const char *name, struct cpp_operand *to)
{
    uint32_t index = names_get(&code->reader->constant_names, 2, name, strlen(name));
    if (index != NONE)
        *to = (struct cpp_operand){.form = CPP_FORM_STRUCT, .structure = name, .reg = NONE};
    return index != NONE;
}

static bool named(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    const char *word = expr->name.part_count == 1 ? expr->name.parts[0].word : NULL;
    if (!word)
        return false;
    return cpp_find_variable(code, word, to) ? to->form == CPP_FORM_STRUCT
                                             : declared(code, word, to);
}

/* "n.inner", or "p->inner" */
static bool inner(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    struct cpp_operand outer;
    return cpp_structure(code, expr->kids[0], &outer) && outer.kind.is_pointer == expr->is_arrow &&
           declared(code,
                    member_name(code->arena, outer.structure, cpp_last_part(&expr->name)->word),
                    to);
}

bool cpp_structure(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    bool address = expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND;
    if (expr->kind == CPP_NAME)
        return named(code, expr, to);
    if (expr->kind == CPP_MEMBER)
        return inner(code, expr, to);
    if (!address && !(expr->kind == CPP_UNARY && expr->mark == CPP_MARK_MUL))
        return false;
    if (!cpp_structure(code, expr->kids[0], to) || to->kind.is_pointer == address)
        return false;
    to->kind.is_pointer = address;
    return true;
}

bool cpp_member(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    struct cpp_operand of;
    if (!cpp_structure(code, expr->kids[0], &of) || of.kind.is_pointer != expr->is_arrow)
        return false;
    const char *name = member_name(code->arena, of.structure, cpp_last_part(&expr->name)->word);
    return cpp_is_object(code, name, to) && to->location != NONE;
}
