/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"
#include "litmus/host/tree.h"

/* "for (int x : range)". */

/* "range.word()" */
static const struct cpp_expr *call_of(struct eval *e, const struct cpp_expr *range,
                                      const char *word)
{
    const struct cpp_expr *callee = tree_member(e->arena, range, word);
    return tree_expr(e->arena, (struct cpp_expr){.kind = CPP_CALL, .span = range->span}, &callee,
                     1);
}

static const struct cpp_expr *name_of(struct eval *e, const char *word, struct span span)
{
    struct cpp_expr name = {
        .kind = CPP_NAME, .name = tree_name(e->arena, word, span), .span = span};
    return tree_expr(e->arena, name, NULL, 0);
}

/* Over an object: "for (auto at = range.begin(), end = range.end(); at != end; ++at) { int x = *at; … }". */
static bool range_of_object(struct eval *e, const struct cpp_stmt *stmt)
{
    static const struct cpp_type any = {.kind = CPP_TYPE_AUTO};
    struct span span = stmt->value->span;
    const struct cpp_expr *both[2] = {name_of(e, "range at", span), name_of(e, "range end", span)};
    struct cpp_declarator *from = ARENA_ARRAY(e->arena, struct cpp_declarator, 2);
    struct cpp_declarator *one = ARENA_NEW(e->arena, struct cpp_declarator);
    struct cpp_stmt first = {.kind = CPP_DECLARATION, .declarators = from, .declarator_count = 2};
    struct cpp_stmt each = *stmt->kids[0], loop = {.kind = CPP_FOR, .span = stmt->span};
    struct cpp_expr sign = {.kind = CPP_BINARY, .mark = CPP_MARK_NE, .span = span};
    from[0] = (struct cpp_declarator){"range at", &any, .value = call_of(e, stmt->value, "begin")};
    from[1] = (struct cpp_declarator){"range end", &any, .value = call_of(e, stmt->value, "end")};
    loop.condition = tree_expr(e->arena, sign, both, 2);
    sign = (struct cpp_expr){.kind = CPP_UNARY, .mark = CPP_MARK_INCREMENT, .span = span};
    loop.step = tree_expr(e->arena, sign, both, 1);
    *one = each.declarators[0];
    sign.mark = CPP_MARK_MUL;
    one->value = tree_expr(e->arena, sign, both, 1);
    each.declarators = one;
    first.span = each.span = span;
    const struct cpp_stmt *in[2] = {tree_stmt(e->arena, each, NULL, 0), stmt->kids[1]};
    struct cpp_stmt block = {.kind = CPP_BLOCK, .span = stmt->span};
    const struct cpp_stmt *kids[2] = {tree_stmt(e->arena, first, NULL, 0),
                                      tree_stmt(e->arena, block, in, 2)};
    return eval_for_statement(e, tree_stmt(e->arena, loop, kids, 2));
}

/* "for (unsigned char x : v)": the variable has a type of its own, which a number is converted to; so has what a
 * reference to a constant of another type refers to. */
static bool is_converted(const struct cpp_type *type, const struct code_shape *shape,
                         const struct lvalue *element)
{
    const struct code_shape *of = element->shape;
    bool number = shape->kind == SHAPE_NUMBER && shape->type != TYPE_NONE && !shape->is_atomic;
    bool same =
        of && of->kind == SHAPE_NUMBER && of->type == shape->type && of->is_bool == shape->is_bool;
    bool alias = type->kind == CPP_TYPE_REFERENCE && !type->to->is_const;
    return number && of && !same && !alias;
}

/* How many elements an array, a vector or memory has. */
static uint64_t count_of(const struct eval *e, const struct code_value *range)
{
    if (range->kind == VALUE_ADDRESS)
        return e->p->locations.at[range->location].elements;
    if (range->kind != VALUE_CELL)
        return 0;
    const struct code_cell *cell = range->cell;
    return cell->shape->kind == SHAPE_ARRAY ? cell->shape->count : cell->parts.len;
}

/* The variable of a round is the element itself, or a copy of it. */
static bool element_variable(struct eval *e, const struct cpp_declarator *one,
                             const struct code_shape *shape, const struct lvalue *element,
                             struct span span, struct code_cell **cell)
{
    struct code_value value;
    bool is_copied = is_converted(one->type, shape, element);
    bool refers = one->type->kind == CPP_TYPE_REFERENCE && !is_copied;
    if (refers && element->cell) {
        *cell = element->cell;
        return true;
    }
    *cell = eval_new_cell(e, one->name, is_copied ? shape : element->shape);
    (*cell)->location = refers ? element->location : NONE;
    (*cell)->offset = element->offset;
    if (refers)
        return true;
    if (!eval_read(e, element, span, &value))
        return false;
    bool object = eval_class_of(&value) && value.cell->shape->structure->is_own;
    return (object ? eval_copy_object : eval_set)(e, *cell, &value, span);
}

/* "for (char c : s)": a text's characters, which are read only. */
static bool characters_of(struct eval *e, const struct cpp_stmt *stmt, struct code_value *range)
{
    struct code_text text;
    const struct cpp_type *type = stmt->kids[0]->declarators[0].type;
    bool writes = type->kind == CPP_TYPE_REFERENCE && !type->to->is_const;
    if (writes || !range->is_string || !eval_characters(e, range, &text))
        return eval_needs(e, range, stmt->value->span, "an array that is read only");
    struct code_shape *shape = ARENA_NEW(e->arena, struct code_shape);
    *shape = (struct code_shape){
        .kind = SHAPE_ARRAY, .of = eval_number_shape(e, TYPE_S8), .count = text.length};
    struct code_cell *cell = eval_new_cell(e, "characters", shape);
    for (uint32_t i = 0; i < text.length; i++) {
        struct code_cell *part = eval_part(e, cell, i);
        part->is_const = true;
        part->value = eval_number((uint64_t)text.at[i], TYPE_S8);
    }
    *range = (struct code_value){.kind = VALUE_CELL, .cell = cell};
    return true;
}

bool eval_range_for(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_value range;
    uint32_t end = eval_new_aim(e), variables = e->scope.len;
    const struct cpp_stmt *declares = stmt->kids[0];
    if (declares->kind != CPP_DECLARATION || !eval_value(e, stmt->value, &range))
        return false;
    if (range.kind == VALUE_STRING && !characters_of(e, stmt, &range))
        return false;
    bool array = range.kind == VALUE_CELL && range.cell->shape->kind == SHAPE_ARRAY;
    bool named = stmt->value->kind == CPP_NAME || stmt->value->kind == CPP_MEMBER;
    if (eval_class_of(&range) && named && eval_has_member_function(e, range.cell->shape, "begin"))
        return range_of_object(e, stmt);
    if (range.kind == VALUE_CELL && !array && range.cell->shape->kind != SHAPE_VECTOR) {
        eval_error(e, host_statement, stmt->value->span, "loop over the elements by their numbers",
                   "'%s' is no array or vector", eval_text(e, stmt->value->span));
        return false;
    }
    uint64_t count = count_of(e, &range);
    bool good = range.kind == VALUE_CELL || range.kind == VALUE_ADDRESS ||
                eval_needs(e, &range, stmt->value->span, "an array");
    const struct cpp_declarator *one = &declares->declarators[0];
    const struct code_shape *shape = eval_shape(e, one->type);
    good = good && shape;
    for (uint64_t i = 0; good && i < count && !e->is_dead; i++) {
        struct code_loop body = {NULL, stmt->kids[1], NULL, false, stmt->span};
        struct lvalue place;
        struct code_cell *cell;
        if (!eval_pointed_to(e, &range, i, stmt->value->span, &place))
            return false;
        good = element_variable(e, one, shape, &place, stmt->span, &cell);
        if (one->bound)
            good = good && eval_bind_parts(e, one, cell);
        else
            eval_bind(e, one->name, cell);
        good = good && eval_round_of(e, &body, end);
        if (e->left) {
            eval_cover_rounds(e, &body);
            break;
        }
        eval_close_scope(e, variables);
    }
    eval_place(e, end);
    return good;
}
