/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* What the names of types mean: of the runtime, of the libraries of C++, of the file. */

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
    return eval_new_shape(e, shape);
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

bool eval_is_plain_word(const char *word)
{
    for (size_t i = 0; i < sizeof plain_words / sizeof *plain_words; i++)
        if (strcmp(word, plain_words[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof named_kinds / sizeof *named_kinds; i++)
        if (strcmp(word, named_kinds[i].word) == 0)
            return true;
    return false;
}

bool eval_is_runtime_type(const struct eval *e, const char *word)
{
    enum host_object_kind object;
    enum type type;
    return strncmp(word, "cuda", 4) == 0 || strncmp(word, "CU", 2) == 0 ||
           is_object(e->p, word, &object) || integer_word(word, &type) || atomic_word(word, &type);
}

/* What is known of a type that no structure of the program declares. */
static bool is_known_word(const struct eval *e, const char *word)
{
    return eval_is_plain_word(word) || eval_is_runtime_type(e, word);
}

/* Is it another name of a type? *shape: what that is, or NULL after a report. */
static bool is_alias(struct eval *e, const struct cpp_part *part, const struct code_shape **shape)
{
    const struct type_name *other = eval_type_named(e, part->word);
    if (!other)
        return false;
    if (other->shape) {
        *shape = other->shape;
        return true;
    }
    bool itself = other->type->kind == CPP_TYPE_NAMED &&
                  strcmp(cpp_last_part(&other->type->name)->word, part->word) == 0;
    *shape = itself ? NULL : eval_shape(e, other->type);
    return !itself;
}

/* A word that means one number, object, function or text; false: it is none of these. */
static bool simple_shape(struct eval *e, const struct cpp_part *part, struct code_shape *shape)
{
    bool function = strcmp(part->word, "function") == 0 || strcmp(part->word, "cudaHostFn_t") == 0;
    bool text = strcmp(part->word, "string") == 0 || strcmp(part->word, "string_view") == 0;
    if (is_object(e->p, part->word, &shape->object))
        shape->kind = SHAPE_OBJECT;
    else if (integer_word(part->word, &shape->type))
        shape->kind = SHAPE_NUMBER;
    else if (function || text) {
        shape->kind = SHAPE_AUTO; /* holds a function, or none; a text */
        shape->is_text = text;
        shape->word = text ? part->word : NULL;
        if (part->argument_count && part->arguments[0].is_function)
            shape->signature = &part->arguments[0];
    } else if (atomic_word(part->word, &shape->type)) {
        shape->kind = SHAPE_NUMBER;
        shape->is_atomic = true;
        shape->scope = SCOPE_SYS;
    } else
        return false;
    return true;
}

static const struct code_shape *array_shape(struct eval *e, const struct cpp_part *part)
{
    struct code_shape shape = {
        .kind = SHAPE_ARRAY, .of = argument_shape(e, part), .word = part->word};
    uint64_t count = 0;
    if (part->argument_count > 1 &&
        !eval_number_of_argument(e, &part->arguments[1], "the size of an array", &count))
        return NULL;
    shape.count = (uint32_t)count;
    return eval_new_shape(e, shape);
}

static bool is_vector_word(const char *word)
{
    return strcmp(word, "vector") == 0 || strcmp(word, "deque") == 0 ||
           strcmp(word, "initializer_list") == 0;
}

/* A class of the file or of the library, a thread and its like, or a structure of which nothing is known. */
static const struct code_shape *class_shape(struct eval *e, const struct cpp_part *part,
                                            struct span span)
{
    struct code_shape shape = {.kind = SHAPE_STRUCT, .word = part->word};
    for (size_t i = 0; i < sizeof named_kinds / sizeof *named_kinds; i++)
        if (strcmp(part->word, named_kinds[i].word) == 0)
            shape.kind = named_kinds[i].kind;
    if (shape.kind == SHAPE_THREAD && part->argument_count && part->arguments[0].type)
        shape.of = eval_shape(e, part->arguments[0].type); /* std::future<T> */
    if (shape.kind == SHAPE_STRUCT) {
        shape.structure = eval_structure(e, part->word);
        if (!shape.structure && eval_read_library(e, part->word))
            shape.structure = eval_structure(e, part->word);
        shape.structure = eval_version_of_threads(e, shape.structure, part);
    }
    shape.is_unknown = e->is_file && shape.kind == SHAPE_STRUCT && !shape.structure &&
                       !is_known_word(e, part->word) && !eval_vector_bytes(part->word);
    if (shape.structure && !eval_is_only_class(e, shape.structure, span))
        return NULL;
    if (shape.structure && shape.structure->head.count &&
        !bound_shape(e, part, shape.structure, &shape))
        return NULL;
    return eval_new_shape(e, shape);
}

const struct code_shape *eval_named_shape(struct eval *e, const struct cpp_type *type)
{
    const struct cpp_part *part = cpp_last_part(&type->name);
    struct code_shape shape = {.kind = SHAPE_STRUCT};
    const struct code_shape *inner = member_type(e, &type->name);
    if (inner || is_alias(e, part, &inner))
        return inner;
    if (strcmp(part->word, "atomic") == 0 || strcmp(part->word, "atomic_ref") == 0)
        return atomic_shape(e, part);
    if (strcmp(part->word, "array") == 0)
        return array_shape(e, part);
    if (is_vector_word(part->word))
        shape = (struct code_shape){
            .kind = SHAPE_VECTOR, .of = argument_shape(e, part), .word = part->word};
    else if (!simple_shape(e, part, &shape))
        return class_shape(e, part, type->span);
    return eval_new_shape(e, shape);
}
