/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/gap.h"

/* Vectors and arrays: their size, their elements, and what changes them. */

static bool add_element(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                        bool emplace)
{
    const struct code_shape *of = cell->shape->of;
    struct code_value value;
    struct code_cell *part;
    struct cpp_declarator object = {.given = expr->kids + 1,
                                    .given_count = expr->kid_count - 1,
                                    .is_given = true,
                                    .span = expr->span};
    const struct cpp_expr *first = expr->kid_count > 1 ? expr->kids[1] : NULL;
    const char *made = first && first->kind == CPP_CALL ? eval_word(first->kids[0]) : NULL;
    bool is_made =
        !emplace || (made && (strstr(made, "thread") || strcmp(made, "async") == 0 ||
                              strcmp(made, "move") == 0)); /* emplace_back(std::thread(f)) */
    if (of && of->kind == SHAPE_THREAD && !is_made) {
        part = eval_part(e, cell, cell->parts.len);
        if (!eval_start_thread(e, expr, arena_printf(e->arena, "%s_%u", cell->name, part->id),
                               &value))
            return false;
        part->value = value.cell->value;
        return true;
    }
    bool structure = of && of->kind == SHAPE_STRUCT && of->structure && of->structure->is_own;
    if (structure || (of && eval_holds_objects(e, of)) || (first && first->kind == CPP_LIST)) {
        bool objects = eval_holds_objects(e, of ? of : cell->shape);
        object.is_braced = emplace && !objects;
        if (!emplace && first) {
            object = (struct cpp_declarator){.value = first, .span = expr->span};
            if (!objects && first->kind != CPP_LIST && first->kind != CPP_CALL && structure) {
                part = eval_part(e, cell, cell->parts.len); /* a copy */
                return eval_value(e, first, &value) && eval_set_object(e, part, &value, expr->span);
            }
        }
        cell->is_class = cell->is_class || objects;
        part = eval_part(e, cell, cell->parts.len);
        return (objects ? eval_make_object : eval_initialize)(e, part, &object);
    }
    if (emplace && of && (of->kind == SHAPE_VECTOR || of->kind == SHAPE_ARRAY))
        return eval_initialize(e, eval_part(e, cell, cell->parts.len), &object); /* a row */
    if (!first) { /* "emplace_back()" */
        eval_part(e, cell, cell->parts.len);
        return true;
    }
    if (expr->kid_count > 2) {
        eval_error(e, host_argument, expr->span, NULL, "an element has one value");
        return false;
    }
    return eval_value(e, first, &value) &&
           eval_set(e, eval_part(e, cell, cell->parts.len), &value, expr->span);
}

/* "v.resize(n)", "v.resize(n, x)": new elements are made as by "std::vector<T> v(n)". */
static bool resize(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell)
{
    uint64_t size;
    struct code_value value = eval_number(0, TYPE_S32);
    if (expr->kid_count < 2 || !eval_known_number(e, expr->kids[1], "the size of a vector", &size))
        return false;
    if (size > MAX_ELEMENTS) {
        eval_error(e, bad_array, expr->span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
        return false;
    }
    bool objects = cell->shape->of && eval_holds_objects(e, cell->shape->of);
    bool numbers = cell->shape->of && (cell->shape->of->kind == SHAPE_NUMBER ||
                                       cell->shape->of->kind == SHAPE_POINTER);
    const struct cpp_declarator blank = {.span = expr->span};
    if (expr->kid_count > 2 && !eval_value(e, expr->kids[2], &value))
        return false;
    while (cell->parts.len > size) {
        eval_end_member(e, cell->parts.at[cell->parts.len - 1]);
        cell->parts.len--;
    }
    cell->is_class = cell->is_class || objects;
    while (cell->parts.len < size) {
        struct code_cell *part = eval_part(e, cell, cell->parts.len);
        bool good = objects                          ? eval_make_object(e, part, &blank)
                    : numbers || expr->kid_count > 2 ? eval_set(e, part, &value, expr->span)
                                                     : true;
        if (!good)
            return false;
    }
    return true;
}

/* Where an iterator of the vector points. */
static bool position(struct eval *e, const struct cpp_expr *expr, const struct code_cell *cell,
                     uint32_t *at)
{
    struct code_value pointer;
    if (!eval_value(e, expr, &pointer))
        return false;
    *at = (uint32_t)pointer.number;
    return (pointer.kind == VALUE_CELL && pointer.cell == cell && *at <= cell->parts.len) ||
           eval_needs(e, &pointer, expr->span, "an iterator of the vector");
}

/* The last 'count' elements come to stand before element 'at'. */
static void rotate(struct eval *e, struct code_cell *cell, uint32_t at, uint32_t count)
{
    uint32_t kept = cell->parts.len - count;
    struct code_cell **moved = ARENA_ARRAY(e->arena, struct code_cell *, count);
    for (uint32_t i = 0; i < count; i++)
        moved[i] = cell->parts.at[kept + i];
    for (uint32_t i = kept; i-- > at;)
        cell->parts.at[i + count] = cell->parts.at[i];
    for (uint32_t i = 0; i < count; i++)
        cell->parts.at[at + i] = moved[i];
}

/* Elements from 'first' to 'last', two iterators, are added to the end. */
bool eval_add_range(struct eval *e, struct code_cell *cell, const struct cpp_expr *first,
                    const struct cpp_expr *last)
{
    struct code_value from, to, one = eval_number(1, TYPE_S32), element;
    if (!eval_value(e, first, &from) || !eval_value(e, last, &to))
        return false;
    if (from.kind != to.kind || (from.kind != VALUE_CELL && from.kind != VALUE_ADDRESS))
        return eval_needs(e, &from, first->span, "an iterator");
    for (uint32_t i = 0; !eval_same_value(&from, &to) && i < MAX_ELEMENTS; i++) {
        struct lvalue place;
        if (!eval_pointed_to(e, &from, 0, first->span, &place) ||
            !eval_read(e, &place, first->span, &element) ||
            !eval_set(e, eval_part(e, cell, cell->parts.len), &element, first->span) ||
            !eval_binary(e, CPP_MARK_ADD, &from, &one, first->span))
            return false;
    }
    return true;
}

/* "v.insert(at, x)", "v.insert(at, first, last)", "v.emplace(at, …)" */
static bool insert(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                   struct code_value *to)
{
    bool emplace = strcmp(cpp_last_part(&expr->kids[0]->name)->word, "emplace") == 0;
    uint32_t at, before = cell->parts.len;
    struct cpp_expr rest = *expr;
    if (expr->kid_count < 2 || !position(e, expr->kids[1], cell, &at))
        return false;
    rest.kids = ARENA_ARRAY(e->arena, const struct cpp_expr *, expr->kid_count - 1);
    rest.kid_count = expr->kid_count - 1;
    rest.kids[0] = expr->kids[0];
    for (uint32_t i = 2; i < expr->kid_count; i++)
        rest.kids[i - 1] = expr->kids[i];
    bool range = expr->kid_count == 4 && !emplace;
    if (!(range ? eval_add_range(e, cell, expr->kids[2], expr->kids[3])
                : add_element(e, &rest, cell, emplace)))
        return false;
    rotate(e, cell, at, cell->parts.len - before);
    to->number = at;
    return true;
}

/* "v.erase(at)", "v.erase(first, last)" */
static bool erase(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                  struct code_value *to)
{
    uint32_t from, until;
    if (expr->kid_count < 2 || !position(e, expr->kids[1], cell, &from))
        return false;
    until = from + 1;
    if (expr->kid_count == 3 && !position(e, expr->kids[2], cell, &until))
        return false;
    if (until < from || until > cell->parts.len)
        return eval_needs(e, to, expr->span, "an element of the vector");
    for (uint32_t i = from; i < until; i++)
        eval_end_member(e, cell->parts.at[i]);
    for (uint32_t i = until; i < cell->parts.len; i++)
        cell->parts.at[from + i - until] = cell->parts.at[i];
    cell->parts.len -= until - from;
    to->number = from;
    return true;
}

/* "v.assign(n, x)", "v.assign(first, last)" */
static bool assign(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell)
{
    struct code_value first = {0};
    uint32_t insts = parse_body(e->p)->insts.len;
    if (expr->kid_count != 3 || !eval_value(e, expr->kids[1], &first) ||
        parse_body(e->p)->insts.len != insts)
        return eval_needs(e, &first, expr->span, "a number of elements, or two iterators");
    uint32_t before = cell->parts.len;
    bool number = first.kind == VALUE_NUMBER;
    for (uint32_t i = 0; i < before; i++)
        eval_end_member(e, cell->parts.at[i]);
    if (number)
        cell->parts.len = 0;
    if (number)
        return resize(e, expr, cell);
    if (!eval_add_range(e, cell, expr->kids[1], expr->kids[2]))
        return false;
    for (uint32_t i = before; i < cell->parts.len; i++)
        cell->parts.at[i - before] = cell->parts.at[i];
    cell->parts.len -= before;
    return true;
}

/* "v.swap(w)" */
static bool swap_lists(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell)
{
    struct lvalue other;
    struct code_value value = {.kind = VALUE_CELL, .cell = cell};
    if (expr->kid_count != 2 || !eval_place_of(e, expr->kids[1], &other) || !other.cell ||
        other.cell->shape->kind != SHAPE_VECTOR || cell->host != other.cell->host)
        return eval_needs(e, &value, expr->span, "a vector to swap with");
    if (!eval_take_to_set(e, other.cell, expr->span))
        return false;
    struct code_cell kept = *cell;
    cell->parts = other.cell->parts;
    other.cell->parts = kept.parts;
    return true;
}

static uint64_t size_of(const struct code_cell *cell)
{
    return cell->shape->kind == SHAPE_ARRAY ? cell->shape->count : cell->parts.len;
}

/* "v.at(i)", "v.front()", "v.back()" */
static bool element(struct eval *e, const struct cpp_expr *expr, const struct code_cell *cell,
                    uint64_t index, struct code_value *to)
{
    uint64_t size = size_of(cell);
    if (expr->kid_count == 2 && !eval_known_number(e, expr->kids[1], "an index", &index))
        return false;
    if (index >= size) {
        eval_error(e, number_out_of_range, expr->span, NULL, "'%s' has %u element%s", cell->name,
                   (unsigned)size, size == 1 ? "" : "s");
        return false;
    }
    to->number = index;
    return true;
}

static void remove_element(struct eval *e, struct code_cell *cell, uint32_t at)
{
    eval_end_member(e, cell->parts.at[at]);
    for (uint32_t i = at + 1; i < cell->parts.len; i++)
        cell->parts.at[i - 1] = cell->parts.at[i];
    cell->parts.len--;
}

static bool append(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                   bool emplace, struct code_value *to)
{
    bool good = add_element(e, expr, cell, emplace);
    to->number = cell->parts.len - 1;
    return good;
}

static bool no_method(struct eval *e, const struct cpp_expr *expr, const char *word)
{
    eval_error(e, host_statement, expr->span, NULL,
               "a vector has size, data, push_back, emplace_back, pop_back, insert, erase, assign, "
               "swap, resize, clear, at, front and back, not '%.60s'",
               word);
    return false;
}

enum vector_method {
    VECTOR_NO_METHOD,
    VECTOR_BEGIN,
    VECTOR_END,
    VECTOR_SIZE,
    VECTOR_EMPTY,
    VECTOR_FIRST,
    VECTOR_LAST,
    VECTOR_LAST_READING = VECTOR_LAST, /* those below change the vector */
    VECTOR_CLEAR,
    VECTOR_RESERVE,
    VECTOR_INSERT,
    VECTOR_ERASE,
    VECTOR_ASSIGN,
    VECTOR_SWAP,
    VECTOR_RESIZE,
    VECTOR_POP_FRONT,
    VECTOR_POP_BACK,
    VECTOR_PUSH_FRONT,
    VECTOR_PUSH_BACK,
    VECTOR_EMPLACE_BACK
};

static enum vector_method method_named(const char *word)
{
    static const struct {
        const char *word;
        enum vector_method method;
    } rows[] = {{"data", VECTOR_BEGIN},
                {"begin", VECTOR_BEGIN},
                {"cbegin", VECTOR_BEGIN},
                {"end", VECTOR_END},
                {"cend", VECTOR_END},
                {"size", VECTOR_SIZE},
                {"empty", VECTOR_EMPTY},
                {"at", VECTOR_FIRST},
                {"front", VECTOR_FIRST},
                {"back", VECTOR_LAST},
                {"clear", VECTOR_CLEAR},
                {"reserve", VECTOR_RESERVE},
                {"shrink_to_fit", VECTOR_RESERVE},
                {"insert", VECTOR_INSERT},
                {"emplace", VECTOR_INSERT},
                {"erase", VECTOR_ERASE},
                {"assign", VECTOR_ASSIGN},
                {"swap", VECTOR_SWAP},
                {"resize", VECTOR_RESIZE},
                {"pop_front", VECTOR_POP_FRONT},
                {"pop_back", VECTOR_POP_BACK},
                {"push_front", VECTOR_PUSH_FRONT},
                {"push_back", VECTOR_PUSH_BACK},
                {"emplace_back", VECTOR_EMPLACE_BACK}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0)
            return rows[i].method;
    return VECTOR_NO_METHOD;
}

static bool read_vector(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                        enum vector_method method, struct code_value *to)
{
    uint64_t size = size_of(cell);
    if (method == VECTOR_END)
        to->number = size;
    else if (method == VECTOR_SIZE)
        *to = eval_number(size, TYPE_U64);
    else if (method == VECTOR_EMPTY)
        *to = eval_number(!size, TYPE_U8);
    else if (method != VECTOR_BEGIN)
        return element(e, expr, cell, method == VECTOR_LAST ? size - 1 : 0, to);
    return true;
}

/* Elements go: "v.clear()", "v.pop_front()", "v.pop_back()". */
static bool shrink(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                   enum vector_method method)
{
    if (method == VECTOR_CLEAR) {
        eval_end_object(e, cell);
        cell->parts.len = 0;
        return true;
    }
    if (!cell->parts.len)
        return no_method(e, expr, cpp_last_part(&expr->kids[0]->name)->word);
    remove_element(e, cell, method == VECTOR_POP_FRONT ? 0 : cell->parts.len - 1);
    return true;
}

static bool change_vector(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                          enum vector_method method, struct code_value *to)
{
    switch (method) {
    case VECTOR_RESERVE:
        return true;
    case VECTOR_INSERT:
        return insert(e, expr, cell, to);
    case VECTOR_ERASE:
        return erase(e, expr, cell, to);
    case VECTOR_ASSIGN:
        return assign(e, expr, cell);
    case VECTOR_SWAP:
        return swap_lists(e, expr, cell);
    case VECTOR_RESIZE:
        return resize(e, expr, cell);
    case VECTOR_CLEAR:
    case VECTOR_POP_FRONT:
    case VECTOR_POP_BACK:
        return shrink(e, expr, cell, method);
    case VECTOR_PUSH_FRONT:
        if (!append(e, expr, cell, false, to))
            return false;
        rotate(e, cell, 0, 1);
        return true;
    case VECTOR_PUSH_BACK:
    case VECTOR_EMPLACE_BACK:
        return append(e, expr, cell, method == VECTOR_EMPLACE_BACK, to);
    default:
        return no_method(e, expr, cpp_last_part(&expr->kids[0]->name)->word);
    }
}

bool eval_vector_method(struct eval *e, const struct cpp_expr *expr, struct code_cell *cell,
                        struct code_value *to)
{
    enum vector_method method = method_named(cpp_last_part(&expr->kids[0]->name)->word);
    if (cell->value.kind == VALUE_UNKNOWN) /* how many there are now */
        return eval_needs(e, &cell->value, expr->span, "a vector");
    *to = (struct code_value){.kind = VALUE_CELL, .cell = cell};
    bool reads = method != VECTOR_NO_METHOD && method <= VECTOR_LAST_READING;
    if (cell->shape->kind == SHAPE_VECTOR &&
        !(reads ? eval_take_to_read : eval_take_to_set)(e, cell, expr->span))
        return false;
    if (reads)
        return read_vector(e, expr, cell, method, to);
    if (e->branches) {
        eval_error(e, host_statement, expr->span, "change it where every run comes by",
                   "a vector that changes in a branch is not read");
        return false;
    }
    return change_vector(e, expr, cell, method, to);
}

bool eval_memory_method(struct eval *e, const struct cpp_expr *expr, const struct lvalue *place,
                        struct code_value *to)
{
    const char *word = cpp_last_part(&expr->kids[0]->name)->word;
    uint64_t elements = e->p->locations.at[place->location].elements, index = 0;
    bool element =
        strcmp(word, "at") == 0 || strcmp(word, "front") == 0 || strcmp(word, "back") == 0;
    uint32_t gap = place->shape->kind == SHAPE_VECTOR ? gap_of_memory(e, place->location) : 0;
    if (gap && strcmp(word, "data") != 0) { /* how many there are now */
        struct code_value unknown = gap_value(gap, expr->span);
        return eval_needs(e, &unknown, expr->span, "a vector");
    }
    if (strcmp(word, "size") == 0 || strcmp(word, "empty") == 0) {
        *to = eval_number(*word == 's' ? elements : !elements, TYPE_U64);
        return true;
    }
    if (strcmp(word, "at") == 0 &&
        (expr->kid_count < 2 || !eval_known_number(e, expr->kids[1], "an index", &index)))
        return false;
    if (!element && strcmp(word, "data") != 0 && strcmp(word, "begin") != 0 &&
        strcmp(word, "end") != 0 && strcmp(word, "reserve") != 0) {
        eval_error(e, host_statement, expr->span, "give it its size where it is declared",
                   "memory that is copied cannot change its size: '%.60s'", word);
        return false;
    }
    index = strcmp(word, "end") == 0 ? elements : strcmp(word, "back") == 0 ? elements - 1 : index;
    if (!eval_point_to(e, place, to))
        return false;
    to->number += index * eval_unit(e, place->location);
    return true;
}
