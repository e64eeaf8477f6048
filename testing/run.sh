#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs all tests: the plugin and the C tests in build/release, then the C tests again without
# ParaView (build/core) and under the sanitizers (build/asan). On Debian 12 it compiles the plugin with
# the headers of Debian 13's ParaView, too. Installs what is missing with apt. The last line is the sum;
# the exit status is 0 only if nothing failed. `run.sh PRESET [CTEST OPTION...]` runs the tests of one
# build. With TESSERA_PATIENCE=4 each step may take four times its time.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

need_packages "${packages_plugin[@]}" "${packages_demo[@]}" "${packages_tests[@]}"

presets=(release core asan)
later=no # whether to compile with a later ParaView's headers
[ "$(. /etc/os-release 2>/dev/null && printf '%s' "${VERSION_CODENAME:-}")" != bookworm ] || later=13
if [ $# -gt 0 ]; then
  presets=("$1") later=no
  shift
fi
options=("$@") # of ctest

passed=0 failed=0 skipped=0

# attribute FILE NAME: a number from the first element of a JUnit file.
attribute() { sed -n "s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1; }

run_tests() {
  local preset=$1 results="$PWD/build/$1/tests.xml" status=0
  say "Testing build/$preset"
  rm -f "$results"
  timeout "$((1800 * patience))" ctest --preset "$preset" --output-junit "$results" "${options[@]}" || status=$?
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

for preset in "${presets[@]}"; do configure "$preset" -D TESSERA_WERROR=ON; done
for preset in "${presets[@]}"; do build "$preset"; done
[ "$later" = no ] || try_headers "$later"
for preset in "${presets[@]}"; do run_tests "$preset"; done

printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]
