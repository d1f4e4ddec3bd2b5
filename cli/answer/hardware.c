/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "cli/answer/hardware_file.h"
#include "litmus/base/number.h"
#include "litmus/print/print.h"

const char *hardware_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- a test's -------------------------------------------------------------------------------- */

/* A sum that stays what JSON can carry, whatever a file says. */
static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* Of that width, zero or sign extended. */
static bool fits(uint64_t bits, unsigned width)
{
    uint64_t high = width < 64 ? bits >> width : 0, sign = bits >> (width - 1);
    return !high || sign == UINT64_MAX >> (width - 1);
}

/* The bits that a state shows, which are text past what JSON carries whole; false when it does not
 * show the term, or more than it holds. */
static bool bits_of(struct arena *arena, const struct test *test, const struct cond_term *term,
                    const json_t *state, uint64_t *bits)
{
    const json_t *value = json_object_get(state, print_term(arena, test, term));
    unsigned width = outcome_reading(test, term).width;
    const char *text = json_string_value(value);
    *bits = (uint64_t)json_integer_value(value);
    if (text &&
        number_integer(text, strlen(text), number_range(64, false, true), bits) != NUMBER_GOOD)
        return false;
    bool good = fits(*bits, width) && (text || json_is_integer(value));
    if (width < 64)
        *bits &= (UINT64_C(1) << width) - 1;
    return good;
}

static void count(struct hardware_seen *seen, const uint64_t *values, uint64_t times)
{
    uint32_t index = outcome_add(&seen->states, values), known = seen->times.len;
    if (seen->states.items.len > known) {
        vec_push(seen->states.arena, &seen->times, 0);
        memmove(&seen->times.at[index + 1], &seen->times.at[index],
                (known - index) * sizeof *seen->times.at);
        seen->times.at[index] = 0;
    }
    seen->times.at[index] = sum(seen->times.at[index], times);
}

static void see(struct hardware_seen *seen, const struct test *test, const struct sighting *s)
{
    seen->seconds += s->seconds;
    if (!s->state)
        return;
    uint64_t *values = ARENA_ARRAY(seen->states.arena, uint64_t, test->observed_count + 1);
    for (uint32_t i = 0; i < test->observed_count; i++)
        if (!bits_of(seen->states.arena, test, &test->observed[i], s->state, &values[i])) {
            seen->unfit = sum(seen->unfit, s->count);
            return;
        }
    seen->runs = sum(seen->runs, s->count);
    if (outcome_satisfies(test, test->condition, values) != (test->quantifier == QUANTIFIER_FORALL))
        seen->asked = sum(seen->asked, s->count);
    if (outcome_satisfies(test, test->filter, values))
        count(seen, values, s->count);
}

/* "MP@nvcc" of the machine's file is judged as "MP@library" and "MP@nvcc-13". */
static bool is_of(const char *seen, const char *test)
{
    static const char *const as_nvcc[] = {"@library", "@nvcc-13"};
    const char *mark = strrchr(seen, '@');
    size_t stem = mark ? (size_t)(mark - seen) : 0;
    if (strcmp(seen, test) == 0)
        return true;
    if (!mark || strcmp(mark, HARDWARE_NVCC) != 0 || strncmp(seen, test, stem) != 0)
        return false;
    return strcmp(test + stem, as_nvcc[0]) == 0 || strcmp(test + stem, as_nvcc[1]) == 0;
}

struct hardware_seen hardware_find(struct arena *arena, const struct hardware *hardware,
                                   const struct test *test, const char *path)
{
    struct hardware_seen seen = {.states = {.test = test, .arena = arena}};
    for (uint32_t i = 0; hardware && i < hardware->items.len; i++)
        if (is_of(hardware->items.at[i].test, test->name) &&
            strcmp(hardware->items.at[i].file, hardware_base_name(path)) == 0)
            see(&seen, test, &hardware->items.at[i]);
    return seen;
}

void hardware_tell_unfit(const struct hardware_seen *seen, struct diag_list *diags)
{
    const struct test *test = seen->states.test;
    if (seen->unfit)
        diag_add(diags, DIAG_bad_sighting, NULL, (struct span){0},
                 "run again what 'ptxlit emit' makes of the test as it is now",
                 "%" PRIu64 " runs of '%s' are left out: their final states lack values that the "
                 "question asks for, or have "
                 "some that do not fit",
                 seen->unfit, test->name);
}

/* ---- what nobody asks about ------------------------------------------------------------------ */

void hardware_ask(struct hardware *hardware, const char *path)
{
    g_hash_table_add(hardware->asked, arena_strdup(hardware->arena, hardware_base_name(path)));
}

void hardware_tell_strangers(const struct hardware *hardware, struct diag_list *diags)
{
    g_autoptr(GHashTable) strangers = g_hash_table_new(g_str_hash, g_str_equal);
    const char *first = NULL;
    for (uint32_t i = 0; i < hardware->items.len; i++) {
        const char *file = hardware->items.at[i].file;
        if (g_hash_table_contains(hardware->asked, file))
            continue;
        first = first ? first : file;
        g_hash_table_add(strangers, (char *)file);
    }
    uint32_t count = g_hash_table_size(strangers);
    if (first)
        diag_add(diags, DIAG_hardware_stranger, NULL, (struct span){0},
                 "name the tests that the file is about; their files are known by their names, "
                 "without folders",
                 "'%s' has results of %u file%s not asked about, '%s' first: left out",
                 hardware->path, count, count == 1 ? "" : "s", first);
}

/* ---- where it comes from --------------------------------------------------------------------- */

json_t *hardware_origins(const struct hardware *hardware)
{
    static const char *const keys[] = {"device",   "compute", "driver",  "kernel_driver",
                                       "compiler", "flags",   "version", "date"};
    json_t *origins = json_array(), *line;
    size_t i;
    json_array_foreach(hardware->lines, i, line)
    {
        json_t *origin = json_object();
        for (size_t k = 0; k < G_N_ELEMENTS(keys) && json_object_get(line, "device"); k++)
            if (json_is_string(json_object_get(line, keys[k])))
                json_object_set(origin, keys[k], json_object_get(line, keys[k]));
        bool known = json_object_size(origin) == 0;
        for (size_t k = 0; !known && k < json_array_size(origins); k++)
            known = json_equal(json_array_get(origins, k), origin);
        if (!known)
            json_array_append(origins, origin);
        json_decref(origin);
    }
    return origins;
}
