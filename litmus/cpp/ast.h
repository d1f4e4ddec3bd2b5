/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CPP_AST_H
#define LITMUS_CPP_AST_H

#include "litmus/cpp/lex.h"

/* C++ statements as a tree, in the arena of the parser. The tree says what is written, for device and
 * host code alike: no name is resolved in it, and no type is checked. Nothing is NULL but what a
 * comment says may be. No branch of it is longer than CPP_MAX_DEPTH, so it may be walked by recursion. */

enum { CPP_MAX_DEPTH = 200 };

/* ---- names and types ------------------------------------------------------------------------ */

/* "::cuda::std::atomic<int>::value_type": the words between "::", each with its template arguments. */
struct cpp_part {
    const char *word;
    bool is_template;
    struct cpp_argument *arguments;
    uint32_t argument_count;
};
struct cpp_name {
    bool global; /* begins with "::" */
    struct cpp_part *parts;
    uint32_t part_count;
    struct span span;
};
/* A type or an expression, the other is NULL. A lone name such as thread_scope_device is a type. */
struct cpp_argument {
    const struct cpp_type *type;
    const struct cpp_expr *value;
    /* of "R(A, B)", of which 'type' is R */
    bool is_function;
    const struct cpp_declarator *parameters;
    uint32_t parameter_count;
};

enum cpp_type_kind {
    CPP_TYPE_VOID,
    CPP_TYPE_BOOL,
    CPP_TYPE_INTEGER, /* bytes, is_signed; the fixed-width names and size_t too */
    CPP_TYPE_FLOAT,   /* bytes */
    CPP_TYPE_AUTO,    /* also "decltype(value)" */
    CPP_TYPE_NAMED,
    CPP_TYPE_POINTER,   /* to 'to' */
    CPP_TYPE_REFERENCE, /* also && */
    CPP_TYPE_ARRAY,     /* of 'to'; length NULL: "[]" */
};
struct cpp_type {
    enum cpp_type_kind kind;
    bool is_const, is_volatile, is_signed;
    bool is_rvalue; /* of a reference: && */
    bool is_pack;   /* "T...": of as many as there are */
    uint32_t bytes;
    struct cpp_name name;
    const struct cpp_type *to;
    const struct cpp_expr *length, *value;
    const struct cpp_stmt *members; /* of a structure that is defined here: a block; or NULL */
    uint32_t height;                /* of the chain of 'to' */
    struct span span;
};

/* ---- expressions ---------------------------------------------------------------------------- */

enum cpp_expr_kind {
    CPP_NUMBER, /* value, bytes, is_signed; true and false have is_bool */
    CPP_FLOAT,  /* value: bits of a double */
    CPP_STRING,
    CPP_NULL, /* nullptr */
    CPP_NAME,
    CPP_UNARY,       /* mark kids[0]: + - ! ~ * & ++ -- */
    CPP_POSTFIX,     /* kids[0] mark: ++ -- */
    CPP_BINARY,      /* kids[0] mark kids[1]; also && || and the comma */
    CPP_ASSIGNMENT,  /* kids[0] mark kids[1]: = and += and their like */
    CPP_CONDITIONAL, /* kids[0] ? kids[1] : kids[2] */
    CPP_CAST,        /* (type)kids[0], static_cast<type>(kids[0]) and their like */
    CPP_CONSTRUCT,   /* type(kids) and type{kids} of a type that is no name */
    CPP_CALL,        /* kids[0](kids[1] …) */
    CPP_DESIGNATED,  /* .name = kids[0], in a list */
    CPP_LIST,   /* {kids}; after a name, as in atomic_ref<int>{x}, it is a call with is_braced */
    CPP_LAUNCH, /* kids[0]<<<kids[1] … launch_count of them>>>(…) */
    CPP_MEMBER, /* kids[0].name, or -> with is_arrow */
    CPP_INDEX,  /* kids[0][kids[1]] */
    CPP_SIZEOF, /* of type, or of kids[0] if type is NULL */
    CPP_LAMBDA, /* lambda */
    CPP_NEW, /* of type; the first launch_count kids, 0 or 1, say how many; the rest are values: (…) or {…} */
    CPP_DELETE, /* kids[0] */
    CPP_EXPAND, /* kids[0]...: once for each element of a pack, in a list; (kids[0] mark ... mark kids[1]): all of them
                   joined. One of the two names the pack; the other is left out or, of "(... mark x)", an empty list */
};
/* What the language of host programs adds to a launch: "label: K<<<…>>>(…) @ gpu 1 cluster 2 domain 1 event e cooperative". */
struct cpp_launch {
    const char *label;                             /* or NULL */
    const struct cpp_expr *gpu, *cluster, *domain; /* or NULL */
    const struct cpp_expr *event;                  /* that the launch records early, or NULL */
    bool cooperative, programmatic;
};
/* "[&, n, k = 5](int i) { … }" */
struct cpp_lambda {
    bool by_reference; /* one of its captures, or all */
    bool copies;       /* "=": all but those */
    bool is_mutable;   /* calls may change what it copied */
    const char **copied;
    const struct cpp_expr **copied_values; /* of "n = 5"; NULL: of the variable of that name */
    uint32_t copied_count;
    const char **referred; /* "&n" */
    uint32_t referred_count;
    struct cpp_declarator *parameters;
    uint32_t parameter_count;
    const struct cpp_type *result; /* after "->"; or NULL */
    const struct cpp_stmt *body;
};
struct cpp_expr {
    enum cpp_expr_kind kind;
    enum cpp_mark mark;
    bool is_signed, is_bool, is_arrow, is_braced;
    uint32_t bytes;
    uint64_t value;
    struct cpp_name name;
    const struct cpp_type *type;
    const struct cpp_launch *launch;
    const struct cpp_lambda *lambda;
    const struct cpp_expr **kids;
    uint32_t kid_count, launch_count;
    uint32_t height; /* of the tree */
    struct span span;
};

/* ---- statements ----------------------------------------------------------------------------- */

enum cpp_specifier_bit {
#define SPECIFIER(id, ...) CPP_SPECIFIER_BIT_##id,
#include "litmus/cpp/keyword.def"
};
enum cpp_specifier {
#define SPECIFIER(id, ...) CPP_SPECIFIER_##id = 1 << CPP_SPECIFIER_BIT_##id,
#include "litmus/cpp/keyword.def"
};

/* One name of "int a = 1, *b, c[2]{3, 4}, d(5);". */
struct cpp_declarator {
    const char *name;
    const struct cpp_type *type;   /* with its pointers and arrays */
    const struct cpp_expr *value;  /* after '='; or NULL */
    const struct cpp_expr **given; /* in parentheses or braces after the name */
    uint32_t given_count;
    bool is_given, is_braced;
    const struct cpp_expr
        *width;         /* of a bit-field, which has the name "" if it has none; or NULL */
    const char **bound; /* "auto [a, b] = p": names of the parts of the variable; or NULL */
    uint32_t bound_count;
    struct span name_span, span;
};

enum cpp_stmt_kind {
    CPP_EMPTY,
    CPP_BLOCK,       /* kids */
    CPP_DECLARATION, /* specifiers, declarators */
    CPP_EXPRESSION,  /* value */
    CPP_IF,          /* condition; kids[0], and kids[1] after else */
    CPP_WHILE,       /* condition; kids[0] */
    CPP_DO,          /* the same */
    CPP_FOR,         /* kids[1] with kids[0] before; condition and step may be NULL */
    CPP_RANGE_FOR,   /* kids[1] for each of 'value'; kids[0] declares the variable */
    CPP_RETURN,      /* value, or NULL */
    CPP_BREAK,
    CPP_CONTINUE,
    CPP_GOTO,   /* label */
    CPP_LABEL,  /* label, before kids[0] */
    CPP_SWITCH, /* value; kids[0] */
    CPP_CASE,   /* value, NULL: default; before kids[0] */
    CPP_TRY,    /* kids[0], and the code of each handler */
    CPP_THROW,  /* value, or NULL */
    CPP_UNREAD, /* unread: no other member */
};
/* A statement that the parser does not read, in a text where that is no error. */
struct cpp_unread {
    struct span span;           /* of what could not be read in it */
    const char *message, *hint; /* hint: or NULL */
    const char **words;         /* every name in it, in order; "std::sort" is two */
    uint32_t word_count;
    bool leaves; /* it may end the function, a loop around it, or the program */
};
struct cpp_stmt {
    enum cpp_stmt_kind kind;
    uint32_t specifiers; /* enum cpp_specifier */
    struct cpp_declarator *declarators;
    uint32_t declarator_count;
    const struct cpp_expr *value, *condition, *step;
    const struct cpp_stmt **kids;
    uint32_t kid_count;
    const char *label;           /* also the name of an enumeration */
    const struct cpp_type *type; /* the structure that a declaration defines; or NULL */
    const struct cpp_unread *unread;
    struct span span;
};

/* A name's last word with one of the namespaces cuda, std, cuda::std or none before it; NULL: the name
 * has another namespace. */
const char *cpp_plain_word(const struct cpp_name *name);
const struct cpp_part *cpp_last_part(const struct cpp_name *name);
/* Is it uint32_t or its like? NULL is none. The kind of the type is set. */
bool cpp_integer_named(const char *word, struct cpp_type *type);

#endif
