/* SPDX-License-Identifier: MIT */
#include "litmus/edit/host_gap.h"

#include <glib.h>
#include <string.h>

#include "litmus/edit/option.h"
#include "litmus/test/host.h"

bool host_gap_is(const struct test *test, uint32_t body)
{
    for (uint32_t i = 0; test->host && i < test->host->thread_count; i++)
        if (test->host->threads[i].body == body)
            return true;
    return false;
}

/* A name that no object of the program has. */
static const char *new_event(struct arena *arena, const struct host_program *host)
{
    const char *name = "done";
    for (uint32_t number = 2, i = 0; i < host->object_count; i++)
        if (strcmp(host->objects[i].name, name) == 0) {
            name = arena_printf(arena, "done%u", number++);
            i = UINT32_MAX; /* from the first again */
        }
    return name;
}

static void add(struct arena *arena, struct edit_place *place, const char *words)
{
    struct edit_option option = {.inst.op = OP_HOST_CALL, .edits = true};
    option.edit = (struct edit){EDIT_BEFORE, place->body, place->inst, words, 0};
    option_add(arena, place, option);
}

static const struct host_call *call_of(const struct test *test, const struct inst *inst)
{
    return inst->op == OP_HOST_CALL ? &test->host->calls[inst->operands[1].value] : NULL;
}

/* As a call names it. */
static const char *stream_word(const struct host_program *host, uint32_t stream)
{
    return stream == HOST_STREAM_LEGACY ? "0" : host->objects[stream].name;
}

/* The streams that earlier calls of the body work in, each once but for 'self': a call that begins with 'before', and then
 * ends so. */
static void add_streams(struct arena *arena, const struct test *test, struct edit_place *place,
                        const char *before, const char *after, uint32_t self)
{
    const struct host_program *host = test->host;
    uint64_t seen = 0;
    for (const struct inst *at = place->body->insts; at < place->inst; at++) {
        const struct host_call *call = call_of(test, at);
        if (!call || call->stream == NONE || call->stream >= 64 || seen >> call->stream & 1)
            continue;
        seen |= UINT64_C(1) << call->stream;
        if (call->stream != self)
            add(arena, place,
                arena_printf(arena, "%s%s%s", before, stream_word(host, call->stream), after));
    }
}

static bool is_recorded(const struct test *test, const struct body *body, uint32_t event)
{
    for (uint32_t i = 0; i < body->inst_count; i++) {
        const struct host_call *call = call_of(test, &body->insts[i]);
        if (call && call->event == event && strcmp(call->row->name, "cudaEventRecord") == 0)
            return true;
    }
    return false;
}

/* The event, recorded in a stream that calls of the body work in. */
static void add_records(struct arena *arena, const struct test *test, struct edit_place *place,
                        uint32_t event)
{
    const struct host_program *host = test->host;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < place->body->inst_count; i++) {
        const struct host_call *call = call_of(test, &place->body->insts[i]);
        if (!call || call->row->class != HOST_ENQUEUES || call->stream >= 64 ||
            seen >> call->stream & 1)
            continue;
        seen |= UINT64_C(1) << call->stream;
        add(arena, place,
            arena_printf(arena, "cudaEventRecord(%s, %s)", host->objects[event].name,
                         stream_word(host, call->stream)));
    }
}

/* What the time is asked between, where the body does not record it. */
static void add_unrecorded(struct arena *arena, const struct test *test, struct edit_place *place)
{
    const struct body *body = place->body;
    for (const struct inst *at = place->inst; at < body->insts + body->inst_count; at++) {
        const struct host_call *call = call_of(test, at);
        if (!call || !host_call_is(call, HOST_ASKS, HOST_SUBJECT_ELAPSED))
            continue;
        if (!is_recorded(test, body, call->event))
            add_records(arena, test, place, call->event);
        if (!is_recorded(test, body, call->other_event))
            add_records(arena, test, place, call->other_event);
    }
}

/* The same call about another stream, where that is its last argument. */
static void change_stream(struct arena *arena, const struct test *test, struct edit_place *place)
{
    const struct host_program *host = test->host;
    const struct host_call *call = call_of(test, place->inst);
    struct span span = place->inst->span;
    const char *text = arena_strndup(arena, test->source->text + span.offset, span.length);
    const char *end = arena_printf(arena, "%s)", stream_word(host, call->stream));
    size_t kept = strlen(text) - (strlen(end) < strlen(text) ? strlen(end) : 0);
    for (uint32_t i = HOST_FIRST_NAMED; i < host->object_count; i++) {
        bool other = host->objects[i].kind == HOST_STREAM && i != call->stream;
        if (!other || strcmp(text + kept, end) != 0)
            continue;
        struct edit_option option = {.inst = *place->inst, .edits = true};
        option.edit = (struct edit){
            EDIT_CHANGE, place->body, place->inst,
            arena_printf(arena, "%.*s%s)", (int)kept, text, host->objects[i].name), 0};
        option_add(arena, place, option);
    }
}

/* Is it a statement of its own, and no part of a condition or the only statement of a branch? */
static bool stands_alone(const struct source *source, struct span span)
{
    uint32_t from = span.offset, to = span.offset + span.length;
    while (from && g_ascii_isspace(source->text[from - 1]))
        from--;
    while (to < source->length && g_ascii_isspace(source->text[to]))
        to++;
    return from && strchr(";{}", source->text[from - 1]) && to < source->length &&
           source->text[to] == ';';
}

bool host_gap_can_leave_out(const struct test *test, const struct body *body,
                            const struct inst *inst)
{
    const struct host_call *call = call_of(test, inst);
    if (!call || call->row->class != HOST_WAITS || !stands_alone(test->source, inst->span))
        return false;
    for (uint32_t i = 0; i < body->inst_count; i++) /* a loop makes several of one */
        if (&body->insts[i] != inst && body->insts[i].span.offset == inst->span.offset)
            return false;
    return true;
}

static struct edit_place place_at(struct arena *arena, const struct body *body,
                                  const struct inst *inst)
{
    struct edit_place place = {.body = body, .inst = inst, .gap = true, .shy = true};
    option_add(arena, &place, (struct edit_option){.inst.op = OP_COUNT});
    return place;
}

/* Waits for what streams have done by now. */
static struct edit_place wait_place(struct arena *arena, const struct test *test,
                                    const struct body *body, const struct inst *inst)
{
    struct edit_place wait = place_at(arena, body, inst);
    add_streams(arena, test, &wait, "cudaStreamSynchronize(", ")", NONE);
    if (wait.options.len > 1)
        add(arena, &wait, "cudaDeviceSynchronize()");
    return wait;
}

/* Records of a new event, and waits of the call's stream for it. */
static void add_event(struct arena *arena, const struct test *test, struct edit_places *places,
                      const struct body *body, const struct inst *inst)
{
    const struct host_call *call = call_of(test, inst);
    struct edit_place record = place_at(arena, body, inst), join = place_at(arena, body, inst);
    bool works = call && (call->row->class == HOST_ENQUEUES || call->row->class == HOST_DESTROYS);
    bool joins = works && call->stream != NONE, apart = test->host->thread_count > 1;
    const char *event = new_event(arena, test->host);
    const char *recorded = arena_printf(arena, "cudaEventRecord(%s, ", event);
    const char *joined = joins ? arena_printf(arena, "cudaStreamWaitEvent(%s, %s)",
                                              stream_word(test->host, call->stream), event)
                               : "";
    if (joins) /* what another stream has done by now */
        add_streams(arena, test, &join, recorded, arena_printf(arena, ")\n%s", joined),
                    call->stream);
    if (apart) /* one thread may record what another waits for */
        add_streams(arena, test, &record, recorded, ")", NONE);
    if (apart && joins)
        add(arena, &join, joined);
    vec_push(arena, &places->items, record);
    vec_push(arena, &places->items, join);
}

struct edit_places host_gap_places(struct arena *arena, const struct test *test,
                                   const struct body *body, uint32_t at)
{
    struct edit_places places = {0};
    const struct inst *inst = &body->insts[at];
    const struct host_call *call = call_of(test, inst);
    bool streams = call && call->stream != NONE &&
                   (strcmp(call->row->name, "cudaEventRecord") == 0 ||
                    strcmp(call->row->name, "cudaStreamSynchronize") == 0);
    if (streams) {
        struct edit_place other = {.body = body, .inst = inst, .shy = true};
        option_add(arena, &other, (struct edit_option){.inst = *inst});
        change_stream(arena, test, &other);
        vec_push(arena, &places.items, other);
    }
    bool works = call && (call->row->class == HOST_ENQUEUES || call->row->class == HOST_DESTROYS);
    bool asks = call && call->row->class == HOST_ASKS; /* the answer depends on what has ended */
    if (!at || (call && !works && !asks && call->row->class != HOST_WAITS))
        return places;
    struct edit_place timed = place_at(arena, body, inst);
    add_unrecorded(arena, test, &timed);
    vec_push(arena, &places.items, wait_place(arena, test, body, inst));
    vec_push(arena, &places.items, timed);
    add_event(arena, test, &places, body, inst);
    return places;
}
