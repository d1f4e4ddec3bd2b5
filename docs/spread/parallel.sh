#!/bin/sh
# SPDX-License-Identifier: MIT
# A report in N shards with GNU parallel; a shard whose worker is killed is tried again and goes on where it was.
#   parallel.sh N OUT FILE|DIR…
# Over several machines that share the folder: PARALLEL='--sshloginfile hosts --workdir .' parallel.sh …
set -eu
shards=$1 out=$2
shift 2
mkdir -p "$out"

# Status 1 to 3 says something about the tests: only a signal is worth another try.
seq "$shards" | parallel -q --retries 3 --joblog "$out/joblog" sh -c '
    shard=$1 shards=$2 out=$3
    shift 3
    ptxlit report "$@" --no-time --resume -o "$out/shard$shard" --shard "$shard/$shards"
    test $? -lt 128' shard {} "$shards" "$out" "$@"

exec ptxlit merge "$out"/shard*/report.json -o "$out"
