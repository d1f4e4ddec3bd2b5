/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <glib.h>
#include <string.h>

#include "litmus/base/number.h"
#include "litmus/test/mangled.h"

/* Itanium's types as far as kernels have them: builtin ones, structures, pointers, references and
 * qualifiers, arguments of the template that the kernel is of, and what is abbreviated as the same again. */

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

/* "N2ns4copyE"; 'whole': the last one is remembered, too, as that of a type is. */
static const char *read_nested(struct type_reader *r, bool whole)
{
    const char *name = NULL;
    for (r->at++; *r->at && *r->at != 'E' && *r->at != 'I';) {
        const char *part = read_name(r);
        if (!part)
            return NULL;
        name = name ? arena_printf(r->arena, "%s::%s", name, part) : part;
        if (whole || isdigit((unsigned char)*r->at))
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

static const char *read_pointer(struct type_reader *r, char mark)
{
    r->at++;
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

static const char *read_type(struct type_reader *r)
{
    const char letter = *r->at;
    if (builtin(letter)) {
        r->at++;
        return builtin(letter);
    }
    if (isdigit((unsigned char)letter))
        return remember(r, read_name(r));
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
        return read_again(r, r->seen.at, r->seen.len);
    case 'T':
        r->at++;
        return remember(r, read_again(r, r->arguments.at, r->arguments.len));
    case 'N': {
        const char *name = read_nested(r, true);
        return *r->at++ == 'E' ? name : NULL;
    }
    default:
        return NULL;
    }
}

/* "IiLi5EE": types, and constants, which parameters are not made of. */
static bool read_arguments(struct type_reader *r)
{
    for (r->at++; *r->at && *r->at != 'E';) {
        const char *end = *r->at == 'L' ? strchr(r->at, 'E') : NULL;
        const char *argument = end ? "" : read_type(r);
        if (!argument)
            return false;
        r->at = end ? end + 1 : r->at;
        vec_push(r->arena, &r->arguments, argument);
    }
    return *r->at++ == 'E' && read_type(r); /* what it returns */
}

static bool read_function(struct type_reader *r)
{
    bool nested = r->at[0] == 'N';
    const char *name = nested ? read_nested(r, false) : read_name(r);
    bool good = name;
    if (good && *r->at == 'I') {
        remember(r, name);
        good = !nested && read_arguments(r);
    } else if (good && nested)
        good = *r->at++ == 'E';
    return good;
}

bool mangled_types(struct arena *arena, const char *name, const char **types, uint32_t count)
{
    struct type_reader r = {.arena = arena, .at = name + 2};
    if (strncmp(name, "_Z", 2) != 0 || !read_function(&r))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!(types[i] = read_type(&r)))
            return false;
    return !*r.at || (!count && !strcmp(r.at, "v"));
}
