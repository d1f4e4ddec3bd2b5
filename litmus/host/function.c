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

static bool is_list(const struct code_shape *shape)
{
    return shape && (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR);
}

/* By value: an object of a class, or an array or vector, is copied. */
static bool bind_copy(struct eval *e, struct code_cell *cell, const struct code_value *value,
                      struct span span)
{
    if (cell->shape->kind == SHAPE_STRUCT && cell->shape->structure &&
        cell->shape->structure->is_own)
        return eval_set_object(e, cell, value, span);
    return !is_list(cell->shape) || eval_set(e, cell, value, span);
}

static const struct code_shape *pointer_to(struct eval *e, const struct code_shape *of)
{
    struct code_shape *made = ARENA_NEW(e->arena, struct code_shape);
    *made = (struct code_shape){.kind = SHAPE_POINTER, .of = of};
    return made;
}

/* Parameters are variables; a reference is the variable that it refers to. */
static bool bind_parameter(struct eval *e, const struct code_function *function, uint32_t index,
                           const struct code_value *value, struct span span)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    const struct parameter *parameter = &function->parameters[index];
    bool reference = parameter->type && parameter->type->kind == CPP_TYPE_REFERENCE;
    const struct code_shape *shape = parameter->type ? eval_shape(e, parameter->type) : &any;
    if (shape && parameter->type && parameter->type->kind == CPP_TYPE_ARRAY)
        shape = pointer_to(e, shape->of);
    struct code_value is = *value;
    struct lvalue place, to;
    if (!shape)
        return false;
    if (reference && value->kind == VALUE_CELL && value->is_reference &&
        is_list(value->cell->shape)) {
        if (parameter->name)
            eval_bind_reference(e, parameter->name, value->cell);
        return true;
    }
    if (reference && value->kind == VALUE_CELL && (!value->is_object || eval_class_of(value)) &&
        (shape->kind != SHAPE_STRUCT || !shape->structure || eval_is_of(e, value, shape)) &&
        eval_pointed_to(e, value, 0, span, &place) && place.cell) {
        if (parameter->name)
            eval_bind_reference(e, parameter->name, place.cell);
        return true;
    }
    struct code_cell *cell =
        eval_new_cell(e, parameter->name ? parameter->name : "parameter", shape);
    if (reference && value->kind == VALUE_ADDRESS) {
        cell->location = value->location;
        cell->offset = value->number;
        if (parameter->name)
            eval_bind(e, parameter->name, cell);
        return true;
    }
    bool object =
        shape->kind == SHAPE_STRUCT || shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR;
    if (shape->kind == SHAPE_AUTO && eval_class_of(value)) {
        cell->shape = value->cell->shape;
        object = true;
    }
    if (object) {
        if (!bind_copy(e, cell, value, span))
            return false;
        if (value->kind != VALUE_CELL && !cell->parts.len)
            cell->value = *value;
        if (parameter->name)
            eval_bind(e, parameter->name, cell);
        return true;
    }
    if (parameter->name && function->body && eval_takes_address(e, function->body, parameter->name))
        eval_place_member(e, cell, true);
    to = eval_place_of_cell(cell);
    if (!eval_convert(e, &is, shape, span) || !eval_cast(e, &is, shape, span) ||
        !(to.cell ? eval_set(e, cell, &is, span) : eval_write(e, &to, &is, span)))
        return false;
    if (parameter->name)
        eval_bind(e, parameter->name, cell);
    return true;
}

/* An array or vector, which is no pointer to its first element where it is referred to. */
static struct code_value whole_list(struct eval *e, const struct lvalue *place)
{
    struct code_cell *cell = place->cell;
    if (!cell) {
        cell = eval_new_cell(e, "list", place->shape);
        cell->location = place->location;
        cell->offset = place->offset;
    }
    return (struct code_value){.kind = VALUE_CELL, .cell = cell, .is_reference = true};
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
        if (!place.cell || place.cell->value.kind == VALUE_NOTHING || !place.cell->is_const) {
            if (is_list(place.shape)) {
                *to = whole_list(e, &place);
                return true;
            }
            bool object = place.cell && place.cell->shape->kind == SHAPE_STRUCT;
            if (object)
                place.array = NULL; /* it is no pointer, of which there may be a next one */
            bool good = eval_point_to(e, &place, to);
            to->is_object = object;
            return good;
        }
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

/* ---- a call --------------------------------------------------------------------------------- */

/* What the function is given, as expressions or as values. */
struct call_arguments {
    const struct cpp_expr *const *exprs; /* or NULL */
    const struct code_value *values;
    uint32_t count;
    const struct cpp_part *named;   /* with the arguments of a template; or NULL */
    const struct code_shape *class; /* of a static function; or NULL */
    struct span span;
};

static bool takes(struct eval *e, const struct code_function *function,
                  const struct call_arguments *given)
{
    if (given->count <= function->parameter_count &&
        (given->count == function->parameter_count || function->parameters[given->count].value))
        return true;
    eval_error(e, host_argument, given->span, NULL, "'%s' takes %u argument%s", function->name,
               function->parameter_count, function->parameter_count == 1 ? "" : "s");
    return false;
}

/* A list stays one: the parameter says what it makes. */
static bool argument(struct eval *e, const struct parameter *parameter, const struct cpp_expr *expr,
                     struct code_value *to)
{
    const struct code_shape *shape =
        parameter->type && expr->kind == CPP_LIST ? eval_shape(e, parameter->type) : NULL;
    if (!shape || shape->kind == SHAPE_AUTO)
        return argument_value(e, parameter, expr, to);
    struct cpp_declarator one = {.value = expr, .span = expr->span};
    struct code_cell *cell = eval_new_cell(e, "argument", shape);
    *to = (struct code_value){.kind = VALUE_CELL,
                              .cell = cell,
                              .is_object = shape->kind == SHAPE_STRUCT,
                              .is_temporary = shape->kind == SHAPE_STRUCT};
    if (shape->kind == SHAPE_STRUCT && eval_holds_objects(e, shape)) {
        vec_push(e->arena, &e->temporaries, cell);
        return eval_make_object(e, cell, &one);
    }
    bool aggregate =
        shape->kind == SHAPE_STRUCT || shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR;
    if (aggregate)
        return eval_initialize(e, cell, &one);
    *to = eval_number(0, TYPE_S32);
    return !expr->kid_count || eval_value(e, expr->kids[0], to);
}

static bool argument_values(struct eval *e, const struct code_function *function,
                            const struct call_arguments *given, struct code_value *values)
{
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct parameter *parameter = &function->parameters[i];
        if (!given->exprs && i < given->count)
            values[i] = given->values[i];
        else if (!argument(e, parameter, i < given->count ? given->exprs[i] : parameter->value,
                           &values[i]))
            return false;
    }
    return true;
}

/* The class of the object whose function it is; of a static function, without arguments of a template. */
static const struct code_shape *level_of(struct eval *e, const struct code_function *function,
                                         const struct code_cell *self)
{
    struct code_shape *alone = ARENA_NEW(e->arena, struct code_shape);
    struct class_levels levels = {{0}};
    *alone = (struct code_shape){.kind = SHAPE_STRUCT, .structure = function->of};
    if (self)
        levels = eval_levels(e, self->shape);
    for (uint32_t i = 0; i < levels.of.len; i++)
        if (levels.of.at[i]->structure == function->of)
            return levels.of.at[i];
    return alone;
}

static bool returns_reference(const struct code_function *function)
{
    return function->result && function->result->kind == CPP_TYPE_REFERENCE;
}

/* The variable that gets the result: of the type that is declared, if it is one that is copied or converted. */
static struct code_cell *result_cell(struct eval *e, const struct code_function *function)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    const struct code_shape *shape = &any;
    if (function->result && function->result->kind != CPP_TYPE_AUTO && !returns_reference(function))
        shape = eval_shape(e, function->result);
    bool typed = shape && (shape->kind == SHAPE_STRUCT || shape->kind == SHAPE_VECTOR ||
                           shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_NUMBER);
    if (shape && shape->kind == SHAPE_STRUCT && (!shape->structure || !shape->structure->is_own))
        typed = false;
    struct code_cell *cell = eval_new_cell(e, function->name, typed ? shape : &any);
    cell->is_inner = true;
    return cell;
}

static struct code_value result_value(struct eval *e, const struct code_function *function,
                                      struct code_cell *result, struct span span)
{
    bool object = result->shape->kind == SHAPE_STRUCT;
    if (e->left)
        return gap_value(e->left, span);
    struct code_value value = result->value;
    if ((value.kind == VALUE_NOTHING && result->parts.len) || object)
        value = (struct code_value){.kind = VALUE_CELL, .cell = result, .is_temporary = object};
    value.is_object = value.is_object || object;
    value.is_reference =
        returns_reference(function) && (value.kind == VALUE_CELL || value.kind == VALUE_ADDRESS);
    if (object && result->is_class)
        vec_push(e->arena, &e->temporaries, result);
    return value;
}

static bool body(struct eval *e, const struct code_function *function, struct code_cell *self,
                 const struct code_shape *level, const struct code_value *values, struct span span)
{
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (!bind_parameter(e, function, i, &values[i], span))
            return false;
    if (function->is_constructor && !eval_make_members(e, self, level, function, false, span))
        return false;
    return eval_statement(e, function->body);
}

static bool call(struct eval *e, const struct code_function *function, struct code_cell *self,
                 const struct call_arguments *given, struct code_value *to)
{
    struct code_frame outer = e->frame;
    const struct cpp_stmt *code = e->code;
    uint32_t variables = e->scope.len, types = e->type_names.len;
    *to = (struct code_value){VALUE_NOTHING};
    if (e->calls == DEEPEST_CALLS)
        return too_deep(e, function, given->span);
    function = eval_expanded(e, function, given->count);
    if (function->is_deleted) {
        eval_error(e, host_statement, given->span, NULL, "'%s' is deleted", function->name);
        return false;
    }
    if (!eval_has_code(e, function) || !takes(e, function, given))
        return false;
    struct code_value *values = ARENA_ARRAY(e->arena, struct code_value, function->parameter_count);
    const struct code_shape *level = function->of ? level_of(e, function, self) : NULL;
    if (level && given->class && given->class->structure == function->of)
        level = given->class;
    struct code_frame inner = {.function = function,
                               .floor = variables,
                               .visible = function->visible,
                               .types = {types, types, types},
                               .return_to = eval_new_aim(e),
                               .break_to = NONE,
                               .continue_to = NONE};
    if (function->lambda)
        inner.types = (struct type_view){function->types.floor, function->types.visible, types};
    bool good = argument_values(e, function, given, values);
    if (level) /* what the class's template stands for is seen in the function */
        eval_open_class(e, level);
    e->frame = inner;
    e->frame.floor = variables;
    good = good && eval_bind_template(e, function, given->named, values, function->parameter_count);
    e->frame.result = result_cell(e, function);
    struct code_cell *result = e->frame.result;
    e->code = function->body;
    e->calls++;
    if (self && !function->is_static)
        eval_bind_self(e, self);
    else if (function->of)
        eval_bind_statics(e, function->of);
    eval_bind_captured(e, function);
    good = good && body(e, function, self, level, values, given->span);
    eval_place(e, e->frame.return_to);
    e->calls--;
    eval_close_scope(e, variables);
    e->type_names.len = types;
    e->frame = outer;
    e->code = code;
    *to = result_value(e, function, result, given->span);
    return good;
}

bool eval_call_member(struct eval *e, const struct code_function *function, struct code_cell *self,
                      const struct cpp_expr *expr, uint32_t first, struct code_value *to)
{
    const struct cpp_expr *callee = first ? expr->kids[0] : NULL;
    bool named = callee && (callee->kind == CPP_NAME || callee->kind == CPP_MEMBER);
    struct call_arguments given = {.exprs = expr->kids + first,
                                   .count = expr->kid_count - first,
                                   .named = named ? cpp_last_part(&callee->name) : NULL,
                                   .span = expr->span};
    return call(e, function, self, &given, to);
}

bool eval_call_static(struct eval *e, const struct code_function *function,
                      const struct code_shape *class, const struct cpp_expr *expr,
                      struct code_value *to)
{
    struct call_arguments given = {.exprs = expr->kids + 1,
                                   .count = expr->kid_count - 1,
                                   .named = cpp_last_part(&expr->kids[0]->name),
                                   .class = class,
                                   .span = expr->span};
    return call(e, function, NULL, &given, to);
}

bool eval_call_values(struct eval *e, const struct code_function *function, struct code_cell *self,
                      const struct code_value *values, uint32_t count, struct span span,
                      struct code_value *to)
{
    struct call_arguments given = {.values = values, .count = count, .span = span};
    return call(e, function, self, &given, to);
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
    if (function->of && !function->is_static) { /* "std::thread(&W::go, &w, 5)" */
        if (!count || arguments[0].kind != VALUE_CELL || !arguments[0].cell->shape->structure)
            return eval_needs(e, arguments, function->span, "an object");
        eval_open_class(e, level_of(e, function, arguments[0].cell));
        eval_bind_self(e, arguments[0].cell);
        arguments++;
        count--;
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

bool eval_thread_body(struct eval *e, const struct thread_code *code, uint32_t *host)
{
    const struct code_function *function = code->function;
    struct eval outer = *e;
    struct parser *p = e->p;
    uint32_t body = p->body, variables = e->scope.len;
    *host = function->host;
    if (*host == NONE) {
        struct host_thread thread = {.name = eval_thread_name(e, code->name),
                                     .is_function = code->is_function,
                                     .span = function->span};
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
                                   .result = code->result,
                                   .return_to = e->leave_to,
                                   .break_to = NONE,
                                   .continue_to = NONE};
    if (code->started != NONE)
        wait_for(e, code->started, function->span);
    bool good = body_of(e, function, code->arguments, code->count);
    e->left = 0;
    eval_place(e, e->frame.return_to);
    if (*host == e->main_host)
        end_globals(e, variables);
    if (code->ended != NONE)
        raise_flag(e, code->ended, function->span);
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
    struct thread_code code = {function, function->name, true, arguments, is_callback ? 3 : 1,
                               NONE,     NONE,           NULL};
    return eval_thread_body(e, &code, host);
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
