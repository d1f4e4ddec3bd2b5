/* SPDX-License-Identifier: MIT */
#include "litmus/generate/write.h"

#include <string.h>

static const char *const location_names[GENERATED_LOCATIONS] = {"x", "y", "z", "w", "v", "u"};

/* ---- names ---------------------------------------------------------------------------------- */

static void put_qualifiers(GString *out, const struct generated_step *step)
{
    if (step->form != FORM_PLAIN)
        g_string_append(out, step->form == FORM_VOLATILE ? ".volatile" : ".mmio");
    else if (step_is_access(step) && step->sem != SEM_WEAK)
        g_string_append_printf(out, ".%s.%s", sem_name(step->sem), scope_name(step->scope));
}

static void put_step_name(GString *out, const struct generated_step *step)
{
    static const char letters[] = {'W', 'R', 'U', 'D', 'F', 'P', 'B'};
    static const char *const dependencies[] = {"", ".data", ".addr", ".ctrl", ".ctrl0"};
    g_string_append_c(out, letters[step->kind]);
    if (step_is_access(step))
        g_string_append(out, location_names[step->location]);
    if (step->proxy)
        g_string_append_printf(out, ".%s", proxy_name(step->proxy));
    if (step->kind == STEP_ATOM)
        g_string_append_printf(out, ".%s", atom_op_name(step->atom));
    if (step->kind == STEP_FENCE)
        g_string_append_printf(out, ".%s.%s", sem_name(step->sem), scope_name(step->scope));
    else
        put_qualifiers(out, step);
    g_string_append(out, dependencies[step->dependency]);
}

static bool are_apart(const struct generated_program *program)
{
    for (uint32_t t = 0; t < program->threads; t++)
        if (program->place[t].cta != t || program->place[t].gpu ||
            (program->clusters && program->place[t].cluster != t))
            return false;
    return true;
}

static void put_place_name(GString *out, const struct generated_program *program, uint32_t t)
{
    const struct generated_place *place = &program->place[t];
    g_string_append_printf(out, "%scta%u", t ? "+" : "@", place->cta);
    if (program->clusters)
        g_string_append_printf(out, ".cluster%u", place->cluster);
    if (place->gpu)
        g_string_append_printf(out, ".gpu%u", place->gpu);
}

const char *generated_name(struct arena *arena, const struct generated_program *program)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++) {
            g_string_append(out, i ? "-" : t ? "+" : "");
            put_step_name(out, &program->steps[t][i]);
        }
    for (uint32_t t = 0; t < program->threads && !are_apart(program); t++)
        put_place_name(out, program, t);
    return arena_strdup(arena, out->str);
}

const char *generated_skeleton(struct arena *arena, const struct generated_program *program)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (uint32_t t = 0; t < program->threads; t++) {
        g_string_append(out, t ? "+" : "");
        for (uint32_t i = 0; i < program->count[t]; i++) {
            const struct generated_step *step = &program->steps[t][i];
            if (step_is_access(step))
                g_string_append_printf(out, "%c%s",
                                       step->kind == STEP_LOAD    ? 'R'
                                       : step->kind == STEP_STORE ? 'W'
                                                                  : 'U',
                                       location_names[step->location]);
        }
    }
    return arena_strdup(arena, out->str);
}

/* ---- instructions --------------------------------------------------------------------------- */

/* A thread's lines while they are written. */
struct thread_writer {
    GPtrArray *lines;
    const struct generated_program *program;
    uint32_t thread;
    uint32_t registers; /* that hold what was read */
    uint32_t helpers;   /* that dependencies use */
};

static void line(struct thread_writer *writer, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void line(struct thread_writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(writer->lines, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

/* How the location is called that the access goes through. */
static char *name_of(const struct generated_step *step)
{
    static const char prefixes[] = {
        [PROXY_ALIAS] = 'a', [PROXY_SURFACE] = 's', [PROXY_TEXTURE] = 't', [PROXY_CONSTANT] = 'c'};
    const char *location = location_names[step->location];
    return step->proxy ? g_strdup_printf("%c%s", prefixes[step->proxy], location)
                       : g_strdup(location);
}

/* "[x]", or a register with the address that rests on the last read. */
static char *address(struct thread_writer *writer, const struct generated_step *step)
{
    g_autofree char *name = name_of(step);
    if (step->dependency != STEP_ADDRESS)
        return g_strdup_printf("[%s]", name);
    uint32_t helper = writer->helpers++;
    line(writer, "mul.wide.u32 %%o%u, %%r%u, 0", helper, writer->registers - 1);
    line(writer, "mov.u64 %%a%u, &%s", helper, name);
    line(writer, "add.u64 %%a%u, %%a%u, %%o%u", helper, helper, helper);
    return g_strdup_printf("[%%a%u]", helper);
}

/* "1", or a register that holds it and rests on the last read. */
static char *operand(struct thread_writer *writer, const struct generated_step *step,
                     uint32_t value)
{
    if (step->dependency != STEP_DATA)
        return g_strdup_printf("%u", value);
    uint32_t helper = writer->helpers++;
    line(writer, "and.b32 %%d%u, %%r%u, 0", helper, writer->registers - 1);
    line(writer, "add.u32 %%d%u, %%d%u, %u", helper, helper, value);
    return g_strdup_printf("%%d%u", helper);
}

/* "@%p0 ", or "". */
static char *guard(struct thread_writer *writer, const struct generated_step *step)
{
    if (step->dependency != STEP_IF && step->dependency != STEP_IF_ZERO)
        return g_strdup("");
    uint32_t helper = writer->helpers++;
    line(writer, "setp.%s.u32 %%p%u, %%r%u, 0", step->dependency == STEP_IF ? "ne" : "eq", helper,
         writer->registers - 1);
    return g_strdup_printf("@%%p%u ", helper);
}

static char *qualifiers(const struct generated_step *step)
{
    if (step->form != FORM_PLAIN)
        return g_strdup(step->form == FORM_VOLATILE ? ".volatile" : ".mmio.relaxed.sys");
    if (step->sem == SEM_WEAK)
        return g_strdup(".weak");
    return g_strdup_printf(".%s.%s", sem_name(step->sem), scope_name(step->scope));
}

static const char *mnemonic(const struct generated_step *step)
{
    bool load = step->kind == STEP_LOAD;
    if (step->kind == STEP_ATOM || step->kind == STEP_RED)
        return step->kind == STEP_ATOM ? "atom" : "red";
    if (step->proxy == PROXY_SURFACE)
        return load ? "suld" : "sust";
    if (step->proxy == PROXY_TEXTURE)
        return "tld";
    return step->proxy == PROXY_CONSTANT ? "cold" : load ? "ld" : "st";
}

static void put_access(struct thread_writer *writer, const struct generated_step *step,
                       uint32_t index)
{
    uint32_t value =
        step_writes(step) ? generated_value(writer->program, writer->thread, index) : 0;
    g_autofree char *at = address(writer, step), *with = operand(writer, step, value),
                    *when = guard(writer, step), *how = qualifiers(step);
    const char *what = mnemonic(step);
    switch ((enum step_kind)step->kind) {
    case STEP_LOAD:
        line(writer, "%s%s%s.u32 %%r%u, %s", when, what, how, writer->registers++, at);
        break;
    case STEP_STORE:
        line(writer, "%s%s%s.u32 %s, %s", when, what, how, at, with);
        break;
    case STEP_ATOM:
        line(writer, "%s%s%s.%s.%s %%r%u, %s, %s%s", when, what, how, atom_op_name(step->atom),
             step->atom == ATOM_ADD ? "u32" : "b32", writer->registers++, at,
             step->atom == ATOM_CAS ? "0, " : "", with);
        break;
    case STEP_RED:
        line(writer, "%s%s%s.add.u32 %s, %s", when, what, how, at, with);
        break;
    case STEP_FENCE:
    case STEP_PROXY_FENCE:
    case STEP_BARRIER:
        break;
    }
}

static void put_step(struct thread_writer *writer, const struct generated_step *step,
                     uint32_t index)
{
    if (step_is_access(step))
        put_access(writer, step, index);
    else if (step->kind == STEP_FENCE)
        line(writer, "fence.%s.%s", sem_name(step->sem), scope_name(step->scope));
    else if (step->kind == STEP_PROXY_FENCE)
        line(writer, "fence.proxy.%s", proxy_name(step->proxy));
    else
        line(writer, "barrier.sync.aligned 0");
}

static void put_head(struct thread_writer *writer)
{
    const struct generated_place *place = &writer->program->place[writer->thread];
    if (writer->program->clusters)
        line(writer, "P%u@cta %u,cluster %u,gpu %u", writer->thread, place->cta, place->cluster,
             place->gpu);
    else
        line(writer, "P%u@cta %u,gpu %u", writer->thread, place->cta, place->gpu);
}

static GPtrArray *thread_lines(const struct generated_program *program, uint32_t thread)
{
    struct thread_writer writer = {g_ptr_array_new_with_free_func(g_free), program, thread, 0, 0};
    put_head(&writer);
    for (uint32_t i = 0; i < program->count[thread]; i++)
        put_step(&writer, &program->steps[thread][i], i);
    return writer.lines;
}

/* ---- the test ------------------------------------------------------------------------------- */

static void put_columns(GString *out, const struct generated_program *program)
{
    GPtrArray *lines[GENERATED_THREADS];
    size_t width[GENERATED_THREADS] = {0};
    guint rows = 0;
    for (uint32_t t = 0; t < program->threads; t++) {
        lines[t] = thread_lines(program, t);
        rows = MAX(rows, lines[t]->len);
        for (guint i = 0; i < lines[t]->len; i++)
            width[t] = MAX(width[t], strlen(lines[t]->pdata[i]));
    }
    for (guint row = 0; row < rows; row++)
        for (uint32_t t = 0; t < program->threads; t++)
            g_string_append_printf(out, " %-*s %s", (int)width[t],
                                   row < lines[t]->len ? (const char *)lines[t]->pdata[row] : "",
                                   t + 1 < program->threads ? "|" : ";\n");
    for (uint32_t t = 0; t < program->threads; t++)
        g_ptr_array_free(lines[t], TRUE);
}

/* The names that accesses go through, besides the locations'. */
static void put_aliases(GString *out, const struct generated_program *program)
{
    static const enum proxy proxies[] = {PROXY_ALIAS, PROXY_SURFACE, PROXY_TEXTURE, PROXY_CONSTANT};
    for (size_t p = 0; p < G_N_ELEMENTS(proxies); p++)
        for (uint8_t l = 0; l < program->locations; l++) {
            struct generated_step through = {.proxy = (uint8_t)proxies[p], .location = l};
            g_autofree char *name = name_of(&through);
            bool met = false;
            for (uint32_t t = 0; t < program->threads; t++)
                for (uint32_t i = 0; i < program->count[t]; i++)
                    met |= step_is_access(&program->steps[t][i]) &&
                           program->steps[t][i].proxy == proxies[p] &&
                           program->steps[t][i].location == l;
            if (met)
                g_string_append_printf(out, "  %s @ %s aliases %s;\n", name,
                                       proxies[p] == PROXY_ALIAS ? "generic"
                                                                 : proxy_name(proxies[p]),
                                       location_names[l]);
        }
}

static void put_question(GString *out, const struct generated_program *program,
                         const uint32_t *values)
{
    struct generated_observation observation;
    uint32_t registers[GENERATED_THREADS] = {0};
    generated_observe(program, &observation);
    g_string_append(out, "exists (");
    for (uint32_t k = 0, asked = 0; k < observation.count; k++) {
        struct generated_observed what = observation.at[k];
        uint32_t reg = what.thread == OBSERVED_LOCATION ? 0 : registers[what.thread]++;
        if (values[k] == OUTCOME_ANY)
            continue;
        g_string_append(out, asked++ ? " /\\ " : "");
        if (what.thread == OBSERVED_LOCATION)
            g_string_append_printf(out, "%s=%u", location_names[what.step], values[k]);
        else
            g_string_append_printf(out, "%u:r%u=%u", what.thread, reg, values[k]);
    }
    g_string_append(out, ")\n");
}

void generated_write(GString *out, const char *name, const char *comment, const char *expectation,
                     const struct generated_program *program, const uint32_t *values)
{
    g_string_append_printf(out, "PTX %s\n", name);
    if (comment)
        g_string_append_printf(out, "\"%s\"\n", comment);
    if (expectation)
        g_string_append_printf(out, "\"%s\"\n", expectation);
    g_string_append(out, "{\n");
    for (uint32_t l = 0; l < program->locations; l++)
        g_string_append_printf(out, "  u32 %s = 0;\n", location_names[l]);
    put_aliases(out, program);
    g_string_append(out, "}\n");
    put_columns(out, program);
    put_question(out, program, values);
}
