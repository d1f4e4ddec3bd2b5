#!/bin/sh
# SPDX-License-Identifier: MIT
#SBATCH --array=1-8
#SBATCH --requeue
#SBATCH --open-mode=append
# An enumeration as a Slurm array, a task a shard. A task whose worker is killed puts itself into the queue again.
#   job=$(sbatch --parsable generated-slurm.sh PATH/TO/docs/spread OUT COMMAND OPTION…)
#   sbatch --dependency=afterany:$job --wrap "PATH/TO/docs/spread/count.sh 8 OUT"
set -u
here=$1 out=$2
shift 2
sh "$here/shard.sh" "$SLURM_ARRAY_TASK_ID" "$SLURM_ARRAY_TASK_COUNT" "$out" "$@"
status=$?
[ $status -lt 2 ] || scontrol requeue "$SLURM_JOB_ID"
exit $status
