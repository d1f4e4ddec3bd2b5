#!/bin/sh
# SPDX-License-Identifier: MIT
# One shard of an enumeration: OUT/K.out is there when it is whole, with what was said of it in OUT/K.err.
#   shard.sh K N OUT generate OPTION…               tests
#   shard.sh K N OUT check OPTION OF 'generate'…    a line of JSON for each generated test
#   shard.sh K N OUT map --mapping NAME --bound N   how many programs, and what was found
#   shard.sh K N OUT compare-models A B OPTION…     a line of JSON for each generated test that tells the models apart
set -u
shard=$1 shards=$2 out=$3 command=$4
shift 4
mine=$out/$shard.$$ # of this attempt; what one before left is not touched
[ ! -f "$out/$shard.out" ] || exit 0
mkdir -p "$out"

make() {
    case $command in
    generate) ptxlit generate --shard "$shard/$shards" "$@" ;;
    map) ptxlit map --shard "$shard/$shards" --no-time "$@" ;;
    compare-models) ptxlit compare-models "$@" --generate --shard "$shard/$shards" --json --no-time ;;
    check)
        ptxlit generate --shard "$shard/$shards" "$@" >"$mine.litmus" || return
        ptxlit check --json --no-time - <"$mine.litmus"
        ;;
    esac
}

make "$@" >"$mine.part" 2>"$mine.said"
status=$?
rm -f "$mine.litmus"
# Status 1 and 3 say something about the tests, unless a worker was killed before it had looked at its part.
case $status in 0 | 1 | 3) ;; *) cat "$mine.said" >&2 && exit 2 ;; esac
if grep 'was lost' "$mine.said" >&2; then exit 2; fi
mv "$mine.said" "$out/$shard.err" && mv "$mine.part" "$out/$shard.out"
