/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_MAPPING_MAPPING_H
#define LITMUS_MAPPING_MAPPING_H

#include "litmus/base/diag.h"
#include "litmus/test/test.h"

/* What a compiler makes of the atomic operations and fences of C++: a table from operation, order and
 * scope to PTX instructions, as a value. docs/mapping.md describes the text. */

enum mapping_kind {
    MAPPING_LOAD,
    MAPPING_STORE,
    MAPPING_RMW,
    MAPPING_CAS,
    MAPPING_FENCE,
    MAPPING_KINDS
};

/* One instruction of a sequence. */
enum mapping_form {
    MAPPING_IS_FENCE,
    MAPPING_IS_ACCESS, /* the ld, st or atom that is the operation */
    MAPPING_IS_LOOK,   /* a load before an atom, whose value is not used */
    MAPPING_IS_FAIL, /* the same before a compare and exchange, which fails there if the value is another */
};
struct mapping_step {
    enum mapping_form form;
    enum sem sem;
    enum scope scope; /* NONE: that of the operation */
    bool is_volatile;
};
enum { MAPPING_STEPS = 8 };
struct mapping_row {
    bool given;
    struct mapping_step steps[MAPPING_STEPS];
    uint32_t step_count;
};

struct mapping_table {
    const char *name, *title, *origin; /* origin: who publishes it, or "" */
    const struct source *source;
    enum scope scopes[SCOPE_COUNT]; /* by the scope of C++, NONE being that of the thread */
    uint32_t smallest;              /* bytes of the smallest object that atom works on */
    /* By order, the order of a failed compare and exchange or SEM_NONE, and scope. SCOPE_COUNT: any. */
    struct mapping_row rows[MAPPING_KINDS][SEM_COUNT][SEM_COUNT][SCOPE_COUNT + 1];
};

/* The bundled mappings. */
struct mapping_text {
    const char *name, *text;
};
extern const struct mapping_text mapping_texts[];
extern const uint32_t mapping_text_count;

enum { MAPPING_LARGEST = 1 << 20 }; /* bytes of a text */
/* The text of a bundled one; NULL: there is none. */
const struct source *mapping_source(struct arena *arena, const char *name);
/* A mapping from its text; NULL after errors in 'diags'. 'source' must live as long. */
struct mapping_table *mapping_read(struct arena *arena, const struct source *source,
                                   struct diag_list *diags);
/* A bundled one by its name, or one in a file; NULL after errors in 'diags'. */
struct mapping_table *mapping_load(struct arena *arena, const char *name_or_path,
                                   struct diag_list *diags);

/* The row for an operation of the test in C++, where one is needed: access and fences that are atomic.
 * NULL: the instruction stays as it is. */
const struct mapping_row *mapping_row(const struct mapping_table *mapping, const struct inst *inst);
/* The order that a compare and exchange of two orders is compiled with: the stronger, and acq_rel for a
 * release that acquires when it fails. */
enum sem mapping_merged(enum sem succeeds, enum sem fails);

/* The test in C++ as the mapping compiles it: the same locations, registers, threads and question. Its
 * instructions have the spans of what they come from in the source of the test; printed (print_test) it
 * can be read again. NULL after errors in 'diags': an operation that PTX does not have. */
struct test *mapping_translate(struct arena *arena, const struct mapping_table *mapping,
                               const struct test *test, struct diag_list *diags);

#endif
