/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/choice.h"
#include "litmus/host/eval.h"

/* How objects are made: bases and members, then the code of a constructor. */

enum { MAX_AGGREGATE = 32 };

/* The variable behind the name is the member from now on: "T &r;" */
static bool bind_reference(struct eval *e, struct code_cell *self, const char *name,
                           const struct cpp_expr *value)
{
    struct lvalue place;
    if (!eval_places_of(e, value, &place))
        return false;
    struct code_cell *cell = place.choice ? eval_refer_to_choice(e, name, &place) : place.cell;
    if (!cell) {
        cell = eval_new_cell(e, name, place.shape ? place.shape : eval_number_shape(e, TYPE_S32));
        cell->location = place.location;
        cell->offset = place.offset;
    }
    for (uint32_t i = 0; i < self->parts.len; i++)
        if (self->parts.at[i]->member && strcmp(self->parts.at[i]->member, name) == 0)
            self->parts.at[i]->value =
                (struct code_value){.kind = VALUE_CELL, .cell = cell, .is_reference = true};
    return true;
}

static bool make_member(struct eval *e, struct code_cell *self,
                        const struct cpp_declarator *declared, const struct member_value *given,
                        bool zero)
{
    struct code_cell *member = eval_member(e, self, declared->name);
    struct cpp_declarator one = *declared;
    struct code_value none = eval_number(0, TYPE_S32);
    if (given) {
        one.value = NULL;
        one.given = given->given;
        one.given_count = given->given_count;
        one.is_given = true;
        one.is_braced = given->is_braced;
        one.span = given->span;
    }
    bool plain = member->shape->kind == SHAPE_NUMBER || member->shape->kind == SHAPE_POINTER ||
                 member->shape->kind == SHAPE_OBJECT || member->shape->kind == SHAPE_AUTO;
    if (one.type->kind == CPP_TYPE_REFERENCE)
        return bind_reference(e, self, one.name,
                              one.value         ? one.value
                              : one.given_count ? one.given[0]
                                                : NULL);
    if (member->shape->kind >= SHAPE_THREAD)
        return eval_thread_object(e, member, &one);
    if (eval_holds_objects(e, member->shape))
        return eval_make_object(e, member, &one);
    if (plain && !one.value && (zero || one.is_given) && !one.given_count) { /* "n{}" */
        struct lvalue place = eval_place_of_cell(member);
        return place.cell ? eval_set(e, member, &none, one.span)
                          : (place.shape = NULL, eval_write(e, &place, &none, one.span));
    }
    if (plain && one.is_given && one.given_count == 1)
        one.is_braced = true; /* "n(5)" */
    return eval_initialize(e, member, &one);
}

static const struct member_value *value_for(const struct code_function *constructor,
                                            const char *name)
{
    for (uint32_t i = 0; constructor && i < constructor->value_count; i++)
        if (strcmp(constructor->values[i].name, name) == 0)
            return &constructor->values[i];
    return NULL;
}

/* Has the class a member of the name of one of its bases? */
static bool has_twice(struct eval *e, const struct code_shape *level)
{
    struct class_levels levels = eval_levels(e, level);
    for (uint32_t l = 0; l + 1 < levels.of.len; l++) {
        const struct cpp_stmt *members = levels.of.at[l]->structure->members;
        for (uint32_t i = 0; i < members->kid_count; i++)
            for (uint32_t k = 0;
                 eval_is_data_member(members->kids[i]) && k < members->kids[i]->declarator_count;
                 k++)
                if (eval_declares_member(level->structure, members->kids[i]->declarators[k].name))
                    return true;
    }
    return false;
}

static const char *base_name(const struct structure *of)
{
    const struct cpp_type *base = of->bases[0];
    return base->kind == CPP_TYPE_NAMED ? cpp_last_part(&base->name)->word : "";
}

/* The part of the object that the class is, with what its constructor is given. */
static bool construct(struct eval *e, struct code_cell *self, const struct code_shape *level,
                      const struct cpp_expr *call, bool zero)
{
    bool good;
    struct code_value dropped;
    const struct code_function *function = eval_choose(e, "", level, call, 0, &good);
    if (!good)
        return false;
    if (function && !function->is_default && !function->is_deleted)
        return eval_call_member(e, function, self, call, 0, &dropped);
    bool any = eval_has_member_function(e, level, "");
    if ((!any || (function && function->is_default)) && !call->kid_count) {
        const struct code_shape *whole = self->shape;
        self->shape = whole; /* a default constructor: members by their own values */
        return eval_make_members(e, self, level, NULL, zero, call->span);
    }
    if (level->structure->inherits && level->structure->base_count == 1) {
        struct member_value value = {base_name(level->structure), call->kids, call->kid_count,
                                     false, call->span};
        struct code_function inherited = {.values = &value, .value_count = 1};
        return eval_make_members(e, self, level, &inherited, zero, call->span);
    }
    eval_error(e, host_argument, call->span, NULL, "no constructor of '%s' takes %u argument%s",
               level->structure->name, call->kid_count, call->kid_count == 1 ? "" : "s");
    return false;
}

struct cpp_expr eval_call_with(const struct cpp_expr **given, uint32_t count, struct span span)
{
    return (struct cpp_expr){.kind = CPP_CALL, .kids = given, .kid_count = count, .span = span};
}

bool eval_make_members(struct eval *e, struct code_cell *self, const struct code_shape *level,
                       const struct code_function *constructor, bool zero, struct span span)
{
    const struct structure *of = level->structure;
    const struct member_value *delegated = value_for(constructor, of->name);
    if (delegated) {
        struct cpp_expr call =
            eval_call_with(delegated->given, delegated->given_count, delegated->span);
        return construct(e, self, level, &call, false);
    }
    if (of->base_count && has_twice(e, level)) {
        eval_error(e, host_statement, span, "give the members different names",
                   "'%s' has members of the name of its base's", of->name);
        return false;
    }
    uint32_t bindings = e->scope.len;
    struct class_opening opening = eval_open_class(e, level);
    if (!constructor || !constructor->is_constructor)
        eval_bind_self(e, self);
    bool good = true;
    for (uint32_t i = 0; good && i < of->base_count; i++) {
        const struct code_shape *base = eval_shape(e, of->bases[i]);
        if (!base || base->kind != SHAPE_STRUCT || !base->structure || !base->structure->is_own) {
            eval_error(e, host_statement, span, "use a class that the file defines",
                       "what a base of '%s' is, is not known", of->name);
            good = false;
            break;
        }
        const struct member_value *given = value_for(constructor, base->structure->name);
        struct cpp_expr call = given ? eval_call_with(given->given, given->given_count, given->span)
                                     : eval_call_with(NULL, 0, span);
        good = construct(e, self, base, &call, zero);
    }
    for (uint32_t i = 0; good && i < of->members->kid_count; i++) {
        const struct cpp_stmt *stmt = of->members->kids[i];
        for (uint32_t k = 0; good && eval_is_data_member(stmt) && k < stmt->declarator_count; k++)
            good = make_member(e, self, &stmt->declarators[k],
                               value_for(constructor, stmt->declarators[k].name), zero);
    }
    eval_close_class(e, opening);
    e->scope.len = bindings;
    return good;
}

/* "W w[2];", "std::vector<W> w(2);": one after the other, by the constructor without arguments. */
static bool make_objects(struct eval *e, struct code_cell *array, const struct cpp_declarator *one)
{
    const struct cpp_declarator blank = {.span = one->span};
    bool vector = array->shape->kind == SHAPE_VECTOR;
    const struct cpp_expr *list = one->value && one->value->kind == CPP_LIST ? one->value : NULL;
    bool counted = vector && one->given_count == 1 && !one->is_braced;
    const struct cpp_expr *const *given = list ? list->kids : one->given;
    uint32_t given_count = list ? list->kid_count : counted ? 0 : one->given_count;
    uint64_t count = vector ? given_count : array->shape->count;
    if ((one->value && !list) || (one->given_count > 1 && !one->is_braced)) {
        eval_error(e, host_statement, one->span, "give the elements in braces",
                   "values of the objects of an array are not read");
        return false;
    }
    if (counted && !eval_known_number(e, one->given[0], "the size of a vector", &count))
        return false;
    if (count > MAX_ELEMENTS) {
        eval_error(e, bad_array, one->span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
        return false;
    }
    array->is_class = true;
    for (uint64_t i = 0; i < count; i++) {
        struct cpp_declarator element = blank;
        element.value = i < given_count ? given[i] : NULL;
        if (!eval_make_object(e, eval_part(e, array, i), &element))
            return false;
    }
    return true;
}

/* The only value that the object is made of, if that may be another object. */
static const struct cpp_expr *whole_value(const struct cpp_declarator *one)
{
    const struct cpp_expr *value = one->value;
    if (!value && one->given_count == 1)
        value = one->given[0];
    return value && value->kind != CPP_LIST && value->kind != CPP_DESIGNATED ? value : NULL;
}

bool eval_make_by_value(struct eval *e, struct code_cell *cell, const struct code_value *value,
                        struct span span)
{
    bool good;
    struct code_value dropped;
    const struct code_function *function =
        eval_choose_by_values(e, "", cell->shape, value, 1, span, &good);
    if (function && !function->is_deleted && !function->is_default)
        return eval_call_values(e, function, cell, value, 1, span, &dropped);
    if (good)
        eval_error(e, host_argument, span, NULL, "no constructor of '%s' takes this argument",
                   cell->shape->structure->name);
    return false;
}

/* "W{1, 2}" of a class without constructors: its members in order. */
static bool aggregate(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    const struct cpp_expr *list = one->value && one->value->kind == CPP_LIST ? one->value : NULL;
    uint32_t count = list ? list->kid_count : one->given_count;
    const struct cpp_expr *const *given = list ? list->kids : one->given;
    const struct cpp_stmt *members = cell->shape->structure->members;
    struct member_value values[MAX_AGGREGATE];
    struct code_function made = {.values = values};
    uint32_t at = 0;
    for (uint32_t i = 0; i < members->kid_count; i++)
        for (uint32_t k = 0;
             eval_is_data_member(members->kids[i]) && k < members->kids[i]->declarator_count; k++) {
            const struct cpp_declarator *member = &members->kids[i]->declarators[k];
            const struct cpp_expr *value = at < count ? given[at] : NULL;
            if (!value || at >= MAX_AGGREGATE)
                continue;
            bool designated = value->kind == CPP_DESIGNATED;
            if (designated && strcmp(cpp_last_part(&value->name)->word, member->name) != 0)
                continue;
            const struct cpp_expr **kept = ARENA_NEW(e->arena, const struct cpp_expr *);
            *kept = designated ? value->kids[0] : value;
            bool inner = (*kept)->kind == CPP_LIST;
            values[made.value_count++] =
                (struct member_value){member->name, inner ? (*kept)->kids : kept,
                                      inner ? (*kept)->kid_count : 1, true, value->span};
            at++;
        }
    if (at < count || cell->shape->structure->base_count) {
        eval_error(e, host_statement, one->span, "assign the members one by one",
                   "the values of '%s' are not read", cell->name);
        return false;
    }
    return eval_make_members(e, cell, cell->shape, &made, true, one->span);
}

/* What a constructor may take by reference. */
static bool is_variable_name(const struct cpp_expr *expr)
{
    return expr->kind == CPP_NAME || expr->kind == CPP_INDEX || expr->kind == CPP_MEMBER ||
           expr->kind == CPP_UNARY;
}

static bool names_object(struct eval *e, const struct cpp_expr *expr, bool *is)
{
    struct lvalue place;
    if (eval_has_effects(e, expr)) { /* it is evaluated once */
        const struct code_shape *shape = eval_static_shape(e, expr);
        *is = !shape || shape->kind != SHAPE_NUMBER;
        return true;
    }
    if (!eval_places_of(e, expr, &place))
        return false;
    *is = place.cell &&
          (place.cell->shape->kind == SHAPE_STRUCT || place.cell->value.kind == VALUE_UNKNOWN);
    return true;
}

struct given_list {
    const struct cpp_expr **at;
    uint32_t count;
};

/* "std::map<int, int> m = {{1, 2}, {3, 4}}": what of the library takes elements one by one gets those of the list. */
static bool is_filled(struct eval *e, const struct code_cell *cell, const struct given_list *list)
{
    const struct structure *of = cell->shape->structure;
    uint32_t at = of->members->kid_count ? of->members->kids[0]->span.offset : 0;
    bool library = at >= e->library_from && at < e->library_to;
    const struct code_shape *first = list->count ? eval_static_shape(e, list->at[0]) : NULL;
    bool copies = list->count == 1 && first && first->kind == SHAPE_STRUCT;
    return library && list->count && !copies && eval_has_member_function(e, cell->shape, "emplace");
}

static bool fill(struct eval *e, struct code_cell *cell, const struct given_list *list,
                 struct span span)
{
    struct cpp_expr nothing = eval_call_with(NULL, 0, span);
    cell->is_class = true;
    if (!construct(e, cell, cell->shape, &nothing, true))
        return false;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct cpp_expr *one = list->at[i];
        bool parts = one->kind == CPP_LIST;
        struct cpp_expr call =
            eval_call_with(parts ? one->kids : list->at + i, parts ? one->kid_count : 1, one->span);
        bool good;
        struct code_value dropped;
        const struct code_function *emplace =
            eval_choose(e, "emplace", cell->shape, &call, 0, &good);
        if (!emplace)
            return good && eval_needs(e, &(struct code_value){.kind = VALUE_UNKNOWN}, one->span,
                                      "an element");
        if (!eval_call_member(e, emplace, cell, &call, 0, &dropped))
            return false;
    }
    return true;
}

bool eval_make_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    if (eval_is_list_shape(cell->shape))
        return make_objects(e, cell, one);
    bool listed = one->value && one->value->kind == CPP_LIST;
    const struct given_list elements = {listed ? one->value->kids : one->given,
                                        listed           ? one->value->kid_count
                                        : one->is_braced ? one->given_count
                                                         : 0};
    if (is_filled(e, cell, &elements))
        return fill(e, cell, &elements, one->span);
    const struct cpp_expr *whole = whole_value(one);
    struct code_value value;
    cell->is_class = true;
    bool is_object = true;
    if (whole && is_variable_name(whole) && !names_object(e, whole, &is_object))
        return false;
    bool own = eval_has_member_function(e, cell->shape, "") || cell->shape->structure->inherits;
    if (whole && is_object) {
        if (!eval_value(e, whole, &value))
            return false;
        if (value.kind == VALUE_UNKNOWN)
            return eval_needs(e, &value, whole->span, "an object");
        if (eval_is_of(e, &value, cell->shape))
            return eval_copy_object(e, cell, &value, one->span);
        if (own && !cell->shape->structure->inherits)
            return eval_make_by_value(e, cell, &value, one->span);
    }
    const struct cpp_expr *list = one->value && one->value->kind == CPP_LIST ? one->value : NULL;
    struct cpp_expr call = list ? eval_call_with(list->kids, list->kid_count, one->span)
                                : eval_call_with(one->given, one->given_count, one->span);
    bool zero = list || one->is_braced;
    if (call.kid_count && !own)
        return aggregate(e, cell, one);
    return construct(e, cell, cell->shape, &call, zero);
}
