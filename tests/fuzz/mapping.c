/* SPDX-License-Identifier: MIT
 *
 * A text as a mapping, and, if it is one, what it makes of a test in C++ that has every operation. */
#include <string.h>

#include "litmus/mapping/mapping.h"
#include "litmus/print/print.h"
#include "litmus/read/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char program[] =
    "C++ all\n{ int x = 0; unsigned char y = 0; }\nP0@block 0 {\n"
    "  x = 1; std::atomic_ref<int> a(x); int e = 0;\n"
    "  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);\n"
    "  if (a.fetch_add(1) == 1) a.store(2, cuda::memory_order_release);\n"
    "  a.compare_exchange_strong(e, 3, cuda::memory_order_release, cuda::memory_order_acquire);\n"
    "  int r = a.load(cuda::memory_order_acquire);\n"
    "}\nexists (0:r=1)\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena}, none = {.arena = arena};
    struct mapping_table *mapping =
        mapping_read(arena, source_new(arena, "fuzz", (const char *)data, size), &diags);
    const struct test *test =
        litmus_parse(arena, source_new(arena, "all", program, strlen(program)), &none);
    const struct test *made =
        mapping && test ? mapping_translate(arena, mapping, test, &none) : NULL;
    if (made) {
        const char *text = print_test(arena, made);
        litmus_parse(arena, source_new(arena, "made", text, strlen(text)), &none);
    }
    arena_free(arena);
    return 0;
}
