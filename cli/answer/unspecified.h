/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_UNSPECIFIED_H
#define CLI_ANSWER_UNSPECIFIED_H

#include "cli/answer/job.h"
#include "litmus/test/host.h"

/* The name of a point where the sources say nothing, which --reading did not fix, and on whose
 * reading it depends whether the condition holds, or may depend, because the test cannot be unfolded
 * when the point is read the other way; NULL: there is none, or, when *open is set, that was not
 * decided. */
const char *unspecified_find(struct job *job, const struct solver_result *found, bool *open);

/* The verdict rests on whether a dependency has an effect, which took too much work to decide, or on
 * executions that are not tried (semantic_cut_short). To be
 * asked last: the graphs are left without such dependencies. */
bool unspecified_dependency(struct job *job, const struct solver_result *found);

/* What a test allows where one open point is read the other way. */
struct other_reading {
    const char *name;                  /* of the point; NULL: the reading taken, see below */
    const struct solver_result *found; /* NULL: not known */
};
struct other_readings {
    uint32_t count;
    struct other_reading at[HOST_READING_COUNT + 1];
};
/* Of the job's test, for each point that is open but for those 'fixed' (bits as job->fixed), one at a
 * time; and for the reading taken, when it is not known of every dependency whether it has an effect.
 * Nothing is left out: what may be allowed is taken for allowed. To be asked last, as
 * unspecified_dependency. */
struct other_readings unspecified_readings(struct job *job, uint32_t fixed);
/* One under which a state that is not allowed is allowed, or may be; NULL: it is forbidden. */
const struct other_reading *unspecified_state(const struct other_readings *others,
                                              const uint64_t *values);

#endif
