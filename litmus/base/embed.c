/* SPDX-License-Identifier: MIT
 *
 * Build-time helper: prints a file as the bytes of a C initializer, for the texts that are
 * built into the library. Usage: embed FILE > FILE.inc */
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file)
        return 2;
    int byte, column = 0;
    while ((byte = getc(file)) != EOF)
        printf("'\\x%02x',%s", (unsigned)byte, ++column % 20 ? "" : "\n");
    printf("0\n");
    return fclose(file);
}
