/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_READING_H
#define LITMUS_HOST_READING_H

#include "litmus/cpp/lex.h"
#include "litmus/host/eval.h"

/* Private to what reads files of C++: the text on its way to functions and classes, token by token. */

struct reading {
    struct eval *e;
    const struct source *source; /* ends where the text does */
    struct cpp_lexer lexer;
    struct cpp_token token;
    const char *regions[8]; /* namespaces that are open, the innermost last; NULL: of no name */
    uint32_t region_count;  /* may be more than are kept */
};

/* reading.c: tokens */
void reading_next(struct reading *f);
void reading_move_to(struct reading *f, uint32_t offset);
bool reading_at_word(const struct reading *f, const char *word);
bool reading_at_end(const struct reading *f);
/* Past what is open here: "(…)", "{…}". */
void reading_skip(struct reading *f, enum cpp_mark open, enum cpp_mark close);
/* Past "<…>". */
void reading_skip_angles(struct reading *f);
/* Reports that are forgotten: the item is as if it were not there. */
struct diag_list *reading_unheard(const struct reading *f);
/* The text from 'from' up to the ';' that is the token, as statements. */
const struct cpp_stmt *reading_declaration(struct reading *f, uint32_t from);
/* "template <typename T, int N = 2>"; false: it cannot be read. */
bool reading_template(struct reading *f, struct template_head *head);
/* "operator+", "operator()", "operator int": its name, up to the '(' of the parameters; *result: the type of a
 * conversion. */
const char *reading_operator(struct reading *f, const struct cpp_type **result);

/* What stands before the '(' of a function's parameters. */
struct function_start {
    const char *name; /* with the class before it */
    const struct structure *of;
    const struct cpp_type *result; /* or NULL */
    struct template_head head;
    struct span span;
    bool is_static, is_virtual, is_constructor;
};
/* From the '(' to the end of the code, or behind the ';'. NULL: it cannot be read. One without code has a fault there. */
struct code_function *reading_function(struct reading *f, const struct function_start *start);
/* The type between the two places, without words that say no type; or NULL. */
const struct cpp_type *reading_result(const struct reading *f, uint32_t from, uint32_t to);

/* members.c: from the '{' of a class on. False: it holds what is not read, and has no functions. */
bool reading_members(struct reading *f, struct structure *made);
/* "A::f" that the class declares and the file defines; NULL: there is none. */
struct code_function *reading_declared(struct eval *e, const struct structure *of, const char *name,
                                       uint32_t parameters);

/* file.c: "struct NAME { … }" behind "struct", and what follows up to the ';' */
void reading_structure(struct reading *f, const struct template_head *head);
/* Items up to the end of the text. */
void reading_items(struct reading *f);
/* local.c: reads the classes that the statement defines, as those of the file. */
void reading_local_classes(struct reading *f, const struct cpp_stmt *stmt);

#endif
