/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/gap.h"
#include "litmus/host/macro.h"
#include "litmus/parse/launch.h"

/* What a name means: a variable, memory, a function, a kernel, or a word of the runtime. */

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
bool eval_runtime_word(const char *word, struct code_value *to)
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
    return eval_runtime_word(word, &value);
}

static bool is_kernel(const struct eval *e, const char *word)
{
    uint32_t matches;
    return parse_find_kernel(e->p, word, &matches) != NONE;
}

/* Arguments of a template may say which one of that name it is; else what it is launched with does. */
static bool kernel_of_name(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    const struct cpp_part *last = cpp_last_part(&expr->name);
    struct kernel_use use = {.name = expr->span, .written = &expr->name};
    to->kernel = NONE;
    to->name.length = (uint32_t)strlen(last->word);
    for (uint32_t i = 0; i + 1 < expr->name.part_count; i++)
        to->name.offset += (uint32_t)strlen(expr->name.parts[i].word) + 2;
    return !last->is_template || eval_choose_kernel(e, &use, &to->kernel);
}

static bool other_name(struct eval *e, const struct cpp_expr *expr, const char *word,
                       struct code_value *to)
{
    uint32_t object = names_get(&e->p->host_names, 0, word, strlen(word));
    const struct code_function *function = eval_function(e, word);
    if (eval_runtime_word(word, to))
        return true;
    *to = (struct code_value){.name = expr->span};
    if (function) {
        to->kind = VALUE_FUNCTION;
        to->function = function;
    } else if (object != NONE) {
        to->kind = VALUE_OBJECT;
        to->object = object;
    } else if (is_kernel(e, word) || (e->is_file && eval_runtime_row(word)))
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

struct code_cell *eval_constant_cell(struct eval *e, const struct code_value *value)
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
    if (!cell && !class) /* a namespace: no variable of a function is meant */
        cell = eval_find_of_file(e, last->word);
    return cell ? cell : eval_find(e, last->word);
}

bool eval_place_of_name(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    const char *word = eval_word(expr);
    struct code_cell *cell = word ? eval_find(e, word) : NULL;
    if (!word && e->is_file)
        cell = qualified(e, &expr->name, &word);
    if (word && expr->name.global && expr->name.part_count == 1 && e->is_file)
        cell = eval_find_of_file(e, word);
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
        if (!macro_stands_at(e, macro->value, expr->span) || !eval_value(e, macro->value, &value))
            return false;
        *to = eval_place_of_cell(eval_constant_cell(e, &value));
        return true;
    }
    if (word && other_name(e, expr, word, &value)) {
        if (value.kind == VALUE_KERNEL && !kernel_of_name(e, expr, &value))
            return false;
        *to = eval_place_of_cell(eval_constant_cell(e, &value));
        return true;
    }
    return unknown(e, expr);
}
