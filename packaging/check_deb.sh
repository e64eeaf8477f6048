#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tries a package of deb.sh as a user would, in a clean root of Debian 12, 13 or sid: check_deb.sh
# 12|13|sid PACKAGE. apt installs it, ParaView finds the plugin by its name, and nothing of it is
# left after apt has removed it.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh
. testing/roots.sh

[ -s "${2:-}" ] || die "name the host and the package that deb.sh made."
root=$roots/$1-clean
rm -rf --one-file-system "$root"
make_root "$1" "$root"
mkdir -p "$root/tessera"
cp "$2" packaging/check_deb.py "$root/tessera"
inside "$root" bash -euc '
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q update
  apt-get -q install -y --no-install-recommends paraview python3-paraview xvfb xauth libgl1-mesa-dri
  before=$(find / -xdev -path /tessera -prune -o -iname "*tessera*" -print)
  apt-get -q install -y --no-install-recommends ./*.deb
  dpkg -L paraview-tessera
  timeout 120 pvpython check_deb.py "$(dpkg -L paraview-tessera | grep /Tessera.so$)"
  # No settings, no welcome: what is loaded is what the command line names.
  timeout 120 xvfb-run -a paraview --dr --plugins=Tessera --script=/tessera/check_deb.py
  apt-get -q purge -y paraview-tessera
  after=$(find / -xdev -path /tessera -prune -o -iname "*tessera*" -print)
  [ "$before" = "$after" ] || { echo "left behind: $after"; exit 1; }'
rm -rf --one-file-system "$root"
say "The package can be installed, found and removed."
