/* SPDX-License-Identifier: MIT */
#include "litmus/parse/launch.h"

#include <string.h>

#include "litmus/base/number.h"
#include "litmus/parse/location.h"
#include "litmus/test/launch.h"
#include "litmus/test/mangled.h"

/* Launches: "K1: add<<<(2,1,1), 64, 1024>>>(x, 5) @ gpu 1 cluster 2;". */

bool parse_at_launch(const struct parser *p)
{
    return parse_at(p, TOKEN_WORD) && (p->next.kind == TOKEN_LAUNCH || p->next.kind == ':');
}

bool parse_at_bare_call(const struct parser *p)
{
    return p->includes.len && parse_at(p, TOKEN_WORD) && p->next.kind == '(';
}

void parse_bare_call(struct parser *p)
{
    const char *kernel = parse_text(p, p->token.span);
    parse_error(p, bad_launch, p->token.span,
                arena_printf(p->arena, "such as %.60s<<<1, 32>>>(…)", kernel),
                "a launch is written KERNEL<<<GRID, BLOCK>>>(ARGUMENTS)");
    parse_skip_past(p, ';');
}

/* "64", "(8, 8, 1)" or "dim3(8, 8)"; what is left out is 1. */
static bool size(struct parser *p, struct dim3 *dim)
{
    uint32_t sizes[3] = {1, 1, 1};
    if (parse_at_word(p, "dim3") && p->next.kind == '(')
        parse_advance(p);
    bool many = parse_accept(p, '(');
    struct span span = p->token.span;
    for (int i = 0; i < 3; i++) {
        if (!parse_count(p, "a size", LAUNCH_LARGEST_SIZE, &sizes[i]))
            return false;
        if (!many || i == 2 || !parse_accept(p, ','))
            break;
    }
    *dim = (struct dim3){sizes[0], sizes[1], sizes[2]};
    if (many && !parse_expect(p, ')', "')'"))
        return false;
    if (dim->x && dim->y && dim->z)
        return true;
    parse_error(p, bad_launch, span, NULL, "a size is at least 1");
    return false;
}

/* 5, -5, 1.5, x, &x, &x[2] or x+2: elements, of which check/launches.c makes bytes. */
static bool argument(struct parser *p, struct operand *to)
{
    struct span span = p->token.span;
    struct location_init value;
    if (parse_at_fraction(p)) {
        uint64_t bits = number_float_bits(parse_fraction(p), false);
        *to = (struct operand){.kind = OPERAND_FRACTION,
                               .reg = NONE,
                               .location = NONE,
                               .target = NONE,
                               .param = NONE,
                               .value = bits,
                               .span = parse_span_from(p, span)};
        return true;
    }
    if (!parse_value(p, "a number", &value))
        return false;
    uint32_t element = 0;
    if (value.address_of != NONE && !parse_index(p, "an element's number", MAX_ELEMENTS, &element))
        return false;
    value.value += value.address_of == NONE ? 0 : element;
    *to = (struct operand){.kind = value.address_of == NONE ? OPERAND_IMM : OPERAND_SYMBOL,
                           .reg = NONE,
                           .location = value.address_of,
                           .target = NONE,
                           .param = NONE,
                           .value = value.value,
                           .span = span};
    return true;
}

static bool arguments(struct parser *p, struct launch *launch)
{
    VEC(struct operand) args = {0};
    if (!parse_expect(p, '(', "'(' and the arguments"))
        return false;
    if (parse_accept(p, ')'))
        return true;
    do {
        struct operand arg;
        if (!argument(p, &arg))
            return false;
        vec_push(p->arena, &args, arg);
    } while (parse_accept(p, ','));
    launch->args = args.at;
    launch->arg_count = args.len;
    return parse_expect(p, ')', "')' or ','");
}

static bool shape(struct parser *p, struct launch *launch)
{
    if (!parse_expect(p, TOKEN_LAUNCH, "'<<<'") || !size(p, &launch->grid) ||
        !parse_expect(p, ',', "','") || !size(p, &launch->block))
        return false;
    if (parse_accept(p, ',') && !parse_count(p, "the bytes of dynamic shared memory", 228 * 1024,
                                             &launch->dynamic_shared_bytes))
        return false;
    if (parse_at(p, ',')) {
        parse_error(p, bad_launch, p->next.span, "write the launch into 'host H { … }'",
                    "only a host program has streams");
        return false;
    }
    return parse_expect(p, TOKEN_LAUNCH_END, "'>>>'");
}

/* "@ gpu 1", "cluster 2", "domain 1", "cooperative", "programmatic", in any order. */
static bool attributes(struct parser *p, struct launch *launch)
{
    for (;;) {
        if (parse_accept(p, '@')) {
            if (!parse_accept_word(p, "gpu")) {
                parse_unexpected(p, "'gpu' and its number");
                return false;
            }
            if (!parse_count(p, "the number of a gpu", 1 << 20, &launch->gpu))
                return false;
        } else if (parse_accept_word(p, "cluster")) {
            if (!size(p, &launch->cluster))
                return false;
        } else if (parse_accept_word(p, "domain")) {
            if (!parse_count(p, "the number of a domain", LAUNCH_DOMAINS - 1, &launch->domain))
                return false;
        } else if (parse_accept_word(p, "cooperative"))
            launch->cooperative = true;
        else if (parse_accept_word(p, "programmatic"))
            launch->programmatic = true;
        else
            return true;
    }
}

bool parse_labelled_launch(struct parser *p)
{
    struct launch launch = {.kernel = NONE, .cluster = {1, 1, 1}};
    bool labelled = p->next.kind == ':';
    launch.label = parse_text(p, p->token.span);
    if (labelled) {
        parse_advance(p);
        parse_advance(p);
    }
    struct span kernel = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of a kernel") || !shape(p, &launch) ||
        !arguments(p, &launch) || !attributes(p, &launch))
        return false;
    launch.span = parse_span_from(p, kernel);
    vec_push(p->arena, &p->launches, launch);
    vec_push(p->arena, &p->launch_kernels, kernel);
    return true;
}

void parse_top_launch(struct parser *p)
{
    if (!parse_labelled_launch(p)) {
        parse_skip_past(p, ';');
        return;
    }
    parse_expect(p, ';', "';' after the launch");
}

static bool is_kernel(const struct raw_body *body)
{
    return !body->dialect && !body->function;
}

bool parse_is_kernel_called(const struct parser *p, uint32_t index, const char *text)
{
    const struct raw_body *body = &p->raws.at[index];
    return is_kernel(body) && mangled_is(body->name, text, strlen(text));
}

uint32_t parse_find_kernel(const struct parser *p, const char *text, uint32_t *matches)
{
    uint32_t found = NONE;
    *matches = 0;
    for (uint32_t i = 0; i < p->raws.len; i++) {
        const struct raw_body *body = &p->raws.at[i];
        if (is_kernel(body) && strcmp(text, body->name) == 0) {
            *matches = 1;
            return i;
        }
        if (parse_is_kernel_called(p, i, text)) {
            found = i;
            ++*matches;
        }
    }
    return found;
}

const struct opaque_kernel *parse_is_opaque(const struct parser *p, const char *name)
{
    for (uint32_t i = 0; i < p->opaque.count; i++)
        if (strcmp(p->opaque.at[i].name, name) == 0)
            return &p->opaque.at[i];
    return NULL;
}

/* "copy" of "_ZN2ns4copyEPj". */
static const char *name_in_cpp(const struct parser *p, const char *name)
{
    size_t length;
    const char *plain = mangled_name(name, &length);
    return plain && length ? arena_strndup(p->arena, plain, length) : name;
}

/* "'_Z1KPj', '_Z1KIiEvPT_'": those that are called so in C++, or NULL: all. */
static const char *list_kernels(struct parser *p, const char *text)
{
    const char *list = "";
    for (uint32_t i = 0; i < p->raws.len; i++)
        if (text ? parse_is_kernel_called(p, i, text) : is_kernel(&p->raws.at[i]))
            list = arena_printf(p->arena, "%s%s'%s'", list, *list ? ", " : "",
                                text ? p->raws.at[i].name : name_in_cpp(p, p->raws.at[i].name));
    return list;
}

/* A file that could not be read was reported, and may have had the kernel. */
static bool lacks_file(const struct parser *p)
{
    for (uint32_t i = 0; i < p->includes.len; i++)
        if (!p->includes.at[i].file.text)
            return true;
    return false;
}

static void resolve(struct parser *p, struct launch *launch, struct span kernel)
{
    VEC(const char *) names = {0};
    const char *text = parse_text(p, kernel);
    uint32_t matches;
    if (launch->kernel != NONE) /* host code chose it */
        return;
    launch->kernel = parse_find_kernel(p, text, &matches);
    if (matches == 1)
        return;
    launch->kernel = NONE;
    if (lacks_file(p))
        return;
    for (uint32_t i = 0; i < p->raws.len; i++)
        if (is_kernel(&p->raws.at[i]))
            vec_push(p->arena, &names, name_in_cpp(p, p->raws.at[i].name));
    const char *near = diag_hint(p->arena, text, kernel.length, names.at, names.len);
    if (matches)
        parse_error(
            p, unknown_kernel, kernel, arena_printf(p->arena, "they are %s", list_kernels(p, text)),
            "%u kernels are called '%.60s' in C++: name one as the PTX does", matches, text);
    else
        parse_error(p, unknown_kernel, kernel,
                    near || !p->includes.len
                        ? near
                        : arena_printf(p->arena, "the kernels are %s", list_kernels(p, NULL)),
                    "there is no kernel '%.60s'", text);
}

/* An .extern .shared array is as large as the largest launch that may use it asks for. */
static void size_dynamic(struct parser *p)
{
    for (uint32_t l = 0; l < p->locations.len; l++) {
        struct location *location = &p->locations.at[l];
        uint32_t bytes = 0;
        for (uint32_t i = 0; location->dynamic && i < p->launches.len; i++) {
            const struct launch *launch = &p->launches.at[i];
            bool uses = location->kernel == NONE || location->kernel == launch->kernel;
            if (uses && launch->dynamic_shared_bytes > bytes)
                bytes = launch->dynamic_shared_bytes;
        }
        if (location->dynamic && bytes)
            location->elements = bytes / type_bytes(location->type);
    }
}

/* A kernel of a file is not about memory that nobody mentions but the launch: the name is misspelt, or its declaration
 * missing. */
static void check_memory(struct parser *p, const struct launch *launch)
{
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < p->locations.len; i++)
        if (p->locations.at[i].declared)
            vec_push(p->arena, &names, p->locations.at[i].name);
    for (uint32_t i = 0; p->includes.len && !lacks_file(p) && i < launch->arg_count; i++) {
        const struct operand *arg = &launch->args[i];
        const struct location *to =
            arg->kind == OPERAND_SYMBOL ? &p->locations.at[arg->location] : NULL;
        if (!to || to->declared || to->initialized || to->alias_of != NONE)
            continue;
        const char *near = diag_hint(p->arena, to->name, strlen(to->name), names.at, names.len);
        parse_error(p, unknown_name, arg->span,
                    near ? near : arena_printf(p->arena, "declare it, as 'u32 %s[4]'", to->name),
                    "nothing is called '%s'", to->name);
    }
}

void parse_resolve_launches(struct parser *p)
{
    struct names labels = {.arena = p->arena};
    for (uint32_t i = 0; i < p->launches.len; i++) {
        struct launch *launch = &p->launches.at[i];
        resolve(p, launch, p->launch_kernels.at[i]);
        check_memory(p, launch);
        if (names_has(&labels, 0, launch->label))
            parse_error(p, duplicate_launch, launch->span,
                        "put 'NAME:' before one of them, so that conditions can tell them apart",
                        "two launches are called '%s'", launch->label);
        names_put(&labels, 0, launch->label, strlen(launch->label), i);
    }
    size_dynamic(p);
}
