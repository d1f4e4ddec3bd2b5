/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: any bytes, read as a memory model. They are refused with an error, or are a model.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/models/models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Includes find nothing: the target reads no files. */
static const struct source *open_nothing(void *context, struct arena *arena, const char *name)
{
    (void)context, (void)arena, (void)name;
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct cat_loader loader = {open_nothing, NULL};
    const struct source *source = source_new(arena, "fuzz.cat", (const char *)data, size);
    struct cat_model *model =
        cat_parse(arena, source, model_bases, model_base_count, &loader, &diags);
    for (uint32_t i = 0; i < diags.items.len; i++)
        diag_render(arena, &diags.items.at[i]);
    if (!model && !diags.errors)
        abort();
    arena_free(arena);
    return 0;
}
