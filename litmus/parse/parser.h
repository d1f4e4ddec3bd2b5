/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_PARSER_H
#define LITMUS_PARSE_PARSER_H

#include "litmus/parse/opaque.h"
#include "litmus/test/host.h"
#include "litmus/parse/lex.h"
#include "litmus/test/names.h"
#include "litmus/parse/raw.h"

/* Private to the parser: what its files share. A production is a function that starts at the first
 * token of what it reads, reports what is wrong and stops after the last. */

enum { MAX_ELEMENTS = 1 << 20 };

/* What a module calls by a number. */
struct code_file {
    uint32_t module, number;
    const char *name;
};

/* A file that the test names for its code: its text lies behind the test's own. */
struct include {
    uint32_t offset; /* of the name in the test */
    struct source_file file;
    uint32_t from, to; /* in the parser's source */
};

/* '.alias name, target;'. */
struct function_alias {
    struct span name, target;
};

/* Of a module: data for debuggers, or a declaration that could not be read. */
struct raw_item {
    struct span span;
    bool unread;
};

struct parser {
    struct arena *arena;
    const struct source
        *source; /* grows by what is included; the lexer's ends where its part does */
    struct diag_list *diags;
    struct lexer lexer;
    struct token token, next; /* the current token and the one after it */
    unsigned depth;           /* of nested blocks and conditions */
    bool module;              /* reading a .ptx module: types are not optional */
    uint32_t body;            /* whose code is read: index into 'raws', or NONE outside of code */
    uint32_t block;           /* of that body, 0 outside of inner blocks */

    VEC(struct include) includes;
    struct test *test; /* being made; its arrays are set from the vectors below at the end */
    VEC(const char *) comments;
    VEC(struct expectation) expectations;
    VEC(struct location) locations;
    /* scope NONE for the test's, the body's index for a kernel's own */
    struct names location_names;
    VEC(struct raw_body) raws;
    VEC(struct body) bodies;       /* made from 'raws' when they are decoded */
    VEC(struct names *) reg_names; /* a body's registers by (block, name) */
    VEC(struct column) columns;
    VEC(struct raw_reg_init) reg_inits;
    VEC(struct launch) launches;
    VEC(struct span) launch_kernels; /* what each launches */
    VEC(struct cond_term) observed;

    VEC(struct host_object) host_objects; /* of test->host, likewise */
    VEC(struct host_call) host_calls;
    VEC(struct host_thread) host_threads;
    struct names host_names; /* objects */
    struct eval *host_code;  /* of litmus/host, or NULL */
    struct opaque_list opaque;
    bool is_program; /* of CUDA C++: a number in its question is converted as C++ does */
    /* host_question_name, or NULL */
    bool (*host_named)(struct parser *p, struct cond_term *term, bool *good);

    VEC(struct span) functions; /* names of those that are declared ahead of their code */
    struct names unread; /* what declarations name that could not be read, which was reported */
    VEC(struct span) addressed; /* names of those whose address is a value */
    VEC(struct function_alias) aliases;
    VEC(struct raw_item) items; /* of modules, in the order of the text */
    uint32_t modules;           /* begun by '.version' */
    VEC(struct code_line) code_lines;
    VEC(struct code_file) code_files;
};

/* parser.c: tokens */
void parse_start(struct parser *p, struct arena *arena, const struct source *source,
                 struct diag_list *diags);
void parse_prime(struct parser *p); /* reads the first two tokens from where the lexer is */
void parse_advance(struct parser *p);
bool parse_at(const struct parser *p, int kind);
bool parse_at_word(const struct parser *p, const char *word); /* WORD or DOTWORD with this text */
bool parse_accept(struct parser *p, int kind);
bool parse_accept_word(struct parser *p, const char *word);
/* Passes the token or reports "expected WHAT, found …". */
bool parse_expect(struct parser *p, int kind, const char *what);
bool parse_expect_number(struct parser *p, const char *what, uint64_t most, uint64_t *value);
/* The same for numbers of 32 bits; '*value' stays after a report. */
bool parse_count(struct parser *p, const char *what, uint64_t most, uint32_t *value);
/* "[2]", or nothing: then '*value' stays. */
bool parse_index(struct parser *p, const char *what, uint64_t most, uint32_t *value);
enum cmp parse_cmp(const struct parser *p, struct token token); /* CMP_NONE: it compares nothing */
/* Passes "==" and its like. */
bool parse_comparison(struct parser *p, const char *what, enum cmp *cmp);
/* Enters one level of nesting, which parser->depth counts because the parser recurses; 'what': "blocks are". */
bool parse_deeper(struct parser *p, const char *what);
/* A number with an optional sign; 64 bits. */
bool parse_integer(struct parser *p, uint64_t *value);
/* "1.5" or "-1.5", and what it is; it is passed. */
bool parse_at_fraction(const struct parser *p);
double parse_fraction(struct parser *p);
/* Warns where a decimal integer is the bits of a float so small that the number itself must be meant. */
void parse_doubt_bits(struct parser *p, struct span span, enum type type, uint64_t bits);
void parse_unexpected(struct parser *p, const char *wanted);
/* "(a, b)", a list of what 'item' reads; 'what' the '(' is for. */
bool parse_list(struct parser *p, const char *what, bool (*item)(struct parser *p));
void parse_skip_line(struct parser *p);                  /* to the first token of the next line */
void parse_skip_to(struct parser *p, const char *marks); /* one of these, or the end of the text */
void parse_skip_past(struct parser *p, int kind);        /* also stops at the end of the text */
const char *parse_token_text(const struct parser *p, struct token token);
const char *parse_text(const struct parser *p, struct span span); /* a copy in the arena */
bool parse_text_is(const struct parser *p, struct span span, const char *text);
bool parse_isa_word(const struct parser *p, char class, struct span span, uint32_t *value);
struct span parse_span_from(const struct parser *p, struct span from);
#define parse_error(p, id, span, hint, ...)                                                        \
    diag_add((p)->diags, DIAG_##id, (p)->source, span, hint, __VA_ARGS__)

/* Adds a body under the name: its code comes next, until parse_end_body. */
void parse_start_body(struct parser *p, struct span name);
struct raw_body *parse_body(const struct parser *p);
/* Notes the names of a declaration that began there, was refused, and ends where the parser stands. */
void parse_note_unread(struct parser *p, struct span from);
/* Is it such a name, or one with a part behind it, "v.x"? */
bool parse_is_unread(const struct parser *p, struct span name);
void parse_end_body(struct parser *p);
/* What a name stands for in the scope of the table, or NONE. */
uint32_t parse_name(const struct parser *p, const struct names *names, uint32_t scope,
                    struct span name);
/* Is it the name of a function that was declared? */
bool parse_is_function(const struct parser *p, struct span name);
/* The name of the function that an alias stands for; of others the name itself. */
struct span parse_function_name(const struct parser *p, struct span name);
/* Its address, which is now known to be a value. */
uint64_t parse_function_address(struct parser *p, struct span name);
/* The host thread or function of the name; false, and NONE: there is none. */
bool parse_find_host(const struct parser *p, struct span name, uint32_t *index);

#endif
