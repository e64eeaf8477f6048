#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Prints the tables of figures that docs/speed.md holds, by the benchmarks of this folder.
#
#   tables.sh                    lists the tables: name, device, command; fails where the page lacks one
#   tables.sh [--write] NAME...  prints these; "cpu" and "gpu" stand for all of a kind
#
# With --write each table also replaces the lines of docs/speed.md between `<!-- table NAME -->` and
# `<!-- end -->`. A table whose programs or device are missing is left out with a sentence, and its lines
# stay; the exit status is 1 where a benchmark fails. Run it where nothing else runs.
#
# What it takes: the benchmarks in build/cuda, build/release or build/core, the first that has them (or
# TESSERA_BENCH, a folder of programs); for those in Python pvpython on PATH (or TESSERA_PVPYTHON) and the
# plugin in build/release (or TESSERA_PLUGIN_FILE). TESSERA_VTK_PYTHON is a Python with the wheel `vtk` of
# PyPI, for the filters that bench_defaults.py runs beside Tessera's; without it they are left out.
# TESSERA_PINNED is the bandwidth of a page-locked copy in GB/s, as bench_cuda prints it, which floors of
# whole filters are computed from.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=docs/speed.md
pinned=${TESSERA_PINNED:-55.4}

# NAME KIND COMMAND: a command that begins with bench_ is a program, unless it ends with .py.
tables=(
  "defaults         cpu bench_defaults.py"
  "curves-filters   cpu bench_filters.py"
  "curves-segments  cpu bench_curves"
  "curves-coarsen   cpu bench_coarsen 3 1000000"
  "grid-plan        cpu bench_grid 512 1"
  "grid-octree      cpu bench_octree 96 3 1"
  "grid-mesh        cpu bench_mesh all 40 1"
  "cells-surface    cpu bench_cells.py 16"
  "cells-volumes    cpu bench_solids 16 1"
  "pointgrid-trees  cpu bench_pointgrid.py 1"
  "pointgrid-plan   cpu bench_pointgrid 10 2"
  "ordering-sort    cpu bench_ordering 10000000 2"
  "ordering-filters cpu bench_ordering.py"
  "discs-scenes     cpu bench_discs 2"
  "discs-filters    cpu bench_discs.py"
  "curves-cuda      gpu bench_cuda"
  "curves-kernels   gpu bench_curve_kernels"
  "curves-vtk       gpu bench_curves_backends.py PLUGIN --cpu --pinned $pinned"
  "curves-first     gpu bench_backends.py PLUGIN --pinned $pinned"
  "grid-cuda        gpu bench_grid_cuda 512 15"
  "grid-whole       gpu bench_grid_whole 513 5 1"
  "grid-outputs     gpu bench_grid_whole 513 3 0 0 outputs"
  "grid-ranks       gpu bench_grid_ranks 513 4 16"
  "grid-vtk         gpu bench_grid_backends.py PLUGIN --cpu --pinned $pinned"
  "octree-cuda      gpu bench_octree 96 3 16 1"
  "pointgrid-cuda   gpu bench_pointgrid_cuda"
  "ordering-cuda    gpu bench_ordering_cuda"
  "discs-cuda       gpu bench_discs_cuda scenes"
)

say() { printf 'tables.sh: %s\n' "$*" >&2; }

program_folder() {
  local folder
  for folder in "${TESSERA_BENCH:-}" build/{cuda,release,core}/testing/bench; do
    [ ! -x "$folder/$1" ] || { echo "$folder" && return; }
  done
  return 1
}

# command_of KIND COMMAND...: the command as it is run in `run`; 1 with a sentence where it cannot be.
command_of() {
  local kind=$1 program=$2 folder plugin
  shift 2
  if [ "$kind" = gpu ] && ! nvidia-smi -L >/dev/null 2>&1; then
    say "$program: there is no GPU" && return 1
  fi
  if [[ $program != *.py ]]; then
    folder=$(program_folder "$program") || { say "$program is not built" && return 1; }
    run=("$folder/$program" "$@")
    return
  fi
  local python=${TESSERA_PVPYTHON:-pvpython}
  command -v "$python" >/dev/null || { say "$program: there is no pvpython" && return 1; }
  plugin=${TESSERA_PLUGIN_FILE:-$(find build/release -name Tessera.so 2>/dev/null | head -n 1)}
  [ -n "$plugin" ] || { say "$program: the plugin is not built in build/release" && return 1; }
  plugin=$(realpath "$plugin")
  run=(env "LD_LIBRARY_PATH=${plugin%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "PV_PLUGIN_PATH=${plugin%/*}"
    "TESSERA_PLUGIN_FILE=$plugin" "$python" "testing/bench/$program" "${@/#PLUGIN/$plugin}")
}

machine() {
  local cpu gpu=
  cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
  [ "$1" = cpu ] || gpu="$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1); "
  echo "$gpu$cpu, $(nproc) cores; Tessera $(git describe --always --dirty 2>/dev/null || echo of an archive)"
}

has_lines() {
  grep -q "^<!-- table $1 -->\$" "$page" || { say "$page has no lines for $1" && return 1; }
}

# Puts the file $2 between the page's markers of table $1.
put() {
  has_lines "$1" || return 1
  awk -v begin="<!-- table $1 -->" -v text="$2" '
    $0 == begin { print; while ((getline line < text) > 0) print line; skip = 1 }
    $0 == "<!-- end -->" { skip = 0 }
    !skip' "$page" >"$work/page"
  cat "$work/page" >"$page"
}

write=no
[ "${1:-}" != --write ] || { write=yes && shift; }
if [ $# -eq 0 ]; then
  status=0
  printf '%s\n' "${tables[@]}"
  for entry in "${tables[@]}"; do has_lines "${entry%% *}" || status=1; done
  exit "$status"
fi
for wanted in "$@"; do
  printf '%s\n' "${tables[@]}" | awk -v w="$wanted" '$1 == w || $2 == w { found = 1 } END { exit !found }' ||
    { say "there is no table $wanted" && exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for entry in "${tables[@]}"; do
  read -r name kind command <<<"$entry"
  [[ " $* " == *" $name "* || " $* " == *" $kind "* ]] || continue
  read -ra words <<<"$command"
  command_of "$kind" "${words[@]}" || continue
  {
    printf '```text\n$ testing/bench/tables.sh %s    # %s\n%s\n\n' "$name" "$command" "$(machine "$kind")"
    "${run[@]}" </dev/null 2>"$work/errors" || echo "$name" >"$work/failed"
    printf '```\n'
  } >"$work/table"
  if [ -e "$work/failed" ]; then
    say "$name: $command failed:"
    tail -n 5 "$work/errors" >&2
    rm "$work/failed"
    status=1
    continue
  fi
  cat "$work/table"
  [ "$write" = no ] || put "$name" "$work/table"
done
exit "$status"
