/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Types of host code: what a variable of each holds. */

struct code_shape *eval_new_shape(struct eval *e, struct code_shape shape)
{
    struct code_shape *made = ARENA_NEW(e->arena, struct code_shape);
    *made = shape;
    return made;
}

const struct code_shape *eval_number_shape(struct eval *e, enum type type)
{
    return eval_new_shape(e, (struct code_shape){.kind = SHAPE_NUMBER, .type = type});
}

/* Of float4 and its like; 0: it is none. */
enum type eval_vector_part(const char *word)
{
    static const struct {
        const char *word;
        enum type type;
    } of[] = {{"char", TYPE_S8},       {"uchar", TYPE_U8},   {"short", TYPE_S16},
              {"ushort", TYPE_U16},    {"int", TYPE_S32},    {"uint", TYPE_U32},
              {"float", TYPE_F32},     {"double", TYPE_F64}, {"longlong", TYPE_S64},
              {"ulonglong", TYPE_U64}, {"long", TYPE_S64},   {"ulong", TYPE_U64},
              {"dim", TYPE_U32}};
    for (size_t i = 0; word && i < sizeof of / sizeof *of; i++) {
        size_t length = strlen(of[i].word);
        if (strncmp(word, of[i].word, length) == 0 && word[length] >= '1' && word[length] <= '4' &&
            !word[length + 1])
            return of[i].type;
    }
    return TYPE_NONE;
}

uint64_t eval_vector_bytes(const char *word)
{
    enum type part = eval_vector_part(word);
    return part == TYPE_NONE ? 0 : type_bytes(part) * (uint64_t)(word[strlen(word) - 1] - '0');
}

uint64_t eval_bytes(struct eval *e, const struct code_shape *shape)
{
    uint64_t bytes = 0;
    switch (shape->kind) {
    case SHAPE_NUMBER:
        return type_bytes(shape->type);
    case SHAPE_ARRAY:
        return eval_bytes(e, shape->of) * shape->count;
    case SHAPE_VOID:
        return 1;
    case SHAPE_STRUCT:
        bytes = eval_size(e, shape);
        return bytes ? bytes : 8;
    default:
        return 8;
    }
}

static enum type integer_type(uint32_t bytes, bool is_signed)
{
    static const enum type types[2][4] = {{TYPE_U8, TYPE_U16, TYPE_U32, TYPE_U64},
                                          {TYPE_S8, TYPE_S16, TYPE_S32, TYPE_S64}};
    return types[is_signed][bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3];
}

uint64_t eval_fit(uint64_t bits, enum type type)
{
    unsigned width = type == TYPE_NONE ? 64 : type_bytes(type) * 8;
    if (width >= 64)
        return bits;
    bits &= (UINT64_C(1) << width) - 1;
    bool negative = type_is_signed(type) && bits >> (width - 1);
    return negative ? bits | ~((UINT64_C(1) << width) - 1) : bits;
}

enum type eval_promoted(enum type type)
{
    return type != TYPE_NONE && type_bytes(type) < 4 ? TYPE_S32 : type;
}

enum type eval_common_type(enum type a, enum type b)
{
    a = eval_promoted(a);
    b = eval_promoted(b);
    if (a == TYPE_NONE || b == TYPE_NONE)
        return TYPE_NONE;
    if (type_bytes(a) != type_bytes(b))
        return type_bytes(a) > type_bytes(b) ? a : b;
    return type_is_signed(a) ? b : a;
}

const struct structure *eval_structure(const struct eval *e, const char *name)
{
    for (uint32_t i = e->structures.len; i-- > 0;)
        if (strcmp(e->structures.at[i]->name, name) == 0)
            return e->structures.at[i];
    return NULL;
}

bool eval_is_only_class(struct eval *e, const struct structure *structure, struct span span)
{
    if (!structure->is_one_of_several)
        return true;
    eval_error(e, host_statement, span, "give them different names",
               "which of several classes '%s' is meant is not known", structure->name);
    return false;
}

/* ---- of declarations ------------------------------------------------------------------------- */

void eval_name_type(struct eval *e, const char *name, const struct cpp_type *type)
{
    struct type_name one = {name, type, NULL};
    vec_push(e->arena, &e->type_names, one);
}

void eval_name_shape(struct eval *e, const char *name, const struct code_shape *shape)
{
    struct type_name one = {name, NULL, shape};
    vec_push(e->arena, &e->type_names, one);
}

/* Of templates only those of the code that is read. */
static bool is_seen(const struct eval *e, uint32_t index)
{
    const struct type_view *view = &e->frame.types;
    return e->type_names.at[index].type || index >= view->own ||
           (index >= view->floor && index < view->visible);
}

const struct type_name *eval_type_named(const struct eval *e, const char *name)
{
    for (uint32_t i = e->type_names.len; i-- > 0;)
        if (is_seen(e, i) && strcmp(e->type_names.at[i].name, name) == 0)
            return &e->type_names.at[i];
    return NULL;
}

void eval_define_structure(struct eval *e, const struct cpp_type *type)
{
    struct structure *made = ARENA_NEW(e->arena, struct structure);
    *made = (struct structure){.name = cpp_last_part(&type->name)->word,
                               .members = type->members,
                               .from = type->span.offset};
    vec_push(e->arena, &e->structures, made);
}

/* A member that is a class has a constructor or may have one. */
static bool is_plain_member(struct eval *e, const struct structure *of,
                            const struct cpp_stmt *member)
{
    if (member->kind != CPP_DECLARATION)
        return member->kind == CPP_EMPTY;
    for (uint32_t i = 0; i < member->declarator_count; i++) {
        const struct cpp_type *type = member->declarators[i].type;
        while (type->kind == CPP_TYPE_ARRAY)
            type = type->to;
        const char *word = type->kind == CPP_TYPE_NAMED ? cpp_last_part(&type->name)->word : NULL;
        const struct structure *inner = word ? eval_structure(e, word) : NULL;
        if (word && eval_type_named(e, word))
            continue;
        if (inner && inner != of && !eval_is_plain_type(e, word))
            return false;
    }
    return true;
}

static bool is_data(struct eval *e, const struct structure *structure)
{
    for (uint32_t i = 0; i < structure->members->kid_count; i++)
        if (!is_plain_member(e, structure, structure->members->kids[i]))
            return false;
    return true;
}

bool eval_is_plain_type(struct eval *e, const char *word)
{
    const struct structure *structure = eval_structure(e, word);
    if (eval_is_plain_word(word) || eval_type_named(e, word))
        return true;
    if (structure && structure->head.count)
        return structure->is_own;
    const struct code_shape shape = {.kind = SHAPE_STRUCT, .structure = structure};
    return structure ? is_data(e, structure) && !eval_is_class(e, &shape)
                     : eval_is_runtime_type(e, word);
}

static const struct code_shape *array_shape(struct eval *e, const struct cpp_type *type)
{
    struct code_shape shape = {.kind = SHAPE_ARRAY, .of = eval_shape(e, type->to)};
    uint64_t count = 0;
    if (type->length && !eval_known_number(e, type->length, "the size of an array", &count))
        return NULL;
    if (count > MAX_ELEMENTS) {
        eval_error(e, bad_array, type->length->span, NULL, "an array has 1 to %d elements",
                   MAX_ELEMENTS);
        return NULL;
    }
    shape.count = (uint32_t)count;
    return shape.of ? eval_new_shape(e, shape) : NULL;
}

/* "CUstream_st *" is cudaStream_t. */
static bool is_handle(const struct code_shape *of, enum host_object_kind *kind)
{
    static const struct {
        const char *word;
        enum host_object_kind kind;
    } rows[] = {{"CUstream_st", HOST_STREAM},
                {"CUevent_st", HOST_EVENT},
                {"CUgraph_st", HOST_GRAPH},
                {"CUgraphExec_st", HOST_GRAPH_EXEC},
                {"CUgraphNode_st", HOST_NODE}};
    for (size_t i = 0; of->word && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(of->word, rows[i].word) == 0) {
            *kind = rows[i].kind;
            return true;
        }
    return false;
}

static const struct code_shape *pointer_shape(struct eval *e, const struct cpp_type *type)
{
    struct code_shape shape = {.kind = SHAPE_POINTER, .of = eval_shape(e, type->to)};
    if (!shape.of)
        return NULL;
    if (shape.of->kind == SHAPE_ARRAY && !shape.of->count) /* "T *" where T is "int[]" */
        shape.of = shape.of->of;
    if (is_handle(shape.of, &shape.object))
        shape.kind = SHAPE_OBJECT;
    return eval_new_shape(e, shape);
}

/* "auto", "decltype(x)" */
static const struct code_shape *deduced_shape(struct eval *e, const struct cpp_type *type)
{
    const struct code_shape *is = type->value ? eval_static_shape(e, type->value) : NULL;
    return is ? is : eval_new_shape(e, (struct code_shape){.kind = SHAPE_AUTO});
}

const struct code_shape *eval_shape(struct eval *e, const struct cpp_type *type)
{
    struct code_shape shape = {.kind = SHAPE_NUMBER};
    switch (type->kind) {
    case CPP_TYPE_VOID:
        shape.kind = SHAPE_VOID;
        break;
    case CPP_TYPE_AUTO:
        return deduced_shape(e, type);
    case CPP_TYPE_BOOL:
        shape.type = TYPE_U8;
        shape.is_bool = true;
        break;
    case CPP_TYPE_INTEGER:
        shape.type = integer_type(type->bytes, type->is_signed);
        break;
    case CPP_TYPE_FLOAT:
        shape.type = type->bytes == 4 ? TYPE_F32 : TYPE_F64;
        break;
    case CPP_TYPE_NAMED:
        return eval_named_shape(e, type);
    case CPP_TYPE_REFERENCE:
        return eval_shape(e, type->to);
    case CPP_TYPE_POINTER:
        return pointer_shape(e, type);
    case CPP_TYPE_ARRAY:
        return array_shape(e, type);
    }
    if (type->is_volatile && shape.kind == SHAPE_NUMBER) {
        shape.is_atomic = true; /* relaxed, at system scope: see eval_read */
        shape.scope = SCOPE_NONE;
    }
    return eval_new_shape(e, shape);
}
