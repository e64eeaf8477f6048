#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes for ten minutes (or the given number of seconds) from a fresh seed corpus.
# Use: run_long.sh [SECONDS] [BUILD_FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-600}
build=${2:-$here/../../build/fuzz}
cmake -S "$here/../.." -B "$build" --preset fuzz
cmake --build "$build" --target fuzz_curves
python3 "$here/make_seeds.py" "$build/seeds"
mkdir -p "$build/corpus" "$build/artifacts"
"$build/testing/fuzz/fuzz_curves" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
  -max_len=4096 -artifact_prefix="$build/artifacts/" -print_final_stats=1 "$build/corpus" "$build/seeds"
