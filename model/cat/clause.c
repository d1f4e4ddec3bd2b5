/* SPDX-License-Identifier: MIT */
#include "model/cat/clause.h"

#include <glib.h>
#include <string.h>

#include "model/cat/ast.h"

struct maker {
    struct arena *arena;
    const struct source *source;
    bool variants;
    const char *definition; /* being changed */
    GHashTable *names;      /* used so far: name to how often */
    VEC(struct cat_clause) clauses;
};

static const char *copy(struct maker *m, struct span span)
{
    return arena_strndup(m->arena, m->source->text + span.offset, span.length);
}

/* The text of a clause on one line. */
static const char *plain(struct maker *m, struct span span)
{
    GString *text = g_string_new(NULL);
    bool blank = false;
    for (uint32_t i = 0; i < span.length; i++) {
        char c = m->source->text[span.offset + i];
        if (!g_ascii_isspace(c))
            g_string_append_printf(text, "%s%c", blank ? " " : "", c);
        blank = g_ascii_isspace(c);
    }
    const char *result = arena_strdup(m->arena, text->str);
    g_string_free(text, TRUE);
    return result;
}

static void add(struct maker *m, struct span whole, const char *instead, const char *change)
{
    const char *base = arena_printf(m->arena, "%s: %s", m->definition, change), *name = base;
    guint times = GPOINTER_TO_UINT(g_hash_table_lookup(m->names, base)) + 1;
    g_hash_table_insert(m->names, (char *)base, GUINT_TO_POINTER(times));
    if (times > 1)
        name = arena_printf(m->arena, "%s (%u)", base, times);
    const char *text = m->source->text;
    uint32_t end = whole.offset + whole.length;
    struct cat_clause clause = {
        name,
        arena_printf(m->arena, "%.*s%s%.*s", (int)whole.offset, text, instead,
                     (int)(m->source->length - end), text + end),
        source_place(m->source, whole.offset).line,
    };
    vec_push(m->arena, &m->clauses, clause);
}

static const char *operator_of(enum cat_op op)
{
    switch (op) {
    case CAT_UNION:
        return "|";
    case CAT_COMPOSE:
        return ";";
    case CAT_DIFFERENCE:
        return "\\";
    case CAT_INTERSECT:
        return "&";
    case CAT_PRODUCT:
        return "*";
    default:
        return NULL;
    }
}

/* The chain with kid 'index' left out, or replaced when 'instead' is given. */
static void without_kid(struct maker *m, const struct ast *ast, uint32_t index, const char *instead)
{
    GString *text = g_string_new("(");
    bool first = true;
    for (uint32_t i = 0; i < ast->kid_count; i++) {
        if (i == index && !instead)
            continue;
        if (!first)
            g_string_append_printf(text, " %s ", operator_of(ast->op));
        first = false;
        g_string_append_printf(text, "(%s)", i == index ? instead : copy(m, ast->kids[i]->span));
    }
    g_string_append_c(text, ')');
    add(m, ast->span, text->str,
        arena_printf(m->arena, "without '%s' of '%s'", plain(m, ast->kids[index]->span),
                     plain(m, ast->span)));
    g_string_free(text, TRUE);
}

static void with_other_branch(struct maker *m, const struct ast *ast)
{
    add(m, ast->span, arena_printf(m->arena, "(%s)", copy(m, ast->kids[1]->span)),
        arena_printf(m->arena, "the other branch of 'if \"%s\"'", ast->name));
}

static void add_clauses(struct maker *m, const struct ast *ast)
{
    if (ast->kind == AST_IF) {
        with_other_branch(m, ast);
        add_clauses(m, ast->kids[0]);
        if (m->variants) /* nothing is seen of the other else */
            add_clauses(m, ast->kids[1]);
        return;
    }
    for (uint32_t i = 0; i < ast->kid_count; i++) {
        bool product = ast->op == CAT_PRODUCT;
        if (product && strcmp(copy(m, ast->kids[i]->span), "_") != 0)
            without_kid(m, ast, i, "_");
        else if (!product && operator_of(ast->op) && (ast->op != CAT_DIFFERENCE || i > 0))
            without_kid(m, ast, i, NULL);
        add_clauses(m, ast->kids[i]);
    }
    if (ast->op == CAT_PLUS || ast->op == CAT_STAR || ast->op == CAT_OPTION)
        add(m, ast->span, arena_printf(m->arena, "(%s)", copy(m, ast->kids[0]->span)),
            arena_printf(m->arena, "'%s' once", plain(m, ast->span)));
}

static void add_statement(struct maker *m, const struct ast_statement *statement)
{
    if (statement->kind == AST_LET || statement->kind == AST_LET_REC)
        for (uint32_t i = 0; i < statement->binding_count; i++) {
            m->definition = statement->bindings[i].name;
            add_clauses(m, statement->bindings[i].body);
        }
    if (statement->kind != AST_CHECK || statement->flag)
        return;
    m->definition = statement->name ? statement->name : plain(m, statement->span);
    add(m, statement->span, "", "without the axiom");
    add_clauses(m, statement->body);
}

struct cat_clauses cat_clauses(struct arena *arena, const struct source *source, bool variants)
{
    struct diag_list diags = {.arena = arena};
    struct maker m = {.arena = arena,
                      .source = source,
                      .variants = variants,
                      .names = g_hash_table_new(g_str_hash, g_str_equal)};
    const struct ast_file *file = cat_read(arena, source, NULL, &diags);
    for (uint32_t i = 0; i < file->statement_count; i++)
        add_statement(&m, &file->statements[i]);
    g_hash_table_destroy(m.names);
    return (struct cat_clauses){m.clauses.at, m.clauses.len};
}
