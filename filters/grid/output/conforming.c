/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: cells that meet in whole faces. A leaf that finer ones touch is cut; in 2D, and in 3D
 * where there is no better way, all around a new point at its centre:
 *
 *     +-----------+-----+     In 2D: the large leaf has a point more on its right side, which is a
 *     | \       / |     |     corner of the two small ones. Cut into five triangles it has that
 *     |   \   /   |     |     point as a corner, too.
 *     |     c ----+-----+
 *     |   /   \   |     |     In 3D a face stays as it is (a base of a pyramid; the leaf beyond
 *     | /       \ |     |     it stays whole), or is split as the faces of finer leaves beyond it
 *     +-----------+-----+     are, or, where only its edges have more points, as a table has it.
 *                             cut_math.h has that table, and the ways in which a leaf is cut.
 *
 * Balance by edges lets no edge have more than one point between its ends. Leaves on both sides of
 * a face see the same points on it, whatever process owns them, as these follow from the tree.
 *
 * The parts of a leaf follow each other where the leaf is in the list of cells. The centres follow
 * all other points, in the order of their leaves.
 */
#include "grid/cut/cut_error.h"
#include "grid/output/output.h"

#include <stdlib.h>

typedef struct tsr_cut_work {
  const tsr_grid_input *input;
  const tsr_tree *tree;
  const tsr_grid_lists *lists;
  tsr_grid_cuts *cuts;
} tsr_cut_work;

uint32_t tsr_leaf_cut(const tsr_grid_input *input, const tsr_tree *tree, int level,
                      const int64_t i[3], tsr_grid_parts *parts) {
  const tsr_lattice *lattice = &input->lattice;
  const tsr_cut_cells_of *cells;
  tsr_cut_cells_of own;
  tsr_cut cut;
  if (!tsr_cut_find(lattice, tree, level, i, &cut)) {
    ++parts->cells;
    parts->entries += (int64_t)1 << lattice->dimension;
    return 0;
  }
  cells = tsr_cut_cells_find(input->cuts, lattice, &cut, &own);
  parts->cells += cells->n;
  parts->entries += cells->entries;
  parts->centres += cells->centre;
  ++parts->cut;
  return cut.has;
}

static void cut_task(void *data, int64_t begin, int64_t end) {
  const tsr_cut_work *work = data;
  tsr_grid_parts parts = {0};
  for (int64_t n = begin; n < end; ++n) {
    const tsr_grid_node *node = &work->lists->nodes[n];
    int64_t i[3];
    tsr_node_inner(&work->input->lattice, node, i);
    work->cuts->has[n] = tsr_leaf_cut(work->input, work->tree, node->level, i, &parts);
  }
  work->cuts->before[begin / TSR_FILL_PIECE] = parts;
}

tsr_status tsr_cuts_create(const tsr_grid_input *input, const tsr_tree *tree,
                           const tsr_grid_lists *lists, tsr_grid_cuts *cuts, tsr_error *error) {
  const int64_t pieces = (lists->n + TSR_FILL_PIECE - 1) / TSR_FILL_PIECE;
  tsr_cut_work work = {input, tree, lists, cuts};
  const char *what = "the parts of cells";
  cuts->has = tsr_alloc(lists->n, sizeof *cuts->has, what, error);
  cuts->before = tsr_alloc(pieces, sizeof *cuts->before, what, error);
  if (!cuts->has || !cuts->before)
    return TSR_NO_MEMORY;
  if (tsr_run_task(&input->execution, cut_task, &work, lists->n, TSR_FILL_PIECE, 0.5, 0.5) !=
      TSR_OK)
    return tsr_fail(error, TSR_ABORTED, -1, "stopped while the parts of cells were counted");
  for (int64_t piece = 0; piece < pieces; ++piece) {
    const tsr_grid_parts here = cuts->before[piece];
    cuts->before[piece] = cuts->all;
    cuts->all.cells += here.cells;
    cuts->all.entries += here.entries;
    cuts->all.centres += here.centres;
    cuts->all.cut += here.cut;
  }
  return TSR_OK;
}

void tsr_cuts_free(tsr_grid_cuts *cuts) {
  free(cuts->has);
  free(cuts->before);
}

void tsr_parts_put(const tsr_grid_input *input, const tsr_grid_points *points, const tsr_cut *cut,
                   tsr_grid_parts *before, const tsr_part_output *out) {
  static const tsr_grid_cell kinds[3] = {TSR_GRID_CELL_TRIANGLE, TSR_GRID_CELL_TETRAHEDRON,
                                         TSR_GRID_CELL_PYRAMID};
  const tsr_lattice *lattice = &input->lattice;
  tsr_cut_cells_of own;
  const tsr_cut_cells_of *cells = tsr_cut_cells_find(input->cuts, lattice, cut, &own);
  int64_t entry = before->entries, id[TSR_CUT_PLACES];
  for (int place = 0; cut->has >> place; ++place) {
    int64_t x[3];
    if (!((cut->has >> place) & 1))
      continue;
    tsr_cut_lattice(cut, place, x);
    id[place] = tsr_point_id(lattice, points, x);
  }
  id[TSR_CUT_CENTRE] = points->n + before->centres;
  for (int k = 0; k < cells->n; ++k) {
    const tsr_cut_cell *cell = &cells->cell[k];
    if (out->offsets)
      tsr_store_index(out->offsets, out->type, before->cells + k, entry);
    if (out->cell_type)
      out->cell_type[before->cells + k] = out->type_of[kinds[cell->n - 3]];
    for (int c = 0; c < cell->n && out->connectivity; ++c)
      tsr_store_index(out->connectivity, out->type, entry + c, id[cell->at[c]]);
    entry += cell->n;
  }
  before->cells += cells->n;
  before->entries = entry;
  before->centres += cells->centre;
}
