/* SPDX-License-Identifier: MIT */
#include "model/cat/cat.h"

#include <string.h>

#include "model/cat/elaborate.h"
#include "model/cat/promises.h"

/* Runs the statements of a text and its includes in order. */

enum {
    MAX_NESTED = 16,    /* includes in one another */
    MAX_INCLUDES = 256, /* in all */
};

struct cat_reader {
    struct elaborator e;
    const struct cat_loader *loader;
    VEC(struct cat_axiom) axioms;
    VEC(cat_id) shown;
    VEC(const char *) shown_names;
    uint32_t depth, includes;
    bool has_variant;
    const char *asked;
};

/* 0 alone is a relation. */
static struct cat_value set_or_relation(struct elaborator *e, const struct ast *body)
{
    struct cat_value value = elaborate(e, body);
    return value.kind == KIND_ZERO ? elaborate_as(e, body, KIND_REL) : value;
}

/* A check without a name is called by its place among the axioms. */
static void run_check(struct cat_reader *reader, const struct ast_statement *statement)
{
    struct elaborator *e = &reader->e;
    struct cat_value value = statement->check == CAT_IS_EMPTY
                                 ? set_or_relation(e, statement->body)
                                 : elaborate_as(e, statement->body, KIND_REL);
    if (value.kind == KIND_UNKNOWN)
        return;
    const char *name = statement->name ? statement->name
                                       : arena_printf(e->arena, "axiom-%u", reader->axioms.len + 1);
    struct cat_axiom axiom = {statement->check, statement->negated, statement->flag, name,
                              value.id,         statement->span};
    vec_push(e->arena, &reader->axioms, axiom);
}

static void run_show(struct cat_reader *reader, const struct ast_statement *statement)
{
    struct elaborator *e = &reader->e;
    if (reader->shown.len + statement->shown_count > CAT_MAX_LIST) {
        diag_add(e->diags, DIAG_cat_too_large, e->source, statement->span, NULL,
                 "more than %d relations are shown", CAT_MAX_LIST);
        return;
    }
    for (uint32_t i = 0; i < statement->shown_count; i++) {
        struct cat_value value = set_or_relation(e, statement->shown[i].body);
        if (value.kind == KIND_UNKNOWN)
            continue;
        vec_push(e->arena, &reader->shown, value.id);
        vec_push(e->arena, &reader->shown_names, statement->shown[i].name);
    }
}

/* Takes back what a text that was included shows. */
static void run_unshow(struct cat_reader *reader, const struct ast_statement *statement)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < reader->shown.len; i++) {
        bool dropped = false;
        for (uint32_t j = 0; j < statement->shown_count; j++)
            dropped |= strcmp(reader->shown_names.at[i], statement->shown[j].name) == 0;
        if (dropped)
            continue;
        reader->shown.at[kept] = reader->shown.at[i];
        reader->shown_names.at[kept++] = reader->shown_names.at[i];
    }
    reader->shown.len = reader->shown_names.len = kept;
}

static const struct ast_file *run_text(struct cat_reader *reader, const struct source *source);

/* The included text is read as if it stood here, in the names of this one. */
static void run_include(struct cat_reader *reader, const struct ast_statement *statement)
{
    struct elaborator *e = &reader->e;
    const struct cat_loader *loader = reader->loader;
    const struct source *outer = e->source, *included = NULL;
    if (reader->depth == MAX_NESTED || reader->includes++ == MAX_INCLUDES) {
        diag_add(e->diags, DIAG_cat_include_depth, outer, statement->name_span, NULL,
                 "too many includes: does '%s' include itself?", statement->name);
        return;
    }
    if (loader && loader->open)
        included = loader->open(loader->context, e->arena, statement->name);
    if (!included) {
        diag_add(e->diags, DIAG_cat_include, outer, statement->name_span, NULL,
                 "cannot include '%s'", statement->name);
        return;
    }
    reader->depth++;
    run_text(reader, included);
    reader->depth--;
    e->source = outer;
}

static void run_statement(struct cat_reader *reader, const struct ast_statement *statement)
{
    switch (statement->kind) {
    case AST_LET:
        elaborate_let(&reader->e, statement->bindings, statement->binding_count);
        break;
    case AST_LET_REC:
        elaborate_recursive(&reader->e, statement);
        break;
    case AST_CHECK:
        run_check(reader, statement);
        break;
    case AST_SHOW:
        run_show(reader, statement);
        break;
    case AST_UNSHOW:
        run_unshow(reader, statement);
        break;
    case AST_INCLUDE:
        run_include(reader, statement);
        break;
    }
}

static const struct ast_file *run_text(struct cat_reader *reader, const struct source *source)
{
    struct ast_file *file = cat_read(reader->e.arena, source, reader->loader, reader->e.diags);
    reader->has_variant |= file->has_variant;
    reader->asked = reader->asked ? reader->asked : file->asked;
    reader->e.source = source;
    for (uint32_t i = 0; i < file->statement_count && !reader->e.exhausted; i++)
        run_statement(reader, &file->statements[i]);
    return file;
}

/* The names that a text starts with: what C supplies, domain and range. */
static void bind_bases(struct elaborator *e, const struct cat_base *bases, uint32_t count)
{
    e->names = names_bind_builtin(e->arena, e->names, "domain", CAT_DOMAIN);
    e->names = names_bind_builtin(e->arena, e->names, "range", CAT_RANGE);
    for (uint32_t i = 0; i < count; i++) {
        bool is_set = bases[i].is_set;
        struct cat_node node = {.op = is_set ? CAT_BASE_SET : CAT_BASE_REL,
                                .is_set = is_set,
                                .dynamic = bases[i].dynamic,
                                .base = i,
                                .name = bases[i].name};
        struct cat_value value = {is_set ? KIND_SET : KIND_REL,
                                  cat_node_intern(&e->nodes, node, e->source, (struct span){0, 0})};
        e->nodes.nodes.at[value.id].text = bases[i].name;
        e->names = names_bind(e->arena, e->names, bases[i].name, value);
    }
}

static struct cat_model *finish(struct cat_reader *reader, const struct source *source,
                                const struct ast_file *file)
{
    struct cat_model *model = ARENA_NEW(reader->e.arena, struct cat_model);
    *model = (struct cat_model){
        .source = source,
        .title = file->title ? file->title : source->name,
        .language = file->language,
        .nodes = reader->e.nodes.nodes.at,
        .node_count = reader->e.nodes.nodes.len,
        .group_count = reader->e.group_count,
        .axioms = reader->axioms.at,
        .axiom_count = reader->axioms.len,
        .shown = reader->shown.at,
        .shown_names = reader->shown_names.at,
        .shown_count = reader->shown.len,
        .has_variant = reader->has_variant,
        .asked = reader->asked,
    };
    return model;
}

struct cat_model *cat_parse(struct arena *arena, const struct source *source,
                            const struct cat_base *bases, uint32_t base_count,
                            const struct cat_loader *loader, struct diag_list *diags)
{
    struct cat_reader reader = {.loader = loader};
    uint32_t errors = diags->errors;
    reader.e = (struct elaborator){.arena = arena, .diags = diags, .source = source};
    reader.e.nodes.arena = arena;
    bind_bases(&reader.e, bases, base_count);
    if (loader && loader->prelude)
        run_text(&reader, loader->prelude);
    const struct ast_file *file = run_text(&reader, source);
    if (diags->errors != errors)
        return NULL;
    if (!reader.axioms.len)
        diag_add(diags, DIAG_cat_no_axiom, source, (struct span){0, 0}, NULL,
                 "the model has no axiom: every execution is allowed");
    struct cat_model *model = finish(&reader, source, file);
    cat_promises(model, bases, base_count);
    return model;
}
