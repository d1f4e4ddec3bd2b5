/* SPDX-License-Identifier: MIT */
#include "litmus/host/reading.h"

#include <string.h>

/* Classes that functions define: one with functions is read as a class of the file, and its definition does nothing when a
 * run comes to it. A structure of data is defined there. */

static bool begins_with(const struct reading *f, const struct cpp_stmt *stmt, const char *word)
{
    const char *text = f->source->text + stmt->span.offset;
    size_t length = strlen(word);
    return stmt->span.length > length && memcmp(text, word, length) == 0 &&
           (text[length] == ' ' || text[length] == '\n');
}

static bool is_data(const struct cpp_stmt *members)
{
    for (uint32_t i = 0; i < members->kid_count; i++)
        if (members->kids[i]->kind != CPP_DECLARATION && members->kids[i]->kind != CPP_EMPTY)
            return false;
    return true;
}

static bool defines_class(const struct reading *f, const struct cpp_stmt *stmt)
{
    if (stmt->kind == CPP_UNREAD)
        return (begins_with(f, stmt, "struct") || begins_with(f, stmt, "class")) &&
               memchr(f->source->text + stmt->span.offset, '{', stmt->span.length);
    return stmt->kind == CPP_DECLARATION && stmt->type && stmt->type->members &&
           !stmt->declarator_count && !is_data(stmt->type->members);
}

void reading_local_classes(struct reading *f, const struct cpp_stmt *stmt)
{
    static const struct template_head none = {NULL, 0, false};
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        reading_local_classes(f, stmt->kids[i]);
    if (!defines_class(f, stmt))
        return;
    struct reading at = *f;
    uint32_t count = f->e->structures.len;
    reading_move_to(&at, stmt->span.offset);
    reading_structure(&at, &none);
    if (f->e->structures.len > count)
        vec_push(f->e->arena, &f->e->local_classes, stmt->span.offset);
}

bool eval_is_local_class(const struct eval *e, const struct cpp_stmt *stmt)
{
    bool may_be = stmt->kind == CPP_UNREAD || stmt->kind == CPP_DECLARATION;
    for (uint32_t i = 0; may_be && i < e->local_classes.len; i++)
        if (e->local_classes.at[i] == stmt->span.offset)
            return true;
    return false;
}
