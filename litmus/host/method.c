/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/choice.h"
#include "litmus/host/eval.h"

/* Which function "object.word(…)" is: of the object's class, of a vector, of an atomic object, of a thread. */

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
    if (!eval_objects_of(e, member, &place))
        return false;
    bool atomic = place.choice && (!place.shape || place.shape->is_atomic);
    if (!atomic && !eval_is_one_place(e, &place))
        return false;
    if (!place.cell && place.shape &&
        (place.shape->kind == SHAPE_ARRAY || place.shape->kind == SHAPE_VECTOR))
        return eval_memory_method(e, expr, &place, to);
    if (!place.cell)
        return eval_atomic_method(e, expr, &place, used, to);
    place.cell = eval_thread_of(place.cell);
    bool found, good = own_method(e, expr, place.cell, word, &found, to);
    if (found)
        return good;
    switch (place.cell->shape->kind) {
    case SHAPE_VECTOR:
    case SHAPE_ARRAY:
        return eval_vector_method(e, expr, place.cell, to);
    case SHAPE_THREAD:
    case SHAPE_MUTEX:
    case SHAPE_LOCK:
    case SHAPE_SIGNAL:
        return eval_thread_method(e, place.cell, word, expr, to);
    default:
        good = eval_text_method(e, &place, expr, word, &found, to);
        if (found)
            return good;
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
