/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/walk.h"

/* Whose address code gives away: such a variable is in memory. */

/* Calls that write what they are given the address of, before they return. */
bool walk_writes_argument(const struct cpp_expr *call)
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

const struct cpp_expr *walk_without_casts(const struct cpp_expr *expr)
{
    while (expr->kind == CPP_CAST)
        expr = expr->kids[0];
    return expr;
}

bool walk_is_address_of(const struct cpp_expr *expr, const char *name)
{
    expr = walk_without_casts(expr);
    if (expr->kind != CPP_UNARY || expr->mark != CPP_MARK_AND)
        return false;
    const char *root = walk_root(expr->kids[0]);
    return root && strcmp(root, name) == 0;
}

bool walk_is_runtime(const char *word)
{
    return strncmp(word, "cuda", 4) == 0 || strncmp(word, "make_cuda", 9) == 0;
}

/* A function of the file hands its parameter on to a call of the runtime. */
struct handing {
    struct walk walk;
    unsigned depth;
};

static bool hands_on(struct eval *e, const char *function, uint32_t index, unsigned depth);

static void note_handing(struct walk *walk, const struct cpp_expr *expr)
{
    const struct handing *handing = (const struct handing *)walk;
    const char *word = expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    for (uint32_t i = 1; word && i < expr->kid_count; i++) {
        const char *given = eval_word(walk_without_casts(expr->kids[i]));
        if (!given || strcmp(given, walk->name) != 0)
            continue;
        bool runtime = walk_is_runtime(word) && !walk_writes_argument(expr);
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
        walk->found = walk->found || (walk_is_address_of(expr->kids[i], walk->name) &&
                                      hands_on(walk->e, callee, i - 1, 0));
    bool runtime = callee && walk_is_runtime(callee);
    if (runtime && !walk_writes_argument(expr))
        for (uint32_t i = 1; i < expr->kid_count; i++)
            walk->found = walk->found || walk_is_address_of(expr->kids[i], walk->name);
    bool list = expr->kind == CPP_LIST || expr->kind == CPP_NEW || (call && expr->is_braced);
    for (uint32_t i = 0; list && i < expr->kid_count; i++)
        walk->found = walk->found || walk_is_address_of(expr->kids[i], walk->name);
    if (expr->kind == CPP_LAMBDA && expr->lambda->by_reference &&
        !eval_is_copied(expr->lambda, walk->name) && eval_has_threads(walk->e) &&
        eval_is_changed(walk->e, walk->name))
        walk->found = walk->found || eval_mentions(expr->lambda->body, walk->name);
    const char *word = call ? eval_word(expr->kids[0]) : NULL;
    if (word && (strcmp(word, "ref") == 0 || strcmp(word, "atomic_ref") == 0) &&
        expr->kid_count > 1)
        walk->found = walk->found || (walk_root(expr->kids[1]) &&
                                      strcmp(walk_root(expr->kids[1]), walk->name) == 0);
    if (expr->kind == CPP_ASSIGNMENT && walk_is_address_of(expr->kids[1], walk->name) &&
        (expr->kids[0]->kind == CPP_NAME ||
         (expr->kids[0]->kind == CPP_MEMBER && eval_has_threads(walk->e))))
        walk->found = true; /* what is kept in an object may get to another thread */
    if (makes_object(expr))
        for (uint32_t i = 1; i < expr->kid_count; i++)
            walk->found = walk->found || (walk_is_address_of(expr->kids[i], walk->name) &&
                                          eval_has_threads(walk->e));
}

bool walk_is_root(const struct cpp_expr *expr, const char *name)
{
    const char *root = expr ? walk_root(expr) : NULL;
    return root && strcmp(root, name) == 0;
}

/* "std::atomic_ref<int> r(x);", "int *p = &x;" */
static void note_declared(struct walk *walk, const struct cpp_declarator *one)
{
    const struct cpp_expr *value = one->given_count == 1 ? one->given[0] : one->value;
    bool reference = one->type->kind == CPP_TYPE_NAMED &&
                     strcmp(cpp_last_part(&one->type->name)->word, "atomic_ref") == 0;
    bool pointer =
        one->type->kind == CPP_TYPE_POINTER && value && walk_is_address_of(value, walk->name);
    bool object = one->type->kind == CPP_TYPE_NAMED && one->is_given; /* "std::thread t(f, &x);" */
    for (uint32_t i = 0; object && i < one->given_count; i++)
        walk->found = walk->found ||
                      (walk_is_address_of(one->given[i], walk->name) && eval_has_threads(walk->e));
    walk->found = walk->found || pointer || (reference && walk_is_root(value, walk->name));
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
