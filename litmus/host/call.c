/* SPDX-License-Identifier: MIT */
#include "litmus/host/macro.h"
#include "litmus/host/tree.h"

#include <string.h>

/* Calls of functions: which function a name means. */

bool eval_is_call_of(const struct cpp_expr *expr, const char *word)
{
    const char *name = expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    return name && strcmp(name, word) == 0;
}

bool eval_is_runtime_call(const struct eval *e, const struct cpp_expr *expr)
{
    const char *word = expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    (void)e;
    return expr->kind == CPP_LAUNCH ||
           (word && (strncmp(word, "cuda", 4) == 0 || eval_runtime_row(word)));
}

/* "CHECK(cudaFree(d))": a macro that only looks at what a call returns. */
static bool is_transparent(const struct eval *e, const struct cpp_expr *expr, const char *word)
{
    bool has_call = false;
    if (strncmp(word, "cuda", 4) == 0 || strncmp(word, "cuGraph", 7) == 0)
        return false;
    for (uint32_t i = 1; i < expr->kid_count; i++)
        has_call = has_call || eval_is_runtime_call(e, expr->kids[i]);
    return has_call;
}

/* The value is that of the first argument. */
static bool transparent(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_value other;
    for (uint32_t i = 1; i < expr->kid_count; i++)
        if (!eval_value(e, expr->kids[i], i == 1 ? to : &other))
            return false;
    return true;
}

/* "dim3(2, 1)", "cudaMemLocation{…}": a structure. */
static bool made_structure(struct eval *e, const struct cpp_expr *expr, const char *word,
                           struct code_value *to)
{
    static const struct {
        const char *word, *members[4];
    } rows[] = {{"dim3", {"x", "y", "z", NULL}},
                {"make_cudaExtent", {"width", "height", "depth", NULL}},
                {"make_cudaPitchedPtr", {"ptr", "pitch", "xsize", "ysize"}},
                {"make_cudaPos", {"x", "y", "z", NULL}}};
    size_t which = 0;
    while (which < sizeof rows / sizeof *rows && strcmp(rows[which].word, word) != 0)
        which++;
    if (which == sizeof rows / sizeof *rows)
        return false;
    struct code_shape *shape = ARENA_NEW(e->arena, struct code_shape);
    *shape = (struct code_shape){.kind = SHAPE_STRUCT};
    *to = (struct code_value){.kind = VALUE_CELL, .cell = eval_new_cell(e, word, shape)};
    for (uint32_t i = 0; i < 4 && rows[which].members[i]; i++) {
        struct code_cell *part = eval_member(e, to->cell, rows[which].members[i]);
        part->value = eval_number(which == 0, TYPE_U32);
        if (i + 1 < expr->kid_count && !eval_address(e, expr->kids[i + 1], &part->value))
            return false;
    }
    return true;
}

static bool is_structure(const char *word)
{
    return strcmp(word, "dim3") == 0 || strncmp(word, "make_cuda", 9) == 0;
}

/* "W{1, 2}", "make_int2(1, 2)" */
static bool list_of_members(struct eval *e, const struct cpp_expr *expr, const char *word,
                            bool *found, struct code_value *to)
{
    const char *structure = strncmp(word, "make_", 5) == 0 ? word + 5 : word;
    *found = eval_is_structure(e, structure);
    if (!*found)
        return false;
    struct cpp_part part = *cpp_last_part(&expr->kids[0]->name);
    part.word = structure;
    struct cpp_type type = {.kind = CPP_TYPE_NAMED, .name = {.parts = &part, .part_count = 1}};
    const struct code_shape *shape = eval_shape(e, &type);
    return shape && eval_new_structure(e, shape, expr->kids + 1, expr->kid_count - 1, to);
}

/* A number whose address the call is given, or something that it only looks at. */
static bool is_harmless(struct eval *e, const struct cpp_expr *expr, struct code_cell **written)
{
    struct code_value value;
    struct lvalue place;
    *written = NULL;
    while (expr->kind == CPP_CAST)
        expr = expr->kids[0];
    if (expr->kind != CPP_UNARY || expr->mark != CPP_MARK_AND)
        return eval_value(e, expr, &value) && value.kind != VALUE_CELL &&
               value.kind != VALUE_ADDRESS;
    if (!eval_place_of(e, expr->kids[0], &place) || !place.cell ||
        place.cell->shape->kind != SHAPE_NUMBER)
        return false;
    *written = place.cell;
    return true;
}

/* In a file, a call that orders nothing: nobody knows the numbers that it gives. */
static bool passes_over(struct eval *e, const struct cpp_expr *expr, const char *word)
{
    const struct host_other *other = host_other(word);
    struct code_cell *written;
    if (!e->is_file || !other || other->kind != HOST_OTHER_NOTHING)
        return false;
    for (uint32_t i = 1; i < expr->kid_count; i++)
        if (!is_harmless(e, expr->kids[i], &written))
            return false;
    for (uint32_t i = 1; i < expr->kid_count; i++)
        if (is_harmless(e, expr->kids[i], &written) && written)
            written->value = (struct code_value){.kind = VALUE_UNKNOWN, .name = expr->span};
    return true;
}

/* The runtime has the call, and host programs do not. */
static bool refuse_other(struct eval *e, const struct cpp_expr *expr,
                         const struct host_other *other)
{
    if (other)
        eval_error(e, host_call_unknown, expr->kids[0]->span,
                   other->kind == HOST_OTHER_NOTHING ? "leave it out: it orders nothing" : NULL,
                   "'%s' is not modelled: it %s", other->name, other->what);
    return other;
}

const char *eval_instead(const struct eval *e, const char *word)
{
    static const struct {
        const char *word, *what;
    } instead[] = {
#define INSTEAD(word, what) {word, what},
#include "litmus/host/name.def"
    };
    for (size_t i = 0; i < sizeof instead / sizeof *instead; i++)
        if (strcmp(word, instead[i].word) == 0)
            return arena_printf(e->arena, "write %s", instead[i].what);
    return NULL;
}

static bool unknown_runtime_call(struct eval *e, const struct cpp_expr *expr, const char *word)
{
    const char *instead = eval_instead(e, word);
    if (instead) {
        eval_error(e, host_call_unknown, expr->kids[0]->span, instead,
                   "'%.60s' is not among the calls that are modelled", word);
        return false;
    }
    if (refuse_other(e, expr, host_other(word)))
        return false;
    const char **known = ARENA_ARRAY(e->arena, const char *, host_call_row_count);
    for (uint32_t i = 0; i < host_call_row_count; i++)
        known[i] = host_call_rows[i].name;
    eval_error(e, host_call_unknown, expr->kids[0]->span,
               diag_hint(e->arena, word, strlen(word), known, host_call_row_count),
               "'%.60s' is not among the calls that are modelled", word);
    return false;
}

/* A variable that holds a function, a lambda for example. */
static const struct code_function *function_in(struct eval *e, const char *word)
{
    const struct code_cell *cell = eval_find(e, word);
    if (cell)
        return cell->value.kind == VALUE_FUNCTION ? cell->value.function : NULL;
    return eval_function(e, word);
}

/* "W::go(1)", or a function of the class whose code is read. */
static bool class_call(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                       struct code_value *to)
{
    const struct cpp_name *name = &expr->kids[0]->name;
    const struct code_function *function = e->frame.function;
    const struct cpp_part *last = cpp_last_part(name);
    struct code_cell *self = eval_self(e);
    struct code_shape shape = {.kind = SHAPE_STRUCT};
    bool good = true;
    *found = false;
    if (name->part_count > 1 && !eval_find(e, word)) {
        shape.structure = eval_structure(e, last[-1].word);
        if (!shape.structure && eval_read_library(e, last[-1].word))
            shape.structure = eval_structure(e, last[-1].word);
        if (shape.structure && !eval_is_only_class(e, shape.structure, expr->span)) {
            *found = true;
            return false;
        }
        if (shape.structure && shape.structure->head.count &&
            !eval_bound_arguments(e, &last[-1], shape.structure, &shape))
            return false;
    } else if (self)
        shape = *self->shape;
    else if (function)
        shape.structure = function->of;
    if (!shape.structure || !shape.structure->is_own)
        return true;
    const struct code_function *own = eval_choose(e, word, &shape, expr, 1, &good);
    *found = own || !good;
    if (own && !own->is_static && !self) {
        eval_error(e, host_argument, expr->span, NULL, "'%s' needs an object", own->name);
        return false;
    }
    if (own && own->is_static)
        return eval_call_static(e, own, &shape, expr, to);
    return good && (!own || eval_call_member(e, own, self, expr, 1, to));
}

/* "f(1)" of a variable: an object with the operator. */
static bool object_call(struct eval *e, const struct cpp_expr *expr, struct code_cell *object,
                        bool *found, struct code_value *to)
{
    bool good = true;
    const struct code_function *function = NULL;
    if (object->value.kind == VALUE_CELL && object->value.is_reference)
        object = object->value.cell;
    if (object->shape->kind == SHAPE_STRUCT && object->shape->structure)
        function = eval_choose(e, "operator()", object->shape, expr, 1, &good);
    *found = function || !good;
    return good && (!function || eval_call_member(e, function, object, expr, 1, to));
}

static bool named_call(struct eval *e, const struct cpp_expr *expr, const char *word, bool used,
                       struct code_value *to);

/* "f(p)" of a variable that holds a call of the runtime, such as cudaFree. */
static bool runtime_in(struct eval *e, const struct cpp_expr *expr, const struct code_cell *cell,
                       bool *found, struct code_value *to)
{
    const char *word = eval_text(e, cell->value.name);
    struct cpp_expr call = *expr, callee = {.kind = CPP_NAME, .span = expr->kids[0]->span};
    callee.name = tree_name(e->arena, word, callee.span);
    call.kids = ARENA_ARRAY(e->arena, const struct cpp_expr *, expr->kid_count);
    for (uint32_t i = 1; i < expr->kid_count; i++)
        call.kids[i] = expr->kids[i];
    call.kids[0] = tree_expr(e->arena, callee, NULL, 0);
    *found = true;
    return named_call(e, tree_expr(e->arena, call, call.kids, call.kid_count), word, true, to);
}

/* Which function of the file. */
static bool file_call(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                      struct code_value *to)
{
    bool good = true;
    struct code_cell *cell = eval_find(e, word);
    const struct code_function *function = cell ? function_in(e, word) : NULL;
    if (cell && cell->value.kind == VALUE_KERNEL &&
        eval_runtime_row(eval_text(e, cell->value.name)))
        return runtime_in(e, expr, cell, found, to);
    if (cell && !function)
        return object_call(e, expr, cell, found, to);
    if (cell && !eval_take_to_read(e, cell, expr->span))
        return *found = true, false;
    if (!function)
        function = eval_choose(e, word, NULL, expr, 1, &good);
    if (!function && good)
        function = function_in(e, word);
    *found = function || !good;
    return good && (!function || eval_call_function(e, function, expr, 1, to));
}

static bool temporary(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                      struct code_value *to)
{
    struct cpp_type type = {.kind = CPP_TYPE_NAMED, .name = expr->kids[0]->name};
    *found = false;
    bool list = strcmp(word, "vector") == 0 && cpp_last_part(&type.name)->argument_count;
    bool text = strcmp(word, "string") == 0 || strcmp(word, "string_view") == 0;
    if (!list && !text && !eval_structure(e, word) && !eval_type_named(e, word))
        return true;
    const struct code_shape *shape = eval_shape(e, &type);
    if (!shape)
        return false;
    *found = shape->kind == SHAPE_STRUCT && shape->structure && eval_is_class(e, shape);
    if (*found)
        return eval_temporary_object(e, shape, expr, to);
    if (shape->kind == SHAPE_VECTOR || shape->kind == SHAPE_ARRAY) {
        struct cpp_declarator one = {.given = expr->kids + 1,
                                     .given_count = expr->kid_count - 1,
                                     .is_given = true,
                                     .is_braced = expr->is_braced,
                                     .span = expr->span};
        *found = true;
        *to = (struct code_value){.kind = VALUE_CELL, .cell = eval_new_cell(e, word, shape)};
        return (eval_holds_objects(e, shape) ? eval_make_object : eval_initialize)(e, to->cell,
                                                                                   &one);
    }
    if (shape->is_text) {
        *found = true;
        return eval_make_text(e, expr->kids + 1, expr->kid_count - 1, expr->is_braced, expr->span,
                              to);
    }
    bool number = shape->kind == SHAPE_NUMBER || shape->kind == SHAPE_POINTER;
    *found = number && expr->kid_count <= 2; /* "T(5)", "T{}" */
    *to = eval_number(0, TYPE_S32);
    return !*found || ((expr->kid_count < 2 || eval_value(e, expr->kids[1], to)) &&
                       eval_cast(e, to, shape, expr->span));
}

/* "__is_void(T)", of the compiler. */
static bool type_question(struct eval *e, const struct cpp_expr *expr, const char *word,
                          struct code_value *to)
{
    bool is_void = strcmp(word, "__is_void") == 0;
    if ((!is_void && strcmp(word, "__is_unbounded_array") != 0) || expr->kid_count != 2 ||
        expr->kids[1]->kind != CPP_NAME)
        return false;
    struct cpp_type type = {.kind = CPP_TYPE_NAMED, .name = expr->kids[1]->name};
    const struct code_shape *shape = eval_shape(e, &type);
    *to = eval_number(shape && (is_void ? shape->kind == SHAPE_VOID
                                        : shape->kind == SHAPE_ARRAY && !shape->count),
                      TYPE_U8);
    return true;
}

static bool named_call(struct eval *e, const struct cpp_expr *expr, const char *word, bool used,
                       struct code_value *to)
{
    const struct host_call_row *row = eval_runtime_row(word);
    bool found, of_macro = macro_call(e, expr, word, &found, to);
    if (found)
        return of_macro;
    bool of_class = class_call(e, expr, word, &found, to);
    if (found || !of_class)
        return of_class;
    if (type_question(e, expr, word, to))
        return true;
    if (strcmp(word, "__takes_one_more") == 0 && expr->kid_count == 2)
        return eval_take_one_more(e, expr);
    bool structured = eval_structured_call(e, expr, word, &found, to);
    if (found)
        return structured;
    if (row)
        return eval_runtime_call(e, expr, row, used, to);
    if (strcmp(word, "atomic_thread_fence") == 0)
        return eval_fence_call(e, expr);
    if (strcmp(word, "cudaGraphGetNodes") == 0) {
        *to = eval_number(HOST_RESULT_SUCCESS, TYPE_S32);
        return eval_ask_nodes(e, expr);
    }
    bool good = file_call(e, expr, word, &found, to);
    if (found || !good)
        return good;
    if (eval_read_library(e, word))
        return named_call(e, expr, word, used, to);
    good = temporary(e, expr, word, &found, to);
    if (found || !good)
        return good;
    good = eval_launching_call(e, expr, word, &found, to);
    if (!found)
        good = eval_atomic_function(e, expr, word, used, &found, to);
    if (found)
        return good;
    if (strcmp(word, "thread") == 0 || strcmp(word, "jthread") == 0)
        return eval_start_thread(e, expr, "thread", to);
    if (strcmp(word, "async") == 0)
        return eval_start_future(e, expr, to);
    if (strcmp(word, "lock") == 0 && expr->kid_count > 2)
        return eval_lock_several(e, expr);
    good = eval_library(e, expr, word, &found, to);
    if (found)
        return good;
    if (is_structure(word))
        return made_structure(e, expr, word, to);
    good = list_of_members(e, expr, word, &found, to);
    if (found)
        return good;
    if (is_transparent(e, expr, word))
        return transparent(e, expr, to);
    *to = eval_number(0, TYPE_S32);
    if (passes_over(e, expr, word))
        return true;
    if (strncmp(word, "cuda", 4) == 0 || strncmp(word, "cu", 2) == 0)
        return unknown_runtime_call(e, expr, word);
    eval_error(e, host_statement, expr->kids[0]->span,
               "write its code here, or a call of the runtime",
               "there is no function '%.60s' in a host program", word);
    return false;
}

bool eval_call(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to)
{
    const struct cpp_expr *callee = expr->kids[0];
    struct code_value function;
    *to = (struct code_value){VALUE_NOTHING};
    if (e->is_dead)
        return true;
    if (callee->kind == CPP_MEMBER)
        return eval_method(e, expr, used, to);
    if (callee->kind == CPP_NAME) {
        const char *word = cpp_plain_word(&callee->name);
        return named_call(e, expr, word ? word : cpp_last_part(&callee->name)->word, used, to);
    }
    if (!eval_value(e, callee, &function))
        return false;
    if (eval_class_of(&function)) {
        bool found, good = object_call(e, expr, function.cell, &found, to);
        if (found || !good)
            return good;
    }
    if (function.kind != VALUE_FUNCTION)
        return eval_needs(e, &function, callee->span, "a function");
    return eval_call_function(e, function.function, expr, 1, to);
}
