/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Functions of the runtime and of C and C++ that order nothing. */

enum library_kind { LIBRARY_NOTHING, LIBRARY_UNKNOWN, LIBRARY_GIVES };
static const struct library_row {
    const char *word;
    enum library_kind kind;
    uint32_t index;
    uint64_t value;
} rows[] = {
#define NOTHING(word)             {word, LIBRARY_NOTHING, 0, 0},
#define UNKNOWN(word)             {word, LIBRARY_UNKNOWN, 0, 0},
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
           strncmp(word, "nvtx", 4) == 0 || strncmp(word, "sleep", 5) == 0 ||
           strcmp(word, "free") == 0 || strcmp(word, "fflush") == 0;
}

/* "malloc(bytes)": memory of its own; its type comes with the pointer that gets it. */
static bool allocate(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                     struct code_value *to)
{
    uint64_t bytes, size = 1;
    bool calloc = strcmp(word, "calloc") == 0;
    *found = strcmp(word, "malloc") == 0 || calloc;
    if (!*found)
        return false;
    if (expr->kid_count < 2 ||
        !eval_known_number(e, expr->kids[1], "the size of an allocation", &bytes) ||
        (calloc && !eval_known_number(e, expr->kids[2], "the size of an element", &size)))
        return false;
    *to = (struct code_value){.kind = VALUE_ADDRESS};
    to->location = eval_new_location(e, NULL, TYPE_NONE, bytes * size, MEMORY_PAGEABLE, expr->span);
    e->untyped = 1 + to->location;
    return true;
}

static bool ends(struct eval *e, const char *word, struct span span)
{
    bool is = strcmp(word, "exit") == 0 || strcmp(word, "abort") == 0 ||
              strcmp(word, "_exit") == 0 || strcmp(word, "quick_exit") == 0;
    if (is && e->branches) {
        eval_error(e, host_statement, span, "let the thread return",
                   "an exit that depends on what the program reads is not modelled");
        return false;
    }
    if (is)
        e->is_dead = true;
    return is;
}

static bool swap_or_move(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                         struct code_value *to)
{
    *found = (strcmp(word, "move") == 0 || strcmp(word, "ref") == 0 || strcmp(word, "cref") == 0 ||
              strcmp(word, "addressof") == 0) &&
             expr->kid_count == 2;
    if (!*found)
        return false;
    struct lvalue place;
    if (strcmp(word, "move") == 0)
        return eval_value(e, expr->kids[1], to);
    return eval_place_of(e, expr->kids[1], &place) && eval_point_to(e, &place, to);
}

static bool least_or_most(struct eval *e, const struct cpp_expr *expr, const char *word,
                          bool *found, struct code_value *to)
{
    bool least = strcmp(word, "min") == 0;
    uint64_t a, b;
    *found = (least || strcmp(word, "max") == 0) && expr->kid_count == 3;
    if (!*found)
        return false;
    if (!eval_known_number(e, expr->kids[1], "an argument", &a) ||
        !eval_known_number(e, expr->kids[2], "an argument", &b))
        return false;
    bool first = ((int64_t)a < (int64_t)b) == least;
    *to = eval_number(first ? a : b, TYPE_S64);
    return true;
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
    if (!eval_address(e, expr->kids[1], &to) ||
        !(set ? eval_known_number(e, expr->kids[2], "the byte", &value)
              : eval_address(e, expr->kids[2], &from)) ||
        !eval_known_number(e, expr->kids[3], "the number of bytes", &bytes))
        return false;
    if (to.kind != VALUE_ADDRESS || (!set && from.kind != VALUE_ADDRESS))
        return eval_needs(e, to.kind != VALUE_ADDRESS ? &to : &from, expr->span, "an address");
    uint64_t unit = eval_unit(e, to.location);
    for (uint64_t i = 0; i + unit <= bytes && i < MAX_ELEMENTS; i += unit) {
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

/* "cudaHostRegister(p, bytes, flags)": pageable memory becomes pinned. */
static bool registered(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found)
{
    struct host_memory memory;
    struct code_value address;
    *found = strcmp(word, "cudaHostRegister") == 0 && expr->kid_count > 1;
    if (!*found || !eval_address(e, expr->kids[1], &address) ||
        !eval_memory_of(e, &address, expr->span, &memory))
        return false;
    struct location *location = &e->p->locations.at[memory.location];
    if (location->memory == MEMORY_PAGEABLE)
        location->memory = MEMORY_PINNED;
    return true;
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

static bool elapsed(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found)
{
    struct code_value time = {.kind = VALUE_UNKNOWN, .name = expr->span};
    *found = strcmp(word, "cudaEventElapsedTime") == 0;
    return *found && give(e, expr, 0, &time);
}

static bool tabled(struct eval *e, const struct cpp_expr *expr, const struct library_row *row,
                   struct code_value *to)
{
    struct code_value value = eval_number(row->value, TYPE_S32);
    *to = eval_number(0, TYPE_S32);
    switch (row->kind) {
    case LIBRARY_NOTHING:
        return ignores_arguments(row->word) || read_arguments(e, expr);
    case LIBRARY_UNKNOWN:
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
    bool good = allocate(e, expr, word, found, to);
    if (!*found)
        good = swap_or_move(e, expr, word, found, to);
    if (!*found)
        good = least_or_most(e, expr, word, found, to);
    if (!*found)
        good = memory_function(e, expr, word, found);
    if (!*found)
        good = current_device(e, expr, word, found);
    if (!*found)
        good = other_pointer(e, expr, word, found);
    if (!*found)
        good = registered(e, expr, word, found);
    if (!*found)
        good = priorities(e, expr, word, found);
    if (!*found)
        good = elapsed(e, expr, word, found);
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
