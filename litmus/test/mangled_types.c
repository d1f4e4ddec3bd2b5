/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <glib.h>
#include <string.h>

#include "litmus/base/number.h"
#include "litmus/test/mangled.h"

/* Itanium's types as far as kernels have them: builtin ones, structures, also of templates and in namespaces, pointers, to
 * functions and arrays, too, references and qualifiers, arguments of the template that the kernel is of, and what is
 * abbreviated as the same again. */

struct type_reader {
    struct arena *arena;
    const char *at;
    VEC(const char *) seen;      /* what "S_", "S0_", … stand for */
    VEC(const char *) arguments; /* of the template: "T_", "T0_", … */
};

static const char *read_type(struct type_reader *r);

static const char *remember(struct type_reader *r, const char *type)
{
    if (type)
        vec_push(r->arena, &r->seen, type);
    return type;
}

static const char *builtin(char letter)
{
    static const char *const names[] = {
        ['v'] = "void",          ['b'] = "bool",           ['c'] = "char",
        ['a'] = "signed char",   ['s'] = "short",          ['i'] = "int",
        ['h'] = "unsigned char", ['t'] = "unsigned short", ['l'] = "long",
        ['x'] = "long long",     ['j'] = "unsigned int",   ['m'] = "unsigned long",
        ['f'] = "float",         ['d'] = "double",         ['y'] = "unsigned long long"};
    return (unsigned char)letter < sizeof names / sizeof *names ? names[(unsigned char)letter]
                                                                : NULL;
}

/* "4copy". */
static const char *read_name(struct type_reader *r)
{
    uint64_t count;
    bool fits;
    r->at += *r->at == 'L';
    size_t digits = number_digits(r->at, strlen(r->at), 10, &count, &fits);
    if (!digits || !fits || strlen(r->at + digits) < count)
        return NULL;
    const char *name = arena_strndup(r->arena, r->at + digits, count);
    r->at += digits + count;
    return name;
}

/* "Li5E", "Lb1E": the value. */
static const char *read_constant(struct type_reader *r)
{
    r->at++;
    bool truth = *r->at == 'b';
    const char *type = read_type(r), *negative = type && *r->at == 'n' ? "-" : "";
    if (!type)
        return NULL;
    r->at += *negative != 0;
    size_t digits = strspn(r->at, "0123456789");
    const char *value = arena_strndup(r->arena, r->at, digits);
    r->at += digits;
    if (!digits || *r->at++ != 'E')
        return NULL;
    return truth ? *value == '1' ? "true" : "false"
                 : arena_printf(r->arena, "%s%s", negative, value);
}

/* "IiLi5EE": "<int, 5>"; those of a function are what its types refer to. */
static const char *read_arguments(struct type_reader *r, bool of_function)
{
    const char *list = "<";
    for (r->at++; *r->at && *r->at != 'E';) {
        const char *argument = *r->at == 'L' ? read_constant(r) : read_type(r);
        if (!argument)
            return NULL;
        list = arena_printf(r->arena, "%s%s%s", list, list[1] ? ", " : "", argument);
        if (of_function)
            vec_push(r->arena, &r->arguments, argument);
    }
    return *r->at++ == 'E' ? arena_printf(r->arena, "%s>", list) : NULL;
}

static const char *read_again(struct type_reader *r, const char *const *items, uint32_t count);

/* The first part of a nested name may be one that was there. */
static const char *read_part(struct type_reader *r, const char *before)
{
    const char *part;
    if (*r->at != 'S' || before)
        part = read_name(r);
    else if (*++r->at != 't')
        return read_again(r, r->seen.at, r->seen.len);
    else
        r->at++, part = "std";
    return part && before ? arena_printf(r->arena, "%s::%s", before, part) : part;
}

/* "N2ns4copyE"; 'whole': the last one is remembered, too, as that of a type is. Of a function the arguments of the last
 * template are its own: '*is_template'. */
static const char *read_nested(struct type_reader *r, bool whole, bool *is_template)
{
    const char *name = NULL;
    for (r->at++; *r->at && *r->at != 'E';) {
        bool again = *r->at == 'S', arguments = *r->at == 'I' && name;
        if (!whole)
            r->arguments.len = 0;
        const char *list = arguments ? read_arguments(r, !whole) : NULL;
        if (arguments)
            name = list ? arena_printf(r->arena, "%s%s", name, list) : NULL;
        else
            name = read_part(r, name);
        if (!name)
            return NULL;
        *is_template = arguments;
        if (!again && (whole || *r->at != 'E'))
            remember(r, name);
    }
    return name;
}

/* The item that "_", "0_", "1_", … name. */
static const char *read_again(struct type_reader *r, const char *const *items, uint32_t count)
{
    uint32_t index = 0;
    if (*r->at != '_') {
        int digit = g_ascii_isdigit(*r->at) ? *r->at - '0' : *r->at - 'A' + 10;
        if (digit < 0 || digit > 35)
            return NULL;
        index = (uint32_t)digit + 1;
        r->at++;
    }
    return *r->at++ == '_' && index < count ? items[index] : NULL;
}

/* "FiiE", "A4_i": what is returned or held, and in 'rest' what is written behind it. */
static const char *read_compound(struct type_reader *r, const char **rest)
{
    bool function = *r->at++ == 'F';
    const char *digits = r->at, *list = "(", *type = NULL;
    if (!function) {
        r->at += strspn(r->at, "0123456789");
        *rest = arena_printf(r->arena, "[%.*s]", (int)(r->at - digits), digits);
        return *r->at++ == '_' ? read_type(r) : NULL;
    }
    const char *result = read_type(r);
    for (; result && *r->at && *r->at != 'E' && (type = read_type(r));)
        list = arena_printf(r->arena, "%s%s%s", list, list[1] ? ", " : "", type);
    *rest = strcmp(list, "(void") == 0 ? "()" : arena_printf(r->arena, "%s)", list);
    return *r->at++ == 'E' ? result : NULL;
}

static const char *read_pointer_to_compound(struct type_reader *r, char mark)
{
    const char *rest, *of = read_compound(r, &rest);
    if (!of)
        return NULL;
    remember(r, arena_printf(r->arena, "%s %s", of, rest));
    return remember(r, arena_printf(r->arena, "%s (%c)%s", of, mark, rest));
}

static const char *read_pointer(struct type_reader *r, char mark)
{
    r->at++;
    if (*r->at == 'F' || *r->at == 'A')
        return read_pointer_to_compound(r, mark);
    const char *to = read_type(r);
    if (!to)
        return NULL;
    bool tight = g_str_has_suffix(to, "*");
    return remember(r, arena_printf(r->arena, "%s%s%c", to, tight ? "" : " ", mark));
}

static const char *read_qualified(struct type_reader *r)
{
    const char *words = "";
    for (; strchr("rVK", *r->at) && *r->at; r->at++)
        words = *r->at == 'K'   ? arena_printf(r->arena, "const %s", words)
                : *r->at == 'V' ? arena_printf(r->arena, "volatile %s", words)
                                : words;
    const char *type = read_type(r);
    if (!type)
        return NULL;
    return remember(r, g_str_has_suffix(type, "*")
                           ? arena_printf(r->arena, "%s %.*s", type, (int)strlen(words) - 1, words)
                           : arena_printf(r->arena, "%s%s", words, type));
}

/* Of a template the name, and what follows it. */
static const char *read_structure(struct type_reader *r, const char *name)
{
    if (!name || *r->at != 'I')
        return name;
    const char *list = read_arguments(r, false);
    return list ? remember(r, arena_printf(r->arena, "%s%s", name, list)) : NULL;
}

static const char *read_type(struct type_reader *r)
{
    const char letter = *r->at;
    if (builtin(letter)) {
        r->at++;
        return builtin(letter);
    }
    if (isdigit((unsigned char)letter))
        return read_structure(r, remember(r, read_name(r)));
    switch (letter) {
    case 'P':
        return read_pointer(r, '*');
    case 'R':
        return read_pointer(r, '&');
    case 'r':
    case 'V':
    case 'K':
        return read_qualified(r);
    case 'S':
        r->at++;
        if (*r->at == 't') {
            r->at++;
            const char *name = read_name(r);
            return name ? read_structure(r, remember(r, arena_printf(r->arena, "std::%s", name)))
                        : NULL;
        }
        return read_structure(r, read_again(r, r->seen.at, r->seen.len));
    case 'T':
        r->at++;
        return remember(r, read_again(r, r->arguments.at, r->arguments.len));
    case 'N': {
        bool is_template = false;
        const char *name = read_nested(r, true, &is_template);
        return name && *r->at++ == 'E' ? name : NULL;
    }
    default:
        return NULL;
    }
}

/* The types behind a template's arguments begin with what it returns. NULL: it is not read. */
static const char *read_function(struct type_reader *r)
{
    bool nested = r->at[0] == 'N', is_template = false;
    const char *name = nested ? read_nested(r, false, &is_template) : read_name(r);
    if (name && nested)
        return *r->at++ == 'E' && (!is_template || read_type(r)) ? name : NULL;
    if (name && *r->at == 'I') {
        remember(r, name);
        return read_arguments(r, true) && read_type(r) ? name : NULL;
    }
    return name;
}

/* "ns::copy" of "ns::copy<int>". */
static const char *without_arguments(struct arena *arena, const char *name)
{
    size_t length = strlen(name);
    unsigned depth = 0;
    if (!length || name[length - 1] != '>')
        return name;
    do {
        length--;
        depth += name[length] == '>';
        depth -= name[length] == '<';
    } while (depth && length);
    return arena_strndup(arena, name, length);
}

bool mangled_describe(struct arena *arena, const char *name, struct mangled_function *to)
{
    struct type_reader r = {.arena = arena, .at = name + 2};
    VEC(const char *) types = {0};
    const char *called = strncmp(name, "_Z", 2) == 0 ? read_function(&r) : NULL;
    if (!called)
        return false;
    if (strcmp(r.at, "v") == 0)
        r.at++;
    while (*r.at) {
        const char *type = read_type(&r);
        if (!type)
            return false;
        vec_push(arena, &types, type);
    }
    *to = (struct mangled_function){without_arguments(arena, called), r.arguments.at, types.at,
                                    r.arguments.len, types.len};
    return true;
}

bool mangled_types(struct arena *arena, const char *name, const char **types, uint32_t count)
{
    struct mangled_function function;
    if (!mangled_describe(arena, name, &function) || function.type_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        types[i] = function.types[i];
    return true;
}
