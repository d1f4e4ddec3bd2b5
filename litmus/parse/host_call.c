/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/parse/parser.h"

/* Calls of the CUDA runtime. The letters of host_call.def say what each argument is. */

bool at_host_call(const struct parser *parser)
{
    return at(parser, TOKEN_WORD) && parser->token.span.length > 4 && parser->next.kind == '(' &&
           memcmp(parser->source->text + parser->token.span.offset, "cuda", 4) == 0;
}

static const char *kind_name(enum host_object_kind kind)
{
    static const char *const names[] = {"a stream", "an event", "a graph", "an executable graph",
                                        "a graph node"};
    return names[kind];
}

uint32_t host_object(struct parser *parser, struct span name, enum host_object_kind kind)
{
    uint32_t index;
    const char *text = parser->source->text + name.offset;
    if (!names_get(&parser->host_names, 0, text, name.length, &index)) {
        struct host_object object = {kind, span_text(parser, name), name};
        index = parser->host_objects.len;
        vec_push(parser->arena, &parser->host_objects, object);
        names_put(&parser->host_names, 0, text, name.length, index);
    }
    enum host_object_kind is = parser->host_objects.at[index].kind;
    if (is != kind)
        parse_error(parser, host_object, name, NULL, "'%s' is %s, not %s", span_text(parser, name),
                    kind_name(is), kind_name(kind));
    return index;
}

static bool default_handle(const struct parser *parser, struct span word)
{
    return span_is(parser, word, "0") || span_is(parser, word, "NULL") ||
           span_is(parser, word, "nullptr");
}

static uint32_t default_stream(const struct parser *parser)
{
    return parser->host.platform.per_thread_default_stream ? HOST_STREAM_PER_THREAD
                                                           : HOST_STREAM_LEGACY;
}

static uint32_t stream_of(struct parser *parser, struct span word)
{
    return default_handle(parser, word) ? default_stream(parser)
                                        : host_object(parser, word, HOST_STREAM);
}

static bool object_argument(struct parser *parser, char letter, struct host_call *call)
{
    bool made = letter < 'a';
    enum host_object_kind kind = strchr("segxn", made ? letter + 32 : letter) - "segxn";
    struct span word = parser->token.span;
    if (made && !expect(parser, '&', "'&' and a name: the call makes it"))
        return false;
    word = parser->token.span;
    if (!(kind == HOST_STREAM && !made && accept(parser, TOKEN_NUMBER)) &&
        !expect(parser, TOKEN_WORD, kind_name(kind)))
        return false;
    uint32_t index =
        kind == HOST_STREAM && !made ? stream_of(parser, word) : host_object(parser, word, kind);
    switch (kind) {
    case HOST_STREAM:
        call->stream = index;
        break;
    case HOST_EVENT:
        call->event = index;
        break;
    case HOST_GRAPH:
        call->child = call->graph == NONE ? call->child : index;
        call->graph = call->graph == NONE ? index : call->graph;
        break;
    case HOST_GRAPH_EXEC:
        call->exec = index;
        break;
    case HOST_NODE:
        call->other_node = call->node == NONE ? NONE : index;
        call->node = call->node == NONE ? index : call->node;
        break;
    }
    return true;
}

/* "x", "&x", "x + 4", "x[2]": a location and an element. */
static bool memory_argument(struct parser *parser, struct host_call *call)
{
    struct host_memory memory = {NONE, 0};
    uint64_t element = 0;
    accept(parser, '&');
    struct span name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a location"))
        return false;
    if (!location_find(parser, NONE, name, &memory.location)) {
        parse_error(parser, unknown_name, name, "declare it between the first '{' and '}'",
                    "there is no location '%.60s'", span_text(parser, name));
        return false;
    }
    bool index = accept(parser, '[');
    if ((index || accept(parser, '+')) &&
        !expect_number(parser, "an element's number", MAX_ELEMENTS, &element))
        return false;
    memory.element = (uint32_t)element;
    if (call->to.location == NONE)
        call->to = memory;
    else
        call->from = memory;
    return !index || expect(parser, ']', "']'");
}

static bool constant_argument(struct parser *parser, struct host_call *call)
{
    const char *known[HOST_CONSTANT_COUNT];
    if (at(parser, TOKEN_NUMBER) && parser->token.value == 0) {
        advance(parser);
        return true;
    }
    for (uint32_t i = 1; i < HOST_CONSTANT_COUNT; i++) {
        known[i] = host_constant_name((enum host_constant)i);
        if (accept_word(parser, known[i])) {
            call->constant = (enum host_constant)i;
            return true;
        }
    }
    const char *word = span_text(parser, parser->token.span);
    const char *near = diag_nearest(word, strlen(word), known + 1, HOST_CONSTANT_COUNT - 1);
    parse_error(parser, host_argument, parser->token.span,
                near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL,
                "%s is no constant of the runtime", token_text(parser, parser->token));
    return false;
}

/* "{a, b}", "&a" or "NULL". */
static bool node_list(struct parser *parser, struct host_call *call)
{
    VEC(uint32_t) nodes = {0};
    bool many = accept(parser, '{');
    if (!many && default_handle(parser, parser->token.span)) {
        advance(parser);
        return true;
    }
    do {
        accept(parser, '&');
        struct span name = parser->token.span;
        if (!expect(parser, TOKEN_WORD, "a graph node"))
            return false;
        vec_push(parser->arena, &nodes, host_object(parser, name, HOST_NODE));
    } while (many && accept(parser, ','));
    call->dependencies = nodes.at;
    call->dependency_count = nodes.len;
    return !many || expect(parser, '}', "'}'");
}

static bool number_argument(struct parser *parser, struct host_call *call)
{
    uint64_t value;
    if (!expect_number(parser, "a number", UINT32_MAX, &value))
        return false;
    if (call->number_count < 2)
        call->numbers[call->number_count++] = value;
    return true;
}

static bool kernel_argument(struct parser *parser, struct host_call *call)
{
    if (!parse_labelled_launch(parser))
        return false;
    call->launch = parser->launches.len - 1;
    return true;
}

static bool function_argument(struct parser *parser, struct host_call *call)
{
    struct span name = parser->token.span;
    parser->functions_called.at[parser->functions_called.len - 1] = name;
    (void)call;
    return expect(parser, TOKEN_WORD, "the name of a host function");
}

static bool argument(struct parser *parser, char letter, struct host_call *call)
{
    switch (letter) {
    case 'm':
        return memory_argument(parser, call);
    case 'd':
        return expect_number(parser, "how many nodes are listed", UINT32_MAX, &(uint64_t){0});
    case 'i':
        return number_argument(parser, call);
    case 'k':
        return constant_argument(parser, call);
    case 'f':
        return function_argument(parser, call);
    case 'K':
        return kernel_argument(parser, call);
    case 'L':
        return node_list(parser, call);
    case '_':
        advance(parser);
        return true;
    default:
        return object_argument(parser, letter, call);
    }
}

static bool arguments(struct parser *parser, struct host_call *call)
{
    bool optional = false, first = true;
    for (const char *letter = host_call_arguments(call->id); *letter; letter++) {
        if (*letter == '?') {
            optional = true;
            continue;
        }
        if (optional && at(parser, ')'))
            break;
        if (!first && !expect(parser, ',', "',' and the next argument"))
            return false;
        if (!argument(parser, *letter, call))
            return false;
        first = false;
    }
    return expect(parser, ')', "')' after the last argument");
}

static bool call_named(struct parser *parser, struct span name, enum host_call_id *id)
{
    const char *known[HOST_CALL_LAUNCH];
    for (uint32_t i = 0; i < HOST_CALL_LAUNCH; i++) {
        known[i] = host_call_name((enum host_call_id)i);
        if (span_is(parser, name, known[i])) {
            *id = (enum host_call_id)i;
            return true;
        }
    }
    const char *text = span_text(parser, name);
    const char *near = diag_nearest(text, name.length, known, HOST_CALL_LAUNCH);
    parse_error(parser, host_call_unknown, name,
                near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL,
                "'%.60s' is not among the calls that are modelled", text);
    return false;
}

static struct host_call blank_call(const struct parser *parser, enum host_call_id id)
{
    return (struct host_call){.id = id,
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
    call.span = span_until_here(parser, start);
    if (call.stream == NONE && strchr(host_call_arguments(call.id), 's'))
        call.stream = default_stream(parser);
    vec_push(parser->arena, &parser->host_calls, call);
    return parser->host_calls.len - 1;
}

uint32_t parse_host_call(struct parser *parser)
{
    enum host_call_id id;
    struct span start = parser->token.span;
    if (!call_named(parser, start, &id))
        return NONE;
    struct host_call call = blank_call(parser, id);
    vec_push(parser->arena, &parser->functions_called, ((struct span){0, 0}));
    advance(parser);
    advance(parser);
    return arguments(parser, &call) ? add_call(parser, call, start) : NONE;
}

uint32_t parse_host_launch(struct parser *parser)
{
    struct host_call call = blank_call(parser, HOST_CALL_LAUNCH);
    struct span start = parser->token.span;
    if (!parse_labelled_launch(parser))
        return NONE;
    call.launch = parser->launches.len - 1;
    call.stream = parser->launch_stream.length ? stream_of(parser, parser->launch_stream)
                                               : default_stream(parser);
    vec_push(parser->arena, &parser->functions_called, ((struct span){0, 0}));
    return add_call(parser, call, start);
}
