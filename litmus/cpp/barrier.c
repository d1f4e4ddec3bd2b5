/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* cuda::barrier, as the library counts one that is not in shared memory: three atomic integers of its scope, how many are
 * expected, how many of them are still to arrive, and which of two phases it is in. Who arrives last begins the next. */

enum { EXPECTED, MISSING, PHASE };

static struct cpp_operand field(const struct cpp_operand *barrier, uint32_t index)
{
    struct cpp_operand made = *barrier;
    made.bits += index * type_bytes(TYPE_S32);
    made.kind =
        (struct cpp_kind){.type = TYPE_S32, .is_atomic = true, .scope = barrier->kind.scope};
    return made;
}

/* fetch_sub */
static bool take(struct cpp_code *code, struct cpp_operand object, struct cpp_operand count,
                 enum sem sem, struct span span, struct cpp_operand *old)
{
    return cpp_atomic_update(code, &object, ATOM_SUB, count, sem, span, old);
}

/* As many as are expected are missing again, and the phase that was is over. */
static bool begin_phase(struct cpp_code *code, const struct cpp_operand *barrier,
                        const struct cpp_operand *phase, struct span span)
{
    struct cpp_operand count = field(barrier, EXPECTED), missing = field(barrier, MISSING);
    struct cpp_operand now = field(barrier, PHASE), next = *phase;
    return cpp_atomic_load(code, &count, SEM_RELAXED, span) &&
           cpp_atomic_store(code, &missing, &count, SEM_RELAXED, span) &&
           cpp_binary(code, CPP_MARK_XOR, &next, cpp_number(1, TYPE_S32), span) &&
           cpp_atomic_store(code, &now, &next, SEM_RELEASE, span);
}

/* '*phase' is the token. */
static bool arrive(struct cpp_code *code, const struct cpp_operand *barrier,
                   struct cpp_operand count, struct span span, struct cpp_operand *phase)
{
    struct cpp_operand found, is_last;
    uint32_t behind = cpp_new_aim(code);
    *phase = field(barrier, PHASE);
    if (!cpp_atomic_load(code, phase, SEM_RELAXED, span) ||
        !take(code, field(barrier, MISSING), count, SEM_ACQ_REL, span, &found))
        return false;
    cpp_compare(code, CMP_EQ, &found, &count, span, &is_last);
    cpp_jump_if(code, is_last.reg, false, behind, span);
    bool good = begin_phase(code, barrier, phase, span);
    cpp_place(code, behind);
    return good;
}

static bool wait(struct cpp_code *code, const struct cpp_operand *barrier,
                 const struct cpp_operand *phase, struct span span)
{
    struct cpp_operand now = field(barrier, PHASE), same;
    uint32_t head = cpp_new_aim(code);
    cpp_place(code, head);
    if (!cpp_atomic_load(code, &now, SEM_ACQUIRE, span))
        return false;
    cpp_compare(code, CMP_EQ, &now, phase, span, &same);
    cpp_jump_if(code, same.reg, true, head, span);
    return true;
}

/* An integer argument. */
static bool number(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    return cpp_lower_value(code, expr, to) &&
           cpp_convert(code, to, cpp_integer_kind(TYPE_S32), expr->span);
}

static bool refused(struct cpp_code *code, const struct cpp_expr *expr)
{
    code_error(code, cpp_unknown_function, expr->span, NULL,
               "a barrier has arrive(), arrive(n), wait(token), arrive_and_wait() and "
               "arrive_and_drop()");
    return false;
}

bool cpp_is_barrier_method(const char *word)
{
    return strcmp(word, "arrive") == 0 || strcmp(word, "arrive_and_wait") == 0 ||
           strcmp(word, "arrive_and_drop") == 0;
}

bool cpp_barrier(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                 const struct cpp_operand *barrier, struct cpp_operand *to)
{
    struct cpp_operand value = cpp_number(1, TYPE_S32), phase;
    bool waits = strcmp(word, "wait") == 0, arrives = strcmp(word, "arrive") == 0;
    uint32_t given = expr->kid_count - 1;
    if (!(waits || cpp_is_barrier_method(word)) || given > (waits || arrives) || given < waits)
        return refused(code, expr);
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    if (given && !number(code, expr->kids[1], &value))
        return false;
    if (waits)
        return wait(code, barrier, &value, expr->span);
    if (strcmp(word, "arrive_and_drop") == 0 &&
        !take(code, field(barrier, EXPECTED), value, SEM_RELAXED, expr->span, &phase))
        return false;
    if (!arrive(code, barrier, value, expr->span, &phase))
        return false;
    if (arrives)
        *to = phase;
    return strcmp(word, "arrive_and_wait") != 0 || wait(code, barrier, &phase, expr->span);
}

bool cpp_barrier_init(struct cpp_code *code, const struct cpp_expr *expr, bool *found)
{
    struct cpp_operand barrier, count, phase = cpp_number(0, TYPE_S32);
    *found = false;
    if (expr->kid_count != 3 || !cpp_lower_value(code, expr->kids[1], &barrier) ||
        !barrier.kind.is_barrier)
        return false;
    *found = true;
    if (!cpp_element(code, &barrier, phase, expr->span) || !number(code, expr->kids[2], &count))
        return false;
    struct cpp_operand *const values[] = {&count, &count, &phase};
    for (uint32_t i = 0; i < 3; i++) {
        struct cpp_operand one = field(&barrier, i);
        one.kind = cpp_integer_kind(TYPE_S32);
        if (!cpp_write(code, &one, values[i], expr->span))
            return false;
    }
    return true;
}
