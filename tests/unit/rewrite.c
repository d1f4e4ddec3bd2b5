/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "litmus/rewrite/gap.h"
#include "litmus/rewrite/object.h"
#include "litmus/rewrite/threads.h"
#include "litmus/rewrite/words.h"

/* ---- every edit of a program can be read, and is what it says --------------------------------- */

static const char *const programs[] = {
    "C++ methods\n{ int x = 0; cuda::atomic<int, cuda::thread_scope_block> f = 0, g{1}; "
    "std::atomic<int> s; }\n"
    "P0@cta 0,gpu 0 {\n  x = 1;\n  f.store(1, cuda::memory_order_relaxed);\n  s.store(1, "
    "std::memory_order_release);\n"
    "  int old = g.fetch_add(2);\n  g.exchange(3, cuda::memory_order_acq_rel);\n}\n"
    "P1@cta 1,gpu 0 {\n  while (f.load(cuda::memory_order_acquire) == 0)\n    ;\n  if (s.load() == "
    "1)\n    r = x;\n"
    "  else {\n    q = x;\n  }\n}\nexists (1:r=0)\n",
    "C++ references\n{ int x = 0; unsigned a[2]; long long w; }\n"
    "P0@cta 0,gpu 0 {\n  cuda::atomic_ref<int, cuda::thread_scope_device> y(x);\n  auto z = "
    "cuda::atomic_ref<int>(x);\n"
    "  y.store(1, cuda::memory_order_relaxed); z.fetch_sub(1, cuda::memory_order_relaxed);\n  a[1] "
    "= a[0] + 1;\n"
    "  a[0] += 2;\n  w++;\n  --w;\n  (a[1]) = 3;\n}\n"
    "P1@cta 1,gpu 0 {\n  int r = cuda::atomic_ref<int, cuda::thread_scope_system>(x).load();\n"
    "  cuda::atomic_ref<int>(x).store(2, cuda::memory_order_seq_cst);\n  int expected = 0;\n"
    "  bool b = cuda::atomic_ref<int, "
    "cuda::thread_scope_device>(x).compare_exchange_strong(expected, 1, "
    "cuda::memory_order_acq_rel, cuda::memory_order_relaxed);\n  q = a[1];\n}\nexists (1:r=0)\n",
    "C++ older\n{ int x = 0; cuda::atomic<unsigned, cuda::thread_scope_device> f; }\n"
    "P0@cta 0,gpu 0,warp 0 {\n  atomicAdd(&x, 1);\n  atomicExch_block(&x, 2);\n  "
    "__threadfence();\n  f = 1;\n  __syncthreads();\n}\n"
    "P1@cta 0,gpu 0,warp 0 {\n  r = f;\n  cuda::atomic_thread_fence(cuda::memory_order_acquire, "
    "cuda::thread_scope_device);\n"
    "  f += 2; f++; __syncthreads();\n  int old = atomicCAS_system(&x, 0, 1);\n  "
    "__threadfence_block();\n}\nexists (1:r=0)\n",
    "C++ columns\n{ x = 0; cuda::atomic<int, cuda::thread_scope_device> f; }\n"
    "P0@cta 0,gpu 0                         | P1@cta 1,gpu 0                               ;\n"
    "x = 1                                  | int r0 = f.load(cuda::memory_order_relaxed)  ;\n"
    "__threadfence()                        | if (r0 == 1) { r1 = x; }                     ;\n"
    "f.store(1, cuda::memory_order_relaxed) | atomic_thread_fence(memory_order_seq_cst)    ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n",
    "C++ functions\n{ atomic_int x; int y; }\n"
    "P0 (atomic_int *x, int *y) {\n  *y = 1;\n  atomic_store_explicit(x, 1, "
    "memory_order_relaxed);\n}\n"
    "P1 (atomic_int *x, int *y) {\n  int r0 = atomic_load_explicit(x, memory_order_acquire);\n  "
    "int r1 = *y;\n"
    "  atomic_fetch_add(x, 1);\n}\nexists (1:r0=1 /\\ 1:r1=0)\n"};

static struct test *read(struct arena *arena, const struct source *source)
{
    struct diag_list diags = {.arena = arena};
    struct test *test = litmus_parse(arena, source, &diags);
    if (!test)
        g_error("%s\n%s", diag_render(arena, &diags.items.at[0]), source->text);
    return test;
}

static struct test *test_of(struct arena *arena, const char *text)
{
    return read(arena, source_new(arena, "t.litmus", text, strlen(text)));
}

static uint32_t count(const struct test *test, const struct inst *like)
{
    uint32_t found = 0;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            found += inst->op == like->op && inst->sem == like->sem && inst->scope == like->scope;
        }
    return found;
}

static void apply(struct arena *arena, const struct test *test, const struct edit_option *option)
{
    struct edited edited = edit_apply(arena, test, &option->edit, 1);
    g_assert_nonnull(edited.source);
    struct test *after = read(arena, edited.source);
    if (option->inst.op != OP_COUNT && count(after, &option->inst) <= count(test, &option->inst))
        g_error("no %s in\n%s", option->edit.words, edited.source->text);
}

static uint32_t apply_each(const char *text,
                           struct edit_places (*places_of)(struct arena *, const struct test *))
{
    struct arena *arena = arena_new();
    const struct test *test = test_of(arena, text);
    struct edit_places places = places_of(arena, test);
    uint32_t edits = 0;
    for (uint32_t i = 0; i < places.items.len; i++)
        for (uint32_t k = 0; k < places.items.at[i].options.len; k++)
            if (places.items.at[i].options.at[k].edits) {
                apply(arena, test, &places.items.at[i].options.at[k]);
                edits++;
            }
    arena_free(arena);
    return edits;
}

static void every_stronger_form_is_read(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
        g_assert_cmpuint(apply_each(programs[i], threads_stronger), >, 10);
}

static void every_weaker_form_is_read(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
        g_assert_cmpuint(apply_each(programs[i], threads_weaker), >, 0);
}

static void barriers_can_be_left_out(void)
{
    g_assert_cmpuint(apply_each(programs[2], threads_fewer), ==, 2);
}

/* ---- words ---------------------------------------------------------------------------------- */

static void words_keep_the_form_of_others(void)
{
    struct arena *arena = arena_new();
    static const struct {
        const char *like;
        enum sem sem;
        const char *words;
    } rows[] = {{"cuda::std::memory_order_relaxed", SEM_ACQUIRE, "cuda::std::memory_order_acquire"},
                {"std::memory_order::acq_rel", SEM_SC, "std::memory_order::seq_cst"},
                {"memory_order_consume", SEM_RELAXED, "memory_order_relaxed"},
                {"rlx", SEM_ACQUIRE, "acq"},
                {"relaxed", SEM_RELEASE, "release"}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        g_assert_cmpstr(words_order_like(arena, rows[i].like, rows[i].sem), ==, rows[i].words);
    g_assert_cmpstr(words_scope_like(arena, "thread_scope_block", SCOPE_SYS), ==,
                    "thread_scope_system");
    g_assert_cmpstr(words_scope_like(arena, "gpu", SCOPE_CTA), ==, "cta");
    arena_free(arena);
}

/* ---- statements ----------------------------------------------------------------------------- */

static void statements_are_found_by_their_marks(void)
{
    struct arena *arena = arena_new();
    const char *text = "a = 1; if (b) c(); else { d; } for (int i = 0; i < 2; i++) e[i] = {1, 2}; "
                       "again: f; do g; while (h); {;}";
    struct source *source = source_new(arena, "t.cu", text, strlen(text));
    struct statements statements = {0};
    statements_read(arena, source, 0, source->length, &statements);
    const char *c = strstr(text, "c()"), *h = strstr(text, "h)"), *f = strstr(text, "f;");
    const struct statement *found = statements_at(&statements, (uint32_t)(c - text));
    g_assert_true(found->bare);
    g_assert_cmpint(found->span.length, ==, 4);
    found = statements_at(&statements, (uint32_t)(h - text));
    g_assert_cmpint(text[found->span.offset], ==, 'd');
    g_assert_cmpint(statements_at(&statements, (uint32_t)(f - text))->span.offset, ==, f - text);
    g_assert_cmpuint(statements.items.len, ==, 11);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rewrite/stronger", every_stronger_form_is_read);
    g_test_add_func("/rewrite/weaker", every_weaker_form_is_read);
    g_test_add_func("/rewrite/fewer", barriers_can_be_left_out);
    g_test_add_func("/rewrite/words", words_keep_the_form_of_others);
    g_test_add_func("/rewrite/statements", statements_are_found_by_their_marks);
    return g_test_run();
}
