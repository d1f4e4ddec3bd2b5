/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Objects of classes: how they are made, copied and ended. An object is a variable whose parts are its members, those of
 * its bases among them; the functions of its classes are read at their calls, where the members are variables. */

enum { DEEPEST_BASES = 16, MAX_AGGREGATE = 32 };

/* ---- classes -------------------------------------------------------------------------------- */

static void add_levels(struct eval *e, const struct code_shape *shape, struct class_levels *to,
                       unsigned depth)
{
    const struct structure *of = shape->structure;
    if (depth > DEEPEST_BASES || !of)
        return;
    struct class_opening opening = eval_open_class(e, shape);
    for (uint32_t i = 0; i < of->base_count; i++) {
        const struct code_shape *base = eval_shape(e, of->bases[i]);
        if (base && base->kind == SHAPE_STRUCT)
            add_levels(e, base, to, depth + 1);
    }
    eval_close_class(e, opening);
    vec_push(e->arena, &to->of, shape);
}

struct class_levels eval_levels(struct eval *e, const struct code_shape *shape)
{
    struct class_levels levels = {{0}};
    add_levels(e, shape, &levels, 0);
    return levels;
}

static bool is_variable(const struct cpp_stmt *stmt)
{
    return stmt->kind == CPP_DECLARATION &&
           !(stmt->specifiers & (CPP_SPECIFIER_TYPEDEF | CPP_SPECIFIER_STATIC));
}

static bool is_list(const struct code_shape *shape)
{
    return shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR;
}

static bool declares(const struct structure *of, const char *name)
{
    for (uint32_t i = 0; i < of->members->kid_count; i++)
        for (uint32_t k = 0;
             is_variable(of->members->kids[i]) && k < of->members->kids[i]->declarator_count; k++)
            if (strcmp(of->members->kids[i]->declarators[k].name, name) == 0)
                return true;
    return false;
}

/* Has a member an end or a beginning of its own? */
static bool has_objects(struct eval *e, const struct code_shape *level)
{
    const struct cpp_stmt *members = level->structure->members;
    struct class_opening opening = eval_open_class(e, level);
    bool found = false;
    for (uint32_t i = 0; i < members->kid_count && !found; i++)
        for (uint32_t k = 0;
             is_variable(members->kids[i]) && !found && k < members->kids[i]->declarator_count;
             k++) {
            const struct cpp_type *type = members->kids[i]->declarators[k].type;
            const struct code_shape *shape =
                type->kind == CPP_TYPE_REFERENCE || type->kind == CPP_TYPE_POINTER
                    ? NULL
                    : eval_shape(e, type);
            found =
                type->kind == CPP_TYPE_REFERENCE ||
                (shape && (shape->kind >= SHAPE_THREAD || shape->kind == SHAPE_VECTOR ||
                           (shape->structure != level->structure && eval_holds_objects(e, shape))));
        }
    eval_close_class(e, opening);
    return found;
}

bool eval_is_class(struct eval *e, const struct code_shape *shape)
{
    static const char *const words[] = {"", "~", "operator="};
    const struct structure *of = shape->kind == SHAPE_STRUCT ? shape->structure : NULL;
    if (!of || !of->is_own)
        return false;
    if (of->base_count)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (eval_has_member_function(e, shape, words[i]))
            return true;
    return has_objects(e, shape);
}

bool eval_holds_objects(struct eval *e, const struct code_shape *shape)
{
    while (is_list(shape))
        shape = shape->of;
    return eval_is_class(e, shape);
}

/* ---- the object in its functions ------------------------------------------------------------ */

struct code_cell *eval_self(const struct eval *e)
{
    const struct code_cell *self = eval_find(e, "this");
    return self && self->value.kind == VALUE_CELL ? self->value.cell : NULL;
}

void eval_bind_statics(struct eval *e, const struct structure *of)
{
    size_t length = strlen(of->name);
    for (uint32_t i = 0, count = e->scope.len; i < count; i++) {
        const struct binding one = e->scope.at[i];
        if (strncmp(one.name, of->name, length) == 0 && strncmp(one.name + length, "::", 2) == 0)
            eval_bind(e, one.name + length + 2, one.cell);
    }
}

void eval_bind_self(struct eval *e, struct code_cell *self)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    struct class_levels levels = eval_levels(e, self->shape);
    struct code_cell *cell = eval_new_cell(e, "this", &any);
    cell->is_const = true;
    cell->value = (struct code_value){.kind = VALUE_CELL, .cell = self};
    eval_bind(e, "this", cell);
    for (uint32_t l = 0; l < levels.of.len; l++) {
        const struct cpp_stmt *members = levels.of.at[l]->structure->members;
        eval_bind_statics(e, levels.of.at[l]->structure);
        for (uint32_t i = 0; i < members->kid_count; i++)
            for (uint32_t k = 0;
                 is_variable(members->kids[i]) && k < members->kids[i]->declarator_count; k++) {
                const char *name = members->kids[i]->declarators[k].name;
                eval_bind(e, name, eval_member(e, self, name));
            }
    }
}

/* ---- members -------------------------------------------------------------------------------- */

/* The variable behind the name is the member from now on: "T &r;" */
static bool bind_reference(struct eval *e, struct code_cell *self, const char *name,
                           const struct cpp_expr *value)
{
    struct lvalue place;
    if (!eval_place_of(e, value, &place))
        return false;
    struct code_cell *cell = place.cell;
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
                 is_variable(members->kids[i]) && k < members->kids[i]->declarator_count; k++)
                if (declares(level->structure, members->kids[i]->declarators[k].name))
                    return true;
    }
    return false;
}

/* ---- constructors --------------------------------------------------------------------------- */

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

static struct cpp_expr call_with(const struct cpp_expr **given, uint32_t count, struct span span)
{
    return (struct cpp_expr){.kind = CPP_CALL, .kids = given, .kid_count = count, .span = span};
}

bool eval_make_members(struct eval *e, struct code_cell *self, const struct code_shape *level,
                       const struct code_function *constructor, bool zero, struct span span)
{
    const struct structure *of = level->structure;
    const struct member_value *delegated = value_for(constructor, of->name);
    if (delegated) {
        struct cpp_expr call = call_with(delegated->given, delegated->given_count, delegated->span);
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
        struct cpp_expr call = given ? call_with(given->given, given->given_count, given->span)
                                     : call_with(NULL, 0, span);
        good = construct(e, self, base, &call, zero);
    }
    for (uint32_t i = 0; good && i < of->members->kid_count; i++) {
        const struct cpp_stmt *stmt = of->members->kids[i];
        for (uint32_t k = 0; good && is_variable(stmt) && k < stmt->declarator_count; k++)
            good = make_member(e, self, &stmt->declarators[k],
                               value_for(constructor, stmt->declarators[k].name), zero);
    }
    eval_close_class(e, opening);
    e->scope.len = bindings;
    return good;
}

/* ---- copies --------------------------------------------------------------------------------- */

static const struct code_function *copying(struct eval *e, const struct code_shape *shape,
                                           const char *word, const struct code_value *value,
                                           struct span span, bool *good)
{
    const struct code_function *found = NULL;
    *good = true;
    const struct structure *of = shape->structure;
    for (uint32_t i = 0; i < e->functions.len; i++) { /* "W(const W &)", "W(W &&)" */
        const struct code_function *one = e->functions.at[i];
        const char *name = arena_printf(e->arena, "%s::%s", of->name, *word ? word : of->name);
        if (one->of != of || strcmp(one->name, name) != 0 || one->parameter_count != 1)
            continue;
        const struct cpp_type *type = one->parameters[0].type;
        const struct cpp_type *bare = type && type->kind == CPP_TYPE_REFERENCE ? type->to : type;
        bool same = bare && bare->kind == CPP_TYPE_NAMED &&
                    strcmp(cpp_last_part(&bare->name)->word, of->name) == 0;
        bool moves = type && type->kind == CPP_TYPE_REFERENCE && type->is_rvalue;
        if (!same || (moves && !value->is_moved && !value->is_temporary))
            found = same && !found ? one : found;
        else if (!found || moves || found->parameters[0].type->is_rvalue == moves)
            found = one;
    }
    bool refuses = found && (found->is_deleted || (found->parameters[0].type->is_rvalue &&
                                                   !value->is_moved && !value->is_temporary));
    if (refuses) {
        eval_error(e, host_statement, span, "move it, or use a reference",
                   "objects of the class '%s' are not copied", of->name);
        *good = false;
    }
    return found && found->is_default ? NULL : found;
}

/* What the temporary consists of; only its name goes. */
static void take(struct eval *e, struct code_cell *cell, struct code_cell *from)
{
    cell->parts = from->parts;
    cell->is_class = true;
    cell->shape = cell->shape->structure == from->shape->structure ? from->shape : cell->shape;
    for (uint32_t i = 0; i < cell->parts.len; i++)
        if (cell->parts.at[i]->member)
            cell->parts.at[i]->name =
                arena_printf(e->arena, "%s.%s", cell->name, cell->parts.at[i]->member);
    from->is_class = false;
    from->parts.len = 0;
}

static bool transfer(struct eval *e, struct code_cell *to, const struct code_value *value,
                     struct span span, bool is_new);

static bool is_list_of_numbers(const struct code_shape *shape)
{
    while (shape->kind == SHAPE_ARRAY)
        shape = shape->of;
    return shape->kind == SHAPE_NUMBER;
}

/* Arrays of numbers in memory, element by element. */
static bool transfer_memory(struct eval *e, struct code_cell *to, const struct code_cell *from,
                            struct span span)
{
    const struct code_shape *of = to->shape;
    uint64_t count = 1, unit = eval_unit(e, to->location);
    for (; of->kind == SHAPE_ARRAY; of = of->of)
        count *= of->count;
    for (uint64_t i = 0; i < count; i++) {
        struct lvalue source = {
            .location = from->location, .offset = from->offset + i * unit, .shape = of};
        struct lvalue place = {
            .location = to->location, .offset = to->offset + i * unit, .shape = of};
        struct code_value value;
        if (!eval_read(e, &source, span, &value) || !eval_write(e, &place, &value, span))
            return false;
    }
    return true;
}

static bool transfer_part(struct eval *e, struct code_cell *to, struct code_cell *from,
                          const struct code_value *whole, struct span span, bool is_new)
{
    struct code_value part = {.kind = VALUE_CELL,
                              .cell = from,
                              .is_object = true,
                              .is_moved = whole->is_moved || whole->is_temporary};
    struct code_value value;
    if (to->shape->kind >= SHAPE_THREAD) {
        eval_error(e, host_statement, span, "use a pointer to it",
                   "a thread or lock in an object that is copied is not modelled");
        return false;
    }
    if (to->shape->kind == SHAPE_STRUCT && to->shape->structure)
        return transfer(e, to, &part, span, is_new);
    if (is_list(to->shape) && from->location == NONE) {
        if (to->shape->kind == SHAPE_VECTOR)
            to->parts.len = 0;
        for (uint32_t i = 0; i < from->parts.len; i++)
            if (!transfer_part(e, eval_part(e, to, i), from->parts.at[i], whole, span, is_new))
                return false;
        if (part.is_moved && from->shape->kind == SHAPE_VECTOR)
            from->parts.len = 0; /* its elements have moved */
        return true;
    }
    if (is_list(to->shape) && to->location != NONE && is_list_of_numbers(to->shape))
        return transfer_memory(e, to, from, span);
    if (is_list(to->shape)) {
        eval_error(e, host_statement, span, "assign each element",
                   "'%s' of a structure that is copied is in memory", from->name);
        return false;
    }
    struct lvalue at = eval_place_of_cell(from), place = eval_place_of_cell(to);
    if (from->value.kind == VALUE_NOTHING && from->location == NONE &&
        from->shape->kind != SHAPE_OBJECT)
        return true; /* it has no value */
    if (from->value.is_reference) {
        to->value = from->value;
        return true;
    }
    if (!eval_read(e, &at, span, &value))
        return false;
    eval_keep_copy(e, &value, span);
    return place.cell ? eval_set(e, to, &value, span) : eval_write(e, &place, &value, span);
}

/* Member by member, or as the class says. */
static bool transfer(struct eval *e, struct code_cell *to, const struct code_value *value,
                     struct span span, bool is_new)
{
    struct code_cell *from = value->cell;
    bool good;
    const struct code_function *own =
        eval_is_class(e, to->shape)
            ? copying(e, to->shape, is_new ? "" : "operator=", value, span, &good)
            : (good = true, NULL);
    struct code_value dropped, argument = *value;
    argument.is_reference = true;
    to->is_class = is_new ? eval_is_class(e, to->shape) : to->is_class;
    if (!good)
        return false;
    if (own)
        return eval_call_values(e, own, to, &argument, 1, span, &dropped);
    if (to == from)
        return true;
    for (uint32_t i = 0; i < from->parts.len; i++) {
        struct code_cell *part = from->parts.at[i];
        if (part->member &&
            !transfer_part(e, eval_member(e, to, part->member), part, value, span, is_new))
            return false;
    }
    return true;
}

bool eval_copy_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                      struct span span)
{
    if (value->is_temporary && !value->cell->member) {
        take(e, cell, value->cell);
        return true;
    }
    return transfer(e, cell, value, span, true);
}

bool eval_assign_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                        struct span span)
{
    return transfer(e, cell, value, span, false);
}

/* ---- objects -------------------------------------------------------------------------------- */

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

static bool by_value(struct eval *e, struct code_cell *cell, const struct code_value *value,
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

bool eval_is_of(struct eval *e, const struct code_value *value, const struct code_shape *shape)
{
    if (value->kind != VALUE_CELL || !value->is_object || value->cell->shape->kind != SHAPE_STRUCT)
        return false;
    struct class_levels levels = eval_levels(e, value->cell->shape);
    for (uint32_t i = 0; i < levels.of.len; i++)
        if (levels.of.at[i]->structure == shape->structure)
            return true;
    return false;
}

bool eval_set_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                     struct span span)
{
    if (value->kind == VALUE_UNKNOWN)
        return eval_needs(e, value, span, "an object");
    if (value->kind == VALUE_CELL && eval_is_of(e, value, cell->shape))
        return eval_copy_object(e, cell, value, span);
    cell->is_class = eval_is_class(e, cell->shape);
    return by_value(e, cell, value, span);
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
             is_variable(members->kids[i]) && k < members->kids[i]->declarator_count; k++) {
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
    bool names = expr->kind == CPP_NAME || expr->kind == CPP_INDEX || expr->kind == CPP_MEMBER ||
                 expr->kind == CPP_UNARY;
    return names && !eval_has_effects(expr);
}

static bool names_object(struct eval *e, const struct cpp_expr *expr, bool *is)
{
    struct lvalue place;
    if (!eval_place_of(e, expr, &place))
        return false;
    *is = place.cell &&
          (place.cell->shape->kind == SHAPE_STRUCT || place.cell->value.kind == VALUE_UNKNOWN);
    return true;
}

bool eval_make_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    if (is_list(cell->shape))
        return make_objects(e, cell, one);
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
            return by_value(e, cell, &value, one->span);
    }
    const struct cpp_expr *list = one->value && one->value->kind == CPP_LIST ? one->value : NULL;
    struct cpp_expr call = list ? call_with(list->kids, list->kid_count, one->span)
                                : call_with(one->given, one->given_count, one->span);
    bool zero = list || one->is_braced;
    if (call.kid_count && !own)
        return aggregate(e, cell, one);
    return construct(e, cell, cell->shape, &call, zero);
}

/* ---- ends ----------------------------------------------------------------------------------- */

static void end_members(struct eval *e, struct code_cell *cell, const struct structure *of)
{
    for (uint32_t i = of->members->kid_count; i-- > 0;)
        for (uint32_t k = of->members->kids[i]->declarator_count; k-- > 0;)
            for (uint32_t p = cell->parts.len; is_variable(of->members->kids[i]) && p-- > 0;) {
                struct code_cell *part = cell->parts.at[p];
                if (part->member &&
                    strcmp(part->member, of->members->kids[i]->declarators[k].name) == 0)
                    eval_end_member(e, part);
            }
}

void eval_end_object(struct eval *e, struct code_cell *cell)
{
    if (!cell->is_class || e->is_dead)
        return;
    if (is_list(cell->shape)) {
        for (uint32_t i = cell->parts.len; i-- > 0;)
            eval_end_object(e, cell->parts.at[i]);
        return;
    }
    struct class_levels levels = eval_levels(e, cell->shape);
    for (uint32_t i = levels.of.len; i-- > 0;) {
        const struct structure *of = levels.of.at[i]->structure;
        struct cpp_expr call = call_with(NULL, 0, (struct span){0, 0});
        struct code_value dropped;
        bool good;
        const struct code_function *function =
            eval_choose(e, "~", levels.of.at[i], &call, 0, &good);
        call.span = function ? function->span : call.span;
        if (function && !function->is_default)
            eval_call_member(e, function, cell, &call, 0, &dropped);
        end_members(e, cell, of);
    }
}

/* ---- temporaries ---------------------------------------------------------------------------- */

bool eval_temporary_object(struct eval *e, const struct code_shape *shape,
                           const struct cpp_expr *expr, struct code_value *to)
{
    struct cpp_declarator one = {.given = expr->kids + 1,
                                 .given_count = expr->kid_count - 1,
                                 .is_given = true,
                                 .is_braced = expr->is_braced,
                                 .span = expr->span};
    struct code_cell *cell = eval_new_cell(e, shape->structure->name, shape);
    *to = (struct code_value){
        .kind = VALUE_CELL, .cell = cell, .is_object = true, .is_temporary = true};
    if (!eval_make_object(e, cell, &one))
        return false;
    vec_push(e->arena, &e->temporaries, cell);
    return true;
}

void eval_keep_temporary(struct eval *e, const struct code_cell *cell)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->temporaries.len; i++)
        if (e->temporaries.at[i] != cell)
            e->temporaries.at[kept++] = e->temporaries.at[i];
    e->temporaries.len = kept;
}

bool eval_end_temporaries(struct eval *e, uint32_t count)
{
    uint32_t errors = e->p->diags->errors;
    while (e->temporaries.len > count) {
        struct code_cell *cell = e->temporaries.at[--e->temporaries.len];
        eval_end_object(e, cell);
        cell->is_class = false;
    }
    return e->p->diags->errors == errors;
}
