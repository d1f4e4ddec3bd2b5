/* SPDX-License-Identifier: MIT */
#include "cli/answer/compose.h"

#include <glib.h>
#include <string.h>

#include "cli/answer/kernels.h"
#include "litmus/base/file.h"
#include "litmus/read/read.h"

/* The text being put together. */
struct composed {
    struct arena *arena;
    GString *text;
    VEC(struct source_piece) pieces;
};

static void add(struct composed *c, const char *name, const char *text, size_t length)
{
    struct source_piece piece = {name, (uint32_t)c->text->len};
    vec_push(c->arena, &c->pieces, piece);
    g_string_append_len(c->text, text, (gssize)length);
}

static void glue(struct composed *c, const char *text)
{
    add(c, NULL, text, strlen(text));
}

/* What was given for an option, without the ';' that need not end it. */
static void given(struct composed *c, const char *option, const char *text)
{
    size_t length = strlen(text);
    while (length && strchr("; \t\r\n", text[length - 1]))
        length--;
    add(c, option, text, length);
}

/* "x=1,2" becomes "x={1,2};", and "x=@data.bin" names the file. */
static void init(struct composed *c, const char *text)
{
    const char *equals = strchr(text, '=');
    const char *values = equals ? equals + 1 + strspn(equals + 1, " ") : NULL;
    bool file = values && *values == '@', list = values && !file && *values != '{';
    size_t head = values ? (size_t)(values - text) : strlen(text);
    add(c, "--init", text, head);
    if (values) {
        glue(c, file ? "@\"" : list ? "{" : "");
        given(c, "--init", values + file);
        glue(c, file ? "\"" : list ? "}" : "");
    }
    glue(c, ";\n");
}

static bool names_memory(const char *text)
{
    return g_regex_match_simple("^\\s*[A-Za-z_$%][\\w$.]*\\s*(\\[[^\\]]*\\]\\s*)*=(?!=)", text, 0,
                                0);
}

/* "x=1,2; y=3", "x[0]=1,x[1]=2": a comma ends what is given for a name where another name follows. */
static void inits(struct composed *c, const char *text)
{
    for (const char *end; *text; text = end + (*end != '\0')) {
        end = text;
        while (*end && *end != ';' && !(*end == ',' && names_memory(end + 1)))
            end++;
        const char *one = arena_strndup(c->arena, text, (size_t)(end - text));
        if (one[strspn(one, " \t\r\n")])
            init(c, one);
    }
}

/* The file's name without folder and suffix, as far as a test can be called so. */
static const char *test_name(struct arena *arena, const char *path)
{
    g_autofree char *base = g_path_get_basename(path);
    *strrchr(base, '.') = '\0';
    for (char *c = base; *c; c++)
        if (strchr(" \t\r\n\"{", *c))
            *c = '_';
    return arena_strdup(arena, *base ? base : "unnamed");
}

/* Several launches are work of one stream. */
static void launches(struct composed *c, const struct text_list *list)
{
    glue(c, list->len > 1 ? "host H {\n" : "");
    for (uint32_t i = 0; i < list->len; i++) {
        given(c, "--launch", list->at[i]);
        glue(c, ";\n");
    }
    glue(c, list->len > 1 ? "}\n" : "");
}

static void question(struct composed *c, const char *option, const char *word, const char *text)
{
    if (!text)
        return;
    glue(c, word);
    glue(c, " (");
    given(c, option, text);
    glue(c, ")\n");
}

/* The initial state. */
static void memory(struct composed *c, const char *name, const struct settings *settings)
{
    glue(c, arena_printf(c->arena, "PTX %s\n{ ", name));
    given(c, "--with", settings->with ? settings->with : "");
    glue(c, ";\n");
    for (uint32_t i = 0; i < settings->init.len; i++)
        inits(c, settings->init.at[i]);
}

static const struct source *composed_source(struct composed *c, const char *path)
{
    size_t length = c->text->len;
    char *text = arena_strndup(c->arena, c->text->str, length);
    g_string_free(c->text, TRUE);
    struct source *source =
        source_of_pieces(c->arena, path, text, length, c->pieces.at, c->pieces.len);
    source->folder = ".";
    return source;
}

const struct test *compose_memory(struct arena *arena, const struct settings *settings,
                                  struct diag_list *diags)
{
    struct composed c = {.arena = arena, .text = g_string_new(NULL)};
    memory(&c, "memory", settings);
    glue(&c, "}\nkernel nothing () { ret; }\nnothing<<<1, 1>>>();\n");
    return litmus_parse(arena, composed_source(&c, "--with"), diags);
}

const char *compose_head(struct arena *arena, const char *name, const struct settings *settings)
{
    struct composed c = {.arena = arena, .text = g_string_new(NULL)};
    memory(&c, name, settings);
    const char *text = arena_strndup(arena, c.text->str, c.text->len);
    g_string_free(c.text, TRUE);
    return text;
}

static const struct source *compose(struct arena *arena, const char *path,
                                    const struct settings *settings)
{
    struct composed c = {.arena = arena, .text = g_string_new(NULL)};
    bool cuda = g_str_has_suffix(path, ".cu");
    memory(&c, test_name(arena, path), settings);
    glue(&c, cuda ? "}\ncuda " : "}\nptx ");
    given(&c, path, arena_printf(arena, "\"%s\"", path));
    glue(&c, "\n");
    launches(&c, &settings->launch);
    question(&c, "--exists", "exists", settings->exists);
    question(&c, "--forall", "forall", settings->forall);
    question(&c, "--never", "~exists", settings->never);
    return composed_source(&c, path);
}

/* ---- a program with main ---------------------------------------------------------------------- */

/* The words with which a comment is the question of its program, or belongs to it. */
static bool asks(const char *text)
{
    static const char *const words[] = {"exists",     "~exists",   "forall",
                                        "not exists", "locations", "filter"};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (g_str_has_prefix(text, words[i]))
            return true;
    return false;
}

/* The comment that begins at 'text', without its marks; NULL: none does. */
static char *comment(const char *text, const char **end)
{
    bool line = g_str_has_prefix(text, "//");
    const char *stop;
    if (!line && !g_str_has_prefix(text, "/*"))
        return NULL;
    stop = strstr(text + 2, line ? "\n" : "*/");
    stop = stop ? stop : text + strlen(text);
    *end = stop;
    char *inside = g_strstrip(g_strndup(text + 2, (gsize)(stop - text - 2)));
    if (g_str_has_prefix(inside, "ptxlit:"))
        g_strstrip(memmove(inside, inside + 7, strlen(inside + 7) + 1));
    return inside;
}

/* What comments of the program ask, say of the platform and expect. */
static void comments(const char *text, GString *heads, GString *platform, GString *question)
{
    for (const char *at = text; *at;) {
        const char *end;
        if (*at == '"') /* a string may hold what looks like one */
            for (at++; *at && *at != '"' && *at != '\n'; at++)
                at += *at == '\\' && at[1];
        char *inside = comment(at, &end);
        if (!inside) {
            at += *at != 0;
            continue;
        }
        if (asks(inside))
            g_string_append_printf(question, "%s\n", inside);
        else if (g_str_has_prefix(inside, "platform"))
            g_string_append_printf(platform, "%s\n", inside);
        else if (g_str_has_prefix(inside, "expect ") && !strchr(inside, '"'))
            g_string_append_printf(heads, "\"%s\"\n", inside);
        g_free(inside);
        at = end;
    }
}

static bool has_main(const char *text)
{
    for (const char *at = text; (at = strstr(at, "main")); at += 4)
        if (at > text && strchr(" \t\n", at[-1]) && at[4 + strspn(at + 4, " ")] == '(')
            return true;
    return false;
}

/* The program's text, if it is one with a main; NULL: it is not. */
static const char *program(struct arena *arena, const char *path)
{
    size_t length;
    const char *text =
        g_str_has_suffix(path, ".cu") ? file_read(arena, path, SOURCE_MAX_BYTES, &length) : NULL;
    return text && has_main(text) ? text : NULL;
}

static const struct source *compose_program(struct arena *arena, const char *path,
                                            const char *program, const struct settings *settings,
                                            struct diag_list *diags)
{
    struct composed c = {.arena = arena, .text = g_string_new(NULL)};
    GString *heads = g_string_new(NULL), *platform = g_string_new(NULL);
    GString *asked = g_string_new(NULL);
    comments(program, heads, platform, asked);
    glue(&c, arena_printf(arena, "PTX %s\n%s{ ", test_name(arena, path), heads->str));
    given(&c, "--with", settings->with ? settings->with : "");
    glue(&c, arena_printf(arena, ";}\n%sprogram ", platform->str));
    given(&c, path, arena_printf(arena, "\"%s\"", path));
    glue(&c, "\n");
    question(&c, "--exists", "exists", settings->exists);
    question(&c, "--forall", "forall", settings->forall);
    question(&c, "--never", "~exists", settings->never);
    bool ends = settings->property && strcmp(settings->property, "termination") == 0;
    bool is_asked = settings->exists || settings->forall || settings->never;
    if (!is_asked && ends && !asked->len) /* every execution is meant */
        question(&c, path, "exists", "true");
    else if (!is_asked)
        add(&c, path, asked->str, asked->len);
    bool good = is_asked || ends || asked->len;
    if (!good)
        diag_add(diags, DIAG_no_launch, NULL, (struct span){0},
                 "write one in a comment: // exists (h[0] = 1)",
                 "'%s' asks nothing: it has no question in a comment", path);
    g_string_free(heads, TRUE);
    g_string_free(platform, TRUE);
    g_string_free(asked, TRUE);
    size_t length = c.text->len;
    char *text = arena_strndup(arena, c.text->str, length);
    g_string_free(c.text, TRUE);
    struct source *source = source_of_pieces(arena, path, text, length, c.pieces.at, c.pieces.len);
    source->folder = ".";
    return good ? source : NULL;
}

bool compose_is_code(const char *path)
{
    return g_str_has_suffix(path, ".ptx") || g_str_has_suffix(path, ".cu");
}

bool compose_is_asked(const struct settings *s)
{
    return s->with || s->launch.len || s->init.len || s->exists || s->forall || s->never;
}

static bool refuse(struct diag_list *diags, const char *hint, const char *what)
{
    diag_add(diags, DIAG_option_unfit, NULL, (struct span){0}, hint, "%s", what);
    return false;
}

static bool fits(const struct input *input, const struct settings *s, struct diag_list *diags)
{
    bool code = compose_is_code(input->path);
    if (!code && compose_is_asked(s))
        return refuse(
            diags, "a .litmus file has all that in it",
            "'--with', '--launch', '--init', '--exists', '--forall' and '--never' are for "
            ".ptx and .cu files");
    if (!!s->exists + !!s->forall + !!s->never > 1)
        return refuse(diags, NULL, "one of '--exists', '--forall' and '--never' is the question");
    return true;
}

const struct source *compose_module(struct arena *arena, const char *path,
                                    const struct source_files *files, struct diag_list *diags)
{
    struct source_file file = files->read(files, arena, path), written = {0};
    if (!file.text && file.fault_line)
        written = file_read_text(files, arena, path);
    const struct source *at =
        written.text ? source_new(arena, path, written.text, written.length) : NULL;
    if (!file.text)
        diag_add(diags, DIAG_file_unreadable, at,
                 at ? source_line_from(at, 0, file.fault_line) : (struct span){0}, file.hint,
                 "cannot read '%s': %s", file.name, file.fault);
    else if (file.fault)
        diag_add(diags, DIAG_kept_ptx_older, NULL, (struct span){0}, file.hint, "%s", file.fault);
    return file.text ? source_new(arena, file.name, file.text, file.length) : NULL;
}

const struct source *compose_read(struct arena *arena, const struct input *input,
                                  const struct settings *settings, const struct source_files *files,
                                  struct diag_list *diags)
{
    bool code = compose_is_code(input->path);
    if (!fits(input, settings, diags))
        return NULL;
    const char *whole = code && !settings->launch.len ? program(arena, input->path) : NULL;
    if (whole) {
        const struct source *source = compose_program(arena, input->path, whole, settings, diags);
        return source ? source_with_files(arena, source, files) : NULL;
    }
    if (code && !settings->launch.len) {
        const struct source *module = compose_module(arena, input->path, files, diags);
        if (module)
            kernels_ask(arena, module, diags);
        return NULL;
    }
    const struct source *source =
        code ? compose(arena, input->path, settings) : input_read(arena, input, diags);
    return source ? source_with_files(arena, source, files) : NULL;
}
