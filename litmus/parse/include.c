/* SPDX-License-Identifier: MIT */
#include "litmus/parse/include.h"

#include <errno.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/parse/module.h"

/* Files that a test names: the text of a module is added to the source, so that a span says where
 * anything stands, and is read where the module is named. */

/* Names start from the folder of the test. */
static const char *resolve(struct parser *p, const char *path)
{
    const struct source *source = p->test->source;
    const char *slash = strrchr(source->name, '/');
    if (*path == '/' || (source->folder ? !strcmp(source->folder, ".") : !slash))
        return path;
    return source->folder
               ? arena_printf(p->arena, "%s/%s", source->folder, path)
               : arena_printf(p->arena, "%.*s/%s", (int)(slash - source->name), source->name, path);
}

struct source_file parse_file(struct parser *p)
{
    struct span name = {p->token.span.offset + 1, p->token.span.length - 2};
    const char *path = resolve(p, parse_text(p, name));
    const struct source_files *files = p->test->source->files;
    struct source_file file =
        files ? files->read(files, p->arena, path) : file_read_kept(p->arena, path);
    parse_advance(p);
    return file;
}

struct source_file parse_text_file(struct parser *p, struct span string)
{
    struct span name = {string.offset + 1, string.length - 2};
    return file_read_text(p->test->source->files, p->arena, resolve(p, parse_text(p, name)));
}

/* Reads the file and adds its text. */
static struct include load(struct parser *p)
{
    struct include include = {.offset = p->token.span.offset};
    include.file = parse_file(p);
    if (!include.file.text)
        return include;
    const struct source *longer = source_append(p->arena, p->source, include.file.name,
                                                include.file.text, include.file.length);
    if (!longer) {
        include.file.text = NULL;
        include.file.fault = "the test and its files hold more than 64 MiB";
        return include;
    }
    include.from = p->source->length + 1;
    include.to = longer->length;
    p->source = p->test->source = longer;
    return include;
}

/* A test that is read a second time has its files already. */
static const struct include *find(struct parser *p)
{
    for (uint32_t i = 0; i < p->includes.len; i++)
        if (p->includes.at[i].offset == p->token.span.offset) {
            parse_advance(p);
            return &p->includes.at[i];
        }
    vec_push(p->arena, &p->includes, load(p));
    return &p->includes.at[p->includes.len - 1];
}

/* The source up to here, for the lexer. */
static const struct source *part_of(struct parser *p, uint32_t end)
{
    struct source *part = ARENA_NEW(p->arena, struct source);
    *part = *p->source;
    part->length = end;
    return part;
}

void parse_have_files(struct parser *p, const struct parser *before)
{
    p->includes = before->includes;
    p->lexer.source = part_of(p, before->lexer.source->length);
}

static void read_module(struct parser *p, const struct include *include)
{
    struct lexer lexer = p->lexer;
    struct token token = p->token, next = p->next;
    p->lexer.source = part_of(p, include->to);
    p->lexer.offset = include->from;
    bool module = p->module;
    parse_module(p);
    p->module = module;
    p->lexer = lexer;
    p->token = token;
    p->next = next;
}

/* The line that the compiler names, of the text as it is written; else what names the file. */
static struct span place_of_fault(struct parser *p, const struct source_file *file,
                                  struct span span)
{
    struct source_file written = {0};
    if (file->fault_line)
        written = parse_text_file(p, span);
    const struct source *longer = written.text ? source_append(p->arena, p->source, written.name,
                                                               written.text, written.length)
                                               : NULL;
    if (!longer)
        return span;
    uint32_t from = p->source->length + 1;
    p->source = p->test->source = longer;
    return source_line_from(longer, from, file->fault_line);
}

bool parse_at_include(const struct parser *p)
{
    return (parse_at_word(p, "ptx") || parse_at_word(p, "cuda")) && p->next.kind == TOKEN_STRING;
}

void parse_include(struct parser *p)
{
    bool cuda = parse_accept_word(p, "cuda") || parse_accept_word(p, "program");
    if (!cuda)
        parse_accept_word(p, "ptx");
    struct span span = p->token.span;
    const char *name = parse_text(p, span), *wanted = cuda ? ".cu\"" : ".ptx\"";
    size_t length = strlen(name), end = strlen(wanted);
    if (length <= end + 1 || strcmp(name + length - end, wanted) != 0) {
        parse_error(p, unexpected_token, span, NULL, "expected the name of a %s file, found %s",
                    cuda ? ".cu" : ".ptx", name);
        parse_advance(p);
        return;
    }
    const struct include *include = find(p);
    const struct source_file *file = &include->file;
    if (!file->text)
        parse_error(p, file_unreadable, place_of_fault(p, file, span), file->hint,
                    "cannot read '%s': %s", file->name, file->fault);
    else if (file->fault)
        parse_error(p, kept_ptx_older, span, file->hint, "%s", file->fault);
    if (file->text)
        read_module(p, include);
}
