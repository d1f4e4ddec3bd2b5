/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/choice.h"
#include "litmus/host/eval.h"

/* Declarations: variables and what they are at first. */

/* "= 1", "(1)", "{1}"; NULL: none, or several. */
static const struct cpp_expr *initial_value(const struct cpp_declarator *one)
{
    if (one->value)
        return one->value;
    return one->given_count == 1 ? one->given[0] : NULL;
}

static bool is_of_numbers(const struct code_shape *shape)
{
    return shape->kind == SHAPE_NUMBER && !shape->is_atomic && shape->type != TYPE_NONE;
}

/* A vector of vectors. */
static bool has_rows(const struct code_shape *shape)
{
    return shape->kind == SHAPE_VECTOR && shape->of->kind == SHAPE_VECTOR;
}

static bool is_memory(struct eval *e, const struct cpp_declarator *one,
                      const struct code_shape *shape)
{
    const struct code_shape *of = shape;
    while (of->kind == SHAPE_ARRAY || of->kind == SHAPE_VECTOR)
        of = of->of;
    if (of->kind != SHAPE_NUMBER || of->type == TYPE_NONE || has_rows(shape))
        return false;
    bool global = e->host == NONE;
    bool list = shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR;
    if (list && !shape->is_atomic && is_of_numbers(shape->of) && !global && e->is_file && e->code &&
        eval_is_only_indexed(e->code, one->name))
        return false;
    if (shape->kind != SHAPE_NUMBER)
        return shape->kind == SHAPE_VECTOR || !one->type->is_const;
    bool shared = global && eval_has_threads(e) && eval_is_changed(e, one->name);
    bool given = global && eval_is_given(e, one->name);
    return shape->is_atomic || shared || given ||
           (e->code && eval_takes_address(e, e->code, one->name));
}

bool eval_part_of(struct eval *e, const struct code_value *whole, uint32_t index, struct span span,
                  struct lvalue *to)
{
    const struct code_shape *shape = whole->cell->shape;
    if (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR)
        return eval_pointed_to(e, whole, index, span, to);
    uint32_t at = 0;
    for (uint32_t i = 0; shape->structure && i < shape->structure->members->kid_count; i++) {
        const struct cpp_stmt *stmt = shape->structure->members->kids[i];
        bool variable =
            stmt->kind == CPP_DECLARATION && !(stmt->specifiers & CPP_SPECIFIER_TYPEDEF);
        for (uint32_t k = 0; variable && k < stmt->declarator_count; k++)
            if (at++ == index) {
                *to = eval_place_of_cell(eval_member(e, whole->cell, stmt->declarators[k].name));
                return true;
            }
    }
    eval_error(e, host_argument, span, NULL, "there is no part %u", index + 1);
    return false;
}

/* "auto [a, b] = p": the parts of the variable have the names. */
bool eval_bind_parts(struct eval *e, const struct cpp_declarator *one, struct code_cell *cell)
{
    struct code_value whole = {.kind = VALUE_CELL, .cell = cell};
    for (uint32_t i = 0; i < one->bound_count; i++) {
        struct lvalue place;
        if (cell->location != NONE) { /* an array in memory */
            place = (struct lvalue){.location = cell->location, .shape = cell->shape->of};
            place.offset =
                cell->offset + i * (cell->shape->of ? eval_bytes(e, cell->shape->of) : 4);
        } else if (!eval_part_of(e, &whole, i, one->span, &place))
            return false;
        struct code_cell *part = place.cell;
        if (!part) {
            part = eval_new_cell(e, one->bound[i], place.shape);
            part->location = place.location;
            part->offset = place.offset;
        }
        eval_bind(e, one->bound[i], part);
    }
    return true;
}

/* A reference is another name of what it refers to. */
static bool declare_reference(struct eval *e, const struct cpp_declarator *one)
{
    const struct cpp_expr *value = initial_value(one);
    struct lvalue place;
    if (!value) {
        eval_error(e, cpp_type, one->span, NULL, "a reference needs what it refers to");
        return false;
    }
    if (!eval_places_of(e, value, &place))
        return false;
    struct code_cell *cell = place.cell;
    uint32_t temporaries = e->temporaries.len;
    if (place.choice)
        cell = eval_refer_to_choice(e, one->name, &place);
    else if (!cell) {
        cell = eval_new_cell(e, one->name, place.shape ? place.shape : eval_shape(e, one->type));
        cell->location = place.location;
        cell->offset = place.offset;
    } else
        eval_keep_temporary(e, cell); /* it lives as long as the name */
    bool owns = !place.cell || e->temporaries.len < temporaries;
    (owns ? eval_bind : eval_bind_reference)(e, one->name, cell);
    return !one->bound || eval_bind_parts(e, one, cell);
}

/* "auto f = std::atomic_ref(x)": the object itself, under another name. */
static bool declare_atomic_reference(struct eval *e, const struct cpp_declarator *one, bool *found)
{
    struct lvalue place, from;
    const struct cpp_expr *value = initial_value(one);
    *found = value && value->kind == CPP_CALL && eval_atomic_reference(e, value, &place);
    bool named = one->type->kind == CPP_TYPE_NAMED &&
                 strcmp(cpp_last_part(&one->type->name)->word, "atomic_ref") == 0;
    if (!*found && named && value) {
        *found = true;
        if (!eval_places_of(e, value, &from) || !eval_as_atomic(e, one->type, &from, &place))
            return false;
    }
    if (!*found)
        return true;
    struct code_cell *cell = place.choice ? eval_refer_to_choice(e, one->name, &place)
                                          : eval_new_cell(e, one->name, place.shape);
    cell->location = place.location;
    cell->offset = place.offset;
    eval_bind(e, one->name, cell);
    return true;
}

/* A class has a constructor, which may do anything. */
bool eval_is_made_plainly(struct eval *e, const struct cpp_type *type,
                          const struct code_shape *shape, struct span span)
{
    while (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR) {
        shape = shape->of;
        type = type && type->kind == CPP_TYPE_ARRAY ? type->to : NULL;
    }
    const char *word = type && type->kind == CPP_TYPE_NAMED ? cpp_last_part(&type->name)->word
                       : shape->structure                   ? shape->structure->name
                                                            : NULL;
    bool own = shape->structure && shape->structure->is_own;
    if (shape->is_unknown) {
        eval_error(e, host_statement, span, "declare it where the program can be read",
                   "the type '%.60s' is not known", shape->word);
        return false;
    }
    if (!e->is_file || shape->kind != SHAPE_STRUCT || !word || own || eval_is_plain_type(e, word))
        return true;
    eval_error(e, host_statement, span, "use a structure that has only variables",
               "objects of the class '%.60s' are not modelled", word);
    return false;
}

/* "a[] = {1, 2}", "a[]{1, 2}", "a[] = "text"": the values say how many. */
static const struct code_shape *counted(struct eval *e, const struct code_shape *shape,
                                        const struct cpp_declarator *one)
{
    struct code_shape *made = ARENA_NEW(e->arena, struct code_shape);
    *made = *shape;
    made->count = one->given_count;
    if (one->value)
        made->count =
            one->value->kind == CPP_STRING ? one->value->span.length - 1 : one->value->kid_count;
    return made;
}

static bool is_static(const struct eval *e, const struct cpp_stmt *stmt)
{
    return e->host != NONE && (stmt->specifiers & CPP_SPECIFIER_STATIC);
}

/* A static variable that was made when the code was last come to. */
static bool bind_static(struct eval *e, const struct cpp_declarator *one)
{
    for (uint32_t i = 0; i < e->statics.len; i++)
        if (e->statics.at[i].one == one) {
            eval_bind(e, one->name, e->statics.at[i].cell);
            return true;
        }
    return false;
}

/* Before anything else happens. */
static void make_zero(struct eval *e, const struct cpp_stmt *stmt, struct code_cell *cell)
{
    bool plain = cell->shape->kind == SHAPE_NUMBER || cell->shape->kind == SHAPE_POINTER;
    if ((e->host == NONE || is_static(e, stmt)) && plain && cell->location == NONE &&
        cell->value.kind == VALUE_NOTHING)
        cell->value = eval_number(0, TYPE_S32);
}

/* That of a file is made by main, before its own code. */
static bool make_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    uint32_t host = e->host;
    e->host = host == NONE ? e->main_host : host;
    bool good = eval_make_object(e, cell, one);
    e->host = host;
    return good;
}

/* "auto x" */
static bool is_deduced(const struct cpp_declarator *one)
{
    return one->type->kind == CPP_TYPE_AUTO && !one->bound;
}

/* What is certainly no object of a class. */
static bool is_plain_value(const struct cpp_expr *expr)
{
    return expr->kind == CPP_NUMBER || expr->kind == CPP_FLOAT || expr->kind == CPP_STRING ||
           expr->kind == CPP_NULL || expr->kind == CPP_LIST || expr->kind == CPP_LAMBDA ||
           expr->kind == CPP_LAUNCH || expr->kind == CPP_SIZEOF || expr->kind == CPP_NEW;
}

/* "auto [a, b] = x;" of an array in memory: its elements are copied. */
static bool copy_elements(struct eval *e, struct code_cell *cell, const struct code_value *array,
                          const struct cpp_declarator *one)
{
    bool good = true;
    for (uint32_t i = 0; good && i < one->bound_count; i++) {
        struct lvalue from;
        struct code_value element;
        good = eval_pointed_to(e, array, i, one->span, &from) &&
               eval_read(e, &from, one->span, &element) &&
               eval_set(e, eval_part(e, cell, i), &element, one->span);
    }
    struct code_shape *shape = ARENA_NEW(e->arena, struct code_shape);
    *shape = (struct code_shape){.kind = SHAPE_ARRAY, .of = cell->shape, .count = one->bound_count};
    cell->shape = shape;
    return good;
}

/* An object is copied, or taken; another value is kept as it is. */
static bool take_value(struct eval *e, struct code_cell *cell, const struct code_value *value,
                       const struct cpp_declarator *one, bool constant)
{
    bool list =
        value->kind == VALUE_CELL && !value->number && one->bound &&
        (value->cell->shape->kind == SHAPE_ARRAY || value->cell->shape->kind == SHAPE_VECTOR);
    if (eval_class_of(value) && value->cell->shape->structure->is_own) {
        cell->shape = value->cell->shape;
        return eval_copy_object(e, cell, value, one->span);
    }
    if (list || (value->kind == VALUE_CELL && value->is_object)) {
        cell->shape = value->cell->shape;
        return eval_set(e, cell, value, one->span);
    }
    if (value->kind == VALUE_ADDRESS && one->bound)
        return copy_elements(e, cell, value, one);
    cell->is_const = constant;
    return eval_set(e, cell, value, one->span);
}

/* The next time the code is come to finds the variable again. */
static void keep_static(struct eval *e, const struct cpp_declarator *one, struct code_cell *cell)
{
    struct static_variable kept = {one, cell};
    vec_push(e->arena, &e->statics, kept);
}

/* "auto x = f();" */
static bool declare_auto(struct eval *e, const struct cpp_stmt *stmt,
                         const struct cpp_declarator *one)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    struct code_value value;
    struct code_cell *cell = eval_new_cell(e, one->name, &any);
    bool constant = one->type->is_const || stmt->specifiers & CPP_SPECIFIER_CONSTEXPR;
    if (!eval_value(e, one->value, &value))
        return false;
    cell->is_opaque = eval_is_of_unknown_type(e, &value);
    bool good = take_value(e, cell, &value, one, constant);
    cell->is_const = constant;
    if (is_static(e, stmt))
        keep_static(e, one, cell);
    if (one->bound)
        return good && eval_bind_parts(e, one, cell);
    eval_bind(e, one->name, cell);
    return good;
}

static bool is_truth(struct eval *e, const struct cpp_expr *expr)
{
    if (expr->kind == CPP_CONDITIONAL)
        return is_truth(e, expr->kids[1]) && is_truth(e, expr->kids[2]);
    if (eval_is_condition(expr) || (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_NOT))
        return true;
    const struct code_shape *shape = eval_static_shape(e, expr);
    return shape && shape->kind == SHAPE_NUMBER && shape->is_bool;
}

void eval_settle_auto(struct eval *e, struct code_cell *cell, const struct cpp_expr *expr)
{
    const struct code_value *value = &cell->value;
    bool number =
        value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER || value->kind == VALUE_FLOAT;
    if (!e->is_file || cell->shape->kind != SHAPE_AUTO || cell->is_opaque || !number ||
        value->type == TYPE_NONE || cell->location != NONE)
        return;
    struct code_shape *made = ARENA_NEW(e->arena, struct code_shape);
    *made = *eval_number_shape(e, eval_is_float(value) ? eval_float_type(value) : value->type);
    made->is_bool = is_truth(e, expr);
    cell->shape = made;
}

static bool give_first_value(struct eval *e, struct code_cell *cell,
                             const struct cpp_declarator *one, bool class)
{
    const struct code_shape *shape = cell->shape;
    bool good;
    if (is_memory(e, one, shape))
        good = eval_declare_memory(e, cell, one);
    else if (shape->kind >= SHAPE_THREAD)
        good = eval_thread_object(e, cell, one);
    else if (class)
        good = make_object(e, cell, one);
    else
        good = eval_initialize(e, cell, one);
    if (good && has_rows(shape) && e->is_file && e->code &&
        !eval_has_indexed_rows(e->code, one->name))
        good = eval_place_rows(e, cell, one->span);
    return good;
}

/* A variable of a shape that its type tells, or that its value will. */
static bool declare_shaped(struct eval *e, const struct cpp_stmt *stmt,
                           const struct cpp_declarator *one, const struct code_shape *shape,
                           bool class)
{
    struct code_cell *cell = eval_new_cell(e, one->name, shape);
    cell->is_const = one->type->is_const || stmt->specifiers & CPP_SPECIFIER_CONSTEXPR;
    uint32_t bound = e->scope.len;
    eval_bind(e, one->name, cell); /* it is seen in its own value */
    bool good = give_first_value(e, cell, one, class);
    e->scope.len = bound;
    make_zero(e, stmt, cell);
    if (good && shape->kind == SHAPE_AUTO && is_deduced(one) && one->value)
        eval_settle_auto(e, cell, one->value);
    eval_bind(e, one->name, cell);
    if (is_static(e, stmt)) {
        keep_static(e, one, cell);
        cell->is_class = false; /* it ends with the program */
    }
    return good;
}

static bool declare(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_declarator *one)
{
    bool reference;
    if (is_static(e, stmt) && bind_static(e, one))
        return true;
    if (eval_is_runtime_word(one->name)) {
        eval_error(e, cpp_syntax, one->name_span, NULL,
                   "expected the name of a variable, found '%s' of the runtime", one->name);
        return false;
    }
    if (one->type->kind == CPP_TYPE_REFERENCE)
        return declare_reference(e, one);
    if (!declare_atomic_reference(e, one, &reference) || reference)
        return reference;
    const struct code_shape *shape = eval_shape(e, one->type);
    bool class = shape && eval_holds_objects(e, shape);
    if (!shape || (!class && !eval_is_made_plainly(e, one->type, shape, one->span)))
        return false;
    if (shape->kind == SHAPE_AUTO && !shape->is_text && one->value && !is_plain_value(one->value)) {
        bool made = declare_auto(e, stmt, one);
        if (made && is_deduced(one))
            eval_settle_auto(e, eval_find(e, one->name), one->value);
        return made;
    }
    if (shape->kind == SHAPE_ARRAY && !shape->count)
        shape = counted(e, shape, one);
    return declare_shaped(e, stmt, one, shape, class);
}

/* A variable before it has the name, in another namespace. */
static bool is_named_twice(const struct eval *e, uint32_t statement, uint32_t declarator)
{
    const char *name = e->globals.at[statement]->declarators[declarator].name;
    for (uint32_t i = 0; i <= statement; i++) {
        uint32_t count = i < statement ? e->globals.at[i]->declarator_count : declarator;
        bool type = e->globals.at[i]->specifiers & CPP_SPECIFIER_TYPEDEF || e->globals.at[i]->label;
        for (uint32_t k = 0; !type && k < count; k++)
            if (name && strcmp(e->globals.at[i]->declarators[k].name, name) == 0)
                return true;
    }
    return false;
}

bool eval_globals(struct eval *e)
{
    uint32_t host = e->host;
    bool good = true;
    for (uint32_t i = 0; good && i < e->globals.len; i++)
        for (uint32_t k = 0; good && k < e->globals.at[i]->declarator_count; k++) {
            struct cpp_stmt stmt = *e->globals.at[i];
            const struct cpp_declarator *one = &stmt.declarators[k];
            bool variable = !(stmt.specifiers & CPP_SPECIFIER_TYPEDEF) && !stmt.label;
            if (variable && is_named_twice(e, i, k)) {
                eval_error(e, host_statement, one->span, "give them different names",
                           "which of several variables '%s' is meant is not known", one->name);
                good = false;
                break;
            }
            e->host = NONE; /* everybody's; one that nobody changes is a constant */
            if (!eval_is_changed(e, one->name))
                stmt.specifiers |= CPP_SPECIFIER_CONSTEXPR;
            stmt.declarators = ARENA_NEW(e->arena, struct cpp_declarator);
            stmt.declarators[0] = *one;
            stmt.declarator_count = 1;
            good = eval_statement(e, &stmt);
        }
    e->host = host;
    for (uint32_t i = 0; i < e->cells.len; i++)
        if (e->cells.at[i]->variable != NONE)
            e->cells.at[i]->host = host; /* a register is one thread's */
    for (uint32_t i = 0; i < e->functions.len; i++)
        e->functions.at[i]->visible = e->scope.len;
    e->frame.visible = e->frame.floor = e->file_scope = e->scope.len;
    return good;
}

/* That of its constants. */
static const struct cpp_type *enumeration_type(struct eval *e, const struct cpp_stmt *stmt)
{
    struct cpp_type *type = ARENA_NEW(e->arena, struct cpp_type);
    *type = (struct cpp_type){.kind = CPP_TYPE_INTEGER, .is_signed = true, .bytes = 4, .height = 1};
    if (stmt->declarator_count) {
        *type = *stmt->declarators[0].type;
        type->is_const = false;
    }
    return type;
}

bool eval_declaration(struct eval *e, const struct cpp_stmt *stmt)
{
    bool good = true;
    if (stmt->type)
        eval_define_structure(e, stmt->type);
    if (stmt->label)
        eval_name_type(e, stmt->label, enumeration_type(e, stmt));
    uint32_t first = e->scope.len;
    for (uint32_t i = 0; i < stmt->declarator_count; i++)
        if (stmt->specifiers & CPP_SPECIFIER_TYPEDEF)
            eval_name_type(e, stmt->declarators[i].name, stmt->declarators[i].type);
        else
            good = declare(e, stmt, &stmt->declarators[i]) && good;
    for (uint32_t i = first, end = e->scope.len; stmt->label && i < end; i++) {
        const char *name = e->scope.at[i].name, *of = strstr(name, "::"); /* of a class: "W::A" */
        eval_bind(e, arena_printf(e->arena, "%s::%s", stmt->label, of ? of + 2 : name),
                  e->scope.at[i].cell);
    }
    return good;
}
