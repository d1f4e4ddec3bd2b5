/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"

#include <string.h>

/* Functions: read where they are called, or as the code of a thread of their own. */

enum { DEEPEST_CALLS = 32 };

const struct code_function *eval_function(const struct eval *e, const char *name)
{
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (strcmp(e->functions.at[i]->name, name) == 0)
            return e->functions.at[i];
    return NULL;
}

/* Parameters are variables; a reference is the variable that it refers to. */
static bool bind_parameter(struct eval *e, const struct code_function *function, uint32_t index,
                           const struct code_value *value, struct span span)
{
    const struct parameter *parameter = &function->parameters[index];
    bool reference = parameter->type && parameter->type->kind == CPP_TYPE_REFERENCE;
    const struct code_shape *shape = parameter->type ? eval_shape(e, parameter->type) : NULL;
    struct lvalue place;
    if (!shape || (!reference && !eval_is_no_copy(e, shape, span)))
        return false;
    if (reference && value->kind == VALUE_CELL && eval_pointed_to(e, value, 0, span, &place) &&
        place.cell) {
        eval_bind(e, parameter->name, place.cell);
        return true;
    }
    struct code_cell *cell =
        eval_new_cell(e, parameter->name ? parameter->name : "parameter", shape);
    if (reference && value->kind == VALUE_ADDRESS) {
        cell->location = value->location;
        cell->offset = value->number;
        eval_bind(e, parameter->name, cell);
        return true;
    }
    struct code_value is = *value;
    struct lvalue to;
    if (parameter->name && eval_takes_address(e, function->body, parameter->name))
        eval_place_member(e, cell, true);
    to = eval_place_of_cell(cell);
    if (!eval_cast(e, &is, shape, span) ||
        !(to.cell ? eval_set(e, cell, &is, span) : eval_write(e, &to, &is, span)))
        return false;
    if (parameter->name)
        eval_bind(e, parameter->name, cell);
    return true;
}

static bool argument_value(struct eval *e, const struct parameter *parameter,
                           const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    if (parameter->type && parameter->type->kind == CPP_TYPE_REFERENCE &&
        (expr->kind == CPP_NAME || expr->kind == CPP_INDEX || expr->kind == CPP_MEMBER ||
         expr->kind == CPP_UNARY)) {
        if (!eval_place_of(e, expr, &place))
            return false;
        if (!place.cell || place.cell->value.kind == VALUE_NOTHING || !place.cell->is_const)
            return eval_point_to(e, &place, to);
    }
    return eval_address(e, expr, to);
}

static bool too_deep(struct eval *e, const struct code_function *function, struct span span)
{
    eval_error(e, host_statement, span, "write a loop", "calls of '%s' are nested deeper than %d",
               function->name, DEEPEST_CALLS);
    return false;
}

bool eval_call_function(struct eval *e, const struct code_function *function,
                        const struct cpp_expr *expr, uint32_t first, struct code_value *to)
{
    return eval_call_member(e, function, NULL, expr, first, to);
}

bool eval_call_member(struct eval *e, const struct code_function *function, struct code_cell *self,
                      const struct cpp_expr *expr, uint32_t first, struct code_value *to)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    VEC(struct code_value) values = {0};
    struct code_frame outer = e->frame;
    const struct cpp_stmt *code = e->code;
    uint32_t variables = e->scope.len;
    bool good = true;
    *to = (struct code_value){VALUE_NOTHING};
    if (e->calls == DEEPEST_CALLS)
        return too_deep(e, function, expr->span);
    if (!eval_has_code(e, function))
        return false;
    uint32_t given = expr->kid_count - first;
    if (given > function->parameter_count ||
        (given < function->parameter_count && !function->parameters[given].value)) {
        eval_error(e, host_argument, expr->span, NULL, "'%s' takes %u argument%s", function->name,
                   function->parameter_count, function->parameter_count == 1 ? "" : "s");
        return false;
    }
    for (uint32_t i = 0; good && i < function->parameter_count; i++) {
        struct code_value value;
        const struct parameter *parameter = &function->parameters[i];
        good = argument_value(e, parameter, i < given ? expr->kids[first + i] : parameter->value,
                              &value);
        vec_push(e->arena, &values, value);
    }
    struct code_cell *result = eval_new_cell(e, function->name, &any);
    e->frame = (struct code_frame){.function = function,
                                   .floor = variables,
                                   .visible = function->visible,
                                   .return_to = eval_new_aim(e),
                                   .result = result,
                                   .break_to = NONE,
                                   .continue_to = NONE};
    e->code = function->body;
    e->calls++;
    if (self)
        eval_bind_self(e, self);
    eval_bind_captured(e, function);
    for (uint32_t i = 0; good && i < function->parameter_count; i++)
        good = bind_parameter(e, function, i, &values.at[i], expr->span);
    good = good && eval_statement(e, function->body);
    eval_place(e, e->frame.return_to);
    e->calls--;
    eval_close_scope(e, variables);
    e->frame = outer;
    e->code = code;
    *to = e->left ? gap_value(e->left, expr->span) : result->value;
    if (to->kind == VALUE_NOTHING && result->parts.len)
        *to = (struct code_value){.kind = VALUE_CELL, .cell = result};
    return good;
}

/* ---- threads -------------------------------------------------------------------------------- */

/* A thread that another makes waits until that has come so far. */
static void wait_for(struct eval *e, uint32_t location, struct span span)
{
    struct lvalue flag = {.location = location};
    struct code_value found;
    struct raw_operand zero = eval_number_operand(0, span);
    uint32_t head = eval_new_aim(e);
    eval_place(e, head);
    eval_atomic_read(e, &flag, SEM_ACQUIRE, span, &found);
    eval_jump_if(e, CMP_EQ, &found.operand, &zero, head, span);
}

static void raise_flag(struct eval *e, uint32_t location, struct span span)
{
    struct lvalue flag = {.location = location};
    struct code_value one = eval_number(1, TYPE_S32);
    eval_atomic_write(e, &flag, &one, SEM_RELEASE, span);
}

static bool body_of(struct eval *e, const struct code_function *function,
                    const struct code_value *arguments, uint32_t count)
{
    if (function->of_stream)
        return eval_stream_value_code(e, function->of_stream);
    bool good = eval_has_code(e, function);
    if (good && e->is_file && strcmp(function->name, "main") == 0) {
        e->main_host = e->host;
        good = eval_globals(e);
    }
    eval_bind_captured(e, function);
    for (uint32_t i = 0; good && i < count && i < function->parameter_count; i++)
        good = bind_parameter(e, function, i, &arguments[i], function->span);
    return good && eval_statement(e, function->body);
}

/* Objects of the file, which end after main. */
static void end_globals(struct eval *e, uint32_t first)
{
    for (uint32_t i = e->scope.len; i-- > first;) {
        eval_end_object(e, e->scope.at[i].cell);
        e->scope.at[i].cell->is_class = false;
    }
}

bool eval_thread_body(struct eval *e, const struct code_function *function, const char *name,
                      bool is_function, const struct code_value *arguments, uint32_t count,
                      uint32_t started, uint32_t ended, uint32_t *host)
{
    struct eval outer = *e;
    struct parser *p = e->p;
    uint32_t body = p->body, variables = e->scope.len;
    *host = function->host;
    if (*host == NONE) {
        struct host_thread thread = {
            .name = eval_thread_name(e, name), .is_function = is_function, .span = function->span};
        *host = p->host_threads.len;
        vec_push(e->arena, &p->host_threads, thread);
    }
    p->host_threads.at[*host].body = p->raws.len;
    parse_start_body(p, function->span);
    parse_body(p)->dialect = true;
    parse_body(p)->name = p->host_threads.at[*host].name;
    e->aims.at = NULL;
    e->aims.len = e->aims.cap = 0;
    e->labels.at = NULL;
    e->labels.len = e->labels.cap = 0;
    e->host = *host;
    e->device = 0;
    e->capture_mode = HOST_CONSTANT_NONE;
    e->branches = e->waiting = 0;
    e->left = 0;
    e->is_dead = false;
    e->code = function->body;
    e->leave_to = eval_new_aim(e);
    e->frame = (struct code_frame){.function = function,
                                   .floor = variables,
                                   .visible = function->visible,
                                   .return_to = e->leave_to,
                                   .break_to = NONE,
                                   .continue_to = NONE};
    if (started != NONE)
        wait_for(e, started, function->span);
    bool good = body_of(e, function, arguments, count);
    e->left = 0;
    eval_place(e, e->frame.return_to);
    if (*host == e->main_host)
        end_globals(e, variables);
    if (ended != NONE)
        raise_flag(e, ended, function->span);
    for (uint32_t i = 0; i < e->labels.len; i++)
        if (!e->labels.at[i].is_placed) {
            eval_error(e, unknown_label, e->labels.at[i].used, NULL, "'%s' has no label '%.60s'",
                       function->name, e->labels.at[i].name);
            good = false;
        }
    for (uint32_t i = 0; i < e->aims.len; i++) /* what is not modelled has no code */
        if (e->aims.at[i].at == NONE)
            e->aims.at[i].at = parse_body(p)->insts.len;
    gap_finish_body(e);
    eval_finish_body(e);
    eval_close_scope(e, variables);
    p->body = body;
    /* what the thread made stays: variables, objects, names made by use */
    e->aims = outer.aims;
    e->labels = outer.labels;
    e->host = outer.host;
    e->device = outer.device;
    e->capture_mode = outer.capture_mode;
    e->leave_to = outer.leave_to;
    e->branches = outer.branches;
    e->waiting = outer.waiting;
    e->left = outer.left;
    e->is_dead = outer.is_dead;
    e->code = outer.code;
    e->frame = outer.frame;
    return good;
}

/* ---- host functions ------------------------------------------------------------------------- */

bool eval_function_argument(struct eval *e, const struct cpp_expr *expr,
                            const struct code_value *data, bool is_callback, uint32_t *host)
{
    struct code_value value, arguments[3];
    if (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND)
        expr = expr->kids[0];
    const char *word = eval_word(expr);
    const struct code_function *function = word ? eval_function(e, word) : NULL;
    if (word && !function && !eval_find(e, word)) {
        eval_error(e, unknown_kernel, expr->span, "define it: hostfn NAME { … }",
                   "there is no host function '%.60s'", word);
        return false;
    }
    if (!function) {
        if (!eval_value(e, expr, &value))
            return false;
        if (value.kind != VALUE_FUNCTION)
            return eval_needs(e, &value, expr->span, "a host function");
        function = value.function;
    }
    if (function->is_task && !function->parameter_count) {
        *host = function->host;
        return true;
    }
    if (function->host != NONE && !function->is_task) {
        eval_error(e, unknown_kernel, expr->span, "define it: hostfn NAME { … }",
                   "there is no host function '%.60s'", function->name);
        return false;
    }
    arguments[0] = *data;
    if (is_callback) {
        arguments[0] = arguments[1] = eval_number(0, TYPE_S32);
        arguments[2] = *data;
    }
    return eval_thread_body(e, function, function->name, true, arguments, is_callback ? 3 : 1, NONE,
                            NONE, host);
}

const char *eval_thread_name(const struct eval *e, const char *name)
{
    const char *unique = name;
    for (uint32_t number = 2;; number++) {
        bool taken = false;
        for (uint32_t i = 0; i < e->p->host_threads.len; i++)
            taken = taken || strcmp(e->p->host_threads.at[i].name, unique) == 0;
        if (!taken)
            return unique;
        unique = arena_printf(e->arena, "%s$%u", name, number);
    }
}
