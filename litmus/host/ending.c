/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* How objects end, and those that no name keeps. */

static void end_members(struct eval *e, struct code_cell *cell, const struct structure *of)
{
    for (uint32_t i = of->members->kid_count; i-- > 0;)
        for (uint32_t k = of->members->kids[i]->declarator_count; k-- > 0;)
            for (uint32_t p = cell->parts.len;
                 eval_is_data_member(of->members->kids[i]) && p-- > 0;) {
                struct code_cell *part = cell->parts.at[p];
                if (part->member &&
                    strcmp(part->member, of->members->kids[i]->declarators[k].name) == 0)
                    eval_end_member(e, part);
            }
}

void eval_end_object(struct eval *e, struct code_cell *cell)
{
    if (!cell->is_class || e->is_dead)
        return;
    if (eval_is_list_shape(cell->shape)) {
        for (uint32_t i = cell->parts.len; i-- > 0;)
            eval_end_object(e, cell->parts.at[i]);
        return;
    }
    struct class_levels levels = eval_levels(e, cell->shape);
    for (uint32_t i = levels.of.len; i-- > 0;) {
        const struct structure *of = levels.of.at[i]->structure;
        struct cpp_expr call = eval_call_with(NULL, 0, (struct span){0, 0});
        struct code_value dropped;
        bool good;
        const struct code_function *function =
            eval_choose(e, "~", levels.of.at[i], &call, 0, &good);
        call.span = function ? function->span : call.span;
        if (function && !function->is_default)
            eval_call_member(e, function, cell, &call, 0, &dropped);
        end_members(e, cell, of);
    }
}

bool eval_temporary_object(struct eval *e, const struct code_shape *shape,
                           const struct cpp_expr *expr, struct code_value *to)
{
    struct cpp_declarator one = {.given = expr->kids + 1,
                                 .given_count = expr->kid_count - 1,
                                 .is_given = true,
                                 .is_braced = expr->is_braced,
                                 .span = expr->span};
    struct code_cell *cell = eval_new_cell(e, shape->structure->name, shape);
    *to = (struct code_value){
        .kind = VALUE_CELL, .cell = cell, .is_object = true, .is_temporary = true};
    if (!eval_make_object(e, cell, &one))
        return false;
    vec_push(e->arena, &e->temporaries, cell);
    return true;
}

void eval_keep_temporary(struct eval *e, const struct code_cell *cell)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->temporaries.len; i++)
        if (e->temporaries.at[i] != cell)
            e->temporaries.at[kept++] = e->temporaries.at[i];
    e->temporaries.len = kept;
}

bool eval_end_temporaries(struct eval *e, uint32_t count)
{
    uint32_t errors = e->p->diags->errors;
    while (e->temporaries.len > count) {
        struct code_cell *cell = e->temporaries.at[--e->temporaries.len];
        eval_end_member(e, cell);
        cell->is_class = false;
    }
    return e->p->diags->errors == errors;
}
