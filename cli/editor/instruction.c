/* SPDX-License-Identifier: MIT */
#include "cli/editor/instruction.h"

#include <string.h>

#define MANUAL "https://docs.nvidia.com/cuda/parallel-thread-execution/"

/* ---- finding it ----------------------------------------------------------------------------- */

static enum op longest(const char *word, size_t length)
{
    enum op found = OP_COUNT;
    size_t best = 0;
    for (uint32_t op = 0; op < OP_COUNT; op++) {
        const char *mnemonic = op_mnemonic((enum op)op);
        size_t n = strlen(mnemonic);
        bool begins = n <= length && memcmp(word, mnemonic, n) == 0;
        if (begins && (n == length || word[n] == '.') && n > best) {
            best = n;
            found = (enum op)op;
        }
    }
    return found;
}

enum op instruction_find(struct arena *arena, const char *word, size_t length,
                         const struct isa_spelling **spelling)
{
    size_t head = 0;
    *spelling = NULL;
    while (head < length && word[head] != '.')
        head++;
    enum op found = longest(word, length);
    for (const struct isa_spelling *row = isa_spellings; found == OP_COUNT && row->word; row++) {
        if (strlen(row->word) != head || memcmp(row->word, word, head) != 0)
            continue;
        const char *other =
            arena_printf(arena, "%s%.*s", row->stands_for, (int)(length - head), word + head);
        found = longest(other, strlen(other));
        *spelling = row;
    }
    return found;
}

/* ---- the tables in words -------------------------------------------------------------------- */

const char *instruction_group(enum op op)
{
    static const char *const titles[GROUP_COUNT] = {
#define GROUP(id, title) [GROUP_##id] = title,
#include "litmus/isa/isa.def"
    };
    return titles[op_group(op)];
}

const char *instruction_class(char class)
{
    static const struct {
        char letter;
        const char *name;
    } classes[] = {
#define CLASS(letter, name) {letter, name},
#include "litmus/isa/class.def"
#undef CLASS
    };
    for (size_t i = 0; i < G_N_ELEMENTS(classes); i++)
        if (classes[i].letter == class)
            return classes[i].name;
    return "";
}

static const char *operand_word(char letter)
{
    switch (letter) {
    case 'd':
    case 'D':
        return "d";
    case 'a':
    case 'A':
        return "a";
    case 'p':
        return "p";
    case 'm':
        return "[m]";
    case 'l':
        return "label";
    case 'f':
        return "function";
    case 'r':
        return "(list)";
    default:
        return "";
    }
}

/* "ld d, [m]" */
static const char *form(struct arena *arena, enum op op)
{
    g_autoptr(GString) out = g_string_new(op_mnemonic(op));
    uint32_t optional = 0, operands = 0;
    for (const char *letter = op_row(op)->signature; *letter; letter++) {
        if (*letter == 'q')
            g_string_append(out, "{|p}");
        else if (*letter == '?')
            g_string_append(out, " {"), optional++;
        else
            g_string_append_printf(out, "%s%s", operands++ ? ", " : " ", operand_word(*letter));
    }
    for (; optional; optional--)
        g_string_append_c(out, '}');
    return arena_strdup(arena, out->str);
}

/* ---- what it does --------------------------------------------------------------------------- */

static bool is_accepted(enum op op, const struct isa_word *word)
{
    uint32_t sems = op_row(op)->sems;
    if (word->class == 'S' && sems)
        return sems >> word->value & 1;
    if (word->class == 'O')
        return atom_op_fits((enum atom_op)word->value, op);
    return isa_word_fits(word, op);
}

bool instruction_accepts(enum op op, const struct isa_word *word)
{
    if (word->class == 'T' && op_row(op)->types)
        return op_row(op)->types >> word->value & 1;
    return op_accepts(op, word->class) ? is_accepted(op, word)
                                       : word->operations && isa_word_fits(word, op);
}

/* The words of one class that the operation accepts. */
static void print_class(enum op op, char class, const char *name, GString *out)
{
    bool some = false;
    for (const struct isa_word *word = isa_words; word->text; word++) {
        if (word->class != class || !instruction_accepts(op, word))
            continue;
        if (!some)
            g_string_append_printf(out, "- %s:", name);
        g_string_append_printf(out, " `.%s`", word->text);
        some = true;
    }
    g_string_append(out, some ? "\n" : "");
}

static void print_words(enum op op, GString *out)
{
    for (const char *class = op_row(op)->modifiers; *class; class ++)
        if (*class != class[1]) /* "TT": two of a class */
            print_class(op, *class, instruction_class(*class), out);
    print_class(op, 'F', "also", out);
}

/* What it does to memory and to other threads, and what holds where nothing is written. */
static void print_meaning(enum op op, GString *out)
{
    static const char *const roles[] = {"reads memory", "writes memory", "arrives at a barrier",
                                        "waits"};
    const struct op_row *row = op_row(op);
    bool some = false;
    for (uint32_t i = 0; i < G_N_ELEMENTS(roles); i++)
        if (row->role >> i & 1) {
            g_string_append_printf(out, "%s%s", some ? ", " : "- Does: ", roles[i]);
            some = true;
        }
    g_string_append(out, some ? "\n" : "");
    if (row->sem)
        g_string_append_printf(out, "- Without a `.sem`: `.%s`\n", sem_name(row->sem));
    if (row->scope)
        g_string_append_printf(out, "- Without a `.scope`: `.%s`\n", scope_name(row->scope));
}

void instruction_describe(struct arena *arena, enum op op, GString *out)
{
    const struct op_row *row = op_row(op);
    bool axioms = strchr(row->engines, 'x'), executor = strchr(row->engines, 'r');
    g_string_append_printf(out, "**`%s`** — %s\n\n", form(arena, op), instruction_group(op));
    if (*row->section)
        g_string_append_printf(out, "PTX %u.%u, section %s of the [manual](" MANUAL ")\n\n",
                               row->ptx / 10, row->ptx % 10, row->section);
    print_meaning(op, out);
    print_words(op, out);
    if (!axioms || !executor)
        g_string_append_printf(out, "- Understood by %s\n",
                               axioms     ? "the axioms, and not by the executor"
                               : executor ? "the executor, and not by the axioms"
                                          : "neither the axioms nor the executor");
}
