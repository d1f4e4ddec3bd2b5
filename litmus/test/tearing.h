/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_TEARING_H
#define LITMUS_TEST_TEARING_H

/* Which accesses are single copies: a read returns all bytes of a write or none, and of two writes
 * that race one remains whole. Copies and sets of the host are never single copies: they mix byte
 * by byte. */
enum tearing {
    TEARING_CUTS,  /* as far as no other access cuts what they touch: for models that say nothing of
                      it */
    TEARING_WHOLE, /* all of them */
    TEARING_BYTES, /* those that the model makes so; the others mix byte by byte */
};

#endif
