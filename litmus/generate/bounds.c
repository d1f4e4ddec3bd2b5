/* SPDX-License-Identifier: MIT */
#include "litmus/generate/bounds.h"

#include <string.h>

#include "litmus/base/number.h"

/* The options' words. */

/* A word of a list and the bit that it sets. */
struct bounds_word {
    const char *text;
    uint32_t bit;
};
/* A list ends with a row without text. */
static const struct bounds_word strength_words[] = {
    {"weak", SEM_WEAK},       {"relaxed", SEM_RELAXED},
    {"acquire", SEM_ACQUIRE}, {"release", SEM_RELEASE},
    {"acq_rel", SEM_ACQ_REL}, {"volatile", 16 + FORM_VOLATILE},
    {"mmio", 16 + FORM_MMIO}, {NULL, 0}};
static const struct bounds_word fence_words[] = {{"sc", SEM_SC},
                                                 {"acq_rel", SEM_ACQ_REL},
                                                 {"acquire", SEM_ACQUIRE},
                                                 {"release", SEM_RELEASE},
                                                 {NULL, 0}};
static const struct bounds_word scope_words_of[] = {
#define SCOPE(id, word, ...) {word, SCOPE_##id},
#include "litmus/isa/words.def"
    {NULL, 0}};
static const struct bounds_word place_words[] = {
#define PLACE(scope, member) {#member, SCOPE_##scope},
#include "litmus/isa/words.def"
    {NULL, 0}};
enum { BIT_RED = 31 };
static const struct bounds_word atomic_words[] = {
    {"exch", ATOM_EXCH}, {"add", ATOM_ADD}, {"cas", ATOM_CAS}, {"red", BIT_RED}, {NULL, 0}};
static const struct bounds_word proxy_words[] = {{"alias", PROXY_ALIAS},
                                                 {"surface", PROXY_SURFACE},
                                                 {"texture", PROXY_TEXTURE},
                                                 {"constant", PROXY_CONSTANT},
                                                 {NULL, 0}};
static const struct bounds_word dependency_words[] = {
    {"data", STEP_DATA}, {"addr", STEP_ADDRESS}, {"ctrl", STEP_IF}, {NULL, 0}};

struct bounds_reader {
    struct arena *arena;
    struct diag_list *diags;
    bool good;
};

static void refuse(struct bounds_reader *reader, const char *option, const char *what,
                   const char *text)
{
    reader->good = false;
    diag_add(reader->diags, DIAG_option_value, NULL, (struct span){0}, NULL,
             "option '--%s' wants %s, not '%s'", option, what, text);
}

static const char *all_words(struct arena *arena, const struct bounds_word *words)
{
    const char *all = words->text;
    for (words++; words->text; words++)
        all = arena_printf(arena, "%s, %s", all, words->text);
    return all;
}

static const struct bounds_word *find_word(const struct bounds_word *words, const char *text,
                                           size_t length)
{
    for (; words->text; words++)
        if (strlen(words->text) == length && memcmp(words->text, text, length) == 0)
            return words;
    return NULL;
}

static void refuse_word(struct bounds_reader *reader, const char *option,
                        const struct bounds_word *words, const char *text, size_t length)
{
    const char *names[16];
    uint32_t count = 0;
    for (const struct bounds_word *word = words; word->text; word++)
        names[count++] = word->text;
    reader->good = false;
    diag_add(reader->diags, DIAG_option_value, NULL, (struct span){0},
             diag_hint(reader->arena, text, length, names, count),
             "option '--%s' does not know '%.*s'; its words are %s", option, (int)length, text,
             all_words(reader->arena, words));
}

/* "sc,acq_rel": a set; "all": every word; "none": no word. */
static uint32_t read_set(struct bounds_reader *reader, const char *option,
                         const struct bounds_word *words, const char *text)
{
    uint32_t set = 0;
    if (!text || strcmp(text, "none") == 0)
        return 0;
    if (strcmp(text, GENERATE_ALL) == 0) {
        for (; words->text; words++)
            set |= UINT32_C(1) << words->bit;
        return set;
    }
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        const struct bounds_word *word = find_word(words, at, length);
        if (word)
            set |= UINT32_C(1) << word->bit;
        else
            refuse_word(reader, option, words, at, length);
        at += length;
        if (!*at)
            return set;
    }
}

/* "3", "..3": from 'least' to 3; "2..3". */
static struct generate_range read_range(struct bounds_reader *reader, const char *option,
                                        const char *text, uint32_t least, uint32_t most)
{
    uint64_t from = least, to = most;
    const char *dots = strstr(text, "..");
    const char *last = dots ? dots + 2 : text;
    bool good = number_whole(last, strlen(last), 1, most, &to) == NUMBER_GOOD;
    if (dots && dots > text)
        good &= number_whole(text, (size_t)(dots - text), 1, most, &from) == NUMBER_GOOD;
    if (!good || from > to)
        refuse(reader, option,
               arena_printf(reader->arena, "a number from 1 to %u or a range such as 2..3", most),
               text);
    return (struct generate_range){(uint32_t)from, (uint32_t)to};
}

/* Threads are as many as said; of the rest, up to as many. */
static struct generate_range read_threads(struct bounds_reader *reader, const char *text)
{
    struct generate_range range = read_range(reader, "threads", text, 1, GENERATED_THREADS);
    if (!strstr(text, ".."))
        range.least = range.most;
    return range;
}

/* What scopes can tell apart. */
static uint32_t places_of(uint32_t scopes)
{
    uint32_t places = 1u << SCOPE_CTA;
    if (scopes >> SCOPE_CLUSTER & 1)
        places |= 1u << SCOPE_CLUSTER;
    if (scopes >> SCOPE_SYS & 1)
        places |= 1u << SCOPE_GPU;
    return places;
}

/* Where only accesses are bounded: a fence or barrier may come after each. */
static struct generate_range size_of(const struct generate_bounds *bounds)
{
    bool more = bounds->fences || bounds->proxies || bounds->barriers;
    return (struct generate_range){1, bounds->accesses.most * (more ? 2 : 1)};
}

bool generate_read_bounds(struct arena *arena, const struct generate_words *words,
                          struct generate_bounds *bounds, struct diag_list *diags)
{
    struct bounds_reader reader = {arena, diags, true};
    enum { MOST = GENERATED_THREADS * GENERATED_STEPS };
    *bounds = (struct generate_bounds){.barriers = words->barriers};
    bounds->threads = read_threads(&reader, words->threads ? words->threads : "2");
    bounds->accesses = (struct generate_range){1, MOST};
    if (words->accesses)
        bounds->accesses = read_range(&reader, "accesses", words->accesses, 1, MOST);
    if (words->instructions || !words->accesses)
        bounds->instructions = read_range(&reader, "instructions",
                                          words->instructions ? words->instructions : "4", 1, MOST);
    bounds->locations = read_range(&reader, "locations", words->locations ? words->locations : "2",
                                   1, GENERATED_LOCATIONS)
                            .most;
    uint32_t sems = read_set(&reader, "strengths", strength_words,
                             words->strengths ? words->strengths : "weak,relaxed,acquire,release");
    bounds->sems = sems & 0xffff;
    bounds->forms = sems >> 16;
    if (bounds->sems >> SEM_ACQUIRE & 1 && bounds->sems >> SEM_RELEASE & 1)
        bounds->sems |= 1u << SEM_ACQ_REL;
    bounds->fences = read_set(&reader, "fences", fence_words, words->fences);
    bounds->scopes =
        read_set(&reader, "scopes", scope_words_of, words->scopes ? words->scopes : "gpu");
    bool all_places = words->placements && strcmp(words->placements, GENERATE_ALL) == 0;
    bounds->apart = all_places ? places_of(bounds->scopes)
                               : read_set(&reader, "placements", place_words, words->placements);
    uint32_t atomics = read_set(&reader, "atomics", atomic_words, words->atomics);
    bounds->red = atomics >> BIT_RED & 1;
    bounds->atomics = atomics & ~(UINT32_C(1) << BIT_RED);
    bounds->proxies = read_set(&reader, "proxies", proxy_words, words->proxies);
    bounds->dependencies = read_set(&reader, "deps", dependency_words, words->deps);
    if (!bounds->instructions.most)
        bounds->instructions = size_of(bounds);
    return reader.good;
}
