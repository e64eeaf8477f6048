#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the documentation as a site, in build/site/html: site.sh. Links are checked and warnings are errors.
# It gets its tools once, MkDocs and mkdocstrings with pip, Doxygen (1.9.4 or later) with apt; from then on it works
# without a network. PYTHON=FILE names a Python that has the first two: nothing is got, and where a tool is missing it
# ends with 77. Needs no compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

has_doxygen() {
  command -v doxygen >/dev/null && printf '%s\n' 1.9.4 "$(doxygen --version)" | sort -V -C
}

python=${PYTHON:-}
if [ -n "$python" ]; then
  if ! "$python" -c "import mkdocs, mkdocstrings_handlers.python" 2>/dev/null; then
    echo "skipped: this Python has no MkDocs with mkdocstrings."
    exit 77
  fi
  if ! has_doxygen; then
    echo "skipped: there is no Doxygen 1.9.4 or later."
    exit 77
  fi
else
  has_doxygen || need_packages doxygen
  has_doxygen || die "the reference of C needs Doxygen 1.9.4 or later; this one is $(doxygen --version)."
  python=$PWD/build/site/environment/bin/python
  [ -x "$python" ] || step 120 "Making an environment" python3 -m venv build/site/environment
  "$python" -c "import mkdocs, mkdocstrings_handlers.python" 2>/dev/null ||
    step 600 "Getting the tools" "$python" -m pip install -q 'mkdocs<2' 'mkdocstrings[python]'
fi
package=build/site/package/tessera_vtk
rm -rf build/site/package build/site/doxygen build/site/html
mkdir -p build/site/package build/site/doxygen
cp -R packaging/wheel/tessera_vtk build/site/package/
"$python" packaging/wheel/make_core.py filters $package/_core.py
"$python" packaging/wheel/make_functions.py xml 0 $package/_panel.py $package/functions.py
step 300 "Making the reference of C" env PYTHON="$python" doxygen packaging/site/Doxyfile
export NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1
step 300 "Building the site" "$python" -m mkdocs build --strict -f packaging/site/mkdocs.yml
printf '\n%s\n' "$PWD/build/site/html/index.html"
