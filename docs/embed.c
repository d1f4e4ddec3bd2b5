/* SPDX-License-Identifier: MIT
 *
 * What two memory models say of the same tests, each model in a context and a thread of its own:
 *
 *   cc embed.c -o embed $(pkg-config --cflags --libs ptxlit) -pthread
 *   ./embed ptx ptx-6.0 litmus/corpus/mp/mp+volatile.litmus
 */
#include <pthread.h>
#include <ptxlit.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 160 };

/* One model and what it says of each file. */
struct side {
    const char *model;
    char **files;
    int count;
    char (*says)[LINE];
};

/* A file that cannot be read, or a model: the first diagnostic has the place and the reason. */
static void complain(const ptxlit_context *context, char says[LINE])
{
    const struct ptxlit_diagnostic *first = ptxlit_diagnostic(context, 0);
    if (first && first->file)
        snprintf(says, LINE, "%s:%u:%u: %s: %s", first->file, first->line, first->column,
                 first->code, first->message);
    else
        snprintf(says, LINE, "%s", first ? first->message : "a limit was reached");
}

/* "forbidden (causality)", "allowed", "undecided (time: more than 20 s)" */
static void ask(ptxlit_test *test, char says[LINE])
{
    static const char *const words[] = {[PTXLIT_FORBIDDEN] = "forbidden",
                                        [PTXLIT_ALLOWED] = "allowed",
                                        [PTXLIT_UNEXPLAINED] = "undecided"};
    const struct ptxlit_explanation *why = ptxlit_explain(test);
    const char *reason = why->why ? why->why : why->axiom_count ? why->axioms[0] : NULL;
    snprintf(says, LINE, reason ? "%s (%s)" : "%s", words[why->kind], reason);
}

static void *run(void *argument)
{
    struct side *side = argument;
    ptxlit_context *context = ptxlit_new();
    bool ready =
        ptxlit_set(context, "timeout", 20) && ptxlit_use_model(context, side->model) == PTXLIT_OK;
    for (int i = 0; i < side->count; i++) {
        ptxlit_test *test = NULL;
        if (ready && ptxlit_read_file(context, side->files[i], &test) == PTXLIT_OK)
            ask(test, side->says[i]);
        else
            complain(context, side->says[i]);
        ptxlit_test_free(test);
    }
    ptxlit_free(context);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s MODEL MODEL FILE…\n", argv[0]);
        return 2;
    }
    int count = argc - 3;
    struct side sides[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        sides[i] = (struct side){argv[1 + i], argv + 3, count, calloc((size_t)count, LINE)};
        if (!sides[i].says || pthread_create(&threads[i], NULL, run, &sides[i]) != 0)
            return 2;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < count; i++)
        printf("%s\n  %s: %s\n  %s: %s\n", argv[3 + i], argv[1], sides[0].says[i], argv[2],
               sides[1].says[i]);
    free(sides[0].says);
    free(sides[1].says);
    return 0;
}
