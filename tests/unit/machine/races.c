/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "litmus/read/read.h"
#include "tests/agree/detect.h"

/* The race detector: what orders two accesses and what does not. Waits are loops, so that a program
 * is racy or not whatever the schedule. */

enum { SCHEDULES = 40, MOST_THREADS = 24 };

/* A thread is "cta,gpu: instruction; instruction". */
struct row {
    const char *name, *declare;
    const char *threads[5];
    const char *race; /* a part of what is reported; NULL: no race */
};

/* Leaves the loop when the flag has the value. */
#define WAIT(load, flag, value)                                                                    \
    "L" flag value ":; " load " %r9, [" flag "]; setp.ne.u32 %p9, %r9, " value                     \
    "; @%p9 bra L" flag value "; "
#define WAIT_PHASE(name, scope, parity)                                                            \
    name ":; mbarrier.try_wait.parity" scope ".shared::cta.b64 %p1, [mb], " parity                 \
         "; @!%p1 bra " name "; "
#define RACE_01 "P1: the read of 'x'+0 races with the write by P0 at line 4"

static const struct row rows[] = {
    {"release-pattern",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; st.release.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.acquire.gpu.u32", "y", "1") "ld.weak.u32 %r1, [x]"},
     NULL},
    {"halves", "x;", {"0,0: st.weak.u16 [x], 1", "1,0: st.weak.u16 [x+2], 1"}, NULL},
    {"quarters",
     "x;",
     {"0,0: st.weak.u8 [x], 1", "1,0: st.weak.u8 [x+1], 1", "1,0: st.weak.u16 [x+2], 1"},
     NULL},
    {"one-half",
     "x;",
     {"0,0: st.weak.u16 [x+2], 1", "1,0: st.weak.u16 [x+2], 1", "1,0: st.weak.u16 [x], 1"},
     "'x'+2 races"},
    {"whole-before-halves",
     "x; y; z;",
     {"0,0: st.weak.u32 [x], 1; st.release.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.acquire.gpu.u32", "y", "1") "st.weak.u16 [x], 2; st.relaxed.gpu.u32 [z], 1",
      "2,0: " WAIT("ld.relaxed.gpu.u32", "z", "1") "ld.weak.u16 %h1, [x+2]"},
     "P2: the read of 'x'+2 races with the write by P0 at line 4"},
    {"both-named",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; st.release.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.relaxed.gpu.u32", "y", "1") "ld.weak.u32 %r1, [x]"},
     RACE_01},
    {"release-then-strong-store",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; st.release.gpu.u32 [y], 1; st.relaxed.gpu.u32 [y], 2",
      "1,0: " WAIT("ld.acquire.gpu.u32", "y", "2") "ld.weak.u32 %r1, [x]"},
     NULL},
    {"release-elsewhere",
     "x; y; z;",
     {"0,0: st.weak.u32 [x], 1; st.release.gpu.u32 [z], 1; st.relaxed.gpu.u32 [y], 2",
      "1,0: " WAIT("ld.acquire.gpu.u32", "y", "2") "ld.weak.u32 %r1, [x]"},
     RACE_01},
    {"strong-load-then-acquire",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; st.release.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.relaxed.gpu.u32", "y",
                   "1") "st.relaxed.gpu.u32 [y], 2; "
                        "ld.acquire.gpu.u32 %r2, [y]; ld.weak.u32 %r1, [x]"},
     NULL},
    {"strong-load-then-acquire-elsewhere",
     "x; y; z;",
     {"0,0: st.weak.u32 [x], 1; st.release.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.relaxed.gpu.u32", "y", "1") "ld.acquire.gpu.u32 %r2, [z]; "
                                                   "ld.weak.u32 %r1, [x]"},
     RACE_01},
    {"chain",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; st.release.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.acquire.gpu.u32", "y", "2") "ld.weak.u32 %r1, [x]",
      "0,0: " WAIT("ld.relaxed.gpu.u32", "y", "1") "atom.relaxed.gpu.add.u32 %r1, [y], 1"},
     NULL},
    {"chain-of-a-narrow-fence",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; fence.acq_rel.cta; st.relaxed.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.acquire.gpu.u32", "y", "2") "ld.weak.u32 %r1, [x]",
      "0,0: " WAIT("ld.relaxed.gpu.u32", "y", "1") "atom.relaxed.gpu.add.u32 %r1, [y], 1"},
     RACE_01},
    {"chain-cut-by-a-store",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; st.release.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.acquire.gpu.u32", "y", "2") "ld.weak.u32 %r1, [x]",
      "0,0: " WAIT("ld.relaxed.gpu.u32", "y", "1") "st.relaxed.gpu.u32 [y], 2"},
     RACE_01},
    {"narrow-fence",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; fence.acq_rel.cta; st.relaxed.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.acquire.gpu.u32", "y", "1") "ld.weak.u32 %r1, [x]"},
     RACE_01},
    {"narrow-fence-in-the-cta",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; fence.acq_rel.cta; st.relaxed.gpu.u32 [y], 1",
      "0,0: " WAIT("ld.acquire.gpu.u32", "y", "1") "ld.weak.u32 %r1, [x]"},
     NULL},
    {"narrow-acquire-fence",
     "x; y;",
     {"0,0: st.weak.u32 [x], 1; fence.acq_rel.gpu; st.relaxed.gpu.u32 [y], 1",
      "1,0: " WAIT("ld.relaxed.gpu.u32", "y", "1") "fence.acq_rel.cta; ld.weak.u32 %r1, [x]"},
     RACE_01},
    {"strong-across-devices",
     "x;",
     {"0,0: st.relaxed.gpu.u32 [x], 1", "0,1: ld.relaxed.gpu.u32 %r1, [x]"},
     "'x'+0 races"},
    {"earlier-write-of-the-lane",
     "x;",
     {"0,0: st.weak.u32 [x], 1; st.relaxed.gpu.u32 [x], 2",
      "1,0: " WAIT("ld.relaxed.gpu.u32", "x", "2") "ld.relaxed.gpu.u32 %r1, [x]"},
     RACE_01},
    {"phase-of-the-wait",
     "x; z; shared b64 mb @ cta 0;",
     {"0,0: mbarrier.init.shared::cta.b64 [mb], 2; bar.sync 0; "
      "mbarrier.arrive.shared::cta.b64 _, [mb], 2; st.weak.u32 [x], 1; "
      "mbarrier.arrive.shared::cta.b64 _, [mb]; st.relaxed.cta.u32 [z], 1",
      "0,0: bar.sync 0; " WAIT("ld.relaxed.cta.u32", "z", "1")
          WAIT_PHASE("W", "", "0") "ld.weak.u32 %r1, [x]"},
     "P1: the read of 'x'+0 races with the write by P0 at line 7"},
    {"second-phase",
     "x; shared b64 mb @ cta 0;",
     {"0,0: mbarrier.init.shared::cta.b64 [mb], 1; bar.sync 0; "
      "mbarrier.arrive.shared::cta.b64 _, [mb]; bar.sync 0; st.weak.u32 [x], 1; "
      "mbarrier.arrive.shared::cta.b64 _, [mb]",
      "0,0: bar.sync 0; " WAIT_PHASE("V", "", "0") "bar.sync 0; " WAIT_PHASE(
          "W", "", "1") "ld.weak.u32 %r1, [x]"},
     NULL},
    {"relaxed-arrival-after-a-fence",
     "x; shared b64 mb @ cta 0;",
     {"0,0: mbarrier.init.shared::cta.b64 [mb], 1; bar.sync 0; st.weak.u32 [x], 1; "
      "fence.acq_rel.cta; mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [mb]",
      "0,0: bar.sync 0; " WAIT_PHASE("W", ".relaxed.cta", "0") "fence.acq_rel.cta; "
                                                               "ld.weak.u32 %r1, [x]"},
     NULL},
    {"relaxed-arrival",
     "x; shared b64 mb @ cta 0;",
     {"0,0: mbarrier.init.shared::cta.b64 [mb], 1; bar.sync 0; st.weak.u32 [x], 1; "
      "mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [mb]",
      "0,0: bar.sync 0; " WAIT_PHASE("W", "", "0") "ld.weak.u32 %r1, [x]"},
     "P1: the read of 'x'+0 races with the write by P0 at line 6"},
};

/* The cell of thread t in a row of the program, or NULL when it has ended. */
static char *cell(GStrv *threads, uint32_t t, uint32_t row)
{
    return row < g_strv_length(threads[t]) ? g_strstrip(threads[t][row]) : NULL;
}

static GString *litmus(const char *declare, const char *const *threads, uint32_t count)
{
    GString *text = g_string_new(NULL);
    GStrv cells[MOST_THREADS];
    g_string_append_printf(text, "PTX t\n{ %s }\n", declare);
    for (uint32_t t = 0; t < count; t++) {
        uint32_t cta = 0, gpu = 0;
        sscanf(threads[t], "%u,%u:", &cta, &gpu);
        g_string_append_printf(text, "P%u@cta %u,gpu %u %s", t, cta, gpu,
                               t + 1 < count ? "| " : ";\n");
        cells[t] = g_strsplit(strchr(threads[t], ':') + 1, ";", 0);
    }
    bool more = true;
    for (uint32_t row = 0; more; row++) {
        more = false;
        for (uint32_t t = 0; t < count; t++) {
            const char *words = cell(cells, t, row);
            more |= words != NULL;
            g_string_append_printf(text, "%s %s", words ? words : "", t + 1 < count ? "| " : ";\n");
        }
    }
    for (uint32_t t = 0; t < count; t++)
        g_strfreev(cells[t]);
    g_string_append(text, "exists (true)\n");
    return text;
}

static void check(const char *text, const char *race)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    const struct test *test = litmus_parse(
        arena, source_new(arena, "t", arena_strdup(arena, text), strlen(text)), &diags);
    const char *report;
    if (!test)
        g_error("%s\n%s", text, diag_render(arena, &diags.items.at[0]));
    g_assert_true(detect_races(arena, test, SCHEDULES, &report));
    if (!race && report)
        g_test_fail_printf("%s\nan invented race: %s", text, report);
    else if (race && (!report || !strstr(report, race)))
        g_test_fail_printf("%s\nnot \"%s\" but \"%s\"", text, race, report);
    arena_free(arena);
}

static void check_row(gconstpointer data)
{
    const struct row *row = data;
    uint32_t count = 0;
    while (count < G_N_ELEMENTS(row->threads) && row->threads[count])
        count++;
    GString *text = litmus(row->declare, row->threads, count);
    check(text->str, row->race);
    g_string_free(text, TRUE);
}

/* Twenty readers, the last but one of which the writer has not synchronized with. */
static void many_readers(void)
{
    const char *threads[MOST_THREADS];
    for (uint32_t i = 0; i < 18; i++)
        threads[i] = "0,0: ld.weak.u32 %r1, [x]; red.release.gpu.add.u32 [c], 1";
    threads[18] = "0,0: " WAIT("ld.relaxed.gpu.u32", "c", "18") "ld.weak.u32 %r1, [x]; "
                                                                "st.relaxed.gpu.u32 [d], 1";
    threads[19] = "0,0: " WAIT("ld.relaxed.gpu.u32", "d", "1") "ld.weak.u32 %r1, [x]; "
                                                               "red.release.gpu.add.u32 [c], 1";
    threads[20] = "0,0: " WAIT("ld.acquire.gpu.u32", "c", "19") "st.weak.u32 [x], 1";
    GString *text = litmus("x; c; d;", threads, 21);
    check(text->str, "P20: the write of 'x'+0 races with the read by P18 at line");
    g_string_free(text, TRUE);
}

/* Host threads are in the system scope only. */
static void host_scope(void)
{
    static const char program[] =
        "PTX t\n{ mapped u32 x; }\nkernel K { st.relaxed.%s.u32 [x], 1; }\n"
        "host H { K<<<1, 1>>>(); r = x.load(relaxed); }\nexists (true)\n";
    g_autofree char *narrow = g_strdup_printf(program, "gpu"),
                    *wide = g_strdup_printf(program, "sys");
    check(narrow, "'x'+0 races");
    check(wide, NULL);
}

/* A copy of the host has no size: its elements race with none of their own, and with others plainly. */
static void host_copies(void)
{
    check("PTX alone\n{ u32 x = 0; u16 a[2] = {1, 1}; }\n"
          "host H { cudaMemcpy(x, a, 4, cudaMemcpyDeviceToDevice); }\nexists (x = 0)",
          NULL);
    check("PTX store\n{ u32 x = 0; u16 a[2] = {1, 1}; }\n"
          "kernel K { st.weak.u32 [x], 2; }\n"
          "host H { cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);\n"
          "cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking); K<<<1, 1, 0, s1>>>();\n"
          "cudaMemcpyAsync(x, a, 4, cudaMemcpyDeviceToDevice, s2); cudaDeviceSynchronize(); }\n"
          "exists (x = 0)",
          "data-race");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/machine/races/%s", rows[i].name);
        g_test_add_data_func(path, &rows[i], check_row);
    }
    g_test_add_func("/machine/races/many-readers", many_readers);
    g_test_add_func("/machine/races/host-scope", host_scope);
    g_test_add_func("/machine/races/host-copies", host_copies);
    return g_test_run();
}
