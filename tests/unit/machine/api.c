/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/machine/search/explore.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/setup/setup.h"
#include "tests/unit/machine/reports.h"

/* Host programs on the weak machine: what each synchronization orders and what it does not. And what
 * a search says when the machine's table of accesses is full. */

#define KERNELS                                                                                    \
    "kernel K1 { st.weak.u32 [x], 1; }\n"                                                          \
    "kernel K2 { ld.weak.u32 %r0, [x]; }\n"
#define STREAMS                                                                                    \
    "cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);\n"                                     \
    "cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);\n"
#define BLOCKING                "cudaStreamCreate(&b1); cudaStreamCreate(&b2);\n"
#define DEVICE_START            "PTX t\n{ x = 0; y = 0; }\n" KERNELS "host H {\n" STREAMS BLOCKING
#define DEVICE(calls, question) DEVICE_START calls "}\n" question "\n"
#define MAPPED(calls, question)                                                                    \
    "PTX t\n{ mapped x = 0; mapped y = 0; }\n" KERNELS "host H {\n" STREAMS calls "}\n" question   \
    "\n"

struct explored {
    struct arena *arena;
    const struct test *test;
    struct diag_list diags;
    struct report_list reports;
    struct explore_result result;
    bool ran;
};

static struct explored explore_text(const char *text)
{
    struct explored e = {.arena = arena_new()};
    struct machine_options options = {0};
    struct explore_options every = {.reduce = true, .issue_loads = true, .max_states = 100000};
    e.diags.arena = e.reports.arena = e.arena;
    struct source *source = source_new(e.arena, "t", text, strlen(text));
    e.test = litmus_parse(e.arena, source, &e.diags);
    if (!e.test)
        g_error("%s", diag_render(e.arena, &e.diags.items.at[0]));
    struct machine *machine = machine_new(e.arena, e.test, &options, &e.diags);
    struct memory *memory = machine ? weak_memory_new(e.arena, machine, &e.diags) : NULL;
    if (memory)
        explore(e.arena, machine, memory, &every, &e.reports, &e.result);
    e.ran = memory;
    return e;
}

static bool reaches(const struct explored *e)
{
    for (uint32_t i = 0; i < e->result.outcomes.items.len; i++)
        if (outcome_satisfies(e->test, e->test->condition, e->result.outcomes.items.at[i].values))
            return true;
    return false;
}

struct row {
    const char *name, *text;
    bool reached;
};

#define R0 "exists (K2:r0 = 0)"
static const struct row rows[] = {
    {"E2", DEVICE("K1<<<1,1,0,s1>>>(); K2<<<1,1,0,s1>>>();", R0), false},
    {"no-edge", DEVICE("K1<<<1,1,0,s1>>>(); K2<<<1,1,0,s2>>>();", R0), true},
    {"E3",
     DEVICE("K1<<<1,1,0,s1>>>(); cudaEventRecord(e, s1); cudaStreamWaitEvent(s2, e); "
            "K2<<<1,1,0,s2>>>();",
            R0),
     false},
    {"record-before",
     DEVICE("cudaEventRecord(e, s1); K1<<<1,1,0,s1>>>(); cudaStreamWaitEvent(s2, e); "
            "K2<<<1,1,0,s2>>>();",
            R0),
     true},
    {"E4-in", DEVICE("K1<<<1,1,0,b1>>>(); K2<<<1,1>>>();", R0), false},
    {"E4-out", DEVICE("K1<<<1,1>>>(); K2<<<1,1,0,b1>>>();", R0), false},
    {"E4-non-blocking", DEVICE("K1<<<1,1,0,s1>>>(); K2<<<1,1>>>();", R0), true},
    {"blocking-streams", DEVICE("K1<<<1,1,0,b1>>>(); K2<<<1,1,0,b2>>>();", R0), true},
    {"E1", MAPPED("x = 1; K2<<<1,1,0,s1>>>();", R0), false},
    {"after-the-call", MAPPED("K2<<<1,1,0,s1>>>(); x = 1;", "exists (K2:r0 = 1)"), true},
    {"E13", MAPPED("K1<<<1,1,0,s1>>>(); cudaStreamSynchronize(s1); r = x;", "exists (H:r = 0)"),
     false},
    {"E13-other",
     MAPPED("K1<<<1,1,0,s1>>>(); cudaStreamSynchronize(s2); r = x;", "exists (H:r = 0)"), true},
    {"E14",
     MAPPED("K1<<<1,1,0,s1>>>(); cudaEventRecord(e, s1); cudaEventSynchronize(e); r = x;",
            "exists (H:r = 0)"),
     false},
    {"E15-destroyed",
     MAPPED("K1<<<1,1,0,s1>>>(); cudaStreamDestroy(s1); cudaDeviceSynchronize(); r = x;",
            "exists (H:r = 0)"),
     false},
    {"destroy", MAPPED("K1<<<1,1,0,s1>>>(); cudaStreamDestroy(s1); r = x;", "exists (H:r = 0)"),
     true},
    {"E16",
     MAPPED("K1<<<1,1,0,s1>>>(); q = cudaStreamQuery(s1); r = x;", "exists (H:q = 0 /\\ H:r = 0)"),
     false},
    {"E17",
     MAPPED("K1<<<1,1,0,s1>>>(); q = cudaStreamQuery(s1); r = x;",
            "exists (H:q = 600 /\\ H:r = 0)"),
     true},
    {"late-query",
     MAPPED("K1<<<1,1,0,s1>>>(); q = cudaStreamQuery(s1); r = x;",
            "exists (H:q = 600 /\\ H:r = 1)"),
     true},
    {"finished-query",
     MAPPED("K1<<<1,1,0,s1>>>(); cudaStreamSynchronize(s1); q = cudaStreamQuery(s1);",
            "exists (H:q = 600)"),
     false},
    {"E7", DEVICE("cudaMemsetAsync(x, 255, 4, s1); K2<<<1,1,0,s1>>>();", R0), false},
    {"memset-other", DEVICE("cudaMemsetAsync(x, 255, 4, s1); K2<<<1,1,0,s2>>>();", R0), true},
};

static void check_row(gconstpointer data)
{
    const struct row *row = data;
    struct explored e = explore_text(row->text);
    g_assert_true(e.ran && e.result.finished);
    g_assert_cmpuint(e.result.outcomes.items.len, >, 0);
    g_assert_cmpint(reaches(&e), ==, row->reached);
    arena_free(e.arena);
}

/* E18 row 1 and its neighbour: the source of a pageable copy is read before the call returns, that
 * of a pinned asynchronous one is not. */
static void check_copy(const char *memory, const char *copy, bool reached)
{
    char *text = g_strdup_printf("PTX t\n{ %s p = 5; d = 0; }\n"
                                 "kernel K { ld.weak.u32 %%r0, [d]; }\n"
                                 "host H { %s p = 7; K<<<1, 1>>>(); }\nexists (K:r0 = 7)\n",
                                 memory, copy);
    struct explored e = explore_text(text);
    g_assert_true(e.ran && e.result.finished);
    g_assert_cmpint(reaches(&e), ==, reached);
    arena_free(e.arena);
    g_free(text);
}

static void copies(void)
{
    check_copy("pageable", "cudaMemcpy(d, p, 4, cudaMemcpyHostToDevice);", false);
    check_copy("pinned", "cudaMemcpyAsync(d, p, 4, cudaMemcpyHostToDevice, 0);", true);
}

static void host_functions(void)
{
    struct explored e = explore_text("PTX t\n{ mapped x = 0; }\n" KERNELS "hostfn F { r = x; }\n"
                                     "host H { K1<<<1, 1>>>(); cudaLaunchHostFunc(0, F, NULL); }\n"
                                     "exists (F:r = 0)\n");
    g_assert_true(e.ran && e.result.finished && e.result.outcomes.items.len);
    g_assert_false(reaches(&e));
    arena_free(e.arena);
}

/* The write that ends the loop stands behind the synchronization. */
static void hangs(void)
{
    struct explored e =
        explore_text("PTX t\n{ mapped f = 0; }\nkernel K { L: ld.acquire.sys.u32 %r0, [f];\n"
                     "setp.eq.u32 %p, %r0, 0; @%p bra L; }\n"
                     "host H { K<<<1, 1>>>(); cudaDeviceSynchronize(); f = 1; }\nexists (f = 1)\n");
    g_assert_true(e.ran && e.result.hangs);
    g_assert_true(report_has(&e.reports, REPORT_API_WAIT));
    g_assert_cmpuint(e.result.outcomes.items.len, ==, 0);
    arena_free(e.arena);
}

static void misuse(void)
{
    struct explored e =
        explore_text("PTX t\n{ x = 0; }\n" KERNELS "hostfn F { cudaDeviceSynchronize(); }\n"
                     "host H { cudaLaunchHostFunc(0, F, NULL); }\nexists (x = 0)\n");
    g_assert_true(report_has(&e.reports, REPORT_API_NOT_PERMITTED));
    arena_free(e.arena);
}

/* E19, and a normal launch. */
static void grid_sync(const char *launch, bool ends)
{
    char *text = g_strdup_printf(
        "PTX t\n{ u32 x; }\nkernel K { mov.u32 %%c, %%ctaid.x; setp.eq.u32 %%p, %%c, 0;\n"
        "@%%p st.weak.u32 [x], 1; grid.sync; @!%%p ld.weak.u32 %%r0, [x]; }\n"
        "host H { K<<<2, 1>>>()%s; }\nexists (K[1,0]:r0 = 0)\n",
        launch);
    struct explored e = explore_text(text);
    g_assert_true(e.ran && e.result.finished);
    g_assert_false(reaches(&e));
    g_assert_cmpint(e.result.outcomes.items.len > 0, ==, ends);
    g_assert_cmpint(report_has(&e.reports, REPORT_GRID_SYNC_WITHOUT_COOP), ==, !ends);
    arena_free(e.arena);
    g_free(text);
}

static void grids(void)
{
    grid_sync(" cooperative", true);
    grid_sync("", false);
}

/* ---- graphs and capture --------------------------------------------------------------------- */

#define LAUNCHED "cudaGraphInstantiate(&X, g, 0); cudaGraphLaunch(X, s1);"
#define CAPTURED(calls)                                                                            \
    "cudaStreamBeginCapture(s1, cudaStreamCaptureModeGlobal);\n" calls                             \
    "cudaStreamEndCapture(s1, &g);" LAUNCHED
#define NODES(dependencies, count)                                                                 \
    "cudaGraphCreate(&g, 0); cudaGraphAddKernelNode(&a, g, NULL, 0, K1<<<1, 1>>>());\n"            \
    "cudaGraphAddKernelNode(&b, g, " dependencies ", " count ", K2<<<1, 1>>>());" LAUNCHED
#define CHILD                                                                                      \
    "cudaGraphCreate(&c, 0); cudaGraphAddKernelNode(&a, c, NULL, 0, K1<<<1, 1>>>());\n"            \
    "cudaGraphCreate(&g, 0); cudaGraphAddChildGraphNode(&n, g, NULL, 0, c);\n"                     \
    "cudaGraphAddKernelNode(&b, g, {n}, 1, K2<<<1, 1>>>());" LAUNCHED

static const struct row graph_rows[] = {
    {"E9", DEVICE("K1<<<1,1,0,s1>>>();" CAPTURED("K2<<<1,1,0,s1>>>();"), R0), false},
    {"E10", DEVICE(NODES("{a}", "1"), R0), false},
    {"roots", DEVICE(NODES("NULL", "0"), R0), true},
    {"E11", DEVICE(CAPTURED("K1<<<1,1,0,s1>>>();") "K2<<<1,1,0,s1>>>();", R0), false},
    {"child", DEVICE(CHILD, R0), false},
    {"captured-order", DEVICE(CAPTURED("K1<<<1,1,0,s1>>>(); K2<<<1,1,0,s1>>>();"), R0), false},
    {"captured-fork",
     DEVICE(CAPTURED("K1<<<1,1,0,s1>>>(); cudaEventRecord(e, s1); cudaStreamWaitEvent(s2, e);"
                     "K2<<<1,1,0,s2>>>(); cudaEventRecord(f, s2); cudaStreamWaitEvent(s1, f);"),
            R0),
     false},
    {"captured-siblings",
     DEVICE(CAPTURED("cudaEventRecord(e, s1); cudaStreamWaitEvent(s2, e); K1<<<1,1,0,s1>>>();"
                     "K2<<<1,1,0,s2>>>(); cudaEventRecord(f, s2); cudaStreamWaitEvent(s1, f);"),
            R0),
     true},
    {"external-record",
     DEVICE(
         CAPTURED(
             "K1<<<1,1,0,s1>>>();"
             "cudaEventRecordWithFlags(e, s1, cudaEventRecordExternal);") "cudaStreamWaitEvent(s2, "
                                                                          "e); K2<<<1,1,0,s2>>>();",
         R0),
     false},
    {"external-wait",
     DEVICE("K1<<<1,1,0,s2>>>(); cudaEventRecord(e, s2);" CAPTURED(
                "cudaStreamWaitEvent(s1, e, cudaEventWaitExternal); K2<<<1,1,0,s1>>>();"),
            R0),
     false},
};

/* A node of one executable graph runs twice, one run after the other (E12). */
static void check_relaunch(const char *second, bool lost)
{
    char *text = g_strdup_printf(
        "PTX t\n{ mapped u32 x; }\n"
        "kernel K { ld.weak.u32 %%r0, [x]; add.u32 %%r1, %%r0, 1; st.weak.u32 [x], %%r1; }\n"
        "host H {\n" STREAMS "cudaStreamBeginCapture(s1, cudaStreamCaptureModeGlobal);\n"
        "K<<<1,1,0,s1>>>(); cudaStreamEndCapture(s1, &g); cudaGraphInstantiate(&X, g, 0);\n"
        "cudaGraphInstantiate(&Y, g, 0); cudaGraphLaunch(X, s1); cudaGraphLaunch(%s, s2);\n"
        "cudaDeviceSynchronize(); r = x; }\nexists (H:r = 1)\n",
        second);
    struct explored e = explore_text(text);
    g_assert_true(e.ran && e.result.finished);
    g_assert_cmpuint(e.result.outcomes.items.len, ==, lost ? 2 : 1);
    g_assert_cmpint(reaches(&e), ==, lost);
    arena_free(e.arena);
    g_free(text);
}

static void relaunches(void)
{
    check_relaunch("X", false);
    check_relaunch("Y", true);
}

/* ---- programmatic dependent launch ---------------------------------------------------------- */

static void check_overlap(const char *first, const char *second, const char *platform, bool stale)
{
    char *text = g_strdup_printf(
        "PTX t\n{ u32 x; }\nkernel K1 { %s }\nkernel K2 { %s ld.weak.u32 %%r0, [x]; }\n%s"
        "host H {\n" STREAMS "K1<<<1,1,0,s1>>>(); K2<<<1,1,0,s1>>>() programmatic; }\n" R0 "\n",
        first, second, platform);
    struct explored e = explore_text(text);
    g_assert_true(e.ran && e.result.finished);
    g_assert_cmpuint(e.result.outcomes.items.len, ==, stale ? 2 : 1);
    g_assert_cmpint(reaches(&e), ==, stale);
    arena_free(e.arena);
    g_free(text);
}

#define WRITE   "st.weak.u32 [x], 1; "
#define TRIGGER "griddepcontrol.launch_dependents;"
#define WAIT    "griddepcontrol.wait;"

static void overlaps(void)
{
    check_overlap(WRITE TRIGGER, "", "", true);
    check_overlap(WRITE, "", "", true);
    check_overlap(WRITE TRIGGER, WAIT, "", false);
    check_overlap(WRITE, WAIT, "", false);
    check_overlap(WRITE "fence.acq_rel.gpu;" TRIGGER, "", "", false);
    check_overlap(WRITE "fence.acq_rel.cta;" TRIGGER, "", "", true);
    check_overlap(TRIGGER WRITE "fence.acq_rel.gpu;", "", "", true);
    check_overlap(WRITE "fence.acq_rel.gpu;" TRIGGER, "", "platform { pdlFenceTrigger = 0; }\n",
                  true);
}

/* The second kernel runs while the first one waits for it: only past the trigger. */
static void check_concurrent(const char *trigger, bool ends)
{
    char *text = g_strdup_printf(
        "PTX t\n{ u32 f; }\nkernel K1 { %s L: ld.acquire.gpu.u32 %%r0, [f];\n"
        "setp.eq.u32 %%p, %%r0, 0; @%%p bra L; }\nkernel K2 { st.release.gpu.u32 [f], 1; }\n"
        "host H {\n" STREAMS "K1<<<1,1,0,s1>>>(); K2<<<1,1,0,s1>>>() programmatic; }\n"
        "exists (f = 1)\n",
        trigger);
    struct explored e = explore_text(text);
    g_assert_true(e.ran && e.result.finished);
    g_assert_cmpint(reaches(&e), ==, ends);
    g_assert_cmpint(e.result.hangs, ==, !ends);
    arena_free(e.arena);
    g_free(text);
}

static void concurrent(void)
{
    check_concurrent(TRIGGER, true);
    check_concurrent("", false);
}

/* ---- loops and threads ---------------------------------------------------------------------- */

/* Three runs of one kernel, each after the one before. */
static void loops(void)
{
    struct explored e = explore_text(
        "PTX t\n{ mapped u32 x; }\n"
        "kernel K { ld.weak.u32 %r0, [x]; add.u32 %r1, %r0, 1; st.weak.u32 [x], %r1; }\n"
        "host H { i = 0; while (i < 5) { K<<<1, 1>>>(); i = i + 1; } cudaDeviceSynchronize();\n"
        "r = x; }\nforall (H:r = 5)\n");
    g_assert_true(e.ran && e.result.finished);
    g_assert_cmpuint(e.result.outcomes.items.len, ==, 1);
    g_assert_true(reaches(&e));
    arena_free(e.arena);
}

/* A synchronization waits for what was there when it was called, not for what another thread puts
 * into the stream later: here, a kernel that ends only when the first thread has gone on. */
static void threads(void)
{
    struct explored e = explore_text(
        "PTX t\n{ mapped u32 f; mapped u32 g; }\n"
        "kernel K1 { L: ld.acquire.sys.u32 %r0, [f]; setp.eq.u32 %p, %r0, 0; @%p bra L; }\n"
        "kernel K2 { L: ld.acquire.sys.u32 %r0, [g]; setp.eq.u32 %p, %r0, 0; @%p bra L; }\n"
        "host T1 { cudaStreamCreate(&s1); K1<<<1,1,0,s1>>>(); f.fetch_or(2); "
        "cudaStreamSynchronize(s1); g = 1; }\n"
        "host T2 { while (f == 0) ; K2<<<1,1,0,s1>>>(); f = 1; }\nexists (g = 1)\n");
    g_assert_true(e.ran && e.result.finished);
    g_assert_true(reaches(&e));
    arena_free(e.arena);
}

/* ---- a full table ---------------------------------------------------------------------------- */

/* Load buffering: an atomic returns after the writes that follow it, to z and to y. Its own write and
 * the one of P1 make 'writes' + 3 accesses, the load that it was included. */
static void check_table(uint32_t writes, bool fits)
{
    GString *text =
        g_string_new("PTX t\n{ x = 0; y = 0; z = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                     "atom.relaxed.gpu.add.u32 r0, [x], 1 | ld.relaxed.gpu.u32 r1, [y];\n");
    for (uint32_t i = 0; i + 1 < writes; i++)
        g_string_append_printf(text, "st.relaxed.gpu.u32 [z], %u | ;\n", i);
    g_string_append(text, "st.relaxed.gpu.u32 [y], 1 | st.relaxed.gpu.u32 [x], r1;\n"
                          "exists (0:r0 = 1 /\\ 1:r1 = 1)\n");
    struct explored e = explore_text(text->str);
    g_assert_cmpint(e.result.finished, ==, fits);
    g_assert_cmpint(reaches(&e), ==, fits);
    arena_free(e.arena);
    g_string_free(text, true);
}

static void full_table(void)
{
    check_table(61, true);
    check_table(62, false);
}

/* ---- what fails ----------------------------------------------------------------------------- */

static const struct {
    const char *calls;
    enum report_id id;
} wrong[] = {
    {"cudaGraphLaunch(X, s1);", REPORT_API_INVALID_VALUE},
    {"K1<<<1,1,0,never>>>();", REPORT_API_INVALID_HANDLE},
    {"cudaSetDevice(1); K1<<<1,1,0,s1>>>();", REPORT_API_INVALID_HANDLE},
    {"cudaSetDevice(1); cudaEventCreate(&e); cudaEventRecord(e, s1);", REPORT_API_INVALID_HANDLE},
    {"cudaStreamDestroy(s1); K1<<<1,1,0,s1>>>();", REPORT_API_USE_AFTER_DESTROY},
    {"cudaEventDestroy(e); cudaStreamWaitEvent(s1, e);", REPORT_API_USE_AFTER_DESTROY},
    {"cudaMemcpy(x, x, 4, cudaMemcpyDeviceToHost);", REPORT_API_COPY_DIRECTION},
    {"cudaMemcpy(x, x, 4, cudaMemcpyDeviceToDevice);", REPORT_API_COPY_OVERLAP},
    {"cudaMemset(x, 0, 4096);", REPORT_API_OUT_OF_RANGE},
    {"cudaStreamBeginCapture(0);", REPORT_API_CAPTURE_UNSUPPORTED},
    {"cudaStreamBeginCapture(s1); cudaStreamSynchronize(s1);", REPORT_API_CAPTURE_UNSUPPORTED},
    {"cudaStreamBeginCapture(s1); cudaDeviceSynchronize();", REPORT_API_CAPTURE_UNSUPPORTED},
    {"cudaStreamBeginCapture(b1); K1<<<1,1>>>();", REPORT_API_CAPTURE_IMPLICIT},
    {"cudaStreamBeginCapture(s1); cudaEventRecord(e, s1); cudaEventSynchronize(e);",
     REPORT_API_CAPTURED_EVENT},
    {"cudaEventRecord(e, s2); cudaStreamBeginCapture(s1); cudaStreamWaitEvent(s1, e);",
     REPORT_API_CAPTURE_ISOLATION},
    {"cudaStreamBeginCapture(s1); cudaEventRecord(e, s1); cudaStreamBeginCapture(s2);"
     "cudaStreamWaitEvent(s2, e);",
     REPORT_API_CAPTURE_MERGE},
    {"cudaStreamBeginCapture(s1); cudaStreamEndCapture(s2, &g);", REPORT_API_ILLEGAL_STATE},
    {"cudaStreamBeginCapture(s1); cudaStreamBeginCapture(s1);", REPORT_API_ILLEGAL_STATE},
    {"cudaEventRecordWithFlags(e, s1, cudaEventRecordExternal);", REPORT_API_ILLEGAL_STATE},
    {"cudaStreamBeginCapture(s1); cudaStreamSynchronize(s2);", REPORT_API_CAPTURE_UNSUPPORTED},
    {"cudaStreamBeginCapture(s1); cudaEventRecord(e, s1); cudaStreamWaitEvent(s2, e);"
     "cudaStreamEndCapture(s2, &g);",
     REPORT_API_CAPTURE_UNMATCHED},
    {"cudaStreamBeginCapture(s1); cudaEventRecord(e, s1); cudaStreamWaitEvent(s2, e);"
     "K1<<<1,1,0,s2>>>(); cudaStreamEndCapture(s1, &g);",
     REPORT_API_CAPTURE_UNJOINED},
};

static void failures(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        char *text = g_strconcat(DEVICE_START, wrong[i].calls, "}\nexists (x = 1)\n", NULL);
        struct explored e = explore_text(text);
        g_assert_true(e.ran && e.result.finished);
        g_assert_true(report_has(&e.reports, wrong[i].id));
        g_assert_cmpuint(e.result.outcomes.items.len, ==, 0);
        arena_free(e.arena);
        g_free(text);
    }
}

/* What is launched between two captures is no node of the second. */
static void captured_twice(void)
{
    struct explored e = explore_text(
        DEVICE("cudaStreamBeginCapture(s1); K1<<<1,1,0,s1>>>(); cudaStreamEndCapture(s1, &g);"
               "cudaGraphInstantiate(&X, g); cudaGraphLaunch(X, s1);"
               "cudaStreamBeginCapture(s1); K2<<<1,1,0,s1>>>(); cudaStreamEndCapture(s1, &g);"
               "cudaGraphInstantiate(&Y, g); cudaGraphLaunch(Y, s1);",
               "exists (K2:r0 = 0)"));
    g_assert_true(e.ran && e.result.finished);
    g_assert_false(reaches(&e));
    arena_free(e.arena);
}

static void managed(void)
{
    static const char *const ends[] = {"", "cudaStreamSynchronize(s1);"};
    for (int i = 0; i < 2; i++) {
        char *text = g_strconcat("PTX t\n{ u32 x; managed u32 y; }\n" KERNELS
                                 "platform { concurrentManagedAccess = 0; }\nhost H {\n" STREAMS
                                 "K1<<<1,1,0,s1>>>(); ",
                                 ends[i], " y = 2; }\nexists (y = 2)\n", NULL);
        struct explored e = explore_text(text);
        g_assert_true(e.ran && e.result.finished);
        g_assert_cmpint(report_has(&e.reports, REPORT_MANAGED_WHILE_ACTIVE), ==, i == 0);
        g_assert_cmpint(reaches(&e), ==, i == 1);
        arena_free(e.arena);
        g_free(text);
    }
}

/* A block is there from the end of its allocation to the start of its release, as lanes know. */
static void check_lifetime(const char *calls, enum report_id id)
{
    char *text = g_strconcat(DEVICE_START, calls, "}\nexists (K2:r0 = 1)\n", NULL);
    struct explored e = explore_text(text);
    g_assert_true(e.ran && e.result.finished);
    g_assert_cmpint(report_has(&e.reports, REPORT_USE_BEFORE_ALLOC), ==,
                    id == REPORT_USE_BEFORE_ALLOC);
    g_assert_cmpint(report_has(&e.reports, REPORT_USE_AFTER_FREE), ==, id == REPORT_USE_AFTER_FREE);
    arena_free(e.arena);
    g_free(text);
}

static void lifetimes(void)
{
    check_lifetime("cudaMallocAsync(&x, 4, s1); K1<<<1,1,0,s1>>>(); K2<<<1,1,0,s1>>>();"
                   "cudaFreeAsync(x, s1);",
                   REPORT_COUNT);
    check_lifetime("cudaMallocAsync(&x, 4, s1); K2<<<1,1,0,s2>>>();", REPORT_USE_BEFORE_ALLOC);
    check_lifetime("K2<<<1,1,0,s1>>>(); cudaMallocAsync(&x, 4, s1);", REPORT_USE_BEFORE_ALLOC);
    check_lifetime("K2<<<1,1,0,s1>>>(); cudaFreeAsync(x, s2);", REPORT_USE_AFTER_FREE);
    check_lifetime("cudaFreeAsync(x, s1); K2<<<1,1,0,s1>>>();", REPORT_USE_AFTER_FREE);
    check_lifetime("K2<<<1,1,0,s1>>>(); cudaEventRecord(e, s1); cudaStreamWaitEvent(s2, e);"
                   "cudaFreeAsync(x, s2);",
                   REPORT_COUNT);
}

static void refusals(void)
{
    struct explored e =
        explore_text("PTX t\n{ x = 0; }\n" KERNELS "platform { hostNativeAtomicSupported = 0; }\n"
                     "host H { K1<<<1,1>>>(); }\nexists (x = 1)\n");
    g_assert_false(e.ran);
    g_assert_cmpint(e.diags.items.at[0].id, ==, DIAG_run_unsupported);
    arena_free(e.arena);
}

static void add_rows(const struct row *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *path = g_strdup_printf("/machine/api/%s", table[i].name);
        g_test_add_data_func(path, &table[i], check_row);
        g_free(path);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add_rows(rows, G_N_ELEMENTS(rows));
    add_rows(graph_rows, G_N_ELEMENTS(graph_rows));
    g_test_add_func("/machine/api/copies", copies);
    g_test_add_func("/machine/api/host-functions", host_functions);
    g_test_add_func("/machine/api/grid-sync", grids);
    g_test_add_func("/machine/api/hangs", hangs);
    g_test_add_func("/machine/api/misuse", misuse);
    g_test_add_func("/machine/api/relaunches", relaunches);
    g_test_add_func("/machine/api/overlaps", overlaps);
    g_test_add_func("/machine/api/concurrent", concurrent);
    g_test_add_func("/machine/api/loops", loops);
    g_test_add_func("/machine/api/threads", threads);
    g_test_add_func("/machine/api/full-table", full_table);
    g_test_add_func("/machine/api/failures", failures);
    g_test_add_func("/machine/api/captured_twice", captured_twice);
    g_test_add_func("/machine/api/managed", managed);
    g_test_add_func("/machine/api/lifetimes", lifetimes);
    g_test_add_func("/machine/api/refusals", refusals);
    return g_test_run();
}
