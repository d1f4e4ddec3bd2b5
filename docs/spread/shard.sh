#!/bin/sh
# SPDX-License-Identifier: MIT
# One shard of generated tests, checked: OUT/K.json is there when it is whole.
#   shard.sh K N OUT OPTION OF 'ptxlit generate'…
set -u
shard=$1 shards=$2 out=$3
shift 3
mine=$out/$shard.$$ # of this attempt; what one before left is not touched
mkdir -p "$out"
[ ! -f "$out/$shard.json" ] || exit 0
ptxlit generate --shard "$shard/$shards" "$@" >"$mine.litmus" || exit
if [ -s "$mine.litmus" ]; then
    ptxlit check --json --no-time - <"$mine.litmus" >"$mine.part" 2>"$mine.err"
else
    : >"$mine.part"
fi
# Status 1 and 3 say something about the tests.
case $? in
0 | 1 | 3) mv "$mine.part" "$out/$shard.json" && rm -f "$mine.litmus" "$mine.err" ;;
*) exit 2 ;;
esac
