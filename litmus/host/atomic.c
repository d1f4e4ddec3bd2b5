/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

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

bool eval_atomic_read(struct eval *e, const struct lvalue *place, enum sem sem, struct span span,
                      struct code_value *to)
{
    struct raw_operand operands[2] = {eval_temporary(e, span)};
    enum scope scope = scope_of(place);
    if (is_gap(e, place, span, to))
        return true;
    operands[1] = eval_memory(place, span);
    seq_cst_fence(e, sem, scope, span);
    eval_emit(e, (struct raw_inst){.op = OP_LD, .sem = sem, .scope = scope}, operands, 2, span);
    *to = read_value(e, operands[0], place);
    return true;
}

bool eval_atomic_write(struct eval *e, const struct lvalue *place, const struct code_value *value,
                       enum sem sem, struct span span)
{
    struct raw_operand operands[2];
    enum scope scope = scope_of(place);
    operands[0] = eval_memory(place, span);
    if (!eval_operand(e, value, span, &operands[1]))
        return false;
    seq_cst_fence(e, sem, scope, span);
    eval_emit(e, (struct raw_inst){.op = OP_ST, .sem = sem, .scope = scope}, operands, 2, span);
    return true;
}

bool eval_atomic_update(struct eval *e, const struct lvalue *place, enum atom_op op,
                        const struct code_value *value, enum sem sem, bool used, struct span span,
                        struct code_value *to)
{
    struct raw_operand operands[3];
    struct raw_inst inst = {.op = OP_ATOM, .atom_op = op, .sem = sem, .scope = scope_of(place)};
    if (is_gap(e, place, span, to))
        return true;
    if (!eval_operand(e, value, span, &operands[2]))
        return false;
    seq_cst_fence(e, sem, inst.scope, span);
    operands[0] = used ? eval_temporary(e, span) : (struct raw_operand){.kind = RAW_SINK};
    operands[0].span = span;
    operands[1] = eval_memory(place, span);
    eval_emit(e, inst, operands, 3, span);
    *to = used ? read_value(e, operands[0], place) : (struct code_value){VALUE_NOTHING};
    return true;
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

bool eval_atomic_reference(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    const char *word = expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    if (!word || strcmp(word, "atomic_ref") != 0 || expr->kid_count != 2)
        return false;
    struct cpp_type type = {.kind = CPP_TYPE_NAMED, .name = expr->kids[0]->name};
    const struct code_shape *given = eval_shape(e, &type);
    if (!eval_place_of(e, expr->kids[1], to) || to->cell)
        return false;
    struct code_shape *shape = ARENA_NEW(e->arena, struct code_shape);
    *shape = *given;
    if (!cpp_last_part(&type.name)->argument_count)
        shape->type = e->p->locations.at[to->location].type;
    to->shape = shape;
    return true;
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

/* compare_exchange: 'expected' becomes what was found; true if that was expected. */
static bool compare_exchange(struct eval *e, const struct cpp_expr *expr,
                             const struct lvalue *place, struct code_value *to)
{
    struct raw_operand operands[4];
    struct lvalue expected;
    struct code_value old, desired, found;
    struct raw_inst inst = {.op = OP_ATOM, .atom_op = ATOM_CAS, .scope = scope_of(place)};
    if (expr->kid_count < 3) {
        eval_error(e, host_argument, expr->span, NULL,
                   "compare_exchange takes the expected and the new value");
        return false;
    }
    const struct cpp_expr *first = expr->kids[1];
    if (first->kind == CPP_UNARY && first->mark == CPP_MARK_AND)
        first = first->kids[0];
    if (first->kind == CPP_NUMBER) {
        eval_error(e, host_argument, first->span, "declare a variable: int expected = 0;",
                   "compare_exchange writes what it finds to its first argument");
        return false;
    }
    if (!eval_place_of(e, first, &expected) || !eval_read(e, &expected, first->span, &old) ||
        !eval_value(e, expr->kids[2], &desired) || !order(e, expr, 3, &inst.sem))
        return false;
    if (!eval_operand(e, &old, first->span, &operands[2]) ||
        !eval_operand(e, &desired, expr->kids[2]->span, &operands[3]))
        return false;
    if (is_gap(e, place, expr->span, to))
        return eval_needs(e, to, expr->span, "a number");
    seq_cst_fence(e, inst.sem, inst.scope, expr->span);
    found = eval_new_variable(e, eval_read_type(e, place), expr->span);
    found.holds = e->p->locations.at[place->location].type;
    operands[0] = found.operand;
    operands[1] = eval_memory(place, expr->span);
    eval_emit(e, inst, operands, 4, expr->span);
    /* the result before 'expected' changes */
    *to = eval_new_variable(e, TYPE_S32, expr->span);
    uint32_t differs = eval_new_aim(e), end = eval_new_aim(e);
    struct raw_operand set[2] = {to->operand, eval_number_operand(0, expr->span)};
    eval_jump_if(e, CMP_NE, &found.operand, &operands[2], differs, expr->span);
    set[1].value = 1;
    eval_emit(e, (struct raw_inst){.op = OP_MOV}, set, 2, expr->span);
    eval_jump(e, end, expr->span);
    eval_place(e, differs);
    set[1].value = 0;
    eval_emit(e, (struct raw_inst){.op = OP_MOV}, set, 2, expr->span);
    if (!eval_write(e, &expected, &found, expr->span))
        return false;
    eval_place(e, end);
    return true;
}

/* "f.compare_exchange(1, 2)": what was found, as a printed test has it. */
static bool exchanged(struct eval *e, const struct cpp_expr *expr, const struct lvalue *place,
                      struct code_value *to)
{
    struct raw_operand operands[4];
    struct code_value expected, desired;
    struct raw_inst inst = {.op = OP_ATOM, .atom_op = ATOM_CAS, .scope = scope_of(place)};
    if (expr->kid_count < 3) {
        eval_error(e, host_argument, expr->span, NULL,
                   "compare_exchange takes the expected and the new value");
        return false;
    }
    if (!eval_value(e, expr->kids[1], &expected) || !eval_value(e, expr->kids[2], &desired) ||
        !order(e, expr, 3, &inst.sem) || !eval_operand(e, &expected, expr->span, &operands[2]) ||
        !eval_operand(e, &desired, expr->span, &operands[3]))
        return false;
    if (is_gap(e, place, expr->span, to))
        return eval_needs(e, to, expr->span, "a number");
    seq_cst_fence(e, inst.sem, inst.scope, expr->span);
    operands[0] = eval_temporary(e, expr->span);
    operands[1] = eval_memory(place, expr->span);
    eval_emit(e, inst, operands, 4, expr->span);
    *to = read_value(e, operands[0], place);
    return true;
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

static bool atomic_method(struct eval *e, const struct cpp_expr *expr, const struct lvalue *place,
                          bool used, struct code_value *to)
{
    const char *word = cpp_last_part(&expr->kids[0]->name)->word;
    *to = (struct code_value){VALUE_NOTHING};
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

static bool add_element(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                        bool emplace)
{
    const struct code_shape *of = cell->shape->of;
    struct code_value value;
    struct code_cell *part;
    struct cpp_declarator object = {.given = expr->kids + 1,
                                    .given_count = expr->kid_count - 1,
                                    .is_given = true,
                                    .span = expr->span};
    const struct cpp_expr *first = expr->kid_count > 1 ? expr->kids[1] : NULL;
    const char *made = first && first->kind == CPP_CALL ? eval_word(first->kids[0]) : NULL;
    bool is_made = made && strstr(made, "thread"); /* push_back(std::thread(f)) */
    if (of && of->kind == SHAPE_THREAD && !is_made) {
        part = eval_part(e, cell, cell->parts.len);
        if (!eval_start_thread(e, expr, arena_printf(e->arena, "%s_%u", cell->name, part->id),
                               &value))
            return false;
        part->value = value.cell->value;
        return true;
    }
    bool structure = of && of->kind == SHAPE_STRUCT && of->structure && of->structure->is_own;
    if (structure || (of && eval_holds_objects(e, of)) || (first && first->kind == CPP_LIST)) {
        bool objects = eval_holds_objects(e, of ? of : cell->shape);
        object.is_braced = emplace && !objects;
        if (!emplace && first) {
            object = (struct cpp_declarator){.value = first, .span = expr->span};
            if (!objects && first->kind != CPP_LIST && first->kind != CPP_CALL && structure) {
                part = eval_part(e, cell, cell->parts.len); /* a copy */
                return eval_value(e, first, &value) && eval_set_object(e, part, &value, expr->span);
            }
        }
        cell->is_class = cell->is_class || objects;
        part = eval_part(e, cell, cell->parts.len);
        return (objects ? eval_make_object : eval_initialize)(e, part, &object);
    }
    if (!first) { /* "emplace_back()" */
        eval_part(e, cell, cell->parts.len);
        return true;
    }
    if (expr->kid_count > 2) {
        eval_error(e, host_argument, expr->span, NULL, "an element has one value");
        return false;
    }
    return eval_value(e, first, &value) &&
           eval_set(e, eval_part(e, cell, cell->parts.len), &value, expr->span);
}

/* "v.resize(n)", "v.resize(n, x)": new elements are made as by "std::vector<T> v(n)". */
static bool resize(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell)
{
    uint64_t size;
    struct code_value value = eval_number(0, TYPE_S32);
    if (expr->kid_count < 2 || !eval_known_number(e, expr->kids[1], "the size of a vector", &size))
        return false;
    if (size > MAX_ELEMENTS) {
        eval_error(e, bad_array, expr->span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
        return false;
    }
    bool objects = cell->shape->of && eval_holds_objects(e, cell->shape->of);
    bool numbers = cell->shape->of && (cell->shape->of->kind == SHAPE_NUMBER ||
                                       cell->shape->of->kind == SHAPE_POINTER);
    const struct cpp_declarator blank = {.span = expr->span};
    if (expr->kid_count > 2 && !eval_value(e, expr->kids[2], &value))
        return false;
    while (cell->parts.len > size) {
        eval_end_member(e, cell->parts.at[cell->parts.len - 1]);
        cell->parts.len--;
    }
    cell->is_class = cell->is_class || objects;
    while (cell->parts.len < size) {
        struct code_cell *part = eval_part(e, cell, cell->parts.len);
        bool good = objects                          ? eval_make_object(e, part, &blank)
                    : numbers || expr->kid_count > 2 ? eval_set(e, part, &value, expr->span)
                                                     : true;
        if (!good)
            return false;
    }
    return true;
}

/* Where an iterator of the vector points. */
static bool position(struct eval *e, const struct cpp_expr *expr, const struct code_cell *cell,
                     uint32_t *at)
{
    struct code_value pointer;
    if (!eval_value(e, expr, &pointer))
        return false;
    *at = (uint32_t)pointer.number;
    return (pointer.kind == VALUE_CELL && pointer.cell == cell && *at <= cell->parts.len) ||
           eval_needs(e, &pointer, expr->span, "an iterator of the vector");
}

/* The last 'count' elements come to stand before element 'at'. */
static void rotate(struct eval *e, struct code_cell *cell, uint32_t at, uint32_t count)
{
    uint32_t kept = cell->parts.len - count;
    struct code_cell **moved = ARENA_ARRAY(e->arena, struct code_cell *, count);
    for (uint32_t i = 0; i < count; i++)
        moved[i] = cell->parts.at[kept + i];
    for (uint32_t i = kept; i-- > at;)
        cell->parts.at[i + count] = cell->parts.at[i];
    for (uint32_t i = 0; i < count; i++)
        cell->parts.at[at + i] = moved[i];
}

/* Elements from 'first' to 'last', two iterators, are added to the end. */
static bool add_range(struct eval *e, struct code_cell *cell, const struct cpp_expr *first,
                      const struct cpp_expr *last)
{
    struct code_value from, to, one = eval_number(1, TYPE_S32), element;
    if (!eval_value(e, first, &from) || !eval_value(e, last, &to))
        return false;
    if (from.kind != to.kind || (from.kind != VALUE_CELL && from.kind != VALUE_ADDRESS))
        return eval_needs(e, &from, first->span, "an iterator");
    for (uint32_t i = 0; !eval_same_value(&from, &to) && i < MAX_ELEMENTS; i++) {
        struct lvalue place;
        if (!eval_pointed_to(e, &from, 0, first->span, &place) ||
            !eval_read(e, &place, first->span, &element) ||
            !eval_set(e, eval_part(e, cell, cell->parts.len), &element, first->span) ||
            !eval_binary(e, CPP_MARK_ADD, &from, &one, first->span))
            return false;
    }
    return true;
}

/* "v.insert(at, x)", "v.insert(at, first, last)", "v.emplace(at, …)" */
static bool insert(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                   struct code_value *to)
{
    bool emplace = strcmp(cpp_last_part(&expr->kids[0]->name)->word, "emplace") == 0;
    uint32_t at, before = cell->parts.len;
    struct cpp_expr rest = *expr;
    if (expr->kid_count < 2 || !position(e, expr->kids[1], cell, &at))
        return false;
    rest.kids = ARENA_ARRAY(e->arena, const struct cpp_expr *, expr->kid_count - 1);
    rest.kid_count = expr->kid_count - 1;
    rest.kids[0] = expr->kids[0];
    for (uint32_t i = 2; i < expr->kid_count; i++)
        rest.kids[i - 1] = expr->kids[i];
    bool range = expr->kid_count == 4 && !emplace;
    if (!(range ? add_range(e, cell, expr->kids[2], expr->kids[3])
                : add_element(e, &rest, cell, emplace)))
        return false;
    rotate(e, cell, at, cell->parts.len - before);
    to->number = at;
    return true;
}

/* "v.erase(at)", "v.erase(first, last)" */
static bool erase(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                  struct code_value *to)
{
    uint32_t from, until;
    if (expr->kid_count < 2 || !position(e, expr->kids[1], cell, &from))
        return false;
    until = from + 1;
    if (expr->kid_count == 3 && !position(e, expr->kids[2], cell, &until))
        return false;
    if (until < from || until > cell->parts.len)
        return eval_needs(e, to, expr->span, "an element of the vector");
    for (uint32_t i = from; i < until; i++)
        eval_end_member(e, cell->parts.at[i]);
    for (uint32_t i = until; i < cell->parts.len; i++)
        cell->parts.at[from + i - until] = cell->parts.at[i];
    cell->parts.len -= until - from;
    to->number = from;
    return true;
}

/* "v.assign(n, x)", "v.assign(first, last)" */
static bool assign(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell)
{
    struct code_value first;
    uint32_t insts = parse_body(e->p)->insts.len;
    if (expr->kid_count != 3 || !eval_value(e, expr->kids[1], &first) ||
        parse_body(e->p)->insts.len != insts)
        return eval_needs(e, &first, expr->span, "a number of elements, or two iterators");
    uint32_t before = cell->parts.len;
    bool number = first.kind == VALUE_NUMBER;
    for (uint32_t i = 0; i < before; i++)
        eval_end_member(e, cell->parts.at[i]);
    if (number)
        cell->parts.len = 0;
    if (number)
        return resize(e, expr, cell);
    if (!add_range(e, cell, expr->kids[1], expr->kids[2]))
        return false;
    for (uint32_t i = before; i < cell->parts.len; i++)
        cell->parts.at[i - before] = cell->parts.at[i];
    cell->parts.len -= before;
    return true;
}

/* "v.swap(w)" */
static bool swap_lists(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell)
{
    struct lvalue other;
    struct code_value value = {.kind = VALUE_CELL, .cell = cell};
    if (expr->kid_count != 2 || !eval_place_of(e, expr->kids[1], &other) || !other.cell ||
        other.cell->shape->kind != SHAPE_VECTOR || cell->host != other.cell->host)
        return eval_needs(e, &value, expr->span, "a vector to swap with");
    struct code_cell kept = *cell;
    cell->parts = other.cell->parts;
    other.cell->parts = kept.parts;
    return true;
}

static bool vector_method(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                          struct code_value *to)
{
    const char *word = cpp_last_part(&expr->kids[0]->name)->word;
    if (cell->value.kind == VALUE_UNKNOWN) /* how many there are now */
        return eval_needs(e, &cell->value, expr->span, "a vector");
    *to = (struct code_value){.kind = VALUE_CELL, .cell = cell};
    if (strcmp(word, "data") == 0 || strcmp(word, "begin") == 0 || strcmp(word, "cbegin") == 0)
        return true;
    uint64_t size = cell->shape->kind == SHAPE_ARRAY ? cell->shape->count : cell->parts.len;
    if (strcmp(word, "end") == 0 || strcmp(word, "cend") == 0) {
        to->number = size;
        return true;
    }
    if (strcmp(word, "size") == 0) {
        *to = eval_number(size, TYPE_U64);
        return true;
    }
    if (strcmp(word, "empty") == 0) {
        *to = eval_number(!size, TYPE_U8);
        return true;
    }
    if (strcmp(word, "at") == 0 || strcmp(word, "back") == 0 || strcmp(word, "front") == 0) {
        uint64_t index = strcmp(word, "back") == 0 ? size - 1 : 0;
        if (expr->kid_count == 2 && !eval_known_number(e, expr->kids[1], "an index", &index))
            return false;
        if (index >= size) {
            eval_error(e, number_out_of_range, expr->span, NULL, "'%s' has %u element%s",
                       cell->name, (unsigned)size, size == 1 ? "" : "s");
            return false;
        }
        to->number = index;
        return true;
    }
    if (e->branches) {
        eval_error(e, host_statement, expr->span, "change it where every run comes by",
                   "a vector that changes in a branch is not read");
        return false;
    }
    if (strcmp(word, "clear") == 0) {
        eval_end_object(e, cell);
        cell->parts.len = 0;
        return true;
    }
    if (strcmp(word, "reserve") == 0 || strcmp(word, "shrink_to_fit") == 0)
        return true;
    if (strcmp(word, "insert") == 0 || strcmp(word, "emplace") == 0)
        return insert(e, expr, cell, to);
    if (strcmp(word, "erase") == 0)
        return erase(e, expr, cell, to);
    if (strcmp(word, "assign") == 0)
        return assign(e, expr, cell);
    if (strcmp(word, "swap") == 0)
        return swap_lists(e, expr, cell);
    if (strcmp(word, "resize") == 0)
        return resize(e, expr, cell);
    if (strcmp(word, "pop_front") == 0 && cell->parts.len) {
        eval_end_member(e, cell->parts.at[0]);
        for (uint32_t i = 1; i < cell->parts.len; i++)
            cell->parts.at[i - 1] = cell->parts.at[i];
        cell->parts.len--;
        return true;
    }
    if (strcmp(word, "pop_back") == 0 && cell->parts.len) {
        eval_end_member(e, cell->parts.at[cell->parts.len - 1]);
        cell->parts.len--;
        return true;
    }
    if (strcmp(word, "push_back") == 0 || strcmp(word, "emplace_back") == 0) {
        bool good = add_element(e, expr, cell, *word == 'e');
        to->number = cell->parts.len - 1;
        return good;
    }
    eval_error(e, host_statement, expr->span, NULL,
               "a vector has size, data, push_back, emplace_back, pop_back, insert, erase, assign, "
               "swap, resize, clear, at, front and back, not '%.60s'",
               word);
    return false;
}

static bool memory_method(struct eval *e, const struct cpp_expr *expr, const struct lvalue *place,
                          struct code_value *to)
{
    const char *word = cpp_last_part(&expr->kids[0]->name)->word;
    uint64_t elements = e->p->locations.at[place->location].elements, index = 0;
    bool element =
        strcmp(word, "at") == 0 || strcmp(word, "front") == 0 || strcmp(word, "back") == 0;
    uint32_t gap = place->shape->kind == SHAPE_VECTOR ? gap_of_memory(e, place->location) : 0;
    if (gap && strcmp(word, "data") != 0) { /* how many there are now */
        struct code_value unknown = gap_value(gap, expr->span);
        return eval_needs(e, &unknown, expr->span, "a vector");
    }
    if (strcmp(word, "size") == 0 || strcmp(word, "empty") == 0) {
        *to = eval_number(*word == 's' ? elements : !elements, TYPE_U64);
        return true;
    }
    if (strcmp(word, "at") == 0 &&
        (expr->kid_count < 2 || !eval_known_number(e, expr->kids[1], "an index", &index)))
        return false;
    if (!element && strcmp(word, "data") != 0 && strcmp(word, "begin") != 0 &&
        strcmp(word, "end") != 0 && strcmp(word, "reserve") != 0) {
        eval_error(e, host_statement, expr->span, "give it its size where it is declared",
                   "memory that is copied cannot change its size: '%.60s'", word);
        return false;
    }
    index = strcmp(word, "end") == 0 ? elements : strcmp(word, "back") == 0 ? elements - 1 : index;
    if (!eval_point_to(e, place, to))
        return false;
    to->number += index * eval_unit(e, place->location);
    return true;
}

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

/* Not virtual, and hiding one of a base: what is called depends on the type that the object is known by. */
static bool is_certain(struct eval *e, const struct code_function *own,
                       const struct code_cell *object, const char *word,
                       const struct cpp_expr *member)
{
    struct class_levels levels = eval_levels(e, object->shape);
    bool hides = false, is_virtual = false;
    for (uint32_t i = 0; i < e->functions.len; i++) {
        const struct code_function *one = e->functions.at[i];
        const char *name = one->of ? strstr(one->name, "::") : NULL;
        bool level = false;
        for (uint32_t k = 0; k < levels.of.len; k++)
            level = level || levels.of.at[k]->structure == one->of;
        if (!level || !name || strcmp(name + 2, word) != 0)
            continue;
        hides = hides || one->of != own->of;
        is_virtual = is_virtual || one->is_virtual;
    }
    const char *variable = member->is_arrow ? NULL : eval_word(member->kids[0]);
    return !hides || is_virtual || (variable && strcmp(variable, object->name) == 0);
}

/* A function of the object's class, or one that a member holds. */
static bool own_method(struct eval *e, const struct cpp_expr *expr, struct code_cell *object,
                       const char *word, bool *found, struct code_value *to)
{
    bool good = true;
    *found = false;
    if (object->shape->kind != SHAPE_STRUCT || !object->shape->structure)
        return true;
    const struct code_function *own = eval_choose(e, word, object->shape, expr, 1, &good);
    *found = own || !good;
    if (own && !is_certain(e, own, object, word, expr->kids[0])) {
        eval_error(e, host_statement, expr->span, "make the function virtual, or name the class",
                   "which '%s' is called is not known: '%s' hides one of a base", word, own->name);
        *found = true;
        return false;
    }
    if (own)
        return eval_call_member(e, own, object, expr, 1, to);
    for (uint32_t i = 0; good && i < object->parts.len; i++) {
        const struct code_cell *part = object->parts.at[i];
        *found =
            part->member && strcmp(part->member, word) == 0 && part->value.kind == VALUE_FUNCTION;
        if (*found)
            return eval_call_function(e, part->value.function, expr, 1, to);
    }
    return good;
}

bool eval_method(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to)
{
    const struct cpp_expr *member = expr->kids[0];
    const char *word = cpp_last_part(&member->name)->word;
    struct lvalue place;
    if (member->name.part_count > 1) {
        eval_error(e, host_statement, member->span, "give the functions different names",
                   "a function of a base that is named is not modelled");
        return false;
    }
    if (!eval_object_of(e, member, &place))
        return false;
    if (!place.cell && place.shape &&
        (place.shape->kind == SHAPE_ARRAY || place.shape->kind == SHAPE_VECTOR))
        return memory_method(e, expr, &place, to);
    if (!place.cell)
        return atomic_method(e, expr, &place, used, to);
    place.cell = eval_thread_of(place.cell);
    bool found, good = own_method(e, expr, place.cell, word, &found, to);
    if (found)
        return good;
    switch (place.cell->shape->kind) {
    case SHAPE_VECTOR:
    case SHAPE_ARRAY:
        return vector_method(e, expr, place.cell, to);
    case SHAPE_THREAD:
    case SHAPE_MUTEX:
    case SHAPE_LOCK:
    case SHAPE_SIGNAL:
        return eval_thread_method(e, place.cell, word, expr, to);
    default:
        if (place.cell->value.kind == VALUE_STRING &&
            (strcmp(word, "c_str") == 0 || strcmp(word, "data") == 0)) {
            *to = place.cell->value;
            return true;
        }
        if (place.cell->value.kind == VALUE_UNKNOWN && !place.cell->value.number) {
            *to = place.cell->value; /* "time.count()" */
            return true;
        }
        eval_error(e, host_statement, member->span,
                   "declare it in the initial state, or as std::atomic",
                   "'%s' is no atomic object: it has no '%.60s'",
                   eval_text(e, member->kids[0]->span), word);
        return false;
    }
}
