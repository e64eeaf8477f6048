#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Plants the faults of mutants.txt in a copy of the source, one at a time, and runs the C tests on
# each; those named cuda/... stand in the CUDA code, and are for the tests on the emulated device. What no
# test notices is listed at the end; the exit status is 0 only if there is nothing.
# Use: mutants.sh [--check] [PATTERN]: only faults whose name matches; --check: looks them up only.
set -euo pipefail
cd "$(dirname "$0")/.."

check=0
[ "${1:-}" != --check ] || { check=1 && shift; }
pattern=${1:-.}
work=$PWD/build/mutants
copy=$work/source
table=$PWD/testing/mutants.txt
left_out='test_chord_error|test_threads|test_grid_threads|without_cases'
# Run where no quick test notices: ctest ends only when the tests that it has begun have ended.
slow='test_coarsen|test_equal_error|test_rounding|test_vertices|test_criteria'
slow+='|test_grid_rules|test_grid_ranks|test_grid_leaves'

rm -rf "$copy"
mkdir -p "$copy" "$work/logs"
git ls-files -z -c -o --exclude-standard CMakeLists.txt CMakePresets.json LICENSE cuda filters packaging testing tools |
  tar --null -T - -c | tar -x -m -C "$copy" # as new: what is built there may hold a fault

# plant FOLDER TEXT FAULT: in the one place of the folder that has TEXT; prints the file.
plant() {
  local where folder=$1
  shift
  where=$(grep -rFc -- "$1" "$copy/$folder" | grep -v ':0$' || true)
  if [ "$(printf '%s\n' "$where" | grep -c .)" != 1 ] || [ "${where##*:}" != 1 ]; then
    printf 'mutants.txt: this is not in %s/ exactly once, on one line: %s\n' "$folder" "$1" >&2
    return 1
  fi
  local file=${where%:*} text
  text=$(cat "$file")
  if [ $check -eq 0 ]; then
    printf '%s\n' "${text/"$1"/"$2"}" >"$file"
  fi
  printf '%s\n' "$file"
}

# test_copy NAME: 0 if all tests pass, 2 if it does not compile.
test_copy() {
  local label=core
  [[ $1 != cuda/* ]] || label=emulator
  local log=$work/logs/${1//\//_}.log
  nice cmake --build "$work/build" --parallel "${TESSERA_JOBS:-$(nproc)}" >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2 && return 2; }
  local run=(nice ctest --test-dir "$work/build" --stop-on-failure --timeout 120
    -j "${TESSERA_JOBS:-$(nproc)}" -L "$label")
  "${run[@]}" -E "$left_out|$slow" >>"$log" 2>&1 || return 1
  [ $label = emulator ] || "${run[@]}" -R "$slow" >>"$log" 2>&1
}

if [ $check -eq 0 ]; then
  # The emulated device only where it is asked for: it takes as long to compile as all the rest.
  emulator=OFF
  ! grep -o '^cuda/[^ ]*' "$table" | grep -qE -- "$pattern" || emulator=ON
  # Without cases, so that nothing is held by third-party data only; a fault may leave a warning.
  nice cmake -S "$copy" -B "$work/build" -G Ninja -D CMAKE_BUILD_TYPE=Release \
    -D TESSERA_PLUGIN=OFF -D TESSERA_CUDA=OFF -D TESSERA_EMULATOR=$emulator \
    -D TESSERA_CASES="$work/no_cases" >/dev/null
  test_copy unchanged || { echo "The tests fail without a fault; see $work/logs." >&2 && exit 1; }
fi

planted=0 survivors=()
while IFS= read -r line; do
  name=${line%% :: *} rest=${line#* :: }
  [[ $name =~ $pattern ]] || continue
  planted=$((planted + 1))
  folder=filters
  [[ $name != cuda/* ]] || folder=cuda
  file=$(plant $folder "${rest%% ==> *}" "${rest#* ==> }")
  [ $check -eq 0 ] || continue
  status=0
  test_copy "$name" || status=$?
  cp "${file/#"$copy"/"$PWD"}" "$file"
  [ $status -ne 2 ] || { echo "$name does not compile." >&2 && exit 1; }
  if [ $status -eq 0 ]; then
    survivors+=("$name")
    echo "SURVIVED $name"
  else
    echo "noticed  $name: $(grep -m 1 -o '[a-z]*/[a-z_]* \.\..*\*\*\*\(Failed\|Timeout\|Exception\)' "$work/logs/${name//\//_}.log" | cut -d ' ' -f 1)"
  fi
done < <(grep -v '^#' "$table" | grep .)

[ $planted -gt 0 ] || { echo "No fault is named like $pattern." >&2 && exit 1; }
[ $check -eq 0 ] || { echo "$planted faults fit." && exit 0; }
printf '\n%d of %d faults survived\n' "${#survivors[@]}" "$planted"
[ ${#survivors[@]} -eq 0 ] || { printf '%s\n' "${survivors[@]}" && exit 1; }
