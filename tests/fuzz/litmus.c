/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: any bytes, read as a test. Either they are refused with an error, or the test prints
 * in canonical form, and that reads and prints as itself. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "litmus/print/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *parse_and_print(struct arena *arena, const char *text, size_t length)
{
    struct diag_list diags = {.arena = arena};
    const struct source *source = source_new(arena, "fuzz.litmus", text, length);
    struct test *test = litmus_parse(arena, source, &diags);
    for (uint32_t i = 0; i < diags.items.len; i++)
        diag_render(arena, &diags.items.at[i]);
    if (!test && !diags.errors)
        abort();
    return test ? print_test(arena, test) : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    const char *printed = parse_and_print(arena, (const char *)data, size);
    if (printed) {
        const char *again = parse_and_print(arena, printed, strlen(printed));
        if (!again || strcmp(printed, again) != 0)
            abort();
    }
    arena_free(arena);
    return 0;
}
