/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/choice.h"
#include "litmus/host/gap.h"
#include "litmus/host/macro.h"

/* What a statement that is not run may change: every variable that it assigns, points to or gives to a function
 * that is not known, and the memory that these lead to. */

struct reaching {
    struct eval *e;
    uint32_t gap;
    struct gap_reach found;
    VEC(const struct code_function *) seen;
    VEC(const struct code_macro *) macros; /* that were visited, as 'seen' */
    VEC(const struct structure *) classes;
    unsigned loops; /* that are open */
};

static void visit_stmt(struct reaching *r, const struct cpp_stmt *stmt);
static void visit(struct reaching *r, const struct cpp_expr *expr);

/* ---- variables ------------------------------------------------------------------------------ */

static void cover_cell(struct reaching *r, struct code_cell *cell);
static void visit_type(struct reaching *r, const struct cpp_type *type);
static bool orders_threads(const char *word);
static void cover_root(struct reaching *r, const struct cpp_expr *expr);

static void visit_function(struct reaching *r, const struct code_function *function)
{
    for (uint32_t i = 0; i < r->seen.len; i++)
        if (r->seen.at[i] == function)
            return;
    vec_push(r->e->arena, &r->seen, function);
    bool left = r->found.leaves;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        visit_type(r, function->parameters[i].type);
    if (function->body)
        visit_stmt(r, function->body);
    else if (!function->is_default && !function->is_deleted)
        r->found.all = true;
    for (uint32_t i = 0; i < function->value_count; i++)
        for (uint32_t k = 0; k < function->values[i].given_count; k++)
            cover_root(r, function->values[i].given[k]);
    r->found.leaves = left; /* its own returns end it alone */
}

static void cover_location(struct reaching *r, uint32_t location, const struct code_shape *shape)
{
    gap_cover_memory(r->e, location, r->gap);
    r->found.synchronizes = r->found.synchronizes || (shape && shape->is_atomic);
}

static bool is_of_graph(const struct eval *e, uint32_t object)
{
    enum host_object_kind kind = e->p->host_objects.at[object].kind;
    return kind == HOST_GRAPH || kind == HOST_GRAPH_EXEC || kind == HOST_NODE;
}

static void cover_choice(struct reaching *r, const struct element_choice *choice)
{
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct lvalue *one = &choice->at[i];
        if (one->choice)
            cover_choice(r, one->choice);
        else if (one->cell)
            cover_cell(r, one->cell);
        else
            cover_location(r, one->location, one->shape);
    }
}

static void cover_value(struct reaching *r, struct code_cell *cell)
{
    const struct code_value value = cell->value;
    bool number = cell->shape->kind == SHAPE_NUMBER;
    switch (value.kind) {
    case VALUE_ADDRESS:
        cover_location(r, value.location, value.shape);
        break;
    case VALUE_CELL:
        cover_cell(r, value.cell);
        break;
    case VALUE_CHOICE:
        cover_choice(r, value.choice);
        break;
    case VALUE_FUNCTION:
        visit_function(r, value.function);
        break;
    case VALUE_OBJECT:
        r->found.objects = true;
        r->found.graphs = r->found.graphs || is_of_graph(r->e, value.object);
        break;
    case VALUE_UNKNOWN:
        r->found.all =
            r->found.all || (!value.number && !number); /* where it points to, nobody knows */
        break;
    case VALUE_NOTHING:
    case VALUE_NUMBER:
    case VALUE_FLOAT:
    case VALUE_CONSTANT:
    case VALUE_REGISTER:
    case VALUE_STRING:
    case VALUE_KERNEL:
        break;
    }
}

static bool is_guard(const struct code_cell *cell)
{
    return cell->shape->kind == SHAPE_THREAD || cell->shape->kind == SHAPE_MUTEX ||
           cell->shape->kind == SHAPE_LOCK;
}

/* A graph, or a node of one, which may be launched: its work may write any memory. */
static bool holds_work(const struct code_cell *cell)
{
    return cell->shape->kind == SHAPE_OBJECT && cell->shape->object != HOST_STREAM &&
           cell->shape->object != HOST_EVENT;
}

static void cover_cell(struct reaching *r, struct code_cell *cell)
{
    bool known = cell->is_const && cell->value.kind == VALUE_NUMBER;
    if (cell->gap_seen == r->gap || known)
        return;
    cell->gap_seen = r->gap;
    if (cell->location != NONE) {
        cover_location(r, cell->location, cell->shape);
        return;
    }
    r->found.synchronizes = r->found.synchronizes || is_guard(cell);
    r->found.all = r->found.all || holds_work(cell);
    for (uint32_t i = 0; i < cell->parts.len; i++)
        cover_cell(r, cell->parts.at[i]);
    cover_value(r, cell);
    cell->gap_seen = 0;
    if (!is_guard(cell))
        cell->value = gap_value(r->gap, r->e->gaps.at[r->gap - 1].span);
}

/* What functions of the class may do: its objects are made, used or end. */
static void visit_class(struct reaching *r, const struct structure *class)
{
    for (uint32_t i = 0; i < r->classes.len; i++)
        if (r->classes.at[i] == class)
            return;
    if (!class || (!class->has_functions && eval_is_plain_type(r->e, class->name)))
        return;
    bool left = r->found.leaves;
    vec_push(r->e->arena, &r->classes, class);
    visit_stmt(r, class->members);
    for (uint32_t i = 0; i < r->e->functions.len; i++)
        if (r->e->functions.at[i]->of == class)
            visit_function(r, r->e->functions.at[i]);
    r->found.leaves = left;
}

static void visit_all_classes(struct reaching *r)
{
    for (uint32_t i = 0; i < r->e->structures.len; i++)
        visit_class(r, r->e->structures.at[i]);
}

/* Classes whose objects code that names the type may make, copy and end. */
static void visit_type(struct reaching *r, const struct cpp_type *type)
{
    while (type && (type->kind == CPP_TYPE_POINTER || type->kind == CPP_TYPE_REFERENCE ||
                    type->kind == CPP_TYPE_ARRAY))
        type = type->to;
    if (!type || type->kind != CPP_TYPE_NAMED)
        return;
    const struct cpp_part *last = cpp_last_part(&type->name);
    r->found.synchronizes = r->found.synchronizes || orders_threads(last->word);
    visit_class(r, eval_structure(r->e, last->word));
    for (uint32_t i = 0; i < last->argument_count; i++)
        visit_type(r, last->arguments[i].type);
}

static void visit_types(struct reaching *r, const struct cpp_expr *expr)
{
    visit_type(r, expr->type);
    if (expr->kind == CPP_DELETE)
        visit_all_classes(r);
    const struct cpp_part *last = expr->kind == CPP_NAME ? cpp_last_part(&expr->name) : NULL;
    for (uint32_t i = 0; last && i < last->argument_count; i++)
        visit_type(r, last->arguments[i].type);
}

static bool is_seen(const struct reaching *r, const struct code_macro *macro)
{
    for (uint32_t i = 0; i < r->macros.len; i++)
        if (r->macros.at[i] == macro)
            return true;
    return false;
}

static void visit_macro(struct reaching *r, const char *word)
{
    for (int is_function = 0; is_function < 2; is_function++) {
        const struct code_macro *macro = macro_named(r->e, word, is_function);
        if (!macro || is_seen(r, macro))
            continue;
        vec_push(r->e->arena, &r->macros, macro);
        if (macro->value)
            visit(r, macro->value);
        if (macro->body)
            visit_stmt(r, macro->body);
    }
}

static void cover_word(struct reaching *r, const char *word)
{
    struct code_cell *cell = eval_find(r->e, word);
    const struct code_function *function = cell ? NULL : eval_function(r->e, word);
    uint32_t location = names_get(&r->e->p->location_names, NONE, word, strlen(word));
    if (strcmp(word, "cudaSetDevice") == 0 || strcmp(word, "cudaDeviceReset") == 0)
        r->found.all = true;
    visit_macro(r, word);
    visit_class(r, eval_structure(r->e, word));
    r->found.synchronizes = r->found.synchronizes || (!cell && orders_threads(word));
    if (cell)
        cover_cell(r, cell);
    else if (location != NONE)
        cover_location(r, location, NULL);
    else if (function)
        visit_function(r, function);
}

/* The variable that the expression is a part of, or leads to. */
static void cover_root(struct reaching *r, const struct cpp_expr *expr)
{
    visit_types(r, expr);
    if (expr->kind == CPP_NAME)
        cover_word(r, cpp_last_part(&expr->name)->word);
    for (uint32_t i = 0; i < expr->kid_count; i++)
        cover_root(r, expr->kids[i]);
    if (expr->kind == CPP_LAMBDA)
        visit_stmt(r, expr->lambda->body);
}

/* What orders host threads, of the library of C++ or of POSIX. */
static bool orders_threads(const char *word)
{
    static const char *const words[] = {"promise",
                                        "shared_future",
                                        "packaged_task",
                                        "latch",
                                        "barrier",
                                        "counting_semaphore",
                                        "binary_semaphore",
                                        "shared_mutex",
                                        "timed_mutex",
                                        "recursive_mutex",
                                        "shared_lock",
                                        "call_once",
                                        "once_flag",
                                        "stop_token",
                                        "stop_source",
                                        "recursive_timed_mutex",
                                        "shared_timed_mutex",
                                        "lock",
                                        "unlock",
                                        "try_lock",
                                        "lock_guard",
                                        "unique_lock",
                                        "scoped_lock"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return strncmp(word, "pthread_", 8) == 0 || strncmp(word, "sem_", 4) == 0;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool is_of_library(const struct cpp_expr *callee)
{
    return callee->kind == CPP_NAME && callee->name.part_count > 1 &&
           strcmp(callee->name.parts[0].word, "std") == 0;
}

/* A call of the runtime: memory that it writes, objects that it makes or changes. */
static void visit_runtime_call(struct reaching *r, const struct cpp_expr *expr,
                               const struct host_call_row *row)
{
    bool looks =
        row->class == HOST_WAITS || row->class == HOST_ASKS || row->subject == HOST_SUBJECT_RELEASE;
    bool destroys = row->class == HOST_DESTROYS;
    r->found.waits = r->found.waits || !destroys;
    r->found.all = r->found.all ||
                   host_call_is(&(struct host_call){.row = row}, HOST_CHANGES, HOST_SUBJECT_DEVICE);
    for (uint32_t i = 1; i < expr->kid_count; i++) {
        bool reads = row->subject == HOST_SUBJECT_COPY && i == 2;
        if (looks || reads)
            visit(r, expr->kids[i]);
        else
            cover_root(r, expr->kids[i]);
    }
}

static void visit_call(struct reaching *r, const struct cpp_expr *expr)
{
    const struct cpp_expr *callee = expr->kids[0];
    const char *word = callee->kind == CPP_NAME ? cpp_last_part(&callee->name)->word : NULL;
    const struct host_call_row *row = word ? eval_runtime_row(word) : NULL;
    if (row) {
        visit_runtime_call(r, expr, row);
        return;
    }
    if (word && eval_ends(word))
        r->found.leaves = true;
    bool harmless = word && eval_orders_nothing(word), own = word && eval_function(r->e, word);
    if (callee->kind == CPP_MEMBER) {
        cover_root(r, callee->kids[0]);
        cover_word(r, cpp_last_part(&callee->name)->word);
        visit_all_classes(r);
    } else if (!harmless)
        cover_root(r, callee);
    for (uint32_t i = 1; i < expr->kid_count; i++)
        harmless ? visit(r, expr->kids[i]) : cover_root(r, expr->kids[i]);
    r->found.waits = r->found.waits || (!harmless && !own && !is_of_library(callee));
}

/* ---- expressions ---------------------------------------------------------------------------- */

/* Is the target a number, which leads to no memory? */
static bool holds_number(const struct reaching *r, const struct cpp_expr *target)
{
    while (target->kind == CPP_INDEX)
        target = target->kids[0];
    const char *word = eval_word(target);
    const struct code_cell *cell = word ? eval_find(r->e, word) : NULL;
    const struct code_shape *shape = cell ? cell->shape : NULL;
    while (shape && (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR))
        shape = shape->of;
    return shape && shape->kind == SHAPE_NUMBER;
}

/* "in >> x" may write x, unless the left side is a number. */
static bool may_extract(const struct reaching *r, const struct cpp_expr *expr)
{
    return expr->kind == CPP_BINARY && expr->mark == CPP_MARK_SHR &&
           expr->kids[0]->kind != CPP_NUMBER && !holds_number(r, expr->kids[0]);
}

static void visit(struct reaching *r, const struct cpp_expr *expr)
{
    bool steps = expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT;
    bool writes = expr->kind == CPP_ASSIGNMENT || expr->kind == CPP_POSTFIX ||
                  (expr->kind == CPP_UNARY && (steps || expr->mark == CPP_MARK_AND));
    visit_types(r, expr);
    if (expr->kind == CPP_CALL) {
        visit_call(r, expr);
        return;
    }
    if (expr->kind == CPP_LAMBDA)
        visit_stmt(r, expr->lambda->body);
    if (expr->kind == CPP_NAME && eval_word(expr)) { /* a macro, of this file or another */
        visit_macro(r, eval_word(expr));
        r->found.waits = r->found.waits || !eval_find(r->e, eval_word(expr));
    }
    if (expr->kind == CPP_LAUNCH) {
        r->found.waits = true;
        cover_root(r, expr);
        return;
    }
    if (writes)
        cover_root(r, expr->kids[0]);
    if (may_extract(r, expr))
        cover_root(r, expr->kids[1]);
    if (expr->kind == CPP_ASSIGNMENT && !holds_number(r, expr->kids[0]))
        cover_root(r, expr->kids[1]); /* which later code may reach by the target */
    for (uint32_t i = writes; i < expr->kid_count; i++)
        visit(r, expr->kids[i]);
}

static void visit_if(struct reaching *r, const struct cpp_expr *expr)
{
    if (expr)
        visit(r, expr);
}

/* "Guard g(m)": an object of an unknown class, not of std, that is given another may lock it. */
static bool may_guard(const struct reaching *r, const struct cpp_declarator *one)
{
    if (!one->given_count || one->type->kind != CPP_TYPE_NAMED)
        return false;
    const struct cpp_part *parts = one->type->name.parts;
    const char *word = cpp_last_part(&one->type->name)->word;
    return strcmp(parts[0].word, "std") != 0 && !eval_structure(r->e, word) &&
           !eval_type_named(r->e, word);
}

/* ---- statements ----------------------------------------------------------------------------- */

/* What a constructor is given it may keep and change. */
static void visit_declarator(struct reaching *r, const struct cpp_declarator *one)
{
    bool class = one->type->kind == CPP_TYPE_NAMED || one->type->kind == CPP_TYPE_REFERENCE ||
                 one->type->kind == CPP_TYPE_POINTER || one->type->kind == CPP_TYPE_AUTO;
    if (one->type->kind == CPP_TYPE_NAMED)
        cover_word(r, cpp_last_part(&one->type->name)->word);
    visit_type(r, one->type);
    bool library =
        one->type->kind == CPP_TYPE_NAMED && strcmp(one->type->name.parts[0].word, "std") == 0;
    r->found.waits =
        r->found.waits || (one->type->kind == CPP_TYPE_NAMED && !library &&
                           !eval_is_plain_type(r->e, cpp_last_part(&one->type->name)->word));
    if (one->value)
        class ? cover_root(r, one->value) : visit(r, one->value);
    if (one->value)
        visit(r, one->value);
    for (uint32_t i = 0; i < one->given_count; i++) {
        class ? cover_root(r, one->given[i]) : visit(r, one->given[i]);
        visit(r, one->given[i]);
    }
}

static bool is_loop(const struct cpp_stmt *stmt)
{
    return stmt->kind == CPP_FOR || stmt->kind == CPP_RANGE_FOR || stmt->kind == CPP_WHILE ||
           stmt->kind == CPP_DO || stmt->kind == CPP_SWITCH;
}

static void visit_unread(struct reaching *r, const struct cpp_unread *unread)
{
    for (uint32_t i = 0; i < unread->word_count; i++)
        cover_word(r, unread->words[i]);
    r->found.leaves = r->found.leaves || unread->leaves;
    r->found.waits = true;
}

static void visit_stmt(struct reaching *r, const struct cpp_stmt *stmt)
{
    bool out = stmt->kind == CPP_BREAK || stmt->kind == CPP_CONTINUE;
    r->found.leaves = r->found.leaves || stmt->kind == CPP_RETURN || stmt->kind == CPP_GOTO ||
                      stmt->kind == CPP_THROW || (out && !r->loops);
    if (stmt->kind == CPP_UNREAD)
        visit_unread(r, stmt->unread);
    visit_if(r, stmt->value);
    if (stmt->kind == CPP_RANGE_FOR) /* by a reference its variable may write there */
        cover_root(r, stmt->value);
    visit_if(r, stmt->condition);
    visit_if(r, stmt->step);
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        r->found.synchronizes = r->found.synchronizes || may_guard(r, &stmt->declarators[i]);
        visit_declarator(r, &stmt->declarators[i]);
    }
    r->loops += is_loop(stmt);
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        visit_stmt(r, stmt->kids[i]);
    r->loops -= is_loop(stmt);
}

/* Operators and conversions are called without their names. */
static void visit_operators(struct reaching *r)
{
    for (uint32_t i = 0; i < r->e->functions.len; i++)
        if (strstr(r->e->functions.at[i]->name, "operator"))
            visit_function(r, r->e->functions.at[i]);
}

struct gap_reach gap_reach(struct eval *e, const struct cpp_stmt *stmt, uint32_t gap)
{
    struct reaching r = {.e = e, .gap = gap};
    visit_stmt(&r, stmt);
    visit_operators(&r);
    return r.found;
}
