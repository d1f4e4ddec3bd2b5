/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/cpp.h"
#include "litmus/cpp/lower.h"

/* What groups of threads know of themselves, in the words of kernels (CUDA C++ programming guide, cooperative groups). */

#define RANK_IN_BLOCK "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"
#define BLOCK_SIZE    "blockDim.x * blockDim.y * blockDim.z"
#define BLOCK_RANK    "blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)"
#define BLOCK_COUNT   "gridDim.x * gridDim.y * gridDim.z"

static const struct {
    enum op group; /* by its barrier */
    const char *word, *meaning;
} rows[] = {
    {OP_BAR_SYNC, "thread_rank", RANK_IN_BLOCK},
    {OP_BAR_SYNC, "size", BLOCK_SIZE},
    {OP_BAR_SYNC, "num_threads", BLOCK_SIZE},
    {OP_GRID_SYNC, "thread_rank", "(" BLOCK_RANK ") * (" BLOCK_SIZE ") + " RANK_IN_BLOCK},
    {OP_GRID_SYNC, "size", BLOCK_COUNT " * (" BLOCK_SIZE ")"},
    {OP_GRID_SYNC, "num_threads", BLOCK_COUNT " * (" BLOCK_SIZE ")"},
    {OP_GRID_SYNC, "block_rank", BLOCK_RANK},
    {OP_GRID_SYNC, "num_blocks", BLOCK_COUNT},
};

static bool lower(struct cpp_code *code, const char *meaning, struct span span,
                  struct cpp_operand *to)
{
    const struct source *source = source_new(code->arena, "group", meaning, strlen(meaning));
    const struct cpp_expr *expr = cpp_parse_expression(code->arena, source, 0, code->diags);
    uint32_t first = code->insts.len;
    bool good = expr && cpp_lower_value(code, expr, to);
    for (uint32_t i = first; i < code->insts.len; i++)
        code->insts.at[i].span = span; /* where the call is written */
    return good;
}

bool cpp_group_number(struct cpp_code *code, const struct cpp_expr *expr, bool *found,
                      struct cpp_operand *to)
{
    const struct cpp_expr *member = expr->kids[0];
    const char *word = cpp_last_part(&member->name)->word;
    struct cpp_operand group;
    *found = cpp_group(code, member->kids[0], &group);
    if (!*found)
        return false;
    if (code->kernel == NONE) {
        code_error(code, cpp_unknown_name, expr->span,
                   "write a kernel and a launch, or the thread's own number",
                   "'%s' is one of the code of kernels", word);
        return false;
    }
    for (size_t i = 0; expr->kid_count == 1 && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].group == (enum op)group.bits && strcmp(rows[i].word, word) == 0)
            return lower(code, rows[i].meaning, expr->span, to);
    code_error(code, cpp_unknown_function, member->name.span, NULL,
               "a block or grid of threads has sync, thread_rank, size and num_threads, a grid "
               "block_rank and num_blocks too, and a cluster sync; not '%.60s'",
               word);
    return false;
}
