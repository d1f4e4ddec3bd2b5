/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"

#include <string.h>

/* Calls of the CUDA runtime. The letters of host_call.def say what each argument is. */

/* ---- rows ----------------------------------------------------------------------------------- */

static const struct {
    const char *word, *row;
} synonyms[] = {
#define SYNONYM(word, row) {word, row},
#include "litmus/host/name.def"
};

const struct host_call_row *eval_runtime_row(const char *word)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(word, synonyms[i].word) == 0)
            word = synonyms[i].row;
    for (uint32_t i = 1; i < host_call_row_count; i++)
        if (strcmp(word, host_call_rows[i].name) == 0)
            return &host_call_rows[i];
    return NULL;
}

/* ---- objects -------------------------------------------------------------------------------- */

uint32_t eval_default_stream(const struct eval *e)
{
    return e->p->test->host->platform.per_thread_default_stream ? HOST_STREAM_PER_THREAD
                                                                : HOST_STREAM_LEGACY;
}

/* Two objects of one name are told apart by a number. */
static const char *unique_object(const struct eval *e, const char *name)
{
    const char *unique = name;
    for (uint32_t number = 2;; number++) {
        bool taken = false;
        for (uint32_t i = 0; i < e->p->host_objects.len; i++)
            taken = taken || strcmp(e->p->host_objects.at[i].name, unique) == 0;
        if (!taken)
            return unique;
        unique = arena_printf(e->arena, "%s$%u", name, number);
    }
}

static uint32_t add_object(struct eval *e, const char *name, struct span span,
                           enum host_object_kind kind)
{
    struct host_object object = {kind, unique_object(e, name), span};
    vec_push(e->arena, &e->p->host_objects, object);
    return e->p->host_objects.len - 1;
}

static bool check_kind(struct eval *e, uint32_t object, enum host_object_kind kind,
                       struct span span)
{
    enum host_object_kind is = e->p->host_objects.at[object].kind;
    if (is == kind)
        return true;
    eval_error(e, host_object, span, NULL, "'%s' is %s, not %s", eval_text(e, span),
               host_object_rows[is].name, host_object_rows[kind].name);
    return false;
}

static bool wrong_kind(struct eval *e, const struct code_value *value, enum host_object_kind kind,
                       struct span span)
{
    if (value->kind == VALUE_UNKNOWN)
        return eval_needs(e, value, span, host_object_rows[kind].name);
    eval_error(e, host_object, span, NULL, "'%s' is not %s", eval_text(e, span),
               host_object_rows[kind].name);
    return false;
}

/* "s" or "s[0]" that nothing declares: its cell. */
static struct code_cell *undeclared(struct eval *e, const struct cpp_expr *expr)
{
    const struct cpp_expr *root = expr->kind == CPP_INDEX ? expr->kids[0] : expr;
    const char *word = eval_word(root);
    uint32_t location;
    if (!word || e->is_file || eval_find(e, word) || eval_is_location(e, root, &location) ||
        names_get(&e->p->host_names, 0, word, strlen(word)) != NONE)
        return NULL;
    struct code_cell *cell = eval_made_by_use(e, word, true);
    uint64_t index;
    if (expr->kind != CPP_INDEX)
        return cell;
    return eval_known_number(e, expr->kids[1], "an index", &index) && index < MAX_ELEMENTS
               ? eval_part(e, cell, index)
               : NULL;
}

static bool is_bare_name(const struct cpp_expr *expr)
{
    return expr->kind == CPP_NAME || (expr->kind == CPP_INDEX && expr->kids[0]->kind == CPP_NAME);
}

/* What the conversion of an object gives. */
static bool converted_object(struct eval *e, struct code_value *value, enum host_object_kind kind,
                             struct span span)
{
    struct code_shape shape = {.kind = SHAPE_OBJECT, .object = kind};
    struct lvalue place;
    if (!eval_convert(e, value, &shape, span))
        return false;
    if (value->is_reference && value->kind == VALUE_CELL &&
        (!eval_pointed_to(e, value, 0, span, &place) || !eval_read(e, &place, span, value)))
        return false;
    if (value->kind == VALUE_NUMBER && !value->number && kind == HOST_STREAM) {
        *value = (struct code_value){.kind = VALUE_OBJECT, .object = eval_default_stream(e)};
        return true;
    }
    return value->kind == VALUE_OBJECT ? check_kind(e, value->object, kind, span)
                                       : wrong_kind(e, value, kind, span);
}

/* The object that the variable holds; one that no call makes is made by its first use. */
static bool object_in(struct eval *e, struct code_cell *cell, enum host_object_kind kind,
                      struct span span, uint32_t *object)
{
    if (cell->value.kind == VALUE_NOTHING && cell->shape->kind == SHAPE_STRUCT &&
        cell->shape->structure) {
        struct code_value value = {.kind = VALUE_CELL, .cell = cell, .is_object = true};
        if (!converted_object(e, &value, kind, span))
            return false;
        *object = value.object;
        return true;
    }
    if (cell->value.kind == VALUE_NOTHING) {
        cell->value = (struct code_value){.kind = VALUE_OBJECT};
        cell->value.object = add_object(e, cell->name, span, kind);
    }
    if (cell->value.kind == VALUE_NUMBER && !cell->value.number && kind == HOST_STREAM) {
        *object = eval_default_stream(e);
        return true;
    }
    if (cell->value.kind != VALUE_OBJECT)
        return wrong_kind(e, &cell->value, kind, span);
    *object = cell->value.object;
    return check_kind(e, *object, kind, span);
}

bool eval_object(struct eval *e, const struct cpp_expr *expr, enum host_object_kind kind,
                 uint32_t *object)
{
    struct code_value value;
    struct lvalue place;
    while (expr->kind == CPP_CAST ||
           (kind == HOST_NODE && expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND))
        expr = expr->kids[0];
    struct code_cell *cell = is_bare_name(expr) ? undeclared(e, expr) : NULL;
    const char *word = eval_word(expr);
    if (cell && word && strcmp(word, "NULL") == 0)
        cell = NULL;
    if (cell)
        return object_in(e, cell, kind, expr->span, object);
    if (is_bare_name(expr) || expr->kind == CPP_MEMBER ||
        (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_MUL)) {
        if (!eval_place_of(e, expr, &place))
            return false;
        if (place.cell)
            return object_in(e, place.cell, kind, expr->span, object);
        eval_error(e, host_object, expr->span, NULL, "'%s' is not %s", eval_text(e, expr->span),
                   host_object_rows[kind].name);
        return false;
    }
    if (!eval_value(e, expr, &value))
        return false;
    if (value.kind == VALUE_NUMBER && kind == HOST_STREAM && value.number <= 2) {
        *object = value.number == 2   ? HOST_STREAM_PER_THREAD
                  : value.number == 1 ? HOST_STREAM_LEGACY
                                      : eval_default_stream(e);
        return true;
    }
    if (eval_class_of(&value) && !converted_object(e, &value, kind, expr->span))
        return false;
    *object = value.object;
    return value.kind == VALUE_OBJECT ? check_kind(e, *object, kind, expr->span)
                                      : wrong_kind(e, &value, kind, expr->span);
}

static uint32_t *maker(struct eval *e, uint32_t object)
{
    while (e->made_by.len <= object)
        vec_push(e->arena, &e->made_by, NONE);
    return &e->made_by.at[object];
}

/* The variable whose address the call is given. */
static struct code_cell *given_cell(struct eval *e, const struct cpp_expr *expr,
                                    enum host_object_kind kind)
{
    struct code_value value;
    struct lvalue place;
    while (expr->kind == CPP_CAST)
        expr = expr->kids[0];
    if (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND && is_bare_name(expr->kids[0])) {
        struct code_cell *cell = undeclared(e, expr->kids[0]);
        if (cell)
            return cell;
    } else if (expr->kind == CPP_NAME && undeclared(e, expr)) {
        eval_error(e, host_object, expr->span, NULL, "expected '&' and a name: the call makes %s",
                   host_object_rows[kind].name);
        return NULL;
    }
    if (!eval_value(e, expr, &value))
        return NULL;
    if (value.kind != VALUE_CELL) {
        if (value.kind == VALUE_UNKNOWN)
            eval_needs(e, &value, expr->span, "a variable's address");
        else
            eval_error(e, host_object, expr->span, NULL,
                       "expected '&' and a name: the call makes %s", host_object_rows[kind].name);
        return NULL;
    }
    return eval_pointed_to(e, &value, 0, expr->span, &place) ? place.cell : NULL;
}

/* A call that makes an object twice makes another one. */
static bool made_object(struct eval *e, const struct cpp_expr *expr, enum host_object_kind kind,
                        uint32_t *object)
{
    const char *word = eval_word(expr);
    if (kind == HOST_GRAPH && word && strcmp(word, "NULL") == 0) { /* nobody names it */
        *object = add_object(e, "captured", expr->span, kind);
        return true;
    }
    struct code_cell *cell = given_cell(e, expr, kind);
    if (!cell)
        return false;
    bool has = cell->value.kind == VALUE_OBJECT;
    if (has && !check_kind(e, cell->value.object, kind, expr->span))
        return false;
    if (cell->shape->kind == SHAPE_OBJECT && cell->shape->object != kind) {
        eval_error(e, host_object, expr->span, NULL, "'%s' is %s, not %s", cell->name,
                   host_object_rows[cell->shape->object].name, host_object_rows[kind].name);
        return false;
    }
    if (!has || *maker(e, cell->value.object) == e->host) {
        cell->value = (struct code_value){.kind = VALUE_OBJECT};
        cell->value.object = add_object(e, cell->name, expr->span, kind);
    }
    *object = cell->value.object;
    *maker(e, *object) = e->host;
    return true;
}

/* ---- arguments ------------------------------------------------------------------------------ */

bool eval_memory_of(struct eval *e, const struct code_value *address, struct span span,
                    struct host_memory *to)
{
    if (address->kind != VALUE_ADDRESS) {
        if (address->kind == VALUE_UNKNOWN)
            return eval_needs(e, address, span, "an address");
        eval_error(e, host_argument, span, "declare it as memory: { u32 x; }",
                   "'%s' is no address of memory", eval_text(e, span));
        return false;
    }
    uint64_t unit = eval_unit(e, address->location);
    if (address->number % unit) {
        eval_error(e, host_argument, span, "declare the memory with smaller elements",
                   "'%s' is not the start of an element", eval_text(e, span));
        return false;
    }
    to->location = address->location;
    to->element = (uint32_t)(address->number / unit);
    if (address->number / unit <= MAX_ELEMENTS)
        return true;
    eval_error(e, host_argument, span, NULL, "'%s' is outside of the memory", eval_text(e, span));
    return false;
}

/* Unknown names are told as what they are not: locations. */
static bool memory_argument(struct eval *e, const struct cpp_expr *expr, struct host_memory *to)
{
    struct code_value address;
    const char *word = eval_word(expr);
    uint32_t location;
    if (word && !e->is_file && !eval_find(e, word) && !eval_is_location(e, expr, &location)) {
        eval_error(e, unknown_name, expr->span, "declare it between the first '{' and '}'",
                   "there is no location '%.60s'", word);
        return false;
    }
    return eval_address(e, expr, &address) && eval_convert(e, &address, NULL, expr->span) &&
           eval_memory_of(e, &address, expr->span, to);
}

static bool constant_argument(struct eval *e, const struct cpp_expr *expr,
                              enum host_constant *constant)
{
    struct code_value value;
    const char *word = eval_word(expr);
    bool named = false;
    for (uint32_t i = 1; word && i < HOST_CONSTANT_COUNT; i++)
        named = named || strcmp(word, host_constant_names[i]) == 0;
    if (word && !named && !eval_find(e, word)) {
        eval_error(e, host_argument, expr->span,
                   diag_hint(e->arena, word, strlen(word), host_constant_names + 1,
                             HOST_CONSTANT_COUNT - 1),
                   "'%s' is no constant of the runtime", word);
        return false;
    }
    if (!eval_value(e, expr, &value))
        return false;
    if (value.kind == VALUE_CONSTANT)
        *constant = value.constant;
    if (value.kind == VALUE_CONSTANT || (value.kind == VALUE_NUMBER && !value.number) ||
        value.kind == VALUE_CELL) /* of the variable there: exchange_mode */
        return true;
    eval_error(e, host_argument, expr->span, "write its name", "'%s' is no constant of the runtime",
               eval_text(e, expr->span));
    return false;
}

/* "{a, b}", "&a", an array or vector, NULL; 'count': the number that the call gives, or NONE. */
bool eval_node_list(struct eval *e, const struct cpp_expr *expr, uint32_t count,
                    struct host_call *call)
{
    VEC(uint32_t) nodes = {0};
    struct code_value list;
    uint32_t object;
    if (expr->kind == CPP_LIST) {
        for (uint32_t i = 0; i < expr->kid_count; i++) {
            const struct cpp_expr *kid = expr->kids[i];
            if (kid->kind == CPP_UNARY && kid->mark == CPP_MARK_AND)
                kid = kid->kids[0];
            if (!eval_object(e, kid, HOST_NODE, &object))
                return false;
            vec_push(e->arena, &nodes, object);
        }
    } else if (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND && count <= 1) {
        if (count == 1) {
            if (!eval_object(e, expr->kids[0], HOST_NODE, &object))
                return false;
            vec_push(e->arena, &nodes, object);
        }
    } else if (is_bare_name(expr) && undeclared(e, expr) && count == 1) {
        if (!eval_object(e, expr, HOST_NODE, &object))
            return false;
        vec_push(e->arena, &nodes, object);
    } else {
        if (!eval_value(e, expr, &list))
            return false;
        for (uint32_t i = 0; list.kind == VALUE_CELL && i < count; i++) {
            struct lvalue place;
            if (!eval_pointed_to(e, &list, i, expr->span, &place) || !place.cell ||
                !object_in(e, place.cell, HOST_NODE, expr->span, &object))
                return false;
            vec_push(e->arena, &nodes, object);
        }
        if (list.kind == VALUE_OBJECT)
            vec_push(e->arena, &nodes, list.object);
        else if (list.kind != VALUE_CELL && count)
            return wrong_kind(e, &list, HOST_NODE, expr->span);
    }
    call->dependencies = nodes.at;
    call->dependency_count = nodes.len;
    return true;
}

static bool number_argument(struct eval *e, const struct cpp_expr *expr, bool optional,
                            struct host_call *call, uint64_t *number)
{
    struct code_value value;
    if (!eval_value(e, expr, &value))
        return false;
    if (value.kind == VALUE_CONSTANT) {
        call->constant = value.constant;
        return true;
    }
    if (value.kind == VALUE_NUMBER || value.kind == VALUE_FLOAT) {
        *number = value.number;
        return true;
    }
    if (optional && value.kind != VALUE_REGISTER)
        return true; /* a place for messages */
    if (value.kind != VALUE_REGISTER)
        return eval_needs(e, &value, expr->span, "a number");
    eval_error(e, host_argument, expr->span, "compute it from constants",
               "'%s' must be known: it depends on what the program reads",
               eval_text(e, expr->span));
    return false;
}

/* A call on its way: the arguments that are left. */
struct given {
    struct host_call *call;
    const struct cpp_expr *const *at;
    uint32_t count;
    bool optional;
};

static bool data_behind(struct eval *e, const struct given *given, struct code_value *data)
{
    *data = eval_number(0, TYPE_U64);
    return given->count < 2 || eval_address(e, given->at[1], data);
}

/* "int **p", which points to a pointer of the caller. */
static bool points_to_variable(const struct eval *e, const struct cpp_expr *expr)
{
    const char *word = eval_word(expr);
    const struct code_cell *cell = word ? eval_find(e, word) : NULL;
    return cell && cell->value.kind == VALUE_CELL && cell->value.cell->shape->kind == SHAPE_POINTER;
}

static bool pointer_cell(struct eval *e, const struct cpp_expr *expr, struct code_cell **cell)
{
    struct code_value value;
    struct lvalue place;
    while (expr->kind == CPP_CAST)
        expr = expr->kids[0];
    *cell = NULL;
    if (expr->kind != CPP_UNARY || expr->mark != CPP_MARK_AND) {
        if (expr->kind == CPP_NAME && !points_to_variable(e, expr))
            return true;
        if (!eval_value(e, expr, &value))
            return false;
        if (value.kind == VALUE_CELL && eval_pointed_to(e, &value, 0, expr->span, &place))
            *cell = place.cell;
        return true;
    }
    uint32_t location;
    const struct cpp_expr *kid = expr->kids[0];
    if (kid->kind == CPP_NAME && eval_is_location(e, kid, &location))
        return true;
    const char *word = eval_word(kid);
    if (word && !eval_find(e, word))
        return true;
    if (!eval_place_of(e, kid, &place))
        return false;
    *cell = place.cell;
    return true;
}

enum { PITCH_BYTES = 512 };

/* cudaMallocPitch(&pointer, &pitch, width, height): writes the pitch. */
static bool pitched_size(struct eval *e, const struct given *given, uint64_t *bytes)
{
    struct code_value pointer, pitch;
    struct lvalue place;
    uint64_t width, height;
    const struct cpp_expr *out = given->at[1];
    if (!eval_known_number(e, given->at[2], "the bytes of a row", &width) ||
        !eval_known_number(e, given->at[3], "how many rows there are", &height))
        return false;
    pitch = eval_number((width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES, TYPE_U64);
    *bytes = pitch.number * height;
    return eval_value(e, out, &pointer) && eval_pointed_to(e, &pointer, 0, out->span, &place) &&
           eval_write(e, &place, &pitch, out->span);
}

static bool allocated_size(struct eval *e, const struct given *given, uint64_t *bytes)
{
    if (strcmp(given->call->row->name, "cudaMallocPitch") == 0 && given->count >= 4)
        return pitched_size(e, given, bytes);
    return given->count >= 2 &&
           eval_known_number(e, given->at[1], "the size of an allocation", bytes);
}

/* The memory that an allocation makes: what a pointer variable points to from now on, or a location. */
static bool allocation(struct eval *e, const struct given *given, struct host_memory *to)
{
    const struct host_call_row *row = given->call->row;
    const struct cpp_expr *expr = given->at[0];
    struct code_cell *cell;
    uint64_t bytes;
    if (!pointer_cell(e, expr, &cell))
        return false;
    if (!cell && !memory_argument(e, expr, to))
        return false;
    if (cell &&
        (!allocated_size(e, given, &bytes) ||
         !eval_allocate(e, cell, bytes, host_allocated_memory(row), expr->span, &to->location)))
        return false;
    struct location *location = &e->p->locations.at[to->location];
    if (row->class == HOST_CHANGES && location->memory == MEMORY_DEVICE && e->device)
        location->gpu = e->device;
    return true;
}

/* The memory that is a handle: declared in a test, or made for the variable. */
static bool handle(struct eval *e, const struct cpp_expr *expr, struct host_memory *to)
{
    struct code_cell *cell;
    if (!pointer_cell(e, expr, &cell))
        return false;
    if (!cell)
        return memory_argument(e, expr, to);
    to->location = eval_new_location(e, cell->name, TYPE_U64, 1, MEMORY_DEVICE, expr->span);
    cell->value = (struct code_value){.kind = VALUE_ADDRESS, .location = to->location};
    return true;
}

/* "&body", "{&then, &otherwise}": graphs that the node makes. */
static bool bodies(struct eval *e, const struct cpp_expr *expr, struct host_call *call)
{
    bool list = expr->kind == CPP_LIST;
    call->body_count = list ? expr->kid_count : 1;
    call->bodies = ARENA_ARRAY(e->arena, uint32_t, call->body_count);
    for (uint32_t i = 0; i < call->body_count; i++)
        if (!made_object(e, list ? expr->kids[i] : expr, HOST_GRAPH, &call->bodies[i]))
            return false;
    return true;
}

/* How many arguments behind the list of nodes their number stands: what is known of the edges may come between. */
static uint32_t behind_list(const struct host_call_row *row)
{
    const char *list = strchr(row->arguments, 'L');
    return (uint32_t)(strchr(list, 'd') - list);
}

static bool argument(struct eval *e, const struct host_argument *argument, struct given *given)
{
    const struct cpp_expr *expr = given->at[0];
    struct host_call *call = given->call;
    void *field = host_argument_field(argument, call);
    struct code_value data;
    uint32_t stream;
    uint64_t count = 1;
    switch (argument->kind) {
    case HOST_ARGUMENT_OBJECT:
        return argument->direction == HOST_MADE ? made_object(e, expr, argument->object, field)
                                                : eval_object(e, expr, argument->object, field);
    case HOST_ARGUMENT_MEMORY:
        return call->row->subject == HOST_SUBJECT_ALLOCATION ? allocation(e, given, field)
               : call->row->subject == HOST_SUBJECT_HANDLE   ? handle(e, expr, field)
                                                             : memory_argument(e, expr, field);
    case HOST_ARGUMENT_NUMBER:
        return number_argument(e, expr, given->optional, call, field) &&
               (field != &call->element || eval_element_size(e, call->element, expr->span));
    case HOST_ARGUMENT_CONSTANT:
        return constant_argument(e, expr, field);
    case HOST_ARGUMENT_FUNCTION:
        return data_behind(e, given, &data) &&
               eval_function_argument(e, expr, &data,
                                      strcmp(call->row->name, "cudaStreamAddCallback") == 0, field);
    case HOST_ARGUMENT_KERNEL:
        if (expr->kind == CPP_LAUNCH)
            return eval_launch(e, expr, field, &stream);
        return eval_value(e, expr, &data) &&
               (data.kind == VALUE_CELL
                    ? eval_launch_parameters(e, data.cell, expr->span, field)
                    : eval_needs(e, &data, expr->span, "a launch: K<<<1, 1>>>()"));
    case HOST_ARGUMENT_NODES:
        if (expr->kind != CPP_LIST && given->count > behind_list(call->row) &&
            !eval_known_number(e, given->at[behind_list(call->row)], "how many nodes are listed",
                               &count))
            return false;
        return eval_node_list(e, expr, (uint32_t)count, call);
    case HOST_ARGUMENT_BODIES:
        return bodies(e, expr, call);
    case HOST_ARGUMENT_COUNT:
    case HOST_ARGUMENT_IGNORED:
        return true;
    }
    return false;
}

/* As the letters of the call's row say; those behind '?' may be left out. */
static bool arguments(struct eval *e, const struct cpp_expr *expr, struct host_call *call)
{
    struct given given = {call, expr->kids + 1, expr->kid_count - 1, false};
    const struct cpp_expr *thirteen[4]; /* CUDA 13 has flags before the stream */
    if (given.count == 5 && strcmp(call->row->name, "cudaMemPrefetchAsync") == 0) {
        memcpy(thirteen, given.at, sizeof thirteen);
        thirteen[3] = given.at[4];
        given.at = thirteen;
        given.count = 4;
    }
    for (const char *letter = call->row->arguments; *letter; letter++) {
        if (*letter == '?') {
            given.optional = true;
            continue;
        }
        if (!given.count && given.optional)
            return true;
        if (!given.count) {
            eval_error(e, host_argument, expr->span, NULL, "'%s' takes more arguments",
                       call->row->name);
            return false;
        }
        if (!argument(e, host_argument(*letter), &given))
            return false;
        given.at++;
        given.count--;
    }
    if (!given.count)
        return true;
    eval_error(e, host_argument, given.at[0]->span, NULL, "'%s' takes fewer arguments",
               call->row->name);
    return false;
}

/* ---- nodes whose parameters are a structure ------------------------------------------------- */

/* The last argument is the address of a structure, as the runtime has it, behind those that name the node. */
static bool structured(struct eval *e, const struct cpp_expr *expr, struct host_call *call,
                       bool *found)
{
    enum host_subject subject = call->row->subject;
    bool node = call->row->class == HOST_ADDS || call->row->class == HOST_SETS;
    size_t before = node ? strcspn(call->row->arguments, "th") : 0;
    bool fits = node && expr->kid_count == before + 2 &&
                (subject == HOST_SUBJECT_SET || subject == HOST_SUBJECT_COPY ||
                 subject == HOST_SUBJECT_ALLOCATION || subject == HOST_SUBJECT_FUNCTION);
    const struct cpp_expr *last = expr->kids[expr->kid_count - 1];
    struct code_value value;
    *found = false;
    if (!fits || last->kind != CPP_UNARY || last->mark != CPP_MARK_AND)
        return true;
    *found = true;
    struct given given = {call, expr->kids + 1, expr->kid_count - 1, false};
    for (size_t i = 0; i < before; i++, given.at++, given.count--)
        if (!argument(e, host_argument(call->row->arguments[i]), &given))
            return false;
    if (!eval_value(e, last, &value))
        return false;
    if (value.kind != VALUE_CELL)
        return eval_needs(e, &value, last->span, "the address of a structure");
    return eval_node_parameters(e, value.cell, last->span, call);
}

/* ---- calls ---------------------------------------------------------------------------------- */

struct host_call eval_blank_call(const struct eval *e, const struct host_call_row *row)
{
    return (struct host_call){.row = row,
                              .host = e->host,
                              .stream = NONE,
                              .event = NONE,
                              .other_event = NONE,
                              .graph = NONE,
                              .exec = NONE,
                              .node = NONE,
                              .other_node = NONE,
                              .child = NONE,
                              .to = {NONE, 0},
                              .from = {NONE, 0},
                              .function = NONE,
                              .waits = NONE,
                              .launch = NONE};
}

/* A call that every later one depends on, where a run of the program may not come. */
static bool is_refused_in_branch(const struct eval *e, const struct host_call *call)
{
    bool node = call->row->class == HOST_ENQUEUES && gap_is_capturing(e);
    return e->is_file && eval_is_conditional(e) &&
           (node || host_call_is_unconditional(&e->p->test->host->platform, call->row));
}

bool eval_add_call(struct eval *e, struct host_call call, bool used, struct span span,
                   struct code_value *to)
{
    bool asks = call.row->class == HOST_ASKS;
    struct raw_operand operands[2] = {{.kind = RAW_SINK, .span = span}};
    call.span = span;
    if (call.stream == NONE && call.row->stream == HOST_NEEDS_ANY)
        call.stream = eval_default_stream(e);
    *to = eval_number(HOST_RESULT_SUCCESS, TYPE_S32);
    if (e->is_dead)
        return true;
    if (e->left) {
        struct code_value unknown = gap_value(e->left, span);
        return eval_needs(e, &unknown, span, "a call");
    }
    if (is_refused_in_branch(e, &call)) {
        eval_error(e, host_unsupported, span, NULL, "%s in a branch is not modelled",
                   call.row->name);
        return false;
    }
    vec_push(e->arena, &e->p->host_calls, call);
    if (asks && used)
        operands[0] = eval_temporary(e, span);
    operands[1] = eval_number_operand(e->p->host_calls.len - 1, span);
    eval_emit(e, (struct raw_inst){.op = OP_HOST_CALL}, operands, 2, span);
    if (asks && used)
        *to = eval_in_register(operands[0], TYPE_S32);
    gap_spread(e);
    return true;
}

/* The offset in bytes of a copy to or from a symbol. */
static bool symbol_offset(struct eval *e, struct host_call *call, struct span span)
{
    bool to = strncmp(call->row->name, "cudaMemcpyToSymbol", 18) == 0;
    struct host_memory *symbol = to ? &call->to : &call->from;
    if ((!to && strncmp(call->row->name, "cudaMemcpyFromSymbol", 20) != 0) || !call->value)
        return true;
    struct code_value address = {.kind = VALUE_ADDRESS, .location = symbol->location};
    address.number = symbol->element * eval_unit(e, symbol->location) + call->value;
    call->value = 0;
    return eval_memory_of(e, &address, span, symbol);
}

/* The variable has the thread's mode from now on, and the thread its. */
static bool exchange_mode(struct eval *e, const struct cpp_expr *expr, struct host_call *call)
{
    struct code_value pointer;
    struct lvalue place;
    bool by_name = call->constant != HOST_CONSTANT_NONE;
    if (!by_name && (!eval_value(e, expr, &pointer) ||
                     !eval_pointed_to(e, &pointer, 0, expr->span, &place) || !place.cell))
        return false;
    if (!by_name && place.cell->value.kind != VALUE_CONSTANT)
        return eval_needs(e, &place.cell->value, expr->span, "a mode of captures");
    enum host_constant mode = by_name ? call->constant : place.cell->value.constant;
    if (!by_name)
        place.cell->value.constant = e->capture_mode ? e->capture_mode : HOST_CAPTURE_GLOBAL;
    e->capture_mode = call->constant = mode;
    return true;
}

/* How long it took nobody knows. */
static bool unknown_time(struct eval *e, const struct cpp_expr *expr)
{
    struct code_value time = {.kind = VALUE_UNKNOWN, .name = expr->span}, pointer;
    struct lvalue place;
    if (expr->kind == CPP_NAME && strcmp(eval_text(e, expr->span), "NULL") == 0)
        return true;
    return eval_value(e, expr, &pointer) && eval_pointed_to(e, &pointer, 0, expr->span, &place) &&
           eval_write(e, &place, &time, expr->span);
}

/* The graph that the node was added to. */
static uint32_t graph_of_node(const struct eval *e, uint32_t node)
{
    for (uint32_t i = e->p->host_calls.len; i-- > 0;)
        if (e->p->host_calls.at[i].row->class == HOST_ADDS && e->p->host_calls.at[i].node == node)
            return e->p->host_calls.at[i].graph;
    return NONE;
}

static void pin(struct eval *e, const struct host_call *call)
{
    if (call->to.location != NONE && strcmp(call->row->name, "cudaHostRegister") == 0 &&
        e->p->locations.at[call->to.location].memory == MEMORY_PAGEABLE)
        e->p->locations.at[call->to.location].memory = MEMORY_PINNED;
}

bool eval_runtime_call(struct eval *e, const struct cpp_expr *expr, const struct host_call_row *row,
                       bool used, struct code_value *to)
{
    if (eval_lists_edges(row, expr))
        return eval_edges(e, expr, row, used, to);
    struct host_call call = eval_blank_call(e, row);
    bool whole;
    if (!structured(e, expr, &call, &whole))
        return false;
    if (!whole && !arguments(e, expr, &call))
        return false;
    if (!symbol_offset(e, &call, expr->span))
        return false;
    if (host_call_is(&call, HOST_CHANGES, HOST_SUBJECT_DEVICE))
        e->device = (uint32_t)call.value;
    bool on_value = row->subject == HOST_SUBJECT_FUNCTION || row->subject == HOST_SUBJECT_HANDLE ||
                    row->subject == HOST_SUBJECT_CONDITION;
    if (on_value && call.to.location != NONE && !e->is_dead &&
        !eval_stream_value(e, expr->span, &call))
        return false;
    if (row->subject == HOST_SUBJECT_CAPTURE_MODE && !exchange_mode(e, expr->kids[1], &call))
        return false;
    if (row->subject == HOST_SUBJECT_ELAPSED && !unknown_time(e, expr->kids[1]))
        return false;
    if (row->subject == HOST_SUBJECT_CAPTURE_STATUS && !eval_tell_capture(e, expr, call.stream))
        return false;
    if (row->subject == HOST_SUBJECT_REGISTRATION)
        pin(e, &call);
    if ((row->class == HOST_SETS && call.exec == NONE) || row->subject == HOST_SUBJECT_NO_NODE)
        call.graph = graph_of_node(e, call.node);
    return eval_add_call(e, call, used, expr->span, to);
}
