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

const char *picture_brief(struct arena *arena, const char *text)
{
    const char *code = text;
    if (*code == '@' && strchr(code, ' ')) /* a guard */
        code = strchr(code, ' ') + 1;
    size_t length = strcspn(code, " ");
    g_autofree char *opcode = g_strndup(code, length);
    if (strpbrk(opcode, "(=") || !code[length])
        return strpbrk(opcode, "(=") ? text : arena_printf(arena, "%s", opcode);
    g_autofree char *kept = without_types(opcode), *place = place_of(code + length + 1);
    return arena_printf(arena, "%s%s%s", kept, *place ? " " : "", place);
}
