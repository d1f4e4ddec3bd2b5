/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_PARSER_H
#define LITMUS_PARSE_PARSER_H

#include "litmus/test/host.h"
#include "litmus/parse/lex.h"
#include "litmus/test/names.h"
#include "litmus/parse/raw.h"

/* Private to the parser: what its files share. A production is a function that starts at its first
 * token, reports what is wrong and leaves the parser behind what it read. */

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
void parser_start(struct parser *parser, struct arena *arena, const struct source *source,
                  struct diag_list *diags);
void parser_prime(struct parser *parser); /* reads the first two tokens from where the lexer is */
void advance(struct parser *parser);
bool at(const struct parser *parser, int kind);
bool at_word(const struct parser *parser, const char *word); /* WORD or DOTWORD with this text */
bool accept(struct parser *parser, int kind);
bool accept_word(struct parser *parser, const char *word);
/* Passes the token or reports "expected WHAT, found …". */
bool expect(struct parser *parser, int kind, const char *what);
bool expect_number(struct parser *parser, const char *what, uint64_t most, uint64_t *value);
/* A number with an optional sign; 64 bits. */
bool parse_integer(struct parser *parser, uint64_t *value);
void unexpected(struct parser *parser, const char *wanted);
void parser_skip_line(struct parser *parser);    /* to the first token of the next line */
void skip_past(struct parser *parser, int kind); /* also stops at the end of the text */
const char *token_text(const struct parser *parser, struct token token);
const char *span_text(const struct parser *parser, struct span span); /* a copy in the arena */
bool span_is(const struct parser *parser, struct span span, const char *text);
struct span span_until_here(const struct parser *parser, struct span from);
#define parse_error(parser, id, span, hint, ...)                                                   \
    diag_add((parser)->diags, DIAG_##id, (parser)->source, span, hint, __VA_ARGS__)

/* parse_init.c */
void parse_init(struct parser *parser);
/* The location's index, made when it is new: 'declared' stays false. */
uint32_t location_of(struct parser *parser, struct span name);
bool location_find(const struct parser *parser, uint32_t body, struct span name, uint32_t *index);
bool type_from_word(const struct parser *parser, struct span word, enum type *type);
bool thread_number(const struct parser *parser, struct span word, uint32_t *number);

/* parse_columns.c */
void parse_columns(struct parser *parser);

/* parse_inst.c; the instruction ends before ';' (in a column also '|'). False after a report. */
void parse_labels(struct parser *parser, struct raw_body *body, uint32_t block);
bool parse_instruction(struct parser *parser, struct raw_body *body, uint32_t block);

/* parse_vars.c: declarations in PTX's words. False after a report. */
struct location blank_location(void);
bool parse_space(struct parser *parser, enum space *space);
bool parse_alignment(struct parser *parser, uint32_t *align);
bool parse_array_and_value(struct parser *parser, struct location *location, uint32_t vector);
bool parse_registers(struct parser *parser, struct raw_body *body, uint32_t block);
bool parse_variables(struct parser *parser, uint32_t body, enum space space, bool external);
bool parse_parameters(struct parser *parser, struct raw_body *body);
/* "(.param .b32 a, …)" or ".param .b32 a", variables of the body's frame. */
bool parse_frame_list(struct parser *parser, struct raw_body *body);
bool parse_frame_variable(struct parser *parser, struct raw_body *body, uint32_t block);

/* parse_kernel.c; the current token is the kernel's name, the '{' of the body. */
void parse_kernel(struct parser *parser);
void parse_function(struct parser *parser); /* the current token is the one after '.func' */
uint32_t start_body(struct parser *parser, struct span name);
void parse_body(struct parser *parser, uint32_t raw);

/* parse_launch.c */
bool parse_dim3(struct parser *parser, struct dim3 *dim);
bool at_launch(const struct parser *parser);
/* "K<<<grid, block, shared>>>(args) @ gpu 0 cluster 2": launch->kernel stays NONE, the name goes to
 * the same index of parser->launch_kernels. The current token is the kernel's name. */
bool parse_launch(struct parser *parser, struct launch *launch, struct span *kernel);
/* The same with "label:" before; the launch's index is the last one. */
bool parse_labelled_launch(struct parser *parser);
void parse_top_launch(struct parser *parser); /* and ';' after */
void resolve_launches(struct parser *parser); /* after the last kernel */

/* parse_host.c: "host NAME { … }", "hostfn NAME { … }", "platform { … }"; the current token is that
 * word. */
bool at_host(const struct parser *parser);
void parse_host(struct parser *parser);
bool host_thread_find(const struct parser *parser, struct span name, uint32_t *index);
void finish_host(struct parser *parser); /* after the last item */

/* parse_host_call.c: "cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s)" and launches, for the host
 * that comes next in parser->host_threads. The number of the call, or NONE after a report. */
bool at_host_call(const struct parser *parser);
uint32_t parse_host_call(struct parser *parser);
uint32_t parse_host_launch(struct parser *parser); /* with "label:" before */
uint32_t host_object(struct parser *parser, struct span name, enum host_object_kind kind);

/* decode.c: from raw code to parser->bodies; names then mean what they mean to the end. */
void decode_bodies(struct parser *parser);

/* parse_module.c: one directive, variable or entry outside of functions */
void parse_module_item(struct parser *parser);

/* parse_cond.c */
void parse_final(struct parser *parser);

#endif
