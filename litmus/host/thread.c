/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

#include "litmus/host/tree.h"

/* std::thread and mutexes, by the orders that C++ gives them: what comes before a thread is made is before
 * all that it does, and that is before the return of join (flags that are released and acquired); a mutex is a
 * word that is exchanged with acquire and stored with release. */

static uint32_t flag(struct eval *e, const char *name, const char *what, struct span span)
{
    return eval_new_location(e, arena_printf(e->arena, "%s_%s", name, what), TYPE_U32, 1,
                             MEMORY_MAPPED, span);
}

static void write_flag(struct eval *e, uint32_t location, uint64_t number, struct span span)
{
    struct lvalue place = {.location = location};
    struct code_value value = eval_number(number, TYPE_S32);
    eval_atomic_write(e, &place, &value, SEM_RELEASE, span);
}

static void wait_while(struct eval *e, const struct code_value *found, enum cmp cmp, uint32_t head,
                       struct span span)
{
    struct raw_operand zero = eval_number_operand(0, span);
    eval_jump_if(e, cmp, &found->operand, &zero, head, span);
}

/* ---- threads -------------------------------------------------------------------------------- */

/* Where what the function returns is kept for who waits for it; NULL: it returns no number. */
static struct code_cell *kept_result(struct eval *e, const struct code_function *function,
                                     const char *name, struct span span)
{
    const struct code_shape *shape = eval_result_shape(e, function);
    if (!shape && (!function->result || function->result->kind == CPP_TYPE_AUTO))
        shape = eval_number_shape(e, TYPE_S64);
    if (!shape || shape->kind != SHAPE_NUMBER || shape->type == TYPE_NONE ||
        (function->lambda && !eval_returns_value(function->body)))
        return NULL;
    struct code_cell *cell = eval_new_cell(e, arena_printf(e->arena, "%s_result", name), shape);
    cell->location = eval_new_location(e, cell->name, shape->type, 1, MEMORY_MAPPED, span);
    return cell;
}

/* 'waits': for what the function returns, too. */
static bool start(struct eval *e, struct code_cell *cell, const struct cpp_expr *const *list,
                  uint32_t count, bool waits, struct span span)
{
    struct code_value function, *arguments = ARENA_ARRAY(e->arena, struct code_value, count);
    uint32_t host;
    if (e->branches) {
        eval_error(e, host_statement, span, "make it where every run comes by",
                   "a thread that is made in a branch is not modelled");
        return false;
    }
    if (!eval_value(e, list[0], &function))
        return false;
    if (function.kind != VALUE_FUNCTION)
        return eval_needs(e, &function, list[0]->span, "a function");
    for (uint32_t i = 1; i < count; i++)
        if (!eval_thread_argument(e, list[i], &arguments[i - 1]))
            return false;
    const char *name = eval_thread_name(e, cell->name);
    uint32_t started = flag(e, name, "started", span), ended = flag(e, name, "ended", span);
    cell->value = (struct code_value){.kind = VALUE_ADDRESS, .location = ended, .name = span};
    struct code_cell *result = waits ? kept_result(e, function.function, name, span) : NULL;
    if (result)
        vec_push(e->arena, &cell->parts, result);
    struct thread_code code = {function.function, name,    false, arguments,
                               count - 1,         started, ended, result};
    if (!eval_thread_body(e, &code, &host))
        return false;
    write_flag(e, started, 1, span);
    return true;
}

static bool join(struct eval *e, struct code_cell *cell, struct span span)
{
    struct lvalue place = {.location = cell->value.location};
    struct code_value found;
    uint32_t head = eval_new_aim(e);
    if (cell->value.kind != VALUE_ADDRESS) {
        eval_error(e, host_object, span, NULL, "'%s' is no thread that was started", cell->name);
        return false;
    }
    eval_place(e, head);
    eval_atomic_read(e, &place, SEM_ACQUIRE, span, &found);
    wait_while(e, &found, CMP_EQ, head, span);
    eval_note_join(e, cell->value.location);
    return true;
}

/* ---- mutexes -------------------------------------------------------------------------------- */

static bool lock(struct eval *e, const struct code_value *mutex, struct span span)
{
    struct lvalue place = {.location = mutex->location};
    struct code_value one = eval_number(1, TYPE_S32), found;
    uint32_t head = eval_new_aim(e);
    eval_place(e, head);
    eval_atomic_update(e, &place, ATOM_EXCH, &one, SEM_ACQUIRE, true, span, &found);
    wait_while(e, &found, CMP_NE, head, span);
    return true;
}

static bool unlock(struct eval *e, const struct code_value *mutex, struct span span)
{
    write_flag(e, mutex->location, 0, span);
    return true;
}

/* Nothing is read from who has it: only who gets it comes after the one before. */
static bool try_lock(struct eval *e, const struct code_value *mutex, struct span span,
                     struct code_value *to)
{
    struct lvalue place = {.location = mutex->location};
    struct code_value one = eval_number(1, TYPE_S32);
    struct raw_operand zero = eval_number_operand(0, span);
    uint32_t fails = eval_new_aim(e);
    if (!eval_atomic_update(e, &place, ATOM_EXCH, &one, SEM_RELAXED, true, span, to))
        return false;
    eval_keep(e, to, span);
    eval_jump_if(e, CMP_NE, &to->operand, &zero, fails, span);
    eval_fence(e, SEM_ACQ_REL, SCOPE_SYS, span);
    eval_place(e, fails);
    return eval_binary(e, CPP_MARK_XOR, to, &one, span);
}

/* "l(m, std::defer_lock)" holds nothing yet, "l(m, std::adopt_lock)" what is locked already. */
static bool is_locked_at_once(struct eval *e, const struct cpp_declarator *one, bool *at_once,
                              bool *held)
{
    const struct cpp_expr *how = one->given_count == 2 ? one->given[1] : NULL;
    const char *word = how && how->kind == CPP_NAME ? cpp_last_part(&how->name)->word : "";
    *held = strcmp(word, "defer_lock") != 0;
    *at_once = one->given_count == 1;
    if (one->given_count == 1 || !*held || strcmp(word, "adopt_lock") == 0)
        return true;
    eval_error(e, host_argument, one->span, "a lock for each mutex, with its constructor of one",
               "a lock of several mutexes, and one that only tries, are not modelled");
    return false;
}

/* The mutex that the expression names. */
static bool find_mutex(struct eval *e, const struct cpp_expr *expr, struct code_value *mutex)
{
    struct lvalue place;
    if (!eval_place_of(e, expr, &place))
        return false;
    if (!place.cell || place.cell->shape->kind != SHAPE_MUTEX) {
        eval_error(e, host_object, expr->span, NULL, "'%s' is no mutex", eval_text(e, expr->span));
        return false;
    }
    *mutex = place.cell->value;
    return true;
}

/* Several are locked as if always in one order: then no two threads wait for each other, as C++ promises. */
static bool lock_all(struct eval *e, struct code_value *mutexes, uint32_t count, struct span span)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i; k > 0 && mutexes[k].location < mutexes[k - 1].location; k--) {
            struct code_value kept = mutexes[k];
            mutexes[k] = mutexes[k - 1];
            mutexes[k - 1] = kept;
        }
    for (uint32_t i = 0; i < count; i++)
        if (!lock(e, &mutexes[i], span))
            return false;
    return true;
}

/* "std::lock(a, b)" */
bool eval_lock_several(struct eval *e, const struct cpp_expr *expr)
{
    uint32_t count = expr->kid_count - 1;
    struct code_value *mutexes = ARENA_ARRAY(e->arena, struct code_value, count);
    for (uint32_t i = 0; i < count; i++)
        if (!find_mutex(e, expr->kids[i + 1], &mutexes[i]))
            return false;
    return lock_all(e, mutexes, count, expr->span);
}

/* "std::scoped_lock l(a, b);": a part for each, which is unlocked at its end. */
static bool make_locks(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    static const struct code_shape part = {.kind = SHAPE_LOCK};
    struct code_value *mutexes = ARENA_ARRAY(e->arena, struct code_value, one->given_count);
    for (uint32_t i = 0; i < one->given_count; i++) {
        struct code_cell *held = eval_new_cell(e, cell->name, &part);
        if (!find_mutex(e, one->given[i], &mutexes[i]))
            return false;
        held->value = mutexes[i];
        held->value.name = one->span;
        vec_push(e->arena, &cell->parts, held);
    }
    return lock_all(e, mutexes, one->given_count, one->span);
}

static bool make_lock(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    bool at_once, held;
    struct code_value mutex;
    if (cell->shape->word && strcmp(cell->shape->word, "scoped_lock") == 0 && one->given_count > 1)
        return make_locks(e, cell, one);
    if (!one->given_count || !find_mutex(e, one->given[0], &mutex) ||
        !is_locked_at_once(e, one, &at_once, &held))
        return false;
    cell->value = mutex;
    cell->value.name = one->span;
    if (!held)
        cell->value.kind = VALUE_NOTHING;
    return !at_once || lock(e, &cell->value, one->span);
}

bool eval_thread_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    const struct cpp_expr *const *list = one->given;
    uint32_t count = one->given_count;
    switch (cell->shape->kind) {
    case SHAPE_MUTEX:
        cell->value = (struct code_value){.kind = VALUE_ADDRESS};
        cell->value.location =
            eval_new_location(e, cell->name, TYPE_U32, 1, MEMORY_MAPPED, one->span);
        return true;
    case SHAPE_LOCK:
        return make_lock(e, cell, one);
    case SHAPE_SIGNAL:
        return true;
    default:
        if (one->value && cell->shape->word && strcmp(cell->shape->word, "future") == 0) {
            struct code_value made;
            if (!eval_value(e, one->value, &made))
                return false;
            if (!eval_class_of(&made))
                return eval_set(e, cell, &made, one->span);
            cell->shape = made.cell->shape; /* that of a promise */
            return eval_copy_object(e, cell, &made, one->span);
        }
        if (one->value && one->value->kind == CPP_CALL) { /* = std::thread(f) */
            list = one->value->kids + 1;
            count = one->value->kid_count - 1;
        }
        return !count || start(e, cell, list, count, false, one->span);
    }
}

/* ---- condition variables -------------------------------------------------------------------- */

/* "lock.word();" */
static const struct cpp_stmt *call_of(struct eval *e, const struct cpp_expr *lock, const char *word)
{
    const struct cpp_expr *callee = tree_member(e->arena, lock, word);
    struct cpp_expr call = {.kind = CPP_CALL, .span = lock->span};
    struct cpp_stmt stmt = {
        .kind = CPP_EXPRESSION, .value = tree_expr(e->arena, call, &callee, 1), .span = lock->span};
    return tree_stmt(e->arena, stmt, NULL, 0);
}

/* It may wake at any time: "if (!done) do { lock.unlock(); lock.lock(); } while (!done);". */
static bool wait_until(struct eval *e, const struct cpp_expr *lock, const struct cpp_expr *done,
                       struct span span)
{
    struct cpp_expr not = {.kind = CPP_UNARY, .mark = CPP_MARK_NOT, .span = done->span};
    const struct cpp_expr *waits = tree_expr(e->arena, not, &done, 1);
    const struct cpp_stmt *both[2] = {call_of(e, lock, "unlock"), call_of(e, lock, "lock")};
    const struct cpp_stmt *round =
        tree_stmt(e->arena, (struct cpp_stmt){.kind = CPP_BLOCK, .span = span}, both, 2);
    struct cpp_stmt again = {.kind = CPP_DO, .condition = waits, .span = span};
    struct cpp_stmt when = {.kind = CPP_IF, .condition = waits, .span = span};
    const struct cpp_stmt *loop = tree_stmt(e->arena, again, &round, 1);
    return eval_statement(e, tree_stmt(e->arena, when, &loop, 1));
}

/* "wait_for(lock, time, done)", which gives up at any time, too: "if (!done()) { lock.unlock(); lock.lock(); }", and then
 * done(). */
static bool wait_for_time(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    const struct cpp_stmt *both[2] = {NULL, NULL}, *round;
    struct cpp_expr call = {.kind = CPP_CALL, .span = expr->span};
    struct cpp_expr not = {.kind = CPP_UNARY, .mark = CPP_MARK_NOT, .span = expr->span};
    struct cpp_stmt block = {.kind = CPP_BLOCK, .span = expr->span};
    struct cpp_stmt when = {.kind = CPP_IF, .span = expr->span};
    struct code_value time;
    if (expr->kid_count < 3 || expr->kid_count > 4 || !eval_value(e, expr->kids[2], &time))
        return false;
    both[0] = call_of(e, expr->kids[1], "unlock");
    both[1] = call_of(e, expr->kids[1], "lock");
    round = tree_stmt(e->arena, block, both, 2);
    *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = expr->span};
    if (expr->kid_count == 3)
        return eval_statement(e, round);
    const struct cpp_expr *done = tree_expr(e->arena, call, &expr->kids[3], 1);
    when.condition = tree_expr(e->arena, not, &done, 1);
    return eval_statement(e, tree_stmt(e->arena, when, &round, 1)) && eval_value(e, done, to);
}

/* "wait(lock, done)"; without what it waits for it may return at once. */
static bool wait_signal(struct eval *e, const struct cpp_expr *expr)
{
    if (expr->kid_count < 2 || expr->kid_count > 3) {
        eval_error(e, host_argument, expr->span, NULL, "wait takes a lock, and what it waits for");
        return false;
    }
    const struct cpp_expr *lock = expr->kids[1], *done = expr->kids[expr->kid_count - 1];
    const struct cpp_stmt *both[2] = {call_of(e, lock, "unlock"), call_of(e, lock, "lock")};
    struct cpp_expr call = {.kind = CPP_CALL, .span = done->span};
    if (expr->kid_count == 2)
        return eval_statement(e,
                              tree_stmt(e->arena, (struct cpp_stmt){.kind = CPP_BLOCK}, both, 2));
    return wait_until(e, lock, tree_expr(e->arena, call, &done, 1), expr->span);
}

/* "c.wait(l)" alone; NULL: it is none. */
static const struct cpp_expr *signal_wait(const struct eval *e, const struct cpp_stmt *stmt)
{
    while (stmt->kind == CPP_BLOCK && stmt->kid_count == 1)
        stmt = stmt->kids[0];
    const struct cpp_expr *call = stmt->kind == CPP_EXPRESSION ? stmt->value : NULL;
    if (!call || call->kind != CPP_CALL || call->kids[0]->kind != CPP_MEMBER)
        return NULL;
    const char *method = cpp_last_part(&call->kids[0]->name)->word;
    bool timed = strcmp(method, "wait_for") == 0 || strcmp(method, "wait_until") == 0;
    if (call->kid_count != (timed ? 3 : 2) || (!timed && strcmp(method, "wait") != 0))
        return NULL;
    const char *word = eval_word(call->kids[0]->kids[0]);
    const struct code_cell *cell = word ? eval_find(e, word) : NULL;
    return cell && cell->shape->kind == SHAPE_SIGNAL ? call : NULL;
}

bool eval_signal_loop(struct eval *e, const struct cpp_stmt *stmt, bool *found)
{
    const struct cpp_expr *call = signal_wait(e, stmt->kids[0]);
    struct cpp_expr not = {.kind = CPP_UNARY, .mark = CPP_MARK_NOT, .span = stmt->span};
    *found = call;
    return call &&
           wait_until(e, call->kids[1], tree_expr(e->arena, not, &stmt->condition, 1), stmt->span);
}

struct code_cell *eval_thread_of(struct code_cell *cell)
{
    bool named = cell->shape && cell->shape->kind == SHAPE_AUTO && cell->value.kind == VALUE_CELL &&
                 cell->value.cell->shape->kind == SHAPE_THREAD;
    return named ? cell->value.cell : cell;
}

/* A std::jthread, and what std::async gives, which hold a thread. */
static bool joins_at_end(const struct code_cell *cell)
{
    const char *word = cell->shape ? cell->shape->word : NULL;
    bool joins = word && (strcmp(word, "jthread") == 0 || strcmp(word, "future") == 0);
    return joins && cell->shape->kind == SHAPE_THREAD && cell->value.kind == VALUE_ADDRESS;
}

static void join_at_end(struct eval *e, struct code_cell *cell)
{
    cell = eval_thread_of(cell);
    if (joins_at_end(cell))
        join(e, cell, cell->value.name);
    for (uint32_t i = 0; i < cell->parts.len; i++)
        join_at_end(e, cell->parts.at[i]);
}

/* What the name means has another one outside: the name is a reference. */
static bool has_other_name(const struct eval *e, uint32_t binding)
{
    const struct code_cell *cell = e->scope.at[binding].cell;
    for (uint32_t i = 0; i < binding; i++)
        if (e->scope.at[i].cell == cell && !e->scope.at[i].refers)
            return true;
    return cell->member || strchr(cell->name, '[');
}

static bool is_held(const struct code_cell *cell)
{
    return cell->shape && cell->shape->kind == SHAPE_LOCK && cell->value.kind == VALUE_ADDRESS;
}

static bool holds_several(const struct code_cell *cell)
{
    return cell->shape && cell->shape->kind == SHAPE_LOCK && cell->parts.len;
}

void eval_end_member(struct eval *e, struct code_cell *cell)
{
    if (is_held(cell))
        unlock(e, &cell->value, cell->value.name);
    for (uint32_t i = holds_several(cell) ? cell->parts.len : 0; i-- > 0;)
        unlock(e, &cell->parts.at[i]->value, cell->value.name);
    join_at_end(e, cell);
    eval_end_object(e, cell);
}

bool eval_ends_scope(const struct eval *e, uint32_t count)
{
    for (uint32_t i = count; i < e->scope.len; i++)
        if (is_held(e->scope.at[i].cell) || holds_several(e->scope.at[i].cell) ||
            e->scope.at[i].cell->is_class || joins_at_end(eval_thread_of(e->scope.at[i].cell)))
            return true;
    return false;
}

void eval_unlock_scope(struct eval *e, uint32_t count)
{
    for (uint32_t i = e->scope.len; i-- > count;) {
        struct code_cell *cell = e->scope.at[i].cell;
        if (!e->scope.at[i].refers && !has_other_name(e, i))
            eval_end_member(e, cell);
    }
}

bool eval_start_thread(struct eval *e, const struct cpp_expr *expr, const char *name,
                       struct code_value *to)
{
    static const struct code_shape thread = {.kind = SHAPE_THREAD};
    struct code_cell *cell = eval_new_cell(e, name, &thread);
    *to = (struct code_value){.kind = VALUE_CELL, .cell = cell};
    return expr->kid_count < 2 ||
           start(e, cell, expr->kids + 1, expr->kid_count - 1, false, expr->span);
}

bool eval_start_future(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    static const struct code_shape future = {.kind = SHAPE_THREAD, .word = "future"};
    struct code_cell *cell = eval_new_cell(e, "async", &future);
    const struct cpp_expr *first = expr->kid_count > 2 ? expr->kids[1] : NULL;
    const char *policy =
        first && first->kind == CPP_NAME ? cpp_last_part(&first->name)->word : NULL;
    *to = (struct code_value){.kind = VALUE_CELL, .cell = cell};
    if (!policy || strcmp(policy, "async") != 0) {
        eval_error(e, host_argument, expr->span, "std::async(std::launch::async, f)",
                   "when the function runs is not said");
        return false;
    }
    vec_push(e->arena, &e->temporaries, cell); /* who does not keep it waits for the end */
    return start(e, cell, expr->kids + 2, expr->kid_count - 2, true, expr->span);
}

/* What the function of a future returned, which has been waited for. */
static bool get_result(struct eval *e, const struct code_cell *future, struct span span,
                       struct code_value *to)
{
    *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
    if (!future->parts.len)
        return true;
    struct lvalue place = eval_place_of_cell(future->parts.at[0]);
    if (!eval_read(e, &place, span, to))
        return false;
    eval_keep(e, to, span);
    const struct code_shape *of = future->shape->of;
    return !of || of->kind != SHAPE_NUMBER || eval_cast(e, to, of, span);
}

bool eval_thread_method(struct eval *e, struct code_cell *cell, const char *word,
                        const struct cpp_expr *expr, struct code_value *to)
{
    enum shape_kind kind = cell->shape->kind;
    *to = (struct code_value){VALUE_NOTHING};
    if (kind == SHAPE_SIGNAL && strncmp(word, "notify_", 7) == 0)
        return true;
    if (kind == SHAPE_SIGNAL && strcmp(word, "wait") == 0)
        return wait_signal(e, expr);
    if (kind == SHAPE_SIGNAL && (strcmp(word, "wait_for") == 0 || strcmp(word, "wait_until") == 0))
        return wait_for_time(e, expr, to);
    bool future = cell->shape->word && strcmp(cell->shape->word, "future") == 0;
    bool waits = strcmp(word, "get") == 0 || strcmp(word, "wait") == 0;
    if (kind == SHAPE_THREAD && (future ? waits : strcmp(word, "join") == 0)) {
        return join(e, cell, expr->span) &&
               (strcmp(word, "get") != 0 || get_result(e, cell, expr->span, to));
    }
    if (kind == SHAPE_THREAD && strcmp(word, "detach") == 0)
        return true;
    if (kind == SHAPE_THREAD && strcmp(word, "joinable") == 0) {
        *to = eval_number(cell->value.kind == VALUE_ADDRESS, TYPE_U8);
        return true;
    }
    bool guards = kind == SHAPE_MUTEX || kind == SHAPE_LOCK;
    if (guards && strcmp(word, "lock") == 0) {
        cell->value.kind = VALUE_ADDRESS;
        return lock(e, &cell->value, expr->span);
    }
    if (kind == SHAPE_MUTEX && strcmp(word, "try_lock") == 0)
        return try_lock(e, &cell->value, expr->span, to);
    if (guards && strcmp(word, "unlock") == 0) {
        bool good = unlock(e, &cell->value, expr->span);
        if (kind == SHAPE_LOCK)
            cell->value.kind = VALUE_NOTHING;
        return good;
    }
    eval_error(e, host_statement, expr->kids[0]->span, NULL,
               "a thread has join and detach, a mutex lock, try_lock and unlock, a condition "
               "variable wait and "
               "notify_one, not '%.60s'",
               word);
    return false;
}
