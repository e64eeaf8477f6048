#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Tessera and runs its tests. Installs what is missing with apt. The last line is the sum; the exit
# status is 0 only if nothing failed.
#
#   run.sh                           the plugin in build/release and the tests of every filter in ParaView and of
#                                    the C core: at most ten minutes on two cores. It leaves out the tests labelled
#                                    `gui` and `long` and the Python package, and CUDA where there is no device
#   run.sh all                       everything but runs of four ranks beside seven (label fewer_ranks), as
#                                    continuous integration does: the plugin in build/release, with
#                                    CUDA where there is nvcc; the C tests without ParaView (build/core, with the
#                                    CUDA code on an emulated device) and under the sanitizers (build/asan);
#                                    on Debian 12 the plugin's sources with the headers of Debian 13's ParaView
#   run.sh PRESET [CTEST OPTION...]  the tests of one build
#
# With TESSERA_PATIENCE=4 each step may take four times its time.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

need_packages "${packages_plugin[@]}" "${packages_demo[@]}" "${packages_tests[@]}"

presets=("${1:-release}")
settings=(-D TESSERA_WERROR=ON)
later=no # whether to compile with a later ParaView's headers
options=("${@:2}") # of ctest, for the first preset
case ${1:-} in
  "")
    settings=("${short_build[@]}")
    options=(--label-exclude '^(gui|long)$')
    ;;
  all)
    [ $# -eq 1 ] || die "all takes no options: name a preset instead."
    presets=(release core asan)
    # Label core runs in build/core; of fewer ranks, 2 and 7 say enough.
    options=(--label-exclude '^(core|fewer_ranks)$')
    [ "$(. /etc/os-release 2>/dev/null && printf '%s' "${VERSION_CODENAME:-}")" != bookworm ] || later=13
    ;;
esac

passed=0 failed=0 skipped=0

# attribute FILE NAME: a number from the first element of a JUnit file.
attribute() { sed -n "s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1; }

# run_tests PRESET [CTEST OPTION...]
run_tests() {
  local preset=$1 results="$PWD/build/$1/tests.xml" status=0
  shift
  say "Testing build/$preset"
  rm -f "$results"
  timeout "$((2700 * patience))" ctest --preset "$preset" --output-junit "$results" "$@" || status=$?
  [ -s "$results" ] || die "ctest left no results for build/$preset (status $status)."
  local all bad left
  all=$(attribute "$results" tests)
  bad=$(attribute "$results" failures)
  left=$(($(attribute "$results" skipped) + $(attribute "$results" disabled)))
  [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
  passed=$((passed + all - bad - left))
  failed=$((failed + bad))
  skipped=$((skipped + left))
}

try_headers() {
  local status=0
  say "Compiling the plugin with the headers of Debian $1's ParaView"
  timeout "$((900 * patience))" bash testing/headers.sh "$1" || status=$?
  case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
}

for preset in "${presets[@]}"; do
  # Beside build/core, build/release needs no tests of the C core.
  core_tests=ON
  [ "$preset" != release ] || [ ${#presets[@]} -eq 1 ] || core_tests=OFF
  configure "$preset" "${settings[@]}" -D TESSERA_CORE_TESTS="$core_tests"
done
for preset in "${presets[@]}"; do build "$preset"; done
[ "$later" = no ] || try_headers "$later"
for preset in "${presets[@]}"; do run_tests "$preset" "${options[@]}"; options=(); done

printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]
