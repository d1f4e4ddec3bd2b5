/* SPDX-License-Identifier: MIT */
#include "litmus/parse/vars.h"

#include "litmus/parse/location.h"

/* Declarations in PTX's own words (PTX 5.4): ".reg .b32 %r<8>;", ".shared .align 4 .u32 s[64];",
 * ".global .u64 x = 1;", parameters. */

enum {
    MAX_REGISTERS = 1 << 20,
    MAX_PARAM_BYTES = 32764, /* PTX 7.1 and newer: 32,764 bytes from sm_70 on */
};

static bool declared_type(struct parser *p, enum type *type)
{
    if (parse_at(p, TOKEN_DOTWORD) && parse_type_word(p, p->token.span, type)) {
        parse_advance(p);
        return true;
    }
    if (parse_at_word(p, ".texref") || parse_at_word(p, ".samplerref") ||
        parse_at_word(p, ".surfref"))
        parse_error(p, unsupported_directive, p->token.span,
                    "a kernel takes the handle of a texture or surface as a parameter",
                    "%s is not supported", parse_token_text(p, p->token));
    else
        parse_unexpected(p, "a type such as .u32");
    return false;
}

/* "%r<15>" or "%r1"; '<' of a range is the comparison's token. */
static bool one_register(struct parser *p, struct raw_reg reg)
{
    reg.name = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of a register"))
        return false;
    if (parse_accept(p, '<')) {
        if (!parse_count(p, "the number of registers", MAX_REGISTERS, &reg.count) ||
            !parse_expect(p, '>', "'>'"))
            return false;
        if (!reg.count) {
            parse_error(p, bad_array, reg.name, NULL, "a range of no registers");
            return false;
        }
    }
    vec_push(p->arena, &parse_body(p)->regs, reg);
    return true;
}

bool parse_registers(struct parser *p)
{
    struct raw_reg reg = {.block = p->block};
    if (parse_at_word(p, ".v2") || parse_at_word(p, ".v4")) {
        parse_error(p, unsupported_directive, p->token.span, NULL,
                    "vector registers are not supported");
        return false;
    }
    if (!declared_type(p, &reg.type))
        return false;
    do
        if (!one_register(p, reg))
            return false;
    while (parse_accept(p, ','));
    return true;
}

/* "(19, 95)": the identity of unified memory, which changes nothing here. */
static bool identity(struct parser *p)
{
    uint64_t number;
    return parse_expect(p, '(', "'('") && parse_integer(p, &number) &&
           parse_expect(p, ',', "','") && parse_integer(p, &number) && parse_expect(p, ')', "')'");
}

static bool attribute(struct parser *p, bool *managed)
{
    *managed = parse_accept_word(p, ".managed");
    if (*managed)
        return true;
    if (parse_accept_word(p, ".unified"))
        return identity(p);
    parse_unexpected(p, "the attribute .managed or .unified(…)");
    return false;
}

/* ".attribute(.managed, .unified(19, 95))" (PTX 5.4.8), or nothing. */
static bool attributes(struct parser *p, bool *managed)
{
    *managed = false;
    if (!parse_accept_word(p, ".attribute"))
        return true;
    if (!parse_expect(p, '(', "'('"))
        return false;
    do {
        bool one;
        if (!attribute(p, &one))
            return false;
        *managed = *managed || one;
    } while (parse_accept(p, ','));
    return parse_expect(p, ')', "')'");
}

bool parse_function_attributes(struct parser *p)
{
    bool managed;
    return attributes(p, &managed);
}

/* ".align 4 .b8", also ".b8 .align 4" and ".v4 .f32". */
static bool type_and_alignment(struct parser *p, struct location *location)
{
    bool managed;
    if (!attributes(p, &managed) || !parse_alignment(p, &location->align))
        return false;
    if (managed)
        location->memory = MEMORY_MANAGED;
    parse_vector(p, location);
    if (!declared_type(p, &location->type) || !parse_alignment(p, &location->align))
        return false;
    if (location->type == TYPE_PRED) {
        parse_unexpected(p, "a type that memory can hold");
        return false;
    }
    parse_vector_alignment(location);
    return true;
}

/* Memory of threads and CTAs begins with anything; here it is zero (PTX 5.4.4: .global and .const alone have initial values). */
static bool may_have_values(struct parser *p, struct span name, enum space space)
{
    if (!parse_at(p, '=') || space == SPACE_GLOBAL || space == SPACE_CONST)
        return true;
    parse_error(p, unexpected_token, p->token.span, "assign it in the code",
                "'%s' is neither in .global nor in .const: it has no initial value",
                parse_text(p, name));
    return false;
}

/* One name of a declaration with its array size and initial value. */
static bool one_variable(struct parser *p, struct location location, bool external)
{
    struct span name = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of a variable"))
        return false;
    uint32_t index = parse_declare_location(p, name, location);
    bool open = parse_at(p, '[') && p->next.kind == ']';
    if (external && open && location.space == SPACE_SHARED) {
        parse_advance(p);
        parse_advance(p);
        p->locations.at[index].dynamic = p->locations.at[index].array = true;
        return true;
    }
    if (external) {
        parse_error(p, unsupported_directive, name, NULL,
                    "'%s' is defined elsewhere: only '.extern .shared %s[]' has a meaning here",
                    parse_text(p, name), parse_text(p, name));
        return false;
    }
    struct location complete = p->locations.at[index];
    bool sized, good = parse_array_size(p, &complete, &sized) &&
                       may_have_values(p, name, location.space) &&
                       parse_initializer(p, &complete, sized);
    p->locations.at[index] = complete;
    return good;
}

bool parse_variables(struct parser *p, enum space space, bool external)
{
    struct location location = test_location();
    location.space = space;
    if (!type_and_alignment(p, &location))
        return false;
    do
        if (!one_variable(p, location, external))
            return false;
    while (parse_accept(p, ','));
    return true;
}

/* ".ptr .global .align 1": what a pointer parameter points to; it changes nothing here. */
static bool pointer_attributes(struct parser *p)
{
    enum space space;
    uint32_t align;
    if (!parse_accept_word(p, ".ptr"))
        return true;
    parse_space(p, &space);
    return parse_alignment(p, &align);
}

/* Places the parameter at the first fitting offset from '*offset' on, which moves behind it. */
static bool parameter(struct parser *p, struct param *read, uint32_t *offset)
{
    struct param param = {.span = p->token.span};
    uint32_t align = 0, count = 1;
    parse_accept_word(p, ".param");
    if (!parse_alignment(p, &align))
        return false;
    if (!parse_type_word(p, p->token.span, &param.type)) {
        parse_unexpected(p, "a parameter such as '.param .u64 name'");
        return false;
    }
    parse_advance(p);
    if (!pointer_attributes(p))
        return false;
    param.name = parse_text(p, p->token.span);
    param.span = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of the parameter"))
        return false;
    if (!parse_index(p, "the size", MAX_PARAM_BYTES, &count))
        return false;
    param.bytes = count * type_bytes(param.type);
    align = align ? align : type_bytes(param.type);
    param.offset = (*offset + align - 1) / align * align;
    *offset = param.offset + param.bytes;
    if (*offset > MAX_PARAM_BYTES) {
        parse_error(p, number_out_of_range, param.span, NULL, "parameters take at most %d bytes",
                    MAX_PARAM_BYTES);
        return false;
    }
    *read = param;
    return true;
}

static bool kernel_parameter(struct parser *p)
{
    struct raw_body *body = parse_body(p);
    struct param param;
    if (!parameter(p, &param, &body->param_bytes))
        return false;
    vec_push(p->arena, &body->params, param);
    return true;
}

bool parse_parameters(struct parser *p)
{
    return parse_list(p, "'(' and the parameters", kernel_parameter);
}

bool parse_frame_variable(struct parser *p)
{
    struct raw_body *body = parse_body(p);
    struct raw_frame_variable variable = {.block = p->block};
    if (parse_at_word(p, ".reg")) {
        body->in_registers = true;
        parse_error(p, unsupported_directive, p->token.span,
                    "compilers pass everything in .param variables",
                    "registers as parameters of functions are not supported");
        return false;
    }
    if (!parameter(p, &variable.param, &body->frame_bytes))
        return false;
    vec_push(p->arena, &body->frame, variable);
    return true;
}

bool parse_frame_list(struct parser *p)
{
    return parse_list(p, "'('", parse_frame_variable);
}
