/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/cpp/ast.h"
#include "litmus/cpp/cpp.h"
#include "litmus/cpp/program.h"

struct fixture {
    struct arena *arena;
    struct diag_list diags;
    const struct source *source;
};

static struct fixture start(const char *text)
{
    struct fixture f = {.arena = arena_new()};
    f.diags.arena = f.arena;
    f.source = source_new(f.arena, "t.litmus", text, strlen(text));
    return f;
}

static void end(struct fixture f)
{
    arena_free(f.arena);
}

static void no_errors(struct fixture *f)
{
    if (f->diags.errors)
        g_error("%s", diag_render(f->arena, &f->diags.items.at[0]));
}

/* ---- tokens --------------------------------------------------------------------------------- */

static struct cpp_lexer lexer_of(struct fixture *f)
{
    return (struct cpp_lexer){f->source, &f->diags, 0, DIAG_LIMIT};
}

static void the_longest_mark_is_read(void)
{
    struct fixture f = start("<<<a>>>= b<<=c->*d->e ...::x <=> // y\n /* z */ +++");
    static const enum cpp_mark marks[] = {
        CPP_MARK_LAUNCH,  CPP_MARK_NONE,       CPP_MARK_LAUNCH_END, CPP_MARK_ASSIGN,
        CPP_MARK_NONE,    CPP_MARK_SHL_ASSIGN, CPP_MARK_NONE,       CPP_MARK_MEMBER_POINTER,
        CPP_MARK_NONE,    CPP_MARK_ARROW,      CPP_MARK_NONE,       CPP_MARK_ELLIPSIS,
        CPP_MARK_QUALIFY, CPP_MARK_NONE,       CPP_MARK_SPACESHIP,  CPP_MARK_INCREMENT,
        CPP_MARK_ADD,     CPP_MARK_NONE};
    struct cpp_lexer lexer = lexer_of(&f);
    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++)
        g_assert_cmpint(cpp_lex(&lexer).mark, ==, marks[i]);
    g_assert_cmpint(cpp_lex(&lexer).kind, ==, CPP_TOKEN_END);
    no_errors(&f);
    end(f);
}

static void numbers_have_the_types_of_cpp(void)
{
    static const struct {
        const char *text;
        uint64_t value;
        uint8_t bytes;
        bool is_signed;
    } rows[] = {
        {"0", 0, 4, true},
        {"2147483647", INT32_MAX, 4, true},
        {"2147483648", 2147483648u, 8, true},
        {"0x80000000", 2147483648u, 4, false},
        {"0xffffffffffffffff", UINT64_MAX, 8, false},
        {"017", 15, 4, true},
        {"0b101u", 5, 4, false},
        {"1'000'000", 1000000, 4, true},
        {"7ull", 7, 8, false},
        {"7LL", 7, 8, true},
        {"'a'", 'a', 1, true},
        {"'\\n'", '\n', 1, true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct fixture f = start(rows[i].text);
        struct cpp_lexer lexer = lexer_of(&f);
        struct cpp_token token = cpp_lex(&lexer);
        no_errors(&f);
        g_assert_cmpint(token.kind, ==, CPP_TOKEN_NUMBER);
        g_assert_cmpuint(token.value, ==, rows[i].value);
        g_assert_cmpuint(token.bytes, ==, rows[i].bytes);
        g_assert_cmpint(token.is_signed, ==, rows[i].is_signed);
        end(f);
    }
}

/* ---- expressions ---------------------------------------------------------------------------- */

static const struct {
    const char *text, *tree;
} expressions[] = {
    {"a + b * c - d", "((a + (b * c)) - d)"},
    {"a || b && c | d ^ e & f", "(a || (b && (c | (d ^ (e & f)))))"},
    {"a == b < c << 1 + 2", "(a == (b < (c << (1 + 2))))"},
    {"a = b += c ? d : e ? f : g", "(a = (b += (c ? d : (e ? f : g))))"},
    {"a = 1, b = 2", "((a = 1) , (b = 2))"},
    {"-a++ * !~b", "((-(a++)) * (!(~b)))"},
    {"*p++ & &x", "((*(p++)) & (&x))"},
    {"a[i][j + 1].b->c(1, d)", "a[i][(j + 1)].b->c(1, d)"},
    {"f.store(1, relaxed, device)", "f.store(1, relaxed, device)"},
    {"cuda::atomic_ref<int, cuda::thread_scope_device>(x).store(1, cuda::memory_order_relaxed)",
     "cuda::atomic_ref<i32, cuda::thread_scope_device>(x).store(1, cuda::memory_order_relaxed)"},
    {"::std::atomic_ref<unsigned long long>{x}.load()", "::std::atomic_ref<u64>{x}.load()"},
    {"a < b", "(a < b)"},
    {"a < b && c > d", "((a < b) && (c > d))"},
    {"i < 4 ? x : y", "((i < 4) ? x : y)"},
    {"v<w<int>>(3) >> 2", "(v<w<i32>>(3) >> 2)"},
    {"max<int>(a, b) > c", "(max<i32>(a, b) > c)"},
    {"(int)x + (void **)&d", "([i32](x) + [void**]((&d)))"},
    {"(a) - b", "(a - b)"},
    {"(uint32_t)-1", "[u32]((-1))"},
    {"(std::uint64_t)(x)", "[u64](x)"},
    {"(T)x", "[T](x)"},
    {"static_cast<unsigned>(x) / reinterpret_cast<int *>(p)[0]", "([u32](x) / [i32*](p)[0])"},
    {"int(x) + unsigned{3}", "([i32](x) + [u32](3))"},
    {"sizeof(int) * sizeof x + sizeof(x)", "((sizeof[i32] * sizeof(x)) + sizeof(x))"},
    {"n * sizeof(float *)", "(n * sizeof[f32*])"},
    {"K<<<dim3(2, 1), 32, 0, s>>>(x, &y)", "K<<<dim3(2, 1), 32, 0, s>>>(x, (&y))"},
    {"k<int><<<1, n<int>>>>()", "k<i32><<<1, n<i32>>>>()"},
    {"f({1, 2}, {})", "f({1, 2}, {})"},
    {"true + nullptr + 1.5f + \"a\" \"b\"", "(((1b + nullptr) + 1.5) + \"\")"},
    {"a -= b -= 1", "(a -= (b -= 1))"},
    {"(a | b) || c", "((a | b) || c)"},
};

static void expressions_have_their_precedence(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(expressions); i++) {
        struct fixture f = start(expressions[i].text);
        const struct cpp_expr *expr = cpp_parse_expression(f.arena, f.source, 0, &f.diags);
        no_errors(&f);
        g_assert_nonnull(expr);
        g_assert_cmpstr(cpp_show_expr(f.arena, expr), ==, expressions[i].tree);
        end(f);
    }
}

/* ---- statements ----------------------------------------------------------------------------- */

static const struct {
    const char *text, *tree;
} statements[] = {
    {"x = 1;", "{ (x = 1); }"},
    {"int a, *b = &x, c[2][3] = {1, 2}, d(5), e{6};",
     "{ i32 a; i32* b = (&x); i32[3][2] c = {1, 2}; i32 d(5); i32 e{6}; }"},
    {"const unsigned long long int n = 7ull;", "{ const u64 n = 7ul; }"},
    {"static __shared__ int s[];", "{ static __shared__ i32[] s; }"},
    {"cuda::atomic<int, cuda::thread_scope_device> f = 0;",
     "{ cuda::atomic<i32, cuda::thread_scope_device> f = 0; }"},
    {"cuda::atomic_ref<int> r(x); auto &s = r;", "{ cuda::atomic_ref<i32> r(x); auto& s = r; }"},
    {"uint8_t b; std::int64_t l;", "{ u8 b; i64 l; }"},
    {"T *p = q; a * b + 1;", "{ T* p = q; ((a * b) + 1); }"},
    {"if (f.load(acquire, device) == 2) r = x;",
     "{ if ((f.load(acquire, device) == 2)) (r = x); }"},
    {"if (a) if (b) x = 1; else y = 2;", "{ if (a) if (b) (x = 1); else (y = 2); }"},
    {"while (!f.load()) ; do { i++; } while (i < 3);",
     "{ while ((!f.load())) ; do { (i++); } while ((i < 3)) ; }"},
    {"for (int i = 0, j; i < n; ++i, j--) continue; for (;;) break;",
     "{ for (i32 i = 0; i32 j; (i < n); ((++i) , (j--))) continue; for (; ; ) break; }"},
    {"again: x = 1; goto again; end: ;", "{ again: (x = 1); goto again; end: ; }"},
    {"{ return; } return r + 1;", "{ { return; } return (r + 1); }"},
    {"{ last: }", "{ { last: ; } }"},
    {"K<<<1, 2>>>(x); cudaStream_t s[4];", "{ K<<<1, 2>>>(x); cudaStream_t[4] s; }"},
    {"", "{ }"},
};

static void statements_are_read(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(statements); i++) {
        struct fixture f = start(statements[i].text);
        uint32_t offset = 0;
        const struct cpp_stmt *block = cpp_parse_statements(f.arena, f.source, &offset, &f.diags);
        no_errors(&f);
        g_assert_nonnull(block);
        g_assert_cmpstr(cpp_show_stmt(f.arena, block), ==, statements[i].tree);
        end(f);
    }
}

static void statements_end_at_a_brace_of_somebody_else(void)
{
    struct fixture f = start("x = 1; { y = 2; } } exists (x=1)");
    uint32_t offset = 0;
    const struct cpp_stmt *block = cpp_parse_statements(f.arena, f.source, &offset, &f.diags);
    g_assert_cmpstr(cpp_show_stmt(f.arena, block), ==, "{ (x = 1); { (y = 2); } }");
    g_assert_cmpuint(offset, ==, strlen("x = 1; { y = 2; } "));
    end(f);
}

static void spans_tell_where_things_stand(void)
{
    struct fixture f = start("r0 = x.load(acquire) + 1;");
    uint32_t offset = 0;
    const struct cpp_stmt *block = cpp_parse_statements(f.arena, f.source, &offset, &f.diags);
    const struct cpp_expr *sum = block->kids[0]->value->kids[1];
    g_assert_cmpuint(sum->span.offset, ==, 5);
    g_assert_cmpuint(sum->span.length, ==, strlen("x.load(acquire) + 1"));
    g_assert_cmpuint(sum->kids[0]->kids[1]->span.offset, ==, strlen("r0 = x.load("));
    g_assert_cmpuint(block->kids[0]->span.length, ==, strlen("r0 = x.load(acquire) + 1"));
    end(f);
}

/* ---- cells ---------------------------------------------------------------------------------- */

static const struct {
    const char *text, *tree;
    char mark; /* that ends the cell */
} cells[] = {
    {"x = 1 | y = 2 ;", "{ (x = 1); }", '|'},
    {"x = 1 || y = 2 ;", "{ (x = 1); }", '|'},
    {"x = (a | b) + c[d || e] ;", "{ (x = ((a | b) + c[(d || e)])); }", ';'},
    {"if (a || b) { x = 1; y = c | d; } else y = 2 | z = 1",
     "{ if ((a || b)) { (x = 1); (y = (c | d)); } else (y = 2); }", '|'},
    {"while (f.load() == 0) ; ", "{ while ((f.load() == 0)) ; }", ';'},
    {"L: x = 1 | y = 1", "{ L: (x = 1); }", '|'},
    {"int r = 3 ;", "{ i32 r = 3; }", ';'},
    {"return | x = 1", "{ return; }", '|'},
    {" | x", "{ }", '|'},
};

static void cells_end_outside_of_brackets(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(cells); i++) {
        struct fixture f = start(cells[i].text);
        uint32_t offset = 0;
        const struct cpp_stmt *block = cpp_parse_cell(f.arena, f.source, &offset, &f.diags);
        no_errors(&f);
        g_assert_cmpstr(cpp_show_stmt(f.arena, block), ==, cells[i].tree);
        g_assert_cmpint(cells[i].text[offset], ==, cells[i].mark);
        end(f);
    }
}

/* ---- errors --------------------------------------------------------------------------------- */

static const struct {
    const char *text, *headlines; /* joined by newlines */
} wrong[] = {
    {"x = ; y = 2; z = (1;", "1:5: S004: expected an expression, found ';'\n"
                             "1:20: S004: expected ')', found ';'"},
    {"if x", "1:4: S004: expected '(' and a condition, found 'x'"},
    {"auto f = [1](int i) { return i; };",
     "1:11: S004: expected what the lambda captures, found '1'"},
    {"asm volatile(\"fence;\");", "1:1: S006: inline assembly is not read: write the test in PTX"},
    {"for (auto a : ) ;", "1:15: S004: expected an expression, found ')'"},
    {"int short long x;", "1:1: S004: these words make no type"},
    {"#include <atomic>\nx = 1;", "1:1: S006: the preprocessor's directives are not read"},
    {"x = 08;", "1:5: S003: '08' is no number of at most 64 bits"},
    {"x = 99999999999999999999;",
     "1:5: S003: '99999999999999999999' is no number of at most 64 bits"},
    {"x = \"abc\ny = 1;", "1:5: S002: this string has no end\n"
                          "2:1: S004: expected ';' after the statement, found 'y'"},
    {"x = 1; /* no end", "1:8: S002: this comment has no end"},
    {"x = 1 ` 2;", "1:7: S001: '`' does not belong here\n"
                   "1:9: S004: expected ';' after the statement, found '2'"},
    {"{ x = 1 } y 2;", "1:9: S004: expected ';' after the statement, found '}'\n"
                       "1:13: S004: expected ';' after the statement, found '2'"},
    {"{ x = 1;", "1:9: S004: expected '}', found the end of the text"},
};

static void errors_are_several_a_run(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        struct fixture f = start(wrong[i].text);
        uint32_t offset = 0;
        GString *all = g_string_new(NULL);
        g_assert_null(cpp_parse_statements(f.arena, f.source, &offset, &f.diags));
        for (uint32_t k = 0; k < f.diags.items.len; k++)
            g_string_append_printf(all, "%s%s", k ? "\n" : "",
                                   diag_headline(f.arena, &f.diags.items.at[k]) +
                                       strlen("t.litmus:"));
        g_assert_cmpstr(all->str, ==, wrong[i].headlines);
        g_string_free(all, TRUE);
        end(f);
    }
}

/* Text that repeats 'part' so often is refused, and not by the stack. */
static void too_deep(const char *before, const char *part, const char *after, unsigned times)
{
    GString *text = g_string_new(before);
    for (unsigned i = 0; i < times; i++)
        g_string_append(text, part);
    g_string_append(text, after);
    struct fixture f = start(text->str);
    uint32_t offset = 0;
    g_assert_null(cpp_parse_statements(f.arena, f.source, &offset, &f.diags));
    g_assert_cmpint(f.diags.items.at[0].id, ==, DIAG_cpp_too_deep);
    end(f);
    g_string_free(text, TRUE);
}

static void depth_is_bounded(void)
{
    too_deep("x = ", "(", "1;", 100000);
    too_deep("x = ", "-", "1;", 100000);
    too_deep("x = 1", " + 1", ";", 100000);
    too_deep("x = a", ".b", ";", 100000);
    too_deep("", "{", "", 100000);
    too_deep("", "if (a) ", ";", 100000);
    too_deep("", "a = ", "1;", 100000);
    too_deep("x = a ? ", "b ? ", "c;", 100000);
    too_deep("int ", "*", "p;", 100000);
    too_deep("int p", "[1]", ";", 100000);
    too_deep("x = f(", "{", "", 100000);
    too_deep("", "a:", ";", 100000);
}

/* Random bytes and random tokens end without a fault. */
static void nonsense_is_refused_in_peace(void)
{
    static const char *const parts[] = {
        "if",          "(",    ")",   "{",      "}", "x", "int",  "<",     ">",   ">>",    "<<<",
        ">>>",         "::",   "a.b", "=",      "1", ";", "|",    "||",    "[",   "]",     ",",
        "while",       "do",   "for", "?",      ":", "*", "&",    "const", "0x1", "\"s\"", "sizeof",
        "static_cast", "auto", "'",   "return", "T", "-", "else", "goto",  "@"};
    GRand *random = g_rand_new_with_seed(7);
    for (int round = 0; round < 3000; round++) {
        GString *text = g_string_new(NULL);
        for (int i = g_rand_int_range(random, 1, 40); i > 0; i--) {
            if (g_rand_int_range(random, 0, 60) == 0)
                g_string_append_c(text, (char)g_rand_int_range(random, 1, 256));
            g_string_append(text, parts[g_rand_int_range(random, 0, G_N_ELEMENTS(parts))]);
            g_string_append(text, g_rand_boolean(random) ? " " : "");
        }
        struct fixture f = start(text->str);
        uint32_t offset = 0;
        const struct cpp_stmt *block =
            round & 1 ? cpp_parse_cell(f.arena, f.source, &offset, &f.diags)
                      : cpp_parse_statements(f.arena, f.source, &offset, &f.diags);
        if (block)
            cpp_show_stmt(f.arena, block);
        g_assert_true(!block == (f.diags.errors > 0));
        end(f);
        g_string_free(text, TRUE);
    }
    g_rand_free(random);
}

/* ---- programs ------------------------------------------------------------------------------- */

static struct cpp_program program_of(struct fixture *f, uint32_t *offset)
{
    struct cpp_program program;
    bool good = cpp_read_program(f->arena, f->source, offset, &f->diags, &program);
    no_errors(f);
    g_assert_true(good);
    return program;
}

static const struct {
    const char *init, *code, *instructions; /* of the only thread */
} threads[] = {
    /* plain accesses and registers */
    {"int x;", "x = 1; r = x;", "0: st.weak.s32 [x], 1\n1: ld.weak.s32 r, [x]\n"},
    {"int x; unsigned y; long long z; uint8_t b;", "y = x; z = y; b = z; int r = b;",
     "0: ld.weak.s32 %1, [x]\n1: st.weak.u32 [y], %1\n2: ld.weak.u32 %2, [y]\n"
     "3: cvt.s64.u32 %3, %2\n4: st.weak.s64 [z], %3\n5: ld.weak.s64 %4, [z]\n"
     "6: cvt.s32.u8 %5, %4\n7: st.weak.u8 [b], %5\n8: ld.weak.u8 r, [b]\n"},
    {"int x;", "x += 2; r = x++; ++x;",
     "0: ld.weak.s32 %1, [x]\n1: add.s32 %2, %1, 2\n2: st.weak.s32 [x], %2\n"
     "3: ld.weak.s32 %3, [x]\n4: add.s32 %4, %3, 1\n5: st.weak.s32 [x], %4\n6: mov.s32 r, %3\n"
     "7: ld.weak.s32 %5, [x]\n8: add.s32 %6, %5, 1\n9: st.weak.s32 [x], %6\n"},
    {"int a[4];", "a[1 + 1] = 3; int i = 1; r = a[i];",
     "0: st.weak.s32 [a+8], 3\n1: mov.s32 i, 1\n2: mov.u64 %1, &a\n3: cvt.s64.s32 %2, i\n"
     "4: mul.s64 %3, %2, 4\n5: add.u64 %4, %1, %3\n6: ld.weak.s32 r, [%4]\n"},
    {"int x;", "int *p = &x; *p = 1; p[1] = 2; int &y = x; y = 3;",
     "0: mov.u64 p, &x\n1: st.weak.s32 [p], 1\n2: st.weak.s32 [p+4], 2\n3: st.weak.s32 [x], 3\n"},
    /* atomic objects and their orders */
    {"cuda::std::atomic<int> x;", "r = x.load(); x.store(2, release); x.store(3, relaxed, block);",
     "0: ld.sc.sys.s32 r, [x]\n1: st.release.sys.s32 [x], 2\n2: st.relaxed.cta.s32 [x], 3\n"},
    {"cuda::atomic<int, cuda::thread_scope_device> f = 0;",
     "f = 1; r = f; f++; f.load(memory_order_consume); f.store(1, std::memory_order::relaxed);",
     "0: st.sc.gpu.s32 [f], 1\n1: ld.sc.gpu.s32 r, [f]\n2: atom.sc.gpu.add.s32 %1, [f], 1\n"
     "3: ld.acquire.gpu.s32 %2, [f]\n4: st.relaxed.gpu.s32 [f], 1\n"},
    {"cuda::std::atomic<unsigned> f;",
     "r = f.fetch_sub(1, mo_acq_rel); s = f.fetch_max(3, rlx, thread);",
     "0: atom.acq_rel.sys.add.u32 r, [f], 4294967295\n1: atom.relaxed.max.u32 s, [f], 3\n"},
    {"long long x;",
     "cuda::atomic_ref<long long, cuda::thread_scope_cluster> a(x); a += 2; a.exchange(-1, sc);"
     "::cuda::std::atomic_ref<long long>(x).fetch_or(8, cuda::std::memory_order_release);",
     "0: atom.sc.cluster.add.u64 %1, [x], 2\n1: atom.sc.cluster.exch.b64 %2, [x], -1\n"
     "2: atom.release.sys.or.b64 %3, [x], 8\n"},
    {"cuda::std::atomic<int> x;",
     "int e = 1; if (x.compare_exchange_strong(e, 2, acq_rel)) r = e;"
     "r1 = x.compare_exchange_weak(e, 3, relaxed, acquire, device);",
     "0: mov.s32 e, 1\n1: atom.acq_rel/acquire.sys.cas.b32 %1, [x], e, 2\n"
     "2: setp.eq.s32 %2, %1, e\n3: mov.s32 e, %1\n4: @!%2 bra L6\n5: mov.s32 r, e\n"
     "6: atom.relaxed/acquire.gpu.cas.b32 %3, [x], e, 3\n7: setp.eq.s32 %4, %3, e\n"
     "8: mov.s32 e, %3\n9: selp.s32 r1, 1, 0, %4\n"},
    {"atomic_int x;",
     "r = atomic_load_explicit(&x, memory_order_relaxed); atomic_fetch_add(&x, 2);"
     "atomicExch(&x, 1); atomicCAS_system(&x, 1, 0);",
     "0: ld.relaxed.sys.s32 r, [x]\n1: atom.sc.sys.add.s32 %1, [x], 2\n"
     "2: atom.relaxed.gpu.exch.b32 %2, [x], 1\n"
     "3: atom.relaxed/relaxed.sys.cas.b32 %3, [x], 1, 0\n"},
    /* fences and barriers */
    {"int x;",
     "fence(release, block); atomic_thread_fence(seq_cst); fence(relaxed); fence(sc, thread);"
     "__threadfence(); __threadfence_block(); __threadfence_system(); __syncthreads();"
     "__syncwarp(); cg::this_thread_block().sync(); atomic_signal_fence(seq_cst);",
     "0: fence.release.cta\n1: fence.sc.sys\n2: fence.sc.gpu\n3: fence.sc.cta\n4: fence.sc.sys\n"
     "5: barrier.sync 0\n6: bar.warp.sync 4294967295\n7: barrier.sync 0\n"},
    /* volatile, pointers */
    {"volatile int x; int y;", "x = 1; r = x; s = *(volatile int *)&y;",
     "0: st.relaxed.sys.s32 [x], 1\n1: ld.relaxed.sys.s32 r, [x]\n2: ld.relaxed.sys.s32 s, [y]\n"},
    {"int y; cuda::std::atomic<int *> p;", "p.store(&y, relaxed); p += 2; r = p.load(acquire);",
     "0: st.relaxed.sys.u64 [p], &y\n1: atom.sc.sys.add.u64 %1, [p], 8\n"
     "2: ld.acquire.sys.u64 r, [p]\n"},
    /* control */
    {"enum { A, B }; int x;", "switch (x) { case B: r = 1; break; default: r = 2; }",
     "0: ld.weak.s32 %1, [x]\n1: setp.eq.s32 %2, %1, 1\n2: @%2 bra L4\n3: bra L6\n"
     "4: mov.s32 r, 1\n5: bra L7\n6: mov.s32 r, 2\n"},
    {"cuda::std::atomic<int> f; int x;", "if (f.load(acquire) != 1) return; r = x;",
     "0: ld.acquire.sys.s32 %1, [f]\n1: setp.ne.s32 %2, %1, 1\n2: @%2 bra L4\n"
     "3: ld.weak.s32 r, [x]\n"},
    {"cuda::std::atomic<int> x;", "while (x.load(acquire) == 0); r = 1;",
     "0: ld.acquire.sys.s32 %1, [x]\n1: setp.eq.s32 %2, %1, 0\n2: @%2 bra L0\n3: mov.s32 r, 1\n"},
    {"int x;", "if (x) r = 1; else r = 2;",
     "0: ld.weak.s32 %1, [x]\n1: setp.ne.s32 %2, %1, 0\n2: @!%2 bra L5\n3: mov.s32 r, 1\n"
     "4: bra L6\n5: mov.s32 r, 2\n"},
    {"int x;", "int a = x, b = x; if (a && b || !a) r = 1; s = a || b;",
     "0: ld.weak.s32 a, [x]\n1: ld.weak.s32 b, [x]\n2: setp.ne.s32 %1, a, 0\n3: @!%1 bra L6\n"
     "4: setp.ne.s32 %2, b, 0\n5: @%2 bra L8\n6: setp.ne.s32 %3, a, 0\n7: @%3 bra L9\n"
     "8: mov.s32 r, 1\n9: mov.s32 %4, 0\n10: setp.ne.s32 %5, a, 0\n11: @%5 bra L14\n"
     "12: setp.ne.s32 %6, b, 0\n13: @!%6 bra L15\n14: mov.s32 %4, 1\n15: mov.s32 s, %4\n"},
    {"int x;", "for (int i = 0; i < 2; i++) { if (i == 1) break; x = i; }",
     "0: mov.s32 i, 0\n1: setp.lt.s32 %1, i, 2\n2: @!%1 bra L8\n3: setp.eq.s32 %2, i, 1\n"
     "4: @%2 bra L8\n5: st.weak.s32 [x], i\n6: add.s32 i, i, 1\n7: bra L1\n"},
    {"int x;", "do { if (x) continue; x = 1; } while (x == 1);",
     "0: ld.weak.s32 %1, [x]\n1: setp.ne.s32 %2, %1, 0\n2: @%2 bra L4\n3: st.weak.s32 [x], 1\n"
     "4: ld.weak.s32 %3, [x]\n5: setp.eq.s32 %4, %3, 1\n6: @%4 bra L0\n"},
    {"int x;",
     "goto end; again: x = 1; goto again; end:", "0: bra L3\n1: st.weak.s32 [x], 1\n2: bra L1\n"},
    {"int x;", "{ int r = 1; x = r; } { int r = 2; x = r; }",
     "0: mov.s32 r, 1\n1: st.weak.s32 [x], r\n2: mov.s32 r$2, 2\n3: st.weak.s32 [x], r$2\n"},
    /* what is known is computed */
    {"int x;", "x = (1 + 2 * 3 - 4 / 2) << 1 | sizeof(int); x = -1 < 1u; x = (unsigned char)300;",
     "0: st.weak.s32 [x], 14\n1: st.weak.s32 [x], 0\n2: st.weak.s32 [x], 44\n"},
    {"int x;", "if (0) x = 1; while (true) { x = 2; break; }",
     "0: bra L2\n1: st.weak.s32 [x], 1\n2: st.weak.s32 [x], 2\n3: bra L5\n4: bra L2\n"},
    {"int x;", "int a = x; r = a ? 1 : 2ll; s = -a; t = ~a; u = !a; b = (a == 1);",
     "0: ld.weak.s32 a, [x]\n1: setp.ne.s32 %1, a, 0\n2: @!%1 bra L5\n3: mov.s64 %2, 1\n"
     "4: bra L6\n5: mov.s64 %2, 2\n6: mov.s64 r, %2\n7: sub.s32 s, 0, a\n8: xor.b32 t, a, -1\n"
     "9: setp.eq.s32 %3, a, 0\n10: selp.s32 u, 1, 0, %3\n11: setp.eq.s32 %4, a, 1\n"
     "12: selp.s32 b, 1, 0, %4\n"},
};

static void threads_become_instructions(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(threads); i++) {
        char *text =
            g_strdup_printf("{ %s }\nP0 { %s }\nexists (0:r=1)", threads[i].init, threads[i].code);
        struct fixture f = start(text);
        uint32_t offset = 0;
        struct cpp_program program = program_of(&f, &offset);
        g_assert_cmpuint(program.bodies.len, ==, 1);
        g_assert_cmpstr(cpp_show_body(f.arena, &program, &program.bodies.at[0]), ==,
                        threads[i].instructions);
        g_assert_cmpint(strncmp(text + offset, "exists", 6), ==, 0);
        end(f);
        g_free(text);
    }
}

static void columns_and_blocks_are_one(void)
{
    static const char *const texts[] = {
        "{ int x = 0; cuda::atomic<int, cuda::thread_scope_device> f{0}; }\n"
        " P0@cta 0,gpu 0 | P1@cta 1 ;\n"
        " x = 1 | if (f.load(acquire, device) == 2) r = x ;\n"
        " f.store(1 | 2, release) | ;\n"
        " | r1 = (f || x) ;\n"
        "~exists (1:r=0)",
        "{ x = 0; cuda::atomic<int, cuda::thread_scope_device> f = 0; }\n"
        "P0@block 0,device 0 { x = 1; f.store(3, cuda::memory_order_release); }\n"
        "P1 (int *x) @cta 1 {\n"
        "  if (f.load(std::memory_order_acquire) == 2) r = *x; /* read */ \n"
        "  r1 = f || *x;\n}\n"
        "~exists (1:r=0)"};
    const char *shown[2][2];
    struct fixture f[2];
    for (int i = 0; i < 2; i++) {
        uint32_t offset = 0;
        f[i] = start(texts[i]);
        struct cpp_program program = program_of(&f[i], &offset);
        g_assert_cmpuint(program.columns.len, ==, 2);
        g_assert_cmpuint(program.columns.at[0].cta, ==, 0);
        g_assert_cmpuint(program.columns.at[0].gpu, ==, 0);
        g_assert_cmpuint(program.columns.at[1].cta, ==, 1);
        g_assert_cmpuint(program.columns.at[1].gpu, ==, NONE);
        g_assert_cmpuint(program.locations.len, ==, 2);
        g_assert_cmpint(texts[i][offset], ==, '~');
        for (int k = 0; k < 2; k++)
            shown[i][k] = cpp_show_body(f[i].arena, &program, &program.bodies.at[k]);
    }
    for (int k = 0; k < 2; k++)
        g_assert_cmpstr(shown[0][k], ==, shown[1][k]);
    g_assert_cmpstr(shown[0][0], ==, "0: st.weak.s32 [x], 1\n1: st.release.gpu.s32 [f], 3\n");
    end(f[0]);
    end(f[1]);
}

static void the_initial_state_has_types_and_values(void)
{
    struct fixture f =
        start("{ int *p = &y + 1; unsigned y[3] = {1, 2 + 3}; shared uint8_t s @ cta 1, gpu 0;\n"
              "  cuda::atomic<long long> a(-7); int e[] = {4, 5}; P0:r = 3; 0:q = &y; }\n"
              "P0 { x2 = r; s2 = *q; }");
    uint32_t offset = 0;
    struct cpp_program program = program_of(&f, &offset);
    const struct location *at = program.locations.at;
    g_assert_cmpuint(program.locations.len, ==, 5);
    g_assert_cmpint(at[0].type, ==, TYPE_U64);
    g_assert_cmpuint(at[0].init[0].address_of, ==, 1);
    g_assert_cmpuint(at[0].init[0].value, ==, 4);
    g_assert_cmpint(at[1].type, ==, TYPE_U32);
    g_assert_cmpuint(at[1].elements, ==, 3);
    g_assert_cmpuint(at[1].init[1].value, ==, 5);
    g_assert_cmpuint(at[1].init[2].value, ==, 0);
    g_assert_cmpint(at[2].space, ==, SPACE_SHARED);
    g_assert_cmpuint(at[2].cta, ==, 1);
    g_assert_cmpint((int64_t)at[3].init[0].value, ==, -7);
    g_assert_true(program.kinds.at[3].is_atomic);
    g_assert_cmpint(program.kinds.at[3].scope, ==, SCOPE_SYS);
    g_assert_cmpuint(at[4].elements, ==, 2);
    g_assert_cmpuint(program.bodies.at[0].init_count, ==, 2);
    g_assert_cmpuint(program.bodies.at[0].inits[1].address_of, ==, 1);
    g_assert_cmpstr(cpp_show_body(f.arena, &program, &program.bodies.at[0]), ==,
                    "0: mov.s32 x2, r\n1: ld.weak.u32 s2, [q]\n");
    end(f);
}

static const struct {
    const char *init, *code, *message; /* the first one */
} refused[] = {
    {"int x;", "y.store(1);", "S010: nothing is called 'y'"},
    {"int flag;", "r = flog;", "S010: nothing is called 'flog'"},
    {"cuda::std::atomic<int> x;", "x.lod();",
     "S011: an atomic object has load, store, exchange, "
     "compare_exchange_strong and _weak, fetch_add, _sub, _and, _or, _xor, "
     "_min and _max, wait, notify_one and is_lock_free, not 'lod'"},
    {"cuda::std::atomic<int> x;", "x.load(release);", "S013: a load cannot be release"},
    {"cuda::std::atomic<int> x;", "x.store(1, acq_rel);", "S013: a store cannot be acq_rel"},
    {"cuda::std::atomic<int> x;", "int e; x.compare_exchange_weak(e, 1, relaxed, release);",
     "S013: a compare and exchange that fails cannot be release"},
    {"cuda::std::atomic<int> x;", "x.load(aquire);",
     "S013: a memory order is relaxed, consume, acquire, release, "
     "acq_rel or seq_cst, not 'aquire'"},
    {"cuda::std::atomic<int> x;", "x.load(acquire, devise);",
     "S014: a scope is thread, block, cluster, device or system, not 'devise'"},
    {"int x;", "fence(block);", "S012: 'fence' takes an order, and a scope behind it"},
    {"cuda::std::atomic<int> x;", "x.store();", "S012: 'x.store' takes a value first"},
    {"cuda::std::atomic<int> x;", "x.compare_exchange_strong(0, 1);",
     "S012: compare_exchange writes what it finds to its first argument"},
    {"int x;", "foo(1);", "S011: nothing is called 'foo'"},
    {"int x;", "x.load();", "S015: only atomic objects have 'load'"},
    {"int x;", "int r; r.load();",
     "S015: an atomic operation is one on a location, not on a value of the thread"},
    {"int x;", "int r; int *p = &r;", "S015: a thread's own variable has no address"},
    {"int x;", "const int c = 1; c = 2;", "S015: this object is const"},
    {"int x;", "3 = x;", "S015: '3' is no object that can be written"},
    {"int x;", "float f = x;", "S015: 'float' is no type of a test"},
    {"int x;", "int *volatile p = &x;", "S015: 'int *volatile' is no type of a test"},
    {"int x;", "r = 1 / 0;", "S015: this operation has no value in C++"},
    {"int x;", "cuda::atomic_ref<long long> a(x);",
     "S015: an atomic_ref of this type does not refer to 'x'"},
    {"int x;", "break;", "S004: this stands outside of a loop"},
    {"int x;", "return 1;", "S004: a thread returns nothing"},
    {"int x;", "goto nowhere;", "L040: 'P0' has no label 'nowhere'"},
    {"int x;", "l: x = 1; l: x = 2;", "L041: label 'l' stands twice in 'P0'"},
    {"int x;", "__shared__ int s;", "S006: a thread declares variables of its own only"},
    {"int x;", "K<<<1, 1>>>();", "S006: 'K<<<1, 1>>>()' is not read in the code of a thread"},
    {"int x; int x;", "", "L012: location 'x' is declared twice"},
    {"uint8_t x = 300;", "", "L006: the number does not fit the 8 bits of 'x'"},
    {"int x[2] = {1, 2, 3};", "", "L015: 3 initial values for 2 elements"},
    {"int x = y;", "", "S010: nothing is called 'y'"},
    {"cuda::atomic<int, 3> x;", "", "S014: the second argument of 'atomic' is no scope"},
    {"P7:r = 1;", "", "L016: there is no such thread"},
};

static void what_threads_may_not_do_is_refused(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        char *text =
            g_strdup_printf("{ %s }\nP0 { %s }\nexists (0:r=1)", refused[i].init, refused[i].code);
        struct fixture f = start(text);
        struct cpp_program program;
        uint32_t offset = 0;
        g_assert_false(cpp_read_program(f.arena, f.source, &offset, &f.diags, &program));
        const char *line = diag_headline(f.arena, &f.diags.items.at[0]);
        g_assert_cmpstr(strchr(line, ' ') + 1, ==, refused[i].message);
        end(f);
        g_free(text);
    }
}

static void errors_of_several_threads_are_reported(void)
{
    struct fixture f =
        start("{ atomic_int x; }\n P0 | P1 ;\n x = = 1 | y.load() ;\n x = 2 | x.load(bad) ;\n"
              "exists (x=1)");
    struct cpp_program program;
    uint32_t offset = 0;
    g_assert_false(cpp_read_program(f.arena, f.source, &offset, &f.diags, &program));
    g_assert_cmpuint(f.diags.errors, ==, 3);
    end(f);
}

/* Random programs of plausible parts end without a fault, and what is good keeps its promises. */
static void random_programs_are_read_in_peace(void)
{
    static const char *const parts[] = {"x = ",
                                        "r0",
                                        " = ",
                                        "x",
                                        "f",
                                        ".load(",
                                        ".store(",
                                        ")",
                                        "(",
                                        "1",
                                        "acquire",
                                        ", ",
                                        "; ",
                                        "if (",
                                        "while (",
                                        "{ ",
                                        "} ",
                                        "int r",
                                        "&",
                                        "*",
                                        "a[",
                                        "]",
                                        " + ",
                                        " && ",
                                        " || ",
                                        " ? ",
                                        " : ",
                                        "p",
                                        "++",
                                        "f.compare_exchange_weak(",
                                        "fence(seq_cst",
                                        "return",
                                        "break",
                                        "do ",
                                        "for (",
                                        "sizeof",
                                        "(long long)",
                                        "cuda::atomic_ref<int>(",
                                        "L:",
                                        "goto L",
                                        "-",
                                        "!",
                                        "else "};
    GRand *random = g_rand_new_with_seed(11);
    unsigned good = 0;
    for (int round = 0; round < 20000; round++) {
        GString *text =
            g_string_new("{ int x; cuda::atomic<int> f; int a[3]; int *p = &x; P0:r = 1; } P0 { ");
        for (int i = g_rand_int_range(random, 1, 14); i > 0; i--)
            g_string_append(text, parts[g_rand_int_range(random, 0, G_N_ELEMENTS(parts))]);
        g_string_append(text, "; }");
        struct fixture f = start(text->str);
        struct cpp_program program;
        uint32_t offset = 0;
        if (cpp_read_program(f.arena, f.source, &offset, &f.diags, &program)) {
            cpp_show_body(f.arena, &program, &program.bodies.at[0]);
            good++;
        } else
            g_assert_cmpuint(f.diags.errors, >, 0);
        end(f);
        g_string_free(text, TRUE);
    }
    g_assert_cmpuint(good, >, 0);
    g_rand_free(random);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cpp/marks", the_longest_mark_is_read);
    g_test_add_func("/cpp/numbers", numbers_have_the_types_of_cpp);
    g_test_add_func("/cpp/expressions", expressions_have_their_precedence);
    g_test_add_func("/cpp/statements", statements_are_read);
    g_test_add_func("/cpp/brace", statements_end_at_a_brace_of_somebody_else);
    g_test_add_func("/cpp/spans", spans_tell_where_things_stand);
    g_test_add_func("/cpp/cells", cells_end_outside_of_brackets);
    g_test_add_func("/cpp/errors", errors_are_several_a_run);
    g_test_add_func("/cpp/depth", depth_is_bounded);
    g_test_add_func("/cpp/nonsense", nonsense_is_refused_in_peace);
    g_test_add_func("/cpp/threads", threads_become_instructions);
    g_test_add_func("/cpp/columns", columns_and_blocks_are_one);
    g_test_add_func("/cpp/init", the_initial_state_has_types_and_values);
    g_test_add_func("/cpp/refused", what_threads_may_not_do_is_refused);
    g_test_add_func("/cpp/several", errors_of_several_threads_are_reported);
    g_test_add_func("/cpp/random", random_programs_are_read_in_peace);
    return g_test_run();
}
