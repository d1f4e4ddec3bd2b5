/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"

#include <string.h>

#include "litmus/parse/launch.h"
#include "litmus/test/launch.h"

/* Launches of kernels: "first: K<<<dim3(2, 1), 64, 0, s>>>(x, 5)", and the calls that launch. */

/* ---- sizes ---------------------------------------------------------------------------------- */

static bool one_size(struct eval *e, const struct code_value *value, struct span span,
                     uint32_t *size)
{
    if (value->kind != VALUE_NUMBER)
        return value->kind == VALUE_NOTHING || eval_needs(e, value, span, "a size of the grid");
    if (value->number && value->number <= LAUNCH_LARGEST_SIZE) {
        *size = (uint32_t)value->number;
        return true;
    }
    if (!value->number)
        eval_error(e, bad_launch, span, NULL, "a size is at least 1");
    else
        eval_error(e, bad_launch, span, NULL, "a size is at most %d", LAUNCH_LARGEST_SIZE);
    return false;
}

bool eval_launch_sizes_of(struct eval *e, const struct code_value *value, struct span span,
                          struct dim3 *dim)
{
    *dim = (struct dim3){1, 1, 1};
    if (value->kind != VALUE_CELL)
        return one_size(e, value, span, &dim->x);
    return one_size(e, &eval_member(e, value->cell, "x")->value, span, &dim->x) &&
           one_size(e, &eval_member(e, value->cell, "y")->value, span, &dim->y) &&
           one_size(e, &eval_member(e, value->cell, "z")->value, span, &dim->z);
}

/* "(8, 8, 1)" lists the sizes. */
static bool listed(struct eval *e, const struct cpp_expr *expr, uint32_t *sizes, uint32_t *count)
{
    struct code_value value;
    if (expr->kind == CPP_BINARY && expr->mark == CPP_MARK_COMMA)
        return listed(e, expr->kids[0], sizes, count) && listed(e, expr->kids[1], sizes, count);
    if (*count == 3) {
        eval_error(e, bad_launch, expr->span, NULL, "a grid has three sizes");
        return false;
    }
    return eval_value(e, expr, &value) && one_size(e, &value, expr->span, &sizes[(*count)++]);
}

bool eval_launch_sizes(struct eval *e, const struct cpp_expr *expr, struct dim3 *dim)
{
    struct code_value value;
    uint32_t all[3] = {1, 1, 1}, count = 0;
    if (expr->kind == CPP_LIST) {
        for (uint32_t i = 0; i < expr->kid_count; i++)
            if (!listed(e, expr->kids[i], all, &count))
                return false;
    } else if (expr->kind == CPP_BINARY && expr->mark == CPP_MARK_COMMA) {
        if (!listed(e, expr, all, &count))
            return false;
    } else
        return eval_value(e, expr, &value) && eval_launch_sizes_of(e, &value, expr->span, dim);
    *dim = (struct dim3){all[0], all[1], all[2]};
    return true;
}

/* ---- arguments ------------------------------------------------------------------------------ */

static struct operand operand(enum operand_kind kind, uint64_t value, struct span span)
{
    return (struct operand){.kind = kind,
                            .reg = NONE,
                            .location = NONE,
                            .target = NONE,
                            .param = NONE,
                            .value = value,
                            .span = span};
}

static bool passed(struct eval *e, const struct code_value *value, struct span span,
                   struct operand *to)
{
    struct host_memory memory;
    switch (value->kind) {
    case VALUE_NUMBER:
        *to = operand(OPERAND_IMM, value->number, span);
        return true;
    case VALUE_FLOAT:
        *to = operand(OPERAND_IMM, eval_float_bits(value, value->type), span);
        return true;
    case VALUE_ADDRESS:
        if (!eval_memory_of(e, value, span, &memory))
            return false;
        *to = operand(OPERAND_SYMBOL, memory.element, span);
        to->location = memory.location;
        return true;
    case VALUE_REGISTER:
        eval_error(e, host_argument, span, "compute it from constants, or pass an address",
                   "a kernel's argument must be known: '%s' depends on what the program reads",
                   eval_text(e, span));
        return false;
    case VALUE_OBJECT:
        eval_error(e, host_argument, span,
                   "launch the graph from the host, and use streams and events there",
                   "'%s' is an object of the host: kernels that use one are not modelled",
                   eval_text(e, span));
        return false;
    default:
        return eval_needs(e, value, span, "a number or an address");
    }
}

/* A float that is written without a suffix is as wide as the kernel's parameter. */
static enum type parameter_type(const struct eval *e, uint32_t kernel, uint32_t index)
{
    const struct raw_body *body = kernel == NONE ? NULL : &e->p->raws.at[kernel];
    return body && index < body->params.len ? body->params.at[index].type : TYPE_NONE;
}

static uint64_t parameter_bytes(const struct eval *e, uint32_t kernel, uint32_t index)
{
    const struct raw_body *body = kernel == NONE ? NULL : &e->p->raws.at[kernel];
    return body && index < body->params.len ? body->params.at[index].bytes : 0;
}

bool eval_bits_of_parameter(struct eval *e, uint32_t kernel, uint32_t index,
                            struct code_value *value, struct span span)
{
    enum type type = parameter_type(e, kernel, index);
    bool floats = value->kind == VALUE_FLOAT;
    if (!e->is_file || (!floats && value->kind != VALUE_NUMBER) || type == TYPE_NONE ||
        value->type == TYPE_NONE)
        return true;
    bool same = type_is_float(type) == floats || type_is_bits(type);
    if (same && type_bytes(type) == type_bytes(value->type))
        return true;
    if (type_is_float(type) || type_bytes(type) > type_bytes(value->type)) {
        struct code_value unknown = {.kind = VALUE_UNKNOWN, .name = span};
        return eval_needs(e, &unknown, span, "of the type of the kernel's parameter");
    }
    uint64_t bits = floats ? eval_float_bits(value, value->type) : value->number;
    *value = eval_number(eval_fit(bits, type), type);
    return true;
}

bool eval_add_launch_argument(struct eval *e, struct launch *launch, uint32_t kernel,
                              const struct code_value *value, struct span span)
{
    struct code_value is = *value;
    uint32_t index = launch->arg_count++;
    if (!eval_convert(e, &is, NULL, span))
        return false;
    if (e->is_file && eval_is_passed_by_value(&is))
        return eval_pass_by_value(e, &is, parameter_bytes(e, kernel, index), span,
                                  &launch->args[index]);
    enum type type = parameter_type(e, kernel, index);
    bool integer =
        type != TYPE_NONE && !type_is_float(type) && !type_is_half(type) && !type_is_bits(type);
    if (is.kind == VALUE_FLOAT && type == TYPE_F32)
        is.type = TYPE_F32;
    else if (is.kind == VALUE_FLOAT && e->is_file && integer &&
             !eval_cast(e, &is, eval_number_shape(e, type), span))
        return false;
    if (is.kind == VALUE_NUMBER && type_is_float(type))
        is = (struct code_value){.kind = VALUE_NUMBER, .number = eval_float_bits(&is, type)};
    return passed(e, &is, span, &launch->args[index]);
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool label_is_taken(const struct eval *e, const char *label)
{
    for (uint32_t i = 0; i < e->p->launches.len; i++)
        if (strcmp(e->p->launches.at[i].label, label) == 0)
            return true;
    return false;
}

/* The second launch of K is K#2. */
static const char *unique_label(const struct eval *e, const char *name)
{
    const char *label = name;
    for (uint32_t number = 2; label_is_taken(e, label); number++)
        label = arena_printf(e->arena, "%s#%u", name, number);
    return label;
}

uint32_t eval_add_launch(struct eval *e, struct launch launch, const char *label,
                         struct span kernel, struct span span)
{
    launch.label = unique_label(e, label);
    launch.span = span;
    gap_launch(e, &launch, eval_text(e, kernel));
    vec_push(e->arena, &e->p->launches, launch);
    vec_push(e->arena, &e->p->launch_kernels, kernel);
    return e->p->launches.len - 1;
}

/* ---- K<<<…>>>(…) ---------------------------------------------------------------------------- */

/* The name without template arguments, in 'use'; or the kernel, if a variable says which it is. */
static bool kernel_named(struct eval *e, const struct cpp_expr *expr, struct kernel_use *use,
                         uint32_t *kernel)
{
    struct code_value value;
    struct span *name = &use->name;
    *kernel = NONE;
    const char *word = eval_word(expr);
    struct code_cell *cell = word ? eval_find(e, word) : NULL;
    *name = expr->span;
    if (!cell && expr->kind == CPP_NAME) {
        const struct cpp_part *last = cpp_last_part(&expr->name);
        *name = (struct span){expr->span.offset, (uint32_t)strlen(last->word)};
        for (uint32_t i = 0; i + 1 < expr->name.part_count; i++)
            name->offset += (uint32_t)strlen(expr->name.parts[i].word) + 2;
        use->written = &expr->name;
        uint32_t matches, gap = gap_of_word(e, last->word);
        bool known = !gap || parse_find_kernel(e->p, last->word, &matches) != NONE;
        struct code_value unknown = gap_value(gap, expr->span);
        return known || eval_needs(e, &unknown, expr->span, "a kernel");
    }
    if (!eval_value(e, expr, &value))
        return false;
    *name = value.name;
    if (value.kind != VALUE_KERNEL)
        return eval_needs(e, &value, expr->span, "a kernel");
    *kernel = value.kernel;
    return true;
}

static bool shape(struct eval *e, const struct cpp_expr *expr, struct launch *launch,
                  uint32_t *stream)
{
    uint64_t bytes = 0;
    *stream = NONE;
    if (expr->launch_count < 2) {
        eval_error(e, bad_launch, expr->span, NULL,
                   "a launch needs the sizes of the grid and of a block: K<<<1, 32>>>()");
        return false;
    }
    if (!eval_launch_sizes(e, expr->kids[1], &launch->grid) ||
        !eval_launch_sizes(e, expr->kids[2], &launch->block))
        return false;
    if (expr->launch_count > 2 &&
        !eval_known_number(e, expr->kids[3], "the bytes of dynamic shared memory", &bytes))
        return false;
    if (bytes > 228 * 1024) {
        eval_error(e, number_out_of_range, expr->kids[3]->span, NULL,
                   "the bytes of dynamic shared memory are at most %d", 228 * 1024);
        return false;
    }
    launch->dynamic_shared_bytes = (uint32_t)bytes;
    return expr->launch_count < 4 || eval_object(e, expr->kids[4], HOST_STREAM, stream);
}

/* The memory synchronization domain of a kernel (CUDA programming guide, memory synchronization domains). */
bool eval_set_domain(struct eval *e, uint64_t domain, struct span span, struct launch *launch)
{
    launch->domain = (uint32_t)domain;
    if (domain < LAUNCH_DOMAINS)
        return true;
    eval_error(e, number_out_of_range, span, NULL,
               "there are %d memory synchronization domains, from 0 on", LAUNCH_DOMAINS);
    return false;
}

static bool words(struct eval *e, const struct cpp_expr *expr, struct launch *launch)
{
    uint64_t gpu = 0, domain = 0;
    const struct cpp_expr *named = expr->launch->domain;
    launch->cooperative = expr->launch->cooperative;
    launch->programmatic = expr->launch->programmatic;
    if (expr->launch->gpu && !eval_known_number(e, expr->launch->gpu, "the number of a gpu", &gpu))
        return false;
    launch->gpu = (uint32_t)gpu;
    if (named && (!eval_known_number(e, named, "the number of a domain", &domain) ||
                  !eval_set_domain(e, domain, named->span, launch)))
        return false;
    return !expr->launch->cluster || eval_launch_sizes(e, expr->launch->cluster, &launch->cluster);
}

/* The arguments' values and types, as far as they are known. */
static bool given_arguments(struct eval *e, const struct cpp_expr *const *exprs, uint32_t count,
                            struct code_value *values, struct kernel_use *use)
{
    const struct code_shape **shapes = ARENA_ARRAY(e->arena, const struct code_shape *, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!eval_address(e, exprs[i], &values[i]))
            return false;
        shapes[i] = eval_static_shape(e, exprs[i]);
    }
    use->shapes = shapes;
    use->count = count;
    use->has_arguments = true;
    return true;
}

bool eval_launch(struct eval *e, const struct cpp_expr *expr, uint32_t *index, uint32_t *stream)
{
    struct launch launch = {.kernel = NONE, .cluster = {1, 1, 1}};
    struct kernel_use use = {0};
    uint32_t first = 1 + expr->launch_count, count = expr->kid_count - first;
    struct code_value *values = ARENA_ARRAY(e->arena, struct code_value, count);
    if (!kernel_named(e, expr->kids[0], &use, &launch.kernel) || !shape(e, expr, &launch, stream) ||
        !words(e, expr, &launch) || !given_arguments(e, expr->kids + first, count, values, &use) ||
        (launch.kernel == NONE && !eval_choose_kernel(e, &use, &launch.kernel)))
        return false;
    launch.args = ARENA_ARRAY(e->arena, struct operand, count);
    for (uint32_t i = 0; i < count; i++)
        if (!eval_add_launch_argument(e, &launch, launch.kernel, &values[i],
                                      expr->kids[first + i]->span))
            return false;
    const char *label = expr->launch->label ? expr->launch->label : eval_text(e, use.name);
    *index = eval_add_launch(e, launch, label, use.name, expr->span);
    return true;
}

bool eval_launch_call(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to)
{
    struct host_call call = eval_blank_call(e, host_call_rows);
    *to = eval_number(0, TYPE_S32);
    const struct cpp_expr *event = expr->launch->event;
    return e->is_dead || (eval_launch(e, expr, &call.launch, &call.stream) &&
                          (!event || eval_object(e, event, HOST_EVENT, &call.event)) &&
                          eval_add_call(e, call, used, expr->span, to));
}
