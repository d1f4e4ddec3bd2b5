/* SPDX-License-Identifier: MIT */
#include "litmus/rewrite/kernels.h"

#include <glib.h>
#include <string.h>

#include "litmus/edit/gap.h"
#include "litmus/edit/need.h"
#include "litmus/edit/option.h"
#include "litmus/edit/strength.h"
#include "litmus/rewrite/gap.h"
#include "litmus/rewrite/object.h"
#include "litmus/rewrite/words.h"
#include "litmus/test/code_line.h"

/* What the places of a file have in common. */
struct kernels {
    struct arena *arena;
    const struct code *code;
    const struct test *test;
    const struct source *source;
    struct need need;
    bool atomics; /* the file includes <cuda/atomic> */
    bool stronger;
    struct edit_places places;
};

enum { RANK_INCLUDE = 0 };

/* ---- headers -------------------------------------------------------------------------------- */

static bool includes_atomics(const struct source *source)
{
    g_autofree char *text = g_strndup(source->text, source->length);
    return strstr(text, "<cuda/atomic>") || strstr(text, "<cuda/std/atomic>") ||
           strstr(text, "<cuda/barrier>") || strstr(text, "<cuda/pipeline>");
}

/* Behind the last #include before any code; without one, before the first line that is no comment. */
static uint32_t place_of_include(const struct source *source)
{
    uint32_t open, at = source_skip_blanks(source, 0, source->length, &open);
    uint32_t place = source_line(source, at < source->length ? at : 0).offset;
    for (uint32_t i = 0; i < source->line_count; i++) {
        struct span line = source_line(source, source->line_starts[i]);
        const char *text = source->text + line.offset;
        if (memchr(text, '{', line.length))
            break;
        if (line.length > 8 && memcmp(text, "#include", 8) == 0)
            place = line.offset + line.length + (line.offset + line.length < source->length);
    }
    return place;
}

static void include_atomics(struct kernels *k, struct rewording *words)
{
    struct edit_piece piece = {
        {place_of_include(k->source), 0}, "#include <cuda/atomic>\n", RANK_INCLUDE, true};
    if (!k->atomics)
        vec_push(k->arena, &words->pieces, piece);
}

/* ---- what changes in the PTX ---------------------------------------------------------------- */

struct edit_list {
    VEC(struct edit) of;
};

static void change_ptx(struct kernels *k, struct edit_list *list, const struct code_inst *one,
                       const struct inst *to)
{
    struct inst as = *to;
    as.flags &= ~(uint32_t)FLAG_VOLATILE;
    struct edit edit = {.kind = EDIT_CHANGE,
                        .body = one->body,
                        .inst = one->inst,
                        .words = strength_words(k->arena, k->test, one->inst, &as)};
    vec_push(k->arena, &list->of, edit);
}

/* One word of the mnemonic: so that two edits of one instruction, its order and its scope, do not meet. */
static bool change_word(struct kernels *k, struct edit_list *list, const struct code_inst *one,
                        struct span span, const char *word)
{
    struct edit edit = {.kind = EDIT_CHANGE, .body = one->body, .inst = one->inst, .words = word};
    if (!span.length)
        return false;
    struct rewording *words = rewording_begin(k->arena, k->test->source, span);
    rewording_add(k->arena, words, span, word);
    edit.rewording = words;
    vec_push(k->arena, &list->of, edit);
    return true;
}

static void remove_ptx(struct kernels *k, struct edit_list *list, const struct code_inst *one)
{
    struct edit edit = {.kind = EDIT_REMOVE, .body = one->body, .inst = one->inst, .words = ""};
    vec_push(k->arena, &list->of, edit);
}

static void add_option(struct kernels *k, struct edit_place *place, struct inst to,
                       const struct rewording *words, const struct edit_list *list)
{
    struct edit_option option = {.inst = to, .edits = true};
    if (!words || !list->of.len)
        return;
    option.edit = (struct edit){.kind = EDIT_CHANGE,
                                .body = place->body,
                                .inst = place->inst,
                                .words = words->after,
                                .rewording = words};
    option.also = list->of.at;
    option.also_count = list->of.len;
    option_add(k->arena, place, option);
}

/* ---- accesses ------------------------------------------------------------------------------- */

static const enum sem sems[] = {SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL};
static const enum sem fences[] = {SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC};

static bool has_sem(const struct inst *inst, enum sem sem)
{
    if (sem == SEM_ACQUIRE)
        return inst->op != OP_ST && inst->op != OP_RED;
    if (sem == SEM_RELEASE)
        return inst->op != OP_LD;
    if (sem == SEM_ACQ_REL)
        return inst->op == OP_ATOM;
    return true;
}

/* C++ has no scope for a cluster, and none is offered that tells no two threads apart. */
static bool has_scope(const struct kernels *k, enum scope scope)
{
    return scope != SCOPE_NONE && scope != SCOPE_CLUSTER &&
           (!k->stronger || k->need.scopes >> scope & 1);
}

static bool is_wanted(const struct kernels *k, const struct inst *to, const struct inst *from)
{
    bool same = to->sem == from->sem && to->scope == from->scope;
    if (from->flags & FLAG_VOLATILE) /* of the widest scope, but it orders nothing */
        return k->stronger && strength_sem(to->sem, from->sem) && to->sem != from->sem;
    return !same && (k->stronger ? strength_inst(to, from) : strength_inst(from, to));
}

/* The library makes one access of seq_cst a fence and another: what fence is that? */
static const struct code_inst *fence_of(const struct kernels *k, const struct code_inst *one)
{
    for (const struct code_inst *at = one; at-- > k->code->insts.at;)
        if (at->class == 'f')
            return at->body == one->body && at->line == one->line && at->site != NONE &&
                           k->code->sites.at[at->site].site.kind == SITE_METHOD
                       ? at
                       : NULL;
        else if (at->class != 'o')
            return NULL;
    return NULL;
}

/* The words that make an atomic_ref of a plain or volatile object; false: its type is not known. */
static bool describe(struct kernels *k, const struct site *site, struct site_wish *wish)
{
    bool is_volatile;
    wish->prefix = "cuda::";
    if (site->kind == SITE_METHOD)
        return true;
    wish->type = object_type(k->arena, site, &is_volatile);
    if (!wish->type)
        return false;
    const struct cpp_expr *object = site->kind == SITE_LOAD     ? site->expr
                                    : site->kind == SITE_LEGACY ? NULL
                                                                : site->expr->kids[0];
    bool cast = object && object->kind == CPP_UNARY && object->kids[0]->kind == CPP_CAST;
    if (is_volatile && cast) {
        const struct cpp_expr *inner = object->kids[0];
        uint32_t to = inner->kids[0]->span.offset;
        wish->cast = (struct span){inner->span.offset, to - inner->span.offset};
        wish->as = object_is_of_type(k->arena, k->source, inner->kids[0], wish->type)
                       ? ""
                       : arena_printf(k->arena, "(%s *)", wish->type);
    } else if (is_volatile) {
        wish->open = arena_printf(k->arena, "const_cast<%s &>(", wish->type);
        wish->close = ")";
    }
    return true;
}

static bool is_of(const struct code_inst *one, uint32_t site)
{
    return one->site == site;
}

/* Every instruction of the site with the order and scope; of a method the order alone. */
static struct edit_list changed(struct kernels *k, uint32_t site, const struct inst *to)
{
    struct edit_list list = {{0}};
    bool method = k->code->sites.at[site].site.kind == SITE_METHOD;
    for (uint32_t i = 0; i < k->code->insts.len; i++) {
        const struct code_inst *one = &k->code->insts.at[i];
        struct inst as = *one->inst;
        if (!is_of(one, site) || one->class == 'f')
            continue;
        as.sem = to->sem;
        as.scope = to->scope;
        if (!method || to->sem == SEM_WEAK) {
            change_ptx(k, &list, one, &as);
            continue;
        }
        if (!change_word(k, &list, one, strength_sem_span(k->test, one->inst), sem_name(to->sem)))
            return (struct edit_list){{0}};
        if (fence_of(k, one))
            remove_ptx(k, &list, fence_of(k, one));
    }
    return list;
}

static const char *text_of(struct kernels *k, struct span span)
{
    return arena_strndup(k->arena, k->test->source->text + span.offset, span.length);
}

/* "x += 1": the load, a sum and the store become one atomic addition. Empty: that is not what stands there. */
static struct edit_list added(struct kernels *k, uint32_t site, const struct inst *to)
{
    struct edit_list list = {{0}};
    for (uint32_t i = 0; i < k->code->insts.len; i++) {
        const struct code_inst *one = &k->code->insts.at[i];
        const struct inst *sum = one->inst + 1;
        if (one->unit != k->code->sites.at[site].unit)
            continue;
        if (one->class == 's') {
            remove_ptx(k, &list, one);
            continue;
        }
        bool adds = one->class == 'l' && sum < one->body->insts + one->body->inst_count &&
                    sum->op == OP_ADD && sum->operands[1].kind == OPERAND_REG &&
                    sum->operands[1].reg == one->inst->operands[0].reg;
        if (!adds || !change_word(k, &list, one, strength_words_span(k->test, one->inst),
                                  arena_printf(k->arena, "atom.relaxed.%s.add.%s %s, %s, %s",
                                               scope_name(to->scope), type_name(sum->type),
                                               text_of(k, one->inst->operands[0].span),
                                               text_of(k, one->inst->operands[1].span),
                                               text_of(k, sum->operands[2].span))))
            return (struct edit_list){{0}};
    }
    return list.of.len == 2 ? list : (struct edit_list){{0}};
}

/* An update that loses others becomes an atomic one. */
static void add_updates(struct kernels *k, struct edit_place *place, uint32_t index)
{
    const struct site *site = &k->code->sites.at[index].site;
    for (int scope = SCOPE_CTA; scope < SCOPE_COUNT; scope++) {
        struct inst to = {.op = OP_ATOM, .sem = SEM_RELAXED, .scope = (enum scope)scope};
        struct site_wish wish = {.sem = to.sem, .scope = to.scope};
        if (!has_scope(k, to.scope) || !describe(k, site, &wish))
            continue;
        struct edit_list list = added(k, index, &to);
        struct rewording *words = site_write(k->arena, site, &wish);
        if (words && list.of.len) {
            include_atomics(k, words);
            add_option(k, place, to, words, &list);
        }
    }
}

static void add_access(struct kernels *k, struct edit_place *place, uint32_t index, struct inst to)
{
    const struct site *site = &k->code->sites.at[index].site;
    struct site_wish wish = {.sem = to.sem, .scope = to.scope};
    struct edit_list list = changed(k, index, &to);
    struct rewording *words;
    if (to.sem == SEM_WEAK)
        words = site_plain(k->arena, site);
    else
        words = describe(k, site, &wish) ? site_write(k->arena, site, &wish) : NULL;
    if (words && to.sem != SEM_WEAK && site->kind != SITE_METHOD)
        include_atomics(k, words);
    to.flags &= ~(uint32_t)FLAG_VOLATILE;
    add_option(k, place, to, words, &list);
}

/* 'from': what the words say, of seq_cst more than the one access. */
static void add_orders(struct kernels *k, struct edit_place *place, uint32_t index,
                       const struct inst *from)
{
    bool method = k->code->sites.at[index].site.kind == SITE_METHOD;
    bool legacy = k->code->sites.at[index].site.kind == SITE_LEGACY;
    for (size_t i = 0; i < G_N_ELEMENTS(sems); i++)
        for (int scope = SCOPE_NONE; scope < SCOPE_COUNT; scope++) {
            struct inst to = *from;
            to.sem = sems[i];
            to.scope = (enum scope)scope;
            bool weak = to.sem == SEM_WEAK;
            bool fits = weak     ? scope == SCOPE_NONE && method
                        : method ? to.scope == from->scope
                                 : has_scope(k, to.scope) || to.scope == from->scope;
            bool named = legacy && to.sem == from->sem; /* its name has the scope */
            if (fits && !named && has_sem(from, to.sem) && is_wanted(k, &to, from))
                add_access(k, place, index, to);
        }
}

/* "atomicAdd_system": a name for each scope. */
static void add_legacy_scopes(struct kernels *k, struct edit_place *place, uint32_t index)
{
    for (int scope = SCOPE_CTA; scope < SCOPE_COUNT; scope++) {
        struct inst to = *place->inst;
        to.scope = (enum scope)scope;
        struct edit_list list = changed(k, index, &to);
        if (has_scope(k, to.scope) && is_wanted(k, &to, place->inst))
            add_option(k, place, to, site_scope(k->arena, &k->code->sites.at[index].site, to.scope),
                       &list);
    }
}

/* The first access of the site; NULL: no instruction comes from it. */
static const struct code_inst *access_of(const struct kernels *k, uint32_t site)
{
    for (uint32_t i = 0; i < k->code->insts.len; i++)
        if (k->code->insts.at[i].site == site && strchr("lsa", k->code->insts.at[i].class))
            return &k->code->insts.at[i];
    return NULL;
}

static struct edit_place open_place(const struct code_inst *one)
{
    return (struct edit_place){.body = one->body, .inst = one->inst};
}

/* Option 0 of what is to be stronger, the last of what is to be weaker, leaves it as it is. */
static void leave_as_is(struct kernels *k, struct edit_place *place)
{
    if (k->stronger)
        option_add(k->arena, place, (struct edit_option){.inst = *place->inst});
}

static void close_as(struct kernels *k, struct edit_place *place, const struct inst *from)
{
    if (!k->stronger)
        option_add(k->arena, place, (struct edit_option){.inst = *from});
    edit_places_add(k->arena, &k->places, *place);
}

static void close_place(struct kernels *k, struct edit_place *place)
{
    close_as(k, place, place->inst);
}

static void see_access(struct kernels *k, uint32_t index)
{
    const struct code_site *site = &k->code->sites.at[index];
    const struct code_inst *one = site->written ? access_of(k, index) : NULL;
    bool plain = site->site.kind == SITE_LOAD || site->site.kind == SITE_STORE;
    bool updates = site->site.kind == SITE_UPDATE && site->class == 'l';
    bool atomic = site->site.kind == SITE_METHOD || site->site.kind == SITE_LEGACY;
    bool adjustable = plain || updates ? k->stronger : atomic;
    if (!one || !adjustable || one->inst->proxy != PROXY_GENERIC)
        return;
    struct edit_place place = open_place(one);
    struct inst from = *one->inst;
    if (fence_of(k, one)) /* what the words say, not the access behind the fence */
        from.sem = SEM_SC;
    leave_as_is(k, &place);
    if (from.sem == SEM_SC && k->stronger)
        return;
    if (updates)
        add_updates(k, &place, index);
    else
        add_orders(k, &place, index, &from);
    if (site->site.kind == SITE_LEGACY)
        add_legacy_scopes(k, &place, index);
    close_as(k, &place, &from);
}

/* ---- scopes of objects ---------------------------------------------------------------------- */

static bool same_span(struct span a, struct span b)
{
    return a.offset == b.offset && a.length == b.length;
}

static bool says_scope(const struct kernels *k, struct span span)
{
    g_autofree char *text = g_strndup(k->source->text + span.offset, span.length);
    return !span.length || strstr(text, "thread_scope");
}

/* "cuda::thread_scope_block" on the line: the argument of a template. */
static struct span scope_on_line(const struct kernels *k, uint32_t line)
{
    static const char word[] = "thread_scope";
    struct span text = source_line(k->source, k->source->line_starts[line - 1]);
    const char *from = k->source->text + text.offset;
    const char *found = g_strstr_len(from, text.length, word), *end = found;
    while (found && found > from && (g_ascii_isalnum(found[-1]) || strchr("_:", found[-1])))
        found--;
    while (end && end < from + text.length && (g_ascii_isalnum(*end) || strchr("_:", *end)))
        end++;
    return found ? (struct span){(uint32_t)(found - k->source->text), (uint32_t)(end - found)}
                 : (struct span){0, 0};
}

/* Where the function that the site is in was inlined: the scope is a parameter of its template. */
static struct span scope_of_caller(const struct kernels *k, uint32_t site)
{
    const struct code_inst *one = access_of(k, site);
    const struct code_line *line = one ? test_code_line(k->test, one->inst->span.offset) : NULL;
    struct span span = {0, 0};
    for (; line && !span.length; line = code_line_caller(k->test, line)) {
        const struct code_line *caller = code_line_caller(k->test, line);
        bool own = caller && caller->file != NONE && k->test->code_files[caller->file] &&
                   strcmp(k->test->code_files[caller->file], k->code->file) == 0;
        if (own && caller->line != one->line && caller->line <= k->source->line_count)
            span = scope_on_line(k, caller->line);
    }
    return span;
}

/* Where the scope of a method's object is written; of what is no method {0, 0}. */
static struct span scope_of(const struct kernels *k, uint32_t site)
{
    const struct code_site *one = &k->code->sites.at[site];
    if (!one->written || one->site.kind != SITE_METHOD)
        return (struct span){0, 0};
    struct span span = object_scope(k->arena, &one->site);
    return span.offset && !says_scope(k, span) ? scope_of_caller(k, site) : span;
}

static struct rewording *write_scope(struct kernels *k, struct span span, enum scope scope)
{
    struct rewording *words = rewording_begin(k->arena, k->source, span);
    const char *like = arena_strndup(k->arena, k->source->text + span.offset, span.length);
    rewording_add(k->arena, words, span,
                  span.length
                      ? words_scope_like(k->arena, like, scope)
                      : arena_printf(k->arena, ", %s", words_scope(k->arena, "cuda::", scope)));
    rewording_name(k->arena, words, span);
    return words;
}

/* The scope word of each instruction whose object has its scope from there. */
static struct edit_list rescoped(struct kernels *k, struct span span, enum scope scope)
{
    struct edit_list list = {{0}};
    for (uint32_t i = 0; i < k->code->insts.len; i++) {
        const struct code_inst *one = &k->code->insts.at[i];
        if (one->site == NONE || !same_span(scope_of(k, one->site), span))
            continue;
        if (!change_word(k, &list, one, strength_scope_span(k->test, one->inst), scope_name(scope)))
            return (struct edit_list){{0}};
    }
    return list;
}

static void see_scope(struct kernels *k, uint32_t index)
{
    struct span span = scope_of(k, index);
    const struct code_inst *one = access_of(k, index);
    bool known = !span.offset || !one;
    for (uint32_t i = 0; i < index; i++)
        known |= same_span(scope_of(k, i), span);
    if (known)
        return;
    struct edit_place place = open_place(one);
    leave_as_is(k, &place);
    for (int scope = SCOPE_CTA; scope < SCOPE_COUNT; scope++) {
        struct inst to = *one->inst;
        to.scope = (enum scope)scope;
        struct edit_list list = rescoped(k, span, to.scope);
        if (has_scope(k, to.scope) && is_wanted(k, &to, one->inst))
            add_option(k, &place, to, write_scope(k, span, to.scope), &list);
    }
    close_place(k, &place);
}

/* ---- statements that are there for the order ------------------------------------------------ */

/* Can the fence be written so in this file? */
static bool is_spelled(const struct kernels *k, enum sem sem, enum scope scope)
{
    return scope != SCOPE_CLUSTER && (sem == SEM_SC || k->atomics);
}

static void add_fence_forms(struct kernels *k, struct edit_place *place, uint32_t index)
{
    const struct site *site = &k->code->sites.at[index].site;
    for (size_t i = 0; i < G_N_ELEMENTS(fences); i++)
        for (int scope = SCOPE_CTA; scope < SCOPE_COUNT; scope++) {
            struct inst to = *place->inst;
            struct edit_list list = {{0}};
            to.sem = fences[i];
            to.scope = (enum scope)scope;
            if (!has_scope(k, to.scope) || !is_spelled(k, to.sem, to.scope) ||
                !is_wanted(k, &to, place->inst))
                continue;
            for (uint32_t n = 0; n < k->code->insts.len; n++)
                if (is_of(&k->code->insts.at[n], index))
                    change_ptx(k, &list, &k->code->insts.at[n], &to);
            const char *words = words_fence(k->arena, "cuda::", to.sem, to.scope);
            add_option(k, place, to, site_replace(k->arena, site, words), &list);
        }
}

/* Does the unit consist of fences and barriers, so that it may be left out? */
static bool is_for_order(struct kernels *k, uint32_t unit, struct edit_list *list)
{
    const struct statement *statement =
        &k->code->statements.items.at[k->code->units.at[unit].statement];
    *list = (struct edit_list){{0}};
    for (uint32_t i = 0; i < k->code->insts.len; i++) {
        const struct code_inst *one = &k->code->insts.at[i];
        if (one->unit != unit)
            continue;
        if (!strchr("fb", one->class))
            return false;
        remove_ptx(k, list, one);
    }
    return list->of.len && !statement->head;
}

static void add_removal(struct kernels *k, struct edit_place *place, uint32_t unit,
                        const struct edit_list *list)
{
    struct inst none = {.op = OP_COUNT};
    const struct statement *statement =
        &k->code->statements.items.at[k->code->units.at[unit].statement];
    add_option(k, place, none, gap_remove(k->arena, k->source, statement), list);
}

/* The one site of a unit, or NONE. */
static uint32_t site_of_unit(const struct kernels *k, uint32_t unit)
{
    uint32_t found = NONE;
    for (uint32_t i = 0; i < k->code->sites.len; i++)
        if (k->code->sites.at[i].unit == unit) {
            if (found != NONE)
                return NONE;
            found = i;
        }
    return found;
}

static const struct code_inst *first_inst(const struct kernels *k, uint32_t unit)
{
    for (uint32_t i = 0; i < k->code->insts.len; i++)
        if (k->code->insts.at[i].unit == unit)
            return &k->code->insts.at[i];
    return NULL;
}

static void see_statement(struct kernels *k, uint32_t unit)
{
    struct edit_list removal;
    const struct code_inst *one = first_inst(k, unit);
    uint32_t site = site_of_unit(k, unit);
    if (!one || !is_for_order(k, unit, &removal))
        return;
    struct edit_place place = open_place(one);
    bool forms = site != NONE && k->code->sites.at[site].site.kind == SITE_FENCE &&
                 one->inst->fence_kind == FENCE_MEMORY && one->site == site;
    leave_as_is(k, &place);
    if (!k->stronger)
        add_removal(k, &place, unit, &removal);
    if (forms)
        add_fence_forms(k, &place, site);
    close_place(k, &place);
}

/* ---- gaps ----------------------------------------------------------------------------------- */

/* Where new PTX stands for a new statement: beside these instructions. */
struct anchor {
    const struct code_inst *inst;
    enum edit_kind side;
};
struct anchors {
    VEC(struct anchor) of;
};

static bool is_in(const struct kernels *k, const struct code_inst *one,
                  const struct statement *statement)
{
    if (one->unit == NONE)
        return false;
    struct span span = k->code->units.at[one->unit].span;
    return span.offset - statement->span.offset < statement->span.length;
}

/* Is it the statement's own, of its head where it has one? */
static bool is_own(const struct kernels *k, const struct code_inst *one,
                   const struct statement *statement)
{
    return one->unit != NONE &&
           &k->code->statements.items.at[k->code->units.at[one->unit].statement] == statement;
}

static bool is_simple(const struct kernels *k, const struct statement *statement)
{
    return !statement->head && k->source->text[statement->span.offset] != '{' &&
           strncmp(k->source->text + statement->span.offset, "do", 2) != 0;
}

/* Each run of instructions of the statement: its first, or its last. */
static struct anchors runs(struct kernels *k, const struct statement *statement,
                           enum edit_kind side)
{
    struct anchors anchors = {{0}};
    uint32_t count = k->code->insts.len;
    for (uint32_t i = 0; i < count; i++) {
        const struct code_inst *one = &k->code->insts.at[i];
        uint32_t other = side == EDIT_BEFORE ? i - 1 : i + 1;
        bool same = other < count && k->code->insts.at[other].body == one->body &&
                    is_own(k, &k->code->insts.at[other], statement);
        struct anchor anchor = {one, side};
        if (is_own(k, one, statement) && !same)
            vec_push(k->arena, &anchors.of, anchor);
    }
    return anchors;
}

/* Is it compiled to a loop or branches, as a call that waits is, so that there are ways past its last instruction? */
static bool has_branches(struct kernels *k, const struct statement *statement)
{
    struct anchors first = runs(k, statement, EDIT_BEFORE), last = runs(k, statement, EDIT_AFTER);
    for (uint32_t i = 0; i < first.of.len && i < last.of.len; i++) {
        const struct inst *end = last.of.at[i].inst->inst;
        for (const struct inst *at = first.of.at[i].inst->inst; at < end; at++)
            if (op_group(at->op) == GROUP_CONTROL)
                return true;
    }
    return false;
}

static struct anchors anchors_of(struct kernels *k, const struct statement_gap *gap)
{
    bool simple = gap->before && is_simple(k, gap->before);
    if (simple && !(gap->after && has_branches(k, gap->before)))
        return runs(k, gap->before, EDIT_AFTER);
    return gap->after ? runs(k, gap->after, EDIT_BEFORE) : (struct anchors){{0}};
}

/* "bar.sync 0", however it is laid out. */
static bool is_barrier_0(const char *words)
{
    static const char *const rows[] = {"bar.sync", "barrier.sync", "barrier.sync.aligned"};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        size_t length = strlen(rows[i]);
        const char *number = words + length + strspn(words + length, " \t");
        if (strncmp(words, rows[i], length) == 0 && strcmp(number, "0") == 0)
            return true;
    }
    return false;
}

static bool has_words(const struct edit_place *place, const char *words)
{
    for (uint32_t i = 1; i < place->options.len; i++)
        if (strcmp(place->options.at[i].edit.rewording->after, words) == 0)
            return true;
    return false;
}

/* The statement that is compiled to the new instruction; NULL: CUDA has none, or this file has no words for it. */
static const char *cuda_words(struct kernels *k, const struct edit_option *option)
{
    const struct inst *inst = &option->inst;
    bool memory = inst->op == OP_FENCE && inst->fence_kind == FENCE_MEMORY;
    if (memory && inst->scope != SCOPE_CLUSTER)
        return is_spelled(k, inst->sem, inst->scope)
                   ? words_fence(k->arena, "cuda::", inst->sem, inst->scope)
                   : NULL;
    if (inst->op == OP_BAR_SYNC && is_barrier_0(option->edit.words))
        return "__syncthreads()";
    if (inst->op == OP_BAR_WARP_SYNC)
        return "__syncwarp()";
    if (strpbrk(option->edit.words, "[%{}") || strstr(option->edit.words, ":\n"))
        return NULL;
    char **lines = g_strsplit(option->edit.words, "\n", -1);
    g_autofree char *words = g_strjoinv("; ", lines);
    g_strfreev(lines);
    return arena_printf(k->arena, "asm volatile(\"%s;\" ::: \"memory\")", words);
}

static struct edit_list inserted(struct kernels *k, const struct anchors *anchors,
                                 const struct edit_option *option)
{
    struct edit_list list = {{0}};
    for (uint32_t i = 0; i < anchors->of.len; i++) {
        const struct anchor *anchor = &anchors->of.at[i];
        struct edit edit = {anchor->side,       anchor->inst->body, anchor->inst->inst,
                            option->edit.words, option->edit.rank,  NULL};
        vec_push(k->arena, &list.of, edit);
    }
    return list;
}

/* A place of PTX beside the first anchor, in the words of CUDA. */
static void translate(struct kernels *k, const struct statement_gap *gap,
                      const struct anchors *anchors, const struct edit_place *from)
{
    struct edit_place place = {
        .body = from->body, .inst = from->inst, .gap = true, .shy = from->shy};
    option_add(k->arena, &place, from->options.at[0]);
    for (uint32_t i = 1; i < from->options.len; i++) {
        const struct edit_option *option = &from->options.at[i];
        const char *words = cuda_words(k, option);
        if (!words || has_words(&place, words))
            continue;
        struct edit_list list = inserted(k, anchors, option);
        add_option(k, &place, option->inst,
                   gap_write(k->arena, k->source, gap, words, option->edit.rank), &list);
        if (place.options.len > 1) /* by which options are compared */
            place.options.at[place.options.len - 1].edit.words = option->edit.words;
    }
    edit_places_add(k->arena, &k->places, place);
}

static void see_gap(struct kernels *k, const struct statement_gap *gap)
{
    struct anchors anchors = anchors_of(k, gap);
    if (!anchors.of.len)
        return;
    const struct anchor *first = &anchors.of.at[0];
    const struct body *body = first->inst->body;
    struct edit_places places =
        gap_beside(k->arena, k->test, &k->need, body, (uint32_t)(first->inst->inst - body->insts),
                   first->side);
    for (uint32_t i = 0; i < places.items.len; i++)
        translate(k, gap, &anchors, &places.items.at[i]);
}

static void see_gaps(struct kernels *k)
{
    struct statements statements = k->code->statements;
    for (uint32_t i = 0; i < statements.items.len; i++)
        for (uint32_t n = 0; n < k->code->insts.len; n++)
            if (is_in(k, &k->code->insts.at[n], &statements.items.at[i]))
                statements.items.at[i].ordered = true;
    struct statement_gaps gaps = statement_gaps(k->arena, &statements);
    for (uint32_t i = 0; i < gaps.items.len; i++)
        see_gap(k, &gaps.items.at[i]);
}

/* ---- all ------------------------------------------------------------------------------------ */

static struct kernels begin(const struct code *code, bool stronger)
{
    return (struct kernels){.arena = code->arena,
                            .code = code,
                            .test = code->test,
                            .source = code->source,
                            .need = need_of(code->arena, code->test),
                            .atomics = includes_atomics(code->source),
                            .stronger = stronger};
}

static struct edit_places see_all(const struct code *code, bool stronger)
{
    struct kernels k = begin(code, stronger);
    for (uint32_t i = 0; i < code->sites.len; i++) {
        see_access(&k, i);
        see_scope(&k, i);
    }
    for (uint32_t i = 0; i < code->units.len; i++)
        see_statement(&k, i);
    if (stronger)
        see_gaps(&k);
    return k.places;
}

struct edit_places kernels_stronger(const struct code *code)
{
    return see_all(code, true);
}

struct edit_places kernels_weaker(const struct code *code)
{
    return see_all(code, false);
}

struct edit_places kernels_fewer(const struct code *code)
{
    struct kernels k = begin(code, true);
    for (uint32_t i = 0; i < code->units.len; i++) {
        struct edit_list list;
        const struct code_inst *one = first_inst(&k, i);
        if (!one || one->class != 'b' || !is_for_order(&k, i, &list))
            continue;
        struct edit_place place = open_place(one);
        place.shy = true;
        leave_as_is(&k, &place);
        add_removal(&k, &place, i, &list);
        close_place(&k, &place);
    }
    return k.places;
}
