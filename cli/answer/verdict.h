/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_VERDICT_H
#define CLI_ANSWER_VERDICT_H

/* What is said of one test, and the exit status of many. */
enum verdict { VERDICT_HOLDS, VERDICT_FAILS, VERDICT_UNDECIDED, VERDICT_ERROR, VERDICT_COUNT };

enum { EXIT_HOLDS, EXIT_FAILS, EXIT_WRONG_INPUT, EXIT_UNDECIDED, EXIT_INTERRUPTED = 130 };

/* What became of what a test itself expects of the model in use. */
enum expect_status {
    EXPECT_NONE,    /* it expects nothing of this model */
    EXPECT_MET,     /* all that it expects is so */
    EXPECT_OPEN,    /* what it expects could not be decided */
    EXPECT_MISSED,  /* something is different */
    EXPECT_UNKNOWN, /* a word that ptxlit does not know: in 'diags' of the job */
    EXPECT_COUNT
};

const char *verdict_word(enum verdict verdict);

#endif
