/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/base/number.h"
#include "litmus/host/eval.h"
#include "litmus/parse/launch.h"
#include "litmus/test/mangled.h"

/* Which kernel a launch is of, where several have the name in C++: instances of a template, overloads, kernels of several
 * namespaces. What certainly differs is left out; of what is left one must be alone, or alone be without a conversion. */

enum match { DIFFERS, MAY_MATCH, SAME };

static enum match least(enum match a, enum match b)
{
    return a < b ? a : b;
}

/* ---- types ---------------------------------------------------------------------------------- */

/* TYPE_NONE: it is no number. char is signed here, and "long" what "long long" is. */
static enum type number_named(const char *text)
{
    static const struct {
        const char *text;
        enum type type;
    } rows[] = {{"char", TYPE_S8},
                {"signed char", TYPE_S8},
                {"short", TYPE_S16},
                {"int", TYPE_S32},
                {"unsigned char", TYPE_U8},
                {"unsigned short", TYPE_U16},
                {"long", TYPE_S64},
                {"long long", TYPE_S64},
                {"unsigned int", TYPE_U32},
                {"unsigned long", TYPE_U64},
                {"float", TYPE_F32},
                {"double", TYPE_F64},
                {"unsigned long long", TYPE_U64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(text, rows[i].text) == 0)
            return rows[i].type;
    return TYPE_NONE;
}

static enum match match_number(const struct code_shape *shape, const char *text)
{
    enum type type = number_named(text);
    bool truth = strcmp(text, "bool") == 0;
    if (shape->kind == SHAPE_STRUCT)
        return type != TYPE_NONE || truth ? DIFFERS : MAY_MATCH;
    if (shape->kind != SHAPE_NUMBER || (type == TYPE_NONE && !truth))
        return MAY_MATCH;
    if (shape->type == TYPE_U8 && (truth || type == TYPE_U8)) /* a value does not say which it is */
        return shape->is_bool == truth && shape->is_bool ? SAME : MAY_MATCH;
    return !truth && shape->type == type ? SAME : DIFFERS;
}

/* "ns::Add" and "Add". */
static enum match match_class(const struct code_shape *shape, const char *text)
{
    const char *last = g_strrstr(text, "::"), *word = shape->word;
    const char *of = word ? g_strrstr(word, "::") : NULL;
    if (!word || strchr(text, '<') || shape->bound_count)
        return MAY_MATCH;
    last = last ? last + 2 : text;
    of = of ? of + 2 : word;
    return strcmp(last, of) != 0 ? DIFFERS : SAME;
}

/* Is the type the one that the name in PTX has? */
static enum match match_type(struct eval *e, const struct code_shape *shape, const char *text)
{
    size_t length = strlen(text);
    if (!shape || shape->kind == SHAPE_AUTO || shape->is_unknown)
        return MAY_MATCH;
    while (g_str_has_prefix(text, "const ") || g_str_has_prefix(text, "volatile ")) {
        const char *rest = strchr(text, ' ') + 1;
        length -= (size_t)(rest - text);
        text = rest;
    }
    if (!length || text[length - 1] != '*') {
        bool points = shape->kind == SHAPE_POINTER || shape->kind == SHAPE_ARRAY;
        if (points)
            return number_named(text) == TYPE_NONE ? MAY_MATCH : DIFFERS;
        return shape->kind == SHAPE_STRUCT && number_named(text) == TYPE_NONE
                   ? match_class(shape, text)
                   : match_number(shape, text);
    }
    if (shape->kind != SHAPE_POINTER && shape->kind != SHAPE_ARRAY)
        return MAY_MATCH; /* null, or a class that becomes a pointer */
    const char *to = g_strchomp(arena_strndup(e->arena, text, length - 1));
    return strcmp(to, "void") == 0 ? MAY_MATCH : match_type(e, shape->of, to);
}

/* An argument of a call may be converted to what is no pointer, and to a base of its class. */
static enum match match_argument(struct eval *e, const struct code_shape *shape, const char *text)
{
    const struct code_shape *of = shape;
    while (of && (of->kind == SHAPE_POINTER || of->kind == SHAPE_ARRAY))
        of = of->of;
    enum match match = match_type(e, shape, text);
    bool converts = of == shape || (of && of->kind == SHAPE_STRUCT);
    return match == DIFFERS && converts ? MAY_MATCH : match;
}

/* ---- arguments of a template ---------------------------------------------------------------- */

static bool is_number_text(const char *text)
{
    return g_ascii_isdigit(*text) || *text == '-' || strcmp(text, "true") == 0 ||
           strcmp(text, "false") == 0;
}

/* "5", "-1", "true" as the name in PTX has it. */
static uint64_t number_of(const char *text)
{
    uint64_t number;
    bool fits, negative = *text == '-';
    text += negative;
    if (!number_digits(text, strlen(text), 10, &number, &fits))
        return strcmp(text, "true") == 0;
    return negative ? 0 - number : number;
}

static bool match_given(struct eval *e, const struct cpp_argument *given, const char *text,
                        enum match *match)
{
    uint64_t number;
    if (!is_number_text(text)) {
        const struct code_shape *shape = given->type ? eval_shape(e, given->type) : NULL;
        *match = given->type ? match_type(e, shape, text) : DIFFERS;
        return !given->type || shape;
    }
    if (!eval_number_of_argument(e, given, "an argument of a template", &number))
        return false;
    *match = number == number_of(text) ? SAME : DIFFERS;
    return true;
}

/* "ns::copy", or "copy" in the code of that namespace, which hides what is outside of it. */
static enum match match_region(struct eval *e, const struct cpp_name *name, const char *kernel)
{
    const struct cpp_part *last = cpp_last_part(name);
    const char *region = e->frame.function ? e->frame.function->region : NULL;
    region = name->part_count > 1 ? last[-1].word : name->global ? NULL : region;
    if (!region)
        return strcmp(kernel, last->word) == 0 ? SAME : MAY_MATCH;
    const char *end = arena_printf(e->arena, "%s::%s", region, last->word);
    return g_str_has_suffix(kernel, end) ? SAME : MAY_MATCH;
}

/* "ns::copy<int, 4>": false after a report. */
static bool match_name(struct eval *e, const struct cpp_name *name,
                       const struct mangled_function *kernel, enum match *match)
{
    const struct cpp_part *last = cpp_last_part(name);
    *match = last->argument_count > kernel->argument_count ? DIFFERS
                                                           : match_region(e, name, kernel->name);
    for (uint32_t i = 0; i < last->argument_count && *match != DIFFERS; i++) {
        enum match one;
        if (!match_given(e, &last->arguments[i], kernel->arguments[i], &one))
            return false;
        *match = least(*match, one);
    }
    return true;
}

/* ---- the choice ----------------------------------------------------------------------------- */

static bool match_kernel(struct eval *e, const struct kernel_use *use, uint32_t kernel,
                         enum match *match)
{
    struct mangled_function is;
    *match = SAME; /* a name that is not read may be of the very one */
    if (!mangled_describe(e->arena, e->p->raws.at[kernel].name, &is))
        return true;
    if (use->written && !match_name(e, use->written, &is, match))
        return false;
    if (use->has_arguments && use->count != is.type_count)
        *match = DIFFERS;
    for (uint32_t i = 0; i < use->count && *match != DIFFERS; i++)
        *match = least(*match, match_argument(e, use->shapes[i], is.types[i]));
    return true;
}

/* Of "apply" in "ns::apply<int>": that is all that a kernel is found by. */
static const char *called(const struct eval *e, const struct kernel_use *use)
{
    return use->written ? cpp_last_part(use->written)->word : eval_text(e, use->name);
}

static bool is_ambiguous(struct eval *e, const struct kernel_use *use, uint32_t count)
{
    eval_error(e, unknown_kernel, use->name,
               "give the kernels names of their own, or write the arguments of the template",
               "which of %u kernels '%.60s' is, is not known", count, called(e, use));
    return false;
}

bool eval_choose_kernel(struct eval *e, const struct kernel_use *use, uint32_t *kernel)
{
    uint32_t matches, count[SAME + 1] = {0}, last[SAME + 1] = {NONE, NONE, NONE};
    const char *text = called(e, use);
    *kernel = parse_find_kernel(e->p, text, &matches);
    if (matches < 2)
        return true;
    for (uint32_t i = 0; i < e->p->raws.len; i++) {
        enum match match;
        if (!parse_is_kernel_called(e->p, i, text))
            continue;
        if (!match_kernel(e, use, i, &match))
            return false;
        count[match]++;
        last[match] = i;
    }
    if (count[SAME] == 1)
        *kernel = last[SAME];
    else if (!count[SAME] && count[MAY_MATCH] == 1)
        *kernel = last[MAY_MATCH];
    else
        return is_ambiguous(e, use, matches);
    return true;
}
