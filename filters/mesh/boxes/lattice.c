/* SPDX-License-Identifier: BSD-3-Clause */
/** Boxes of unstructured grids: the lattice in which they lie. */
#include "mesh/boxes/boxes.h"

#include <math.h>
#include <string.h>

static tsr_status find_axes(const tsr_boxes_extremes *sum, tsr_mesh_boxes *boxes,
                            tsr_error *error) {
  double largest = 0.0;
  int flat = 0;
  for (int a = 0; a < 3; ++a)
    largest = fmax(largest, fmax(fabs(sum->low[a]), fabs(sum->high[a])));
  boxes->tolerance = TSR_LATTICE_TOLERANCE * largest;
  for (int a = 0; a < 3; ++a) {
    const int is_flat = sum->high[a] - sum->low[a] <= boxes->tolerance;
    flat += is_flat;
    boxes->cells[a] = is_flat ? 0 : 1;
  }
  if (3 - flat != boxes->dimension)
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    boxes->dimension == 2 ? "flat cells must lie in one plane across an axis"
                                          : "the cells have no volume");
  for (int a = 0; a < 3; ++a)
    if (boxes->cells[a] > 0 && !(sum->least[a] > 4.0 * boxes->tolerance))
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "the smallest cell is %.6g wide along %c, too little for coordinates up to "
                      "%.6g to tell where it begins and ends",
                      sum->least[a], "xyz"[a], largest);
  return TSR_OK;
}

static tsr_status find_finest(const tsr_boxes_extremes *sum, tsr_mesh_boxes *boxes,
                              tsr_error *error) {
  for (int a = 0; a < 3; ++a)
    if (boxes->cells[a] > 0) {
      const int halvings = (int)round(log2(sum->largest[a] / sum->least[a]));
      boxes->finest = halvings > boxes->finest ? halvings : boxes->finest;
    }
  if (boxes->finest > TSR_LATTICE_BITS)
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "the largest cell is 2^%d times as wide as the smallest; the limit is 2^%d",
                    boxes->finest, TSR_LATTICE_BITS);
  return TSR_OK;
}

static tsr_status find_cells(const tsr_boxes_extremes *sum, int a, tsr_mesh_boxes *boxes,
                             tsr_error *error) {
  const int64_t whole = (int64_t)1 << boxes->finest;
  const double range = sum->high[a] - sum->low[a];
  const double of_cell = ldexp(sum->largest[a], -boxes->finest);
  const double cells = round(range / of_cell);
  if (!(cells < ldexp(1.0, TSR_LATTICE_BITS)))
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "there are more than 2^%d cells of the finest level along %c", TSR_LATTICE_BITS,
                    "xyz"[a]);
  /* One cell is known to a few roundings only, and the whole domain, if it fits, better. */
  const double of_domain = range / cells;
  const int fits = fabs(ldexp(of_domain - of_cell, boxes->finest)) <= 2.0 * boxes->tolerance;
  const double side = fits ? of_domain : of_cell;
  const int64_t at = llround((sum->at[a] - sum->low[a]) / side);
  boxes->shift[a] = (whole - at % whole) % whole;
  boxes->spacing[a] = ldexp(side, boxes->finest);
  boxes->origin[a] = sum->low[a] - (double)boxes->shift[a] * side;
  boxes->cells[a] = (int32_t)(((int64_t)cells + boxes->shift[a] + whole - 1) / whole);
  return TSR_OK;
}

tsr_status tsr_boxes_make_lattice(const tsr_boxes_extremes *sum, tsr_mesh_boxes *boxes,
                                  tsr_error *error) {
  memset(boxes, 0, sizeof *boxes);
  boxes->dimension = sum->dimension;
  boxes->single = !sum->wide;
  for (int a = 0; a < 3; ++a) {
    boxes->low[a] = boxes->origin[a] = sum->low[a];
    boxes->spacing[a] = 1.0;
  }
  tsr_status status = find_axes(sum, boxes, error);
  if (status == TSR_OK)
    status = find_finest(sum, boxes, error);
  for (int a = 0; a < 3 && status == TSR_OK; ++a)
    if (boxes->cells[a] > 0)
      status = find_cells(sum, a, boxes, error);
  return status;
}
