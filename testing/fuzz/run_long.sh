#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes each target for ten minutes (or the given number of seconds), curves from a fresh seed
# corpus.
# Use: run_long.sh [SECONDS] [BUILD_FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-600}
build=${2:-$here/../../build/fuzz}
cmake -S "$here/../.." -B "$build" --preset fuzz
targets="fuzz_curves fuzz_discs fuzz_grid fuzz_ordering fuzz_pointgrid"
# shellcheck disable=SC2086
cmake --build "$build" --target $targets
python3 "$here/make_seeds.py" "$build/seeds/fuzz_curves"
mkdir -p "$build/artifacts"
for target in $targets; do
  mkdir -p "$build/corpus/$target" "$build/seeds/$target"
  "$build/testing/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -max_len=4096 -artifact_prefix="$build/artifacts/$target-" -print_final_stats=1 \
    "$build/corpus/$target" "$build/seeds/$target"
done
