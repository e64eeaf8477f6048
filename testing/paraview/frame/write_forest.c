/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Writes a forest of p4est as VTU, as its users do: two trees beside one another, refined around a
 * ball, with cell and point data. Compiled twice: as it is for 2D, with P4_TO_P8 for 3D.
 * Use: write_forest NAME [balanced: 0 or 1]; the file is NAME_0000.vtu
 */
#ifdef P4_TO_P8
#include <p4est_to_p8est.h>
#include <p8est_bits.h>
#include <p8est_extended.h>
#include <p8est_vtk.h>
#else
#include <p4est_bits.h>
#include <p4est_extended.h>
#include <p4est_vtk.h>
#endif
#include <math.h>
#include <stdlib.h>

enum { MOST_LEVELS = P4EST_DIM == 3 ? 4 : 6 };

/* Position of the corner of a quadrant, or of its middle: offsets in halves of its length. */
static void place(p4est_t *forest, p4est_topidx_t tree, const p4est_quadrant_t *q, const int at[3],
                  double xyz[3]) {
  const p4est_qcoord_t half = P4EST_QUADRANT_LEN(q->level) / 2;
  p4est_qcoord_to_vertex(forest->connectivity, tree, q->x + at[0] * half, q->y + at[1] * half,
#ifdef P4_TO_P8
                         q->z + at[2] * half,
#endif
                         xyz);
}

static double distance(const double x[3]) {
  const double z = P4EST_DIM == 3 ? x[2] - 0.45 : 0.0;
  return sqrt((x[0] - 0.9) * (x[0] - 0.9) + (x[1] - 0.55) * (x[1] - 0.55) + z * z);
}

static int refine(p4est_t *forest, p4est_topidx_t tree, p4est_quadrant_t *q) {
  const int middle[3] = {1, 1, 1};
  double xyz[3];
  place(forest, tree, q, middle, xyz);
  return q->level < MOST_LEVELS && fabs(distance(xyz) - 0.3) < 0.6 / (1 << q->level);
}

/* Fills one value a quadrant, and one for each of its corners. */
static void measure(p4est_t *forest, sc_array_t *cells, sc_array_t *points) {
  const int middle[3] = {1, 1, 1};
  double xyz[3];
  size_t n = 0;
  for (p4est_topidx_t t = forest->first_local_tree; t <= forest->last_local_tree; ++t) {
    p4est_tree_t *tree = p4est_tree_array_index(forest->trees, t);
    for (size_t k = 0; k < tree->quadrants.elem_count; ++k, ++n) {
      const p4est_quadrant_t *q = p4est_quadrant_array_index(&tree->quadrants, k);
      place(forest, t, q, middle, xyz);
      *(double *)sc_array_index(cells, n) = distance(xyz);
      for (int c = 0; c < P4EST_CHILDREN; ++c) {
        const int at[3] = {2 * (c & 1), 2 * (c >> 1 & 1), 2 * (c >> 2)};
        place(forest, t, q, at, xyz);
        *(double *)sc_array_index(points, P4EST_CHILDREN * n + (size_t)c) = distance(xyz);
      }
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 2 || sc_MPI_Init(&argc, &argv) != sc_MPI_SUCCESS)
    return 2;
  p4est_init(NULL, SC_LP_ERROR);
#ifdef P4_TO_P8
  p4est_connectivity_t *trees = p8est_connectivity_new_brick(2, 1, 1, 0, 0, 0);
#else
  p4est_connectivity_t *trees = p4est_connectivity_new_brick(2, 1, 0, 0);
#endif
  p4est_t *forest = p4est_new_ext(sc_MPI_COMM_WORLD, trees, 0, 2, 1, 0, NULL, NULL);
  p4est_refine(forest, 1, refine, NULL);
  if (argc > 2 && atoi(argv[2]))
    p4est_balance(forest, P4EST_CONNECT_FULL, NULL);
  sc_array_t *cells = sc_array_new_count(sizeof(double), (size_t)forest->local_num_quadrants);
  sc_array_t *points =
      sc_array_new_count(sizeof(double), P4EST_CHILDREN * (size_t)forest->local_num_quadrants);
  measure(forest, cells, points);
  p4est_vtk_context_t *file = p4est_vtk_context_new(forest, argv[1]);
  p4est_vtk_context_set_scale(file, 1.0);
  file = p4est_vtk_write_header(file);
  if (file)
    file = p4est_vtk_write_cell_dataf(file, 0, 1, 0, 0, 1, 0, "distance_c", cells, file);
  if (file)
    file = p4est_vtk_write_point_dataf(file, 1, 0, "distance_p", points, file);
  const int failed = !file || p4est_vtk_write_footer(file) != 0;
  sc_array_destroy(cells);
  sc_array_destroy(points);
  p4est_destroy(forest);
  p4est_connectivity_destroy(trees);
  sc_MPI_Finalize();
  return failed;
}
