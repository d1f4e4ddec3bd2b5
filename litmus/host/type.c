/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Types of host code: what a variable of each holds. */

static struct code_shape *new_shape(struct eval *e, struct code_shape shape)
{
    struct code_shape *made = ARENA_NEW(e->arena, struct code_shape);
    *made = shape;
    return made;
}

const struct code_shape *eval_number_shape(struct eval *e, enum type type)
{
    return new_shape(e, (struct code_shape){.kind = SHAPE_NUMBER, .type = type});
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

/* ---- names of types ------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum shape_kind kind;
} named_kinds[] = {
    {"thread", SHAPE_THREAD},
    {"pthread_t", SHAPE_THREAD},
    {"jthread", SHAPE_THREAD},
    {"future", SHAPE_THREAD},
    {"mutex", SHAPE_MUTEX},
    {"timed_mutex", SHAPE_MUTEX},
    {"shared_mutex", SHAPE_MUTEX},
    {"recursive_mutex", SHAPE_STRUCT},
    {"lock_guard", SHAPE_LOCK},
    {"unique_lock", SHAPE_LOCK},
    {"scoped_lock", SHAPE_LOCK},
    {"condition_variable", SHAPE_SIGNAL},
    {"condition_variable_any", SHAPE_SIGNAL},
};

/* Words of the runtime and of C that are integers, and PTX's own in a test. */
static bool integer_word(const char *word, enum type *type)
{
    static const struct {
        const char *word;
        enum type type;
    } rows[] = {{"cudaError_t", TYPE_S32},
                {"cudaError", TYPE_S32},
                {"CUresult", TYPE_S32},
                {"uint", TYPE_U32},
                {"cudaMemcpyKind", TYPE_NONE},
                {"cudaStreamCaptureStatus", TYPE_S32},
                {"cudaGraphConditionalHandle", TYPE_U64},
                {"CUdeviceptr", TYPE_U64},
                {"cuuint32_t", TYPE_U32},
                {"cuuint64_t", TYPE_U64},
                {"uchar", TYPE_U8},
                {"ushort", TYPE_U16},
                {"u8", TYPE_U8},
                {"u16", TYPE_U16},
                {"u32", TYPE_U32},
                {"u64", TYPE_U64},
                {"s8", TYPE_S8},
                {"s16", TYPE_S16},
                {"s32", TYPE_S32},
                {"s64", TYPE_S64},
                {"b32", TYPE_B32},
                {"b64", TYPE_B64},
                {"f32", TYPE_F32},
                {"f64", TYPE_F64},
                {"CUdevice", TYPE_S32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0) {
            *type = rows[i].type;
            return true;
        }
    return false;
}

static enum scope scope_argument(const struct cpp_part *part)
{
    const struct cpp_argument *argument = &part->arguments[part->argument_count - 1];
    const char *word = argument->type && argument->type->kind == CPP_TYPE_NAMED
                           ? cpp_last_part(&argument->type->name)->word
                           : "";
    return strcmp(word, "thread_scope_block") == 0    ? SCOPE_CTA
           : strcmp(word, "thread_scope_device") == 0 ? SCOPE_GPU
                                                      : SCOPE_SYS;
}

static const struct code_shape *argument_shape(struct eval *e, const struct cpp_part *part)
{
    return part->argument_count && part->arguments[0].type ? eval_shape(e, part->arguments[0].type)
                                                           : eval_number_shape(e, TYPE_S32);
}

/* "atomic_int" and its like. */
static bool atomic_word(const char *word, enum type *type)
{
    static const struct {
        const char *word;
        enum type type;
    } rows[] = {
        {"atomic_bool", TYPE_U8},      {"atomic_char", TYPE_S8},      {"atomic_int", TYPE_S32},
        {"atomic_uint", TYPE_U32},     {"atomic_long", TYPE_S64},     {"atomic_ulong", TYPE_U64},
        {"atomic_llong", TYPE_S64},    {"atomic_ullong", TYPE_U64},   {"atomic_size_t", TYPE_U64},
        {"atomic_int32_t", TYPE_S32},  {"atomic_uint32_t", TYPE_U32}, {"atomic_int64_t", TYPE_S64},
        {"atomic_uint64_t", TYPE_U64}, {"atomic_flag", TYPE_U32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0) {
            *type = rows[i].type;
            return true;
        }
    return false;
}

static const struct code_shape *atomic_shape(struct eval *e, const struct cpp_part *part)
{
    struct code_shape shape = *argument_shape(e, part);
    shape.is_atomic = true;
    shape.scope = part->argument_count ? scope_argument(part) : SCOPE_SYS;
    return new_shape(e, shape);
}

static bool is_object(const struct parser *p, const char *word, enum host_object_kind *kind)
{
    static const struct {
        const char *word;
        enum host_object_kind kind;
    } driver[] = {{"CUstream", HOST_STREAM},
                  {"CUevent", HOST_EVENT},
                  {"CUgraph", HOST_GRAPH},
                  {"CUgraphExec", HOST_GRAPH_EXEC},
                  {"CUgraphNode", HOST_NODE}};
    (void)p;
    for (uint32_t i = 0; i < HOST_OBJECT_KINDS; i++)
        if (strcmp(word, host_object_rows[i].type) == 0) {
            *kind = (enum host_object_kind)i;
            return true;
        }
    for (size_t i = 0; i < sizeof driver / sizeof *driver; i++)
        if (strcmp(word, driver[i].word) == 0) {
            *kind = driver[i].kind;
            return true;
        }
    return false;
}

/* In the code of a template its own name means what is made of it. */
static bool bound_shape(struct eval *e, const struct cpp_part *part,
                        const struct structure *structure, struct code_shape *shape)
{
    const struct code_cell *self = part->argument_count ? NULL : eval_self(e);
    if (!self || !self->shape->structure)
        return eval_bound_arguments(e, part, structure, shape);
    struct class_levels levels = eval_levels(e, self->shape);
    for (uint32_t i = 0; i < levels.of.len; i++)
        if (levels.of.at[i]->structure == structure) {
            *shape = *levels.of.at[i];
            return true;
        }
    return eval_bound_arguments(e, part, structure, shape);
}

/* "Buffer<int>::value_type"; NULL: it is none of a class. */
static const struct code_shape *member_type(struct eval *e, const struct cpp_name *name)
{
    const struct cpp_part *last = cpp_last_part(name);
    const struct structure *of = name->part_count > 1 ? eval_structure(e, last[-1].word) : NULL;
    struct code_shape shape = {.kind = SHAPE_STRUCT, .structure = of};
    if (!of || !of->is_own || !eval_bound_arguments(e, &last[-1], of, &shape))
        return NULL;
    struct class_opening opening = eval_open_class(e, &shape);
    const struct type_name *found = NULL;
    for (uint32_t i = opening.types; i < e->type_names.len; i++)
        if (strcmp(e->type_names.at[i].name, last->word) == 0)
            found = &e->type_names.at[i];
    const struct code_shape *is = found ? found->shape : NULL;
    eval_close_class(e, opening);
    return is;
}

/* Types of libraries that are no classes, or plain ones. */
static const char *const plain_words[] = {"dim3",         "vector",      "array",
                                          "atomic",       "atomic_ref",  "function",
                                          "atomic_flag",  "uint2",       "initializer_list",
                                          "deque",        "string",      "duration",
                                          "time_point",   "nanoseconds", "microseconds",
                                          "milliseconds", "seconds",     "string_view",
                                          "int2",         "uint3",       "int3",
                                          "uint4",        "int4",        "float2",
                                          "float3",       "float4"};

static bool is_plain_word(const char *word)
{
    for (size_t i = 0; i < sizeof plain_words / sizeof *plain_words; i++)
        if (strcmp(word, plain_words[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof named_kinds / sizeof *named_kinds; i++)
        if (strcmp(word, named_kinds[i].word) == 0)
            return true;
    return false;
}

static bool is_runtime_type(const struct eval *e, const char *word)
{
    enum host_object_kind object;
    enum type type;
    return strncmp(word, "cuda", 4) == 0 || strncmp(word, "CU", 2) == 0 ||
           is_object(e->p, word, &object) || integer_word(word, &type) || atomic_word(word, &type);
}

/* What is known of a type that no structure of the program declares. */
static bool is_known_word(const struct eval *e, const char *word)
{
    return is_plain_word(word) || is_runtime_type(e, word);
}

static const struct code_shape *named_shape(struct eval *e, const struct cpp_type *type)
{
    const struct cpp_part *part = cpp_last_part(&type->name);
    struct code_shape shape = {.kind = SHAPE_STRUCT};
    const struct code_shape *inner = member_type(e, &type->name);
    if (inner)
        return inner;
    const struct type_name *other = eval_type_named(e, part->word);
    if (other && other->shape)
        return other->shape;
    bool itself = other && other->type->kind == CPP_TYPE_NAMED &&
                  strcmp(cpp_last_part(&other->type->name)->word, part->word) == 0;
    if (other && !itself)
        return eval_shape(e, other->type);
    if (is_object(e->p, part->word, &shape.object))
        shape.kind = SHAPE_OBJECT;
    else if (integer_word(part->word, &shape.type))
        shape.kind = SHAPE_NUMBER;
    else if (strcmp(part->word, "function") == 0 || strcmp(part->word, "cudaHostFn_t") == 0 ||
             strcmp(part->word, "string") == 0 || strcmp(part->word, "string_view") == 0) {
        shape.kind = SHAPE_AUTO; /* holds a function, or none; a text */
        if (part->argument_count && part->arguments[0].is_function)
            shape.signature = &part->arguments[0];
    } else if (strcmp(part->word, "atomic") == 0 || strcmp(part->word, "atomic_ref") == 0)
        return atomic_shape(e, part);
    else if (atomic_word(part->word, &shape.type)) {
        shape.kind = SHAPE_NUMBER;
        shape.is_atomic = true;
        shape.scope = SCOPE_SYS;
    } else if (strcmp(part->word, "vector") == 0 || strcmp(part->word, "deque") == 0 ||
               strcmp(part->word, "initializer_list") == 0)
        shape = (struct code_shape){.kind = SHAPE_VECTOR, .of = argument_shape(e, part)};
    else if (strcmp(part->word, "array") == 0) {
        shape = (struct code_shape){
            .kind = SHAPE_ARRAY, .of = argument_shape(e, part), .word = part->word};
        uint64_t count = 0;
        if (part->argument_count > 1 &&
            !eval_number_of_argument(e, &part->arguments[1], "the size of an array", &count))
            return NULL;
        shape.count = (uint32_t)count;
    } else {
        for (size_t i = 0; i < sizeof named_kinds / sizeof *named_kinds; i++)
            if (strcmp(part->word, named_kinds[i].word) == 0)
                shape.kind = named_kinds[i].kind;
        shape.word = part->word;
        if (shape.kind == SHAPE_THREAD && part->argument_count && part->arguments[0].type)
            shape.of = eval_shape(e, part->arguments[0].type); /* std::future<T> */
        if (shape.kind == SHAPE_STRUCT) {
            shape.structure = eval_structure(e, part->word);
            if (!shape.structure && eval_read_library(e, part->word))
                shape.structure = eval_structure(e, part->word);
        }
        shape.is_unknown = e->is_file && shape.kind == SHAPE_STRUCT && !shape.structure &&
                           !is_known_word(e, part->word) && !eval_vector_bytes(part->word);
        if (shape.structure && !eval_is_only_class(e, shape.structure, type->span))
            return NULL;
        if (shape.structure && shape.structure->head.count &&
            !bound_shape(e, part, shape.structure, &shape))
            return NULL;
    }
    return new_shape(e, shape);
}

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
    *made = (struct structure){.name = cpp_last_part(&type->name)->word, .members = type->members};
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
    if (is_plain_word(word) || eval_type_named(e, word))
        return true;
    if (structure && structure->head.count)
        return structure->is_own;
    const struct code_shape shape = {.kind = SHAPE_STRUCT, .structure = structure};
    return structure ? is_data(e, structure) && !eval_is_class(e, &shape)
                     : is_runtime_type(e, word);
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
    return shape.of ? new_shape(e, shape) : NULL;
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

const struct code_shape *eval_shape(struct eval *e, const struct cpp_type *type)
{
    struct code_shape shape = {.kind = SHAPE_NUMBER};
    switch (type->kind) {
    case CPP_TYPE_VOID:
        shape.kind = SHAPE_VOID;
        break;
    case CPP_TYPE_AUTO: {
        const struct code_shape *is = type->value ? eval_static_shape(e, type->value) : NULL;
        if (is)
            return is;
        shape.kind = SHAPE_AUTO;
        break;
    }
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
        return named_shape(e, type);
    case CPP_TYPE_REFERENCE:
        return eval_shape(e, type->to);
    case CPP_TYPE_POINTER:
        shape.kind = SHAPE_POINTER;
        shape.of = eval_shape(e, type->to);
        if (!shape.of)
            return NULL;
        if (shape.of->kind == SHAPE_ARRAY && !shape.of->count) /* "T *" where T is "int[]" */
            shape.of = shape.of->of;
        if (is_handle(shape.of, &shape.object))
            shape.kind = SHAPE_OBJECT;
        break;
    case CPP_TYPE_ARRAY:
        return array_shape(e, type);
    }
    if (type->is_volatile && shape.kind == SHAPE_NUMBER) {
        shape.is_atomic = true; /* relaxed, at system scope: see eval_read */
        shape.scope = SCOPE_NONE;
    }
    return new_shape(e, shape);
}
