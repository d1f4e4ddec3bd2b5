/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/threads.h"
#include "litmus/test/launch.h"

/* Kernels and launches of a test in C++: "__global__ void k(int *x) { … }", "k<<<2, 32>>>(&x);". */

enum { MOST_GPU = 1 << 20, MOST_SHARED = 228 * 1024 };

bool cpp_at_launch(const struct cpp_parser *p)
{
    enum cpp_mark next = cpp_next(p).mark;
    return cpp_at_name(p) && (next == CPP_MARK_LAUNCH || next == CPP_MARK_COLON);
}

/* ---- heads ---------------------------------------------------------------------------------- */

/* The words before the type: 'extern "C" __global__'. */
static void specifiers(struct cpp_parser *p)
{
    for (uint32_t one; (one = cpp_specifier_at(p));) {
        cpp_advance(p);
        if (one == CPP_SPECIFIER_EXTERN && p->token.kind == CPP_TOKEN_STRING)
            cpp_advance(p);
    }
}

/* "2", "(2, 1, 1)", "dim3(2, 1, 1)": the sizes that are written, in '*kids'. */
static uint32_t sizes(const struct cpp_expr *expr, const struct cpp_expr **kids)
{
    uint32_t count = 0;
    bool list = expr->kind == CPP_LIST;
    const char *word = expr->kind == CPP_CALL && expr->kids[0]->kind == CPP_NAME
                           ? cpp_plain_word(&expr->kids[0]->name)
                           : NULL;
    if (list || (word && strcmp(word, "dim3") == 0)) {
        for (uint32_t i = list ? 0 : 1; i < expr->kid_count && count < 4; i++)
            kids[count++] = expr->kids[i];
        return count;
    }
    for (; expr->kind == CPP_BINARY && expr->mark == CPP_MARK_COMMA && count < 3;
         expr = expr->kids[0])
        kids[count++] = expr->kids[1];
    kids[count++] = expr;
    for (uint32_t i = 0; i < count / 2; i++) {
        const struct cpp_expr *kid = kids[i];
        kids[i] = kids[count - 1 - i];
        kids[count - 1 - i] = kid;
    }
    return count;
}

static bool size(struct cpp_reader *reader, const struct cpp_expr *expr, uint32_t least,
                 uint32_t most, uint32_t *to)
{
    struct cpp_operand value;
    if (!cpp_constant(reader, expr, &value))
        return false;
    if (value.form == CPP_FORM_NUMBER && value.bits >= least && value.bits <= most) {
        *to = (uint32_t)value.bits;
        return true;
    }
    cpp_error(&reader->p, bad_launch, expr->span, NULL, "a number from %u to %u stands here", least,
              most);
    return false;
}

static bool dimensions(struct cpp_reader *reader, const struct cpp_expr *expr, struct dim3 *dim)
{
    const struct cpp_expr *kids[4];
    uint32_t of[3] = {1, 1, 1}, count = sizes(expr, kids);
    if (count > 3) {
        cpp_error(&reader->p, bad_launch, expr->span, NULL, "there are three dimensions at most");
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!size(reader, kids[i], 1, LAUNCH_LARGEST_SIZE, &of[i]))
            return false;
    *dim = (struct dim3){of[0], of[1], of[2]};
    return true;
}

/* "__launch_bounds__(128, 2)", "__cluster_dims__(2, 1, 1)" */
static bool rule(struct cpp_reader *reader, struct launch_rules *rules)
{
    struct cpp_parser *p = &reader->p;
    bool cluster = cpp_at_word(p, "__cluster_dims__");
    struct cpp_expr_list list = {{0}};
    struct cpp_expr node = {.kind = CPP_LIST, .span = p->token.span};
    cpp_advance(p);
    if (!cpp_open(p, CPP_MARK_OPEN, "'(' and sizes") || !cpp_arguments(p, CPP_MARK_CLOSE, &list))
        return false;
    node.kids = list.of.at;
    node.kid_count = cluster || !list.of.len ? list.of.len : 1;
    node.span = cpp_span_from(p, node.span);
    return dimensions(reader, &node, cluster ? &rules->cluster : &rules->most_threads);
}

static bool rules(struct cpp_reader *reader, struct launch_rules *to)
{
    while (cpp_at_word(&reader->p, "__launch_bounds__") ||
           cpp_at_word(&reader->p, "__cluster_dims__"))
        if (!rule(reader, to))
            return false;
    return true;
}

/* Up to the code. */
static bool head(struct cpp_reader *reader, struct cpp_thread *kernel)
{
    struct cpp_parser *p = &reader->p;
    kernel->span = p->token.span;
    specifiers(p);
    if (!rules(reader, &kernel->rules))
        return false;
    if (!cpp_accept_keyword(p, CPP_KEYWORD_VOID)) {
        cpp_unexpected(p, "'void' and the name of the kernel");
        return false;
    }
    if (!rules(reader, &kernel->rules))
        return false;
    kernel->span = p->token.span;
    return cpp_expect_word(p, "the name of the kernel", &kernel->name) &&
           cpp_parameters(p, &kernel->formals, &kernel->formal_count);
}

static void kernel(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    struct cpp_thread kernel = {.is_kernel = true};
    bool good = head(reader, &kernel);
    if (good && !cpp_at(p, CPP_MARK_OPEN_BLOCK)) {
        cpp_unexpected(p, "'{' and the code of the kernel");
        good = false;
    }
    for (uint32_t i = 0; good && i < reader->threads.len; i++)
        if (strcmp(reader->threads.at[i].name, kernel.name) == 0)
            cpp_error(p, duplicate_kernel, kernel.span, NULL, "'%s' is defined twice", kernel.name);
    const struct cpp_stmt *code = good ? cpp_statement(p) : NULL;
    if (!code) {
        cpp_recover(p);
        return;
    }
    vec_push(p->arena, &kernel.stmts, code);
    vec_push(p->arena, &reader->threads, kernel);
}

/* ---- launches ------------------------------------------------------------------------------- */

static void launch(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    const struct cpp_expr *expr = cpp_initializer(p);
    if (expr && expr->kind != CPP_LAUNCH)
        cpp_error(p, cpp_syntax, expr->span, "a launch is k<<<2, 32>>>(&x);", "this is no launch");
    else if (expr && cpp_expect(p, CPP_MARK_SEMICOLON, "';' after the launch")) {
        vec_push(p->arena, &reader->launches, expr);
        return;
    }
    cpp_recover(p);
}

void cpp_read_kernels(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    struct span start = p->token.span;
    while (!cpp_at_question(p) && !cpp_at_misspelt_question(p)) {
        unsigned depth = p->depth, brackets = p->brackets;
        uint32_t offset = p->token.span.offset;
        if (cpp_at_function(reader) || cpp_at_naming(p))
            cpp_read_definition(reader);
        else if (cpp_specifier_at(p))
            kernel(reader);
        else if (cpp_at_launch(p))
            launch(reader);
        else {
            cpp_unexpected(p, "a kernel, a launch, or 'exists', '~exists', 'forall'");
            cpp_recover(p);
        }
        p->depth = depth;
        p->brackets = brackets;
        if (p->token.span.offset == offset && p->token.kind != CPP_TOKEN_END)
            cpp_advance(p);
    }
    if (!reader->launches.len)
        cpp_error(p, no_threads, start, "write a launch: k<<<2, 32>>>();",
                  "the test has no threads: nothing is launched");
}

/* The kernel's index among the bodies, or NONE after a report. */
static uint32_t kernel_of(struct cpp_reader *reader, const struct cpp_expr *name)
{
    VEC(const char *) known = {0};
    const char *word = name->kind == CPP_NAME ? cpp_plain_word(&name->name) : NULL;
    const char *text = source_words(reader->p.arena, reader->p.source, name->span);
    for (uint32_t i = 0; i < reader->threads.len; i++) {
        if (word && strcmp(reader->threads.at[i].name, word) == 0)
            return i;
        vec_push(reader->p.arena, &known, reader->threads.at[i].name);
    }
    cpp_error(&reader->p, unknown_kernel, name->span,
              diag_hint(reader->p.arena, text, strlen(text), known.at, known.len),
              "there is no kernel '%.60s'", text);
    return NONE;
}

/* "x", "&x[2]" or "5", as the parameter has it; the name of a location is its address. */
static bool argument(struct cpp_reader *reader, const struct cpp_expr *expr, struct cpp_kind kind,
                     struct operand *to)
{
    struct cpp_code code = cpp_new_code(reader, "the launch");
    struct cpp_operand value;
    bool named = kind.is_pointer && expr->kind == CPP_NAME;
    if (!(named ? cpp_object(&code, expr, &value) : cpp_constant(reader, expr, &value)))
        return false;
    if (value.form == CPP_FORM_OBJECT)
        value.form = CPP_FORM_ADDRESS, value.kind.is_pointer = true;
    if (!cpp_convert(&code, &value, kind, expr->span))
        return false;
    *to = (struct operand){.kind = OPERAND_IMM,
                           .reg = NONE,
                           .location = NONE,
                           .target = NONE,
                           .param = NONE,
                           .value = value.bits,
                           .span = expr->span};
    if (value.form == CPP_FORM_ADDRESS) { /* in elements, as check/launches.c wants them */
        to->kind = OPERAND_SYMBOL;
        to->location = value.location;
        to->value /= type_bytes(reader->program->locations.at[value.location].type);
    }
    return true;
}

static bool arguments(struct cpp_reader *reader, const struct cpp_expr *expr,
                      const struct cpp_thread *kernel, struct launch *launch)
{
    uint32_t first = 1 + expr->launch_count, count = expr->kid_count - first;
    if (count != kernel->kinds.len) {
        cpp_error(&reader->p, bad_launch, expr->span, NULL,
                  "'%s' has %u parameter%s, the launch gives %u", kernel->name, kernel->kinds.len,
                  kernel->kinds.len == 1 ? "" : "s", count);
        return false;
    }
    launch->args = ARENA_ARRAY(reader->p.arena, struct operand, count + 1);
    launch->arg_count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!argument(reader, expr->kids[first + i], kernel->kinds.at[i], &launch->args[i]))
            return false;
    return true;
}

/* "<<<grid, block, bytes>>>" and the words behind it. */
static bool shape(struct cpp_reader *reader, const struct cpp_expr *expr, struct launch *launch)
{
    const struct cpp_launch *words = expr->launch;
    if (expr->launch_count < 2 || expr->launch_count > 3) {
        cpp_error(&reader->p, bad_launch, expr->span, "only a host program has streams",
                  "a launch has a grid, blocks and the bytes of dynamic shared memory");
        return false;
    }
    launch->cooperative = words->cooperative;
    launch->programmatic = words->programmatic;
    return dimensions(reader, expr->kids[1], &launch->grid) &&
           dimensions(reader, expr->kids[2], &launch->block) &&
           (expr->launch_count < 3 ||
            size(reader, expr->kids[3], 0, MOST_SHARED, &launch->dynamic_shared_bytes)) &&
           (!words->cluster || dimensions(reader, words->cluster, &launch->cluster)) &&
           (!words->gpu || size(reader, words->gpu, 0, MOST_GPU, &launch->gpu));
}

void cpp_lower_launch(struct cpp_reader *reader, const struct cpp_expr *expr)
{
    struct launch launch = {.cluster = {1, 1, 1}, .span = expr->span};
    struct cpp_program *program = reader->program;
    launch.kernel = kernel_of(reader, expr->kids[0]);
    if (launch.kernel == NONE || !shape(reader, expr, &launch) ||
        !arguments(reader, expr, &reader->threads.at[launch.kernel], &launch))
        return;
    launch.label =
        expr->launch->label ? expr->launch->label : reader->threads.at[launch.kernel].name;
    for (uint32_t i = 0; i < program->launches.len; i++)
        if (strcmp(program->launches.at[i].label, launch.label) == 0)
            cpp_error(&reader->p, duplicate_launch, expr->span,
                      "put 'NAME:' before one of them, so that conditions can tell them apart",
                      "two launches are called '%s'", launch.label);
    vec_push(reader->p.arena, &program->launches, launch);
}

/* ---- parameters ----------------------------------------------------------------------------- */

static bool formal(struct cpp_code *code, const struct cpp_declarator *one, struct cpp_thread *to)
{
    struct cpp_type type = *one->type;
    struct cpp_kind kind;
    bool is_reference;
    if (type.kind == CPP_TYPE_ARRAY) /* "int x[]" is a pointer */
        type.kind = CPP_TYPE_POINTER;
    if (!cpp_kind_of(code, &type, &kind, &is_reference))
        return false;
    if (!one->name || is_reference || type.kind == CPP_TYPE_REFERENCE ||
        (!kind.is_pointer && (kind.is_atomic || kind.type == TYPE_NONE))) {
        code_error(code, cpp_type, type.span, "pass a pointer to the object",
                   "a kernel of a test takes integers and pointers, each with a name");
        return false;
    }
    struct cpp_operand variable = cpp_declare(code, one->name, kind, NULL, one->name_span);
    struct inst *inst =
        cpp_emit(code, OP_LD, kind.is_pointer ? TYPE_U64 : kind.type, one->name_span);
    inst->sem = SEM_WEAK;
    inst->space = SPACE_PARAM;
    cpp_add_register(inst, variable.reg);
    cpp_add_formal(inst, to->kinds.len);
    cpp_add_variable(code, one->name, variable);
    vec_push(code->arena, &to->kinds, kind);
    return true;
}

void cpp_lower_formals(struct cpp_code *code, struct cpp_thread *kernel, struct body *body)
{
    body->rules = kernel->rules;
    body->params = ARENA_ARRAY(code->arena, struct param, kernel->formal_count + 1);
    for (uint32_t i = 0, end = 0; i < kernel->formal_count; i++) {
        const struct cpp_declarator *one = &kernel->formals[i];
        if (!formal(code, one, kernel))
            return;
        struct cpp_kind kind = kernel->kinds.at[i];
        enum type type = kind.is_pointer ? TYPE_U64 : kind.type;
        uint32_t bytes = type_bytes(type), offset = (end + bytes - 1) / bytes * bytes;
        body->params[i] = (struct param){one->name, type, bytes, offset, one->name_span};
        body->param_count = i + 1;
        end = offset + bytes;
    }
}
