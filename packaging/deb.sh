#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the Debian package paraview-tessera for the ParaView of this machine, in build/deb, and looks
# at it with lintian: deb.sh [CMAKE OPTION...]. The CUDA backend is part of it with
# -D TESSERA_CUDA=ON. packaging/check_deb.sh tries it in a clean root.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

need_packages "${packages_plugin[@]}" dpkg-dev lintian gzip
# As Debian builds its own packages: hardened, and without this folder's name in the files.
eval "$(dpkg-buildflags --export=sh)"
export CFLAGS="$CFLAGS $CPPFLAGS" CXXFLAGS="$CXXFLAGS $CPPFLAGS"

step 300 "Configuring build/deb" cmake --preset release -B build/deb -G Ninja \
  -D BUILD_TESTING=OFF -D TESSERA_CUDA=OFF -D TESSERA_WERROR=ON -D CMAKE_INSTALL_PREFIX=/usr "$@"
build deb
rm -f build/deb/*.deb
umask 022
step 300 "Making the package" cmake --build build/deb --target package
package=$(ls "$PWD"/build/deb/*.deb)
step 300 "Looking at it" lintian --no-cfg --allow-root --fail-on error,warning --tag-display-limit 0 "$package"
printf '\n%s\n' "$package"
