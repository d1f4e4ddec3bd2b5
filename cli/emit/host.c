/* SPDX-License-Identifier: MIT
 *
 * A host program as host_test.cu takes it: its kernels, its objects, its threads and its memory. */
#include "cli/emit/view.h"
#include "cli/show/json.h"
#include "litmus/print/print.h"
#include "litmus/test/host.h"

#include <string.h>

static json_t *size_of(struct dim3 size)
{
    return json_sprintf("{%u, %u, %u}", size.x, size.y, size.z);
}

/* ---- kernels -------------------------------------------------------------------------------- */

static json_t *view_registers(const struct test *test, uint32_t launch)
{
    json_t *registers = json_array();
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        if (term->kind == TERM_REG && term->launch == launch)
            json_array_append_new(registers, json_pack("{s:i, s:i, s:i}", "cta", term->cta, "tid",
                                                       term->tid, "value", i));
    }
    return registers;
}

static json_t *view_launches(const struct emission *e)
{
    json_t *launches = json_array();
    for (uint32_t i = 0; i < e->test->launch_count; i++) {
        const struct launch *l = &e->test->launches[i];
        bool is_ptx = e->test->language != LANGUAGE_CPP;
        json_array_append_new(
            launches,
            json_pack("{s:i, s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:b, s:b}", "number", i,
                      "registers", view_registers(e->test, i), "lines",
                      is_ptx ? emit_code_lines(print_ptxas(e->job->arena, e->test, NONE, i))
                             : json_array(),
                      "grid_size", size_of(l->grid), "block_size", size_of(l->block), "cluster",
                      (int)(l->cluster.x * l->cluster.y * l->cluster.z), "dynamic",
                      l->dynamic_shared_bytes, "domain", l->domain, "cooperative", l->cooperative,
                      "programmatic", l->programmatic));
    }
    return launches;
}

/* ---- objects -------------------------------------------------------------------------------- */

static bool is_destroyed(const struct host_program *host, uint32_t object)
{
    for (uint32_t i = 0; i < host->call_count; i++) {
        const struct host_call *c = &host->calls[i];
        if (c->row->class == HOST_DESTROYS &&
            (c->stream == object || c->event == object || c->graph == object || c->exec == object))
            return true;
    }
    return false;
}

/* Events that no call makes are there from the start; what calls make, and none destroys, goes at the end. */
static void add_objects(const struct host_program *host, json_t *view)
{
    static const char *const destroy[] = {
        [HOST_STREAM] = "cudaStreamDestroy",
        [HOST_EVENT] = "cudaEventDestroy",
        [HOST_GRAPH] = "cudaGraphDestroy",
        [HOST_GRAPH_EXEC] = "cudaGraphExecDestroy",
    };
    json_t *objects = json_array(), *implicit = json_array(), *made = json_array();
    for (uint32_t i = HOST_FIRST_NAMED; i < host->object_count; i++) {
        enum host_object_kind kind = host->objects[i].kind;
        json_array_append_new(objects,
                              json_pack("{s:s, s:i, s:s}", "type", host_object_rows[kind].type,
                                        "number", i, "name", host->objects[i].name));
        if (kind == HOST_EVENT && !emit_host_makes(host, i))
            json_array_append_new(implicit, json_integer(i));
        if (kind != HOST_NODE && !is_destroyed(host, i) && !emit_host_is_body(host, i))
            json_array_append_new(made,
                                  json_pack("{s:i, s:s}", "number", i, "destroy", destroy[kind]));
    }
    json_object_set_new(view, "objects", objects);
    json_object_set_new(view, "implicit", implicit);
    json_object_set_new(view, "made", made);
}

/* ---- threads -------------------------------------------------------------------------------- */

static void add_threads(const struct test *test, json_t *view)
{
    json_t *threads = json_array(), *functions = json_array(), *started = json_array();
    for (uint32_t i = 0; i < test->host->thread_count; i++) {
        const struct host_thread *thread = &test->host->threads[i];
        if (emit_host_is_of_call(test->host, i))
            continue;
        json_array_append_new(threads, json_pack("{s:i, s:s, s:o}", "number", i, "name",
                                                 thread->name, "lines", emit_host_code(test, i)));
        json_array_append_new(
            thread->is_function ? functions : started,
            json_pack("{s:i, s:s}", "number", i, "comma", json_array_size(started) ? ", " : ""));
    }
    json_object_set_new(view, "threads", threads);
    json_object_set_new(view, "functions", functions);
    json_object_set_new(view, "started", started);
}

/* ---- memory --------------------------------------------------------------------------------- */

static uint32_t device(uint32_t gpu)
{
    return gpu == NONE ? 0 : gpu;
}

/* Where the declaration says nothing, a copy between devices may say where the memory is. */
static uint32_t memory_device(const struct test *test, uint32_t location)
{
    uint32_t gpu = test->locations[location].gpu;
    for (uint32_t i = 0; gpu == NONE && test->host && i < test->host->call_count; i++) {
        const struct host_call *call = &test->host->calls[i];
        const char *letters = call->row->arguments;
        if (!letters || !strchr(letters, 'p') || !strchr(letters, 'q'))
            continue;
        if (call->to.location == location)
            gpu = (uint32_t)call->to_device;
        else if (call->from.location == location)
            gpu = (uint32_t)call->from_device;
    }
    return device(gpu);
}

static const char *lifetime(const struct test *test, uint32_t location)
{
    const char *life = "FIXED";
    for (uint32_t i = 0; i < test->host->call_count; i++) {
        const struct host_call *call = &test->host->calls[i];
        if (call->to.location != location)
            continue;
        if (call->row->subject == HOST_SUBJECT_ALLOCATION ||
            call->row->subject == HOST_SUBJECT_HANDLE)
            return "ALLOCATED";
        if (call->row->subject == HOST_SUBJECT_RELEASE)
            life = "FREED";
    }
    return life;
}

static json_t *view_memory(const struct emission *e)
{
    static const char *const kinds[] = {
        [MEMORY_DEVICE] = "DEVICE", [MEMORY_MAPPED] = "MAPPED",     [MEMORY_MANAGED] = "MANAGED",
        [MEMORY_PINNED] = "PINNED", [MEMORY_PAGEABLE] = "PAGEABLE",
    };
    json_t *places = emit_places(e);
    for (uint32_t i = 0; i < e->test->location_count; i++) {
        json_t *place = json_array_get(places, e->number[i]);
        if (!place)
            continue;
        json_object_set_new(place, "memory", json_string(kinds[e->test->locations[i].memory]));
        json_object_set_new(place, "life",
                            json_string(e->test->host ? lifetime(e->test, i) : "FIXED"));
        json_object_set_new(place, "gpu", json_integer(memory_device(e->test, i)));
    }
    return places;
}

/* ---- launches at once ------------------------------------------------------------------------ */

static void add_line(json_t *lines, char *line)
{
    json_array_append_new(lines, json_string(line));
    g_free(line);
}

static unsigned line_of(const struct test *test, const struct launch *launch)
{
    return source_place(test->source, launch->span.offset).line;
}

/* One thread starts them, each in a stream of its own that orders nothing with the others. */
static json_t *launching_code(const struct test *test)
{
    json_t *lines = json_array();
    for (int starts = 0; starts < 2; starts++)
        for (uint32_t i = 0; i < test->launch_count; i++) {
            const struct launch *l = &test->launches[i];
            unsigned line = line_of(test, l);
            add_line(lines,
                     g_strdup_printf("call(%u, cudaSetDevice(%u), false);", line, device(l->gpu)));
            add_line(lines, starts ? g_strdup_printf(
                                         "pause(); call(%u, launch(launching%u(), o%u), false);",
                                         line, i, i)
                                   : g_strdup_printf("call(%u, cudaStreamCreateWithFlags(&o%u, "
                                                     "cudaStreamNonBlocking), false);",
                                                     line, i));
        }
    return lines;
}

static void add_launching(const struct test *test, json_t *view)
{
    json_t *objects = json_array(), *made = json_array();
    for (uint32_t i = 0; i < test->launch_count; i++) {
        json_array_append_new(objects, json_pack("{s:s, s:i, s:s}", "type", "cudaStream_t",
                                                 "number", i, "name", test->launches[i].label));
        json_array_append_new(made,
                              json_pack("{s:i, s:s}", "number", i, "destroy", "cudaStreamDestroy"));
    }
    json_object_set_new(view, "objects", objects);
    json_object_set_new(view, "implicit", json_array());
    json_object_set_new(view, "made", made);
    json_object_set_new(view, "threads",
                        json_pack("[{s:i, s:s, s:o}]", "number", 0, "name", "starts the launches",
                                  "lines", launching_code(test)));
    json_object_set_new(view, "functions", json_array());
    json_object_set_new(view, "started", json_pack("[{s:i, s:s}]", "number", 0, "comma", ""));
}

/* ---- devices -------------------------------------------------------------------------------- */

static bool names_device(const struct host_call *call)
{
    return call->row->subject == HOST_SUBJECT_DEVICE
               ? call->row->class == HOST_CHANGES
               : call->row->subject == HOST_SUBJECT_PEER_ACCESS;
}

static uint32_t device_count(const struct test *test)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < test->launch_count; i++)
        last = MAX(last, device(test->launches[i].gpu));
    for (uint32_t i = 0; i < test->location_count; i++)
        last = MAX(last, memory_device(test, i));
    for (uint32_t i = 0; test->host && i < test->host->call_count; i++)
        if (names_device(&test->host->calls[i]))
            last = MAX(last, (uint32_t)test->host->calls[i].value);
    return last + 1;
}

static void add_devices(const struct test *test, json_t *view)
{
    uint32_t count = device_count(test);
    json_t *gpus = json_array();
    for (uint32_t i = 0; count > 1 && i < count; i++)
        json_array_append_new(gpus, json_pack("{s:s}", "comma", i ? ", " : ""));
    json_object_set_new(view, "gpus", gpus);
}

/* What the program needs to know of the platform that the test is about; a machine that can do more does no harm. */
static void add_platform(const struct test *test, json_t *view)
{
    bool managed = false;
    for (uint32_t i = 0; i < test->location_count; i++)
        managed |= test->locations[i].memory == MEMORY_MANAGED;
    json_object_set_new(view, "peers_apart",
                        json_boolean(test->host && !test->host->platform.peer_access));
    json_object_set_new(
        view, "concurrent",
        json_boolean(managed && test->host && test->host->platform.concurrent_managed_access));
}

json_t *emit_host(const struct emission *e)
{
    const struct test *test = e->test;
    json_t *view =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", emit_identifier(e), "name",
                  emit_quoted(test->name), "file", emit_quoted(e->job->path), "places",
                  view_memory(e), "values", emit_values(e), "symbols", emit_symbols(e), "textures",
                  emit_objects(e), "asked", emit_asked(test), "launches", view_launches(e));
    if (test->host) {
        add_objects(test->host, view);
        add_threads(test, view);
    } else {
        add_launching(test, view);
    }
    add_devices(test, view);
    add_platform(test, view);
    return view;
}
