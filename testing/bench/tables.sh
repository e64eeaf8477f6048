#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Prints the tables of figures that docs/speed.md holds, by the benchmarks of this folder.
#
#   tables.sh                    lists the tables: name, device, command; fails where a benchmark is missing
#   tables.sh [--write] NAME...  prints these; "cpu" and "gpu" stand for all of a kind
#
# The page says how a table is made: its lines stand between `<!-- table NAME cpu|gpu COMMAND -->` and
# `<!-- end -->`. With --write each table also replaces these lines. A table whose programs or device are
# missing is left out with a sentence, and its lines stay; the exit status is 1 where a benchmark fails.
# Run it where nothing else runs.
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

# NAME KIND COMMAND, from the page: a command is a program, unless it ends with .py. PLUGIN and PINNED in it
# stand for the plugin's file and for TESSERA_PINNED.
mapfile -t tables < <(sed -n 's/^<!-- table \(.*\) -->$/\1/p' "$page")

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

# Fails with a sentence unless the table is of a kind, has a benchmark, and its lines end.
is_sound() {
  local name kind program rest
  read -r name kind program rest <<<"$1"
  [[ $kind == [cg]pu ]] || { say "$name: its kind is neither cpu nor gpu" && return 1; }
  [ -e "testing/bench/$program" ] || [ -e "testing/bench/$program.c" ] || [ -e "testing/bench/$program.cu" ] ||
    { say "$name: there is no benchmark $program" && return 1; }
  awk -v begin="<!-- table $1 -->" '
    $0 == begin { open = 1; next }
    $0 == "<!-- end -->" { closed += open; open = 0 }
    /^<!-- table/ { open = 0 }
    END { exit closed != 1 }' "$page" || { say "$page: the lines of $name do not end" && return 1; }
}

# Puts the file $2 between the page's markers of table $1: name, kind and command.
put() {
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
  for entry in "${tables[@]}"; do is_sound "$entry" || status=1; done
  [ "${#tables[@]}" -gt 0 ] || { say "$page has no tables" && status=1; }
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
  command=${command/PINNED/$pinned}
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
  [ "$write" = no ] || put "$entry" "$work/table"
done
exit "$status"
