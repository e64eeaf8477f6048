/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: points that hang on coarser leaves. A point is a corner of some leaf; it hangs where
 * another leaf that touches it does not have it as a corner:
 *
 *     +-------+---+
 *     |       |   |      h is a corner of the two small leaves and lies on a side of the large one.
 *     |       h---+      Constrained, h takes the value of the large leaf's interpolant, whose
 *     |       |   |      corners may hang on still larger leaves: their values come first.
 *     +-------+---+
 */
#include "grid/output/hang_math.h"
#include "grid/output/output.h"

#include <stdlib.h>

int tsr_point_hangs(const tsr_grid_input *input, const tsr_tree *tree, const int64_t x[3],
                    int *level, int64_t node[3]) {
  return tsr_hangs_on(&input->lattice, tree, input->hidden, x, level, node);
}

/* The free value: that of the input, or between input points. */
static double free_value(const tsr_grid_input *input, const tsr_array *array, int component,
                         const int64_t x[3]) {
  tsr_corners corners;
  tsr_lattice_corners(&input->lattice, x, &corners);
  return tsr_corners_value(&corners, array, component);
}

int tsr_constraint_find(const tsr_grid_input *input, const tsr_tree *tree, const int64_t x[3],
                        tsr_constraint *constraint) {
  int64_t node[3];
  int level;
  if (!tsr_point_hangs(input, tree, x, &level, node))
    return 0;
  constraint->n = tsr_hang_corners(&input->space, &input->lattice, x, level, node,
                                   constraint->corner, constraint->weight);
  for (int k = 0; k < constraint->n; ++k)
    constraint->hangs[k] = constraint->weight[k] != 0.0 &&
                           tsr_point_hangs(input, tree, constraint->corner[k], &level, node);
  return 1;
}

double tsr_constraint_value(const tsr_grid_input *input, const tsr_tree *tree,
                            const tsr_constraint *constraint, const tsr_array *array,
                            int component) {
  double sum = 0.0;
  for (int k = 0; k < constraint->n; ++k) {
    const int64_t *corner = constraint->corner[k];
    tsr_constraint of_corner;
    if (constraint->weight[k] == 0.0)
      continue;
    if (constraint->hangs[k] && tsr_constraint_find(input, tree, corner, &of_corner))
      sum +=
          constraint->weight[k] * tsr_constraint_value(input, tree, &of_corner, array, component);
    else
      sum += constraint->weight[k] * free_value(input, array, component, corner);
  }
  return sum;
}

typedef struct tsr_find_hanging {
  const tsr_grid_input *input;
  const tsr_tree *tree;
  tsr_hanging *hanging;
} tsr_find_hanging;

static void find_hanging(void *data, int64_t id, const int64_t x[3]) {
  const tsr_find_hanging *find = data;
  int64_t node[3];
  int level;
  if (tsr_point_hangs(find->input, find->tree, x, &level, node))
    tsr_bits_set(&find->hanging->points, id);
}

tsr_status tsr_hanging_create(const tsr_grid_input *input, const tsr_tree *tree,
                              const tsr_grid_points *points, int64_t columns, tsr_hanging *hanging,
                              tsr_error *error) {
  tsr_find_hanging find = {input, tree, hanging};
  const char *what = "the values at hanging points";
  tsr_status status = tsr_bits_create(&hanging->points, points->n, what, error);
  if (status != TSR_OK)
    return status;
  status = tsr_points_visit(input, points, find_hanging, &find);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while hanging points were found");
  hanging->columns = columns;
  hanging->values =
      tsr_alloc(tsr_bits_count(&hanging->points) * columns, sizeof(double), what, error);
  return hanging->values ? TSR_OK : TSR_NO_MEMORY;
}

double *tsr_hanging_row(const tsr_hanging *hanging, int64_t id) {
  if (!hanging->values || !tsr_bits_get(&hanging->points, id))
    return NULL;
  return hanging->values + tsr_bits_rank(&hanging->points, id) * hanging->columns;
}

void tsr_hanging_free(tsr_hanging *hanging) {
  tsr_bits_free(&hanging->points);
  free(hanging->values);
}
