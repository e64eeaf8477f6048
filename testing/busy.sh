#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A test of the tests: runs those of a build beside `stress`, which keeps every core busy three times
# over, writes to the disk and fills and empties memory. Nothing may fail then that passes alone.
# Use: busy.sh [PRESET [CTEST OPTION...]], of run.sh; release without.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

need_packages stress
[ $# -gt 0 ] || set -- release
set -m # a group of its own, to be ended as one
stress --quiet --cpu $((3 * $(nproc))) --io 1 --vm 1 --vm-bytes 512M --hdd 1 --hdd-bytes 256M &
busy=$!
set +m
trap 'kill -- "-$busy"' EXIT
TESSERA_PATIENCE=${TESSERA_PATIENCE:-4} bash testing/run.sh "$@"
kill -0 "$busy" || die "stress ended before the tests did."
