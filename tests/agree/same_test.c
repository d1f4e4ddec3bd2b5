/* SPDX-License-Identifier: MIT */
#include "tests/agree/same_test.h"

#include <string.h>

#include "litmus/test/texture.h"

/* Two tests side by side; the first difference ends the comparison. */
struct sides {
    struct arena *arena;
    const struct test *a, *b;
    uint32_t *bodies; /* of 'a': which of 'b' is the same */
    uint32_t *pairs;  /* registers of the bodies at hand: of 'a' to those of 'b', or NONE */
    const struct body *body_a, *body_b;
    const char *found;
};

static bool differ(struct sides *s, const char *what)
{
    if (!s->found)
        s->found = what;
    return false;
}

#define SAME(what, x, y)                                                                           \
    if ((x) != (y))                                                                                \
    return differ(s, what)

static bool same_names(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- which is which ------------------------------------------------------------------------- */

static void pair_bodies(struct sides *s)
{
    s->bodies = ARENA_ARRAY(s->arena, uint32_t, s->a->body_count);
    bool *taken = ARENA_ARRAY(s->arena, bool, s->b->body_count);
    for (uint32_t i = 0; i < s->a->body_count; i++)
        s->bodies[i] = NONE;
    for (uint32_t i = 0; i < s->a->column_count; i++) {
        s->bodies[s->a->columns[i].body] = s->b->columns[i].body;
        taken[s->b->columns[i].body] = true;
    }
    for (uint32_t i = 0; s->a->host && i < s->a->host->thread_count; i++) {
        s->bodies[s->a->host->threads[i].body] = s->b->host->threads[i].body;
        taken[s->b->host->threads[i].body] = true;
    }
    for (uint32_t i = 0, k = 0; i < s->a->body_count; i++)
        if (s->bodies[i] == NONE) {
            while (k < s->b->body_count && taken[k])
                k++;
            s->bodies[i] = k++;
        }
}

static bool same_body_number(const struct sides *s, uint32_t a, uint32_t b)
{
    return a == NONE || b == NONE ? a == b : s->bodies[a] == b;
}

static bool same_location(const struct sides *s, uint32_t a, uint32_t b)
{
    if (a == NONE || b == NONE)
        return a == b;
    const struct location *left = &s->a->locations[a], *right = &s->b->locations[b];
    return same_names(left->name, right->name) && same_body_number(s, left->kernel, right->kernel);
}

/* Registers with names by name; temporaries as they come. */
static bool same_register(struct sides *s, uint32_t a, uint32_t b)
{
    if (a == NONE || b == NONE)
        return a == b;
    const struct reg *left = &s->body_a->regs[a], *right = &s->body_b->regs[b];
    if (s->pairs[a] == NONE)
        s->pairs[a] = b;
    return s->pairs[a] == b && same_names(left->name, right->name) && left->type == right->type;
}

/* ---- locations ------------------------------------------------------------------------------ */

static bool initial_values(struct sides *s, const struct location *a, const struct location *b)
{
    for (uint32_t i = 0; i < a->elements && (a->init || b->init); i++) {
        struct location_init x = a->init ? a->init[i] : (struct location_init){0, NONE};
        struct location_init y = b->init ? b->init[i] : (struct location_init){0, NONE};
        if (x.value != y.value || !same_location(s, x.address_of, y.address_of))
            return differ(s, "an initial value");
    }
    return true;
}

static bool location(struct sides *s, const struct location *a, const struct location *b)
{
    SAME("a location's space", a->space, b->space);
    SAME("a location's type", a->type, b->type);
    SAME("a location's size", a->element_bytes, b->element_bytes);
    SAME("a location's elements", a->elements, b->elements);
    SAME("an alias", same_location(s, a->alias_of, b->alias_of), true);
    SAME("an alias's proxy", a->alias_proxy, b->alias_proxy);
    SAME("a texture", !a->texture, !b->texture);
    if (a->texture && memcmp(a->texture, b->texture, sizeof *a->texture) != 0)
        return differ(s, "a texture's shape");
    SAME("a location's CTA", a->cta, b->cta);
    SAME("a location's cluster", a->cluster, b->cluster);
    SAME("a location's GPU", a->gpu, b->gpu);
    SAME("a location's kind of memory", a->memory, b->memory);
    SAME("an array", a->array, b->array);
    SAME("dynamic shared memory", a->dynamic, b->dynamic);
    return initial_values(s, a, b);
}

static bool locations(struct sides *s)
{
    SAME("how many locations", s->a->location_count, s->b->location_count);
    for (uint32_t i = 0; i < s->a->location_count; i++) {
        uint32_t k = 0;
        while (k < s->b->location_count && !same_location(s, i, k))
            k++;
        if (k == s->b->location_count)
            return differ(s, arena_printf(s->arena, "location %s", s->a->locations[i].name));
        if (!location(s, &s->a->locations[i], &s->b->locations[k]))
            return false;
    }
    return true;
}

/* ---- code ----------------------------------------------------------------------------------- */

static bool operand(struct sides *s, const struct operand *a, const struct operand *b)
{
    SAME("an operand's kind", a->kind, b->kind);
    SAME("a '!'", a->negated, b->negated);
    SAME("a register", same_register(s, a->reg, b->reg), true);
    SAME("a location that is named", same_location(s, a->location, b->location), true);
    SAME("a special register", a->special, b->special);
    SAME("a number", a->value, b->value);
    SAME("a target",
         a->kind == OPERAND_FUNCTION && a->target != NONE
             ? same_body_number(s, a->target, b->target)
             : a->target == b->target,
         true);
    SAME("a parameter", a->param, b->param);
    SAME("an operand's parts", a->part_count, b->part_count);
    for (uint32_t i = 0; i < a->part_count; i++)
        if (!operand(s, &a->parts[i], &b->parts[i]))
            return false;
    return true;
}

static bool instruction(struct sides *s, const struct inst *a, const struct inst *b)
{
    SAME("an operation", a->op, b->op);
    SAME("an instruction's type", a->type, b->type);
    SAME("an instruction's source type", a->source_type, b->source_type);
    SAME("semantics", a->sem, b->sem);
    SAME("a scope", a->scope, b->scope);
    SAME("a space", a->space, b->space);
    SAME("a source's space", a->source_space, b->source_space);
    SAME("a proxy", a->proxy, b->proxy);
    SAME("an atomic operation", a->atom_op, b->atom_op);
    SAME("a comparison", a->cmp, b->cmp);
    SAME("a combination", a->bool_op, b->bool_op);
    SAME("a kind of fence", a->fence_kind, b->fence_kind);
    SAME("flags", a->flags, b->flags);
    SAME("a vector's size", a->vector, b->vector);
    SAME("'.relu'", a->relu, b->relu);
    SAME("'.satfinite'", a->satfinite, b->satfinite);
    SAME("a geometry", a->geometry, b->geometry);
    SAME("a boundary", a->boundary, b->boundary);
    SAME("a guard", same_register(s, a->guard, b->guard), true);
    SAME("a guard's '!'", a->guard_negated, b->guard_negated);
    SAME("how many operands", a->operand_count, b->operand_count);
    for (uint32_t i = 0; i < a->operand_count; i++)
        if (!operand(s, &a->operands[i], &b->operands[i]))
            return false;
    return true;
}

static bool parameters(struct sides *s, const struct param *a, const struct param *b,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        SAME("a parameter's name", same_names(a[i].name, b[i].name), true);
        SAME("a parameter's size", a[i].bytes, b[i].bytes);
        SAME("a parameter's place", a[i].offset, b[i].offset);
    }
    return true;
}

static bool register_values(struct sides *s)
{
    SAME("registers with values", s->body_a->init_count, s->body_b->init_count);
    for (uint32_t i = 0; i < s->body_a->init_count; i++) {
        const struct reg_init *a = &s->body_a->inits[i], *b = &s->body_b->inits[i];
        SAME("a register's value", a->value, b->value);
        SAME("which register has a value", same_register(s, a->reg, b->reg), true);
        SAME("an address in a register", same_location(s, a->address_of, b->address_of), true);
    }
    return true;
}

static void look_at(struct sides *s, uint32_t a)
{
    s->body_a = &s->a->bodies[a];
    s->body_b = &s->b->bodies[s->bodies[a]];
    s->pairs = ARENA_ARRAY(s->arena, uint32_t, s->body_a->reg_count);
    for (uint32_t i = 0; i < s->body_a->reg_count; i++)
        s->pairs[i] = NONE;
}

static bool body(struct sides *s, uint32_t index)
{
    look_at(s, index);
    const struct body *a = s->body_a, *b = s->body_b;
    SAME("a body's name", same_names(a->name, b->name), true);
    SAME("how many instructions", a->inst_count, b->inst_count);
    SAME("how many labels", a->label_count, b->label_count);
    SAME("how many parameters", a->param_count, b->param_count);
    SAME("how many variables", a->frame_count, b->frame_count);
    SAME("results", a->return_count, b->return_count);
    SAME("formal parameters", a->formal_count, b->formal_count);
    for (uint32_t i = 0; i < a->inst_count; i++)
        if (!instruction(s, &a->insts[i], &b->insts[i]))
            return false;
    for (uint32_t i = 0; i < a->label_count; i++)
        SAME("a label's place", a->labels[i].target, b->labels[i].target);
    return parameters(s, a->params, b->params, a->param_count) &&
           parameters(s, a->frame, b->frame, a->frame_count) && register_values(s);
}

/* ---- who runs it ---------------------------------------------------------------------------- */

static bool columns(struct sides *s)
{
    for (uint32_t i = 0; i < s->a->column_count; i++) {
        const struct column *a = &s->a->columns[i], *b = &s->b->columns[i];
        if (a->warp != b->warp || a->cta != b->cta || a->cluster != b->cluster ||
            a->gpu != b->gpu || a->lane != b->lane)
            return differ(s, "where a thread is");
    }
    return true;
}

static bool same_size(struct dim3 a, struct dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool launches(struct sides *s)
{
    for (uint32_t i = 0; i < s->a->launch_count; i++) {
        const struct launch *a = &s->a->launches[i], *b = &s->b->launches[i];
        SAME("a launch's name", same_names(a->label, b->label), true);
        SAME("a launch's kernel", same_body_number(s, a->kernel, b->kernel), true);
        SAME("a grid", same_size(a->grid, b->grid), true);
        SAME("a block", same_size(a->block, b->block), true);
        SAME("a cluster", same_size(a->cluster, b->cluster), true);
        SAME("a launch's GPU", a->gpu, b->gpu);
        SAME("cooperative", a->cooperative, b->cooperative);
        SAME("programmatic", a->programmatic, b->programmatic);
        SAME("a launch's domain", a->domain, b->domain);
        SAME("dynamic shared bytes", a->dynamic_shared_bytes, b->dynamic_shared_bytes);
        SAME("arguments", a->arg_count, b->arg_count);
        for (uint32_t k = 0; k < a->arg_count; k++)
            if (a->args[k].kind != b->args[k].kind || a->args[k].value != b->args[k].value ||
                !same_location(s, a->args[k].location, b->args[k].location))
                return differ(s, "an argument");
    }
    return true;
}

static bool same_object(const struct sides *s, uint32_t a, uint32_t b)
{
    if (a == NONE || b == NONE)
        return a == b;
    const struct host_object *left = &s->a->host->objects[a], *right = &s->b->host->objects[b];
    return left->kind == right->kind && same_names(left->name, right->name);
}

static bool same_memory(const struct sides *s, struct host_memory a, struct host_memory b)
{
    return same_location(s, a.location, b.location) && a.element == b.element;
}

static bool host_call(struct sides *s, const struct host_call *a, const struct host_call *b)
{
    SAME("a call", a->row, b->row);
    SAME("who calls", a->host, b->host);
    if (!same_object(s, a->stream, b->stream) || !same_object(s, a->event, b->event) ||
        !same_object(s, a->graph, b->graph) || !same_object(s, a->exec, b->exec) ||
        !same_object(s, a->node, b->node) || !same_object(s, a->other_node, b->other_node) ||
        !same_object(s, a->child, b->child))
        return differ(s, "an object of a call");
    SAME("memory of a call", same_memory(s, a->to, b->to) && same_memory(s, a->from, b->from),
         true);
    SAME("numbers of a call", a->value == b->value && a->bytes == b->bytes, true);
    SAME("a constant of a call", a->constant, b->constant);
    SAME("a function of a call", a->function, b->function);
    SAME("a launch of a call", a->launch, b->launch);
    SAME("a function that repeats", a->waits, b->waits);
    SAME("graphs of a node", a->body_count, b->body_count);
    for (uint32_t i = 0; i < a->body_count; i++)
        SAME("a graph of a node", same_object(s, a->bodies[i], b->bodies[i]), true);
    SAME("dependencies", a->dependency_count, b->dependency_count);
    for (uint32_t i = 0; i < a->dependency_count; i++)
        SAME("a dependency", same_object(s, a->dependencies[i], b->dependencies[i]), true);
    return true;
}

static bool host(struct sides *s)
{
    const struct host_program *a = s->a->host, *b = s->b->host;
    struct host_platform is = a->platform, was = b->platform;
    struct host_flag left[HOST_FLAGS], right[HOST_FLAGS];
    host_flags(&is, left);
    host_flags(&was, right);
    for (uint32_t i = 0; i < HOST_FLAGS; i++)
        SAME("the platform", *left[i].value, *right[i].value);
    SAME("how many calls", a->call_count, b->call_count);
    for (uint32_t i = 0; i < a->thread_count; i++)
        if (!same_names(a->threads[i].name, b->threads[i].name) ||
            a->threads[i].is_function != b->threads[i].is_function)
            return differ(s, "a host thread");
    for (uint32_t i = 0; i < a->call_count; i++)
        if (!host_call(s, &a->calls[i], &b->calls[i]))
            return false;
    return true;
}

/* ---- what is asked -------------------------------------------------------------------------- */

static uint32_t body_of(const struct test *test, const struct cond_term *term)
{
    return term->column != NONE ? test->columns[term->column].body
           : term->host != NONE ? test->host->threads[term->host].body
                                : test->launches[term->launch].kernel;
}

static bool term(struct sides *s, const struct cond_term *a, const struct cond_term *b)
{
    SAME("a term's kind", a->kind, b->kind);
    SAME("a constant", a->value, b->value);
    SAME("a thread of the question",
         a->column == b->column && a->launch == b->launch && a->host == b->host &&
             a->cta == b->cta && a->tid == b->tid,
         true);
    SAME("a location of the question", same_location(s, a->location, b->location), true);
    SAME("an element of the question", a->element, b->element);
    if (a->kind != TERM_REG)
        return true;
    look_at(s, body_of(s->a, a));
    SAME("a register of the question", same_register(s, a->reg, b->reg), true);
    return true;
}

static bool condition(struct sides *s, const struct cond *a, const struct cond *b)
{
    SAME("the question's form", a->kind, b->kind);
    SAME("the question's length", a->kid_count, b->kid_count);
    if (a->kind == COND_COMPARE) {
        SAME("a comparison of the question", a->cmp, b->cmp);
        return term(s, &a->left, &b->left) && term(s, &a->right, &b->right);
    }
    for (uint32_t i = 0; i < a->kid_count; i++)
        if (!condition(s, a->kids[i], b->kids[i]))
            return false;
    return true;
}

static bool question(struct sides *s)
{
    SAME("the quantifier", s->a->quantifier, s->b->quantifier);
    SAME("a filter", !s->a->filter, !s->b->filter);
    SAME("what is observed", s->a->observed_count, s->b->observed_count);
    for (uint32_t i = 0; i < s->a->observed_count; i++)
        if (!term(s, &s->a->observed[i], &s->b->observed[i]))
            return false;
    return condition(s, s->a->condition, s->b->condition) &&
           (!s->a->filter || condition(s, s->a->filter, s->b->filter));
}

static bool counts(struct sides *s)
{
    SAME("how many bodies", s->a->body_count, s->b->body_count);
    SAME("how many columns", s->a->column_count, s->b->column_count);
    SAME("how many launches", s->a->launch_count, s->b->launch_count);
    SAME("a host program", !s->a->host, !s->b->host);
    SAME("how many host threads", s->a->host ? s->a->host->thread_count : 0,
         s->b->host ? s->b->host->thread_count : 0);
    return true;
}

const char *test_difference(struct arena *arena, const struct test *a, const struct test *b)
{
    struct sides sides = {.arena = arena, .a = a, .b = b}, *s = &sides;
    if (!counts(s))
        return s->found;
    pair_bodies(s);
    if (!locations(s) || !columns(s) || !launches(s) || (a->host && !host(s)))
        return s->found;
    for (uint32_t i = 0; i < a->body_count; i++)
        if (!body(s, i))
            return s->found;
    question(s);
    return s->found;
}
