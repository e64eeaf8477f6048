#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Shows the plugin at work: builds it, tessellates every glyph outline of a font in pvbatch,
# coarsens stream lines of a turbulent jet, makes grids of it, draws curved cells, makes a quadtree,
# curves and a picture of points, and writes data, pictures and tables to demo-output/. Installs what is missing with apt. What the
# commands print goes to demo-output/demo.log.
set -euo pipefail
cd "$(dirname "$0")/.."
. testing/setup.sh

mkdir -p demo-output
log=demo-output/demo.log
: >"$log"
say "What the commands print goes to $log; the first build takes some minutes."
need_packages "${packages_plugin[@]}" "${packages_demo[@]}"
configure release "${short_build[@]}"
build release Tessera

font=$(dpkg-query -L fonts-dejavu-core | grep '/DejaVuSans\.ttf$') ||
  die "the package fonts-dejavu-core holds no DejaVuSans.ttf."
plugin=$(find "$PWD/build/release" -path '*/Tessera/Tessera.so' | head -n 1)
[ -n "$plugin" ] || die "the build made no Tessera.so."

# Debian's own Python: fontTools is installed there, whatever python3 comes first on PATH.
step 120 "Reading the outlines of $font" \
  /usr/bin/python3 data/font_outlines.py "$font" demo-output/font.vtu
step 60 "Reading two glyphs for the picture" \
  /usr/bin/python3 data/font_outlines.py "$font" demo-output/glyphs.vtu --text '@❦' --columns 1
# A plugin in the build tree finds the library beside it only so; an installed one needs nothing.
export LD_LIBRARY_PATH="${plugin%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
step 330 "Tessellating in pvbatch" \
  testing/with_display.sh timeout 300 pvbatch data/demo.py "$plugin" demo-output
step 120 "Coarsening stream lines of a turbulent jet in pvbatch" \
  testing/with_display.sh timeout 90 pvbatch data/demo_streams.py "$plugin" demo-output
step 120 "Making grids of a turbulent jet in pvbatch" \
  testing/with_display.sh timeout 90 pvbatch data/demo_grid.py "$plugin" demo-output
step 120 "Contouring an AMR with and without cracks in pvbatch" \
  testing/with_display.sh timeout 90 pvbatch data/demo_amr.py "$plugin" demo-output
step 120 "Contouring a mesh of polyhedra by its adaptive grid in pvbatch" \
  testing/with_display.sh timeout 90 pvbatch data/demo_mesh.py "$plugin" demo-output
step 120 "Drawing curved cells as they are in pvbatch" \
  testing/with_display.sh timeout 90 pvbatch data/demo_cells.py "$plugin" demo-output
step 120 "Sorting, joining and drawing points in pvbatch" \
  testing/with_display.sh timeout 90 pvbatch data/demo_points.py "$plugin" demo-output
cat <<'EOF'

Written to demo-output/:
  table.txt          font.vtp      demo.png      outlines of a font in three samplings
  streams_table.txt                streams.png   stream lines with and without their joints
  grid_table.txt     jet.vtu       grid.png      a jet on fixed and adaptive grids
  amr_table.txt                    amr.png       the contour of an AMR before and after
  mesh_table.txt                   mesh.png      a mesh of polyhedra, its adaptive grid, a contour
  cells_table.txt                  cells.png     curved cells as ParaView draws them, and as they are
  points_table.txt   quadtree.vtu  points.png    a quadtree, tracks and discs
EOF
