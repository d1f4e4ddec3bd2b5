/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/threads.h"

#include <string.h>

/* The threads of a test in C++, as columns or as blocks, and their way to bodies; kernel.c reads kernels. */

enum { MOST_COLUMNS = 1024, MOST_PLACE = 1 << 20 };

/* ---- heads ---------------------------------------------------------------------------------- */

static uint32_t *placement_field(const struct cpp_parser *p, struct column *column)
{
    return cpp_at_word(p, "lane")      ? &column->lane
           : cpp_at_word(p, "warp")    ? &column->warp
           : cpp_at_word(p, "cta")     ? &column->cta
           : cpp_at_word(p, "block")   ? &column->cta
           : cpp_at_word(p, "cluster") ? &column->cluster
           : cpp_at_word(p, "gpu")     ? &column->gpu
           : cpp_at_word(p, "device")  ? &column->gpu
                                       : NULL;
}

/* "@cta 0,gpu 0" */
static bool placements(struct cpp_parser *p, struct column *column)
{
    if (!cpp_accept(p, CPP_MARK_AT))
        return true;
    do {
        uint32_t *field = placement_field(p, column);
        if (!field) {
            cpp_error(p, unknown_placement, p->token.span,
                      "write lane, warp, cta, cluster or gpu and a number", "%s places no thread",
                      cpp_token_text(p));
            return false;
        }
        if (*field != NONE)
            cpp_error(p, duplicate_placement, p->token.span, NULL, "%s is given twice",
                      cpp_token_text(p));
        cpp_advance(p);
        if (!cpp_expect_count(p, "its number", MOST_PLACE, field))
            return false;
    } while (cpp_accept(p, CPP_MARK_COMMA));
    return true;
}

/* "(atomic_int *x, int *y)", as herd's tests in C have it. */
static bool parameters(struct cpp_parser *p, struct cpp_thread *thread)
{
    if (!cpp_at(p, CPP_MARK_OPEN))
        return true;
    cpp_open(p, CPP_MARK_OPEN, "'('");
    while (!cpp_at(p, CPP_MARK_CLOSE)) {
        struct cpp_parameter one = {.type = cpp_type(p), .span = p->token.span};
        if (!one.type || !cpp_expect_word(p, "the name of a parameter", &one.name))
            return false;
        vec_push(p->arena, &thread->parameters, one);
        if (!cpp_accept(p, CPP_MARK_COMMA))
            break;
    }
    return cpp_close(p, CPP_MARK_CLOSE, "')' after the parameters");
}

static bool head(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    struct column column = {.warp = NONE, .cta = NONE, .cluster = NONE, .gpu = NONE, .lane = NONE};
    struct cpp_thread thread = {.span = p->token.span};
    uint32_t number;
    if (reader->threads.len == MOST_COLUMNS) {
        cpp_error(p, too_many_columns, p->token.span, NULL, "a test has at most %d threads",
                  MOST_COLUMNS);
        return false;
    }
    if (!cpp_expect_word(p, "the name of a thread", &thread.name))
        return false;
    if (!cpp_thread_number(reader, thread.span, &number) || number != reader->threads.len)
        cpp_error(p, bad_column_name, thread.span,
                  strcmp(thread.name, "kernel") == 0
                      ? "a kernel begins as in CUDA: '__global__ void'"
                      : NULL,
                  "thread %u is called 'P%u', not '%s'", reader->threads.len + 1,
                  reader->threads.len, thread.name);
    if (!placements(p, &column) || !parameters(p, &thread) || !placements(p, &column))
        return false;
    column.body = reader->threads.len;
    column.span = cpp_span_from(p, thread.span);
    vec_push(p->arena, &reader->program->columns, column);
    vec_push(p->arena, &reader->threads, thread);
    return true;
}

/* ---- columns and blocks --------------------------------------------------------------------- */

static const char *const asked[] = {"exists", "forall", "locations", "filter"};
enum { ASKED = sizeof asked / sizeof *asked };

bool cpp_at_misspelt_question(const struct cpp_parser *p)
{
    struct span word = p->token.span;
    return p->token.kind == CPP_TOKEN_WORD && cpp_next(p).mark == CPP_MARK_OPEN &&
           diag_nearest(p->source->text + word.offset, word.length, asked, ASKED);
}

bool cpp_at_question(const struct cpp_parser *p)
{
    for (size_t i = 0; i < ASKED; i++)
        if (cpp_at_word(p, asked[i]))
            return true;
    return p->token.kind == CPP_TOKEN_END || cpp_at(p, CPP_MARK_COMPLEMENT) ||
           (cpp_at_word(p, "not") && cpp_next(p).kind == CPP_TOKEN_WORD);
}

/* Reads one statement of the thread, or passes what cannot be read. */
static void statement(struct cpp_reader *reader, uint32_t thread)
{
    const struct cpp_stmt *stmt = cpp_statement(&reader->p);
    if (stmt)
        vec_push(reader->p.arena, &reader->threads.at[thread].stmts, stmt);
    else
        cpp_recover(&reader->p);
}

/* '|', or the '||' of an empty cell between two: how many cells end here. */
static uint32_t separators(struct cpp_parser *p)
{
    if (cpp_accept(p, CPP_MARK_OR))
        return 1;
    return cpp_accept(p, CPP_MARK_ELSE) ? 2 : 0;
}

static void row(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    uint32_t cell = 0;
    while (!cpp_at(p, CPP_MARK_SEMICOLON) && p->token.kind != CPP_TOKEN_END) {
        uint32_t ended = separators(p);
        cell += ended;
        if (ended)
            continue;
        if (cpp_at(p, CPP_MARK_CLOSE_BLOCK)) {
            cpp_error(p, cpp_syntax, p->token.span, "braces open and close within one cell",
                      "expected a statement, found '}'");
            cpp_advance(p);
        } else if (cell >= reader->threads.len) {
            cpp_error(p, too_many_cells, p->token.span, "braces open and close within one cell",
                      "this row has more cells than the %u columns", reader->threads.len);
            while (!cpp_at(p, CPP_MARK_SEMICOLON) && p->token.kind != CPP_TOKEN_END)
                cpp_advance(p);
        } else
            statement(reader, cell);
    }
    cpp_expect(p, CPP_MARK_SEMICOLON, "';' at the end of the row");
}

static void columns(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    while (cpp_accept(p, CPP_MARK_OR))
        if (!head(reader))
            break;
    if (!cpp_expect(p, CPP_MARK_SEMICOLON, "'|' or ';' after the name of a thread"))
        while (p->token.kind != CPP_TOKEN_END && !cpp_accept(p, CPP_MARK_SEMICOLON))
            cpp_advance(p);
    p->cell = true;
    while (!cpp_at_question(p))
        row(reader);
    p->cell = false;
}

/* "P0@cta 0 { … }" and so on; the first head has been read. */
static void blocks(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    for (;;) {
        if (!cpp_at(p, CPP_MARK_OPEN_BLOCK)) {
            cpp_unexpected(p, "'{' and the thread's code");
            break;
        }
        statement(reader, reader->threads.len - 1);
        if (cpp_at_question(p) || cpp_at_misspelt_question(p))
            return;
        if (!head(reader))
            break;
    }
    while (p->token.kind != CPP_TOKEN_END && !cpp_at_question(p))
        cpp_advance(p);
}

void cpp_read_threads(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    while (cpp_at_function(reader) || cpp_at_naming(p))
        cpp_read_definition(reader);
    if (cpp_at_question(p)) {
        cpp_error(p, no_threads, p->token.span,
                  "write them as P0 { … }, in columns, or as kernels and launches",
                  "the test has no threads");
        return;
    }
    if (cpp_specifier_at(p) || cpp_at_launch(p)) {
        cpp_read_kernels(reader);
        return;
    }
    if (!head(reader)) {
        while (!cpp_at_question(p))
            cpp_advance(p);
    } else if (cpp_at(p, CPP_MARK_OR) || cpp_at(p, CPP_MARK_SEMICOLON))
        columns(reader);
    else
        blocks(reader);
}

/* ---- bodies --------------------------------------------------------------------------------- */

/* A parameter is the address of the location of its name. */
static void bind(struct cpp_code *code, const struct cpp_parameter *one, struct body *body)
{
    struct cpp_kind kind;
    bool is_reference;
    if (!cpp_kind_of(code, one->type, &kind, &is_reference))
        return;
    uint32_t location =
        names_get(&code->program->location_names, NONE, one->name, strlen(one->name));
    if (location == NONE || !kind.is_pointer) {
        code_error(code, cpp_unknown_name, one->span, "declare it in the initial state",
                   "a thread's parameter points to the location of its name: there is no '%s'",
                   one->name);
        return;
    }
    struct cpp_operand operand = {CPP_FORM_ADDRESS, kind, .reg = NONE, .location = location};
    cpp_add_variable(code, one->name, operand);
    struct pointer_param *pointer = &body->pointers[body->pointer_count++];
    *pointer = (struct pointer_param){location, cpp_kind_spelled(code->arena, &kind)};
}

static void bind_parameters(struct cpp_code *code, const struct cpp_thread *thread,
                            struct body *body)
{
    body->pointers = ARENA_ARRAY(code->arena, struct pointer_param, thread->parameters.len + 1);
    for (uint32_t i = 0; i < thread->parameters.len; i++)
        bind(code, &thread->parameters.at[i], body);
}

/* "P0:r0 = 1;" declares the register. */
static void give_value(struct cpp_code *code, const struct cpp_register_entry *entry,
                       struct body *body)
{
    struct cpp_operand value = cpp_number(0, TYPE_S32);
    struct reg_init init = {.address_of = NONE};
    if (entry->value && !cpp_lower_value(code, entry->value, &value))
        return;
    if (value.form == CPP_FORM_REGISTER) {
        code_error(code, cpp_type, entry->value->span, NULL, "this is no constant");
        return;
    }
    struct cpp_operand variable = cpp_declare(code, entry->name, value.kind, NULL, entry->span);
    cpp_add_implicit(code, entry->name, variable);
    init.reg = variable.reg;
    init.value = value.bits;
    init.address_of = value.form == CPP_FORM_ADDRESS ? value.location : NONE;
    body->inits = arena_grow(code->arena, body->inits, sizeof init * body->init_count,
                             sizeof init * (body->init_count + 1));
    body->inits[body->init_count++] = init;
}

static void give_values(struct cpp_reader *reader, struct cpp_code *code, uint32_t thread,
                        struct body *body)
{
    for (uint32_t i = 0; i < reader->registers.len; i++) {
        const struct cpp_register_entry *entry = &reader->registers.at[i];
        uint32_t number;
        bool known = cpp_thread_number(reader, entry->thread.span, &number);
        known = known && code->kernel == NONE;
        if (known && number == thread)
            give_value(code, entry, body);
        else if (!thread && (!known || number >= reader->threads.len))
            code_error(code, unknown_thread, entry->thread.span, NULL, "there is no such thread");
    }
}

/* What the thread is, as it is written: the functions that it calls, and its statements. */
static void keep_statements(struct cpp_reader *reader, const struct cpp_thread *thread,
                            struct body *body)
{
    VEC(struct span) spans = {0};
    for (uint32_t i = 0; i < reader->functions.len; i++) {
        if (reader->functions.at[i].is_called)
            vec_push(reader->p.arena, &spans, reader->functions.at[i].definition);
        reader->functions.at[i].is_called = false; /* by the next thread */
    }
    for (uint32_t i = 0; i < thread->stmts.len; i++)
        vec_push(reader->p.arena, &spans, thread->stmts.at[i]->span);
    body->statements = spans.at;
    body->statement_count = spans.len;
}

static void note_implicit(struct cpp_code *code)
{
    for (uint32_t i = 0; i < code->implicit.len; i++)
        if (code->implicit.at[i].form == CPP_FORM_REGISTER)
            code->regs.at[code->implicit.at[i].reg].implicit =
                cpp_kind_spelled(code->arena, &code->implicit.at[i].kind);
}

static void lower_thread(struct cpp_reader *reader, uint32_t index)
{
    struct cpp_thread *thread = &reader->threads.at[index];
    struct cpp_code code = cpp_new_code(reader, thread->name);
    struct body body = {.name = thread->name, .span = thread->span};
    code.kernel = thread->is_kernel ? index : NONE;
    cpp_lower_formals(&code, thread, &body);
    bind_parameters(&code, thread, &body);
    give_values(reader, &code, index, &body);
    for (uint32_t i = 0; i < thread->stmts.len; i++) {
        cpp_lower_stmt(&code, thread->stmts.at[i]);
        cpp_note_declared(&code, thread->stmts.at[i]);
    }
    keep_statements(reader, thread, &body);
    note_implicit(&code);
    cpp_place(&code, code.end);
    cpp_check_targets(&code);
    if (!code.diags->errors)
        cpp_end_jumps(&code);
    body.regs = code.regs.at;
    body.reg_count = code.regs.len;
    body.insts = code.insts.at;
    body.inst_count = code.insts.len;
    body.labels = code.labels.at;
    body.label_count = code.labels.len;
    vec_push(code.arena, &reader->program->bodies, body);
    vec_push(code.arena, &reader->program->reg_names, code.reg_names);
}

bool cpp_read_program(struct arena *arena, const struct source *source, uint32_t *offset,
                      struct diag_list *diags, struct cpp_program *program)
{
    uint32_t errors = diags->errors;
    struct cpp_reader reader = {.p = cpp_start(arena, source, *offset, diags),
                                .program = program,
                                .constant_names.arena = arena};
    *program = (struct cpp_program){.location_names.arena = arena};
    cpp_read_init(&reader);
    cpp_finish_init(&reader);
    cpp_read_threads(&reader);
    *offset = reader.p.token.span.offset;
    for (uint32_t i = 0; i < reader.threads.len; i++)
        for (uint32_t k = 0; k < reader.threads.at[i].parameters.len; k++)
            cpp_add_pointed(&reader, &reader.threads.at[i].parameters.at[k]);
    for (uint32_t i = 0; i < reader.threads.len; i++)
        lower_thread(&reader, i);
    for (uint32_t i = 0; i < program->locations.len; i++)
        program->locations.at[i].cpp_type = cpp_kind_spelled(arena, &program->kinds.at[i]);
    for (uint32_t i = 0; i < reader.launches.len; i++)
        cpp_lower_launch(&reader, reader.launches.at[i]);
    return diags->errors == errors;
}
