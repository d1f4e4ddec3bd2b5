/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"

#include <string.h>

/* Variables: which are seen, what they consist of, and which the code may assign. */

struct code_cell *eval_new_cell(struct eval *e, const char *name, const struct code_shape *shape)
{
    struct code_cell *cell = ARENA_NEW(e->arena, struct code_cell);
    *cell = (struct code_cell){.name = name,
                               .shape = shape,
                               .id = e->cells.len,
                               .host = e->host,
                               .variable = NONE,
                               .location = NONE,
                               .is_inner = e->calls || e->in_loop_head};
    vec_push(e->arena, &e->cells, cell);
    return cell;
}

void eval_bind(struct eval *e, const char *name, struct code_cell *cell)
{
    struct binding binding = {name, cell, false};
    vec_push(e->arena, &e->scope, binding);
}

void eval_bind_reference(struct eval *e, const char *name, struct code_cell *cell)
{
    struct binding binding = {name, cell, true};
    vec_push(e->arena, &e->scope, binding);
}

struct code_cell *eval_find(const struct eval *e, const char *name)
{
    for (uint32_t i = e->scope.len; i-- > 0;) {
        if (i >= e->frame.visible && i < e->frame.floor)
            continue;
        if (strcmp(e->scope.at[i].name, name) == 0)
            return e->scope.at[i].cell;
    }
    return NULL;
}

void eval_close_scope(struct eval *e, uint32_t count)
{
    uint32_t left = e->left;
    gap_close_scope(e, count);
    e->left = 0; /* however the scope is left */
    eval_unlock_scope(e, count);
    e->left = left;
    e->scope.len = count;
}

/* Code that is not modelled made it. */
static bool is_gap(const struct code_cell *cell)
{
    return cell->value.kind == VALUE_UNKNOWN && cell->value.number;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static const struct code_shape *shape_in(struct eval *e, const struct code_shape *level,
                                         const char *name)
{
    const struct cpp_stmt *members = level->structure->members;
    for (uint32_t i = 0; i < members->kid_count; i++) {
        const struct cpp_stmt *one = members->kids[i];
        for (uint32_t k = 0; k < one->declarator_count; k++)
            if (strcmp(one->declarators[k].name, name) == 0) {
                struct class_opening opening = eval_open_class(e, level);
                const struct code_shape *shape = eval_shape(e, one->declarators[k].type);
                eval_close_class(e, opening);
                return shape;
            }
    }
    return NULL;
}

static const struct code_shape *member_shape(struct eval *e, const struct code_cell *cell,
                                             const char *name)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    if (!cell->shape->structure)
        return &any;
    struct class_levels levels = eval_levels(e, cell->shape);
    for (uint32_t i = levels.of.len; i-- > 0;) {
        const struct code_shape *shape = shape_in(e, levels.of.at[i], name);
        if (shape)
            return shape;
    }
    return &any;
}

struct code_cell *eval_member(struct eval *e, struct code_cell *cell, const char *name)
{
    for (uint32_t i = 0; i < cell->parts.len; i++)
        if (cell->parts.at[i]->member && strcmp(cell->parts.at[i]->member, name) == 0)
            return cell->parts.at[i];
    const char *whole = arena_printf(e->arena, "%s.%s", cell->name, name);
    struct code_cell *part = eval_new_cell(e, whole, member_shape(e, cell, name));
    part->member = name;
    part->host = cell->host;
    part->is_inner = true;
    if (is_gap(cell))
        part->value = cell->value;
    else
        eval_place_member(e, part, cell->shape->structure && eval_is_shared_member(e, name));
    vec_push(e->arena, &cell->parts, part);
    return part;
}

struct code_cell *eval_part(struct eval *e, struct code_cell *cell, uint64_t index)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    while (cell->parts.len <= index) {
        struct code_cell *part =
            eval_new_cell(e, arena_printf(e->arena, "%s[%u]", cell->name, cell->parts.len),
                          cell->shape && cell->shape->of ? cell->shape->of : &any);
        part->host = cell->host;
        part->is_inner = true;
        if (is_gap(cell))
            part->value = cell->value;
        vec_push(e->arena, &cell->parts, part);
    }
    return cell->parts.at[index];
}

/* ---- what the code may assign --------------------------------------------------------------- */

/* A walk over a statement: 'see' is called for every expression in it. */
struct walk {
    void (*see)(struct walk *walk, const struct cpp_expr *expr);
    void (*declares)(struct walk *walk, const struct cpp_declarator *one); /* or NULL */
    struct eval *e;
    const char *name;
    bool found;
    unsigned follows; /* lambdas that are called, up to that depth; needs 'e' */
};

enum { DEEPEST_LAMBDAS = 4 };

static void walk_stmt(struct walk *walk, const struct cpp_stmt *stmt);

/* "f()", where f is a lambda. */
static void walk_called(struct walk *walk, const struct cpp_expr *expr)
{
    const char *word = walk->follows && expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    const struct code_cell *cell = word ? eval_find(walk->e, word) : NULL;
    if (!cell || cell->value.kind != VALUE_FUNCTION || !cell->value.function->lambda)
        return;
    walk->follows--;
    walk_stmt(walk, cell->value.function->body);
    walk->follows++;
}

static void walk_expr(struct walk *walk, const struct cpp_expr *expr)
{
    if (!expr)
        return;
    walk->see(walk, expr);
    for (uint32_t i = 0; i < expr->kid_count; i++)
        walk_expr(walk, expr->kids[i]);
    walk_called(walk, expr);
    for (uint32_t i = 0; expr->kind == CPP_LAMBDA && i < expr->lambda->copied_count; i++)
        walk_expr(walk, expr->lambda->copied_values[i]);
    if (expr->kind == CPP_LAMBDA)
        walk_stmt(walk, expr->lambda->body);
}

/* A statement that is not read may do anything with what it names. */
static void walk_unread(struct walk *walk, const struct cpp_unread *unread)
{
    for (uint32_t i = 0; i < unread->word_count; i++)
        walk->found = walk->found || (walk->name && strcmp(unread->words[i], walk->name) == 0);
}

/* "void *args[] = {&d, &n};", for a kernel. */
static bool is_argument_list(const struct cpp_declarator *one)
{
    const struct cpp_type *of = one->type->kind == CPP_TYPE_ARRAY ? one->type->to : NULL;
    return of && of->kind == CPP_TYPE_POINTER && of->to->kind == CPP_TYPE_VOID && one->value &&
           one->value->kind == CPP_LIST;
}

static void walk_stmt(struct walk *walk, const struct cpp_stmt *stmt)
{
    if (stmt->kind == CPP_UNREAD)
        walk_unread(walk, stmt->unread);
    walk_expr(walk, stmt->value);
    walk_expr(walk, stmt->condition);
    walk_expr(walk, stmt->step);
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        if (walk->declares)
            walk->declares(walk, one);
        if (is_argument_list(one)) /* the list gives away nothing, what stands in it may */
            for (uint32_t k = 0; k < one->value->kid_count; k++)
                walk_expr(walk, one->value->kids[k]);
        else
            walk_expr(walk, one->value);
        for (uint32_t k = 0; k < one->given_count; k++)
            walk_expr(walk, one->given[k]);
    }
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        walk_stmt(walk, stmt->kids[i]);
}

/* The variable that an expression is a part of, or NULL; of "W::n" the last word. */
static const char *root_name(const struct cpp_expr *expr)
{
    while (expr->kid_count &&
           (expr->kind == CPP_INDEX || expr->kind == CPP_MEMBER || expr->kind == CPP_CAST))
        expr = expr->kids[0];
    return expr->kind == CPP_NAME ? cpp_last_part(&expr->name)->word : NULL;
}

/* The variable that the expression assigns or gives away, or NULL. */
static const char *assigned_name(const struct cpp_expr *expr)
{
    bool step = (expr->kind == CPP_UNARY || expr->kind == CPP_POSTFIX) &&
                (expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT);
    bool gives = expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND;
    return step || gives || expr->kind == CPP_ASSIGNMENT ? root_name(expr->kids[0]) : NULL;
}

void eval_forget(struct eval *e, struct code_cell *cell, struct span why)
{
    struct span nowhere = {0, 0};
    for (uint32_t i = 0; i < cell->parts.len; i++)
        eval_forget(e, cell->parts.at[i], why);
    if (cell->value.kind == VALUE_NUMBER && cell->shape->kind == SHAPE_NUMBER &&
        cell->location == NONE)
        cell->value = eval_in_register(eval_variable(e, cell, nowhere), cell->value.type);
}

static struct code_cell *variable_named(const struct eval *e, const char *name)
{
    struct code_cell *cell = name ? eval_find(e, name) : NULL;
    return cell || !name ? cell : eval_find_made_by_use(e, name);
}

static void forget(struct walk *walk, const struct cpp_expr *expr)
{
    const char *name = assigned_name(expr);
    struct code_cell *cell = variable_named(walk->e, name);
    if (cell)
        eval_forget(walk->e, cell, expr->span);
}

/* A number or pointer. */
static bool is_known(const struct code_cell *cell)
{
    bool known = cell->value.kind == VALUE_NUMBER || cell->value.kind == VALUE_ADDRESS ||
                 cell->value.kind == VALUE_CELL;
    for (uint32_t i = 0; i < cell->parts.len; i++)
        known = known || is_known(cell->parts.at[i]);
    return known;
}

static void look(struct walk *walk, const struct cpp_expr *expr)
{
    const char *name = assigned_name(expr);
    struct code_cell *cell = variable_named(walk->e, name);
    walk->found = walk->found || (cell && is_known(cell));
}

static void both(struct walk *walk, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    walk_expr(walk, expr);
    if (stmt)
        walk_stmt(walk, stmt);
}

void eval_forget_assigned(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    struct walk walk = {.see = forget, .e = e, .follows = DEEPEST_LAMBDAS};
    both(&walk, stmt, expr);
}

bool eval_assigns_known(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    struct walk walk = {.see = look, .e = e, .follows = DEEPEST_LAMBDAS};
    both(&walk, stmt, expr);
    return walk.found;
}

static void note_code(struct walk *walk, const struct cpp_expr *expr)
{
    const struct cpp_expr *callee = expr->kind == CPP_CALL ? expr->kids[0] : NULL;
    const char *word =
        callee && callee->kind == CPP_NAME ? cpp_last_part(&callee->name)->word : NULL;
    const char *of = callee && callee->kind == CPP_MEMBER ? root_name(callee->kids[0]) : NULL;
    const struct code_cell *cell = word ? eval_find(walk->e, word)
                                   : of ? eval_find(walk->e, of)
                                        : NULL;
    bool object = cell && (cell->shape->structure || cell->value.kind == VALUE_FUNCTION ||
                           cell->shape->kind == SHAPE_VECTOR);
    walk->found = walk->found || object || (word && !cell && eval_function(walk->e, word));
}

bool eval_calls_code(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    struct walk walk = {.see = note_code, .e = e};
    both(&walk, stmt, expr);
    return walk.found;
}

static void note_count(struct walk *walk, const struct cpp_expr *expr)
{
    const char *name = assigned_name(expr);
    walk->found = walk->found || (name && strcmp(name, walk->name) == 0);
}

/* 'name' is set to each variable that the condition names; the loop's code follows in 'rest'. */
struct counting {
    struct walk walk;
    const struct cpp_stmt *body;
    const struct cpp_expr *condition, *step;
};

static void note_counter(struct walk *walk, const struct cpp_expr *expr)
{
    struct counting *counting = (struct counting *)walk;
    const char *name = eval_word(expr);
    struct code_cell *cell = variable_named(walk->e, name);
    if (!cell || !is_known(cell))
        return;
    struct walk inner = {.see = note_count, .e = walk->e, .name = name, .follows = DEEPEST_LAMBDAS};
    walk_expr(&inner, counting->condition);
    walk_expr(&inner, counting->step);
    walk_stmt(&inner, counting->body);
    walk->found = walk->found || inner.found;
}

bool eval_counts(struct eval *e, const struct cpp_expr *condition, const struct cpp_stmt *body,
                 const struct cpp_expr *step)
{
    struct counting counting = {{.see = note_counter, .e = e}, body, condition, step};
    walk_expr(&counting.walk, condition);
    return counting.walk.found;
}

/* Calls that write what they are given the address of, before they return. */
static bool writes_argument(const struct cpp_expr *call)
{
    static const char *const words[] = {"cudaMalloc",           "cudaGet",
                                        "cudaDeviceGet",        "cudaHostAlloc",
                                        "cudaHostGet",          "cudaEventElapsedTime",
                                        "cudaStreamGet",        "cudaStreamIsCapturing",
                                        "cudaOccupancy",        "cudaEventCreate",
                                        "cudaStreamCreate",     "cudaGraph",
                                        "cudaStreamEndCapture", "cudaDeviceCan",
                                        "cudaMemGetInfo",       "cudaThreadExchange",
                                        "cudaMemPool",          "cudaRuntimeGet",
                                        "cudaDriverGet"};
    const char *word = eval_word(call->kids[0]);
    if (word && strncmp(word, "cudaGraph", 9) == 0 && strstr(word, "Memcpy"))
        return false;
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
        if (strncmp(word, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

bool eval_is_copied(const struct cpp_lambda *lambda, const char *name)
{
    for (uint32_t i = 0; i < lambda->copied_count; i++)
        if (strcmp(lambda->copied[i], name) == 0)
            return true;
    for (uint32_t i = 0; i < lambda->referred_count; i++)
        if (strcmp(lambda->referred[i], name) == 0)
            return false;
    return lambda->copies;
}

static const struct cpp_expr *without_casts(const struct cpp_expr *expr)
{
    while (expr->kind == CPP_CAST)
        expr = expr->kids[0];
    return expr;
}

static bool is_address_of(const struct cpp_expr *expr, const char *name)
{
    expr = without_casts(expr);
    if (expr->kind != CPP_UNARY || expr->mark != CPP_MARK_AND)
        return false;
    const char *root = root_name(expr->kids[0]);
    return root && strcmp(root, name) == 0;
}

static bool is_runtime(const char *word)
{
    return strncmp(word, "cuda", 4) == 0 || strncmp(word, "make_cuda", 9) == 0;
}

/* A function of the file hands its parameter on to a call of the runtime. */
struct handing {
    struct walk walk;
    unsigned depth;
};

enum { DEEPEST_HANDING = 8 };

static bool hands_on(struct eval *e, const char *function, uint32_t index, unsigned depth);

static void note_handing(struct walk *walk, const struct cpp_expr *expr)
{
    const struct handing *handing = (const struct handing *)walk;
    const char *word = expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    for (uint32_t i = 1; word && i < expr->kid_count; i++) {
        const char *given = eval_word(without_casts(expr->kids[i]));
        if (!given || strcmp(given, walk->name) != 0)
            continue;
        bool runtime = is_runtime(word) && !writes_argument(expr);
        walk->found = walk->found || runtime || hands_on(walk->e, word, i - 1, handing->depth + 1);
    }
}

static bool hands_on(struct eval *e, const char *name, uint32_t index, unsigned depth)
{
    const struct code_function *function = eval_function(e, name);
    if (!function || !function->body || index >= function->parameter_count ||
        depth > DEEPEST_HANDING || !function->parameters[index].name)
        return false;
    struct handing handing = {
        {.see = note_handing, .e = e, .name = function->parameters[index].name}, depth};
    walk_stmt(&handing.walk, function->body);
    return handing.walk.found;
}

/* "std::make_pair(&n, 1)" and its like: it keeps what it is given. */
static bool makes_object(const struct cpp_expr *expr)
{
    static const char *const words[] = {"make_pair",   "make_tuple",  "pair",      "tuple",
                                        "make_unique", "make_shared", "push_back", "emplace_back"};
    const struct cpp_expr *callee = expr->kind == CPP_CALL ? expr->kids[0] : NULL;
    bool named = callee && (callee->kind == CPP_NAME || callee->kind == CPP_MEMBER);
    const char *word = named ? cpp_last_part(&callee->name)->word : "";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static void note_address(struct walk *walk, const struct cpp_expr *expr)
{
    bool call = expr->kind == CPP_CALL;
    const char *callee = call ? eval_word(expr->kids[0]) : NULL;
    for (uint32_t i = 1; callee && i < expr->kid_count; i++)
        walk->found = walk->found || (is_address_of(expr->kids[i], walk->name) &&
                                      hands_on(walk->e, callee, i - 1, 0));
    bool runtime = callee && is_runtime(callee);
    if (runtime && !writes_argument(expr))
        for (uint32_t i = 1; i < expr->kid_count; i++)
            walk->found = walk->found || is_address_of(expr->kids[i], walk->name);
    bool list = expr->kind == CPP_LIST || expr->kind == CPP_NEW || (call && expr->is_braced);
    for (uint32_t i = 0; list && i < expr->kid_count; i++)
        walk->found = walk->found || is_address_of(expr->kids[i], walk->name);
    if (expr->kind == CPP_LAMBDA && expr->lambda->by_reference &&
        !eval_is_copied(expr->lambda, walk->name) && eval_has_threads(walk->e) &&
        eval_is_changed(walk->e, walk->name))
        walk->found = walk->found || eval_mentions(expr->lambda->body, walk->name);
    const char *word = call ? eval_word(expr->kids[0]) : NULL;
    if (word && (strcmp(word, "ref") == 0 || strcmp(word, "atomic_ref") == 0) &&
        expr->kid_count > 1)
        walk->found = walk->found || (root_name(expr->kids[1]) &&
                                      strcmp(root_name(expr->kids[1]), walk->name) == 0);
    if (expr->kind == CPP_ASSIGNMENT && is_address_of(expr->kids[1], walk->name) &&
        (expr->kids[0]->kind == CPP_NAME ||
         (expr->kids[0]->kind == CPP_MEMBER && eval_has_threads(walk->e))))
        walk->found = true; /* what is kept in an object may get to another thread */
    if (makes_object(expr))
        for (uint32_t i = 1; i < expr->kid_count; i++)
            walk->found = walk->found ||
                          (is_address_of(expr->kids[i], walk->name) && eval_has_threads(walk->e));
}

static bool is_root(const struct cpp_expr *expr, const char *name)
{
    const char *root = expr ? root_name(expr) : NULL;
    return root && strcmp(root, name) == 0;
}

/* "std::atomic_ref<int> r(x);", "int *p = &x;" */
static void note_declared(struct walk *walk, const struct cpp_declarator *one)
{
    const struct cpp_expr *value = one->given_count == 1 ? one->given[0] : one->value;
    bool reference = one->type->kind == CPP_TYPE_NAMED &&
                     strcmp(cpp_last_part(&one->type->name)->word, "atomic_ref") == 0;
    bool pointer = one->type->kind == CPP_TYPE_POINTER && value && is_address_of(value, walk->name);
    walk->found = walk->found || pointer || (reference && is_root(value, walk->name));
}

static void note_mention(struct walk *walk, const struct cpp_expr *expr)
{
    const char *word = eval_word(expr);
    walk->found = walk->found || (word && strcmp(word, walk->name) == 0);
}

bool eval_mentions(const struct cpp_stmt *stmt, const char *name)
{
    struct walk walk = {.see = note_mention, .name = name};
    walk_stmt(&walk, stmt);
    return walk.found;
}

bool eval_is_changed(const struct eval *e, const char *name)
{
    const char *of = strstr(name, "::"); /* "W::n", which the class calls n */
    struct walk walk = {.see = note_count, .name = of ? of + 2 : name};
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (e->functions.at[i]->body)
            walk_stmt(&walk, e->functions.at[i]->body);
    for (uint32_t i = 0; i < e->structures.len; i++)
        walk_stmt(&walk, e->structures.at[i]->members);
    for (uint32_t i = 0; i < e->globals.len; i++)
        walk_stmt(&walk, e->globals.at[i]);
    return walk.found;
}

/* Words that give code to another thread or to the runtime. */
static void note_thread(struct walk *walk, const struct cpp_expr *expr)
{
    static const char *const words[] = {"thread",
                                        "jthread",
                                        "async",
                                        "emplace_back",
                                        "pthread_create",
                                        "cudaLaunchHostFunc",
                                        "cuLaunchHostFunc",
                                        "cudaStreamAddCallback",
                                        "cudaGraphAddHostNode",
                                        "userData"};
    bool named = expr->kind == CPP_NAME || expr->kind == CPP_MEMBER;
    const char *word = named ? cpp_last_part(&expr->name)->word : "";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        walk->found = walk->found || strcmp(word, words[i]) == 0;
}

static void note_thread_type(struct walk *walk, const struct cpp_declarator *one)
{
    const struct cpp_type *type = one->type;
    while (type->kind == CPP_TYPE_ARRAY || type->kind == CPP_TYPE_POINTER)
        type = type->to;
    const char *word = type->kind == CPP_TYPE_NAMED ? cpp_last_part(&type->name)->word : "";
    walk->found = walk->found || strstr(word, "thread");
}

bool eval_has_threads(const struct eval *e)
{
    struct walk walk = {.see = note_thread, .declares = note_thread_type};
    for (uint32_t i = 0; i < e->functions.len; i++) {
        const struct code_function *one = e->functions.at[i];
        bool library = one->span.offset >= e->library_from && one->span.offset < e->library_to;
        if (library || one->is_default || one->is_deleted || (one->is_virtual && !one->body))
            continue;
        if (!one->body)
            return true;
        walk_stmt(&walk, one->body);
    }
    for (uint32_t i = 0; i < e->globals.len; i++)
        walk_stmt(&walk, e->globals.at[i]);
    for (uint32_t i = 0; i < e->macros.len; i++)
        both(&walk, e->macros.at[i].body, e->macros.at[i].value);
    return walk.found;
}

bool eval_is_given(struct eval *e, const char *name)
{
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (e->functions.at[i]->body && eval_takes_address(e, e->functions.at[i]->body, name))
            return true;
    return false;
}

bool eval_takes_address(struct eval *e, const struct cpp_stmt *body, const char *name)
{
    struct walk walk = {.see = note_address, .declares = note_declared, .e = e, .name = name};
    walk_stmt(&walk, body);
    return walk.found;
}

/* How often an array's name stands somewhere, and how often before an index. */
struct array_mentions {
    struct walk walk;
    uint32_t all, indexed;
};

/* "v.size()", "v.push_back(1)" */
static bool is_sizing(const struct cpp_expr *expr, const char *name)
{
    static const char *const words[] = {"size",      "empty",  "reserve",  "clear",
                                        "push_back", "resize", "pop_back", "begin",
                                        "end",       "cbegin", "cend"};
    const struct cpp_expr *callee = expr->kind == CPP_CALL ? expr->kids[0] : NULL;
    const char *word = callee && callee->kind == CPP_MEMBER && !callee->is_arrow
                           ? eval_word(callee->kids[0])
                           : NULL;
    if (!word || strcmp(word, name) != 0)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(cpp_last_part(&callee->name)->word, words[i]) == 0)
            return true;
    return false;
}

static void note_indexed(struct walk *walk, const struct cpp_expr *expr)
{
    struct array_mentions *count = (struct array_mentions *)walk;
    const char *word = eval_word(expr);
    const char *base = expr->kind == CPP_INDEX ? eval_word(expr->kids[0]) : NULL;
    count->all += word && strcmp(word, walk->name) == 0;
    count->indexed += (base && strcmp(base, walk->name) == 0) || is_sizing(expr, walk->name);
    walk->found = walk->found || is_address_of(expr, walk->name) ||
                  (expr->kind == CPP_LAMBDA && eval_mentions(expr->lambda->body, walk->name));
}

static void note_referred(struct walk *walk, const struct cpp_declarator *one)
{
    const struct cpp_expr *value = one->given_count == 1 ? one->given[0] : one->value;
    if (one->bound) /* "auto [a, b] = v" */
        return;
    walk->found = walk->found ||
                  (one->type->kind == CPP_TYPE_REFERENCE && is_root(value, walk->name)) ||
                  (one->type->kind == CPP_TYPE_AUTO && is_root(value, walk->name));
}

/* "for (int x : a)" and "auto [x, y] = a" take the elements one by one. */
static uint32_t count_ranges(const struct cpp_stmt *stmt, const char *name)
{
    const char *word = stmt->kind == CPP_RANGE_FOR ? eval_word(stmt->value) : NULL;
    uint32_t count = word && strcmp(word, name) == 0;
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        word = one->bound && one->value && one->type->kind == CPP_TYPE_AUTO ? eval_word(one->value)
                                                                            : NULL;
        count += word && strcmp(word, name) == 0;
    }
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        count += count_ranges(stmt->kids[i], name);
    return count;
}

bool eval_is_only_indexed(const struct cpp_stmt *body, const char *name)
{
    struct array_mentions mentions = {
        {.see = note_indexed, .declares = note_referred, .name = name}, 0, 0};
    walk_stmt(&mentions.walk, body);
    mentions.indexed += count_ranges(body, name);
    return !mentions.walk.found && mentions.all == mentions.indexed;
}

/* ---- members that several threads use ------------------------------------------------------- */

/* How often a function's name stands somewhere, and how often before the arguments of a call. */
struct function_mentions {
    struct walk walk;
    uint32_t all, called;
};

static void note_function(struct walk *walk, const struct cpp_expr *expr)
{
    struct function_mentions *mentions = (struct function_mentions *)walk;
    const char *word = eval_word(expr);
    const char *callee = expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    mentions->all += word && strcmp(word, walk->name) == 0;
    mentions->called += callee && strcmp(callee, walk->name) == 0;
}

/* Does the program give the function to somebody, who may call it in another thread? */
static bool is_given_away(const struct eval *e, const char *name)
{
    struct function_mentions mentions = {{.see = note_function, .name = name}, 0, 0};
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (e->functions.at[i]->body)
            walk_stmt(&mentions.walk, e->functions.at[i]->body);
    return mentions.all > mentions.called;
}

/* "p->sum = 1" in the code of a function that is given away, of a lambda, or of what these call. */
struct writing {
    struct walk walk;
    unsigned depth;
    bool in_class; /* in the code of a function of a class: "sum = 1" */
};

static void note_write(struct walk *walk, const struct cpp_expr *expr);

static bool writes_member(struct eval *e, const struct cpp_stmt *body, const char *member,
                          unsigned depth, bool in_class)
{
    struct writing writing = {{.see = note_write, .e = e, .name = member}, depth, in_class};
    walk_stmt(&writing.walk, body);
    return writing.walk.found;
}

/* "p->go()", of whichever class. */
static bool method_writes(const struct walk *walk, const char *word)
{
    const struct writing *writing = (const struct writing *)walk;
    for (uint32_t i = 0; i < walk->e->functions.len && writing->depth < DEEPEST_HANDING; i++) {
        const struct code_function *one = walk->e->functions.at[i];
        const char *name = one->of ? strstr(one->name, "::") : NULL;
        if (name && one->body && strcmp(name + 2, word) == 0 &&
            writes_member(walk->e, one->body, walk->name, writing->depth + 1, true))
            return true;
    }
    return false;
}

static void note_write(struct walk *walk, const struct cpp_expr *expr)
{
    const struct writing *writing = (const struct writing *)walk;
    bool step = (expr->kind == CPP_UNARY || expr->kind == CPP_POSTFIX) &&
                (expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT);
    const struct cpp_expr *to = step || expr->kind == CPP_ASSIGNMENT ? expr->kids[0] : NULL;
    if (to && to->kind == CPP_MEMBER && strcmp(cpp_last_part(&to->name)->word, walk->name) == 0)
        walk->found = true;
    if (to && writing->in_class && root_name(to) && strcmp(root_name(to), walk->name) == 0)
        walk->found = true;
    if (expr->kind == CPP_CALL && expr->kids[0]->kind == CPP_MEMBER && !walk->found)
        walk->found = method_writes(walk, cpp_last_part(&expr->kids[0]->name)->word);
    const char *callee = expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    const struct code_function *function = callee ? eval_function(walk->e, callee) : NULL;
    if (function && function->body && !walk->found && writing->depth < DEEPEST_HANDING)
        walk->found =
            writes_member(walk->e, function->body, walk->name, writing->depth + 1, function->of);
}

static void note_lambda(struct walk *walk, const struct cpp_expr *expr)
{
    if (expr->kind == CPP_LAMBDA)
        walk->found =
            walk->found || writes_member(walk->e, expr->lambda->body, walk->name, 0, true);
}

bool eval_is_shared_member(struct eval *e, const char *name)
{
    struct walk walk = {.see = note_lambda, .e = e, .name = name};
    if (!e->is_file || !eval_has_threads(e))
        return false;
    for (uint32_t i = 0; i < e->functions.len && !walk.found; i++) {
        const struct code_function *function = e->functions.at[i];
        if (!function->body)
            continue;
        walk_stmt(&walk, function->body);
        if ((function->of || is_given_away(e, function->name)) &&
            writes_member(e, function->body, name, 0, function->of))
            walk.found = true;
    }
    return walk.found;
}
