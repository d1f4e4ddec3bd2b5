/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "litmus/host/eval.h"
#include "litmus/host/tree.h"

/* Conditions: known while the code is read, or jumps. */

static enum eval_truth truth(bool is)
{
    return is ? EVAL_TRUE : EVAL_FALSE;
}

/* Not zero, or not null. */
static enum eval_truth value_truth(struct eval *e, const struct code_value *value, bool when,
                                   uint32_t aim, struct span span)
{
    struct raw_operand operand, zero = eval_number_operand(0, span);
    struct code_value converted = *value;
    if (eval_class_of(value)) {
        if (!eval_convert(e, &converted, NULL, span))
            return EVAL_FAILED;
        value = &converted;
    }
    switch (value->kind) {
    case VALUE_NUMBER:
        return truth(value->number != 0);
    case VALUE_FLOAT:
        return truth(eval_double(value) != 0);
    case VALUE_ADDRESS:
    case VALUE_CELL:
    case VALUE_OBJECT:
    case VALUE_FUNCTION:
    case VALUE_STRING:
        return EVAL_TRUE;
    default:
        if (eval_is_float(value)) {
            struct code_value nothing = eval_float(0, TYPE_F32);
            return eval_float_comparison(e, CMP_NE, value, &nothing, when, aim, span);
        }
        if (!eval_operand(e, value, span, &operand))
            return EVAL_FAILED;
        eval_jump_if(e, when ? CMP_NE : CMP_EQ, &operand, &zero, aim, span);
        return EVAL_DEPENDS;
    }
}

static enum cmp comparison(enum cpp_mark mark)
{
    switch (mark) {
    case CPP_MARK_EQ:
        return CMP_EQ;
    case CPP_MARK_NE:
        return CMP_NE;
    case CPP_MARK_LT:
        return CMP_LT;
    case CPP_MARK_LE:
        return CMP_LE;
    case CPP_MARK_GT:
        return CMP_GT;
    case CPP_MARK_GE:
        return CMP_GE;
    default:
        return CMP_NONE;
    }
}

static bool holds(enum cmp cmp, int order)
{
    switch (cmp) {
    case CMP_EQ:
        return order == 0;
    case CMP_NE:
        return order != 0;
    case CMP_LT:
        return order < 0;
    case CMP_LE:
        return order <= 0;
    case CMP_GT:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool is_number(const struct code_value *value)
{
    return value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER;
}

static void set(struct eval *e, const struct code_value *variable, const struct code_value *value,
                struct span span)
{
    struct raw_operand operands[2] = {variable->operand};
    if (eval_operand(e, value, span, &operands[1]))
        eval_emit(e, (struct raw_inst){.op = OP_MOV}, operands, 2, span);
}

/* A constant that an instruction has no room for is kept in a register. */
static void make_room(struct eval *e, struct code_value *value, struct span span)
{
    if (!e->is_file || value->kind != VALUE_NUMBER || value->number + INT32_MAX + 1 <= UINT32_MAX ||
        value->number <= UINT32_MAX)
        return;
    struct code_value kept = eval_new_variable(e, value->type, span);
    set(e, &kept, value, span);
    *value = kept;
}

static enum eval_truth compare_numbers(struct eval *e, enum cmp cmp, const struct code_value *left,
                                       const struct code_value *right, bool when, uint32_t aim,
                                       struct span span)
{
    struct raw_operand operands[2];
    enum type type = eval_common_type(left->type, right->type);
    if (eval_is_known(left) && eval_is_known(right)) {
        uint64_t a = eval_fit(left->number, type), b = eval_fit(right->number, type);
        int order = a == b ? 0 : (type_is_signed(type) ? (int64_t)a < (int64_t)b : a < b) ? -1 : 1;
        return truth(holds(cmp, order));
    }
    struct code_value both[2] = {*left, *right};
    bool is_unsigned = e->is_file && type != TYPE_NONE && !type_is_signed(type);
    make_room(e, &both[0], span);
    make_room(e, &both[1], span);
    for (uint32_t i = 0; i < 2; i++)
        if ((is_unsigned && !eval_cast(e, &both[i], eval_number_shape(e, type), span)) ||
            !eval_operand(e, &both[i], span, &operands[i]))
            return EVAL_FAILED;
    eval_jump_if_floats(e, when ? cmp : cmp_row(cmp)->opposite,
                        is_unsigned && type_bytes(type) == 8 ? type : TYPE_NONE, operands, aim,
                        span);
    return EVAL_DEPENDS;
}

/* Of constants one of which is a float; what is no number is in no order. */
static enum eval_truth compare_constants(enum cmp cmp, const struct code_value *left,
                                         const struct code_value *right)
{
    double a = eval_double(left), b = eval_double(right);
    if (left->type != TYPE_F64 && right->type != TYPE_F64) {
        a = (double)(float)a;
        b = (double)(float)b;
    }
    if (isnan(a) || isnan(b))
        return truth(cmp == CMP_NE);
    return truth(holds(cmp, a < b ? -1 : a > b));
}

/* Of std::string by their characters; where two texts of the program lie nobody knows. */
static enum eval_truth compare_texts(struct eval *e, enum cmp cmp, const struct code_value *left,
                                     const struct code_value *right, struct span span)
{
    struct code_text a, b;
    bool strings = left->is_string || right->is_string;
    bool known = strings && eval_characters(e, left, &a) && eval_characters(e, right, &b);
    if (known)
        return truth(holds(cmp, eval_order_of_texts(&a, &b)));
    eval_error(e, cpp_type, span, "compare std::string with a text",
               "whether '%s' holds is not known", eval_text(e, span));
    return EVAL_FAILED;
}

/* Of what is no number: equal or not. */
static enum eval_truth compare_others(struct eval *e, enum cmp cmp, const struct code_value *left,
                                      const struct code_value *right, struct span span)
{
    if (left->kind == VALUE_UNKNOWN || right->kind == VALUE_UNKNOWN) {
        eval_needs(e, left->kind == VALUE_UNKNOWN ? left : right, span, "a condition");
        return EVAL_FAILED;
    }
    if ((left->kind == VALUE_CHOICE && !is_number(right)) ||
        (right->kind == VALUE_CHOICE && !is_number(left))) {
        eval_needs(e, left->kind == VALUE_CHOICE ? left : right, span, "a condition");
        return EVAL_FAILED;
    }
    if (left->kind == VALUE_STRING && right->kind == VALUE_STRING)
        return compare_texts(e, cmp, left, right, span);
    bool same =
        eval_same_value(left, right) || (left->kind == VALUE_CONSTANT && eval_is_known(right) &&
                                         host_constant_is_plain(left->constant) && !right->number);
    bool one_list =
        (left->kind == VALUE_ADDRESS && right->kind == VALUE_ADDRESS &&
         left->location == right->location) ||
        (left->kind == VALUE_CELL && right->kind == VALUE_CELL && left->cell == right->cell);
    if (one_list && cmp != CMP_EQ && cmp != CMP_NE)
        return truth(holds(cmp, left->number < right->number ? -1 : left->number > right->number));
    if (cmp == CMP_EQ || cmp == CMP_NE)
        return truth(same == (cmp == CMP_EQ));
    eval_error(e, cpp_type, span, NULL, "'%s' compares what is no number", eval_text(e, span));
    return EVAL_FAILED;
}

/* Also what a type that nobody knows declares, such as an enumeration of the runtime. */
static bool names_structure(const struct eval *e, const struct cpp_expr *expr)
{
    const char *word = eval_word(expr);
    const struct code_cell *cell = word ? eval_find(e, word) : NULL;
    return cell && cell->shape->kind == SHAPE_STRUCT;
}

/* Numbers, one of which is read, and one a float. */
static bool reads_float(const struct code_value *left, const struct code_value *right)
{
    bool numbers = (is_number(left) || left->kind == VALUE_FLOAT) &&
                   (is_number(right) || right->kind == VALUE_FLOAT);
    return numbers && (left->kind == VALUE_REGISTER || right->kind == VALUE_REGISTER) &&
           (eval_is_float(left) || eval_is_float(right));
}

static bool is_constant(const struct code_value *value)
{
    return value->kind == VALUE_NUMBER || value->kind == VALUE_FLOAT;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* A std::vector or std::array, which is compared element by element; an array of C is a pointer. */
static bool is_compared_whole(struct eval *e, const struct cpp_expr *expr, uint64_t *count)
{
    struct lvalue place;
    const struct cpp_expr *root = expr;
    while (root->kind == CPP_MEMBER && !root->is_arrow)
        root = root->kids[0];
    const char *word = eval_word(root);
    if (!word || !eval_find(e, word) || !eval_place_of(e, expr, &place))
        return false;
    const struct code_shape *shape = place.shape;
    bool vector = shape && shape->kind == SHAPE_VECTOR;
    bool array = shape && shape->kind == SHAPE_ARRAY && shape->word;
    *count = array        ? shape->count
             : place.cell ? place.cell->parts.len
             : vector     ? e->p->locations.at[place.location].elements
                          : 0;
    return vector || array;
}

/* "a[0] == b[0] && …" */
static const struct cpp_expr *elements_equal(struct eval *e, const struct cpp_expr *lists,
                                             uint64_t count)
{
    struct cpp_expr both = {.kind = CPP_BINARY, .mark = CPP_MARK_EQ, .span = lists->span};
    struct cpp_expr index = {.kind = CPP_INDEX, .span = lists->span};
    struct cpp_expr number = {.kind = CPP_NUMBER, .bytes = 4, .span = lists->span, .value = 1};
    const struct cpp_expr *all = tree_expr(e->arena, number, NULL, 0);
    for (number.value = 0; number.value < count; number.value++) {
        const struct cpp_expr *at = tree_expr(e->arena, number, NULL, 0), *kids[2];
        for (uint32_t k = 0; k < 2; k++)
            kids[k] =
                tree_expr(e->arena, index, (const struct cpp_expr *[]){lists->kids[k], at}, 2);
        both.mark = CPP_MARK_EQ;
        kids[1] = tree_expr(e->arena, both, kids, 2);
        kids[0] = all;
        both.mark = CPP_MARK_ALSO;
        all = tree_expr(e->arena, both, kids, 2);
    }
    return all;
}

/* "v == w" of vectors; *found: it is so. */
static enum eval_truth compare_lists(struct eval *e, const struct cpp_expr *expr, bool when,
                                     uint32_t aim, bool *found)
{
    enum { MOST_COMPARED = 256 };
    enum cmp cmp = comparison(expr->mark);
    uint64_t count, other;
    *found =
        is_compared_whole(e, expr->kids[0], &count) && is_compared_whole(e, expr->kids[1], &other);
    if (!*found)
        return EVAL_FAILED;
    if ((cmp != CMP_EQ && cmp != CMP_NE) || count > MOST_COMPARED) {
        eval_error(e, host_statement, expr->span, "compare their elements in a loop",
                   "this comparison of lists is not modelled");
        return EVAL_FAILED;
    }
    if (count != other)
        return truth(cmp == CMP_NE);
    enum eval_truth is =
        eval_branch(e, elements_equal(e, expr, count), cmp == CMP_EQ ? when : !when, aim);
    return cmp == CMP_EQ || is == EVAL_DEPENDS || is == EVAL_FAILED ? is : truth(is == EVAL_FALSE);
}

/* ---- two values ----------------------------------------------------------------------------- */

static enum eval_truth compare(struct eval *e, const struct cpp_expr *expr, bool when, uint32_t aim)
{
    struct code_value left, right;
    bool lists;
    uint32_t errors = e->p->diags->errors;
    enum eval_truth same = compare_lists(e, expr, when, aim, &lists);
    if (lists || e->p->diags->errors > errors)
        return same;
    if (!eval_promoted_value(e, expr->kids[0], &left))
        return EVAL_FAILED;
    if (eval_has_effects(e, expr->kids[1]))
        eval_keep(e, &left, expr->kids[0]->span);
    if (!eval_promoted_value(e, expr->kids[1], &right))
        return EVAL_FAILED;
    enum cmp cmp = comparison(expr->mark);
    if (eval_class_of(&left) || eval_class_of(&right)) {
        bool found,
            good = eval_operator(e, cpp_mark_text(expr->mark), &left, &right, expr->span, &found);
        if (!good)
            return EVAL_FAILED;
        if (found)
            return value_truth(e, &left, when, aim, expr->span);
        if (!eval_convert(e, &left, NULL, expr->span) || !eval_convert(e, &right, NULL, expr->span))
            return EVAL_FAILED;
    }
    if (reads_float(&left, &right))
        return eval_float_comparison(e, cmp, &left, &right, when, aim, expr->span);
    if (is_constant(&left) && is_constant(&right) &&
        (left.kind == VALUE_FLOAT || right.kind == VALUE_FLOAT))
        return compare_constants(cmp, &left, &right);
    if (is_number(&left) && is_number(&right))
        return compare_numbers(e, cmp, &left, &right, when, aim, expr->span);
    if (!names_structure(e, expr->kids[0]) && !names_structure(e, expr->kids[1]))
        return compare_others(e, cmp, &left, &right, expr->span);
    eval_error(e, cpp_type, expr->span, NULL, "'%s' compares what is no number",
               eval_text(e, expr->span));
    return EVAL_FAILED;
}

/* "a && b": where a decides, b is not read. */
static enum eval_truth logical(struct eval *e, const struct cpp_expr *expr, bool when, uint32_t aim)
{
    bool decides = expr->mark == CPP_MARK_ELSE; /* what of the left side decides it all */
    uint32_t skip = decides == when ? aim : eval_new_aim(e);
    enum eval_truth left = eval_branch(e, expr->kids[0], decides, skip);
    if (left == EVAL_FAILED || left == truth(decides))
        return left;
    e->branches += left == EVAL_DEPENDS;
    enum eval_truth right = eval_branch(e, expr->kids[1], when, aim);
    e->branches -= left == EVAL_DEPENDS;
    if (left != EVAL_DEPENDS || right == EVAL_FAILED)
        return right;
    if (right == truth(when))
        eval_jump(e, aim, expr->span);
    if (skip != aim)
        eval_place(e, skip);
    return EVAL_DEPENDS;
}

enum eval_truth eval_branch(struct eval *e, const struct cpp_expr *expr, bool when, uint32_t aim)
{
    struct code_value value;
    if (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_NOT) {
        enum eval_truth is = eval_branch(e, expr->kids[0], !when, aim);
        return is == EVAL_TRUE ? EVAL_FALSE : is == EVAL_FALSE ? EVAL_TRUE : is;
    }
    if (expr->kind == CPP_BINARY && (expr->mark == CPP_MARK_ALSO || expr->mark == CPP_MARK_ELSE))
        return logical(e, expr, when, aim);
    if (expr->kind == CPP_BINARY && comparison(expr->mark) != CMP_NONE)
        return compare(e, expr, when, aim);
    if (!eval_value(e, expr, &value))
        return EVAL_FAILED;
    return value_truth(e, &value, when, aim, expr->span);
}

bool eval_is_certain(struct eval *e, const struct cpp_expr *expr)
{
    const struct code_cell *cell = eval_word(expr) ? eval_find(e, eval_word(expr)) : NULL;
    bool known = expr->kind == CPP_NUMBER || expr->kind == CPP_NULL ||
                 (cell && cell->location == NONE && cell->value.kind != VALUE_REGISTER &&
                  cell->value.kind != VALUE_UNKNOWN && cell->value.kind != VALUE_NOTHING);
    if (!expr->kid_count || (expr->kind != CPP_BINARY && expr->kind != CPP_UNARY))
        return known;
    for (uint32_t i = 0; i < expr->kid_count; i++)
        if (!eval_is_certain(e, expr->kids[i]))
            return false;
    return expr->mark != CPP_MARK_INCREMENT && expr->mark != CPP_MARK_DECREMENT &&
           expr->mark != CPP_MARK_MUL;
}

/* 1 in a register of its own, unless runs jump to 'otherwise': 0. */
static void choose_truth(struct eval *e, uint32_t otherwise, struct span span,
                         struct code_value *to)
{
    struct code_value no = eval_number(0, TYPE_S32), yes = eval_number(1, TYPE_S32);
    uint32_t end = eval_new_aim(e);
    *to = eval_new_variable(e, TYPE_S32, span);
    to->holds = TYPE_PRED;
    set(e, to, &yes, span);
    eval_jump(e, end, span);
    eval_place(e, otherwise);
    set(e, to, &no, span);
    eval_place(e, end);
}

bool eval_make_truth(struct eval *e, struct code_value *value, struct span span)
{
    uint32_t otherwise = eval_new_aim(e);
    if (value->kind != VALUE_REGISTER || value->holds == TYPE_PRED)
        return true;
    if (value_truth(e, value, false, otherwise, span) == EVAL_FAILED)
        return false;
    choose_truth(e, otherwise, span, value);
    return true;
}

bool eval_truth_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_value no = eval_number(0, TYPE_S32), yes = eval_number(1, TYPE_S32);
    uint32_t otherwise = eval_new_aim(e);
    enum eval_truth is = eval_branch(e, expr, false, otherwise);
    if (is == EVAL_FAILED)
        return false;
    if (is == EVAL_DEPENDS)
        choose_truth(e, otherwise, expr->span, to);
    else
        *to = is == EVAL_TRUE ? yes : no;
    return true;
}

/* Of what is no number nothing is known behind a choice. */
static bool choose(struct eval *e, const struct cpp_expr *expr, struct code_value *to,
                   enum type *type, bool *known)
{
    struct code_value value;
    if (!eval_value(e, expr, &value))
        return false;
    *type = to->type = value.type;
    *known = *known && is_number(&value);
    if (is_number(&value))
        set(e, to, &value, expr->span);
    return true;
}

static bool is_read(const struct code_value *value)
{
    return is_number(value) || value->kind == VALUE_FLOAT;
}

/* "c ? -1 : u" has the type that both have in common: nothing is known of the value if that is not known. */
static bool as_the_other(struct eval *e, struct code_value *value, const struct cpp_expr *other)
{
    if (!e->is_file || !is_read(value) || value->type == TYPE_NONE || other->kind == CPP_NULL)
        return true;
    const struct code_shape *is = eval_static_shape(e, other);
    if (is && (is->kind == SHAPE_POINTER || is->kind == SHAPE_OBJECT || is->kind == SHAPE_ARRAY))
        return true; /* 0 is no number here */
    if (is && is->kind == SHAPE_NUMBER && is->type != TYPE_NONE)
        return is->type == value->type ||
               eval_cast(e, value, eval_common_shape(e, eval_number_shape(e, value->type), is),
                         other->span);
    *value = (struct code_value){.kind = VALUE_UNKNOWN, .name = other->span};
    return true;
}

/* What one branch or the other put into the register: of the type that both have in common. */
static bool unify(struct eval *e, struct code_value *to, const enum type types[2], struct span span,
                  bool *known)
{
    if (!e->is_file || types[0] == types[1] || types[0] == TYPE_NONE || types[1] == TYPE_NONE)
        return true;
    *known = *known && !type_is_float(types[0]) && !type_is_float(types[1]);
    if (!*known)
        return true;
    enum type type = eval_common_type(types[0], types[1]);
    to->type = type == TYPE_U32 ? TYPE_NONE : type; /* all others hold what is read as it is */
    return eval_cast(e, to, eval_number_shape(e, type), span);
}

bool eval_conditional(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    uint32_t end = eval_new_aim(e), otherwise = eval_new_aim(e);
    enum eval_truth is = eval_branch(e, expr->kids[0], false, otherwise);
    enum type types[2] = {TYPE_NONE, TYPE_NONE};
    bool known = true;
    if (is == EVAL_FAILED)
        return false;
    if (is != EVAL_DEPENDS) {
        bool first = is == EVAL_TRUE;
        return eval_value(e, expr->kids[first ? 1 : 2], to) &&
               as_the_other(e, to, expr->kids[first ? 2 : 1]);
    }
    *to = eval_new_variable(e, TYPE_NONE, expr->span);
    e->branches++;
    bool good = choose(e, expr->kids[1], to, &types[0], &known);
    eval_jump(e, end, expr->span);
    eval_place(e, otherwise);
    good = choose(e, expr->kids[2], to, &types[1], &known) && good;
    eval_place(e, end);
    e->branches--;
    good = good && unify(e, to, types, expr->span, &known);
    if (!known)
        *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = expr->span};
    return good;
}
