/* SPDX-License-Identifier: MIT
 *
 * readback COUNT FOLDER…: what 'ptxlit print' writes reads as the same test and prints as the same
 * bytes: every test below the folders that exist, and COUNT random tests of each kind. Prints TAP.
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "litmus/print/print.h"
#include "litmus/random/program.h"
#include "litmus/random/host.h"
#include "tests/agree/names.h"
#include "tests/agree/same_test.h"

enum readback { SAME, REFUSED, DIFFERENT };

struct tally {
    unsigned same, refused, different;
};

static const struct test *read_text(struct arena *arena, const char *name, const char *text,
                                    struct diag_list *diags)
{
    *diags = (struct diag_list){.arena = arena};
    return litmus_parse(arena, source_new(arena, name, text, strlen(text)), diags);
}

static void complain(const char *what, const char *text)
{
    printf("# %s\n", what);
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        printf("# | %.*s\n", (int)length, at);
        at += length + (at[length] != 0);
    }
}

static const char *first_error(struct arena *arena, const struct diag_list *diags)
{
    for (uint32_t i = 0; i < diags->items.len; i++)
        if (diag_severity(diags->items.at[i].id) == SEVERITY_ERROR)
            return diag_render(arena, &diags->items.at[i]);
    return "it is refused without an error";
}

static enum readback read_back(struct arena *arena, const char *name, const char *text)
{
    struct diag_list diags;
    const struct test *test = read_text(arena, name, text, &diags);
    if (!test ||
        (test->host && test->host->gap_count)) /* code that is not modelled is not printed */
        return REFUSED;
    const char *printed = print_test(arena, test);
    const struct test *again = read_text(arena, "what print wrote", printed, &diags);
    const char *wrong = !again ? first_error(arena, &diags) : test_difference(arena, test, again);
    if (!wrong && strcmp(print_test(arena, again), printed) != 0)
        wrong = "it prints as other text";
    if (!wrong)
        return SAME;
    complain(name, text);
    complain(wrong, printed);
    return DIFFERENT;
}

static void add(struct tally *tally, const char *name, const char *text)
{
    struct arena *arena = arena_new();
    enum readback result = read_back(arena, name, text);
    tally->same += result == SAME;
    tally->refused += result == REFUSED;
    tally->different += result == DIFFERENT;
    arena_free(arena);
}

static void add_folder(struct tally *tally, const char *path)
{
    GDir *dir = g_dir_open(path, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        char *inner = g_build_filename(path, name, NULL), *text;
        if (g_file_test(inner, G_FILE_TEST_IS_DIR))
            add_folder(tally, inner);
        else if (g_str_has_suffix(name, ".litmus") &&
                 g_file_get_contents(inner, &text, NULL, NULL)) {
            add(tally, inner, text);
            g_free(text);
        }
        g_free(inner);
    }
    if (dir)
        g_dir_close(dir);
}

/* ---- random tests --------------------------------------------------------------------------- */

static GString *some_columns(uint64_t seed)
{
    struct random_bounds bounds = {.threads = 3,
                                   .insts = 4,
                                   .proxies = seed & 1,
                                   .aliases = seed & 2,
                                   .barriers = seed & 4,
                                   .mixed_sizes = seed & 8,
                                   .counts = seed & 16,
                                   .vectors = seed & 32,
                                   .mbarriers = seed & 64,
                                   .copies = seed & 128};
    struct random_program program;
    random_draw(&program, seed, &bounds);
    return random_write(&program);
}

static GString *some_host(uint64_t seed)
{
    struct random_host program;
    random_host_draw(&program, seed);
    return random_host_write(&program);
}

static const struct kind {
    const char *name;
    GString *(*make)(uint64_t seed);
    unsigned most_refused; /* of a hundred */
} kinds[] = {{"random columns", some_columns, 0},
             {"random host programs", some_host, 0},
             {"random names", random_names, 80}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void add_random(struct tally *tally, const struct kind *kind, unsigned count)
{
    for (uint64_t seed = 0; seed < count; seed++) {
        GString *text = kind->make(seed);
        add(tally, kind->name, text->str);
        g_string_free(text, TRUE);
    }
}

static bool report(unsigned number, const char *name, const struct tally *tally,
                   unsigned most_refused)
{
    unsigned count = tally->same + tally->refused + tally->different;
    bool good = !tally->different && tally->same && tally->refused * 100 <= most_refused * count;
    printf("%s %u %s: %u read back, %u refused, %u differ\n", good ? "ok" : "not ok", number, name,
           tally->same, tally->refused, tally->different);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true;
    unsigned number = 0, count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    for (int i = 2; i < argc; i++) {
        struct tally tally = {0};
        if (g_file_test(argv[i], G_FILE_TEST_IS_DIR)) {
            add_folder(&tally, argv[i]);
            good &= report(++number, argv[i], &tally, 0);
        }
    }
    for (unsigned i = 0; i < KINDS; i++) {
        struct tally tally = {0};
        add_random(&tally, &kinds[i], count);
        good &= report(++number, kinds[i].name, &tally, kinds[i].most_refused);
    }
    printf("1..%u\n", number);
    return good ? 0 : 1;
}
