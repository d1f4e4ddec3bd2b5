/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Statements of host code: loops whose conditions are known are unrolled. */

enum { MOST_ROUNDS = 4096, MOST_INSTRUCTIONS = 100000 };

/* ---- declarations --------------------------------------------------------------------------- */

/* "= 1", "(1)", "{1}"; NULL: none, or several. */
static const struct cpp_expr *initial_value(const struct cpp_declarator *one)
{
    if (one->value)
        return one->value;
    return one->given_count == 1 ? one->given[0] : NULL;
}

static bool is_list(const struct cpp_declarator *one)
{
    return (one->value && one->value->kind == CPP_LIST) || (one->is_given && one->is_braced);
}

static bool declare_structure(struct eval *e, struct code_cell *cell,
                              const struct cpp_declarator *one)
{
    static const char *const sizes[] = {"x", "y", "z"};
    const struct cpp_type *type = one->type;
    bool dim3 =
        type->kind == CPP_TYPE_NAMED && strcmp(cpp_last_part(&type->name)->word, "dim3") == 0;
    const struct cpp_expr *value = initial_value(one);
    struct code_value is;
    for (uint32_t i = 0; dim3 && i < 3; i++) {
        struct code_cell *size = eval_member(e, cell, sizes[i]);
        size->is_const = false;
        size->value = eval_number(1, TYPE_U32);
    }
    const struct cpp_expr *const *list = one->given;
    uint32_t count = one->given_count;
    if (one->value && one->value->kind == CPP_LIST) {
        list = one->value->kids;
        count = one->value->kid_count;
    } else if (value && !is_list(one) && !(dim3 && one->is_given)) {
        if (!eval_value(e, value, &is))
            return false;
        if (dim3 && is.kind != VALUE_CELL) {
            list = &value;
            count = 1;
        } else
            return eval_set(e, cell, &is, one->span);
    }
    const struct structure *structure = cell->shape->structure;
    for (uint32_t i = 0, member = 0; i < count; i++) {
        struct code_cell *part = NULL;
        if (dim3 && i < 3)
            part = eval_member(e, cell, sizes[i]);
        else if (structure && member < structure->members->kid_count)
            part = eval_member(e, cell, structure->members->kids[member++]->declarators[0].name);
        if (!eval_value(e, list[i], &is))
            return false;
        if (part && !eval_set(e, part, &is, list[i]->span))
            return false;
    }
    return true;
}

static bool declare_array(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    const struct cpp_expr *const *list = one->given;
    uint32_t count = one->given_count;
    uint64_t size = cell->shape->count;
    struct code_value is;
    if (one->value && one->value->kind == CPP_LIST) {
        list = one->value->kids;
        count = one->value->kid_count;
    } else if (one->is_given && !one->is_braced && count) { /* a vector of that size */
        if (!eval_known_number(e, list[0], "the size of a vector", &size))
            return false;
        count = 0;
    } else if (one->value) {
        if (!eval_value(e, one->value, &is))
            return false;
        if (is.kind == VALUE_CELL) {
            for (uint32_t i = 0; i < is.cell->parts.len; i++)
                eval_part(e, cell, i)->value = is.cell->parts.at[i]->value;
            return true;
        }
        return eval_needs(e, &is, one->span, "the elements of an array");
    }
    if (size > MAX_ELEMENTS) {
        eval_error(e, bad_array, one->span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
        return false;
    }
    if (size)
        eval_part(e, cell, size - 1);
    for (uint32_t i = 0; i < count; i++)
        if (!eval_value(e, list[i], &is) || !eval_set(e, eval_part(e, cell, i), &is, list[i]->span))
            return false;
    return true;
}

static bool is_memory(const struct eval *e, const struct cpp_declarator *one,
                      const struct code_shape *shape)
{
    const struct code_shape *of = shape;
    while (of->kind == SHAPE_ARRAY || of->kind == SHAPE_VECTOR)
        of = of->of;
    if (of->kind != SHAPE_NUMBER || of->type == TYPE_NONE)
        return false;
    if (shape->kind != SHAPE_NUMBER)
        return shape->kind == SHAPE_VECTOR || !one->type->is_const;
    bool global = e->host == NONE;
    return shape->is_atomic || (global && eval_is_changed(e, one->name)) ||
           (e->code && eval_takes_address(e->code, one->name));
}

/* A reference is another name of what it refers to. */
static bool declare_reference(struct eval *e, const struct cpp_declarator *one)
{
    const struct cpp_expr *value = initial_value(one);
    struct lvalue place;
    if (!value) {
        eval_error(e, cpp_type, one->span, NULL, "a reference needs what it refers to");
        return false;
    }
    if (!eval_place_of(e, value, &place))
        return false;
    struct code_cell *cell = place.cell;
    if (!cell) {
        cell = eval_new_cell(e, one->name, place.shape ? place.shape : eval_shape(e, one->type));
        cell->location = place.location;
        cell->offset = place.offset;
    }
    eval_bind(e, one->name, cell);
    return true;
}

/* "auto f = std::atomic_ref(x)": the object itself, under another name. */
static bool declare_atomic_reference(struct eval *e, const struct cpp_declarator *one, bool *found)
{
    struct lvalue place;
    const struct cpp_expr *value = initial_value(one);
    *found = value && value->kind == CPP_CALL && eval_atomic_reference(e, value, &place);
    bool named = one->type->kind == CPP_TYPE_NAMED &&
                 strcmp(cpp_last_part(&one->type->name)->word, "atomic_ref") == 0;
    if (!*found && named && value) {
        *found = true;
        if (!eval_place_of(e, value, &place) || place.cell)
            return false;
        struct code_shape *shape = ARENA_NEW(e->arena, struct code_shape);
        *shape = *eval_shape(e, one->type);
        if (!cpp_last_part(&one->type->name)->argument_count)
            shape->type = e->p->locations.at[place.location].type;
        place.shape = shape;
    }
    if (!*found)
        return true;
    struct code_cell *cell = eval_new_cell(e, one->name, place.shape);
    cell->location = place.location;
    cell->offset = place.offset;
    eval_bind(e, one->name, cell);
    return true;
}

static bool declare_value(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    const struct cpp_expr *value = initial_value(one);
    struct code_value is;
    if (!value) {
        if (one->is_given && cell->shape->kind == SHAPE_NUMBER) {
            is = eval_number(0, TYPE_S32);
            return eval_set(e, cell, &is, one->span);
        }
        return true;
    }
    if (value->kind == CPP_LIST && value->kid_count == 1)
        value = value->kids[0];
    else if (value->kind == CPP_LIST && !value->kid_count) {
        is = eval_number(0, TYPE_S32);
        return eval_set(e, cell, &is, one->span);
    }
    if (!eval_value(e, value, &is))
        return false;
    if (cell->shape->kind == SHAPE_POINTER && !eval_cast(e, &is, cell->shape, one->span))
        return false;
    bool was = cell->is_const;
    bool good = eval_set(e, cell, &is, one->span);
    cell->is_const = was;
    return good;
}

static bool declare(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_declarator *one)
{
    bool reference;
    if (eval_is_runtime_word(one->name)) {
        eval_error(e, cpp_syntax, one->name_span, NULL,
                   "expected the name of a variable, found '%s' of the runtime", one->name);
        return false;
    }
    if (one->type->kind == CPP_TYPE_REFERENCE)
        return declare_reference(e, one);
    if (!declare_atomic_reference(e, one, &reference) || reference)
        return reference;
    const struct code_shape *shape = eval_shape(e, one->type);
    if (!shape)
        return false;
    if (shape->kind == SHAPE_ARRAY && !shape->count && one->value) {
        struct code_shape *sized = ARENA_NEW(e->arena, struct code_shape);
        *sized = *shape;
        sized->count = one->value->kid_count;
        shape = sized;
    }
    struct code_cell *cell = eval_new_cell(e, one->name, shape);
    cell->is_const = one->type->is_const || stmt->specifiers & CPP_SPECIFIER_CONSTEXPR;
    bool good;
    if (is_memory(e, one, shape))
        good = eval_declare_memory(e, cell, one);
    else if (shape->kind == SHAPE_THREAD || shape->kind == SHAPE_MUTEX || shape->kind == SHAPE_LOCK)
        good = eval_thread_object(e, cell, one);
    else if (shape->kind == SHAPE_STRUCT)
        good = declare_structure(e, cell, one);
    else if (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR)
        good = declare_array(e, cell, one);
    else
        good = declare_value(e, cell, one);
    eval_bind(e, one->name, cell);
    return good;
}

bool eval_globals(struct eval *e)
{
    uint32_t host = e->host;
    bool good = true;
    for (uint32_t i = 0; good && i < e->globals.len; i++)
        for (uint32_t k = 0; good && k < e->globals.at[i]->declarator_count; k++) {
            struct cpp_stmt stmt = *e->globals.at[i];
            const struct cpp_declarator *one = &stmt.declarators[k];
            e->host = NONE; /* everybody's; one that nobody changes is a constant */
            if (!eval_is_changed(e, one->name))
                stmt.specifiers |= CPP_SPECIFIER_CONSTEXPR;
            good = stmt.kind != CPP_DECLARATION || declare(e, &stmt, one);
        }
    e->host = host;
    for (uint32_t i = 0; i < e->functions.len; i++)
        e->functions.at[i]->visible = e->scope.len;
    e->frame.visible = e->frame.floor = e->scope.len;
    return good;
}

static bool declaration(struct eval *e, const struct cpp_stmt *stmt)
{
    bool good = true;
    for (uint32_t i = 0; i < stmt->declarator_count; i++)
        good = declare(e, stmt, &stmt->declarators[i]) && good;
    return good;
}

/* ---- branches ------------------------------------------------------------------------------- */

static bool if_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t otherwise = eval_new_aim(e), end = eval_new_aim(e);
    enum eval_truth is = eval_branch(e, stmt->condition, false, otherwise);
    if (is == EVAL_FAILED)
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

/* ---- loops ---------------------------------------------------------------------------------- */

struct code_loop {
    const struct cpp_expr *condition; /* or NULL: always */
    const struct cpp_stmt *body;
    const struct cpp_expr *step; /* or NULL */
    bool asks_last;              /* do … while */
    struct span span;
};

static bool round_of(struct eval *e, const struct code_loop *loop, uint32_t end)
{
    uint32_t outer_break = e->frame.break_to, outer_continue = e->frame.continue_to;
    uint32_t next = eval_new_aim(e);
    e->frame.break_to = end;
    e->frame.continue_to = next;
    bool good = eval_statement(e, loop->body);
    e->frame.break_to = outer_break;
    e->frame.continue_to = outer_continue;
    eval_place(e, next);
    return good && (e->is_dead || !loop->step || eval_effect(e, loop->step));
}

static bool is_empty(const struct cpp_stmt *stmt)
{
    return stmt->kind == CPP_EMPTY ||
           (stmt->kind == CPP_BLOCK &&
            (!stmt->kid_count || (stmt->kid_count == 1 && is_empty(stmt->kids[0]))));
}

/* A loop that waits: what it assigns is known only in registers. */
static bool waiting_loop(struct eval *e, const struct code_loop *loop, uint32_t end)
{
    uint32_t head = eval_new_aim(e), cells = e->cells.len;
    eval_forget_assigned(e, loop->body, loop->condition);
    if (loop->step)
        eval_forget_assigned(e, NULL, loop->step);
    struct code_value *before = eval_save(e, &cells);
    e->branches++;
    eval_place(e, head);
    bool good = true;
    if (loop->condition && is_empty(loop->body) && !loop->step) {
        enum eval_truth is = eval_branch(e, loop->condition, true, head);
        good = is != EVAL_FAILED;
        if (is == EVAL_TRUE)
            eval_jump(e, head, loop->span);
    } else {
        enum eval_truth is = EVAL_TRUE;
        if (loop->condition && !loop->asks_last)
            is = eval_branch(e, loop->condition, false, end);
        good = is != EVAL_FAILED && round_of(e, loop, end);
        if (good && loop->condition && loop->asks_last)
            is = eval_branch(e, loop->condition, true, head);
        good = good && is != EVAL_FAILED;
        if (good && !e->is_dead && (!loop->asks_last || !loop->condition || is == EVAL_TRUE))
            eval_jump(e, head, loop->span);
    }
    e->branches--;
    for (uint32_t i = 0; good && i < cells; i++)
        if (!eval_same_value(&before[i], &e->cells.at[i]->value) &&
            before[i].kind != VALUE_REGISTER && before[i].kind != VALUE_NOTHING) {
            eval_error(e, host_statement, loop->span, "change it outside of the loop",
                       "a loop that waits changes '%s'", e->cells.at[i]->name);
            good = false;
        }
    return good;
}

static bool too_long(struct eval *e, const struct code_loop *loop)
{
    eval_error(e, host_statement, loop->span, "write fewer rounds",
               "a loop of more than %d rounds or %d instructions is not unrolled", MOST_ROUNDS,
               MOST_INSTRUCTIONS);
    return false;
}

/* Does no round change anything that is known? */
static bool only_waits(struct eval *e, const struct code_loop *loop)
{
    return !eval_assigns_known(e, loop->body, loop->condition) &&
           (!loop->step || !eval_assigns_known(e, NULL, loop->step));
}

static bool is_same_state(const struct eval *e, const struct code_value *before, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!eval_same_value(&before[i], &e->cells.at[i]->value))
            return false;
    return true;
}

/* Is the condition known? Nothing stays of the question if it is not. */
static enum eval_truth peek(struct eval *e, const struct cpp_expr *condition, uint32_t end)
{
    struct raw_body *body = parse_body(e->p);
    uint32_t insts = body->insts.len, temporaries = body->temporary_count, count;
    uint32_t variables = body->variables.len;
    uint32_t calls = e->p->host_calls.len;
    struct code_value *saved = eval_save(e, &count);
    struct aim kept = e->aims.at[end];
    enum eval_truth is = eval_branch(e, condition, false, end);
    if (is != EVAL_DEPENDS)
        return is;
    body->insts.len = insts;
    body->temporary_count = temporaries;
    body->variables.len = variables;
    e->p->host_calls.len = calls;
    e->aims.at[end] = kept;
    e->is_dead = false;
    for (uint32_t i = 0; i < e->cells.len; i++) {
        struct code_cell *cell = e->cells.at[i];
        if (cell->variable != NONE && cell->variable >= variables && cell->host == e->host)
            cell->variable = NONE;
        if (i < count)
            cell->value = saved[i];
    }
    return is;
}

/* Before a round: does it come to it? EVAL_DEPENDS: the run does, or jumps to the end. */
static enum eval_truth asked(struct eval *e, const struct code_loop *loop, bool counts,
                             uint32_t end)
{
    if (!loop->condition)
        return EVAL_TRUE;
    return counts ? eval_branch(e, loop->condition, false, end) : peek(e, loop->condition, end);
}

/* One round after the other, until the condition is known to fail; a loop that counts nothing waits. */
static bool loop(struct eval *e, const struct code_loop *loop)
{
    uint32_t end = eval_new_aim(e), count;
    bool good = true;
    for (uint32_t rounds = 0; good && !e->is_dead; rounds++) {
        bool counts = loop->condition && eval_counts(e, loop->condition, loop->body, loop->step);
        bool asks = rounds || !loop->asks_last;
        enum eval_truth is = asks ? asked(e, loop, counts, end) : EVAL_TRUE;
        if (is == EVAL_FALSE)
            break;
        if (is == EVAL_FAILED || rounds > MOST_ROUNDS ||
            parse_body(e->p)->insts.len > MOST_INSTRUCTIONS) {
            good = is != EVAL_FAILED && too_long(e, loop);
            break;
        }
        if ((is == EVAL_DEPENDS && !counts) || only_waits(e, loop)) {
            good = waiting_loop(e, loop, end);
            break;
        }
        struct code_value *before = eval_save(e, &count);
        e->branches += is == EVAL_DEPENDS;
        good = round_of(e, loop, end);
        e->branches -= is == EVAL_DEPENDS;
        if (good && !e->is_dead && is_same_state(e, before, count)) {
            good = waiting_loop(e, loop, end);
            break;
        }
    }
    eval_place(e, end);
    return good;
}

static bool for_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_loop is = {stmt->condition, stmt->kids[1], stmt->step, false, stmt->span};
    uint32_t variables = e->scope.len;
    e->in_loop_head = true;
    bool good = eval_statement(e, stmt->kids[0]);
    e->in_loop_head = false;
    good = good && loop(e, &is);
    eval_close_scope(e, variables);
    return good;
}

static bool range_for(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_value range;
    uint32_t end = eval_new_aim(e), variables = e->scope.len;
    const struct cpp_stmt *declares = stmt->kids[0];
    if (declares->kind != CPP_DECLARATION || !eval_value(e, stmt->value, &range))
        return false;
    uint64_t count = range.kind == VALUE_CELL      ? range.cell->parts.len
                     : range.kind == VALUE_ADDRESS ? e->p->locations.at[range.location].elements
                                                   : 0;
    bool good = range.kind == VALUE_CELL || range.kind == VALUE_ADDRESS ||
                eval_needs(e, &range, stmt->value->span, "an array");
    for (uint64_t i = 0; good && i < count && !e->is_dead; i++) {
        const struct cpp_declarator *one = &declares->declarators[0];
        struct code_loop body = {NULL, stmt->kids[1], NULL, false, stmt->span};
        struct lvalue place;
        struct code_value value;
        struct code_cell *cell;
        if (!eval_pointed_to(e, &range, i, stmt->value->span, &place))
            return false;
        if (one->type->kind == CPP_TYPE_REFERENCE && place.cell)
            cell = place.cell;
        else {
            cell = eval_new_cell(e, one->name, place.shape);
            cell->location = place.location;
            cell->offset = place.offset;
            if (place.cell || one->type->kind != CPP_TYPE_REFERENCE) {
                cell->location = NONE;
                good = eval_read(e, &place, stmt->span, &value) &&
                       eval_set(e, cell, &value, stmt->span);
            }
        }
        eval_bind(e, one->name, cell);
        good = good && round_of(e, &body, end);
        eval_close_scope(e, variables);
    }
    eval_place(e, end);
    return good;
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

static bool jump(struct eval *e, uint32_t aim, const struct cpp_stmt *stmt)
{
    if (aim == NONE) {
        eval_error(e, cpp_syntax, stmt->span, NULL, "this stands outside of a loop");
        return false;
    }
    eval_jump(e, aim, stmt->span);
    return true;
}

static bool return_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_value value;
    if (stmt->value) {
        if (!eval_value(e, stmt->value, &value))
            return false;
        if (e->frame.result && !eval_set(e, e->frame.result, &value, stmt->span))
            return false;
    }
    return jump(e, e->frame.return_to, stmt);
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
    eval_close_scope(e, variables);
    return good;
}

bool eval_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    if (e->is_dead && stmt->kind != CPP_LABEL && stmt->kind != CPP_BLOCK)
        return true;
    switch (stmt->kind) {
    case CPP_EMPTY:
        return true;
    case CPP_BLOCK:
        return block(e, stmt);
    case CPP_DECLARATION:
        return declaration(e, stmt);
    case CPP_EXPRESSION:
        return eval_effect(e, stmt->value);
    case CPP_IF:
        return if_statement(e, stmt);
    case CPP_WHILE:
        return loop(e,
                    &(struct code_loop){stmt->condition, stmt->kids[0], NULL, false, stmt->span});
    case CPP_DO:
        return loop(e, &(struct code_loop){stmt->condition, stmt->kids[0], NULL, true, stmt->span});
    case CPP_FOR:
        return for_statement(e, stmt);
    case CPP_RANGE_FOR:
        return range_for(e, stmt);
    case CPP_RETURN:
        return return_statement(e, stmt);
    case CPP_BREAK:
        return jump(e, e->frame.break_to, stmt);
    case CPP_CONTINUE:
        return jump(e, e->frame.continue_to, stmt);
    case CPP_GOTO:
        return jump(e, label_named(e, stmt->label, stmt->span)->aim, stmt);
    case CPP_LABEL:
        return labelled(e, stmt);
    }
    return false;
}
