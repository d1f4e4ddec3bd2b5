/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/mapping/mapping.h"

/* The bundled mappings, and those in files. */

static const unsigned char paper[] = {
#include "litmus/paper.map.inc"
};
static const unsigned char guide_12_9[] = {
#include "litmus/guide-12.9.map.inc"
};
static const unsigned char guide_12_9_fences[] = {
#include "litmus/guide-12.9-fences.map.inc"
};
static const unsigned char guide_13[] = {
#include "litmus/guide-13.map.inc"
};
static const unsigned char guide_13_alternatives[] = {
#include "litmus/guide-13-alternatives.map.inc"
};
static const unsigned char guide_13_acquire[] = {
#include "litmus/guide-13-acquire.map.inc"
};
static const unsigned char guide_13_release[] = {
#include "litmus/guide-13-release.map.inc"
};
static const unsigned char guide_13_acq_rel[] = {
#include "litmus/guide-13-acq-rel.map.inc"
};
static const unsigned char library[] = {
#include "litmus/library.map.inc"
};
static const unsigned char library_small[] = {
#include "litmus/library-small.map.inc"
};
static const unsigned char nvcc_13[] = {
#include "litmus/nvcc-13.map.inc"
};
static const unsigned char nvcc_13_builtins[] = {
#include "litmus/nvcc-13-builtins.map.inc"
};
static const unsigned char llvm[] = {
#include "litmus/llvm.map.inc"
};
static const unsigned char cheap_store[] = {
#include "litmus/cheap-store.map.inc"
};
static const unsigned char trailing_fences[] = {
#include "litmus/trailing-fences.map.inc"
};
static const unsigned char no_fences[] = {
#include "litmus/no-fences.map.inc"
};

const struct mapping_text mapping_texts[] = {
    {"paper", (const char *)paper},
    {"guide-12.9", (const char *)guide_12_9},
    {"guide-12.9-fences", (const char *)guide_12_9_fences},
    {"guide-13", (const char *)guide_13},
    {"guide-13-alternatives", (const char *)guide_13_alternatives},
    {"guide-13-acquire", (const char *)guide_13_acquire},
    {"guide-13-release", (const char *)guide_13_release},
    {"guide-13-acq-rel", (const char *)guide_13_acq_rel},
    {"library", (const char *)library},
    {"library-small", (const char *)library_small},
    {"nvcc-13", (const char *)nvcc_13},
    {"nvcc-13-builtins", (const char *)nvcc_13_builtins},
    {"llvm", (const char *)llvm},
    {"cheap-store", (const char *)cheap_store},
    {"trailing-fences", (const char *)trailing_fences},
    {"no-fences", (const char *)no_fences},
};
const uint32_t mapping_text_count = G_N_ELEMENTS(mapping_texts);

static const struct source *read_file(struct arena *arena, const char *path,
                                      struct diag_list *diags)
{
    size_t length;
    const char *text = file_read(arena, path, MAPPING_LARGEST, &length);
    if (text)
        return source_new(arena, arena_strdup(arena, path), text, length);
    diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0, 0}, NULL, "%s: %s", path,
             g_strerror(errno));
    return NULL;
}

static void report_unknown(struct arena *arena, const char *name, struct diag_list *diags)
{
    const char **names = ARENA_ARRAY(arena, const char *, mapping_text_count);
    for (uint32_t i = 0; i < mapping_text_count; i++)
        names[i] = mapping_texts[i].name;
    const char *hint = diag_hint(arena, name, strlen(name), names, mapping_text_count);
    diag_add(diags, DIAG_mapping_unknown, NULL, (struct span){0, 0},
             hint ? hint : "'ptxlit map --list' lists the bundled ones",
             "no mapping is called '%s', and there is no such file", name);
}

const struct source *mapping_source(struct arena *arena, const char *name)
{
    for (uint32_t i = 0; i < mapping_text_count; i++)
        if (strcmp(mapping_texts[i].name, name) == 0)
            return source_new(arena, mapping_texts[i].name, mapping_texts[i].text,
                              strlen(mapping_texts[i].text));
    return NULL;
}

struct mapping_table *mapping_load(struct arena *arena, const char *name_or_path,
                                   struct diag_list *diags)
{
    const struct source *source = mapping_source(arena, name_or_path);
    if (!source && g_file_test(name_or_path, G_FILE_TEST_EXISTS))
        source = read_file(arena, name_or_path, diags);
    else if (!source)
        report_unknown(arena, name_or_path, diags);
    return source ? mapping_read(arena, source, diags) : NULL;
}
