/* SPDX-License-Identifier: MIT */
#include "litmus/read/progress.h"

#include <string.h>

#include "litmus/progress/progress.h"

static const char BLANKS[] = " \t\r\n";

static bool names_scheduler(const char *text)
{
    size_t word = strcspn(text, " \t\r\n:=,");
    const char *behind = text + word + strspn(text + word, BLANKS);
    bool scope = word == 3 && (memcmp(text, "gpu", 3) == 0 || memcmp(text, "cta", 3) == 0);
    return *text && (*text == ':' || !*behind || (scope && strchr(":=", *behind)));
}

/* "cta: fair, gpu: obe" as --progress takes it: "cta=fair,gpu=obe". */
static char *as_option(struct parser *p, const char *text)
{
    char *option = arena_strndup(p->arena, text, strlen(text)), *to = option;
    for (const char *from = text + (*text == ':'); *from; from++)
        if (!strchr(BLANKS, *from))
            *to++ = *from == ':' ? '=' : *from;
    *to = 0;
    return option;
}

void progress_comment(struct parser *p, const char *text, struct span span)
{
    struct guarantee progress;
    text += strspn(text, BLANKS);
    if (strncmp(text, "progress", 8) != 0 || !text[8] || !strchr(" \t\r\n:", text[8]))
        return;
    text += 8 + strspn(text + 8, BLANKS);
    if (!names_scheduler(text))
        return;
    const char *option = as_option(p, text);
    if (p->test->progress) /* another scope */
        option = arena_printf(p->arena, "%s,%s", p->test->progress, option);
    if (!progress_parse(option, &progress))
        parse_error(p, bad_progress, span, progress_words(), "unknown scheduler '%s'", option);
    else
        p->test->progress = option;
}
