/* SPDX-License-Identifier: MIT */
#include "litmus/host/choice.h"

#include "litmus/host/eval.h"

/* Elements that what the program reads chooses. */

enum { MOST_CHOICES = 64 };

/* ---- which places --------------------------------------------------------------------------- */

static bool is_array(const struct code_shape *shape)
{
    return shape && (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR);
}

static bool not_known(struct eval *e, struct span span)
{
    eval_error(e, host_argument, span, "compute it from constants",
               "an index must be known: '%s' depends on what the program reads",
               eval_text(e, span));
    return false;
}

/* How many places there are, those of inner choices counted. */
static uint32_t count_places(const struct lvalue *place)
{
    uint32_t count = 0;
    if (!place->choice)
        return 1;
    for (uint32_t i = 0; i < place->choice->count; i++)
        count += count_places(&place->choice->at[i]);
    return count;
}

static bool are_few(struct eval *e, const struct element_choice *choice)
{
    uint64_t count = choice->count;
    for (uint32_t i = 0; choice->at && i < choice->count; i++)
        count += count_places(&choice->at[i]) - 1;
    if (count <= MOST_CHOICES)
        return true;
    eval_error(e, host_argument, choice->span, "compute it from constants, or use a smaller array",
               "an index must be known: '%s' depends on what the program reads, and there are more "
               "than %d elements",
               eval_text(e, choice->span), MOST_CHOICES);
    return false;
}

struct lvalue eval_place_of_choice(const struct element_choice *choice)
{
    struct lvalue place = {.location = NONE, .choice = choice};
    place.shape = choice->count ? choice->at[0].shape : NULL;
    return place;
}

/* 'count' places, which the caller finds; NULL: too many. */
static struct element_choice *new_choice(struct eval *e, const struct read_index *index,
                                         int64_t first, uint64_t count)
{
    struct element_choice *choice = ARENA_NEW(e->arena, struct element_choice);
    *choice = (struct element_choice){
        .index = index->value, .first = first, .host = e->host, .span = index->span};
    choice->is_whole = !first && index->bound && index->bound <= count;
    if (choice->is_whole)
        count = index->bound;
    choice->count = count > MOST_CHOICES ? MOST_CHOICES + 1 : (uint32_t)count;
    if (!are_few(e, choice))
        return NULL;
    eval_keep_copy(e, &choice->index, index->span);
    choice->at = ARENA_ARRAY(e->arena, struct lvalue, choice->count);
    return choice;
}

/* The first index that stays within what the pointer points to, and how many there are. */
static void range_of(struct eval *e, const struct code_value *pointer, int64_t *first,
                     uint64_t *count)
{
    uint64_t before = pointer->number;
    *count = 1;
    if (pointer->kind == VALUE_ADDRESS) {
        uint64_t unit = eval_step_of(e, pointer);
        uint64_t bytes =
            eval_unit(e, pointer->location) * e->p->locations.at[pointer->location].elements;
        before = pointer->number / unit;
        *count = before + (bytes > pointer->number ? (bytes - pointer->number) / unit : 0);
    } else if (is_array(pointer->cell->shape))
        *count = pointer->cell->shape->kind == SHAPE_ARRAY ? pointer->cell->shape->count
                                                           : pointer->cell->parts.len;
    *first = -(int64_t)before;
}

bool eval_choose_element(struct eval *e, const struct code_value *pointer,
                         const struct read_index *index, struct span span, struct lvalue *to)
{
    int64_t first;
    uint64_t count;
    if (!eval_is_pointer(pointer))
        return eval_needs(e, pointer, span, "a pointer");
    range_of(e, pointer, &first, &count);
    struct element_choice *choice = new_choice(e, index, first, count);
    bool good = choice;
    for (uint32_t i = 0; good && i < choice->count; i++) {
        good = eval_pointed_to(e, pointer, (uint64_t)(first + i), span, &choice->at[i]);
        choice->at[i].span = span;
    }
    if (good)
        *to = eval_place_of_choice(choice);
    return good;
}

bool eval_part_of_each(struct eval *e, const struct lvalue *from, place_part part, const void *data,
                       struct lvalue *to)
{
    if (!from->choice)
        return part(e, from, data, to);
    struct element_choice *choice = ARENA_NEW(e->arena, struct element_choice);
    *choice = *from->choice;
    choice->at = ARENA_ARRAY(e->arena, struct lvalue, choice->count);
    for (uint32_t i = 0; i < choice->count; i++)
        if (!eval_part_of_each(e, &from->choice->at[i], part, data, &choice->at[i]))
            return false;
    if (!are_few(e, choice))
        return false;
    *to = eval_place_of_choice(choice);
    return true;
}

bool eval_is_one_place(struct eval *e, const struct lvalue *place)
{
    return !place->choice || not_known(e, place->choice->span);
}

bool eval_places_pointed_to(struct eval *e, const struct code_value *pointer, struct span span,
                            struct lvalue *to)
{
    if (pointer->kind != VALUE_CHOICE)
        return eval_pointed_to(e, pointer, 0, span, to);
    *to = eval_place_of_choice(pointer->choice);
    return true;
}

struct code_cell *eval_refer_to_choice(struct eval *e, const char *name, const struct lvalue *place)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    struct code_cell *cell = eval_new_cell(e, name, place->shape ? place->shape : &any);
    eval_point_to(e, place, &cell->value);
    cell->value.is_reference = true;
    return cell;
}

/* ---- what is done there --------------------------------------------------------------------- */

/* Where the value of whichever branch is taken is found. */
static struct code_cell *new_result(struct eval *e, const struct lvalue *place)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    struct code_shape *shape = ARENA_NEW(e->arena, struct code_shape);
    bool number = place->shape && place->shape->kind == SHAPE_NUMBER;
    *shape = number ? *place->shape : any;
    shape->is_atomic = false;
    struct code_cell *cell = eval_new_cell(
        e, arena_printf(e->arena, "value$%u", parse_body(e->p)->variables.len + 1), shape);
    cell->is_inner = true;
    return cell;
}

/* In one branch. */
static bool keep_result(struct eval *e, struct code_cell *result, const struct code_value *value,
                        struct span span)
{
    if (eval_is_number(value))
        return eval_set(e, result, value, span);
    result->value = *value;
    return true;
}

/* Passed over where the index is another one. */
static void ask(struct eval *e, const struct element_choice *choice, uint32_t which, uint32_t next,
                struct span span)
{
    struct raw_operand number = eval_number_operand((uint64_t)(choice->first + which), span);
    struct raw_operand index = choice->index.operand;
    index.span = span;
    eval_jump_if(e, CMP_NE, &index, &number, next, span);
}

bool eval_use_of_each(struct eval *e, const struct lvalue *place, struct span span, place_use use,
                      const void *data, struct code_value *to)
{
    const struct element_choice *choice = place->choice;
    if (!choice)
        return use(e, place, data, to);
    if (choice->host != e->host)
        return not_known(e, choice->span);
    struct code_cell *result = new_result(e, place);
    uint32_t end = eval_new_aim(e);
    bool good = true, plain = true;
    e->branches++;
    for (uint32_t i = 0; good && i < choice->count; i++) {
        uint32_t next = eval_new_aim(e);
        bool rest = choice->is_whole && i + 1 == choice->count;
        struct code_value value = {.kind = VALUE_NOTHING};
        if (!rest)
            ask(e, choice, i, next, span);
        good = eval_use_of_each(e, &choice->at[i], span, use, data, &value) &&
               keep_result(e, result, &value, span);
        plain = plain && (eval_is_number(&value) || value.kind == VALUE_NOTHING ||
                          value.kind == VALUE_UNKNOWN);
        eval_jump(e, end, span);
        eval_place(e, next);
    }
    if (!choice->is_whole)
        eval_undefined(e, choice->span);
    eval_place(e, end);
    e->branches--;
    *to = result->value;
    return good && (plain || to->kind != VALUE_UNKNOWN || not_known(e, choice->span));
}
