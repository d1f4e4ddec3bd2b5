/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

#include "litmus/host/gap.h"
#include "litmus/host/macro.h"
#include "litmus/parse/launch.h"

enum { DEEPEST_ARROWS = 8 };

/* What can be read, written and pointed to: variables and memory. */

const char *eval_word(const struct cpp_expr *expr)
{
    return expr->kind == CPP_NAME ? cpp_plain_word(&expr->name) : NULL;
}

uint64_t eval_unit(const struct eval *e, uint32_t location)
{
    return type_bytes(e->p->locations.at[location].type);
}

bool eval_is_location(const struct eval *e, const struct cpp_expr *expr, uint32_t *location)
{
    const char *word = eval_word(expr);
    if (!word || eval_find(e, word))
        return false;
    *location = names_get(&e->p->location_names, NONE, word, strlen(word));
    return *location != NONE;
}

/* ---- names ---------------------------------------------------------------------------------- */

struct code_cell *eval_made_by_use(struct eval *e, const char *name, bool everybodys)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    uint32_t host = everybodys ? NONE : e->host;
    for (uint32_t i = 0; i < e->made_by_use.len; i++) {
        struct binding *one = &e->made_by_use.at[i];
        if (one->cell->host == host && strcmp(one->name, name) == 0)
            return one->cell;
    }
    struct code_cell *cell = eval_new_cell(e, name, &any);
    cell->host = host;
    struct binding binding = {name, cell};
    vec_push(e->arena, &e->made_by_use, binding);
    return cell;
}

struct code_cell *eval_find_made_by_use(const struct eval *e, const char *name)
{
    for (uint32_t i = 0; i < e->made_by_use.len; i++) {
        const struct binding *one = &e->made_by_use.at[i];
        if ((one->cell->host == e->host || one->cell->host == NONE) && strcmp(one->name, name) == 0)
            return one->cell;
    }
    return NULL;
}

/* What is only printed. */
static bool is_text(const char *word)
{
    static const char *const words[] = {"cout",   "cerr",     "clog",     "endl",        "stdout",
                                        "stderr", "__FILE__", "__func__", "__FUNCTION__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Words of the runtime of which only calls that order nothing know more. */
static bool is_inert(const char *word)
{
    static const char *const prefixes[] = {
        "cudaMemLocationType", "cudaMemAdviseSet",  "cudaMemAdviseUnset",   "cudaDevAttr",
        "cudaMemPoolAttr",     "cudaLimit",         "cudaFuncAttribute",    "cudaFuncCache",
        "cudaMemAccessFlags",  "cudaMemHandleType", "cudaMemAllocationType"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(word, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool is_number_word(const char *word, struct code_value *to)
{
    static const struct {
        const char *word;
        uint64_t value;
        enum type type;
    } rows[] = {
#define NUMBER(word, value)      {word, (uint64_t)(value), TYPE_S64},
#define LIMIT(word, value, type) {word, (uint64_t)(value), type},
#include "litmus/host/number.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0) {
            *to = eval_number(rows[i].value, rows[i].type);
            return true;
        }
    return false;
}

/* Names of the runtime that are values. */
static bool runtime_word(const char *word, struct code_value *to)
{
    if (is_number_word(word, to))
        return true;
    *to = (struct code_value){.kind = VALUE_UNKNOWN};
    if (is_inert(word))
        return true;
    static const char *const statuses[] = {"cudaStreamCaptureStatusNone",
                                           "cudaStreamCaptureStatusActive",
                                           "cudaStreamCaptureStatusInvalidated"};
    *to = (struct code_value){.kind = VALUE_STRING};
    if (is_text(word))
        return true;
    *to = eval_number(0, TYPE_S32);
    if (strcmp(word, "ATOMIC_FLAG_INIT") == 0 || strcmp(word, "cudaSuccess") == 0 ||
        strcmp(word, "CUDA_SUCCESS") == 0 || strcmp(word, "NULL") == 0)
        return true;
    to->number = HOST_RESULT_NOT_READY;
    if (strcmp(word, "cudaErrorNotReady") == 0 || strcmp(word, "CUDA_ERROR_NOT_READY") == 0)
        return true;
    for (uint32_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (strcmp(word, statuses[i]) == 0) {
            to->number = i;
            return true;
        }
    for (uint32_t i = 1; i < HOST_CONSTANT_COUNT; i++)
        if (strcmp(word, host_constant_names[i]) == 0) {
            *to = (struct code_value){.kind = VALUE_CONSTANT, .constant = (enum host_constant)i};
            return true;
        }
    to->number = 999; /* no error that the checker can tell is returned: it is reported */
    return strncmp(word, "cudaError", 9) == 0 || strncmp(word, "CUDA_ERROR", 10) == 0 ||
           strcmp(word, "EXIT_FAILURE") == 0 || strcmp(word, "EXIT_WAIVED") == 0 ||
           strcmp(word, "__LINE__") == 0 || (to->number = 0, strcmp(word, "EXIT_SUCCESS") == 0);
}

bool eval_is_runtime_word(const char *word)
{
    struct code_value value;
    return runtime_word(word, &value);
}

static bool is_kernel(const struct eval *e, const char *word)
{
    uint32_t matches;
    return parse_find_kernel(e->p, word, &matches) != NONE;
}

static bool other_name(struct eval *e, const struct cpp_expr *expr, const char *word,
                       struct code_value *to)
{
    uint32_t object = names_get(&e->p->host_names, 0, word, strlen(word));
    const struct code_function *function = eval_function(e, word);
    if (runtime_word(word, to))
        return true;
    *to = (struct code_value){.name = expr->span};
    if (function) {
        to->kind = VALUE_FUNCTION;
        to->function = function;
    } else if (object != NONE) {
        to->kind = VALUE_OBJECT;
        to->object = object;
    } else if (is_kernel(e, word))
        to->kind = VALUE_KERNEL;
    else
        return false;
    return true;
}

static bool unknown(struct eval *e, const struct cpp_expr *expr)
{
    VEC(const char *) known = {0};
    const char *word = eval_text(e, expr->span), *instead = eval_instead(e, word);
    e->cause = e->cause ? e->cause : gap_of_word(e, word);
    if (instead) {
        eval_error(e, host_unsupported, expr->span, instead,
                   "'%.60s' is not among the constants that are modelled", word);
        return false;
    }
    for (uint32_t i = 0; i < e->p->locations.len; i++)
        vec_push(e->arena, &known, e->p->locations.at[i].name);
    for (uint32_t i = 0; i < e->scope.len; i++)
        vec_push(e->arena, &known, e->scope.at[i].name);
    for (uint32_t i = 1; i < HOST_CONSTANT_COUNT; i++)
        vec_push(e->arena, &known, host_constant_names[i]);
    eval_error(e, unknown_name, expr->span,
               diag_hint(e->arena, word, strlen(word), known.at, known.len),
               "nothing is called '%.60s'", word);
    return false;
}

struct lvalue eval_place_of_cell(struct code_cell *cell)
{
    if (cell->value.kind == VALUE_CELL && cell->value.is_reference) /* a member that is one */
        return eval_place_of_cell(cell->value.cell);
    struct lvalue place = {
        .location = cell->location, .offset = cell->offset, .shape = cell->shape};
    if (cell->location == NONE)
        place.cell = cell;
    return place;
}

static struct code_cell *constant_cell(struct eval *e, const struct code_value *value)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    struct code_cell *cell = eval_new_cell(e, "constant", &any);
    cell->value = *value;
    cell->is_const = true;
    return cell;
}

/* "Kind::First" of an enumeration, "Plan::size" of a structure; else a namespace stands before the name. */
static struct code_cell *qualified(const struct eval *e, const struct cpp_name *name,
                                   const char **word)
{
    const struct cpp_part *last = cpp_last_part(name);
    const char *whole = arena_printf(e->arena, "%s::%s", last[-1].word, last->word);
    *word = last->word;
    struct code_cell *cell = eval_find(e, whole);
    const struct structure *class = eval_structure(e, last[-1].word);
    if (class && class->is_one_of_several) {
        *word = whole;
        return NULL;
    }
    if (!cell && class && class->is_own && eval_function(e, whole)) {
        *word = whole;
        return NULL;
    }
    return cell ? cell : eval_find(e, last->word);
}

static bool named(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    const char *word = eval_word(expr);
    struct code_cell *cell = word ? eval_find(e, word) : NULL;
    if (!word && e->is_file)
        cell = qualified(e, &expr->name, &word);
    struct code_value value;
    uint32_t location;
    if (!cell && word && !eval_is_location(e, expr, &location))
        cell = eval_find_made_by_use(e, word);
    if (cell) {
        *to = eval_place_of_cell(cell);
        return true;
    }
    if (word && eval_is_location(e, expr, &location)) {
        *to = (struct lvalue){.location = location};
        return true;
    }
    const struct code_macro *macro = word && !cell ? macro_named(e, word, false) : NULL;
    if (macro && macro->value) {
        if (!eval_value(e, macro->value, &value))
            return false;
        *to = eval_place_of_cell(constant_cell(e, &value));
        return true;
    }
    if (word && other_name(e, expr, word, &value)) {
        *to = eval_place_of_cell(constant_cell(e, &value));
        return true;
    }
    return unknown(e, expr);
}

/* ---- parts ---------------------------------------------------------------------------------- */

static bool is_array(const struct code_shape *shape)
{
    return shape && (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR);
}

bool eval_pointed_to(struct eval *e, const struct code_value *pointer, uint64_t index,
                     struct span span, struct lvalue *to)
{
    if (pointer->kind == VALUE_CELL) {
        *to = (struct lvalue){.array = pointer->cell, .index = pointer->number + index};
        to->cell =
            is_array(pointer->cell->shape) ? eval_part(e, pointer->cell, to->index) : pointer->cell;
        struct lvalue is = eval_place_of_cell(to->cell);
        is.array = is_array(pointer->cell->shape) ? pointer->cell : NULL;
        is.index = to->index;
        *to = is;
        return true;
    }
    if (pointer->kind == VALUE_ADDRESS) {
        uint64_t unit =
            pointer->shape ? eval_bytes(e, pointer->shape) : eval_unit(e, pointer->location);
        *to = (struct lvalue){.location = pointer->location,
                              .offset = pointer->number + index * unit,
                              .shape = pointer->shape};
        return true;
    }
    return eval_needs(e, pointer, span, "a pointer");
}

/* Where a value is that a function gave: what a reference refers to, or a variable of its own. */
static bool place_of_value(struct eval *e, const struct code_value *value, struct span span,
                           struct lvalue *to)
{
    if (value->kind == VALUE_CELL && (value->is_reference || value->is_object))
        return eval_pointed_to(e, value, 0, span, to);
    if (value->kind == VALUE_ADDRESS && value->is_reference)
        return eval_pointed_to(e, value, 0, span, to);
    *to = eval_place_of_cell(constant_cell(e, value));
    return true;
}

/* "a[i]" of an object whose class has the operator. */
static bool index_operator(struct eval *e, const struct cpp_expr *expr, bool *found,
                           struct lvalue *to)
{
    const char *word = eval_word(expr->kids[0]);
    struct code_cell *cell = word ? eval_find(e, word) : NULL;
    bool simple = expr->kids[0]->kind == CPP_NAME || expr->kids[0]->kind == CPP_MEMBER;
    struct lvalue place;
    struct code_value object, index;
    bool good;
    *found = false;
    if (!simple || (word && (!cell || cell->shape->kind != SHAPE_STRUCT)))
        return true;
    if (!word && !eval_place_of(e, expr->kids[0], &place))
        return false;
    if (word)
        place = eval_place_of_cell(cell);
    if (!place.cell || place.cell->shape->kind != SHAPE_STRUCT || !place.cell->shape->structure)
        return true;
    object = (struct code_value){.kind = VALUE_CELL, .cell = place.cell, .is_object = true};
    if (!eval_has_member_function(e, place.cell->shape, "operator[]"))
        return true;
    if (!eval_value(e, expr->kids[1], &index))
        return false;
    const struct code_function *function =
        eval_choose_by_values(e, "operator[]", place.cell->shape, &index, 1, expr->span, &good);
    *found = true;
    if (!function)
        return good && eval_needs(e, &object, expr->span, "an array");
    return eval_call_values(e, function, place.cell, &index, 1, expr->span, &object) &&
           place_of_value(e, &object, expr->span, to);
}

static bool element(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    struct code_value base;
    uint64_t index;
    uint32_t location;
    bool indexes;
    if (!index_operator(e, expr, &indexes, to))
        return false;
    if (indexes)
        return true;
    if (!eval_known_number(e, expr->kids[1], "an index", &index))
        return false;
    if (eval_is_location(e, expr->kids[0], &location)) {
        *to = (struct lvalue){.location = location, .offset = index * eval_unit(e, location)};
        if (index < e->p->locations.at[location].elements)
            return true;
        eval_error(e, number_out_of_range, expr->span, NULL, "'%s' has %u element%s",
                   e->p->locations.at[location].name, e->p->locations.at[location].elements,
                   e->p->locations.at[location].elements == 1 ? "" : "s");
        return false;
    }
    if (index > MAX_ELEMENTS) {
        eval_error(e, host_argument, expr->kids[1]->span, NULL, "an array has 1 to %d elements",
                   MAX_ELEMENTS);
        return false;
    }
    return eval_value(e, expr->kids[0], &base) && eval_pointed_to(e, &base, index, expr->span, to);
}

/* "a->b" of an object is "a.operator->()->b". */
static bool follow(struct eval *e, struct code_value *base, struct span span)
{
    for (unsigned depth = 0; eval_class_of(base) && depth < DEEPEST_ARROWS; depth++) {
        bool good;
        const struct code_function *arrow =
            eval_choose_by_values(e, "operator->", base->cell->shape, NULL, 0, span, &good);
        if (!good)
            return false;
        if (!arrow)
            break;
        if (!eval_call_values(e, arrow, base->cell, NULL, 0, span, base))
            return false;
    }
    return true;
}

bool eval_object_of(struct eval *e, const struct cpp_expr *member, struct lvalue *to)
{
    struct code_value base;
    if (!member->is_arrow)
        return eval_place_of(e, member->kids[0], to);
    return eval_value(e, member->kids[0], &base) && follow(e, &base, member->span) &&
           eval_pointed_to(e, &base, 0, member->span, to);
}

/* A member of a structure that lies in memory: the memory has elements of the size of each of its members. */
static bool member_in_memory(struct eval *e, const struct cpp_expr *expr,
                             const struct lvalue *object, const char *name, struct lvalue *to)
{
    const struct code_shape *shape;
    uint64_t offset;
    *to = *object;
    if (!object->shape || object->shape->kind != SHAPE_STRUCT || !object->shape->structure ||
        !eval_member_offset(e, object->shape, name, &offset, &shape)) {
        eval_error(e, host_argument, expr->span, "use a variable of each member's type",
                   "structures in memory are not read");
        return false;
    }
    to->offset += offset;
    to->shape = shape;
    return true;
}

static bool member(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    struct lvalue object;
    const char *name = cpp_last_part(&expr->name)->word;
    if (expr->name.part_count > 1) {
        eval_error(e, host_statement, expr->span, "give the members different names",
                   "a member of a base that is named is not modelled");
        return false;
    }
    if (!eval_object_of(e, expr, &object))
        return false;
    if (!object.cell)
        return member_in_memory(e, expr, &object, name, to);
    *to = eval_place_of_cell(eval_member(e, object.cell, name));
    return true;
}

/* The target of an assignment may be a name that nothing declares: a register. */
static bool is_new_name(const struct eval *e, const struct cpp_expr *expr)
{
    struct code_value value;
    uint32_t location;
    const char *word = eval_word(expr);
    return word && !e->is_file && expr->name.part_count == 1 && !eval_find(e, word) &&
           !eval_find_made_by_use(e, word) && !eval_is_location(e, expr, &location) &&
           !runtime_word(word, &value) &&
           names_get(&e->p->host_names, 0, word, strlen(word)) == NONE;
}

static bool place_of(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    struct code_value value;
    switch (expr->kind) {
    case CPP_NAME:
        return named(e, expr, to);
    case CPP_INDEX:
        return element(e, expr, to);
    case CPP_MEMBER:
        return member(e, expr, to);
    case CPP_CAST:
        return eval_place_of(e, expr->kids[0], to);
    case CPP_UNARY:
        if (expr->mark == CPP_MARK_MUL) {
            bool found;
            if (!eval_value(e, expr->kids[0], &value) ||
                !eval_operator(e, "*", &value, NULL, expr->span, &found))
                return false;
            if (found)
                return place_of_value(e, &value, expr->span, to);
            if (value.kind == VALUE_FUNCTION || value.kind == VALUE_KERNEL) {
                *to = eval_place_of_cell(constant_cell(e, &value));
                return true;
            }
            return eval_pointed_to(e, &value, 0, expr->span, to);
        }
        break;
    case CPP_CONDITIONAL: {
        uint32_t otherwise = eval_new_aim(e);
        if (!eval_is_certain(e, expr->kids[0]))
            break;
        enum eval_truth is = eval_branch(e, expr->kids[0], false, otherwise);
        return is != EVAL_FAILED && eval_place_of(e, expr->kids[is == EVAL_TRUE ? 1 : 2], to);
    }
    case CPP_CALL:
        if (eval_atomic_reference(e, expr, to))
            return true;
        if (!eval_call(e, expr, true, &value))
            return false;
        if ((value.kind == VALUE_CELL && !value.is_object && !value.is_reference &&
             expr->kids[0]->kind == CPP_MEMBER) ||
            (value.kind == VALUE_ADDRESS && expr->kids[0]->kind == CPP_MEMBER &&
             !value.is_reference))
            return eval_pointed_to(e, &value, 0, expr->span, to);
        return place_of_value(e, &value, expr->span, to);
    default:
        break;
    }
    return eval_value(e, expr, &value) && place_of_value(e, &value, expr->span, to);
}

bool eval_place_of(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    bool good = place_of(e, expr, to);
    to->span = expr->span;
    return good;
}

bool eval_target(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    if (!is_new_name(e, expr))
        return eval_place_of(e, expr, to);
    *to = eval_place_of_cell(eval_made_by_use(e, eval_word(expr), false));
    return true;
}

/* ---- reading -------------------------------------------------------------------------------- */

bool eval_fits_location(struct eval *e, const struct lvalue *place, struct span span)
{
    const struct location *location = &e->p->locations.at[place->location];
    if (!place->shape || place->shape->kind != SHAPE_NUMBER || location->type == TYPE_NONE ||
        (type_bytes(place->shape->type) == type_bytes(location->type) &&
         place->offset % type_bytes(location->type) == 0))
        return true;
    eval_error(e, host_argument, span, "declare the memory with the type of the access",
               "'%s' is accessed by another type than it has", location->name);
    return false;
}

bool eval_is_in_bounds(struct eval *e, const struct lvalue *place, struct span span)
{
    const struct location *location = &e->p->locations.at[place->location];
    uint64_t unit = eval_unit(e, place->location);
    if (place->offset / unit < location->elements)
        return true;
    eval_error(e, number_out_of_range, span, NULL, "'%s' has %u element%s", location->name,
               location->elements, location->elements == 1 ? "" : "s");
    return false;
}

enum type eval_read_type(const struct eval *e, const struct lvalue *place)
{
    enum type type = e->p->locations.at[place->location].type;
    if (place->shape && place->shape->kind == SHAPE_NUMBER)
        return place->shape->type;
    return type_is_float(type) ? type : TYPE_NONE;
}

static bool read_memory(struct eval *e, const struct lvalue *place, struct span span,
                        struct code_value *to)
{
    struct raw_operand operands[2];
    const struct code_shape *shape = place->shape;
    if (is_array(shape) || (shape && shape->kind == SHAPE_STRUCT)) { /* an array: its address */
        *to = (struct code_value){.kind = VALUE_ADDRESS, .location = place->location};
        to->number = place->offset;
        to->shape = shape->kind == SHAPE_STRUCT ? shape : shape->of;
        return true;
    }
    if (gap_of_memory(e, place->location)) {
        *to = gap_value(gap_of_memory(e, place->location), span);
        return true;
    }
    if (!eval_fits_location(e, place, span) || !eval_is_in_bounds(e, place, span))
        return false;
    if (shape && shape->is_atomic)
        return eval_atomic_read(e, place, shape->scope == SCOPE_NONE ? SEM_RELAXED : SEM_SC, span,
                                to);
    operands[0] = eval_temporary(e, span);
    operands[1] = eval_memory(place, span);
    eval_emit(e, (struct raw_inst){.op = OP_LD}, operands, 2, span);
    *to = eval_in_register(operands[0], eval_read_type(e, place));
    to->holds = e->p->locations.at[place->location].type;
    return true;
}

/* Another thread may see the variable if nobody changes it from then on. */
static bool see(struct eval *e, struct code_cell *cell)
{
    const struct code_function *function = e->frame.function;
    bool copied = function && function->lambda && eval_is_copied(function->lambda, cell->name);
    if (cell->host != e->host && cell->host != NONE && !copied)
        cell->is_shared = true;
    return true;
}

bool eval_read(struct eval *e, const struct lvalue *place, struct span span, struct code_value *to)
{
    struct code_cell *cell = place->cell;
    if (!cell)
        return read_memory(e, place, span, to);
    see(e, cell);
    *to = cell->value;
    if (to->kind == VALUE_UNKNOWN && to->number)
        return true;
    if (is_array(cell->shape) || cell->shape->kind == SHAPE_STRUCT ||
        (cell->parts.len && to->kind == VALUE_NOTHING) || cell->shape->kind >= SHAPE_THREAD)
        *to = (struct code_value){
            .kind = VALUE_CELL, .cell = cell, .is_object = cell->shape->kind == SHAPE_STRUCT};
    if (cell->shape->kind == SHAPE_STRUCT && cell->value.kind == VALUE_OBJECT)
        *to = cell->value;
    if (to->kind == VALUE_REGISTER && cell->host != e->host && cell->host != NONE) {
        eval_error(e, host_argument, span, "make it std::atomic, or a location of the test",
                   "'%s' is a variable of another thread", cell->name);
        return false;
    }
    if (to->kind != VALUE_NOTHING || cell->shape->kind == SHAPE_OBJECT ||
        cell->shape->kind == SHAPE_VOID)
        return true;
    *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
    return true;
}

bool eval_point_to(struct eval *e, const struct lvalue *place, struct code_value *to)
{
    (void)e;
    if (place->cell) {
        *to = (struct code_value){.kind = VALUE_CELL, .cell = place->cell};
        if (place->array) {
            to->cell = place->array;
            to->number = place->index;
        }
        return true;
    }
    *to = (struct code_value){.kind = VALUE_ADDRESS, .location = place->location};
    to->number = place->offset;
    to->shape = is_array(place->shape) ? place->shape->of : place->shape;
    return true;
}

bool eval_address(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    struct code_value by;
    uint32_t location;
    bool sum =
        expr->kind == CPP_BINARY && (expr->mark == CPP_MARK_ADD || expr->mark == CPP_MARK_SUB);
    if (expr->kind == CPP_CAST)
        return eval_address(e, expr->kids[0], to) &&
               eval_cast(e, to, eval_shape(e, expr->type), expr->span);
    if (sum)
        return eval_address(e, expr->kids[0], to) && eval_value(e, expr->kids[1], &by) &&
               eval_binary(e, expr->mark, to, &by, expr->span);
    if (eval_is_location(e, expr, &location) ||
        (expr->kind == CPP_INDEX && eval_is_location(e, expr->kids[0], &location)))
        return eval_place_of(e, expr, &place) && eval_point_to(e, &place, to);
    return eval_value(e, expr, to);
}
