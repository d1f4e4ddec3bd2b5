/* SPDX-License-Identifier: MIT */
#include "litmus/parse/host_call.h"

#include <string.h>

#include "litmus/parse/launch.h"
#include "litmus/parse/location.h"

/* Calls of the CUDA runtime. The letters of host_call.def say what each argument is. */

bool parse_at_host_call(const struct parser *p)
{
    return parse_at(p, TOKEN_WORD) && p->token.span.length > 4 && p->next.kind == '(' &&
           memcmp(p->source->text + p->token.span.offset, "cuda", 4) == 0;
}

uint32_t parse_host_object(struct parser *p, struct span name, enum host_object_kind kind)
{
    uint32_t index = parse_name(p, &p->host_names, 0, name);
    if (index == NONE) {
        struct host_object object = {kind, parse_text(p, name), name};
        index = p->host_objects.len;
        vec_push(p->arena, &p->host_objects, object);
        names_put(&p->host_names, 0, object.name, name.length, index);
    }
    enum host_object_kind is = p->host_objects.at[index].kind;
    if (is != kind)
        parse_error(p, host_object, name, NULL, "'%s' is %s, not %s", parse_text(p, name),
                    host_object_rows[is].name, host_object_rows[kind].name);
    return index;
}

static bool default_handle(const struct parser *p, struct span word)
{
    return parse_text_is(p, word, "0") || parse_text_is(p, word, "NULL") ||
           parse_text_is(p, word, "nullptr");
}

static uint32_t default_stream(const struct parser *p)
{
    return p->test->host->platform.per_thread_default_stream ? HOST_STREAM_PER_THREAD
                                                             : HOST_STREAM_LEGACY;
}

static uint32_t stream_of(struct parser *p, struct span word)
{
    return default_handle(p, word) ? default_stream(p) : parse_host_object(p, word, HOST_STREAM);
}

static bool object_argument(struct parser *p, const struct host_argument *argument,
                            uint32_t *object)
{
    bool made = argument->direction == HOST_MADE, stream = argument->object == HOST_STREAM && !made;
    if (made && !parse_expect(p, '&', "'&' and a name: the call makes it"))
        return false;
    struct span word = p->token.span;
    if (!(stream && parse_accept(p, TOKEN_NUMBER)) &&
        !parse_expect(p, TOKEN_WORD, host_object_rows[argument->object].name))
        return false;
    *object = stream ? stream_of(p, word) : parse_host_object(p, word, argument->object);
    return true;
}

/* "x", "&x", "x + 4", "x[2]": a location and an element. */
static bool memory_argument(struct parser *p, struct host_memory *memory)
{
    parse_accept(p, '&');
    struct span name = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of a location"))
        return false;
    if (!parse_known_location(p, name, &memory->location))
        return false;
    memory->element = 0;
    if (parse_accept(p, '+'))
        return parse_count(p, "an element's number", MAX_ELEMENTS, &memory->element);
    return parse_index(p, "an element's number", MAX_ELEMENTS, &memory->element);
}

/* A name of host_constant.def; 0 is HOST_CONSTANT_NONE. */
static bool constant_argument(struct parser *p, enum host_constant *constant)
{
    if (parse_at(p, TOKEN_NUMBER) && p->token.value == 0) {
        parse_advance(p);
        return true;
    }
    for (uint32_t i = 1; i < HOST_CONSTANT_COUNT; i++)
        if (parse_accept_word(p, host_constant_names[i])) {
            *constant = (enum host_constant)i;
            return true;
        }
    const char *word = parse_text(p, p->token.span);
    parse_error(
        p, host_argument, p->token.span,
        diag_hint(p->arena, word, strlen(word), host_constant_names + 1, HOST_CONSTANT_COUNT - 1),
        "%s is no constant of the runtime", parse_token_text(p, p->token));
    return false;
}

/* "{a, b}", "&a" or "NULL". */
static bool node_list(struct parser *p, struct host_call *call)
{
    VEC(uint32_t) nodes = {0};
    bool many = parse_accept(p, '{');
    if (!many && default_handle(p, p->token.span)) {
        parse_advance(p);
        return true;
    }
    do {
        parse_accept(p, '&');
        struct span name = p->token.span;
        if (!parse_expect(p, TOKEN_WORD, "a graph node"))
            return false;
        vec_push(p->arena, &nodes, parse_host_object(p, name, HOST_NODE));
    } while (many && parse_accept(p, ','));
    call->dependencies = nodes.at;
    call->dependency_count = nodes.len;
    return !many || parse_expect(p, '}', "'}'");
}

static bool function_argument(struct parser *p)
{
    struct span name = p->token.span;
    p->functions_called.at[p->functions_called.len - 1] = name;
    return parse_expect(p, TOKEN_WORD, "the name of a host function");
}

static bool kernel_argument(struct parser *p, uint32_t *launch)
{
    if (!parse_labelled_launch(p))
        return false;
    *launch = p->launches.len - 1;
    return true;
}

static bool argument(struct parser *p, const struct host_argument *argument, struct host_call *call)
{
    void *field = host_argument_field(argument, call);
    switch (argument->kind) {
    case HOST_ARGUMENT_OBJECT:
        return object_argument(p, argument, field);
    case HOST_ARGUMENT_MEMORY:
        return memory_argument(p, field);
    case HOST_ARGUMENT_NUMBER:
        return parse_expect_number(p, "a number", UINT32_MAX, field);
    case HOST_ARGUMENT_CONSTANT:
        return constant_argument(p, field);
    case HOST_ARGUMENT_FUNCTION:
        return function_argument(p);
    case HOST_ARGUMENT_KERNEL:
        return kernel_argument(p, field);
    case HOST_ARGUMENT_NODES:
        return node_list(p, call);
    case HOST_ARGUMENT_COUNT:
        return parse_expect_number(p, "how many nodes are listed", UINT32_MAX, &(uint64_t){0});
    case HOST_ARGUMENT_IGNORED:
        parse_advance(p);
        return true;
    }
    return false;
}

/* As the letters of the call's row say; those behind '?' may be left out. */
static bool arguments(struct parser *p, struct host_call *call)
{
    bool optional = false, first = true;
    for (const char *letter = call->row->arguments; *letter; letter++) {
        if (*letter == '?') {
            optional = true;
            continue;
        }
        if (optional && parse_at(p, ')'))
            break;
        if (!first && !parse_expect(p, ',', "',' and the next argument"))
            return false;
        if (!argument(p, host_argument(*letter), call))
            return false;
        first = false;
    }
    return parse_expect(p, ')', "')' after the last argument");
}

static const struct host_call_row *row_named(struct parser *p, struct span name)
{
    const char *text = parse_text(p, name);
    const char **known = ARENA_ARRAY(p->arena, const char *, host_call_row_count);
    for (uint32_t i = 0; i < host_call_row_count; i++) {
        known[i] = host_call_rows[i].name;
        if (strcmp(text, known[i]) == 0)
            return &host_call_rows[i];
    }
    parse_error(p, host_call_unknown, name,
                diag_hint(p->arena, text, name.length, known, host_call_row_count),
                "'%.60s' is not among the calls that are modelled", text);
    return NULL;
}

static struct host_call blank_call(const struct parser *p, const struct host_call_row *row)
{
    return (struct host_call){.row = row,
                              .host = p->host_threads.len,
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

static uint32_t add_call(struct parser *p, struct host_call call, struct span start)
{
    call.span = parse_span_from(p, start);
    if (call.stream == NONE && call.row->stream == HOST_NEEDS_ANY)
        call.stream = default_stream(p);
    vec_push(p->arena, &p->host_calls, call);
    return p->host_calls.len - 1;
}

uint32_t parse_host_call(struct parser *p)
{
    struct span start = p->token.span;
    const struct host_call_row *row = row_named(p, start);
    if (!row)
        return NONE;
    struct host_call call = blank_call(p, row);
    vec_push(p->arena, &p->functions_called, ((struct span){0, 0}));
    parse_advance(p);
    parse_advance(p);
    return arguments(p, &call) ? add_call(p, call, start) : NONE;
}

uint32_t parse_host_launch(struct parser *p)
{
    struct host_call call = blank_call(p, host_call_rows);
    struct span start = p->token.span;
    if (!kernel_argument(p, &call.launch))
        return NONE;
    if (p->launch_stream.length)
        call.stream = stream_of(p, p->launch_stream);
    vec_push(p->arena, &p->functions_called, ((struct span){0, 0}));
    return add_call(p, call, start);
}
