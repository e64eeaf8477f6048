#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command on an X display of its own: with_display.sh COMMAND...
#
# The server picks the display's number itself. xvfb-run -a looks for a free one first and takes it
# afterwards, so that two that start at the same moment may get the same. -noreset: mpiexec's daemon is
# a first client for a moment, and a server that starts anew when it leaves turns the next one away.
set -u

exec 3< <(exec Xvfb -displayfd 1 -screen 0 1280x1024x24 -noreset -nolisten tcp 2>/dev/null)
server=$!
trap 'kill "$server" 2>/dev/null' EXIT
if ! read -r -t 60 number <&3; then
  echo "with_display.sh: Xvfb did not start." >&2
  exit 1
fi
DISPLAY=:$number "$@"
