#!/bin/sh
# SPDX-License-Identifier: MIT
#SBATCH --array=1-8
#SBATCH --requeue
#SBATCH --open-mode=append
# A report as a Slurm array, a task a shard. A task whose worker is killed puts itself into the queue again and goes on where it was.
#   job=$(sbatch --parsable slurm.sh OUT FILE|DIR…)
#   sbatch --dependency=afterany:$job --wrap "ptxlit merge OUT/shard*/report.json -o OUT"
set -u
out=$1 shard=$SLURM_ARRAY_TASK_ID
shift
ptxlit report "$@" --jobs "${SLURM_CPUS_ON_NODE:-1}" --no-time --resume \
    -o "$out/shard$shard" --shard "$shard/$SLURM_ARRAY_TASK_COUNT"
status=$?
# Status 1 to 3 says something about the tests: only a signal is worth another try.
[ $status -lt 128 ] || scontrol requeue "$SLURM_JOB_ID"
exit $status
