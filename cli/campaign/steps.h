/* SPDX-License-Identifier: MIT */
#ifndef CLI_CAMPAIGN_STEPS_H
#define CLI_CAMPAIGN_STEPS_H

#include "cli/work/batch.h"

/* The steps of a campaign, each on one test. A test that 'emit' cannot write is left out of each
 * of them; its diagnostics say why. */

test_work campaign_plan;   /* prints its mutants as tests */
test_work campaign_emit;   /* prints what the program for nvcc has of them */
test_work campaign_ingest; /* says which of them a GPU has shown: of the job's 'hardware' */

/* The mutation score, and how many mutants a second run of the same length is expected to see again. */
batch_summary campaign_score;

#endif
