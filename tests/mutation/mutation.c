/* SPDX-License-Identifier: MIT
 *
 * Removes or weakens every clause of the texts of a family of models, one at a time, and looks for a
 * corpus test whose verdict by one of the models changes. The clauses that no test tells apart must be
 * the ones of LIST, each with its reason.
 *   mutation FAMILY CORPUS LIST KILLERS           KILLERS names the test that each clause needs, which
 *                                                 is tried first; those of the list are believed
 *   mutation FAMILY CORPUS LIST KILLERS promote   believes nothing, tries everything (several minutes),
 * and writes KILLERS anew */

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "cli/work/pool.h"
#include "model/cat/clause.h"
#include "model/models/models.h"
#include "tests/mutation/subject.h"

enum { WORKERS = 2, MOST_SECONDS_A_MUTANT = 60, MOST_MODELS = 4, MOST_TEXTS = 4 };

enum fate {
    SURVIVES,
    KILLED,
    NO_MODEL, /* does not read as a model, or no answer in time: proves nothing */
};

/* Models whose clauses are counted together. Tests must expect something of the first. */
static const struct family {
    const char *name, *models[MOST_MODELS], *texts[MOST_TEXTS];
    uint32_t least; /* tests that are decided */
} families[] = {
    {"ptx", {"ptx"}, {"ptx.cat"}, 200},
    {"cpp",
     {"cpp", "cpp+split", "cpp11", "cpp20"},
     {"cpp.cat", "cpp11.cat", "cpp20.cat", "cpp_base.cat"},
     120},
};

/* A mutant of one of the family's texts. */
struct family_mutant {
    const char *file, *name; /* name: with that of the file, if the family has several */
    struct cat_clause of;
};

/* What is asked and the answers. Workers are forked: they inherit the subjects and what was
 * answered before them, and send back a result a job. */
struct work {
    struct arena *arena;
    const struct family *family;
    struct input_list inputs;
    struct subject *subjects; /* an input; graphs NULL: left out */
    VEC(struct family_mutant) mutants;
    struct verdict
        *verdicts;     /* a model and an input: under the model as it is; not known: left out */
    enum fate *fates;  /* a mutant */
    uint32_t *killers; /* a killed mutant: the input */
    struct cat_model *models[MOST_MODELS];
    uint32_t *order;      /* the inputs, in the order in which they are tried */
    uint32_t *kills;      /* an input: mutants it has killed, as far as this process knows */
    GHashTable *listed;   /* names of clauses that nothing tells apart, to be believed; or NULL */
    GHashTable *recorded; /* name of a clause: the file of the test that tells it apart */
};

/* A file that is read in place of the bundled one; NULL: none. */
struct changed {
    const char *file, *text;
    bool read;
};

static const struct source *open_text(void *context, struct arena *arena, const char *name)
{
    struct changed *changed = context;
    bool is_file;
    if (!changed->file || strcmp(name, changed->file) != 0)
        return model_included(arena, NULL, name, &is_file);
    changed->read = true;
    return source_new(arena, name, changed->text, strlen(changed->text));
}

/* "cpp+split"; NULL: it does not read as a model. */
static struct cat_model *parse_model(struct arena *arena, const char *name, struct changed *changed)
{
    struct diag_list diags = {.arena = arena};
    const char *plus = strchr(name, '+');
    int length = (int)(plus ? (size_t)(plus - name) : strlen(name));
    bool is_file;
    struct cat_loader loader = {.open = open_text,
                                .context = changed,
                                .prelude = model_included(arena, NULL, "stdlib.cat", &is_file),
                                .variant = plus ? plus + 1 : NULL};
    const struct source *source =
        open_text(changed, arena, arena_printf(arena, "%.*s.cat", length, name));
    return cat_parse(arena, source, model_bases, model_base_count, &loader, &diags);
}

/* ---- the verdicts of the model as it is ----------------------------------------------------- */

enum {
    KNOWN = 1,
    REACHABLE = 2,
    OUTSIDE = 4,
    UNDEFINED = 8,
    REACHABLE_TORN = 1 << 4,
    FLAGS = 5 /* bits before the flags */
};

static void ask_input(void *context, uint32_t index, struct note *note, struct result *result)
{
    const struct work *work = context;
    uint32_t input = index % work->inputs.items.len, model = index / work->inputs.items.len;
    (void)note;
    if (!work->subjects[input].graphs)
        return;
    struct verdict v = subject_ask(&work->subjects[input], work->models[model]);
    result->tally = (v.known ? KNOWN : 0) | (v.reachable ? REACHABLE : 0) |
                    (v.outside ? OUTSIDE : 0) | (v.undefined ? UNDEFINED : 0) |
                    (v.reachable_torn ? REACHABLE_TORN : 0) | v.flags << FLAGS;
}

static void lose_input(void *context, uint32_t index, const struct loss *loss,
                       struct result *result)
{
    (void)context;
    (void)index;
    (void)loss;
    result->tally = 0;
}

static void keep_verdict(void *context, uint32_t index, const struct result *result)
{
    struct work *work = context;
    work->verdicts[index] = (struct verdict){.known = result->tally & KNOWN,
                                             .reachable = result->tally & REACHABLE,
                                             .outside = result->tally & OUTSIDE,
                                             .undefined = result->tally & UNDEFINED,
                                             .reachable_torn = result->tally & REACHABLE_TORN,
                                             .flags = (uint32_t)result->tally >> FLAGS};
}

/* ---- the mutants ---------------------------------------------------------------------------- */

static gint compare_kills(gconstpointer a, gconstpointer b, gpointer kills)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const uint32_t *of = kills;
    if (of[left] != of[right])
        return of[left] > of[right] ? -1 : 1;
    return (gint)left - (gint)right;
}

/* 'models': the family's, changed; NULL: that model is as it was. */
static bool kills(const struct work *work, struct cat_model *const *models, uint32_t input)
{
    for (uint32_t i = 0; i < MOST_MODELS; i++) {
        struct verdict before = work->verdicts[i * work->inputs.items.len + input];
        if (models[i] && before.known &&
            verdict_differs(before, subject_ask(&work->subjects[input], models[i])))
            return true;
    }
    return false;
}

static bool recorded_kills(const struct work *work, struct cat_model *const *models,
                           const char *name, uint32_t *killer)
{
    const char *file = g_hash_table_lookup(work->recorded, name);
    for (*killer = 0; file && *killer < work->inputs.items.len; ++*killer)
        if (g_str_has_suffix(work->inputs.items.at[*killer].path, file))
            return kills(work, models, *killer);
    return false;
}

/* The recorded test first, then those that killed most. */
static enum fate fate_of(struct work *work, struct cat_model *const *models, const char *name,
                         uint32_t *killer)
{
    uint32_t count = work->inputs.items.len;
    if (work->listed && g_hash_table_contains(work->listed, name))
        return SURVIVES;
    if (recorded_kills(work, models, name, killer))
        return KILLED;
    g_qsort_with_data(work->order, (gint)count, sizeof *work->order, compare_kills, work->kills);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t input = work->order[i];
        if (!kills(work, models, input))
            continue;
        *killer = input;
        work->kills[input]++;
        return KILLED;
    }
    return SURVIVES;
}

/* The models that the mutant's text is part of; false: one of them does not read. */
static bool parse_changed(struct arena *arena, const struct work *work,
                          const struct family_mutant *mutant, struct cat_model **models)
{
    for (uint32_t i = 0; i < MOST_MODELS && work->family->models[i]; i++) {
        struct changed changed = {mutant->file, mutant->of.text, false};
        struct cat_model *model = parse_model(arena, work->family->models[i], &changed);
        if (changed.read && !model)
            return false;
        models[i] = changed.read ? model : NULL;
    }
    return true;
}

static void try_mutant(void *context, uint32_t index, struct note *note, struct result *result)
{
    struct work *work = context;
    struct arena *arena = arena_new();
    const struct family_mutant *mutant = &work->mutants.at[index];
    struct cat_model *models[MOST_MODELS] = {NULL};
    (void)note;
    uint32_t killer = 0;
    bool good = parse_changed(arena, work, mutant, models);
    result->tally = good ? fate_of(work, models, mutant->name, &killer) : NO_MODEL;
    g_string_append_printf(result->out, "%u", killer);
    arena_free(arena);
}

static void lose_mutant(void *context, uint32_t index, const struct loss *loss,
                        struct result *result)
{
    const struct work *work = context;
    result->tally = NO_MODEL;
    printf("# line %u: %s: lost after %.0f s\n", work->mutants.at[index].of.line,
           work->mutants.at[index].name, loss->seconds);
}

static void keep_fate(void *context, uint32_t index, const struct result *result)
{
    struct work *work = context;
    work->fates[index] = (enum fate)result->tally;
    work->killers[index] = (uint32_t)g_ascii_strtoull(result->out->str, NULL, 10);
}

/* ---- the list of those that nothing tells apart --------------------------------------------- */

/* The names in the list: what stands between the first two back quotes of an item. */
static GHashTable *read_list(const char *path)
{
    char *text = NULL;
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return names;
    char **lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        char *from = g_str_has_prefix(*line, "- `") ? *line + 3 : NULL;
        char *to = from ? strchr(from, '`') : NULL;
        if (to)
            g_hash_table_add(names, g_strndup(from, (gsize)(to - from)));
    }
    g_strfreev(lines);
    g_free(text);
    return names;
}

static uint32_t compare_with_list(const struct work *work, GHashTable *listed)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < work->mutants.len; i++) {
        const struct family_mutant *mutant = &work->mutants.at[i];
        bool expected = g_hash_table_remove(listed, mutant->name);
        if (expected == (work->fates[i] != KILLED))
            continue;
        printf("# line %u: %s: %s\n", mutant->of.line, mutant->name,
               expected ? "is listed, but a test tells it apart"
                        : "no test tells it apart, and it is not listed");
        wrong++;
    }
    GHashTableIter rest;
    gpointer name;
    g_hash_table_iter_init(&rest, listed);
    while (g_hash_table_iter_next(&rest, &name, NULL)) {
        printf("# %s: is listed, but there is no such clause\n", (const char *)name);
        wrong++;
    }
    return wrong;
}

/* Lines "FILE<tab>CLAUSE". */
static GHashTable *read_killers(const char *path)
{
    g_autofree char *text = NULL;
    GHashTable *files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return files;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        char *tab = strchr(*line, '\t');
        if (tab)
            g_hash_table_insert(files, g_strdup(tab + 1), g_strndup(*line, (gsize)(tab - *line)));
    }
    return files;
}

static bool write_killers(const struct work *work, const char *folder, const char *path)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t i = 0; i < work->mutants.len; i++)
        if (work->fates[i] == KILLED)
            g_string_append_printf(text, "%s\t%s\n",
                                   work->inputs.items.at[work->killers[i]].path + strlen(folder),
                                   work->mutants.at[i].name);
    return g_file_set_contents(path, text->str, (gssize)text->len, NULL);
}

static uint32_t count_fates(const struct work *work, enum fate fate)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < work->mutants.len; i++)
        count += work->fates[i] == fate;
    return count;
}

static uint32_t count_known(const struct work *work)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < work->inputs.items.len; i++)
        count += work->verdicts[i].known;
    return count;
}

static void run(struct work *work)
{
    struct pool inputs = {.jobs = WORKERS,
                          .timeout = MOST_SECONDS_A_MUTANT,
                          .context = work,
                          .work = ask_input,
                          .lost = lose_input,
                          .done = keep_verdict};
    struct pool mutants = {.jobs = WORKERS,
                           .timeout = MOST_SECONDS_A_MUTANT,
                           .context = work,
                           .work = try_mutant,
                           .lost = lose_mutant,
                           .done = keep_fate};
    uint32_t models = 0;
    while (models < MOST_MODELS && work->family->models[models])
        models++;
    pool_run(&inputs, work->inputs.items.len * models);
    pool_run(&mutants, work->mutants.len);
}

static void add_mutants(struct work *work, const char *file)
{
    bool is_file, several = work->family->texts[1] != NULL;
    const struct source *source = model_included(work->arena, NULL, file, &is_file);
    struct cat_clauses list = cat_clauses(work->arena, source, several);
    for (uint32_t i = 0; i < list.count; i++) {
        const char *name = list.at[i].name;
        if (several)
            name = arena_printf(work->arena, "%s: %s", file, name);
        struct family_mutant mutant = {file, name, list.at[i]};
        vec_push(work->arena, &work->mutants, mutant);
    }
}

static void prepare_models(struct work *work)
{
    for (uint32_t i = 0; i < MOST_MODELS && work->family->models[i]; i++)
        work->models[i] = parse_model(work->arena, work->family->models[i], &(struct changed){0});
    for (uint32_t i = 0; i < MOST_TEXTS && work->family->texts[i]; i++)
        add_mutants(work, work->family->texts[i]);
    work->fates = ARENA_ARRAY(work->arena, enum fate, work->mutants.len);
    work->killers = ARENA_ARRAY(work->arena, uint32_t, work->mutants.len);
}

static void prepare(struct work *work, const char *folder)
{
    struct diag_list diags = {.arena = work->arena};
    const char *const folders[] = {folder};
    walk_inputs(work->arena, folders, 1, &work->inputs, &diags);
    uint32_t count = work->inputs.items.len;
    prepare_models(work);
    work->verdicts = ARENA_ARRAY(work->arena, struct verdict, (size_t)count * MOST_MODELS);
    work->kills = ARENA_ARRAY(work->arena, uint32_t, count);
    work->order = ARENA_ARRAY(work->arena, uint32_t, count);
    work->subjects = ARENA_ARRAY(work->arena, struct subject, count);
    for (uint32_t i = 0; i < count; i++) {
        work->order[i] = i;
        subject_load(&work->subjects[i], work->arena, &work->inputs.items.at[i],
                     work->family->models[0]);
    }
}

static const struct family *find_family(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(families); i++)
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
    return NULL;
}

int main(int argc, char **argv)
{
    enum { PROGRAM, FAMILY, CORPUS, LIST, KILLERS, PROMOTE };
    struct work work = {.arena = arena_new()};
    if (argc <= KILLERS || !(work.family = find_family(argv[FAMILY])))
        return 2;
    prepare(&work, argv[CORPUS]);
    bool all = argc > PROMOTE;
    GHashTable *listed = read_list(argv[LIST]);
    work.listed = all ? NULL : listed;
    work.recorded = read_killers(all ? "" : argv[KILLERS]);
    run(&work);
    bool good = !all || write_killers(&work, argv[CORPUS], argv[KILLERS]);
    good = !compare_with_list(&work, listed) && good;
    printf("# %u clauses and %u tests: %u told apart, %u not, %u leave no model\n",
           work.mutants.len, count_known(&work), count_fates(&work, KILLED),
           count_fates(&work, SURVIVES), count_fates(&work, NO_MODEL));
    good = good && count_known(&work) >= work.family->least && work.mutants.len > 0;
    printf("1..1\n%sok 1 every clause that can be told apart is\n", good ? "" : "not ");
    g_hash_table_destroy(listed);
    g_hash_table_destroy(work.recorded);
    arena_free(work.arena);
    return !good;
}
