# SPDX-License-Identifier: MIT
# Stands for nvcc in transcripts: "compiles" handover-fenced.cu to the PTX that is kept of it, and refuses anything else.
while [ $# -gt 0 ]; do
    case $1 in
    -o) output=$2; shift ;;
    -I) shift ;;
    -*) ;;
    *) input=$1 ;;
    esac
    shift
done
cmp -s "$input" handover-fenced.cu && exec cp handover-fenced.ptx "$output"
echo "${input##*/}(1): error: this is not handover-fenced.cu" >&2
exit 1
