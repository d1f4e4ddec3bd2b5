/* SPDX-License-Identifier: MIT
 *
 * Instructions in a few letters: what they do and where, without types, registers and values. */
#include <string.h>

#include "cli/show/picture/plan.h"

/* "st.release.gpu" of "st.release.gpu.v2.u32". */
static char *without_types(const char *opcode)
{
    g_auto(GStrv) words = g_strsplit(opcode, ".", -1);
    GString *kept = g_string_new(words[0]);
    for (char **word = words + 1; words[0] && *word; word++)
        if (!g_regex_match_simple("^(v[248]|[busf](8|16|32|64|128)|bf16|f16x2|bf16x2)$", *word, 0,
                                  0))
            g_string_append_printf(kept, ".%s", *word);
    return g_string_free(kept, FALSE);
}

/* The first operand that names memory, or the first of all: a barrier's number. */
static char *place_of(const char *operands)
{
    char *bracket = g_strstr_len(operands, -1, "[");
    if (bracket && strchr(bracket, ']'))
        return g_strndup(bracket, (size_t)(strchr(bracket, ']') - bracket) + 1);
    g_auto(GStrv) parts = g_strsplit(operands, ", ", -1);
    for (char **part = parts; *part; part++)
        if (!g_regex_match_simple("^(%|r[a-z]*[0-9]+$|p[0-9]+$|-?[0-9]|\\{)", *part, 0, 0))
            return g_strdup(*part);
    return g_strdup("");
}

/* What C++ writes that a picture need not say, each with what stands for it. */
static const struct {
    const char *pattern, *kept;
} cpp_words[] = {{"\\b(cuda|std)::", ""},
                 {"\\b(memory_order(_|::)|thread_scope_)", ""},
                 {"\\batomic_ref<[^>]*>\\(([^()]*)\\)", "\\1"},
                 /* values before the order of an atomic operation */
                 {"(\\.\\w+\\().*?, (?=(relaxed|acquire|release|acq_rel|seq_cst)\\b)", "\\1"}};

/* "x.store(release)" of "cuda::atomic_ref<int, cuda::thread_scope_device>(x).store(1, cuda::memory_order_release)". */
static const char *brief_cpp(struct arena *arena, const char *code)
{
    for (size_t i = 0; i < G_N_ELEMENTS(cpp_words); i++) {
        g_autoptr(GRegex) regex = g_regex_new(cpp_words[i].pattern, 0, 0, NULL);
        g_autofree char *kept = g_regex_replace(regex, code, -1, 0, cpp_words[i].kept, 0, NULL);
        code = arena_printf(arena, "%s", kept);
    }
    return code;
}

const char *picture_brief(struct arena *arena, const char *text)
{
    const char *code = text;
    if (*code == '@' && strchr(code, ' ')) /* a guard */
        code = strchr(code, ' ') + 1;
    if (strpbrk(code, "(=<")) /* no instruction of PTX has them */
        return brief_cpp(arena, code);
    size_t length = strcspn(code, " ");
    g_autofree char *opcode = g_strndup(code, length);
    if (!code[length])
        return arena_printf(arena, "%s", opcode);
    g_autofree char *kept = without_types(opcode), *place = place_of(code + length + 1);
    return arena_printf(arena, "%s%s%s", kept, *place ? " " : "", place);
}
