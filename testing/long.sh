#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests of paraview/ in their long form; wants a build of the plugin, build/release. Use: long.sh TEST [TIMES [BUILD [SEED [FIRST]]]]
#   soak            1,000 executions of curves and of grids, 1,000 creations and deletions, 200 steps
#                   of a series, all in steady memory
#   random_curves   Adaptive Curves of 10,000 random inputs with random properties
#   random_grids    the same of Adaptive Grid
#   random_meshes   the same of Adaptive Grid on unstructured meshes
#   random_octrees  the same of Adaptive Grid on AMR, hyper trees and octrees
#   random_points   10 million random points in meshes, of which Adaptive Grid may lose none
# Tests of core/, on each core of the machine with a seed of its own; want a build of the C core, build/core:
#   random_faces    100 million random and hard curved faces, each measured at 2 places in about 4 of its triangles
#   random_solids   10 million random and hard curved volume cells, each measured at 6 places in about 4 of its tetrahedra
# SEED and FIRST are for random tests: the cases FIRST, FIRST + 1 ... of that seed, instead of those from 0 of seed 1.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
test= build=release
case ${1:-} in
  soak) script=frame/soak.py times=1000 ;;
  random_curves | random_grids | random_meshes | random_octrees) script=random/$1.py times=10000 ;;
  random_points) script=random/$1.py times=10000000 ;;
  random_faces) test=test_cells_faces times=100000000 sample=4 build=core ;;
  random_solids) test=test_cells_volumes times=10000000 sample= build=core ;;
  *) echo "long.sh: name the test: soak, random_curves, random_grids, random_meshes, random_octrees, random_points," \
          "random_faces or random_solids." >&2 && exit 1 ;;
esac
times=${2:-$times}
build=$(cd "${3:-$source/build/$build}" && pwd)
if [ -n "$test" ]; then
  cores=$(nproc) failed=0 running=()
  for ((k = 0; k < cores; k++)); do
    "$build/testing/core/$test" $((times / cores + 1)) $((${4:-1} + k)) $sample &
    running+=($!)
  done
  for process in "${running[@]}"; do wait "$process" || failed=1; done
  exit $failed
fi
plugin=$(find "$build" -path '*/Tessera/Tessera.so' | head -n 1)
[ -n "$plugin" ] || { echo "long.sh: there is no Tessera.so in $build; build the plugin first." >&2; exit 1; }
export TESSERA_PLUGIN_FILE=$plugin PV_PLUGIN_PATH=${plugin%/*} TESSERA_OUTPUT=${TMPDIR:-/tmp}
export LD_LIBRARY_PATH=${plugin%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PYTHONPATH=$source/testing/paraview/support PYTHONDONTWRITEBYTECODE=1
exec pvpython "$source/testing/paraview/$script" "$times" "${@:4}"
