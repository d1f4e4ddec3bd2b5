/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/test/launch.h"
#include "litmus/parse/parser.h"

/* Launches: "K1: add<<<(2,1,1), 64, 1024>>>(x, 5) @ gpu 1 cluster 2;". */

bool at_launch(const struct parser *parser)
{
    return at(parser, TOKEN_WORD) &&
           (parser->next.kind == TOKEN_LAUNCH || parser->next.kind == ':');
}

/* "64" or "(8, 8, 1)"; what is left out is 1. */
bool parse_dim3(struct parser *parser, struct dim3 *dim)
{
    uint64_t sizes[3] = {1, 1, 1};
    bool many = accept(parser, '(');
    struct span span = parser->token.span;
    for (int i = 0; i < 3; i++) {
        if (!expect_number(parser, "a size", LAUNCH_LARGEST_SIZE, &sizes[i]))
            return false;
        if (!many || i == 2 || !accept(parser, ','))
            break;
    }
    *dim = (struct dim3){(uint32_t)sizes[0], (uint32_t)sizes[1], (uint32_t)sizes[2]};
    if (many && !expect(parser, ')', "')'"))
        return false;
    if (dim->x && dim->y && dim->z)
        return true;
    parse_error(parser, bad_launch, span, NULL, "a size is at least 1");
    return false;
}

/* 5, -5, 1.5, x, &x or x+4 … */
static bool argument(struct parser *parser, struct operand *to)
{
    *to = (struct operand){.kind = OPERAND_IMM,
                           .reg = NONE,
                           .location = NONE,
                           .target = NONE,
                           .param = NONE,
                           .span = parser->token.span};
    bool ampersand = accept(parser, '&');
    if (at(parser, TOKEN_WORD)) {
        to->kind = OPERAND_SYMBOL;
        to->location = location_of(parser, parser->token.span);
        advance(parser);
        return !accept(parser, '+') || parse_integer(parser, &to->value);
    }
    if (!ampersand && (at(parser, TOKEN_FLOAT32) || at(parser, TOKEN_FLOAT64))) {
        to->value = parser->token.value;
        advance(parser);
        return true;
    }
    if (!ampersand)
        return parse_integer(parser, &to->value);
    unexpected(parser, "the name of a location");
    return false;
}

static bool arguments(struct parser *parser, struct launch *launch)
{
    VEC(struct operand) args = {0};
    if (!expect(parser, '(', "'(' and the arguments"))
        return false;
    if (accept(parser, ')'))
        return true;
    do {
        struct operand arg;
        if (!argument(parser, &arg))
            return false;
        vec_push(parser->arena, &args, arg);
    } while (accept(parser, ','));
    launch->args = args.at;
    launch->arg_count = args.len;
    return expect(parser, ')', "')' or ','");
}

static bool shape(struct parser *parser, struct launch *launch)
{
    uint64_t shared = 0;
    if (!expect(parser, TOKEN_LAUNCH, "'<<<'") || !parse_dim3(parser, &launch->grid) ||
        !expect(parser, ',', "','") || !parse_dim3(parser, &launch->block))
        return false;
    if (accept(parser, ',') &&
        !expect_number(parser, "the bytes of dynamic shared memory", 228 * 1024, &shared))
        return false;
    launch->dynamic_shared_bytes = (uint32_t)shared;
    parser->launch_stream = (struct span){0, 0};
    if (accept(parser, ',')) {
        parser->launch_stream = parser->token.span;
        if (!accept(parser, TOKEN_NUMBER) && !expect(parser, TOKEN_WORD, "a stream"))
            return false;
    }
    return expect(parser, TOKEN_LAUNCH_END, "'>>>'");
}

static bool attributes(struct parser *parser, struct launch *launch)
{
    for (;;) {
        uint64_t gpu;
        if (accept(parser, '@')) {
            if (!accept_word(parser, "gpu")) {
                unexpected(parser, "'gpu' and its number");
                return false;
            }
            if (!expect_number(parser, "the number of a gpu", 1 << 20, &gpu))
                return false;
            launch->gpu = (uint32_t)gpu;
        } else if (accept_word(parser, "cluster")) {
            if (!parse_dim3(parser, &launch->cluster))
                return false;
        } else if (accept_word(parser, "cooperative"))
            launch->cooperative = true;
        else if (accept_word(parser, "programmatic"))
            launch->programmatic = true;
        else
            return true;
    }
}

bool parse_launch(struct parser *parser, struct launch *launch, struct span *kernel)
{
    *launch = (struct launch){.kernel = NONE, .cluster = {1, 1, 1}};
    *kernel = parser->token.span;
    launch->label = span_text(parser, *kernel);
    if (!expect(parser, TOKEN_WORD, "the name of a kernel") || !shape(parser, launch) ||
        !arguments(parser, launch) || !attributes(parser, launch))
        return false;
    launch->span = span_until_here(parser, *kernel);
    return true;
}

bool parse_labelled_launch(struct parser *parser)
{
    struct launch launch;
    struct span kernel;
    const char *label = NULL;
    if (parser->next.kind == ':') {
        label = span_text(parser, parser->token.span);
        advance(parser);
        advance(parser);
    }
    if (!parse_launch(parser, &launch, &kernel))
        return false;
    launch.label = label ? label : launch.label;
    vec_push(parser->arena, &parser->launches, launch);
    vec_push(parser->arena, &parser->launch_kernels, kernel);
    return true;
}

void parse_top_launch(struct parser *parser)
{
    struct span start = parser->token.span;
    if (!parse_labelled_launch(parser)) {
        skip_past(parser, ';');
        return;
    }
    if (parser->launch_stream.length)
        parse_error(parser, bad_launch, start, "write the launch into 'host H { … }'",
                    "only a host program has streams");
    expect(parser, ';', "';' after the launch");
}

static void resolve(struct parser *parser, struct launch *launch, struct span kernel)
{
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < parser->raws.len; i++) {
        if (span_is(parser, kernel, parser->raws.at[i].name) && !parser->raws.at[i].column &&
            !parser->raws.at[i].function) {
            launch->kernel = i;
            return;
        }
        vec_push(parser->arena, &names, parser->raws.at[i].name);
    }
    const char *text = span_text(parser, kernel);
    const char *near = diag_nearest(text, kernel.length, names.at, names.len);
    parse_error(parser, unknown_kernel, kernel,
                near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL,
                "there is no kernel '%.60s'", text);
}

void resolve_launches(struct parser *parser)
{
    struct names labels = {.arena = parser->arena};
    for (uint32_t i = 0; i < parser->launches.len; i++) {
        struct launch *launch = &parser->launches.at[i];
        uint32_t length = (uint32_t)strlen(launch->label), other;
        resolve(parser, launch, parser->launch_kernels.at[i]);
        if (names_get(&labels, 0, launch->label, length, &other))
            parse_error(parser, duplicate_launch, launch->span,
                        "put 'NAME:' before one of them, so that conditions can tell them apart",
                        "two launches are called '%s'", launch->label);
        names_put(&labels, 0, launch->label, length, i);
    }
}
