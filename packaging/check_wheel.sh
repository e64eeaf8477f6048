#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tries a wheel as a user would, in an environment of its own: check_wheel.sh WHEEL [PLUGIN_BUILD].
# pip installs it with PyVista and VTK; filters, accessor and example run. With the folder of a build
# that has the plugin, the outputs of both are compared byte by byte. Ends with 77 where pip cannot get
# PyVista.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

[ -s "${1:-}" ] || die "name the wheel that wheel.sh made."
wheel=$1 plugin=${2:-}
work=$PWD/build/wheel/check
rm -rf "$work"
python3 -m venv "$work/environment"
python=$work/environment/bin/python
if ! "$python" -m pip install -q "numpy" "vtk" "pyvista>=0.48" tqdm; then
  echo "skipped: pip gets no PyVista here."
  exit 77
fi
"$python" -m pip install -q --no-deps "$wheel"
export PYTHONDONTWRITEBYTECODE=1
step 120 "The bindings" "$python" testing/wheel/bindings.py
step 120 "numpy arrays that do not fit" "$python" testing/wheel/numpy_arrays.py
step 120 "Points, discs and sources" "$python" testing/wheel/rooms.py
step 300 "The filters" "$python" testing/wheel/filters.py
step 300 "What users of PyVista expect" "$python" testing/wheel/pyvista_habits.py
step 120 "The examples of the page and of the help" "$python" testing/wheel/examples.py
if "$python" -m pip install -q mypy; then
  step 300 "Its types" "$python" -m mypy --strict --cache-dir "$work/mypy" -p tessera_vtk
fi
if [ -n "$plugin" ]; then
  folder=$(dirname "$(find "$PWD/$plugin" -name Tessera.so | head -n 1)")
  "$python" -m pip install -q --no-deps --target "$work/package" "$wheel"
  step 600 "The plugin's bytes" env LD_LIBRARY_PATH="$folder" PV_PLUGIN_PATH="$folder" \
    TESSERA_PLUGIN_FILE="$folder/Tessera.so" PYTHONPATH="$work/package:$PWD/testing/paraview/support" \
    pvpython testing/wheel/same_bytes.py write "$work/digests.json"
  step 300 "The same with VTK from pip" "$python" testing/wheel/same_bytes.py read "$work/digests.json"
fi
step 300 "The example" testing/with_display.sh "$python" docs/examples/python_package.py "$work"
before=$("$python" -c 'import tessera_vtk; print(tessera_vtk.__path__[0])')
"$python" -m pip uninstall -q -y tessera-vtk
[ ! -e "$before" ] || die "pip left $before behind."
