/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/base/number.h"
#include "litmus/generate/cycle.h"

/* Herd's scope trees. */

struct tree_reader {
    const char *text;
    size_t at;
    struct generated_program *program;
    uint32_t placed; /* threads met */
    uint8_t ctas, clusters, gpus;
    const char *wrong;
};

/* Levels from the outermost; a name of another model stands for its counterpart. */
enum tree_level { LEVEL_SYS, LEVEL_GPU, LEVEL_CLUSTER, LEVEL_CTA, LEVEL_THREAD };
static const struct {
    const char *name;
    enum tree_level level;
} levels[] = {{"sys", LEVEL_SYS},          {"system", LEVEL_SYS},      {"gpu", LEVEL_GPU},
              {"device", LEVEL_GPU},       {"agent", LEVEL_GPU},       {"kernel", LEVEL_GPU},
              {"grid", LEVEL_GPU},         {"cluster", LEVEL_CLUSTER}, {"cta", LEVEL_CTA},
              {"block", LEVEL_CTA},        {"wg", LEVEL_CTA},          {"workgroup", LEVEL_CTA},
              {"work_group", LEVEL_CTA},   {"warp", LEVEL_THREAD},     {"wi", LEVEL_THREAD},
              {"work_item", LEVEL_THREAD}, {"thread", LEVEL_THREAD}};

static void skip(struct tree_reader *tree)
{
    tree->at += strspn(tree->text + tree->at, " \t\r\n,");
}

static bool accept(struct tree_reader *tree, char mark)
{
    skip(tree);
    bool there = tree->text[tree->at] == mark;
    tree->at += there;
    return there;
}

/* "P0", "0". */
static bool thread(struct tree_reader *tree, const char *word, size_t length,
                   const struct generated_place *place)
{
    uint64_t number;
    size_t letter = length && *word == 'P';
    if (number_whole(word + letter, length - letter, 0, GENERATED_THREADS - 1, &number) !=
            NUMBER_GOOD ||
        number >= tree->program->threads)
        return false;
    if (tree->placed >> number & 1)
        tree->wrong = "a thread stands there twice";
    tree->placed |= 1u << number;
    tree->program->place[number] = *place;
    return true;
}

/* What is inside of a place: in the same one, unless a level of the tree says otherwise. */
static void inside(struct tree_reader *tree, enum tree_level level, struct generated_place place,
                   uint32_t depth);

static void word(struct tree_reader *tree, enum tree_level level, struct generated_place place)
{
    const char *start = tree->text + tree->at;
    size_t length = strcspn(start, " \t\r\n,()");
    tree->at += length;
    if (level < LEVEL_CTA)
        place.cta = tree->ctas++;
    if (level < LEVEL_CLUSTER)
        place.cluster = tree->clusters++;
    if (!thread(tree, start, length, &place))
        tree->wrong = "a thread of the test is wanted, as P0";
}

static void level_name(struct tree_reader *tree, enum tree_level *level,
                       struct generated_place *place)
{
    skip(tree);
    const char *start = tree->text + tree->at;
    size_t length = strcspn(start, " \t\r\n,()");
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strlen(levels[i].name) == length && memcmp(levels[i].name, start, length) == 0) {
            if (levels[i].level <= *level && levels[i].level != LEVEL_SYS)
                tree->wrong = "a place cannot be inside of a smaller one, or of its like";
            *level = levels[i].level;
            if (*level == LEVEL_GPU)
                place->gpu = tree->gpus++;
            if (*level == LEVEL_GPU || *level == LEVEL_CLUSTER)
                place->cluster = tree->clusters++;
            if (*level == LEVEL_CTA)
                place->cta = tree->ctas++;
            tree->program->clusters |= *level == LEVEL_CLUSTER;
            tree->at += length;
            return;
        }
    tree->wrong = "a place is wanted: sys, gpu, cluster or cta";
}

static void inside(struct tree_reader *tree, enum tree_level level, struct generated_place place,
                   uint32_t depth)
{
    while (!tree->wrong && !accept(tree, ')')) {
        if (!tree->text[tree->at] || depth > 8) {
            tree->wrong = "a ')' is missing";
        } else if (accept(tree, '(')) {
            enum tree_level inner = level;
            struct generated_place there = place;
            level_name(tree, &inner, &there);
            if (!tree->wrong)
                inside(tree, inner, there, depth + 1);
        } else {
            word(tree, level, place);
        }
    }
}

bool cycle_place(const char *tree, struct generated_program *program, struct diag_list *diags)
{
    struct tree_reader reader = {.text = tree, .program = program};
    struct generated_place none = {0};
    enum tree_level level = LEVEL_SYS;
    if (!accept(&reader, '('))
        reader.wrong = "a tree begins with '('";
    else
        level_name(&reader, &level, &none);
    if (!reader.wrong)
        inside(&reader, level, none, 0);
    skip(&reader);
    if (!reader.wrong && tree[reader.at])
        reader.wrong = "nothing may follow the tree";
    if (!reader.wrong && reader.placed != (1u << program->threads) - 1)
        reader.wrong = "every thread of the test must stand in it";
    if (reader.wrong)
        diag_add(diags, DIAG_scope_tree, NULL, (struct span){0},
                 "herd writes (sys (gpu (cta P0 P1) (cta P2)))", "scope tree '%s': %s", tree,
                 reader.wrong);
    return !reader.wrong;
}
