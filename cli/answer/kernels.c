/* SPDX-License-Identifier: MIT */
#include "cli/answer/kernels.h"

#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "litmus/test/mangled.h"

/* What a module offers to launch, for those who have not said it. */

/* The types in C++, if its name tells; or NULL. */
static const char **cpp_types(struct arena *arena, const struct body *body)
{
    const char **types = ARENA_ARRAY(arena, const char *, body->param_count + 1);
    return mangled_types(arena, body->name, types, body->param_count) ? types : NULL;
}

static const char *parameters(struct arena *arena, const struct body *body)
{
    const char **types = cpp_types(arena, body), *list = body->param_count ? "" : "no parameters";
    for (uint32_t i = 0; types && i < body->param_count; i++)
        list = arena_printf(arena, "%s%s%s", list, i ? ", " : "", types[i]);
    if (types)
        return list;
    for (uint32_t i = 0; i < body->param_count; i++) {
        const struct param *p = &body->params[i];
        uint32_t elements = p->bytes / type_bytes(p->type);
        const char *size = elements > 1 ? arena_printf(arena, "[%u]", elements) : "";
        list = arena_printf(arena, "%s%s.%s %s%s", list, i ? ", " : "", type_name(p->type), p->name,
                            size);
    }
    return list;
}

const char *kernels_list(struct arena *arena, const struct body *bodies, uint32_t count,
                         const char *part)
{
    const char *list = "";
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        const char *plain = mangled_name(bodies[i].name, &length);
        if (bodies[i].function || (part && !strstr(bodies[i].name, part)))
            continue;
        list = arena_printf(arena, "%s\n    %s%s: %s", list, bodies[i].name,
                            plain ? arena_printf(arena, " (%.*s in C++)", (int)length, plain) : "",
                            parameters(arena, &bodies[i]));
    }
    return list;
}

/* Of memory that a parameter points to: as in C++, if that is known, or 32 bits. */
static const char *element(const char *pointer)
{
    static const struct {
        const char *cpp, *type;
    } known[] = {{"int *", "s32"},           {"float *", "f32"},
                 {"double *", "f64"},        {"long long *", "s64"},
                 {"unsigned long *", "u64"}, {"unsigned long long *", "u64"},
                 {"char *", "u8"},           {"unsigned char *", "u8"}};
    const char *plain = pointer ? pointer : "";
    while (g_str_has_prefix(plain, "const ") || g_str_has_prefix(plain, "volatile "))
        plain = strchr(plain, ' ') + 1;
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (!strcmp(plain, known[i].cpp))
            return known[i].type;
    return "u32";
}

/* "--with 'u32 a; u32 b' --launch 'copy<<<1, 32>>>(a, b, 1)' --exists 'a=1'": 64 bits may be an address. */
static const char *proposal(struct arena *arena, const struct body *body)
{
    const char *with = "", *args = "";
    size_t length = strlen(body->name);
    const char *plain = mangled_name(body->name, &length);
    const char **types = cpp_types(arena, body);
    char name = 'a';
    for (uint32_t i = 0; i < body->param_count; i++) {
        bool address = type_bytes(body->params[i].type) == 8 && name <= 'z' &&
                       (!types || strchr(types[i], '*'));
        if (address)
            with = arena_printf(arena, "%s%s%s %c", with, *with ? "; " : "",
                                element(types ? types[i] : NULL), name);
        args = address ? arena_printf(arena, "%s%s%c", args, i ? ", " : "", name++)
                       : arena_printf(arena, "%s%s1", args, i ? ", " : "");
    }
    return arena_printf(arena, "--with '%s' --launch '%.*s<<<2, 32>>>(%s)' --exists '%s'", with,
                        plain ? (int)length : (int)strlen(body->name), plain ? plain : body->name,
                        args, *with ? "a=1" : "…");
}

void kernels_ask(struct arena *arena, const struct source *module, struct diag_list *diags)
{
    uint32_t count;
    const struct body *kernels = litmus_kernels(arena, module, &count);
    if (!count) {
        diag_add(diags, DIAG_no_launch, NULL, (struct span){0}, NULL, "there is no kernel in '%s'",
                 module->name);
        return;
    }
    diag_add(diags, DIAG_no_launch, NULL, (struct span){0},
             arena_printf(arena,
                          "add memory, a launch and a question, such as\n    %s\n  The kernels:%s",
                          proposal(arena, &kernels[0]), kernels_list(arena, kernels, count, NULL)),
             "nothing says how a kernel of '%s' is launched", module->name);
}
