/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"
#include "litmus/host/macro.h"

#include <string.h>

/* Statements of host code: loops whose conditions are known are unrolled. */

/* ---- branches ------------------------------------------------------------------------------- */

/* Objects without names that the condition made end with it. */
static bool end_condition(struct eval *e, enum eval_truth is, uint32_t temporaries,
                          struct span span)
{
    if (is != EVAL_DEPENDS || e->temporaries.len == temporaries)
        return eval_end_temporaries(e, temporaries);
    e->temporaries.len = temporaries;
    eval_error(e, host_statement, span, "give the object a name",
               "an object that a condition makes, which depends on what the program reads, is not "
               "modelled");
    return false;
}

static bool if_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t otherwise = eval_new_aim(e), end = eval_new_aim(e), temporaries = e->temporaries.len;
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        if (!macro_branch_stands(e, stmt->kids[i]))
            return false;
    enum eval_truth is = eval_branch(e, stmt->condition, false, otherwise);
    if (is == EVAL_FAILED || !end_condition(e, is, temporaries, stmt->span))
        return false;
    if (is != EVAL_DEPENDS) {
        uint32_t taken = is == EVAL_TRUE ? 0 : 1;
        return taken >= stmt->kid_count || eval_statement(e, stmt->kids[taken]);
    }
    e->branches++;
    bool good = eval_statement(e, stmt->kids[0]);
    if (stmt->kid_count > 1 && !e->is_dead)
        eval_jump(e, end, stmt->span);
    eval_place(e, otherwise);
    if (stmt->kid_count > 1)
        good = eval_statement(e, stmt->kids[1]) && good;
    eval_place(e, end);
    e->branches--;
    return good;
}

/* ---- switch --------------------------------------------------------------------------------- */

static uint32_t count_cases(const struct cpp_stmt *stmt)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        for (const struct cpp_stmt *at = stmt->kids[i]; at->kind == CPP_CASE; at = at->kids[0])
            count++;
    return count;
}

/* The cases of the block, also one directly behind another. */
static void find_cases(struct eval *e, const struct cpp_stmt *stmt, struct code_frame *frame)
{
    frame->cases = ARENA_ARRAY(e->arena, struct switch_case, count_cases(stmt));
    frame->case_count = 0;
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        for (const struct cpp_stmt *at = stmt->kids[i]; at->kind == CPP_CASE; at = at->kids[0])
            frame->cases[frame->case_count++] = (struct switch_case){at, eval_new_aim(e)};
}

/* In the type of the value, at least int, which the cases are converted to. */
static uint64_t as_switched(const struct eval *e, const struct code_value *value, uint64_t number)
{
    enum type type = eval_promoted(value->type);
    return e->is_file && type != TYPE_NONE ? eval_fit(number, type) : number;
}

/* Jumps to the case that the value is, to the default one or past all. */
static bool choose_case(struct eval *e, const struct code_value *value, uint32_t end,
                        struct span span)
{
    uint32_t otherwise = end;
    struct raw_operand left, right;
    for (uint32_t i = 0; i < e->frame.case_count; i++) {
        const struct switch_case *one = &e->frame.cases[i];
        uint64_t number;
        if (!one->stmt->value)
            otherwise = one->aim;
        else if (!eval_known_number(e, one->stmt->value, "a case", &number))
            return false;
        else if (value->kind == VALUE_NUMBER && value->number == as_switched(e, value, number))
            otherwise = one->aim;
        else if (value->kind == VALUE_REGISTER) {
            right = eval_number_operand(as_switched(e, value, number), span);
            if (!eval_operand(e, value, span, &left))
                return false;
            eval_jump_if(e, CMP_EQ, &left, &right, one->aim, span);
        }
        if (value->kind == VALUE_NUMBER && one->stmt->value &&
            value->number == as_switched(e, value, number))
            break;
    }
    eval_jump(e, otherwise, span);
    return true;
}

static bool switch_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_frame outer = e->frame;
    struct code_value value;
    uint32_t end = eval_new_aim(e), variables = e->scope.len;
    const struct cpp_stmt *body = stmt->kids[0];
    if (!eval_value(e, stmt->value, &value))
        return false;
    if (value.kind != VALUE_NUMBER && value.kind != VALUE_REGISTER)
        return eval_needs(e, &value, stmt->value->span, "a number");
    eval_keep(e, &value, stmt->span);
    bool depends = value.kind == VALUE_REGISTER;
    e->frame.break_to = end;
    e->frame.break_scope = variables;
    find_cases(e, body, &e->frame);
    e->branches += depends;
    bool good = choose_case(e, &value, end, stmt->span);
    for (uint32_t i = 0; good && i < body->kid_count; i++)
        good = eval_statement(e, body->kids[i]);
    e->branches -= depends;
    eval_close_scope(e, variables);
    eval_place(e, end);
    e->frame = outer;
    return good;
}

static bool case_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    for (uint32_t i = 0; i < e->frame.case_count; i++)
        if (e->frame.cases[i].stmt == stmt) {
            eval_place(e, e->frame.cases[i].aim);
            return eval_statement(e, stmt->kids[0]);
        }
    eval_error(e, cpp_syntax, stmt->span, NULL, "a case stands directly in its switch");
    return false;
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static struct goto_label *label_named(struct eval *e, const char *name, struct span used)
{
    for (uint32_t i = 0; i < e->labels.len; i++)
        if (strcmp(e->labels.at[i].name, name) == 0)
            return &e->labels.at[i];
    struct goto_label label = {name, eval_new_aim(e), false, used};
    vec_push(e->arena, &e->labels, label);
    return &e->labels.at[e->labels.len - 1];
}

/* Jumps may come back here: nothing that changes is known. */
static bool place_label(struct eval *e, const struct cpp_stmt *stmt)
{
    struct goto_label *label = label_named(e, stmt->label, stmt->span);
    if (label->is_placed) {
        eval_error(e, duplicate_label, stmt->span, NULL, "label '%.60s' stands twice", stmt->label);
        return false;
    }
    label->is_placed = true;
    uint32_t aim = label->aim;
    for (uint32_t i = 0; i < e->cells.len; i++)
        if (!e->cells.at[i]->is_const && e->cells.at[i]->host == e->host)
            eval_forget(e, e->cells.at[i], stmt->span);
    eval_place(e, aim);
    e->is_dead = false; /* a jump from below may lead here */
    for (uint32_t i = 0; i < e->cells.len; i++)
        if (!e->cells.at[i]->is_const && e->cells.at[i]->host == e->host)
            eval_forget(e, e->cells.at[i], stmt->span);
    return true;
}

/* Out of the scopes of the variables from 'count' on, which end here. */
static bool jump(struct eval *e, uint32_t aim, uint32_t count, const struct cpp_stmt *stmt)
{
    if (aim == NONE) {
        eval_error(e, cpp_syntax, stmt->span, NULL, "this stands outside of a loop");
        return false;
    }
    eval_unlock_scope(e, count);
    eval_jump(e, aim, stmt->span);
    return true;
}

/* Which scopes it leaves is known only when its label is read. */
static bool goto_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    if (eval_ends_scope(e, e->frame.floor)) {
        eval_error(e, host_statement, stmt->span, "write it with 'break', 'continue' or 'return'",
                   "'goto' in the scope of a lock or of a thread that is joined at its end is not "
                   "modelled");
        return false;
    }
    eval_jump(e, label_named(e, stmt->label, stmt->span)->aim, stmt->span);
    return true;
}

static bool is_static(const struct eval *e, const struct code_cell *cell)
{
    for (uint32_t i = 0; i < e->statics.len; i++)
        if (e->statics.at[i].cell == cell)
            return true;
    return false;
}

/* An object of the function's own is not copied: it is the result. A parameter is moved. */
static void leave_with(const struct eval *e, const char *word, struct code_value *value)
{
    uint32_t i = e->scope.len;
    while (i > e->frame.floor && strcmp(e->scope.at[i - 1].name, word) != 0)
        i--;
    const struct binding *binding = i > e->frame.floor ? &e->scope.at[i - 1] : NULL;
    if (!binding || binding->cell != value->cell || binding->refers || value->cell->member ||
        is_static(e, value->cell) || e->branches)
        return;
    value->is_moved = binding->is_parameter;
    value->is_temporary = !binding->is_parameter;
}

static bool returned_reference(struct eval *e, const struct cpp_expr *expr)
{
    struct lvalue place;
    struct code_value value;
    if (!eval_places_of(e, expr, &place) || !eval_point_to(e, &place, &value))
        return false;
    value.is_reference = true;
    value.is_object = place.cell && place.cell->shape->kind == SHAPE_STRUCT;
    e->frame.result->value = value;
    return true;
}

static bool returned_value(struct eval *e, const struct cpp_expr *expr, struct span span)
{
    struct code_cell *result = e->frame.result;
    const struct code_function *function = e->frame.function;
    struct cpp_declarator one = {.value = expr, .span = span};
    struct code_value value;
    if (function && function->result && function->result->kind == CPP_TYPE_REFERENCE)
        return returned_reference(e, expr);
    bool whole = result->shape->kind == SHAPE_STRUCT || result->shape->kind == SHAPE_ARRAY ||
                 result->shape->kind == SHAPE_VECTOR;
    if (whole && e->branches) {
        eval_error(e, host_statement, span, "return where every run comes by",
                   "an object that is returned in a branch is not modelled");
        return false;
    }
    if (whole && expr->kind == CPP_LIST)
        return (eval_holds_objects(e, result->shape) ? eval_make_object
                                                     : eval_initialize)(e, result, &one);
    if (!eval_value(e, expr, &value))
        return false;
    if (eval_class_of(&value) && result->shape->kind != SHAPE_NUMBER) {
        if (!value.is_temporary && eval_word(expr))
            leave_with(e, eval_word(expr), &value);
        if (!whole)
            result->shape = value.cell->shape;
        return eval_set_object(e, result, &value, span);
    }
    if (result->shape->kind == SHAPE_STRUCT)
        return eval_set_object(e, result, &value, span);
    struct lvalue place = eval_place_of_cell(result); /* memory, of a thread */
    return place.cell ? eval_set(e, result, &value, span) : eval_write(e, &place, &value, span);
}

static bool return_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t temporaries = e->temporaries.len;
    if (stmt->value && e->frame.result && !returned_value(e, stmt->value, stmt->span))
        return false;
    if (stmt->value && !e->frame.result) { /* of a thread, which nobody asks for it */
        struct code_value dropped;
        if (!eval_value(e, stmt->value, &dropped))
            return false;
    }
    return eval_end_temporaries(e, temporaries) &&
           jump(e, e->frame.return_to, e->frame.floor, stmt);
}

static bool has_goto(const struct cpp_stmt *stmt, const char *label)
{
    if (stmt->kind == CPP_GOTO)
        return strcmp(stmt->label, label) == 0;
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        if (has_goto(stmt->kids[i], label))
            return true;
    return false;
}

/* "first: K<<<1, 1>>>();" names the launch; before anything else the label is one of 'goto'. */
static bool labelled(struct eval *e, const struct cpp_stmt *stmt)
{
    const struct cpp_stmt *kid = stmt->kids[0];
    if (kid->kind != CPP_EXPRESSION || kid->value->kind != CPP_LAUNCH ||
        has_goto(e->code, stmt->label))
        return place_label(e, stmt) && eval_statement(e, kid);
    struct cpp_launch *words = ARENA_NEW(e->arena, struct cpp_launch);
    struct cpp_expr *launch = ARENA_NEW(e->arena, struct cpp_expr);
    *words = *kid->value->launch;
    words->label = stmt->label;
    *launch = *kid->value;
    launch->launch = words;
    return eval_effect(e, launch);
}

static bool block(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t variables = e->scope.len;
    bool good = true;
    for (uint32_t i = 0; i < stmt->kid_count; i++) {
        if (e->is_file && !good)
            break; /* one statement that is not modelled is enough */
        good = eval_statement(e, stmt->kids[i]) && good;
    }
    eval_keep_names(e, stmt);
    eval_close_scope(e, variables);
    return good;
}

/* A name alone may be a macro that stands for statements. */
static bool expression(struct eval *e, const struct cpp_stmt *stmt)
{
    const char *word = eval_word(stmt->value);
    const struct code_macro *macro =
        word && !eval_find(e, word) ? macro_named(e, word, false) : NULL;
    if (!macro || !macro->body || e->macro_depth)
        return eval_effect(e, stmt->value);
    if (!macro_stands_alone(e, macro->body, stmt->value->span))
        return false;
    e->macro_depth++;
    bool good = eval_statement(e, macro->body);
    e->macro_depth--;
    return good;
}

/* Nothing that is modelled throws; what is not may. */
static bool try_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t covered = e->covered;
    bool good = eval_statement(e, stmt->kids[0]);
    if (!good || covered == e->covered)
        return good;
    eval_error(e, host_statement, stmt->span, NULL,
               "what is not modelled may throw an exception, which is caught here");
    return false;
}

static bool throw_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    eval_error(e, host_statement, stmt->span, "let the function return",
               "an exception that is thrown is not modelled");
    return false;
}

/* Objects that no name keeps end with it. */
static bool whole_expression(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t temporaries = e->temporaries.len;
    bool good = stmt->kind == CPP_DECLARATION ? eval_declaration(e, stmt) : expression(e, stmt);
    return eval_end_temporaries(e, temporaries) && good;
}

static bool statement(struct eval *e, const struct cpp_stmt *stmt)
{
    switch (stmt->kind) {
    case CPP_EMPTY:
        return true;
    case CPP_BLOCK:
        return block(e, stmt);
    case CPP_DECLARATION:
    case CPP_EXPRESSION:
        return whole_expression(e, stmt);
    case CPP_IF:
        return if_statement(e, stmt);
    case CPP_WHILE:
        return eval_while_statement(e, stmt);
    case CPP_DO:
        return eval_loop(
            e, &(struct code_loop){stmt->condition, stmt->kids[0], NULL, true, stmt->span});
    case CPP_FOR:
        return eval_for_statement(e, stmt);
    case CPP_RANGE_FOR:
        return eval_range_for(e, stmt);
    case CPP_RETURN:
        return return_statement(e, stmt);
    case CPP_BREAK:
        return jump(e, e->frame.break_to, e->frame.break_scope, stmt);
    case CPP_CONTINUE:
        return jump(e, e->frame.continue_to, e->frame.continue_scope, stmt);
    case CPP_GOTO:
        return goto_statement(e, stmt);
    case CPP_LABEL:
        return labelled(e, stmt);
    case CPP_SWITCH:
        return switch_statement(e, stmt);
    case CPP_CASE:
        return case_statement(e, stmt);
    case CPP_TRY:
        return try_statement(e, stmt);
    case CPP_THROW:
        return throw_statement(e, stmt);
    case CPP_UNREAD:
        break;
    }
    return false;
}

/* In a file a statement that fails is a gap. */
bool eval_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    if (e->is_dead && stmt->kind != CPP_LABEL && stmt->kind != CPP_BLOCK && stmt->kind != CPP_CASE)
        return true;
    if (!e->is_file || eval_is_of_library(e, stmt->span)) /* the call is what is not modelled */
        return statement(e, stmt);
    if (eval_is_local_class(e, stmt))
        return true;
    struct gap_mark mark = gap_mark(e);
    if (e->left)
        gap_left(e, stmt);
    else if (stmt->kind == CPP_UNREAD)
        gap_unread(e, stmt);
    else if (!statement(e, stmt) || e->p->diags->errors > mark.errors)
        gap_statement(e, stmt, &mark);
    return true;
}
