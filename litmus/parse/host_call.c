/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/parse/parser.h"

/* Calls of the CUDA runtime. The letters of host_call.def say what each argument is. */

bool parse_at_host_call(const struct parser *parser)
{
    return parse_at(parser, TOKEN_WORD) && parser->token.span.length > 4 &&
           parser->next.kind == '(' &&
           memcmp(parser->source->text + parser->token.span.offset, "cuda", 4) == 0;
}

uint32_t parse_host_object(struct parser *parser, struct span name, enum host_object_kind kind)
{
    uint32_t index;
    const char *text = parser->source->text + name.offset;
    if (!names_get(&parser->host_names, 0, text, name.length, &index)) {
        struct host_object object = {kind, parse_text(parser, name), name};
        index = parser->host_objects.len;
        vec_push(parser->arena, &parser->host_objects, object);
        names_put(&parser->host_names, 0, text, name.length, index);
    }
    enum host_object_kind is = parser->host_objects.at[index].kind;
    if (is != kind)
        parse_error(parser, host_object, name, NULL, "'%s' is %s, not %s", parse_text(parser, name),
                    host_object_name(is), host_object_name(kind));
    return index;
}

static bool default_handle(const struct parser *parser, struct span word)
{
    return parse_text_is(parser, word, "0") || parse_text_is(parser, word, "NULL") ||
           parse_text_is(parser, word, "nullptr");
}

static uint32_t default_stream(const struct parser *parser)
{
    return parser->host.platform.per_thread_default_stream ? HOST_STREAM_PER_THREAD
                                                           : HOST_STREAM_LEGACY;
}

static uint32_t stream_of(struct parser *parser, struct span word)
{
    return default_handle(parser, word) ? default_stream(parser)
                                        : parse_host_object(parser, word, HOST_STREAM);
}

static bool object_argument(struct parser *parser, const struct host_argument *argument,
                            uint32_t *object)
{
    bool made = argument->direction == HOST_MADE, stream = argument->object == HOST_STREAM && !made;
    if (made && !parse_expect(parser, '&', "'&' and a name: the call makes it"))
        return false;
    struct span word = parser->token.span;
    if (!(stream && parse_accept(parser, TOKEN_NUMBER)) &&
        !parse_expect(parser, TOKEN_WORD, host_object_name(argument->object)))
        return false;
    *object = stream ? stream_of(parser, word) : parse_host_object(parser, word, argument->object);
    return true;
}

bool parse_known_location(struct parser *parser, struct span name, uint32_t *location)
{
    bool known = parse_find_location(parser, NONE, name, location);
    if (!known)
        parse_error(parser, unknown_name, name, "declare it between the first '{' and '}'",
                    "there is no location '%.60s'", parse_text(parser, name));
    return known;
}

/* "x", "&x", "x + 4", "x[2]": a location and an element. */
static bool memory_argument(struct parser *parser, struct host_memory *memory)
{
    parse_accept(parser, '&');
    struct span name = parser->token.span;
    if (!parse_expect(parser, TOKEN_WORD, "the name of a location"))
        return false;
    if (!parse_known_location(parser, name, &memory->location))
        return false;
    memory->element = 0;
    if (parse_accept(parser, '+'))
        return parse_count(parser, "an element's number", MAX_ELEMENTS, &memory->element);
    return parse_index(parser, "an element's number", MAX_ELEMENTS, &memory->element);
}

static bool constant_argument(struct parser *parser, enum host_constant *constant)
{
    const char *known[HOST_CONSTANT_COUNT];
    if (parse_at(parser, TOKEN_NUMBER) && parser->token.value == 0) {
        parse_advance(parser);
        return true;
    }
    for (uint32_t i = 1; i < HOST_CONSTANT_COUNT; i++) {
        known[i] = host_constant_name((enum host_constant)i);
        if (parse_accept_word(parser, known[i])) {
            *constant = (enum host_constant)i;
            return true;
        }
    }
    const char *word = parse_text(parser, parser->token.span);
    parse_error(parser, host_argument, parser->token.span,
                diag_hint(parser->arena, word, strlen(word), known + 1, HOST_CONSTANT_COUNT - 1),
                "%s is no constant of the runtime", parse_token_text(parser, parser->token));
    return false;
}

/* "{a, b}", "&a" or "NULL". */
static bool node_list(struct parser *parser, struct host_call *call)
{
    VEC(uint32_t) nodes = {0};
    bool many = parse_accept(parser, '{');
    if (!many && default_handle(parser, parser->token.span)) {
        parse_advance(parser);
        return true;
    }
    do {
        parse_accept(parser, '&');
        struct span name = parser->token.span;
        if (!parse_expect(parser, TOKEN_WORD, "a graph node"))
            return false;
        vec_push(parser->arena, &nodes, parse_host_object(parser, name, HOST_NODE));
    } while (many && parse_accept(parser, ','));
    call->dependencies = nodes.at;
    call->dependency_count = nodes.len;
    return !many || parse_expect(parser, '}', "'}'");
}

static bool function_argument(struct parser *parser)
{
    struct span name = parser->token.span;
    parser->functions_called.at[parser->functions_called.len - 1] = name;
    return parse_expect(parser, TOKEN_WORD, "the name of a host function");
}

static bool kernel_argument(struct parser *parser, uint32_t *launch)
{
    if (!parse_labelled_launch(parser))
        return false;
    *launch = parser->launches.len - 1;
    return true;
}

static bool argument(struct parser *parser, const struct host_argument *argument,
                     struct host_call *call)
{
    void *field = host_argument_field(argument, call);
    switch (argument->kind) {
    case HOST_ARGUMENT_OBJECT:
        return object_argument(parser, argument, field);
    case HOST_ARGUMENT_MEMORY:
        return memory_argument(parser, field);
    case HOST_ARGUMENT_NUMBER:
        return parse_expect_number(parser, "a number", UINT32_MAX, field);
    case HOST_ARGUMENT_CONSTANT:
        return constant_argument(parser, field);
    case HOST_ARGUMENT_FUNCTION:
        return function_argument(parser);
    case HOST_ARGUMENT_KERNEL:
        return kernel_argument(parser, field);
    case HOST_ARGUMENT_NODES:
        return node_list(parser, call);
    case HOST_ARGUMENT_COUNT:
        return parse_expect_number(parser, "how many nodes are listed", UINT32_MAX, &(uint64_t){0});
    case HOST_ARGUMENT_IGNORED:
        parse_advance(parser);
        return true;
    }
    return false;
}

static bool arguments(struct parser *parser, struct host_call *call)
{
    bool optional = false, first = true;
    for (const char *letter = call->row->arguments; *letter; letter++) {
        if (*letter == '?') {
            optional = true;
            continue;
        }
        if (optional && parse_at(parser, ')'))
            break;
        if (!first && !parse_expect(parser, ',', "',' and the next argument"))
            return false;
        if (!argument(parser, host_argument(*letter), call))
            return false;
        first = false;
    }
    return parse_expect(parser, ')', "')' after the last argument");
}

static const struct host_call_row *row_named(struct parser *parser, struct span name)
{
    const char *text = parse_text(parser, name);
    const char **known = ARENA_ARRAY(parser->arena, const char *, host_call_row_count);
    for (uint32_t i = 0; i < host_call_row_count; i++) {
        known[i] = host_call_rows[i].name;
        if (strcmp(text, known[i]) == 0)
            return &host_call_rows[i];
    }
    parse_error(parser, host_call_unknown, name,
                diag_hint(parser->arena, text, name.length, known, host_call_row_count),
                "'%.60s' is not among the calls that are modelled", text);
    return NULL;
}

static struct host_call blank_call(const struct parser *parser, const struct host_call_row *row)
{
    return (struct host_call){.row = row,
                              .host = parser->host_threads.len,
                              .stream = NONE,
                              .event = NONE,
                              .graph = NONE,
                              .exec = NONE,
                              .node = NONE,
                              .other_node = NONE,
                              .child = NONE,
                              .to = {NONE, 0},
                              .from = {NONE, 0},
                              .function = NONE,
                              .launch = NONE};
}

static uint32_t add_call(struct parser *parser, struct host_call call, struct span start)
{
    call.span = parse_span_from(parser, start);
    if (call.stream == NONE && call.row->stream == HOST_NEEDS_ANY)
        call.stream = default_stream(parser);
    vec_push(parser->arena, &parser->host_calls, call);
    return parser->host_calls.len - 1;
}

uint32_t parse_host_call(struct parser *parser)
{
    struct span start = parser->token.span;
    const struct host_call_row *row = row_named(parser, start);
    if (!row)
        return NONE;
    struct host_call call = blank_call(parser, row);
    vec_push(parser->arena, &parser->functions_called, ((struct span){0, 0}));
    parse_advance(parser);
    parse_advance(parser);
    return arguments(parser, &call) ? add_call(parser, call, start) : NONE;
}

uint32_t parse_host_launch(struct parser *parser)
{
    struct host_call call = blank_call(parser, host_call_rows);
    struct span start = parser->token.span;
    if (!kernel_argument(parser, &call.launch))
        return NONE;
    if (parser->launch_stream.length)
        call.stream = stream_of(parser, parser->launch_stream);
    vec_push(parser->arena, &parser->functions_called, ((struct span){0, 0}));
    return add_call(parser, call, start);
}
