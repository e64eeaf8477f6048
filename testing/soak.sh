#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The test paraview/soak in its long form: 1,000 executions of curves and of grids, 1,000 creations
# and deletions, 200 steps of a series, all in steady memory. Wants a build of the plugin.
# Use: soak.sh [TIMES] [BUILD_FOLDER]
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
times=${1:-1000}
build=$(cd "${2:-$source/build/release}" && pwd)
plugin=$(find "$build" -path '*/Tessera/Tessera.so' | head -n 1)
[ -n "$plugin" ] || { echo "soak.sh: there is no Tessera.so in $build; build the plugin first." >&2; exit 1; }
export TESSERA_PLUGIN_FILE=$plugin PV_PLUGIN_PATH=${plugin%/*} TESSERA_OUTPUT=${TMPDIR:-/tmp}
export LD_LIBRARY_PATH=${plugin%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PYTHONPATH=$source/testing/paraview/support PYTHONDONTWRITEBYTECODE=1
exec pvpython "$source/testing/paraview/frame/soak.py" "$times"
