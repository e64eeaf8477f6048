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

int64_t tsr_leaf_parts(const tsr_grid_input *input, const tsr_tree *tree, int level,
                       const int64_t i[3], int64_t *entries, int64_t *centre) {
  const tsr_lattice *lattice = &input->lattice;
  const tsr_cut_cells_of *cells;
  tsr_cut_cells_of own;
  tsr_cut cut;
  *entries = (int64_t)1 << lattice->dimension;
  *centre = 0;
  if (!tsr_cut_find(lattice, tree, level, i, &cut))
    return 1;
  cells = tsr_cut_cells_find(input->cuts, lattice, &cut, &own);
  *entries = cells->entries;
  *centre = cells->centre;
  return cells->n;
}

static void count_task(void *data, int64_t begin, int64_t end) {
  const tsr_cut_work *work = data;
  const tsr_lattice *lattice = &work->input->lattice;
  for (int64_t n = begin; n < end; ++n) {
    const tsr_grid_node *node = &work->lists->nodes[n];
    int64_t i[3];
    tsr_node_inner(lattice, node, i);
    work->cuts->cell[n] = tsr_leaf_parts(work->input, work->tree, node->level, i,
                                         &work->cuts->entry[n], &work->cuts->centre[n]);
  }
}

tsr_status tsr_cuts_create(const tsr_grid_input *input, const tsr_tree *tree,
                           const tsr_grid_lists *lists, tsr_grid_cuts *cuts, tsr_error *error) {
  tsr_cut_work work = {input, tree, lists, cuts};
  tsr_job job = {.execution = &input->execution, .task = count_task, .data = &work};
  const char *what = "the parts of cells";
  cuts->cell = tsr_alloc(lists->n + 1, sizeof(int64_t), what, error);
  cuts->entry = tsr_alloc(lists->n + 1, sizeof(int64_t), what, error);
  cuts->centre = tsr_alloc(lists->n + 1, sizeof(int64_t), what, error);
  if (!cuts->cell || !cuts->entry || !cuts->centre)
    return TSR_NO_MEMORY;
  job.n = lists->n;
  job.done_first = job.done_last = 0.5;
  if (tsr_job_run(&job, 1024) != TSR_OK)
    return tsr_fail(error, TSR_ABORTED, -1, "stopped while the parts of cells were counted");
  for (int64_t n = 0; n < lists->n; ++n)
    cuts->cut += cuts->cell[n] > 1;
  tsr_scan(cuts->cell, lists->n);
  tsr_scan(cuts->entry, lists->n);
  tsr_scan(cuts->centre, lists->n);
  return TSR_OK;
}

void tsr_cuts_free(tsr_grid_cuts *cuts) {
  free(cuts->cell);
  free(cuts->entry);
  free(cuts->centre);
}

void tsr_parts_put(const tsr_grid_input *input, const tsr_tree *tree, const tsr_grid_lists *lists,
                   const tsr_grid_points *points, const tsr_grid_cuts *cuts, int64_t n,
                   const tsr_part_output *out) {
  static const tsr_grid_cell kinds[3] = {TSR_GRID_CELL_TRIANGLE, TSR_GRID_CELL_TETRAHEDRON,
                                         TSR_GRID_CELL_PYRAMID};
  const tsr_lattice *lattice = &input->lattice;
  const tsr_cut_cells_of *cells;
  tsr_cut_cells_of own;
  int64_t entry = cuts->entry[n], id[TSR_CUT_PLACES], i[3];
  tsr_cut cut;
  tsr_node_inner(lattice, &lists->nodes[n], i);
  tsr_cut_find(lattice, tree, lists->nodes[n].level, i, &cut);
  cells = tsr_cut_cells_find(input->cuts, lattice, &cut, &own);
  for (int place = 0; place < TSR_CUT_PLACES; ++place) {
    int64_t x[3];
    tsr_cut_lattice(&cut, place, x);
    id[place] = (cut.has >> place) & 1 ? tsr_point_id(lattice, points, x) : -1;
  }
  id[TSR_CUT_CENTRE] = points->n + cuts->centre[n];
  for (int k = 0; k < cells->n; ++k) {
    const tsr_cut_cell *cell = &cells->cell[k];
    if (out->offsets)
      tsr_store_index(out->offsets, out->type, cuts->cell[n] + k, entry);
    if (out->cell_type)
      out->cell_type[cuts->cell[n] + k] = out->type_of[kinds[cell->n - 3]];
    for (int c = 0; c < cell->n && out->connectivity; ++c)
      tsr_store_index(out->connectivity, out->type, entry + c, id[cell->at[c]]);
    entry += cell->n;
  }
}
