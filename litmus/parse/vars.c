/* SPDX-License-Identifier: MIT */
#include "litmus/parse/parser.h"

/* Declarations in PTX's own words (PTX 5.4): ".reg .b32 %r<8>;", ".shared .align 4 .u32 s[64];",
 * ".global .u64 x = 1;", parameters. */

static bool declared_type(struct parser *parser, enum type *type)
{
    if (at(parser, TOKEN_DOTWORD) && type_from_word(parser, parser->token.span, type)) {
        advance(parser);
        return true;
    }
    unexpected(parser, "a type such as .u32");
    return false;
}

/* "%r<15>" or "%r1"; '<' of a range is the comparison's token. */
static bool one_register(struct parser *parser, struct raw_body *body, struct raw_reg reg)
{
    reg.name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a register"))
        return false;
    if (accept(parser, '<')) {
        uint64_t count;
        if (!expect_number(parser, "the number of registers", MAX_REGISTERS, &count) ||
            !expect(parser, '>', "'>'"))
            return false;
        reg.count = (uint32_t)count;
        if (!count) {
            parse_error(parser, bad_array, reg.name, NULL, "a range of no registers");
            return false;
        }
    }
    vec_push(parser->arena, &body->regs, reg);
    return true;
}

/* The current token is the one after '.reg'. */
bool parse_registers(struct parser *parser, struct raw_body *body, uint32_t block)
{
    struct raw_reg reg = {.block = block};
    if (at_word(parser, ".v2") || at_word(parser, ".v4")) {
        parse_error(parser, unsupported_directive, parser->token.span, NULL,
                    "vector registers are not supported");
        return false;
    }
    if (!declared_type(parser, &reg.type))
        return false;
    do
        if (!one_register(parser, body, reg))
            return false;
    while (accept(parser, ','));
    return true;
}

bool parse_alignment(struct parser *parser, uint32_t *align)
{
    uint64_t number;
    struct span span = parser->token.span;
    if (!accept_word(parser, ".align"))
        return true;
    if (!expect_number(parser, "the alignment", 1 << 16, &number))
        return false;
    *align = (uint32_t)number;
    if (number && !(number & (number - 1)))
        return true;
    parse_error(parser, bad_alignment, span, NULL, "an alignment is a power of two");
    return false;
}

/* ".align 4 .b8", also ".b8 .align 4" and ".v4 .f32". */
static bool type_and_alignment(struct parser *parser, struct location *location)
{
    uint32_t vector = 1;
    if (!parse_alignment(parser, &location->align))
        return false;
    if (accept_word(parser, ".v2"))
        vector = 2;
    else if (accept_word(parser, ".v4"))
        vector = 4;
    if (!declared_type(parser, &location->type) || !parse_alignment(parser, &location->align))
        return false;
    if (location->type == TYPE_PRED) {
        unexpected(parser, "a type that memory can hold");
        return false;
    }
    location->elements = vector;
    location->array = vector > 1;
    if (vector > 1 && !location->align)
        location->align = vector * type_bytes(location->type);
    return true;
}

static uint32_t declare_location(struct parser *parser, uint32_t body, struct span name,
                                 struct location location)
{
    const char *text = parser->source->text + name.offset;
    uint32_t index;
    if (names_get(&parser->location_names, body, text, name.length, &index)) {
        if (parser->locations.at[index].declared)
            parse_error(parser, duplicate_location, name, NULL, "location '%s' is declared twice",
                        span_text(parser, name));
    } else {
        index = parser->locations.len;
        vec_push(parser->arena, &parser->locations, location);
        names_put(&parser->location_names, body, text, name.length, index);
    }
    location.name = span_text(parser, name);
    location.declared = true;
    location.kernel = body;
    location.span = name;
    parser->locations.at[index] = location;
    return index;
}

/* One name of a declaration with its array size and initial value. */
static bool one_variable(struct parser *parser, uint32_t body, struct location location,
                         bool external)
{
    struct span name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a variable"))
        return false;
    uint32_t vector = location.elements;
    uint32_t index = declare_location(parser, body, name, location);
    bool open = at(parser, '[') && parser->next.kind == ']';
    if (external && open && location.space == SPACE_SHARED) {
        advance(parser);
        advance(parser);
        parser->locations.at[index].dynamic = parser->locations.at[index].array = true;
        return true;
    }
    if (external) {
        parse_error(parser, unsupported_directive, name, NULL,
                    "'%s' is defined elsewhere: only '.extern .shared %s[]' has a meaning here",
                    span_text(parser, name), span_text(parser, name));
        return false;
    }
    struct location complete = parser->locations.at[index];
    bool good = parse_array_and_value(parser, &complete, vector);
    parser->locations.at[index] = complete;
    return good;
}

/* The current token is the one after the space; 'body' NONE at top level. */
bool parse_variables(struct parser *parser, uint32_t body, enum space space, bool external)
{
    struct location location = blank_location();
    location.space = space;
    if (!type_and_alignment(parser, &location))
        return false;
    do
        if (!one_variable(parser, body, location, external))
            return false;
    while (accept(parser, ','));
    return true;
}

bool parse_space(struct parser *parser, enum space *space)
{
    static const struct {
        const char *word;
        enum space space;
    } spaces[] = {{".global", SPACE_GLOBAL},
                  {".shared", SPACE_SHARED},
                  {".shared::cta", SPACE_SHARED},
                  {".local", SPACE_LOCAL},
                  {".const", SPACE_CONST}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (accept_word(parser, spaces[i].word)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

/* ".ptr .global .align 1": what a pointer parameter points to; it changes nothing here. */
static bool pointer_attributes(struct parser *parser)
{
    enum space space;
    uint32_t align;
    if (!accept_word(parser, ".ptr"))
        return true;
    parse_space(parser, &space);
    return parse_alignment(parser, &align);
}

/* Places the parameter at the first fitting offset from '*offset' on, which moves behind it. */
static bool parameter(struct parser *parser, struct param *read, uint32_t *offset)
{
    struct param param = {.span = parser->token.span};
    uint32_t align = 0;
    uint64_t count = 1;
    accept_word(parser, ".param");
    if (!parse_alignment(parser, &align))
        return false;
    if (!type_from_word(parser, parser->token.span, &param.type)) {
        unexpected(parser, "a parameter such as '.param .u64 name'");
        return false;
    }
    advance(parser);
    if (!pointer_attributes(parser))
        return false;
    param.name = span_text(parser, parser->token.span);
    param.span = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of the parameter"))
        return false;
    if (accept(parser, '[') && (!expect_number(parser, "the size", MAX_PARAM_BYTES, &count) ||
                                !expect(parser, ']', "']'")))
        return false;
    param.bytes = (uint32_t)count * type_bytes(param.type);
    align = align ? align : type_bytes(param.type);
    param.offset = (*offset + align - 1) / align * align;
    *offset = param.offset + param.bytes;
    if (*offset > MAX_PARAM_BYTES) {
        parse_error(parser, number_out_of_range, param.span, NULL,
                    "parameters take at most %d bytes", MAX_PARAM_BYTES);
        return false;
    }
    *read = param;
    return true;
}

/* "(.param .u64 a, .param .u32 b)"; the current token is '('. */
bool parse_parameters(struct parser *parser, struct raw_body *body)
{
    uint32_t offset = 0;
    if (!expect(parser, '(', "'(' and the parameters"))
        return false;
    if (accept(parser, ')'))
        return true;
    do {
        struct param param;
        if (!parameter(parser, &param, &offset))
            return false;
        vec_push(parser->arena, &body->params, param);
    } while (accept(parser, ','));
    return expect(parser, ')', "')' or ','");
}

bool parse_frame_variable(struct parser *parser, struct raw_body *body, uint32_t block)
{
    struct raw_frame_variable variable = {.block = block};
    if (at_word(parser, ".reg")) {
        parse_error(parser, unsupported_directive, parser->token.span,
                    "compilers pass everything in .param variables",
                    "registers as parameters of functions are not supported");
        return false;
    }
    if (!parameter(parser, &variable.param, &body->frame_bytes))
        return false;
    vec_push(parser->arena, &body->frame, variable);
    return true;
}

bool parse_frame_list(struct parser *parser, struct raw_body *body)
{
    if (!expect(parser, '(', "'('"))
        return false;
    if (accept(parser, ')'))
        return true;
    do
        if (!parse_frame_variable(parser, body, 0))
            return false;
    while (accept(parser, ','));
    return expect(parser, ')', "')' or ','");
}
