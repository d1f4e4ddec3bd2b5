/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

#include "litmus/host/choice.h"
#include "litmus/host/gap.h"
#include "litmus/test/host_word.h"

/* Atomic objects of host threads, and what else has methods. An operation that is seq_cst is a
 * fence.sc.sys and the operation with acquire and release, as compilers lower it for the device. */

static enum scope scope_of(const struct lvalue *place)
{
    const struct code_shape *shape = place->shape;
    return shape && shape->is_atomic && shape->scope != SCOPE_NONE ? shape->scope : SCOPE_SYS;
}

static void seq_cst_fence(struct eval *e, enum sem sem, enum scope scope, struct span span)
{
    if (sem == SEM_SC)
        eval_fence(e, SEM_SC, scope, span);
}

static struct code_value read_value(const struct eval *e, struct raw_operand to,
                                    const struct lvalue *place)
{
    struct code_value value = eval_in_register(to, eval_read_type(e, place));
    value.holds = e->p->locations.at[place->location].type;
    return value;
}

/* Nothing is known of what code that is not modelled may write. */
static bool is_gap(const struct eval *e, const struct lvalue *place, struct span span,
                   struct code_value *to)
{
    uint32_t gap = gap_of_memory(e, place->location);
    if (gap)
        *to = gap_value(gap, span);
    return gap;
}

/* What is done to the object. */
struct atomic_operation {
    enum op op;
    enum atom_op atom_op;
    enum sem sem;
    struct code_value value, expected;
    bool used;
    struct span span;
};

static bool read_one(struct eval *e, const struct lvalue *place, const struct atomic_operation *by,
                     struct code_value *to)
{
    struct raw_operand operands[2] = {eval_temporary(e, by->span), eval_memory(place, by->span)};
    struct raw_inst load = {.op = OP_LD, .sem = by->sem, .scope = scope_of(place)};
    if (is_gap(e, place, by->span, to))
        return true;
    seq_cst_fence(e, by->sem, load.scope, by->span);
    eval_emit(e, load, operands, 2, by->span);
    *to = read_value(e, operands[0], place);
    return true;
}

static bool write_one(struct eval *e, const struct lvalue *place, const struct atomic_operation *by)
{
    struct raw_operand operands[2] = {eval_memory(place, by->span)};
    struct raw_inst store = {.op = OP_ST, .sem = by->sem, .scope = scope_of(place)};
    if (!eval_operand(e, &by->value, by->span, &operands[1]))
        return false;
    seq_cst_fence(e, by->sem, store.scope, by->span);
    eval_emit(e, store, operands, 2, by->span);
    return true;
}

static bool update_one(struct eval *e, const struct lvalue *place,
                       const struct atomic_operation *by, struct code_value *to)
{
    struct raw_operand operands[4];
    struct raw_inst atom = {
        .op = OP_ATOM, .atom_op = by->atom_op, .sem = by->sem, .scope = scope_of(place)};
    bool compares = by->atom_op == ATOM_CAS;
    if (is_gap(e, place, by->span, to))
        return true;
    if ((compares && !eval_operand(e, &by->expected, by->span, &operands[2])) ||
        !eval_operand(e, &by->value, by->span, &operands[compares ? 3 : 2]))
        return false;
    seq_cst_fence(e, by->sem, atom.scope, by->span);
    operands[0] = by->used ? eval_temporary(e, by->span) : (struct raw_operand){.kind = RAW_SINK};
    operands[0].span = by->span;
    operands[1] = eval_memory(place, by->span);
    eval_emit(e, atom, operands, compares ? 4 : 3, by->span);
    *to = by->used ? read_value(e, operands[0], place) : (struct code_value){.kind = VALUE_NOTHING};
    return true;
}

static bool operate_one(struct eval *e, const struct lvalue *place, const void *data,
                        struct code_value *to)
{
    const struct atomic_operation *by = data;
    if (by->op == OP_LD)
        return read_one(e, place, by, to);
    return by->op == OP_ST ? write_one(e, place, by) : update_one(e, place, by, to);
}

/* At the place, or at one of several. */
static bool at_place(struct eval *e, const struct lvalue *place, struct atomic_operation by,
                     struct code_value *to)
{
    if (place->choice) {
        eval_keep(e, &by.value, by.span);
        eval_keep(e, &by.expected, by.span);
    }
    return eval_use_of_each(e, place, by.span, operate_one, &by, to);
}

bool eval_atomic_read(struct eval *e, const struct lvalue *place, enum sem sem, struct span span,
                      struct code_value *to)
{
    return at_place(e, place, (struct atomic_operation){.op = OP_LD, .sem = sem, .span = span}, to);
}

bool eval_atomic_write(struct eval *e, const struct lvalue *place, const struct code_value *value,
                       enum sem sem, struct span span)
{
    struct atomic_operation store = {.op = OP_ST, .sem = sem, .value = *value, .span = span};
    struct code_value nothing;
    return at_place(e, place, store, &nothing);
}

bool eval_atomic_update(struct eval *e, const struct lvalue *place, enum atom_op op,
                        const struct code_value *value, enum sem sem, bool used, struct span span,
                        struct code_value *to)
{
    struct atomic_operation update = {
        .op = OP_ATOM, .atom_op = op, .sem = sem, .value = *value, .used = used, .span = span};
    return at_place(e, place, update, to);
}

/* ---- orders --------------------------------------------------------------------------------- */

/* "acquire", "memory_order_acquire", "std::memory_order::acquire". */
static bool order_named(const struct cpp_expr *expr, enum sem *sem)
{
    static const char prefix[] = "memory_order_";
    const char *word = expr->kind == CPP_NAME ? cpp_last_part(&expr->name)->word : "";
    if (strncmp(word, prefix, strlen(prefix)) == 0)
        word += strlen(prefix);
    for (uint32_t i = 0; i < HOST_ORDERS; i++)
        if (strcmp(word, host_memory_orders[i].word) == 0) {
            *sem = host_memory_orders[i].sem;
            return true;
        }
    if (strcmp(word, "consume") != 0)
        return false;
    *sem = SEM_ACQUIRE;
    return true;
}

static bool is_scope(const struct cpp_expr *expr)
{
    const char *word = expr->kind == CPP_NAME ? cpp_last_part(&expr->name)->word : "";
    return strncmp(word, "thread_scope_", 13) == 0;
}

static bool order(struct eval *e, const struct cpp_expr *expr, uint32_t index, enum sem *sem)
{
    *sem = SEM_SC;
    if (index >= expr->kid_count || is_scope(expr->kids[index]) ||
        order_named(expr->kids[index], sem))
        return true;
    eval_error(e, host_argument, expr->kids[index]->span, NULL,
               "a memory order is relaxed, acquire, release, acq_rel or seq_cst, not '%s'",
               eval_text(e, expr->kids[index]->span));
    return false;
}

bool eval_fence_call(struct eval *e, const struct cpp_expr *expr)
{
    enum sem sem;
    if (!order(e, expr, 1, &sem))
        return false;
    if (sem != SEM_RELAXED)
        eval_fence(e, sem, SCOPE_SYS, expr->span);
    return true;
}

/* ---- operations ----------------------------------------------------------------------------- */

static bool as_atomic(struct eval *e, const struct lvalue *from, const void *data,
                      struct lvalue *to)
{
    const struct cpp_type *type = data;
    struct code_shape *shape = ARENA_NEW(e->arena, struct code_shape);
    if (from->cell) {
        eval_error(e, host_argument, from->span, "declare it as std::atomic",
                   "'%s' is not in memory", eval_text(e, from->span));
        return false;
    }
    *shape = *eval_shape(e, type);
    if (!cpp_last_part(&type->name)->argument_count)
        shape->type = e->p->locations.at[from->location].type;
    *to = *from;
    to->shape = shape;
    return true;
}

bool eval_as_atomic(struct eval *e, const struct cpp_type *type, const struct lvalue *from,
                    struct lvalue *to)
{
    return eval_shape(e, type) && eval_part_of_each(e, from, as_atomic, type, to);
}

bool eval_atomic_reference(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    const char *word = expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    struct lvalue from;
    if (!word || strcmp(word, "atomic_ref") != 0 || expr->kid_count != 2)
        return false;
    struct cpp_type type = {.kind = CPP_TYPE_NAMED, .name = expr->kids[0]->name};
    return eval_places_of(e, expr->kids[1], &from) && eval_as_atomic(e, &type, &from, to);
}

static bool wrong_order(struct eval *e, const struct cpp_expr *expr, enum op op, enum sem sem)
{
    bool wrong = (op == OP_LD && (sem == SEM_RELEASE || sem == SEM_ACQ_REL)) ||
                 (op == OP_ST && (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL));
    if (wrong)
        eval_error(e, host_argument, expr->span, NULL, "a %s has no such memory order",
                   op == OP_LD ? "load" : "store");
    return wrong;
}

static bool takes_two(struct eval *e, const struct cpp_expr *expr)
{
    if (expr->kid_count >= 3)
        return true;
    eval_error(e, host_argument, expr->span, NULL,
               "compare_exchange takes the expected and the new value");
    return false;
}

/* 1 in a register of its own where two numbers are the same; then 'differs' still is to be placed, before 'end'. */
static struct code_value are_same(struct eval *e, const struct raw_operand both[2],
                                  uint32_t differs, uint32_t end, struct span span)
{
    struct code_value same = eval_new_variable(e, TYPE_S32, span);
    struct raw_operand set[2] = {same.operand, eval_number_operand(1, span)};
    eval_jump_if(e, CMP_NE, &both[0], &both[1], differs, span);
    eval_emit(e, (struct raw_inst){.op = OP_MOV}, set, 2, span);
    eval_jump(e, end, span);
    eval_place(e, differs);
    set[1].value = 0;
    eval_emit(e, (struct raw_inst){.op = OP_MOV}, set, 2, span);
    return same;
}

/* What the exchange finds, in a register that has a name. */
static bool find(struct eval *e, const struct lvalue *place, const struct atomic_operation *by,
                 struct code_value *to)
{
    if (!at_place(e, place, *by, to))
        return false;
    if (to->kind == VALUE_UNKNOWN)
        return eval_needs(e, to, by->span, "a number");
    eval_keep(e, to, by->span);
    return true;
}

/* compare_exchange: 'expected' becomes what was found; true if that was expected. */
static bool compare_exchange(struct eval *e, const struct cpp_expr *expr,
                             const struct lvalue *place, struct code_value *to)
{
    struct raw_operand both[2];
    struct lvalue expected;
    struct code_value found;
    struct atomic_operation by = {
        .op = OP_ATOM, .atom_op = ATOM_CAS, .used = true, .span = expr->span};
    if (!takes_two(e, expr))
        return false;
    const struct cpp_expr *first = expr->kids[1];
    if (first->kind == CPP_UNARY && first->mark == CPP_MARK_AND)
        first = first->kids[0];
    if (first->kind == CPP_NUMBER) {
        eval_error(e, host_argument, first->span, "declare a variable: int expected = 0;",
                   "compare_exchange writes what it finds to its first argument");
        return false;
    }
    if (!eval_place_of(e, first, &expected) ||
        !eval_read(e, &expected, first->span, &by.expected) ||
        !eval_value(e, expr->kids[2], &by.value) || !order(e, expr, 3, &by.sem))
        return false;
    if (place->shape && place->shape->is_bool &&
        !eval_cast(e, &by.value, place->shape, expr->kids[2]->span))
        return false;
    if (!find(e, place, &by, &found) || !eval_operand(e, &found, expr->span, &both[0]) ||
        !eval_operand(e, &by.expected, first->span, &both[1]))
        return false;
    uint32_t differs = eval_new_aim(e), end = eval_new_aim(e);
    *to = are_same(e, both, differs, end, expr->span); /* before 'expected' changes */
    if (!eval_write(e, &expected, &found, expr->span))
        return false;
    eval_place(e, end);
    return true;
}

/* "f.compare_exchange(1, 2)": what was found, as a printed test has it. */
static bool exchanged(struct eval *e, const struct cpp_expr *expr, const struct lvalue *place,
                      struct code_value *to)
{
    struct atomic_operation by = {
        .op = OP_ATOM, .atom_op = ATOM_CAS, .used = true, .span = expr->span};
    return takes_two(e, expr) && eval_value(e, expr->kids[1], &by.expected) &&
           eval_value(e, expr->kids[2], &by.value) && order(e, expr, 3, &by.sem) &&
           at_place(e, place, by, to) &&
           (to->kind != VALUE_UNKNOWN || eval_needs(e, to, expr->span, "a number"));
}

/* "f.wait(0)": until the value is another one. */
static bool wait(struct eval *e, const struct cpp_expr *expr, const struct lvalue *place)
{
    struct code_value old, found;
    struct raw_operand operands[2];
    enum sem sem;
    uint32_t head = eval_new_aim(e);
    if (expr->kid_count < 2 || !eval_value(e, expr->kids[1], &old) || !order(e, expr, 2, &sem))
        return false;
    eval_keep(e, &old, expr->span);
    eval_place(e, head);
    if (!eval_atomic_read(e, place, sem, expr->span, &found) ||
        !eval_operand(e, &found, expr->span, &operands[0]) ||
        !eval_operand(e, &old, expr->span, &operands[1]))
        return false;
    eval_jump_if(e, CMP_EQ, &operands[0], &operands[1], head, expr->span);
    return true;
}

struct method {
    const char *word;
    enum op op;
    enum atom_op atom_op;
};
static const struct method methods[] = {{"load", OP_LD, ATOM_NONE},
                                        {"store", OP_ST, ATOM_NONE},
                                        {"exchange", OP_ATOM, ATOM_EXCH},
                                        {"fetch_add", OP_ATOM, ATOM_ADD},
                                        {"fetch_sub", OP_ATOM, ATOM_SUB},
                                        {"fetch_and", OP_ATOM, ATOM_AND},
                                        {"fetch_or", OP_ATOM, ATOM_OR},
                                        {"fetch_xor", OP_ATOM, ATOM_XOR},
                                        {"fetch_min", OP_ATOM, ATOM_MIN},
                                        {"fetch_max", OP_ATOM, ATOM_MAX},
                                        {"test_and_set", OP_ATOM, ATOM_EXCH},
                                        {"clear", OP_ST, ATOM_NONE},
                                        {"test", OP_LD, ATOM_NONE}};

static bool operate(struct eval *e, const struct cpp_expr *expr, const struct method *row,
                    const struct lvalue *place, bool used, struct code_value *to)
{
    bool flag = strcmp(row->word, "test_and_set") == 0 || strcmp(row->word, "clear") == 0;
    bool valued = row->op != OP_LD && !flag;
    struct code_value value = eval_number(row->op == OP_ATOM, TYPE_S32),
                      zero = eval_number(0, TYPE_S64);
    enum sem sem;
    if (valued && expr->kid_count < 2) {
        eval_error(e, host_argument, expr->span, NULL, "'%s' takes a value", row->word);
        return false;
    }
    if ((valued && !eval_value(e, expr->kids[1], &value)) ||
        !order(e, expr, valued ? 2 : 1, &sem) || wrong_order(e, expr, row->op, sem))
        return false;
    if (place->shape && place->shape->is_bool && !eval_cast(e, &value, place->shape, expr->span))
        return false;
    if (row->op == OP_LD)
        return eval_atomic_read(e, place, sem, expr->span, to);
    if (row->op == OP_ST)
        return eval_atomic_write(e, place, &value, sem, expr->span);
    enum atom_op op = row->atom_op;
    if (op == ATOM_SUB) { /* PTX has no atom.sub */
        op = ATOM_ADD;
        if (!eval_binary(e, CPP_MARK_SUB, &zero, &value, expr->span))
            return false;
        value = zero;
    }
    return eval_atomic_update(e, place, op, &value, sem, used, expr->span, to);
}

static bool unknown(struct eval *e, const struct cpp_expr *member, const char *word)
{
    eval_error(e, host_statement, member->name.span, NULL,
               "an atomic has load, store, exchange, compare_exchange, fetch_add, fetch_sub, "
               "fetch_and, fetch_or, fetch_xor, fetch_min, fetch_max and wait, not '%.60s'",
               word);
    return false;
}

bool eval_atomic_method(struct eval *e, const struct cpp_expr *expr, const struct lvalue *place,
                        bool used, struct code_value *to)
{
    const char *word = cpp_last_part(&expr->kids[0]->name)->word;
    *to = (struct code_value){.kind = VALUE_NOTHING};
    if (strcmp(word, "compare_exchange") == 0)
        return exchanged(e, expr, place, to);
    if (strncmp(word, "compare_exchange_", 17) == 0)
        return compare_exchange(e, expr, place, to);
    if (strcmp(word, "wait") == 0)
        return wait(e, expr, place);
    if (strncmp(word, "notify_", 7) == 0)
        return true;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(word, methods[i].word) == 0)
            return operate(e, expr, &methods[i], place, used, to);
    return unknown(e, expr->kids[0], word);
}

/* ---- what has methods ----------------------------------------------------------------------- */

/* "std::atomic_store_explicit(&x, 1, order)" is "(&x)->store(1, order)". */
bool eval_atomic_function(struct eval *e, const struct cpp_expr *expr, const char *word, bool used,
                          bool *found, struct code_value *to)
{
    static const char *const words[] = {"load",      "store",      "exchange",  "fetch_add",
                                        "fetch_sub", "fetch_and",  "fetch_or",  "fetch_xor",
                                        "wait",      "notify_one", "notify_all"};
    size_t which = 0, count = sizeof words / sizeof *words;
    size_t length = strlen(word);
    bool is_explicit = length > 9 && strcmp(word + length - 9, "_explicit") == 0;
    length -= is_explicit ? 9 : 0;
    bool prefixed = length > 7 && strncmp(word, "atomic_", 7) == 0 && expr->kid_count > 1;
    while (prefixed && which < count &&
           (strlen(words[which]) != length - 7 || strncmp(word + 7, words[which], length - 7) != 0))
        which++;
    *found = prefixed && which < count;
    if (!*found)
        return false;
    struct cpp_part part = {.word = words[which]};
    struct cpp_expr member = {.kind = CPP_MEMBER,
                              .is_arrow = true,
                              .name = {.parts = &part, .part_count = 1, .span = expr->span},
                              .kids = expr->kids + 1,
                              .kid_count = 1,
                              .span = expr->span};
    struct cpp_expr call = *expr;
    call.kids = ARENA_ARRAY(e->arena, const struct cpp_expr *, expr->kid_count - 1);
    call.kid_count = expr->kid_count - 1;
    call.kids[0] = &member;
    for (uint32_t i = 1; i < call.kid_count; i++)
        call.kids[i] = expr->kids[i + 1];
    return eval_method(e, &call, used, to);
}
