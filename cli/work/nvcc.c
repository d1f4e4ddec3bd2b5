/* SPDX-License-Identifier: MIT */
#include "cli/work/nvcc.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "cli/work/helpers.h"
#include "litmus/base/file.h"
#include "litmus/base/number.h"

/* ---- the compiler --------------------------------------------------------------------------- */

char **nvcc_find(void)
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

/* The whole command; the caller frees it. 'folder': where headers are, or NULL. */
static char **command(char **compiler, const char *path, const char *folder, const char *output)
{
    const char *options[] = {"-ptx", "-lineinfo", "-o", output, path, folder ? "-I" : NULL, folder};
    GPtrArray *words = g_ptr_array_new();
    for (char **word = compiler; *word; word++)
        g_ptr_array_add(words, g_strdup(*word));
    if (!names_architecture(compiler))
        g_ptr_array_add(words, g_strdup("-arch=sm_90"));
    for (size_t i = 0; i < G_N_ELEMENTS(options) && options[i]; i++)
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

/* The number behind the file's name in "app.cu(3): error: …"; 0: it is about another file. */
static uint32_t line_of(const char *complaint, const char *path)
{
    g_autofree char *place = g_strconcat(" ", path, "(", NULL);
    const char *found = strstr(complaint, place);
    const char *digits = found ? found + strlen(place) : "";
    uint64_t line;
    bool fits;
    number_digits(digits, strlen(digits), 10, &line, &fits);
    return fits && line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* Runs the command; '*fault': what went wrong. */
static enum nvcc_end compile(const struct nvcc *nvcc, struct arena *arena, char **words,
                             const char **fault)
{
    g_autofree char *said = NULL;
    g_autoptr(GError) error = NULL;
    int status = 0;
    tell(nvcc, words);
    GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL;
    if (!g_spawn_sync(NULL, words, NULL, flags, leave_worker, NULL, NULL, &said, &status, &error))
        return *fault = arena_printf(arena, "'%s' does not run: %s", words[0], error->message),
               NVCC_MISSING;
    if (g_spawn_check_wait_status(status, &error))
        return NVCC_DONE;
    *fault = arena_printf(arena, "'%s' refuses it: %s", words[0],
                          said && *said ? complaint(arena, said) : error->message);
    return NVCC_REFUSED;
}

/* The same once more, with stand-ins for headers that only CUDA's samples have. */
static enum nvcc_end compile_with_helpers(const struct nvcc *nvcc, struct arena *arena,
                                          char **words, const char *folder, const char **fault)
{
    g_autofree char *helpers = g_build_filename(folder, "helpers", NULL);
    g_autofree char *option = g_strconcat("-I", helpers, NULL);
    enum nvcc_end end = NVCC_REFUSED;
    GPtrArray *more = g_ptr_array_new();
    for (char **word = words; *word; word++)
        g_ptr_array_add(more, *word);
    g_ptr_array_add(more, option);
    g_ptr_array_add(more, NULL);
    *fault = NULL;
    if (helpers_write(helpers))
        end = compile(nvcc, arena, (char **)more->pdata, fault);
    helpers_remove(helpers);
    g_ptr_array_free(more, TRUE);
    return end;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* The PTX of the file, in a folder of its own for as long as it takes. 'text': what stands in the file, or NULL: it is there. */
static enum nvcc_end compile_in(const struct nvcc *nvcc, struct arena *arena, char **compiler,
                                const struct source *text, const char *path,
                                struct source_file *file)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("ptxlit-XXXXXX", &error);
    g_autofree char *base = g_path_get_basename(text ? text->name : path);
    if (!folder) {
        file->fault = arena_strdup(arena, error->message);
        return NVCC_MISSING;
    }
    g_autofree char *output = g_build_filename(folder, "out.ptx", NULL);
    g_autofree char *input = g_build_filename(folder, base, NULL);
    g_auto(GStrv) words = command(compiler, text ? input : path, text ? path : NULL, output);
    const char *fault = text ? file_write(arena, input, text->text, text->length) : NULL;
    enum nvcc_end end = fault ? NVCC_MISSING : compile(nvcc, arena, words, &fault);
    if (end == NVCC_REFUSED && helpers_are_missing(fault))
        end = compile_with_helpers(nvcc, arena, words, folder, &fault);
    if (end == NVCC_DONE)
        *file = file_read_kept(arena, output);
    file->fault = fault ? fault : file->fault;
    file->fault_line = fault ? line_of(fault, text ? input : path) : 0;
    g_unlink(output);
    if (text)
        g_unlink(input);
    g_rmdir(folder);
    return end;
}

static struct source_file compiled(const struct nvcc *nvcc, struct arena *arena, const char *path,
                                   char **compiler)
{
    struct source_file file = {.name = path};
    if (compile_in(nvcc, arena, compiler, NULL, path, &file) == NVCC_DONE)
        file.name = arena_printf(arena, "%s.ptx", path);
    return file;
}

enum nvcc_end nvcc_compile(const struct nvcc *nvcc, struct arena *arena, const struct source *text,
                           const char *folder, struct source_file *file)
{
    g_auto(GStrv) compiler = nvcc_find();
    *file = (struct source_file){.name = text->name, .fault = "there is no nvcc"};
    if (!compiler || !*compiler)
        return NVCC_MISSING;
    return compile_in(nvcc, arena, compiler, text, folder, file);
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
    g_auto(GStrv) compiler = nvcc_find();
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
    return (struct nvcc){{.read = read_file}, trace};
}
