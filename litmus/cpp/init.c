/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/threads.h"

/* The initial state of a test in C++: "{ int x = 0; cuda::atomic<int> f = 0; P0:r0 = 1; }". */

enum { MOST_ELEMENTS = 1 << 20, MOST_OWNER = 1 << 20 };

struct cpp_code cpp_new_code(struct cpp_reader *reader, const char *name)
{
    struct cpp_code code = {.arena = reader->p.arena,
                            .source = reader->p.source,
                            .diags = reader->p.diags,
                            .program = reader->program,
                            .name = name,
                            .reader = reader,
                            .kernel = NONE,
                            .scope.arena = reader->p.arena,
                            .reg_names = ARENA_NEW(reader->p.arena, struct names),
                            .break_to = NONE,
                            .continue_to = NONE};
    code.reg_names->arena = reader->p.arena;
    code.end = cpp_new_aim(&code);
    return code;
}

bool cpp_expect_count(struct cpp_parser *p, const char *what, uint64_t most, uint32_t *value)
{
    if (p->token.kind != CPP_TOKEN_NUMBER) {
        cpp_unexpected(p, what);
        return false;
    }
    if (p->token.value > most) {
        cpp_error(p, number_out_of_range, p->token.span, NULL, "%s is at most %llu", what,
                  (unsigned long long)most);
        return false;
    }
    *value = (uint32_t)p->token.value;
    cpp_advance(p);
    return true;
}

bool cpp_thread_number(const struct cpp_reader *reader, struct span word, uint32_t *number)
{
    const char *text = reader->p.source->text + word.offset;
    uint32_t i = word.length > 1 && text[0] == 'P';
    uint64_t value = 0;
    if (i == word.length || word.length > 7 || (text[i] == '0' && word.length - i > 1))
        return false;
    for (; i < word.length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    *number = (uint32_t)value;
    return true;
}

/* ---- constants ------------------------------------------------------------------------------ */

bool cpp_constant(struct cpp_reader *reader, const struct cpp_expr *expr, struct cpp_operand *to)
{
    struct cpp_code code = cpp_new_code(reader, "the initial state");
    if (!cpp_lower_value(&code, expr, to))
        return false;
    if (!code.insts.len && to->form != CPP_FORM_REGISTER)
        return true;
    cpp_error(&reader->p, cpp_type, expr->span, NULL, "this is no constant");
    return false;
}

static struct location_init as_init(const struct cpp_operand *value)
{
    bool address = value->form == CPP_FORM_ADDRESS;
    return (struct location_init){value->bits, address ? value->location : NONE};
}

static void set_value(struct cpp_reader *reader, const struct cpp_pending *pending)
{
    struct cpp_kind kind = reader->program->kinds.at[pending->location];
    struct location *location = &reader->program->locations.at[pending->location];
    struct cpp_operand value;
    struct cpp_code code = cpp_new_code(reader, location->name);
    if (!cpp_constant(reader, pending->value, &value))
        return;
    kind.is_barrier = false; /* its fields are integers */
    if (!kind.is_pointer && value.form == CPP_FORM_NUMBER &&
        cpp_fit(value.bits, kind.type) != value.bits)
        cpp_error(&reader->p, number_out_of_range, pending->value->span, NULL,
                  "the number does not fit the %u bits of '%s'", 8 * type_bytes(kind.type),
                  location->name);
    else if (cpp_convert(&code, &value, kind, pending->value->span))
        location->init[pending->element] = as_init(&value);
}

void cpp_finish_init(struct cpp_reader *reader)
{
    for (uint32_t i = 0; i < reader->pending.len; i++)
        set_value(reader, &reader->pending.at[i]);
}

/* ---- locations ------------------------------------------------------------------------------ */

static void no_values(struct location *location, struct arena *arena)
{
    location->initialized = true;
    location->init = ARENA_ARRAY(arena, struct location_init, location->elements);
    for (uint32_t i = 0; i < location->elements; i++)
        location->init[i].address_of = NONE;
}

/* "= 1", "= {1, 2}", "(1)", "{1}": they are computed when all names are known. */
static bool values(struct cpp_reader *reader, const struct cpp_declarator *one,
                   struct location *location)
{
    const struct cpp_expr *const *list = one->given ? one->given : one->value ? &one->value : NULL;
    uint32_t count = one->given ? one->given_count : one->value ? 1 : 0;
    if (one->value && one->value->kind == CPP_LIST) {
        list = one->value->kids;
        count = one->value->kid_count;
    }
    if (!location->elements)
        location->elements = count;
    if (count > location->elements || !location->elements) {
        cpp_error(&reader->p, bad_array, one->span, NULL, "%u initial values for %u elements",
                  count, location->elements);
        return false;
    }
    if (one->value || one->is_given)
        no_values(location, reader->p.arena);
    for (uint32_t i = 0; i < count; i++) {
        struct cpp_pending pending = {reader->program->locations.len, i, list[i]};
        vec_push(reader->p.arena, &reader->pending, pending);
    }
    return true;
}

/* The type of one element; '[]' leaves elements 0, for the values to say. */
static const struct cpp_type *array_size(struct cpp_reader *reader, const struct cpp_type *type,
                                         struct location *location)
{
    struct cpp_operand length = cpp_number(0, TYPE_S32);
    if (type->kind != CPP_TYPE_ARRAY)
        return type;
    location->array = true;
    location->elements = 0;
    if (type->to->kind == CPP_TYPE_ARRAY) {
        cpp_error(&reader->p, cpp_refused, type->span, "count the elements in one row",
                  "arrays of arrays are not read");
        return NULL;
    }
    if (!type->length)
        return type->to;
    if (!cpp_constant(reader, type->length, &length))
        return NULL;
    if (length.form != CPP_FORM_NUMBER || !length.bits || length.bits > MOST_ELEMENTS) {
        cpp_error(&reader->p, bad_array, type->length->span, NULL, "an array has 1 to %d elements",
                  MOST_ELEMENTS);
        return NULL;
    }
    location->elements = (uint32_t)length.bits;
    return type->to;
}

/* "cuda::barrier<cuda::thread_scope_block> b(2);", or one that init() makes. */
static bool barrier_values(struct cpp_reader *reader, const struct cpp_declarator *one,
                           struct location *location)
{
    if (location->array || one->given_count > 1 || one->value) {
        cpp_error(&reader->p, cpp_refused, one->span, "write how many arrive: b(2)",
                  "a barrier is declared by itself, with one number");
        return false;
    }
    location->array = true;
    location->elements = BARRIER_FIELDS;
    if (one->given_count)
        no_values(location, reader->p.arena);
    for (uint32_t i = 0; one->given_count && i + 1 < BARRIER_FIELDS; i++) {
        struct cpp_pending pending = {reader->program->locations.len, i, one->given[0]};
        vec_push(reader->p.arena, &reader->pending, pending);
    }
    return true;
}

void cpp_add_location(struct cpp_reader *reader, const struct cpp_declarator *one,
                      struct location location)
{
    struct cpp_code code = cpp_new_code(reader, one->name);
    struct cpp_program *program = reader->program;
    struct cpp_kind kind;
    bool is_reference;
    const struct cpp_type *meant = cpp_meant(&code, one->type);
    if (meant->members) {
        cpp_add_members(reader, one, meant, location);
        return;
    }
    const struct cpp_type *type = array_size(reader, one->type, &location);
    if (!type || !cpp_kind_of(&code, type, &kind, &is_reference))
        return;
    if (is_reference || (kind.type == TYPE_NONE && !kind.is_pointer)) {
        cpp_error(&reader->p, cpp_type, one->span,
                  "declare the object, and refer to it in a thread", "'%s' is no object",
                  one->name);
        return;
    }
    if (!(kind.is_barrier ? barrier_values(reader, one, &location)
                          : values(reader, one, &location)))
        return;
    if (names_has(&program->location_names, location.kernel, one->name))
        cpp_error(&reader->p, duplicate_location, one->name_span, NULL,
                  "location '%s' is declared twice", one->name);
    location.name = one->name;
    location.span = one->name_span;
    location.type = kind.is_pointer ? TYPE_U64 : kind.type;
    names_put(&program->location_names, location.kernel, one->name, strlen(one->name),
              program->locations.len);
    vec_push(reader->p.arena, &program->locations, location);
    vec_push(reader->p.arena, &program->kinds, kind);
}

bool cpp_declare_shared(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    uint32_t errors = code->diags->errors;
    struct location location = test_location();
    location.space = SPACE_SHARED;
    location.declared = true;
    location.kernel = code->kernel;
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        if (one->value || one->given_count)
            code_error(code, cpp_refused, one->span, "let a thread write it",
                       "a __shared__ variable has no initial value");
        else
            cpp_add_location(code->reader, one, location);
    }
    return code->diags->errors == errors;
}

void cpp_add_pointed(struct cpp_reader *reader, const struct cpp_parameter *parameter)
{
    struct location location = test_location();
    const struct cpp_type *type = parameter->type;
    struct cpp_declarator one = {
        .name = parameter->name, .name_span = parameter->span, .span = parameter->span};
    if (type->kind != CPP_TYPE_POINTER ||
        names_has(&reader->program->location_names, NONE, one.name))
        return;
    one.type = type->to;
    location.declared = true;
    cpp_add_location(reader, &one, location);
}

/* ---- words around a declaration ------------------------------------------------------------- */

/* "shared", "__managed__" and their like, before a type or name. */
static bool placing_word(struct cpp_parser *p, struct location *location)
{
    static const struct {
        const char *word;
        enum space space;
        enum memory_kind memory;
    } rows[] = {
        {"shared", SPACE_SHARED, MEMORY_DEVICE},       {"__shared__", SPACE_SHARED, MEMORY_DEVICE},
        {"global", SPACE_GLOBAL, MEMORY_DEVICE},       {"__device__", SPACE_GLOBAL, MEMORY_DEVICE},
        {"__managed__", SPACE_GLOBAL, MEMORY_MANAGED}, {"managed", SPACE_GLOBAL, MEMORY_MANAGED},
        {"mapped", SPACE_GLOBAL, MEMORY_MAPPED},       {"pinned", SPACE_GLOBAL, MEMORY_PINNED},
        {"pageable", SPACE_GLOBAL, MEMORY_PAGEABLE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (cpp_at_word(p, rows[i].word) && cpp_next(p).kind == CPP_TOKEN_WORD) {
            location->space = rows[i].space;
            location->memory = rows[i].memory;
            cpp_advance(p);
            return true;
        }
    return false;
}

/* "@ cta 0, gpu 1": whose memory it is. */
static bool owner(struct cpp_parser *p, struct location *location)
{
    if (!cpp_accept(p, CPP_MARK_AT))
        return true;
    do {
        uint32_t *field = cpp_at_word(p, "cta")       ? &location->cta
                          : cpp_at_word(p, "cluster") ? &location->cluster
                          : cpp_at_word(p, "gpu")     ? &location->gpu
                                                      : NULL;
        if (!field) {
            cpp_error(p, unknown_placement, p->token.span,
                      "memory belongs to a cta, cluster or gpu; aliases are of tests in PTX",
                      "%s places nothing", cpp_token_text(p));
            return false;
        }
        cpp_advance(p);
        if (!cpp_expect_count(p, "its number", MOST_OWNER, field))
            return false;
    } while (cpp_accept(p, CPP_MARK_COMMA));
    return true;
}

/* "x = 1" without a type is an int; herd's tests in C write "[x] = 1" too. */
static struct cpp_stmt *untyped(struct cpp_parser *p)
{
    struct cpp_declarator *one = ARENA_NEW(p->arena, struct cpp_declarator);
    struct cpp_stmt *stmt = ARENA_NEW(p->arena, struct cpp_stmt);
    struct cpp_type *type = ARENA_NEW(p->arena, struct cpp_type);
    bool bracketed = cpp_accept(p, CPP_MARK_OPEN_INDEX);
    *type = (struct cpp_type){CPP_TYPE_INTEGER, .bytes = 4, .is_signed = true, .height = 1};
    type->span = one->name_span = p->token.span;
    one->type = type;
    if (!cpp_expect_word(p, "a declaration", &one->name) ||
        (bracketed && !cpp_expect(p, CPP_MARK_CLOSE_INDEX, "']'")))
        return NULL;
    if (cpp_accept(p, CPP_MARK_ASSIGN) && !(one->value = cpp_initializer(p)))
        return NULL;
    one->span = cpp_span_from(p, one->name_span);
    *stmt = (struct cpp_stmt){CPP_DECLARATION, .declarators = one, .declarator_count = 1};
    return stmt;
}

static bool declaration(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    struct location location = test_location();
    location.declared = true;
    while (placing_word(p, &location))
        ;
    const struct cpp_stmt *stmt = cpp_at_declaration(p) ? cpp_declaration(p) : untyped(p);
    if (!stmt || !owner(p, &location))
        return false;
    if (stmt->type)
        cpp_add_structure(reader, stmt);
    if (stmt->specifiers & CPP_SPECIFIER_CONSTEXPR) {
        cpp_add_constants(reader, stmt);
        return true;
    }
    for (uint32_t i = 0; i < stmt->declarator_count; i++)
        cpp_add_location(reader, &stmt->declarators[i], location);
    return true;
}

/* "P0:r0 = 1" */
static bool register_entry(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    struct cpp_register_entry entry = {.thread = p->token};
    cpp_advance(p);
    cpp_advance(p);
    entry.span = p->token.span;
    if (!cpp_expect_word(p, "the name of a register", &entry.name))
        return false;
    if (cpp_accept(p, CPP_MARK_ASSIGN) && !(entry.value = cpp_assignment(p)))
        return false;
    vec_push(p->arena, &reader->registers, entry);
    return true;
}

static bool entry(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    bool thread = p->token.kind == CPP_TOKEN_WORD || p->token.kind == CPP_TOKEN_NUMBER;
    if (cpp_at_naming(p) && cpp_keyword_at(p) != CPP_KEYWORD_STRUCT)
        return cpp_read_naming(reader);
    bool good =
        thread && cpp_next(p).mark == CPP_MARK_COLON ? register_entry(reader) : declaration(reader);
    return good && (cpp_at(p, CPP_MARK_CLOSE_BLOCK) ||
                    cpp_expect(p, CPP_MARK_SEMICOLON, "';' after the declaration"));
}

void cpp_read_init(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    if (!cpp_open(p, CPP_MARK_OPEN_BLOCK, "'{' and the initial state"))
        return;
    unsigned depth = p->depth, brackets = p->brackets;
    while (!cpp_at(p, CPP_MARK_CLOSE_BLOCK) && p->token.kind != CPP_TOKEN_END) {
        if (cpp_accept(p, CPP_MARK_SEMICOLON))
            continue;
        bool good = entry(reader);
        p->depth = depth;
        p->brackets = brackets;
        if (!good)
            cpp_recover(p);
    }
    cpp_close(p, CPP_MARK_CLOSE_BLOCK, "'}' after the initial state");
}
