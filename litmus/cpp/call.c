/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* Calls of device code: methods of atomic objects, fences, barriers, CUDA's older atomic functions. */

static const struct cpp_method {
    const char *word;
    enum op op;
    enum atom_op atom_op;
    uint32_t values;
    bool of_flag;
} methods[] = {
#define METHOD(word, op, atom_op, values) {word, OP_##op, ATOM_##atom_op, values},
#define FLAG(word, op, atom_op)           {word, OP_##op, ATOM_##atom_op, 0, true},
#include "litmus/cpp/word.def"
};
enum { METHODS = sizeof methods / sizeof *methods };

static const struct cpp_method *method_named(const char *word, size_t length)
{
    for (size_t i = 0; i < METHODS; i++)
        if (strlen(methods[i].word) == length && memcmp(word, methods[i].word, length) == 0)
            return &methods[i];
    return NULL;
}

static bool wrong_count(struct cpp_code *code, const struct cpp_expr *expr, const char *what)
{
    code_error(code, cpp_arguments, expr->span, NULL, "'%s' takes %s",
               source_words(code->arena, code->source, expr->kids[0]->span), what);
    return false;
}

/* ---- order and scope ------------------------------------------------------------------------ */

/* What stands behind the values of a call, from argument 'index' on. */
struct cpp_orders {
    enum sem sem, failed_sem;
    enum scope scope;
    bool is_scoped, is_ordered;
};

/* Of a failed exchange with one order: without its release half. */
static enum sem failure_of(enum sem sem)
{
    return sem == SEM_ACQ_REL ? SEM_ACQUIRE : sem == SEM_RELEASE ? SEM_RELAXED : sem;
}

static bool read_orders(struct cpp_code *code, const struct cpp_expr *expr, uint32_t index,
                        char operation, struct cpp_orders *to)
{
    uint32_t orders = 0, most = operation == 'x' ? 2 : 1;
    *to = (struct cpp_orders){SEM_SC, SEM_SC, SCOPE_SYS, false, false};
    for (; index < expr->kid_count; index++) {
        const struct cpp_expr *kid = expr->kids[index];
        if (to->is_scoped)
            return wrong_count(code, expr, "an order and a scope as its last arguments");
        to->is_scoped = cpp_scope_word(code, kid, &to->scope);
        if (to->is_scoped)
            continue;
        if (orders == most)
            return cpp_unknown_scope(code, kid);
        char letter = operation != 'x' ? operation : orders ? 'x' : 'r';
        if (!cpp_order(code, kid, letter, orders ? &to->failed_sem : &to->sem))
            return false;
        orders++;
    }
    to->is_ordered = orders;
    if (orders < 2)
        to->failed_sem = failure_of(to->sem);
    return true;
}

/* ---- atomic objects ------------------------------------------------------------------------- */

/* "atomic_ref<int>" of "atomic_ref<int>(x)"; NULL: it is none. */
static const struct cpp_part *reference_part(const struct cpp_code *code,
                                             const struct cpp_expr *expr)
{
    struct cpp_type type = {.kind = CPP_TYPE_NAMED};
    if (expr->kind != CPP_CALL || expr->kids[0]->kind != CPP_NAME)
        return NULL;
    type.name = expr->kids[0]->name;
    const struct cpp_type *meant = cpp_meant(code, &type);
    const char *word = meant->kind == CPP_TYPE_NAMED ? cpp_plain_word(&meant->name) : NULL;
    return word && strcmp(word, "atomic_ref") == 0 ? cpp_last_part(&meant->name) : NULL;
}

bool cpp_is_reference(const struct cpp_code *code, const struct cpp_expr *expr)
{
    return reference_part(code, expr);
}

/* "atomic_ref r(x);" has the type of x. */
static void take_type(struct cpp_code *code, struct cpp_kind *kind, struct cpp_kind object)
{
    enum scope scope = kind->scope;
    *kind = object.is_pointer ? cpp_pointer_holder(code, object) : cpp_value_kind(object);
    kind->is_atomic = true;
    kind->scope = scope;
}

bool cpp_reference(struct cpp_code *code, const struct cpp_part *part,
                   const struct cpp_expr *object, struct cpp_operand *to)
{
    struct cpp_type type = {.kind = CPP_TYPE_NAMED, .span = object->span};
    struct cpp_kind kind;
    bool is_reference;
    type.name = (struct cpp_name){.parts = (struct cpp_part *)part, .part_count = 1};
    if (!cpp_object(code, object, to) || !cpp_kind_of(code, &type, &kind, &is_reference))
        return false;
    if (!part->argument_count)
        take_type(code, &kind, to->kind);
    if (to->form != CPP_FORM_OBJECT || to->kind.is_pointer != (kind.held != NULL) ||
        cpp_kind_bytes(kind) != cpp_kind_bytes(to->kind)) {
        code_error(code, cpp_type, object->span, "declare a location of that type",
                   "an atomic_ref of this type does not refer to '%s'",
                   source_words(code->arena, code->source, object->span));
        return false;
    }
    to->kind = kind;
    to->is_variable = true;
    return true;
}

/* compare_exchange: the variable 'expected' gets what was found; true if that was expected. */
static bool exchange(struct cpp_code *code, const struct cpp_expr *expr, uint32_t index,
                     const struct cpp_operand *object, const struct cpp_orders *orders,
                     struct cpp_operand *to)
{
    const struct cpp_expr *place = expr->kids[index];
    struct cpp_exchange exchange = {.sem = orders->sem, .failed_sem = orders->failed_sem};
    struct cpp_operand variable, found;
    if (place->kind == CPP_UNARY && place->mark == CPP_MARK_AND)
        place = place->kids[0]; /* "&expected", as C has it */
    if (place->kind == CPP_NUMBER) {
        code_error(code, cpp_arguments, place->span, "declare a variable: int expected = 0;",
                   "compare_exchange writes what it finds to its first argument");
        return false;
    }
    if (!cpp_object(code, place, &variable) ||
        !cpp_lower_value(code, expr->kids[index + 1], &exchange.desired))
        return false;
    exchange.expected = variable;
    if (!cpp_read(code, &exchange.expected, place->span) ||
        !cpp_atomic_exchange(code, object, exchange, expr->span, &found))
        return false;
    *to = found;
    return cpp_binary(code, CPP_MARK_EQ, to, exchange.expected, expr->span) &&
           cpp_write(code, &variable, &found, place->span);
}

/* A flag has methods of its own, and no others; a plain object has none. C's functions take it. */
static bool has_method(struct cpp_code *code, const struct cpp_expr *expr,
                       const struct cpp_method *row, const struct cpp_operand *object)
{
    if (expr->kids[0]->kind == CPP_MEMBER && object->form == CPP_FORM_OBJECT &&
        !object->kind.is_atomic) {
        code_error(code, cpp_type, expr->kids[0]->span,
                   "declare it as cuda::atomic, or write cuda::atomic_ref<int>(x)",
                   "only atomic objects have '%s'", row->word);
        return false;
    }
    if (row->of_flag == object->kind.is_flag)
        return true;
    code_error(code, cpp_unknown_function, expr->span,
               row->of_flag
                   ? "write exchange(1) for test_and_set, store(0) for clear, load for test"
                   : NULL,
               row->of_flag ? "'%s' is a method of atomic_flag"
                            : "an atomic_flag has test_and_set, clear and test, not '%s'",
               row->word);
    return false;
}

/* The operation of the row on the object; its values begin at argument 'index'. */
static bool atomic(struct cpp_code *code, const struct cpp_expr *expr, const struct cpp_method *row,
                   struct cpp_operand object, uint32_t index, struct cpp_operand *to)
{
    char letter = row->op == OP_LD           ? 'l'
                  : row->op == OP_ST         ? 's'
                  : row->atom_op == ATOM_CAS ? 'x'
                                             : 'r';
    struct cpp_orders orders;
    struct cpp_operand value = cpp_number(row->op == OP_ATOM, TYPE_S32); /* of a flag */
    if (!has_method(code, expr, row, &object))
        return false;
    if (expr->kid_count < index + row->values)
        return wrong_count(code, expr,
                           row->values == 2   ? "two values first"
                           : row->values == 1 ? "a value first"
                                              : "an object");
    if (!read_orders(code, expr, index + row->values, letter, &orders))
        return false;
    if (orders.is_scoped || !object.kind.is_atomic)
        object.kind.scope = orders.scope;
    if (row->atom_op == ATOM_CAS)
        return exchange(code, expr, index, &object, &orders, to);
    if (row->values && !cpp_lower_value(code, expr->kids[index], &value))
        return false;
    if (row->op == OP_ATOM)
        return cpp_atomic_update(code, &object, row->atom_op, value, orders.sem, expr->span, to);
    *to = row->op == OP_LD ? object : (struct cpp_operand){.form = CPP_FORM_NOTHING};
    return row->op == OP_LD ? cpp_atomic_load(code, to, orders.sem, expr->span)
                            : cpp_atomic_store(code, &object, &value, orders.sem, expr->span);
}

/* ---- barriers ------------------------------------------------------------------------------- */

/* Barriers arrive and wait: nothing is returned. */
static bool barrier(struct cpp_code *code, const struct cpp_expr *expr, enum op op, uint32_t flags,
                    struct cpp_operand *to)
{
    struct inst *inst = cpp_emit(code, op, TYPE_NONE, expr->span);
    inst->flags |= flags;
    if (op == OP_BAR_SYNC)
        cpp_add_number(inst, 0);
    if (op == OP_CLUSTER_ARRIVE) {
        inst->sem = SEM_RELEASE;
        inst->scope = SCOPE_CLUSTER;
        inst = cpp_emit(code, OP_CLUSTER_WAIT, TYPE_NONE, expr->span);
        inst->sem = SEM_ACQUIRE;
        inst->scope = SCOPE_CLUSTER;
    }
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    return true;
}

bool cpp_group(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    static const struct {
        const char *word;
        enum op op;
    } rows[] = {{"this_thread_block", OP_BAR_SYNC},
                {"this_cluster", OP_CLUSTER_ARRIVE},
                {"this_grid", OP_GRID_SYNC}};
    const char *name = expr->kind == CPP_NAME ? cpp_plain_word(&expr->name) : NULL;
    if (name && cpp_find_variable(code, name, to))
        return to->form == CPP_FORM_GROUP;
    if (expr->kind != CPP_CALL || expr->kid_count != 1 || expr->kids[0]->kind != CPP_NAME)
        return false;
    const char *word = cpp_last_part(&expr->kids[0]->name)->word;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0) {
            *to = (struct cpp_operand){.form = CPP_FORM_GROUP, .bits = (uint64_t)rows[i].op};
            return true;
        }
    return false;
}

/* "cg::this_thread_block().sync()", "cg::sync(block)"; '*found': it is one. */
static bool group_sync(struct cpp_code *code, const struct cpp_expr *expr, bool *found,
                       struct cpp_operand *to)
{
    const struct cpp_expr *callee = expr->kids[0];
    bool method = callee->kind == CPP_MEMBER;
    struct cpp_operand group;
    if (strcmp(cpp_last_part(&callee->name)->word, "sync") != 0 ||
        expr->kid_count != (method ? 1 : 2) ||
        !cpp_group(code, method ? callee->kids[0] : expr->kids[1], &group))
        return false;
    *found = true;
    return barrier(code, expr, (enum op)group.bits, 0, to);
}

static bool warp_sync(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    struct cpp_operand mask = cpp_number(UINT32_MAX, TYPE_U32);
    if (expr->kid_count > 2)
        return wrong_count(code, expr, "a mask");
    if (expr->kid_count == 2 && (!cpp_lower_value(code, expr->kids[1], &mask) ||
                                 !cpp_convert(code, &mask, cpp_integer_kind(TYPE_U32), expr->span)))
        return false;
    barrier(code, expr, OP_BAR_WARP_SYNC, 0, to);
    cpp_add_value(&code->insts.at[code->insts.len - 1], &mask);
    return true;
}

/* ---- methods -------------------------------------------------------------------------------- */

static bool unknown_method(struct cpp_code *code, const struct cpp_expr *member, const char *word)
{
    if (cpp_is_refused(code, member))
        return false;
    const char *words[METHODS];
    for (size_t i = 0; i < METHODS; i++)
        words[i] = methods[i].word;
    code_error(code, cpp_unknown_function, member->name.span,
               diag_hint(code->arena, word, strlen(word), words, METHODS),
               "an atomic object has load, store, exchange, compare_exchange_strong and _weak, "
               "fetch_add, _sub, _and, _or, _xor, _min and _max, wait, notify_one and "
               "is_lock_free, not '%.60s'",
               word);
    return false;
}

/* "f.wait(0, acquire)": loads until the value is another. */
static bool wait(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand object,
                 struct cpp_operand *to)
{
    struct cpp_orders orders;
    struct cpp_operand old;
    uint32_t head = cpp_new_aim(code);
    if (expr->kid_count < 2)
        return wrong_count(code, expr, "the old value first");
    if (!read_orders(code, expr, 2, 'l', &orders) || !cpp_lower_value(code, expr->kids[1], &old) ||
        !cpp_convert(code, &old, cpp_value_kind(object.kind), expr->span))
        return false;
    cpp_place(code, head);
    if (!cpp_atomic_load(code, &object, orders.sem, expr->span))
        return false;
    cpp_compare(code, CMP_EQ, &object, &old, expr->span, to);
    cpp_jump_if(code, to->reg, true, head, expr->span);
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    return true;
}

/* "notify_one" and "notify_all" order nothing: who waits polls. */
static bool is_notify(const char *word)
{
    return strcmp(word, "notify_one") == 0 || strcmp(word, "notify_all") == 0;
}

/* True of every atomic object here: none has more than 8 bytes. */
bool cpp_is_lock_free(const char *word, struct cpp_operand *to)
{
    bool asks = strcmp(word, "is_lock_free") == 0 || strcmp(word, "is_always_lock_free") == 0;
    if (asks) {
        *to = cpp_number(1, TYPE_S32);
        to->kind.is_bool = true;
    }
    return asks;
}

static bool method_call(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    const struct cpp_expr *member = expr->kids[0];
    const char *word = cpp_last_part(&member->name)->word;
    const struct cpp_method *row = method_named(word, strlen(word));
    struct cpp_operand object;
    bool found = false;
    if (group_sync(code, expr, &found, to) || found)
        return found;
    bool good = cpp_group_number(code, expr, &found, to);
    if (found)
        return good;
    bool asks = cpp_is_lock_free(word, to);
    if (!row && strcmp(word, "wait") != 0 && !is_notify(word) && !cpp_is_barrier_method(word) &&
        !cpp_is_library_method(word) && !asks)
        return unknown_method(code, member, word);
    if (member->is_arrow) {
        if (!cpp_lower_value(code, member->kids[0], &object) ||
            !cpp_element(code, &object, cpp_number(0, TYPE_S64), member->span))
            return false;
    } else if (!cpp_object(code, member->kids[0], &object))
        return false;
    if (object.kind.is_barrier)
        return cpp_barrier(code, expr, word, &object, to);
    if (object.kind.class)
        return cpp_library(code, expr, word, &object, to);
    if (asks)
        return true;
    bool waits = strcmp(word, "wait") == 0;
    if (cpp_is_barrier_method(word) || (!waits && cpp_is_library_method(word)))
        return unknown_method(code, member, word);
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    if (!row)
        return is_notify(word) || wait(code, expr, object, to);
    return atomic(code, expr, row, object, 1, to);
}

/* ---- functions ------------------------------------------------------------------------------ */

/* The object that the first argument points to. */
static bool pointed_object(struct cpp_code *code, const struct cpp_expr *expr,
                           struct cpp_operand *object)
{
    if (expr->kid_count < 2)
        return wrong_count(code, expr, "the address of an object first");
    return cpp_lower_value(code, expr->kids[1], object) &&
           cpp_element(code, object, cpp_number(0, TYPE_S64), expr->kids[1]->span);
}

/* "store" of "atomic_store_explicit", "__nv_atomic_store_n" and "__atomic_store_n"; NULL: it is none. 'counted': the
 * functions of compilers end in "_n", and tell a compare_exchange_n whether it is weak. */
static const struct cpp_method *function_named(const char *word, bool *counted)
{
    static const char *const prefixes[] = {"atomic_flag_", "atomic_", "__nv_atomic_", "__atomic_"};
    static const char *const suffixes[] = {"_explicit", "_n"};
    size_t skipped = 0, length = strlen(word);
    for (size_t i = 0; !skipped && i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(word, prefixes[i], strlen(prefixes[i])) == 0)
            skipped = strlen(prefixes[i]);
    *counted = *word == '_';
    const char *suffix = suffixes[*counted];
    if (length > strlen(suffix) && strcmp(word + length - strlen(suffix), suffix) == 0)
        length -= strlen(suffix);
    return skipped && length > skipped ? method_named(word + skipped, length - skipped) : NULL;
}

/* The call without its argument 'index'. */
static struct cpp_expr without(struct cpp_code *code, const struct cpp_expr *expr, uint32_t index)
{
    struct cpp_expr made = *expr;
    made.kids = ARENA_ARRAY(code->arena, const struct cpp_expr *, expr->kid_count);
    made.kid_count = 0;
    for (uint32_t i = 0; i < expr->kid_count; i++)
        if (i != index)
            made.kids[made.kid_count++] = expr->kids[i];
    return made;
}

/* "atomic_store_explicit(&x, 1, memory_order_relaxed)"; '*found': it is one. */
static bool c_function(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                       bool *found, struct cpp_operand *to)
{
    enum { WEAK = 4 }; /* behind the address, what is expected and what is wanted */
    struct cpp_operand object;
    bool counted;
    const struct cpp_method *row = function_named(word, &counted);
    *found = row;
    if (!row || !pointed_object(code, expr, &object))
        return false;
    struct cpp_expr call = without(code, expr, row->atom_op == ATOM_CAS && counted ? WEAK : NONE);
    return atomic(code, &call, row, object, 2, to);
}

static const struct cpp_method legacy_rows[] = {
#define LEGACY(word, atom_op, values) {word, OP_ATOM, ATOM_##atom_op, values},
#include "litmus/cpp/word.def"
};

/* Of "atomicAdd_block"; NULL: it is none of CUDA's older functions. */
static const struct cpp_method *legacy_named(const char *word, enum scope *scope)
{
    for (size_t i = 0; i < sizeof legacy_rows / sizeof *legacy_rows; i++) {
        size_t length = strlen(legacy_rows[i].word);
        const char *rest = word + length;
        if (strncmp(word, legacy_rows[i].word, length) != 0)
            continue;
        *scope = !*rest                         ? SCOPE_GPU
                 : strcmp(rest, "_block") == 0  ? SCOPE_CTA
                 : strcmp(rest, "_system") == 0 ? SCOPE_SYS
                                                : SCOPE_NONE;
        if (*scope != SCOPE_NONE)
            return &legacy_rows[i];
    }
    return NULL;
}

/* "atomicAdd_block(&x, 1)" is relaxed; without a suffix it has the scope of the device. */
static bool legacy(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                   bool *found, struct cpp_operand *to)
{
    struct cpp_exchange both = {.sem = SEM_RELAXED, .failed_sem = SEM_RELAXED};
    struct cpp_operand object, *values[2] = {&both.expected, &both.desired};
    enum scope scope;
    const struct cpp_method *row = legacy_named(word, &scope);
    *found = row;
    if (!row)
        return false;
    if (expr->kid_count != row->values + 2)
        return wrong_count(
            code, expr, row->values == 2 ? "an address and two values" : "an address and a value");
    if (!pointed_object(code, expr, &object))
        return false;
    object.kind.scope = scope;
    for (uint32_t i = 0; i < row->values; i++)
        if (!cpp_lower_value(code, expr->kids[2 + i], values[i]))
            return false;
    return row->values == 2 ? cpp_atomic_exchange(code, &object, both, expr->span, to)
                            : cpp_atomic_update(code, &object, row->atom_op, both.expected,
                                                SEM_RELAXED, expr->span, to);
}

static void emit_fence(struct cpp_code *code, enum sem sem, enum scope scope, struct span span)
{
    if (sem == SEM_RELAXED || scope == SCOPE_NONE)
        return; /* orders nothing between threads */
    struct inst *inst = cpp_emit(code, OP_FENCE, TYPE_NONE, span);
    inst->fence_kind = FENCE_MEMORY;
    inst->sem = sem;
    inst->scope = scope;
}

/* "atomic_thread_fence(release, block)" */
static bool ordered_fence(struct cpp_code *code, const struct cpp_expr *expr)
{
    struct cpp_orders orders;
    if (!read_orders(code, expr, 1, 'f', &orders))
        return false;
    if (!orders.is_ordered)
        return wrong_count(code, expr, "an order, and a scope behind it");
    emit_fence(code, orders.sem, orders.scope, expr->span);
    return true;
}

static bool fence(struct cpp_code *code, const struct cpp_expr *expr, const char *word, bool *found,
                  struct cpp_operand *to)
{
    static const struct {
        const char *word;
        enum scope scope;
        enum sem sem;
    } rows[] = {
#define FENCE_CALL(word, scope, sem) {word, SCOPE_##scope, SEM_##sem},
#include "litmus/cpp/word.def"
    };
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(word, rows[i].word) != 0)
            continue;
        *found = true;
        if (rows[i].sem == SEM_NONE)
            return ordered_fence(code, expr);
        if (expr->kid_count > 1)
            return wrong_count(code, expr, "no argument");
        emit_fence(code, rows[i].sem, rows[i].scope, expr->span);
        return true;
    }
    return false;
}

/* What is passed over, or refused by name. */
static bool others(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                   bool *found, struct cpp_operand *to)
{
    static const struct {
        const char *word, *why;
    } rows[] = {
#define NOTHING(word)           {word, NULL},
#define REFUSED_CALL(word, why) {word, why},
#include "litmus/cpp/word.def"
    };
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0) {
            *found = true;
            if (rows[i].why)
                code_error(code, cpp_refused, expr->span, rows[i].why, "'%s' is not modelled",
                           word);
            return !rows[i].why;
        }
    return false;
}

/* "assert(x == 1)", "__trap()" */
static bool ending(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                   bool *found, struct cpp_operand *to)
{
    bool asserts = strcmp(word, "assert") == 0;
    uint32_t behind = cpp_new_aim(code);
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    *found = asserts || strcmp(word, "__trap") == 0;
    if (!*found)
        return false;
    if (expr->kid_count != (asserts ? 2 : 1))
        return wrong_count(code, expr, asserts ? "a condition" : "no argument");
    if (asserts && !cpp_branch(code, expr->kids[1], true, behind))
        return false;
    cpp_emit(code, OP_TRAP, TYPE_NONE, expr->span);
    cpp_place(code, behind);
    return true;
}

/* "min(a, b)", "max(a, b)": of the type that both have in common. */
static bool extreme(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                    bool *found, struct cpp_operand *to)
{
    struct cpp_operand right, both[2];
    bool least = strcmp(word, "min") == 0;
    *found = least || strcmp(word, "max") == 0;
    if (!*found)
        return false;
    if (expr->kid_count != 3)
        return wrong_count(code, expr, "two values");
    if (!cpp_lower_value(code, expr->kids[1], to) || !cpp_lower_value(code, expr->kids[2], &right))
        return false;
    struct cpp_kind kind =
        cpp_integer_kind(cpp_common_type(cpp_value_type(to->kind), cpp_value_type(right.kind)));
    if (!cpp_convert(code, to, kind, expr->span) || !cpp_convert(code, &right, kind, expr->span))
        return false;
    both[0] = *to;
    both[1] = right;
    uint32_t reg = cpp_temporary(code, kind.type, expr->span);
    struct inst *inst = cpp_emit(code, least ? OP_MIN : OP_MAX, kind.type, expr->span);
    cpp_add_register(inst, reg);
    cpp_add_value(inst, &both[0]);
    cpp_add_value(&code->insts.at[code->insts.len - 1], &both[1]);
    *to = cpp_in_register(reg, kind);
    return true;
}

/* "init(&b, blockDim.x)" */
static bool barrier_init(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    bool found, good = cpp_barrier_init(code, expr, &found);
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    if (!found)
        code_error(code, cpp_unknown_function, expr->span, NULL,
                   "'init' takes the address of a barrier and how many arrive");
    return good;
}

static bool function_call(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                          struct cpp_operand *to)
{
    bool found = false;
    struct cpp_use own = {cpp_function_named(code, word), expr, NULL, NULL};
    if (own.callee)
        return cpp_inline(code, &own, to);
    if (strcmp(word, "__syncthreads") == 0)
        return barrier(code, expr, OP_BAR_SYNC, FLAG_ALIGNED, to);
    if (strcmp(word, "__syncwarp") == 0)
        return warp_sync(code, expr, to);
    if (strcmp(word, "move") == 0 && expr->kid_count == 2)
        return cpp_lower(code, expr->kids[1], to);
    if (strcmp(word, "init") == 0)
        return barrier_init(code, expr, to);
    bool good = fence(code, expr, word, &found, to) ||
                (!found && legacy(code, expr, word, &found, to)) ||
                (!found && ending(code, expr, word, &found, to)) ||
                (!found && extreme(code, expr, word, &found, to)) ||
                (!found && others(code, expr, word, &found, to)) ||
                (!found && c_function(code, expr, word, &found, to));
    if (!found)
        code_error(
            code, cpp_unknown_function, expr->kids[0]->span,
            "a thread may call methods of atomic objects, atomic_thread_fence, "
            "__threadfence, __syncthreads and __syncwarp, and functions that the test defines",
            "nothing is called '%.60s'", word);
    return good && found;
}

/* "uint32_t(x)" */
static bool number_of(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_type *type,
                      struct cpp_operand *to)
{
    struct cpp_expr cast = *expr;
    cast.kind = CPP_CONSTRUCT;
    cast.type = type;
    cast.kids = expr->kids + 1;
    cast.kid_count = expr->kid_count - 1;
    return cpp_lower(code, &cast, to);
}

bool cpp_call(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    const struct cpp_expr *callee = expr->kids[0];
    struct cpp_type type = {.span = callee->span};
    if (callee->kind == CPP_MEMBER)
        return method_call(code, expr, to);
    const struct cpp_part *reference = reference_part(code, expr);
    if (reference)
        return expr->kid_count == 2 ? cpp_reference(code, reference, expr->kids[1], to)
                                    : wrong_count(code, expr, "an object");
    bool found, good = cpp_call_closure(code, expr, &found, to);
    if (found)
        return good;
    if (callee->kind == CPP_NAME && (group_sync(code, expr, &found, to) || found))
        return found;
    const char *word = callee->kind == CPP_NAME ? cpp_plain_word(&callee->name) : NULL;
    if (word && cpp_integer_named(word, &type))
        return number_of(code, expr, &type, to);
    if (word)
        return function_call(code, expr, word, to);
    code_error(code, cpp_unknown_function, callee->span, NULL,
               "'%s' is nothing that a thread calls",
               source_words(code->arena, code->source, callee->span));
    return false;
}
