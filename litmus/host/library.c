/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Functions of the runtime and of C and C++ that order nothing. */

enum library_kind {
    LIBRARY_NOTHING,
    LIBRARY_UNKNOWN,
    LIBRARY_COMPUTES,
    LIBRARY_TELLS,
    LIBRARY_GIVES
};
static const struct library_row {
    const char *word;
    enum library_kind kind;
    uint32_t index;
    uint64_t value;
} rows[] = {
#define NOTHING(word)             {word, LIBRARY_NOTHING, 0, 0},
#define UNKNOWN(word)             {word, LIBRARY_UNKNOWN, 0, 0},
#define COMPUTES(word)            {word, LIBRARY_COMPUTES, 0, 0},
#define TELLS(word)               {word, LIBRARY_TELLS, 0, 0},
#define GIVES(word, index, value) {word, LIBRARY_GIVES, index, value},
#include "litmus/host/name.def"
};

/* What is written to the variable that an argument points to. */
static bool give(struct eval *e, const struct cpp_expr *expr, uint32_t index,
                 const struct code_value *value)
{
    struct code_value pointer;
    struct lvalue place;
    if (expr->kid_count < index + 2)
        return true;
    return eval_value(e, expr->kids[index + 1], &pointer) &&
           eval_pointed_to(e, &pointer, 0, expr->span, &place) &&
           eval_write(e, &place, value, expr->span);
}

/* Arguments are read as C++ does: what a missing order lets them see is a race. */
static bool read_arguments(struct eval *e, const struct cpp_expr *expr)
{
    for (uint32_t i = 1; i < expr->kid_count; i++) {
        struct code_value value;
        const struct cpp_expr *kid = expr->kids[i];
        if (kid->kind == CPP_STRING || (kid->kind == CPP_UNARY && kid->mark == CPP_MARK_AND))
            continue;
        if (!eval_value(e, kid, &value))
            return false;
        if (value.kind == VALUE_REGISTER && value.operand.kind == RAW_TEMPORARY)
            eval_retarget(e, &value.operand, (struct raw_operand){.kind = RAW_SINK});
    }
    return true;
}

/* Structures and names that only the runtime knows. */
static bool ignores_arguments(const char *word)
{
    return strncmp(word, "cuda", 4) == 0 || strncmp(word, "fprintf", 7) == 0 ||
           strncmp(word, "nvtx", 4) == 0 || strncmp(word, "sdk", 3) == 0 ||
           strcmp(word, "findCudaDevice") == 0 || strcmp(word, "checkCmdLineFlag") == 0 ||
           strcmp(word, "getCmdLineArgumentInt") == 0 || strncmp(word, "sleep", 5) == 0 ||
           strcmp(word, "free") == 0 || strcmp(word, "fflush") == 0;
}

/* "malloc(bytes)": memory of its own; its type comes with the pointer that gets it. */
static bool allocate(struct eval *e, const struct cpp_expr *expr, bool *found,
                     struct code_value *to)
{
    uint64_t bytes;
    *found = eval_is_room(expr);
    if (!*found || !eval_room(e, expr, &bytes))
        return false;
    *to = (struct code_value){.kind = VALUE_ADDRESS};
    to->location = eval_new_location(e, NULL, TYPE_NONE, bytes, MEMORY_PAGEABLE, expr->span);
    e->untyped = 1 + to->location;
    return true;
}

/* No run comes there, or the program is undefined. */
static bool is_unreachable(const char *word)
{
    return strcmp(word, "__builtin_unreachable") == 0 || strcmp(word, "unreachable") == 0;
}

bool eval_ends(const char *word)
{
    return is_unreachable(word) || strcmp(word, "exit") == 0 || strcmp(word, "abort") == 0 ||
           strcmp(word, "_exit") == 0 || strcmp(word, "quick_exit") == 0;
}

bool eval_orders_nothing(const char *word)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0)
            return true;
    return eval_ends(word) || strcmp(word, "min") == 0 || strcmp(word, "max") == 0;
}

static bool ends(struct eval *e, const char *word, struct span span)
{
    bool is = eval_ends(word);
    if (is_unreachable(word)) {
        eval_undefined(e, span);
        return true;
    }
    if (is && e->branches && e->host != e->main_host) {
        eval_error(e, host_statement, span, "let the thread return",
                   "an exit that depends on what the program reads is not modelled");
        return false;
    }
    if (is && e->branches)
        eval_jump(e, e->leave_to, span); /* as if main returned here */
    if (is)
        e->is_dead = true;
    return is;
}

static bool swap_or_move(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                         struct code_value *to)
{
    *found = (strcmp(word, "move") == 0 || strcmp(word, "forward") == 0 ||
              strcmp(word, "ATOMIC_VAR_INIT") == 0 || strcmp(word, "ref") == 0 ||
              strcmp(word, "cref") == 0 || strcmp(word, "addressof") == 0) &&
             expr->kid_count == 2;
    if (!*found)
        return false;
    struct lvalue place;
    if (strcmp(word, "move") == 0 || strcmp(word, "forward") == 0 ||
        strcmp(word, "ATOMIC_VAR_INIT") == 0) {
        bool good = eval_value(e, expr->kids[1], to);
        bool rvalue = strcmp(word, "move") == 0 || to->is_temporary;
        to->is_moved = good && to->is_object && rvalue;
        to->is_temporary = false;
        return good;
    }
    return eval_place_of(e, expr->kids[1], &place) && eval_point_to(e, &place, to);
}

/* Each is what the other was: objects that are named from outside keep their places. */
static bool swap_objects(struct eval *e, struct code_cell *a, struct code_cell *b, struct span span)
{
    for (uint32_t i = 0; i < a->parts.len; i++) {
        struct code_cell *one = a->parts.at[i];
        struct code_cell *other = one->member ? eval_member(e, b, one->member) : eval_part(e, b, i);
        struct code_value values[2] = {one->value, other->value};
        if (one->parts.len || other->parts.len) {
            if (!swap_objects(e, one, other, span))
                return false;
            continue;
        }
        if (one->location != NONE || other->location != NONE) {
            eval_error(e, host_statement, span, "swap each member",
                       "objects with members in memory are not swapped");
            return false;
        }
        eval_keep_copy(e, &values[0], span);
        eval_keep_copy(e, &values[1], span);
        if (!eval_set(e, one, &values[1], span) || !eval_set(e, other, &values[0], span))
            return false;
    }
    return true;
}

/* As the library does, where classes say what moves do: "T t(move(a)); a = move(b); b = move(t);". */
static bool move_around(struct eval *e, struct code_value *a, struct code_value *b,
                        struct span span)
{
    struct code_cell *kept = eval_new_cell(e, "swapped", a->cell->shape);
    struct code_value third = {.kind = VALUE_CELL, .cell = kept, .is_object = true};
    a->is_moved = b->is_moved = third.is_moved = true;
    if (!eval_copy_object(e, kept, a, span) || !eval_assign_object(e, a->cell, b, span) ||
        !eval_assign_object(e, b->cell, &third, span))
        return false;
    eval_end_member(e, kept);
    return true;
}

/* "std::swap(a, b)" */
static bool swapped(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found)
{
    struct lvalue places[2];
    struct code_value values[2];
    *found = strcmp(word, "swap") == 0 && expr->kid_count == 3;
    for (uint32_t i = 0; *found && i < 2; i++) {
        if (!eval_place_of(e, expr->kids[1 + i], &places[i]) ||
            !eval_read(e, &places[i], expr->span, &values[i]))
            return false;
        eval_keep_copy(e, &values[i], expr->span);
    }
    if (*found && eval_class_of(&values[0]) && eval_class_of(&values[1]))
        return eval_is_class(e, values[0].cell->shape)
                   ? move_around(e, &values[0], &values[1], expr->span)
                   : swap_objects(e, values[0].cell, values[1].cell, expr->span);
    return *found && eval_write(e, &places[0], &values[1], expr->span) &&
           eval_write(e, &places[1], &values[0], expr->span);
}

/* "std::fill(p, p + n, x)", "std::fill_n(p, n, x)", "std::iota(p, p + n, x)": stores, one after the other. */
static bool filled(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found)
{
    struct code_value from, to, value, one = eval_number(1, TYPE_S32);
    bool counted = strcmp(word, "fill_n") == 0, counts = strcmp(word, "iota") == 0;
    uint64_t count;
    *found = (counted || counts || strcmp(word, "fill") == 0) && expr->kid_count == 4;
    if (!*found || !eval_address(e, expr->kids[1], &from))
        return false;
    if (from.kind != VALUE_ADDRESS && from.kind != VALUE_CELL)
        return eval_needs(e, &from, expr->span, "an address");
    if (counted ? !eval_known_number(e, expr->kids[2], "a number of elements", &count)
                : !eval_address(e, expr->kids[2], &to))
        return false;
    bool same = to.kind == from.kind &&
                (from.kind == VALUE_ADDRESS ? to.location == from.location : to.cell == from.cell);
    uint64_t unit = from.kind == VALUE_CELL ? 1 : eval_unit(e, from.location);
    if (!counted && !same)
        return eval_needs(e, &to, expr->span, "the end of the same memory");
    if (!counted)
        count = (to.number - from.number) / unit;
    if (!eval_value(e, expr->kids[3], &value))
        return false;
    for (uint64_t i = 0; i < count && i < MAX_ELEMENTS; i++) {
        struct lvalue place = {.location = from.location, .offset = from.number + i * unit};
        if (from.kind == VALUE_CELL && !eval_pointed_to(e, &from, i, expr->span, &place))
            return false;
        if (!eval_write(e, &place, &value, expr->span) ||
            (counts && !eval_binary(e, CPP_MARK_ADD, &value, &one, expr->span)))
            return false;
    }
    return true;
}

/* Members of cudaDeviceProp that programs ask about before they begin. */
static bool properties(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found)
{
    const struct host_platform *platform = &e->p->test->host->platform;
    const struct {
        const char *member;
        uint64_t value;
    } members[] = {{"major", 9},
                   {"minor", 0},
                   {"warpSize", 32},
                   {"multiProcessorCount", 132},
                   {"maxThreadsPerBlock", 1024},
                   {"asyncEngineCount", 3},
                   {"concurrentKernels", 1},
                   {"cooperativeLaunch", 1},
                   {"unifiedAddressing", 1},
                   {"canMapHostMemory", 1},
                   {"managedMemory", 1},
                   {"integrated", 0},
                   {"memoryPoolsSupported", 1},
                   {"streamPrioritiesSupported", 1},
                   {"concurrentManagedAccess", platform->concurrent_managed_access},
                   {"hostNativeAtomicSupported", platform->host_native_atomics}};
    struct code_value pointer;
    struct lvalue place;
    *found = strcmp(word, "cudaGetDeviceProperties") == 0 && expr->kid_count > 1;
    if (!*found || !eval_value(e, expr->kids[1], &pointer))
        return false;
    if (pointer.kind != VALUE_CELL || !eval_pointed_to(e, &pointer, 0, expr->span, &place) ||
        !place.cell)
        return true;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        eval_member(e, place.cell, members[i].member)->value =
            eval_number(members[i].value, TYPE_S32);
    return true;
}

static void clear(struct eval *e, struct code_cell *cell)
{
    for (uint32_t i = 0; i < cell->parts.len; i++)
        clear(e, cell->parts.at[i]);
    if (!cell->parts.len && cell->location == NONE)
        cell->value = (struct code_value){VALUE_NOTHING};
}

/* The variable "&params" or of a pointer "params"; or NULL. */
static struct code_cell *whole_variable(const struct eval *e, const struct cpp_expr *expr)
{
    bool address = expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND;
    const char *word = eval_word(address ? expr->kids[0] : expr);
    struct code_cell *cell = word ? eval_find(e, word) : NULL;
    if (!cell || address)
        return cell;
    return cell->value.kind == VALUE_CELL && !cell->value.number ? cell->value.cell : NULL;
}

/* "memset(&params, 0, sizeof(params))" of a structure of the runtime, whatever its size. */
static bool cleared(struct eval *e, const struct cpp_expr *expr, const struct cpp_expr *value)
{
    struct code_cell *cell = whole_variable(e, expr);
    if (value->kind != CPP_NUMBER || value->value || !cell || cell->shape->kind != SHAPE_STRUCT ||
        cell->shape->structure || !cell->shape->word || strncmp(cell->shape->word, "cuda", 4) != 0)
        return false;
    clear(e, cell);
    return true;
}

/* "memcpy(&a, &b, sizeof a)" of two variables of one type. */
static bool copy_variable(struct eval *e, const struct cpp_expr *expr, const struct code_value *to,
                          const struct code_value *from, uint64_t bytes)
{
    struct lvalue target, source;
    struct code_value value;
    if (!eval_pointed_to(e, to, 0, expr->span, &target) ||
        !eval_pointed_to(e, from, 0, expr->span, &source))
        return false;
    const struct code_shape *a = target.shape, *b = source.shape;
    bool same = a && b && a->kind == SHAPE_NUMBER && b->kind == SHAPE_NUMBER && a->type == b->type;
    if (!same || eval_size(e, a) != bytes)
        return eval_needs(e, to, expr->span, "a variable of the type of what is copied");
    return eval_read(e, &source, expr->span, &value) && eval_write(e, &target, &value, expr->span);
}

static bool memory_function(struct eval *e, const struct cpp_expr *expr, const char *word,
                            bool *found)
{
    bool set = strcmp(word, "memset") == 0;
    struct code_value to, from;
    uint64_t value = 0, bytes;
    *found = (set || strcmp(word, "memcpy") == 0) && expr->kid_count == 4;
    if (!*found)
        return false;
    if (set && cleared(e, expr->kids[1], expr->kids[2]))
        return true;
    if (!eval_address(e, expr->kids[1], &to) ||
        !(set ? eval_known_number(e, expr->kids[2], "the byte", &value)
              : eval_address(e, expr->kids[2], &from)) ||
        !eval_known_number(e, expr->kids[3], "the number of bytes", &bytes))
        return false;
    if (!set && to.kind == VALUE_CELL && from.kind == VALUE_CELL)
        return copy_variable(e, expr, &to, &from, bytes);
    if (to.kind != VALUE_ADDRESS || (!set && from.kind != VALUE_ADDRESS))
        return eval_needs(e, to.kind != VALUE_ADDRESS ? &to : &from, expr->span, "an address");
    uint64_t unit = eval_unit(e, to.location);
    if (bytes % unit || bytes / unit > MAX_ELEMENTS ||
        (!set && eval_unit(e, from.location) != unit)) {
        eval_error(e, host_argument, expr->kids[3]->span, "write whole elements",
                   "a part of an element, or more than %d of them, are not written", MAX_ELEMENTS);
        return false;
    }
    for (uint64_t i = 0; i < bytes; i += unit) {
        struct lvalue place = {.location = to.location, .offset = to.number + i};
        struct lvalue source = {.location = from.location, .offset = from.number + i};
        uint64_t repeated = (value & 0xff) * UINT64_C(0x0101010101010101);
        struct code_value stored = {.kind = VALUE_NUMBER, .type = TYPE_U64};
        stored.number = unit < 8 ? repeated & ((UINT64_C(1) << unit * 8) - 1) : repeated;
        if (!set && !eval_read(e, &source, expr->span, &stored))
            return false;
        if (!eval_write(e, &place, &stored, expr->span))
            return false;
    }
    return true;
}

/* "cudaHostGetDevicePointer(&d, h, 0)", "cudaGetSymbolAddress(&d, x)": the same memory. */
static bool other_pointer(struct eval *e, const struct cpp_expr *expr, const char *word,
                          bool *found)
{
    struct code_value address;
    *found = (strcmp(word, "cudaHostGetDevicePointer") == 0 ||
              strcmp(word, "cudaGetSymbolAddress") == 0) &&
             expr->kid_count > 2;
    return *found && eval_address(e, expr->kids[2], &address) && give(e, expr, 0, &address);
}

static bool current_device(struct eval *e, const struct cpp_expr *expr, const char *word,
                           bool *found)
{
    struct code_value device = eval_number(e->device, TYPE_S32);
    *found = strcmp(word, "cudaGetDevice") == 0;
    return *found && give(e, expr, 0, &device);
}

static bool priorities(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found)
{
    struct code_value least = eval_number(0, TYPE_S32), most = eval_number((uint64_t)-5, TYPE_S32);
    *found = strcmp(word, "cudaDeviceGetStreamPriorityRange") == 0;
    return *found && give(e, expr, 0, &least) && give(e, expr, 1, &most);
}

/* Variables whose addresses are given hold something from now on that nobody knows. */
static bool spoil(struct eval *e, const struct cpp_expr *expr)
{
    const struct code_value something = {.kind = VALUE_UNKNOWN, .name = expr->span};
    for (uint32_t i = 1; i < expr->kid_count; i++) {
        const struct cpp_expr *kid = expr->kids[i];
        struct lvalue place;
        while (kid->kind == CPP_CAST)
            kid = kid->kids[0];
        if (kid->kind == CPP_UNARY && kid->mark == CPP_MARK_AND &&
            (!eval_place_of(e, kid->kids[0], &place) ||
             !eval_write(e, &place, &something, expr->span)))
            return false;
    }
    return true;
}

static bool tabled(struct eval *e, const struct cpp_expr *expr, const struct library_row *row,
                   struct code_value *to)
{
    struct code_value value = eval_number(row->value, TYPE_S32);
    *to = eval_number(0, TYPE_S32);
    switch (row->kind) {
    case LIBRARY_NOTHING:
        return ignores_arguments(row->word) || read_arguments(e, expr);
    case LIBRARY_TELLS:
        return spoil(e, expr);
    case LIBRARY_COMPUTES:
    case LIBRARY_UNKNOWN:
        if (!spoil(e, expr) || (row->kind == LIBRARY_COMPUTES && !read_arguments(e, expr)))
            return false;
        *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = expr->span};
        return true;
    case LIBRARY_GIVES:
        return give(e, expr, row->index, &value);
    }
    return false;
}

bool eval_library(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                  struct code_value *to)
{
    *found = true;
    *to = eval_number(0, TYPE_S32);
    uint32_t errors = e->p->diags->errors;
    if (ends(e, word, expr->span))
        return true;
    if (e->p->diags->errors > errors)
        return false;
    bool good = allocate(e, expr, found, to);
    if (!*found)
        good = swap_or_move(e, expr, word, found, to);
    if (!*found)
        good = swapped(e, expr, word, found);
    if (!*found)
        good = filled(e, expr, word, found);
    if (!*found)
        good = properties(e, expr, word, found);
    if (!*found)
        good = eval_least_or_most(e, expr, word, found, to);
    if (!*found)
        good = eval_rounded(e, expr, word, found, to);
    if (!*found)
        good = eval_text_function(e, expr, word, found, to);
    if (!*found)
        good = memory_function(e, expr, word, found);
    if (!*found)
        good = current_device(e, expr, word, found);
    if (!*found)
        good = other_pointer(e, expr, word, found);
    if (!*found)
        good = priorities(e, expr, word, found);
    if (*found)
        return good;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0) {
            *found = true;
            return tabled(e, expr, &rows[i], to);
        }
    *found = false;
    return false;
}
