/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/walk.h"

/* What several threads use: is there more than one, and which members does code of another assign? */

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
        bool library = eval_is_of_library(e, one->span);
        if (library || one->is_default || one->is_deleted || (one->is_virtual && !one->body))
            continue;
        if (!one->body)
            return true;
        walk_stmt(&walk, one->body);
    }
    for (uint32_t i = 0; i < e->globals.len; i++)
        walk_stmt(&walk, e->globals.at[i]);
    for (uint32_t i = 0; i < e->macros.len; i++)
        walk_both(&walk, e->macros.at[i].body, e->macros.at[i].value);
    return walk.found;
}

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
    if (to && writing->in_class && walk_root(to) && strcmp(walk_root(to), walk->name) == 0)
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

/* "&p->out" is given to a call of the runtime, which reads or writes it as memory. */
static void note_given_member(struct walk *walk, const struct cpp_expr *expr)
{
    const char *callee = expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    if (!callee || !walk_is_runtime(callee) || walk_writes_argument(expr))
        return;
    for (uint32_t i = 1; i < expr->kid_count; i++) {
        const struct cpp_expr *given = walk_without_casts(expr->kids[i]);
        const struct cpp_expr *of =
            given->kind == CPP_UNARY && given->mark == CPP_MARK_AND ? given->kids[0] : NULL;
        walk->found = walk->found || (of && of->kind == CPP_MEMBER &&
                                      strcmp(cpp_last_part(&of->name)->word, walk->name) == 0);
    }
}

bool eval_is_given_member(struct eval *e, const char *name)
{
    struct walk walk = {.see = note_given_member, .e = e, .name = name};
    for (uint32_t i = 0; e->is_file && i < e->functions.len && !walk.found; i++)
        if (e->functions.at[i]->body)
            walk_stmt(&walk, e->functions.at[i]->body);
    return walk.found;
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
