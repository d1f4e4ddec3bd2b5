/* SPDX-License-Identifier: MIT */
#include "litmus/generate/cycle.h"

#include <glib.h>
#include <string.h>

bool cycle_fits(const struct cycle_edge *first, const struct cycle_edge *second)
{
    return first->writes[1] == second->writes[0];
}

/* ---- the program ---------------------------------------------------------------------------- */

/* An access of the cycle: where the i-th edge starts. */
struct cycle_access {
    uint32_t thread, step, segment;
    uint32_t rank; /* writes to its location that come before it in coherence, or up to it */
};

struct building {
    struct arena *arena;
    const struct cycle *cycle;
    struct generated_program *program;
    struct cycle_access access[CYCLE_EDGES];
    uint32_t breaks; /* edges after which coherence of a location begins anew */
};

static const struct cycle_edge *edge_at(const struct cycle *cycle, uint32_t i)
{
    return &cycle->edge[i % cycle->count];
}

/* The first edge, such that the one before leads to another thread. */
static uint32_t first_edge(const struct cycle *cycle)
{
    for (uint32_t i = 0; i < cycle->count; i++)
        if (edge_at(cycle, i + cycle->count - 1)->external)
            return i;
    return 0;
}

static const char *check(struct arena *arena, const struct cycle *cycle)
{
    uint32_t threads = 0, changes = 0, steps = 0;
    for (uint32_t i = 0; i < cycle->count; i++) {
        const struct cycle_edge *edge = &cycle->edge[i], *next = edge_at(cycle, i + 1);
        if (!cycle_fits(edge, next))
            return arena_printf(arena, "'%s' ends in a %s, and '%s' starts at a %s", edge->word,
                                edge->writes[1] ? "write" : "read", next->word,
                                next->writes[0] ? "write" : "read");
        threads += edge->external;
        changes += edge->changes;
        steps += edge->relation == EDGE_PO;
    }
    if (threads < 2 || threads > GENERATED_THREADS)
        return arena_printf(arena, "it has %u edges between threads, and needs 2 to %d", threads,
                            GENERATED_THREADS);
    if (changes == 1 || changes > GENERATED_LOCATIONS)
        return arena_printf(arena,
                            "%u of its edges change the location, and none, or 2 to %d, must",
                            changes, GENERATED_LOCATIONS);
    return steps ? NULL : "none of its edges is in program order";
}

static bool same_note(const struct generated_step *a, const struct generated_step *b)
{
    return a->sem == b->sem && a->scope == b->scope && a->form == b->form && a->proxy == b->proxy;
}

/* How strong the access is, by the edges that end and start at it. */
static const char *annotate(struct building *b, struct generated_step *step,
                            const struct cycle_edge *in, const struct cycle_edge *out)
{
    const struct generated_step *note = out->noted[0] ? &out->note[0] : &in->note[1];
    if (out->noted[0] && in->noted[1] && !same_note(&out->note[0], &in->note[1]))
        return arena_printf(b->arena, "'%s' and '%s' disagree on the strength of an access",
                            in->word, out->word);
    if (!out->noted[0] && !in->noted[1])
        return NULL;
    bool writes = step_writes(step), reads = step_reads(step);
    if ((note->sem == SEM_ACQUIRE && !reads) || (note->sem == SEM_RELEASE && !writes) ||
        (note->sem == SEM_ACQ_REL && !(reads && writes)) ||
        (step->kind == STEP_ATOM && (note->sem == SEM_WEAK || note->form != FORM_PLAIN)) ||
        (writes && (note->proxy == PROXY_TEXTURE || note->proxy == PROXY_CONSTANT)))
        return arena_printf(b->arena, "the access between '%s' and '%s' cannot be %s", in->word,
                            out->word, note->form || note->proxy ? "so" : sem_name(note->sem));
    step->sem = note->sem;
    step->scope = note->scope;
    step->form = note->form;
    step->proxy = note->proxy;
    return NULL;
}

/* The step that the i-th edge starts at; an RMW is one step with the edge's target. */
static const char *add_access(struct building *b, uint32_t i, uint32_t thread, uint32_t segment)
{
    const struct cycle_edge *in = edge_at(b->cycle, i + b->cycle->count - 1),
                            *out = edge_at(b->cycle, i);
    uint32_t count = b->program->count[thread];
    if (count + 2 > GENERATED_STEPS)
        return "a thread of it is too long";
    if (in->fenced)
        b->program->steps[thread][count++] = in->fence;
    bool rmw = out->relation == EDGE_RMW;
    struct generated_step step = {.kind = rmw              ? STEP_ATOM
                                          : out->writes[0] ? STEP_STORE
                                                           : STEP_LOAD,
                                  .sem = rmw ? SEM_RELAXED : SEM_WEAK,
                                  .scope = rmw ? SCOPE_GPU : SCOPE_NONE,
                                  .atom = rmw ? out->atom : 0,
                                  .dependency = in->dependency,
                                  .location = (uint8_t)segment};
    const char *wrong = annotate(b, &step, in, out);
    b->access[i % b->cycle->count] = (struct cycle_access){thread, count, segment, 0};
    b->program->steps[thread][count] = step;
    b->program->count[thread] = count + 1;
    return wrong;
}

/* The write of an RMW: the same step; its edge may say more of it. */
static const char *join_access(struct building *b, uint32_t i)
{
    const struct cycle_edge *out = edge_at(b->cycle, i);
    struct cycle_access read = b->access[(i + b->cycle->count - 1) % b->cycle->count];
    b->access[i % b->cycle->count] = read;
    if (!out->noted[0])
        return NULL;
    struct cycle_edge none = {.word = edge_at(b->cycle, i + b->cycle->count - 1)->word};
    return annotate(b, &b->program->steps[read.thread][read.step], &none, out);
}

static const char *add_steps(struct building *b)
{
    uint32_t start = first_edge(b->cycle), thread = 0, segment = 0, changes = 0;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < b->cycle->count; i++)
        changes += b->cycle->edge[i].changes;
    for (uint32_t k = 0; !wrong && k < b->cycle->count; k++) {
        uint32_t i = start + k;
        const struct cycle_edge *in = edge_at(b->cycle, i + b->cycle->count - 1),
                                *out = edge_at(b->cycle, i);
        wrong =
            k && in->relation == EDGE_RMW ? join_access(b, i) : add_access(b, i, thread, segment);
        thread += out->external;
        if (out->changes)
            segment = segment + 1 < changes ? segment + 1 : 0;
    }
    b->program->threads = thread;
    b->program->locations = changes ? changes : 1;
    for (uint8_t t = 0; t < thread; t++)
        b->program->place[t] = (struct generated_place){0, t, t};
    return wrong;
}

/* ---- its outcome ---------------------------------------------------------------------------- */

/* Where coherence of the location begins: behind an edge that changes it; behind a step in program order
 * if the cycle is about one location. */
static uint32_t first_of(const struct building *b, uint32_t location)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < b->cycle->count; i++) {
        const struct cycle_edge *in = edge_at(b->cycle, i + b->cycle->count - 1);
        bool begins = b->program->locations > 1 ? in->changes && b->access[i].segment == location
                                                : in->relation == EDGE_PO;
        if (begins)
            found = i;
    }
    return found;
}

/* The accesses of a location in the order of the cycle, which is that of coherence: a read returns the
 * last write before it. */
static uint32_t follow(struct building *b, uint32_t location,
                       uint32_t returned[GENERATED_THREADS][GENERATED_STEPS])
{
    uint32_t start = first_of(b, location), value = 0;
    for (uint32_t k = 0; k < b->cycle->count; k++) {
        uint32_t i = (start + k) % b->cycle->count;
        const struct cycle_access *access = &b->access[i];
        const struct cycle_edge *out = edge_at(b->cycle, i);
        if (access->segment != location)
            break;
        const struct generated_step *step = &b->program->steps[access->thread][access->step];
        uint32_t constant =
            out->writes[0] ? generated_value(b->program, access->thread, access->step) : 0;
        if (!out->writes[0])
            returned[access->thread][access->step] = value;
        else
            value = step->atom == ATOM_ADD ? value + constant : constant;
    }
    return value;
}

static void end_so(struct building *b, uint32_t *values)
{
    uint32_t returned[GENERATED_THREADS][GENERATED_STEPS] = {{0}}, final[GENERATED_LOCATIONS];
    struct generated_observation observation;
    for (uint32_t l = 0; l < b->program->locations; l++)
        final[l] = follow(b, l, returned);
    generated_observe(b->program, &observation);
    for (uint32_t k = 0; k < observation.count; k++) {
        struct generated_observed what = observation.at[k];
        values[k] =
            what.thread == OBSERVED_LOCATION ? final[what.step] : returned[what.thread][what.step];
    }
    for (uint32_t t = 0; t < b->program->threads; t++)
        for (uint32_t i = 0, last = 0; i < b->program->count[t]; i++) {
            struct generated_step *step = &b->program->steps[t][i];
            if (step->dependency == STEP_IF && !last)
                step->dependency = STEP_IF_ZERO;
            if (step_returns(step))
                last = returned[t][i];
        }
}

const char *cycle_build(struct arena *arena, const struct cycle *cycle,
                        struct generated_program *program, uint32_t *values)
{
    struct building building = {.arena = arena, .cycle = cycle, .program = program};
    *program = (struct generated_program){0};
    const char *wrong = check(arena, cycle);
    if (!wrong)
        wrong = add_steps(&building);
    if (!wrong)
        end_so(&building, values);
    return wrong;
}

/* ---- names ---------------------------------------------------------------------------------- */

const char *cycle_text(struct arena *arena, const struct cycle *cycle)
{
    const char *text = "";
    for (uint32_t i = 0; i < cycle->count; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? " " : "", cycle->edge[i].word);
    return text;
}

/* The families of the literature by their edges: W, R for a step in program order from and to them on
 * another location, e for one on the same; r, f, c for rf, fr, co. */
static const struct {
    const char *name, *edges;
} families[] = {
#define FAMILY(name, edges) {name, edges},
#include "litmus/generate/family.def"
#undef FAMILY
};

static void put_edge(GString *out, const struct cycle_edge *edge)
{
    if (edge->relation == EDGE_PO)
        g_string_append_printf(out, "%c%c%s", edge->writes[0] ? 'W' : 'R',
                               edge->writes[1] ? 'W' : 'R', edge->changes ? "" : "s");
    else
        g_string_append_c(out, edge->relation == EDGE_RF   ? 'r'
                               : edge->relation == EDGE_FR ? 'f'
                               : edge->relation == EDGE_CO ? 'c'
                                                           : 'm');
}

/* The family's name, or NULL; '*start': the edge that it begins at. */
static const char *family(const struct cycle *cycle, uint32_t *start)
{
    for (*start = 0; *start < cycle->count; (*start)++) {
        g_autoptr(GString) edges = g_string_new(NULL);
        for (uint32_t k = 0; k < cycle->count; k++)
            put_edge(edges, edge_at(cycle, *start + k));
        for (size_t i = 0; i < G_N_ELEMENTS(families); i++)
            if (strcmp(families[i].edges, edges->str) == 0)
                return families[i].name;
    }
    return NULL;
}

const char *cycle_name(struct arena *arena, const struct cycle *cycle)
{
    uint32_t start;
    const char *name = family(cycle, &start), *text = name ? name : "";
    for (uint32_t i = 0; i < cycle->count; i++) {
        const struct cycle_edge *edge = edge_at(cycle, start + i);
        bool plain = name && edge->relation != EDGE_PO && edge->relation != EDGE_RMW &&
                     !strchr(edge->word, '.');
        if (!plain)
            text = arena_printf(arena, "%s%s%s", text, *text ? "+" : "", edge->word);
    }
    return text;
}
