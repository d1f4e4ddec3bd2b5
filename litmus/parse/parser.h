/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_PARSER_H
#define LITMUS_PARSE_PARSER_H

#include "litmus/test/host.h"
#include "litmus/parse/lex.h"
#include "litmus/test/names.h"
#include "litmus/parse/raw.h"

/* Private to the parser: what its files share. A production is a function that starts at the first
 * token of what it reads, reports what is wrong and stops after the last. */

enum {
    MAX_COLUMNS = 1024,
    MAX_DEPTH = 200,
    MAX_ELEMENTS = 1 << 20,
    MAX_REGISTERS = 1 << 20,
    MAX_PARAM_BYTES = 32764, /* PTX 7.1 and newer: 32,764 bytes from sm_70 on */
};

struct parser {
    struct arena *arena;
    const struct source *source;
    struct diag_list *diags;
    struct lexer lexer;
    struct token token, next; /* the current token and the one after it */
    unsigned depth;           /* of nested blocks and conditions */
    bool module;              /* reading a .ptx module: types are not optional */

    struct test *test; /* being made; its arrays are set from the vectors below at the end */
    VEC(const char *) comments;
    VEC(struct expectation) expectations;
    VEC(struct location) locations;
    /* scope NONE for the test's, the body's index for a kernel's own */
    struct names location_names;
    VEC(struct raw_body) raws;
    VEC(struct body) bodies;       /* made from 'raws' by decode_bodies */
    VEC(struct names *) reg_names; /* a body's registers by (block, name) */
    VEC(struct column) columns;
    VEC(struct raw_reg_init) reg_inits;
    VEC(struct launch) launches;
    VEC(struct span) launch_kernels; /* what each launches */
    VEC(struct cond_term) observed;

    struct host_program host; /* its arrays are set from these at the end */
    VEC(struct host_object) host_objects;
    VEC(struct host_call) host_calls;
    VEC(struct host_thread) host_threads;
    struct names host_names;           /* objects */
    VEC(struct span) functions_called; /* a call: the host function it names, or length 0 */
    struct span launch_stream;         /* the fourth of "<<<g, b, shared, stream>>>" or length 0 */
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
void parse_unexpected(struct parser *p, const char *wanted);
void parse_skip_line(struct parser *p);           /* to the first token of the next line */
void parse_skip_past(struct parser *p, int kind); /* also stops at the end of the text */
const char *parse_token_text(const struct parser *p, struct token token);
const char *parse_text(const struct parser *p, struct span span); /* a copy in the arena */
bool parse_text_is(const struct parser *p, struct span span, const char *text);
bool parse_isa_word(const struct parser *p, char class, struct span span, uint32_t *value);
struct span parse_span_from(const struct parser *p, struct span from);
#define parse_error(p, id, span, hint, ...)                                                        \
    diag_add((p)->diags, DIAG_##id, (p)->source, span, hint, __VA_ARGS__)

/* location.c: locations and what their declarations have in common. False after a report. */
bool parse_find_location(const struct parser *p, uint32_t body, struct span name, uint32_t *index);
/* The location's index, made when it is new: 'declared' stays false. */
uint32_t parse_location(struct parser *p, struct span name);
/* Where a variable is declared: body NONE at top level, block 0 outside of inner blocks. */
struct parse_scope {
    uint32_t body, block;
};
uint32_t parse_declare_location(struct parser *p, struct parse_scope scope, struct span name,
                                struct location location);
bool parse_type_word(const struct parser *p, struct span word, enum type *type);
bool parse_space_word(const struct parser *p, struct span word, enum space *space);
bool parse_space(struct parser *p, enum space *space);
bool parse_alignment(struct parser *p, uint32_t *align);
/* "[4]", "[2][3]", or "[]" when the initial values say how many; 'vector' elements each. */
bool parse_array_size(struct parser *p, struct location *location, uint32_t vector, bool *sized);
bool parse_initial_value(struct parser *p, struct location_init *init);
bool parse_initializer(struct parser *p, struct location *location, bool sized);

/* init.c */
void parse_init(struct parser *p);

/* columns.c */
void parse_columns(struct parser *p);
bool parse_thread_number(const struct parser *p, struct span word, uint32_t *number);

/* inst.c; the instruction ends before ';' (in a column also '|'). False after a report. */
void parse_labels(struct parser *p, struct raw_body *body, uint32_t block);
bool parse_instruction(struct parser *p, struct raw_body *body, uint32_t block);

/* vars.c: declarations in PTX's words. False after a report. */
bool parse_registers(struct parser *p, struct raw_body *body, uint32_t block);
bool parse_variables(struct parser *p, struct parse_scope scope, enum space space, bool external);
bool parse_parameters(struct parser *p, struct raw_body *body);
/* "(.param .b32 a, …)" or ".param .b32 a", variables of the body's frame. */
bool parse_frame_list(struct parser *p, struct raw_body *body);
bool parse_frame_variable(struct parser *p, struct raw_body *body, uint32_t block);

/* kernel.c; the current token is the kernel's name, the '{' of the body. */
void parse_kernel(struct parser *p);
void parse_function(struct parser *p); /* the current token is the one after '.func' */
uint32_t parse_start_body(struct parser *p, struct span name);

/* launch.c */
bool parse_at_launch(const struct parser *p);
/* "label: K<<<grid, block, shared>>>(args) @ gpu 0 cluster 2": the launch's index is the last one;
 * launch->kernel stays NONE, the name goes to the same index of parser->launch_kernels. */
bool parse_labelled_launch(struct parser *p);
void parse_top_launch(struct parser *p);       /* and ';' after */
void parse_resolve_launches(struct parser *p); /* after the last kernel */

/* host.c: "host NAME { … }", "hostfn NAME { … }", "platform { … }"; the current token is that
 * word. */
bool parse_at_host(const struct parser *p);
void parse_host(struct parser *p);
bool parse_find_host(const struct parser *p, struct span name, uint32_t *index);
void parse_finish_host(struct parser *p); /* after the last item */

/* host_call.c: "cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s)" and launches, for the host
 * that comes next in parser->host_threads. The number of the call, or NONE after a report. */
bool parse_at_host_call(const struct parser *p);
uint32_t parse_host_call(struct parser *p);
uint32_t parse_host_launch(struct parser *p); /* with "label:" before */
uint32_t parse_host_object(struct parser *p, struct span name, enum host_object_kind kind);
/* False after a report: there is no such location. */
bool parse_known_location(struct parser *p, struct span name, uint32_t *location);

/* decode.c: from raw code to parser->bodies; names then mean what they mean to the end. */
void decode_bodies(struct parser *p);

/* module.c: one directive, variable or entry outside of functions */
void parse_module_item(struct parser *p);

/* cond.c */
void parse_final(struct parser *p);

#endif
