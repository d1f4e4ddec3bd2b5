/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* What variables are at first: "= 1", "{1, {2, 3}}", "(2, 5)". The values of a list go to the parts of the
 * variable in order, those of a list in it to the parts of a part. */

struct given_values {
    const struct cpp_expr *const *at;
    uint32_t count, next;
};

/* ---- members -------------------------------------------------------------------------------- */

enum { MOST_KNOWN_MEMBERS = 8 };

static const struct known_structure {
    const char *word, *members[MOST_KNOWN_MEMBERS];
} known_structures[] = {
#define STRUCTURE(word, ...) {word, {__VA_ARGS__}},
#include "litmus/host/structure.def"
};

static const struct known_structure *known_structure(const char *word)
{
    for (size_t i = 0; word && i < sizeof known_structures / sizeof *known_structures; i++)
        if (strcmp(known_structures[i].word, word) == 0)
            return &known_structures[i];
    return NULL;
}

struct member {
    const char *name;
    const struct cpp_declarator *one; /* or NULL: of a structure of the runtime */
};
struct members {
    VEC(struct member) of;
};

static struct members members_of(struct eval *e, const struct code_shape *shape)
{
    struct members found = {{0}};
    const struct known_structure *known = shape->structure ? NULL : known_structure(shape->word);
    for (uint32_t i = 0; known && i < MOST_KNOWN_MEMBERS && known->members[i]; i++) {
        struct member member = {known->members[i], NULL};
        vec_push(e->arena, &found.of, member);
    }
    for (uint32_t i = 0; shape->structure && i < shape->structure->members->kid_count; i++) {
        const struct cpp_stmt *stmt = shape->structure->members->kids[i];
        bool typedefs = stmt->specifiers & (CPP_SPECIFIER_TYPEDEF | CPP_SPECIFIER_STATIC);
        for (uint32_t k = 0; !typedefs && k < stmt->declarator_count; k++) {
            if (!*stmt->declarators[k].name)
                continue; /* an unnamed bit-field */
            struct member member = {stmt->declarators[k].name, &stmt->declarators[k]};
            vec_push(e->arena, &found.of, member);
        }
    }
    return found;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static bool is_array(const struct code_shape *shape)
{
    return shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR;
}

static bool is_aggregate(const struct code_shape *shape)
{
    return is_array(shape) || shape->kind == SHAPE_STRUCT;
}

/* Its value is one number, pointer or object, which may be 0. */
static bool is_plain(const struct code_shape *shape)
{
    return shape->kind == SHAPE_NUMBER || shape->kind == SHAPE_POINTER ||
           shape->kind == SHAPE_OBJECT;
}

static struct lvalue part_of_array(struct eval *e, const struct lvalue *array, uint64_t index)
{
    struct lvalue part = *array;
    part.shape = array->shape->of;
    part.span = (struct span){0, 0}; /* its value alone names it */
    if (!array->cell) {
        part.offset += index * eval_bytes(e, part.shape);
        return part;
    }
    return eval_place_of_cell(eval_part(e, array->cell, index));
}

/* What is const has no value yet. */
static bool start(struct eval *e, const struct lvalue *place, const struct code_value *value,
                  struct span span)
{
    return place->cell ? eval_set(e, place->cell, value, span) : eval_write(e, place, value, span);
}

static bool set(struct eval *e, const struct lvalue *place, const struct cpp_expr *expr)
{
    struct lvalue to = *place;
    struct code_value value = eval_number(0, TYPE_S32);
    if (!to.cell)
        to.shape = NULL; /* the start of an atomic object is no atomic write */
    if (expr->kind == CPP_LIST && expr->kid_count == 1)
        expr = expr->kids[0];
    if (!(expr->kind == CPP_LIST && !expr->kid_count) && !eval_value(e, expr, &value))
        return false;
    if (place->shape->kind == SHAPE_POINTER && !eval_cast(e, &value, place->shape, expr->span))
        return false;
    if (place->shape->is_bool && !eval_cast(e, &value, place->shape, expr->span))
        return false;
    return start(e, &to, &value, place->span.length ? place->span : expr->span);
}

static bool fill(struct eval *e, const struct lvalue *place, struct given_values *from);

static const struct cpp_expr *next_value(const struct given_values *from)
{
    return from->next < from->count ? from->at[from->next] : NULL;
}

static struct given_values values_of(const struct cpp_expr *list)
{
    return (struct given_values){list->kids, list->kid_count, 0};
}

/* "abc": an element for each character, and a zero. */
static bool fill_text(struct eval *e, const struct lvalue *array, struct span text)
{
    uint64_t count = array->shape->count;
    const char *letters = e->p->source->text + text.offset + 1;
    if (memchr(letters, '\\', text.length - 2) || memchr(letters, '"', text.length - 2)) {
        eval_error(e, host_argument, text, "write it as one string, without '\\'",
                   "the characters of this text are not read");
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct lvalue part = part_of_array(e, array, i);
        struct code_value value = eval_number(0, TYPE_S8);
        if (i + 2 < text.length)
            value.number = (uint64_t)letters[i];
        part.shape = NULL;
        if (!start(e, &part, &value, text))
            return false;
    }
    return true;
}

static bool fill_array(struct eval *e, const struct lvalue *array, struct given_values *from)
{
    const struct cpp_expr *first = next_value(from);
    uint64_t count = array->shape->kind == SHAPE_ARRAY ? array->shape->count : from->count;
    struct given_values inner;
    bool twice = from->count == 1 && first && first->kind == CPP_LIST;
    bool deeper = twice && first->kid_count && first->kids[0]->kind == CPP_LIST &&
                  array->shape->of->kind == SHAPE_STRUCT;
    if (deeper || (twice && !is_aggregate(array->shape->of))) { /* std::array has "{{1, 2}}", too */
        inner = values_of(first);
        from = &inner;
    }
    if (count > MAX_ELEMENTS) {
        eval_error(e, bad_array, array->span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
        return false;
    }
    if (array->cell && count)
        eval_part(e, array->cell, count - 1);
    bool own = array->shape->of->kind == SHAPE_STRUCT; /* it may have values of its own */
    for (uint64_t i = 0; i < count && (own || next_value(from)); i++) {
        struct lvalue part = part_of_array(e, array, i);
        if (!fill(e, &part, from))
            return false;
    }
    return true;
}

/* A value without a name, or of this one. */
static bool is_for(const struct cpp_expr *value, const struct code_cell *member)
{
    return value && (value->kind != CPP_DESIGNATED ||
                     strcmp(cpp_last_part(&value->name)->word, member->member) == 0);
}

static bool fill_member(struct eval *e, const struct lvalue *place, struct given_values *from)
{
    const struct cpp_expr *value = next_value(from);
    if (value->kind != CPP_DESIGNATED)
        return fill(e, place, from);
    struct given_values own = {value->kids, 1, 0};
    from->next++;
    return fill(e, place, &own);
}

/* "int b = a + 1;" in a structure, where 'a' is another member. */
static bool start_by_default(struct eval *e, struct code_cell *cell, struct code_cell *member,
                             const struct cpp_declarator *one)
{
    uint32_t bindings = e->scope.len;
    if (one->value || one->is_given)
        eval_bind_self(e, cell);
    bool good = eval_initialize(e, member, one);
    e->scope.len = bindings;
    return good;
}

static bool fill_members(struct eval *e, struct code_cell *cell, struct given_values *from,
                         bool zero)
{
    struct members members = members_of(e, cell->shape);
    bool sizes = cell->shape->word && strcmp(cell->shape->word, "dim3") == 0;
    const struct code_value one_block = eval_number(1, TYPE_U32);
    for (uint32_t i = 0; i < members.of.len; i++) {
        const struct cpp_declarator *one = members.of.at[i].one;
        struct code_cell *member = eval_member(e, cell, members.of.at[i].name);
        struct lvalue place = eval_place_of_cell(member);
        bool good = true;
        if (is_for(next_value(from), member))
            good = fill_member(e, &place, from);
        else if (one && (one->value || one->is_given || member->shape->kind == SHAPE_STRUCT))
            good = start_by_default(e, cell, member, one);
        else if (sizes)
            good = start(e, &place, &one_block, place.span);
        else if (zero && place.cell && is_plain(member->shape))
            member->value = eval_number(0, TYPE_S32);
        if (!good)
            return false;
    }
    while (!members.of.len &&
           next_value(from)) { /* a structure of which nobody knows the members */
        struct code_value dropped;
        if (!eval_value(e, from->at[from->next++], &dropped))
            return false;
    }
    return true;
}

/* A whole structure, or a list for its members. */
static bool fill_structure(struct eval *e, const struct lvalue *place, struct given_values *from)
{
    const struct cpp_expr *first = next_value(from);
    struct code_value value;
    if (!first || first->kind == CPP_LIST) {
        struct given_values inner = first ? values_of(first) : (struct given_values){NULL, 0, 0};
        from->next++;
        return fill_members(e, place->cell, &inner, first);
    }
    from->next++;
    return eval_value(e, first, &value) && eval_set(e, place->cell, &value, first->span);
}

static bool fill(struct eval *e, const struct lvalue *place, struct given_values *from)
{
    const struct cpp_expr *first = next_value(from);
    if (place->shape->kind == SHAPE_STRUCT && place->cell)
        return fill_structure(e, place, from);
    if (is_array(place->shape) && first && first->kind == CPP_LIST) {
        struct given_values inner = values_of(first);
        from->next++;
        return fill_array(e, place, &inner);
    }
    if (is_array(place->shape) && first && first->kind == CPP_STRING) {
        from->next++;
        return fill_text(e, place, first->span);
    }
    if (is_array(place->shape))
        return fill_array(e, place, from);
    return !first || (from->next++, set(e, place, first));
}

/* ---- variables ------------------------------------------------------------------------------ */

/* Another array or vector, element by element. */
static bool copied(struct eval *e, const struct lvalue *place, const struct cpp_expr *expr)
{
    struct code_value is, value;
    struct lvalue from;
    if (!eval_value(e, expr, &is))
        return false;
    bool memory = is.kind == VALUE_ADDRESS && !is.number;
    if (!memory && (is.kind != VALUE_CELL || !is_array(is.cell->shape)))
        return eval_needs(e, &is, expr->span, "the elements of an array");
    uint32_t count = memory ? e->p->locations.at[is.location].elements : is.cell->parts.len;
    for (uint32_t i = 0; i < count; i++) {
        struct lvalue part = part_of_array(e, place, i);
        if (!eval_pointed_to(e, &is, i, expr->span, &from) ||
            !eval_read(e, &from, expr->span, &value) || !start(e, &part, &value, expr->span))
            return false;
    }
    return true;
}

/* "w(v)", "w(v.begin(), v.end())", "w(a, a + 2)": elements of another; *found: it is so. */
static bool taken(struct eval *e, const struct lvalue *place, const struct cpp_declarator *one,
                  bool *found)
{
    const struct cpp_expr *first = one->given[0];
    const char *word = first->kind == CPP_BINARY ? eval_word(first->kids[0]) : eval_word(first);
    const struct cpp_expr *callee = first->kind == CPP_CALL ? first->kids[0] : NULL;
    bool begins = callee && callee->kind == CPP_MEMBER &&
                  strcmp(cpp_last_part(&callee->name)->word, "begin") == 0;
    const struct code_cell *cell = word ? eval_find(e, word) : NULL;
    bool list = cell && (is_array(cell->shape) || cell->shape->kind == SHAPE_POINTER);
    *found = place->cell && one->given_count == 2 && (begins || list);
    if (*found)
        return eval_add_range(e, place->cell, first, one->given[1]);
    *found = one->given_count == 1 && list && first->kind == CPP_NAME;
    return *found && copied(e, place, first);
}

/* "v(n, x)", "v(n)" */
static bool repeated(struct eval *e, const struct lvalue *place, const struct cpp_declarator *one)
{
    uint64_t size;
    bool found, good = taken(e, place, one, &found);
    if (found)
        return good;
    if (!eval_known_number(e, one->given[0], "the size of a vector", &size))
        return false;
    if (size > MAX_ELEMENTS) {
        eval_error(e, bad_array, one->span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
        return false;
    }
    if (place->cell && size)
        eval_part(e, place->cell, size - 1);
    bool zero = place->cell && one->given_count == 1 && is_plain(place->cell->shape->of);
    for (uint64_t i = 0; zero && i < size; i++)
        place->cell->parts.at[i]->value = eval_number(0, TYPE_S32);
    for (uint64_t i = 0; one->given_count > 1 && i < size; i++) {
        struct given_values value = {one->given + 1, 1, 0};
        struct lvalue part = part_of_array(e, place, i);
        if (is_array(part.shape) && one->given[1]->kind != CPP_LIST) {
            if (!copied(e, &part, one->given[1]))
                return false;
            continue;
        }
        if (!fill(e, &part, &value))
            return false;
    }
    return true;
}

/* "W a = b;", "dim3 grid(n);": a whole structure, or the value of its first member. */
static bool start_structure(struct eval *e, struct code_cell *cell, const struct cpp_expr *expr,
                            bool zero)
{
    struct given_values none = {NULL, 0, 0};
    struct members members = members_of(e, cell->shape);
    struct code_value value;
    if (!fill_members(e, cell, &none, zero) || !eval_value(e, expr, &value))
        return false;
    if (value.kind == VALUE_CELL && value.cell->shape->kind == SHAPE_STRUCT)
        return eval_set(e, cell, &value, expr->span);
    if (!members.of.len)
        return eval_set(e, cell, &value, expr->span);
    struct lvalue first = eval_place_of_cell(eval_member(e, cell, members.of.at[0].name));
    return start(e, &first, &value, expr->span);
}

/* Numbers that the list of an array has no values for. */
static bool zero_rest(struct eval *e, struct code_cell *array, struct span span)
{
    struct code_value none = eval_number(0, TYPE_S32);
    bool numbers = array->shape->kind == SHAPE_ARRAY && array->location == NONE &&
                   array->shape->of->kind == SHAPE_NUMBER;
    for (uint32_t i = 0; numbers && i < array->shape->count; i++) {
        struct code_cell *part = eval_part(e, array, i);
        if (part->value.kind == VALUE_NOTHING && !eval_set(e, part, &none, span))
            return false;
    }
    return true;
}

/* "std::string s(n, c);" */
static bool start_text(struct eval *e, const struct lvalue *place, const struct cpp_declarator *one,
                       const struct given_values *values)
{
    struct code_value made;
    bool list = one->value && one->value->kind == CPP_LIST;
    const struct cpp_expr *const *given = one->value && !list ? &one->value : values->at;
    uint32_t count = one->value && !list ? 1 : values->count;
    return eval_make_text(e, given, count, list || one->is_braced, one->span, &made) &&
           start(e, place, &made, one->span);
}

bool eval_initialize(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    struct lvalue place = eval_place_of_cell(cell);
    struct given_values values = {one->given, one->given_count, 0};
    bool list = one->value && one->value->kind == CPP_LIST, zero = list || one->is_braced;
    place.span = one->span;
    if (list)
        values = values_of(one->value);
    if (cell->shape->is_text && strcmp(cell->shape->word, "string") == 0)
        return start_text(e, &place, one, &values);
    if (is_array(cell->shape) && one->is_given && !one->is_braced && one->given_count)
        return repeated(e, &place, one);
    bool text = one->value && one->value->kind == CPP_STRING;
    if (is_array(cell->shape) && one->value && !list && !text)
        return copied(e, &place, one->value);
    bool whole = one->value && !list;
    if (whole)
        values = (struct given_values){&one->value, 1, 0};
    if (cell->shape->kind == SHAPE_STRUCT)
        return values.count == 1 && values.at[0]->kind != CPP_LIST
                   ? start_structure(e, cell, values.at[0], zero)
                   : fill_members(e, cell, &values, zero);
    if (!values.count && zero && cell->location == NONE && !is_array(cell->shape)) {
        struct code_value none = eval_number(0, TYPE_S32);
        return start(e, &place, &none, one->span);
    }
    bool good =
        is_array(cell->shape) && !text ? fill_array(e, &place, &values) : fill(e, &place, &values);
    return good && (!zero || zero_rest(e, cell, one->span));
}

bool eval_is_structure(struct eval *e, const char *word)
{
    return known_structure(word) || (eval_structure(e, word) && eval_is_plain_type(e, word));
}

bool eval_new_structure(struct eval *e, const struct code_shape *shape,
                        const struct cpp_expr *const *list, uint32_t count, struct code_value *to)
{
    struct cpp_declarator one = {.given = (const struct cpp_expr **)list,
                                 .given_count = count,
                                 .is_given = true,
                                 .is_braced = true};
    *to = (struct code_value){.kind = VALUE_CELL, .is_object = true, .is_temporary = true};
    to->cell = eval_new_cell(e, shape->word ? shape->word : "structure", shape);
    return eval_initialize(e, to->cell, &one);
}
