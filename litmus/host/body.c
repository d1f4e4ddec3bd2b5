/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/gap.h"

/* Functions as the code of host threads and of tasks. */

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
        eval_open_class(e, eval_level_of(e, function, arguments[0].cell));
        eval_bind_self(e, arguments[0].cell);
        arguments++;
        count--;
    }
    eval_bind_captured(e, function);
    for (uint32_t i = 0; good && i < count && i < function->parameter_count; i++)
        good = eval_bind_parameter(e, function, i, &arguments[i], function->span);
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

/* The host thread that the code is of: the one that stands for it already, or a new one. */
static uint32_t thread_of(struct eval *e, const struct thread_code *code)
{
    const struct code_function *function = code->function;
    if (function->host != NONE)
        return function->host;
    struct host_thread thread = {.name = eval_thread_name(e, code->name),
                                 .is_function = code->is_function,
                                 .span = function->span};
    vec_push(e->arena, &e->p->host_threads, thread);
    return e->p->host_threads.len - 1;
}

static void open_body(struct eval *e, uint32_t host, struct span span)
{
    struct parser *p = e->p;
    p->host_threads.at[host].body = p->raws.len;
    parse_start_body(p, span);
    parse_body(p)->dialect = true;
    parse_body(p)->name = p->host_threads.at[host].name;
}

/* Nothing of the code that makes the thread holds in the thread's. */
static void enter(struct eval *e, const struct thread_code *code, uint32_t host)
{
    const struct code_function *function = code->function;
    e->aims.at = NULL;
    e->aims.len = e->aims.cap = 0;
    e->labels.at = NULL;
    e->labels.len = e->labels.cap = 0;
    e->host = host;
    e->device = 0;
    e->capture_mode = HOST_CONSTANT_NONE;
    e->branches = e->waiting = 0;
    e->left = 0;
    e->is_dead = false;
    e->code = function->body;
    e->leave_to = eval_new_aim(e);
    e->frame = (struct code_frame){.function = function,
                                   .floor = e->scope.len,
                                   .visible = function->visible,
                                   .result = code->result,
                                   .return_to = e->leave_to,
                                   .break_to = NONE,
                                   .continue_to = NONE};
}

/* What the thread made stays: variables, objects, names made by use. */
static void leave(struct eval *e, const struct eval *outer)
{
    e->aims = outer->aims;
    e->labels = outer->labels;
    e->host = outer->host;
    e->device = outer->device;
    e->capture_mode = outer->capture_mode;
    e->leave_to = outer->leave_to;
    e->branches = outer->branches;
    e->waiting = outer->waiting;
    e->left = outer->left;
    e->is_dead = outer->is_dead;
    e->code = outer->code;
    e->frame = outer->frame;
}

static bool has_labels(struct eval *e, const struct code_function *function)
{
    bool good = true;
    for (uint32_t i = 0; i < e->labels.len; i++)
        if (!e->labels.at[i].is_placed) {
            eval_error(e, unknown_label, e->labels.at[i].used, NULL, "'%s' has no label '%.60s'",
                       function->name, e->labels.at[i].name);
            good = false;
        }
    return good;
}

static void close_body(struct eval *e)
{
    for (uint32_t i = 0; i < e->aims.len; i++) /* what is not modelled has no code */
        if (e->aims.at[i].at == NONE)
            e->aims.at[i].at = parse_body(e->p)->insts.len;
    gap_finish_body(e);
    eval_finish_body(e);
}

bool eval_thread_body(struct eval *e, const struct thread_code *code, uint32_t *host)
{
    const struct code_function *function = code->function;
    const struct eval outer = *e;
    uint32_t body = e->p->body, variables = e->scope.len;
    *host = thread_of(e, code);
    eval_note_thread(e, *host, e->host, code->ended);
    open_body(e, *host, function->span);
    enter(e, code, *host);
    if (code->started != NONE)
        wait_for(e, code->started, function->span);
    bool good = body_of(e, function, code->arguments, code->count);
    e->left = 0;
    eval_place(e, e->frame.return_to);
    if (*host == e->main_host)
        end_globals(e, variables);
    if (code->ended != NONE)
        raise_flag(e, code->ended, function->span);
    good = has_labels(e, function) && good;
    close_body(e);
    eval_close_scope(e, variables);
    e->p->body = body;
    leave(e, &outer);
    return good;
}

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
