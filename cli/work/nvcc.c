/* SPDX-License-Identifier: MIT */
#include "cli/work/nvcc.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "litmus/base/file.h"

/* ---- the compiler --------------------------------------------------------------------------- */

/* Words of $NVCC, which may hold options, or the compiler on PATH or where CUDA installs it. */
static char **find_compiler(void)
{
    const char *given = g_getenv("NVCC");
    char **words = NULL;
    if (given && *given) {
        g_shell_parse_argv(given, NULL, &words, NULL);
        return words;
    }
    g_autofree char *found = g_find_program_in_path("nvcc");
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    if (!found && g_file_test(usual, G_FILE_TEST_IS_EXECUTABLE))
        found = g_strdup(usual);
    words = g_new0(char *, 2);
    words[0] = g_steal_pointer(&found);
    return words;
}

static bool names_architecture(char *const *words)
{
    for (; *words; words++)
        if (g_str_has_prefix(*words, "-arch") || g_str_has_prefix(*words, "-gencode") ||
            g_str_has_prefix(*words, "--gpu-"))
            return true;
    return false;
}

/* The whole command; the caller frees it. */
static char **command(char **compiler, const char *path, const char *output)
{
    const char *options[] = {"-ptx", "-lineinfo", "-o", output, path};
    GPtrArray *words = g_ptr_array_new();
    for (char **word = compiler; *word; word++)
        g_ptr_array_add(words, g_strdup(*word));
    if (!names_architecture(compiler))
        g_ptr_array_add(words, g_strdup("-arch=sm_90"));
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
        g_ptr_array_add(words, g_strdup(options[i]));
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

/* In the compiler's process: a worker's limit of memory is not the compiler's, and its end is. */
static void leave_worker(gpointer unused)
{
    (void)unused;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_AS, &limit);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void tell(const struct nvcc *nvcc, char **words)
{
    g_autofree char *line = g_strjoinv(" ", words);
    if (nvcc->trace)
        g_string_append_printf(nvcc->trace, "%s\n", line);
}

/* The line that says what is wrong, or the first. */
static const char *complaint(struct arena *arena, const char *said)
{
    const char *error = strstr(said, "error"), *from = error ? error : said;
    while (from > said && from[-1] != '\n')
        from--;
    return arena_strndup(arena, from, strcspn(from, "\n"));
}

/* Runs the command; NULL, or what went wrong. */
static const char *compile(const struct nvcc *nvcc, struct arena *arena, char **words)
{
    g_autofree char *said = NULL;
    g_autoptr(GError) error = NULL;
    int status = 0;
    tell(nvcc, words);
    GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL;
    if (!g_spawn_sync(NULL, words, NULL, flags, leave_worker, NULL, NULL, &said, &status, &error))
        return arena_printf(arena, "'%s' does not run: %s", words[0], error->message);
    if (g_spawn_check_wait_status(status, &error))
        return NULL;
    return arena_printf(arena, "'%s' refuses it: %s", words[0],
                        said && *said ? complaint(arena, said) : error->message);
}

/* ---- files ---------------------------------------------------------------------------------- */

static struct source_file compiled(const struct nvcc *nvcc, struct arena *arena, const char *path,
                                   char **compiler)
{
    struct source_file file = {.name = path};
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("ptxlit-XXXXXX", &error);
    if (!folder) {
        file.fault = arena_strdup(arena, error->message);
        return file;
    }
    g_autofree char *output = g_build_filename(folder, "out.ptx", NULL);
    g_auto(GStrv) words = command(compiler, path, output);
    const char *fault = compile(nvcc, arena, words);
    if (!fault)
        file = file_read_kept(arena, output);
    file.name = fault ? path : arena_printf(arena, "%s.ptx", path);
    file.fault = fault ? fault : file.fault;
    g_unlink(output);
    g_rmdir(folder);
    return file;
}

static struct source_file read_file(const struct source_files *files, struct arena *arena,
                                    const char *path)
{
    const struct nvcc *nvcc = (const struct nvcc *)files;
    const char *kept = file_with_suffix(arena, path, ".ptx");
    bool is_kept = g_file_test(kept, G_FILE_TEST_IS_REGULAR);
    bool cuda = g_str_has_suffix(path, ".cu");
    bool source = cuda && g_file_test(path, G_FILE_TEST_IS_REGULAR);
    if (cuda && !source && !is_kept)
        return (struct source_file){.name = path, .fault = "there is no such file"};
    if (!source || (is_kept && !file_kept_is_older(kept, path)))
        return file_read_kept(arena, path);
    g_auto(GStrv) compiler = find_compiler();
    if (compiler && *compiler)
        return compiled(nvcc, arena, path, compiler);
    if (is_kept)
        return file_read_kept(arena, path);
    return (struct source_file){
        .name = path,
        .fault = "there is no nvcc to compile it",
        .hint = arena_printf(arena, "set NVCC or PATH, or keep what it compiles to in '%s'", kept)};
}

struct nvcc nvcc_new(GString *trace)
{
    return (struct nvcc){{read_file}, trace};
}
