/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: cells of grids whose axes run backwards, or are a mirror image. Written along the axes of
 *  the input as all cells are, those would be inside out, and integrals over them negative:
 *
 *     2---3        3---2    A voxel has its points from the lowest place on, so each axis that
 *     |   |   ->   |   |    falls is gone along the other way. For other cells it is enough that
 *     0---1        1---0    the corner is right-handed.
 *     x falls      written
 */
#include "grid/output/output.h"

#define TSR_TURN_PIECE 4096

typedef struct tsr_turner {
  const tsr_grid_output *out;
  int flips; /* of whole leaves: a bit for each axis that is gone along the other way */
  int odd;   /* 1: parts of leaves are inside out */
} tsr_turner;

/* The axes that run backwards, as bits; of a turned image, whose leaves are no voxels, the last one
 * stands for any odd number of them. */
static int flips_of(const tsr_space *space, const tsr_lattice *lattice) {
  const double *d = space->direction;
  const double det = d[0] * (d[4] * d[8] - d[5] * d[7]) - d[1] * (d[3] * d[8] - d[5] * d[6]) +
                     d[2] * (d[3] * d[7] - d[4] * d[6]);
  int flips = 0, odd, is_turned = 0;
  if (lattice->dimension < 3 || space->geometry == TSR_GEOMETRY_POINTS)
    return 0; /* given points lie as they were given */
  for (int a = 0; a < 3; ++a) {
    const tsr_array *x = &space->coordinates[a];
    const int falls = space->geometry == TSR_GEOMETRY_UNIFORM
                          ? space->spacing[a] < 0.0
                          : tsr_load(x, x->tuples - 1) < tsr_load(x, 0);
    flips |= falls << a;
  }
  if (space->geometry == TSR_GEOMETRY_RECTILINEAR)
    return flips;
  for (int k = 0; k < 9; ++k)
    is_turned = is_turned || d[k] != (k % 4 == 0 ? 1.0 : 0.0);
  odd = (flips ^ (flips >> 1) ^ (flips >> 2) ^ (det < 0.0)) & 1;
  return is_turned ? odd << 2 : flips;
}

/* Corner k of a hexahedron as one of a voxel, and back. */
static int other_order(int k) { return k & 2 ? k ^ 1 : k; }

static void turn_leaf(const tsr_turner *turner, int64_t first) {
  const tsr_grid_output *out = turner->out;
  int64_t ids[8];
  for (int k = 0; k < 8; ++k)
    ids[k] = tsr_load_index(out->connectivity, out->index_type, first + k);
  for (int k = 0; k < 8; ++k) {
    const int from =
        out->hexahedra ? other_order(other_order(k) ^ turner->flips) : k ^ turner->flips;
    tsr_store_index(out->connectivity, out->index_type, first + k, ids[from]);
  }
}

static void swap(const tsr_grid_output *out, int64_t a, int64_t b) {
  const int64_t id = tsr_load_index(out->connectivity, out->index_type, a);
  tsr_store_index(out->connectivity, out->index_type, a,
                  tsr_load_index(out->connectivity, out->index_type, b));
  tsr_store_index(out->connectivity, out->index_type, b, id);
}

static void turn_task(void *data, int64_t begin, int64_t end) {
  const tsr_turner *turner = data;
  const tsr_grid_output *out = turner->out;
  for (int64_t cell = begin; cell < end; ++cell) {
    const int64_t first =
        out->offsets ? tsr_load_index(out->offsets, out->index_type, cell) : 8 * cell;
    const int64_t n =
        out->offsets ? tsr_load_index(out->offsets, out->index_type, cell + 1) - first : 8;
    if (n == 8)
      turn_leaf(turner, first);
    else if (turner->odd) /* the base of a pyramid, or a tetrahedron, the other way round */
      swap(out, first + 1, first + 3);
  }
}

int tsr_cells_are_turned(const tsr_grid_input *input) {
  const tsr_grid_output_kind kind = input->options.output;
  return (kind == TSR_GRID_CELLS || kind == TSR_GRID_CONFORMING) &&
         flips_of(&input->space, &input->lattice) != 0;
}

tsr_status tsr_cells_turn(const tsr_grid_input *input, int64_t cells, const tsr_grid_output *out) {
  const int flips = flips_of(&input->space, &input->lattice);
  tsr_turner turner = {out, flips, (flips ^ (flips >> 1) ^ (flips >> 2)) & 1};
  return tsr_run_task(&input->execution, turn_task, &turner, cells, TSR_TURN_PIECE, 1.0, 1.0);
}
