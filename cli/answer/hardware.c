/* SPDX-License-Identifier: MIT */
#include "cli/answer/hardware.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/base/number.h"
#include "litmus/print/print.h"

enum { MOST_BYTES = 1 << 28 };

struct sighting {
    const char *test, *file;
    json_t *state; /* NULL: the end of the test's runs */
    uint64_t count;
    double seconds;
};

struct hardware {
    struct tie tie;
    json_t *lines; /* keeps what the sightings point to */
    VEC(struct sighting) items;
};

static void drop(void *hardware)
{
    json_decref(((struct hardware *)hardware)->lines);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What else a run says: on what it ran, and of a test how often, or that it failed. */
static bool is_remark(const json_t *line)
{
    return !json_object_get(line, "state") &&
           (json_object_get(line, "device") || json_object_get(line, "ended") ||
            json_object_get(line, "failed"));
}

/* How long the runs of a test took, where the remark says so. */
static void add_remark(struct arena *arena, struct hardware *hardware, const json_t *line)
{
    struct sighting s = {0};
    if (json_unpack((json_t *)line, "{s:s, s:s, s:F}", "test", &s.test, "file", &s.file, "seconds",
                    &s.seconds) ||
        s.seconds < 0)
        return;
    s.file = base_name(s.file);
    vec_push(arena, &hardware->items, s);
}

/* False: the text is no final state, and no remark. */
static bool add_line(struct arena *arena, struct hardware *hardware, const char *text,
                     size_t length)
{
    json_int_t count;
    struct sighting s = {0};
    json_t *line = json_loadb(text, length, 0, NULL);
    if (json_array_append_new(hardware->lines, line))
        return false;
    if (is_remark(line)) {
        add_remark(arena, hardware, line);
        return true;
    }
    if (json_unpack(line, "{s:s, s:s, s:o, s:I}", "test", &s.test, "file", &s.file, "state",
                    &s.state, "count", &count) ||
        !json_is_object(s.state) || count < 0)
        return false;
    s.file = base_name(s.file);
    s.count = (uint64_t)count;
    vec_push(arena, &hardware->items, s);
    return true;
}

/* A run that was killed leaves half of a line: it costs that state, not the file. */
static void complain(struct diag_list *diags, const char *path, size_t first, uint32_t bad,
                     bool any_good)
{
    const char *lines =
        bad > 1 && any_good ? arena_printf(diags->arena, "%u lines from ", bad) : "";
    const char *what = !any_good  ? ", is no final state of a histogram, and no other line is"
                       : bad == 1 ? ", is no final state of a histogram: left out"
                                  : " on, are no final states of a histogram: left out";
    diag_add(diags, any_good ? DIAG_bad_sighting : DIAG_bad_histogram, NULL, (struct span){0},
             "made by 'ptxlit emit', run --json", "'%s', %sline %zu%s", path, lines, first, what);
}

struct hardware *hardware_read(struct arena *arena, const char *path, struct diag_list *diags)
{
    size_t length;
    const char *text = file_read(arena, path, MOST_BYTES, &length);
    if (!text) {
        diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL, "cannot read '%s': %s",
                 path, g_strerror(errno));
        return NULL;
    }
    struct hardware *hardware = ARENA_NEW(arena, struct hardware);
    hardware->lines = json_array();
    arena_tie(arena, &hardware->tie, drop, hardware);
    uint32_t bad = 0;
    size_t number = 1, first = 0;
    for (const char *at = text, *end; at < text + length; at = end + 1, number++) {
        end = memchr(at, '\n', (size_t)(text + length - at));
        end = end ? end : text + length;
        if (at == end || add_line(arena, hardware, at, (size_t)(end - at)))
            continue;
        first = bad++ ? first : number;
    }
    if (bad)
        complain(diags, path, first, bad, hardware->items.len);
    return hardware;
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
            strcmp(hardware->items.at[i].file, base_name(path)) == 0)
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
