/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* What calls of the runtime are given. The letters of host_call.def say what each argument is. */

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
    } else if (eval_is_bare_name(expr) && eval_undeclared(e, expr) && count == 1) {
        if (!eval_object(e, expr, HOST_NODE, &object))
            return false;
        vec_push(e->arena, &nodes, object);
    } else {
        if (!eval_value(e, expr, &list))
            return false;
        for (uint32_t i = 0; list.kind == VALUE_CELL && i < count; i++) {
            struct lvalue place;
            if (!eval_pointed_to(e, &list, i, expr->span, &place) || !place.cell ||
                !eval_object_in(e, place.cell, HOST_NODE, expr->span, &object))
                return false;
            vec_push(e->arena, &nodes, object);
        }
        if (list.kind == VALUE_OBJECT)
            vec_push(e->arena, &nodes, list.object);
        else if (list.kind != VALUE_CELL && count)
            return eval_wrong_kind(e, &list, HOST_NODE, expr->span);
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
        if (!eval_made_object(e, list ? expr->kids[i] : expr, HOST_GRAPH, &call->bodies[i]))
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
        return argument->direction == HOST_MADE ? eval_made_object(e, expr, argument->object, field)
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
bool eval_call_arguments(struct eval *e, const struct cpp_expr *expr, struct host_call *call)
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

/* The last argument is the address of a structure, as the runtime has it, behind those that name the node. */
bool eval_structured(struct eval *e, const struct cpp_expr *expr, struct host_call *call,
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
