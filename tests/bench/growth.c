/* SPDX-License-Identifier: MIT
 *
 * Writes a litmus test of a family that grows. growth ring|chain|iriw N
 *   ring   store buffering of N threads in a ring, a fence.sc in each
 *   chain  message passing through N release/acquire hops
 *   iriw   N writers and N readers of one location, each reader reading twice: do two readers
 * disagree? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin(const char *family, unsigned n, unsigned threads)
{
    printf("PTX %s-%u\n{ }\n", family, n);
    for (unsigned t = 0; t < threads; t++)
        printf(" P%u@cta %u,gpu 0 %s", t, t, t + 1 < threads ? "|" : ";\n");
}

static void next(unsigned t, unsigned threads)
{
    printf(" %s", t + 1 < threads ? "|" : ";\n");
}

static void ring(unsigned n)
{
    begin("ring", n, n);
    for (unsigned t = 0; t < n; t++) {
        printf(" st.relaxed.gpu x%u, 1", t);
        next(t, n);
    }
    for (unsigned t = 0; t < n; t++) {
        printf(" fence.sc.gpu");
        next(t, n);
    }
    for (unsigned t = 0; t < n; t++) {
        printf(" ld.relaxed.gpu r0, x%u", (t + 1) % n);
        next(t, n);
    }
    printf("exists (");
    for (unsigned t = 0; t < n; t++)
        printf("%s%u:r0=0", t ? " /\\ " : "", t);
    printf(")\n");
}

/* P0 writes the data and the first flag, the others pass the flag on; the last one looks at the
 * data. */
static void chain(unsigned n)
{
    unsigned threads = n + 1;

    begin("chain", n, threads);
    for (unsigned t = 0; t < threads; t++) {
        if (t == 0)
            printf(" st.weak d, 1");
        else
            printf(" ld.acquire.gpu r0, f%u", t - 1);
        next(t, threads);
    }
    for (unsigned t = 0; t < threads; t++) {
        if (t < n)
            printf(" st.release.gpu f%u, 1", t);
        else
            printf(" ld.weak r1, d");
        next(t, threads);
    }
    printf("exists (");
    for (unsigned t = 1; t < threads; t++)
        printf("%u:r0=1 /\\ ", t);
    printf("%u:r1=0)\n", n);
}

static void iriw(unsigned n)
{
    unsigned threads = 2 * n;

    begin("iriw", n, threads);
    for (unsigned t = 0; t < threads; t++) {
        if (t < n)
            printf(" st.relaxed.gpu x, %u", t + 1);
        else
            printf(" ld.relaxed.gpu r0, x");
        next(t, threads);
    }
    for (unsigned t = 0; t < threads; t++) {
        if (t >= n)
            printf(" ld.relaxed.gpu r1, x");
        next(t, threads);
    }
    /* Reader i sees write i before write i + 1 around the ring: coherence would be a cycle. */
    printf("exists (");
    for (unsigned i = 0; i < n; i++)
        printf("%s%u:r0=%u /\\ %u:r1=%u", i ? " /\\ " : "", n + i, i + 1, n + i, (i + 1) % n + 1);
    printf(")\n");
}

int main(int argc, char **argv)
{
    unsigned n = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;

    if (n < 2 || n > 4096) {
        fprintf(stderr, "usage: growth ring|chain|iriw N (2 to 4096)\n");
        return 2;
    }
    if (!strcmp(argv[1], "ring"))
        ring(n);
    else if (!strcmp(argv[1], "chain"))
        chain(n);
    else if (!strcmp(argv[1], "iriw"))
        iriw(n);
    else
        return 2;
    return 0;
}
