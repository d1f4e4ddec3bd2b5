/* SPDX-License-Identifier: MIT */
#include "litmus/rewrite/code.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/cpp/cpp.h"
#include "litmus/rewrite/object.h"
#include "litmus/test/code_line.h"

/* ---- the file ------------------------------------------------------------------------------- */

static const struct source *read_source(struct arena *arena, const char *path)
{
    size_t length;
    const char *text = g_file_test(path, G_FILE_TEST_IS_REGULAR)
                           ? file_read(arena, path, SOURCE_MAX_BYTES, &length)
                           : NULL;
    return text ? source_new(arena, path, text, length) : NULL;
}

/* The .cu file beside the PTX that is called as the PTX says, or where the compiler found it. */
static const struct source *find_source(struct arena *arena, const struct test *test,
                                        const char *file)
{
    const struct source *source = test->source;
    g_autofree char *last = g_path_get_basename(file);
    for (uint32_t i = 0; i < source->piece_count; i++) {
        const char *name = source->pieces[i].name;
        if (!name || !g_str_has_suffix(name, ".ptx"))
            continue;
        g_autofree char *folder = g_path_get_dirname(name);
        g_autofree char *beside =
            strcmp(folder, ".") == 0 ? g_strdup(last) : g_build_filename(folder, last, NULL);
        const struct source *found = read_source(arena, arena_strdup(arena, beside));
        if (found)
            return found;
    }
    return read_source(arena, arena_strdup(arena, file));
}

/* ---- lines ---------------------------------------------------------------------------------- */

static const char *file_of(const struct test *test, const struct code_line *line)
{
    return line->file == NONE ? NULL : test->code_files[line->file];
}

/* Where the instruction comes from in the file: of a function of a header, where it is called. */
static const struct code_line *own_line(const struct test *test, const char *file,
                                        const struct inst *inst)
{
    const struct code_line *line = test_code_line(test, inst->span.offset);
    while (line && (!file_of(test, line) || strcmp(file_of(test, line), file) != 0))
        line = code_line_caller(test, line);
    return line;
}

/* The first .cu file that a line is of. */
static const char *first_file(const struct test *test)
{
    for (uint32_t i = 0; i < test->code_line_count; i++) {
        const char *file = file_of(test, &test->code_lines[i]);
        if (file && g_str_has_suffix(file, ".cu"))
            return file;
    }
    return NULL;
}

/* ---- units ---------------------------------------------------------------------------------- */

static uint32_t end_of(struct span span)
{
    return span.offset + span.length;
}

static uint32_t last_kid_end(const struct code *code, uint32_t self)
{
    uint32_t end = 0;
    for (uint32_t i = self + 1; i < code->statements.items.len; i++)
        if (code->statements.items.at[i].parent == self)
            end = end_of(code->statements.items.at[i].span);
    return end;
}

static void add_unit(struct code *code, uint32_t self)
{
    const struct statement *statement = &code->statements.items.at[self];
    uint32_t kids = last_kid_end(code, self), from = statement->span.offset;
    struct code_unit unit = {self, statement->span};
    if (strchr("{;", code->source->text[from]))
        return;
    if (statement->head)
        unit.span.length = statement->head - from;
    else if (kids) /* do … while (c); */
        unit.span = (struct span){kids, end_of(statement->span) - kids};
    vec_push(code->arena, &code->units, unit);
}

/* Reads the function that holds the line, once. */
static void read_function(struct code *code, uint32_t line, uint32_t column)
{
    const struct source *source = code->source;
    struct span body;
    if (!line || line > source->line_count)
        return;
    struct span text = source_line(source, source->line_starts[line - 1]);
    uint32_t offset = text.offset + (column && column <= text.length ? column - 1 : 0);
    if (statements_at(&code->statements, offset) || !statements_function(source, offset, &body))
        return;
    uint32_t first = code->statements.items.len;
    if (first && code->statements.items.at[first - 1].span.offset >= body.offset &&
        code->statements.items.at[first - 1].span.offset < end_of(body))
        return;
    statements_read(code->arena, source, body.offset, end_of(body), &code->statements);
    for (uint32_t i = first; i < code->statements.items.len; i++)
        add_unit(code, i);
}

/* ---- expressions ---------------------------------------------------------------------------- */

struct collecting {
    struct code *code;
    uint32_t unit;
};

static void add_site(struct collecting *c, const struct cpp_expr *expr, char class)
{
    struct code_site site = {.unit = c->unit, .class = class};
    site.written = site_of(c->code->arena, c->code->source, expr->span, &site.site);
    vec_push(c->code->arena, &c->code->sites, site);
}

static void collect(struct collecting *c, const struct cpp_expr *expr);

/* What is read to find an object: "a[i]" reads i. */
static void collect_place(struct collecting *c, const struct cpp_expr *expr)
{
    bool index = expr->kind == CPP_INDEX, deref = expr->kind == CPP_UNARY || expr->kind == CPP_CAST;
    if (index && expr->kids[0]->kind != CPP_NAME)
        collect_place(c, expr->kids[0]);
    if (index)
        collect(c, expr->kids[1]);
    if (deref && expr->kids[0]->kind != CPP_NAME)
        collect_place(c, expr->kids[0]);
}

static bool is_memory(struct collecting *c, const struct cpp_expr *expr)
{
    if (expr->kind == CPP_NAME)
        return expr->name.part_count == 1 &&
               !object_is_local(c->code->arena, c->code->source, expr);
    return expr->kind == CPP_INDEX || (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_MUL) ||
           (expr->kind == CPP_MEMBER && expr->is_arrow);
}

static bool is_step(const struct cpp_expr *expr)
{
    return expr->kind == CPP_POSTFIX ||
           (expr->kind == CPP_UNARY &&
            (expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT));
}

static void collect_write(struct collecting *c, const struct cpp_expr *expr)
{
    bool updates = is_step(expr) || expr->mark != CPP_MARK_ASSIGN;
    if (!is_step(expr))
        collect(c, expr->kids[1]);
    collect_place(c, expr->kids[0]);
    if (!is_memory(c, expr->kids[0]))
        return;
    if (updates)
        add_site(c, expr, 'l');
    add_site(c, expr, 's');
}

/* The class of a call of an atomic operation, a fence or a barrier; 0: of another function. */
static char call_class(const struct cpp_expr *expr, const struct site *site)
{
    const struct cpp_expr *callee = expr->kids[0];
    const char *word = callee->kind == CPP_MEMBER || callee->kind == CPP_NAME
                           ? cpp_last_part(&callee->name)->word
                           : "";
    if (site->kind == SITE_METHOD)
        return strcmp(word, "load") == 0 || strcmp(word, "atomic_load_explicit") == 0     ? 'l'
               : strcmp(word, "store") == 0 || strcmp(word, "atomic_store_explicit") == 0 ? 's'
                                                                                          : 'a';
    if (site->kind == SITE_LEGACY)
        return 'a';
    if (site->kind == SITE_FENCE)
        return 'f';
    return strcmp(word, "__syncthreads") == 0 || strcmp(word, "__syncwarp") == 0 ||
                   strcmp(word, "sync") == 0
               ? 'b'
               : 0;
}

/* An order that the library makes a fence and an access of. */
static bool is_seq_cst(const struct code *code, const struct site *site)
{
    g_autofree char *word = g_strndup(code->source->text + site->order.offset, site->order.length);
    return !site->ordered || g_str_has_suffix(word, "seq_cst");
}

static void collect_call(struct collecting *c, const struct cpp_expr *expr)
{
    struct site site;
    const struct cpp_expr *callee = expr->kids[0];
    bool known = site_of(c->code->arena, c->code->source, expr->span, &site);
    char class = known ? call_class(expr, &site) : 0;
    if (callee->kind == CPP_MEMBER)
        collect_place(c, callee->kids[0]);
    for (uint32_t i = 1; i < expr->kid_count; i++)
        collect(c, expr->kids[i]);
    if (class && known && site.kind == SITE_METHOD && is_seq_cst(c->code, &site))
        add_site(c, expr, 'f');
    if (class)
        add_site(c, expr, class);
}

static void collect(struct collecting *c, const struct cpp_expr *expr)
{
    if (expr->kind == CPP_CALL)
        collect_call(c, expr);
    else if (expr->kind == CPP_ASSIGNMENT || is_step(expr))
        collect_write(c, expr);
    else if (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND)
        collect_place(c, expr->kids[0]);
    else if (is_memory(c, expr)) {
        collect_place(c, expr);
        add_site(c, expr, 'l');
    } else
        for (uint32_t i = 0; i < expr->kid_count; i++)
            collect(c, expr->kids[i]);
}

static void collect_declaration(struct collecting *c, const struct cpp_declarator *one)
{
    const char *word = one->type->kind == CPP_TYPE_NAMED ? cpp_plain_word(&one->type->name) : NULL;
    bool refers =
        one->type->kind == CPP_TYPE_REFERENCE || (word && strcmp(word, "atomic_ref") == 0);
    if (one->value)
        (refers ? collect_place : collect)(c, one->value);
    for (uint32_t i = 0; i < one->given_count; i++)
        (refers ? collect_place : collect)(c, one->given[i]);
}

static void collect_stmt(struct collecting *c, const struct cpp_stmt *stmt)
{
    if (stmt->kind == CPP_DECLARATION)
        for (uint32_t i = 0; i < stmt->declarator_count; i++)
            collect_declaration(c, &stmt->declarators[i]);
    else if (stmt->value)
        collect(c, stmt->value);
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        collect_stmt(c, stmt->kids[i]);
}

/* Parses what is in the span: statements, or the expression of a head. */
static void parse_unit(struct code *code, uint32_t index)
{
    struct collecting c = {code, index};
    const struct code_unit *unit = &code->units.at[index];
    struct source *part = ARENA_NEW(code->arena, struct source);
    struct diag_list unheard = {.arena = code->arena};
    const struct statement *statement = &code->statements.items.at[unit->statement];
    uint32_t from = unit->span.offset, to = end_of(unit->span);
    bool head = statement->head || from != statement->span.offset;
    *part = *code->source;
    while (head && from < to && part->text[from] != '(')
        from++;
    while (head && to > from && part->text[to - 1] != ')')
        to--;
    part->length = head && to > from ? to - 1 : to;
    from += head;
    const struct cpp_stmt *stmt =
        head ? NULL : cpp_parse_statements(code->arena, part, &from, &unheard);
    const struct cpp_expr *expr =
        head ? cpp_parse_expression(code->arena, part, from, &unheard) : NULL;
    if (stmt)
        collect_stmt(&c, stmt);
    if (expr)
        collect(&c, expr);
}

/* ---- instructions --------------------------------------------------------------------------- */

static char class_of(const struct inst *inst)
{
    enum op_group group = op_group(inst->op);
    bool memory = inst->space != SPACE_PARAM && inst->space != SPACE_LOCAL;
    if (inst->op == OP_FENCE)
        return 'f';
    if (group == GROUP_CTA_BARRIER || inst->op == OP_BAR_WARP_SYNC)
        return 'b';
    if (group == GROUP_ACCESS)
        return !memory ? 0 : inst->op == OP_LD ? 'l' : inst->op == OP_ST ? 's' : 'a';
    bool ordered = op_row(inst->op)->role || group == GROUP_MBARRIER || group == GROUP_COPY ||
                   group == GROUP_GRID;
    return ordered ? 'o' : 0;
}

/* A kernel that is launched, or a function that one may call. */
static bool is_run(const struct test *test, uint32_t body)
{
    for (uint32_t i = 0; i < test->launch_count; i++)
        if (test->launches[i].kernel == body)
            return true;
    return test->bodies[body].function;
}

/* Does it come from another file, as what the line calls there, and has no order that a plain expression of an atomic
 * object could have given it? */
static bool is_called(const struct test *test, const struct code_line *own, const struct inst *inst)
{
    bool plain = inst->sem == SEM_WEAK || inst->flags & FLAG_VOLATILE;
    return op_group(inst->op) == GROUP_ACCESS && plain &&
           own != test_code_line(test, inst->span.offset);
}

static void read_insts(struct code *code, const char *file)
{
    const struct test *test = code->test;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; is_run(test, b) && i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            const struct code_line *line = own_line(test, file, inst);
            if (!class_of(inst) || !line)
                continue;
            bool called = is_called(test, line, inst);
            struct code_inst one = {&test->bodies[b], inst, line->line, class_of(inst),
                                    called,           NONE, NONE};
            read_function(code, line->line, line->column);
            vec_push(code->arena, &code->insts, one);
        }
}

static bool is_on_line(const struct code *code, const struct code_unit *unit, uint32_t line)
{
    struct span span = source_line(code->source, code->source->line_starts[line - 1]);
    return unit->span.offset <= end_of(span) && end_of(unit->span) > span.offset;
}

/* May the instruction come from the expression? */
static bool fits(const struct code_site *site, const struct code_inst *inst)
{
    enum site_kind kind = site->site.kind;
    bool plain = site->written && (kind == SITE_LOAD || kind == SITE_STORE || kind == SITE_UPDATE);
    return site->class == inst->class && !(inst->called && plain);
}

/* The site that fits and comes n-th on the line; NONE: there are not so many. '*count': how many there are. */
static uint32_t site_on_line(const struct code *code, const struct code_inst *inst, uint32_t n,
                             uint32_t *count)
{
    uint32_t found = NONE;
    *count = 0;
    for (uint32_t i = 0; i < code->sites.len; i++) {
        const struct code_site *site = &code->sites.at[i];
        if (!fits(site, inst) || !is_on_line(code, &code->units.at[site->unit], inst->line))
            continue;
        if ((*count)++ == n)
            found = i;
    }
    return found;
}

/* The one unit on the line, or NONE. */
static uint32_t only_unit(const struct code *code, uint32_t line)
{
    uint32_t found = NONE;
    for (uint32_t i = 0; i < code->units.len; i++)
        if (is_on_line(code, &code->units.at[i], line)) {
            if (found != NONE)
                return NONE;
            found = i;
        }
    return found;
}

/* How many instructions of its kind come from the line in its body, and how many of them before it. */
static uint32_t rank_of(const struct code *code, const struct code_inst *inst, uint32_t *before)
{
    uint32_t count = 0;
    *before = 0;
    for (uint32_t i = 0; i < code->insts.len; i++) {
        const struct code_inst *other = &code->insts.at[i];
        bool like = other->body == inst->body && other->line == inst->line &&
                    other->class == inst->class && other->called == inst->called;
        *before += like && other < inst;
        count += like;
    }
    return count;
}

/* A line that is compiled several times has so many times its instructions. */
static void place_inst(struct code *code, struct code_inst *inst)
{
    uint32_t before, count, all = rank_of(code, inst, &before);
    site_on_line(code, inst, 0, &count);
    inst->unit = only_unit(code, inst->line);
    if (!count || all % count)
        return;
    inst->site = site_on_line(code, inst, before % count, &count);
    inst->unit = code->sites.at[inst->site].unit;
}

bool code_read(struct arena *arena, const struct test *test, struct code *code)
{
    const char *file = first_file(test);
    *code = (struct code){.arena = arena, .test = test, .file = file};
    code->source = file ? find_source(arena, test, file) : NULL;
    if (!code->source)
        return false;
    read_insts(code, file);
    for (uint32_t i = 0; i < code->units.len; i++)
        parse_unit(code, i);
    for (uint32_t i = 0; i < code->insts.len; i++)
        place_inst(code, &code->insts.at[i]);
    return code->insts.len;
}
