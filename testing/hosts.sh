#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds and tests the project on another release of Debian: hosts.sh 12|13|sid [TEST PATTERN]
#
# Makes a root of that release, lays the sources there with nothing beside them, and runs
# testing/run.sh in it, which installs what it names and nothing else. Warnings are errors. It takes
# an hour on two cores; a second run builds only what has changed. In place of a pattern,
# `-- COMMAND...` runs a command in the root. Mirrors of sid are slow at times, and a host beside
# other work is slow throughout: TESSERA_PATIENCE, by which time limits are multiplied, is 4 here.
set -euo pipefail
export TESSERA_PATIENCE=${TESSERA_PATIENCE:-4}
cd "$(dirname "$0")/.."
. testing/setup.sh
. testing/roots.sh

suite_of "${1:-}" >/dev/null
root=$roots/$1
make_root "$1" "$root"
lay_sources "$root"
shift
if [ "${1:-}" = -- ]; then
  shift
  inside "$root" "$@"
else
  inside "$root" bash testing/run.sh release ${1:+-R "$1"}
fi
