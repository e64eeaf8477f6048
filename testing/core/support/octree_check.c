/* SPDX-License-Identifier: BSD-3-Clause */
#include "octree_check.h"

#include <string.h>

int octree_dimension(const octree_case *it) {
  return (it->octree.cells[0] > 0) + (it->octree.cells[1] > 0) + (it->octree.cells[2] > 0);
}

void octree_axes(const octree_case *it, int axis[3]) {
  int n = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int a = 0; a < 3; ++a)
      if ((it->octree.cells[a] > 0) == (pass == 0))
        axis[n++] = a;
}

int octree_is_outside(const octree_case *it, int64_t i) { return it->outside && it->outside[i]; }

tsr_grid_criterion octree_sampled_criterion(const octree_case *it, int cell_data,
                                            double threshold) {
  tsr_grid_criterion c;
  tsr_grid_criterion_init(&c);
  c.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  c.threshold = threshold;
  c.cell_data = cell_data;
  c.array = (tsr_array){it->point, TSR_DOUBLE, 1, it->octree.points};
  c.samples = (tsr_array){it->point_there, TSR_DOUBLE, 1, it->octree.at_points.n};
  if (cell_data) {
    c.array = (tsr_array){it->cell, TSR_FLOAT, 1, it->octree.n};
    c.samples = (tsr_array){it->cell_there, TSR_FLOAT, 1, it->octree.at_cells.n};
  }
  return c;
}

tsr_grid_options octree_options(const tsr_grid_criterion *c, int output, int coarsen) {
  tsr_grid_options o;
  tsr_grid_options_init(&o);
  o.criteria = c;
  o.n_criteria = 1;
  o.output = (tsr_grid_output_kind)output;
  o.coarsen_levels = coarsen;
  return o;
}

int octree_corner(const octree_case *it, int64_t i, int k, double x[3]) {
  double centre[3], half[3];
  octree_cell_box(it, i, centre, half);
  for (int a = 0; a < 3; ++a) {
    if (it->octree.cells[a] == 0 && (k >> a & 1))
      return 0;
    x[a] = k >> a & 1 ? centre[a] + half[a] : centre[a] - half[a];
  }
  return 1;
}

int octree_is_within(const octree_case *it, int64_t i, const tsr_grid_node *leaf, int coarsen) {
  const int up = it->level[i] + coarsen - leaf->level;
  int within = up >= 0;
  for (int a = 0; a < 3; ++a)
    within = within && it->index[3 * i + a] >> up == leaf->index[a];
  return within;
}

int octree_is_part(const octree_case *it, int64_t i, const tsr_grid_node *leaf, int coarsen) {
  const int down = leaf->level - it->level[i] - coarsen;
  int part = down >= 0;
  for (int a = 0; a < 3; ++a)
    part = part && leaf->index[a] >> down == it->index[3 * i + a];
  return part;
}

octree_recipe octree_recipe_of(unsigned k) {
  octree_recipe r = {.seed = k + 3000, .levels = (int)(k % 3), .sharp = 0.5 + k % 5};
  for (unsigned a = 0; a < 3; ++a)
    r.cells[a] = (int32_t)(1 + (k >> (a + 1)) % 3);
  if (k % 5 < 3) /* a plane */
    r.cells[k % 3] = 0;
  r.levels += k % 5 < 3;
  r.split = 0.2 + 0.1 * (k % 4);
  r.hole = k % 4 == 3 ? 0.1 : 0.0;
  r.balanced = k % 7 == 0;
  r.uneven = k % 3 == 1;
  return r;
}

grid_cell octree_out_cell(const octree_case *it, const octree_out *out, int64_t c,
                          const double *value) {
  /* VTK's voxels and pixels, in the order of hexahedra and quads. */
  static const int turned[8] = {0, 1, 3, 2, 4, 5, 7, 6};
  grid_cell cell = {.dimension = octree_dimension(it)};
  int axis[3];
  octree_axes(it, axis);
  cell.n = (int)(out->offsets[c + 1] - out->offsets[c]);
  for (int k = 0; k < cell.n; ++k) {
    const int whole = out->type[c] == TSR_GRID_CELL_LEAF && cell.dimension > 1;
    const int64_t id = out->connectivity[out->offsets[c] + (whole ? turned[k] : k)];
    cell.id[k] = id;
    for (int a = 0; a < 3; ++a)
      cell.x[k][a] = out->points[3 * id + axis[a]];
    cell.value[k] = value[id];
  }
  return cell;
}

/** How a part differs from the whole, whose cells and entries before it are known, or NULL. */
static const char *part_differs(const octree_out *part, const octree_out *whole, int64_t cells,
                                int64_t entries, int states) {
  const int64_t nodes = states ? part->sizes.cells : part->sizes.leaves;
  const int64_t most = (states ? whole->sizes.cells : whole->sizes.leaves) - entries;
  if (nodes > most ||
      memcmp(part->nodes, whole->nodes + entries, (size_t)nodes * sizeof *part->nodes) != 0)
    return "nodes differ";
  for (int64_t c = 0; c < part->sizes.cells && !states; ++c)
    for (int64_t k = part->offsets[c]; k < part->offsets[c + 1]; ++k) {
      const int64_t here = part->connectivity[k];
      const int64_t there = whole->connectivity[whole->offsets[cells + c] + k - part->offsets[c]];
      if (memcmp(&part->points[3 * here], &whole->points[3 * there], 3 * sizeof(double)) != 0)
        return "points differ";
      if (part->point[here] != whole->point[there])
        return "values of points differ";
    }
  if (memcmp(part->cell, whole->cell + cells, (size_t)part->sizes.cells * sizeof *part->cell) != 0)
    return "values of cells differ";
  if (memcmp(part->indicator, whole->indicator + cells,
             (size_t)part->sizes.cells * sizeof *part->indicator) != 0)
    return "indicators differ";
  return NULL;
}

const char *octree_parts_differ(const octree_case *it, const tsr_grid_options *options,
                                const octree_out *whole, int n) {
  const int states = options->output == TSR_GRID_TREES || options->output == TSR_GRID_PATCHES;
  tsr_grid_options o = *options;
  int64_t cells = 0, leaves = 0, entries = 0, off = 0;
  double most = 0.0;
  const char *differ = NULL;
  o.n_ranks = n;
  for (o.rank = 0; o.rank < n && !differ; ++o.rank) {
    octree_out out;
    if (octree_run(it, &o, NULL, &out) != TSR_OK)
      return "a part cannot be made";
    differ = part_differs(&out, whole, cells, entries, states);
    cells += out.sizes.cells;
    leaves += out.sizes.leaves;
    entries += states ? out.sizes.cells : out.sizes.leaves;
    off += out.sizes.notes[TSR_GRID_NOTE_SAMPLES].count;
    most = out.errors[0] > most ? out.errors[0] : most;
    octree_out_free(&out);
  }
  if (differ)
    return differ;
  if (off != whole->sizes.notes[TSR_GRID_NOTE_SAMPLES].count || most != whole->errors[0])
    return "errors differ";
  return cells == whole->sizes.cells && leaves == whole->sizes.leaves ? NULL : "sizes differ";
}
