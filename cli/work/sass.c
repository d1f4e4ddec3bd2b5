/* SPDX-License-Identifier: MIT */
#include "cli/work/sass.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "litmus/base/file.h"

enum { MOST_BYTES = 1 << 28, HASH_DIGITS = 8 };

struct sass {
    const char *text;
};

/* The caller frees it; NULL: there is none. */
static char *find_tool(void)
{
    static const char usual[] = "/usr/local/cuda/bin/cuobjdump";
    const char *given = g_getenv("CUOBJDUMP");
    if (given && *given)
        return g_strdup(given);
    char *found = g_find_program_in_path("cuobjdump");
    return !found && g_file_test(usual, G_FILE_TEST_IS_EXECUTABLE) ? g_strdup(usual) : found;
}

static const char *complain(struct diag_list *diags, const char *path, const char *why)
{
    diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0},
             "a program that nvcc made of what 'ptxlit emit' prints, or what 'cuobjdump -sass' "
             "prints of it",
             "cannot read the machine code of '%s': %s", path, why);
    return NULL;
}

static const char *disassemble(struct arena *arena, const char *path, struct diag_list *diags)
{
    g_autofree char *tool = find_tool(), *text = NULL;
    g_autoptr(GError) error = NULL;
    int status;
    if (!tool)
        return complain(diags, path, "there is no cuobjdump: set CUOBJDUMP, or put it on PATH");
    const char *words[] = {tool, "-sass", path, NULL};
    if (!g_spawn_sync(NULL, (char **)words, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &text,
                      NULL, &status, &error))
        return complain(diags, path, error->message);
    if (!g_spawn_check_wait_status(status, NULL))
        return complain(diags, path, "cuobjdump refuses it");
    return arena_strdup(arena, text);
}

struct sass *sass_read(struct arena *arena, const char *path, struct diag_list *diags)
{
    size_t length;
    const char *text = file_read(arena, path, MOST_BYTES, &length);
    if (!text)
        text = complain(diags, path, g_strerror(errno));
    else if (length > 4 && memcmp(text, "\177ELF", 4) == 0)
        text = disassemble(arena, path, diags);
    else if (strlen(text) != length || !strstr(text, "Function :"))
        text = complain(diags, path, "it has no line 'Function :'");
    if (!text)
        return NULL;
    struct sass *sass = ARENA_NEW(arena, struct sass);
    sass->text = text;
    return sass;
}

/* Is it, mangled, the kernel that 'emit' names after the test? The hash of the file's path follows the name. */
static bool is_kernel_of(const char *function, const char *end, const char *kernel)
{
    size_t length = strlen(kernel);
    for (const char *at = function; (size_t)(end - at) >= length + HASH_DIGITS; at++) {
        if (memcmp(at, kernel, length))
            continue;
        uint32_t digits = 0;
        while (digits < HASH_DIGITS && g_ascii_isxdigit(at[length + digits]))
            digits++;
        if (digits == HASH_DIGITS && at > function && g_ascii_isdigit(at[-1]))
            return true;
    }
    return false;
}

/* Without the addresses and the encodings, which are comments. */
static void add_instruction(GString *out, const char *line, const char *end)
{
    const char *semicolon = memchr(line, ';', (size_t)(end - line));
    const char *close = semicolon ? g_strstr_len(line, semicolon - line, "*/") : NULL;
    if (!close)
        return;
    const char *start = close + 2;
    while (start < semicolon && *start == ' ')
        start++;
    g_string_append_printf(out, "%.*s\n", (int)(semicolon + 1 - start), start);
}

const char *sass_find(struct arena *arena, const struct sass *sass, const char *test)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *name = g_strdup(test);
    for (char *c = name; *c; c++)
        *c = g_ascii_isalnum(*c) ? *c : '_';
    g_autofree char *kernel = g_strdup_printf("test_%s_", name);
    bool inside = false;
    uint32_t found = 0;
    for (const char *line = sass->text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        const char *function = g_strstr_len(line, end - line, "Function : ");
        if (function) {
            inside = is_kernel_of(function, end, kernel);
            found += inside;
        } else if (inside)
            add_instruction(out, line, end);
    }
    return found == 1 ? arena_strdup(arena, out->str) : NULL;
}
